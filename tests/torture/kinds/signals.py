"""Commands that are stopped at random moments leave whole files or none, and can be run again."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path

import slidelab as sl
from torture.case import Case
from torture.commands import Ended, check_end, leftovers, run_command, stop_command

__all__ = ["run"]

ATLASES = Path(__file__).resolve().parents[3] / "docs" / "atlas"
"""Finished atlas files."""

START_SECONDS = 0.8
"""Seconds in which Python starts; a signal that comes earlier may meet the interpreter, not slidelab."""

MAX_SECONDS = 3.0
"""Latest moment of the signal."""

SEARCH = ("god", "square R(3,4)", "--start", "1 2 3 4 5 6 7 8 9 10 11 .", "--checkpoint", "layers", "--json")


def run(case: Case) -> None:
    """Stop one command, check what it left, and run it again."""
    rng = case.rng
    number = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    seconds = round(rng.uniform(0.0, MAX_SECONDS), 3)
    name = rng.choice(list(TASKS))
    words, check_again = TASKS[name]
    case.about(f"{name}, {number.name} after {seconds} s")
    for again in range(rng.choice([1, 1, 2])):
        ended = stop_command(case, seconds / (again + 1), number, *words)
        _check_stop(case, ended, number, seconds / (again + 1))
    check_again(case)


def _check_stop(case: Case, ended: Ended, number: signal.Signals, seconds: float) -> None:
    if number is signal.SIGKILL:
        case.check(ended.code in (0, -number), f"{ended.line}: exit code {ended.code} after SIGKILL")
        return
    # A Ctrl-C that meets `exec`, as in the making of a dataclass, ends Python by the signal whatever the exit
    # code; a shell shows 130 either way.
    codes: tuple[int, ...] = (0, 3, 130, -number) if number is signal.SIGINT else (0, 3, 128 + number)
    if ended.out.endswith("\n"):
        codes = (*codes, -number)  # it had answered, and Python was about to end
    if seconds < START_SECONDS or _is_starting(ended):
        codes = (*codes, -number, 1)
        if _is_starting(ended):
            ended = Ended(ended.arguments, ended.code, ended.out, "")
    check_end(case, ended, codes)
    case.same(leftovers(case.folder), [], f"{ended.line}: unfinished files")


def _is_starting(ended: Ended) -> bool:
    """Return whether the signal met the interpreter while it started, before a line of slidelab ran."""
    return "KeyboardInterrupt" in ended.err and "in main" not in ended.err


# What is run after the signal, and what must come out


def _check_search(case: Case) -> None:
    ended = run_command(case, *SEARCH)
    if check_end(case, ended, (0,)):
        case.same(json.loads(ended.out)["distribution"], _twelve_layers(), "distribution after a stop")


@cache
def _twelve_layers() -> list[int]:
    """Return the distribution of a search that nobody stopped, checked against the number of all states."""
    found = list(sl.puzzle("square R(3,4)").distances("1 2 3 4 5 6 7 8 9 10 11 .", hardest=1).distribution)
    assert sum(found) == 239_500_800
    return found


def _check_atlas(case: Case) -> None:
    ended = run_command(case, "atlas", "gourds", "--cells", "11", "-o", "atlas.jsonl")
    if check_end(case, ended, (0,)):
        same = (case.folder / "atlas.jsonl").read_bytes() == (ATLASES / "gourds-11.jsonl").read_bytes()
        case.check(same, "an atlas that was stopped differs from one that was not")


def _check_film(case: Case) -> None:
    path = case.folder / "film.gif"
    if path.exists():
        content = path.read_bytes()
        case.check(content[:4] == b"GIF8" and content[-1:] == b";", "half a film")


def _check_picture(case: Case) -> None:
    path = case.folder / "page.html"
    if path.exists():
        case.check(path.read_text().rstrip().endswith("</html>"), "half a page")


def _check_databases(case: Case) -> None:
    _check_cache(case)
    built = run_command(case, "pdb", "build", "square R(4,4)", "--tables", "20M", "--json")
    check_end(case, built, (0,))


def _check_cache(case: Case) -> None:
    listed = run_command(case, "pdb", "list")
    check_end(case, listed, (0,))
    case.check("damaged" not in listed.err, f"half a pattern database: {listed.err}")


TASKS: dict[str, tuple[tuple[str, ...], Callable[[Case], None]]] = {
    "god": (SEARCH, _check_search),
    "atlas": (("atlas", "gourds", "--cells", "11", "-o", "atlas.jsonl"), _check_atlas),
    "atlas, 2 processes": (
        ("atlas", "gourds", "--cells", "11", "--processes", "2", "-o", "atlas.jsonl"),
        _check_atlas,
    ),
    "film": (("draw", "square R(4,4)", "--seed", "3", "-o", "film.gif", "--time", "5"), _check_film),
    "page": (("draw", "hex F(4) gourds", "--seed", "3", "-o", "page.html", "--time", "5"), _check_picture),
    "pdb": (("pdb", "build", "square R(4,4)", "--tables", "20M"), _check_databases),
    "solve": (("solve", "square R(5,5)", "--seed", "1", "--time", "20"), _check_cache),
    "solve, huge": (("solve", "square R(40,40)", "--seed", "1", "--time", "20"), _check_cache),
    "analyze": (("analyze", "king R(5,5)", "--holes", "4"), _check_cache),
}
"""Commands and the checks after them."""
