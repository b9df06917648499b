"""The boards there are: `boards`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.app import DONE, BoardText, Json, app
from slidelab.cli.arguments import read_bare_board, read_source
from slidelab.cli.output import json_text, print_json, showing_progress
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards import Board


@app.command
def boards(
    board: BoardText | None = None,
    *,
    polyhexes: Annotated[
        int | None, Parameter(help="list all free hexagonal boards with this many cells")
    ] = None,
    two_connected: Annotated[bool, Parameter(negative="", help="only those without a cut cell")] = False,
    hole_free: Annotated[bool, Parameter(negative="", help="only those without a hole in the board")] = False,
    count: Annotated[bool, Parameter(negative="", help="only say how many there are")] = False,
    closed_way: Annotated[
        bool,
        Parameter(negative="", help="find a closed way through all cells of BOARD, or prove there is none"),
    ] = False,
    seconds: Annotated[
        float | None, Parameter(name="--time", help="look for a closed way no longer than so many seconds")
    ] = None,
    json: Json = False,
) -> int:
    """The boards there are; what is known of one; or all hexagonal boards with n cells."""
    if closed_way and board is None:
        raise NotationError("expected a board for --closed-way, got none")
    if (polyhexes is None) == (board is None) and (board or two_connected or hole_free or count):
        raise NotationError(
            "expected a board, or --polyhexes with its options --two-connected, --hole-free and --count"
        )
    if polyhexes is not None:
        return _list_polyhexes(polyhexes, two_connected, hole_free, count, json)
    if board is None:
        return _list_families(json)
    source = read_source(board)
    chosen = read_bare_board(source)
    facts = _board_facts(chosen)
    if closed_way:
        facts |= _closed_way(chosen, seconds)
    if json:
        print_json({**chosen.to_json(), "name": chosen.name, "facts": facts})
        return DONE
    from slidelab.reach.report import numbered_cells
    from slidelab.tables import text_table

    print(chosen.name)
    if chosen.size <= 400:
        print("\n" + numbered_cells(chosen) + "\n")
    print(text_table((name.replace("_", " "), shown(value)) for name, value in facts.items()))
    return DONE


# The boards command


FAMILIES = (
    ("hex P(3,4)", "parallelogram of hexagons: columns, rows"),
    ("hex T(5)", "triangle with 5 hexagons on a side"),
    ("hex F(3)", "flower: a hexagon of hexagons, 3 on a side"),
    ("hex Ptr(3,4)", "parallelogram without its tight corners"),
    ("hex Ttr(5)", "triangle without its tight corners"),
    ("hex star", "the Star of David, 13 cells"),
    ("hex 0,0 1,0 0,1", "any hexagons by their axial coordinates"),
    ("square R(4,4)", "rectangle of squares: columns, rows"),
    ("square 0,0 1,0 1,1", "any squares by their coordinates"),
    ("king R(3,4)", "squares that also touch at corners"),
    ("theta(1,2,2)", "two vertices joined by three paths: interior vertices of each"),
    ("cycle(7)", "a polygon"),
    ("path(5)", "a path"),
    ("complete(5)", "every two vertices touch"),
    ("graph 0-1 1-2 2-0 3", "any graph: edges, and single vertices"),
    ("FILE", "JSON, a drawn board (one # a cell, first line hex, square or king), or one of the above"),
)


def _list_families(json: bool) -> int:
    from slidelab.tables import text_table

    if json:
        print_json([{"text": text, "what": what} for text, what in FAMILIES])
    else:
        print(text_table(FAMILIES))
        print("\n'slidelab boards BOARD' draws one with its cell numbers and tells what is known of it.")
    return DONE


def _list_polyhexes(cells: int, two_connected: bool, hole_free: bool, count: bool, json: bool) -> int:
    from slidelab.boards import is_hole_free, is_two_connected
    from slidelab.boards import polyhexes as stream

    number = 0
    with showing_progress() as progress:
        for found in stream(cells):
            if (two_connected and not is_two_connected(found)) or (hole_free and not is_hole_free(found)):
                continue
            number += 1
            if not count:
                print(json_text(found.to_json()) if json else found.name)
            elif progress and number % 1000 == 0:
                progress("boards", number, 0)
    if count:
        print(number)
    return DONE


def _board_facts(board: Board) -> dict[str, Any]:
    from slidelab import boards as rooms

    facts: dict[str, Any] = {
        "cells": board.size,
        "edges": len(board.edges),
        "connected_parts": len(rooms.components(board)),
        "two_connected": rooms.is_two_connected(board),
        "cut_cells": list(rooms.cut_cells(board)),
        "blocks": len(rooms.blocks(board)),
        "bipartite": rooms.is_bipartite(board),
        "cycle": rooms.is_cycle(board),
        "theta0": rooms.is_theta0(board),
        "tight_corners": list(rooms.tight_corners(board)),
    }
    if board.kind == "hex":
        facts["proper_for_gourds"] = rooms.why_not_proper(board) or True
    if board.kind != "graph":
        facts["holes_in_the_board"] = rooms.holes_in_board(board)
    if board.size <= 5000:
        facts["symmetries"] = rooms.symmetries(board).order
    return facts


def _closed_way(board: Board, seconds: float | None) -> dict[str, Any]:
    from slidelab.boards import find_cycle
    from slidelab.budget import Budget

    with showing_progress():
        found = find_cycle(board, budget=Budget.of(time=seconds))
    if found is None:
        return {"closed_way": None}
    facts: dict[str, Any] = {"closed_way": found.cells}
    if board.kind in ("hex", "square"):
        facts["with_a_hole_inside"] = not found.hole_free
    return facts


def shown(value: Any) -> str:
    from slidelab.messages import big_number, yes_no
    from slidelab.reach.report import some_cells

    if isinstance(value, bool):
        return yes_no(value)
    if value is None:
        return "there is none"
    if isinstance(value, str):
        return f"no: {value}"
    if isinstance(value, tuple):  # in an order that matters
        return " ".join(map(str, value))
    return some_cells(value) if isinstance(value, list) else big_number(value)
