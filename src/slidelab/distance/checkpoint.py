"""Checkpoints: a search writes every finished layer to a folder, and resumes from there.

The folder holds the last two layers of a search and, once it is finished, its result. A layer file is one
line of JSON (which search, the sizes of all layers so far), then blocks of packed words, then the SHA-256
of everything before. The last two layers are enough to resume, so older ones are removed as soon as a new
one is complete.
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
from typing import IO, TYPE_CHECKING, Annotated, Any

import msgspec

from slidelab.errors import Damaged, NotationError, PuzzleError, TooLarge
from slidelab.files import PARTIAL_SUFFIX, atomic_write

if TYPE_CHECKING:
    from slidelab.distance.search import Search
    from slidelab.puzzles import Configuration

__all__ = ["SHARDS_FORMAT", "Checkpoint", "SearchKey", "StoredResult", "json_checksum", "search_key"]

FORMAT = "slidelab search 2"
SHARDS_FORMAT = "slidelab shards 1"
BLOCK_WORDS = 1 << 20
"""Machine words that are packed at a time."""

READ_BYTES = 1 << 22
"""Bytes that are read at a time to verify a checksum."""

MAX_HEADER_BYTES = 1 << 26
"""Bytes of the longest header that is read; larger ones are damaged."""

_LAYER = re.compile(r"layer-(\d{4,})\.bin")
_ANY_LAYER = re.compile(r"layer-\d{4,}\.bin|(layer|cross)-\d{4,}-shard-\d{6,}\.bin")
"""Files of layers of any search, in shards or not."""
_PART = re.compile(
    r"\.((layer|cross)-\d{4,}(-shard-\d{6,})?\.bin|(result|layers)\.json)\..*" + re.escape(PARTIAL_SUFFIX)
)

SearchKey = dict[str, Any]
"""What must be equal for two searches to be the same."""


def search_key(start: Configuration, metric: str) -> SearchKey:
    """Return the key of the search from a start."""
    return {"puzzle": start.puzzle.to_json(), "start": start.text, "metric": metric}


_Count = Annotated[int, msgspec.Meta(ge=1)]
_Index = Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)]


class StoredResult(msgspec.Struct, frozen=True):
    """A result as it was stored: the size of each layer, and states of the last one."""

    distribution: Annotated[list[_Count], msgspec.Meta(min_length=1)]
    hardest: list[tuple[_Index, _Index, _Index]]


class Checkpoint:
    """The folder of one search; as a context manager, it is locked against other processes."""

    def __init__(self, folder: str | Path, key: SearchKey, option: str = "checkpoint") -> None:
        """Make the folder if it does not exist; `option` is what the user named it in, for messages."""
        self.folder = Path(folder)
        self.key = key
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            file = next((path for path in (self.folder, *self.folder.parents) if path.is_file()), None)
            why = error.strerror if file is None else f"{str(file)!r} is a file"
            raise NotationError(f"expected a folder, got {str(folder)!r}: {why} - at {option}") from None
        self._lock = -1

    def __enter__(self) -> Checkpoint:
        try:
            self._lock = os.open(self.folder, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self.__exit__()
            if isinstance(error, BlockingIOError):
                raise PuzzleError(f"another run is using the folder {self.folder}") from None
            raise PuzzleError(f"could not use the folder {self.folder}: {error.strerror}") from None
        for part in self.folder.iterdir():
            if _PART.fullmatch(part.name):  # an unfinished file of a run that was killed
                with suppress(OSError):
                    part.unlink()
        return self

    def __exit__(self, *_: object) -> None:
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _path(self, layer: int) -> Path:
        return self.folder / f"layer-{layer:04d}.bin"

    @property
    def manifest_path(self) -> Path:
        """The name of the manifest of a search in shards."""
        return self.folder / "layers.json"

    # Results

    def result(self) -> StoredResult | None:
        """Return the result of the search, None if it is not finished."""
        path = self.folder / "result.json"
        if not path.exists():
            return None
        body = self._read_json(path)
        self._check_key(path, body, FORMAT)
        try:
            form: StoredResult = msgspec.convert(body, StoredResult)
        except (ValueError, RecursionError) as error:
            raise self.damaged_result(str(error)) from None
        return form

    def _read_json(self, path: Path) -> dict[str, Any]:
        """Return the body of a small file, after its checksum was compared."""
        try:
            stored = json.loads(path.read_bytes())
            body, checksum = stored["body"], stored["sha256"]
            expected = json_checksum(body)
        except OSError as error:
            raise Damaged(f"{path} can't be read: {error.strerror}") from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise Damaged(f"{path} is damaged: it is not as it was written") from None
        if checksum != expected:
            raise Damaged(f"{path} is damaged: its checksum is not {checksum!r:.16}...")
        if not isinstance(body, dict):
            raise Damaged(f"{path} is damaged: it is not as it was written")
        return body

    def _write_json(self, path: Path, body: dict[str, Any], what: str) -> None:
        with self._disk_errors(what), atomic_write(path) as file:
            file.write(json.dumps({"body": body, "sha256": json_checksum(body)}).encode())

    def damaged_result(self, why: str) -> Damaged:
        """Return the error for a result that cannot be one of this search."""
        return Damaged(f"{self.folder / 'result.json'} is damaged: {why}")

    def finish(self, result: dict[str, Any]) -> None:
        """Write the result and remove the layers."""
        body = {"format": FORMAT, "search": self.key, **result}
        self._write_json(self.folder / "result.json", body, "the result")
        self.remove_layers()

    def remove_layers(self) -> None:
        """Remove the files of a search that is finished, also of one in shards."""
        self.remove(self.manifest_path)
        for path in list(self.folder.iterdir()):
            if _ANY_LAYER.fullmatch(path.name):
                self.remove(path)

    @staticmethod
    def remove(path: Path) -> None:
        """Remove a file that is no longer needed, if it exists."""
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise PuzzleError(f"{path} cannot be removed: {error.strerror}") from None

    # Layers

    def save(self, search: Search) -> None:
        """Write the newest layer of a search and remove those that are no longer needed."""
        layer = len(search.layers) - 1
        with self._disk_errors(f"layer {layer}"), atomic_write(self._path(layer)) as file:
            digest = hashlib.sha256()
            for chunk in self._chunks(search):
                digest.update(chunk)
                file.write(chunk)
            file.write(digest.digest())
        self._remove_layers(layer - 1)

    def _chunks(self, search: Search) -> Iterator[bytes | memoryview]:
        words = search.words
        header = {"format": FORMAT, "search": self.key, "layers": search.layers, "words": words}
        yield json.dumps(header).encode() + b"\n"
        for first in range(0, words, BLOCK_WORDS):
            packed = search.core.pack(False, first, min(BLOCK_WORDS, words - first))
            yield len(packed).to_bytes(8, "little")
            yield packed.astype("<u8", copy=False).data

    def check(self) -> None:
        """Raise `PuzzleError` if the folder holds another search; layers are read later."""
        self._check_manifest()
        _, path = max(self._layers(), default=(0, None))
        if path is None:
            return
        with self._reading(path), path.open("rb") as file:
            line = file.readline(MAX_HEADER_BYTES)
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):  # damaged, which is told when it is read
            return
        if isinstance(header, dict) and (header.get("format"), header.get("search")) != (FORMAT, self.key):
            with self._reading(path):
                _verify_checksum(path)  # damage is the better reason
            self._check_key(path, header, FORMAT)

    def _check_manifest(self) -> None:
        """Raise `PuzzleError` if the folder holds a search in shards."""
        if self.manifest_path.exists():
            self._check_key(self.manifest_path, self._read_json(self.manifest_path), SHARDS_FORMAT)
            raise PuzzleError(f"{self.folder} holds a search in shards; resume it as it was begun")

    def restore(self, search: Search) -> bool:
        """Bring a search to the newest layer in the folder; return False if there is none."""
        self._check_manifest()
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
            search.core.resume(layers, search.budget.check)
        except ValueError as error:
            raise Damaged(f"{found[newest]} is damaged: {error}") from None
        return True

    def _read(self, search: Search, layer: int, earlier: bool) -> list[int]:
        """Load a layer into a search; return the sizes of all layers up to it."""
        path = self._path(layer)
        try:
            _verify_checksum(path)
            with path.open("rb") as file:
                layers = self._read_header(path, file.readline(MAX_HEADER_BYTES), search.words, layer)
                _load_blocks(file, search, earlier)
                return layers
        except OSError as error:
            raise Damaged(f"{path} can't be read: {error.strerror}") from None
        except PuzzleError:
            raise
        except ValueError as error:
            raise Damaged(f"{path} is damaged: {error}") from None

    def _read_header(self, path: Path, line: bytes, words: int, layer: int) -> list[int]:
        try:
            header = json.loads(line)
        except (ValueError, RecursionError):
            header = None
        if not isinstance(header, dict):
            raise Damaged(f"{path} is damaged: it has no header")
        self._check_key(path, header, FORMAT)
        layers = header.get("layers")
        if (
            not isinstance(layers, list)
            or len(layers) != layer + 1
            or header.get("words") != words
            or not all(type(n) is int and 0 < n < 2**64 for n in layers)
        ):
            raise Damaged(f"{path} is damaged: it is not layer {layer} of this search")
        return layers

    def _check_key(self, path: Path, header: dict[str, Any], expected: str) -> None:
        if header.get("format") != expected:
            raise PuzzleError(f"{path} was written by another version ({header.get('format')!r:.40})")
        other = header.get("search")
        if other == self.key:
            return
        start = other.get("start", other) if isinstance(other, dict) else other
        if isinstance(other, dict) and start == self.key.get("start"):
            start = f"{start} in another metric"
        raise PuzzleError(f"{path} belongs to another search, {start!s:.200}; choose another folder")

    def _layers(self) -> Iterator[tuple[int, Path]]:
        for path in sorted(self.folder.iterdir()):
            if match := _LAYER.fullmatch(path.name):
                yield int(match[1]), path

    def _remove_layers(self, before: int) -> None:
        for number, path in self._layers():
            if number < before:
                self.remove(path)

    def _can_resume(self) -> bool:
        """Return whether the folder holds a layer from which a search can go on."""
        try:
            return self.manifest_path.exists() or any(self._layers())
        except OSError:
            return False

    @contextmanager
    def _reading(self, path: Path) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:
            raise Damaged(f"{path} is missing") from None
        except OSError as error:
            raise Damaged(f"{path} can't be read: {error.strerror}") from None

    @contextmanager
    def _disk_errors(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            reason = "the disk is full" if full else error.strerror
            message = f"{what} could not be written to {self.folder}: {reason}"
            if self._can_resume():
                message += "; the earlier files are intact, and the same command resumes from them"
            raise TooLarge(message) from None


def _load_blocks(file: IO[bytes], search: Search, earlier: bool) -> None:
    import numpy as np

    for first in range(0, search.words, BLOCK_WORDS):
        size = int.from_bytes(file.read(8), "little")
        packed = np.frombuffer(file.read(8 * min(size, 2 * BLOCK_WORDS)), dtype="<u8").astype(np.uint64)
        search.core.load(earlier, first, min(BLOCK_WORDS, search.words - first), packed)


def _verify_checksum(path: Path) -> None:
    """Raise `Damaged` unless the file ends with the checksum of everything before."""
    digest = hashlib.sha256()
    left = path.stat().st_size - digest.digest_size
    with path.open("rb") as file:
        while left > 0 and (chunk := file.read(min(left, READ_BYTES))):
            digest.update(chunk)
            left -= len(chunk)
        stored = file.read()
    if left:
        raise Damaged(f"{path} is damaged: it ends early")
    if stored != digest.digest():
        raise Damaged(
            f"{path} is damaged: its checksum is {digest.hexdigest()[:16]}..., not {stored.hex()[:16]}..."
        )


def json_checksum(body: Any) -> str:
    """Return the SHA-256 of a JSON value, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
