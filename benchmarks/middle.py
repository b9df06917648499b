"""Lengths of solutions of puzzles between those that tables solve and those that only peeling does.

Boards of DeepCubeA (Agostinelli et al., "Solving the Rubik's cube with deep reinforcement learning and
search", 2019) beside the lengths of its solutions, and hexagonal boards with two holes, with beam search and
without it in one run. Every solution is replayed when it is made. Pattern databases that took long to build
are mapped from disk the next time; the first line of each puzzle says which it has.

    python benchmarks/middle.py                         two boards of each kind at 2 and 20 seconds
    python benchmarks/middle.py --puzzles 24 35 48 --boards 10 --seconds 2 20 60 --no-compare
    python benchmarks/middle.py --puzzles 24 "hex P(6,6)" --seconds 2
    python benchmarks/middle.py --puzzles 48 --first 20        rows 20 and 21

Each board has a line, so that a run that is stopped is not lost; then come the means, and at the very end a
table of all means.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace

import slidelab as sl
from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Solution
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve

DEEPCUBEA = ("24", "35", "48")
OTHERS = ("hex F(4)", "hex P(6,6)", "hex F(4) gourds", "hex F(5) gourds")


def deepcubea(tiles: str, first: int, boards: int) -> list[tuple[Configuration, int]]:
    """Return boards of DeepCubeA with the lengths of its solutions."""
    return [(each.start, each.length) for each in sl.instances(f"deepcubea{tiles}")[first : first + boards]]


def solved(start: Configuration, seconds: float, *, beam: bool) -> Solution:
    policy = replace(Policy(), beam=beam)
    return solve(start.puzzle, start, start.puzzle.goal, budget=Budget.of(time=seconds), policy=policy)


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def measure(
    name: str, starts: Sequence[Configuration], known: Sequence[int], seconds: float, *, compare: bool
) -> str:
    """Print the length of each solution and then their means, which are returned as a line."""
    after, without = [], []
    for number, start in enumerate(starts):
        began = time.monotonic()
        solution = solved(start, seconds, beam=True)
        took = time.monotonic() - began
        after.append(solution)
        line = f"{name:16} {seconds:5g} s  board {number:3}  {solution.length:5} moves"
        line += f", bound {solution.lower_bound}"
        if known:
            line += f", DeepCubeA {known[number]}"
        if compare:
            without.append(solved(start, seconds, beam=False).length)
            line += f", without beams {without[-1]}"
        print(f"{line}  ({took:.1f} s)", flush=True)
    lengths, bounds = mean([each.length for each in after]), mean([each.lower_bound or 0 for each in after])
    line = f"{name:16} {seconds:5g} s  {len(after):3} boards  {lengths:7.1f} moves  bound {bounds:6.1f}"
    if without:
        line += f"  without beams {mean(without):7.1f}, ratio {lengths / mean(without):.2f}"
    if known:
        line += f"  DeepCubeA {mean(known):6.1f}, ratio {lengths / mean(known):.4f}"
    print(line, flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=2, help="number of boards of each kind")
    parser.add_argument("--first", type=int, default=0, help="row or seed of the first")
    parser.add_argument("--seconds", type=float, nargs="+", default=[2.0, 20.0])
    parser.add_argument("--puzzles", nargs="+", default=[*DEEPCUBEA, *OTHERS])
    parser.add_argument("--no-compare", action="store_true", help="not without beams, for half the time")
    options = parser.parse_args()
    table = []
    for name in options.puzzles:
        if name in DEEPCUBEA:
            rows = deepcubea(name, options.first, options.boards)
            starts, known = [start for start, _ in rows], [length for _, length in rows]
        else:
            puzzle, known = sl.puzzle(name), []
            seeds = range(options.first, options.first + options.boards)
            starts = [puzzle.shuffle(seed, puzzle.goal) for seed in seeds]
        print(f"{name}: {solved(starts[0], min(options.seconds), beam=True).reason}", flush=True)
        for seconds in options.seconds:
            table.append(measure(name, starts, known, seconds, compare=not options.no_compare))
    print("\n" + "\n".join(table), flush=True)


if __name__ == "__main__":
    main()
