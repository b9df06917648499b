"""Charts as files and in notebooks: self-contained and independent of the user's settings."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import slidelab as sl
from draw.test_charts import CHARTS, EIGHT, FLOWER, every_chart, figure_of
from slidelab.draw.chart import check_chart_name, distribution_chart, save_figure
from slidelab.draw.chart.files import figure_bytes
from slidelab.draw.chart.sheet import chart_style
from slidelab.draw.theme import THEMES
from slidelab.errors import NotationError, PuzzleError


@every_chart
def test_svg_is_self_contained(chart: str) -> None:
    text = figure_bytes(figure_of(chart), "svg").decode()
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not re.search(r"<(script|image|style|foreignObject|text|metadata)\b|<!|<\?", text)
    names = {element.get("id") for element in root.iter()} - {None}
    used: set[tuple[str, str]] = set()
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


def test_bars_have_titles() -> None:
    root = ElementTree.fromstring(figure_bytes(figure_of("distribution"), "svg"))
    titles = [element.text for element in root.iter() if element.tag.endswith("}title")]
    assert titles == ["square R(3,3) tiles 1", *(f"{d}: {n:,}" for d, n in enumerate(EIGHT.distribution))]


@every_chart
def test_svg_looks_like_png(chart: str) -> None:
    """Rendered by resvg: what only matplotlib could draw would be missing."""
    from resvg_py import svg_to_bytes

    svg = figure_bytes(figure_of(chart, "dark"), "svg").decode()
    one = pixels(png(chart), 20)
    other = pixels(bytes(svg_to_bytes(svg_string=svg, width=1700, skip_system_fonts=True)), 20)
    assert one.shape == other.shape
    assert np.abs(one.astype(int) - other).max() < 30
    assert np.abs(one.astype(int) - one[0, 0]).max() > 60


@cache
def png(chart: str) -> bytes:
    return figure_bytes(figure_of(chart, "dark"), "png")


def pixels(data: bytes, reduction: int = 1) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image.convert("RGB").reduce(reduction))


@every_chart
def test_margins_are_empty(chart: str) -> None:
    image = pixels(png(chart))
    assert image.shape[1] == 1700
    background = np.array([int(THEMES["dark"].paper[k : k + 2], 16) for k in (1, 3, 5)])
    for edge in (image[:25], image[-25:], image[:, :25], image[:, -25:]):
        assert (edge == background).all()


@pytest.mark.parametrize(
    ("chart", "kind"), [*((chart, "svg") for chart in CHARTS), ("logarithmic", "png"), ("growth", "pdf")]
)
def test_equal_charts_give_equal_bytes(chart: str, kind: str) -> None:
    first = figure_bytes(figure_of(chart), kind)
    assert figure_bytes(CHARTS[chart]("light"), kind) == first
    assert not re.search(rb"Date|20[2-9]\d-\d\d|matplotlib", first, re.IGNORECASE)


def test_settings_of_the_user_are_ignored_and_kept() -> None:
    expected = png("distribution")
    mine: dict[Any, Any] = {"font.family": ["serif"], "font.size": 31, "axes.linewidth": 9}
    mine |= {"axes.grid": False, "savefig.bbox": "tight"}
    with matplotlib.rc_context(mine):
        before = dict(matplotlib.rcParams)
        assert figure_bytes(distribution_chart(EIGHT, theme="dark"), "png") == expected
        with pytest.raises(NotationError):
            distribution_chart([])
        assert dict(matplotlib.rcParams) == before


def test_pyplot_is_not_imported() -> None:
    code = (
        "import sys, slidelab, slidelab.draw.chart as charts; assert 'matplotlib' not in sys.modules\n"
        "assert 'numpy' not in sys.modules\n"
        "from slidelab.draw.chart.files import figure_bytes\n"
        "figure_bytes(charts.distribution_chart([1, 2, 1]), 'png')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg "), ("B.PNG", b"\x89PNG"), ("c.pdf", b"%PDF-")])
def test_the_suffix_selects_the_format(tmp_path: Path, name: str, start: bytes) -> None:
    EIGHT.chart(tmp_path / name, theme="dark")
    FLOWER.chart(str(tmp_path / f"flower-{name}"), log=True)
    save_figure(figure_of("growth"), tmp_path / f"growth-{name}")
    files = list(tmp_path.iterdir())
    assert len(files) == 3
    assert all(file.read_bytes().startswith(start) for file in files)


@pytest.mark.parametrize(
    "name", ["chart", "chart.gif", "chart.svg.gz", ".svg", "none/a.svg", "file/a.svg", "folder.svg", ""]
)
def test_bad_file_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    write: list[Callable[[str], object]] = [
        check_chart_name,
        lambda path: save_figure(figure_of("growth"), path),
        EIGHT.chart,
    ]
    for function in write:
        with pytest.raises(PuzzleError, match=r"^expected [^\n]*$"):
            function(f"{tmp_path}/{name}")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_full_disk_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "chart.svg"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(PuzzleError, match=r"could not write .*chart.svg.*No space left"):
        EIGHT.chart(target)
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]
    assert target.read_text() == "old"


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    message = re.escape("charts need the package matplotlib: pip install 'slidelab[charts]'")
    makers: list[Callable[[str], object]] = [*CHARTS.values(), chart_style]
    for make in makers:
        with pytest.raises(PuzzleError, match=message):
            make("light")
    for write in (EIGHT.chart, check_chart_name):
        with pytest.raises(PuzzleError, match=message):
            write(tmp_path / "a.svg")
    assert list(tmp_path.iterdir()) == []
    assert EIGHT._repr_svg_() is None


# Notebooks


@pytest.mark.parametrize("found", [EIGHT, FLOWER], ids=["distances", "gods number"])
def test_notebooks_show_the_distribution(found: Any) -> None:
    root = ElementTree.fromstring(found._repr_svg_())
    titles = [element.text for element in root.iter() if element.tag.endswith("}title")]
    assert titles[1:] == [f"{d}: {n:,}" for d, n in enumerate(found.distribution)]


def test_notebooks_show_text_if_nothing_can_move() -> None:
    nothing = sl.puzzle("graph 0 1 2")
    assert nothing.gods_number()._repr_svg_() is None
    assert nothing.distances()._repr_svg_() is None
