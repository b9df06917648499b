"""Batches of configurations: neighbours, moves, random walks and lookups per second, beside plain numpy.

Batches are ends of random walks, one thread. The numpy versions do the same work with whole columns at
a time and give the same neighbours, which is checked. Each number is the best of several runs,
CPU time; nothing here passes or fails by time.

    python benchmarks/arrays.py           a million configurations each
    python benchmarks/arrays.py --quick   a tenth of that
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

import slidelab as sl
from slidelab import ConfigurationArrays
from slidelab.distance.table import DistanceTable
from slidelab.gains.arrays import Batch, Neighbours

RUNS = 5
WALK = 100

P = ParamSpec("P")
T = TypeVar("T")


def random_graph(vertices: int, seed: int) -> str:
    """Return a random connected graph with average degree three."""
    rng = random.Random(seed)
    edges = {(rng.randrange(b), b) for b in range(1, vertices)}
    while len(edges) < 3 * vertices // 2:
        a, b = sorted(rng.sample(range(vertices), 2))
        edges.add((a, b))
    return "graph " + " ".join(f"{a}-{b}" for a, b in sorted(edges))


PUZZLES = (
    ("15-puzzle", "square R(4,4)"),
    ("24-puzzle", "square R(5,5)"),
    ("hex tiles, 2 holes", "hex P(4,4) hextiles 2"),
    ("king board", "king R(4,4)"),
    ("gourds on F(3)", "hex F(3) gourds"),
    ("random graph, 2 holes", f"{random_graph(16, 1)} tiles 2"),
)

TABLES = (
    ("8-puzzle", "square R(3,3)"),
    ("hex tiles, 3 holes", "hex P(3,3) hextiles 3"),
    ("gourds on F(2)", "hex F(2) gourds"),
)


def best(runs: int, work: Callable[P, T], *args: P.args, **options: P.kwargs) -> tuple[float, T]:
    """Return the least seconds of several runs, and the result of the first."""
    began = time.process_time()
    result = work(*args, **options)
    least = time.process_time() - began
    for _ in range(runs - 1):
        began = time.process_time()
        work(*args, **options)
        least = min(least, time.process_time() - began)
    return least, result


def numpy_one_hole(arrays: ConfigurationArrays, batch: Batch) -> Neighbours:
    """Neighbours of tiles with one hole: one fancy index per direction."""
    board = arrays.puzzle.board
    degree = max(len(around) for around in board.neighbours)
    table = np.full((board.size, degree), -1)
    numbers = np.full((board.size, board.size), -1, dtype=np.int32)
    for cell, around in enumerate(board.neighbours):
        table[cell, : len(around)] = around
    for number, (before, after) in enumerate(arrays.move_cells[:, :, 0].tolist()):
        numbers[before, after] = number
    holes = (batch == 0).argmax(axis=1)
    parts = []
    for k in range(degree):
        tiles = table[holes, k]
        rows = np.flatnonzero(tiles >= 0)
        hole, tile = holes[rows], tiles[rows]
        states = batch[rows]
        at = np.arange(len(rows))
        states[at, hole] = states[at, tile]
        states[at, tile] = 0
        parts.append((states, rows, numbers[tile, hole]))
    return joined(parts)


def numpy_by_move(arrays: ConfigurationArrays, batch: Batch) -> Neighbours:
    """Neighbours for any rule: one mask over the batch for each move of the step table."""
    puzzle, parts = arrays.puzzle, []
    steps: dict[int, list[tuple[int, ...]]] = {}
    for placement in puzzle.rule.placements(puzzle.board):
        for step in puzzle.rule.steps(puzzle.board, placement):
            number = int(arrays.encode_moves([sl.Move(1, step.before, step.after)])[0])
            steps.setdefault(number, []).append(step.holes)
    if puzzle.rule.cells == 1:
        empty = batch == 0
    else:
        empty = np.ones((len(batch), puzzle.board.size), dtype=bool)
        np.put_along_axis(empty, batch.reshape(len(batch), -1).astype(np.int64), False, axis=1)
    for number, holes in steps.items():
        before, after = arrays.move_cells[number]
        room = np.logical_or.reduce([empty[:, list(cells)].all(axis=1) for cells in holes])
        if puzzle.rule.cells == 1:
            rows = np.flatnonzero(room & ~empty[:, before[0]])
            states = batch[rows]
            states[:, after[0]], states[:, before[0]] = states[:, before[0]], 0
            parts.append((states, rows, np.full(len(rows), number, dtype=np.int32)))
            continue
        for turn in range(puzzle.rule.turns):
            first = puzzle.rule.readings(tuple(before.tolist()))[turn]
            last = puzzle.rule.readings(tuple(after.tolist()))[turn]
            rows, pieces = np.nonzero((batch == first).all(axis=2) & room[:, None])
            states = batch[rows]
            states[np.arange(len(rows)), pieces] = last
            parts.append((states, rows, np.full(len(rows), number, dtype=np.int32)))
    return joined(parts)


def joined(parts: list[tuple[Batch, NDArray[np.int64], NDArray[np.int32]]]) -> Neighbours:
    states, parents, moves = zip(*parts, strict=True)
    return Neighbours(np.concatenate(states), np.concatenate(parents), np.concatenate(moves))


def same(found: Neighbours, plain: Neighbours) -> bool:
    order = np.lexsort((plain.moves, plain.parents))
    return (
        np.array_equal(found.states, plain.states[order])
        and np.array_equal(found.parents, plain.parents[order])
        and np.array_equal(found.moves, plain.moves[order])
    )


def random_batch(arrays: ConfigurationArrays, rows: int) -> Batch:
    start = np.repeat(arrays.encode([arrays.puzzle.goal]), rows, axis=0)
    return arrays.random_walks(start, WALK, seed=1, record=False).states


def moves_table(rows: int) -> None:
    print(f"millions a second, one thread, batches of {rows:,}\n")
    print(
        f"{'':22} {'neighbours':>10} {'numpy':>7} {'ratio':>6} {'count':>7} {'mask':>7} {'apply':>7}"
        f" {'walk':>7} {'encode':>7} {'decode':>7}"
    )
    for name, text in PUZZLES:
        arrays = sl.puzzle(text).arrays(threads=1)
        batch = random_batch(arrays, rows)
        seconds, found = best(RUNS, arrays.neighbours, batch)
        plain = numpy_one_hole if arrays.puzzle.hole_count == arrays.puzzle.rule.cells == 1 else numpy_by_move
        part = batch if arrays.puzzle.rule.cells == 1 else batch[: rows // 100]  # it takes too long for all
        slow, theirs = best(2, plain, arrays, part)
        agree = "" if same(arrays.neighbours(part), theirs) else "  DIFFERENT"
        speed, plain_speed = len(found.moves) / seconds, len(theirs.moves) / slow
        firsts = found.moves[np.unique(found.parents, return_index=True)[1]]
        few = batch[:20_000]
        walk = partial(arrays.random_walks, seed=2, record=False)
        decoding, configurations = best(2, arrays.decode, few)
        numbers = [
            rows / best(RUNS, arrays.count_moves, batch)[0],
            rows / best(RUNS, arrays.legal_moves, batch)[0],
            rows / best(RUNS, arrays.apply, batch, firsts)[0],
            rows * WALK / best(2, walk, batch, WALK)[0],
            len(few) / best(2, arrays.encode, configurations)[0],
            len(few) / decoding,
        ]
        print(
            f"{name:22} {speed / 1e6:10.1f} {plain_speed / 1e6:7.2f} {speed / plain_speed:5.0f}x "
            + " ".join(f"{number / 1e6:7.2f}" for number in numbers)
            + agree
        )


def distance_table(rows: int) -> None:
    print(f"\n{'distance table':22} {'thousands a second':>18} {'one by one':>11}")
    for name, text in TABLES:
        arrays = sl.puzzle(text).arrays(threads=1)
        table = DistanceTable(arrays.puzzle.goal)
        batch = random_batch(arrays, rows // 10)
        seconds, found = best(2, table.distances, batch, threads=1)
        few = arrays.decode(batch[:300])
        slow, one_by_one = best(1, list, map(table.distance, few))
        agree = "" if found[:300].tolist() == one_by_one else "  DIFFERENT"
        print(f"{name:22} {len(batch) / seconds / 1e3:18.0f} {len(few) / slow / 1e3:11.1f}{agree}")


def heuristic_table(rows: int) -> None:
    print(f"\n{'heuristic':22} {'thousands a second':>18} {'one by one':>11}")
    for name, text in PUZZLES:
        arrays = sl.puzzle(text).arrays(threads=1)
        heuristic = sl.heuristic_for(arrays.puzzle.goal)
        batch = random_batch(arrays, rows // 10)
        seconds, found = best(2, heuristic.lower_bounds, batch, threads=1)
        few = arrays.decode(batch[:300])
        slow, one_by_one = best(1, list, map(heuristic.lower_bound, few))
        agree = "" if found[:300].tolist() == one_by_one else "  DIFFERENT"
        speeds = f"{len(batch) / seconds / 1e3:18.0f} {len(few) / slow / 1e3:11.1f}"
        print(f"{name:22} {speeds}  {heuristic.description}{agree}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    rows = 100_000 if parser.parse_args().quick else 1_000_000
    moves_table(rows)
    distance_table(rows)
    heuristic_table(rows)


if __name__ == "__main__":
    main()
