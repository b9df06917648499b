"""Shapes of pieces, composed of parts that are positioned by the cells of the piece.

A piece of one cell is one part. A longer piece has a disc at each cell and a neck between linked cells. A
neck consists of two halves, one per cell, so that each cell can have its own colour and the same few parts
are shifted and rotated in every motion. The outline of a gourd is the one of the paper: two discs joined by
arcs about the cells that touch both. Its discs are as large as a turn or a pivot between neighbours allows:
the ends of two gourds come as close as sqrt(3) - 1 cells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from slidelab.boards.hexagons import ROW_HEIGHT
from slidelab.draw.glyphs import has_glyph
from slidelab.draw.marks import Group, Item, Mark, Path, Point, label
from slidelab.draw.theme import Theme, mix, text_colour, word_colours

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle

__all__ = ["Part", "PieceStyle", "all_parts", "cell_path", "piece_parts", "piece_styles", "place_parts"]

GOURD_RADIUS = (math.sqrt(3) - 1) / 2
"""Radius of the ends of a gourd in cells, without clearance."""

CLEARANCE = 0.012
"""Gap in cells that keeps two touching discs apart in a drawing."""

SQUARE_RADIUS = 0.4
"""Radius in cells of the discs of long pieces on boards other than hexagons."""

GRAPH_RADIUS = 0.36
"""Radius in cells of a tile on a graph."""


@dataclass(frozen=True, slots=True)
class Part:
    """A mark or group in its own coordinates, and the cell of the piece at which it is drawn.

    It is shifted to cell number `cell` of the piece and down by `drop`. If `toward` is another cell of the
    piece, it is rotated to point there, and stretched if the cells are not one unit apart.
    """

    mark: Item
    cell: int = 0
    toward: int | None = None
    drop: float = 0.0


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """A colour and a text (empty for none) for each cell of a piece."""

    colours: tuple[str, ...]
    texts: tuple[str, ...]


def piece_styles(
    puzzle: Puzzle, theme: Theme, colours: Sequence[str] | None = None, words: Iterable[str] = ()
) -> list[PieceStyle]:
    """Return the style of each piece, in order.

    Numbered pieces have their number on the first cell, which is darker than the others. Coloured pieces have
    the colours that their words name, and the initials of the words. `colours` overrides the colour of each
    piece; `words` are others that need a colour in the same picture (``.`` for none).

    >>> import slidelab as sl
    >>> from slidelab.draw.theme import LIGHT
    >>> piece_styles(sl.puzzle("hex T(2)", "gourds"), LIGHT)
    [PieceStyle(colours=('#4477aa', '#9cbbdc'), texts=('1', ''))]
    """
    cells = puzzle.rule.cells
    if puzzle.colours is not None and colours is None:
        own_words = sorted({word for labels in puzzle.colours for word in labels})
        paint, initials = word_colours(sorted({*own_words, *words} - {"."}), theme), _initials(own_words)
        by_cell = [[labels[min(k, len(labels) - 1)] for k in range(cells)] for labels in puzzle.colours]
        return [
            PieceStyle(tuple(paint[word] for word in row), tuple(initials[word] for word in row))
            for row in by_cell
        ]
    styles = []
    for number in range(puzzle.piece_count):
        head = theme.piece if colours is None else colours[number]
        tail = theme.other_end if colours is None else mix(head, theme.paper, 0.45)
        styles.append(PieceStyle((head, *[tail] * (cells - 1)), (str(number + 1), *[""] * (cells - 1))))
    return styles


def _initials(words: Sequence[str]) -> dict[str, str]:
    """Return a distinct label of one or two letters for each word; short numbers are kept.

    The label is the first letter if no other word starts with it, else the first letter and one that the
    other words lack. Words that the font cannot write get capitals in order.

    >>> _initials(["black", "blue", "red", "12"])
    {'black': 'ba', 'blue': 'bu', 'red': 'r', '12': '12'}
    """
    labels = {word: word for word in words if word.isascii() and word.isdigit() and len(word) < 4}
    firsts = Counter(word[0] for word in words)
    fallbacks = (f"{first}{second}" for first in ["", *ascii_uppercase] for second in ascii_uppercase)
    for word in words:
        if word in labels:
            continue
        others = {letter for other in words if other != word and other[0] == word[0] for letter in other[1:]}
        second = [letter for letter in word[1:] if letter not in others] or list(word[1:])
        options = [word[0]] if firsts[word[0]] == 1 else [*(word[0] + letter for letter in second), word[0]]
        valid = (text for text in options if text not in labels.values() and all(map(has_glyph, text)))
        labels[word] = next(valid, "") or next(text for text in fallbacks if text not in labels.values())
    return {word: labels[word] for word in words}


@lru_cache(maxsize=256)
def cell_path(kind: str, scale: float, inset: float, rounding: float = 0.0) -> Path:
    """Return the outline of a cell around (0, 0); `inset` and `rounding` are in cells, `scale` in pixels.

    >>> cell_path("square", 10.0, 0.1).svg
    'M-4 -4L4 -4L4 4L-4 4Z'
    """
    return _unit_cell(kind, inset, rounding).scaled(scale)


def _unit_cell(kind: str, inset: float, rounding: float) -> Path:
    if kind == "graph":
        return Path.circle((0, 0), GRAPH_RADIUS + 0.04 - inset)
    if kind == "hex":
        radius = (0.5 - inset) / ROW_HEIGHT
        angles = [math.pi / 6 + k * math.pi / 3 for k in range(6)]
        return Path.polygon([(radius * math.cos(a), radius * math.sin(a)) for a in angles], rounding)
    half = 0.5 - inset
    return Path.polygon([(-half, -half), (half, -half), (half, half), (-half, half)], rounding)


@lru_cache(maxsize=64)
def _neck(kind: str, radius: float, scale: float, is_chain: bool) -> Path:
    """Return half the neck from a disc at (0, 0) to one at (1, 0), slightly longer so that no gap shows.

    On hexagons and squares it is bounded by arcs about the cells that touch both ends, tangent to the discs.
    On graphs cells may be farther apart and the neck is stretched, so there it is a plain bar; between cells
    that are linked in a cycle it is a bar as wide as the discs, which leaves no hole in the middle.
    """
    arc_radius = 1 - radius
    if kind not in ("hex", "square") or not is_chain:
        half = ROW_HEIGHT - arc_radius if is_chain else radius
        return Path.polygon([(0.0, -half), (0.51, -half), (0.51, half), (0.0, half)]).scaled(scale)
    first, last = math.atan2(ROW_HEIGHT, -0.5), math.pi / 2 - 0.02
    above = Path.arc((0.5, -ROW_HEIGHT), arc_radius, first, last)
    below = Path.arc((0.5, ROW_HEIGHT), arc_radius, -last, -first)
    return above.then(below).closed().scaled(scale)


def piece_parts(puzzle: Puzzle, style: PieceStyle, theme: Theme, scale: float) -> list[Part]:
    """Return the parts of a piece from back to front; `scale` is the size of a cell in pixels."""
    kind, rule, colours = puzzle.board.kind, puzzle.rule, style.colours
    is_chain = len(rule.links) < rule.cells

    def fill(cell: int, to: int | None) -> str:
        return colours[cell if is_chain or to is None else -1]

    if rule.cells == 1:
        path, width, height = _tile(kind, rule.needs_companion, scale)
        paths: list[tuple[Path, int, int | None]] = [(path, 0, None)]
    else:
        radius = GOURD_RADIUS - CLEARANCE if kind == "hex" else SQUARE_RADIUS
        width, height = 1.5 * radius * scale, 0.78 * radius * scale
        disc, neck = _disc(radius, scale), _neck(kind, radius, scale, is_chain)
        paths = [(disc, cell, None) for cell in range(rule.cells)]
        for a, b in rule.links:
            paths += [(neck, a, b), (neck, b, a)]
        if not is_chain:  # necks overlap: one body, with the discs on top
            paths = paths[rule.cells :] + paths[: rule.cells]
    if theme.edge_width:
        edge = 2 * theme.edge_width * scale
        parts = [Part(Mark(path, None, theme.edge, edge), cell, to) for path, cell, to in paths]
    else:
        parts = [
            Part(Mark(path, mix(fill(cell, to), "#000000", 0.28)), cell, to, drop=0.035 * scale)
            for path, cell, to in paths
        ]
    parts += [Part(Mark(path, fill(cell, to)), cell, to) for path, cell, to in paths]
    labels = [(cell, text) for cell, text in enumerate(style.texts) if text]
    return parts + [
        Part(label(text, width, height, text_colour(colours[cell])), cell) for cell, text in labels
    ]


def all_parts(
    puzzle: Puzzle,
    theme: Theme,
    scale: float,
    colours: Sequence[str] | None = None,
    words: Iterable[str] = (),
) -> list[list[Part]]:
    """Return the parts of each piece; the arguments are those of `piece_styles` and `piece_parts`."""
    return [piece_parts(puzzle, style, theme, scale) for style in piece_styles(puzzle, theme, colours, words)]


@lru_cache(maxsize=64)
def _disc(radius: float, scale: float) -> Path:
    return Path.circle((0, 0), radius * scale)


@lru_cache(maxsize=64)
def _tile(kind: str, needs_companion: bool, scale: float) -> tuple[Path, float, float]:
    """Return the outline of a piece of one cell, and the width and height available for its number."""
    if kind == "graph":
        return _disc(GRAPH_RADIUS, scale), 0.52 * scale, 0.29 * scale
    if kind == "hex" and not needs_companion:  # a disc can pass between two others, a hexagon cannot
        return _disc(ROW_HEIGHT / 2 - CLEARANCE, scale), 0.6 * scale, 0.33 * scale
    width, height = (0.68, 0.36) if kind == "hex" else (0.72, 0.38)
    return cell_path(kind, scale, 0.035, 0.11), width * scale, height * scale


def place_parts(
    parts: Sequence[Part], points: Sequence[Point], scale: float, title: str = "", element_id: str = ""
) -> Group:
    """Return the piece with its cells at `points`; `scale` is the usual distance of neighbouring cells."""
    items = []
    for part in parts:
        x, y = points[part.cell]
        angle, scale_x = 0.0, 1.0
        if part.toward is not None:
            other = points[part.toward]
            angle = math.degrees(math.atan2(other[1] - y, other[0] - x))
            distance = math.dist(other, (x, y)) / scale
            scale_x = distance if abs(distance - 1) > 0.001 else 1.0
        items.append(Group((part.mark,), x, y + part.drop, angle, scale_x))
    return Group(tuple(items), title=title, element_id=element_id)
