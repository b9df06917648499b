"""Windows and contents of the network against plain geometry, its file, and what it is worth for beams."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards.lattice import DIRECTIONS
from slidelab.solve.patterns.heuristic import heuristic_for
from slidelab.solve.search.beam import beam_search
from slidelab.solve.search.lattice_network import (
    CONTENTS,
    MAX_WAY,
    WINDOWS,
    Network,
    board_windows,
    load_networks,
    save_network,
)
from slidelab.solve.search.ranking import Ranking, core_ranking

BOARDS = [
    "square R(4,3)",
    "square R(8,8)",
    "hex P(3,4)",
    "hex F(4)",
    "square 0,0 1,0 2,0 0,1 2,1 0,2 1,2 2,2",
]


@pytest.mark.parametrize("text", BOARDS)
def test_windows_are_the_cells_around(text: str) -> None:
    board = sl.puzzle(text).board
    near = board_windows(board).near
    for cell, window in enumerate(near.tolist()):
        x, y = board.cells[cell]
        around = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        if board.kind == "hex":
            around = {(x, y)} | {(x + dx, y + dy) for dx, dy in DIRECTIONS["hex"]}
        expected = sorted(number for number, other in enumerate(board.cells) if other in around)
        assert sorted(number for number in window if number >= 0) == expected
        assert len(window) == len(WINDOWS[board.kind])


@pytest.mark.parametrize("text", BOARDS)
def test_contents_tell_ways_and_borders_apart(text: str) -> None:
    board = sl.puzzle(text).board
    contents = board_windows(board).contents
    full = 6 if board.kind == "hex" else 4
    border = {cell for cell in range(board.size) if len(board.neighbours[cell]) < full}
    second = {cell for cell in range(board.size) if set(board.neighbours[cell]) & border} - border
    meaning: dict[int, object] = {}
    for goal in range(board.size):
        ring = 0 if goal in border else 1 if goal in second else 2
        for cell in range(board.size):
            way = (board.cells[goal][0] - board.cells[cell][0], board.cells[goal][1] - board.cells[cell][1])
            content = int(contents[goal, cell])
            assert content < CONTENTS - 2
            steps = max(abs(way[0]), abs(way[1]), abs(sum(way)) if board.kind == "hex" else 0)
            if steps <= MAX_WAY:  # longer ones share the contents of shorter ones
                assert meaning.setdefault(content, (way, ring)) == (way, ring)
    assert len(meaning) > board.size


@given(st.integers(9, 14))
@settings(deadline=None)
def test_long_ways_have_contents_too(side: int) -> None:
    contents = board_windows(sl.puzzle(f"square R({side},{side})").board).contents
    assert contents.max() < CONTENTS - 2
    # In the same direction a longer way is the same content: both are cut off at the same length.
    assert contents[side - 1, 0] == contents[side - 1, 1] or side == 9


def test_networks_fit_their_windows() -> None:
    networks = load_networks()
    assert set(networks) == set(WINDOWS)
    for kind, network in networks.items():
        assert network.weights.shape == (len(WINDOWS[kind]), CONTENTS, 16)
        assert network.weights.dtype == network.bias.dtype == np.int16
        assert network.bias.shape == (16,)


def test_networks_are_written_beside_others(tmp_path: Path) -> None:
    path = tmp_path / "networks.npz"
    one = Network(np.full((9, CONTENTS, 16), 3, dtype=np.int16), np.arange(16, dtype=np.int16))
    save_network(path, "square", one)
    save_network(path, "hex", load_networks()["hex"])
    with np.load(path) as file:
        assert sorted(file.files) == ["hex_bias", "hex_weights", "square_bias", "square_weights"]
        assert (file["square_weights"] == one.weights).all()
        assert (file["square_bias"] == one.bias).all()


def test_a_network_for_another_board_is_refused() -> None:
    heuristic = heuristic_for(sl.puzzle("square R(3,3)").goal, 0)
    ranking = core_ranking(heuristic, Ranking(0.0, fitted=True, network=True))
    other = heuristic_for(sl.puzzle("square R(4,4)").goal, 0)
    shape, marks = other.encode(other.goal.puzzle.shuffle(1))
    with pytest.raises(ValueError, match="expected"):
        other.searches.beam_search(other.core, shape, marks, 10, 100, ranking, 10**9, 1)


@pytest.mark.parametrize("text", ["square R(6,6)", "hex F(4)"])
def test_beams_with_a_network_find_shorter_solutions(text: str) -> None:
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, 0)

    def total(ranking: Ranking) -> int:
        outcomes = [
            beam_search(heuristic, puzzle.shuffle(seed), width=300, below=2000, ranking=ranking)
            for seed in range(6)
        ]
        return sum(2000 if each.solution is None else each.solution.length for each in outcomes)

    assert total(Ranking(0.0, fitted=True, network=True)) < total(Ranking(0.0, fitted=True))


@pytest.mark.parametrize("text", ["square R(9,9)", "square R(10,10)", "square R(16,6)", "hex P(7,7)"])
def test_beams_end_on_boards_larger_than_those_of_the_fit(text: str) -> None:
    # Contents that do not occur where the network is fitted must not attract pieces.
    puzzle = sl.puzzle(text)
    heuristic = heuristic_for(puzzle.goal, 0)
    ranking = Ranking(0.0, fitted=True, network=1.0)
    start = puzzle.shuffle(1, puzzle.goal)
    found = beam_search(heuristic, start, width=500, below=3000, ranking=ranking).solution
    assert found is not None
    assert (found.start, found.goal) == (start, puzzle.goal)
    assert found.length < 3 * (heuristic.lower_bound(start) or 0)
