"""Exit codes, JSON and one-line messages."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from slidelab.errors import OutOfTime, TooLarge, Unsolvable
from slidelab.messages import quoted

DONE, NO, BAD_INPUT, GAVE_UP, DEFECT, STOPPED = 0, 1, 2, 3, 4, 130
"""Exit codes: answered (or solvable); answered "no"; bad input; a limit was reached; an error of slidelab
itself; stopped by Ctrl-C."""

MAX_COMMAND_CHARACTERS = 400
"""Length of a command that is repeated in a message; longer ones are cut."""

MAX_DIGITS = 60
"""Digits of a number in a message; longer ones are cut."""

MAX_LINE_CHARACTERS = 1000
"""Length of a message; longer ones, as about a board given edge by edge, are cut in the middle."""


def json_text(value: Any) -> str:
    """Return a value as one line of JSON."""
    from json import dumps

    return dumps(value, ensure_ascii=False)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    print(json_text(value))


def print_answer(json: bool, value: Any, text: object) -> None:
    """Print a value as JSON, or its text."""
    print(json_text(value) if json else text)


def print_chunks(chunks: Iterable[str], end: str = "\n") -> None:
    """Print a text piece by piece; it need not fit in memory."""
    for chunk in chunks:
        print(chunk, end="")  # which does nothing if standard output is closed
    print(end=end)


def print_error(message: str, code: int) -> int:
    """Print one line on standard error, cut where it is too long to be read, and return the exit code."""
    _print_line(_shortened(message))
    return code


def print_json_error(message: str, code: int, kind: str) -> int:
    """Print an error as JSON on standard output, where the answer would be, and return the exit code."""
    print_json({"error": {"kind": kind, "message": _shortened(message), "exit_code": code}})
    return code


def _shortened(message: str) -> str:
    """Return a message in one line, without most digits of huge numbers, and cut in the middle."""
    line = re.sub(rf"\d{{{MAX_DIGITS},}}", lambda found: f"{found[0][:20]}...", " ".join(message.split()))
    if len(line) > MAX_LINE_CHARACTERS:
        line = f"{line[: MAX_LINE_CHARACTERS // 2]} ... {line[-MAX_LINE_CHARACTERS // 2 :]}"
    return line


def print_note(message: str) -> None:
    """Print one line about the answer on standard error, so that the answer alone can be piped."""
    _print_line(message)


def print_defect(error: Exception, words: Sequence[str], *, json: bool = False) -> int:
    """Print one line about an error of slidelab itself, with the command that led to it.

    With SLIDELAB_DEBUG in the environment, the traceback comes first.
    """
    if os.environ.get("SLIDELAB_DEBUG") and sys.stderr is not None:
        from traceback import print_exception

        with suppress(OSError, ValueError):
            print_exception(error)
    text = quoted(str(error), 120)[1:-1]
    kind = type(error).__name__ + (f": {text}" if text else "")
    command = " ".join(["slidelab", *map(_shell_word, words)])
    if len(command) > MAX_COMMAND_CHARACTERS:
        command = command[:MAX_COMMAND_CHARACTERS] + "..."
    message = f"internal error ({kind}); please report it with the command: {command}"
    return print_json_error(message, DEFECT, "InternalError") if json else print_error(message, DEFECT)


def _print_line(line: str) -> None:
    """Print a line on standard error if that can be written; control characters are escaped."""
    if not line.isprintable():
        line = "".join(c if c.isprintable() else _escape(c) for c in line)
    if sys.stderr is not None:  # None would mean standard output
        with suppress(OSError, ValueError):  # the disk is full, the stream is closed
            print(f"slidelab: {line}", file=sys.stderr, flush=True)


def _shell_word(word: str) -> str:
    r"""Quote a word for the shell, in one line.

    >>> print(_shell_word("hex P(3,4)"), _shell_word("two\nlines"))
    'hex P(3,4)' $'two\nlines'
    """
    from shlex import quote

    if word.isprintable():
        return quote(word)
    escaped = (c if c.isprintable() and c not in "\\'" else _escape(c) for c in word)
    return f"$'{''.join(escaped)}'"


def _escape(character: str) -> str:
    """Return a character in the notation of the shell; one byte that is not UTF-8 is a lone surrogate."""
    if character in "\\'":
        return "\\" + character
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"
    return {"\n": "\\n", "\t": "\\t"}.get(character, f"\\U{ord(character):08x}")


def print_refusal(error: TooLarge | OutOfTime | Unsolvable, json: bool, **details: Any) -> int:
    """Print why there is no answer as JSON and return the exit code; raise the error again for text."""
    if not json:
        raise error
    print_json({**details, "reason": str(error)})
    return NO if isinstance(error, Unsolvable) else GAVE_UP
