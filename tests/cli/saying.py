"""What the tests of the command line share."""

from __future__ import annotations


def one_line(result, code: int, *words: str) -> None:
    """Refused with this code and one line that has these words."""
    assert result.code == code, result.out + result.err
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("slidelab: ")
    assert len(result.err) < 500
    for word in words:
        assert word in result.err
