"""Tables 3 and 4 of Wong, Li and Chen, "Sliding graph puzzles", measured again and answered.

They let A* with the sum of graph distances search several puzzles from 500 random states, compare the
states expanded with breadth-first search and with weighted A*, and ask whether there is a better estimate for
general graphs. Pattern tables are one. The graph of their figure 6.1 is not known to us and left out.
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
from slidelab.reach.shuffle import shuffles
from slidelab.solve.patterns.databases import make_patterns
from slidelab.solve.patterns.heuristic import Guide, like_shape
from slidelab.solve.search.algorithms import Outcome, best_first, two_sided

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
    budgets: tuple[int, ...] = (3_100,)


PAPER = (
    Published("theta(2,2,3)", "theta(2,2,3)", 185222, 48152.3, 4.0, 27540.3, 16.82, (600, 6_100)),
    Published("8-puzzle", "square R(3,3)", 84869.2, 2017.29, budgets=(600, 3_100)),
    Published("8-puzzle with diagonals", "king R(3,3)", 162282, 1492.69, budgets=(600, 6_100)),
    Published("3x4 with diagonals", "king R(3,4)", None, 67138.1, 1.4, 3336.26, 4.80, (30_000, 800_000)),
)


@dataclass(frozen=True, slots=True)
class Row:
    """Means over all states: what one search expands, and how much longer its solutions are, in percent."""

    graph: str
    search: str
    estimate: str
    published: float | None
    nodes: float
    longer: float | None = None
    published_longer: float | None = None


Search = Callable[[Configuration], Outcome]


def measure(states: int = 500, seed: int = 0, *, budget: Budget | None = None) -> list[Row]:
    """All rows of both tables, and beside them ours.

    >>> rows = measure(2)
    >>> [row.search for row in rows if row.graph == "8-puzzle"]
    ['breadth-first', 'both ends', 'A*', 'A*', 'A*']
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
    shape = like_shape(graph, graph.place(goal)[0])
    starts = list(islice(shuffles(puzzle, seed, goal), count))
    guides: list[tuple[str, Guide]] = []
    for table_bytes in (0, *paper.budgets):
        patterns = make_patterns(graph, shape, table_bytes, budget=budget)
        sizes = "+".join(str(len(group)) for group in patterns.groups)
        guides.append((sizes or "distances", Guide(goal, patterns)))
    plain = guides[0][1]
    rows = []

    def run(
        name: str,
        estimate: str,
        search: Search,
        published: float | None,
        shortest: Sequence[int] | None = None,
        longer: float | None = None,
    ) -> list[int]:
        with ThreadPoolExecutor(budget.threads) as pool:
            found = list(pool.map(search, starts))
        lengths = [each.solution.length for each in found if each.solution]
        more = None
        if shortest is not None:
            more = 100 * (sum(lengths) / sum(shortest) - 1)
        nodes = fmean(each.nodes for each in found)
        rows.append(Row(paper.name, name, estimate, published, nodes, more, longer))
        return lengths

    if paper.bfs is not None:
        run("breadth-first", "", lambda s: two_sided(plain, s, both=False), paper.bfs)
        run("both ends", "", lambda s: two_sided(plain, s), None)
    shortest: list[int] = []
    for estimate, guide in guides:
        published = paper.astar if guide is plain else None
        shortest = run("A*", estimate, lambda s, g=guide: best_first(g, s), published)  # type: ignore[misc]
    if (weight := paper.weight) is not None:
        for estimate, guide in guides:
            own = guide is plain
            run(
                f"weighted A*, W {weight}",
                estimate,
                lambda s, g=guide: best_first(g, s, weight=weight),  # type: ignore[misc]
                paper.weighted if own else None,
                shortest,
                paper.longer if own else None,
            )
    return rows
