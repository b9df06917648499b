"""Moves in words and small drawings: ``slide 13 down``, ``turn gourd 3 left, head first, into cell 5``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from slidelab.boards.ascii import lay_out
from slidelab.messages import ASCII_ARROWS
from slidelab.puzzles.arrows import DIRECTION_WORDS, arrow_between
from slidelab.puzzles.drawings import drawn_labels
from slidelab.puzzles.player import Player

if TYPE_CHECKING:
    from slidelab.puzzles.configuration import Configuration
    from slidelab.puzzles.definition import Puzzle
    from slidelab.puzzles.moves import Move

__all__ = ["describe_move", "draw_move", "step_lines"]

MAX_DRAWN_STEPS = 12
"""Steps of a solution that are drawn one by one; more would fill the screen several times."""

MAX_DRAWN_CELLS = 100
"""Cells of the largest board that is drawn at every step."""

ENDS = {2: ("head", "tail")}
"""Names of the ends of a piece, by its number of cells."""


def describe_move(puzzle: Puzzle, move: Move) -> str:
    """Say in words what a move does, with an arrow where the board has directions.

    Parameters
    ----------
    puzzle
        The puzzle in which the move is made.
    move
        A move that the rule allows if the right cells are empty.

    Examples
    --------
    >>> import slidelab as sl
    >>> describe_move(sl.puzzle("square R(4,4)"), sl.read_move("13:8>12"))
    'slide 13 down ↓'
    >>> describe_move(sl.puzzle("hex F(2) gourds"), sl.read_move("2:2-3>2-5"))
    'pivot gourd 2: its tail goes down-left ↙ from cell 3 to cell 5'
    >>> describe_move(sl.puzzle("theta(1,2,2)"), sl.read_move("4:2>3"))
    'slide 4 from cell 2 to cell 3'
    """
    kind, name = _kind(puzzle, move), puzzle.board.cell_text
    verb, _, manner = {"sharp turn": "turn sharply"}.get(kind, kind).partition(" ")
    what = f"{verb} {_piece(puzzle, move)}{f' {manner}' if manner else ''}"
    arrows = [arrow_between(puzzle.board, a, b) for a, b in zip(move.before, move.after, strict=True)]
    if arrows[0] is not None and len(set(arrows)) == 1:
        return f"{what} {_direction(arrows[0])}"
    ahead = _end_ahead(move)
    arrow = None if ahead is None else arrows[ahead]
    if ahead is None or arrow is None:
        cell = "cell" if len(move.before) == 1 else "cells"
        before, after = ("-".join(map(name, cells)) for cells in (move.before, move.after))
        return f"{what} from {cell} {before} to {cell} {after}"
    end = ENDS.get(len(move.before), [f"end on cell {cell}" for cell in move.before])[ahead]
    if any(a == b for a, b in zip(move.before, move.after, strict=True)):
        cells = f"from cell {move.before[ahead]} to cell {move.after[ahead]}"
        return f"{what}: its {end} goes {_direction(arrow)} {cells}"
    return f"{what} {_direction(arrow)}, {end} first, into cell {move.after[ahead]}"


def draw_move(configuration: Configuration, move: Move, *, ascii_only: bool = False) -> str:
    """Return a small drawing of a configuration with an arrow in each hole that a piece is to move into.

    Parameters
    ----------
    configuration
        The configuration before the move.
    move
        A legal move.
    ascii_only
        Whether arrows are drawn in ASCII.

    Examples
    --------
    >>> import slidelab as sl
    >>> print(draw_move(sl.position("square R(3,2) : 1 2 . 4 5 3"), sl.read_move("3:5>2")))
    1 2 ↑
    4 5 3
    """
    board = configuration.puzzle.board
    labels = drawn_labels(configuration)
    for before, after in zip(move.before, move.after, strict=True):
        if after in move.before:
            continue
        if arrow := arrow_between(board, before, after):
            labels[after] = ASCII_ARROWS[arrow] if ascii_only else arrow
        elif board.kind == "graph":
            labels[before] += f">{board.cell_text(after)}"
    return lay_out(board, labels)


def step_lines(
    start: Configuration, moves: Sequence[Move], *, drawings: bool | None = None, ascii_only: bool = False
) -> Iterator[str]:
    r"""Yield the steps of a solution as numbered lines in words, with drawings if they are few.

    Parameters
    ----------
    start, moves
        A configuration and legal moves from there.
    drawings
        Whether every step is drawn; by default up to 12 steps on boards of up to 100 cells.
    ascii_only
        Whether arrows in drawings are in ASCII.

    Examples
    --------
    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> print("\n".join(step_lines(s.start, s.moves, drawings=False)))
    1. slide 3 down ↓
    2. slide 1 left ←
    3. slide 2 up ↑
    """
    if drawings is None:
        drawings = len(moves) <= MAX_DRAWN_STEPS and start.puzzle.board.size <= MAX_DRAWN_CELLS
    width, player = len(str(len(moves))), Player(start)
    for number, move in enumerate(moves, 1):
        yield f"{number:>{width}}. {describe_move(start.puzzle, move)}"
        if drawings:
            yield ""
            yield from _indented(draw_move(player.configuration, move, ascii_only=ascii_only))
            yield ""
            player.play(move.piece, move.before, move.after)
    if drawings and moves:
        yield "and this is the goal"
        yield ""
        yield from _indented(str(player.configuration))


def _indented(drawing: str) -> list[str]:
    return [f"    {line}" for line in drawing.splitlines()]


def _direction(arrow: str) -> str:
    return f"{DIRECTION_WORDS[arrow]} {arrow}"


def _piece(puzzle: Puzzle, move: Move) -> str:
    """Return what a piece is called: a tile by its number alone, or by its colour and where it lies."""
    rule = puzzle.rule
    if puzzle.colours is None:
        return str(move.piece) if rule.cells == 1 else f"{rule.piece} {move.piece}"
    label = "-".join(puzzle.colours[move.piece - 1]) if move.piece <= puzzle.piece_count else "?"
    if rule.cells == 1:
        return f"{label} on cell {puzzle.board.cell_text(move.before[0])}"
    return f"{rule.piece} {label} on cells {'-'.join(map(puzzle.board.cell_text, move.before))}"


def _end_ahead(move: Move) -> int | None:
    """Return the position in the reading whose cell is new, None if there are several."""
    new = [k for k, cell in enumerate(move.after) if cell not in move.before]
    return new[0] if len(new) == 1 else None


def _kind(puzzle: Puzzle, move: Move) -> str:
    """Return the kind of a move by the rule; the text of a move does not tell it."""
    steps = puzzle.rule.steps(puzzle.board, move.before)
    return next((step.kind for step in steps if step.after == move.after), move.kind)
