"""Checks of arguments that users give: whole numbers, times, amounts of memory, misspelt words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from slidelab.errors import NotationError, PuzzleError, UnknownWord
from slidelab.messages import did_you_mean

__all__ = ["check_seconds", "correct_words", "parse_bytes", "renamed", "whole_number", "with_suggestion"]

P = ParamSpec("P")
T = TypeVar("T")

MAX_CORRECTED_WORDS = 3
"""Misspelt words that are corrected in one text."""

MAX_BYTES = (1 << 62) - 1
"""Largest amount of memory that can be given; larger numbers overflow the core's arithmetic."""


def renamed(**names: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Let a function still accept keywords by other names, such as former ones.

    Parameters
    ----------
    **names
        For each other name the name of the parameter.

    Examples
    --------
    >>> @renamed(colors="colours")
    ... def paint(colours: str) -> str:
    ...     return colours
    >>> paint(colors="red")
    'red'
    >>> paint("red", colors="blue")
    Traceback (most recent call last):
    TypeError: paint() got multiple values for argument 'colours'
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> T:
            for old, new in names.items():
                if old in options:
                    if new in options:
                        raise TypeError(f"expected {new} or {old}, got both")
                    options[new] = options.pop(old)
            return function(*arguments, **options)

        return call

    return decorate


def whole_number(value: object, least: int, what: str) -> int:
    """Return `value` as an int of at least `least`; booleans and floats are refused.

    >>> whole_number(True, 1, "columns")
    Traceback (most recent call last):
    ...
    slidelab.errors.NotationError: expected a whole number of at least 1, got True - at columns
    """
    try:
        number = least - 1 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least:
        raise NotationError(f"expected a whole number of at least {least}, got {value!r} - at {what}")
    return number


def check_seconds(seconds: object, option: str = "time") -> None:
    """Raise `NotationError` unless `seconds` is a non-negative number, or None for no limit.

    >>> check_seconds(float("nan"))
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a time in seconds, got nan - at time
    """
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if seconds is not None and not (is_number and seconds >= 0):  # type: ignore[operator]
        raise NotationError(f"expected a time in seconds, got {seconds!r:.40} - at {option}")


def parse_bytes(source: int | str, option: str = "memory", least: int = 1) -> int:
    """Return an amount of memory in bytes from a number or a text such as ``500M`` or ``2G``.

    >>> parse_bytes("2G"), parse_bytes(5000)
    (2000000000, 5000)
    """
    units = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
    text = (
        str(source)
        if isinstance(source, str) or (isinstance(source, int) and abs(source) <= MAX_BYTES)
        else "?"
    )
    plain = text.upper().removesuffix("B")
    digits, unit = (plain[:-1], plain[-1]) if plain[-1:] in units else (plain, "")
    is_valid = not isinstance(source, bool) and digits.isascii() and digits.isdigit() and len(digits) < 20
    if not is_valid or not least <= int(digits) * units.get(unit, 1) <= MAX_BYTES:
        raise NotationError(f"expected an amount such as 500M or 2G, got {source!r:.40} - at {option}")
    return int(digits) * units.get(unit, 1)


def correct_words(
    words: Sequence[str],
    error: UnknownWord,
    parse: Callable[[list[str]], object],
    limit: int = MAX_CORRECTED_WORDS,
) -> str | None:
    """Return the text with its misspelt words corrected such that `parse` accepts it, None if that fails.

    Parameters
    ----------
    words
        The words of the text.
    error
        What `parse` raised about them.
    parse
        A function that raises `PuzzleError` at anything wrong, and `UnknownWord` at a misspelt word.
    limit
        Number of words that may be misspelt.
    """
    for candidate in error.candidates if limit else ():
        corrected = [*words[: error.place], *candidate.split(), *words[error.place + error.length :]]
        try:
            parse(corrected)
        except UnknownWord as another:
            if found := correct_words(corrected, another, parse, limit - 1):
                return found
        except PuzzleError:
            continue
        else:
            return " ".join(corrected)
    return None


def with_suggestion(
    words: Sequence[str], error: UnknownWord, parse: Callable[[list[str]], object]
) -> NotationError:
    """Return the error with what is probably meant, if `correct_words` finds something."""
    return NotationError(f"{error}{did_you_mean(correct_words(words, error, parse))}")
