"""Pictures of what the proofs of the papers see in a board.

The dual graph (cells as vertices), the ears of Wilson's proof, the triangulation inside a Hamiltonian cycle
with its dual tree (figure 7 of the gourds paper), and the split of a Hamiltonian cycle in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from slidelab.boards import Board, blocks, find_cycle, is_cycle, sub_board
from slidelab.boards.structure import Face, faces
from slidelab.budget import Budget
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.marks import Group, Item, Mark, Path, Point, common_font_size, label
from slidelab.draw.picture.board import cell_size, frame
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.scene import Picture
from slidelab.draw.theme import Theme, get_theme, mix, text_colour, word_colours
from slidelab.errors import NotationError
from slidelab.messages import counted, quoted
from slidelab.solve.gourds.splits import best_split
from slidelab.solve.wilson.ears import base_theta, ears_upon

__all__ = ["dual_picture", "ears_picture", "inner_triangles", "splits_picture", "triangulation_picture"]

LINE = 0.09
"""Width of lines between cells, in cells."""

DISC = 0.21
"""Radius of the discs of cells, in cells."""

MAX_EAR_COLOURS = 7
"""Ears with a colour of their own; then colours repeat."""


def dual_picture(board: Board, *, theme: str | Theme = "light", size: float | None = None) -> Picture:
    """Draw the dual graph of a board: a vertex in each cell, an edge where two cells touch.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> dual_picture(board("hex F(2)")).title
    'hex F(2)'
    """
    page = _Page(board, theme, size)
    items = page.cells(0.55)
    items += page.lines(board.edges, page.theme.ink, LINE * 0.7)
    items += page.discs(range(board.size), page.theme.accent)
    text = f"dual graph: {counted(board.size, 'vertex', 'vertices')}, {counted(len(board.edges), 'edge')}"
    return frame(page.canvas, items, board.name, ((None, text),))


def ears_picture(board: Board, *, theme: str | Theme = "light", size: float | None = None) -> Picture:
    """Draw the ears of Wilson's proof: a theta graph, and paths put on it one after the other.

    Of a board that is not 2-connected, the largest block is decomposed. Ears that are single edges add no
    cell, and the proof ignores them: they are drawn thin.

    Raises
    ------
    NotationError
        If no block has a theta graph.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> ears_picture(board("square R(3,3)")).width > 100
    True
    """
    page = _Page(board, theme, size)
    block = max(blocks(board), key=len, default=())
    inside = sub_board(board, block) if block else board
    if len(block) < 3 or is_cycle(inside):
        raise NotationError(f"expected a board with two cycles that share a path, got {quoted(board.name)}")
    graph = {cell: tuple(x for x in board.neighbours[cell] if x in set(block)) for cell in block}
    theta = base_theta(graph)
    ears = ears_upon(graph, theta.cells)
    colours = [*word_colours(map(str, range(min(len(ears), MAX_EAR_COLOURS))), page.theme).values()]
    items = page.cells(0.55)
    items += page.lines(board.edges, page.theme.faint, LINE * 0.5)
    ink = page.theme.accent
    paths = [(theta.x, *path, theta.y) for path in (theta.a, theta.b, theta.c)]
    items += page.lines((pair for path in paths for pair in pairwise(path)), ink, LINE)
    for number, ear in enumerate(ears):
        steps = pairwise((ear.x, *ear.inner, ear.y))
        items += page.lines(steps, colours[number % len(colours)], LINE)
    items += page.discs(theta.cells, ink)
    for number, ear in enumerate(ears):
        items += page.discs(ear.inner, colours[number % len(colours)])
    lengths = ",".join(map(str, sorted(len(path) for path in (theta.a, theta.b, theta.c))))
    legend: list[tuple[str | None, str]] = [(ink, f"theta({lengths})")]
    for number, ear in enumerate(ears[:MAX_EAR_COLOURS], 1):
        cells = "-".join(map(str, (ear.x, *ear.inner, ear.y)))
        legend.append((colours[number - 1], f"ear {number}: {cells}"))
    if len(ears) > MAX_EAR_COLOURS:
        legend.append((None, f"{counted(len(ears), 'ear')}; the colours repeat"))
    return frame(page.canvas, items, board.name, tuple(legend))


def inner_triangles(board: Board, cycle: Sequence[int]) -> list[Face]:
    """Return the triangles of touching cells inside a Hamiltonian cycle of hexagons: T_H of the gourds paper.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> inner_triangles(board("hex P(2,2)"), [0, 1, 3, 2])
    [(0, 1, 2), (1, 3, 2)]
    """
    corners = [board.positions[cell] for cell in cycle]
    return [face for face in faces(board) if _is_inside(_centre(board, face), corners)]


def triangulation_picture(
    board: Board,
    cycle: Sequence[int] | None = None,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    budget: Budget | None = None,
) -> Picture | None:
    """Draw a Hamiltonian cycle H, the triangulation T_H inside it, and the dual tree of T_H.

    This is figure 7 of the gourds paper. None if there is no Hamiltonian cycle.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> triangulation_picture(board("hex P(3,3)")).title
    'hex P(3,3)'
    """
    page = _Page(board, theme, size)
    found = _cycle(board, cycle, budget)
    if found is None:
        return None
    triangles = inner_triangles(board, found)
    on_cycle = {frozenset(pair) for pair in pairwise((*found, found[0]))}
    sides: dict[frozenset[int], list[Face]] = {}
    for face in triangles:
        for pair in pairwise((*face, face[0])):
            sides.setdefault(frozenset(pair), []).append(face)
    chords = [tuple(side) for side in sides if side not in on_cycle]
    tree = [pair for side, pair in sides.items() if len(pair) == 2 and side not in on_cycle]
    ink, inside = page.theme.palette[0], mix(page.theme.palette[2], page.theme.paper, 0.65)
    items = page.cells(0.8)
    outlines = [Path.polygon([page.canvas.centre(cell) for cell in face]) for face in triangles]
    items.append(Mark(Path.union(outlines), inside))
    items += page.lines(chords, page.theme.faint, LINE * 0.5)
    items += page.lines((tuple(side) for side in on_cycle), page.theme.accent, LINE)
    nodes = {face: page.canvas.to_pixels(_centre(board, face)) for face in triangles}
    branches = Path.union(Path.line([nodes[a], nodes[b]]) for a, b in tree)
    items.append(Mark(branches, None, ink, LINE * 0.6 * page.size))
    items += [Mark(Path.circle(point, 0.09 * page.size), ink) for point in nodes.values()]
    items += page.discs(found, page.theme.accent)
    legend = (
        (page.theme.accent, f"Hamiltonian cycle H of {len(found)} cells"),
        (inside, f"T_H: {counted(len(triangles), 'triangle')}"),
        (ink, f"its dual tree: {counted(len(triangles), 'node')}, {counted(len(tree), 'edge')}"),
    )
    return frame(page.canvas, items, board.name, legend)


def splits_picture(
    board: Board,
    cycle: Sequence[int] | None = None,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    budget: Budget | None = None,
) -> Picture | None:
    """Draw the most balanced split of a Hamiltonian cycle: two odd cycles that share a gourd and the hole.

    None if there is no Hamiltonian cycle.

    Raises
    ------
    NotationError
        If the cycle cannot be split.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> splits_picture(board("hex P(3,5)")).width > 100
    True
    """
    page = _Page(board, theme, size)
    if board.size % 2 == 0:
        raise NotationError(f"expected an odd number of cells, got {board.size} on {quoted(board.name)}")
    found = _cycle(board, cycle, budget)
    if found is None:
        return None
    split = best_split(board, list(found))
    if split is None:
        name = quoted(board.name)
        raise NotationError(f"expected a Hamiltonian cycle that can be split, got none on {name}")
    first, second = page.theme.palette[0], page.theme.palette[2]
    items = page.cells(0.8)
    items += page.lines(pairwise((*found, found[0])), page.theme.faint, LINE * 0.5)
    for cells, colour in ((split.first, first), (split.second, second)):
        items += page.lines(pairwise((*cells, cells[0])), colour, LINE)
    shared = set(split.first) & set(split.second)
    items += page.discs((c for c in split.first if c not in shared), first)
    items += page.discs((c for c in split.second if c not in shared), second)
    items += page.lines([split.place], page.theme.accent, 2 * DISC)
    items += page.discs(split.place, page.theme.accent)
    items += page.discs([split.hole], page.theme.paper, page.theme.ink)
    legend = (
        (first, f"cycle of {len(split.first)} cells"),
        (second, f"cycle of {len(split.second)} cells"),
        (page.theme.accent, "the gourd on both"),
        (page.theme.paper, "the hole"),
    )
    return frame(page.canvas, items, board.name, legend)


class _Page:
    """A board with faint cells, and lines and discs on it."""

    def __init__(self, board: Board, theme: str | Theme, size: float | None) -> None:
        self.theme = get_theme(theme)
        self.board = lay_out_board(board)
        self.size = cell_size(self.board, size)
        self.canvas = Canvas(self.board, self.theme, self.size)
        texts = [self.board.cell_text(cell) for cell in range(board.size)]
        self.font_size = common_font_size(texts, 1.5 * DISC * self.size, 0.9 * DISC * self.size)

    def cells(self, faint: float) -> list[Item]:
        """Draw the cells, mixed with the colour of the paper."""
        if self.board.kind == "graph":
            return []
        colour = mix(self.theme.well, self.theme.paper, 1 - faint) if faint < 1 else self.theme.well
        wells = dict.fromkeys(range(self.board.size), mix(colour, self.theme.paper, 0.6))
        return [*self.canvas.tray(), *self.canvas.wells(wells, {})]

    def lines(self, pairs: Iterable[Sequence[int]], colour: str, width: float) -> list[Item]:
        """Draw straight lines between the centres of cells, `width` cells wide."""
        paths = [Path.line([self.canvas.centre(a), self.canvas.centre(b)]) for a, b in pairs]
        return [Mark(Path.union(paths), None, colour, width * self.size)] if paths else []

    def discs(self, cells: Iterable[int], colour: str, rim: str | None = None) -> list[Item]:
        """Draw a disc with its number on each of these cells."""
        disc = Path.circle((0, 0), DISC * self.size)
        mark = Mark(disc, colour, rim, 0.03 * self.size if rim else 0.0)
        ink = text_colour(colour)
        return [
            Group((mark, label(self.board.cell_text(cell), self.font_size, ink)), *self.canvas.centre(cell))
            for cell in cells
        ]


def _cycle(board: Board, cycle: Sequence[int] | None, budget: Budget | None) -> tuple[int, ...] | None:
    if board.kind != "hex":
        raise NotationError(f"expected a board of hexagons, got {quoted(board.name)}")
    if cycle is not None:
        return tuple(cycle)
    found = find_cycle(board, budget=budget)
    if found is not None and not found.hole_free:
        name = quoted(board.name)
        raise NotationError(f"expected a Hamiltonian cycle without a hole inside, got none on {name}")
    return None if found is None else found.cells


def _centre(board: Board, face: Face) -> Point:
    xs, ys = zip(*(board.positions[cell] for cell in face), strict=True)
    return sum(xs) / len(face), sum(ys) / len(face)


def _is_inside(point: Point, corners: Sequence[Point]) -> bool:
    """Return whether a point lies inside a polygon: a ray to the right crosses an odd number of sides."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            inside = not inside
    return inside
