"""Puzzles in PDDL, the language of planning competitions: a domain and a problem."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from slidelab.bridges.planning.task import Schema, Task, planning_task
from slidelab.draw.files import check_target
from slidelab.files import atomic_write
from slidelab.puzzles import ConfigurationLike

__all__ = ["Pddl", "pddl"]


@dataclass(frozen=True, slots=True, repr=False)
class Pddl:
    """A domain (the rule) and a problem (board, start and goal) as texts."""

    domain: str
    problem: str
    text: str
    """The start in one line."""

    def __repr__(self) -> str:
        return f"<PDDL of {self.text!r}: {len(self.domain) + len(self.problem):,} characters>"

    def save(self, path: str | os.PathLike[str]) -> tuple[Path, Path]:
        """Write the problem, and beside it the domain, whose name ends in ``-domain``.

        Fast Downward finds ``x-domain.pddl`` if it is given ``x.pddl`` alone.

        Returns
        -------
        tuple of Path
            The files with domain and problem.
        """
        problem = check_target(path, ("pddl",))
        domain = problem.with_name(f"{problem.stem}-domain.pddl")
        for file, text in ((domain, self.domain), (problem, self.problem)):
            with atomic_write(file) as out:
                out.write(text.encode("ascii"))
        return domain, problem


def pddl(start: ConfigurationLike, goal: ConfigurationLike | None = None) -> Pddl:
    r"""Return a puzzle in PDDL, for any rule: a domain and a problem, with types and otherwise STRIPS.

    Parameters
    ----------
    start
        A configuration, or anything that `slidelab.position` reads.
    goal
        By default the goal of its puzzle.

    Raises
    ------
    TooLarge
        If there are more than two million moves of pieces.

    Examples
    --------
    >>> import slidelab as sl
    >>> task = sl.pddl("hex T(2) hextiles 2 : 1 . .")
    >>> print(task.domain)
    (define (domain slidelab-hextiles)
      (:requirements :strips :typing)
      (:types piece cell)
      (:predicates
        (at ?p - piece ?s - cell)
        (empty ?c - cell)
        (can-slide ?from ?to ?b1 - cell))
      (:action slide
        :parameters (?p - piece ?from ?to ?b1 - cell)
        :precondition (and (at ?p ?from) (can-slide ?from ?to ?b1) (empty ?to) (empty ?b1))
        :effect (and (not (at ?p ?from)) (at ?p ?to) (not (empty ?to)) (empty ?from))))
    <BLANKLINE>
    >>> print("\n".join(task.problem.splitlines()[:3]))
    ; hex T(2) hextiles 2 : 1 . .
    (define (problem puzzle)
      (:domain slidelab-hextiles)
    """
    task = planning_task(start, goal)
    return Pddl(_domain(task), _problem(task), task.start.text)


def _domain_name(task: Task) -> str:
    return f"slidelab-{task.puzzle.rule.name}"


def _variables(schema: Schema, *, tiles: bool) -> tuple[list[str], list[str], list[str]]:
    """Return the variables of the cells of an action: filled, beside, vacated; for tiles spots are cells."""
    filled = ["?to"] if tiles else [f"?f{k}" for k in range(1, schema.filled + 1)]
    vacated = ["?from"] if tiles else [f"?v{k}" for k in range(1, schema.filled + 1)]
    return filled, [f"?b{k}" for k in range(1, schema.beside + 1)], vacated


def _domain(task: Task) -> str:
    tiles = task.is_of_tiles
    spot = "cell" if tiles else "spot"
    predicates = [f"(at ?p - piece ?s - {spot})", "(empty ?c - cell)"]
    actions = []
    for schema, name in task.schemas.items():
        filled, beside, vacated = _variables(schema, tiles=tiles)
        cells = beside if tiles else [*filled, *beside, *vacated]
        spots = "?from ?to" if tiles else "?from ?to - spot"
        parameters = f"{' '.join([spots, *cells])} - cell"
        can = f"(can-{name} {' '.join(['?from', '?to', *cells])})"
        predicates.append(f"(can-{name} {parameters})")
        holes = " ".join(f"(empty {cell})" for cell in (*filled, *beside))
        covered = " ".join(f"(not (empty {cell}))" for cell in filled)
        freed = " ".join(f"(empty {cell})" for cell in vacated)
        actions.append(
            f"  (:action {name}\n"
            f"    :parameters (?p - piece {parameters})\n"
            f"    :precondition (and (at ?p ?from) {can} {holes})\n"
            f"    :effect (and (not (at ?p ?from)) (at ?p ?to) {covered} {freed}))"
        )
    types = "piece cell" if tiles else "piece spot cell"
    return (
        "\n".join(
            [
                f"(define (domain {_domain_name(task)})",
                "  (:requirements :strips :typing)",
                f"  (:types {types})",
                "  (:predicates\n    " + "\n    ".join(predicates) + ")",
                *actions,
            ]
        )
        + ")\n"
    )


def _problem(task: Task) -> str:
    board = task.puzzle.board
    objects = [f"    {_lines(piece.name for piece in task.pieces)} - piece"]
    objects.append(f"    {_lines(f'c{cell}' for cell in range(board.size))} - cell")
    if not task.is_of_tiles:
        spots = (task.spot_name(spot, turns) for turns in task.looks for spot in task.spots(turns))
        objects.append(f"    {_lines(spots)} - spot")
    facts = [f"(at {piece.name} {task.spot_name(spot, piece.turns)})" for piece, spot in task.at(task.start)]
    facts += [f"(empty c{cell})" for cell in task.start.holes]
    for turns in task.looks:
        for action in task.actions(turns):
            facts.append(f"(can-{action.name} {' '.join(task.arguments(action, turns))})")
    goal = [f"(at {piece.name} {task.spot_name(spot, piece.turns)})" for piece, spot in task.at(task.goal)]
    comment = f"; {task.start.text}\n" if task.start.text.isascii() else ""
    return (
        f"{comment}(define (problem puzzle)\n"
        f"  (:domain {_domain_name(task)})\n"
        "  (:objects\n" + "\n".join(objects) + ")\n"
        "  (:init\n    " + "\n    ".join(dict.fromkeys(facts)) + ")\n"
        "  (:goal (and\n    " + "\n    ".join(goal) + ")))\n"
    )


def _lines(names: Iterable[str], width: int = 100) -> str:
    """Join names with blanks, and with line breaks where lines get long."""
    from textwrap import fill

    return fill(
        " ".join(names), width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
