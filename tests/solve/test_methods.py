"""The registry of methods and the steps of `auto`: what they say, and that no solution is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import pytest

import slidelab as sl
from slidelab.errors import GaveUp, NotationError, OutOfTime, Stopped, TooLarge
from slidelab.puzzles import Solution
from slidelab.solve import auto, solver
from slidelab.solve.auto import AUTO, HUGE, Step
from slidelab.solve.method import Guarantee, MethodName, list_methods
from slidelab.solve.methods import METHODS, parse_method
from slidelab.solve.policy import Policy

FIFTEEN = "square R(4,4)"
HARD = "2 5 13 12 1 . 9 15 3 7 14 4 8 6 10 11"
FIRST = Step("first", next(step.run for step in AUTO if step.name.startswith("construction,")))


def test_the_registry_has_all_names() -> None:
    assert tuple(METHODS) == get_args(MethodName)
    for name, method in METHODS.items():
        assert method.name == name == parse_method(name)
        assert repr(method) == f"<method {name}: {method.summary}>"
        assert f"{name}: {method.summary}" in list_methods()
        assert "\n" not in method.summary
    for unknown in ("", "magic", "IDA"):
        with pytest.raises(NotationError, match="expected auto, table"):
            parse_method(unknown)


def test_docstring_names_all_methods() -> None:
    for name in METHODS:
        assert f'"{name}"' in (sl.Puzzle.solve.__doc__ or "")


@pytest.mark.parametrize("name", METHODS)
def test_methods_keep_their_word(name: MethodName) -> None:
    """What is not accepted is refused with the same words; what is explained has passages."""
    method = METHODS[name]
    for text in ("square R(3,3)", "hex F(2)", "hex F(2) gourds", "square R(3,3) trimers 3"):
        puzzle = sl.puzzle(text)
        start = puzzle.shuffle(seed=1)
        if refusal := method.accepts(puzzle):
            with pytest.raises(NotationError) as caught:
                puzzle.solve(start, method=name)
            assert str(caught.value) == refusal
            continue
        solution = puzzle.solve(start, method=name)
        assert solution.optimal or method.guarantee is not Guarantee.OPTIMAL
        assert bool(solution.passages) == method.explains


def test_steps_have_names() -> None:
    for steps in (AUTO, HUGE):
        assert all(step.name for step in steps)
        assert len({step.name for step in steps}) == len(steps)


def failing(error: BaseException) -> Callable[[object], Solution | None]:
    def run(_: object) -> Solution | None:
        raise error

    return run


@pytest.mark.parametrize(
    "error", [TooLarge("large"), OutOfTime(), MemoryError(), NotationError("odd"), KeyError("a defect")]
)
@pytest.mark.parametrize("later", range(1, 4))
def test_a_later_step_loses_nothing(error: Exception, later: int, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (FIRST, *(Step(f"failing {k}", failing(error)) for k in range(later)))
    monkeypatch.setattr(auto, "AUTO", steps)
    puzzle = sl.puzzle(FIFTEEN)
    solution = puzzle.solve(HARD)
    assert (solution.method, solution.goal) == ("peel", puzzle.goal)
    assert (solution.lower_bound or 0) <= 54 <= solution.length


def test_a_user_who_stops_a_later_step_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "AUTO", (FIRST, Step("stopped", failing(KeyboardInterrupt()))))
    with pytest.raises(Stopped) as caught:
        sl.puzzle(FIFTEEN).solve(HARD)
    assert caught.value.best is not None
    assert 1 < caught.value.lower_bound <= 54 <= caught.value.best.length


def test_a_user_who_stops_the_first_shortening_keeps_the_solution() -> None:
    def stop(phase: str, done: int, total: int) -> None:
        if phase == "shorten":
            raise KeyboardInterrupt

    policy = replace(Policy(), tiny_table_bytes=1, small_table_bytes=1, near_nodes=1, max_certain_pieces=0)
    with pytest.raises(Stopped) as caught:
        solver.solve(sl.puzzle(FIFTEEN), HARD, budget=sl.Budget.of(progress=stop), policy=policy)
    assert caught.value.best is not None
    assert caught.value.best.method == "peel"


def test_nothing_found_is_the_last_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle(FIFTEEN)
    large = Step("large", failing(TooLarge("far too large")))
    late = Step("late", failing(OutOfTime()))
    monkeypatch.setattr(auto, "AUTO", (late, large))
    with pytest.raises(TooLarge, match="far too large"):
        puzzle.solve(HARD)
    monkeypatch.setattr(auto, "AUTO", (large, late))
    with pytest.raises(GaveUp):
        puzzle.solve(HARD)


def test_a_constructed_solution_is_returned_if_no_search_fits() -> None:
    """More shapes than allowed: no table, no heuristic; the regions of the board still give a solution."""
    puzzle = sl.puzzle("square R(6,6) tiles 15")
    start = puzzle.shuffle(seed=1)
    solution = puzzle.solve(start)
    assert solution.method == "peel"
    assert start.play(*solution.moves) == puzzle.goal


def test_a_defect_is_raised_if_there_is_nothing_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "AUTO", (Step("broken", failing(KeyError("a defect"))),))
    with pytest.raises(KeyError):
        sl.puzzle(FIFTEEN).solve(HARD)


def test_no_step_begins_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def noting(name: str, sure: bool = False) -> Step:
        return Step(name, lambda _: taken.append(name), is_sure=sure)

    monkeypatch.setattr(auto, "AUTO", (noting("a search"), noting("a construction", True), noting("more")))
    with pytest.raises(GaveUp):
        sl.puzzle(FIFTEEN).solve(HARD, time=0)
    assert taken == ["a construction"]
