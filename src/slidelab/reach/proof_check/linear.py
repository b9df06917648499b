"""Linear conditions, as the checker sees them: it adds up given multiples, and searches for nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from slidelab.reach.proof_check.refusal import Refused, items, need, number, part

__all__ = ["Form", "add", "check_implied", "check_covered", "put", "read_form", "scale", "value"]

Form = dict[str, int]
"""A linear form: the coefficient of each size; the constant has the name ''."""

MAX_DEPTH = 40
"""Depth of a tree of cases."""


def read_form(form: Any, names: Sequence[str]) -> Form:
    """Return a linear form in given sizes; refuse anything else.

    >>> read_form({"m": 2, "": -1}, ["m"])
    {'m': 2, '': -1}
    """
    if not isinstance(form, Mapping):
        raise Refused(f"expected a linear form, got {str(form)[:40]!r}")
    for name, coefficient in form.items():
        need(name == "" or name in names, f"unknown size {str(name)[:20]!r}")
        need(type(coefficient) is int, "expected whole coefficients")
    return {str(name): coefficient for name, coefficient in form.items() if coefficient}


def add(a: Form, b: Form) -> Form:
    """Return the sum of two forms."""
    found = dict(a)
    for name, coefficient in b.items():
        found[name] = found.get(name, 0) + coefficient
    return {name: coefficient for name, coefficient in found.items() if coefficient}


def scale(a: Form, factor: int) -> Form:
    """Return a multiple of a form."""
    return {name: factor * coefficient for name, coefficient in a.items() if factor * coefficient}


def put(a: Form, values: Mapping[str, Form]) -> Form:
    """Return a form with other forms put for its sizes."""
    found: Form = {}
    for name, coefficient in a.items():
        found = add(found, scale(values.get(name, {name: 1}), coefficient))
    return found


def value(a: Form, sizes: Mapping[str, int]) -> int:
    """Return the value for given sizes."""
    return sum(coefficient * (sizes[name] if name else 1) for name, coefficient in a.items())


def _is_negative_sum(conditions: Sequence[Form], multipliers: Any) -> bool:
    """Return whether multiples of conditions add up to a negative number: a contradiction."""
    listed = items(multipliers)
    if len(listed) != len(conditions):
        return False
    total: Form = {}
    for condition, factor in zip(conditions, listed, strict=True):
        total = add(total, scale(condition, number(factor, 0)))
    return set(total) <= {""} and total.get("", 0) < 0


def check_implied(conditions: Sequence[Form], form: Form, multipliers: Any, what: str) -> None:
    """Refuse unless the multipliers show that conditions (each >= 0) make a form >= 0, for whole numbers.

    >>> check_implied([{"m": 1, "": -3}], {"m": 1, "": -2}, [1, 1], "m >= 2")
    """
    opposite = add(scale(form, -1), {"": -1})
    need(_is_negative_sum([*conditions, opposite], multipliers), f"{what} is not proved")


def check_covered(
    conditions: Sequence[Form], parts: Sequence[Sequence[Form]], tree: Any, what: str, depth: int = 0
) -> None:
    """Refuse unless a tree of cases shows that whatever satisfies the conditions lies in one of the parts."""
    need(depth < MAX_DEPTH, "a tree of cases is too deep")
    if isinstance(tree, Mapping) and "sum" in tree:
        need(_is_negative_sum(conditions, tree["sum"]), f"{what} is not proved")
        return
    chosen = parts[number(part(tree, "part"), 0, len(parts))]
    cases = items(part(tree, "cases"))
    need(len(cases) == len(chosen), f"{what}: a case is missing")
    for form, below in zip(chosen, cases, strict=True):
        fails = add(scale(form, -1), {"": -1})
        check_covered([*conditions, fails], parts, below, what, depth + 1)
