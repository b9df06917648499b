"""Pictures as pixels, by resvg: no library of the system is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.errors import NotationError, PuzzleError, TooLarge

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture

__all__ = ["MAX_PIXELS", "png", "rendered"]

MAX_PIXELS = 100_000_000


def png(picture: Picture, width: int | None = None) -> bytes:
    """The picture as PNG, that many pixels wide (twice its own width if not said).

    >>> from slidelab.draw.scene import Mark, Path, Picture
    >>> png(Picture(20, 10, [Mark(Path.circle((5, 5), 4), "#4477aa")]), 64)[:4]
    b'\\x89PNG'
    """
    wide = round(2 * picture.width) if width is None else width
    if isinstance(wide, bool) or not isinstance(wide, int) or wide < 1:
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    high = max(1, round(wide * picture.height / picture.width))
    if wide * high > MAX_PIXELS:
        raise TooLarge(f"expected at most {MAX_PIXELS:,} pixels, got {wide:,} x {high:,}")
    return rendered(picture.svg, wide)


def rendered(svg: str, width: int) -> bytes:
    """An SVG as PNG of that width."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise PuzzleError("PNG needs the package resvg_py: pip install 'slidelab[png]'") from None
    return bytes(svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True))
