"""The gain graph as a picture: its shapes, the moves between them, and the loops that generate the group.

>>> picture = gain_graph_picture("square R(4,4)")
>>> picture.title
'the gain graph of square R(4,4) tiles 1'
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slidelab.draw.graph.nodes import (
    MARGIN,
    MINIATURES,
    MOST,
    Box,
    Dots,
    Miniatures,
    haloed,
    limited,
    line_colour,
    packed,
    picture_width,
    roomy,
    spaced,
    text_box,
)
from slidelab.draw.layout.board import SMALL, clean, drawing
from slidelab.draw.picture.canvas import Canvas, Legend
from slidelab.draw.picture.pieces import Look, piece_parts, placed
from slidelab.draw.scene import Group, Item, Mark, Path, Picture
from slidelab.draw.theme import Theme, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import TooLarge
from slidelab.gains import Gain, GainGraph, gain_graph
from slidelab.puzzles import PuzzleLike

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = ["GainEdge", "gain_edges", "gain_graph_picture", "gain_text"]

Point = tuple[float, float]
LETTERS = 12.0
CROWDED = 250
"""With more edges than that there is no room for labels, and lines must be thin."""


@dataclass(frozen=True, slots=True)
class GainEdge:
    """An edge of the gain graph, and whether it belongs to the spanning tree or closes a loop."""

    source: int
    target: int
    gain: Gain
    in_tree: bool


def gain_edges(graph: GainGraph) -> list[GainEdge]:
    """All edges, with a spanning tree that has as many edges without a gain as can be.

    With identity gains along the tree, the gain of any other edge is the generator that its loop gives.

    >>> sum(not edge.in_tree for edge in gain_edges(gain_graph("square R(4,4)")))
    9
    """
    listed = [(source, target, gain) for source, target, gain, _ in graph]
    leader = list(range(graph.shapes))

    def first(shape: int) -> int:
        while leader[shape] != shape:
            leader[shape] = leader[leader[shape]]
            shape = leader[shape]
        return shape

    tree = set()
    for number in sorted(range(len(listed)), key=lambda number: (not listed[number][2].is_identity, number)):
        a, b = first(listed[number][0]), first(listed[number][1])
        if a != b:
            leader[a] = b
            tree.add(number)
    return [GainEdge(*edge, number in tree) for number, edge in enumerate(listed)]


def gain_text(gain: Gain) -> str:
    """A gain as a cycle of slots, counted from 1; a dash for each place by which the moved piece is turned.

    >>> gain_text(Gain(4, 2)), gain_text(Gain(1, 1, 1)), gain_text(Gain(3, 3))
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
    """The gain graph: shapes, the moves between them, a spanning tree, and what closes loops.

    Puzzles with one hole are laid out as their board: a shape lies where its hole is.

    Parameters
    ----------
    source : Puzzle, anything that names one, or GainGraph
        What to draw; a gain graph that is known already need not be computed again.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    size : float, optional
        The width of the picture in pixels.
    limit : int
        `TooLarge` if more shapes can move; at most 20,000. Isolated shapes are not drawn, only counted.
    miniatures : bool, optional
        Whether each shape is drawn as a small board, in a picture as wide as that needs; if not said, when
        there are at most 60 and they have room.

    Examples
    --------
    >>> gain_graph_picture("hex P(4,4)", limit=10)
    Traceback (most recent call last):
    slidelab.errors.TooLarge: expected at most 10 shapes that can move, got 33 - ...
    """
    look = theme_named(theme)
    limit = limited(limit)
    graph = source if isinstance(source, GainGraph) else gain_graph(source)
    moving = graph.shapes - graph.isolated
    if moving > limit:
        more = "; a larger limit allows more" if limit < MOST else ""
        raise TooLarge(
            f"expected at most {limit:,} shapes that can move, got {moving:,} - in {graph.puzzle.text}{more}"
        )
    edges = gain_edges(graph)
    families, places = _laid_out(graph, edges)
    small = moving <= MINIATURES if miniatures is None else miniatures
    board = clean(graph.puzzle.board)
    cards = Miniatures(board, look, 15.0 if moving <= 20 else 11.0) if small else None
    asked = picture_width(size, _usual_width(graph, places, small))
    vertices, spots, wide, bottom = roomy(places, look, asked, cards, bool(miniatures))
    at = {
        shape: (float(x), float(y))
        for members, rows in zip(families, spots, strict=True)
        for shape, (x, y) in zip(members, rows, strict=True)
    }
    items = _lines(edges, at, vertices, look)
    items.append(Group(tuple(_shapes(graph, at, vertices, look)), key="shapes"))
    labels = _labels(edges, at, vertices, look)
    items.append(Group(tuple(labels), key="gains"))
    legend, high = _legend(graph, edges, look, bool(labels)).laid_out(look, wide - 2 * MARGIN, 0.0)
    items.append(Group(tuple(legend), MARGIN, bottom))
    title = f"the gain graph of {graph.puzzle.text}"
    return Picture(wide, round(bottom + high + MARGIN - 8.0, 1), items, title, look.paper)


def _laid_out(graph: GainGraph, edges: Sequence[GainEdge]) -> tuple[list[list[int]], list[Places]]:
    """The shapes of each family that can move, and their places."""
    import numpy as np

    puzzle = graph.puzzle
    families = [
        np.flatnonzero(graph.family_of == graph.family_of[root]).tolist() for root, _ in graph.families()
    ]
    if puzzle.rule.cells == 1 and puzzle.hole_count == 1:
        board = clean(puzzle.board)
        spots = {shape: board.positions[graph.holes(shape)[0]] for part in families for shape in part}
        return families, [np.array([spots[shape] for shape in part]) for part in families]
    places = []
    for part in families:
        number = {shape: k for k, shape in enumerate(part)}
        own = [(number[edge.source], number[edge.target]) for edge in edges if edge.source in number]
        pairs = sorted({(min(pair), max(pair)) for pair in own})
        rough = np.array(drawing(len(part), pairs))
        places.append(spaced(rough, pairs, 0.8 if len(part) <= SMALL else 0.36))
    return families, packed(places) if places else []


def _usual_width(graph: GainGraph, places: Sequence[Places], small: bool) -> float:
    """Wide enough that labels fit beside miniatures, but not wider than a page."""
    import numpy as np

    if not places:
        return 420.0
    spread = float(np.ptp(np.concatenate(places)[:, 0])) + 1
    unit = 150.0 if graph.puzzle.hole_count == 1 and graph.puzzle.rule.cells == 1 else 185.0
    return float(round(max(420.0 if small else 1000.0, min(1400.0 if small else 1000.0, spread * unit))))


def _shapes(graph: GainGraph, at: dict[int, Point], vertices: Dots | Miniatures, look: Theme) -> list[Item]:
    out = []
    rim = line_colour(look)
    for shape, spot in at.items():
        title = "holes " + " ".join(map(str, graph.holes(shape)))
        if isinstance(vertices, Dots):
            out.append(vertices.drawn(look.piece, spot, title))
        else:
            out.append(vertices.drawn(rim, spot, title, _bare(graph, shape, vertices.canvas)))
    return out


def _bare(graph: GainGraph, shape: int, canvas: Canvas) -> list[Item]:
    """The board with its pieces, which have no names."""
    look, cells = canvas.theme, graph.puzzle.rule.cells
    plain = Look((look.piece,) * cells, ("",) * cells)
    parts = piece_parts(graph.puzzle, plain, look, canvas.size)
    pieces = [placed(parts, [canvas.cell(c) for c in slot], canvas.size) for slot in graph.slots(shape)]
    return [*canvas.tray(), *canvas.wells({}, {}, titled=False), *pieces]


def _lines(
    edges: Sequence[GainEdge], at: dict[int, Point], vertices: Dots | Miniatures, look: Theme
) -> list[Item]:
    """Grey for the tree, the accent for what closes a loop; thin if the pieces keep their order."""
    twins = Counter((min(edge.source, edge.target), max(edge.source, edge.target)) for edge in edges)
    drawn: Counter[tuple[int, int]] = Counter()
    tree: list[Item] = []
    loops: list[Item] = []
    heads: list[Item] = []
    # A thousand loops at full strength would hide everything else.
    bright = mix(look.accent, look.paper, 0.45 if len(edges) > CROWDED else 0.0)
    thin = vertices.line * (0.6 if len(edges) > CROWDED else 1.0)
    for edge in edges:
        pair = (min(edge.source, edge.target), max(edge.source, edge.target))
        bow = drawn[pair] - (twins[pair] - 1) / 2
        drawn[pair] += 1
        width = thin * (0.9 if edge.gain.is_identity else 1.4)
        path = _bowed(at[pair[0]], at[pair[1]], 0.24 * bow)
        title = f"{gain_text(edge.gain) or 'no change of order'}"
        mark = Mark(path, None, line_colour(look) if edge.in_tree else bright, width)
        (tree if edge.in_tree else loops).append(Group((mark,), title=title))
        if len(edge.gain.cycle()) > 2 and len(edges) <= CROWDED:
            bend = 0.24 * bow * (1 if pair[0] == edge.source else -1)
            heads += _head(at[edge.source], at[edge.target], bend, vertices, mark)
    groups = {"tree": tree, "loops": loops, "ways": heads}
    return [Group(tuple(items), key=key) for key, items in groups.items()]


def _head(a: Point, b: Point, bow: float, vertices: Dots | Miniatures, line: Mark) -> list[Item]:
    """An arrowhead just before the shape to which the gain leads: backwards it would be the inverse."""
    box, size, far = vertices.box(b), 5.0 + 2 * line.width, math.dist(a, b)
    share = 1 - (max(box.wide, box.high) + 3) / max(far, 1e-9)
    if (share - 0.5) * far < size:  # no room between the label and the shape
        return []
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * bow, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bow)

    def on(t: float) -> Point:
        weights = ((1 - t) ** 2, 2 * t * (1 - t), t * t)
        x, y = (sum(w * p[k] for w, p in zip(weights, (a, middle, b), strict=True)) for k in (0, 1))
        return x, y

    tip, back = on(share), on(share - size / far)
    dx, dy = (tip[1] - back[1]) * 0.55, (back[0] - tip[0]) * 0.55
    corners = [tip, (back[0] + dx, back[1] + dy), (back[0] - dx, back[1] - dy)]
    return [Mark(Path.polygon(corners), line.stroke)]


def _bowed(a: Point, b: Point, bow: float) -> Path:
    """A line, or a bow beside it if several edges join the same shapes."""
    if not bow:
        return Path.line([a, b])
    middle = ((a[0] + b[0]) / 2 - (b[1] - a[1]) * bow, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bow)
    return Path((("M", (a,)), ("Q", (middle, b))))


def _labels(
    edges: Sequence[GainEdge], at: dict[int, Point], vertices: Dots | Miniatures, look: Theme
) -> list[Item]:
    """The gain on each edge that changes the order, where there is room for it."""
    if len(edges) > CROWDED:
        return []
    taken: list[Box] = [vertices.box(spot) for spot in at.values()]
    out: list[Item] = []
    for edge in sorted(edges, key=lambda edge: edge.in_tree):
        text = gain_text(edge.gain)
        if not text:
            continue
        ends = at[edge.source], at[edge.target]
        others = [(at[e.source], at[e.target]) for e in edges if e is not edge]
        ink = mix(look.ink, line_colour(look), 0.3) if edge.in_tree else mix(look.accent, look.ink, 0.3)
        for size in (LETTERS, LETTERS - 2):
            box = _room(text, size, ends, taken, others)
            if box is not None:
                taken.append(box)
                out.append(haloed(text, size, (box.x, box.y), ink, look.paper))
                break
    return out


def _room(
    text: str,
    size: float,
    ends: tuple[Point, Point],
    taken: Sequence[Box],
    others: Sequence[tuple[Point, Point]],
) -> Box | None:
    """A place on the line where the text covers nothing else, near its middle."""
    (ax, ay), (bx, by) = ends
    for share in (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7):
        box = text_box(text, size, (ax + (bx - ax) * share, ay + (by - ay) * share))
        # Some of the line is to be seen on both sides of the text.
        roomy = Box(box.x, box.y, box.wide + 6, box.high + 4)
        if not any(roomy.meets(other) for other in taken) and not any(box.crossed(*line) for line in others):
            return box
    return None


def _legend(graph: GainGraph, edges: Sequence[GainEdge], look: Theme, labelled: bool) -> Legend:
    loops = sum(not edge.in_tree for edge in edges)
    rows: list[tuple[str | None, str]] = []
    if edges:
        rows.append((line_colour(look), "spanning tree"))
    if loops:
        rows.append((look.accent, f"closes a loop: a generator ({loops:,})"))
    turned = labelled and any(edge.gain.turn for edge in edges)
    cycled = labelled and any(edge.gain.cycle() for edge in edges)
    if cycled:
        rows.append((None, "(1 2 3): the piece of slot 1 goes to slot 2, that of 2 to 3, that of 3 to 1"))
    if turned:
        rows.append((None, f"': the moved {graph.puzzle.rule.piece} is turned"))
    moving, lines = graph.shapes - graph.isolated, graph.edges
    shapes = f"{moving:,} shape{'s'[: moving != 1]}{' that can move' if graph.isolated else ''}"
    said = f"{graph.puzzle.text}: {shapes}, {lines:,} edge{'s'[: lines != 1]}"
    if graph.isolated:
        said += f"; {graph.isolated:,} isolated shape{'s are' if graph.isolated > 1 else ' is'} not drawn"
    return Legend((*rows, (None, said)))
