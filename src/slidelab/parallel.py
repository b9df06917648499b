"""Many small computations in several processes, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["ordered_map"]

T = TypeVar("T")
R = TypeVar("R")

CHUNKS_AHEAD = 4
"""Chunks for each process that are computed before the first result is taken."""

FOREIGN_WORKERS = 16
"""Number of workers that an executor of the caller is taken to have."""


def ordered_map(
    function: Callable[[list[T]], list[R]],
    items: Iterable[T],
    workers: int | Executor,
    *,
    chunk: int = 1,
) -> Iterator[R]:
    """Yield results in the order of the items; items are read a few chunks ahead, none are kept.

    Parameters
    ----------
    function
        Takes a list of items and returns a list of results. It must be importable by other processes.
    items
    workers
        A number of processes, which are started afresh ("spawn"), or an executor, which stays open.
    chunk
        Items in one call of the function.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as executor:
    ...     list(ordered_map(sorted, iter([3, 1, 2, 5, 4]), executor, chunk=2))
    [1, 3, 2, 5, 4]
    """
    if isinstance(workers, Executor):
        yield from _results(function, iter(items), workers, chunk, FOREIGN_WORKERS)
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, get_context("spawn"), _end_with_parent)
    try:
        yield from _results(function, iter(items), pool, chunk, workers)
    finally:
        pool.shutdown(cancel_futures=True)


def _results(
    function: Callable[[list[T]], list[R]], items: Iterator[T], executor: Executor, chunk: int, workers: int
) -> Iterator[R]:
    pending: deque[Future[list[R]]] = deque()
    try:
        while some := list(islice(items, chunk)):
            with _interrupts_blocked():
                pending.append(executor.submit(function, some))
            while pending and (pending[0].done() or len(pending) > CHUNKS_AHEAD * workers):
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


def _end_with_parent() -> None:
    """End this process when its parent is gone, however that ended: the pool alone would wait for ever."""
    import os
    from multiprocessing import parent_process
    from threading import Thread

    def wait() -> None:
        parent = parent_process()
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Hold back Ctrl-C; processes started meanwhile never see it and end with the one that writes."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
