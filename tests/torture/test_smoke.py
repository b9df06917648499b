"""A few dozen cases with fixed seeds find nothing, and the harness survives cases that crash or hang."""

from __future__ import annotations

import time

import pytest

from torture.case import Report, run_case
from torture.kinds import KINDS, time_limits
from torture.kinds.selftest import SELF_TESTS
from torture.pool import run_cases
from torture.table import Tally, summary

CASES = {
    "reach": range(1, 25),
    "distances": range(1, 13),
    "solutions": range(1, 13),
    "placements": range(1, 7),
    "texts": (1, 2, 3, 4, 5, 6, 8, 9, 10, 11),
    "large": (1,),
    "time": (2,),
    "memory": (1,),
    "commands": (1,),
    "signals": (1,),
    "files": (3, 7, 9, 10, 11, 13, 14),
    "threads": (1, 2, 3, 4),
    "forks": (2,),
    "kills": (37,),
}
"""Seeds for each kind: many where a case takes milliseconds, one where it starts processes."""


def test_every_kind_has_cases() -> None:
    assert list(CASES) == list(KINDS)


@pytest.mark.parametrize("name", KINDS)
def test_cases_find_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "MAX_OVERRUN_SECONDS", float("inf"))  # however slow the machine is
    for seed in CASES[name]:
        report = run_case(KINDS[name], seed)
        assert report.failures == [], f"python -m torture {name} {seed}"
        assert report.checks > 0


def test_cases_are_determined_by_their_seeds() -> None:
    told: list[list[str]] = [[], []]
    for words in told:
        run_case(KINDS["reach"], 7, words.append)
    assert told[0] == told[1]
    assert told[0]


def test_the_harness_survives_its_cases() -> None:
    waiting = [(SELF_TESTS[name], 5) for name in SELF_TESTS]
    tally = Tally.of(SELF_TESTS)
    for report in run_cases(lambda: waiting.pop() if waiting else None, 2, time.monotonic() + 3600):
        if report is not None:
            tally.add(report)
    assert {name: (row.cases, row.failures, row.timed_out) for name, row in tally.rows.items()} == {
        "crash": (1, 1, 0),
        "wait": (1, 1, 0),
        "compute": (1, 0, 1),
        "fail": (1, 1, 0),
    }
    text = summary(tally)
    assert "python -m torture crash 5\n      about to crash: the process ended by SIGSEGV" in text
    assert "python -m torture wait 5\n      about to wait: stopped after 4 s" in text
    assert "one and one: sum is 2, expected 3" in text


def test_overruns_and_growths_are_summed_up() -> None:
    tally = Tally.of(["time"])
    overruns = [(1.0, k / 100) for k in range(101)]
    tally.add(Report("time", 1, overruns=overruns, growths=[(10**6, 3 * 10**6)]))
    lines = [line.split() for line in summary(tally).splitlines()]
    assert ["time", "101", "0.50", "s", "0.95", "s", "1.00", "s", "time", "1"] in lines
    assert ["memory", "1", *["2.00", "MB"] * 3, "time", "1"] in lines
