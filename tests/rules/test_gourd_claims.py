"""What the gourds paper and the thesis say of single pieces, by plain search and by the library.

Some claims are checked elsewhere: the star and the squares of figure 1 by plain search in
tests/reach/test_published.py, all proper boards and all boards with a cut cell by the library in
tests/reach/test_theorems.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import slidelab as sl
from plain import Plain, flower_cells, hex_board, triangle_cells
from slidelab.boards import Board, cut_cells, is_hole_free, is_two_connected, polyhexes, star

Pair = tuple[int, int]
Shape = tuple[int, ...]  # for each cell its partner, for the hole itself
Neighbours = Sequence[Sequence[int]]


# A small world of its own: gourds without names


def shapes(neighbours: Neighbours) -> Iterator[Shape]:
    """All ways to lay gourds and leave one cell free."""

    def lay(partner: dict[int, int]) -> Iterator[Shape]:
        cell = next((c for c in range(len(neighbours)) if c not in partner), None)
        if cell is None:
            yield tuple(partner[c] for c in range(len(neighbours)))
            return
        if all(a != b for a, b in partner.items()):
            yield from lay({**partner, cell: cell})
        for other in neighbours[cell]:
            if other not in partner:
                yield from lay({**partner, cell: other, other: cell})

    return lay({})


def gourds_of(shape: Shape) -> set[Pair]:
    return {(a, b) for a, b in enumerate(shape) if a < b}


def moves_of(neighbours: Neighbours, shape: Shape) -> Iterator[tuple[Pair, Pair, Shape]]:
    """One end of a gourd touches the hole and stays covered, the other is the hole afterwards."""
    (hole,) = (cell for cell, other in enumerate(shape) if cell == other)
    for stays in neighbours[hole]:
        leaves = shape[stays]
        after = list(shape)
        after[stays], after[hole], after[leaves] = hole, stays, leaves
        yield pair(stays, leaves), pair(stays, hole), tuple(after)


def pair(a: int, b: int) -> Pair:
    return min(a, b), max(a, b)


def tracks(neighbours: Neighbours) -> list[set[tuple[Shape, Pair]]]:
    """Follow each gourd of each shape, whatever the others do: what can become each other."""
    to: dict[tuple[Shape, Pair], list[tuple[Shape, Pair]]] = {}
    for shape in shapes(neighbours):
        for gourd in gourds_of(shape):
            to[shape, gourd] = [
                (following, new if gourd == old else gourd)
                for old, new, following in moves_of(neighbours, shape)
            ]
    out, seen = [], set()
    for start in to:
        if start not in seen:
            track, queue = {start}, [start]
            for state in queue:
                fresh = set(to[state]) - track
                track |= fresh
                queue.extend(fresh)
            seen |= track
            out.append(track)
    return out


def sides(neighbours: Neighbours, cut: int) -> dict[int, int]:
    """For each cell but the cut cell a number of its side."""
    side: dict[int, int] = {}
    for start in range(len(neighbours)):
        if start == cut or start in side:
            continue
        side[start], queue = start, [start]
        for cell in queue:
            for other in neighbours[cell]:
                if other != cut and other not in side:
                    side[other] = start
                    queue.append(other)
    return side


# Section 2


@pytest.mark.parametrize(("rule", "positions"), [("gourds", 6), ("gourds-sharp", 3)])
def test_pivots_reach_six_positions_and_sharp_turns_three(rule: str, positions: int) -> None:
    start = sl.puzzle("hex T(2)", rule).goal
    reached = Plain.on(hex_board(triangle_cells(2)), rule, 1).component(start.pieces)
    assert len(reached) == positions
    assert {piece for (piece,) in reached} == set(start.places(1))


def test_the_star_has_38_shapes_and_each_gourd_three_positions() -> None:
    neighbours = star().neighbours
    assert len(list(shapes(neighbours))) == 38
    found = tracks(neighbours)
    assert sorted(len({gourd for _, gourd in track}) for track in found) == [3] * 6
    goal = sl.puzzle("hex star", "gourds").goal
    by_library = [{pair(*cells) for cells in goal.places(k)} for k in range(1, 7)]
    by_search = [{gourd for _, gourd in track} for track in found]
    assert sorted(map(sorted, by_library)) == sorted(map(sorted, by_search))


def test_the_blue_gourd_of_figure_1_has_three_positions() -> None:
    puzzle = sl.puzzle("square R(3,5)", "gourds")
    blue = [
        {gourd for _, gourd in track}
        for track in tracks(puzzle.board.neighbours)
        if any(1 in gourd for _, gourd in track)
    ]
    assert {(0, 1), (1, 2), (1, 4)} in blue
    start = next(k for k, cells in enumerate(puzzle.goal.pieces, 1) if 1 in cells)
    assert {pair(*cells) for cells in puzzle.goal.places(start)} in blue


# Thesis 7.1: boards with a cut cell


@pytest.mark.parametrize(("size", "boards"), [(5, 21), (7, 328), (9, 6543)])
def test_no_gourd_gets_past_a_cut_cell(size: int, boards: int) -> None:
    """On all such boards; with two gourds or more there is always something that can't be reached."""
    with_cut = [board for board in polyhexes(size) if cut_cells(board)]
    assert len(with_cut) == boards
    for board in with_cut:
        found = tracks(board.neighbours)
        assert len(found) != 1, board.name  # none if there is no way to lay the gourds
        for cut in cut_cells(board):
            side = sides(board.neighbours, cut)
            for track in found:
                # A gourd may step onto the cut cell and put its other end on either side, no more.
                beyond = {side[gourd[0]] for _, gourd in track if cut not in gourd}
                assert len(beyond) <= 1, (board.name, cut)


FIGURE_31 = "hex 0,0 0,1 1,1 -1,2 -1,3 gourds 1 : 0-1 3-4"
FIGURE_32 = "hex 0,-1 -1,0 0,0 1,0 0,1 gourds 1 : 0-1 2-3"


def labelled_positions(start: sl.Configuration, piece: int) -> set[Pair]:
    plain = Plain.on(hex_board(start.puzzle.board.cells), "gourds", 1)
    return {pair(*config[piece - 1]) for config in plain.component(start.pieces)}


def test_the_immobile_gourd_of_figure_31() -> None:
    start = sl.position(FIGURE_31)
    assert cut_cells(start.puzzle.board) == (1, 3)
    assert labelled_positions(start, 2) == {(3, 4)} == set(start.places(2))
    assert labelled_positions(start, 1) == {(0, 1), (1, 2)}
    verdict = start.puzzle.solvable(start, [[3, 4], [0, 1]])
    assert not verdict
    assert verdict.check()


def test_the_gourds_of_figure_32_never_swap() -> None:
    start = sl.position(FIGURE_32)
    assert cut_cells(start.puzzle.board) == (2,)
    first, second = (labelled_positions(start, piece) for piece in (1, 2))
    assert first == {(0, 1), (0, 2), (1, 2)}
    assert second == {(2, 3), (2, 4), (3, 4)}
    assert [{pair(*cells) for cells in start.places(piece)} for piece in (1, 2)] == [first, second]
    swapped = sl.Configuration(start.puzzle, start.pieces[::-1])
    assert not start.puzzle.solvable(start, swapped)


# Thesis 7.3: flexible pieces of three cells


IMMOVABLE = [
    "hex 0,0 -1,1 0,1 1,1 -1,2 0,2 -1,3 trimers 1 : 0-2-1 4-5-6",
    "hex 0,0 -1,1 0,1 1,1 -1,2 0,2 1,2 -1,3 trimers 2 : 0-2-1 4-5-7",
    # Two free cells that do not touch: the first board twice
    "hex 0,-3 -1,-2 0,-2 1,-2 -1,-1 0,-1 -1,0 0,0 -1,1 0,1 1,1 -1,2 0,2 -1,3 trimers 2 "
    ": 7-9-8 11-12-13 0-2-1 4-5-6",
]


@pytest.mark.parametrize("text", IMMOVABLE)
def test_immovable_boards(text: str) -> None:
    start = sl.position(text)
    board = start.puzzle.board
    assert is_two_connected(board)
    assert is_hole_free(board)
    plain = Plain.on(hex_board(board.cells), "trimers", start.puzzle.hole_count)
    assert list(plain.neighbours(start.pieces)) == []
    assert len(start.moves) == 0
    other = sl.Configuration(start.puzzle, (start.pieces[0][::-1], *start.pieces[1:]))
    verdict = start.puzzle.solvable(start, other)
    assert not verdict
    assert verdict.check()


def immovable(board: Board, holes: int) -> Iterator[tuple[tuple[int, int, int], ...]]:
    """Ways to lay flexible trimers so that no end of one touches a free cell."""

    def lay(
        covered: frozenset[int], laid: tuple[tuple[int, int, int], ...], free: tuple[int, ...]
    ) -> Iterator[tuple[tuple[int, int, int], ...]]:
        cell = next((c for c in range(board.size) if c not in covered), None)
        if cell is None:
            ends = {end for piece in laid for end in (piece[0], piece[2])}
            if len(free) == holes and not any(ends & set(board.neighbours[hole]) for hole in free):
                yield laid
            return
        if len(free) < holes:
            yield from lay(covered | {cell}, laid, (*free, cell))
        for piece in starting[cell]:
            if covered.isdisjoint(piece):
                yield from lay(covered | set(piece), (*laid, piece), free)

    starting: list[list[tuple[int, int, int]]] = [[] for _ in range(board.size)]
    for middle, around in enumerate(board.neighbours):
        for k, one in enumerate(around):
            for two in around[k + 1 :]:
                starting[min(one, middle)].append((one, middle, two))
    return lay(frozenset(), (), ())


def all_immovable(size: int, holes: int) -> list[tuple[Board, tuple[tuple[int, int, int], ...]]]:
    compact = (board for board in polyhexes(size) if is_two_connected(board) and is_hole_free(board))
    return [(board, laid) for board in compact for laid in immovable(board, holes)]


def test_these_are_the_smallest_immovable_boards() -> None:
    assert all_immovable(4, 1) == all_immovable(5, 2) == []
    for holes, text in ((1, IMMOVABLE[0]), (2, IMMOVABLE[1])):
        start = sl.position(text)
        ((board, laid),) = all_immovable(start.puzzle.board.size, holes)
        assert board == start.puzzle.board
        assert laid == start.pieces


@pytest.mark.slow
def test_free_cells_that_do_not_touch_need_more_room() -> None:
    """With eleven cells there are 23 immovable boards, and the two free cells touch on all of them."""
    found = all_immovable(11, 2)
    assert len(found) == 23
    for board, laid in found:
        one, two = set(range(11)) - {cell for piece in laid for cell in piece}
        assert board.adjacent(one, two)


# Section 5 of the paper: rigid pieces of three cells, with one free cell


def single_steps(rule: str) -> Iterator[tuple[Board, tuple[int, ...], tuple[int, ...], str]]:
    """Every move into a single free cell, on a board so large that nothing is cut off in its middle."""
    board = sl.board("hex F(4)")
    chosen = sl.RULES[rule]
    plain = Plain.on(hex_board(flower_cells(4)), rule, 1)
    assert tuple(plain.coords) == board.cells
    for before in chosen.placements(board):
        ours = {step.after: step.kind for step in chosen.steps(board, before) if len(step.holes) == 1}
        free = [cell for cell in range(board.size) if cell not in before]
        assert set(ours) == set().union(*(plain._rigid_moves(before, frozenset([hole])) for hole in free))
        for after, kind in ours.items():
            yield board, before, after, kind


def test_a_straight_trimer_never_leaves_its_row() -> None:
    steps = list(single_steps("trimers-straight"))
    assert len(steps) > 90
    for board, before, after, kind in steps:
        cells = [board.cells[cell] for cell in {*before, *after}]
        assert kind == "slide"
        assert 1 in (len({q for q, _ in cells}), len({r for _, r in cells}), len({q + r for q, r in cells}))


def test_a_triangle_can_only_pivot() -> None:
    steps = list(single_steps("trimers-triangle"))
    assert len(steps) > 100
    for _, before, after, kind in steps:
        assert kind == "pivot"
        assert len({*before} & {*after}) == 2
        assert sum(a == b for a, b in zip(before, after, strict=True)) == 1  # the cell it turns about
