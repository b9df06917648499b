"""Compute rows of the atlas, one by one, into files that go on after a stop."""

from __future__ import annotations

import datetime
import os
import platform
import time as clock
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, BinaryIO

from slidelab import __version__
from slidelab.atlas.questions import Question, find_question
from slidelab.atlas.report import bounds_text
from slidelab.budget import Budget, ProgressCallback, available_cores
from slidelab.errors import Damaged, NotationError, OutOfTime, PuzzleError
from slidelab.files import kept_text, locked_file, replace_locked
from slidelab.library.files import decode_table, line_of, table_text
from slidelab.library.rows import PROVENANCE, Row, Table, why_inconsistent
from slidelab.puzzles import Puzzle, PuzzleLike, puzzle

__all__ = ["compute", "machine_class"]


def compute(
    puzzles: str | Puzzle | Iterable[PuzzleLike],
    *,
    question: str = "god",
    topic: str = "computed",
    title: str = "",
    distribution: bool = False,
    output: str | os.PathLike[str] | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Row]:
    """Compute rows of the atlas and iterate over them, each as soon as it is known.

    Parameters
    ----------
    puzzles
        A puzzle, or several, which are read as needed; each is computed once.
    question
        What is computed, one of `slidelab.atlas.QUESTIONS`.
    topic, title
        The name of the table, which must not be empty, and a line about it.
    distribution
        Whether rows have the distribution of distances.
    output
        A file to which every row is added before it is returned. If it exists, rows in it that have God's
        number, and the distribution if that is asked for, are returned and not computed again: what was
        interrupted goes on. Other rows are computed again, and replaced if that proves more.
    time, memory, threads, max_shapes
        Limits for each puzzle, as in `slidelab.Budget.of`. What exceeds them has bounds instead of God's
        number, and the key ``note`` of their provenance says which limit that was.
    progress
        Called with the number of rows so far.

    Raises
    ------
    PuzzleError
        If the file has another topic, question or title. It is not changed.
    Damaged
        If it is not what was once written.

    Examples
    --------
    >>> [(row.puzzle, row["gods_number"]) for row in compute(["hex F(2)", "cycle(5)"])]
    [('hex F(2) hextiles 2', 16), ('cycle(5) tiles 1', 10)]
    """
    asked = find_question(question)
    if not topic:
        raise NotationError("expected the name of a table, got nothing - at topic")
    Budget.of(time, memory, threads, max_shapes)  # which checks them all
    sources: Iterable[PuzzleLike] = [puzzles] if isinstance(puzzles, str | Puzzle) else puzzles
    header = Table(topic, title, question, asked.columns, _defaults(threads))
    limits = (time, memory, threads, max_shapes)
    rows = _rows(header, asked, sources, distribution, limits, progress, output)
    return _reported(rows, progress)


def _defaults(threads: int | None) -> dict[str, Any]:
    return {
        "command": "slidelab atlas compute {puzzle}",
        "machine": machine_class(threads),
        "version": __version__,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "source": "computed",
    }


def machine_class(threads: int | None = None) -> str:
    """Return the processor and the number of threads, without the name of the machine.

    >>> machine_class(1).endswith("1 thread")
    True
    """
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, ValueError, StopIteration):
        pass
    count = threads or available_cores()
    return f"{model}, {count} thread{'s' if count > 1 else ''}"


Limits = tuple[float | None, int | str | None, int | None, int | None]


def _rows(
    header: Table,
    asked: Question,
    sources: Iterable[PuzzleLike],
    distribution: bool,
    limits: Limits,
    progress: ProgressCallback | None,
    output: str | os.PathLike[str] | None,
) -> Iterator[Row]:
    if output is None:
        for each in _distinct(sources):
            yield _row(header, asked, each, distribution, limits, progress)
        return
    target = Path(output)
    try:
        with locked_file(target) as file:
            table = _TableFile(target, file, header)
            for each in _distinct(sources):
                if not _is_complete(table.rows.get(each.text), distribution):
                    table.add(_row(header, asked, each, distribution, limits, progress))
                yield table.rows[each.text]
    except OSError as error:
        raise PuzzleError(f"could not write {target}: {error.strerror}{kept_text(target)}") from None


def _distinct(sources: Iterable[PuzzleLike]) -> Iterator[Puzzle]:
    """Yield each puzzle once, however often it is named."""
    seen: set[str] = set()
    for each in map(puzzle, sources):
        if each.text not in seen:
            seen.add(each.text)
            yield each


def _is_complete(row: Row | None, distribution: bool) -> bool:
    """Return whether there is a row with all that is asked for, so that it is not computed again."""
    if row is None or row["gods_number"] is None:
        return False
    return not distribution or row["distribution"] is not None


def _improves(new: Row, old: Row) -> bool:
    """Return whether a row proves more than an older one about the same puzzle, or has its distribution.

    >>> old = Row("x", "cycle(5) tiles 1", {"at_least": 3, "at_most": 12})
    >>> [_improves(Row("x", old.puzzle, values), old) for values in ({"gods_number": 10}, {"at_least": 4})]
    [True, False]
    """
    (least, most), (old_least, old_most) = _bounds(new), _bounds(old)
    if (least, most) == (old_least, old_most):
        return old["distribution"] is None and new["distribution"] is not None
    return least >= old_least and most <= old_most


def _bounds(row: Row) -> tuple[int, float]:
    """Return the least and the largest number that God's number may be."""
    if row["gods_number"] is not None:
        return row["gods_number"], row["gods_number"]
    return row["at_least"] or 0, inf if row["at_most"] is None else row["at_most"]


class _TableFile:
    """A table in a locked file, to which rows are added; a line that was not finished is removed."""

    def __init__(self, target: Path, file: BinaryIO, header: Table) -> None:
        self._target, self._file, self._table = target, file, header
        self.rows: dict[str, Row] = {}
        data = file.read()
        size = data.rfind(b"\n") + 1
        if size == 0 and data and not line_of(header.header()).encode().startswith(data[:20]):
            raise Damaged(f"{target} is not a table of the atlas")  # and must not be overwritten
        if size:
            self._table = decode_table(target, data[:size])
            _check_same(target, self._table, header)
            self.rows = {row.puzzle: row for row in self._table.rows}
        file.seek(size)
        file.truncate()
        if not size:
            _append(file, header.header())

    def add(self, row: Row) -> None:
        """Append a row, or put it in the place of an older one that says less."""
        old = self.rows.get(row.puzzle)
        if old is not None:
            (least, most), (old_least, old_most) = _bounds(row), _bounds(old)
            if max(least, old_least) > min(most, old_most):
                found = f"{bounds_text(old)} in {self._target}, but {bounds_text(row)} was computed"
                raise PuzzleError(f"{row.puzzle}: God's number is {found}; please report this")
            if not _improves(row, old):
                return
        self.rows[row.puzzle] = row
        if old is None:
            _append(self._file, self._table.row_json(row))
        else:
            whole = replace(self._table, rows=tuple(self.rows.values()))
            replace_locked(self._target, self._file, table_text(whole).encode())


def _check_same(target: Path, table: Table, header: Table) -> None:
    """Raise `PuzzleError` if a file has another topic, question or title; without a title, any will do."""
    for name in ("topic", "question", "title"):
        found, expected = getattr(table, name), getattr(header, name)
        if found != expected and (expected or name != "title"):
            other = f"{target} has the {name} {found!r:.60}, not {expected!r:.60}"
            raise PuzzleError(f"{other}; choose another file")


def _append(file: BinaryIO, value: dict[str, Any]) -> None:
    file.write(f"{line_of(value)}\n".encode())
    file.flush()  # a run that is killed loses no complete line


def _row(
    header: Table,
    asked: Question,
    each: Puzzle,
    distribution: bool,
    limits: Limits,
    progress: ProgressCallback | None,
) -> Row:
    if each.colours is not None:
        raise NotationError(f"expected a puzzle whose pieces are all different, got {each.text!r:.80}")
    begun = clock.monotonic()
    try:
        values = asked.answer(each, Budget.of(*limits, progress=progress), distribution)
    except OutOfTime as error:
        raise OutOfTime(f"{each.text}: {error}") from None
    if reason := why_inconsistent(values):
        raise PuzzleError(f"{each.text}: {reason}; please report this")
    seconds = clock.monotonic() - begun
    provenance = {**header.defaults, "seconds": round(seconds, 3 if seconds < 1 else 1)}
    provenance |= {name: values.pop(name) for name in PROVENANCE if name in values}
    return Row(header.topic, each.text, values, provenance, frozenset(header.columns))


def _reported(rows: Iterator[Row], progress: ProgressCallback | None) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        if progress is not None:
            progress("puzzles", number, 0)
        yield row
