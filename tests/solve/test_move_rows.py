"""Moves kept as rows: sequences, texts, JSON, and many played at once."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

import slidelab as sl
from slidelab.boards import board
from slidelab.errors import IllegalMove, PuzzleError
from slidelab.puzzles import (
    Configuration,
    Move,
    MoveList,
    Passage,
    Player,
    Puzzle,
    Solution,
    continues,
    movelist,
)
from slidelab.solve.method import MethodName

# Moves kept as rows


def some_moves(text: str, number: int = 30) -> list[Move]:
    """Legal moves, always the last but one that is possible, or the only one."""
    here, out = sl.puzzle(text).goal, []
    for _ in range(number):
        out.append(list(here.moves)[-2:][0])
        here = here.play(out[-1])
    return out


ROWS = [
    "square R(3,3)",
    "hex F(2)",
    "hex F(2) gourds 1",
    "hex F(2) gourds-sharp 1",
    "square R(3,3) trimers 3",
]


@pytest.mark.parametrize("text", ROWS)
def test_rows_are_a_sequence_of_moves(text: str) -> None:
    moves = some_moves(text)
    rows = MoveList.of(moves)
    assert isinstance(rows, Sequence)
    assert MoveList.of(rows) is rows
    assert len(rows) == 30
    assert list(rows) == moves
    assert [move.kind for move in rows] == [move.kind for move in moves]
    for at in (0, 7, 29, -1, -30):
        assert rows[at] == moves[at]
        assert rows[at].kind == moves[at].kind
        assert all(type(cell) is int for cell in (rows[at].piece, *rows[at].before, *rows[at].after))
    for wrong in (30, -31, 10**9):
        with pytest.raises(IndexError):
            _ = rows[wrong]
    for part in (
        slice(None),
        slice(3, 9),
        slice(-4, None),
        slice(None, None, -1),
        slice(2, 20, 5),
        slice(9, 3),
    ):
        assert isinstance(rows[part], MoveList)
        assert list(rows[part]) == moves[part]
    assert list(reversed(rows)) == moves[::-1]
    assert moves[4] in rows
    assert Move(99, (0,), (1,)) not in rows
    assert rows.index(moves[4]) == moves.index(moves[4])
    assert rows.count(moves[4]) == moves.count(moves[4])


@pytest.mark.parametrize("text", ROWS)
def test_rows_are_equal_to_the_same_moves(text: str) -> None:
    moves = some_moves(text)
    rows = MoveList.of(moves)
    for same in (
        moves,
        tuple(moves),
        MoveList.of(tuple(moves)),
        rows[:],
        MoveList(rows.rows.copy(), rows.kinds),
    ):
        assert rows == same
        assert same == rows
    assert hash(rows) == hash(MoveList.of(tuple(moves)))
    for other in (
        moves[:-1],
        [*moves, moves[0]],
        moves[::-1],
        (),
        [],
        MoveList.of(moves[1:]),
        MoveList.of([]),
    ):
        assert rows != other
    for unlike in (None, 3, "moves", {1}, iter(moves)):
        assert rows != unlike
    assert MoveList.of([]) == () == MoveList.of([])


def test_kinds_do_not_make_moves_differ() -> None:
    """They follow from where a piece goes; equal lists have equal hashes, however the kinds are numbered."""
    one = [Move(1, (0, 1), (1, 2), "turn"), Move(2, (4, 5), (5, 6), "slide")]
    a, b = MoveList.of(one), MoveList.of([Move(m.piece, m.before, m.after, "slide") for m in one])
    backwards = MoveList.of(one[::-1])[::-1]
    assert a == b == one
    assert a == backwards
    assert len({hash(a), hash(b), hash(backwards)}) == 1


def test_rows_in_words() -> None:
    assert repr(MoveList.of([])) == "<0 moves: >"
    assert repr(MoveList.of([Move(3, (3,), (2,))])) == "<1 moves: 3:3>2>"
    rows = MoveList.of_tiles(np.tile(np.array([[1, 0, 1], [1, 1, 0]], dtype=np.int32), (600, 1)))
    assert repr(rows) == f"<1,200 moves: {' '.join(['1:0>1', '1:1>0'] * 4)} ...>"


@pytest.mark.parametrize("text", ROWS)
def test_texts_and_json_of_rows(text: str) -> None:
    moves = some_moves(text)
    rows = MoveList.of(moves)
    assert list(rows.texts()) == [move.text for move in moves]
    assert [json.loads(part) for part in rows.jsons()] == [move.to_json() for move in moves]
    assert [row[0] for row in rows.lists()] == [move.piece for move in moves]
    assert [tuple(row[2:]) for row in rows.lists()] == [(*move.before, *move.after) for move in moves]
    assert all(type(number) is int for row in rows.lists() for number in row)


def test_moves_of_pieces_of_different_sizes_are_refused() -> None:
    with pytest.raises(PuzzleError, match="as many cells"):
        MoveList.of([Move(1, (0,), (1,)), Move(1, (0, 1), (1, 2))])


def test_a_million_rows_become_no_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slices, lengths, comparisons and texts of rows work without a single `Move`."""
    steps = np.tile(np.array([[3, 3, 2], [3, 2, 3]], dtype=np.int32), (500_000, 1))
    rows = MoveList.of_tiles(steps)

    def fail(*_: object) -> Move:
        raise AssertionError("a move was made")

    monkeypatch.setattr(movelist, "Move", fail)
    part = rows[10:-10]
    assert (len(rows), len(part), len(rows[::2])) == (1_000_000, 999_980, 500_000)
    assert part == rows[10:-10]
    assert part != rows[9:-11]
    assert np.shares_memory(part.rows, rows.rows)
    assert hash(rows) == hash(MoveList.of_tiles(steps))
    few = rows[:50_000]
    assert sum(len(text) for text in few.texts()) == 250_000
    start = sl.position("square R(2,2) : 1 2 . 3")
    found = Solution(start, start, few)
    assert found.length == 50_000
    assert sum(map(len, found.text_chunks())) == 299_999
    with pytest.raises(AssertionError, match="a move was made"):
        _ = rows[0]


def test_pushes_of_long_solutions() -> None:
    puzzle = sl.puzzle("square R(6,6)")
    found = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    moves = list(found.moves)
    assert found.pushes == len(moves) - sum(continues(puzzle.board, a, b) for a, b in pairwise(moves))


# JSON piece by piece


@pytest.mark.parametrize("text", [*ROWS, "square R(2,3) : ä ä b b c .", "theta(1,2,2)"])
@pytest.mark.parametrize("method", ["auto", "group"])
def test_json_in_pieces_is_the_same(text: str, method: MethodName, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle(text)
    found = puzzle.solve(puzzle.shuffle(5), method=method, shorten=False)
    for chunk in (1, 3, 20_000):
        monkeypatch.setattr(movelist, "CHUNK_MOVES", chunk)
        assert json.loads("".join(found.json_chunks())) == json.loads(json.dumps(found.to_json()))
        assert "".join(found.text_chunks()) == found.text == " ".join(move.text for move in found.moves)


def test_json_in_pieces_with_passages_and_without_moves() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    reported = puzzle.solve(puzzle.shuffle(1), method="wilson")
    value = json.loads("".join(reported.json_chunks()))
    assert value == reported.to_json()
    assert value["passages"] == [
        {"from": p.first, "to": p.last, "text": p.text, "depth": p.depth} for p in reported.passages
    ]
    still = Solution(puzzle.goal, puzzle.goal, (), passages=(Passage(0, 0, 'nothing "at all"'),))
    assert json.loads("".join(still.json_chunks())) == still.to_json()
    assert still.explain().strip() == 'nothing "at all"'
    assert Solution(puzzle.goal, puzzle.goal, ()).explain() == "0 moves by hand, and nothing to add"


# Many rows played at once


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(9, 8, 7)]),  # no such piece
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(0, 8, 7)]),
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(-1, 8, 7)]),
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(7, 8, 7)]),  # it lies elsewhere
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 7), (8, 8, 7)]),
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 5)]),  # blocked
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 7), (6, 5, 7)]),  # not next to it
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 8)]),
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 9)]),  # off the board
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, 16)]),
        ("square R(3,3) : 1 2 3 4 5 6 7 . 8", [(8, 8, -1)]),
        ("hex P(3,3) : 1 2 3 . 4 5 6 7 .", [(4, 4, 3)]),  # no second hole beside
        ("hex P(3,3) : 1 2 3 4 5 6 7 . .", [(6, 5, 8), (3, 2, 5)]),
        ("hex P(3,3) : 1 2 3 4 5 6 7 . .", [(5, 4, 7)]),
    ],
)
def test_rows_are_refused_with_the_words_of_single_moves(text: str, rows: list[tuple[int, int, int]]) -> None:
    start = sl.position(text)
    slow, fast = Player(start), Player(start)
    *legal, (piece, before, after) = rows
    for tile, here, there in legal:
        slow.play(tile, (here,), (there,))
    with pytest.raises(IllegalMove) as one_by_one:
        slow.play(piece, (before,), (after,))
    with pytest.raises(IllegalMove) as at_once:
        fast.play_tiles([(tile, 0, here, there) for tile, here, there in rows])
    assert str(at_once.value) == str(one_by_one.value)
    assert "\n" not in str(at_once.value)
    assert fast.configuration == slow.configuration  # what went before is played


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex F(3)", "hex F(2) tiles 3", "square R(3,3) : a a b b c c d d ."]
)
def test_rows_lead_where_single_moves_lead(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.goal
    here, rows = start, []
    for number in range(50):
        moves = list(here.moves)
        move = moves[number * 7 % len(moves)]
        rows.append((move.piece, 0, *move.before, *move.after))
        here = here.play(move)
    player = Player(start)
    player.play_tiles(iter(rows[:20]))
    player.play_tiles(rows[20:])
    assert player.configuration == here
    player.play_tiles([])
    assert player.configuration == here


def test_rows_of_coloured_tiles_go_by_where_they_lie() -> None:
    """Of tiles alike any may be named; what lies elsewhere is refused in the same words."""
    puzzle = Puzzle(board("square R(3,3)"), sl.puzzle("square R(3,3)").rule, 1, (("a",),) * 8)
    start = Configuration(puzzle, tuple((cell,) for cell in (0, 1, 2, 3, 4, 5, 6, 8)))
    player = Player(start)
    player.play_tiles([(3, 0, 8, 7), (1, 0, 5, 8)])
    assert player.configuration.holes == (5,)
    for row in ((1, 0, 5, 8), (1, 0, 0, 5), (12, 0, 5, 4)):
        slow, fast = Player(player.configuration), Player(player.configuration)
        with pytest.raises(IllegalMove) as one:
            slow.play(row[0], row[2:3], row[3:])
        with pytest.raises(IllegalMove) as other:
            fast.play_tiles([row])
        assert str(one.value) == str(other.value)
