"""The atlas of gourds: stored tables against the conjecture, recomputed, and against plain search."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from atlas.tables import COUNTS, table
from plain import Plain
from plain import hex_board as plain_hex_board
from slidelab.atlas import Entry, boards_with_holes, entries, entry, read_atlas, summarize
from slidelab.boards import board, holes_in_board, is_hole_free, is_two_connected, polyhexes
from slidelab.errors import NotationError, TooLarge
from slidelab.reach.group import PermutationGroup


@pytest.mark.parametrize("cells", COUNTS)
def test_stored_tables_are_whole(cells: int) -> None:
    atlas = read_atlas(table(cells))
    assert (atlas.cells, atlas.finished) == (cells, True)
    assert (len(atlas.entries), sum(e.solvable for e in atlas.entries)) == COUNTS[cells]
    assert len({e.board for e in atlas.entries}) == len(atlas.entries)


@pytest.mark.parametrize("cells", COUNTS)
def test_the_conjecture_is_right_about_every_stored_board(cells: int) -> None:
    assert all(e.agrees for e in read_atlas(table(cells)).entries)


@pytest.mark.parametrize("cells", COUNTS)
def test_groups_are_those_that_the_document_names(cells: int) -> None:
    n = cells // 2
    for e in read_atlas(table(cells)).entries:
        (family,) = e.families
        if e.solvable:
            assert family.group == f"C2 wr Sym({n})"
        elif e.features.necklace:
            turned = "C2 wr Alt(3)" if n == 3 else f"C2 wr C({n})"
            assert e.group == (turned if e.features.pivots else f"C({n})")
        elif not e.features.never_empty and e.features.pivots:
            assert family.group == f"C2 wr Alt({n})"


@pytest.mark.parametrize("cells", [7, 9])
def test_small_tables_recomputed(cells: int) -> None:
    assert tuple(entries(cells)) == read_atlas(table(cells)).entries


@pytest.mark.parametrize(("cells", "sample"), [(11, 30), (13, 20)])
def test_samples_of_large_tables_recomputed(cells: int, sample: int) -> None:
    stored = read_atlas(table(cells)).entries
    for e in random.Random(cells).sample(stored, sample):
        assert entry(board(e.board)) == e


def test_boards_are_all_polyhexes_that_qualify() -> None:
    for cells in (7, 9):
        expected = [b for b in polyhexes(cells) if is_two_connected(b) and not is_hole_free(b)]
        assert list(boards_with_holes(cells)) == expected
    assert [b.name for b in boards_with_holes(11)] == [e.board for e in read_atlas(table(11)).entries]


def test_small_boards_of_the_table_against_plain_search() -> None:
    for e in read_atlas(table(7)).entries:
        summary = Plain.on(plain_hex_board(board(e.board).cells), "gourds", 1).summary()
        assert (summary["shapes"], summary["isolated"]) == (e.shapes, e.isolated)
        assert summary["components"] == e.components == 2
        assert holes_in_board(board(e.board)) == e.holes == 1
    ring_of_nine = next(e for e in read_atlas(table(9)).entries if e.solvable)
    summary = Plain.on(plain_hex_board(board(ring_of_nine.board).cells), "gourds", 1).summary()
    assert (summary["shapes"], summary["components"], summary["isolated"]) == (ring_of_nine.shapes, 1, 0)


def test_only_necklaces_get_a_better_name() -> None:
    e = next(e for e in read_atlas(table(9)).entries if e.group == "C2 wr C(4)")
    assert e.families[0].group == "group of order 64 on 8 points"
    assert replace(e, features=replace(e.features, necklace=False)).group == "group of order 64 on 8 points"
    other = replace(e.families[0], group="group of order 32 on 8 points")
    assert replace(e, families=(other, other)).group == f"{other.group} and {other.group}"
    cyclic = PermutationGroup([[2, 3, 4, 5, 6, 7, 0, 1], [1, 0, 2, 3, 4, 5, 6, 7]])
    assert cyclic.name == e.families[0].group


def test_summary_counts_the_first_board_that_breaks_a_rule() -> None:
    rules = {r.rule: r for r in summarize(read_atlas(table(11)).entries).rules}
    assert rules["... and an even ring (the conjecture)"].wrong == 0
    assert rules["... and not a necklace"].wrong == 4
    assert rules["a Hamiltonian cycle"].wrong == 36
    broken = rules["... and not a necklace"].first_wrong
    assert broken is not None
    assert entry(board(broken)).families[0].group == "C2 wr Alt(5)"


def test_boards_of_the_thesis_are_solvable() -> None:
    for cells in COUNTS:
        for e in read_atlas(table(cells)).entries:
            assert e.solvable or not (e.features.hole_free_cycle or e.features.station)


@pytest.mark.parametrize(
    ("cells", "words"), [(8, "odd"), (5, "hole"), (3, "hole"), (0, "at least 1"), (2.5, "expected")]
)
def test_wrong_numbers_of_cells(cells: int, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        entries(cells)


def test_too_many_cells() -> None:
    with pytest.raises(TooLarge, match="at most 17"):
        entries(19)


def test_several_processes_give_the_same_in_the_same_order() -> None:
    assert tuple(entries(9, processes=2)) == read_atlas(table(9)).entries


def test_skipping() -> None:
    assert tuple(entries(9, skip=10)) == read_atlas(table(9)).entries[10:]


def test_entries_are_json_and_back() -> None:
    for e in read_atlas(table(11)).entries:
        assert Entry.from_json(e.to_json()) == e
    bad: tuple[dict[str, Any], ...] = (
        {},
        {"board": "hex F(2)"},
        {**e.to_json(), "shapes": "many"},
        {**e.to_json(), "families": 3},
    )
    for wrong in bad:
        with pytest.raises(NotationError):
            Entry.from_json(wrong)
