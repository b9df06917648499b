"""All configurations of a component, one after the other: no list of them is ever in memory.

A configuration of a component is a shape of its family, and an element of the group of loops at one shape.
Elements are numbered by a stabiliser chain, so that any stretch of them can be made at once.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.files import atomic_write
from slidelab.gains import Family, gain_graph
from slidelab.messages import byte_size, counted
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.coloured_components import point_colours
from slidelab.reach.coloured_elements import colouring_elements
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["COMPONENT_FORMATS", "MAX_LINES", "Component", "component"]

BATCH_ENTRIES = 100_000
"""Entries of the arrays that are made at a time: a few megabytes with the text of the lines."""

MAX_LINES = 10**9
"""Configurations of the largest file that is written without being asked twice: some dozens of gigabytes."""

COMPONENT_FORMATS = ("jsonl", "csv")


@dataclass(frozen=True)
class Component:
    """All configurations that can be reached from one of them.

    Iterating yields each once, shape by shape, the shape of the start first.

    Examples
    --------
    >>> import slidelab as sl
    >>> c = sl.puzzle("square R(2,2)").component()
    >>> c
    <component of square R(2,2) tiles 1: 12 configurations>
    >>> len(c), len(set(c)), c.start in set(c)
    (12, 12, True)
    """

    start: Configuration
    budget: Budget = field(default_factory=Budget, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<component of {self.start.puzzle.text}: {counted(self.size, 'configuration')}>"

    @cached_property
    def family(self) -> Family:
        """The shapes, seen from that of the start."""
        graph = gain_graph(self.start.puzzle, self.budget)
        return graph.family(graph.place(_numbered(self.start))[0], self.budget)

    @cached_property
    def group(self) -> PermutationGroup:
        """The group of the loops at the shape of the start."""
        return family_group(self.family, self.budget)

    @cached_property
    def size(self) -> int:
        """The number of configurations, however large; ``len`` is the same up to the limit of Python.

        Of coloured pieces they are counted one by one.
        """
        if self.start.puzzle.colours is None:
            return self.group.order * self.family.shapes
        return sum(len(rows) for rows in self._elements()) * self.family.shapes

    def __len__(self) -> int:
        return self.size

    def __reduce__(self) -> tuple[object, ...]:
        return Component, (self.start,)

    def __iter__(self) -> Iterator[Configuration]:
        puzzle = self.start.puzzle
        make = Configuration.trusted if puzzle.colours is None else Configuration
        for batch in self.batches():
            for pieces in batch.tolist():
                yield make(puzzle, tuple(map(tuple, pieces)))

    def _elements(self) -> Iterator[NDArray[np.uint16]]:
        """Yield arrays of elements of the group, one element for each arrangement at a shape."""
        import numpy as np

        rows = max(1, BATCH_ENTRIES // max(1, self.family.graph.degree))
        if self.start.puzzle.colours is None:
            for first in range(0, self.group.order, rows):
                count = min(rows, self.group.order - first)
                yield self.group.core.elements(first, count, self.budget.check)
            return
        _, arrangement = self.family.graph.place(_numbered(self.start))
        colour = point_colours(self.start.puzzle)
        found = colouring_elements(self.group, [colour[point] for point in arrangement], self.budget)
        while some := list(islice(found, rows)):
            yield np.array(some, dtype=np.uint16)

    def batches(self) -> Iterator[NDArray[np.uint16]]:
        """Yield arrays of configurations of one shape each: for each the cells of every piece.

        Examples
        --------
        >>> import slidelab as sl
        >>> [batch.shape for batch in sl.puzzle("square R(2,2)").component().batches()]
        [(3, 3, 1), (3, 3, 1), (3, 3, 1), (3, 3, 1)]
        """
        import numpy as np

        family, graph, rule, done = self.family, self.family.graph, self.start.puzzle.rule, 0
        _, arrangement = graph.place(_numbered(self.start))
        turns, pieces = rule.turns, self.start.puzzle.piece_count
        for number, shape in enumerate(family.members.tolist()):
            readings = np.array([rule.readings(cells) for cells in graph.slots(shape)], dtype=np.uint16)
            for elements in self._elements():
                self.budget.check("configurations", done, self.size)
                done += len(elements)
                # The element takes the piece of each slot point elsewhere, then the tree to the shape.
                there = np.empty_like(elements)
                moved = family.potentials[number][elements]
                np.put_along_axis(there, moved.astype(np.int64), arrangement[None, :], axis=1)
                points = there[:, ::turns]
                cells = readings[np.arange(pieces)[None, :], -points.astype(np.int64) % turns]
                out = np.empty_like(cells)
                out[np.arange(len(out))[:, None], points // turns] = cells
                yield out

    def lines(self, kind: str = "jsonl") -> Iterator[str]:
        """Yield text: JSON forms, or rows of CSV after a header, some thousand lines at a time.

        Examples
        --------
        >>> import slidelab as sl
        >>> c = sl.puzzle("square R(2,2)").component()
        >>> next(c.lines()).splitlines()[0], next(c.lines("csv")).splitlines()[0]
        ('{"tiles": [1, 2, 3, 0]}', 'cell 0,cell 1,cell 2,cell 3')
        """
        is_tiles = self.start.puzzle.rule.cells == 1
        if kind == "csv":
            yield _csv([_columns(self.start, is_tiles)])
        (key,) = self.start.to_json()
        text = str if self.start.puzzle.colours is None or not is_tiles else json.dumps
        for batch in self.batches():
            rows: list[Any] = _tiles(batch, self.start.puzzle) if is_tiles else batch.tolist()
            if kind == "csv":
                yield _csv(rows if is_tiles else [[c for cells in row for c in cells] for row in rows])
            else:
                yield "".join(f'{{"{key}": {text(row)}}}\n' for row in rows)

    def save(self, path: str | os.PathLike[str], *, limit: int = MAX_LINES) -> None:
        """Write a file with one configuration in each line, whole or not at all.

        Parameters
        ----------
        path
            A name that ends in ``.jsonl`` or ``.csv``.
        limit
            Largest number of configurations.

        Raises
        ------
        TooLarge
            If there are more.

        Examples
        --------
        >>> import slidelab as sl
        >>> file = getfixture("tmp_path") / "all.csv"
        >>> sl.puzzle("square R(2,2)").component().save(file)
        >>> len(file.read_text().splitlines())
        13
        """
        target = Path(path)
        kind = target.suffix.lower().removeprefix(".")
        if kind not in COMPONENT_FORMATS:
            raise NotationError(f"expected a file name that ends in .jsonl or .csv, got {str(path)[-60:]!r}")
        self.check_limit(limit)
        try:
            with atomic_write(target) as file:
                for text in self.lines(kind):
                    file.write(text.encode())
        except OSError as error:
            raise PuzzleError(f"could not write {str(path)[-200:]!r}: {error.strerror}") from None

    def check_limit(self, limit: int) -> None:
        """Raise `TooLarge` if there are more configurations than that."""
        if self.size > limit:
            size = byte_size(self.size * 4 * self.start.puzzle.board.size)
            raise TooLarge(
                f"{self.start.puzzle.text} has {counted(self.size, 'configuration')} in a component, about "
                f"{size} of text, and the limit is {limit:,}"
            )


def component(start: Configuration, *, budget: Budget | None = None) -> Component:
    """Return the component of a configuration.

    Parameters, result and errors are those of `slidelab.Puzzle.component`.

    Examples
    --------
    >>> import slidelab as sl
    >>> component(sl.puzzle("theta(1,2,2)").goal).size
    840
    """
    found = Component(start, budget or Budget())
    _ = found.size  # raises now what would be raised later
    return found


def _columns(start: Configuration, is_tiles: bool) -> list[str]:
    """Return the names of the columns of a CSV file."""
    if is_tiles:
        return [f"cell {cell}" for cell in range(start.puzzle.board.size)]
    width = start.puzzle.rule.cells
    return [
        f"{start.puzzle.rule.piece} {k} cell {n}"
        for k in range(1, start.puzzle.piece_count + 1)
        for n in range(1, width + 1)
    ]


def _tiles(batch: NDArray[np.uint16], puzzle: Puzzle) -> list[list[Any]]:
    """Return for each configuration the number or colour of the tile on each cell, 0 for a hole."""
    import numpy as np

    rows = np.zeros((len(batch), puzzle.board.size), dtype=np.uint16)
    numbers = np.arange(1, batch.shape[1] + 1, dtype=np.uint16)[None, :]
    np.put_along_axis(rows, batch[:, :, 0].astype(np.int64), numbers, axis=1)
    if puzzle.colours is None:
        return list(rows.tolist())
    names: list[Any] = [0, *(labels[0] for labels in puzzle.colours)]
    return [[names[tile] for tile in row] for row in rows.tolist()]


def _numbered(configuration: Configuration) -> Configuration:
    return Configuration(configuration.puzzle.uncoloured, configuration.pieces)


def _csv(rows: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()
