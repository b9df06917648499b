"""Gourds put in place one by one: which cells are closed, and that the goal is reached whatever fails."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards import (
    hamiltonian_cycle,
    hex_board,
    is_proper,
    random_hexagons,
    star,
)
from slidelab.budget import Budget
from slidelab.errors import GaveUp, NotationError, OutOfTime, Stopped
from slidelab.puzzles import Configuration
from slidelab.solve.gourds import peeler as gourd_peel
from slidelab.solve.gourds.peeler import peel_gourds
from slidelab.solve.method import MethodName
from solve.gourd_boards import gourds_on
from solve.gourd_positions import THIN, along, board_named, peeled, two_positions

# To the goal on boards of all kinds


BOARDS = [
    *("hex T(2)", "hex F(2)", "hex P(3,3)", "hex F(3)", "hex P(3,9)", "hex F(5)", "hex P(7,9)", "hex F(9)"),
    *("hex P(3,51)", "hex P(13,15)", "hex T(5)", "hex T(13)", "hex T(21)", "hex Ptr(5,5)", "comb 2 3"),
    *(
        "comb 6 5",
        "comb 9 3",
        "comb 3 20",
        *(f"random {cells} {thin}" for cells in (65, 67) for thin in THIN),
    ),
    *(f"random 241 {thin}" for thin in THIN),
    *("random 601 0", "random 601 1"),
]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that end soon: most of the time goes into those that find nothing."""
    monkeypatch.setattr(gourd_peel, "MAX_SEARCH_STATES", 20_000)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_all_kinds(text: str) -> None:
    board = board_named(text)
    assert is_proper(board)
    start, goal = two_positions(board, 3)
    moves = peeled(start, goal)
    assert len(moves) <= max(along(start, goal), 20)


@pytest.mark.usefixtures("hasty")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(1, 60), st.integers(0, 10**6), st.sampled_from(THIN))
def test_random_boards(gourds: int, seed: int, thin: float) -> None:
    board = random_hexagons(2 * gourds + 1, seed, thin=thin)
    if is_proper(board):
        peeled(*two_positions(board, seed))


def test_peeling_is_far_shorter_than_a_closed_way() -> None:
    ratios = []
    for text in ("hex F(6)", "hex P(9,11)", "hex T(13)", "random 121 0", "random 121 0.5"):
        start, goal = two_positions(board_named(text), 1)
        ratios.append(along(start, goal) / len(peeled(start, goal)))
    assert min(ratios) > 2.5
    assert sum(ratios) > 4 * len(ratios)


@pytest.mark.parametrize("text", ["hex F(3)", "hex P(7,9)", "random 131 1", "hex F(6)"])
def test_the_same_position(text: str) -> None:
    start, goal = two_positions(board_named(text), 1)
    assert start.puzzle.solve(start, start, method="peel").length == 0
    peeled(start, start)
    assert peeled(start, goal) == peeled(start, goal)


@pytest.mark.parametrize("text", ["hex P(5,5)", "hex F(6)", "comb 6 5"])
def test_gourds_that_only_follow_each_other_round(text: str) -> None:
    """All lie along a Hamiltonian cycle in the same order, and the hole is elsewhere."""
    board = board_named(text)
    cycle = list(hamiltonian_cycle(board))

    def laid(hole: int) -> Configuration:
        cells = cycle[:hole] + cycle[hole + 1 :]
        return Configuration(
            gourds_on(board), tuple((cells[k], cells[k + 1]) for k in range(0, len(cells), 2))
        )

    for hole in (2, 6, board.size // 4 * 2, board.size - 1):
        assert 0 < len(peeled(laid(0), laid(hole))) < 20 * board.size


@pytest.mark.parametrize("text", ["hex F(3)", "hex F(6)", "random 161 0.95"])
def test_colours(text: str) -> None:
    board = board_named(text)
    colours = [["ab", "aa", "bc", "cc", "ca"][k % 5] for k in range(board.size // 2)]
    puzzle = sl.puzzle(board, "gourds", 1, [tuple(pair) for pair in colours])
    start, goal = puzzle.shuffle(seed=1), puzzle.shuffle(seed=2)
    solution = puzzle.solve(start, goal, method="peel", shorten=False)
    assert (solution.start, solution.goal, solution.method) == (start, goal, "peel")


@pytest.mark.parametrize("text", ["hex P(81,1)", "square R(9,9)"])
def test_large_boards_that_are_not_proper(text: str) -> None:
    goal = sl.puzzle(text, "gourds", 1).goal
    start = goal.play(next(iter(goal.moves)))
    with pytest.raises(NotationError, match="expected a proper board"):
        peel_gourds(start, goal, Budget())


# Whatever fails, the goal is reached


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often what is left was searched for, and sorted along a Hamiltonian cycle."""
    counted = {"_search": 0, "_sort": 0}
    for name in counted:
        plain = getattr(gourd_peel, name)

        def counting(*arguments: object, name: str = name, plain: Callable[..., object] = plain) -> object:
            counted[name] += 1
            return plain(*arguments)

        monkeypatch.setattr(gourd_peel, name, counting)
    return counted


@pytest.mark.parametrize("text", ["hex F(2)", "hex F(3)", "hex P(5,5)", "random 61 0.95", "hex F(6)"])
def test_no_search_finds_anything(text: str, calls: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gourd_peel, "MAX_SEARCH_STATES", 1)
    peeled(*two_positions(board_named(text), 1))
    assert calls["_sort"] == 1
    assert calls["_search"] >= 1


@pytest.mark.parametrize("text", ["hex F(6)", "random 101 0.5", "comb 6 5"])
@pytest.mark.parametrize("states", [0, 1, 5, 50, 1000])
def test_gourds_that_are_hard_to_carry(
    text: str, states: int, calls: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The target is changed only as far as that is easy, and carrying ends with the first that fails."""
    monkeypatch.setattr(gourd_peel, "CARRY_SEARCHES", ((4, 4, False, states),))
    start, goal = two_positions(board_named(text), 2)
    assert start.puzzle.piece_count > gourd_peel.MAX_SEARCHED_GOURDS
    peeled(start, goal)
    if states <= 1:
        assert calls == {"_search": 0, "_sort": 2}  # what is left, and all of it


@pytest.mark.parametrize("which", ["carry", "fill"])
@pytest.mark.parametrize("good", [0, 1, 7])
def test_a_gourd_that_cannot_be_moved(which: str, good: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many that could; only one of both fails."""
    from slidelab import _core

    made = _core.GourdCarrier

    class Carrier:
        def __init__(self, *given: Any) -> None:
            self.carrier, self.left = made(*given), {"carry": 10**9, "fill": 10**9, which: good}

        def carry(self, *given: object) -> bool:
            return self.asked("carry", given)

        def fill(self, *given: object) -> bool:
            return self.asked("fill", given)

        def asked(self, name: str, given: tuple[object, ...]) -> bool:
            done = self.left[name] > 0 and getattr(self.carrier, name)(*given)
            self.left[name] -= done
            return done

    monkeypatch.setattr(_core, "GourdCarrier", Carrier)
    peeled(*two_positions(sl.board("hex F(6)"), 4))


@pytest.mark.parametrize(("few", "fewest"), [(0, 1), (1, 1), (3, 3), (6, 2), (12, 6), (40, 30)])
def test_any_number_of_gourds_is_left_to_the_search(
    few: int, fewest: int, calls: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gourd_peel, "MAX_SEARCHED_GOURDS", few)
    monkeypatch.setattr(gourd_peel, "MIN_SEARCHED_GOURDS", fewest)
    for text in ("hex F(2)", "hex F(3)", "hex P(5,5)", "random 81 0.95", "hex F(6)"):
        peeled(*two_positions(board_named(text), few + fewest))
    assert calls["_sort"] if few == 0 else calls["_search"]


def test_few_gourds_are_left_even_if_the_star_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    """With so few left, what is open might become the star."""
    monkeypatch.setattr(gourd_peel, "MAX_SEARCHED_GOURDS", 0)
    monkeypatch.setattr(gourd_peel, "MIN_SEARCHED_GOURDS", 1)
    tips = star().cells
    for one, two in (((0, 2), (1, 2)), ((2, 0), (2, 1)), ((-2, 2), (-2, 3))):
        board = hex_board([*tips, one, two])
        if is_proper(board):
            peeled(*two_positions(board, 1))


# What is chosen for whom


@pytest.mark.parametrize(
    ("text", "seconds", "methods"),
    [
        ("hex F(3)", 2.0, ["anytime", "ida"]),
        ("hex F(4)", None, ["beam", "peel"]),
        ("hex F(5)", None, ["beam", "peel"]),
        ("hex P(9,9)", None, ["beam", "peel"]),
        ("random 401 0", None, ["peel"]),
    ],
)
def test_auto(text: str, seconds: float | None, methods: list[str]) -> None:
    start, goal = two_positions(board_named(text), 5)
    solution = start.puzzle.solve(start, goal, time=seconds)
    assert solution.method in methods
    if methods == ["peel"]:
        assert (
            solution.reason
            == f"no search for a shortest solution ends with {start.puzzle.piece_count} gourds"
        )
    assert (solution.lower_bound or 0) <= solution.length
    assert solution.length < start.puzzle.solve(start, goal, method="cycle").length / 2


def walked(start: Configuration, steps: int, seed: int) -> Configuration:
    rng, here = random.Random(seed), start
    for _ in range(steps):
        here = here.play(rng.choice(list(here.moves)))
    return here


def distance(start: Configuration, goal: Configuration) -> int:
    """Breadth first, by the rule."""
    level, seen, steps = [start], {start}, 0
    while goal not in seen:
        level = list(
            {there for here in level for move in here.moves if (there := here.play(move)) not in seen}
        )
        seen.update(level)
        steps += 1
    return steps


@pytest.mark.parametrize("text", ["hex F(9)", "random 401 0.95"])
@pytest.mark.parametrize("steps", [1, 2, 3])
def test_near_starts_are_solved_by_the_fewest_moves(text: str, steps: int) -> None:
    start = gourds_on(board_named(text)).shuffle(seed=1)
    goal = walked(start, steps, seed=steps)
    solution = start.puzzle.solve(start, goal)
    assert solution.optimal
    assert solution.length == solution.lower_bound == distance(start, goal) <= steps
    if start != goal:
        assert (solution.method, solution.reason) == ("bidirectional", "the start is near the goal")


@pytest.mark.parametrize("text", ["hex P(9,9)", "hex F(12)", "random 2001 0.5", "hex F(30)"])
def test_near_starts_on_large_boards(text: str) -> None:
    start = gourds_on(board_named(text)).shuffle(seed=1)
    for steps in (5, 8, 10):
        solution = start.puzzle.solve(start, walked(start, steps, seed=steps))
        assert solution.optimal
        assert solution.length <= steps
        assert (steps - solution.length) % 2 == 0 or solution.length < steps


# When time is up, or somebody has enough of it


@pytest.fixture(scope="module")
def large() -> tuple[Configuration, Configuration]:
    return two_positions(sl.board("hex F(30)"), 1)


@pytest.mark.parametrize(
    ("method", "seconds"), [("auto", 0.001), ("auto", 0.2), ("peel", 0), ("peel", 0.2), ("cycle", 0.001)]
)
def test_little_time(large: tuple[Configuration, Configuration], method: MethodName, seconds: float) -> None:
    start, goal = large
    with suppress(GaveUp):
        found = start.puzzle.solve(start, goal, method=method, time=seconds)
        assert found.goal == goal
        assert found.method == method or (method == "auto" and found.method in ("cycle", "peel"))


def test_time_is_asked_for_between_gourds(large: tuple[Configuration, Configuration]) -> None:
    """Each of them takes less time than the core waits before it asks."""
    reported: list[str] = []
    clock = Budget(progress=lambda phase, done, total: reported.append(phase))
    start, goal = two_positions(sl.board("hex F(6)"), 1)
    peel_gourds(start, goal, clock)
    assert reported.count("carry") >= 2 * (start.puzzle.piece_count - gourd_peel.MIN_SEARCHED_GOURDS) // 2
    with pytest.raises(OutOfTime):
        peel_gourds(*large, Budget.of(time=0))


class Impatient:
    """Press Ctrl-C at the n-th report of progress."""

    def __init__(self, patience: int) -> None:
        self.left = patience

    def __call__(self, *_: object) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["auto", "peel"])
@pytest.mark.parametrize("patience", [1, 2, 30, 100, 200])
def test_ctrl_c(method: MethodName, patience: int) -> None:
    start, goal = two_positions(sl.board("hex F(10)"), 1)
    with pytest.raises(KeyboardInterrupt) as stopped:
        start.puzzle.solve(start, goal, method=method, progress=Impatient(patience))
    if isinstance(stopped.value, Stopped):
        assert stopped.value.lower_bound >= 1
        assert stopped.value.best is None
    peeled(start, goal)


def test_ctrl_c_in_a_search() -> None:
    start, goal = two_positions(sl.board("hex P(3,21)"), 1)
    plain = peeled(start, goal)
    with pytest.raises(KeyboardInterrupt):
        peel_gourds(start, goal, Budget(progress=Impatient(1)))
    assert peeled(start, goal) == plain
