"""Gourds on boards too large for a gain graph.

Where the board is proper (hexagons, an odd number of them, 2-connected, without holes, not the star),
one hole is enough to turn every configuration into every other: Theorem 9 of the gourds paper. Then
nothing has to be searched to decide, and a random configuration is a random way to lie and a random
order.
"""

from __future__ import annotations

import random

from slidelab.boards import Board, maximum_matching
from slidelab.puzzles import Configuration
from slidelab.rules import Cells

__all__ = ["scatter_gourds"]

ROUNDS = 30
STEPS_A_CELL = 4  # of the hole, in each round


def scatter_gourds(start: Configuration, chance: random.Random) -> Configuration:
    """A random configuration of gourds on a proper board.

    The order of the gourds and which way round each lies are exactly uniform. How they lie is drawn by a
    Markov chain that is uniform in the limit (see `_Walk`), begun with the hole at a random cell and cut off
    after 30 rounds: it is only close to uniform. Counting the gourds that lie in rows, two rounds can't be
    told from uniform with 2,000 samples on the flowers F(3) to F(5), 16 rounds not with 300 samples on the
    strip P(3,101). No bound is proved, and on thin boards that are much longer the hole hardly leaves the
    part where it begins. Nothing depends on how the gourds lie in `start`.

    >>> import slidelab as sl
    >>> goal = sl.puzzle("hex F(9) gourds").goal
    >>> scatter_gourds(goal, random.Random(1)) == scatter_gourds(goal, random.Random(1))
    True
    """
    puzzle = start.puzzle
    walk = _Walk(puzzle.board, chance)
    for _ in range(ROUNDS):
        walk.move_hole(STEPS_A_CELL * puzzle.board.size)
        walk.turn_cycles(puzzle.board.size)
    pairs = [(a, b) for a, b in enumerate(walk.partner) if a < b]
    chance.shuffle(pairs)
    flips = chance.getrandbits(len(pairs))
    pieces = (pair if flips >> k & 1 else pair[::-1] for k, pair in enumerate(pairs))
    return Configuration(puzzle, tuple(pieces))


class _Walk:
    """A random walk over the shapes of gourds with one hole on a proper board.

    Both kinds of steps are symmetric (each is as likely as the one that takes it back), so the uniform
    distribution stays as it is; moves of the hole alone connect all shapes, and at the edge of the board
    they may do nothing, so that the walk has no period: from anywhere it comes close to uniform.
    """

    def __init__(self, board: Board, chance: random.Random) -> None:
        self.chance = chance
        # On a proper board any cell can be left out: there is a Hamiltonian cycle, and it is odd.
        self.hole = chance.randrange(board.size)
        self.partner = list(range(board.size))
        for a, b in maximum_matching(board, without=(self.hole,)):
            self.partner[a], self.partner[b] = b, a
        # A row of six for each cell, filled up with the cell itself: a step to the hole changes nothing.
        self.beyond = [
            end for cell, row in enumerate(board.neighbours) for end in (*row, *[cell] * (6 - len(row)))
        ]
        self.cycles = _short_cycles(board)

    def move_hole(self, steps: int) -> None:
        """In each step draw one of the six sides of the hole.

        The gourd beyond it comes over into the hole, its end on that side leading, so that its other end
        becomes the hole. The same side of that end, seen from the new hole, takes the step back.
        """
        partner, beyond, hole = self.partner, self.beyond, self.hole
        for side in _sides(self.chance, steps):
            end = beyond[6 * hole + side]
            other = partner[end]
            partner[end], partner[hole], partner[other] = hole, end, other
            hole = other
        self.hole = hole

    def turn_cycles(self, steps: int) -> None:
        """In each step draw a short cycle; if every other side of it is a gourd, let the others be.

        No gourd can do that, but the shape can be reached all the same; and it mixes what the hole has
        not come by lately.
        """
        partner = self.partner
        for cycle in self.chance.choices(self.cycles, k=steps):
            first = partner[cycle[0]]
            if first == cycle[1]:
                old, new = cycle, (*cycle[1:], cycle[0])
            elif first == cycle[-1]:
                old, new = (*cycle[1:], cycle[0]), cycle
            else:
                continue
            if all(partner[a] == b for a, b in zip(old[::2], old[1::2], strict=True)):
                for a, b in zip(new[::2], new[1::2], strict=True):
                    partner[a], partner[b] = b, a


def _short_cycles(board: Board) -> list[Cells]:
    """The rhombi of four cells and triangles of six that lie on a hexagonal board."""
    at = board.cell_at
    out = []
    for q, r in board.cells:
        for cycle in _CYCLES:
            cells = tuple(at.get((q + dq, r + dr), -1) for dq, dr in cycle)
            if -1 not in cells:
                out.append(cells)
    return out


# Each way a cycle can lie, in coordinates. What a triangle does no rhombi can.
_CYCLES = (
    ((0, 0), (1, 0), (1, 1), (0, 1)),
    ((0, 0), (0, 1), (-1, 2), (-1, 1)),
    ((0, 0), (-1, 1), (-2, 1), (-1, 0)),
    ((0, 0), (1, 0), (2, 0), (1, 1), (0, 2), (0, 1)),
    ((0, 0), (0, 1), (0, 2), (-1, 2), (-2, 2), (-1, 1)),
)


def _sides(chance: random.Random, count: int) -> bytes:
    """So many numbers from 0 to 5, all equally likely: of 256 values the last four are left out."""
    sides = b""
    while len(sides) < count:
        sides += chance.randbytes(count - len(sides)).translate(_SIDE_OF, _UNFAIR)
    return sides


_SIDE_OF = bytes(value % 6 for value in range(256))
_UNFAIR = bytes(range(252, 256))
