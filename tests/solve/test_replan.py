"""Paths of a few pieces planned anew: never longer, the same end, and short where there are many holes."""

from __future__ import annotations

import random

import pytest

import slidelab as sl
from slidelab import _core
from slidelab.budget import Budget
from slidelab.distance.table import DistanceTable
from slidelab.errors import Stopped, Unsolvable
from slidelab.gains import Steps
from slidelab.puzzles import Solution
from slidelab.solve.huge import replanner, shortener
from slidelab.solve.huge.shortener import shorten
from solve.test_shorten import replay, wander

LONG = 60.0  # seconds; what is tried here ends long before


def load(solution: Solution) -> _core.Shortener:
    return shortener._load(Steps(solution.puzzle.uncoloured), solution, Budget())


def sum_of_distances(solution: Solution) -> int:
    """Over all tiles, by a plain search on the board."""
    around, total = solution.puzzle.board.neighbours, 0
    for (first,), (last,) in zip(solution.start.pieces, solution.goal.pieces, strict=True):
        seen, layer = {first}, {first}
        while last not in seen:
            total += 1
            layer = {cell for near in layer for cell in around[near]} - seen
            seen |= layer
    return total


@pytest.mark.parametrize(
    ("text", "most"),
    [("square R(8,8) tiles 16", 1.5), ("hex F(5) tiles 15", 1.5), ("king R(7,7) tiles 12", 1.5),
     ("square R(7,7) tiles 30", 1.3)],
)  # fmt: skip
def test_short_with_many_holes(text: str, most: float) -> None:
    """By rounds of a fixed number of trials, so that the length depends on no clock."""
    puzzle = sl.puzzle(text)
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    planner = load(long).replanner(10**8)
    for number in range(12):
        length = len(planner)
        assert planner.run(length, number * length // 12, 1000, 3, 0.0, number, 10**7, 1)
        assert len(planner) <= length
    rows = planner.moves()
    short = Solution(long.start, long.goal, Steps(puzzle).moves(long.start, rows.tolist()))
    replay(short)
    bound = sum_of_distances(short)
    assert bound == long.lower_bound
    assert bound <= short.length <= most * bound
    assert short.length < 0.9 * long.length


@pytest.mark.parametrize("text", ["square R(3,3) tiles 4", "theta(2,2,3) tiles 3", "hex F(2) tiles 3"])
def test_never_below_the_optimum(text: str) -> None:
    puzzle = sl.puzzle(text)
    table = DistanceTable(puzzle.goal)
    for seed in range(5):
        long = puzzle.solve(puzzle.shuffle(seed), method="peel", shorten=False)
        core = load(long)
        replanner.replan(core, Budget.of(LONG))
        exact = table.distance(long.start)
        assert exact is not None
        assert exact <= len(core) <= long.length
        assert len(core) <= max(1.5 * exact, exact + 4)


@pytest.mark.parametrize(
    "text",
    ["square R(4,4) tiles 2", "hex P(5,5) hextiles 8", "hex P(3,4) gourds 4", "square R(3,4) trimers 6",
     "hex P(4,4) trimers-triangle 7"],
)  # fmt: skip
def test_random_walks_of_every_rule(text: str) -> None:
    puzzle, rng = sl.puzzle(text), random.Random(text)
    gained = 0
    for _ in range(3):
        way = wander(rng, puzzle.goal, 120)
        long = Solution(puzzle.goal, puzzle.goal.play(*way), tuple(way))
        core = load(long)
        replanner.replan(core, Budget.of(LONG))
        rows = core.moves().tolist()
        short = Solution(long.start, long.goal, Steps(puzzle).moves(long.start, rows))
        replay(short)
        gained += long.length - short.length
    assert gained > 0


def test_coloured_tiles() -> None:
    puzzle = sl.puzzle("square R(6,6) tiles 12", colours=["a"] * 12 + ["b"] * 12)
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    core = load(long)
    replanner.replan(core, Budget.of(LONG))
    rows = core.moves().tolist()
    short = Solution(long.start, long.goal, Steps(puzzle.uncoloured).moves(long.start, rows))
    assert short.length < long.length


def test_the_bound_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle("square R(5,5) tiles 20")
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    core = load(long)
    replanner.replan(core, Budget.of(LONG), lower_bound=long.length)
    assert len(core) == long.length
    # Nothing but the bound, which five tiles reach at once, ends it then.
    monkeypatch.setattr(replanner, "FIRST_CYCLE", 1 << 30)
    assert long.lower_bound is not None
    replanner.replan(core, Budget.of(LONG), long.lower_bound)
    assert len(core) == long.lower_bound


def test_what_is_found_stays_if_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C after a round."""
    puzzle = sl.puzzle("square R(6,6) tiles 8")
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)

    def run(planner: _core.Replanner, *_: object) -> None:
        assert planner.run(len(planner), 0, 1000, 3, 0.0, 1, 10**7, 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(replanner, "_run", run)
    with pytest.raises(Stopped) as stopped:
        shorten(long, Budget.of(LONG))
    best = stopped.value.best
    assert best is not None
    assert best.length < long.length
    replay(best)


def test_a_puzzle_too_large_for_the_memory_is_left_alone() -> None:
    puzzle = sl.puzzle("square R(8,8) tiles 16")
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    core = load(long)
    replanner.replan(core, Budget.of(LONG, memory="10k"))
    assert len(core) == long.length
    with pytest.raises(ValueError, match="deadline"):
        replanner.replan(core, Budget())


def test_unsolvable_starts_stay_unsolvable() -> None:
    """Two holes on a polygon: tiles keep their cyclic order."""
    puzzle = sl.puzzle("cycle(8) tiles 2")
    with pytest.raises(Unsolvable):
        puzzle.solve("2 1 3 4 5 6 . .")


@pytest.mark.parametrize(("text", "used"), [("square R(9,9) tiles 27", True), ("square R(9,9)", False)])
def test_auto_uses_it_with_several_holes(text: str, used: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def record(core: _core.Shortener, budget: Budget, lower_bound: int = 0) -> None:
        assert not budget.expired
        calls.append(len(core) - lower_bound)

    monkeypatch.setattr(shortener, "replan", record)
    puzzle = sl.puzzle(text)
    solution = puzzle.solve(puzzle.shuffle(1))
    assert solution.lower_bound is not None
    assert bool(calls) == used
    assert all(gap > 0 for gap in calls)
