"""Numbers, letters and dots on printed pieces, as outlines."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.draw.glyphs import CAP_HEIGHT, text_curves, text_width

if TYPE_CHECKING:
    from slidelab.draw.picture.pieces import Look
    from slidelab.draw.print.pieces import Plan
    from slidelab.puzzles import Puzzle

__all__ = ["Stamp", "goal_stamps", "letter_size", "outline", "stamps_on"]

STRAIGHT = 6  # pieces of a curve of a letter


@dataclass(frozen=True, slots=True)
class Stamp:
    """What stands on one end of a piece: a text, or a dot if there is none, around (`x`, `y`)."""

    text: str
    x: float = 0.0
    y: float = 0.0
    barred: bool = False


def letter_size(texts: Sequence[str], radius: float) -> float:
    """The size of letters for which each of the texts fits in a circle."""
    widest = max(map(text_width, texts), default=0.0)
    # A text of a single digit need not be as large as could be.
    return min(radius / math.hypot(widest / 2, CAP_HEIGHT / 2), 1.15 * radius / CAP_HEIGHT)


def outline(what: Stamp, size: float) -> Any:
    """The outline of a text, or of a dot, as a `manifold3d.CrossSection`."""
    import numpy as np
    from manifold3d import CrossSection, FillRule

    if not what.text:
        return CrossSection.circle(0.17 * size, 40).translate((what.x, what.y))
    shares = np.arange(STRAIGHT)[:, None] / STRAIGHT
    rows = []
    for start, sides in text_curves(what.text, size):
        here, points = np.array(start), []
        for control, end in sides:
            if control is None:
                points.append(here[None])
            else:
                middle, t = np.array(control), shares
                points.append((1 - t) ** 2 * here + 2 * t * (1 - t) * middle + t * t * np.array(end))
            here = np.array(end)
        rows.append(np.concatenate(points) * (1, -1) + (what.x, what.y))
    letters = CrossSection(rows, FillRule.NonZero).simplify(0.002)
    if not what.barred:
        return letters
    # Which way up a 6 is: a bar under it.
    wide, high = text_width(what.text) * size * 0.62, 0.09 * size
    drop = what.y - size * (CAP_HEIGHT / 2 + 0.11) - high
    return letters + CrossSection.square((wide, high)).translate((what.x - wide / 2, drop))


def stamps_on(look: Look, shape: Plan, every: Sequence[Look]) -> list[Stamp]:
    """What stands on the ends of a piece; a dot tells the tail of a numbered gourd."""
    return [
        Stamp(text, x, y, _needs_bar(text, every))
        for text, (x, y) in zip(look.texts, shape.middles, strict=True)
    ]


def _needs_bar(text: str, every: Sequence[Look]) -> bool:
    """Whether a number is another one's upside down, as 6 is 9's."""
    turned = text.translate(str.maketrans("69", "96"))[::-1]
    return set(text) <= set("0689") and turned != text and any(turned in look.texts for look in every)


def goal_stamps(puzzle: Puzzle, shape: Plan, every: Sequence[Look]) -> list[Stamp]:
    """What is cut into the floor: on each cell what stands on the end that lies there at the goal."""
    out = []
    for cells, look in zip(puzzle.goal.pieces, every, strict=True):
        for cell, text in zip(cells, look.texts, strict=True):
            x, y, _ = shape.pose([puzzle.board.positions[cell]])
            out.append(Stamp(text, x, y, _needs_bar(text, every)))
    return out
