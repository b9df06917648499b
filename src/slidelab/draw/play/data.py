"""The rules of one puzzle as data for the engine of a page: placements, steps, pieces, start and goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from slidelab.draw.page.drawing import BoardDrawing, verb_number
from slidelab.errors import TooLarge
from slidelab.gains.steps import Steps
from slidelab.puzzles import Configuration, Puzzle
from slidelab.rules import default_holes, default_rule

__all__ = ["list_steps", "piece_classes", "puzzle_data"]

MAX_STEPS = 200_000
"""Number of placements and of steps between them in a page; they take some 5 MB."""


def list_steps(puzzle: Puzzle) -> Steps:
    """Return the placements and steps of a puzzle; raise `TooLarge` if there are too many for a page.

    They are counted first: some rules have millions on a board that is not large.

    >>> import slidelab as sl
    >>> list_steps(sl.puzzle("square R(2,2)"))
    <8 steps of square R(2,2) tiles 1>
    """
    board, rule = puzzle.board, puzzle.rule
    count = 0
    for cells in rule.placements(board):
        count += 1 + sum(1 for _ in islice(rule.steps(board, cells), MAX_STEPS))
        if count > MAX_STEPS:
            raise TooLarge(
                f"expected at most {MAX_STEPS:,} placements and steps for a page, got more - "
                f"of {rule.name} on {board.name!r:.80}"
            )
    return Steps(puzzle.uncoloured)


def puzzle_data(
    drawing: BoardDrawing,
    steps: Steps,
    start: Configuration,
    goal: Configuration | None,
    floor: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return what the engine of a page knows about a puzzle.

    Parameters
    ----------
    drawing
        The drawing, which has the curves of motions.
    steps
        The placements and steps of the puzzle.
    start, goal
        Configurations of the puzzle. Without a goal the pieces must match the colours of `floor`.
    floor
        The colour of each cell.

    Examples
    --------
    >>> import slidelab as sl
    >>> goal = sl.puzzle("square R(2,2)").goal
    >>> data = puzzle_data(BoardDrawing.of(goal), Steps(goal.puzzle), goal, goal)
    >>> data["placements"], data["steps"][0]
    ([[0], [1], [2], [3]], [[1, 0, 0, [1]], [2, 0, 0, [2]]])
    """
    puzzle = start.puzzle
    rule = puzzle.rule
    classes, periods = piece_classes(puzzle)
    colours = puzzle.colours
    coloured = colours or ()
    return {
        "kinds": _kinds(puzzle),
        "size": puzzle.board.size,
        "piece": rule.piece,
        "readings": rule.readings(tuple(range(rule.cells))),
        "placements": [list(cells) for cells in steps.placements],
        "steps": _step_rows(drawing, steps),
        "labels": _labels(puzzle),
        "isColoured": colours is not None,
        "classes": classes,
        "periods": periods,
        "looks": [["-".join(labels) for labels in rule.readings(own)] for own in dict.fromkeys(coloured)],
        "start": steps.spots(start).tolist(),
        "goal": None if goal is None else steps.spots(goal).tolist(),
        "floor": None if goal is not None or floor is None else list(floor),
        "cellColours": [[own[min(k, len(own) - 1)] for k in range(rule.cells)] for own in coloured],
    }


def piece_classes(puzzle: Puzzle) -> tuple[list[int], list[int]]:
    """Return the class of each piece, and for each class the turns after which a piece looks the same.

    >>> import slidelab as sl
    >>> piece_classes(sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["a", "b"], ["a", "a"]]))
    ([0, 0, 1], [1, 2])
    """
    rule = puzzle.rule
    if puzzle.colours is None:
        return list(range(puzzle.piece_count)), [rule.turns] * puzzle.piece_count
    kinds = list(dict.fromkeys(puzzle.colours))
    periods = []
    for labels in kinds:
        readings = rule.readings(labels)
        periods.append(next((k for k in range(1, rule.turns) if readings[k] == labels), rule.turns))
    return [kinds.index(labels) for labels in puzzle.colours], periods


def _kinds(puzzle: Puzzle) -> list[str]:
    """Return the texts of board, rule and holes, in full and with defaults left out.

    >>> import slidelab as sl
    >>> _kinds(sl.puzzle("hex F(2) gourds"))
    ['hex F(2) gourds 1', 'hex F(2) gourds']
    """
    board, rule = puzzle.board, puzzle.rule
    kinds = [f"{board.name} {rule.name} {puzzle.hole_count}"]
    if puzzle.hole_count == default_holes(board, rule):
        kinds.append(f"{board.name} {rule.name}")
    if rule == default_rule(board):
        kinds += [kind.replace(f"{board.name} {rule.name}", board.name, 1) for kind in kinds]
    return kinds


def _labels(puzzle: Puzzle) -> list[str]:
    if puzzle.colours is None:
        return [str(number + 1) for number in range(puzzle.piece_count)]
    return ["-".join(labels) for labels in puzzle.colours]


def _step_rows(drawing: BoardDrawing, steps: Steps) -> list[list[list[Any]]]:
    """Return for each placement its steps: after, turn, verb, holes, and the curve unless straight."""
    rows: list[list[list[Any]]] = [[] for _ in steps.placements]
    readings = drawing.start.puzzle.rule.readings
    for row, kind in zip(steps.rows.tolist(), steps.kinds, strict=True):
        before, after, turn, *cells = row
        holes = tuple(cell for cell in cells if cell >= 0)
        curve = drawing.curve(steps.placements[before], readings(steps.placements[after])[turn], holes)
        rows[before].append([after, turn, verb_number(kind), list(holes), *([curve] if curve else [])])
    return rows
