"""Huge boards: time and length of solutions, and their growth.

Every solution is replayed twice: by the rule when it is made, and by a plain loop here. Processor seconds of
one core; nothing here passes or fails by time.

    python benchmarks/huge.py           everything, about forty minutes
    python benchmarks/huge.py --quick   small boards only
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from itertools import combinations_with_replacement
from pathlib import Path

import networkx as nx
from measurement import exponent, in_process

import slidelab as sl
from slidelab.budget import Budget
from slidelab.draw.chart import growth_chart, save_figure
from slidelab.puzzles import Configuration, MoveList, Puzzle, Solution
from slidelab.solve.method import MethodName
from slidelab.solve.policy import Policy
from slidelab.solve.solver import solve

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"


def planar(vertices: int, seed: int) -> str:
    """Return a random 2-connected planar graph: a stacked triangulation from which edges are removed."""
    rng = random.Random(seed)
    graph = nx.Graph([(0, 1), (1, 2), (2, 0)])
    faces = [(0, 1, 2), (0, 1, 2)]
    for vertex in range(3, vertices):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        graph.add_edges_from([(vertex, a), (vertex, b), (vertex, c)])
        faces += [(a, b, vertex), (b, c, vertex), (a, c, vertex)]
    for edge in rng.sample(sorted(graph.edges), len(graph.edges)):
        if graph.number_of_edges() <= 1.5 * vertices:
            break
        graph.remove_edge(*edge)
        if min(graph.degree(edge[0]), graph.degree(edge[1])) < 2 or not nx.is_biconnected(graph):
            graph.add_edge(*edge)
    return edges_text(graph)


def block_tree(vertices: int, seed: int) -> str:
    """Return a random tree of blocks: polygons, theta graphs, grids and bridges that share cut vertices."""
    rng = random.Random(seed)
    graph = nx.Graph()
    graph.add_node(0)
    while len(graph) < vertices:
        hook, first = rng.choice(sorted(graph)), len(graph)
        kind = rng.randrange(4)
        if kind == 0:
            block = nx.path_graph(2)
        elif kind == 1:
            block = nx.cycle_graph(rng.randint(3, 8))
        elif kind == 2:
            block = nx.cycle_graph(rng.randint(4, 12))
            block.add_edge(0, len(block) // 2)
        else:
            grid = nx.grid_2d_graph(rng.randint(2, 4), rng.randint(2, 5))
            block = nx.convert_node_labels_to_integers(grid)
        block = nx.relabel_nodes(block, {v: hook if v == 0 else first + v - 1 for v in block})
        graph.update(block)
    return edges_text(graph)


def two_rooms(side: int, hallway: int) -> str:
    """Return two square grids joined by a path."""
    rooms = [nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side)) for _ in range(2)]
    graph = nx.disjoint_union(rooms[0], nx.path_graph(hallway))
    graph = nx.disjoint_union(graph, rooms[1])
    area = side * side
    graph.add_edges_from([(area - 1, area), (area + hallway - 1, area + hallway)])
    return edges_text(graph)


def edges_text(graph: nx.Graph[int]) -> str:
    return "graph " + " ".join(f"{a}-{b}" for a, b in sorted(graph.edges))


def replayed(solution: Solution) -> bool:
    """Replay a solution by a loop that knows only the board (and whether a second hole is needed)."""
    puzzle = solution.puzzle
    around = [set(row) for row in puzzle.board.neighbours]
    two = puzzle.rule.needs_companion
    tiles = [0] * puzzle.board.size
    for number, (cell,) in enumerate(solution.start.pieces, 1):
        tiles[cell] = number
    for piece, _, before, after in MoveList.of(solution.moves).lists():
        if tiles[before] != piece or tiles[after] or after not in around[before]:
            return False
        if two and not any(not tiles[cell] for cell in around[before] & around[after]):
            return False
        tiles[before], tiles[after] = 0, piece
    return all(tiles[cell] == number for number, (cell,) in enumerate(solution.goal.pieces, 1))


def measure(text: str, seed: int) -> tuple[float, float, int, int, float, bool]:
    """Return seconds and moves without walks and with all, peak MB, and whether the solution replays."""
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=seed)
    began = time.process_time()
    rough = puzzle.solve(start, method="peel", shorten=False)
    between = time.process_time()
    fine = puzzle.solve(start, method="peel")
    ended = time.process_time()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return between - began, ended - between, rough.length, fine.length, memory, replayed(fine)


def boards(quick: bool) -> list[tuple[str, str, float]]:
    """Return the name and text of each board, and n for boards of n x n squares, else 0."""
    squares = (10, 20) if quick else (10, 20, 50, 100)
    hexagons = ("F(5)", "F(10)") if quick else ("F(5)", "F(10)", "F(15)", "P(20,20)")
    return [
        *((f"square R({n},{n})", f"square R({n},{n})", n) for n in squares),
        *((f"hex {name}, 2 holes", f"hex {name}", 0) for name in hexagons),
        *([] if quick else [("theta(30,40,50)", "theta(30,40,50)", 0)]),
        ("planar, 1,000 vertices", planar(1000, 1), 0),
        ("tree of blocks, 500", block_tree(500, 1), 0),
        ("tree of blocks, 500, 3 holes", block_tree(500, 1) + " tiles 3", 0),
        ("square R(12,12), 30 holes", "square R(12,12) tiles 30", 0),
    ]


def table(quick: bool) -> None:
    print("random solvable boards by method peel, every move replayed; processor seconds of one core")
    print(f"{'board':30}{'tiles':>7}{'s':>8}{'moves':>12}{'/n^3':>7}", end="")
    print(f"{'default s':>11}{'moves':>12}{'/n^3':>7}{'MB':>7}")
    for name, text, n in boards(quick):
        first, second, rough, fine, memory, right = in_process(measure, text, 1)
        a, b = (f"{moves / n**3:7.2f}" if n else " " * 7 for moves in (rough, fine))
        tiles = sl.puzzle(text).piece_count
        print(
            f"{name:30}{tiles:7,}{first:8.2f}{rough:12,}{a}{second:11.2f}{fine:12,}{b}{memory:7,.0f}"
            f"{'' if right else '  WRONG'}",
            flush=True,
        )


def growth(quick: bool) -> list[tuple[int, float, int]]:
    """Measure n x n squares, print the exponents, and return n, seconds and moves of each."""
    rows = []
    print("\nn x n squares, not shortened")
    for n in (6, 8, 10, 14, 20, 28) if quick else (6, 8, 10, 14, 20, 28, 40, 56, 80, 100):
        seeds = range(1, 6 if n <= 28 else 2)
        found = [in_process(measure_square, n, seed) for seed in seeds]
        seconds = sum(seconds for seconds, _ in found) / len(found)
        moves = sum(moves for _, moves in found) / len(found)
        rows.append((n, seconds, int(moves)))
        print(f"{n:5}{seconds:10.3f} s{int(moves):12,} moves{moves / n**3:7.2f} n^3", flush=True)
    for name, k in (("time", 1), ("moves", 2)):
        large = [(row[0], row[k]) for row in rows[-4:]]
        print(f"{name}: grows as n^{exponent(large):.2f} from {large[0][0]} on")
    return rows


def measure_square(n: int, seed: int) -> tuple[float, int]:
    puzzle = sl.puzzle(f"square R({n},{n})")
    start = puzzle.shuffle(seed=seed)
    began = time.process_time()
    found = puzzle.solve(start, method="peel", shorten=False)
    return time.process_time() - began, found.length


def korf(count: int) -> None:
    rows = sl.instances("korf100")[:count]
    best = rough = fine = 0
    worst = slowest = 0.0
    for row in rows:
        start, goal = row.start, row.goal
        rough += goal.puzzle.solve(start, goal, method="peel", shorten=False).length
        began = time.monotonic()
        found = goal.puzzle.solve(start, goal, method="peel", time=1)
        slowest = max(slowest, time.monotonic() - began)
        fine += found.length
        best += row.length
        worst = max(worst, found.length / row.length)
    count = len(rows)
    print(
        f"\nKorf's {count}: peel {rough / count:.2f} moves, shortened within a second {fine / count:.2f}, ",
        end="",
    )
    print(
        f"shortest {best / count:.2f}: {fine / best:.3f} times, at worst {worst:.3f}; slowest {slowest:.2f} s"
    )


def wilson_against_peel() -> None:
    rng = random.Random(5)
    texts = [f"square R({a},{b})" for a in (3, 4, 5, 6) for b in (3, 4, 5) if a >= b]
    texts += [
        f"theta({a},{b},{c})"
        for a, b, c in ((0, 3, 3), (1, 3, 4), (2, 2, 3), (2, 4, 5), (3, 4, 5), (4, 4, 4))
    ]
    texts += [f"king R({n},{n})" for n in (3, 4, 5)]
    texts += [f"hex {name} tiles 1" for name in ("F(2)", "F(3)", "P(4,4)", "T(5)")]
    texts += [f"square R({n},{n})" for n in (7, 8)]
    while len(texts) < 50:
        texts.append(planar(rng.randint(8, 40), rng.randrange(1000)))
    methods: dict[str, MethodName] = {"wilson": "wilson", "peel": "peel", "peel + shorten": "peel"}
    total_moves, total_seconds = dict.fromkeys(methods, 0), dict.fromkeys(methods, 0.0)
    ratios = []
    for number, text in enumerate(texts):
        puzzle = sl.puzzle(text)
        start = puzzle.shuffle(seed=number)
        lengths = []
        for name, method in methods.items():
            began = time.process_time()
            shorten = name == "peel + shorten"
            found = puzzle.solve(start, method=method, shorten=shorten, time=1.0 if shorten else None)
            total_seconds[name] += time.process_time() - began
            total_moves[name] += found.length
            lengths.append(found.length)
            assert replayed(found)
        ratios.append(lengths[0] / max(lengths[1], 1))
    print("\nthe same 50 boards (squares, kings, hexagons as graphs, theta graphs, planar graphs)")
    for name in methods:
        print(f"{name:16}{total_moves[name]:10,} moves{total_seconds[name]:9.2f} s")
    ratios.sort()
    print(f"wilson needs {ratios[0]:.1f} to {ratios[-1]:.1f} times as many moves as peel", end="")
    print(f", median {ratios[25]:.1f}")


def thetas(states: int) -> None:
    print(f"\nevery theta graph with up to 12 vertices from {states} random states each")
    triples = [t for t in combinations_with_replacement(range(11), 3) if sum(t) <= 10 and t[1] >= 1]
    methods: tuple[MethodName, ...] = ("wilson", "peel")
    for method in methods:
        began = time.process_time()
        total = longest = 0
        longest_board = ""
        for a, b, c in triples:
            puzzle = sl.puzzle(f"theta({a},{b},{c})")
            for seed in range(states):
                found = puzzle.solve(puzzle.shuffle(seed=seed), method=method, shorten=False)
                assert replayed(found)
                total += found.length
                if found.length > longest:
                    longest, longest_board = found.length, puzzle.board.name
        solved = len(triples) * states
        seconds = time.process_time() - began
        print(
            f"{method:8}{len(triples)} graphs (theta0: {(1, 2, 2) in triples}), {solved:,} solved, ", end=""
        )
        print(f"mean {total / solved:.1f} moves, longest {longest:,} on {longest_board}, {seconds:.1f} s")


def many_holes(quick: bool) -> None:
    """Compare solutions whose paths were planned anew with those of walks and windows alone."""
    seconds, seeds = (2.0, 1) if quick else (20.0, 3)
    print(f"\nseveral holes, {seconds:g} s each, {seeds} random starts: moves over the sum of distances")
    for text in (
        "square R(8,8) tiles 10",
        "square R(10,10) tiles 20",
        "square R(12,12) tiles 30",
        "square R(14,14) tiles 60",
        "square R(12,12) tiles 12",
        "square R(12,12) tiles 6",
        "square R(12,12) tiles 2",
        "hex F(7) tiles 30",
        "hex P(8,8) hextiles 16",
        "square R(20,20) tiles 80",
        "square R(30,30) tiles 180",
    ):
        puzzle = sl.puzzle(text)
        totals, bounds, all_replayed, busy = [0, 0], 0, True, time.process_time()
        for seed in range(1, seeds + 1):
            start = puzzle.shuffle(seed=seed)
            for number, share in enumerate((0.0, Policy().replan_share)):
                budget, policy = Budget.of(time=seconds), Policy(replan_share=share)
                solution = solve(puzzle, start, budget=budget, policy=policy)
                totals[number] += solution.length
                all_replayed = all_replayed and replayed(solution)
            bounds += solution.lower_bound or 0
        before, after = (total / bounds for total in totals)
        busy = time.process_time() - busy
        print(
            f"{text}: mean bound {bounds / seeds:,.0f}, before {before:.2f}, after {after:.2f}, "
            f"{busy / 2 / seeds:.1f} processor seconds each, replayed: {all_replayed}",
            flush=True,
        )


def unsolvable() -> None:
    print("\nunsolvable boards of 10,000 cells")
    for name, text, swap in (
        ("square R(100,100), two tiles swapped", "square R(100,100)", (1, 2)),
        ("tree of blocks, 10,000, tiles of two blocks swapped", block_tree(10_000, 2), None),
        ("two grids and a hallway, 10,000, 3 holes, the same", two_rooms(70, 200) + " tiles 3", None),
    ):
        puzzle = sl.puzzle(text)
        pieces = list(puzzle.goal.pieces)
        a, b = swap or (1, puzzle.piece_count - 5)
        pieces[a], pieces[b] = pieces[b], pieces[a]
        start = Configuration(Puzzle(puzzle.board, puzzle.rule, puzzle.hole_count), tuple(pieces))
        began = time.monotonic()
        verdict = puzzle.solvable(start)
        took = time.monotonic() - began
        print(f"{name}: {bool(verdict)}, {took:.2f} s: {verdict.reason[:90]}")


def chart(rows: list[tuple[int, float, int]], path: Path) -> None:
    """Draw moves and seconds against n, both on logarithmic scales."""
    path.parent.mkdir(exist_ok=True)
    save_figure(
        growth_chart(
            {"moves": [(n, m) for n, _, m in rows], "seconds": [(n, s) for n, s, _ in rows]},
            x_label="n",
            y_label="moves, or processor seconds of one core",
            title="Peeling n x n squares",
            subtitle="random starts, not shortened; slopes of the last four points",
            fit_last=4,
        ),
        path,
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    quick = arguments.parse_args().quick
    table(quick)
    rows = growth(quick)
    chart(rows, BUILD / "growth.svg")
    print(f"chart in {(BUILD / 'growth.svg').relative_to(ROOT)}")
    korf(10 if quick else 100)
    wilson_against_peel()
    thetas(5 if quick else 100)
    many_holes(quick)
    unsolvable()


if __name__ == "__main__":
    main()
