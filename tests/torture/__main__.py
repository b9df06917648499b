"""The command line of the harness: ``python -m torture --minutes 5``, or ``python -m torture KIND SEED``."""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
from collections.abc import Callable

from slidelab.budget import available_cores
from torture.case import Kind, run_case
from torture.kinds import KINDS
from torture.pool import run_cases
from torture.table import Tally, live_line, summary

__all__ = ["main"]


def main() -> int:
    """Run cases for some minutes, or repeat one; return 1 if there was a failure."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a script
        signal.signal(signal.SIGINT, signal.default_int_handler)
    given = _parse()
    if given.case:
        return _repeat(KINDS[given.case[0]], int(given.case[1]))
    kinds = {name: KINDS[name] for name in given.kinds}
    tally = Tally.of(kinds)
    first = random.SystemRandom().randrange(10**6) * 1000 if given.seed is None else given.seed
    end = time.monotonic() + 60 * given.minutes
    try:
        for report in run_cases(_fair(kinds, tally, first), given.workers, end):
            if report is not None:
                tally.add(report)
            live_line(tally, end - time.monotonic())
    except KeyboardInterrupt:
        print("\nstopped; the cases so far:", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(summary(tally))
    return int(tally.failures > 0)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("case", nargs="*", help="KIND SEED: repeat one case in this process")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long cases are drawn (5)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="only these kinds")
    parser.add_argument("--workers", type=int, default=available_cores(), help="processes (all cores)")
    parser.add_argument("--seed", type=int, help="seed of the first case (by default a random one)")
    given = parser.parse_args()
    if given.case and (len(given.case) != 2 or given.case[0] not in KINDS or not given.case[1].isdigit()):
        parser.error(f"expected a kind ({', '.join(KINDS)}) and a seed, got {' '.join(given.case)}")
    return given


def _fair(kinds: dict[str, Kind], tally: Tally, first: int) -> Callable[[], tuple[Kind, int]]:
    """Return a function that draws the kind on which the least time was spent, with a new seed each time."""
    begun = dict.fromkeys(kinds, 0)

    def draw() -> tuple[Kind, int]:
        # What is running counts as a second, so that two workers do not begin the same kind.
        def spent(name: str) -> float:
            return tally.rows[name].seconds + begun[name] - tally.rows[name].cases

        name = min(kinds, key=lambda name: (spent(name), begun[name]))
        begun[name] += 1
        return kinds[name], first + begun[name] - 1

    return draw


def _repeat(kind: Kind, seed: int) -> int:
    """Run one case here and print what it does."""
    report = run_case(kind, seed, lambda text: print(text, flush=True))
    for limit, over in report.overruns:
        print(f"time limit {limit} s, exceeded by {over:.3f} s")
    for most, growth in report.growths:
        print(f"memory limit {most:,} bytes, grown by {growth:,}")
    for reason in report.failures:
        print(f"FAILURE {reason}")
    print(f"{report.checks} checks, {len(report.failures)} failures, {report.seconds:.1f} s")
    return int(bool(report.failures))


if __name__ == "__main__":
    sys.exit(main())
