"""The worst case of placing some pieces: exact, over all their positions and all shapes.

Forget the labels of all pieces but a few. What is left is a small state space, (shape, spots of these
pieces), in which the fewest moves that bring them to their targets can be found for every state by one
breadth-first search backwards. Pieces that have been placed before keep their places: their placements are
*frozen*, and only shapes and moves that leave them alone count.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from slidelab.boards import sub_board
from slidelab.budget import Budget
from slidelab.distance.distances import distances
from slidelab.distance.starts import in_order
from slidelab.errors import TooLarge
from slidelab.puzzles import Puzzle
from slidelab.reach.group import PermutationGroup

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains import GainGraph

__all__ = ["Moves", "Region"]

MAX_LISTED_STATES = 50_000
"""Configurations of a core that are listed, for the depth of each shape; more are searched as bits."""

MAX_KEY_BITS = 62
"""Bits of the number of a listed state."""

CHUNK = 1 << 18
"""States whose neighbours are found at once: some ten megabytes."""

MAX_COVERED = 100_000_000
"""Shapes times placements of the largest table of which placements are covered, in bytes."""

STATE_BYTES = 6
"""Bytes for a state: its distance, and lists of states while they are searched."""


class Moves:
    """The moves between shapes as padded tables: the j-th move of a shape, and the piece that it moves.

    Examples
    --------
    >>> import slidelab as sl
    >>> moves = Moves(sl.gain_graph("square R(2,2)"))
    >>> moves.target.shape, moves.spots
    ((4, 2), 4)
    """

    def __init__(self, graph: GainGraph) -> None:
        import numpy as np

        self.graph = graph
        self.turns = graph.puzzle.rule.turns
        self.placements = len(graph.placements)
        if graph.shapes * self.placements > MAX_COVERED:
            raise TooLarge(f"{graph.puzzle.text} has too many shapes for bounds of God's number")
        self.spots = self.placements * self.turns
        rows = graph.edge_rows
        steps = np.asarray(graph.steps.rows, dtype=np.int64)[rows[:, 5], :3]
        back = np.column_stack((steps[:, 1], steps[:, 0], -steps[:, 2] % self.turns))
        ends = np.concatenate((rows[:, :2], rows[:, 1::-1]))
        parts = np.concatenate((steps, back))
        order = np.argsort(ends[:, 0], kind="stable")
        ends, parts = ends[order], parts[order]
        degree = np.bincount(ends[:, 0], minlength=graph.shapes) if len(ends) else np.zeros(graph.shapes, int)
        column = np.arange(len(ends)) - np.repeat(np.cumsum(degree) - degree, degree)
        table = np.full((4, graph.shapes, max(1, int(degree.max(initial=0)))), -1, dtype=np.int64)
        for number, values in enumerate((ends[:, 1], *parts.T)):
            table[number, ends[:, 0], column] = values
        self.target, self.before, self.after, self.turn = table
        self.covered = self._covered()

    def _covered(self) -> NDArray[np.bool_]:
        """Return, for each shape, which placements are covered by a piece."""
        import numpy as np

        graph, keys = self.graph, self.graph.core.keys()
        if graph.puzzle.rule.cells == 1:
            number = np.array([graph.placement_number((cell,)) for cell in range(graph.puzzle.board.size)])
            covered = np.ones((graph.shapes, self.placements), dtype=bool)
            np.put_along_axis(covered, number[keys.astype(np.int64)], False, axis=1)
        else:
            covered = np.zeros((graph.shapes, self.placements), dtype=bool)
            np.put_along_axis(covered, keys.astype(np.int64), True, axis=1)
        return covered

    def shape_distances(self, start: int) -> NDArray[np.int64]:
        """Return the fewest moves from a shape to every shape, whatever happens to the pieces; -1 if none."""
        import numpy as np

        far = np.full(len(self.target), -1, dtype=np.int64)
        far[start] = depth = 0
        front = np.array([start])
        while len(front):
            depth += 1
            reached = np.unique(self.target[front])
            front = reached[(reached >= 0) & (far[reached] < 0)]
            far[front] = depth
        return far


class Region:
    """The shapes that can be reached from a base shape while some of its placements are frozen.

    Parameters
    ----------
    moves
        The moves of the whole puzzle.
    base
        The shape of the goal.
    frozen
        Placements of the base that stay covered by the pieces that lie on them.
    """

    def __init__(self, moves: Moves, base: int, frozen: Iterable[int]) -> None:
        import numpy as np

        self.moves, self.base = moves, base
        self.frozen = frozenset(frozen)
        stays = np.zeros(moves.placements, dtype=bool)
        stays[list(self.frozen)] = True
        allowed = (moves.target >= 0) & ~stays[moves.before]
        local = np.full(len(moves.target), -1, dtype=np.int64)
        local[base] = 0
        members = front = np.array([base])
        while len(front):
            reached = np.unique(moves.target[front][allowed[front]])
            front = reached[local[reached] < 0]
            local[front] = np.arange(len(members), len(members) + len(front))
            members = np.concatenate((members, front))
        self.members, self.local = members, local
        self.target = np.where(allowed[members], local[moves.target[members]], -1)
        self.before, self.after, self.turn = moves.before[members], moves.after[members], moves.turn[members]
        free = moves.covered[members] & ~stays
        used = np.flatnonzero(free.any(axis=0))
        self.spot_of = np.full(moves.placements, -1, dtype=np.int64)
        self.spot_of[used] = np.arange(len(used))
        self.covered = free[:, used]
        self.spots = len(used) * moves.turns

    def states(self, pieces: int) -> int:
        """Return the size of the table for so many labelled pieces."""
        return int(len(self.members) * int(self.spots) ** pieces)

    def _powers(self, pieces: int) -> list[int]:
        return [int(self.spots) ** k for k in range(pieces)]

    def _neighbours(self, keys: NDArray[np.int64], pieces: int) -> NDArray[np.int64]:
        """Return the states one move away from some states, with repetitions."""
        import numpy as np

        moves, powers = self.moves, self._powers(pieces)
        full = int(self.spots) ** pieces
        shapes = keys // full
        target = self.target[shapes]
        row, column = np.nonzero(target >= 0)
        source = shapes[row]
        before = self.spot_of[self.before[source, column]]
        after = self.spot_of[self.after[source, column]]
        turn = self.turn[source, column]
        out: NDArray[np.int64] = target[row, column] * full
        for power in powers:
            spot = keys // power % self.spots
            spot = spot[row]
            moved = (
                after * moves.turns + (spot % moves.turns + turn) % moves.turns if moves.turns > 1 else after
            )
            lies = spot // moves.turns if moves.turns > 1 else spot
            out += power * np.where(lies == before, moved, spot)
        return out

    def worst_cases(
        self, placed: Sequence[int], inner: Region, values: NDArray[np.int64], budget: Budget
    ) -> tuple[NDArray[np.int64], int]:
        """Return, for each shape, the most moves that are left in the worst case, and a count.

        Parameters
        ----------
        placed
            Placements of the base whose pieces are brought home now, at most a few.
        inner
            The region in which these placements are frozen, too.
        values
            For each of its shapes, the most moves that are left from there.
        budget
            Memory and time.

        Returns
        -------
        values : array
            For each shape of this region the maximum, over all spots from which these pieces can come home,
            of the fewest moves to any state with the pieces at home, plus the value there.
        orbit : int
            The number of these spots at the base.
        """
        import numpy as np

        pieces, turns = len(placed), self.moves.turns
        size = self.states(pieces)
        budget.reserve("placing pieces", size * STATE_BYTES)
        unknown, invalid = 65_535, 65_534
        far = self._blank(pieces, unknown, invalid)
        homes = sum(
            power * int(self.spot_of[placement]) * turns
            for power, placement in zip(self._powers(pieces), placed, strict=True)
        )
        sources = self.local[inner.members] * int(self.spots) ** pieces + homes
        least = int(values.min())
        offsets = values - least
        depth, last = 0, int(offsets.max())
        front = np.empty(0, dtype=np.int64)
        while len(front) or depth <= last:
            budget.check("placing pieces", 0, 0)
            if depth >= invalid - 1:
                raise TooLarge("a step of more than 65,000 moves")
            begin = sources[offsets == depth]
            front = np.concatenate((front, begin[far[begin] == unknown]))
            far[front] = depth
            found = []
            for first in range(0, len(front), CHUNK):
                near = self._neighbours(front[first : first + CHUNK], pieces)
                near = near[far[near] == unknown]
                far[near] = depth + 1
                found.append(near)
            near = np.concatenate(found) if found else front
            front = np.unique(near)
            depth += 1
        table = far.reshape(len(self.members), -1)
        table[table >= invalid] = 0  # the base itself is at least so far
        orbit = int(np.count_nonzero(table[0])) + int(far[homes] == 0)
        return table.max(axis=1).astype(np.int64) + least, orbit

    def _blank(self, pieces: int, unknown: int, invalid: int) -> NDArray[np.uint16]:
        """Return the table of distances: unknown where the pieces can lie, invalid elsewhere."""
        import numpy as np

        turns = self.moves.turns
        covered = np.repeat(self.covered, turns, axis=1)
        lies = np.arange(self.spots) // turns
        shapes, spots = covered.shape
        valid = np.ones((shapes,) + (1,) * pieces, dtype=bool)
        axes = range(pieces)
        for axis in axes:
            valid = valid & covered.reshape((shapes, *(spots if k == axis else 1 for k in axes)))
        for one in axes:
            for two in range(one):
                differ = lies[:, None] != lies[None, :]
                valid = valid & differ.reshape((1, *(spots if k in (one, two) else 1 for k in axes)))
        # The last axis is the piece with the smallest power; all pieces are alike here.
        return np.where(valid.reshape(-1), np.uint16(unknown), np.uint16(invalid))

    def depths(self, budget: Budget, max_states: int) -> tuple[NDArray[np.int64], int] | None:
        """Return the most moves from each shape to the base with pieces in order, and a count.

        All pieces that are not frozen are labelled. The count is that of the arrangements at the base: the
        order of the group of this region. None if there are more than `max_states` configurations.
        """
        order = self.group(budget).order
        states = order * len(self.members)
        if states > max_states:
            return None
        if states > MAX_LISTED_STATES or self._key_bits() > MAX_KEY_BITS:
            return self._depth_everywhere(budget), order
        return self._depths_by_list(budget), order

    def _key_bits(self) -> float:
        pieces = len(self._homes())
        return math.log2(len(self.members)) + pieces * math.log2(max(2, int(self.spots)))

    def _homes(self) -> list[int]:
        covered = self.moves.covered[self.base].nonzero()[0].tolist()
        return [placement for placement in covered if placement not in self.frozen]

    def _depth_everywhere(self, budget: Budget) -> NDArray[np.int64]:
        """Return the largest distance from the base for all shapes alike, but of the right parity.

        A rule is local: what happens here happens on the board without the frozen cells, too.
        """
        import numpy as np

        graph = self.moves.graph
        puzzle = graph.puzzle
        gone = {cell for placement in self.frozen for cell in graph.placements[placement]}
        kept = [cell for cell in range(puzzle.board.size) if cell not in gone]
        number = {cell: index for index, cell in enumerate(kept)}
        core = Puzzle(sub_board(puzzle.board, kept), puzzle.rule, puzzle.hole_count)
        shape = frozenset(tuple(number[c] for c in graph.placements[p]) for p in self._homes())
        depth = distances(core, in_order(core, shape), hardest=0, budget=budget).depth
        parity = self._parity()
        values = np.full(len(self.members), depth, dtype=np.int64)
        if parity is not None:
            values -= (values + parity) % 2
        return values

    def _parity(self) -> NDArray[np.int64] | None:
        """Return the parity of the number of moves from the base to each shape, if it is always the same."""
        import numpy as np

        far = np.full(len(self.members), -1, dtype=np.int64)
        far[0] = depth = 0
        front = np.array([0])
        while len(front):
            depth += 1
            reached = np.unique(self.target[front])
            front = reached[(reached >= 0) & (far[reached] < 0)]
            far[front] = depth
        there = self.target >= 0
        same = (far[:, None] + far[self.target]) % 2 == 0
        return None if (there & same).any() else far % 2

    def _depths_by_list(self, budget: Budget) -> NDArray[np.int64]:
        """Return the largest distance from the base to each shape, by lists of numbered states."""
        import numpy as np

        homes, turns = self._homes(), self.moves.turns
        pieces = len(homes)
        full = int(self.spots) ** pieces
        front = np.array(
            [sum(p * int(self.spot_of[h]) * turns for p, h in zip(self._powers(pieces), homes, strict=True))]
        )
        worst = np.zeros(len(self.members), dtype=np.int64)
        before = np.empty(0, dtype=np.int64)
        depth = 0
        while len(front):
            budget.check("core")
            worst[front // full] = depth
            near = np.unique(self._neighbours(front, pieces))
            near = np.setdiff1d(np.setdiff1d(near, front, assume_unique=True), before, assume_unique=True)
            before, front = front, near
            depth += 1
        return worst

    def group(self, budget: Budget) -> PermutationGroup:
        """Return the group of the closed walks at the base, on the spots of the pieces that are not frozen.

        Each shape gets the spots to which a path carries the pieces; an arc that leads elsewhere than the
        path to its end closes a loop.
        """
        import numpy as np

        turns = self.moves.turns
        homes = [int(self.spot_of[placement]) for placement in self._homes()]
        points = np.array([h * turns + turn for h in homes for turn in range(turns)], dtype=np.int64)
        carried = np.full((len(self.members), len(points)), -1, dtype=np.int64)
        carried[0] = points
        loops = {tuple(range(len(points)))}
        done = np.zeros(len(self.members), dtype=bool)
        queue = [0]
        done[0] = True
        for shape in queue:
            budget.check("group of a region", len(queue), len(self.members))
            for column in np.flatnonzero(self.target[shape] >= 0).tolist():
                end = int(self.target[shape, column])
                spots = self._carry(carried[shape], shape, column)
                if not done[end]:
                    done[end] = True
                    carried[end] = spots
                    queue.append(end)
                else:
                    place = np.empty(self.spots, dtype=np.int64)
                    place[carried[end]] = np.arange(len(points))
                    loops.add(tuple(place[spots].tolist()))
        return PermutationGroup(sorted(loops), len(points), turns=turns, budget=budget)

    def _carry(self, spots: NDArray[np.int64], shape: int, column: int) -> NDArray[np.int64]:
        """Return the spots after a move."""
        import numpy as np

        turns = self.moves.turns
        before, after = (self.spot_of[row[shape, column]] for row in (self.before, self.after))
        turned = after * turns + (spots % turns + self.turn[shape, column]) % turns
        return np.where(spots // turns == before, turned, spots)
