"""The command line run in this process."""

from __future__ import annotations

import io
import json
import sys

import pytest

from slidelab.cli import main


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(capsys, monkeypatch):
    def call(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capsys.readouterr()
        return Result(int(ended.value.code or 0), captured.out, captured.err)

    return call
