"""Drawings of boards, puzzles, configurations and moves.

>>> import slidelab as sl
>>> from slidelab.draw.svg import draw
>>> picture = draw(sl.puzzle("hex P(3,4)"))
>>> picture.svg[:34]
'<svg xmlns="http://www.w3.org/2000'
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board
from slidelab.draw.canvas import Canvas, Legend
from slidelab.draw.layout import clean
from slidelab.draw.motions import motion_of
from slidelab.draw.pieces import looks, piece_parts, placed
from slidelab.draw.scene import Group, Item, Picture, beside
from slidelab.draw.theme import Theme, colour_words, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Configuration, Move, Puzzle

if TYPE_CHECKING:
    from slidelab.solutions import Solution

__all__ = ["cell_size", "draw", "orbit_cells", "pieces_drawn", "prepared", "storyboard"]

LARGEST = 1400.0
MAX_DRAWN = 20_000


def draw(
    thing: Board | Puzzle | Configuration | str,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    cells: bool | None = None,
    groups: Mapping[str, Collection[int]] | None = None,
    rings: Collection[int] = (),
    floor: Sequence[str] | None = None,
    way: Sequence[int] = (),
    moves: Iterable[Move | str] = (),
    caption: str = "",
) -> Picture:
    """A board, or a puzzle (at its goal), or a configuration as a picture.

    Parameters
    ----------
    theme : str or Theme
        ``"light"``, ``"dark"`` or ``"print"``.
    size : float, optional
        The width of a cell in pixels (64 if the picture does not get too large).
    cells : bool, optional
        Whether empty cells show their number; if not given, on boards without pieces only.
    groups : mapping of names to cells, optional
        Cells that belong together: they, or the pieces on them, get a colour, and the names a legend.
    rings : cells, optional
        Cells to be marked with a ring.
    floor : sequence of words, optional
        The colour of every cell of the board itself, ``.`` for none: where coloured pieces are to go.
    way : sequence of cells, optional
        A closed way to be drawn through these cells.
    moves : moves, optional
        An arrow for each of these moves from the configuration.
    caption : str
        A line below the picture.

    Examples
    --------
    >>> import slidelab as sl
    >>> start = sl.position("square R(2,2) : 1 2 . 3")
    >>> draw(start, moves=["3:3>2"], theme="dark").title
    'square R(2,2) tiles 1 : 1 2 . 3'
    """
    look = theme_named(theme)
    asked = _thing(thing)
    configuration = asked.goal if isinstance(asked, Puzzle) else asked
    if isinstance(configuration, Configuration):
        configuration = prepared(configuration)
        board = configuration.puzzle.board
    else:
        configuration = board = clean(configuration)
    if board.size > MAX_DRAWN:
        raise TooLarge(f"expected at most {MAX_DRAWN:,} cells to be drawn, got {board.size:,}")
    canvas = Canvas(board, look, cell_size(board, size))
    # The first group of pieces looks as pieces do; on an empty board groups are to stand out.
    bare = isinstance(configuration, Board)
    paint = replace(look, palette=(look.accent, *look.palette[:1], *look.palette[2:])) if bare else look
    named = _checked_groups(board, groups or {}, paint)
    items = canvas.tray()
    painted = {cell: colour for colour, members in named.values() for cell in members}
    if isinstance(configuration, Configuration):
        items += canvas.wells(_floor(configuration, floor, look), _numbers(board) if cells else {})
        items += pieces_drawn(canvas, configuration, painted)
    else:
        painted = {**_floor(configuration, floor, look), **painted}
        items += canvas.wells(painted, _numbers(board) if cells in (None, True) else {})
    items += canvas.way(_on_board(board, way)) if way else []
    items += canvas.rings(_on_board(board, rings))
    items += _arrows(canvas, configuration, moves)
    rows: list[tuple[str | None, str]] = [(colour, name) for name, (colour, _) in named.items()]
    return framed(canvas, items, asked, [*rows, *([(None, caption)] if caption else [])])


def framed(
    canvas: Canvas, items: list[Item], asked: Any, rows: Sequence[tuple[str | None, str]] = ()
) -> Picture:
    """The items with their legend below, on paper."""
    height = canvas.height
    legend: list[Item] = []
    if rows:
        margin = 0.16 * canvas.size + 4
        legend, high = Legend(tuple(rows)).laid_out(canvas.theme, canvas.width - 2 * margin, 0.0)
        legend = [Group(tuple(legend), margin, height)]
        height += high + 6
    name = asked.name if isinstance(asked, Board) else asked.text
    return Picture(canvas.width, height, [*items, *legend], name, canvas.theme.paper)


def _thing(thing: Board | Puzzle | Configuration | str) -> Board | Puzzle | Configuration:
    if isinstance(thing, str):
        from slidelab.notation import given_positions, puzzle

        asked = puzzle(thing)
        return given_positions(asked, thing)[0] or asked
    if isinstance(thing, Board | Puzzle | Configuration):
        return thing
    raise NotationError(f"expected a board, a puzzle or a configuration to draw, got {type(thing).__name__}")


def prepared(configuration: Configuration) -> Configuration:
    """The same, its board with good places for the vertices if it is a graph."""
    puzzle = configuration.puzzle
    board = clean(puzzle.board)
    return (
        configuration
        if board is puzzle.board
        else replace(configuration, puzzle=replace(puzzle, board=board))
    )


def cell_size(board: Board, size: float | None) -> float:
    """The width of a cell in pixels: what was asked for, or what makes a picture of sensible size.

    >>> from slidelab.boards import board
    >>> cell_size(board("hex P(3,4)"), None), cell_size(board("square R(100,100)"), None)
    (64.0, 14.0)
    """
    if size is not None:
        if isinstance(size, bool) or not isinstance(size, int | float) or not 2 <= size <= 2000:
            raise NotationError(f"expected a size of 2 to 2000 pixels for a cell, got {size!r:.40}")
        return float(size)
    spread = max(max(axis) - min(axis) for axis in zip(*board.positions, strict=True)) + 1
    return float(max(8.0, min(64.0, LARGEST / spread)))


def _floor(thing: Board | Configuration, floor: Sequence[str] | None, theme: Theme) -> dict[int, str]:
    """The colours of the cells themselves, the same words as on the pieces, but paler."""
    if floor is None:
        return {}
    board = thing if isinstance(thing, Board) else thing.puzzle.board
    if isinstance(floor, str) or len(floor) != board.size:
        raise NotationError(f"expected a colour for each of {board.size} cells, got {len(floor)}")
    pieces = None if isinstance(thing, Board) else thing.puzzle.colours
    words = {word for labels in pieces or () for word in labels} | {word for word in floor if word != "."}
    colours = colour_words(sorted(words), theme)
    return {cell: mix(colours[word], theme.paper, 0.5) for cell, word in enumerate(floor) if word != "."}


def _numbers(board: Board) -> dict[int, str]:
    return {cell: str(cell) for cell in range(board.size)}


def _on_board(board: Board, cells: Iterable[int]) -> list[int]:
    listed = list(cells)
    for cell in listed:
        if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < board.size:
            raise NotationError(f"expected cells 0 to {board.size - 1}, got {cell!r:.40}")
    return listed


def _checked_groups(
    board: Board, groups: Mapping[str, Collection[int]], paint: Theme
) -> dict[str, tuple[str, list[int]]]:
    colours = colour_words(groups, paint)
    return {name: (colours[name], _on_board(board, cells)) for name, cells in groups.items()}


def pieces_drawn(
    canvas: Canvas,
    configuration: Configuration,
    painted: Mapping[int, str] | None = None,
    without: Collection[int] = (),
) -> list[Item]:
    """All pieces where they lie, but for those (numbers from 1) that are left out."""
    puzzle = configuration.puzzle
    own = None
    if painted:
        own = [painted.get(cells[0], canvas.theme.piece) for cells in configuration.pieces]
    out: list[Item] = []
    for number, (look, cells) in enumerate(
        zip(looks(puzzle, canvas.theme, own), configuration.pieces, strict=True), 1
    ):
        if number not in without:
            parts = piece_parts(puzzle, look, canvas.theme, canvas.size)
            title = f"{puzzle.rule.piece} {number} on cell{'s'[: len(cells) > 1]} {'-'.join(map(str, cells))}"
            out.append(placed(parts, [canvas.cell(cell) for cell in cells], canvas.size, title))
    return out


def _arrows(canvas: Canvas, configuration: Board | Configuration, moves: Iterable[Move | str]) -> list[Item]:
    from slidelab.notation import read_move

    out: list[Item] = []
    for source in moves:
        if not isinstance(configuration, Configuration):
            raise NotationError("expected a configuration to make moves from, got a board")
        move = read_move(source)
        configuration.play(move)
        holes = set(configuration.holes)
        leading = next(k for k, cell in enumerate(move.after) if cell in holes)
        out += canvas.arrow(motion_of(move, configuration), leading)
    return out


def storyboard(solution: Solution, *, columns: int = 4, most: int = 24, **options: Any) -> Picture:
    """The moves of a solution one after the other, each with its arrow; only some if there are many.

    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> storyboard(s, columns=2).height > 200
    True
    """
    options.setdefault("size", 40.0)
    shown = {round(k * solution.length / max(1, most - 1)) for k in range(most)}
    pictures, here = [], solution.start
    for number in range(solution.length + 1):
        move = solution.moves[number] if number < solution.length else None
        if number in shown or solution.length < most:
            caption = f"{number}" if move is not None else f"{number}: done"
            pictures.append(draw(here, moves=[move] if move else [], caption=caption, **options))
        here = here.play(move) if move else here
    return beside(pictures, max(1, columns), math.ceil(options["size"] / 3))


def orbit_cells(puzzle: Puzzle) -> dict[str, tuple[int, ...]]:
    """Cells of the goal's pieces by what the moves can mix: one group for each orbit, stuck pieces last.

    >>> import slidelab as sl
    >>> orbit_cells(sl.puzzle("hex P(3,3)"))
    {'orbit of 5': (1, 2, 3, 4, 6), 'stuck': (0, 5)}
    """
    goal, group = puzzle.goal, puzzle.uncoloured.group
    turns = puzzle.rule.turns
    out: dict[str, tuple[int, ...]] = {}
    stuck: list[int] = []
    for orbit in sorted(group.orbits, key=len, reverse=True):
        pieces = sorted({point // turns for point in orbit})
        cells = [cell for piece in pieces for cell in goal.pieces[piece]]
        if len(orbit) == 1:
            stuck += cells
            continue
        name = f"orbit of {len(pieces)}"
        again = sum(other == name or other.startswith(f"{name} (") for other in out)
        out[f"{name} ({again + 1})" if again else name] = tuple(cells)
    return {**out, **({"stuck": tuple(sorted(stuck))} if stuck else {})}
