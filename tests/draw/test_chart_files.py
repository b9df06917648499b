"""Charts as files and in notebooks: they stand by themselves, whatever the settings of the user are."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from functools import cache

import matplotlib
import numpy as np
import pytest
from PIL import Image

import slidelab as sl
from draw.test_charts import DRAWN, EIGHT, FLOWER, drawn, every_chart
from slidelab.draw.chart import check_chart_name, distribution_chart, save_figure
from slidelab.draw.chart.files import figure_bytes
from slidelab.draw.chart.sheet import chart_style
from slidelab.draw.theme import THEMES
from slidelab.errors import NotationError, PuzzleError


@every_chart
def test_an_svg_stands_by_itself(chart):
    text = figure_bytes(drawn(chart), "svg").decode()
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"<(script|image|style|foreignObject|text|metadata)\b|<!|<\?", text)
    names = {element.get("id") for element in root.iter()} - {None}
    used = set()
    for element in root.iter():
        for name, value in element.attrib.items():
            assert "://" not in value
            assert not name.endswith("href") or value.startswith("#")
            used.update(re.findall(r"^#(.*)|url\(#(.*?)\)", value) if "#" in value else [])
    targets = {a or b for a, b in used if not re.fullmatch("[0-9a-f]{6}", a)}
    assert targets
    assert targets <= names
    assert len(names) == len([element for element in root.iter() if element.get("id")])
    assert root[0].text


def test_bars_of_an_svg_tell_their_numbers():
    root = ElementTree.fromstring(figure_bytes(drawn("distribution"), "svg"))
    titles = [element.text for element in root.iter() if element.tag.endswith("}title")]
    assert titles == ["square R(3,3) tiles 1", *(f"{d}: {n:,}" for d, n in enumerate(EIGHT.distribution))]


@every_chart
def test_an_svg_looks_like_its_png(chart):
    """Drawn by another program, so a shape or letter that only matplotlib knows would be missing."""
    from resvg_py import svg_to_bytes

    svg = figure_bytes(drawn(chart, "dark"), "svg").decode()
    one = pixels(png(chart), shrunk=20)
    other = pixels(bytes(svg_to_bytes(svg_string=svg, width=1700, skip_system_fonts=True)), shrunk=20)
    assert one.shape == other.shape
    assert np.abs(one.astype(int) - other).max() < 30
    assert np.abs(one.astype(int) - one[0, 0]).max() > 60


@cache
def png(chart):
    return figure_bytes(drawn(chart, "dark"), "png")


def pixels(data, shrunk=1):
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB").reduce(shrunk))


@every_chart
def test_nothing_touches_the_edge(chart):
    image = pixels(png(chart))
    assert image.shape[1] == 1700
    background = np.array([int(THEMES["dark"].paper[k : k + 2], 16) for k in (1, 3, 5)])
    for edge in (image[:25], image[-25:], image[:, :25], image[:, -25:]):
        assert (edge == background).all()


@pytest.mark.parametrize(
    ("chart", "kind"), [*((chart, "svg") for chart in DRAWN), ("logarithmic", "png"), ("growth", "pdf")]
)
def test_the_same_chart_gives_the_same_bytes(chart, kind):
    first = figure_bytes(drawn(chart), kind)
    assert figure_bytes(DRAWN[chart]("light"), kind) == first
    assert not re.search(rb"Date|20[2-9]\d-\d\d|matplotlib", first, re.IGNORECASE)


def test_settings_of_the_user_do_not_matter_and_are_kept():
    expected = png("distribution")
    mine = {"font.family": ["serif"], "font.size": 31, "axes.linewidth": 9}
    mine |= {"axes.grid": False, "savefig.bbox": "tight"}
    with matplotlib.rc_context(mine):
        before = dict(matplotlib.rcParams)
        assert figure_bytes(distribution_chart(EIGHT, theme="dark"), "png") == expected
        with pytest.raises(NotationError):
            distribution_chart([])
        assert dict(matplotlib.rcParams) == before


def test_no_window_is_ever_needed():
    code = (
        "import sys, slidelab, slidelab.draw.chart as charts; assert 'matplotlib' not in sys.modules\n"
        "assert 'numpy' not in sys.modules\n"
        "from slidelab.draw.chart.files import figure_bytes\n"
        "figure_bytes(charts.distribution_chart([1, 2, 1]), 'png')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("name", "begins"), [("a.svg", b"<svg "), ("B.PNG", b"\x89PNG"), ("c.pdf", b"%PDF-")]
)
def test_the_name_says_what_is_written(tmp_path, name, begins):
    EIGHT.chart(tmp_path / name, theme="dark")
    FLOWER.chart(str(tmp_path / f"flower-{name}"), log=True)
    save_figure(drawn("growth"), tmp_path / f"growth-{name}")
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    assert all(file.read_bytes().startswith(begins) for file in files)


@pytest.mark.parametrize(
    "name", ["chart", "chart.gif", "chart.svg.gz", ".svg", "none/a.svg", "file/a.svg", "folder.svg", ""]
)
def test_other_files_are_refused(tmp_path, name):
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    for refuse in (check_chart_name, lambda path: save_figure(drawn("growth"), path), EIGHT.chart):
        with pytest.raises(PuzzleError, match=r"^expected [^\n]*$"):
            refuse(f"{tmp_path}/{name}")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "chart.svg"
    target.write_text("old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PuzzleError, match=r"could not write .*chart.svg.*No space left"):
        EIGHT.chart(target)
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert target.read_text() == "old"


def test_without_matplotlib_one_line_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    wanted = re.escape("charts need the package matplotlib: pip install 'slidelab[charts]'")
    for ask in (*DRAWN.values(), chart_style):
        with pytest.raises(PuzzleError, match=wanted):
            ask("light")
    for ask in (EIGHT.chart, check_chart_name):
        with pytest.raises(PuzzleError, match=wanted):
            ask(tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []
    assert EIGHT._repr_svg_() is None


# Notebooks


@pytest.mark.parametrize("found", [EIGHT, FLOWER], ids=["distances", "gods number"])
def test_results_show_their_distribution(found):
    root = ElementTree.fromstring(found._repr_svg_())
    titles = [element.text for element in root.iter() if element.tag.endswith("}title")]
    assert titles[1:] == [f"{d}: {n:,}" for d, n in enumerate(found.distribution)]


def test_nothing_to_draw():
    nothing = sl.puzzle("graph 0 1 2")
    assert nothing.gods_number()._repr_svg_() is None
    assert nothing.distances()._repr_svg_() is None
