"""JSON values in which one part is replaced by something that nobody expects."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["forgeries"]

STRANGE: list[Any] = [
    None, True, False, 0, -1, 1, 63, 64, 255, 65_536, 2**31, 2**32, 2**62, 2**63, 2**64, -(2**63), 10**30,
    0.5, -0.0, 1e308, float("inf"), float("-inf"), float("nan"), "", "0", "x", "\ud800", "\x1b[31m\n",
    [], [[]], [0], [0, 0], [[0, 1], [0, 1]], ["x"], {}, {"x": 1}, [None], [[1, 2, 3]],
]  # fmt: skip


def forgeries(value: Any, depth: int = 3) -> Iterator[Any]:
    """Yield the value with each of its parts in turn replaced, left out, or repeated."""
    yield from STRANGE
    if depth == 0 or not isinstance(value, dict | list):
        return
    keys = list(value) if isinstance(value, dict) else range(min(len(value), 3))
    for key in keys:
        without = (
            {k: v for k, v in value.items() if k != key}
            if isinstance(value, dict)
            else [*value[:key], *value[key + 1 :]]
        )
        yield without
        if isinstance(value, list):
            yield [*value, value[key]]
        for part in forgeries(value[key], depth - 1):
            forged = value.copy()
            forged[key] = part
            yield forged
