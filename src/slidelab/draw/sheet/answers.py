"""Answers: the moves of a solution as a reader of the page can follow them."""

from __future__ import annotations

from typing import Literal

from slidelab.boards.lattice import DIRECTIONS
from slidelab.puzzles import Puzzle, Solution

__all__ = ["Notation", "answer_text", "arrow_angle", "explanation", "notation_of"]

Notation = Literal["pieces", "arrows", "holes", "cells"]
"""The numbers of the tiles that slide, directions, empty cells, or the cells before and after each move."""

ARROWS_PER_WORD = 5
"""Arrows without a space between them, so that a reader keeps count."""

_ANGLES = {
    "hex": dict(zip("→↘↙←↖↗", range(0, 360, 60), strict=True)),
    "square": dict(zip("→↓←↑", range(0, 360, 90), strict=True)),
    "king": dict(zip("→↘↓↙←↖↑↗", (0, 45, 90, 135, 180, 225, 270, 315), strict=True)),
}
"""Degrees clockwise from the right in which an arrow points in a drawing of the board."""


def notation_of(puzzle: Puzzle) -> Notation:
    """Return the shortest notation in which every move is unambiguous.

    >>> import slidelab as sl
    >>> texts = ("theta(1,2,2)", "hex P(3,4)", "hex F(3) gourds", "hex P(2,3) gourds 2")
    >>> [notation_of(sl.puzzle(text)) for text in texts]
    ['pieces', 'arrows', 'holes', 'cells']
    """
    rule, is_numbered = puzzle.rule, puzzle.colours is None
    if is_numbered and rule.slides_along_edges and puzzle.hole_count == 1:
        return "pieces"
    if rule.corner is not None and puzzle.hole_count == 1:
        return "holes"  # the gourd on the cell that becomes empty moves, and there is only one way
    has_arrows = puzzle.board.kind in DIRECTIONS and (rule.slides_along_edges or rule.needs_companion)
    return "arrows" if has_arrows and (is_numbered or puzzle.hole_count == 1) else "cells"


def explanation(puzzle: Puzzle) -> str:
    """Return a sentence that explains the notation of the answers."""
    piece = puzzle.rule.piece
    match notation_of(puzzle):
        case "pieces":
            return f"Answers: the numbers of the {piece}s to slide, one after the other."
        case "arrows" if puzzle.hole_count == 1:
            return f"Answers: the direction in which a {piece} slides into the empty cell, move by move."
        case "arrows":
            return f"Answers: the number of a {piece} and the direction in which it slides, move by move."
        case "holes":
            return "Answers: the cell that becomes empty, move by move. Cells are numbered as here:"
    number = f"the number of a {piece}, " if puzzle.colours is None else ""
    cells = "its cell" if puzzle.rule.cells == 1 else "its cells"
    return f"Answers: {number}{cells} before and after the move, move by move. Cells are numbered as here:"


def answer_text(solution: Solution) -> str:
    """Return the moves of a solution in the notation of its puzzle.

    >>> import slidelab as sl
    >>> answer_text(sl.puzzle("square R(2,2)").solve("3 1 / . 2"))
    '3 1 2'
    >>> answer_text(sl.puzzle("square R(2,2)", colours=["a", "a", "b"]).solve("b a / . a"))
    '↓←↑'
    >>> answer_text(sl.puzzle("hex F(2) gourds").solve("2-0 5-3 4-6"))
    '2 5'
    """
    puzzle, moves = solution.puzzle, solution.moves
    match notation_of(puzzle):
        case "pieces":
            return " ".join(str(move.piece) for move in moves)
        case "arrows":
            text = solution.arrows
            if puzzle.hole_count > 1:
                return text
            starts = range(0, len(text), ARROWS_PER_WORD)
            return " ".join(text[first : first + ARROWS_PER_WORD] for first in starts)
        case "holes":
            return " ".join(str(cell) for move in moves for cell in {*move.before} - {*move.after})
    if puzzle.colours is None:
        return solution.text
    return " ".join(move.text.partition(":")[2] for move in moves)


def arrow_angle(puzzle: Puzzle, character: str) -> int | None:
    """Return the degrees clockwise from the right at which an arrow is drawn; None for other characters.

    >>> import slidelab as sl
    >>> arrow_angle(sl.puzzle("hex P(3,4)"), "↘"), arrow_angle(sl.puzzle("king R(3,3)"), "↘")
    (60, 45)
    """
    return _ANGLES.get(puzzle.board.kind, {}).get(character)
