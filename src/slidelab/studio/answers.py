"""What workers answer while the page waits: the puzzle itself, and what does not take long."""

from __future__ import annotations

from typing import Any

from slidelab.budget import Budget
from slidelab.draw.page.drawing import BoardDrawing, check_cells
from slidelab.draw.play.data import list_steps
from slidelab.draw.play.page import play_data
from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, Document
from slidelab.studio.forms import PuzzleRequest
from slidelab.studio.sources import BoardTooLarge, decode_raw, read_source

__all__ = ["puzzle_answer"]

PLACE_SECONDS = 1.0
"""Time for finding a goal where only the colours of its cells are given."""


def puzzle_answer(request: PuzzleRequest, budget: Budget, *, cells: int, depth: int) -> dict[str, Any]:
    """Return all that the page needs to show and play a puzzle.

    >>> answer = puzzle_answer(PuzzleRequest(text="2x2 : 1 . 2 3"), Budget(), cells=100, depth=9)
    >>> answer["position"], answer["goal"]
    ('square R(2,2) tiles 1 : 1 . 2 3', 'square R(2,2) tiles 1 : 1 2 3 .')
    >>> sorted(answer["play"])[:5]
    ['arrows', 'assemblies', 'assemblyOf', 'cells', 'cellsPerPiece']
    """
    document = read_source(request.text, decode_raw(request.document), request.goal, cells=cells, depth=depth)
    puzzle, floor = document.puzzle, document.cells
    goal = _goal(document, budget)
    start = (goal or puzzle.goal) if document.start is None else document.start
    solution = document.solution()
    return {
        "puzzle": puzzle.uncoloured.text,
        "position": start.text,
        "goal": None if goal is None else goal.text,
        "floor": None if floor is None else list(floor),
        "pieces": puzzle.piece_count,
        "cells": puzzle.board.size,
        "holes": puzzle.hole_count,
        "rule": puzzle.rule.name,
        "kind": puzzle.board.kind,
        "board": puzzle.board.to_json(),
        "moves": None if solution is None else [move.text for move in solution.moves],
        "play": _play(start, goal, floor),
    }


def _goal(document: Document, budget: Budget) -> Configuration | None:
    """Return the goal; where the cells have colours, a placement that matches them, if one is found soon."""
    if document.goal is not None:
        return document.goal
    if document.cells is None:
        return document.puzzle.goal
    near = document.start
    place = budget.share(seconds=PLACE_SECONDS)
    found = document.puzzle.place(document.cells, near=near, time=place.time_left)
    return Configuration(document.puzzle, found.configuration.pieces) if found else None


def _play(start: Configuration, goal: Configuration | None, floor: tuple[str, ...] | None) -> dict[str, Any]:
    """Return the data of a page to play on, and its drawing; lengths are in pixels."""
    try:
        check_cells(start.puzzle, "a page")
        steps = list_steps(start.puzzle)
    except TooLarge as error:
        raise BoardTooLarge(str(error)) from None
    drawing = BoardDrawing.of(start, floor=floor, goal=goal)
    end = goal if floor is None else None
    return {**play_data(drawing, steps, start, end, floor), **drawing.values}
