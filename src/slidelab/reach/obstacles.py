"""Why a goal cannot be reached: the obstacle, found in the group, with a sentence and a certificate.

What each kind of certificate says is in `slidelab.reach.certificate`, which checks them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from slidelab.boards import tight_corners
from slidelab.boards.walks import DisjointSets
from slidelab.messages import join_words
from slidelab.reach.explanations import (
    THETA0,
    cells_apart,
    cyclic_order,
    locked,
    odd_permutation,
    wrong_colours,
)
from slidelab.reach.group import PermutationGroup
from slidelab.reach.invariants import find_invariant
from slidelab.reach.question import Question
from slidelab.reach.reachable_cells import orbit_cells
from slidelab.reach.signs import even_relation, sign_bits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Refusal", "find_obstacle"]

Refusal = tuple[str, dict[str, Any]]
"""The sentence on an obstacle, and the certificate that it exists."""

MAX_PLACES_WORK = 200_000
"""Shapes times pieces up to which the cells that a piece can reach are listed in a sentence."""

MAX_PLACES = 6
"""Placements that a sentence lists."""

MAX_CYCLIC_ORDER = 5_000
"""Order of a group in which an element is looked for that is one cycle."""

MAX_RECOLOUR_NODES = 1_000_000
"""Nodes of a search that shows that some pieces alone cannot get to their goals."""


def find_obstacle(question: Question) -> Refusal:
    """Return why the goal cannot be reached, and a certificate; `Question.solution` has found none.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex P(3,3)")
    >>> start = p.configuration("2 1 3 4 5 6 7 . .")
    >>> reason, certificate = find_obstacle(Question(sl.gain_graph(p), start, p.goal))
    >>> reason
    'tile 2 sits in the tight corner at cell 0 and leaves it only to return (Lemma 4.1)'
    >>> certificate
    {'kind': 'corner', 'cell': 0, 'pieces': [2]}
    """
    if not question.same_family:
        return _other_family(question)
    if question.puzzle.colours is not None:
        return _wrong_orbit_colours(question) or _odd_colours(question) or _no_match()
    needed = question.needed.tolist()
    return (
        find_invariant(question.start, question.goal)
        or _wrong_orbit(question, needed)
        or _odd_pieces(question, needed)
        or _broken_cycle(question, needed)
        or _few_pieces(question, needed)
    )


def _other_family(question: Question) -> Refusal:
    rule = question.puzzle.rule
    reason = locked(question.start, question.goal)
    if reason is None and rule.cells > 1:
        reason = f"the {rule.piece}s can never reach the placements of the goal"
    return reason or "the holes can never get where the goal has them", {"kind": "shapes"}


# One piece in the wrong orbit


def _wrong_orbit(question: Question, needed: list[int]) -> Refusal | None:
    orbit_of = {x: number for number, orbit in enumerate(question.group.orbits) for x in orbit}
    misplaced = {question.piece(x) for x, y in enumerate(needed) if orbit_of[x] != orbit_of[y]}
    if not misplaced:
        return None
    # With two holes, a tile that needs both to move leaves a tight corner only to return.
    bound = question.puzzle.rule.needs_companion and question.puzzle.hole_count == 2
    corners = set(tight_corners(question.puzzle.board)) if bound else set()
    piece = min(misplaced, key=lambda k: (question.start.pieces[k - 1][0] not in corners, k))
    return _misplaced_reason(question, piece, corners), {"kind": "pieces", "pieces": [piece]}


def _misplaced_reason(question: Question, piece: int, corners: set[int]) -> str:
    here, there = question.start.pieces[piece - 1], question.goal.pieces[piece - 1]
    name = f"{question.puzzle.rule.piece} {piece}"
    if question.puzzle.rule.cells > 1:
        if set(here) == set(there):
            return f"{name} would have to be turned round, and it can't be"
        only = _only_places(question, piece)
        return f"{name} can never get from cells {join_words(here)} to cells {join_words(there)}{only}"
    if here[0] in corners and here != there:
        return f"{name} sits in the tight corner at cell {here[0]} and leaves it only to return"
    if there[0] in corners and here != there:
        return f"{name} can never get into the tight corner at cell {there[0]}, where another belongs"
    return f"{name} {cells_apart(question.puzzle.board, here[0], there[0])}"


def _only_places(question: Question, piece: int) -> str:
    """Return where the piece can lie at all, if that is quickly found and said."""
    if question.family.shapes * question.puzzle.piece_count > MAX_PLACES_WORK:
        return ""
    point = question.arrangement.tolist().index((piece - 1) * question.turns)
    found = {tuple(sorted(cells)) for cells in orbit_cells(question.family, question.group, point)}
    if len(found) > MAX_PLACES:
        return ""
    return f", it can only ever lie on {' or '.join('-'.join(map(str, c)) for c in sorted(found))}"


# Parity


def _odd_pieces(question: Question, needed: list[int]) -> Refusal | None:
    """Find a union of sets of pieces that every loop permutes evenly, and the goal oddly."""
    turns, classes = question.turns, _piece_classes(question)
    for on in ("pieces", "ends", "both") if turns == 2 else ("pieces",):
        relation = _odd_relation(question, needed, classes, on)
        if relation is not None:
            pieces = sorted(question.piece(k * turns) for c in relation for k in classes[c])
            everyone = len(pieces) == question.puzzle.piece_count
            reason = odd_permutation(question.puzzle.rule.piece, pieces, everyone=everyone, on=on)
            return reason, {"kind": "parity", "on": on, "pieces": pieces}
    return None


def _piece_classes(question: Question) -> list[list[int]]:
    """Return the sets of slots that exchange their pieces."""
    sets = DisjointSets(question.puzzle.piece_count)
    for orbit in question.group.orbits:
        for point in orbit:
            sets.union(orbit[0] // question.turns, point // question.turns)
    return sets.sets()


def _odd_relation(
    question: Question, needed: list[int], classes: list[list[int]], on: str, swaps: Sequence[int] = ()
) -> list[int] | None:
    """Return classes that all loops (and swaps) permute evenly together, and the goal oddly."""
    import numpy as np

    rows = _class_signs(question, question.group.generators, classes, on)
    (goal,) = _class_signs(question, np.array([needed], dtype=np.uint16), classes, on)
    return even_relation([*sorted(set(rows)), *swaps], goal)


def _class_signs(
    question: Question, permutations: NDArray[np.uint16], classes: list[list[int]], on: str
) -> list[int]:
    """Return for every permutation a bit for each class whose pieces, ends or both it permutes oddly."""
    turns = question.turns
    bits = [0] * len(permutations)
    if on != "ends":
        bits = sign_bits(permutations[:, ::turns] // turns, classes)
    if on != "pieces":
        points = [[slot * turns + mark for slot in slots for mark in range(turns)] for slots in classes]
        bits = [a ^ b for a, b in zip(bits, sign_bits(permutations, points), strict=True)]
    return bits


# Cyclic order


def _broken_cycle(question: Question, needed: list[int]) -> Refusal | None:
    """Find an orbit whose points the group only rotates, and whose cyclic order the goal breaks."""
    for orbit in question.group.moved_orbits:
        if len(orbit) < 4 or question.turns > 1:
            continue
        action = question.group.on(orbit)
        order = _full_cycle(action, orbit) if action.order == len(orbit) else None
        if order is None:
            continue
        following = dict(zip(order, order[1:] + order[:1], strict=True))
        if any(following[needed[x]] != needed[y] for x, y in following.items()):
            reason = cyclic_order(question.puzzle.rule.piece, [str(question.piece(x)) for x in order])
            return reason, {"kind": "cycle", "order": [int(question.arrangement[x]) for x in order]}
    return None


def _full_cycle(group: PermutationGroup, orbit: Sequence[int]) -> list[int] | None:
    """Return the orbit in the order of an element that is one cycle on it."""
    for element in group.elements(limit=MAX_CYCLIC_ORDER):
        order = [0]
        while (following := element[order[-1]]) != 0:
            order.append(following)
        if len(order) == len(orbit):
            rises = sum(b > a for a, b in pairwise(order))
            if 2 * rises < len(order):  # follow the direction in which the slots are numbered
                order = [0, *order[:0:-1]]
            return [sorted(orbit)[x] for x in order]
    return None


# Several pieces together


def _few_pieces(question: Question, needed: list[int]) -> Refusal:
    """Find as few pieces as possible that alone cannot get to their goals together."""
    group, noun = question.group, question.puzzle.rule.piece
    slot_of = {question.piece(slot * question.turns): slot for slot in range(question.puzzle.piece_count)}
    labelled = sorted(slot_of)
    for piece in list(labelled):
        fewer = [slot_of[other] for other in labelled if other != piece]
        if _is_impossible(question, needed, fewer):
            labelled.remove(piece)
    names = f"{noun}s {join_words(labelled)}" if len(labelled) > 1 else f"{noun} {labelled[0]}"
    why = f"the loops of this board make only {group.order:,} of the permutations of its {noun}s"
    if group.name == "PGL(2,5)":
        why = THETA0
    reason = f"{names} cannot all get to their places together: {why}"
    return reason, {"kind": "pieces", "pieces": labelled}


def _is_impossible(question: Question, needed: list[int], slots: list[int]) -> bool:
    """Return whether the pieces in some slots certainly cannot get to their goals together."""
    import numpy as np

    here = np.zeros(question.group.degree, dtype=np.uint32)
    there = here.copy()
    for slot in slots:
        for point in range(slot * question.turns, (slot + 1) * question.turns):
            here[point] = there[needed[point]] = point + 1
    found, certain = question.recolour(here, there, MAX_RECOLOUR_NODES)
    return certain and found is None


# Colours


def _wrong_orbit_colours(question: Question) -> Refusal | None:
    """Find an orbit on which the goal has other colours than the start."""
    here, there = question.colours
    for orbit in question.group.orbits:
        points = list(orbit)
        if sorted(here[points].tolist()) != sorted(there[points].tolist()):
            cells = sorted({question.start.pieces[question.piece(x) - 1][0] for x in points})
            certificate = {"kind": "colours", "points": sorted(int(question.arrangement[x]) for x in orbit)}
            return wrong_colours(question.puzzle.rule.piece, cells), certificate
    return None


def _odd_colours(question: Question) -> Refusal | None:
    """Find pieces of different colours, as good as numbered, that the goal permutes oddly."""
    if question.turns > 1:
        return None
    here, there = (colours.tolist() for colours in question.colours)
    needed = list(range(len(here)))
    for orbit in question.group.orbits:
        first, last = sorted(orbit, key=here.__getitem__), sorted(orbit, key=there.__getitem__)
        for x, y in zip(first, last, strict=True):
            needed[x] = y
    classes = _piece_classes(question)
    swaps = [1 << i for i, slots in enumerate(classes) if len({here[x] for x in slots}) < len(slots)]
    relation = _odd_relation(question, needed, classes, "pieces", swaps)
    if relation is None:
        return None
    pieces = sorted(question.piece(k) for c in relation for k in classes[c])
    names = " ".join((question.puzzle.colours or ())[piece - 1][0] for piece in pieces)
    reason = odd_permutation(question.puzzle.rule.piece, [names], everyone=False)
    goal = [list(cells) for cells in question.named_goal(needed)]
    return reason, {"kind": "parity", "on": "pieces", "pieces": pieces, "goal": goal}


def _no_match() -> Refusal:
    return "no loop of moves brings these colours to their places", {"kind": "words"}
