"""Configuration complexes as plainly as they can be: all labelled configurations, and full matrices.

Nothing here is shared with the library but the oracle of `plain.py`. A cell has for each piece a tuple of
placements: one where it rests, two that a move joins, or the vertices of a polygon in their cyclic order, the
least first. A cell belongs to the complex if every choice of a placement for each piece is a configuration,
and all moves in it are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from plain import Config, Piece, Plain

Walk = tuple[Piece, ...]
Cell = tuple[Walk, ...]
State = tuple[Piece, ...]
Chain = dict[Cell, int]

LARGE_PRIME = 2_147_483_647


def pieces_of(puzzle: Plain, config: Config) -> State:
    """Return where each piece lies."""
    if puzzle.piece_size > 1:
        return config
    place = {label: (cell,) for cell, label in enumerate(config) if label}
    return tuple(place[label] for label in sorted(place))


def puzzle_edges(puzzle: Plain) -> dict[State, set[State]]:
    """Return the puzzle graph."""
    return {
        pieces_of(puzzle, config): {pieces_of(puzzle, other) for other in puzzle.neighbours(config)}
        for config in puzzle.all_configurations()
    }


def component_edges(puzzle: Plain, start: Config) -> dict[State, set[State]]:
    """Return one component of the puzzle graph."""
    return {
        pieces_of(puzzle, config): {pieces_of(puzzle, other) for other in puzzle.neighbours(config)}
        for config in puzzle.component(start)
    }


def sides(walk: Walk) -> list[tuple[Piece, Piece]]:
    """Return the moves in a walk of one piece."""
    if len(walk) == 1:
        return []
    if len(walk) == 2:
        return [(walk[0], walk[1])]
    return [(walk[i], walk[(i + 1) % len(walk)]) for i in range(len(walk))]


def is_cell(graph: Mapping[State, set[State]], cell: Cell) -> bool:
    """Return whether all corners are configurations and all moves of one piece between them legal."""
    for corner in product(*cell):
        if corner not in graph:
            return False
        for k, walk in enumerate(cell):
            for before, after in sides(walk):
                if corner[k] == before and (*corner[:k], after, *corner[k + 1 :]) not in graph[corner]:
                    return False
    return True


def all_cells(graph: Mapping[State, set[State]], polygons: Iterable[Walk] = ()) -> list[list[Cell]]:
    """Return the cells that can move, by dimension."""
    walks: dict[Piece, set[Walk]] = {}
    for state, others in graph.items():
        for other in others:
            for before, after in zip(state, other, strict=True):
                if before < after:
                    walks.setdefault(before, set()).add((before, after))
    for polygon in polygons:
        first = polygon.index(min(polygon))
        walks.setdefault(min(polygon), set()).add(polygon[first:] + polygon[:first])

    def extend(cell: Cell, piece: int) -> Iterator[Cell]:
        yield cell
        for k in range(piece, len(cell)):
            for walk in walks.get(cell[k][0], ()):
                longer = (*cell[:k], walk, *cell[k + 1 :])
                if is_cell(graph, longer):
                    yield from extend(longer, k + 1)

    found: list[list[Cell]] = []
    for state, others in graph.items():
        if others:
            for cell in extend(tuple((place,) for place in state), 0):
                dimension = dimension_of(cell)
                found += [[] for _ in range(len(found), dimension + 1)]
                found[dimension].append(cell)
    return found


def dimension_of(cell: Cell) -> int:
    return sum(min(len(walk), 3) - 1 for walk in cell)


def boundary(cell: Cell) -> Chain:
    """Return the boundary of a cell, oriented by the order of the pieces."""
    chain: Chain = {}
    sign = 1
    for k, walk in enumerate(cell):
        parts: list[tuple[Walk, int]] = []
        if len(walk) == 2:
            parts = [((walk[1],), sign), ((walk[0],), -sign)]
        elif len(walk) > 2:
            parts = [((a, b), sign) if a < b else ((b, a), -sign) for a, b in sides(walk)]
        for part, coefficient in parts:
            face = (*cell[:k], part, *cell[k + 1 :])
            chain[face] = chain.get(face, 0) + coefficient
        if len(walk) == 2:
            sign = -sign
    return {face: coefficient for face, coefficient in chain.items() if coefficient}


def boundary_of_chain(chain: Chain) -> Chain:
    total: Chain = {}
    for cell, times in chain.items():
        for face, coefficient in boundary(cell).items():
            total[face] = total.get(face, 0) + times * coefficient
    return {face: coefficient for face, coefficient in total.items() if coefficient}


def rank_mod_two(columns: Iterable[Chain]) -> int:
    """Return a rank over two elements; a column is an integer whose bits are its rows."""
    number: dict[Cell, int] = {}
    pivots: dict[int, int] = {}
    for chain in columns:
        bits = 0
        for face, coefficient in chain.items():
            if coefficient % 2:
                bits ^= 1 << number.setdefault(face, len(number))
        while bits and (top := bits.bit_length()) in pivots:
            bits ^= pivots[top]
        if bits:
            pivots[bits.bit_length()] = bits
    return len(pivots)


def rank_mod(columns: Iterable[Chain], prime: int = LARGE_PRIME) -> int:
    """Return a rank modulo a prime, by elimination of the last row of each column."""
    pivots: dict[Cell, Chain] = {}
    for chain in columns:
        column = {face: value % prime for face, value in chain.items() if value % prime}
        while column and (last := max(column)) in pivots:
            times = column[last]
            for face, value in pivots[last].items():
                changed = (column.get(face, 0) - times * value) % prime
                if changed:
                    column[face] = changed
                else:
                    column.pop(face, None)
        if column:
            last = max(column)
            inverse = pow(column[last], -1, prime)
            pivots[last] = {face: value * inverse % prime for face, value in column.items()}
    return len(pivots)


def betti_numbers(cells: list[list[Cell]], prime: int = LARGE_PRIME) -> tuple[int, ...]:
    """Return the Betti numbers over the integers modulo a prime, from the full boundary matrices."""
    ranks = [0]
    for row in cells[1:]:
        chains = [boundary(cell) for cell in row]
        ranks.append(rank_mod_two(chains) if prime == 2 else rank_mod(chains, prime))
    ranks.append(0)
    return tuple(len(row) - ranks[k] - ranks[k + 1] for k, row in enumerate(cells))
