"""The command-line application: its commands, and the exit code of every outcome."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from cyclopts import App, CycloptsError, UnusedCliTokensError

from slidelab import __version__
from slidelab.cli.output import BAD_INPUT, DONE, GAVE_UP, NO, STOPPED, print_error
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable

COMMANDS = {
    "analyze": ("reach", "Analyze what can be reached: shapes, group, components, parity, theorems."),
    "solvable": ("reach", "Decide whether the start can reach the goal, and print the reason."),
    "shuffle": ("reach", "Print random configurations, uniform among those that can be reached."),
    "god": ("distance", "Compute God's number, or with --start all distances from one configuration."),
    "solve": ("solve", "Find a shortest solution, or the best one within the limits."),
    "hint": ("solve", "Print the next move of a shortest (or the best known) solution."),
    "place": ("place", "Place coloured gourds so that each end lies on a cell of its colour."),
    "draw": ("draw", "Draw a puzzle, film a solution, or make a puzzle for a 3D printer."),
    "boards": ("boards", "List the kinds of boards, the properties of BOARD, or all boards of n hexagons."),
    "atlas": ("atlas", "Tabulate all boards of one kind and size."),
    "pdb": ("pattern_databases", "Build, list and remove pattern databases, which make searches fast."),
    "bench": ("bench", "Compare measurements with published ones."),
}
"""Module and summary of each command, in the order of the help.

The summary is the first line of the command's docstring. It is repeated here so that the help imports no
command.
"""


def build_app(*, summaries: bool = False) -> App:
    """Return the application; with `summaries` for its own help, not for that of its commands."""
    built = App(
        name="slidelab",
        help=(
            "The laboratory for sliding puzzles: "
            "what can be reached, how far it is, how to get there, and why not."
        ),
        help_epilogue=(
            "BOARD is a text such as 'hex P(3,4)', 'square R(4,4)' or 'theta(1,2,2)'; a position such as "
            "'square R(3,3) : 1 2 3 4 5 6 8 7 .'; a file with one of these or with JSON; or - for standard "
            "input. 'slidelab boards' lists the kinds of boards."
        ),
        version=__version__,
        version_flags=["--version"],
        help_format="plaintext",  # no Markdown parser at start-up
        suppress_keyboard_interrupt=False,
    )
    for number, (name, (module, summary)) in enumerate(COMMANDS.items()):
        text = {"help": summary} if summaries else {}
        built.command(f"slidelab.cli.{module}:{name}", name=name, sort_key=number, **text)
    return built


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; errors become one line on standard error."""
    with suppress(ValueError):  # only the main thread may install a signal handler
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _terminate)
    sys.exit(_exit_code(arguments))


def _terminate(number: int, frame: object) -> NoReturn:
    """Unwind the stack on SIGTERM, so that unfinished files are removed."""
    raise SystemExit(128 + number)


def _exit_code(arguments: list[str] | None) -> int:
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # orders of groups have thousands of digits
    words = sys.argv[1:] if arguments is None else arguments
    try:
        if words == ["--version"]:  # without the text formatter of cyclopts
            print(__version__, flush=True)
            return DONE
        app = build_app(summaries=not words or words[0] in ("--help", "-h"))
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except UnusedCliTokensError as error:
        extra = " ".join(error.unused_tokens or [])
        return print_error(f"expected one BOARD in quotes, got also {extra!r:.60}", BAD_INPUT)
    except (CycloptsError, PuzzleError) as error:
        return _error_code(error)
    except MemoryError:
        return print_error("out of memory; a smaller board or --memory would help", GAVE_UP)
    except UnicodeDecodeError:
        return print_error("expected UTF-8 text on standard input, got other bytes", BAD_INPUT)
    except KeyboardInterrupt:
        return print_error("stopped", STOPPED)
    except BrokenPipeError:
        _discard_output()  # nobody reads it any more
        return DONE
    except OSError as error:
        _discard_output()
        return print_error(f"could not write the answer: {error.strerror or error}", GAVE_UP)


def _error_code(error: CycloptsError | PuzzleError) -> int:
    """Print the error and return its exit code."""
    if isinstance(error, Unsolvable):
        print(f"not solvable: {error}")
        return NO
    return print_error(str(error), GAVE_UP if isinstance(error, TooLarge | OutOfTime) else BAD_INPUT)


def _discard_output() -> None:
    """Keep the interpreter from writing buffered output when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
