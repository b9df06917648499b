"""A player of many moves, one after the other, each checked by the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from slidelab.errors import IllegalMove
from slidelab.messages import quoted
from slidelab.puzzles.moves import Move
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration

__all__ = ["Player"]


class Player:
    """Play moves one after the other, each checked by the rule, in time independent of the board size.

    >>> import slidelab as sl
    >>> player = Player(sl.position("square R(2,2) : 1 2 . 3"))
    >>> player.play(3, (3,), (2,))
    >>> player.configuration.text
    'square R(2,2) tiles 1 : 1 2 3 .'
    """

    __slots__ = ("_at", "_covered", "_now", "_start", "_steps", "puzzle")

    def __init__(self, start: Configuration) -> None:
        self._start, self.puzzle = start, start.puzzle
        self._now = list(start.pieces)
        self._covered = bytearray(start.puzzle.board.size)
        for cells in start.pieces:
            for cell in cells:
                self._covered[cell] = 1
        self._steps: dict[Cells, dict[Cells, list[Cells]]] = {}
        # Pieces of one colour swap their numbers when they pass each other: identify them by their cells.
        self._at: dict[Cells, int] | None = None
        if start.puzzle.colours is not None:
            readings = start.puzzle.rule.readings
            self._at = {min(readings(cells)): k for k, cells in enumerate(start.pieces)}

    @property
    def configuration(self) -> Configuration:
        """The configuration reached so far."""
        if self._at is None:  # legal moves keep it legal
            return self._start.trusted(self.puzzle, tuple(self._now))
        return replace(self._start, pieces=tuple(self._now))

    def cells_of(self, piece: int) -> Cells:
        """Return where a piece lies, counted from 1."""
        return self._now[piece - 1]

    def piece_at(self, cells: Cells) -> int:
        """Return the piece, counted from 1, that lies on these cells in this reading."""
        return self._now.index(cells) + 1

    def lies(self, cells: Cells) -> bool:
        """Return whether a piece lies on these cells in this reading."""
        return cells in self._now

    def first_hole(self) -> int:
        """Return the first empty cell."""
        return self._covered.index(0)

    def play(self, piece: int, before: Cells, after: Cells) -> None:
        """Move a piece, or raise `IllegalMove` if it does not lie there or the rule forbids it."""
        number, here, there = self._named(piece, before, after) if self._at else (piece, before, after)
        now, covered = self._now, self._covered
        if not 1 <= number <= len(now) or now[number - 1] != here:
            raise self._refused(Move(number, here, there))
        steps = self._steps.get(here)
        if steps is None:
            steps = self._steps[here] = self._from(here)
        if not any(not any(covered[cell] for cell in holes) for holes in steps.get(there, ())):
            raise self._refused(Move(number, here, there))
        for cell in here:
            covered[cell] = 0
        for cell in there:
            covered[cell] = 1
        now[number - 1] = there
        if self._at:
            readings = self.puzzle.rule.readings
            self._at[min(readings(there))] = self._at.pop(min(readings(here)))

    def play_tiles(self, rows: Iterable[Sequence[int]]) -> None:
        """Play many moves of pieces of one cell: rows of piece, kind, cell before, cell after."""
        if self._at is not None:
            for piece, *_, before, after in rows:
                self.play(piece, (before,), (after,))
            return
        covered, size = self._covered, len(self._covered)
        cell_of = [-1, *(cells[0] for cells in self._now)]
        needs: dict[int, list[Cells]] = {}
        for piece, *_, before, after in rows:
            if not 0 < piece < len(cell_of) or cell_of[piece] != before:
                break
            key = before * size + after
            if key not in needs:
                needs[key] = self._from((before,)).get((after,), [])
            for holes in needs[key]:
                for cell in holes:
                    if covered[cell]:
                        break
                else:
                    break
            else:
                break
            covered[before], covered[after] = 0, 1
            cell_of[piece] = after
        else:
            self._now = [(cell,) for cell in cell_of[1:]]
            return
        self._now = [(cell,) for cell in cell_of[1:]]
        raise self._refused(Move(piece, (before,), (after,)))

    def _from(self, cells: Cells) -> dict[Cells, list[Cells]]:
        """Return where the rule lets a piece go from these cells, each with the holes it needs."""
        out: dict[Cells, list[Cells]] = {}
        for step in self.puzzle.rule.steps(self.puzzle.board, cells):
            out.setdefault(step.after, []).append(step.holes)
        return out

    def _named(self, piece: int, before: Cells, after: Cells) -> tuple[int, Cells, Cells]:
        """Return a move of a coloured piece with the number and the reading that the piece has now."""
        readings = self.puzzle.rule.readings
        k = (self._at or {}).get(min(readings(before), default=before))
        if k is None or len(before) != len(after):
            return piece, before, after
        here = self._now[k]
        return k + 1, here, readings(after)[readings(before).index(here)]

    def _refused(self, move: Move) -> IllegalMove:
        """Return the error that says why a move is illegal."""
        where = f"in move {quoted(move.text)}"
        if not 1 <= move.piece <= len(self._now):
            return IllegalMove(f"expected a piece from 1 to {len(self._now)}, got {move.piece} - {where}")
        now = self._now[move.piece - 1]
        if now != move.before:
            here, there = ("-".join(map(str, cells)) for cells in (now, move.before))
            return IllegalMove(
                f"expected piece {move.piece} on {quoted(here)}, where it lies, got {quoted(there)} - {where}"
            )
        legal = " ".join(other.text for other in islice(self.configuration.moves, 6)) or "none"
        return IllegalMove(f"expected a move such as {legal}, got {quoted(move.text)}")
