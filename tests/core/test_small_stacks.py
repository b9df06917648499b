"""Long paths do not need a large stack: threads of servers and of macOS have 512 kB or less."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import slidelab as sl

T = TypeVar("T")

SMALL_STACK = 256 * 1024


def on_small_stack(work: Callable[[], T]) -> T:
    """Return the result of `work`, called in a thread with a stack of `SMALL_STACK` bytes."""
    results: list[T] = []
    before = threading.stack_size(SMALL_STACK)
    try:
        thread = threading.Thread(target=lambda: results.append(work()))
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    return results[0]


def test_iterative_deepening_of_long_solutions() -> None:
    puzzle = sl.puzzle("cycle(80)")
    tiles = list(range(1, 80))
    start = puzzle.configuration([*tiles[40:], *tiles[:40], 0])
    found = on_small_stack(lambda: puzzle.solve(start, method="ida"))
    assert (found.length, found.optimal) == (39 * 80, True)


def test_pushes_of_long_rows() -> None:
    found = on_small_stack(lambda: sl.puzzle("square R(1,1000)").distances(metric="straight"))
    assert found.depth == 1
    assert found.states == 1000
