"""Several puzzles or positions at once: one result a line.

A file or standard input may hold many sources: lines of text, lines of JSON, or a JSON list, as other
commands print them. Each is answered as if it had been given alone, in its own line and in order; an error
takes the line of what it is about, and the exit code is the worst of all.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from slidelab.cli.output import DONE, STOPPED, json_text
from slidelab.errors import NotationError, PuzzleError
from slidelab.tables import is_collecting

__all__ = ["answer_one", "in_batch", "run_batch", "sources_of", "split_sources"]

BATCH_COMMANDS = (
    "analyze",
    "solvable",
    "permutation",
    "shuffle",
    "god",
    "solve",
    "hint",
    "check",
    "place",
    "draw",
    "boards",
)
"""Commands whose BOARD may be many."""

TEXT_OPTIONS = ("--start", "--goal", "--cells", "--colours", "--colors", "--near")
"""Options whose value may be ``-``, too."""

_REPORT = re.compile(r"[0-9,]+ cells\b")
_SUMMARY = re.compile(r"[0-9,]+ (move|push)|already solved|by |to |not solvable|solvable|no placement")

_running = False


def in_batch() -> bool:
    """Return whether the command answers one of many, so that its answer is one line.

    Tables in other formats than text are printed whole.
    """
    return _running and not is_collecting()


@contextmanager
def _batch() -> Iterator[None]:
    global _running
    _running = True
    try:
        yield
    finally:
        _running = False


def sources_of(words: Sequence[str]) -> tuple[int, list[str]] | None:
    """Return the place of the word that stands for many sources, and these; None if it stands for one.

    The word is ``-`` or the name of a file, and the first after the command that is no option.
    """
    from slidelab.boards.sources import is_file_name

    if not words or words[0] not in BATCH_COMMANDS:
        return None
    options = (
        (*TEXT_OPTIONS, "--moves") if words[0] == "check" else TEXT_OPTIONS
    )  # elsewhere a flag or a number
    for place, word in enumerate(words[1:], 1):
        if words[place - 1] in options:
            continue
        if word == "-":
            content = _standard_input()
        elif words[place - 1] == words[0] and not word.startswith("-") and is_file_name(word):
            content = _file_text(word)
        else:
            continue
        sources = split_sources(content)
        # One source from standard input is passed on, since that can be read only once.
        return (place, sources) if len(sources) > 1 or word == "-" else None
    return None


def _standard_input() -> str:
    from slidelab.cli.arguments import read_input

    return read_input("-")


def _file_text(name: str) -> str:
    from slidelab.files import read_text

    try:
        return read_text(Path(name))
    except PuzzleError:  # the command says so
        return ""


def split_sources(text: str) -> list[str]:
    r"""Return the sources in a text: JSON values, or lines that begin with a board.

    Other lines belong to the source before them: the pieces of a position in several lines, or what a command
    prints besides it.

    >>> split_sources("square R(2,2) : 3 1 . 2\nsquare R(2,2) : 1 2 . 3\n")
    ['square R(2,2) : 3 1 . 2', 'square R(2,2) : 1 2 . 3']
    >>> split_sources("square R(2,2) :\n3 1\n. 2\n")
    ['square R(2,2) :\n3 1\n. 2\n']
    >>> split_sources("15-puzzle\n4x4 : 1 2 3 4\n5 6\n\n50 moves\n")
    ['15-puzzle', '4x4 : 1 2 3 4\n5 6\n\n50 moves']
    >>> split_sources('[{"board": "square R(2,2)"},\n"hex F(2)"]')
    ['{"board": "square R(2,2)"}', 'hex F(2)']
    """
    if text.lstrip().startswith(("{", "[", '"')):
        return _split_json(text)
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines) if _begins_source(line)]
    if not starts:
        return [text]
    if starts[0] > 0 and any(line.strip() for line in lines[: starts[0]]) and ":" not in lines[starts[0]]:
        return [text]  # perhaps a drawing of a board
    if len(starts) == 1 and starts[0] == 0 and not _has_report(lines):
        return [text]
    ends = [*starts[1:], len(lines)]
    return [_source(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _split_json(text: str) -> list[str]:
    from slidelab.files import decode_json

    if text.lstrip()[0] != "[":
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines if len(lines) > 1 and _is_json(lines[0]) else [text]  # else one value, perhaps indented
    try:
        value = decode_json(text.strip())
    except NotationError:
        return [text]
    if not isinstance(value, list) or not value or not all(isinstance(v, Mapping | str) for v in value):
        return [text]
    return [each if isinstance(each, str) else json_text(each) for each in value]


def _is_json(text: str) -> bool:
    from slidelab.files import decode_json

    try:
        decode_json(text)
    except NotationError:
        return False
    return True


def _begins_source(line: str) -> bool:
    """Return whether a line begins with a board; the kind of a drawing alone does not, nor does a number."""
    from slidelab.boards.lattice import DIRECTIONS
    from slidelab.boards.text import is_board_text

    if re.match(r"\s*[0-9]+\s*($|:\S)", line):  # a row of pieces, a move, or a drawing of a graph
        return False
    return is_board_text(line) and line.strip().lower() not in DIRECTIONS


def _has_report(lines: Sequence[str]) -> bool:
    """Return whether what follows the first line is what a command printed about it."""
    rest = [line for line in lines[1:] if line.strip()]
    if not rest or (len(lines) > 1 and ":" not in lines[0] and not lines[1].strip()):
        return bool(rest)
    return _REPORT.match(rest[0]) is not None or _SUMMARY.match(rest[0]) is not None


def _source(lines: Sequence[str]) -> str:
    """Return one source without what a command printed about it; moves make it a solution."""
    from slidelab.puzzles.move_sources import is_moves_text

    if not _has_report(lines):
        return "\n".join(lines).rstrip()
    moves = next((line for line in lines[1:] if is_moves_text(line)), None)
    if moves is None or ":" not in lines[0]:
        return lines[0]
    kind, _, pieces = lines[0].partition(":")
    return json_text({"puzzle": f"{kind}:{pieces}", "start": pieces.strip(), "moves": moves.split()})


def answer_one(words: Sequence[str], place: int, source: str, answer: Callable[[list[str]], int]) -> int:
    """Answer a command for one source.

    The source takes the place of standard input rather than of a word: it may begin like an option.
    """
    from slidelab.cli.arguments import provide_input

    provide_input(source)
    try:
        return answer([*words[:place], "-", *words[place + 1 :]])
    finally:
        provide_input(None)


def run_batch(
    words: Sequence[str], place: int, sources: Sequence[str], answer: Callable[[list[str]], int]
) -> int:
    """Answer a command for each of many sources, and return the worst exit code.

    Parameters
    ----------
    words
        The command.
    place
        Where in it the sources stand.
    sources
    answer
        Runs a command, prints its answer or what is wrong with it, and returns the exit code.
    """
    from slidelab.cli.progress import progress_bar

    worst = DONE
    with _batch(), progress_bar("--no-progress" not in words) as progress:
        for number, source in enumerate(sources, 1):
            own = _numbered_output(words, number) if words[0] == "draw" else words
            out, err = io.StringIO(), io.StringIO()
            with redirect_stdout(out), redirect_stderr(err):
                code = answer_one(own, place, source, answer)
            if code == STOPPED:
                raise KeyboardInterrupt
            _print_result(out.getvalue(), err.getvalue(), code, "--json" in words)
            worst = max(worst, code)
            if progress is not None:
                progress("done", number, len(sources))
    return worst


def _print_result(out: str, err: str, code: int, json: bool) -> None:
    """Print the answer, or the error in its place."""
    message = " ".join(line.removeprefix("slidelab: ") for line in err.splitlines())
    if out.strip():
        print(out.rstrip("\n"), flush=True)
        if message:
            print(f"slidelab: {message}", file=sys.stderr)
    elif json:
        print(json_text({"error": message, "exit_code": code}), flush=True)
    else:
        print(f"error: {message}", flush=True)


def _numbered_output(words: Sequence[str], number: int) -> list[str]:
    """Return the words of `draw` with a number before the suffix of the file.

    >>> _numbered_output(["draw", "hex F(2)", "-o", "x.svg"], 3)
    ['draw', 'hex F(2)', '-o', 'x-3.svg']
    """
    out = list(words)
    for place, word in enumerate(words):
        option, equals, name = word.partition("=")
        if equals and option in ("-o", "--output"):
            out[place] = f"{option}={_with_number(name, number)}"
        elif word in ("-o", "--output") and place + 1 < len(words):
            out[place + 1] = _with_number(words[place + 1], number)
    return out


def _with_number(name: str, number: int) -> str:
    path = Path(name)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
