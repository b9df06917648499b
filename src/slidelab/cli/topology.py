"""The command `topology`."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import BoardText, Colours, HoleCounts, Rule, read_documents, read_input
from slidelab.cli.batch import in_batch
from slidelab.cli.options import DEFAULT_LIMITS, Json, Limits, flag
from slidelab.cli.output import DONE, GAVE_UP, print_error, print_json
from slidelab.cli.tables import prints_tables
from slidelab.errors import OutOfTime, TooLarge
from slidelab.reach.topology.model import ComplexModel


@prints_tables
def topology(
    board: BoardText,
    *,
    rule: Rule = None,
    holes: HoleCounts = None,
    colours: Colours = None,
    model: Annotated[
        ComplexModel,
        Parameter(
            help="what is filled in: independent moves, or also what one hard piece can do by itself "
            "(tiles on squares, hextiles on hexagons)"
        ),
    ] = "moves",
    unlabelled: Annotated[bool, flag("take all pieces for the same")] = False,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Compute the Betti numbers of the configuration complex: squares and cubes of independent moves."""
    from slidelab.reach.topology.compute import topology as run
    from slidelab.reach.topology.report import topology_line, topology_table

    puzzles = [document.puzzle for document in read_documents(read_input(board), rule, holes, colours)]
    found, refused = [], []
    with limits.budget() as budget:
        for puzzle in puzzles:
            try:
                found.append(run(puzzle, model=model, unlabelled=unlabelled, budget=budget))
            except (TooLarge, OutOfTime) as error:
                refused.append(error)
    if len(puzzles) == 1 and refused:
        raise refused[0]
    if json:
        print_json([t.to_json() for t in found] if len(puzzles) > 1 else found[0].to_json())
    elif found:
        if in_batch():
            print("; ".join(map(topology_line, found)))
        else:
            print(found[0] if len(puzzles) == 1 else topology_table(found))
    for reason in refused:
        print_error(str(reason), GAVE_UP)
    return GAVE_UP if refused or any(t.reason is not None for t in found) else DONE
