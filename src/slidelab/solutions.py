"""Solutions: moves that lead from a start to a goal, replayed before they are believed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from slidelab.boards import Board
from slidelab.errors import NotationError, PuzzleError
from slidelab.puzzles import Configuration, Move, Puzzle

__all__ = ["Solution", "goes_on"]


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
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
    moves: tuple[Move, ...]
    optimal: bool = False
    method: str = ""
    metric: str = "single"
    at_least: int | None = None
    """No solution has fewer moves; None if nothing is known."""
    nodes: int = 0
    """States that the search went through."""
    because: str = ""
    """Why that method was chosen."""

    def __post_init__(self) -> None:
        if self.optimal and self.metric == "single":
            object.__setattr__(self, "at_least", len(self.moves))
        end = self.start.play(*self.moves)
        if end != self.goal:
            raise PuzzleError(f"the moves lead to {end.pieces_text}, not to the goal {self.goal.pieces_text}")

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
        return " ".join(move.text for move in self.moves)

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

    def __len__(self) -> int:
        return self.length

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        shown = self.text if self.length <= 8 else " ".join(move.text for move in self.moves[:8]) + " ..."
        moves = f"{self.length} move{'s'[: self.length != 1]}"
        return f"<solution in {moves}{', shortest' if self.optimal else ''}: {shown}>"

    def to_json(self) -> dict[str, Any]:
        """The design's JSON form."""
        out: dict[str, Any] = {
            "puzzle": self.puzzle.to_json(),
            "start": self.start.to_json(),
            "goal": self.goal.to_json(),
            "moves": [move.to_json() for move in self.moves],
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
        return out


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
