"""Searches that stop in the middle, and the folders they leave."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EIGHT = "square R(3,3)"
START = "1 2 3 4 5 6 7 8 ."


class Stop(Exception):
    """Ends a search as if the machine had crashed."""


class Saved(list[tuple[Path, int]]):
    """The layers that were written, in order; after `stop_at` of them the run ends."""

    stop_at: int | None = None


def stop_after(saved: Saved, layers: int, task: Callable[[], Any]) -> None:
    """Run a task until so many layers are saved."""
    saved.stop_at = layers
    with pytest.raises(Stop):
        task()
    saved.stop_at = None
    saved.clear()


def layer_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("layer-*.bin"))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def resume(folder: Path) -> list[str]:
    """Return the command that resumes the search of the 8-puzzle."""
    return ["god", EIGHT, "--start", START, "--checkpoint", str(folder)]
