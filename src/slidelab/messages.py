"""Words and numbers for messages: quoted texts, readable numbers, sizes and durations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import log10

__all__ = [
    "ASCII_ARROWS",
    "big_number",
    "byte_size",
    "counted",
    "did_you_mean",
    "duration",
    "group_digits",
    "integer_text",
    "join_words",
    "nearest",
    "quoted",
    "range_text",
    "yes_no",
]

ASCII_ARROWS = {
    "→": ">",
    "↘": "DR",
    "↓": "v",
    "↙": "DL",
    "←": "<",
    "↖": "UL",
    "↑": "^",
    "↗": "UR",
}
"""What is written instead of an arrow where only ASCII can be; U, D, L and R are up, down, left and right."""

MAX_SUGGESTED_CHARACTERS = 100
"""Length of the longest text that is suggested."""

YEAR_SECONDS = 365 * 86400
MAX_YEARS_WITH_DAYS = 1000
"""Years from which on days do not matter."""

MAX_COMPARED_CHARACTERS = 100
"""Length of the longest word that is compared with others; comparing takes quadratic time."""


def quoted(text: str, limit: int = 60) -> str:
    r"""Quote a text in one line, cut to about `limit` characters.

    >>> print(quoted("a" * 99, 10), quoted("two\nlines"))
    'aaaaaaa...' 'two\nlines'
    """
    whole = repr(text[: limit + 1])
    return whole if len(whole) <= limit + 2 else f"{whole[: limit - 2]}...{whole[0]}"


def integer_text(number: int) -> str:
    """Format an integer; `str` refuses integers of thousands of digits."""
    return str(number) if abs(number) < 10**18 else "a number of more than 18 digits"


def counted(number: int, singular: str, plural: str = "") -> str:
    """Format a count with its noun.

    >>> counted(1, "move"), counted(2_000, "move")
    ('1 move', '2,000 moves')
    """
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def yes_no(value: bool | None) -> str:
    """Return "yes", "no" or, for None, "unknown"."""
    return "unknown" if value is None else "yes" if value else "no"


def big_number(number: int | None, digits: int = 15) -> str:
    """Format an integer with separators, or as a power of ten if it has more than so many digits.

    >>> big_number(7903526400), big_number(10**40 * 3), big_number(-(10**15)), big_number(None)
    ('7,903,526,400', '3.0e40', '-1.0e15', 'unknown')
    >>> big_number(10**15, 16)
    '1,000,000,000,000,000'
    """
    if number is None:
        return "unknown"
    if abs(number) < 10**digits:
        return f"{number:,}"
    if number < 0:
        return f"-{big_number(-number, digits)}"
    exponent = int(log10(number))
    tenths = (number // 10 ** (exponent - 2) + 5) // 10
    if tenths >= 100:  # rounded up to the next power of ten
        tenths, exponent = tenths // 10, exponent + 1
    return f"{tenths // 10}.{tenths % 10}e{exponent}"


def range_text(least: int, most: int | None) -> str:
    """Format a number that is known to lie between bounds, of which the upper one may be missing.

    >>> range_text(3, 5), range_text(1665, None), range_text(80, 80)
    ('3 to 5', 'at least 1,665', '80')
    """
    if most is None:
        return f"at least {least:,}"
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def group_digits(text: str) -> str:
    """Insert separators into the numbers of a message of the core.

    >>> group_digits("a matrix of 2303280 rows and 400 columns")
    'a matrix of 2,303,280 rows and 400 columns'
    """
    return re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", text)


def byte_size(count: int) -> str:
    """Format a number of bytes with its unit.

    >>> byte_size(1_850_000_000), byte_size(30_000), byte_size(3 * 10**12), byte_size(1)
    ('1.9 GB', '30 kB', '3.0 TB', '1 byte')
    """
    if count < 1000:
        return f"{count} byte{'s'[: count != 1]}"
    for size, unit in ((10**15, "PB"), (10**12, "TB"), (10**9, "GB"), (10**6, "MB")):
        if count >= size * 10**6:
            return f"{big_number(count // size)} {unit}"
        if count >= size:
            return f"{count / size:,.1f} {unit}" if size > 10**6 else f"{count / size:.0f} {unit}"
    return f"{-(-count // 1000)} kB"


def duration(seconds: float) -> str:
    """Format a time span with its two largest units.

    >>> [duration(s) for s in (0.2, 42.4, 100, 5000, 200000)]
    ['a second', '42 seconds', '1 minute 40 seconds', '1 hour 23 minutes', '2 days 7 hours']
    >>> [duration(s) for s in (4e7, 1e11, 1e24)]
    ['1 year 97 days', '3,170 years', '3.2e16 years']
    """
    whole = round(seconds)
    if whole <= 1:
        return "a second"
    years = whole // YEAR_SECONDS
    if years >= MAX_YEARS_WITH_DAYS:
        return f"{big_number(years)} years"
    parts = [
        (years, "year"),
        (whole % YEAR_SECONDS // 86400, "day"),
        (whole // 3600 % 24, "hour"),
        (whole // 60 % 60, "minute"),
        (whole % 60, "second"),
    ]
    first = next(k for k, (number, _) in enumerate(parts) if number)
    return " ".join(f"{n} {unit}{'s'[: n != 1]}" for n, unit in parts[first : first + 2] if n)


def join_words(items: Sequence[object], limit: int = 8) -> str:
    """Return the items as a list in words, cut short after `limit` of them.

    >>> join_words([3]), join_words([1, 2, 3]), join_words(range(5), 2)
    ('3', '1, 2 and 3', '0, 1 and 3 more')
    """
    texts = [str(item) for item in items]
    if len(texts) > limit:
        return ", ".join(texts[:limit]) + f" and {len(texts) - limit} more"
    return " and ".join(([", ".join(texts[:-1])] if len(texts) > 1 else []) + texts[-1:])


def nearest(word: str, choices: Iterable[str], limit: int = 3, likeness: float = 0.6) -> list[str]:
    """Return the choices that a misspelt word is most likely meant to be, nearest first.

    `likeness` is the smallest ratio of `difflib.SequenceMatcher` that counts as near.

    >>> nearest("Gourd", ["tiles", "gourds"]), nearest("moebius", ["tiles", "gourds"])
    (['gourds'], [])
    """
    from difflib import get_close_matches

    if len(word) > MAX_COMPARED_CHARACTERS:
        return []
    by_lower = {choice.lower(): choice for choice in choices}
    return [by_lower[match] for match in get_close_matches(word.lower(), by_lower, limit, likeness)]


def did_you_mean(word: object, choices: Iterable[str] | None = None) -> str:
    """Return the end of a message that names the nearest choice, or nothing if none is near.

    Without `choices`, the word itself is what may be meant; None for nothing. Nothing is named that is too
    long to be named in full.

    >>> did_you_mean("hextile", ["tiles", "hextiles"]), did_you_mean("x", ["tiles"])
    ("; did you mean 'hextiles'?", '')
    """
    if choices is not None:
        word = next(iter(nearest(word, choices, 1)), None) if isinstance(word, str) else None
    if word is None or len(repr(word)) > MAX_SUGGESTED_CHARACTERS:
        return ""
    return f"; did you mean {word!r}?"
