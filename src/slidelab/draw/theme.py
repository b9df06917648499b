"""Colour themes shared by all pictures, and a palette that is safe for colour-blind readers.

The palette is Paul Tol's "bright" scheme plus two colours chosen so that all eight stay distinguishable under
the three kinds of colour blindness; the tests check this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from slidelab.errors import NotationError
from slidelab.messages import did_you_mean

__all__ = ["DARK", "LIGHT", "PRINT", "THEMES", "Theme", "contrast", "get_theme", "mix", "word_colours"]


_COLOUR = re.compile("#[0-9a-f]{6}")

PALETTE_SIZE = 8
"""Number of colours that every theme provides."""

MAX_EDGE_WIDTH = 0.2
"""Widest outline of pieces, in cells; wider ones would hide the labels."""

WHITE_PREFERENCE = 1.35
"""Factor in favour of white text: WCAG 2 underrates white text on saturated colours of medium luminance."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of a picture, each as ``#rrggbb``.

    Attributes
    ----------
    name : str
        Name by which `get_theme` finds the theme.
    paper, ink, faint : str
        Background; text and lines; grid lines and graph edges.
    tray, well : str
        Frame around the cells; an empty cell.
    piece, other_end : str
        A numbered piece; the tail of a numbered gourd.
    edge : str
        Outline of pieces.
    edge_width : float
        Width of that outline in cells.
    accent : str
        Arrows, rings and other highlights.
    palette : tuple of str
        Eight colours for coloured pieces, orbits and curves, in order of use.
    """

    name: str
    paper: str
    ink: str
    faint: str
    tray: str
    well: str
    piece: str
    other_end: str
    edge: str
    edge_width: float
    accent: str
    palette: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse anything but plain colours: they are written into files of several formats."""
        if len(self.palette) != PALETTE_SIZE:
            raise NotationError(
                f"expected a palette of {PALETTE_SIZE} colours, got {len(self.palette)} - at a theme"
            )
        for colour in (*(getattr(self, name) for name in _SINGLE), *self.palette):
            if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
                raise NotationError(f"expected a colour such as #4477aa, got {colour!r:.40} - at a theme")
        if not isinstance(self.edge_width, int | float) or not 0 <= self.edge_width <= MAX_EDGE_WIDTH:
            raise NotationError(
                f"expected an edge of 0 to {MAX_EDGE_WIDTH} cells, got {self.edge_width!r:.40} - at a theme"
            )


_SINGLE = ("paper", "ink", "faint", "tray", "well", "piece", "other_end", "edge", "accent")


def _theme(name: str, single: str, palette: str, edge_width: float = 0.0) -> Theme:
    """Return the theme with these colours, the single ones in the order of `_SINGLE`."""
    colours = dict(zip(_SINGLE, single.split(), strict=True))
    return Theme(name=name, palette=tuple(palette.split()), edge_width=edge_width, **colours)


LIGHT = _theme(
    "light",
    "#ffffff #1d2733 #c9d1da #dfe5ec #b6c1ce #4477aa #9cbbdc #2f5680 #ee7733",
    "#4477aa #ee6677 #228833 #ccbb44 #66ccee #aa3377 #6b3410 #33e0b8",
)
DARK = _theme(
    "dark",
    "#12171e #e8edf3 #3a4653 #2a333e #171d25 #5b93cb #38658f #a9cdf0 #ff9955",
    "#5b93cb #ff7f8c #3fae55 #d9c85a #7fd9f7 #cc5f9f #8a5a3c #116f78",
)
PRINT = _theme(
    "print",
    "#ffffff #000000 #9a9a9a #ffffff #c6c6c6 #ffffff #d8d8d8 #000000 #000000",
    "#ffffff #6b6b6b #b1b1b1 #2a2a2a #d8d8d8 #484848 #8c8c8c #101010",
    edge_width=0.025,
)
THEMES = {each.name: each for each in (LIGHT, DARK, PRINT)}
"""Built-in themes by name."""


def get_theme(name: str | Theme) -> Theme:
    """Return the built-in theme of that name; a `Theme` is returned as it is.

    >>> get_theme("dark").paper
    '#12171e'
    >>> get_theme("neon")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a theme (light, dark or print), got 'neon'
    """
    if isinstance(name, Theme):
        return name
    if not isinstance(name, str) or name not in THEMES:
        meant = did_you_mean(name, THEMES)
        raise NotationError(f"expected a theme (light, dark or print), got {name!r:.40}{meant}")
    return THEMES[name]


_PALETTE_WORDS = ["blue", "red", "green", "yellow", "cyan", "purple", "brown", "mint"]
_SYNONYMS = {"violet": "purple", "teal": "mint", "gray": "grey"}
_WORD_COLOURS = """
    white=#ffffff black=#222222 grey=#999999 silver=#c0c4c8 orange=#ee7733 gold=#d9a400 beige=#e8dcc0
    ivory=#f7f3e3 tan=#c9a676 pink=#ffaacc salmon=#fa8072 coral=#ff7f50 crimson=#c8143c maroon=#7a1022
    magenta=#d81bb4 lavender=#c4b5f0 indigo=#3f2a8c navy=#16295c turquoise=#40c9c0 lime=#a6d921 olive=#7d7d1a
"""


def word_colours(words: Iterable[str], theme: Theme = LIGHT) -> dict[str, str]:
    """Map each word to a colour of its own; words that name no colour get unused ones of the palette.

    >>> word_colours(["red", "a", "b"])
    {'red': '#ee6677', 'a': '#4477aa', 'b': '#228833'}
    """
    unique = list(dict.fromkeys(words))
    palette_words = dict(zip(_PALETTE_WORDS, theme.palette, strict=True)) if theme.name != "print" else {}
    named = dict(pair.split("=") for pair in _WORD_COLOURS.split()) | palette_words
    colours: dict[str, str] = {}
    used: set[str] = set()
    for word in unique:
        colour = named.get(_SYNONYMS.get(word.lower(), word.lower()))
        if colour is not None and colour not in used:  # of synonyms (grey, gray) the first one gets it
            colours[word] = colour
            used.add(colour)
    unused = (colour for colour in _endless(theme.palette) if colour not in used)
    for word in unique:
        if word not in colours:
            colours[word] = next(unused)
            used.add(colours[word])
    return {word: colours[word] for word in unique}


def _endless(palette: tuple[str, ...]) -> Iterator[str]:
    """Yield the palette, then its tints and shades, then colours without end."""
    yield from palette
    for share in (0.35, 0.6, 0.8):
        for ground in ("#ffffff", "#000000"):
            yield from (mix(colour, ground, share) for colour in palette)
    for number in count(1):  # golden-ratio steps: distinct, and close colours are far apart in the sequence
        yield f"#{number * 0x9E3779 % 0x1000000:06x}"


def channels(colour: str) -> tuple[int, int, int]:
    """Return red, green and blue, from 0 to 255.

    >>> channels("#4477aa")
    (68, 119, 170)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """Interpolate between two colours; `share` is the weight of the second.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, from 0 to 1 (WCAG 2).

    >>> round(luminance("#ffffff"), 3), round(luminance("#4477aa"), 3)
    (1.0, 0.173)
    """
    shares = [channel / 255 for channel in channels(colour)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2).

    >>> round(contrast("#000000", "#ffffff"), 3), contrast("#4477aa", "#4477aa")
    (21.0, 1.0)
    """
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def text_colour(background: str) -> str:
    """Return white or dark, whichever is easier to read on the background.

    >>> text_colour("#4477aa"), text_colour("#ccbb44")
    ('#ffffff', '#1d2733')
    """
    white = contrast(background, "#ffffff") * WHITE_PREFERENCE
    return "#ffffff" if white >= contrast(background, LIGHT.ink) else LIGHT.ink
