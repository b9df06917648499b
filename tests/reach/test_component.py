"""All configurations of a component, against plain search, and as files."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, refused
from slidelab.boards.walks import reachable

PUZZLES = [
    "square R(3,2)",
    "square R(2,2) tiles 2",
    "cycle(6)",
    "theta(1,2,2)",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3",
    "hex F(2)",
    "hex P(3,3)",
    "hex T(3) hextiles 3",
    "hex F(2) gourds",
    "hex P(3,3) gourds",
    "hex F(2) trimers",
    "hex P(3,3) trimers-straight 3",
    "hex T(4) trimers-triangle 4",
    "square R(3,2) : a a b b c .",
    "square R(4,2) : a a a b b b b .",
    "cycle(7) tiles 2 : a b a b c . .",
    "theta(1,2,2) : a a a b b c .",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3 : a b . c c d",
    "hex F(2) gourds : 0-1=a-b 2-3=a-a 4-6=a-b",
]


@pytest.mark.parametrize("text", PUZZLES)
def test_a_component_is_what_moves_reach(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=2)
    found = puzzle.component(start)
    expected = set(reachable(lambda c: (c.play(move) for move in c.moves), [start]))
    listed = list(found)
    assert len(listed) == len(found) == found.size
    assert set(listed) == expected


@pytest.mark.parametrize("text", ["square R(4,2)", "hex F(2) gourds"])
def test_files_have_every_configuration_once(text: str, tmp_path: Path) -> None:
    puzzle = sl.puzzle(text)
    found = puzzle.component()
    for name in ("all.jsonl", "all.csv"):
        found.save(tmp_path / name)
    forms = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    (key,) = forms[0]
    assert len({json.dumps(form) for form in forms}) == found.size
    assert puzzle.configuration(forms[-1]) in set(found)
    header, *rows = csv.reader((tmp_path / "all.csv").read_text().splitlines())
    flat = [form[key] if key == "tiles" else [c for cells in form[key] for c in cells] for form in forms]
    assert [list(map(int, row)) for row in rows] == flat
    assert len(header) == len(flat[0])


def test_colours_of_a_group_too_large_to_be_listed() -> None:
    """Eleven tiles of two colours: all 462 arrangements of each shape."""
    found = sl.puzzle("king R(4,3) : a a a a a b b b b b b .").component()
    assert found.group.order > 200_000
    assert found.size == 12 * 462
    assert len(set(found)) == found.size


def test_the_command(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    assert run("configurations", "2x2", "-o", str(file)).out == f"{file}: 12 configurations\n"
    lines = run("configurations", "2x2", "--json").out
    assert lines == file.read_text()
    texts = run("configurations", "2x2").out.splitlines()
    assert [sl.position(text).to_json() for text in texts] == [json.loads(x) for x in lines.splitlines()]
    assert run("configurations", "2x2", "--start", "2 1 3 .").out != run("configurations", "2x2").out
    too_many = run("configurations", "2x2", "--limit", "5")
    assert too_many.code == 3
    assert "12 configurations" in too_many.err
    refused(run("configurations", "2x2", "-o", str(tmp_path / "x.txt")), "ends in .jsonl or .csv")
    words = run("configurations", "2x2 : a a b .", "--json").out.splitlines()
    assert len(words) == len(set(words)) == 12
    assert json.loads(words[0])["tiles"].count("a") == 2
    assert not (tmp_path / "x.txt").exists()


def test_memory_does_not_grow_with_the_component(tmp_path: Path) -> None:
    """The peak of the process with 181,440 configurations is about that with 12."""
    program = (
        "import resource, sys, slidelab as sl\n"
        "sl.puzzle(sys.argv[1]).component().save(sys.argv[2])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = []
    for board in ("square R(2,2)", "square R(3,3)"):
        command = [sys.executable, "-c", program, board, str(tmp_path / "x.csv")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(done.stdout))
    # A list of the texts alone would take some forty megabytes.
    assert peaks[1] - peaks[0] < 20_000
