"""Exhaustive searches on a disk and by several processes survive SIGKILL at random moments."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import slidelab as sl
from commands import alive, processes_below
from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.search import Search
from slidelab.distance.starts import read_start
from torture.case import Case
from torture.commands import leftovers

__all__ = ["run"]

PUZZLES = (
    "square R(4,2)",
    "square R(5,2)",
    "square R(3,3)",
    "square R(3,3) tiles 2",
    "king R(3,3)",
    "hex Ttr(4) hextiles 2",
    "hex F(2) gourds 1",
)
"""Puzzles of at most some hundred thousand configurations, with one plane and with two."""

MPIEXEC = Path(sys.executable).with_name("mpiexec")

MAX_KILLS = 4
"""Times that a search is killed."""

SECONDS = 200.0
"""Seconds after which a command hangs."""


def run(case: Case) -> None:
    """Kill a search some times, resume it each time, and compare its layers with those of another search."""
    rng = case.rng
    text = rng.choice(PUZZLES)
    kinds = ["disk", "ranks", "ranks"] if MPIEXEC.exists() else ["disk"]
    kind = rng.choice(kinds)
    case.about(f"{kind}, {text}")
    start, expected = _layers(text)
    folder = case.folder / "layers"
    command = ["god", text, "--start", start, "--json", "--threads", str(rng.choice([1, 2]))]
    command += ["--disk" if kind == "disk" else "--checkpoint", str(folder)]
    if kind == "disk":  # so little that there are several shards, if there can be
        command += ["--memory", rng.choice(["200k", "1M", "60M"])] if text in PUZZLES[:2] else []
    for _ in range(rng.randint(1, MAX_KILLS)):
        _kill(case, _started(command, kind, rng), folder, rng)
        if case.report.failures:
            return
    alone = kind == "ranks" and (folder / "layers.json").exists() and rng.random() < 0.3
    process = _popen(command) if alone else _started(command, kind, rng)
    out, err = process.communicate(timeout=SECONDS)
    last = (err.strip().splitlines() or ["nothing"])[-1]
    if case.check(process.returncode == 0, f"exit code {process.returncode} in the end: {last}"):
        case.same(json.loads(out)["distribution"], expected, "distribution after kills")
        case.same([path.name for path in folder.iterdir()], ["result.json"], "files after the end")
    case.same(leftovers(case.folder), [], "unfinished files")


@cache
def _layers(text: str) -> tuple[str, list[int]]:
    """Return a start and its layers, by the search in one array with two planes."""
    puzzle = sl.puzzle(text)
    component = Component(read_start(puzzle, None), budget=Budget(threads=1))
    return component.start.pieces_text, Search(component).run(component.known_index(component.start))


def _started(command: list[str], kind: str, rng: random.Random) -> subprocess.Popen[str]:
    return _popen(command) if kind == "disk" else _popen(command, str(MPIEXEC), "-n", str(rng.randint(1, 4)))


def _popen(command: list[str], *launcher: str) -> subprocess.Popen[str]:
    known = {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "MPI", "OMPI", "SLURM", "HYD"))}
    return subprocess.Popen(
        [*launcher, sys.executable, "-m", "slidelab", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=known,
    )


def _newest(folder: Path) -> int:
    """Return the number of finished layers that the manifest lists."""
    with suppress(OSError, ValueError, KeyError):
        return len(json.loads((folder / "layers.json").read_bytes())["body"]["manifest"]["layers"])
    return 0


def _kill(case: Case, process: subprocess.Popen[str], folder: Path, rng: random.Random) -> None:
    """Kill one process of a search a moment after it has finished some more layers, and wait for the end."""
    layers = _newest(folder) + rng.randint(0, 8)
    begin = time.monotonic()
    while process.poll() is None and _newest(folder) < layers and time.monotonic() - begin < SECONDS:
        time.sleep(0.001)
    time.sleep(rng.choice([0.0, 0.01, 0.1]) * rng.random())
    below = list(processes_below(process.pid))
    ranks = [pid for pid in below if _is_rank(pid)]
    victim = rng.choice(ranks) if ranks else process.pid
    killed = process.poll() is None
    with suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
    try:
        _, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        case.fail(f"still running {SECONDS:.0f} s after a process was killed")
        return
    deadline = time.monotonic() + SECONDS
    while any(map(alive, below)) and time.monotonic() < deadline:
        time.sleep(0.01)
    case.check(not any(map(alive, below)), "processes outlive the one that was killed")
    case.check("Traceback" not in err, f"traceback: {err.strip()[-100:]}")
    late = process.returncode == 0  # it had answered
    case.check(killed or late, f"exit code {process.returncode} before it was killed: {err.strip()[-200:]}")
    if killed and not late:
        case.about(f"killed {'a rank' if ranks else 'the process'} after layer {_newest(folder)}")


def _is_rank(pid: int) -> bool:
    with suppress(OSError):
        return b"\0PMI_RANK=" in b"\0" + Path(f"/proc/{pid}/environ").read_bytes()
    return False
