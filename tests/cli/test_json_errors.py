"""With --json also errors are JSON, on standard output and with the same exit codes."""

from __future__ import annotations

import pytest

from commands import Run


@pytest.mark.parametrize(
    ("words", "code", "kind", "part"),
    [
        (["solve", "hexx P(3,4)", "--seed", "1"], 2, "NotationError", "did you mean 'hex P(3,4)'?"),
        (["solve", "4x4"], 2, "NotationError", "expected --start or --seed"),
        (["solve", "4x4", "--seed", "x"], 2, "NotationError", "--seed"),
        (["solve", "4x4", "--sed", "1"], 2, "NotationError", "--seed"),
        (["solve", "4x4", "5x5"], 2, "NotationError", "got also '5x5'"),
        (["solve", "4x4", "--seed", "1", "--memory", "much"], 2, "NotationError", "at --memory"),
        (["solve", "-"], 2, "NotationError", "standard input"),
        (["nonsense"], 2, "NotationError", "nonsense"),
        (["analyze", "square R(5,5) trimers 4", "--max-shapes", "9"], 3, "TooLarge", "shapes"),
        (["instances", "korf"], 2, "NotationError", "korf100"),
    ],
)
def test_bad_input(run: Run, words: list[str], code: int, kind: str, part: str) -> None:
    plain, found = run(*words), run(*words, "--json")
    assert found.code == plain.code == code
    assert found.err == ""
    assert len(found.out.splitlines()) == 1
    error = found.json["error"]
    assert set(error) == {"kind", "message", "exit_code"}
    assert (error["kind"], error["exit_code"]) == (kind, code)
    assert part in error["message"]
    assert plain.err == f"slidelab: {error['message']}\n"


def test_a_defect(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("slidelab.reach.analysis.analyze", broken)
    found = run("analyze", "3x3", "--json")
    assert found.code == 4
    assert found.json["error"]["kind"] == "InternalError"
    assert "RuntimeError: broken" in found.json["error"]["message"]


def test_no_solution_is_an_answer(run: Run) -> None:
    """And no error: exit code 1."""
    words = ["solvable", "hex T(2) gourds : 0-1=red-blue", "--cells", "red red .", "--json"]
    found = run(*words)
    assert found.code == 1
    assert found.json["solvable"] is False
    assert found.json["reason"]


def test_many_at_once_keep_their_form(run: Run) -> None:
    found = run("solve", "-", "--json", stdin="2x2 : 3 1 . 2\n2x2 : 3 3 . 2\n")
    assert found.code == 2
    second = found.out.splitlines()[1]
    assert '"error": "expected tiles 1 to 3' in second
    assert '"exit_code": 2' in second
