"""Completion in real shells: commands, options, and values of options."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, refused
from slidelab.cli.app import COMMANDS

BASH = r"""
source "$1"
shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
complete -p slidelab >/dev/null
_slidelab
printf '%s\n' "${COMPREPLY[@]}"
"""

FISH = 'source $argv[1]; complete -C "$argv[2]"'

ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; autoload -Uz compinit; compinit -D -u; source $1; print read''y"
zpty -r shell out '*ready*'
zpty -w -n shell "$2"$'\t'
zpty -r shell out "*$3*" && print found
zpty -d shell
"""

CASES = [
    (("so",), {"solve", "solvable"}),
    (("solve", "--me"), {"--method", "--metric", "--memory"}),
    (("pdb", ""), {"list", "build", "clear"}),
    (("solve", "--metric", ""), {"single", "straight"}),
    (("solve", "--method", ""), set(sl.METHODS)),  # asks the program
    (("solve", "4x4", "--start", "sta"), {"start.txt"}),
    (("explain", "weak"), {"weak parity"}),
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the shell finds `slidelab`."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "slidelab"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m slidelab "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file."""
    made = tmp_path_factory.mktemp("here")
    (made / "start.txt").write_text("4x4")
    return made


def ask(shell: str, *arguments: str, environment: dict[str, str], folder: Path) -> str:
    """Run a shell; skip if it is not there."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} on the path")
    done = subprocess.run(
        [program, *arguments],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,  # a terminal in which nothing is completed would wait for ever
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def script(shell: str, run: Run, folder: Path) -> str:
    """Return the file with the script for a shell, which is made once."""
    path = folder.parent / f"completion-{os.getpid()}.{shell}"
    if not path.exists():
        path.write_text(run("completion", shell).out)
    return str(path)


@pytest.mark.parametrize(("words", "expected"), CASES, ids=[" ".join(words) for words, _ in CASES])
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_shells(
    shell: str,
    words: tuple[str, ...],
    expected: set[str],
    run: Run,
    environment: dict[str, str],
    folder: Path,
) -> None:
    file = script(shell, run, folder)
    if shell == "bash":
        out = ask("bash", "-c", BASH, "-", file, "slidelab", *words, environment=environment, folder=folder)
    else:
        out = ask(
            "fish", "-c", FISH, file, " ".join(["slidelab", *words]), environment=environment, folder=folder
        )
    offered = {line.partition("\t")[0].replace("\\", "") for line in out.splitlines() if line}
    assert expected <= offered
    assert all(name.startswith(words[-1]) for name in offered)


@pytest.mark.parametrize(
    ("line", "then"), [("slidelab solva", "solvable"), ("slidelab solve 4x4 --method wi", "wilson")]
)
def test_zsh(line: str, then: str, run: Run, environment: dict[str, str], folder: Path) -> None:
    """Through a terminal, since zsh completes nowhere else."""
    file = script("zsh", run, folder)
    out = ask("zsh", "-f", "-c", ZSH, "-", file, line, then, environment=environment, folder=folder)
    assert out.strip().endswith("found")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_is_completed(shell: str, run: Run, folder: Path) -> None:
    made = Path(script(shell, run, folder)).read_text()
    assert all(name in made for name in COMMANDS)


def test_installation(environment: dict[str, str], run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        command = [sys.executable, "-m", "slidelab", "completion", shell, "--install"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        path = Path(done.stdout.partition(":")[0])
        assert path.is_relative_to(environment["HOME"])
        assert "slidelab" in path.read_text()
    refused(run("completion", "tcsh"), "bash")
