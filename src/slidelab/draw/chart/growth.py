"""Growth curves on logarithmic scales, each with its name and slope at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10
from typing import TYPE_CHECKING, NamedTuple

from slidelab.draw.chart.sheet import (
    BOLD,
    HEIGHT,
    ROW_HEIGHT,
    SMALL,
    Sheet,
    chart_style,
    curve_colours,
    isolated_settings,
    readable_colour,
    secondary_colour,
    set_ticks,
)
from slidelab.draw.chart.ticks import format_tick, linear_ticks, log_ticks
from slidelab.draw.layout.layers import isotonic_regression
from slidelab.draw.theme import Theme, get_theme
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Points", "growth_chart", "slope"]

MAX_NAME_WIDTH = 190.0
"""Width in points to which names of curves are cut."""

MAX_CURVES = 64
"""Number of curves in a chart."""

MIN_VALUE, MAX_VALUE = 1e-200, 1e200
"""Range of values; matplotlib's arithmetic overflows beyond."""

TICK_DISTANCE = 46
"""Least distance of the ticks of the x axis, in points."""

MARKERS = (("o", 6.5), ("s", 6.2), ("^", 7.8), ("D", 5.8), ("v", 7.8), ("P", 8.0), ("X", 8.0), ("*", 10.0))
"""Shapes that are distinguishable without colours, with sizes at which they look equally large."""
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))

Points = Sequence[tuple[float, float]]


class _Curve(NamedTuple):
    """A curve with the label at its end: its name and its growth."""

    points: Points
    name: str
    growth: str

    @property
    def name_width(self) -> float:
        """Width of the name and the space after it, in points."""
        return BOLD.width(self.name) + (6 if self.growth else 0)


def slope(points: Points, *, log_x: bool = True) -> float | None:
    """Return the slope of the least-squares line through the logarithms (base 10) of points.

    Parameters
    ----------
    points : sequence of (float, float)
        At least one point; all coordinates positive.
    log_x : bool
        If true, the slope is the exponent e of y ~ x^e; else y grows by the factor 10^slope per unit of x.

    Returns
    -------
    float or None
        None if all x are equal.

    Examples
    --------
    >>> round(slope([(1, 5), (10, 500), (100, 50_000)]), 3)
    2.0
    """
    from statistics import linear_regression

    xs = [log10(x) if log_x else float(x) for x, _ in points]
    ys = [log10(y) for _, y in points]
    return linear_regression(xs, ys).slope if len(set(xs)) > 1 else None


def growth_chart(
    curves: Mapping[str, Points],
    *,
    x_label: str,
    y_label: str,
    title: str = "Growth",
    subtitle: str = "",
    theme: str | Theme = "light",
    log_x: bool = True,
    fit_last: int | None = None,
) -> Figure:
    """Chart how cost grows: named curves, each labelled with its slope.

    Parameters
    ----------
    curves : mapping of str to sequence of (float, float)
        Points (x, y) of each curve; all y, and with `log_x` all x, are positive.
    x_label, y_label, title : str
        Texts of one line.
    subtitle : str
        One or several lines.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    log_x : bool
        If true, both scales are logarithmic and the slope is an exponent. Otherwise only that of y is, and
        the growth is the factor per unit of x.
    fit_last : int, optional
        Number of last points to which the slope is fitted, to ignore the set-up cost of small x.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> figure = growth_chart({"moves": [(5, 250), (10, 2000)]}, x_label="n", y_label="moves")
    >>> [text.get_text() for text in figure.texts][-2:]
    ['moves', 'slope 3.00']
    """
    theme = get_theme(theme)
    checked = _check_curves(curves, log_x)
    if fit_last is not None and (isinstance(fit_last, bool) or not isinstance(fit_last, int) or fit_last < 2):
        raise NotationError(f"expected two or more last points to fit, got {fit_last!r:.40}")
    with isolated_settings(chart_style(theme)):
        labelled = [_labelled_curve(name, points, log_x, fit_last) for name, points in checked.items()]
        sheet = Sheet(theme, title, subtitle, max(HEIGHT, 150 + ROW_HEIGHT * len(labelled)))
        axes = _add_axes(sheet, labelled, x_label, y_label, log_x)
        _draw_curves(sheet, axes, labelled)
        return sheet.figure


def _check_curves(curves: Mapping[str, Points], log_x: bool) -> dict[str, Points]:
    """Return the curves sorted by x, or raise `NotationError` if they cannot be drawn."""
    if not isinstance(curves, Mapping) or not 1 <= len(curves) <= MAX_CURVES:
        raise NotationError(f"expected from 1 to {MAX_CURVES} named curves, got {repr(curves)[:40]}")
    return {str(name): _check_points(points, log_x, f"{name!r:.40}") for name, points in curves.items()}


def _check_points(points: Points, log_x: bool, name: str) -> Points:
    try:
        ordered = sorted((float(x), float(y)) for x, y in points)
    except (TypeError, ValueError, OverflowError):
        raise NotationError(f"expected numbers (x, y), got {repr(points)[:40]} - at curve {name}") from None
    if not ordered:
        raise NotationError(f"expected at least one point, got none - at curve {name}")
    min_x = MIN_VALUE if log_x else -MAX_VALUE
    for x, y in ordered:
        if not (MIN_VALUE <= y <= MAX_VALUE and min_x <= x <= MAX_VALUE):
            raise NotationError(
                f"expected numbers above zero for a logarithmic scale, got ({x:g}, {y:g}) - at curve {name}"
            )
    return ordered


def _labelled_curve(name: str, points: Points, log_x: bool, fit_last: int | None) -> _Curve:
    """Return the curve with its label; the slope is that of the last points, or of all."""
    name = BOLD.truncate(name, MAX_NAME_WIDTH)
    exponent = slope(points[-(fit_last or 0) :], log_x=log_x)
    if exponent is None:
        return _Curve(points, name, "")
    if log_x:
        return _Curve(points, name, f"slope {round(exponent, 2) + 0.0:.2f}".replace("-", "−"))  # never −0.00
    factor = float(f"{10.0 ** min(exponent, 300.0):.3g}")
    return _Curve(points, name, f"×{format_tick(factor)} a step")


def _add_axes(sheet: Sheet, curves: Sequence[_Curve], x_label: str, y_label: str, log_x: bool) -> Axes:
    """Add axes that contain all points, with space for the labels at the right."""
    x_range = _padded_range([x for curve in curves for x, _ in curve.points], log_x)
    y_range = _padded_range([y for curve in curves for _, y in curve.points], True)
    right = max(curve.name_width + SMALL.width(curve.growth) for curve in curves) + 18
    scale = "log" if log_x else "linear"
    axes = sheet.axes(x_label, y_label, log_ticks(*y_range, 8), right=right, xscale=scale, yscale="log")
    axes.set_xlim(*x_range)
    axes.set_ylim(*y_range)
    max_ticks = int((sheet.box[2] - sheet.box[0]) // TICK_DISTANCE)
    min_step = (x_range[1] - x_range[0]) / (max_ticks - 1)
    ticks = log_ticks(*x_range, max_ticks) if log_x else linear_ticks(*x_range, min_step)
    set_ticks(axes.xaxis, _thin_out(ticks, [sheet.to_points(axes, x, y_range[0])[0] for x in ticks]))
    return axes


def _thin_out(ticks: Sequence[float], positions: Sequence[float]) -> list[float]:
    """Return the ticks whose labels, centred at these positions, do not touch the previous one."""
    kept, end = [], float("-inf")
    for tick, position in zip(ticks, positions, strict=True):
        half = SMALL.width(format_tick(tick)) / 2
        if position - half >= end + 8:
            kept.append(tick)
            end = position + half
    return kept


def _padded_range(values: Sequence[float], log: bool) -> tuple[float, float]:
    """Return the range of values with a small margin on both sides."""
    low, high = min(values), max(values)
    if log:
        margin = max((log10(high) - log10(low)) * 0.05, 0.03)
        return 10 ** (log10(low) - margin), 10 ** (log10(high) + margin)
    margin = (high - low) * 0.05 or max(abs(low) * 0.05, 0.5)
    return low - margin, high + margin


def _draw_curves(sheet: Sheet, axes: Axes, curves: Sequence[_Curve]) -> None:
    """Draw the curves, and their labels in a column at the right, each close to the end of its curve."""
    theme, colours = sheet.theme, curve_colours(sheet.theme)
    ends = [sheet.to_points(axes, *curve.points[-1]) for curve in curves]
    _, low, right, high = sheet.box
    levels = _spread([y - 3.3 for _, y in ends], ROW_HEIGHT, low, high - 6)
    column = right + 12
    for number, (curve, (x, y), level) in enumerate(zip(curves, ends, levels, strict=True)):
        colour = colours[number % len(colours)]
        marker, size = MARKERS[(number + number // len(MARKERS)) % len(MARKERS)]
        dashes = DASHES[number % len(DASHES)] if theme.name == "print" else "-"
        axes.plot(
            *zip(*curve.points, strict=True), color=colour, marker=marker, markersize=size, linestyle=dashes,
            markeredgecolor=theme.paper, markeredgewidth=0.7, clip_on=False, zorder=3,
        )  # fmt: skip
        sheet.line((x + 6, column - 9, column - 3), (y, level + 3.3, level + 3.3), colour, linewidth=0.7)
        sheet.write(column, level, curve.name, BOLD, readable_colour(colour, theme))
        if curve.growth:
            sheet.write(column + curve.name_width, level, curve.growth, SMALL, secondary_colour(theme))


def _spread(ideal: Sequence[float], distance: float, low: float, high: float) -> list[float]:
    """Return positions at least a distance apart, within bounds, as close as possible to the ideal ones.

    Subtracting k times the distance from the k-th position leaves an isotonic regression.

    >>> _spread([10.0, 50.0, 11.0], 10.0, 0.0, 100.0)
    [5.5, 50.0, 15.5]
    """
    order = sorted(range(len(ideal)), key=lambda k: ideal[k])
    top = high - (len(ideal) - 1) * distance
    levels = isotonic_regression([ideal[k] - rank * distance for rank, k in enumerate(order)])
    position_of = {k: max(low, min(levels[rank], top)) + rank * distance for rank, k in enumerate(order)}
    return [position_of[k] for k in range(len(ideal))]
