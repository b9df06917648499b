"""The glossary: one source, every entry found by every name, every command in it runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from commands import Run, one_line
from slidelab.glossary import FILE, Entry, explain, glossary

PAGE = Path(__file__).parents[2] / "docs" / "design" / "words.md"

NEEDED = """
    parity; weak parity; strong parity; permutation; sign; component; orbit; God's number; radius; heuristic;
    pattern database; IDA*; A*; verdict; certificate; gourd; hextiles; tight corner; connection number;
    alternating group; symmetric group; gain graph; shape; arrangement; isolated; stuck; family; theta0;
    maximally connected
"""


def test_the_page_is_a_copy_of_the_file_in_the_package() -> None:
    assert PAGE.read_text(encoding="utf-8") == FILE.read_text(encoding="utf-8"), f"cp {FILE} {PAGE}"


@pytest.mark.parametrize("entry", glossary(), ids=lambda entry: entry.term)
def test_entries(entry: Entry) -> None:
    for name in (entry.term, entry.term.upper(), entry.term.replace(" ", "-"), f" {entry.term} "):
        assert explain(name) == entry
    for alias in entry.aliases:
        assert explain(alias).term
    assert not re.search(r"[`\[\]\n]|\*\*|\\", entry.text)
    assert len(entry.text) > 20
    for term in re.findall(r"See also: (.*)\.", entry.text):
        for name in term.split(", "):
            assert explain(name)


def test_terms_that_answers_use_are_explained() -> None:
    for term in NEEDED.split(";"):
        assert explain(term.strip())


def test_bullets_and_entries_are_as_many() -> None:
    bullets = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith("- ")]
    assert len(bullets) == len(glossary()) == len({entry.term.lower() for entry in glossary()})


@pytest.mark.parametrize(
    "command",
    [
        c
        for c in re.findall(r"`slidelab ([^`]*)`", FILE.read_text(encoding="utf-8"))
        if " " in c and not re.search("[A-Z]{4}", c)
    ],
)
def test_commands_run(run: Run, command: str) -> None:
    assert run(*shlex.split(command)).code in (0, 1)


def test_the_command(run: Run) -> None:
    assert run("explain", "weak", "parity").out.startswith("Weak parity: every loop of moves")
    assert run("explain", "tight corner").out.startswith("Tight corner: a cell with exactly two neighbours")
    listed = run("explain").out
    assert all(entry.term.split()[0] in listed for entry in glossary())
    assert run("explain", "parity", "--json").json["term"] == "Parity"
    assert [row["term"] for row in run("explain", "--json").json] == [entry.term for entry in glossary()]
    one_line(run("explain", "partiy"), 2, "did you mean 'parity'?")
    one_line(run("explain", "xyzzy"), 2, "xyzzy")


def test_an_analysis_points_to_it(run: Run) -> None:
    last = run("analyze", "hex T(3)").out.splitlines()[-1]
    assert last == "slidelab explain 'weak parity' explains a term"
    assert run("explain", "weak parity").code == 0
