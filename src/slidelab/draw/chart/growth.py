"""Curves that show how cost grows, on logarithmic scales, each with its name and its slope beside its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from slidelab.draw.chart.sheet import BOLD, ROW, SMALL, Sheet, against, curve_colours, grey, write_ticks
from slidelab.draw.chart.ticks import log_ticks, plain_ticks, short_number
from slidelab.draw.layout.layers import pooled
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Curve", "Points", "checked_curves", "draw_curves", "growth_axes", "labelled", "slope"]

WIDEST_NAME = 190.0
MOST_CURVES = 64
LEAST, MOST = 1e-200, 1e200
MARKERS = (("o", 6.5), ("s", 6.2), ("^", 7.8), ("D", 5.8), ("v", 7.8), ("P", 8.0), ("X", 8.0), ("*", 10.0))
"""Shapes that can be told apart without colours, and sizes at which they look alike."""
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))

Points = Sequence[tuple[float, float]]


class Curve(NamedTuple):
    """A curve, and the words beside its end: its name, cut if it is too long, and how it grows."""

    points: Points
    name: str
    growth: str

    @property
    def before_growth(self) -> float:
        return BOLD.wide(self.name) + (6 if self.growth else 0)


def slope(points: Points, *, log_x: bool = True) -> float | None:
    """The slope of the best straight line through the logarithms (base 10) of the points, by least squares.

    On two logarithmic scales this is the exponent e of y ~ x^e. Without `log_x` only y is taken as a
    logarithm: then y grows by the factor 10^slope with each step of x. None without two different x.

    >>> round(slope([(1, 5), (10, 500), (100, 50_000)]), 3)
    2.0
    """
    from statistics import linear_regression

    xs = [log10(x) if log_x else float(x) for x, _ in points]
    ys = [log10(y) for _, y in points]
    return linear_regression(xs, ys).slope if len(set(xs)) > 1 else None


def checked_curves(curves: Mapping[str, Points], log_x: bool) -> dict[str, Points]:
    """The curves, sorted by x, if they can be drawn."""
    if not isinstance(curves, Mapping) or not 1 <= len(curves) <= MOST_CURVES:
        raise NotationError(f"expected from 1 to {MOST_CURVES} named curves, got {repr(curves)[:40]}")
    return {str(name): _checked_points(points, log_x, f"{name!r:.40}") for name, points in curves.items()}


def _checked_points(points: Points, log_x: bool, name: str) -> Points:
    try:
        out = sorted((float(x), float(y)) for x, y in points)
    except (TypeError, ValueError, OverflowError):
        shown = repr(points)[:40]
        raise NotationError(f"expected numbers (x, y), got {shown} - at curve {name}") from None
    if not out:
        raise NotationError(f"expected at least one point, got none - at curve {name}")
    for x, y in out:
        if not (LEAST <= y <= MOST and (LEAST if log_x else -MOST) <= x <= MOST):
            shown = f"({x:g}, {y:g}) - at curve {name}"
            raise NotationError(f"expected numbers above zero for a logarithmic scale, got {shown}")
    return out


def labelled(name: str, points: Points, log_x: bool, fit_last: int | None) -> Curve:
    """The curve with its words; the slope is that of so many last points, or of all."""
    cut = BOLD.fitting(name, WIDEST_NAME)
    found = slope(points[-(fit_last or 0) :], log_x=log_x)
    if found is None:
        return Curve(points, cut, "")
    if log_x:
        return Curve(points, cut, f"slope {round(found, 2) + 0.0:.2f}".replace("-", "−"))  # never −0.00
    return Curve(points, cut, f"×{short_number(float(f'{10.0 ** min(found, 300.0):.3g}'))} a step")


def growth_axes(sheet: Sheet, curves: Sequence[Curve], x_label: str, y_label: str, log_x: bool) -> Axes:
    """Axes that hold all points, with room for the words on the right."""
    x_span = _span([x for curve in curves for x, _ in curve.points], log_x)
    y_span = _span([y for curve in curves for _, y in curve.points], True)
    room = max(curve.before_growth + SMALL.wide(curve.growth) for curve in curves) + 18
    scale = "log" if log_x else "linear"
    axes = sheet.axes(x_label, y_label, log_ticks(*y_span, 8), room, xscale=scale, yscale="log")
    axes.set_xlim(*x_span)
    axes.set_ylim(*y_span)
    most = int((sheet.box[2] - sheet.box[0]) // 46)
    apart = (x_span[1] - x_span[0]) / (most - 1)
    ticks = log_ticks(*x_span, most) if log_x else plain_ticks(*x_span, apart)
    write_ticks(axes.xaxis, _apart(ticks, [sheet.place(axes, x, y_span[0])[0] for x in ticks]))
    return axes


def _apart(ticks: Sequence[float], places: Sequence[float]) -> list[float]:
    """Those whose numbers, written at these places, do not touch the number before."""
    out, end = [], float("-inf")
    for tick, place in zip(ticks, places, strict=True):
        half = SMALL.wide(short_number(tick)) / 2
        if place - half >= end + 8:
            out.append(tick)
            end = place + half
    return out


def _span(values: Sequence[float], log: bool) -> tuple[float, float]:
    """From a little below the least to a little above the largest."""
    low, high = min(values), max(values)
    if log:
        apart = max((log10(high) - log10(low)) * 0.05, 0.03)
        return 10 ** (log10(low) - apart), 10 ** (log10(high) + apart)
    apart = (high - low) * 0.05 or max(abs(low) * 0.05, 0.5)
    return low - apart, high + apart


def draw_curves(sheet: Sheet, axes: Axes, curves: Sequence[Curve]) -> None:
    """The curves, and their names in a column on the right, each as near to its curve's end as it can be."""
    look, colours = sheet.look, curve_colours(sheet.look)
    ends = [sheet.place(axes, *curve.points[-1]) for curve in curves]
    _, low, right, high = sheet.box
    levels = _spread([y - 3.3 for _, y in ends], ROW, low, high - 6)
    column = right + 12
    for number, (curve, (x, y), level) in enumerate(zip(curves, ends, levels, strict=True)):
        colour = colours[number % len(colours)]
        marker, size = MARKERS[(number + number // len(MARKERS)) % len(MARKERS)]
        dashes = DASHES[number % len(DASHES)] if look.name == "print" else "-"
        axes.plot(
            *zip(*curve.points, strict=True), color=colour, marker=marker, markersize=size, linestyle=dashes,
            markeredgecolor=look.paper, markeredgewidth=0.7, clip_on=False, zorder=3,
        )  # fmt: skip
        sheet.line((x + 6, column - 9, column - 3), (y, level + 3.3, level + 3.3), colour, linewidth=0.7)
        sheet.write(column, level, curve.name, BOLD, against(colour, look))
        if curve.growth:
            sheet.write(column + curve.before_growth, level, curve.growth, SMALL, grey(look))


def _spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places at least so far apart, within bounds, and as near to the wanted ones as can be.

    Taking k steps off the k-th place from below leaves numbers that only have to rise.

    >>> _spread([10.0, 50.0, 11.0], 10.0, 0.0, 100.0)
    [5.5, 50.0, 15.5]
    """
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    top = high - (len(wanted) - 1) * apart
    rising = pooled([wanted[k] - rank * apart for rank, k in enumerate(order)])
    levels = [max(low, min(level, top)) for level in rising]
    placed = {k: levels[rank] + rank * apart for rank, k in enumerate(order)}
    return [placed[k] for k in range(len(wanted))]
