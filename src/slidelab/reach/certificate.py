"""Certificates: why a verdict is right, in a form that can be checked without the group code.

`check` trusts nothing in a certificate. It replays moves by the rule, or walks over the shapes carrying the
pieces along and tests whether every loop respects what the certificate claims. The only mathematics it takes
for granted is stated with each kind below. This module and `plain_search` have their own copies of
breadth-first search and of the parity of a permutation on purpose: the checker must not share code with what
it checks.

For "yes":

- ``moves``: a list of moves from start to goal.
- ``loops``: for boards too big to write moves for. Loops at the start, a program that multiplies them, and
  for sets of points a product that is a cycle of prime length p on that set, with n/2 < p <= n-3, and moves
  nothing else. By Jordan's theorem the loops make all even permutations of such a set if they join all its
  points; the rest is one product that has the right effect elsewhere and the right sign there.
- ``patching``: a proof that the board is covered by patches on which tiles can be permuted, whose steps are
  checked one by one (`slidelab.reach.proof_check`).
- ``theorem``: a theorem of the papers whose conditions are checked on the board. This kind trusts the
  theorem, and for tiles on any board also `slidelab.reach.regions`, which finds the regions of the board, and
  `slidelab.reach.decision`, which compares start and goal orbit by orbit.

For "no":

- ``shapes``: a walk over all shapes does not meet the goal's holes (or the placements of its gourds).
- ``pieces``: with only these pieces labelled, a plain search does not reach the goal.
- ``parity``: every loop keeps these pieces among themselves and permutes them evenly (or turns evenly many
  of them round, or both together); the goal does not.
- ``cycle``: every loop keeps these points in cyclic order; the goal does not.
- ``colours``: every loop keeps these points among themselves; the goal has other colours there.
- ``words``: a plain search over coloured configurations does not reach the goal.
- ``order``, ``corner``, ``augmented``: what every single move keeps on a hexagonal board of any size; see
  `slidelab.reach.invariant_checks`.
- ``patching``: as above, with two holes: a tile in a tight corner, or an odd permutation.
- ``theorem``: as above (a checkerboard argument for one hole; regions for tiles on any board, with
  ``because`` naming the obstacle, and ``pieces`` some of the tiles that it keeps from their places).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle, read_move
from slidelab.reach import plain_search as plain
from slidelab.reach.decision import decide
from slidelab.reach.invariant_checks import keeps_augmented_parity, keeps_corner, keeps_order
from slidelab.reach.plain_search import Pieces, PointMap
from slidelab.reach.proof_check.concrete import check_concrete
from slidelab.reach.proof_check.verdicts import decide as decide_proved
from slidelab.reach.theorems import deciding_theorem

__all__ = ["check"]


def check(start: Configuration, goal: Configuration, solvable: bool, certificate: Mapping[str, Any]) -> bool:
    """Return whether a certificate proves that `goal` can (if `solvable`) or cannot be reached from `start`.

    Parameters
    ----------
    start, goal
        Configurations of one puzzle.
    solvable
        What the certificate claims.
    certificate
        Anything; what does not have the form of a certificate proves nothing.

    Examples
    --------
    >>> import slidelab as sl
    >>> a, b = sl.position("square R(2,2) : 1 2 3 ."), sl.position("square R(2,2) : 1 2 . 3")
    >>> check(a, b, True, {"kind": "moves", "moves": ["3:2>3"]})
    True
    >>> check(a, b, False, {"kind": "shapes"})
    False
    """
    kinds: dict[str, Callable[[Configuration, Configuration, Mapping[str, Any]], bool]]
    theorem = partial(_theorem, solvable=solvable)
    patching = partial(_patching, solvable=solvable)
    if solvable:
        kinds = {"moves": _moves, "loops": _loops, "theorem": theorem, "patching": patching}
    else:
        kinds = {
            "shapes": _shapes,
            "pieces": _pieces,
            "parity": _parity,
            "cycle": _cycle,
            "colours": _colours,
            "words": _words,
            "order": keeps_order,
            "corner": keeps_corner,
            "augmented": keeps_augmented_parity,
            "theorem": theorem,
            "patching": patching,
        }
    if start.puzzle != goal.puzzle or not isinstance(certificate, Mapping):
        return False
    kind = certificate.get("kind")
    test = kinds.get(kind) if isinstance(kind, str) else None
    try:
        return test is not None and test(start, goal, certificate)
    except (PuzzleError, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError):
        return False  # a certificate of the wrong form proves nothing


def _numbers(values: Iterable[Any], below: int) -> list[int]:
    """Return whole numbers from 0 on; refuse all else (a negative index would count from the end)."""
    numbers = list(values)
    if not all(type(value) is int and 0 <= value < below for value in numbers):
        raise ValueError("not an index")
    return numbers


# Yes


def _moves(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    end = _replay(start.puzzle, start.pieces, certificate["moves"])
    return end is not None and Configuration(start.puzzle, end) == goal


def _replay(puzzle: Puzzle, pieces: Pieces, moves: Sequence[Any]) -> Pieces | None:
    """Return where the moves lead, or None if one is illegal."""
    board, rule = puzzle.board, puzzle.rule
    now = list(pieces)
    covered = {cell for cells in now for cell in cells}
    for source in moves:
        move = read_move(source)
        k = move.piece - 1
        if not 0 <= k < len(now) or now[k] != move.before:
            return None
        if not any(
            step.after == move.after and covered.isdisjoint(step.holes) for step in rule.steps(board, now[k])
        ):
            return None
        covered.difference_update(move.before)
        covered.update(move.after)
        now[k] = move.after
    return tuple(now)


def _loops(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    puzzle, home = start.puzzle.uncoloured, start.pieces
    loops = []
    for moves in certificate["loops"]:
        end = _replay(puzzle, home, moves)
        loop = None if end is None else plain.point_map(puzzle, home, end)
        if loop is None:
            return False
        loops.append(loop)
    values = _run(certificate["program"], loops)
    degree = puzzle.piece_count * puzzle.rule.turns
    giants = [_numbers(giant["points"], degree) for giant in certificate["giants"]]
    lines = _numbers((giant["line"] for giant in certificate["giants"]), len(values))
    if not all(_is_giant(loops, points, values[line]) for points, line in zip(giants, lines, strict=True)):
        return False
    named = tuple(tuple(cells) for cells in certificate["goal"])
    if Configuration(start.puzzle, named) != goal:
        return False
    there = _replay(puzzle, home, certificate["way"])
    needed = None if there is None else plain.point_map(puzzle, there, named)
    if needed is None:
        return False
    product: PointMap = tuple(range(len(needed)))
    for factor, inverted in certificate["product"]:
        (line,) = _numbers([factor], len(values))
        product = _then(product, _inverse(values[line]) if inverted else values[line])
    return _agree_up_to_giants(product, needed, [set(points) for points in giants])


def _run(program: Sequence[Any], loops: list[PointMap]) -> list[PointMap]:
    """Return the value of each line of a straight-line program."""
    values: list[PointMap] = []
    for op, a, b in program:
        (first,) = _numbers([a], len(loops) if op == "loop" else len(values))
        if op == "loop":
            values.append(loops[first])
        elif op == "product":
            (second,) = _numbers([b], len(values))
            values.append(_then(values[first], values[second]))
        elif op == "inverse":
            values.append(_inverse(values[first]))
        elif op == "power":
            (exponent,) = _numbers([b], 2**64)
            values.append(_power(values[first], exponent))
        else:
            raise ValueError(op)
    return values


def _is_giant(loops: list[PointMap], points: Sequence[int], cycle: PointMap) -> bool:
    """Return whether the loops join these points, and `cycle` is a cycle on them as in Jordan's theorem."""
    n, inside = len(points), set(points)
    moved = [x for x, y in enumerate(cycle) if x != y]
    p = len(moved)
    if len(inside) != n or not inside.issuperset(moved) or not (n < 2 * p and p + 3 <= n and _is_prime(p)):
        return False
    x, length = cycle[moved[0]], 1
    while x != moved[0]:
        x, length = cycle[x], length + 1
    reached, queue = {points[0]}, [points[0]]
    for x in queue:
        for loop in loops:
            if loop[x] not in reached:
                reached.add(loop[x])
                queue.append(loop[x])
    return length == p and reached == inside


def _agree_up_to_giants(a: PointMap, b: PointMap, giants: list[set[int]]) -> bool:
    """Return whether two permutations differ only by even permutations of disjoint sets."""
    free = set().union(*giants) if giants else set()
    if len(free) != sum(map(len, giants)) or any(
        x != y and i not in free for i, (x, y) in enumerate(zip(a, b, strict=True))
    ):
        return False
    for giant in giants:
        if any(a[x] not in giant or b[x] not in giant for x in giant):
            return False
        if _is_odd(a, giant) != _is_odd(b, giant):
            return False
    return True


# No


def _shapes(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    here, there = start.pieces, goal.pieces
    if not any(True for _ in plain.neighbours(goal.puzzle, there)):
        here, there = there, here  # moves can be taken back, so walk from the side that is locked
    goal_shape = plain.shape_of(start.puzzle, there)
    walk = plain.walk_shapes(start.puzzle, here)
    return all(plain.shape_of(start.puzzle, first) != goal_shape for first, _ in walk)


def _pieces(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    labelled = [piece - 1 for piece in _numbers(certificate["pieces"], len(start.pieces) + 1)]
    # A piece named twice would have to move twice at once: nothing could be reached.
    if -1 in labelled or len(set(labelled)) != len(labelled) or not _are_distinct(start.puzzle, labelled):
        return False
    return not plain.search_pieces(start.puzzle.uncoloured, start.pieces, goal.pieces, labelled)


def _are_distinct(puzzle: Puzzle, pieces: Iterable[int]) -> bool:
    """Return whether each of these pieces differs from all others, and looks different in each reading."""
    if puzzle.colours is None:
        return True
    counts, readings, turns = Counter(puzzle.colours), puzzle.rule.readings, puzzle.rule.turns
    labels = [puzzle.colours[k] for k in pieces]
    return all(counts[one] == 1 and len(set(readings(one))) == turns for one in labels)


def _needed(start: Configuration, named: Pieces, respects: Callable[[PointMap], bool]) -> PointMap | None:
    """Return the permutation of points that the goal, so named, needs; None if a loop breaks the claim."""
    puzzle = start.puzzle.uncoloured
    goal_shape = plain.shape_of(puzzle, named)
    needed: PointMap | None = None
    for first, reached in plain.walk_shapes(puzzle, start.pieces):
        if first != reached:
            loop = plain.point_map(puzzle, first, reached)
            if loop is None or not respects(loop):
                return None
        elif needed is None and plain.shape_of(puzzle, first) == goal_shape:
            needed = plain.point_map(puzzle, first, named)
    return needed


def _parity(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    turns = start.puzzle.rule.turns
    pieces = {piece - 1 for piece in _numbers(certificate["pieces"], len(start.pieces) + 1) if piece}
    on = certificate["on"]
    if on not in ("pieces", "ends", "both"):
        return False

    def keeps(points: PointMap) -> bool:
        return all(points[k * turns] // turns in pieces for k in pieces)

    def is_odd(points: PointMap) -> bool:
        by_piece = [points[k * turns] // turns for k in range(len(points) // turns)]
        ends = {k * turns + mark for k in pieces for mark in range(turns)}
        return (on != "ends" and _is_odd(by_piece, pieces)) ^ (on != "pieces" and _is_odd(points, ends))

    named = goal.pieces
    if start.puzzle.colours is not None:
        # Any other naming by the same colours either breaks up the set or, since no colour repeats
        # in it, agrees with this one on the set: so this one settles the matter.
        labels = [start.puzzle.colours[k] for k in pieces]
        if len(set(labels)) < len(labels) or turns > 1:
            return False
        named = tuple(tuple(cells) for cells in certificate["goal"])
        if Configuration(start.puzzle, named) != goal:
            return False
    needed = _needed(start, named, lambda points: keeps(points) and not is_odd(points))
    if needed is None:
        return False
    return is_odd(needed) if keeps(needed) else start.puzzle.colours is None


def _cycle(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    order = _numbers(certificate["order"], len(start.pieces) * start.puzzle.rule.turns)
    following = dict(zip(order, order[1:] + order[:1], strict=True))
    if len(following) != len(order) or start.puzzle.colours is not None:
        return False

    def respects(points: PointMap) -> bool:
        return all(following.get(points[x]) == points[y] for x, y in following.items())

    needed = _needed(start, goal.pieces, respects)
    return needed is not None and not respects(needed)


def _colours(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    puzzle = start.puzzle
    numbered = puzzle.uncoloured
    inside = set(_numbers(certificate["points"], len(start.pieces) * puzzle.rule.turns))
    label = [colour for labels in puzzle.colours or () for colour in labels]
    goal_shape = plain.shape_of(numbered, goal.pieces)
    differs = False
    for first, reached in plain.walk_shapes(numbered, start.pieces):
        loop = plain.point_map(numbered, first, reached)
        if loop is None or any(loop[x] not in inside for x in inside):
            return False
        if first is reached and plain.shape_of(numbered, first) == goal_shape:
            needed = plain.point_map(numbered, first, goal.pieces)
            if needed is None:
                return False
            there = Counter(label[x] for x, point in enumerate(needed) if point in inside)
            differs = there != Counter(label[x] for x in inside)
    return differs


def _words(start: Configuration, goal: Configuration, certificate: Mapping[str, Any]) -> bool:
    puzzle = start.puzzle
    seen, queue = {start.pieces}, [start]
    for configuration in queue:
        if configuration == goal:
            return False
        for k, after in plain.neighbours(puzzle, configuration.pieces):
            reached = Configuration(
                puzzle, (*configuration.pieces[:k], after, *configuration.pieces[k + 1 :])
            )
            if reached.pieces not in seen:
                if len(seen) > plain.MAX_SHAPES:
                    return False
                seen.add(reached.pieces)
                queue.append(reached)
    return True


# Theorems


def _theorem(
    start: Configuration, goal: Configuration, certificate: Mapping[str, Any], *, solvable: bool
) -> bool:
    if "because" not in certificate:
        return deciding_theorem(start, goal) == (certificate["name"], solvable)
    decision = decide(start, goal)
    decided = (decision.solvable, decision.theorem, decision.obstacle)
    if decided != (solvable, certificate["name"], certificate["because"]):
        return False
    named = _numbers(certificate["pieces"], len(start.pieces) + 1)
    return set(named) <= set(decision.pieces) and (len(named) > 0 or not decision.pieces)


def _patching(
    start: Configuration, goal: Configuration, certificate: Mapping[str, Any], *, solvable: bool
) -> bool:
    puzzle = start.puzzle
    if puzzle.board.kind != "hex" or not puzzle.rule.needs_companion:
        return False
    proved = check_concrete(certificate["proof"])
    if proved.cells != frozenset(puzzle.board.cells) or proved.holes != puzzle.hole_count:
        return False
    labels: list[Any] = list(puzzle.colours or range(puzzle.piece_count))
    there = (
        {puzzle.board.cells[cell]: label for (cell,), label in zip(each.pieces, labels, strict=True)}
        for each in (start, goal)
    )
    return decide_proved(proved, *there).solvable == solvable


# Permutations


def _then(a: PointMap, b: PointMap) -> PointMap:
    return tuple(b[x] for x in a)


def _inverse(a: PointMap) -> PointMap:
    out = [0] * len(a)
    for x, y in enumerate(a):
        out[y] = x
    return tuple(out)


def _power(a: PointMap, exponent: int) -> PointMap:
    result: PointMap = tuple(range(len(a)))
    square = a
    while exponent > 0:
        if exponent & 1:
            result = _then(result, square)
        square = _then(square, square)
        exponent >>= 1
    return result


def _is_odd(permutation: Sequence[int], points: set[int]) -> bool:
    seen: set[int] = set()
    odd = False
    for start in points:
        x = start
        while x not in seen:
            seen.add(x)
            x = permutation[x]
            odd ^= x not in seen
    return odd


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))
