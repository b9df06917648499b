"""Groups of pieces: they fit the budget, each piece is in one, and what two gain is counted right."""

from __future__ import annotations

from itertools import combinations
from math import perm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plain
import slidelab as sl
from distance.oracle import thorough
from slidelab import _core
from slidelab.budget import Budget
from slidelab.gains import gain_graph
from slidelab.solve.patterns import partition
from slidelab.solve.patterns.databases import build_databases, single_distances
from slidelab.solve.patterns.partition import (
    MAX_PATTERN_PIECES,
    best_partition,
    pair_scores,
    sizes_within_limit,
)
from solve.cases import plain_pattern, twins_with_goals


@given(st.integers(0, 40), st.integers(0, 10**10))
@thorough(200)
def test_sizes_fit_the_budget(pieces: int, budget: int) -> None:
    def needs(size: int) -> int:
        return perm(pieces + 1, size) // 2

    sizes = sizes_within_limit(pieces, budget, needs)
    assert sum(needs(size) for size in sizes if size > 1) <= budget
    assert sum(sizes) in (0, pieces)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert max(sizes, default=0) <= MAX_PATTERN_PIECES
    if pieces > 1 and not sizes:
        assert pieces // 2 * needs(2) > budget


@given(st.lists(st.integers(1, 6), min_size=1, max_size=5), st.integers(0, 1000))
@thorough(40)
def test_each_piece_is_in_one_group(sizes: list[int], seed: int) -> None:
    pieces = sum(sizes)
    scores = np.random.default_rng(seed).random((pieces, pieces))
    scores += scores.T
    np.fill_diagonal(scores, 0)
    groups = best_partition(scores, sizes)
    assert [len(group) for group in groups] == sizes
    assert sorted(slot for group in groups for slot in group) == list(range(pieces))
    assert all(list(group) == sorted(group) for group in groups)
    # No swap of two pieces gains anything.
    label = {slot: number for number, group in enumerate(groups) for slot in group}

    def total(names: dict[int, int]) -> float:
        return sum(float(scores[a, b]) for a, b in combinations(range(pieces), 2) if names[a] == names[b])

    best = total(label)
    for a, b in combinations(range(pieces), 2):
        assert total({**label, a: label[b], b: label[a]}) <= best + 1e-9


def test_no_groups() -> None:
    assert best_partition(np.zeros((4, 4)), []) == ()


@pytest.mark.parametrize("rule", plain.RULES)
@given(st.data())
@thorough(6)
def test_what_two_pieces_gain_is_that_of_plain_search(rule: str, data: st.DataObject) -> None:
    made, goal = data.draw(twins_with_goals(rule, 200))
    graph = gain_graph(made.puzzle)
    shape, _ = graph.place(made.configuration(goal))
    alone = single_distances(graph, shape)
    readings = made.puzzle.rule.readings
    homes = {min(readings(cells)): piece for piece, cells in enumerate(made.pieces(goal))}
    by_slot = [homes[cells] for cells in graph.slots(shape)]
    pairs = list(combinations(range(made.puzzle.piece_count), 2))
    gained = _core.pair_excess(graph.move_table(Budget()), shape, alone, pairs, 2).tolist()
    scores = pair_scores(graph, shape, alone, Budget(threads=1))
    assert (scores == scores.T).all()
    assert (np.diag(scores) == 0).all()
    for (a, b), got in zip(pairs, gained, strict=True):
        both = plain_pattern(made, goal, (by_slot[a], by_slot[b]))
        one, other = (plain_pattern(made, goal, (by_slot[slot],)) for slot in (a, b))
        more = [moves - one[cells[:1]] - other[cells[1:]] for cells, moves in both.items()]
        assert min(more) >= 0
        assert got == pytest.approx(sum(more) / len(more))
        assert scores[a, b] > got


def test_scores_without_exact_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside the hole they are highest."""
    monkeypatch.setattr(partition, "MAX_SCORE_WORK", 0)
    graph = gain_graph("square R(4,4)")
    shape, _ = graph.place(sl.puzzle("square R(4,4)").goal)
    scores = pair_scores(graph, shape, single_distances(graph, shape), Budget(threads=1))
    assert (scores == scores.T).all()
    at = {cells[0]: slot for slot, cells in enumerate(graph.slots(shape))}
    assert scores[at[11], at[14]] == scores.max()


@pytest.mark.parametrize("text", ["square R(4,4)", "hex P(3,3)", "theta(2,2,3)", "hex F(2) gourds 1"])
def test_tables_fit_the_budget(text: str) -> None:
    graph = gain_graph(text)
    for budget in (0, 1, 100, 3000, 100_000, 10**6):
        made = build_databases(graph, graph.shapes - 1, budget)
        slots = [slot for group in made.patterns for slot in group]
        assert made.size <= budget
        assert made.size == sum(len(table.data) for table in made.databases)
        assert [table.pieces for table in made.databases] == [len(group) for group in made.patterns]
        assert all(len(group) > 1 for group in made.patterns)
        assert len(slots) == len(set(slots))
    assert made.patterns
