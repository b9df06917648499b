"""Jobs: tasks that take long, with events that can be read while they run, and again afterwards."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from slidelab.studio.limits import Limits
from slidelab.studio.pool import Busy, Cancelled, Pool
from slidelab.studio.protocol import Call, Refusal, Reply, to_json

__all__ = ["Event", "Job", "JobBoard", "TooManyJobs"]

State = Literal["waiting", "running", "done", "failed", "cancelled"]

HEARTBEAT_SECONDS = 15.0
"""Time without events after which a stream says that it is alive."""

MAX_EVENTS = 200
"""Events of a job that can be read again; of progress only the last is kept, and the oldest others go."""


class TooManyJobs(Exception):
    """A client, or all of them, has too many unfinished jobs."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a job: its number, from 1, its name and its data as JSON."""

    number: int
    name: str
    data: bytes

    def encode(self) -> bytes:
        r"""Return the event for an event stream.

        >>> Event(3, "progress", b'{"done":1}').encode()
        b'id: 3\nevent: progress\ndata: {"done":1}\n\n'
        """
        return b"id: %d\nevent: %s\ndata: %s\n\n" % (self.number, self.name.encode(), self.data)


@dataclass(eq=False)
class Job:
    """One job and all that is known about it."""

    id: str
    kind: str
    client: str
    state: State = "waiting"
    events: list[Event] = field(default_factory=list)
    file: tuple[bytes, str] | None = None
    """Content and media type of the file that was made."""
    finished: float = 0.0
    """When it ended, on the monotonic clock."""
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    task: asyncio.Task[None] | None = None
    _count: int = 0

    @property
    def is_finished(self) -> bool:
        """Whether no event follows."""
        return self.state in ("done", "failed", "cancelled")

    @property
    def size(self) -> int:
        """Bytes of its events and its file."""
        return sum(len(event.data) for event in self.events) + (len(self.file[0]) if self.file else 0)

    def add(self, name: str, data: bytes) -> None:
        """Add an event; it takes the place of an earlier one on progress."""
        self._count += 1
        if name == "progress" and self.events and self.events[-1].name == "progress":
            self.events.pop()
        self.events.append(Event(self._count, name, data))
        if len(self.events) > MAX_EVENTS:
            del self.events[0]

    def to_json(self) -> dict[str, Any]:
        """Return what is known about the job, with its last event of each kind."""
        last = {event.name: msgspec.Raw(event.data) for event in self.events}
        return {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "events": f"/api/jobs/{self.id}/events",
            "file": f"/api/jobs/{self.id}/file" if self.file else None,
            **{name: last.get(name) for name in ("progress", "best", "result", "error")},
        }

    async def notify(self) -> None:
        """Wake all who read the events."""
        async with self.changed:
            self.changed.notify_all()

    async def stream(self, after: int) -> AsyncIterator[bytes]:
        """Yield the events after a number as they come, until the last one."""
        yield b"retry: 1000\n\n"
        while True:
            for event in [event for event in self.events if event.number > after]:
                after = event.number
                yield event.encode()
            if self.is_finished:
                return
            if not await self._wait_beyond(after):
                yield b": still here\n\n"

    async def _wait_beyond(self, number: int) -> bool:
        """Wait for events after a number, or the end; return False if nothing came for a while."""
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS), self.changed:
                await self.changed.wait_for(lambda: self._count > number or self.is_finished)
        except TimeoutError:
            return False
        return True


class JobBoard:
    """All jobs: those that wait or run, and those that ended a while ago."""

    def __init__(self, pool: Pool, limits: Limits) -> None:
        self.pool, self.limits = pool, limits
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def __len__(self) -> int:
        return len(self._jobs)

    def get(self, name: str) -> Job | None:
        """Return a job, None if there is none or it was forgotten."""
        self._forget()
        return self._jobs.get(name)

    def unfinished(self, client: str | None = None) -> int:
        """Return the number of jobs that wait or run, of one client or of all."""
        return sum(not job.is_finished and client in (None, job.client) for job in self._jobs.values())

    def submit(self, kind: str, body: bytes, *, client: str, seconds: float | None, key: str) -> Job:
        """Start a job, or let it wait for a process.

        Parameters
        ----------
        kind, body
            The task and its arguments.
        client
            Whose job it is.
        seconds
            Time for it; never more than the limit.
        key
            What it is about: a process that has its tables is preferred.

        Raises
        ------
        TooManyJobs
            If the client, or all of them together, have too many unfinished jobs.
        """
        self._forget()
        limits = self.limits
        if self.unfinished(client) >= limits.jobs_per_client:
            raise TooManyJobs(f"expected at most {limits.jobs_per_client} unfinished jobs of a client")
        if self.unfinished() >= limits.jobs + limits.waiting_jobs:
            raise TooManyJobs(f"expected at most {limits.jobs + limits.waiting_jobs} unfinished jobs")
        job = Job(secrets.token_urlsafe(12), kind, client)
        call = Call(
            0,
            kind,
            body,
            limits.job_seconds if seconds is None else min(seconds, limits.job_seconds),
            limits.job_memory,
            limits.job_threads,
            limits.cells,
            limits.depth,
            reports=True,
        )
        self._jobs[job.id] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job, call, key))
        return job

    async def _run(self, job: Job, call: Call, key: str) -> None:
        waking: set[asyncio.Task[None]] = set()

        def wake() -> None:
            task = asyncio.get_running_loop().create_task(job.notify())
            waking.add(task)
            task.add_done_callback(waking.discard)

        def on_start() -> None:
            job.state = "running"
            wake()

        def on_event(reply: Reply) -> None:
            if not job.is_finished:
                job.add(reply.event, reply.data)
                wake()

        try:
            reply = await self.pool.run(
                call, key=key, client=job.client, on_event=on_event, on_start=on_start, cancel=job.cancel
            )
        except Cancelled:
            pass  # `cancel` has said so
        except Busy:
            self._end(job, "failed", "error", to_json({"error": "too many jobs are waiting", "exit_code": 3}))
        except Exception as error:
            text = f"internal error ({type(error).__name__}); please report it"
            self._end(job, "failed", "error", to_json({"error": text, "exit_code": 4}))
        else:
            self._finish(job, reply)
        await job.notify()

    def _finish(self, job: Job, reply: Reply) -> None:
        if job.is_finished:
            return
        if reply.event == "error":
            refusal = msgspec.json.decode(reply.data, type=Refusal)
            data = to_json({"error": refusal.error, "exit_code": refusal.exit_code})
            self._end(job, "failed", "error", data)
        elif reply.event == "file":
            job.file = reply.data, reply.media_type
            about = {
                "file": f"/api/jobs/{job.id}/file",
                "bytes": len(reply.data),
                "media_type": reply.media_type,
            }
            self._end(job, "done", "result", to_json(about))
        else:
            self._end(job, "done", "result", reply.data)

    def _end(self, job: Job, state: State, name: str, data: bytes) -> None:
        job.add(name, data)
        job.state = state
        job.finished = time.monotonic()
        self._forget()

    async def cancel(self, job: Job) -> None:
        """End a job; whoever reads its events sees that at once."""
        if not job.is_finished:
            self._end(job, "cancelled", "error", to_json({"error": "cancelled", "exit_code": 130}))
            job.cancel.set()
            await job.notify()

    def _forget(self) -> None:
        """Forget jobs that ended long ago, or are too many or too large together; the oldest first."""
        limits = self.limits
        ended = [job for job in self._jobs.values() if job.is_finished]
        ended.sort(key=lambda job: job.finished)
        oldest = time.monotonic() - limits.kept_seconds
        size = sum(job.size for job in ended)
        count = len(ended)
        for job in ended[:-1]:  # the last one is always kept until its time is up
            if job.finished >= oldest and count <= limits.kept_jobs and size <= limits.kept_bytes:
                break
            size, count = size - job.size, count - 1
            del self._jobs[job.id]
        if ended and ended[-1].finished < oldest:
            self._jobs.pop(ended[-1].id, None)

    def close(self) -> None:
        """Let nobody wait any longer."""
        for job in self._jobs.values():
            if job.task is not None:
                job.task.cancel()
