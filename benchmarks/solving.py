"""Time to find shortest solutions: Korf's hundred 15-puzzles, and puzzles too large for a distance table.

plain_ida.cpp is the straightforward program: IDA* with Manhattan distance. Pattern databases are built in a
temporary folder, then memory-mapped. Nothing here passes or fails by time.

    python benchmarks/solving.py           everything, about five minutes
    python benchmarks/solving.py --quick   without the largest databases and the plain program
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import slidelab as sl
from slidelab.budget import Budget
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach.random_configurations import shuffles
from slidelab.solve.patterns.databases import PatternDatabases, build_databases
from slidelab.solve.patterns.heuristic import Heuristic
from slidelab.solve.patterns.store import save, stored_for
from slidelab.solve.patterns.symmetry import canonical_shape
from slidelab.solve.search.algorithms import a_star, bidirectional_search, ida_star

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
EASIEST = 10
PETERSEN = "graph " + " ".join(
    f"{a}-{b}" for k in range(5) for a, b in ((k, (k + 1) % 5), (k, k + 5), (k + 5, (k + 2) % 5 + 5))
)
LARGE = (("square R(3,6)", 20), ("hex F(3) gourds 1", 20), ("hex Ptr(4,5) hextiles 2", 4))


KORF = sl.instances("korf100")


def build_and_map(goal: Configuration, size: int) -> tuple[PatternDatabases, PatternDatabases, float, float]:
    """Return databases as built and as mapped from disk, with the processor seconds of both steps."""
    graph = gain_graph(goal.puzzle)
    shape = canonical_shape(graph, graph.place(goal)[0])
    began = time.process_time()
    made = build_databases(graph, shape, size)
    building = time.process_time() - began
    save(made)
    began = time.process_time()
    (found,) = [found for found in stored_for(graph, shape) if found.size == made.size]
    loaded = found.load(graph, shape)
    return made, loaded, building, time.process_time() - began


def korf(sizes: tuple[int, ...]) -> None:
    goal = KORF.goal
    print(
        "Korf's hundred instances; processor seconds except 'wall': to build on all cores, and to solve on\n"
        "one and two threads"
    )
    print(
        f"{'databases':>12}{'MB':>7}{'wall':>8}{'build':>8}{'map':>9}{'solve':>9}"
        f"{'nodes':>13}{'M/s':>6}{'total':>8}{'wall 1':>8}{'wall 2':>8}{'solve 2':>9}"
    )
    for size in sizes:
        made, patterns, building, mapping = build_and_map(goal, size)
        heuristic = Heuristic(goal, patterns)
        starts = [instance.start for instance in KORF]
        lengths, nodes, seconds, wall = solve_all(heuristic, starts, 1)
        same, _, seconds_of_two, wall_of_two = solve_all(heuristic, starts, 2)
        if not lengths == same == [instance.length for instance in KORF]:
            sys.exit("lengths differ from the published ones")
        for start, length in zip(starts, lengths, strict=True):
            near = a_star(heuristic, start, weight=1.5).solution
            if near is None or not length <= near.length <= 1.5 * length:
                sys.exit("a weighted search exceeded its bound")
        print(
            f"{pieces(made):>12}{made.size / 1e6:7.0f}{made.seconds:8.2f}{building:8.2f}{mapping:9.3f}"
            f"{seconds:9.3f}{nodes:13,}{nodes / seconds / 1e6:6.1f}{building + seconds:8.2f}"
            f"{wall:8.2f}{wall_of_two:8.2f}{seconds_of_two:9.2f}"
        )
    print("all lengths as published; with weight 1.5 none is more than 1.5 times as long")


def solve_all(
    heuristic: Heuristic, starts: list[Configuration], threads: int
) -> tuple[list[int], int, float, float]:
    """Return lengths, nodes, and seconds of the processor and of the clock."""
    nodes, lengths = 0, []
    worked, began = time.process_time(), time.perf_counter()
    for start in starts:
        shape, marks = heuristic.encode(start)
        steps, expanded, _, _ = heuristic.searches.ida_star(
            heuristic.core, shape, marks, 0, (1 << 32) - 1, (1 << 64) - 1, threads
        )
        nodes += expanded
        lengths.append(len(steps or ()))
    return lengths, nodes, time.process_time() - worked, time.perf_counter() - began


def pieces(databases: PatternDatabases) -> str:
    """Return the numbers of pieces of the patterns, such as 6+6+3."""
    return "+".join(str(len(pattern)) for pattern in databases.patterns)


def compare_with_plain() -> None:
    easiest = sorted(KORF, key=lambda instance: instance.facts["nodes"])[:EASIEST]
    boards = "\n".join(each.start.pieces_text.replace(".", "0") for each in easiest)
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "plain_ida"
    source = ROOT / "benchmarks" / "plain_ida.cpp"
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-O3", "-std=c++20", str(source), "-o", str(program)], check=True)
    run = subprocess.run([program], input=boards, capture_output=True, text=True, check=True)
    goal = KORF.goal
    graph = gain_graph(goal.puzzle)
    shape = canonical_shape(graph, graph.place(goal)[0])
    tables = (("distances", build_databases(graph, shape, 0)), ("20 MB", build_databases(graph, shape)))
    heuristics = [(name, Heuristic(goal, patterns)) for name, patterns in tables]
    print("\nthe ten easiest: nodes and seconds of plain_ida.cpp, ours without and with pattern databases")
    print(f"{'instance':>8}{'length':>8}{'nodes':>14}{'seconds':>9}", end="")
    print("".join(f"{'nodes':>14}{'seconds':>10}" for _ in heuristics) + f"{'ratio':>9}")
    total = [0.0] * (len(heuristics) + 1)
    for instance, line in zip(easiest, run.stdout.splitlines(), strict=True):
        length, nodes, slow = line.split()
        print(f"{instance.number:>8}{length:>8}{int(nodes):14,}{float(slow):9.3f}", end="")
        total[0] += float(slow)
        start = instance.start
        for number, (_, heuristic) in enumerate(heuristics, 1):
            began = time.process_time()
            found = ida_star(heuristic, start)
            quick = time.process_time() - began
            total[number] += quick
            if found.solution is None or found.solution.length != int(length):
                sys.exit("lengths differ")
            print(f"{found.nodes:14,}{quick:10.4f}", end="")
        print(f"{float(slow) / quick:8,.0f}x")
    print(f"total: plain {total[0]:.2f} s, distances {total[1]:.2f} s, databases {total[2]:.3f} s")


def large() -> None:
    print("\nrandom instances too large for a distance table, by IDA*, at most a minute each")
    print(
        f"{'puzzle':26}{'seed':>5}{'heuristic':>10}{'length':>8}{'bound':>10}"
        f"{'nodes':>15}{'seconds':>9}{'w 1.5':>7}"
    )
    for text, megabytes in LARGE:
        puzzle = sl.puzzle(text)
        graph = gain_graph(puzzle)
        shape = canonical_shape(graph, graph.place(puzzle.goal)[0])
        size = 400_000_000 if text.startswith("hex Ptr") else megabytes * 1_000_000
        patterns = build_databases(graph, shape, size)
        heuristic = Heuristic(puzzle.goal, patterns)
        for seed in range(4):
            start = puzzle.shuffle(seed, puzzle.goal)
            began = time.perf_counter()
            found = ida_star(heuristic, start, Budget.of(time=60))
            seconds = time.perf_counter() - began
            length = found.solution.length if found.solution else "-"
            near = a_star(heuristic, start, weight=1.5).solution
            print(
                f"{text if seed == 0 else '':26}{seed:5}{heuristic.lower_bound(start):10}{length:>8}"
                f"{found.lower_bound:10}{found.nodes:15,}{seconds:9.2f}{near.length if near else '-':>7}"
            )
        print(
            f"    {pieces(patterns)} pieces, {patterns.size / 1e6:.1f} MB, built in {patterns.seconds:.1f} s"
        )


SMALL = (
    "hex P(3,3) hextiles 3",
    "hex Ptr(3,4) hextiles 2",
    "theta(2,2,3)",
    "square R(3,3)",
    PETERSEN,
    "hex P(3,3) gourds 1",
)
WEIGHTS = (1.1, 1.4, 2.0, 4.0)


def agreement(count: int) -> None:
    """Compare the lengths that every search finds with the distance table."""
    print(f"\n{count:,} random configurations each: how many lengths agree with the distance table")
    heads = "".join(f"{f'w {weight}':>9}" for weight in WEIGHTS)
    print(
        f"{'puzzle':26}{'mean':>7}{'ida':>8}{'A*':>8}{'bidirect.':>11}{heads}   largest ratio with weight w"
    )
    for text in SMALL:
        puzzle = sl.puzzle(text)
        goal = puzzle.distances(hardest=0).start
        table = sl.DistanceTable(goal)
        graph = gain_graph(puzzle)
        # Small databases, so that there is something left to search.
        heuristic = Heuristic(
            goal, build_databases(graph, canonical_shape(graph, graph.place(goal)[0]), 2_000)
        )
        equal, worst, total = [0, 0, 0], [1.0] * len(WEIGHTS), 0
        for start in islice(shuffles(puzzle, 1, goal), count):
            exact = table.distance(start)
            assert exact is not None
            total += exact
            for k, found in enumerate(
                (
                    ida_star(heuristic, start),
                    a_star(heuristic, start),
                    bidirectional_search(heuristic, start),
                )
            ):
                equal[k] += found.solution is not None and found.solution.length == exact
            for k, weight in enumerate(WEIGHTS):
                near = a_star(heuristic, start, weight=weight).solution
                if exact and near is not None:
                    worst[k] = max(worst[k], near.length / exact)
        name = "Petersen graph" if text == PETERSEN else text
        print(f"{name:26}{total / count:7.2f}{equal[0]:8,}{equal[1]:8,}{equal[2]:11,}", end="")
        print("".join(f"{ratio:9.3f}" for ratio in worst))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    quick = arguments.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SLIDELAB_CACHE"] = folder
        korf((1_000_000, 20_000_000) if quick else (1_000_000, 20_000_000, 100_000_000, 1_000_000_000))
        if not quick:
            compare_with_plain()
            agreement(1000)
            large()


if __name__ == "__main__":
    main()
