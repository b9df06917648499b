"""Charts by matplotlib: distributions of distances, eccentricities, and how cost grows.

Here is what they say; `chart_bars` and `chart_growth` draw it, and `chart_files` makes files of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING

from slidelab.draw.chart.bars import Bars, Flag, bar_chart
from slidelab.draw.chart.growth import Points, checked_curves, draw_curves, growth_axes, labelled, slope
from slidelab.draw.chart.sheet import HEIGHT, ROW, Sheet, chart_style, only_settings
from slidelab.draw.theme import Theme
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import big_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber

__all__ = [
    "distribution_chart",
    "eccentricities_chart",
    "growth_chart",
    "slope",
]

MOST_COUNT = 10**200


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
    with only_settings(chart_style(look)):
        return bar_chart(look, _distribution_bars(found, look, title, log))


def _distribution_bars(
    found: Distances | GodsNumber | Sequence[int], look: Theme, title: str | None, log: bool
) -> Bars:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber

    name, unit, where = "Distances", "moves", "away"
    if isinstance(found, GodsNumber):
        found = (
            found.deepest.distances if found.deepest else Distances(found.puzzle.goal, (1,), (), found.metric)
        )
    if isinstance(found, Distances):
        counts, name, unit = found.distribution, found.start.puzzle.uncoloured.text, _unit_of(found.metric)
        pieces = found.start.pieces_text
        where = f"from {pieces}" if len(pieces) < 60 else "away"
    else:
        counts = _checked_counts(found)
    if max(counts) > MOST_COUNT:
        raise TooLarge("expected at most 10^200 configurations at one distance for a chart")
    states, depth = sum(counts), len(counts) - 1
    hardest = Flag(depth, counts[-1], f"{big_number(counts[-1])} at {_counted(depth, unit)}", look.accent)
    mean = sum(d * count for d, count in enumerate(counts)) / states
    middle = Flag(mean, 0, f"mean {mean:.1f}", look.ink, dashed=True)
    subtitle = f"{_counted(states, 'configurations')}, at most {_counted(depth, unit)} {where}"
    label = f"{unit} of the shortest solution"
    flags = (middle, hardest) if depth else (hardest,)
    return Bars(title or name, subtitle, label, "configurations", 0, counts, flags, log=log)


def _unit_of(metric: str) -> str:
    return "pushes" if metric == "straight" else "moves"


def _counted(number: int, unit: str) -> str:
    """
    >>> _counted(1, "moves"), _counted(2, "pushes"), _counted(1, "pushes")
    ('1 move', '2 pushes', '1 push')
    """
    single = unit.removesuffix("es") if unit == "pushes" else unit.removesuffix("s")
    return f"{big_number(number)} {single if number == 1 else unit}"


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


# Eccentricities


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
    with only_settings(chart_style(look)):
        return bar_chart(look, _eccentricity_bars(found, look, title))


def _eccentricity_bars(found: GodsNumber, look: Theme, title: str | None) -> Bars:
    blocks: dict[int, list[int]] = {}
    for search in found.searches:
        blocks.setdefault(search.depth, []).append(search.orbit)
    sums = Counter({depth: sum(sizes) for depth, sizes in blocks.items()}) or Counter({0: 1})
    first = min(sums)
    counts = tuple(sums[depth] for depth in range(first, max(sums) + 1))
    what = "shapes" if found.puzzle.colours is None else "configurations"
    label = f"{_unit_of(found.metric)} to the farthest configuration"
    flags = _eccentricity_flags(found, sums, look, what)
    name, kinds = title or found.puzzle.text, blocks if what == "shapes" else {}
    return Bars(name, _kinds_line(found, what), label, what, first, counts, flags, kinds)


def _eccentricity_flags(found: GodsNumber, sums: Counter[int], look: Theme, what: str) -> tuple[Flag, ...]:
    number, radius = found.number, found.radius
    many = _counted(sums[number], what) if found.searches else "nothing can move"
    said = f"God's number {number}: {many}"
    if radius is None:
        most = f", at most {found.at_most}" if found.at_most else ""
        said = f"God's number is at least {number}{most}"
    elif radius == number:
        said = f"radius and {said}"
    highest = Flag(number, sums[number], said, look.accent)
    if radius is None or radius == number:
        return (highest,)
    least = f"radius {radius}: {_counted(sums[radius], what)}"
    return Flag(radius, sums[radius], least, look.ink), highest


def _kinds_line(found: GodsNumber, what: str) -> str:
    """What the bars count, in words."""
    if not found.searches or not found.exact:
        return found.proof
    said = f"eccentricities of {_counted(sum(search.orbit for search in found.searches), what)}"
    if what != "shapes":
        return said
    alike = f" under {found.symmetries} symmetries of the board" if found.symmetries > 1 else ""
    return f"{said}, {_counted(len(found.searches), 'kinds')}{alike}"


# Growth


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
    checked = checked_curves(curves, log_x)
    if fit_last is not None and (isinstance(fit_last, bool) or not isinstance(fit_last, int) or fit_last < 2):
        raise NotationError(f"expected two or more last points to fit, got {fit_last!r:.40}")
    with only_settings(chart_style(look)):
        drawn = [labelled(name, points, log_x, fit_last) for name, points in checked.items()]
        sheet = Sheet(look, title, subtitle, max(HEIGHT, 150 + ROW * len(drawn)))
        axes = growth_axes(sheet, drawn, x_label, y_label, log_x)
        draw_curves(sheet, axes, drawn)
        return sheet.figure
