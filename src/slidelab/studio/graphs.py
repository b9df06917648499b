"""Graphs for the page: the puzzle graph around a position, and the gain graph, with places to draw them."""

from __future__ import annotations

from typing import Any

from slidelab.budget import Budget
from slidelab.draw.graph.exploration import explore
from slidelab.draw.graph.gain_graph import format_gain, gain_edges, lay_out_shapes
from slidelab.draw.graph.nodes import force_layout
from slidelab.draw.layout.layers import layered_layout
from slidelab.errors import TooLarge
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach.verdict import reason_unsolvable

__all__ = ["gain_graph_answer", "puzzle_graph_answer"]

MAX_CONFIGURATIONS = 4_000
"""Configurations of the largest puzzle graph that is drawn."""

MAX_FORCE_CONFIGURATIONS = 800
"""Configurations that are placed by forces, in a few seconds; more are placed by their distance."""

MAX_DRAWN_SHAPES = 800
"""Shapes of the largest gain graph that is drawn."""


def puzzle_graph_answer(start: Configuration, goal: Configuration, budget: Budget) -> dict[str, Any]:
    """Return the component of a position, from its goal outwards if that can be reached.

    >>> import slidelab as sl
    >>> start = sl.position("2x2 : . 3 2 1")
    >>> graph = puzzle_graph_answer(start, start.puzzle.goal, Budget())
    >>> len(graph["nodes"]), len(graph["edges"]), graph["nodes"][graph["here"]]["distance"]
    (12, 12, 6)
    """
    source = start if reason_unsolvable(start, goal, budget=budget) else goal
    budget.check("configurations")
    component = explore(source, MAX_CONFIGURATIONS)
    count = len(component.configurations)
    budget.check("layout", 0, count)
    by_force = count <= MAX_FORCE_CONFIGURATIONS
    if by_force:
        places = force_layout(count, component.edges).tolist()
    else:
        places = [list(place) for place in layered_layout(component.distances, component.edges)]
    number = {configuration: k for k, configuration in enumerate(component.configurations)}
    nodes = [
        {
            "x": round(float(x), 3),
            "y": round(float(y), 3),
            "distance": distance,
            "text": configuration.pieces_text,
        }
        for (x, y), distance, configuration in zip(
            places, component.distances, component.configurations, strict=True
        )
    ]
    return {
        "which": "puzzle",
        "layout": "force" if by_force else "layers",
        "puzzle": start.puzzle.uncoloured.text,
        "nodes": nodes,
        "edges": [list(edge) for edge in component.edges],
        "here": number.get(start),
        "goal": number.get(goal),
    }


def gain_graph_answer(start: Configuration, budget: Budget) -> dict[str, Any]:
    """Return the shapes that can move, the moves between them, and which of these close loops.

    >>> import slidelab as sl
    >>> graph = gain_graph_answer(sl.puzzle("square R(4,4)").goal, Budget())
    >>> len(graph["nodes"]), len(graph["edges"]), sum(not edge["tree"] for edge in graph["edges"])
    (16, 24, 9)
    """
    graph = gain_graph(start.puzzle, budget)
    moving = graph.shapes - graph.isolated
    if moving > MAX_DRAWN_SHAPES:
        raise TooLarge(
            f"expected at most {MAX_DRAWN_SHAPES:,} shapes that can move, got {moving:,} - "
            f"in {start.puzzle.text!r:.80}"
        )
    edges = gain_edges(graph)
    budget.check("layout", 0, moving)
    families, positions = lay_out_shapes(graph, edges)
    nodes: list[dict[str, Any]] = []
    number: dict[int, int] = {}
    for family, (members, places) in enumerate(zip(families, positions, strict=True)):
        for shape, (x, y) in zip(members, places.tolist(), strict=True):
            number[shape] = len(nodes)
            nodes.append(
                {
                    "x": round(x, 3),
                    "y": round(y, 3),
                    "family": family,
                    "holes": list(graph.holes(shape)),
                    "slots": [list(cells) for cells in graph.slots(shape)],
                }
            )
    here, _ = graph.place(start)
    return {
        "which": "gain",
        "layout": "force",
        "puzzle": start.puzzle.uncoloured.text,
        "nodes": nodes,
        "edges": [
            {
                "source": number[edge.source],
                "target": number[edge.target],
                "gain": format_gain(edge.gain),
                "tree": edge.in_tree,
            }
            for edge in edges
        ],
        "here": number.get(int(here)),
        "goal": None,
    }
