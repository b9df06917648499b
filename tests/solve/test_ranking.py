"""How beams rank states: costs against their definition, and what counts as out of order."""

from __future__ import annotations

import pytest

import slidelab as sl
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search import ranking
from slidelab.solve.search.beam import beam_search
from slidelab.solve.search.ranking import Ranking, core_ranking

LATTICES = ["square R(4,3)", "king R(3,3)", "hex P(3,3)", "hex F(2)", "square R(4,4) tiles 3"]


@pytest.mark.parametrize("text", LATTICES)
def test_neighbours_and_their_costs_do_not_depend_on_the_side(text: str) -> None:
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, 0)
    neighbours, costs = ranking._lattice_costs(heuristic)
    placements = [cells[0] for cells in heuristic.graph.placements]
    directions = range(neighbours.shape[1])
    assert 4 <= len(directions) <= 8
    for a, cell in enumerate(placements):
        near = {placements[int(b)]: d for d, b in enumerate(neighbours[a]) if b >= 0}
        assert sorted(near) == list(puzzle.board.neighbours[cell])
        for b, d in near.items():
            (back,) = (e for e in directions if neighbours[placements.index(b), e] == a)
            assert (costs[d] == costs[back].T).all()


@pytest.mark.parametrize("text", LATTICES)
def test_nothing_is_out_of_order_at_the_goal(text: str) -> None:
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, 0)
    neighbours, costs = ranking._lattice_costs(heuristic)
    slot_of = {
        heuristic.graph.placement_number(cells): slot
        for slot, cells in enumerate(heuristic.graph.slots(heuristic.shape))
    }
    for a, slot in slot_of.items():
        for d, b in enumerate(neighbours[a].tolist()):
            if b in slot_of:
                assert costs[d][slot, slot_of[b]] == pytest.approx(0, abs=1e-3)
                assert costs[d][slot_of[b], slot] == pytest.approx(2, abs=1e-3)  # if they change places


@pytest.mark.parametrize("text", ["theta(2,2,3)", "hex F(2) gourds", "square R(2,3) : a a a b b ."])
def test_other_puzzles_have_no_order(text: str) -> None:
    puzzle = sl.position(text).puzzle if ":" in text else sl.puzzle(text)
    goal = sl.position(text) if ":" in text else puzzle.goal
    heuristic = heuristic_for(goal, 0)
    neighbours, costs = ranking._lattice_costs(heuristic)
    assert neighbours.shape == (len(heuristic.graph.placements), 0)
    assert costs.size == 0
    assert core_ranking(heuristic, Ranking(order=1.0)) is not None


def test_a_narrow_beam_follows_its_ranking() -> None:
    puzzle = sl.puzzle("square R(5,5)")
    heuristic = heuristic_for(puzzle.goal, 0)

    def lengths(ranking: Ranking) -> list[int]:
        starts = [puzzle.shuffle(seed) for seed in range(6)]
        found = [beam_search(heuristic, start, width=300, below=400, ranking=ranking) for start in starts]
        return [outcome.solution.length if outcome.solution else 0 for outcome in found]

    assert lengths(Ranking()) != lengths(Ranking(order=0.5))
