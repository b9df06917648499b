"""The sheet that all charts share: style, colours, fonts, title and axes.

A title and a subtitle at the left, light horizontal grid lines, and direct labels instead of a legend.
Positions are in points (1/72 inch) from the lower left corner of the sheet.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from math import ceil
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

from slidelab.draw.chart.ticks import format_tick
from slidelab.draw.glyphs import FONTS
from slidelab.draw.theme import Theme, contrast, get_theme, luminance, mix
from slidelab.packages import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.font_manager import FontProperties
    from matplotlib.transforms import Transform

__all__ = ["Font", "Sheet", "chart_style", "curve_colours", "isolated_settings", "readable_colour"]

WIDTH, HEIGHT, MARGIN = 612.0, 324.0, 24.0
"""Width and usual height of a sheet and its margin, in points."""

TEXT_WIDTH = WIDTH - 2 * MARGIN
"""Width available for a line of text, in points."""

ROW_HEIGHT = 15.0
"""Height of a label of a bar or curve, in points."""

MIN_TEXT_CONTRAST, MIN_LINE_CONTRAST = 4.5, 2.2
"""Least contrast ratio to the paper of text (WCAG 2, level AA) and of lines."""

MAX_TEXT = 1_000
"""Characters of a text that are measured; more never fit."""

# Settings of matplotlib are global: two threads that draw at once would mix their themes.
_SETTINGS_LOCK = RLock()


# Style


def chart_style(theme: str | Theme = "light") -> dict[Any, Any]:
    """Return settings of matplotlib for a theme, to be used with ``matplotlib.rc_context``.

    >>> import matplotlib
    >>> with matplotlib.rc_context(chart_style("dark")):
    ...     matplotlib.rcParams["axes.facecolor"], matplotlib.rcParams["font.family"]
    ('#12171e', ['Inter', 'DejaVu Sans'])
    """
    theme = get_theme(theme)
    require("matplotlib", "charts need", "charts")
    _register_fonts()
    return {
        "font.family": ["Inter", "DejaVu Sans"],  # the second has the characters that Inter subset lacks
        "font.size": SMALL.size,
        "text.parse_math": False,  # a dollar sign in a name is literal
        "figure.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "axes.edgecolor": mix(theme.faint, theme.ink, 0.3),
        "axes.axisbelow": True,
        "axes.spines.left": False,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.color": mix(theme.faint, theme.paper, 0.45),
        "grid.linewidth": 0.7,
        "xtick.color": theme.ink,
        "ytick.color": secondary_colour(theme),
        "xtick.major.size": 0.0,
        "ytick.major.size": 0.0,
        "xtick.major.pad": 5.0,
        "ytick.major.pad": 6.0,
        "lines.linewidth": 1.8,
    }


@contextmanager
def isolated_settings(settings: dict[Any, Any]) -> Iterator[None]:
    """Apply settings of matplotlib in place of the user's, and restore those afterwards."""
    import matplotlib

    with _SETTINGS_LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


@cache
def _register_fonts() -> None:
    from matplotlib.font_manager import fontManager, get_font, ttfFontProperty

    # matplotlib warns unless the semi-bold font and its bold fallback have the same weight.
    semibold = ttfFontProperty(get_font(str(FONTS / "semibold.ttf")))
    fontManager.ttflist.append(replace(semibold, weight=700))
    fontManager.addfont(str(FONTS / "regular.ttf"))


# Colours


def curve_colours(theme: Theme) -> list[str]:
    """Return the colours of the palette that stand out from the paper, in print the darkest first.

    >>> curve_colours(get_theme("light"))[0]
    '#4477aa'
    >>> greys = [luminance(colour) for colour in curve_colours(get_theme("print"))]
    >>> greys[0] == min(greys), greys[1] == max(greys)
    (True, True)
    """
    if theme.name != "print":
        return [readable_colour(colour, theme, MIN_LINE_CONTRAST) for colour in theme.palette]
    darkest, *others = sorted((c for c in theme.palette if contrast(c, theme.paper) >= 3), key=luminance)
    return [darkest, *reversed(others)]


def readable_colour(colour: str, theme: Theme, min_contrast: float = MIN_TEXT_CONTRAST) -> str:
    """Mix a colour with the ink until its contrast to the paper is large enough.

    >>> readable_colour("#ffffff", get_theme("print"))
    '#737373'
    """
    mixtures = (mix(colour, theme.ink, step / 20) for step in range(21))
    return next((each for each in mixtures if contrast(each, theme.paper) >= min_contrast), theme.ink)


def secondary_colour(theme: Theme) -> str:
    """Return the colour of explanatory text."""
    return readable_colour(mix(theme.ink, theme.paper, 0.45), theme)


# Text


class Font(NamedTuple):
    """A size and a weight of Inter, with DejaVu Sans for missing characters."""

    size: float
    bold: bool = False

    @property
    def font(self) -> FontProperties:
        """The font as matplotlib has it."""
        from matplotlib.font_manager import FontProperties

        family, weight = ("Inter SemiBold", 700) if self.bold else ("Inter", 400)
        return FontProperties(family=[family, "DejaVu Sans"], weight=weight, size=self.size)

    def width(self, text: str) -> float:
        """Return the width of a line of text in points."""
        from matplotlib.textpath import text_to_path

        width, _, _ = text_to_path.get_text_width_height_descent(text, self.font, ismath=False)
        return float(width) * 1.02  # rasterized text is slightly wider than its outlines

    def truncate(self, text: str, max_width: float) -> str:
        """Return a text as one line, cut to a width in points."""
        line = _one_line(text)[:MAX_TEXT]
        if self.width(line) <= max_width:
            return line
        length = bisect(range(1, len(line) + 1), max_width, key=lambda n: self.width(line[:n] + "…"))
        return line[:length].rstrip() + "…"


TITLE, SUBTITLE, SMALL, BOLD = Font(14.0, True), Font(10.0), Font(9.5), Font(9.5, True)


def _one_line(text: str) -> str:
    """Join lines, and replace characters that no font has by a box."""
    return "".join(each if ord(each) in _known_characters() else "□" for each in " ".join(text.split()))


@cache
def _known_characters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    files = (str(FONTS / "regular.ttf"), findfont("DejaVu Sans"))
    return frozenset(code for file in files for code in get_font(file).get_charmap())


def set_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    """Set the ticks of an axis and their labels."""
    axis.set_ticks(list(ticks), labels=[format_tick(tick) for tick in ticks])


# The sheet


class Sheet:
    """A figure with its title; `axes` adds the axes."""

    def __init__(self, theme: Theme, title: str, subtitle: str, height: float = HEIGHT) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        self.theme = theme
        lines = subtitle.split("\n") if subtitle else []
        height += 14 * max(0, len(lines) - 1)
        self.height = ceil(round(height / 3.6, 6)) * 3.6  # a whole number of pixels in a PNG
        self.figure = Figure(figsize=(WIDTH / 72, self.height / 72), dpi=100)
        self.figure.set_label(_one_line(title))
        self.points: Transform = Affine2D().scale(1 / 72) + self.figure.dpi_scale_trans
        self.write(MARGIN, self.height - 36, TITLE.truncate(title, TEXT_WIDTH), TITLE, theme.ink)
        for number, line in enumerate(lines):
            text = SUBTITLE.truncate(line, TEXT_WIDTH)
            self.write(MARGIN, self.height - 53 - 14 * number, text, SUBTITLE, secondary_colour(theme))
        self.top = self.height - 39 - 14 * len(lines)

    def write(self, x: float, y: float, text: str, font: Font, colour: str, align: str = "left") -> None:
        """Write a text on its baseline, with paper behind it that covers lines."""
        paper = {"facecolor": self.theme.paper, "edgecolor": "none", "pad": 1.0}
        options: dict[str, Any] = {"fontproperties": font.font, "transform": self.points, "bbox": paper}
        self.figure.text(x, y, text, color=colour, ha=align, **options)

    def line(
        self,
        xs: Sequence[float],
        ys: Sequence[float],
        colour: str,
        linewidth: float = 1.0,
        linestyle: str | tuple[int, tuple[float, ...]] = "-",
    ) -> None:
        """Draw a thin line from point to point."""
        from matplotlib.lines import Line2D

        options: dict[str, Any] = {"linewidth": linewidth, "linestyle": linestyle, "solid_capstyle": "butt"}
        self.figure.add_artist(Line2D(xs, ys, color=colour, transform=self.points, **options))

    def axes(
        self,
        x_label: str,
        y_label: str,
        y_ticks: Sequence[float],
        *,
        right: float = 0.0,
        xscale: str = "linear",
        yscale: str = "linear",
    ) -> Axes:
        """Add axes that leave `right` points free; the label of y is above them, that of x below."""
        left = MARGIN + max(SMALL.width(format_tick(tick)) for tick in y_ticks) + 8
        self.box = x0, y0, x1, y1 = left, 56.0, WIDTH - MARGIN - right, self.top - 36
        colour = secondary_colour(self.theme)
        self.write(MARGIN, self.top - 28, SMALL.truncate(y_label, TEXT_WIDTH), SMALL, colour)
        name = SMALL.truncate(x_label, TEXT_WIDTH)
        half = SMALL.width(name) / 2
        middle = min(max((x0 + x1) / 2, MARGIN + half), WIDTH - MARGIN - half)
        self.write(middle, MARGIN - 2, name, SMALL, colour, "center")
        shape = (x0 / WIDTH, y0 / self.height, (x1 - x0) / WIDTH, (y1 - y0) / self.height)
        axes = self.figure.add_axes(shape, xscale=xscale, yscale=yscale)
        axes.minorticks_off()
        set_ticks(axes.yaxis, y_ticks)
        return axes

    def to_points(self, axes: Axes, x: float, y: float) -> tuple[float, float]:
        """Return the position on the sheet of a point of the axes."""
        position = self.points.inverted().transform(axes.transData.transform((x, y)))
        return float(position[0]), float(position[1])
