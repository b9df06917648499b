"""Tables as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["text_table"]


def text_table(rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Align rows in columns two spaces apart; the columns in `right` are right-aligned.

    >>> print(text_table([("board", "moves"), ("F(2)", "16")], right=[1]))
    board  moves
    F(2)      16
    """
    rows = [list(row) for row in rows]
    flush_right = set(right)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            text.rjust(width) if i in flush_right else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
