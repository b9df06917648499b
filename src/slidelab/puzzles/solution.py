"""Solutions: moves that lead from a start to a goal, replayed when a solution is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any

from slidelab.display import HtmlDisplay
from slidelab.errors import PuzzleError
from slidelab.messages import counted
from slidelab.puzzles import verbs
from slidelab.puzzles.arrows import arrow_between, arrows_of
from slidelab.puzzles.configuration import Configuration
from slidelab.puzzles.definition import Puzzle
from slidelab.puzzles.movelist import MoveList, count_pushes, join_chunks
from slidelab.puzzles.moves import Move
from slidelab.puzzles.narrative import narrate
from slidelab.puzzles.passage import Passage
from slidelab.puzzles.words import step_lines

__all__ = ["Solution"]

MAX_LINE = 110
"""Characters of a line of moves."""


@dataclass(frozen=True, slots=True, repr=False)
class Solution(HtmlDisplay):
    """Moves from `start` to `goal`, replayed by the rule when the solution is made.

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
    lower_bound: int | None = None
    """Number of moves that every solution has at least; None if nothing is known."""
    nodes: int = 0
    """Number of states that the search expanded."""
    reason: str = ""
    """Why this method was chosen."""
    passages: tuple[Passage, ...] = ()
    """What the moves do, part by part, if the method explains them."""

    def __post_init__(self) -> None:
        moves = MoveList.of(self.moves)
        object.__setattr__(self, "moves", moves)
        if self.optimal and self.metric == "single":
            object.__setattr__(self, "lower_bound", len(moves))
        if not moves.lead(self.start, self.goal):
            end = moves.end(self.start).pieces_text
            raise PuzzleError(f"the moves lead to {end}, not to the goal {self.goal.pieces_text}")

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle that is solved."""
        return self.start.puzzle

    @property
    def length(self) -> int:
        """The number of moves of single pieces."""
        return len(self.moves)

    @property
    def pushes(self) -> int | None:
        """The number of moves if a straight row of tiles pushed at once counts as one; None without rows.

        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,1)")
        >>> s = p.solve(". 1 2")
        >>> s.length, s.pushes
        (2, 1)
        """
        board = self.puzzle.board
        if not self.puzzle.rule.slides_along_edges or not board.cells:
            return None
        return count_pushes(board, MoveList.of(self.moves).rows)

    @property
    def text(self) -> str:
        """The moves in one line."""
        return "".join(self.text_chunks())

    def text_chunks(self) -> Iterator[str]:
        """Yield the moves in one line, a chunk at a time."""
        return join_chunks(" ", MoveList.of(self.moves).texts())

    @property
    def arrows(self) -> str:
        """The moves as arrows, after the number of the tile if there are several holes.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").solve("1 2 3 4 5 . 7 8 6").arrows
        '↑'
        >>> sl.puzzle("hex P(2,2)").solve("1 . 2 .").arrows
        '2↗'
        """
        arrows, cells = arrows_of(self.puzzle), self.puzzle.board.cells
        out = []
        for move in self.moves:
            (ax, ay), (bx, by) = cells[move.before[0]], cells[move.after[0]]
            out.append(f"{move.piece if self.puzzle.hole_count > 1 else ''}{arrows[bx - ax, by - ay]}")
        return ("" if self.puzzle.hole_count == 1 else " ").join(out)

    def steps(self, *, drawings: bool | None = None, ascii_only: bool = False) -> Iterator[str]:
        r"""Yield the moves in words, as numbered lines, with small drawings if they are few.

        Parameters
        ----------
        drawings
            Whether every step is drawn; by default up to 12 steps on boards of up to 100 cells.
        ascii_only
            Whether arrows in drawings are in ASCII.

        Examples
        --------
        >>> import slidelab as sl
        >>> print("\n".join(sl.puzzle("square R(3,2)").solve("1 2 . 4 5 3").steps()))
        1. slide 3 up ↑
        <BLANKLINE>
            1 2 ↑
            4 5 3
        <BLANKLINE>
        and this is the goal
        <BLANKLINE>
            1 2 3
            4 5 .
        """
        return step_lines(self.start, self.moves, drawings=drawings, ascii_only=ascii_only)

    def explain(self, depth: int | None = None, *, moves: bool = False) -> str:
        """Say what the moves do, part by part.

        Methods that explain themselves (``"wilson"`` and ``"cycle"``) say how; of other solutions the pieces
        are followed to their places, one after the other.

        Parameters
        ----------
        depth
            Maximum depth of the parts that are listed; None for all of them.
        moves
            Whether the moves of each part are written below it, to be played by hand: the number of each
            piece with an arrow, or as in `Move.text` where pieces or boards have none.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").solve("1 2 3 / 4 5 6 / . 7 8").explain(moves=True).splitlines()[-1]
        '       7← 8←'
        >>> s = sl.puzzle("theta(1,2,2)").solve(". 1 2 5 3 6 4", method="wilson")
        >>> print(s.explain(depth=0))
         1-1   the hole to cell 1 of the theta graph from x = 0 to y = 6 with a = 2 3, b = 4 5, c = 1
         2-88  theta graph (1,2,2): the permutation (3 4) (1 3) (4 5) in S5
        89-89  the hole to its cell
        """
        passages = self.passages or narrate(self.start, MoveList.of(self.moves))
        listed = [p for p in passages if depth is None or p.depth <= depth]
        width = len(f"{self.length:,}")
        lines = []
        for number, p in enumerate(listed):
            lines.append(_range(p, width) + f"  {'  ' * p.depth}{p.text}")
            if moves and not any(p.first <= q.first < p.last for q in listed[number + 1 : number + 2]):
                margin = " " * (2 * width + 5 + 2 * p.depth)
                played = " ".join(map(self._by_hand, self.moves[p.first : p.last]))
                lines += wrap(played, MAX_LINE, initial_indent=margin, subsequent_indent=margin)
        return "\n".join(lines) or f"{self.length:,} moves by {self.method or 'hand'}, and nothing to add"

    def _by_hand(self, move: Move) -> str:
        """Return a move with as few signs as possible."""
        if len(move.before) > 1:
            return move.text
        arrow = arrow_between(self.puzzle.board, move.before[0], move.after[0])
        return move.text if arrow is None else f"{move.piece}{arrow}"

    # Answered by later rooms.
    shorten = verbs.shorten
    animate = verbs.animate

    def __len__(self) -> int:
        return self.length

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = " ".join(move.text for move in self.moves[:8]) + " ..." * (self.length > 8)
        return f"<solution in {counted(self.length, 'move')}{', shortest' if self.optimal else ''}: {text}>"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; `slidelab.read_document` reads it back."""
        return self._json([move.to_json() for move in self.moves])

    def summary_json(self) -> dict[str, Any]:
        """Return the JSON form without moves and passages, for solutions of a million moves."""
        form = self._json([])
        return {key: value for key, value in form.items() if key not in ("moves", "passages")}

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
        if self.lower_bound is not None:
            out["at_least"] = self.lower_bound
        if self.nodes:
            out["nodes"] = self.nodes
        if self.reason:
            out["because"] = self.reason
        if self.passages:
            out["passages"] = [passage.to_json() for passage in self.passages]
        return out

    def json_chunks(self) -> Iterator[str]:
        """Yield the JSON form as text, a chunk at a time, so that the moves are never all in memory.

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
                yield from join_chunks(", ", MoveList.of(self.moves).jsons())
                yield "]"
            else:
                yield dumps(value, ensure_ascii=False)
            mark = ", "
        yield "}"


def _range(passage: Passage, width: int) -> str:
    """Format the first and the last move of a passage; blanks if it has none."""
    if passage.first == passage.last:
        return " " * (2 * width + 1)
    return f"{passage.first + 1:>{width},}-{passage.last:<{width},}"
