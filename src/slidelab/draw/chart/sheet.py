"""The sheet on which all charts are drawn: its colours, its letters, its title, and room for axes.

A title and a subtitle on the left, light horizontal lines, and words beside what they speak of instead of
a legend. Places are told in points (1/72 inch) from the lower left corner of the sheet, so that what is
measured and what is drawn are the same.
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

from slidelab.draw.chart.ticks import short_number
from slidelab.draw.glyphs import FONTS
from slidelab.draw.theme import Theme, contrast, lightness, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import PuzzleError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.font_manager import FontProperties
    from matplotlib.transforms import Transform

__all__ = ["Letters", "Sheet", "against", "chart_style", "curve_colours", "only_settings", "write_ticks"]

WIDTH, HEIGHT, MARGIN = 612.0, 324.0, 24.0
ROOM = WIDTH - 2 * MARGIN
ROW = 15.0
"""The height of a line of words beside bars and curves."""

# Settings of matplotlib belong to the whole process: two charts drawn at once would mix their themes.
_ONE_AT_A_TIME = RLock()


# Style


def chart_style(theme: str | Theme = "light") -> dict[Any, Any]:
    """Settings of matplotlib for charts of a theme, to be used in ``matplotlib.rc_context``.

    >>> import matplotlib
    >>> with matplotlib.rc_context(chart_style("dark")):
    ...     matplotlib.rcParams["axes.facecolor"], matplotlib.rcParams["font.family"]
    ('#12171e', ['Inter', 'DejaVu Sans'])
    """
    look = theme_named(theme)
    needs_matplotlib()
    _register_fonts()
    return {
        "font.family": ["Inter", "DejaVu Sans"],  # the second has the letters that ours has not
        "font.size": SMALL.size,
        "text.parse_math": False,  # a dollar in a name is a dollar
        "figure.facecolor": look.paper,
        "axes.facecolor": look.paper,
        "axes.edgecolor": mix(look.faint, look.ink, 0.3),
        "axes.axisbelow": True,
        "axes.spines.left": False,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.color": mix(look.faint, look.paper, 0.45),
        "grid.linewidth": 0.7,
        "xtick.color": look.ink,
        "ytick.color": grey(look),
        "xtick.major.size": 0.0,
        "ytick.major.size": 0.0,
        "xtick.major.pad": 5.0,
        "ytick.major.pad": 6.0,
        "lines.linewidth": 1.8,
    }


@contextmanager
def only_settings(settings: dict[Any, Any]) -> Iterator[None]:
    """These settings of matplotlib, whatever the user's own are, and those untouched afterwards."""
    import matplotlib

    with _ONE_AT_A_TIME, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(settings)
        yield


def needs_matplotlib() -> None:
    """One line that says what to install, if it is missing."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise PuzzleError("charts need the package matplotlib: pip install 'slidelab[charts]'") from None


@cache
def _register_fonts() -> None:
    from matplotlib.font_manager import fontManager, get_font, ttfFontProperty

    # One weight has to name our semi-bold letters and the bold ones that stand in for those it has not;
    # otherwise matplotlib complains about either.
    semibold = ttfFontProperty(get_font(str(FONTS / "semibold.ttf")))
    fontManager.ttflist.append(replace(semibold, weight=700))
    fontManager.addfont(str(FONTS / "regular.ttf"))


# Colours


def curve_colours(look: Theme) -> list[str]:
    """The colours of the palette that stand out from the paper, the strongest first in print.

    >>> curve_colours(theme_named("light"))[0]
    '#4477aa'
    >>> greys = [lightness(colour) for colour in curve_colours(theme_named("print"))]
    >>> greys[0] == min(greys), greys[1] == max(greys)
    (True, True)
    """
    if look.name != "print":
        return [against(colour, look, 2.2) for colour in look.palette]
    darkest, *others = sorted((c for c in look.palette if contrast(c, look.paper) >= 3), key=lightness)
    return [darkest, *reversed(others)]


def against(colour: str, look: Theme, least: float = 4.5) -> str:
    """The colour, drawn towards the ink until its contrast to the paper is at least so much.

    >>> against("#ffffff", theme_named("print"))
    '#737373'
    """
    mixed = (mix(colour, look.ink, step / 20) for step in range(21))
    return next((one for one in mixed if contrast(one, look.paper) >= least), look.ink)


def grey(look: Theme) -> str:
    """Words that explain."""
    return against(mix(look.ink, look.paper, 0.45), look)


# Words


class Letters(NamedTuple):
    """A size and a weight of our letters, with others in place of those that we have not."""

    size: float
    bold: bool = False

    @property
    def font(self) -> FontProperties:
        from matplotlib.font_manager import FontProperties

        family, weight = ("Inter SemiBold", 700) if self.bold else ("Inter", 400)
        return FontProperties(family=[family, "DejaVu Sans"], weight=weight, size=self.size)

    def wide(self, text: str) -> float:
        """The width of a line of text in points."""
        from matplotlib.textpath import text_to_path

        width, _, _ = text_to_path.get_text_width_height_descent(text, self.font, ismath=False)
        return float(width) * 1.02  # letters on pixels are a little wider than their outlines

    def fitting(self, text: str, room: float) -> str:
        """One line, cut short if it is wider than the room."""
        line = _readable(text)[:1000]
        if self.wide(line) <= room:
            return line
        most = bisect(range(1, len(line) + 1), room, key=lambda many: self.wide(line[:many] + "…"))
        return line[:most].rstrip() + "…"


TITLE, SUBTITLE, SMALL, BOLD = Letters(14.0, True), Letters(10.0), Letters(9.5), Letters(9.5, True)


def _readable(text: str) -> str:
    """One line, with a box for each letter that no font has."""
    return "".join(each if ord(each) in _known_letters() else "□" for each in " ".join(text.split()))


@cache
def _known_letters() -> frozenset[int]:
    from matplotlib.font_manager import findfont, get_font

    files = (str(FONTS / "regular.ttf"), findfont("DejaVu Sans"))
    return frozenset(code for file in files for code in get_font(file).get_charmap())


def write_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    """The numbers along an axis."""
    axis.set_ticks(list(ticks), labels=[short_number(tick) for tick in ticks])


# The sheet


class Sheet:
    """A figure with its title, and axes that leave the room that is asked for."""

    def __init__(self, look: Theme, title: str, subtitle: str, high: float = HEIGHT) -> None:
        from matplotlib.figure import Figure
        from matplotlib.transforms import Affine2D

        self.look = look
        lines = subtitle.split("\n") if subtitle else []
        high += 14 * max(0, len(lines) - 1)
        self.high = ceil(round(high / 3.6, 6)) * 3.6  # a whole number of pixels in a PNG
        self.figure = Figure(figsize=(WIDTH / 72, self.high / 72), dpi=100)
        self.figure.set_label(_readable(title))
        self.points: Transform = Affine2D().scale(1 / 72) + self.figure.dpi_scale_trans
        self.write(MARGIN, self.high - 36, TITLE.fitting(title, ROOM), TITLE, look.ink)
        for number, line in enumerate(lines):
            below = self.high - 53 - 14 * number
            self.write(MARGIN, below, SUBTITLE.fitting(line, ROOM), SUBTITLE, grey(look))
        self.top = self.high - 39 - 14 * len(lines)

    def write(
        self, x: float, y: float, text: str, letters: Letters, colour: str, align: str = "left"
    ) -> None:
        """Words on their baseline, and a piece of paper behind them that covers lines."""
        behind = {"facecolor": self.look.paper, "edgecolor": "none", "pad": 1.0}
        how: dict[str, Any] = {"fontproperties": letters.font, "transform": self.points, "bbox": behind}
        self.figure.text(x, y, text, color=colour, ha=align, **how)

    def line(self, xs: Sequence[float], ys: Sequence[float], colour: str, **how: Any) -> None:
        """A thin line from point to point."""
        from matplotlib.lines import Line2D

        how = {"linewidth": 1.0, "solid_capstyle": "butt", **how}
        self.figure.add_artist(Line2D(xs, ys, color=colour, transform=self.points, **how))

    def axes(
        self, x_label: str, y_label: str, y_ticks: Sequence[float], right: float = 0.0, **scales: Any
    ) -> Axes:
        """The axes; what is counted upwards is said above them, what is counted across below."""
        left = MARGIN + max(SMALL.wide(short_number(tick)) for tick in y_ticks) + 8
        self.box = x0, y0, x1, y1 = left, 56.0, WIDTH - MARGIN - right, self.top - 36
        self.write(MARGIN, self.top - 28, SMALL.fitting(y_label, ROOM), SMALL, grey(self.look))
        name = SMALL.fitting(x_label, ROOM)
        half = SMALL.wide(name) / 2
        middle = min(max((x0 + x1) / 2, MARGIN + half), WIDTH - MARGIN - half)
        self.write(middle, MARGIN - 2, name, SMALL, grey(self.look), "center")
        shape = (x0 / WIDTH, y0 / self.high, (x1 - x0) / WIDTH, (y1 - y0) / self.high)
        axes = self.figure.add_axes(shape, **scales)
        axes.minorticks_off()
        write_ticks(axes.yaxis, y_ticks)
        return axes

    def place(self, axes: Axes, x: float, y: float) -> tuple[float, float]:
        """Where a point of the axes lies on the sheet."""
        at = self.points.inverted().transform(axes.transData.transform((x, y)))
        return float(at[0]), float(at[1])
