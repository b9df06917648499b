"""Families of boards: sizes, shapes, names, and recognising them however they lie."""

import math

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boards.strategies import hex_boards
from proper import canonical
from slidelab.boards import (
    Board,
    board,
    complete,
    congruent_families,
    congruent_family,
    cycle,
    eight,
    fifteen,
    flower,
    from_edges,
    from_networkx,
    hex_board,
    king_rectangle,
    parallelogram,
    path,
    rectangle,
    star,
    theta,
    theta0,
    triangle,
    trim,
    trimmed_parallelogram,
    trimmed_triangle,
)
from slidelab.errors import NotationError

MEMBERS = [
    *(("P", (a, b)) for a in range(1, 6) for b in range(a, 6)),
    *(("T", (m,)) for m in range(1, 7)),
    *(("F", (m,)) for m in range(1, 5)),
    ("star", ()),
    *(("Ptr", (a, b)) for a in range(2, 6) for b in range(a, 6)),
    *(("Ttr", (m,)) for m in range(3, 8)),
]


def member(family: tuple[str, tuple[int, ...]]) -> Board:
    letter, numbers = family
    return board(f"hex {letter}({','.join(map(str, numbers))})" if numbers else f"hex {letter}")


def turned(cells: list[tuple[int, int]], turn: int) -> list[tuple[int, int]]:
    """Rotate by 60 degrees `turn` times in cube coordinates; reflect too from 6 on."""
    result = []
    for q, r in cells:
        cube = (q, r, -q - r)
        for _ in range(turn % 6):
            cube = (-cube[2], -cube[0], -cube[1])
        result.append((cube[0], cube[1]) if turn < 6 else (cube[0], cube[2]))
    return result


def test_sizes() -> None:
    assert [len(flower(m)) for m in range(1, 5)] == [1, 7, 19, 37]
    assert [len(triangle(m)) for m in range(1, 5)] == [1, 3, 6, 10]
    assert (len(parallelogram(3, 4)), len(parallelogram(4))) == (12, 16)
    assert (len(trimmed_parallelogram(3, 4)), len(trimmed_triangle(5)), len(star())) == (10, 12, 13)
    assert (len(fifteen()), len(eight()), len(rectangle(3)), len(king_rectangle(3, 4))) == (16, 9, 9, 12)


def test_edge_counts() -> None:
    # Each count by hand: rows, and the two slanted directions, or rows, columns and two diagonals.
    assert len(parallelogram(3, 4).edges) == 2 * 4 + 3 * 3 + 2 * 3
    assert len(triangle(4).edges) == 3 * (1 + 2 + 3)
    assert len(flower(2).edges) == 12
    assert len(star().edges) == 12 + 6 * 2
    assert len(rectangle(4, 3).edges) == 3 * 3 + 4 * 2
    assert len(king_rectangle(4, 3).edges) == 3 * 3 + 4 * 2 + 2 * 3 * 2


def test_drawings_of_the_families() -> None:
    assert str(triangle(3)) == "hex\n  #\n # #\n# # #"
    assert str(flower(2)) == "hex\n # #\n# # #\n # #"
    assert str(star()) == "hex\n   #\n# # # #\n # # #\n# # # #\n   #"


@pytest.mark.parametrize(("columns", "rows"), [(a, b) for a in range(1, 6) for b in range(1, 6)])
def test_trimmed_parallelograms_are_trimmed_once(columns: int, rows: int) -> None:
    assert trimmed_parallelogram(columns, rows) == trim(parallelogram(columns, rows))


@pytest.mark.parametrize("side", [1, 3, 4, 5, 6])
def test_trimmed_triangles_are_trimmed_once(side: int) -> None:
    assert trimmed_triangle(side) == trim(triangle(side))


def test_nothing_remains_of_t2() -> None:
    with pytest.raises(NotationError, match="tight corners"):
        board("hex Ttr(2)")


@pytest.mark.parametrize("family", MEMBERS)
def test_congruent_family_however_it_lies(family: tuple[str, tuple[int, ...]]) -> None:
    original = member(family)
    expected = [other for other in MEMBERS if canonical(member(other).cells) == canonical(original.cells)]
    assert family in expected
    for turn in range(12):
        moved = hex_board((q + 3 * turn - 11, r - 5) for q, r in turned(list(original.cells), turn))
        assert set(expected) <= set(congruent_families(moved))
        assert congruent_family(moved) == congruent_families(moved)[0] == congruent_family(original)
        assert all(canonical(member(f).cells) == canonical(moved.cells) for f in congruent_families(moved))


@given(hex_boards)
def test_congruent_family_of_any_board(b: Board) -> None:
    named = congruent_families(b)
    expected = {family for family in MEMBERS if canonical(member(family).cells) == canonical(b.cells)}
    assert expected <= set(named)
    assert all(canonical(member(family).cells) == canonical(b.cells) for family in named)


def test_no_family() -> None:
    almost = hex_board(cell for cell in flower(3).cells if cell != (0, 0))
    assert congruent_family(almost) is None
    assert congruent_family(rectangle(3, 3)) is None
    assert congruent_family(hex_board([*parallelogram(3, 3).cells[:-1], (3, 0)])) is None


@pytest.mark.parametrize(
    "make", [parallelogram, triangle, flower, trimmed_triangle, rectangle, path, complete]
)
@pytest.mark.parametrize("number", [0, -1, True, 2.0, "3", None])
def test_bad_numbers(make: object, number: object) -> None:
    with pytest.raises(
        NotationError, match=r"^expected a whole number of at least 1, got .* - at number 1 of"
    ):
        make(number)  # type: ignore[operator]


# Graphs


@given(st.tuples(*[st.integers(0, 6)] * 3).filter(lambda t: t.count(0) < 2))
def test_theta_is_three_paths(lengths: tuple[int, int, int]) -> None:
    b = theta(*lengths)
    graph = b.to_networkx()
    last = b.size - 1
    paths = sorted(nx.all_simple_paths(graph, 0, last))
    assert sorted(len(p) - 2 for p in paths) == sorted(lengths)
    assert (b.size, len(b.edges)) == (sum(lengths) + 2, sum(lengths) + 3)
    # Interior vertices are numbered path by path in the order given, from end 0 to the other end.
    assert [v for p in paths for v in p[1:-1]] == list(range(1, last))
    kept = [n for n in lengths if n]
    assert [len(p) - 2 for p in paths if len(p) > 2] == kept
    assert board(b.name) == b
    assert len(set(b.positions)) == b.size
    assert min(math.dist(b.positions[u], b.positions[v]) for u, v in b.edges) > 0.3


def test_theta0() -> None:
    assert theta0().name == "theta(1,2,2)"
    assert theta(2, 0, 3).name == "theta(0,2,3)"


@pytest.mark.parametrize("lengths", [(0, 0, 1), (0, 0, 0), (-1, 2, 2), (1, True, 2)])
def test_bad_theta(lengths: tuple[int, int, int]) -> None:
    with pytest.raises(NotationError):
        theta(*lengths)


def test_cycles_paths_complete_graphs() -> None:
    assert nx.is_isomorphic(cycle(7).to_networkx(), nx.cycle_graph(7))
    assert nx.is_isomorphic(path(6).to_networkx(), nx.path_graph(6))
    assert nx.is_isomorphic(complete(5).to_networkx(), nx.complete_graph(5))
    assert [cycle(3).name, path(2).name, complete(2).name, complete(4).name] == [
        "cycle(3)",
        "path(2)",
        "path(2)",
        "complete(4)",
    ]
    with pytest.raises(NotationError, match="at least 3, got 2"):
        cycle(2)


def test_vertices_on_a_circle_are_one_apart() -> None:
    b = cycle(9)
    assert all(math.dist(b.positions[u], b.positions[v]) == pytest.approx(1, abs=1e-4) for u, v in b.edges)


def test_from_edges() -> None:
    b = from_edges([(7, 2), (2, 2), (2, 7), (7, 9)])
    assert (b.size, b.edges) == (3, ((0, 1), (1, 2)))
    assert from_edges([], [5, 3]).name == "graph 0 1"
    assert from_edges([(3, 5)], [4, 3, 5]).edges == ((0, 2),)
    assert from_edges([(0, 0)]).size == 1


@pytest.mark.parametrize(
    ("pairs", "vertices"),
    [([], None), ([(0, 1)], 1), ([(0, 1, 2)], None), ([4], None), ([(0, -1)], None), ([(0, 1.0)], None)]
    + [([(0, True)], None), ([(0, 1)], [0, 2]), ([], 0), ([], -3), ([], []), ([(0, "1")], None)],
)
def test_bad_edges(pairs: list[object], vertices: object) -> None:
    with pytest.raises(NotationError, match=r"^expected .*got .* - at "):
        from_edges(pairs, vertices)  # type: ignore[arg-type]


@pytest.mark.parametrize("positions", [[(0, 0)], [(0, 0), (1,)], [(0, 0), 3], [(0, 0), (0, math.inf)]])
def test_bad_positions(positions: list[object]) -> None:
    with pytest.raises(NotationError, match="position"):
        from_edges([(0, 1)], positions=positions)  # type: ignore[arg-type]


def test_from_networkx() -> None:
    graph = nx.Graph([(9, 4), (4, 4), (4, 6)])
    assert from_networkx(graph).edges == ((0, 1), (0, 2))
    assert from_networkx(nx.MultiDiGraph([(0, 1), (1, 0), (1, 2), (2, 1)])).name == "path(3)"
    with pytest.raises(NotationError, match="expected edges in both directions, got only 1 -> 2"):
        from_networkx(nx.DiGraph([(0, 1), (1, 0), (1, 2)]))
    named = nx.Graph([("b", "a"), ("a", "c")])
    assert from_networkx(named).edges == ((0, 1), (1, 2))
    for node in named:
        named.nodes[node]["pos"] = (ord(node), 0)
    assert from_networkx(named).positions == ((98.0, 0.0), (97.0, 0.0), (99.0, 0.0))
    assert nx.is_isomorphic(from_networkx(nx.petersen_graph()).to_networkx(), nx.petersen_graph())
    with pytest.raises(NotationError, match="at least one vertex"):
        from_networkx(nx.Graph())
