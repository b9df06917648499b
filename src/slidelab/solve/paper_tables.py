"""Tables 3 and 4 of Wong, Li and Chen, "Sliding graph puzzles", measured again.

The paper runs A* with the sum of graph distances on several puzzles from 500 random states, compares the
expanded states with breadth-first search and weighted A*, and asks for a better heuristic for general
graphs. Pattern databases are one. The graph of figure 6.1 of the paper is not known and left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from statistics import fmean

from slidelab.budget import Budget
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.random_configurations import shuffles
from slidelab.solve.patterns.databases import build_databases
from slidelab.solve.patterns.heuristic import Heuristic
from slidelab.solve.patterns.symmetry import canonical_shape
from slidelab.solve.search.algorithms import Outcome, a_star, bidirectional_search

__all__ = ["PAPER", "Published", "Row", "measure"]


@dataclass(frozen=True, slots=True)
class Published:
    """What the paper prints for one graph; None where it does not."""

    name: str
    board: str
    bfs: float | None
    astar: float
    weight: float | None = None
    weighted: float | None = None
    longer: float | None = None
    database_bytes: tuple[int, ...] = (3_100,)


PAPER = (
    Published("theta(2,2,3)", "theta(2,2,3)", 185222, 48152.3, 4.0, 27540.3, 16.82, (600, 6_100)),
    Published("8-puzzle", "square R(3,3)", 84869.2, 2017.29, database_bytes=(600, 3_100)),
    Published("8-puzzle with diagonals", "king R(3,3)", 162282, 1492.69, database_bytes=(600, 6_100)),
    Published("3x4 with diagonals", "king R(3,4)", None, 67138.1, 1.4, 3336.26, 4.80, (30_000, 800_000)),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Means over all states: expanded nodes, and by how many percent solutions exceed shortest ones."""

    graph: str
    search: str
    heuristic: str
    published: float | None
    nodes: float
    longer: float | None = None
    published_longer: float | None = None


Search = Callable[[Configuration], Outcome]


def measure(states: int = 500, seed: int = 0, *, budget: Budget | None = None) -> list[Row]:
    """Return all rows of both tables, and beside them ours.

    >>> rows = measure(2)
    >>> [row.search for row in rows if row.graph == "8-puzzle"]
    ['breadth-first', 'bidirectional', 'A*', 'A*', 'A*']
    """
    budget = budget or Budget()
    out: list[Row] = []
    for number, graph in enumerate(PAPER):
        budget.check("graphs", number, len(PAPER))
        out.extend(_graph(graph, states, seed, budget))
    return out


def _graph(paper: Published, count: int, seed: int, budget: Budget) -> list[Row]:
    puzzle = as_puzzle(paper.board)
    goal = puzzle.goal
    graph = gain_graph(puzzle)
    shape = canonical_shape(graph, graph.place(goal)[0])
    starts = list(islice(shuffles(puzzle, seed, goal), count))
    heuristics: list[tuple[str, Heuristic]] = []
    for size in (0, *paper.database_bytes):
        databases = build_databases(graph, shape, size, budget=budget)
        sizes = "+".join(str(len(pattern)) for pattern in databases.patterns)
        heuristics.append((sizes or "distances", Heuristic(goal, databases)))
    plain = heuristics[0][1]
    rows = []

    def run(
        name: str,
        label: str,
        search: Search,
        published: float | None,
        shortest: Sequence[int] | None = None,
        longer: float | None = None,
    ) -> list[int]:
        with ThreadPoolExecutor(budget.threads) as pool:
            found = list(pool.map(search, starts))
        lengths = [each.solution.length for each in found if each.solution]
        more = None if shortest is None else 100 * (sum(lengths) / sum(shortest) - 1)
        nodes = fmean(each.nodes for each in found)
        rows.append(Row(paper.name, name, label, published, nodes, more, longer))
        return lengths

    if paper.bfs is not None:
        run("breadth-first", "", lambda s: bidirectional_search(plain, s, both=False), paper.bfs)
        run("bidirectional", "", lambda s: bidirectional_search(plain, s), None)
    shortest: list[int] = []
    for label, heuristic in heuristics:
        published = paper.astar if heuristic is plain else None
        shortest = run("A*", label, lambda s, h=heuristic: a_star(h, s), published)  # type: ignore[misc]
    if (weight := paper.weight) is not None:
        for label, heuristic in heuristics:
            own = heuristic is plain
            run(
                f"weighted A*, W {weight}",
                label,
                lambda s, h=heuristic: a_star(h, s, weight=weight),  # type: ignore[misc]
                paper.weighted if own else None,
                shortest,
                paper.longer if own else None,
            )
    return rows
