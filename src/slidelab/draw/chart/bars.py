"""Bar charts: a bar for each count, the last one highlighted, and flags with labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

from slidelab.draw.chart.sheet import BOLD, ROW_HEIGHT, Sheet, curve_colours, readable_colour
from slidelab.draw.chart.ticks import linear_ticks, round_numbers, round_step
from slidelab.draw.theme import Theme, contrast

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MAX_BARS", "Bars", "Flag", "bar_chart"]

MAX_BAR_WIDTH = 64.0
"""Largest width of a bar in points."""

MAX_BARS = 600
"""Number of bars above which they are drawn as one outline; single ones would be invisible."""

LOG_BASE = 0.6
"""Lower end of a logarithmic scale, below 1 so that a bar of height 1 is visible."""

MIN_BLOCK_HEIGHT = 4
"""Height in points below which the parts of a bar are not separated."""

MIN_BAR_CONTRAST = 2.2
"""Least contrast ratio of bars to the paper."""


class Flag(NamedTuple):
    """A label at the top of a thin line that stands on a bar or on the axis."""

    x: float
    foot: float
    text: str
    colour: str
    dashed: bool = False


class Bars(NamedTuple):
    """Content of a bar chart; the leftmost bar stands for `first`, and there are at most two flags.

    `blocks` has the sizes of the parts into which bars are divided.
    """

    title: str
    subtitle: str
    x_label: str
    y_label: str
    first: int
    counts: tuple[int, ...]
    flags: tuple[Flag, ...]
    blocks: Mapping[int, Sequence[int]] = {}
    log: bool = False

    @property
    def last(self) -> int:
        """Value of the last bar."""
        return self.first + len(self.counts) - 1


def bar_chart(theme: Theme, bars: Bars) -> Figure:
    """Return the chart as a figure."""
    return _BarChart(theme, bars).sheet.figure


class _BarChart:
    """A bar chart being drawn; lengths are in points, from the lower left corner of the axes."""

    def __init__(self, theme: Theme, bars: Bars) -> None:
        self.theme, self.content, self.max_count = theme, bars, max(bars.counts)
        self.sheet = Sheet(theme, bars.title, bars.subtitle)
        self.axes = self.sheet.axes(
            bars.x_label, bars.y_label, _levels(bars), yscale="log" if bars.log else "linear"
        )
        x0, y0, x1, y1 = self.sheet.box
        self.width, self.height = x1 - x0, y1 - y0
        self.unit = self.width / len(bars.counts)
        self.bar_width = _bar_width(self.unit)
        self.base = LOG_BASE if bars.log else 0.0
        positions = self._fit_bars()
        self.axes.set_xlim(bars.first - 0.5, bars.last + 0.5)
        top = self._scaled(self.max_count) * (self.height / self.max_height)
        self.axes.set_ylim(self.base, LOG_BASE * 10**top if bars.log else top)
        self._draw_bars()
        self._separate_blocks()
        self._label_axis()
        for flag, position in zip(bars.flags, positions, strict=True):
            self._draw_flag(flag, *position)

    def _x(self, value: float) -> float:
        return (value - self.content.first + 0.5) * self.unit

    def _y(self, count: float) -> float:
        return self._scaled(count) / self._scaled(self.max_count) * self.max_height

    def _scaled(self, count: float) -> float:
        return log10(max(count, LOG_BASE) / LOG_BASE) if self.content.log else count

    def _fit_bars(self) -> list[tuple[float, float]]:
        """Make bars as high as the flags above them allow, and return the positions of the labels."""
        for rows in range(4):
            self.max_height = self.height - rows * ROW_HEIGHT - 4
            positions = self._flag_positions()
            if all(y + ROW_HEIGHT - 4 <= self.height for _, y in positions):
                break
        return positions

    def _flag_positions(self) -> list[tuple[float, float]]:
        """Return left end and baseline of the label of each flag.

        A label is centred above its bar if there is room, and always above the bars below it. If two labels
        would touch, the left one ends before the line of the right flag, and the right one goes one row up:
        so no line crosses a label.
        """
        lines = [self._x(flag.x) for flag in self.content.flags]
        widths = [BOLD.width(flag.text) for flag in self.content.flags]
        lefts = [max(0.0, min(x - w / 2, self.width - w)) for x, w in zip(lines, widths, strict=True)]
        do_touch = len(lefts) == 2 and lefts[0] + widths[0] + 10 > lefts[1]
        if do_touch:
            lefts[0] = max(0.0, min(lefts[0], lines[1] - 6 - widths[0]))
        ends = zip(lefts, widths, strict=True)
        baselines = [self._y(self._highest_bar(left - 3, left + w + 3)) + 7 for left, w in ends]
        if do_touch:
            baselines[1] = max(baselines[1], baselines[0] + ROW_HEIGHT)
        return list(zip(lefts, baselines, strict=True))

    def _highest_bar(self, left: float, right: float) -> int:
        """Return the largest count of the bars that are at least partly in a range of x."""
        first = max(0, ceil((left - self.bar_width / 2) / self.unit - 0.5))
        last = floor((right + self.bar_width / 2) / self.unit - 0.5)
        return max(self.content.counts[first : max(first, last + 1)], default=0)

    def _draw_bars(self) -> None:
        """Draw a bar for each count, or one outline if there are very many."""
        bars, accent, colour = self.content, self.theme.accent, _bar_colour(self.theme)
        xs, values = range(bars.first, bars.last + 1), [float(count) for count in bars.counts]
        if len(values) > MAX_BARS:
            edges = [x - 0.5 for x in (*xs, bars.last + 1)]
            self.axes.stairs(values, edges, baseline=self.base, fill=True, color=colour)
            xs, values = xs[-1:], values[-1:]
        heights = [max(value - self.base, 0.0) for value in values]
        width = self.bar_width / self.unit
        drawn = self.axes.bar(xs, heights, width, self.base, color=colour, edgecolor=colour, linewidth=0.4)
        for x, bar in zip(xs, drawn, strict=True):
            count = bars.counts[x - bars.first]
            bar.set(gid=f"bar-{x}", label=f"{x}: {count:,}", snap=False)
            if not count:
                bar.set_linewidth(0)  # the edge makes the smallest bars visible, but zero must stay empty
        drawn[-1].set(facecolor=accent, edgecolor=accent, zorder=1.5)

    def _separate_blocks(self) -> None:
        """Draw lines in the colour of the paper between the parts of a bar, unless they are too low."""
        x0, y0, _, _ = self.sheet.box
        half = self.bar_width / 2 + 0.5
        for value, sizes in self.content.blocks.items():
            if self._y(min(sizes)) < MIN_BLOCK_HEIGHT:
                continue
            x, below = x0 + self._x(value), 0
            for size in sorted(sizes, reverse=True)[:-1]:
                below += size
                y = y0 + self._y(below)
                self.sheet.line((x - half, x + half), (y, y), self.theme.paper)

    def _label_axis(self) -> None:
        """Write as many values below the bars as have room, and always the last."""
        first, last = self.content.first, self.content.last
        spacing = (BOLD.width(f"{last}") + 12) / self.unit
        step = round_step(max(spacing, 1.0))
        inner = [x for x in range(first, last) if x % step == 0 and x - first >= spacing]
        ticks = [*(x for x in (first, *inner) if last - x >= spacing), last]
        self.axes.set_xticks(ticks, [str(x) for x in ticks])
        label = self.axes.get_xticklabels()[-1]
        label.set_fontproperties(BOLD.font)
        label.set_color(readable_colour(self.theme.accent, self.theme))

    def _draw_flag(self, flag: Flag, left: float, baseline: float) -> None:
        x0, y0, _, _ = self.sheet.box
        x = x0 + self._x(flag.x)
        foot = self._y(flag.foot) + (2 if flag.foot else 0)
        if baseline - 4 - foot > 4:
            style = (0, (3.0, 2.0)) if flag.dashed else "-"
            self.sheet.line((x, x), (y0 + foot, y0 + baseline - 4), flag.colour, linestyle=style)
        self.sheet.write(x0 + left, y0 + baseline, flag.text, BOLD, readable_colour(flag.colour, self.theme))


def _levels(bars: Bars) -> list[float]:
    """Return round counts for the grid lines: at most seven powers of ten, or six multiples.

    >>> [_levels(Bars("", "", "", "", 0, (count,), ())) for count in (24047, 3, 1)]
    [[0.0, 5000.0, 10000.0, 15000.0, 20000.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0]]
    >>> _levels(Bars("", "", "", "", 0, (10**30,), (), log=True))[:3]
    [1.0, 100000.0, 10000000000.0]
    """
    highest = float(max(bars.counts))
    if bars.log:
        return round_numbers(1.0, highest, [1], max(1, ceil(floor(log10(highest)) / 6)))
    return linear_ticks(0.0, highest, max(1.0, highest / 5.5))


def _bar_width(unit: float) -> float:
    """Return the width of a bar; there are no gaps between thin bars, where they would flicker.

    >>> _bar_width(200.0), round(_bar_width(10.0), 1), _bar_width(2.0)
    (64.0, 8.0, 2.0)
    """
    return min(MAX_BAR_WIDTH, unit - min(2.5, unit * 0.2)) if unit >= 3 else unit


def _bar_colour(theme: Theme) -> str:
    is_visible = contrast(theme.piece, theme.paper) >= MIN_BAR_CONTRAST
    return theme.piece if is_visible else curve_colours(theme)[1]
