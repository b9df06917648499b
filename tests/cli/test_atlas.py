"""`slidelab atlas gourds`: summaries, JSON, files that go on, and one clear line for all else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import Run, one_line

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
