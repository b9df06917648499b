"""Display of objects in notebooks and as charts.

The classes here give an object the hooks that IPython calls. How each type is drawn is known to
`slidelab.draw.notebook` alone, which is imported when a notebook first asks for a picture.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber

__all__ = ["HtmlDisplay", "SvgDisplay", "chart"]


class SvgDisplay:
    """Mixin: show the object as an SVG picture in notebooks."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        """Return the picture, or None to let the notebook show the text."""
        from slidelab.draw.notebook import svg

        return svg(self)


class HtmlDisplay:
    """Mixin: show the object as HTML in notebooks."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from slidelab.draw.notebook import html

        return html(self)


def chart(
    self: Distances | GoalDistances | GodsNumber,
    path: str | Path,
    *,
    theme: str = "light",
    log: bool = False,
) -> None:
    """Draw the distribution of distances to a file.

    Parameters
    ----------
    path
        A name that ends in ``.svg``, ``.png`` or ``.pdf``.
    theme
        ``"light"``, ``"dark"`` or ``"print"``.
    log
        Whether the numbers of configurations are on a logarithmic scale.
    """
    from slidelab.draw.chart import check_chart_name, distribution_chart, save_figure

    check_chart_name(path)
    save_figure(distribution_chart(self, theme=theme, log=log), path)
