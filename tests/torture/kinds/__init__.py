"""The kinds of cases, one module each; `KINDS` has all of them by name."""

from __future__ import annotations

from torture.case import Kind
from torture.kinds import (
    commands,
    distances,
    files,
    forks,
    kills,
    large,
    memory_limits,
    placements,
    reach,
    signals,
    solutions,
    texts,
    threads,
    time_limits,
)

__all__ = ["KINDS"]

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("reach", reach.run),
        Kind("distances", distances.run),
        Kind("solutions", solutions.run),
        Kind("placements", placements.run),
        Kind("texts", texts.run),
        Kind("large", large.run, hard_seconds=240.0),
        Kind("time", time_limits.run, limited=True),
        Kind("memory", memory_limits.run, hard_seconds=240.0),
        Kind("commands", commands.run, hard_seconds=240.0),
        Kind("signals", signals.run, hard_seconds=240.0),
        Kind("files", files.run),
        Kind("threads", threads.run),
        Kind("forks", forks.run),
        Kind("kills", kills.run, hard_seconds=600.0),
    )
}
"""All kinds by name, in the order of the table."""
