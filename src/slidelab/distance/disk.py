"""A search whose planes are on a disk: one shard after another is in memory.

For each shard a layer reads its words in both planes and the blocks that cross into it, and writes its words
of the new layer and the blocks that cross out of it, for the layer after. One shard is read and another one
written while one is computed, each in the planes of a core of its own, so that words are not copied. Shards
that nothing new can reach are skipped. A shard is safe as soon as its file has its name, so that a search
that is killed goes on with the next one, and there is never a second copy of more than one shard.

A layer with few new states is computed from lists of the last two layers, without any file: moves can be
undone, so neighbours of a layer are in it, in the one before or new. What only lists hold is written before
the next full layer, or once it is much.
"""

from __future__ import annotations

from collections import deque
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
from slidelab.distance.shard_outline import THIN_WORDS
from slidelab.errors import Damaged, TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

    Words = NDArray[np.uint64]

__all__ = ["DiskSearch"]

CORES = 3
"""Shards with planes in memory: one is read, one computed, one written."""


SHARDS_IN_MEMORY = CORES + 1
"""Copies of a shard's words, about: those with planes, and what is packed and what crosses."""


LISTED_BYTES = 256
"""Memory for each word of a thin layer, about: in lists, and what moves lead to."""


MAX_LISTED_LAYERS = 4
"""Longest lists together that are only in memory, as a multiple of the longest one."""


CARRIED_WORDS = 1 << 18
"""Words of a thin layer that are carried at a time."""


MAX_SHARDS = 5000
"""Shards of a search on disk: each has two files or more, which are opened for every layer."""


STATES_PER_SECOND = 50_000_000
"""Approximate throughput of one thread with files, for the time in a plan."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Which words of a shard were read into a core for a layer; the others are zeros."""

    core: _core.ShardSearch
    source: bool
    arrivals: bool


@dataclass(frozen=True, slots=True)
class _Swept:
    """What a shard gained in a layer: for the header of its file, and as rows of a word and its bits."""

    stored: Stored
    words: int
    """Words with new states."""
    rows: Words
    """All of them, or the first if they are many."""


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
        thin: int | None = None,
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
        # `core` has no planes and only knows what crosses; it is never busy.
        self.cores = [
            _core.ShardSearch(self.code, 0, 1, two_planes=two_planes, kept=kept) for _ in range(CORES)
        ]
        self._files: tuple[list[int], list[int]] = ([], [])
        self._last: list[StateIndex] = []
        self._alternates = self.core.alternates
        self._shapes = [self.core.plane_shapes(plane) for plane in (0, 1)]
        self._block_words = self.code.x_count * self.code.block  # of a block in all rows
        self._crossings = [self.core.crossings_into(plane) for plane in (0, 1)]
        if thin is None:
            shapes = sum(self._shapes) if self._alternates else self._shapes[0]
            words = self.code.words * self.code.shards * shapes
            thin = min(words // THIN_WORDS, (self.budget.memory - self.needed_bytes) // LISTED_BYTES)
        self.thin = thin
        self._lists: list[Words | None] = [None, None]
        self._unwritten: list[tuple[int, Words]] = []

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
        return self.cores[0].layers

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
        self._lists, self._unwritten = [None, None], []
        if not self._restore(start, checkpoint):
            self._check_space(checkpoint)
            self._begin(start, checkpoint)
        while not self.is_complete:
            last = self._lists[1]
            if self._lists[0] is not None and last is not None and len(last) <= self.thin:
                self._advance_thin(self._lists[0], last)
                if sum(len(rows) for _, rows in self._unwritten) > MAX_LISTED_LAYERS * self.thin:
                    self._write_lists(checkpoint)
            else:
                self._write_lists(checkpoint)
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
        self._files = ([], [])
        self._resume(start, [1])
        first = self.core.word_of(start)
        self._lists = [np.zeros((0, 2), dtype=np.uint64), np.array([first], dtype=np.uint64)]
        self._unwritten = [(0, np.array([first], dtype=np.uint64))]

    def _resume(self, start: StateIndex, layers: list[int]) -> None:
        for core in self.cores:
            core.prepare(start[0])
            core.resume(layers)
        self._first_plane = self.cores[0].plane_of(0)

    def _plane_of(self, layer: int) -> int:
        return (self._first_plane + layer) % 2

    def _commit(self, folder: ShardFolder) -> None:
        folder.commit(Manifest(self.prefix, self._alternates, self.layers, self._files))

    def _restore(self, start: StateIndex, folder: ShardFolder) -> bool:
        """Take up the search of a folder; return False if there is none."""
        manifest = folder.manifest()
        if manifest is None:
            return False
        shards = self.code.shards
        if (manifest.prefix, len(manifest.files[0])) != (self.prefix, shards):
            raise Damaged(f"{folder.manifest_path} is damaged: its shards are not those of this search")
        if manifest.alternates != self._alternates:
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
        self._resume(start, manifest.layers)
        return True

    # One layer

    def _advance(self, folder: ShardFolder) -> None:
        threads = self.budget.threads
        layer = len(self.layers)
        target = self._plane_of(layer)
        progress = layer_progress(self.layers, self.component.states, self.budget.check)
        self._make_crossings(folder, layer, progress)
        folder.forget_blocks()
        for core in self.cores:
            core.begin_full(threads)
        files, fresh = list(self._files[layer % 2]), 0
        listed: list[Words] | None = []
        with ThreadPoolExecutor(1) as reader, ThreadPoolExecutor(1) as writer:
            stores: deque[Future[None]] = deque()
            try:
                for number, (shard, loading) in enumerate(self._loads(folder, layer, reader, stores)):
                    progress("layer", number, self.code.shards)
                    if loading is None:  # finished before an interruption, or nothing new reaches it
                        if folder.layer_path(layer, shard).exists():
                            fresh += folder.read_stored(layer, shard).fresh
                            files[shard] = layer
                            listed = None
                        continue
                    loaded = loading.result()
                    swept = self._sweep(loaded)
                    files[shard] = layer
                    fresh += swept.stored.fresh
                    if listed is not None:
                        listed.append(swept.rows)
                        if len(swept.rows) < swept.words or sum(map(len, listed)) > self.thin:
                            listed = None
                    departures = loaded.core.departures(target ^ 1, threads)
                    old = self._files[layer % 2][shard] if layer > 1 else None
                    stores.append(
                        writer.submit(
                            self._store, folder, layer, shard, loaded.core, departures, swept.stored, old
                        )
                    )
                while stores:
                    stores.popleft().result()
            except BaseException:
                reader.shutdown(cancel_futures=True)
                writer.shutdown(cancel_futures=True)
                raise
        self._finish_layer(fresh)
        self._files = (files, self._files[1]) if layer % 2 == 0 else (self._files[0], files)
        self._lists = [self._lists[1], None if listed is None else _merged(listed)]
        self._commit(folder)

    def _finish_layer(self, states: int) -> None:
        for core in self.cores:
            core.finish_layer(states)
        if not states:
            raise self.missing()

    def _sources(self, layer: int, shard: int) -> tuple[bool, dict[tuple[int, int], tuple[int, int]]]:
        """Return whether a shard changed in the last layer, and the blocks that come to it from changed ones.

        Blocks are keyed by crossing and first digit, and are pairs of the shard and digit they come from.
        """
        core, files = self.core, self._files[(layer - 1) % 2]
        target = self._plane_of(layer)
        blocks = {}
        for crossing in range(core.crossings_into(target)):
            for digit, origin in enumerate(core.origins(target, crossing, shard)):
                if files[origin[0]] == layer - 1:
                    blocks[crossing, digit] = origin
        return files[shard] == layer - 1, blocks

    def _loads(
        self, folder: ShardFolder, layer: int, reader: ThreadPoolExecutor, stores: deque[Future[None]]
    ) -> Iterator[tuple[int, Future[_Loaded] | None]]:
        """Yield the shards, each with what it needs; one more is read ahead. None: nothing to do.

        Shards take turns with the cores. That of the next one is free when its last shard is written.
        """
        waiting: list[tuple[int, Future[_Loaded] | None]] = []
        loads = 0
        for shard in range(self.code.shards):
            changed, blocks = self._sources(layer, shard)
            done = folder.layer_path(layer, shard).exists()
            idle = self._alternates and not changed and not blocks
            load = None
            if not done and not idle:
                while len(stores) > CORES - 2:
                    stores.popleft().result()
                core = self.cores[loads % CORES]
                load = reader.submit(self._load, folder, layer, shard, core, changed, blocks)
                loads += 1
            waiting.append((shard, load))
            if len(waiting) > 1:
                yield waiting.pop(0)
        yield from waiting

    def _load(
        self,
        folder: ShardFolder,
        layer: int,
        shard: int,
        core: _core.ShardSearch,
        changed: bool,
        blocks: dict[tuple[int, int], tuple[int, int]],
    ) -> _Loaded:
        import numpy as np

        code, target = self.code, self._plane_of(layer)
        core.hold(shard)
        source = changed or not self._alternates
        if source:
            source = (
                folder.read(self._files[(layer - 1) % 2][shard], shard, core.plane(target ^ 1)[0]).states > 0
            )
        if layer > 1:
            folder.read(self._files[layer % 2][shard], shard, core.plane(target)[0])
        else:
            core.plane(target)[0] = 0
        if self._crossings[target] and (blocks or not self._alternates):
            core.arrivals()[0] = 0
        if not blocks:
            return _Loaded(core, source, False)
        arrivals = core.arrivals()[0].reshape(-1, code.x_count, code.blocks, code.block)
        by_shard: dict[int, list[tuple[int, int, int]]] = {}
        for (crossing, digit), (origin, leaves) in blocks.items():
            by_shard.setdefault(origin, []).append((crossing, digit, leaves))
        arrived = False
        for origin, wanted in by_shard.items():
            crossings, digits, leaving = np.array(sorted(wanted), dtype=np.int64).T
            numbers = crossings * code.blocks + leaving
            some, rows = folder.read_blocks(folder.cross_path(layer, origin), numbers)
            arrivals[crossings[some], :, digits[some]] = rows.reshape(-1, code.x_count, code.block)
            arrived = arrived or bool(some.any())
        return _Loaded(core, source, arrived)

    def _sweep(self, loaded: _Loaded) -> _Swept:
        core = loaded.core
        words, states = core.counted
        both = not self._alternates
        core.sweep(loaded.source or both, loaded.arrivals or both, self.budget.threads)
        all_words, all_states = core.counted
        rows = core.take_fresh()
        first = tuple((int(word), int(bits)) for word, bits in rows[: self.kept])
        return _Swept(Stored(0, all_states - states, first), all_words - words, rows)

    def _store(
        self,
        folder: ShardFolder,
        layer: int,
        shard: int,
        core: _core.ShardSearch,
        departures: Words,
        found: Stored,
        old: int | None,
    ) -> None:
        """Write a shard after a layer; its file of an earlier layer goes, now or at the end of the layer."""
        import numpy as np

        words = core.plane(self._plane_of(layer))[0]
        if departures.size:
            folder.write_blocks(folder.cross_path(layer + 1, shard), departures)
        states = int(np.bitwise_count(words).sum())
        safe = folder.write(layer, shard, words, states, found)
        if safe and old is not None and old != layer:
            folder.remove(folder.layer_path(old, shard))

    def _make_crossings(self, folder: ShardFolder, layer: int, progress: ProgressCallback) -> None:
        """Write what leaves shards for a layer, where that is not there yet."""
        core, target = self.cores[0], self._plane_of(layer)
        if not self._crossings[target]:
            return
        for shard, newest in enumerate(self._files[(layer - 1) % 2]):
            if newest != layer - 1 or folder.cross_path(layer, shard).exists():
                continue
            progress("layer", 0, 1)
            core.hold(shard)
            folder.read(layer - 1, shard, core.plane(target ^ 1)[0])
            departures = core.departures(target, self.budget.threads)
            folder.write_blocks(folder.cross_path(layer, shard), departures)

    # Thin layers

    def _advance_thin(self, before: Words, last: Words) -> None:
        """Find the next layer from lists of the last two."""
        import numpy as np

        layer, threads = len(self.layers), self.budget.threads
        progress = layer_progress(self.layers, self.component.states, self.budget.check)
        for core in self.cores:
            core.begin_full(threads)
        images = []
        for first in range(0, len(last), CARRIED_WORDS):
            progress("layer", first, len(last))
            images.append(self.cores[0].images(last[first : first + CARRIED_WORDS], threads))
        rows = _without(_merged(images), before)
        if not self._alternates:
            rows = _without(rows, last)
        self._finish_layer(int(np.bitwise_count(rows[:, 1]).sum()))
        self._unwritten.append((layer, rows))
        self._lists = [last, rows]

    def _write_lists(self, folder: ShardFolder) -> None:
        """Write the layers that are only in lists to the files, and let them count.

        The files are those that full layers would have left: each has the number of the last layer that
        changed it.
        """
        if not self._unwritten:
            return
        complete = bool(self._files[0])
        files = self._files if complete else ([0] * self.code.shards, [0] * self.code.shards)
        self._files = (list(files[0]), list(files[1]))
        for parity in range(min(2, len(self.layers))):
            layers = [(layer, rows) for layer, rows in self._unwritten if layer % 2 == parity]
            if not self._alternates:
                layers = layers[-1:]  # a plane holds one layer
            changes = self._by_shard(layers)
            for shard in range(self.code.shards):
                replaced = layers and not self._alternates
                if complete and not changes[shard] and not replaced:
                    continue
                old = files[parity][shard] if complete and self._alternates else None
                newest = layers[-1][0] if replaced else parity
                self._files[parity][shard] = self._write_changes(folder, shard, old, newest, changes[shard])
        self._unwritten = []
        self._commit(folder)

    def _by_shard(self, layers: list[tuple[int, Words]]) -> list[list[tuple[int, Words, Words]]]:
        """Return for each shard the layers that change it, each with places in its plane and rows."""
        import numpy as np

        shards = self.code.shards
        changes: list[list[tuple[int, Words, Words]]] = [[] for _ in range(shards)]
        for layer, rows in layers:
            placed = self.core.shards_of(rows)
            order = np.argsort(placed[:, 0], kind="stable")
            ends = np.searchsorted(placed[order, 0], np.arange(shards + 1, dtype=np.uint64))
            for shard in np.flatnonzero(np.diff(ends)):
                part = order[ends[shard] : ends[shard + 1]]
                changes[shard].append((layer, placed[part, 1], rows[part]))
        return changes

    def _write_changes(
        self,
        folder: ShardFolder,
        shard: int,
        old: int | None,
        newest: int,
        changes: list[tuple[int, Words, Words]],
    ) -> int:
        """Write a shard with changes of some layers, or without any after `newest`; return its layer."""
        import numpy as np

        plane = self._plane_of(newest)
        self.cores[0].hold(shard)
        words = self.cores[0].plane(plane)[0]
        if old is None:
            words[:] = 0
        else:
            folder.read(old, shard, words)
        stored, flat = Stored(0), words.reshape(-1)
        for layer, places, rows in changes:
            flat[places] |= rows[:, 1]
            first = tuple((int(word), int(bits)) for word, bits in rows[: self.kept])
            stored = Stored(0, int(np.bitwise_count(rows[:, 1]).sum()), first)
            newest = layer
        folder.write(newest, shard, words, int(np.bitwise_count(words).sum()), stored)
        return newest

    def _farthest(self, folder: ShardFolder) -> list[StateIndex]:
        import numpy as np

        newest = len(self.layers) - 1
        listed = self._lists[1]
        if listed is not None:
            return self.core.places(self._plane_of(newest), listed[: self.kept], self.kept)
        first: list[tuple[int, int]] = []
        for shard, layer in enumerate(self._files[newest % 2]):
            if layer == newest:
                first += folder.read_stored(layer, shard).first
        words = np.array(sorted(first), dtype=np.uint64).reshape(-1, 2)
        return self.core.places(self._plane_of(newest), words, self.kept)


def _merged(lists: list[Words]) -> Words:
    """Return rows of a word and its bits in the order of words, each once with all its bits."""
    import numpy as np

    if len(lists) == 1:
        return lists[0]
    rows = np.concatenate(lists) if lists else np.zeros((0, 2), dtype=np.uint64)
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    firsts = np.flatnonzero(np.diff(rows[:, 0], prepend=rows[:1, 0] + np.uint64(1)))
    if len(firsts) == len(rows):
        return rows
    return np.stack([rows[firsts, 0], np.bitwise_or.reduceat(rows[:, 1], firsts)], axis=1)


def _without(rows: Words, others: Words) -> Words:
    """Return rows without the bits of others; both are in the order of words."""
    import numpy as np

    if not len(others):
        return rows
    at = np.minimum(np.searchsorted(others[:, 0], rows[:, 0]), len(others) - 1)
    known = np.where(others[at, 0] == rows[:, 0], others[at, 1], np.uint64(0))
    bits = rows[:, 1] & ~known
    left: Words = np.stack([rows[:, 0], bits], axis=1)[bits != 0]
    return left
