"""Worker processes: started in advance, killed when they take too long, replaced when they are gone.

Calls wait for a process by fair shares: the next one is of the client that has used the least time of late,
so that nobody who asks much makes others wait.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from slidelab.studio.protocol import HEADER_BYTES, MAX_FRAME_BYTES, Call, Refusal, Reply, decode_reply, encode

__all__ = ["Busy", "Cancelled", "Pool", "Usage"]

START_SECONDS = 60.0
"""Time in which a worker must have started, also on a busy machine."""

MAX_FAILED_STARTS = 3
"""Workers that fail to start, one after another, until waiting calls are refused."""

CANCEL_SECONDS = 0.5
"""Time in which a cancelled call must have ended; after it its worker is killed."""

USAGE_HALF_LIFE = 20.0
"""Seconds after which half of what a client has used is forgotten."""

_START = "start a worker"

EventCallback = Callable[[Reply], None]


class Busy(Exception):
    """Too many calls are waiting, or no process can be started."""


class Cancelled(Exception):
    """The call was cancelled."""


class _NotBegun(EOFError):
    """A process ended before it began a call."""


class Usage:
    """Seconds of computation that each client has used, fading with time.

    >>> usage = Usage()
    >>> usage.add("a", 3.0, now=0.0)
    >>> usage.of("a", now=0.0), usage.of("a", now=USAGE_HALF_LIFE), usage.of("b", now=0.0)
    (3.0, 1.5, 0.0)
    """

    MAX_CLIENTS = 10_000
    """Clients that are remembered; those that have used the least are forgotten first."""

    def __init__(self) -> None:
        self._used: dict[str, tuple[float, float]] = {}

    def of(self, client: str, now: float) -> float:
        """Return the seconds that count against a client now."""
        seconds, since = self._used.get(client, (0.0, now))
        return float(seconds * 0.5 ** ((now - since) / USAGE_HALF_LIFE))

    def add(self, client: str, seconds: float, now: float) -> None:
        """Count seconds against a client."""
        self._used[client] = self.of(client, now) + seconds, now
        if len(self._used) > self.MAX_CLIENTS:
            ordered = sorted(self._used, key=lambda name: self.of(name, now))
            for name in ordered[: self.MAX_CLIENTS // 2]:
                del self._used[name]


@dataclass(eq=False)
class Worker:
    """A worker process and its pipes."""

    process: asyncio.subprocess.Process
    folder: str
    """Where it may write temporary files; removed when it has ended."""
    last_key: str = ""
    """What the last call was about: its tables are still in memory."""
    _killed: bool = False

    async def receive(self) -> Reply:
        """Return the next reply; raise `EOFError` if the process has ended."""
        assert self.process.stdout is not None
        try:
            header = await self.process.stdout.readexactly(HEADER_BYTES)
            size = int.from_bytes(header, "big")
            if size > MAX_FRAME_BYTES:
                raise EOFError
            return decode_reply(await self.process.stdout.readexactly(size))
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
            raise EOFError from None

    async def send(self, call: Call) -> None:
        """Write a call."""
        assert self.process.stdin is not None
        with suppress(ConnectionError):
            self.process.stdin.write(encode(call))
            await self.process.stdin.drain()

    @property
    def is_alive(self) -> bool:
        """Whether the process runs; the event loop learns a moment later that it does not."""
        if self.process.returncode is not None:
            return False
        try:
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT  # the exit code is left for the event loop
            return os.waitid(os.P_PID, self.process.pid, flags) is None
        except ChildProcessError:
            return False

    def kill(self) -> None:
        """End the process at once."""
        if not self._killed and self.process.returncode is None:
            self._killed = True
            # Not by `Process.kill`, which may take the exit code away from the event loop.
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)


@dataclass(eq=False, slots=True)
class Waiter:
    """A call that waits for a worker."""

    key: str
    client: str
    worker: asyncio.Future[Worker]


@dataclass(eq=False)
class Pool:
    """Processes that run calls, each one at a time.

    Parameters
    ----------
    size
        Number of processes.
    waiting
        Number of calls that may wait for one; with more, `run` raises `Busy`.
    grace_seconds
        Time beyond that of a call after which its process is killed.
    idle_bytes
        Resident memory above which a process is replaced after a call.
    niceness
        By how much the system prefers others to these processes.
    """

    size: int
    waiting: int
    grace_seconds: float
    idle_bytes: int
    niceness: int = 0
    idle: list[Worker] = field(default_factory=list)
    workers: set[Worker] = field(default_factory=set)
    usage: Usage = field(default_factory=Usage)
    _waiters: list[Waiter] = field(default_factory=list)
    _starting: int = 0
    _failed_starts: int = 0
    _closed: bool = False
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.process.pid for worker in self.workers]

    # Processes

    def start(self) -> None:
        """Start as many processes as are missing, in the background."""
        while not self._closed and len(self.workers) + self._starting < self.size:
            self._starting += 1
            task = asyncio.get_running_loop().create_task(self._start_worker(), name=_START)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _start_worker(self) -> None:
        worker, folder = None, tempfile.mkdtemp(prefix="slidelab-studio-")
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # nothing is imported from the working directory
                "-m",
                "slidelab.studio.worker",
                str(self.niceness),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,  # Ctrl-C at the terminal is for the server, which ends its workers
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "TMPDIR": folder},
            )
            worker = Worker(process, folder)
            self.workers.add(worker)
            if self._closed:
                raise EOFError
            await asyncio.wait_for(worker.receive(), START_SECONDS)
        except (OSError, EOFError, TimeoutError):
            self._starting -= 1
            self._failed_starts += 1
            if worker is not None:
                self._drop(worker)
            else:
                _remove_folder(folder)
            if self._failed_starts >= MAX_FAILED_STARTS:
                self._refuse_all()
            elif not self._closed:
                self.start()
        except asyncio.CancelledError:
            if worker is None:
                _remove_folder(folder)
            else:
                worker.kill()
            raise
        else:
            self._starting -= 1
            self._failed_starts = 0
            self._release(worker)

    def _drop(self, worker: Worker) -> None:
        """Kill a worker and forget it."""
        worker.kill()
        self.workers.discard(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        task = asyncio.get_running_loop().create_task(_reap(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Waiting

    def _release(self, worker: Worker) -> None:
        self.idle.append(worker)
        self._dispatch()

    def _dispatch(self) -> None:
        """Give idle workers to waiting calls: first the client with the least usage, then the oldest call."""
        for worker in [worker for worker in self.idle if not worker.is_alive]:
            self._drop(worker)
        self.start()
        now = time.monotonic()
        self._waiters = [waiter for waiter in self._waiters if not waiter.worker.done()]
        while self.idle and self._waiters:
            waiter = min(self._waiters, key=lambda waiting: self.usage.of(waiting.client, now))
            found = next((worker for worker in self.idle if worker.last_key == waiter.key), self.idle[-1])
            self._waiters.remove(waiter)
            self.idle.remove(found)
            waiter.worker.set_result(found)

    def _refuse_all(self) -> None:
        """Refuse all waiting calls, because no worker starts; the next call tries again."""
        self._failed_starts = 0
        for waiter in self._waiters:
            if not waiter.worker.done():
                waiter.worker.set_exception(Busy())

    async def _acquire(self, key: str, client: str, cancel: asyncio.Event | None) -> Worker:
        """Return an idle worker, the one that had this key last if possible."""
        if self._closed or len(self._waiters) >= self.waiting + self.size:
            raise Busy
        waiter = Waiter(key, client, asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        self._dispatch()
        watcher = asyncio.ensure_future(_cancel_wait(waiter, cancel)) if cancel is not None else None
        try:
            return await waiter.worker
        except asyncio.CancelledError:
            if waiter.worker.done() and not waiter.worker.cancelled() and waiter.worker.exception() is None:
                self._release(waiter.worker.result())  # it came at the same moment
            waiter.worker.cancel()
            raise
        finally:
            if watcher is not None:
                watcher.cancel()

    # Calls

    async def run(
        self,
        call: Call,
        *,
        key: str = "",
        client: str = "",
        on_event: EventCallback | None = None,
        on_start: Callable[[], None] | None = None,
        cancel: asyncio.Event | None = None,
    ) -> Reply:
        """Run a call and return its last event.

        Parameters
        ----------
        call
            The call; its number is replaced.
        key
            What the call is about: a process that has its tables in memory is preferred.
        client
            Whose call it is, for fair shares.
        on_event
            Called with each event before the last.
        on_start
            Called when the call begins.
        cancel
            Ends the call when it is set.

        Raises
        ------
        Busy
            If too many calls are waiting, or no process can be started.
        Cancelled
            If the call was cancelled.
        """
        try:
            return await self._run(call, key, client, on_event, on_start, cancel)
        except _NotBegun:
            if cancel is not None and cancel.is_set():
                raise Cancelled from None
        try:  # the process was killed a moment before: once more, with another one
            return await self._run(call, key, client, on_event, on_start, cancel)
        except _NotBegun:
            raise Busy from None

    async def _run(
        self,
        call: Call,
        key: str,
        client: str,
        on_event: EventCallback | None,
        on_start: Callable[[], None] | None,
        cancel: asyncio.Event | None,
    ) -> Reply:
        """Run a call in the next process; raise `_NotBegun` if that was dead before it began."""
        worker = await self._acquire(key, client, cancel)
        call = msgspec.structs.replace(call, number=next(self._numbers))
        keep, began = False, time.monotonic()
        try:
            if on_start is not None:
                on_start()
            worker.last_key = key
            reply = await self._converse(worker, call, on_event, cancel)
            keep = reply.resident_bytes < self.idle_bytes
        except _NotBegun:
            raise
        except EOFError:
            reply = _refused(call, "the computation took too much memory, or was ended")
        except TimeoutError:
            reply = _refused(call, "the time limit was reached")
        finally:
            now = time.monotonic()
            self.usage.add(client, now - began, now)
            if keep and not self._closed:
                self._release(worker)
            else:
                self._drop(worker)
                self.start()
        if cancel is not None and cancel.is_set():
            raise Cancelled
        return reply

    async def _converse(
        self, worker: Worker, call: Call, on_event: EventCallback | None, cancel: asyncio.Event | None
    ) -> Reply:
        """Send a call and return its last event.

        Raise `TimeoutError` when its time and the grace are up, and `EOFError` when the process ends.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + call.seconds + self.grace_seconds
        watcher = loop.create_task(_cancel_call(worker, call, cancel)) if cancel is not None else None
        try:
            async with asyncio.timeout_at(deadline):
                await worker.send(call)
                has_begun = False
                while True:
                    try:
                        reply = await worker.receive()
                    except EOFError:
                        raise EOFError if has_begun else _NotBegun from None
                    if reply.number != call.number:
                        continue
                    has_begun = True
                    if reply.event == "begun":
                        continue
                    if reply.is_last:
                        return reply
                    if on_event is not None:
                        on_event(reply)
        finally:
            if watcher is not None:
                watcher.cancel()

    # The end

    def close(self) -> None:
        """Kill all processes at once."""
        self._closed = True
        for worker in list(self.workers):
            worker.kill()

    async def wait_closed(self) -> None:
        """Wait until all processes have ended."""
        for worker in list(self.workers):
            self._drop(worker)
        for task in list(self._tasks):
            if task.get_name() == _START:
                task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _cancel_wait(waiter: Waiter, cancel: asyncio.Event) -> None:
    """When a call is cancelled that still waits, let it wait no longer."""
    await cancel.wait()
    if not waiter.worker.done():
        waiter.worker.set_exception(Cancelled())


async def _cancel_call(worker: Worker, call: Call, cancel: asyncio.Event) -> None:
    """When a call is cancelled, tell its worker, which keeps its tables if it listens, and else kill it."""
    await cancel.wait()
    await worker.send(Call(call.number))
    await asyncio.sleep(CANCEL_SECONDS)
    worker.kill()


async def _reap(worker: Worker) -> None:
    if worker.process.stdin is not None:
        worker.process.stdin.close()
    with suppress(ProcessLookupError):
        await worker.process.wait()
    _remove_folder(worker.folder)


def _remove_folder(folder: str) -> None:
    """Remove the temporary files of a worker: none, or that of a film."""
    shutil.rmtree(folder, ignore_errors=True)


def _refused(call: Call, error: str) -> Reply:
    return Reply(call.number, "error", msgspec.json.encode(Refusal(error, 3, 503)))
