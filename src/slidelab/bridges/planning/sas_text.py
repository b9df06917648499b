"""Puzzles in SAS+, as the translator of Fast Downward writes it (version 3): planners need no grounding then.

If pieces are numbered, there is a variable for each piece, where it lies, and one for each cell, whether it
is empty. If pieces have colours, there is a variable for each placement, what lies there; with pieces of one
cell this also says what is empty.

References
----------
.. [1] M. Helmert, "The Fast Downward planning system", J. Artificial Intelligence Research 26 (2006).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from slidelab.bridges.planning.task import Action, Piece, Task, planning_task
from slidelab.draw.files import check_target
from slidelab.files import atomic_write
from slidelab.puzzles import Configuration, ConfigurationLike
from slidelab.rules import Cells

__all__ = ["SasPlus", "sas_plus"]

LINES_PER_CHUNK = 50_000
"""Lines that are written at a time."""

Fact = tuple[int, int]
"""A variable and its value."""


@dataclass(frozen=True)
class _Variable:
    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, repr=False)
class SasPlus:
    """A task in SAS+."""

    task: Task

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines()) + "\n"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the file, a part at a time."""
        target = check_target(path, ("sas",))
        with atomic_write(target) as file:
            lines = self.lines()
            while some := list(islice(lines, LINES_PER_CHUNK)):
                file.write(("\n".join(some) + "\n").encode("ascii"))
        return target

    def __repr__(self) -> str:
        counts = f"{self.variables:,} variables, {self.operators:,} operators"
        return f"<SAS+ of {self.task.start.text!r}: {counts}>"

    @property
    def operators(self) -> int:
        """The number of operators."""
        return self.task.action_count

    @property
    def variables(self) -> int:
        """The number of variables."""
        return len(self._variables)

    # Variables and facts

    @cached_property
    def _by_piece(self) -> bool:
        return self.task.puzzle.colours is None

    @cached_property
    def _has_cells(self) -> bool:
        """Whether there is a variable for each cell."""
        return self._by_piece or not self.task.is_of_tiles

    @cached_property
    def _placements(self) -> dict[Cells, int]:
        """The number of each placement, in the least reading."""
        puzzle = self.task.puzzle
        return {cells: number for number, cells in enumerate(puzzle.rule.placements(puzzle.board))}

    @cached_property
    def _spot_values(self) -> dict[Cells, int]:
        """The value of each spot of a numbered piece."""
        return {spot: value for value, spot in enumerate(self.task.spots((0,)))}

    @cached_property
    def _contents(self) -> list[dict[tuple[str, Cells], int]]:
        """For each placement the value of each piece in each reading there; 0 stands for none."""
        rule, out = self.task.puzzle.rule, []
        for placement in self._placements:
            values: dict[tuple[str, Cells], int] = {}
            for piece in self.task.pieces:
                for cells in rule.readings(placement):
                    values.setdefault((piece.name, self.task.spot(cells, piece.turns)), len(values) + 1)
            out.append(values)
        return out

    @cached_property
    def _variables(self) -> list[_Variable]:
        task = self.task
        found: list[_Variable] = []
        if self._by_piece:
            spots = [task.spot_name(spot, (0,)) for spot in self._spot_values]
            for piece in task.pieces:
                found.append(_Variable(piece.name, tuple(f"Atom at({piece.name}, {spot})" for spot in spots)))
        else:
            turns = {piece.name: piece.turns for piece in task.pieces}
            for number, values in enumerate(self._contents):
                atoms = [f"Atom at({name}, {task.spot_name(spot, turns[name])})" for name, spot in values]
                found.append(_Variable(f"place{number}", ("<none of those>", *atoms)))
        if self._has_cells:
            for cell in range(task.puzzle.board.size):
                atom = f"Atom empty(c{cell})"
                found.append(_Variable(f"cell{cell}", (atom, f"Negated{atom}")))
        return found

    def _empty(self, cell: int) -> int:
        """Return the variable that says whether a cell is empty, whose value is 0 then."""
        return cell if not self._has_cells else len(self._variables) - self.task.puzzle.board.size + cell

    def _changes(self, piece: Piece, number: int, source: Cells, target: Cells) -> dict[int, Fact]:
        """Return what an action does to pieces: for each variable its values before and after."""
        if self._by_piece:
            return {number: (self._spot_values[source], self._spot_values[target])}
        readings = self.task.puzzle.rule.readings
        there, here = (self._placements[min(readings(spot))] for spot in (target, source))
        before, after = self._contents[here][piece.name, source], self._contents[there][piece.name, target]
        return {here: (before, after)} if here == there else {here: (before, 0), there: (0, after)}

    def _state(self, configuration: Configuration) -> dict[int, int]:
        """Return the value of each variable in a configuration."""
        readings, board = self.task.puzzle.rule.readings, self.task.puzzle.board
        state = dict.fromkeys(range(len(self._variables)), 0)
        for number, (piece, spot) in enumerate(self.task.at(configuration)):
            if self._by_piece:
                state[number] = self._spot_values[spot]
            else:
                here = self._placements[min(readings(spot))]
                state[here] = self._contents[here][piece.name, spot]
        if self._has_cells:
            holes = set(configuration.holes)
            state |= {self._empty(cell): int(cell not in holes) for cell in range(board.size)}
        return state

    # The file

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file."""
        yield from ("begin_version", "3", "end_version", "begin_metric", "0", "end_metric")
        yield str(len(self._variables))
        for variable in self._variables:
            yield from ("begin_variable", variable.name, "-1", str(len(variable.values)))
            yield from variable.values
            yield "end_variable"
        groups = self._mutex_groups()
        yield str(len(groups))
        for group in groups:
            yield from ("begin_mutex_group", str(len(group)))
            yield from (f"{variable} {value}" for variable, value in group)
            yield "end_mutex_group"
        state = self._state(self.task.start)
        yield from ("begin_state", *(str(state[number]) for number in range(len(state))), "end_state")
        goal = self._goal()
        yield from ("begin_goal", str(len(goal)))
        yield from (f"{variable} {value}" for variable, value in goal)
        yield from ("end_goal", str(self.operators))
        actions = {turns: list(self.task.actions(turns)) for turns in self.task.looks}
        for number, piece in enumerate(self.task.pieces):
            for action in actions[piece.turns]:
                yield from self._operator(number, piece, action)
        yield "0"

    def _mutex_groups(self) -> list[list[Fact]]:
        """Return for each cell the facts of which one at most is true: it is empty, or a piece lies there."""
        board = self.task.puzzle.board
        if not self._by_piece:
            return []
        covering: list[list[int]] = [[] for _ in range(board.size)]
        for spot, value in self._spot_values.items():
            for cell in spot:
                covering[cell].append(value)
        pieces = range(len(self.task.pieces))
        return [
            [(piece, value) for piece in pieces for value in covering[cell]] + [(self._empty(cell), 0)]
            for cell in range(board.size)
        ]

    def _goal(self) -> list[Fact]:
        """Return the facts of the goal: where pieces lie, from which the empty cells follow."""
        state = self._state(self.task.goal)
        last = len(self._variables) - (self.task.puzzle.board.size if self._has_cells else 0)
        return [(number, state[number]) for number in range(last) if self._by_piece or state[number]]

    def _operator(self, number: int, piece: Piece, action: Action) -> Iterator[str]:
        changes = self._changes(piece, number, action.source, action.target)
        if self._has_cells:
            changes |= {self._empty(cell): (0, 1) for cell in action.filled}
            changes |= {self._empty(cell): (1, 0) for cell in action.vacated}
        prevail = [self._empty(cell) for cell in action.beside]
        arguments = " ".join(self.task.arguments(action, piece.turns))
        yield from ("begin_operator", f"{action.name} {piece.name} {arguments}", str(len(prevail)))
        yield from (f"{variable} 0" for variable in prevail)
        yield str(len(changes))
        yield from (f"0 {variable} {before} {after}" for variable, (before, after) in changes.items())
        yield from ("1", "end_operator")


def sas_plus(start: ConfigurationLike, goal: ConfigurationLike | None = None) -> SasPlus:
    """Return a puzzle in SAS+, as the search component of Fast Downward reads it.

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
    >>> task = sl.sas_plus("square R(2,2) : 1 2 . 3")
    >>> task
    <SAS+ of 'square R(2,2) tiles 1 : 1 2 . 3': 7 variables, 24 operators>
    >>> task.text.splitlines()[:3]
    ['begin_version', '3', 'end_version']
    """
    return SasPlus(planning_task(start, goal))
