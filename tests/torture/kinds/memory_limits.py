"""Memory limits: a process of its own asks a question, and measures how much it grew."""

from __future__ import annotations

import json
import subprocess
import sys

from torture.case import Case
from torture.commands import TESTS
from torture.requests import draw_request, prepare

__all__ = ["run"]

WORKING_BYTES = 50_000_000
"""What slidelab takes for small things whatever the limit (docs of `Budget`)."""

MAX_RATIO, MAX_EXTRA_BYTES = 1.5, 60_000_000
"""Growth beyond the limit that is a failure: numpy, the allocator and Python's own objects come on top."""

SECONDS = 20
"""Time limit of the question, so that a case ends."""


def run(case: Case) -> None:
    """Ask one question with a random memory limit."""
    request, _ = draw_request(case.rng)
    limit = int(10 ** case.rng.uniform(5, 9.3))
    case.about(f"{ {**request, 'puzzle': request['puzzle'][:100], 'memory': limit} }")
    if request["question"] == "cycle" or not prepare(request):
        return
    request["limits"] = {"memory": limit, "time": SECONDS}
    with case.attempt("memory probe"):
        done = subprocess.run(
            [sys.executable, "-m", "torture.memory_probe"],
            cwd=TESTS,
            input=json.dumps(request),
            capture_output=True,
            text=True,
        )
        if not case.check(done.returncode == 0, f"exit code {done.returncode}: {_last_line(done.stderr)}"):
            return
        found = json.loads(done.stdout)
        growth = int(found["growth"])
        case.report.growths.append((limit, growth))
        most = MAX_RATIO * max(limit, WORKING_BYTES) + MAX_EXTRA_BYTES
        outcome = f"{found['outcome']:.80}"
        case.check(growth <= most, f"grew by {growth // 10**6} MB, limit {limit // 10**6} MB ({outcome})")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["nothing on standard error"])[-1]
