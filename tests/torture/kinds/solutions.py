"""Small puzzles: solutions by every method with random options, and hints, against plain search."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from plain import Config
from reach.twins import Twin
from slidelab.errors import GaveUp, NotationError, OutOfTime, PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Solution
from torture.case import Case
from torture.kinds.distances import push_distances
from torture.options import CONSTRUCTIVE, OPTIMAL, accepted_methods, draw_limits, draw_options
from torture.oracle import distances_from, look, looks_of, replay
from torture.puzzles import draw_small

__all__ = ["run"]

MAX_CONFIGURATIONS = 3000
"""Labelled configurations of the largest puzzle."""

ALL_METHODS = (*OPTIMAL, "weighted", *CONSTRUCTIVE)

STARTS = 3
"""Starts that are solved."""


def run(case: Case) -> None:
    """Solve one small puzzle by every method."""
    made = draw_small(case.rng, MAX_CONFIGURATIONS)
    looks = list(looks_of(made).values())
    goal = case.rng.choice(looks)
    true = distances_from(made, goal)
    last = made.configuration(goal)
    inside = [config for config in looks if look(made, config) in true]
    outside = [config for config in looks if look(made, config) not in true]
    for _ in range(STARTS):
        start = case.rng.choice(inside)
        case.about(f"{made.configuration(start).text} -> {last.pieces_text}")
        _check_methods(case, made, start, last, true[look(made, start)])
        _check_limits(case, made, start, last, true[look(made, start)])
    _follow_hints(case, made, case.rng.choice(inside), last, true)
    if outside:
        _check_unsolvable(case, made, case.rng.choice(outside), last)
    if made.plain.rule == "tiles" and made.plain.kind != "graph" and made.puzzle.colours is None:
        _check_pushes(case, made, case.rng.choice(inside), goal)


def _check_methods(case: Case, made: Twin, start: Config, goal: Configuration, true: int) -> None:
    accepted = accepted_methods(made)
    begin = made.configuration(start)
    for method in ALL_METHODS:
        options = draw_options(case.rng, method)
        if method not in accepted:
            if begin != goal:
                with case.refused(f"solve {options}", NotationError):
                    made.puzzle.solve(begin, goal, **options)
            continue
        # The methods of the papers need boards of a certain form, and say so.
        allowed = (PuzzleError,) if method in CONSTRUCTIVE else ()
        with case.attempt(f"solve {options}", *allowed):
            try:
                solution = made.puzzle.solve(begin, goal, **options)
            except (Unsolvable, GaveUp) as error:
                case.fail(f"solve {options}: {type(error).__name__}, but there is a solution: {error}")
                continue
            _check_solution(case, made, solution, true, options)
            if method in OPTIMAL:
                case.same(solution.length, true, f"solve {options}: length")
                case.check(solution.optimal, f"solve {options}: not marked as shortest")


def _check_solution(case: Case, made: Twin, solution: Solution, true: int, options: dict[str, Any]) -> None:
    wrong = replay(made, solution.start, solution.goal, solution.moves)
    case.check(not wrong, f"solve {options}: {wrong}")
    case.check(solution.length >= true, f"solve {options}: {solution.length} moves, fewer than {true}")
    if solution.optimal:
        case.same(solution.length, true, f"solve {options}: length of a shortest solution")
    if solution.lower_bound is not None:
        bound = solution.lower_bound
        case.check(bound <= true, f"solve {options}: lower bound {bound} of {true} moves")
    if options.get("method") == "weighted" and "time" not in options and "memory" not in options:
        most = true * options.get("weight", 1.5) + 1e-9
        case.check(solution.length <= most, f"solve {options}: {solution.length} moves instead of {true}")


def _check_limits(case: Case, made: Twin, start: Config, goal: Configuration, true: int) -> None:
    method = case.rng.choice(accepted_methods(made))
    options = draw_options(case.rng, method) | draw_limits(case.rng)
    begin = made.configuration(start)
    allowed = (PuzzleError,) if method in CONSTRUCTIVE else (TooLarge, OutOfTime)
    with case.attempt(f"solve {options}", *allowed):
        try:
            with case.timed(options.get("time")):
                solution = made.puzzle.solve(begin, goal, **options)
            _check_solution(case, made, solution, true, options)
        except GaveUp as error:
            case.check(
                error.lower_bound <= true, f"solve {options}: lower bound {error.lower_bound} of {true}"
            )
        except Unsolvable as error:
            case.fail(f"solve {options}: 'not solvable' ({error}), but it is")


def _follow_hints(
    case: Case, made: Twin, start: Config, goal: Configuration, true: dict[Hashable, int]
) -> None:
    here = made.configuration(start)
    left = true[look(made, start)]
    case.about(f"{here.text} -> {goal.pieces_text}")
    with case.attempt("hints"):
        while (move := made.puzzle.hint(here, goal, time=None)) is not None:
            there = here.play(move)
            wrong = replay(made, here, there, [move])
            case.check(not wrong, f"hint {move.text}: {wrong}")
            here, left = there, left - 1
            if not case.same(
                true.get(look(made, made.config(here))), left, f"distance after hint {move.text}"
            ):
                return
        case.same(here, goal, "where the hints end")


def _check_unsolvable(case: Case, made: Twin, start: Config, goal: Configuration) -> None:
    begin = made.configuration(start)
    case.about(f"{begin.text} -> {goal.pieces_text}")
    for method in case.rng.sample(accepted_methods(made), 3):
        options = draw_options(case.rng, method)
        with case.refused(f"solve {options}", Unsolvable):
            made.puzzle.solve(begin, goal, **options)
    with case.refused("hint", Unsolvable):
        made.puzzle.hint(begin, goal)


def _check_pushes(case: Case, made: Twin, start: Config, goal: Config) -> None:
    begin, last = made.configuration(start), made.configuration(goal)
    case.about(f"{begin.text} -> {last.pieces_text}")
    with case.attempt("solve by pushes"):
        solution = made.puzzle.solve(begin, last, metric="straight")
        wrong = replay(made, begin, last, solution.moves)
        case.check(not wrong, f"solve by pushes: {wrong}")
        case.same(solution.pushes, push_distances(made, goal)[start], "pushes")
