"""Hamiltonian cycles against a plain search, and every one of them against a checker of its own."""

import random
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from boards.strategies import graphs
from proper import canonical
from slidelab.boards import (
    Board,
    board,
    complete,
    congruent_family,
    cycle_growth,
    find_cycle,
    flower,
    from_edges,
    hamilton,
    hamiltonian_cycle,
    hex_board,
    holes_in_board,
    is_hole_free,
    is_hole_free_cycle,
    is_proper,
    is_two_connected,
    king_rectangle,
    parallelogram,
    polyhexes,
    rectangle,
    square_board,
    star,
    triangle,
    why_not_proper,
)
from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, PuzzleError

Place = tuple[int, int]
STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def around(place: Place) -> list[Place]:
    return [(place[0] + dq, place[1] + dr) for dq, dr in STEPS]


def is_hamiltonian(b: Board, cells: tuple[int, ...]) -> bool:
    touching = {frozenset(edge) for edge in b.edges}
    return sorted(cells) == list(range(b.size)) and all(
        frozenset((cells[i - 1], cells[i])) in touching for i in range(len(cells))
    )


def encloses_nothing(b: Board, cells: tuple[int, ...]) -> bool:
    """Whether no missing cell is inside: a ray from it crosses the cycle an even number of times."""
    points = [b.cells[cell] for cell in cells]
    sides = list(zip(points, points[1:] + points[:1], strict=True))
    rows, columns = [r for _, r in points], [q for q, _ in points]
    return not any(
        sum(
            (r0 <= r) != (r1 <= r) and q0 + (r - r0) * (q1 - q0) / (r1 - r0) > q
            for (q0, r0), (q1, r1) in sides
        )
        % 2
        for r in range(min(rows), max(rows) + 1)
        for q in range(min(columns), max(columns) + 1)
        if (q, r) not in b.cell_at
    )


def all_cycles(b: Board) -> Iterator[tuple[int, ...]]:
    """Yield every Hamiltonian cycle twice, by a search that prunes nothing."""
    stack: list[tuple[int, ...]] = [(0,)]
    while stack:
        path = stack.pop()
        stack.extend((*path, cell) for cell in b.neighbours[path[-1]] if cell not in path)
        if len(path) == b.size >= 3 and b.adjacent(path[-1], 0):
            yield path


# Every 2-connected board without holes arises from a triangle by adding cells whose present neighbours are
# consecutive and at least two: a triangulated disc has a vertex on its rim that no chord of the disc ends at.


def may_be_added(cells: set[Place] | frozenset[Place], place: Place) -> bool:
    present = [other in cells for other in around(place)]
    arcs = sum(present[i] and not present[i - 1] for i in range(6))
    return place not in cells and sum(present) >= 2 and arcs == 1


@cache
def discs(n: int) -> frozenset[frozenset[Place]]:
    """Return all 2-connected boards of n hexagons without holes, one of each congruent kind."""
    if n == 3:
        return frozenset([canonical([(0, 0), (1, 0), (0, 1)])])
    return frozenset(
        canonical(cells | {place})
        for cells in discs(n - 1)
        for place in {other for cell in cells for other in around(cell)}
        if may_be_added(cells, place)
    )


def accretion(size: int, choices: random.Random, youngest: float, thin: float) -> Board:
    """Grow a random disc: at its youngest cells with one probability, refusing thick growth with another."""
    cells = {(0, 0), (1, 0), (0, 1)}
    places = [other for cell in sorted(cells) for other in around(cell)]
    while len(cells) < size:
        index = len(places) - 1 if choices.random() < youngest else choices.randrange(len(places))
        places[index], places[-1] = places[-1], places[index]
        place = places.pop()
        thick = sum(other in cells for other in around(place)) > 2
        if may_be_added(cells, place) and not (thick and choices.random() < thin):
            cells.add(place)
            places += choices.sample(around(place), 6)
        if not places:
            places = [other for cell in sorted(cells) for other in around(cell)]
    return hex_board(cells)


accretions = st.builds(
    accretion,
    st.integers(3, 120),
    st.builds(random.Random, st.integers(0, 10**9)),
    st.sampled_from([0.0, 0.5, 0.95]),
    st.sampled_from([0.0, 0.5, 0.95]),
)


@pytest.mark.parametrize("n", range(3, 10))
def test_discs_are_the_boards_of_the_theorem(n: int) -> None:
    pytest.importorskip("slidelab._core")
    expected = [b for b in polyhexes(n) if is_two_connected(b) and is_hole_free(b)]
    assert {canonical(b.cells) for b in expected} == discs(n)


@pytest.mark.parametrize("n", range(3, 14))
def test_all_small_boards_but_the_star(n: int) -> None:
    without = []
    for cells in discs(n):
        b = hex_board(cells)
        assert is_proper(b) == (n % 2 == 1 and canonical(star().cells) != cells)
        try:
            order = hamiltonian_cycle(b)
        except PuzzleError:
            without.append(cells)
        else:
            assert is_hamiltonian(b, order)
            assert is_hole_free_cycle(b, order)
    assert without == ([canonical(star().cells)] if n == 13 else [])


@given(accretions)
def test_random_boards(b: Board) -> None:
    assume(congruent_family(b) != ("star", ()))
    order = hamiltonian_cycle(b)
    assert is_hamiltonian(b, order)
    assert order[0] == 0
    assert order[1] < order[-1]
    assert order == hamiltonian_cycle(b)


def comb(teeth: int, length: int) -> Board:
    back = [(q, r) for q in range(3 * teeth) for r in range(2)]
    tips = [(3 * tooth + q, r) for tooth in range(teeth) for q in range(2) for r in range(2, length)]
    return hex_board(back + tips)


def snake(bends: int, length: int) -> Board:
    """Return a strip two cells wide that goes to and fro."""
    cells: set[Place] = set()
    for bend in range(bends):
        cells.update((q, 4 * bend + r) for q in range(length) for r in range(2))
        side = (bend % 2) * (length - 2)
        cells.update((side + q, 4 * bend + r) for q in range(2) for r in range(2, 4))
    return hex_board(cells)


def chain(links: int) -> Board:
    """Return copies of a board in a row on each of which the cycle gets stuck."""
    rows = [(0, 0, 2), (0, 1, 3), (-1, 2, 3), (-1, 3, 4), (-2, 4, 4)]
    return hex_board(
        {(q + i - 2 * n, r + 5 * n) for n in range(links) for q, r, width in rows for i in range(width)}
    )


@pytest.mark.parametrize(
    "b",
    [
        parallelogram(100, 100),
        parallelogram(2, 500),
        flower(40),
        triangle(90),
        comb(60, 40),
        snake(20, 40),
        chain(100),
        accretion(5000, random.Random(1), 0.0, 0.0),
        accretion(5000, random.Random(2), 0.9, 0.0),
        accretion(5000, random.Random(3), 0.3, 0.95),
    ],
    ids=["P", "strip", "F", "T", "comb", "snake", "chain", "round", "branched", "thin"],
)
def test_large_boards(b: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hamilton, "_search", None)  # the construction alone must do
    order = hamiltonian_cycle(b)
    assert is_hamiltonian(b, order)
    assert is_hole_free_cycle(b, order)


def test_the_cycle_gets_stuck_on_the_chain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycle_growth, "WINDOW_RADII", ())
    assert cycle_growth.grow_cycle(chain(10)) is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("square R(3,3)", "expected a board of hexagons, got 'square R(3,3)'"),
        ("hex 0,0", "expected at least three cells, got 1"),
        ("hex P(4,3)", "expected an odd number of cells, so that gourds leave one empty, got 12"),
        ("hex 0,0 1,0 0,1 5,5 6,5", "the board has 2 parts: no path from cell 0 to cell 3"),
        ("hex P(3,1)", "cell 0 is a leaf: it touches cell 1 only"),
        ("hex 0,0 1,0 0,1 2,0 3,0", "cell 3 is a leaf: it touches cell 2 only"),
        ("hex star", "the board is the star, the only one of its kind without a Hamiltonian cycle"),
        ("hex F(2)", None),
        ("hex P(3,3)", None),
    ],
)
def test_reasons(text: str, reason: str | None) -> None:
    assert why_not_proper(board(text)) == reason
    assert is_proper(board(text)) == (reason is None)


def test_a_cut_cell_is_named() -> None:
    butterfly = hex_board([(0, 0), (1, 0), (1, -1), (-1, 0), (-1, 1)])
    assert why_not_proper(butterfly) == (
        "cell 2 is a cut cell: no cycle and no gourd gets past it from one side to the other"
    )
    with pytest.raises(PuzzleError, match="cell 2 is a cut cell"):
        hamiltonian_cycle(butterfly)


@given(st.sets(st.tuples(st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=7))
def test_a_hole_is_named(missing: set[Place]) -> None:
    cells = set(flower(6).cells) - missing
    b = hex_board(cells if len(cells) % 2 else cells - {(5, 0)})
    assume(is_two_connected(b))
    beside = [cell for cell, place in enumerate(b.cells) if not missing.isdisjoint(around(place))]
    assert why_not_proper(b) == f"the board has a hole next to cell {beside[0]}"


def test_a_bay_is_no_hole() -> None:
    """The missing cells in the middle are in the open, but a hole further down is not."""
    bay = {(q, 0) for q in range(-1, 6)}
    b = hex_board(set(flower(6).cells) - bay - {(-2, 3)})
    assert why_not_proper(b) == f"the board has a hole next to cell {b.cell_at[-2, 2]}"


def test_even_and_small_boards() -> None:
    assert is_hamiltonian(board("hex P(4,3)"), hamiltonian_cycle(board("hex P(4,3)")))
    for text in ("hex P(2,1)", "square R(2,2)", "cycle(3)", "hex star", "hex 0,0 5,5 6,6"):
        with pytest.raises(PuzzleError, match="no Hamiltonian cycle of"):
            hamiltonian_cycle(board(text))


def check_search(b: Board) -> None:
    cycles = list(all_cycles(b))
    found = find_cycle(b)
    assert (found is None) == (not cycles)
    if found is not None:
        assert is_hamiltonian(b, found.cells)
        assert (found.cells[0], found.cells[1]) == (0, min(found.cells[1], found.cells[-1]))
        planar = b.kind in ("hex", "square")
        assert found.hole_free == (planar and any(encloses_nothing(b, cells) for cells in cycles))
        assert found.hole_free == is_hole_free_cycle(b, found.cells)


small_places = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)
small_boards = st.one_of(
    st.builds(hex_board, small_places),
    st.builds(square_board, small_places),
    st.builds(
        lambda cells: square_board(cells, king=True),
        st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1),
    ),
    graphs(8),
)


@given(small_boards)
@example(board("king 0,0 1,0 0,1 2,1 0,2 1,2"))  # as many cells as a rectangle from its first to its last
def test_small_search_against_a_plain_one(b: Board) -> None:
    check_search(b)


def boards_with_holes(count: int, seed: int) -> list[Board]:
    """Return 2-connected boards of up to 15 hexagons with one or more holes."""
    choices = random.Random(seed)
    found: list[Board] = []
    while len(found) < count:
        b = hex_board(choices.sample(flower(3).cells, choices.randrange(9, 16)))
        if is_two_connected(b) and holes_in_board(b):
            found.append(b)
    return found


@pytest.mark.parametrize("limits", [(20, 20_000), (20, 0), (0, 0)], ids=["plain", "given up", "OR-Tools"])
def test_searches_agree_on_boards_with_holes(limits: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    if limits != (20, 20_000):
        pytest.importorskip("ortools")
    monkeypatch.setattr(hamilton, "SMALL_BOARD_CELLS", limits[0])
    monkeypatch.setattr(hamilton, "SMALL_BOARD_CHOICES", limits[1])
    monkeypatch.setattr(hamilton, "grow_cycle", lambda *_: None)
    for b in boards_with_holes(25, 4):
        check_search(b)


def test_or_tools_on_squares_and_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    monkeypatch.setattr(hamilton, "SMALL_BOARD_CELLS", 0)
    ring = [cell for cell in rectangle(4, 4).cells if cell not in [(1, 1), (1, 2), (2, 1), (2, 2)]]
    pierced = [cell for cell in rectangle(5, 4).cells if cell not in [(1, 1), (1, 2)]]
    for b in (square_board(ring), square_board(pierced), rectangle(4, 3), king_rectangle(3, 3), complete(6)):
        check_search(b)
    assert find_cycle(petersen()) is None


def wheel_without_rim(side: int) -> Board:
    """Return the outermost cells of F(side) and a row through the middle: three paths in parallel."""
    cells = flower(side).cells
    outer = [(q, r) for q, r in cells if max(abs(q), abs(r), abs(q + r)) == side - 1]
    return hex_board({*outer, *((q, 0) for q in range(1 - side, side))})


def petersen() -> Board:
    spokes = [(i, i + 5) for i in range(5)]
    return from_edges(
        [(i, (i + 1) % 5) for i in range(5)] + spokes + [(i + 5, (i + 2) % 5 + 5) for i in range(5)]
    )


@pytest.mark.parametrize("b", [wheel_without_rim(3), star(), petersen(), rectangle(5, 3), board("path(4)")])
def test_small_boards_without_a_cycle(b: Board) -> None:
    assert find_cycle(b) is None


def test_large_boards_with_holes() -> None:
    pytest.importorskip("ortools")
    assert find_cycle(wheel_without_rim(4)) is None
    ring = hex_board([cell for cell in flower(6).cells if cell not in flower(5).cells])
    found = find_cycle(ring)
    assert found is not None
    assert not found.hole_free
    pierced = hex_board(set(flower(7).cells) - {(0, 0), (2, 2), (-3, 1), (4, -2)})
    found = find_cycle(pierced)
    assert found is not None
    assert found == find_cycle(pierced)
    assert is_hamiltonian(pierced, found.cells)
    assert found.hole_free == encloses_nothing(pierced, found.cells)


def dented(columns: int, rows: int) -> Board:
    """A rectangle without two neighbouring cells of its upper side: no construction knows it."""
    return square_board([cell for cell in rectangle(columns, rows).cells if cell not in [(2, 0), (3, 0)]])


def test_time_is_limited() -> None:
    pytest.importorskip("ortools")
    with pytest.raises(OutOfTime, match="found or ruled out in the time given"):
        find_cycle(dented(30, 30), budget=Budget.of(time=0))


def test_or_tools_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(PuzzleError, match=r"pip install slidelab\[place\]"):
        find_cycle(dented(6, 6))


@pytest.mark.parametrize("cells", [(0, 1, 2), (0, 1, 2, 2), (0, 3, 1, 2), (0, 1, 2, 4)])
def test_what_is_no_cycle(cells: tuple[int, ...]) -> None:
    with pytest.raises(NotationError):
        is_hole_free_cycle(rectangle(2, 2), cells)


@pytest.mark.parametrize("kind", ["square", "king"])
def test_rectangles_need_no_search(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rectangle with an even side, of any size, and none is searched."""
    monkeypatch.setattr(hamilton, "_search", None)
    for width in range(2, 9):
        for height in range(2, 9):
            if width * height % 2 == 0:
                b = board(f"{kind} R({width},{height})")
                found = find_cycle(b)
                assert found is not None
                assert is_hamiltonian(b, found.cells)
                assert found.hole_free == (kind == "square")
    large = find_cycle(board("square R(100,101)"))
    assert large is not None
    assert is_hamiltonian(board("square R(100,101)"), large.cells)


CTRL_C_AFTER_A_CYCLE = """
import signal
from slidelab.boards import board
from slidelab.boards.cycle_model import solve_cycle

signal.signal(signal.SIGINT, signal.default_int_handler)
print(solve_cycle(board("square R(2,2)")))
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_stays_with_python() -> None:
    """The solver used to take the signal, and to leave the default action: the end of the process."""
    command = [sys.executable, "-c", CTRL_C_AFTER_A_CYCLE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "(0, 1, 3, 2)\ninterrupted\n"
