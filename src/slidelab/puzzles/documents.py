"""Puzzles and positions from text, JSON and files, with all else that a document holds."""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from slidelab.arguments import renamed, with_suggestion
from slidelab.boards import Board, BoardLike, board
from slidelab.boards.ascii import is_drawing
from slidelab.boards.lattice import DIRECTIONS
from slidelab.boards.sources import is_file_name
from slidelab.boards.text import is_board_text
from slidelab.errors import NotationError, PuzzleError, UnknownWord
from slidelab.files import convert_json
from slidelab.messages import did_you_mean, nearest, quoted
from slidelab.puzzles.configuration import Configuration, ConfigurationLike
from slidelab.puzzles.definition import Puzzle
from slidelab.puzzles.labels import Labels, expand_labels, is_word
from slidelab.puzzles.move_sources import read_moves
from slidelab.puzzles.movelist import MoveList
from slidelab.puzzles.notation import Number, json_key, load_source, parse_kind, read_pieces
from slidelab.puzzles.solution import Solution
from slidelab.puzzles.tokens import mark_holes, split_tokens, square_position
from slidelab.rules import RULES, Rule, default_holes, default_rule

__all__ = ["Document", "PuzzleLike", "position", "puzzle", "read_document"]

PuzzleLike = Puzzle | BoardLike
"""A puzzle, its text or JSON, a board in any form, or a file with one of these."""

_KEYS = ("puzzle", "start", "goal", "cells", "moves")
_ColoursForm = list[str | Number | list[str | Number]]


@dataclass(frozen=True, slots=True)
class Document:
    """All that a text, a JSON value or a file says; made by `read_document`."""

    puzzle: Puzzle
    start: Configuration | None = None
    """The start; of a position, where its pieces lie."""
    goal: Configuration | None = None
    cells: tuple[str, ...] | None = None
    """The colour of each cell of the goal, ``.`` for one that stays empty."""
    listed: tuple[Labels, ...] | None = field(default=None, repr=False, compare=False)
    """The colours of the pieces in the order in which they were given."""
    moves: tuple[Any, ...] | None = field(default=None, repr=False)
    """The moves as they were given; `solution` reads and replays them."""
    is_position: bool = field(default=False, compare=False)
    """Whether the source is a position, which serves as the goal where another start is given."""

    def configuration(self, source: ConfigurationLike, *, files: bool = True) -> Configuration:
        """Read a configuration whose pieces are in the order in which the colours were given.

        >>> pairs = [["red", "red"], ["red", "blue"], ["blue", "blue"]]
        >>> read_document("hex F(2)", "gourds", colours=pairs).configuration("0-1 2-3 4-6").pieces_text
        '4-6=blue-blue 3-2=blue-red 0-1=red-red'
        """
        named = isinstance(source, Configuration) or (isinstance(source, str) and "=" in source)
        if self.listed is None or self.puzzle.rule.cells == 1 or named:
            return self.puzzle.configuration(source, files=files)
        pieces = self.puzzle.uncoloured.configuration(source, files=files).pieces
        pairs = zip(pieces, self.listed, strict=True)
        texts = [f"{'-'.join(map(str, cells))}={'-'.join(labels)}" for cells, labels in pairs]
        return Configuration(self.puzzle, read_pieces(self.puzzle, texts))

    def solution(self) -> Solution | None:
        """Read and replay the moves; None if there are none.

        What else a document says about its moves (`optimal`, `at_least`, `method`, ...) is not repeated: a
        file may say anything, and only the moves can be checked.

        >>> given = {"puzzle": "square R(2,2)", "start": "3 1 . 2", "moves": ["3:0>2", "1:1>0", "2:3>1"]}
        >>> read_document(given).solution()
        <solution in 3 moves: 3:0>2 1:1>0 2:3>1>
        """
        if self.moves is None:
            return None
        if self.start is None:
            raise NotationError("expected a start for the moves, got none - at `$.start`")
        moves = MoveList.of(read_moves(self.start, self.moves))
        goal = moves.end(self.start) if self.goal is None else self.goal
        return Solution(self.start, goal, moves)


@renamed(colors="colours")
def read_document(
    source: PuzzleLike,
    rule: str | Rule | None = None,
    holes: int | None = None,
    colours: Sequence[str | Sequence[str]] | None = None,
    *,
    files: bool = True,
) -> Document:
    """Read a puzzle together with the start, goal, cells and moves that the same source may hold.

    Parameters
    ----------
    source
        A text, JSON (an object with a key ``puzzle``, and perhaps ``start``, ``goal``, ``cells`` and
        ``moves``), or a file with one of these; or anything else that `slidelab.puzzle` reads.
    rule, holes, colours
        Used instead of what `source` says.
    files
        Whether `source` may name a file; pass False for text from strangers.

    Raises
    ------
    NotationError
        If a part of the source cannot be read, or if a key is most likely misspelt.

    Examples
    --------
    >>> read_document("square R(2,2) : 1 2 . 3").start
    position('square R(2,2) tiles 1 : 1 2 . 3')
    >>> read_document({"puzzle": "hex T(2) gourds : =a-b", "cells": ["a", "b", "."]}).cells
    ('a', 'b', '.')
    """
    content = square_position(load_source(source, is_file_name if files else None))
    made, start = _read_puzzle(content, rule, holes, colours)
    if colours is None:
        colours = _listed_colours(content)
    listed = None if colours is None else tuple(expand_labels(made.rule, entry) for entry in colours)
    if not isinstance(content, Mapping) or "puzzle" not in content:
        if start is None and isinstance(content, str) and (tokens := _pieces_in(content, made.rule)):
            start = Configuration(made, read_pieces(made, tokens))
        return Document(made, start, listed=listed, is_position=start is not None)
    _check_keys(content)
    moves, cells = content.get("moves"), content.get("cells")
    document = Document(
        made,
        cells=None if cells is None else tuple(convert_json(cells, list[str], "$.cells")),
        listed=listed,
        moves=None if moves is None else tuple(convert_json(moves, list[Any], "$.moves")),
    )
    start, goal = (
        None if entry is None else document.configuration(entry, files=False)
        for entry in (content.get("start"), content.get("goal"))
    )
    pieces = json_key(made.rule)
    if start is None and pieces in content:
        here = document.configuration({pieces: content[pieces]}, files=False)
        return replace(document, start=here, goal=goal, is_position=True)
    return replace(document, start=start, goal=goal)


@renamed(colors="colours")
def puzzle(
    source: PuzzleLike,
    rule: str | Rule | None = None,
    holes: int | None = None,
    colours: Sequence[str | Sequence[str]] | None = None,
    *,
    files: bool = True,
) -> Puzzle:
    """Read a puzzle from a text, JSON, a board in any form, or a file with one of these.

    Parameters
    ----------
    source
        What to read, such as ``"hex P(3,4) hextiles 2"``.
    rule, holes, colours
        Used instead of what `source` says. By default hexagonal tiles with two holes are played on
        hexagonal boards, tiles with one hole on all others.
    files
        Whether `source` may name a file; pass False for text from strangers.

    Raises
    ------
    NotationError
        If the source does not describe a puzzle.

    Examples
    --------
    >>> puzzle("hex P(3,4)")
    puzzle('hex P(3,4) hextiles 2')
    >>> puzzle("15-puzzle"), puzzle("3x4 tiles 2")
    (puzzle('square R(4,4) tiles 1'), puzzle('square R(4,3) tiles 2'))
    >>> puzzle("hex F(2)", "gourds")
    puzzle('hex F(2) gourds 1')
    >>> puzzle("square R(2,2)", colours=["a", "a", "b"])
    puzzle('square R(2,2) tiles 1 : a a b .')
    """
    content = square_position(load_source(source, is_file_name if files else None))
    made, at = _read_puzzle(content, rule, holes, colours)
    if at is None or made.colours is None or at == made.goal:
        return made
    return replace(made, goal_pieces=at.pieces)  # a word is its own goal


def position(
    source: Configuration
    | str
    | bytes
    | os.PathLike[str]
    | Mapping[str, Any]
    | Sequence[int]
    | Sequence[Sequence[int]],
    *,
    files: bool = True,
) -> Configuration:
    """Read a configuration and its puzzle from a whole line, JSON, or a file with one of these.

    Parameters
    ----------
    source
        A line such as ``"square R(2,2) : 1 2 . 3"``; JSON with the keys ``puzzle`` and ``start``; or the
        numbers on a square board, row by row, 0 for the hole.
    files
        Whether `source` may name a file; pass False for text from strangers.

    Raises
    ------
    NotationError
        If the source does not describe a configuration.

    Examples
    --------
    >>> position("square R(2,2) : 1 2 . 3").holes
    (2,)
    >>> position("square R(2,2) : a b . b").puzzle
    puzzle('square R(2,2) tiles 1 : a b b .')
    >>> position("2x2 : 1, 2, 3, x") == position([1, 2, 3, 0])
    True
    """
    content = square_position(load_source(source, is_file_name if files else None))
    if isinstance(content, Configuration):
        return content
    if isinstance(content, Mapping):
        kept = {key: value for key, value in content.items() if key not in ("goal", "cells", "moves")}
        found = read_document(kept, files=False).start if "puzzle" in content else None
        if found is None:
            keys = quoted(" ".join(map(str, content)))
            raise NotationError(
                f"expected an object with 'puzzle' and 'start', or 'puzzle' and pieces, got {keys} - at `$`"
            )
        return found
    if not isinstance(content, str):
        raise NotationError(f"expected a position as text or JSON, got {type(content).__name__}")
    left, colon, right = content.partition(":")
    if not colon:
        raise NotationError(f"expected a colon between the board and its pieces, got {quoted(content)}")
    plain = _make(*_read_kind(left, content), None)
    return _read_position(plain, split_tokens(right, plain.rule.cells))


def _read_puzzle(
    content: Any, rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None
) -> tuple[Puzzle, Configuration | None]:
    """Read the puzzle, and its position if that had to be read to know the colours."""
    if isinstance(content, Puzzle):
        if rule is None and holes is None and colours is None:
            return content, None
        if rule is None:
            rule, holes = content.rule, content.hole_count if holes is None else holes
        return _make(content.board, rule, holes, colours), None
    if isinstance(content, Mapping) and ("board" in content or "puzzle" in content):
        return _from_json(content, rule, holes, colours), None
    if not isinstance(content, str) or not _is_line(content):
        return _make(board(content, files=False), rule, holes, colours), None
    left, _, right = content.partition(":")
    on, found_rule, found_holes = _read_kind(left, content)
    made = _make(on, rule or found_rule, holes if holes is not None else found_holes, colours)
    tokens = split_tokens(right, made.rule.cells)
    if not tokens or colours is not None:
        return made, None
    if made.rule.cells > 1 and all(token.startswith("=") for token in tokens):
        return _make(on, made.rule, made.hole_count, [token[1:].split("-") for token in tokens]), None
    start = _read_position(made, tokens)
    return start.puzzle, start


def _read_kind(left: str, text: str) -> tuple[Board, str | None, int | None]:
    """Read board, rule and holes; the error at a misspelt word names the puzzle that is probably meant."""
    try:
        return parse_kind(left, text)
    except UnknownWord as error:
        raise with_suggestion(
            left.split(), error, lambda words: _make(*parse_kind(" ".join(words), text), None)
        ) from None


def _pieces_in(text: str, rule: Rule) -> list[str]:
    """Return the pieces in a line, none if they are colours without cells."""
    tokens = split_tokens(text.partition(":")[2], rule.cells) if _is_line(text) else []
    return [] if all(token.startswith("=") for token in tokens) else tokens


def _check_keys(content: Mapping[str, Any]) -> None:
    """Raise `NotationError` at an unknown key that is most likely misspelt; others are ignored."""
    for key in map(str, content):
        if key not in _KEYS and (meant := nearest(key, _KEYS, 1, 0.75)):
            raise NotationError(f"expected a key such as {meant[0]!r}, got {quoted(key)} - at `$`")


def _listed_colours(content: Any) -> Sequence[Any] | None:
    """Return the colours of a puzzle in JSON, in its own order."""
    inner = content.get("puzzle") if isinstance(content, Mapping) else None
    found = inner.get("colours") if isinstance(inner, Mapping) else None
    return found if isinstance(found, list) else None


def _make(on: Board, rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None) -> Puzzle:
    """Make a puzzle from parts that users gave; None for the default."""
    chosen = default_rule(on) if rule is None else RULES.get(rule.lower()) if isinstance(rule, str) else rule
    if not isinstance(chosen, Rule):
        given = quoted(rule) if isinstance(rule, str) else type(rule).__name__
        possible = [name for name in RULES if _is_possible(on, name, holes)]
        raise NotationError(
            f"expected a rule ({', '.join(RULES)}), got {given} - on {quoted(on.name)}"
            f"{did_you_mean(rule, possible)}"
        )
    count = default_holes(on, chosen) if holes is None else holes
    if isinstance(count, bool) or not hasattr(count, "__index__"):
        raise NotationError(f"expected a whole number of holes, got {type(count).__name__}")
    count = operator.index(count)
    if colours is None:
        return Puzzle(on, chosen, count)
    entries = convert_json(colours, _ColoursForm, "$.colours")
    return Puzzle(on, chosen, count, tuple(expand_labels(chosen, entry) for entry in entries))


def _is_possible(on: Board, rule: str, holes: Any) -> bool:
    """Return whether a rule can be played on a board with this number of holes."""
    try:
        return _make(on, rule, holes, None) is not None
    except PuzzleError:
        return False


def _is_line(text: str) -> bool:
    """Return whether a text is one line, possibly with rule, holes and pieces, rather than a drawing."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or text.lstrip().startswith(("{", "[", '"')):
        return False
    if lines[0].strip().lower() in DIRECTIONS:
        return ":" in text
    return is_board_text(text) or not is_drawing(lines)


def _read_position(plain: Puzzle, tokens: list[str]) -> Configuration:
    """Read pieces whose colours, if any, are known only from the text itself."""
    labels: list[Any]
    if plain.rule.cells == 1:
        tokens = mark_holes(tokens, plain.hole_count)
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
    # `read_pieces` has the message for a wrong number of pieces.
    if coloured and len(labels) == plain.piece_count:
        plain = _make(plain.board, plain.rule, plain.hole_count, labels)
    return Configuration(plain, read_pieces(plain, tokens))


class _PuzzleForm(msgspec.Struct, forbid_unknown_fields=True):
    board: str | dict[str, Any]
    rule: str | None = None
    holes: int | None = None
    colours: _ColoursForm | None = None
    goal: dict[str, Any] | None = None


def _from_json(
    source: Mapping[str, Any], rule: str | Rule | None, holes: int | None, colours: Sequence[Any] | None
) -> Puzzle:
    """Read a puzzle from its JSON form, or from a document with one."""
    if "puzzle" in source:
        inner = source["puzzle"]
        if not isinstance(inner, str | Mapping):
            raise NotationError(f"expected a text or an object, got {type(inner).__name__} - at `$.puzzle`")
        if isinstance(inner, Mapping) and "puzzle" in inner:
            raise NotationError("expected a puzzle, got one inside another - at `$.puzzle.puzzle`")
        return puzzle(inner, rule, holes, colours, files=False)
    form = convert_json(dict(source), _PuzzleForm)
    made = _make(
        board(form.board, files=False),
        rule or form.rule,
        form.holes if holes is None else holes,
        form.colours if colours is None else colours,
    )
    if form.goal is None or made.colours is None:
        return made
    return replace(made, goal_pieces=made.configuration(form.goal, files=False).pieces)
