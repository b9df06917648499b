"""Processes and their calls: fair shares, waiting, and processes that do not start."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from slidelab.studio.cache import AnswerCache
from slidelab.studio.jobs import MAX_EVENTS, Job
from slidelab.studio.pool import Busy, Cancelled, Pool, Usage
from slidelab.studio.protocol import Call

HINT = b'{"position": "2x2 : 3 1 . 2"}'


def run(body: Callable[[Pool], Awaitable[None]], **options: Any) -> None:
    """Run a test with a pool, and end the pool."""

    async def whole() -> None:
        pool = Pool(**{"size": 1, "waiting": 10, "grace_seconds": 60.0, "idle_bytes": 10**12, **options})
        try:
            await body(pool)
        finally:
            pool.close()
            await pool.wait_closed()

    asyncio.run(whole())


def test_clients_who_used_little_come_first() -> None:
    async def body(pool: Pool) -> None:
        order: list[str] = []

        async def ask(client: str) -> None:
            await pool.run(Call(0, "hint", HINT, 60.0), client=client, on_start=lambda: order.append(client))

        first = asyncio.create_task(ask("greedy"))
        while "greedy" not in order:
            await asyncio.sleep(0.001)
        await first
        pool.usage.add("greedy", 1000.0, 0.0)
        waiting = [asyncio.create_task(ask("greedy")) for _ in range(3)]
        await asyncio.sleep(0)
        waiting += [asyncio.create_task(ask("modest"))]
        await asyncio.gather(*waiting)
        # One of the greedy calls may have begun before the modest one came.
        assert order.index("modest") <= 2
        assert order.count("greedy") == 4

    run(body)


def test_calls_beyond_the_queue_are_refused() -> None:
    async def body(pool: Pool) -> None:
        calls = [asyncio.create_task(pool.run(Call(0, "hint", HINT, 60.0))) for _ in range(20)]
        done = await asyncio.gather(*calls, return_exceptions=True)
        refused = sum(isinstance(result, Busy) for result in done)
        assert refused == 20 - 3  # one for the process, two that wait
        assert all(isinstance(result, Busy) or result.event == "result" for result in done)  # type: ignore[union-attr]

    run(body, waiting=2)


def test_a_call_that_meets_a_dead_process_is_run_by_another() -> None:
    async def body(pool: Pool) -> None:
        await pool.run(Call(0, "hint", HINT, 60.0))
        (first,) = pool.idle
        os.kill(first.process.pid, signal.SIGSTOP)  # so that it does not begin the call
        asked = asyncio.create_task(pool.run(Call(0, "hint", HINT, 60.0)))
        while first in pool.idle:
            await asyncio.sleep(0.001)
        os.kill(first.process.pid, signal.SIGKILL)
        assert (await asked).event == "result"
        assert first not in pool.workers

    run(body)


def test_a_waiting_call_is_cancelled_by_its_event_or_its_task() -> None:
    async def body(pool: Pool) -> None:
        cancel = asyncio.Event()
        position = f"5x5 : {' '.join(map(str, range(24, 0, -1)))} ."
        hard = msgspec.json.encode({"kind": "solve", "position": position})
        running = asyncio.create_task(
            pool.run(Call(0, "solve", hard, 200.0, 10**9, reports=True), cancel=cancel)
        )
        other = asyncio.Event()
        waiting = asyncio.create_task(pool.run(Call(0, "hint", HINT, 60.0), cancel=other))
        third = asyncio.create_task(pool.run(Call(0, "hint", HINT, 60.0)))
        await asyncio.sleep(0.01)
        other.set()
        with pytest.raises(Cancelled):
            await waiting
        third.cancel()
        with pytest.raises(asyncio.CancelledError):
            await third
        cancel.set()
        with pytest.raises(Cancelled):
            await running
        assert (await pool.run(Call(0, "hint", HINT, 60.0))).event == "result"

    run(body)


def test_processes_that_do_not_start_refuse_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    async def body(pool: Pool) -> None:
        monkeypatch.setattr(sys, "executable", "/no/such/python")
        with pytest.raises(Busy):
            await pool.run(Call(0, "hint", HINT, 60.0))
        monkeypatch.setattr(sys, "executable", executable)
        assert (await pool.run(Call(0, "hint", HINT, 60.0))).event == "result"

    executable = sys.executable
    run(body)


def test_an_unknown_task_is_a_defect_of_one_line() -> None:
    async def body(pool: Pool) -> None:
        reply = await pool.run(Call(0, "nonsense", b"{}", 60.0))
        assert reply.event == "error"
        assert msgspec.json.decode(reply.data)["exit_code"] == 4
        assert (await pool.run(Call(0, "hint", HINT, 60.0))).event == "result"

    run(body)


def test_usage_fades_and_is_bounded() -> None:
    usage = Usage()
    for number in range(3 * Usage.MAX_CLIENTS):
        usage.add(str(number), float(number), now=0.0)
    assert len(usage._used) <= Usage.MAX_CLIENTS + 1
    last = str(3 * Usage.MAX_CLIENTS - 1)
    assert usage.of(last, 0.0) == 3 * Usage.MAX_CLIENTS - 1
    assert usage.of(last, 10_000.0) < 1e-9


def test_the_cache_is_bounded_in_bytes() -> None:
    cache = AnswerCache(100_000)
    for number in range(1000):
        cache.put(f"key {number}", bytes(number))
        assert cache.size <= cache.most
        assert cache.get(f"key {number}") == bytes(number)
    cache.put("large", bytes(60_000))
    assert cache.get("large") is None
    kept = [number for number in range(1000) if cache.get(f"key {number}") is not None]
    assert kept == list(range(kept[0], 1000))
    assert cache.size == sum(4 * len(f"key {number}") + number + 200 for number in kept)


def test_of_progress_only_the_last_event_is_kept() -> None:
    async def body() -> None:
        job = Job("id", "solve", "client")
        for number in range(10):
            job.add("progress", b"%d" % number)
        job.add("best", b"1")
        for number in range(10 * MAX_EVENTS):
            job.add("progress", b"%d" % number)
            job.add("best", b"2")
        assert len(job.events) == MAX_EVENTS
        numbers = [event.number for event in job.events]
        assert numbers == sorted(set(numbers))
        assert job.events[-1].number == 10 + 1 + 20 * MAX_EVENTS

    asyncio.run(body())
