"""Distances to the nearest goal on coloured cells, against a plain search that knows nothing of slidelab."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from commands import Run, refused
from distance.oracle import thorough
from slidelab import _core
from slidelab.budget import Budget
from slidelab.distance.goal_table import GoalTable, _Numbering, goals_on_cells
from slidelab.errors import NotationError, OutOfTime, TooLarge, Unsolvable

Piece = tuple[tuple[int, str], ...]
State = frozenset[Piece]
Colours = tuple[tuple[str, ...], ...]


def neighbours(edges: set[tuple[int, int]], size: int, state: State) -> Iterator[State]:
    """Yield what one move makes of tiles or gourds, each a set of cells with their colours."""
    holes = set(range(size)) - {cell for piece in state for cell, _ in piece}
    for piece in state:
        for hole in holes:
            for after in moved(edges, piece, hole):
                yield state - {piece} | {tuple(sorted(after))}


def moved(edges: set[tuple[int, int]], piece: Piece, hole: int) -> Iterator[Piece]:
    if len(piece) == 1:
        if (piece[0][0], hole) in edges:
            yield ((hole, piece[0][1]),)
        return
    for (back, first), (front, second) in (piece, piece[::-1]):
        if (front, hole) not in edges:
            continue
        if (back, hole) in edges:
            yield (back, first), (hole, second)  # a pivot: one end stays
        else:
            yield (front, first), (hole, second)


def all_goals(edges: set[tuple[int, int]], colours: Colours, cells: tuple[str, ...]) -> set[State]:
    """Return all ways to put the pieces on cells of their colours, piece by piece."""
    found: set[State] = {frozenset()}
    places = edges if len(colours[0]) == 2 else {(cell,) for cell in range(len(cells))}
    for labels in colours:
        found = {
            state | {tuple(sorted(zip(place, labels, strict=True)))}
            for state in found
            for place in places
            if all(cells[cell] == label for cell, label in zip(place, labels, strict=True))
            if not {cell for piece in state for cell, _ in piece} & set(place)
        }
    return found


def plain_search(
    edges: set[tuple[int, int]], size: int, goals: set[State]
) -> tuple[dict[State, int], dict[State, int]]:
    """Return the distance of each state, and its number of shortest solutions."""
    distance, paths = dict.fromkeys(goals, 0), dict.fromkeys(goals, 1)
    layer = list(goals)
    while layer:
        following: list[State] = []
        for here in layer:
            for there in set(neighbours(edges, size, here)):
                if there not in distance:
                    distance[there], paths[there] = distance[here] + 1, 0
                    following.append(there)
                if distance[there] == distance[here] + 1:
                    paths[there] += paths[here]
        layer = following
    return distance, paths


def as_state(here: sl.Configuration) -> State:
    pairs = zip(here.pieces, here.puzzle.colours or (), strict=True)
    return frozenset(tuple(sorted(zip(cells, labels, strict=True))) for cells, labels in pairs)


def both_ways(board: sl.Board) -> set[tuple[int, int]]:
    return {pair for a, b in board.edges for pair in ((a, b), (b, a))}


BOARDS = ("hex F(2) gourds", "hex P(3,3) gourds", "hex P(2,3) gourds 2", "hex T(3) gourds 2", "square R(3,2)")
MORE = ("square R(2,3) tiles 2", "theta(1,1,2)", "graph 0-1 1-2 2-0 2-3 3-4 gourds 1", "king R(3,2) gourds 2")


@st.composite
def coloured(draw: st.DrawFn) -> tuple[sl.Puzzle, tuple[str, ...]]:
    """Return a puzzle, and colours of cells that some placement of its pieces matches."""
    plain = sl.puzzle(draw(st.sampled_from(BOARDS + MORE)))
    turns = plain.rule.turns
    colour = st.sampled_from("abc"[: draw(st.integers(1, 3))])
    labels = draw(
        st.lists(st.tuples(*[colour] * turns), min_size=plain.piece_count, max_size=plain.piece_count)
    )
    puzzle = sl.puzzle(plain, colours=labels)
    goal = puzzle.shuffle(seed=draw(st.integers(0, 99)))
    cells = ["."] * plain.board.size
    for own, place in zip(puzzle.colours or (), goal.pieces, strict=True):
        for cell, label in zip(place, own, strict=True):
            cells[cell] = label
    for hole in goal.holes:  # a coloured cell may stay empty, too
        cells[hole] = draw(st.sampled_from([".", "a", "b"]))
    return puzzle, tuple(cells)


@given(coloured(), st.randoms(use_true_random=False))
@thorough(15)
def test_against_a_plain_search(case: tuple[sl.Puzzle, tuple[str, ...]], rng: object) -> None:
    puzzle, cells = case
    edges, size = both_ways(puzzle.board), puzzle.board.size
    goals = all_goals(edges, puzzle.colours or (), cells)
    distance, paths = plain_search(edges, size, goals)
    table = GoalTable(puzzle, cells, samples=5)
    assert (
        {as_state(goal) for goal in table.goals}
        == goals
        == {as_state(g) for g in goals_on_cells(puzzle, cells)}
    )
    depth = max(distance.values())
    counts = Counter(distance.values())
    unique = Counter(distance[state] for state, number in paths.items() if number == 1)
    assert table.distribution == tuple(counts[d] for d in range(depth + 1))
    assert table.unique == tuple(unique[d] for d in range(depth + 1))
    assert len(distance) <= table.configurations
    for d in range(depth + 1):
        drawn = table.sample(d)
        assert len({start for start, _ in drawn}) == len(drawn) >= min(5, counts[d])
        for start, is_unique in drawn[:3]:
            state = as_state(start)
            assert table.distance(start) == distance[state] == d
            assert table.is_unique(start) == is_unique == (paths[state] == 1)
            found = table.count_solutions(start)
            assert found.count == paths[state]
            assert found.chance == pytest.approx(chance(edges, size, distance, state))
            solution = table.solve(start)
            assert solution.length == d
            assert as_state(solution.goal) in goals
            assert len(table.next_moves(start)) == len(
                {n for n in neighbours(edges, size, state) if distance[n] == d - 1}
            )


def chance(edges: set[tuple[int, int]], size: int, distance: dict[State, int], start: State) -> float:
    """Return how likely random moves, none of which takes the last one back, are a shortest solution."""
    now, solved = {start: 1.0}, 0.0
    while now:
        following: Counter[State] = Counter()
        for here, weight in now.items():
            around = set(neighbours(edges, size, here))
            if not distance[here]:
                solved += weight
            for there in around:
                if distance[there] == distance[here] - 1:
                    following[there] += weight / (len(around) - (here != start))  # type: ignore[assignment]
        now = dict(following)
    return solved


def strip() -> sl.Puzzle:
    """Seven gourds with two colours each: 128 ways to turn them, more than the bits of a machine word."""
    board = sl.board({"kind": "hex", "cells": [[q, 0] for q in range(8)] + [[q, 1] for q in range(7)]})
    return sl.puzzle(board, "gourds", colours=[("a", "b")] * 7)


def test_more_turns_than_bits_of_a_word() -> None:
    puzzle = strip()
    cells = ["."] * 15
    for head, tail in puzzle.goal.pieces:
        cells[head], cells[tail] = "a", "b"
    table = GoalTable(puzzle, cells)
    edges = both_ways(puzzle.board)
    distance, paths = plain_search(edges, 15, all_goals(edges, puzzle.colours or (), tuple(cells)))
    counts = Counter(distance.values())
    assert table.distribution == tuple(counts[d] for d in sorted(counts))
    assert sum(table.unique) == sum(number == 1 for number in paths.values())


@pytest.mark.parametrize(
    "text", ["hex P(3,3) gourds : 0-1=a-c 3-4=a-b 6-7=b-b 5-8=c-c", "square R(3,3) : a a b b b c c c ."]
)
def test_thin_and_full_layers_and_threads_agree(text: str) -> None:
    puzzle = sl.puzzle(text)
    numbering = _Numbering(puzzle, Budget())
    start = numbering.index(puzzle.goal)
    assert numbering.configuration(start) == puzzle.goal
    results = []
    for thin in (0, 1, 128):
        for threads in (1, 3):
            search = _core.GoalSearch(numbering.code, 4, thin)
            search.begin([start])
            while search.advance(threads):
                pass
            last = len(search.layers) - 1
            results.append((search.layers, search.sample(last), search.sample(last // 2)))
    assert all(result == results[0] for result in results)
    assert [states for states, _ in results[0][0]] == list(puzzle.distances(puzzle.goal).distribution)


def test_the_kernel_refuses_what_makes_no_sense() -> None:
    code = _Numbering(sl.puzzle("square R(2,2) : a a b ."), Budget()).code
    search = _core.GoalSearch(code)
    with pytest.raises(RuntimeError, match="not begun"):
        search.advance(1)
    with pytest.raises(RuntimeError, match="not begun"):
        search.residue((0, 0))
    with pytest.raises(ValueError, match="no such place"):
        search.begin([(99, 0)])
    search.begin([(0, 0)])
    with pytest.raises(ValueError, match="no such layer"):
        search.sample(1)
    assert code.index(np.array([1, 1, 1], dtype=np.uint16), np.zeros(3, dtype=np.uint32)) is None


def test_bad_input_and_limits() -> None:
    puzzle = sl.puzzle("square R(3,2) : a a a b b .")
    with pytest.raises(NotationError, match="expected 6 colours, one for each cell, got 2"):
        puzzle.goal_distances(["a", "b"])
    with pytest.raises(NotationError, match="expected coloured pieces"):
        puzzle.uncoloured.goal_distances(["a"] * 6)
    with pytest.raises(Unsolvable, match="no placement"):
        puzzle.goal_distances(["c"] * 6)
    with pytest.raises(NotationError, match="hardest configurations"):
        puzzle.goal_distances(["a"] * 6, hardest=-1)
    with pytest.raises(TooLarge, match=r"(limit|memory)"):
        sl.puzzle("hex F(3) gourds", colours=[("a", "b")] * 9).goal_distances(["a"] * 19, memory="1M")
    with pytest.raises(OutOfTime):
        sl.puzzle("square R(3,3) : a a b b c c d d .").goal_distances(
            ["a", "a", "b", "b", "c", "c", "d", "d", "."], time=0
        )
    table = GoalTable(puzzle, list("abab") + ["a", "."])
    with pytest.raises(NotationError, match="largest one"):
        table.sample(99)


def test_states_that_reach_no_goal() -> None:
    found = sl.puzzle("square R(2,2) : a b c .").goal_distances(["a", "b", "c", "."])
    assert (found.states, found.configurations, found.depth) == (12, 24, 6)
    assert "without solution" in str(found)


def test_the_command(run: Run) -> None:
    board, cells = "square R(3,2) : a a a b b .", "a b a b a ."
    found = run("god", board, "--cells", cells, "--json").json
    expected = sl.puzzle(board).goal_distances(cells.split())
    assert found == expected.to_json()
    assert len(run("god", board, "--cells", cells, "--json", "--hardest", "3").json["hardest"]) == 1
    text = run("god", board, "--cells", cells).out
    assert f"only one solution  {sum(expected.unique)} (" in text
    none = run("god", board, "--cells", "a b a b c .")
    assert (none.code, none.err) == (1, "")
    assert "no placement" in none.out
    refused(run("god", board, "--cells", "a b"), "expected 6 colours")
    refused(run("god", board, "--cells", cells, "--metric", "straight"), "--metric")
    refused(run("god", board, "--cells", cells, "--checkpoint", "x"), "--checkpoint")
    refused(run("god", board, board, "--cells", cells), "one puzzle")
