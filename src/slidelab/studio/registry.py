"""The tasks that a worker knows by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slidelab.budget import Budget
from slidelab.distance.gods_number import gods_number
from slidelab.files import decode_json
from slidelab.puzzles import Configuration
from slidelab.reach.analysis import analyze
from slidelab.studio.answers import picture_answer, puzzle_answer, shuffle_answer
from slidelab.studio.exports import export
from slidelab.studio.facts import facts_answer
from slidelab.studio.forms import (
    ExportRequest,
    FactsRequest,
    HintRequest,
    JobOptions,
    JobRequest,
    PictureRequest,
    PuzzleRequest,
    ShuffleRequest,
    SolvableRequest,
    decode,
)
from slidelab.studio.graphs import gain_graph_answer, puzzle_graph_answer
from slidelab.studio.hints import hint_answer
from slidelab.studio.library import library, read_date
from slidelab.studio.protocol import Call
from slidelab.studio.rearrangement import verdict_answer
from slidelab.studio.sources import place_vertices, read_task
from slidelab.studio.tasks import Report, distances_job, engine_job, solve_job

__all__ = ["TASKS", "Task", "warm_up"]

Task = Callable[[Call, Budget, Report], Any]


def _puzzle(call: Call, budget: Budget, _: Report) -> Any:
    return puzzle_answer(decode(call.arguments, PuzzleRequest), budget, cells=call.cells, depth=call.depth)


def _picture(call: Call, _: Budget, __: Report) -> Any:
    return picture_answer(decode(call.arguments, PictureRequest), cells=call.cells, depth=call.depth)


def _library(call: Call, _: Budget, __: Report) -> Any:
    asked = decode_json(call.arguments.decode())
    return {**library(read_date(asked["date"])), "start": asked["start"]}


def _facts(call: Call, budget: Budget, _: Report) -> Any:
    request = decode(call.arguments, FactsRequest)
    start, goal = read_task(
        request.position, request.puzzle, request.goal, cells=call.cells, depth=call.depth
    )
    if request.position is None:
        return facts_answer(start.puzzle, budget)
    return facts_answer(start.puzzle, budget, start, goal)


def _solvable(call: Call, budget: Budget, _: Report) -> Any:
    request = decode(call.arguments, SolvableRequest)
    task = read_task(request.position, None, request.goal, cells=call.cells, depth=call.depth)
    return verdict_answer(*task, budget)


def _hint(call: Call, budget: Budget, _: Report) -> Any:
    request = decode(call.arguments, HintRequest)
    task = read_task(request.position, None, request.goal, cells=call.cells, depth=call.depth)
    return hint_answer(*task, budget)


def _shuffle(call: Call, budget: Budget, _: Report) -> Any:
    return shuffle_answer(decode(call.arguments, ShuffleRequest), budget, cells=call.cells, depth=call.depth)


def _job(call: Call) -> tuple[Configuration, Configuration, JobOptions]:
    request = decode(call.arguments, JobRequest)
    task = read_task(request.position, request.puzzle, request.goal, cells=call.cells, depth=call.depth)
    return *task, request.options


def _solve(call: Call, budget: Budget, report: Report) -> Any:
    return solve_job(*_job(call), budget, report)


def _engine(call: Call, budget: Budget, report: Report) -> Any:
    start, goal, _ = _job(call)
    return engine_job(start, goal, budget, report)


def _god(call: Call, budget: Budget, _: Report) -> Any:
    return gods_number(_job(call)[0].puzzle, budget=budget).to_json()


def _analyze(call: Call, budget: Budget, _: Report) -> Any:
    return analyze(_job(call)[0].puzzle, budget=budget).to_json()


def _distances(call: Call, budget: Budget, _: Report) -> Any:
    start, goal, _options = _job(call)
    return distances_job(start, goal, budget)


def _graph(call: Call, budget: Budget, _: Report) -> Any:
    start, goal, options = _job(call)
    if options.which == "gain":
        return gain_graph_answer(start, budget)
    return puzzle_graph_answer(start, goal, budget)


def _film(call: Call, budget: Budget, _: Report) -> Any:
    start, goal, options = _job(call)
    return export(
        place_vertices(start, options.positions),
        place_vertices(goal, options.positions),
        options.format,
        budget,
        moves=options.moves,
        theme=options.theme,
        play=options.play,
    )


def _export(call: Call, budget: Budget, _: Report) -> Any:
    request = decode(call.arguments, ExportRequest)
    start, goal = read_task(request.position, None, request.goal, cells=call.cells, depth=call.depth)
    return export(
        place_vertices(start, request.positions),
        place_vertices(goal, request.positions),
        request.format,
        budget,
        moves=request.moves,
        theme=request.theme,
        play=request.play,
    )


TASKS: dict[str, Task] = {
    "puzzle": _puzzle,
    "picture": _picture,
    "library": _library,
    "facts": _facts,
    "solvable": _solvable,
    "hint": _hint,
    "shuffle": _shuffle,
    "file": _export,
    "solve": _solve,
    "engine": _engine,
    "god": _god,
    "analyze": _analyze,
    "distances": _distances,
    "graph": _graph,
    "export": _film,
}


def warm_up() -> None:
    """Answer a few small questions, so that modules are imported."""
    budget = Budget.of(time=10)
    answer = puzzle_answer(PuzzleRequest(text="square R(2,2) : 3 1 . 2"), budget, cells=100, depth=9)
    start, goal = read_task(answer["position"], None, None, cells=100, depth=9)
    facts_answer(start.puzzle, budget, start, goal)
    verdict_answer(start, goal, budget)
    hint_answer(start, goal, budget)
    shuffle_answer(ShuffleRequest(puzzle="2x2", seed=1, difficulty="easy"), budget, cells=100, depth=9)
