"""Files with flipped bytes, cut off or with changed fields are refused, or what is read is right."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import slidelab as sl
from reach.twins import Twin, twin
from slidelab.atlas import write_atlas
from slidelab.distance.checkpoint import Checkpoint
from slidelab.errors import PuzzleError
from torture.case import Case
from torture.commands import check_end, run_command
from torture.oracle import distances_from, layers_from, replay
from torture.puzzles import draw_small

__all__ = ["damage", "run"]

TRIES = 12
"""Damaged copies of each file."""


class _Crash(Exception):
    """Ends a search in the middle."""


def run(case: Case) -> None:
    """Write one file, damage it in several ways, and read it each time."""
    name = case.rng.choice(list(TASKS))
    case.about(name)
    TASKS[name](case)


def damage(rng: Random, content: bytes) -> bytes:
    """Return a file with bytes flipped, cut off, doubled or overwritten."""
    data = bytearray(content)
    at = rng.randrange(len(data)) if data else 0
    match rng.choice(["flip", "flip", "cut", "double", "zero", "append", "empty"]):
        case "flip":
            for _ in range(rng.choice([1, 1, 5])):
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        case "cut":
            del data[at:]
        case "double":
            data[at:at] = data[at : at + rng.randint(1, 100)]
        case "zero":
            end = min(len(data), at + rng.randint(1, 100))
            data[at:end] = bytes(end - at)
        case "append":
            data += rng.randbytes(rng.randint(1, 50))
        case _:
            data.clear()
    return bytes(data)


def forge(rng: Random, value: Any) -> Any:
    """Return a JSON value in which one field, chosen at random, is replaced by another value."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.1:
            return {other: entry for other, entry in value.items() if other != key}
        return {**value, key: forge(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], forge(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.6:
        return value + rng.choice([-1, 1, 1000, 2**70])
    return rng.choice([None, True, -1, 10**30, 0.5, "", "a", [], {}, [[]], "1:0>1", float("nan")])


def _check_solution(case: Case) -> None:
    made = draw_small(case.rng, 2000)
    with case.attempt("solution file", PuzzleError):
        start = made.puzzle.shuffle(case.rng.randrange(1000))
        solution = made.puzzle.solve(start)
        case.about(f"solution of {start.text}")
        content = json.dumps(solution.to_json())
        path = case.folder / "solution.json"
        for _ in range(TRIES):
            if case.rng.random() < 0.6:
                path.write_text(json.dumps(forge(case.rng, json.loads(content))))
            else:
                path.write_bytes(damage(case.rng, content.encode()))
            _read_solution(case, made, path)


def _read_solution(case: Case, made: Twin, path: Path) -> None:
    with case.attempt(f"damaged solution {path.read_bytes()!r:.150}", PuzzleError):
        found = sl.read_document(path).solution()
        if found is not None and found.puzzle == made.puzzle:
            wrong = replay(made, found.start, found.goal, found.moves)
            case.check(not wrong, f"a damaged solution is accepted: {wrong}")


def _check_puzzle(case: Case) -> None:
    made = draw_small(case.rng, 2000)
    case.about(f"file with {made.puzzle.text}")
    path = case.folder / "puzzle.json"
    for _ in range(TRIES):
        if case.rng.random() < 0.6:
            path.write_text(json.dumps(forge(case.rng, made.puzzle.to_json())))
        else:
            path.write_bytes(damage(case.rng, json.dumps(made.puzzle.to_json()).encode()))
        with case.attempt(f"damaged puzzle {path.read_bytes()!r:.150}", PuzzleError):
            found = sl.puzzle(path)
            case.same(sl.puzzle(found.to_json()), found, "puzzle from its JSON")


def _check_checkpoint(case: Case) -> None:
    made = draw_small(case.rng, 2000, coloured=0.2)
    start = case.rng.choice(list(made.plain.all_configurations()))
    begin = made.configuration(start)
    expected = tuple(map(len, layers_from(made, start)))
    case.about(f"checkpoint of {begin.text}")
    stop, saves = case.rng.randint(1, max(1, len(expected) - 1)), 0
    real = Checkpoint.save

    def save(self: Checkpoint, search: Any) -> None:
        nonlocal saves
        real(self, search)
        saves += 1
        if saves == stop:
            raise _Crash

    folder = case.folder / "layers"
    with patch.object(Checkpoint, "save", save), case.attempt("search that stops", _Crash):
        made.puzzle.distances(begin, checkpoint=folder)
    files = {path: path.read_bytes() for path in sorted(folder.iterdir())}
    for _ in range(TRIES if files else 0):
        path = case.rng.choice(list(files))
        for other, content in files.items():
            other.write_bytes(content)
        path.write_bytes(damage(case.rng, files[path]))
        for other in set(folder.iterdir()) - files.keys():
            other.unlink()
        with case.attempt(f"damaged {path.name}", PuzzleError):
            found = made.puzzle.distances(begin, checkpoint=folder)
            case.same(found.distribution, expected, f"distribution after damage to {path.name}")


def _check_atlas(case: Case) -> None:
    path = case.folder / "atlas.jsonl"
    whole = _nine()
    for _ in range(TRIES):
        path.write_bytes(damage(case.rng, whole))
        with case.attempt("damaged atlas", PuzzleError):
            write_atlas(path, 9)
            case.check(path.read_bytes() == whole, "an atlas with damage is continued")


@cache
def _nine() -> bytes:
    return (Path(__file__).resolve().parents[3] / "docs" / "atlas" / "gourds-9.jsonl").read_bytes()


EIGHT_CELLS = [(x, y) for x in range(4) for y in range(2)]


def _check_databases(case: Case) -> None:
    """Solve with damaged pattern databases: they are built again, so that solutions stay shortest."""
    made = twin("square", EIGHT_CELLS, "tiles", 1)
    text = made.puzzle.text
    if not check_end(case, run_command(case, "pdb", "build", text, "--tables", "10k"), (0,)):
        return
    true = _eight_distances()
    files = sorted((case.folder / "cache").glob("*.patterns"))
    case.check(files, "no pattern databases are stored")
    for _ in range(2):
        for path in files:
            path.write_bytes(damage(case.rng, path.read_bytes()))
        start = made.puzzle.shuffle(case.rng.randrange(10**6))
        words = ["solve", text, "--start", start.pieces_text, "--method", "ida", "--json"]
        ended = run_command(case, *words)
        if check_end(case, ended, (0,)):
            case.same(json.loads(ended.out)["length"], true[made.config(start)], f"length, {ended.line}")
        check_end(case, run_command(case, "pdb", "list"), (0,))


@cache
def _eight_distances() -> dict[Any, int]:
    made = twin("square", EIGHT_CELLS, "tiles", 1)
    return distances_from(made, made.config(made.puzzle.goal))


TASKS = {
    "solution": _check_solution,
    "puzzle": _check_puzzle,
    "checkpoint": _check_checkpoint,
    "atlas": _check_atlas,
    "databases": _check_databases,
}
"""Kinds of files."""
