"""What the tests of this folder share: plain searches that know nothing of slidelab's."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from itertools import permutations
from typing import TypeVar

from hypothesis import HealthCheck, assume, reject, settings
from hypothesis import strategies as st

import plain
from reach.twins import STEPS, Twin, graph_edges, kinds_of, twin, twins
from slidelab.puzzles import Puzzle
from slidelab.rules import RULES

QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

T = TypeVar("T", bound=Hashable)


def thorough(examples: int) -> settings:
    """So many examples; SLIDELAB_EXAMPLES=20 makes it twenty times as many, for a night's hunt."""
    factor = int(os.environ.get("SLIDELAB_EXAMPLES", "1"))
    return settings(max_examples=factor * examples, deadline=None, suppress_health_check=QUIET)


def layers_from(start: T, neighbours: Callable[[T], Iterable[T]], most: int = 10**9) -> list[set[T]] | None:
    """Breadth-first search; None if more than `most` are found."""
    layers = [{start}]
    seen = {start}
    while layers[-1]:
        layer = {there for here in layers[-1] for there in neighbours(here)} - seen
        seen |= layer
        if len(seen) > most:
            return None
        layers.append(layer)
    return layers[:-1]


def sizes(layers: Sequence[Collection[object]]) -> tuple[int, ...]:
    return tuple(map(len, layers))


def pushes(puzzle: plain.Plain, config: plain.Config) -> set[plain.Config]:
    """What one push of a straight row of tiles into a hole can make of a configuration."""
    found = set()
    assert puzzle.kind is not None
    for hole in puzzle.hole_cells(config):
        x, y = puzzle.coords[hole]
        for dx, dy in STEPS[puzzle.kind]:
            row = list(config)
            into, place = hole, (x + dx, y + dy)
            while (tile := puzzle.cell_at.get(place)) is not None and config[tile]:
                row[into], row[tile] = config[tile], 0
                found.add(tuple(row))  # the row may end here
                into, place = tile, (place[0] + dx, place[1] + dy)
    return found


def painted_neighbours(made: Twin) -> dict[Hashable, set[Hashable]]:
    """The puzzle graph of the coloured puzzle: configurations that look alike are one."""
    edges: dict[Hashable, set[Hashable]] = {}
    for config in made.plain.all_configurations():
        edges.setdefault(made.painted(config), set()).update(map(made.painted, made.plain.neighbours(config)))
    return edges


@st.composite
def painted_twins(draw: st.DrawFn, most: int = 2000) -> Twin:
    """A random small puzzle with colours."""
    made = draw(twins(most=most))
    rule = made.puzzle.rule
    letters = st.sampled_from(draw(st.sampled_from(["a", "ab", "abc", "abcdefgh"])))
    ends = st.lists(letters, min_size=rule.turns, max_size=rule.turns).map(tuple)
    pieces = made.puzzle.piece_count
    colours = tuple(sorted(draw(st.lists(ends, min_size=pieces, max_size=pieces))))
    return Twin(Puzzle(made.puzzle.board, rule, made.puzzle.hole_count, colours), made.plain)


BLOCKS = {
    "tiles": [(3, 3), (4, 2), (2, 4)],
    "hextiles": [(3, 3), (4, 2), (3, 4)],
    "gourds": [(4, 3), (3, 4), (6, 2)],
    "gourds-sharp": [(4, 3), (3, 4), (6, 2)],
}


@st.composite
def large_twins(
    draw: st.DrawFn, rules: tuple[str, ...] = tuple(BLOCKS), most: int = 6000
) -> tuple[Twin, plain.Config, list[set[plain.Config]]]:
    """A puzzle with five pieces or more, a random start, and its layers by plain search.

    From five pieces that can all change places on, the core packs arrangements into words.
    """
    rule = draw(st.sampled_from(rules))
    kind = draw(st.sampled_from(kinds_of(rule)))
    chosen = RULES[rule]
    holes = draw(st.integers(chosen.fewest_holes, chosen.fewest_holes + 1))
    pieces = draw(st.integers(5, 7)) if chosen.cells == 1 else 5
    vertices = pieces * chosen.cells + holes
    if kind == "graph":
        shape = draw(graph_edges(vertices))
        if draw(st.booleans()):
            shape |= {(k, k + 1) for k in range(vertices - 1)} | {(0, vertices - 1)}
    else:
        columns, rows = draw(st.sampled_from(BLOCKS[rule]))
        block = plain.rectangle_cells(columns, rows)
        assume(len(block) >= vertices)
        shape = frozenset(draw(st.permutations(block))[:vertices])
    made = twin(kind, shape, rule, holes, vertices)
    start = laid(draw, made.plain)
    layers = None if start is None else layers_from(start, made.plain.neighbours, most)
    if start is None or layers is None or len(layers) <= 1:
        reject()
    return made, start, layers


def laid(draw: st.DrawFn, puzzle: plain.Plain) -> plain.Config | None:
    """Some legal configuration: the pieces one by one wherever they still fit."""
    if puzzle.piece_size == 1:
        labels = [*range(1, puzzle.piece_count + 1), *[0] * puzzle.hole_count]
        return tuple(draw(st.permutations(labels)))
    free = set(range(puzzle.n))
    config: list[plain.Piece] = []
    for _ in range(puzzle.piece_count):
        # The cell with the fewest free neighbours first, or pieces would seldom all fit.
        options = [
            piece
            for cell in sorted(free, key=lambda c: (len(puzzle.adjacency[c] & free), c))
            for piece in permutations(sorted(free), puzzle.piece_size)
            if piece[0] == cell and puzzle._is_placement(piece)
        ]
        if not options:
            return None
        piece = options[draw(st.integers(0, min(2, len(options) - 1)))]
        config.append(piece)
        free -= set(piece)
    return tuple(draw(st.permutations(config)))
