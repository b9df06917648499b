"""The command `check`: whether moves are legal and lead to the goal."""

from __future__ import annotations

from typing import Annotated

from slidelab.cli import completers
from slidelab.cli.arguments import GoalArguments, file_content, read_input
from slidelab.cli.options import Json, text
from slidelab.cli.output import DONE, NO, print_answer
from slidelab.errors import NotationError


def check(
    question: GoalArguments,
    *,
    moves: Annotated[
        str | None,
        text(
            "the moves: text, arrows, JSON, a planner's plan, a file or - (default: those in BOARD)",
            completer=completers.files,
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Check whether moves are legal and lead to the goal, and print where they fail.

    BOARD may be the output of 'slidelab solve --json', which has the moves, too. Exit code 1 if they fail.
    """
    from slidelab.reach.move_check import check as run

    document = question.read()
    if document.start is None:
        raise NotationError(f"expected --start for {document.puzzle.text!r}, got none")
    given = document.moves if moves is None else file_content(read_input(moves), "moves such as 3:2>5")
    if given is None:
        raise NotationError(f"expected --moves for {document.puzzle.text!r}, got none")
    found = run(document.puzzle, document.start, given, document.goal)
    print_answer(json, found.to_json(), found)
    return DONE if found else NO
