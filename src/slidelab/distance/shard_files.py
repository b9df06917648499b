"""Files of a search over shards: the words of each shard, and a manifest that says which of them count.

A layer file holds the words of one shard in one plane after a layer: a line of JSON with its checksum, then
the words, packed if most of them are alike. The manifest lists the sizes of all finished layers and, for each
plane and shard, the layer whose file holds its words. It is replaced when all files of a layer are safe, and
only then are older ones removed, so that whatever happens there is one whole layer to resume from.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import msgspec

from slidelab.distance.checkpoint import SHARDS_FORMAT, Checkpoint, SearchKey, json_checksum
from slidelab.distance.world import Alone, World
from slidelab.errors import Damaged, PuzzleError
from slidelab.files import PARTIAL_SUFFIX, atomic_write, sync_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["Manifest", "ShardFolder", "Stored", "states_in_plane"]

MAX_HEADER_BYTES = 1 << 26
"""Bytes of the longest header of a file that is read; larger ones are damaged."""

SYNC_BYTES = 1 << 24
"""Bytes of words from which a file is safe at once; smaller ones wait for the end of a layer."""

FULL_WORD = (1 << 60) - 1
"""A word all of whose arrangements are in a layer."""

SPARSE_STATES = 0.5
"""States a word below which words are packed; if so few are missing, what is missing is packed."""

_FILE = re.compile(r"(layer|cross)-(\d{4,})-shard-(\d{6,})\.bin")

_Number = Annotated[int, msgspec.Meta(ge=0)]


class Manifest(msgspec.Struct, frozen=True):
    """What a folder holds: the digits that number the shards, sizes of layers, and files of both planes."""

    prefix: _Number
    alternates: bool
    layers: Annotated[list[Annotated[int, msgspec.Meta(ge=1)]], msgspec.Meta(min_length=1)]
    files: tuple[list[_Number], list[_Number]]
    """For each plane and shard, the layer in the name of the file that holds its words."""


@dataclass(frozen=True, slots=True)
class Stored:
    """What the header of a layer file says: its states, and some words with states new in that layer."""

    states: int
    fresh: int = 0
    first: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Outline:
    """Where blocks are in a file: the first byte, words of a block, which are there, and their checksums."""

    begin: int
    block: int
    some: NDArray[np.bool_]
    places: NDArray[np.int64]
    sums: Words


class ShardFolder(Checkpoint):
    """The folder of one search over shards; as a context manager, it is locked against other processes."""

    prefix = 0
    """Digits that number the shards of its files."""
    _unsafe = False

    def __init__(
        self, folder: str | Path, key: SearchKey, world: World | None = None, option: str = "checkpoint"
    ) -> None:
        self.world = world or Alone()
        self._outlines: dict[Path, _Outline] = {}
        super().__init__(folder, key, option)

    @property
    def is_first(self) -> bool:
        """Whether this is the process that locks the folder and writes manifest and result."""
        return self.world.rank == 0

    def __enter__(self) -> ShardFolder:
        """Lock the folder before any process writes to it, and check that all of them see the same files."""
        refused = None
        if self.is_first:
            try:
                super().__enter__()
            except PuzzleError as error:
                refused = error
        try:
            if not self.world.every(refused is None):
                raise refused or PuzzleError(f"process 0 could not use the folder {self.folder}")
            seen = self._seen()
            [total] = self.world.total([seen])
            self.check_shared(total == seen * self.world.size)
        except BaseException:
            self.__exit__()
            raise
        return self

    def check_shared(self, agrees: bool) -> None:
        """Raise `PuzzleError` in all processes if one of them does not see the files of the others."""
        if not self.world.every(agrees):
            raise PuzzleError(
                f"the {self.world.size} processes see different files in {self.folder}; "
                "expected a folder on a disk that all machines share"
            )

    def _seen(self) -> int:
        """Return a number for what the folder holds: its layers, or others for a result or damage."""
        if (self.folder / "result.json").exists():
            return -1
        try:
            found = self.manifest()
        except PuzzleError:
            return -2
        return len(found.layers) if found else 0

    def layer_path(self, layer: int, shard: int) -> Path:
        """Return the name of the file of a shard after a layer."""
        return self.folder / f"layer-{layer:04d}-shard-{shard:06d}.bin"

    def cross_path(self, layer: int, shard: int) -> Path:
        """Return the name of the file with what leaves a shard for a layer."""
        return self.folder / f"cross-{layer:04d}-shard-{shard:06d}.bin"

    # The manifest

    def check(self) -> None:
        """Raise `PuzzleError` if the folder holds another search, or is not the same for all processes.

        Layers are read later, and shared by all if process 0 sees the first of them.
        """
        self.manifest()
        if self.world.size == 1:
            return
        probe, written = self.folder / f".layers.json.shared{PARTIAL_SUFFIX}", True
        if self.is_first:
            try:
                probe.touch()
            except OSError:  # the first layer fails for the same reason, and says so
                written = False
        if not self.world.every(written):
            return
        try:
            self.check_shared(self.is_first or probe.exists())
        finally:
            if self.is_first:
                self.remove(probe)

    def manifest(self) -> Manifest | None:
        """Return the manifest, None if no layer is finished."""
        if not self.manifest_path.exists():
            if any(self.folder.glob("layer-????.bin")):
                raise PuzzleError(
                    f"{self.folder} holds a search of one process without mpiexec; resume it without"
                )
            return None
        body = self._read_json(self.manifest_path)
        self._check_key(self.manifest_path, body, SHARDS_FORMAT)
        try:
            found: Manifest = msgspec.convert(body["manifest"], Manifest)
        except (KeyError, ValueError, RecursionError) as error:
            raise Damaged(f"{self.manifest_path} is damaged: {error}") from None
        newest = max((layer for files in found.files for layer in files), default=0)
        if len(found.files[0]) != len(found.files[1]) or newest >= len(found.layers):
            raise Damaged(f"{self.manifest_path} is damaged: its files do not fit its layers")
        return found

    @staticmethod
    def stored_prefix(folder: str | Path) -> int | None:
        """Return the digits that number the shards of a folder; None if it holds none, or is damaged."""
        try:
            stored = json.loads((Path(folder) / "layers.json").read_bytes())
            prefix, checksum = stored["body"]["manifest"]["prefix"], json_checksum(stored["body"])
            whole = stored["sha256"] == checksum
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        return prefix if whole and isinstance(prefix, int) and prefix >= 0 else None

    def commit(self, manifest: Manifest) -> None:
        """Let a layer count, all of whose files are written; remove those that are no longer needed."""
        what = f"layer {len(manifest.layers) - 1}"
        self.flush(what)
        body = {"format": SHARDS_FORMAT, "search": self.key, "manifest": msgspec.to_builtins(manifest)}
        self._write_json(self.manifest_path, body, what)
        self.clean(manifest)

    def clean(self, manifest: Manifest | None) -> None:
        """Remove files that a manifest does not need."""
        needed = set()
        if manifest:
            for files in manifest.files:
                needed |= {self.layer_path(layer, shard) for shard, layer in enumerate(files)}
        following = len(manifest.layers) if manifest else 0
        for path in list(self.folder.iterdir()):
            match = _FILE.fullmatch(path.name)
            if not match or path in needed:
                continue
            if manifest and match[1] == "cross" and int(match[2]) >= following:
                continue  # what leaves for layers to come
            self.remove(path)

    def finish(self, result: dict[str, Any]) -> None:
        """Write the result and remove everything else."""
        if self.is_first:
            super().finish(result)

    def remove_layers(self) -> None:
        """Remove the files of a search that is finished."""
        if self.is_first:
            super().remove_layers()

    def remove_torn(self, finished: int) -> None:
        """Remove files of later layers than the finished ones that a power failure left incomplete.

        Large files are safe as soon as they have their names. What is removed is computed again.
        """
        for path in list(self.folder.iterdir()):
            match = _FILE.fullmatch(path.name)
            if not match or int(match[2]) < finished + (match[1] == "cross"):
                continue
            if path.stat().st_size < 2 * SYNC_BYTES:
                try:
                    self.read_words(path)
                except Damaged:
                    self.remove(path)

    # Words

    def write(self, layer: int, shard: int, words: Words, states: int, stored: Stored | None = None) -> bool:
        """Write the words of a shard after a layer, with so many states; return whether they are safe."""
        from slidelab import _core

        flat = words.reshape(-1)
        kind, data = "raw", flat
        if states < SPARSE_STATES * flat.size:
            kind, data = "packed", _core.pack_words(flat)
        elif states > (60 - SPARSE_STATES) * flat.size:
            kind, data = "flipped", _core.pack_words(flat, FULL_WORD)
        stored = stored or Stored(states)
        header = {
            "format": SHARDS_FORMAT,
            "search": self.key,
            "layer": layer,
            "shard": shard,
            "words": flat.size,
            "states": states,
            "fresh": stored.fresh,
            "first": stored.first,
            "kind": kind,
        }
        return self.write_words(self.layer_path(layer, shard), header, data, f"layer {layer}")

    def read(self, layer: int, shard: int, words: Words) -> Stored:
        """Read the words of a shard after a layer into an array; return what the header says."""
        from slidelab import _core

        path = self.layer_path(layer, shard)
        header, data = self.read_words(path)
        if (header.get("layer"), header.get("shard"), header.get("words")) != (layer, shard, words.size):
            raise Damaged(f"{path} is damaged: it is not shard {shard} of layer {layer}")
        kind, flat = header.get("kind"), words.reshape(-1)
        try:
            if kind == "raw" and data.size == flat.size:
                flat[:] = data
            elif kind in ("packed", "flipped"):
                _core.unpack_words(data, flat, FULL_WORD if kind == "flipped" else 0)
            else:
                raise ValueError("its words have no known form")
            return self._stored(header)
        except (ValueError, TypeError) as error:
            raise Damaged(f"{path} is damaged: {error}") from None

    def read_stored(self, layer: int, shard: int) -> Stored:
        """Return what the header of a layer file says, without its words."""
        path = self.layer_path(layer, shard)
        with self._reading(path), path.open("rb") as file:
            header = self._header(path, file.readline(MAX_HEADER_BYTES), file.read(8))
        try:
            return self._stored(header)
        except (ValueError, TypeError) as error:
            raise Damaged(f"{path} is damaged: {error}") from None

    @staticmethod
    def _stored(header: dict[str, Any]) -> Stored:
        first = tuple((int(word), int(bits)) for word, bits in header["first"])
        return Stored(int(header["states"]), int(header["fresh"]), first)

    # Any words with a header

    def flush(self, what: str) -> None:
        """Wait until all files are safe, also from a power failure."""
        if self._unsafe:
            with self._disk_errors(what):
                sync_folder(self.folder)
        self._unsafe = False

    def write_words(self, path: Path, header: dict[str, Any], data: Words, what: str) -> bool:
        """Write a header and words with their checksums; return whether they are safe before `flush`."""
        import numpy as np

        from slidelab import _core

        data = np.ascontiguousarray(data, dtype="<u8")
        whole = {**header, "size": data.size, "checksum": _core.checksum(data.view(np.uint8))}
        line = json.dumps(whole).encode() + b"\n"
        safe = bool(data.nbytes >= SYNC_BYTES)
        with self._disk_errors(what), atomic_write(path, sync=safe) as file:
            file.write(line)
            file.write(_core.checksum(np.frombuffer(line, dtype=np.uint8)).to_bytes(8, "little"))
            file.write(data.data)
        self._unsafe |= not safe
        return safe

    def read_words(self, path: Path) -> tuple[dict[str, Any], Words]:
        """Return the header and the words of a file."""
        import numpy as np

        from slidelab import _core

        with self._reading(path), path.open("rb") as file:
            header = self._header(path, file.readline(MAX_HEADER_BYTES), file.read(8))
            rest = _words_bytes(path, file, header)
            data = np.empty(rest // 8, dtype=np.uint64)
            view = data.view(np.uint8).data
            if rest and file.readinto(view) != rest:
                raise Damaged(f"{path} is damaged: it ends early")
        if _core.checksum(data.view(np.uint8)) != header.get("checksum"):
            raise Damaged(f"{path} is damaged: its checksum does not fit its words")
        return header, data

    def write_blocks(self, path: Path, blocks: Words) -> None:
        """Write a row for each block; blocks of zeros take no space."""
        from slidelab import _core

        some = blocks.any(axis=1)
        kept = blocks if some.all() else blocks[some]
        header = {
            "format": SHARDS_FORMAT,
            "search": self.key,
            "block": blocks.shape[1],
            "some": some.tolist(),
            "sums": _core.checksums(kept).tolist(),
        }
        self.write_words(path, header, kept.reshape(-1), path.name)

    def read_blocks(self, path: Path, numbers: NDArray[np.int64]) -> tuple[NDArray[np.bool_], Words]:
        """Return which of some blocks of `write_blocks` are more than zeros, and a row for each of these."""
        import numpy as np

        from slidelab import _core

        if path not in self._outlines:
            self._outlines[path] = self._outline(path)
        outline = self._outlines[path]
        with self._reading(path), path.open("rb", buffering=0) as file:
            some = outline.some[numbers]
            places = outline.places[numbers[some]]
            rows = np.empty((len(places), outline.block), dtype=np.uint64)
            for place, row in zip(places.tolist(), rows.view(np.uint8), strict=True):
                file.seek(outline.begin + place * len(row))
                if file.readinto(row.data) != len(row):
                    raise Damaged(f"{path} is damaged: it ends early")
        if not np.array_equal(_core.checksums(rows), outline.sums[places]):
            raise Damaged(f"{path} is damaged: its checksum does not fit its words")
        return some, rows

    def forget_blocks(self) -> None:
        """Forget where blocks are in files: these go, or may be written anew."""
        self._outlines.clear()

    def _outline(self, path: Path) -> _Outline:
        import numpy as np

        with self._reading(path), path.open("rb") as file:
            header = self._header(path, file.readline(MAX_HEADER_BYTES), file.read(8))
            begin = file.tell()
            _words_bytes(path, file, header)
        some = np.array(header["some"], dtype=bool)
        return _Outline(
            begin, header["block"], some, np.cumsum(some) - 1, np.array(header["sums"], dtype=np.uint64)
        )

    def _header(self, path: Path, line: bytes, checksum: bytes) -> dict[str, Any]:
        import numpy as np

        from slidelab import _core

        if not line:
            raise Damaged(f"{path} is damaged: it has no header")
        if _core.checksum(np.frombuffer(line, dtype=np.uint8)).to_bytes(8, "little") != checksum:
            raise Damaged(f"{path} is damaged: its header does not fit its checksum")
        header: dict[str, Any] = json.loads(line)  # as it was written, by its checksum
        self._check_key(path, header, SHARDS_FORMAT)
        return header


def _words_bytes(path: Path, file: IO[bytes], header: dict[str, Any]) -> int:
    """Return the bytes of the words after a header, or raise `Damaged` if they are not as many as it says."""
    rest = path.stat().st_size - file.tell()
    size = header.get("size", rest // 8)  # older files do not say
    if rest != 8 * size:
        raise Damaged(f"{path} is damaged: {'it ends early' if rest < 8 * size else 'it is too long'}")
    return rest


def states_in_plane(layers: Sequence[int], layer: int, alternates: bool) -> int:
    """Return the states in the plane of a layer: all of its colour up to it, or its own.

    >>> states_in_plane([1, 2, 4, 8], 3, True), states_in_plane([1, 2, 4, 8], 3, False)
    (10, 8)
    """
    if layer < 0:
        return 0
    return sum(layers[layer::-2]) if alternates else layers[layer]
