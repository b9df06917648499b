"""What the steps of an exhaustive search cost: constants of a machine, and how they are measured.

A full layer adds to every word what all arcs bring into it. What an arc costs a word depends on where its run
of slots begins and ends: in the head, whose digits number the words, or in the tail, whose arrangements are
the bits of a word (docs/design/distances.md).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.distance.shard_outline import TAIL_SLOTS, Run
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab._core import ShardSearch, StateCode

__all__ = ["MEASURED", "Costs", "calibrate"]

HEAD_KINDS = 3
"""Slots of the head that are told apart: the last, the one before, and any earlier one."""

KINDS = HEAD_KINDS + TAIL_SLOTS


@dataclass(frozen=True, slots=True)
class Costs:
    """Nanoseconds of one thread, for each word unless something else is named.

    Attributes
    ----------
    merge, settle : float
        For adding what is new to a plane: with one plane, with two.
    identity : float
        For an arc that passes no piece.
    runs : tuple of tuples of float
        For an arc that moves a piece from one slot (the row) to another (the column): an early slot of the
        head, the last but one, the last, or one of the five slots of the tail.
    row : float
        For each row of words, on top.
    copy : float
        For a word that is copied to where it crosses, and the same where it arrives from another process.
    carry : float
        For a word of a thin layer and an arc, carried from a list.
    layer : float
        For each layer, however small.
    file : float
        For a word that is written to a file or read: checksum and copies, without waiting for the disk.
    unpack : float
        For a word of a shard that is brought from a file into memory or back, packed or not.
    shard, cross_file, block : float
        For each shard of a layer on disk, each file from which blocks cross into it, and each such block.
    """

    merge: float
    settle: float
    identity: float
    runs: tuple[tuple[float, ...], ...]
    row: float
    copy: float
    carry: float
    layer: float
    file: float
    unpack: float
    shard: float
    cross_file: float
    block: float

    def run(self, pieces: int, run: Run) -> float:
        """Return what an arc costs a word that moves one of so many pieces between two slots.

        >>> MEASURED.run(11, (3, 3)) == MEASURED.identity
        True
        >>> MEASURED.run(11, (0, 4)) == MEASURED.run(12, (1, 5))
        True
        """
        if run[0] == run[1]:
            return self.identity
        start, end = (max(0, slot - pieces + KINDS) for slot in run)
        return self.runs[start][end]

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return asdict(self)

    def __str__(self) -> str:
        """Format the constants as two tables."""
        names = [f.name for f in fields(self) if f.name != "runs"]
        rows = [("nanoseconds", "")] + [
            (name.replace("_", " "), f"{getattr(self, name):,.2f}") for name in names
        ]
        slots = ["head", *(f"head {k}" for k in range(1 - HEAD_KINDS, 0))]
        slots += [f"tail {k}" for k in range(1, TAIL_SLOTS + 1)]
        table = [("run from", *(f"to {slot}" for slot in slots))]
        for start, costs in zip(slots, self.runs, strict=True):
            table.append((start, *(f"{cost:.2f}" for cost in costs)))
        numbers = text_table(rows, right=(1,), header=True)
        return f"{numbers}\n\n{text_table(table, right=range(1, KINDS + 1), header=True)}"


CALIBRATION_PIECES = 12
"""Pieces of the artificial puzzle that is measured: its planes, 32 MB each, are larger than most caches."""

SWEEPS = 3
"""Sweeps in each direction, of which the median counts."""

FILE_WORDS = 1 << 21
MANY_BLOCKS = 2000
LISTED_WORDS = 1000
"""Words and blocks of the files that are written and read, and words that are listed in a header."""


def calibrate(budget: Budget | None = None) -> Costs:
    """Measure the constants of this machine in some seconds, with one thread, by its processor time."""
    budget = budget or Budget()
    pieces, early = CALIBRATION_PIECES, 1
    pairs = [
        (left, right) for left in range(KINDS) for right in range(left, KINDS) if left < right or not left
    ]
    budget.check("calibration", 0, len(pairs) + 1)
    once = min(_sweep_costs(pieces, [(0, 0)]))
    identity = (min(_sweep_costs(pieces, [(0, 0)] * 5)) - once) / 4
    runs = [[identity] * KINDS for _ in range(KINDS)]
    for number, (left, right) in enumerate(pairs):
        budget.check("calibration", number, len(pairs) + 1)
        start, end = (pieces - KINDS + kind for kind in (left, right))
        forth, back = _sweep_costs(pieces, [(0, 0), (start if left else early, end)])
        runs[left][right] = max(identity, forth - once)
        runs[right][left] = max(identity, back - once)
    budget.check("calibration", len(pairs), len(pairs) + 1)
    return Costs(
        merge=max(0.0, once - identity),
        settle=max(0.0, min(_sweep_costs(pieces, [(0, 0)], two_planes=True)) - identity),
        identity=identity,
        runs=tuple(map(tuple, runs)),
        row=_row_cost(),
        copy=_copy_cost(pieces),
        carry=_carry_cost(),
        layer=_layer_cost(),
        **_file_costs(),
    )


def _two_shapes(
    pieces: int, runs: list[Run], digits: int = 0, *, flips: int = 0, two_planes: bool = False
) -> tuple[StateCode, ShardSearch]:
    """Return a search over two shapes between which there are such edges, with a state in most words.

    With `flips`, pieces have two ends, and so many edges turn one of them.
    """
    import numpy as np

    from slidelab import _core

    turns = 2 if flips else 1
    rows = [(0, 1, *run, 0) for run in runs] + [(0, 1, slot, slot, 1) for slot in range(flips)]
    code = _core.StateCode(
        2,
        np.array(rows, dtype=np.int64),
        turns,
        np.tile(np.arange(turns, dtype=np.uint32), pieces),
        np.arange(pieces, dtype=np.uint32),
        False,
        1 << 30,
        digits,
    )
    search = _core.ShardSearch(code, 0, code.shards, two_planes=two_planes)
    search.prepare(0)
    for plane in range(2):
        search.plane(plane)[...] = 0x249249249249249
    search.resume([1])
    return code, search


def _sweep_costs(pieces: int, runs: list[Run], *, two_planes: bool = False) -> tuple[float, float]:
    """Return the nanoseconds a word of a sweep along such edges, and of one against them."""
    _, search = _two_shapes(pieces, runs, two_planes=two_planes)
    forth, back = _sweep_times(search)
    shapes = 1 + two_planes  # with two planes, both shapes are in each
    return forth / shapes, back / shapes


def _sweep_times(search: ShardSearch) -> tuple[float, float]:
    """Return the nanoseconds of sweeps to the second shape and to the first, a word of a shape."""
    times = []
    for layer in range(1, 2 * SWEEPS + 1):
        search.plane(search.plane_of(layer))[...] = 1  # so that most words have new states
        search.begin_full(1)
        begin = process_time()
        search.sweep(True, True, 1)
        times.append(process_time() - begin)
        search.finish_layer(1)
    words = search.plane(0).size // search.plane_shapes(0)
    return median(times[::2]) * 1e9 / words, median(times[1::2]) * 1e9 / words


def _row_cost() -> float:
    """Return the nanoseconds of a row of words, however short, for each arc: short rows against long ones."""
    flips, times, rows = 8, [], []
    for digits in (0, 2):
        code, search = _two_shapes(9, [(0, 0)], digits, flips=flips)
        times.append(min(_sweep_times(search)))
        rows.append(1 / code.row)
    return max(0.0, (times[1] - times[0]) / (rows[1] - rows[0]) / (flips + 1))


def _copy_cost(pieces: int) -> float:
    """Return the nanoseconds of copying a word that crosses."""
    code, search = _two_shapes(pieces, [(0, 1)], 1)
    times = []
    for _ in range(2 * SWEEPS):
        search.begin_full(1)
        begin = process_time()
        search.send(0, (0, code.shards), [], [], 1)
        times.append(process_time() - begin)
        search.finish_layer(1)
    return median(times) * 1e9 / search.plane(0).size


def _carry_cost() -> float:
    """Return the nanoseconds of carrying a word along an arc, over the thin layers of a real puzzle."""
    from slidelab import _core
    from slidelab.distance.component import Component
    from slidelab.puzzles import puzzle

    component = Component(puzzle("square R(3,4)").goal)
    search = _core.ShardSearch(component.code, 0, 1)
    search.begin(component.known_index(component.start))
    words, begin = 0, process_time()
    while search.is_thin(search.counted[0], search.listed):
        words += search.counted[0]
        search.advance(1)
    arcs = 2 * len(component.edges) / component.family.shapes
    return (process_time() - begin) * 1e9 / (words * arcs)


def _file_costs() -> dict[str, float]:
    """Return the nanoseconds of words, shards and blocks in files."""
    from tempfile import TemporaryDirectory

    import numpy as np

    from slidelab.distance.shard_files import ShardFolder, Stored

    block = 42
    stored = Stored(1, 1, tuple((1 << 40, 1 << 50) for _ in range(LISTED_WORDS)))
    with TemporaryDirectory() as name, ShardFolder(name, {}) as folder:

        def words_cost(count: int) -> float:
            words = np.full(count, 0x249249249249249, dtype=np.uint64)
            times = []
            for layer in range(2 * SWEEPS):
                begin = process_time()
                folder.write(layer, 0, words, 20 * count, stored)
                folder.read(layer, 0, words)
                times.append(process_time() - begin)
            return median(times) * 1e9

        def blocks_cost(count: int) -> float:
            words = np.ones((count, block), dtype=np.uint64)
            path, times = folder.cross_path(0, 0), []
            folder.write_blocks(path, words)
            for _ in range(2 * SWEEPS):
                folder.forget_blocks()
                begin = process_time()
                folder.read_blocks(path, np.arange(count))
                times.append(process_time() - begin)
            return median(times) * 1e9

        def sparse_cost() -> float:
            words, there = np.zeros((2, FILE_WORDS), dtype=np.uint64)
            words[::100] = 1
            times = []
            for layer in range(2 * SWEEPS):
                begin = process_time()
                fresh = np.empty(FILE_WORDS, dtype=np.uint64)
                folder.write(layer, 0, words.copy(), int(np.bitwise_count(words).sum()), stored)
                folder.read(layer, 0, fresh)
                there[:] = fresh
                times.append(process_time() - begin)
            return median(times) * 1e9

        few, many = words_cost(1), words_cost(FILE_WORDS)
        packed = max(0.0, sparse_cost() - few) / (2 * FILE_WORDS)
        one, some = blocks_cost(1), blocks_cost(MANY_BLOCKS)
    each = max(0.0, some - one) / MANY_BLOCKS
    # A shard writes its words and what leaves it, and reads its words of two layers; a block is also written.
    return {
        "file": max(0.0, many - few) / (2 * FILE_WORDS),
        "unpack": packed,
        "shard": 2 * few,
        "cross_file": one,
        "block": 2 * each,
    }


def _layer_cost() -> float:
    """Return the nanoseconds of a layer with hardly any words."""
    _, search = _two_shapes(6, [(0, 0)])
    layers = 200
    begin = process_time()
    for _ in range(layers):
        search.begin_full(1)
        search.sweep(True, True, 1)
        search.finish_layer(1)
    return (process_time() - begin) * 1e9 / layers


MEASURED = Costs(
    merge=1.99,
    settle=1.67,
    identity=0.19,
    runs=(
        (1.48, 0.50, 1.70, 2.45, 3.31, 4.55, 4.17, 4.01),
        (2.89, 0.19, 1.63, 1.77, 3.49, 4.84, 4.70, 3.88),
        (2.60, 1.83, 0.19, 1.67, 2.60, 4.13, 3.25, 3.58),
        (9.12, 1.27, 1.31, 0.19, 1.53, 1.66, 2.25, 2.02),
        (8.89, 2.36, 2.14, 1.47, 0.19, 1.14, 0.82, 1.42),
        (14.68, 3.83, 3.27, 1.59, 1.04, 0.19, 1.02, 0.51),
        (18.03, 4.63, 3.25, 2.04, 0.91, 1.12, 0.19, 0.85),
        (17.04, 3.82, 3.52, 2.02, 1.43, 0.63, 0.85, 0.19),
    ),
    row=9.0,
    copy=0.69,
    carry=72.1,
    file=3.11,
    layer=835.0,
    unpack=2.16,
    shard=1954494.0,
    cross_file=38672.5,
    block=4193.4,
)
"""Constants of one core of a server of 2021 (AVX2)."""
