"""What a case is: a kind, a seed, random numbers, a folder, and a report of what was checked."""

from __future__ import annotations

import os
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any

__all__ = ["Case", "Kind", "Report", "describe_error", "run_case"]

MAX_REASON = 300
"""Characters of the reason of a failure, which is printed on one line."""

MAX_FAILURES = 5
"""Failures of one case that are kept; more say nothing new."""


@dataclass(slots=True)
class Report:
    """What one case checked and measured; sent from a worker to the harness."""

    kind: str
    seed: int
    checks: int = 0
    failures: list[str] = field(default_factory=list)
    overruns: list[tuple[float, float]] = field(default_factory=list)
    """Time limit and seconds beyond it, for each call with a limit."""
    growths: list[tuple[int, int]] = field(default_factory=list)
    """Memory limit and growth of the resident memory in bytes, for each call with a limit."""
    seconds: float = 0.0
    timed_out: str = ""
    """What the case was doing when it was stopped; empty if it ended by itself."""


class Case:
    """One case while it runs.

    Parameters
    ----------
    report
        Where checks and failures are counted; its kind and seed determine all random numbers.
    folder
        An empty folder that is removed when the case ends.
    tell
        Called with a few words before each step, so that a hang or a crash can be described.
    """

    def __init__(self, report: Report, folder: Path, tell: Callable[[str], object]) -> None:
        self.report = report
        self.folder = folder
        self.rng = Random(f"{report.kind} {report.seed}")
        self._tell = tell
        self._subject = ""

    def about(self, subject: str) -> None:
        """Say what the next steps are about: it begins the reason of every failure."""
        self._subject = subject
        self._tell(subject)

    def fail(self, reason: str) -> None:
        """Record a failure."""
        if len(self.report.failures) < MAX_FAILURES:
            line = " ".join(f"{self._subject}: {reason}".split())
            self.report.failures.append(line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 3]}...")

    def check(self, fact: object, reason: str) -> bool:
        """Count a check, record a failure if the fact is false, and return whether it is true."""
        self.report.checks += 1
        if not fact:
            self.fail(reason)
        return bool(fact)

    def same(self, found: object, expected: object, what: str) -> bool:
        """Check that two values are equal."""
        return self.check(found == expected, f"{what} is {found!r:.80}, expected {expected!r:.80}")

    @contextmanager
    def attempt(self, what: str, *allowed: type[BaseException]) -> Iterator[None]:
        """Run a block; any exception but the allowed ones is a failure. Either way the case goes on."""
        self._tell(f"{self._subject}: {what}")
        self.report.checks += 1
        try:
            yield
        except allowed:
            pass
        except Exception as error:
            self.fail(f"{what}: {describe_error(error)}")

    @contextmanager
    def refused(self, what: str, expected: type[Exception]) -> Iterator[None]:
        """Run a block that must raise `expected`."""
        self._tell(f"{self._subject}: {what}")
        self.report.checks += 1
        try:
            yield
        except expected:
            return
        except Exception as error:
            self.fail(f"{what}: expected {expected.__name__}, got {describe_error(error)}")
            return
        self.fail(f"{what}: expected {expected.__name__}, got an answer")

    @contextmanager
    def timed(self, limit: float | None) -> Iterator[None]:
        """Record by how much a block exceeds its time limit."""
        begin = time.monotonic()
        try:
            yield
        finally:
            if limit is not None:
                self.report.overruns.append((limit, max(0.0, time.monotonic() - begin - limit)))


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of case.

    Attributes
    ----------
    name : str
    run : function of a Case
    hard_seconds : float
        Seconds after which a case is stopped from outside.
    limited : bool
        Whether all that such a case does has a time limit of its own, so that a case that is stopped from
        outside is a failure.
    """

    name: str
    run: Callable[[Case], None]
    hard_seconds: float = 120.0
    limited: bool = False


def run_case(kind: Kind, seed: int, tell: Callable[[str], object] = lambda _: None) -> Report:
    """Run one case in this process and return its report."""
    report = Report(kind.name, seed)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="torture-", ignore_cleanup_errors=True) as name:
        before = os.environ.get("SLIDELAB_CACHE")
        folder = Path(name)
        (folder / "cache").mkdir()
        os.environ["SLIDELAB_CACHE"] = str(folder / "cache")
        case = Case(report, folder, tell)
        try:
            kind.run(case)
        except Exception as error:
            case.fail(describe_error(error))
        finally:
            if before is None:
                del os.environ["SLIDELAB_CACHE"]
            else:
                os.environ["SLIDELAB_CACHE"] = before
    report.seconds = time.monotonic() - begin
    return report


def describe_error(error: BaseException) -> str:
    """Return an exception and the innermost line of slidelab (or of the harness) that it passed through."""
    text = f"{type(error).__name__}: {error}"
    if len(text) > 160:
        text = f"{text[:157]}..."
    return f"{text} ({_innermost(error.__traceback__)})"


def _innermost(trace: TracebackType | None) -> str:
    frames: list[Any] = traceback.extract_tb(trace)
    own = [frame for frame in frames if "slidelab/" in frame.filename] or frames
    if not own:
        return "no traceback"
    last = own[-1]
    return f"{'/'.join(Path(last.filename).parts[-2:])}:{last.lineno}"
