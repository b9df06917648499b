"""What is known about the topology of a puzzle: cells, Betti numbers and torsion of its components."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

from slidelab.display import HtmlDisplay
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Puzzle

__all__ = ["COMPLEX_MODELS", "ComplexModel", "ComponentTopology", "Topology"]

ComplexModel: TypeAlias = Literal["moves", "hard"]
"""What is filled in: independent moves only, or also what one hard piece can do by itself."""

COMPLEX_MODELS: tuple[ComplexModel, ...] = ("moves", "hard")

Torsion: TypeAlias = tuple[tuple[int, ...], ...]
"""The orders of the finite cyclic summands of each homology group, each dividing the next."""


@dataclass(frozen=True, slots=True)
class ComponentTopology:
    """One component of a configuration complex, which stands for all that are isomorphic to it.

    Tuples are indexed by the dimension.
    """

    count: int
    """The number of such components."""
    shapes: int
    sheets: int
    """Arrangements of the pieces over each shape."""
    cells: tuple[int, ...]
    """The number of cells of each dimension; those of dimension 0 are configurations."""
    critical: tuple[int, ...]
    """Critical cells of the discrete Morse reduction: at least the Betti numbers over every field."""
    homology: tuple[int, ...] | None = None
    """The Betti numbers over the rational numbers; None if they were not found within the limits."""
    torsion: Torsion | None = None

    @property
    def dimension(self) -> int:
        """The largest dimension of a cell."""
        return len(self.cells) - 1

    @property
    def euler(self) -> int:
        """The Euler characteristic: cells of even dimension less cells of odd dimension."""
        return sum(-number if k % 2 else number for k, number in enumerate(self.cells))

    def betti(self, field: int = 0) -> tuple[int, ...] | None:
        """Return the Betti numbers over the rational numbers (0) or the field of a prime number of elements.

        By the universal coefficient theorem a summand of the k-th homology group whose order the prime
        divides counts in the dimensions k and k + 1.
        """
        if field != 0 and (field < 2 or any(field % d == 0 for d in range(2, min(field, 1000)))):
            raise NotationError(f"expected 0 or a prime number as the field, got {field}")
        if self.homology is None or self.torsion is None or field == 0:
            return self.homology
        extra = [sum(order % field == 0 for order in orders) for orders in self.torsion]
        before = [0, *extra]
        return tuple(b + t + u for b, t, u in zip(self.homology, extra, before, strict=False))

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form of a kind of component."""
        by_two = self.betti(2)
        return {
            "components": self.count,
            "shapes": self.shapes,
            "size": self.cells[0],
            "dimension": self.dimension,
            "cells": list(self.cells),
            "critical": list(self.critical),
            "euler": self.euler,
            "betti": None if self.homology is None else list(self.homology),
            "betti_mod_2": None if by_two is None else list(by_two),
            "torsion": None if self.torsion is None else [list(orders) for orders in self.torsion],
        }


@dataclass(frozen=True, slots=True)
class Topology(HtmlDisplay):
    """The topology of the configuration complex of a puzzle; prints as a table.

    Configurations in which nothing can move are counted apart: each would be one more component.

    Examples
    --------
    >>> import slidelab as sl
    >>> t = sl.puzzle("hex F(2)", holes=3).topology()
    >>> t
    <topology of 'hex F(2) hextiles 3': Betti numbers 6, 582>
    >>> t.dimension, t.euler, t.betti(2)
    (2, -576, (6, 582, 0))
    """

    puzzle: Puzzle
    model: ComplexModel
    unlabelled: bool
    """Whether all pieces are taken for the same."""
    isolated: int
    """Configurations in which nothing can move."""
    parts: tuple[ComponentTopology, ...]
    """The kinds of components that can move, the largest first."""
    reason: str | None = None
    """Why there are no Betti numbers, if a limit was reached."""

    @property
    def components(self) -> int:
        """The number of components that can move."""
        return sum(part.count for part in self.parts)

    @property
    def dimension(self) -> int:
        """The largest dimension of a cell; 0 if nothing can move."""
        return max((part.dimension for part in self.parts), default=0)

    @property
    def cells(self) -> tuple[int, ...]:
        """The number of cells of each dimension in all components that can move."""
        return _sum(tuple(part.count * n for n in part.cells) for part in self.parts)

    @property
    def euler(self) -> int:
        """The Euler characteristic of all components that can move."""
        return sum(part.count * part.euler for part in self.parts)

    def betti(self, field: int = 0) -> tuple[int, ...]:
        """Return the Betti numbers of all components that can move.

        Parameters
        ----------
        field
            0 for the rational numbers, or a prime p for the integers modulo p.

        Raises
        ------
        TooLarge
            If they were not found within the limits.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").topology().betti()
        (2, 2)
        """
        rows = []
        for part in self.parts:
            numbers = part.betti(field)
            if numbers is None:
                raise TooLarge(f"the Betti numbers are not known: {self.reason}")
            rows.append(tuple(part.count * n for n in numbers))
        return _sum(rows)

    @property
    def torsion(self) -> Torsion:
        """The torsion of one component of each kind, of all kinds together; `TooLarge` as in `betti`."""
        if self.reason is not None:
            raise TooLarge(f"the torsion is not known: {self.reason}")
        every = [part.torsion or () for part in self.parts]
        return tuple(
            tuple(sorted(t for row in rows for t in row)) for rows in zip_longest(*every, fillvalue=())
        )

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        known = self.reason is None
        return {
            "puzzle": self.puzzle.to_json(),
            "model": self.model,
            "unlabelled": self.unlabelled,
            "components": self.components,
            "isolated": self.isolated,
            "dimension": self.dimension,
            "cells": list(self.cells),
            "euler": self.euler,
            "betti": list(self.betti()) if known else None,
            "betti_mod_2": list(self.betti(2)) if known else None,
            "parts": [part.to_json() for part in self.parts],
            "reason": self.reason,
        }

    def __str__(self) -> str:
        from slidelab.reach.topology.report import topology_text

        return topology_text(self)

    def __repr__(self) -> str:
        whole = f"<topology of {self.puzzle.text!r}: "
        if self.reason is not None:
            return f"{whole}{counted(self.components, 'component')}, Betti numbers unknown>"
        numbers = list(self.betti())
        while len(numbers) > 1 and not numbers[-1]:
            numbers.pop()
        return f"{whole}Betti numbers {', '.join(map(str, numbers)) or 'none'}>"


def _sum(rows: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip_longest(*rows, fillvalue=0)))
