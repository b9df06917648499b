"""What the tests of this folder share: puzzles, goals, and plain searches."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

import plain
from distance.oracle import painted_neighbours
from reach.twins import Twin, pick, twins
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.solve.patterns.databases import build_databases
from slidelab.solve.patterns.heuristic import Heuristic

PETERSEN = "graph 0-1 1-2 2-3 3-4 0-4 0-5 1-6 2-7 3-8 4-9 5-7 7-9 6-9 6-8 5-8"  # ring, spokes, star


def plain_pattern(made: Twin, goal: plain.Config, pattern: tuple[int, ...]) -> dict[tuple[Any, ...], int]:
    """The fewest own moves of the pieces of a pattern from each of their placements, by plain search.

    Other pieces keep their names here: slower, and nothing to get wrong.
    """

    def own(config: plain.Config) -> tuple[Any, ...]:
        pieces = made.pieces(config)
        return tuple(pieces[k] for k in pattern)

    cost = {goal: 0}
    queue = deque([goal])
    while queue:
        config = queue.popleft()
        for other in made.plain.neighbours(config):
            step = int(own(other) != own(config))
            if cost.get(other, 10**9) > cost[config] + step:
                cost[other] = cost[config] + step
                (queue.append if step else queue.appendleft)(other)
    least: dict[tuple[Any, ...], int] = {}
    for config, here in cost.items():
        least[own(config)] = min(here, least.get(own(config), 10**9))
    return least


@st.composite
def twins_with_goals(draw: st.DrawFn, rule: str, most: int = 400) -> tuple[Twin, plain.Config]:
    """A small puzzle and any of its configurations, mostly one that can move."""
    made = draw(twins(rules=(rule,), most=most))
    configs = list(made.plain.all_configurations())
    assume(configs and made.puzzle.piece_count)
    if draw(st.integers(0, 4)):
        configs = [config for config in configs if made.plain.neighbours(config)] or configs
    return made, pick(draw, configs)


def own_heuristic(goal: Configuration, budget: int) -> Heuristic:
    """Tables made for this very shape, no others asked for."""
    graph = gain_graph(goal.puzzle)
    shape, _ = graph.place(goal)
    return Heuristic(goal, build_databases(graph, shape, budget))


def spot_of(goal_cells: tuple[int, ...], cells: tuple[int, ...], puzzle: Puzzle) -> tuple[int, int]:
    """Home and place of a piece as tables number them: a slot of the goal, and a spot."""
    rule, graph = puzzle.rule, gain_graph(puzzle)
    home, least = min(rule.readings(goal_cells)), min(rule.readings(cells))
    turned = rule.readings(least).index(cells) - rule.readings(home).index(goal_cells)
    return graph.placement_number(home), graph.placement_number(least) * rule.turns + turned % rule.turns


def painted_distances(made: Twin, goal: plain.Config) -> dict[Hashable, int]:
    """Distances of a coloured puzzle, by plain search over what configurations look like."""
    edges = painted_neighbours(made)
    distances = {made.painted(goal): 0}
    queue = deque(distances)
    while queue:
        here = queue.popleft()
        for there in edges[here]:
            if there not in distances:
                distances[there] = distances[here] + 1
                queue.append(there)
    return distances
