"""Charts of bars: a bar for each count, the last in another colour, and flags that say what stands out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

from slidelab.draw.chart.sheet import BOLD, ROW, Sheet, against, curve_colours
from slidelab.draw.chart.ticks import plain_ticks, round_step, round_ticks
from slidelab.draw.theme import Theme, contrast

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["MOST_BARS", "Bars", "Flag", "bar_chart"]

WIDEST_BAR = 64.0
MOST_BARS = 600
BASE = 0.6
"""Where a logarithmic scale begins: a single configuration is to be seen, too."""


class Flag(NamedTuple):
    """Words at the top of a thin line that stands on a bar, or goes down to the axis."""

    x: float
    foot: float
    text: str
    colour: str
    dashed: bool = False


class Bars(NamedTuple):
    """What a chart of bars shows: the leftmost stands for `first`, and there are at most two flags."""

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
        return self.first + len(self.counts) - 1


def bar_chart(look: Theme, shown: Bars) -> Figure:
    """The chart, drawn."""
    return _BarChart(look, shown).sheet.figure


class _BarChart:
    """A chart of bars being drawn; lengths are in points, from the lower left corner of the axes."""

    def __init__(self, look: Theme, shown: Bars) -> None:
        self.look, self.shown, self.most = look, shown, max(shown.counts)
        self.sheet = Sheet(look, shown.title, shown.subtitle)
        self.axes = self.sheet.axes(
            shown.x_label, shown.y_label, _levels(shown), yscale="log" if shown.log else "linear"
        )
        x0, y0, x1, y1 = self.sheet.box
        self.wide, self.high = x1 - x0, y1 - y0
        self.unit = self.wide / len(shown.counts)
        self.bar = _bar_width(self.unit)
        self.base = BASE if shown.log else 0.0
        places = self._raise_bars()
        self.axes.set_xlim(shown.first - 0.5, shown.last + 0.5)
        top = self._rise(self.most) * (self.high / self.full)
        self.axes.set_ylim(self.base, BASE * 10**top if shown.log else top)
        self._draw_bars()
        self._draw_blocks()
        self._number_bars()
        for flag, place in zip(shown.flags, places, strict=True):
            self._draw_flag(flag, *place)

    def _across(self, x: float) -> float:
        return (x - self.shown.first + 0.5) * self.unit

    def _height(self, count: float) -> float:
        return self._rise(count) / self._rise(self.most) * self.full

    def _rise(self, count: float) -> float:
        return log10(max(count, BASE) / BASE) if self.shown.log else count

    def _raise_bars(self) -> list[tuple[float, float]]:
        """Make bars as high as the flags above them allow, and say where the words of the flags begin."""
        for rows in range(4):
            self.full = self.high - rows * ROW - 4
            places = self._flag_places()
            if all(y + ROW - 4 <= self.high for _, y in places):
                break
        return places

    def _flag_places(self) -> list[tuple[float, float]]:
        """Left end and baseline of the words of each flag.

        Words stand in the middle above their bar if there is room, and always above the bars beside it. If
        those of two flags would touch, the left ones end where the line of the right flag passes, and the
        right ones go one row up: so no line crosses words.
        """
        lines = [self._across(flag.x) for flag in self.shown.flags]
        widths = [BOLD.wide(flag.text) for flag in self.shown.flags]
        lefts = [max(0.0, min(x - long / 2, self.wide - long)) for x, long in zip(lines, widths, strict=True)]
        touching = len(lefts) == 2 and lefts[0] + widths[0] + 10 > lefts[1]
        if touching:
            lefts[0] = max(0.0, min(lefts[0], lines[1] - 6 - widths[0]))
        ends = zip(lefts, widths, strict=True)
        bases = [self._height(self._highest(left - 3, left + long + 3)) + 7 for left, long in ends]
        if touching:
            bases[1] = max(bases[1], bases[0] + ROW)
        return list(zip(lefts, bases, strict=True))

    def _highest(self, left: float, right: float) -> int:
        """The highest of the bars that stand, wholly or in part, between these places."""
        first = max(0, ceil((left - self.bar / 2) / self.unit - 0.5))
        last = floor((right + self.bar / 2) / self.unit - 0.5)
        return max(self.shown.counts[first : max(first, last + 1)], default=0)

    def _draw_bars(self) -> None:
        """A bar for each count; so many that they would be thinner than a hair become one outline."""
        shown, accent, colour = self.shown, self.look.accent, _bar_colour(self.look)
        xs, values = range(shown.first, shown.last + 1), [float(count) for count in shown.counts]
        if len(values) > MOST_BARS:
            edges = [x - 0.5 for x in (*xs, shown.last + 1)]
            self.axes.stairs(values, edges, baseline=self.base, fill=True, color=colour)
            xs, values = xs[-1:], values[-1:]
        heights = [max(value - self.base, 0.0) for value in values]
        bar = self.bar / self.unit
        bars = self.axes.bar(xs, heights, bar, self.base, color=colour, edgecolor=colour, linewidth=0.4)
        for x, drawn in zip(xs, bars, strict=True):
            count = shown.counts[x - shown.first]
            drawn.set(gid=f"bar-{x}", label=f"{x}: {count:,}", snap=False)
            if not count:
                drawn.set_linewidth(0)  # the rim shows the smallest bars; where nothing is, nothing is seen
        bars[-1].set(facecolor=accent, edgecolor=accent, zorder=1.5)

    def _draw_blocks(self) -> None:
        """Lines of paper across a bar between the kinds that it counts, unless they are too thin to see."""
        x0, y0, _, _ = self.sheet.box
        half = self.bar / 2 + 0.5
        for x, sizes in self.shown.blocks.items():
            if self._height(min(sizes)) < 4:
                continue
            middle, below = x0 + self._across(x), 0
            for size in sorted(sizes, reverse=True)[:-1]:
                below += size
                at = y0 + self._height(below)
                self.sheet.line((middle - half, middle + half), (at, at), self.look.paper)

    def _number_bars(self) -> None:
        """Distances below the bars, as many as there is room for, and always the last."""
        first, last = self.shown.first, self.shown.last
        room = (BOLD.wide(f"{last}") + 12) / self.unit
        every = round_step(max(room, 1.0))
        free = [x for x in range(first, last) if x % every == 0 and x - first >= room]
        marks = [*(x for x in (first, *free) if last - x >= room), last]
        self.axes.set_xticks(marks, [str(x) for x in marks])
        label = self.axes.get_xticklabels()[-1]
        label.set_fontproperties(BOLD.font)
        label.set_color(against(self.look.accent, self.look))

    def _draw_flag(self, flag: Flag, left: float, base: float) -> None:
        x0, y0, _, _ = self.sheet.box
        x = x0 + self._across(flag.x)
        foot = self._height(flag.foot) + (2 if flag.foot else 0)
        if base - 4 - foot > 4:
            dashes = (0, (3, 2)) if flag.dashed else "-"
            self.sheet.line((x, x), (y0 + foot, y0 + base - 4), flag.colour, linestyle=dashes)
        self.sheet.write(x0 + left, y0 + base, flag.text, BOLD, against(flag.colour, self.look))


def _levels(shown: Bars) -> list[float]:
    """Round counts for the lines: not more than seven powers of ten, or six from nothing on.

    >>> [_levels(Bars("", "", "", "", 0, (most,), ())) for most in (24047, 3, 1)]
    [[0.0, 5000.0, 10000.0, 15000.0, 20000.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0]]
    >>> _levels(Bars("", "", "", "", 0, (10**30,), (), log=True))[:3]
    [1.0, 100000.0, 10000000000.0]
    """
    most = float(max(shown.counts))
    if shown.log:
        return round_ticks(1.0, most, [1], max(1, ceil(floor(log10(most)) / 6)))
    return plain_ticks(0.0, most, max(1.0, most / 5.5))


def _bar_width(unit: float) -> float:
    """
    >>> _bar_width(200.0), round(_bar_width(10.0), 1), _bar_width(2.0)
    (64.0, 8.0, 2.0)
    """
    return min(WIDEST_BAR, unit - min(2.5, unit * 0.2)) if unit >= 3 else unit  # thin gaps only shimmer


def _bar_colour(look: Theme) -> str:
    return look.piece if contrast(look.piece, look.paper) >= 2.2 else curve_colours(look)[1]
