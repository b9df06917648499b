"""Charts of distances and of eccentricities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING

from slidelab.draw.chart.bars import Bars, Flag, bar_chart
from slidelab.draw.chart.sheet import chart_style, isolated_settings
from slidelab.draw.theme import Theme, get_theme
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import big_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber

__all__ = ["distribution_chart", "eccentricities_chart"]

MAX_COUNT = 10**200
"""Largest height of a bar; matplotlib's arithmetic overflows beyond."""


def distribution_chart(
    found: Distances | GoalDistances | GodsNumber | Sequence[int],
    *,
    theme: str | Theme = "light",
    title: str | None = None,
    log: bool = False,
) -> Figure:
    """Chart how many configurations there are at each distance; the mean and the largest are labelled.

    Parameters
    ----------
    found : Distances, GoalDistances, GodsNumber or sequence of int
        For God's number, the distances from a start of largest eccentricity are shown. In a sequence, number
        d is the number of configurations that need d moves.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    title : str, optional
        By default the text of the puzzle.
    log : bool
        Use a logarithmic scale, on which small counts are visible.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    TooLarge
        If there are more than 10^200 configurations at one distance.

    Examples
    --------
    >>> figure = distribution_chart([1, 2, 4, 8, 3])
    >>> [int(bar.get_height()) for bar in figure.axes[0].patches]
    [1, 2, 4, 8, 3]
    """
    theme = get_theme(theme)
    with isolated_settings(chart_style(theme)):
        return bar_chart(theme, _distribution_bars(found, theme, title, log))


def _distribution_bars(
    found: Distances | GoalDistances | GodsNumber | Sequence[int],
    theme: Theme,
    title: str | None,
    log: bool,
) -> Bars:
    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber

    name, unit, where = "Distances", "moves", "away"
    if isinstance(found, GodsNumber):
        deepest = found.deepest
        found = deepest.distances if deepest else Distances(found.puzzle.goal, (1,), (), found.metric)
    if isinstance(found, Distances):
        counts, name, unit = found.distribution, found.start.puzzle.uncoloured.text, _unit(found.metric)
        pieces = found.start.pieces_text
        where = f"from {pieces}" if len(pieces) < 60 else "away"
    elif isinstance(found, GoalDistances):
        counts, name, where = found.distribution, found.puzzle.uncoloured.text, "from the nearest goal"
    else:
        counts = _check_counts(found)
    if max(counts) > MAX_COUNT:
        raise TooLarge("expected at most 10^200 configurations at one distance for a chart")
    total, depth = sum(counts), len(counts) - 1
    mean = sum(d * count for d, count in enumerate(counts)) / total
    last = Flag(depth, counts[-1], f"{big_number(counts[-1])} at {_count(depth, unit)}", theme.accent)
    middle = Flag(mean, 0, f"mean {mean:.1f}", theme.ink, dashed=True)
    subtitle = f"{_count(total, 'configurations')}, at most {_count(depth, unit)} {where}"
    label = f"{unit} of the shortest solution"
    flags = (middle, last) if depth else (last,)
    return Bars(title or name, subtitle, label, "configurations", 0, counts, flags, log=log)


def _unit(metric: str) -> str:
    return "pushes" if metric == "straight" else "moves"


def _count(number: int, unit: str) -> str:
    """Format a count with its unit, which is given in the plural.

    >>> _count(1, "moves"), _count(2, "pushes"), _count(1, "pushes")
    ('1 move', '2 pushes', '1 push')
    """
    singular = unit.removesuffix("es") if unit == "pushes" else unit.removesuffix("s")
    return f"{big_number(number)} {singular if number == 1 else unit}"


def _check_counts(found: Sequence[int]) -> tuple[int, ...]:
    """Return the counts as integers, or raise `NotationError`.

    >>> _check_counts([1, 2, 0])
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected how many configurations there are at each distance, got [1, 2, 0]
    """
    try:
        counts = tuple(index(count) for count in found)
    except TypeError:
        counts = ()
    if not counts or min(counts) < 0 or not counts[-1]:
        raise NotationError(
            f"expected how many configurations there are at each distance, got {repr(found)[:60]}"
        )
    return counts


def eccentricities_chart(
    found: GodsNumber, *, theme: str | Theme = "light", title: str | None = None
) -> Figure:
    """Chart how many shapes have each eccentricity, the distance of the farthest configuration.

    Names of pieces do not change distances, so all configurations of a shape have the same eccentricity, and
    so do shapes that a symmetry of the board exchanges: lines across a bar separate these classes. With
    coloured pieces the bars count configurations. Radius and God's number are labelled.

    Parameters
    ----------
    found : GodsNumber
        Result of `Puzzle.gods_number`.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    title : str, optional
        By default the text of the puzzle.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> import slidelab as sl
    >>> figure = eccentricities_chart(sl.puzzle("hex F(2)", holes=3).gods_number())
    >>> [(round(bar.get_center()[0]), round(bar.get_height())) for bar in figure.axes[0].patches]
    [(12, 21), (13, 12)]
    """
    from slidelab.distance.gods_number import GodsNumber

    theme = get_theme(theme)
    if not isinstance(found, GodsNumber):
        raise NotationError(f"expected what gods_number() found, got {type(found).__name__}")
    with isolated_settings(chart_style(theme)):
        return bar_chart(theme, _eccentricity_bars(found, theme, title))


def _eccentricity_bars(found: GodsNumber, theme: Theme, title: str | None) -> Bars:
    blocks: dict[int, list[int]] = {}
    for search in found.searches:
        blocks.setdefault(search.depth, []).append(search.orbit)
    sums = Counter({depth: sum(sizes) for depth, sizes in blocks.items()}) or Counter({0: 1})
    first = min(sums)
    counts = tuple(sums[depth] for depth in range(first, max(sums) + 1))
    noun = "shapes" if found.puzzle.colours is None else "configurations"
    label = f"{_unit(found.metric)} to the farthest configuration"
    flags = _eccentricity_flags(found, sums, theme, noun)
    name, classes = title or found.puzzle.text, blocks if noun == "shapes" else {}
    return Bars(name, _eccentricity_subtitle(found, noun), label, noun, first, counts, flags, classes)


def _eccentricity_flags(found: GodsNumber, sums: Counter[int], theme: Theme, noun: str) -> tuple[Flag, ...]:
    number, radius = found.number, found.radius
    count = _count(sums[number], noun) if found.searches else "nothing can move"
    text = f"God's number {number}: {count}"
    if radius is None:
        bound = f", at most {found.at_most}" if found.at_most else ""
        text = f"God's number is at least {number}{bound}"
    elif radius == number:
        text = f"radius and {text}"
    highest = Flag(number, sums[number], text, theme.accent)
    if radius is None or radius == number:
        return (highest,)
    return Flag(radius, sums[radius], f"radius {radius}: {_count(sums[radius], noun)}", theme.ink), highest


def _eccentricity_subtitle(found: GodsNumber, noun: str) -> str:
    if not found.searches or not found.exact:
        return found.proof
    text = f"eccentricities of {_count(sum(search.orbit for search in found.searches), noun)}"
    if noun != "shapes":
        return text
    symmetries = f" under {found.symmetries} symmetries of the board" if found.symmetries > 1 else ""
    return f"{text}, {_count(len(found.searches), 'kinds')}{symmetries}"
