"""All papers, and running their claims."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from slidelab.claims.fifteen import FIFTEEN
from slidelab.claims.gourds import GOURDS
from slidelab.claims.graphs import GRAPHS
from slidelab.claims.hexagonal import HEXAGONAL
from slidelab.claims.model import Claim, Found, Paper, Result, Scope
from slidelab.claims.thesis import THESIS
from slidelab.errors import Damaged, NotationError
from slidelab.files import atomic_write, decode_json, read_text
from slidelab.messages import did_you_mean

__all__ = ["PAPERS", "append_result", "read_results", "run_claims", "select_claims"]

PAPERS = {paper.name: paper for paper in (HEXAGONAL, GRAPHS, GOURDS, THESIS, FIFTEEN)}
"""The five papers by name."""

Row = tuple[Paper, Claim]


def select_claims(names: Sequence[str] = (), paper: str | None = None) -> list[Row]:
    """Return the claims of some names, of one paper, or all.

    Parameters
    ----------
    names
        Names such as ``hexagonal:1.1``; without the paper if one is given, or if the name is unique.
    paper
        The name of a paper.

    Raises
    ------
    NotationError
        If there is no such paper or claim.

    Examples
    --------
    >>> [(paper.name, claim.place) for paper, claim in select_claims(["hexagonal:4.1"])]
    [('hexagonal', 'Lemma 4.1')]
    """
    if paper is not None and paper not in PAPERS:
        known = ", ".join(PAPERS)
        raise NotationError(f"expected one of {known}, got {paper!r:.40}{did_you_mean(paper, PAPERS)}")
    everywhere = [(p, claim) for p in PAPERS.values() for claim in p.claims]
    rows = [row for row in everywhere if paper in (None, row[0].name)]
    if not names:
        return rows
    chosen: list[Row] = []
    for name in names:
        own = [row for row in rows if name in (f"{row[0].name}:{row[1].name}", row[1].name)]
        if len(own) != 1:
            every = [f"{p.name}:{claim.name}" for p, claim in rows]
            meant = did_you_mean(name, every) or "; 'slidelab claims' lists their names"
            if own:
                meant = f": several papers have one, such as '{own[0][0].name}:{own[0][1].name}'"
            if any(name == f"{p.name}:{claim.name}" for p, claim in everywhere):
                raise NotationError(f"expected a claim of the paper {paper!r}, got {name!r:.40}")
            raise NotationError(f"expected the name of a claim, got {name!r:.40}{meant}")
        chosen += own
    return [row for number, row in enumerate(chosen) if row not in chosen[:number]]


def run_claims(
    rows: Sequence[Row], scope: Scope, known: Mapping[tuple[str, str], Result] | None = None
) -> Iterator[Result]:
    """Compute the verdicts of claims, one after the other.

    Parameters
    ----------
    rows
        What `select_claims` returns.
    scope
        How far the checks go. Its progress callback hears of the claims, not of what each of them computes.
    known
        Results that need not be computed again, by paper and claim.

    Examples
    --------
    >>> (result,) = run_claims(select_claims(["hexagonal:table-1"]), Scope())
    >>> result.verdict, result.agrees
    ('holds', True)
    """
    quiet = replace(scope, budget=replace(scope.budget, progress=None))
    for number, (paper, claim) in enumerate(rows):
        scope.budget.check("claims", number, len(rows))
        result = (known or {}).get((paper.name, claim.name))
        if result is None:
            begin = time.monotonic()
            found = claim.check(quiet)
            seconds = time.monotonic() - begin
            result = Result(paper.name, claim, found, seconds, paper.command(claim))
        yield result


def read_results(path: Path, rows: Sequence[Row]) -> dict[tuple[str, str], Result]:
    """Return the results of earlier runs in a file, by paper and claim; none if there is no such file.

    Raises
    ------
    Damaged
        If a line other than the last is no result.
    """
    if not path.exists():
        return {}
    claims = {(paper.name, claim.name): (paper, claim) for paper, claim in rows}
    found: dict[tuple[str, str], Result] = {}
    lines = read_text(path, "results of claims").splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number == len(lines) and not line.endswith("\n"):
            break  # the run was stopped while it wrote this line
        try:
            value = decode_json(line)
            key = value["paper"], value["claim"]
            printed = {"open": None, "holds": True, "holds up to": True}.get(value["verdict"], False)
            corrected = True if value["verdict"] == "corrected" else None
            outcome = Found(printed, corrected, value["up_to"] or "", value["note"] or "")
            if key in claims:
                paper, claim = claims[key]
                found[key] = Result(paper.name, claim, outcome, float(value["seconds"]), paper.command(claim))
        except (NotationError, LookupError, TypeError, ValueError):
            raise Damaged(f"expected the result of a claim - in line {number} of {path}") from None
    return found


def append_result(path: Path, result: Result) -> None:
    """Add a result to a file, as one line of JSON; a line that was not finished is replaced."""
    text = read_text(path, "results of claims") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    with atomic_write(path) as file:
        file.write(f"{whole}{json.dumps(result.to_json(), ensure_ascii=False)}\n".encode())
