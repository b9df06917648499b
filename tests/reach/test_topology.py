"""Betti numbers against full boundary matrices, closed formulas and published spaces."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, factorial, gcd, prod

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plain
import slidelab as sl
from commands import Run, one_line, refused
from reach.plain_complex import (
    LARGE_PRIME,
    all_cells,
    betti_numbers,
    boundary,
    boundary_of_chain,
    component_edges,
    puzzle_edges,
)
from reach.twins import twins
from slidelab.errors import NotationError, TooLarge
from slidelab.reach.coloured_components import coloured_arrangements
from slidelab.reach.topology.smith import invariant_factors
from slidelab.rules.tiles import Tiles

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def alternating(numbers: tuple[int, ...]) -> int:
    return sum(-n if k % 2 else n for k, n in enumerate(numbers))


def without_zeros(numbers: tuple[int, ...]) -> tuple[int, ...]:
    end = max((k for k, n in enumerate(numbers) if n), default=-1)
    return numbers[: end + 1]


def assert_consistent(found: sl.Topology) -> None:
    """Check what holds of every complex, without computing anything else."""
    rational, binary = found.betti(), found.betti(2)
    assert alternating(found.cells) == found.euler == alternating(rational) == alternating(binary)
    assert (*rational, 0)[0] == found.components
    for part in found.parts:
        assert all(c >= b for c, b in zip(part.critical, part.betti(2) or (), strict=True))
        assert alternating(part.critical) == part.euler
    analysis = found.puzzle.analyze(connection=False)
    sizes: Counter[int] = Counter()
    for family in analysis.families:
        sizes[family.size] += family.components
    for part in found.parts:
        sizes[part.cells[0]] -= part.count
    assert not any(sizes.values())


@pytest.mark.parametrize("rule", plain.RULES)
@given(data=st.data())
@settings(max_examples=6, deadline=None, suppress_health_check=QUIET)
def test_betti_numbers_are_those_of_the_full_matrices(rule: str, data: st.DataObject) -> None:
    made = data.draw(twins((rule,), most=250))
    cells = all_cells(puzzle_edges(made.plain))
    found = made.puzzle.topology()
    assert found.cells == tuple(map(len, cells))
    assert without_zeros(found.betti()) == without_zeros(betti_numbers(cells))
    assert without_zeros(found.betti(2)) == without_zeros(betti_numbers(cells, 2))
    assert_consistent(found)


SMALL = [
    ("hex F(2)", "hextiles", 3, plain.hex_board(plain.flower_cells(2))),
    ("hex F(2)", "hextiles", 4, plain.hex_board(plain.flower_cells(2))),
    ("hex T(3)", "hextiles", 4, plain.hex_board(plain.triangle_cells(3))),
    ("hex P(3,2)", "gourds", 2, plain.hex_board(plain.rectangle_cells(3, 2))),
    ("square R(3,2)", "tiles", 3, plain.square_board(plain.rectangle_cells(3, 2))),
]


@pytest.mark.parametrize(("board", "rule", "holes", "cells"), SMALL)
def test_named_boards_both_ways(board: str, rule: str, holes: int, cells: plain.Board) -> None:
    graph = puzzle_edges(plain.Plain.on(cells, rule, holes))
    complex_ = all_cells(graph)
    found = sl.puzzle(board, rule, holes=holes).topology()
    assert found.cells == tuple(map(len, complex_))
    assert found.betti() == betti_numbers(complex_, LARGE_PRIME)
    assert found.betti(2) == betti_numbers(complex_, 2)
    assert found.betti(3) == betti_numbers(complex_, 3)


HARD = [
    ("hex F(2)", "hextiles", 5, plain.hex_board(plain.flower_cells(2))),
    ("hex T(3)", "hextiles", 3, plain.hex_board(plain.triangle_cells(3))),
    ("square R(3,2)", "tiles", 3, plain.square_board(plain.rectangle_cells(3, 2))),
    ("square R(3,3)", "tiles", 7, plain.square_board(plain.rectangle_cells(3, 3))),
]


def polygons_of(rule: str, cells: plain.Board) -> list[tuple[plain.Piece, ...]]:
    """Return what a hard piece fills by itself: triangles of hexagons, blocks of four squares."""
    n, adjacent, coords, _ = cells
    if rule == "hextiles":
        return [
            ((a,), (b,), (c,))
            for a, b, c in combinations(range(n), 3)
            if b in adjacent[a] and c in adjacent[a] and c in adjacent[b]
        ]
    at = {place: cell for cell, place in enumerate(coords or [])}
    corners = [[(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in at]
    return [tuple((at[c],) for c in four) for four in corners if all(c in at for c in four)]


@pytest.mark.parametrize(("board", "rule", "holes", "cells"), HARD)
def test_hard_pieces_both_ways(board: str, rule: str, holes: int, cells: plain.Board) -> None:
    graph = puzzle_edges(plain.Plain.on(cells, rule, holes))
    complex_ = all_cells(graph, polygons_of(rule, cells))
    found = sl.puzzle(board, rule, holes=holes).topology(model="hard")
    assert found.cells == tuple(map(len, complex_))
    assert found.betti() == betti_numbers(complex_)
    assert found.betti(2) == betti_numbers(complex_, 2)


@pytest.mark.parametrize(("rows", "holes", "loops"), [(4, 4, 1), (5, 4, 6), (5, 5, 1)])
def test_a_component_of_tiles_that_cannot_pass(rows: int, holes: int, loops: int) -> None:
    """On P(2,n) tiles keep their order, and still go round some loops that nothing fills."""
    puzzle = plain.Plain.on(plain.hex_board(plain.rectangle_cells(2, rows)), "hextiles", holes)
    pieces = puzzle.piece_count
    graph = component_edges(puzzle, (0,) * holes + tuple(range(1, pieces + 1)))
    complex_ = all_cells(graph, polygons_of("hextiles", plain.hex_board(plain.rectangle_cells(2, rows))))
    (part,) = sl.puzzle(f"hex P(2,{rows})", holes=holes).topology(model="hard").parts
    assert (part.count, part.cells) == (factorial(pieces), tuple(map(len, complex_)))
    assert part.betti() == part.betti(2) == betti_numbers(complex_) == betti_numbers(complex_, 2)
    assert without_zeros(part.betti() or ()) == (1, loops)


def test_hard_hexagons_that_are_no_graph_before_they_are_connected() -> None:
    """The smallest P(2,n) on which they are not: 5,040 components, each with a hollow surface."""
    puzzle = sl.puzzle("hex P(2,7)", holes=7)
    analysis = puzzle.analyze(connection=False)
    assert (analysis.components, analysis.group.order) == (factorial(7), 1)
    assert without_zeros(puzzle.topology(model="hard", unlabelled=True).betti()) == (1, 0, 1)
    assert without_zeros(puzzle.topology(model="hard").betti()) == (5040, 0, 5040)
    for holes in range(2, 12):
        smaller = sl.puzzle("hex P(2,6)", holes=holes).topology(model="hard", unlabelled=True)
        assert not any(smaller.betti()[2:])


@pytest.mark.parametrize(("rule", "holes"), [("tiles", 3), ("hextiles", 4), ("gourds", 3)])
def test_the_plain_boundary_of_a_boundary_is_zero(rule: str, holes: int) -> None:
    cells = all_cells(puzzle_edges(plain.Plain.on(plain.hex_board(plain.flower_cells(2)), rule, holes)))
    assert len(cells) > 2
    for row in cells[2:]:
        for cell in row:
            assert boundary_of_chain(boundary(cell)) == {}


# Known spaces


@pytest.mark.parametrize("board", ["theta(1,2,2)", "square R(3,3)", "cycle(6)", "complete(4)", "hex F(2)"])
def test_one_hole_is_a_graph(board: str) -> None:
    puzzle = sl.puzzle(board, "tiles", holes=1)
    found = puzzle.topology()
    edges = factorial(puzzle.piece_count) * len(puzzle.board.edges)
    vertices = factorial(puzzle.board.size)
    assert found.cells == (vertices, edges)
    assert found.betti() == (found.components, edges - vertices + found.components)


@pytest.mark.parametrize(("cells", "points"), [(4, 2), (5, 3), (6, 4), (7, 3)])
def test_points_on_a_cycle_are_circles(cells: int, points: int) -> None:
    found = sl.puzzle(f"cycle({cells})", holes=cells - points).topology()
    assert without_zeros(found.betti()) == (factorial(points - 1), factorial(points - 1))
    alike = sl.puzzle(f"cycle({cells})", holes=cells - points).topology(unlabelled=True)
    assert without_zeros(alike.betti()) == (1, 1)


def star(legs: int, length: int) -> str:
    edges = []
    for leg in range(legs):
        path = [0, *range(1 + leg * length, 1 + (leg + 1) * length)]
        edges += [f"{a}-{b}" for a, b in pairwise(path)]
    return "graph " + " ".join(edges)


@pytest.mark.parametrize(("legs", "points"), [(3, 2), (4, 2), (5, 2), (3, 3)])
def test_points_on_a_star(legs: int, points: int) -> None:
    """The space is a graph up to homotopy; its number of loops is a formula of Ghrist's."""
    puzzle = sl.puzzle(star(legs, points), holes=1 + legs * points - points)
    loops = 1 + (points * legs - 2 * points - legs + 1) * factorial(points + legs - 2) // factorial(legs - 1)
    assert without_zeros(puzzle.topology().betti()) == (1, loops)


@pytest.mark.parametrize(
    ("board", "points", "betti"),
    [
        ("complete(4)", 2, (1, 7, 0)),
        ("complete(5)", 2, (1, 12, 1)),
        ("graph " + " ".join(f"{a}-{b}" for a in range(3) for b in range(3, 6)), 2, (1, 8, 1)),
    ],
)
def test_two_points_on_a_graph(board: str, points: int, betti: tuple[int, ...]) -> None:
    """On K5 and K3,3 they form closed orientable surfaces of genus 6 and 4 (Abrams)."""
    puzzle = sl.puzzle(board, holes=sl.board(board).size - points)
    found = puzzle.topology()
    assert found.betti() == found.betti(2) == found.betti(3) == betti
    assert not any(found.torsion)
    if betti[2]:  # without labels the surface is divided by an involution, and not orientable any more
        alike = puzzle.topology(unlabelled=True)
        assert alike.euler * 2 == found.euler
        assert alike.betti() == (1, 1 - alike.euler, 0)
        assert alike.betti(2) == (1, 2 - alike.euler, 1)
        assert alike.torsion == ((), (2,), ())


@pytest.mark.parametrize(("board", "points"), [("theta(3,3,3)", 3), ("theta(2,3,3)", 2), ("cycle(9)", 4)])
def test_euler_characteristics_are_those_of_gal(board: str, points: int) -> None:
    """The series of chi / n! is the product of 1 + (1 - degree) t over vertices, over (1 - t) ** edges."""
    puzzle = sl.puzzle(board, "tiles", holes=sl.board(board).size - points)
    series = [Fraction(1)] + [Fraction(0)] * points
    for around in puzzle.board.neighbours:
        for n in range(points, 0, -1):
            series[n] += (1 - len(around)) * series[n - 1]
    edges = len(puzzle.board.edges)
    quotient = [comb(edges + n - 1, n) for n in range(points + 1)]
    coefficient = sum(series[n] * quotient[points - n] for n in range(points + 1))
    assert puzzle.topology(unlabelled=True).euler == coefficient
    assert puzzle.topology().euler == coefficient * factorial(points)


@pytest.mark.parametrize(
    ("board", "pieces", "betti"),
    [
        ("square R(3,3)", 1, (1,)),
        ("square R(2,2)", 2, (1, 1)),
        ("square R(2,2)", 3, (2, 2)),
        ("square R(3,3)", 2, (1, 1)),
        ("square R(3,3)", 3, (1, 3, 2)),
        ("hex F(2)", 1, (1,)),
        ("hex F(2)", 2, (1, 1)),
        ("hex P(4,4)", 2, (1, 1)),
    ],
)
def test_few_hard_pieces_on_a_large_board_are_points_in_the_plane(
    board: str, pieces: int, betti: tuple[int, ...]
) -> None:
    """The Poincare polynomial of n points in the plane is (1 + t)(1 + 2t) ... (1 + (n - 1) t)."""
    found = sl.puzzle(board, holes=sl.board(board).size - pieces).topology(model="hard")
    assert without_zeros(found.betti()) == betti
    assert not any(found.torsion)


# Invariance


@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=QUIET)
def test_renumbering_the_cells_changes_nothing(data: st.DataObject) -> None:
    made = data.draw(twins(("tiles", "hextiles", "gourds"), most=2000))
    board = made.puzzle.board
    order = data.draw(st.permutations(range(board.size)))
    edges = [f"{order[a]}-{order[b]}" for a, b in board.edges]
    text = f"graph {' '.join(map(str, range(board.size)))} {' '.join(edges)}"
    same = sl.puzzle(text, made.puzzle.rule.name, holes=made.puzzle.hole_count).topology()
    found = made.puzzle.topology()
    assert (same.cells, same.isolated, same.components) == (found.cells, found.isolated, found.components)
    assert same.betti() == found.betti()
    assert same.torsion == found.torsion
    assert_consistent(same)


def test_symmetric_boards() -> None:
    puzzle = sl.puzzle("square 0,0 1,0 2,0 0,1 1,1 0,2", holes=3)
    mirrored = sl.puzzle("square 0,0 1,0 2,0 1,1 2,1 2,2", holes=3)
    for model in ("moves", "hard"):
        a, b = puzzle.topology(model=model), mirrored.topology(model=model)
        assert (a.cells, a.betti(), a.torsion) == (b.cells, b.betti(), b.torsion)


@pytest.mark.parametrize(
    ("board", "rule", "holes", "colours"),
    [
        ("square R(3,2)", "tiles", 2, ["a", "a", "b", "b"]),
        ("hex F(2)", "hextiles", 3, ["a", "a", "a", "b"]),
        ("complete(5)", "tiles", 2, ["a", "b", "b"]),
        ("hex T(3)", "gourds", 2, [["a", "a"], ["a", "b"]]),
        ("path(4)", "tiles", 2, ["a", "b"]),
    ],
)
def test_colours(board: str, rule: str, holes: int, colours: list[str] | list[list[str]]) -> None:
    puzzle = sl.puzzle(board, rule, holes=holes, colours=colours)
    found, alike = puzzle.topology(), puzzle.topology(unlabelled=True)
    assert found.components == puzzle.analyze(connection=False).components
    assert found.euler == alike.euler * coloured_arrangements(puzzle)
    assert alternating(found.betti()) == alternating(found.betti(2)) == found.euler
    one = [colours[0]] * len(colours)
    if rule == "tiles":  # all alike: the shapes
        assert sl.puzzle(board, rule, holes=holes, colours=one).topology().betti() == alike.betti()


# Smith normal forms


@given(st.lists(st.lists(st.integers(-6, 6), min_size=3, max_size=3), min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_invariant_factors_by_minors(rows: list[list[int]]) -> None:
    """The product of the first k factors is the greatest common divisor of all minors of size k."""

    def determinant(matrix: list[list[int]]) -> int:
        if not matrix:
            return 1
        return sum(
            (-1) ** j * matrix[0][j] * determinant([row[:j] + row[j + 1 :] for row in matrix[1:]])
            for j in range(len(matrix))
        )

    factors = invariant_factors([list(enumerate(row)) for row in rows])
    for k in range(1, min(len(rows), 3) + 1):
        minors = [
            determinant([[rows[i][j] for j in js] for i in chosen])
            for chosen in combinations(range(len(rows)), k)
            for js in combinations(range(3), k)
        ]
        assert gcd(*minors) == (prod(factors[:k]) if k <= len(factors) else 0)
    assert all(b % a == 0 for a, b in pairwise(factors))


# Limits, text and JSON


def test_limits() -> None:
    with pytest.raises(NotationError, match="whose motion is known"):
        sl.puzzle("complete(4)").topology(model="hard")
    with pytest.raises(NotationError, match="expected one of moves, hard as the model, got 'soft'"):
        sl.puzzle("square R(2,2)").topology(model="soft")  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="0 or a prime"):
        sl.puzzle("square R(2,2)").topology().betti(4)
    with pytest.raises(TooLarge, match="256"):
        sl.puzzle("square R(20,20)").topology()


def test_what_is_found_within_little_memory() -> None:
    puzzle = sl.puzzle("square R(4,4)", holes=2)
    found = puzzle.topology(memory="1M")
    assert found.reason is not None
    assert "arrangements" in found.reason
    assert found.euler == alternating(found.cells)
    assert found.cells[0] == comb(16, 2) * factorial(14)
    with pytest.raises(TooLarge, match="Betti numbers are not known"):
        found.betti()
    assert found.to_json()["betti"] is None
    assert "not found" in str(found)


def test_the_command(run: Run) -> None:
    text = run("topology", "hex F(2)", "--holes", "3")
    assert text.code == 0
    assert "6 of 132 configurations each, all isomorphic" in text.out
    table = run("topology", "hex F(2)", "--holes", "2-4")
    assert [line.split()[4] for line in table.out.splitlines()[1:]] == ["1", "2", "3"]
    value = run("topology", "complete(5)", "--holes", "3", "--json").json
    assert value["betti"] == [1, 12, 1]
    assert alternating(tuple(value["parts"][0]["critical"])) == value["euler"] == -10
    alike = run("topology", "complete(5)", "--holes", "3", "--unlabelled", "--json").json
    assert alike["betti"] == [1, 6, 0]
    assert alike["betti_mod_2"] == [1, 7, 1]
    assert run("topology", "square R(3,3)", "--holes", "7", "--model", "hard", "--csv").code in (0, 2)
    refused(run("topology", "complete(4)", "--model", "hard"), "whose motion is known")
    refused(run("topology", "square R(2,2)", "--model", "soft"), "soft")
    one_line(run("topology", "square R(20,20)"), 3, "256")
    assert run("topology", "square R(4,4)", "--holes", "2", "--memory", "1M").code == 3


def test_large_negative_numbers_are_printed(run: Run) -> None:
    """Of 24 tiles with one hole 25! configurations and, at 40 pairs of cells, 24! moves each."""
    euler = factorial(25) - 40 * factorial(24)
    result = run("topology", "square R(5,5)", "--csv")
    assert result.code == 0
    table = dict(line.split(",", 1) for line in result.out.split("\n\n")[0].splitlines())
    assert table["Euler characteristic"] == f"-{-euler:.1e}".replace("+", "")
    assert float(table["Euler characteristic"]) < 0


class Jumping(Tiles):
    """Tiles whose polygons are wrong: a block of squares in the wrong order."""

    name = "jumping-tiles"

    def swept_polygons(self, board: sl.Board) -> tuple[tuple[tuple[int, ...], ...], ...] | None:
        return (((0,), (3,), (1,), (2,)),)


def test_polygons_of_foreign_rules_are_checked() -> None:
    puzzle = sl.puzzle("square R(2,2)", Jumping(), holes=3)
    assert puzzle.topology().betti() == (1, 1)
    with pytest.raises(sl.PuzzleError, match="expected closed walks from `swept_polygons` of jumping-tiles"):
        puzzle.topology(model="hard")


def test_time_and_progress(run: Run) -> None:
    phases: list[str] = []
    puzzle = sl.puzzle("square R(4,3)", holes=5)
    found = puzzle.topology(unlabelled=True, progress=lambda phase, done, total: phases.append(phase))
    assert found.reason is None

    def stop(phase: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sl.puzzle("square R(4,4)", holes=9).topology(progress=stop)
    result = run("topology", "square R(4,4)", "--holes", "8", "--time", "0.000001")
    assert result.code == 3


def test_numbers_of_the_report_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from slidelab import _core

    def refuse(*arguments: object) -> None:
        raise _core.LimitReached("the matrix has 2303280 rows and 400 columns")

    monkeypatch.setattr("slidelab.reach.topology.compute._check_size", refuse)
    assert "2,303,280 rows and 400 columns" in str(sl.puzzle("square R(3,3)", holes=3).topology())


def test_one_isolated_configuration_is_singular() -> None:
    isolated = dataclasses.replace(sl.puzzle("square R(2,2)").topology(), isolated=1)
    assert "isolated              1 configuration\n" in str(isolated)
