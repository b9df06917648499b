"""The command `sheet`: pages of puzzles to be printed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.arguments import Colours, Holes, Rule, read_input, split_colours
from slidelab.cli.options import DEFAULT_LIMITS, Json, Limits, integer, text
from slidelab.cli.output import DONE, print_answer
from slidelab.errors import NotationError
from slidelab.messages import counted


def sheet(
    *boards: Annotated[
        str, text("boards, puzzles or positions (goals), see below", completer=completers.boards)
    ],
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="file to write: pdf, svg or png")
    ] = None,
    count: Annotated[int, integer("number of puzzles of each board")] = 6,
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
    theme: Annotated[str, Parameter(help="light, dark or print", completer=completers.themes)] = "print",
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Write pages of puzzles with rising difficulty, with the answers upside down.

    Every puzzle says how many moves a shortest solution has. Several boards begin a page each.
    """
    from slidelab.draw.files import check_target
    from slidelab.draw.sheet import puzzle_sheet
    from slidelab.draw.sheet.sheet import TITLE
    from slidelab.puzzles import read_document

    if output is None:
        raise NotationError("expected a file to write, such as -o sheet.pdf, got none")
    target = check_target(output)
    if not boards:
        raise NotationError("expected a board such as 'square R(3,3)', got none")
    documents = [read_document(read_input(board), rule, holes, split_colours(colours)) for board in boards]
    goals = [document.goal or document.start or document.puzzle.goal for document in documents]
    with limits.budget() as budget:
        made = puzzle_sheet(
            goals,
            count,
            seed,
            moves=_read_moves(moves),
            title=TITLE if title is None else title,
            paper=paper,
            theme=theme,
            time=budget.time_left,
            memory=budget.memory,
            max_shapes=budget.max_shapes,
            progress=budget.progress,
        )
        files = [str(path) for path in made.save(target)]
    numbers = [solution.length for solution in made.solutions]
    lines = "\n".join(files)
    span = "" if min(numbers) == max(numbers) else f"{min(numbers):,} to "
    puzzles = f"{counted(len(numbers), 'puzzle')} in {span}{counted(max(numbers), 'move')}"
    facts = {
        "files": files,
        "pages": len(made.pages),
        "moves": numbers,
        "positions": [solution.start.text for solution in made.solutions],
        "answers": list(made.answers),
    }
    print_answer(json, facts, f"{lines}: {puzzles}, {counted(len(made.pages), 'page')}")
    return DONE


def _read_moves(source: str | None) -> list[int] | None:
    """Read a number of moves, or a first and a last one."""
    if source is None:
        return None
    if not re.fullmatch(r"[0-9]{1,6}(-[0-9]{1,6})?", source.strip(), re.ASCII):
        raise NotationError(f"expected moves such as 12 or 5-20, got {source!r:.40} - at --moves")
    return [int(part) for part in source.split("-")]
