"""Lists of moves, kept as rows of an array, and where they lead.

A solution may have millions of moves; they become `Move` objects only when they are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from slidelab.errors import PuzzleError
from slidelab.puzzles.configuration import Configuration
from slidelab.puzzles.moves import Move
from slidelab.puzzles.player import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.boards import Board

    Rows = NDArray[np.int32]

__all__ = ["MoveList", "count_pushes", "join_chunks", "row_lists"]

CHUNK_MOVES = 20_000
"""Moves that are made into objects or text at a time."""

MIN_CORE_MOVES = 5_000
"""Moves from which on the core replays them; fewer are faster in Python."""


def row_lists(rows: NDArray[Any]) -> Iterator[list[int]]:
    """Yield the rows of an array as lists, converting a chunk at a time."""
    for first in range(0, len(rows), CHUNK_MOVES):
        yield from rows[first : first + CHUNK_MOVES].tolist()


class MoveList(Sequence[Move]):
    """Moves as rows of whole numbers: piece, kind, cells before, cells after.

    >>> moves = MoveList.of([Move(3, (3,), (2,)), Move(1, (0,), (1,))])
    >>> moves[0].text, len(moves), moves.rows.tolist()
    ('3:3>2', 2, [[3, 0, 3, 2], [1, 0, 0, 1]])
    >>> moves == (Move(3, (3,), (2,)), Move(1, (0,), (1,)))
    True
    """

    __slots__ = ("_leads", "kinds", "rows")

    def __init__(self, rows: Rows, kinds: Sequence[str] = ("slide",)) -> None:
        self.rows = rows
        self.kinds = tuple(kinds)
        self._leads: tuple[Configuration, Configuration] | None = None

    @classmethod
    def of(cls, moves: Iterable[Move]) -> MoveList:
        """Return a list of moves; the pieces must all cover as many cells."""
        import numpy as np

        if isinstance(moves, cls):
            return moves
        kinds: dict[str, int] = {}
        rows = [(m.piece, kinds.setdefault(m.kind, len(kinds)), *m.before, *m.after) for m in moves]
        if len({len(row) for row in rows}) > 1:
            raise PuzzleError("expected moves of pieces that all cover as many cells")
        width = len(rows[0]) if rows else 4
        return cls(np.array(rows, dtype=np.int32).reshape(len(rows), width), tuple(kinds) or ("slide",))

    @classmethod
    def of_tiles(cls, steps: NDArray[Any]) -> MoveList:
        """Return a list of moves from rows of tile, cell before, cell after."""
        import numpy as np

        rows = np.zeros((len(steps), 4), dtype=np.int32)
        rows[:, 0], rows[:, 2:] = steps[:, 0], steps[:, 1:]
        return cls(rows)

    @property
    def _cells(self) -> int:
        return int(self.rows.shape[1] - 2) // 2

    def _move(self, row: Sequence[int]) -> Move:
        cells = 2 + self._cells
        return Move(row[0], tuple(row[2:cells]), tuple(row[cells:]), self.kinds[row[1]])

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Move: ...
    @overload
    def __getitem__(self, at: slice) -> MoveList: ...
    def __getitem__(self, at: int | slice) -> Move | MoveList:
        if isinstance(at, slice):
            return MoveList(self.rows[at], self.kinds)
        return self._move(self.rows[at].tolist())

    def __iter__(self) -> Iterator[Move]:
        for row in self.lists():
            yield self._move(row)

    def lists(self) -> Iterator[list[int]]:
        """Yield the rows as lists, converted a chunk at a time."""
        return row_lists(self.rows)

    def texts(self) -> Iterator[str]:
        """Yield the text of each move, faster than `Move.text`."""
        if self._cells > 1:
            yield from (move.text for move in self)
        else:
            yield from (f"{piece}:{before}>{after}" for piece, _, before, after in self.lists())

    def jsons(self) -> Iterator[str]:
        """Yield the JSON text of each move."""
        from json import dumps

        if self._cells > 1:
            yield from (dumps(move.to_json(), ensure_ascii=False) for move in self)
        else:
            for piece, _, before, after in self.lists():
                yield f'{{"piece": {piece}, "from": [{before}], "to": [{after}]}}'

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList) and self.rows.shape == other.rows.shape:
            return bool((self.rows == other.rows)[:, self._compared].all())
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(self.rows[:, self._compared].tobytes())

    @property
    def _compared(self) -> list[int]:
        """Columns that are compared: all but the kind."""
        return [0, *range(2, self.rows.shape[1])]

    def __repr__(self) -> str:
        more = " ..." if len(self) > 8 else ""
        return f"<{len(self):,} moves: {' '.join(move.text for move in self[:8])}{more}>"

    def lead(self, start: Configuration, goal: Configuration) -> bool:
        """Return whether the moves lead from `start` to `goal`; raise `IllegalMove` if one is illegal."""
        if self._leads and self._leads[0] is start and self._leads[1] is goal:
            return True
        if self.end(start) != goal:
            return False
        self._leads = (start, goal)
        return True

    def end(self, start: Configuration) -> Configuration:
        """Return the configuration after the moves; raise `IllegalMove` if one is illegal."""
        player, cells, rows = Player(start), 2 + self._cells, self.rows
        if len(rows) > MIN_CORE_MOVES and start.puzzle.rule.cells == self._cells:
            start, played = _replayed(start, rows)
            player, rows = Player(start), rows[played:]
        if start.puzzle.rule.cells == 1 == self._cells:
            player.play_tiles(row_lists(rows))
            return player.configuration
        for row in row_lists(rows):
            player.play(row[0], tuple(row[2:cells]), tuple(row[cells:]))
        return player.configuration


def _replayed(start: Configuration, rows: Rows) -> tuple[Configuration, int]:
    """Play moves in the core up to the first illegal one; return where they lead and how many they are.

    The core looks each move up in a table of all steps that the rule allows. Coloured pieces have their
    numbers at the start, which moves from elsewhere may not have.
    """
    import numpy as np

    from slidelab import _core

    puzzle = start.puzzle
    board, rule = puzzle.board, puzzle.rule
    table = [
        (*step.before, *step.after, *step.holes, *[-1] * (_core.MAX_STEP_HOLES - len(step.holes)))
        for placed in rule.placements(board)
        for cells in rule.readings(placed)
        for step in rule.steps(board, cells)
    ]
    steps = np.array(table, dtype=np.int32).reshape(-1, 2 * rule.cells + _core.MAX_STEP_HOLES)
    core = _core.Replay(board.size, steps, np.array(start.pieces, dtype=np.int32))
    played = core.play(np.ascontiguousarray(rows, dtype=np.int32))
    if played < len(rows) and puzzle.colours is not None:
        return start, 0
    ends = core.pieces().reshape(-1, rule.cells).tolist()
    return Configuration(puzzle, tuple(map(tuple, ends))), played


def count_pushes(board: Board, rows: Rows) -> int:
    """Return the number of moves of tiles if a straight row pushed at once counts as one; see `continues`.

    >>> from slidelab.boards import board
    >>> count_pushes(board("square R(3,1)"), MoveList.of([Move(2, (1,), (2,)), Move(1, (0,), (1,))]).rows)
    1
    """
    import numpy as np

    x, y = np.array(board.cells, dtype=np.int64).reshape(-1, 2).T
    place = (x << 32) + y  # one number for each cell, whose differences are directions
    before, after = rows[:, 2], rows[:, 3]
    direction = place[after] - place[before]
    follows = (after[1:] == before[:-1]) & (direction[1:] == direction[:-1])
    return len(rows) - int(np.count_nonzero(follows))


def join_chunks(between: str, texts: Iterable[str]) -> Iterator[str]:
    """Yield the joined texts, `CHUNK_MOVES` of them at a time.

    >>> list(join_chunks(", ", ["a", "b"])), list(join_chunks(", ", []))
    (['a, b'], [])
    """
    texts, mark = iter(texts), ""
    while some := list(islice(texts, CHUNK_MOVES)):
        yield mark + between.join(some)
        mark = between
