r"""Pictures as LaTeX documents: TikZ paths with letters as text, to be compiled alone or pasted into a paper.

Coordinates are pixels with y downwards, as in the SVG; ``x=0.75bp, y=-0.75bp`` makes 96 of them an inch. What
stands between ``\begin{tikzpicture}`` and ``\end{tikzpicture}`` needs only TikZ and the colours before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from slidelab.draw.glyphs import CAP_HEIGHT
from slidelab.draw.marks import Group, Item, Lettering, Mark, Path, Photo, Point, format_number
from slidelab.errors import PuzzleError
from slidelab.latex import escape_latex, is_plain_latex

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture

__all__ = ["tikz"]

BIG_POINTS_PER_PIXEL = 0.75
"""A CSS pixel is 1/96 inch, a big point 1/72 inch."""

CAP_POINTS = 6.94
"""Height of capitals of Computer Modern Sans at its design size of ten points, in points."""

POINTS_PER_BIG_POINT = 72.27 / 72

ANCHORS = {"middle": "center", "start": "west", "end": "east"}

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f as in SVG: (x, y) goes to (a x + c y + e, b x + d y + f)."""


def tikz(picture: Picture) -> str:
    r"""Return a picture as a LaTeX document of one page of its size.

    Raises
    ------
    PuzzleError
        If the picture has photographs: only lines and letters can be written.

    Examples
    --------
    >>> from slidelab.draw.scene import Picture
    >>> disc = Picture(20, 10, [Mark(Path.line([(0, 5), (20, 5)]), stroke="#4477aa", width=2)])
    >>> print(tikz(disc).partition("{%")[2].partition("\n")[2])
    \begin{tikzpicture}[x=0.75bp, y=-0.75bp, line cap=round, line join=round]
    \useasboundingbox (0,0) rectangle (20,10);
    \draw[colour0, line width=1.5bp] (0,5) -- (20,5);
    \end{tikzpicture}%
    \hss}\vss}
    \end{document}
    <BLANKLINE>
    """
    writer = _Writer()
    width, height = format_number(picture.width), format_number(picture.height)
    lines = []
    if picture.paper:
        lines.append(rf"\fill[{writer.colour(picture.paper)}] (0,0) rectangle ({width},{height});")
    for item in picture.items:
        lines += writer.commands(item, (1.0, 0.0, 0.0, 1.0, 0.0, 0.0))
    size = [format_number(side * BIG_POINTS_PER_PIXEL, 4) for side in (picture.width, picture.height)]
    title = " ".join(picture.title.split())
    return "\n".join(
        [
            f"% {title or 'a sliding puzzle'}",
            r"\documentclass{article}",
            rf"\usepackage[paperwidth={size[0]}bp, paperheight={size[1]}bp, margin=0bp]{{geometry}}",
            r"\usepackage{tikz}",
            r"\pagestyle{empty}\setlength{\parindent}{0pt}\setlength{\topskip}{0pt}",
            rf"\tikzset{{letters/.style={{inner sep=0pt, outer sep=0pt, text height={CAP_POINTS}pt, "
            r"text depth=0pt, transform shape, font=\normalfont\fontsize{10}{12}\selectfont\sffamily}}",
            *writer.colour_lines(),
            r"\begin{document}",
            r"\vbox to 0pt{\hbox to 0pt{%  no rounding makes it too large for the page",
            rf"\begin{{tikzpicture}}[x={BIG_POINTS_PER_PIXEL}bp, y=-{BIG_POINTS_PER_PIXEL}bp, "
            "line cap=round, line join=round]",
            rf"\useasboundingbox (0,0) rectangle ({width},{height});",
            *lines,
            r"\end{tikzpicture}%",
            r"\hss}\vss}",
            r"\end{document}",
            "",
        ]
    )


class _Writer:
    """Commands of TikZ, and the colours that they refer to."""

    def __init__(self) -> None:
        self._colours: dict[str, str] = {}

    def colour(self, colour: str) -> str:
        return self._colours.setdefault(colour.lower(), f"colour{len(self._colours)}")

    def colour_lines(self) -> list[str]:
        return [
            rf"\definecolor{{{name}}}{{HTML}}{{{colour.removeprefix('#').upper()}}}"
            for colour, name in self._colours.items()
        ]

    def commands(self, item: Item, matrix: Matrix) -> Iterator[str]:
        """Yield the commands that draw an item."""
        if isinstance(item, Photo):
            raise PuzzleError("expected a picture of lines and letters for .tex, got one with photographs")
        if isinstance(item, Mark):
            yield from self._mark(item, matrix)
            return
        inner = _product(matrix, _matrix(item))
        ink = _ink(item)
        if item.lettering is not None and ink is not None and is_plain_latex(item.lettering.text):
            yield self._letters(item.lettering, ink, inner)
            return
        if item.clip is not None:
            yield rf"\begin{{scope}}\clip {_path_text(item.clip, inner)};"
        for each in item.items:
            yield from self.commands(each, inner)
        if item.clip is not None:
            yield r"\end{scope}"

    def _mark(self, mark: Mark, matrix: Matrix) -> Iterator[str]:
        lettering = mark.path.lettering
        if lettering is not None and mark.fill and not mark.stroke and is_plain_latex(lettering.text):
            yield self._letters(lettering, mark.fill, matrix)
            return
        options, command = [], ""
        if mark.fill:
            command = "fill"
            options.append(self.colour(mark.fill))
        if mark.stroke and mark.width:
            stroke = self.colour(mark.stroke)
            options = [f"fill={options[0]}", f"draw={stroke}"] if options else [stroke]
            width = format_number(mark.width * _scale(matrix) * BIG_POINTS_PER_PIXEL, 3)
            options.append(f"line width={width}bp")
            command = "filldraw" if mark.fill else "draw"
        if command and mark.path.commands:
            yield rf"\{command}[{', '.join(options)}] {_path_text(mark.path, matrix)};"

    def _letters(self, lettering: Lettering, ink: str, matrix: Matrix) -> str:
        if not lettering.text.strip():
            return "%"
        height = lettering.size * CAP_HEIGHT * BIG_POINTS_PER_PIXEL * POINTS_PER_BIG_POINT
        options = [
            "letters",
            f"text={self.colour(ink)}",
            f"scale={format_number(height * _scale(matrix) / CAP_POINTS, 3)}",
        ]
        if lettering.anchor != "middle":
            options.append(f"anchor={ANCHORS[lettering.anchor]}")
        angle = -math.degrees(math.atan2(matrix[1], matrix[0]))
        if abs(angle) > 0.01:
            options.append(f"rotate={format_number(angle)}")
        text = escape_latex(lettering.text)
        if lettering.bold:
            text = rf"\textbf{{{text}}}"
        return rf"\node[{', '.join(options)}] at {_point((0.0, 0.0), matrix)} {{{text}}};"


def _ink(group: Group) -> str | None:
    """Return the colour of a group of letters."""
    for item in group.items:
        if isinstance(item, Mark):
            return item.fill
        if isinstance(item, Group) and (found := _ink(item)):
            return found
    return None


def _matrix(group: Group) -> Matrix:
    cos, sin = math.cos(math.radians(group.angle)), math.sin(math.radians(group.angle))
    return cos * group.scale_x, sin * group.scale_x, -sin, cos, group.x, group.y


def _product(outer: Matrix, inner: Matrix) -> Matrix:
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )


def _scale(matrix: Matrix) -> float:
    """Return by how much lengths grow."""
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def _point(point: Point, matrix: Matrix) -> str:
    a, b, c, d, e, f = matrix
    x, y = point
    return f"({format_number(a * x + c * y + e)},{format_number(b * x + d * y + f)})"


def _path_text(path: Path, matrix: Matrix) -> str:
    words = []
    for name, points in path.cubic_commands():
        texts = [_point(point, matrix) for point in points]
        if name == "M":
            words.append(texts[0])
        elif name == "L":
            words.append(f"-- {texts[0]}")
        elif name == "C":
            words.append(f".. controls {texts[0]} and {texts[1]} .. {texts[2]}")
        else:
            words.append("-- cycle")
    return " ".join(words)
