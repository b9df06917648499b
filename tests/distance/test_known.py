"""Results from the literature: those that are small enough are computed, and all are told apart from that."""

from __future__ import annotations

import pickle

import pytest

import slidelab as sl
from commands import Run
from slidelab.boards.lattice import images
from slidelab.distance.known import KnownResult, known_number
from slidelab.library import tables

# ruff: noqa: E501 - a table of messages, one a line

CORNER = "hole in a corner"
KNOWN = [KnownResult.of_row(row) for row in tables()["literature"].rows]

LARGER = ("square R(4,3) tiles 1", "square R(6,2) tiles 1", "hex P(3,4) hextiles 2")
"""Puzzles of more than nine pieces that take a second. Those of T(5), Ttr(5), P(3,5) and Ptr(3,5) take two minutes."""


def name(known: KnownResult) -> str:
    return f"{known.puzzle} {known.metric}"


def small() -> list[KnownResult]:
    exact = [known for known in KNOWN if known.exact]
    return [known for known in exact if sl.puzzle(known.puzzle).piece_count <= 9 or known.puzzle in LARGER]


@pytest.mark.parametrize("known", small(), ids=name)
def test_small_ones_are_what_is_computed(known: KnownResult) -> None:
    p = sl.puzzle(known.puzzle)
    if known.starts == CORNER:
        assert p.distances(metric=known.metric).depth == known.number
        assert p.piece_count > 9 or p.gods_number(metric=known.metric).number == known.number
    else:
        assert known.starts == "all"
        assert p.gods_number(metric=known.metric).number == known.number


def test_every_image_of_a_board_is_known() -> None:
    for text in ("hex P(3,4)", "square R(5,3)", "hex Ptr(3,5)", "hex T(5)"):
        on = sl.board(text)
        expected = sl.known_results(text)
        assert expected
        for cells in zip(*(images(on.kind, x, y) for x, y in on.cells), strict=True):
            moved = [[x + 3, y - 7] for x, y in cells]
            assert sl.known_results(sl.puzzle({"kind": on.kind, "cells": moved})) == expected


@pytest.mark.parametrize(
    "text",
    [
        "square R(4,4) tiles 2",
        "king R(4,4)",
        "square R(4,4) : a a a a a a a a b b b b b b b .",
        "35-puzzle",
        "square R(300,300)",
        "theta(1,2,2)",
        "square 0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1 0,2 1,2 2,2 3,2 0,3 1,3 2,3 4,3",
    ],
)
def test_other_puzzles_are_not(text: str) -> None:
    assert sl.known_results(text) == ()


def test_entries_are_unique() -> None:
    assert len({name(known) for known in KNOWN}) == len(KNOWN)
    for known in KNOWN:
        same = [each for each in sl.known_results(known.puzzle) if each.metric == known.metric]
        assert [each.number for each in same] == [known.number]
        assert sl.puzzle(known.puzzle).text == known.puzzle


def test_a_refusal_quotes_what_is_known(run: Run) -> None:
    for text, memory, words in (
        ("4x4", "1G", "known: 80 (Bruengger, Marzetta, Fukuda, Nievergelt 1999; Tarakanov 2023), not computed here"),
        ("square R(2,8)", "1G", "known: 140 from a start with the hole in a corner (OEIS A151944"),
        ("3x5", "1G", "known: 84 from"),
        ("hex P(3,5)", "1M", "known: 103 (an earlier search with slidelab), not computed here"),
    ):  # fmt: skip
        refused = run("god", text, "--memory", memory)
        assert refused.code == 3
        assert refused.out == ""
        assert words in refused.err
        with pytest.raises(sl.TooLarge) as caught:
            sl.puzzle(text).gods_number(memory=memory)
        assert words in str(caught.value)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_the_json_of_a_refusal(run: Run) -> None:
    value = run("god", "15-puzzle", "--memory", "1G", "--json").json
    assert value["gods_number"] is None
    assert value["at_least"] < 80
    assert value["known"] == {
        "gods_number": 80,
        "metric": "single",
        "starts": "all",
        "sources": ["Bruengger, Marzetta, Fukuda, Nievergelt 1999", "Tarakanov 2023"],
        "computed": False,
    }
    pushes = run("god", "15-puzzle", "--memory", "1G", "--metric", "straight", "--json").json
    assert (pushes["known"]["gods_number"], pushes["known"]["metric"]) == (43, "straight")
    assert run("god", "35-puzzle", "--memory", "1G", "--json").json["known"] is None
    assert "known" not in run("god", "35-puzzle", "--memory", "1G").err


def test_bounds_of_the_literature_are_no_numbers(run: Run) -> None:
    (known,) = sl.known_results("24-puzzle")
    assert (known.number, known.at_most, known.exact) == (152, 205, False)
    assert known_number(sl.puzzle("24-puzzle")) is None
    words = (
        "known: 152 to 205 from a start with the hole in a corner (OEIS A090031; Whitmore 2018), not computed"
    )
    assert words in run("god", "24-puzzle", "--memory", "1G").err
    value = run("god", "24-puzzle", "--memory", "1G", "--json").json
    assert value["gods_number"] is value["known"]["gods_number"] is None
    assert (value["known"]["at_least"], value["known"]["at_most"]) == (152, 205)


def test_what_is_computed_is_not_quoted(run: Run) -> None:
    assert "known" not in run("god", "8-puzzle").out
    assert "known" not in run("god", "8-puzzle", "--json").json


def test_bounds_are_quoted_as_such(run: Run) -> None:
    row = next(
        row
        for row in tables()["hexagonal-families"].rows
        if row["gods_number"] is None and row["at_most"] is not None
    )
    (known,) = sl.known_results(row.puzzle)
    assert not known.exact
    assert (known.number, known.at_most) == (row["at_least"], row["at_most"])
    assert f"known: {known.number} to {known.at_most} (computed by slidelab" in known.text
    assert known.to_json()["gods_number"] is None
    assert known.to_json()["at_most"] == row["at_most"]
    refused = run("god", row.puzzle, "--memory", "1K")
    assert refused.code == 3
    assert f"known: {known.number} to {known.at_most}" in refused.err
