"""A search whose planes are on a disk: one shard after another is in memory.

For each shard a layer reads its words in both planes and the blocks that cross into it, and writes its words
of the new layer and the blocks that cross out of it, for the layer after. The next shard is read and the last
one written while one is computed. Shards that nothing new can reach are skipped. A shard is safe as soon as
its file has its name, so that a search that is killed goes on with the next one, and there is never a second
copy of more than one shard.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback
from slidelab.distance.bounds import check_memory
from slidelab.distance.checkpoint import Checkpoint, SearchKey
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.search import LayeredSearch, layer_progress
from slidelab.distance.shard_files import Manifest, ShardFolder, Stored, states_in_plane
from slidelab.errors import Damaged, TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["DiskSearch"]

SHARDS_IN_MEMORY = 4
"""Copies of a shard's words, about: the one that is computed, the next, the last, and what crosses."""


MAX_SHARDS = 5000
"""Shards of a search on disk: each has two files or more, which are opened for every layer."""


STATES_PER_SECOND = 50_000_000
"""Approximate throughput of one thread with files, for the time in a plan."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What a shard needs for a layer: words of both planes and blocks that arrived; None for zeros only."""

    source: Words | None
    target: Words | None
    arrivals: Words | None


class DiskSearch(LayeredSearch):
    """A search with its planes in files.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> search = DiskSearch(component, prefix=1)
    >>> with search.open_folder(getfixture("tmp_path"), {"start": "goal"}) as folder:
    ...     sum(search.run(component.known_index(component.start), folder))
    181440
    """

    states_per_second = STATES_PER_SECOND

    def __init__(
        self,
        component: Component,
        budget: Budget | None = None,
        *,
        prefix: int | None = None,
        kept: int = 1000,
        two_planes: bool = False,
    ) -> None:
        from slidelab import _core

        self.component = component
        self.budget = budget or Budget()
        planes = 1 if component.alternates and not two_planes else 2
        first = self._least_prefix(planes) if prefix is None else prefix
        last = max(first, self._greatest_prefix()) if prefix is None else prefix
        component.check_memory(SHARDS_IN_MEMORY * planes, perm(component.main_pieces, last))
        for self.prefix in range(first, last + 1):
            self.code = component.make_code(self.prefix)
            self.core = _core.ShardSearch(self.code, 0, 1, two_planes=two_planes, kept=kept)
            words = self.core.bytes_needed(self.budget.threads)
            self.needed_bytes = SHARDS_IN_MEMORY * words + self.code.bytes
            if self.needed_bytes <= self.budget.memory:
                break
        check_memory(component, self.needed_bytes, self.budget.memory)
        self.kept = kept
        self._files: tuple[list[int], list[int]] = ([], [])
        self._last: list[StateIndex] = []
        # Other threads must not ask the core, which is busy.
        self._alternates = self.core.alternates
        self._shapes = [self.core.plane_shapes(plane) for plane in (0, 1)]
        self._block_words = self.code.x_count * self.code.block  # of a block in all rows
        self._crossings = [self.core.crossings_into(plane) for plane in (0, 1)]

    def _least_prefix(self, planes: int) -> int:
        """Return the digits with which shards may fit the memory."""
        pieces, words = self.component.main_pieces, -(-self.component.states // 60)
        prefix = 0
        while prefix < self._greatest_prefix():
            if SHARDS_IN_MEMORY * 8 * planes * words // perm(pieces, prefix) <= self.budget.memory:
                break
            prefix += 1
        return prefix

    def _greatest_prefix(self) -> int:
        """Return the digits that make as many shards as there may be."""
        pieces = self.component.main_pieces
        return max((p for p in range(max(1, pieces - 5)) if perm(pieces, p) <= MAX_SHARDS), default=0)

    @property
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""
        return self.core.layers

    @property
    def disk_bytes(self) -> int:
        """Bytes of all files at most: the planes, one shard twice, and what crosses for two layers."""
        words = self.code.words * self.code.shards
        shapes = self.core.plane_shapes(0) + self.core.plane_shapes(1)
        crossing = self.core.crossings_into(0) + self.core.crossings_into(1)
        return 8 * words * (shapes + crossing) + 8 * self.code.words * shapes

    def open_folder(self, folder: str | Path, key: SearchKey) -> ShardFolder:
        """Return the folder in which this kind of search keeps its layers."""
        opened = ShardFolder(folder, key, option="disk")
        opened.prefix = self.prefix
        return opened

    def check_folder(self, checkpoint: Checkpoint) -> None:
        """Raise `PuzzleError` if a folder holds another search, or has too little space for this one."""
        if isinstance(checkpoint, ShardFolder) and checkpoint.manifest() is None:
            self._check_space(checkpoint)

    def run(self, start: StateIndex, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a state to the end; return the number of configurations at each distance."""
        if not isinstance(checkpoint, ShardFolder):
            raise TypeError("a search on disk needs a folder")
        if not self._restore(start, checkpoint):
            self._check_space(checkpoint)
            self._begin(start, checkpoint)
        while not self.is_complete:
            self._advance(checkpoint)
        self._last = self._farthest(checkpoint)
        return self.layers

    def farthest(self, limit: int) -> list[StateIndex]:
        """Return states of the last layer in the order of their indices."""
        return self._last[:limit]

    def _check_space(self, folder: ShardFolder) -> None:
        """Raise `TooLarge` if the disk has too little space for the planes."""
        import shutil

        from slidelab.messages import byte_size

        free = shutil.disk_usage(folder.folder).free
        if self.disk_bytes > free:
            raise TooLarge(
                f"{self.component.puzzle.text} needs {byte_size(self.disk_bytes)} on the disk, "
                f"and {folder.folder} has {byte_size(free)} left"
            )

    def _begin(self, start: StateIndex, folder: ShardFolder) -> None:
        import numpy as np

        folder.clean(None)
        home = self.code.shard_of(start[1])
        self.core.hold(home)
        self.core.begin(start)
        plane = self.core.plane_of(0)
        empty = np.zeros(self.core.plane(plane)[0].shape, dtype=np.uint64)
        for shard in range(self.code.shards):
            words = self.core.plane(plane)[0] if shard == home else empty
            folder.write(0, shard, words, int(shard == home))
        self._files = ([0] * self.code.shards, [0] * self.code.shards)
        self._commit(folder)

    def _commit(self, folder: ShardFolder) -> None:
        folder.commit(Manifest(self.prefix, self.core.alternates, self.layers, self._files))

    def _restore(self, start: StateIndex, folder: ShardFolder) -> bool:
        """Take up the search of a folder; return False if there is none."""
        manifest = folder.manifest()
        if manifest is None:
            return False
        shards = self.code.shards
        if (manifest.prefix, len(manifest.files[0])) != (self.prefix, shards):
            raise Damaged(f"{folder.manifest_path} is damaged: its shards are not those of this search")
        if manifest.alternates != self.core.alternates:
            raise Damaged(f"{folder.manifest_path} is damaged: its planes are not those of this search")
        self._files = manifest.files
        folder.remove_torn(len(manifest.layers))
        newest = len(manifest.layers) - 1
        for layer in (newest, newest - 1):
            if layer < 0:
                continue
            ahead = (
                [k for k in range(shards) if folder.layer_path(newest + 1, k).exists()]
                if layer < newest
                else []
            )
            known = [k for k in range(shards) if k not in set(ahead)]
            states = sum(folder.read_stored(manifest.files[layer % 2][k], k).states for k in known)
            expected = states_in_plane(manifest.layers, layer, manifest.alternates)
            if states > expected or (not ahead and states != expected):
                raise Damaged(
                    f"the files of layer {layer} in {folder.folder} do not have the states they should"
                )
        self.core.prepare(start[0])
        self.core.resume(manifest.layers)
        return True

    # One layer

    def _advance(self, folder: ShardFolder) -> None:
        core, threads = self.core, self.budget.threads
        layer = len(self.layers)
        target = core.plane_of(layer)
        progress = layer_progress(self.layers, self.component.states, self.budget.check)
        self._make_crossings(folder, layer, progress)
        core.begin_full(threads)
        files, fresh = list(self._files[layer % 2]), 0
        with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(1) as writer:
            pending: list[Future[None]] = []
            try:
                for number, (shard, loading) in enumerate(self._loads(folder, layer, reader)):
                    progress("layer", number, self.code.shards)
                    if (
                        loading is None
                    ):  # finished before the search was interrupted, or nothing new reaches it
                        if folder.layer_path(layer, shard).exists():
                            fresh += folder.read_stored(layer, shard).fresh
                            files[shard] = layer
                        continue
                    found = self._sweep(shard, target, loading.result())
                    files[shard] = layer
                    fresh += found.fresh
                    departures = self._departures(target ^ 1)
                    words = core.plane(target)[0].copy()
                    while len(pending) > 1:
                        pending.pop(0).result()
                    old = self._files[layer % 2][shard] if layer > 1 else None
                    pending.append(
                        writer.submit(self._store, folder, layer, shard, words, departures, found, old)
                    )
                for future in pending:
                    future.result()
            except BaseException:
                reader.shutdown(cancel_futures=True)
                writer.shutdown(cancel_futures=True)
                raise
        if not core.finish_layer(fresh):
            raise self.missing()
        self._files = (files, self._files[1]) if layer % 2 == 0 else (self._files[0], files)
        self._commit(folder)

    def _sources(self, layer: int, shard: int) -> tuple[bool, dict[tuple[int, int], tuple[int, int]]]:
        """Return whether a shard changed in the last layer, and the blocks that come to it from changed ones.

        Blocks are keyed by crossing and first digit, and are pairs of the shard and digit they come from.
        """
        core, files = self.core, self._files[(layer - 1) % 2]
        target = core.plane_of(layer)
        blocks = {}
        for crossing in range(core.crossings_into(target)):
            for digit, origin in enumerate(core.origins(target, crossing, shard)):
                if files[origin[0]] == layer - 1:
                    blocks[crossing, digit] = origin
        return files[shard] == layer - 1, blocks

    def _loads(
        self, folder: ShardFolder, layer: int, reader: ThreadPoolExecutor
    ) -> Iterator[tuple[int, Future[_Loaded] | None]]:
        """Yield the shards, each with what it needs; one more is read ahead. None: nothing to do."""
        target = self.core.plane_of(layer)
        waiting: list[tuple[int, Future[_Loaded] | None]] = []
        for shard in range(self.code.shards):
            changed, blocks = self._sources(layer, shard)
            done = folder.layer_path(layer, shard).exists()
            idle = self._alternates and not changed and not blocks
            load = None
            if not done and not idle:
                load = reader.submit(self._load, folder, layer, shard, target, changed, blocks)
            waiting.append((shard, load))
            if len(waiting) > 1:
                yield waiting.pop(0)
        yield from waiting

    def _load(
        self,
        folder: ShardFolder,
        layer: int,
        shard: int,
        target: int,
        changed: bool,
        blocks: dict[tuple[int, int], tuple[int, int]],
    ) -> _Loaded:
        import numpy as np

        code = self.code

        def read(at_layer: int, plane: int) -> Words | None:
            words = np.empty((self._shapes[plane], code.words), dtype=np.uint64)
            return words if folder.read(at_layer, shard, words).states else None

        source = (
            read(self._files[(layer - 1) % 2][shard], target ^ 1) if changed or not self._alternates else None
        )
        known = read(self._files[layer % 2][shard], target) if layer > 1 else None
        if not blocks:
            return _Loaded(source, known, None)
        arrivals = np.zeros((self._crossings[target], code.x_count, code.blocks, code.block), dtype=np.uint64)
        by_shard: dict[int, list[tuple[int, int, int]]] = {}
        for (crossing, digit), (origin, leaves) in blocks.items():
            by_shard.setdefault(origin, []).append((crossing, digit, leaves))
        for origin, wanted in by_shard.items():
            with folder.open_blocks(folder.cross_path(layer, origin)) as read_block:
                for crossing, digit, leaves in wanted:
                    block = np.zeros(self._block_words, dtype=np.uint64)
                    read_block(crossing * code.blocks + leaves, block)
                    arrivals[crossing, :, digit] = block.reshape(code.x_count, code.block)
        return _Loaded(source, known, arrivals.reshape(-1, code.words))

    def _sweep(self, shard: int, target: int, loaded: _Loaded) -> Stored:
        core = self.core
        core.hold(shard)
        for plane, words in ((target ^ 1, loaded.source), (target, loaded.target)):
            if words is None:
                core.plane(plane)[0] = 0
            else:
                core.plane(plane)[0] = words
        if core.crossings:
            if loaded.arrivals is None:
                core.arrivals()[0] = 0
            else:
                core.arrivals()[0] = loaded.arrivals
        before = core.counted[1]
        within = loaded.source is not None or not core.alternates
        core.sweep(within, loaded.arrivals is not None or not core.alternates, self.budget.threads)
        first = core.take_fresh()[: self.kept]
        return Stored(0, core.counted[1] - before, tuple((int(word), int(bits)) for word, bits in first))

    def _departures(self, plane: int) -> list[Words]:
        """Return what leaves the shard into a plane along each crossing, block by block for all rows."""
        rows = (self.code.x_count, self.code.blocks, self.code.block)
        leaving = []
        for crossing in range(self._crossings[plane]):
            words = self.core.departures(plane, crossing, self.budget.threads)
            leaving.append(words.reshape(rows).swapaxes(0, 1).reshape(-1))
        return leaving

    def _store(
        self,
        folder: ShardFolder,
        layer: int,
        shard: int,
        words: Words,
        departures: list[Words],
        found: Stored,
        old: int | None,
    ) -> None:
        """Write a shard after a layer; its file of an earlier layer goes, now or at the end of the layer."""
        import numpy as np

        if departures:
            folder.write_blocks(folder.cross_path(layer + 1, shard), departures, self._block_words)
        states = int(np.bitwise_count(words).sum())
        safe = folder.write(layer, shard, words, states, found)
        if safe and old is not None and old != layer:
            folder.remove(folder.layer_path(old, shard))

    def _make_crossings(self, folder: ShardFolder, layer: int, progress: ProgressCallback) -> None:
        """Write what leaves shards for a layer, where that is not there yet."""
        core = self.core
        target = core.plane_of(layer)
        if not core.crossings_into(target):
            return
        for shard, newest in enumerate(self._files[(layer - 1) % 2]):
            if newest != layer - 1 or folder.cross_path(layer, shard).exists():
                continue
            progress("layer", 0, 1)
            core.hold(shard)
            folder.read(layer - 1, shard, core.plane(target ^ 1)[0])
            folder.write_blocks(folder.cross_path(layer, shard), self._departures(target), self._block_words)

    def _farthest(self, folder: ShardFolder) -> list[StateIndex]:
        import numpy as np

        newest = len(self.layers) - 1
        first: list[tuple[int, int]] = []
        for shard, layer in enumerate(self._files[newest % 2]):
            if layer == newest:
                first += folder.read_stored(layer, shard).first
        words = np.array(sorted(first), dtype=np.uint64).reshape(-1, 2)
        return self.core.places(self.core.plane_of(newest), words, self.kept)
