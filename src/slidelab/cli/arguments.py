"""Reading what was asked: boards, starts and goals, limits."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.budget import Budget
    from slidelab.puzzles import Configuration, Document, Puzzle


MOST_WORDS = 100_000


def read_source(text: str) -> str:
    if text != "-":
        return text
    read = "" if sys.stdin is None else sys.stdin.read()
    if not read.strip():
        raise NotationError("expected text on standard input, got none (it can be read only once)")
    return read


def read_board(text: str) -> Board:
    from slidelab.boards import board

    return board(text)


def read_bare_board(text: str) -> Board:
    """The board of whatever the text names: of a puzzle or position, or one too small for a puzzle."""
    try:
        return read_puzzle(text, None, None, None).board
    except NotationError:
        return read_board(text)


def read_puzzle(text: str, rule: str | None, holes: int | None, colours: str | None) -> Puzzle:
    from slidelab.puzzles import puzzle

    return puzzle(text, rule, holes, None if colours is None else split_colours(colours))


def split_colours(text: str) -> list[list[str]]:
    return [token.split("-") for token in read_words(text, "--colours")]


def read_question(
    text: str,
    rule: str | None,
    holes: int | None,
    colours: str | None,
    start: str | None,
    goal: str | None,
) -> Document:
    """Read the puzzle and all else that the text or file says; start and goal of the options come first."""
    from slidelab.puzzles import read_document

    listed = None if colours is None else split_colours(colours)
    document = read_document(read_source(text), rule, holes, listed)
    first = document.start if start is None else document.configuration(read_source(start))
    last = document.goal if goal is None else document.configuration(read_source(goal))
    moves = document.moves if (first, last) == (document.start, document.goal) else None
    return replace(document, start=first, goal=last, moves=moves)


def read_goal(
    document: Document, cells: str | None, first: Configuration, budget: Budget | None = None
) -> Configuration | None:
    """Return the goal; if the option or the file colours its cells, a placement near the start."""
    from slidelab.errors import Unsolvable

    painted = read_cells(document, cells)
    if painted is None:
        return document.goal
    time, progress = (None, None) if budget is None else (budget.time_left, budget.progress)
    placement = first.puzzle.place(painted, near=first, time=time, progress=progress)
    if not placement:
        raise Unsolvable(placement.reason)
    return placement.configuration


def read_cells(document: Document, cells: str | None) -> tuple[str, ...] | None:
    """Return the colours of the cells of the goal, if the option or the file says them."""
    if cells is None:
        return document.cells if document.goal is None else None
    if document.goal is not None:
        raise NotationError("expected --goal or --cells, got both")
    return tuple(read_words(cells, "--cells"))


def read_words(text: str, option: str) -> list[str]:
    """Words between blanks or slashes, from a file if it names one; red*3 stands for red red red."""
    from slidelab.files import convert_json, decode_json
    from slidelab.messages import quoted

    text = _content(read_source(text))
    if text.lstrip().startswith("["):
        rows = convert_json(decode_json(text), list[str | list[str]], "$")
        return [row if isinstance(row, str) else "-".join(row) for row in rows]
    out: list[str] = []
    for place, token in enumerate(text.replace("/", " ").split(), 1):
        word, star, times = token.partition("*")
        sound = not star or re.fullmatch("[1-9][0-9]{0,5}", times)
        if not word or not sound or len(out) + int(times or 1) > MOST_WORDS:
            raise NotationError(
                f"expected a word such as red, or red*3 for red red red, got {quoted(token)} - "
                f"at token {place} of {option}"
            )
        out += [word] * int(times or 1)
    return out


def _content(text: str) -> str:
    """The text of a file, if there is one of that name, or none could be meant otherwise."""
    from slidelab.files import read_text

    if len(text.split()) != 1 or text.lstrip().startswith("["):
        return text
    try:
        exists = Path(text).is_file()
    except (OSError, ValueError):  # too long a name, a null character
        exists = False
    named = re.search(r"[^/]\.[A-Za-z]\w*$", text) is not None
    return read_text(Path(text), "colours such as 'red*3 . blue*3'") if exists or named else text


def read_hole_counts(text: str | None, board: str, rule: str | None) -> list[int | None]:
    """2 or 2,3,4 or 2-4; a range leaves out what the pieces do not allow."""
    if text is None:
        return [None]
    out: list[int | None] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        ends = [low, high] if dash else [low, low]
        sound = all(end.isascii() and end.isdigit() and len(end) < 7 for end in ends)
        numbers = range(int(ends[0]), int(ends[1]) + 1) if sound else range(0)
        if not 0 < len(numbers) <= 1000:
            raise NotationError(f"expected holes such as 2, or 2,3,4 or 2-4, got {text!r:.40} - at --holes")
        out.extend(n for n in numbers if n not in out and (not dash or allowed(board, rule, n)))
    if not out:
        raise NotationError(f"expected a possible number of holes, got {text!r:.40} - at --holes")
    return out


def allowed(board: str, rule: str | None, holes: int) -> bool:
    puzzle = read_puzzle(board, rule, None, None)
    fewest, cells = puzzle.rule.fewest_holes, puzzle.rule.cells
    return fewest <= holes < puzzle.board.size and (puzzle.board.size - holes) % cells == 0


def begin_with(
    puzzle: Puzzle,
    first: Configuration | None,
    last: Configuration | None,
    seed: int | None,
    budget: Budget | None = None,
) -> Configuration:
    """Where to start from: what was given, or a shuffle with the seed, but not both or neither."""
    from slidelab.reach.shuffle import shuffle

    if (first is None) == (seed is None):
        got = "neither" if first is None else "both"
        raise NotationError(f"expected --start or --seed to say where {puzzle.text!r} starts, got {got}")
    return shuffle(puzzle, seed, last, budget=budget) if first is None else first
