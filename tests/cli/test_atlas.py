"""`slidelab atlas gourds`: summaries, JSON, files that go on, and one clear line for all else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import Run, one_line
from slidelab.library import Row

TABLES = Path(__file__).parents[2] / "docs" / "atlas"


def test_text_is_an_aligned_summary(run: Run) -> None:
    result = run("atlas", "gourds", "--cells", "9")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert "boards    13" in lines
    assert "solvable   7" in lines
    assert "     7  solvable                            C2 wr Sym(4)" in lines
    assert "     5  necklace: the cyclic order is kept  C2 wr C(4)" in lines
    assert "... and an even ring (the conjecture)           13      0" in [line.rstrip() for line in lines]
    assert any(line.startswith("even ring  a ring of 4k + 1 cells") for line in lines)


def test_the_number_of_cells_alone_will_do(run: Run) -> None:
    assert run("atlas", "gourds", "7").out == run("atlas", "gourds", "--cells", "7").out


def test_json(run: Run) -> None:
    value = run("atlas", "gourds", "--cells", "9", "--json").json
    assert (value["cells"], value["boards"], value["solvable"]) == (9, 13, 7)
    assert sum(reason["boards"] for reason in value["reasons"]) == 13
    assert value["rules"][-1] | {"rule": ""} == {"rule": "", "right": 13, "wrong": 0, "first_wrong": None}


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_output_is_the_table(run: Run, tmp_path: Path, option: str) -> None:
    path = tmp_path / "nine.jsonl"
    assert run("atlas", "gourds", "--cells", "9", option, str(path)).code == 0
    assert path.read_bytes() == (TABLES / "gourds-9.jsonl").read_bytes()
    again = run("atlas", "gourds", "--cells", "9", option, str(path))
    assert "boards    13" in again.out


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["--cells", "8"], 2, "odd number"),
        (["--cells", "5"], 2, "no hole"),
        (["--cells", "-7"], 2, "at least 1"),
        (["--cells", "19"], 3, "at most 17"),
        (["--cells", "many"], 2, "many"),
        ([], 2, "cells"),
        (["--cells", "9", "--processes", "0"], 2, "processes"),
        (["--cells", "9", "-o", ""], 2, "name of a file"),
        (["--cells", "9", "-o", "/nowhere/at/all"], 2, "could not write"),
    ],
)
def test_one_clear_line(run: Run, arguments: list[str], code: int, named: str) -> None:
    one_line(run("atlas", "gourds", *arguments), code, named)


def test_no_promise_about_a_file_that_is_not_there(run: Run) -> None:
    assert "kept" not in run("atlas", "gourds", "--cells", "9", "-o", "/nowhere/at/all").err


def test_a_damaged_file_is_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jsonl"
    path.write_bytes((TABLES / "gourds-9.jsonl").read_bytes().replace(b"true", b"tRue", 1))
    one_line(run("atlas", "gourds", "--cells", "9", "-o", str(path)), 2, "damaged at line 2")


def test_control_c_leaves_a_file_that_goes_on(tmp_path: Path) -> None:
    """Two processes at work on the 13-cell boards, stopped as from the keyboard."""
    path = tmp_path / "stopped.jsonl"
    command = [sys.executable, "-m", "slidelab", "atlas", "gourds", "--cells", "13", "--processes", "2"]
    with subprocess.Popen(
        [*command, "-o", path], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as run:
        deadline = time.monotonic() + 60
        while not (path.exists() and path.read_bytes().count(b"\n") > 20) and time.monotonic() < deadline:
            time.sleep(0.1)
        os.killpg(run.pid, signal.SIGINT)
        _, message = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "Traceback" not in message
    assert "resumes there" in message
    kept = path.read_bytes()
    whole = (TABLES / "gourds-13.jsonl").read_bytes()
    assert kept.count(b"\n") > 20
    assert whole.startswith(kept)


def test_contents_and_tables(run: Run) -> None:
    out = run("atlas").out
    assert "rectangles" in out
    assert run("atlas", "list").out == out
    assert {table["topic"] for table in run("atlas", "--json").json} >= {"rectangles", "literature"}
    assert "square R(2,2) tiles 1" in run("atlas", "list", "rectangles").out
    rows = run("atlas", "list", "rectangles", "--csv").out.splitlines()
    assert rows[0].startswith("puzzle,")
    assert "command" in rows[0]
    assert run("atlas", "list", "literature", "--markdown").out.startswith("| puzzle |")
    assert run("atlas", "list", "literature", "--latex").out.startswith("\\begin{tabular}")
    lines = run("atlas", "list", "literature", "--json").out.splitlines()
    assert len(lines) == 22
    one_line(run("atlas", "list", "rectangel"), 2, "did you mean 'rectangles'")
    one_line(run("atlas", "list", "/nowhere/x.jsonl"), 2, "could not read")


def test_lookup(run: Run) -> None:
    found = run("atlas", "lookup", "2x3", "--topic", "rectangles")
    assert found.code == 0
    assert "God's number    21" in found.out
    assert "slidelab atlas compute 'square R(3,2) tiles 1'" in found.out
    several = run("atlas", "lookup", "2x3", "--holes", "1-5", "--topic", "rectangles")
    assert len(several.out.splitlines()) == 6
    bounds = run("atlas", "lookup", "24-puzzle")
    assert bounds.code == 0
    assert "God's number  152 to 205" in bounds.out
    nothing = run("atlas", "lookup", "35-puzzle")
    assert (nothing.code, nothing.err) == (1, "")
    assert "nothing about square R(6,6) tiles 1" in nothing.out
    assert run("atlas", "lookup", "35-puzzle", "--json").json == []
    (row,) = run("atlas", "lookup", "2x3", "--topic", "rectangles", "--json").json
    assert (row["gods_number"], row["source"]) == (21, "computed")
    one_line(run("atlas", "lookup", "sqare"), 2, "expected")
    one_line(run("atlas", "lookup", "2x3", "--holes", "9"), 2, "fewer holes")


def test_compute_and_check(run: Run, tmp_path: Path) -> None:
    path = str(tmp_path / "rows.jsonl")
    made = run("atlas", "compute", "hex P(2,2..3)", "--holes", "2-9", "-o", path, "--topic", "two")
    assert (made.code, made.out) == (0, f"{path}: 6 rows\n")
    before = Path(path).read_bytes()
    assert run("atlas", "compute", "hex P(2,2..3)", "--holes", "2-9", "-o", path, "--topic", "two").code == 0
    assert Path(path).read_bytes() == before
    assert "two" in run("atlas", "check", path).out
    Path(path).write_bytes(before.replace(b'"gods_number":2,', b'"gods_number":1,', 1))
    wrong = run("atlas", "check", path)
    assert wrong.code == 1
    assert "gods_number is 2, not 1" in wrong.err
    refused = run("atlas", "compute", "15-puzzle", "--memory", "1M", "--json")
    assert refused.code == 3
    assert refused.json["at_least"] > 0
    for arguments, words in (
        (["compute"], "expected a BOARD"),
        (["compute", "2x2", "-o", ""], "name of a file"),
        (["compute", "2x2", "--question", "dog"], "expected a question"),
        (["compute", "2x2", "--memory", "much"], "--memory"),
        (["check", "--max-seconds", "-1"], "number of seconds"),
        (["check", "--max-seconds", "nan"], "number of seconds"),
    ):
        one_line(run("atlas", *arguments), 2, words)


def test_compute_says_why_there_are_only_bounds(run: Run, tmp_path: Path) -> None:
    one = ("atlas", "compute", "hex P(3,3)", "--holes", "3", "--memory", "1K")
    one_line(
        run(*one), 3, "only bounds: hex P(3,3) hextiles 3 needs", "configurations, and the limit is 1 kB"
    )
    both = run(
        "atlas", "compute", "hex P(3,3)", "--holes", "2,3", "--memory", "1K", "-o", str(tmp_path / "x")
    )
    one_line(both, 3, "2 rows have only bounds; first hex P(3,3) hextiles 2 needs")
    assert both.out == f"{tmp_path / 'x'}: 2 rows, 2 of them with bounds\n"
    assert run(*one, "-o", str(tmp_path / "y")).out == f"{tmp_path / 'y'}: 1 row, with bounds\n"
    late = run("atlas", "compute", "hex P(3,4)", "--holes", "3", "--time", "0.01")
    one_line(late, 3, "only bounds: hex P(3,4) hextiles 3: the time limit was reached")


def test_compute_prints_tables(run: Run, tmp_path: Path) -> None:
    csv = run("atlas", "compute", "hex F(2)", "hex F(2)", "--csv")
    assert csv.code == 0
    assert csv.out.splitlines()[0].startswith("puzzle,gods_number,radius")
    assert len(csv.out.splitlines()) == 2
    file = str(tmp_path / "rows.jsonl")
    assert run("atlas", "compute", "hex F(2)", "--markdown", "-o", file).out.startswith("| puzzle |")
    one_line(run("atlas", "compute", "hex F(2)", "--topic", ""), 2, "name of a table", "--topic")


@pytest.mark.parametrize("option", ["--csv", None])
def test_finished_rows_are_printed_after_a_stop(
    run: Run, monkeypatch: pytest.MonkeyPatch, option: str | None
) -> None:
    import slidelab.atlas

    whole = slidelab.atlas.compute

    def stopped(*arguments: Any, **options: Any) -> Iterator[Row]:
        yield next(whole(*arguments, **options))
        raise KeyboardInterrupt

    monkeypatch.setattr(slidelab.atlas, "compute", stopped)
    result = run("atlas", "compute", "hex F(2)", "cycle(5)", *([option] if option else []))
    one_line(result, 130, "stopped")
    assert "hex F(2) hextiles 2" in result.out
    assert len(result.out.splitlines()) == 2


def test_god_quotes_what_would_take_long(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from slidelab.cli import distance

    computed = run("god", "hex F(2)", "--json").json
    assert "computed" not in computed
    monkeypatch.setattr(distance, "QUOTED_SECONDS", 0.0)
    quoted = run("god", "hex F(2)")
    assert quoted.code == 0
    assert "quoted from" in quoted.out
    assert "slidelab atlas compute" in quoted.out
    value = run("god", "hex F(2)", "--json").json
    assert (value["gods_number"], value["radius"], value["exact"]) == (16, 15, True)
    assert value["computed"] is False
    assert "quoted from" not in run("god", "hex F(2)", "--time", "60").out
    assert "known: 16" in run("god", "hex F(2)", "hex T(4)").out
    one_line(run("god", "hex F(2)", "--chart", "x.svg"), 2, "--time with --chart")


def test_god_must_agree_with_the_atlas(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from slidelab.distance import known

    wrong = known.known_number
    monkeypatch.setattr(
        known, "known_number", lambda *a: (k := wrong(*a)) and replace(k, number=5, at_most=5)
    )
    one_line(run("god", "hex F(2)"), 4, "God's number 16 was computed, but known: 5")


def test_misspelt_commands_and_other_files(run: Run, tmp_path: Path) -> None:
    one_line(run("atlas", "lokup", "x"), 2, "expected a command of atlas", "did you mean 'lookup'?")
    one_line(run("analyze", "2x2", "3x3"), 2, "expected one BOARD in quotes, got also '3x3'")
    other = tmp_path / "README.md"
    other.write_text("# Puzzles\n\nNo table.\n")
    one_line(run("atlas", "check", str(other)), 2, "README.md is not a table of the atlas")
    one_line(run("atlas", "check", str(tmp_path)), 2, "expected a topic")


def test_the_possible_numbers_of_holes_are_named(run: Run) -> None:
    lookup = ("atlas", "lookup", "hex P(3,4)", "--holes")
    one_line(run(*lookup, "13-15"), 2, "expected a number of holes from 2 to 11, got '13-15'")
    one_line(run(*lookup, "12-13", "--rule", "gourds"), 2, "from 2 to 10 in steps of 2, got '12-13'")


def test_sources_have_a_column_beside_seconds(run: Run) -> None:
    """The 8-puzzle is quoted and computed, the same board with two holes computed."""
    header, *table = run("atlas", "lookup", "square R(3,3)", "--holes", "1-2").out.splitlines()
    assert header.split()[-2:] == ["seconds", "source"]
    assert {line.split()[-1] for line in table} > {"computed"}
    assert any("OEIS" in line[header.index("source") :] for line in table)


def test_sequences_are_cut_after_a_whole_term(run: Run) -> None:
    out = run("atlas", "sequences").out
    assert max(map(len, out.splitlines())) < 180
    known = {each["key"]: each["terms"] for each in run("atlas", "sequences", "--json").json}
    for line in out.splitlines()[1:]:
        key, data = line.split()[0], line.rpartition("  ")[2]
        shown = data.removesuffix(", ...").split(", ")
        assert shown == [str(term) for term in known[key][: len(shown)]]
        assert data.endswith(", ...") == (len(shown) < len(known[key]))
    whole = run("atlas", "sequences", "--csv").out
    assert max(map(len, whole.splitlines())) > 300


def test_nothing_to_check_and_no_empty_facts(run: Run) -> None:
    checked = run("atlas", "check", "literature")
    assert (checked.code, checked.out) == (0, "nothing to check: all rows are quoted\n")
    out = run("atlas", "lookup", "square R(2,8)").out
    assert "\nstarts        hole in a corner\n" in out
    assert all(line.strip() != "starts" for line in out.splitlines())
