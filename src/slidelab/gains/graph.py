"""The gain graph: shapes, moves between them, and what each move does to the pieces.

Forget the labels and a puzzle has only a few shapes. A move is an edge from shape to shape that
carries the pieces along: the piece of one slot goes to another, those between move up. A walk
round a loop brings the shape back with its pieces permuted; all such permutations form the group
that decides what can be reached. See docs/design/gain-graph.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board
from slidelab.budget import Budget, CacheNeutral
from slidelab.display import SvgDisplay
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, Move, Puzzle, PuzzleLike
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.rules import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.uint16]

__all__ = [
    "Family",
    "Gain",
    "GainGraph",
    "Steps",
    "backwards",
    "count_shapes",
    "gain_graph",
    "slot_order",
]

MOST_CELLS = 65_535  # the core numbers cells and pieces with sixteen bits


@dataclass(frozen=True, slots=True)
class Gain:
    """What an edge does: the piece of slot `first` goes to slot `last`, turned by `turn` places."""

    first: int
    last: int
    turn: int = 0

    @property
    def is_identity(self) -> bool:
        return self.first == self.last and self.turn == 0

    def inverse(self, turns: int = 1) -> Gain:
        """The gain of the same edge walked backwards, for pieces with that many turns."""
        return Gain(self.last, self.first, -self.turn % turns)

    def cycle(self) -> tuple[int, ...]:
        """The slots that change, as a cycle from the moved piece on.

        >>> Gain(4, 2).cycle()
        (4, 2, 3)
        """
        if self.first == self.last:
            return ()
        step = 1 if self.last > self.first else -1
        return (self.first, *range(self.last, self.first, -step))


def slot_order(board: Board) -> tuple[int, ...]:
    """Cells along one line through the board, so that most moves stay short along it.

    A tile that moves from one cell to another passes the tiles between them along the line: the
    fewer those are, the shorter the gain, and no tile between means no change of order at all.
    Candidates are snakes along the rows and columns of the board (ending at its last cell, where
    the default goal has its hole) and a walk through the graph; the one that passes the fewest
    cells over all edges wins, and among equals the one with the most edges along the line.

    >>> from slidelab.boards import board
    >>> slot_order(board("square R(3,3)"))
    (0, 1, 2, 5, 4, 3, 6, 7, 8)
    """
    candidates = [*_snakes(board), tuple(range(board.size)), _walk(board)]
    return min(candidates, key=lambda order: _passed(board, order))


def _passed(board: Board, order: Sequence[int]) -> tuple[int, int]:
    rank = {cell: place for place, cell in enumerate(order)}
    lengths = [abs(rank[a] - rank[b]) for a, b in board.edges]
    return sum(lengths), -lengths.count(1)


def _snakes(board: Board) -> Iterator[tuple[int, ...]]:
    """Row by row there and back, for the rows in each direction of the lattice."""
    if not board.cells:
        return
    lines: list[Callable[[int, int], tuple[int, int]]] = [lambda x, y: (y, x), lambda x, y: (x, y)]
    if board.kind == "hex":
        lines.append(lambda q, r: (q + r, r))
    for line in lines:
        rows: dict[int, list[tuple[int, int]]] = {}
        for cell, (x, y) in enumerate(board.cells):
            row, place = line(x, y)
            rows.setdefault(row, []).append((place, cell))
        order: list[int] = []
        for turn, row in enumerate(sorted(rows, reverse=True)):
            order.extend(cell for _, cell in sorted(rows[row], reverse=turn % 2 == 0))
        yield tuple(reversed(order))


def _walk(board: Board) -> tuple[int, ...]:
    """Always on to the unseen neighbour with the fewest unseen neighbours; step back where stuck."""
    left = [len(around) for around in board.neighbours]
    seen = [False] * board.size
    order: list[int] = []
    for start in sorted(range(board.size), key=lambda cell: (left[cell], cell)):
        if seen[start]:
            continue
        stack = [start]
        while stack:
            cell = stack[-1]
            if not seen[cell]:
                seen[cell] = True
                order.append(cell)
                for other in board.neighbours[cell]:
                    left[other] -= 1
            options = [other for other in board.neighbours[cell] if not seen[other]]
            if options:
                stack.append(min(options, key=lambda other: (left[other], other)))
            else:
                stack.pop()
    return tuple(reversed(order))


@lru_cache(maxsize=256)
def count_shapes(puzzle: Puzzle, work: int = 5_000_000) -> int | None:
    """How many shapes the puzzle has, without building them; None if even counting is too much.

    Tiles: a binomial coefficient. Larger pieces: cells are settled one by one, remembering only
    which later cells are already covered; `work` limits how many such memories are looked at.

    >>> import slidelab as sl
    >>> count_shapes(sl.puzzle("hex F(3) gourds")), count_shapes(sl.puzzle("hex P(4,4)"))
    (2288, 120)
    """
    board, rule = puzzle.board, puzzle.rule
    if rule.cells == 1:
        return comb(board.size, puzzle.hole_count)
    if puzzle.piece_count == 1:
        return sum(1 for _ in rule.placements(board))
    order = slot_order(board)
    rank = {cell: place for place, cell in enumerate(order)}
    starting: list[list[int]] = [[] for _ in order]
    for cells in rule.placements(board):
        first = min(rank[cell] for cell in cells)
        starting[first].append(sum(1 << rank[cell] for cell in cells))
    table = {(0, 0): 1}
    for place, options in enumerate(starting):
        after: dict[tuple[int, int], int] = {}
        bit = 1 << place
        ahead = board.size - place
        for (covered, holes), ways in table.items():
            work -= len(options) + 1
            if work < 0:
                return None
            if holes + ahead - (covered >> place).bit_count() < puzzle.hole_count:
                continue  # too many pieces already: that many holes can't be had any more
            if covered & bit:
                after[covered, holes] = after.get((covered, holes), 0) + ways
                continue
            if holes < puzzle.hole_count:
                after[covered, holes + 1] = after.get((covered, holes + 1), 0) + ways
            for mask in options:
                if not covered & mask:
                    after[covered | mask, holes] = after.get((covered | mask, holes), 0) + ways
        settled = (bit << 1) - 1
        table = {}
        for (covered, holes), ways in after.items():
            later = (covered & ~settled, holes)
            table[later] = table.get(later, 0) + ways
    return sum(ways for (_, holes), ways in table.items() if holes == puzzle.hole_count)


class Steps:
    """Every placement of a piece and every step from one to another, as the core takes them.

    >>> import slidelab as sl
    >>> steps = Steps(sl.puzzle("hex F(2) gourds"))
    >>> len(steps.placements), len(steps.rows)
    (12, 66)
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        board, rule = puzzle.board, puzzle.rule
        self.placements = tuple(rule.placements(board))
        if len(self.placements) > MOST_CELLS:
            said = f"{len(self.placements):,} placements of a {rule.piece}, and the limit is {MOST_CELLS:,}"
            raise TooLarge(f"{puzzle.text} has {said}; {_advice(puzzle)}")
        self.number = {cells: number for number, cells in enumerate(self.placements)}
        self.rows: list[tuple[int, ...]] = []
        self.kinds: list[str] = []
        for number, cells in enumerate(self.placements):
            for step in rule.steps(board, cells):
                least, turn = self.spot(step.after)
                needs = (*step.holes, *(-1,) * (4 - len(step.holes)))
                self.rows.append((number, least, turn, *needs))
                self.kinds.append(step.kind)

    def spot(self, cells: Cells) -> tuple[int, int]:
        """The number of a placement in any reading, and by how much that reading is turned."""
        readings = self.puzzle.rule.readings
        least = min(readings(cells))
        return self.number[least], readings(least).index(cells)

    def arrays(
        self, rank: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], int]:
        """Board and rule as the core takes them: ranks of cells, placements, steps, turns."""
        import numpy as np

        rule = self.puzzle.rule
        steps = np.array(self.rows, dtype=np.int32).reshape(-1, 7)
        placements = np.array(self.placements, dtype=np.int32).reshape(-1, rule.cells)
        return rank, placements, steps, rule.turns


class GainGraph(SvgDisplay):
    """All shapes of a puzzle and the moves between them.

    >>> import slidelab as sl
    >>> g = gain_graph(sl.puzzle("square R(4,4)"))
    >>> g.shapes, g.edges, g.isolated
    (16, 24, 0)
    >>> sum(gain.is_identity for _, _, gain, _ in g)
    15
    """

    def __init__(self, puzzle: Puzzle, budget: Budget | None = None) -> None:
        import numpy as np

        from slidelab import _core

        budget = budget or Budget()
        self.puzzle = puzzle.uncoloured
        _check_size(self.puzzle, budget)
        board = puzzle.board
        self.order = slot_order(board)
        rank = np.empty(board.size, dtype=np.int32)
        rank[list(self.order)] = np.arange(board.size, dtype=np.int32)
        self.rank = rank
        self.steps = Steps(self.puzzle)
        self.placements = self.steps.placements
        self._number = self.steps.number
        try:
            self.core: Any = _core.GainGraph(
                *self.step_arrays(), puzzle.piece_count, budget.max_shapes, budget.check
            )
        except _core.LimitReached as error:
            raise TooLarge(f"{puzzle.text} is too large to build: {error}") from None
        self.shapes: int = self.core.shape_count
        self.edges: int = self.core.edge_count
        self.isolated: int = self.core.isolated
        self.degree: int = self.core.degree
        self.family_of: NDArray[np.uint32] = self.core.family()
        self._edge_rows: NDArray[np.int64] | None = None

    def __repr__(self) -> str:
        return f"<gain graph of {self.puzzle.text}: {self.shapes:,} shapes, {self.edges:,} edges>"

    @property
    def edge_rows(self) -> NDArray[np.int64]:
        """One row an edge: source, target, slot before, slot after, turn, step."""
        if self._edge_rows is None:
            self._edge_rows = self.core.edges()
        return self._edge_rows

    def __iter__(self) -> Iterator[tuple[int, int, Gain, str]]:
        """Every edge once: source, target, gain, kind of move."""
        for source, target, first, last, turn, step in self.edge_rows.tolist():
            yield source, target, Gain(first, last, turn), self.steps.kinds[step]

    def step_arrays(self) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], int]:
        """Board and rule as the core takes them: ranks of cells, placements, steps, turns."""
        return self.steps.arrays(self.rank)

    def placement_number(self, cells: Cells) -> int:
        """The number of a placement, given in its least reading."""
        return self._number[cells]

    def step_ends(self, step: int) -> tuple[Cells, Cells]:
        """The cells from which and to which a step takes a piece, in the placements' own readings."""
        row = self.steps.rows[step]
        return self.placements[row[0]], self.placements[row[1]]

    def slots(self, shape: int) -> tuple[Cells, ...]:
        """The cells of every slot of a shape, in slot order."""
        return tuple(self.placements[number] for number in self.core.slots(shape))

    def holes(self, shape: int) -> Cells:
        """The empty cells of a shape."""
        covered = {cell for cells in self.slots(shape) for cell in cells}
        return tuple(cell for cell in range(self.puzzle.board.size) if cell not in covered)

    def keeps_rule(self, symmetry: Sequence[int]) -> bool:
        """Does a symmetry of the board carry steps into steps? Reflections of some pieces do not.

        >>> import slidelab as sl
        >>> gain_graph(sl.puzzle("square R(2,2)")).keeps_rule((1, 0, 3, 2))
        True
        """
        board, rule = self.puzzle.board, self.puzzle.rule

        def image(cells: Cells) -> Cells:
            return tuple(symmetry[cell] for cell in cells)

        for cells in self.placements:
            carried = image(cells)
            if min(rule.readings(carried)) not in self._number:
                return False
            there = {(step.after, frozenset(step.holes)) for step in rule.steps(board, carried)}
            for step in rule.steps(board, cells):
                if (image(step.after), frozenset(image(step.holes))) not in there:
                    return False
        return True

    def image_shapes(self, symmetry: Sequence[int]) -> NDArray[np.int64]:
        """For each shape the shape it becomes under a symmetry that keeps the rule.

        >>> import slidelab as sl
        >>> gain_graph(sl.puzzle("square R(2,2)")).image_shapes((1, 0, 3, 2))
        array([1, 0, 3, 2])
        """
        import numpy as np

        keys = self.core.keys()
        if self.puzzle.rule.cells == 1:
            images = np.sort(np.array(symmetry, dtype=np.uint16)[keys], axis=1)
        else:
            readings = self.puzzle.rule.readings
            moved = [min(readings(tuple(symmetry[c] for c in cells))) for cells in self.placements]
            rows = np.array([self._number[cells] for cells in moved], dtype=np.uint16)[keys]
            rank = np.array([min(int(self.rank[c]) for c in cells) for cells in self.placements])
            images = np.take_along_axis(rows, np.argsort(rank[rows], axis=1), axis=1)
        find = self.core.find
        return np.array([find(row) for row in np.ascontiguousarray(images)], dtype=np.int64)

    def place(self, configuration: Configuration) -> tuple[int, NDArray[np.uint16]]:
        """Shape and arrangement: entry s is the piece point that lies in slot point s.

        A piece with several turns has as many points, numbered together: gourd k (from 0) has the
        points 2k for its head and 2k+1 for its tail.
        """
        import numpy as np

        rule = self.puzzle.rule
        least = [min(rule.readings(cells)) for cells in configuration.pieces]
        numbers = [self._number[cells] for cells in least]
        by_slot = sorted(range(len(numbers)), key=lambda k: min(int(self.rank[cell]) for cell in least[k]))
        if rule.cells == 1:
            key = np.array(configuration.holes, dtype=np.uint16)
        else:
            key = np.array([numbers[k] for k in by_slot], dtype=np.uint16)
        shape = self.core.find(key)
        arrangement = np.empty(self.degree, dtype=np.uint16)
        turns = rule.turns
        for slot, k in enumerate(by_slot):
            turn = rule.readings(least[k]).index(configuration.pieces[k])
            for mark in range(turns):
                # Mark m of the piece lies on mark m + turn of the slot's own reading.
                arrangement[slot * turns + (mark + turn) % turns] = k * turns + mark
        return shape, arrangement

    def configuration(self, shape: int, arrangement: Sequence[int] | NDArray[np.uint16]) -> Configuration:
        """The inverse of `place`."""
        rule, turns = self.puzzle.rule, self.puzzle.rule.turns
        pieces: list[Cells] = [()] * self.puzzle.piece_count
        for slot, cells in enumerate(self.slots(shape)):
            point = int(arrangement[slot * turns])
            # The piece's mark `point % turns` lies on mark 0 of the slot, so its mark 0 on mark -that.
            pieces[point // turns] = rule.readings(cells)[-(point % turns) % turns]
        return Configuration(self.puzzle, tuple(pieces))

    def family(self, shape: int, budget: Budget | None = None) -> Family:
        """The connected family of a shape, seen from that shape."""
        return Family(self, shape, budget)

    def families(self) -> list[tuple[int, int]]:
        """(smallest shape, number of shapes) of every family that can move, largest first."""
        import numpy as np

        roots, counts = np.unique(self.family_of, return_counts=True)
        moving = [(int(root), int(count)) for root, count in zip(roots, counts, strict=True) if count > 1]
        return sorted(moving, key=lambda pair: (-pair[1], pair[0]))


class Family:
    """One connected family of shapes with a spanning tree from its base shape."""

    def __init__(self, graph: GainGraph, base: int, budget: Budget | None = None) -> None:
        from slidelab import _core

        budget = budget or Budget()
        self.graph = graph
        self.base = base
        try:
            parts = graph.core.span(base, budget.working_memory, budget.check)
        except _core.LimitReached as error:
            raise TooLarge(f"{graph.puzzle.text} is too large: {error}") from None
        self.members: NDArray[np.uint32] = parts[0]
        self.parent: NDArray[np.uint32] = parts[1]
        self.parent_edge: NDArray[np.int64] = parts[2]
        self.potentials: NDArray[np.uint16] = parts[3]
        self.generators: NDArray[np.uint16] = parts[4]
        self.generator_edge: NDArray[np.uint32] = parts[5]
        self._local: dict[int, int] | None = None

    @property
    def shapes(self) -> int:
        """How many shapes the family has."""
        return len(self.members)

    def local(self, shape: int) -> int:
        """Where a shape stands in `members`."""
        if self._local is None:
            self._local = {int(member): place for place, member in enumerate(self.members)}
        return self._local[shape]

    def at_base(self, shape: int, arrangement: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Carry an arrangement back along the tree to the base shape."""
        carried: NDArray[np.uint16] = arrangement[self.potentials[self.local(shape)]]
        return carried

    def from_base(self, shape: int, arrangement: NDArray[np.uint16]) -> NDArray[np.uint16]:
        """Carry an arrangement from the base shape along the tree to another shape."""
        import numpy as np

        out = np.empty_like(arrangement)
        out[self.potentials[self.local(shape)]] = arrangement
        return out

    def path(self, shape: int) -> list[tuple[int, bool]]:
        """Edges of the tree from the base to a shape, each with whether it is walked backwards."""
        steps, at = [], self.local(shape)
        while self.parent_edge[at] >= 0:
            edge = int(self.parent_edge[at])
            steps.append((edge // 2, bool(edge & 1)))
            at = int(self.parent[at])
        return steps[::-1]

    def loop(self, generator: int) -> list[tuple[int, bool]]:
        """The closed walk at the base whose gain is that generator: out, over its edge, and back."""
        edge = int(self.generator_edge[generator])
        source, target = (int(x) for x in self.graph.edge_rows[edge][:2])
        return [*self.path(source), (edge, False), *backwards(self.path(target))]

    def moves(self, start: Configuration, walk: Sequence[tuple[int, bool]]) -> list[Move]:
        """The moves of a walk, as played from `start`."""
        graph, rule = self.graph, self.graph.puzzle.rule
        at = {min(rule.readings(cells)): k for k, cells in enumerate(start.pieces)}
        now = list(start.pieces)
        out = []
        for edge, back in walk:
            step = int(graph.edge_rows[edge][5])
            row = graph.steps.rows[step]
            first, last = graph.placements[row[0]], graph.placements[row[1]]
            after = rule.readings(last)[row[2]]  # where the cells of `first` go, position by position
            if back:
                # Turn both so that the piece lies in the least reading of where it starts.
                turn = rule.readings(after).index(last)
                first, after, last = last, rule.readings(first)[turn], first
            k = at.pop(first)
            turn = rule.readings(first).index(now[k])
            there = rule.readings(after)[turn]
            out.append(Move(k + 1, now[k], there, graph.steps.kinds[step]))
            now[k] = there
            at[last] = k
        return out


def backwards(walk: Sequence[tuple[int, bool]]) -> list[tuple[int, bool]]:
    """The same walk from its end to its beginning."""
    return [(edge, not back) for edge, back in reversed(walk)]


def _check_size(puzzle: Puzzle, budget: Budget) -> None:
    if puzzle.board.size > MOST_CELLS:
        said = f"{puzzle.board.size:,} cells, and the limit is {MOST_CELLS:,}"
        raise TooLarge(f"{puzzle.text} has {said}; {_advice(puzzle)}")
    count = count_shapes(puzzle)
    if count is not None and count <= budget.max_shapes:
        # Each shape is stored by its holes (tiles) or its pieces, with a few numbers more.
        width = puzzle.hole_count if puzzle.rule.cells == 1 else puzzle.piece_count
        memory = count * (2 * width + 40)
        if memory > budget.working_memory:
            raise TooLarge(
                f"{puzzle.text} has {count:,} shapes that need {memory / 1e9:.1f} GB, "
                f"and the limit is {budget.working_memory / 1e9:.1f} GB; {_advice(puzzle)}"
            )
        return
    said = "too many shapes to count" if count is None else f"{count:,} shapes"
    more = " or a higher limit" if count is not None and count <= 10 * budget.max_shapes else ""
    raise TooLarge(
        f"{puzzle.text} has {said}, and the limit is {budget.max_shapes:,}; {_advice(puzzle)}{more}"
    )


def _advice(puzzle: Puzzle) -> str:
    if puzzle.rule.cells == 1 and puzzle.hole_count > puzzle.rule.fewest_holes:
        return "what would work: fewer holes, a smaller board"
    return "what would work: a smaller board"


@lru_cache(maxsize=2)
def _cached(puzzle: Puzzle, budget: CacheNeutral[Budget]) -> GainGraph:
    return GainGraph(puzzle, budget.value)


def gain_graph(puzzle: PuzzleLike, budget: Budget | None = None) -> GainGraph:
    """The gain graph of a puzzle; colours do not matter. `TooLarge` if it would break the limits."""
    numbered = as_puzzle(puzzle).uncoloured
    budget = budget or Budget()
    _check_size(numbered, budget)
    return _cached(numbered, CacheNeutral(budget))
