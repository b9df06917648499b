"""The command `instances`: instance sets of the literature."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.options import Json, integer
from slidelab.cli.output import DONE, json_text, print_answer, print_note


def instances(
    name: Annotated[
        str | None,
        Parameter(help="an instance set; without one, all are listed", completer=completers.instance_sets),
    ] = None,
    *,
    number: Annotated[int | None, integer("only the instance with this number")] = None,
    json: Json = False,
) -> int:
    """List the instance sets of the literature, or print the positions of one.

    With --json each line has start, goal and length, and 'slidelab solve -' reads them.
    """
    from slidelab.solve.instances import INSTANCE_SETS
    from slidelab.solve.instances import instances as look_up
    from slidelab.tables import text_table

    if name is None:
        sets = [look_up(each) for each in INSTANCE_SETS]
        rows = [(each.name, str(len(each)), each.puzzle.text, each.summary) for each in sets]
        facts = [
            {
                "name": each.name,
                "instances": len(each),
                "puzzle": each.puzzle.to_json(),
                "source": each.source,
            }
            for each in sets
        ]
        print_answer(json, facts, text_table(rows, right=(1,)))
        return DONE
    found = look_up(name)
    for each in found if number is None else [found.numbered(number)]:
        print(json_text(each.to_json()) if json else each.start.text)
    if not json:
        print_note(f"goal {found.goal.pieces_text}; {found.source}")
    return DONE
