"""Read tables: those of the package, and files of the same form."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from slidelab.errors import Damaged, NotationError, PuzzleError
from slidelab.library.rows import Row, Table
from slidelab.messages import did_you_mean, quoted

__all__ = ["FOLDER", "decode_table", "find_table", "read_table", "table_text", "tables"]

FOLDER = Path(__file__).parent / "data"


@cache
def tables() -> Mapping[str, Table]:
    """Return the tables of the package by their topics.

    Examples
    --------
    >>> "hexagonal-families" in tables()
    True
    """
    found = {path.stem: read_table(path) for path in sorted(FOLDER.glob("*.jsonl"))}
    return MappingProxyType(found)


def find_table(topic: str) -> Table:
    """Return the table of the package about a topic, or raise `NotationError`.

    Examples
    --------
    >>> find_table("literatur")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a topic (...), got 'literatur'; did you mean 'literature'?
    """
    known = tables()
    if topic not in known:
        raise NotationError(
            f"expected a topic ({', '.join(known)}), got {quoted(str(topic))}{did_you_mean(topic, known)}"
        )
    return known[topic]


def read_table(path: str | os.PathLike[str]) -> Table:
    """Read a table from a file.

    Parameters
    ----------
    path
        The name of the file.

    Raises
    ------
    Damaged
        If a line is not what the header explains, or its numbers contradict each other.

    Examples
    --------
    >>> from slidelab.library.files import FOLDER
    >>> read_table(FOLDER / "literature.jsonl").rows[0]["gods_number"]
    1
    """
    target = Path(path)
    try:
        data = target.read_bytes()
    except OSError as error:
        raise PuzzleError(f"could not read {target}: {error.strerror}") from None
    return decode_table(target, data)


def decode_table(path: Path, data: bytes) -> Table:
    """Return the table in the content of a file, whose name is for messages."""
    lines = _values(path, data)
    first = next(lines, None)
    if first is None:
        raise Damaged(f"{path} is not a table of the atlas: it has no header")
    try:
        table = Table.from_header(first)
    except NotationError as error:
        raise Damaged(f"{path} is not a table of the atlas: {error}") from None
    rows: list[Row] = []
    seen: set[tuple[str, Any]] = set()
    for number, value in enumerate(lines, 2):
        try:
            row = table.read_row(value)
        except NotationError as error:
            raise Damaged(f"{path} is damaged at line {number}: {error}") from None
        if (row.puzzle, row["metric"]) in seen:
            raise Damaged(f"{path} is damaged at line {number}: a second row for {row.puzzle:.80}")
        seen.add((row.puzzle, row["metric"]))
        rows.append(row)
    return replace(table, rows=tuple(rows))


def _values(path: Path, data: bytes) -> Iterator[Any]:
    for number, line in enumerate(data.splitlines(), 1):
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            problem = "is damaged" if number > 1 else "is not a table of the atlas,"
            raise Damaged(f"{path} {problem} at line {number}: expected a line of JSON") from None


def table_text(table: Table) -> str:
    """Return the content of the file of a table."""
    values = [table.header(), *map(table.row_json, table.rows)]
    return "".join(f"{line_of(value)}\n" for value in values)


def line_of(value: Mapping[str, Any]) -> str:
    """Return a value as a short line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
