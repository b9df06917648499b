"""Lengths of solutions of puzzles between those that tables solve and those that only peeling does.

Boards of DeepCubeA (Agostinelli et al., "Solving the Rubik's cube with deep reinforcement learning and
search", 2019) beside the lengths of its solutions, and hexagonal boards with two holes, with beam search and
without it in one run. Every solution is replayed when it is made. Pattern databases that took long to build
are mapped from disk the next time; the first line of each puzzle says which it has.

    python benchmarks/middle.py                         two boards of each kind at 2 and 20 seconds
    python benchmarks/middle.py --boards 10 --seconds 2 20 60
    python benchmarks/middle.py --puzzles 24 "hex P(6,6)" --seconds 2
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import slidelab as sl
from slidelab.budget import Budget
from slidelab.puzzles import Configuration, Solution
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve

DEEPCUBEA = ("24", "35", "48")
OTHERS = ("hex F(4)", "hex P(6,6)", "hex F(4) gourds", "hex F(5) gourds")


def deepcubea(tiles: str, boards: int) -> list[tuple[Configuration, int]]:
    """Return boards of DeepCubeA with the lengths of its solutions."""
    return [(each.start, each.length) for each in sl.instances(f"deepcubea{tiles}")[:boards]]


def solved(start: Configuration, seconds: float, *, beam: bool) -> Solution:
    policy = replace(Policy(), beam=beam)
    return solve(start.puzzle, start, start.puzzle.goal, budget=Budget.of(time=seconds), policy=policy)


def mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


def measure(
    name: str, starts: Sequence[Configuration], known: float | None, seconds: float, *, compare: bool
) -> None:
    after = [solved(start, seconds, beam=True) for start in starts]
    lengths = mean([each.length for each in after])
    bounds = mean([each.lower_bound or 0 for each in after])
    without = ""
    if compare:
        old = mean([solved(start, seconds, beam=False).length for start in starts])
        without = f" (without beams {old:7.1f}, {lengths / old:.2f})"
    ratio = f"  DeepCubeA {known:6.1f}, ratio {lengths / known:.3f}" if known else ""
    print(
        f"{name:16} {seconds:5g} s  {lengths:7.1f} moves{without}  bound {bounds:6.1f}{ratio}  "
        + " ".join(str(each.length) for each in after),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--boards", type=int, default=2)
    parser.add_argument("--seconds", type=float, nargs="+", default=[2.0, 20.0])
    parser.add_argument("--puzzles", nargs="+", default=[*DEEPCUBEA, *OTHERS])
    parser.add_argument("--no-compare", action="store_true", help="not without beams, for half the time")
    options = parser.parse_args()
    for name in options.puzzles:
        if name in DEEPCUBEA:
            rows = deepcubea(name, options.boards)
            starts, known = [start for start, _ in rows], mean([length for _, length in rows])
        else:
            puzzle, known = sl.puzzle(name), None
            starts = [puzzle.shuffle(seed, puzzle.goal) for seed in range(options.boards)]
        print(f"{name}: {solved(starts[0], options.seconds[-1], beam=True).reason}", flush=True)
        for seconds in options.seconds:
            measure(name, starts, known, seconds, compare=not options.no_compare)


if __name__ == "__main__":
    main()
