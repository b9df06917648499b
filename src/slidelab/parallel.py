"""Many small computations in several processes or on many machines, with the results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from slidelab.arguments import whole_number
from slidelab.errors import NotationError, WorkerLost

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.synchronize import Event

__all__ = ["check_workers", "count_workers", "ordered_map"]

T = TypeVar("T")
R = TypeVar("R")

CHUNKS_AHEAD = 4
"""Chunks for each process that are computed before the first result is taken."""

GUARD = "a script that starts processes needs 'if __name__ == \"__main__\":' before its main part"
"""What is wrong if processes that are started afresh read the main module and run it again."""

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


def check_workers(executor: object, processes: object) -> None:
    """Raise `NotationError` unless there is an executor, a number of processes, or neither.

    Examples
    --------
    >>> check_workers(5, None)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected an executor of concurrent.futures, got 5 - at executor
    """
    if executor is not None and not isinstance(executor, Executor):
        raise NotationError(f"expected an executor of concurrent.futures, got {executor!r:.60} - at executor")
    if processes is not None:
        if executor is not None:
            raise NotationError("expected processes or an executor, got both - at processes")
        whole_number(processes, 1, "processes")


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

    context = get_context("spawn")
    started = context.Event()
    pool = ProcessPoolExecutor(workers, context, _begin, (started,))
    try:
        yield from _results(function, iter(items), pool, chunk, workers)
    except WorkerLost as error:
        if started.is_set():
            raise
        raise WorkerLost(f"{error}: no worker could start; {GUARD}") from error
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
    kind = type(error).__name__
    if isinstance(error, RuntimeError) and not isinstance(error, BrokenExecutor):  # no worker was lost
        return WorkerLost(f"the executor failed ({kind}: {' '.join(str(error).split()):.120})")
    return WorkerLost(f"a worker was lost ({kind})")


def _begin(started: Event) -> None:
    """Let the parent know that a worker has started, and end with it.

    The pool alone would wait for ever if its parent is killed.
    """
    started.set()
    _end_with_parent()


def _end_with_parent() -> None:
    """End this process when its parent is gone, however that ended."""
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
