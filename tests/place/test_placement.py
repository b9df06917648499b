"""Placements against plain enumeration, planted ones found again, proofs that hold, short travel."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from threading import Event

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.boards import Board, Edge, board, polyhexes
from slidelab.boards.matching import covering_deficit, edge_matching
from slidelab.boards.walks import distance_list
from slidelab.budget import Budget
from slidelab.errors import NotationError, OutOfTime, Unsolvable
from slidelab.place import search
from slidelab.place.assignment import minimum_cost_assignment
from slidelab.place.coloured_puzzle import nine_gourds
from slidelab.place.placement import Placement, place

SMALL = [found for size in range(2, 8) for found in polyhexes(size)]
COLOURS = ["red", "blue", "green", "c4", "c5", "c6", "c7", "c8"]


Cells = Sequence[str]
Pair = tuple[str, str]


def planted(on: Board, colours: int, seed: int, gourds: int | None = None) -> tuple[list[str], list[Pair]]:
    """Return random colours of cells, and the gourds of a random matching."""
    rng = random.Random(seed)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(on.size))
    graph.add_weighted_edges_from((a, b, rng.randint(1, 1000)) for a, b in on.edges)
    matching = sorted(nx.max_weight_matching(graph, maxcardinality=True))[:gourds]
    cells = [rng.choice(COLOURS[:colours]) for _ in range(on.size)]
    pairs = [(cells[a], cells[b]) for a, b in matching]
    rng.shuffle(pairs)
    return cells, pairs


def ordered(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


def is_valid(on: Board, cells: Cells, gourds: Sequence[Pair], found: Sequence[Edge]) -> bool:
    covered = [cell for pair in found for cell in pair]
    return (
        len(found) == len(gourds)
        and len(set(covered)) == len(covered)
        and all(b in on.neighbours[a] for a, b in found)
        and all((cells[a], cells[b]) == tuple(pair) for (a, b), pair in zip(found, gourds, strict=True))
    )


def exists(on: Board, cells: Cells, gourds: Sequence[Pair]) -> bool:
    """Return whether there is a placement, trying every edge for each gourd, in both orientations."""

    def fits(rest: list[Pair], covered: frozenset[int]) -> bool:
        if not rest:
            return True
        for a, b in on.edges:
            same = (cells[a], cells[b]) in (rest[0], rest[0][::-1])
            if same and not {a, b} & covered and fits(rest[1:], covered | {a, b}):
                return True
        return False

    return fits(sorted(gourds), frozenset())


def check(
    on: Board,
    cells: Cells,
    gourds: Sequence[Pair],
    near: sl.Configuration | None = None,
    time: float | None = None,
) -> Placement:
    found = place(on, cells, gourds, near=near, budget=Budget.of(time=time))
    if found:
        assert is_valid(on, cells, gourds, found.gourds)
    else:
        assert found.gourds == ()
    assert found.reason
    return found


def test_every_small_board_against_plain_enumeration() -> None:
    rng = random.Random(1)
    answers: Counter[tuple[bool, bool]] = Counter()
    for on in SMALL:
        palette = [*COLOURS[: rng.choice([2, 2, 3])], "."][: rng.choice([2, 3, 4])]
        cells = [rng.choice(palette) for _ in range(on.size)]
        ends = [colour for colour in cells if colour != "."]
        rng.shuffle(ends)
        if len(ends) < 2:
            continue
        count = rng.randint(1, len(ends) // 2)
        gourds = list(zip(ends[:count], ends[count : 2 * count], strict=True))
        found = check(on, cells, gourds)
        assert bool(found) == exists(on, cells, gourds), (on.name, cells, gourds)
        answers[found.feasible, found.reason.startswith("a search")] += 1
    assert answers[True, False] > 50
    assert answers[False, False] > 50


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "king R(3,3)", "theta(1,2,2)", "complete(6)", "hex P(4,2)"]
)
def test_other_boards_against_plain_enumeration(text: str) -> None:
    on = board(text)
    for seed in range(40):
        cells, gourds = planted(on, 3, seed)
        rng = random.Random(seed)
        rng.shuffle(cells)
        assert bool(check(on, cells, gourds)) == exists(on, cells, gourds)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["hex F(3)", "hex P(5,4)", "king R(4,4)", "square R(5,3)"]), st.integers(1, 8), st.data()
)
def test_what_was_planted_is_found(text: str, colours: int, data: st.DataObject) -> None:
    on = board(text)
    cells, gourds = planted(
        on, colours, data.draw(st.integers(0, 10**6)), data.draw(st.integers(1, on.size // 2))
    )
    found = check(on, cells, gourds)
    assert found
    assert found == place(on, cells, gourds)
    if on.size > 2 * len(gourds):
        placed = found.configuration
        assert sl.position(placed.text) == placed
        assert placed.puzzle.colours is not None
        assert Counter(placed.puzzle.colours) == Counter(ordered(*pair) for pair in gourds)
        colour_at = {
            cell: colour
            for pair, labels in zip(placed.pieces, placed.puzzle.colours, strict=True)
            for cell, colour in zip(pair, labels, strict=True)
        }
        assert all(cells[cell] == colour for cell, colour in colour_at.items())
        assert {frozenset(pair) for pair in placed.pieces} == {frozenset(pair) for pair in found.gourds}


@pytest.mark.parametrize("colours", [2, 4, 8])
@pytest.mark.parametrize("text", ["hex F(5)", "hex F(8)"])
def test_large_boards(text: str, colours: int) -> None:
    on = board(text)
    assert check(on, *planted(on, colours, colours), time=60)


@pytest.mark.parametrize("colours", [2, 4, 8])
@pytest.mark.parametrize("text", ["hex F(5)", "hex F(8)"])
def test_as_many_of_one_class_as_possible_and_one_more(text: str, colours: int) -> None:
    """A weighted matching gives the maximum number of red-red gourds if all others are placed, too."""
    on = board(text)
    cells, _ = planted(on, colours, colours)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((a, b, cells[a] == cells[b] == "red") for a, b in on.edges)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    counts = Counter(ordered(cells[a], cells[b]) for a, b in matching)
    assert check(on, cells, sorted(counts.elements()), time=60)
    first, second = [pair for pair in counts.elements() if pair.count("red") == 1][:2]
    counts.subtract([first, second])
    others = [colour for colour in (*first, *second) if colour != "red"]
    counts.update([("red", "red"), ordered(*others)])
    assert min(counts.values()) >= 0
    assert not check(on, cells, sorted(counts.elements()), time=60)


def test_a_board_of_four_hundred_cells() -> None:
    on = board("hex P(20,20)")
    cells, gourds = planted(on, 3, 1)
    assert check(on, cells, gourds, time=30)


def test_large_boards_in_one_colour_need_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_import_solver", None)
    on = board("hex P(25,25)")
    assert check(on, ["red"] * on.size, [("red", "red")] * 312)


@pytest.mark.parametrize(
    ("text", "cells", "gourds", "words"),
    [
        ("hex P(3,2)", "red*6", "red-red*4", "4 gourds need 8 cells, but the board has 6"),
        ("hex P(3,2)", ".*2 red*4", "red-red*3", "3 gourds need 6 cells, but the board has 4 that"),
        ("hex P(3,2)", "red*3 blue*3", "red-red*2", "there are 4 red ends, but only 3 red cells"),
        ("hex P(3,2)", "red*3 blue*3", "red-gold", "there is 1 gold end, but no gold cell"),
        ("path(4)", "red*2 blue*2", "red-blue*2", "2 blue-red gourds, but blue and red cells touch only"),
        ("path(4)", "red green*2 blue", "red-blue", "1 blue-red gourd, but blue and red cells touch nowhere"),
        ("path(5)", "a a b a a", "a-a", None),
        ("path(6)", "b a b a a b", "a-b*3", None),
        ("path(6)", "b a b b a b", "a-b*2", None),
        ("path(7)", "b a b c a c b", "a-b*2", "of the 2 a-b gourds only 1 fit at once"),
        ("path(4)", "a b c a", "a-b b-c", "there are 2 b ends, but only 1 b cell"),
        ("path(6)", "b a a c a a", "a-a a-b a-c", None),
        ("path(5)", "c a b a c", "a-b a-c", None),
        ("path(5)", "b a a a c", "a-b a-c", None),
        ("path(7)", "b b b a b b b", "a-b b-b*2", None),
        ("graph 0-1 2-3 4-5 5-6 4-6", "a a a b a a a", "a-a*2 a-b", None),
        ("graph 0-1 1-2 0-2 3-4 4-5 3-5", "a a a a a b", "a-a a-a", None),
        ("graph 0-1 1-2 0-2 3-4 4-5 3-5", "a*5 b", "a-a*2 a-b", "of the 3 gourds with an end of colour a"),
        ("graph 0-1 1-2 0-2 3-4 4-5 3-5", "a*3 b*3", "a-a b-b", None),
        ("path(7)", "a b a c a d a", "a-b a-c a-d", None),
        ("path(7)", "a a a b c d c", "a-a a-b c-d", None),
        ("path(6)", "a a c a a c", "a-a a-c", None),
        ("path(5)", "a a a c c", "a-a a-c", None),
        ("graph 0-1 1-2 0-2 3-4 4-5 5-6", "a a a b c b b", "a-a b-c a-b", "1 a-b gourd, but"),
        ("graph 0-1 1-2 2-3 2-4 5-6", "a a b a a b a", "a-b*2 a-a", None),
        ("graph 0-1 0-2 0-3 4-5 5-6 6-7", "b c d b c c d d", "b-c b-d c-d", "of the 2 gourds with"),
        ("graph 0-1 0-2 3-4 3-5", "b c d b c d", "b-c b-d", None),
        ("graph 0-1 0-2 3-4 4-5", "b c d e d e", "b-c d-e", None),
    ],
)  # fmt: skip
def test_short_proofs(text: str, cells: str, gourds: str, words: str | None) -> None:
    on = board(text)
    colours = spelled(cells)
    pairs = [(a, b) for a, b in (token.split("-") for token in spelled(gourds))]
    found = check(on, colours, pairs)
    assert bool(found) == exists(on, colours, pairs) == (words is None)
    if words:
        assert found.reason.startswith(words)
        assert found.to_json() == {"feasible": False, "gourds": [], "reason": found.reason}
        assert str(found) == found.reason
        with pytest.raises(Unsolvable):
            _ = found.configuration


def spelled(text: str) -> list[str]:
    out = []
    for token in text.split():
        word, _, times = token.partition("*")
        out += [word] * int(times or 1)
    return out


def test_cells_that_must_be_covered() -> None:
    # All a and b must be covered: the middle cells are the only partners of three others.
    on = board("graph 0-3 1-3 2-4 1-4 0-4 2-3 5-6 6-7")
    cells = ["a", "a", "a", "b", "b", "b", "a", "c"]
    gourds = [("a", "b"), ("a", "b"), ("a", "c"), ("b", "a")]
    found = check(on, cells, gourds)
    assert bool(found) == exists(on, cells, gourds)


def test_matchings_against_networkx() -> None:
    rng = random.Random(2)
    for seed in range(800):
        graph = nx.gnp_random_graph(rng.randint(1, 11), rng.random(), seed=seed)
        rows = [sorted(graph[v]) for v in graph]
        best = edge_matching(graph.edges)
        assert nx.is_matching(graph, best)
        assert len(best) == len(nx.max_weight_matching(graph, maxcardinality=True))
        required = {v for v in graph if rng.random() < 0.6}
        deficit = covering_deficit(rows, required)
        assert (deficit is None) == can_cover(graph, required)
        if deficit:  # the proof holds
            assert len(deficit.odd_sets) == len(deficit.partners) + 1
            for group in deficit.odd_sets:
                assert len(group) % 2 == 1
                assert required.issuperset(group)
                assert {w for v in group for w in rows[v]} <= {*group, *deficit.partners}


def can_cover(graph: nx.Graph[int], required: set[int]) -> bool:
    """Return whether a matching covers the required vertices, by joining all others with each other."""
    more: nx.Graph[int] = nx.Graph(graph)
    free = [v for v in graph if v not in required] + [-1] * (len(graph) % 2)
    more.add_nodes_from(free)
    more.add_edges_from(combinations(free, 2))
    return 2 * len(nx.max_weight_matching(more, maxcardinality=True)) == len(more)


def test_assignments_against_all_permutations() -> None:
    rng = np.random.default_rng(1)
    for size in (1, 2, 3, 4, 5, 6):
        for _ in range(20):
            costs = rng.integers(0, 9, (size, size))
            columns = minimum_cost_assignment(costs)
            assert sorted(columns) == list(range(size))
            least = min(sum(costs[k, p[k]] for k in range(size)) for p in permutations(range(size)))
            assert sum(costs[k, column] for k, column in enumerate(columns)) == least


def travel(on: Board, start: Sequence[Sequence[int]], gourds: Sequence[Edge]) -> int:
    """Return the sum of the distances of all ends from where they go."""
    return sum(
        distance_list(on.neighbours, [a], on.size)[b]
        for pair, other in zip(start, gourds, strict=True)
        for a, b in zip(pair, other, strict=True)
    )


def test_near_a_position_that_is_a_placement_nothing_moves() -> None:
    on = board("hex F(4)")
    for seed in range(5):
        cells, gourds = planted(on, 3, seed)
        begin = place(on, cells, gourds).configuration
        found = check(on, cells, gourds, near=begin)
        assert found.configuration == begin


def placements(on: Board, cells: Cells, gourds: Sequence[Pair]) -> list[tuple[Edge, ...]]:
    """Return all placements, gourd by gourd."""
    if not gourds:
        return [()]
    head, tail = gourds[0]
    out: list[tuple[Edge, ...]] = []
    for a, b in [*on.edges, *(edge[::-1] for edge in on.edges)]:
        if (cells[a], cells[b]) == (head, tail):
            left = [*cells]
            left[a] = left[b] = ""
            out += [((a, b), *rest) for rest in placements(on, left, gourds[1:])]
    return out


@pytest.mark.parametrize("colours", [2, 3])
def test_near_is_nearest_on_small_boards(colours: int) -> None:
    on = board("hex P(3,3)")
    for seed in range(6):
        cells, gourds = planted(on, colours, seed)
        gourds = sorted(ordered(*pair) for pair in gourds)  # the order of a configuration
        other = random.Random(seed).choice(placements(on, cells[::-1], gourds))
        begin = sl.puzzle(on, "gourds", 1, colours=gourds).configuration(list(other))
        found = check(on, cells, gourds, near=begin)
        assert travel(on, begin.pieces, found.gourds) == min(
            travel(on, begin.pieces, other) for other in placements(on, cells, gourds)
        )


def test_near_on_a_large_board() -> None:
    on = board("hex F(8)")
    cells, gourds = planted(on, 2, 1)
    gourds = sorted(ordered(*pair) for pair in gourds)
    begin = check(on, cells, gourds).configuration
    near = check(on, cells[::-1], gourds, near=begin)
    assert near == place(on, cells[::-1], gourds, near=begin)
    plain = check(on, cells[::-1], gourds)
    assert travel(on, begin.pieces, near.gourds) < travel(on, begin.pieces, plain.gourds) / 3


def test_nine_gourds() -> None:
    nine = nine_gourds()
    assert Counter(end for pair in nine.gourds for end in pair) == dict.fromkeys(("red", "green", "blue"), 6)
    assert Counter(nine.cells) == {".": 1, "red": 6, "green": 6, "blue": 6}
    assert nine.start == nine.puzzle.shuffle(seed=9)
    found = check(nine.puzzle.board, nine.cells, nine.gourds, near=nine.start)
    assert found
    assert found.configuration.holes == (9,)
    assert (
        len(
            {
                frozenset(map(frozenset, laid))
                for laid in placements(nine.puzzle.board, nine.cells, nine.gourds)
            }
        )
        == 1
    )
    assert nine.puzzle.solvable(nine.start, found.configuration)


def test_time_is_up() -> None:
    on = board("hex P(20,20)")
    cells, gourds = planted(on, 8, 3)
    with pytest.raises(OutOfTime, match="no placement of 200 gourds on 'hex P"):
        place(on, cells, gourds, budget=Budget.of(time=0))


def test_progress_and_cancellation() -> None:
    on = board("hex F(4)")
    cells, gourds = planted(on, 3, 1)
    reports: list[tuple[str, int, int]] = []
    place(on, cells, gourds, budget=Budget.of(progress=lambda *report: reports.append(report)))
    assert reports
    assert all(phase == "search" for phase, _, _ in reports)
    cancelled = Event()
    cancelled.set()
    with pytest.raises(OutOfTime):
        place(on, cells, gourds, budget=Budget.of(cancelled=cancelled))


def test_ctrl_c_stops_the_solver_and_stays_with_python() -> None:
    """The solver used to take the signal, and to leave the default action: the end of the process."""
    on = board("hex P(30,30)")
    cells, gourds = planted(on, 8, 3)
    handler = signal.getsignal(signal.SIGINT)

    def interrupt(phase: str, done: int, total: int) -> None:
        if done == 2:  # the solver is at work
            signal.raise_signal(signal.SIGINT)

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            place(on, cells, gourds, budget=Budget.of(60, progress=interrupt))
    assert signal.getsignal(signal.SIGINT) is handler


@pytest.mark.parametrize(
    ("cells", "gourds", "words"),
    [
        (["a"] * 6, [("a", "a")], "expected 7 colours, one for each cell, got 6 - on 'hex F(2)'"),
        (["a"] * 6 + ["a-b"], [("a", "a")], "got 'a-b' - at cell 6"),
        (["a"] * 7, [("a",)], "expected two colours such as red-blue, got 'a' - at gourd 1"),
        (["a"] * 7, [("a", "a"), ("a", ".")], "expected a word as a colour, got '.' - at gourd 2"),
        (["a"] * 7, ["aa"], "expected two colours such as red-blue, got 'aa' - at gourd 1"),
    ],
)
def test_bad_problems(cells: list[str], gourds: list[Pair], words: str) -> None:
    with pytest.raises(NotationError) as error:
        place(board("hex F(2)"), cells, gourds)
    assert words in str(error.value)


def test_bad_times_and_positions() -> None:
    on, cells = board("hex F(2)"), ["a"] * 7
    puzzle = sl.puzzle(on, "gourds", colours=[("a", "a")] * 3)
    for time in (-1, float("nan"), "1", True):
        with pytest.raises(NotationError, match="expected a time in seconds"):
            puzzle.place(cells, time=time)  # type: ignore[arg-type]
    other = sl.position("hex P(3,3) gourds 1 : 0-1=a-a 2-4=a-a 3-6=a-a 5-7=a-a")
    with pytest.raises(NotationError, match=r"expected a position on 'hex F\(2\)'"):
        place(on, cells, [("a", "a")] * 3, near=other)
    plain = sl.puzzle("hex F(2) gourds 1").goal
    with pytest.raises(NotationError, match="got gourds without colours"):
        place(on, cells, [("a", "a")] * 3, near=plain)


def test_no_gourds_and_no_empty_cell() -> None:
    on = board("hex P(2,2)")
    assert place(on, [".", "a", "a", "."], []).gourds == ()
    full = check(on, ["a"] * 4, [("a", "a")] * 2)
    assert full.text == "0-1=a-a 2-3=a-a"
