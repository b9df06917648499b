"""Solutions: what is none is refused; lengths, pushes, text and JSON."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from slidelab.boards import board
from slidelab.errors import IllegalMove, PuzzleError, TooLarge, Unsolvable
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

ROW = "square R(4,1)"


def solution(text: str, *moves: str, **options: object) -> Solution:
    start = sl.position(text)
    end = start.play(*moves)
    played = []
    for source in moves:
        played.append(next(move for move in start.moves if move.text == source))
        start = start.play(source)
    return Solution(sl.position(text), end, tuple(played), **options)  # type: ignore[arg-type]


def test_moves_that_lead_elsewhere_are_refused() -> None:
    start = sl.position("square R(2,2) : 1 2 . 3")
    goal = start.puzzle.goal
    assert Solution(start, goal, (Move(3, (3,), (2,)),)).length == 1
    with pytest.raises(PuzzleError, match=r"lead to 1 2 \. 3, not to the goal 1 2 3 \."):
        Solution(start, goal, ())
    with pytest.raises(PuzzleError, match=r"lead to \. 2 1 3"):
        Solution(start, goal, (Move(1, (0,), (2,)),))


@pytest.mark.parametrize(
    "move",
    [
        Move(3, (3,), (0,)),  # onto another
        Move(2, (1,), (2,)),  # across
        Move(3, (1,), (2,)),  # from where it does not lie
        Move(9, (3,), (2,)),  # no such piece
        Move(0, (3,), (2,)),
        Move(3, (3,), (3,)),  # nowhere
        Move(3, (3,), (4,)),  # off the board
    ],
    ids=lambda move: move.text,
)
def test_illegal_moves_are_refused(move: Move) -> None:
    start = sl.position("square R(2,2) : 1 2 . 3")
    with pytest.raises(IllegalMove) as caught:
        Solution(start, start.puzzle.goal, (move,))
    assert "\n" not in str(caught.value)


def test_the_goal_of_another_puzzle_is_refused() -> None:
    start = sl.position("square R(2,2) : 1 2 3 .")
    with pytest.raises(PuzzleError):
        Solution(start, sl.puzzle("cycle(4)").goal, ())


def test_a_solution_is_frozen() -> None:
    found = solution(f"{ROW} : . 1 2 3", "1:1>0")
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.moves = ()  # type: ignore[misc]


def test_lengths_and_texts() -> None:
    found = solution(f"{ROW} : . 1 2 3", "1:1>0", "2:2>1", "3:3>2", optimal=True)
    assert (found.length, len(found), found.pushes) == (3, 3, 1)
    assert found.text == str(found) == "1:1>0 2:2>1 3:3>2"
    assert repr(found) == "<solution in 3 moves, shortest: 1:1>0 2:2>1 3:3>2>"
    assert found.puzzle == sl.puzzle(ROW)
    assert found.start.play(*found.text.split()) == found.goal
    assert repr(solution(f"{ROW} : . 1 2 3", "1:1>0")) == "<solution in 1 move: 1:1>0>"
    there_and_back = solution(f"{ROW} : . 1 2 3", *["1:1>0", "1:0>1"] * 5)
    assert repr(there_and_back).startswith("<solution in 10 moves: ")
    assert repr(there_and_back).endswith("1:0>1 ...>")
    assert (solution(f"{ROW} : . 1 2 3").length, solution(f"{ROW} : . 1 2 3").pushes) == (0, 0)


PUSHES = [
    ("square R(4,1) : . 1 2 3", "1:1>0 2:2>1", 1),
    ("square R(4,1) : . 1 2 3", "1:1>0 1:0>1", 2),  # back
    ("square R(2,2) : 1 2 3 .", "2:1>3 1:0>1", 2),  # round the corner
    ("square R(3,3) : . 1 2 3 4 5 6 7 8", "1:1>0 2:2>1 5:5>2 8:8>5", 2),
    ("square R(4,1) tiles 2 : . . 1 2", "1:2>1 2:3>2 1:1>0 2:2>1", 2),  # the same row twice
    ("square R(4,1) tiles 2 : . . 1 2", "1:2>1 1:1>0 2:3>2 2:2>1", 4),  # each on its own, twice
    ("square R(4,1) tiles 2 : . 1 . 2", "1:1>0 2:3>2", 2),  # a hole between them
    ("king R(3,3) : . 1 2 3 4 5 6 7 8", "4:4>0 8:8>4", 1),
    ("king R(3,3) : . 1 2 3 4 5 6 7 8", "1:1>0 4:4>1", 2),
    ("hex F(2) tiles 1 : . 1 2 3 4 5 6", "3:3>0 6:6>3", 1),
    ("hex F(2) tiles 1 : . 1 2 3 4 5 6", "3:3>0 5:5>3", 2),
]


@pytest.mark.parametrize(("text", "moves", "number"), PUSHES)
def test_pushes(text: str, moves: str, number: int) -> None:
    found = solution(text, *moves.split())
    assert found.pushes == number
    going_on = [continues(found.puzzle.board, a, b) for a, b in pairwise(found.moves)]
    assert number == len(found.moves) - sum(going_on)


@pytest.mark.parametrize(
    "text", ["hex F(2) : 1 2 3 4 5 . .", "theta(1,2,2) : 1 2 3 4 5 6 .", "cycle(4) : 1 2 3 ."]
)
def test_there_are_no_rows_to_push(text: str) -> None:
    found = solution(text)
    assert found.pushes is None
    assert "pushes" not in found.to_json()
    assert "metric" not in found.to_json()


def test_what_continues() -> None:
    row = board("square R(4,1)")
    second = Move(2, (1,), (2,))
    assert continues(row, second, Move(1, (0,), (1,)))
    assert not continues(row, second, second.reversed)
    assert not continues(row, Move(1, (0,), (1,)), second)  # not into the hole it left
    assert not continues(row, Move(3, (2,), (3,)), Move(1, (0,), (1,)))  # not the one behind it
    square = board("square R(3,3)")
    assert continues(square, Move(1, (3,), (0,)), Move(2, (6,), (3,)))
    assert not continues(square, Move(1, (3,), (0,)), Move(2, (4,), (3,)))
    assert not continues(square, Move(1, (0,), (1,)), Move(2, (3,), (0,)))
    hexagons = board("hex P(3,3)")
    assert continues(hexagons, Move(1, (4,), (2,)), Move(2, (6,), (4,)))
    assert not continues(hexagons, Move(1, (4,), (2,)), Move(2, (7,), (4,)))


def test_json_has_the_form_of_the_design_and_reads_back() -> None:
    found = sl.puzzle("square R(3,3)").solve("8 6 7 2 5 4 3 . 1")
    value = json.loads(json.dumps(found.to_json()))
    assert {"puzzle", "start", "goal", "moves", "length", "optimal", "method"} <= set(value)
    assert (value["length"], value["optimal"], value["method"]) == (31, True, "table")
    assert (value["pushes"], value["metric"]) == (found.pushes, "single")
    puzzle = sl.puzzle(value["puzzle"])
    assert puzzle == found.puzzle
    start, goal = puzzle.configuration(value["start"]), puzzle.configuration(value["goal"])
    assert (start, goal) == (found.start, found.goal)
    assert start.play(*value["moves"]) == goal
    assert all(set(move) == {"piece", "from", "to"} for move in value["moves"])


def test_json_of_gourds() -> None:
    puzzle = sl.puzzle("hex F(2) gourds 1")
    start = puzzle.shuffle(seed=4)
    value = json.loads(json.dumps(puzzle.solve(start).to_json()))
    assert value["length"] == len(value["moves"]) > 0
    assert all(set(move) == {"piece", "from", "to", "kind"} for move in value["moves"])
    assert puzzle.configuration(value["start"]).play(*value["moves"]) == puzzle.goal


def test_a_solution_is_a_question_again() -> None:
    """A file with a solution is a puzzle with start and goal."""
    found = sl.puzzle("square R(3,2)").solve("1 2 3 . 4 5")
    assert sl.puzzle(json.dumps(found.to_json())) == found.puzzle


# Solving


def test_unsolvable_has_the_reason_of_the_verdict() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    start = "2 1 3 4 5 6 7 8 ."
    with pytest.raises(Unsolvable) as caught:
        puzzle.solve(start)
    assert str(caught.value) == puzzle.solvable(start).reason
    assert puzzle.distance(start) is None


def test_too_large_says_what_it_needs() -> None:
    fifteen = sl.puzzle("square R(4,4)")
    with pytest.raises(TooLarge, match=r"5\.\d TB"):
        fifteen.solve(fifteen.shuffle(seed=1), memory=10**9, method="table")
    with pytest.raises(TooLarge, match="limit is 10 kB"):
        sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 7 . 8", memory=10_000, method="table")
    assert sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 7 . 8", memory=10_000).length == 1


def test_any_goal() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    for seed in range(5):
        start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 100)
        there, back = puzzle.solve(start, goal), puzzle.solve(goal, start)
        assert there.length == back.length == puzzle.distance(start, goal)
        assert (there.start, there.goal) == (start, goal)


def test_one_table_serves_goals_of_one_shape() -> None:
    """Pieces are renamed; a goal of another shape is refused."""
    puzzle = sl.puzzle("square R(3,2)")
    table = sl.DistanceTable(puzzle.goal)
    start, goal = puzzle.configuration("1 2 3 . 4 5"), puzzle.configuration("2 3 1 4 5 .")
    assert table.distance(start, goal) == puzzle.distance(start, goal)
    with pytest.raises(PuzzleError, match="same shape"):
        table.distance(start, puzzle.configuration(". 1 2 3 4 5"))


def test_wrong_metrics_are_refused() -> None:
    cases: list[tuple[str, Any, str]] = [
        ("square R(3,3)", "crooked", "crooked"),
        ("hex F(2)", "straight", "hextiles"),
        ("theta(1,2,2)", "straight", "theta"),
        ("hex F(2) gourds 1", "straight", "gourds"),
    ]
    for text, metric, named in cases:
        puzzle = sl.puzzle(text)
        for verb in (puzzle.distance, puzzle.solve):
            with pytest.raises(PuzzleError, match=named):
                verb(puzzle.goal, metric=metric)
        for task in (puzzle.distances, puzzle.gods_number):
            with pytest.raises(PuzzleError, match=named):
                task(metric=metric)


def test_wrong_budgets_are_refused() -> None:
    cases: list[dict[str, Any]] = [{"memory": 0}, {"memory": -5}, {"memory": "2X"}]
    cases += [{"threads": count} for count in (0, True, 2000, 1.5)]
    for wrong in cases:
        with pytest.raises(PuzzleError, match="expected"):
            sl.Budget.of(**wrong)


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
    told = puzzle.solve(puzzle.shuffle(1), method="wilson")
    value = json.loads("".join(told.json_chunks()))
    assert value == told.to_json()
    assert value["passages"] == [
        {"from": p.first, "to": p.last, "text": p.text, "depth": p.depth} for p in told.passages
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
