"""Chart files: self-contained SVG, PNG, PDF and TikZ; equal charts give equal bytes."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.draw.chart.sheet import isolated_settings
from slidelab.draw.files import check_target, file_format, write_bytes
from slidelab.errors import NotationError
from slidelab.packages import require

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_chart_name", "figure_bytes", "save_figure"]

MAX_WIDTH = 20_000
"""Largest width of a PNG in pixels."""

USUAL_DPI = 200
"""Resolution of a PNG if no width is given."""

SETTINGS = {
    "svg.hashsalt": "slidelab",  # ids inside the file are not random
    "pdf.fonttype": 42,
    "text.hinting": "none",  # text in a PNG has the same position as in an SVG
}
OMITTED_METADATA = {
    "svg": ("Date", "Creator", "Format", "Type"),
    "png": ("Software",),
    "pdf": ("CreationDate", "Creator", "Producer"),
}


def check_chart_name(path: str | os.PathLike[str]) -> Path:
    """Return the path, or raise `PuzzleError` if no chart can be written there; call it before a search.

    Parameters
    ----------
    path : path
        The file; its suffix must be .svg, .png, .pdf or .tex.

    Returns
    -------
    Path

    Examples
    --------
    >>> check_chart_name("chart.gif")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .svg, .png, .pdf or .tex, got 'chart.gif'
    """
    target = check_target(path)
    require("matplotlib", "charts need", "charts")
    return target


def save_figure(figure: Figure, path: str | os.PathLike[str], width: int | None = None) -> None:
    """Write a figure as SVG, PNG, PDF or TikZ, by the suffix of the path.

    Text in an SVG is converted to outlines, and bars have tooltips; in TikZ it is text.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        A chart of this package or any other figure.
    path : path
        The file to write.
    width : int, optional
        Width of a PNG in pixels; by default 200 dots per inch.

    Examples
    --------
    >>> from slidelab.draw.chart import distribution_chart
    >>> folder = getfixture("tmp_path")
    >>> save_figure(distribution_chart([1, 2, 1]), folder / "chart.svg")
    >>> (folder / "chart.svg").read_text()[:35]
    '<svg xmlns:xlink="http://www.w3.org'
    """
    target = check_chart_name(path)
    write_bytes(target, figure_bytes(figure, file_format(target), width))


def figure_bytes(figure: Figure, kind: str, width: int | None = None) -> bytes:
    r"""Return the content of a file of that kind: svg, png (`width` pixels wide), pdf or tex.

    >>> from slidelab.draw.chart import distribution_chart
    >>> figure_bytes(distribution_chart([1, 2, 1]), "png")[:4]
    b'\x89PNG'
    """
    is_integer = isinstance(width, int) and not isinstance(width, bool)
    if width is not None and not (is_integer and 1 <= width <= MAX_WIDTH):
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    if kind == "tex":
        from slidelab.draw.chart.marks import figure_picture

        return figure_picture(figure).tikz.encode()
    buffer = io.BytesIO()
    dpi = USUAL_DPI if width is None else width / figure.get_figwidth()
    with isolated_settings(SETTINGS):
        figure.savefig(buffer, format=kind, dpi=dpi, metadata=dict.fromkeys(OMITTED_METADATA[kind]))
    return _embeddable(figure, buffer.getvalue()) if kind == "svg" else buffer.getvalue()


def _embeddable(figure: Figure, data: bytes) -> bytes:
    """Return the SVG without document type, style sheet and unused ids, which would disturb a page around it.

    Bars get titles, which browsers show as tooltips.
    """
    from xml.dom.minidom import parseString

    document = parseString(data)
    root: Any = document.documentElement
    for style in root.getElementsByTagName("style"):
        style.parentNode.removeChild(style)
    for side in ("width", "height"):  # in pixels, because some programs do not support points
        root.setAttribute(side, f"{float(root.getAttribute(side).removesuffix('pt')) * 4 / 3:.6g}")
    root.setAttribute("stroke-linejoin", "round")
    root.setAttribute("role", "img")
    titles = {patch.get_gid(): patch.get_label() for axes in figure.axes for patch in axes.patches}
    used = {node.getAttribute("xlink:href").removeprefix("#") for node in root.getElementsByTagName("use")}
    for node in [root, *root.getElementsByTagName("*")]:
        name = node.getAttribute("id")
        title = figure.get_label() if node is root else titles.get(name)
        if title:
            element = document.createElement("title")
            element.appendChild(document.createTextNode(str(title)))
            node.insertBefore(element, node.firstChild)
        if node.tagName == "g" and name and name not in used:
            node.removeAttribute("id")
        for child in [child for child in node.childNodes if child.nodeType == child.COMMENT_NODE]:
            node.removeChild(child)
    return f"{root.toxml()}\n".encode()
