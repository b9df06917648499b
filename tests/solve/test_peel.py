"""Huge boards: the order in which cells are filled, and what peeling makes of all kinds of boards."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import thorough
from reach.twins import Case, pick, twins_with_pairs
from slidelab.budget import Budget
from slidelab.errors import Unsolvable
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.rules import RULES
from slidelab.solve.huge.peeler import peel
from solve.cases import PETERSEN
from solve.huge_boards import as_board, block_tree, ear_graph, is_polygon, peeled, random_board, replay

# A replay that knows nothing of slidelab's: what lies on each cell, and who is next to whom.

# Boards of all kinds


def random_pair(puzzle: Puzzle, seed: int) -> tuple[Configuration, Configuration]:
    """Tiles and holes anywhere, at the start and at the goal."""
    rng = random.Random(seed)

    def laid() -> Configuration:
        cells = rng.sample(range(puzzle.board.size), puzzle.piece_count)
        return Configuration(puzzle, tuple((cell,) for cell in cells))

    return laid(), laid()


def swapped(configuration: Configuration) -> Configuration:
    """The first two tiles exchanged."""
    a, b, *others = configuration.pieces
    return Configuration(configuration.puzzle, (b, a, *others))


def solve_some(puzzle: Puzzle, seeds: Iterable[int], **options: object) -> None:
    """From anywhere to anywhere on a 2-connected board that mixes all tiles, or half of all orders."""
    for seed in seeds:
        start, goal = random_pair(puzzle, seed)
        if not puzzle.solvable(start, goal):
            with pytest.raises(Unsolvable, match=r"\w"):
                puzzle.solve(start, goal, method="peel")
            goal = swapped(goal)
        peeled(start, goal, **options)


RECTANGLES = ["R(2,3)", "R(3,2)", "R(3,3)", "R(2,7)", "R(4,3)", "R(4,4)", "R(5,2)", "R(7,5)", "R(12,9)"]


@pytest.mark.parametrize("kind", ["square", "king"])
@pytest.mark.parametrize("size", RECTANGLES)
def test_rectangles(kind: str, size: str) -> None:
    solve_some(sl.puzzle(f"{kind} {size}"), range(5))


NAMED = {
    "K4": nx.complete_graph(4),
    "K5": nx.complete_graph(5),
    "K3,3": nx.complete_bipartite_graph(3, 3),
    "cube": nx.convert_node_labels_to_integers(nx.hypercube_graph(3)),
    "wheel": nx.wheel_graph(9),
    "dodecahedron": nx.dodecahedral_graph(),
    "prism": nx.circular_ladder_graph(12),
}


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("holes", [1, 2, 3])
def test_named_graphs(name: str, holes: int) -> None:
    solve_some(Puzzle(as_board(NAMED[name]), RULES["tiles"], holes), range(4))


@pytest.mark.parametrize("holes", [1, 2, 5])
def test_petersen(holes: int) -> None:
    solve_some(sl.puzzle(f"{PETERSEN} tiles {holes}"), range(4))


THETAS = ["0,1,1", "0,1,2", "0,2,2", "1,1,1", "1,1,2", "1,1,3", "2,2,2", "0,3,4", "3,4,5", "0,1,12", "1,9,9"]


@pytest.mark.parametrize("paths", [*THETAS, "6,10,11"])
def test_theta_graphs(paths: str) -> None:
    solve_some(sl.puzzle(f"theta({paths})"), range(4))


@pytest.mark.parametrize("paths", THETAS)
def test_theta_graphs_with_more_holes(paths: str) -> None:
    for holes in (2, 3):
        puzzle = sl.puzzle(f"theta({paths}) tiles {holes}")
        if puzzle.piece_count > 1:
            solve_some(puzzle, range(3))


def test_theta0_is_solved_exactly_where_it_can_be() -> None:
    """A sixth of all orders can be reached."""
    puzzle = sl.puzzle("theta(1,2,2)")
    for seed in range(10):
        start = puzzle.shuffle(seed)
        assert peeled(start).length == puzzle.distance(start)
        with pytest.raises(Unsolvable):
            puzzle.solve(swapped(start), method="peel")


@pytest.mark.parametrize("size", [3, 4, 7, 12])
def test_polygons(size: int) -> None:
    """Tiles go round, the shorter way."""
    rng = random.Random(size)
    for holes in range(1, size):
        puzzle = sl.puzzle(f"cycle({size}) tiles {holes}")
        for _ in range(6):
            tiles, turn = list(range(puzzle.piece_count)), rng.randrange(puzzle.piece_count)
            places = [sorted(rng.sample(range(size), puzzle.piece_count)) for _ in range(2)]
            orders = [tiles, tiles[turn:] + tiles[:turn]]
            start, goal = (
                Configuration(puzzle, tuple((row[order.index(tile)],) for tile in tiles))
                for row, order in zip(places, orders, strict=True)
            )
            solution = peeled(start, goal)
            if size <= 7:
                assert solution.length == puzzle.distance(start, goal)
        if puzzle.piece_count >= 3:
            with pytest.raises(Unsolvable):
                puzzle.solve(swapped(puzzle.goal), method="peel")


@pytest.mark.parametrize("text", ["path(2)", "path(6)", "path(9) tiles 4", "square R(8,1) tiles 7"])
def test_paths(text: str) -> None:
    puzzle = sl.puzzle(text)
    rng = random.Random(text)
    for _ in range(5):
        start, goal = (
            Configuration(
                puzzle,
                tuple((cell,) for cell in sorted(rng.sample(range(puzzle.board.size), puzzle.piece_count))),
            )
            for _ in range(2)
        )
        way = sum(abs(a - b) for (a,), (b,) in zip(start.pieces, goal.pieces, strict=True))
        assert peeled(start, goal).lower_bound == way
        assert peeled(start, goal, shorten=True).length == way
    if puzzle.piece_count > 1:
        with pytest.raises(Unsolvable):
            puzzle.solve(swapped(puzzle.goal), method="peel")


def test_boards_with_cells_missing() -> None:
    for kind in ("square", "king"):
        for seed in range(10):
            cells = random_board(kind, 100 + seed)
            if not is_polygon(cells.to_networkx()):
                solve_some(Puzzle(cells, RULES["tiles"], 1), [seed])


@pytest.mark.parametrize("longest", [1, 3, 6, 20])
def test_random_graphs_with_one_hole(longest: int) -> None:
    for seed in range(8):
        rng = random.Random(seed)
        cells = as_board(ear_graph(rng, rng.randint(10, 60), longest))
        solve_some(Puzzle(cells, RULES["tiles"], 1), [seed])


@pytest.mark.parametrize("longest", [1, 3, 6, 20])
def test_random_graphs_with_several_holes(longest: int) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        cells = as_board(ear_graph(rng, rng.randint(10, 60), longest))
        for holes in (2, 3, 5, cells.size // 2, cells.size - 3, cells.size - 1):
            solve_some(Puzzle(cells, RULES["tiles"], holes), [seed])


@pytest.mark.parametrize("text", ["square R(5,5)", "square R(8,6)", "king R(6,5)", "hex F(4) tiles 1"])
def test_boards_with_several_holes(text: str) -> None:
    cells = sl.puzzle(text).board
    for holes in (2, 3, 5, cells.size // 2, cells.size - 2):
        solve_some(Puzzle(cells, RULES["tiles"], holes), range(2))


GRID = "0-1 1-2 3-4 4-5 6-7 7-8 0-3 3-6 1-4 4-7 2-5 5-8"


@pytest.mark.parametrize("length", [1, 2, 3, 4, 6, 10])
@pytest.mark.parametrize("holes", [1, 2, 3, 5, 7])
def test_a_handle_with_holes_anywhere(length: int, holes: int) -> None:
    """Nine squares with a handle, in which holes may lie at the start, at the goal, or meanwhile."""
    handle = [0, *range(9, 9 + length), 8]
    edges = " ".join(f"{a}-{b}" for a, b in pairwise(handle))
    solve_some(sl.puzzle(f"graph {GRID} {edges} tiles {holes}"), range(6))


# Boards that fall apart


def test_separable_boards_with_one_hole() -> None:
    moved = 0
    for seed in range(25):
        rng = random.Random(seed)
        puzzle = Puzzle(as_board(block_tree(rng, rng.randint(2, 7))), RULES["tiles"], 1)
        start, goal = puzzle.shuffle(seed), puzzle.shuffle(seed + 1000)
        moved += peeled(start, goal).length
    assert moved > 1000


def test_boards_in_several_parts() -> None:
    """Each part has its own holes; here none is both separable and has several."""
    parts = ["0-1 1-2 2-3 3-0 2-0", "4-5 5-6 6-7 7-4 5-8 8-7", "9-10 10-11 11-9", "12-13 13-14", "15"]
    puzzle = sl.puzzle(f"graph {' '.join(parts)} tiles 5")
    for seed in range(10):
        rng = random.Random(seed)
        holes = [rng.choice([0, 1, 2, 3]), *rng.sample([4, 5, 6, 7, 8], 2), rng.choice([9, 10, 11])]
        holes.append(rng.choice([12, 13, 14]))
        cells = [cell for cell in range(16) if cell not in holes]
        start = Configuration(puzzle, tuple((cell,) for cell in cells))
        goal = puzzle.shuffle(seed, start=start)
        peeled(start, goal)
    a, b = 0, len(cells) - 1  # from one part into another
    pieces = list(start.pieces)
    pieces[a], pieces[b] = pieces[b], pieces[a]
    with pytest.raises(Unsolvable):
        puzzle.solve(start, Configuration(puzzle, tuple(pieces)), method="peel")


# Small boards, against shortest solutions


@pytest.mark.parametrize(
    "text",
    [
        "square R(2,3)", "square R(3,3)", "square R(3,3) tiles 2", "square R(4,2) tiles 3", "king R(3,2)",
        "king R(4,2)", "theta(0,2,3)", "theta(1,1,3)", "theta(2,2,2)", "complete(5)", "hex F(2)",
        "hex F(2) tiles 1", "hex P(3,3)", "hex P(3,3) hextiles 3", "hex P(4,2) hextiles 3",
        "hex T(4) hextiles 4",
    ],
)  # fmt: skip
@pytest.mark.parametrize("shorten", [False, None])
def test_never_shorter_than_a_shortest(text: str, shorten: bool | None) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(3):
        goal = puzzle.shuffle(seed)
        start = puzzle.shuffle(seed + 50, start=goal)
        exact = puzzle.distance(start, goal)
        assert exact is not None
        solution = peeled(start, goal, shorten=shorten)
        assert solution.lower_bound is not None
        assert solution.lower_bound <= exact <= solution.length
        assert not solution.optimal or solution.length == exact


@given(twins_with_pairs(("tiles", "hextiles"), most=400), st.data())
@thorough(30)
def test_small_puzzles_of_any_kind(case: Case, data: st.DataObject) -> None:
    made, start, goal, reached = case
    if made.puzzle.rule.name == "tiles" and made.puzzle.hole_count > 1:
        graph = made.puzzle.board.to_networkx()
        if not all(nx.is_biconnected(graph.subgraph(part)) for part in nx.connected_components(graph)):
            return  # has tests of its own
    first = made.configuration(start)
    with_reason = made.configuration(goal)
    if goal not in reached:
        with pytest.raises(Unsolvable):
            made.puzzle.solve(first, with_reason, method="peel")
        goal = pick(data.draw, reached)
    if goal != start:
        layers = made.plain.distance_layers(start)
        exact = next(depth for depth, layer in enumerate(layers) if goal in layer)
        solution = peeled(first, made.configuration(goal))
        assert solution.lower_bound is not None
        assert solution.lower_bound <= exact <= solution.length


def test_made_shorter_by_default() -> None:
    puzzle = sl.puzzle("square R(6,6)")
    start = puzzle.shuffle(1)
    long = peeled(start)
    short = peeled(start, shorten=None)
    assert short.length < long.length
    assert short.lower_bound == long.lower_bound


def test_nothing_to_do_but_a_hole_to_move() -> None:
    puzzle = sl.puzzle("square R(9,9)")
    start = puzzle.goal.play("80:79>80", "71:70>79")
    assert 2 <= peeled(start).length <= 40


# Hexagonal tiles

HEXAGONS = [
    ("hex P(5,4)", 2), ("hex P(6,6)", 2), ("hex P(8,3)", 2), ("hex P(5,4)", 3), ("hex P(5,5)", 4),
    ("hex F(3)", 2), ("hex F(4)", 2), ("hex F(3)", 3), ("hex F(3)", 4), ("hex T(5)", 2), ("hex T(7)", 2),
    ("hex T(6)", 3), ("hex T(6)", 4), ("hex Ptr(5,5)", 2), ("hex Ptr(7,4)", 2), ("hex Ptr(5,5)", 3),
    ("hex Ttr(6)", 2), ("hex Ttr(8)", 2), ("hex Ttr(6)", 3), ("hex P(4,2)", 2),
]  # fmt: skip


@pytest.mark.parametrize(("text", "holes"), HEXAGONS)
def test_hexagonal_tiles(text: str, holes: int) -> None:
    puzzle = sl.puzzle(f"{text} hextiles {holes}")
    for seed in range(2):
        goal = puzzle.shuffle(seed)
        peeled(puzzle.shuffle(seed + 10, start=goal), goal)


def test_the_core_of_hexagons_is_solved_by_their_rule() -> None:
    """Eleven cells with eight tiles are left: the words for tiles must not be used there."""
    puzzle = sl.puzzle("hex F(3) hextiles 3")
    start = puzzle.configuration("14 10 13 . 8 15 11 12 5 1 16 4 6 . 7 3 9 . 2")
    peeled(start, puzzle.configuration("13 16 4 7 10 5 9 12 1 . . 14 2 15 11 . 3 8 6"))


def test_a_strip_of_hexagons_is_left_to_the_group() -> None:
    """No small part of it permutes its tiles at will."""
    puzzle = sl.puzzle("hex P(9,2) hextiles 3")
    start = puzzle.shuffle(1)
    found = puzzle.solve(start, method="peel", shorten=False)
    assert found.method == "group"
    replay(found)


def test_hexagonal_tiles_that_can_not() -> None:
    puzzle = sl.puzzle("hex F(4)")
    assert not puzzle.solvable(swapped(puzzle.goal))
    with pytest.raises(Unsolvable, match="odd"):
        puzzle.solve(swapped(puzzle.goal), method="peel")


# Colours


@pytest.mark.parametrize(
    "text",
    [
        "square R(6,6)", "king R(5,4)", "theta(3,4,5)", "square R(5,4) tiles 3", "hex F(3)",
        "hex P(5,4) hextiles 3",
        "graph 0-1 1-2 2-3 3-0 0-2 3-4 4-5 5-6 6-7 7-8 8-5 6-8",
    ],
)  # fmt: skip
@pytest.mark.parametrize("colours", [1, 2, 5])
def test_coloured_tiles(text: str, colours: int) -> None:
    plain = sl.puzzle(text)
    names = tuple((f"c{number % colours}",) for number in range(plain.piece_count))
    puzzle = Puzzle(plain.board, plain.rule, plain.hole_count, names)
    for seed in range(3):
        goal = puzzle.shuffle(seed)
        peeled(puzzle.shuffle(seed + 10, start=goal), goal)


def test_coloured_tiles_of_the_wrong_parity() -> None:
    """Two tiles alike make up for an odd permutation; none alike, nothing does."""
    plain = sl.puzzle("square R(5,5)")
    for twins, able in (((4, 20), True), ((0, 1), True), ((), False)):
        names = tuple(("same" if number in twins else f"c{number}",) for number in range(plain.piece_count))
        puzzle = Puzzle(plain.board, plain.rule, 1, names)
        mixed = puzzle.shuffle(1)
        for start in (mixed, swapped_looks(mixed)):
            if able or puzzle.solvable(start):
                peeled(start)
            else:
                with pytest.raises(Unsolvable):
                    puzzle.solve(start, method="peel")


def swapped_looks(start: Configuration) -> Configuration:
    """Two tiles of different colours exchanged."""
    colours = start.puzzle.colours
    assert colours is not None
    other = next(k for k, labels in enumerate(colours) if labels != colours[0])
    pieces = list(start.pieces)
    pieces[0], pieces[other] = pieces[other], pieces[0]
    return Configuration(start.puzzle, tuple(pieces))


def test_little_memory_makes_no_difference() -> None:
    """Distances between cells are found again where they do not fit."""
    puzzle = sl.puzzle("square R(20,20)")
    start = puzzle.shuffle(seed=1)

    def moves(memory: int) -> MoveList:
        return peel(start, puzzle.goal, lambda a, b: a.puzzle.solve(a, b), Budget.of(memory=memory))

    assert moves(1000) == moves(10**9)


def test_more_cells_than_a_table_of_all_pairs_could_have() -> None:
    puzzle = sl.puzzle("square R(130,130)")
    tiles = [*range(1, 16_900), 0]
    tiles[-3], tiles[-2], tiles[-131] = tiles[-2], tiles[-131], tiles[-3]  # three in the corner of the hole
    assert peeled(puzzle.configuration(tiles)).length >= 4


@pytest.mark.parametrize("text", ["hex F(4) hextiles 30", "hex F(4) hextiles 32", "hex F(6) hextiles 50"])
def test_hexagonal_tiles_with_most_cells_empty(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in (1, 2):
        assert peeled(puzzle.shuffle(seed=seed)).length > 0


@pytest.mark.parametrize("holes", [3, 8, 13, 20, 40])
def test_hexagonal_tiles_with_many_holes(holes: int) -> None:
    puzzle = sl.puzzle("hex P(8,8)", "hextiles", holes)
    peeled(puzzle.shuffle(seed=holes))


@pytest.mark.parametrize(
    "text", ["theta(90,80,100) tiles 2", "theta(2,120,150) tiles 5", "cycle(700) tiles 3"]
)
def test_long_paths_with_several_holes(text: str) -> None:
    puzzle = sl.puzzle(text)
    peeled(puzzle.shuffle(seed=1))
