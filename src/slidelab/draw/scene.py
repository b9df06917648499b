"""Pictures: marks with a size, shown in notebooks and written as SVG, PNG, PDF or TikZ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from slidelab.draw.files import check_target, file_format, write_bytes
from slidelab.draw.marks import (
    Group,
    Item,
    Mark,
    Path,
    definitions_svg,
    escape_xml,
    format_number,
    shared_paths,
)
from slidelab.draw.pdf import pdf
from slidelab.draw.png import png
from slidelab.draw.tikz import tikz

__all__ = ["Picture", "grid"]

MAX_REPR_TITLE = 40
"""Characters of the title that a picture's `repr` shows."""


@dataclass(frozen=True, slots=True, repr=False)
class Picture:
    """A drawing of `width` by `height` pixels, shown as SVG in notebooks.

    Attributes
    ----------
    width, height : float
        Size in pixels.
    items : sequence of Mark or Group
        What is drawn, from back to front.
    title : str
        Text alternative for screen readers.
    paper : str, optional
        Background colour; transparent if None.

    Examples
    --------
    >>> p = Picture(20, 10, [Mark(Path.circle((5, 5), 4), "#4477aa")], title="a disc", paper="#ffffff")
    >>> p.svg.startswith("<svg xmlns=") and "<title>a disc</title>" in p.svg
    True
    """

    width: float
    height: float
    items: Sequence[Item] = field(repr=False, hash=False)
    title: str = ""
    paper: str | None = None

    @property
    def svg(self) -> str:
        """A self-contained SVG document."""
        width, height = format_number(self.width), format_number(self.height)
        shared = shared_paths(self.items)
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                f'height="{height}" role="img" stroke-linecap="round" stroke-linejoin="round">',
                f"<title>{escape_xml(self.title or 'a sliding puzzle')}</title>",
                *([f'<path d="M0 0H{width}V{height}H0Z" fill="{self.paper}"/>'] if self.paper else []),
                *([defined] if (defined := definitions_svg(self.items, shared)) else []),
                *(item.svg(shared) for item in self.items),
                "</svg>\n",
            ]
        )

    def png(self, width: int | None = None) -> bytes:
        """Return the picture as PNG, `width` pixels wide (default: twice the picture's width)."""
        return png(self, width)

    def pdf(self) -> bytes:
        """Return the picture as a PDF of one page."""
        return pdf(self)

    @property
    def tikz(self) -> str:
        r"""A LaTeX document with the picture in TikZ, letters as text; see `slidelab.draw.tikz`.

        >>> disc = Picture(20, 10, [Mark(Path.circle((5, 5), 4), "#4477aa")])
        >>> r"\begin{tikzpicture}" in disc.tikz
        True
        """
        return tikz(self)

    def save(self, path: str | os.PathLike[str], width: int | None = None) -> None:
        """Write the picture; the suffix of the path (.svg, .png, .pdf or .tex) selects the format."""
        target = check_target(path)
        match file_format(target):
            case "svg":
                write_bytes(target, self.svg.encode())
            case "tex":
                write_bytes(target, self.tikz.encode())
            case "pdf":
                write_bytes(target, self.pdf())
            case _:
                write_bytes(target, self.png(width))

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        title = self.title if len(self.title) < MAX_REPR_TITLE else f"{self.title[:28]}..."
        return f"<picture of {title!r}, {self.width:.0f} x {self.height:.0f}>"


def grid(pictures: Iterable[Picture], columns: int, gap: float) -> Picture:
    """Arrange pictures in rows, each centred in its field, on the paper of the first.

    >>> one = Picture(10, 10, ())
    >>> grid([one, one, one], 2, 4.0).width
    24.0
    """
    listed = list(pictures)
    width, height = max(p.width for p in listed), max(p.height for p in listed)
    columns = min(columns, len(listed))
    rows = -(-len(listed) // columns)
    items = []
    for number, picture in enumerate(listed):
        row, column = divmod(number, columns)
        x = column * (width + gap) + (width - picture.width) / 2
        y = row * (height + gap) + (height - picture.height) / 2
        inside = list(picture.items)
        if picture.paper and picture.paper != listed[0].paper:
            right, bottom = picture.width, picture.height
            page = Path.polygon([(0.0, 0.0), (right, 0.0), (right, bottom), (0.0, bottom)])
            inside.insert(0, Mark(page, picture.paper))
        items.append(Group(tuple(inside), x, y))
    total = columns * (width + gap) - gap, rows * (height + gap) - gap
    return Picture(*total, items, listed[0].title, listed[0].paper)
