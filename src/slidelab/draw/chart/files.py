"""Charts as files: SVG, PNG and PDF that stand by themselves, and the same bytes for the same chart."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.draw.chart.sheet import needs_matplotlib, only_settings
from slidelab.draw.files import check_target, ending, write_bytes
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_chart_name", "figure_bytes", "save_figure"]

MAX_WIDTH = 20_000
SETTINGS = {
    "svg.hashsalt": "slidelab",  # names inside the file are drawn from this, not by chance
    "pdf.fonttype": 42,
    "text.hinting": "none",  # letters of a PNG stand where those of the SVG do
}
LEFT_OUT = {
    "svg": ("Date", "Creator", "Format", "Type"),
    "png": ("Software",),
    "pdf": ("CreationDate", "Creator", "Producer"),
}


def check_chart_name(path: str | os.PathLike[str]) -> Path:
    """The path, if a chart can be drawn into it: to be asked before a long search, not after it.

    >>> check_chart_name("chart.gif")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .svg, .png or .pdf, got 'chart.gif'
    """
    target = check_target(path)
    needs_matplotlib()
    return target


def save_figure(figure: Figure, path: str | os.PathLike[str], width: int | None = None) -> None:
    """Write a figure as what the name ends in: SVG, PNG (that many pixels wide) or PDF.

    The same figure gives the same bytes.

    Letters in an SVG are outlines, so it needs no fonts, and pointing at a bar shows its numbers.

    >>> from slidelab.draw.chart.figures import distribution_chart
    >>> folder = getfixture("tmp_path")
    >>> save_figure(distribution_chart([1, 2, 1]), folder / "chart.svg")
    >>> (folder / "chart.svg").read_text()[:35]
    '<svg xmlns:xlink="http://www.w3.org'
    """
    target = check_chart_name(path)
    write_bytes(target, figure_bytes(figure, ending(target), width))


def figure_bytes(figure: Figure, kind: str, width: int | None = None) -> bytes:
    """The figure as a file of that kind: svg, png (that many pixels wide, 200 an inch if not said) or pdf.

    >>> from slidelab.draw.chart.figures import distribution_chart
    >>> figure_bytes(distribution_chart([1, 2, 1]), "png")[:4]
    b'\\x89PNG'
    """
    whole = isinstance(width, int) and not isinstance(width, bool)
    if width is not None and not (whole and 1 <= width <= MAX_WIDTH):
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    out = io.BytesIO()
    dots = 200 if width is None else width / figure.get_figwidth()
    with only_settings(SETTINGS):
        figure.savefig(out, format=kind, dpi=dots, metadata=dict.fromkeys(LEFT_OUT[kind]))
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
    titles = {patch.get_gid(): patch.get_label() for axes in figure.axes for patch in axes.patches}
    used = {node.getAttribute("xlink:href").removeprefix("#") for node in root.getElementsByTagName("use")}
    for node in [root, *root.getElementsByTagName("*")]:
        name = node.getAttribute("id")
        title = figure.get_label() if node is root else titles.get(name)
        if title:
            said = document.createElement("title")
            said.appendChild(document.createTextNode(str(title)))
            node.insertBefore(said, node.firstChild)
        if node.tagName == "g" and name and name not in used:
            node.removeAttribute("id")
        for child in [child for child in node.childNodes if child.nodeType == child.COMMENT_NODE]:
            node.removeChild(child)
    return f"{root.toxml()}\n".encode()
