"""Connected components of the puzzle graph, explored from a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from slidelab.draw.graph.nodes import MAX_VERTICES
from slidelab.draw.layout.stress import MAX_FORCE_VERTICES
from slidelab.errors import TooLarge
from slidelab.gains import count_shapes
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.puzzle_graph import configurations, count_arrangements
from slidelab.rules import Cells

__all__ = ["Component", "explore", "explore_components"]

StepsFrom = Callable[[Cells], tuple[Cells, list[tuple[Cells, Cells, Cells]]]]

MAX_LISTED = 100_000
"""Number of numbered configurations that are listed to find those of a coloured puzzle."""


@dataclass(frozen=True, slots=True)
class Component:
    """The configurations that can be reached from a start, closest first.

    Attributes
    ----------
    configurations : tuple of Configuration
        The start is number 0.
    distances : tuple of int
        Number of moves from the start to each configuration.
    edges : tuple of pairs
        The moves, each once, the smaller number first.
    """

    configurations: tuple[Configuration, ...]
    distances: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

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
    >>> len(component.configurations), len(component.edges), max(component.distances)
    (12, 12, 6)
    """
    puzzle = start.puzzle
    number_of = {start.pieces: 0}
    listed, distances = [start.pieces], [0]
    edges: set[tuple[int, int]] = set()
    steps = _steps(puzzle)
    for number, pieces in enumerate(listed):  # grows while it is searched
        for after in _neighbours(pieces, steps):
            if puzzle.colours is not None:  # pieces of one colour exchange their names
                after = Configuration(puzzle, after).pieces
            other = number_of.setdefault(after, len(listed))
            if other == len(listed):
                if other >= limit:
                    raise _too_large(limit, "more", f"from {start.text}")
                listed.append(after)
                distances.append(distances[number] + 1)
            if other != number:
                edges.add((min(number, other), max(number, other)))
    found = tuple(Configuration(puzzle, pieces) for pieces in listed)
    return Component(found, tuple(distances), tuple(sorted(edges)))


def _steps(puzzle: Puzzle) -> StepsFrom:
    """Return a cached function from a placement to its key of order and its steps in that order."""
    board, readings = puzzle.board, puzzle.rule.readings

    @cache
    def steps(cells: Cells) -> tuple[Cells, list[tuple[Cells, Cells, Cells]]]:
        found = [
            (min(readings(step.after)), step.holes, step.after) for step in puzzle.rule.steps(board, cells)
        ]
        return min(readings(cells)), sorted(found)

    return steps


def _neighbours(pieces: tuple[Cells, ...], steps: StepsFrom) -> Iterator[tuple[Cells, ...]]:
    covered = {cell for cells in pieces for cell in cells}
    for k in sorted(range(len(pieces)), key=lambda k: steps(pieces[k])[0]):
        for _, holes, after in steps(pieces[k])[1]:
            if covered.isdisjoint(holes):
                yield (*pieces[:k], after, *pieces[k + 1 :])


def explore_components(start: Configuration, limit: int) -> list[Component]:
    """Explore all components: the start's first, the others by size, from the start's shape if possible."""
    every = _all_configurations(start.puzzle, limit)
    every.sort(key=lambda each: (each != start, each.shape != start.shape))
    seen: set[Configuration] = set()
    components = []
    for configuration in every:
        if configuration not in seen:
            components.append(explore(configuration, limit))
            seen.update(components[-1].configurations)
    return components[:1] + sorted(components[1:], key=lambda each: -len(each.configurations))


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
