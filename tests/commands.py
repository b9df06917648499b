"""The command line run in this process, for tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Protocol

__all__ = ["Result", "Run", "one_line", "refused"]


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
