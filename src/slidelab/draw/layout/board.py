"""Positions for the vertices of boards that are graphs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from slidelab.boards import Board
from slidelab.boards.graphs import graph_board
from slidelab.draw.glyphs import Point
from slidelab.draw.layout.geometry import Edge, Positions, edge_lengths, min_distance
from slidelab.draw.layout.graph import lay_out_graph
from slidelab.draw.layout.stress import MAX_FORCE_VERTICES
from slidelab.errors import NotationError

__all__ = ["lay_out_board"]

EDGE_LENGTH = 1.3
"""Length of edges in cells: the least distance in computed drawings, the median in given ones."""

MIN_DISTANCE = 0.9
"""Distance in cells below which two vertices overlap."""

MAX_GROWTH = 6.0
"""Largest factor by which a drawing is enlarged to separate vertices; two close ones must not scatter all."""

MAX_SPREAD = 100_000
"""Largest extent of a drawing, in edges; no picture has room for more."""


def lay_out_board(board: Board) -> Board:
    """Return the board with vertex positions for drawing; boards of cells are returned as they are.

    Positions that the user gave are kept, scaled so that edges are about as long as cells are wide.

    >>> from slidelab.boards import board
    >>> [x for x, y in lay_out_board(board("path(3)")).positions]
    [0.0, 1.3, 2.6]
    """
    if board.kind != "graph" or board.size < 2:
        return board
    if board.size > MAX_FORCE_VERTICES:
        _check_spread(board, board.positions)
        return board
    positions = _scale_given(board) if _has_given_positions(board) else _enlarge(_default_positions(board))
    _check_spread(board, positions)
    return replace(board, positions=tuple((round(float(x), 4), round(float(y), 4)) for x, y in positions))


def _has_given_positions(board: Board) -> bool:
    """Return whether the board has positions of its own that are not all equal."""
    return board.positions != graph_board(board.size, board.edges).positions and len(set(board.positions)) > 1


def _default_positions(board: Board) -> Sequence[Point]:
    family = board.name.split("(")[0]
    if family == "path":
        return [(float(cell), 0.0) for cell in range(board.size)]
    if family in ("theta", "cycle") or (family == "complete" and board.size > 4):
        return graph_board(board.size, board.edges).positions
    return lay_out_graph(board.size, board.edges)


def _enlarge(positions: Sequence[Point]) -> Positions:
    """Enlarge a drawing until its vertices are far enough apart, within limits."""
    import numpy as np

    points = np.array(positions)
    return np.asarray(points * min(MAX_GROWTH, max(1.0, EDGE_LENGTH / max(min_distance(points), 1e-9))))


def _scale_given(board: Board) -> Positions:
    """Return the given positions, scaled so that edges have a good length and vertices do not overlap."""
    import numpy as np

    points = np.array(board.positions)
    # Scaled to a unit square in steps that the largest floats survive.
    unit = points / 2 - (points / 2).min(axis=0)
    span = max(float(unit.max()), math.ulp(0.0))
    unit /= span
    closest, edge = min_distance(unit), _median_edge(unit, board.edges)
    distance = closest * span * 2
    has_good_edges = edge * span * 2 <= 1.6 or distance <= 1.01 * EDGE_LENGTH
    if distance >= MIN_DISTANCE and has_good_edges and float(np.abs(points).max()) <= MAX_SPREAD:
        return points
    factor = EDGE_LENGTH / max(edge, 1e-200)
    needed = 1.05 * MIN_DISTANCE / max(closest, 1e-300)
    return np.asarray(unit * max(factor, min(MAX_GROWTH * factor, needed)))


def _median_edge(positions: Positions, edges: Sequence[Edge]) -> float:
    """Return the median length of edges; without edges, the distance of as many points on a square grid."""
    import numpy as np

    lengths = edge_lengths(positions, edges)
    if lengths.any():
        return float(np.median(lengths[lengths > 0]))
    return 1 / max(1.0, math.sqrt(len(positions)) - 1)


def _check_spread(board: Board, positions: Sequence[Point] | Positions) -> None:
    half = max(max(axis) / 2 - min(axis) / 2 for axis in zip(*positions, strict=True))
    if half > MAX_SPREAD / 2:
        raise NotationError(
            f"expected positions at most {MAX_SPREAD:,} edges apart, got {2 * float(half):.3g} - "
            f"on {board.name!r:.60}"
        )
