"""Drawings of boards, puzzles, configurations and moves.

>>> import slidelab as sl
>>> from slidelab.draw.picture.board import draw
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
from slidelab.draw.layout.board import clean
from slidelab.draw.picture.canvas import Canvas, Legend
from slidelab.draw.picture.motions import motion_of
from slidelab.draw.picture.pieces import looks, piece_parts, placed
from slidelab.draw.scene import Group, Item, Picture, beside
from slidelab.draw.theme import Theme, colour_words, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Configuration, Move, Puzzle

if TYPE_CHECKING:
    from slidelab.puzzles import Solution

__all__ = ["cell_size", "draw", "floor_colours", "orbit_cells", "pieces_drawn", "prepared", "storyboard"]

LARGEST = 1400.0
MAX_DRAWN = 20_000
LEAST_LEGEND = 150.0


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
    named = _checked_groups(configuration, groups or {}, look)
    painted = {cell: colour for colour, members in named.values() for cell in members}
    ground = {**floor_colours(configuration, floor, look), **_bare(configuration, painted)}
    items = canvas.tray()
    show = cells if cells is not None else isinstance(configuration, Board)
    items += canvas.wells(ground, _numbers(board) if show else {})
    if isinstance(configuration, Configuration):
        items += pieces_drawn(canvas, configuration, painted, floor or ())
    items += canvas.way(_on_board(board, way)) if way else []
    items += canvas.rings(_on_board(board, rings))
    items += _arrows(canvas, configuration, moves)
    rows: list[tuple[str | None, str]] = [(colour, name) for name, (colour, _) in named.items()]
    if not isinstance(caption, str):
        raise NotationError(f"expected a text for the caption, got {type(caption).__name__}")
    rows += [(None, line) for line in caption.splitlines()]
    return framed(canvas, items, asked, rows)


def framed(
    canvas: Canvas,
    items: list[Item],
    asked: Board | Puzzle | Configuration,
    rows: Sequence[tuple[str | None, str]],
) -> Picture:
    """The items with their legend below, on paper that is wide enough to read it."""
    name = asked.name if isinstance(asked, Board) else asked.text
    if not rows:
        return Picture(canvas.width, canvas.height, items, name, canvas.theme.paper)
    margin = 0.16 * canvas.size + 4
    width = max(canvas.width, LEAST_LEGEND)
    legend, high = Legend(tuple(rows)).laid_out(canvas.theme, width - 2 * margin, 0.0)
    board = items if width == canvas.width else [Group(tuple(items), (width - canvas.width) / 2)]
    below = Group(tuple(legend), margin, canvas.height)
    return Picture(width, canvas.height + high + 6, [*board, below], name, canvas.theme.paper)


def _thing(thing: Board | Puzzle | Configuration | str) -> Board | Puzzle | Configuration:
    if isinstance(thing, str):
        from slidelab.puzzles import read_document

        document = read_document(thing)
        return document.start or document.puzzle
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


def floor_colours(thing: Board | Configuration, floor: Sequence[str] | None, theme: Theme) -> dict[int, str]:
    """The colours of the cells themselves, the same words as on the pieces, but paler."""
    if floor is None:
        return {}
    board = thing if isinstance(thing, Board) else thing.puzzle.board
    if isinstance(floor, str) or len(floor) != board.size:
        raise NotationError(f"expected a colour for each of {board.size} cells, got {len(floor)}")
    pieces = None if isinstance(thing, Board) else thing.puzzle.colours
    words = {word for labels in pieces or () for word in labels} | {*floor}
    colours = colour_words(sorted(words - {"."}), theme)
    return {cell: mix(colours[word], theme.paper, 0.5) for cell, word in enumerate(floor) if word != "."}


def _bare(thing: Board | Configuration, painted: Mapping[int, str]) -> dict[int, str]:
    """Those painted cells on which no piece lies that could show the colour."""
    covered = set() if isinstance(thing, Board) else {cell for cells in thing.pieces for cell in cells}
    return {cell: colour for cell, colour in painted.items() if cell not in covered}


def _numbers(board: Board) -> dict[int, str]:
    return {cell: str(cell) for cell in range(board.size)}


def _on_board(board: Board, cells: Iterable[int]) -> list[int]:
    listed = list(cells)
    for cell in listed:
        if isinstance(cell, bool) or not isinstance(cell, int) or not 0 <= cell < board.size:
            raise NotationError(f"expected cells 0 to {board.size - 1}, got {cell!r:.40}")
    return listed


def _checked_groups(
    thing: Board | Configuration, groups: Mapping[str, Collection[int]], theme: Theme
) -> dict[str, tuple[str, list[int]]]:
    """A colour for each group. If all pieces are in one the first looks as pieces do, else all stand out."""
    board = thing if isinstance(thing, Board) else thing.puzzle.board
    for name in groups:
        if not isinstance(name, str):
            raise NotationError(f"expected a text as the name of a group, got {type(name).__name__}")
    listed = {name: _on_board(board, cells) for name, cells in groups.items()}
    members = {cell for cells in listed.values() for cell in cells}
    if isinstance(thing, Board) or not all(cells[0] in members for cells in thing.pieces):
        # Without the colour of pieces, which comes first, and with the red next to the orange last.
        theme = replace(theme, palette=(theme.accent, *(theme.palette[k] for k in (2, 5, 3, 4, 6, 7, 1))))
    taken = (colour for colour in colour_words(map(str, range(len(listed))), theme).values())
    return {name: (colour, cells) for (name, cells), colour in zip(listed.items(), taken, strict=True)}


def pieces_drawn(
    canvas: Canvas,
    configuration: Configuration,
    painted: Mapping[int, str] | None = None,
    floor: Sequence[str] = (),
) -> list[Item]:
    """All pieces where they lie; `painted` gives those on some cells a colour, `floor` has other words."""
    puzzle = configuration.puzzle
    own = None
    if painted:
        own = [painted.get(cells[0], canvas.theme.piece) for cells in configuration.pieces]
    out: list[Item] = []
    listed = looks(puzzle, canvas.theme, own, floor)
    for number, (look, cells) in enumerate(zip(listed, configuration.pieces, strict=True), 1):
        parts = piece_parts(puzzle, look, canvas.theme, canvas.size)
        title = f"{puzzle.rule.piece} {number} on cell{'s'[: len(cells) > 1]} {'-'.join(map(str, cells))}"
        out.append(placed(parts, [canvas.cell(cell) for cell in cells], canvas.size, title))
    return out


def _arrows(canvas: Canvas, configuration: Board | Configuration, moves: Iterable[Move | str]) -> list[Item]:
    from slidelab.puzzles import read_move

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
    """The moves of a solution one after the other, each with its arrow.

    If there are more than `most` pictures would show, some positions on the way, without arrows.

    >>> import slidelab as sl
    >>> s = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    >>> storyboard(s, columns=2).height > 200
    True
    """
    whole_number(columns, 1, "columns of a story")
    whole_number(most, 1, "pictures of a story")
    if options.get("size") is None:
        options["size"] = 40.0
    whole = solution.length < most
    shown = {round(k * solution.length / max(1, most - 1)) for k in range(most)}
    pictures, here = [], solution.start
    for number in range(solution.length + 1):
        move = solution.moves[number] if number < solution.length else None
        if whole or number in shown:
            caption = f"{number:,}" if move is not None else f"{number:,}: done"
            pictures.append(draw(here, moves=[move] if move and whole else [], caption=caption, **options))
        here = here.play(move) if move else here
    return beside(pictures, columns, math.ceil(options["size"] / 3))


def orbit_cells(puzzle: Puzzle) -> dict[str, tuple[int, ...]]:
    """Cells of the goal's pieces by what the moves can mix: one group for each orbit, what stays alone last.

    >>> import slidelab as sl
    >>> orbit_cells(sl.puzzle("hex P(3,3)"))
    {'orbit of 5': (1, 2, 3, 4, 6), 'never exchanged': (0, 5)}
    """
    goal, group = puzzle.goal, puzzle.uncoloured.group
    turns = puzzle.rule.turns
    out: dict[str, tuple[int, ...]] = {}
    stuck: list[int] = []
    done: set[int] = set()
    for orbit in sorted(group.orbits, key=len, reverse=True):
        # The ends of a gourd may be in two orbits, which then hold the same gourds: pieces are blocks.
        pieces = sorted({point // turns for point in orbit} - done)
        done.update(pieces)
        cells = [cell for piece in pieces for cell in goal.pieces[piece]]
        if len(pieces) <= 1:
            stuck += cells
            continue
        alike = sum(len({point // turns for point in other}) == len(pieces) for other in group.orbits)
        where = f", with cell {cells[0]}" if alike * len(pieces) > len(orbit) else ""
        out[f"orbit of {len(pieces)}{where}"] = tuple(cells)
    return {**out, **({"never exchanged": tuple(sorted(stuck))} if stuck else {})}
