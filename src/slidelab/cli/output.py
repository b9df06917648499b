"""Writing: JSON, one-line messages, and a bar for anything that takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from slidelab.budget import ProgressCallback


def json_text(value: Any) -> str:
    from json import dumps

    return dumps(value, ensure_ascii=False)


def print_json(value: Any) -> None:
    print(json_text(value))


def print_chunks(chunks: Iterable[str]) -> None:
    """A line that need not be in memory all at once."""
    for chunk in chunks:
        sys.stdout.write(chunk)
    print()


def say(message: str, code: int) -> int:
    print(f"slidelab: {' '.join(message.split())}", file=sys.stderr)
    return code


@contextmanager
def showing_progress() -> Iterator[ProgressCallback | None]:
    """A bar on standard error for anything that takes longer than a second, if someone is watching."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar()
    try:
        yield bar
    finally:
        bar.stop()


_PHASES = {"tree": "walks", "giants": "group", "verify": "proof"}


class _Bar:
    """Appears after a second; then shows phase, how far, and the time left."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._bar: Any = None
        self._tasks: dict[str, Any] = {}
        self._last = 0
        self._since = (0.0, 0)

    def __call__(self, phase: str, done: int, total: int) -> None:
        if time.monotonic() - self._began < 1:
            return
        if self._bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description:9}"),
                BarColumn(),
                TextColumn("{task.completed:>12,.0f}"),
                TextColumn("{task.fields[rate]}"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
        name, _, number = phase.partition(" ")  # "layer 37": one task, whatever the layer
        shown = _PHASES.get(phase, phase)
        if name in self._tasks and done < self._last:  # the next search begins
            self._bar.remove_task(self._tasks.pop(name))
        if name not in self._tasks:
            for other in self._tasks.values():
                self._bar.update(other, visible=False)
            self._tasks[name] = self._bar.add_task(shown, total=total or None, rate="")
            self._since = (time.monotonic(), done)
        self._last = done
        rate = ""
        if number and (seconds := time.monotonic() - self._since[0]) > 0.5:
            rate = f"{(done - self._since[1]) / seconds / 1e6:,.0f} M/s"
        self._bar.update(self._tasks[name], completed=done, total=total or None, description=shown, rate=rate)

    def stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
