"""The command `place`: coloured gourds on a coloured board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from slidelab.cli.arguments import read_input, read_words
from slidelab.cli.batch import in_batch
from slidelab.cli.options import Json, Memory, ShowProgress, Time, budget_from, flag, text
from slidelab.cli.output import DONE, NO, print_answer
from slidelab.errors import NotationError
from slidelab.messages import quoted

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.budget import Budget
    from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle


def place(
    board: Annotated[str, text("board or position of gourds, or a JSON file with board, cells and colours")],
    *,
    cells: Annotated[
        str | None,
        text("colour of each cell, . for one that stays empty: 'red*3 . blue*3', a file or -"),
    ] = None,
    colours: Annotated[
        str | None,
        text("colours of all gourds: 'red-red red-blue*2', a file or -", "--colours", "--colors"),
    ] = None,
    near: Annotated[
        str | None, text("prefer a placement near this position (default: the start, if BOARD has one)")
    ] = None,
    count: Annotated[bool, flag("count all placements")] = False,
    time: Time = None,
    memory: Memory = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Place coloured gourds so that each end lies on a cell of its colour.

    Exit code 1 if there is no placement, with the reason.
    """
    from slidelab.place.placement import place as run

    task = _read_task(board, cells, colours, near)
    with budget_from(time, memory, progress=progress) as budget:
        if count:
            return _count(task, budget, json)
        found = run(task.board, task.cells, task.gourds, near=task.near, budget=budget)
    text = f"no placement: {found.reason}"
    if found:
        text = found.text if in_batch() else f"{found}\n\n{found.text}"
    print_answer(json, found.to_json(), text)
    return DONE if found else NO


@dataclass(frozen=True, slots=True)
class _Task:
    board: Board
    cells: tuple[str, ...]
    gourds: tuple[tuple[str, str], ...]
    near: Configuration | None


def _count(task: _Task, budget: Budget, json: bool) -> int:
    from slidelab.place.counting import count_placements

    number = count_placements(task.board, task.cells, task.gourds, budget=budget)
    print_answer(json, {"count": number}, number)
    return DONE if number else NO


@dataclass(slots=True)
class _Given:
    """What the board, position or file says itself; options take precedence."""

    board: Board
    cells: list[str] | None = None
    gourds: list[list[str]] | None = None
    start: ConfigurationLike | None = None


def _read_task(board: str, cells: str | None, colours: str | None, near: str | None) -> _Task:
    given = _read_given(read_input(board))
    if cells is not None:
        given.cells = read_words(cells, "--cells")
    if colours is not None:
        given.gourds = [_read_gourd(token) for token in read_words(colours, "--colours")]
    if not given.cells:
        raise NotationError("expected colours of cells, got none - at --cells")
    if not given.gourds:
        raise NotationError("expected colours of gourds, got none - at --colours")
    gourds = tuple((first, second) for first, second in given.gourds)
    size = given.board.size
    if 2 * len(gourds) > size:
        raise NotationError(
            f"expected at most {size // 2} gourds on the {size} cells of {quoted(given.board.name)}, "
            f"got {len(gourds)} - at --colours"
        )
    start = given.start if near is None else read_input(near)
    return _Task(given.board, tuple(given.cells), gourds, _read_near(given.board, gourds, start))


def _read_near(
    board: Board, gourds: tuple[tuple[str, str], ...], start: ConfigurationLike | None
) -> Configuration | None:
    from slidelab.puzzles import Configuration, Puzzle
    from slidelab.rules import RULES

    if start is None or isinstance(start, Configuration):
        return start
    if board.size == 2 * len(gourds):
        raise NotationError(
            f"expected an empty cell for a placement near a position, got gourds on all {board.size} cells - "
            f"on {quoted(board.name)}"
        )
    return Puzzle(board, RULES["gourds"], board.size - 2 * len(gourds), gourds).configuration(start)


def _read_given(source: str) -> _Given:
    from slidelab.boards import board
    from slidelab.boards.sources import is_file_name
    from slidelab.puzzles import read_document
    from slidelab.puzzles.notation import load_source
    from slidelab.rules import RULES

    content = load_source(source, is_file_name)
    if isinstance(content, Mapping) and "kind" not in content:
        return _from_json(content)
    if isinstance(content, str) and (":" in content or any(token in RULES for token in content.split())):
        document = read_document(content, files=False)
        return _from_puzzle(document.puzzle, None, document.start)
    return _Given(board(content, files=False))


def _from_json(content: Mapping[str, Any]) -> _Given:
    """Read a puzzle with the colours of its cells, and perhaps a start."""
    from slidelab.files import convert_json
    from slidelab.puzzles import puzzle

    kind = {key: value for key, value in content.items() if key not in ("cells", "start", "goal")}
    if "board" in kind:
        kind = {"rule": "gourds", **kind}
    # Without colours first: a wrong rule is the reason why their number is wrong.
    _check_rule(puzzle({key: value for key, value in kind.items() if key != "colours"}))
    cells = None if "cells" not in content else convert_json(content["cells"], list[str], "$.cells")
    return _from_puzzle(puzzle(kind), cells, content.get("start"))


def _from_puzzle(puzzle: Puzzle, cells: list[str] | None, start: ConfigurationLike | None) -> _Given:
    _check_rule(puzzle)
    if puzzle.colours is None:
        return _Given(puzzle.board, cells)
    return _Given(puzzle.board, cells, [list(labels) for labels in puzzle.colours], start)


def _check_rule(puzzle: Puzzle) -> None:
    if puzzle.rule.corner is None:
        raise NotationError(f"expected gourds, got {puzzle.rule.name} - on {quoted(puzzle.board.name)}")


def _read_gourd(token: str) -> list[str]:
    """Return the colours of both ends; a single colour is that of both."""
    ends = token.split("-")
    if len(ends) > 2 or not all(ends):
        raise NotationError(f"expected two colours such as red-blue, got {quoted(token)} - at --colours")
    return ends * 2 if len(ends) == 1 else ends
