"""Solutions: moves that lead from a start to a goal, replayed before they are believed.

A solution may have millions of moves, so they are kept as rows of an array and become `Move`s only when
someone looks at them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any, overload

from slidelab.boards import Board
from slidelab.display import HtmlDisplay
from slidelab.errors import NotationError, PuzzleError
from slidelab.puzzles.puzzle import Configuration, Move, Player, Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int32]

__all__ = ["MoveList", "Passage", "Solution", "goes_on", "row_lists"]

CHUNK = 20_000
"""Moves that are made into objects at a time, when someone goes through them."""


MANY = 5_000
"""Moves of pieces of several cells from which on the core plays them."""


def row_lists(rows: NDArray[Any]) -> Iterator[list[int]]:
    """The rows of an array as lists, which are quicker to go through; never all at once."""
    for first in range(0, len(rows), CHUNK):
        yield from rows[first : first + CHUNK].tolist()


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
        """From moves of pieces that all cover as many cells."""
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
        """From rows of tile, cell before, cell after."""
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
        """The rows as lists, a chunk at a time."""
        return row_lists(self.rows)

    def texts(self) -> Iterator[str]:
        """Each move as text; quicker than by way of `Move`s."""
        if self._cells > 1:
            yield from (move.text for move in self)
        else:
            yield from (f"{piece}:{before}>{after}" for piece, _, before, after in self.lists())

    def jsons(self) -> Iterator[str]:
        """Each move as the text of its JSON form."""
        from json import dumps

        if self._cells > 1:
            yield from (dumps(move.to_json(), ensure_ascii=False) for move in self)
        else:
            for piece, _, before, after in self.lists():
                yield f'{{"piece": {piece}, "from": [{before}], "to": [{after}]}}'

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList) and self.rows.shape == other.rows.shape:
            return bool((self.rows == other.rows)[:, self._told_apart].all())
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(self.rows[:, self._told_apart].tobytes())

    @property
    def _told_apart(self) -> list[int]:
        """The columns by which moves differ: all but the kind."""
        return [0, *range(2, self.rows.shape[1])]

    def __repr__(self) -> str:
        more = " ..." if len(self) > 8 else ""
        return f"<{len(self):,} moves: {' '.join(move.text for move in self[:8])}{more}>"

    def lead(self, start: Configuration, goal: Configuration) -> bool:
        """Do the moves lead from `start` to `goal`? Each is played by the rule, or `IllegalMove`."""
        if self._leads and self._leads[0] is start and self._leads[1] is goal:
            return True
        if self.end(start) != goal:
            return False
        self._leads = (start, goal)
        return True

    def end(self, start: Configuration) -> Configuration:
        """Where the moves lead, each played by the rule."""
        player, cells = Player(start), 2 + self._cells
        if start.puzzle.rule.cells == 1 == self._cells:
            player.play_tiles(self.lists())
            return player.configuration
        rows = self.rows
        if len(rows) > MANY and start.puzzle.rule.cells == self._cells:
            start, played = _replayed(start, rows)
            player, rows = Player(start), rows[played:]
        for row in row_lists(rows):
            player.play(row[0], tuple(row[2:cells]), tuple(row[cells:]))
        return player.configuration


def _replayed(start: Configuration, rows: Rows) -> tuple[Configuration, int]:
    """Moves played by the core as long as the rule allows them: where they lead, how many they are.

    The core is given the list of all that the rule allows, and looks each move up in it. Of coloured pieces
    it goes by their numbers at the start, which other moves may not do.
    """
    import numpy as np

    from slidelab import _core

    puzzle = start.puzzle
    board, rule = puzzle.board, puzzle.rule
    table = [
        (*step.before, *step.after, *step.holes, *[-1] * (rule.cells - len(step.holes)))
        for placed in rule.placements(board)
        for cells in rule.readings(placed)
        for step in rule.steps(board, cells)
    ]
    steps = np.array(table, dtype=np.int32).reshape(-1, 3 * rule.cells)
    core = _core.Replay(board.size, steps, np.array(start.pieces, dtype=np.int32))
    played = core.play(np.ascontiguousarray(rows, dtype=np.int32))
    if played < len(rows) and puzzle.colours is not None:
        return start, 0
    ends = core.pieces().reshape(-1, rule.cells).tolist()
    return Configuration(puzzle, tuple(map(tuple, ends))), played


@dataclass(frozen=True, slots=True)
class Passage:
    """Moves `first` to `last` (not counting `last`) of a solution, in words."""

    first: int
    last: int
    text: str
    depth: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"from": self.first, "to": self.last, "text": self.text, "depth": self.depth}


@dataclass(frozen=True, slots=True, repr=False)
class Solution(HtmlDisplay):
    """Moves from `start` to `goal`; one that does not lead there can't exist.

    >>> import slidelab as sl
    >>> start = sl.position("square R(2,2) : 1 2 . 3")
    >>> s = Solution(start, start.puzzle.goal, (Move(3, (3,), (2,)),), optimal=True, method="by hand")
    >>> s
    <solution in 1 move, shortest: 3:3>2>
    >>> Solution(start, start.puzzle.goal, ())
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: the moves lead to 1 2 . 3, not to the goal 1 2 3 .
    """

    start: Configuration
    goal: Configuration
    moves: Sequence[Move]
    optimal: bool = False
    method: str = ""
    metric: str = "single"
    at_least: int | None = None
    """No solution has fewer moves; None if nothing is known."""
    nodes: int = 0
    """States that the search went through."""
    because: str = ""
    """Why that method was chosen."""
    passages: tuple[Passage, ...] = ()
    """What the moves do, part by part, if the method can tell."""

    def __post_init__(self) -> None:
        moves = MoveList.of(self.moves)
        object.__setattr__(self, "moves", moves)
        if self.optimal and self.metric == "single":
            object.__setattr__(self, "at_least", len(moves))
        if not moves.lead(self.start, self.goal):
            end = moves.end(self.start).pieces_text
            raise PuzzleError(f"the moves lead to {end}, not to the goal {self.goal.pieces_text}")

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is solved."""
        return self.start.puzzle

    @property
    def length(self) -> int:
        """How many pieces are moved, one at a time."""
        return len(self.moves)

    @property
    def pushes(self) -> int | None:
        """The same with each straight row of tiles pushed at once counted as one; None if there are no rows.

        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,1)")
        >>> s = p.solve(". 1 2")
        >>> s.length, s.pushes
        (2, 1)
        """
        board = self.puzzle.board
        if self.puzzle.rule.name != "tiles" or not board.cells:
            return None
        return bool(self.moves) + sum(not goes_on(board, a, b) for a, b in pairwise(self.moves))

    @property
    def text(self) -> str:
        """The moves in one line."""
        return "".join(self.text_chunks())

    def text_chunks(self) -> Iterator[str]:
        """The moves in one line, piece by piece."""
        return _chunks(" ", MoveList.of(self.moves).texts())

    @property
    def arrows(self) -> str:
        """The moves as arrows, behind the tile's number if there are several holes.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").solve("1 2 3 4 5 . 7 8 6").arrows
        '↑'
        >>> sl.puzzle("hex P(2,2)").solve("1 . 2 .").arrows
        '2↗'
        """
        ways = _ARROWS.get(self.puzzle.board.kind)
        if ways is None or self.puzzle.rule.cells != 1:
            raise NotationError(f"expected tiles on squares or hexagons for arrows, got {self.puzzle.text}")
        cells = self.puzzle.board.cells
        out = []
        for move in self.moves:
            (ax, ay), (bx, by) = cells[move.before[0]], cells[move.after[0]]
            out.append(f"{move.piece if self.puzzle.holes > 1 else ''}{ways[bx - ax, by - ay]}")
        return ("" if self.puzzle.holes == 1 else " ").join(out)

    def explain(self, depth: int | None = None) -> str:
        """What the moves do, part by part, if the method can tell (`wilson` tells most).

        `depth` leaves out what lies deeper.

        >>> import slidelab as sl
        >>> s = sl.puzzle("theta(1,2,2)").solve(". 1 2 5 3 6 4", method="wilson")
        >>> print(s.explain(depth=0))
         1-1   the hole to cell 1 of the theta graph from x = 0 to y = 6 with a = 2 3, b = 4 5, c = 1
         2-88  theta graph (1,2,2): the permutation (3 4) (1 3) (4 5) in S5
        89-89  the hole to its place
        """
        shown = [p for p in self.passages if depth is None or p.depth <= depth]
        width = len(f"{self.length:,}")
        lines = [_range(p, width) + f"  {'  ' * p.depth}{p.text}" for p in shown]
        return "\n".join(lines) or f"{self.length:,} moves by {self.method or 'hand'}, and nothing to add"

    def shorten(self, seconds: float | None = 1.0) -> Solution:
        """The same made shorter, as far as time allows: see `slidelab.solve.shorten`.

        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> s = p.solve("8 6 7 2 5 4 3 . 1", method="wilson")
        >>> s.shorten(5.0).length < s.length
        True
        """
        from slidelab.solve.shorten import shorten

        return shorten(self, seconds)

    def animate(self, path: str | os.PathLike[str], **options: Any) -> None:
        """Write the moves as a film (.gif, .apng, .mp4) or as a page that plays them (.html).

        Options are those of `slidelab.draw.film.animate`.

        >>> import slidelab as sl
        >>> film = getfixture("tmp_path") / "three.gif"
        >>> sl.puzzle("square R(2,2)").solve("3 1 / . 2").animate(film)
        """
        from slidelab.draw.film import animate

        animate(self, path, **options)

    def __len__(self) -> int:
        return self.length

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = " ".join(move.text for move in self.moves[:8]) + " ..." * (self.length > 8)
        moves = f"{self.length} move{'s'[: self.length != 1]}"
        return f"<solution in {moves}{', shortest' if self.optimal else ''}: {shown}>"

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form."""
        return self._json([move.to_json() for move in self.moves])

    def _json(self, moves: list[dict[str, Any]]) -> dict[str, Any]:
        out: dict[str, Any] = {
            "puzzle": self.puzzle.to_json(),
            "start": self.start.to_json(),
            "goal": self.goal.to_json(),
            "moves": moves,
            "length": self.length,
            "optimal": self.optimal,
            "method": self.method,
        }
        if (pushes := self.pushes) is not None:
            out["pushes"] = pushes
            out["metric"] = self.metric
        if self.at_least is not None:
            out["at_least"] = self.at_least
        if self.nodes:
            out["nodes"] = self.nodes
        if self.because:
            out["because"] = self.because
        if self.passages:
            out["passages"] = [passage.to_json() for passage in self.passages]
        return out

    def json_chunks(self) -> Iterator[str]:
        """The JSON form as text, piece by piece: the moves never are in memory all at once.

        >>> import json
        >>> import slidelab as sl
        >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
        >>> json.loads("".join(s.json_chunks())) == s.to_json()
        True
        """
        from json import dumps

        mark = "{"
        for key, value in self._json([]).items():
            yield f"{mark}{dumps(key)}: "
            if key == "moves":
                yield "["
                yield from _chunks(", ", MoveList.of(self.moves).jsons())
                yield "]"
            else:
                yield dumps(value, ensure_ascii=False)
            mark = ", "
        yield "}"


def _range(passage: Passage, width: int) -> str:
    """From the first to the last move; nothing if there are none."""
    if passage.first == passage.last:
        return " " * (2 * width + 1)
    return f"{passage.first + 1:>{width},}-{passage.last:<{width},}"


def _chunks(between: str, texts: Iterable[str]) -> Iterator[str]:
    """Joined texts, so many at a time.

    >>> list(_chunks(", ", ["a", "b"])), list(_chunks(", ", []))
    (['a, b'], [])
    """
    texts, mark = iter(texts), ""
    while some := list(islice(texts, CHUNK)):
        yield mark + between.join(some)
        mark = between


_SQUARES = {
    (1, 0): "→",
    (-1, 0): "←",
    (0, 1): "↓",
    (0, -1): "↑",
    (1, 1): "↘",
    (-1, 1): "↙",
    (1, -1): "↗",
    (-1, -1): "↖",
}
_HEXAGONS = {(1, 0): "→", (-1, 0): "←", (0, 1): "↘", (0, -1): "↖", (1, -1): "↗", (-1, 1): "↙"}
_ARROWS = {"square": _SQUARES, "king": _SQUARES, "hex": _HEXAGONS}


def goes_on(board: Board, first: Move, then: Move) -> bool:
    """Does the second tile follow the first in a straight line, into the hole it left?

    >>> from slidelab.boards import board
    >>> goes_on(board("square R(3,1)"), Move(2, (1,), (2,)), Move(1, (0,), (1,)))
    True
    """
    if first.before != then.after:
        return False
    (ax, ay), (bx, by), (cx, cy) = (board.cells[cell[0]] for cell in (then.before, first.before, first.after))
    return (bx - ax, by - ay) == (cx - bx, cy - by)
