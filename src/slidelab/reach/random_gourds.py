"""Random configurations of gourds on large proper boards.

Where the board is proper (an odd number of hexagons, 2-connected, without holes, not the star), one hole is
enough to turn every configuration into every other (Theorem 9 of the gourds paper). So a random configuration
is a random shape and a random order of the gourds, and no gain graph is needed.
"""

from __future__ import annotations

import random

from slidelab.boards import Board, maximum_matching
from slidelab.puzzles import Configuration
from slidelab.rules import Cells

__all__ = ["random_gourds"]

ROUNDS = 30
"""Rounds of the random walk over the shapes: see `random_gourds` for what was measured."""

HOLE_STEPS_PER_CELL = 4
"""Steps of the hole in each round, times the number of cells."""


def random_gourds(start: Configuration, rng: random.Random) -> Configuration:
    """Draw a configuration of gourds on a proper board, nearly uniformly.

    The order of the gourds and which way round each lies are exactly uniform. The shape is drawn by a Markov
    chain that is uniform in the limit, begun with the hole at a random cell and stopped after 30 rounds: it
    is only close to uniform. By the number of gourds that lie in rows, two rounds cannot be distinguished
    from uniform with 2,000 samples on the flowers F(3) to F(5), 16 rounds not with 300 samples on the strip
    P(3,101). No bound is proved, and on thin boards that are much longer the hole hardly leaves the part
    where it begins.

    Parameters
    ----------
    start
        Any configuration of the puzzle; the result does not depend on it.
    rng

    Examples
    --------
    >>> import slidelab as sl
    >>> goal = sl.puzzle("hex F(9) gourds").goal
    >>> random_gourds(goal, random.Random(1)) == random_gourds(goal, random.Random(1))
    True
    """
    puzzle = start.puzzle
    walk = _ShapeWalk(puzzle.board, rng)
    for _ in range(ROUNDS):
        walk.move_hole(HOLE_STEPS_PER_CELL * puzzle.board.size)
        walk.rotate_cycles(puzzle.board.size)
    pairs = [(a, b) for a, b in enumerate(walk.partner) if a < b]
    rng.shuffle(pairs)
    flips = rng.getrandbits(len(pairs))
    pieces = (pair if flips >> k & 1 else pair[::-1] for k, pair in enumerate(pairs))
    return Configuration(puzzle, tuple(pieces))


class _ShapeWalk:
    """A random walk over the shapes of gourds with one hole on a proper board.

    Both kinds of steps are symmetric (each is as likely as its inverse), so the uniform distribution is
    stationary. Moves of the hole alone connect all shapes, and at the edge of the board they may do nothing,
    so the chain is irreducible and aperiodic: from any start it converges to the uniform distribution.
    """

    def __init__(self, board: Board, rng: random.Random) -> None:
        self.rng = rng
        # On a proper board any cell can be left out: there is a Hamiltonian cycle, and it is odd.
        self.hole = rng.randrange(board.size)
        self.partner = list(range(board.size))
        for a, b in maximum_matching(board, without=(self.hole,)):
            self.partner[a], self.partner[b] = b, a
        # Six entries for each cell, filled up with the cell itself: a step to the hole changes nothing.
        self.neighbours = [
            end for cell, row in enumerate(board.neighbours) for end in (*row, *[cell] * (6 - len(row)))
        ]
        self.cycles = _short_cycles(board)

    def move_hole(self, steps: int) -> None:
        """Draw one of the six sides of the hole in each step, and move the gourd beyond it into the hole.

        The end of the gourd on that side leads, and its other end becomes the hole. The same side of that
        end, seen from the new hole, takes the step back.
        """
        partner, neighbours, hole = self.partner, self.neighbours, self.hole
        for side in _random_sides(self.rng, steps):
            end = neighbours[6 * hole + side]
            other = partner[end]
            partner[end], partner[hole], partner[other] = hole, end, other
            hole = other
        self.hole = hole

    def rotate_cycles(self, steps: int) -> None:
        """Draw a short cycle in each step; if every other edge is a gourd, take the other edges instead.

        No gourd can move so, but the resulting shape can be reached all the same, and it mixes parts of the
        board that the hole has not visited lately.
        """
        partner = self.partner
        for cycle in self.rng.choices(self.cycles, k=steps):
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
    """Return the rhombi of four cells and triangles of six that lie on a hexagonal board."""
    at = board.cell_at
    cycles = []
    for q, r in board.cells:
        for cycle in _CYCLES:
            cells = tuple(at.get((q + dq, r + dr), -1) for dq, dr in cycle)
            if -1 not in cells:
                cycles.append(cells)
    return cycles


_CYCLES = (
    ((0, 0), (1, 0), (1, 1), (0, 1)),
    ((0, 0), (0, 1), (-1, 2), (-1, 1)),
    ((0, 0), (-1, 1), (-2, 1), (-1, 0)),
    ((0, 0), (1, 0), (2, 0), (1, 1), (0, 2), (0, 1)),
    ((0, 0), (0, 1), (0, 2), (-1, 2), (-2, 2), (-1, 1)),
)
"""Rhombi and triangles in all directions, in axial coordinates. No rhombi do what a triangle does."""


def _random_sides(rng: random.Random, count: int) -> bytes:
    """Return so many uniform numbers from 0 to 5: of 256 byte values the last four are left out."""
    sides = b""
    while len(sides) < count:
        sides += rng.randbytes(count - len(sides)).translate(_SIDES, _REJECTED)
    return sides


_SIDES = bytes(value % 6 for value in range(256))
_REJECTED = bytes(range(252, 256))
