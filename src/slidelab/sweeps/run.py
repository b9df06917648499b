"""Sweeps: many puzzles in several processes or on many machines, to files that survive interruptions."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from slidelab.budget import Budget, ProgressCallback, available_cores, available_memory
from slidelab.errors import NotationError, PuzzleError, WorkerLost
from slidelab.files import kept_text, locked_file
from slidelab.messages import did_you_mean, quoted
from slidelab.mpi import local_processes
from slidelab.parallel import DEFAULT_WORKERS, check_workers, count_workers, ordered_map
from slidelab.puzzles import PuzzleLike, puzzle, read_document
from slidelab.sweeps.expansion import count_puzzles, expand
from slidelab.sweeps.questions import QUESTIONS, Question, Record, answer

__all__ = ["SWEEP_FORMATS", "csv_line", "find_question", "sweep"]

SWEEP_FORMATS = ("csv", "jsonl")

CHUNK_PUZZLES = 4
"""Puzzles that a worker gets at a time: few, since one may take long, and one where there are few in all."""

CHUNKS_PER_WORKER = 8
"""Least number of chunks for each worker: with fewer, some are idle while others have several puzzles."""


def sweep(
    question: str,
    *boards: PuzzleLike | Iterable[PuzzleLike],
    rule: str | None = None,
    holes: int | None = None,
    output: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    processes: int | None = None,
    seed: int = 0,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Iterator[Record]:
    """Ask one question about many puzzles and iterate over the answers, in order.

    Parameters
    ----------
    question
        ``"analyze"``, ``"god"`` or ``"solvable"``; the columns are in `slidelab.sweeps.QUESTIONS`.
    boards
        Puzzles, texts that stand for many (``"hex P(3..6,3..6)"``, ``"connected(6)"``,
        ``"two-connected(7)"``, ``"polyhexes(7)"``; see `slidelab.sweeps.expand`), or lists and iterators of
        these, which are read as needed.
    rule, holes
        The rule and the number of holes of all puzzles, as in `slidelab.puzzle`.
    output
        A file (``.csv`` or ``.jsonl``) to which every answer is added before it is returned. If it exists,
        its complete lines are returned first and not computed again: an interrupted sweep goes on.
    executor
        What computes the answers: a process pool, `mpi4py.futures.MPIPoolExecutor`, ``get_executor()`` of a
        Dask client, or any other executor; it stays open. By default processes of its own.
    processes
        Number of processes, by default all cores. Several are started afresh ("spawn"), so a script must
        guard its main part with ``if __name__ == "__main__"``.
    seed
        For ``"solvable"``: puzzles without a start get a random arrangement.
    time, memory, max_shapes
        Limits for each puzzle, as in `slidelab.Budget.of`. A puzzle that exceeds them has the reason in its
        column ``error``. By default the workers of a machine have equal shares of its memory.
    progress
        Called with the number of answers, and of puzzles where that is known.

    Returns
    -------
    iterator of dict
        Nothing is computed before the first answer is taken, nor more than a few ahead.

    Raises
    ------
    PuzzleError
        If the file is about other puzzles or another question. It is not changed.
    WorkerLost
        If a worker ended before its answers were known, or the executor takes no more work. The answers
        before them have been returned and are in the file; the same sweep goes on there.

    Examples
    --------
    >>> import slidelab as sl
    >>> [row["group"] for row in sl.sweep("analyze", "theta(1,1..3,2)", processes=1)]
    ['Sym(5)', 'PGL(2,5)', 'Sym(7)']
    >>> rows = sl.sweep("god", "square R(2,2..3)", ["cycle(5)", sl.puzzle("hex F(2)")], processes=1)
    >>> [(row["puzzle"], row["gods_number"]) for row in rows][1:]
    [('square R(2,3) tiles 1', 21), ('cycle(5) tiles 1', 10), ('hex F(2) hextiles 2', 16)]
    """
    chosen = find_question(question)
    if output is not None:
        _check_output(output)
    check_workers(executor, processes)
    workers = executor or processes or available_cores()
    number = workers if isinstance(workers, int) else count_workers(workers)
    local = isinstance(workers, int | ProcessPoolExecutor | ThreadPoolExecutor)
    Budget.of(time, memory, None, max_shapes)  # which checks them all
    total = _count(boards)
    chunk = _chunk_size(total, number or DEFAULT_WORKERS)
    sharers = number if local else None
    compute = partial(_answers, chosen.name, rule, holes, seed, time, memory, sharers, max_shapes)
    texts = (text for source in boards for text in _texts(source))
    if output is None:
        records = _computed(compute, texts, workers, chunk)
    else:
        records = _written(Path(output), chosen, compute, texts, workers, chunk, rule, holes)
    return _reported(records, total, progress)


def find_question(name: str) -> Question:
    """Return the question of that name, or raise `NotationError`.

    Examples
    --------
    >>> find_question("anlyze")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a question (analyze, god, solvable), got 'anlyze'; did you ...
    """
    if name not in QUESTIONS:
        choices, suggestion = ", ".join(QUESTIONS), did_you_mean(name, QUESTIONS)
        raise NotationError(f"expected a question ({choices}), got {quoted(str(name))}{suggestion}")
    return QUESTIONS[name]


def _check_output(output: str | os.PathLike[str]) -> None:
    if Path(output).suffix.lower().removeprefix(".") not in SWEEP_FORMATS:
        raise NotationError(f"expected a file name that ends in .csv or .jsonl, got {str(output)[-60:]!r}")


def _texts(source: PuzzleLike | Iterable[PuzzleLike]) -> Iterator[str]:
    """Yield the texts of puzzles."""
    if isinstance(source, str):
        yield from expand(source)
    elif isinstance(source, Iterator | list | tuple):
        for each in source:
            yield from _texts(each)
    else:
        yield puzzle(source).text


Compute = partial[list[Record]]


def _answers(
    name: str,
    rule: str | None,
    holes: int | None,
    seed: int,
    time: float | None,
    memory: int | str | None,
    sharers: int | None,
    max_shapes: int | None,
    texts: list[str],
) -> list[Record]:
    """Return the records of some puzzles; this runs in other processes, on one thread each.

    So many of them share the memory of this machine; if that is not known, those of MPI, or one on each core.
    """
    if memory is None:
        memory = available_memory() // (sharers or local_processes() or available_cores())
    return [
        answer(QUESTIONS[name], text, rule, holes, Budget.of(time, memory, 1, max_shapes), seed)
        for text in texts
    ]


def _chunk_size(puzzles: int, workers: int) -> int:
    """Return how many puzzles a worker gets at a time, given their number (0 if it is not known).

    >>> _chunk_size(16, 8), _chunk_size(11_117, 8), _chunk_size(0, 8)
    (1, 4, 4)
    """
    most = puzzles // (CHUNKS_PER_WORKER * workers) if puzzles else CHUNK_PUZZLES
    return max(1, min(CHUNK_PUZZLES, most))


def _computed(
    compute: Compute, texts: Iterator[str], workers: int | Executor, chunk: int
) -> Iterator[Record]:
    if workers == 1:
        return (record for text in texts for record in compute([text]))
    return ordered_map(compute, texts, workers, chunk=chunk)


def _reported(records: Iterator[Record], total: int, progress: ProgressCallback | None) -> Iterator[Record]:
    for number, record in enumerate(records, 1):
        if progress is not None:
            progress("puzzles", number, total)
        yield record


def _count(sources: Iterable[PuzzleLike | Iterable[PuzzleLike]]) -> int:
    """Return the number of puzzles, 0 if it is not known; all texts are checked before any is answered."""
    counts: list[int | None] = []
    for source in sources:
        if isinstance(source, Iterator):
            counts.append(None)
        elif isinstance(source, list | tuple):
            counts.append(_count(source))
        else:
            counts.append(count_puzzles(source) if isinstance(source, str) else 1)
    return sum(count for count in counts if count) if all(counts) else 0


# Files


def _written(
    path: Path,
    question: Question,
    compute: Compute,
    texts: Iterator[str],
    workers: int | Executor,
    chunk: int,
    rule: str | None,
    holes: int | None,
) -> Iterator[Record]:
    """Yield the records of the file: those in it, then those that are added to it."""
    columns = ["puzzle", *question.columns, "error"]
    is_csv = path.suffix.lower() == ".csv"
    count = 0
    try:
        with locked_file(path) as file:
            known, size = _read_lines(path, file.read(), columns, is_csv)
            file.seek(size)
            file.truncate()
            for record in known:
                _check_same(path, record, next(texts, None), rule, holes)
                yield record
            count = len(known)
            if is_csv and size == 0:
                file.write(csv_line(columns).encode())
            for record in _computed(compute, texts, workers, chunk):
                file.write(_line(record, columns, is_csv).encode())
                file.flush()  # a run that is killed loses no complete line
                count += 1
                yield record
    except WorkerLost as error:
        raise WorkerLost(f"{error}; {count:,} answers are in {path}, and the same sweep goes on") from error
    except OSError as error:
        raise PuzzleError(f"could not write {path}: {error.strerror}{kept_text(path)}") from None


def _read_lines(path: Path, data: bytes, columns: list[str], is_csv: bool) -> tuple[list[Record], int]:
    """Return the records in the complete lines of a file, and the size of these lines."""
    size = data.rfind(b"\n") + 1
    try:
        lines = data[:size].decode().splitlines()
        if is_csv:
            rows = list(csv.reader(lines))
            header, values = (rows[0], rows[1:]) if rows else (columns, [])
            records = [dict(zip(header, map(_value, row), strict=True)) for row in values]
            keys = [header]
        else:
            records = [json.loads(line) for line in lines]
            keys = [list(record) for record in records]
        if any(each != columns for each in keys):
            raise ValueError
    except ValueError:
        raise PuzzleError(f"{path} is not a file of this sweep; choose another file") from None
    return records, size


def _check_same(path: Path, record: Record, text: str | None, rule: str | None, holes: int | None) -> None:
    """Raise `PuzzleError` unless a record of the file is about this puzzle of the sweep."""
    try:
        name = "its end" if text is None else read_document(text, rule, holes).puzzle.text
    except PuzzleError:
        name = str(text)
    if record["puzzle"] != name:
        raise PuzzleError(
            f"{path} is about other puzzles: it has {quoted(str(record['puzzle']))} where this sweep has "
            f"{quoted(name)}; choose another file"
        )


_WORDS = {"": None, "true": True, "false": False}


def _value(text: str) -> object:
    """Return the value of a field of a CSV file."""
    if text in _WORDS:
        return _WORDS[text]
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and digits.isascii() else text


def csv_line(values: Sequence[object]) -> str:
    r"""Return a line of a CSV file; None is empty, and truth values are lower case.

    Examples
    --------
    >>> csv_line(["a, b", 1, None, True])
    '"a, b",1,,true\n'
    """
    out = io.StringIO()
    words = {None: "", True: "true", False: "false"}
    row = [words[value] if value is None or isinstance(value, bool) else value for value in values]
    csv.writer(out, lineterminator="\n").writerow(row)
    return out.getvalue()


def _line(record: Record, columns: Sequence[str], is_csv: bool) -> str:
    if is_csv:
        return csv_line([record[column] for column in columns])
    return json.dumps(record, ensure_ascii=False) + "\n"
