"""Read puzzles and positions that strangers sent: no text names a file, and sizes are checked first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from slidelab.boards.graphs import from_edges
from slidelab.boards.limits import at_most_cells
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.files import decode_json
from slidelab.puzzles import Configuration, Document, Puzzle, read_document
from slidelab.studio.protocol import BoardTooLarge

__all__ = ["check_depth", "decode_raw", "place_vertices", "read_source", "read_start", "read_task"]

_OPENING, _CLOSING = b"[{", b"]}"


def check_depth(text: str | bytes, most: int) -> None:
    """Raise `NotationError` if JSON has lists and objects nested deeper than `most`.

    It is called before anything is decoded. Brackets in strings do not count.

    >>> check_depth('[["[[["]]', 2)
    >>> check_depth("[[[]]]", 2)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected at most 2 nested lists and objects, got more
    """
    depth, in_string, escaped = 0, False, False
    for byte in text.encode("utf-8", "replace") if isinstance(text, str) else text:
        if in_string:
            in_string = escaped or byte != 0x22
            escaped = byte == 0x5C and not escaped
        elif byte == 0x22:
            in_string = True
        elif byte in _OPENING:
            depth += 1
            if depth > most:
                raise NotationError(f"expected at most {most} nested lists and objects, got more")
        elif byte in _CLOSING:
            depth -= 1


def read_source(
    text: str | None, document: bytes | None, goal: str | None, *, cells: int, depth: int
) -> Document:
    """Read a puzzle, or a position with all that goes with it, from text or JSON.

    Parameters
    ----------
    text
        Whatever `slidelab.puzzle` and `slidelab.position` read but names of files.
    document
        JSON, if there is no text.
    goal
        Used instead of the goal that text or document may have.
    cells, depth
        Largest number of cells, and of nested lists and objects.

    Examples
    --------
    >>> read_source("15-puzzle", None, None, cells=100, depth=9).puzzle
    puzzle('square R(4,4) tiles 1')
    >>> read_source("/etc/passwd", None, None, cells=100, depth=9)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a board ..., got '/etc/passwd' - at token 1 of '/etc/passwd'
    """
    source: Any
    if text is not None:
        source = text
        if text.lstrip().startswith(("{", "[", '"')):
            check_depth(text, depth)
    elif document is not None and document != b"null":
        check_depth(document, depth)
        source = decode_json(document.decode("utf-8", "replace"))
        if not isinstance(source, Mapping | list | str):
            raise NotationError(
                f"expected a puzzle or position as JSON, got {type(source).__name__} - at `$.document`"
            )
    else:
        raise NotationError("expected a text or a document, got neither")
    try:
        with at_most_cells(cells):
            found = read_document(source, files=False)
    except TooLarge as error:
        raise BoardTooLarge(str(error)) from None
    _check_size(found.puzzle, cells)  # not every board is counted before it is built
    if goal is not None:
        check_depth(goal, depth)
        end = found.configuration(goal, files=False)
        found = replace(found, goal=end)
    return found


def place_vertices(
    configuration: Configuration, positions: Sequence[Sequence[float]] | None
) -> Configuration:
    """Return a configuration on a graph that is drawn with its vertices at these positions.

    Texts of graphs do not say where vertices are, so who drew a graph says it apart.

    >>> import slidelab as sl
    >>> drawn = place_vertices(sl.position("cycle(3) : 1 2 ."), [[0, 0], [4, 0], [0, 3]])
    >>> drawn.puzzle.board.positions[1]
    (4.0, 0.0)
    """
    puzzle = configuration.puzzle
    board = puzzle.board
    if positions is None:
        return configuration
    if board.kind != "graph":
        raise NotationError(f"expected positions for the vertices of a graph, got {board.name!r:.80}")
    placed = from_edges(board.edges, board.size, positions).positions
    return replace(configuration, puzzle=replace(puzzle, board=replace(board, positions=placed)))


def _check_size(puzzle: Puzzle, cells: int) -> None:
    if puzzle.board.size > cells:
        raise BoardTooLarge(f"expected a board of at most {cells:,} cells, got {puzzle.board.size:,}")


def read_task(
    position: str | None, puzzle: str | None, goal: str | None, *, cells: int, depth: int
) -> tuple[Configuration, Configuration]:
    """Return start and goal of a task: of a puzzle without a position, the goal is also the start.

    >>> start, goal = read_task("square R(2,2) : 1 . 2 3", None, None, cells=100, depth=9)
    >>> start.pieces_text, goal.pieces_text
    ('1 . 2 3', '1 2 3 .')
    """
    if position is None and puzzle is None:
        raise NotationError("expected a position or a puzzle, got neither")
    document = read_source(position if position is not None else puzzle, None, goal, cells=cells, depth=depth)
    if position is not None and puzzle is not None:
        other = read_source(puzzle, None, None, cells=cells, depth=depth).puzzle
        if other.uncoloured != document.puzzle.uncoloured:
            raise NotationError(
                f"expected a position of {other.text!r:.80}, got one of {document.puzzle.text!r:.80}"
            )
    return read_start(document)


def read_start(document: Document) -> tuple[Configuration, Configuration]:
    """Return the start and the goal of a document, by default the goal of its puzzle for each."""
    if document.cells is not None and document.goal is None:
        raise PuzzleError("expected a goal, got only the colours of its cells")
    goal = document.puzzle.goal if document.goal is None else document.goal
    return goal if document.start is None else document.start, goal


def decode_raw(raw: msgspec.Raw) -> bytes | None:
    """Return the bytes of a field that is not decoded, None if it is not there."""
    content = bytes(raw)
    return None if content in (b"", b"null") else content
