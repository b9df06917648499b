"""PNG files of pictures, rendered by resvg, which needs no system library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.errors import NotationError, TooLarge
from slidelab.packages import require

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture

__all__ = ["MAX_PIXELS", "png", "rasterize"]

MAX_PIXELS = 100_000_000
"""Largest picture, in pixels: four bytes each make 400 MB while it is rendered."""


def png(picture: Picture, width: int | None = None) -> bytes:
    r"""Return the picture as PNG, `width` pixels wide (default: twice the picture's width).

    >>> from slidelab.draw.marks import Mark, Path
    >>> from slidelab.draw.scene import Picture
    >>> png(Picture(20, 10, [Mark(Path.circle((5, 5), 4), "#4477aa")]), 64)[:4]
    b'\x89PNG'
    """
    width = round(2 * picture.width) if width is None else width
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    height = max(1, round(width * picture.height / picture.width))
    if width * height > MAX_PIXELS:
        raise TooLarge(f"expected at most {MAX_PIXELS:,} pixels, got {width:,} x {height:,}")
    return rasterize(picture.svg, width)


def rasterize(svg: str, width: int) -> bytes:
    """Render an SVG document as PNG of that width."""
    require("resvg_py", "PNG needs", "png")
    from resvg_py import svg_to_bytes

    return bytes(svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
