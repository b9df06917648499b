"""Bounds of God's number: on both sides of it on every small board, and certificates that hold."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import permutations
from random import Random
from typing import Any

import pytest

import slidelab as sl
from commands import Run
from slidelab.boards import connected_graphs
from slidelab.bounds import UpperBound, check_bound, far_pair, gods_number_bounds, upper_bound
from slidelab.bounds.lower import sum_of_distances

CORE_STATES, STEP_STATES = 400, 3000
"""Limits with which pieces must be placed step by step even on small boards."""

PUZZLES = (
    *("square R(2,3)", "square R(3,3)", "square R(2,4)", "square R(3,3) tiles 2", "square R(3,3) tiles 4"),
    *("king R(3,2)", "theta(1,2,2)", "theta(2,2,2)", "theta(1,1,2) tiles 2", "cycle(6)", "complete(6)"),
    *("hex F(2)", "hex F(2) hextiles 3", "hex F(2) hextiles 4", "hex T(4)", "hex T(4) hextiles 3"),
    *("hex P(3,3)", "hex P(3,3) hextiles 3", "hex P(3,3) tiles 1", "hex F(2) gourds", "hex P(3,3) gourds"),
    *("graph 0-1 1-2 2-3", "hex T(3)", "square R(2,2) tiles 3", "hex P(4,3) trimers-bent"),
    *("hex P(4,3) trimers-straight", "hex P(4,3) trimers-triangle", "hex P(3,3) trimers"),
    "hex P(3,3) gourds-sharp",
)


def stepwise(text: str) -> UpperBound | None:
    """Return the bound with these limits."""
    return upper_bound(text, core_states=CORE_STATES, step_states=STEP_STATES)


def enclosed(puzzle: sl.Puzzle, *, steps: bool = True) -> sl.GodsNumber:
    """Check that God's number lies between the bounds, and that both certificates hold."""
    exact = puzzle.gods_number()
    found = gods_number_bounds(puzzle)
    if steps:
        found = gods_number_bounds(puzzle, core_states=CORE_STATES, step_states=STEP_STATES)
    if found.pair is not None:
        assert found.pair.number <= exact.number, puzzle.text
        assert check_bound(json.loads(json.dumps(found.pair.to_json()))) == found.pair.number
    if found.upper is not None:
        assert found.upper.number >= exact.number, puzzle.text
        assert check_bound(json.loads(json.dumps(found.upper.to_json()))) == found.upper.number
    return exact


@pytest.mark.parametrize("text", PUZZLES)
@pytest.mark.parametrize("steps", [False, True])
def test_gods_number_is_enclosed(text: str, steps: bool) -> None:
    enclosed(sl.puzzle(text), steps=steps)


@pytest.mark.parametrize("cells", [3, 4, 5, 6])
def test_all_two_connected_graphs(cells: int) -> None:
    peeled = 0
    for board in connected_graphs(cells, two_connected=True):
        for holes in {1, 2, cells - 2} - {0}:
            puzzle = sl.puzzle(board, "tiles", holes)
            exact = puzzle.gods_number().number
            upper = upper_bound(puzzle, core_states=60, step_states=2000)
            pair = far_pair(puzzle)
            assert pair is None or pair.number <= exact
            if upper is not None:
                assert upper.number >= exact, puzzle.text
                peeled += any(p.order.groups for p in upper.peelings)
    assert peeled or cells < 5


def test_random_boards() -> None:
    rng = Random(5)
    for _ in range(12):
        size = rng.randint(4, 7)
        edges = {(rng.randrange(k), k) for k in range(1, size)}
        pairs = (sorted(rng.sample(range(size), 2)) for _ in range(rng.randint(1, 5)))
        edges |= {(a, b) for a, b in pairs}
        text = " ".join(f"{a}-{b}" for a, b in sorted(edges))
        enclosed(sl.puzzle(f"graph {text}", "tiles", rng.randint(1, size - 1)))
    for _ in range(6):
        cells = {(0, 0)}
        while len(cells) < 8:
            q, r = rng.choice(sorted(cells))
            cells.add((q + rng.choice((-1, 0, 1)), r + rng.choice((-1, 0, 1))))
        text = " ".join(f"{q},{r}" for q, r in sorted(cells))
        enclosed(sl.puzzle(f"hex {text}", "hextiles", rng.choice((2, 3))))


@pytest.mark.parametrize(
    ("text", "number", "core_states"),
    [
        ("hex 0,0 1,0 2,0 3,0 4,0 -1,1 0,1 1,1 2,1 3,1 4,1 gourds 1", 38, 2000),
        ("hex P(3,3) gourds 1", 21, 200),
    ],
)
def test_gourds_are_placed_step_by_step(text: str, number: int, core_states: int) -> None:
    found = upper_bound(text, core_states=core_states)
    assert found is not None
    assert any(peeling.order.groups for peeling in found.peelings)
    assert found.number >= number == sl.puzzle(text).gods_number().number
    assert check_bound(found.to_json()) == found.number


def test_larger_boards_whose_number_is_known() -> None:
    for text, number in (("square R(3,4)", 53), ("hex P(3,4)", 81), ("hex T(5)", 73), ("hex P(3,5)", 103)):
        found = gods_number_bounds(text, rounds=1)
        assert found.at_least is not None
        assert found.at_most is not None
        assert found.at_least <= number <= found.at_most


# Certificates, checked by code that knows nothing of gain graphs

State = tuple[frozenset[int], tuple[int, ...]]


class Plain:
    """Tiles or hexagonal tiles on part of a board: which cells touch, and what may move."""

    def __init__(self, puzzle: sl.Puzzle, cells: set[int]) -> None:
        self.needs_two = puzzle.rule.name == "hextiles"
        self.near = {a: set(puzzle.board.neighbours[a]) & cells for a in cells}

    def moves(self, state: State) -> Iterator[State]:
        holes, pieces = state
        for hole in holes:
            for cell in self.near[hole] - holes:
                if self.needs_two and not self.near[cell] & self.near[hole] & holes:
                    continue
                after = tuple(hole if piece == cell else piece for piece in pieces)
                yield (holes - {hole}) | {cell}, after

    def left(self, ends: dict[State, int]) -> dict[State, int]:
        """Return the fewest moves, plus the value of an end, from every state."""
        best = dict(ends)
        queue = [(value, sorted(holes), pieces) for (holes, pieces), value in ends.items()]
        heapq.heapify(queue)
        while queue:
            value, hole_list, pieces = heapq.heappop(queue)
            state = (frozenset(hole_list), pieces)
            if value == best[state]:
                for after in self.moves(state):
                    if value + 1 < best.get(after, value + 2):
                        best[after] = value + 1
                        heapq.heappush(queue, (value + 1, sorted(after[0]), after[1]))
        return best


def plain_worst_cases(claim: dict[str, Any], puzzle: sl.Puzzle) -> list[int]:
    """Return the worst cases of a certificate: of the core, and before the steps, the last first."""
    tiles = claim["goal"]["tiles"]
    holes = frozenset(cell for cell, tile in enumerate(tiles) if not tile)
    groups = [[cells[0] for cells in step["pieces"]] for step in claim["steps"]]
    inside = set(range(len(tiles))) - {cell for group in groups for cell in group}
    homes = tuple(sorted(inside - holes))
    values: dict[frozenset[int], int] = {}
    for (at, _), moves in Plain(puzzle, inside).left({(holes, homes): 0}).items():
        values[at] = max(values.get(at, 0), moves)
    worst = [max(values.values())]
    for group in reversed(groups):
        inside |= set(group)
        ends = {(at, tuple(group)): value for at, value in values.items()}
        values = {}
        for (at, _), moves in Plain(puzzle, inside).left(ends).items():
            values[at] = max(values.get(at, 0), moves)
        worst.append(max(values.values()))
    return worst


@pytest.mark.parametrize(
    "text",
    [
        *("square R(3,3)", "square R(3,4)", "square R(2,4) tiles 2", "hex F(2) hextiles 3"),
        "hex P(3,3) tiles 2",
    ],
)
def test_worst_cases_by_plain_search(text: str) -> None:
    puzzle = sl.puzzle(text)
    found = stepwise(text)
    assert found is not None
    for claim in found.to_json()["peelings"]:
        claimed = [claim["core"], *(step["moves_left"] for step in reversed(claim["steps"]))]
        plain = plain_worst_cases(claim, puzzle)
        assert claimed == plain


def test_far_pair_by_plain_search() -> None:
    pair = far_pair("square R(3,2)")
    assert pair is not None
    cells = Plain(pair.start.puzzle, set(range(6)))
    goal = (frozenset(pair.goal.holes), tuple(p[0] for p in pair.goal.pieces))
    start = (frozenset(pair.start.holes), tuple(p[0] for p in pair.start.pieces))
    assert pair.number <= cells.left({goal: 0})[start] <= 21
    # No arrangement has a larger sum: every one of them, with every place of the hole.
    best = 0
    for order in permutations(range(6)):
        here = pair.start.puzzle.configuration([0 if t == 5 else t + 1 for t in order])
        best = max(best, sum_of_distances(here, pair.goal))
    assert best - 2 <= pair.number <= best + 1


def _numbers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if key not in ("puzzle", "goal", "start", "pieces"):
                yield from _numbers(each, (*path, key))
    elif isinstance(value, list):
        for key, each in enumerate(value):
            yield from _numbers(each, (*path, key))
    elif isinstance(value, int):
        yield path


@pytest.mark.parametrize("text", ["square R(3,3)", "hex T(4)"])
def test_tampered_certificates_are_refused(text: str) -> None:
    upper, pair = stepwise(text), far_pair(text)
    assert upper is not None
    assert pair is not None
    for claim in (upper.to_json(), pair.to_json()):
        for path in _numbers(claim):
            for change in (-1, 2):
                forged = deepcopy(claim)
                part: Any = forged
                for key in path[:-1]:
                    part = part[key]
                part[path[-1]] += change
                with pytest.raises(sl.PuzzleError, match="certificate of a bound is wrong"):
                    check_bound(forged)
    forged = upper.to_json()
    forged["peelings"] = []
    with pytest.raises(sl.PuzzleError, match="family of shapes"):
        check_bound(forged)
    for broken in ({}, {"kind": "upper bound"}, {**pair.to_json(), "start": 7}, [1]):
        with pytest.raises(sl.PuzzleError):
            check_bound(broken)  # type: ignore[arg-type]


def test_a_step_that_loses_pieces_is_refused() -> None:
    claim = stepwise("square R(3,3)")
    assert claim is not None
    forged = claim.to_json()
    first = forged["peelings"][0]
    first["steps"] = first["steps"] + [{"pieces": [[7]], "moves_left": 3}]
    with pytest.raises(sl.PuzzleError, match="certificate of a bound"):
        check_bound(forged)


# The command


def test_god_prints_both_bounds(run: Run) -> None:
    done = run("god", "square R(4,4)", "--memory", "100M")
    assert done.code == 3
    assert "proved: at least 60, by a pair of configurations far apart" in done.err
    assert "; at most 122, by placing the pieces in 3 steps" in done.err
    row = run("god", "square R(4,4)", "--memory", "100M", "--json").json
    assert row["gods_number"] is None
    assert row["at_least"] == 39
    assert (row["bounds"]["at_least"], row["bounds"]["at_most"]) == (60, 122)
    assert [check_bound(claim) for claim in row["bounds"]["certificates"]] == [60, 122]


def test_what_does_not_count_single_moves_of_numbered_pieces_has_no_lower_bound(run: Run) -> None:
    row = run("god", "square R(4,4)", "--metric", "straight", "--memory", "100M", "--json").json
    assert row["bounds"]["at_least"] is None
    assert row["bounds"]["at_most"] == 122


@pytest.mark.parametrize("limit", ["step_states", "core_states", "rounds"])
def test_limits_that_allow_nothing_are_refused(limit: str) -> None:
    bound: Callable[..., object] = upper_bound
    with pytest.raises(sl.NotationError, match=f"at least 1, got -1 - at {limit}"):
        bound("square R(3,3)", **{limit: -1})
