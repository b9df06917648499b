"""The kinds of boards, with an example and a description of each."""

from __future__ import annotations

__all__ = ["KINDS"]

KINDS = (
    ("hex P(3,4)", "parallelogram of hexagons: columns, rows"),
    ("hex T(5)", "triangle with 5 hexagons on a side"),
    ("hex F(3)", "flower: a hexagon of hexagons, 3 on a side"),
    ("hex Ptr(3,4)", "parallelogram without its tight corners"),
    ("hex Ttr(5)", "triangle without its tight corners"),
    ("hex star", "the Star of David, 13 cells"),
    ("hex trapezoid(6,3)", "the last 3 rows of the triangle T(6)"),
    ("hex ring(5,3)", "the flower F(5) with a hole, 3 cells wide"),
    ("hex convex(5,4,1,2)", "P(5,4) with 1 and 2 lines cut off its tight corners: any convex board"),
    ("hex 0,0 1,0 0,1", "any hexagons by their axial coordinates"),
    ("square R(4,4)", "rectangle of squares: columns, rows"),
    ("15-puzzle", "square R(4,4); so are 15, fifteen and 4x4"),
    ("3x4", "3 rows of 4 squares, square R(4,3); also hex 3x4 and king 3x4"),
    ("square 0,0 1,0 1,1", "any squares by their coordinates"),
    ("king R(3,4)", "squares that also touch at corners"),
    ("theta(1,2,2)", "two vertices joined by three paths: interior vertices of each"),
    ("cycle(7)", "a polygon"),
    ("path(5)", "a path"),
    ("complete(5)", "every two vertices touch"),
    ("graph 0-1 1-2 2-0 3", "any graph: edges, and single vertices"),
    ("FILE", "JSON, a drawn board (one # a cell, first line hex, square or king), or one of the above"),
)
"""An example of each kind of board as text, and what it is."""
