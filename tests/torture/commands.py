"""The command line in processes of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from torture.case import Case

__all__ = ["TESTS", "Ended", "Output", "check_end", "leftovers", "run_command", "stop_command"]

Output = Literal["read", "unread", "closed", "full"]
"""What becomes of standard output: read, a pipe that nobody reads, no file at all, or a full disk."""

TESTS = Path(__file__).resolve().parents[1]
"""The folder from which ``python -m torture`` runs."""

EXIT_CODES = (0, 1, 2, 3)
"""Answered; answered no; bad input; at a limit."""

MAX_ERROR_LINES = 6
"""Lines on standard error: one for the error, and announcements or warnings before it."""

SECONDS = 120
"""Seconds after which a command is stopped; its own limits are far lower."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended; `code` is negative after a signal, as in `subprocess`."""

    arguments: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The command in one line."""
        return " ".join(f"'{word}'" if " " in word or not word else word for word in self.arguments)


def _environment(case: Case) -> dict[str, str]:
    return {**os.environ, "SLIDELAB_CACHE": str(case.folder / "cache"), "PYTHONUNBUFFERED": ""}


def run_command(case: Case, *arguments: str, stdin: str = "", output: Output = "read") -> Ended:
    """Run a command to its end; what it prints is read, unread (a broken pipe), or goes nowhere."""
    command = [sys.executable, "-m", "slidelab", *arguments]
    if output == "closed":
        command = ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *command]
    elif output == "full":
        command = ["/bin/sh", "-c", 'exec "$@" >/dev/full', "sh", *command]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=case.folder,
        env=_environment(case),
    ) as process:
        if output == "unread" and process.stdout is not None:
            process.stdout.close()
            process.stdout = None
        try:
            out, err = process.communicate(stdin.encode("utf-8", "surrogatepass"), timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            case.fail(f"slidelab {' '.join(arguments)}: still running after {SECONDS} s")
    return Ended(
        arguments, process.returncode, (out or b"").decode(errors="replace"), err.decode(errors="replace")
    )


def stop_command(case: Case, seconds: float, number: int, *arguments: str) -> Ended:
    """Send a signal to a command and its children after some seconds, and wait for its end."""
    with subprocess.Popen(
        [sys.executable, "-m", "slidelab", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=case.folder,
        env=_environment(case),
        process_group=0,
    ) as process:
        time.sleep(seconds)
        if process.poll() is None:
            os.killpg(process.pid, number)
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            case.fail(f"slidelab {' '.join(arguments)}: still running {SECONDS} s after signal {number}")
    return Ended(arguments, process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))


def check_end(case: Case, ended: Ended, codes: tuple[int, ...] = EXIT_CODES) -> bool:
    """Check the exit code of a command and what it wrote on standard error; return whether all is well."""
    last = (ended.err.strip().splitlines() or ["nothing"])[-1]
    fine = case.check(ended.code in codes, f"slidelab {ended.line}: exit code {ended.code}, {last}")
    fine &= case.check("Traceback" not in ended.err, f"slidelab {ended.line}: traceback, {last}")
    lines = [line for line in ended.err.splitlines() if line.strip()]
    ours = all(line.startswith("slidelab: ") for line in lines) and len(lines) <= MAX_ERROR_LINES
    return fine & case.check(ours or not fine, f"slidelab {ended.line}: on standard error {ended.err!r:.100}")


def leftovers(folder: Path) -> list[str]:
    """Return the unfinished files below a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.part"))
