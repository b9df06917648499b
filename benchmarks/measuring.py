"""What benchmarks of growing boards share."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from math import log
from typing import Any


def apart(work: Callable[..., Any], *arguments: Any) -> Any:
    """In a process of its own, so that memory is that of this work alone."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def exponent(points: list[tuple[float, float]]) -> float:
    """The slope of the best straight line through logarithms."""
    xs, ys = [log(x) for x, _ in points], [log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
