"""Pieces as they are drawn: colours and texts of their cells, and parts that are positioned by the cells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import TYPE_CHECKING

from slidelab.draw.glyphs import has_glyph, text_width
from slidelab.draw.marks import Group, Item, Mark, Path, Point, common_font_size, label
from slidelab.draw.picture.bodies import Shape, label_box, piece_shapes
from slidelab.draw.theme import Theme, mix, text_colour, word_colours

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle

__all__ = [
    "Part",
    "PieceStyle",
    "all_parts",
    "piece_parts",
    "piece_styles",
    "place_parts",
    "word_initials",
]


@dataclass(frozen=True, slots=True)
class Part:
    """A mark or group in its own coordinates, and the cell of the piece at which it is drawn.

    It is shifted to cell number `cell` of the piece and down by `drop`. If `toward` is another cell of the
    piece, it is rotated to point there and, if it `stretches`, stretched if the cells are not one unit apart.
    """

    mark: Item
    cell: int = 0
    toward: int | None = None
    drop: float = 0.0
    stretches: bool = True

    @staticmethod
    def of(shape: Shape, mark: Item, drop: float = 0.0) -> Part:
        """Return a mark at the position of a shape, clipped like it."""
        clipped = mark if shape.clip is None else Group((mark,), clip=shape.clip)
        return Part(clipped, shape.at, shape.toward, drop, shape.stretches)


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


def word_initials(puzzle: Puzzle, words: Iterable[str]) -> dict[str, str]:
    """Return the labels of words (``.`` for none), those of coloured pieces as they are on the pieces.

    >>> import slidelab as sl
    >>> word_initials(sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]]), ["red", "green", "."])
    {'green': 'g', 'red': 'r'}
    """
    own_words = sorted({word for labels in puzzle.colours or () for word in labels})
    listed = sorted({*words} - {"."})
    known = _initials(sorted({*own_words, *listed})) | _initials(own_words)
    return {word: known[word] for word in listed}


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


def piece_parts(puzzle: Puzzle, style: PieceStyle, theme: Theme, scale: float) -> list[Part]:
    """Return the parts of a piece from back to front; `scale` is the size of a cell in pixels."""
    shapes = piece_shapes(puzzle.board, puzzle.rule, scale)
    body = _body_parts(shapes, style, theme, scale)
    return body + _label_parts(style, label_font_size(puzzle, [style], scale))


def _body_parts(shapes: Sequence[Shape], style: PieceStyle, theme: Theme, scale: float) -> list[Part]:
    """Return the edge or the shade of a piece, then its shapes in their colours."""
    colours = style.colours
    shapes = [each for each in shapes if each.clip is None or colours[each.cell] != colours[-1]]
    if theme.edge_width:
        edge = 2 * theme.edge_width * scale
        whole = [shape for shape in shapes if shape.clip is None]
        parts = [Part.of(shape, Mark(shape.path, None, theme.edge, edge)) for shape in whole]
    else:
        shades = [Mark(shape.path, mix(colours[shape.cell], "#000000", 0.28)) for shape in shapes]
        parts = [Part.of(shape, mark, 0.035 * scale) for shape, mark in zip(shapes, shades, strict=True)]
    return parts + [Part.of(shape, Mark(shape.path, colours[shape.cell])) for shape in shapes]


def _label_parts(style: PieceStyle, font_size: float) -> list[Part]:
    return [
        Part(label(text, font_size, text_colour(colour)), cell)
        for cell, (text, colour) in enumerate(zip(style.texts, style.colours, strict=True))
        if text
    ]


def label_font_size(puzzle: Puzzle, styles: Iterable[PieceStyle], scale: float) -> float:
    """Return the largest font size at which all texts fit on their cells."""
    width, height = label_box(puzzle.board.kind, puzzle.rule)
    texts = {text for style in styles for text in style.texts if text}
    return common_font_size(texts, width * scale, height * scale)


def all_parts(
    puzzle: Puzzle,
    theme: Theme,
    scale: float,
    colours: Sequence[str] | None = None,
    words: Iterable[str] = (),
    *,
    labels: bool | None = None,
    photos: Sequence[Sequence[Part]] | None = None,
) -> list[list[Part]]:
    """Return the parts of each piece; the first arguments are those of `piece_styles` and `piece_parts`.

    `photos` are parts of each piece that are drawn over its colour. Pieces have labels, but with photos only
    if `labels` is true: then each is a small badge.
    """
    styles = piece_styles(puzzle, theme, colours, words)
    shapes = piece_shapes(puzzle.board, puzzle.rule, scale)
    if photos is not None:  # of the body only the edge is visible
        styles = [replace(style, colours=(theme.piece,) * len(style.colours)) for style in styles]
    bodies = [_body_parts(shapes, style, theme, scale) for style in styles]
    if photos is not None:
        bodies = [[*body, *photo] for body, photo in zip(bodies, photos, strict=True)]
    if not (labels if labels is not None else photos is None):
        return bodies
    if photos is not None:
        badges = _badges(puzzle, styles, theme, scale)
        return [[*body, *badge] for body, badge in zip(bodies, badges, strict=True)]
    font_size = label_font_size(puzzle, styles, scale)
    return [body + _label_parts(style, font_size) for body, style in zip(bodies, styles, strict=True)]


def _badges(puzzle: Puzzle, styles: Sequence[PieceStyle], theme: Theme, scale: float) -> list[list[Part]]:
    """Return the labels of each piece in small, each on a ground of its own in the lower part of its cell."""
    width, height = label_box(puzzle.board.kind, puzzle.rule)
    texts = {text for style in styles for text in style.texts if text}
    size = common_font_size(texts, 0.8 * width * scale, 0.45 * height * scale)
    drop = 0.78 * height * scale
    badges: dict[str, Part] = {}
    for text in texts:
        half, end = text_width(text) / 2 * size + 0.22 * size, 0.62 * size
        corners = [(-half, -end), (half, -end), (half, end), (-half, end)]
        ground = Mark(Path.polygon(corners, 0.3 * size), theme.paper)
        badges[text] = Part(Group((ground, label(text, size, theme.ink))), drop=drop)
    return [
        [replace(badges[text], cell=cell) for cell, text in enumerate(style.texts) if text]
        for style in styles
    ]


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
            scale_x = distance if part.stretches and abs(distance - 1) > 0.001 else 1.0
        items.append(Group((part.mark,), x, y + part.drop, angle, scale_x))
    return Group(tuple(items), title=title, element_id=element_id)
