"""How pieces must be rearranged: cycles for the page to draw, and the swap that parity forbids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from slidelab.boards.walks import shortest_path
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, TooLarge
from slidelab.puzzles import Configuration, Move
from slidelab.puzzles.labels import piece_labels
from slidelab.reach.loop_groups import group_at
from slidelab.reach.verdict import solvable

__all__ = ["Rearrangement", "move_holes", "rearrangement", "verdict_answer"]

DRAWING_SHARE = 0.25
"""Part of the time left for the cycles, then for the orbits, that are drawn with a verdict."""

MAX_SHAPES_SEARCHED = 2_000
"""Shapes on the way to that of the goal: moving the holes takes less than half a second."""


@dataclass(frozen=True, slots=True)
class Rearrangement:
    """What is left to do when the holes are where the goal has them.

    Attributes
    ----------
    moves
        Moves that bring the holes there, along a shortest path.
    after
        The configuration after these moves.
    cycles
        Pieces, from 1: in each cycle a piece belongs where the next one lies.
    turned
        Pieces that lie in their place, but the wrong way round.
    """

    moves: tuple[Move, ...]
    after: Configuration
    cycles: tuple[tuple[int, ...], ...]
    turned: tuple[int, ...] = ()

    @property
    def is_odd(self) -> bool:
        """Whether the permutation of the pieces is odd.

        >>> import slidelab as sl
        >>> goal = sl.puzzle("square R(2,2)").goal
        >>> rearrangement(sl.position("square R(2,2) : 2 1 3 ."), goal).is_odd
        True
        """
        return sum(len(cycle) - 1 for cycle in self.cycles) % 2 == 1

    def swap(self, among: Sequence[int]) -> tuple[int, int] | None:
        """Return two of these pieces that must change places in an odd permutation.

        A cycle of two pieces is preferred: nothing else must move.
        """
        inside = set(among)
        even = [cycle for cycle in self.cycles if len(cycle) % 2 == 0 and inside.issuperset(cycle)]
        shortest = min(even, key=len, default=None)
        return None if shortest is None else (shortest[0], shortest[1])


def move_holes(start: Configuration, goal: Configuration, budget: Budget | None = None) -> list[Move] | None:
    """Return the fewest moves that bring the holes where the goal has them; None if that is not found soon.

    >>> import slidelab as sl
    >>> start = sl.position("square R(3,3) : . 1 2 3 4 5 6 7 8")
    >>> [move.text for move in move_holes(start, start.puzzle.goal)]
    ['1:1>0', '2:2>1', '5:5>2', '8:8>5']
    """
    puzzle = start.puzzle
    if puzzle.rule.slides_along_edges and puzzle.hole_count == 1:
        return _move_hole(start, goal)
    if start.shape == goal.shape:
        return []
    before: dict[frozenset[tuple[int, ...]], tuple[Configuration, Move] | None] = {start.shape: None}
    layer = [start]
    while layer and len(before) <= MAX_SHAPES_SEARCHED:
        following = []
        for here in layer:
            if budget is not None and budget.expired:
                return None
            for move in here.moves:
                there = here.play(move)
                if there.shape not in before:
                    before[there.shape] = here, move
                    following.append(there)
                    if there.shape == goal.shape:
                        return _trace(before, there)
        layer = following
    return None


def _trace(
    before: dict[frozenset[tuple[int, ...]], tuple[Configuration, Move] | None], last: Configuration
) -> list[Move]:
    moves, here = [], last
    while (step := before[here.shape]) is not None:
        here, move = step
        moves.append(move)
    return moves[::-1]


def _move_hole(start: Configuration, goal: Configuration) -> list[Move] | None:
    """Return the moves of a single hole along a shortest path on the board."""
    (hole,), (end,) = start.holes, goal.holes
    path = shortest_path(start.puzzle.board.neighbours, [hole], lambda cell: cell == end)
    if not path:
        return None
    at = {cells[0]: number for number, cells in enumerate(start.pieces, 1)}
    moves = []
    for empty, cell in pairwise(path):
        moves.append(Move(at[cell], (cell,), (empty,)))
        at[empty] = at.pop(cell)
    return moves


def rearrangement(
    start: Configuration, goal: Configuration, budget: Budget | None = None
) -> Rearrangement | None:
    """Return how numbered pieces must be rearranged; None for colours, or if the holes get nowhere soon.

    >>> import slidelab as sl
    >>> loyd = sl.position("square R(4,4) : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    >>> rearrangement(loyd, loyd.puzzle.goal).cycles
    ((14, 15),)
    """
    if start.puzzle.colours is not None:
        return None
    moves = move_holes(start, goal, budget)
    if moves is None:
        return None
    after = start.play(*moves)
    at = {frozenset(cells): number for number, cells in enumerate(after.pieces)}
    if any(frozenset(cells) not in at for cells in goal.pieces):
        return None
    follows = [at[frozenset(cells)] for cells in goal.pieces]
    turned = [k + 1 for k, own in enumerate(follows) if own == k and after.pieces[k] != goal.pieces[k]]
    cycles, seen = [], set()
    for first, following in enumerate(follows):
        if first in seen or following == first:
            continue
        cycle = [first]
        while (following := follows[cycle[-1]]) != first:
            cycle.append(following)
        seen.update(cycle)
        cycles.append(tuple(piece + 1 for piece in cycle))
    return Rearrangement(tuple(moves), after, tuple(cycles), tuple(turned))


def verdict_answer(start: Configuration, goal: Configuration, budget: Budget) -> dict[str, Any]:
    """Return the verdict in the form of `Verdict.to_json`, with what the page draws to explain it.

    >>> import slidelab as sl
    >>> loyd = sl.position("square R(4,4) : 1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    >>> answer = verdict_answer(loyd, loyd.puzzle.goal, Budget.of(time=10))
    >>> answer["solvable"], answer["cycles"], answer["swap"]
    (False, [['14', '15']], ['14', '15'])
    """
    verdict = solvable(start.puzzle, start, goal, budget=budget)
    certificate = verdict.certificate
    labels = piece_labels(start.puzzle) if start.puzzle.rule.cells == 1 else None
    names = labels or [str(number + 1) for number in range(start.puzzle.piece_count)]
    needed = rearrangement(start, goal, budget.part(DRAWING_SHARE))
    pieces = [piece for piece in certificate.get("pieces", []) if isinstance(piece, int)]
    kind = certificate.get("because") or certificate.get("kind")
    swap, stuck = None, list[int]()
    if not verdict and needed is not None and kind in ("parity", "augmented"):
        everyone = list(range(1, start.puzzle.piece_count + 1))
        swap = needed.swap(pieces) or needed.swap(everyone)
    if not verdict and kind in ("pieces", "place", "corner"):
        stuck = sorted(cell for piece in pieces for cell in start.pieces[piece - 1])
    return {
        **verdict.to_json(),
        "certificate": _short(certificate),
        "cycles": None if needed is None else [[names[k - 1] for k in cycle] for cycle in needed.cycles],
        "cycle_pieces": None if needed is None else [list(cycle) for cycle in needed.cycles],
        "turned": [] if needed is None else [names[k - 1] for k in needed.turned],
        "path": None if needed is None else [move.text for move in needed.moves],
        "after": None if needed is None else needed.after.text,
        "swap": None if swap is None else [names[k - 1] for k in swap],
        "swap_pieces": None if swap is None else list(swap),
        "stuck": stuck,
        "orbits": _orbits(start, budget.part(DRAWING_SHARE)),
    }


MAX_CERTIFICATE_MOVES = 2_000
"""Moves of a certificate that are sent; the page needs none of them to show the verdict."""


def _short(certificate: dict[str, Any]) -> dict[str, Any]:
    moves = certificate.get("moves")
    if isinstance(moves, list) and len(moves) > MAX_CERTIFICATE_MOVES:
        return {**certificate, "moves": moves[:MAX_CERTIFICATE_MOVES], "complete": False}
    return certificate


def _orbits(start: Configuration, budget: Budget) -> list[list[int]] | None:
    """Return the cells between which pieces can change places; None if that takes too long."""
    try:
        group = group_at(start, budget)
    except (TooLarge, OutOfTime):
        return None
    turns = group.turns
    found: list[list[int]] = []
    for orbit in group.orbits:
        cells = {cell for point in orbit for cell in start.pieces[point // turns]}
        if sorted(cells) not in found:
            found.append(sorted(cells))
    return found
