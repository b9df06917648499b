"""What a checked proof says of a start and a goal."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from slidelab.reach.proof_check.cells import Cell, neighbours
from slidelab.reach.proof_check.concrete import ALL, Proved
from slidelab.reach.proof_check.permutations import is_odd

__all__ = ["Decision", "Tiles", "decide"]

Tiles = Mapping[Cell, Hashable]
"""The tile (its number or colour) on each cell that is no hole."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether the goal can be reached, and what hinders it: ``still``, ``corner``, ``parity`` or nothing."""

    solvable: bool
    obstacle: str = ""
    cell: Cell | None = None
    """The tight corner whose tile would have to be another one."""


def decide(proved: Proved, start: Tiles, goal: Tiles) -> Decision:
    """Return whether `goal` can be reached from `start`, given what is proved of the board.

    With two holes the pair of holes is led to the same two cells of the core from either configuration; then
    the tiles outside the core must be the same, and those of the core an even permutation of each other
    (which equal tiles make no condition).

    >>> proved = Proved(frozenset({(0, 0), (1, 0), (0, 1)}), 2, "even permutations")
    >>> decide(proved, {(0, 0): 1}, {(1, 0): 1}).solvable
    True
    """
    if start == goal:
        return Decision(True)
    if not (_can_move(proved, start) and _can_move(proved, goal)):
        return Decision(False, "still")
    if proved.claim == ALL:
        return Decision(True)
    core = proved.core or proved.cells
    first, second = _gathered(proved, core, start), _gathered(proved, core, goal)
    for cell in sorted(proved.cells - core):
        if first[cell] != second[cell]:
            return Decision(False, "corner", cell)
    inner = sorted(cell for cell in core if cell in first)
    if len({first[cell] for cell in inner}) < len(inner):
        return Decision(True)  # two equal tiles change places unseen
    place = {first[cell]: number for number, cell in enumerate(inner)}
    return Decision(False, "parity") if is_odd([place[second[cell]] for cell in inner]) else Decision(True)


def _can_move(proved: Proved, tiles: Tiles) -> bool:
    """Return whether two touching holes and a tile form a triangle."""
    for cell in proved.cells:
        if cell not in tiles:
            around = list(neighbours("hex", cell))
            for a, b in zip(around, (*around[1:], around[0]), strict=True):
                if {a, b} <= proved.cells and (a in tiles) != (b in tiles):
                    return True
    return False


def _gathered(proved: Proved, core: frozenset[Cell], tiles: Tiles) -> dict[Cell, Hashable]:
    """Return the tiles after the two holes have been led to two touching cells of the core, always the same.

    The pair of holes walks from edge to edge across triangles, by a breadth-first search from its goal; so a
    tile of the triangle moves at each step.
    """
    goal = _home(core)
    pair = frozenset(cell for cell in proved.cells if cell not in tiles)
    towards: dict[frozenset[Cell], frozenset[Cell]] = {goal: goal}
    queue = [goal]
    for edge in queue:
        if edge == pair:
            break
        a, b = edge
        for apex in set(neighbours("hex", a)).intersection(neighbours("hex", b), proved.cells):
            for other in (frozenset((a, apex)), frozenset((b, apex))):
                if other not in towards:
                    towards[other] = edge
                    queue.append(other)
    now = dict(tiles)
    while pair != goal:
        after = towards[pair]
        (filled,), (emptied,) = pair - after, after - pair
        now[filled] = now.pop(emptied)
        pair = after
    return now


def _home(core: frozenset[Cell]) -> frozenset[Cell]:
    """Return two touching cells of the core that lie in a triangle of it."""
    for cell in sorted(core):
        around = list(neighbours("hex", cell))
        for a, b in zip(around, (*around[1:], around[0]), strict=True):
            if a in core and b in core:
                return frozenset((cell, a))
    raise ValueError("the core has no triangle")
