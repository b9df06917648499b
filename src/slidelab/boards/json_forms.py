"""Boards in JSON: as an object, as an edge list, as text, or inside a puzzle or a solution.

{"kind": "hex", "cells": [[q, r], ...]}     also "square" and "king", with [x, y]
{"kind": "graph", "vertices": 7, "edges": [[0, 1], ...], "positions": [[x, y], ...], "labels": ["a", ...]}

The "name" of a family, if given, must be that of the same board. "facts" are what `slidelab boards` adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from slidelab.boards import graphs
from slidelab.boards.limits import MAX_COORDINATE
from slidelab.boards.model import Board
from slidelab.boards.text import lattice_board, parse_board_tokens, parse_text
from slidelab.errors import NotationError, TooLarge
from slidelab.files import convert_json
from slidelab.messages import quoted

__all__ = ["board_from_json"]

MAX_JSON_DEPTH = 3
"""How many objects are opened to find a board: that of a solution, its puzzle and the board."""

Coordinate = Annotated[int, msgspec.Meta(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
Vertex = Annotated[int, msgspec.Meta(ge=0, le=MAX_COORDINATE)]


class _Named(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    name: str | None = None
    facts: dict[str, Any] | None = None


class _Hex(_Named, tag_field="kind", tag="hex", kw_only=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _Square(_Named, tag_field="kind", tag="square", kw_only=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _King(_Named, tag_field="kind", tag="king", kw_only=True):
    cells: list[tuple[Coordinate, Coordinate]]


class _Graph(_Named, tag_field="kind", tag="graph", kw_only=True):
    vertices: Vertex
    edges: list[tuple[Vertex, Vertex]]
    positions: list[tuple[float, float]] | None = None
    labels: list[str] | None = None


def board_from_json(value: Any, path: str = "$") -> Board:
    """Return the board of a decoded JSON value, which may be a puzzle or a solution around a board.

    >>> board_from_json({"puzzle": {"board": "hex F(2)", "rule": "gourds"}})
    board('hex F(2)')
    """
    for _ in range(MAX_JSON_DEPTH):
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
        if path.endswith("puzzle"):  # the text of a puzzle continues after its board
            return parse_board_tokens(value.split(":")[0].split(), value)[0]
        return parse_text(value)
    if isinstance(value, list):
        return graphs.from_edges(convert_json(value, list[tuple[Vertex, Vertex]], path))
    form = convert_json(value, _Hex | _Square | _King | _Graph, path)
    try:
        return _from_form(form)
    except TooLarge:
        raise
    except NotationError as error:
        raise NotationError(f"{error}, `{path}`") from None


def _from_form(form: _Hex | _Square | _King | _Graph) -> Board:
    if isinstance(form, _Graph):
        found = graphs.from_edges(form.edges, form.vertices, form.positions, form.labels or ())
    else:
        found = lattice_board(str(type(form).__struct_config__.tag), form.cells)
    if form.name is not None and form.name != found.name and parse_text(form.name) != found:
        raise NotationError(f"expected the name of the same board, got {quoted(form.name)} - at `$.name`")
    return found
