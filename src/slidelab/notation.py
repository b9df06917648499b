"""Puzzles, positions and moves as text and as JSON, in both directions.

One line stands for a position: ``hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 10 . .`` is board, rule,
holes, colon, pieces. Tiles are tokens in reading order with ``.`` for a hole (``/`` and line breaks
between rows are welcome); gourds and trimers are their cells, head first: ``4-5 0-1``. Words instead
of numbers are colours, and may repeat: ``a a b .``; gourds show the colours of their ends after an
equals sign: ``4-5=red-blue``. A move is ``3:2>5``, or ``1:4-5>5-6``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from slidelab.boards import Board, BoardLike, board, parse_board_tokens
from slidelab.boards.board import column_and_row
from slidelab.boards.notation import is_file_name, read_text
from slidelab.errors import NotationError
from slidelab.puzzle import Colours, Configuration, Move, Puzzle, default_holes, default_rule
from slidelab.rules import RULES, Cells, Rule
from slidelab.rules import rule as rule_named

__all__ = [
    "ConfigurationLike",
    "PuzzleLike",
    "configuration_json",
    "configuration_text",
    "drawing",
    "position",
    "puzzle",
    "read_configuration",
    "read_move",
]

PuzzleLike = Puzzle | BoardLike
ConfigurationLike = Configuration | str | os.PathLike[str] | Mapping[str, Any] | Sequence[Any]

_LABEL = re.compile(r"\w+")
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
    if isinstance(source, str) and files and is_file_name(source):
        source = Path(source)
    if isinstance(source, os.PathLike):
        source = read_text(Path(source))
    if isinstance(source, bytes | bytearray):
        source = bytes(source).decode("utf-8", "replace")
    if isinstance(source, str) and source.lstrip().startswith("{"):
        source = _decoded(source)
    if isinstance(source, Mapping) and ("board" in source or "puzzle" in source):
        return _from_json(source, rule, holes, colours)
    if isinstance(source, str) and _is_line(source):
        left, _, right = source.partition(":")
        named, found_rule, found_holes = _parse_kind(left, source)
        made = _made(named, rule or found_rule, holes if holes is not None else found_holes, colours)
        return made if not right.strip() or colours is not None else _tokens_to_position(made, right).puzzle
    if isinstance(source, Puzzle):
        if rule is None and holes is None and colours is None:
            return source
        source_rule = source.rule if rule is None else rule
        return _made(source.board, source_rule, source.holes if holes is None and rule is None else holes, colours)
    return _made(board(source, files=files), rule, holes, colours)


def position(source: str | os.PathLike[str] | Mapping[str, Any] | Configuration, *, files: bool = True) -> Configuration:
    """The configuration that a whole line (or its JSON, or a file) describes, with its puzzle.

    >>> position("square R(2,2) : 1 2 . 3").holes
    (2,)
    >>> position("square R(2,2) : a b . b").puzzle
    puzzle('square R(2,2) tiles 1 : a b b .')
    """
    if isinstance(source, Configuration):
        return source
    if isinstance(source, os.PathLike) or (isinstance(source, str) and files and is_file_name(source)):
        source = read_text(Path(source))
    if isinstance(source, str) and source.lstrip().startswith("{"):
        source = _decoded(source)
    if isinstance(source, Mapping):
        if "puzzle" not in source or "start" not in source:
            raise NotationError("expected JSON with 'puzzle' and 'start', or a line of text - at $")
        return read_configuration(puzzle(source["puzzle"], files=files), source["start"], files=files)
    if not isinstance(source, str):
        raise NotationError(f"expected a position as text or JSON, got {type(source).__name__}")
    left, colon, right = source.partition(":")
    if not colon:
        raise NotationError(f"expected a colon between the board and its pieces - in {_short(source)}")
    named, found_rule, found_holes = _parse_kind(left, source)
    return _tokens_to_position(_made(named, found_rule, found_holes, None), right)


def read_configuration(puzzle_: Puzzle, source: ConfigurationLike, *, files: bool = True) -> Configuration:
    """A configuration of a known puzzle: its pieces as text, a whole line, JSON, a list, or a file."""
    if isinstance(source, Configuration):
        return _same_puzzle(puzzle_, source)
    if isinstance(source, os.PathLike):
        source = read_text(Path(source))
    elif isinstance(source, str) and files and _may_be_file(source):
        source = read_text(Path(source))
    if isinstance(source, str) and source.lstrip().startswith(("{", "[")):
        source = _decoded(source)
    if isinstance(source, Mapping):
        return _configuration_from_json(puzzle_, source)
    if isinstance(source, str):
        if ":" in source:
            return _same_puzzle(puzzle_, position(source, files=False))
        return _tokens_to_configuration(puzzle_, source)
    if isinstance(source, Sequence):
        key = _json_key(puzzle_.rule)
        return _configuration_from_json(puzzle_, {key: list(source)})
    raise NotationError(f"expected a configuration as text, JSON or a list, got {type(source).__name__}")


def read_move(source: Move | str | Mapping[str, Any]) -> Move:
    """A move from its text or JSON.

    >>> read_move("3:2>5")
    Move(piece=3, before=(2,), after=(5,), kind='slide')
    >>> read_move({"piece": 3, "from": [2], "to": [5]}).text
    '3:2>5'
    """
    if isinstance(source, Move):
        return source
    if isinstance(source, str):
        match = _MOVE.fullmatch(source)
        if not match:
            raise NotationError(f"expected a move such as 3:2>5 or 1:4-5>5-6, got {_short(source)}")
        piece, before, after = match.groups()
        return _move(int(piece), _numbers(before), _numbers(after), "slide")
    form = _converted(source, _MoveForm)
    return _move(form.piece, tuple(form.from_), tuple(form.to), form.kind)


def configuration_text(configuration: Configuration) -> str:
    """The whole position in one line."""
    p = configuration.puzzle
    return f"{p.board.name} {p.rule.name} {p.holes} : {' '.join(_tokens(configuration))}"


def configuration_json(configuration: Configuration) -> dict[str, Any]:
    """The design's JSON form of a configuration."""
    p = configuration.puzzle
    if p.rule.cells > 1:
        return {_json_key(p.rule): [list(cells) for cells in configuration.pieces]}
    row: list[int | str] = [0] * p.board.size
    for (cell,), label in zip(configuration.pieces, _labels(p), strict=True):
        row[cell] = int(label) if _is_number(label) else label
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
    if p.board.kind == "graph":
        return "  ".join(f"{cell}:{text}" for cell, text in enumerate(show))
    wide = max(map(len, show))
    step = wide + 1 if p.board.kind != "hex" else (wide + 2) // 2
    places = [column_and_row(p.board.kind, cell) for cell in p.board.cells]
    left = min(column for column, _ in places)
    rows: dict[int, dict[int, str]] = {}
    for (column, row), text in zip(places, show, strict=True):
        rows.setdefault(row, {})[(column - left) * step] = text.rjust(wide)
    return "\n".join(_drawn_row(rows.get(row, {})) for row in range(min(rows), max(rows) + 1))


def _drawn_row(texts: dict[int, str]) -> str:
    line = ""
    for column, text in sorted(texts.items()):
        line = line.ljust(column) + text
    return line.rstrip()


# Text to puzzle


def _made(on: Board, rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None) -> Puzzle:
    chosen = rule_named(rule or default_rule(on)) if rule is None or isinstance(rule, str) else rule
    count = default_holes(on, chosen) if holes is None else holes
    if isinstance(count, bool) or not isinstance(count, int):
        raise NotationError(f"expected a whole number of holes, got {count!r}")
    return Puzzle(on, chosen, count, None if colours is None else _read_colours(chosen, colours))


def _read_colours(rule: Rule, colours: Sequence[Any]) -> Colours:
    out = []
    for place, entry in enumerate(colours):
        labels = [entry] if isinstance(entry, str | int) else list(entry)
        labels = [str(label) for label in labels]
        if len(labels) == 1 and rule.turns > 1:
            labels = labels * rule.turns
        for label in labels:
            if not _LABEL.fullmatch(label):
                raise NotationError(f"expected a word as a colour, got {label!r} - at colour {place + 1}")
        out.append(tuple(labels))
    return tuple(sorted(out, key=lambda labels: [_natural(label) for label in labels]))


def _natural(label: str) -> tuple[int, int, str]:
    return (0, int(label), "") if _is_number(label) else (1, 0, label)


def _is_number(label: str) -> bool:
    return label.isascii() and label.isdigit() and len(label) < 10


def _is_line(text: str) -> bool:
    """Is this a one-line text (not a drawing, not JSON), possibly with rule, holes and pieces?"""
    head = text.split()[:1]
    return bool(head) and head[0].split("(")[0] in ("hex", "square", "king", "graph", "theta", "cycle", "path", "complete") and (
        ":" in text or "\n" not in text.strip()
    )


def _parse_kind(left: str, text: str) -> tuple[Board, str | None, int | None]:
    tokens = left.split()
    on, used = parse_board_tokens(tokens, text)
    rest = tokens[used:]
    rule = rest.pop(0) if rest and rest[0] in RULES else None
    if not rest:
        return on, rule, None
    if len(rest) == 1 and _is_number(rest[0]):
        return on, rule, int(rest[0])
    place = len(tokens) - len(rest) + (1 if _is_number(rest[0]) else 0)
    if _is_number(rest[0]):
        expected = "a colon and the pieces"
    elif rule is None:
        expected = f"a rule ({', '.join(RULES)}), a number of holes or a colon"
    else:
        expected = "a number of holes or a colon"
    raise NotationError(f"expected {expected}, got {_short(tokens[place])} - at token {place + 1} of {_short(text)}")


# Text to configuration


def _tokens_to_position(plain: Puzzle, text: str) -> Configuration:
    """Read pieces whose colours, if any, are known only from the text itself."""
    tokens = text.replace("/", " ").split()
    labels: list[Any]
    if plain.rule.cells == 1:
        labels = [token for token in tokens if token not in (".", "0")]
        coloured = any(not _is_number(token) for token in labels)
    else:
        labels = [token.partition("=")[2].split("-") for token in tokens]
        coloured = any("=" in token for token in tokens)
    if not coloured:
        return _tokens_to_configuration(plain, text)
    if len(labels) != plain.pieces:
        return _tokens_to_configuration(plain, text)  # which says what is wrong with the number
    return _tokens_to_configuration(_made(plain.board, plain.rule, plain.holes, labels), text)


def _tokens_to_configuration(p: Puzzle, text: str) -> Configuration:
    tokens = text.replace("/", " ").split()
    if p.rule.cells == 1:
        return _tile_configuration(p, [None if token in (".", "0") else token for token in tokens])
    return _piece_configuration(p, tokens)


def _tile_configuration(p: Puzzle, labels: Sequence[str | None]) -> Configuration:
    """One label a cell, None for a hole."""
    size, name = p.board.size, p.rule.piece
    if len(labels) != size:
        raise NotationError(
            f"expected {size} entries, one a cell, got {len(labels)} - at cell {min(size, len(labels))} of {_short(p.board.name)}"
        )
    tiles = sum(label is not None for label in labels)
    if tiles != p.pieces:
        raise NotationError(f"expected {p.pieces} {name}s and {p.holes} holes, got {tiles} {name}s - on {_short(p.board.name)}")
    free: dict[str, list[int]] = {}
    for k, label in enumerate(_labels(p)):
        free.setdefault(label, []).append(k)
    pieces: list[Cells] = [()] * p.pieces
    for cell, label in enumerate(labels):
        if label is None:
            continue
        label = str(int(label)) if _is_number(label) else label
        if label not in free:
            raise NotationError(f"expected {_expected_labels(p)}, got {_short(label)} - at cell {cell} of {_short(p.board.name)}")
        if not free[label]:
            raise NotationError(f"expected {_expected_labels(p)}, got {_short(label)} again - at cell {cell} of {_short(p.board.name)}")
        pieces[free[label].pop(0)] = (cell,)
    return Configuration(p, tuple(pieces))


def _expected_labels(p: Puzzle) -> str:
    return f"{p.rule.piece}s 1 to {p.pieces} once each" if p.colours is None else f"the colours {' '.join(_labels(p))[:60]}"


def _piece_configuration(p: Puzzle, tokens: Sequence[str]) -> Configuration:
    if len(tokens) != p.pieces:
        raise NotationError(f"expected {p.pieces} {p.rule.piece}s, got {len(tokens)} - on {_short(p.board.name)}")
    free: dict[tuple[str, ...], list[int]] = {}
    for k, labels in enumerate(p.colours or ()):
        free.setdefault(labels, []).append(k)
    pieces: list[Cells] = [()] * p.pieces
    for k, token in enumerate(tokens):
        match = _PIECE.fullmatch(token)
        if not match:
            raise NotationError(
                f"expected the {p.rule.cells} cells of a {p.rule.piece} such as {'-'.join('456'[: p.rule.cells])}, "
                f"got {_short(token)} - at {p.rule.piece} {k + 1}"
            )
        cells = _proper(p, _numbers(match[1]))
        if match[2] is None:
            pieces[k] = cells
            continue
        given = tuple(match[2].split("-"))
        given = given * p.rule.turns if len(given) == 1 else given
        if len(given) != p.rule.turns:
            raise NotationError(f"expected {p.rule.turns} colours, got {_short(match[2])} - at {p.rule.piece} {k + 1}")
        least = min(p.rule.readings(given))  # type: ignore[arg-type, type-var]
        turn = p.rule.readings(given).index(least)  # type: ignore[arg-type]
        if not free.get(least):  # type: ignore[call-overload]
            raise NotationError(f"expected the colours of the puzzle, got {_short(match[2])} - at {p.rule.piece} {k + 1}")
        if len(cells) != p.rule.cells:
            raise NotationError(f"expected {p.rule.cells} cells, got {_short(match[1])} - at {p.rule.piece} {k + 1}")
        pieces[free[least].pop(0)] = p.rule.readings(cells)[turn]  # type: ignore[index]
    if any(not cells for cells in pieces):
        raise NotationError(f"expected colours at every {p.rule.piece} or at none - on {_short(p.board.name)}")
    return Configuration(p, tuple(pieces))


def _proper(p: Puzzle, cells: Cells) -> Cells:
    """A piece that can't be turned over has one reading; the other one means the same."""
    if p.rule.turns == 1 and len(cells) == p.rule.cells and all(0 <= cell < p.board.size for cell in cells):
        if not p.rule.fits(p.board, cells) and p.rule.fits(p.board, cells[::-1]):
            return cells[::-1]
    return cells


def _same_puzzle(p: Puzzle, c: Configuration) -> Configuration:
    if c.puzzle == p:
        return c
    if c.puzzle.board != p.board or c.puzzle.rule != p.rule or c.puzzle.holes != p.holes:
        raise NotationError(f"expected a configuration of {_short(p.text)}, got one of {_short(c.puzzle.text)}")
    if p.colours is None or c.puzzle.colours is not None:
        raise NotationError(f"expected {_expected_labels(p)}, got {_short(' '.join(_tokens(c)))}")
    raise NotationError(f"expected colours {_expected_labels(p)}, got numbers")


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


class _MoveForm(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    piece: int
    from_: list[int]
    to: list[int]
    kind: str = "slide"


class _PuzzleForm(msgspec.Struct, forbid_unknown_fields=True):
    board: str | dict[str, Any]
    rule: str | None = None
    holes: int | None = None
    colours: list[str | int | list[str | int]] | None = None


def _from_json(source: Mapping[str, Any], rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None) -> Puzzle:
    if "puzzle" in source:
        inner = source["puzzle"]
        if not isinstance(inner, str | Mapping):
            raise NotationError(f"expected a puzzle as text or object, got {type(inner).__name__} - at $.puzzle")
        if isinstance(inner, Mapping) and "puzzle" in inner:
            raise NotationError("expected a puzzle, got one inside another - at $.puzzle.puzzle")
        return puzzle(inner, rule, holes, colours, files=False)
    form = _converted(dict(source), _PuzzleForm)
    on = board(form.board, files=False)
    chosen = rule or form.rule
    count = holes if holes is not None else form.holes
    return _made(on, chosen, count, colours if colours is not None else form.colours)


def _configuration_from_json(p: Puzzle, source: Mapping[str, Any]) -> Configuration:
    key = _json_key(p.rule)
    if set(source) != {key}:
        raise NotationError(f"expected an object with the key {key!r} only, got {_short(' '.join(map(str, source)))} - at $")
    if p.rule.cells > 1:
        rows = _converted(source[key], list[list[int]], f"$.{key}")
        if len(rows) != p.pieces:
            raise NotationError(f"expected {p.pieces} {p.rule.piece}s, got {len(rows)} - at $.{key}")
        return Configuration(p, tuple(_proper(p, tuple(row)) for row in rows))
    entries = _converted(source[key], list[int | str], f"$.{key}")
    for place, entry in enumerate(entries):
        if isinstance(entry, int) and entry < 0:
            raise NotationError(f"expected a tile's number or 0 for a hole, got {entry} - at $.{key}[{place}]")
    return _tile_configuration(p, [None if entry in (0, ".", "0") else str(entry) for entry in entries])


def _json_key(rule: Rule) -> str:
    return rule.piece + "s"


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise NotationError(f"expected JSON, got {_short(text)} - {error}") from None
    except RecursionError:
        raise NotationError("expected JSON, got one nested too deeply") from None


def _converted(value: Any, form: Any, path: str = "$") -> Any:
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        message = str(error).replace(" - at `$", f" - at `{path}")
        raise NotationError(message if " - at" in message else f"{message} - at {path}") from None
    except RecursionError:
        raise NotationError(f"expected something flatter - at {path}") from None


# Small things


def _move(piece: int, before: Cells, after: Cells, kind: str) -> Move:
    if len(before) != len(after) or piece < 1 or min((*before, *after, 0)) < 0 or not before:
        raise NotationError(f"expected a piece from 1 on and as many cells after as before, got {Move(piece, before, after)}")
    return Move(piece, before, after, kind)


def _numbers(text: str) -> Cells:
    return tuple(int(part) for part in text.split("-"))


def _may_be_file(text: str) -> bool:
    """A start given on the command line may be a file; pieces are never mistaken for one."""
    if len(text.split()) != 1 or text.lstrip().startswith(("{", "[")) or _PIECE.fullmatch(text) or "/" in text[1:2]:
        return False
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _short(text: str, longest: int = 60) -> str:
    return repr(text if len(text) <= longest else text[: longest - 3] + "...")
