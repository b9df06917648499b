"""Searches of one shape of each class under the symmetries of a start, against searches of all shapes.

    python benchmarks/symmetry.py                     puzzles of up to some hundred million configurations
    python benchmarks/symmetry.py "square R(2,7)"     one puzzle, 43.6 billion configurations, 6 GB

For every number of symmetries that a start of the puzzle has, one start is searched in both ways. Seconds are
those of the processor, with one thread; memory is that of planes, tables and lists.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import slidelab as sl
from slidelab.budget import Budget
from slidelab.distance.component import Component
from slidelab.distance.distances import make_search
from slidelab.distance.search import LayeredSearch
from slidelab.distance.start_symmetry import StartSymmetries, keep_shapes, start_symmetries
from slidelab.distance.starts import in_order, shape_orbits
from slidelab.distance.symmetric import SymmetricSearch, symmetric_search
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration

PUZZLES = (
    "square R(3,4)",
    "square R(3,4) tiles 2",
    "hex Ptr(3,5) hextiles 3",
    "king R(3,4)",
    "hex P(3,4) gourds",
)
COLUMNS = "{:<24}{:>15} {:>3} {:>11} {:>6} {:>17} {:>15}  {}"


def starts(text: str) -> Iterator[tuple[Component, Configuration, StartSymmetries]]:
    """Yield a start for each number of symmetries that starts have."""
    puzzle = sl.puzzle(text)
    graph = gain_graph(puzzle)
    seen = set()
    for orbit in shape_orbits(graph)[1]:
        start = in_order(puzzle, frozenset(graph.slots(orbit[0])))
        component = Component(start)
        found = start_symmetries(component, start) if len(start.moves) else None
        if found is not None and len(found) not in seen:
            seen.add(len(found))
            yield component, start, found


def measure(search: LayeredSearch, start: Configuration) -> tuple[list[int], float]:
    """Return the layers of a search, and its processor time."""
    place = search.component.known_index(start)
    begun = time.process_time()
    layers = search.run(place)
    return layers, time.process_time() - begun


def main() -> None:
    """Print a line for each search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("puzzles", nargs="*", default=PUZZLES)
    print(
        COLUMNS.format(
            "puzzle", "configurations", "sym", "shapes", "leave", "MB", "seconds", "used by itself"
        )
    )
    budget = Budget(threads=1)
    for text in parser.parse_args().puzzles:
        for component, start, found in starts(text):
            kept = keep_shapes(found)
            search: LayeredSearch = make_search(component, budget)
            whole_bytes = search.needed_bytes
            layers, whole = measure(search, start)
            search = SymmetricSearch(component, found, budget, kept=kept)
            same, symmetric = measure(search, start)
            assert same == layers
            chosen = "yes" if symmetric_search(component, budget, start) else "no"
            shapes = f"{component.family.shapes} {len(kept.shapes)}+{kept.arriving}"
            memory = f"{whole_bytes / 1e6:,.1f} {search.needed_bytes / 1e6:,.1f}"
            times = f"{whole:.2f} {symmetric:.2f}"
            print(
                COLUMNS.format(
                    text, f"{sum(layers):,}", len(found), shapes, len(kept.leaving), memory, times, chosen
                ),
                flush=True,
            )
            del search


if __name__ == "__main__":
    main()
