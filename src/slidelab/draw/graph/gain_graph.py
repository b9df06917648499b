"""Pictures of the gain graph: shapes, the moves between them, and the loops that generate the group.

>>> picture = gain_graph_picture("square R(4,4)")
>>> picture.title
'the gain graph of square R(4,4) tiles 1'
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.boards.walks import DisjointSets
from slidelab.draw.glyphs import Point
from slidelab.draw.graph import nodes
from slidelab.draw.graph.nodes import Box, Dots, Miniatures
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.layout.geometry import Positions
from slidelab.draw.marks import Group, Item, Mark, Path
from slidelab.draw.picture.canvas import Canvas, Legend
from slidelab.draw.picture.pieces import PieceStyle, piece_parts, place_parts
from slidelab.draw.scene import Picture
from slidelab.draw.theme import Theme, get_theme, mix
from slidelab.errors import TooLarge
from slidelab.gains import Gain, GainGraph, gain_graph
from slidelab.messages import counted
from slidelab.puzzles import PuzzleLike

__all__ = ["GainEdge", "format_gain", "gain_edges", "gain_graph_picture", "lay_out_shapes"]

LABEL_SIZE = 12.0
"""Font size of gains in pixels."""

MAX_LABELLED_EDGES = 250
"""Number of edges above which there is no room for labels and lines are thin."""

BEND = 0.24
"""Distance between parallel edges, as a share of their length."""


@dataclass(frozen=True, slots=True)
class GainEdge:
    """An edge of the gain graph, either in the spanning tree or closing a loop."""

    source: int
    target: int
    gain: Gain
    in_tree: bool

    @property
    def pair(self) -> tuple[int, int]:
        """The two shapes, the smaller number first."""
        return min(self.source, self.target), max(self.source, self.target)


def gain_edges(graph: GainGraph) -> list[GainEdge]:
    """Return all edges, with a spanning tree that has as many identity gains as possible.

    With identity gains along the tree, the gain of any other edge is the generator that its loop gives.

    >>> sum(not edge.in_tree for edge in gain_edges(gain_graph("square R(4,4)")))
    9
    """
    edges = [(source, target, gain) for source, target, gain, _ in graph]
    order = sorted(range(len(edges)), key=lambda number: (not edges[number][2].is_identity, number))
    joined = DisjointSets(graph.shapes)
    tree = {number for number in order if joined.union(*edges[number][:2])}
    return [GainEdge(*edge, number in tree) for number, edge in enumerate(edges)]


def format_gain(gain: Gain) -> str:
    """Format a gain as a cycle of slots, counted from 1, with a prime for each step by which the piece turns.

    >>> format_gain(Gain(4, 2)), format_gain(Gain(1, 1, 1)), format_gain(Gain(3, 3))
    ('(3 4 5)', "(2)'", '')
    """
    if gain.is_identity:
        return ""
    cycle = gain.cycle() or (gain.first,)
    start = cycle.index(min(cycle))
    return f"({' '.join(str(slot + 1) for slot in cycle[start:] + cycle[:start])})" + "'" * gain.turn


def gain_graph_picture(
    source: PuzzleLike | GainGraph,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    limit: int = 400,
    miniatures: bool | None = None,
) -> Picture:
    """Draw the gain graph: shapes, the moves between them, a spanning tree, and the edges that close loops.

    The shapes of puzzles with one hole are laid out as their board, each at its hole.

    Parameters
    ----------
    source : Puzzle, anything that stands for one, or GainGraph
        What to draw; a `GainGraph` is not computed again.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    size : float, optional
        Width of the picture in pixels.
    limit : int
        Largest number of shapes that can move; at most 20,000. Isolated shapes are counted, not drawn.
    miniatures : bool, optional
        Whether shapes are drawn as small boards, in a picture as wide as they need; by default if there are
        at most 60 and they have room.

    Returns
    -------
    Picture

    Raises
    ------
    TooLarge
        If more shapes than `limit` can move.

    Examples
    --------
    >>> gain_graph_picture("hex P(4,4)", limit=10)
    Traceback (most recent call last):
    slidelab.errors.TooLarge: expected at most 10 shapes that can move, got 33 - ...
    """
    theme = get_theme(theme)
    limit = nodes.check_limit(limit)
    graph = source if isinstance(source, GainGraph) else gain_graph(source)
    moving = graph.shapes - graph.isolated
    if moving > limit:
        hint = "; a larger limit allows more" if limit < nodes.MAX_VERTICES else ""
        raise TooLarge(
            f"expected at most {limit:,} shapes that can move, got {moving:,} - in {graph.puzzle.text}{hint}"
        )
    edges = gain_edges(graph)
    families, positions = lay_out_shapes(graph, edges)
    use_miniatures = moving <= nodes.MAX_MINIATURES if miniatures is None else miniatures
    board = lay_out_board(graph.puzzle.board)
    cards = Miniatures(board, theme, 15.0 if moving <= 20 else 11.0) if use_miniatures else None
    width = nodes.check_width(size, _default_width(graph, positions, use_miniatures))
    vertices, pixels, width, height = nodes.place_vertices(positions, theme, width, cards, bool(miniatures))
    points = {
        shape: (float(x), float(y))
        for members, rows in zip(families, pixels, strict=True)
        for shape, (x, y) in zip(members, rows, strict=True)
    }
    labels = _labels(edges, points, vertices, theme)
    items = _lines(edges, points, vertices, theme)
    items.append(Group(tuple(_draw_shapes(graph, points, vertices, theme)), element_id="shapes"))
    items.append(Group(tuple(labels), element_id="gains"))
    legend = _legend(graph, edges, theme, bool(labels)).lay_out(theme, width - 2 * nodes.MARGIN)
    return nodes.with_legend((width, height), items, legend, f"the gain graph of {graph.puzzle.text}", theme)


def _is_on_board(graph: GainGraph) -> bool:
    """Return whether each shape is drawn at its hole."""
    return graph.puzzle.rule.cells == 1 and graph.puzzle.hole_count == 1


def lay_out_shapes(graph: GainGraph, edges: Sequence[GainEdge]) -> tuple[list[list[int]], list[Positions]]:
    """Return the shapes of each family that can move, and their positions."""
    import numpy as np

    families = [
        np.flatnonzero(graph.family_of == graph.family_of[root]).tolist() for root, _ in graph.families()
    ]
    if _is_on_board(graph):
        cells = lay_out_board(graph.puzzle.board).positions
        return families, [np.array([cells[graph.holes(shape)[0]] for shape in part]) for part in families]
    layouts = []
    for family in families:
        number = {shape: k for k, shape in enumerate(family)}
        own = {edge.pair for edge in edges if edge.source in number}
        layouts.append(nodes.force_layout(len(family), sorted((number[a], number[b]) for a, b in own)))
    return families, nodes.pack(layouts)


def _default_width(graph: GainGraph, positions: Sequence[Positions], use_miniatures: bool) -> float:
    """Return a width that has room for labels next to miniatures, but is not wider than a page."""
    import numpy as np

    if not positions:
        return 420.0
    if not use_miniatures:
        return 1000.0
    spread = float(np.ptp(np.concatenate(positions)[:, 0])) + 1
    unit = 150.0 if _is_on_board(graph) else 185.0
    return float(round(max(420.0, min(1400.0, spread * unit))))


def _draw_shapes(
    graph: GainGraph, points: dict[int, Point], vertices: Dots | Miniatures, theme: Theme
) -> list[Item]:
    items = []
    for shape, point in points.items():
        title = "holes " + " ".join(map(str, graph.holes(shape)))
        if isinstance(vertices, Dots):
            items.append(vertices.draw(theme.piece, point, title))
        else:
            inside = _draw_board(graph, shape, vertices.canvas)
            items.append(vertices.draw(nodes.line_colour(theme), point, title, inside))
    return items


def _draw_board(graph: GainGraph, shape: int, canvas: Canvas) -> list[Item]:
    """Draw a board with pieces that have no numbers."""
    theme, cells = canvas.theme, graph.puzzle.rule.cells
    parts = piece_parts(graph.puzzle, PieceStyle((theme.piece,) * cells, ("",) * cells), theme, canvas.size)
    pieces = [
        place_parts(parts, [canvas.centre(c) for c in slot], canvas.size) for slot in graph.slots(shape)
    ]
    return [*canvas.tray(), *canvas.wells({}, {}, titled=False), *pieces]


def _lines(
    edges: Sequence[GainEdge], points: dict[int, Point], vertices: Dots | Miniatures, theme: Theme
) -> list[Item]:
    """Draw the tree in grey and the edges that close loops in the accent; identity gains are thin."""
    parallel = Counter(edge.pair for edge in edges)
    done: Counter[tuple[int, int]] = Counter()
    tree: list[Item] = []
    loops: list[Item] = []
    heads: list[Item] = []
    is_crowded = len(edges) > MAX_LABELLED_EDGES
    loop_colour = mix(theme.accent, theme.paper, 0.45 if is_crowded else 0.0)  # many would hide the rest
    line_width = vertices.line_width * (0.6 if is_crowded else 1.0)
    for edge in edges:
        bend = BEND * (done[edge.pair] - (parallel[edge.pair] - 1) / 2)
        bend *= 1 if edge.source < edge.target else -1
        done[edge.pair] += 1
        width = line_width * (0.9 if edge.gain.is_identity else 1.4)
        curve = _Curve(points[edge.source], points[edge.target], bend)
        mark = Mark(curve.path, None, nodes.line_colour(theme) if edge.in_tree else loop_colour, width)
        title = format_gain(edge.gain) or "no change of order"
        (tree if edge.in_tree else loops).append(Group((mark,), title=title))
        if len(edge.gain.cycle()) > 2 and not is_crowded:
            heads += _arrowhead(curve, vertices, mark)
    groups = {"tree": tree, "loops": loops, "directions": heads}
    return [Group(tuple(items), element_id=name) for name, items in groups.items()]


@dataclass(frozen=True, slots=True)
class _Curve:
    """A line, or an arc (quadratic curve) beside it if several edges join the same shapes."""

    start: Point
    end: Point
    bend: float

    @property
    def control(self) -> Point:
        (ax, ay), (bx, by) = self.start, self.end
        return (ax + bx) / 2 - (by - ay) * self.bend, (ay + by) / 2 + (bx - ax) * self.bend

    @property
    def path(self) -> Path:
        if not self.bend:
            return Path.line([self.start, self.end])
        return Path((("M", (self.start,)), ("Q", (self.control, self.end))))

    def at(self, t: float) -> Point:
        weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
        corners = (self.start, self.control, self.end)
        x, y = (sum(w * p[k] for w, p in zip(weights, corners, strict=True)) for k in (0, 1))
        return x, y


def _arrowhead(curve: _Curve, vertices: Dots | Miniatures, line: Mark) -> list[Item]:
    """Draw an arrowhead just before the shape to which the gain leads, if there is room after the label."""
    box, size, length = vertices.box(curve.end), 5.0 + 2 * line.width, math.dist(curve.start, curve.end)
    share = 1 - (max(box.half_width, box.half_height) + 3) / max(length, 1e-9)
    if (share - 0.5) * length < size:
        return []
    tip, back = curve.at(share), curve.at(share - size / length)
    dx, dy = (tip[1] - back[1]) * 0.55, (back[0] - tip[0]) * 0.55
    corners = [tip, (back[0] + dx, back[1] + dy), (back[0] - dx, back[1] - dy)]
    return [Mark(Path.polygon(corners), line.stroke)]


def _labels(
    edges: Sequence[GainEdge], points: dict[int, Point], vertices: Dots | Miniatures, theme: Theme
) -> list[Item]:
    """Label each edge that changes the order of pieces with its gain, where there is room."""
    if len(edges) > MAX_LABELLED_EDGES:
        return []
    occupied: list[Box] = [vertices.box(point) for point in points.values()]
    segments = [(points[edge.source], points[edge.target]) for edge in edges]
    items: list[Item] = []
    for number, edge in sorted(enumerate(edges), key=lambda pair: pair[1].in_tree):
        text = format_gain(edge.gain)
        if not text:
            continue
        others = segments[:number] + segments[number + 1 :]
        colour, share = (nodes.line_colour(theme), 0.7) if edge.in_tree else (theme.accent, 0.3)
        ink = mix(colour, theme.ink, share)
        for size in (LABEL_SIZE, LABEL_SIZE - 2):
            box = _free_box(text, size, segments[number], occupied, others)
            if box is not None:
                occupied.append(box)
                items.append(nodes.label_on_paper(text, size, (box.x, box.y), ink, theme.paper))
                break
    return items


def _free_box(
    text: str,
    size: float,
    segment: tuple[Point, Point],
    occupied: Sequence[Box],
    others: Sequence[tuple[Point, Point]],
) -> Box | None:
    """Return a box on the line, close to its middle, where the text covers nothing else."""
    (ax, ay), (bx, by) = segment
    for share in (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7):
        box = nodes.text_box(text, size, (ax + (bx - ax) * share, ay + (by - ay) * share))
        # Part of the line stays visible on both sides of the text.
        outer = Box(box.x, box.y, box.half_width + 6, box.half_height + 4)
        if any(map(outer.overlaps, occupied)) or any(box.crosses(*line) for line in others):
            continue
        return box
    return None


def _legend(graph: GainGraph, edges: Sequence[GainEdge], theme: Theme, has_labels: bool) -> Legend:
    loops = sum(not edge.in_tree for edge in edges)
    rows: list[tuple[str | None, str]] = []
    if edges:
        rows.append((nodes.line_colour(theme), "spanning tree"))
    if loops:
        rows.append((theme.accent, f"closes a loop: a generator ({loops:,})"))
    if has_labels and any(edge.gain.cycle() for edge in edges):
        rows.append((None, "(1 2 3): the piece of slot 1 goes to slot 2, that of 2 to 3, that of 3 to 1"))
    if has_labels and any(edge.gain.turn for edge in edges):
        rows.append((None, f"': the moved {graph.puzzle.rule.piece} is turned"))
    shapes = counted(graph.shapes - graph.isolated, "shape") + (" that can move" if graph.isolated else "")
    summary = f"{graph.puzzle.text}: {shapes}, {counted(graph.edges, 'edge')}"
    if graph.isolated:
        isolated = counted(graph.isolated, "isolated shape is", "isolated shapes are")
        summary += f"; {isolated} not drawn"
    return Legend((*rows, (None, summary)))
