"""Streams that cannot write every character: ASCII instead, the same exit codes, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import slidelab as sl
from slidelab.messages import ASCII_ARROWS

START = "square R(3,3) : . 3 2 6 1 5 4 8 7"
COMMANDS: list[tuple[tuple[str, ...], int]] = [
    (("solve", START, "--arrows"), 0),
    (("solve", "hex P(3,3) : 1 3 5 2 7 . 4 . 6", "--steps"), 0),
    (("hint", "king R(2,2) : 1 . 2 3"), 0),
    (("hint", "square R(2,2) : é ü . é", "--goal", "é . ü é"), 0),
    (("solvable", "square R(2,2) : é ü . ß", "--goal", "ü é . ß"), 1),
    (("shuffle", "square R(2,2) : é 𐐀 . ü", "--seed", "1", "--json"), 0),
    (("analyze", "hex é(3,4)"), 2),
    (("analyze", "\udcff"), 2),
    (("god", "square R(4,4)", "--memory", "1M"), 3),
    (("solve", "--help"), 0),
    (("--help",), 0),
    ((), 0),
]
ENVIRONMENTS = [{"PYTHONIOENCODING": "ascii"}, {"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "POSIX"}]
WITHOUT_UTF8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def run(arguments: tuple[str, ...], environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "PYTHONIO"))
    }
    command = [sys.executable, "-m", "slidelab", *arguments]
    return subprocess.run(command, capture_output=True, check=False, env=clean | environment)


@pytest.mark.parametrize(("arguments", "code"), COMMANDS, ids=lambda value: str(value)[:40])
def test_the_exit_code_is_that_of_the_answer(arguments: tuple[str, ...], code: int) -> None:
    for environment in ENVIRONMENTS if arguments == COMMANDS[0][0] else ENVIRONMENTS[:1]:
        done = run(arguments, environment)
        assert done.returncode == code, done.stderr
        assert b"Traceback" not in done.stderr
        if environment == ENVIRONMENTS[0]:
            assert (done.stdout + done.stderr).isascii()


def test_a_locale_without_utf8() -> None:
    done = run(("solve", START, "--arrows"), WITHOUT_UTF8)
    assert done.returncode == 0
    assert done.stdout.isascii()


def test_json_stays_json() -> None:
    for arguments in (
        ("shuffle", "2x2 : é 𐐀 . ü", "--seed", "1"),
        ("solve", "2x2 : é . ß ß", "--goal", "é ß . ß"),
    ):
        plain = run((*arguments, "--json"), {"PYTHONIOENCODING": "utf-8"})
        escaped = run((*arguments, "--json"), {"PYTHONIOENCODING": "ascii"})
        assert escaped.stdout.isascii()
        assert json.loads(escaped.stdout) == json.loads(plain.stdout.decode())


def test_arrows_are_the_same_in_ascii() -> None:
    for text in (START, "hex P(3,3) : 1 3 5 2 7 . 4 . 6"):
        arrows = sl.position(text).puzzle.solve(sl.position(text)).arrows
        done = run(("solve", text, "--arrows"), {"PYTHONIOENCODING": "ascii"})
        written = done.stdout.decode().splitlines()[1]
        assert written == "".join(ASCII_ARROWS.get(c, c) for c in arrows)
        start = sl.position(text)
        assert start.play(written) == start.play(arrows) == start.puzzle.goal


def test_a_colour_is_no_arrow() -> None:
    start = sl.position("2x2 : v a . b")
    assert start.play("v").pieces_text == ". a v b"


def test_standard_input_is_utf8() -> None:
    command = [sys.executable, "-m", "slidelab", "hint", "-", "--json"]
    for encoding in ("ascii", "utf-16"):
        done = subprocess.run(
            command,
            input="square R(2,2) : é ü . é".encode(),
            capture_output=True,
            check=False,
            env=os.environ | {"PYTHONIOENCODING": encoding},
        )
        assert done.returncode == 0, done.stderr


TERMINAL = """
import pty, sys
inner = '''
import sys
from slidelab.cli import main, progress
progress.DELAY_SECONDS = 0
main(sys.argv[1:])
'''
sys.exit(pty.spawn([sys.executable, "-c", inner, *sys.argv[1:]]) >> 8)
"""


@pytest.mark.parametrize("arguments", [("god", "hex P(3,4)"), ("solve", "--help")])
def test_progress_bars_and_help_on_an_ascii_terminal(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TERMINAL, *arguments],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "TERM": "xterm"},
    )
    assert done.returncode == 0, done.stdout
    assert b"Traceback" not in done.stdout
    assert done.stdout.isascii()
