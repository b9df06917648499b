"""Moves of single-cell pieces as arrays: one row a move, the cell before and the cell after."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING, TypeAlias

from slidelab.puzzles import Configuration, MoveList, Passage
from slidelab.reach.frames import pieces_by_cell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "PairJoiner",
    "Pairs",
    "join_pairs",
    "moves_of_pairs",
    "pairs_of",
    "pairs_of_walk",
    "play_pairs",
    "relabel_pairs",
    "reverse_pairs",
]

Pairs: TypeAlias = "NDArray[np.int32]"


def pairs_of(moves: Sequence[tuple[int, int]]) -> Pairs:
    """Return moves as an array."""
    import numpy as np

    return np.array(moves, dtype=np.int32).reshape(-1, 2)


def pairs_of_walk(hole: int, walk: Sequence[int]) -> Pairs:
    """Return the moves of tiles when a hole walks from a cell over others.

    >>> pairs_of_walk(3, [1, 0]).tolist()
    [[1, 3], [0, 1]]
    """
    import numpy as np

    cells = np.empty(len(walk) + 1, dtype=np.int32)
    cells[0], cells[1:] = hole, walk
    return np.column_stack((cells[1:], cells[:-1]))


def reverse_pairs(moves: Pairs) -> Pairs:
    """Return the moves that undo these."""
    return moves[::-1, ::-1]


def relabel_pairs(moves: Pairs, cells: Sequence[int]) -> Pairs:
    """Return moves on a part of a board with the cell numbers of the whole."""
    import numpy as np

    return np.array(cells, dtype=np.int32)[moves]


def play_pairs(tiles: MutableSequence[int], moves: Pairs) -> None:
    """Apply moves to the list of the tile on each cell.

    >>> tiles = [1, 2, 0]
    >>> play_pairs(tiles, pairs_of([(1, 2), (0, 1)]))
    >>> tiles
    [0, 1, 2]
    """
    import numpy as np

    from slidelab import _core

    if not len(moves):
        return
    moved = _core.label_moves(np.array(tiles, dtype=np.int32), np.ascontiguousarray(moves, dtype=np.int32))
    # A tile ends where its last move takes it; each cell that it left last is empty, or taken by another.
    last = dict(zip(moved.tolist(), moves[:, 1].tolist(), strict=True))
    for cell, tile in enumerate(tiles):
        if tile in last:
            tiles[cell] = 0
    for tile, cell in last.items():
        tiles[cell] = tile


def moves_of_pairs(start: Configuration, moves: Pairs) -> MoveList:
    """Return the moves from a configuration, with their pieces.

    >>> import slidelab as sl
    >>> moves_of_pairs(sl.position("square R(2,2) : 1 2 . 3"), pairs_of([(3, 2)]))
    <1 moves: 3:3>2>
    """
    import numpy as np

    from slidelab import _core

    tiles = np.array(pieces_by_cell(start), dtype=np.int32)
    moved = _core.label_moves(tiles, np.ascontiguousarray(moves, dtype=np.int32))
    return MoveList.of_tiles(np.column_stack([moved, moves]))


def join_pairs(parts: Sequence[Pairs]) -> Pairs:
    """Concatenate moves, leaving out those that are undone at once where two parts meet.

    >>> join_pairs([pairs_of([(0, 1), (1, 2)]), pairs_of([(2, 1), (3, 2)])]).tolist()
    [[0, 1], [3, 2]]
    """
    joiner = PairJoiner()
    for part in parts:
        joiner.add(part)
    return joiner.pairs


class PairJoiner:
    """Moves that are put together part by part, with the passages that explain them."""

    def __init__(self) -> None:
        self.parts: list[Pairs] = []
        self.length = 0
        self.passages: list[Passage] = []

    @property
    def pairs(self) -> Pairs:
        """All moves so far."""
        import numpy as np

        return np.concatenate(self.parts) if self.parts else pairs_of([])

    def add(self, part: Pairs, passages: Sequence[Passage] = ()) -> None:
        """Append moves; those that are undone at once are left out, and the passages are adjusted."""
        cut = 0
        while self.parts and cut < len(part):
            last = self.parts[-1]
            limit = min(len(last), len(part) - cut)
            same = (last[len(last) - limit :][::-1, ::-1] == part[cut : cut + limit]).all(axis=1)
            undone = limit if same.all() else int(same.argmin())
            cut += undone
            self.length -= undone
            self.parts[-1] = last[: len(last) - undone]
            if len(self.parts[-1]):
                break
            self.parts.pop()
        if cut:
            self.passages = [
                Passage(min(p.first, self.length), min(p.last, self.length), p.text, p.depth)
                for p in self.passages
            ]
        for p in passages:
            first, end = (self.length + max(0, at - cut) for at in (p.first, p.last))
            self.passages.append(Passage(first, end, p.text, p.depth))
        if cut < len(part):
            self.parts.append(part[cut:])
            self.length += len(part) - cut
