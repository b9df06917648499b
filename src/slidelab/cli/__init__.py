"""The commands, from `analyze` to `bench`: each file here adds its own.

Text is for people, `--json` for programs. Exit codes: 0 done (or solvable), 1 answered "no",
2 bad input (one line says what was expected), 3 gave up at a limit.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

from cyclopts import CycloptsError, UnusedCliTokensError

from slidelab.cli import atlas, bench, boards, distance, draw, place, reach, solve
from slidelab.cli.app import BAD_INPUT, DONE, GAVE_UP, NO, STOPPED, app
from slidelab.cli.output import say
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable

__all__ = [
    "app",
    "atlas",
    "bench",
    "boards",
    "distance",
    "draw",
    "main",
    "place",
    "reach",
    "solve",
]


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; never a traceback."""
    with suppress(ValueError):  # only the main thread may say what a signal does
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, _terminated)
    sys.exit(_guarded(arguments))


def _terminated(number: int, frame: object) -> NoReturn:
    """An end from outside: what is half done is cleared away."""
    raise SystemExit(128 + number)


def _guarded(arguments: list[str] | None) -> int:
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # orders of groups have thousands of digits
    try:
        code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
        if sys.stdout is not None:
            sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except UnusedCliTokensError as error:
        return say(
            f"expected one BOARD in quotes, got also {' '.join(error.unused_tokens or [])!r:.60}", BAD_INPUT
        )
    except CycloptsError as error:
        return say(" ".join(str(error).split()), BAD_INPUT)
    except (TooLarge, OutOfTime) as error:
        return say(str(error), GAVE_UP)
    except Unsolvable as error:
        print(f"not solvable: {error}")
        return NO
    except PuzzleError as error:
        return say(str(error), BAD_INPUT)
    except MemoryError:
        return say("out of memory; a smaller board or --memory would help", GAVE_UP)
    except UnicodeDecodeError:
        return say("expected UTF-8 text on standard input, got other bytes", BAD_INPUT)
    except KeyboardInterrupt:
        return say("stopped", STOPPED)
    except BrokenPipeError:
        _forget_output()  # the reader has gone; nothing more to say
        return DONE
    except OSError as error:
        _forget_output()
        return say(f"could not write the answer: {error.strerror or error}", GAVE_UP)


def _forget_output() -> None:
    """Let nothing more be written when the interpreter ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
