"""Files of the atlas of gourds, which survive interruptions.

A file has one line of JSON for each board, after a header line. Every line ends with a checksum of all bytes
before it, so that an interrupted file is verified and continued after its last complete line. The last line
of a finished file counts the boards and has the SHA-256 of everything before it.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from slidelab import __version__
from slidelab.atlas.results import Entry, check_cells, check_processes, entries
from slidelab.atlas.summary import Summary, summarize
from slidelab.budget import Budget
from slidelab.errors import Damaged, NotationError, PuzzleError, TooLarge, WorkerLost
from slidelab.files import kept_text, locked_file
from slidelab.parallel import check_workers

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Atlas", "read_atlas", "write_atlas"]

FORMAT = "slidelab atlas of gourds 1"
FIRST_BYTES = f'{{"format":"{FORMAT}"'.encode()


@dataclass(frozen=True, slots=True, repr=False)
class Atlas:
    """The content of an atlas file.

    Attributes
    ----------
    cells : int
        Number of cells of the boards.
    version : str
        Version of slidelab when the file was begun.
    entries : tuple of Entry
    finished : bool
        Whether the file has all boards of this size.
    """

    cells: int
    version: str
    entries: tuple[Entry, ...]
    finished: bool

    def __repr__(self) -> str:
        state = "finished" if self.finished else "unfinished"
        return f"<atlas of gourds on {len(self.entries)} boards of {self.cells} cells, {state}>"


def read_atlas(path: str | os.PathLike[str]) -> Atlas:
    """Read an atlas file, finished or not.

    Parameters
    ----------
    path
        The name of the file; one that ends in ``.xz`` is decompressed.

    Raises
    ------
    Damaged
        If the file is not what was once written.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "seven.jsonl"
    >>> write_atlas(file, 7).boards
    1
    >>> read_atlas(file)
    <atlas of gourds on 1 boards of 7 cells, finished>
    """
    target = Path(path)
    try:
        content = target.read_bytes()
        if target.suffix == ".xz":
            content = _decompressed(target, content)
        lines, _ = _complete_lines(target, content)
    except OSError as error:
        raise PuzzleError(f"could not read {target}: {error.strerror}") from None
    if not lines:
        raise Damaged(f"{target} is damaged: it has no header")
    return _decode(target, lines)


def _decompressed(path: Path, content: bytes) -> bytes:
    import lzma

    try:
        return lzma.decompress(content)
    except (lzma.LZMAError, EOFError):
        raise Damaged(f"{path} is damaged: it cannot be decompressed") from None


def write_atlas(
    path: str | os.PathLike[str],
    cells: int,
    *,
    processes: int | None = None,
    executor: Executor | None = None,
    budget: Budget | None = None,
) -> Summary:
    r"""Write the atlas of boards with a number of cells to a file, line by line, and return its summary.

    An unfinished file is continued after its last complete line; for a finished one nothing is computed. So
    an interrupted run loses next to nothing.

    Parameters
    ----------
    path
        The name of the file.
    cells, processes, executor, budget
        As for `entries`.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "nine.jsonl"
    >>> write_atlas(file, 9).solvable, file.read_text().count("\n")
    (7, 15)
    """
    check_workers(executor, processes)  # before there is a file
    cells = check_cells(cells)
    processes = None if executor else check_processes(cells, processes)
    target = Path(path)
    try:
        with locked_file(target) as file:
            return summarize(_written(target, file, cells, processes, executor, budget))
    except WorkerLost as error:
        kept = f"the finished lines are in {target}, and the same command resumes there"
        raise WorkerLost(f"{error}; {kept}") from error
    except OSError as error:
        raise PuzzleError(f"could not write {target}: {error.strerror}{kept_text(target)}") from None


def _written(
    target: Path,
    file: BinaryIO,
    cells: int,
    processes: int | None,
    executor: Executor | None,
    budget: Budget | None,
) -> Iterator[Entry]:
    """Yield the entries of the file: those in it, then those that are added to it."""
    data = file.read()
    lines, size = _complete_lines(target, data)
    writer = _Writer(file, data[:size])
    count = 0
    if lines:
        known = _decode(target, lines)
        _check_same(target, known, cells)
        yield from known.entries
        if known.finished:
            return
        count = len(known.entries)
    else:
        writer.write({"format": FORMAT, "cells": cells, "version": __version__})
    for new in entries(cells, processes=processes, executor=executor, skip=count, budget=budget):
        writer.write(new.to_json())
        count += 1
        yield new
    writer.write({"boards": count, "sha256": writer.sha256})


def _check_same(target: Path, known: Atlas, cells: int) -> None:
    if known.cells != cells:
        raise PuzzleError(
            f"{target} is about boards of {known.cells} cells, not {cells}; choose another file"
        )
    if not known.finished and known.version != __version__:
        raise PuzzleError(
            f"{target} was begun by version {known.version:.20} of slidelab; choose another file"
        )


class _Writer:
    """Append lines to what the file holds, each ending with a checksum of all bytes before."""

    def __init__(self, file: BinaryIO, held: bytes) -> None:
        self._file = file
        self._crc, self._sha = zlib.crc32(held), hashlib.sha256(held)
        file.seek(len(held))
        file.truncate()

    @property
    def sha256(self) -> str:
        return self._sha.hexdigest()

    def write(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, separators=(",", ":")).encode()[:-1]
        line += _line_end(zlib.crc32(line, self._crc))
        self._crc = zlib.crc32(line, self._crc)
        self._sha.update(line)
        self._file.write(line)
        self._file.flush()  # a run that is killed loses no complete line


def _line_end(crc: int) -> bytes:
    return b',"crc":"%08x"}\n' % crc


def _complete_lines(path: Path, data: bytes) -> tuple[list[dict[str, Any]], int]:
    """Return the complete lines, each checked against its checksum, and their size in bytes."""
    found: list[dict[str, Any]] = []
    size = crc = 0
    for line in BytesIO(data):
        if not line.endswith(b"\n"):
            break
        body = line[: -len(_line_end(0))]
        if line != body + _line_end(zlib.crc32(body, crc)):
            raise Damaged(f"{path} is damaged at line {len(found) + 1}: its checksum is wrong")
        value = _parse(path, line)
        if "sha256" in value and value["sha256"] != hashlib.sha256(data[:size]).hexdigest():
            raise Damaged(f"{path} is damaged: its SHA-256 is wrong")
        crc = zlib.crc32(line, crc)
        size += len(line)
        found.append(value)
    if not found and data and not FIRST_BYTES.startswith(data[: len(FIRST_BYTES)]):
        raise Damaged(f"{path} is not an atlas of gourds")  # and must not be overwritten
    return found, size


def _parse(path: Path, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Damaged(f"{path} is damaged: expected lines of JSON objects")
    return value


def _decode(path: Path, lines: list[dict[str, Any]]) -> Atlas:
    """Return the atlas of a file from its lines, whose checksums are right."""
    header, *rest = lines
    if header.get("format") != FORMAT:
        raise PuzzleError(f"{path} was written by another version ({header.get('format')!r:.40})")
    finished = bool(rest) and "sha256" in rest[-1]
    if finished and rest.pop().get("boards") != len(rest):
        raise Damaged(f"{path} is damaged: its number of boards is wrong")
    try:
        cells, version = check_cells(header["cells"]), header["version"]
        if not isinstance(version, str):
            raise NotationError("expected a version")
        return Atlas(cells, version, tuple(map(Entry.from_json, rest)), finished)
    except (KeyError, NotationError, TooLarge):
        raise Damaged(f"{path} is damaged: it has lines that are no entries") from None
