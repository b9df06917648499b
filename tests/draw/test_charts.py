"""Charts: they show the data, and texts neither overlap nor leave the figure."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from typing import Any

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle, StepPatch
from matplotlib.transforms import Bbox

import slidelab as sl
from slidelab.draw.chart import distribution_chart, eccentricities_chart, growth_chart, slope
from slidelab.draw.chart.bars import MAX_BARS
from slidelab.draw.chart.files import figure_bytes
from slidelab.draw.chart.sheet import chart_style, curve_colours
from slidelab.draw.glyphs import FONTS
from slidelab.draw.theme import THEMES, contrast
from slidelab.errors import NotationError, TooLarge

EIGHT = sl.puzzle("square R(3,3)").distances()
FLOWER = sl.puzzle("hex F(2)", holes=3).gods_number()
CURVES: dict[str, list[tuple[float, float]]] = {
    "moves": [(5, 250), (10, 2000), (20, 16_000)],
    "seconds": [(5, 0.2), (10, 0.3), (20, 1.9)],
}
CHARTS: dict[str, Callable[[str], Figure]] = {
    "distribution": lambda theme: distribution_chart(EIGHT, theme=theme),
    "logarithmic": lambda theme: distribution_chart(FLOWER, theme=theme, log=True),
    "eccentricities": lambda theme: eccentricities_chart(FLOWER, theme=theme),
    "growth": lambda theme: growth_chart(CURVES, x_label="n", y_label="cost", theme=theme),
}
every_chart = pytest.mark.parametrize("chart", CHARTS)
every_theme = pytest.mark.parametrize("theme", THEMES)


@cache
def figure_of(chart: str, theme: str = "light") -> Figure:
    return CHARTS[chart](theme)


# Content of a figure


def text_boxes(figure: Figure) -> list[tuple[str, Bbox]]:
    """Return every visible text with its box in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    found = list(figure.texts)
    for axes in figure.axes:
        found += [*axes.get_xticklabels(), *axes.get_yticklabels()]
        found += [axes.title, axes.xaxis.label, axes.yaxis.label]
    visible = [text for text in found if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in visible]


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.texts]


def overlap(one: Bbox, other: Bbox) -> bool:
    is_beside = min(one.x1, other.x1) <= max(one.x0, other.x0)
    return not is_beside and bool(min(one.y1, other.y1) > max(one.y0, other.y0))


def assert_no_overlap(figure: Figure) -> None:
    """Assert that all texts are inside the figure and overlap neither texts nor bars nor lines."""
    boxes = text_boxes(figure)
    sheet = figure.bbox
    for text, box in boxes:
        assert min(box.x0, box.y0, sheet.x1 - box.x1, sheet.y1 - box.y1) >= 10, text
    for (text, box), (other, other_box) in combinations(boxes, 2):
        assert not overlap(box, other_box), (text, other)
    on_sheet = boxes[: len(figure.texts)]
    boxes_of_bars = [bar.get_window_extent() for axes in figure.axes for bar in axes.patches]
    lines = [line.get_window_extent() for line in lines_of(figure) if line.get_color() != paper(figure)]
    for text, box in on_sheet:
        assert not any(overlap(box, bar) for bar in boxes_of_bars), text
        assert not any(crosses(line, box) for line in lines), text


def crosses(line: Bbox, box: Bbox) -> bool:
    is_vertical = line.x1 - line.x0 < 1e-6
    return bool(is_vertical and box.x0 < line.x0 < box.x1 and line.y1 > box.y0 + 1 and line.y0 < box.y1)


def lines_of(figure: Figure) -> list[Line2D]:
    return [artist for artist in figure.artists if isinstance(artist, Line2D)]


def bars_of(figure: Figure) -> list[Rectangle]:
    return [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]


def paper(figure: Figure) -> str:
    return to_hex(figure.get_facecolor())


# Distances


def test_bars_of_distances() -> None:
    figure = figure_of("distribution")
    bars = bars_of(figure)
    assert [bar.get_height() for bar in bars] == list(EIGHT.distribution)
    assert [round(bar.get_center()[0]) for bar in bars] == list(range(32))
    assert texts(figure)[0] == "square R(3,3) tiles 1"
    assert "181,440 configurations, at most 31 moves from 1 2 3 4 5 6 7 8 ." in texts(figure)
    assert texts(figure)[-2:] == ["mean 22.0", "2 at 31 moves"]
    colours = Counter(to_hex(bar.get_facecolor()) for bar in bars)
    assert colours == {"#4477aa": 31, "#ee7733": 1}
    assert to_hex(bars[-1].get_facecolor()) == "#ee7733"


def test_axes_have_short_numbers_and_the_last_distance() -> None:
    axes = figure_of("distribution").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "5 k", "10 k", "15 k", "20 k"]
    labels = [int(label.get_text()) for label in axes.get_xticklabels()]
    assert labels == [*range(0, 30, 2), 31]
    assert list(axes.get_xticks()) == labels


def test_the_position_of_the_mean() -> None:
    figure = distribution_chart([1, 2, 4, 9])
    axes = figure.axes[0]
    dashed = next(line for line in lines_of(figure) if line.get_linestyle() == "--")
    x = axes.transData.inverted().transform((dashed.get_window_extent().x0, 0))[0]
    assert x == pytest.approx((2 + 8 + 27) / 16)


def test_the_unit_is_named() -> None:
    found = sl.puzzle("square R(2,2)").distances(metric="straight")
    assert "pushes of the shortest solution" in texts(distribution_chart(found))
    assert texts(distribution_chart([1, 1]))[-1] == "1 at 1 move"


def test_gods_number_shows_the_deepest_start() -> None:
    bars = bars_of(distribution_chart(FLOWER))
    assert [bar.get_height() for bar in bars] == list(FLOWER.distribution)
    nothing = distribution_chart(sl.puzzle("graph 0 1 2").gods_number())
    assert [bar.get_height() for bar in bars_of(nothing)] == [1]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 10**30) | st.integers(1, 50), min_size=1, max_size=200), st.booleans())
def test_bars_are_proportional(counts: Any, log: bool) -> None:
    figure = distribution_chart(counts, log=log)
    bars = bars_of(figure)
    assert len(bars) == len(counts)
    heights = [bar.get_window_extent().height for bar in bars]
    highest, max_count = max(heights), max(counts)
    assert highest > 100
    for height, count in zip(heights, counts, strict=True):
        share = np.log10(count / 0.6) / np.log10(max_count / 0.6) if log else count / max_count
        assert height == pytest.approx(highest * share, abs=1e-3)
    assert max(bar.get_window_extent().y1 for bar in bars) <= figure.axes[0].bbox.y1
    assert_no_overlap(figure)


@pytest.mark.parametrize(
    "counts",
    [
        [1],
        [1, 1],
        [1] * 200,
        [1, 10**30],
        [10**30, 1],
        [*range(1, 60)],
        [*range(60, 0, -1)],
        [1] * 8 + [9, 9],
    ],
    ids=lambda counts: f"{len(counts)} from {counts[0]}",
)
def test_extreme_distributions_do_not_overlap(counts: Any) -> None:
    assert_no_overlap(distribution_chart(counts))
    assert_no_overlap(distribution_chart(counts, log=True))


def test_many_bars_become_an_outline() -> None:
    counts = [1 + k % 7 for k in range(MAX_BARS + 1)]
    figure = distribution_chart(counts)
    outline, last = figure.axes[0].patches
    assert isinstance(outline, StepPatch)
    assert list(outline.get_data()[0]) == counts
    assert isinstance(last, Rectangle)
    assert last.get_height() == counts[-1]
    assert_no_overlap(figure)
    assert len(distribution_chart(counts[1:]).axes[0].patches) == MAX_BARS


@pytest.mark.parametrize("counts", [[], [1, 0], [-1, 2], [1.5], "12", 7, None, [1, "2"]], ids=repr)
def test_bad_counts(counts: Any) -> None:
    with pytest.raises(NotationError, match="each distance"):
        distribution_chart(counts)


def test_huge_counts() -> None:
    assert_no_overlap(distribution_chart([1, 10**200], log=True))
    with pytest.raises(TooLarge, match=r"10\^200"):
        distribution_chart([1, 10**200 + 1])


# Eccentricities


def test_bars_count_the_shapes_of_each_eccentricity() -> None:
    figure = figure_of("eccentricities")
    expected: Counter[int] = Counter()
    for search in FLOWER.searches:
        expected[search.depth] += search.orbit
    bars = bars_of(figure)
    assert {round(bar.get_center()[0]): bar.get_height() for bar in bars} == expected
    assert texts(figure)[-2:] == ["radius 12: 21 shapes", "God's number 13: 12 shapes"]
    assert "eccentricities of 33 shapes, 5 kinds under 12 symmetries of the board" in texts(figure)
    separators = [line for line in lines_of(figure) if line.get_color() == paper(figure)]
    assert len(separators) == 3  # four kinds


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("square R(3,3)", ["radius 30: 1 shape", "God's number 31: 8 shapes"]),
        ("hex T(4) hextiles 3", ["radius 55: 15 shapes", "God's number 58: 12 shapes"]),
        (
            "square R(3,2) : a a b b c .",
            ["radius 15: 8 configurations", "God's number 20: 12 configurations"],
        ),
        ("square R(3,3) : a a b b c c d d .", ["God's number is at least 26, at most 52"]),
        ("square R(2,2)", ["radius and God's number 6: 4 shapes"]),
        ("graph 0 1 2", ["radius and God's number 0: nothing can move"]),
    ],
)
def test_labels_of_eccentricities(text: str, last: list[str]) -> None:
    found = sl.puzzle(text).gods_number()
    figure = eccentricities_chart(found)
    assert texts(figure)[-len(last) :] == last
    heights = [bar.get_height() for bar in bars_of(figure)]
    assert sum(heights) == (sum(search.orbit for search in found.searches) or 1)
    assert_no_overlap(figure)


def test_eccentricities_need_gods_number() -> None:
    with pytest.raises(NotationError, match="gods_number"):
        eccentricities_chart(EIGHT)  # type: ignore[arg-type]


# Growth


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 1000), st.floats(1e-6, 1e12)), min_size=2, max_size=20).filter(
        lambda points: len({x for x, _ in points}) > 1
    )
)
def test_slopes_match_numpy(points: list[tuple[int, float]]) -> None:
    xs, ys = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    assert slope(points) == pytest.approx(np.polyfit(np.log10(xs), np.log10(ys), 1)[0], abs=1e-6)
    assert slope(points, log_x=False) == pytest.approx(np.polyfit(xs, np.log10(ys), 1)[0], abs=1e-6)


def test_labels_of_curves() -> None:
    assert texts(figure_of("growth"))[-4:] == ["moves", "slope 3.00", "seconds", "slope 1.62"]
    bent = {"a": [(1, 1), (10, 1), (100, 100), (1000, 10_000)]}
    assert texts(growth_chart(bent, x_label="n", y_label="", fit_last=3))[-1] == "slope 2.00"
    falling = {"a": [(1, 100), (10, 1)], "b": [(1, 5), (10, 5)], "alone": [(3, 4)]}
    ends = texts(growth_chart(falling, x_label="n", y_label=""))[-5:]
    assert ends == ["a", "slope −2.00", "b", "slope 0.00", "alone"]
    doubling = {"a": [(n, 2**n) for n in range(12)]}
    assert texts(growth_chart(doubling, x_label="n", y_label="", log_x=False))[-1] == "×2 a step"


def test_points_of_curves() -> None:
    axes = figure_of("growth").axes[0]
    points = [np.asarray(line.get_xydata()).tolist() for line in axes.lines]
    assert points == [[list(point) for point in curve] for curve in CURVES.values()]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert growth_chart(CURVES, x_label="n", y_label="cost", log_x=False).axes[0].get_xscale() == "linear"
    for line in axes.lines:
        box = line.get_window_extent()
        assert box.x0 >= axes.bbox.x0
        assert box.x1 <= axes.bbox.x1


@every_theme
def test_curves_are_distinguishable_without_colours(theme: str) -> None:
    many = {f"curve {k}": [(1, k + 1), (2, k + 2)] for k in range(64)}
    lines = growth_chart(many, x_label="n", y_label="", theme=theme).axes[0].lines
    assert len({line.get_marker() for line in lines[:8]}) == 8
    assert len({(line.get_marker(), line.get_color(), str(line.get_linestyle())) for line in lines}) >= 32


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 10**6), st.floats(1e-6, 1e15)), min_size=1, max_size=6),
        min_size=1,
        max_size=30,
    ),
    st.booleans(),
    st.sampled_from(["", "one line", "one line\nand another"]),
)
def test_labels_of_curves_do_not_overlap(curves: Any, log_x: bool, subtitle: str) -> None:
    named = {f"curve number {k} " * (1 + k % 4): points for k, points in enumerate(curves)}
    figure = growth_chart(named, x_label="n", y_label="cost", subtitle=subtitle, log_x=log_x)
    assert_no_overlap(figure)
    assert all(axis.get_ticklocs().size for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis))


def test_long_names_and_numbers() -> None:
    """Numbers differ in their last digits only, on axes that a long name makes narrow."""
    curves = {"a very long name " * 20: [(123_456_700, 1), (123_456_789, 2)]}
    figure = growth_chart(curves, x_label="n", y_label="cost", log_x=False)
    assert_no_overlap(figure)
    axes = figure.axes[0]
    assert len(axes.get_xticks()) >= 2
    assert axes.bbox.width > 300
    assert re.fullmatch("a very long name .*…", texts(figure)[-2])


@pytest.mark.parametrize(
    "curves",
    [{}, [(1, 2)], {"a": []}, {"a": [(1, 0)]}, {"a": [(0, 1)]}, {"a": [(1, float("nan"))]}, {"a": [1, 2]},
     {"a": [(1, float("inf"))]}, {"a": None}, {str(k): [(1, 1)] for k in range(65)}],
    ids=lambda curves: str(curves)[:20],
)  # fmt: skip
def test_bad_curves(curves: Any) -> None:
    with pytest.raises(NotationError, match="expected"):
        growth_chart(curves, x_label="n", y_label="cost")


@pytest.mark.parametrize("last", [1, 0, -3, True, 2.5])
def test_a_slope_needs_two_points(last: Any) -> None:
    with pytest.raises(NotationError, match="two or more"):
        growth_chart(CURVES, x_label="n", y_label="cost", fit_last=last)


# Texts and colours


@pytest.mark.parametrize(
    "title",
    ["$x^2$ costs $5", "<b>&amp;\"'", "two\nlines\tand a tab", "Шестиугольник 六角 \U0001f9e9", "long " * 400,
     "$", "x\x00y"],
    ids=lambda title: repr(title)[:12],
)  # fmt: skip
def test_titles_are_one_line_that_fits(title: str, caplog: pytest.LogCaptureFixture) -> None:
    figure = distribution_chart([1, 2, 1], title=title)
    assert_no_overlap(figure)
    root = ElementTree.fromstring(figure_bytes(figure, "svg"))
    assert "\n" not in (root[0].text or "")
    assert caplog.records == []


def test_long_titles_are_cut() -> None:
    assert texts(distribution_chart([1], title="square R(3,3)"))[0] == "square R(3,3)"
    cut = texts(distribution_chart([1], title="x" * 500))[0]
    assert re.fullmatch("x{40,100}…", cut)


@every_theme
@every_chart
def test_texts_are_readable(chart: str, theme: str) -> None:
    figure = figure_of(chart, theme)
    axes = figure.axes[0]
    for text in (*figure.texts, *axes.get_xticklabels(), *axes.get_yticklabels()):
        assert contrast(to_hex(text.get_color()), paper(figure)) >= 4.5, text


@every_theme
def test_highlights_are_visible_in_grey(theme: str) -> None:
    bars = distribution_chart([3, 2, 1], theme=theme).axes[0].patches
    plain, highlighted = (to_hex(bar.get_facecolor()) for bar in bars[1:])
    assert contrast(plain, highlighted) >= 1.5
    assert all(contrast(colour, THEMES[theme].paper) >= 2.2 for colour in curve_colours(THEMES[theme]))


@every_theme
def test_charts_use_the_fonts_of_pictures(theme: str) -> None:
    with matplotlib.rc_context(chart_style(theme)):
        assert matplotlib.rcParams["figure.facecolor"] == THEMES[theme].paper
        found = matplotlib.font_manager.findfont("Inter")
    assert found == str(FONTS / "regular.ttf")


def test_unknown_themes() -> None:
    for chart in CHARTS.values():
        with pytest.raises(NotationError, match="neon"):
            chart("neon")
