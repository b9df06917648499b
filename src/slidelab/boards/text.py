"""Boards as text, as JSON and as drawings: `board` reads them all.

One-line texts::

    hex P(3,4)   hex T(5)   hex F(3)   hex Ptr(3,4)   hex Ttr(5)   hex star   hex 0,0 1,0 0,1
    square R(4,4)   king R(3,4)   square 0,0 1,0 1,1
    theta(1,2,2)   cycle(7)   path(4)   complete(5)   graph 0-1 1-2 2-0 3

In a drawing every line is a row and ``#`` or ``o`` is a cell, ``.`` or a space is none. The first line may
say ``hex``, ``square`` or ``king``; without it the cells are squares. Hexagons stand two characters apart,
and rows that touch are shifted by one character::

    hex
     # #
    # # #
     # #

A drawing says nothing about where the origin is. A drawn board that is a translate of a family member gets
its coordinates (the drawing above is ``hex F(2)``); any other hexagonal board gets (0, 0) as its first cell
in reading order, any other board of squares starts at column 0 and row 0.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import msgspec

from slidelab.boards import graphs, hexagons, squares
from slidelab.boards.board import MAX_COORDINATE, Board, Cell, check_size
from slidelab.errors import NotationError, TooLarge
from slidelab.files import convert_json, decode_json, decode_utf8, read_text
from slidelab.messages import quoted

__all__ = [
    "BoardLike",
    "board",
    "is_file_name",
    "names_board",
    "parse_board",
    "parse_board_tokens",
]

BoardLike: TypeAlias = Any
"""Whatever `board` accepts: Board, text, JSON, edge list, networkx graph, path of a file."""

KINDS = ("hex", "square", "king")
MAX_DIGITS = len(str(MAX_COORDINATE))
MAX_DEPTH = 3  # a board in a puzzle in a solution

# For each kind of text: letter -> (function, signature for messages, allowed numbers of arguments).
Family = tuple[Callable[..., Board], str, tuple[int, ...]]
LATTICE_FAMILIES: dict[str, dict[str, Family]] = {
    "hex": {
        "P": (hexagons.parallelogram, "P(columns,rows)", (1, 2)),
        "T": (hexagons.triangle, "T(side)", (1,)),
        "F": (hexagons.flower, "F(side)", (1,)),
        "Ptr": (hexagons.trimmed_parallelogram, "Ptr(columns,rows)", (1, 2)),
        "Ttr": (hexagons.trimmed_triangle, "Ttr(side)", (1,)),
        "star": (hexagons.star, "star", (0,)),
    },
    "square": {"R": (squares.rectangle, "R(columns,rows)", (1, 2))},
    "king": {"R": (squares.king_rectangle, "R(columns,rows)", (1, 2))},
}
GRAPH_FAMILIES: dict[str, Family] = {
    "theta": (graphs.theta, "theta(a,b,c)", (3,)),
    "cycle": (graphs.cycle, "cycle(n)", (1,)),
    "path": (graphs.path, "path(n)", (1,)),
    "complete": (graphs.complete, "complete(n)", (1,)),
}
LEAST = {"theta": 0, "cycle": 3}
HOW_MANY = ("no number", "one number", "two numbers", "three numbers")
CALL = re.compile(r"([A-Za-z]+)\(([^()]*)\)")
WHOLE_NUMBER = re.compile("-?[0-9]+")
COORDINATES = re.compile(r"(-?[0-9]+),(-?[0-9]+)")
VERTEX_OR_EDGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")


def board(source: BoardLike, *, files: bool = True) -> Board:
    """Return the board that `source` describes.

    Parameters
    ----------
    source : Board, str, bytes, dict, list of pairs, networkx graph, or path
        A board; a one-line text; a drawing; JSON (of a board, an edge list, or of a puzzle or solution,
        whose board is taken); an edge list; a networkx graph; or the name of a file with one of these texts.
    files : bool
        Whether a text may be the name of a file. Say False for text from strangers.

    Raises
    ------
    NotationError
        If it describes no board.
    TooLarge
        If the board would have more than 100,000 cells.

    Examples
    --------
    >>> board("hex P(3, 4)")
    board('hex P(3,4)')
    >>> board([(0, 1), (1, 2), (2, 0)])
    board('cycle(3)')
    >>> board({"kind": "square", "cells": [[0, 0], [1, 0]]})
    board('square R(2,1)')
    >>> board(" # \\n###")
    board('square 1,0 0,1 1,1 2,1')
    >>> board("hex T(3)x")
    Traceback (most recent call last):
    ...
    slidelab.errors.NotationError: expected one number in T(side), got 'T(3)x' - at token 2 of 'hex T(3)x'
    """
    if isinstance(source, Board):
        return source
    if isinstance(source, os.PathLike):
        return _from_file(Path(source))
    if isinstance(source, bytes | bytearray):
        return parse_board(decode_utf8(bytes(source), "bytes"))
    if isinstance(source, str):
        return _from_file(Path(source)) if files and is_file_name(source) else parse_board(source)
    if isinstance(source, Mapping):
        return _from_json(dict(source), "$")
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(source, networkx.Graph):
        return graphs.from_networkx(source)
    if isinstance(source, Iterable):
        return graphs.from_edges(source)
    raise NotationError(f"expected a board, a text, JSON, edges or a graph, got {type(source).__name__}")


def parse_board(text: str) -> Board:
    """Return the board that a one-line text, a JSON text or a drawing describes, without looking at files.

    >>> parse_board('{"kind": "graph", "vertices": 3, "edges": [[0, 1], [1, 2]]}')
    board('path(3)')
    """
    stripped = text.strip()
    if stripped.startswith(("{", "[", '"')):
        return _from_json_text(stripped)
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[0]:
        lines.pop(0)
    if not lines:
        raise NotationError("expected a board such as 'hex P(3,4)', got an empty text")
    if _is_drawing(lines):
        return _from_drawing(lines)
    tokens = stripped.split()
    result, used = parse_board_tokens(tokens, text)
    if used < len(tokens):
        raise _error("the end of the board", tokens, used, text)
    return result


def parse_board_tokens(tokens: Sequence[str], text: str) -> tuple[Board, int]:
    """Read a board from the front of `tokens`, and return it with the number of tokens it took.

    `tokens` are parts of `text` between blanks; `text` is only shown in errors. A list of coordinates ends
    at the first token without a comma, a list of edges at the first that is neither ``a-b`` nor a number.

    >>> parse_board_tokens("hex P(3, 4) hextiles 2".split(), "hex P(3, 4) hextiles 2")
    (board('hex P(3,4)'), 3)
    >>> parse_board_tokens("graph 0-1 1-2 tiles 1".split(), "graph 0-1 1-2 tiles 1")
    (board('path(3)'), 3)
    """
    if not tokens:
        raise NotationError(
            f"expected a board such as 'hex P(3,4)', got nothing - at token 1 of {quoted(text)}"
        )
    head = tokens[0]
    if head == "graph":
        return _graph_tokens(tokens, text)
    if head in KINDS:
        if len(tokens) > 1 and "," in tokens[1] and "(" not in tokens[1]:
            return _coordinate_tokens(tokens, text)
        return _family_tokens(tokens, 1, LATTICE_FAMILIES[head], text)
    if head.split("(")[0] in GRAPH_FAMILIES:
        return _family_tokens(tokens, 0, GRAPH_FAMILIES, text)
    raise _error("a board (hex, square, king, graph, theta, cycle, path or complete)", tokens, 0, text)


def _error(expected: str, tokens: Sequence[str], place: int, text: str) -> NotationError:
    got = quoted(tokens[place]) if place < len(tokens) else "nothing"
    return NotationError(f"expected {expected}, got {got} - at token {place + 1} of {quoted(text)}")


def _number(digits: str, tokens: Sequence[str], place: int, text: str) -> int:
    # Also keeps int() away from texts of thousands of digits, which it refuses with an error of its own.
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise _error(f"numbers of at most {MAX_DIGITS} digits", tokens, place, text)
    return int(digits)


def _family_tokens(
    tokens: Sequence[str], place: int, families: dict[str, Family], text: str
) -> tuple[Board, int]:
    letter = tokens[place].split("(")[0] if place < len(tokens) else ""
    if letter not in families:
        raise _error(" or ".join(signature for _, signature, _ in families.values()), tokens, place, text)
    maker, signature, counts = families[letter]
    if counts == (0,):
        if tokens[place] != letter:
            raise _error(signature, tokens, place, text)
        return maker(), place + 1
    call, end = _call(tokens, place)
    # From here on the call counts as one token, with its blanks.
    joined = [*tokens[:place], call]
    match = CALL.fullmatch(call)
    numbers = [part.strip() for part in match[2].split(",")] if match else []
    if len(numbers) not in counts or not all(WHOLE_NUMBER.fullmatch(number) for number in numbers):
        raise _error(f"{HOW_MANY[counts[-1]]} in {signature}", joined, place, text)
    values = [_number(number, joined, place, text) for number in numbers]
    least = LEAST.get(letter, 1)
    if min(values) < least:
        raise _error(f"numbers of at least {least} in {signature}", joined, place, text)
    return maker(*values), end


def _call(tokens: Sequence[str], place: int) -> tuple[str, int]:
    """Put ``P(3,4)`` together again where blanks split it; return it and the place after it."""
    call, end = tokens[place], place + 1
    if "(" not in call and end < len(tokens) and tokens[end].startswith("("):
        call, end = call + tokens[end], end + 1
    if "(" in call:
        while ")" not in call and end < len(tokens):
            call, end = f"{call} {tokens[end]}", end + 1
    return call, end


def _coordinate_tokens(tokens: Sequence[str], text: str) -> tuple[Board, int]:
    cells: dict[Cell, None] = {}
    for place in range(1, len(tokens)):
        if "," not in tokens[place]:
            break
        match = COORDINATES.fullmatch(tokens[place])
        if match is None:
            raise _error("coordinates such as 0,-1", tokens, place, text)
        cell = (_number(match[1], tokens, place, text), _number(match[2], tokens, place, text))
        if cell in cells:
            raise _error("different cells", tokens, place, text)
        cells[cell] = None
    return _lattice_board(tokens[0], cells), len(cells) + 1


def _lattice_board(kind: str, cells: Iterable[Cell]) -> Board:
    return hexagons.hex_board(cells) if kind == "hex" else squares.square_board(cells, king=kind == "king")


def _graph_tokens(tokens: Sequence[str], text: str) -> tuple[Board, int]:
    edges: list[tuple[int, int]] = []
    vertices: set[int] = set()
    place = 1
    while place < len(tokens) and (match := VERTEX_OR_EDGE.fullmatch(tokens[place])):
        ends = [_number(digits, tokens, place, text) for digits in match.groups() if digits is not None]
        vertices.update(ends)
        if len(ends) == 2:
            edges.append((ends[0], ends[1]))
        place += 1
    if place == 1:
        raise _error("an edge such as 0-1 or a vertex", tokens, 1, text)
    return graphs.from_edges(edges, vertices), place


# Drawings


def _is_drawing(lines: Sequence[str]) -> bool:
    if lines[0].strip() in KINDS:
        return len(lines) > 1
    return set(lines[0]) <= set("#o. ")


def _from_drawing(lines: Sequence[str]) -> Board:
    named = lines[0].strip() in KINDS
    kind = lines[0].strip() if named else "square"
    places: list[Cell] = []
    for row, line in enumerate(lines[1:] if named else lines):
        for column, character in enumerate(line):
            if character in "#o":
                places.append((column, row))
            elif character not in " .":
                where = f"line {row + 1 + named}, column {column + 1} of the drawing"
                raise NotationError(
                    f"expected '#' or 'o' (a cell), '.' or ' ' (none), got {character!r} - at {where}"
                )
        check_size(len(places), 0, "the drawing")
    if not places:
        raise NotationError("expected at least one cell '#', got none - at the drawing")
    cells = _drawn_hexagons(places, named) if kind == "hex" else _drawn_squares(places)
    return _lattice_board(kind, cells)


def _drawn_squares(places: Sequence[Cell]) -> list[Cell]:
    left, top = min(column for column, _ in places), places[0][1]
    return [(column - left, row - top) for column, row in places]


def _drawn_hexagons(places: Sequence[Cell], named: bool) -> Sequence[Cell]:
    first_column, first_row = places[0]
    cells = []
    for column, row in places:
        q, odd = divmod((column - first_column) - (row - first_row), 2)
        if odd:
            where = f"line {row + 1 + named}, column {column + 1} of the drawing"
            raise NotationError(
                f"expected hexagons two characters apart, rows shifted by one, got another - at {where}"
            )
        cells.append((q, row - first_row))
    return hexagons.family_translate(cells) or cells


# JSON


Coordinate = Annotated[int, msgspec.Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Vertex = Annotated[int, msgspec.Meta(ge=0, le=MAX_COORDINATE)]


class _Hex(msgspec.Struct, tag_field="kind", tag="hex", forbid_unknown_fields=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _Square(msgspec.Struct, tag_field="kind", tag="square", forbid_unknown_fields=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _King(msgspec.Struct, tag_field="kind", tag="king", forbid_unknown_fields=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _Graph(msgspec.Struct, tag_field="kind", tag="graph", forbid_unknown_fields=True):
    vertices: Vertex
    edges: list[tuple[Vertex, Vertex]]
    positions: list[tuple[float, float]] | None = None


def _from_json_text(text: str) -> Board:
    return _from_json(decode_json(text), "$")


def _from_json(value: Any, path: str) -> Board:
    """Return the board of a decoded JSON value, which may be a puzzle or a solution around a board."""
    for _ in range(MAX_DEPTH):
        if not isinstance(value, Mapping) or "kind" in value:
            break
        key = next((key for key in ("board", "puzzle") if key in value), None)
        if key is None:
            raise NotationError(
                f"expected an object with 'kind', 'board' or 'puzzle', got none of them - at `{path}`"
            )
        value, path = value[key], f"{path}.{key}"
    if isinstance(value, Board):
        return value
    if isinstance(value, str):
        return _from_json_string(value, path)
    if isinstance(value, list):
        return graphs.from_edges(convert_json(value, list[tuple[Vertex, Vertex]], path))
    form = convert_json(value, _Hex | _Square | _King | _Graph, path)
    return _from_form(form, path)


def _from_json_string(text: str, path: str) -> Board:
    """Return the board at the front of a text inside JSON; a puzzle as text goes on after its board."""
    if path.endswith("puzzle"):
        tokens = text.split(":")[0].split()
        return parse_board_tokens(tokens, text)[0]
    return parse_board(text)


def _from_form(form: _Hex | _Square | _King | _Graph, path: str) -> Board:
    try:
        if isinstance(form, _Graph):
            return graphs.from_edges(form.edges, form.vertices, form.positions)
        kind = type(form).__name__[1:].lower()
        return _lattice_board(kind, form.cells)
    except TooLarge:
        raise
    except NotationError as error:
        raise NotationError(f"{error}, `{path}`") from None


# Files


def names_board(text: str) -> bool:
    """Whether the first word of a text is the start of a one-line board.

    >>> names_board("theta(1,2,2) tiles 1"), names_board("theta.json")
    (True, False)
    """
    words = text.split(maxsplit=1)
    return bool(words) and words[0].split("(")[0] in (*KINDS, "graph", *GRAPH_FAMILIES)


def is_file_name(text: str) -> bool:
    """Whether a text that starts like no board is the name of an existing file, or can be nothing else."""
    if not text.strip() or "\n" in text or text.strip().startswith(("{", "[", '"')):
        return False
    if names_board(text) or _is_drawing([text]):
        return False
    try:
        return Path(text).exists() or len(text.split()) == 1
    except (OSError, ValueError):  # too long a name, a null character
        return False


def _from_file(path: Path) -> Board:
    text = read_text(path)
    try:
        return parse_board(text)
    except TooLarge as error:
        raise TooLarge(f"{error}, file {quoted(str(path), 120)}") from None
    except NotationError as error:
        raise NotationError(f"{error}, file {quoted(str(path), 120)}") from None
