"""The command `boards`: the kinds of boards, the properties of one, all hexagonal boards of a size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.arguments import BoardText, read_board, read_input
from slidelab.cli.batch import in_batch
from slidelab.cli.options import Json, budget_from, flag, integer
from slidelab.cli.output import DONE, json_text, print_answer, print_json
from slidelab.cli.progress import progress_bar
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError, PuzzleError

if TYPE_CHECKING:
    from slidelab.boards import Board

MAX_DRAWN_CELLS = 400
"""Cells of the largest board that is drawn as text."""

MAX_QUICK_CYCLE_CELLS = 20
"""Cells of the largest board whose Hamiltonian cycle is looked for without --cycle and without a theorem."""

QUICK_CYCLE_SECONDS = 2.0
"""Time for that."""

MAX_LISTED_EARS = 6
"""Blocks or ears that are listed in text."""

MAX_SYMMETRY_CELLS = 5000
"""Cells of the largest board whose symmetries are counted, which takes a second then."""


@prints_tables
def boards(
    board: BoardText | None = None,
    *,
    polyhexes: Annotated[int | None, integer("list all free hexagonal boards with this many cells")] = None,
    two_connected: Annotated[bool, flag("with --polyhexes: only those without a cut cell")] = False,
    hole_free: Annotated[bool, flag("with --polyhexes: only those without a hole in the board")] = False,
    count: Annotated[bool, flag("with --polyhexes: print only their number")] = False,
    cycle: Annotated[bool, flag("find a Hamiltonian cycle of BOARD, or prove that there is none")] = False,
    closed_way: Annotated[bool, Parameter(show=False, negative="")] = False,  # the former name
    time: Annotated[float | None, Parameter(help="time limit for --cycle in seconds")] = None,
    json: Json = False,
) -> int:
    """List the kinds of boards, the properties of BOARD, or all boards of n hexagons."""
    cycle = cycle or closed_way
    if cycle and board is None:
        raise NotationError("expected a board for --cycle, got none")
    if (polyhexes is None) == (board is None) and (board or two_connected or hole_free or count):
        raise NotationError(
            "expected a board, or --polyhexes with its options --two-connected, --hole-free and --count"
        )
    if polyhexes is not None:
        return _list_polyhexes(polyhexes, two_connected, hole_free, count, json)
    if board is None:
        return _list_kinds(json)
    chosen = read_board(read_input(board))
    facts = _board_facts(chosen)
    facts |= _cycle_facts(chosen, time) if cycle else _quick_cycle(chosen)
    if json:
        print_json({**chosen.to_json(), "name": chosen.name, "facts": facts})
        return DONE
    from slidelab.reach.report import numbered_cells
    from slidelab.tables import text_table

    if in_batch():
        print(f"{chosen.name}: {', '.join(f'{_label(key)} {_format(facts[key])}' for key in facts)}")
        return DONE
    print(chosen.name)
    if chosen.size <= MAX_DRAWN_CELLS:
        print("\n" + numbered_cells(chosen) + "\n")
    print(text_table((_label(key), _format(facts[key])) for key in facts))
    return DONE


def _list_kinds(json: bool) -> int:
    from slidelab.boards.kinds import KINDS
    from slidelab.tables import text_table

    hint = "'slidelab boards BOARD' draws a board with its cell numbers and lists its properties."
    kinds = [{"text": text, "what": what} for text, what in KINDS]
    print_answer(json, kinds, f"{text_table(KINDS)}\n\n{hint}")
    return DONE


def _list_polyhexes(cells: int, two_connected: bool, hole_free: bool, count: bool, json: bool) -> int:
    from slidelab.boards import is_hole_free, is_two_connected
    from slidelab.boards import polyhexes as stream

    number = 0
    with progress_bar() as progress:
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
        "block_cells": [list(block) for block in rooms.blocks(board)],
        "cyclomatic_number": rooms.cyclomatic_number(board),
        "ears": [list(ear) for ear in rooms.ear_decomposition(board)],
        "bipartite": rooms.is_bipartite(board),
        "cycle": rooms.is_cycle(board),
        "theta0": rooms.is_theta0(board),
        "tight_corners": list(rooms.tight_corners(board)),
    }
    if board.kind == "hex":
        facts["proper_for_gourds"] = rooms.why_not_proper(board) or True
    if board.kind != "graph":
        facts["holes_in_the_board"] = rooms.holes_in_board(board)
    if board.size <= MAX_SYMMETRY_CELLS:
        facts["symmetries"] = rooms.symmetries(board).order
    return facts


def _cycle_facts(board: Board, time: float | None) -> dict[str, Any]:
    from slidelab.boards import find_cycle

    with budget_from(time) as budget:
        found = find_cycle(board, budget=budget)
    if found is None:
        return {"closed_way": None}
    facts: dict[str, Any] = {"closed_way": found.cells}
    if board.kind in ("hex", "square"):
        facts["with_a_hole_inside"] = not found.hole_free
    return facts


def _quick_cycle(board: Board) -> dict[str, Any]:
    """Return a Hamiltonian cycle where a theorem or a short search finds one, otherwise nothing."""
    from slidelab import boards as rooms

    if not rooms.is_two_connected(board):
        return {"closed_way": None}
    if board.size > MAX_QUICK_CYCLE_CELLS and (board.kind != "hex" or rooms.why_not_proper(board)):
        return {}
    try:
        return _cycle_facts(board, QUICK_CYCLE_SECONDS)
    except PuzzleError:  # no time, or OR-Tools is missing
        return {}


_LABELS = {
    "closed_way": "Hamiltonian cycle",
    "block_cells": "cells of blocks",
    "cycle": "is a cycle",
    "theta0": "is theta0",
}
"""Keys of the facts that read differently in text."""


def _label(key: str) -> str:
    return _LABELS.get(key, key.replace("_", " "))


def _format(value: Any) -> str:
    from slidelab.messages import big_number, yes_no
    from slidelab.reach.report import list_cells

    if isinstance(value, bool):
        return yes_no(value)
    if value is None:
        return "none"
    if isinstance(value, str):
        return f"no: {value}"
    if isinstance(value, list) and value and isinstance(value[0], list):  # blocks, ears
        listed = " | ".join(" ".join(map(str, cells)) for cells in value[:MAX_LISTED_EARS])
        more = f" | and {len(value) - MAX_LISTED_EARS:,} more" if len(value) > MAX_LISTED_EARS else ""
        return listed + more
    if isinstance(value, tuple):  # cells in a meaningful order
        return " ".join(map(str, value))
    return list_cells(value) if isinstance(value, list) else big_number(value)
