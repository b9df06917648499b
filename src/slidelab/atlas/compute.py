"""Compute rows of the atlas, one by one, into files that go on after a stop."""

from __future__ import annotations

import datetime
import os
import platform
import time as clock
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from slidelab import __version__
from slidelab.atlas.questions import Question, find_question
from slidelab.budget import Budget, ProgressCallback, available_cores
from slidelab.errors import Damaged, NotationError, OutOfTime, PuzzleError
from slidelab.files import locked_file
from slidelab.library.files import decode_table, line_of
from slidelab.library.rows import Row, Table, why_inconsistent
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
        A puzzle, or several, which are read as needed.
    question
        What is computed, one of `slidelab.atlas.QUESTIONS`.
    topic, title
        The name of the table, and a line about it.
    distribution
        Whether rows have the distribution of distances.
    output
        A file to which every row is added before it is returned. If it exists, the rows in it are returned
        and not computed again: what was interrupted goes on.
    time, memory, threads, max_shapes
        Limits for each puzzle, as in `slidelab.Budget.of`. What exceeds them has bounds instead of God's
        number.
    progress
        Called with the number of rows so far.

    Raises
    ------
    PuzzleError
        If the file is about another topic or question. It is not changed.
    Damaged
        If it is not what was once written.

    Examples
    --------
    >>> [(row.puzzle, row["gods_number"]) for row in compute(["hex F(2)", "cycle(5)"])]
    [('hex F(2) hextiles 2', 16), ('cycle(5) tiles 1', 10)]
    """
    asked = find_question(question)
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
        for source in sources:
            yield _row(header, asked, puzzle(source), distribution, limits, progress)
        return
    target = Path(output)
    try:
        with locked_file(target) as file:
            known = _known_rows(target, file, header)
            for source in sources:
                each = puzzle(source)
                if each.text not in known:
                    row = _row(header, asked, each, distribution, limits, progress)
                    _append(file, header.row_json(row))
                    known[each.text] = row
                yield known[each.text]
    except OSError as error:
        raise PuzzleError(f"could not write {target}: {error.strerror}; what it holds is kept") from None


def _known_rows(target: Path, file: BinaryIO, header: Table) -> dict[str, Row]:
    """Return the rows of a file by their puzzles; a line that was not finished is removed."""
    data = file.read()
    size = data.rfind(b"\n") + 1
    if size == 0 and data and not line_of(header.header()).encode().startswith(data[:20]):
        raise Damaged(f"{target} is not a table of the atlas")  # and must not be overwritten
    known: dict[str, Row] = {}
    if size:
        table = decode_table(target, data[:size])
        if (table.topic, table.question) != (header.topic, header.question):
            other = f"about the topic {table.topic!r:.60}, not {header.topic!r:.60}"
            raise PuzzleError(f"{target} is {other}; choose another file")
        known = {row.puzzle: row for row in table.rows}
    file.seek(size)
    file.truncate()
    if not size:
        _append(file, header.header())
    return known


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
    return Row(header.topic, each.text, values, provenance)


def _reported(rows: Iterator[Row], progress: ProgressCallback | None) -> Iterator[Row]:
    for number, row in enumerate(rows, 1):
        if progress is not None:
            progress("puzzles", number, 0)
        yield row
