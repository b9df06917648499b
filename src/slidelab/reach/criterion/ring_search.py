"""Search all free rings of a board at once, across the board.

The cells are taken in an order in which only few, the *frontier*, touch cells taken before and are still to
come. A state says of each cell of the frontier whether it is open, done, or an end of a path that is to
become part of the ring (and of which); how many edges the paths have so far, modulo 4; and whether the ring
is closed. To take a cell is to give it a partner, or its place on the ring. Each state is kept once, with one
way to reach it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from slidelab.boards import Board
from slidelab.budget import Budget
from slidelab.errors import TooLarge

__all__ = ["MAX_STATES", "find_ring"]

MAX_STATES = 300_000
"""States after which a search is given up: some seconds, and some hundred megabytes."""

OPEN, DONE = 0, 1
"""Marks of cells in a state; larger numbers name the paths, each at its two ends."""

Marks = tuple[int, ...]
State = tuple[Marks, int, bool]
"""Marks of the frontier, edges on the ring modulo 4, whether the ring is closed."""
Ways = dict[State, tuple[State, tuple[int, ...]]]
"""How a state was reached: from which state, and the cells joined to the cell taken along the ring."""


def find_ring(
    board: Board, *, remainder: int = 1, max_states: int = MAX_STATES, budget: Budget | None = None
) -> tuple[int, ...] | None:
    """Return a free ring whose number of cells is 4k + `remainder`, in cyclic order; None if there is none.

    Parameters
    ----------
    board
        Any board.
    remainder
        1 or 3 on boards with an odd number of cells.
    max_states
        Number of states after which the search is given up.
    budget
        Its deadline limits the search.

    Raises
    ------
    TooLarge
        If there are too many states.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> find_ring(board("hex T(2)")), find_ring(board("hex T(2)"), remainder=3)
    (None, (0, 1, 2))
    """
    steps: list[tuple[int, Ways]] = []
    frontier: list[int] = []
    states: Ways = {((), 0, False): (((), 0, False), ())}
    total = 0
    for done, (cell, new) in enumerate(_order(board)):
        if budget is not None:
            budget.check("free rings across the board", done, board.size)
        frontier = [*frontier, *new]
        at = frontier.index(cell)
        around = set(board.neighbours[cell])
        touching = [k for k, other in enumerate(frontier) if other in around]
        following: Ways = {}
        for state in states:
            marks = state[0] + (OPEN,) * len(new)
            for joined, after in _take(marks, state[1], state[2], at, touching):
                if after not in following:
                    following[after] = (state, tuple(frontier[k] for k in joined))
        del frontier[at]
        total += len(following)
        if total > max_states:
            raise TooLarge(f"more than {max_states:,} states")
        steps.append((cell, following))
        states = following
    goal: State = ((), remainder, True)
    return _ring(steps, goal) if goal in states else None


def _order(board: Board) -> Iterator[tuple[int, list[int]]]:
    """Yield the cells in an order with a small frontier, each with the cells that enter the frontier."""
    seen = [False] * board.size
    frontier: list[int] = []
    for start in sorted(range(board.size), key=lambda cell: (len(board.neighbours[cell]), cell)):
        if seen[start]:
            continue
        seen[start] = True
        frontier, new = [start], [start]
        while frontier:
            # The cell that brings the fewest new ones; of several, the one that waits longest.
            cell = min(frontier, key=lambda c: sum(not seen[other] for other in board.neighbours[c]))
            frontier.remove(cell)
            for other in board.neighbours[cell]:
                if not seen[other]:
                    seen[other] = True
                    new.append(other)
                    frontier.append(other)
            yield cell, new
            new = []


def _take(
    marks: Marks, length: int, closed: bool, at: int, touching: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], State]]:
    """Yield the ways to take a cell: the places in the frontier joined to it on the ring, the new state."""
    mark = marks[at]
    if mark == DONE:
        yield (), _state(marks, at, length, closed)
        return
    if mark == OPEN:
        for k in touching:
            if marks[k] == OPEN:  # a gourd on both cells
                yield (), _state(_put(marks, (k, DONE)), at, length, closed)
        if closed:
            return
        fresh = len(marks) + 2  # the name of a new path
        for i, k in enumerate(touching):
            if marks[k] != DONE:
                for other in touching[i + 1 :]:
                    if marks[other] != DONE:
                        joined = _join(_put(marks, (at, fresh)), at, k, fresh)
                        yield from _close((k, other), joined, at, other, length + 2)
        return
    for k in touching:  # the cell is the end of a path, and that goes on
        if marks[k] != DONE:
            yield from _close((k,), marks, at, k, length + 1)


def _join(marks: Marks, at: int, k: int, fresh: int) -> Marks:
    """Return the marks after a step from an open cell, where a path begins, to another cell."""
    if marks[k] == OPEN:
        return _put(marks, (k, fresh))
    name = marks[k]
    return _put(marks, (k, DONE), (at, name))


def _close(
    joined: tuple[int, ...], marks: Marks, at: int, k: int, length: int
) -> Iterator[tuple[tuple[int, ...], State]]:
    """Yield the state after a step from the end of a path, which is taken, to another cell."""
    name, other = marks[at], marks[k]
    if other == OPEN:
        yield joined, _state(_put(marks, (k, name)), at, length, False)
    elif other == name:
        after = _put(marks, (k, DONE), (at, DONE))
        if all(mark <= DONE for mark in after):  # otherwise paths would be left over
            yield joined, _state(after, at, length, True)
    else:
        renamed = tuple(name if mark == other else mark for mark in marks)
        yield joined, _state(_put(renamed, (k, DONE)), at, length, False)


def _put(marks: Marks, *changes: tuple[int, int]) -> Marks:
    found = list(marks)
    for k, mark in changes:
        found[k] = mark
    return tuple(found)


def _state(marks: Marks, at: int, length: int, closed: bool) -> State:
    """Return a state without the cell taken; paths are named in the order of their first ends."""
    names: dict[int, int] = {}
    rest = marks[:at] + marks[at + 1 :]
    if any(mark > DONE for mark in rest):
        rest = tuple(mark if mark <= DONE else names.setdefault(mark, len(names) + 2) for mark in rest)
    return rest, length % 4, closed


def _ring(steps: Sequence[tuple[int, Ways]], state: State) -> tuple[int, ...]:
    """Return the ring of the way to a state."""
    near: dict[int, list[int]] = {}
    for cell, ways in reversed(steps):
        state, joined = ways[state]
        for other in joined:
            near.setdefault(cell, []).append(other)
            near.setdefault(other, []).append(cell)
    first = min(near)
    ring = [first, min(near[first])]
    while ring[-1] != first:
        a, b = near[ring[-1]]
        ring.append(b if a == ring[-2] else a)
    return tuple(ring[:-1])
