"""Messages about words that fit no parameter, and about words that are missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from cyclopts import App, CoercionError, CycloptsError, MissingArgumentError, UnusedCliTokensError
from cyclopts.argument import Argument

from slidelab.messages import did_you_mean, quoted

__all__ = ["takes_board", "usage_message"]

BOARD_NAMES = ("BOARD", "BOARDS", "PUZZLE")
"""Parameters whose values are boards, as the help shows them."""

STATEMENT = "hex P(m,n) 3 for m,n >= 3: one component"

NUMBERS = {int: "a whole number", float: "a number"}


def usage_message(error: CycloptsError, app: App, words: Sequence[str]) -> str:
    """Return what is wrong with the words of a command: what was expected, what was found, and where."""
    if isinstance(error, UnusedCliTokensError):
        return _unused_words(app, words, error.unused_tokens or [])
    argument = error.argument
    if argument is not None and isinstance(error, CoercionError) and error.token is not None:
        kinds = get_args(argument.hint) or (argument.hint,)
        expected = next((text for kind, text in NUMBERS.items() if kind in kinds), None)
        if expected is not None:
            place = error.token.keyword or _shown_name(argument)
            return f"expected {expected}, got {quoted(error.token.value)} - at {place}"
    if argument is not None and isinstance(error, MissingArgumentError):
        place = " ".join(error.command_chain or [])
        if place == "prove" and error.keyword is None:
            if "--check" in words:
                return "expected a FILE with a proof, or - for standard input, after --check"
            return f"expected a BOARD or a STATEMENT in quotes, such as 'hex P(4,5)' or '{STATEMENT}'"
        if error.keyword is not None or argument.field_info.is_keyword_only:
            return f"expected a value, got none - at {error.keyword or argument.name}"
        if _shown_name(argument) in BOARD_NAMES:
            return f"expected a {_shown_name(argument)}, such as 'hex P(3,4)', got none - at {place}"
        return f"expected {_shown_name(argument)} ({argument.name}), got none - at {place}"
    return str(error)


def takes_board(app: App) -> bool:
    """Return whether a command, or one below it, reads a BOARD."""
    arguments = [] if app.default_command is None else app.assemble_argument_collection()
    return any(_shown_name(each) in BOARD_NAMES for each in arguments) or any(
        not name.startswith("-") and takes_board(app[name]) for name in app
    )


def _unused_words(app: App, words: Sequence[str], unused: Sequence[str]) -> str:
    """Return the message about words that no parameter takes, such as a misspelt command of `atlas`."""
    chain, apps, _ = app.parse_commands(words)
    names = [name for name in apps[-1] if not name.startswith("-")] if chain else []
    if names and unused:
        known, meant = ", ".join(names), did_you_mean(unused[0], names)
        return f"expected a command of {' '.join(chain)} ({known}), got {unused[0]!r:.60}{meant}"
    also = f"got also {' '.join(unused)!r:.60}"
    if not chain or takes_board(apps[-1]):
        return f"expected one BOARD in quotes, {also}"
    arguments = apps[-1].assemble_argument_collection()
    taken = [_shown_name(each) for each in arguments if each.field_info.is_positional]
    return f"expected {'one ' + ' '.join(taken) if taken else 'only options'}, {also} - at {' '.join(chain)}"


def _shown_name(argument: Argument) -> str:
    """Return the name of an argument without a keyword, as the help shows it."""
    return argument.name.lstrip("-").upper()
