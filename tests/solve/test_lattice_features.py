"""Features of states on lattices against a plain count, their symmetry, and rankings by their weights."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import slidelab as sl
from slidelab.boards.lattice import images
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.policy import Policy
from slidelab.solve.search import lattice_weights
from slidelab.solve.search.beam import beam_search, rankings_of
from slidelab.solve.search.lattice_features import EXCESS, NEAR, Feature, lattice_features
from slidelab.solve.search.lattice_weights import extended, formula, load_weights, save_weights, weights_name
from slidelab.solve.search.ranking import Ranking, core_ranking, has_fitted_weights, weighted_ranking

BOARDS = [
    "square R(4,3)",
    "square R(5,5)",
    "hex P(3,4)",
    "hex F(3)",
    "square 0,0 1,0 2,0 0,1 2,1 0,2 1,2 2,2",
]


def found_features(c: sl.Configuration) -> Counter[Feature]:
    """Return the features of a position, looked up in the tables of its board."""
    features, goal = lattice_features(c.puzzle.board), c.puzzle.goal
    keys: Counter[Feature] = Counter()
    home = {cells[0]: other[0] for cells, other in zip(c.pieces, goal.pieces, strict=True)}
    for cell, belongs in home.items():
        keys[features.keys[features.singles[belongs, cell]]] += 1
        for offset in range(len(features.offsets)):
            other = int(features.neighbours[cell, offset])
            if other in home:
                keys[features.keys[features.pairs[offset, belongs, home[other]]]] += 1
    return keys


def plain_features(c: sl.Configuration) -> Counter[Feature]:
    """Return the same from the coordinates alone."""
    board, kind = c.puzzle.board, c.puzzle.board.kind
    full = 6 if kind == "hex" else 4
    border = {cell for cell in range(board.size) if len(board.neighbours[cell]) < full}
    second = {cell for cell in range(board.size) if set(board.neighbours[cell]) & border} - border

    def ring(cell: int) -> int:
        return 0 if cell in border else 1 if cell in second else 2

    def vector(a: int, b: int) -> tuple[int, int]:
        return board.cells[b][0] - board.cells[a][0], board.cells[b][1] - board.cells[a][1]

    pieces = [(here[0], there[0]) for here, there in zip(c.pieces, c.puzzle.goal.pieces, strict=True)]
    keys: Counter[Feature] = Counter()
    for cell, goal in pieces:
        keys[min(images(kind, *vector(cell, goal))), ring(goal), ring(cell)] += 1
        for other, other_goal in pieces:
            apart = vector(cell, other)
            if any(apart in images(kind, *near) for near in NEAR[kind]):
                keys[
                    min(zip(images(kind, *apart), images(kind, *vector(goal, other_goal)), strict=True))
                ] += 1
    return keys


@pytest.mark.parametrize("text", BOARDS)
def test_features_equal_a_plain_count(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(3):
        position = puzzle.shuffle(seed)
        assert found_features(position) == plain_features(position)


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 6), st.integers(0, 10**6), st.integers(0, 1))
def test_a_mirror_image_has_the_same_features(size: int, seed: int, axis: int) -> None:
    puzzle = sl.puzzle(f"square R({size},{size})")
    tiles = np.array(puzzle.shuffle(seed).to_json()["tiles"]).reshape(size, size)
    number = np.arange(size * size).reshape(size, size)
    image = np.flip(number, axis).reshape(-1)
    features = lattice_features(puzzle.board)

    def counts(cells: NDArray[np.int64], goals: NDArray[np.int64]) -> Counter[int]:
        at = dict(zip(cells.tolist(), goals.tolist(), strict=True))
        found = Counter(int(features.singles[goal, cell]) for cell, goal in at.items())
        for cell, goal in at.items():
            for offset, other in enumerate(features.neighbours[cell].tolist()):
                if other in at:
                    found[int(features.pairs[offset, goal, at[other]])] += 1
        return found

    cells = np.flatnonzero(tiles.reshape(-1))
    goals = tiles.reshape(-1)[cells] - 1
    assert counts(cells, goals) == counts(image[cells], image[goals])


def test_long_vectors_count_as_their_part() -> None:
    features = lattice_features(sl.puzzle("square R(12,2)").board)
    assert features.singles[11, 0] == features.singles[9, 0] != features.singles[7, 0]


def test_weights_are_known_for_both_lattices_with_and_without_databases() -> None:
    names = {weights_name(lattice, databases=with_them) for lattice in NEAR for with_them in (False, True)}
    assert set(load_weights()) == names
    for name, weights in load_weights().items():
        assert (EXCESS in weights) == name.endswith("databases")
        lattice = name.split()[0]
        # Farther from its goal a piece costs more, and neighbours that change places more than others.
        near, far = (min(images(lattice, distance, 0)) for distance in (1, 4))
        assert weights[far, 1, 1] > weights[near, 1, 1]
        swapped, ordered = (
            min(zip(images(lattice, 1, 0), images(lattice, step, 0), strict=True)) for step in (-1, 1)
        )
        assert weights[swapped] > weights[ordered]


def test_files_of_weights_are_read_as_they_were_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "weights.json"
    square: dict[Feature, float] = {EXCESS: 2.5, ((-1, 0), 0, 2): 1.25, ((-1, 0), (2, 1)): -0.5}
    save_weights(path, "square", square)
    save_weights(path, "hex", {EXCESS: 1.0})
    monkeypatch.setattr(lattice_weights, "FILE", path)
    assert load_weights.__wrapped__() == {"square": square, "hex": {EXCESS: 1.0}}


@pytest.mark.parametrize("text", ["king R(4,4)", "theta(2,2,3)", "hex F(2) gourds"])
def test_other_puzzles_have_no_fitted_weights(text: str) -> None:
    puzzle = sl.puzzle(text)
    assert not has_fitted_weights(puzzle)
    assert all(not ranking.fitted for ranking in rankings_of(heuristic_for(puzzle.goal, 0), Policy()))


@pytest.mark.parametrize("text", ["square R(6,6)", "hex F(4)"])
@pytest.mark.parametrize("bytes_of_databases", [0, 30_000])
def test_fitted_weights_find_shorter_solutions_than_a_formula(text: str, bytes_of_databases: int) -> None:
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, bytes_of_databases)

    def total(ranking: Ranking) -> int:
        found = (
            beam_search(heuristic, puzzle.shuffle(seed), width=300, below=1000, ranking=ranking)
            for seed in range(4)
        )
        return sum(outcome.solution.length if outcome.solution else 1000 for outcome in found)

    assert total(Ranking(1.0, fitted=True)) < total(Ranking(1.5, 1.2, 0.5))


def test_what_features_have_no_weight_is_ranked_by_the_formula() -> None:
    puzzle = sl.puzzle("square R(5,5)")
    heuristic = heuristic_for(puzzle.goal, 0)
    start = puzzle.shuffle(1)
    keys = lattice_features(puzzle.board).keys
    shape, marks = heuristic.encode(start)
    results = []
    for weights in ({}, {key: formula("square", key) for key in keys}):
        ranking = weighted_ranking(heuristic, weights)
        results.append(heuristic.searches.sample_beam(heuristic.core, shape, marks, 200, 500, ranking, 7, 3))
    (first, rows), (second, more) = results
    assert first == second
    assert (rows == more).all()


def test_samples_have_the_path_and_states_of_the_same_layer() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    heuristic = heuristic_for(puzzle.goal, 2_000)
    graph, table = heuristic.graph, sl.distance_table(puzzle.goal)
    start = puzzle.shuffle(4)
    shape, marks = heuristic.encode(start)
    ranking = weighted_ranking(heuristic, load_weights()["square with databases"])
    every, count = 3, 5
    (steps, *_), rows = heuristic.searches.sample_beam(
        heuristic.core, shape, marks, 40, 200, ranking, every, count
    )
    assert steps is not None
    path = [start]
    for move in graph.steps.moves(start, steps):
        path.append(path[-1].play(move))
    assert path[-1] == puzzle.goal
    layers = rows.reshape(-1, count + 1, puzzle.piece_count + 1)
    assert len(layers) == (len(steps) - 1) // every
    cells = [cells[0] for cells in graph.placements]
    for number, layer in enumerate(layers, start=1):
        length = every * number
        for k, row in enumerate(layer):
            # Kinds are the slots of the goal, in whose order the tiles are numbered here.
            tiles = ["."] * puzzle.board.size
            for kind, spot in enumerate(row[:-1].tolist()):
                goal_cell = graph.slots(heuristic.shape)[kind][0]
                tiles[cells[spot]] = str(goal_cell + 1)
            state = puzzle.configuration(" ".join(tiles))
            assert k > 0 or state == path[length]
            # Reached by this many moves, so no farther from the start, and an even number of moves from that.
            here, there = table.distance(start), table.distance(state)
            assert here is not None
            assert there is not None
            assert abs(there - here) <= length
            assert (there + here + length) % 2 == 0


def test_samples_are_for_different_pieces() -> None:
    goal = sl.position("square R(3,3) : a a a b b b c c .")
    heuristic = heuristic_for(goal, 0)
    shape, marks = heuristic.encode(goal)

    with pytest.raises(ValueError, match="different pieces"):
        heuristic.searches.sample_beam(
            heuristic.core, shape, marks, 10, 50, core_ranking(heuristic, Ranking()), 2, 2
        )


@pytest.mark.parametrize("text", ["square R(10,10)", "hex F(6)"])
def test_far_pieces_cost_more_also_where_no_weight_was_fitted(text: str) -> None:
    board = sl.puzzle(text).board
    features = lattice_features(board)
    weights = load_weights()[board.kind]
    assert set(features.keys) - set(weights)
    values = dict(zip(features.keys, extended(board.kind, weights, features.keys), strict=True))
    costs: dict[int, list[float]] = {}
    for key, value in values.items():
        assert weights.get(key, value) == value
        if len(key) == 3:
            (x, y), *_ = key
            steps = max(abs(x), abs(y), abs(x + y)) if board.kind == "hex" else abs(x) + abs(y)
            costs.setdefault(steps, []).append(value)
    for steps in range(3, max(costs) - 2):
        assert sum(costs[steps]) / len(costs[steps]) < sum(costs[steps + 3]) / len(costs[steps + 3])
