"""Moves: one move of one piece, and the legal moves of a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from slidelab.boards import Board
from slidelab.errors import NotationError
from slidelab.files import convert_json
from slidelab.messages import quoted
from slidelab.puzzles.notation import Number, load_source, parse_cells
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration

__all__ = ["Move", "MoveLike", "Moves", "continues", "read_move"]

_KIND = re.compile(r"[a-z][a-z -]{0,30}")
_MOVE = re.compile(r"\s*([0-9]{1,9}):([0-9]{1,9}(?:-[0-9]{1,9})*)>([0-9]{1,9}(?:-[0-9]{1,9})*)\s*")


@dataclass(frozen=True, slots=True)
class Move:
    """Piece number `piece` (from 1) goes from cells `before` to cells `after`, position by position.

    >>> Move(3, (2,), (5,), "slide").text
    '3:2>5'
    >>> Move(1, (4, 5), (5, 6), "turn").text
    '1:4-5>5-6'
    """

    piece: int
    before: Cells
    after: Cells
    kind: str = field(default="slide", compare=False)

    @property
    def text(self) -> str:
        """Piece, colon, cells before, `>`, cells after."""
        return f"{self.piece}:{'-'.join(map(str, self.before))}>{'-'.join(map(str, self.after))}"

    def __str__(self) -> str:
        return self.text

    @property
    def reversed(self) -> Move:
        """The inverse of this move."""
        return Move(self.piece, self.after, self.before, self.kind)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form; `read_move` reads it back."""
        out: dict[str, Any] = {"piece": self.piece, "from": list(self.before), "to": list(self.after)}
        if len(self.before) > 1:
            out["kind"] = self.kind
        return out


MoveLike = Move | str | bytes | Mapping[str, Any]
"""A move, its text or its JSON form."""


class Moves:
    """The legal moves of one configuration, found around its holes only, however large the board."""

    __slots__ = ("_configuration",)

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration

    def __iter__(self) -> Iterator[Move]:
        c = self._configuration
        at: dict[int, int] = {cell: k for k, cells in enumerate(c.pieces) for cell in cells}
        board = c.puzzle.board
        holes = [cell for cell in range(board.size) if cell not in at]
        near = sorted({at[cell] for hole in holes for cell in board.neighbours[hole] if cell in at})
        return self._of_pieces(near, set(holes))

    def _of_pieces(self, numbers: Iterable[int], holes: set[int]) -> Iterator[Move]:
        c = self._configuration
        for k in numbers:
            seen = set()
            for step in c.puzzle.rule.steps(c.puzzle.board, c.pieces[k]):
                if step.after not in seen and holes.issuperset(step.holes):
                    seen.add(step.after)
                    yield Move(k + 1, step.before, step.after, step.kind)

    def __contains__(self, move: object) -> bool:
        pieces = self._configuration.pieces
        if isinstance(move, str):
            try:
                move = read_move(move)
            except NotationError:
                return False
        if not isinstance(move, Move) or not 1 <= move.piece <= len(pieces):
            return False
        return any(
            move == other for other in self._of_pieces([move.piece - 1], set(self._configuration.holes))
        )

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None  # complete graphs have millions

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moves) and self._configuration == other._configuration

    def __hash__(self) -> int:
        return hash(self._configuration)

    def __repr__(self) -> str:
        return f"<moves {' '.join(move.text for move in self)}>"


class _MoveForm(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    piece: Number
    from_: list[Number]
    to: list[Number]
    kind: str = "slide"


def read_move(source: MoveLike) -> Move:
    """Read a move from its text or JSON.

    Parameters
    ----------
    source
        A move, its text such as ``"3:2>5"``, or its JSON form.

    Raises
    ------
    NotationError
        If `source` does not describe a move.

    Examples
    --------
    >>> read_move("3:2>5")
    Move(piece=3, before=(2,), after=(5,), kind='slide')
    >>> read_move({"piece": 3, "from": [2], "to": [5]}).text
    '3:2>5'
    """
    source = load_source(source, None)
    if isinstance(source, Move):
        return source
    if not isinstance(source, str):
        form = convert_json(source, _MoveForm)
        return _move(form.piece, tuple(form.from_), tuple(form.to), form.kind)
    match = _MOVE.fullmatch(source)
    if not match:
        raise NotationError(f"expected a move such as 3:2>5 or 1:4-5>5-6, got {quoted(source)}")
    piece, before, after = match.groups()
    return _move(int(piece), parse_cells(before), parse_cells(after), "slide")


def _move(piece: int, before: Cells, after: Cells, kind: str) -> Move:
    """Make a move that was read, or say what is wrong with it."""
    move = Move(piece, before, after, kind)
    if piece < 1:
        raise NotationError(f"expected a piece from 1 on, got 0 - in move {quoted(move.text)}")
    if not before or len(before) != len(after):
        raise NotationError(
            f"expected as many cells after as before, and at least one, got {len(before)} and {len(after)} - "
            f"in move {quoted(move.text)}"
        )
    if not _KIND.fullmatch(kind):
        raise NotationError(
            f"expected a kind of move such as slide, got {quoted(kind)} - in move {quoted(move.text)}"
        )
    return move


def continues(board: Board, first: Move, then: Move) -> bool:
    """Return whether the second tile follows the first in a straight line, into the hole it left.

    >>> from slidelab.boards import board
    >>> continues(board("square R(3,1)"), Move(2, (1,), (2,)), Move(1, (0,), (1,)))
    True
    """
    if first.before != then.after:
        return False
    (ax, ay), (bx, by), (cx, cy) = (board.cells[cell[0]] for cell in (then.before, first.before, first.after))
    return (bx - ax, by - ay) == (cx - bx, cy - by)
