"""Check proofs about families of boards with symbolic sizes.

A statement says what can be reached on all boards of a family whose sizes satisfy linear conditions. Its
proof is one of

- ``induction``: a board whose sizes are in a case is the union of smaller boards of the family (shifted),
  whose overlaps hold all holes and one more tile and join all of them; finitely many boards are in no case,
  and are computed. All inclusions are linear conditions with multipliers that prove them.
- ``pieces``: the board is the union of pieces, each a member of a family of which a statement is proved.
- ``more holes``: the same with fewer holes is proved.
- ``special case``: the same is proved under weaker conditions on the sizes.
- ``tight corners``: with two holes, a statement about the board without its tight corners is proved.
- ``order``: every triangle is three consecutive cells in an order, so tiles never pass each other.
- ``weak parity``: hexagonal tiles with two holes (Corollary 1.6).
- ``connection number``: one component with three holes, and weak parity with two.
- ``proper board``: gourds on convex boards (Theorem 9 of the paper on gourds).

Taken for granted, with a proof in docs/proofs.md: patching, and that the triangles of a convex board are
joined through common edges and cover it as soon as there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from slidelab.reach.proof_check.cells import Cell
from slidelab.reach.proof_check.concrete import ALL, EVEN, check_computed
from slidelab.reach.proof_check.formulas import check_corner_formula, check_factorial_formula
from slidelab.reach.proof_check.linear import (
    Form,
    add,
    check_covered,
    check_implied,
    put,
    read_form,
    scale,
    value,
)
from slidelab.reach.proof_check.refusal import Refused, items, need, need_proof, number, numbers, part
from slidelab.reach.proof_check.statements import (
    COORDINATES,
    Claim,
    Region,
    constant,
    least_sizes,
    read_claim,
    regions,
)

__all__ = ["check_family"]

MAX_REACH = 400
"""Largest coordinate of a cell of a computed board."""

MAX_BOX = 100_000
"""Boards that are gone through to see which are in no case."""


def check_family(form: Mapping[str, Any], depth: int = 0) -> Claim:
    """Return the statement that a proof proves, or raise `Refused` with what does not hold."""
    need(depth < 5, "proofs are nested too deep")
    need_proof(form)
    claim = read_claim(part(form, "statement"))
    proof = part(form, "proof")
    sizes = least_sizes(claim.name, claim.arguments)
    proofs = items(part(form, "boards"))
    need(len(proofs) == len(sizes), "the sizes are not shown to be those of boards")
    for size, multipliers in zip(sizes, proofs, strict=True):
        check_implied(claim.conditions, size, multipliers, "that the sizes are those of boards")
    checks: dict[str, Callable[[Claim, Any, int], None]] = {
        "induction": _check_induction,
        "more holes": _check_more_holes,
        "special case": _check_special_case,
        "pieces": _check_pieces,
        "tight corners": _check_corners,
        "order": _check_order,
        "weak parity": _check_weak_parity,
        "connection number": _check_connection,
        "proper board": _check_proper,
    }
    by = part(proof, "by")
    if not isinstance(by, str) or by not in checks:
        raise Refused(f"expected a proof by one of {', '.join(checks)}, got {str(by)[:40]!r}")
    checks[by](claim, proof, depth)
    return claim


def _need_component_claim(claim: Claim) -> None:
    """Refuse a claim that patching does not prove."""
    expected = ("strong parity", "two components") if claim.even else ("one component",)
    need(claim.claim in expected, f"what is proved is {expected[0]}, not {claim.claim[:40]!r}")


def _check_induction(claim: Claim, proof: Any, _: int) -> None:
    _need_component_claim(claim)
    need(number(part(proof, "holes"), 1) == claim.holes, "another number of holes")
    need(claim.rule in ("hextiles", "tiles"), "gourds are not patched")
    pieces = regions(claim.kind, claim.name, claim.arguments)
    need(len(pieces) == 1, "an induction is about convex boards")
    domain, names = list(claim.conditions), claim.names
    measure = read_form(part(proof, "measure"), names)
    least = part(proof, "least")
    bottom = add(measure, {"": -number(part(least, "value"), -(10**6))})
    check_implied(domain, bottom, part(least, "sum"), "that the measure is bounded")
    cases = [
        _check_case(claim, case, pieces[0], measure, place)
        for place, case in enumerate(items(part(proof, "cases")))
    ]
    _check_rest(claim, proof, cases)


def _check_case(claim: Claim, case: Any, region: Region, measure: Form, place: int) -> list[Form]:
    """Check one case; return the conditions under which it applies."""
    names, where = claim.names, f"case {place}"
    extra = [read_form(form, names) for form in items(part(case, "conditions"))]
    given = [*claim.conditions, *extra]
    parts: list[Region] = []
    for entry in items(part(case, "parts")):
        sizes = part(entry, "sizes")
        values = {name: read_form(part(sizes, name), names) for name in names}
        drop = add(measure, scale(put(measure, values), -1))
        need(set(drop) <= {""} and drop.get("", 0) > 0, f"{where}: a part is not smaller")
        allowed = items(part(entry, "allowed"))
        need(len(allowed) == len(claim.conditions), f"{where}: a condition of a part is not proved")
        for form, multipliers in zip(claim.conditions, allowed, strict=True):
            check_implied(given, put(form, values), multipliers, f"{where}: a condition of a part")
        dx, dy = numbers(part(entry, "shift"), 2)
        back = {**values, "q": {"q": 1, "": -dx}, "r": {"r": 1, "": -dy}}
        moved = [put(form, back) for form in region]
        inside = items(part(entry, "inside"))
        need(len(inside) == len(region), f"{where}: a part is not shown to lie in the board")
        for form, multipliers in zip(region, inside, strict=True):
            check_implied([*given, *moved], form, multipliers, f"{where}: that a part lies in the board")
        parts.append(moved)
    need(len(parts) > 0, f"{where}: there are no parts")
    check_covered([*given, *region], parts, part(case, "cover"), f"{where}: that the parts cover the board")
    _check_overlaps(claim, given, parts, items(part(case, "overlaps")), where)
    return extra


def _check_overlaps(
    claim: Claim, given: Sequence[Form], parts: Sequence[Region], entries: Sequence[Any], where: str
) -> None:
    """Check that overlaps hold all holes and one more tile, and join all parts."""
    holes = number(claim.holes, 1)
    joined = [{index} for index in range(len(parts))]
    for entry in entries:
        a, b = (number(index, 0, len(parts)) for index in numbers(part(entry, "parts"), 2))
        anchor = [read_form(form, claim.names) for form in items(part(entry, "anchor"))]
        need(len(anchor) == 2, f"{where}: an overlap has no place")
        steps = [numbers(cell, 2) for cell in items(part(entry, "cells"))]
        cells = {(x, y) for x, y in steps}
        need(len(cells) > holes, f"{where}: an overlap has {len(cells)} cells, and {holes + 1} are needed")
        if claim.rule == "hextiles":
            need(_has_triangle(cells), f"{where}: an overlap has no triangle")
        proofs = items(part(entry, "inside"))
        need(len(proofs) == len(steps), f"{where}: a cell of an overlap is not shown to lie there")
        for (x, y), multipliers in zip(steps, proofs, strict=True):
            at = {"q": add(anchor[0], constant(x)), "r": add(anchor[1], constant(y))}
            both = [*parts[a], *parts[b]]
            need(
                len(items(multipliers)) == len(both),
                f"{where}: a cell of an overlap is not shown to lie there",
            )
            for form, each in zip(both, multipliers, strict=True):
                check_implied(given, put(form, at), each, f"{where}: that a cell lies in the overlap")
        merged = joined[a] | joined[b]
        for index in merged:
            joined[index] = merged
    need(len(joined[0]) == len(parts), f"{where}: the overlaps do not join all parts")


def _has_triangle(cells: set[Cell]) -> bool:
    return any({(q + 1, r), (q, r + 1)} <= cells or {(q + 1, r), (q + 1, r - 1)} <= cells for q, r in cells)


def _check_rest(claim: Claim, proof: Any, cases: Sequence[Sequence[Form]]) -> None:
    """Check that only finitely many boards are in no case, and that each of them is computed."""
    names, domain = claim.names, list(claim.conditions)
    ranges = []
    for name in names:
        low = part(part(proof, "lower"), name)
        least = number(part(low, "value"), -(10**6))
        check_implied(domain, {name: 1, "": -least}, part(low, "sum"), f"that {name} is bounded below")
        most = number(part(part(proof, "upper"), name), -(10**6))
        above = {name: 1, "": -most - 1}
        tree = part(part(proof, "rest"), name)
        check_covered([*domain, above], cases, tree, f"that boards with {name} > {most} are in a case")
        ranges.append(range(least, most + 1))
    total = 1
    for each in ranges:
        total *= len(each)
    need(total <= MAX_BOX, "too many boards are in no case")
    computed: dict[tuple[int, ...], Any] = {}
    for entry in items(part(proof, "bases")):
        sizes = part(entry, "sizes")
        need(set(sizes) == set(names), "a computed board has other sizes")
        at = tuple(number(sizes[name], -(10**6)) for name in names)
        need(at not in computed, "a board is computed twice")
        computed[at] = part(entry, "step")
    used = 0
    for point in product(*ranges):
        sizes = dict(zip(names, point, strict=True))
        if any(value(form, sizes) < 0 for form in domain):
            continue
        if any(all(value(form, sizes) >= 0 for form in case) for case in cases):
            continue
        need(point in computed, f"the board with {sizes} is neither in a case nor computed")
        _check_base(claim, sizes, computed[point])
        used += 1
    need(used > 0, "no board is computed")
    need(used == len(computed), "a board is computed that is in a case, or is none of the family")


def _check_base(claim: Claim, sizes: Mapping[str, int], step: Any) -> None:
    """Check the computed board with given sizes."""
    need(part(step, "by") == "computed", "a board at which the induction begins is not computed")
    proved = check_computed(step, claim.kind, claim.rule)
    need(part(step, "claim") == proved.claim, f"a computed board has {proved.claim}, not what it claims")
    (region,) = regions(claim.kind, claim.name, claim.arguments)
    need(proved.cells == _cells(region, sizes), f"the board computed for {dict(sizes)} is another one")
    need(proved.holes == claim.holes, "a board is computed with another number of holes")
    need(proved.claim == (EVEN if claim.even else ALL), "a computed board has another group")
    if claim.even:  # three tiles in each patch, and every larger board contains a computed one
        need(len(proved.cells) >= proved.holes + 3, "a computed board has fewer than three tiles")


def _cells(region: Region, sizes: Mapping[str, int]) -> frozenset[Cell]:
    """Return the cells of a region, all of whose coordinates are bounded by two of its bounds together."""
    fixed = []
    reach = 0
    for form in region:
        rest = {name: coefficient for name, coefficient in form.items() if name not in COORDINATES}
        fixed.append((form.get("q", 0), form.get("r", 0), value(rest, sizes)))
        reach = max(reach, 2 * abs(fixed[-1][2]) + 1)
    need(reach <= MAX_REACH, "a computed board is too large")
    found = frozenset(
        (q, r)
        for q in range(-reach, reach + 1)
        for r in range(-reach, reach + 1)
        if all(a * q + b * r + c >= 0 for a, b, c in fixed)
    )
    need(all(max(abs(q), abs(r)) < reach for q, r in found), "a computed board is not bounded")
    return found


def _same_family(a: Claim, b: Claim) -> bool:
    return (a.kind, a.name, a.arguments, a.rule) == (b.kind, b.name, b.arguments, b.rule)


def _check_more_holes(claim: Claim, proof: Any, depth: int) -> None:
    earlier = check_family(part(proof, "of"), depth + 1)
    need(_same_family(claim, earlier) and claim.rule != "gourds", "the proof is about other boards")
    need(claim.claim == earlier.claim == "one component", "only one component is kept by more holes")
    fewest = number(earlier.holes, 1)
    for form in earlier.conditions:  # about the same sizes, the number of holes among them if it is one
        need(form in claim.conditions, "the proof needs other conditions")
    if isinstance(claim.holes, str):
        multipliers = part(proof, "sum")
        check_implied(
            claim.conditions, {claim.holes: 1, "": -fewest}, multipliers, f"{claim.holes} >= {fewest}"
        )
    else:
        need(claim.holes >= fewest, "the proof is about more holes")


def _check_special_case(claim: Claim, proof: Any, depth: int) -> None:
    """Check that the same is proved for all sizes with weaker conditions."""
    earlier = check_family(part(proof, "of"), depth + 1)
    need(_same_family(claim, earlier), "the proof is about other boards")
    need((claim.holes, claim.claim) == (earlier.holes, earlier.claim), "the proof is about another claim")
    need(set(earlier.names) <= set(claim.names), "the proof is about other sizes")
    allowed = items(part(proof, "allowed"))
    need(len(allowed) == len(earlier.conditions), "a condition of the proof is not shown")
    for form, multipliers in zip(earlier.conditions, allowed, strict=True):
        check_implied(claim.conditions, form, multipliers, "a condition of the proof")


def _turned(region: Region, turn: int) -> Region:
    """Return the conditions of a region turned about (0, 0), by what the inverse turn does to q and r."""
    a, b = {"q": 1}, {"r": 1}
    if turn >= 6:
        a, b = b, a
    for _ in range(turn % 6):  # the inverse of (q, r) -> (-r, q + r) is (q, r) -> (q + r, -q)
        a, b = add(a, b), scale(a, -1)
    return [put(form, {"q": a, "r": b}) for form in region]


def _check_pieces(claim: Claim, proof: Any, depth: int) -> None:
    """Check a board that is the union of members of other families."""
    _need_component_claim(claim)
    need(claim.kind == "hex" and claim.rule == "hextiles", "only hexagonal tiles are patched")
    lemma = check_family(part(proof, "lemma"), depth + 1)
    need(lemma.rule == claim.rule and lemma.holes == claim.holes, "the lemma is about another puzzle")
    _need_component_claim(lemma)
    (lemma_region,) = regions(lemma.kind, lemma.name, lemma.arguments)
    given, names = list(claim.conditions), claim.names
    pieces = regions(claim.kind, claim.name, claim.arguments)
    entries = items(part(proof, "pieces"))
    need(len(entries) == len(pieces), "a piece is not proved")
    for entry, piece in zip(entries, pieces, strict=True):
        sizes = part(entry, "sizes")
        values = {name: read_form(part(sizes, name), names) for name in lemma.names}
        allowed = items(part(entry, "allowed"))
        need(len(allowed) == len(lemma.conditions), "a condition of the lemma is not proved")
        for form, multipliers in zip(lemma.conditions, allowed, strict=True):
            check_implied(given, put(form, values), multipliers, "a condition of the lemma")
        shift = [read_form(form, names) for form in items(part(entry, "shift"))]
        need(len(shift) == 2, "a piece has no place")
        back = {
            "q": add({"q": 1}, scale(shift[0], -1)),
            "r": add({"r": 1}, scale(shift[1], -1)),
        }
        turned = _turned([put(form, values) for form in lemma_region], number(part(entry, "turn"), 0, 12))
        moved = [put(form, back) for form in turned]
        for there, here, key in ((moved, piece, "inside"), (piece, moved, "outside")):
            proofs = items(part(entry, key))
            need(len(proofs) == len(here), "a piece is not shown to be a member of the family")
            for form, multipliers in zip(here, proofs, strict=True):
                check_implied([*given, *there], form, multipliers, "that a piece is a member of the family")
    _check_overlaps(claim, given, pieces, items(part(proof, "overlaps")), "the pieces")
    _check_separate(given, pieces, part(proof, "separate"))


def _check_separate(given: Sequence[Form], pieces: Sequence[Region], trees: Any) -> None:
    """Check that two cells of the board that touch always lie in a common piece.

    Then every triangle lies in a piece, or has an edge in a triangle of one: a convex region that contains an
    edge and a triangle has a triangle with that edge.
    """
    steps: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1))
    listed = items(trees)
    need(len(listed) == len(steps) * len(pieces) ** 2, "pairs of cells that touch are missing")
    entry = iter(listed)
    for dq, dr in steps:
        beyond = {"q": {"q": 1, "": dq}, "r": {"r": 1, "": dr}}
        both = [[*piece, *(put(form, beyond) for form in piece)] for piece in pieces]
        for first, second in product(pieces, pieces):
            conditions = [*given, *first, *(put(form, beyond) for form in second)]
            check_covered(conditions, both, next(entry), "that touching cells lie in a common piece")


def _tight_corners(claim: Claim) -> tuple[int, str, tuple[Form, ...]]:
    """Return the number of tight corners of a family, and the family without them."""
    if (claim.kind, claim.name) == ("hex", "P"):
        return 2, "Ptr", claim.arguments
    if (claim.kind, claim.name) == ("hex", "T"):
        return 3, "Ttr", claim.arguments
    raise Refused(f"the tight corners of {claim.name[:20]} are not known")


def _check_corners(claim: Claim, proof: Any, depth: int) -> None:
    core = check_family(part(proof, "core"), depth + 1)
    corners, name, arguments = _tight_corners(claim)
    need((core.kind, core.name, core.arguments) == ("hex", name, arguments), "the core is another board")
    need(
        core.rule == claim.rule == "hextiles" and core.holes == claim.holes == 2,
        "tight corners need two holes",
    )
    need(core.claim in ("strong parity", "two components"), "the core has no strong parity")
    multipliers = items(part(proof, "allowed"))
    need(len(multipliers) == len(core.conditions), "a condition of the core is not proved")
    for form, each in zip(core.conditions, multipliers, strict=True):
        check_implied(claim.conditions, form, each, "a condition of the core")
    # Corners are tight, and no two the same, from 3 on in P and from 4 on in T.
    wide = items(part(proof, "wide"))
    need(len(wide) == len(claim.arguments), "the width is not proved")
    for form, each in zip(claim.arguments, wide, strict=True):
        check_implied(claim.conditions, add(form, {"": -3 if claim.name == "P" else -4}), each, "the width")
    check_corner_formula(claim.claim, claim.name, claim.arguments, claim.names, corners)


def _check_order(claim: Claim, proof: Any, _: int) -> None:
    """Check that cells can be ordered so that every triangle is three consecutive ones.

    The order is a q + b r. The corners of a triangle that points up are (0,0), (1,0) and (0,1), of the others
    (1,0), (0,1) and (1,1), up to a shift. No two cells have the same place if there are two columns and
    a = 1, b = 2, or two rows and a = 2, b = 1.
    """
    a, b = numbers(part(proof, "order"), 2)
    for corners in ((0, a, b), (a, b, a + b)):
        need(max(corners) - min(corners) == 2 and len(set(corners)) == 3, "a triangle is not consecutive")
    need((claim.kind, claim.rule) == ("hex", "hextiles"), "only hexagonal tiles are ordered")
    two = {"": 2}
    if claim.name == "P" and claim.arguments[0] == two:
        need((a, b) == (1, 2), "two cells have the same place in the order")
        longer, cells = claim.arguments[1], scale(claim.arguments[1], 2)
    elif claim.name in ("P", "trapezoid") and claim.arguments[1] == two:
        need((a, b) == (2, 1), "two cells have the same place in the order")
        longer, cells = claim.arguments[0], scale(claim.arguments[0], 2)
        if claim.name == "trapezoid":
            cells = add(cells, {"": -1})
    else:
        raise Refused("only boards of two rows or columns are ordered")
    holes = {claim.holes: 1} if isinstance(claim.holes, str) else {"": number(claim.holes, 1)}
    check_implied(claim.conditions, add(holes, {"": -2}), part(proof, "holes"), "at least two holes")
    check_implied(claim.conditions, add(longer, {"": -2}), part(proof, "longer"), "that there is a triangle")
    check_factorial_formula(claim.claim, add(cells, scale(holes, -1)), claim.names)


def _check_weak_parity(claim: Claim, proof: Any, _: int) -> None:
    need(claim.kind == "hex" and claim.rule == "hextiles" and claim.holes == 2, "only two holes are even")
    need(claim.claim == "weak parity", "what is proved is weak parity")


def _check_connection(claim: Claim, proof: Any, depth: int) -> None:
    three = check_family(part(proof, "three"), depth + 1)
    need(_same_family(claim, three) and claim.kind == "hex" and claim.rule == "hextiles", "other boards")
    need(three.holes == 3 and three.claim == "one component", "three holes are not proved")
    need(claim.claim == "connection number 3", "what is proved is connection number 3")
    need(claim.holes == 2, "a connection number is stated without a number of holes")
    for form in three.conditions:
        need(form in claim.conditions, "the proof needs other conditions")


def _check_proper(claim: Claim, proof: Any, _: int) -> None:
    """Check that a board is convex and has a triangle: then it is 2-connected, without holes, and no star."""
    need(
        claim.kind == "hex" and claim.rule == "gourds" and claim.holes == 1, "only gourds with one empty cell"
    )
    need(claim.claim == "one component", "what is proved is one component")
    pieces = regions(claim.kind, claim.name, claim.arguments)
    need(len(pieces) == 1, "the board is not convex")
    anchor = [read_form(form, claim.names) for form in items(part(proof, "anchor"))]
    cells = [numbers(cell, 2) for cell in items(part(proof, "cells"))]
    need(len(anchor) == 2 and _has_triangle({(x, y) for x, y in cells}), "there is no triangle")
    proofs = items(part(proof, "inside"))
    need(len(proofs) == len(cells), "the triangle is not shown to lie in the board")
    for (x, y), multipliers in zip(cells, proofs, strict=True):
        at = {"q": add(anchor[0], constant(x)), "r": add(anchor[1], constant(y))}
        need(len(items(multipliers)) == len(pieces[0]), "the triangle is not shown to lie in the board")
        for form, each in zip(pieces[0], multipliers, strict=True):
            check_implied(claim.conditions, put(form, at), each, "that a triangle lies in the board")
