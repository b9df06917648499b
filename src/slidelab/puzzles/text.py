"""Puzzles, positions and moves as text and as JSON, in both directions.

One line stands for a position: ``hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 10 . .`` is board, rule,
holes, colon, pieces. Tiles are tokens in reading order with ``.`` for a hole (``/`` and line breaks
between rows are welcome); gourds and trimers are their cells, head first: ``4-5 0-1``. Words instead
of numbers are colours, and may repeat: ``a a b .``; gourds show the colours of their ends after an
equals sign: ``4-5=red-blue``. A puzzle may give these without cells: ``=red-blue``. A move is
``3:2>5``, or ``1:4-5>5-6``.
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from slidelab.boards import Board, BoardLike, board, parse_board_tokens
from slidelab.boards.board import MAX_COORDINATE, lay_out
from slidelab.boards.text import KINDS, is_file_name, names_board
from slidelab.errors import NotationError
from slidelab.files import convert_json, decode_json, decode_utf8, read_text
from slidelab.messages import quoted
from slidelab.puzzles.puzzle import (
    Configuration,
    Move,
    Puzzle,
    default_holes,
    default_rule,
    is_number,
    is_word,
    least_reading,
)
from slidelab.puzzles.solution import MoveList, Solution
from slidelab.rules import RULES, Cells, Rule

__all__ = [
    "ConfigurationLike",
    "PuzzleLike",
    "configuration_json",
    "configuration_text",
    "drawing",
    "given_positions",
    "given_solution",
    "position",
    "puzzle",
    "read_configuration",
    "read_move",
]

PuzzleLike = Puzzle | BoardLike
ConfigurationLike = Configuration | str | bytes | os.PathLike[str] | Mapping[str, Any] | Sequence[Any]

T = TypeVar("T")

_KEYS = ("puzzle", "start", "goal", "cells", "moves")

_FILE = re.compile(r"[^/]\.[A-Za-z]\w*$")  # start.json, but not the row 1/./a
_KIND = re.compile(r"[a-z][a-z -]{0,30}")
_MOVE = re.compile(r"\s*([0-9]{1,9}):([0-9]{1,9}(?:-[0-9]{1,9})*)>([0-9]{1,9}(?:-[0-9]{1,9})*)\s*")
_PIECE = re.compile(r"([0-9]{1,9}(?:-[0-9]{1,9})*)(?:=(\w+(?:-\w+)*))?")


def puzzle(
    source: PuzzleLike,
    rule: str | Rule | None = None,
    holes: int | None = None,
    colours: Sequence[str | Sequence[str]] | None = None,
    *,
    files: bool = True,
) -> Puzzle:
    """The puzzle that `source` describes: a text, JSON, a board of any form, or a file with one.

    What `source` leaves open is taken from the other arguments, and then from the defaults:
    hexagonal tiles with two holes on hexagonal boards, tiles with one hole on all others. Say
    ``files=False`` for text from strangers, which must not open files.

    >>> puzzle("hex P(3,4)")
    puzzle('hex P(3,4) hextiles 2')
    >>> puzzle("hex F(2)", "gourds")
    puzzle('hex F(2) gourds 1')
    >>> puzzle("square R(2,2)", colours=["a", "a", "b"])
    puzzle('square R(2,2) tiles 1 : a a b .')
    """
    source = _loaded(source, is_file_name if files else None)
    if isinstance(source, Puzzle):
        if rule is None and holes is None and colours is None:
            return source
        if rule is None:
            rule, holes = source.rule, source.holes if holes is None else holes
        return _made(source.board, rule, holes, colours)
    if isinstance(source, Mapping) and ("board" in source or "puzzle" in source):
        return _from_json(source, rule, holes, colours)
    if not isinstance(source, str) or not _is_line(source):
        return _made(board(source, files=False), rule, holes, colours)
    left, _, right = source.partition(":")
    on, found_rule, found_holes = _parse_kind(left, source)
    made = _made(on, rule or found_rule, holes if holes is not None else found_holes, colours)
    tokens = _split(right)
    if not tokens or colours is not None:
        return made
    if made.rule.cells > 1 and all(token.startswith("=") for token in tokens):
        return _made(on, made.rule, made.holes, [token[1:].split("-") for token in tokens])
    return _tokens_to_position(made, tokens).puzzle


def position(
    source: Configuration | str | bytes | os.PathLike[str] | Mapping[str, Any], *, files: bool = True
) -> Configuration:
    """The configuration that a whole line (or its JSON, or a file) describes, with its puzzle.

    >>> position("square R(2,2) : 1 2 . 3").holes
    (2,)
    >>> position("square R(2,2) : a b . b").puzzle
    puzzle('square R(2,2) tiles 1 : a b b .')
    """
    source = _loaded(source, is_file_name if files else None)
    if isinstance(source, Configuration):
        return source
    if isinstance(source, Mapping):
        if "puzzle" not in source or "start" not in source:
            keys = quoted(" ".join(map(str, source)))
            raise NotationError(f"expected an object with 'puzzle' and 'start', got {keys} - at `$`")
        return read_listed(_from_json(source, None, None, None), source["start"], _given_colours(source))
    if not isinstance(source, str):
        raise NotationError(f"expected a position as text or JSON, got {type(source).__name__}")
    left, colon, right = source.partition(":")
    if not colon:
        raise NotationError(f"expected a colon between the board and its pieces, got {quoted(source)}")
    return _tokens_to_position(_made(*_parse_kind(left, source), None), _split(right))


def read_configuration(puzzle_: Puzzle, source: ConfigurationLike, *, files: bool = True) -> Configuration:
    """A configuration of a known puzzle: its pieces as text, a whole line, JSON, a list, or a file."""
    wanted = f"the pieces of {quoted(_kind(puzzle_))}"
    source = _loaded(source, (lambda text: _is_start_file(puzzle_, text)) if files else None, wanted)
    if isinstance(source, Configuration):
        return _same_puzzle(puzzle_, source)
    if isinstance(source, str) and source.lstrip().startswith("["):
        source = decode_json(source)
    if isinstance(source, Mapping):
        return _configuration_from_json(puzzle_, source)
    if isinstance(source, str):
        if ":" in source:
            return _same_puzzle(puzzle_, position(source, files=False))
        return _tokens_to_configuration(puzzle_, _split(source))
    if isinstance(source, Sequence):
        return _configuration_from_json(puzzle_, {_json_key(puzzle_.rule): list(source)})
    raise NotationError(f"expected a configuration as text, JSON or a list, got {type(source).__name__}")


def read_listed(
    puzzle_: Puzzle, source: ConfigurationLike, colours: Sequence[Any] | None, *, files: bool = False
) -> Configuration:
    """The same where the colours of pieces of several cells were listed before, in an order of their own.

    >>> pairs = [["red", "red"], ["red", "blue"], ["blue", "blue"]]
    >>> read_listed(puzzle("hex F(2)", "gourds", colours=pairs), "0-1 2-3 4-6", pairs).pieces_text
    '4-6=blue-blue 3-2=blue-red 0-1=red-red'
    """
    named = isinstance(source, Configuration) or (isinstance(source, str) and "=" in source)
    if colours is None or puzzle_.colours is None or puzzle_.rule.cells == 1 or named:
        return read_configuration(puzzle_, source, files=files)
    listed = [_labels_of_one(puzzle_.rule, entry) for entry in colours]
    pieces = read_configuration(puzzle_.uncoloured, source, files=files).pieces
    if len(listed) != len(pieces):
        return read_configuration(puzzle_, source, files=files)
    texts = [
        f"{'-'.join(map(str, cells))}={'-'.join(labels)}"
        for cells, labels in zip(pieces, listed, strict=True)
    ]
    return _tokens_to_configuration(puzzle_, texts)


def _check_keys(source: Mapping[str, Any]) -> None:
    """Other keys may stand there, but not one that is most likely misspelt."""
    for key in map(str, source):
        if key not in _KEYS and (meant := get_close_matches(key, _KEYS, 1, 0.75)):
            raise NotationError(f"expected a key such as {meant[0]!r}, got {quoted(key)} - at `$`")


def _given_colours(source: Mapping[str, Any]) -> Sequence[Any] | None:
    """As a puzzle in JSON lists them."""
    inner = source.get("puzzle")
    found = inner.get("colours") if isinstance(inner, Mapping) else None
    return found if isinstance(found, list) else None


def given_positions(puzzle_: Puzzle, source: Any) -> tuple[Configuration | None, Configuration | None]:
    """Start and goal, where the text or file that named the puzzle also says them.

    >>> given_positions(puzzle("square R(2,2)"), "square R(2,2) : 1 2 . 3")
    (position('square R(2,2) tiles 1 : 1 2 . 3'), None)
    """
    source = _loaded(source, is_file_name)
    if isinstance(source, Mapping):
        _check_keys(source)
        first, last = source.get("start"), source.get("goal")
        listed = _given_colours(source)
        return (
            None if first is None else read_listed(puzzle_, first, listed),
            None if last is None else read_listed(puzzle_, last, listed),
        )
    if isinstance(source, str) and _is_line(source):
        tokens = _split(source.partition(":")[2])
        if tokens and not all(token.startswith("=") for token in tokens):
            return _tokens_to_configuration(puzzle_, tokens), None
    return None, None


def given_cells(source: Any) -> tuple[str, ...] | None:
    """The colours that the cells of the goal have, where the file that named the puzzle says them.

    >>> given_cells({"puzzle": "hex T(2) gourds : =a-b", "cells": ["a", "b", "."]})
    ('a', 'b', '.')
    """
    source = _loaded(source, is_file_name)
    if not isinstance(source, Mapping) or "puzzle" not in source or "cells" not in source:
        return None
    return tuple(convert_json(source["cells"], list[str], "$.cells"))


def given_solution(puzzle_: Puzzle, source: Any) -> Solution | None:
    """The solution, where the text or file that named the puzzle also says its moves.

    >>> given = {"puzzle": "square R(2,2)", "start": "3 1 . 2", "moves": ["3:0>2", "1:1>0", "2:3>1"]}
    >>> given_solution(puzzle("square R(2,2)"), given)
    <solution in 3 moves: 3:0>2 1:1>0 2:3>1>
    """
    source = _loaded(source, is_file_name)
    if not isinstance(source, Mapping) or "moves" not in source:
        return None
    start, goal = given_positions(puzzle_, source)
    if start is None:
        raise NotationError("expected a start for the moves, got none - at `$.start`")
    rows = convert_json(source["moves"], list[Any], "$.moves")
    moves = MoveList.of([read_move(row) for row in rows])
    optimal, method = source.get("optimal"), source.get("method")
    return Solution(
        start,
        moves.end(start) if goal is None else goal,
        moves,
        optimal=optimal is True,
        method=method if isinstance(method, str) else "",
    )


def read_move(source: Move | str | Mapping[str, Any]) -> Move:
    """A move from its text or JSON.

    >>> read_move("3:2>5")
    Move(piece=3, before=(2,), after=(5,), kind='slide')
    >>> read_move({"piece": 3, "from": [2], "to": [5]}).text
    '3:2>5'
    """
    source = _loaded(source, None)
    if isinstance(source, Move):
        return source
    if not isinstance(source, str):
        form = convert_json(source, _MoveForm)
        return _move(form.piece, tuple(form.from_), tuple(form.to), form.kind)
    match = _MOVE.fullmatch(source)
    if not match:
        raise NotationError(f"expected a move such as 3:2>5 or 1:4-5>5-6, got {quoted(source)}")
    piece, before, after = match.groups()
    return _move(int(piece), _numbers(before), _numbers(after), "slide")


def configuration_text(configuration: Configuration) -> str:
    """The whole position in one line."""
    return f"{_kind(configuration.puzzle)} : {pieces_text(configuration)}"


def pieces_text(configuration: Configuration) -> str:
    """What stands behind the colon: the pieces alone."""
    return " ".join(_tokens(configuration))


def configuration_json(configuration: Configuration) -> dict[str, Any]:
    """The design's JSON form of a configuration."""
    p = configuration.puzzle
    if p.rule.cells > 1:
        return {_json_key(p.rule): [list(cells) for cells in configuration.pieces]}
    row: list[int | str] = [0] * p.board.size
    for (cell,), label in zip(configuration.pieces, _labels(p), strict=True):
        row[cell] = int(label) if p.colours is None else label
    return {"tiles": row}


def drawing(configuration: Configuration) -> str:
    """A small text drawing: the pieces where they lie (a piece of several cells shows its head with ``*``).

    >>> print(drawing(position("hex T(3) : 1 2 3 4 . .")))
      1
     2 3
    4 . .
    """
    p = configuration.puzzle
    show = ["."] * p.board.size
    for number, (cells, label) in enumerate(zip(configuration.pieces, _labels(p), strict=True), 1):
        for i, cell in enumerate(cells):
            show[cell] = label if p.rule.cells == 1 else f"{number}{'*'[: i == 0]}"
    return lay_out(p.board, show)


# Text to puzzle


def _loaded(
    source: Any, is_name: Callable[[str], bool] | None, wanted: str = "a board such as 'hex P(3,4)'"
) -> Any:
    """What a file, bytes or a JSON text contain; anything else as it is. Nothing inside is a file name."""
    if isinstance(source, os.PathLike) or (is_name and isinstance(source, str) and is_name(source)):
        source = read_text(Path(source), wanted)
    if isinstance(source, bytes | bytearray):
        source = decode_utf8(bytes(source), "bytes")
    if isinstance(source, str) and source.lstrip().startswith(("{", '"')):
        source = decode_json(source)
    return source


def _made(on: Board, rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None) -> Puzzle:
    rule = default_rule(on) if rule is None else rule
    if not isinstance(rule, str) and not hasattr(rule, "placements"):
        raise NotationError(f"expected a rule ({', '.join(RULES)}), got {type(rule).__name__}")
    if isinstance(rule, str) and rule not in RULES:
        raise NotationError(
            f"expected a rule ({', '.join(RULES)}), got {quoted(rule)} - on {quoted(on.name)}"
        )
    chosen = RULES[rule] if isinstance(rule, str) else rule
    count = default_holes(on, chosen) if holes is None else holes
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        raise NotationError(f"expected a whole number of holes, got {type(count).__name__}")
    count = operator.index(count)
    if colours is None:
        return Puzzle(on, chosen, count)
    entries = convert_json(colours, _ColoursForm, "$.colours")
    return Puzzle(on, chosen, count, tuple(_labels_of_one(chosen, entry) for entry in entries))


def _labels_of_one(rule: Rule, entry: str | int | Sequence[str | int]) -> tuple[str, ...]:
    """The labels of one piece; a single one is on all its ends."""
    labels = [str(label) for label in ([entry] if isinstance(entry, str | int) else entry)]
    return tuple(labels * rule.turns if len(labels) == 1 else labels)


def _is_line(text: str) -> bool:
    """Is this a one-line text (not a drawing), possibly with rule, holes and pieces?"""
    return names_board(text) and (":" in text or text.strip().splitlines()[0].strip() not in KINDS)


def _parse_kind(left: str, text: str) -> tuple[Board, str | None, int | None]:
    """Board, rule and holes, the last two perhaps left out."""
    tokens = left.split()
    on, used = parse_board_tokens(tokens, text)
    rule, holes, expected = None, None, f"a rule ({', '.join(RULES)}), a number of holes or a colon"
    if used < len(tokens) and tokens[used] in RULES:
        rule, used, expected = tokens[used], used + 1, "a number of holes or a colon"
    if used < len(tokens) and is_number(tokens[used]):
        holes, used, expected = int(tokens[used]), used + 1, "a colon and the pieces"
    if used < len(tokens):
        raise NotationError(
            f"expected {expected}, got {quoted(tokens[used])} - at token {used + 1} of {quoted(text)}"
        )
    return on, rule, holes


# Text to configuration


def _split(text: str) -> list[str]:
    return text.replace("/", " ").split()


def _tokens_to_position(plain: Puzzle, tokens: list[str]) -> Configuration:
    """Read pieces whose colours, if any, are known only from the text itself."""
    labels: list[Any]
    if plain.rule.cells == 1:
        labels = [token for token in tokens if token not in (".", "0")]
        coloured = any(is_word(label) for label in labels)
        if coloured and not all(is_word(label) for label in labels):
            wrong = next(label for label in labels if not is_word(label))
            raise NotationError(
                f"expected words only, or numbers only, got {quoted(wrong)} among words - "
                f"at cell {tokens.index(wrong)} of {quoted(plain.board.name)}"
            )
    else:
        labels = [token.partition("=")[2].split("-") for token in tokens]
        coloured = all("=" in token for token in tokens)
    # A wrong number of pieces is for the other function to tell.
    if coloured and len(labels) == plain.pieces:
        plain = _made(plain.board, plain.rule, plain.holes, labels)
    return _tokens_to_configuration(plain, tokens)


def _tokens_to_configuration(p: Puzzle, tokens: list[str]) -> Configuration:
    if p.rule.cells == 1:
        return _tile_configuration(p, [None if token in (".", "0") else token for token in tokens])
    return _piece_configuration(p, tokens)


def _tile_configuration(p: Puzzle, labels: Sequence[str | None]) -> Configuration:
    """One label a cell, None for a hole."""
    size, name, where = p.board.size, p.rule.piece, quoted(p.board.name)
    if len(labels) != size:
        said = quoted(" ".join(label or "." for label in labels[:99]))
        raise NotationError(f"expected {size} entries, one a cell, got {len(labels)} in {said} - on {where}")
    tiles = sum(label is not None for label in labels)
    if tiles != p.pieces:
        raise NotationError(
            f"expected {p.pieces} {name}s and {p.holes} hole{'s'[: p.holes > 1]}, "
            f"got {tiles} and {size - tiles} - on {where} (a hole is a dot; say other numbers of holes)"
        )
    free = _numbers_of_labels(_labels(p))
    pieces: list[Cells] = [()] * p.pieces
    for cell, label in enumerate(labels):
        if label is None:
            continue
        label = str(int(label)) if is_number(label) else label
        if not free.get(label):
            again = " again" if label in free else ""
            raise NotationError(
                f"expected {_expected_labels(p)}, got {quoted(label)}{again} - at cell {cell} of {where}"
            )
        pieces[free[label].pop()] = (cell,)
    return Configuration(p, tuple(pieces))


def _expected_labels(p: Puzzle) -> str:
    if p.colours is None:
        return f"{p.rule.piece}s 1 to {p.pieces} once each"
    return f"the colours {quoted(' '.join(_labels(p)))}"


def _piece_configuration(p: Puzzle, tokens: Sequence[str]) -> Configuration:
    name = p.rule.piece
    if len(tokens) != p.pieces:
        said = quoted(" ".join(tokens[:99]))
        raise NotationError(
            f"expected {p.pieces} {name}s, got {len(tokens)} in {said} - on {quoted(p.board.name)}"
        )
    free = _numbers_of_labels(p.colours or ())
    coloured = ["=" in token for token in tokens]
    if any(coloured) and not all(coloured):
        k = coloured.index(False)
        raise NotationError(
            f"expected colours at every {name} or at none, got {quoted(tokens[k])} - at {name} {k + 1}"
        )
    pieces: list[Cells] = [()] * p.pieces
    for k, token in enumerate(tokens):
        where = f"at {name} {k + 1} of {quoted(p.board.name)}"
        match = _PIECE.fullmatch(token)
        cells = _proper(p, _numbers(match[1])) if match else ()
        if not match or len(cells) != p.rule.cells:
            example = "-".join("456"[: p.rule.cells])
            raise NotationError(
                f"expected cells of a {name} such as {example}, got {quoted(token)} - {where}"
            )
        if not match[2]:
            pieces[k] = cells
            continue
        labels = _labels_of_one(p.rule, match[2].split("-"))
        least = least_reading(p.rule, labels)
        if not free.get(least):
            expected = _expected_labels(p) if p.colours else f"{name}s without colours"
            raise NotationError(f"expected {expected}, got {quoted(token)} - {where}")
        turn = p.rule.readings(labels).index(least)
        pieces[free[least].pop()] = p.rule.readings(cells)[turn]
    return Configuration(p, tuple(pieces))


def _numbers_of_labels(labels: Sequence[T]) -> dict[T, list[int]]:
    """For each label the pieces that bear it, from 0."""
    out: dict[T, list[int]] = {}
    for k, label in enumerate(labels):
        out.setdefault(label, []).append(k)
    return out


def _proper(p: Puzzle, cells: Cells) -> Cells:
    """A piece that can't be turned over has one reading; the other one means the same."""
    if p.rule.turns > 1 or len(cells) != p.rule.cells or not all(0 <= cell < p.board.size for cell in cells):
        return cells
    other = cells[::-1]
    return other if not p.rule.fits(p.board, cells) and p.rule.fits(p.board, other) else cells


def _same_puzzle(p: Puzzle, c: Configuration) -> Configuration:
    if c.puzzle == p:
        return c
    if (c.puzzle.board, c.puzzle.rule, c.puzzle.holes) != (p.board, p.rule, p.holes):
        raise NotationError(
            f"expected a configuration of {quoted(_kind(p))}, got one of {quoted(_kind(c.puzzle))}"
        )
    raise NotationError(f"expected {_expected_labels(p)}, got {quoted(' '.join(_tokens(c)))}")


def _kind(p: Puzzle) -> str:
    return f"{p.board.name} {p.rule.name} {p.holes}"


def _tokens(c: Configuration) -> list[str]:
    p = c.puzzle
    if p.rule.cells == 1:
        return [str(entry) if entry else "." for entry in configuration_json(c)["tiles"]]
    texts = ["-".join(map(str, cells)) for cells in c.pieces]
    if p.colours is None:
        return texts
    return [f"{text}={'-'.join(labels)}" for text, labels in zip(texts, p.colours, strict=True)]


def _labels(p: Puzzle) -> list[str]:
    """The label of each piece: its number, or its colours."""
    if p.colours is None:
        return [str(number) for number in range(1, p.pieces + 1)]
    return ["-".join(labels) for labels in p.colours]


# JSON

_Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_COORDINATE)]
_ColoursForm = list[str | _Number | list[str | _Number]]


class _MoveForm(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    piece: _Number
    from_: list[_Number]
    to: list[_Number]
    kind: str = "slide"


class _PuzzleForm(msgspec.Struct, forbid_unknown_fields=True):
    board: str | dict[str, Any]
    rule: str | None = None
    holes: int | None = None
    colours: _ColoursForm | None = None


def _from_json(
    source: Mapping[str, Any], rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None
) -> Puzzle:
    if "puzzle" in source:
        inner = source["puzzle"]
        if not isinstance(inner, str | Mapping):
            raise NotationError(f"expected a text or an object, got {type(inner).__name__} - at `$.puzzle`")
        if isinstance(inner, Mapping) and "puzzle" in inner:
            raise NotationError("expected a puzzle, got one inside another - at `$.puzzle.puzzle`")
        return puzzle(inner, rule, holes, colours, files=False)
    form = convert_json(dict(source), _PuzzleForm)
    return _made(
        board(form.board, files=False),
        rule or form.rule,
        form.holes if holes is None else holes,
        form.colours if colours is None else colours,
    )


def _configuration_from_json(p: Puzzle, source: Mapping[str, Any]) -> Configuration:
    key = _json_key(p.rule)
    if set(source) != {key}:
        keys = quoted(" ".join(map(str, source)))
        raise NotationError(f"expected an object with the key {key!r} only, got {keys} - at `$`")
    if p.rule.cells > 1:
        rows = convert_json(source[key], list[list[_Number]], f"$.{key}")
        return Configuration(p, tuple(_proper(p, tuple(row)) for row in rows))
    entries = convert_json(source[key], list[_Number | str], f"$.{key}")
    return _tile_configuration(p, [None if entry in (0, ".", "0") else str(entry) for entry in entries])


def _json_key(rule: Rule) -> str:
    return rule.piece + "s"


# Small things


def _move(piece: int, before: Cells, after: Cells, kind: str) -> Move:
    move = Move(piece, before, after, kind)
    if piece < 1:
        raise NotationError(f"expected a piece from 1 on, got 0 - in move {quoted(move.text)}")
    if not before or len(before) != len(after):
        raise NotationError(
            f"expected as many cells after as before, and at least one, got {len(before)} and {len(after)} - "
            f"in move {quoted(move.text)}"
        )
    if not _KIND.fullmatch(kind):
        raise NotationError(
            f"expected a kind of move such as slide, got {quoted(kind)} - in move {quoted(move.text)}"
        )
    return move


def _numbers(text: str) -> Cells:
    return tuple(int(part) for part in text.split("-"))


def _is_start_file(p: Puzzle, text: str) -> bool:
    """A start given on the command line may be a file; pieces are never mistaken for one."""
    if len(text.split()) != 1 or text.lstrip().startswith(("{", "[", '"')):
        return False
    parts = _split(text)
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
