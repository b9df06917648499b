"""Fixtures of all tests."""

from __future__ import annotations

import io
import sys

import pytest

from commands import Result, Run
from slidelab.cli import main


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command line in this process."""

    def call(*arguments: str, stdin: str = "", terminal: bool = False) -> Result:
        source = io.StringIO(stdin)
        monkeypatch.setattr(source, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "stdin", source)
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capsys.readouterr()
        return Result(int(ended.value.code or 0), captured.out, captured.err)

    return call
