"""Kasteleyn's orientation of a plane graph, by which a Pfaffian counts its perfect matchings.

P. W. Kasteleyn, "Dimer statistics and phase transitions", J. Math. Phys. 4 (1963).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from slidelab.boards import Board, Edge
from slidelab.boards.lattice import DIRECTIONS
from slidelab.boards.walks import connected_components
from slidelab.errors import PuzzleError
from slidelab.messages import quoted
from slidelab.packages import require

__all__ = ["kasteleyn_orientation", "rotation_system"]

Rotation = tuple[tuple[int, ...], ...]


def rotation_system(board: Board) -> Rotation:
    """Return the neighbours of each cell in the order around it in a drawing without crossings.

    Hexagons and squares have theirs; for other boards networkx looks for one. Linear time.

    >>> from slidelab.boards import board
    >>> rotation_system(board("hex F(2)"))[3]
    (4, 6, 5, 2, 0, 1)
    """
    if board.kind not in ("hex", "square"):
        return _planar_embedding(board)
    at, steps = board.cell_at, DIRECTIONS[board.kind]
    return tuple(
        tuple(at[x + dx, y + dy] for dx, dy in steps if (x + dx, y + dy) in at) for x, y in board.cells
    )


def _planar_embedding(board: Board) -> Rotation:
    require("networkx", "counting placements needs", "graph")
    import networkx as nx

    graph: nx.Graph[int] = nx.empty_graph(board.size)
    graph.add_edges_from(board.edges)
    planar, embedding = nx.check_planarity(graph)
    if not planar:
        raise PuzzleError(f"expected a planar board, got one that is not - on {quoted(board.name)}")
    return tuple(tuple(embedding.neighbors_cw_order(cell)) for cell in range(board.size))


def kasteleyn_orientation(
    rotation: Sequence[Sequence[int]], removed: Collection[int] = ()
) -> list[Edge] | None:
    """Return directed edges of which an odd number around each face agree with the walk around it.

    The cells `removed` count as absent. Each connected part is oriented as if it were alone, which is all
    that its matchings need, also where one part is inside another. In a part with an even number of cells
    every cycle with an even number of cells inside then has an odd number of edges in each sense, so that all
    perfect matchings have the same sign in the Pfaffian. A part with an odd number of cells has no perfect
    matching: None is returned.

    Edges of a spanning tree may have either direction. The other edges are a spanning tree of the faces: from
    its leaves on, each face determines the one edge that is still open. Linear time.

    >>> kasteleyn_orientation([(1, 3), (2, 0), (3, 1), (0, 2)])
    [(0, 1), (0, 3), (1, 2), (2, 3)]
    """
    size = len(rotation)
    rows = _rows_left(rotation, removed)
    tree = _spanning_forest(rows)
    if tree is None:
        return None
    # Half-edges are numbers: from cell a to cell b it is a * size + b.
    following = {
        c * size + b: b * size + d
        for b, row in rows.items()
        for c, d in zip(row, row[1:] + row[:1], strict=True)
    }
    face = _faces(following)
    twin = {a * size + b: b * size + a for b, row in rows.items() for a in row}
    arcs = [a * size + b for a, b in tree]
    odd = [False] * len(following)
    for arc in arcs:
        odd[face[arc]] = not odd[face[arc]]
    for outward in reversed(_face_forest(face, twin, arcs)):
        here, beyond = face[outward], face[twin[outward]]
        arcs.append(twin[outward] if odd[here] else outward)
        odd[beyond] ^= odd[here]
    return [divmod(arc, size) for arc in arcs]


def _rows_left(rotation: Sequence[Sequence[int]], removed: Collection[int]) -> dict[int, list[int]]:
    gone = frozenset(removed)
    return {
        cell: [other for other in row if other not in gone]
        for cell, row in enumerate(rotation)
        if cell not in gone
    }


def _spanning_forest(rows: dict[int, list[int]]) -> list[Edge] | None:
    """Return the edges of a tree in every part, None if a part has an odd number of cells."""
    trees = list(connected_components(rows, rows))
    if any(len(tree) % 2 for tree in trees):
        return None
    return [(parent, cell) for tree in trees for cell, parent in tree.items() if cell != parent]


def _faces(following: dict[int, int]) -> dict[int, int]:
    """Return the number of the face beside each half-edge."""
    face: dict[int, int] = {}
    count = 0
    for start in following:
        if start in face:
            continue
        half = start
        while half not in face:
            face[half] = count
            half = following[half]
        count += 1
    return face


def _face_forest(face: dict[int, int], twin: dict[int, int], tree: Sequence[int]) -> list[int]:
    """Return, from the roots on, the half-edge from each other face to its parent."""
    barred = {half for arc in tree for half in (arc, twin[arc])}
    across: dict[int, dict[int, int]] = {}  # for each face its neighbours, and a half-edge to each of them
    for half, number in face.items():
        if half not in barred:
            across.setdefault(number, {}).setdefault(face[twin[half]], half)
    return [
        twin[across[parent][number]]
        for tree in connected_components(across, across)
        for number, parent in tree.items()
        if number != parent
    ]
