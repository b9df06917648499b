"""Certificates that a goal can be reached: moves, or a program that multiplies loops.

What each kind of certificate says is in `slidelab.reach.certificate`, which checks them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slidelab.boards.walks import DisjointSets
from slidelab.errors import TooLarge
from slidelab.reach.question import Question, is_identity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["proof"]

MAX_PROOF_MOVES = 20_000
"""Moves of a certificate of kind ``moves``: longer ones are programs of loops."""

MAX_WORD_DEGREE = 48
"""Points of the group up to which a word in the loops is looked for: of more, words become very long."""

OPERATIONS = ("loop", "product", "inverse", "power")
"""The operations of the core's straight-line programs, by their numbers."""


def proof(question: Question, element: NDArray[np.uint16]) -> dict[str, Any]:
    """Return a certificate that the goal can be reached, given the element of the group that does it.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2)")
    >>> question = Question(sl.gain_graph(p), p.configuration("1 2 . 3"), p.goal)
    >>> proof(question, question.solution())
    {'kind': 'moves', 'moves': ['3:3>2']}
    """
    if question.group.degree <= MAX_WORD_DEGREE or is_identity(element):
        try:
            walk = question.walk(element)
        except TooLarge:
            return _program(question, element)  # there is no complete table of words
        if len(walk) <= MAX_PROOF_MOVES:
            return {"kind": "moves", "moves": list(question.moves(walk).texts())}
    return _program(question, element)


def _program(question: Question, element: NDArray[np.uint16]) -> dict[str, Any]:
    """Return the certificate of kind ``loops``, with only the lines that it needs."""
    family, group = question.family, question.group
    lines = group.core.program().tolist()
    factors = group.core.factor(element) or []
    needed = {line for _, _, line in group.core.giants} | {line for line, _ in factors}
    for number in range(len(lines) - 1, -1, -1):
        operation, first, second = lines[number]
        if number in needed and operation != 0:
            needed.update((first, second) if operation == 1 else (first,))
    kept = sorted(needed)
    line_number = {line: number for number, line in enumerate(kept)}
    loops = sorted({lines[line][1] for line in kept if lines[line][0] == 0} | set(_joining_loops(question)))
    loop_number = {loop: number for number, loop in enumerate(loops)}
    program = []
    for line in kept:
        operation, first, second = lines[line]
        if operation == 0:
            program.append(["loop", loop_number[first], 0])
        else:
            operand = line_number[second] if operation == 1 else second
            program.append([OPERATIONS[operation], line_number[first], operand])
    points = question.arrangement.tolist()  # points are named by the piece points on them at the start
    return {
        "kind": "loops",
        "loops": [list(question.moves(family.loop(loop)).texts()) for loop in loops],
        "program": program,
        "giants": [
            {
                "points": sorted(points[x] for x in group.orbits[orbit]),
                "prime": prime,
                "line": line_number[line],
            }
            for orbit, prime, line in group.core.giants
        ],
        "product": [[line_number[line], inverted] for line, inverted in factors],
        "way": list(question.moves(family.path(question.goal_shape)).texts()),
        "goal": [list(cells) for cells in question.named_goal(element)],
    }


def _joining_loops(question: Question) -> list[int]:
    """Return loops that join the points of every orbit."""
    sets = DisjointSets(question.group.degree)
    return [g for g, row in enumerate(question.group.generators) if sets.merge(row.tolist())]
