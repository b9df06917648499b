"""The command `bench papers`: measurements next to published ones."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from cyclopts import App

from slidelab.cli.options import Json, ShowProgress, Threads, budget_from, integer
from slidelab.cli.output import DONE, print_json
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError

MAX_STATES = 100_000
"""Largest number of random states per graph."""

bench = App(name="bench", help="Compare measurements with published ones.", help_format="plaintext")


@bench.command
@prints_tables
def papers(
    *,
    states: Annotated[int, integer("number of random states of each graph")] = 500,
    seed: Annotated[int, integer("seed of the random states")] = 0,
    threads: Threads = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Repeat tables 3 and 4 of Wong, Li and Chen, also with pattern databases."""
    from slidelab.solve.paper_tables import measure
    from slidelab.tables import text_table

    if not 1 <= states <= MAX_STATES:
        raise NotationError(f"expected from 1 to {MAX_STATES} states, got {states} - at --states")
    with budget_from(threads=threads, progress=progress) as budget:
        rows = measure(states, seed, budget=budget)
    if json:
        keys = {"heuristic": "estimate"}
        print_json([{keys.get(key, key): value for key, value in asdict(row).items()} for row in rows])
        return DONE
    cells = [("graph", "search", "heuristic", "paper", "expanded", "paper", "longer")]
    last_graph = ""
    for row in rows:
        cells.append(
            (
                row.graph if row.graph != last_graph else "",
                row.search,
                row.heuristic,
                _number(row.published),
                _number(row.nodes),
                _percent(row.published_longer),
                _percent(row.longer),
            )
        )
        last_graph = row.graph
    print(text_table(cells, right=(3, 4, 5, 6), header=True))
    print(f"\nmeans over {states:,} random states, seed {seed}; heuristics: the sum of graph distances, or")
    print("pattern databases for so many tiles each; longer: than shortest solutions")
    return DONE


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} %"
