"""Tiles in a frame: the holes gathered where the orbits of the tiles are known.

Each connected part of the board is brought into its frame, in which the regions say which cells exchange
their tiles and how. On a path, on a polygon and where everything mixes, the holes may stay where they are:
there it is enough to read the tiles in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from slidelab.boards import Board, blocks
from slidelab.boards.walks import reachable
from slidelab.puzzles import Configuration
from slidelab.reach.hole_moves import hole_paths
from slidelab.reach.regions import Orbit, Region, block_regions, nearest_cell, orbits, polygon_order

__all__ = ["Frame", "carry_holes", "find_frames", "holes_by_part", "pieces_by_cell", "tiles_in_frames"]


@dataclass(frozen=True, slots=True)
class Frame:
    """One connected part of the board, in the frame in which it is compared."""

    part: tuple[int, ...]
    orbits: tuple[Orbit, ...]
    """All cells of the part; some may be holes if `holes` is None."""
    holes: tuple[int, ...] | None
    """Where the holes are gathered; None if they may be anywhere."""


def find_frames(board: Board, parts: Sequence[tuple[int, ...]], holes: Sequence[int]) -> list[Frame]:
    """Return a frame for each connected part, with its holes near to the given cells.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> b = board("graph 0-1 1-2 2-0 2-3")
    >>> [frame.holes for frame in find_frames(b, [(0, 1, 2, 3)], [3])]
    [(2,)]
    """
    part_of = {cell: number for number, part in enumerate(parts) for cell in part}
    blocks_of: list[list[tuple[int, ...]]] = [[] for _ in parts]
    for block in blocks(board):
        blocks_of[part_of[block[0]]].append(block)
    holes_of: list[list[int]] = [[] for _ in parts]
    for cell in holes:
        holes_of[part_of[cell]].append(cell)
    return [_frame(board, *each) for each in zip(parts, blocks_of, holes_of, strict=True)]


def holes_by_part(parts: Sequence[tuple[int, ...]], holes: Iterable[int]) -> list[int]:
    """Return the number of holes in each part.

    Examples
    --------
    >>> holes_by_part([(0, 1), (2, 3)], [1, 2, 3])
    [1, 2]
    """
    empty = set(holes)
    return [sum(cell in empty for cell in part) for part in parts]


def _frame(
    board: Board, part: tuple[int, ...], part_blocks: list[tuple[int, ...]], holes: list[int]
) -> Frame:
    if not 0 < len(holes) < len(part):
        return Frame(part, (Orbit(part, "fixed"),), tuple(holes))
    degrees = [len(board.neighbours[cell]) for cell in part]
    if max(degrees) <= 2:
        if min(degrees) == 2:
            return Frame(part, (Orbit(polygon_order(board, part), "cyclic"),), None)
        end = part[degrees.index(1)]
        return Frame(part, (Orbit(_path_order(board, end), "line"),), None)
    found = block_regions(board, part_blocks, part, len(holes), min(holes))
    if found and found[0].group == "symmetric" and len(found[0].cells) == len(part) and len(holes) > 1:
        return Frame(part, (Orbit(part, "symmetric"),), None)
    gathered = _gathered_holes(board, found[0], holes) if found else tuple(holes)
    mixed = orbits(board, found, gathered)
    moving = {cell for orbit in mixed for cell in orbit.cells}.union(gathered)
    fixed = tuple(cell for cell in part if cell not in moving)
    return Frame(part, (*mixed, Orbit(fixed, "fixed")), gathered)


def _path_order(board: Board, end: int) -> tuple[int, ...]:
    """Return the cells of a path from one end on."""
    order, before = [end], -1
    while onward := [cell for cell in board.neighbours[order[-1]] if cell != before]:
        before = order[-1]
        order.append(onward[0])
    return tuple(order)


def _gathered_holes(board: Board, root: Region, holes: Sequence[int]) -> tuple[int, ...]:
    """Return cells of the root region for the holes: where they are, or near to them."""
    inside = set(root.cells)
    first = [cell for cell in holes if cell in inside] or [nearest_cell(board, min(holes), inside)]
    near = reachable(lambda cell: [other for other in board.neighbours[cell] if other in inside], first)
    return tuple(sorted(islice(near, len(holes))))


def tiles_in_frames(configuration: Configuration, frames: Sequence[Frame]) -> list[int]:
    """Return the tile on each cell (from 1; 0 for a hole) once the holes are where the frames have them.

    Examples
    --------
    >>> import slidelab as sl
    >>> goal = sl.puzzle("graph 0-1 1-2 2-0 2-3").goal
    >>> tiles_in_frames(goal, find_frames(goal.puzzle.board, [(0, 1, 2, 3)], goal.holes))
    [1, 2, 0, 3]
    """
    tiles = pieces_by_cell(configuration)
    goals: list[int] = []
    for frame in frames:
        goals += [cell for cell in frame.part if not tiles[cell]] if frame.holes is None else frame.holes
    carry_holes(configuration.puzzle.board, tiles, goals)
    return tiles


def pieces_by_cell(configuration: Configuration) -> list[int]:
    """Return the piece (from 1) on each cell, 0 for a hole; for pieces of one cell.

    Examples
    --------
    >>> import slidelab as sl
    >>> pieces_by_cell(sl.position("square R(2,2) : 3 1 . 2"))
    [3, 1, 0, 2]
    """
    tiles = [0] * configuration.puzzle.board.size
    for number, (cell,) in enumerate(configuration.pieces, 1):
        tiles[cell] = number
    return tiles


def carry_holes(board: Board, tiles: list[int], goals: Sequence[int]) -> None:
    """Change the tiles in place as the moves of `hole_moves` do, without listing the moves.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> tiles = [1, 2, 3, 0]
    >>> carry_holes(board("path(4)"), tiles, [0])
    >>> tiles
    [0, 1, 2, 3]
    """
    for path in hole_paths(board, [tile > 0 for tile in tiles], goals):
        empty = path[-1]
        for cell in reversed(path):
            if tiles[cell]:
                tiles[empty], empty = tiles[cell], cell
        tiles[empty] = 0
