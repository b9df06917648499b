"""One look for every picture: three themes, and colours that everyone can tell apart.

The palette begins with Paul Tol's "bright" scheme; two more colours were chosen so that all eight stay apart
as the colour-blind see them, which the tests check for the three kinds of colour-blindness.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from slidelab.errors import NotationError

__all__ = [
    "DARK",
    "LIGHT",
    "PRINT",
    "THEMES",
    "Theme",
    "channels",
    "colour_words",
    "contrast",
    "ink_on",
    "lightness",
    "mix",
    "theme",
]


_COLOUR = re.compile("#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture, all of them ``#rrggbb``.

    Attributes
    ----------
    paper, ink, faint : str
        What lies behind everything; letters and lines; what stays in the background (grids, edges).
    tray, well : str
        The frame around the cells; an empty cell.
    piece, other_end : str
        A numbered piece; the tail of a numbered gourd.
    edge : str
        The outline of pieces; `edge_width` says how wide, in cells.
    accent : str
        Arrows, and whatever the picture is about.
    palette : tuple of str
        Colours for coloured pieces, orbits and curves, in order of use.
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
        """Colours end up in files of many kinds: only what surely is one may pass."""
        if len(self.palette) != 8:
            raise NotationError(f"expected a palette of 8 colours, got {len(self.palette)} - at a theme")
        for colour in (*self._single, *self.palette):
            if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
                raise NotationError(f"expected a colour such as #4477aa, got {colour!r:.40} - at a theme")
        if not isinstance(self.edge_width, int | float) or not 0 <= self.edge_width <= 0.2:
            raise NotationError(
                f"expected an edge of 0 to 0.2 cells, got {self.edge_width!r:.40} - at a theme"
            )

    @property
    def _single(self) -> tuple[str, ...]:
        plain = (self.paper, self.ink, self.faint, self.tray, self.well)
        return (*plain, self.piece, self.other_end, self.edge, self.accent)


_BRIGHT = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#6b3410", "#33e0b8")

LIGHT = Theme(
    name="light",
    paper="#ffffff",
    ink="#1d2733",
    faint="#c9d1da",
    tray="#dfe5ec",
    well="#b6c1ce",
    piece="#4477aa",
    other_end="#9cbbdc",
    edge="#2f5680",
    edge_width=0.0,
    accent="#ee7733",
    palette=_BRIGHT,
)
DARK = Theme(
    name="dark",
    paper="#12171e",
    ink="#e8edf3",
    faint="#3a4653",
    tray="#2a333e",
    well="#171d25",
    piece="#5b93cb",
    other_end="#38658f",
    edge="#a9cdf0",
    edge_width=0.0,
    accent="#ff9955",
    palette=("#5b93cb", "#ff7f8c", "#3fae55", "#d9c85a", "#7fd9f7", "#cc5f9f", "#8a5a3c", "#116f78"),
)
PRINT = Theme(
    name="print",
    paper="#ffffff",
    ink="#000000",
    faint="#9a9a9a",
    tray="#ffffff",
    well="#c6c6c6",
    piece="#ffffff",
    other_end="#d8d8d8",
    edge="#000000",
    edge_width=0.025,
    accent="#000000",
    palette=("#ffffff", "#6b6b6b", "#b1b1b1", "#2a2a2a", "#d8d8d8", "#484848", "#8c8c8c", "#101010"),
)
THEMES = {each.name: each for each in (LIGHT, DARK, PRINT)}


def theme(name: str | Theme) -> Theme:
    """The theme of that name.

    >>> theme("dark").paper
    '#12171e'
    >>> theme("neon")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a theme (light, dark or print), got 'neon'
    """
    if isinstance(name, Theme):
        return name
    if not isinstance(name, str) or name not in THEMES:
        raise NotationError(f"expected a theme (light, dark or print), got {name!r:.40}")
    return THEMES[name]


_NAMED = {
    "blue": 0,
    "red": 1,
    "green": 2,
    "yellow": 3,
    "cyan": 4,
    "purple": 5,
    "violet": 5,
    "brown": 6,
    "mint": 7,
    "teal": 7,
}
_PLAIN = {
    "white": "#ffffff",
    "black": "#222222",
    "grey": "#999999",
    "gray": "#999999",
    "silver": "#c0c4c8",
    "orange": "#ee7733",
    "gold": "#d9a400",
    "beige": "#e8dcc0",
    "ivory": "#f7f3e3",
    "tan": "#c9a676",
    "pink": "#ffaacc",
    "salmon": "#fa8072",
    "coral": "#ff7f50",
    "crimson": "#c8143c",
    "maroon": "#7a1022",
    "magenta": "#d81bb4",
    "lavender": "#c4b5f0",
    "indigo": "#3f2a8c",
    "navy": "#16295c",
    "turquoise": "#40c9c0",
    "lime": "#a6d921",
    "olive": "#7d7d1a",
}


def colour_words(words: Iterable[str], look: Theme = LIGHT) -> dict[str, str]:
    """A colour of its own for each word: red is red, and words that name no colour take what is left.

    >>> colour_words(["red", "a", "b"])
    {'red': '#ee6677', 'a': '#4477aa', 'b': '#228833'}
    """
    listed = list(dict.fromkeys(words))
    named = {word: look.palette[k] for word, k in _NAMED.items()} if look.name != "print" else {}
    out: dict[str, str] = {}
    taken: set[str] = set()
    for word in listed:
        colour = named.get(word.lower()) or _PLAIN.get(word.lower())
        if colour is not None and colour not in taken:  # of pink and red only the first can have it
            out[word] = colour
            taken.add(colour)
    free = (colour for colour in _endless(look.palette) if colour not in taken)
    for word in listed:
        if word not in out:
            out[word] = next(free)
            taken.add(out[word])
    return {word: out[word] for word in listed}


def _endless(palette: tuple[str, ...]) -> Iterator[str]:
    """The palette, then its shades, then whatever else there is."""
    yield from palette
    for share in (0.35, 0.6, 0.8):
        for ground in ("#ffffff", "#000000"):
            yield from (mix(colour, ground, share) for colour in palette)
    for number in count(1):  # steps of the golden ratio come to every colour, and not to near ones soon
        yield f"#{number * 0x9E3779 % 0x1000000:06x}"


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, from 0 to 255.

    >>> channels("#4477aa")
    (68, 119, 170)
    """
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """The colour on the way from the first to the second.

    >>> mix("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def lightness(colour: str) -> float:
    """How light a colour is to the eye, from 0 to 1 (relative luminance, WCAG 2).

    >>> round(lightness("#ffffff"), 3), round(lightness("#4477aa"), 3)
    (1.0, 0.173)
    """
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _shares(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shares(colour: str) -> list[float]:
    return [channel / 255 for channel in channels(colour)]


def contrast(first: str, second: str) -> float:
    """How clearly two colours differ, from 1 to 21 (the ratio of WCAG 2).

    >>> round(contrast("#000000", "#ffffff"), 3), contrast("#4477aa", "#4477aa")
    (21.0, 1.0)
    """
    low, high = sorted((lightness(first), lightness(second)))
    return (high + 0.05) / (low + 0.05)


def ink_on(colour: str) -> str:
    """Dark or light letters, whichever are easier to read on the colour.

    >>> ink_on("#4477aa"), ink_on("#ccbb44")
    ('#ffffff', '#1d2733')
    """
    # White looks clearer than it counts, so it wins near the middle.
    return "#ffffff" if contrast(colour, "#ffffff") * 1.35 >= contrast(colour, LIGHT.ink) else LIGHT.ink
