"""Groups of a puzzle as input files of GAP and Sage, with their orbits and our results to compare with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.errors import NotationError, PuzzleError
from slidelab.files import atomic_write

if TYPE_CHECKING:
    from slidelab.reach.families import FamilyReport

__all__ = ["GROUP_FORMATS", "gap_file", "sage_file", "save_groups"]

GROUP_FORMATS = {".g": "GAP", ".sage": "Sage"}
"""Endings of the names of group files."""


def gap_file(title: str, families: Sequence[FamilyReport]) -> str:
    """Return input for GAP: the group of each family, and whether GAP finds the same order and orbits.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("theta(1,2,2)")
    >>> text = gap_file(p.text, p.analyze().families)
    >>> print(text.splitlines()[0])
    # theta(1,2,2) tiles 1
    """
    lines = _head("#", title, families)
    names = _names(families)
    for name, family in zip(names, families, strict=True):
        group = family.group
        lines += [
            f"{name} := {group.to_gap()};;",
            f"{name}_orbits := {_orbits(family)};;",
            f'Print("{name} ", Size({name}) = {group.order} and '
            f"Set(Orbits({name}, [1..{group.degree}]), Set) = Set({name}_orbits, Set), "
            f'" ", Size({name}), "\\n");',
        ]
    return "\n".join([*lines, ""])


def sage_file(title: str, families: Sequence[FamilyReport]) -> str:
    """Return input for Sage: the group of each family, and whether Sage finds the same order and orbits.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2)")
    >>> print(sage_file(p.text, p.analyze().families).splitlines()[3])
    G = PermutationGroup([[(1, 3, 2)]], domain=list(range(1, 4)))
    """
    lines = _head("#", title, families)
    for name, family in zip(_names(families), families, strict=True):
        group = family.group
        lines += [
            f"{name} = {group.to_sage()}",
            f"{name}_orbits = {_orbits(family)}",
            f"print({name!r}, {name}.order() == {group.order} and "
            f"sorted(map(sorted, {name}.orbits())) == sorted({name}_orbits), {name}.order())",
        ]
    return "\n".join([*lines, ""])


def save_groups(path: str | os.PathLike[str], title: str, families: Sequence[FamilyReport]) -> None:
    """Write the groups as input of GAP (``.g``) or Sage (``.sage``).

    Examples
    --------
    >>> import slidelab as sl
    >>> save_groups("x.txt", "", ())
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a file name that ends in .g (GAP) or .sage, got 'x.txt'
    """
    suffix = Path(path).suffix.lower()
    if suffix not in GROUP_FORMATS:
        raise NotationError(f"expected a file name that ends in .g (GAP) or .sage, got {str(path)[-60:]!r}")
    text = (gap_file if suffix == ".g" else sage_file)(title, families)
    try:
        with atomic_write(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise PuzzleError(f"could not write {str(path)[-200:]!r}: {error.strerror}") from None


def _names(families: Sequence[FamilyReport]) -> list[str]:
    return ["G"] if len(families) == 1 else [f"G{number}" for number in range(1, len(families) + 1)]


def _head(mark: str, title: str, families: Sequence[FamilyReport]) -> list[str]:
    """Return comments: the puzzle, and on which cell each point lies."""
    lines = [
        f"{mark} {title}",
        f"{mark} The loops of the holes permute the points, from 1; the cell of each point, from 0:",
    ]
    for name, family in zip(_names(families), families, strict=True):
        lines.append(f"{mark} {name}: {' '.join(map(str, family.point_cells()))}")
    return lines


def _orbits(family: FamilyReport) -> list[list[int]]:
    return [[x + 1 for x in orbit] for orbit in family.group.orbits]
