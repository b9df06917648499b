"""Boards: cells and which of them touch, from text, JSON, drawings or graphs, and their structure.

Builds on no other room; `walks` has the graph algorithms that all rooms share.
Start reading with `model` (the class `Board`) and `sources` (the function `board`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.boards.graphs import complete, cycle, from_edges, from_networkx, path, theta, theta0
from slidelab.boards.hexagons import (
    congruent_families,
    congruent_family,
    convex,
    flower,
    hex_board,
    hexagonal_ring,
    parallelogram,
    star,
    trapezoid,
    triangle,
    trimmed_parallelogram,
    trimmed_triangle,
)
from slidelab.boards.model import Board, Cell, Edge, Position
from slidelab.boards.proper import is_proper, why_not_proper
from slidelab.boards.sources import BoardLike, board, parse_board
from slidelab.boards.squares import eight, fifteen, king_rectangle, rectangle, square_board
from slidelab.boards.structure import (
    blocks,
    components,
    cut_cells,
    holes_in_board,
    is_bipartite,
    is_connected,
    is_cycle,
    is_hole_free,
    is_theta0,
    is_two_connected,
    sub_board,
    theta_lengths,
    tight_corners,
    triangles,
    trim,
    two_colouring,
)
from slidelab.boards.text import parse_board_tokens
from slidelab.late_imports import late_imports

if TYPE_CHECKING:
    from slidelab.boards.ears import cyclomatic_number, ear_decomposition
    from slidelab.boards.generators import connected_graphs, polyhexes, random_hexagons
    from slidelab.boards.hamilton import (
        FoundCycle,
        cycle_along,
        find_cycle,
        hamiltonian_cycle,
        is_hole_free_cycle,
    )
    from slidelab.boards.matching import maximum_matching
    from slidelab.boards.symmetry import Symmetries, graph_automorphisms, symmetries
else:
    __getattr__ = late_imports(
        "slidelab.boards",
        {
            "ears": "cyclomatic_number ear_decomposition",
            "generators": "connected_graphs polyhexes random_hexagons",
            "hamilton": "FoundCycle cycle_along find_cycle hamiltonian_cycle is_hole_free_cycle",
            "matching": "maximum_matching",
            "symmetry": "Symmetries graph_automorphisms symmetries",
        },
    )

__all__ = [
    "Board",
    "BoardLike",
    "Cell",
    "Edge",
    "FoundCycle",
    "Position",
    "Symmetries",
    "blocks",
    "board",
    "complete",
    "components",
    "congruent_families",
    "congruent_family",
    "convex",
    "cut_cells",
    "cycle",
    "cycle_along",
    "eight",
    "fifteen",
    "find_cycle",
    "flower",
    "from_edges",
    "from_networkx",
    "graph_automorphisms",
    "hamiltonian_cycle",
    "hex_board",
    "hexagonal_ring",
    "holes_in_board",
    "is_bipartite",
    "is_connected",
    "is_cycle",
    "is_hole_free",
    "is_hole_free_cycle",
    "is_proper",
    "is_theta0",
    "is_two_connected",
    "king_rectangle",
    "maximum_matching",
    "parallelogram",
    "parse_board",
    "parse_board_tokens",
    "path",
    "connected_graphs",
    "cyclomatic_number",
    "ear_decomposition",
    "polyhexes",
    "random_hexagons",
    "rectangle",
    "square_board",
    "star",
    "sub_board",
    "symmetries",
    "theta",
    "theta0",
    "theta_lengths",
    "tight_corners",
    "trapezoid",
    "triangle",
    "triangles",
    "trim",
    "trimmed_parallelogram",
    "trimmed_triangle",
    "two_colouring",
    "why_not_proper",
]
