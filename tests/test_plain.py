"""The plain oracle against facts that are published or easy to check by hand."""

from collections import Counter

import pytest

from plain import (
    Board,
    Plain,
    flower_cells,
    graph_board,
    hex_board,
    king_board,
    rectangle_cells,
    square_board,
    theta_graph,
    triangle_cells,
)

T2 = hex_board(triangle_cells(2))
T3 = hex_board(triangle_cells(3))
F2 = hex_board(flower_cells(2))
P33 = hex_board(rectangle_cells(3, 3))
THETA0 = theta_graph(1, 2, 2)
R22 = square_board(rectangle_cells(2, 2))
R23 = square_board(rectangle_cells(2, 3))
R33 = square_board(rectangle_cells(3, 3))
R41 = square_board(rectangle_cells(4, 1))
K22 = king_board(rectangle_cells(2, 2))
C4 = graph_board(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
K4 = graph_board(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])

# board, rule, holes, shapes, isolated shapes, families (shapes, components, size)
FACTS = [
    # published
    (T3, "hextiles", 2, 15, 6, [(9, 24, 9)]),
    (T3, "hextiles", 3, 20, 1, [(19, 6, 19)]),
    (F2, "hextiles", 2, 21, 9, [(12, 24, 60)]),
    (F2, "hextiles", 4, 35, 0, [(35, 1, 210)]),
    (THETA0, "tiles", 1, 7, 0, [(7, 6, 840)]),
    (R22, "tiles", 1, 4, 0, [(4, 2, 12)]),
    (F2, "gourds", 1, 20, 0, [(20, 1, 960)]),
    (T2, "gourds", 1, 3, 0, [(3, 1, 6)]),
    (T2, "gourds-sharp", 1, 3, 0, [(3, 2, 3)]),
    # by hand: tiles
    (K22, "tiles", 1, 4, 0, [(4, 1, 24)]),
    (R23, "tiles", 1, 6, 0, [(6, 2, 360)]),
    (R22, "hextiles", 2, 6, 6, []),
    (K22, "hextiles", 2, 6, 0, [(6, 1, 12)]),
    # one gourd on a row of four, or on a cycle of four: it never turns round
    (R41, "gourds", 2, 3, 0, [(3, 2, 3)]),
    (R41, "gourds-sharp", 2, 3, 0, [(3, 2, 3)]),
    (C4, "gourds", 2, 4, 0, [(4, 2, 4)]),
    # flexible trimers: a row, a triangle without holes, a cycle, the complete graph
    (R41, "trimers", 1, 2, 0, [(2, 2, 2)]),
    (T2, "trimers", 0, 3, 3, []),
    (C4, "trimers", 1, 4, 0, [(4, 2, 4)]),
    (K4, "trimers", 1, 12, 0, [(12, 1, 24)]),
    # rigid trimers
    (R41, "trimers-straight", 1, 2, 0, [(2, 2, 2)]),
    (R22, "trimers-bent", 1, 4, 4, []),
    (R33, "trimers-straight", 6, 6, 0, [(6, 1, 12)]),
    (F2, "trimers-straight", 4, 3, 0, [(3, 1, 6)]),
    (F2, "trimers-bent", 4, 12, 0, [(12, 1, 12)]),
    (F2, "trimers-triangle", 4, 6, 0, [(6, 1, 18)]),
    (T2, "trimers-triangle", 0, 1, 1, []),
]


@pytest.mark.parametrize(("board", "rule", "holes", "shapes", "isolated", "families"), FACTS)
def test_summary(
    board: Board, rule: str, holes: int, shapes: int, isolated: int, families: list[tuple[int, int, int]]
) -> None:
    summary = Plain.on(board, rule, holes).summary()
    assert summary["shapes"] == shapes
    assert summary["isolated"] == isolated
    assert summary["families"] == families
    assert summary["components"] == sum(number for _, number, _ in families)
    expected: Counter[int] = Counter()
    for _, number, size in families:
        expected[size] += number
    assert summary["sizes"] == expected


@pytest.mark.parametrize(
    ("board", "rule", "holes", "gods_number"),
    [
        (F2, "hextiles", 2, 16),
        (F2, "hextiles", 3, 13),
        (F2, "hextiles", 4, 8),
        (T3, "hextiles", 2, 3),
        (T3, "hextiles", 3, 4),
        (T3, "hextiles", 4, 6),
        (THETA0, "tiles", 1, 29),
    ],
)
def test_gods_number(board: Board, rule: str, holes: int, gods_number: int) -> None:
    assert Plain.on(board, rule, holes).gods_number() == gods_number


def test_five_puzzle_distances() -> None:
    # OEIS A090034: 2x3, hole in a corner.
    layers = Plain.on(R23, "tiles", 1).distance_layers((1, 2, 3, 4, 5, 0))
    published = [1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1]
    assert [len(layer) for layer in layers] == published


@pytest.mark.parametrize(
    ("board", "rule", "holes"),
    [
        (F2, "hextiles", 3),
        (F2, "gourds", 1),
        (F2, "gourds", 3),
        (F2, "gourds-sharp", 1),
        (K22, "gourds-sharp", 2),
        (F2, "trimers", 1),
        (F2, "trimers", 4),
        (R33, "trimers", 3),
        (F2, "trimers-bent", 1),
        (R33, "trimers-bent", 3),
        (R33, "trimers-straight", 3),
        (P33, "trimers-straight", 3),
        (P33, "trimers-bent", 3),
        (P33, "trimers-triangle", 3),
    ],
)
def test_moves_are_legal_and_can_be_taken_back(board: Board, rule: str, holes: int) -> None:
    puzzle = Plain.on(board, rule, holes)
    everything = list(puzzle.all_configurations())
    legal = set(everything)
    assert legal
    assert len(legal) == len(everything)
    assert all(puzzle.is_legal(config) for config in everything)
    for config in everything:
        assert len(puzzle.hole_cells(config)) == holes
        for neighbour in puzzle.neighbours(config):
            assert neighbour in legal
            assert neighbour != config
            assert config in puzzle.neighbours(neighbour)


def test_boards() -> None:
    assert T2[1] == [{1, 2}, {0, 2}, {0, 1}]
    n, adjacency, coords, kind = F2
    assert (n, kind) == (7, "hex")
    assert coords == [(0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1)]
    assert adjacency[3] == {0, 1, 2, 4, 5, 6}
    assert sorted(map(len, adjacency)) == [3] * 6 + [6]
    assert (R33[2] or [])[:4] == [(0, 0), (1, 0), (2, 0), (0, 1)]
    assert R33[1][4] == {1, 3, 5, 7}
    assert king_board(rectangle_cells(3, 3))[1][4] == {0, 1, 2, 3, 5, 6, 7, 8}
    assert THETA0[0] == 7
    assert sum(map(len, THETA0[1])) == 2 * 8


def test_single_moves() -> None:
    # One gourd on a row of four slides; on a triangle it pivots or turns sharply.
    assert Plain.on(R41, "gourds", 2).neighbours(((1, 2),)) == {((2, 3),), ((0, 1),)}
    assert Plain.on(T2, "gourds", 1).neighbours(((0, 1),)) == {((0, 2),), ((2, 1),)}
    assert Plain.on(T2, "gourds-sharp", 1).neighbours(((0, 1),)) == {((1, 2),), ((2, 0),)}
    # A straight piece in the middle of F(2) turns about its middle, either way.
    assert Plain.on(F2, "trimers-straight", 4).neighbours(((2, 3, 4),)) == {
        ((0, 3, 6),),
        ((5, 3, 1),),
    }
    # The left-turning reading of a bent piece: right, then up.
    bent = Plain.on(R22, "trimers-bent", 1)
    assert bent.is_legal(((2, 3, 1),))
    assert not bent.is_legal(((1, 3, 2),))


@pytest.mark.parametrize(
    ("board", "rule", "holes", "message"),
    [
        (K22, "trimers-bent", 1, "hex or square"),
        (K4, "trimers-straight", 1, "hex or square"),
        (R33, "trimers-triangle", 3, "hex board"),
        (F2, "gourds", 2, "do not fit"),
        (F2, "marbles", 2, "unknown rule"),
    ],
)
def test_refusals(board: Board, rule: str, holes: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Plain.on(board, rule, holes)
