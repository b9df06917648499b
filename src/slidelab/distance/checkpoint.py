"""Searches that survive: every finished layer is written whole, and the same search goes on from there.

The folder of a search holds its last two layers and, once it is over, its result. A layer file is
one line of JSON (which search, which layer, the sizes of all layers so far), then blocks of packed
words, then the SHA-256 of everything before. A search needs no more than its last two layers to go
on, so older ones are removed when a new one is safe.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from slidelab.errors import Damaged, PuzzleError, TooLarge
from slidelab.files import PARTIAL_SUFFIX, atomic_write

__all__ = ["Checkpoint", "SearchName"]

FORMAT = "slidelab search 2"
BLOCK = 1 << 20  # words packed at a time
_LAYER = re.compile(r"layer-(\d{4,})\.bin")
_PART = re.compile(r"\.(layer-\d{4,}\.bin|result\.json)\..*" + re.escape(PARTIAL_SUFFIX))

# What must be equal for a search to be the same: puzzle, start, metric.
SearchName = dict[str, Any]


class Checkpoint:
    """The folder in which one search keeps its layers; a context, for one run at a time."""

    def __init__(self, folder: str | Path, name: SearchName) -> None:
        self.folder = Path(folder)
        self.name = name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PuzzleError(
                f"expected a folder for the checkpoint, got {str(folder)!r}: {error.strerror}"
            ) from None
        self._lock = -1

    def __enter__(self) -> Checkpoint:
        """The folder is ours; another run that wants it at the same time is refused."""
        try:
            self._lock = os.open(self.folder, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.__exit__()
            raise PuzzleError(f"another run is using the folder {self.folder}") from None
        except OSError as error:
            self.__exit__()
            raise PuzzleError(f"could not use the folder {self.folder}: {error.strerror}") from None
        for part in self.folder.iterdir():
            if _PART.fullmatch(part.name):  # what a killed run was just writing
                with suppress(OSError):
                    part.unlink()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _path(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:04d}.bin"

    # Results

    def result(self) -> dict[str, Any] | None:
        """What the search found, if it is over."""
        path = self.folder / "result.json"
        if not path.exists():
            return None
        try:
            stored = json.loads(path.read_bytes())
            body, checksum = stored["body"], stored["sha256"]
        except OSError as error:
            raise Damaged(f"{path} can't be read: {error.strerror}") from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Damaged(f"{path} is damaged: it is not a result") from None
        if checksum != _checksum(body):
            raise Damaged(f"{path} is damaged: its checksum is not {checksum!s:.16}...")
        self._same_search(path, body)
        found: dict[str, Any] = body
        return found

    def finish(self, result: dict[str, Any]) -> None:
        """Keep the result; the layers are no longer needed."""
        body = {"format": FORMAT, "search": self.name, **result}
        with self._room_on_disk("the result"), atomic_write(self.folder / "result.json") as file:
            file.write(json.dumps({"body": body, "sha256": _checksum(body)}).encode())
        for _, path in self._layers():
            path.unlink(missing_ok=True)

    # Layers

    def save(self, search: Any) -> None:
        """Write the newest layer of a search, then remove those that are no longer needed."""
        layer = len(search.layers) - 1
        with self._room_on_disk(f"layer {layer}"), atomic_write(self._path(layer)) as file:
            digest = hashlib.sha256()
            self._write(file, search, digest)
            file.write(digest.digest())
        for number, path in self._layers():
            if number < layer - 1:
                path.unlink(missing_ok=True)

    def _write(self, file: IO[bytes], search: Any, digest: Any) -> None:
        words = search.words
        header = {
            "format": FORMAT,
            "search": self.name,
            "layers": list(search.layers),
            "words": words,
        }
        chunks = [json.dumps(header).encode() + b"\n"]
        for first in range(0, words, BLOCK):
            packed = search.core.pack(False, first, min(BLOCK, words - first))
            chunks += [len(packed).to_bytes(8, "little"), packed.astype("<u8", copy=False).data]
            for chunk in chunks:
                digest.update(chunk)
                file.write(chunk)
            chunks = []

    def restore(self, search: Any) -> bool:
        """Bring a search to the newest layer kept here; False if there is none."""
        found = dict(self._layers())
        newest = max(found, default=-1)
        if newest < 0:
            return False
        if newest > 0 and newest - 1 not in found:
            raise Damaged(f"{self._path(newest - 1)} is missing, and {found[newest].name} needs it")
        search.core.prepare()
        if newest > 0:
            self._read(search, newest - 1, earlier=True)
        layers = self._read(search, newest, earlier=False)
        try:
            search.core.resume(layers)
        except ValueError as error:
            raise Damaged(f"{found[newest]} is damaged: {error}") from None
        return True

    def _read(self, search: Any, layer: int, earlier: bool) -> list[int]:
        path = self._path(layer)
        try:
            return self._read_file(path, search, layer, earlier)
        except OSError as error:
            raise Damaged(f"{path} can't be read: {error.strerror}") from None

    def _read_file(self, path: Path, search: Any, layer: int, earlier: bool) -> list[int]:
        self._verify(path)
        with path.open("rb") as file:
            header = self._header(path, file.readline())
            layers = header.get("layers")
            if (
                not isinstance(layers, list)
                or len(layers) != layer + 1
                or header.get("words") != search.words
                or not all(type(n) is int and 0 < n < 2**64 for n in layers)
            ):
                raise Damaged(f"{path} is damaged: it is not layer {layer} of this search")
            import numpy as np

            try:
                for first in range(0, search.words, BLOCK):
                    size = int.from_bytes(file.read(8), "little")
                    packed = np.frombuffer(file.read(8 * min(size, 2 * BLOCK)), dtype="<u8").astype(np.uint64)
                    search.core.load(earlier, first, min(BLOCK, search.words - first), packed)
            except ValueError as error:
                raise Damaged(f"{path} is damaged: {error}") from None
        return layers

    def _verify(self, path: Path) -> None:
        """Before anything of a file is believed, all of it must have the checksum written at its end."""
        digest = hashlib.sha256()
        size = path.stat().st_size
        with path.open("rb") as file:
            left = size - digest.digest_size
            if left < 0:
                raise Damaged(f"{path} is damaged: it ends early")
            while left:
                chunk = file.read(min(left, 1 << 22))
                if not chunk:
                    raise Damaged(f"{path} is damaged: it ends early")
                digest.update(chunk)
                left -= len(chunk)
            stored = file.read()
        if stored != digest.digest():
            raise Damaged(
                f"{path} is damaged: its checksum is {digest.hexdigest()[:16]}..., not {stored.hex()[:16]}..."
            )

    def _header(self, path: Path, line: bytes) -> dict[str, Any]:
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise Damaged(f"{path} is damaged: it does not say what it is")
        self._same_search(path, header)
        return header

    def _same_search(self, path: Path, header: dict[str, Any]) -> None:
        if header.get("format") != FORMAT:
            raise PuzzleError(f"{path} was written by another version ({header.get('format')!r:.40})")
        if header.get("search") != self.name:
            other = header.get("search")
            said = other.get("start", other) if isinstance(other, dict) else other
            if isinstance(other, dict) and said == self.name.get("start"):
                said = f"{said} in another metric"
            raise PuzzleError(f"{path} belongs to another search, {said!s:.200}; choose another folder")

    def _layers(self) -> Iterator[tuple[int, Path]]:
        for path in sorted(self.folder.iterdir()):
            if match := _LAYER.fullmatch(path.name):
                yield int(match[1]), path

    @contextmanager
    def _room_on_disk(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            reason = "the disk is full" if full else error.strerror
            raise TooLarge(
                f"{what} could not be written to {self.folder}: {reason}; what was there before is intact, "
                "and the same command goes on from it"
            ) from None


def _checksum(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
