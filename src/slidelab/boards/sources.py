"""Read a board from whatever describes it: text, JSON, edges, a networkx graph, a file."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, Union, cast

from slidelab.boards import graphs
from slidelab.boards.ascii import is_drawing
from slidelab.boards.json_forms import board_from_json
from slidelab.boards.model import Board
from slidelab.boards.text import is_board_text, is_canonical_start, parse_text, suggest_board
from slidelab.errors import NotationError, TooLarge
from slidelab.files import decode_json, decode_utf8, read_text
from slidelab.messages import quoted

if TYPE_CHECKING:
    import networkx as nx

__all__ = ["BoardLike", "board", "is_file_name", "parse_board"]

BoardLike: TypeAlias = Union[
    Board, str, bytes, os.PathLike[str], Mapping[str, Any], Iterable[Sequence[int]], "nx.Graph[Any]"
]
"""Whatever `board` accepts: a board, text, JSON, an edge list, a networkx graph, the path of a file."""


def board(source: BoardLike, *, files: bool = True) -> Board:
    r"""Return the board that `source` describes.

    Parameters
    ----------
    source
        A board; a one-line text; a drawing; JSON (of a board, an edge list, or of a puzzle or solution,
        whose board is taken); an edge list; a networkx graph; or the name of a file with one of these texts.
    files
        Whether a text may be the name of a file. Pass False for text from untrusted users.

    Raises
    ------
    NotationError
        If it does not describe a board.
    TooLarge
        If the board would have more than 100,000 cells.

    Examples
    --------
    >>> board("hex P(3, 4)"), board("15-puzzle"), board("3x4")
    (board('hex P(3,4)'), board('square R(4,4)'), board('square R(4,3)'))
    >>> board([(0, 1), (1, 2), (2, 0)])
    board('cycle(3)')
    >>> board({"kind": "square", "cells": [[0, 0], [1, 0]]})
    board('square R(2,1)')
    >>> board(" # \n###")
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
        return board_from_json(dict(source))
    if _is_networkx_graph(source):
        return graphs.from_networkx(source)
    if isinstance(source, Iterable):
        return graphs.from_edges(cast("Iterable[Sequence[int]]", source))
    raise NotationError(f"expected a board, a text, JSON, edges or a graph, got {type(source).__name__}")


def parse_board(text: str) -> Board:
    """Return the board that a one-line text, a JSON text or a drawing describes, without looking at files.

    Parameters
    ----------
    text
        As for `board`.

    Examples
    --------
    >>> parse_board('{"kind": "graph", "vertices": 3, "edges": [[0, 1], [1, 2]]}')
    board('path(3)')
    """
    stripped = text.strip()
    is_json = stripped.startswith(("{", "[", '"'))
    return board_from_json(decode_json(stripped)) if is_json else parse_text(text)


def is_file_name(text: str) -> bool:
    """Return whether a text that does not start like a board is an existing file, or can be nothing else.

    Everyday names of boards such as ``4x4`` are boards unless there is such a file.
    """
    if not text.strip() or "\n" in text or text.strip().startswith(("{", "[", '"')):
        return False
    if is_canonical_start(text) or is_drawing([text]):
        return False
    try:
        return Path(text).exists() or (len(text.split()) == 1 and not is_board_text(text))
    except (OSError, ValueError):  # too long a name, a null character
        return False


def _is_networkx_graph(source: object) -> TypeGuard[nx.Graph[Any]]:
    networkx = sys.modules.get("networkx")  # not imported here: a graph exists only if somebody has
    return networkx is not None and isinstance(source, networkx.Graph)


def _from_file(path: Path) -> Board:
    text = read_text(path, suggest=suggest_board)
    try:
        return parse_board(text)
    except (TooLarge, NotationError) as error:
        raise type(error)(f"{error}, file {quoted(str(path), 120)}") from None
