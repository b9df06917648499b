"""Round numbers for the axes of charts, and their format."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10

__all__ = ["format_tick", "linear_ticks", "log_ticks", "round_numbers", "round_step"]


def format_tick(number: float) -> str:
    """Format a number for an axis.

    >>> [format_tick(n) for n in (0, 500, 25_000, 2_500_000, 3 * 10**9, 4 * 10**30)]
    ['0', '500', '25 k', '2.5 M', '3 G', '4e30']
    >>> [format_tick(n) for n in (0.25, 0.0001, 2e-7, -3)]
    ['0.25', '0.0001', '2e-7', '−3']
    """
    if number < 0:
        return "−" + format_tick(-number)
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if size <= number < 10**15:
            return f"{number / size:.10g} {unit}"
    if number == 0 or 1e-4 <= number < 10**15:
        return f"{number:.10g}"
    digits, _, power = f"{number:e}".partition("e")
    return f"{float(digits):g}e{int(power)}"


def round_step(least: float) -> float:
    """Return the first of ..., 0.5, 1, 2, 5, 10, 20, ... that is at least `least`.

    >>> round_step(0.3), round_step(5), round_step(51)
    (0.5, 5.0, 100.0)
    """
    power = floor(log10(least))
    steps = (float(f"{n}e{power}") for n in (1, 2, 5, 10))
    return next(step for step in steps if step >= least)


def round_numbers(low: float, high: float, digits: Sequence[int] = (1, 2, 5), every: int = 1) -> list[float]:
    """Return a digit times a power of ten, between two numbers, for every `every`-th power.

    >>> round_numbers(4.5, 120), round_numbers(1, 1e7, [1], 3)
    ([5.0, 10.0, 20.0, 50.0, 100.0], [1.0, 1000.0, 1000000.0])
    """
    powers = [k for k in range(floor(log10(low)), ceil(log10(high)) + 1) if k % every == 0]
    return [tick for k in powers for n in digits if low <= (tick := float(f"{n}e{k}")) <= high]


def linear_ticks(low: float, high: float, min_step: float) -> list[float]:
    """Return round numbers at equal steps of at least `min_step`.

    >>> linear_ticks(3, 21, 2.5), linear_ticks(0.1, 0.2, 0.015)
    ([5.0, 10.0, 15.0, 20.0], [0.1, 0.12, 0.14, 0.16, 0.18, 0.2])
    """
    step = round_step(min_step)
    multiples = range(floor(low / step), ceil(high / step) + 1)
    return [tick for k in multiples if low <= (tick := float(f"{k * step:.12g}")) <= high]


def log_ticks(low: float, high: float, max_count: int) -> list[float]:
    """Return at most `max_count` round numbers for a logarithmic scale.

    >>> log_ticks(4.5, 120, 8), log_ticks(0.02, 3e7, 6)
    ([5.0, 10.0, 20.0, 50.0, 100.0], [1.0, 100.0, 10000.0, 1000000.0])
    >>> log_ticks(11, 14, 8)
    [11.0, 11.5, 12.0, 12.5, 13.0, 13.5, 14.0]
    """
    fine = round_numbers(low, high)
    if len(fine) < 3:
        return linear_ticks(low, high, (high - low) / (max_count - 1))
    if len(fine) <= max_count:
        return fine
    return round_numbers(low, high, [1], ceil((ceil(log10(high)) - floor(log10(low))) / max_count))
