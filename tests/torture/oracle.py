"""Answers that share no code with slidelab: plain search by looks, components, and replay of moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

import plain
from plain import Config
from reach.twins import Twin
from slidelab.puzzles import Configuration, Move

__all__ = ["components_of", "distances_from", "layers_from", "look", "looks_of", "replay"]


def look(made: Twin, config: Config) -> Hashable:
    """Return the configuration, or what can be seen of it if pieces have colours."""
    return config if made.puzzle.colours is None else made.painted(config)


def looks_of(made: Twin) -> dict[Hashable, Config]:
    """Return every look of the puzzle with one configuration that has it."""
    found: dict[Hashable, Config] = {}
    for config in made.plain.all_configurations():
        found.setdefault(look(made, config), config)
    return found


def layers_from(made: Twin, start: Config) -> list[list[Config]]:
    """Return one configuration for every look at distance 0, 1, 2, ... from `start`.

    Pieces of one colour may be renamed without changing what can be done, so one configuration stands for
    all that look alike.
    """
    seen = {look(made, start)}
    layers = [[start]]
    while layers[-1]:
        layer = []
        for here in layers[-1]:
            for there in made.plain.neighbours(here):
                seen_as = look(made, there)
                if seen_as not in seen:
                    seen.add(seen_as)
                    layer.append(there)
        layers.append(layer)
    return layers[:-1]


def distances_from(made: Twin, start: Config) -> dict[Hashable, int]:
    """Return the distance of every look that can be reached."""
    layers = layers_from(made, start)
    return {look(made, config): depth for depth, layer in enumerate(layers) for config in layer}


def components_of(made: Twin) -> Counter[int]:
    """Return how many components that can move there are of each size."""
    rest = looks_of(made)
    sizes: Counter[int] = Counter()
    while rest:
        _, start = rest.popitem()
        reached = distances_from(made, start)
        for each in reached:
            rest.pop(each, None)
        if len(reached) > 1:
            sizes[len(reached)] += 1
    return sizes


def replay(made: Twin, start: Configuration, goal: Configuration, moves: Iterable[Move]) -> str:
    """Play moves by the plain rules from `start`; return why they do not lead to `goal`, or nothing.

    A move of a numbered piece must name the piece and the cells on which it lies. Pieces of one colour have
    no names, so there the piece is the one on these cells.
    """
    game = made.plain
    pieces = list(start.pieces)
    owner = {cell: k for k, cells in enumerate(pieces) for cell in cells}
    holes = frozenset(range(game.n)) - owner.keys()
    for number, move in enumerate(moves, 1):
        k = owner.get(move.before[0], -1)
        if k < 0 or set(pieces[k]) != set(move.before):
            return f"move {number} ({move.text}) takes cells on which no piece lies"
        own = pieces[k]
        if made.puzzle.colours is None and (move.piece != k + 1 or own != move.before):
            return f"move {number} ({move.text}) takes another piece than it says"
        if len(set(move.after)) != len(own):
            return f"move {number} ({move.text}) names a cell twice"
        moved = tuple(move.after[move.before.index(cell)] for cell in own)
        if not _is_legal(game, own, moved, holes):
            return f"move {number} ({move.text}) is against the rule"
        for cell in own:
            del owner[cell]
        owner.update(dict.fromkeys(moved, k))
        holes = holes.difference(moved).union(set(own).difference(moved))
        pieces[k] = moved
    return _compare_ends(made, tuple(pieces), goal)


def _is_legal(game: plain.Plain, own: plain.Piece, moved: plain.Piece, holes: frozenset[int]) -> bool:
    if game.piece_size > 1:
        return moved in game._piece_moves(own, holes)
    (here,), (there,) = own, moved
    if there not in holes or there not in game.adjacency[here]:
        return False
    companions = game.adjacency[here] & game.adjacency[there]
    return game.rule == "tiles" or any(cell in holes for cell in companions)


def _compare_ends(made: Twin, pieces: tuple[plain.Piece, ...], goal: Configuration) -> str:
    if made.puzzle.colours is None:
        same = pieces == goal.pieces
    else:
        ends = [_as_config(made, each) for each in (pieces, goal.pieces)]
        same = made.painted(ends[0]) == made.painted(ends[1])
    return "" if same else "the moves do not lead to the goal"


def _as_config(made: Twin, pieces: tuple[plain.Piece, ...]) -> Config:
    if made.plain.piece_size > 1:
        return pieces
    row = [0] * made.plain.n
    for label, (cell,) in enumerate(pieces, 1):
        row[cell] = label
    return tuple(row)
