"""Batches of configurations against `Configuration.moves` and `play`, and against plain numpy."""

from __future__ import annotations

import pickle
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike, NDArray

import slidelab as sl
from slidelab.boards import Board
from slidelab.budget import Budget
from slidelab.errors import IllegalMove, NotationError, OutOfTime, PuzzleError, TooLarge
from slidelab.gains.arrays import Batch, ConfigurationArrays, Neighbours, Walks
from slidelab.puzzles import Configuration, Move, Puzzle
from slidelab.rules import Cells, Step
from slidelab.rules.tiles import Tiles


class Runners(Tiles):
    """A rule that slidelab does not know: tiles also run over two holes at once."""

    name = "runners"
    slides_along_edges = False

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        for near in board.neighbours[cells[0]]:
            yield Step(cells, (near,), (near,), "slide")
            for far in board.neighbours[near]:
                if far != cells[0] and not board.adjacent(far, cells[0]):
                    yield Step(cells, (far,), (near, far), "run")


TEXTS = [
    "square R(4,4)",
    "square R(3,3) tiles 4",
    "square R(2,3) tiles 5",
    "hex P(4,4)",
    "hex F(2) hextiles 4",
    "king R(3,4) tiles 2",
    "theta(1,2,2)",
    "cycle(7) tiles 3",
    "graph 0-1 1-2 2-0 3 tiles 2",
    "hex F(3) gourds",
    "hex F(2) gourds-sharp 3",
    "square R(3,3) gourds 3",
    "graph 0-1 1-2 2-3 3-0 0-2 gourds 2",
    "hex F(2) trimers 1",
    "hex P(3,3) trimers 3",
    "square R(4,3) trimers-straight 3",
    "hex P(4,3) trimers-bent 6",
    "square R(4,4) trimers-bent 4",
    "hex F(2) trimers-triangle 4",
    "square R(20,20) tiles 3",
    "square R(17,17) gourds 5",
    "hex P(3,3) hextiles 3 : a a b b b c . . .",
    "square R(3,3) : a b a b a b c c .",
    "square R(3,3) gourds 3 : 0-1=a-a 3-4=a-b 6-7=b-a",
    "hex F(2) gourds 1 : 0-1=a-a 2-3=a-a 4-6=b-b",
    "hex F(2) gourds 3 : 0-1=a-b 2-3=a-b",
]


def puzzles() -> list[Puzzle]:
    """Puzzles of every rule on boards of every kind, numbered and coloured."""
    known = [sl.puzzle(text) for text in TEXTS]
    triangles = sl.puzzle("hex P(3,3) trimers-triangle 3")
    coloured = Puzzle(triangles.board, triangles.rule, 3, (("a", "a", "a"), ("a", "a", "b")))
    runners = Puzzle(sl.board("square R(3,3)"), Runners(), 4)
    return [*known, coloured, runners, Puzzle(runners.board, runners.rule, 6, (("a",), ("b",), ("b",)))]


PUZZLES = puzzles()
IDS = [f"{p.board.name} {p.rule.name} {p.hole_count}{' coloured' * (p.colours is not None)}" for p in PUZZLES]

each_puzzle = pytest.mark.parametrize("puzzle", PUZZLES, ids=IDS)


def random_configurations(puzzle: Puzzle, count: int, seed: int = 1) -> list[Configuration]:
    """Configurations on one random walk, made in plain Python."""
    rng = random.Random(seed)
    here, found = puzzle.goal, [puzzle.goal]
    if puzzle.colours is None:  # pieces renamed at random: on a walk most stay where they are
        pieces = list(here.pieces)
        rng.shuffle(pieces)
        here = Configuration(puzzle, tuple(pieces))
    for _ in range(count - 1):
        for _ in range(3):
            if moves := list(here.moves):
                here = here.play(rng.choice(moves))
        found.append(here)
    return found


def same(found: Neighbours | Walks, other: Neighbours | Walks) -> bool:
    """Whether all arrays of two results are equal."""
    if isinstance(found, Neighbours) and isinstance(other, Neighbours):
        assert np.array_equal(found.parents, other.parents)
    return np.array_equal(found.states, other.states) and np.array_equal(found.moves, other.moves)


@each_puzzle
def test_encoding_and_decoding(puzzle: Puzzle) -> None:
    arrays = puzzle.arrays()
    configurations = random_configurations(puzzle, 30)
    batch = arrays.encode(configurations)
    assert batch.shape == (30, *arrays.row_shape)
    assert batch.dtype == arrays.dtype
    assert arrays.decode(batch) == configurations
    assert (arrays.encode(c.pieces_text for c in configurations) == batch).all()
    if puzzle.colours is None:
        (form,) = configurations[7].to_json().values()
        assert batch[7].tolist() == form
    arrays.check(batch)


@each_puzzle
def test_neighbours_are_those_of_the_rule(puzzle: Puzzle) -> None:
    arrays = puzzle.arrays()
    count = 30 if puzzle.board.size < 100 else 4
    configurations = random_configurations(puzzle, count)
    batch = arrays.encode(configurations)
    states, parents, moves = arrays.neighbours(batch)
    reached = arrays.decode(states)
    assert (np.diff(parents) >= 0).all()
    for row, configuration in enumerate(configurations):
        own = np.flatnonzero(parents == row)
        played = [(move, configuration.play(move)) for move in configuration.moves]
        assert Counter(reached[k] for k in own) == Counter(after for _, after in played)
        numbers = arrays.encode_moves(move for move, _ in played)
        assert sorted(numbers.tolist()) == moves[own].tolist()
        by_number = dict(zip(numbers.tolist(), played, strict=True))
        for k in own:
            move, after = by_number[int(moves[k])]
            assert reached[k] == after
            assert arrays.decode_moves(configuration, [moves[k]]) == (move,)
            assert arrays.decode_moves(configuration, [moves[k]])[0].kind == move.kind
    assert (arrays.count_moves(batch) == np.bincount(parents, minlength=count)).all()
    rows, columns = arrays.legal_moves(batch).nonzero()
    assert (rows == parents).all()
    assert (columns == moves).all()


@each_puzzle
def test_moves_are_applied_and_taken_back(puzzle: Puzzle) -> None:
    arrays = puzzle.arrays()
    batch = arrays.encode(random_configurations(puzzle, 20))
    states, parents, moves = arrays.neighbours(batch)
    before = batch[parents]
    assert (arrays.apply(before, moves) == states).all()
    assert (arrays.apply(states, arrays.reverse_moves[moves]) == before).all()
    there_and_back = np.stack([moves, arrays.reverse_moves[moves], np.full_like(moves, -1)], axis=1)
    assert (arrays.apply(before, there_and_back) == before).all()
    trace = arrays.replay(before, there_and_back)
    assert (trace == np.stack([before, states, before, before], axis=1)).all()
    illegal = ~arrays.legal_moves(batch)
    for row, number in zip(*illegal.nonzero(), strict=True):
        with pytest.raises(IllegalMove, match="at row 0, move 0"):
            arrays.apply(batch[row : row + 1], [number])
        if row > 2:
            break


@each_puzzle
def test_random_walks_are_legal_and_replay(puzzle: Puzzle) -> None:
    arrays = puzzle.arrays()
    start = arrays.encode(random_configurations(puzzle, 20))
    lengths = np.arange(20)
    for backtrack in (False, True):
        states, moves = arrays.random_walks(start, lengths, seed=5, backtrack=backtrack)
        again = puzzle.arrays(threads=1).random_walks(start, lengths, seed=5, backtrack=backtrack)
        assert (states == again.states).all()
        assert (moves == again.moves).all()
        assert (arrays.apply(start, moves) == states).all()
        assert (
            arrays.random_walks(start, lengths, seed=5, backtrack=backtrack, record=False).states == states
        ).all()
        trace = arrays.replay(start, moves)
        for row in range(20):
            own = moves[row, : lengths[row]]
            counts = arrays.count_moves(trace[row, : len(own)])
            assert ((own >= 0) == (counts > 0)).all()
            assert (moves[row, lengths[row] :] == -1).all()
            if not backtrack and (own >= 0).all():
                back = own[1:] == arrays.reverse_moves[own[:-1]]
                assert (counts[1:][back] == 1).all()
        single = arrays.random_walks(start[:1], lengths[:1], seed=5, backtrack=backtrack)
        assert (single.states[0] == states[0]).all()


def test_moves_of_walks_are_moves() -> None:
    for text in ("hex F(3) gourds", "hex P(3,4)", "hex P(3,3) trimers-triangle 3", TEXTS[-2]):
        arrays = sl.puzzle(text).arrays()
        goal = arrays.puzzle.goal
        states, moves = arrays.random_walks(arrays.encode([goal]), 40, seed=2)
        played = arrays.decode_moves(goal, moves[0])
        assert goal.play(*played) == arrays.decode(states)[0]
        assert (arrays.encode_moves(played) == moves[0]).all()


def plain_neighbours(
    batch: NDArray[np.uint8],
    edges: list[tuple[int, int]],
    companions: dict[tuple[int, int], list[int]] | None,
) -> list[tuple[int, int, int, bytes]]:
    """All neighbours of tiles by masks over whole columns: parent, cell before, cell after, row."""
    out = []
    for a, b in [*edges, *((b, a) for a, b in edges)]:
        legal = (batch[:, a] != 0) & (batch[:, b] == 0)
        if companions is not None:
            legal &= (batch[:, companions[a, b]] == 0).any(axis=1)
        rows = np.flatnonzero(legal)
        after = batch[rows]
        after[:, b], after[:, a] = after[:, a], 0
        out += [(int(row), a, b, state.tobytes()) for row, state in zip(rows, after, strict=True)]
    return sorted(out)


@st.composite
def graphs_of_tiles(draw: st.DrawFn) -> tuple[Puzzle, int]:
    size = draw(st.integers(3, 12))
    pairs = [(a, b) for b in range(size) for a in range(b)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, unique=True))
    rule = draw(st.sampled_from(["tiles", "hextiles"]))
    text = " ".join(["graph", *map(str, range(size)), *(f"{a}-{b}" for a, b in edges)])
    holes = draw(st.integers(1 + (rule == "hextiles"), size - 1))
    return sl.puzzle(f"{text} {rule} {holes}"), draw(st.integers(0, 10**6))


@settings(max_examples=60, deadline=None)
@given(graphs_of_tiles())
def test_neighbours_on_random_graphs_against_numpy(case: tuple[Puzzle, int]) -> None:
    puzzle, seed = case
    rng = np.random.default_rng(seed)
    row = np.array([*range(1, puzzle.piece_count + 1), *[0] * puzzle.hole_count], dtype=np.uint8)
    batch = rng.permuted(np.tile(row, (20, 1)), axis=1)
    arrays = puzzle.arrays()
    states, parents, moves = arrays.neighbours(batch)
    cells = arrays.move_cells[moves, :, 0]
    found = [
        (int(p), int(c[0]), int(c[1]), s.tobytes()) for p, c, s in zip(parents, cells, states, strict=True)
    ]
    board = puzzle.board
    companions = None
    if puzzle.rule.name == "hextiles":
        around = [set(board.neighbours[cell]) for cell in range(board.size)]
        both = [(a, b) for a, b in board.edges] + [(b, a) for a, b in board.edges]
        companions = {(a, b): sorted(around[a] & around[b]) for a, b in both}
    assert sorted(found) == plain_neighbours(batch, list(board.edges), companions)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(PUZZLES))
def test_rows_that_are_no_configurations_are_refused(seed: int, puzzle: Puzzle) -> None:
    rng = np.random.default_rng(seed)
    arrays = puzzle.arrays()
    batch = arrays.encode([puzzle.goal] * 5)
    high = int(rng.choice([3, puzzle.board.size + 1, np.iinfo(arrays.dtype).max + 1]))
    noise = rng.integers(0, high, size=batch.shape).astype(arrays.dtype)
    batch[3] = np.where(rng.random(batch.shape[1:]) < rng.random(), noise[3], batch[3])
    try:
        expected = arrays_configuration(arrays, batch[3])
    except PuzzleError:
        calls = (arrays.check, arrays.count_moves, arrays.neighbours, arrays.legal_moves, arrays.decode)
        for call in calls:
            with pytest.raises(NotationError, match=r"^[^\n]+ - at row 3$"):
                call(batch)
        with pytest.raises(NotationError, match=r"at row 3$"):
            arrays.random_walks(batch, 3)
        with pytest.raises(NotationError, match=r"at row 3$"):
            arrays.apply(batch, [-1] * 5)
    else:
        assert arrays.decode(batch)[3] == expected


def arrays_configuration(arrays: ConfigurationArrays, row: Batch) -> Configuration:
    """The configuration of one row, made in plain Python."""
    puzzle = arrays.puzzle
    if puzzle.rule.cells > 1:
        return Configuration(puzzle, tuple(map(tuple, row.tolist())))
    if puzzle.colours is None:
        return puzzle.configuration(row.tolist())
    if row.max() > len(arrays.colours or ()):
        raise PuzzleError
    labels = [".", *(labels[0] for labels in arrays.colours or ())]
    return puzzle.configuration(" ".join(labels[value] for value in row.tolist()))


FIFTEEN = sl.puzzle("square R(4,4)").arrays()


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (np.zeros((2, 16), dtype=np.int64), "expected an array of uint8 of shape (rows, 16), got int64 of"),
        (np.zeros((2, 16), dtype=np.uint16), "expected an array of uint8 of shape (rows, 16), got uint16 of"),
        (np.zeros((2, 15), dtype=np.uint8), "got uint8 of shape (2, 15)"),
        (np.zeros(16, dtype=np.uint8), "got uint8 of shape (16,)"),
        (np.zeros((), dtype=np.uint8), "got uint8 of shape ()"),
        (np.zeros((1, 16, 1), dtype=np.uint8), "got uint8 of shape (1, 16, 1)"),
        (np.zeros((1, 16), dtype=np.uint8), "expected 0 for a hole once, got it 16 times - at row 0"),
        (np.full((1, 16), 200, dtype=np.uint8), "expected numbers from 0 to 15, got 200 - at row 0"),
        (np.array([[*range(15), 14]], dtype=np.uint8), "expected tile 14 once, got it twice - at row 0"),
    ],
)
def test_bad_batches(batch: Batch, message: str) -> None:
    for call in (FIFTEEN.check, FIFTEEN.neighbours, FIFTEEN.decode):
        with pytest.raises(PuzzleError) as caught:
            call(batch)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def test_bad_pieces() -> None:
    arrays = sl.puzzle("hex F(2) gourds").arrays()
    batch = arrays.encode([arrays.puzzle.goal] * 2)
    for bad, message in [
        ([[0, 1], [1, 3], [4, 6]], "expected one gourd a cell, got gourds 1 and 2 at cell 1"),
        ([[0, 1], [2, 2], [4, 6]], "cell 2 is named twice"),
        ([[0, 6], [2, 3], [4, 5]], "cells 0 and 6 do not touch"),
        ([[0, 1], [2, 3], [4, 99]], "expected cells 0 to 6, got 99"),
    ]:
        batch[1] = bad
        with pytest.raises(NotationError, match=r" - at row 1$") as caught:
            arrays.neighbours(batch)
        assert message in str(caught.value)


def test_bad_moves() -> None:
    arrays = sl.puzzle("square R(2,2)").arrays()
    batch = arrays.encode(["1 2 3 ."] * 3)
    cases: list[tuple[ArrayLike, str]] = [
        ([5, 5, 0], "expected a legal move, got 0 (0>1) - at row 2, move 0"),
        ([5, 8, 5], "expected a move from 0 to 7, or -1 for none, got 8 - at row 1, move 0"),
        ([5, -2, 5], "got -2 - at row 1, move 0"),
        ([[5, 7], [5, 5], [5, 7]], "expected a legal move, got 5 (2>3) - at row 1, move 1"),
        ([5, 5], "expected moves for 3 rows, got shape (2,)"),
        ([[[5]]] * 3, "expected moves for 3 rows, got shape (3, 1, 1)"),
        ([0.5, 1, 1], "expected whole numbers as moves, got float64"),
        (["5", "5", "5"], "expected whole numbers as moves"),
        ([2**40, 5, 5], "at row 0, move 0"),
    ]
    for moves, message in cases:
        for call in (arrays.apply, arrays.replay):
            with pytest.raises(PuzzleError) as caught:
                call(batch, moves)
            assert message in str(caught.value)
    with pytest.raises(IllegalMove, match="expected a move of square R"):
        arrays.encode_moves([Move(1, (0,), (3,))])
    with pytest.raises(IllegalMove):
        arrays.decode_moves("1 2 3 .", [0])
    for lengths in (-1, [1, 2], [0.5] * 3, "many", np.uint64(2**63)):
        with pytest.raises(PuzzleError, match="length"):
            arrays.random_walks(batch, lengths)
    with pytest.raises(NotationError, match="seed"):
        arrays.random_walks(batch, 1, seed=-1)
    with pytest.raises(PuzzleError, match="expected a list of configurations, got one str"):
        arrays.encode("1 2 3 .")


def test_empty_batches_and_puzzles_without_moves() -> None:
    for puzzle in PUZZLES:
        arrays = puzzle.arrays()
        batch = arrays.encode([])
        states, parents, moves = arrays.neighbours(batch)
        assert states.shape == (0, *arrays.row_shape)
        assert parents.shape == moves.shape == (0,)
        assert arrays.random_walks(batch, []).states.shape == states.shape
        assert arrays.apply(batch, []).shape == states.shape
        assert arrays.replay(batch, np.zeros((0, 4), dtype=int)).shape == (0, 5, *arrays.row_shape)
        assert arrays.legal_moves(batch).shape == (0, arrays.move_count)
        assert arrays.decode(batch) == []
    still = sl.puzzle("graph 0 1 2 tiles 1").arrays()
    batch = still.encode(["1 2 ."])
    assert still.move_count == 0
    assert still.count_moves(batch).tolist() == [0]
    assert still.random_walks(batch, 5, seed=1).moves.tolist() == [[-1] * 5]
    assert sl.puzzle("graph 0 1 2 gourds 1").arrays().move_cells.shape == (0, 2, 2)


def test_arrays_that_are_not_contiguous_or_not_aligned() -> None:
    big = sl.puzzle("square R(20,20)").arrays()
    batch = big.encode([big.puzzle.goal] * 4)
    expected = big.neighbours(batch)
    shifted = np.frombuffer(b"\0" + batch.tobytes(), dtype=np.uint8)[1:].view(np.uint16).reshape(4, 400)
    for other in (np.asfortranarray(batch), np.repeat(batch, 2, axis=0)[::2], shifted):
        other.flags.writeable = False
        assert same(big.neighbours(other), expected)
        assert (big.apply(other, [-1] * 4) == batch).all()


def test_nothing_that_goes_in_is_changed() -> None:
    batch = FIFTEEN.encode([FIFTEEN.puzzle.goal] * 3)
    batch.flags.writeable = False
    states, moves = FIFTEEN.random_walks(batch, 10, seed=1)
    assert (FIFTEEN.apply(batch, moves) == states).all()
    assert (FIFTEEN.decode(batch)[2]) == FIFTEEN.puzzle.goal


def test_memory_is_checked_before_it_is_taken() -> None:
    arrays = sl.puzzle("square R(4,4)").arrays(memory="20K")
    batch = FIFTEEN.encode([FIFTEEN.puzzle.goal] * 1000)
    with pytest.raises(TooLarge, match="the array of neighbours needs 56 kB, and the limit is 20 kB"):
        arrays.neighbours(batch)
    for call in (arrays.legal_moves, lambda b: arrays.random_walks(b, 10**12), lambda b: arrays.replay(b, b)):
        with pytest.raises(TooLarge):
            call(batch)


def test_many_threads_share_one_object() -> None:
    start = FIFTEEN.encode([FIFTEEN.puzzle.goal] * 20_000)

    def work(seed: int) -> tuple[Batch, NDArray[np.int64]]:
        states, _ = FIFTEEN.random_walks(start, 50, seed=seed)
        return states, FIFTEEN.neighbours(states).parents

    alone = [work(seed) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(work, range(4)))
    for one, other in zip(alone, together, strict=True):
        assert (one[0] == other[0]).all()
        assert (one[1] == other[1]).all()


def test_results_do_not_depend_on_threads() -> None:
    for text in ("square R(4,4)", "hex F(3) gourds"):
        puzzle = sl.puzzle(text)
        one, three = puzzle.arrays(threads=1), puzzle.arrays(threads=3)
        start = one.encode([puzzle.goal] * 20_000)
        walked, also = one.random_walks(start, 30, seed=3), three.random_walks(start, 30, seed=3)
        assert same(walked, also)
        first, second = one.neighbours(walked.states), three.neighbours(walked.states)
        assert same(first, second)
        bad = walked.states.copy()
        bad[[19_000, 15_000, 11_111]] = 0
        with pytest.raises(NotationError, match=r"at row 11111$"):
            three.check(bad)


ENDLESS_WALKS = """
import signal
import slidelab as sl
from slidelab.budget import Budget
from slidelab.gains.arrays import ConfigurationArrays

signal.signal(signal.SIGINT, signal.default_int_handler)
puzzle = sl.puzzle("square R(4,4)")
arrays = ConfigurationArrays(puzzle, Budget.of(progress=lambda *_: print("walking", flush=True)))
batch = arrays.encode([puzzle.goal] * 3)
try:
    arrays.random_walks(batch, 10**12, seed=1, record=False)
except KeyboardInterrupt:
    print("interrupted")
"""


def test_walks_can_be_interrupted() -> None:
    """In a process of its own: SIGINT may be ignored in this one, or end it."""
    command = [sys.executable, "-c", ENDLESS_WALKS]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "walking\n"  # the walks have begun
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    assert (child.returncode, err) == (0, "")
    assert out.split()[-1] == "interrupted"


def test_walks_end_at_a_deadline() -> None:
    arrays = ConfigurationArrays(FIFTEEN.puzzle, Budget.of(time=0.2))
    with pytest.raises(OutOfTime):
        arrays.random_walks(arrays.encode([FIFTEEN.puzzle.goal] * 3), 10**12, record=False)


def test_walks_without_a_seed_differ() -> None:
    batch = FIFTEEN.encode([FIFTEEN.puzzle.goal])
    assert len({FIFTEEN.random_walks(batch, 40).states.tobytes() for _ in range(5)}) == 5
    assert len({FIFTEEN.random_walks(batch, 40, seed=seed).states.tobytes() for seed in range(5)}) == 5


def test_colours_are_numbered() -> None:
    arrays = sl.puzzle("square R(2,2)", colours=["red", "blue", "red"]).arrays()
    assert arrays.colours == (("blue",), ("red",))
    assert arrays.encode([arrays.puzzle.goal, "red blue . red"]).tolist() == [[1, 2, 2, 0], [2, 1, 0, 2]]


def test_arrays_are_values() -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    arrays = puzzle.arrays(threads=2, memory="1G")
    assert repr(arrays) == "<arrays of hex F(2) gourds 1: rows of 3 x 2 uint8, 66 moves>"
    assert pickle.loads(pickle.dumps(arrays)) == arrays == puzzle.arrays(threads=2, memory="1G")
    assert hash(arrays) == hash(puzzle.arrays(threads=2, memory="1G"))
    assert arrays != puzzle.arrays(threads=1)
    assert not arrays.move_cells.flags.writeable
    with pytest.raises(NotationError):
        puzzle.arrays(threads=0)
