"""Pictures of the puzzle graph: a vertex for each configuration, an edge for each move.

The colour of a vertex shows its distance from the start. Small graphs show every configuration itself.

>>> picture = puzzle_graph_picture("square R(2,2)")
>>> picture.title
'the puzzle graph of square R(2,2) tiles 1'
"""

from __future__ import annotations

from typing import Literal

from slidelab.draw.glyphs import Point, text_width
from slidelab.draw.graph import nodes
from slidelab.draw.graph.exploration import Component, explore, explore_components
from slidelab.draw.graph.nodes import Box, Dots, Miniatures
from slidelab.draw.layout.geometry import Positions
from slidelab.draw.layout.layers import layered_layout
from slidelab.draw.layout.stress import MAX_FORCE_VERTICES
from slidelab.draw.marks import Group, Item, Mark, Path, text_path
from slidelab.draw.picture.board import draw_pieces, lay_out_configuration
from slidelab.draw.picture.canvas import LEGEND_SIZE, Legend
from slidelab.draw.scene import Picture
from slidelab.draw.theme import Theme, get_theme, mix
from slidelab.errors import NotationError
from slidelab.messages import counted
from slidelab.puzzles import Configuration, Puzzle

__all__ = ["distance_colour", "puzzle_graph_picture"]

NAME_SIZE = 14.0
"""Font size in pixels of the names at the start and at the farthest configuration."""

SCALE_HEIGHT = 30.0
"""Height in pixels of the colour scale above the legend."""


def puzzle_graph_picture(
    thing: Puzzle | Configuration | str,
    *,
    layout: Literal["force", "layers"] = "force",
    theme: str | Theme = "light",
    size: float | None = None,
    limit: int = 2_000,
    component: Literal["start", "all"] = "start",
    miniatures: bool | None = None,
) -> Picture:
    """Draw the puzzle graph.

    Parameters
    ----------
    thing : Puzzle, Configuration or str
        Where to start: the goal of a puzzle, or a configuration.
    layout : {"force", "layers"}
        ``"force"`` minimizes stress, so that distances on paper approximate numbers of moves; ``"layers"``
        has a column for each distance from the start.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    size : float, optional
        Width of the picture in pixels; by default it grows with the number of configurations.
    limit : int
        Largest number of configurations; at most 20,000, and 4,000 with ``"force"``.
    component : {"start", "all"}
        Draw what can be reached from the start, or every component.
    miniatures : bool, optional
        Whether vertices are small pictures of the configurations, in a picture as wide as they need; by
        default if there are at most 60 and they have room.

    Returns
    -------
    Picture

    Raises
    ------
    TooLarge
        If there are more configurations than `limit`.

    Examples
    --------
    >>> picture = puzzle_graph_picture("hex F(2)", layout="layers", theme="dark")
    >>> picture.width
    1000.0
    """
    theme = get_theme(theme)
    if layout not in ("force", "layers"):
        raise NotationError(f"expected a layout (force or layers), got {layout!r:.40}")
    if component not in ("start", "all"):
        raise NotationError(f"expected a component (start or all), got {component!r:.40}")
    limit = min(nodes.check_limit(limit), nodes.MAX_VERTICES if layout == "layers" else MAX_FORCE_VERTICES)
    start = _parse_start(thing)
    components = [explore(start, limit)] if component == "start" else explore_components(start, limit)
    total = sum(len(each.configurations) for each in components)
    use_miniatures = total <= nodes.MAX_MINIATURES if miniatures is None else miniatures
    cards = Miniatures(lay_out_configuration(start).puzzle.board, theme) if use_miniatures else None
    positions = nodes.pack(_layouts(components, layout))
    width = nodes.check_width(size, _default_width(positions, total, layout))
    vertices, pixels, width, height = nodes.place_vertices(positions, theme, width, cards, bool(miniatures))
    items = [_lines(components, pixels, vertices, theme), _draw_vertices(components, pixels, vertices, theme)]
    points = [[(float(x), float(y)) for x, y in rows] for rows in pixels]
    for each, own in zip(components, points, strict=True):
        if each.edges or each is components[0]:
            items += _rings(each, own, vertices, theme)
    if isinstance(vertices, Dots):
        items += _names(components[0], points[0], vertices, theme, (width, height))
    legend = _legend(start, components, theme, width - 2 * nodes.MARGIN)
    return nodes.with_legend(
        (width, height), items, legend, f"the puzzle graph of {start.puzzle.text}", theme
    )


def _parse_start(thing: Puzzle | Configuration | str) -> Configuration:
    if isinstance(thing, str):
        from slidelab.puzzles import read_document

        document = read_document(thing)
        return document.start or document.puzzle.goal
    if isinstance(thing, Puzzle):
        return thing.goal
    if isinstance(thing, Configuration):
        return thing
    raise NotationError(f"expected a puzzle or a configuration, got {type(thing).__name__}")


def _layouts(components: list[Component], layout: str) -> list[Positions]:
    """Return positions for each component; equal components have equal positions."""
    import numpy as np

    known: dict[tuple[int, tuple[tuple[int, int], ...]], Positions] = {}
    for each in components:
        key = len(each.configurations), each.edges
        if key in known:
            continue
        if layout == "layers":
            known[key] = np.array(layered_layout(each.distances, each.edges))
        else:
            known[key] = nodes.force_layout(*key)
    return [known[len(each.configurations), each.edges] for each in components]


def _default_width(positions: list[Positions], total: int, layout: str) -> float:
    """Return a width with room for all vertices, including the longest column of a layered layout."""
    import numpy as np

    if total <= 16 * len(positions) and total <= nodes.MAX_MINIATURES:
        return 720.0
    column = float(np.ptp(np.concatenate(positions)[:, 1])) if layout == "layers" else 0.0
    return max(1000.0 if total <= 1200 else 1300.0, min(1600.0, round(15 * column)))


_COLOUR_SCALES = {
    "light": ("#f3e39a", "#7cc8a9", "#3f8fb8", "#2f5390", "#1b1f4b"),
    "dark": ("#2b3f78", "#3273a8", "#43a8a8", "#96d69a", "#fbf3b0"),
    "print": ("#ffffff", "#bfbfbf", "#808080", "#404040", "#000000"),
}


def distance_colour(theme: Theme, share: float) -> str:
    """Return the colour of a distance, given as share of the largest; luminance changes steadily.

    >>> from slidelab.draw.theme import PRINT
    >>> distance_colour(PRINT, 0.0), distance_colour(PRINT, 0.5), distance_colour(PRINT, 1.0)
    ('#ffffff', '#808080', '#000000')
    """
    colours = _COLOUR_SCALES.get(theme.name, (mix(theme.paper, theme.piece, 0.3), theme.piece, theme.ink))
    place = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    first = min(int(place), len(colours) - 2)
    return mix(colours[first], colours[first + 1], place - first)


def _draw_vertices(
    components: list[Component], pixels: list[Positions], vertices: Dots | Miniatures, theme: Theme
) -> Item:
    """Draw all configurations, each in the colour of its distance."""
    depth = max(1, _depth(components))
    items: list[Item] = []
    for each, positions in zip(components, pixels, strict=True):
        for number, (x, y) in enumerate(positions.tolist()):
            configuration, distance = each.configurations[number], each.distances[number]
            colour = distance_colour(theme, distance / depth)
            title = f"{configuration.pieces_text} ({counted(distance, 'move')})"
            if isinstance(vertices, Dots):
                items.append(vertices.draw(colour, (x, y), title))
                continue
            canvas, shown = vertices.canvas, lay_out_configuration(configuration)
            inside = [*canvas.tray(), *canvas.wells({}, {}, titled=False), *draw_pieces(canvas, shown)]
            items.append(vertices.draw(colour, (x, y), title, inside))
    return Group(tuple(items), element_id="configurations")


def _depth(components: list[Component]) -> int:
    return max(max(each.distances) for each in components)


def _lines(
    components: list[Component], pixels: list[Positions], vertices: Dots | Miniatures, theme: Theme
) -> Item:
    lines = [
        Path.line([(float(x), float(y)) for x, y in positions[[a, b]]])
        for each, positions in zip(components, pixels, strict=True)
        for a, b in each.edges
    ]
    mark = Mark(Path.union(lines), None, nodes.line_colour(theme), vertices.line_width)
    return Group((mark,) if lines else (), element_id="moves")


def _farthest_colour(theme: Theme) -> str:
    return mix(theme.accent, "#ffffff", 0.45)


def _rings(each: Component, points: list[Point], vertices: Dots | Miniatures, theme: Theme) -> list[Item]:
    """Draw rings around the start and the farthest configurations."""
    rings = [vertices.ring(points[number], _farthest_colour(theme)) for number in each.farthest]
    return [*rings, vertices.ring(points[0], theme.accent)]


_DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.9), (-0.8, -0.9), (0.8, 0.9), (-0.8, 0.9))


def _names(
    each: Component, points: list[Point], vertices: Dots, theme: Theme, size: tuple[float, float]
) -> list[Item]:
    """Label the start and one farthest configuration where the labels hide the fewest vertices and edges."""
    items: list[Item] = []
    occupied = [vertices.box(point) for point in points]
    lines = [(points[a], points[b]) for a, b in each.edges]

    def hidden(box: Box) -> tuple[int, int]:
        return sum(box.overlaps(other) for other in occupied), sum(box.crosses(*line) for line in lines)

    farthest = [(number, counted(each.distances[number], "move")) for number in each.farthest[:1]]
    for number, text in [(0, "start"), *farthest]:
        x, y = points[number]
        own = nodes.text_box(text, NAME_SIZE, (x, y))
        width, height = own.half_width, own.half_height
        right, down = width + vertices.extent[0], height + vertices.extent[1]
        boxes = [Box(x + dx * right, y + dy * down, width, height) for dx, dy in _DIRECTIONS]
        # At the side of the picture a label above or below is shifted inwards.
        inwards = min(max(x, width + 2), size[0] - width - 2)
        boxes += [Box(inwards, y + dy * down, width, height) for dy in (-1, 1)]
        inside = [
            box for box in boxes if width < box.x < size[0] - width and height < box.y < size[1] - height
        ]
        best = min(inside or boxes, key=hidden)
        occupied.append(best)
        items.append(nodes.label_on_paper(text, NAME_SIZE, (best.x, best.y), theme.ink, theme.paper))
    return items


def _legend(
    start: Configuration, components: list[Component], theme: Theme, width: float
) -> tuple[list[Item], float]:
    """Return the colour scale and, below it, a legend of the rings and the counts, with their height."""
    depth = _depth(components)
    total, moves, farthest = (
        sum(len(rows) for rows in table)
        for table in zip(
            *((each.configurations, each.edges, each.farthest) for each in components), strict=True
        )
    )
    summary = f"{start.puzzle.text}: {counted(total, 'configuration')}, {counted(moves, 'move')}"
    if len(components) > 1:
        summary += f", {counted(len(components), 'component')}"
    rows: list[tuple[str | None, str]] = [
        (theme.accent, "start" if len(components) == 1 else "start of each component")
    ]
    if depth:
        rows.append((_farthest_colour(theme), f"farthest: {counted(farthest, 'configuration')}"))
    texts, height = Legend((*rows, (None, summary))).lay_out(theme, width, SCALE_HEIGHT)
    return [*_colour_scale(depth, theme), *texts], height + SCALE_HEIGHT


def _colour_scale(depth: int, theme: Theme) -> list[Item]:
    """Draw a bar of all colours with labels at its ends."""
    size, y = LEGEND_SIZE, LEGEND_SIZE * 0.9
    first, last = "0", f"{counted(depth, 'move')} from the start"
    left = (text_width(first, False) + 0.5) * size
    step = min(18.0, 240.0 / (depth + 1))

    def bar(start: float, end: float) -> Path:
        return Path.polygon([(start, y - 6), (end, y - 6), (end, y + 6), (start, y + 6)])

    def text(words: str, x: float) -> Item:
        return Group((Mark(text_path(words, size, False, "start"), theme.ink),), x, y)

    edges = [left + step * k for k in range(depth + 2)]
    fields = [
        Mark(bar(edges[k], edges[k + 1]), distance_colour(theme, k / max(depth, 1))) for k in range(depth + 1)
    ]
    frame = Mark(bar(left, edges[-1]), None, theme.faint, 0.8)
    return [text(first, 0.0), *fields, frame, text(last, edges[-1] + 0.5 * size)]
