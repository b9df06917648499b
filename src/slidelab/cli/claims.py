"""The command `claims`: every statement of the five papers, and whether it holds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from slidelab.cli.options import Json, ShowProgress, budget_from, flag
from slidelab.cli.output import DONE, NO, print_json, print_note
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError

if TYPE_CHECKING:
    from slidelab.claims import Claim, Paper, Result

Row = tuple["Paper", "Claim"]


@prints_tables
def claims(
    *names: Annotated[str, Parameter(help="claims such as hexagonal:1.1 (default: all)")],
    paper: Annotated[
        str | None, Parameter(help="claims of one paper: hexagonal, graphs, gourds, thesis or fifteen")
    ] = None,
    run: Annotated[bool, flag("compute the verdicts; all of them take about ten minutes")] = False,
    quick: Annotated[bool, flag("compute them on small boards only, in half a minute")] = False,
    output: Annotated[
        str | None,
        Parameter(
            name=["--output", "-o"],
            help="with --run: file for one line of JSON per claim; after a stop, the same command resumes",
        ),
    ] = None,
    progress: ShowProgress = True,
    json: Json = False,
) -> int:
    """List what the five papers claim, with verdicts; with --run, compute them anew.

    Exit code 1 if a computed verdict is not the one on record.
    """
    from slidelab.claims import select_claims

    if output is not None and not (output and run):
        raise NotationError("expected --output with the name of a file, and with --run")
    if output is not None and quick:
        reason = "a run that resumes there would take verdicts on small boards for full ones"
        raise NotationError(f"expected --output without --quick: {reason}; --json prints them")
    rows = select_claims(names, paper)
    if not run and not quick:
        _print_list(rows, json)
        return DONE
    if quick:
        rows = [row for row in rows if row[1].quick]
    results: list[Result] = []
    try:
        _run(rows, results, full=not quick, output=output, progress=progress)
    except KeyboardInterrupt:
        if results:
            _print_results(results, json)
        if output is None:
            raise
        kept = f"stopped; the finished claims are in {output}, and the same command resumes there"
        raise KeyboardInterrupt(kept) from None
    _print_results(results, json)
    return DONE if all(result.agrees for result in results) else NO


def _run(
    rows: Sequence[Row], results: list[Result], *, full: bool, output: str | None, progress: bool
) -> None:
    """Compute the verdicts, keeping each as soon as it is there."""
    from slidelab.claims import Scope, append_result, read_results, run_claims

    path = None if output is None else Path(output)
    known = {} if path is None else read_results(path, rows)
    with budget_from(progress=progress) as budget:
        for result in run_claims(rows, Scope(full, budget), known):
            results.append(result)
            if path is not None and (result.paper, result.claim.name) not in known:
                append_result(path, result)


def _print_list(rows: Sequence[Row], json: bool) -> None:
    from slidelab.tables import text_table

    if json:
        print_json([{"paper": p.name, **_row_json(p, claim)} for p, claim in rows])
        return
    cells = [("claim", "where", "what it says", "verdict", "checked by")]
    cells += [(f"{p.name}:{c.name}", c.place, c.says, c.verdict, p.command(c)) for p, c in rows]
    print(text_table(cells, header=True))


def _row_json(paper: Paper, claim: Claim) -> dict[str, Any]:
    return {
        "claim": claim.name,
        "place": claim.place,
        "says": claim.says,
        "verdict": claim.verdict,
        "command": paper.command(claim),
    }


def _print_results(results: Sequence[Result], json: bool) -> None:
    from collections import Counter

    from slidelab.tables import text_table

    if json:
        print_json([result.to_json() for result in results])
        return
    cells = [("claim", "where", "what it says", "verdict", "seconds")]
    data = [("claim", "where", "what it says", "verdict", "up to", "seconds", "note", "checked by")]
    for each in results:
        name = f"{each.paper}:{each.claim.name}"
        shown = f"holds up to {each.found.up_to}" if each.verdict == "holds up to" else each.verdict
        differs = "" if each.agrees else f" (on record: {each.claim.verdict})"
        seconds = f"{each.seconds:.1f}"
        cells.append((name, each.claim.place, each.claim.says, shown + differs, seconds))
        data.append(
            (
                name,
                each.claim.place,
                each.claim.says,
                each.verdict,
                each.found.up_to,
                seconds,
                each.found.note,
                each.command,
            )
        )
    print(text_table(cells, right=(4,), header=True, data=data))
    notes = [(f"{r.paper}:{r.claim.name}", r.found.note) for r in results if r.found.note]
    if notes:
        print("\nwhat was found\n" + "\n".join(f"  {name}: {note}" for name, note in notes))
    counts = Counter(result.verdict for result in results)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()))
    for each in results:
        if not each.agrees:
            print_note(f"{each.paper}:{each.claim.name} was {each.claim.verdict}, is {each.verdict}")
