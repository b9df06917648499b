"""Puzzles and positions from text, JSON and files, with all else that a document holds."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

import msgspec

from slidelab.boards import Board, BoardLike, board
from slidelab.boards.text import KINDS, is_file_name, names_board
from slidelab.errors import NotationError
from slidelab.files import convert_json
from slidelab.messages import quoted
from slidelab.puzzles.configuration import Configuration, ConfigurationLike
from slidelab.puzzles.labels import expand_labels, is_word
from slidelab.puzzles.movelist import MoveList
from slidelab.puzzles.moves import read_move
from slidelab.puzzles.notation import Number, load_source, parse_kind, read_pieces, split_tokens
from slidelab.puzzles.puzzle import Puzzle
from slidelab.puzzles.solution import Solution
from slidelab.rules import RULES, Rule, default_holes, default_rule

__all__ = [
    "PuzzleLike",
    "given_cells",
    "given_positions",
    "given_solution",
    "position",
    "puzzle",
    "read_listed",
]

PuzzleLike = Puzzle | BoardLike
"""A puzzle, its text or JSON, a board in any form, or a file with one of these."""

_KEYS = ("puzzle", "start", "goal", "cells", "moves")
_ColoursForm = list[str | Number | list[str | Number]]


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
    source = load_source(source, is_file_name if files else None)
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
    on, found_rule, found_holes = parse_kind(left, source)
    made = _made(on, rule or found_rule, holes if holes is not None else found_holes, colours)
    tokens = split_tokens(right)
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
    source = load_source(source, is_file_name if files else None)
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
    return _tokens_to_position(_made(*parse_kind(left, source), None), split_tokens(right))


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
        return puzzle_.configuration(source, files=files)
    listed = [expand_labels(puzzle_.rule, entry) for entry in colours]
    pieces = puzzle_.uncoloured.configuration(source, files=files).pieces
    if len(listed) != len(pieces):
        return puzzle_.configuration(source, files=files)
    texts = [
        f"{'-'.join(map(str, cells))}={'-'.join(labels)}"
        for cells, labels in zip(pieces, listed, strict=True)
    ]
    return Configuration(puzzle_, read_pieces(puzzle_, texts))


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
    source = load_source(source, is_file_name)
    if isinstance(source, Mapping):
        _check_keys(source)
        first, last = source.get("start"), source.get("goal")
        listed = _given_colours(source)
        return (
            None if first is None else read_listed(puzzle_, first, listed),
            None if last is None else read_listed(puzzle_, last, listed),
        )
    if isinstance(source, str) and _is_line(source):
        tokens = split_tokens(source.partition(":")[2])
        if tokens and not all(token.startswith("=") for token in tokens):
            return Configuration(puzzle_, read_pieces(puzzle_, tokens)), None
    return None, None


def given_cells(source: Any) -> tuple[str, ...] | None:
    """The colours that the cells of the goal have, where the file that named the puzzle says them.

    >>> given_cells({"puzzle": "hex T(2) gourds : =a-b", "cells": ["a", "b", "."]})
    ('a', 'b', '.')
    """
    source = load_source(source, is_file_name)
    if not isinstance(source, Mapping) or "puzzle" not in source or "cells" not in source:
        return None
    return tuple(convert_json(source["cells"], list[str], "$.cells"))


def given_solution(puzzle_: Puzzle, source: Any) -> Solution | None:
    """The solution, where the text or file that named the puzzle also says its moves.

    >>> given = {"puzzle": "square R(2,2)", "start": "3 1 . 2", "moves": ["3:0>2", "1:1>0", "2:3>1"]}
    >>> given_solution(puzzle("square R(2,2)"), given)
    <solution in 3 moves: 3:0>2 1:1>0 2:3>1>
    """
    source = load_source(source, is_file_name)
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


def _made(on: Board, rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None) -> Puzzle:
    rule = default_rule(on) if rule is None else rule
    if not isinstance(rule, str) and not isinstance(rule, Rule):
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
    return Puzzle(on, chosen, count, tuple(expand_labels(chosen, entry) for entry in entries))


def _is_line(text: str) -> bool:
    """Is this a one-line text (not a drawing), possibly with rule, holes and pieces?"""
    return names_board(text) and (":" in text or text.strip().splitlines()[0].strip() not in KINDS)


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
    return Configuration(plain, read_pieces(plain, tokens))


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
