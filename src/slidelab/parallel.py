"""Many small computations in several processes or on many machines, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from slidelab.errors import WorkerLost

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["count_workers", "ordered_map"]

T = TypeVar("T")
R = TypeVar("R")

CHUNKS_AHEAD = 4
"""Chunks for each process that are computed before the first result is taken."""

DEFAULT_WORKERS = 16
"""Number of workers that an executor is taken to have if it does not say: too many do no harm."""


def count_workers(executor: Executor) -> int | None:
    """Return how many workers an executor has, None if it does not say.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> count_workers(ThreadPoolExecutor(3)), count_workers(Executor())
    (3, None)
    """
    # The public name is that of mpi4py.futures; the pools of the standard library have only the other.
    for name in ("num_workers", "_max_workers"):
        number = getattr(executor, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return None


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

    Raises
    ------
    WorkerLost
        If the executor fails, and not the function: mostly since a process was killed. Results before that
        have been yielded.

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> with ThreadPoolExecutor() as executor:
    ...     list(ordered_map(sorted, iter([3, 1, 2, 5, 4]), executor, chunk=2))
    [1, 3, 2, 5, 4]
    """
    if isinstance(workers, Executor):
        number = count_workers(workers) or DEFAULT_WORKERS
        yield from _results(function, iter(items), workers, chunk, number)
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
    pending: deque[Future[list[R] | Exception]] = deque()
    try:
        while some := list(islice(items, chunk)):
            pending.append(_submit(executor, function, some))
            while pending and (pending[0].done() or len(pending) > CHUNKS_AHEAD * workers):
                yield from _result(pending.popleft())
        while pending:
            yield from _result(pending.popleft())
    finally:
        for future in pending:
            future.cancel()


def _submit(
    executor: Executor, function: Callable[[list[T]], list[R]], items: list[T]
) -> Future[list[R] | Exception]:
    try:
        with _interrupts_blocked():
            return executor.submit(_call, function, items)
    except Exception as error:  # a pool that is broken takes nothing more
        raise _lost(error) from error


def _call(function: Callable[[list[T]], list[R]], items: list[T]) -> list[R] | Exception:
    """Return the results or the error of a function: what its future raises is then the executor's own."""
    try:
        return function(items)
    except Exception as error:
        from traceback import format_exc

        error.add_note(f"in a worker: {format_exc()}")  # its traceback does not travel
        return error


def _result(future: Future[list[R] | Exception]) -> list[R]:
    try:
        found = future.result()
    except Exception as error:  # BrokenProcessPool, CancelledError, KilledWorker of Dask, ...
        raise _lost(error) from error
    if isinstance(found, Exception):
        raise found
    return found


def _lost(error: Exception) -> WorkerLost:
    return WorkerLost(f"a worker was lost ({type(error).__name__})")


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
