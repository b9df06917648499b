"""The tasks that a worker knows by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from slidelab.budget import Budget
from slidelab.files import decode_json
from slidelab.studio.answers import puzzle_answer
from slidelab.studio.forms import PuzzleRequest, decode
from slidelab.studio.library import library, read_date
from slidelab.studio.protocol import Call

__all__ = ["TASKS", "Report", "Task", "warm_up"]

Report = Callable[[str, Any], None]
"""Called with the name of an event and its data."""

Task = Callable[[Call, Budget, Report], Any]


def _puzzle(call: Call, budget: Budget, _: Report) -> Any:
    return puzzle_answer(decode(call.arguments, PuzzleRequest), budget, cells=call.cells, depth=call.depth)


def _library(call: Call, _: Budget, __: Report) -> Any:
    return library(read_date(decode_json(call.arguments.decode())["date"]))


TASKS: dict[str, Task] = {
    "puzzle": _puzzle,
    "library": _library,
}


def warm_up() -> None:
    """Answer a few small questions, so that modules are imported."""
    puzzle_answer(PuzzleRequest(text="square R(2,2)"), Budget.of(time=10), cells=100, depth=9)
