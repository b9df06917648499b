"""Figures of matplotlib as pictures of marks, for formats that matplotlib does not write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.colors import to_hex

from slidelab.draw.chart.sheet import isolated_settings
from slidelab.draw.marks import Group, Item, Mark, Path, text_path
from slidelab.draw.scene import Picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["figure_picture"]

PIXELS_PER_POINT = 4 / 3
DOTS_PER_INCH = 96
"""Resolution at which a dot is a pixel of a picture."""

CODES = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}
"""Commands by the codes of matplotlib's paths."""

HALF_CAP_HEIGHT = 0.364
"""Half the height of capitals of the font of charts, in units of its size."""


def figure_picture(figure: Figure) -> Picture:
    """Return a figure as a picture; letters are as long as in the font of the charts.

    >>> from slidelab.draw.chart import distribution_chart
    >>> figure_picture(distribution_chart([1, 2, 1])).width
    816.0
    """
    width, height = (side * DOTS_PER_INCH for side in figure.get_size_inches())
    renderer = _Renderer(float(width), float(height))
    usual = figure.dpi
    try:
        with isolated_settings({}):
            figure.dpi = DOTS_PER_INCH
            figure.draw(renderer)
    finally:
        figure.dpi = usual
    return Picture(float(width), float(height), renderer.items, str(figure.get_label() or "a chart"))


class _Renderer(RendererBase):
    """Collects what a figure draws."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__()
        self.width, self.height = width, height
        self.items: list[Item] = []

    def points_to_pixels(self, points: Any) -> Any:
        return points * PIXELS_PER_POINT

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def draw_path(self, gc: GraphicsContextBase, path: Any, transform: Any, rgbFace: Any = None) -> None:  # noqa: N803
        commands = []
        for points, code in path.iter_segments(transform, simplify=False):
            pairs = [(float(x), self.height - float(y)) for x, y in points.reshape(-1, 2)]
            commands.append((CODES[int(code)], () if code == 79 else tuple(pairs)))
        width = self.points_to_pixels(gc.get_linewidth())
        stroke = _colour(gc.get_rgb(), gc.get_alpha()) if width > 0 else None
        fill = None if rgbFace is None else _colour(rgbFace, gc.get_alpha())
        if stroke or fill:
            self.items.append(Mark(Path(tuple(commands)), fill, stroke, float(width)))

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: Any,
        angle: float,
        ismath: bool | str = False,
        mtext: Any = None,
    ) -> None:
        size = float(self.points_to_pixels(prop.get_size_in_points()))
        ink = _colour(gc.get_rgb(), gc.get_alpha())
        bold = str(prop.get_weight()) not in ("normal", "400", "regular")
        letters = Group((Mark(text_path(s, size, bold, "start"), ink),), y=-HALF_CAP_HEIGHT * size)
        self.items.append(Group((letters,), float(x), float(y), -float(angle)))


def _colour(colour: Any, alpha: float | None) -> str | None:
    """Return a colour as ``#rrggbb``, or None if it is invisible."""
    opacity = alpha if alpha is not None else colour[3] if len(colour) > 3 else 1.0
    return to_hex(colour[:3]) if opacity > 0 else None
