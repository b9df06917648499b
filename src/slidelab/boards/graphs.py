"""Boards that are graphs: theta graphs, cycles, paths, complete graphs, edge lists, networkx graphs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from slidelab.arguments import whole_number
from slidelab.boards.limits import check_size
from slidelab.boards.model import Board, Edge, Position
from slidelab.errors import NotationError

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "complete",
    "cycle",
    "from_edges",
    "from_labelled_edges",
    "from_networkx",
    "path",
    "theta",
    "theta0",
]


def theta(a: int, b: int, c: int) -> Board:
    """Return two end vertices joined by three paths with `a`, `b` and `c` interior vertices.

    One end is vertex 0, then come the interior vertices of the three paths in the order given, each path
    from that end to the other, and the other end is the last vertex. At most one of the numbers may be 0;
    the name puts it first, since its place does not matter.

    Parameters
    ----------
    a, b, c
        Numbers of interior vertices.

    Examples
    --------
    >>> theta(1, 2, 2).edges
    ((0, 1), (0, 2), (0, 4), (1, 6), (2, 3), (3, 6), (4, 5), (5, 6))
    """
    lengths = [whole_number(n, 0, f"number {i + 1} of theta") for i, n in enumerate((a, b, c))]
    name = f"theta({lengths[0]},{lengths[1]},{lengths[2]})"
    if lengths.count(0) > 1:
        raise NotationError(f"expected at most one path without interior vertices, got {name!r}")
    check_size(sum(lengths) + 2, 0, name)
    return graph_board(sum(lengths) + 2, _theta_edges(lengths))


def theta0() -> Board:
    """Return theta(1,2,2), the one exception in Wilson's theorem.

    Examples
    --------
    >>> theta0()
    board('theta(1,2,2)')
    """
    return theta(1, 2, 2)


def cycle(n: int) -> Board:
    """Return the cycle with `n` >= 3 vertices, numbered around it.

    Examples
    --------
    >>> cycle(4).edges
    ((0, 1), (0, 3), (1, 2), (2, 3))
    """
    n = whole_number(n, 3, "number 1 of cycle")
    check_size(n, 0, f"cycle({n})")
    return graph_board(n, [*pairwise(range(n)), (0, n - 1)])


def path(n: int) -> Board:
    """Return the path with `n` >= 1 vertices, numbered along it.

    Examples
    --------
    >>> path(3).edges
    ((0, 1), (1, 2))
    """
    n = whole_number(n, 1, "number 1 of path")
    check_size(n, 0, f"path({n})")
    return graph_board(n, pairwise(range(n)))


def complete(n: int) -> Board:
    """Return the complete graph with `n` >= 1 vertices.

    Examples
    --------
    >>> len(complete(30).edges)
    435
    """
    n = whole_number(n, 1, "number 1 of complete")
    check_size(n, n * (n - 1) // 2, f"complete({n})")
    return graph_board(n, combinations(range(n), 2))


def from_edges(
    pairs: Iterable[Sequence[int]],
    vertices: int | Iterable[int] | None = None,
    positions: Sequence[Sequence[float]] | None = None,
    labels: Sequence[Hashable] = (),
) -> Board:
    """Return the graph with these edges.

    Loops and double edges are dropped: a tile cannot use a loop, and a double edge adds no move (Theorem 5.1
    of the paper on sliding graph puzzles).

    Parameters
    ----------
    pairs
        The edges. Vertices are numbers from 0 on.
    vertices
        A number n for the vertices 0..n-1, or the vertices themselves; needed only for vertices without
        edges. Without it the vertices are those that occur, renumbered 0..n-1 in numeric order.
    positions
        Drawing positions (x, y), in the order of the vertices.
    labels
        What the vertices are called, in their order; by default their numbers in `pairs`.

    Examples
    --------
    >>> from_edges([(1, 3), (3, 7), (7, 7), (3, 1)]).edges
    ((0, 1), (1, 2))
    >>> from_edges([(0, 1)], vertices=3)
    board('graph 0-1 2')
    """
    edges = _pairs(pairs)
    given = _vertices(edges, vertices)
    number = {vertex: index for index, vertex in enumerate(given)}
    for place, (a, b) in enumerate(edges):
        if a not in number or b not in number:
            missing = b if a in number else a
            raise NotationError(
                f"expected vertices of the graph, got {missing} - at edge {place} of the graph"
            )
    return graph_board(len(given), [(number[a], number[b]) for a, b in edges], positions, labels or given)


def from_labelled_edges(pairs: Iterable[tuple[str, str]], single: Iterable[str] = ()) -> Board:
    """Return the graph whose vertices are called by words, numbered in alphabetical order.

    Parameters
    ----------
    pairs
        The edges.
    single
        Vertices that may have no edge.

    Examples
    --------
    >>> from_labelled_edges([("b", "a"), ("b", "c")]).edges
    ((0, 1), (1, 2))
    """
    edges = list(pairs)
    labels = sorted({*single, *(end for edge in edges for end in edge)}, key=_alphabetical)
    check_size(len(labels), len(edges), "graph board")
    number = {label: index for index, label in enumerate(labels)}
    return graph_board(len(labels), [(number[a], number[b]) for a, b in edges], labels=labels)


def _alphabetical(label: str) -> tuple[bool, int, str]:
    """Return a sort key that orders numbers by value, before words."""
    is_number = label.isascii() and label.isdigit()
    return not is_number, int(label) if is_number else 0, label


def from_networkx(graph: nx.Graph[Any]) -> Board:
    """Return the board of a networkx graph, without loops and double edges.

    Integer nodes are numbered in numeric order, other nodes in the order of the graph; what they are called
    is kept in `Board.labels`. If every node has an attribute ``pos``, that is where it is drawn.

    Raises
    ------
    NotationError
        If an edge has a direction: pieces slide both ways.

    Examples
    --------
    >>> import networkx
    >>> from_networkx(networkx.cycle_graph(5))
    board('cycle(5)')
    >>> from_networkx(networkx.Graph(["ab", "bc"])).labels
    ('a', 'b', 'c')
    """
    check_size(graph.number_of_nodes(), graph.number_of_edges(), "networkx graph")
    if graph.is_directed():
        one_way = next(((a, b) for a, b in graph.edges() if not graph.has_edge(b, a)), None)
        if one_way is not None:
            raise NotationError(
                f"expected edges in both directions, got only {one_way[0]!r:.40} -> {one_way[1]!r:.40} - "
                "in a directed graph; its method to_undirected() forgets the directions"
            )
    nodes = list(graph.nodes)
    if all(type(node) is int for node in nodes):
        nodes.sort()
    number = {node: index for index, node in enumerate(nodes)}
    given = [graph.nodes[node].get("pos") for node in nodes]
    positions = None if any(position is None for position in given) else given
    edges = [(number[a], number[b]) for a, b in graph.edges()]
    return graph_board(len(nodes), edges, positions, () if nodes == list(range(len(nodes))) else nodes)


def graph_board(
    size: int,
    edges: Iterable[Edge],
    positions: Sequence[Sequence[float]] | None = None,
    labels: Sequence[Hashable] = (),
) -> Board:
    """Return the graph on 0..size-1 with these edges, named and placed as its family if it belongs to one."""
    if size < 1:
        raise NotationError("expected at least one vertex, got none - at graph board")
    simple = tuple(sorted({(min(a, b), max(a, b)) for a, b in edges if a != b}))
    check_size(size, len(simple), "graph board")
    lengths = _theta_lengths(size, simple)
    if positions is not None:
        placed = _given_positions(size, positions)
    else:
        placed = _circle(size) if lengths is None else _theta_positions(lengths)
    name = _name(size, simple) if lengths is None else f"theta({lengths[0]},{lengths[1]},{lengths[2]})"
    return Board(
        kind="graph",
        cells=(),
        edges=simple,
        size=size,
        name=name,
        positions=placed,
        labels=_given_labels(size, labels),
    )


def _given_labels(size: int, labels: Sequence[Hashable]) -> tuple[Hashable, ...]:
    """Return what vertices are called, if that differs from their numbers."""
    if not labels or (len(labels) == size and all(label == k for k, label in enumerate(labels))):
        return ()
    if len(labels) != size or len(set(labels)) != size:
        raise NotationError(
            f"expected {size} different labels, got {len(set(labels))} of {len(labels)} - at graph board"
        )
    return tuple(labels)


def _pairs(pairs: Iterable[Sequence[int]]) -> list[Edge]:
    edges = []
    for place, pair in enumerate(pairs):
        check_size(0, place + 1, "graph board")
        try:
            a, b = pair
        except (TypeError, ValueError):
            raise NotationError(
                f"expected two vertices, got {pair!r} - at edge {place} of the graph"
            ) from None
        where = f"edge {place} of the graph"
        edges.append((whole_number(a, 0, where), whole_number(b, 0, where)))
    return edges


def _vertices(edges: list[Edge], vertices: int | Iterable[int] | None) -> Sequence[int]:
    if vertices is None:
        return sorted({vertex for edge in edges for vertex in edge})
    if not isinstance(vertices, Iterable):
        size = whole_number(vertices, 1, "vertices of the graph")
        check_size(size, 0, "graph board")
        return range(size)
    labels: set[int] = set()
    for place, label in enumerate(vertices):
        check_size(place + 1, 0, "graph board")
        labels.add(whole_number(label, 0, f"vertex {place} of the graph"))
    return sorted(labels)


def _name(size: int, edges: tuple[Edge, ...]) -> str:
    if size > 2 and edges == tuple(sorted([*pairwise(range(size)), (0, size - 1)])):
        return f"cycle({size})"
    if edges == tuple(pairwise(range(size))):
        return f"path({size})"
    # Sorted simple edges are complete exactly if there are enough of them.
    if len(edges) == size * (size - 1) // 2:
        return f"complete({size})"
    touched = {vertex for edge in edges for vertex in edge}
    alone = [str(vertex) for vertex in range(size) if vertex not in touched]
    return " ".join(["graph", *(f"{a}-{b}" for a, b in edges), *alone])


def _theta_edges(lengths: Sequence[int]) -> list[Edge]:
    last = sum(lengths) + 1
    edges: list[Edge] = []
    first = 1
    for length in lengths:
        edges += pairwise([0, *range(first, first + length), last])
        first += length
    return edges


def _theta_lengths(size: int, edges: tuple[Edge, ...]) -> tuple[int, int, int] | None:
    """Return the numbers of the theta graph with exactly these edges, a zero first, or None."""
    starts = [b for a, b in edges[:4] if a == 0]
    if len(starts) != 3 or len(edges) != size + 1:
        return None
    ends = starts[1:] if starts[-1] == size - 1 else [*starts[1:], size - 1]
    lengths = [end - start for start, end in zip(starts, ends, strict=False)]
    three = (0, lengths[0], lengths[1]) if len(lengths) == 2 else (lengths[0], lengths[1], lengths[2])
    return three if edges == tuple(sorted(_theta_edges(three))) else None


def _given_positions(size: int, positions: Sequence[Sequence[float]]) -> tuple[Position, ...]:
    if len(positions) != size:
        raise NotationError(f"expected {size} positions, got {len(positions)} - at graph board")
    placed = []
    for vertex, position in enumerate(positions):
        try:
            x, y = (float(value) for value in position)
        except (TypeError, ValueError):
            raise NotationError(
                f"expected a position (x, y), got {position!r} - at vertex {vertex}"
            ) from None
        if not (math.isfinite(x) and math.isfinite(y)):
            raise NotationError(f"expected a finite position, got {position!r} - at vertex {vertex}")
        placed.append((x, y))
    return tuple(placed)


def _circle(size: int) -> tuple[Position, ...]:
    """Return positions on a circle, clockwise from the top, one unit from each vertex to the next."""
    if size == 1:
        return ((0.0, 0.0),)
    radius = 0.5 / math.sin(math.pi / size)
    angles = [2 * math.pi * k / size - math.pi / 2 for k in range(size)]
    return tuple((round(radius * math.cos(t), 6), round(radius * math.sin(t), 6)) for t in angles)


def _theta_positions(lengths: Sequence[int]) -> tuple[Position, ...]:
    """Return positions with one end left, one right, the shortest path straight and two arcs around it."""
    width = max(lengths) + 1.0
    straight = min(range(3), key=lambda path: lengths[path])
    bends = iter((-1.0, 1.0))
    placed: list[Position] = [(0.0, 0.0)]
    for index, length in enumerate(lengths):
        height = 0.0 if index == straight else next(bends) * max(1.0, width / 3)
        for step in range(1, length + 1):
            t = step / (length + 1)
            placed.append((round(width * t, 6), round(height * math.sin(math.pi * t), 6)))
    return (*placed, (width, 0.0))
