"""Searches: shortest solutions, sound bounds and kept promises, against plain search and full tables."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import painted_twins, thorough
from reach.twins import Twin, pick
from slidelab import _core
from slidelab.budget import Budget
from slidelab.distance.table import DistanceTable
from slidelab.puzzles import Configuration
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.search.algorithms import (
    ANY_LENGTH,
    NO_NODE_LIMIT,
    Outcome,
    a_star,
    bidirectional_search,
    ida_star,
)
from solve.cases import PETERSEN, own_heuristic, painted_distances, twins_with_goals

EASY = sorted(sl.instances("korf100"), key=lambda instance: instance.length)[:12]
BUDGETS = st.sampled_from([0, 1, 100, 3000, 10**6])
WEIGHTS = (1.0, 1.1, 1.4, 2.0, 5.0)


def exact_searches(found: Heuristic, start: Configuration) -> Iterator[Outcome]:
    yield ida_star(found, start)
    yield a_star(found, start)
    yield bidirectional_search(found, start)


def check_exact(found: Heuristic, start: Configuration, exact: int) -> None:
    methods = []
    for outcome in exact_searches(found, start):
        solution = outcome.solution
        assert solution is not None
        assert (solution.start, solution.goal) == (start, found.goal)
        assert (solution.length, solution.optimal, solution.lower_bound) == (exact, True, exact)
        assert (outcome.lower_bound, outcome.finished, outcome.nodes) == (exact, True, solution.nodes)
        methods.append(solution.method)
    assert methods == ["ida", "astar", "bidirectional"]


def check_weighted(found: Heuristic, start: Configuration, exact: int, weight: float) -> None:
    outcome = a_star(found, start, weight=weight)
    solution = outcome.solution
    assert solution is not None
    assert outcome.finished
    assert exact <= solution.length <= weight * exact
    assert outcome.lower_bound <= exact <= solution.length
    assert solution.lower_bound == outcome.lower_bound
    assert solution.length <= weight * outcome.lower_bound + 1e-9
    assert solution.optimal == (outcome.lower_bound == solution.length)
    assert solution.method == ("astar" if weight == 1 else "weighted")


def check_below(found: Heuristic, start: Configuration, exact: int) -> None:
    """Only solutions shorter than asked for; else it is known that there are none."""
    for search in (ida_star, a_star):
        for below in {0, exact // 2, exact}:
            outcome = search(found, start, below=below)
            assert (outcome.solution, outcome.lower_bound, outcome.finished) == (None, below, True)
        outcome = search(found, start, below=exact + 1)
        assert outcome.solution is not None
        assert (outcome.solution.length, outcome.lower_bound) == (exact, exact)


def check_limits(found: Heuristic, start: Configuration, exact: int, most: int) -> None:
    """Whatever stops a search, what it says is true."""
    shape, marks = found.encode(start)
    steps, _, lower_bound, finished = found.searches.ida_star(
        found.core, shape, marks, 0, ANY_LENGTH, most, 2, None
    )
    assert (steps is not None) == finished
    assert lower_bound <= exact
    outcomes = [
        a_star(found, start, max_nodes=most),
        a_star(found, start, weight=2, max_nodes=most),
        a_star(found, start, memory=100 * most),
        bidirectional_search(found, start, max_nodes=most),
        bidirectional_search(found, start, memory=100 * most),
        a_star(found, start, Budget.of(time=0)),
        bidirectional_search(found, start, Budget.of(time=0)),
        ida_star(found, start, Budget.of(time=0)),
    ]
    for outcome in outcomes:
        assert outcome.finished == (outcome.solution is not None)
        assert outcome.lower_bound <= exact
        if outcome.solution:
            assert exact <= outcome.solution.length <= 2 * exact


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(12)
def test_solutions_are_as_short_as_plain_search_says(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    layers = made.plain.distance_layers(goal)
    found = heuristic_for(made.configuration(goal), data.draw(BUDGETS))
    starts = {pick(data.draw, layers[-1]), pick(data.draw, layers[len(layers) // 2]), goal}
    for start in sorted(starts):
        exact = next(depth for depth, layer in enumerate(layers) if start in layer)
        first = made.configuration(start)
        check_exact(found, first, exact)
        one_sided = bidirectional_search(found, first, both=False)
        assert one_sided.solution is not None
        assert (one_sided.solution.length, one_sided.finished) == (exact, True)
        check_weighted(found, first, exact, data.draw(st.sampled_from(WEIGHTS)))
        check_below(found, first, exact)
        check_limits(found, first, exact, data.draw(st.integers(0, 8)))


def no_solution(outcome: Outcome) -> bool:
    return outcome.solution is None and outcome.finished


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(5)
def test_searches_end_where_there_is_no_solution(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule, 150))
    reached = made.plain.component(goal)
    others = [config for config in made.plain.all_configurations() if config not in reached]
    if not others:
        return
    found = heuristic_for(made.configuration(goal), data.draw(BUDGETS))
    first = made.configuration(pick(data.draw, others))
    assert no_solution(bidirectional_search(found, first))
    assert no_solution(a_star(found, first))
    assert no_solution(a_star(found, first, weight=3))
    assert no_solution(a_star(found, first, below=10))
    assert no_solution(ida_star(found, first, below=8))  # without that, deepening need not end


@given(st.data())
@thorough(60)
def test_coloured_puzzles(data: st.DataObject) -> None:
    made = data.draw(painted_twins(most=400))
    configs = list(made.plain.all_configurations())
    if not configs or not made.puzzle.piece_count:
        return
    goal = pick(data.draw, [c for c in configs if made.plain.neighbours(c)] or configs)
    distances = painted_distances(made, goal)
    found = heuristic_for(made.configuration(goal), data.draw(BUDGETS))
    reached = [config for config in configs if made.painted(config) in distances]
    start = pick(data.draw, reached)
    first, exact = made.configuration(start), distances[made.painted(start)]
    check_exact(found, first, exact)
    check_weighted(found, first, exact, data.draw(st.sampled_from(WEIGHTS)))
    check_below(found, first, exact)
    check_limits(found, first, exact, data.draw(st.integers(0, 8)))
    others = [config for config in configs if made.painted(config) not in distances]
    if others:
        first = made.configuration(pick(data.draw, others))
        assert no_solution(bidirectional_search(found, first))
        assert no_solution(a_star(found, first))


# Walks that are left out


def with_walks(found: Heuristic, most: int, longest: int) -> Heuristic:
    """The same with other walks learned."""
    turns = found.graph.puzzle.rule.turns
    found.searches = _core.Searcher(
        found.graph.move_table(Budget()), [turns] * found.graph.puzzle.piece_count, most, longest
    )
    return found


def check_walks(made: Twin, goal: plain.Config, start: plain.Config, exact: int, data: st.DataObject) -> None:
    found = own_heuristic(made.configuration(goal), data.draw(BUDGETS))
    for most in (0, 50, 1000, 100_000):
        with_walks(found, most, data.draw(st.integers(0, 14)))
        outcome = ida_star(found, made.configuration(start))
        assert outcome.solution is not None
        assert outcome.solution.length == exact


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(8)
def test_no_shortest_solution_is_lost_with_the_walks_left_out(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    layers = made.plain.distance_layers(goal)
    check_walks(made, goal, pick(data.draw, layers[-1]), len(layers) - 1, data)


@pytest.mark.parametrize(
    "text",
    [
        "square R(3,3) tiles 3",
        "square R(3,3) tiles 5",
        "king R(3,2) tiles 3",
        "hex F(2) hextiles 4",
        "hex P(3,3) hextiles 5",
        "theta(1,2,2) tiles 3",
        "hex F(2) gourds 3",
        "square R(3,3) trimers 3",
    ],
)
@pytest.mark.parametrize("most", [0, 50, 1000, 100_000])
def test_many_holes_and_few_walks(text: str, most: int) -> None:
    """There are many ways to the same state here; none that is needed may be left out."""
    puzzle = sl.puzzle(text)
    table = DistanceTable(puzzle.goal)
    for budget in (0, 3000):
        found = with_walks(own_heuristic(puzzle.goal, budget), most, 14)
        for seed in range(4):
            start = puzzle.shuffle(seed, puzzle.goal)
            solution = ida_star(found, start).solution
            assert solution is not None
            assert solution.length == table.distance(start)


def test_walks_are_learned() -> None:
    puzzle = sl.puzzle("square R(3,3) tiles 2")
    found = own_heuristic(puzzle.goal, 0)
    start = puzzle.shuffle(1)
    nodes = []
    for most in (0, 1000, 100_000):
        with_walks(found, most, 14)
        outcome = ida_star(found, start)
        assert outcome.solution is not None
        nodes.append((found.searches.pruning_length, outcome.nodes))
    lengths, counts = zip(*nodes, strict=True)
    assert lengths[0] == 0
    assert lengths[1] < lengths[2]
    assert counts[0] > counts[2]


# Against full tables

PUZZLES = [
    ("hex P(3,3) hextiles 3", 100_000),
    ("hex Ptr(3,4)", 100_000),
    ("theta(2,2,3)", 100_000),
    ("square R(3,3)", 2000),
    (PETERSEN, 100_000),
    ("hex P(3,3) gourds 1", 10_000),
]


@pytest.mark.parametrize(("text", "budget"), PUZZLES, ids=lambda value: str(value)[:22])
def test_searches_agree_with_the_full_table(text: str, budget: int) -> None:
    puzzle = sl.puzzle(text)
    goal = puzzle.goal if text == PETERSEN else puzzle.distances(hardest=0).start
    table, found = DistanceTable(goal), heuristic_for(goal, budget)
    for seed in range(40 * int(os.environ.get("SLIDELAB_EXAMPLES", "1"))):
        start = puzzle.shuffle(seed, goal)
        exact = table.distance(start)
        assert exact is not None
        assert (found.lower_bound(start) or 0) <= exact
        check_exact(found, start, exact)
        check_weighted(found, start, exact, WEIGHTS[seed % len(WEIGHTS)])
        below = ida_star(found, start, below=exact)
        assert (below.solution, below.lower_bound, below.finished) == (None, exact, True)
        stopped = a_star(found, start, max_nodes=10 * seed)
        assert stopped.lower_bound <= exact


@pytest.mark.parametrize("budget", [10**6, 20 * 10**6])
def test_easy_instances_of_korf(budget: int) -> None:
    found = heuristic_for(EASY[0].goal, budget)
    for instance in EASY:
        start, exact = instance.start, instance.length
        outcome = ida_star(found, start, lower_bound=found.lower_bound(start) or 0)
        assert outcome.solution is not None
        assert outcome.solution.length == exact, instance.name
        check_weighted(found, start, exact, 1.5)


def test_threads_find_the_same_solution() -> None:
    found = heuristic_for(EASY[0].goal, 0)
    divided = 0
    for instance in EASY:
        start = instance.start
        one, *others = [ida_star(found, start, Budget.of(threads=threads)) for threads in (1, 2, 4)]
        divided += one.nodes > 100_000
        assert one.solution is not None
        assert one.lower_bound == instance.length
        for other in others:
            assert other.solution is not None
            assert (other.lower_bound, other.solution.moves) == (one.lower_bound, one.solution.moves)
    assert divided > 3


def test_a_bound_known_before_is_gone_on_from() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    found = heuristic_for(puzzle.goal, 2000)
    start = puzzle.configuration("8 6 7 2 5 4 3 . 1")
    for known in (0, 20, 30, 31):
        outcome = ida_star(found, start, lower_bound=known)
        assert outcome.solution is not None
        assert outcome.solution.length == 31
    assert ida_star(found, start, lower_bound=31).nodes < ida_star(found, start).nodes


def test_a_clock() -> None:
    clock = Budget()
    assert clock.time_left is None
    assert not clock.expired
    assert Budget.of(time=0).expired
    assert Budget.of(time=1000).share(seconds=0).expired
    assert Budget.of(time=0).share(seconds=1000).expired
    assert not clock.share(seconds=1000).expired
    reported: list[tuple[str, int, int]] = []
    tick = Budget.of(time=0, progress=lambda *what: reported.append(what)).poll(
        lambda total: f"bound {total}"
    )
    assert tick("bound", 7, 5)
    assert reported == [("bound 5", 7, 0)]


def test_counts_go_up_to_the_top() -> None:
    """Largest numbers of nodes and moves are no special case."""
    puzzle = sl.puzzle("square R(2,2)")
    found = heuristic_for(puzzle.goal)
    start = puzzle.configuration("3 1 . 2")
    shape, marks = found.encode(start)
    steps, *_ = found.searches.ida_star(found.core, shape, marks, 0, ANY_LENGTH, NO_NODE_LIMIT, 2, None)
    assert steps is not None
    assert len(steps) == 3
