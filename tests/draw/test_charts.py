"""Charts: they show what was counted, and nothing overlaps or is cut off."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from functools import cache
from itertools import combinations

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.patches import StepPatch

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
CURVES = {"moves": [(5, 250), (10, 2000), (20, 16_000)], "seconds": [(5, 0.2), (10, 0.3), (20, 1.9)]}
DRAWN = {
    "distribution": lambda theme: distribution_chart(EIGHT, theme=theme),
    "logarithmic": lambda theme: distribution_chart(FLOWER, theme=theme, log=True),
    "eccentricities": lambda theme: eccentricities_chart(FLOWER, theme=theme),
    "growth": lambda theme: growth_chart(CURVES, x_label="n", y_label="cost", theme=theme),
}
every_chart = pytest.mark.parametrize("chart", DRAWN)
every_theme = pytest.mark.parametrize("theme", THEMES)


@cache
def drawn(chart, theme="light"):
    return DRAWN[chart](theme)


# What is on a figure


def words(figure):
    """Every text that is shown, with its box in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    texts = list(figure.texts)
    for axes in figure.axes:
        texts += [*axes.get_xticklabels(), *axes.get_yticklabels()]
        texts += [axes.title, axes.xaxis.label, axes.yaxis.label]
    shown = [text for text in texts if text.get_visible() and text.get_text().strip()]
    return [(text.get_text(), text.get_window_extent(renderer)) for text in shown]


def said(figure):
    return [text.get_text() for text in figure.texts]


def overlap(one, other):
    return min(one.x1, other.x1) > max(one.x0, other.x0) and min(one.y1, other.y1) > max(one.y0, other.y0)


def nothing_collides(figure):
    """All words inside the figure, none on top of another, of a bar or of a line that marks a bar."""
    boxes = words(figure)
    sheet = figure.bbox
    for text, box in boxes:
        assert min(box.x0, box.y0, sheet.x1 - box.x1, sheet.y1 - box.y1) >= 10, text
    for (text, box), (other, there) in combinations(boxes, 2):
        assert not overlap(box, there), (text, other)
    on_sheet = boxes[: len(figure.texts)]
    bars = [bar.get_window_extent() for axes in figure.axes for bar in axes.patches]
    lines = [line.get_window_extent(None) for line in figure.artists if line.get_color() != paper(figure)]
    for text, box in on_sheet:
        assert not any(overlap(box, bar) for bar in bars), text
        assert not any(crosses(line, box) for line in lines), text


def crosses(line, box):
    upright = line.x1 - line.x0 < 1e-6
    return upright and box.x0 < line.x0 < box.x1 and line.y1 > box.y0 + 1 and line.y0 < box.y1


def paper(figure):
    return to_hex(figure.get_facecolor())


# Distances


def test_a_bar_for_each_distance_and_the_hardest_said():
    figure = drawn("distribution")
    bars = figure.axes[0].patches
    assert [bar.get_height() for bar in bars] == list(EIGHT.distribution)
    assert [round(bar.get_center()[0]) for bar in bars] == list(range(32))
    assert said(figure)[0] == "square R(3,3) tiles 1"
    assert "181,440 configurations, at most 31 moves from 1 2 3 4 5 6 7 8 ." in said(figure)
    assert said(figure)[-2:] == ["mean 22.0", "2 at 31 moves"]
    colours = Counter(to_hex(bar.get_facecolor()) for bar in bars)
    assert colours == {"#4477aa": 31, "#ee7733": 1}
    assert to_hex(bars[-1].get_facecolor()) == "#ee7733"


def test_axes_have_short_numbers_and_always_the_last_distance():
    axes = drawn("distribution").axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0", "5 k", "10 k", "15 k", "20 k"]
    across = [int(label.get_text()) for label in axes.get_xticklabels()]
    assert across == [*range(0, 30, 2), 31]
    assert list(axes.get_xticks()) == across


def test_the_mean_stands_where_it_is():
    figure = distribution_chart([1, 2, 4, 9])
    axes = figure.axes[0]
    dashed = next(line for line in figure.artists if line.get_linestyle() == "--")
    x = axes.transData.inverted().transform((dashed.get_window_extent(None).x0, 0))[0]
    assert x == pytest.approx((2 + 8 + 27) / 16)


def test_pushes_are_said_as_such():
    found = sl.puzzle("square R(2,2)").distances(metric="straight")
    assert "pushes of the shortest solution" in said(distribution_chart(found))
    assert said(distribution_chart([1, 1]))[-1] == "1 at 1 move"


def test_gods_number_shows_the_deepest_start():
    bars = distribution_chart(FLOWER).axes[0].patches
    assert [bar.get_height() for bar in bars] == list(FLOWER.distribution)
    nothing = distribution_chart(sl.puzzle("graph 0 1 2").gods_number())
    assert [bar.get_height() for bar in nothing.axes[0].patches] == [1]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 10**30) | st.integers(1, 50), min_size=1, max_size=200), st.booleans())
def test_any_distribution_is_drawn_in_proportion_and_nothing_collides(counts, log):
    figure = distribution_chart(counts, log=log)
    bars = figure.axes[0].patches
    assert len(bars) == len(counts)
    tops = [bar.get_window_extent().height for bar in bars]
    highest, most = max(tops), max(counts)
    assert highest > 100
    for top, count in zip(tops, counts, strict=True):
        share = np.log10(count / 0.6) / np.log10(most / 0.6) if log else count / most
        assert top == pytest.approx(highest * share, abs=1e-3)
    assert max(bar.get_window_extent().y1 for bar in bars) <= figure.axes[0].bbox.y1
    nothing_collides(figure)


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
def test_extreme_distributions_do_not_collide(counts):
    nothing_collides(distribution_chart(counts))
    nothing_collides(distribution_chart(counts, log=True))


def test_very_deep_ones_become_an_outline():
    counts = [1 + k % 7 for k in range(MAX_BARS + 1)]
    figure = distribution_chart(counts)
    outline, last = figure.axes[0].patches
    assert isinstance(outline, StepPatch)
    assert list(outline.get_data().values) == counts
    assert last.get_height() == counts[-1]
    nothing_collides(figure)
    assert len(distribution_chart(counts[1:]).axes[0].patches) == MAX_BARS


@pytest.mark.parametrize("counts", [[], [1, 0], [-1, 2], [1.5], "12", 7, None, [1, "2"]], ids=repr)
def test_other_counts_are_refused(counts):
    with pytest.raises(NotationError, match="each distance"):
        distribution_chart(counts)


def test_counts_beyond_all_scales_are_refused():
    nothing_collides(distribution_chart([1, 10**200], log=True))
    with pytest.raises(TooLarge, match=r"10\^200"):
        distribution_chart([1, 10**200 + 1])


# Eccentricities


def test_bars_count_the_shapes_of_each_eccentricity():
    figure = drawn("eccentricities")
    expected = Counter()
    for search in FLOWER.searches:
        expected[search.depth] += search.orbit
    bars = figure.axes[0].patches
    assert {round(bar.get_center()[0]): bar.get_height() for bar in bars} == expected
    assert said(figure)[-2:] == ["radius 12: 21 shapes", "God's number 13: 12 shapes"]
    assert "eccentricities of 33 shapes, 5 kinds under 12 symmetries of the board" in said(figure)
    between = [line for line in figure.artists if line.get_color() == paper(figure)]
    assert len(between) == 3  # four kinds


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
def test_eccentricities_of_all_kinds(text, last):
    found = sl.puzzle(text).gods_number()
    figure = eccentricities_chart(found)
    assert said(figure)[-len(last) :] == last
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert sum(heights) == (sum(search.orbit for search in found.searches) or 1)
    nothing_collides(figure)


def test_eccentricities_are_those_of_gods_number_only():
    with pytest.raises(NotationError, match="gods_number"):
        eccentricities_chart(EIGHT)


# Growth


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 1000), st.floats(1e-6, 1e12)), min_size=2, max_size=20).filter(
        lambda points: len({x for x, _ in points}) > 1
    )
)
def test_slopes_are_those_of_numpy(points):
    xs, ys = (np.array(column, dtype=float) for column in zip(*points, strict=True))
    assert slope(points) == pytest.approx(np.polyfit(np.log10(xs), np.log10(ys), 1)[0], abs=1e-6)
    assert slope(points, log_x=False) == pytest.approx(np.polyfit(xs, np.log10(ys), 1)[0], abs=1e-6)


def test_slopes_are_written_beside_the_curves():
    assert said(drawn("growth"))[-4:] == ["moves", "slope 3.00", "seconds", "slope 1.62"]
    bent = {"a": [(1, 1), (10, 1), (100, 100), (1000, 10_000)]}
    assert said(growth_chart(bent, x_label="n", y_label="", fit_last=3))[-1] == "slope 2.00"
    falling = {"a": [(1, 100), (10, 1)], "b": [(1, 5), (10, 5)], "alone": [(3, 4)]}
    ends = said(growth_chart(falling, x_label="n", y_label=""))[-5:]
    assert ends == ["a", "slope −2.00", "b", "slope 0.00", "alone"]
    doubling = {"a": [(n, 2**n) for n in range(12)]}
    assert said(growth_chart(doubling, x_label="n", y_label="", log_x=False))[-1] == "×2 a step"


def test_curves_go_through_their_points():
    axes = drawn("growth").axes[0]
    assert [list(zip(*line.get_data(), strict=True)) for line in axes.lines] == list(CURVES.values())
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert growth_chart(CURVES, x_label="n", y_label="cost", log_x=False).axes[0].get_xscale() == "linear"
    for line in axes.lines:
        box = line.get_window_extent()
        assert box.x0 >= axes.bbox.x0
        assert box.x1 <= axes.bbox.x1


@every_theme
def test_curves_differ_without_colours(theme):
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
def test_names_of_curves_never_collide(curves, log_x, subtitle):
    named = {f"curve number {k} " * (1 + k % 4): points for k, points in enumerate(curves)}
    figure = growth_chart(named, x_label="n", y_label="cost", subtitle=subtitle, log_x=log_x)
    nothing_collides(figure)
    assert all(axis.get_ticklocs().size for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis))


def test_long_names_and_long_numbers_find_room():
    """Numbers across that differ in their last digits only, on axes that a long name makes narrow."""
    curves = {"the long way round " * 20: [(123_456_700, 1), (123_456_789, 2)]}
    figure = growth_chart(curves, x_label="n", y_label="cost", log_x=False)
    nothing_collides(figure)
    axes = figure.axes[0]
    assert len(axes.get_xticks()) >= 2
    assert axes.bbox.width > 300
    assert re.fullmatch("the long way round .*…", said(figure)[-2])


@pytest.mark.parametrize(
    "curves",
    [{}, [(1, 2)], {"a": []}, {"a": [(1, 0)]}, {"a": [(0, 1)]}, {"a": [(1, float("nan"))]}, {"a": [1, 2]},
     {"a": [(1, float("inf"))]}, {"a": None}, {str(k): [(1, 1)] for k in range(65)}],
    ids=lambda curves: str(curves)[:20],
)  # fmt: skip
def test_other_curves_are_refused(curves):
    with pytest.raises(NotationError, match="expected"):
        growth_chart(curves, x_label="n", y_label="cost")


@pytest.mark.parametrize("last", [1, 0, -3, True, 2.5])
def test_a_slope_needs_two_points(last):
    with pytest.raises(NotationError, match="two or more"):
        growth_chart(CURVES, x_label="n", y_label="cost", fit_last=last)


# Words and colours


@pytest.mark.parametrize(
    "title",
    ["$x^2$ costs $5", "<b>&amp;\"'", "two\nlines\tand a tab", "Шестиугольник 六角 \U0001f9e9", "long " * 400,
     "$", "x\x00y"],
    ids=lambda title: repr(title)[:12],
)  # fmt: skip
def test_any_title_is_one_line_that_fits(title, caplog):
    figure = distribution_chart([1, 2, 1], title=title)
    nothing_collides(figure)
    root = ElementTree.fromstring(figure_bytes(figure, "svg"))
    assert "\n" not in root[0].text
    assert caplog.records == []


def test_long_names_are_cut_and_others_are_not():
    assert said(distribution_chart([1], title="square R(3,3)"))[0] == "square R(3,3)"
    cut = said(distribution_chart([1], title="x" * 500))[0]
    assert re.fullmatch("x{40,100}…", cut)


@every_theme
@every_chart
def test_all_words_can_be_read(chart, theme):
    figure = drawn(chart, theme)
    axes = figure.axes[0]
    for text in (*figure.texts, *axes.get_xticklabels(), *axes.get_yticklabels()):
        assert contrast(to_hex(text.get_color()), paper(figure)) >= 4.5, text


@every_theme
def test_marked_bars_and_curves_stand_out_on_a_grey_printer(theme):
    bars = distribution_chart([3, 2, 1], theme=theme).axes[0].patches
    plain, marked = (to_hex(bar.get_facecolor()) for bar in bars[1:])
    assert contrast(plain, marked) >= 1.5
    assert all(contrast(colour, THEMES[theme].paper) >= 2.2 for colour in curve_colours(THEMES[theme]))


@every_theme
def test_letters_are_ours(theme):
    with matplotlib.rc_context(chart_style(theme)):
        assert matplotlib.rcParams["figure.facecolor"] == THEMES[theme].paper
        found = matplotlib.font_manager.findfont("Inter")
    assert found == str(FONTS / "regular.ttf")


def test_other_themes_are_refused():
    for draw in DRAWN.values():
        with pytest.raises(NotationError, match="neon"):
            draw("neon")
