"""The format of the atlas: tables of rows, where one row is one puzzle and what is known about it.

A file has one line of JSON for the table and one for each row:

    {"format": "slidelab atlas 1", "topic": "rectangles", "title": "...", "question": "god",
     "columns": {"gods_number": "the largest distance ...", ...}, "defaults": {"source": "computed", ...}}
    {"puzzle": "square R(2,3) tiles 1", "gods_number": 21, "radius": 20, "seconds": 0.01}

Every key of a row is a column of the table, or one of `PROVENANCE`: where the row comes from. `defaults` has
values of these that hold for all rows without their own; ``{puzzle}`` in a command is replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from shlex import quote
from types import MappingProxyType
from typing import Any

from slidelab.errors import NotationError

__all__ = ["FORMAT", "PROVENANCE", "Row", "Table", "why_inconsistent"]

FORMAT = "slidelab atlas 1"

PROVENANCE: Mapping[str, str] = MappingProxyType(
    {
        "command": "recomputes the row",
        "seconds": "processor time is shared, so this is the time on the clock",
        "machine": "processor and threads of the computation",
        "version": "version of slidelab",
        "date": "day of the computation",
        "source": "'computed', or who published the result",
        "note": "what else there is to say",
    }
)
"""Keys that every row may have, whatever its table is about."""

NUMBERS = (
    "gods_number",
    "radius",
    "at_least",
    "at_most",
    "configurations",
    "searches",
    "kinds",
    "holes",
    "cells",
)
"""Columns that are whole numbers in every table that has them."""


COMMON_COLUMNS = frozenset((*NUMBERS, "metric", "starts", "start", "distribution"))
"""Columns that any table may have; a row of a table without them has no value there."""


@dataclass(frozen=True, slots=True, repr=False)
class Row:
    """One puzzle and what is known about it.

    Attributes
    ----------
    topic : str
        The table that has the row.
    puzzle : str
        Text of the puzzle; `slidelab.puzzle` reads it.
    values : dict
        What was computed, by the names of columns.
    provenance : dict
        Where that comes from, by the keys of `PROVENANCE`, with the defaults of the table.
    columns : frozenset of str
        The columns of the table; where the row has no value in one of them, ``row[column]`` is None.

    Examples
    --------
    >>> from slidelab.library import lookup
    >>> row = lookup("square R(2,3)", topic="rectangles")[0]
    >>> row
    <row of rectangles: square R(3,2) tiles 1>
    >>> row["gods_number"], row.source, row.command
    (21, 'computed', "slidelab atlas compute 'square R(3,2) tiles 1'")
    """

    topic: str
    puzzle: str
    values: Mapping[str, Any] = field(hash=False)
    provenance: Mapping[str, Any] = field(default_factory=dict, hash=False)
    columns: frozenset[str] = field(default=frozenset(), compare=False)

    def __repr__(self) -> str:
        return f"<row of {self.topic}: {self.puzzle}>"

    def __getitem__(self, column: str) -> Any:
        """Return the value in a column, None if the row has none; `KeyError` if there is no such column."""
        if column not in self.values and column not in self.columns and column not in COMMON_COLUMNS:
            names = sorted({*self.columns, *self.values})
            raise KeyError(f"expected a column of {self.topic} ({', '.join(names)}), got {column!r:.60}")
        return self.values.get(column)

    @property
    def source(self) -> str:
        """``"computed"``, or who published the result."""
        return str(self.provenance.get("source", "computed"))

    @property
    def computed(self) -> bool:
        """Whether slidelab computed the row, so that it can be computed again."""
        return self.source == "computed"

    @property
    def command(self) -> str | None:
        """The command that computes the row again."""
        command = self.provenance.get("command")
        return None if command is None else command.replace("{puzzle}", quote(self.puzzle))

    @property
    def seconds(self) -> float | None:
        """How long that took."""
        return self.provenance.get("seconds")

    @property
    def origin(self) -> str:
        """Where the row comes from, in words.

        >>> Row("x", "cycle(4) tiles 1", {}, {"version": "0.1.0", "date": "2026-11-18", "seconds": 2}).origin
        'computed by slidelab 0.1.0 on 2026-11-18 in 2 s'
        """
        if not self.computed:
            return self.source
        parts = [f"computed by slidelab {self.provenance.get('version', '')}".rstrip()]
        if date := self.provenance.get("date"):
            parts.append(f"on {date}")
        if self.seconds is not None:
            parts.append(f"in {self.seconds:g} s")
        return " ".join(parts)

    def to_json(self) -> dict[str, Any]:
        """Return the row with the defaults of its table, as it would stand in a file."""
        origin = {**self.provenance, "source": self.source}
        if self.command is not None:
            origin["command"] = self.command
        return {"topic": self.topic, "puzzle": self.puzzle, **self.values, **origin}


@dataclass(frozen=True, slots=True, repr=False)
class Table:
    """The rows about one topic.

    Attributes
    ----------
    topic, title : str
        A word, and a line that says what the table has.
    question : str or None
        What `slidelab.atlas.compute` asks about each puzzle; None if the rows are not computed by it.
    columns : dict
        The meaning of each column.
    defaults : dict
        Provenance of rows that do not say otherwise.
    rows : tuple of Row

    Examples
    --------
    >>> from slidelab.library import tables
    >>> tables()["literature"]
    <table literature: 22 rows>
    """

    topic: str
    title: str
    question: str | None
    columns: Mapping[str, str] = field(hash=False)
    defaults: Mapping[str, Any] = field(hash=False)
    rows: tuple[Row, ...] = ()

    def __repr__(self) -> str:
        return f"<table {self.topic}: {len(self.rows)} rows>"

    def header(self) -> dict[str, Any]:
        """Return the first line of the file."""
        return {
            "format": FORMAT,
            "topic": self.topic,
            "title": self.title,
            "question": self.question,
            "columns": dict(self.columns),
            "defaults": dict(self.defaults),
        }

    @classmethod
    def from_header(cls, value: Any) -> Table:
        """Read the first line of a file, or raise `NotationError`."""
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise NotationError(f"expected a header with the format {FORMAT!r}")
        topic, title, question = (value.get(key) for key in ("topic", "title", "question"))
        columns, defaults = value.get("columns"), value.get("defaults", {})
        if not isinstance(topic, str) or not isinstance(title, str):
            raise NotationError("expected a topic and a title")
        if question is not None and not isinstance(question, str):
            raise NotationError("expected the name of a question, or null")
        if columns is None or not _is_text_map(columns):
            raise NotationError("expected the columns with their meanings")
        if not isinstance(defaults, dict) or not set(defaults) <= set(PROVENANCE):
            raise NotationError(f"expected defaults of {', '.join(PROVENANCE)}")
        return cls(topic, title, question, columns, defaults)

    def read_row(self, value: Any) -> Row:
        """Read another line of a file, or raise `NotationError`."""
        if not isinstance(value, dict) or not isinstance(value.get("puzzle"), str):
            raise NotationError("expected a JSON object with a puzzle")
        unknown = set(value) - set(self.columns) - set(PROVENANCE) - {"puzzle"}
        if unknown:
            raise NotationError(f"expected keys that the header explains, got {min(unknown)!r:.40}")
        values = {key: each for key, each in value.items() if key in self.columns}
        origin = {**self.defaults, **{key: each for key, each in value.items() if key in PROVENANCE}}
        if reason := why_inconsistent(values) or _why_no_provenance(origin):
            raise NotationError(reason)
        return Row(self.topic, value["puzzle"], values, origin, frozenset(self.columns))

    def row_json(self, row: Row) -> dict[str, Any]:
        """Return the line of a row: what is a default is left out."""
        own = {key: each for key, each in row.provenance.items() if self.defaults.get(key) != each}
        return {"puzzle": row.puzzle, **row.values, **own}


def why_inconsistent(values: Mapping[str, Any]) -> str | None:
    """Return why the values of a row contradict each other, None if they do not.

    >>> why_inconsistent({"gods_number": 2, "radius": 3})
    "the radius 3 is not between half of God's number 2 and all of it"
    >>> why_inconsistent({"gods_number": 2, "configurations": 4, "distribution": [1, 2, 2]})
    'the distribution has 5 configurations, not 4'
    """
    for name in NUMBERS:
        number = values.get(name)
        if number is not None and (not isinstance(number, int) or isinstance(number, bool) or number < 0):
            return f"expected a whole number, got {number!r:.40} - at {name}"
    god, radius = values.get("gods_number"), values.get("radius")
    least, most = values.get("at_least"), values.get("at_most")
    if god is not None and radius is not None and not god <= 2 * radius <= 2 * god:
        return f"the radius {radius} is not between half of God's number {god} and all of it"
    if least is not None and most is not None and least > most:
        return f"the bounds {least} and {most} exclude each other"
    if god is not None and not (least or 0) <= god <= (god if most is None else most):
        return f"God's number {god} is not within its bounds"
    return _why_wrong_distribution(values)


def _why_wrong_distribution(values: Mapping[str, Any]) -> str | None:
    found: Sequence[int] | None = values.get("distribution")
    if found is None:
        return None
    if not isinstance(found, list) or not all(type(n) is int and n > 0 for n in found) or found[:1] != [1]:
        return "expected a distribution that begins with one configuration"
    total, depth = values.get("configurations"), values.get("gods_number", values.get("at_least"))
    if total is not None and sum(found) != total:
        return f"the distribution has {sum(found)} configurations, not {total}"
    if depth is not None and len(found) - 1 != depth:
        return f"the distribution ends at distance {len(found) - 1}, not {depth}"
    return None


def _why_no_provenance(origin: Mapping[str, Any]) -> str | None:
    for name in PROVENANCE:
        value = origin.get(name)
        if name == "seconds":
            if value is not None and (not isinstance(value, int | float) or not 0 <= value < float("inf")):
                return f"expected a number, got {value!r:.40} - at seconds"
        elif value is not None and not isinstance(value, str):
            return f"expected a text, got {value!r:.40} - at {name}"
    return None


def _is_text_map(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
