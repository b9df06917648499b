"""What counts as one move: each step of one piece, or a straight row of tiles pushed at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from slidelab.errors import NotationError
from slidelab.messages import did_you_mean, quoted
from slidelab.puzzles import Puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.gains import GainGraph

__all__ = ["Metric", "check_metric", "straight_lines"]

Metric = Literal["single", "straight"]


def check_metric(puzzle: Puzzle, metric: Metric) -> Metric:
    """Return the metric, or raise `NotationError` if it is unknown or not defined for the puzzle."""
    if metric not in ("single", "straight"):
        meant = did_you_mean(metric, ("single", "straight"))
        raise NotationError(f"expected single or straight as a metric, got {metric!r:.40}{meant}")
    if metric == "straight" and not puzzle.rule.slides_along_edges:
        raise NotationError(f"expected tiles for straight pushes, got {puzzle.rule.name}")
    if metric == "straight" and not puzzle.board.cells:
        raise NotationError(
            f"expected a board of squares or hexagons for straight pushes, got {quoted(puzzle.board.name)}"
        )
    return metric


def straight_lines(graph: GainGraph, rows: NDArray[np.int64]) -> list[int]:
    """Return the arc that extends the push of each arc (2e forwards, 2e+1 backwards along row e), or -1.

    A tile moves from cell a to the hole b; then the tile behind it, on the other side of a, may
    follow into a: together they are one push.
    """
    cells = graph.puzzle.board.cells
    number = {place: cell for cell, place in enumerate(cells)}
    arcs: dict[tuple[int, int, int], int] = {}
    ends = []
    for edge, (source, target, _, _, _, step) in enumerate(rows.tolist()):
        a, b = graph.step_ends(step)
        for arc, (shape, there, tile, hole) in enumerate(
            ((source, target, a[0], b[0]), (target, source, b[0], a[0])), 2 * edge
        ):
            arcs[shape, tile, hole] = arc
            ends.append((there, tile, hole))
    out = []
    for there, tile, hole in ends:
        (x, y), (u, v) = cells[tile], cells[hole]
        behind = number.get((2 * x - u, 2 * y - v))
        out.append(-1 if behind is None else arcs.get((there, behind, tile), -1))
    return out
