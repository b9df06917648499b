"""How many layers a search will have, and how large they are: known, or a model.

Sizes of layers are modelled by a normal distribution. In puzzles that were searched whole (21 of tiles,
hexagonal tiles and gourds, and the 15-puzzle), its standard deviation was 0.29 to 0.46 times the depth,
divided by the square root of the logarithm of the number of configurations, and its mean 0.59 to 0.74 times
the depth.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Any

from slidelab.distance.bounds import depth_lower_bound
from slidelab.distance.component import Component
from slidelab.distance.known import known_results
from slidelab.distance.layers import BallLayers
from slidelab.errors import TooLarge

__all__ = ["Depth", "find_depth", "layer_sizes", "model_depth"]

MEAN_SHARE = 0.66
"""Mean distance, divided by the depth."""

DEVIATION = 0.38
"""Standard deviation of distances, times the root of the logarithm of their number, divided by the depth."""

MEAN_SHARE_AHEAD = 0.70
"""The same as `MEAN_SHARE` for a mean that is foreseen from the first layers, which comes out too large."""

MAX_FIRST_STATES = 100_000
"""Configurations near the start from which the depth is foreseen: a second or so."""

FIRST_SHARE = 50
"""One configuration in this many may be among them, so that the layers still grow."""

TREND_LAYERS = 4
"""Layers over which their growth is measured."""


@dataclass(frozen=True, slots=True)
class Depth:
    """The number of moves to the farthest configuration, and where it is from.

    Attributes
    ----------
    moves : int
    source : str
        ``"searched"`` (the puzzle is that small), ``"known"`` from the literature, or ``"estimated"``.
    lower_bound : int or None
        What counting walks proves, if it is estimated.
    reference : str
        Who found a known one.
    """

    moves: int
    source: str
    lower_bound: int | None = None
    reference: str = ""

    def __str__(self) -> str:
        """Say what is known.

        >>> print(Depth(53, "estimated", 28))
        about 53, estimated from the first layers; at least 28, by counting
        """
        if self.source == "searched":
            return f"{self.moves}"
        if self.source == "known":
            return f"{self.moves}, known ({self.reference})"
        bound = "" if self.lower_bound is None else f"; at least {self.lower_bound:,}, by counting"
        return f"about {self.moves}, estimated from the first layers{bound}"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "moves": self.moves,
            "source": self.source,
            "lower_bound": self.lower_bound,
            "reference": self.reference or None,
        }


def find_depth(component: Component) -> Depth:
    """Return the depth of a search from the start of a component.

    >>> import slidelab as sl
    >>> print(find_depth(Component(sl.puzzle("2x8").goal)))
    140, known (OEIS A151944; Tarakanov 2023)
    >>> print(find_depth(Component(sl.puzzle("hex F(2)").goal)))
    16
    """
    known = [
        result for result in known_results(component.puzzle) if result.metric == "single" and result.exact
    ]
    if known and component.states > MAX_FIRST_STATES:
        return Depth(known[0].number, "known", reference="; ".join(known[0].sources))
    layers = BallLayers(component.start, budget=component.budget)
    try:
        while sum(layers.sizes) < min(MAX_FIRST_STATES, component.states // FIRST_SHARE):
            if not layers.advance():
                break
        if component.states <= MAX_FIRST_STATES:
            while layers.advance():
                pass
            return Depth(layers.depth, "searched")
    except TooLarge:
        pass
    bound = depth_lower_bound(component)
    return Depth(max(model_depth(layers.sizes, component.states), bound or 0), "estimated", bound)


def model_depth(sizes: list[int], states: int) -> int:
    """Return the depth at which a search will end that has begun with layers of these sizes.

    The logarithm of a normal distribution is a parabola: its value and its slope in one place, and the
    sum over all layers, tell where its top is.

    >>> model_depth([1, 2, 4, 9, 20, 37, 63, 122, 232, 431, 781, 1392, 2494], 239_500_800)  # 53 in truth
    61
    """
    last = len(sizes) - 1
    span = min(TREND_LAYERS, last)
    if span < 1 or sizes[last] <= sizes[last - span]:
        return last
    slope = log(sizes[last] / sizes[last - span]) / span
    level = sum(map(log, sizes[last - span :])) / (span + 1)
    # The parabola has this slope and level in the middle of the last layers, and a deviation such that
    # level = log(states / (deviation sqrt(2 pi))) - slope^2 deviation^2 / 2.
    deviation = 1.0
    for _ in range(100):
        rest = log(states) - log(2 * pi) / 2 - log(deviation) - level
        deviation = (deviation + sqrt(max(0.01, 2 * rest)) / slope) / 2
    mean = last - span / 2 + slope * deviation**2
    return max(last, round(mean / MEAN_SHARE_AHEAD))


def layer_sizes(states: int, depth: int) -> list[float]:
    """Return the sizes of layers in the model, whose sum is the number of configurations.

    >>> sizes = layer_sizes(239_500_800, 53)
    >>> len(sizes), round(sum(sizes)), max(range(54), key=sizes.__getitem__)
    (54, 239500800, 35)
    """
    mean = MEAN_SHARE * depth
    deviation = max(0.5, DEVIATION * depth / sqrt(max(1.0, log(states))))
    weights = [exp(-(((d - mean) / deviation) ** 2) / 2) for d in range(depth + 1)]
    total = sum(weights)
    return [states * weight / total for weight in weights]
