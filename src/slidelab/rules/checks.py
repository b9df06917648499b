"""Checks of a new rule: the limits of the core, and that the rule keeps the promises of `Rule`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from slidelab.boards import Board, board
from slidelab.boards.lattice import DIRECTIONS
from slidelab.errors import PuzzleError
from slidelab.messages import quoted
from slidelab.rules.rule import Cells, Rule, Step

__all__ = ["check_rule"]

MAX_CHECKED_PLACEMENTS = 200
"""Placements of which all steps are checked on one board; a wrong rule shows on the first few."""

_BOARDS = ("square R(4,4)", "hex P(4,4)", "king R(3,3)", "theta(1,2,2)")
_WORD = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_rule(rule: Rule, on: Board | None = None) -> None:
    """Raise `PuzzleError` if the core cannot handle a rule or if it contradicts itself.

    Placements and steps are checked on `on`, or on a few small boards that the rule does not refuse.
    """
    if not isinstance(rule, Rule):
        raise PuzzleError(f"expected an instance of slidelab.Rule, got {type(rule).__name__}")
    _check_attributes(rule)
    for where in map(board, _BOARDS) if on is None else (on,):
        if rule.refuses(where) is None:
            _check_on(rule, where)


def _check_attributes(rule: Rule) -> None:
    from slidelab import _core

    where = f"at rule {quoted(str(getattr(rule, 'name', '')))}"
    for attribute in ("name", "piece"):
        word = getattr(rule, attribute, None)
        if not isinstance(word, str) or not _WORD.fullmatch(word) or word in DIRECTIONS:
            raise PuzzleError(
                f"expected a word such as 'tiles' as {attribute}, got {quoted(str(word))} - {where}"
            )
    limits = {
        "cells": _core.MAX_PIECE_CELLS,
        "turns": _core.MAX_TURNS,
        "fewest_holes": _core.MAX_STEP_HOLES,
    }
    for attribute, limit in limits.items():
        number = getattr(rule, attribute, None)
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= limit:
            raise PuzzleError(f"expected from 1 to {limit} as {attribute}, got {number!r:.40} - {where}")
    cells = tuple(range(rule.cells))
    readings = rule.readings(cells)
    turned = [rule.readings(reading) for reading in readings]
    rotated = [readings[k:] + readings[:k] for k in range(rule.turns)]
    if len(set(readings)) != rule.turns or readings[0] != cells or turned != rotated:
        raise PuzzleError(
            f"expected {rule.turns} different readings, each the next one turned on, got {readings} - {where}"
        )


@lru_cache(maxsize=64)
def _check_on(rule: Rule, on: Board) -> None:
    where = f"at rule {quoted(rule.name)} on {quoted(on.name)}"
    placements = list(islice(rule.placements(on), MAX_CHECKED_PLACEMENTS))
    if len(set(placements)) < len(placements):
        raise PuzzleError(f"expected every placement once, got one twice - {where}")
    if rule.cells == 1 and len(placements) < min(on.size, MAX_CHECKED_PLACEMENTS):
        raise PuzzleError(f"expected one-cell pieces to fit on every cell, got {len(placements)} - {where}")
    for cells in placements:
        lies = f"got {cells} - {where}"
        if len(cells) != rule.cells or len(set(cells)) != rule.cells:
            raise PuzzleError(f"expected placements of {rule.cells} cells, {lies}")
        if not all(0 <= cell < on.size for cell in cells):
            raise PuzzleError(f"expected placements on the board, {lies}")
        if cells != min(rule.readings(cells)):
            raise PuzzleError(f"expected placements in their least reading, {lies}")
        if not all(rule.fits(on, reading) for reading in rule.readings(cells)):
            raise PuzzleError(f"expected `fits` to accept every reading of a placement, {lies}")
        steps = set(rule.steps(on, cells))
        for step in steps:
            _check_step(rule, on, cells, step, where)
        for turn, reading in enumerate(rule.readings(cells)):
            turned = {_essence(s.before, s.after, s.holes) for s in rule.steps(on, reading)}
            if turned != {_essence(*_turned(rule, s, turn)) for s in steps}:
                raise PuzzleError(
                    f"expected the same steps from all readings, got others from {reading} - {where}"
                )


def _check_step(rule: Rule, on: Board, cells: Cells, step: Step, where: str) -> None:
    from slidelab import _core

    shown = f"got {step.before} to {step.after} into {step.holes} - {where}"
    before, after, holes = set(step.before), set(step.after), set(step.holes)
    if step.before != cells or before == after or not rule.fits(on, step.after):
        raise PuzzleError(f"expected steps from a placement to another, {shown}")
    if not after - before <= holes or holes & before:
        raise PuzzleError(f"expected the holes of a step to be the cells that it newly covers, {shown}")
    if len(step.holes) > _core.MAX_STEP_HOLES or len(holes) < len(step.holes):
        raise PuzzleError(f"expected at most {_core.MAX_STEP_HOLES} different holes a step, {shown}")
    back = _essence(step.after, step.before, tuple((before - after) | (holes - after)))
    if back not in {_essence(s.before, s.after, s.holes) for s in rule.steps(on, step.after)}:
        raise PuzzleError(f"expected a step back for every step, {shown}")


def _turned(rule: Rule, step: Step, turn: int) -> tuple[Cells, Cells, Cells]:
    return rule.readings(step.before)[turn], rule.readings(step.after)[turn], step.holes


def _essence(before: Cells, after: Cells, holes: Cells) -> tuple[Cells, Cells, frozenset[int]]:
    """What a step does, whatever it is called and in whatever order its holes are listed."""
    return before, after, frozenset(holes)
