"""The gain graph: shapes, moves between them, and what each move does to the pieces.

Forget the labels and a puzzle has only a few shapes. A move is an edge from shape to shape that
carries the pieces along: the piece of one slot goes to another, those between move up by one. A closed
walk brings the shape back with its pieces permuted; all such permutations form the group that decides
what can be reached. See docs/design/gain-graph.md.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING
from weakref import ref

from slidelab.budget import MAX_SHAPES, Budget
from slidelab.display import SvgDisplay
from slidelab.errors import TooLarge
from slidelab.gains.family import Family
from slidelab.gains.shape_count import count_shapes
from slidelab.gains.slot_order import slot_order
from slidelab.gains.steps import MAX_NUMBER, StepArrays, Steps, advice
from slidelab.messages import big_number, byte_size
from slidelab.packages import require
from slidelab.puzzles import Configuration, Puzzle, PuzzleLike
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.rules import Cells

if TYPE_CHECKING:
    import networkx as nx
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["Gain", "GainGraph", "gain_graph"]


@dataclass(frozen=True, slots=True)
class Gain:
    """What an edge does: the piece of slot `first` goes to slot `last` and is turned by `turn` places.

    Examples
    --------
    >>> Gain(4, 2).inverse()
    Gain(first=2, last=4, turn=0)
    """

    first: int
    last: int
    turn: int = 0

    @property
    def is_identity(self) -> bool:
        """Whether no piece changes its slot or its turn."""
        return self.first == self.last and self.turn == 0

    def inverse(self, turns: int = 1) -> Gain:
        """Return the gain of the same edge walked backwards, for pieces with that many turns."""
        return Gain(self.last, self.first, -self.turn % turns)

    def cycle(self) -> tuple[int, ...]:
        """Return the slots that change as a cycle, from the slot of the moved piece on.

        Examples
        --------
        >>> Gain(4, 2).cycle()
        (4, 2, 3)
        """
        if self.first == self.last:
            return ()
        step = 1 if self.last > self.first else -1
        return (self.first, *range(self.last, self.first, -step))


class GainGraph(SvgDisplay):
    """All shapes of a puzzle and the moves between them.

    Graphs of equal puzzles are equal. Iterating over a graph yields every edge once, as its source, its
    target, its gain and the kind of move.

    Parameters
    ----------
    puzzle
        Its colours do not matter: pieces are numbered.
    budget
        Shapes, memory and time that may be used.

    Raises
    ------
    TooLarge
        If the graph would exceed the budget. This is known before anything is built.

    Examples
    --------
    >>> import slidelab as sl
    >>> g = gain_graph("square R(4,4)")
    >>> g
    <gain graph of square R(4,4) tiles 1: 16 shapes, 24 edges>
    >>> sum(gain.is_identity for _, _, gain, _ in g)
    15
    """

    def __init__(self, puzzle: Puzzle, budget: Budget | None = None) -> None:
        import numpy as np

        from slidelab import _core

        budget = budget or Budget()
        self.puzzle = puzzle.uncoloured
        shape_bytes = _check_size(self.puzzle, budget)
        board = puzzle.board
        self.order = slot_order(board)
        rank = np.empty(board.size, dtype=np.int32)
        rank[list(self.order)] = np.arange(board.size, dtype=np.int32)
        self.rank = rank
        self.steps = Steps(self.puzzle, budget)
        self.placements = self.steps.placements
        try:
            self.core: _core.GainGraph = _core.GainGraph(
                *self.step_arrays(),
                puzzle.piece_count,
                budget.max_shapes,
                _memory_share(budget) - shape_bytes,
                budget.check,
            )
        except _core.LimitReached as error:
            raise TooLarge(f"{puzzle.text} is too large to build: {error}") from None
        self.shapes = self.core.shape_count
        self.edges = self.core.edge_count
        self.isolated = self.core.isolated
        self.degree = self.core.degree
        self.family_of: NDArray[np.uint32] = self.core.family()
        self._move_table: ref[_core.MoveTable] | None = None

    def __repr__(self) -> str:
        return f"<gain graph of {self.puzzle.text}: {self.shapes:,} shapes, {self.edges:,} edges>"

    def __eq__(self, other: object) -> bool:
        return self.puzzle == other.puzzle if isinstance(other, GainGraph) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.puzzle)

    def __reduce__(self) -> tuple[object, ...]:
        return gain_graph, (self.puzzle, Budget(max_shapes=max(MAX_SHAPES, self.shapes)))

    @cached_property
    def edge_rows(self) -> NDArray[np.int64]:
        """One row for each edge: source, target, slot before, slot after, turn, step."""
        return self.core.edges()

    def read_edges(self, budget: Budget) -> NDArray[np.int64]:
        """Return `edge_rows`, or raise `OutOfTime`: graphs with millions of edges take a second."""
        if "edge_rows" not in self.__dict__:
            self.__dict__["edge_rows"] = self.core.edges(budget.check)
        return self.edge_rows

    def move_table(self, budget: Budget) -> _core.MoveTable:
        """Return the moves of all shapes as the core's searches take them.

        The graph does not keep the table, which may take as much memory as the graph itself. It finds one
        that somebody else keeps: the caller during several steps, or a searcher.
        """
        from slidelab import _core

        table = None if self._move_table is None else self._move_table()
        if table is None:
            table = _core.MoveTable(self.core, budget.check)
            self._move_table = ref(table)
        return table

    def __iter__(self) -> Iterator[tuple[int, int, Gain, str]]:
        for source, target, first, last, turn, step in self.edge_rows.tolist():
            yield source, target, Gain(first, last, turn), self.steps.kinds[step]

    def step_arrays(self) -> StepArrays:
        """Return the board and the rule as the core takes them: ranks of cells, placements, steps, turns."""
        return self.steps.arrays(self.rank)

    def placement_number(self, cells: Cells) -> int:
        """Return the number of a placement, given in its least reading."""
        return self.steps.number[cells]

    def step_ends(self, step: int) -> tuple[Cells, Cells]:
        """Return the cells from which and to which a step takes a piece, both in their least readings."""
        row = self.steps.rows[step]
        return self.placements[row[0]], self.placements[row[1]]

    def slots(self, shape: int) -> tuple[Cells, ...]:
        """Return the cells of every slot of a shape, in slot order."""
        return tuple(self.placements[number] for number in self.core.slots(shape))

    def holes(self, shape: int) -> Cells:
        """Return the empty cells of a shape."""
        covered = {cell for cells in self.slots(shape) for cell in cells}
        return tuple(cell for cell in range(self.puzzle.board.size) if cell not in covered)

    def keeps_rule(self, symmetry: Sequence[int]) -> bool:
        """Return whether a symmetry of the board takes steps to steps (of some pieces, reflections do not).

        Examples
        --------
        >>> gain_graph("square R(2,2)").keeps_rule((1, 0, 3, 2))
        True
        """
        board, rule = self.puzzle.board, self.puzzle.rule
        if rule.slides_along_edges:
            return True  # symmetries take edges to edges

        def image(cells: Cells) -> Cells:
            return tuple(symmetry[cell] for cell in cells)

        for cells in self.placements:
            carried = image(cells)
            if min(rule.readings(carried)) not in self.steps.number:
                return False
            there = {(step.after, frozenset(step.holes)) for step in rule.steps(board, carried)}
            for step in rule.steps(board, cells):
                if (image(step.after), frozenset(image(step.holes))) not in there:
                    return False
        return True

    def image_shapes(self, symmetry: Sequence[int], budget: Budget | None = None) -> NDArray[np.int64]:
        """Return for each shape the shape that it becomes under a symmetry that keeps the rule.

        Examples
        --------
        >>> gain_graph("square R(2,2)").image_shapes((1, 0, 3, 2))
        array([1, 0, 3, 2])
        """
        import numpy as np

        keys = self.core.keys()
        if self.puzzle.rule.cells == 1:
            images = np.sort(np.array(symmetry, dtype=np.uint16)[keys], axis=1)
        else:
            moved = [self.steps.locate(tuple(symmetry[c] for c in cells))[0] for cells in self.placements]
            rows = np.array(moved, dtype=np.uint16)[keys]
            rank = np.array([min(int(self.rank[c]) for c in cells) for cells in self.placements])
            images = np.take_along_axis(rows, np.argsort(rank[rows], axis=1), axis=1)
        find, budget = self.core.find, budget or Budget()
        found = np.empty(len(images), dtype=np.int64)
        for first in range(0, len(images), SHAPES_PER_CHECK):
            budget.check("symmetries", first, len(images))
            some = np.ascontiguousarray(images[first : first + SHAPES_PER_CHECK])
            found[first : first + len(some)] = [find(row) for row in some]
        return found

    def place(self, configuration: Configuration) -> tuple[int, NDArray[np.uint16]]:
        """Return the shape of a configuration and its arrangement: the piece point on each slot point.

        A piece with several turns has as many points, numbered together: gourd k (from 0) has the points
        2k for its head and 2k+1 for its tail.

        Examples
        --------
        >>> import slidelab as sl
        >>> gain_graph("square R(2,2)").place(sl.position("square R(2,2) : 3 1 . 2"))
        (2, array([0, 2, 1], dtype=uint16))
        """
        shapes, arrangements = self.places(self.steps.spots(configuration)[None, :])
        return int(shapes[0]), arrangements[0]

    def places(
        self, spots: NDArray[np.int32], threads: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
        """Return the shapes and arrangements of many configurations; see `place`.

        Parameters
        ----------
        spots
            A row for each configuration, with the placement of each piece times the turns of a piece,
            plus its reading, as `ConfigurationArrays.spots` returns them.
        threads
            Threads to use.
        """
        import numpy as np

        from slidelab import _core

        shapes = np.empty(len(spots), dtype=np.int64)
        arrangements = np.empty((len(spots), self.degree), dtype=np.uint16)
        _core.read_places(self.core, spots, shapes, arrangements, threads)
        return shapes, arrangements

    def configuration(self, shape: int, arrangement: Sequence[int] | NDArray[np.uint16]) -> Configuration:
        """Return the configuration with this shape and arrangement: the inverse of `place`."""
        rule, turns = self.puzzle.rule, self.puzzle.rule.turns
        pieces: list[Cells] = [()] * self.puzzle.piece_count
        for slot, cells in enumerate(self.slots(shape)):
            point = int(arrangement[slot * turns])
            # The piece's mark `point % turns` lies on mark 0 of the slot, so its mark 0 on mark -that.
            pieces[point // turns] = rule.readings(cells)[-(point % turns) % turns]
        return Configuration(self.puzzle, tuple(pieces))

    def family(self, shape: int, budget: Budget | None = None) -> Family:
        """Return the connected family of a shape, seen from that shape.

        Families of the graphs that `gain_graph` returned last are kept while they fit into memory.

        Raises
        ------
        TooLarge
            If the potentials of the family exceed the memory of the budget.

        Examples
        --------
        >>> gain_graph("square R(3,3)").family(8)
        <family of 9 shapes of square R(3,3) tiles 1 from shape 8: 4 generators>
        """
        return _CACHE.family(self, shape) or _CACHE.keep_family(Family(self, shape, budget))

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """Return the graph for networkx: shapes are nodes, moves are edges with their gains.

        A node has ``holes`` and ``slots`` (cells), an edge ``gain``, ``kind`` and ``cycle``, the slots that
        change. Each move is there once, from its source to its target; the way back has the inverse gain.

        Examples
        --------
        >>> import networkx as nx
        >>> g = gain_graph("square R(4,4)").to_networkx()
        >>> g.number_of_nodes(), g.number_of_edges(), nx.is_weakly_connected(g)
        (16, 24, True)
        >>> sum(not gain.is_identity for _, _, gain in g.edges(data="gain"))
        9
        """
        require("networkx", "graphs of networkx need", "graph")
        import networkx as nx

        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph(puzzle=self.puzzle.text)
        for shape in range(self.shapes):
            graph.add_node(shape, holes=self.holes(shape), slots=self.slots(shape))
        for source, target, gain, kind in self:
            graph.add_edge(source, target, gain=gain, kind=kind, cycle=gain.cycle())
        return graph

    def families(self) -> list[tuple[int, int]]:
        """Return (smallest shape, number of shapes) of every family that can move, the largest first.

        Examples
        --------
        >>> gain_graph("hex P(3,3)").families()
        [(0, 16)]
        """
        import numpy as np

        roots, counts = np.unique(self.family_of, return_counts=True)
        moving = [(int(root), int(count)) for root, count in zip(roots, counts, strict=True) if count > 1]
        return sorted(moving, key=lambda pair: (-pair[1], pair[0]))


def gain_graph(puzzle: PuzzleLike, budget: Budget | None = None) -> GainGraph:
    """Return the gain graph of a puzzle; the last two that were asked for are kept.

    Parameters
    ----------
    puzzle
        A puzzle, or anything that `slidelab.puzzle` reads. Its colours do not matter.
    budget
        Shapes, memory and time that may be used.

    Raises
    ------
    TooLarge
        If the graph would exceed the budget.

    Examples
    --------
    >>> gain_graph("hex F(3) gourds")
    <gain graph of hex F(3) gourds 1: 2,288 shapes, 4,704 edges>
    """
    numbered = as_puzzle(puzzle).uncoloured
    budget = budget or Budget()
    _check_size(numbered, budget)
    return _CACHE.graph(numbered) or _CACHE.keep_graph(GainGraph(numbered, budget))


def _memory_share(budget: Budget) -> int:
    """Return the bytes for a gain graph: half of the memory; the rest is for families and their groups."""
    return budget.working_memory // 2


def _check_size(puzzle: Puzzle, budget: Budget) -> int:
    """Return the bytes that the shapes of a puzzle take; raise `TooLarge` if they exceed the budget."""
    if puzzle.board.size > MAX_NUMBER:
        cells = f"{puzzle.board.size:,} cells, and the limit is {MAX_NUMBER:,}"
        raise TooLarge(f"{puzzle.text} has {cells}; {advice(puzzle)}")
    count = count_shapes(puzzle, budget=budget)
    if count is None or count > budget.max_shapes:
        shapes = "too many shapes to count" if count is None else f"{big_number(count)} shapes"
        more = " or a higher limit" if count is not None and count <= 10 * budget.max_shapes else ""
        limit = f"and the limit is {budget.max_shapes:,}; {advice(puzzle)}{more}"
        raise TooLarge(f"{puzzle.text} has {shapes}, {limit}")
    # Each shape is stored by its holes (pieces of one cell) or its pieces, with a few numbers more.
    width = puzzle.hole_count if puzzle.rule.cells == 1 else puzzle.piece_count
    memory, limit_bytes = count * (2 * width + 60), _memory_share(budget)
    if memory > limit_bytes:
        needs = f"{count:,} shapes that need {byte_size(memory)}"
        limit = f"and the limit for them is {byte_size(limit_bytes)}; {advice(puzzle)}"
        raise TooLarge(f"{puzzle.text} has {needs}, {limit}")
    return memory


SHAPES_PER_CHECK = 10_000
"""Shapes whose images are found between two looks at the clock."""

MAX_CACHED_GRAPHS = 2
"""Gain graphs that are kept: start and goal of a question share one, a second serves comparisons."""

MAX_CACHED_FAMILIES = 8
"""Families that are kept with these graphs, and with them their groups (`slidelab.reach.loop_groups`)."""

MAX_CACHED_FAMILY_BYTES = 200_000_000
"""Bytes of families that are kept; the one that was asked for last is kept whatever its size."""


class _Cache:
    """The gain graphs that were asked for last, and their families, the latest at the end.

    Families are kept here and not in their graphs: a graph and its families would refer to each other, and
    would stay in memory after their last use until the garbage collector comes by.
    """

    def __init__(self) -> None:
        self._graphs: OrderedDict[Puzzle, GainGraph] = OrderedDict()
        self._families: OrderedDict[tuple[Puzzle, int], Family] = OrderedDict()
        self._lock = Lock()

    def graph(self, puzzle: Puzzle) -> GainGraph | None:
        with self._lock:
            if puzzle in self._graphs:
                self._graphs.move_to_end(puzzle)
            return self._graphs.get(puzzle)

    def keep_graph(self, graph: GainGraph) -> GainGraph:
        with self._lock:
            self._graphs[graph.puzzle] = graph
            self._graphs.move_to_end(graph.puzzle)
            while len(self._graphs) > MAX_CACHED_GRAPHS:
                puzzle, _ = self._graphs.popitem(last=False)
                for key in [key for key in self._families if key[0] == puzzle]:
                    del self._families[key]
        return graph

    def family(self, graph: GainGraph, base: int) -> Family | None:
        with self._lock:
            found = self._families.get((graph.puzzle, base))
            if found is None or found.graph is not graph:
                return None
            self._families.move_to_end((graph.puzzle, base))
            return found

    def keep_family(self, family: Family) -> Family:
        with self._lock:
            puzzle = family.graph.puzzle
            if self._graphs.get(puzzle) is family.graph:
                self._families[puzzle, family.base] = family
                while len(self._families) > 1 and self._has_too_many_families():
                    self._families.popitem(last=False)
        return family

    def _has_too_many_families(self) -> bool:
        size = sum(family.nbytes for family in self._families.values())
        return len(self._families) > MAX_CACHED_FAMILIES or size > MAX_CACHED_FAMILY_BYTES


_CACHE = _Cache()
