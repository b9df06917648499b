"""Pattern tables on the disk: made once, mapped by every run after that.

A file holds the tables of one shape: a line of JSON that says which, padded to a page; the distances of
single pieces; the tables, packed, each on a page of its own; and a checksum of each of these parts. Tables
are mapped, not read: runs share one copy in memory. A damaged file is noticed when it is opened, and
made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.errors import Damaged, PuzzleError
from slidelab.files import PARTIAL_SUFFIX, atomic_write
from slidelab.gains import GainGraph
from slidelab.solve.patterns.databases import Patterns, Table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Stored", "cache_folder", "check_folder", "clear", "keep", "sizes_kept", "stored", "stored_for"]

FORMAT = "slidelab patterns 1"
PAGE = 4096
SUFFIX = ".patterns"
_NAME = re.compile(r"[0-9a-f]{24}-[0-9]+\.patterns")
MOST_HEADER = 1 << 22


def cache_folder() -> Path:
    """Where tables are kept: `SLIDELAB_CACHE`, or a folder of the user's cache."""
    own = os.environ.get("SLIDELAB_CACHE")
    if own:
        return Path(own)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "slidelab"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "slidelab"


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of tables: what it says of itself."""

    path: Path
    puzzle: str
    holes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    size: int
    seconds: float
    header: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            "puzzle": self.puzzle,
            "holes": list(self.holes),
            "groups": [len(group) for group in self.groups],
            "bytes": self.size,
            "seconds": self.seconds,
            "file": self.path.name,
        }

    def load(self, graph: GainGraph, shape: int) -> Patterns:
        """Map the tables; `Damaged` if anything in the file is not as it was written."""
        return _load(self, graph, shape)


def _key(graph: GainGraph, shape: int) -> str:
    what = json.dumps([FORMAT, graph.puzzle.to_json(), graph.slots(shape)], separators=(",", ":"))
    return hashlib.sha256(what.encode()).hexdigest()[:24]


def check_folder() -> None:
    """Can files be kept there at all?"""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise PuzzleError(f"could not keep tables in {folder}: {error.strerror}") from None


def keep(patterns: Patterns) -> Path:
    """Write tables into the cache folder, whole or not at all."""
    import numpy as np

    from slidelab import _core

    folder = cache_folder()
    arrays = [patterns.alone.reshape(-1).view(np.uint8), *(table.data for table in patterns.tables)]
    room = len(json.dumps(_header(patterns, []))) + 64 * (len(arrays) + 1)  # the places come in, too
    at = first = -(-room // PAGE) * PAGE
    places: list[list[int]] = []
    for array in arrays:
        places.append([at, len(array)])
        at = -(-(at + len(array)) // PAGE) * PAGE
    line = json.dumps(_header(patterns, places)).encode().ljust(first - 1) + b"\n"
    path = folder / f"{_key(patterns.graph, patterns.shape)}-{patterns.size}{SUFFIX}"
    sums = [_core.checksum(part) for part in (np.frombuffer(line, dtype=np.uint8), *arrays)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as file:
            file.write(line)
            for array, (place, _) in zip(arrays, places, strict=True):
                file.write(bytes(place - file.tell()))
                file.write(array.data)
            file.write(bytes(at - file.tell()))
            file.write(np.array(sums, dtype="<u8").tobytes())
    except OSError as error:
        raise PuzzleError(f"could not keep tables in {folder}: {error.strerror}") from None
    return path


def _header(patterns: Patterns, places: list[list[int]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": patterns.graph.puzzle.text,
        "holes": list(patterns.graph.holes(patterns.shape)),
        "key": _key(patterns.graph, patterns.shape),
        "groups": [list(group) for group in patterns.groups],
        "tables": [[table.pieces, table.halves, table.step, table.cut] for table in patterns.tables],
        "alone": list(patterns.alone.shape),
        "seconds": round(patterns.seconds, 2),
        "places": places,
    }


def _read_header(path: Path) -> Stored:
    try:
        with path.open("rb") as file:
            line = file.readline(MOST_HEADER)
            length = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise Damaged(f"could not read {path.name}: {error.strerror}") from None
    try:
        header = json.loads(line)
        if header["format"] != FORMAT:
            raise ValueError
        groups = tuple(tuple(int(slot) for slot in group) for group in header["groups"])
        places = [(int(at), int(size)) for at, size in header["places"]]
        if any(at < len(line) or size < 0 for at, size in places):
            raise ValueError
        end = -(-sum(places[-1]) // PAGE) * PAGE + 8 * (len(places) + 1)
        if len(places) != len(groups) + 1 or len(header["tables"]) != len(groups) or length != end:
            raise ValueError
        return Stored(
            path,
            str(header["puzzle"]),
            tuple(int(hole) for hole in header["holes"]),
            groups,
            sum(size for _, size in places[1:]),
            float(header["seconds"]),
            {**header, "places": places, "line": len(line)},
        )
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError):
        raise Damaged(f"{path.name} is damaged: expected a whole file of pattern tables") from None


def _load(found: Stored, graph: GainGraph, shape: int) -> Patterns:
    import numpy as np

    from slidelab import _core

    damaged = Damaged(f"{found.path.name} is damaged: its checksum does not fit")
    try:
        whole: NDArray[np.uint8] = np.memmap(found.path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):
        raise damaged from None
    header, places = found.header, found.header["places"]
    sums = np.frombuffer(whole[-8 * (len(places) + 1) :].tobytes(), dtype="<u8").tolist()
    parts = [whole[: header["line"]], *(whole[at : at + size] for at, size in places)]
    if [_core.checksum(np.asarray(part)) for part in parts] != sums:
        raise damaged
    if header["key"] != _key(graph, shape):
        raise Damaged(f"{found.path.name} is damaged: it holds tables of another puzzle")
    try:
        alone = np.array(parts[1]).view(np.uint16).reshape(header["alone"])
        tables = tuple(
            Table(np.asarray(part), int(pieces), bool(halves), int(step), int(cut))
            for part, (pieces, halves, step, cut) in zip(parts[2:], header["tables"], strict=True)
        )
    except (ValueError, TypeError, OverflowError):
        raise damaged from None
    return Patterns(graph, shape, alone, found.groups, tables, found.seconds)


def _files(pattern: str) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in cache_folder().glob(pattern) if _NAME.fullmatch(path.name))
    return []


def stored() -> Iterator[Stored | Path]:
    """All files of tables; those that make no sense as they are."""
    for path in _files(f"*{SUFFIX}"):
        try:
            yield _read_header(path)
        except Damaged:
            yield path


def sizes_kept(graph: GainGraph, shape: int) -> dict[Path, int]:
    """All files for one shape of a puzzle, damaged or not, with the size of their tables by their names."""
    paths = _files(f"{_key(graph, shape)}-*{SUFFIX}")
    return {path: int(path.stem.rpartition("-")[2]) for path in paths}


def stored_for(graph: GainGraph, shape: int) -> list[Stored]:
    """The files for one shape of a puzzle that are whole, as far as a glance tells; largest tables first."""
    out = []
    for path in sizes_kept(graph, shape):
        with suppress(Damaged):
            out.append(_read_header(path))
    return sorted(out, key=lambda found: -found.size)


def clear(puzzle: str | None = None) -> tuple[int, int]:
    """Remove all tables, or those of one puzzle (and what makes no sense); how many files, how many bytes."""
    count = freed = 0
    for found in list(stored()):
        if isinstance(found, Stored) and puzzle is not None and found.puzzle != puzzle:
            continue
        path = found.path if isinstance(found, Stored) else found
        with suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            count, freed = count + 1, freed + size
    for part in cache_folder().glob(f".*{SUFFIX}.*{PARTIAL_SUFFIX}") if puzzle is None else []:
        with suppress(OSError):  # what a killed run was just writing
            part.unlink()
    return count, freed
