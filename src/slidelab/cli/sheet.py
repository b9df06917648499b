"""The command `sheet`: pages of puzzles to be printed, and graded sets of puzzles with coloured cells."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.arguments import Colours, Holes, Rule, file_content, read_cells, read_input, split_colours
from slidelab.cli.options import DEFAULT_SEARCH_LIMITS, Cells, Json, SearchLimits, integer, text
from slidelab.cli.output import DONE, print_answer, print_refusal
from slidelab.errors import NotationError, Unsolvable
from slidelab.messages import counted

if TYPE_CHECKING:
    from slidelab.draw.sheet.graded import GradedSet

SHEET_COUNT, SET_COUNT = 6, 30
"""Puzzles of each board on a sheet, and starts of a graded set, if no number is given."""

SET_FORMATS = ("html", "json")
"""Formats in which only graded sets can be written."""


def sheet(
    *boards: Annotated[
        str, text("boards, puzzles or positions (goals), see below", completer=completers.boards)
    ],
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="file to write: pdf, svg or png; with coloured cells also html (a page to play on) or json "
            "(the set itself, which is read again as BOARD)",
        ),
    ] = None,
    count: Annotated[
        int | None, integer("number of puzzles of each board (default: 6; with coloured cells: 30)")
    ] = None,
    cells: Cells = None,
    seed: Annotated[int | None, integer("seed of the first puzzle")] = None,
    moves: Annotated[
        str | None,
        Parameter(help="moves of the first and the last puzzle, such as 5-20 (default: from easy to hard)"),
    ] = None,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    title: Annotated[str | None, Parameter(help="title of each page (default: Sliding puzzles)")] = None,
    paper: Annotated[str, Parameter(help="a4 or letter", completer=completers.papers)] = "a4",
    theme: Annotated[
        str | None,
        Parameter(
            help="light, dark or print (default: print; with coloured cells: light)",
            completer=completers.themes,
        ),
    ] = None,
    limits: SearchLimits = DEFAULT_SEARCH_LIMITS,
    json: Json = False,
) -> int:
    """Write pages of puzzles with rising difficulty, with the answers upside down.

    Every puzzle says how many moves a shortest solution has. Several boards begin a page each. With coloured
    cells (--cells, or a file that has them) it is a booklet, or a page to play on: starts up to the
    hardest there is, those with only one shortest solution first. Exit code 1 if there is no goal.
    """
    from slidelab.draw.files import PICTURE_FORMATS, check_target
    from slidelab.draw.sheet import puzzle_sheet
    from slidelab.draw.sheet.sheet import TITLE
    from slidelab.puzzles import read_document

    if output is None:
        raise NotationError("expected a file to write, such as -o sheet.pdf, got none")
    target = check_target(output, (*PICTURE_FORMATS, *SET_FORMATS))
    if not boards:
        raise NotationError("expected a board such as 'square R(3,3)', got none")
    sources = [read_input(board) for board in boards]
    graded = _read_set(sources[0]) if len(sources) == 1 else None
    if graded is not None:
        given = {"count": count, "cells": cells, "moves": moves, "seed": seed, "colours": colours}
        if wrong := next((name for name, value in given.items() if value is not None), None):
            raise NotationError(f"expected a graded set without --{wrong}, got both")
        return _save_set(graded, target, title, paper, theme or "light", json)
    documents = [read_document(source, rule, holes, split_colours(colours)) for source in sources]
    on_cells = read_cells(documents[0], cells) if len(documents) == 1 else None
    if cells is not None and len(documents) > 1:
        raise NotationError("expected one puzzle with --cells, got several")
    if on_cells is not None:
        from slidelab.draw.sheet.graded import graded_set

        if seed is not None:
            raise NotationError("expected coloured cells without --seed: their starts are always the same")
        _check_look(paper, theme or "light")
        ends = _read_moves(moves)
        number = SET_COUNT if count is None else count
        with limits.budget() as budget:
            try:
                made_set = graded_set(documents[0].puzzle, on_cells, number, moves=ends, budget=budget)
            except Unsolvable as error:
                return print_refusal(error, json, puzzle=documents[0].puzzle.to_json(), solvable=False)
        return _save_set(made_set, target, title, paper, theme or "light", json)
    check_target(output)
    goals = [document.goal or document.start or document.puzzle.goal for document in documents]
    with limits.budget() as budget:
        made = puzzle_sheet(
            goals,
            SHEET_COUNT if count is None else count,
            seed,
            moves=_read_moves(moves),
            title=TITLE if title is None else title,
            paper=paper,
            theme=theme or "print",
            time=budget.time_left,
            memory=budget.memory,
            max_shapes=budget.max_shapes,
            progress=budget.progress,
        )
        files = [str(path) for path in made.save(target)]
    numbers = [solution.length for solution in made.solutions]
    lines = "\n".join(files)
    facts = {
        "files": files,
        "pages": len(made.pages),
        "moves": numbers,
        "positions": [solution.start.text for solution in made.solutions],
        "answers": list(made.answers),
    }
    print_answer(json, facts, f"{lines}: {_puzzles_text(numbers)}, {counted(len(made.pages), 'page')}")
    return DONE


def _read_set(source: str) -> GradedSet | None:
    """Return the graded set in a file or text, if it is one."""
    from slidelab.draw.sheet.graded import GradedSet
    from slidelab.files import decode_json

    content = file_content(source, "a board") if source.endswith(".json") else source
    if not content.lstrip().startswith("{") or '"starts"' not in content:
        return None
    value = decode_json(content)
    return GradedSet.from_json(value) if "starts" in value else None


def _check_look(paper: str, theme: str) -> None:
    """Check options before a search begins."""
    from slidelab.draw.sheet.page import PAPERS
    from slidelab.draw.theme import get_theme

    get_theme(theme)
    if paper not in PAPERS:
        raise NotationError(f"expected a paper ({' or '.join(PAPERS)}), got {paper!r:.40}")


def _save_set(graded: GradedSet, target: Path, title: str | None, paper: str, theme: str, json: bool) -> int:
    """Write a graded set as a booklet, as a page or as JSON."""
    import msgspec

    from slidelab.draw.files import file_format, write_bytes
    from slidelab.draw.play import play_html
    from slidelab.draw.sheet.booklet import booklet, booklet_title

    _check_look(paper, theme)
    files = [target]
    title = booklet_title(graded.puzzle) if title is None else title
    match file_format(target):
        case "json":
            content = msgspec.json.format(msgspec.json.encode(graded.to_json()), indent=1)
            write_bytes(target, content + b"\n")
        case "html":
            page = play_html(
                graded.puzzle, theme=theme, title=title, floor=graded.cells, starts=graded.starts
            )
            write_bytes(target, page.encode())
        case _:
            files = booklet(graded, title=title, paper=paper, theme=theme).save(target)
    numbers = [each.moves for each in graded.starts]
    lines = "\n".join(map(str, files))
    facts = {
        "files": [str(path) for path in files],
        "moves": numbers,
        "positions": [each.start.text for each in graded.starts],
        "solutions": [each.solutions for each in graded.starts],
    }
    print_answer(json, facts, f"{lines}: {_puzzles_text(numbers)}")
    return DONE


def _puzzles_text(moves: list[int]) -> str:
    """Format the number of puzzles and the moves of their solutions.

    >>> _puzzles_text([2, 5, 8]), _puzzles_text([1])
    ('3 puzzles of 2 to 8 moves', '1 puzzle of 1 move')
    """
    span = "" if min(moves) == max(moves) else f"{min(moves):,} to "
    return f"{counted(len(moves), 'puzzle')} of {span}{counted(max(moves), 'move')}"


def _read_moves(source: str | None) -> list[int] | None:
    """Read a number of moves, or a first and a last one."""
    if source is None:
        return None
    if not re.fullmatch(r"[0-9]{1,6}(-[0-9]{1,6})?", source.strip(), re.ASCII):
        raise NotationError(f"expected moves such as 12 or 5-20, got {source!r:.40} - at --moves")
    return [int(part) for part in source.split("-")]
