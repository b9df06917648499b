"""The command line run in this process or in others, for tests."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

__all__ = ["Result", "Run", "alive", "one_line", "processes_below", "refused", "wait_for_lines"]


@dataclass(frozen=True)
class Result:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Run(Protocol):
    """The fixture `run`: runs a command with its arguments."""

    def __call__(self, *arguments: str, stdin: str = "", terminal: bool = False) -> Result: ...


def one_line(result: Result, code: int, *words: str) -> None:
    """Assert that a command ended with this code and one line of error that contains these words."""
    assert result.code == code, result.out + result.err
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("slidelab: ")
    assert len(result.err) < 600
    for word in words:
        assert word in result.err


def refused(result: Result, *words: str) -> None:
    """Assert that bad input got one line that contains these words, exit code 2, and no answer."""
    one_line(result, 2, *words)
    assert result.out == ""


def alive(pid: int) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def wait_for_lines(file: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until a process has written so many lines, or has ended."""
    while process.poll() is None and (not file.exists() or file.read_bytes().count(b"\n") < count):
        time.sleep(0.005)


def processes_below(pid: int) -> Iterator[int]:
    """Yield the processes that a process started, and those that they started."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    for child in map(int, children.read_text().split() if children.exists() else []):
        yield child
        yield from processes_below(child)
