"""What pieces look like: parts that are placed by where the cells of the piece are.

A tile is one part at its cell. A longer piece is a disc at each cell and, between cells that follow one
another, a neck of two halves, each of which belongs to one of the two: so each end can have its colour, and
the same few parts are moved and turned whatever the piece does. The outline of a gourd is that of the paper:
two discs joined by arcs round the cells that touch both. Its discs are as large as they can be for a turn and
a pivot between neighbours: two ends come as near as the square root of three, less one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from slidelab.boards.hexagons import ROW_HEIGHT as ROW
from slidelab.draw.glyphs import is_known
from slidelab.draw.scene import Group, Item, Mark, Path, Point, label
from slidelab.draw.theme import Theme, colour_words, ink_on, mix

if TYPE_CHECKING:
    from slidelab.puzzles import Puzzle

__all__ = ["GOURD", "Look", "Part", "cell_path", "links", "looks", "piece_parts", "placed"]

GOURD = (math.sqrt(3) - 1) / 2
"""Radius of the end of a gourd, in cells, without any play."""
PLAY = 0.012
DISC = 0.36


@dataclass(frozen=True, slots=True)
class Part:
    """A mark (or a few that go together) in its own coordinates, and where it goes.

    It goes to cell number `at` of the piece, lower by `drop`; if `toward` is another cell of the piece it is
    turned to point there, and stretched if that cell is not one unit away.
    """

    mark: Item
    at: int = 0
    toward: int | None = None
    drop: float = 0.0


@dataclass(frozen=True, slots=True)
class Look:
    """How one piece is to look: a colour and a text for each of its cells (none: empty)."""

    colours: tuple[str, ...]
    texts: tuple[str, ...]


def looks(
    puzzle: Puzzle, theme: Theme, colours: Sequence[str] | None = None, words: Iterable[str] = ()
) -> list[Look]:
    """How each piece of a puzzle looks, in order.

    Numbered pieces carry their number, gourds on their head, which is darker. Coloured ones have the colours
    that their words say, and the word's first letters. `colours` gives each piece a colour of its own;
    `words` are others that need a colour in the same picture (``.`` for none).

    >>> import slidelab as sl
    >>> from slidelab.draw.theme import LIGHT
    >>> looks(sl.puzzle("hex T(2)", "gourds"), LIGHT)
    [Look(colours=('#4477aa', '#9cbbdc'), texts=('1', ''))]
    """
    cells = puzzle.rule.cells
    if puzzle.colours is not None and colours is None:
        own_words = sorted({word for labels in puzzle.colours for word in labels})
        paint, short = colour_words(sorted({*own_words, *words} - {"."}), theme), _initials(own_words)
        out = []
        for labels in puzzle.colours:
            full = [labels[min(k, len(labels) - 1)] for k in range(cells)]
            out.append(Look(tuple(paint[word] for word in full), tuple(short[word] for word in full)))
        return out
    out = []
    for number in range(puzzle.piece_count):
        own = theme.piece if colours is None else colours[number]
        tail = theme.other_end if colours is None else mix(own, theme.paper, 0.45)
        out.append(Look((own, *[tail] * (cells - 1)), (str(number + 1), *[""] * (cells - 1))))
    return out


def _initials(words: Sequence[str]) -> dict[str, str]:
    """A label of one or two letters for each word, no two alike; numbers stay whole.

    The first letter if no other word begins with it, else with a letter that tells it apart; capitals in
    order for what the font can not write.

    >>> _initials(["black", "blue", "red", "12"])
    {'black': 'ba', 'blue': 'bu', 'red': 'r', '12': '12'}
    """
    out = {word: word for word in words if word.isascii() and word.isdigit() and len(word) < 4}
    firsts = Counter(word[0] for word in words)
    spare = (f"{first}{second}" for first in ["", *ascii_uppercase] for second in ascii_uppercase)
    for word in words:
        if word in out:
            continue
        others = {letter for other in words if other != word and other[0] == word[0] for letter in other[1:]}
        apart = [letter for letter in word[1:] if letter not in others] or list(word[1:])
        tries = [word[0]] if firsts[word[0]] == 1 else [word[0] + letter for letter in apart] + [word[0]]
        good = (text for text in tries if text not in out.values() and all(map(is_known, text)))
        out[word] = next(good, "") or next(text for text in spare if text not in out.values())
    return {word: out[word] for word in words}


@lru_cache(maxsize=256)
def cell_path(kind: str, scale: float, inset: float, rounding: float = 0.0) -> Path:
    """The outline of a cell of such a board around (0, 0); `inset` and `rounding` are in cells.

    >>> cell_path("square", 10.0, 0.1).svg
    'M-4 -4L4 -4L4 4L-4 4Z'
    """
    return _unit_cell(kind, inset, rounding).scaled(scale)


def _unit_cell(kind: str, inset: float, rounding: float) -> Path:
    if kind == "graph":
        return Path.circle((0, 0), DISC + 0.04 - inset)
    if kind == "hex":
        radius = (0.5 - inset) / ROW
        angles = [math.pi / 6 + k * math.pi / 3 for k in range(6)]
        return Path.polygon([(radius * math.cos(a), radius * math.sin(a)) for a in angles], rounding)
    half = 0.5 - inset
    return Path.polygon([(-half, -half), (half, -half), (half, half), (-half, half)], rounding)


def links(cells: int, rule: str) -> list[tuple[int, int]]:
    """Which cells of a piece are joined by a neck."""
    chain = [(k, k + 1) for k in range(cells - 1)]
    return [*chain, (0, 2)] if rule == "trimers-triangle" else chain


@lru_cache(maxsize=64)
def _neck(kind: str, radius: float, scale: float) -> Path:
    """Half the neck from a disc at (0, 0) to one at (1, 0), a hair longer so that no gap shows.

    On hexagons and squares it is bounded by arcs round the cells that touch both ends, which meet the discs
    without a corner. Elsewhere ends may be farther apart and the neck is stretched: there it is a plain bar
    from the middle of the disc, which stays one.
    """
    rim = 1 - radius
    if kind not in ("hex", "square"):
        half = ROW - rim
        return Path.polygon([(0.0, -half), (0.51, -half), (0.51, half), (0.0, half)]).scaled(scale)
    first, last = math.atan2(ROW, -0.5), math.pi / 2 - 0.02
    above = Path.arc((0.5, -ROW), rim, first, last)
    below = Path.arc((0.5, ROW), rim, -last, -first)
    return above.then(below).closed().scaled(scale)


def piece_parts(puzzle: Puzzle, look: Look, theme: Theme, scale: float) -> list[Part]:
    """The parts of a piece, from the lowest to the highest; `scale` is the size of a cell."""
    kind, rule = puzzle.board.kind, puzzle.rule
    if rule.cells == 1:
        path, wide, high = _tile(kind, rule.name, scale)
        shapes: list[tuple[Path, int, int | None]] = [(path, 0, None)]
    else:
        radius = GOURD - PLAY if kind == "hex" else 0.4
        wide, high = 1.5 * radius * scale, 0.78 * radius * scale
        disc, neck = _disc(radius, scale), _neck(kind, radius, scale)
        shapes = [(disc, cell, None) for cell in range(rule.cells)]
        for a, b in links(rule.cells, rule.name):
            shapes += [(neck, a, b), (neck, b, a)]
    out = []
    if theme.edge_width:
        edge = 2 * theme.edge_width * scale
        out += [Part(Mark(path, None, theme.edge, edge), at, to) for path, at, to in shapes]
    else:
        shade = [mix(colour, "#000000", 0.28) for colour in look.colours]
        out += [Part(Mark(path, shade[at]), at, to, drop=0.035 * scale) for path, at, to in shapes]
    out += [Part(Mark(path, look.colours[at]), at, to) for path, at, to in shapes]
    labels = [(cell, text) for cell, text in enumerate(look.texts) if text]
    return out + [Part(label(text, wide, high, ink_on(look.colours[cell])), cell) for cell, text in labels]


@lru_cache(maxsize=64)
def _disc(radius: float, scale: float) -> Path:
    return Path.circle((0, 0), radius * scale)


@lru_cache(maxsize=64)
def _tile(kind: str, rule: str, scale: float) -> tuple[Path, float, float]:
    """The outline of a tile, and how wide and high its number may be."""
    if kind == "graph":
        return _disc(DISC, scale), 0.52 * scale, 0.29 * scale
    if rule == "tiles" and kind == "hex":  # one hole is enough for discs, not for hexagons
        return _disc(ROW / 2 - PLAY, scale), 0.6 * scale, 0.33 * scale
    wide, high = (0.68, 0.36) if kind == "hex" else (0.72, 0.38)
    return cell_path(kind, scale, 0.035, 0.11), wide * scale, high * scale


def placed(
    parts: Sequence[Part], points: Sequence[Point], scale: float, title: str = "", key: str = ""
) -> Group:
    """The piece with its cells at these points, where neighbouring cells usually are `scale` apart."""
    items = []
    for part in parts:
        x, y = points[part.at]
        turn, stretch = 0.0, 1.0
        if part.toward is not None:
            other = points[part.toward]
            turn = math.degrees(math.atan2(other[1] - y, other[0] - x))
            far = math.dist(other, (x, y)) / scale
            stretch = far if abs(far - 1) > 0.001 else 1.0
        items.append(Group((part.mark,), x, y + part.drop, turn, stretch))
    return Group(tuple(items), title=title, key=key)
