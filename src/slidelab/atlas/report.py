"""Tables and rows of the atlas as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from slidelab.distance.report import distribution_table
from slidelab.library import Row, Table
from slidelab.messages import big_number, counted, range_text
from slidelab.tables import text_table

__all__ = ["contents_text", "row_text", "rows_table"]

HIDDEN = ("distribution", "start")
"""Columns that are too long for a table for people."""


def contents_text(tables: Mapping[str, Table]) -> str:
    """Format one line for each table."""
    cells = [("topic", "rows", "what it has")]
    cells += [(table.topic, f"{len(table.rows):,}", table.title) for table in tables.values()]
    return text_table(cells, right=(1,), header=True)


def rows_table(rows: Sequence[Row]) -> str:
    """Format the values of rows, one line for each puzzle.

    Bounds stand in the column of God's number.

    >>> from slidelab.library import lookup
    >>> print(rows_table(lookup("square R(2,3)", topic="literature")))
    puzzle                 God's number  starts            source
    square R(3,2) tiles 1            21  hole in a corner  OEIS A151944
    """
    columns = list(dict.fromkeys(column for row in rows for column in row.values))
    merged = [c for c in columns if c not in ("at_least", "at_most") or "gods_number" not in columns]
    shown = [column for column in merged if column not in HIDDEN]
    heads = ["puzzle", *(_head(column) for column in shown)]
    origins = ["seconds"] if any(row.computed for row in rows) else []
    origins += [] if rows and all(row.computed for row in rows) else ["source"]
    cells = [heads + origins]
    for row in rows:
        origin = {"seconds": "" if row.seconds is None else f"{row.seconds:g}", "source": row.source}
        cells.append(
            [row.puzzle, *(_cell(row, column) for column in shown), *(origin[name] for name in origins)]
        )
    data = [["puzzle", *columns, "seconds", "source", "command"]]
    for row in rows:
        values = [_plain(row[column]) for column in columns]
        seconds = "" if row.seconds is None else f"{row.seconds:g}"
        data.append([row.puzzle, *values, seconds, row.source, row.command or ""])
    numbers = [k for k, c in enumerate(shown, 1) if any(isinstance(row[c], int) for row in rows)]
    last = [len(heads)] if "seconds" in origins else []
    return text_table(cells, right=(*numbers, *last), header=True, data=data)


def _head(column: str) -> str:
    return "God's number" if column == "gods_number" else column.replace("_", " ")


def _cell(row: Row, column: str) -> str:
    if column == "gods_number" and row["gods_number"] is None:
        return bounds_text(row)
    return _plain(row[column], big=True)


def bounds_text(row: Row) -> str:
    """Format God's number, or the bounds on it.

    >>> bounds_text(Row("x", "", {"at_least": 3, "at_most": 5})), bounds_text(Row("x", "", {"at_least": 3}))
    ('3 to 5', 'at least 3')
    """
    if row["gods_number"] is not None:
        return str(row["gods_number"])
    return "" if row["at_least"] is None else range_text(row["at_least"], row["at_most"])


def _plain(value: Any, *, big: bool = False) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return big_number(value) if big else str(value)
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


def row_text(row: Row) -> str:
    """Format all that one row says.

    >>> from slidelab.library import lookup
    >>> print(row_text(lookup("15-puzzle")[0]))
    square R(4,4) tiles 1
    <BLANKLINE>
    God's number  80
    source        Bruengger, Marzetta, Fukuda, Nievergelt 1999; Tarakanov 2023
    table         literature
    """
    facts = [] if bounds_text(row) == "" else [("God's number", bounds_text(row))]
    skipped = ("gods_number", "at_least", "at_most", "distribution")
    facts += [(_head(c), _plain(v, big=True)) for c, v in row.values.items() if c not in skipped and v != ""]
    facts += [("source", row.origin)]
    if row.computed and (machine := row.provenance.get("machine")):
        facts.append(("machine", str(machine)))
    if row.computed and row.command:
        facts.append(("command", row.command))
    facts += [("note", str(row.provenance["note"]))] if row.provenance.get("note") else []
    facts.append(("table", row.topic))
    text = f"{row.puzzle}\n\n{text_table(facts)}"
    found: Iterable[int] | None = row["distribution"]
    return text if found is None else f"{text}\n\n{distribution_table(list(found))}"


def summary_line(rows: Sequence[Row]) -> str:
    """Say how many rows there are, and how many of them are bounds.

    >>> row = Row("x", "cycle(5) tiles 1", {"at_least": 3})
    >>> summary_line([row]), summary_line([row, row])
    ('1 row, with bounds', '2 rows, 2 of them with bounds')
    """
    bounds = sum(row["gods_number"] is None and row["at_least"] is not None for row in rows)
    if bounds == len(rows) == 1:
        return "1 row, with bounds"
    return counted(len(rows), "row") + (f", {bounds:,} of them with bounds" if bounds else "")
