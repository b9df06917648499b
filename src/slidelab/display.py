"""Display of objects in notebooks.

The classes here give an object the hooks that IPython calls. How each type is drawn is known to
`slidelab.draw.notebook` alone, which is imported when a notebook first asks for a picture.
"""

from __future__ import annotations

__all__ = ["HtmlDisplay", "SvgDisplay"]


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
