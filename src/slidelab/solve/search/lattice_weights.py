"""Weights of the features of states on lattices, fitted by ``benchmarks/fit_ranking.py``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from slidelab.boards.lattice import Cell
from slidelab.solve.search.lattice_features import Feature

__all__ = ["UNIT", "formula", "load_weights", "save_weights", "weights_name"]

UNIT = 64
"""Parts of a weight in which the core counts costs."""

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


def formula(lattice: str, key: Feature) -> float:
    """Return the weight of a feature that has not been fitted.

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
        return float(_steps(lattice, key[0]) ** 1.5)
    offset, between = key
    square = _product(lattice, offset, offset)
    return 1.4 * max(0.0, square - _product(lattice, offset, between)) / float(square**1.5)


def _steps(lattice: str, vector: Cell) -> float:
    x, y = vector
    return float(max(abs(x), abs(y), abs(x + y)) if lattice == "hex" else abs(x) + abs(y))


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
