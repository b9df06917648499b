"""What the papers' theorems predict, against what is computed, on every board small enough."""

from __future__ import annotations

import random
from collections import Counter
from math import comb

import networkx as nx
import pytest

import slidelab as sl
from slidelab.boards import (
    Board,
    components,
    from_edges,
    from_networkx,
    is_connected,
    is_cycle,
    is_hole_free,
    is_two_connected,
    polyhexes,
)
from slidelab.gains import count_shapes
from slidelab.puzzles import Puzzle
from slidelab.reach.analysis import Analysis
from slidelab.reach.families import count_components
from slidelab.reach.theorems import connection_prediction, predictions, tile_group, tile_regions
from slidelab.rules import RULES


def analysed(board: Board, rule: str, holes: int) -> Analysis:
    return Puzzle(board, RULES[rule], holes).analyze(connection=False)


def assert_group_is_predicted(board: Board, holes: int) -> None:
    predicted = tile_group(board, holes)
    (family,) = analysed(board, "tiles", holes).families
    computed = (family.group.name, family.group.order, family.group.is_even)
    assert computed == (predicted.name, predicted.order, predicted.even), (board.name, holes)


def atlas(size: int, connected: bool) -> list[Board]:
    graphs = (g for g in nx.graph_atlas_g() if len(g) == size)
    return [from_networkx(g) for g in graphs if nx.is_connected(g) == connected]


# Tiles on any graph: Wilson, Kornhauser, Miller and Spirakis

CONNECTED = {2: 1, 3: 2, 4: 6, 5: 21, 6: 112, 7: 853}


@pytest.mark.parametrize("size", CONNECTED)
def test_groups_of_all_small_connected_graphs(size: int) -> None:
    boards = atlas(size, connected=True)
    assert len(boards) == CONNECTED[size]
    for board in boards:
        for holes in range(1, size):
            assert_group_is_predicted(board, holes)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_components_of_all_small_disconnected_graphs(size: int) -> None:
    """The holes are dealt out to the parts in every way; each is a family with a product of groups."""
    boards = atlas(size, connected=False)
    assert len(boards) == {2: 1, 3: 2, 4: 5, 5: 13, 6: 44, 7: 191}[size]
    for board in boards:
        for holes in range(1, size):
            found = analysed(board, "tiles", holes)
            agreed = {check.quantity for check in found.theorems if check.agrees}
            assert agreed >= {"components", "weak parity"}
            assert found.disagreements == (), (board.name, holes)


def random_edge(cells: range, rng: random.Random) -> tuple[int, int]:
    a, b = sorted(rng.sample(cells, 2))
    return a, b


def random_trees_and_sparse_graphs(count: int, seed: int) -> list[Board]:
    rng = random.Random(seed)
    out = []
    for number in range(count):
        size = rng.randrange(8, 12)
        edges = [(rng.randrange(max(0, b - 3 - number % 5), b), b) for b in range(1, size)]
        more = rng.choice([0, 0, 0, 1, 1, 2, 3])
        edges += [random_edge(range(size), rng) for _ in range(more)]
        out.append(from_edges(edges, size))
    return out


@pytest.mark.parametrize("seed", range(4))
def test_groups_of_random_trees_and_sparse_graphs(seed: int) -> None:
    for board in random_trees_and_sparse_graphs(30, seed):
        assert is_connected(board)
        for holes in range(1, board.size):
            assert_group_is_predicted(board, holes)


def test_the_random_graphs_are_worth_the_while() -> None:
    """Trees and graphs with cycles; one region, several, and none."""
    boards = [b for seed in range(4) for b in random_trees_and_sparse_graphs(30, seed)]
    trees = sum(len(b.edges) == b.size - 1 for b in boards)
    assert 20 < trees < 100
    regions = Counter(len(tile_regions(b, holes)) for b in boards for holes in (2, 3) if not is_cycle(b))
    assert regions[1] > 20
    assert regions[2] > 20
    assert regions[3] > 5


BARBELLS = [(a, b, length) for a in (3, 4) for b in (3, 5) for length in (0, 1, 2, 3)]


@pytest.mark.parametrize(("a", "b", "length"), BARBELLS)
def test_groups_of_two_cycles_joined_by_a_path(a: int, b: int, length: int) -> None:
    """The case that several holes make hard: do the two cycles exchange tiles?"""
    edges = [(i, (i + 1) % a) for i in range(a)]
    end = 0
    size = a
    for _ in range(length):
        edges.append((end, size))
        end, size = size, size + 1
    ring = [end, *range(size, size + b - 1)]
    edges += [(ring[i], ring[(i + 1) % b]) for i in range(b)]
    board = from_edges([tuple(sorted(edge)) for edge in edges], size + b - 1)
    for holes in range(1, board.size):
        assert_group_is_predicted(board, holes)


@pytest.mark.parametrize("seed", range(3))
def test_components_of_random_disconnected_graphs(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(25):
        edges, size = [], 0
        for _ in range(rng.randrange(2, 4)):
            part = rng.randrange(1, 6)
            edges += [(size + rng.randrange(0, b), size + b) for b in range(1, part)]
            if part > 2 and rng.random() < 0.6:
                edges.append(random_edge(range(size, size + part), rng))
            size += part
        board = from_edges(edges, size)
        assert len(components(board)) > 1
        for holes in range(1, size):
            assert analysed(board, "tiles", holes).disagreements == (), (board.name, holes)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_connection_numbers_of_all_small_graphs(size: int) -> None:
    for board in [*atlas(size, connected=True), *atlas(size, connected=False)]:
        numbers = [h for h in range(1, size) if analysed(board, "tiles", h).components == 1]
        said = connection_prediction(Puzzle(board, RULES["tiles"], 1))
        assert (said.value if said else None) == (numbers[0] if numbers else None), board.name
        found = Puzzle(board, RULES["tiles"], 1).analyze()
        assert found.connection_number == (numbers[0] if numbers else None)


# Hexagonal tiles: Karpman and Roldan

FAMILIES = [
    *(f"P({m},{n})" for m in range(2, 7) for n in range(2, 7)),
    *(f"T({m})" for m in range(2, 8)),
    *(f"F({m})" for m in range(2, 5)),
    *(f"Ptr({m},{n})" for m in range(3, 6) for n in range(3, 7)),
    *(f"Ttr({m})" for m in range(4, 8)),
]
SMALL = 20_000  # shapes


@pytest.mark.parametrize("holes", [2, 3, 4, 5])
def test_hexagonal_theorems_agree(holes: int) -> None:
    names: Counter[str] = Counter()
    for text in FAMILIES:
        board = sl.board(f"hex {text}")
        if board.size <= holes:
            continue
        puzzle = Puzzle(board, RULES["hextiles"], holes)
        shapes = count_shapes(puzzle)
        assert shapes is not None
        if shapes > SMALL:
            continue
        found = puzzle.analyze(connection=False)
        assert found.disagreements == (), text
        names.update(check.name for check in found.theorems if check.agrees)
    if holes == 2:
        assert set(names) >= {f"Theorem 1.{k}" for k in (1, 5, 8, 9)} | {"Corollary 1.6", "Lemma 4.3"}
    else:
        assert set(names) >= {"Theorem 1.1", "Theorem 1.3", "Corollary 1.4"}


@pytest.mark.parametrize(
    "text", ["P(2,2)", "P(2,3)", "P(2,4)", "P(2,5)", "P(5,2)", "P(2,6)", "P(3,3)", "P(3,4)", "T(4)", "F(2)"]
)
def test_hexagonal_theorems_agree_for_every_number_of_holes(text: str) -> None:
    board = sl.board(f"hex {text}")
    for holes in range(2, board.size):
        found = analysed(board, "hextiles", holes)
        assert found.disagreements == (), holes
        assert found.theorems or not text.startswith("P")


@pytest.mark.parametrize("text", ["P(3,3)", "P(3,4)", "P(4,4)", "P(3,5)", "T(5)", "F(3)"])
def test_connection_numbers_of_hexagonal_boards(text: str) -> None:
    """Theorem 1.7, computed here from 2 holes on."""
    puzzle = sl.puzzle(f"hex {text}")
    said = connection_prediction(puzzle)
    assert said is not None
    assert (said.name, said.value) == ("Theorem 1.7", 3)
    assert count_components(puzzle) > 1
    assert count_components(sl.puzzle(f"hex {text}", holes=3)) == 1
    assert puzzle.analyze().connection_number == 3


@pytest.mark.parametrize("size", range(3, 9))
def test_two_holes_are_weakly_even_on_every_polyhex(size: int) -> None:
    """Corollary 1.6."""
    for board in polyhexes(size):
        found = analysed(board, "hextiles", 2)
        assert found.weak_parity is True
        assert found.disagreements == ()
        assert "Corollary 1.6" in {check.name for check in found.theorems}


def test_theorems_answer_alone_on_huge_boards() -> None:
    two = sl.puzzle("hex P(60,60)").analyze()
    assert two.too_large
    assert (two.components, two.weak_parity, two.strong_parity) == (4 * comb(3598, 2), True, False)
    three = sl.puzzle("hex P(60,60)", holes=3).analyze()
    assert three.too_large
    assert three.families == ()
    assert (three.components, three.maximally_connected, three.connection_number) == (1, True, 3)
    flower = sl.puzzle("hex F(40)").analyze()
    assert (flower.components, flower.weak_parity, flower.strong_parity) == (2, True, True)
    with pytest.raises(sl.TooLarge):
        sl.puzzle("hex P(3000,1) gourds 1000").analyze()


# Gourds


@pytest.mark.parametrize("size", [3, 5, 7, 9])
def test_gourds_theorems_agree_on_every_polyhex(size: int) -> None:
    """Theorem 9 on all proper boards, and thesis 7.1: no board with a cut cell is connected."""
    said: Counter[str] = Counter()
    for board in polyhexes(size):
        found = analysed(board, "gourds", 1)
        assert found.disagreements == (), board.name
        said.update(check.name for check in found.theorems)
        if is_two_connected(board) and is_hole_free(board):
            assert found.components == 1
            assert found.families[0].group.name == f"C2 wr Sym({size // 2})"
        elif not is_two_connected(board) and size > 3:
            assert not found.maximally_connected
    proper = {3: 1, 5: 1, 7: 4, 9: 16}[size]
    assert said["Gourds, Theorem 9"] == 2 * proper
    assert said["Thesis, section 7.1 (1-connected)"] > 0 or size == 3


@pytest.mark.parametrize("size", [3, 5, 7])
def test_sharp_gourds_theorems_agree_on_every_polyhex(size: int) -> None:
    for board in polyhexes(size):
        found = analysed(board, "gourds-sharp", 1)
        assert found.disagreements == (), board.name
        assert bool(found.theorems) == (size == 3 and is_two_connected(board))


@pytest.mark.parametrize("text", ["R(3,1)", "R(3,3)", "R(5,3)", "R(3,5)", "R(7,1)", "R(5,1)"])
def test_gourds_on_squares_never_connect(text: str) -> None:
    puzzle = sl.puzzle(f"square {text}", "gourds")
    found = puzzle.analyze(connection=False)
    assert [check.name for check in found.theorems] == ["Gourds, section 1 (squares)"]
    assert found.disagreements == ()
    assert not found.maximally_connected


def test_predictions_are_asked_only_where_they_apply() -> None:
    assert list(predictions(sl.puzzle("hex F(2) gourds 3"))) == []
    assert list(predictions(sl.puzzle("theta(1,2,2) gourds 1"))) == []
    assert list(predictions(sl.puzzle("hex P(2,2) trimers 1"))) == []
    assert list(predictions(sl.puzzle("king R(3,3) hextiles 2"))) == []
    assert [p.quantity for p in predictions(sl.puzzle("hex star"))] == ["weak parity"]


def test_one_more_set_is_singular() -> None:
    from slidelab.reach.report import _exchanges

    assert _exchanges(sl.puzzle("hex F(2)").analyze().families[0], limit=0).endswith("| and 1 more set")
