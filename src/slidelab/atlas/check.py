"""Compute rows of the atlas again, in another way, and compare."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from slidelab.atlas.questions import Question, Values, find_question
from slidelab.budget import Budget, ProgressCallback
from slidelab.errors import OutOfTime, PuzzleError, TooLarge
from slidelab.library import Row, Table, tables
from slidelab.library.files import find_table
from slidelab.puzzles import puzzle

__all__ = ["Checked", "check"]


@dataclass(frozen=True, slots=True)
class Checked:
    """A row that was computed again.

    Attributes
    ----------
    row : Row
    differences : tuple of str
        What is otherwise than in the row; empty if the row is right.
    seconds : float
    stopped : str or None
        Why the computation was not finished; then nothing is compared.
    """

    row: Row
    differences: tuple[str, ...]
    seconds: float
    stopped: str | None = None

    @property
    def agrees(self) -> bool:
        """Whether the row was computed to the end, and is right."""
        return self.stopped is None and not self.differences

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "topic": self.row.topic,
            "puzzle": self.row.puzzle,
            "agrees": None if self.stopped else self.agrees,
            "differences": list(self.differences),
            "stopped": self.stopped,
            "seconds": round(self.seconds, 3),
        }


def check(
    topic: str | Table | None = None,
    *,
    max_seconds: float = 1.0,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Checked]:
    """Compute rows again that take little time, and compare what comes out with what they say.

    Rows were computed with as few searches as prove them; the check makes a search from every kind of
    start. Of rows with bounds it checks that God's number, if it finds it, lies within them.

    Parameters
    ----------
    topic
        A topic, or a table that `slidelab.library.read_table` read; by default all tables of the package.
    max_seconds
        Rows that will probably take longer are left out.
    time, memory, threads
        Limits for each row, as in `slidelab.Budget.of`.
    progress
        Called with the number of rows checked, and of all.

    Examples
    --------
    >>> all(each.agrees for each in check("rectangles", max_seconds=0.01))
    True
    """
    Budget.of(time, memory, threads)  # which checks them all
    if topic is None:
        chosen: Iterable[Table] = tables().values()
    else:
        chosen = [topic if isinstance(topic, Table) else find_table(topic)]
    rows = [
        (find_question(table.question), row)
        for table in chosen
        if table.question is not None
        for row in _cheap(table, max_seconds)
    ]
    return _checked(rows, (time, memory, threads), progress)


def _cheap(table: Table, max_seconds: float) -> Iterable[Row]:
    """Return the rows that can be computed again within about so many seconds."""
    question = find_question(str(table.question))
    for row in table.rows:
        if row.computed and (row.seconds or 0.001) * question.cost(row.values) <= max_seconds:
            yield row


def _checked(
    rows: list[tuple[Question, Row]],
    limits: tuple[float | None, int | str | None, int | None],
    progress: ProgressCallback | None,
) -> Iterator[Checked]:
    for number, (question, row) in enumerate(rows, 1):
        begun = clock.monotonic()
        differences: tuple[str, ...] = ()
        stopped = None
        try:
            again = question.again(puzzle(row.puzzle), Budget.of(*limits, progress=progress))
            differences = tuple(_differences(row, again))
        except (OutOfTime, TooLarge) as error:
            stopped = str(error)
        except PuzzleError as error:
            differences = (str(error),)
        yield Checked(row, differences, clock.monotonic() - begun, stopped)
        if progress is not None:
            progress("rows", number, len(rows))


def _differences(row: Row, again: Values) -> Iterable[str]:
    for column, value in again.items():
        said = row[column]
        if said is None:
            continue
        if isinstance(value, list):
            if said not in value:
                yield f"{column} {_short(said)} is not what was computed"
        elif said != value:
            yield f"{column} is {_short(value)}, not {_short(said)}"
    god, least, most = again.get("gods_number"), row["at_least"], row["at_most"]
    if god is not None and not (least or 0) <= god <= (god if most is None else most):
        yield f"God's number {god} is not between {least} and {most}"


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 40 else f"{text[:36]} ..."
