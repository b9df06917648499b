"""Random options of `solve`, and which methods take which puzzles."""

from __future__ import annotations

from random import Random
from typing import Any

from reach.twins import Twin

__all__ = ["ANY_PUZZLE", "CONSTRUCTIVE", "OPTIMAL", "accepted_methods", "draw_limits", "draw_options"]

OPTIMAL = ("auto", "table", "ida", "astar", "bidirectional", "anytime")
"""Methods that promise a shortest solution if there is no limit."""

ANY_PUZZLE = (*OPTIMAL, "weighted", "group")
"""Methods that take every puzzle."""

CONSTRUCTIVE = ("peel", "wilson", "cycle", "cycle-cubic", "group")
"""Methods for boards of any size, whose solutions may be shortened."""


def accepted_methods(made: Twin) -> list[str]:
    """Return the methods that take a puzzle, as the documentation says."""
    rule, holes = made.plain.rule, made.plain.hole_count
    methods = list(ANY_PUZZLE)
    if rule in ("tiles", "hextiles") or (rule == "gourds" and holes == 1):
        methods.append("peel")
    if rule == "tiles" and holes == 1:
        methods.append("wilson")
    if rule == "gourds" and holes == 1:
        methods += ["cycle", "cycle-cubic"]
    return methods


def draw_options(rng: Random, method: str) -> dict[str, Any]:
    """Return random options that do not limit a method."""
    options: dict[str, Any] = {"method": method}
    if method == "weighted" and rng.random() < 0.7:
        options["weight"] = rng.choice([1, 1.0, 1.1, 1.5, 2.5, 10, 1000])
    if rng.random() < 0.3:
        options["tables"] = rng.choice([0, 1, 1000, 10**5, 10**7])
    if rng.random() < 0.3:
        options["shorten"] = rng.random() < 0.5
    if rng.random() < 0.4:
        options["threads"] = rng.choice([1, 2, 3, 8])
    return options


def draw_limits(rng: Random) -> dict[str, Any]:
    """Return at least one random limit, often a tight one."""
    limits: dict[str, Any] = {}
    while not limits:
        if rng.random() < 0.4:
            limits["time"] = rng.choice([0, 1e-6, 0.001, 0.01, 0.1, 1.0])
        if rng.random() < 0.4:
            limits["memory"] = rng.choice([1, 1000, 10**5, "1M", "50M", "1G"])
        if rng.random() < 0.3:
            limits["max_shapes"] = rng.choice([1, 2, 10, 100, 10**4])
    return limits
