"""Pattern tables and iterative deepening against exact distances, and against plain searches of their own."""

from __future__ import annotations

import csv
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import thorough
from reach.twins import Twin, pick, twins
from slidelab import _core
from slidelab.distance.table import DistanceTable
from slidelab.errors import NotationError, TooLarge, Unsolvable
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration
from slidelab.solve.deepening import GaveUp, deepen
from slidelab.solve.patterns import Patterns, split

GOLDEN = Path(__file__).parent.parent / "golden"


def plain_pattern(made: Twin, goal: plain.Config, group: tuple[int, ...]) -> dict[tuple, int]:
    """For each way to lay the pieces of a group the fewest of their own moves, by plain search.

    Other pieces keep their names here: slower, and nothing to get wrong.
    """

    def own(config: plain.Config) -> tuple:
        pieces = made.pieces(config)
        return tuple(pieces[k] for k in group)

    cost = {goal: 0}
    queue = deque([goal])
    while queue:
        config = queue.popleft()
        for other in made.plain.neighbours(config):
            step = int(own(other) != own(config))
            if cost.get(other, 10**9) > cost[config] + step:
                cost[other] = cost[config] + step
                (queue.append if step else queue.appendleft)(other)
    least: dict[tuple, int] = {}
    for config, here in cost.items():
        least[own(config)] = min(here, least.get(own(config), 10**9))
    return least


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(8)
def test_tables_are_those_of_plain_search(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins(rules=(rule,), most=400))
    configs = list(made.plain.all_configurations())
    assume(configs and made.puzzle.pieces)
    goal = pick(data.draw, configs)
    patterns = Patterns(made.configuration(goal), budget=data.draw(st.sampled_from([0, 100, 3000, 10**6])))
    assert sorted(piece for group in patterns.groups for piece in group) == list(range(made.puzzle.pieces))
    found = [plain_pattern(made, goal, group) for group in patterns.groups]
    for config in made.plain.component(goal):
        pieces = made.pieces(config)
        expected = sum(
            table[tuple(pieces[k] for k in group)]
            for group, table in zip(patterns.groups, found, strict=True)
        )
        assert patterns.estimate(made.configuration(config)) == expected


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(10)
def test_deepening_finds_shortest_solutions(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins(rules=(rule,), most=400))
    configs = list(made.plain.all_configurations())
    assume(configs and made.puzzle.pieces)
    goal = pick(data.draw, configs)
    start = pick(data.draw, made.plain.component(goal))
    first, last = made.configuration(start), made.configuration(goal)
    exact = made.puzzle.distance(first, last)
    patterns = Patterns(last, budget=data.draw(st.sampled_from([0, 1000, 10**6])))
    estimate = patterns.estimate(first)
    assert estimate is not None
    assert estimate <= exact
    solution = deepen(patterns, first)
    assert (solution.length, solution.optimal, solution.method) == (exact, True, "ida")
    assert made.puzzle.solve(first, last, method="ida").length == exact


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "theta(2,2,3)", "hex P(3,3) hextiles 3", "hex Ptr(3,4)", "hex P(3,3) gourds 1"]
)
def test_deepening_agrees_with_the_full_table(text: str) -> None:
    puzzle = sl.puzzle(text)
    goal = puzzle.distances(hardest=0).start
    table, patterns = DistanceTable(goal), Patterns(goal, budget=100_000)
    for seed in range(25):
        start = puzzle.shuffle(seed, goal)
        exact = table.distance(start)
        assert patterns.estimate(start) <= exact
        assert deepen(patterns, start).length == exact


@given(st.integers(4, 9), st.data())
@thorough(15)
def test_the_two_ways_to_make_a_table_agree(cells: int, data: st.DataObject) -> None:
    """One hole: regions that it wanders through, or shapes with labels."""
    pairs = [(a, b) for a in range(cells) for b in range(a + 1, cells)]
    more = data.draw(st.lists(st.sampled_from(pairs), max_size=6))
    edges = sorted({(k - 1, k) for k in range(1, cells)} | set(more))
    puzzle = sl.puzzle("graph " + " ".join(f"{a}-{b}" for a, b in edges))
    graph = gain_graph(puzzle)
    names = data.draw(st.permutations(range(cells)))
    goal = Configuration(puzzle, tuple((cell,) for cell in names[:-1]))
    group = data.draw(st.lists(st.sampled_from(range(cells - 1)), min_size=1, max_size=6, unique=True))
    around = np.array([sum(1 << d for d in n) for n in puzzle.board.neighbours], dtype=np.uint64)
    quick = _core.hole_pattern(
        around, np.array([names[k] for k in group], dtype=np.uint8), names[-1], 2, 10**9
    )
    shape, arrangement = graph.place(goal)
    point = {int(name): place for place, name in enumerate(arrangement)}
    slots = np.array([graph.core.slots(s) for s in range(graph.shapes)], dtype=np.uint16)
    slow = _core.label_pattern(
        graph.shapes,
        np.ascontiguousarray(graph.edge_rows[:, :5]),
        1,
        slots,
        shape,
        np.array([point[k] for k in group], dtype=np.uint16),
        cells,
        cells,
        True,
        10**9,
    )
    assert quick.tolist() == slow.tolist()


def test_easy_instances_of_korf() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    goal = puzzle.configuration([0, *range(1, 16)])
    patterns = Patterns(goal, budget=3_000_000)
    with (GOLDEN / "korf.csv").open() as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == 12
    for row in rows:
        start = puzzle.configuration([int(tile) for tile in row["board"].split()])
        assert deepen(patterns, start).length == int(row["optimal"]), row["id"]


def test_groups_lie_together_and_fill_the_budget() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    graph = gain_graph(puzzle)
    for budget, sizes in ((0, [1] * 15), (2000, [2] * 7 + [1]), (2 * 10**6, [5, 5, 5]), (10**9, [7, 7, 1])):
        groups = split(graph, puzzle.goal, budget)
        assert [len(group) for group in groups] == sizes
        for group in groups:  # each tile but the first has a neighbour among those before it, along the snake
            assert all(
                any(other in puzzle.board.neighbours[cell] for other in group[:k])
                for k, cell in enumerate(group)
                if k
            )


def test_methods() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    start = "8 6 7 2 5 4 3 . 1"
    assert {m: puzzle.solve(start, method=m).method for m in ("auto", "table", "ida")} == {
        "auto": "table",
        "table": "table",
        "ida": "ida",
    }
    with pytest.raises(NotationError, match="expected auto, table or ida"):
        puzzle.solve(start, method="magic")
    with pytest.raises(NotationError, match="single moves"):
        puzzle.solve(start, method="ida", metric="straight")
    with pytest.raises(NotationError, match="seconds"):
        puzzle.solve(start, seconds=-1)
    with pytest.raises(Unsolvable, match="odd permutation"):
        puzzle.solve("2 1 3 4 5 6 7 8 .", method="ida")
    with pytest.raises(TooLarge, match="64 at most"):
        sl.puzzle("square R(10,10)").solve(sl.puzzle("square R(10,10)").shuffle(1), method="ida")


def test_giving_up_says_how_many_moves_are_needed() -> None:
    """Single tiles only, and no time: a bound is all there is, but it is sound."""
    puzzle = sl.puzzle("square R(4,4)")
    start = puzzle.configuration("15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 .")
    patterns = Patterns(puzzle.goal, budget=0)
    with pytest.raises(GaveUp, match="at least") as caught:
        deepen(patterns, start, seconds=0)
    assert patterns.estimate(start) <= caught.value.at_least <= 80
