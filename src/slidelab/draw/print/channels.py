"""Radius of discs that run in channels along the edges of a drawn graph.

On a graph the walls must ensure that a disc makes only the moves that the graph has. So the drawing decides
whether the puzzle can be printed: channels of edges without a common vertex need a wall between them; a disc
on a vertex must not reach into the channel of another edge; and a disc on the common vertex of two edges must
block the passage from one channel to the other.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from slidelab.draw.layout.geometry import Edge, Positions, closest_points, orientation
from slidelab.errors import PuzzleError
from slidelab.messages import quoted

if TYPE_CHECKING:
    from slidelab.boards import Board

__all__ = ["MIN_WALL", "channel_radius"]

MIN_RADIUS, MAX_RADIUS = 0.15, 0.42
"""Radius of a disc in cells."""

MIN_WALL = 1.6
"""Thinnest wall between two channels in millimetres: four lines of a common nozzle."""


def channel_radius(board: Board, cell: float, clearance: float) -> float:
    """Return the radius of discs in millimetres; raise `PuzzleError` if the drawing has no room for them.

    >>> from slidelab.boards import board
    >>> channel_radius(board("cycle(6)"), 24.0, 0.4)
    10.08
    >>> channel_radius(board("complete(4)"), 24.0, 0.4)
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a drawing that keeps the channels apart, got 0.0 mm between
    0-2 and 1-3 - on 'complete(4)'
    """
    # A vertex without edges is a channel of length zero.
    edges = [*board.edges, *((v, v) for v, neighbours in enumerate(board.neighbours) if not neighbours)]
    if len(board.edges) > 3 * board.size:  # no planar graph has so many
        raise _not_printable("edges that cross", board)
    radius, reason = MAX_RADIUS * cell, ""
    for distance, needed, where in _distances(board, edges, cell, clearance):
        if (distance - needed) / 2 < radius:
            radius, reason = (distance - needed) / 2, f"{distance:.1f} mm between {where}"
    if radius < MIN_RADIUS * cell:
        raise _not_printable(reason, board)
    _check_angles(board, radius, clearance)
    return radius


def _distances(
    board: Board, edges: list[Edge], cell: float, clearance: float
) -> list[tuple[float, float, str]]:
    """Return the narrowest places of each edge: the distance, what two radii must leave of it, and where."""
    import numpy as np

    points = np.array(board.positions) * cell
    ends = np.array(edges)
    first, last = points[ends[:, 0]], points[ends[:, 1]]
    found = []
    for number, (a, b) in enumerate(edges):
        is_disjoint = ~((ends == a) | (ends == b)).any(axis=1)
        is_disjoint[:number] = False
        if is_disjoint.any():
            distances = np.where(is_disjoint, _segment_distances(points[a], points[b], first, last), np.inf)
            other = int(distances.argmin())
            where = f"{_edge_name(edges[number])} and {_edge_name(edges[other])}"
            found.append((float(distances[other]), 2 * clearance + MIN_WALL, where))
        distances = _point_distances(points, points[a], points[b])
        distances[[a, b]] = np.inf
        vertex = int(distances.argmin())
        if math.isfinite(distances[vertex]):
            where = f"{_edge_name(edges[number])} and vertex {vertex}"
            found.append((float(distances[vertex]), clearance, where))
    return found


def _edge_name(edge: Edge) -> str:
    return f"{edge[0]}-{edge[1]}" if edge[0] != edge[1] else f"vertex {edge[0]}"


def _point_distances(points: Positions, a: Positions, b: Positions) -> Positions:
    """Return the distance of each point from a segment, or of one point from each segment."""
    import numpy as np

    distances: Positions = np.linalg.norm(points - closest_points(points, a, b), axis=-1)
    return distances


def _segment_distances(a: Positions, b: Positions, first: Positions, last: Positions) -> Positions:
    """Return the distance of the segment from a to b from each of the others; zero where they cross."""
    import numpy as np

    ends = [_point_distances(first, a, b), _point_distances(last, a, b)]
    ends += [_point_distances(a, first, last), _point_distances(b, first, last)]
    separates = orientation(a, b, first) * orientation(a, b, last) < 0
    is_separated = orientation(first, last, a) * orientation(first, last, b) < 0
    return np.where(separates & is_separated, 0.0, np.min(ends, axis=0))


def _check_angles(board: Board, radius: float, clearance: float) -> None:
    """Refuse two edges that meet so sharply that a disc on their vertex does not block the passage.

    Midway between the two edges the free space ends where both walls meet, at (radius + clearance) / sin of
    half the angle from the vertex. A disc would have to pass there, beyond the one on the vertex.
    """
    for vertex, neighbours in enumerate(board.neighbours):
        x, y = board.positions[vertex]
        rays = [(board.positions[other][0] - x, board.positions[other][1] - y, other) for other in neighbours]
        by_angle = sorted((math.atan2(dy, dx), other) for dx, dy, other in rays)
        for (angle, other), (next_angle, another) in pairwise([*by_angle, *by_angle[:1]]):
            between = (next_angle - angle) % math.tau or math.tau
            sine = math.sin(between / 2)
            if between < math.pi and 3 * radius * sine <= radius + clearance:
                hint = " (larger cells or less clearance would do)" if sine > 0.34 else ""
                raise _not_printable(
                    f"an angle of {math.degrees(between):.0f} degrees between {vertex}-{other} and "
                    f"{vertex}-{another}{hint}",
                    board,
                )


def _not_printable(fact: str, board: Board) -> PuzzleError:
    return PuzzleError(
        f"expected a drawing that keeps the channels apart, got {fact} - on {quoted(board.name)}"
    )
