"""The permutation that takes a start to a goal, once both have their holes in the same cells.

Moves bring the holes of the start to those of the goal along a fixed tree (on squares along a snake, as the
slides of Chapple, Croeze, Lazo and Merrill do). What is left to do is a permutation of the places of the
pieces, and the goal can be reached if it belongs to the group of the loops there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import lcm
from typing import Any

from slidelab.boards import Board, components
from slidelab.budget import Budget
from slidelab.errors import NotationError
from slidelab.gains import Family, gain_graph, slot_order
from slidelab.messages import counted, quoted
from slidelab.permutations import Permutation, cycles, is_even
from slidelab.puzzles import Configuration
from slidelab.reach.factorisation import Factorisation, factorise
from slidelab.reach.frames import carry_holes, holes_by_part, pieces_by_cell
from slidelab.reach.numbering import Numbering, cell_numbers, default_numbering, product_text
from slidelab.reach.question import Question
from slidelab.reach.route import answer
from slidelab.rules import Cells

__all__ = ["RequiredPermutation", "required_permutation"]


@dataclass(frozen=True, slots=True)
class RequiredPermutation:
    """The permutation of places that takes one configuration to another with the same holes.

    The piece on place x must go to place y, if y is the image of x. Products are read from left to right.

    Examples
    --------
    >>> import slidelab as sl
    >>> loyd = sl.puzzle("15-puzzle").permutation("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    >>> loyd
    <permutation (14 15), odd>
    >>> loyd.cycles(), loyd.sign
    ([(14, 15)], -1)
    """

    start: Configuration
    goal: Configuration
    standard_start: Configuration
    """The start after moves that bring its holes to `holes`."""
    standard_goal: Configuration
    holes: Cells
    """The one hole position to which start and goal were standardised."""
    images: Permutation
    """The image of each point: a tile has one, a gourd one for each end."""
    points: Cells
    """The cell of each point."""
    _family: Family | None = field(repr=False, compare=False, default=None)

    def __repr__(self) -> str:
        return f"<permutation {self}, {self.parity}>"

    def __str__(self) -> str:
        return product_text(self.cycles())

    def __reduce__(self) -> tuple[object, ...]:
        values = (self.start, self.goal, self.standard_start, self.standard_goal)
        return RequiredPermutation, (*values, self.holes, self.images, self.points, self._family)

    @property
    def sign(self) -> int:
        """1 for an even permutation, -1 for an odd one."""
        return 1 if is_even(self.images) else -1

    @property
    def parity(self) -> str:
        """``"even"`` or ``"odd"``."""
        return "even" if self.sign == 1 else "odd"

    @property
    def order(self) -> int:
        """How often the permutation must be applied to have no effect."""
        return lcm(*map(len, cycles(self.images)))

    def numbers(self, numbering: Numbering | None = None) -> tuple[int, ...]:
        """Return the number of each point: that of its cell, see `cell_numbers`."""
        numbers = cell_numbers(self.start.puzzle.board, numbering)
        return tuple(numbers[cell] for cell in self.points)

    def cycles(self, numbering: Numbering | None = None) -> list[tuple[int, ...]]:
        """Return the cycles of length two and more, each from its smallest number on.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("15-puzzle")
        >>> p.permutation(". 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15").cycles("snake")
        [(1, 2, 3, 4), (8, 10, 12, 9, 11)]
        """
        numbers = self.numbers(numbering)
        return sorted(_least_first([numbers[x] for x in cycle]) for cycle in cycles(self.images))

    def transpositions(self, numbering: Numbering | None = None) -> list[tuple[int, int]]:
        """Return the fewest transpositions whose product, read from left to right, is the permutation.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(3,3)").permutation("2 3 1 4 5 6 7 8 .").transpositions()
        [(1, 2), (1, 3)]
        """
        return [(cycle[0], other) for cycle in self.cycles(numbering) for other in cycle[1:]]

    def factor(self, *, budget: Budget | None = None) -> Factorisation | None:
        """Return the permutation as a product of the puzzle's generators, or None if it is not one.

        Raises
        ------
        TooLarge
            If the puzzle has no gain graph, or its group is too large for a table of words.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("15-puzzle")
        >>> found = p.permutation("1 2 3 4 5 6 7 8 10 11 9 12 13 14 15 .").factor()
        >>> found.start.play(*found.moves) == p.goal
        True
        """
        required: RequiredPermutation | None = self
        if self._family is None:  # holes went along shortest paths, and loops go along the tree
            required = _by_graph(self.start, self.goal, self.holes, budget)
        return None if required is None else factorise(required, budget)

    def family(self, budget: Budget | None = None) -> Family:
        """Return the family of shapes with the tree along which holes were moved, seen from `holes`.

        Raises
        ------
        TooLarge
            If the gain graph exceeds the budget.
        """
        if self._family is not None:
            return self._family
        graph = gain_graph(self.start.puzzle, budget)
        return Family(graph, graph.place(_uncoloured(self.standard_goal))[0], budget, along_line=True)

    def to_json(self, numbering: Numbering | None = None) -> dict[str, Any]:
        """Return the JSON form: cycles, transpositions, sign, and the standardised start and goal."""
        return {
            "cycles": [list(cycle) for cycle in self.cycles(numbering)],
            "transpositions": [list(pair) for pair in self.transpositions(numbering)],
            "sign": self.sign,
            "order": self.order,
            "numbering": numbering or default_numbering(self.start.puzzle.board),
            "holes": list(self.holes),
            "start": self.standard_start.to_json(),
            "goal": self.standard_goal.to_json(),
        }


def _least_first(cycle: list[int]) -> tuple[int, ...]:
    first = cycle.index(min(cycle))
    return (*cycle[first:], *cycle[:first])


def required_permutation(
    start: Configuration,
    goal: Configuration,
    *,
    holes: Cells | None = None,
    budget: Budget | None = None,
) -> RequiredPermutation | None:
    """Return the permutation that takes `start` to `goal` once both have the same holes.

    Parameters, result and errors are those of `slidelab.Puzzle.permutation`.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("theta(1,2,2)")
    >>> print(required_permutation(p.configuration("2 1 3 4 5 6 ."), p.goal))
    (0 1)
    """
    puzzle = start.puzzle
    if holes is not None:
        _check_holes(puzzle.board, puzzle.rule.cells, puzzle.hole_count, holes)
    return answer(
        puzzle,
        budget,
        by_graph=lambda: _by_graph(start, goal, holes, budget),
        by_regions=lambda _: _by_paths(start, goal, holes),
        by_theorem=lambda _: None,
    )


def _check_holes(board: Board, cells: int, count: int, holes: Cells) -> None:
    if cells != 1:  # several shapes of such pieces have the same holes
        raise NotationError("expected the holes of the goal for pieces of several cells, got other holes")
    if len(set(holes)) != count or not all(0 <= cell < board.size for cell in holes):
        raise NotationError(
            f"expected {counted(count, 'different cell')} from 0 to {board.size - 1} for the holes, "
            f"got {quoted(' '.join(map(str, holes)))}"
        )


def _by_graph(
    start: Configuration, goal: Configuration, holes: Cells | None, budget: Budget | None
) -> RequiredPermutation | None:
    """Standardise along the tree of the gain graph."""
    graph = gain_graph(start.puzzle, budget)
    first, last = _uncoloured(start), _uncoloured(goal)
    (start_shape, here), (goal_shape, there) = graph.place(first), graph.place(last)
    base = goal_shape if holes is None else graph.place(_with_holes(goal, holes))[0]
    if len({int(graph.family_of[shape]) for shape in (start_shape, goal_shape, base)}) > 1:
        return None
    family = Family(graph, base, budget, along_line=True)
    standard = [
        Configuration(start.puzzle, graph.configuration(base, family.to_base(shape, arrangement)).pieces)
        for shape, arrangement in ((start_shape, here), (goal_shape, there))
    ]
    question = Question(graph, standard[0], standard[1], budget)
    element = question.needed if start.puzzle.colours is None else question.solution()
    if element is None:  # coloured pieces that cannot be matched
        return None
    turns = start.puzzle.rule.turns
    marks = (0, -1) if turns == 2 else tuple(range(turns))
    points = tuple(cells[mark] for cells in graph.slots(base) for mark in marks)
    images = tuple(map(int, element))
    return RequiredPermutation(
        start, goal, standard[0], standard[1], graph.holes(base), images, points, family
    )


def _by_paths(start: Configuration, goal: Configuration, holes: Cells | None) -> RequiredPermutation | None:
    """Standardise tiles on a board of any size: holes go along shortest paths."""
    puzzle = start.puzzle
    if puzzle.colours is not None:
        return None
    board, base = puzzle.board, goal.holes if holes is None else tuple(sorted(holes))
    parts = components(board)
    counts = [holes_by_part(parts, empty) for empty in (start.holes, goal.holes, base)]
    if not counts[0] == counts[1] == counts[2]:
        return None
    tiles = []
    for configuration in (start, goal):
        row = pieces_by_cell(configuration)
        carry_holes(board, row, base)
        tiles.append(row)
    points = tuple(cell for cell in slot_order(board) if cell not in set(base))
    place = {tiles[1][cell]: number for number, cell in enumerate(points)}
    images = tuple(place[tiles[0][cell]] for cell in points)
    standard = [puzzle.configuration(row) for row in tiles]
    return RequiredPermutation(start, goal, standard[0], standard[1], base, images, points)


def _uncoloured(configuration: Configuration) -> Configuration:
    return Configuration(configuration.puzzle.uncoloured, configuration.pieces)


def _with_holes(configuration: Configuration, holes: Cells) -> Configuration:
    """Return some configuration of numbered tiles with these holes."""
    puzzle = configuration.puzzle.uncoloured
    free = (cell for cell in range(puzzle.board.size) if cell not in set(holes))
    return Configuration(puzzle, tuple((cell,) for cell in free))
