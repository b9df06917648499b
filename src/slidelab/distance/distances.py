"""Distances from one start: their distribution and the farthest configurations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.budget import Budget
from slidelab.display import SvgDisplay, chart
from slidelab.distance.checkpoint import Checkpoint, StoredResult, search_key
from slidelab.distance.cluster_plan import MAX_CORES, MAX_NODES, Machines, component_plan
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.metric import Metric
from slidelab.distance.search import SEARCH_SECONDS, LayeredSearch, Plan, PlanCallback, Search
from slidelab.distance.starts import read_start
from slidelab.distance.symmetric import symmetric_search
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Configuration, Puzzle

if TYPE_CHECKING:
    from slidelab.distance.world import World
    from slidelab.puzzles import ConfigurationLike
    from slidelab.rules import Cells

__all__ = [
    "Distances",
    "PlanOnce",
    "distances",
    "make_search",
    "only_folder",
    "read_start",
    "search_from",
    "search_plan",
]

HARDEST_COUNT = 1000
"""Farthest configurations in a result by default."""

MAX_COLOURED_SHAPES = 10_000
"""Shapes of a puzzle too large for the memory that are coloured, to say just how large it is."""

MIN_PROCESSES = 4
"""Processes for which a search with a folder has shards enough, however few begin it."""

MAX_MODELLED_EDGES = 100_000
"""Edges of the largest component whose time is foreseen as in a plan: that takes some tenths of a second."""

MAX_HARDEST_COUNT = 1_000_000
"""Largest number of farthest configurations in a result: about a gigabyte."""


@dataclass(frozen=True, slots=True, repr=False)
class Distances(SvgDisplay):
    """The number of configurations at each distance from a start, and the farthest ones.

    Attributes
    ----------
    start : Configuration
    distribution : tuple of int
        Entry d is the number of configurations whose shortest solution has d moves.
    hardest : tuple of Configuration
        Those at the largest distance: all of them, or as many as were asked for.
    metric : str
        ``"single"``, or ``"straight"`` if a row of tiles pushed at once counts as one move.

    Examples
    --------
    >>> import slidelab as sl
    >>> d = sl.puzzle("square R(2,2)").distances()
    >>> d
    <distances from 'square R(2,2) tiles 1 : 1 2 3 .': 12 configurations, depth 6>
    >>> d.mean
    3.0
    """

    start: Configuration
    distribution: tuple[int, ...]
    hardest: tuple[Configuration, ...]
    metric: Metric = "single"

    @property
    def states(self) -> int:
        """The number of configurations that can be reached."""
        return sum(self.distribution)

    @property
    def depth(self) -> int:
        """The largest distance."""
        return len(self.distribution) - 1

    @property
    def mean(self) -> float:
        """The mean distance."""
        return sum(d * n for d, n in enumerate(self.distribution)) / self.states

    chart = chart

    def __repr__(self) -> str:
        return f"<distances from {self.start.text!r}: {self.states:,} configurations, depth {self.depth}>"

    def __str__(self) -> str:
        from slidelab.distance.report import distances_text

        return distances_text(self)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "puzzle": self.start.puzzle.to_json(),
            "start": self.start.to_json(),
            "metric": self.metric,
            "states": self.states,
            "depth": self.depth,
            "distribution": list(self.distribution),
            "hardest": [c.to_json() for c in self.hardest],
        }


def distances(
    puzzle: Puzzle,
    start: ConfigurationLike | frozenset[Cells] | None = None,
    *,
    metric: Metric = "single",
    hardest: int = HARDEST_COUNT,
    checkpoint: str | Path | None = None,
    disk: str | Path | None = None,
    world: World | None = None,
    plan: PlanCallback | None = None,
    budget: Budget | None = None,
    use_symmetry: bool = True,
) -> Distances:
    """Count the configurations at each distance from a start; see `Puzzle.distances`.

    With `use_symmetry`, one shape of each orbit is searched where that is faster, or nothing else fits.

    >>> import slidelab as sl
    >>> d = distances(sl.puzzle("square R(3,3)"))
    >>> d.states, d.depth, d.distribution[:6]
    (181440, 31, (1, 2, 4, 8, 16, 20))
    >>> [c.pieces_text for c in d.hardest]
    ['6 4 7 8 5 . 3 2 1', '8 6 7 2 5 4 3 . 1']
    """
    if isinstance(hardest, bool) or not isinstance(hardest, int) or not 0 <= hardest <= MAX_HARDEST_COUNT:
        raise NotationError(
            f"expected from 0 to {MAX_HARDEST_COUNT} hardest configurations, got {hardest!r:.40}"
        )
    budget = budget or Budget()
    component = Component(read_start(puzzle, start, budget), metric, budget=budget)
    folder = only_folder(checkpoint, disk)
    search: LayeredSearch | None = None
    if use_symmetry and folder is None and world is None:
        search = symmetric_search(component, budget, component.start, limit=max(1, hardest))
    if search is None:
        search = make_search(
            component,
            budget,
            hardest=hardest,
            folders=() if folder is None else (folder,),
            on_disk=disk is not None,
            world=world,
        )
    return search_from(
        search,
        component.known_index(component.start),
        hardest=hardest,
        folder=folder,
        announce=PlanOnce(plan, partial(search_plan, search, 1, world=world, in_folder=folder is not None)),
    )


def only_folder(checkpoint: str | Path | None, disk: str | Path | None) -> str | Path | None:
    """Return the folder of a search, of which there must not be two."""
    if checkpoint is not None and disk is not None:
        raise NotationError("expected a checkpoint or a disk, got both: a search on disk resumes by itself")
    return disk if checkpoint is None else checkpoint


def make_search(
    component: Component,
    budget: Budget,
    *,
    hardest: int = 1,
    folders: Sequence[str | Path] = (),
    on_disk: bool = False,
    world: World | None = None,
) -> LayeredSearch:
    """Return the kind of search for a component: in memory, on a disk, or shared by several processes.

    `folders` are those in which searches of the component are kept, one for each start.

    >>> import slidelab as sl
    >>> one_bit = make_search(Component(sl.puzzle("square R(3,3)").goal), Budget())
    >>> two_bits = make_search(Component(sl.puzzle("hex P(3,3)").goal), Budget())
    >>> type(one_bit).__name__, type(two_bits).__name__
    ('ShardedSearch', 'Search')
    """
    from slidelab.distance.disk import DiskSearch
    from slidelab.distance.sharded import ShardedSearch, choose_prefix

    kept = max(1, hardest)
    together = world is not None and world.size > 1
    if on_disk and together:
        raise NotationError("expected one process for a search on a disk, got several")
    if component.metric != "single" and (on_disk or together):
        what = "on a disk" if on_disk else "by several processes"
        raise NotationError(f"expected single moves in a search {what}, got the metric {component.metric!r}")
    if not on_disk and not together and component.family.shapes > MAX_COLOURED_SHAPES:
        component.check_memory(1)  # before edges are read
    stored = _stored_prefix(component, folders, world)
    if on_disk:
        return DiskSearch(component, budget, prefix=stored, kept=kept)
    if component.metric == "single" and world is not None and (together or folders):
        # With a folder, more processes may go on later than there are now.
        processes = max(world.size, MIN_PROCESSES) if folders else world.size
        prefix = choose_prefix(component, processes) if stored is None else stored
        return ShardedSearch(component, budget, prefix=prefix, kept=kept, world=world)
    if component.metric == "single":
        if stored is not None or (component.alternates and not folders):
            return ShardedSearch(component, budget, kept=kept)
        if component.alternates and not component.fits(2):
            return ShardedSearch(component, budget, kept=kept)
    return Search(component, budget)


def _stored_prefix(component: Component, folders: Sequence[str | Path], world: World | None) -> int | None:
    """Return the digits that number the shards of a search in one of the folders, None if there is none."""
    from slidelab.distance.shard_files import ShardFolder

    stored = [ShardFolder.stored_prefix(folder) for folder in folders]
    found = max((prefix for prefix in stored if prefix is not None), default=-1)
    if found > max(0, component.main_pieces - 6):  # of another puzzle, which is refused later
        found = -1
    if world is not None and folders:  # what process 0 sees
        [found] = world.total([found if world.rank == 0 else 0])
    return None if found < 0 else found


def search_plan(search: LayeredSearch, searches: int, *, world: World | None, in_folder: bool) -> Plan:
    """Return what so many searches take: with files or several processes, as a plan of `Puzzle.plan` says."""
    from slidelab.distance.disk import DiskSearch

    component, budget, found = search.component, search.budget, search.plan(searches)
    processes = 1 if world is None else world.size
    if not (in_folder or processes > 1) or len(component.edges) > MAX_MODELLED_EDGES:
        return found
    try:
        machines = Machines.of(min(processes, MAX_NODES), min(budget.threads, MAX_CORES), budget.memory)
        run = component_plan(component, machines)
    except TooLarge:
        return found
    if isinstance(search, DiskSearch):
        seconds = run.disk.seconds
    else:
        seconds = run.cluster.seconds + (run.cluster.checkpoint_seconds if in_folder else 0.0)
    return replace(found, seconds=seconds + SEARCH_SECONDS)


@dataclass(slots=True)
class PlanOnce:
    """A callback for the plan of some searches: before the first that is run, and not again."""

    callback: PlanCallback | None
    make: Callable[[], Plan] | None

    def __call__(self) -> None:
        """Call the callback, if that was not done before."""
        callback, make = self.callback, self.make
        self.callback = self.make = None
        if callback and make:
            callback(make())


def search_from(
    search: LayeredSearch,
    index: StateIndex,
    *,
    hardest: int,
    folder: str | Path | None = None,
    key_start: Configuration | None = None,
    announce: PlanOnce | None = None,
) -> Distances:
    """Run one search, or read its result from the checkpoint in `folder` if it is finished there.

    The checkpoint is named after `key_start`, by default after the configuration at `index`. The plan is
    announced when the folder has been checked.
    """
    component = search.component
    start = component.configuration(index)
    key = search_key(key_start or start, component.metric)
    with nullcontext() if folder is None else search.open_folder(folder, key) as checkpoint:
        stored = checkpoint.result() if checkpoint else None
        if checkpoint and stored is not None:
            _check_result(component, checkpoint, stored, hardest)
        if stored is not None and len(stored.hardest) >= min(hardest, stored.distribution[-1]):
            distribution, farthest = stored.distribution, stored.hardest[:hardest]
            if checkpoint:
                checkpoint.remove_layers()  # of a run that was killed as soon as it had written the result
        else:
            if checkpoint:
                search.check_folder(checkpoint)
            if announce:
                announce()
            distribution = search.run(index, checkpoint)
            farthest = search.farthest(hardest)
            if checkpoint:
                checkpoint.finish({"distribution": distribution, "hardest": farthest})
    configurations = tuple(component.configuration(state) for state in farthest)
    return Distances(start, tuple(distribution), configurations, component.metric)


def _check_result(component: Component, checkpoint: Checkpoint, stored: StoredResult, hardest: int) -> None:
    """Raise `Damaged` unless the layers have all states of the component, and its farthest exist."""
    if sum(stored.distribution) != component.states or stored.distribution[0] != 1:
        raise checkpoint.damaged_result(f"its layers do not have {component.states:,} configurations")
    if len(set(stored.hardest)) < len(stored.hardest) or len(stored.hardest) > stored.distribution[-1]:
        raise checkpoint.damaged_result("it has more of the farthest configurations than there are")
    try:
        for state in stored.hardest[:hardest]:
            if component.index(component.configuration(state)) != state:
                raise IndexError
    except (IndexError, ValueError, TypeError, RuntimeError):
        raise checkpoint.damaged_result("one of its farthest configurations does not exist") from None
