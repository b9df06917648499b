"""The command `atlas gourds`: a table of all boards of one size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from slidelab.cli.options import Json, ShowProgress, integer
from slidelab.cli.output import DONE, print_json
from slidelab.cli.progress import progress_bar
from slidelab.cli.ranks import executor
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.atlas import Summary

atlas = App(name="atlas", help="Tabulate all boards of one kind and size.", help_format="plaintext")


@atlas.command
@prints_tables
def gourds(
    cells: Annotated[int, integer("number of cells, odd, 7 to 17; 13 cells take a minute, 15 an hour")],
    *,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="file for one line of JSON per board; after a stop, the same command resumes",
        ),
    ] = None,
    processes: Annotated[
        int | None, integer("number of processes (default: all cores where it pays)")
    ] = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Tabulate where gourds can be rearranged freely, on all two-connected boards with a hole."""
    from slidelab.atlas import entries, summarize, write_atlas
    from slidelab.budget import Budget

    if output == "":
        raise NotationError("expected the name of a file, got nothing - at --output")
    pool = executor(processes)
    with progress_bar(progress) as callback:
        budget = Budget.of(progress=callback)
        try:
            if output is None:
                summary = summarize(entries(cells, processes=processes, executor=pool, budget=budget))
            else:
                summary = write_atlas(output, cells, processes=processes, executor=pool, budget=budget)
        except KeyboardInterrupt:
            if output is None:
                raise
            kept = f"stopped; the finished lines are in {output}, and the same command resumes there"
            raise KeyboardInterrupt(kept) from None
    if json:
        print_json({"cells": cells, **summary.to_json()})
    else:
        _print_summary(cells, summary)
    return DONE


GLOSSARY = (
    ("group", "permutations of the n gourds and their ends; solvable: all of them, C2 wr Sym(n)"),
    ("pivot", "a gourd turns about one end, in a triangle, while gourds fill all other cells"),
    ("necklace", "a closed chain of edges, triangles and diamonds (two triangles side by side)"),
    ("even ring", "a ring of 4k + 1 cells while gourds fill all others: an even number rotates"),
    ("station", "cells a b c d e in a row on a Hamiltonian cycle, where a, c, e touch one another"),
)


def _print_summary(cells: int, summary: Summary) -> None:
    from slidelab.tables import text_table

    print(f"gourds on two-connected boards of {cells} hexagons with a hole in the board\n")
    print(text_table([("boards", f"{summary.boards:,}"), ("solvable", f"{summary.solvable:,}")], right=(1,)))
    reasons = [("boards", "what the rule says", "group found")]
    reasons += [(f"{count:,}", reason, group) for reason, group, count in summary.reasons]
    print("\n" + text_table(reasons, right=(0,), header=True))
    rules = [("solvable if and only if", "right", "wrong", "first wrong about")]
    rules += [(r.rule, f"{r.right:,}", f"{r.wrong:,}", r.first_wrong or "") for r in summary.rules]
    print("\n" + text_table(rules, right=(1, 2), header=True))
    print("\n" + text_table(GLOSSARY))
