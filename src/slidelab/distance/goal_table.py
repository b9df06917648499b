"""How far every configuration is from the nearest of many goals, and whether its solution is unique.

Coloured pieces may fill coloured cells in many ways, and each of them is a goal. The search of the core
begins at all of them at once and numbers all configurations, whether they can be reached or not, with three
bits for each; see docs/design/distances.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge, Unsolvable
from slidelab.gains import gain_graph
from slidelab.messages import big_number, byte_size, quoted
from slidelab.puzzles import Configuration, Move, Puzzle, Solution

if TYPE_CHECKING:
    from slidelab import _core

__all__ = ["GoalTable", "ShortestSolutions", "goals_on_cells"]

EMPTY = "."
"""The colour of a cell that stays empty."""

DEFAULT_SAMPLES = 64
"""Configurations of each layer that are kept, with one shortest solution and with several of them."""

MAX_POSITIONS = 2_000_000
"""Positions on the shortest solutions of one configuration that are counted: about a second."""

SHAPES_PER_CHECK = 1_000
"""Shapes between two looks at the clock: some milliseconds."""

GoalIndex = tuple[int, int]
"""Shape, and the number of the arrangement."""


@dataclass(frozen=True, slots=True)
class ShortestSolutions:
    """All shortest solutions of one configuration.

    Attributes
    ----------
    count : int
        How many there are; pieces that look alike are not told apart. At most 2^64 - 1.
    chance : float
        The probability that random moves, none of which takes the last one back, are one of them.
    positions : int
        The number of positions on any of them.
    """

    count: int
    chance: float
    positions: int


class _Numbering:
    """Indices of configurations: shape, kinds of the pieces, and how they are turned."""

    def __init__(self, puzzle: Puzzle, budget: Budget) -> None:
        import numpy as np

        from slidelab import _core

        self.puzzle = puzzle
        self.graph = gain_graph(puzzle, budget)
        colours = puzzle.colours or tuple((str(number),) for number in range(puzzle.piece_count))
        self.looks = list(dict.fromkeys(colours))
        self.kinds = [self.looks.index(labels) for labels in colours]
        rule = puzzle.rule
        self.periods = [
            next((k for k in range(1, rule.turns) if rule.readings(labels)[k] == labels), rule.turns)
            for labels in self.looks
        ]
        edges = np.ascontiguousarray(self.graph.read_edges(budget)[:, :5])
        try:
            self.code: _core.GoalCode = _core.GoalCode(
                self.graph.shapes,
                edges,
                rule.turns,
                np.array(self.kinds, dtype=np.uint16),
                np.array(self.periods, dtype=np.uint32),
                budget.memory,
                budget.check,
            )
        except _core.LimitReached as error:
            raise TooLarge(f"{puzzle.text} is too large to search: {error}") from None

    @property
    def configurations(self) -> int:
        return self.graph.shapes * self.code.words * self.code.turnings

    def index(self, configuration: Configuration) -> GoalIndex:
        """Return the index of a configuration."""
        turns = self.puzzle.rule.turns
        shape, arrangement = self.graph.place(configuration)
        points = arrangement[::turns].tolist()  # the piece's mark on the first of each slot
        return shape, self._number(
            [self.kinds[point // turns] for point in points], [-(point % turns) % turns for point in points]
        )

    def _number(self, kinds: Sequence[int], turned: Sequence[int]) -> int:
        import numpy as np

        number = self.code.index(np.array(kinds, dtype=np.uint16), np.array(turned, dtype=np.uint32))
        assert number is not None, "the kinds of a configuration are those of its puzzle"
        return number

    def configuration(self, index: GoalIndex) -> Configuration:
        """Return the configuration at an index."""
        turns = self.puzzle.rule.turns
        free: dict[int, list[int]] = {}
        for piece, kind in enumerate(self.kinds):
            free.setdefault(kind, []).append(piece)
        points: list[int] = []
        for kind, turned in self.code.arrangement(index[1]):
            piece = free[kind].pop()
            points += [piece * turns + (mark - turned) % turns for mark in range(turns)]
        found = self.graph.configuration(index[0], points)
        return Configuration(self.puzzle, found.pieces)

    def goals(self, cells: Sequence[str], budget: Budget) -> Iterator[GoalIndex]:
        """Yield the goals; each shape has one at most, as the cells give each slot its colours."""
        rule = self.puzzle.rule
        reading_of: dict[tuple[str, ...], tuple[int, int]] = {}
        for kind, labels in enumerate(self.looks):
            colours = [labels[min(k, len(labels) - 1)] for k in range(rule.cells)]
            for turn, positions in enumerate(rule.readings(tuple(range(rule.cells)))):
                seen = tuple(colour for _, colour in sorted(zip(positions, colours, strict=True)))
                reading_of.setdefault(seen, (kind, turn % self.periods[kind]))
        wanted = sorted(self.kinds)
        found = [
            None if EMPTY in labels else reading_of.get(labels)
            for labels in (tuple(cells[cell] for cell in cells_of) for cells_of in self.graph.placements)
        ]
        number = self.graph.steps.number
        for shape in range(self.graph.shapes):
            if shape % SHAPES_PER_CHECK == 0:
                budget.check("goals", shape, self.graph.shapes)
            slots = [found[number[cells_of]] for cells_of in self.graph.slots(shape)]
            pieces = [slot for slot in slots if slot is not None]
            if len(pieces) == len(slots) and sorted(kind for kind, _ in pieces) == wanted:
                kinds, turned = zip(*pieces, strict=True)
                yield shape, self._number(kinds, turned)


class GoalTable:
    """The distance of every configuration from the nearest of all goals on coloured cells.

    Parameters
    ----------
    puzzle
        A puzzle with coloured pieces.
    cells
        The colour of each cell, ``.`` for a cell that stays empty. A goal is any configuration in which
        every part of a piece is on a cell of its colour.
    samples
        Configurations of each distance that `sample` can return, of either sort.
    budget
        Time, memory, threads and shapes that may be used.

    Raises
    ------
    NotationError
        If the pieces are not coloured, or the colours do not fit the board.
    Unsolvable
        If there is no goal.
    TooLarge
        If the table does not fit into the memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["b", "b"]])
    >>> table = GoalTable(p, ["a", "b", "a", ".", "b", "a", "b"])
    >>> len(table.goals), table.distribution
    (2, (2, 12, 16, 26, 48, 46, 44, 40, 6))
    >>> start, is_unique = table.sample(7)[0]
    >>> is_unique, table.solve(start).length, table.count_solutions(start).count
    (True, 7, 1)
    """

    def __init__(
        self,
        puzzle: Puzzle,
        cells: Sequence[str],
        *,
        samples: int = DEFAULT_SAMPLES,
        budget: Budget | None = None,
    ) -> None:
        from slidelab import _core

        self.puzzle = puzzle
        self.cells = _checked_cells(puzzle, cells)
        self._budget = budget = budget or Budget()
        self._numbering = _Numbering(puzzle, budget)
        code = self._numbering.code
        self.needed_bytes = code.bytes + _core.GoalSearch.bytes_needed(code, budget.threads)
        if self.needed_bytes > budget.memory:
            raise TooLarge(
                f"{puzzle.text} needs {byte_size(self.needed_bytes)} for the distances of "
                f"{big_number(self.configurations)} configurations to goals on coloured cells, "
                f"and the limit is {byte_size(budget.memory)}"
            )
        self._goals = list(self._numbering.goals(self.cells, budget))
        if not self._goals:
            raise Unsolvable(
                f"no placement of the pieces matches the colours of the cells - of {puzzle.text}"
            )
        self._core = _core.GoalSearch(code, samples)
        self._core.begin(self._goals)
        reached = len(self._goals)
        while True:
            number = len(self._core.layers)

            def progress(_: str, done: int, total: int, reached: int = reached, number: int = number) -> None:
                budget.check(f"layer {number}", reached, self.configurations)

            found = self._core.advance(budget.threads, progress)
            if not found:
                break
            reached += found

    def __repr__(self) -> str:
        return f"<distances to {len(self._goals):,} goals: {sum(self.distribution):,} configurations>"

    @property
    def configurations(self) -> int:
        """The number of all configurations, also of those from which no goal can be reached."""
        return self._numbering.configurations

    @cached_property
    def goals(self) -> tuple[Configuration, ...]:
        """All goals."""
        return tuple(map(self._numbering.configuration, self._goals))

    @cached_property
    def distribution(self) -> tuple[int, ...]:
        """The number of configurations at each distance."""
        return tuple(states for states, _ in self._core.layers)

    @cached_property
    def unique(self) -> tuple[int, ...]:
        """How many of them have only one shortest solution."""
        return tuple(alone for _, alone in self._core.layers)

    def distance(self, start: Configuration) -> int | None:
        """Return the number of moves to the nearest goal; None if none can be reached."""
        moves = self._core.distance(self._numbering.index(start))
        return None if moves < 0 else moves

    def is_unique(self, start: Configuration) -> bool:
        """Return whether a configuration has only one shortest solution."""
        return self._core.is_unique(self._numbering.index(start))

    def count_solutions(self, start: Configuration) -> ShortestSolutions:
        """Count the shortest solutions of a configuration, and how likely one is found by luck.

        Raises
        ------
        Unsolvable
            If no goal can be reached.
        TooLarge
            If there are more than two million positions on them.
        """
        from slidelab import _core

        index = self._numbering.index(start)
        if self._core.residue(index) < 0:
            raise self._unsolvable(start)
        try:
            return ShortestSolutions(*self._core.solutions(index, MAX_POSITIONS, self._budget.check))
        except _core.LimitReached as error:
            raise TooLarge(f"{error}: {MAX_POSITIONS:,} - of {start.text}") from None

    def next_moves(self, start: Configuration) -> list[Move]:
        """Return the moves that begin a shortest solution; none at a goal, or where none can be reached."""
        here = self._core.residue(self._numbering.index(start))
        if here < 0:
            return []
        nearer = (here + 2) % 3
        return [
            move
            for move in start.moves
            if self._core.residue(self._numbering.index(start.play(move))) == nearer
        ]

    def solve(self, start: Configuration) -> Solution:
        """Return a shortest solution to the nearest goal.

        Raises
        ------
        Unsolvable
            If no goal can be reached.
        """
        if self._core.residue(self._numbering.index(start)) < 0:
            raise self._unsolvable(start)
        here, moves = start, []
        while following := self.next_moves(here):
            moves.append(following[0])
            here = here.play(following[0])
        return Solution(start, here, moves, optimal=True, method="table")

    def sample(self, distance: int) -> list[tuple[Configuration, bool]]:
        """Return configurations at a distance drawn at random, and whether each has one shortest solution.

        They are the same in every search; all of them, if there are no more than `samples` of either sort.
        """
        if not 0 <= distance < len(self.distribution):
            raise NotationError(
                f"expected a distance up to {len(self.distribution) - 1}, the largest one, got {distance}"
            )
        return [(self._numbering.configuration(index), alone) for index, alone in self._core.sample(distance)]

    def _unsolvable(self, start: Configuration) -> Unsolvable:
        return Unsolvable(f"no moves lead from {start.pieces_text} to a goal on these cells")


def goals_on_cells(
    puzzle: Puzzle, cells: Sequence[str], *, budget: Budget | None = None
) -> list[Configuration]:
    """Return all configurations in which every part of a piece is on a cell of its colour.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2) : a a b .")
    >>> [goal.pieces_text for goal in goals_on_cells(p, ["a", "a", "b", "b"])]
    ['a a . b', 'a a b .']
    """
    budget = budget or Budget()
    cells = _checked_cells(puzzle, cells)
    numbering = _Numbering(puzzle, budget)
    return [numbering.configuration(index) for index in numbering.goals(cells, budget)]


def _checked_cells(puzzle: Puzzle, cells: Sequence[str]) -> tuple[str, ...]:
    where = f"on {quoted(puzzle.board.name)}"
    if puzzle.colours is None:
        raise NotationError(f"expected coloured pieces for coloured cells, got numbers - {where}")
    if isinstance(cells, str) or len(cells) != puzzle.board.size:
        raise NotationError(
            f"expected {puzzle.board.size} colours, one for each cell, got {len(cells)} - {where}"
        )
    return tuple(cells)
