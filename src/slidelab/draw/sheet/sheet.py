"""Sheets of puzzles: several pages in one file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from slidelab.arguments import whole_number
from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged
from slidelab.draw.files import PICTURE_FORMATS, check_target, file_format, numbered_targets, write_all
from slidelab.draw.pdf import pdf
from slidelab.draw.scene import Picture
from slidelab.draw.sheet.answers import answer_text
from slidelab.draw.sheet.page import PAPERS, draw_page, lay_out
from slidelab.draw.sheet.selection import rising_solutions
from slidelab.draw.theme import Theme, get_theme
from slidelab.errors import NotationError
from slidelab.messages import counted
from slidelab.puzzles import Configuration, PuzzleLike, Solution, puzzle, read_document

__all__ = ["PuzzleSheet", "puzzle_sheet"]

DEFAULT_COUNT = 6
"""Puzzles of each board."""

MAX_COUNT = 500
"""Most puzzles of each board: more than anybody prints at a time."""

MAX_CELLS = 400
"""Cells of the largest board that can be read on a page."""

TITLE = "Sliding puzzles"


@dataclass(frozen=True, slots=True, repr=False)
class PuzzleSheet:
    """Pages of puzzles with their answers; made by `puzzle_sheet`.

    Attributes
    ----------
    pages : tuple of Picture
    solutions : tuple of Solution
        A shortest solution of each puzzle, in the order of their numbers on each board's pages.
    """

    pages: tuple[Picture, ...]
    solutions: tuple[Solution, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as they are printed, apart from line breaks."""
        return tuple(map(answer_text, self.solutions))

    def __repr__(self) -> str:
        puzzles = counted(len(self.solutions), "puzzle")
        return f"<sheet of {puzzles} on {counted(len(self.pages), 'page')}>"

    def _repr_svg_(self) -> str:
        return self.pages[0].svg

    def save(self, path: str | os.PathLike[str], width: int | None = None) -> list[Path]:
        """Write a PDF of all pages, or SVG, PNG or TikZ files; several pages become x-1.svg, x-2.svg, ...

        Parameters
        ----------
        path
            The file to write; its suffix selects the format.
        width
            Width of a PNG in pixels.

        Returns
        -------
        list of Path
            The files that were written: all of them, or none if an error is raised.
        """
        return save_pages(self.pages, path, width)


def save_pages(
    pages: Sequence[Picture], path: str | os.PathLike[str], width: int | None = None
) -> list[Path]:
    """Write pages to one PDF, or a picture for each; all files or none. See `PuzzleSheet.save`."""
    kind = file_format(check_target(path))
    if kind == "pdf":
        files = [pdf(*pages)]
    elif kind == "svg":
        files = [page.svg.encode() for page in pages]
    elif kind == "tex":
        files = [page.tikz.encode() for page in pages]
    else:
        files = [page.png(width) for page in pages]
    paths = numbered_targets(path, len(files), PICTURE_FORMATS)
    write_all(paths, files)
    return paths


@progress_errors_unchanged
def puzzle_sheet(
    puzzles: PuzzleLike | Configuration | Sequence[PuzzleLike | Configuration],
    count: int = DEFAULT_COUNT,
    seed: int | None = None,
    *,
    moves: Sequence[int] | None = None,
    title: str = TITLE,
    paper: str = "a4",
    theme: str | Theme = "print",
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> PuzzleSheet:
    """Make pages of puzzles with rising difficulty, and the answers upside down at the foot.

    Parameters
    ----------
    puzzles
        A puzzle, or anything that `slidelab.puzzle` reads; a configuration is the goal. Several of them each
        begin a page of their own.
    count
        Puzzles of each board.
    seed
        The same seed gives the same pages.
    moves
        Numbers of moves of the first and of the last puzzle; by default those of the difficulties easy and
        hard (see `slidelab.Puzzle.shuffle`), or as many as can be proved on a large board.
    title
        Printed at the top of each page.
    paper
        ``"a4"`` or ``"letter"``.
    theme
        ``"light"``, ``"dark"``, ``"print"`` or a theme of your own.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    NotationError
        If no configuration is as far from the goal as `moves`, or nothing can move.
    TooLarge, OutOfTime
        If puzzles and their shortest solutions were not found within the limits.

    Examples
    --------
    >>> sheet = puzzle_sheet("square R(3,3)", 2, seed=1)
    >>> sheet, [solution.length for solution in sheet.solutions]
    (<sheet of 2 puzzles on 1 page>, [7, 22])
    >>> sheet.answers[0]
    '3 6 8 5 2 3 6'
    """
    number = whole_number(count, 1, "count")
    if number > MAX_COUNT:
        raise NotationError(f"expected from 1 to {MAX_COUNT} puzzles, got {number} - at count")
    if paper not in PAPERS:
        raise NotationError(f"expected a paper ({' or '.join(PAPERS)}), got {paper!r:.40}")
    chosen, limits = get_theme(theme), _check_moves(moves)
    budget = Budget.of(time, memory, None, max_shapes, progress)
    listed = puzzles if isinstance(puzzles, Sequence) and not isinstance(puzzles, str) else [puzzles]
    goals = [_read_goal(each) for each in listed]
    if not goals:
        raise NotationError("expected a board for the sheet, got none")
    for goal in goals:
        if goal.puzzle.board.size > MAX_CELLS:
            cells = f"{goal.puzzle.board.size:,} cells"
            raise NotationError(f"expected a board of at most {MAX_CELLS} cells on a page, got {cells}")
    solved = [
        rising_solutions(goal.puzzle, number, seed, goal, moves=limits, budget=budget) for goal in goals
    ]
    pages: list[Picture] = []
    for goal, solutions in zip(goals, solved, strict=True):
        layout = lay_out(solutions, goal, PAPERS[paper], chosen, title)
        for first in range(0, number, layout.capacity):
            part = solutions[first : first + layout.capacity]
            pages.append(draw_page(part, first + 1, goal, layout, chosen, title, _note(goal, seed)))
    return PuzzleSheet(tuple(pages), tuple(solution for each in solved for solution in each))


def _read_goal(source: PuzzleLike | Configuration) -> Configuration:
    """Return a configuration, that of a text, or the goal of a puzzle."""
    if isinstance(source, Configuration):
        return source
    if isinstance(source, str):
        document = read_document(source)
        return document.goal or document.start or document.puzzle.goal
    return puzzle(source).goal


def _check_moves(moves: Sequence[int] | None) -> tuple[int, int] | None:
    if moves is None:
        return None
    ends = [whole_number(each, 1, "moves") for each in moves]
    if len(ends) not in (1, 2) or ends[0] > ends[-1]:
        raise NotationError(f"expected the first and the last number of moves, got {list(moves)!r:.60}")
    return ends[0], ends[-1]


def _note(goal: Configuration, seed: int | None) -> str:
    """Return what the small print says: how to make these puzzles again."""
    is_plain = goal.puzzle.colours is None and goal == goal.puzzle.goal
    text = goal.puzzle.text if is_plain else goal.text
    return f"{text}{'' if seed is None else f' · seed {seed}'} · slidelab"
