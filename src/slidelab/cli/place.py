"""Coloured gourds on a coloured board: `place`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.app import DONE, NO, Json, app
from slidelab.cli.arguments import read_board, read_source, read_words
from slidelab.cli.output import print_json, showing_progress
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.puzzles import Configuration, Puzzle


@app.command
def place(
    board: Annotated[
        str, Parameter(allow_leading_hyphen=True, help="board or position of gourds, or a JSON file with all")
    ],
    *,
    cells: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help="the colour of each cell, . for one that stays empty: 'red*3 . blue*3', a file or -",
        ),
    ] = None,
    colours: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True, help="the colours of all gourds: 'red-red red-blue*2', a file or -"
        ),
    ] = None,
    near: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help="prefer a placement near this position (default: the start, if BOARD says one)",
        ),
    ] = None,
    count: Annotated[bool, Parameter(negative="", help="say how many placements there are")] = False,
    seconds: Annotated[float | None, Parameter(name="--time", help="give up after so many seconds")] = None,
    json: Json = False,
) -> int:
    """Lay coloured gourds so that each end lies on a cell of its colour. Exit code 0 placed, 1 impossible."""
    asked = _read(board, cells, colours, near)
    if count:
        return _count(asked, json)
    from slidelab.place.placing import place as run

    with showing_progress() as progress:
        found = run(
            asked.board, asked.cells, asked.gourds, near=asked.near, seconds=seconds, progress=progress
        )
    if json:
        print_json(found.to_json())
    elif not found:
        print(f"no placement: {found.reason}")
    else:
        print(f"{found}\n\n{found.text}")
    return DONE if found else NO


def _count(asked: _Asked, json: bool) -> int:
    from slidelab.place.counting import count_placements

    with showing_progress() as progress:
        number = count_placements(asked.board, asked.cells, asked.gourds, progress=progress)
    if json:
        print_json({"count": number})
    else:
        print(number)
    return DONE if number else NO


# Reading


@dataclass(frozen=True, slots=True)
class _Asked:
    board: Board
    cells: tuple[str, ...]
    gourds: tuple[tuple[str, str], ...]
    near: Configuration | None


@dataclass(slots=True)
class _Given:
    """What the board, position or file says itself; options may say the rest, or something else."""

    board: Board
    cells: list[str] | None = None
    gourds: list[list[str]] | None = None
    start: Any = None


def _read(board: str, cells: str | None, colours: str | None, near: str | None) -> _Asked:
    given = _read_given(read_source(board))
    if cells is not None:
        given.cells = read_words(cells, "--cells")
    if colours is not None:
        given.gourds = [_gourd(token) for token in read_words(colours, "--colours")]
    for value, what, option in (
        (given.cells, "colours of cells", "--cells"),
        (given.gourds, "colours of gourds", "--colours"),
    ):
        if not value:
            raise NotationError(f"expected {what}, got none - at {option}")
    gourds = tuple((first, second) for first, second in given.gourds or ())
    size = given.board.size
    if 2 * len(gourds) > size:
        raise NotationError(
            f"expected at most {size // 2} gourds on the {size} cells of {_short(given.board.name)}, "
            f"got {len(gourds)} - at --colours"
        )
    start = read_source(near) if near is not None else given.start
    return _Asked(given.board, tuple(given.cells or ()), gourds, _near(given.board, gourds, start))


def _near(board: Board, gourds: tuple[tuple[str, str], ...], start: Any) -> Configuration | None:
    from slidelab.puzzles import Configuration, Puzzle
    from slidelab.rules import RULES

    if start is None or isinstance(start, Configuration):
        return start
    puzzle = Puzzle(board, RULES["gourds"], board.size - 2 * len(gourds), gourds)
    return puzzle.configuration(start)


def _read_given(source: str) -> _Given:
    from slidelab.boards.sources import is_file_name
    from slidelab.files import decode_json, read_text
    from slidelab.rules import RULES

    if is_file_name(source):
        source = read_text(Path(source))
    if source.lstrip().startswith("{"):
        value = decode_json(source)
        if isinstance(value, Mapping) and "kind" not in value:
            return _from_json(value)
    if ":" in source.partition("{")[0] or any(token in RULES for token in source.split()):
        return _from_position(source)
    return _Given(read_board(source))


def _from_position(source: str) -> _Given:
    from slidelab.puzzles import read_document

    document = read_document(source, files=False)
    asked = document.puzzle
    _check_rule(asked)
    return _Given(asked.board, None, _labels(asked), document.start if asked.colours else None)


def _from_json(value: Mapping[str, Any]) -> _Given:
    """A puzzle with the colours of its cells, and perhaps a start."""
    from slidelab.files import convert_json
    from slidelab.puzzles import puzzle

    rest = {key: entry for key, entry in value.items() if key not in ("cells", "start", "goal")}
    rest = {"rule": "gourds", **rest} if "board" in rest else rest
    # Without colours first: a wrong rule is the reason why their number is wrong.
    _check_rule(puzzle({key: entry for key, entry in rest.items() if key != "colours"}))
    asked = puzzle(rest)
    cells = None if "cells" not in value else convert_json(value["cells"], list[str], "$.cells")
    return _Given(asked.board, cells, _labels(asked), value.get("start") if asked.colours else None)


def _labels(puzzle: Puzzle) -> list[list[str]] | None:
    return None if puzzle.colours is None else [list(labels) for labels in puzzle.colours]


def _check_rule(puzzle: Puzzle) -> None:
    if puzzle.rule.corner is None:
        raise NotationError(f"expected gourds, got {puzzle.rule.name} - on {_short(puzzle.board.name)}")


def _gourd(token: str) -> list[str]:
    """The colours of both ends; a single one is on both."""
    ends = token.split("-")
    if len(ends) > 2 or not all(ends):
        raise NotationError(f"expected two colours such as red-blue, got {_short(token)} - at --colours")
    return ends * 2 if len(ends) == 1 else ends


def _short(text: str) -> str:
    from slidelab.messages import quoted

    return quoted(text)
