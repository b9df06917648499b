"""Tables of all boards of a kind: `atlas`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from slidelab.cli.app import DONE, STOPPED, Json, app
from slidelab.cli.output import print_json, say, showing_progress
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.atlas.gourds import Summary

atlas = App(name="atlas", help="Tables of all boards of a kind, and what they show.", help_format="plaintext")
app.command(atlas)


@atlas.command
def gourds(
    cells: Annotated[int, Parameter(help="number of cells, odd, 7 to 17; 13 take a minute, 15 an hour")],
    *,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="a file for one line of JSON a board; after a stop, the same command goes on",
        ),
    ] = None,
    processes: Annotated[
        int | None, Parameter(help="how many processes (if not given: all cores where it pays)")
    ] = None,
    json: Json = False,
) -> int:
    """All two-connected boards with a hole: where can gourds be rearranged at will, and why not elsewhere?"""
    from slidelab.atlas.gourds import entries, summarize, write_atlas

    if output == "":
        raise NotationError("expected the name of a file, got nothing - at --output")
    with showing_progress() as progress:
        try:
            if output is None:
                summary = summarize(entries(cells, processes=processes, progress=progress))
            else:
                summary = write_atlas(output, cells, processes=processes, progress=progress)
        except KeyboardInterrupt:
            if output is not None:
                say(f"the finished lines are in {output}; the same command goes on from there", STOPPED)
            raise
    if json:
        print_json({"cells": cells, **summary.to_json()})
    else:
        _print_summary(cells, summary)
    return DONE


WORDS = (
    ("group", "what can be done to the n gourds and their ends; solvable: everything, C2 wr Sym(n)"),
    ("pivot", "a gourd turns about one end, in a triangle, while gourds fill all other cells"),
    ("necklace", "a closed chain of edges, triangles and diamonds (two triangles side by side)"),
    ("even ring", "a ring of 4k + 1 cells while gourds fill all others: an even number goes round"),
    ("station", "cells a b c d e in a row on a Hamiltonian cycle, where a, c, e touch one another"),
)


def _print_summary(cells: int, summary: Summary) -> None:
    from slidelab.tables import text_table

    print(f"gourds on two-connected boards of {cells} hexagons with a hole in the board\n")
    print(text_table([("boards", f"{summary.boards:,}"), ("solvable", f"{summary.solvable:,}")], right=(1,)))
    rows = [("boards", "what the rule says", "group found")]
    rows += [(f"{count:,}", reason, group) for reason, group, count in summary.reasons]
    print("\n" + text_table(rows, right=(0,)))
    fares = [("solvable if and only if", "right", "wrong", "first wrong about")]
    fares += [(r.rule, f"{r.right:,}", f"{r.wrong:,}", r.first_wrong or "") for r in summary.rules]
    print("\n" + text_table(fares, right=(1, 2)))
    print("\n" + text_table(WORDS))
