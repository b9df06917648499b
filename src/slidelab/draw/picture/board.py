"""Pictures of boards, puzzles, configurations and moves.

>>> import slidelab as sl
>>> picture = draw(sl.puzzle("hex P(3,4)"))
>>> picture.svg[:34]
'<svg xmlns="http://www.w3.org/2000'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slidelab.arguments import whole_number
from slidelab.boards import Board
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.marks import Group, Item
from slidelab.draw.picture.canvas import Canvas, Legend
from slidelab.draw.picture.motions import move_motion
from slidelab.draw.picture.photo import ImageSource, Photograph, check_pieces
from slidelab.draw.picture.pieces import Part, all_parts, place_parts
from slidelab.draw.scene import Picture, grid
from slidelab.draw.theme import Theme, get_theme, mix, word_colours
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Configuration, ConfigurationLike, Move, MoveList, Puzzle

if TYPE_CHECKING:
    from slidelab.puzzles import Solution

__all__ = ["cell_size", "draw", "draw_pieces", "frame", "lay_out_configuration", "orbit_cells", "storyboard"]

MAX_CELLS = 20_000
"""Number of cells of the largest board that is drawn; its SVG has some 10 MB."""

MAX_PICTURE_SIZE = 1400.0
"""Width or height in pixels up to which cells have their usual size."""

MIN_CELL_SIZE, USUAL_CELL_SIZE = 8.0, 64.0
"""Width of a cell in pixels if none is given: in pictures of large boards, and otherwise."""

MIN_LEGEND_WIDTH = 150.0
"""Least width in pixels of a picture with a legend, so that its text is readable."""

STORY_CELL_SIZE = 40.0
"""Width of a cell in pixels in the pictures of a storyboard."""


def draw(
    thing: Board | Puzzle | Configuration | str,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    cells: bool | None = None,
    groups: Mapping[str, Collection[int]] | None = None,
    rings: Collection[int] = (),
    floor: Sequence[str] | None = None,
    cycle: Sequence[int] = (),
    moves: Iterable[Move | str] = (),
    caption: str = "",
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
    goal: ConfigurationLike | None = None,
) -> Picture:
    """Draw a board, a puzzle (at its goal) or a configuration.

    Parameters, result and errors are those of `slidelab.Puzzle.draw`.

    Examples
    --------
    >>> import slidelab as sl
    >>> start = sl.position("square R(2,2) : 1 2 . 3")
    >>> draw(start, moves=["3:3>2"], theme="dark").title
    'square R(2,2) tiles 1 : 1 2 . 3'
    """
    theme = get_theme(theme)
    subject = _parse_subject(thing)
    title = subject.name if isinstance(subject, Board) else subject.text
    drawn = subject.goal if isinstance(subject, Puzzle) else subject
    drawn = lay_out_board(drawn) if isinstance(drawn, Board) else lay_out_configuration(drawn)
    board = drawn if isinstance(drawn, Board) else drawn.puzzle.board
    if board.size > MAX_CELLS:
        raise TooLarge(f"expected at most {MAX_CELLS:,} cells to be drawn, got {board.size:,}")
    photos = None if image is None else _photos(drawn, image, goal, bool(groups))
    if not isinstance(caption, str):
        raise NotationError(f"expected a text for the caption, got {type(caption).__name__}")
    canvas = Canvas(board, theme, cell_size(board, size))
    coloured_groups = _colour_groups(drawn, groups or {}, theme)
    colour_of = {cell: colour for colour, members in coloured_groups.values() for cell in members}
    covered = set() if isinstance(drawn, Board) else {cell for piece in drawn.pieces for cell in piece}
    bare = {cell: colour for cell, colour in colour_of.items() if cell not in covered}
    show_numbers = cells if cells is not None else isinstance(drawn, Board)
    numbers = {cell: board.cell_text(cell) for cell in range(board.size)} if show_numbers else {}
    items = canvas.tray()
    items += canvas.wells({**floor_colours(drawn, floor, theme), **bare}, numbers)
    if isinstance(drawn, Configuration):
        photo_parts = None if photos is None else photos[0].parts(photos[1], canvas)
        items += draw_pieces(canvas, drawn, colour_of, floor or (), labels, photo_parts)
    items += canvas.cycle(_check_cells(board, cycle)) if cycle else []
    items += canvas.rings(_check_cells(board, rings))
    items += _arrows(canvas, drawn, moves)
    legend = [(colour, name) for name, (colour, _) in coloured_groups.items()]
    return frame(canvas, items, title, (*legend, *((None, line) for line in caption.splitlines())))


def frame(
    canvas: Canvas, items: list[Item], title: str, legend: tuple[tuple[str | None, str], ...]
) -> Picture:
    """Return the picture of a board with its legend below."""
    if not legend:
        return Picture(canvas.width, canvas.height, items, title, canvas.theme.paper)
    margin = 0.16 * canvas.size + 4
    width = max(canvas.width, MIN_LEGEND_WIDTH)
    texts, height = Legend(legend).lay_out(canvas.theme, width - 2 * margin)
    board = items if width == canvas.width else [Group(tuple(items), (width - canvas.width) / 2)]
    below = Group(tuple(texts), margin, canvas.height)
    return Picture(width, canvas.height + height + 6, [*board, below], title, canvas.theme.paper)


def _parse_subject(thing: Board | Puzzle | Configuration | str) -> Board | Puzzle | Configuration:
    if isinstance(thing, str):
        from slidelab.puzzles import read_document

        document = read_document(thing)
        return document.start or document.puzzle
    if isinstance(thing, Board | Puzzle | Configuration):
        return thing
    raise NotationError(f"expected a board, a puzzle or a configuration to draw, got {type(thing).__name__}")


def lay_out_configuration(configuration: Configuration) -> Configuration:
    """Return the configuration with vertex positions for drawing if its board is a graph."""
    puzzle = configuration.puzzle
    board = lay_out_board(puzzle.board)
    if board is puzzle.board:
        return configuration
    return replace(configuration, puzzle=replace(puzzle, board=board))


def cell_size(board: Board, size: float | None) -> float:
    """Return the width of a cell in pixels: `size` if given, or one that suits the board.

    >>> from slidelab.boards import board
    >>> cell_size(board("hex P(3,4)"), None), cell_size(board("square R(100,100)"), None)
    (64.0, 14.0)
    """
    if size is not None:
        if isinstance(size, bool) or not isinstance(size, int | float) or not 2 <= size <= 2000:
            raise NotationError(f"expected a size of 2 to 2000 pixels for a cell, got {size!r:.40}")
        return float(size)
    spread = max(max(axis) - min(axis) for axis in zip(*board.positions, strict=True)) + 1
    return float(max(MIN_CELL_SIZE, min(USUAL_CELL_SIZE, MAX_PICTURE_SIZE / spread)))


def floor_colours(thing: Board | Configuration, floor: Sequence[str] | None, theme: Theme) -> dict[int, str]:
    """Return the colours of the cells themselves: those of pieces with the same words, but paler."""
    if floor is None:
        return {}
    board = thing if isinstance(thing, Board) else thing.puzzle.board
    if isinstance(floor, str) or len(floor) != board.size:
        raise NotationError(f"expected a colour for each of {board.size} cells, got {len(floor)}")
    pieces = None if isinstance(thing, Board) else thing.puzzle.colours
    words = {word for labels in pieces or () for word in labels} | {*floor}
    colours = word_colours(sorted(words - {"."}), theme)
    return {cell: mix(colours[word], theme.paper, 0.5) for cell, word in enumerate(floor) if word != "."}


def _photos(
    drawn: Board | Configuration,
    image: ImageSource | Photograph,
    goal: ConfigurationLike | None,
    has_groups: bool,
) -> tuple[Photograph, Configuration]:
    """Return the photograph, and the configuration in which the pieces show it."""
    if isinstance(drawn, Board):
        raise NotationError("expected a puzzle or a configuration for an image, got a board")
    if has_groups:
        raise NotationError("expected groups of pieces or an image, got both")
    check_pieces(drawn.puzzle)
    wanted = drawn.puzzle.goal if goal is None else drawn.puzzle.configuration(goal)
    return Photograph.read(image), wanted


def _check_cells(board: Board, cells: Iterable[int]) -> list[int]:
    listed = list(cells)
    for cell in listed:
        if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < board.size:
            raise NotationError(f"expected cells 0 to {board.size - 1}, got {cell!r:.40}")
    return listed


def _colour_groups(
    thing: Board | Configuration, groups: Mapping[str, Collection[int]], theme: Theme
) -> dict[str, tuple[str, list[int]]]:
    """Return each group with its colour; the colour of plain pieces is used only if no piece is plain."""
    board = thing if isinstance(thing, Board) else thing.puzzle.board
    for name in groups:
        if not isinstance(name, str):
            raise NotationError(f"expected a text as the name of a group, got {type(name).__name__}")
    cells_of = {name: _check_cells(board, cells) for name, cells in groups.items()}
    members = {cell for cells in cells_of.values() for cell in cells}
    if isinstance(thing, Board) or not all(cells[0] in members for cells in thing.pieces):
        # Leave out the colour of plain pieces, the first one, and use the red next to the orange accent last.
        theme = replace(theme, palette=(theme.accent, *(theme.palette[k] for k in (2, 5, 3, 4, 6, 7, 1))))
    colours = word_colours(map(str, range(len(cells_of))), theme).values()
    return {name: (colour, cells) for (name, cells), colour in zip(cells_of.items(), colours, strict=True)}


def draw_pieces(
    canvas: Canvas,
    configuration: Configuration,
    colour_of: Mapping[int, str] | None = None,
    floor: Sequence[str] = (),
    labels: bool | None = None,
    photos: Sequence[Sequence[Part]] | None = None,
) -> list[Item]:
    """Draw all pieces; `colour_of` overrides colours of pieces by cell, `floor` has words to reserve."""
    puzzle = configuration.puzzle
    colours = None
    if colour_of:
        colours = [colour_of.get(cells[0], canvas.theme.piece) for cells in configuration.pieces]
    items: list[Item] = []
    parts_of = all_parts(puzzle, canvas.theme, canvas.size, colours, floor, labels=labels, photos=photos)
    for number, (parts, cells) in enumerate(zip(parts_of, configuration.pieces, strict=True), 1):
        title = f"{puzzle.rule.piece} {number} on cell{'s'[: len(cells) > 1]} {'-'.join(map(str, cells))}"
        items.append(place_parts(parts, [canvas.centre(cell) for cell in cells], canvas.size, title))
    return items


def _arrows(canvas: Canvas, configuration: Board | Configuration, moves: Iterable[Move | str]) -> list[Item]:
    from slidelab.puzzles import read_move

    motions = []
    for source in moves:
        if not isinstance(configuration, Configuration):
            raise NotationError("expected a configuration to make moves from, got a board")
        move = read_move(source)
        configuration.play(move)
        holes = set(configuration.holes)
        leading = next(k for k, cell in enumerate(move.after) if cell in holes)
        motions.append((move_motion(move, configuration), leading))
    return canvas.arrows(motions)


def storyboard(
    solution: Solution,
    *,
    columns: int = 4,
    max_pictures: int = 24,
    theme: str | Theme = "light",
    size: float | None = None,
    cells: bool | None = None,
    floor: Sequence[str] | None = None,
    labels: bool | None = None,
    image: ImageSource | Photograph | None = None,
) -> Picture:
    """Draw the positions of a solution one after the other, each with an arrow for the next move.

    Parameters
    ----------
    solution : Solution
        The moves to draw.
    columns : int
        Number of pictures in a row.
    max_pictures : int
        Largest number of pictures. Of a longer solution every second, third, ... position is drawn, and the
        last one; the text below each says how many moves were made.
    theme, size, cells, floor, labels, image
        As in `draw`; `size` is 40 by default.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> storyboard(s, columns=2).height > 200
    True
    """
    whole_number(columns, 1, "columns of a story")
    whole_number(max_pictures, 1, "pictures of a story")
    size = STORY_CELL_SIZE if size is None else size
    look: dict[str, Any] = {"theme": theme, "size": size, "cells": cells, "floor": floor, "labels": labels}
    if image is not None:
        look |= {"image": Photograph.read(image), "goal": solution.goal}
    moves = MoveList.of(solution.moves)
    pictures, here, made = [], solution.start, 0
    for number in _story_positions(solution.length, max_pictures):
        here, made = moves[made:number].end(here), number
        arrows = moves[number : number + 1]
        caption = f"after {number:,} of {solution.length:,}" if number else "start"
        caption += "" if len(arrows) else ": done"
        pictures.append(draw(here, moves=arrows, caption=caption, **look))
    return grid(pictures, columns, math.ceil(size / 3))


def _story_positions(length: int, max_pictures: int) -> list[int]:
    """Return after how many moves a position is drawn: the start, then in equal steps, and the end.

    >>> _story_positions(3, 24), _story_positions(50, 6), _story_positions(5, 1)
    ([0, 1, 2, 3], [0, 10, 20, 30, 40, 50], [5])
    """
    if max_pictures == 1:
        return [length]
    step = max(1, -(-length // (max_pictures - 1)))
    return [*range(0, length, step), length]


def orbit_cells(puzzle: Puzzle) -> dict[str, tuple[int, ...]]:
    """Return the cells of the goal's pieces by orbit, for `draw(groups=...)`; fixed pieces come last.

    Parameters
    ----------
    puzzle : Puzzle
        Colours of pieces are ignored.

    Returns
    -------
    dict of str to tuple of int
        Cells by the name of their orbit, the largest orbit first.

    Examples
    --------
    >>> import slidelab as sl
    >>> orbit_cells(sl.puzzle("hex P(3,3)"))
    {'orbit of 5': (1, 2, 3, 4, 6), 'never exchanged': (0, 5)}
    """
    goal, group = puzzle.goal, puzzle.uncoloured.group()
    turns = puzzle.rule.turns
    cells_of: dict[str, tuple[int, ...]] = {}
    fixed: list[int] = []
    done: set[int] = set()
    for orbit in sorted(group.orbits, key=len, reverse=True):
        # The ends of a gourd may be in two orbits, which then contain the same gourds: pieces are blocks.
        pieces = sorted({point // turns for point in orbit} - done)
        done.update(pieces)
        cells = [cell for piece in pieces for cell in goal.pieces[piece]]
        if len(pieces) <= 1:
            fixed += cells
            continue
        alike = sum(len({point // turns for point in other}) == len(pieces) for other in group.orbits)
        where = f", with cell {cells[0]}" if alike * len(pieces) > len(orbit) else ""
        cells_of[f"orbit of {len(pieces)}{where}"] = tuple(cells)
    return {**cells_of, **({"never exchanged": tuple(sorted(fixed))} if fixed else {})}
