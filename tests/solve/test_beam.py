"""Beam search: sound solutions and bounds of any width, against plain search, and its place in `auto`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import thorough
from reach.twins import pick
from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.solve import auto
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.policy import Policy
from slidelab.solve.search.beam import beam_search
from slidelab.solve.search.ranking import Ranking, has_fitted_weights
from slidelab.solve.solver import solve
from solve.cases import own_heuristic, twins_with_goals

QUICK = replace(Policy(), beam_seconds=0.05)
"""Without a deadline, beams of moments only."""


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(12)
def test_beams_against_plain_search(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule))
    layers = made.plain.distance_layers(goal)
    heuristic = own_heuristic(made.configuration(goal), data.draw(st.sampled_from([0, 100, 10**6])))
    exact = data.draw(st.integers(0, len(layers) - 1))
    start = made.configuration(pick(data.draw, layers[exact]))
    width = data.draw(st.sampled_from([1, 3, 20, 10**5]))
    weights = [data.draw(st.sampled_from(values)) for values in ((0.0, 1.0, 2.5), (1.0, 1.3), (0.0, 0.7))]
    fitted = has_fitted_weights(start.puzzle) and data.draw(st.booleans())
    network = fitted and data.draw(st.booleans())
    ranking = Ranking(weights[0], weights[1], weights[2], fitted, network)
    outcome = beam_search(heuristic, start, width=width, below=300, ranking=ranking)
    assert outcome.lower_bound <= exact
    if outcome.solution is not None:
        assert outcome.solution.length >= exact  # and replayed when it was made
        assert not outcome.finished or outcome.solution.length == exact
    if width == 10**5:
        assert outcome.finished
        assert outcome.solution is not None
        assert outcome.lower_bound == exact
        if exact:
            none = beam_search(heuristic, start, width=width, below=exact)
            assert (none.solution, none.finished, none.lower_bound) == (None, True, exact)


FORMULA = Ranking(1.5, 1.2, 0.5)
NETWORK = Ranking(1.0, fitted=True, network=True)


@pytest.mark.parametrize(
    ("text", "ranking"),
    [
        ("square R(5,5)", FORMULA),
        ("hex P(4,5)", FORMULA),
        ("king R(5,5) tiles 2", FORMULA),
        ("square R(5,5)", NETWORK),
        ("hex P(4,5)", NETWORK),
    ],
)
def test_threads_make_no_difference(text: str, ranking: Ranking) -> None:
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, 20_000)
    start = puzzle.shuffle(1, puzzle.goal)
    first, *others = [
        beam_search(
            heuristic,
            start,
            Budget.of(threads=threads),
            width=3000,
            below=400,
            ranking=ranking,
        )
        for threads in (1, 2, 4)
    ]
    assert first.solution is not None
    for other in others:
        assert other.solution is not None
        assert (other.solution.moves, other.nodes) == (first.solution.moves, first.nodes)


def test_memory_is_planned() -> None:
    heuristic = heuristic_for(sl.puzzle("square R(4,4)").goal, 0)
    with pytest.raises(TooLarge, match="a beam of 1000000 states"):
        beam_search(heuristic, heuristic.goal.puzzle.shuffle(0), width=10**6, below=100, memory=10**6)


@pytest.mark.parametrize("text", ["square R(6,7)", "hex P(6,7)", "king R(7,7) tiles 2"])
def test_larger_puzzles_get_shorter_solutions(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(2, puzzle.goal)
    before = solve(puzzle, start, puzzle.goal, policy=replace(QUICK, beam=False), shorten=False)
    reports: list[str] = []
    budget = Budget(progress=lambda phase, _done, _total: reports.append(phase))
    after = solve(puzzle, start, puzzle.goal, policy=QUICK, budget=budget)
    assert after.length < before.length
    assert "beams of up to" in after.reason
    assert after.lower_bound is not None
    assert before.lower_bound is not None
    assert before.lower_bound <= after.lower_bound <= after.length
    assert any(phase.startswith("beam of") or "gap" in phase for phase in reports)


@pytest.mark.parametrize("error", [TooLarge("no room"), RuntimeError("a defect")])
def test_a_solution_in_hand_is_never_lost(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(auto, "improve_by_beams", fail)
    puzzle = sl.puzzle("square R(8,8)")
    assert puzzle.solve(puzzle.shuffle(3), tables=0, shorten=False).length > 0
