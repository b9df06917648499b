"""The command-line application: its commands, and the exit code of every outcome."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from cyclopts import App, CycloptsError, MissingArgumentError, UnusedCliTokensError

from slidelab import __version__
from slidelab.cli.batch import answer_one, in_batch, run_batch, sources_of
from slidelab.cli.encoding import accept_all_characters
from slidelab.cli.interrupts import acknowledge, was_interrupted
from slidelab.cli.output import (
    BAD_INPUT,
    DONE,
    GAVE_UP,
    NO,
    STOPPED,
    print_answer,
    print_defect,
    print_error,
    print_json_error,
)
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable, WorkerLost

COMMANDS = {
    "analyze": ("reach", "Analyze what can be reached: shapes, group, components, parity, theorems."),
    "solvable": ("reach", "Decide whether the start can reach the goal, and print the reason."),
    "prove": ("prove", "Prove what can be reached on a board, or on all boards of a family."),
    "permutation": (
        "permutation",
        "Print the permutation that the pieces need: cycles, transpositions, sign, generators.",
    ),
    "shuffle": (
        "reach",
        "Print random configurations: any that can be reached, or at a distance.",
    ),
    "configurations": (
        "configurations",
        "Write all configurations that can be reached, one a line, without a list in memory.",
    ),
    "topology": (
        "topology",
        "Compute the Betti numbers of the configuration complex: squares and cubes of independent moves.",
    ),
    "god": ("distance", "Compute God's number, or with --start all distances from one configuration."),
    "plan": (
        "plan",
        "Plan an exhaustive search: shards, memory, traffic and time on many machines or with a disk.",
    ),
    "solve": ("solve", "Find a shortest solution, or the best one within the limits."),
    "hint": ("solve", "Print the next move of a shortest (or the best known) solution."),
    "check": ("check", "Check whether moves are legal and lead to the goal, and print where they fail."),
    "place": ("place", "Place coloured gourds so that each end lies on a cell of its colour."),
    "play": ("studio", "Play, build and solve puzzles on a page in the browser."),
    "draw": ("draw", "Draw a puzzle, film a solution, or make a puzzle for a 3D printer."),
    "sheet": ("sheet", "Write pages of puzzles with rising difficulty, with the answers upside down."),
    "export": ("export", "Write a puzzle for planners, in PDDL or SAS+."),
    "boards": ("boards", "List the kinds of boards, the properties of BOARD, or all boards of n hexagons."),
    "sweep": ("sweep", "Ask one question about many puzzles, on all cores, and write a table."),
    "atlas": (
        "atlas",
        "Look up results: God's numbers, radius and distributions of many puzzles; compute and check them.",
    ),
    "claims": ("claims", "List what the five papers claim, with verdicts; with --run, compute them anew."),
    "pdb": ("pattern_databases", "Build, list and remove pattern databases, which make searches fast."),
    "bench": ("bench", "Compare measurements with published ones."),
    "instances": (
        "instances",
        "List the instance sets of the literature, or print the positions of one.",
    ),
    "completion": (
        "completion",
        "Print a script that completes commands, options and their values in a shell.",
    ),
    "explain": ("explain", "Explain a term such as parity or God's number, or list all terms."),
}
"""Module and summary of each command, in the order of the help.

The summary is the first line of the command's docstring. It is repeated here so that the help imports no
command.
"""

POOL_COMMANDS = ("sweep", "atlas")
"""Commands with many independent answers, which processes of MPI compute together."""

ALIASES = {"analyse": "analyze", "studio": "play"}
"""Other spellings of commands."""

FIRST_COMMANDS = (
    ("slidelab solve 8-puzzle --seed 1 --steps", "a solution in words"),
    ('slidelab hint "3x3 : 1 2 3 4 x 5 7 8 6"', "the next move"),
    ('slidelab solvable "3x3 : 1 2 3 4 5 6 8 7 x"', "why 7 and 8 cannot be swapped"),
    ('slidelab analyze "hex P(4,4)"', "what hexagonal tiles can reach"),
    ("slidelab god 8-puzzle", "moves that the hardest needs"),
    ('slidelab draw "hex P(3,5) gourds" --seed 5 -o gourds.html', "a page that plays"),
)
"""Commands worth trying first, with what they show."""


NOT_UTF8 = "expected UTF-8 text on standard input, got other bytes"


def build_app(*, summaries: bool = False) -> App:
    """Return the application; with `summaries` for its own help, not for that of its commands."""
    built = App(
        name="slidelab",
        help=(
            "The laboratory for sliding puzzles: "
            "what can be reached, how far it is, how to get there, and why not."
        ),
        help_epilogue=(
            "BOARD is a text such as 'hex P(3,4)', 'square R(4,4)', '15-puzzle', '3x4' (3 rows of 4) or "
            "'theta(1,2,2)'; a position such as '3x3 : 1 2 3 4 5 6 8 7 .'; a file with one of these or with "
            "JSON; or - for standard input. 'slidelab boards' lists the kinds of boards."
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


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit; errors become one line on standard error."""
    sys.exit(exit_code(arguments))


def exit_code(arguments: list[str] | None = None) -> int:
    """Run the command line, print its answer or one line about what is wrong, and return the exit code.

    Whatever a command raises ends here. An exception that is none of ours is a defect, and has a code of its
    own: 1 always means that the answer is no.
    """
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # orders of groups have thousands of digits
    words = sys.argv[1:] if arguments is None else arguments
    json = "--json" in words
    accept_all_characters()
    try:
        code = _answer(words)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except KeyboardInterrupt as error:
        acknowledge()
        return print_error(_stop_message(error), STOPPED)
    except BrokenPipeError:
        _discard_output()  # nobody reads it any more
        return DONE
    except UnicodeEncodeError as error:
        _discard_output()
        character = error.object[error.start : error.start + 1]
        return print_error(f"could not write {character!a} of the answer as {error.encoding}", GAVE_UP)
    except OSError as error:
        _discard_output()
        return print_error(f"could not write the answer: {error.strerror or error}", GAVE_UP)
    except Exception as error:
        if was_interrupted():  # and some other code made an error of it
            _discard_output()
            return print_error("stopped", STOPPED)
        if json:
            with suppress(OSError, ValueError):  # standard output cannot be written
                code = print_defect(error, words, json=True)
                sys.stdout.flush()
                return code
        _discard_output()
        return print_defect(error, words)


def _answer(words: list[str]) -> int:
    """Run a command, for each of several sources if there are many, and return its exit code."""
    if words and words[0] in ALIASES:
        words = [ALIASES[words[0]], *words[1:]]
    try:
        found = sources_of(words)
    except PuzzleError as error:
        return _error_code(error, words)
    except UnicodeDecodeError:
        return _failure(NOT_UTF8, BAD_INPUT, words, "NotationError")
    if found is None:
        return _answer_one(words)
    place, sources = found
    if len(sources) == 1:
        return answer_one(words, place, sources[0], _answer_one)
    return run_batch(words, place, sources, _answer_one)


def _answer_one(words: list[str]) -> int:
    """Run a command and return its exit code; print what is wrong with the question or its size."""
    try:
        if words == ["--version"]:  # without the text formatter of cyclopts
            print(__version__)
            return DONE
        if not words:
            print(_welcome())
            return DONE
        app = build_app(summaries=words[0] in ("--help", "-h"))
        code = app(words, exit_on_error=False, print_error=False, result_action="return_value")
        return code if isinstance(code, int) else DONE
    except UnusedCliTokensError as error:
        message = _unused_words(app, words, error.unused_tokens or [])
        return _failure(message, BAD_INPUT, words, "NotationError")
    except MissingArgumentError as error:
        return _failure(_missing_argument(error, words), BAD_INPUT, words, "NotationError")
    except (CycloptsError, PuzzleError) as error:
        if was_interrupted():  # perhaps in the import of a package, which then seems to be missing
            raise KeyboardInterrupt from error
        return _error_code(error, words)
    except MemoryError:
        message = "out of memory; a smaller board or --memory would help"
        return _failure(message, GAVE_UP, words, "TooLarge")
    except UnicodeDecodeError:
        return _failure(NOT_UTF8, BAD_INPUT, words, "NotationError")


def _missing_argument(error: MissingArgumentError, words: Sequence[str]) -> str:
    """Return the message about a BOARD or STATEMENT that is not there; cyclopts has one for other values."""
    if words[0] == "prove" and error.keyword is None:
        if "--check" in words:
            return "expected a FILE with a proof, or - for standard input, after --check"
        statement = "hex P(m,n) 3 for m,n >= 3: one component"
        return f"expected a BOARD or a STATEMENT in quotes, such as 'hex P(4,5)' or '{statement}'"
    if error.argument is not None and error.argument.name == "--board" and error.keyword is None:
        return "expected a BOARD in quotes, such as 'hex P(4,5)'"
    return str(error)


def _unused_words(app: App, words: Sequence[str], unused: Sequence[str]) -> str:
    """Return the message about words that no parameter takes, such as a misspelt command of `atlas`."""
    from slidelab.messages import did_you_mean

    chain, apps, _ = app.parse_commands(words)
    names = [name for name in apps[-1] if not name.startswith("-")] if chain else []
    if names and unused:
        known, meant = ", ".join(names), did_you_mean(unused[0], names)
        return f"expected a command of {' '.join(chain)} ({known}), got {unused[0]!r:.60}{meant}"
    return f"expected one BOARD in quotes, got also {' '.join(unused)!r:.60}"


def _welcome() -> str:
    """Return what `slidelab` alone prints: commands to try, and where to go on."""
    from slidelab.tables import text_table

    return (
        f"The laboratory for sliding puzzles. Six commands to try:\n\n{text_table(FIRST_COMMANDS)}\n\n"
        "slidelab --help          all commands\n"
        "slidelab solve --help    the options of one command\n"
        "slidelab boards          the kinds of boards\n"
        "slidelab explain parity  what a term means"
    )


def _stop_message(error: KeyboardInterrupt) -> str:
    """Return what to print after Ctrl-C; commands that can be resumed say how."""
    return str(error) if type(error) is KeyboardInterrupt and error.args else "stopped"


def _error_code(error: CycloptsError | PuzzleError, words: list[str]) -> int:
    """Print the error and return its exit code."""
    if isinstance(error, Unsolvable):
        answer = {"solvable": False, "reason": str(error)}
        print_answer("--json" in words, answer, f"not solvable: {error}")
        return NO
    code = GAVE_UP if isinstance(error, TooLarge | OutOfTime | WorkerLost) else BAD_INPUT
    kind = type(error).__name__ if isinstance(error, PuzzleError) else "NotationError"
    return _failure(str(error), code, words, kind)


def _failure(message: str, code: int, words: list[str], kind: str) -> int:
    """Print what is wrong: one line on standard error, or with --json one of JSON on standard output."""
    if "--json" in words and not in_batch():  # which puts errors in the place of answers itself
        return print_json_error(message, code, kind)
    return print_error(message, code)


def _discard_output() -> None:
    """Keep the interpreter from writing buffered output when it ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
