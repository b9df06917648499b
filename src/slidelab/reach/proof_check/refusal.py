"""Why a proof is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["Refused", "items", "need", "need_proof", "number", "numbers", "part"]


class Refused(ValueError):
    """A step of a proof that does not hold, or a file that is no proof: one line that says what and where."""


def need(holds: bool, problem: str) -> None:
    """Raise `Refused` unless a condition holds.

    >>> need(True, "never raised")
    """
    if not holds:
        raise Refused(problem)


def need_proof(form: Any) -> None:
    """Refuse a form whose kind is not that of a proof."""
    kind = part(form, "kind")
    need(kind == "proof", f"expected the kind 'proof', got {str(kind)[:40]!r}")


def part(form: Any, key: str) -> Any:
    """Return the value of a key; refuse what has none."""
    if not isinstance(form, Mapping) or key not in form:
        raise Refused(f"expected an object with {key!r}, got {type(form).__name__} {str(form)[:40]!r}")
    return form[key]


def items(form: Any) -> Sequence[Any]:
    """Return a list; refuse anything else."""
    if not isinstance(form, list | tuple):
        raise Refused(f"expected a list, got {str(form)[:40]!r}")
    return form


def number(value: Any, least: int, below: int | None = None) -> int:
    """Return a whole number from `least` on; refuse anything else (also true and false)."""
    if type(value) is not int or value < least or (below is not None and value >= below):
        raise Refused(f"expected a number from {least} on, got {str(value)[:40]!r}")
    return value


def numbers(values: Any, count: int) -> list[int]:
    """Return a list of `count` whole numbers of either sign; refuse anything else."""
    found = items(values)
    if len(found) != count or not all(type(value) is int for value in found):
        raise Refused(f"expected {count} numbers, got {str(values)[:40]!r}")
    return list(found)
