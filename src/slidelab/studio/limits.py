"""How much one request, one job and all of them together may take."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server: every request ends, and none takes more than its share.

    A quick request is answered while the page waits, in a process of its own; a job reports events.
    """

    cells: int = 10_000
    """Cells of the largest board; more make a browser slow."""
    body_bytes: int = 1_000_000
    """Length of a request's body."""
    body_seconds: float = 10.0
    """Time in which a request must have arrived; slower clients are cut off."""
    depth: int = 32
    """Nested lists and objects in JSON; documents of slidelab have six."""

    quick_workers: int = 2
    """Processes that answer quick requests."""
    quick_waiting: int = 200
    """Quick requests that wait for a process; more are refused."""
    quick_seconds: float = 2.0
    """Time for a quick request."""
    quick_memory: int = 300_000_000
    """Memory for a quick request, in bytes, beyond what its process has at rest."""

    jobs: int = 2
    """Jobs that run at once, each in a process of its own."""
    waiting_jobs: int = 16
    """Jobs that wait for a process; more are refused."""
    jobs_per_client: int = 8
    """Unfinished jobs of one address."""
    job_seconds: float = 60.0
    """Time for a job."""
    job_memory: int = 1_000_000_000
    """Memory for a job, in bytes, beyond what its process has at rest."""
    job_threads: int = 1
    """Threads of a job."""
    kept_jobs: int = 100
    """Finished jobs whose events can still be read; the oldest are forgotten first."""
    kept_seconds: float = 600.0
    """Time for which a finished job is kept."""
    kept_bytes: int = 64_000_000
    """Size of the events and files of all finished jobs together."""

    grace_seconds: float = 3.0
    """Time beyond its limit after which a process is killed: searches look at the clock ten times a second,
    but building a table of moves does not."""
    idle_bytes: int = 600_000_000
    """Resident memory of a process at rest above which it is replaced by a fresh one."""
    streams: int = 64
    """Event streams open at once."""
    connections: int = 400
    """Connections open at once."""
    cache_bytes: int = 32_000_000
    """Size of the answers that are remembered."""
