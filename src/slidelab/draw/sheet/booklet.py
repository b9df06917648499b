"""A booklet of a graded set: a title page with the rules, pages of puzzles, and the answers at the end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

from slidelab.boards import Board
from slidelab.boards.json_forms import board_from_json
from slidelab.draw.marks import Group, Item, Mark, Path
from slidelab.draw.page.drawing import VERBS
from slidelab.draw.picture.board import draw
from slidelab.draw.scene import Picture
from slidelab.draw.sheet.answers import answer_text, explanation, notation_of
from slidelab.draw.sheet.graded import LEVELS, GradedSet, GradedStart
from slidelab.draw.sheet.page import (
    GAP,
    MARGIN,
    PAPERS,
    UNIT,
    Paper,
    divider,
    line_width,
    moves_line,
    number_label,
    text_line,
    wrap,
)
from slidelab.draw.sheet.sheet import save_pages
from slidelab.draw.theme import Theme, get_theme, mix
from slidelab.errors import NotationError
from slidelab.messages import big_number, counted
from slidelab.puzzles import Configuration, Puzzle

__all__ = ["Booklet", "booklet", "booklet_title"]

COLUMNS, ROWS = 2, 3
"""Puzzles on a page."""

TITLE_SIZE, HEAD_SIZE, TEXT_SIZE, SMALL_SIZE = 40.0, 15.0, 13.5, 10.0
"""Font sizes in pixels."""

ANSWER_SIZE = 12.5
LINE = 1.5
"""Distance of lines, in font sizes."""

MAX_CELL = 60.0
"""Width of the largest cell in pixels."""

KEY_HEIGHT = 150.0
"""Height of the board with the numbers of its cells, in pixels."""

MOVE_CELL = 34.0
"""Width of a cell in the pictures of moves."""

CHART_HEIGHT = 150.0
"""Height of the highest bar, in pixels."""

LABEL_HEIGHT = 30.0

MAX_COLUMN_MOVES = 200
"""Moves of an answer up to which there are two columns."""


@dataclass(frozen=True, slots=True, repr=False)
class Booklet:
    """Pages of a graded set; made by `booklet`.

    Attributes
    ----------
    pages : tuple of Picture
    graded : GradedSet
    """

    pages: tuple[Picture, ...]
    graded: GradedSet

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as they are printed, apart from line breaks."""
        return tuple(answer_text(each.solution) for each in self.graded.starts)

    def __repr__(self) -> str:
        puzzles = counted(len(self.graded.starts), "puzzle")
        return f"<booklet of {puzzles} on {counted(len(self.pages), 'page')}>"

    def save(self, path: str | os.PathLike[str], width: int | None = None) -> list[FilePath]:
        """Write a PDF of all pages, or SVG, PNG or TikZ files, as `PuzzleSheet.save` does."""
        return save_pages(self.pages, path, width)


def booklet_title(puzzle: Puzzle) -> str:
    """Return the title of a set that has none of its own.

    >>> import slidelab as sl
    >>> booklet_title(sl.puzzle("hex F(2) gourds"))
    'Coloured gourds'
    """
    return f"Coloured {puzzle.rule.piece}s"


def booklet(
    graded: GradedSet,
    *,
    title: str | None = None,
    paper: str = "a4",
    theme: str | Theme = "light",
) -> Booklet:
    """Make a booklet of a graded set.

    Parameters
    ----------
    graded
        The starts.
    title
        By default the pieces.
    paper
        ``"a4"`` or ``"letter"``.
    theme
        ``"light"``, ``"dark"``, ``"print"`` or a theme of your own.

    Examples
    --------
    >>> import slidelab as sl
    >>> from slidelab.draw.sheet.graded import graded_set
    >>> p = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["b", "b"]])
    >>> made = booklet(graded_set(p, ["a", "b", "a", ".", "b", "a", "b"], 4))
    >>> made, made.answers[0]
    (<booklet of 4 puzzles on 3 pages>, '1 3')
    """
    if paper not in PAPERS:
        raise NotationError(f"expected a paper ({' or '.join(PAPERS)}), got {paper!r:.40}")
    maker = _Pages(
        graded, booklet_title(graded.puzzle) if title is None else title, PAPERS[paper], get_theme(theme)
    )
    return Booklet(tuple(maker.all()), graded)


@dataclass(frozen=True)
class _Pages:
    """Draws the pages of one booklet."""

    graded: GradedSet
    title: str
    paper: Paper
    theme: Theme

    @property
    def width(self) -> float:
        return self.paper.width - 2 * MARGIN

    @property
    def height(self) -> float:
        return self.paper.height - 2 * MARGIN

    @property
    def grey(self) -> str:
        return mix(self.theme.ink, self.theme.paper, 0.35)

    def all(self) -> list[Picture]:
        """Return all pages."""
        starts = self.graded.starts
        pages = [self.page(self.cover(), 0)]
        for first in range(0, len(starts), COLUMNS * ROWS):
            part = starts[first : first + COLUMNS * ROWS]
            pages.append(self.page(self.puzzles(part, first + 1), len(pages)))
        for items in self.answers():
            pages.append(self.page(items, len(pages)))
        return pages

    def page(self, items: Sequence[Item], number: int) -> Picture:
        """Return a page of items that are placed within the margins; all but the first have a number."""
        inside: list[Item] = [Group(tuple(items), MARGIN, MARGIN)]
        if number:
            text = str(number + 1)
            x = MARGIN + (self.width - line_width(text) * SMALL_SIZE) / 2
            inside.append(text_line(text, SMALL_SIZE, x, self.paper.height - MARGIN - 4, self.grey))
        return Picture(self.paper.width, self.paper.height, inside, self.title, self.theme.paper)

    def paragraph(self, text: str, size: float, x: float, y: float, width: float) -> tuple[list[Item], float]:
        """Return the lines of a text and where the next one is."""
        items: list[Item] = []
        for line in wrap(text, size, width):
            items.append(text_line(line, size, x, y, self.theme.ink))
            y += size * LINE
        return items, y

    def centred(self, text: str, size: float, middle: float, y: float, ink: str, bold: bool = False) -> Item:
        return text_line(text, size, middle - line_width(text, bold) * size / 2, y, ink, bold)

    def board(self, thing: Board | Configuration, width: float, height: float) -> Picture:
        """Draw a board or a configuration on the coloured cells, as large as it fits."""
        cells = self.graded.cells
        whole = draw(thing, theme=self.theme, size=UNIT, floor=cells, cells=False)
        scale = min(width / whole.width, height / whole.height, MAX_CELL / UNIT)
        return draw(thing, theme=self.theme, size=UNIT * scale, floor=cells, cells=False)

    # The title page

    def cover(self) -> list[Item]:
        """Return the title, a start beside the goal, the rules, the moves, the levels and the facts."""
        graded, theme = self.graded, self.theme
        moves = [each.moves for each in graded.starts]
        size = min(TITLE_SIZE, self.width / max(line_width(self.title, True), 1e-9))
        items: list[Item] = [text_line(self.title, size, 0.0, 30.0, theme.ink, bold=True)]
        span = f"{moves[0]} to {moves[-1]}" if moves[0] < moves[-1] else f"{moves[0]}"
        under = f"{counted(len(moves), 'puzzle')}, from easy to hard: {span} moves"
        items.append(text_line(under, HEAD_SIZE, 0.0, 68.0, self.grey))
        top = 100.0
        room = (self.width - 3 * GAP) / 2
        left = self.board(graded.starts[-1].start, room, 270.0)
        right = self.board(graded.puzzle.board, room, 270.0)
        for picture, middle, caption in (
            (left, self.width / 4, "from a start like this"),
            (right, 3 * self.width / 4, "to a place of its colour for every end"),
        ):
            items.append(Group(tuple(picture.items), middle - picture.width / 2, top))
            items.append(
                self.centred(caption, SMALL_SIZE * 1.15, middle, top + picture.height + 12, self.grey)
            )
        arrow = Path.line([(-13, 0), (13, 0), (5, -8), (13, 0), (5, 8)])
        items.append(Group((Mark(arrow, None, self.grey, 2.4),), self.width / 2, top + left.height / 2))
        y = top + left.height + 52
        y = self._rules(items, y)
        y = self._levels(items, y)
        self._facts(items, y + 16)
        return items

    def _rules(self, items: list[Item], y: float) -> float:
        items.append(text_line("How to play", HEAD_SIZE, 0.0, y, self.theme.ink, bold=True))
        lines, y = self.paragraph(rules(self.graded.puzzle), TEXT_SIZE, 0.0, y + HEAD_SIZE * 1.7, self.width)
        items += lines
        pictures = move_pictures(self.graded.puzzle, self.theme)
        tallest = max((picture.height for _, picture in pictures), default=0.0)
        for number, (name, picture) in enumerate(pictures):
            middle = self.width * (number + 0.5) / len(pictures)
            top = y + (tallest - picture.height) / 2
            items.append(Group(tuple(picture.items), middle - picture.width / 2, top))
            items.append(self.centred(name, SMALL_SIZE * 1.15, middle, y + tallest + 10, self.grey))
        return y + tallest + 40 if pictures else y + 12

    def _levels(self, items: list[Item], y: float) -> float:
        items.append(text_line("Levels", HEAD_SIZE, 0.0, y, self.theme.ink, bold=True))
        y += HEAD_SIZE * 1.7
        x = 0.0
        for level, name in enumerate(LEVELS, 1):
            items += self.dots(level, x, y)
            x += 5 * 11 + 8
            items.append(text_line(name, TEXT_SIZE, x, y, self.theme.ink))
            x += line_width(name) * TEXT_SIZE + GAP
        y += TEXT_SIZE * LINE * 1.1
        text = "Each puzzle says how many moves the shortest solution has; nothing shorter exists."
        if 2 * sum(each.solutions == 1 for each in self.graded.starts) > len(self.graded.starts):
            text += " Most have only one solution that short."
        text += " Any solution counts; the shortest one is the art."
        lines, y = self.paragraph(text, TEXT_SIZE, 0.0, y, self.width)
        items += lines
        return y

    def _facts(self, items: list[Item], y: float) -> None:
        """Draw how many positions there are at each distance, with a mark for each puzzle."""
        counts, theme = self.graded.distribution, self.theme
        items.append(text_line("How far from home", HEAD_SIZE, 0.0, y, theme.ink, bold=True))
        y += HEAD_SIZE * 1.7
        depth, last = len(counts) - 1, counts[-1]
        one = sum(self.graded.unique) / sum(counts)
        goals = (
            "only one of them is the goal" if counts[0] == 1 else f"{big_number(counts[0])} of them are goals"
        )
        far = "only one is" if last == 1 else f"{big_number(last)} are"
        text = (
            f"The pieces can stand in {big_number(sum(counts))} positions, and {goals}. None is more than "
            f"{counted(depth, 'move')} away, and {far} that far. "
            f"{one:.1%} of all positions have only one shortest solution. The bars show how many positions "
            "need how many moves; the dots below are the puzzles of this booklet."
        )
        lines, y = self.paragraph(text, TEXT_SIZE, 0.0, y, self.width)
        items += lines
        room = self.height - y - 34
        height = min(CHART_HEIGHT, room)
        if height < 30:
            return
        step, base = self.width / (depth + 1), y + height
        for distance, count in enumerate(counts):
            bar = max(0.8, height * count / max(counts))
            x = distance * step
            rect = Path.line(
                [(x, base), (x, base - bar), (x + step * 0.78, base - bar), (x + step * 0.78, base)]
            )
            items.append(Mark(rect, mix(theme.accent, theme.paper, 0.25)))
        numbers = range(
            0, depth + 1, next(n for n in (1, 2, 5, 10, 20, 50, 100, depth + 1) if (depth + 1) / n <= 20)
        )
        for distance in numbers:
            middle = (distance + 0.39) * step
            items.append(self.centred(str(distance), SMALL_SIZE, middle, base + 22, self.grey))
        for each in self.graded.starts:
            items.append(
                Mark(Path.circle(((each.moves + 0.39) * step, base + 8), min(2.6, step * 0.3)), theme.ink)
            )

    # Puzzles and answers

    def dots(self, level: int, x: float, y: float) -> list[Item]:
        """Draw the level as dots, as many of them filled."""
        return [
            Mark(
                Path.circle((x + 4 + 11 * k, y), 3.6),
                self.theme.ink if k < level else None,
                self.theme.ink if k < level else self.grey,
                1.0,
            )
            for k in range(len(LEVELS))
        ]

    def puzzles(self, starts: Sequence[GradedStart], first: int) -> list[Item]:
        """Return a grid of puzzles, numbered from `first`."""
        items: list[Item] = []
        width, height = self.width / COLUMNS, (self.height - 24) / ROWS
        for k, each in enumerate(starts):
            row, column = divmod(k, COLUMNS)
            middle = (column + 0.5) * width
            picture = self.board(each.start, width - GAP, height - 2 * LABEL_HEIGHT - 12)
            y = row * height + (height - picture.height - 2 * LABEL_HEIGHT) / 2
            items += number_label(
                str(first + k), f"in {counted(each.moves, 'move')}", middle, y + LABEL_HEIGHT / 2, self.theme
            )
            items.append(
                Group(
                    tuple(picture.items),
                    middle - picture.width / 2,
                    y + LABEL_HEIGHT + 2,
                    title=each.start.text,
                )
            )
            under = y + LABEL_HEIGHT + picture.height + 16
            note = solutions_text(each)
            span = 55 + 8 + line_width(note) * SMALL_SIZE * 1.1
            items += self.dots(each.level, middle - span / 2, under)
            items.append(text_line(note, SMALL_SIZE * 1.1, middle - span / 2 + 63, under, self.grey))
        return items

    def answers(self) -> list[list[Item]]:
        """Return the answers, on as many pages as they need."""
        key = self._key()
        starts = self.graded.starts
        indent = (line_width("0" * len(str(len(starts))), True) + 1.1) * ANSWER_SIZE
        gap, step = GAP * 1.2, ANSWER_SIZE * LINE
        columns = 2 if max(each.moves for each in starts) < MAX_COLUMN_MOVES else 1
        share = (self.width - (columns - 1) * gap) / columns
        blocks = [wrap(answer_text(each.solution), ANSWER_SIZE, share - indent) for each in starts]
        heights = [(len(lines) + 0.45) * step for lines in blocks]
        pages: list[list[Item]] = []
        items: list[Item] = []
        x = y = top = bottom = 0.0
        for number, (lines, height) in enumerate(zip(blocks, heights, strict=True), 1):
            if not pages or y + height > bottom:
                if pages and x + share + gap < self.width:
                    x, y = x + share + gap, top
                else:
                    items = []
                    pages.append(items)
                    x, y = 0.0, self._answer_head(items, key if len(pages) == 1 else None)
                    # The columns of the last page are equally long.
                    top = y
                    even = sum(heights[number - 1 :]) / columns + max(heights)
                    bottom = min(self.height - 24, top + even)
            right = x + indent - (1.1 + line_width(str(number), True)) * ANSWER_SIZE
            items.append(text_line(str(number), ANSWER_SIZE, right, y, self.theme.ink, bold=True))
            for k, line in enumerate(lines):
                items += moves_line(
                    self.graded.puzzle, line, ANSWER_SIZE, x + indent, y + k * step, self.theme.ink
                )
            y += height
        return pages

    def _key(self) -> Picture | None:
        """Return the board with the numbers of its cells, if answers refer to them."""
        board = self.graded.puzzle.board
        if notation_of(self.graded.puzzle) not in ("cells", "holes"):
            return None
        whole = draw(board, theme=self.theme, size=UNIT)
        scale = min(KEY_HEIGHT / whole.height, 3 * KEY_HEIGHT / whole.width)
        return draw(board, theme=self.theme, size=max(UNIT * scale, 12.0), floor=self.graded.cells)

    def _answer_head(self, items: list[Item], key: Picture | None) -> float:
        """Draw the heading of a page of answers; return where they begin."""
        items.append(text_line("Answers", TITLE_SIZE * 0.6, 0.0, 16.0, self.theme.ink, bold=True))
        if key is None:
            return 52.0
        room = self.width - key.width - GAP
        text = explanation(self.graded.puzzle).removeprefix("Answers: ")
        lines, _ = self.paragraph(f"{text[0].upper()}{text[1:]}", TEXT_SIZE, 0.0, 52.0, room)
        items += lines
        items.append(Group(tuple(key.items), self.width - key.width, 0.0))
        y = max(key.height, 80.0) + 14
        items.append(divider(0.0, y, self.width, self.theme))
        return y + 24


def solutions_text(start: GradedStart) -> str:
    """Return how many shortest solutions a start has, in words.

    >>> from slidelab.draw.sheet.graded import GradedStart
    >>> import slidelab as sl
    >>> solved = sl.puzzle("square R(2,2)").solve("1 2 . 3")
    >>> solutions_text(GradedStart(solved, 1, 0.5, 1)), solutions_text(GradedStart(solved, 1200, 0.5, 1))
    ('only one solution', '1,200 solutions')
    """
    if start.solutions == 1:
        return "only one solution"
    return "many solutions" if start.solutions is None else f"{big_number(start.solutions)} solutions"


def rules(puzzle: Puzzle) -> str:
    """Return how the puzzle is played, in plain words.

    >>> import slidelab as sl
    >>> rules(sl.puzzle("square R(2,2) : a a b ."))[:55]
    'One cell is empty. Move a tile into the empty cell, one'
    """
    rule = puzzle.rule
    holes = "One cell is empty" if puzzle.hole_count == 1 else f"{puzzle.hole_count} cells are empty"
    hole = "the empty cell" if puzzle.hole_count == 1 else "an empty cell"
    piece = rule.piece
    if rule.needs_companion:
        how = f"Slide a {piece} into {hole}; a second empty cell must touch it before and after."
    elif rule.corner == "pivot":
        how = (
            f"Move one end of a {piece} into {hole}: straight ahead (slide), round a bend (turn), or "
            "about its other end, if both ends touch that cell (pivot)."
        )
    else:
        how = f"Move a {piece} into {hole}, one at a time."
    ends = "both its ends are" if rule.cells == 2 else "it is" if rule.cells == 1 else "all of it is"
    return (
        f"{holes}. {how} The puzzle is solved when every {piece} is home: {ends} on cells of the same colour."
    )


def move_pictures(puzzle: Puzzle, theme: Theme) -> list[tuple[str, Picture]]:
    """Return a picture of each kind of move, on the few cells that it needs; none if not of a lattice.

    >>> import slidelab as sl
    >>> from slidelab.draw.theme import LIGHT
    >>> p = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["b", "b"]])
    >>> [name for name, _ in move_pictures(p, LIGHT)]
    ['slide', 'turn', 'pivot']
    """
    board, rule = puzzle.board, puzzle.rule
    if not board.cells or rule.cells == 1:
        return []
    found: dict[str, Picture] = {}
    for placed in rule.placements(board):
        for step in rule.steps(board, placed):
            if step.kind in found:
                continue
            used = sorted({*step.before, *step.after, *step.holes})
            part = board_from_json({"kind": board.kind, "cells": [list(board.cells[cell]) for cell in used]})
            number = {cell: k for k, cell in enumerate(used)}
            small = Puzzle(part, rule, len(used) - rule.cells, puzzle.colours[:1] if puzzle.colours else None)
            here = Configuration(small, (tuple(number[cell] for cell in step.before),))
            there = tuple(number[cell] for cell in step.after)
            move = next((move for move in here.moves if set(move.after) == set(there)), None)
            if move is not None:
                found[step.kind] = draw(here, moves=[move], theme=theme, size=MOVE_CELL, labels=False)
    order = [*VERBS]
    return sorted(found.items(), key=lambda each: order.index(each[0]) if each[0] in order else len(order))
