"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from slidelab.budget import ProgressCallback

DELAY_SECONDS = 1.0
"""Computations that take less time than this get no bar."""

RATE_SECONDS = 0.5
"""Time after which the rate of a phase is steady enough to be printed."""

PHASES = {"tree": "walks", "giants": "group", "verify": "proof"}
"""Names of phases that differ from those that the core reports."""


@contextmanager
def progress_bar(wanted: bool = True) -> Iterator[ProgressCallback | None]:
    """Yield a callback that draws a bar, or None if none is wanted or standard error is not a terminal."""
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        try:
            bar.stop()
        except KeyboardInterrupt:  # it came too early to stop the bar, which would hide the message
            bar.stop()
            raise


class _Bar:
    """The phase, how far it is, its rate, and the time left."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._last_done = 0
        self._phase_start = (0.0, 0)

    def __call__(self, phase: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._began < DELAY_SECONDS:
            return
        if self._bar is None:
            self._bar = _new_bar()
            self._bar.start()
        name, _, number = phase.partition(" ")  # one task for "layer 1", "layer 2", ...
        description = PHASES.get(phase, phase)
        if name in self._tasks and done < self._last_done:  # the next search begins
            self._bar.remove_task(self._tasks.pop(name))
        if name not in self._tasks:
            for other in self._tasks.values():
                self._bar.update(other, visible=False)
            self._tasks[name] = self._bar.add_task(description, total=total or None, rate="")
            self._phase_start = (now, done)
        self._last_done = done
        rate = ""
        if number and (seconds := now - self._phase_start[0]) > RATE_SECONDS:
            rate = f"{(done - self._phase_start[1]) / seconds / 1e6:,.0f} M/s"
        self._bar.update(
            self._tasks[name], completed=done, total=total or None, description=description, rate=rate
        )

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()


def _new_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description:9}"),
        BarColumn(),
        TextColumn("{task.completed:>12,.0f}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
