"""Coloured gourds: time to find a placement, or to prove that there is none.

Colours of cells are random. Gourds are those of a random matching (planted, so that there is a placement), or
the same gourds after two red-blue ones at a time have become red-red and blue-blue, until there is no
placement: the first such problem, in which the counts of colours still agree, is the hardest. Every placement
is checked by a plain loop. Wall-clock seconds, one thread; nothing here passes or fails by time.

    python benchmarks/placing.py           everything, a few minutes
    python benchmarks/placing.py --quick   small boards only
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, combinations_with_replacement, product

import networkx as nx

from slidelab.boards import Board, Edge, board, polyhexes
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, TooLarge
from slidelab.place.counting import count_placements
from slidelab.place.hard_instances import one_in_three
from slidelab.place.placement import Placement, place

SEEDS = 5
LIMIT = 60.0

Pair = tuple[str, str]


def planted(on: Board, colours: int, seed: int) -> tuple[list[str], list[Pair]]:
    """Return colours of cells, and gourds that can be placed on them."""
    rng = random.Random(seed)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((a, b, rng.randint(1, 1000)) for a, b in on.edges)
    matching = nx.max_weight_matching(graph, maxcardinality=True)
    cells = [f"c{rng.randrange(colours)}" for _ in range(on.size)]
    return cells, sorted((cells[a], cells[b]) for a, b in matching)


def is_right(on: Board, cells: Sequence[str], gourds: Sequence[Pair], found: Placement) -> bool:
    covered = [cell for pair in found.gourds for cell in pair]
    return len(covered) == len(set(covered)) == 2 * len(gourds) and all(
        b in on.neighbours[a] and (cells[a], cells[b]) == pair
        for (a, b), pair in zip(found.gourds, gourds, strict=True)
    )


def timed(on: Board, cells: Sequence[str], gourds: Sequence[Pair]) -> tuple[float, str]:
    began = time.monotonic()
    try:
        found = place(on, cells, gourds, budget=Budget.of(time=LIMIT))
    except OutOfTime:
        return time.monotonic() - began, "gave up"
    took = time.monotonic() - began
    if found:
        return took, "placed" if is_right(on, cells, gourds, found) else "WRONG"
    return took, "none: " + ("search" if found.reason.startswith("a search") else "short proof")


def regrouped(on: Board, colours: int, seed: int) -> tuple[float, str]:
    """Replace two gourds of two colours by one of each until nothing fits; measure that problem."""
    cells, gourds = planted(on, colours, seed)
    budget = Counter((min(pair), max(pair)) for pair in gourds)
    rng = random.Random(seed)
    took, answer = 0.0, "placed"
    while answer == "placed":
        choices = sorted(pair for pair, count in budget.items() if count > 1 and pair[0] != pair[1])
        if not choices:
            return took, "always placed"
        first, second = rng.choice(choices)
        budget[first, second] -= 2
        budget[first, first] += 1
        budget[second, second] += 1
        took, answer = timed(on, cells, sorted(budget.elements()))
    return took, answer


def table(texts: Sequence[str], amounts: Sequence[int], *, none: bool = True) -> None:
    print(f"{SEEDS} boards each: median and largest seconds, and answers")
    print(f"{'board':14}{'cells':>6}{'colours':>9}   {'':12}{'median':>8}{'slowest':>9}   answers")
    for text in texts:
        on = board(text)
        for colours in amounts:
            found = [timed(on, *planted(on, colours, seed)) for seed in range(SEEDS)]
            row(text, on, colours, "planted", found)
            if none:
                row(text, on, colours, "regrouped", [regrouped(on, colours, seed) for seed in range(SEEDS)])


def row(text: str, on: Board, colours: int, kind: str, found: list[tuple[float, str]]) -> None:
    print(f"{text:14}{on.size:6}{colours:9}   {kind:12}{summary(found)}", flush=True)


def summary(found: list[tuple[float, str]]) -> str:
    times = sorted(took for took, _ in found)
    answers = [answer for _, answer in found]
    counts = ", ".join(f"{answers.count(answer)} {answer}" for answer in dict.fromkeys(answers))
    return f"{times[len(times) // 2]:8.3f}{times[-1]:9.3f}   {counts}"


def formulas(amounts: Sequence[int]) -> None:
    print("\nMonotone 1-in-3SAT, each variable in three random clauses")
    print(f"{'variables':>9}{'cells':>7}{'gourds':>8}{'median':>8}{'slowest':>9}   answers")
    for variables in amounts:
        rng = random.Random(variables)
        found = []
        for _ in range(SEEDS):
            hard = one_in_three(formula(variables, rng))
            found.append(timed(hard.board, hard.cells, hard.gourds))
        print(f"{variables:9}{hard.board.size:7,}{len(hard.gourds):8,}{summary(found)}", flush=True)


def formula(variables: int, rng: random.Random) -> list[tuple[int, int, int]]:
    while True:
        ends = [variable for variable in range(1, variables + 1) for _ in range(3)]
        rng.shuffle(ends)
        clauses = [(ends[k], ends[k + 1], ends[k + 2]) for k in range(0, len(ends), 3)]
        if all(len(set(clause)) == 3 for clause in clauses):
            return clauses


def small_formulas(max_variables: int) -> None:
    """Compare the placement of every formula with trying all assignments."""
    print("\nevery formula with few variables, compared with trying all assignments")
    for variables in range(3, max_variables + 1):
        triples = list(combinations(range(1, variables + 1), 3))
        right, satisfiable, total = 0, 0, 0
        began = time.monotonic()
        for clauses in combinations_with_replacement(triples, variables):
            if set(Counter(chain.from_iterable(clauses)).values()) != {3}:
                continue
            values = product((False, True), repeat=variables)
            wanted = any(all(sum(v[x - 1] for x in clause) == 1 for clause in clauses) for v in values)
            hard = one_in_three(clauses)
            found = place(hard.board, hard.cells, hard.gourds, budget=Budget.of(time=LIMIT))
            total += 1
            satisfiable += wanted
            right += bool(found) == wanted
        took = time.monotonic() - began
        print(
            f"{variables} variables: {total} formulas, {satisfiable} satisfiable, "
            f"{right} decided correctly, {took:.1f} s",
            flush=True,
        )


def matchings(on: Board, cell: int, covered: frozenset[int], holes: int) -> Iterator[list[Edge]]:
    """Yield all matchings of the cells from `cell` on that leave the given number of holes."""
    while cell in covered:
        cell += 1
    if cell == on.size:
        if holes == 0:
            yield []
        return
    if holes:
        yield from matchings(on, cell + 1, covered, holes - 1)
    for other in on.neighbours[cell]:
        if other > cell and other not in covered:
            for rest in matchings(on, cell + 1, covered | {other}, holes):
                yield [(cell, other), *rest]


def counts(max_cells: int) -> None:
    """Compare the number of placements of every set of gourds on every board with enumeration."""
    print("\nexact numbers of placements, two random colours, compared with enumeration")
    for size in range(2, max_cells + 1):
        rng = random.Random(size)
        boards = problems = wrong = 0
        began = time.monotonic()
        for on in polyhexes(size):
            boards += 1
            cells = [rng.choice("ab") for _ in range(size)]
            counted: Counter[tuple[Pair, ...]] = Counter()
            for matching in matchings(on, 0, frozenset(), size % 2):
                ends = sorted((cells[a], cells[b]) for a, b in matching)
                counted[tuple(sorted((min(e), max(e)) for e in ends))] += 1
            for gourds, number in counted.items():
                problems += 1
                wrong += count_placements(on, cells, list(gourds)) != number
        took = time.monotonic() - began
        print(
            f"{size} cells: {boards:,} boards, {problems:,} problems, {wrong} wrong, {took:.1f} s",
            flush=True,
        )


def large_counts(texts: Sequence[str]) -> None:
    print("\nexact numbers on larger boards: seconds")
    for text in texts:
        on = board(text)
        for colours in (2, 3, 4):
            began = time.monotonic()
            try:
                number = count_placements(on, *planted(on, colours, 1))
                digits = f"{number:,}" if number < 10**12 else f"a number of {len(str(number))} digits"
            except TooLarge as error:
                digits = str(error)
            print(f"{text:10}{colours:2} colours {time.monotonic() - began:8.2f}   {digits}", flush=True)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--quick", action="store_true")
    quick = arguments.parse_args().quick
    timed(board("path(4)"), ["a", "b", "a", "a"], [("a", "b"), ("a", "a")])  # loads the solver
    table(["hex F(3)", "hex F(5)"] if quick else ["hex F(3)", "hex F(5)", "hex F(8)"], [2, 4, 8])
    if not quick:
        table(["hex P(20,20)"], [2, 4, 8], none=False)
    formulas([3, 6] if quick else [3, 6, 9, 12, 15, 18, 24, 30])
    small_formulas(5 if quick else 6)
    counts(7 if quick else 9)
    large_counts(["hex F(3)", "hex F(5)"] if quick else ["hex F(3)", "hex F(5)", "hex F(8)"])


if __name__ == "__main__":
    main()
