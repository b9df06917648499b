"""Worker processes: started in advance, killed when they take too long, replaced when they are gone."""

from __future__ import annotations

import asyncio
import itertools
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from slidelab.studio.protocol import HEADER_BYTES, MAX_FRAME_BYTES, Call, Refusal, Reply, decode_reply, encode

__all__ = ["Busy", "Cancelled", "Pool"]

START_SECONDS = 60.0
"""Time in which a worker must have started, also on a busy machine."""

CANCEL_SECONDS = 0.5
"""Time in which a cancelled call must have ended; after it its worker is killed."""

EventCallback = Callable[[Reply], None]


class Busy(Exception):
    """Too many calls are waiting."""


class Cancelled(Exception):
    """The call was cancelled."""


@dataclass(eq=False)
class Worker:
    """A worker process and its pipes."""

    process: asyncio.subprocess.Process
    last_key: str = ""
    """What the last call was about: its tables are still in memory."""

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

    def kill(self) -> None:
        """End the process at once."""
        with suppress(ProcessLookupError):
            self.process.kill()


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
    _starting: int = 0
    _waiting: int = 0
    _closed: bool = False
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def start(self) -> None:
        """Start as many processes as are missing, in the background."""
        while not self._closed and len(self.workers) + self._starting < self.size:
            self._starting += 1
            task = asyncio.get_running_loop().create_task(self._start_worker())
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    @property
    def pids(self) -> list[int]:
        """The numbers of the processes."""
        return [worker.process.pid for worker in self.workers]

    async def _start_worker(self) -> None:
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
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        except OSError:
            self._starting -= 1
            return
        worker = Worker(process)
        self.workers.add(worker)
        self._starting -= 1
        if self._closed:
            self._drop(worker)
            return
        try:
            await asyncio.wait_for(worker.receive(), START_SECONDS)
        except (EOFError, TimeoutError):
            self._drop(worker)
            return
        await self._release(worker)

    def _drop(self, worker: Worker) -> None:
        """Kill a worker and forget it."""
        worker.kill()
        self.workers.discard(worker)
        task = asyncio.get_running_loop().create_task(_reap(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _release(self, worker: Worker) -> None:
        async with self._changed:
            self.idle.append(worker)
            self._changed.notify()

    async def _acquire(self, key: str, cancel: asyncio.Event | None) -> Worker:
        """Return an idle worker, the one that had this key last if possible."""
        if self._waiting >= self.waiting:
            raise Busy
        self._waiting += 1
        try:
            async with self._changed:
                while True:
                    if cancel is not None and cancel.is_set():
                        raise Cancelled
                    self.start()
                    self.idle = [worker for worker in self.idle if worker.process.returncode is None]
                    if self.idle:
                        break
                    with suppress(TimeoutError):  # look again whether a process has died
                        await asyncio.wait_for(self._changed.wait(), 1.0)
                found = next((worker for worker in self.idle if worker.last_key == key), self.idle[-1])
                self.idle.remove(found)
                return found
        finally:
            self._waiting -= 1

    async def run(
        self,
        call: Call,
        *,
        key: str = "",
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
            What the call is about.
        on_event
            Called with each event before the last.
        on_start
            Called when the call begins.
        cancel
            Ends the call when it is set.

        Raises
        ------
        Busy
            If too many calls are waiting.
        Cancelled
            If the call was cancelled.
        """
        worker = await self._acquire(key, cancel)
        call = msgspec.structs.replace(call, number=next(self._numbers))
        keep = False
        try:
            if on_start is not None:
                on_start()
            worker.last_key = key
            reply = await self._converse(worker, call, on_event, cancel)
            keep = reply.number == call.number and reply.resident_bytes < self.idle_bytes
            if cancel is not None and cancel.is_set():
                raise Cancelled
            return reply
        except EOFError:
            return _refused(call, "the computation took too much memory, or was ended", 3, 503)
        except TimeoutError:
            return _refused(call, "the time limit was reached", 3, 503)
        finally:
            if keep and not self._closed:
                await self._release(worker)
            else:
                self._drop(worker)
                self.start()

    async def _converse(
        self, worker: Worker, call: Call, on_event: EventCallback | None, cancel: asyncio.Event | None
    ) -> Reply:
        """Send a call and return its last event; raise `TimeoutError` when its time and the grace are up."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + call.seconds + self.grace_seconds
        await worker.send(call)
        watcher = loop.create_task(_wait_cancel(worker, call, cancel)) if cancel is not None else None
        try:
            async with asyncio.timeout_at(deadline):
                while True:
                    reply = await worker.receive()
                    if reply.number != call.number:
                        continue
                    if reply.is_last:
                        return reply
                    if on_event is not None:
                        on_event(reply)
        finally:
            if watcher is not None:
                watcher.cancel()

    def close(self) -> None:
        """Kill all processes at once."""
        self._closed = True
        for worker in list(self.workers):
            worker.kill()
        for task in self._tasks:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until all processes have ended."""
        await asyncio.gather(*(_reap(worker) for worker in list(self.workers)), return_exceptions=True)


async def _wait_cancel(worker: Worker, call: Call, cancel: asyncio.Event) -> None:
    """When a call is cancelled, tell its worker, which keeps its tables if it listens, and else kill it."""
    await cancel.wait()
    await worker.send(Call(call.number))
    await asyncio.sleep(CANCEL_SECONDS)
    worker.kill()


async def _reap(worker: Worker) -> None:
    with suppress(ProcessLookupError):
        await worker.process.wait()
    if worker.process.stdin is not None:
        worker.process.stdin.close()


def _refused(call: Call, error: str, exit_code: int, status: int) -> Reply:
    return Reply(call.number, "error", msgspec.json.encode(Refusal(error, exit_code, status)))
