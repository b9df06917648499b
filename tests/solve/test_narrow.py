"""Tiles with several holes on regions with cut cells: every result is played move by move."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise, permutations

import networkx as nx
import pytest

import slidelab as sl
from slidelab.boards import Board
from slidelab.boards.graphs import graph_board
from slidelab.budget import Budget
from slidelab.errors import OutOfTime
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.regions import regions
from slidelab.solve.huge.narrow_paths import Ear, OpenCells, grow_region
from slidelab.solve.huge.narrow_regions import solve_narrow_region
from slidelab.solve.huge.region_solver import Part, solve_by_regions


def as_board(graph: nx.Graph) -> Board:
    graph = nx.convert_node_labels_to_integers(graph)
    return graph_board(len(graph), [(min(edge), max(edge)) for edge in graph.edges])


def mixes(board: Board, holes: int) -> bool:
    """Is the board one region in which all tiles mix?"""
    found = regions(board, holes)
    return len(found) == 1 and len(found[0].cells) == board.size and found[0].group == "symmetric"


def played(board: Board, start: Sequence[int], moves: Sequence[tuple[int, int]]) -> list[int]:
    at = list(start)
    for before, after in moves:
        assert after in board.neighbours[before]
        assert at[before] > 0
        assert at[after] == 0
        at[before], at[after] = 0, at[before]
    return at


def dealt(board: Board, holes: int, rng: random.Random) -> list[int]:
    tiles = [*range(1, board.size - holes + 1), *[0] * holes]
    rng.shuffle(tiles)
    return tiles


def solved(board: Board, holes: int, rng: random.Random) -> int:
    """Solve a random pair, play it, and return the number of moves."""
    start, goal = dealt(board, holes, rng), dealt(board, holes, rng)
    moves = solve_narrow_region(Part(board, range(board.size), start, goal), Budget())
    assert played(board, start, moves.tolist()) == goal
    return len(moves)


# Boards


def polygon_with_tail(neighbours: int, tail: int) -> Board:
    graph = nx.cycle_graph(neighbours)
    nx.add_path(graph, [0, *range(neighbours, neighbours + tail)])
    return as_board(graph)


def two_polygons(one: int, two: int, hallway: int = 0) -> Board:
    graph = nx.cycle_graph(one)
    nx.add_path(graph, [0, *range(one, one + hallway)])
    start = one + hallway
    nx.add_cycle(graph, [start - 1 if hallway else 0, *range(start, start + two - 1)])
    return as_board(graph)


def tree_of_blocks(size: int, rng: random.Random) -> Board:
    graph = nx.Graph([(0, 1), (0, 2), (0, 3)])
    while len(graph) < size:
        root, first = rng.choice(list(graph)), len(graph)
        many = rng.choice([1, 1, 2, 3, 4, 7])
        if many == 1:
            graph.add_edge(root, first)
        else:
            cells = [root, *range(first, first + many)]
            nx.add_cycle(graph, cells)
            if rng.random() < 0.5:
                graph.add_edge(*rng.sample(cells, 2))
    return as_board(graph)


def random_tree(size: int, rng: random.Random) -> Board:
    return as_board(nx.random_labeled_tree(size, seed=rng.randrange(1000)))


def fewest(board: Board) -> int:
    return next(holes for holes in range(2, board.size) if mixes(board, holes))


# Small boards


def test_all_small_boards() -> None:
    rng = random.Random(1)
    count = 0
    for graph in nx.graph_atlas_g():
        if not 4 <= len(graph) <= 7 or not nx.is_connected(graph) or nx.is_biconnected(graph):
            continue
        if len(graph) == 7 and rng.random() < 0.8:
            continue
        board = as_board(graph)
        for holes in range(2, board.size):
            if mixes(board, holes):
                for _ in range(3):
                    solved(board, holes, rng)
                    count += 1
    assert count > 1000


def test_every_pair_on_a_polygon_with_a_tail() -> None:
    board = polygon_with_tail(4, 1)
    goal = [0, 1, 2, 3, 0]
    for start in permutations(goal):
        moves = solve_narrow_region(Part(board, range(5), start, goal), Budget()).tolist()
        assert played(board, start, moves) == goal


# Large boards


@pytest.mark.parametrize("holes", [2, 3, 10, 40])
@pytest.mark.parametrize(
    "board",
    [
        polygon_with_tail(50, 1),
        two_polygons(30, 30),
        two_polygons(12, 60),
        as_board(nx.star_graph(60)),
        as_board(nx.windmill_graph(12, 5)),
    ],
    ids=["tail", "two", "unequal", "star", "windmill"],
)
def test_few_holes_are_enough(board: Board, holes: int) -> None:
    assert mixes(board, holes)
    assert solved(board, holes, random.Random(holes)) > 0


def test_a_long_polygon_with_one_more_cell() -> None:
    assert solved(polygon_with_tail(100, 1), 2, random.Random(3)) > 100


@pytest.mark.parametrize("seed", range(6))
def test_trees(seed: int) -> None:
    rng = random.Random(seed)
    board = random_tree(20 + 20 * seed, rng)
    least = fewest(board)
    for holes in {least, least + 1, (least + board.size) // 2, board.size - 3}:
        solved(board, holes, rng)


@pytest.mark.parametrize("seed", range(6))
def test_trees_of_blocks(seed: int) -> None:
    rng = random.Random(seed)
    board = tree_of_blocks(20 + 20 * seed, rng)
    least = fewest(board)
    for holes in {least, least + 1, 10, board.size // 2, board.size - 2}:
        if holes >= least:
            solved(board, holes, rng)


@pytest.mark.parametrize(
    ("block", "tail", "holes"), [(5, 1, 2), (8, 4, 5), (12, 8, 9), (4, 20, 21), (20, 3, 12)]
)
def test_lollipops(block: int, tail: int, holes: int) -> None:
    board = as_board(nx.lollipop_graph(block, tail))
    assert mixes(board, holes)
    assert solved(board, holes, random.Random(holes)) > 0


@pytest.mark.parametrize("hallway", [0, 1, 3])
def test_hallways_as_long_as_can_be(hallway: int) -> None:
    board = two_polygons(15, 25, hallway)
    assert not mixes(board, hallway + 1)
    assert solved(board, hallway + 2, random.Random(hallway)) > 0


def test_all_tiles_in_place_but_the_holes() -> None:
    board = polygon_with_tail(12, 1)
    start = [0, 0, *range(1, 12)]
    moves = solve_narrow_region(Part(board, range(13), start, start), Budget())
    assert len(moves) == 0


# The order


@pytest.mark.parametrize("seed", range(8))
def test_what_is_left_is_always_one_region(seed: int) -> None:
    rng = random.Random(seed)
    board = tree_of_blocks(25, rng) if seed % 2 else random_tree(25, rng)
    holes = fewest(board)
    centre = max(range(board.size), key=lambda cell: len(board.neighbours[cell]))
    ears = grow_region(board, holes, centre)
    inside: list[int] = []
    for ear in ears:
        check_ear(board, inside, ear)
        inside.extend(ear.cells)
        if len(inside) >= holes + 2:
            part = as_board(nx.Graph(list(board.edges)).subgraph(inside))
            assert mixes(part, holes)
    assert sorted(inside) == list(range(board.size))


def check_ear(board: Board, inside: list[int], ear: Ear) -> None:
    if len(ear.cells) > 1:
        assert ear.first != ear.last
        tile_path = [ear.first, *ear.cells, ear.last]
        assert all(b in board.neighbours[a] for a, b in pairwise(tile_path))
        assert {ear.first, ear.last} <= set(inside)
    assert not set(inside).intersection(ear.cells)


def test_parts_of_a_floor() -> None:
    rng = random.Random(5)
    board = tree_of_blocks(40, rng)
    cells = sorted(range(board.size), key=lambda _: rng.random())
    cells_ = OpenCells(board.neighbours, cells)
    graph = nx.Graph(list(board.edges))
    for cell in cells:
        rest = graph.subgraph(set(cells) - {cell})
        parts = {frozenset(part) for part in nx.connected_components(rest)}
        found: dict[int, set[int]] = {}
        for other in rest:
            found.setdefault(cells_.component(cell, other), set()).add(other)
        assert {frozenset(part) for part in found.values()} == parts
        assert sorted(cells_.components(cell)) == sorted(
            (number, len(part)) for number, part in found.items()
        )


# Boards of several regions


def row_of_blocks(board: Board, hallway: int, times: int) -> Board:
    """Copies of a board, each joined to the next by a path of bridges."""
    graph = nx.Graph()
    for number in range(times):
        graph.add_edges_from(((number, a), (number, b)) for a, b in board.edges)
        if number:
            between = [(number, "hallway", step) for step in range(hallway - 1)]
            nx.add_path(graph, [(number - 1, board.size - 1), *between, (number, 0)])
    return as_board(graph)


@pytest.mark.parametrize("holes", [2, 3, 5])
def test_boards_of_several_regions(holes: int) -> None:
    block = tree_of_blocks(40, random.Random(holes))
    board = row_of_blocks(block, max(fewest(block), holes) + 1, 4)
    assert len(regions(board, holes)) > 1
    edges = " ".join(f"{a}-{b}" for a, b in board.edges)
    puzzle = sl.puzzle(f"graph {edges} tiles {holes}")
    start, goal = pieces_by_cell(puzzle.shuffle(seed=holes)), pieces_by_cell(puzzle.goal)
    moves, _ = solve_by_regions(
        board, list(start), list(goal), lambda part: (solve_narrow_region(part, Budget()), [])
    )
    assert played(board, start, moves.tolist()) == goal


@pytest.mark.parametrize("lengths", [(0, 2, 2), (1, 2, 2), (3, 9, 14)])
def test_two_connected_boards_too(lengths: tuple[int, ...]) -> None:
    board = sl.board(f"theta({','.join(map(str, lengths))})")
    for holes in (2, 3, board.size - 2):
        solved(board, holes, random.Random(holes))


def test_time_is_up() -> None:
    board = polygon_with_tail(200, 1)
    rng = random.Random(1)
    part = Part(board, range(board.size), dealt(board, 2, rng), dealt(board, 2, rng))
    with pytest.raises(OutOfTime):
        solve_narrow_region(part, Budget.of(time=0))
