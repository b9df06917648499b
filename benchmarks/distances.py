"""Speed of the exhaustive search: ratios to plain_bfs.cpp in the same run, and growth of the cost.

plain_bfs.cpp is the straightforward program: two bits per state, Myrvold-Ruskey ranks, one thread.
Each case runs three times and the best time is printed. Nothing here passes or fails by time.

    python benchmarks/distances.py           everything, about twenty minutes
    python benchmarks/distances.py --quick   plain programs once, small boards only
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.search import Search
from slidelab.distance.starts import read_start
from slidelab.draw.chart import growth_chart, save_figure

P = ParamSpec("P")

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"

RATIOS = (("square R(3,4)", "", (1, 2)), ("hex Ptr(3,5)", ". . 1 2 3 4 5 6 7 8 9 10 11", (1, 2)))
GROWTH = (
    ("square", ("square R(3,3)", "square R(2,5)", "square R(3,4)")),
    ("hex, two holes", ("hex Ptr(3,4)", "hex Ptr(3,5)", "hex Ptr(4,4)")),
)
TABLE_3 = (
    ("hex F(2)", "2-4"),
    ("hex T(3)", "2-4"),
    ("hex T(4)", "2,3"),
    ("hex P(3,3)", "3"),
    ("hex Ptr(3,4)", "2"),
)


def component_of(text: str, start: str = "") -> Component:
    puzzle = sl.puzzle(text)
    return Component(read_start(puzzle, start or None))


def ours(component: Component, threads: int) -> tuple[float, list[int]]:
    """Return the time in seconds, with move tables and memory allocation, and the sizes of the layers."""
    began = time.perf_counter()
    fresh = Component(component.start)
    layers = Search(fresh, Budget(threads=threads)).run(fresh.known_index(fresh.start))
    return time.perf_counter() - began, layers


def plain_input(component: Component) -> str:
    """Return the input of the plain program: steps as (from, to, second hole), then the start's holes."""
    puzzle = component.puzzle
    steps = []
    for cell in range(puzzle.board.size):
        for step in puzzle.rule.steps(puzzle.board, (cell,)):
            others = [hole for hole in step.holes if hole != step.after[0]]
            steps.append((cell, step.after[0], others[0] if others else -1))
    lines = [f"{puzzle.board.size} {puzzle.hole_count}", str(len(steps))]
    lines += [" ".join(map(str, step)) for step in steps]
    return "\n".join([*lines, " ".join(map(str, component.start.holes))]) + "\n"


def plain(program: Path, component: Component) -> tuple[float, list[int]]:
    run = subprocess.run([program], input=plain_input(component), capture_output=True, text=True, check=True)
    found = dict(line.split(" ", 1) for line in run.stdout.splitlines())
    return float(found["seconds"]), [int(n) for n in found["distribution"].split()]


def best(
    times: int, run: Callable[P, tuple[float, list[int]]], *args: P.args, **options: P.kwargs
) -> tuple[float, list[int]]:
    """Return the fastest of several runs."""
    return min(run(*args, **options) for _ in range(times))


def compile_plain() -> Path:
    BUILD.mkdir(exist_ok=True)
    program = BUILD / "plain_bfs"
    source = ROOT / "benchmarks" / "plain_bfs.cpp"
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-O3", "-std=c++20", str(source), "-o", str(program)], check=True)
    return program


def ratios(times: int) -> list[tuple[str, str, int, float]]:
    rows = []
    program = compile_plain()
    print(f"{'compared with plain_bfs':28}{'states':>14}{'threads':>9}{'seconds':>9}{'M/s':>7}{'ratio':>8}")
    for text, start, threads in RATIOS:
        component = component_of(text, start)
        slow, expected = best(times, plain, program, component)
        rows.append(("plain program, one thread", text, component.states, slow / component.states * 1e9))
        print(f"{text:28}{component.states:14,}{'plain':>9}{slow:9.2f}{component.states / slow / 1e6:7.1f}")
        for count in threads:
            quick, layers = best(times, ours, component, count)
            if layers != expected:
                sys.exit(f"{text}: {layers} is not {expected}")
            rate = component.states / quick / 1e6
            print(f"{'':28}{'':14}{count:9}{quick:9.2f}{rate:7.0f}{slow / quick:7.0f}x")
    return rows


def growth(times: int, small: bool) -> list[tuple[str, str, int, float]]:
    print(f"\n{'on two threads':28}{'states':>14}{'depth':>7}{'seconds':>9}{'ns/state':>12}")
    rows = []
    for kind, boards in GROWTH:
        for text in boards[:2] if small else boards:
            component = component_of(text)
            seconds, layers = best(times, ours, component, 2)
            cost = seconds / component.states * 1e9
            rows.append((kind, text, component.states, cost))
            print(f"{text:28}{component.states:14,}{len(layers) - 1:7}{seconds:9.3f}{cost:12.2f}")
    return rows


def table_3() -> None:
    print("\nGod's numbers of Table 3, exact:")
    command = [sys.executable, "-m", "slidelab", "god"]
    puzzles = [f"{board} hextiles {n}" for board, holes in TABLE_3 for n in _counts(holes)]
    began = time.perf_counter()
    subprocess.run([*command, *puzzles], check=True)
    print(f"total {time.perf_counter() - began:.2f} s")


def _counts(text: str) -> range | list[int]:
    low, dash, high = text.partition("-")
    return range(int(low), int(high) + 1) if dash else [int(n) for n in text.split(",")]


def chart(rows: list[tuple[str, str, int, float]], path: Path) -> None:
    """Draw nanoseconds per state against the number of states, both on logarithmic scales."""
    kinds = dict.fromkeys(row[0] for row in rows)
    curves = {kind: [(states, cost) for k, _, states, cost in rows if k == kind] for kind in kinds}
    boards = (f"{kind}: {_boards(rows, kind)}" for kind in kinds)
    save_figure(
        growth_chart(
            curves,
            x_label="states",
            y_label="nanoseconds per state",
            title="Cost of a state",
            subtitle="two threads, set-up included\n" + "; ".join(boards),
        ),
        path,
    )


def _boards(rows: list[tuple[str, str, int, float]], kind: str) -> str:
    """Return the boards of a curve from left to right, without the kind that all of them share."""
    return ", ".join(text.split(" ", 1)[1] for k, text, _, _ in rows if k == kind)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    quick = arguments.parse_args().quick
    table_3()
    rows = growth(3, quick)
    print()
    rows += ratios(1 if quick else 3)
    chart(rows, BUILD / "cost-per-state.svg")
    print(f"\nchart in {(BUILD / 'cost-per-state.svg').relative_to(ROOT)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:,.0f} MB")


if __name__ == "__main__":
    main()
