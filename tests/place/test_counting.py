"""Placements counted by Pfaffians against plain enumeration, which knows nothing of planes and signs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab import _core
from slidelab.boards import (
    Board,
    Cell,
    Edge,
    board,
    complete,
    cycle,
    flower,
    from_edges,
    from_networkx,
    hex_board,
    parallelogram,
    path,
    polyhexes,
    rectangle,
    square_board,
)
from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, PuzzleError, TooLarge
from slidelab.gains import count_shapes
from slidelab.place import counting, modular
from slidelab.place.counting import count_matchings, count_placements
from slidelab.place.kasteleyn import kasteleyn_orientation, rotation_system

Gourds = tuple[tuple[str, str], ...]


def matchings(place: Board, holes: int) -> Iterator[list[Edge]]:
    """Yield every matching that leaves out a number of cells, as a list of edges."""
    later = [[b for b in row if b > a] for a, row in enumerate(place.neighbours)]
    covered = [False] * place.size
    chosen: list[Edge] = []

    def settle(cell: int, left: int) -> Iterator[list[Edge]]:
        while cell < place.size and covered[cell]:
            cell += 1
        if cell == place.size:
            if left == 0:
                yield list(chosen)
            return
        if left:
            yield from settle(cell + 1, left - 1)
        for other in later[cell]:
            if not covered[other]:
                covered[other] = True
                chosen.append((cell, other))
                yield from settle(cell + 1, left)
                chosen.pop()
                covered[other] = False

    return settle(0, holes)


def pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def counts_by_gourds(place: Board, colours: Sequence[str], holes: int) -> Counter[Gourds]:
    """Return how many matchings there are with each multiset of pairs of colours."""
    return Counter(
        tuple(sorted(pair(colours[a], colours[b]) for a, b in edges)) for edges in matchings(place, holes)
    )


def two_coloured(reds: int, mixed: int, blues: int) -> list[tuple[str, str]]:
    return [("r", "r")] * reds + [("r", "b")] * mixed + [("b", "b")] * blues


def paint(place: Board, colours: str, rng: Random) -> list[str]:
    return [rng.choice(colours) for _ in range(place.size)]


def check_all(place: Board, colours: Sequence[str], holes: int) -> int:
    found = counts_by_gourds(place, colours, holes)
    for gourds, number in found.items():
        assert count_placements(place, colours, gourds) == number
    return sum(found.values())


@pytest.mark.parametrize("size", range(1, 10))
def test_all_hex_boards(size: int) -> None:
    rng = Random(size)
    for place in polyhexes(size):
        colours = paint(place, "rb", rng)
        found = counts_by_gourds(place, colours, size % 2)
        if size < 8:
            for gourds, number in found.items():
                assert count_placements(place, colours, gourds) == number
        elif found:
            gourds = rng.choice(list(found))
            assert count_placements(place, colours, gourds) == found[gourds]
        else:
            assert count_matchings(place, size % 2) == 0


@pytest.mark.parametrize("size", range(1, 8))
def test_shapes_of_all_hex_boards(size: int) -> None:
    for place in polyhexes(size):
        for holes in range(3):
            expected = sum(1 for _ in matchings(place, holes)) if (size - holes) % 2 == 0 else 0
            assert count_matchings(place, holes) == expected


RINGS = [
    hex_board([(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]),
    # A ring around a hole of two cells, with a tail.
    hex_board([*set(flower(3).cells) - {(0, 0), (1, 0)}, (3, 0)]),
    # A ring around a cell that touches nothing, and around two that touch each other.
    hex_board([c for c in flower(3).cells if max(abs(c[0]), abs(c[1]), abs(c[0] + c[1])) != 1]),
    square_board(
        [(x, y) for x in range(6) for y in range(5) if x in (0, 5) or y in (0, 4) or (x in (2, 3) and y == 2)]
    ),
    square_board([(x, y) for x in range(5) for y in range(5) if (x, y) not in ((1, 1), (3, 3), (1, 3))]),
    square_board([(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]),
]


@pytest.mark.parametrize("place", RINGS, ids=range(len(RINGS)))
@pytest.mark.parametrize("holes", [0, 1, 2, 3])
def test_boards_around_holes(place: Board, holes: int) -> None:
    rng = Random(holes)
    if (place.size - holes) % 2:
        assert count_matchings(place, holes) == 0
        return
    assert count_matchings(place, holes) == sum(1 for _ in matchings(place, holes))
    check_all(place, paint(place, "rb", rng), holes)


def random_cells(rng: Random, size: int) -> set[Cell]:
    """Return a random connected set of squares."""
    cells = {(0, 0)}
    while len(cells) < size:
        x, y = rng.choice(sorted(cells))
        cells.add(rng.choice([(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]))
    return cells


@pytest.mark.parametrize("colours", ["rb", "rbg", "rbgy", "rbgyo"])
def test_random_square_boards(colours: str) -> None:
    rng = Random(colours)
    for _ in range(40):
        place = square_board(random_cells(rng, rng.randint(4, 15)))
        check_all(place, paint(place, colours, rng), place.size % 2 + rng.choice([0, 0, 2]))


@pytest.mark.parametrize("colours", ["rb", "rbg", "rbgy", "rbgyo"])
def test_random_planar_graphs(colours: str) -> None:
    rng = Random(colours)
    checked = 0
    while checked < 40:
        size = rng.randint(2, 12)
        edges = rng.sample(list(combinations(range(size), 2)), min(comb(size, 2), rng.randint(1, 2 * size)))
        place = from_edges(edges, size)
        if nx.check_planarity(place.to_networkx())[0]:
            checked += 1
            check_all(place, paint(place, colours, rng), size % 2 + rng.choice([0, 0, 2]))


@pytest.mark.parametrize("graph", [nx.dodecahedral_graph(), nx.icosahedral_graph(), nx.octahedral_graph()])
def test_solids(graph: nx.Graph[int]) -> None:
    place = from_networkx(graph)
    for holes in (0, 2):
        assert check_all(place, paint(place, "rb", Random(1)), holes) == count_matchings(place, holes)


@pytest.mark.parametrize("colours", ["rb", "rbg", "rbgy"])
def test_flower(colours: str) -> None:
    place = flower(3)
    cells = paint(place, colours, Random(colours))
    found = counts_by_gourds(place, cells, 1)
    assert sum(found.values()) == 2288
    for gourds in sorted(found)[:60]:
        assert count_placements(place, cells, gourds) == found[gourds]


def test_every_gourd_different() -> None:
    place = flower(3)
    cells = [f"{cell}" for cell in range(19)]
    edges = next(matchings(place, 1))
    assert count_placements(place, cells, [(cells[a], cells[b]) for a, b in edges]) == 1
    halves = [f"{cell // 2}" for cell in range(19)]
    for gourds, number in list(counts_by_gourds(place, halves, 1).items())[:100]:
        assert count_placements(place, halves, gourds) == number


def test_many_colours_on_a_large_board() -> None:
    place = flower(8)
    edges = next(matchings(place, 1))
    cells = [""] * 169
    for number, (a, b) in enumerate(edges):
        cells[a], cells[b] = f"{number}", f"{number // 2}"
    cells[cells.index("")] = "hole"
    gourds = [(cells[a], cells[b]) for a, b in edges]
    assert count_placements(place, cells, gourds) >= 1
    cells = [f"{cell * cell % 23}" for cell in range(169)]
    gourds = [(cells[a], cells[b]) for a, b in edges]
    with pytest.raises(TooLarge):
        count_placements(place, cells, gourds)


@pytest.mark.parametrize(
    "name", ["hex F(3)", "hex P(5,4)", "hex T(6)", "hex star", "square R(5,5)", "hex P(7,5)"]
)
def test_shapes_of_gourds(name: str) -> None:
    place = board(name)
    assert count_matchings(place, 2 - place.size % 2) == count_shapes(
        sl.puzzle(f"{name} gourds {2 - place.size % 2}")
    )


# Domino tilings of squares (OEIS A004003) and of Aztec diamonds (Elkies, Kuperberg, Larsen and Propp, 1992).
@pytest.mark.parametrize(
    ("side", "tilings"),
    [(2, 2), (4, 36), (6, 6728), (8, 12988816), (10, 258584046368), (12, 53060477521960000)],
)
def test_dominoes(side: int, tilings: int) -> None:
    assert count_matchings(rectangle(side), holes=0) == tilings


@pytest.mark.parametrize("order", range(1, 13))
def test_aztec_diamonds(order: int) -> None:
    around = range(-order, order)
    cells = [(x, y) for x in around for y in around if abs(x + 0.5) + abs(y + 0.5) <= order]
    assert count_matchings(square_board(cells), holes=0) == 2 ** (order * (order + 1) // 2)


def test_corner_holes() -> None:
    # An odd square without a corner has as many tilings as the square of half its side has trees (Temperley).
    whole = rectangle(7)
    cells = ["hole"] + ["rest"] * 48
    laplacian = np.diag([float(len(row)) for row in rectangle(4).neighbours])
    for a, b in rectangle(4).edges:
        laplacian[a, b] = laplacian[b, a] = -1
    assert round(np.linalg.det(laplacian[1:, 1:])) == 100352
    assert count_placements(whole, cells, [("rest", "rest")] * 24) == 100352


def test_long_boards() -> None:
    assert count_matchings(path(2000), holes=0) == 1
    assert count_matchings(path(201)) == 101
    assert count_matchings(cycle(400), holes=0) == 2
    fibonacci = [1, 1]
    while len(fibonacci) <= 300:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert count_matchings(rectangle(300, 2), holes=0) == fibonacci[300]  # more than three primes


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_names_of_colours_and_order_do_not_matter(data: st.DataObject) -> None:
    rng = Random(data.draw(st.integers(0, 10**6)))
    place = hex_board(random_cells(rng, data.draw(st.integers(5, 13))))
    cells = paint(place, "abcd"[: data.draw(st.integers(1, 4))], rng)
    found = counts_by_gourds(place, cells, place.size % 2)
    if not found:
        return
    gourds = data.draw(st.sampled_from(sorted(found)))
    names = dict(zip("abcd", data.draw(st.permutations(["abcd", "x", "Zz", "b"])), strict=True))
    turned = [(names[b], names[a]) if rng.random() < 0.5 else (names[a], names[b]) for a, b in gourds]
    rng.shuffle(turned)
    assert count_placements(place, [names[c] for c in cells], turned) == found[gourds]


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_all_gourds_together_are_all_matchings(data: st.DataObject) -> None:
    rng = Random(data.draw(st.integers(0, 10**6)))
    place = hex_board(random_cells(rng, data.draw(st.integers(4, 24))))
    cells = paint(place, "rb", rng)
    holes = place.size % 2
    pieces = place.size // 2
    total = sum(
        count_placements(place, cells, two_coloured(r, m, pieces - r - m))
        for r in range(pieces + 1)
        for m in range(pieces + 1 - r)
    )
    assert total == count_matchings(place, holes)


def test_a_large_board_against_its_parts() -> None:
    # All gourds on F(5) with a hole of each colour sum to its matchings.
    place = flower(5)
    cells = paint(place, "rb", Random(5))
    red = cells.count("r")
    total = 0
    for missing in ((1, 0), (0, 1)):
        reds, blues = red - missing[0], 61 - red - missing[1]
        for mixed in range(reds % 2, min(reds, blues) + 1, 2):
            gourds = two_coloured((reds - mixed) // 2, mixed, (blues - mixed) // 2)
            total += count_placements(place, cells, gourds)
    assert total == count_matchings(place) == 44939297460


def by_mixed(place: Board, cells: Sequence[str]) -> dict[int, int]:
    """Return how many perfect matchings have each number of mixed edges, for narrow boards."""
    table = Counter({(0, 0): 1})  # cells covered from the present one on, and mixed edges so far
    for cell in range(place.size):
        after: Counter[Edge] = Counter()
        for (covered, mixed), number in table.items():
            if covered & 1:
                after[covered >> 1, mixed] += number
                continue
            for other in place.neighbours[cell]:
                if other > cell and not covered >> (other - cell) & 1:
                    key = (covered | 1 << (other - cell)) >> 1, mixed + (cells[cell] != cells[other])
                    after[key] += number
        table = after
    return {mixed: number for (covered, mixed), number in table.items() if covered == 0}


@pytest.mark.parametrize("place", [parallelogram(3, 60), parallelogram(4, 36), rectangle(4, 60)])
def test_numbers_of_more_than_one_prime(place: Board) -> None:
    cells = paint(place, "rb", Random(3))
    cells[0] = "r" if cells[1:].count("r") % 2 else "b"
    reds = cells.count("r")
    expected = by_mixed(place, cells)
    assert sum(expected.values()) == count_matchings(place, 0)
    for mixed in sorted(expected)[:: len(expected) // 4]:
        gourds = two_coloured((reds - mixed) // 2, mixed, (place.size - reds - mixed) // 2)
        assert count_placements(place, cells, gourds) == expected[mixed]
    assert max(expected.values()) > 2**61


@pytest.mark.parametrize("place", [*RINGS, flower(4), complete(4), from_networkx(nx.dodecahedral_graph())])
def test_every_face_is_odd(place: Board) -> None:
    rotation = rotation_system(place)
    for holes in ((), *combinations(range(place.size), place.size % 2 or 2)):
        arcs = kasteleyn_orientation(rotation, holes)
        parts = list(
            nx.connected_components(place.to_networkx().subgraph(set(range(place.size)) - set(holes)))
        )
        assert (arcs is None) == any(len(part) % 2 for part in parts)
        if arcs is None:
            continue
        left = [e for e in place.edges if not set(e) & set(holes)]
        assert sorted(tuple(sorted(arc)) for arc in arcs) == left
        assert all(along % 2 for along in edges_along_faces(rotation, set(holes), set(arcs)))


def edges_along_faces(rotation: Sequence[Sequence[int]], holes: set[int], arcs: set[Edge]) -> Iterator[int]:
    """Yield for each face how many of its edges agree with the walk around it."""
    rows = {b: [a for a in row if a not in holes] for b, row in enumerate(rotation) if b not in holes}
    halves = {(a, b) for b, row in rows.items() for a in row}
    while halves:
        a, b = start = halves.pop()
        along = int((a, b) in arcs)
        while True:
            a, b = b, rows[b][(rows[b].index(a) + 1) % len(rows[b])]
            if (a, b) == start:
                break
            halves.remove((a, b))
            along += (a, b) in arcs
        yield along


def test_impossible_placements() -> None:
    place = flower(2)
    assert count_placements(place, "rrrrrrr", [("b", "b")]) == 0
    assert count_placements(place, "rrrrrrb", [("b", "b"), ("r", "r"), ("r", "r")]) == 0
    assert count_placements(place, "brrrrrb", [("b", "b"), ("r", "r"), ("r", "r")]) == 0
    assert count_placements(place, "rrrrrrb", []) == 1
    assert count_matchings(place, 6) == 0
    assert count_matchings(place, 7) == 1
    assert count_matchings(place, 9) == 0
    assert count_matchings(board("square 0,0 5,5"), 0) == 0


COLOUR = "a word as a colour, or . for a cell that stays empty"
TWO = "expected two colours such as red-blue"


@pytest.mark.parametrize(
    ("cells", "gourds", "message"),
    [
        ("r" * 18, [], "expected 19 colours, one for each cell, got 18 - on 'hex F(3)'"),
        ("r" * 18 + "-", [], f"expected {COLOUR}, got '-' - at cell 18 on 'hex F(3)'"),
        ([3] + ["r"] * 18, [], f"expected {COLOUR}, got '3' - at cell 0 on 'hex F(3)'"),
        ("r" * 19, [("r", "r")] * 10, "expected at most 9 gourds, got 10 - on 'hex F(3)'"),
        ("r" * 19, [("r", "r", "r")], f"{TWO}, got 'r-r-r' - at gourd 1 on 'hex F(3)'"),
        ("r" * 19, [("r", "r"), None], f"{TWO}, got 'None' - at gourd 2 on 'hex F(3)'"),
        (None, [], "expected a list of colours, got None - on 'hex F(3)'"),
        ("r" * 19, 5, "expected a list of gourds, got 5 - on 'hex F(3)'"),
        ("r" * 19, [("r", 7)], "expected a word as a colour, got '7' - at gourd 1 on 'hex F(3)'"),
    ],
)
def test_bad_input(cells: list[str], gourds: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        count_placements(flower(3), cells, gourds)
    assert str(caught.value) == message


@pytest.mark.parametrize("holes", [-1, 1.5, True, "2"])
def test_bad_holes(holes: int) -> None:
    with pytest.raises(NotationError):
        count_matchings(flower(3), holes)


@pytest.mark.parametrize("name", ["king R(4,4)", "complete(5)"])
def test_crossings_are_refused(name: str) -> None:
    place = board(name)
    with pytest.raises(PuzzleError) as caught:
        count_matchings(place)
    assert str(caught.value) == f"expected a planar board, got one that is not - on {name!r}"
    with pytest.raises(PuzzleError):
        count_placements(place, "r" * place.size, [])


def test_planar_kings() -> None:
    place = board("king R(2,2)")
    assert count_matchings(place, 0) == 3
    check_all(place, "rrbg", 2)
    assert check_all(board("king R(3,3)"), "rrbrbbrbr", 1) == count_matchings(board("king R(3,3)"))


def test_too_large() -> None:
    place = flower(8)
    cells = paint(place, "rbgy", Random(1))
    edges = next(matchings(place, 1))
    with pytest.raises(TooLarge, match=r"takes about .* steps, and the limit is 1e\+12 - on 'hex F\(8\)'"):
        count_placements(place, cells, [(cells[a], cells[b]) for a, b in edges])
    with pytest.raises(TooLarge, match="steps"):
        count_matchings(place, holes=9)


def test_progress() -> None:
    reports: list[tuple[str, int, int]] = []
    budget = Budget.of(progress=lambda *report: reports.append(report))
    number = count_placements(flower(2), "rrrbbbb", two_coloured(0, 2, 1), budget=budget)
    assert number == counts_by_gourds(flower(2), "rrrbbbb", 1)[("b", "b"), ("b", "r"), ("b", "r")]
    assert reports
    assert all(phase == "placements" and 0 <= done < total for phase, done, total in reports)
    assert [done for _, done, _ in reports] == sorted(done for _, done, _ in reports)


def test_interruption() -> None:
    class Interruption(Exception):
        pass

    def stop(phase: str, done: int, total: int) -> None:
        raise Interruption

    with pytest.raises(Interruption):
        count_matchings(flower(3), budget=Budget.of(progress=stop))
    with pytest.raises(OutOfTime):
        count_matchings(flower(3), budget=Budget.of(time=0))


def test_rank_of_the_equations() -> None:
    rng = Random(7)
    colours = "abcdef"
    pairs = [(a, b) for a in colours for b in colours if a <= b]
    for _ in range(300):
        chosen = rng.sample(pairs, rng.randint(1, 12))
        matrix = [[kind.count(colour) for kind in chosen] for colour in colours]
        assert counting._rank(chosen) == np.linalg.matrix_rank(np.array(matrix))


def test_primes() -> None:
    assert modular.primes_beyond(1) == [2**61 - 1]
    primes = modular.primes_beyond(2**300)
    assert len(primes) == 5
    assert len(set(primes)) == 5
    small = [n for n in range(41, 3000, 2) if all(n % d for d in range(3, 55, 2) if d < n)]
    assert [n for n in range(41, 3000, 2) if modular._is_prime(n)] == small


def test_the_core_checks_what_it_is_given() -> None:
    arcs = np.array([[0, 1, 0]], np.uint32)
    ones = np.ones(1, np.uint64)
    assert _core.Pfaffian(2, arcs).sum(101, ones, ones, ones) == 1
    with pytest.raises(ValueError, match="no such arc"):
        _core.Pfaffian(1, arcs)
    with pytest.raises(ValueError, match="rows of 3"):
        _core.Pfaffian(2, arcs[:, :2].copy())
    with pytest.raises(ValueError, match="prime"):
        _core.Pfaffian(2, arcs).sum(100, ones, ones, ones)
    with pytest.raises(ValueError, match="more nodes"):
        _core.Pfaffian(2, arcs).sum(101, 2 * ones, ones, ones)
    with pytest.raises(ValueError, match="a factor"):
        _core.Pfaffian(2, arcs).sum(101, ones, ones, np.ones(2, np.uint64))
    with pytest.raises(TypeError):
        _core.Pfaffian(2, arcs.astype(np.int64))
