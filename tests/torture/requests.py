"""Random questions to slidelab with limits, as data that another process can ask again."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import slidelab as sl
from reach.twins import Twin
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable
from torture.options import accepted_methods
from torture.puzzles import draw_puzzle

__all__ = ["LIMIT_ERRORS", "Request", "ask", "draw_request", "prepare"]

LIMIT_ERRORS = (TooLarge, OutOfTime, Unsolvable)
"""What a question with limits may be answered with instead of a result."""

SIZES = (6, 9, 12, 16, 20, 25, 36, 60, 100, 250, 600, 1500)
"""Cells of boards."""

Request = dict[str, Any]


def draw_request(rng: Random) -> tuple[Request, Twin]:
    """Return a question about a random puzzle without limits, and the puzzle."""
    made = draw_puzzle(rng, rng.choice(SIZES))
    question = rng.choice(
        ["solve", "solve", "solve", "solvable", "analyze", "shuffle", "god", "distances", "cycle"]
    )
    request: Request = {"question": question, "puzzle": made.puzzle.text, "seed": rng.randrange(10**6)}
    if question == "solve":
        request["method"] = rng.choice([*accepted_methods(made), "auto", "auto"])
    return request, made


def ask(request: Request, **limits: Any) -> object:
    """Ask the question and return the result; limits are keywords such as ``time`` and ``memory``."""
    puzzle = sl.puzzle(request["puzzle"])
    threads = {"threads": limits.pop("threads", None)}
    calls: dict[str, Callable[[], object]] = {
        "solvable": lambda: puzzle.solvable(_start(puzzle, request), **limits),
        "analyze": lambda: puzzle.analyze(**limits),
        "shuffle": lambda: puzzle.shuffle(request["seed"], **limits),
        "god": lambda: puzzle.gods_number(**limits, **threads),
        "distances": lambda: puzzle.distances(**limits, **threads),
        "solve": lambda: puzzle.solve(_start(puzzle, request), method=request["method"], **limits, **threads),
        "cycle": lambda: _cycle(puzzle, limits.get("time")),
    }
    return calls[request["question"]]()


def _cycle(puzzle: sl.Puzzle, time: float | None) -> object:
    from slidelab.boards import find_cycle

    return find_cycle(puzzle.board, budget=Budget.of(time=time))


def _start(puzzle: sl.Puzzle, request: Request) -> sl.Configuration:
    """Return the start that `prepare` found, or the goal itself."""
    return puzzle.goal if request.get("start") is None else puzzle.configuration(request["start"])


def prepare(request: Request) -> bool:
    """Find a random start for a request; return whether there is one."""
    if request["question"] not in ("solve", "solvable"):
        return True
    try:
        start = sl.puzzle(request["puzzle"]).shuffle(request["seed"], time=10)
    except PuzzleError:
        return False
    request["start"] = start.pieces_text
    return True
