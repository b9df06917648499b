"""What a run prints: a live line, a table by kind, overruns and memory, and how to repeat each failure."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from slidelab.tables import text_table
from torture.case import Report

__all__ = ["Tally", "live_line", "summary"]

MAX_LISTED = 100
"""Failures that are listed; more are counted."""


@dataclass(slots=True)
class Row:
    """The sums of one kind."""

    cases: int = 0
    checks: int = 0
    failures: int = 0
    timed_out: int = 0
    seconds: float = 0.0


@dataclass(slots=True)
class Tally:
    """The sums of a run."""

    rows: dict[str, Row]
    reports: list[Report] = field(default_factory=list)
    """Those with failures or time-outs."""
    overruns: list[tuple[float, Report]] = field(default_factory=list)
    """Seconds beyond a time limit, and the case."""
    growths: list[tuple[float, Report]] = field(default_factory=list)
    """Megabytes beyond a memory limit, and the case."""

    @classmethod
    def of(cls, kinds: Iterable[str]) -> Tally:
        """Return an empty tally of these kinds."""
        return cls({name: Row() for name in kinds})

    def add(self, report: Report) -> None:
        """Count a case."""
        row = self.rows[report.kind]
        row.cases += 1
        row.checks += report.checks
        row.failures += bool(report.failures)
        row.timed_out += bool(report.timed_out)
        row.seconds += report.seconds
        self.overruns += [(over, report) for _, over in report.overruns]
        self.growths += [(max(0, growth - limit) / 1e6, report) for limit, growth in report.growths]
        if report.failures or report.timed_out:
            self.reports.append(report)

    @property
    def failures(self) -> int:
        """The number of cases with a failure."""
        return sum(row.failures for row in self.rows.values())


def live_line(tally: Tally, seconds_left: float) -> None:
    """Draw the line of progress, if standard error is a terminal."""
    if sys.stderr.isatty():
        cases = sum(row.cases for row in tally.rows.values())
        checks = sum(row.checks for row in tally.rows.values())
        left = f"{max(0, seconds_left):.0f} s left"
        text = f"{cases:,} cases, {checks:,} checks, {tally.failures} failures, {left}"
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def summary(tally: Tally) -> str:
    """Return the tables of a run and the list of its failures."""
    parts = [_kinds_table(tally), _limits_table(tally)]
    parts += _listed("failures", [(report, reason) for report in tally.reports for reason in report.failures])
    parts += _listed(
        "timed out", [(report, report.timed_out) for report in tally.reports if report.timed_out]
    )
    return "\n\n".join(part for part in parts if part)


def _kinds_table(tally: Tally) -> str:
    total = Row()
    rows: list[Sequence[str]] = [("kind", "cases", "checks", "failures", "timed out", "seconds")]
    for name, row in tally.rows.items():
        rows.append(_cells(name, row))
        total.cases += row.cases
        total.checks += row.checks
        total.failures += row.failures
        total.timed_out += row.timed_out
        total.seconds += row.seconds
    rows.append(_cells("all", total))
    return text_table(rows, right=(1, 2, 3, 4, 5))


def _cells(name: str, row: Row) -> Sequence[str]:
    return (
        name,
        f"{row.cases:,}",
        f"{row.checks:,}",
        f"{row.failures:,}",
        f"{row.timed_out:,}",
        f"{row.seconds:,.0f}",
    )


def _limits_table(tally: Tally) -> str:
    rows: list[Sequence[str]] = [("limit", "calls", "beyond it: median", "95 %", "largest", "in case")]
    for name, unit, beyond in (("time", "s", tally.overruns), ("memory", "MB", tally.growths)):
        if beyond:
            _, worst = max(beyond, key=lambda pair: pair[0])
            numbers = (f"{x:,.2f} {unit}" for x in _quantiles(sorted(over for over, _ in beyond)))
            rows.append((name, f"{len(beyond):,}", *numbers, f"{worst.kind} {worst.seed}"))
    return text_table(rows, right=(1, 2, 3, 4)) if len(rows) > 1 else ""


def _quantiles(ordered: list[float]) -> tuple[float, float, float]:
    """Return the median, the 95th percentile and the largest of sorted numbers."""
    last = len(ordered) - 1
    return ordered[last // 2], ordered[-(-last * 95 // 100)], ordered[last]


def _listed(title: str, entries: list[tuple[Report, str]]) -> list[str]:
    if not entries:
        return []
    lines = [f"{title} (run in tests/):"]
    for report, reason in entries[:MAX_LISTED]:
        lines += [f"  python -m torture {report.kind} {report.seed}", f"      {reason}"]
    if len(entries) > MAX_LISTED:
        lines.append(f"  ... and {len(entries) - MAX_LISTED} more")
    return ["\n".join(lines)]
