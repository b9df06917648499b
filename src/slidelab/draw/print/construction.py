"""Construction of printable puzzles: a tray with a rim, and pieces with numbers that slide in it.

    import slidelab as sl
    from slidelab.draw.print import solid

    solid(sl.puzzle("hex P(4,4)")).save("puzzle.3mf")

All lengths are in millimetres. `pieces` finds the size of pieces, `mesh` makes solids, `model` writes them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.picture.pieces import piece_styles
from slidelab.draw.print.beds import Size, fits, pack_beds
from slidelab.draw.print.labels import (
    cell_labels,
    goal_labels,
    label_outline,
    label_size,
    piece_labels,
)
from slidelab.draw.print.mesh import add_labels, piece_body, tray_mesh
from slidelab.draw.print.model import Part, Solid, patch_colours, piece_colours
from slidelab.draw.print.pieces import (
    CIRCLE_SIDES,
    Footprint,
    piece_footprint,
    polygon_area,
    tray_sizes,
    well_outline,
)
from slidelab.draw.theme import LIGHT
from slidelab.errors import PuzzleError, TooLarge
from slidelab.messages import quoted
from slidelab.packages import require

if TYPE_CHECKING:
    from slidelab.boards import Board
    from slidelab.budget import ProgressCallback
    from slidelab.puzzles import Puzzle

__all__ = ["MAX_CELLS", "solid"]

MAX_CELLS = 2_000
"""Number of cells of the largest board that is printed."""

MAX_LENGTH = 10_000.0
"""Largest extent of a bed, and of all trays side by side, in millimetres; more would lose precision."""

PROTRUSION = 1.0
"""How far pieces stand above the rim in millimetres, so that a finger can push them."""

MIN_CELL, MAX_CELL = 5, 200
"""Least and largest distance of neighbouring cells in millimetres."""

PATCH_SHARE = 0.85
"""Radius of a coloured patch on the floor, as a share of the radius of a piece."""

NUMBERS = ("raised", "sunk", "none")


def solid(
    puzzle: Puzzle,
    *,
    cell: float = 24.0,
    clearance: float = 0.4,
    height: float = 6.0,
    floor: float = 2.0,
    rim: float = 4.0,
    numbers: Literal["raised", "sunk", "none"] = "raised",
    goal_on_floor: bool = False,
    cells: Sequence[str] | None = None,
    bed: Sequence[float] = (220.0, 220.0),
    progress: ProgressCallback | None = None,
) -> Solid:
    """Make a printable puzzle: a tray and pieces.

    Tiles can be printed for every board (for a graph if its drawing keeps the channels apart), hexagonal
    tiles for hex boards, gourds for hex and square boards, other pieces if they keep their form and have room
    for their moves: triangular trimers, and straight ones with one hole. All lengths are in millimetres.

    Parameters, result and errors are those of `slidelab.Puzzle.solid`.

    Examples
    --------
    >>> import slidelab as sl
    >>> fifteen = solid(sl.puzzle("square R(4,4)"))
    >>> fifteen
    <solid square R(4,4) tiles 1: 16 parts on 1 bed>
    >>> fifteen.parts[0].name, [round(length, 1) for length in fifteen.parts[0].size]
    ('tray', [104.4, 104.4])
    >>> solid(sl.puzzle("square R(9,9)"), bed=(200, 200))
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a tray that fits on the bed of 200 x 200 mm, got 224.4 x 224.4 mm -
    with cells of 24 mm: 21.2 mm would fit
    """
    _check_length(cell, MIN_CELL, MAX_CELL, "cell")
    _check_length(clearance, 0.05, 0.2 * cell, "clearance")
    _check_length(height, 2, 100, "height")
    _check_length(floor, 0.6, 50, "floor")
    _check_length(rim, 1.2, 100, "rim")
    bed_size = _check_bed(bed)
    if numbers not in NUMBERS:
        raise PuzzleError(f"expected numbers to be {', '.join(NUMBERS[:-1])} or none, got {numbers!r:.40}")
    if puzzle.board.size > MAX_CELLS:
        raise TooLarge(
            f"expected at most {MAX_CELLS} cells to print, got {puzzle.board.size} - "
            f"on {quoted(puzzle.board.name)}"
        )
    words = _check_cells(puzzle, cells, goal_on_floor)
    require("manifold3d", "printable puzzles need", "print")
    report = progress or (lambda phase, done, total: None)
    puzzle = replace(puzzle, board=_board_at_origin(puzzle.board, cell))
    footprint = piece_footprint(puzzle, cell, clearance)
    sizes, exact = tray_sizes(puzzle, footprint, clearance)
    # Arcs are polygons, slightly smaller: trays that are only just too large are left to the check below.
    trays = [(width + 2 * rim, depth + 2 * rim) for width, depth in sizes]
    large = [size for size in trays if not fits((size[0] - 0.1, size[1] - 0.1), bed_size)]
    _check_trays(large, bed_size, cell, clearance + 2 * rim, exact)
    report("tray", 0, 1)
    well = well_outline(puzzle, footprint, clearance)
    outlines = _outer_outlines(well, rim, cell)
    boxes = [outline.bounds() for outline in outlines]
    trays = [(right - left, top - bottom) for left, bottom, right, top in boxes]
    _check_trays(trays, bed_size, cell, clearance + 2 * rim)
    styles = piece_styles(puzzle, LIGHT, words=words)
    font_size = label_size(
        [text for style in styles for text in style.texts if text], 0.74 * footprint.radius
    )
    floor_labels = goal_labels(puzzle, footprint, styles) if goal_on_floor else []
    engravings = [label_outline(label, font_size) for label in floor_labels]
    patches = _patches(puzzle, footprint, words, font_size)
    top = floor + height - min(PROTRUSION, height / 4)
    meshes = [tray_mesh(well ^ outline, outline, floor, top, engravings, patches) for outline in outlines]
    names = ["tray"] if len(meshes) == 1 else [f"tray {k}" for k in range(1, len(meshes) + 1)]
    tray_colours = (LIGHT.tray, LIGHT.tray, LIGHT.well, *patch_colours(puzzle, words, LIGHT))
    parts = [Part(name, tray_colours, *mesh) for name, mesh in zip(names, meshes, strict=True)]
    report("tray", 1, 1)
    body = piece_body(footprint, height)
    for number, style in enumerate(styles, 1):
        labels = [label_outline(label, font_size) for label in piece_labels(style, footprint, styles)]
        name = f"{puzzle.rule.piece} {number}"
        if puzzle.colours is not None:
            name += " " + "-".join(puzzle.colours[number - 1])
        parts.append(Part(name, piece_colours(style), *add_labels(body, labels, height, numbers)))
        report("pieces", number, len(styles))
    beds = pack_beds([part.size for part in parts], bed_size)
    return Solid(puzzle, tuple(parts), tuple(map(tuple, beds)), bed_size, footprint, floor, words)


def _check_cells(puzzle: Puzzle, cells: Sequence[str] | None, goal_on_floor: bool) -> tuple[str, ...]:
    """Return the colours of the cells; empty if none are given."""
    if cells is None:
        return ()
    if isinstance(cells, str) or len(cells) != puzzle.board.size:
        raise PuzzleError(f"expected a colour for each of {puzzle.board.size} cells, got {len(cells)}")
    if goal_on_floor:
        raise PuzzleError("expected the goal or the colours of cells on the floor, got both")
    return tuple(cells)


def _patches(
    puzzle: Puzzle, footprint: Footprint, words: Sequence[str], font_size: float
) -> list[tuple[list[Any], list[Any]]]:
    """Return the outlines of patches and of their labels for each word on the floor, in order."""
    from manifold3d import CrossSection

    by_word: dict[str, tuple[list[Any], list[Any]]] = {word: ([], []) for word in sorted({*words} - {"."})}
    if not by_word:
        return []
    # Smaller than what covers them, so that no piece is caught at their border.
    patch = CrossSection.circle(PATCH_SHARE * footprint.radius, CIRCLE_SIDES)
    for word, label in cell_labels(puzzle, footprint, words):
        by_word[word][0].append(patch.translate((label.x, label.y)))
        by_word[word][1].append(label_outline(label, PATCH_SHARE * font_size))
    return list(by_word.values())


def _board_at_origin(board: Board, cell: float) -> Board:
    """Return the board as it is drawn on screen, shifted so that its least coordinates are zero.

    Far from zero, or far apart, lengths would lose the hundredths of a millimetre that pieces need.
    """
    drawn = lay_out_board(board)
    left, top = (min(row) for row in zip(*drawn.positions, strict=True))
    positions = tuple((x - left, y - top) for x, y in drawn.positions)
    spread = max(map(max, positions)) * cell
    if spread > MAX_LENGTH:
        raise TooLarge(
            f"expected cells at most {MAX_LENGTH:g} mm apart to print, got {spread:g} mm - "
            f"on {quoted(board.name)}"
        )
    return replace(drawn, positions=positions)


def _check_length(value: object, least: float, most: float, what: str) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not least <= value <= most:  # type: ignore[operator]
        raise PuzzleError(f"expected a length from {least:g} to {most:g} mm, got {value!r:.40} - at {what}")


def _check_bed(bed: Sequence[float]) -> Size:
    if isinstance(bed, str) or not isinstance(bed, Sequence) or len(bed) != 2:
        raise PuzzleError(f"expected two lengths in mm, got {bed!r:.40} - at bed")
    for length in bed:
        _check_length(length, 20, MAX_LENGTH, "bed")
    return float(bed[0]), float(bed[1])


def _check_trays(trays: Sequence[Size], bed: Size, cell: float, fixed: float, exact: bool = True) -> None:
    """Refuse a tray that is too large for the bed, and say which cells would fit.

    All of the size but `fixed` is proportional to `cell`. Lower bounds (not `exact`) are only refused if no
    cell size would fit.
    """
    for size in trays:
        if fits(size, bed):
            continue
        best = max(
            min((room - fixed) / (length - fixed) * cell for room, length in zip(side, size, strict=True))
            for side in (bed, bed[::-1])
        )
        best = math.floor(best * 10 - 1e-6) / 10
        if best >= MIN_CELL and not exact:
            continue
        hint = f": {best:g} mm would fit" if best >= MIN_CELL else ", too many for this bed"
        raise PuzzleError(
            f"expected a tray that fits on the bed of {bed[0]:g} x {bed[1]:g} mm, "
            f"got {size[0]:.1f} x {size[1]:.1f} mm - with cells of {cell:g} mm{hint}"
        )


def _outer_outlines(well: Any, rim: float, cell: float) -> list[Any]:
    """Return the outlines of the trays: a rim around the well, notches narrower than two cells filled."""
    from manifold3d import CrossSection, JoinType

    grown = well.offset(rim + cell, JoinType.Round, 2.0, CIRCLE_SIDES)
    closed = grown.offset(-cell, JoinType.Round, 2.0, CIRCLE_SIDES).simplify(0.005)
    outer = [row for row in closed.to_polygons() if polygon_area(row) > 0]
    outlines: list[Any] = CrossSection(outer).decompose()
    return sorted(outlines, key=lambda outline: tuple(outline.bounds()))
