"""The questions of a sweep: one flat record for each puzzle, as a row of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.distance.gods_number import gods_number
from slidelab.errors import PuzzleError
from slidelab.puzzles import Document, read_document
from slidelab.reach.analysis import analyze
from slidelab.reach.required_permutation import required_permutation
from slidelab.reach.verdict import solvable

if TYPE_CHECKING:
    from slidelab.puzzles import Configuration

__all__ = ["QUESTIONS", "Question", "Record", "answer"]

Record = dict[str, Any]
"""Values by the names of the columns: texts, whole numbers, true, false or None."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the columns of its answers, besides ``puzzle`` and ``error``."""

    name: str
    columns: tuple[str, ...]
    run: Callable[[Document, Budget, int], Record]


def _analyze(document: Document, budget: Budget, seed: int) -> Record:
    found = analyze(document.puzzle, budget=budget, connection=False)
    one = found.families[0] if len(found.families) == 1 else None
    return {
        "cells": document.puzzle.board.size,
        "edges": len(document.puzzle.board.edges),
        "pieces": document.puzzle.piece_count,
        "holes": document.puzzle.hole_count,
        "shapes": found.shapes,
        "isolated": found.isolated,
        "families": len(found.families) if found.too_large is None else None,
        "components": found.components,
        "size": None if one is None else one.size,
        "group": "; ".join(dict.fromkeys(f.group.name for f in found.families)) or None,
        "order": None if one is None else one.group.order,
        "weak_parity": found.weak_parity,
        "strong_parity": found.strong_parity,
        "maximally_connected": found.maximally_connected,
    }


def _god(document: Document, budget: Budget, seed: int) -> Record:
    found = gods_number(document.puzzle, budget=budget)
    return {
        "gods_number": found.number,
        "exact": found.exact,
        "radius": found.radius,
        "configurations": max((s.distances.states for s in found.searches), default=1),
        "start": found.hardest[0].pieces_text if found.hardest else None,
        "farthest": found.hardest[1].pieces_text if found.hardest else None,
    }


def _solvable(document: Document, budget: Budget, seed: int) -> Record:
    start = document.start or _random_start(document, seed)
    goal = document.puzzle.goal if document.goal is None else document.goal
    verdict = solvable(document.puzzle, start, goal, budget=budget)
    required = required_permutation(start, goal, budget=budget)
    return {
        "start": start.pieces_text,
        "solvable": verdict.solvable,
        "reason": verdict.reason,
        "permutation": None if required is None else str(required),
        "sign": None if required is None else required.sign,
    }


def _random_start(document: Document, seed: int) -> Configuration:
    """Return the goal with its pieces in random order: every arrangement is equally likely."""
    from random import Random

    from slidelab.puzzles import Configuration

    goal = document.puzzle.goal if document.goal is None else document.goal
    rng = Random(f"{seed} {document.puzzle.text}")
    readings = document.puzzle.rule.readings
    pieces = [rng.choice(readings(cells)) for cells in goal.pieces]
    rng.shuffle(pieces)
    return Configuration(document.puzzle, tuple(pieces))


QUESTIONS = {
    question.name: question
    for question in (
        Question(
            "analyze",
            (
                *("cells", "edges", "pieces", "holes", "shapes", "isolated", "families", "components"),
                *("size", "group", "order", "weak_parity", "strong_parity", "maximally_connected"),
            ),
            _analyze,
        ),
        Question("god", ("gods_number", "exact", "radius", "configurations", "start", "farthest"), _god),
        Question("solvable", ("start", "solvable", "reason", "permutation", "sign"), _solvable),
    )
}
"""What can be asked of many puzzles."""


def answer(
    question: Question, text: str, rule: str | None, holes: int | None, budget: Budget, seed: int
) -> Record:
    """Return the record of one puzzle; what went wrong is in its column ``error``.

    Examples
    --------
    >>> answer(QUESTIONS["god"], "square R(2,2)", None, None, Budget(), 0)["gods_number"]
    6
    >>> answer(QUESTIONS["god"], "sqare", None, None, Budget(), 0)["error"][:16]
    'expected a board'
    """
    record: Record = {"puzzle": text, **dict.fromkeys(question.columns), "error": None}
    try:
        document = read_document(text, rule, holes)
        record["puzzle"] = document.puzzle.text
        record |= question.run(document, budget, seed)
    except PuzzleError as error:
        record["error"] = " ".join(str(error).split())
    except MemoryError:
        record["error"] = "out of memory"
    return record
