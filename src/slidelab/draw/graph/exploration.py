"""Connected components of the puzzle graph, explored from a configuration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from slidelab.draw.graph.nodes import MAX_VERTICES
from slidelab.draw.layout.stress import MAX_VERTICES as MAX_FORCE_VERTICES
from slidelab.errors import TooLarge
from slidelab.gains import count_shapes
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.puzzle_graph import configurations, count_arrangements
from slidelab.rules import Cells

__all__ = ["Component", "explore", "explore_components"]

Pieces = tuple[Cells, ...]

MAX_LISTED = 100_000
"""Number of numbered configurations that are listed to find those of a coloured puzzle."""


@dataclass(frozen=True, slots=True)
class Component:
    """The configurations that can be reached from a start, closest first.

    Attributes
    ----------
    puzzle : Puzzle
    pieces : tuple
        The cells of the pieces of each configuration; the start is number 0.
    distances : tuple of int
        Number of moves from the start to each configuration.
    edges : tuple of pairs
        The moves, each once, the smaller number first.
    """

    puzzle: Puzzle
    pieces: tuple[Pieces, ...]
    distances: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def configuration(self, number: int) -> Configuration:
        """Return the configuration of that number."""
        return Configuration(self.puzzle, self.pieces[number])

    @property
    def farthest(self) -> list[int]:
        """Numbers of the configurations at the largest distance; empty if nothing can move."""
        depth = max(self.distances)
        return [number for number, moves in enumerate(self.distances) if moves == depth] if depth else []


def explore(start: Configuration, limit: int = 2_000) -> Component:
    """Search the puzzle graph breadth first from a configuration; raise `TooLarge` beyond the limit.

    Moves are tried in the order of their cells, not of the pieces' names. So components that differ in names
    only have equal numbers, distances and edges.

    >>> import slidelab as sl
    >>> component = explore(sl.puzzle("square R(2,2)").goal)
    >>> len(component.pieces), len(component.edges), max(component.distances)
    (12, 12, 6)
    """
    successors = _Successors(start.puzzle)
    number_of = {start.pieces: 0}
    listed, distances = [start.pieces], [0]
    edges: set[tuple[int, int]] = set()
    for number, pieces in enumerate(listed):  # grows while it is searched
        for after in successors.of(pieces):
            other = number_of.setdefault(after, len(listed))
            if other == len(listed):
                if other >= limit:
                    raise _too_large(limit, "more", f"from {start.text}")
                listed.append(after)
                distances.append(distances[number] + 1)
            if other != number:
                edges.add((min(number, other), max(number, other)))
    return Component(start.puzzle, tuple(listed), tuple(distances), tuple(sorted(edges)))


def explore_components(start: Configuration, limit: int) -> list[Component]:
    """Explore all components: the start's first, the others by size, from the start's shape if possible."""
    every = _all_configurations(start.puzzle, limit)
    every.sort(key=lambda each: (each != start, each.shape != start.shape))
    seen: set[Pieces] = set()
    components = []
    for configuration in every:
        if configuration.pieces not in seen:
            components.append(explore(configuration, limit))
            seen.update(components[-1].pieces)
    return components[:1] + sorted(components[1:], key=lambda each: -len(each.pieces))


def _all_configurations(puzzle: Puzzle, limit: int) -> list[Configuration]:
    plain = puzzle.uncoloured
    shapes = count_shapes(plain)
    total = None if shapes is None else shapes * count_arrangements(plain)
    if total is None or total > (limit if puzzle.colours is None else MAX_LISTED):
        raise _too_large(limit, "too many" if total is None else f"{total:,}", f"in {puzzle.text}")
    if puzzle.colours is None:
        return [*configurations(plain)]
    distinct = dict.fromkeys(Configuration(puzzle, each.pieces) for each in configurations(plain))
    if len(distinct) > limit:
        raise _too_large(limit, f"{len(distinct):,}", f"in {puzzle.text}")
    return [*distinct]


def _too_large(limit: int, got: str, where: str) -> TooLarge:
    hint = "; a larger limit allows more" if limit < MAX_FORCE_VERTICES else ""
    if MAX_FORCE_VERTICES <= limit < MAX_VERTICES:
        hint = "; in layers a larger limit allows more"
    return TooLarge(f"expected at most {limit:,} configurations, got {got} - {where}{hint}")


class _Successors:
    """The moves of a puzzle, cached for each placement of a piece."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._steps: dict[Cells, tuple[Cells, list[tuple[Cells, int, Cells]]]] = {}

    def of(self, pieces: Pieces) -> Iterator[Pieces]:
        """Yield the pieces after each move."""
        free = (1 << self._puzzle.board.size) - 1
        for cells in pieces:
            for cell in cells:
                free ^= 1 << cell
        moves = []
        for piece, cells in enumerate(pieces):
            least, steps = self._steps_from(cells)
            moves += [(least, order, piece, after) for order, holes, after in steps if holes & free == holes]
        for _, _, piece, after in sorted(moves):
            result = (*pieces[:piece], after, *pieces[piece + 1 :])
            # Pieces of one colour may exchange names: the configuration has the least order.
            yield result if self._puzzle.colours is None else Configuration(self._puzzle, result).pieces

    def _steps_from(self, cells: Cells) -> tuple[Cells, list[tuple[Cells, int, Cells]]]:
        if cells not in self._steps:
            rule, board = self._puzzle.rule, self._puzzle.board
            steps = [
                (min(rule.readings(step.after)), sum(1 << cell for cell in set(step.holes)), step.after)
                for step in rule.steps(board, cells)
            ]
            self._steps[cells] = (min(rule.readings(cells)), steps)
        return self._steps[cells]
