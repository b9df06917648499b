"""Coloured gourds: placement and moves in one go."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

import slidelab as sl
from slidelab.boards import random_hexagons
from slidelab.errors import NotationError, Unsolvable
from slidelab.place.coloured_puzzle import nine_gourds
from slidelab.place.counting import count_placements
from slidelab.place.placement import placements
from slidelab.puzzles import Configuration, Puzzle, Solution
from slidelab.rules import Cells
from slidelab.solve.assignment import nearest_assignment


def matches(solution: Solution, cells: list[str]) -> bool:
    """Does every end lie on a cell of its colour, by the colours alone?"""
    colours = solution.puzzle.colours or ()
    return all(
        cells[cell] == colour
        for placed, labels in zip(solution.goal.pieces, colours, strict=True)
        for cell, colour in zip(placed, labels, strict=True)
    )


def painted(board: sl.Board, colours: int, seed: int) -> tuple[Puzzle, list[str]]:
    """Gourds and cells that fit: colours are painted on a placement."""
    rng = random.Random(seed)
    plain = sl.puzzle(board, "gourds")
    cells = [rng.choice("abcdefgh"[:colours]) for _ in range(board.size)]
    pairs = [(cells[head], cells[tail]) for head, tail in plain.shuffle(seed).pieces]
    return sl.puzzle(board, "gourds", 1, pairs), cells


def test_the_puzzle_of_the_paper() -> None:
    nine = nine_gourds()
    solution = nine.puzzle.solve(nine.start, cells=nine.cells)
    assert solution.optimal
    assert solution.length == 28
    assert matches(solution, list(nine.cells))


@pytest.mark.parametrize("colours", [1, 2, 4, 8])
@pytest.mark.parametrize("text", ["hex F(2)", "hex P(3,5)", "hex F(3)", "hex F(5)", "random"])
def test_any_board(text: str, colours: int) -> None:
    board = random_hexagons(81, 3) if text == "random" else sl.board(text)
    puzzle, cells = painted(board, colours, 5)
    solution = puzzle.solve(puzzle.shuffle(7), cells=cells, method="peel", shorten=False)
    assert matches(solution, cells)


def test_no_placement_no_solution() -> None:
    nine = nine_gourds()
    cells = ["green" if colour == "red" else colour for colour in nine.cells]
    with pytest.raises(Unsolvable, match="red"):
        nine.puzzle.solve(nine.start, cells=cells)


def test_what_does_not_go_together() -> None:
    nine = nine_gourds()
    with pytest.raises(NotationError, match="got both"):
        nine.puzzle.solve(nine.start, nine.start, cells=nine.cells)
    with pytest.raises(NotationError, match="coloured gourds"):
        sl.puzzle("hex F(3) gourds").solve(sl.puzzle("hex F(3) gourds").goal, cells=nine.cells)
    with pytest.raises(NotationError, match="coloured gourds"):
        sl.puzzle("square R(2,2)", colours=["a", "a", "b"]).place(["a"] * 4)
    with pytest.raises(NotationError, match="19 colours"):
        nine.puzzle.solve(nine.start, cells=nine.cells[1:])


def test_a_placement_that_can_not_be_reached() -> None:
    """On a ring gourds keep their order, and there is no other placement."""
    puzzle = sl.puzzle("cycle(7)", "gourds", 1, [["a", "b"], ["c", "d"], ["e", "f"]])
    start = puzzle.configuration("1-2=a-b 3-4=c-d 5-6=e-f")
    cells = ["a", "b", "e", "f", "c", "d", "."]
    with pytest.raises(Unsolvable, match="the one placement cannot be reached"):
        puzzle.solve(start, cells=cells)


@pytest.mark.parametrize("seed", range(6))
def test_all_placements_are_as_many_as_pfaffians_say(seed: int) -> None:
    puzzle, cells = painted(random_hexagons(11, seed), 3, seed)
    gourds = [(labels[0], labels[1]) for labels in puzzle.colours or ()]
    every = list(placements(puzzle.board, cells, gourds))
    assert len(set(every)) == len(every) == count_placements(puzzle.board, cells, gourds) > 0


def total(start: Configuration, pieces: tuple[tuple[int, ...], ...]) -> int:
    import networkx as nx

    far = dict(nx.all_pairs_shortest_path_length(start.puzzle.board.to_networkx()))
    both = zip(start.pieces, pieces, strict=True)
    return sum(far[a][b] for here, there in both for a, b in zip(here, there, strict=True))


@pytest.mark.parametrize("seed", range(8))
def test_gourds_of_one_colour_go_where_it_is_nearest(seed: int) -> None:
    """Against all ways to give the places of the goal to gourds of their colours."""
    pairs = [["a", "a"], ["a", "a"], ["a", "b"], ["a", "b"], ["a", "b"], ["c", "b"]]
    puzzle = sl.puzzle("hex P(13,1)" if seed == 0 else random_hexagons(13, seed), "gourds", 1, pairs)
    start, goal = puzzle.shuffle(seed), puzzle.shuffle(seed + 100)
    named = nearest_assignment(start, goal)
    assert Configuration(puzzle, named) == goal
    same = [order for order in permutations(range(6)) if is_alike(puzzle, order)]
    ways = [(cells, cells[::-1]) if a == b else (cells,) for cells, (a, b) in lying(puzzle, goal)]
    assert len(same) == 12
    best = min(least(start, [ways[k] for k in order]) for order in same)
    assert total(start, named) == best


def lying(puzzle: Puzzle, goal: Configuration) -> list[tuple[Cells, tuple[str, ...]]]:
    return list(zip(goal.pieces, puzzle.colours or (), strict=True))


def is_alike(puzzle: Puzzle, order: tuple[int, ...]) -> bool:
    colours = puzzle.colours or ()
    return all(colours[k] == colours[j] for k, j in enumerate(order))


def least(start: Configuration, ways: list[tuple[tuple[int, ...], ...]]) -> int:
    """Each gourd the better way round, one after the other."""
    return sum(min(total_one(start, k, cells) for cells in choices) for k, choices in enumerate(ways))


def total_one(start: Configuration, k: int, cells: tuple[int, ...]) -> int:
    import networkx as nx

    graph = start.puzzle.board.to_networkx()
    return sum(nx.shortest_path_length(graph, a, b) for a, b in zip(start.pieces[k], cells, strict=True))


def test_cells_for_gourds_with_sharp_turns() -> None:
    """The placement is one of the puzzle that is solved, whatever its rule."""
    rng = random.Random(4)
    base = sl.puzzle("hex P(3,4) gourds-sharp 2")
    colours = [(rng.choice("ab"), rng.choice("ab")) for _ in range(base.piece_count)]
    puzzle = sl.puzzle(base.board, base.rule, base.hole_count, colours)
    for seed in range(4):
        start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 10)
        cells = ["."] * puzzle.board.size
        for placed, labels in zip(goal.pieces, puzzle.colours or (), strict=True):
            for cell, colour in zip(placed, labels, strict=True):
                cells[cell] = colour
        solution = puzzle.solve(start, cells=cells)
        assert solution.puzzle == puzzle
        assert matches(solution, cells)
