"""Check the proof of one board, step by step.

Every step is about a set of cells and a number of holes, and claims

- ``all permutations``: all shapes in which something can move are connected, and loops of moves permute the
  tiles in every way;
- ``even permutations``: the same with all even permutations and no others;
- ``stuck corners``: even permutations of the tiles on a core, while every other tile leaves its cell only to
  return.

The steps are

- ``computed``: loops of moves are replayed, and the group they generate is computed;
- ``patching``: the board is a union of boards of earlier steps (turned and shifted), whose overlaps hold all
  holes and one more tile, and join all of them (Theorem 3.1, Remark 3.2 and Theorem 4.4 of Karpman and
  Roldan, with the hypotheses of docs/design/errata.md);
- ``more holes``: the same board with fewer holes has all permutations;
- ``tight corners``: cells with two neighbours that touch or, more generally, without three consecutive
  neighbours, which keep their tile as long as there are only two holes (Lemma 4.1), taken off one after the
  other.

What is taken for granted: the arguments in docs/proofs.md, and that hexagonal tiles with two holes never make
an odd permutation (Corollary 1.6).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

from slidelab.reach.proof_check.cells import (
    Cell,
    holds_its_tile,
    is_connected,
    is_triangle_connected,
    neighbours,
    overlap_problem,
    placed,
    read_cells,
)
from slidelab.reach.proof_check.permutations import Permutation, contains_alternating, is_odd
from slidelab.reach.proof_check.refusal import Refused, items, need, need_proof, number, numbers, part

__all__ = ["ALL", "CORNERS", "EVEN", "Proved", "check_computed", "check_concrete"]

MAX_COMPUTED_CELLS = 100
"""Cells of a board whose loops are replayed: the group of a hundred tiles takes minutes."""

ALL, EVEN, CORNERS = "all permutations", "even permutations", "stuck corners"


@dataclass(frozen=True, slots=True)
class Proved:
    """What a step claims, once it is checked."""

    cells: frozenset[Cell]
    holes: int
    claim: str
    core: frozenset[Cell] = frozenset()
    """With stuck corners, the cells whose tiles are permuted."""

    @property
    def components(self) -> int:
        """The number of components in which something can move."""
        tiles = len(self.cells) - self.holes
        if self.claim == ALL:
            return 1
        if self.claim == EVEN:
            return 2 if tiles > 1 else 1
        inner = len(self.core) - self.holes
        return factorial(tiles) // factorial(inner) * (2 if inner > 1 else 1)


def check_concrete(form: Mapping[str, Any]) -> Proved:
    """Return what a proof of one board proves, or raise `Refused` with the first step that does not hold."""
    need_proof(form)
    puzzle = part(form, "puzzle")
    board = part(puzzle, "board")
    need(part(board, "kind") == "hex", "only boards of hexagons are patched")
    need(part(puzzle, "rule") == "hextiles", "only hexagonal tiles are patched")
    need("colours" not in puzzle and "colors" not in puzzle, "only numbered tiles are patched")
    steps = items(part(form, "steps"))
    need(len(steps) > 0, "the proof has no steps")
    proved: list[Proved] = []
    for place, step in enumerate(steps):
        try:
            proved.append(_check_step(step, proved))
        except Refused as problem:
            raise Refused(f"step {place} does not hold: {problem}") from None
    last = _placed(part(form, "root"), proved)
    need(last.cells == read_cells(board), "the last step is about another board")
    need(last.holes == number(part(puzzle, "holes"), 1), "the last step is about another number of holes")
    claimed = part(form, "components")
    need(type(claimed) is int, "expected a number of components")
    need(claimed == last.components, f"{last.components} components are proved, not {claimed}")
    return last


def _placed(form: Any, proved: Sequence[Proved]) -> Proved:
    """Return what an earlier step proves, turned and shifted."""
    earlier = proved[number(part(form, "step"), 0, len(proved))]
    turn, shift = number(part(form, "turn"), 0, 12), _cell(part(form, "shift"))
    cells, core = placed(earlier.cells, turn, shift), placed(earlier.core, turn, shift)
    return Proved(cells, earlier.holes, earlier.claim, core)


def _check_step(step: Any, proved: Sequence[Proved]) -> Proved:
    kinds = {
        "computed": check_computed_hexagons,
        "patching": _check_patching,
        "more holes": _check_more_holes,
        "tight corners": _check_corners,
    }
    by = part(step, "by")
    check = kinds.get(by) if isinstance(by, str) else None
    if check is None:
        raise Refused(f"expected a step by one of {', '.join(kinds)}, got {str(by)[:40]!r}")
    found = check(step, proved)
    need(part(step, "claim") == found.claim, f"it proves {found.claim}, not what it claims")
    need(number(part(step, "holes"), 1) == found.holes, "the number of holes is another one")
    need(read_cells(part(step, "board")) == found.cells, "the cells are not those of its parts")
    return found


def check_computed_hexagons(step: Any, _: Sequence[Proved]) -> Proved:
    """Check a computed step about hexagonal tiles."""
    return check_computed(step, "hex", "hextiles")


def check_computed(step: Any, kind: str, rule: str) -> Proved:
    """Replay the loops of a computed step, and compute the group that they generate."""
    cells = read_cells(part(step, "board"))
    need(len(cells) <= MAX_COMPUTED_CELLS, "a computed board is too large to be computed again")
    holes = number(part(step, "holes"), 1, len(cells))
    if rule == "hextiles":
        need(is_triangle_connected(cells), "the triangles of the board are not joined")
    else:
        need(is_connected(kind, cells), "the board is not connected")
    base = [_cell(cell) for cell in items(part(step, "base"))]
    need(len(set(base)) == holes and cells.issuperset(base), "the base is no set of holes")
    tiles = sorted(cells.difference(base))
    generators = [
        _replay(kind, rule, tiles, frozenset(base), cells, items(loop)) for loop in items(part(step, "loops"))
    ]
    degree = len(tiles)
    need(contains_alternating(generators, degree), "the loops do not generate all even permutations")
    odd = any(map(is_odd, generators))
    even_only = (rule == "hextiles" and holes == 2) or (kind == "square" and rule == "tiles" and holes == 1)
    if odd or degree < 2:
        need(degree < 2 or not even_only, "an odd loop, where there are none")
        return Proved(cells, holes, EVEN if even_only else ALL)
    need(even_only, "the loops make even permutations only, and nothing says that there are no others")
    return Proved(cells, holes, EVEN)


def _cell(form: Any) -> Cell:
    x, y = numbers(form, 2)
    return x, y


def _replay(
    kind: str,
    rule: str,
    tiles: Sequence[Cell],
    base: frozenset[Cell],
    cells: frozenset[Cell],
    moves: Sequence[Any],
) -> Permutation:
    """Play moves (from cell, to cell) from the tiles' own cells; return where each tile ends."""
    at = {cell: tile for tile, cell in enumerate(tiles)}
    for move in moves:
        before, after = (_cell(end) for end in items(move)) if len(items(move)) == 2 else ((0, 0), (0, 0))
        around = set(neighbours(kind, before))
        need(before in at and after in cells and after not in at and after in around, "a move is not legal")
        if rule == "hextiles":
            both = around.intersection(neighbours(kind, after), cells)
            need(
                any(cell not in at for cell in both), "a hexagonal tile moves without a second hole beside it"
            )
        at[after] = at.pop(before)
    need(at.keys().isdisjoint(base), "a loop does not end where it began")
    return tuple(index for _, index in sorted((at[cell], place) for place, cell in enumerate(tiles)))


def _check_patching(step: Any, proved: Sequence[Proved]) -> Proved:
    holes = number(part(step, "holes"), 1)
    parts, claims = [], set()
    for entry in items(part(step, "parts")):
        earlier = _placed(entry, proved)
        need(earlier.holes == holes, "a part has another number of holes")
        claims.add(earlier.claim)
        parts.append(earlier.cells)
        need(
            earlier.claim == ALL or len(earlier.cells) >= holes + 3,
            f"a part has {len(earlier.cells)} cells, and even permutations need {holes + 3}",
        )
    need(len(parts) > 0, "there are no parts")
    need(claims in ({ALL}, {EVEN}), "the parts claim different things")
    leader = list(range(len(parts)))
    for entry in items(part(step, "overlaps")):
        a, b = (number(index, 0, len(parts)) for index in numbers(entry, 2))
        problem = overlap_problem("hex", "hextiles", parts[a], parts[b], holes)
        need(not problem, problem)
        first, second = _leader(leader, a), _leader(leader, b)
        leader[first] = second
    need(len({_leader(leader, x) for x in range(len(parts))}) == 1, "the overlaps do not join all parts")
    cells = frozenset().union(*parts)
    need(is_triangle_connected(cells), "the triangles of the board are not joined")
    return Proved(cells, holes, claims.pop())


def _leader(leader: list[int], x: int) -> int:
    while leader[x] != x:
        leader[x] = leader[leader[x]]
        x = leader[x]
    return x


def _check_more_holes(step: Any, proved: Sequence[Proved]) -> Proved:
    earlier = _placed(part(step, "part"), proved)
    holes = number(part(step, "holes"), earlier.holes + 1, len(earlier.cells))
    need(earlier.claim == ALL, "with fewer holes not all permutations are proved")
    return Proved(earlier.cells, holes, ALL)


def _check_corners(step: Any, proved: Sequence[Proved]) -> Proved:
    earlier = _placed(part(step, "part"), proved)
    need(earlier.claim == EVEN and earlier.holes == 2, "tight corners need even permutations and two holes")
    cells = set(read_cells(part(step, "board")))
    whole = frozenset(cells)
    corners = [_cell(corner) for corner in items(part(step, "corners"))]
    need(len(corners) > 0, "there are no tight corners")
    need(is_triangle_connected(whole), "the triangles of the board are not joined")
    for corner in corners:
        need(corner in cells and holds_its_tile(cells, corner), f"{corner} is no tight corner")
        cells.discard(corner)
    need(cells == earlier.cells, "what is left is not the core")
    return Proved(whole, 2, CORNERS, earlier.cells)
