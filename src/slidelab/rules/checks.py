"""Checks of a new rule: the limits of the core, and that the rule keeps the promises of `Rule`."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from slidelab.boards import Board, board
from slidelab.boards.lattice import DIRECTIONS
from slidelab.errors import PuzzleError
from slidelab.messages import quoted
from slidelab.rules.gourds import Gourds, SharpGourds
from slidelab.rules.hextiles import HexTiles
from slidelab.rules.rule import Cells, Rule
from slidelab.rules.tiles import Tiles

__all__ = ["check_rule"]

MAX_CHECKED_PLACEMENTS = 200
"""Placements of which all steps are checked on one board; a wrong rule shows on the first few."""

Effect = tuple[Cells, Cells, frozenset[int]]
"""Cells before, cells after, and the holes that are needed."""

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
    model = _model(rule)
    for cells in placements:
        _check_placement(rule, on, cells, f"got {cells} - {where}")
        effects = _effects(rule, on, cells)
        for effect in effects:
            _check_step(rule, on, cells, effect, where)
        if model is not None and effects != _effects(model, on, cells):
            raise PuzzleError(f"expected the steps of {model.name}, as the rule claims, at {cells} - {where}")
        for turn, reading in enumerate(rule.readings(cells)):
            turned = {(reading, rule.readings(after)[turn], holes) for _, after, holes in effects}
            if _effects(rule, on, reading) != turned:
                raise PuzzleError(
                    f"expected the same steps from all readings, got others from {reading} - {where}"
                )


def _check_placement(rule: Rule, on: Board, cells: Cells, given: str) -> None:
    if len(cells) != rule.cells or len(set(cells)) != rule.cells:
        raise PuzzleError(f"expected placements of {rule.cells} cells, {given}")
    if not all(0 <= cell < on.size for cell in cells):
        raise PuzzleError(f"expected placements on the board, {given}")
    if cells != min(rule.readings(cells)):
        raise PuzzleError(f"expected placements in their least reading, {given}")
    if not all(rule.fits(on, reading) for reading in rule.readings(cells)):
        raise PuzzleError(f"expected `fits` to accept every reading of a placement, {given}")


def _check_step(rule: Rule, on: Board, cells: Cells, effect: Effect, where: str) -> None:
    from slidelab import _core

    before, after, holes = effect
    given = f"got {before} to {after} into {sorted(holes)} - {where}"
    entered, left = set(after) - set(before), set(before) - set(after)
    if before != cells or not entered or not rule.fits(on, after):
        raise PuzzleError(f"expected steps from a placement to another, {given}")
    if not entered <= holes or holes & set(before):
        raise PuzzleError(f"expected the holes of a step to be the cells that it newly covers, {given}")
    if len(holes) > _core.MAX_STEP_HOLES:
        raise PuzzleError(f"expected at most {_core.MAX_STEP_HOLES} holes a step, {given}")
    if not any(on.adjacent(hole, cell) for hole in holes for cell in before):
        raise PuzzleError(f"expected a hole of every step to touch the piece, {given}")
    if (after, before, (holes - entered) | left) not in _effects(rule, on, after):
        raise PuzzleError(f"expected a step back for every step, {given}")


def _effects(rule: Rule, on: Board, cells: Cells) -> set[Effect]:
    """Return the steps of a piece, whatever they are called."""
    return {(step.before, step.after, frozenset(step.holes)) for step in rule.steps(on, cells)}


def _model(rule: Rule) -> Rule | None:
    """Return the rule whose steps a rule claims to have."""
    if rule.slides_along_edges:
        return Tiles()
    if rule.needs_companion:
        return HexTiles()
    return {"pivot": Gourds(), "sharp turn": SharpGourds()}.get(rule.corner or "")
