"""The command `plan`: what an exhaustive search takes, before it is run."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import BoardText, Colours, Holes, Rule, read_input, split_colours
from slidelab.cli.options import (
    Json,
    MaxShapes,
    ShowProgress,
    Time,
    budget_from,
    flag,
    integer,
    option_names,
    text,
)
from slidelab.cli.output import DONE, print_answer
from slidelab.errors import NotationError


def plan(
    board: BoardText | None = None,
    *,
    rule: Rule = None,
    holes: Holes = None,
    colours: Colours = None,
    start: Annotated[str | None, text("plan the search from this configuration")] = None,
    nodes: Annotated[int, integer("number of machines, one process each")] = 1,
    cores: Annotated[int | None, integer("cores of each machine (default: as many as this one has)")] = None,
    memory: Annotated[
        str | None, Parameter(help="memory of each machine such as 24G (default: most of this one's)")
    ] = None,
    network: Annotated[str, Parameter(help="speed of the network of each machine, in bits a second")] = "10G",
    disk_speed: Annotated[str, Parameter(help="speed of the disk of each machine, in bytes a second")] = "1G",
    calibrate: Annotated[bool, flag("measure the speed of this machine first, in some seconds")] = False,
    time: Time = None,
    max_shapes: MaxShapes = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Plan an exhaustive search: shards, memory, traffic and time on many machines or with a disk."""
    from slidelab.distance.cluster_plan import Machines, cluster_plan
    from slidelab.distance.cost_model import MEASURED
    from slidelab.distance.cost_model import calibrate as measure
    from slidelab.puzzles import read_document

    if board is None and not calibrate:
        raise NotationError("expected a BOARD, such as 'square R(4,4)', or --calibrate")
    with option_names("nodes", "cores", "memory", "network", "disk_speed"):
        machines = Machines.of(nodes, cores, memory, network, disk_speed)
    document = None
    if board is not None:
        document = read_document(read_input(board), rule, holes, split_colours(colours))
    with budget_from(time, max_shapes=max_shapes, progress=progress) as budget:
        costs = measure(budget) if calibrate else MEASURED
        if document is None:
            print_answer(json, {"costs": costs.to_json()}, str(costs))
            return DONE
        begin = document.start if start is None else document.configuration(read_input(start))
        found = cluster_plan(document.puzzle, machines, begin, costs=costs, budget=budget)
    answer = found.to_json()
    if calibrate:
        answer["costs"] = costs.to_json()
    print_answer(json, answer, f"{found}\n\n{costs}" if calibrate else str(found))
    return DONE
