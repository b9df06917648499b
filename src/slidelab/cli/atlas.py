"""The commands of the atlas: results as data, and gourds on all boards of one size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from slidelab.cli.arguments import BoardText, HoleCounts, Rule, read_documents, read_input
from slidelab.cli.options import (
    DEFAULT_SEARCH_LIMITS,
    Json,
    Memory,
    SearchLimits,
    ShowProgress,
    Threads,
    Time,
    budget_from,
    flag,
    integer,
    option_names,
    text,
)
from slidelab.cli.output import DONE, GAVE_UP, NO, json_text, print_answer, print_json, print_note
from slidelab.cli.progress import progress_bar
from slidelab.cli.ranks import executor
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError
from slidelab.messages import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slidelab.atlas import Row, Sequence, Summary, Table
    from slidelab.puzzles import Puzzle

atlas = App(
    name="atlas",
    help="Look up results: God's numbers, radius and distributions of many puzzles; compute and check them.",
    help_format="plaintext",
)

MAX_NAME_CHARACTERS = 90
MAX_TERM_CHARACTERS = 40
"""Characters of the name and of the terms of a sequence in the table; --json has all of them."""

Output = Parameter(
    name=["--output", "-o"],
    help="file for one line of JSON per puzzle; after a stop, the same command resumes",
)
Topic = Annotated[str | None, Parameter(help="a table, see 'slidelab atlas', or a file of the same form")]


@atlas.default
@prints_tables
def contents(*, json: Json = False) -> int:
    """List the tables of the atlas."""
    from slidelab.atlas import tables
    from slidelab.atlas.report import contents_text

    found = tables()
    facts = [{**table.header(), "rows": len(table.rows)} for table in found.values()]
    text = "" if json else contents_text(found)
    print_answer(
        json, facts, f"{text}\n\nslidelab atlas list TOPIC prints a table, atlas lookup BOARD what is known"
    )
    return DONE


@atlas.command(name="list")
@prints_tables
def list_rows(topic: Topic = None, *, json: Json = False) -> int:
    """Print a table of the atlas; without a topic, list the tables."""
    from slidelab.atlas.report import rows_table, summary_line

    if topic is None:
        return contents(json=json)
    table = _table(topic)
    if json:
        for row in table.rows:
            print(json_text(row.to_json()))
        return DONE
    print(f"{table.title}\n\n{rows_table(table.rows)}\n\n{summary_line(table.rows)}")
    return DONE


def _table(topic: str) -> Table:
    """Return a table of the package, or of a file."""
    from pathlib import Path

    from slidelab.atlas import read_table, tables
    from slidelab.library.files import find_table

    is_file = topic.endswith(".jsonl") or (topic not in tables() and Path(topic).is_file())
    return read_table(topic) if is_file else find_table(topic)


@atlas.command
@prints_tables
def lookup(
    board: BoardText, *, rule: Rule = None, holes: HoleCounts = None, topic: Topic = None, json: Json = False
) -> int:
    """Print what the atlas knows about a puzzle, also in the form of a rotated or isomorphic board.

    Exit code 1 if it knows nothing.
    """
    from slidelab.atlas import lookup as look_up
    from slidelab.atlas.report import row_text, rows_table

    asked = [document.puzzle for document in read_documents(read_input(board), rule, holes, None)]
    table = None if topic is None else _table(topic)
    found = [row for puzzle in asked for row in look_up(puzzle, topic=table)]
    if json:
        print_json([row.to_json() for row in found])
    elif len(asked) > 1 and found:
        print(rows_table(found))
    else:
        print("\n\n".join(map(row_text, found)) or f"the atlas knows nothing about {asked[0].text}")
    return DONE if found else NO


@atlas.command
@prints_tables
def compute(
    *boards: Annotated[
        str,
        text("puzzles, also with ranges: 'hex P(3..6,3..6)'; polyhexes(6), connected(6), two-connected(7)"),
    ],
    rule: Rule = None,
    holes: HoleCounts = None,
    question: Annotated[str, Parameter(help="what is computed: god")] = "god",
    topic: Annotated[str, Parameter(help="name of the table")] = "computed",
    title: Annotated[str, Parameter(help="a line about the table")] = "",
    distribution: Annotated[bool, flag("also keep the distribution of distances")] = False,
    output: Annotated[str | None, Output] = None,
    limits: SearchLimits = DEFAULT_SEARCH_LIMITS,
    json: Json = False,
) -> int:
    """Compute rows of the atlas, each with the fewest searches that prove it.

    The limits hold for each puzzle. What exceeds them gets bounds; exit code 3 if that happens. In a file,
    rows that have only bounds are computed again.
    """
    from slidelab.atlas import compute as run
    from slidelab.atlas.report import rows_table, summary_line

    if not boards:
        raise NotationError("expected a BOARD, such as 'hex P(3,3..5)' or polyhexes(6), got none")
    if output == "":
        raise NotationError("expected the name of a file, got nothing - at --output")
    if not topic:
        raise NotationError("expected the name of a table, got nothing - at --topic")
    found: list[Row] = []
    with budget_from(
        limits.time, limits.memory, limits.threads, limits.max_shapes, limits.progress
    ) as budget:
        try:
            for row in run(
                _puzzles(boards, rule, holes),
                question=question,
                topic=topic,
                title=title,
                distribution=distribution,
                output=output,
                time=limits.time,
                memory=limits.memory,
                threads=limits.threads,
                max_shapes=limits.max_shapes,
                progress=budget.progress,
            ):
                found.append(row)
                if json:
                    print(json_text(row.to_json()), flush=True)
        except KeyboardInterrupt:
            if output is None:
                if found and not json:
                    print(rows_table(found))
                raise
            rows = counted(len(found), "row")
            kept = f"stopped; {rows} finished in {output}, and the same command resumes there"
            raise KeyboardInterrupt(kept) from None
    if not json:
        table = rows_table(found)  # for --csv and its like, also with a file
        print(table if output is None else f"{output}: {summary_line(found)}")
    bounds = [row for row in found if row["gods_number"] is None]
    if bounds:
        print_note(_why_bounds(bounds))
    return GAVE_UP if bounds else DONE


def _why_bounds(rows: list[Row]) -> str:
    """Say which limit was reached at the first of some rows that have only bounds."""
    first = rows[0]
    reason = str(first.provenance.get("note") or "a limit was reached")
    if first.puzzle not in reason:
        reason = f"{first.puzzle}: {reason}"
    return (
        f"only bounds: {reason}" if len(rows) == 1 else f"{len(rows):,} rows have only bounds; first {reason}"
    )


def _puzzles(boards: tuple[str, ...], rule: str | None, holes: str | None) -> Iterator[Puzzle]:
    from slidelab.sweeps import expand

    for board in boards:
        if board.startswith("-"):
            raise NotationError(f"expected a BOARD or an option of atlas compute, got {board!r:.40}")
        for each in expand(board):
            yield from (document.puzzle for document in read_documents(each, rule, holes, None))


@atlas.command
@prints_tables
def sequences(
    *,
    output: Annotated[
        str | None, Parameter(name=["--output", "-o"], help="folder for an entry of each, and b-files")
    ] = None,
    json: Json = False,
) -> int:
    """List sequences in the atlas, or write them as entries of the OEIS."""
    from textwrap import shorten

    from slidelab.atlas import sequences as all_sequences
    from slidelab.atlas import write_sequences
    from slidelab.tables import text_table

    if output is not None:
        if not output:
            raise NotationError("expected the name of a folder, got nothing - at --output")
        files = [str(path) for path in write_sequences(output)]
        print_answer(json, {"files": files}, f"{output}: {len(files)} files")
        return DONE
    found = list(all_sequences())
    facts = [
        {"key": each.key, "name": each.name, "offset": each.offset, "terms": each.terms} for each in found
    ]
    header = ("key", "terms", "name", "data")
    names = [shorten(each.name, MAX_NAME_CHARACTERS, placeholder=" ...") for each in found]
    short = [
        (each.key, str(len(each.terms)), name, _first_terms(each))
        for each, name in zip(found, names, strict=True)
    ]
    data = [header, *((each.key, str(len(each.terms)), each.name, each.data) for each in found)]
    print_answer(json, facts, text_table([header, *short], right=(1,), header=True, data=data))
    return DONE


def _first_terms(sequence: Sequence) -> str:
    """Return the first terms of a sequence, and dots if there are more."""
    shown = sequence.first_terms(MAX_TERM_CHARACTERS)
    return shown if shown.count(",") + 1 == len(sequence.terms) else f"{shown}, ..."


@atlas.command
@prints_tables
def check(
    topic: Topic = None,
    *,
    max_seconds: Annotated[float, Parameter(help="leave out rows that take longer than this")] = 1.0,
    time: Time = None,
    memory: Memory = None,
    threads: Threads = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Compute rows of the atlas again, with a search from every kind of start, and compare.

    Exit code 1 if a row is wrong, 3 if one could not be computed within the limits.
    """
    from slidelab.atlas import check as run
    from slidelab.tables import text_table

    if not max_seconds >= 0:
        raise NotationError(f"expected a number of seconds, got {max_seconds} - at --max-seconds")
    found = []
    with budget_from(time, memory, threads, None, progress) as budget:
        table = None if topic is None else _table(topic)
        for each in run(
            table,
            max_seconds=max_seconds,
            time=time,
            memory=memory,
            threads=threads,
            progress=budget.progress,
        ):
            found.append(each)
    if json:
        print_json([each.to_json() for each in found])
    elif not found and table is not None and not any(row.computed for row in table.rows):
        print("nothing to check: all rows are quoted")
    else:
        topics = dict.fromkeys(each.row.topic for each in found)
        cells = [("topic", "checked", "wrong", "stopped", "seconds")]
        for name in topics:
            own = [each for each in found if each.row.topic == name]
            wrong, stopped = sum(bool(c.differences) for c in own), sum(c.stopped is not None for c in own)
            seconds = f"{sum(c.seconds for c in own):.1f}"
            cells.append((name, f"{len(own):,}", str(wrong), str(stopped), seconds))
        print(text_table(cells, right=(1, 2, 3, 4), header=True))
        for each in found:
            if not each.agrees:
                print_note(f"{each.row.puzzle}: {'; '.join(each.differences) or each.stopped}")
    if any(each.differences for each in found):
        return NO
    return GAVE_UP if any(each.stopped for each in found) else DONE


@atlas.command
@prints_tables
def gourds(
    cells: Annotated[int, integer("number of cells, odd, 7 to 17; 13 cells take a minute, 15 an hour")],
    *,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="file for one line of JSON per board; after a stop, the same command resumes",
        ),
    ] = None,
    processes: Annotated[
        int | None, integer("number of processes (default: all cores where it pays)")
    ] = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """Tabulate where gourds can be rearranged freely, on all two-connected boards with a hole."""
    from slidelab.atlas import entries, summarize, write_atlas
    from slidelab.budget import Budget

    if output == "":
        raise NotationError("expected the name of a file, got nothing - at --output")
    pool = executor(processes)
    with progress_bar(progress) as callback, option_names("processes"):
        budget = Budget.of(progress=callback)
        try:
            if output is None:
                summary = summarize(entries(cells, processes=processes, executor=pool, budget=budget))
            else:
                summary = write_atlas(output, cells, processes=processes, executor=pool, budget=budget)
        except KeyboardInterrupt:
            if output is None:
                raise
            kept = f"stopped; the finished lines are in {output}, and the same command resumes there"
            raise KeyboardInterrupt(kept) from None
    if json:
        print_json({"cells": cells, **summary.to_json()})
    else:
        _print_summary(cells, summary)
    return DONE


GLOSSARY = (
    ("group", "permutations of the n gourds and their ends; solvable: all of them, C2 wr Sym(n)"),
    ("pivot", "a gourd turns about one end, in a triangle, while gourds fill all other cells"),
    ("necklace", "a closed chain of edges, triangles and diamonds (two triangles side by side)"),
    ("even ring", "a ring of 4k + 1 cells while gourds fill all others: an even number rotates"),
    ("station", "cells a b c d e in a row on a Hamiltonian cycle, where a, c, e touch one another"),
)


def _print_summary(cells: int, summary: Summary) -> None:
    from slidelab.tables import text_table

    print(f"gourds on two-connected boards of {cells} hexagons with a hole in the board\n")
    print(text_table([("boards", f"{summary.boards:,}"), ("solvable", f"{summary.solvable:,}")], right=(1,)))
    reasons = [("boards", "what the rule says", "group found")]
    reasons += [(f"{count:,}", reason, group) for reason, group, count in summary.reasons]
    print("\n" + text_table(reasons, right=(0,), header=True))
    rules = [("solvable if and only if", "right", "wrong", "first wrong about")]
    rules += [(r.rule, f"{r.right:,}", f"{r.wrong:,}", r.first_wrong or "") for r in summary.rules]
    print("\n" + text_table(rules, right=(1, 2), header=True))
    print("\n" + text_table(GLOSSARY))
