"""Discs that run in channels along the edges of a drawn graph: how large they can be.

On a bare graph the walls have to see to it that a disc makes only the moves that the graph has. So the
drawing decides whether the puzzle can be printed at all: channels of edges without a common vertex must have
a wall between them; a disc that rests on a vertex must not reach into the channel of another edge; and one
that rests on the common vertex of two edges must bar the way from the one channel to the other.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from slidelab.draw.layout.planar import side
from slidelab.errors import PuzzleError
from slidelab.messages import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.boards import Board

__all__ = ["WALL", "channel_radius"]

LARGEST, SMALLEST = 0.42, 0.15  # of a disc's radius, in cells
WALL = 1.6
"""The thinnest wall between two channels, in millimetres."""


def channel_radius(board: Board, cell: float, clearance: float) -> float:
    """The radius of the discs in millimetres; `PuzzleError` if the drawing leaves no room for any.

    >>> from slidelab.boards import board
    >>> channel_radius(board("cycle(6)"), 24.0, 0.4)
    10.08
    >>> channel_radius(board("complete(4)"), 24.0, 0.4)
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a drawing that keeps the channels apart, got 0.0 mm between
    0-2 and 1-3 - on 'complete(4)'
    """
    # A vertex without edges is a channel of no length: a pocket.
    edges = [*board.edges, *((v, v) for v, around in enumerate(board.neighbours) if not around)]
    if len(board.edges) > 3 * board.size:  # more than any drawing without crossings has
        raise _refusal("edges that cross", board)
    radius, place = LARGEST * cell, ""
    for gap, needed, what in _gaps(board, edges, cell, clearance):
        if (gap - needed) / 2 < radius:
            radius, place = (gap - needed) / 2, f"{gap:.1f} mm between {what}"
    if radius < SMALLEST * cell:
        raise _refusal(place, board)
    _check_angles(board, radius, clearance)
    return radius


def _gaps(
    board: Board, edges: list[tuple[int, int]], cell: float, clearance: float
) -> list[tuple[float, float, str]]:
    """The narrowest places for each edge: how far the other is, and what two radii must leave of that."""
    import numpy as np

    points = np.array(board.positions) * cell
    ends = np.array(edges)
    first, last = points[ends[:, 0]], points[ends[:, 1]]
    out = []
    for number, (a, b) in enumerate(edges):
        apart = ~((ends == a) | (ends == b)).any(axis=1)
        apart[:number] = False
        if apart.any():
            far = np.where(apart, _between_segments(points[a], points[b], first, last), np.inf)
            other = int(far.argmin())
            what = f"{_named(edges[number])} and {_named(edges[other])}"
            out.append((float(far[other]), 2 * clearance + WALL, what))
        far = _from_segment(points, points[a], points[b])
        far[[a, b]] = np.inf
        vertex = int(far.argmin())
        if math.isfinite(far[vertex]):
            what = f"{_named(edges[number])} and vertex {vertex}"
            out.append((float(far[vertex]), clearance, what))
    return out


def _named(edge: tuple[int, int]) -> str:
    return f"{edge[0]}-{edge[1]}" if edge[0] != edge[1] else f"vertex {edge[0]}"


def _from_segment(
    points: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The distance of each point from the segment, or of one point from each segment."""
    import numpy as np

    along = b - a
    square = np.maximum((along * along).sum(axis=-1), 1e-12)
    share = np.clip(((points - a) * along).sum(axis=-1) / square, 0, 1)
    distance: NDArray[np.float64] = np.linalg.norm(points - a - share[..., None] * along, axis=-1)
    return distance


def _between_segments(
    a: NDArray[np.float64], b: NDArray[np.float64], first: NDArray[np.float64], last: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The distance of the segment from a to b to each of the others: zero where they cross."""
    import numpy as np

    ends = [_from_segment(first, a, b), _from_segment(last, a, b)]
    ends += [_from_segment(a, first, last), _from_segment(b, first, last)]
    cross = (side(a, b, first) * side(a, b, last) < 0) & (side(first, last, a) * side(first, last, b) < 0)
    return np.where(cross, 0.0, np.min(ends, axis=0))


def _check_angles(board: Board, radius: float, clearance: float) -> None:
    """Refuse two edges that meet so sharply that a disc on their vertex does not keep others from passing.

    Half way between the two edges the free room ends where both walls meet, at (radius + clearance) / sin of
    half the angle from the vertex. A disc would have to pass there, beyond the one that rests on the vertex.
    """
    for vertex, around in enumerate(board.neighbours):
        x, y = board.positions[vertex]
        rays = [(board.positions[other][0] - x, board.positions[other][1] - y, other) for other in around]
        turned = sorted((math.atan2(dy, dx), other) for dx, dy, other in rays)
        for (angle, other), (next_angle, another) in pairwise([*turned, *turned[:1]]):
            between = (next_angle - angle) % math.tau or math.tau
            sine = math.sin(between / 2)
            if between < math.pi and 3 * radius * sine <= radius + clearance:
                hope = " (larger cells or less clearance would do)" if sine > 0.34 else ""
                raise _refusal(
                    f"an angle of {math.degrees(between):.0f} degrees between {vertex}-{other} and "
                    f"{vertex}-{another}{hope}",
                    board,
                )


def _refusal(fact: str, board: Board) -> PuzzleError:
    return PuzzleError(
        f"expected a drawing that keeps the channels apart, got {fact} - on {quoted(board.name)}"
    )
