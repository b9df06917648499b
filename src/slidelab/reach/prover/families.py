"""Prove statements about families: choose a kind of proof, and print it so that it can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from slidelab.budget import Budget
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.messages import counted, join_words
from slidelab.reach.proof_check.families import check_family
from slidelab.reach.proof_check.refusal import Refused
from slidelab.reach.prover.certificates import Trees, find_overlap
from slidelab.reach.prover.counterexamples import find_counterexample
from slidelab.reach.prover.induction import Induction, find_induction
from slidelab.reach.prover.linear import Linear, contradiction, variable
from slidelab.reach.prover.regions import TURNS
from slidelab.reach.prover.statements import (
    Family,
    Region,
    Statement,
    parse_statement,
    smallest_sizes,
)

__all__ = ["FamilyProof", "Refuted", "prove_family"]

MAX_LEAST_SIZE = 7
"""Least sizes up to which a statement with smaller ones is tried; inductions begin at 3 to 6."""

MAX_RELAXED_SIZES = 3
"""Sizes of a statement up to which smaller ones are tried: an induction over four takes a minute."""

MAX_LEVEL = 6
"""Largest number of holes with which boards are computed; more holes follow from fewer."""


@dataclass(frozen=True)
class FamilyProof:
    """A proof about all boards of a family: prints as text.

    Examples
    --------
    >>> import slidelab as sl
    >>> proof = sl.prove("hex T(m) 3 for m >= 4: one component")
    >>> proof.check()
    'hex T(m) hextiles 3 for m >= 4: one component'
    """

    statement: Statement
    lines: tuple[str, ...] = field(repr=False)
    form: dict[str, Any] = field(repr=False, hash=False)
    lemmas: tuple[FamilyProof, ...] = field(default=(), repr=False)

    def check(self) -> str:
        """Check the proof without the prover's code and return the statement; raise `Refused` if it fails."""
        return check_family(self.to_json()).text

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `slidelab prove --check` verifies."""
        conditions, family = self.statement.conditions, self.statement.family
        boards = [Trees.implies(conditions, form) for form in family.least_sizes]
        return {"kind": "proof", "statement": self.statement.to_json(), "boards": boards, "proof": self.form}

    def __str__(self) -> str:
        text = [str(self.statement), *(f"  {line}" for line in self.lines)]
        for lemma in self.lemmas:
            text.extend(f"  {line}" for line in str(lemma).splitlines())
        return "\n".join(text)


def prove_family(source: str | Statement, *, budget: Budget | None = None) -> FamilyProof:
    """Prove a statement about a family of boards.

    Raises
    ------
    NotationError
        If the statement cannot be read.
    Refuted
        If a small board of the family contradicts the statement.
    TooLarge
        If no proof is found; the message says what is missing.

    Examples
    --------
    >>> print(prove_family("hex P(m,n) 2 for m,n >= 3: weak parity"))
    hex P(m,n) hextiles 2 for m >= 3, n >= 3: weak parity
      Hexagonal tiles with two holes never make an odd permutation (Corollary 1.6).
    """
    statement = parse_statement(source) if isinstance(source, str) else source
    if contradiction(statement.conditions) is not None:
        raise NotationError(f"expected conditions that some sizes satisfy, got '{statement}'")
    for form in statement.family.least_sizes:
        if Trees.implies(statement.conditions, form) is None:
            raise NotationError(f"expected conditions with {form} >= 0, or {statement.family} is no board")
    problem = find_counterexample(statement, budget)
    if problem is not None:
        raise Refuted(f"'{statement}' is false: {problem}")
    found = _find_proof(statement, budget)
    if isinstance(found, str):
        raise TooLarge(f"no proof was found for '{statement}': {found}")
    return found


class Refuted(PuzzleError):
    """A statement is false: a board of the family contradicts it."""


def _find_proof(statement: Statement, budget: Budget | None) -> FamilyProof | str:
    """Return a proof that passes the independent check, or why none was found."""
    found = _prove(statement, budget)
    if isinstance(found, str):
        return _special_case(statement, budget) or found
    return _checked(found)


def _special_case(statement: Statement, budget: Budget | None) -> FamilyProof | None:
    """Prove a statement by one with smaller least sizes: those at which an induction can begin."""
    if len(statement.names) > MAX_RELAXED_SIZES:
        return None
    tried = [statement.conditions]
    for least in range(MAX_LEAST_SIZE + 1):
        lower = [_lowered(form, least) for form in statement.conditions]
        simple = tuple(dict.fromkeys(form for form in lower if len(form.coefficients.keys() - {""}) == 1))
        for conditions in (tuple(lower), simple):
            if conditions in tried:
                continue
            tried.append(conditions)
            proof = _from_weaker(statement, replace(statement, conditions=conditions), budget)
            if proof is not None:
                return proof
    return None


def _lowered(form: Linear, least: int) -> Linear:
    """Return a condition such as ``m >= 12`` with a bound that is at most `least`; others as they are.

    >>> str(_lowered(variable("m") - 12, 3)), str(_lowered(variable("m") - 2, 3))
    ('m - 3', 'm - 2')
    """
    names = form.coefficients.keys() - {""}
    if len(names) != 1 or form.coefficients[min(names)] != 1:
        return form
    return variable(min(names)) - min(least, -form.coefficients.get("", 0))


def _from_weaker(statement: Statement, weaker: Statement, budget: Budget | None) -> FamilyProof | None:
    """Prove a statement by one with weaker conditions; None if that is false or not proved."""
    if not set(statement.names) <= {name for form in weaker.conditions for name, _ in form.terms}:
        return None
    if any(Trees.implies(weaker.conditions, form) is None for form in weaker.family.least_sizes):
        return None
    allowed = [Trees.implies(statement.conditions, form) for form in weaker.conditions]
    if None in allowed or find_counterexample(weaker, budget) is not None:
        return None
    found = _prove(weaker, budget)
    if isinstance(found, str):
        return None
    form = {"by": "special case", "of": found.to_json(), "allowed": allowed}
    line = "It is a special case of a statement about more boards (below)."
    proof = _checked(FamilyProof(statement, (line,), form, (found,)))
    return None if isinstance(proof, str) else proof


def _prove(statement: Statement, budget: Budget | None) -> FamilyProof | str:
    claim, rule = statement.claim, statement.rule
    if statement.family.kind == "hex" and rule == "tiles":
        return "on hexagons, statements about hextiles and gourds are proved"
    if rule == "gourds":
        return _proper(statement)
    if claim == "weak parity":
        if statement.holes != 2 or rule != "hextiles":
            return "weak parity is proved for hexagonal tiles with two holes"
        line = "Hexagonal tiles with two holes never make an odd permutation (Corollary 1.6)."
        return FamilyProof(statement, (line,), {"by": "weak parity"})
    if claim == "connection number 3":
        return _connection(statement, budget)
    if claim in ("one component", "two components", "strong parity"):
        return _components(statement, budget)
    if claim.endswith(("components", "component")):
        return _order(statement) if _is_strip(statement.family) else _corners(statement, budget)
    return f"of connection numbers only 3 is proved, not {claim!r:.60}"


def _components(statement: Statement, budget: Budget | None) -> FamilyProof | str:
    """Prove one component, or strong parity, by patching; with more holes than needed if that is easier."""
    parity = statement.claim != "one component"
    even_holes = 2 if statement.rule == "hextiles" else 1
    if parity:
        if statement.holes != even_holes:
            return f"strong parity is proved with {counted(even_holes, 'hole')} only"
        return _patched(statement, even_holes, budget)
    problem = ""
    top = MAX_LEVEL if isinstance(statement.holes, str) else min(statement.holes, MAX_LEVEL)
    for level in range(even_holes + 1, top + 1):
        if level == statement.holes:
            found = _patched(statement, level, budget)
        else:
            found = _more_holes(statement, level, budget)
        if isinstance(found, FamilyProof):
            return found
        problem = problem or found
    return problem or f"one component needs more than {counted(even_holes, 'hole')}"


def _more_holes(statement: Statement, level: int, budget: Budget | None) -> FamilyProof | str:
    """Prove a statement by that with fewer holes."""
    named = isinstance(statement.holes, str)
    if named and any(statement.holes in form.coefficients for form in statement.family.arguments):
        named = False  # the number of holes is a size of the board as well
    own = tuple(
        form for form in statement.conditions if not named or statement.holes not in form.coefficients
    )
    names = tuple(name for name in statement.names if not named or name != statement.holes)
    fewer = _patched(replace(statement, holes=level, conditions=own, names=names), level, budget)
    if isinstance(fewer, str):
        return fewer
    form: dict[str, Any] = {"by": "more holes", "of": fewer.to_json()}
    if isinstance(statement.holes, str):
        found = Trees.implies(statement.conditions, variable(statement.holes) - level)
        if found is None:
            return f"the conditions allow fewer than {level} holes"
        form["sum"] = found
    line = f"With {level} holes it holds (below), and a further hole may stand for a tile."
    return FamilyProof(statement, (line,), form, (fewer,))


def _patched(statement: Statement, holes: int, budget: Budget | None) -> FamilyProof | str:
    if len(statement.family.regions) > 1:
        return _pieces(statement, holes, budget)
    found = find_induction(statement, holes, budget)
    return found if isinstance(found, str) else _from_induction(statement, found)


def _from_induction(statement: Statement, found: Induction) -> FamilyProof:
    theorem = "Theorem 3.1" if statement.claim == "one component" else "Theorem 4.4"
    if statement.rule == "tiles":
        theorem = "patching"
    lines = [f"By induction on {found.measure}."]
    for sizes, step, group in found.bases:
        at = ", ".join(f"{name} = {value}" for name, value in sizes.items())
        board = statement.family.put({name: Linear.of({"": value}) for name, value in sizes.items()})
        tiles = len(step["board"]["cells"]) - found.holes
        lines.append(f"{at}: {board} is computed, {group} on {counted(tiles, 'tile')}.")
    for case in found.cases:
        where = ", ".join(_comparison(form) for form in case.conditions)
        parts = [
            f"{statement.family.put(_moved(statement, part.steps))}{_shift(part.shift)}"
            for part in case.parts
        ]
        lines.append(f"{where or 'Always'}: {statement.family} is the union of {join_words(parts)}.")
        for overlap in case.overlaps:
            cells = join_words([_cell(overlap.anchor, cell) for cell in overlap.cells])
            a, b = (number + 1 for number in overlap.parts)
            lines.append(f"  Parts {a} and {b} share {cells}: {len(overlap.cells)} >= {found.holes + 1}.")
        if case.overlaps:
            lines.append(f"  So they join ({theorem}).")
    rest = "Every other size is in one of these cases, and every part has smaller sizes."
    return FamilyProof(statement, (*lines, rest), found.form)


def _moved(statement: Statement, steps: Sequence[int]) -> dict[str, Linear]:
    return {name: variable(name) + step for name, step in zip(statement.names, steps, strict=True)}


def _comparison(form: Linear) -> str:
    left = Linear(tuple((n, v) for n, v in form.terms if v > 0))
    right = Linear(tuple((n, -v) for n, v in form.terms if v < 0))
    return f"{left} >= {right}"


def _shift(shift: tuple[int, int]) -> str:
    return "" if shift == (0, 0) else f" + ({shift[0]},{shift[1]})"


def _cell(anchor: tuple[Linear, Linear], step: tuple[int, int]) -> str:
    return f"({anchor[0] + step[0]}, {anchor[1] + step[1]})"


def _pieces(statement: Statement, holes: int, budget: Budget | None) -> FamilyProof | str:
    """Prove a board that is a union of trapezoids, as a ring is."""
    m, n = variable("m"), variable("n")
    conditions = (n - 3, m - n, m - 4)
    lemma_statement = Statement(
        Family("hex", "trapezoid", (m, n)), "hextiles", holes, ("m", "n"), conditions, "one component"
    )
    if statement.claim != "one component":
        return "only one component is proved for boards that are not convex"
    if statement.family.name != "ring":
        return "no way was found in which the boards are unions of convex ones"
    lemma = _patched(lemma_statement, holes, budget)
    if isinstance(lemma, str):
        return lemma
    side, width = statement.family.arguments
    sizes = {"m": side + width - 1, "n": width}
    points = smallest_sizes(statement)
    if not points:
        return "no sizes satisfy the conditions"
    given, regions = list(statement.conditions), statement.family.regions
    (model,) = lemma_statement.family.regions
    entries = []
    for piece in regions:
        entry = _match(given, piece, model.put(sizes), points)
        allowed = [Trees.implies(given, form.put(sizes)) for form in conditions]
        if entry is None or None in allowed:
            return "the sides of the ring are too narrow"
        entries.append({**entry, "sizes": {k: v.to_json() for k, v in sizes.items()}, "allowed": allowed})
    overlaps = []
    for a, b in ((0, 4), (4, 2), (2, 1), (1, 5), (5, 3), (3, 0)):
        overlap = find_overlap(given, regions[a], regions[b], points, holes, True)
        if overlap is not None:
            anchor, cells, inside = overlap
            overlaps.append(
                {
                    "parts": [a, b],
                    "anchor": [form.to_json() for form in anchor],
                    "cells": [list(cell) for cell in cells],
                    "inside": inside,
                }
            )
    separate = _separate(given, regions, points)
    if separate is None or len(overlaps) < len(regions) - 1:
        return "the sides of the ring do not overlap enough"
    form = {
        "by": "pieces",
        "lemma": lemma.to_json(),
        "pieces": entries,
        "overlaps": overlaps,
        "separate": separate,
    }
    shown = lemma_statement.family.put(sizes)
    lines = (
        f"{statement.family} is the union of six trapezoids, each a turned {shown} (below).",
        f"Neighbouring ones share at least {holes + 1} cells with a triangle, so they join (Theorem 3.1).",
        "Any two cells that touch lie in one of them, so all triangles are joined.",
    )
    return FamilyProof(statement, lines, form, (lemma,))


def _match(
    given: Sequence[Linear], piece: Region, model: Region, points: Sequence[Mapping[str, int]]
) -> dict[str, Any] | None:
    """Return the turn and shift that take a region to a piece, with multipliers for both inclusions."""
    from slidelab.reach.prover.regions import Placement

    for turn in range(TURNS):
        shifts = []
        for point in points:
            here, there = piece.cells(point), Placement(turn, (0, 0)).of(model.cells(point))
            (q0, r0), (q1, r1) = min(there, default=(0, 0)), min(here, default=(0, 0))
            shift = q1 - q0, r1 - r0
            if {(q + shift[0], r + shift[1]) for q, r in there} != here:
                break
            shifts.append(shift)
        if len(shifts) < len(points):
            continue
        forms = [_fitted(points, [shift[axis] for shift in shifts]) for axis in (0, 1)]
        if forms[0] is None or forms[1] is None:
            continue
        turned = _turned_conditions(model, turn, forms[0], forms[1])
        inside = [Trees.implies([*given, *turned], form) for form in piece.conditions()]
        outside = [Trees.implies([*given, *piece.conditions()], form) for form in turned]
        if None not in inside and None not in outside:
            return {
                "turn": turn,
                "shift": [form.to_json() for form in forms if form is not None],
                "inside": inside,
                "outside": outside,
            }
    return None


def _turned_conditions(model: Region, turn: int, dq: Linear, dr: Linear) -> list[Linear]:
    """Return the conditions of a region turned and shifted, in their order."""
    a, b = variable("q") - dq, variable("r") - dr
    if turn >= 6:
        a, b = b, a
    for _ in range(turn % 6):
        a, b = a + b, -a
    return [form.put({"q": a, "r": b}) for form in model.conditions()]


def _fitted(points: Sequence[Mapping[str, int]], values: Sequence[int]) -> Linear | None:
    """Return the linear form with given values at points, None if there is none."""
    known = {tuple(point.items()): value for point, value in zip(points, values, strict=True)}
    slopes: dict[str, int] = {}
    for point, value in zip(points, values, strict=True):
        for name in point:
            further = tuple({**point, name: point[name] + 1}.items())
            if name not in slopes and further in known:
                slopes[name] = known[further] - value
    if set(slopes) != set(points[0]):
        return None
    constant = values[0] - sum(slopes[name] * size for name, size in points[0].items())
    form = Linear.of({**slopes, "": constant})
    return form if all(form.at(p) == v for p, v in zip(points, values, strict=True)) else None


def _separate(
    given: Sequence[Linear], regions: Sequence[Region], points: Sequence[Mapping[str, int]]
) -> list[dict[str, Any]] | None:
    """Return trees that show that two cells that touch lie in a common piece."""
    trees = []
    for dq, dr in ((1, 0), (0, 1), (-1, 1)):
        beyond = {"q": variable("q") + dq, "r": variable("r") + dr}
        both = [
            [*region.conditions(), *(form.put(beyond) for form in region.conditions())] for region in regions
        ]
        samples = [
            {**point, "q": q, "r": r}
            for point in points[:: max(1, len(points) // 4)]
            for q, r in frozenset().union(*(region.cells(point) for region in regions))
        ]
        for first, second in product(regions, regions):
            conditions = [
                *given,
                *first.conditions(),
                *(form.put(beyond) for form in second.conditions()),
            ]
            tree = Trees.covered(conditions, both, samples)
            if tree is None:
                return None
            trees.append(tree)
    return trees


def _corners(statement: Statement, budget: Budget | None) -> FamilyProof | str:
    """Prove the number of components with tight corners (Lemma 4.3 and Theorem 1.9)."""
    trimmed = {"P": "Ptr", "T": "Ttr"}.get(statement.family.name)
    if trimmed is None or statement.holes != 2 or statement.rule != "hextiles":
        return "numbers of components are proved for P and T with two holes, and for P(2,n)"
    core = replace(statement, family=replace(statement.family, name=trimmed), claim="strong parity")
    below = _patched(core, 2, budget)
    if isinstance(below, str):
        return below
    least = 3 if statement.family.name == "P" else 4
    wide = [Trees.implies(statement.conditions, form - least) for form in statement.family.arguments]
    if None in wide:
        return f"sizes below {least} are allowed"
    allowed = [Trees.implies(statement.conditions, form) for form in core.conditions]
    form = {"by": "tight corners", "core": below.to_json(), "wide": wide, "allowed": allowed}
    corners = 2 if trimmed == "Ptr" else 3
    lines = (
        f"The {corners} tight corners keep their tiles as long as there are two holes (Lemma 4.1),",
        f"and what is left, {core.family}, has two components for each choice of these tiles (Lemma 4.3).",
    )
    return FamilyProof(statement, lines, form, (below,))


def _is_strip(family: Family) -> bool:
    """Return whether the boards have two rows or two columns."""
    two = Linear.of({"": 2})
    if family.name == "P":
        return two in family.arguments
    return family.name == "trapezoid" and family.arguments[1] == two


def _order(statement: Statement) -> FamilyProof | str:
    """Prove that tiles keep their order on two columns (Theorem 1.1)."""
    holes = (
        variable(statement.holes) if isinstance(statement.holes, str) else Linear.of({"": statement.holes})
    )
    enough = Trees.implies(statement.conditions, holes - 2)
    columns, rows = statement.family.arguments
    upright = columns == Linear.of({"": 2})
    longer = Trees.implies(statement.conditions, (rows if upright else columns) - 2)
    if enough is None or longer is None:
        return "two holes and two rows are needed"
    order, name = ([1, 2], "q + 2r") if upright else ([2, 1], "2q + r")
    lines = (
        f"Number the cell (q,r) by {name}. Every triangle is three consecutive cells,",
        "and a tile moves within a triangle whose other cells are holes: it passes no tile. So tiles keep",
        "their order, and every order is a component of its own (Theorem 1.1).",
    )
    return FamilyProof(statement, lines, {"by": "order", "order": order, "holes": enough, "longer": longer})


def _checked(proof: FamilyProof) -> FamilyProof | str:
    """Return the proof if the independent checker accepts it, otherwise why it does not."""
    try:
        proof.check()
    except Refused as problem:
        return str(problem)
    return proof


def _connection(statement: Statement, budget: Budget | None) -> FamilyProof | str:
    if statement.holes != 2:
        return "a connection number is stated without a number of holes"
    three = _patched(replace(statement, holes=3, claim="one component"), 3, budget)
    if isinstance(three, str):
        return three
    lines = (
        "With two holes no odd permutation can be made (Corollary 1.6), so there are two components or more.",
        "With three holes there is one (below).",
    )
    return FamilyProof(statement, lines, {"by": "connection number", "three": three.to_json()}, (three,))


def _proper(statement: Statement) -> FamilyProof | str:
    """Prove that gourds with one empty cell have one component on convex boards."""
    if statement.claim != "one component" or statement.holes != 1 or statement.family.kind != "hex":
        return "of gourds, one component with one empty cell is proved, on hexagons"
    regions = statement.family.regions
    points = smallest_sizes(statement)
    if len(regions) > 1 or not points:
        return "the boards are not convex"
    found = find_overlap(list(statement.conditions), regions[0], regions[0], points, 2, True)
    if found is None:
        return "a board may have no triangle"
    anchor, cells, inside = found
    half = len(regions[0].conditions())
    form = {
        "by": "proper board",
        "anchor": [each.to_json() for each in anchor],
        "cells": [list(cell) for cell in cells],
        "inside": [proofs[:half] for proofs in inside],
    }
    triangle = join_words([_cell(anchor, cell) for cell in cells])
    lines = (
        f"{statement.family} is convex and contains the triangle {triangle}.",
        "So it is 2-connected, has no hole and is no star: a proper board, on which gourds with one empty",
        "cell have one component (Gourds, Theorem 9), whenever the number of cells is odd.",
    )
    return FamilyProof(statement, lines, form)
