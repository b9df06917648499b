"""The command `export`: a puzzle as a task for planners."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import GoalArguments, with_start
from slidelab.cli.options import Json, Seed
from slidelab.cli.output import DONE, print_answer
from slidelab.errors import NotationError


def export(
    question: GoalArguments,
    *,
    output: Annotated[
        Path | None,
        Parameter(
            name=["--output", "-o"],
            help="file to write: x.pddl for PDDL, with the domain in x-domain.pddl; x.sas for SAS+",
        ),
    ] = None,
    seed: Seed = None,
    json: Json = False,
) -> int:
    """Write a puzzle for planners, in PDDL or SAS+.

    'slidelab check BOARD --moves FILE' reads and replays the plan that a planner finds.
    """
    from slidelab.bridges.planning import pddl, sas_plus
    from slidelab.draw.files import check_target

    if output is None:
        raise NotationError("expected a file to write, such as -o puzzle.pddl, got none")
    target = check_target(output, ("pddl", "sas"))
    document, start = with_start(question.read(), seed)
    if target.suffix.lower() == ".sas":
        files = [sas_plus(start, document.goal).save(target)]
    else:
        files = list(pddl(start, document.goal).save(target))
    names = [str(file) for file in files]
    print_answer(json, {"files": names, "start": start.text}, "\n".join(names))
    return DONE
