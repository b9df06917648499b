"""Shortest solutions of 24-puzzles, found and proved, beside published numbers of nodes.

A beam search finds a solution first. IDA* then proves that there is no shorter one, or finds it: if that of
the beam is a shortest, the last and largest bound need not be searched.

The boards and nodes are of Korf and Felner (Artificial Intelligence 134, 2002), with patterns of six tiles;
by default ten of the easiest. Databases are built once and mapped from disk then. Every solution is replayed
when it is made. With a limit of time the last line tells how far the run came.

    python benchmarks/twenty_four.py                        the ten easiest, on all cores
    python benchmarks/twenty_four.py --easiest 30 --time 7200       by published nodes, two hours in all
    python benchmarks/twenty_four.py --threads 1 2          on one core, then on two
    python benchmarks/twenty_four.py --boards 38 40 --beam 0        IDA* alone
"""

from __future__ import annotations

import argparse
import time

import slidelab as sl
from slidelab.arguments import parse_bytes
from slidelab.budget import Budget, available_cores
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.search.algorithms import ida_star
from slidelab.solve.search.beam import beam_search
from slidelab.solve.search.ranking import Ranking

EASIEST = (38, 40, 44, 25, 1, 32, 37, 30, 28, 5)

BEAM_RANKING = Ranking(excess=1.5, power=1.2, order=0.5)
"""How the beam ranks states: the first of the rankings that `auto` tries."""

MAX_BEAM_MOVES = 200
"""Moves at which a beam gives up: far more than any of these boards needs."""


def easiest(count: int) -> list[int]:
    """Return the numbers of the boards with the fewest published nodes."""
    rows = sorted(sl.instances("korf24"), key=lambda row: row.facts["nodes"])
    return [row.number for row in rows[:count]]


def measure(heuristic: Heuristic, boards: list[int], threads: int, width: int, limit: float | None) -> None:
    print(f"\n{threads} threads; seconds by the clock, 'processor' those of all threads")
    print(
        f"{'board':>6}{'length':>8}{'beam':>6}{'seconds':>9}{'published':>17}{'nodes':>15}{'ratio':>7}{'seconds':>9}"
        f"{'processor':>11}{'M/s':>6}",
        flush=True,
    )
    rows, total, proved = sl.instances("korf24"), [0.0] * 5, 0
    budget = Budget.of(time=limit, threads=threads)
    for number in boards:
        if budget.expired:
            break
        instance = rows.numbered(number)
        start, length, published = instance.start, instance.length, instance.facts["nodes"]
        began = time.perf_counter()
        known = None
        if width:
            beam = beam_search(
                heuristic, start, budget, width=width, below=MAX_BEAM_MOVES, ranking=BEAM_RANKING
            ).solution
            known = beam.length if beam else None
        beam_seconds = time.perf_counter() - began
        began, worked = time.perf_counter(), time.process_time()
        found = ida_star(heuristic, start, budget, below=known)
        seconds, processor = time.perf_counter() - began, time.process_time() - worked
        best = found.solution.length if found.solution else known
        if budget.expired and not found.finished:
            print(
                f"{number:6}{length:8}{known or '-':>6}{beam_seconds:9.1f}{int(published):17,}"
                f"{found.nodes:15,}  time is up: lower bound {found.lower_bound} after {seconds:.1f} s",
                flush=True,
            )
            break
        if (best, found.lower_bound, found.finished) != (length, length, True):
            raise SystemExit(f"board {number}: expected {length} moves, got {best} and {found}")
        row = [beam_seconds, published, found.nodes, seconds, processor]
        total = [a + b for a, b in zip(total, row, strict=True)]
        proved += 1
        print_row(f"{number:6}{length:8}{known or '-':>6}", row)
    if proved:
        print_row(f"{'all':>6}{'':14}", total)
    print(f"{proved} of {len(boards)} boards proved", flush=True)


def print_row(name: str, row: list[float]) -> None:
    beam, published, nodes, seconds, processor = row
    print(
        f"{name}{beam:9.1f}{int(published):17,}{int(nodes):15,}{nodes / published:7.2f}{seconds:9.1f}"
        f"{processor:11.1f}{nodes / processor / 1e6:6.1f}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, nargs="+", help="by default ten of the easiest")
    parser.add_argument("--easiest", type=int, metavar="N", help="those with the fewest published nodes")
    parser.add_argument("--time", type=float, metavar="SECONDS", help="limit for all boards together")
    parser.add_argument("--threads", type=int, nargs="+", default=[available_cores()])
    parser.add_argument("--tables", default="600M", help="300M for databases that ignore the hole")
    parser.add_argument("--beam", type=int, default=100_000, help="width of the beam search, 0 for none")
    options = parser.parse_args()
    goal = sl.instances("korf24").goal
    began, worked = time.perf_counter(), time.process_time()
    heuristic = heuristic_for(goal, parse_bytes(options.tables, "--tables"))
    seconds, processor = time.perf_counter() - began, time.process_time() - worked
    print(f"{heuristic}, built or mapped in {seconds:.1f} s, {processor:.1f} s of the processor", flush=True)
    boards = options.boards or (easiest(options.easiest) if options.easiest else list(EASIEST))
    for threads in options.threads:
        measure(heuristic, boards, threads, options.beam, options.time)


if __name__ == "__main__":
    main()
