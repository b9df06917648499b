"""Charts by matplotlib: distributions of distances, eccentricities, and how cost grows.

All of them share one sheet: a title and a subtitle on the left, light horizontal lines, and words beside what
they speak of instead of a legend. Places on the sheet are told in points (1/72 inch) from its lower left
corner, so that what is measured and what is drawn are the same.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from math import ceil, floor, log10
from operator import index
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from slidelab.draw.letters import FONTS
from slidelab.draw.saving import PICTURES, check_target, ending, write_bytes
from slidelab.draw.theme import Theme, lightness, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.reach.report import big

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties
    from matplotlib.transforms import Transform

    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber

__all__ = [
    "chart_style",
    "check_chart_name",
    "distribution_chart",
    "eccentricities_chart",
    "growth_chart",
    "save_figure",
    "slope",
]

WIDTH, HEIGHT, MARGIN = 612.0, 324.0, 24.0
TITLE, SUBTITLE, SMALL = 14.0, 10.0, 9.5
ROW = 15.0
"""The height of a line of words beside bars and curves."""
BOLD = 700
WIDEST_BAR, WIDEST_NAME = 64.0, 190.0
MOST_BARS = 600
MOST_COUNT = 10**200
MOST_CURVES = 64
LEAST, MOST = 1e-200, 1e200
MARKERS = {"o": 6.5, "s": 6.2, "^": 7.8, "D": 5.8, "v": 7.8, "P": 8.0, "X": 8.0, "*": 10.0}
"""Shapes that can be told apart without colours, and sizes at which they look alike."""
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)))
BAR_NAME = "slidelab-bar-"

Points = Sequence[tuple[float, float]]

# Settings of matplotlib belong to the whole process: two charts drawn at once would mix their themes.
_ONE_AT_A_TIME = RLock()


# Style


def chart_style(theme: str | Theme = "light") -> dict[str, Any]:
    """Settings of matplotlib for charts of a theme, to be used in ``matplotlib.rc_context``.

    >>> import matplotlib
    >>> with matplotlib.rc_context(chart_style("dark")):
    ...     matplotlib.rcParams["axes.facecolor"], matplotlib.rcParams["font.family"]
    ('#12171e', ['Inter', 'DejaVu Sans'])
    """
    look = theme_named(theme)
    _needs_matplotlib()
    _register_fonts()
    from cycler import cycler

    grey = _grey(look)
    return {
        "font.family": ["Inter", "DejaVu Sans"],  # the second has the letters that ours has not
        "font.size": SMALL,
        "text.parse_math": False,  # a dollar in a name is a dollar
        "text.color": look.ink,
        "figure.facecolor": look.paper,
        "figure.edgecolor": look.paper,
        "figure.figsize": (WIDTH / 72, HEIGHT / 72),
        "axes.facecolor": look.paper,
        "axes.edgecolor": mix(look.faint, look.ink, 0.3),
        "axes.labelcolor": grey,
        "axes.linewidth": 0.8,
        "axes.axisbelow": True,
        "axes.spines.left": False,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "axes.prop_cycle": cycler(color=curve_colours(look)),
        "axes.titlelocation": "left",
        "axes.unicode_minus": True,
        "grid.color": mix(look.faint, look.paper, 0.45),
        "grid.linewidth": 0.7,
        "grid.linestyle": "-",
        "xtick.color": look.ink,
        "ytick.color": grey,
        "xtick.major.size": 0.0,
        "ytick.major.size": 0.0,
        "xtick.major.pad": 5.0,
        "ytick.major.pad": 6.0,
        "xtick.labelsize": SMALL,
        "ytick.labelsize": SMALL,
        "legend.frameon": False,
        "lines.linewidth": 1.8,
    }


def curve_colours(look: Theme) -> list[str]:
    """The colours of the palette that stand out from the paper, the strongest first in print.

    >>> curve_colours(theme_named("light"))[0]
    '#4477aa'
    >>> greys = [lightness(colour) for colour in curve_colours(theme_named("print"))]
    >>> greys[0] == min(greys), greys[1] == max(greys)
    (True, True)
    """
    if look.name == "print":
        strong = [colour for colour in look.palette if _contrast(colour, look.paper) >= 3]
        return sorted(strong, key=lightness)[:1] + sorted(strong, key=lightness)[:0:-1]
    return [_against(colour, look, 2.2) for colour in look.palette]


def _contrast(first: str, second: str) -> float:
    """The ratio of contrast of WCAG 2."""
    low, high = sorted((lightness(first), lightness(second)))
    return (high + 0.05) / (low + 0.05)


def _against(colour: str, look: Theme, least: float) -> str:
    """The colour, drawn towards the ink until its contrast to the paper is at least so much.

    >>> _against("#ffffff", theme_named("print"), 4.5)
    '#737373'
    """
    shares = (step / 20 for step in range(21))
    mixed = (mix(colour, look.ink, share) for share in shares)
    return next((one for one in mixed if _contrast(one, look.paper) >= least), look.ink)


def _grey(look: Theme) -> str:
    return _against(mix(look.ink, look.paper, 0.45), look, 4.5)


def _needs_matplotlib() -> None:
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise PuzzleError("charts need the package matplotlib: pip install 'slidelab[charts]'") from None


def _register_fonts() -> None:
    """Make our two fonts known to matplotlib, once."""
    from matplotlib.font_manager import fontManager, get_font, ttfFontProperty

    regular, semibold = str(FONTS / "regular.ttf"), str(FONTS / "semibold.ttf")
    if any(entry.fname == semibold for entry in fontManager.ttflist):
        return
    # One weight has to name our semi-bold letters and the bold ones that stand in for those it has not;
    # otherwise matplotlib complains about either.
    fontManager.ttflist.append(replace(ttfFontProperty(get_font(semibold)), weight=BOLD))
    fontManager.addfont(semibold)
    fontManager.addfont(regular)


@contextmanager
def _drawing(look: Theme) -> Iterator[None]:
    """Everything as the theme says, whatever the user's own settings are, and these untouched afterwards."""
    _needs_matplotlib()
    import matplotlib

    with _ONE_AT_A_TIME, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(cast(Any, chart_style(look)))
        yield


# Words


def _letters(size: float, bold: bool = False) -> FontProperties:
    from matplotlib.font_manager import FontProperties

    family, weight = ("Inter SemiBold", BOLD) if bold else ("Inter", 400)
    return FontProperties(family=[family, "DejaVu Sans"], weight=weight, size=size)


@lru_cache(maxsize=1)
def _known_letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    files = (str(FONTS / "regular.ttf"), findfont("DejaVu Sans"))
    return frozenset(code for file in files for code in get_font(file).get_charmap())


def _readable(text: str) -> str:
    """One line, with a box for each letter that no font has."""
    line = " ".join(str(text).split())
    return "".join(letter if ord(letter) in _known_letters() else "□" for letter in line)


def _wide(text: str, letters: FontProperties) -> float:
    """The width of a line of text in points."""
    from matplotlib.textpath import text_to_path

    width, _, _ = text_to_path.get_text_width_height_descent(text, letters, ismath=False)
    return float(width) * 1.02  # letters on pixels are a little wider than their outlines


def _fitting(text: str, letters: FontProperties, room: float) -> str:
    """The text, cut short if it is wider than the room."""
    line = _readable(text)[:1000]
    if _wide(line, letters) <= room:
        return line
    low, high = 0, len(line)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _wide(line[:middle] + "…", letters) <= room else (low, middle - 1)
    return line[:low].rstrip() + "…"


def short_number(number: float) -> str:
    """A number for an axis.

    >>> [short_number(n) for n in (0, 500, 25_000, 2_500_000, 3 * 10**9, 4 * 10**30)]
    ['0', '500', '25 k', '2.5 M', '3 G', '4e30']
    >>> [short_number(n) for n in (0.25, 0.0001, 2e-7, -3)]
    ['0.25', '0.0001', '2e-7', '−3']
    """
    if number < 0:
        return "−" + short_number(-number)
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if size <= number < 10**15:
            return f"{number / size:.10g} {unit}"
    if number == 0 or 1e-4 <= number < 10**15:
        return f"{number:.10g}"
    digits, _, power = f"{number:e}".partition("e")
    return f"{float(digits):g}e{int(power)}"


def _counted(number: int, unit: str) -> str:
    """
    >>> _counted(1, "moves"), _counted(2, "pushes"), _counted(1, "pushes")
    ('1 move', '2 pushes', '1 push')
    """
    single = unit.removesuffix("es") if unit == "pushes" else unit.removesuffix("s")
    return f"{big(number)} {single if number == 1 else unit}"


# The sheet


class _Sheet:
    """A figure with its title, and axes that leave the room that is asked for."""

    def __init__(self, look: Theme, title: str, subtitle: str, high: float = HEIGHT) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        self.look = look
        lines = subtitle.split("\n") if subtitle else []
        high += 14 * max(0, len(lines) - 1)
        self.high = ceil(round(high / 3.6, 6)) * 3.6  # a whole number of pixels in a PNG
        self.figure = Figure(figsize=(WIDTH / 72, self.high / 72), dpi=100)
        self.points: Transform = Affine2D().scale(1 / 72) + self.figure.dpi_scale_trans
        self.figure.set_label(_readable(title))
        room = WIDTH - 2 * MARGIN
        heading = _letters(TITLE, bold=True)
        self.write(MARGIN, self.high - 36, _fitting(title, heading, room), heading, look.ink)
        small = _letters(SUBTITLE)
        for number, line in enumerate(lines):
            below = self.high - 53 - 14 * number
            self.write(MARGIN, below, _fitting(line, small, room), small, _grey(look))
        self.top = self.high - 39 - 14 * len(lines)

    def write(
        self, x: float, y: float, text: str, letters: FontProperties, colour: str, align: str = "left"
    ) -> None:
        """Words on their baseline, and a piece of paper behind them that covers lines."""
        behind = {"facecolor": self.look.paper, "edgecolor": "none", "pad": 1.0}
        self.figure.text(
            x, y, text, fontproperties=letters, color=colour, ha=align, va="baseline",
            transform=self.points, bbox=behind,
        )  # fmt: skip

    def line(self, xs: Sequence[float], ys: Sequence[float], colour: str, **how: Any) -> None:
        """A thin line from point to point."""
        from matplotlib.lines import Line2D

        how = {"linewidth": 1.0, "solid_capstyle": "butt", **how}
        self.figure.add_artist(Line2D(xs, ys, color=colour, transform=self.points, **how))

    def axes(self, y_label: str, y_ticks: Sequence[str], x_label: str, right: float = 0.0) -> Axes:
        """The axes; what is counted upwards is said above them, what is counted across below."""
        small = _letters(SMALL)
        room = WIDTH - 2 * MARGIN
        self.write(MARGIN, self.top - 28, _fitting(y_label, small, room), small, _grey(self.look))
        left = MARGIN + max((_wide(tick, small) for tick in y_ticks), default=0.0) + 8
        self.box = (left, 56.0, WIDTH - MARGIN - right, self.top - 36)
        x0, y0, x1, y1 = self.box
        name = _fitting(x_label, small, room)
        half = _wide(name, small) / 2
        middle = min(max((x0 + x1) / 2, MARGIN + half), WIDTH - MARGIN - half)
        self.write(middle, MARGIN - 2, name, small, _grey(self.look), "center")
        shape = (x0 / WIDTH, y0 / self.high, (x1 - x0) / WIDTH, (y1 - y0) / self.high)
        return self.figure.add_axes(shape)

    def place(self, axes: Axes, x: float, y: float) -> tuple[float, float]:
        """Where a point of the axes lies on the sheet."""
        at = self.points.inverted().transform(axes.transData.transform((x, y)))
        return float(at[0]), float(at[1])


# Bars


class _Flag(NamedTuple):
    """Words at the top of a thin line that stands on a bar, or goes down to the axis."""

    x: float
    foot: float
    text: str
    colour: str
    dashed: bool = False


class _Bars(NamedTuple):
    """What a chart of bars shows: the leftmost stands for `first`, and there are at most two flags."""

    title: str
    subtitle: str
    x_label: str
    y_label: str
    first: int
    counts: tuple[int, ...]
    flags: tuple[_Flag, ...]
    blocks: Mapping[int, Sequence[int]] = {}
    log: bool = False

    @property
    def last(self) -> int:
        return self.first + len(self.counts) - 1


class _Scale(NamedTuple):
    """Heights in points of counts, where the highest bar has the height `full` of the axes' `whole`."""

    most: int
    full: float
    whole: float
    log: bool

    @property
    def base(self) -> float:
        return 0.6 if self.log else 0.0  # a single configuration is to be seen, too

    def height(self, count: float) -> float:
        if not self.log:
            return count / self.most * self.full
        decades = log10(self.most / self.base)
        return log10(max(count, self.base) / self.base) / decades * self.full

    @property
    def limits(self) -> tuple[float, float]:
        if not self.log:
            return 0.0, self.most * (self.whole / self.full)
        return self.base, self.base * (self.most / self.base) ** (self.whole / self.full)


def _bar_chart(look: Theme, shown: _Bars) -> Figure:
    most = max(shown.counts)
    steps = _powers(most) if shown.log else _steps(most)
    sheet = _Sheet(look, shown.title, shown.subtitle)
    names = [short_number(step) for step in steps]
    axes = sheet.axes(shown.y_label, names, shown.x_label)
    scale, places = _raised(sheet, shown)
    if shown.log:
        axes.set_yscale("log")
    axes.set_ylim(*scale.limits)
    axes.set_xlim(shown.first - 0.5, shown.last + 0.5)
    _write_ticks(axes.yaxis, [float(step) for step in steps])
    axes.yaxis.minorticks_off()
    _draw_bars(sheet, axes, shown, scale.base)
    _draw_blocks(sheet, shown, scale)
    _number_bars(sheet, axes, shown)
    for flag, (x, y) in zip(shown.flags, places, strict=True):
        _draw_flag(sheet, shown, scale, flag, x, y)
    return sheet.figure


def _draw_bars(sheet: _Sheet, axes: Axes, shown: _Bars, base: float) -> None:
    """A bar for each count; so many that they would be thinner than a hair become one outline."""
    unit = _unit(sheet, shown)
    colour = _bar_colour(sheet.look)
    values = [float(count) for count in shown.counts]
    xs = range(shown.first, shown.last + 1)
    if len(values) > MOST_BARS:
        edges = [x - 0.5 for x in (*xs, shown.last + 1)]
        axes.stairs(values, edges, baseline=base, fill=True, color=colour, linewidth=0.4)
        xs, values = range(shown.last, shown.last + 1), values[-1:]
    heights = [max(value - base, 0.0) for value in values]
    bars = axes.bar(xs, heights, _bar_width(unit) / unit, base, color=colour, edgecolor=colour, linewidth=0.4)
    for x, bar in zip(xs, bars, strict=True):
        count = shown.counts[x - shown.first]
        bar.set(gid=f"{BAR_NAME}{x}", label=f"{x}: {count:,}", snap=False)
        if not count:
            bar.set_linewidth(0)  # the rim shows the smallest bars; where nothing is, nothing is to be seen
    bars[-1].set(facecolor=sheet.look.accent, edgecolor=sheet.look.accent, zorder=1.5)


def _draw_blocks(sheet: _Sheet, shown: _Bars, scale: _Scale) -> None:
    """Lines of paper across a bar between the kinds that it counts, unless they are too thin to see."""
    x0, y0, _, _ = sheet.box
    unit = _unit(sheet, shown)
    half = _bar_width(unit) / 2 + 0.5
    for x, sizes in shown.blocks.items():
        if scale.height(min(sizes)) < 4:
            continue
        middle, below = x0 + (x - shown.first + 0.5) * unit, 0
        for size in sorted(sizes, reverse=True)[:-1]:
            below += size
            at = y0 + scale.height(below)
            sheet.line((middle - half, middle + half), (at, at), sheet.look.paper)


def _number_bars(sheet: _Sheet, axes: Axes, shown: _Bars) -> None:
    """Distances below the bars, as many as there is room for, and always the first and the last."""
    unit, letters = _unit(sheet, shown), _letters(SMALL)
    final = _letters(SMALL, bold=True)
    room = _wide(f"{shown.last}", final) + 12
    every = next(n * 10**k for k in range(99) for n in (1, 2, 5) if unit * n * 10**k >= room)
    marks = [x for x in range(shown.first, shown.last) if x % every == 0 or x == shown.first]
    marks = [x for x in marks if (x == shown.first or (x - shown.first) * unit >= room)]
    marks = [x for x in marks if (shown.last - x) * unit >= room]
    axes.set_xticks([*marks, shown.last], [str(x) for x in (*marks, shown.last)])
    for label in axes.get_xticklabels():
        label.set_fontproperties(letters)
    last = axes.get_xticklabels()[-1]
    last.set_fontproperties(final)
    last.set_color(_against(sheet.look.accent, sheet.look, 4.5))


def _unit(sheet: _Sheet, shown: _Bars) -> float:
    return (sheet.box[2] - sheet.box[0]) / len(shown.counts)


def _bar_width(unit: float) -> float:
    """
    >>> _bar_width(200.0), round(_bar_width(10.0), 1), _bar_width(2.0)
    (64.0, 8.0, 2.0)
    """
    return min(WIDEST_BAR, unit - min(2.5, unit * 0.2)) if unit >= 3 else unit  # thin gaps only shimmer


def _bar_colour(look: Theme) -> str:
    return look.piece if _contrast(look.piece, look.paper) >= 2.2 else curve_colours(look)[1]


def _steps(most: int) -> list[int]:
    """Round values for the lines, from nothing to at most `most`.

    >>> _steps(24047), _steps(3), _steps(1)
    ([0, 5000, 10000, 15000, 20000], [0, 1, 2, 3], [0, 1])
    """
    rough = (2 * most + 9) // 11
    power = 10 ** (len(str(rough)) - 1)
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    return list(range(0, most + 1, step))


def _powers(most: int) -> list[int]:
    """Powers of ten for the lines, not more than seven.

    >>> _powers(24047), _powers(10**30)[:3]
    ([1, 10, 100, 1000, 10000], [1, 100000, 10000000000])
    """
    decades = len(str(most)) - 1
    return [10**power for power in range(0, decades + 1, max(1, ceil(decades / 6)))]


# Flags


def _raised(sheet: _Sheet, shown: _Bars) -> tuple[_Scale, list[tuple[float, float]]]:
    """Bars as high as the flags above them allow, and where the words of the flags begin."""
    whole = sheet.box[3] - sheet.box[1]
    for rows in range(4):
        scale = _Scale(max(shown.counts), whole - rows * ROW - 4, whole, shown.log)
        places = _flag_places(sheet, shown, scale)
        if all(y + ROW - 4 <= whole for _, y in places):
            break
    return scale, places


def _flag_places(sheet: _Sheet, shown: _Bars, scale: _Scale) -> list[tuple[float, float]]:
    """Left end and baseline of the words of each flag, from the corner of the axes.

    Words stand in the middle above their bar if there is room, and always above the bars beside it. If those
    of two flags would touch, the left ones end where the line of the right flag passes, and the right ones
    go one row up: so no line crosses words.
    """
    room = sheet.box[2] - sheet.box[0]
    unit, letters = _unit(sheet, shown), _letters(SMALL, bold=True)
    lines = [(flag.x - shown.first + 0.5) * unit for flag in shown.flags]
    widths = [_wide(flag.text, letters) for flag in shown.flags]
    lefts = [max(0.0, min(x - width / 2, room - width)) for x, width in zip(lines, widths, strict=True)]
    touching = len(lefts) == 2 and lefts[0] + widths[0] + 10 > lefts[1]
    if touching:
        lefts[0] = max(0.0, min(lefts[0], lines[1] - 6 - widths[0]))
    places: list[tuple[float, float]] = []
    for left, width in zip(lefts, widths, strict=True):
        base = scale.height(max(_beside(shown.counts, unit, left - 3, left + width + 3), default=0)) + 7
        if places and touching:
            base = max(base, places[0][1] + ROW)
        places.append((left, base))
    return places


def _beside(counts: Sequence[int], unit: float, left: float, right: float) -> Sequence[int]:
    """The bars that stand, wholly or in part, between these places.

    >>> _beside([5, 6, 7, 8], 100.0, 190.0, 310.0)
    [7]
    """
    half = _bar_width(unit) / 2
    first = max(0, ceil((left - half) / unit - 0.5))
    return counts[first : max(first, floor((right + half) / unit - 0.5) + 1)]


def _draw_flag(sheet: _Sheet, shown: _Bars, scale: _Scale, flag: _Flag, left: float, base: float) -> None:
    x0, y0, _, _ = sheet.box
    x = x0 + (flag.x - shown.first + 0.5) * _unit(sheet, shown)
    foot = scale.height(flag.foot) + (2 if flag.foot else 0)
    how: dict[str, Any] = {"linestyle": (0, (3, 2))} if flag.dashed else {}
    if base - 4 - foot > 4:
        sheet.line((x, x), (y0 + foot, y0 + base - 4), flag.colour, **how)
    colour = _against(flag.colour, sheet.look, 4.5)
    sheet.write(x0 + left, y0 + base, flag.text, _letters(SMALL, bold=True), colour)


# Distances


def distribution_chart(
    found: Distances | GodsNumber | Sequence[int],
    *,
    theme: str | Theme = "light",
    title: str | None = None,
    log: bool = False,
) -> Figure:
    """How many configurations lie at each distance, the hardest and the mean marked.

    Parameters
    ----------
    found : Distances, GodsNumber or sequence of int
        For God's number, the distances from a start of the largest eccentricity; of plain numbers, number d
        is how many configurations need d moves.
    theme : {"light", "dark", "print"} or Theme
    title : str, optional
        The text of the puzzle if not said.
    log : bool
        Count on a logarithmic scale, which shows the few that are near and the few that are far.

    >>> figure = distribution_chart([1, 2, 4, 8, 3])
    >>> [int(bar.get_height()) for bar in figure.axes[0].patches]
    [1, 2, 4, 8, 3]
    """
    look = theme_named(theme)
    with _drawing(look):
        return _bar_chart(look, _distribution_bars(found, look, title, log))


def _distribution_bars(
    found: Distances | GodsNumber | Sequence[int], look: Theme, title: str | None, log: bool
) -> _Bars:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber

    if isinstance(found, GodsNumber):
        found = _from_deepest(found)
    if isinstance(found, Distances):
        counts, name, subtitle = found.distribution, found.start.puzzle.uncoloured.text, _said(found)
        unit = _unit_of(found.metric)
    else:
        counts, name, unit = _checked_counts(found), "Distances", "moves"
        subtitle = (
            f"{_counted(sum(counts), 'configurations')}, at most {_counted(len(counts) - 1, unit)} away"
        )
    if max(counts) > MOST_COUNT:
        raise TooLarge("expected at most 10^200 configurations at one distance for a chart")
    depth = len(counts) - 1
    hardest = _Flag(depth, counts[-1], f"{big(counts[-1])} at {_counted(depth, unit)}", look.accent)
    mean = sum(d * count for d, count in enumerate(counts)) / sum(counts)
    middle = _Flag(mean, 0, f"mean {mean:.1f}", look.ink, dashed=True)
    flags = (middle, hardest) if depth else (hardest,)
    label = f"{unit} of the shortest solution"
    return _Bars(title or name, subtitle, label, "configurations", 0, counts, flags, log=log)


def _from_deepest(found: GodsNumber) -> Distances:
    from slidelab.distance.distances import Distances

    if found.deepest:
        return found.deepest.distances
    return Distances(found.puzzle.goal, (1,), (), found.metric)


def _said(found: Distances) -> str:
    pieces = found.start.pieces_text
    where = f"from {pieces}" if len(pieces) < 60 else "away"
    reached = _counted(found.states, "configurations")
    return f"{reached}, at most {_counted(found.depth, _unit_of(found.metric))} {where}"


def _unit_of(metric: str) -> str:
    return "pushes" if metric == "straight" else "moves"


def _checked_counts(found: Sequence[int]) -> tuple[int, ...]:
    """
    >>> _checked_counts([1, 2, 0])
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected how many configurations there are at each distance, got [1, 2, 0]
    """
    try:
        counts = tuple(index(count) for count in found)
    except TypeError:
        counts = ()
    if not counts or min(counts) < 0 or not counts[-1]:
        shown = repr(found)[:60]
        raise NotationError(f"expected how many configurations there are at each distance, got {shown}")
    return counts


def eccentricities_chart(
    found: GodsNumber, *, theme: str | Theme = "light", title: str | None = None
) -> Figure:
    """How many shapes have each eccentricity, which is how far the farthest configuration is from them.

    Renaming pieces does not change distances, so all starts of one shape have the same eccentricity; a
    symmetry of the board carries it to other shapes. Lines across a bar part these kinds of shapes from
    each other. Where pieces have colours, the bars count configurations. Radius and God's number, the least
    and the largest eccentricity of the widest components, are marked.

    >>> import slidelab as sl
    >>> figure = eccentricities_chart(sl.puzzle("hex F(2)", holes=3).gods_number())
    >>> [(round(bar.get_center()[0]), round(bar.get_height())) for bar in figure.axes[0].patches]
    [(12, 21), (13, 12)]
    """
    from slidelab.distance.gods_number import GodsNumber

    look = theme_named(theme)
    if not isinstance(found, GodsNumber):
        raise NotationError(f"expected what gods_number() found, got {type(found).__name__}")
    with _drawing(look):
        return _bar_chart(look, _eccentricity_bars(found, look, title))


def _eccentricity_bars(found: GodsNumber, look: Theme, title: str | None) -> _Bars:
    blocks: dict[int, list[int]] = {}
    for search in found.searches:
        blocks.setdefault(search.depth, []).append(search.orbit)
    sums = Counter({depth: sum(sizes) for depth, sizes in blocks.items()}) or Counter({0: 1})
    first, last = min(sums), max(sums)
    counts = tuple(sums[depth] for depth in range(first, last + 1))
    what = "shapes" if found.puzzle.colours is None else "configurations"
    label = f"{_unit_of(found.metric)} to the farthest configuration"
    flags = _eccentricity_flags(found, sums, look, what)
    name, kinds = title or found.puzzle.text, blocks if what == "shapes" else {}
    return _Bars(name, _kinds_line(found, what), label, what, first, counts, flags, kinds)


def _eccentricity_flags(found: GodsNumber, sums: Counter[int], look: Theme, what: str) -> tuple[_Flag, ...]:
    number, radius = found.number, found.radius
    many = _counted(sums[number], what) if found.searches else "nothing can move"
    if not found.exact:
        top = f"God's number is at least {number}" + (f", at most {found.at_most}" if found.at_most else "")
        return (_Flag(number, sums[number], top, look.accent),)
    if radius is None or radius == number:
        return (_Flag(number, sums[number], f"radius and God's number {number}: {many}", look.accent),)
    least = f"radius {radius}: {_counted(sums[radius], what)}"
    return (
        _Flag(radius, sums[radius], least, look.ink),
        _Flag(number, sums[number], f"God's number {number}: {many}", look.accent),
    )


def _kinds_line(found: GodsNumber, what: str) -> str:
    """What the bars count, in words."""
    if not found.searches or not found.exact:
        return found.proof
    covered, kinds = sum(search.orbit for search in found.searches), len(found.searches)
    if what != "shapes":
        return f"eccentricities of {_counted(covered, what)}"
    alike = f" under {found.symmetries} symmetries of the board" if found.symmetries > 1 else ""
    return f"eccentricities of {_counted(covered, what)}, {_counted(kinds, 'kinds')}{alike}"


# Growth


def slope(points: Points, *, log_x: bool = True) -> float | None:
    """The slope of the best straight line through the logarithms (base 10) of the points, by least squares.

    On two logarithmic scales this is the exponent e of y ~ x^e. Without `log_x` only y is taken as a
    logarithm: then y grows by the factor 10^slope with each step of x. None without two different x.

    >>> round(slope([(1, 5), (10, 500), (100, 50_000)]), 3)
    2.0
    """
    xs = [log10(x) if log_x else float(x) for x, _ in points]
    ys = [log10(y) for _, y in points]
    if len(set(xs)) < 2:
        return None
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((a - x) ** 2 for a in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / across


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
    """How cost grows: named curves, each with its slope beside its end.

    Parameters
    ----------
    curves : mapping of str to sequence of (x, y)
        All y, and with `log_x` all x, above zero; sorted by x here.
    x_label, y_label, title, subtitle : str
        A subtitle may have several lines.
    log_x : bool
        Both scales logarithmic, and the slope is an exponent. Otherwise only that of y is, and the growth
        is told as the factor for each step of x.
    fit_last : int, optional
        Fit the slope to so many of the last points only, where cost is no longer that of the set-up.

    >>> figure = growth_chart({"moves": [(5, 250), (10, 2000)]}, x_label="n", y_label="moves")
    >>> [text.get_text() for text in figure.texts][-2:]
    ['moves', 'slope 3.00']
    """
    look = theme_named(theme)
    drawn = _checked_curves(curves, log_x)
    if fit_last is not None and (isinstance(fit_last, bool) or not isinstance(fit_last, int) or fit_last < 2):
        raise NotationError(f"expected two or more last points to fit, got {fit_last!r:.40}")
    with _drawing(look):
        labels = [_curve_label(name, points[-(fit_last or 0) :], log_x) for name, points in drawn.items()]
        high = max(HEIGHT, 150 + ROW * len(drawn))
        sheet = _Sheet(look, title, subtitle, high)
        axes = _growth_axes(sheet, drawn, labels, x_label, y_label, log_x)
        _draw_curves(sheet, axes, list(drawn.values()), labels)
        return sheet.figure


def _checked_curves(curves: Mapping[str, Points], log_x: bool) -> dict[str, list[tuple[float, float]]]:
    if not isinstance(curves, Mapping) or not 1 <= len(curves) <= MOST_CURVES:
        raise NotationError(f"expected from 1 to {MOST_CURVES} named curves, got {repr(curves)[:40]}")
    return {str(name): _checked_points(points, log_x, f"{name!r:.40}") for name, points in curves.items()}


def _checked_points(points: Points, log_x: bool, name: str) -> list[tuple[float, float]]:
    try:
        out = sorted((float(x), float(y)) for x, y in points)
    except (TypeError, ValueError, OverflowError):
        shown = repr(points)[:40]
        raise NotationError(f"expected numbers (x, y), got {shown} - at curve {name}") from None
    if not out:
        raise NotationError(f"expected at least one point, got none - at curve {name}")
    for x, y in out:
        logarithmic = (x, y) if log_x else (y,)
        if not all(LEAST <= value <= MOST for value in logarithmic) or not -MOST <= x <= MOST:
            shown = f"({x:g}, {y:g}) - at curve {name}"
            raise NotationError(f"expected numbers above zero for a logarithmic scale, got {shown}")
    return out


def _curve_label(name: str, fitted: Points, log_x: bool) -> tuple[str, str]:
    """The name of a curve, and its growth in words."""
    cut = _fitting(str(name), _letters(SMALL, bold=True), WIDEST_NAME)
    found = slope(fitted, log_x=log_x)
    if found is None:
        return cut, ""
    if log_x:
        return cut, f"slope {round(found, 2) + 0.0:.2f}".replace("-", "−")  # no minus before zero
    return cut, f"×{short_number(float(f'{10.0 ** min(found, 300.0):.3g}'))} a step"


def _growth_axes(
    sheet: _Sheet,
    drawn: Mapping[str, Points],
    labels: Sequence[tuple[str, str]],
    x_label: str,
    y_label: str,
    log_x: bool,
) -> Axes:
    xs = [x for points in drawn.values() for x, _ in points]
    ys = [y for points in drawn.values() for _, y in points]
    x_span, y_span = _span(xs, log_x), _span(ys, True)
    y_ticks = _log_ticks(*y_span, 8)
    names = [short_number(tick) for tick in y_ticks]
    room = max(_label_width(*label) for label in labels) + 18
    axes = sheet.axes(y_label, names, x_label, right=room)
    if log_x:
        axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(*x_span)
    axes.set_ylim(*y_span)
    _write_ticks(axes.yaxis, y_ticks)
    wide = sheet.box[2] - sheet.box[0]
    x_ticks = _log_ticks(*x_span, int(wide // 46)) if log_x else _plain_ticks(*x_span, int(wide // 46))
    _write_ticks(axes.xaxis, _apart(x_ticks, [sheet.place(axes, x, y_span[0])[0] for x in x_ticks]))
    axes.minorticks_off()
    return axes


def _write_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    axis.set_ticks(list(ticks), labels=[short_number(tick) for tick in ticks])
    for label in axis.get_ticklabels():
        label.set_fontproperties(_letters(SMALL))


def _apart(ticks: Sequence[float], places: Sequence[float]) -> list[float]:
    """Those whose numbers, written at these places, do not touch the number before."""
    out, end = [], float("-inf")
    for tick, place in zip(ticks, places, strict=True):
        half = _wide(short_number(tick), _letters(SMALL)) / 2
        if place - half >= end + 8:
            out.append(tick)
            end = place + half
    return out


def _span(values: Sequence[float], log: bool) -> tuple[float, float]:
    """From a little below the least to a little above the largest."""
    low, high = min(values), max(values)
    if log:
        apart = max((log10(high) - log10(low)) * 0.05, 0.03)
        return 10 ** max(log10(low) - apart, -307), 10 ** min(log10(high) + apart, 307)
    apart = (high - low) * 0.05 or max(abs(low) * 0.05, 0.5)
    return low - apart, high + apart


def _log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers on a logarithmic scale, at most so many.

    >>> _log_ticks(4.5, 120, 8), _log_ticks(0.02, 3e7, 6)
    ([5.0, 10.0, 20.0, 50.0, 100.0], [1.0, 100.0, 10000.0, 1000000.0])
    >>> _log_ticks(11, 14, 8)
    [11.0, 11.5, 12.0, 12.5, 13.0, 13.5, 14.0]
    """
    first, last = floor(log10(low)), ceil(log10(high))
    fine = [float(f"{n}e{k}") for k in range(first, last + 1) for n in (1, 2, 5)]
    fine = [tick for tick in fine if low <= tick <= high]
    if len(fine) < 3:
        return _plain_ticks(low, high, most)
    if len(fine) <= most:
        return fine
    every = ceil((last - first) / most)
    powers = [float(f"1e{k}") for k in range(first, last + 1) if k % every == 0]
    return [tick for tick in powers if low <= tick <= high]


def _plain_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers at equal steps, at most so many.

    >>> _plain_ticks(3, 21, 8), _plain_ticks(0.1, 0.2, 8)
    ([5.0, 10.0, 15.0, 20.0], [0.1, 0.12, 0.14, 0.16, 0.18, 0.2])
    """
    rough = (high - low) / (most - 1)
    power = floor(log10(rough))
    step = next(float(f"{n}e{power}") for n in (1, 2, 5, 10) if float(f"{n}e{power}") >= rough)
    ticks = [float(f"{k * step:.12g}") for k in range(floor(low / step), ceil(high / step) + 1)]
    return [tick for tick in ticks if low <= tick <= high]


def _label_width(name: str, growth: str) -> float:
    gap = 6 if growth else 0
    return _wide(name, _letters(SMALL, bold=True)) + gap + _wide(growth, _letters(SMALL))


def _draw_curves(
    sheet: _Sheet, axes: Axes, curves: Sequence[Points], labels: Sequence[tuple[str, str]]
) -> None:
    """The curves, and their names in a column on the right, each as near to its curve's end as it can be."""
    look, colours = sheet.look, curve_colours(sheet.look)
    ends = [sheet.place(axes, *points[-1]) for points in curves]
    low, high = sheet.box[1], sheet.box[3] - 6
    levels = _spread([y - 3.3 for _, y in ends], ROW, low, high)
    column = sheet.box[2] + 12
    for number, points in enumerate(curves):
        colour = colours[number % len(colours)]
        marker, size = list(MARKERS.items())[(number + number // len(MARKERS)) % len(MARKERS)]
        dashes = DASHES[number % len(DASHES)] if look.name == "print" else "-"
        axes.plot(
            *zip(*points, strict=True), color=colour, marker=marker, markersize=size, linestyle=dashes,
            markeredgecolor=look.paper, markeredgewidth=0.7, clip_on=False, zorder=3,
        )  # fmt: skip
        (x, y), level = ends[number], levels[number]
        sheet.line((x + 6, column - 9, column - 3), (y, level + 3.3, level + 3.3), colour, linewidth=0.7)
        _write_label(sheet, column, level, labels[number], _against(colour, look, 4.5))


def _write_label(sheet: _Sheet, x: float, y: float, label: tuple[str, str], colour: str) -> None:
    name, growth = label
    bold = _letters(SMALL, bold=True)
    sheet.write(x, y, name, bold, colour)
    if growth:
        sheet.write(x + _wide(name, bold) + 6, y, growth, _letters(SMALL), _grey(sheet.look))


def _spread(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """Places at least so far apart, within bounds, and as near to the wanted ones as can be.

    Taking k steps off the k-th place from below leaves numbers that only have to rise: neighbours that fall
    are joined and share their mean (isotonic regression), which has the least sum of squares.

    >>> _spread([10.0, 11.0, 50.0], 10.0, 0.0, 100.0)
    [5.5, 15.5, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    blocks: list[tuple[float, int]] = []
    for rank, k in enumerate(order):
        mean, size = wanted[k] - rank * apart, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, size = (before * many + mean * size) / (many + size), many + size
        blocks.append((mean, size))
    top = high - (len(wanted) - 1) * apart
    levels = [max(low, min(mean, top)) for mean, size in blocks for _ in range(size)]
    out = [0.0] * len(wanted)
    for rank, k in enumerate(order):
        out[k] = levels[rank] + rank * apart
    return out


# Files


def check_chart_name(path: str | os.PathLike[str]) -> Path:
    """The path, if a chart can be drawn into it: to be asked before a long search, not after it.

    >>> check_chart_name("chart.gif")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .svg, .png or .pdf, got 'chart.gif'
    """
    target = check_target(path)
    _needs_matplotlib()
    return target


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as what the name ends in: SVG, PNG or PDF; the same figure gives the same bytes.

    Letters in an SVG are outlines, so it needs no fonts, and pointing at a bar shows its numbers.

    >>> folder = getfixture("tmp_path")
    >>> save_figure(distribution_chart([1, 2, 1]), folder / "chart.svg")
    >>> (folder / "chart.svg").read_text()[:35]
    '<svg xmlns:xlink="http://www.w3.org'
    """
    target = check_chart_name(path)
    write_bytes(target, figure_bytes(figure, ending(target)))


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """The figure as a file of that kind.

    >>> figure_bytes(distribution_chart([1, 2, 1]), "png")[:4]
    b'\\x89PNG'
    """
    import matplotlib

    nothing: dict[str, dict[str, None]] = {
        "svg": dict.fromkeys(("Date", "Creator", "Format", "Type")),
        "png": {"Software": None},
        "pdf": dict.fromkeys(("CreationDate", "Creator", "Producer")),
    }
    if kind not in PICTURES:
        raise PuzzleError(f"expected svg, png or pdf, got {kind!r:.40}")
    settings: dict[Any, Any] = {
        "svg.hashsalt": "slidelab",  # names inside the file are drawn from this, not by chance
        "svg.fonttype": "path",
        "pdf.fonttype": 42,
        "text.hinting": "none",  # letters of a PNG stand where those of the SVG do
        "savefig.bbox": None,
        "savefig.facecolor": "auto",
        "savefig.transparent": False,
    }
    out = io.BytesIO()
    with _ONE_AT_A_TIME, matplotlib.rc_context(settings):
        figure.savefig(out, format=kind, dpi=200, metadata=nothing[kind])
    return _tidy(figure, out.getvalue()) if kind == "svg" else out.getvalue()


def _tidy(figure: Figure, data: bytes) -> bytes:
    """The SVG by itself: no document type, no style that would reach into the page around it.

    Names that nothing refers to are left out, since several charts may stand in one page. Bars get their
    numbers as titles, which browsers show.
    """
    from xml.dom.minidom import parseString

    document = parseString(data)
    root: Any = document.documentElement
    for style in root.getElementsByTagName("style"):
        style.parentNode.removeChild(style)
    for side in ("width", "height"):  # in pixels, since some programs know no points
        root.setAttribute(side, f"{float(root.getAttribute(side).removesuffix('pt')) * 4 / 3:.6g}")
    root.setAttribute("stroke-linejoin", "round")
    root.setAttribute("role", "img")
    titles = _titles(figure)
    used = {node.getAttribute("xlink:href").removeprefix("#") for node in root.getElementsByTagName("use")}
    for node in [root, *root.getElementsByTagName("*")]:
        name = node.getAttribute("id")
        title = str(figure.get_label()) if node is root else titles.get(name)
        if title:
            said = document.createElement("title")
            said.appendChild(document.createTextNode(title))
            node.insertBefore(said, node.firstChild)
        if node.tagName == "g" and name and name not in used:
            node.removeAttribute("id")
        for child in [child for child in node.childNodes if child.nodeType == child.COMMENT_NODE]:
            node.removeChild(child)
    return f"{root.toxml()}\n".encode()


def _titles(figure: Figure) -> dict[str, str]:
    """The numbers of each bar, by the name that it has in the SVG."""
    bars = [patch for axes in figure.axes for patch in axes.patches]
    named = {str(patch.get_gid()): str(patch.get_label()) for patch in bars}
    return {name: label for name, label in named.items() if name.startswith(BAR_NAME)}
