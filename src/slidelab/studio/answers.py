"""What workers answer while the page waits: the puzzle itself, and what does not take long."""

from __future__ import annotations

import secrets
from typing import Any

from slidelab.budget import Budget
from slidelab.draw.page.drawing import BoardDrawing, check_cells
from slidelab.draw.play.data import list_steps
from slidelab.draw.play.page import play_data
from slidelab.errors import OutOfTime, TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Configuration, Document
from slidelab.reach.random_configurations import shuffle
from slidelab.solve.difficulty import random_instances
from slidelab.studio.forms import PictureRequest, PuzzleRequest, ShuffleRequest
from slidelab.studio.hints import quick_table_distance
from slidelab.studio.protocol import BoardTooLarge
from slidelab.studio.sources import decode_raw, place_vertices, read_source

__all__ = ["picture_answer", "puzzle_answer", "shuffle_answer"]

MAX_RANDOM_SEED = 2**31
"""Seeds that are made up are below this, so that they are short in an address."""

DRAW_SHARE = 0.75
"""Part of the time for a shuffle in which its distance must be known."""

WALK_MOVES = {"easy": 1, "medium": 4}
"""Moves of a random walk for a difficulty, for each piece, where distances cannot be found in time."""

MAX_WALK_MOVES = 2_000
"""Moves of the longest walk; more is no easy puzzle."""

MAX_PICTURE_CELLS = 1_000
"""Cells of the largest board of which a small picture is made."""

PLACE_SHARE = 0.5
"""Part of the time for finding a goal where only the colours of its cells are given."""


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
        "play": _play(place_vertices(start, request.positions), goal, floor),
    }


def _goal(document: Document, budget: Budget) -> Configuration | None:
    """Return the goal; where the cells have colours, a placement that matches them, if one is found soon."""
    if document.goal is not None:
        return document.goal
    if document.cells is None:
        return document.puzzle.goal
    seconds = budget.part(PLACE_SHARE).time_left
    try:
        found = document.puzzle.place(document.cells, near=document.start, time=seconds)
    except OutOfTime:
        return None  # it can be played all the same
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


def picture_answer(request: PictureRequest, *, cells: int, depth: int) -> dict[str, str]:
    """Return a small picture of a position, with the colours of its cells if they are the goal.

    >>> picture_answer(PictureRequest(text="2x2"), cells=100, depth=9)["svg"][:4]
    '<svg'
    """
    document = read_source(request.text, None, None, cells=min(cells, MAX_PICTURE_CELLS), depth=depth)
    start = document.puzzle.goal if document.start is None else document.start
    return {"svg": start.draw(theme=request.theme, floor=document.cells).svg}


def shuffle_answer(request: ShuffleRequest, budget: Budget, *, cells: int, depth: int) -> dict[str, Any]:
    """Return a random position, and how far it is from the goal if that is known.

    >>> answer = shuffle_answer(ShuffleRequest(puzzle="3x3", seed=1, moves=12), Budget(), cells=9, depth=9)
    >>> answer["distance"], answer["exact"], answer["seed"]
    (12, True, 1)
    """
    document = read_source(request.puzzle, None, request.goal, cells=cells, depth=depth)
    puzzle = document.puzzle
    goal = puzzle.goal if document.goal is None else document.goal
    seed = secrets.randbelow(MAX_RANDOM_SEED) if request.seed is None else request.seed
    if request.moves is None and request.difficulty is None:
        start = shuffle(puzzle, seed, goal, budget=budget)
        try:
            distance = quick_table_distance(start, goal, budget)
        except OutOfTime:
            distance = None
        return {
            "position": start.text,
            "distance": distance,
            "at_least": distance,
            "at_most": distance,
            "exact": distance is not None,
            "seed": seed,
            "about": "a random position, uniform among all that can be reached",
        }
    try:
        drawn = random_instances(
            puzzle,
            seed,
            goal,
            moves=request.moves,
            difficulty=request.difficulty,
            budget=budget.part(DRAW_SHARE),
        )
        instance = next(drawn)
    except (OutOfTime, TooLarge):
        if request.difficulty is None:
            raise
        return _walk_answer(goal, request.difficulty, seed, budget)
    return {
        "position": instance.configuration.text,
        "distance": instance.distance if instance.proved else None,
        "at_least": instance.distance,
        "at_most": instance.distance if instance.proved else None,
        "exact": instance.proved,
        "seed": seed,
        "about": instance.description,
    }


def _walk_answer(goal: Configuration, difficulty: str, seed: int, budget: Budget) -> dict[str, Any]:
    """Return a position whose distance is not known: after a short walk, or anywhere if it is to be hard."""
    most = None
    if difficulty in WALK_MOVES:
        most = min(WALK_MOVES[difficulty] * goal.puzzle.piece_count, MAX_WALK_MOVES)
        arrays = goal.puzzle.arrays()
        states, _ = arrays.random_walks(arrays.encode([goal]), most, seed=seed, record=False)
        (start,) = arrays.decode(states)
        about = f"{counted(most, 'random move')} from the goal; the distance was not found in time"
    else:
        start = shuffle(goal.puzzle, seed, goal, budget=budget)
        about = "a random position; its distance was not found in time"
    return {
        "position": start.text,
        "distance": None,
        "at_least": None,
        "at_most": most,
        "exact": False,
        "seed": seed,
        "about": about,
    }
