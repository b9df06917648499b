"""A puzzle as a planner sees it: what lies on which spot, which cells are empty, and what an action does.

A *spot* is a placement of a piece in one of its readings: for tiles, a cell. Pieces that look alike have one
name: ``at`` is a relation, so that several pieces of one colour need no names of their own. A piece that also
looks the same when it is turned (a gourd with two red ends) lies on the least of its equal readings.

Names of spots contain their cells, ``c5`` or ``s4-5``, so that plans can be read without the task.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from slidelab.errors import TooLarge
from slidelab.puzzles import Configuration, ConfigurationLike, Puzzle, position
from slidelab.rules import Cells

__all__ = ["MAX_ACTIONS", "Action", "Piece", "Schema", "Task", "planning_task"]

MAX_ACTIONS = 2_000_000
"""Actions of the largest task that is written: some hundred megabytes, and more than planners can ground."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Pieces that look alike: their name, and the turns after which they look the same."""

    name: str
    turns: tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Schema:
    """What actions of one form have in common: the kind of move, and the numbers of cells."""

    kind: str
    filled: int
    """Cells that are empty before and covered afterwards."""
    beside: int
    """Cells that must be empty and stay so."""


@dataclass(frozen=True, slots=True)
class Action:
    """A move of any piece with the same turns from one spot to another."""

    name: str
    schema: Schema
    source: Cells
    target: Cells
    filled: Cells
    beside: Cells
    vacated: Cells


@dataclass(frozen=True)
class Task:
    """A start, a goal, and the actions of the rule on the board."""

    start: Configuration
    goal: Configuration

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.start.puzzle

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The kinds of pieces that differ, each once."""
        puzzle, readings = self.puzzle, self.puzzle.rule.readings
        if puzzle.colours is None:
            name = _word(puzzle.rule.piece, "piece")
            return tuple(Piece(f"{name}{number}", (0,)) for number in range(1, puzzle.piece_count + 1))
        kinds = tuple(dict.fromkeys(puzzle.colours))
        words = [_word("-".join(labels), "") for labels in kinds]
        out = []
        for number, labels in enumerate(kinds, 1):
            word = words[number - 1]
            unique = word and words.count(word) == 1
            turns = tuple(r for r, turned in enumerate(readings(labels)) if turned == labels)
            out.append(Piece(word if unique else f"colour{number}", turns))
        return tuple(out)

    @cached_property
    def _piece_of(self) -> tuple[Piece, ...]:
        """For each piece of the puzzle its name."""
        if self.puzzle.colours is None:
            return self.pieces
        kinds = dict(zip(dict.fromkeys(self.puzzle.colours), self.pieces, strict=True))
        return tuple(kinds[labels] for labels in self.puzzle.colours)

    @cached_property
    def looks(self) -> tuple[tuple[int, ...], ...]:
        """The different sets of turns after which pieces look the same."""
        return tuple(dict.fromkeys(piece.turns for piece in self.pieces))

    def spot(self, cells: Cells, turns: tuple[int, ...]) -> Cells:
        """Return the reading that stands for all that look the same."""
        readings = self.puzzle.rule.readings(cells)
        return min(readings[r] for r in turns)

    def spot_name(self, spot: Cells, turns: tuple[int, ...]) -> str:
        """Return the name of a spot; those of pieces with other turns have another first letter."""
        if len(spot) == 1:
            return f"c{spot[0]}"
        return f"{'stuvw'[self.looks.index(turns) % 5]}{'-'.join(map(str, spot))}"

    def spots(self, turns: tuple[int, ...]) -> Iterator[Cells]:
        """Yield the spots of pieces with these turns."""
        rule = self.puzzle.rule
        for placement in rule.placements(self.puzzle.board):
            yield from dict.fromkeys(self.spot(cells, turns) for cells in rule.readings(placement))

    def at(self, configuration: Configuration) -> list[tuple[Piece, Cells]]:
        """Return what lies where in a configuration."""
        pairs = zip(self._piece_of, configuration.pieces, strict=True)
        return [(piece, self.spot(cells, piece.turns)) for piece, cells in pairs]

    @cached_property
    def schemas(self) -> dict[Schema, str]:
        """The forms of actions, and their names: the kind of move, with numbers if it has several forms."""
        steps = (step for turns in self.looks for step in self._steps(turns))
        found = sorted({schema for schema, *_ in steps})
        kinds = [schema.kind for schema in found]
        return {
            schema: schema.kind
            if kinds.count(schema.kind) == 1
            else f"{schema.kind}-{schema.filled}-{schema.beside}"
            for schema in found
        }

    def _steps(self, turns: tuple[int, ...]) -> Iterator[tuple[Schema, Cells, Cells, Cells, Cells, Cells]]:
        puzzle = self.puzzle
        for source in self.spots(turns):
            for step in puzzle.rule.steps(puzzle.board, source):
                filled = tuple(cell for cell in step.after if cell not in source)
                vacated = tuple(cell for cell in source if cell not in step.after)
                beside = tuple(cell for cell in step.holes if cell not in filled)
                kind = _word(step.kind, "move")
                yield (
                    Schema(kind, len(filled), len(beside)),
                    source,
                    self.spot(step.after, turns),
                    filled,
                    beside,
                    vacated,
                )

    def actions(self, turns: tuple[int, ...]) -> Iterator[Action]:
        """Yield the actions of pieces with these turns, each once."""
        seen = set()
        for schema, *cells in self._steps(turns):
            source, target, filled, beside, vacated = cells
            key = (schema, source, target, filled, frozenset(beside))
            if key not in seen:
                seen.add(key)
                yield Action(self.schemas[schema], schema, source, target, filled, beside, vacated)

    def arguments(self, action: Action, turns: tuple[int, ...]) -> list[str]:
        """Return the names of an action's arguments after the piece: spots, then cells."""
        names = [self.spot_name(action.source, turns), self.spot_name(action.target, turns)]
        cells = action.beside if self.is_of_tiles else (*action.filled, *action.beside, *action.vacated)
        return names + [f"c{cell}" for cell in cells]

    @property
    def is_of_tiles(self) -> bool:
        """Whether pieces cover one cell, so that spots are cells."""
        return self.puzzle.rule.cells == 1

    @cached_property
    def action_count(self) -> int:
        """The number of actions of all pieces."""
        counts = {turns: sum(1 for _ in self.actions(turns)) for turns in self.looks}
        return sum(counts[piece.turns] for piece in self.pieces)


def planning_task(start: ConfigurationLike, goal: ConfigurationLike | None = None) -> Task:
    """Return the task from a start to a goal, by default the goal of the puzzle.

    Raises
    ------
    TooLarge
        If there are more than two million actions.

    Examples
    --------
    >>> task = planning_task("square R(2,2) : 1 2 . 3")
    >>> task.action_count
    24
    >>> [piece.name for piece in task.pieces]
    ['tile1', 'tile2', 'tile3']
    """
    first = start if isinstance(start, Configuration) else position(start)  # type: ignore[arg-type]
    last = first.puzzle.goal if goal is None else first.puzzle.configuration(goal)
    task = Task(first, last)
    if task.action_count > MAX_ACTIONS:
        raise TooLarge(
            f"expected at most {MAX_ACTIONS:,} moves of all pieces, got {task.action_count:,} - "
            f"for {first.puzzle.text}"
        )
    return task


def _word(text: str, default: str) -> str:
    """Return a text as a name of PDDL, which knows no capitals; the default if nothing is left of it."""
    word = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return word if word[:1].isalpha() else default
