"""The command `configurations`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import StartArguments
from slidelab.cli.options import DEFAULT_LIMITS, Json, Limits, integer
from slidelab.cli.output import DONE, print_answer, print_chunks
from slidelab.errors import NotationError


def configurations(
    question: StartArguments,
    *,
    output: Annotated[
        str | None,
        Parameter(name=["--output", "-o"], help="file to write: .jsonl or .csv (default: standard output)"),
    ] = None,
    limit: Annotated[int | None, integer("largest number of configurations (a billion)")] = None,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Write all configurations that can be reached, one a line, without a list in memory.

    They are those of the component of --start, of the position in BOARD, or of the goal. On standard output
    they are positions as text, or JSON lines with --json.
    """
    from slidelab.reach.component import MAX_LINES, component

    document = question.read()
    if output == "":
        raise NotationError("expected the name of a file, got nothing - at --output")
    with limits.budget() as budget:
        found = component(document.start or document.goal or document.puzzle.goal, budget=budget)
        most = MAX_LINES if limit is None else limit
        if output is None:
            found.check_limit(most)
            if json:
                print_chunks(found.lines(), end="")
            else:
                print_chunks((f"{each.text}\n" for each in found), end="")
            return DONE
        found.save(output, limit=most)
    text = f"{output}: {found.size:,} configurations"
    print_answer(json, {"files": [output], "configurations": found.size}, text)
    return DONE
