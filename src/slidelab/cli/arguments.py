"""What commands read: boards, puzzles, starts and goals, lists of colours and of hole counts."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from slidelab.cli import completers
from slidelab.cli.options import integer, text
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.budget import Budget
    from slidelab.puzzles import Configuration, Document

MAX_WORDS = 100_000
"""Colours in one option: as many as the largest board has cells."""

MAX_HOLE_COUNTS = 1000
"""Numbers of holes in one range such as 2-4."""

BoardText = Annotated[str, text("board, puzzle or position, see below", completer=completers.boards)]
Rule = Annotated[
    str | None,
    Parameter(
        help="tiles, hextiles, gourds, gourds-sharp, trimers, trimers-straight, ...",
        completer=completers.rules,
    ),
]
Holes = Annotated[int | None, integer("number of holes")]
HoleCounts = Annotated[
    str | None, Parameter(help="number of holes; several such as 2,3,4 or 2-4 print a table")
]
Colours = Annotated[
    str | None,
    text(
        "colours of the pieces instead of numbers: 'a*2 b*2 c', for gourds 'a-a a-b*2'",
        "--colours",
        "--colors",
    ),
]


@Parameter(name="*")
@dataclass(frozen=True)
class PuzzleArguments:
    """A board, and options that take precedence over what it says about the puzzle."""

    board: BoardText
    _: KW_ONLY
    rule: Rule = None
    holes: Holes = None
    colours: Colours = None

    def read(self) -> Document:
        """Read the puzzle and all else that the text or file says."""
        from slidelab.puzzles import read_document

        return read_document(read_input(self.board), self.rule, self.holes, split_colours(self.colours))


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class StartArguments(PuzzleArguments):
    """A puzzle and a start."""

    start: Annotated[
        str | None, text("start configuration: text, JSON, a file or -", completer=completers.files)
    ] = None

    def read(self) -> Document:
        """Read the puzzle; an option takes precedence over what the text or file says.

        With --start, a position is the goal.
        """
        document = super().read()
        if self.start is None:
            return document
        goal = document.start if document.is_position and document.goal is None else document.goal
        return _with_positions(document, document.configuration(read_input(self.start)), goal)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class GoalArguments(StartArguments):
    """A puzzle, a start and a goal."""

    goal: Annotated[
        str | None, text("goal configuration (default: in order, holes last)", completer=completers.files)
    ] = None

    def read(self) -> Document:
        """Read the puzzle; options take precedence over what the text or file says."""
        document = super().read()
        if self.goal is None:
            return document
        return _with_positions(document, document.start, document.configuration(read_input(self.goal)))


def _with_positions(document: Document, start: Configuration | None, goal: Configuration | None) -> Document:
    """Return the document with another start or goal, to which its moves no longer belong."""
    moves = document.moves if (start, goal) == (document.start, document.goal) else None
    is_position = document.is_position and start == document.start
    return replace(document, start=start, goal=goal, moves=moves, is_position=is_position)


_provided: list[str] = []
"""What ``-`` stands for instead of standard input, which was read already."""


def provide_input(source: str | None) -> None:
    """Let the next ``-`` stand for this source; None for standard input again."""
    _provided[:] = [] if source is None else [source]


def read_input(source: str) -> str:
    """Return the source, or the text on standard input for ``-``."""
    if source != "-":
        return source
    if _provided:
        return _provided.pop()
    try:
        content = "" if sys.stdin is None else sys.stdin.read()
    except OSError as error:  # a folder, a terminal that is gone
        reason = error.strerror or "cannot be read"
        raise NotationError(f"expected text on standard input, got none - {reason.lower()}") from None
    if not content.strip():
        raise NotationError("expected text on standard input, got none (it can be read only once)")
    return content


def read_board(source: str) -> Board:
    """Return the board of a puzzle or position, or one that is too small for a puzzle."""
    from slidelab.boards import board
    from slidelab.puzzles import puzzle

    try:
        return puzzle(source).board
    except NotationError:
        return board(source)


def read_documents(source: str, rule: str | None, holes: str | None, colours: str | None) -> list[Document]:
    """Read a puzzle once for each number of holes in a text such as 2 or 2,3,4 or 2-4.

    A range leaves out the numbers of holes that the size of the pieces does not allow.
    """
    from slidelab.puzzles import read_document

    labels = split_colours(colours)
    if holes is None:
        return [read_document(source, rule, None, labels)]
    counts: dict[int, None] = {}
    for part in holes.split(","):
        numbers = _hole_range(part)
        if numbers is None:
            raise NotationError(f"expected holes such as 2, or 2,3,4 or 2-4, got {holes!r:.40} - at --holes")
        counts |= dict.fromkeys(_possible_counts(numbers, source, rule) if "-" in part else numbers)
    if not counts:
        raise NotationError(f"expected {_possible_text(source, rule)}, got {holes!r:.40} - at --holes")
    return [read_document(source, rule, count, labels) for count in counts]


def _hole_range(part: str) -> range | None:
    low, dash, high = part.strip().partition("-")
    ends = [low, high] if dash else [low, low]
    if not all(end.isascii() and end.isdigit() and len(end) < 7 for end in ends):
        return None
    numbers = range(int(ends[0]), int(ends[1]) + 1)
    return numbers if 0 < len(numbers) <= MAX_HOLE_COUNTS else None


def _possible_counts(numbers: range, source: str, rule: str | None) -> Iterator[int]:
    from slidelab.puzzles import puzzle

    any_holes = puzzle(source, rule)
    least, size = any_holes.rule.fewest_holes, any_holes.board.size
    return (n for n in numbers if least <= n < size and (size - n) % any_holes.rule.cells == 0)


def _possible_text(source: str, rule: str | None) -> str:
    """Return the numbers of holes that are possible on a board, in words."""
    from slidelab.puzzles import puzzle

    any_holes = puzzle(source, rule)
    counts = list(_possible_counts(range(any_holes.board.size), source, rule))
    if not counts:
        return "a board with more cells"
    step = f" in steps of {any_holes.rule.cells}" if any_holes.rule.cells > 1 and len(counts) > 1 else ""
    return f"a number of holes from {counts[0]} to {counts[-1]}{step}"


def with_start(
    document: Document, seed: int | None, budget: Budget | None = None
) -> tuple[Document, Configuration]:
    """Return the document with a start, and the start: a random one if there is a seed.

    With a seed, a position is the goal, and the start is drawn from what can be reached from there.

    Raises
    ------
    NotationError
        If there is no start, or one besides the seed.
    """
    from slidelab.reach.random_configurations import shuffle

    if seed is None:
        if document.start is None:
            raise NotationError(f"expected --start or --seed for {document.puzzle.text!r}, got neither")
        return document, document.start
    goal = document.goal
    if document.start is not None:
        if not document.is_position:
            raise NotationError(f"expected a start or --seed for {document.puzzle.text!r}, got both")
        if goal is not None:
            raise NotationError("expected a position or --goal with --seed, got both")
        goal = document.start
    start = shuffle(document.puzzle, seed, goal, budget=budget)
    return replace(document, start=start, goal=goal, moves=None, is_position=False), start


def read_goal(
    document: Document, cells: str | None, start: Configuration, budget: Budget
) -> Configuration | None:
    """Return the goal; if its cells are coloured, a placement near the start."""
    from slidelab.puzzles.verbs.solutions import goal_on_cells

    return goal_on_cells(document.puzzle, start, document.goal, read_cells(document, cells), budget)


def read_cells(document: Document, cells: str | None) -> tuple[str, ...] | None:
    """Return the colours of the cells of the goal, from the option or from the document."""
    if cells is None:
        return document.cells if document.goal is None else None
    if document.goal is not None:
        raise NotationError("expected --goal or --cells, got both")
    return tuple(read_words(cells, "--cells"))


def split_colours(colours: str | None) -> list[list[str]] | None:
    """Return the labels of each piece in the option --colours."""
    return None if colours is None else [token.split("-") for token in read_words(colours, "--colours")]


def read_words(source: str, option: str) -> list[str]:
    """Return the words of a text, of a JSON list, or of a file; ``red*3`` stands for ``red red red``."""
    from slidelab.files import convert_json, decode_json
    from slidelab.messages import quoted

    content = file_content(read_input(source), "colours such as 'red*3 . blue*3'")
    if content.lstrip().startswith("["):
        rows = convert_json(decode_json(content), list[str | list[str]], "$")
        return [row if isinstance(row, str) else "-".join(row) for row in rows]
    words: list[str] = []
    for number, token in enumerate(content.replace("/", " ").split(), 1):
        word, star, times = token.partition("*")
        valid = word and (not star or re.fullmatch("[1-9][0-9]{0,5}", times))
        if not valid or len(words) + int(times or 1) > MAX_WORDS:
            raise NotationError(
                f"expected a word such as red, or red*3 for red red red, got {quoted(token)} - "
                f"at token {number} of {option}"
            )
        words += [word] * int(times or 1)
    return words


def file_content(source: str, expected: str) -> str:
    """Return the text of a file if the source is one word that names a file, else the source.

    `expected` is what else the word may be, for the message about a file that is not there.
    """
    from slidelab.files import read_text

    if len(source.split()) != 1 or source.lstrip().startswith("["):
        return source
    try:
        exists = Path(source).is_file()
    except (OSError, ValueError):  # too long a name, a null character
        exists = False
    has_suffix = re.search(r"[^/]\.[A-Za-z]\w*$", source) is not None
    return read_text(Path(source), expected) if exists or has_suffix else source
