"""The distribution of distances as a picture (SVG)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import ceil, log10
from pathlib import Path
from xml.sax.saxutils import escape

from slidelab.errors import PuzzleError
from slidelab.files import write_whole

__all__ = ["check_name", "distribution_svg", "save_chart", "svg_text"]

WIDTH, HEIGHT = 860, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 28, 74, 56
BAR, PEAK, INK, FAINT, PAPER = "#4477aa", "#ee6677", "#222222", "#d8d8d8", "#ffffff"


def distribution_svg(
    distribution: Sequence[int], title: str, subtitle: str = "", unit_name: str = "moves"
) -> str:
    """Bars of how many configurations are at each distance, the last one marked.

    >>> distribution_svg([1, 2, 2, 1], "square R(2,2)").startswith("<svg")
    True
    """
    depth = len(distribution) - 1
    steps = _steps(max(distribution))
    top = steps[-1]
    wide, high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    unit = wide / (depth + 1)
    gap = min(2.0, unit * 0.2) if unit >= 3 else 0.0  # thin gaps only shimmer

    def y(value: float) -> float:
        return TOP + high * (1 - value / top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        svg_text(LEFT, 30, title, 17, INK, "start", "bold"),
        svg_text(LEFT, 51, subtitle, 13, "#666666", "start"),
    ]
    for step in steps:
        parts.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(step):.1f}" y2="{y(step):.1f}" stroke="{FAINT}"/>'
        )
        parts.append(svg_text(LEFT - 8, y(step) + 4, _short(step), 12, INK, "end"))
    for d, count in enumerate(distribution):
        tall = max(high * count / top, 0.75)  # nothing that exists is invisible
        colour = PEAK if d == depth else BAR
        parts.append(
            f'<rect x="{LEFT + d * unit + gap / 2:.2f}" y="{TOP + high - tall:.2f}" width="{unit - gap:.2f}" '
            f'height="{tall:.2f}" fill="{colour}"><title>{d}: {count:,}</title></rect>'
        )
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if unit * n >= 34 or n == 1000)
    marks = [d for d in range(0, depth + 1, every) if d == 0 or (depth - d) * unit >= 34 or d == depth]
    for d in sorted({*marks, depth}):
        colour, weight = (PEAK, "bold") if d == depth else (INK, "normal")
        parts.append(svg_text(LEFT + (d + 0.5) * unit, TOP + high + 18, str(d), 12, colour, "middle", weight))
    parts.append(
        svg_text(LEFT + wide / 2, HEIGHT - 14, f"{unit_name} of the shortest solution", 13, INK, "middle")
    )
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def save_chart(
    path: str | os.PathLike[str],
    distribution: Sequence[int],
    title: str,
    subtitle: str = "",
    unit_name: str = "moves",
) -> None:
    """Write the picture; the name must end in .svg."""
    target = check_name(path)
    try:
        with write_whole(target) as file:
            file.write(distribution_svg(distribution, title, subtitle, unit_name).encode())
    except OSError as error:
        raise PuzzleError(f"could not write {str(target)!r:.200}: {error.strerror}") from None


def check_name(path: str | os.PathLike[str]) -> Path:
    """The path, if its name says that it is to be an SVG and its folder is there."""
    target = Path(path)
    if target.suffix.lower() != ".svg":
        raise PuzzleError(f"expected a file name that ends in .svg for the chart, got {str(path)[-60:]!r}")
    if not target.parent.is_dir():
        raise PuzzleError(f"expected a folder that exists for the chart, got {str(path)[-200:]!r}")
    return target


def svg_text(
    x: float, y: float, text: str, size: int, colour: str, anchor: str, weight: str = "normal"
) -> str:
    """One line of text in the charts' font."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" '
        f'font-weight="{weight}" font-family="Helvetica, Arial, sans-serif">{escape(text)}</text>'
    )


def _steps(most: int) -> list[int]:
    """Round values for the grid, from nothing to at least `most`.

    >>> _steps(24047), _steps(3)
    ([0, 5000, 10000, 15000, 20000, 25000], [0, 1, 2, 3])
    """
    rough = most / 5
    power = 10 ** max(0, ceil(log10(rough)) - 1) if rough > 1 else 1
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    return list(range(0, step * -(-most // step) + 1, step))


def _short(number: int) -> str:
    """
    >>> [_short(n) for n in (0, 500, 25_000, 2_500_000, 3 * 10**9)]
    ['0', '500', '25 k', '2.5 M', '3 G']
    """
    for size, unit in ((10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:g} {unit}"
    return str(number)
