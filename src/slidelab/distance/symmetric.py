"""A search of one shape of each class under the symmetries of the start, in the memory of one process."""

from __future__ import annotations

from pathlib import Path

from slidelab.budget import Budget
from slidelab.distance.bounds import check_memory
from slidelab.distance.checkpoint import Checkpoint, SearchKey
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.search import LayeredSearch, layer_progress
from slidelab.distance.start_symmetry import KeptShapes, StartSymmetries, keep_shapes, start_symmetries
from slidelab.errors import NotationError
from slidelab.puzzles import Configuration

__all__ = ["SymmetricSearch", "symmetric_search"]

MIN_STATES = 20_000_000
"""Configurations of the smallest component that is searched like this by itself: others take milliseconds."""

MAX_MAIN_PIECES = 14
"""Pieces of the largest main orbit in one shard: words have 32-bit numbers."""

ARC_COST = 0.5
"""Nanoseconds for each state of a shape and each arc into it, in all layers of a search."""

RENAMING_COST = 30.0
"""Nanoseconds for a state that is renamed and marked."""


class SymmetricSearch(LayeredSearch):
    """A search in memory that keeps one shape of each orbit under the symmetries of its start.

    Other than the other searches it can be run from one state only, and without checkpoints.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> search = SymmetricSearch(component, start_symmetries(component, component.start))
    >>> layers = search.run(component.known_index(component.start))
    >>> len(layers), sum(layers), layers[:6]
    (32, 181440, [1, 2, 4, 8, 16, 20])
    """

    def __init__(
        self,
        component: Component,
        found: StartSymmetries,
        budget: Budget | None = None,
        *,
        kept: KeptShapes | None = None,
        limit: int = 1000,
        two_planes: bool = False,
        portable: bool = False,
        thin: int = 128,
    ) -> None:
        import numpy as np

        from slidelab import _core

        self.component = component
        self.budget = budget or Budget()
        self.symmetries = found
        self.kept = kept or keep_shapes(found)
        rows = [(*each, *found.points(each[2], each[0]).tolist()) for each in self.kept.renamings]
        self.core = _core.SymmetricSearch(
            component.code,
            np.array(self.kept.shapes, dtype=np.uint32),
            np.array(self.kept.weights, dtype=np.uint32),
            np.array(found.names, dtype=np.uint32),
            np.array(rows, dtype=np.uint32).reshape(-1, component.graph.degree + 3),
            np.array(self.kept.leaving, dtype=np.uint32).reshape(-1, 2),
            np.array(self.kept.closing, dtype=np.uint32),
            two_planes=two_planes,
            portable=portable,
            thin=thin,
            kept=limit,
            progress=self.budget.check,
        )
        self.needed_bytes = self.core.bytes_needed(self.budget.threads) + component.code.bytes
        check_memory(component, self.needed_bytes, self.budget.memory)

    @property
    def layers(self) -> list[int]:
        """The sizes of the layers so far."""
        return self.core.layers

    def open_folder(self, folder: str | Path, key: SearchKey) -> Checkpoint:
        """Refuse: this kind of search keeps no layers."""
        raise NotationError(f"expected a search without a folder, got {str(folder)!r}")

    def run(self, start: StateIndex, checkpoint: Checkpoint | None = None) -> list[int]:
        """Search from a state to the end; return the number of configurations at each distance."""
        self.core.begin(start)
        while not self.is_complete:
            callback = layer_progress(self.layers, self.component.states, self.budget.check)
            callback("layer", 0, 1)
            if not self.core.advance(self.budget.threads, callback):
                raise self.missing()
        if sum(self.layers) > self.component.states:
            raise self.missing()
        return self.layers

    def farthest(self, limit: int) -> list[StateIndex]:
        """Return states of the last layer: all, or as many as are wanted, in the order of their indices."""
        return self.symmetries.orbit(self.core.last_layer(limit), limit)


def symmetric_search(
    component: Component, budget: Budget, start: Configuration, *, limit: int = 1000
) -> SymmetricSearch | None:
    """Return a symmetric search from a start, if it is faster than one of all shapes or only it fits.

    >>> import slidelab as sl
    >>> component = Component(sl.puzzle("square R(3,3)").goal)
    >>> symmetric_search(component, Budget(), component.start) is None
    True
    """
    if component.main_pieces > MAX_MAIN_PIECES or component.states < MIN_STATES:
        return None
    found = start_symmetries(component, start)
    planes = 1 if component.alternates else 2
    if found is None or not component.fits(planes / len(found)):
        return None
    kept = keep_shapes(found)
    share = (len(kept.shapes) + kept.arriving / planes) / component.family.shapes
    if not component.fits(planes * share):
        return None
    if component.fits(planes) and not _is_faster(component, kept):
        return None
    return SymmetricSearch(component, found, budget, kept=kept, limit=limit)


def _is_faster(component: Component, kept: KeptShapes) -> bool:
    """Return whether renaming costs less than the arcs that are saved, by an estimate."""
    shapes = set(kept.shapes)
    inner = sum(a in shapes and b in shapes for a, b in component.edge_ends.tolist())
    plain = ARC_COST * (2 * len(component.edge_ends) + component.family.shapes)
    # Where shapes are closed, one renaming finds a state and its image at once.
    renaming = RENAMING_COST * (len(kept.leaving) + len(kept.closing) / 2)
    return ARC_COST * (2 * inner + len(shapes)) + renaming < plain
