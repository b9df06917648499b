"""Errors of slidelab itself: exit code 4 and one line that asks to report them; never 1, which means no."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from commands import Run, one_line
from slidelab.cli import reach
from slidelab.cli.app import exit_code

DEFECTS: list[Exception] = [
    ValueError("wrong"),
    TypeError(),
    RecursionError("maximum recursion depth exceeded"),
    SystemError("error return without exception set"),
    AssertionError("in\ntwo lines"),
    KeyError("x" * 5000),
    StopIteration(),
    ImportError("no module"),
    RuntimeError("already in use"),
]


def defective(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(reach, "read_documents", fail)


@pytest.mark.parametrize("error", DEFECTS, ids=lambda error: type(error).__name__)
def test_a_defect_is_exit_code_4_and_one_line_with_the_command(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    defective(monkeypatch, error)
    result = run("analyze", "hex P(3,4)", "--holes", "2")
    assert result.out == ""
    one_line(result, 4, type(error).__name__, "report", "slidelab analyze 'hex P(3,4)' --holes 2")


def test_the_traceback_is_printed_on_request(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    defective(monkeypatch, ValueError("wrong"))
    monkeypatch.setenv("SLIDELAB_DEBUG", "1")
    lines = run("analyze", "hex P(3,4)").err.splitlines()
    assert lines[0].startswith("Traceback")
    assert lines[-2] == "ValueError: wrong"
    assert lines[-1].startswith("slidelab: internal error")


@pytest.mark.parametrize("word", ["two\nlines", "it's", "it's\n", "a\\b\n", "\udcff", "tab\t$HOME `x`", ""])
def test_the_command_can_be_repeated(run: Run, monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    defective(monkeypatch, ValueError())
    result = run("analyze", word)
    one_line(result, 4)
    command = result.err.partition("with the command: slidelab ")[2].strip()
    printed = subprocess.run(
        ["bash", "-c", f"printf '%s|' {command}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    ).stdout
    assert printed == b"analyze|" + os.fsencode(word) + b"|"
    assert word.isprintable() is (shlex.join(["analyze", word]) == command)


def test_long_commands_are_cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    defective(monkeypatch, ValueError())
    one_line(run("analyze", "hex" * 1000), 4, "hexhex", "...")


# Output that cannot be written


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `slidelab` is the command line."""
    call = f'slidelab() {{ {shlex.quote(sys.executable)} -m slidelab "$@"; }}; '
    return subprocess.run(["bash", "-c", call + line], capture_output=True, text=True, check=False)


NO_SOLUTION = "'square R(2,2) : 2 1 3 .'"
needs_full_device = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")


@needs_full_device
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"solve {NO_SOLUTION}", 3),
        (f"solvable {NO_SOLUTION}", 3),
        (f"solve {NO_SOLUTION} --json", 3),
        ("--version", 3),
        ("boards hex", 2),  # nothing on standard output
    ],
)
def test_a_full_disk_is_no_answer(command: str, code: int) -> None:
    done = shell(f"slidelab {command} >/dev/full")
    assert done.returncode == code
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("slidelab: ")


@needs_full_device
@pytest.mark.parametrize("target", ["/dev/full", "&-"])
def test_messages_that_cannot_be_written_change_no_exit_code(target: str) -> None:
    done = shell(f"slidelab boards hex 2>{target}")
    assert (done.returncode, done.stdout) == (2, "")
    done = shell(f"slidelab boards hex >{target} 2>{target}")
    assert done.returncode == 2
    done = shell(f"slidelab solve {NO_SOLUTION} 2>{target}")
    assert (done.returncode, done.stdout.startswith("not solvable")) == (1, True)


def test_a_reader_that_left_before_the_answer_no() -> None:
    done = shell(f"set -o pipefail; {{ sleep 0.1; slidelab solve {NO_SOLUTION}; }} | true")
    assert done.returncode == 0
    assert done.stderr == ""


def test_characters_that_the_output_does_not_have() -> None:
    done = shell("PYTHONIOENCODING=ascii slidelab solve 'square R(2,2) : 1 2 . 3' --arrows")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1] == "<"
    assert done.stderr == ""
    done = shell("slidelab shuffle $'square R(2,2) : a\\xff b c .'")
    assert done.returncode in (2, 3)
    assert len(done.stderr.splitlines()) == 1


def test_standard_input_that_cannot_be_read() -> None:
    done = shell("slidelab analyze - 0>/dev/null")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "standard input" in done.stderr


def test_a_closed_output_is_no_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    for options in ([], ["--json"], ["--arrows"], ["--steps"]):
        assert exit_code(["solve", "square R(2,2)", "--seed", "1", *options]) == 0
