"""Helpers shared by the benchmarks of growing boards."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from math import log
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def in_process(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """Run a function in a new process, so that its peak memory is its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(work, args, options)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of the least-squares line through the logarithms of the points."""
    xs, ys = [log(x) for x, _ in points], [log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
