"""What a search needs of the processes that search together, and a world of one process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.distance.component import StateIndex

    Words = NDArray[np.uint64]

__all__ = ["Alone", "World"]


class World(Protocol):
    """The processes that search together."""

    rank: int
    size: int

    def total(self, numbers: Sequence[int]) -> list[int]:
        """Return the sums over all processes."""

    def every(self, value: bool) -> bool:
        """Return whether a value is true in all processes."""

    def swap(self, outgoing: Sequence[Words], incoming: Sequence[Words], tag: int) -> None:
        """Send an array to each process and fill one from each; empty ones are not sent."""

    def swap_lists(self, outgoing: Sequence[Words]) -> list[Words]:
        """Send rows of words to each process; return what each one sent, whatever its length."""

    def join(self, places: list[StateIndex]) -> list[StateIndex]:
        """Return the places of all processes."""

    def stop(self) -> None:
        """End the waiting of another thread: this process does not go on."""


class Alone:
    """A world of one process."""

    rank = 0
    size = 1

    def total(self, numbers: Sequence[int]) -> list[int]:
        """Return the sums over all processes."""
        return list(numbers)

    def every(self, value: bool) -> bool:
        """Return whether a value is true in all processes."""
        return value

    def swap(self, outgoing: Sequence[Words], incoming: Sequence[Words], tag: int) -> None:
        """Do nothing: there is nobody to send to."""

    def swap_lists(self, outgoing: Sequence[Words]) -> list[Words]:
        """Return what the process sent to itself."""
        return list(outgoing)

    def join(self, places: list[StateIndex]) -> list[StateIndex]:
        """Return the places of all processes."""
        return places

    def stop(self) -> None:
        """Do nothing: nobody waits."""
