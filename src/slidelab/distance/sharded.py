"""A search over shards that several processes hold in their memory, or one process alone.

Every process has some consecutive shards. Thin layers travel as lists of words, full ones as blocks, one
crossing after another, while words are pulled within the shards. With a folder, every finished layer is
written there, shard by shard, and any number of processes may resume from it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback
from slidelab.distance.bounds import check_memory
from slidelab.distance.checkpoint import Checkpoint, SearchKey
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.search import LayeredSearch, layer_progress
from slidelab.distance.shard_files import Manifest, ShardFolder, states_in_plane
from slidelab.distance.world import Alone, World
from slidelab.errors import Damaged, OutOfTime, PuzzleError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab._core import StateCode

    Words = NDArray[np.uint64]

__all__ = ["ShardedSearch", "choose_prefix"]

SHARD_BYTES = 1 << 26
"""Bytes of the words of a shard: less makes more crossings, more makes files and messages unwieldy."""

MAX_SHARDS = 2000
"""Shards that are enough for any number of processes: more of them take longer to describe than to search."""

SHARDS_A_PROCESS = 4
"""Shards that each process should have at least, so that all have about the same number."""

MESSAGE_BYTES = 1 << 26
"""Bytes of blocks that a process sends at a time."""


def choose_prefix(component: Component, processes: int = 1, shard_bytes: int = SHARD_BYTES) -> int:
    """Return how many digits of an arrangement should number its shard.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,4)").goal)
    >>> choose_prefix(component), choose_prefix(component, 8), choose_prefix(component, shard_bytes=100_000)
    (0, 2, 3)
    """
    pieces, prefix = component.main_pieces, 0
    words = -(-component.states // 60)
    while prefix + 6 < pieces:
        shards = perm(pieces, prefix)
        enough = shards >= SHARDS_A_PROCESS * processes if processes > 1 else True
        if enough and (shards >= MAX_SHARDS or 8 * words <= shards * shard_bytes):
            break
        prefix += 1
    return prefix


class ShardedSearch(LayeredSearch):
    """A search over shards in memory.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> search = ShardedSearch(component, prefix=2)
    >>> sum(search.run(component.known_index(component.start))), search.code.shards
    (181440, 56)
    """

    def __init__(
        self,
        component: Component,
        budget: Budget | None = None,
        *,
        prefix: int = 0,
        kept: int = 1000,
        world: World | None = None,
        two_planes: bool = False,
    ) -> None:
        from slidelab import _core

        self.component = component
        self.budget = budget or Budget()
        self.world = world or Alone()
        self._is_shared = False
        self._buffers: dict[tuple[int, int], Words] = {}  # for messages: by direction and process
        self.prefix = prefix
        if self.world.size == 1:
            component.check_memory(1 if component.alternates and not two_planes else 2)
        self.code: StateCode = component.code if prefix == 0 else component.make_code(prefix)
        shards, size = self.code.shards, self.world.size
        self.ranges = [(k * shards // size, (k + 1) * shards // size) for k in range(size)]
        self.own = self.ranges[self.world.rank]
        self.core = _core.ShardSearch(self.code, *self.own, two_planes=two_planes, kept=kept)
        self.needed_bytes = self.core.bytes_needed(self.budget.threads) + self.code.bytes
        if size > 1 and shards > 1:
            self.needed_bytes += 2 * size * MESSAGE_BYTES // max(1, size - 1)
        check_memory(component, self.needed_bytes, self.budget.memory)

    @property
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""
        return self.core.layers

    def open_folder(self, folder: str | Path, key: SearchKey) -> ShardFolder:
        """Return the folder in which this kind of search keeps its layers."""
        opened = ShardFolder(folder, key, self.world)
        opened.prefix = self.prefix or choose_prefix(self.component, self.world.size)
        return opened

    def run(self, start: StateIndex, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a state to the end; return the number of configurations at each distance."""
        folder = checkpoint if isinstance(checkpoint, ShardFolder) else None
        if folder is None or not self._restore(start, folder):
            self.core.begin(start)
            self._save(folder)
        while not self.is_complete:
            self.advance()
            if not self.is_complete:
                self._save(folder)
            self._check_time()
        return self.layers

    def farthest(self, limit: int) -> list[StateIndex]:
        """Return states of the last layer in the order of their indices."""
        return sorted(self.world.join(self.core.last_layer(limit)))[:limit]

    def _check_time(self) -> None:
        """Raise `OutOfTime` in all processes once the deadline has passed in one of them."""
        if self.world.size > 1 and not self.world.every(not self.budget.expired):
            raise OutOfTime("time is up")

    def _progress(self) -> ProgressCallback:
        # Alone in stopping, a process would leave the others waiting: with others, time is up between layers.
        check = self.budget.check if self.world.size == 1 else self.budget.report
        return layer_progress(self.layers, self.component.states, check)

    def advance(self) -> None:
        """Search the next layer, which must exist."""
        core, threads, progress = self.core, self.budget.threads, self._progress()
        progress("layer", 0, 1)
        words, _ = core.counted
        [words] = self.world.total([words])
        if core.is_thin(words, self.world.every(core.listed)):
            self._swap_lists(core.push(threads, progress))
        else:
            core.begin_full(threads)
            self._sweep(threads, progress)
        [fresh] = self.world.total([core.counted[1]])
        if not core.finish_layer(fresh):
            raise self.missing()

    def _sweep(self, threads: int, progress: ProgressCallback) -> None:
        core = self.core
        if self.world.size == 1:
            for crossing in range(core.crossings):
                core.send(crossing, self.own, [], [], threads, progress)
            core.sweep(True, True, threads, progress)
        elif not core.alternates:
            self._swap_blocks(threads)
            core.sweep(True, True, threads, progress)
        else:
            with ThreadPoolExecutor(1) as messenger:
                blocks = messenger.submit(self._swap_blocks, 1)
                try:
                    core.sweep(True, False, threads, progress)
                except BaseException:
                    self.world.stop()
                    raise
                blocks.result()
            core.sweep(False, True, threads, progress)

    def _swap_blocks(self, threads: int) -> None:
        """Take the blocks of all crossings to their shards, some shards of every process at a time."""
        import numpy as np

        core, code, rank = self.core, self.code, self.world.rank
        together = max(1, MESSAGE_BYTES // (8 * code.words))
        rounds = -(-max(last - first for first, last in self.ranges) // together)

        def buffer(kind: int, process: int, blocks: int) -> Words:
            size, known = blocks * code.block, self._buffers.get((kind, process))
            if known is None or known.size < size:
                known = self._buffers[kind, process] = np.empty(size, dtype=np.uint64)
            return known[:size]

        for crossing in range(core.crossings):
            for number in range(rounds):
                parts = [_part(each, number, together) for each in self.ranges]
                outgoing = [
                    buffer(0, k, core.count_blocks(crossing, parts[rank], each) if k != rank else 0)
                    for k, each in enumerate(self.ranges)
                ]
                incoming = [
                    buffer(1, k, core.count_blocks(crossing, part, self.own) if k != rank else 0)
                    for k, part in enumerate(parts)
                ]
                core.send(crossing, parts[rank], self.ranges, outgoing, threads)
                self.world.swap(outgoing, incoming, crossing * rounds + number)
                for k, part in enumerate(parts):
                    if k != rank and incoming[k].size:
                        core.receive(crossing, part, incoming[k])

    def _swap_lists(self, foreign: Words) -> None:
        import numpy as np

        shards = self.core.shards_of(foreign)[:, 0]
        owners = np.searchsorted([last for _, last in self.ranges], shards, side="right")
        for words in self.world.swap_lists([foreign[owners == k] for k in range(self.world.size)]):
            self.core.mark(words)

    # Files

    def _views(self, plane: int, prefix: int) -> dict[int, Words]:
        """Return the words of each shard of a folder that this process has, not copied."""
        words = self.core.plane(plane)
        if prefix == self.prefix:
            return {self.own[0] + k: words[k] for k in range(len(words))}
        # One shard in memory, several in the folder: parts of each row.
        shards = perm(self.component.main_pieces, prefix)
        parts = words.reshape(words.shape[1] * self.code.x_count, shards, -1)
        return {shard: parts[:, shard] for shard in range(shards)}

    def _save(self, folder: ShardFolder | None) -> None:
        """Write the plane of the last layer."""
        import numpy as np

        if folder is None:
            return
        newest = len(self.layers) - 1
        shards = perm(self.component.main_pieces, folder.prefix)
        for shard, words in self._views(self.core.plane_of(newest), folder.prefix).items():
            copy = np.ascontiguousarray(words)
            folder.write(newest, shard, copy, int(np.bitwise_count(copy).sum()))
        folder.flush(f"layer {newest}")
        self.world.every(True)  # all files are safe
        if self.world.size > 1 and not self._is_shared:
            # Process 0 has not looked for them before, so that no disk in a network answers from memory.
            folder.check_shared(
                self.world.rank > 0 or all(folder.layer_path(newest, k).exists() for k in range(shards))
            )
            self._is_shared = True
        if self.world.rank == 0:
            files = [[newest if newest % 2 == k else max(0, newest - 1)] * shards for k in range(2)]
            folder.commit(Manifest(folder.prefix, self.core.alternates, self.layers, (files[0], files[1])))
        self.world.every(True)

    def _restore(self, start: StateIndex, folder: ShardFolder) -> bool:
        """Bring the search to the newest layer in the folder; return False if there is none."""
        manifest = folder.manifest()
        if manifest is None:
            return False
        self._check_manifest(manifest, folder)
        newest = len(manifest.layers) - 1
        self.core.prepare(start[0])
        for layer in (newest, newest - 1):
            if layer < 0:
                continue
            plane = self.core.plane_of(layer)
            states = 0
            for shard, words in self._views(plane, manifest.prefix).items():
                states += self._read(folder, manifest.files[layer % 2][shard], shard, words)
            counted = self.core.count(plane, self.budget.report)
            [states, counted] = self.world.total([states, counted])
            if not states == counted == states_in_plane(manifest.layers, layer, manifest.alternates):
                raise Damaged(
                    f"the files of layer {layer} in {folder.folder} do not have the states they should"
                )
        folder.prefix = manifest.prefix
        self.core.resume(manifest.layers)
        return True

    def _check_manifest(self, manifest: Manifest, folder: ShardFolder) -> None:
        needed = [folder.layer_path(n, k) for files in manifest.files for k, n in enumerate(files)]
        begun = [folder.layer_path(len(manifest.layers), k) for k in range(len(manifest.files[0]))]
        if any(path.exists() for path in begun) and not all(path.exists() for path in needed):
            raise PuzzleError(f"{folder.folder} holds a search on disk within a layer; resume it with --disk")
        if manifest.alternates != self.core.alternates:
            raise Damaged(f"{folder.manifest_path} is damaged: its planes are not those of this search")
        if manifest.prefix != self.prefix and (self.world.size > 1 or self.prefix != 0):
            raise PuzzleError(
                f"{folder.folder} has shards by {manifest.prefix} digits, expected {self.prefix}"
            )
        if len(manifest.files[0]) != perm(self.component.main_pieces, manifest.prefix):
            raise Damaged(f"{folder.manifest_path} is damaged: it has another number of shards")

    @staticmethod
    def _read(folder: ShardFolder, layer: int, shard: int, words: Words) -> int:
        import numpy as np

        copy = np.empty(words.shape, dtype=np.uint64)
        stored = folder.read(layer, shard, copy)
        words[...] = copy
        return stored.states


def _part(shards: tuple[int, int], number: int, together: int) -> tuple[int, int]:
    first = min(shards[1], shards[0] + number * together)
    return first, min(shards[1], first + together)
