"""How are distances distributed, and how does cost grow? Charts by matplotlib.

Builds on `slidelab.draw.theme` and the fonts of `slidelab.draw.glyphs`.
Start reading with `distances` and `growth`; `bars` and `sheet` draw what they share, `files` writes.
"""

from __future__ import annotations

from slidelab.draw.chart.distances import distribution_chart, eccentricities_chart
from slidelab.draw.chart.files import check_chart_name, save_figure
from slidelab.draw.chart.growth import growth_chart, slope

__all__ = [
    "check_chart_name",
    "distribution_chart",
    "eccentricities_chart",
    "growth_chart",
    "save_figure",
    "slope",
]
