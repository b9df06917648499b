"""The processes of an MPI communicator as the world of a search over shards.

Waiting must not take the core from those that still compute: collective calls are started without blocking
and looked at ever less often.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from slidelab.distance.component import StateIndex
from slidelab.errors import NotationError, PuzzleError

if TYPE_CHECKING:
    import numpy as np
    from mpi4py.MPI import Intracomm
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["MpiWorld"]

SPIN_SECONDS = 0.0002
"""Time for which a process waits without sleeping: a message within one machine takes less."""

LONGEST_SLEEP = 0.001
"""Longest time between two looks at what was sent."""

LIST_TAG = 1 << 14
"""Tag of messages with lists; those with blocks have smaller ones."""


def _check_communicator(comm: object) -> None:
    """Raise `NotationError` unless an argument is a communicator to which this process belongs."""
    mpi = sys.modules.get("mpi4py.MPI")  # who has a communicator has loaded MPI
    if mpi is None or not isinstance(comm, mpi.Comm):
        raise NotationError(f"expected a communicator of mpi4py, got {comm!r:.60} - at comm")
    if comm == mpi.COMM_NULL:
        raise NotationError("expected a communicator with this process, got the null communicator - at comm")
    if not isinstance(comm, mpi.Intracomm):
        raise NotationError(f"expected an intracommunicator, got {type(comm).__name__} - at comm")


class MpiWorld:
    """All processes of a communicator, which all call the same methods in the same order."""

    def __init__(self, comm: Intracomm) -> None:
        _check_communicator(comm)
        self._comm = comm.Dup()
        self.rank, self.size = comm.rank, comm.size
        self._stopped = False

    def stop(self) -> None:
        """End the waiting of another thread: this process does not go on."""
        self._stopped = True

    def total(self, numbers: Sequence[int]) -> list[int]:
        """Return the sums over all processes."""
        from mpi4py import MPI

        return self._reduced(numbers, MPI.SUM)

    def every(self, value: bool) -> bool:
        """Return whether a value is true in all processes."""
        from mpi4py import MPI

        return bool(self._reduced([value], MPI.MIN)[0])

    def _reduced(self, numbers: Sequence[int], operation: Any) -> list[int]:
        import numpy as np

        mine, result = np.array(numbers, dtype=np.int64), np.empty(len(numbers), dtype=np.int64)
        self._wait([self._comm.Iallreduce(mine, result, operation)])
        return [int(number) for number in result]

    def swap(self, outgoing: Sequence[Words], incoming: Sequence[Words], tag: int) -> None:
        """Send an array to each process and fill one from each; empty ones are not sent."""
        tag %= LIST_TAG
        receiving = [
            self._comm.Irecv(words, k, tag)
            for k, words in enumerate(incoming)
            if words.size and k != self.rank
        ]
        sending = [
            self._comm.Isend(words, k, tag)
            for k, words in enumerate(outgoing)
            if words.size and k != self.rank
        ]
        self._wait([*receiving, *sending])

    def swap_lists(self, outgoing: Sequence[Words]) -> list[Words]:
        """Send rows of words to each process; return what each one sent, whatever its length."""
        import numpy as np

        sizes = np.array([words.size for words in outgoing], dtype=np.int64)
        sizes[self.rank] = 0
        theirs = np.empty(self.size, dtype=np.int64)
        self._wait([self._comm.Ialltoall(sizes, theirs)])
        incoming = [np.empty((int(size) // 2, 2), dtype=np.uint64) for size in theirs]
        self.swap([np.ascontiguousarray(words) for words in outgoing], incoming, LIST_TAG - 1)
        incoming[self.rank] = outgoing[self.rank]
        return incoming

    def join(self, places: list[StateIndex]) -> list[StateIndex]:
        """Return the places of all processes."""
        return list(chain.from_iterable(self._comm.allgather(places)))

    def _wait(self, requests: list[Any]) -> None:
        from mpi4py import MPI

        pause, begin = 0.00005, time.perf_counter()
        while not MPI.Request.Testall(requests):
            if self._stopped:
                raise PuzzleError("the search was stopped")
            if time.perf_counter() - begin > SPIN_SECONDS:
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_SLEEP)
