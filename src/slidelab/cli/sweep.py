"""The command `sweep`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import Holes, Rule, read_input
from slidelab.cli.batch import split_sources
from slidelab.cli.options import Json, MaxShapes, Memory, ShowProgress, integer, option_names, text
from slidelab.cli.output import DONE, json_text, print_answer
from slidelab.cli.progress import progress_bar
from slidelab.cli.ranks import executor
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.sweeps.questions import Record

MAX_NAME_CHARACTERS = 1000
"""Longest name of a file; longer texts are boards."""


def sweep(
    question: Annotated[str, Parameter(help="analyze, god or solvable")],
    *boards: Annotated[
        str,
        text(
            "puzzles, also with ranges: 'hex P(3..6,3..6)'; connected(6), two-connected(7), "
            "polyhexes(6), 'two-connected polyhexes(7)' for all boards of a size; files, or - for "
            "standard input, with one in each line"
        ),
    ],
    rule: Rule = None,
    holes: Holes = None,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="file to write, .csv or .jsonl; after a stop, the same command goes on (default: CSV on "
            "standard output)",
        ),
    ] = None,
    processes: Annotated[int | None, integer("number of processes (default: all cores)")] = None,
    seed: Annotated[int, integer("solvable: seed of the starts of boards without one")] = 0,
    time: Annotated[float | None, Parameter(help="time limit for each puzzle in seconds")] = None,
    memory: Memory = None,
    max_shapes: MaxShapes = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Ask one question about many puzzles, on all cores, and write a table.

    A puzzle that is too large or takes too long has the reason in its column error, and the others go on.
    On a cluster, 'mpiexec -n 8 slidelab sweep ...' computes with seven processes for one that writes.
    """
    from slidelab.sweeps import sweep as run
    from slidelab.sweeps.run import find_question

    found = find_question(question)
    for board in boards:
        if board.startswith("-") and board != "-":
            raise NotationError(f"expected a BOARD or an option of sweep, got {board!r:.40}")
    if not boards:
        raise NotationError("expected a BOARD, such as 'hex P(3..6,3..6)' or connected(6), got none")
    done = errors = 0
    with progress_bar(progress) as callback:
        with option_names("time", "memory", "max_shapes", "processes"):
            records = run(
                question,
                list(_sources(boards)),
                rule=rule,
                holes=holes,
                output=output,
                executor=executor(processes),
                processes=processes,
                seed=seed,
                time=time,
                memory=memory,
                max_shapes=max_shapes,
                progress=callback,
            )
        try:
            if output is None:
                _print_records(("puzzle", *found.columns, "error"), records, json)
                return DONE
            for record in records:
                done += 1
                errors += record["error"] is not None
        except KeyboardInterrupt:
            if output is None:
                raise
            kept = f"stopped; {done:,} answers are in {output}, and the same command goes on"
            raise KeyboardInterrupt(kept) from None
    line = f"{output}: {done:,} puzzles" + (f", {errors:,} with an error" if errors else "")
    print_answer(json, {"files": [output], "puzzles": done, "errors": errors}, line)
    return DONE


def _sources(boards: tuple[str, ...]) -> Iterator[str]:
    """Yield the boards of the command, and of each file the boards in it."""
    from slidelab.files import read_text

    for board in boards:
        if board == "-":
            yield from split_sources(read_input(board))
        elif len(board) < MAX_NAME_CHARACTERS and Path(board).is_file():
            yield from split_sources(read_text(Path(board)))
        else:
            yield board


def _print_records(columns: tuple[str, ...], records: Iterator[Record], json: bool) -> None:
    """Print CSV or JSON lines, each as soon as it is known."""
    if json:
        for record in records:
            print(json_text(record), flush=True)
        return
    from slidelab.sweeps.run import csv_line

    print(csv_line(columns), end="")
    for record in records:
        print(csv_line([record[column] for column in columns]), end="", flush=True)
