"""A board of tiles solved part by part: components, and in each the regions between which no tile passes.

The regions of a board (see `slidelab.reach.regions`) are solved from the outermost inwards. For each one
the holes of the start and of the goal are brought into it; then only its tiles have to be put in order, and
from there on the same moves are made at the start and at the goal, so that what is in order stays so.
"""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from typing import TYPE_CHECKING

from slidelab.boards import Board, components, sub_board
from slidelab.boards.walks import predecessors
from slidelab.puzzles import Configuration, MoveList, Passage, row_lists
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.regions import regions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Pairs = NDArray[np.int32]  # one row a move: cell before, cell after

__all__ = ["Part", "by_parts", "joined", "moves_of_pairs", "pairs_of", "play_pairs", "reversed_pairs"]


class Part:
    """What to do on one region: which tile lies on each of its cells, and which should; 0 for a hole.

    `names` are the numbers of its cells on the whole board.
    """

    def __init__(
        self,
        board: Board,
        cells: Sequence[int],
        lies: Sequence[int],
        wants: Sequence[int],
        names: Sequence[int] | None = None,
    ) -> None:
        self.board = board if len(cells) == board.size else sub_board(board, cells)
        self.cells = sorted(cells)
        self.names = self.cells if names is None else [names[cell] for cell in self.cells]
        self.lies = [lies[cell] for cell in self.cells]
        self.wants = [wants[cell] for cell in self.cells]

    @property
    def holes(self) -> int:
        return self.lies.count(0)


PartSolver = Callable[[Part], "tuple[Pairs, list[Passage]]"]


def pairs_of(moves: Sequence[tuple[int, int]]) -> Pairs:
    """Moves as rows."""
    import numpy as np

    return np.array(moves, dtype=np.int32).reshape(-1, 2)


def reversed_pairs(moves: Pairs) -> Pairs:
    """The moves that take these back."""
    return moves[::-1, ::-1]


def moves_of_pairs(start: Configuration, pairs: Pairs) -> MoveList:
    """The moves of pieces of one cell, given by where they begin and end.

    >>> import slidelab as sl
    >>> moves_of_pairs(sl.position("square R(2,2) : 1 2 . 3"), pairs_of([(3, 2)]))
    <1 moves: 3:3>2>
    """
    import numpy as np

    lies = pieces_by_cell(start)
    tiles = np.empty(len(pairs), dtype=np.int32)
    for number, (before, after) in enumerate(row_lists(pairs)):
        tile = lies[before]
        tiles[number] = lies[after] = tile
        lies[before] = 0
    return MoveList.of_tiles(np.column_stack([tiles, pairs]))


def joined(parts: Sequence[Pairs]) -> Pairs:
    """One after the other, without what is taken back at once where they meet.

    >>> joined([pairs_of([(0, 1), (1, 2)]), pairs_of([(2, 1), (3, 2)])]).tolist()
    [[0, 1], [3, 2]]
    """
    out = _Joining()
    for part in parts:
        out.add(part)
    return out.pairs


class _Joining:
    """Moves put together, and what each part of them is for."""

    def __init__(self) -> None:
        self.parts: list[Pairs] = []
        self.length = 0
        self.passages: list[Passage] = []

    @property
    def pairs(self) -> Pairs:
        import numpy as np

        return np.concatenate(self.parts) if self.parts else pairs_of([])

    def add(self, part: Pairs, passages: Sequence[Passage] = ()) -> None:
        """Go on with these moves. What is taken back at once is left out, and the passages know it."""
        cut = 0
        while self.parts and cut < len(part):
            last = self.parts[-1]
            most = min(len(last), len(part) - cut)
            same = (last[len(last) - most :][::-1, ::-1] == part[cut : cut + most]).all(axis=1)
            back = most if same.all() else int(same.argmin())
            cut += back
            self.length -= back
            self.parts[-1] = last[: len(last) - back]
            if len(self.parts[-1]):
                break
            self.parts.pop()
        if cut:
            self.passages = [
                Passage(min(p.first, self.length), min(p.last, self.length), p.text, p.depth)
                for p in self.passages
            ]
        begin = self.length
        for p in passages:
            first, last_one = (begin + max(0, at - cut) for at in (p.first, p.last))
            self.passages.append(Passage(first, last_one, p.text, p.depth))
        if cut < len(part):
            self.parts.append(part[cut:])
            self.length += len(part) - cut


def by_parts(
    board: Board, lies: list[int], wants: list[int], solver: PartSolver
) -> tuple[Pairs, list[Passage]]:
    """Moves of tiles that turn `lies` into `wants`, each region solved by `solver`."""
    out = _Joining()
    for part in components(board):
        if all(lies[cell] == wants[cell] for cell in part):
            continue
        piece = board if len(part) == board.size else sub_board(board, part)
        here, there = [lies[cell] for cell in part], [wants[cell] for cell in part]
        moves, told = _component(piece, here, there, part, solver)
        out.add(_numbered(part, moves), told)
    return out.pairs, out.passages


def _component(
    board: Board, lies: list[int], wants: list[int], names: Sequence[int], solver: PartSolver
) -> tuple[Pairs, list[Passage]]:
    holes = wants.count(0)
    found = regions(board, holes, wants.index(0))
    out = _Joining()  # moves made from the start on
    after: list[Pairs] = []  # moves made from the goal on, to be taken back at the end
    for region in reversed(found):
        inside = set(region.cells)
        stand = [cell for cell, tile in enumerate(wants) if not tile]
        if not inside.issuperset(stand):
            nearest = _nearest(board, region.cells, region.entry if region.entry >= 0 else stand[0])
            stand = nearest[:holes]
        if any(not tile and cell not in inside for cell, tile in enumerate(lies)):
            out.add(_gathered(board, lies, stand))
        after.append(_gathered(board, wants, stand))
        part = Part(board, region.cells, lies, wants, names)
        if part.lies == part.wants:
            continue
        moves, told = solver(part)
        moves = _numbered(part.cells, moves)
        play_pairs(lies, moves)
        out.add(moves, told)
    for moves in reversed(after):
        out.add(reversed_pairs(moves))
    if not found:
        out.add(_without_regions(board, lies, wants))
    return out.pairs, out.passages


def _without_regions(board: Board, lies: list[int], wants: list[int]) -> Pairs:
    """No tile passes another: on a path all go straight to their places, on a tree the hole does."""
    if any(len(row) > 2 for row in board.neighbours):
        return _gathered(board, lies, [cell for cell, tile in enumerate(wants) if not tile])
    end = next(cell for cell, row in enumerate(board.neighbours) if len(row) < 2)
    path = _nearest(board, range(board.size), end)
    order = [lies[cell] for cell in path if lies[cell]]
    at = {lies[cell]: place for place, cell in enumerate(path)}
    goes = {wants[cell]: place for place, cell in enumerate(path)}
    moves = []
    # Those that go up from above, then those that go down from below: each finds its way free.
    up = [tile for tile in reversed(order) if goes[tile] > at[tile]]
    down = [tile for tile in order if goes[tile] < at[tile]]
    for tile in up + down:
        step = 1 if goes[tile] > at[tile] else -1
        for place in range(at[tile], goes[tile], step):
            moves.append((path[place], path[place + step]))
    return pairs_of(moves)


def _numbered(cells: Sequence[int], moves: Pairs) -> Pairs:
    import numpy as np

    return np.array(cells, dtype=np.int32)[moves]


def _gathered(board: Board, lies: list[int], stand: Sequence[int]) -> Pairs:
    moves = pairs_of(hole_moves(board, [tile != 0 for tile in lies], stand))
    play_pairs(lies, moves)
    return moves


def play_pairs(lies: MutableSequence[int], moves: Pairs) -> None:
    """Move what lies on cells."""
    for before, after in row_lists(moves):
        lies[after], lies[before] = lies[before], 0


def _nearest(board: Board, cells: Sequence[int], start: int) -> list[int]:
    """The cells of a region in the order in which a search from a cell meets them."""
    inside = set(cells)
    return [cell for cell in predecessors(board.neighbours, [start]) if cell in inside]
