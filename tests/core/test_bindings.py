"""Guarantees of every call into the core: thread safety, progress callbacks, signals and errors."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from slidelab import _core
from slidelab.distance.component import Component
from slidelab.distance.start_symmetry import start_symmetries
from slidelab.distance.symmetric import SymmetricSearch
from slidelab.gains import GainGraph

Calls = list[Callable[[], object]]


@pytest.fixture(autouse=True)
def eager_threads() -> Iterator[None]:
    """Let threads take turns far more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def ints(rows: object) -> Any:
    return np.array(rows, dtype=np.int32)


def tile_steps(board: sl.Board) -> Any:
    return ints([(c, d, -1) for c, row in enumerate(board.neighbours) for d in row])


def square() -> tuple[sl.Board, Any]:
    board = sl.board("square R(12,12)")
    return board, tile_steps(board)


def gain_graph(text: str = "square R(3,3) tiles 1") -> GainGraph:
    return GainGraph(sl.puzzle(text))


def train() -> Any:
    """A handful of gourds around a cycle of hexagons."""
    around = 2 * 40 + 1
    rows = [sorted({(c - 1) % around, (c + 1) % around}) for c in range(around)]
    ends = list(range(1, around))
    return _core.GourdTrain(ints([2 * c for c in range(around + 1)]), ints(rows).reshape(-1), ints(ends))


def train_calls() -> Calls:
    shared, cycle = train(), list(range(81))
    return [
        lambda: shared.pull(cycle, 2000),
        lambda: shared.pull_to(cycle, 7),
        lambda: shared.align(cycle),
        lambda: shared.path(),
        lambda: shared.copy().ends(),
        lambda: len(shared) + shared.hole + shared.at(3),
        lambda: shared.play([shared.hole]),
        lambda: shared.rows(shared.path()[:0], ints([])),
        lambda: shared.shortest_path(shared, 50),
    ]


def carrier_calls() -> Calls:
    shared = train()
    coordinates = ints([(c, 0) for c in range(81)]).reshape(-1)
    carrier = _core.GourdCarrier(shared, coordinates)
    return [
        lambda: carrier.carry(0, 1, 2, max_states=2000),
        lambda: carrier.fill(3, 4, max_states=2000),
        lambda: shared.pull(list(range(81)), 81),
        lambda: shared.ends(),
    ]


def board_beam_calls() -> Calls:
    graph = gain_graph("square R(4,4) tiles 1")
    goal = ints(range(15))
    shared = _core.BoardBeam(*graph.step_arrays(), goal)
    start = ints([*range(14), 15])
    windows = shared.windows(goal, ints([(14, 15), (14, 14)] * 100))
    return [
        lambda: windows.run(20, 7, 100, 1, (1.5, 0.0, 0.0), 10**9, 2),
        lambda: len(windows) + len(windows.moves()),
        lambda: shared.add_pairs(shared.pair_bytes, 2),
        lambda: shared.solve(start, 3000, 12, (1.5, 1.0, 0.0), 10**9, 2),
        lambda: shared.lower_bound(start),
        lambda: shared.bytes(),
    ]


def replay_calls() -> Calls:
    board, steps = square()
    rows = ints([(*row[:2], row[1]) for row in steps])
    shared = _core.Replay(board.size, rows, ints([[c] for c in range(board.size - 1)]))
    there_and_back = ints([(143, 0, 142, 143), (143, 0, 143, 142)] * 20_000)
    return [lambda: shared.play(there_and_back), lambda: shared.pieces()]


def peeler_calls() -> Calls:
    board, steps = square()
    start = ints([*range(1, board.size), 0])
    goal = start.copy()
    goal[:50] = goal[:50][::-1]
    shared = _core.Peeler(board.size, steps, start, goal, 10**6, ints(board.cells))
    weights = np.full(board.size + 1, 16, dtype=np.uint32)
    cells = iter(range(board.size))
    return [
        lambda: shared.place([next(cells)]),
        lambda: shared.fill([next(cells)]),
        lambda: shared.walk(weights, 20, 60, 0.5),
        lambda: shared.moves(),
        lambda: shared.pieces(),
        lambda: shared.length,
    ]


def shortener_calls() -> Calls:
    graph = gain_graph("square R(4,4) tiles 1")
    shared = _core.Shortener(*graph.step_arrays(), [(c, 0) for c in range(15)])
    circle = [(14, 15, 0), (10, 14, 0), (11, 10, 0), (15, 11, 0)]
    return [
        lambda: shared.load(ints(circle * 200)),
        lambda: shared.run(12, 2000),
        lambda: shared.cut_loops(),
        lambda: shared.moves(),
        lambda: len(shared),
    ]


def replanner_calls() -> Calls:
    graph = gain_graph("square R(4,4) tiles 1")
    shortener = _core.Shortener(*graph.step_arrays(), [(c, 0) for c in range(15)])
    shortener.load(ints([(14, 15, 0), (10, 14, 0), (11, 10, 0), (15, 11, 0)] * 200))
    shared = shortener.replanner(10**8)
    return [
        lambda: shared.run(100, 7, 50, 2, 1.0, 1, 10**6, 2),
        lambda: shared.moves(),
        lambda: len(shared),
    ]


def layer_calls() -> Calls:
    graph = gain_graph()
    edges = graph.core.edges()[:, :5].copy()
    labels, main = np.arange(8, dtype=np.uint32) * 0, np.arange(8, dtype=np.uint32)
    code = _core.StateCode(graph.core.shape_count, edges, 1, labels, main, False, 1 << 30)
    shared = _core.LayerSearch(code, True)
    start = code.place(0, np.arange(8, dtype=np.uint32))
    assert start is not None
    return [
        lambda: shared.begin(start),
        lambda: shared.advance(2),
        lambda: shared.layers,
        lambda: shared.finished,
        lambda: shared.last_layer(10),
        lambda: shared.layer_states([0]),
        lambda: shared.residue(start),
        lambda: shared.neighbours(start),
        lambda: shared.distances(np.zeros(9, np.int64), np.tile(np.arange(8, dtype=np.uint32), (9, 1)), 2),
        lambda: shared.pack(False, 0, 100),
        lambda: code.arrangement(start),
    ]


def shard_calls() -> Calls:
    graph = gain_graph()
    edges = graph.core.edges()[:, :5].copy()
    labels, main = np.arange(8, dtype=np.uint32) * 0, np.arange(8, dtype=np.uint32)
    code = _core.StateCode(graph.core.shape_count, edges, 1, labels, main, False, 1 << 30, 1)
    shared = _core.ShardSearch(code, 0, code.shards)
    start = code.place(0, np.arange(8, dtype=np.uint32))
    assert start is not None
    shared.begin(start)
    words = np.array([shared.word_of(start)], dtype=np.uint64)
    return [
        lambda: shared.begin(start),
        lambda: shared.advance(2),
        lambda: shared.begin_full(2),
        lambda: shared.images(words, 2),
        lambda: shared.shards_of(words),
        lambda: shared.departures(0, 2),
        lambda: shared.send(0, (0, code.shards), [], [], 2),
        lambda: shared.sweep(True, False, 2),
        lambda: shared.finish_layer(1),
        lambda: shared.layers,
        lambda: shared.counted,
        lambda: shared.last_layer(10),
        lambda: shared.count(0),
    ]


def symmetric_calls() -> Calls:
    goal = sl.puzzle("square R(3,3)").goal
    component = Component(goal)
    found = start_symmetries(component, goal)
    assert found is not None
    shared = SymmetricSearch(component, found).core
    start = component.known_index(goal)
    return [
        lambda: shared.begin(start),
        lambda: shared.advance(2),
        lambda: shared.layers,
        lambda: shared.last_layer(10),
        lambda: shared.bytes_needed(2),
    ]


def goal_calls() -> Calls:
    graph = gain_graph()
    edges = graph.core.edges()[:, :5].copy()
    kinds, turns = np.array([0, 0, 0, 1, 1, 1, 2, 2], np.uint16), np.zeros(8, np.uint32)
    code = _core.GoalCode(graph.core.shape_count, edges, 1, kinds, np.ones(3, np.uint32), 1 << 30)
    shared = _core.GoalSearch(code, 5)
    number = code.index(kinds, turns)
    assert number is not None
    goal = (0, number)
    shared.begin([goal])
    return [
        lambda: shared.begin([goal]),
        lambda: shared.advance(2),
        lambda: shared.layers,
        lambda: shared.sample(0),
        lambda: shared.distance(goal),
        lambda: shared.neighbours(goal),
        lambda: shared.solutions(goal, 1000),
        lambda: code.arrangement(number),
    ]


def group_calls() -> Calls:
    turn = np.roll(np.arange(60, dtype=np.uint16), 1)
    swap = np.arange(60, dtype=np.uint16)
    swap[:2] = 1, 0
    shared = _core.Group(np.stack([turn, swap]), 1, 1 << 30)
    colours = np.arange(60, dtype=np.uint32) % 2
    return [
        lambda: shared.random_element(),
        lambda: shared.seed(3),
        lambda: shared.contains(turn),
        lambda: shared.factor(swap),
        lambda: shared.recolour(colours, colours[::-1].copy(), 1000),
    ]


def pfaffian_calls() -> Calls:
    ladder = [(2 * i, 2 * i + 1, i) for i in range(10)] + [(2 * i + 1, 2 * i + 2, 10) for i in range(9)]
    shared = _core.Pfaffian(20, np.array(ladder, dtype=np.uint32))
    counts, values = np.full(11, 2, np.uint64), np.ones(22, np.uint64)
    return [lambda: shared.sum(1009, counts, values, values), lambda: shared.cost]


def polyhex_calls() -> Calls:
    shared = _core.PolyhexStream(9)
    return [lambda: shared.next_batch(50)]


def graph_calls() -> Calls:
    shared = gain_graph("square R(3,3) tiles 2").core
    points = np.arange(7, dtype=np.uint16)
    moves = _core.MoveTable(shared)
    searches = _core.Searcher(moves, [1] * 7, 1000, 8)
    alone = _core.single_distances(moves, 0, points)
    heuristic = _core.Heuristic(alone, 9, True, [], [])
    return [
        lambda: shared.edges(),
        lambda: shared.span(0, 1 << 30),
        lambda: shared.keys(),
        lambda: _core.MoveTable(shared).shapes,
        lambda: searches.ida_star(heuristic, 0, points, 0, 1 << 31, 1000, 2),
        lambda: searches.bidirectional(0, points, 3, points, 1 << 20, 1000, True),
        lambda: _core.pair_excess(moves, 0, alone, [(0, 1), (2, 3)], 2),
        lambda: heuristic.bounds(points, ints([range(7)] * 9), 2),
    ]


def batch_calls() -> Calls:
    shared = sl.puzzle("square R(3,3)").arrays(threads=2)
    batch = np.repeat(shared.encode([shared.puzzle.goal]), 8000, axis=0)
    moves = shared.random_walks(batch, 2, seed=1).moves
    graph = gain_graph()
    return [
        lambda: shared.check(batch),
        lambda: shared.neighbours(batch),
        lambda: shared.legal_moves(batch),
        lambda: shared.replay(batch, moves),
        lambda: shared.random_walks(batch, 3),
        lambda: graph.places(shared.spots(batch), 2),
    ]


@pytest.mark.parametrize(
    "make",
    [
        train_calls, carrier_calls, board_beam_calls, replay_calls, peeler_calls, shortener_calls,
        replanner_calls, layer_calls, shard_calls, symmetric_calls, goal_calls, group_calls, pfaffian_calls,
        polyhex_calls, graph_calls, batch_calls,
    ],
)  # fmt: skip
def test_threads_may_share_every_object(make: Callable[[], Calls]) -> None:
    calls = make()
    refused: list[str] = []
    unexpected: list[BaseException] = []

    def work(first: int) -> None:
        for number in range(400):
            try:
                calls[(first + number) % len(calls)]()
            except RuntimeError as error:  # refused, or what the other thread did made no sense of it
                refused.append(str(error))
            except (ValueError, StopIteration, _core.LimitReached):
                pass
            except BaseException as error:
                unexpected.append(error)

    threads = [threading.Thread(target=work, args=(first,)) for first in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not unexpected


def long_replay() -> tuple[Any, Any]:
    board, steps = square()
    rows = ints([(*row[:2], row[1]) for row in steps])
    core = _core.Replay(board.size, rows, ints([[c] for c in range(board.size - 1)]))
    return core, np.tile(ints([(143, 0, 142, 143), (143, 0, 143, 142)]), (4_000_000, 1))


def test_a_second_call_on_a_busy_object_is_refused() -> None:
    core, rows = long_replay()
    seen: list[str] = []

    def progress(phase: str, done: int, total: int) -> None:
        with pytest.raises(RuntimeError, match="already in use"):
            core.pieces()
        seen.append(phase)

    assert core.play(rows, progress) == len(rows)
    assert seen


def test_other_threads_run_during_a_call() -> None:
    core, rows = long_replay()
    thread = threading.Thread(target=core.play, args=(rows,))
    thread.start()
    counted = 0
    while thread.is_alive():
        counted += 1
    thread.join()
    assert counted > 1000


@pytest.mark.parametrize("answer", [None, False, 1, "True", np.True_, object()])
def test_other_results_of_callbacks_are_ignored(answer: object) -> None:
    core, rows = long_replay()
    assert core.play(rows, lambda *_: answer) == len(rows)


def test_a_callback_that_returns_true_ends_the_call() -> None:
    core, rows = long_replay()
    with pytest.raises(_core.OutOfTime, match="time is up"):
        core.play(rows, lambda *_: True)
    assert issubclass(_core.OutOfTime, TimeoutError)
    core.pieces()  # not busy any more


def test_a_billion_pulls_are_stopped() -> None:
    """Every long call takes a callback: this one would take half a minute and gigabytes."""
    shared, cycle = train(), list(range(81))
    with pytest.raises(_core.OutOfTime):
        shared.pull(cycle, 10**9, lambda *_: True)
    assert 0 < len(shared) < 10**9
    shared.pull_to(cycle, 0)
    assert shared.hole == 0


def test_exceptions_of_callbacks_propagate() -> None:
    class Odd(BaseException):
        pass

    core, rows = long_replay()

    def progress(*_: object) -> None:
        raise Odd

    with pytest.raises(Odd):
        core.play(rows, progress)
    core.pieces()


def test_progress_must_be_callable() -> None:
    core, rows = long_replay()
    with pytest.raises(TypeError):
        core.play(rows, 7)


def test_signals_interrupt_a_call() -> None:
    core, rows = long_replay()
    received: list[float] = []

    def handler(*_: object) -> None:
        received.append(time.monotonic())
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            core.play(rows)
        assert received[0] - began < 0.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
