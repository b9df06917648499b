"""Betti numbers of configuration complexes, by discrete Morse reduction over the shapes.

The complex of all configurations is a covering of a small complex over the shapes. That one is built and
reduced in the core; only what is left is spread over the arrangements of the pieces. One component of each
family of shapes is computed: relabelling the pieces takes it to all others over that family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, PuzzleError, TooLarge
from slidelab.gains import GainGraph, Steps, gain_graph
from slidelab.messages import big_number, byte_size, group_digits, quoted
from slidelab.puzzles import Puzzle
from slidelab.reach.coloured_components import coloured_arrangements, word_orbits
from slidelab.reach.loop_groups import family_group
from slidelab.reach.puzzle_graph import count_arrangements
from slidelab.reach.topology.model import COMPLEX_MODELS, ComplexModel, ComponentTopology, Topology
from slidelab.reach.topology.smith import invariant_factors

if TYPE_CHECKING:
    from slidelab import _core

__all__ = ["topology"]

SHEET_BYTES = 16
"""Bytes of the index for each arrangement, besides its points."""

ROW_BYTES = 17
"""Bytes of the elimination for each row of a boundary matrix, without its entries."""

Polygon = list[tuple[int, int]]
"""Placements and turns of one piece along a closed walk, as the core takes them."""

Orbit = tuple[tuple[int, ...], int, int]
"""An arrangement of the pieces, the number of those that it becomes, and of such orbits."""


def topology(
    puzzle: Puzzle,
    *,
    model: ComplexModel = "moves",
    unlabelled: bool = False,
    budget: Budget | None = None,
) -> Topology:
    """Return the topology of the configuration complex.

    Parameters, result and errors are those of `slidelab.Puzzle.topology`.

    Examples
    --------
    >>> import slidelab as sl
    >>> topology(sl.puzzle("complete(5)", holes=3)).betti()
    (1, 12, 1)
    """
    from slidelab import _core

    budget = budget or Budget()
    if model not in COMPLEX_MODELS:
        raise NotationError(f"expected one of {', '.join(COMPLEX_MODELS)} as the model, got {quoted(model)}")
    polygons = _polygons(puzzle) if model == "hard" else []
    graph = gain_graph(puzzle, budget)
    gains = not unlabelled
    memory = budget.working_memory // 2
    try:
        core = _core.ConfigurationComplex(graph.core, polygons, gains, memory, budget.check)
    except _core.LimitReached as error:
        raise TooLarge(f"{puzzle.text} is too large: {group_digits(str(error))}") from None
    except PuzzleError:
        raise
    except ValueError as error:  # about a polygon of a foreign rule
        raise PuzzleError(
            f"expected closed walks from `swept_polygons` of {puzzle.rule.name}: {error}"
        ) from None
    parts: list[ComponentTopology] = []
    reasons: list[str] = []
    for root, shapes in graph.families():
        for orbit in _orbits(puzzle, graph, root, unlabelled, budget):
            part, reason = _component(core, graph, root, shapes, orbit, budget)
            parts.append(part)
            if reason is not None:
                reasons.append(reason)
    return Topology(
        puzzle,
        model,
        unlabelled,
        graph.isolated * _arrangements(puzzle, unlabelled),
        _merged(parts),
        reasons[0] if reasons else None,
    )


def _arrangements(puzzle: Puzzle, unlabelled: bool) -> int:
    """Return the number of arrangements of the pieces over each shape."""
    if unlabelled:
        return 1
    return count_arrangements(puzzle) if puzzle.colours is None else coloured_arrangements(puzzle)


def _polygons(puzzle: Puzzle) -> list[Polygon]:
    """Return the polygons that a hard piece fills."""
    found = puzzle.rule.swept_polygons(puzzle.board)
    if found is None:
        raise NotationError(
            f"expected pieces whose motion is known for the model 'hard', such as tiles on squares or "
            f"hextiles on hexagons, got {puzzle.rule.name} on {quoted(puzzle.board.name)}"
        )
    steps, turns = Steps(puzzle.uncoloured), puzzle.rule.turns
    polygons = []
    for walk in found:
        located = [steps.locate(cells) for cells in walk]
        first = located.index(min(located))
        turned = located[first:] + located[:first]
        polygons.append([(placement, (turn - turned[0][1]) % turns) for placement, turn in turned])
    return polygons


def _orbits(puzzle: Puzzle, graph: GainGraph, root: int, unlabelled: bool, budget: Budget) -> Iterator[Orbit]:
    """Yield the kinds of components over a family."""
    if unlabelled:
        yield (), 1, 1
        return
    group = family_group(graph.family(root, budget), budget)
    if puzzle.colours is None:
        yield tuple(range(graph.degree)), group.order, count_arrangements(puzzle) // group.order
        return
    for orbit in word_orbits(puzzle, group, budget):
        yield min(orbit), len(orbit), 1


def _component(
    core: _core.ConfigurationComplex,
    graph: GainGraph,
    root: int,
    shapes: int,
    orbit: Orbit,
    budget: Budget,
) -> tuple[ComponentTopology, str | None]:
    """Return one component over a family, and why its Betti numbers are missing, if they are."""
    import numpy as np

    from slidelab import _core

    first, sheets, count = orbit
    rows = core.counts(root).tolist()
    while len(rows) > 1 and rows[-1][0] == 0:  # other families have cells of higher dimension
        rows.pop()
    cells = tuple(sheets * row[0] for row in rows)
    critical = (1, *(sheets * row[1] for row in rows[1:]))
    if len(critical) > 1:  # all but one of the critical configurations have an edge of the spanning tree
        critical = (1, critical[1] - sheets + 1, *critical[2:])
    known = (count, shapes, sheets, cells, critical)
    # What is left is a graph: nothing needs to be spread over the arrangements.
    ranks = [0] * (len(rows) + 1)
    ranks[1:2] = [sheets - 1]
    torsion: list[tuple[int, ...]] = [()] * len(rows)
    left = [row[1] for row in rows]
    if any(left[2:]):
        try:
            _check_size(graph, left, sheets, budget)
            word = np.array(first, dtype=np.uint16)
            found = core.smith(root, word, budget.working_memory // 2, budget.check)
            for k, (ones, rest) in enumerate(found[: len(rows) - 2], 2):
                factors = invariant_factors(rest, budget)
                ranks[k] = ones + len(factors)
                torsion[k - 1] = tuple(factor for factor in factors if factor > 1)
        except (TooLarge, OutOfTime) as error:
            return ComponentTopology(*known), str(error)
        except _core.LimitReached as error:
            return ComponentTopology(*known), group_digits(str(error))
    betti = tuple(sheets * n - ranks[k] - ranks[k + 1] for k, n in enumerate(left))
    return ComponentTopology(*known, betti, tuple(torsion)), None


def _check_size(graph: GainGraph, left: list[int], sheets: int, budget: Budget) -> None:
    """Raise `TooLarge` if the reduced boundary matrices do not fit the memory."""
    size = sheets * (2 * graph.degree + SHEET_BYTES + ROW_BYTES * max(left[1:]))
    if size > budget.working_memory // 2:
        raise TooLarge(
            f"{big_number(sheets)} arrangements of {max(left[1:]):,} critical cells need {byte_size(size)}, "
            f"and the limit is {byte_size(budget.working_memory // 2)}"
        )


def _merged(parts: list[ComponentTopology]) -> tuple[ComponentTopology, ...]:
    """Return the kinds of components with equal results together, the largest first."""
    counts: Counter[ComponentTopology] = Counter()
    for part in parts:
        fields = (part.shapes, part.sheets, part.cells, part.critical, part.homology, part.torsion)
        counts[ComponentTopology(1, *fields)] += part.count
    found = [
        ComponentTopology(n, p.shapes, p.sheets, p.cells, p.critical, p.homology, p.torsion)
        for p, n in counts.items()
    ]
    return tuple(sorted(found, key=lambda part: (-part.cells[0], -part.shapes, part.cells[::-1])))
