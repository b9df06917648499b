"""Measured: `bench papers`."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import App, Parameter

from slidelab.budget import Budget
from slidelab.cli.app import DONE, Json, Threads, app
from slidelab.cli.output import print_json, showing_progress
from slidelab.errors import NotationError

bench = App(name="bench", help="Measurements beside published ones.", help_format="plaintext")
app.command(bench)


@bench.command
def papers(
    *,
    states: Annotated[int, Parameter(help="how many random states of each graph")] = 500,
    seed: Annotated[int, Parameter(help="of the random states")] = 0,
    threads: Threads = None,
    json: Json = False,
) -> int:
    """Tables 3 and 4 of Wong, Li and Chen: states expanded, beside the paper's figures and pattern tables."""
    from slidelab.solve.paper_tables import measure
    from slidelab.tables import text_table

    if not 1 <= states <= 100_000:
        raise NotationError(f"expected from 1 to 100000 states, got {states} - at --states")
    with showing_progress() as progress:
        rows = measure(states, seed, budget=Budget.of(threads=threads, progress=progress))
    if json:
        print_json([_as_json(row) for row in rows])
        return DONE
    cells = [("graph", "search", "estimate", "paper", "expanded", "paper", "longer")]
    last = ""
    for row in rows:
        cells.append(
            (
                row.graph if row.graph != last else "",
                row.search,
                row.estimate,
                _number(row.published),
                _number(row.nodes),
                _percent(row.published_longer),
                _percent(row.longer),
            )
        )
        last = row.graph
    print(text_table(cells, right=(3, 4, 5, 6)))
    print(f"\nmeans over {states:,} random states, seed {seed}; estimates: the sum of graph distances, or")
    print("pattern tables for groups of so many tiles; longer: than shortest solutions")
    return DONE


def _as_json(row: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(row)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.2f} %"
