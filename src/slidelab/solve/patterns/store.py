"""Pattern databases on disk: built once, memory-mapped by every later run.

A file holds the databases of one shape: a line of JSON that says which, padded to a page; the distances of
single pieces; the databases, packed, each from a new page on; and a checksum of each of these parts. Files
are mapped, not read: processes share one copy in memory. A damaged file is detected when it is opened, and
built again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from slidelab.budget import Budget, CacheNeutral
from slidelab.errors import Damaged, NotationError, PuzzleError
from slidelab.files import PARTIAL_SUFFIX, atomic_write
from slidelab.gains import GainGraph
from slidelab.solve.patterns.databases import (
    DEFAULT_DATABASE_BYTES,
    MAX_SLOTS,
    PatternDatabase,
    PatternDatabases,
    build_databases,
    can_know_regions,
    database_entries,
    has_room_for_regions,
)
from slidelab.solve.patterns.partition import Pattern
from slidelab.solve.patterns.symmetry import canonical_shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "StoredDatabases",
    "cache_folder",
    "check_folder",
    "clear",
    "databases_for",
    "files_to_clear",
    "list_stored",
    "save",
    "stored_for",
    "stored_sizes",
]

FORMAT = "slidelab patterns 2"
PAGE = 4096
SUFFIX = ".patterns"
_NAME = re.compile(r"[0-9a-f]{24}-[0-9]+\.patterns")
_PARTIAL = re.compile(rf"\.{_NAME.pattern}\.\w+{re.escape(PARTIAL_SUFFIX)}")
MAX_HEADER_BYTES = 1 << 22
"""Bytes of the longest header that is read; larger ones are damaged."""

MAX_PARTITIONS = 8
"""Partitions of a file; more would not be looked up."""

MIN_SAVED_SECONDS = 1.0
"""Databases that took at least so many seconds to build are saved without being asked for."""


def cache_folder() -> Path:
    """Return where databases are saved: `SLIDELAB_CACHE`, or a folder of the user's cache.

    Raises
    ------
    NotationError
        If the variable is set to nothing: the default is perhaps not the folder that was meant.
    """
    own = os.environ.get("SLIDELAB_CACHE")
    if own is not None:
        if not own.strip():
            raise NotationError("expected the name of a folder, got nothing - at SLIDELAB_CACHE")
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if sys.platform != "darwin" and Path(base).is_absolute():
        return Path(base) / "slidelab"
    try:
        home = Path.home()
    except RuntimeError:
        raise NotationError("expected a home folder for the cache, got none - set SLIDELAB_CACHE") from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "slidelab"


@dataclass(frozen=True, slots=True)
class StoredDatabases:
    """A file of pattern databases, as its header describes it."""

    path: Path
    puzzle: str
    holes: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    partitions: tuple[tuple[int, ...], ...]
    size: int
    seconds: float
    header: _HeaderForm = field(repr=False)
    header_bytes: int

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.puzzle,
            "holes": list(self.holes),
            "groups": [len(pattern) for pattern in self.patterns],
            "partitions": [list(partition) for partition in self.partitions],
            "bytes": self.size,
            "seconds": self.seconds,
            "file": self.path.name,
        }

    def load(self, graph: GainGraph, shape: int, budget: Budget | None = None) -> PatternDatabases:
        """Map the databases; raise `Damaged` if anything in the file is not as it was written."""
        return _load(self, graph, shape, budget or Budget())


def _key(graph: GainGraph, shape: int) -> str:
    what = json.dumps([FORMAT, graph.puzzle.to_json(), graph.slots(shape)], separators=(",", ":"))
    return hashlib.sha256(what.encode()).hexdigest()[:24]


def check_folder() -> None:
    """Raise `PuzzleError` if no files can be written to the cache folder."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(13, "Permission denied")
    except OSError as error:
        raise PuzzleError(f"could not save pattern databases in {folder}: {error.strerror}") from None


def save(databases: PatternDatabases) -> Path:
    """Write databases into the cache folder, whole or not at all."""
    import numpy as np

    from slidelab import _core

    folder = cache_folder()
    arrays = [databases.alone.reshape(-1).view(np.uint8), *(each.data for each in databases.databases)]
    # The header holds the positions of the parts, too.
    room = len(json.dumps(_header(databases, []))) + 64 * (len(arrays) + 1)
    at = first = -(-room // PAGE) * PAGE
    places: list[list[int]] = []
    for array in arrays:
        places.append([at, len(array)])
        at = -(-(at + len(array)) // PAGE) * PAGE
    line = json.dumps(_header(databases, places)).encode().ljust(first - 1) + b"\n"
    path = folder / f"{_key(databases.graph, databases.shape)}-{databases.size}{SUFFIX}"
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
        raise PuzzleError(f"could not save pattern databases in {folder}: {error.strerror}") from None
    return path


def _header(databases: PatternDatabases, places: list[list[int]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "puzzle": databases.graph.puzzle.text,
        "holes": list(databases.graph.holes(databases.shape)),
        "key": _key(databases.graph, databases.shape),
        "groups": [list(pattern) for pattern in databases.patterns],
        "partitions": [list(partition) for partition in databases.partitions],
        "tables": [[d.pieces, d.halves, d.step, d.cut] for d in databases.databases],
        "alone": list(databases.alone.shape),
        "seconds": round(databases.seconds, 2),
        "places": places,
    }


_Natural = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class _HeaderForm(msgspec.Struct, frozen=True):
    """The header of a file; anybody may have written it, so that every field is checked before it is used."""

    format: Literal["slidelab patterns 2"]
    puzzle: Annotated[str, msgspec.Meta(max_length=MAX_HEADER_BYTES)]
    holes: list[_Natural]
    key: str
    groups: list[list[Annotated[int, msgspec.Meta(ge=0, lt=MAX_SLOTS)]]]
    partitions: Annotated[list[list[_Natural]], msgspec.Meta(max_length=MAX_PARTITIONS)]
    tables: list[tuple[_Natural, bool, Annotated[int, msgspec.Meta(ge=1, le=255)], _Natural]]
    alone: tuple[_Natural, _Natural]
    seconds: Annotated[float, msgspec.Meta(ge=0, lt=1e9)]
    places: Annotated[list[tuple[_Natural, _Natural]], msgspec.Meta(min_length=1)]

    def fits(self, header_bytes: int, file_bytes: int) -> bool:
        """Return whether the parts follow one another through the whole file, one database a pattern."""
        at = -(-header_bytes // PAGE) * PAGE
        for place, size in self.places:
            if place != at:
                return False
            at = -(-(at + size) // PAGE) * PAGE
        if {number for partition in self.partitions for number in partition} != set(range(len(self.groups))):
            return False
        for partition in self.partitions:
            slots = [slot for number in partition for slot in self.groups[number]]
            if len(set(slots)) != len(slots):
                return False
        return (
            at + 8 * (len(self.places) + 1) == file_bytes
            and len(self.places) == len(self.groups) + 1
            and [pieces for pieces, *_ in self.tables] == [len(pattern) for pattern in self.groups]
            and all(len(pattern) > 1 for pattern in self.groups)
            and self.puzzle.isprintable()
        )


def _read_header(path: Path) -> StoredDatabases:
    try:
        with path.open("rb") as file:
            line = file.readline(MAX_HEADER_BYTES)
            length = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise Damaged(f"could not read {path.name}: {error.strerror}") from None
    damaged = Damaged(f"{path.name} is damaged: expected a complete file of pattern databases")
    try:
        form = msgspec.json.decode(line, type=_HeaderForm)
    except (ValueError, RecursionError):
        raise damaged from None
    if not form.fits(len(line), length):
        raise damaged
    patterns = tuple(map(tuple, form.groups))
    size = sum(size for _, size in form.places[1:])
    return StoredDatabases(
        path,
        form.puzzle,
        tuple(form.holes),
        patterns,
        tuple(map(tuple, form.partitions)),
        size,
        form.seconds,
        form,
        len(line),
    )


def _load(found: StoredDatabases, graph: GainGraph, shape: int, budget: Budget) -> PatternDatabases:
    import numpy as np

    from slidelab import _core

    damaged = Damaged(f"{found.path.name} is damaged: its checksum does not match")
    try:
        whole: NDArray[np.uint8] = np.memmap(found.path, dtype=np.uint8, mode="r")
    except (OSError, ValueError):
        raise damaged from None
    header = found.header
    if not header.fits(found.header_bytes, len(whole)):  # another file by now
        raise damaged
    sums = np.frombuffer(whole[-8 * (len(header.places) + 1) :].tobytes(), dtype="<u8").tolist()
    parts = [whole[: found.header_bytes], *(whole[at : at + size] for at, size in header.places)]
    if [_core.checksum(np.asarray(part), budget.check) for part in parts] != sums:
        raise damaged
    if header.key != _key(graph, shape):
        raise Damaged(f"{found.path.name} is damaged: it holds databases of another puzzle")
    if not _fits_puzzle(header, graph):
        raise Damaged(f"{found.path.name} is damaged: its sizes are not those of the puzzle")
    alone = np.array(parts[1]).view(np.uint16).reshape(header.alone)
    if any(alone[slot, spot] for slot, spot in enumerate(_goal_spots(graph, shape))):
        raise Damaged(f"{found.path.name} is damaged: pieces at their goal are not at distance 0")
    databases = tuple(
        PatternDatabase(np.asarray(part), pieces, halves, step, cut)
        for part, (pieces, halves, step, cut) in zip(parts[2:], header.tables, strict=True)
    )
    return PatternDatabases(graph, shape, alone, found.patterns, databases, found.partitions, found.seconds)


def _fits_puzzle(header: _HeaderForm, graph: GainGraph) -> bool:
    """Return whether the arrays have the sizes with which the core reads them."""
    pieces, spots = graph.puzzle.piece_count, len(graph.placements) * graph.puzzle.rule.turns
    (_, alone_bytes), *rest = header.places

    def fits(count: int, halves: bool, size: int) -> bool:
        entries = database_entries(graph, count)
        return size == (-(-entries // 2) if halves else entries) or (
            halves and size == entries and can_know_regions(graph, count)
        )

    return (
        header.alone == (pieces, spots)
        and alone_bytes == 2 * pieces * spots
        and all(slot < pieces for pattern in header.groups for slot in pattern)
        and all(fits(table[0], table[1], size) for table, (_, size) in zip(header.tables, rest, strict=True))
    )


def _lacks_regions(found: StoredDatabases, graph: GainGraph, database_bytes: int) -> bool:
    """Return whether databases of the same patterns that know the region of the hole would fit."""
    sizes = [len(pattern) for pattern in found.patterns]
    entries = sum(database_entries(graph, size) for size in sizes)
    return found.size < entries and has_room_for_regions(graph, sizes, database_bytes)


def _goal_spots(graph: GainGraph, shape: int) -> list[int]:
    """Return the spot of each slot of a shape."""
    turns = graph.puzzle.rule.turns
    return [graph.placement_number(cells) * turns for cells in graph.slots(shape)]


def _files(pattern: str) -> list[Path]:
    with suppress(OSError):
        return sorted(path for path in cache_folder().glob(pattern) if _NAME.fullmatch(path.name))
    return []


def list_stored() -> Iterator[StoredDatabases | Path]:
    """Yield all files of databases; damaged ones as paths."""
    for path in _files(f"*{SUFFIX}"):
        try:
            yield _read_header(path)
        except Damaged:
            yield path


def stored_sizes(graph: GainGraph, shape: int) -> dict[Path, int]:
    """Return all files for one shape, damaged or not, with the size of their databases by their names."""
    paths = _files(f"{_key(graph, shape)}-*{SUFFIX}")
    return {path: _named_size(path) for path in paths}


def _named_size(path: Path) -> int:
    """Return the size of the databases by the name of their file, if that is credible."""
    try:
        credible = max(path.stat().st_size, DEFAULT_DATABASE_BYTES)
    except OSError:
        credible = DEFAULT_DATABASE_BYTES
    return min(int(path.stem.rpartition("-")[2]), credible)


def stored_for(graph: GainGraph, shape: int) -> list[StoredDatabases]:
    """Return the files for one shape whose headers are valid, largest databases first."""
    out = []
    for path in stored_sizes(graph, shape):
        with suppress(Damaged):
            out.append(_read_header(path))
    return sorted(out, key=lambda found: -found.size)


def files_to_clear(puzzle: str | None = None) -> dict[Path, int]:
    """Return the files that `clear` removes, with their sizes in bytes: only ours, no folders or links."""
    paths = []
    for found in list_stored():
        if not isinstance(found, StoredDatabases):
            paths.append(found)
        elif puzzle is None or found.puzzle == puzzle:
            paths.append(found.path)
    if puzzle is None:  # also what a run left that was killed while writing
        with suppress(OSError):
            paths += sorted(path for path in cache_folder().iterdir() if _PARTIAL.fullmatch(path.name))
    sizes = {}
    for path in paths:
        with suppress(OSError):
            if stat.S_ISREG((status := path.lstat()).st_mode):
                sizes[path] = status.st_size
    return sizes


def clear(puzzle: str | None = None) -> tuple[int, int]:
    """Remove all databases, or those of one puzzle and damaged ones; return the number of files and bytes."""
    count = freed = 0
    for path, size in files_to_clear(puzzle).items():
        with suppress(OSError):
            path.unlink()
            count, freed = count + 1, freed + size
    return count, freed


def databases_for(
    graph: GainGraph,
    shape: int,
    database_bytes: int | None = None,
    *,
    partitions: int = 1,
    budget: Budget | None = None,
) -> PatternDatabases:
    """Return databases for goals of a shape: the largest on disk, or built now.

    The last few are cached in memory, and what took long to build is saved.

    Parameters
    ----------
    graph
    shape
        Number of the goal's shape; the databases are those of its `canonical_shape`.
    database_bytes
        At most about so many bytes; by default the largest that are saved, or 20 MB.
    partitions
        Partitions of the pieces if databases are built now.
    budget
    """
    budget = budget or Budget()
    shape = canonical_shape(graph, shape)
    return _databases(graph, shape, database_bytes, partitions, budget.memory, CacheNeutral(budget))


@lru_cache(maxsize=4)
def _databases(
    graph: GainGraph,
    shape: int,
    database_bytes: int | None,
    partitions: int,
    memory: int,
    neutral: CacheNeutral[Budget],
) -> PatternDatabases:
    budget = neutral.value
    if database_bytes == 0:
        return build_databases(graph, shape, 0, budget=budget)
    limit = memory // 2 if database_bytes is None else min(memory // 2, database_bytes)
    lost = stored_sizes(graph, shape)
    for found in stored_for(graph, shape):
        too_small = database_bytes is not None and 4 * found.size < database_bytes
        if found.size > limit or too_small or _lacks_regions(found, graph, database_bytes or 0):
            del lost[found.path]
            continue  # if a size is given, databases of about that size
        with suppress(Damaged):
            return found.load(graph, shape, budget)
    # Damaged databases are built again as large as they were: the next larger patterns take at least double.
    size = max([size * 3 // 2 for size in lost.values() if size <= limit], default=DEFAULT_DATABASE_BYTES)
    wanted = size if database_bytes is None else database_bytes
    built = build_databases(graph, shape, wanted, partitions=partitions, budget=budget)
    if (built.seconds >= MIN_SAVED_SECONDS or lost) and built.databases:
        for path in lost:
            with suppress(OSError):
                path.unlink()
        with suppress(PuzzleError):  # no space there: then it takes as long again next time
            save(built)
    return built
