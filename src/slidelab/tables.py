"""Tables as plain text, CSV, Markdown and LaTeX.

Whatever prints a table calls `text_table`. Whoever wants the same tables in another format calls that within
`collect_tables`, which keeps the rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from slidelab.latex import escape_latex

__all__ = ["TABLE_FORMATS", "Table", "collect_tables", "is_collecting", "text_table"]

_GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+")


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of texts; the columns in `right` are right-aligned, and the first row may be a header."""

    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    header: bool = False

    @property
    def text(self) -> str:
        """Columns two spaces apart.

        >>> print(Table((("board", "moves"), ("F(2)", "16")), frozenset([1])).text)
        board  moves
        F(2)      16
        """
        widths = [max(map(len, column)) for column in zip(*self.rows, strict=True)]
        lines = []
        for row in self.rows:
            cells = [
                text.rjust(width) if i in self.right else text.ljust(width)
                for i, (text, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)

    @property
    def csv(self) -> str:
        """Comma-separated values; numbers have no commas inside.

        >>> print(Table((("size", "name"), ("1,814,400", "a, b"), ("-1,200", "-1, 200"))).csv)
        size,name
        1814400,"a, b"
        -1200,"-1, 200"
        """
        import csv
        import io

        out = io.StringIO()
        plain = ([_plain_number(cell.strip()) for cell in row] for row in self.rows)
        csv.writer(out, lineterminator="\n").writerows(plain)
        return out.getvalue().rstrip("\n")

    @property
    def markdown(self) -> str:
        """A table of GitHub's Markdown; without a header, the header is empty.

        >>> print(Table((("board", "moves"), ("F(2)", "16")), frozenset([1]), header=True).markdown)
        | board | moves |
        | --- | ---: |
        | F(2) | 16 |
        """
        width = len(self.rows[0]) if self.rows else 0
        head, body = (self.rows[0], self.rows[1:]) if self.header else (("",) * width, self.rows)
        rule = tuple("---:" if column in self.right else "---" for column in range(width))
        rows = [[cell.strip().replace("|", r"\|") for cell in row] for row in (head, *body)]
        return "\n".join(f"| {' | '.join(row)} |" for row in (rows[0], rule, *rows[1:]))

    @property
    def latex(self) -> str:
        r"""A tabular environment with the rules of the package booktabs.

        >>> print(Table((("board", "moves"), ("F(2)", "16")), frozenset([1]), header=True).latex)
        \begin{tabular}{lr}
        \toprule
        board & moves \\
        \midrule
        F(2) & 16 \\
        \bottomrule
        \end{tabular}
        """
        width = len(self.rows[0]) if self.rows else 0
        columns = "".join("r" if column in self.right else "l" for column in range(width))
        lines = [" & ".join(escape_latex(cell.strip()) for cell in row) + r" \\" for row in self.rows]
        if self.header:
            lines.insert(1, r"\midrule")
        top, bottom = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"], [r"\bottomrule", r"\end{tabular}"]
        return "\n".join([*top, *lines, *bottom])


TABLE_FORMATS: dict[str, Callable[[Table], str]] = {
    "csv": lambda table: table.csv,
    "markdown": lambda table: table.markdown,
    "latex": lambda table: table.latex,
}
"""Formats of tables for other programs, by their names."""

_collected: ContextVar[list[Table] | None] = ContextVar("collected tables", default=None)


def is_collecting() -> bool:
    """Return whether tables are kept by `collect_tables`, so that the text around them is not needed."""
    return _collected.get() is not None


@contextmanager
def collect_tables() -> Iterator[list[Table]]:
    """Keep the tables that are formatted within; those without rows are left out.

    >>> with collect_tables() as tables:
    ...     _ = text_table([("a", "b")])
    >>> tables
    [Table(rows=(('a', 'b'),), right=frozenset(), header=False)]
    """
    kept: list[Table] = []
    token = _collected.set(kept)
    try:
        yield kept
    finally:
        _collected.reset(token)


def text_table(
    rows: Iterable[Sequence[str]],
    right: Iterable[int] = (),
    *,
    header: bool = False,
    data: Sequence[Sequence[str]] | None = None,
) -> str:
    """Align rows in columns two spaces apart.

    Parameters
    ----------
    rows
    right
        Columns that are right-aligned.
    header
        Whether the first row names the columns.
    data
        The rows for other formats, where the text shows fewer or draws bars.

    Examples
    --------
    >>> print(text_table([("board", "moves"), ("F(2)", "16")], right=[1], header=True))
    board  moves
    F(2)      16
    """
    table = Table(tuple(map(tuple, rows)), frozenset(right), header)
    kept = _collected.get()
    if kept is not None and table.rows:
        full = table.rows if data is None else tuple(map(tuple, data))
        kept.append(Table(full, table.right, header))
    return table.text


def _plain_number(cell: str) -> str:
    return cell.replace(",", "") if _GROUPED.fullmatch(cell) else cell
