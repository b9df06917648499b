"""Outlines of numbers, letters and dots on printed pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.draw.glyphs import CAP_HEIGHT, text_curves, text_width
from slidelab.draw.picture.pieces import word_initials

if TYPE_CHECKING:
    from slidelab.draw.picture.pieces import PieceStyle
    from slidelab.draw.print.pieces import Footprint
    from slidelab.puzzles import Puzzle

__all__ = ["Label", "cell_labels", "goal_labels", "label_outline", "label_size", "piece_labels"]

CURVE_SEGMENTS = 6
"""Number of straight segments that approximate a curve of a glyph."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one cell of a piece shows: a text, or a dot if it is empty, centred at (`x`, `y`)."""

    text: str
    x: float = 0.0
    y: float = 0.0
    underlined: bool = False


def label_size(texts: Sequence[str], radius: float) -> float:
    """Return the font size at which each of the texts fits into a circle."""
    max_width = max(map(text_width, texts), default=0.0)
    # Single digits are limited too, so that they do not fill the piece.
    return min(radius / math.hypot(max_width / 2, CAP_HEIGHT / 2), 1.15 * radius / CAP_HEIGHT)


def label_outline(label: Label, size: float) -> Any:
    """Return the outline of a text or a dot as a `manifold3d.CrossSection`."""
    import numpy as np
    from manifold3d import CrossSection, FillRule

    if not label.text:
        return CrossSection.circle(0.17 * size, 40).translate((label.x, label.y))
    t = np.arange(CURVE_SEGMENTS)[:, None] / CURVE_SEGMENTS
    rows = []
    for start, sides in text_curves(label.text, size):
        current, points = np.array(start), []
        for control, end in sides:
            if control is None:
                points.append(current[None])
            else:
                middle = np.array(control)
                points.append((1 - t) ** 2 * current + 2 * t * (1 - t) * middle + t * t * np.array(end))
            current = np.array(end)
        rows.append(np.concatenate(points) * (1, -1) + (label.x, label.y))
    letters = CrossSection(rows, FillRule.NonZero).simplify(0.002)
    if not label.underlined:
        return letters
    width, height = text_width(label.text) * size * 0.62, 0.09 * size
    bottom = label.y - size * (CAP_HEIGHT / 2 + 0.11) - height
    return letters + CrossSection.square((width, height)).translate((label.x - width / 2, bottom))


def piece_labels(style: PieceStyle, footprint: Footprint, styles: Sequence[PieceStyle]) -> list[Label]:
    """Return the labels of a piece; a dot marks the tail of a numbered gourd."""
    return [
        Label(text, x, y, _is_ambiguous(text, styles))
        for text, (x, y) in zip(style.texts, footprint.centres, strict=True)
    ]


def _is_ambiguous(text: str, styles: Sequence[PieceStyle]) -> bool:
    """Return whether a number read upside down is the number of another piece, as with 6 and 9."""
    rotated = text.translate(str.maketrans("69", "96"))[::-1]
    return set(text) <= set("0689") and rotated != text and any(rotated in style.texts for style in styles)


def cell_labels(puzzle: Puzzle, footprint: Footprint, cells: Sequence[str]) -> list[tuple[str, Label]]:
    """Return the word of each coloured cell, and its label on the tray's floor."""
    initials = word_initials(puzzle, cells)
    labels = []
    for word, position in zip(cells, puzzle.board.positions, strict=True):
        if word != ".":
            x, y, _ = footprint.pose([position])
            labels.append((word, Label(initials[word], x, y)))
    return labels


def goal_labels(puzzle: Puzzle, footprint: Footprint, styles: Sequence[PieceStyle]) -> list[Label]:
    """Return the labels of the tray's floor: on each cell that of the piece that belongs there."""
    labels = []
    for cells, style in zip(puzzle.goal.pieces, styles, strict=True):
        for cell, text in zip(cells, style.texts, strict=True):
            x, y, _ = footprint.pose([puzzle.board.positions[cell]])
            labels.append(Label(text, x, y, _is_ambiguous(text, styles)))
    return labels
