"""Streams of any encoding: ASCII signs instead of errors for what cannot be written."""

from __future__ import annotations

import codecs
import sys
from contextlib import suppress

from slidelab.messages import ASCII_ARROWS

__all__ = ["accept_all_characters", "prints_arrows"]

ERRORS = "slidelab-ascii"
"""Name under which the error handler is registered with `codecs`."""

SIGNS = {
    **ASCII_ARROWS,
    **dict.fromkeys("\u2500\u2501\u2574\u2576\u2578\u257a\u2013\u2014\u2212", "-"),
    **dict.fromkeys("\u2502\u2503", "|"),
    **dict.fromkeys("\u256d\u256e\u2570\u256f\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c", "+"),
    **dict.fromkeys("\u2018\u2019", "'"),
    **dict.fromkeys("\u201c\u201d", '"'),
    "\u00d7": "x",
    "\u2026": "...",
    "\u2022": "*",
    "\u2264": "<=",
    "\u2265": ">=",
}
"""ASCII forms of lines, arrows and signs; all else is escaped."""


def accept_all_characters() -> None:
    """Make standard output and standard error write ASCII for what their encoding lacks.

    Standard input is read as UTF-8, as files are.
    """
    codecs.register_error(ERRORS, _transliterate)
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            with suppress(OSError, ValueError):  # closed
                reconfigure(errors=ERRORS)
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        with suppress(OSError, ValueError):
            reconfigure(encoding="utf-8", errors="strict")


def prints_arrows() -> bool:
    """Return whether standard output can write arrows, one character each."""
    try:
        "".join(ASCII_ARROWS).encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _transliterate(error: UnicodeError) -> tuple[str, int]:
    """Return what to write instead of characters that cannot be encoded; escapes are those of JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    written = error.object[error.start : error.end]
    return "".join(SIGNS.get(character) or _escape(character) for character in written), error.end


def _escape(character: str) -> str:
    r"""Return the escape of a character in JSON.

    >>> print(_escape("\u00e9"), _escape("\U0001f600"))
    \u00e9 \ud83d\ude00
    """
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[k : k + 4]}" for k in range(0, len(units), 4))
