"""The text and JSON of a puzzle's kind and of its pieces, in both directions.

One line stands for a position: ``hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 10 . .`` is board, rule,
holes, colon, pieces. Tiles are tokens in reading order with ``.`` for a hole (``/`` and line breaks
between rows are allowed); gourds and trimers are their cells, head first: ``4-5 0-1``. Words instead
of numbers are colours, and may repeat: ``a a b .``; gourds have the colours of their ends after an
equals sign: ``4-5=red-blue``. A puzzle may give these without cells: ``=red-blue``. A move is
``3:2>5``, or ``1:4-5>5-6``. `tokens` reads other ways to write pieces.

Functions here return cells, never objects of the modules that use them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import msgspec

from slidelab.boards import Board, parse_board_tokens
from slidelab.boards.limits import MAX_COORDINATE
from slidelab.boards.text import suggest_board
from slidelab.errors import NotationError, UnknownWord
from slidelab.files import convert_json, decode_json, decode_utf8, read_text
from slidelab.messages import counted, nearest, quoted
from slidelab.puzzles.drawings import drawn_pieces, is_drawn, without_cell_numbers
from slidelab.puzzles.labels import expand_labels, is_number, least_reading, piece_labels
from slidelab.puzzles.tokens import flat_rows, mark_holes
from slidelab.rules import RULES, Cells, Rule

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration
    from slidelab.puzzles.definition import Puzzle

__all__ = [
    "Number",
    "configuration_json",
    "expected_labels",
    "json_key",
    "kind_text",
    "load_source",
    "names_pieces_file",
    "parse_cells",
    "parse_kind",
    "pieces_from_json",
    "pieces_text",
    "read_pieces",
]

T = TypeVar("T")

Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_COORDINATE)]
"""A piece or a cell in JSON."""

_FILE = re.compile(r"[^/]\.[A-Za-z]\w*$")  # start.json, but not the row 1/./a
_PIECE = re.compile(r"([0-9]{1,9}(?:-[0-9]{1,9})*)(?:=(\w+(?:-\w+)*))?")


def kind_text(p: Puzzle) -> str:
    """Return board, rule and number of holes in one line."""
    return f"{p.board.name} {p.rule.name} {p.hole_count}"


def parse_kind(left: str, text: str) -> tuple[Board, str | None, int | None]:
    """Read board, rule and holes, None for each of the last two that is left out."""
    tokens = left.split()
    board, used = parse_board_tokens(tokens, text, RULES)
    rule, holes, expected = None, None, f"a rule ({', '.join(RULES)}), a number of holes or a colon"
    if used < len(tokens) and tokens[used].lower() in RULES:
        rule, used, expected = tokens[used].lower(), used + 1, "a number of holes or a colon"
    if used < len(tokens) and is_number(tokens[used]):
        holes, used, expected = int(tokens[used]), used + 1, "a colon and the pieces"
    if used < len(tokens):
        may_be_rule = rule is None and holes is None
        raise UnknownWord(
            f"expected {expected}, got {quoted(tokens[used])} - at token {used + 1} of {quoted(text)}",
            used,
            tuple(nearest(tokens[used], RULES)) if may_be_rule else (),
        )
    return board, rule, holes


def load_source(source: Any, is_name: Callable[[str], bool] | None, expected: str | None = None) -> Any:
    """Return what a file, bytes or a JSON text contain, and anything else as it is.

    `is_name` decides whether a text is the name of a file; nothing inside a file is. `expected` is what else
    the text may be, by default a board.
    """
    if isinstance(source, os.PathLike) or (is_name and isinstance(source, str) and is_name(source)):
        path = Path(source)
        source = read_text(path, expected) if expected else read_text(path, suggest=suggest_board)
    if isinstance(source, bytes | bytearray):
        source = decode_utf8(bytes(source), "bytes")
    if isinstance(source, str) and source.lstrip().startswith(("{", '"')):
        source = decode_json(source)
    return source


# Pieces to text


def pieces_text(configuration: Configuration) -> str:
    """Return the pieces as they stand behind the colon."""
    return " ".join(_tokens(configuration))


def configuration_json(configuration: Configuration) -> dict[str, Any]:
    """Return the JSON form of a configuration, without its puzzle."""
    p = configuration.puzzle
    if p.rule.cells > 1:
        return {json_key(p.rule): [list(cells) for cells in configuration.pieces]}
    row: list[int | str] = [0] * p.board.size
    for (cell,), label in zip(configuration.pieces, piece_labels(p), strict=True):
        row[cell] = int(label) if p.colours is None else label
    return {json_key(p.rule): row}


def _tokens(c: Configuration) -> list[str]:
    p = c.puzzle
    if p.rule.cells == 1:
        return [str(entry) if entry else "." for entry in configuration_json(c)[json_key(p.rule)]]
    texts = ["-".join(map(str, cells)) for cells in c.pieces]
    if p.colours is None:
        return texts
    return [f"{text}={'-'.join(labels)}" for text, labels in zip(texts, p.colours, strict=True)]


# Text to pieces


def parse_cells(text: str) -> Cells:
    """Read the cells of a piece such as ``4-5``."""
    return tuple(int(part) for part in text.split("-"))


def read_pieces(p: Puzzle, tokens: Sequence[str]) -> tuple[Cells, ...]:
    """Read the cells of each piece from the tokens behind the colon, or from a drawing."""
    tokens = without_cell_numbers(tokens)
    if p.rule.cells > 1 and is_drawn(p, tokens):
        return drawn_pieces(p, tokens)
    if p.rule.cells == 1:
        marked = mark_holes(tokens, p.hole_count)
        return _read_tiles(p, [None if token in (".", "0") else token for token in marked])
    return _read_cells(p, tokens)


def _read_tiles(p: Puzzle, labels: Sequence[str | None]) -> tuple[Cells, ...]:
    """Read tiles from one label a cell, None for a hole."""
    size, name, where = p.board.size, p.rule.piece, quoted(p.board.name)
    if len(labels) != size:
        given = quoted(" ".join(label or "." for label in labels[:99]))
        raise NotationError(f"expected {size} entries, one a cell, got {len(labels)} in {given} - on {where}")
    tiles = sum(label is not None for label in labels)
    if tiles != p.piece_count:
        raise NotationError(
            f"expected {p.piece_count} {name}s and {counted(p.hole_count, 'hole')}, "
            f"got {tiles} and {size - tiles} - on {where} (a hole is a dot; say other numbers of holes)"
        )
    free = _numbers_of_labels(piece_labels(p))
    pieces: list[Cells] = [()] * p.piece_count
    for cell, label in enumerate(labels):
        if label is None:
            continue
        label = str(int(label)) if is_number(label) else label
        if not free.get(label):
            again = " again" if label in free else ""
            raise NotationError(
                f"expected {expected_labels(p)}, got {quoted(label)}{again} - at cell {cell} of {where}"
            )
        pieces[free[label].pop()] = (cell,)
    return tuple(pieces)


def expected_labels(p: Puzzle) -> str:
    """Return the labels of all pieces, for messages."""
    if p.colours is None:
        return f"{p.rule.piece}s 1 to {p.piece_count} once each"
    return f"the colours {quoted(' '.join(piece_labels(p)))}"


def _read_cells(p: Puzzle, tokens: Sequence[str]) -> tuple[Cells, ...]:
    name = p.rule.piece
    if len(tokens) != p.piece_count:
        given = quoted(" ".join(tokens[:99]))
        raise NotationError(
            f"expected {p.piece_count} {name}s, got {len(tokens)} in {given} - on {quoted(p.board.name)}"
        )
    free = _numbers_of_labels(p.colours or ())
    coloured = ["=" in token for token in tokens]
    if any(coloured) and not all(coloured):
        k = coloured.index(False)
        raise NotationError(
            f"expected colours at every {name} or at none, got {quoted(tokens[k])} - at {name} {k + 1}"
        )
    pieces: list[Cells] = [()] * p.piece_count
    for k, token in enumerate(tokens):
        where = f"at {name} {k + 1} of {quoted(p.board.name)}"
        match = _PIECE.fullmatch(token)
        cells = _proper(p, parse_cells(match[1])) if match else ()
        if not match or len(cells) != p.rule.cells:
            example = "-".join(str(cell) for cell in range(4, 4 + p.rule.cells))
            raise NotationError(
                f"expected cells of a {name} such as {example}, got {quoted(token)} - {where}"
            )
        if not match[2]:
            pieces[k] = cells
            continue
        labels = expand_labels(p.rule, match[2].split("-"))
        least = least_reading(p.rule, labels)
        if not free.get(least):
            expected = expected_labels(p) if p.colours else f"{name}s without colours"
            raise NotationError(f"expected {expected}, got {quoted(token)} - {where}")
        turn = p.rule.readings(labels).index(least)
        pieces[free[least].pop()] = p.rule.readings(cells)[turn]
    return tuple(pieces)


def _numbers_of_labels(labels: Sequence[T]) -> dict[T, list[int]]:
    """Return the pieces with each label, counted from 0."""
    out: dict[T, list[int]] = {}
    for k, label in enumerate(labels):
        out.setdefault(label, []).append(k)
    return out


def _proper(p: Puzzle, cells: Cells) -> Cells:
    """Return the one reading of a piece that cannot be turned over, also if the reverse is given."""
    if p.rule.turns > 1 or len(cells) != p.rule.cells or not all(0 <= cell < p.board.size for cell in cells):
        return cells
    other = cells[::-1]
    return other if not p.rule.fits(p.board, cells) and p.rule.fits(p.board, other) else cells


def pieces_from_json(p: Puzzle, source: Mapping[str, Any]) -> tuple[Cells, ...]:
    """Read the cells of each piece from the JSON form of a configuration."""
    key = json_key(p.rule)
    if set(source) - {"puzzle"} != {key}:
        keys = quoted(" ".join(map(str, source)))
        raise NotationError(f"expected an object with the key {key!r} only, got {keys} - at `$`")
    if p.rule.cells > 1:
        rows = convert_json(source[key], list[list[Number]], f"$.{key}")
        return tuple(_proper(p, tuple(row)) for row in rows)
    entries = convert_json(flat_rows(p.board, source[key]), list[Number | str], f"$.{key}")
    return read_pieces(p, [str(entry) for entry in entries])


def json_key(rule: Rule) -> str:
    """Return the key of the pieces in the JSON form of a configuration."""
    return rule.piece + "s"


def names_pieces_file(p: Puzzle, text: str) -> bool:
    """Return whether a text is the name of a file rather than pieces of the puzzle."""
    if len(text.split()) != 1 or text.lstrip().startswith(("{", "[", '"')):
        return False
    parts = text.replace("/", " ").split()
    if p.rule.cells > 1:
        pieces = all(_PIECE.fullmatch(part) for part in parts)
    else:
        pieces = len(parts) == p.board.size and all(part == "." or part.isalnum() for part in parts)
    if pieces and not text.startswith("/"):
        return False
    try:
        return Path(text).exists() or _FILE.search(text) is not None
    except (OSError, ValueError):  # too long a name, a null character
        return False
