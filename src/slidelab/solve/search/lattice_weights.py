"""Weights of the features of states on lattices, fitted by ``benchmarks/fit_ranking.py``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from slidelab.boards.lattice import Cell
from slidelab.solve.search.lattice_features import Feature, PairFeature, SingleFeature, steps

__all__ = ["FAR_STEP", "UNIT", "extended", "formula", "load_weights", "save_weights", "weights_name"]

UNIT = 64
"""Parts of a weight in which the core counts costs."""

FAR_STEP = 6.0
"""Cost of each step by which a piece is farther from its goal than any with a weight: that of the last steps
that have been fitted."""

RING_STEPS = 0.7
"""Steps between vectors that a step between rings counts for when the nearest feature is looked for."""

FILE = Path(__file__).with_name("ranking_weights.json")

Weights = dict[Feature, float]


@cache
def load_weights() -> dict[str, Weights]:
    """Return the weights of each lattice by feature, for beams without pattern databases and with them.

    >>> sorted(load_weights())
    ['hex', 'hex with databases', 'square', 'square with databases']
    """
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return {lattice: dict(map(_read, rows)) for lattice, rows in document.items()}


def weights_name(lattice: str, *, databases: bool) -> str:
    """Return the name of the weights of a lattice.

    >>> weights_name("hex", databases=True)
    'hex with databases'
    """
    return f"{lattice} with databases" if databases else lattice


def save_weights(path: Path, lattice: str, weights: Weights) -> None:
    """Write the weights of a lattice to a file, beside others that it has."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    document[lattice] = [_row(key, weight) for key, weight in sorted(weights.items(), key=_order)]
    parts = []
    for name, rows in sorted(document.items()):
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        parts.append(f'"{name}": [\n{lines}\n]')
    path.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def extended(lattice: str, weights: Mapping[Feature, float], keys: Iterable[Feature]) -> list[float]:
    """Return the weights of features; of those that have none, by the nearest feature that has one.

    Larger boards have features that did not occur where weights were fitted. They must not cost less than
    others: beams would send pieces there and never end.

    >>> weights = {((0, 3), 0, 0): 5.0, ((1, 0), (1, 0)): -1.5}
    >>> extended("square", weights, [((0, 3), 0, 0), ((0, 5), 0, 1), ((1, 0), (2, 0)), ((1, 1), (2, 0))])
    [5.0, 17.0, -1.5, 0.0]
    """
    singles, pairs = list[SingleFeature](), dict[Cell, list[PairFeature]]()
    for known in weights:
        if len(known) == 3:
            singles.append(known)
        elif len(known) == 2:
            pairs.setdefault(known[0], []).append(known)

    def steps_between(a: Cell, b: Cell) -> float:
        return steps(lattice, (a[0] - b[0], a[1] - b[1]))

    def far(key: SingleFeature, other: SingleFeature) -> float:
        rings = abs(key[1] - other[1]) + abs(key[2] - other[2])
        return steps_between(key[0], other[0]) + RING_STEPS * rings

    def weight(key: Feature) -> float:
        if key in weights:
            return weights[key]
        if len(key) == 3 and singles:
            near = min(singles, key=lambda other: (far(key, other), other))
            return weights[near] + FAR_STEP * (steps(lattice, key[0]) - steps(lattice, near[0]))
        if len(key) == 2 and key[0] in pairs:
            vector = key[1]
            return weights[min(pairs[key[0]], key=lambda other: (steps_between(vector, other[1]), other))]
        return formula(lattice, key)

    return [weight(key) for key in keys]


def formula(lattice: str, key: Feature) -> float:
    """Return the weight of a feature where none has been fitted.

    A power of the distance of a piece; for two pieces near each other, how far their goals are out of order
    along the line through them.

    >>> formula("square", ((0, 2), 0, 0))
    2.82...
    >>> [formula("square", ((1, 0), goals)) for goals in ((1, 0), (-1, 0))]
    [0.0, 2.8]
    """
    if len(key) == 0:
        return 3.0
    if len(key) == 3:
        return float(steps(lattice, key[0]) ** 1.5)
    offset, between = key
    square = _product(lattice, offset, offset)
    return 1.4 * max(0.0, square - _product(lattice, offset, between)) / float(square**1.5)


def _product(lattice: str, a: Cell, b: Cell) -> float:
    """Return the inner product of two vectors of which steps have length one."""
    slanted = (a[0] * b[1] + a[1] * b[0]) / 2 if lattice == "hex" else 0.0
    return a[0] * b[0] + a[1] * b[1] + slanted


def _order(item: tuple[Feature, float]) -> tuple[int, str]:
    return len(item[0]), str(item[0])


def _row(key: Feature, weight: float) -> list[Any]:
    return [list(part) if isinstance(part, tuple) else part for part in key] + [round(weight, 3)]


def _read(row: list[Any]) -> tuple[Feature, float]:
    *key, weight = row
    parts: Any = tuple(tuple(part) if isinstance(part, list) else part for part in key)
    return parts, float(weight)
