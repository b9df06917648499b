"""Random boards of every kind, as text for slidelab and as plain boards for the oracle."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from math import isqrt
from random import Random
from typing import NamedTuple

import plain
from plain import Coord

__all__ = ["FAMILIES", "RandomBoard", "draw_board"]

Edges = set[tuple[int, int]]

MAX_COMPLETE_CELLS = 300
"""Cells of the largest complete graph, which has some 45,000 edges."""


class RandomBoard(NamedTuple):
    """A board as slidelab reads it, and the same board with the same cell numbers for the oracle."""

    text: str
    plain: plain.Board


def draw_board(rng: Random, size: int, names: Iterable[str] = ()) -> RandomBoard:
    """Return a random board of about `size` cells, of one of the named families (by default of any)."""
    return FAMILIES[rng.choice(list(names) or list(FAMILIES))](rng, max(2, size))


# Families of hexagons and squares


def _sides(rng: Random, size: int) -> tuple[int, int]:
    """Return the sides of a rectangle of about `size` cells, seldom a thin one."""
    least = 1 if rng.random() < 0.1 else max(1, isqrt(size) // 2)
    columns = rng.randint(least, max(least, isqrt(size) + 1))
    sides = [columns, max(1, round(size / columns))]
    rng.shuffle(sides)
    return sides[0], sides[1]


def _parallelogram(rng: Random, size: int) -> RandomBoard:
    columns, rows = _sides(rng, size)
    return RandomBoard(f"hex P({columns},{rows})", plain.hex_board(plain.rectangle_cells(columns, rows)))


def _trimmed_parallelogram(rng: Random, size: int) -> RandomBoard:
    columns, rows = (max(2, side) for side in _sides(rng, size + 2))
    cells = set(plain.rectangle_cells(columns, rows)) - {(0, 0), (columns - 1, rows - 1)}
    return RandomBoard(f"hex Ptr({columns},{rows})", plain.hex_board(cells))


def _triangle_cells(side: int) -> set[Coord]:
    return {(-k, row) for row in range(side) for k in range(row + 1)}


def _triangle(rng: Random, size: int) -> RandomBoard:
    side = max(2, round((2 * size) ** 0.5 - 0.5))
    return RandomBoard(f"hex T({side})", plain.hex_board(_triangle_cells(side)))


def _trimmed_triangle(rng: Random, size: int) -> RandomBoard:
    side = max(3, round((2 * size + 6) ** 0.5 - 0.5))
    cells = _triangle_cells(side) - {(0, 0), (0, side - 1), (1 - side, side - 1)}
    return RandomBoard(f"hex Ttr({side})", plain.hex_board(cells))


def _flower(rng: Random, size: int) -> RandomBoard:
    side = max(2, round((size / 3) ** 0.5 + 0.5))
    return RandomBoard(f"hex F({side})", plain.hex_board(plain.flower_cells(side)))


def _star(rng: Random, size: int) -> RandomBoard:
    both = [(q, r) for r in range(-2, 3) for q in range(-2, 3)]
    up = {(q, r) for q, r in both if q >= -1 and r >= -1 and q + r <= 1}
    return RandomBoard("hex star", plain.hex_board(up | {(-q, -r) for q, r in up}))


def _rectangle(rng: Random, size: int) -> RandomBoard:
    columns, rows = _sides(rng, size)
    return RandomBoard(
        f"square R({columns},{rows})", plain.square_board(plain.rectangle_cells(columns, rows))
    )


def _king_rectangle(rng: Random, size: int) -> RandomBoard:
    columns, rows = _sides(rng, size)
    return RandomBoard(f"king R({columns},{rows})", plain.king_board(plain.rectangle_cells(columns, rows)))


# Grown cell by cell


def _grow(rng: Random, size: int, directions: list[Coord]) -> list[Coord]:
    """Return connected cells, compact or straggling; sometimes one is taken out of the middle."""
    straggling = rng.random() < 0.3
    cells = {(0, 0)}
    edge = [(0, 0)]
    while len(cells) < size:
        at = len(edge) - 1 - rng.randrange(min(3, len(edge))) if straggling else rng.randrange(len(edge))
        x, y = edge[at]
        free = [(x + dx, y + dy) for dx, dy in directions if (x + dx, y + dy) not in cells]
        if not free:
            edge.pop(at)
            continue
        cell = rng.choice(free)
        cells.add(cell)
        edge.append(cell)
    if size > 8 and rng.random() < 0.2:
        cells.discard(rng.choice(sorted(cells)))
    return sorted(cells)


def _cells_text(kind: str, cells: list[Coord], rng: Random) -> str:
    shuffled = rng.sample(cells, len(cells))
    return f"{kind} {' '.join(f'{x},{y}' for x, y in shuffled)}"


def _polyhex(rng: Random, size: int) -> RandomBoard:
    cells = _grow(rng, size, plain.HEX_DIRECTIONS)
    return RandomBoard(_cells_text("hex", cells, rng), plain.hex_board(cells))


def _squares(rng: Random, size: int) -> RandomBoard:
    cells = _grow(rng, size, plain.SQUARE_DIRECTIONS)
    return RandomBoard(_cells_text("square", cells, rng), plain.square_board(cells))


def _king_squares(rng: Random, size: int) -> RandomBoard:
    cells = _grow(rng, size, plain.KING_DIRECTIONS)
    return RandomBoard(_cells_text("king", cells, rng), plain.king_board(cells))


# Graphs


def _theta(rng: Random, size: int) -> RandomBoard:
    inner = max(2, size - 2)
    a = rng.randint(0, inner // 2)
    b = rng.randint(1, max(1, inner - a - 1))
    lengths = [a, b, max(1, inner - a - b)]
    last = sum(lengths) + 1
    edges: Edges = set()
    first = 1
    for length in lengths:
        edges |= set(pairwise([0, *range(first, first + length), last]))
        first += length
    return RandomBoard(f"theta({lengths[0]},{lengths[1]},{lengths[2]})", plain.graph_board(last + 1, edges))


def _cycle(rng: Random, size: int) -> RandomBoard:
    n = max(3, size)
    return RandomBoard(f"cycle({n})", plain.graph_board(n, [(k, (k + 1) % n) for k in range(n)]))


def _path(rng: Random, size: int) -> RandomBoard:
    return RandomBoard(f"path({size})", plain.graph_board(size, pairwise(range(size))))


def _complete(rng: Random, size: int) -> RandomBoard:
    n = min(size, MAX_COMPLETE_CELLS)
    return RandomBoard(f"complete({n})", plain.graph_board(n, combinations(range(n), 2)))


def _tree_edges(rng: Random, size: int) -> Edges:
    spread = rng.choice([1, 2, size])  # a path with short branches, or any tree
    return {(rng.randrange(max(0, k - spread), k), k) for k in range(1, size)}


def _cactus_edges(rng: Random, size: int) -> Edges:
    """Return cycles and single edges that share at most one vertex."""
    edges: Edges = set()
    n = 1
    while n < size:
        at = rng.randrange(n)
        length = min(size - n, rng.randint(1, 6))
        path = [at, *range(n, n + length)]
        edges |= set(pairwise(path))
        if length > 1:
            edges.add((at, path[-1]))
        n += length
    return edges


def _two_connected_edges(rng: Random, size: int) -> Edges:
    """Return a cycle with ears."""
    n = min(size, rng.randint(3, max(3, size // 2)))
    edges = {*pairwise(range(n)), (0, n - 1)} if n > 2 else {(0, 1)}
    while n < size:
        a, b = rng.sample(range(n), 2)
        length = min(size - n, rng.randint(1, max(1, size // 4)))
        edges |= set(pairwise([a, *range(n, n + length)])) | {(b, n + length - 1)}
        n += length
    return edges


def _planar_edges(rng: Random, size: int) -> Edges:
    """Return a triangulation, made by vertices put into random faces, without some of its edges."""
    if size < 3:
        return {(0, 1)}
    edges: Edges = {(0, 1), (0, 2), (1, 2)}
    faces = [(0, 1, 2), (0, 1, 2)]
    for n in range(3, size):
        a, b, c = faces.pop(rng.randrange(len(faces)))
        faces += [(a, b, n), (a, c, n), (b, c, n)]
        edges |= {(a, n), (b, n), (c, n)}
    kept = rng.choice([1.0, 0.8, 0.6])
    return {edge for edge in sorted(edges) if rng.random() < kept}


def _random_edges(rng: Random, size: int) -> Edges:
    count = rng.randint(size // 2, 3 * size)
    return {(min(a, b), max(a, b)) for a, b in (rng.sample(range(size), 2) for _ in range(count))}


def _disconnected_edges(rng: Random, size: int) -> Edges:
    edges: Edges = set()
    first = 0
    while first < size:
        part = rng.randint(1, size - first) if rng.random() < 0.7 else size - first
        if part > 1:
            more = rng.choice([_tree_edges, _cactus_edges, _two_connected_edges])(rng, part)
            edges |= {(first + a, first + b) for a, b in more}
        first += part
    return edges


def _graph(make: Callable[[Random, int], Edges]) -> Callable[[Random, int], RandomBoard]:
    def build(rng: Random, size: int) -> RandomBoard:
        number = list(range(size))
        if rng.random() < 0.7:
            rng.shuffle(number)
        edges = [(number[a], number[b]) for a, b in sorted(make(rng, size)) if a != b]
        alone = sorted(set(range(size)) - {vertex for edge in edges for vertex in edge})
        words = [*(f"{a}-{b}" for a, b in edges), *map(str, alone)]
        return RandomBoard(f"graph {' '.join(words)}", plain.graph_board(size, edges))

    return build


FAMILIES: dict[str, Callable[[Random, int], RandomBoard]] = {
    "P": _parallelogram,
    "T": _triangle,
    "F": _flower,
    "Ptr": _trimmed_parallelogram,
    "Ttr": _trimmed_triangle,
    "star": _star,
    "polyhex": _polyhex,
    "R": _rectangle,
    "king R": _king_rectangle,
    "squares": _squares,
    "king squares": _king_squares,
    "theta": _theta,
    "cycle": _cycle,
    "path": _path,
    "complete": _complete,
    "tree": _graph(_tree_edges),
    "cactus": _graph(_cactus_edges),
    "two-connected": _graph(_two_connected_edges),
    "planar": _graph(_planar_edges),
    "random graph": _graph(_random_edges),
    "disconnected": _graph(_disconnected_edges),
}
"""All families; each function takes random numbers and about how many cells are wanted."""
