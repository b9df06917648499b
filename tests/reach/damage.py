"""Random damage to a JSON form, which a checker must survive."""

from __future__ import annotations

import random
from typing import Any

__all__ = ["damage"]


def damage(form: Any, rng: random.Random, stop: float) -> None:
    """Replace a random part of a form by something else; stop on the way down with this probability."""
    at = form
    while isinstance(at, dict | list) and at:
        key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if rng.random() < stop or not isinstance(at[key], dict | list):
            at[key] = rng.choice([None, -1, 2, 10**30, "x", [], {}, True, [[1]], {"a": 1}])
            return
        at = at[key]
