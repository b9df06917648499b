"""A plan before a run: what a search takes on so many machines, or on one machine with a disk.

Sizes are exact: configurations, shards, memory, and what crosses between machines. Times come from constants
that were measured (`cost_model.py`) and from a model of the layers (`layer_model.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp
from typing import TYPE_CHECKING, Any

from slidelab.arguments import parse_bytes
from slidelab.budget import Budget, available_cores, available_memory
from slidelab.distance.component import Component
from slidelab.distance.cost_model import MEASURED, Costs
from slidelab.distance.disk import LISTED_BYTES, SHARDS_IN_MEMORY
from slidelab.distance.disk import MAX_SHARDS as MAX_DISK_SHARDS
from slidelab.distance.layer_model import Depth, find_depth, layer_sizes
from slidelab.distance.shard_files import SPARSE_STATES
from slidelab.distance.shard_outline import THIN_WORDS, ShardOutline, cross, outline
from slidelab.distance.sharded import MESSAGE_BYTES, choose_prefix
from slidelab.distance.starts import read_start, shape_orbits
from slidelab.errors import NotationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.puzzles import ConfigurationLike, Puzzle

__all__ = [
    "ClusterPlan",
    "ClusterRun",
    "DiskRun",
    "Machines",
    "cluster_plan",
    "component_plan",
    "crossing_blocks",
]

MAX_NODES = 10_000
MAX_CORES = 1024
"""Machines and cores of each in a plan: more than the largest clusters have."""

SHARDS_AT_ONCE = 1 << 14
SAMPLED_SHARDS = 1 << 11
"""Shards whose blocks are followed together, some megabytes, and from how many averages are taken."""

MAX_ORBIT_SHAPES = 100_000
"""Shapes of the largest puzzle whose kinds of start are counted."""

SAVE_SECONDS = 0.004
"""Seconds until a small file is safe on a disk."""

SHARD_SAVES = 4
"""Times that as long for a layer in shards: the files, their names, the manifest and its name."""

EXCHANGE_SECONDS = 0.002
"""Seconds in which several processes tell each other what they found in a layer, however little."""

NETWORK = "10G"
DISK_SPEED = "1G"
"""Bits a second between nodes, and bytes a second of a disk, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Machines:
    """Nodes, each with cores, bytes of memory, bits a second of network and bytes a second of disk."""

    nodes: int
    cores: int
    memory: int
    network: int
    disk_speed: int

    @classmethod
    def of(
        cls,
        nodes: int = 1,
        cores: int | None = None,
        memory: int | str | None = None,
        network: int | str = NETWORK,
        disk_speed: int | str = DISK_SPEED,
    ) -> Machines:
        """Return machines from values given by a user; by default they are like this one.

        >>> Machines.of(64, 2, "24G").memory
        24000000000
        >>> Machines.of(0)
        Traceback (most recent call last):
        slidelab.errors.NotationError: expected from 1 to 10000, got 0 - at nodes
        """
        cores = available_cores() if cores is None else cores
        for name, value, most in (("nodes", nodes, MAX_NODES), ("cores", cores, MAX_CORES)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise NotationError(f"expected from 1 to {most}, got {value!r:.40} - at {name}")
        return cls(
            nodes,
            cores,
            available_memory() if memory is None else parse_bytes(memory),
            _bits_a_second(network),
            parse_bytes(disk_speed, "disk_speed"),
        )


def _bits_a_second(network: int | str) -> int:
    if isinstance(network, str) and network.upper().endswith("B"):
        raise NotationError(f"expected bits a second such as 10G, got {network!r:.40} - at network")
    return parse_bytes(network, "network")


@dataclass(frozen=True, slots=True)
class ClusterRun:
    """A search in the memory of several nodes, one process each, or of one.

    Attributes
    ----------
    digits, shards, node_shards : int
        Leading digits that number a shard, shards in all, and those of the node that has most.
    crossing_edges : int
        Edges between shapes that lead from shard to shard.
    planes, arrivals, lists, buffers, tables : int
        Bytes of a node for the words of its shards, for those that arrive from other shards, for lists of new
        words, for messages, and for tables.
    fits : bool
        Whether their sum is at most the memory of a node.
    least_nodes : int or None
        The smallest number of such nodes that do; None if no number does.
    traffic, node_traffic : int
        Bytes that are sent between nodes in a full layer, on average, and by the node that sends or receives
        most.
    checkpoint_layer, checkpoint_space : int
        Bytes that a full layer writes with a checkpoint, on average, and that are on the disk at most.
    compute_seconds, network_seconds, seconds, checkpoint_seconds : float
        Time of all layers for computing, for messages, with both (they overlap where they can), and what
        checkpoints add.
    """

    digits: int
    shards: int
    node_shards: int
    crossing_edges: int
    planes: int
    arrivals: int
    lists: int
    buffers: int
    tables: int
    fits: bool
    least_nodes: int | None
    traffic: int
    node_traffic: int
    checkpoint_layer: int
    checkpoint_space: int
    compute_seconds: float
    network_seconds: float
    seconds: float
    checkpoint_seconds: float

    @property
    def memory(self) -> int:
        """Bytes of a node."""
        return self.planes + self.arrivals + self.lists + self.buffers + self.tables


@dataclass(frozen=True, slots=True)
class DiskRun:
    """A search of one machine with its planes on a disk, one shard at a time in memory.

    Attributes
    ----------
    digits, shards, crossing_edges : int
        As for `ClusterRun`.
    memory : int
        Bytes of shards, buffers and tables.
    fits : bool
        Whether that is at most the memory of the machine.
    space : int
        Bytes on the disk at most.
    read_layer, write_layer : int
        Bytes read and written in a full layer, on average.
    read, written : int
        Bytes of all layers.
    compute_seconds, disk_seconds, seconds : float
        Time of all layers for computing, for the disk, and with both, which overlap.
    """

    digits: int
    shards: int
    crossing_edges: int
    memory: int
    fits: bool
    space: int
    read_layer: int
    write_layer: int
    read: int
    written: int
    compute_seconds: float
    disk_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class ClusterPlan:
    """What a search from one start takes.

    Attributes
    ----------
    puzzle : Puzzle
    machines : Machines
    states : int
        Configurations.
    planes : int
        Bits of each: 1 if every move changes the colour of the shape, otherwise 2.
    plane_bytes : int
        Bytes of all words.
    edges : int
        Edges between shapes.
    depth : Depth
        Distance of the farthest configuration.
    full_layers : int
        Layers in which all words are computed, in the model of layers.
    searches : int or None
        Starts that God's number takes, one for each kind of shape; None if there are too many to count.
    cluster : ClusterRun
    disk : DiskRun

    Examples
    --------
    >>> import slidelab as sl
    >>> plan = sl.puzzle("15-puzzle").plan(nodes=72, cores=2, memory="24G")
    >>> plan
    <plan for square R(4,4) tiles 1 on 72 nodes: 10,461,394,944,000 configurations>
    >>> plan.cluster.shards, plan.cluster.fits
    (2730, True)
    """

    puzzle: Puzzle
    machines: Machines
    states: int
    planes: int
    plane_bytes: int
    edges: int
    depth: Depth
    full_layers: int
    searches: int | None
    cluster: ClusterRun
    disk: DiskRun

    @property
    def bits(self) -> float:
        """Bits of the planes for each configuration."""
        return 8 * self.plane_bytes / self.states

    def __repr__(self) -> str:
        from slidelab.messages import big_number, counted

        nodes = counted(self.machines.nodes, "node")
        return f"<plan for {self.puzzle.text} on {nodes}: {big_number(self.states)} configurations>"

    def __str__(self) -> str:
        from slidelab.distance.plan_report import plan_text

        return plan_text(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.puzzle.to_json(),
            "machines": asdict(self.machines),
            "states": self.states,
            "planes": self.planes,
            "bits": round(self.bits, 4),
            "plane_bytes": self.plane_bytes,
            "edges": self.edges,
            "depth": self.depth.to_json(),
            "full_layers": self.full_layers,
            "searches": self.searches,
            "cluster": {"memory": self.cluster.memory, **asdict(self.cluster)},
            "disk": asdict(self.disk),
        }


def cluster_plan(
    puzzle: Puzzle,
    machines: Machines | None = None,
    start: ConfigurationLike | None = None,
    *,
    costs: Costs = MEASURED,
    budget: Budget | None = None,
) -> ClusterPlan:
    """Return what a search takes; see `Puzzle.plan`.

    >>> import slidelab as sl
    >>> cluster_plan(sl.puzzle("3x4"), Machines.of(2, 1, "1G")).cluster.crossing_edges
    1
    """
    component = Component(read_start(puzzle, start, budget), budget=budget)
    searches = None
    if component.graph.shapes <= MAX_ORBIT_SHAPES and puzzle.colours is None:
        moving = {root for root, _ in component.graph.families()}
        orbits = shape_orbits(component.graph, budget)[1]
        searches = sum(1 for orbit in orbits if int(component.graph.family_of[orbit[0]]) in moving)
    found = component_plan(component, machines or Machines.of(), costs=costs)
    return replace(found, searches=searches)


def component_plan(component: Component, machines: Machines, *, costs: Costs = MEASURED) -> ClusterPlan:
    """Return what one search of a component takes; the kinds of start are not counted."""
    sizes, depth = outline(component), find_depth(component)
    layers = layer_sizes(sizes.states, depth.moves)
    return ClusterPlan(
        puzzle=component.puzzle,
        machines=machines,
        states=sizes.states,
        planes=sizes.planes,
        plane_bytes=sizes.plane_bytes,
        edges=sizes.edges,
        depth=depth,
        full_layers=_full_layers(sizes, layers),
        searches=None,
        cluster=_plan_cluster(component, sizes, machines, layers, costs),
        disk=_with_saves(_plan_disk(sizes, machines, layers, costs), len(layers)),
    )


def _with_saves(run: DiskRun, layers: int) -> DiskRun:
    """Return a search on disk with the time until the files of so many layers are safe."""
    saving = layers * SHARD_SAVES * SAVE_SECONDS
    return replace(run, disk_seconds=run.disk_seconds + saving, seconds=run.seconds + saving)


# Shards


def _cluster_digits(component: Component, sizes: ShardOutline, nodes: int) -> int:
    """Return how many digits number the shards of so many processes; one alone takes as few as it can."""
    wanted = choose_prefix(component, nodes) if nodes > 1 else 0
    return min(max(wanted, sizes.min_digits), sizes.max_digits)


def ranges(shards: int, processes: int) -> list[tuple[int, int]]:
    """Return the shards of each process, as the first and the one after the last.

    >>> ranges(11, 3)
    [(0, 3), (3, 7), (7, 11)]
    """
    return [(k * shards // processes, (k + 1) * shards // processes) for k in range(processes)]


def crossing_blocks(sizes: ShardOutline, plane: int, digits: int, processes: int) -> tuple[int, int]:
    """Return the blocks that arcs into a plane take from process to process, and the most of one process.

    A block is counted once for each row of words. What a process sends and what it receives go at the same
    time, so the larger of the two counts.
    """
    import numpy as np

    shards, blocks = sizes.shards(digits), max(1, sizes.pieces - digits)
    ends = np.array([last for _, last in ranges(shards, processes)])
    sent, received = np.zeros(processes, dtype=np.int64), np.zeros(processes, dtype=np.int64)
    for first in range(0, shards, SHARDS_AT_ONCE):
        source, block = _blocks_of(np.arange(first, min(shards, first + SHARDS_AT_ONCE)), blocks)
        owner = np.searchsorted(ends, source, side="right")
        for run, count in sizes.crossing(plane, digits).items():
            there = np.searchsorted(ends, cross(sizes.pieces, digits, run, source, block)[0], side="right")
            leaves = owner != there
            sent += count * np.bincount(owner[leaves], minlength=processes)
            received += count * np.bincount(there[leaves], minlength=processes)
    return sizes.labels * int(sent.sum()), sizes.labels * int(max(sent.max(), received.max()))


def _blocks_of(shards: NDArray[np.int64], blocks: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all blocks of some shards: their shards and their first digits."""
    import numpy as np

    return np.repeat(shards, blocks), np.tile(np.arange(blocks), len(shards))


# Layers


def _occupied(sizes: ShardOutline, states: float) -> float:
    """Return the words with a state of a layer, if its states are anywhere in words of its colour."""
    words = sizes.all_words / (2 if sizes.alternates else 1)
    return words * (1 - exp(-states / words))


def _full_layers(sizes: ShardOutline, layers: Sequence[float]) -> int:
    return sum(_occupied(sizes, states) * THIN_WORDS >= sizes.all_words for states in layers[:-1])


def _mean_arcs(sizes: ShardOutline) -> float:
    """Return the arcs of a shape, on average."""
    return sum(sum(runs.values()) for runs in sizes.runs) / sum(sizes.plane_shapes)


def _listed_words(sizes: ShardOutline, layers: Sequence[float]) -> float:
    """Return the words of all layers that are carried from lists."""
    occupied = (_occupied(sizes, states) for states in layers[:-1])
    return sum(words for words in occupied if words * THIN_WORDS < sizes.all_words)


def _stored_shares(sizes: ShardOutline, layers: Sequence[float]) -> list[float]:
    """Return, for each layer, the words that its plane takes in files: packed ones are those with states.

    With one plane they hold all layers of a colour, with two a layer alone.
    """
    shares = []
    half = sizes.all_words / 2
    for d in range(len(layers)):
        states = sum(layers[d::-2]) / half if sizes.alternates else layers[d] / sizes.all_words
        few = min(states, 60 - states) if sizes.alternates else states  # a word
        shares.append(1.0 if few >= SPARSE_STATES else min(1.0, 1 / 64 + max(0.0, few)))
    return shares


@dataclass(frozen=True, slots=True)
class _LayerWork:
    """Nanoseconds of one thread for a full layer, of one shard: on average over both planes."""

    within: float
    crossing: float
    departing: float
    words: float
    crossing_words: float


def _layer_work(sizes: ShardOutline, digits: int, costs: Costs, *, apart: bool) -> _LayerWork:
    """Return the work of a shard; `apart` if words that arrive are added in a sweep of their own."""
    words, row = sizes.words(digits), sizes.row(digits)
    each_row = costs.row / row if row else 0.0
    settle = costs.merge if sizes.alternates else costs.settle
    within = crossing = departing = crossing_arcs = 0.0
    for plane in range(2):
        within += settle * sizes.plane_shapes[plane]
        if apart:
            crossing += settle * sizes.crossing_shapes(plane, digits)
        crosses = sizes.crossing(plane, digits)
        for run, count in sizes.runs[plane].items():
            if run not in crosses:
                within += count * (costs.run(sizes.pieces, run) + each_row)
                continue
            start, end = (max(slot, digits) for slot in run)
            moving = costs.run(sizes.pieces, (start, end)) + each_row
            resting = costs.identity + each_row
            # To the left the piece moves before its block crosses, to the right afterwards.
            leftwards = run[0] > run[1]
            departing += count * (costs.copy + (moving if leftwards else 0.0))
            crossing += count * (resting if leftwards else moving)
            crossing_arcs += count
    shapes = sum(sizes.plane_shapes)
    return _LayerWork(
        words * within / 2,
        words * crossing / 2,
        words * departing / 2,
        words * shapes / 2,
        words * crossing_arcs / 2,
    )


# Several nodes


def _node_bytes(sizes: ShardOutline, digits: int, own: int, machines: Machines, processes: int) -> list[int]:
    """Return the bytes of planes, arrivals, lists, buffers and tables of a node with so many shards."""
    talks = processes > 1 and sizes.shards(digits) > 1
    buffers = 2 * processes * MESSAGE_BYTES // (processes - 1) if talks else 0
    return [*sizes.search_bytes(digits, own, machines.cores), buffers, sizes.code_bytes(digits)]


def _least_nodes(component: Component, sizes: ShardOutline, machines: Machines) -> int | None:
    """Return the smallest number of nodes whose memory is enough, by doubling and halving."""

    def fits(nodes: int) -> bool:
        digits = _cluster_digits(component, sizes, nodes)
        own = -(-sizes.shards(digits) // nodes)
        return sum(_node_bytes(sizes, digits, own, machines, nodes)) <= machines.memory

    most = 1
    while not fits(most):
        if most > MAX_NODES:
            return None
        most *= 2
    least = most // 2 + 1
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if fits(middle) else (middle + 1, most)
    return most


def _plan_cluster(
    component: Component, sizes: ShardOutline, machines: Machines, layers: Sequence[float], costs: Costs
) -> ClusterRun:
    nodes, cores = machines.nodes, machines.cores
    digits = _cluster_digits(component, sizes, nodes)
    shards = sizes.shards(digits)
    own = -(-shards // nodes)
    planes, arrivals, lists, buffers, tables = _node_bytes(sizes, digits, own, machines, nodes)
    block_bytes = 8 * sizes.row(digits) // max(1, sizes.pieces - digits)
    counts = [crossing_blocks(sizes, plane, digits, nodes) if nodes > 1 else (0, 0) for plane in range(2)]
    traffic, node_traffic = (block_bytes * (counts[0][k] + counts[1][k]) // 2 for k in range(2))

    apart = sizes.alternates and nodes > 1
    work = _layer_work(sizes, digits, costs, apart=apart)
    received = costs.copy * node_traffic / 8
    sweeping, adding, departing = (own * ns for ns in (work.within, work.crossing, work.departing))
    network = 8e9 * node_traffic / machines.network
    if apart:  # words are pulled within shards while one thread sends
        beside = departing + received
        layer = max(sweeping / cores, beside + network) + adding / cores
        compute = max(sweeping / cores, beside) + adding / cores
    else:
        compute = (sweeping + adding + departing + received) / cores
        layer = compute + network
    full = _full_layers(sizes, layers)
    carried = costs.carry * _mean_arcs(sizes) * _listed_words(sizes, layers)
    thin = carried / (nodes * cores) + costs.layer * len(layers)
    stored = _stored_shares(sizes, layers)
    plane = sizes.plane_bytes // 2
    save_ns = sum(stored) * plane * (costs.file / 8 / cores + 1e9 / machines.disk_speed) / min(nodes, shards)
    saves = SHARD_SAVES if nodes > 1 else 1
    talking = EXCHANGE_SECONDS * len(layers) if nodes > 1 else 0.0
    return ClusterRun(
        digits=digits,
        shards=shards,
        node_shards=own,
        crossing_edges=sizes.crossing_edges(digits),
        planes=planes,
        arrivals=arrivals,
        lists=lists,
        buffers=buffers,
        tables=tables,
        fits=planes + arrivals + lists + buffers + tables <= machines.memory,
        least_nodes=_least_nodes(component, sizes, machines),
        traffic=traffic,
        node_traffic=node_traffic,
        checkpoint_layer=plane,
        checkpoint_space=sizes.plane_bytes + plane,
        compute_seconds=(full * compute + thin) / 1e9,
        network_seconds=full * network / 1e9 + talking,
        seconds=(full * layer + thin) / 1e9 + talking,
        checkpoint_seconds=save_ns / 1e9 + saves * SAVE_SECONDS * len(layers),
    )


# One machine with a disk


def _disk_digits(sizes: ShardOutline, machines: Machines) -> int:
    """Return the fewest digits whose shards fit the memory, or the most there can be."""
    possible = range(sizes.min_digits, sizes.max_digits + 1)
    most = max((k for k in possible if sizes.shards(k) <= MAX_DISK_SHARDS), default=sizes.min_digits)
    for digits in range(sizes.min_digits, most):
        if _disk_bytes(sizes, digits, machines) <= machines.memory:
            return digits
    return most


def _disk_bytes(sizes: ShardOutline, digits: int, machines: Machines) -> int:
    return SHARDS_IN_MEMORY * sum(sizes.search_bytes(digits, 1, machines.cores)) + sizes.code_bytes(digits)


def _cross_files(sizes: ShardOutline, digits: int) -> tuple[float, float]:
    """Return the files from which blocks cross into a shard, and these blocks, averaged over both planes."""
    import numpy as np

    shards, places = sizes.shards(digits), max(1, sizes.pieces - digits)
    some = np.arange(shards)[:: -(-shards // SAMPLED_SHARDS)]
    source, block = _blocks_of(some, places)
    files = blocks = 0
    for plane in range(2):
        crossing = sizes.crossing(plane, digits)
        pairs = [
            source * shards + cross(sizes.pieces, digits, run, source, block)[0]
            for run in {(min(a, digits), min(b, digits)) for a, b in crossing}
        ]
        files += len(np.unique(np.concatenate(pairs))) if pairs else 0
        blocks += places * sum(crossing.values())
    return files / 2 / len(some), blocks / 2


def _plan_disk(sizes: ShardOutline, machines: Machines, layers: Sequence[float], costs: Costs) -> DiskRun:
    digits = _disk_digits(sizes, machines)
    shards, row = sizes.shards(digits), sizes.words(digits)
    memory = _disk_bytes(sizes, digits, machines)
    crossing = 8 * row * shards * sum(sizes.crossing_arcs(plane, digits) for plane in range(2))
    plane = sizes.plane_bytes // 2
    work = _layer_work(sizes, digits, costs, apart=False)
    files, blocks = _cross_files(sizes, digits)
    overhead = costs.shard + files * costs.cross_file + blocks * costs.block
    copied = costs.unpack * (1.5 * sizes.plane_bytes + crossing) / 8 / shards  # two planes in, one out
    layer_ns = (
        shards * (work.within + work.crossing + work.departing + copied) / machines.cores + shards * overhead
    )
    stored = _stored_shares(sizes, layers)
    read = written = compute = disk = seconds = 0.0
    listed = min(sizes.all_words // THIN_WORDS, max(0, machines.memory - memory) // LISTED_BYTES)
    for d in range(1, len(layers)):
        words = _occupied(sizes, layers[d - 1])
        if words <= listed:  # computed from lists, without files
            computing = costs.carry * _mean_arcs(sizes) * words / machines.cores + costs.layer
            compute, seconds = compute + computing, seconds + computing
            continue
        # Shards without new states, which nothing new can reach, are not touched.
        touched = (1 - exp(-layers[d - 1] / shards)) if sizes.alternates else 1.0
        crosses = crossing / 2 * stored[d - 1]
        reads = touched * (plane * (stored[d - 1] + stored[max(0, d - 2)]) + crosses)
        writes = touched * (plane * stored[d] + crosses)
        computing = touched * layer_ns + costs.file * (reads + writes) / 8 / machines.cores + costs.layer
        waiting = 1e9 * (reads + writes) / machines.disk_speed
        read, written, compute, disk = read + reads, written + writes, compute + computing, disk + waiting
        seconds += max(computing, waiting)
    return DiskRun(
        digits=digits,
        shards=shards,
        crossing_edges=sizes.crossing_edges(digits),
        memory=memory,
        fits=memory <= machines.memory,
        space=sizes.plane_bytes + crossing + sizes.plane_bytes // shards,
        read_layer=2 * plane + crossing // 2,
        write_layer=plane + crossing // 2,
        read=round(read),
        written=round(written),
        compute_seconds=compute / 1e9,
        disk_seconds=disk / 1e9,
        seconds=seconds / 1e9,
    )
