"""Commands of the README and the documents, with what they print there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import Run

ROOT = Path(__file__).resolve().parents[2]

TOO_LONG = "slidelab god examples/nine-gourds.json --memory 4G"
"""A search of minutes that needs three gigabytes."""


def documented() -> Iterator[tuple[str, list[str]]]:
    """Yield commands with the lines that they print; those that write files are left out."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        blocks = re.findall(
            r"(?m)^    \$ (slidelab .*)\n((?:    (?!\$ ).*\n|\n(?=    (?!\$ )))*)", path.read_text()
        )
        for command, output in blocks:
            lines = [line.removeprefix("    ").rstrip() for line in output.rstrip("\n").split("\n")]
            writes = re.search(r" -o | --disk |^slidelab (pdb|draw) ", command)
            if any(lines) and not writes and command != TOO_LONG:
                yield command, lines


def matches(printed: list[str], shown: list[str]) -> bool:
    """Return whether lines are as shown: ... stands for anything, alone at the end for all that follows.

    A number with one decimal at the end of a line is a time, and any other may stand there.
    """
    if shown[-1] == "...":
        shown = shown[:-1]
        printed = printed[: len(shown)]
    patterns = [".*".join(map(re.escape, line.split("..."))) for line in shown]
    patterns = [re.sub(r"\d+\\\.\d$", r"\\d+\\.\\d", pattern) for pattern in patterns]
    return len(printed) == len(shown) and all(map(re.fullmatch, patterns, printed))


COMMANDS = list(documented())


@pytest.mark.parametrize(("command", "shown"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_documented_commands_print_what_the_document_shows(
    command: str, shown: list[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    printed = ""
    for part in command.split(" | "):
        name, *arguments = shlex.split(part.removesuffix(" 2>/dev/null"))
        if name == "head":
            printed = "".join(printed.splitlines(keepends=True)[: int(arguments[0].removeprefix("-"))])
        else:
            result = run(*arguments, stdin=printed)
            printed = result.out + ("" if part.endswith("2>/dev/null") else result.err)
    assert matches([line.rstrip() for line in printed.splitlines()], shown), printed


def test_there_are_documented_commands() -> None:
    assert len(COMMANDS) > 15
    assert not matches(["a", "c"], ["a", "b"])
    assert not matches(["a", "b"], ["a"])
    assert matches(["a 1 b", "c", "d"], ["a ... b", "..."])
    assert matches(["a 12.5"], ["a 0.3"])
    assert not matches(["a 12.55"], ["a 0.33"])
