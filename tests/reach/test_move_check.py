"""The checker: all forms of moves, and where they fail."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from commands import Run, refused

PUZZLES = (
    "square R(3,3)",
    "hex P(3,3) hextiles 3",
    "hex F(2) gourds",
    "square R(3,3) trimers 3",
    "square R(3,2) : a a b b c .",
)


@pytest.mark.parametrize("text", PUZZLES)
def test_all_forms(text: str) -> None:
    p = sl.puzzle(text)
    start = p.shuffle(seed=3)
    solution = p.solve(start)
    assert solution.length > 2
    arrays = p.arrays()
    rows = np.array([(m.piece, *m.before, *m.after) for m in solution.moves])
    forms: list[Any] = [
        solution,
        list(solution.moves),
        solution.text,
        solution.text.split(),
        [move.to_json() for move in solution.moves],
        json.dumps(solution.to_json()),
        arrays.encode_moves(solution.moves),
        np.append(arrays.encode_moves(solution.moves), -1).astype(np.int64),
        rows,
        sl.MoveList.of(solution.moves).rows,
    ]
    if p.rule.slides_along_edges and p.colours is None:
        forms.append(solution.arrows)
    for form in forms:
        found = sl.check(p, start, form)
        assert found, form
        assert found.solution.moves == solution.moves
        assert sl.check(text, start, form, goal=start).reason.startswith(
            f"the {solution.length} legal moves lead to"
        )
    assert sl.check(p, start, []) == sl.check(p, start, "")
    assert not sl.check(p, start, [])


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_where_it_fails(data: st.DataObject) -> None:
    """A walk with one move that is illegal where it stands: its number is found, in every form."""
    p = sl.puzzle(data.draw(st.sampled_from(PUZZLES[:4])))
    arrays = p.arrays()
    seed, length = data.draw(st.integers(0, 10**6)), data.draw(st.integers(1, 12))
    start = p.goal
    numbers = arrays.random_walks(arrays.encode([start]), length, seed=seed).moves[0]
    place = data.draw(st.integers(0, length - 1))
    trace = arrays.replay(arrays.encode([start]), numbers[None])[0]
    illegal = np.flatnonzero(~arrays.legal_moves(trace[place][None])[0])
    wrong = numbers.copy()
    wrong[place] = data.draw(st.sampled_from(illegal.tolist()))
    found = sl.check(p, start, wrong)
    assert not found
    assert not found.legal
    assert found.failed == place + 1
    assert arrays.encode([found.end]).tolist() == [trace[place].tolist()]
    texts = [move.text for move in arrays.decode_moves(start, numbers)]
    assert sl.check(p, start, [*texts[:place], "99:0>1", *texts[place:]]).failed == place + 1
    assert sl.check(p, start, texts).legal


def test_what_is_no_move() -> None:
    p, start = sl.puzzle("square R(2,2)"), "1 2 . 3"
    for moves, words in (
        ("what", "got 'what'"),
        (np.zeros((1, 7), dtype=int), "rows of 3 numbers"),
        (np.zeros(2), "whole numbers"),
        (np.array([99]), "from 0 to 7"),
        (np.array([4]), "on 2, got none"),
        (["3:3>2", None], "NoneType"),
    ):
        found = sl.check(p, start, moves)  # type: ignore[arg-type]
        assert not found
        assert words in found.reason
        with pytest.raises(sl.PuzzleError, match="fails"):
            _ = found.solution
    with pytest.raises(sl.NotationError):
        sl.check(p, "1 2", "←")


def test_the_command(run: Run, tmp_path: Path) -> None:
    board = "2x2 : 3 1 . 2"
    assert run("check", board, "--moves", "3:0>2 1:1>0 2:3>1").out == "3 legal moves to the goal\n"
    wrong = run("check", board, "--moves", "3:0>2 1:1>0 2:2>3")
    assert wrong.code == 1
    assert wrong.out.startswith("move 3 fails: ")
    assert run("check", board, "--moves", "3:0>2", "--json").json["failed"] is None
    assert run("check", board, "--moves", "-", stdin="3 1 2").code == 0
    refused(run("check", board), "expected --moves")
    refused(run("check", board, "--moves", "plan.txt"), "moves such as 3:2>5 or a file, got 'plan.txt'")
    (tmp_path / "plan").write_text("(slide tile3 c0 c2)\n(slide tile1 c1 c0)\n(slide tile2 c3 c1)\n")
    assert run("check", board, "--moves", str(tmp_path / "plan")).code == 0
    refused(run("check", "2x2", "--moves", "3"), "expected --start")
