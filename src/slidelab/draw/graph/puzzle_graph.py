"""The puzzle graph as a picture: a dot for each configuration, a line for each move.

The colour of a dot says how many moves it is from the start. Small puzzle graphs show every configuration
itself. See `gain_graph` for the gain graph.

>>> picture = puzzle_graph_picture("square R(2,2)")
>>> picture.title
'the puzzle graph of square R(2,2) tiles 1'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from slidelab.draw.glyphs import text_width
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
from slidelab.draw.layout.board import SMALL, drawing
from slidelab.draw.layout.layers import layered
from slidelab.draw.layout.stress import MAX_VERTICES
from slidelab.draw.picture.board import pieces_drawn, prepared
from slidelab.draw.picture.canvas import LEGEND_SIZE, Legend
from slidelab.draw.scene import Group, Item, Mark, Path, Picture, text_path
from slidelab.draw.theme import Theme, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, TooLarge
from slidelab.gains import count_shapes
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.puzzle_graph import configurations, count_arrangements
from slidelab.rules import Cells

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Places = NDArray[np.float64]

__all__ = ["Walk", "puzzle_graph_picture", "explored", "ramp"]

Point = tuple[float, float]
Pieces = tuple[Cells, ...]
NAMES = 14.0
EVERY = 100_000
"""So many numbered configurations are listed at most to find those of a coloured puzzle."""


@dataclass(frozen=True, slots=True)
class Walk:
    """All that can be reached from a start, nearest first.

    Attributes
    ----------
    puzzle : Puzzle
    pieces : tuple
        For each configuration the cells of its pieces; the start is number 0.
    distances : tuple of int
        How many moves each is from the start.
    edges : tuple of pairs
        The moves, each once, the smaller number first.
    """

    puzzle: Puzzle
    pieces: tuple[Pieces, ...]
    distances: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def configuration(self, number: int) -> Configuration:
        """The configuration of that number."""
        return Configuration(self.puzzle, self.pieces[number])


def explored(start: Configuration, limit: int = 2_000) -> Walk:
    """Breadth first through the puzzle graph from a configuration on; `TooLarge` beyond the limit.

    Moves are tried in the order of the cells they lead from and to, never of the pieces' names: so two
    components that differ by names only come out alike, number by number.

    >>> import slidelab as sl
    >>> here = explored(sl.puzzle("square R(2,2)").goal)
    >>> len(here.pieces), len(here.edges), max(here.distances)
    (12, 12, 6)
    """
    puzzle = start.puzzle
    steps = _Steps(puzzle)
    number = {start.pieces: 0}
    listed, distances = [start.pieces], [0]
    edges: set[tuple[int, int]] = set()
    for at in count():
        if at == len(listed):
            break
        for there in steps.beyond(listed[at]):
            other = number.setdefault(there, len(listed))
            if other == len(listed):
                if other >= limit:
                    raise _refusal(limit, "more", f"from {start.text}")
                listed.append(there)
                distances.append(distances[at] + 1)
            if other != at:
                edges.add((min(at, other), max(at, other)))
    return Walk(puzzle, tuple(listed), tuple(distances), tuple(sorted(edges)))


def _refusal(limit: int, got: str, where: str) -> TooLarge:
    more = "; a larger limit allows more" if limit < MAX_VERTICES else ""
    if MAX_VERTICES <= limit < MOST:
        more = "; in layers a larger limit allows more"
    return TooLarge(f"expected at most {limit:,} configurations, got {got} - {where}{more}")


class _Steps:
    """The moves of a puzzle, remembered for each place that a piece can have."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._known: dict[Cells, tuple[Cells, list[tuple[Cells, int, Cells]]]] = {}

    def beyond(self, pieces: Pieces) -> Iterator[Pieces]:
        """Where the pieces lie after each move."""
        free = (1 << self._puzzle.board.size) - 1
        for cells in pieces:
            for cell in cells:
                free ^= 1 << cell
        found = []
        for k, cells in enumerate(pieces):
            least, steps = self._from(cells)
            for order, needs, after in steps:
                if needs & free == needs:
                    found.append((least, order, k, after))
        for _, _, k, after in sorted(found):
            there = (*pieces[:k], after, *pieces[k + 1 :])
            # Pieces of one colour may change their names: the configuration knows the least way.
            yield there if self._puzzle.colours is None else Configuration(self._puzzle, there).pieces

    def _from(self, cells: Cells) -> tuple[Cells, list[tuple[Cells, int, Cells]]]:
        known = self._known.get(cells)
        if known is None:
            rule, board = self._puzzle.rule, self._puzzle.board
            steps = [
                (min(rule.readings(step.after)), sum(1 << cell for cell in set(step.holes)), step.after)
                for step in rule.steps(board, cells)
            ]
            known = self._known[cells] = (min(rule.readings(cells)), steps)
        return known


def puzzle_graph_picture(
    thing: Puzzle | Configuration | str,
    *,
    layout: str = "force",
    theme: str | Theme = "light",
    size: float | None = None,
    limit: int = 2_000,
    component: str = "start",
    miniatures: bool | None = None,
) -> Picture:
    """The puzzle graph: a dot for each configuration, a line for each move.

    Parameters
    ----------
    thing : Puzzle, Configuration or str
        Where to start: a puzzle's goal, or a configuration.
    layout : str
        ``"force"``: configurations a few moves apart are near (least stress); ``"layers"``: a column for each
        number of moves from the start.
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    size : float, optional
        The width of the picture in pixels; more configurations get more of it if not said.
    limit : int
        `TooLarge` if there are more configurations. At most 20,000, of which ``"force"`` takes 4,000.
    component : str
        ``"start"``: only what can be reached from the start; ``"all"``: every component, each seen from a
        configuration with the start's shape if it has one.
    miniatures : bool, optional
        Whether each configuration is drawn itself, in a picture as wide as that needs; if not said, when
        there are at most 60 and they have room.

    Examples
    --------
    >>> picture = puzzle_graph_picture("hex F(2)", layout="layers", theme="dark")
    >>> picture.width
    1000.0
    """
    look = theme_named(theme)
    if layout not in ("force", "layers"):
        raise NotationError(f"expected a layout (force or layers), got {layout!r:.40}")
    most = min(limited(limit), MOST if layout == "layers" else MAX_VERTICES)
    start = _start(thing)
    walks = _walks(start, most, component)
    total = sum(len(each.pieces) for each in walks)
    small = total <= MINIATURES if miniatures is None else miniatures
    cards = Miniatures(prepared(start).puzzle.board, look) if small else None
    places = packed(_places(walks, layout))
    asked = picture_width(size, _usual_width(places, total, layout))
    vertices, spots, wide, bottom = roomy(places, look, asked, cards, bool(miniatures))
    items = [_lines(walks, spots, vertices, look), *_drawn(walks, spots, vertices, look)]
    dots = [[(float(x), float(y)) for x, y in at] for at in spots]
    for here, at in zip(walks, dots, strict=True):
        if here.edges or here is walks[0]:
            items += _marks(here, at, vertices, look)
    if isinstance(vertices, Dots):
        items += _names(walks[0], dots[0], vertices, look, (wide, bottom))
    legend, high = _legend(start, walks, look, wide - 2 * MARGIN)
    items.append(Group(tuple(legend), MARGIN, bottom))
    title = f"the puzzle graph of {start.puzzle.text}"
    return Picture(wide, round(bottom + high + MARGIN - 8.0, 1), items, title, look.paper)


def _start(thing: Puzzle | Configuration | str) -> Configuration:
    if isinstance(thing, str):
        from slidelab.puzzles import read_document

        document = read_document(thing)
        return document.start or document.puzzle.goal
    if isinstance(thing, Puzzle):
        return thing.goal
    if isinstance(thing, Configuration):
        return thing
    raise NotationError(f"expected a puzzle or a configuration, got {type(thing).__name__}")


def _walks(start: Configuration, limit: int, component: str) -> list[Walk]:
    """One component or all of them, the start's first, then those of its shape, then the others."""
    if component not in ("start", "all"):
        raise NotationError(f"expected a component (start or all), got {component!r:.40}")
    if component == "start":
        return [explored(start, limit)]
    every = _every(start.puzzle, limit)
    every.sort(key=lambda each: (each != start, each.shape != start.shape))
    seen: set[Pieces] = set()
    out = []
    for each in every:
        if each.pieces not in seen:
            out.append(explored(each, limit))
            seen.update(out[-1].pieces)
    return out[:1] + sorted(out[1:], key=lambda each: -len(each.pieces))


def _every(puzzle: Puzzle, limit: int) -> list[Configuration]:
    plain = puzzle.uncoloured
    shapes = count_shapes(plain)
    total = None if shapes is None else shapes * count_arrangements(plain)
    if total is None or total > (limit if puzzle.colours is None else EVERY):
        raise _refusal(limit, "too many" if total is None else f"{total:,}", f"in {puzzle.text}")
    if puzzle.colours is None:
        return [*configurations(plain)]
    found = dict.fromkeys(Configuration(puzzle, each.pieces) for each in configurations(plain))
    if len(found) > limit:
        raise _refusal(limit, f"{len(found):,}", f"in {puzzle.text}")
    return [*found]


def _places(walks: list[Walk], layout: str) -> list[Places]:
    """Where the configurations go, neighbours about one apart; components that are alike look alike."""
    import numpy as np

    known: dict[tuple[tuple[int, int], ...], Places] = {}
    out = []
    for here in walks:
        if here.edges not in known or len(known[here.edges]) != len(here.pieces):
            if layout == "layers":
                known[here.edges] = np.array(layered(here.distances, here.edges))
            else:
                size = len(here.pieces)
                rough = np.array(drawing(size, here.edges))
                known[here.edges] = spaced(rough, here.edges, 0.8 if size <= SMALL else 0.36)
        out.append(known[here.edges])
    return out


def _usual_width(places: list[Places], total: int, layout: str) -> float:
    """Wide enough for all configurations, the dots of the longest column included."""
    import numpy as np

    if total <= 16 * len(places) and total <= MINIATURES:
        return 720.0
    tall = float(np.ptp(np.concatenate(places)[:, 1])) if layout == "layers" else 0.0
    return max(1000.0 if total <= 1200 else 1300.0, min(1600.0, round(15 * tall)))


_RAMPS = {
    "light": ("#f3e39a", "#7cc8a9", "#3f8fb8", "#2f5390", "#1b1f4b"),
    "dark": ("#2b3f78", "#3273a8", "#43a8a8", "#96d69a", "#fbf3b0"),
    "print": ("#ffffff", "#bfbfbf", "#808080", "#404040", "#000000"),
}


def ramp(theme: Theme, share: float) -> str:
    """The colour for a share from 0 to 1: ever darker on light paper, ever lighter on dark paper.

    >>> from slidelab.draw.theme import PRINT
    >>> ramp(PRINT, 0.0), ramp(PRINT, 0.5), ramp(PRINT, 1.0)
    ('#ffffff', '#808080', '#000000')
    """
    colours = _RAMPS.get(theme.name, (mix(theme.paper, theme.piece, 0.3), theme.piece, theme.ink))
    place = min(max(share, 0.0), 1.0) * (len(colours) - 1)
    first = min(int(place), len(colours) - 2)
    return mix(colours[first], colours[first + 1], place - first)


def _title(here: Walk, number: int) -> str:
    return f"{here.configuration(number).pieces_text} ({_many(here.distances[number], 'move')})"


def _drawn(walks: list[Walk], spots: list[Places], vertices: Dots | Miniatures, look: Theme) -> list[Item]:
    """All configurations, each in the colour of its distance."""
    depth = max(1, _depth(walks))
    out: list[Item] = []
    for here, at in zip(walks, spots, strict=True):
        for number, (x, y) in enumerate(at.tolist()):
            colour, title = ramp(look, here.distances[number] / depth), _title(here, number)
            if isinstance(vertices, Dots):
                out.append(vertices.drawn(colour, (x, y), title))
                continue
            canvas, there = vertices.canvas, prepared(here.configuration(number))
            inside = [*canvas.tray(), *canvas.wells({}, {}, titled=False), *pieces_drawn(canvas, there)]
            out.append(vertices.drawn(colour, (x, y), title, inside))
    return [Group(tuple(out), key="configurations")]


def _depth(walks: list[Walk]) -> int:
    return max(max(each.distances) for each in walks)


def _lines(walks: list[Walk], spots: list[Places], vertices: Dots | Miniatures, look: Theme) -> Item:
    commands: list[tuple[str, tuple[Point, ...]]] = []
    for here, at in zip(walks, spots, strict=True):
        ends = [(float(x), float(y)) for x, y in at]
        for a, b in here.edges:
            commands += [("M", (ends[a],)), ("L", (ends[b],))]
    mark = Mark(Path(tuple(commands)), None, line_colour(look), vertices.line)
    return Group((mark,) if commands else (), key="moves")


def _far_colour(look: Theme) -> str:
    return mix(look.accent, "#ffffff", 0.45)


def _farthest(here: Walk) -> list[int]:
    depth = max(here.distances)
    return [number for number, moves in enumerate(here.distances) if moves == depth] if depth else []


def _marks(here: Walk, at: list[Point], vertices: Dots | Miniatures, look: Theme) -> list[Item]:
    """Rings round the start and what is farthest from it."""
    rings = [vertices.ring(at[number], _far_colour(look)) for number in _farthest(here)]
    return [*rings, vertices.ring(at[0], look.accent)]


def _names(here: Walk, at: list[Point], vertices: Dots, look: Theme, size: Point) -> list[Item]:
    """The start and one that is farthest by name, beside their dots where they hide the fewest others."""
    out: list[Item] = []
    taken = [vertices.box(spot) for spot in at]
    for number, text in [(0, "start"), *((n, _many(here.distances[n], "move")) for n in _farthest(here)[:1])]:
        x, y = at[number]
        own = text_box(text, NAMES, (x, y))
        right, up = own.wide + vertices.reach[0], own.high + vertices.reach[1]
        ways = [(0, -1), (0, 1), (1, 0), (-1, 0), (0.8, -0.9), (-0.8, -0.9), (0.8, 0.9), (-0.8, 0.9)]
        boxes = [Box(x + dx * right, y + dy * up, own.wide, own.high) for dx, dy in ways]
        # At the side of the picture a name above or below is moved inwards.
        least, most = own.wide + 2, size[0] - own.wide - 2
        boxes += [Box(min(max(x, least), most), y + dy * up, own.wide, own.high) for dy in (-1, 1)]
        inside = [
            box
            for box in boxes
            if box.wide < box.x < size[0] - box.wide and box.high < box.y < size[1] - box.high
        ]
        lines = [(at[a], at[b]) for a, b in here.edges]

        def hides(box: Box, lines: list[tuple[Point, Point]] = lines) -> tuple[int, int]:
            return sum(box.meets(other) for other in taken), sum(box.crossed(*line) for line in lines)

        best = min(inside or boxes, key=hides)
        taken.append(best)
        out.append(haloed(text, NAMES, (best.x, best.y), look.ink, look.paper))
    return out


def _legend(start: Configuration, walks: list[Walk], look: Theme, wide: float) -> tuple[list[Item], float]:
    """The scale of colours, and below it what is marked and how much there is."""
    depth, total = _depth(walks), sum(len(each.pieces) for each in walks)
    lines = sum(len(each.edges) for each in walks)
    farthest = sum(len(_farthest(each)) for each in walks)
    said = f"{start.puzzle.text}: {_many(total, 'configuration')}, {_many(lines, 'move')}"
    if len(walks) > 1:
        said += f", {_many(len(walks), 'component')}"
    rows: list[tuple[str | None, str]] = [
        (look.accent, "start" if len(walks) == 1 else "start of each component")
    ]
    if depth:
        rows.append((_far_colour(look), f"farthest: {_many(farthest, 'configuration')}"))
    texts, high = Legend((*rows, (None, said))).laid_out(look, wide, 30.0)
    return [*_scale(depth, look), *texts], high + 30.0


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}{'s'[: number != 1]}"


def _scale(depth: int, look: Theme) -> list[Item]:
    """A bar of all colours with its ends named."""
    size, y = LEGEND_SIZE, LEGEND_SIZE * 0.9
    first, last = "0", f"{_many(depth, 'move')} from the start"
    x = (text_width(first, False) + 0.5) * size
    step = min(18.0, 240.0 / (depth + 1))
    out: list[Item] = [Group((Mark(text_path(first, size, False, "start"), look.ink),), 0.0, y)]
    for far in range(depth + 1):
        box = [(x, y - 6), (x + step, y - 6), (x + step, y + 6), (x, y + 6)]
        out.append(Mark(Path.polygon(box), ramp(look, far / max(depth, 1))))
        x += step
    whole = x - step * (depth + 1)
    out.append(
        Mark(Path.polygon([(whole, y - 6), (x, y - 6), (x, y + 6), (whole, y + 6)]), None, look.faint, 0.8)
    )
    out.append(Group((Mark(text_path(last, size, False, "start"), look.ink),), x + 0.5 * size, y))
    return out
