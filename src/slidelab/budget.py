"""Time, memory and threads that a computation may use."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from slidelab.arguments import check_seconds, parse_bytes
from slidelab.errors import NotationError, OutOfTime, Stopped, TooLarge
from slidelab.messages import byte_size

if TYPE_CHECKING:
    from threading import Event

__all__ = [
    "Budget",
    "CacheNeutral",
    "ProgressCallback",
    "available_cores",
    "available_memory",
    "progress_errors_unchanged",
]

T = TypeVar("T")
P = ParamSpec("P")

ProgressCallback = Callable[[str, int, int], object]
"""Called with a phase, how much is done, and the total (0 if unknown); what it returns is ignored."""

MEMORY_SHARE = 0.8
"""Part of the memory of the machine (or container) that a computation may use by default."""

MAX_SHAPES = 3_000_000
"""Shapes of the largest gain graph that is built by default: a few seconds and some hundred megabytes."""

MAX_THREADS = 1024

WORKING_BYTES = 50_000_000
"""Memory for gain graphs and groups whatever the limit: what a small puzzle needs besides its search."""

_CGROUP_FILES = {"": "memory.max", "memory": "memory.limit_in_bytes"}
"""File with the limit of a control group: of version 2, and of the memory controller of version 1."""


@cache
def available_memory() -> int:
    """Return the bytes that a computation may use: a share of what the machine or the container has.

    Limits of the control groups around the process (as containers and services set them) and of the process
    itself (``ulimit -v``) count, too.
    """
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return int(min(size, *_control_group_limits(), *_process_limits()) * MEMORY_SHARE)


def _control_group_limits(
    membership: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")
) -> list[int]:
    """Return the memory limits of the control groups of this process and of all groups around them."""
    limits = []
    with suppress(OSError):
        for line in membership.read_text().splitlines():
            _, controllers, group = (*line.split(":", 2), "", "")[:3]
            for name in {"", "memory"}.intersection(controllers.split(",")):
                # Inside a container the group is seen as the root, whatever its path outside.
                top = root / name
                inner = top / group.strip("/")
                groups = [inner, *(parent for parent in inner.parents if top in parent.parents), top]
                limits += [_limit(each / _CGROUP_FILES[name]) for each in groups]
    return [limit for limit in limits if limit > 0]


def _limit(file: Path) -> int:
    """Return the number in a file, or 0 if there is none."""
    with suppress(OSError, ValueError):  # no such file, or "max"
        return int(file.read_text())
    return 0


def _process_limits() -> list[int]:
    """Return the limits on the address space and on the data of this process."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, RLIMIT_DATA, getrlimit
    except ImportError:  # not a Unix
        return []
    return [soft for soft, _ in map(getrlimit, (RLIMIT_AS, RLIMIT_DATA)) if soft != RLIM_INFINITY]


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Budget:
    """Time, memory and threads that a computation may use, and the callback for its progress.

    Passed down unchanged; a step gets a part of it with `share`. Users give the parts as keywords
    (``time=``, ``memory=``, ...), which `Budget.of` checks.

    >>> Budget.of(time=0).expired, Budget().time_left is None
    (True, True)
    """

    deadline: float | None = None
    """On the clock of `time.monotonic`; None for no limit."""
    memory: int = field(default_factory=available_memory)
    threads: int = field(default_factory=available_cores)
    max_shapes: int = MAX_SHAPES
    progress: ProgressCallback | None = field(default=None, compare=False)
    cancelled: Event | None = field(default=None, compare=False)
    """Set by another thread to end the computation as if time were up."""

    @classmethod
    def of(
        cls,
        time: float | None = None,
        memory: int | str | None = None,
        threads: int | None = None,
        max_shapes: int | None = None,
        progress: ProgressCallback | None = None,
        cancelled: Event | None = None,
    ) -> Budget:
        """Return a budget from values given by a user; None means the default.

        >>> Budget.of(memory="2G", threads=1).memory
        2000000000
        >>> Budget.of(threads=0)
        Traceback (most recent call last):
        slidelab.errors.NotationError: expected from 1 to 1024, got 0 - at threads
        """
        check_seconds(time)
        if threads is not None and not _is_integer(threads, 1, MAX_THREADS):
            raise NotationError(f"expected from 1 to {MAX_THREADS}, got {threads!r:.40} - at threads")
        if max_shapes is not None and not _is_integer(max_shapes, 1, (1 << 62) - 1):
            raise NotationError(
                f"expected a number such as {MAX_SHAPES}, got {max_shapes!r:.40} - at max_shapes"
            )
        if progress is not None and not callable(progress):
            raise NotationError(f"expected a function for progress, got {type(progress).__name__}")
        return cls(
            deadline=None if time is None else clock.monotonic() + time,
            memory=available_memory() if memory is None else parse_bytes(memory),
            threads=available_cores() if threads is None else threads,
            max_shapes=MAX_SHAPES if max_shapes is None else max_shapes,
            progress=progress,
            cancelled=cancelled,
        )

    @property
    def time_left(self) -> float | None:
        """Seconds until the deadline, or None if there is none."""
        return None if self.deadline is None else max(0.0, self.deadline - clock.monotonic())

    @property
    def working_memory(self) -> int:
        """Bytes for gain graphs and groups: the limit, but never less than `WORKING_BYTES`."""
        return max(self.memory, WORKING_BYTES)

    @property
    def expired(self) -> bool:
        """Whether the deadline has passed or the computation was cancelled."""
        if self.cancelled is not None and self.cancelled.is_set():
            return True
        return self.deadline is not None and clock.monotonic() >= self.deadline

    def share(self, seconds: float | None = None, memory: int | None = None) -> Budget:
        """Return a budget for one step: at most so many seconds and bytes, and never more than is left.

        >>> Budget.of(time=1, memory=100).share(seconds=60, memory=10**9).memory
        100
        """
        deadline = self.deadline
        if seconds is not None:
            end = clock.monotonic() + seconds
            deadline = end if deadline is None else min(deadline, end)
        return replace(self, deadline=deadline, memory=min(self.memory, memory or self.memory))

    def part(self, share: float) -> Budget:
        """Return a budget for one step with a part of the time left; without a deadline, this one.

        >>> 4 < Budget.of(time=10).part(0.5).time_left <= 5
        True
        """
        left = self.time_left
        return self if left is None else self.share(seconds=left * share)

    def extend(self, seconds: float) -> Budget:
        """Return a budget whose deadline is at least so many seconds from now."""
        if self.deadline is None:
            return self
        return replace(self, deadline=max(self.deadline, clock.monotonic() + seconds))

    def report(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(phase, done, total)

    def check(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Report progress, and raise `OutOfTime` once the deadline has passed."""
        self.report(phase, done, total)
        if self.expired:
            raise OutOfTime

    def poll(self, phase: str | Callable[[int], str]) -> Callable[[str, int, int], bool]:
        """Return a callback for the core that reports progress and returns whether to stop.

        A search that is stopped so returns what it has found; one that is given `check` ends with
        `OutOfTime`. `phase` is a name, or makes one from the callback's last argument.
        """

        def callback(_: str, done: int, value: int) -> bool:
            self.report(phase if isinstance(phase, str) else phase(value), done, 0)
            return self.expired

        return callback

    def reserve(self, what: str, size: int) -> None:
        """Raise `TooLarge` if `size` bytes for `what` exceed the memory; call before allocating.

        >>> Budget.of(memory="1M").reserve("the distance table", 5_000_000)
        Traceback (most recent call last):
        slidelab.errors.TooLarge: the distance table needs 5 MB, and the limit is 1 MB
        """
        if size > self.memory:
            raise TooLarge(f"{what} needs {byte_size(size)}, and the limit is {byte_size(self.memory)}")


class _Recorder:
    """A callback for progress that remembers the first exception it raised."""

    __slots__ = ("callback", "error")

    def __init__(self, callback: ProgressCallback) -> None:
        self.callback = callback
        self.error: BaseException | None = None

    def __call__(self, phase: str, done: int, total: int) -> None:
        try:
            self.callback(phase, done, total)
        except BaseException as error:
            self.error = self.error or error
            raise


def progress_errors_unchanged(function: Callable[P, T]) -> Callable[P, T]:
    """Let what the argument `progress` of a function raises come out of it unchanged.

    On its way the exception meets code that handles some kinds for reasons of its own (a `ValueError` about a
    file, a limit that another method may respect), and generators, which do not pass `StopIteration` on.
    Only a `KeyboardInterrupt` may become `Stopped`, which is one, and carries what was found.

    >>> @progress_errors_unchanged
    ... def search(progress):
    ...     with suppress(ValueError):
    ...         progress("search", 0, 1)
    >>> search(progress=lambda phase, done, total: int("x"))
    Traceback (most recent call last):
    ValueError: invalid literal for int() with base 10: 'x'
    """

    @wraps(function)
    def guarded(*arguments: P.args, **options: P.kwargs) -> T:
        callback = options.get("progress")
        if not callable(callback):
            return function(*arguments, **options)
        recorder = _Recorder(callback)
        options["progress"] = recorder
        try:
            result = function(*arguments, **options)
        except BaseException as error:
            if recorder.error is None or error is recorder.error or isinstance(error, Stopped):
                raise
        else:
            if recorder.error is None:
                return result
        raise recorder.error  # outside of the handler, so that it is not said to be caused by the other

    return guarded


class CacheNeutral(Generic[T]):
    """Wrap an argument so that `functools.lru_cache` ignores it.

    >>> CacheNeutral(1) == CacheNeutral(2)
    True
    """

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CacheNeutral)

    def __hash__(self) -> int:
        return 0


def _is_integer(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
