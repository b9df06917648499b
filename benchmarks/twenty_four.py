"""Shortest solutions of 24-puzzles by IDA* with pattern databases, beside published numbers of nodes.

The boards and nodes are of Korf and Felner (Artificial Intelligence 134, 2002), with patterns of six tiles;
by default ten of the easiest. Databases are built once and mapped from disk then. Every solution is replayed
when it is made.

    python benchmarks/twenty_four.py                        the ten easiest, on all cores
    python benchmarks/twenty_four.py --threads 1 2          on one core, then on two
    python benchmarks/twenty_four.py --boards 38 40 --tables 4G
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import slidelab as sl
from slidelab.arguments import parse_bytes
from slidelab.budget import Budget, available_cores
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.search.algorithms import ida_star

EASIEST = (38, 40, 44, 25, 1, 32, 37, 30, 28, 5)


def instances() -> dict[int, tuple[list[int], int, int]]:
    """Return the tiles, the optimal length and the published nodes of each board."""
    found = {}
    for line in (Path(__file__).parent / "korf24.csv").read_text().splitlines():
        if not line.startswith("#"):
            number, tiles, length, nodes = line.split(",")
            found[int(number)] = ([int(tile) for tile in tiles.split()], int(length), int(nodes))
    return found


def measure(heuristic: Heuristic, boards: list[int], threads: int) -> None:
    print(f"\n{threads} threads; 'processor' is the seconds of all of them")
    print(
        f"{'board':>6}{'length':>8}{'published':>16}{'nodes':>16}{'ratio':>7}{'seconds':>9}{'processor':>11}{'M/s':>6}"
    )
    rows, total = instances(), [0.0] * 4
    for number in boards:
        tiles, length, published = rows[number]
        start = heuristic.goal.puzzle.configuration(tiles)
        began, worked = time.perf_counter(), time.process_time()
        found = ida_star(heuristic, start, Budget.of(threads=threads))
        seconds, processor = time.perf_counter() - began, time.process_time() - worked
        if found.solution is None or (found.solution.length, found.lower_bound) != (length, length):
            raise SystemExit(f"board {number}: expected {length} moves, got {found}")
        row = [published, found.nodes, seconds, processor]
        total = [a + b for a, b in zip(total, row, strict=True)]
        print_row(f"{number:6}{length:8}", row)
    print_row(f"{'all':>6}{'':8}", total)


def print_row(name: str, row: list[float]) -> None:
    published, nodes, seconds, processor = row
    print(
        f"{name}{int(published):16,}{int(nodes):16,}{nodes / published:7.2f}{seconds:9.1f}{processor:11.1f}"
        f"{nodes / processor / 1e6:6.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, nargs="+", default=list(EASIEST))
    parser.add_argument("--threads", type=int, nargs="+", default=[available_cores()])
    parser.add_argument("--tables", default="300M")
    options = parser.parse_args()
    goal = sl.puzzle("square R(5,5)").configuration([0, *range(1, 25)])
    began, worked = time.perf_counter(), time.process_time()
    heuristic = heuristic_for(goal, parse_bytes(options.tables, "--tables"))
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    print(f"{heuristic}, built or mapped in {seconds:.1f} s, {processor:.1f} s of the processor")
    for threads in options.threads:
        measure(heuristic, options.boards, threads)


if __name__ == "__main__":
    main()
