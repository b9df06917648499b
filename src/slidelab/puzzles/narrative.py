"""Explain any solution by when each piece is in its place for good.

A piece is *settled* by its last move. Between one such move and the next a solution mostly carries one piece,
or a few that go in together: that is a part of the explanation. What is left in the end, when the last pieces
move through one another, is one part. Nothing is assumed about how the solution was found; solutions that
place piece after piece, as peeling does, read best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from math import dist
from typing import TYPE_CHECKING

from slidelab.messages import counted, join_words
from slidelab.puzzles.arrows import DIRECTION_WORDS, arrow_between
from slidelab.puzzles.passage import Passage

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration
    from slidelab.puzzles.movelist import MoveList

__all__ = ["narrate"]

Cells = tuple[int, ...]

MAX_TOGETHER = 4
"""Pieces that go in together in one part."""

NEAR_MOVES = 3
"""Moves between the last moves of two pieces that go in together: a row that closes up."""

MAX_LAST_PIECES = 9
"""Pieces that may be left for the last part, in which they are put in order together."""

LONG_MOVES = 30
"""Moves of a part from which on it is said which other pieces come nearer to their places."""

CLOSING_MOVES = 2
"""Moves a piece with which the last pieces only close up."""

LAST_SHARE = 0.5
"""Part of the moves left, before the next piece is settled, from which on the rest is one part."""

MAX_RUNS = 6
"""Straight runs of a path that are listed; of longer ones only the ends."""


def narrate(start: Configuration, moves: MoveList) -> list[Passage]:
    """Return what the moves of a solution do, piece by piece.

    Parameters
    ----------
    start
        Where the solution begins.
    moves
        Its moves.

    Returns
    -------
    list of Passage
        Parts that follow each other and together are all moves; those of the last part are one level deeper.

    Examples
    --------
    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(3,3)").solve("1 2 3 / 4 5 6 / . 7 8")
    >>> (passage,) = narrate(s.start, s.moves)
    >>> passage.text.partition(": ")[2]
    '7 goes left to row 3, column 1; 8 goes left to row 3, column 2'
    """
    teller = _Teller(start, moves)
    return teller.passages()


class _Teller:
    def __init__(self, start: Configuration, moves: MoveList) -> None:
        self.puzzle, self.board = start.puzzle, start.puzzle.board
        width = self.puzzle.rule.cells
        self.kinds = moves.kinds
        cells = self.board.cells or ((0, 0),)
        self.corner = min(x for x, _ in cells), min(y for _, y in cells)
        self.rows = [
            (row[0], row[1], tuple(row[2 : 2 + width]), tuple(row[2 + width :])) for row in moves.lists()
        ]
        self.goal: dict[int, Cells] = {row[0]: row[3] for row in self.rows}
        """Where each piece that moves ends."""
        self.settled: dict[int, int] = {}
        """The number of the last move of each piece that moves."""
        for number, (piece, *_) in enumerate(self.rows):
            self.settled[piece] = number
        self.order = sorted(self.settled, key=self.settled.__getitem__)

    def passages(self) -> list[Passage]:
        """Return the parts, with those of the last pieces one level deeper."""
        out: list[Passage] = []
        begin, at = 0, 0
        while at < len(self.order):
            left = self.order[at:]
            if self._ends_together(left, begin):
                out.append(Passage(begin, len(self.rows), self._last_pieces(left, begin)))
                return out + self._one_by_one(left, begin)
            together = self._together(at)
            end = self.settled[together[-1]] + 1
            out.append(Passage(begin, end, self._carried(together, begin, end)))
            begin, at = end, at + len(together)
        return out

    def _ends_together(self, left: Sequence[int], begin: int) -> bool:
        """Return whether the pieces that are left close up, or are put in order together."""
        if not 1 < len(left) <= MAX_LAST_PIECES:
            return False
        moves = len(self.rows) - begin
        return self._closes_up(left, begin) or self.settled[left[0]] + 1 - begin > LAST_SHARE * moves

    def _closes_up(self, left: Sequence[int], begin: int) -> bool:
        return len(left) > 2 and len(self.rows) - begin <= CLOSING_MOVES * len(left)

    def _one_by_one(self, pieces: Sequence[int], begin: int) -> list[Passage]:
        """Return how each of the last pieces gets to its place, in the order in which they are settled."""
        out, first, noun = [], begin, self.puzzle.rule.piece
        for piece in pieces:
            last = self.settled[piece] + 1
            text = f"{noun} {self._name(piece)} {self._journey(piece, first, last)}"
            out.append(Passage(first, last, text, 1))
            first = last
        return out

    def _together(self, at: int) -> list[int]:
        """Return the pieces that are settled in one part, the first of them at a place in the order."""
        pieces = [self.order[at]]
        for piece in self.order[at + 1 : at + MAX_TOGETHER]:
            if self.settled[piece] - self.settled[pieces[-1]] > NEAR_MOVES:
                break
            pieces.append(piece)
        return pieces

    # Sentences

    def _name(self, piece: int) -> str:
        colours = self.puzzle.colours
        return str(piece) if colours is None else f"{piece} ({'-'.join(colours[piece - 1])})"

    def _last_pieces(self, pieces: Sequence[int], begin: int) -> str:
        noun, names = self.puzzle.rule.piece, join_words([self._name(k) for k in sorted(pieces)])
        what = "close up" if self._closes_up(pieces, begin) else "are put in order together"
        if len(pieces) == self.puzzle.piece_count:
            return f"the {noun}s {what}"
        return f"the last {len(pieces)} {noun}s, {names}, {what}"

    def _carried(self, pieces: Sequence[int], begin: int, end: int) -> str:
        noun = self.puzzle.rule.piece
        first = next(n for n in range(begin, end) if self.rows[n][0] in pieces) - begin
        come = (
            f"{self._holes()} {self._verb('come')} to {noun} {self._name(pieces[0])}; " if first > 1 else ""
        )
        stories = [self._journey(piece, begin, end) for piece in pieces]
        if len(pieces) == 1:
            leader = self._leader(pieces[0], begin, end)
            others = self._meanwhile(pieces[0], begin, end)
            return f"{come}{noun} {self._name(pieces[0])} {stories[0]}{leader}{others}"
        names = join_words([self._name(piece) for piece in pieces])
        each = "; ".join(f"{self._name(piece)} {story}" for piece, story in zip(pieces, stories, strict=True))
        return f"{come}{noun}s {names} go in one behind the other: {each}"

    def _holes(self) -> str:
        return "the hole" if self.puzzle.hole_count == 1 else "the holes"

    def _verb(self, verb: str) -> str:
        return f"{verb}s" if self.puzzle.hole_count == 1 else verb

    def _leader(self, piece: int, begin: int, end: int) -> str:
        """Return who leads: between two steps of a piece the hole goes round to its other side."""
        steps = [n for n in range(begin, end) if self.rows[n][0] == piece]
        if len(steps) < 2:
            return ""
        is_led = steps[-1] - steps[0] >= len(steps)
        return f", {self._holes()} {self._verb('lead')}" if is_led else ", over empty cells"

    def _meanwhile(self, piece: int, begin: int, end: int) -> str:
        """Return which other pieces a long part brings nearer to their places."""
        if end - begin < LONG_MOVES:
            return ""
        ends: dict[int, tuple[Cells, Cells]] = {}
        for other, _, before, after in self.rows[begin:end]:
            ends[other] = ends.get(other, (before, after))[0], after
        nearer = [
            other
            for other, (before, after) in ends.items()
            if other != piece and self._far(after, self.goal[other]) < self._far(before, self.goal[other])
        ]
        if not nearer:
            return ""
        noun = self.puzzle.rule.piece
        names = join_words([self._name(other) for other in sorted(nearer)])
        if len(nearer) == 1:
            return f"; meanwhile {noun} {names} comes nearer to its place"
        return f"; meanwhile {noun}s {names} come nearer to their places"

    def _far(self, here: Cells, there: Cells) -> float:
        """Return how far apart two placements are on the drawing."""
        points = self.board.positions
        return sum(dist(points[a], points[b]) for a, b in zip(here, there, strict=True))

    def _journey(self, piece: int, begin: int, end: int) -> str:
        places = [row[2] for row in self.rows[begin:end] if row[0] == piece][:1]
        places += [row[3] for row in self.rows[begin:end] if row[0] == piece]
        kinds = [self.kinds[row[1]] for row in self.rows[begin:end] if row[0] == piece]
        if self.puzzle.rule.cells > 1:
            return self._turned(places, kinds)
        path = _without_loops([cells[0] for cells in places])
        if len(path) == 1:
            return f"makes way and returns to {self._cell(path[0])}"
        runs = self._runs(path)
        return f"goes {runs} to {self._cell(path[-1])}" if runs else f"goes to {self._cell(path[-1])}"

    def _turned(self, places: Sequence[Cells], kinds: Sequence[str]) -> str:
        here, there = ("-".join(map(self.board.cell_text, cells)) for cells in (places[0], places[-1]))
        how = join_words([counted(count, kind) for kind, count in Counter(kinds).items()])
        if set(places[0]) == set(places[-1]):
            turned = "is turned round" if places[0] != places[-1] else "makes way and returns"
            return f"{turned} on cells {there} ({how})"
        return f"goes from cells {here} to {there} ({how})"

    def _cell(self, cell: int) -> str:
        if self.board.kind in ("square", "king"):
            x, y = self.board.cells[cell]
            left, top = self.corner
            return f"row {y - top + 1}, column {x - left + 1}"
        return f"cell {self.board.cell_text(cell)}"

    def _runs(self, path: Sequence[int]) -> str:
        """Return the directions of a path, or the cells on it where there are none."""
        arrows = [arrow_between(self.board, a, b) for a, b in pairwise(path)]
        if None in arrows:
            inner = [self.board.cell_text(cell) for cell in path[1:-1]]
            if len(inner) > MAX_RUNS:
                return f"{len(path) - 1} steps"
            return f"over {join_words(inner)}" if inner else ""
        runs = [(DIRECTION_WORDS[arrow or ""], len(list(same))) for arrow, same in groupby(arrows)]
        if len(runs) > MAX_RUNS:
            return f"{len(path) - 1} steps"
        words = [word if count == 1 else f"{word} {count}" for word, count in runs]
        if len(words) == 2:
            return f"{words[0]} and round the corner {words[1]}"
        return join_words(words)


def _without_loops(path: Sequence[int]) -> list[int]:
    """Return a path without what lies between two visits of the same cell."""
    out: list[int] = []
    place: dict[int, int] = {}
    for cell in path:
        if cell in place:
            for gone in out[place[cell] + 1 :]:
                del place[gone]
            del out[place[cell] + 1 :]
        else:
            place[cell] = len(out)
            out.append(cell)
    return out
