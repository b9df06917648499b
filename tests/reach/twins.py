"""Small puzzles twice over: as slidelab sees them, and as the plain oracle does."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

import plain
from plain import Config, Plain
from slidelab.boards import Board, from_edges, hex_board, square_board
from slidelab.puzzles import Configuration, Puzzle
from slidelab.rules import RULES

MAX_CONFIGURATIONS = 5000
"""Labelled configurations of a puzzle that is searched plainly."""

Coord = tuple[int, int]

Draw = Callable[[st.SearchStrategy[Any]], Any]
"""What draws an example: the argument of a composite strategy, or `data.draw`."""


@dataclass(frozen=True)
class Twin:
    """The same puzzle twice, with the same cell numbers."""

    puzzle: Puzzle
    plain: Plain

    def configuration(self, config: Config) -> Configuration:
        return Configuration(self.puzzle, self.pieces(config))

    def pieces(self, config: Config) -> tuple[tuple[int, ...], ...]:
        if self.puzzle.rule.cells > 1:
            return tuple(config)
        where = {label: cell for cell, label in enumerate(config)}
        return tuple((where[label],) for label in range(1, self.puzzle.piece_count + 1))

    def config(self, configuration: Configuration) -> Config:
        if self.puzzle.rule.cells > 1:
            return configuration.pieces
        row = [0] * self.puzzle.board.size
        for label, (cell,) in enumerate(configuration.pieces, 1):
            row[cell] = label
        return tuple(row)

    def painted(self, config: Config) -> Hashable:
        """The configuration with pieces that differ only by the puzzle's colours."""
        assert self.puzzle.colours is not None
        out = []
        for cells, labels in zip(self.pieces(config), self.puzzle.colours, strict=True):
            marked = cells if len(labels) == len(cells) else (cells[0], cells[-1])[: len(labels)]
            # What can be seen: the cells, the middle one of a chain, and the colour on each marked cell.
            middle = cells[1] if len(cells) == 3 and len(labels) < 3 else None
            out.append((frozenset(zip(marked, labels, strict=True)), frozenset(cells), middle))
        return frozenset(out)


Case = tuple[Twin, Config, Config, frozenset[Config]]
"""A puzzle, a start, a goal, and everything that can be reached from the start."""


def twin(kind: str, shape: Iterable[Coord], rule: str, holes: int, vertices: int = 0) -> Twin:
    """Return a twin on cells of a lattice, or on edges of a graph."""
    shape = sorted(shape)
    on: Board
    match kind:
        case "hex":
            on, other = hex_board(shape), plain.hex_board(shape)
        case "square":
            on, other = square_board(shape), plain.square_board(shape)
        case "king":
            on, other = square_board(shape, king=True), plain.king_board(shape)
        case _:
            on, other = from_edges(shape, vertices), plain.graph_board(vertices, shape)
    return Twin(Puzzle(on, RULES[rule], holes), Plain.on(other, rule, holes))


STEPS = {
    "hex": plain.HEX_DIRECTIONS,
    "square": plain.SQUARE_DIRECTIONS,
    "king": plain.KING_DIRECTIONS,
}


@st.composite
def cell_sets(draw: st.DrawFn, kind: str, least: int, most: int) -> frozenset[Coord]:
    """Mostly connected boards, grown cell by cell; sometimes scattered cells."""
    if draw(st.integers(0, 5)) == 0:
        place = st.tuples(st.integers(0, 3), st.integers(0, 3))
        return draw(st.frozensets(place, min_size=least, max_size=most))
    size = draw(st.integers(least, most))
    cells = [(0, 0)]
    while len(cells) < size:
        around = {(x + dx, y + dy) for x, y in cells for dx, dy in STEPS[kind]} - set(cells)
        cells.append(draw(st.sampled_from(sorted(around))))
    return frozenset(cells)


@st.composite
def graph_edges(draw: st.DrawFn, vertices: int) -> frozenset[Coord]:
    pairs = [(a, b) for a in range(vertices) for b in range(a + 1, vertices)]
    if draw(st.booleans()):  # a tree, and a few edges more
        tree = {(draw(st.integers(0, b - 1)), b) for b in range(1, vertices)}
        return frozenset(tree | draw(st.sets(st.sampled_from(pairs), max_size=4)))
    return draw(st.frozensets(st.sampled_from(pairs), max_size=len(pairs)))


def kinds_of(rule: str) -> list[str]:
    if rule == "trimers-triangle":
        return ["hex"]
    if rule in plain.RIGID_RULES:
        return ["hex", "square"]
    return ["hex", "square", "king", "graph"]


@st.composite
def twins(draw: st.DrawFn, rules: tuple[str, ...] = plain.RULES, most: int = MAX_CONFIGURATIONS) -> Twin:
    """A random small puzzle of one of these rules."""
    rule = draw(st.sampled_from(rules))
    kind = draw(st.sampled_from(kinds_of(rule)))
    chosen = RULES[rule]
    least = chosen.fewest_holes + chosen.cells
    largest = 8 if chosen.cells == 3 else 7 if kind != "graph" else 6
    if kind == "graph":
        vertices = draw(st.integers(least, largest))
        shape = draw(graph_edges(vertices))
    else:
        shape = draw(cell_sets(kind, least, largest))
        vertices = len(shape)
    possible = [h for h in range(chosen.fewest_holes, vertices) if (vertices - h) % chosen.cells == 0]
    made = twin(kind, shape, rule, draw(st.sampled_from(possible)), vertices)
    assume(len(list(islice(made.plain.all_configurations(), most + 1))) <= most)
    return made


def pick(draw: Draw, items: Iterable[Config]) -> Config:
    """Draw one of these configurations."""
    ordered = sorted(items)
    return ordered[draw(st.integers(0, len(ordered) - 1))]


@st.composite
def twins_with_pairs(
    draw: st.DrawFn, rules: tuple[str, ...] = plain.RULES, most: int = MAX_CONFIGURATIONS
) -> Case:
    """A puzzle, a start, a goal (as often as not one that can be reached), and all that can be reached."""
    made = draw(twins(rules, most))
    everything = list(made.plain.all_configurations())
    assume(everything)
    start = pick(draw, everything)
    reached = frozenset(made.plain.component(start))
    choose = draw(st.integers(0, 3))
    same_shape = made.plain.shape(start)
    if choose <= 1:
        goal = pick(draw, reached)
    elif choose == 2:
        goal = pick(draw, everything)
    else:  # the same shape, so that the group decides
        goal = pick(draw, (c for c in everything if made.plain.shape(c) == same_shape))
    return made, start, goal, reached
