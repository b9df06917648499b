"""Gourds on boards of any size: moves, time and memory of the methods, and their growth.

Every solution is replayed move by move against the rule when it is made, and again by a plain loop here that
knows only which cells are adjacent. Processor seconds of one core; nothing here passes or fails by time.

    python benchmarks/gourds.py           everything, about ten minutes
    python benchmarks/gourds.py --quick   small boards only
"""

from __future__ import annotations

import argparse
import resource
import time
from itertools import combinations

from measurement import exponent, in_process

import slidelab as sl
from slidelab.boards import Board, hamiltonian_cycle, is_proper, polyhexes, random_hexagons
from slidelab.budget import Budget
from slidelab.puzzles import MoveList, Solution
from slidelab.solve.gourds.board_beam import BoardSearch, board_beam
from slidelab.solve.method import MethodName

BOARDS = {
    "parallelogram": [f"hex P({size})" for size in ("3,7", "7,9", "13,15", "23,27", "43,47", "77,79")],
    "flower": ["hex F(3)", "hex F(5)", "hex F(9)", "hex F(15)", "hex F(26)", "hex F(45)"],
    "random": [f"random {2 * n + 1}" for n in (10, 30, 100, 300, 1000, 3000)],
    "random, thin": [f"thin {2 * n + 1}" for n in (10, 30, 100, 300, 1000, 3000)],
}
MAX_CUBIC_GOURDS = 330
"""Gourds up to which `cycle-cubic` is measured; a thousand would take a billion moves."""


def board(text: str) -> Board:
    kind, _, size = text.partition(" ")
    if kind == "hex":
        return sl.board(text)
    return random_hexagons(int(size), seed=1, thin=0.95 if kind == "thin" else 0.0)


def replayed(solution: Solution) -> bool:
    """Replay a solution on cells alone: an end may only move into the hole, and both ends stay adjacent."""
    rows = MoveList.of(solution.moves).rows
    adjacent = [set(row) for row in solution.puzzle.board.neighbours]
    pieces = [list(cells) for cells in solution.start.pieces]
    (hole,) = solution.start.holes
    for first in range(0, len(rows), 100_000):
        for piece, _, a, b, c, d in rows[first : first + 100_000].tolist():
            if pieces[piece - 1] != [a, b] or d not in adjacent[c]:
                return False
            # The gourd follows one of its ends into the hole, or one end swings over while the other stays.
            if (c, d) == (hole, a):
                left = b
            elif (c, d) == (b, hole):
                left = a
            elif c == a and d == hole:
                left = b
            elif d == b and c == hole:
                left = a
            else:
                return False
            swings = c == a or d == b
            if swings != (hole in adjacent[a] and hole in adjacent[b]):
                return False
            pieces[piece - 1] = [c, d]
            hole = left
    return [tuple(cells) for cells in pieces] == list(solution.goal.pieces)


def measure(text: str, method: MethodName) -> tuple[float, float, int, float, bool]:
    """Return seconds for the Hamiltonian cycle and for solving, moves, peak MB, and whether it replays."""
    on = board(text)
    puzzle = sl.puzzle(on, "gourds")
    start, goal = puzzle.shuffle(seed=1), puzzle.shuffle(seed=2)
    began = time.process_time()
    hamiltonian_cycle(on)
    between = time.process_time()
    solution = puzzle.solve(start, goal, method=method, shorten=False)
    ended = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return between - began, ended - between, solution.length, memory, replayed(solution)


METHODS: tuple[tuple[MethodName, float, int], ...] = (
    ("cycle", 2.0, 10_000),
    ("cycle-cubic", 3.0, MAX_CUBIC_GOURDS),
    ("peel", 1.5, 10_000),
)
"""Each method with the exponent of its number of moves, and the largest number of gourds to measure."""


def table(max_gourds: int) -> None:
    print(f"{'':<28}{'':>7}{'':>9}{'cycle':>29}{'cycle-cubic':>30}{'peel':>30}")
    print(f"{'board':<28}{'gourds':>7}{'cycle s':>9}", end="")
    print("".join(f"{'s':>8}{'moves':>12}{f'/n^{power:g}':>7}{'':>3}" for _, power, _ in METHODS))
    for family, texts in BOARDS.items():
        points: dict[MethodName, list[tuple[int, int]]] = {name: [] for name, _, _ in METHODS}
        for text in texts:
            if board(text).size <= 2 * max_gourds + 1:
                print(row(family, text, points), flush=True)
        for name, found in points.items():
            large = [(n, moves) for n, moves in found if n >= 80]
            if len(large) > 1:
                print(f"  {name}: moves grow as n^{exponent(large):.3f} from about 100 gourds on")
        print(flush=True)


def row(family: str, text: str, points: dict[MethodName, list[tuple[int, int]]]) -> str:
    on = board(text)
    n = on.size // 2
    line, memory = f"{text if text.startswith('hex') else family:<28}{n:>7,}", 0.0
    for name, power, max_gourds in METHODS:
        if n > max_gourds:
            line += " " * 30
            continue
        finding, seconds, moves, megabytes, right = in_process(measure, text, name)
        points[name].append((n, moves))
        memory = max(memory, megabytes)
        if name == "cycle":
            line += f"{finding:>9.2f}"
        line += f"{seconds:>8.2f}{moves:>12,}{moves / n**power:>7.2f}{'' if right else ' WRONG':>3}"
    return f"{line}  {memory:,.0f} MB"


def all_pairs(cells: int, count: int = 20) -> None:
    """Solve all pairs of random configurations on every proper board by both methods of the paper."""
    boards = pairs = moves = cubic = 0
    began = time.process_time()
    for on in polyhexes(cells):
        if not is_proper(on):
            continue
        boards += 1
        puzzle = sl.puzzle(on, "gourds")
        chosen = [puzzle.shuffle(seed=seed) for seed in range(count)]
        for a, b in combinations(chosen, 2):
            pairs += 1
            moves += puzzle.solve(a, b, method="cycle").length
            cubic += puzzle.solve(a, b, method="cycle-cubic").length
    took = time.process_time() - began
    print(
        f"{cells} cells: {boards} proper boards, {pairs:,} pairs solved by both: "
        f"cycle {moves / pairs:.1f} moves, cycle-cubic {cubic / pairs:.1f}, {took:.0f} s",
        flush=True,
    )


def shortened(texts: list[str], count: int = 10) -> None:
    """Print the mean lengths of solutions of each method, and after shortening for a second."""
    print(
        f"\n{'board':<12}{'gourds':>7}{'cycle':>10}{'shortened':>11}{'peel':>8}{'shortened':>11}{'shortest':>10}"
    )
    for text in texts:
        puzzle = sl.puzzle(text, "gourds")
        line = f"{text:<12}{puzzle.piece_count:>7}"
        starts = [puzzle.shuffle(seed=seed) for seed in range(count)]
        columns: tuple[tuple[MethodName, int], ...] = (("cycle", 10), ("peel", 8))
        for method, width in columns:
            found = [puzzle.solve(start, method=method, shorten=False) for start in starts]
            line += f"{mean(found):>{width},.1f}{mean([each.shorten(1.0) for each in found]):>11,.1f}"
        if puzzle.piece_count < 10:
            line += f"{mean([puzzle.solve(start) for start in starts]):>10,.1f}"
        print(line, flush=True)


RANKINGS = {
    "distances": (1.0, 0.0, 0.0),
    "power 1.5": (1.5, 0.0, 0.0),
    "power 2": (2.0, 0.0, 0.0),
    "power 1.5, rim 1": (1.5, 1.0, 0.0),
    "power 1.5, pairs 2": (1.5, 0.0, 2.0),
    "power 2, pairs 2": (2.0, 0.0, 2.0),
}
"""Ways to rank the states of a beam: power of distances, weights of remote goals and of pairs."""


def beams(texts: list[str], widths: list[int], count: int = 3) -> None:
    """Print mean lengths and processor seconds of beams of each ranking and width."""
    print(f"\n{'beams':<12}{'ranking':<20}" + "".join(f"{width:>10,}{'s':>7}" for width in widths))
    for text in texts:
        puzzle = sl.puzzle(text, "gourds")
        search = BoardSearch(puzzle.goal)
        began = time.process_time()
        search.add_pairs(Budget(), 1000)
        print(f"{text:<12}table of pairs: {time.process_time() - began:.2f} s", flush=True)
        starts = [puzzle.shuffle(seed=seed) for seed in range(1, count + 1)]
        for name, ranking in RANKINGS.items():
            line = f"{text:<12}{name:<20}"
            for width in widths:
                began = time.process_time()
                found = [
                    board_beam(search, start, width=width, below=5000, ranking=ranking) for start in starts
                ]
                took = (time.process_time() - began) / count
                solved = [each.solution for each in found if each.solution is not None]
                length = f"{mean(solved):.1f}" if len(solved) == count else "none"
                line += f"{length:>10}{took:>7.2f}"
            print(line, flush=True)


def mean(solutions: list[Solution]) -> float:
    return sum(solution.length for solution in solutions) / len(solutions)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    quick = arguments.parse_args().quick
    table(110 if quick else 10_000)
    for cells in (5, 7) if quick else (5, 7, 9):
        all_pairs(cells)
    beams(["hex F(4)", "hex F(5)"], [500, 4000] if quick else [500, 4000, 32_000])
    shortened(["hex F(3)", "hex F(4)"] if quick else ["hex F(3)", "hex F(4)", "hex F(5)", "hex F(9)"])


if __name__ == "__main__":
    main()
