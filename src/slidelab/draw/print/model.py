"""Printable puzzles: a tray with a rim, and pieces with numbers that slide in it.

    import slidelab as sl
    from slidelab.draw.print import solid

    solid(sl.puzzle("hex P(4,4)")).save("puzzle.3mf")

All lengths are in millimetres. `pieces` finds the size of pieces, `mesh` makes solids, `files` writes them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from slidelab.draw.files import SOLID_FORMATS, check_target, file_format
from slidelab.draw.layout.board import lay_out_board
from slidelab.draw.picture.pieces import PieceStyle, piece_styles
from slidelab.draw.print.beds import BedPosition, Size, fits, pack_beds
from slidelab.draw.print.files import stl, three_mf
from slidelab.draw.print.labels import goal_labels, label_outline, label_size, piece_labels
from slidelab.draw.print.mesh import Mesh, add_labels, piece_body, tray_mesh
from slidelab.draw.print.pieces import (
    CIRCLE_SIDES,
    Footprint,
    piece_footprint,
    polygon_area,
    tray_sizes,
    well_outline,
)
from slidelab.draw.theme import LIGHT, Theme, channels, get_theme, mix, text_colour
from slidelab.errors import PuzzleError, TooLarge
from slidelab.files import atomic_write
from slidelab.messages import counted, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.boards import Board
    from slidelab.budget import ProgressCallback
    from slidelab.puzzles import ConfigurationLike, Puzzle

__all__ = ["MAX_CELLS", "NUMBERS", "Part", "Solid", "solid"]

MAX_CELLS = 2_000
"""Number of cells of the largest board that is printed."""

MAX_LENGTH = 10_000.0
"""Largest extent of a bed, and of all trays side by side, in millimetres; more would lose precision."""

PROTRUSION = 1.0
"""How far pieces stand above the rim in millimetres, so that a finger can push them."""

MIN_CELL, MAX_CELL = 5, 200
"""Least and largest distance of neighbouring cells in millimetres."""

NUMBERS = ("raised", "sunk", "none")

Bounds = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One part to print, a closed surface.

    Attributes
    ----------
    name : str
        "tray", or the piece and its number.
    colours : tuple of str
        Colours of the surface. Of a piece: body and label of each cell. Of the tray: body, well, labels.
    vertices, triangles : arrays of (n, 3)
        Positions in millimetres; triples of vertex numbers, anticlockwise from outside. A piece has the
        centre of its first cell at x = y = 0 and stands on z = 0.
    sources : array
        For each triangle the number of its colour.
    """

    name: str
    colours: tuple[str, ...]
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    sources: NDArray[np.uint8]

    @property
    def colour(self) -> str:
        """Colour of the body."""
        return self.colours[0]

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres."""
        import numpy as np

        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    @property
    def bounds(self) -> Bounds:
        """Least and greatest coordinates."""
        low, high = self.vertices.min(axis=0).tolist(), self.vertices.max(axis=0).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    @property
    def size(self) -> Size:
        """Width and depth on a bed."""
        (left, bottom, _), (right, top, _) = self.bounds
        return right - left, top - bottom


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A printable puzzle.

    Attributes
    ----------
    puzzle : Puzzle
        The puzzle; its board has the positions that are printed, in units of `footprint.cell`.
    parts : tuple of Part
        The tray, or one for each component of the board, then the pieces in order.
    beds : tuple
        For each bed of the printer the positions of its parts.
    bed : (float, float)
        Width and depth of a bed.
    footprint : Footprint
        A piece seen from above.
    floor : float
        Thickness of the tray's floor.
    """

    puzzle: Puzzle
    parts: tuple[Part, ...]
    beds: tuple[tuple[BedPosition, ...], ...]
    bed: Size
    footprint: Footprint
    floor: float

    @property
    def pieces(self) -> tuple[Part, ...]:
        """The pieces, in order."""
        return self.parts[len(self.parts) - self.puzzle.piece_count :]

    @property
    def trays(self) -> tuple[Part, ...]:
        """The tray, or one for each component of the board."""
        return self.parts[: len(self.parts) - self.puzzle.piece_count]

    def __repr__(self) -> str:
        return f"<solid {self.puzzle.text}: {len(self.parts)} parts on {counted(len(self.beds), 'bed')}>"

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write STL or 3MF files, by the suffix of the path; several beds become x-1.stl, x-2.stl and so on.

        Parameters
        ----------
        path : path
            The file to write, with suffix .stl or .3mf.

        Returns
        -------
        list of Path
            The files that were written: all of them, or none if an error is raised.

        Examples
        --------
        >>> import slidelab as sl
        >>> folder = getfixture("tmp_path")
        >>> [path.name for path in solid(sl.puzzle("square R(2,2)")).save(folder / "three.3mf")]
        ['three.3mf']
        """
        target = check_target(path, SOLID_FORMATS)
        paths = [target]
        if len(self.beds) > 1:
            names = [target.with_stem(f"{target.stem}-{k}") for k in range(1, len(self.beds) + 1)]
            paths = [check_target(name, SOLID_FORMATS) for name in names]
        if file_format(target) == "stl":
            files = [stl(self.parts, bed) for bed in self.beds]
        else:
            files = [three_mf(self.parts, bed, self.puzzle.text) for bed in self.beds]
        _write_all(paths, files)
        return paths

    def _repr_png_(self) -> bytes:
        return self.render(width=800)

    def render(
        self,
        configuration: ConfigurationLike | None = None,
        *,
        width: int = 1200,
        theme: str | Theme = LIGHT,
    ) -> bytes:
        """Render the printed puzzle as PNG.

        Parameters
        ----------
        configuration : Configuration or anything that `Puzzle.configuration` reads, optional
            Where the pieces are; by default at the goal.
        width : int
            Width in pixels.
        theme : str or Theme
            Colours of the parts and of the background.

        Returns
        -------
        bytes

        Examples
        --------
        >>> import slidelab as sl
        >>> solid(sl.puzzle("square R(2,2)")).render("3 1 / . 2", width=200)[:4]
        b'\\x89PNG'
        """
        from slidelab.draw.print.render import render

        theme = get_theme(theme)
        puzzle = self.puzzle
        position = puzzle.goal if configuration is None else puzzle.configuration(configuration)
        tray_colours = (theme.tray, theme.well, mix(theme.well, theme.ink, 0.35))
        solids = [
            (part.vertices, part.triangles, _triangle_colours(tray_colours, part)) for part in self.trays
        ]
        styles = piece_styles(puzzle, theme)
        for part, cells, style in zip(self.pieces, position.pieces, styles, strict=True):
            points = [puzzle.board.positions[cell] for cell in cells]
            colours = _triangle_colours(_piece_colours(style), part)
            solids.append((self._vertices_in_tray(part, points), part.triangles, colours))
        return render(solids, width=width, theme=theme)

    def _vertices_in_tray(self, part: Part, points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        """Return the vertices of a piece in the tray with its cells at these points of the board."""
        import numpy as np

        x, y, angle = self.footprint.pose(points)
        cos, sin = math.cos(angle), math.sin(angle)
        rotation = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
        vertices: NDArray[np.float64] = part.vertices @ rotation + (x, y, self.floor)
        return vertices


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
    bed: Sequence[float] = (220.0, 220.0),
    progress: ProgressCallback | None = None,
) -> Solid:
    """Make a printable puzzle: a tray and pieces.

    Tiles can be printed for every board (for a graph if its drawing keeps the channels apart), hexagonal
    tiles for hex boards, gourds for hex and square boards. All lengths are in millimetres.

    Parameters
    ----------
    puzzle : Puzzle
        What to print.
    cell : float
        Distance of neighbouring cells; on a graph the unit of its drawing, where edges are a little longer.
    clearance : float
        Gap between pieces that pass each other, and between a piece and the wall.
    height, floor, rim : float
        Height of pieces, thickness of the tray's floor, width of its rim.
    numbers : {"raised", "sunk", "none"}
        Whether numbers stand on the pieces, are cut into them, or are left out.
    goal_on_floor : bool
        Whether each cell of the floor shows the number of the piece that belongs there.
    bed : (float, float)
        Width and depth of the printer's bed.
    progress : callable, optional
        Called with a phase, the number of parts done and their total.

    Returns
    -------
    Solid

    Raises
    ------
    PuzzleError
        If such pieces cannot be printed, or the tray does not fit on the bed.
    TooLarge
        If the board has more than 2,000 cells.

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
    _check_package()
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
    styles = piece_styles(puzzle, LIGHT)
    font_size = label_size(
        [text for style in styles for text in style.texts if text], 0.74 * footprint.radius
    )
    floor_labels = goal_labels(puzzle, footprint, styles) if goal_on_floor else []
    engravings = [label_outline(label, font_size) for label in floor_labels]
    top = floor + height - min(PROTRUSION, height / 4)
    meshes = [tray_mesh(well ^ outline, outline, floor, top, engravings) for outline in outlines]
    names = ["tray"] if len(meshes) == 1 else [f"tray {k}" for k in range(1, len(meshes) + 1)]
    tray_colours = (LIGHT.tray, LIGHT.tray, LIGHT.well)
    parts = [_part(name, tray_colours, mesh) for name, mesh in zip(names, meshes, strict=True)]
    report("tray", 1, 1)
    body = piece_body(footprint, height)
    for number, style in enumerate(styles, 1):
        labels = [label_outline(label, font_size) for label in piece_labels(style, footprint, styles)]
        name = f"{puzzle.rule.piece} {number}"
        if puzzle.colours is not None:
            name += " " + "-".join(puzzle.colours[number - 1])
        parts.append(_part(name, _piece_colours(style), add_labels(body, labels, height, numbers)))
        report("pieces", number, len(styles))
    beds = pack_beds([part.size for part in parts], bed_size)
    return Solid(puzzle, tuple(parts), tuple(map(tuple, beds)), bed_size, footprint, floor)


def _check_package() -> None:
    try:
        import manifold3d  # noqa: F401
    except ImportError:
        raise PuzzleError(
            "printable puzzles need the package manifold3d: pip install 'slidelab[print]'"
        ) from None


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


def _write_all(paths: Sequence[Path], files: Sequence[bytes]) -> None:
    """Write all files or none: no file gets its name before the last one is on disk."""
    name = paths[0]
    try:
        with ExitStack() as stack:
            for name, data in zip(paths, files, strict=True):
                file = stack.enter_context(atomic_write(name))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        raise PuzzleError(f"could not write {str(name)[-200:]!r}: {error.strerror}") from None


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


def _part(name: str, colours: tuple[str, ...], mesh: Mesh) -> Part:
    return Part(name, colours, mesh.vertices, mesh.triangles, mesh.sources)


def _piece_colours(style: PieceStyle) -> tuple[str, ...]:
    """Return the colours of body and label of each cell."""
    return tuple(colour for own in style.colours for colour in (own, text_colour(own)))


def _triangle_colours(colours: Sequence[str], part: Part) -> NDArray[np.float64]:
    """Return red, green and blue from 0 to 1 for each triangle."""
    import numpy as np

    table = np.array([channels(colour) for colour in colours]) / 255
    rows: NDArray[np.float64] = table[part.sources]
    return rows
