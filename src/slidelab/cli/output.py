"""Exit codes, JSON and one-line messages."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from slidelab.errors import OutOfTime, TooLarge, Unsolvable

DONE, NO, BAD_INPUT, GAVE_UP, STOPPED = 0, 1, 2, 3, 130
"""Exit codes: answered (or solvable); answered "no"; bad input; a limit was reached; stopped by Ctrl-C."""


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


def print_chunks(chunks: Iterable[str]) -> None:
    """Print a line piece by piece; it need not fit in memory."""
    for chunk in chunks:
        sys.stdout.write(chunk)
    print()


def print_error(message: str, code: int) -> int:
    """Print one line on standard error and return the exit code."""
    print(f"slidelab: {' '.join(message.split())}", file=sys.stderr)
    return code


def print_refusal(error: TooLarge | OutOfTime | Unsolvable, json: bool, **details: Any) -> int:
    """Print why there is no answer as JSON and return the exit code; raise the error again for text."""
    if not json:
        raise error
    print_json({**details, "reason": str(error)})
    return NO if isinstance(error, Unsolvable) else GAVE_UP
