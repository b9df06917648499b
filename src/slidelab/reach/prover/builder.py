"""The steps of a growing proof: computed boards, convex boards halved again and again, and unions of them.

Congruent boards share one step. With three holes or more the claim is ``all permutations``, with two
``even permutations``; then the boards must have no tight corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from slidelab.boards.lattice import Cell, hexagons_around
from slidelab.boards.walks import DisjointSets
from slidelab.budget import Budget
from slidelab.reach.proof_check.concrete import ALL, EVEN
from slidelab.reach.prover.computed import computed_step
from slidelab.reach.prover.proof import Part, Step
from slidelab.reach.prover.regions import Bounds, canonical

__all__ = ["Builder", "Piece", "join_pieces"]

MAX_COMPUTED_CELLS = 12
"""Cells of a convex board that is computed at once rather than halved."""

MAX_FORCED_CELLS = 40
"""Cells of a convex board that is computed if it cannot be halved: some tenths of a second."""

MAX_COMMON_LINES = 4
"""Lines of cells that two halves of a convex board may have in common."""

MIN_WIDTH, MIN_WIDTHS = 3, 10
"""Least width, and least sum of the three widths, of convex boards that can be proved.

Narrower ones have two rows, or are T(3) and F(2), on which the groups are small (see docs/proofs.md).
"""

Piece = tuple[Part, frozenset[Cell]]
"""A part, and the cells on which it lies."""


class Builder:
    """Collects the steps of a proof for one number of holes."""

    def __init__(self, holes: int, budget: Budget | None = None) -> None:
        self.holes = holes
        self.claim = ALL if holes > 2 else EVEN
        self.budget = budget
        self.steps: list[Step] = []
        self._convex: dict[Bounds, int | None] = {}
        self._listed: dict[tuple[Cell, ...], int | None] = {}
        self._pieces: dict[frozenset[Cell], Piece | None] = {}

    def accepts(self, region: Bounds) -> bool:
        """Return whether a convex region is wide enough to be proved and has no tight corner that hinders."""
        widths = region.widths
        if min(widths) < MIN_WIDTH or sum(widths) < MIN_WIDTHS or self.holes < 2:
            return False
        return self.holes > 2 or not region.has_tight_corner

    def convex(self, region: Bounds) -> Piece | None:
        """Return a proved convex region (with tight bounds); None if no proof is found."""
        form, placement = region.canonical()
        if form not in self._convex:
            self._convex[form] = None
            self._convex[form] = self._prove_convex(form)
        number = self._convex[form]
        return None if number is None else (Part(number, placement), region.cells())

    def listed(self, cells: Iterable[Cell]) -> Piece | None:
        """Return a small board that is computed, whatever its form; None if its group is too small."""
        found = frozenset(cells)
        if found not in self._pieces:
            self._pieces[found] = self._listed_piece(found)
        return self._pieces[found]

    def _listed_piece(self, found: frozenset[Cell]) -> Piece | None:
        form, placement = canonical(found)
        if form not in self._listed:
            step = computed_step(form, self.holes, budget=self.budget)
            self._listed[form] = None if step is None else self.add(step)
        number = self._listed[form]
        return None if number is None else (Part(number, placement), found)

    def add(self, step: Step) -> int:
        """Add a step; return its number."""
        if self.budget is not None:
            self.budget.check("proof", len(self.steps))
        self.steps.append(step)
        return len(self.steps) - 1

    def _prove_convex(self, region: Bounds) -> int | None:
        if not self.accepts(region):
            return None
        size = region.size
        if size > MAX_COMPUTED_CELLS:
            for halves in sorted(self._halvings(region), key=self._novelty):
                pieces = [self.convex(half) for half in halves]
                if pieces[0] is not None and pieces[1] is not None:
                    parts = pieces[0][0], pieces[1][0]
                    step = Step("patching", region, self.holes, self.claim, parts, ((0, 1),))
                    return self.add(step)
        if size > MAX_FORCED_CELLS:
            return None
        found = computed_step(region, self.holes, region, self.budget)
        return None if found is None else self.add(found)

    def _novelty(self, halves: tuple[Bounds, Bounds]) -> tuple[int, int]:
        """Return how many boards would have to be proved anew, and the size of the larger half."""
        forms = {half.canonical()[0] for half in halves}
        return len(forms.difference(self._convex)), max(half.size for half in halves)

    def _halvings(self, region: Bounds) -> Iterator[tuple[Bounds, Bounds]]:
        """Yield pairs of smaller convex regions that cover a region and overlap enough."""
        widths = region.widths
        lows = region.q0, region.r0, region.s0
        for direction in range(3):
            width, low = widths[direction], lows[direction]
            for lines in range(2, min(width, MAX_COMMON_LINES + 1)):
                first = (width + lines) // 2
                a = self._usable(region.cut(direction, None, low + first - 1))
                b = self._usable(region.cut(direction, low + first - lines, None))
                if a is None or b is None or region in (a, b):
                    continue
                shared = Bounds(*_intersection(a, b))
                if shared.is_empty or shared.size <= self.holes or min(shared.tightened().widths) < 2:
                    continue
                if a.size + b.size - shared.size == region.size:
                    yield a, b

    def _usable(self, part: Bounds) -> Bounds | None:
        """Return a part of a region with tight bounds, without tight corners if they hinder; None if none."""
        if part.is_empty:
            return None
        part = part.tightened()
        if self.holes == 2:
            part = part.trimmed()
            if part.is_empty:
                return None
            part = part.tightened()
        return part if self.accepts(part) else None


def _intersection(a: Bounds, b: Bounds) -> Sequence[int]:
    return (
        max(a.q0, b.q0), min(a.q1, b.q1), max(a.r0, b.r0), min(a.r1, b.r1), max(a.s0, b.s0), min(a.s1, b.s1),
    )  # fmt: skip


def join_pieces(pieces: Sequence[Piece], holes: int) -> tuple[list[tuple[int, int]], DisjointSets]:
    """Return pairs of pieces whose overlaps join them, as many as needed, and the sets of joined pieces."""
    at: dict[Cell, list[int]] = {}
    for number, (_, cells) in enumerate(pieces):
        for cell in cells:
            at.setdefault(cell, []).append(number)
    sets = DisjointSets(len(pieces))
    pairs, tried = [], set()
    for numbers in at.values():
        for index, b in enumerate(numbers):
            for a in numbers[:index]:
                if (a, b) not in tried and sets.find(a) != sets.find(b):
                    tried.add((a, b))
                    if overlaps_enough(pieces[a][1], pieces[b][1], holes):
                        sets.union(a, b)
                        pairs.append((a, b))
    return pairs, sets


def overlaps_enough(first: frozenset[Cell], second: frozenset[Cell], holes: int) -> bool:
    """Return whether the overlap holds all holes and a tile, and they can move there in either patch."""
    shared = first & second
    if len(shared) <= holes:
        return False
    for cell in shared:
        around = hexagons_around(cell)
        for place, near in enumerate(around):
            if near in shared:
                apexes = {around[place - 1], around[(place + 1) % 6]}
                if apexes & first and apexes & second:
                    return True
    return False
