"""Inductions over the sizes of a family: a board is a union of smaller members, down to computed ones.

Everything that depends on the sizes is a linear condition, and comes with multipliers that prove it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from slidelab.boards.hexagons import hex_board
from slidelab.boards.lattice import Cell
from slidelab.boards.squares import square_board
from slidelab.budget import Budget
from slidelab.reach.proof_check.concrete import ALL
from slidelab.reach.prover.certificates import Sizes, Trees, find_overlap
from slidelab.reach.prover.computed import compute_loops
from slidelab.reach.prover.linear import Linear, satisfied, variable
from slidelab.reach.prover.statements import Region, Statement

__all__ = ["Induction", "find_induction"]

MAX_BASE_CELLS = 40
"""Cells of a board at which an induction begins: its group is computed in some tenths of a second."""

MAX_BASES = 40
"""Boards at which an induction may begin."""

MAX_SPAN = 10
"""Sizes above the least one up to which boards may be computed rather than patched."""

SHIFTS: tuple[Cell, ...] = tuple(product((0, 1, -1), (0, 1, -1)))
"""Places of a smaller board in a larger one that are tried."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Cells that two parts have in common: a place that depends on the sizes, and steps from it."""

    parts: tuple[int, int]
    anchor: tuple[Linear, Linear]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A smaller board of the family, shifted."""

    steps: tuple[int, ...]
    """What is added to each size."""
    shift: Cell


@dataclass(frozen=True, slots=True)
class Case:
    """Sizes for which a board is the union of smaller ones."""

    conditions: tuple[Linear, ...]
    parts: tuple[Part, ...]
    overlaps: tuple[Overlap, ...]
    form: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Induction:
    """A proof that all boards of a convex family have all (or all even) permutations."""

    statement: Statement
    holes: int
    cases: tuple[Case, ...]
    bases: tuple[tuple[dict[str, int], dict[str, Any], str], ...]
    """Sizes, computed step, and the name of the group."""
    measure: Linear
    """What is smaller for every part."""
    form: dict[str, Any]


class _Search:
    """The search for an induction about one convex family."""

    def __init__(self, statement: Statement, holes: int, budget: Budget | None) -> None:
        self.statement, self.holes, self.budget = statement, holes, budget
        self.names = statement.names
        self.domain = list(statement.conditions)
        (self.region,) = statement.family.regions
        self.measures = [sum((variable(name) for name in self.names), Linear())]
        if statement.family.name == "convex":  # cutting lines off a corner makes the board smaller
            m, n, first, last = statement.family.arguments
            self.measures = [m + m + n + n - first - last]

    def run(self) -> Induction | str:
        lower: dict[str, int] = {}
        for name in self.names:
            least = next(
                (v for v in range(60, -61, -1) if Trees.implies(self.domain, variable(name) - v)), None
            )
            if least is None:
                return f"the size {name} has no lower bound"
            lower[name] = least
        measure = self.measures[0]
        bottom = next((v for v in range(200, -61, -1) if Trees.implies(self.domain, measure - v)), None)
        if bottom is None:
            return f"{measure} has no lower bound"
        samples = [
            dict(zip(self.names, values, strict=True))
            for values in product(*(range(lower[name], lower[name] + 6) for name in self.names))
        ]
        samples = [point for point in samples if satisfied(self.domain, point)]
        cases: list[Case] = []
        for case in self._cases(samples, measure, lower, cases):
            cases.append(case)
            rest = self._rest(lower, cases)
            if rest is not None:
                cases, rest = self._needed(lower, cases, rest)
                return self._with_bases(lower, (measure, bottom), cases, *rest)
        return "no way was found in which larger boards are unions of smaller ones"

    def _needed(
        self, lower: Mapping[str, int], cases: list[Case], rest: tuple[dict[str, int], dict[str, Any]]
    ) -> tuple[list[Case], tuple[dict[str, int], dict[str, Any]]]:
        """Return the cases without those that can be left out with no more boards to be computed."""
        for case in list(cases):
            others = [each for each in cases if each is not case]
            fewer = self._rest(lower, others) if others else None
            if fewer is not None and fewer[0] == rest[0]:
                cases, rest = others, fewer
        return cases, rest

    def _cases(
        self,
        samples: Sequence[Sizes],
        measure: Linear,
        lower: Mapping[str, int],
        known: Sequence[Case],
    ) -> Iterator[Case]:
        """Yield sets of sizes with a union of smaller boards, those with few kinds of boards first.

        The overlap of two boards may need that a size is not the least one, nor the second.
        """
        changes = (0, -1, 1) if self.statement.family.name == "convex" else (0, -1)
        zero = measure.at(dict.fromkeys(self.names, 0))
        steps = [
            step
            for step in product(changes, repeat=len(self.names))
            if measure.at(dict(zip(self.names, step, strict=True))) < zero and self._is_cut(step)
        ]
        atoms = [()] + [(variable(name) - lower[name] - more,) for more in (1, 2) for name in self.names]
        for count, atom in product((1, 2), atoms):
            for chosen in combinations(steps, count):
                if self.budget is not None:
                    self.budget.check("induction")
                case = self._case(chosen, samples, atom, known)
                if case is not None:
                    yield case

    def _is_cut(self, step: Sequence[int]) -> bool:
        """Return whether a convex board with free sizes loses one line of cells; others may change anyhow."""
        if self.statement.family.name != "convex" or len(self.names) < 3:
            return True
        put = self._put(step)
        m, n, first, last = (
            (form.put(put) - form).coefficients.get("", 0) for form in self.statement.family.arguments
        )
        if m == n == 0:
            return sorted((first, last)) == [0, 1]
        if m == n:  # shorter in the third direction
            return first == last == -1
        return sorted((m, n)) == [-1, 0] and {first, last} <= {0, -1}

    def _put(self, step: Sequence[int]) -> dict[str, Linear]:
        return {name: variable(name) + d for name, d in zip(self.names, step, strict=True)}

    def _part_region(self, part: Part) -> Region:
        dq, dr = (Linear.of({"": d}) for d in part.shift)
        return self.region.put(self._put(part.steps)).shifted(dq, dr)

    def _case(
        self,
        steps: Sequence[Sequence[int]],
        samples: Sequence[Sizes],
        atom: Sequence[Linear],
        known: Sequence[Case],
    ) -> Case | None:
        """Return the case in which boards with these smaller sizes cover the board, with its certificates.

        None if there is none, or none with sizes that are not in a known case.
        """
        extra = [form for form in atom if form not in self.domain]
        for step in steps:
            for form in self.domain:
                moved = form.put(self._put(step))
                if moved not in self.domain and moved not in extra:
                    extra.append(moved)
        conditions = [*self.domain, *extra]
        points = [point for point in samples if satisfied(conditions, point)]
        if all(any(satisfied(case.conditions, point) for case in known) for point in points):
            return None
        points = points[:: max(1, len(points) // 40)]
        parts = self._choose_parts([Part(tuple(step), v) for step in steps for v in SHIFTS], points)
        if parts is None or {part.steps for part in parts} != {tuple(step) for step in steps}:
            return None
        for form in list(extra):  # what the other conditions imply
            others = [each for each in extra if each is not form]
            if Trees.implies([*self.domain, *others], form) is not None:
                extra = others
        return self._certify([*self.domain, *extra], extra, parts, points)

    def _choose_parts(self, pool: Sequence[Part], points: Sequence[Sizes]) -> list[Part] | None:
        """Return few parts that lie in the board and cover it, at all sample sizes."""
        wholes = [self.region.cells(point) for point in points]
        inside: dict[Part, list[frozenset[Cell]]] = {}
        for part in pool:
            region = self._part_region(part)
            sets = [region.cells(point) for point in points]
            if all(cells and cells < whole for cells, whole in zip(sets, wholes, strict=True)):
                inside[part] = sets
        left = [set(whole) for whole in wholes]
        chosen: list[Part] = []
        while any(left):
            best = max(
                (part for part in inside if part not in chosen),
                key=lambda part: sum(len(a & b) for a, b in zip(left, inside[part], strict=True)),
                default=None,
            )
            if best is None or not any(a & b for a, b in zip(left, inside[best], strict=True)):
                return None
            chosen.append(best)
            left = [a - b for a, b in zip(left, inside[best], strict=True)]
        return chosen

    def _certify(
        self, conditions: list[Linear], extra: list[Linear], parts: list[Part], points: Sequence[Sizes]
    ) -> Case | None:
        regions = [self._part_region(part) for part in parts]
        whole = self.region.conditions()
        forms: list[dict[str, Any]] = []
        for part, region in zip(parts, regions, strict=True):
            put = self._put(part.steps)
            allowed = [Trees.implies(conditions, form.put(put)) for form in self.domain]
            inside = [Trees.implies([*conditions, *region.conditions()], form) for form in whole]
            if None in allowed or None in inside:
                return None
            forms.append(
                {
                    "sizes": {name: form.to_json() for name, form in put.items()},
                    "shift": list(part.shift),
                    "allowed": allowed,
                    "inside": inside,
                }
            )
        cells = [
            {**point, "q": q, "r": r}
            for point in points[:: max(1, len(points) // 6)]
            for q, r in self.region.cells(point)
        ]
        cover = Trees.covered([*conditions, *whole], [region.conditions() for region in regions], cells)
        if cover is None:
            return None
        overlaps, overlap_forms = self._overlaps(conditions, regions, points)
        if len(overlaps) < len(parts) - 1:
            return None
        form = {
            "conditions": [each.to_json() for each in extra],
            "parts": forms,
            "cover": cover,
            "overlaps": overlap_forms,
        }
        return Case(tuple(extra), tuple(parts), tuple(overlaps), form)

    def _overlaps(
        self, conditions: list[Linear], regions: Sequence[Region], points: Sequence[Sizes]
    ) -> tuple[list[Overlap], list[dict[str, Any]]]:
        """Return overlaps that join all parts, as far as there are any."""
        joined, found, forms = {0}, list[Overlap](), list[dict[str, Any]]()
        progress = True
        while progress and len(joined) < len(regions):
            progress = False
            for a, b in product(sorted(joined), range(len(regions))):
                if b in joined:
                    continue
                overlap = find_overlap(
                    conditions, regions[a], regions[b], points, self.holes, self.statement.rule == "hextiles"
                )
                if overlap is not None:
                    anchor, cells, inside = overlap
                    found.append(Overlap((a, b), anchor, cells))
                    forms.append(
                        {
                            "parts": [a, b],
                            "anchor": [form.to_json() for form in anchor],
                            "cells": [list(cell) for cell in cells],
                            "inside": inside,
                        }
                    )
                    joined.add(b)
                    progress = True
        return found, forms

    def _rest(
        self, lower: Mapping[str, int], cases: Sequence[Case]
    ) -> tuple[dict[str, int], dict[str, Any]] | None:
        """Return sizes above which every board is in a case, with trees that show it, or None."""
        upper: dict[str, int] = {}
        trees: dict[str, Any] = {}
        parts = [case.conditions for case in cases]
        span = MAX_SPAN + 3 if len(self.names) <= 2 else 8
        points = [
            point
            for values in product(*(range(lower[name], lower[name] + span) for name in self.names))
            if satisfied(self.domain, point := dict(zip(self.names, values, strict=True)))
        ]
        left = [point for point in points if not any(satisfied(part, point) for part in parts)]
        for name in self.names:
            first = max((point[name] for point in left), default=lower[name])
            if first == lower[name] + span - 1:
                return None
            for value in (first, first + 1):
                tree = Trees.covered([*self.domain, variable(name) - value - 1], parts, points)
                if tree is not None:
                    upper[name], trees[name] = value, tree
                    break
            else:
                return None
        return upper, trees

    def _with_bases(
        self,
        lower: Mapping[str, int],
        measured: tuple[Linear, int],
        cases: Sequence[Case],
        upper: Mapping[str, int],
        trees: Mapping[str, Any],
    ) -> Induction | str:
        bases = []
        for values in product(*(range(lower[name], upper[name] + 1) for name in self.names)):
            point = dict(zip(self.names, values, strict=True))
            if not satisfied(self.domain, point) or any(satisfied(case.conditions, point) for case in cases):
                continue
            size = len(self.statement.family.cells(point))
            if size > MAX_BASE_CELLS:
                return f"a board of {size} cells would have to be computed"
            step, group = computed_base(self.statement, self.holes, point, self.budget)
            if step is None:
                return f"it fails for {_sizes_text(point)}: the group is {group}"
            bases.append((point, step, group))
            if len(bases) > MAX_BASES:
                return f"more than {MAX_BASES} boards would have to be computed"
        measure, bottom = measured
        form = {
            "by": "induction",
            "holes": self.holes,
            "measure": measure.to_json(),
            "least": {"value": bottom, "sum": Trees.implies(self.domain, measure - bottom)},
            "lower": {
                name: {"value": v, "sum": Trees.implies(self.domain, variable(name) - v)}
                for name, v in lower.items()
            },
            "cases": [case.form for case in cases],
            "upper": dict(upper),
            "rest": dict(trees),
            "bases": [{"sizes": point, "step": step} for point, step, _ in bases],
        }
        return Induction(self.statement, self.holes, tuple(cases), tuple(bases), measure, form)


def _sizes_text(point: Sizes) -> str:
    return ", ".join(f"{name} = {value}" for name, value in point.items())


def computed_base(
    statement: Statement, holes: int, point: Sizes, budget: Budget | None = None
) -> tuple[dict[str, Any] | None, str]:
    """Return the computed step of one member and the name of its group; no step if that is too small."""
    from math import factorial

    cells = sorted(statement.family.cells(point))
    hexagonal = statement.family.kind == "hex"
    even = holes == (2 if statement.rule == "hextiles" else 1)
    board = hex_board(cells) if hexagonal else square_board(cells)
    if len(cells) <= holes:
        return None, "that of no tiles"
    base, loops, group = compute_loops(board, statement.rule, holes, budget)
    tiles = len(cells) - holes
    needed = factorial(tiles) // (2 if even and tiles > 1 else 1)
    step = {
        "by": "computed",
        "claim": "even permutations" if even else ALL,
        "holes": holes,
        "board": {"cells": [list(cell) for cell in cells]},
        "base": [list(cell) for cell in base],
        "loops": [[[list(a), list(b)] for a, b in loop] for loop in loops],
    }
    return (step if group.order == needed else None), group.name


def find_induction(statement: Statement, holes: int, budget: Budget | None = None) -> Induction | str:
    """Return an induction for a convex family with a number of holes, or why none was found.

    Examples
    --------
    >>> from slidelab.reach.prover.statements import parse_statement
    >>> found = find_induction(parse_statement("hex P(m,n) 3 for m,n >= 3: one component"), 3)
    >>> [sizes for sizes, _, _ in found.bases], len(found.cases)
    ([{'m': 3, 'n': 3}], 2)
    """
    return _Search(statement, holes, budget).run()
