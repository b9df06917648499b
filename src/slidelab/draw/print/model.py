"""A puzzle to print: a tray with a rim, and pieces with numbers that slide in it.

    import slidelab as sl
    from slidelab.draw.print.model import solid

    solid(sl.puzzle("hex P(4,4)")).save("puzzle.3mf")

Outlines are in `solid_pieces`, which says how large pieces are and why; bodies in `solid_mesh`; files in
`solid_files`. All lengths are in millimetres.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slidelab.draw.files import SOLIDS, check_target, ending
from slidelab.draw.layout.board import clean
from slidelab.draw.picture.pieces import Look, looks
from slidelab.draw.print.beds import Place, Size, fits, lay_on_beds
from slidelab.draw.print.files import stl, three_mf
from slidelab.draw.print.labels import goal_stamps, letter_size, outline, stamps_on
from slidelab.draw.print.mesh import Mesh, body, join, tray
from slidelab.draw.print.pieces import ROUND, Plan, area, plan, tray_room, well
from slidelab.draw.theme import LIGHT, Theme, channels, ink_on, mix
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import PuzzleError, TooLarge
from slidelab.files import atomic_write
from slidelab.messages import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.boards import Board
    from slidelab.budget import ProgressCallback
    from slidelab.puzzles import ConfigurationLike, Puzzle

__all__ = ["MAX_CELLS", "NUMBERS", "Part", "Solid", "solid"]

MAX_CELLS = 2_000
NUMBERS = ("raised", "sunk", "none")
MAX_LENGTH = 10_000.0  # of a bed, and of all trays as they stand side by side
STICKS_OUT = 1.0  # how far pieces stand above the rim, so that a finger can push them

Bounds = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One thing to print, a closed surface.

    Attributes
    ----------
    name : str
        Tray, or the piece and its number.
    colours : tuple of str
        The colours of its surface. A piece: its body and its number, and for a gourd both of its tail. The
        tray: its body, its well and the numbers there.
    vertices, triangles : arrays of (n, 3)
        Corners in millimetres; triples of their numbers, anticlockwise as seen from outside. A piece has the
        middle of its first cell at x = y = 0 and lies on z = 0.
    sources : array
        For each triangle, which of the colours it has.
    """

    name: str
    colours: tuple[str, ...]
    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    sources: NDArray[np.uint8]

    @property
    def colour(self) -> str:
        """The colour of its body."""
        return self.colours[0]

    @property
    def volume(self) -> float:
        """Cubic millimetres."""
        import numpy as np

        a, b, c = (self.vertices[self.triangles[:, k]] for k in range(3))
        return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6

    @property
    def bounds(self) -> Bounds:
        """The least and the greatest coordinates."""
        low, high = self.vertices.min(axis=0).tolist(), self.vertices.max(axis=0).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])

    @property
    def size(self) -> Size:
        """How much room it takes on a bed."""
        (left, bottom, _), (right, top, _) = self.bounds
        return right - left, top - bottom


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A puzzle as solids: the tray (or trays, if the board falls apart), then the pieces in order.

    `beds` says for each bed of the printer where parts lie on it; `plan` is a piece seen from above. The
    board of `puzzle` has its cells where they are printed, in units of `plan.cell`, none at a negative place.
    """

    puzzle: Puzzle
    parts: tuple[Part, ...]
    beds: tuple[tuple[Place, ...], ...]
    bed: Size
    plan: Plan
    floor: float

    @property
    def pieces(self) -> tuple[Part, ...]:
        """The pieces, in order."""
        return self.parts[len(self.parts) - self.puzzle.piece_count :]

    @property
    def trays(self) -> tuple[Part, ...]:
        """The tray, or trays."""
        return self.parts[: len(self.parts) - self.puzzle.piece_count]

    def __repr__(self) -> str:
        beds = f"{len(self.beds)} bed{'s'[: len(self.beds) > 1]}"
        return f"<solid {self.puzzle.text}: {len(self.parts)} parts on {beds}>"

    def save(self, path: str | os.PathLike[str]) -> list[Path]:
        """Write STL or 3MF, as the name ends; with several beds x.stl becomes x-1.stl, x-2.stl and so on.

        >>> import slidelab as sl
        >>> folder = getfixture("tmp_path")
        >>> [path.name for path in solid(sl.puzzle("square R(2,2)")).save(folder / "three.3mf")]
        ['three.3mf']
        """
        target = check_target(path, SOLIDS)
        several = len(self.beds) > 1
        names = [target.with_stem(f"{target.stem}-{k}") for k in range(1, len(self.beds) + 1)]
        paths = [check_target(name, SOLIDS) for name in names] if several else [target]
        if ending(target) == "stl":
            files = [stl(self.parts, bed) for bed in self.beds]
        else:
            files = [three_mf(self.parts, bed, self.puzzle.text) for bed in self.beds]
        _write_all(paths, files)
        return paths

    def _repr_png_(self) -> bytes:
        """The printed puzzle, for notebooks."""
        return self.render(width=800)

    def render(
        self,
        configuration: ConfigurationLike | None = None,
        *,
        width: int = 1200,
        theme: str | Theme = LIGHT,
    ) -> bytes:
        """The puzzle as it looks when it is printed and laid out: a PNG that many pixels wide.

        >>> import slidelab as sl
        >>> solid(sl.puzzle("square R(2,2)")).render("3 1 / . 2", width=200)[:4]
        b'\\x89PNG'
        """
        from slidelab.draw.print.render import render

        look = theme_named(theme)
        puzzle = self.puzzle
        now = puzzle.goal if configuration is None else puzzle.configuration(configuration)
        shown = [(part.vertices, part.triangles, _paint(_tray_colours(look), part)) for part in self.trays]
        for part, cells, how in zip(self.pieces, now.pieces, looks(puzzle, look), strict=True):
            points = [puzzle.board.positions[cell] for cell in cells]
            shown.append((self._lying(part, points), part.triangles, _paint(_colours(how), part)))
        return render(shown, width=width, theme=look)

    def _lying(self, part: Part, points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
        """The corners of a piece that lies in the tray on these points of the board."""
        import numpy as np

        x, y, angle = self.plan.pose(points)
        cos, sin = math.cos(angle), math.sin(angle)
        turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
        lying: NDArray[np.float64] = part.vertices @ turn + (x, y, self.floor)
        return lying


def solid(
    puzzle: Puzzle,
    *,
    cell: float = 24.0,
    clearance: float = 0.4,
    height: float = 6.0,
    floor: float = 2.0,
    rim: float = 4.0,
    numbers: str = "raised",
    goal_on_floor: bool = False,
    bed: Sequence[float] = (220.0, 220.0),
    progress: ProgressCallback | None = None,
) -> Solid:
    """The solids of a puzzle.

    Tiles can be printed for every board (for a graph if its drawing, the same as on the screen, keeps the
    channels apart), hexagonal tiles for hex boards, gourds for hex and square boards.

    Parameters
    ----------
    puzzle : Puzzle
        What to print.
    cell : float
        From the middle of a cell to that of the next; on a graph the unit of its drawing, in which most edges
        are a little longer than that.
    clearance : float
        What is left between pieces that pass each other, and between a piece and the wall.
    height, floor, rim : float
        How thick pieces are, how thick the floor of the tray is, how wide its rim.
    numbers : {"raised", "sunk", "none"}
        Numbers stand on the pieces, are cut into them, or are left out.
    goal_on_floor : bool
        Cut the goal into the floor: the number of the piece that is to lie there.
    bed : (float, float)
        Width and depth of the printer's bed.
    progress : callable, optional
        Called with a phase, what is done and what is to do.

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
    _check_length(cell, 5, 200, "cell")
    _check_length(clearance, 0.05, 0.2 * cell, "clearance")
    _check_length(height, 2, 100, "height")
    _check_length(floor, 0.6, 50, "floor")
    _check_length(rim, 1.2, 100, "rim")
    room = _checked_bed(bed)
    if numbers not in NUMBERS:
        raise PuzzleError(f"expected numbers to be {', '.join(NUMBERS[:-1])} or none, got {numbers!r:.40}")
    if puzzle.board.size > MAX_CELLS:
        raise TooLarge(
            f"expected at most {MAX_CELLS} cells to print, got {puzzle.board.size} - "
            f"on {quoted(puzzle.board.name)}"
        )
    _need_manifold()
    tell = progress or (lambda phase, done, total: None)
    puzzle = replace(puzzle, board=_placed(puzzle.board, cell))
    shape = plan(puzzle, cell, clearance)
    fixed = clearance + 2 * rim
    rooms, exact = tray_room(puzzle, shape, clearance)
    # Arcs are polygons, a little smaller: what is only just too large is left to the check below.
    trays = [(wide + 2 * rim, deep + 2 * rim) for wide, deep in rooms]
    large = [size for size in trays if not fits((size[0] - 0.1, size[1] - 0.1), room)]
    _check_bed(large, room, cell, fixed, exact)
    tell("tray", 0, 1)
    cut = well(puzzle, shape, clearance)
    outers = _outer_outlines(cut, rim, cell)
    boxes = [outer.bounds() for outer in outers]
    _check_bed([(right - left, top - low) for left, low, right, top in boxes], room, cell, fixed)
    texts = looks(puzzle, LIGHT)
    size = letter_size([text for look in texts for text in look.texts if text], 0.74 * shape.radius)
    stamps = [outline(each, size) for each in goal_stamps(puzzle, shape, texts)] if goal_on_floor else []
    top = floor + height - min(STICKS_OUT, height / 4)
    meshes = [tray(cut ^ outer, outer, floor, top, stamps) for outer in outers]
    names = ["tray"] if len(meshes) == 1 else [f"tray {k}" for k in range(1, len(meshes) + 1)]
    plain = (LIGHT.tray, LIGHT.tray, LIGHT.well)
    parts = [_part(name, plain, made) for name, made in zip(names, meshes, strict=True)]
    tell("tray", 1, 1)
    blank = body(shape, height)
    for number, look in enumerate(texts, 1):
        marks = [outline(each, size) for each in stamps_on(look, shape, texts)]
        name = f"{puzzle.rule.piece} {number}"
        if puzzle.colours is not None:
            name += " " + "-".join(puzzle.colours[number - 1])
        parts.append(_part(name, _colours(look), join(blank, marks, height, numbers)))
        tell("pieces", number, len(texts))
    beds = lay_on_beds([part.size for part in parts], room)
    return Solid(puzzle, tuple(parts), tuple(map(tuple, beds)), room, shape, floor)


def _need_manifold() -> None:
    try:
        import manifold3d  # noqa: F401
    except ImportError:
        raise PuzzleError(
            "printable puzzles need the package manifold3d: pip install 'slidelab[print]'"
        ) from None


def _placed(board: Board, cell: float) -> Board:
    """The board as it is drawn on the screen, moved so that its least coordinates are zero.

    Far from zero, or far apart, lengths would lose the hundredths of a millimetre that pieces need.
    """
    drawn = clean(board)
    left, top = (min(row) for row in zip(*drawn.positions, strict=True))
    moved = tuple((x - left, y - top) for x, y in drawn.positions)
    spread = max(map(max, moved)) * cell
    if spread > MAX_LENGTH:
        raise TooLarge(
            f"expected cells at most {MAX_LENGTH:g} mm apart to print, got {spread:g} mm - "
            f"on {quoted(board.name)}"
        )
    return replace(drawn, positions=moved)


def _write_all(paths: Sequence[Path], files: Sequence[bytes]) -> None:
    """Write all files or none: not one gets its name before the last is on the disk."""
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


def _checked_bed(bed: Sequence[float]) -> Size:
    if isinstance(bed, str) or not isinstance(bed, Sequence) or len(bed) != 2:
        raise PuzzleError(f"expected two lengths in mm, got {bed!r:.40} - at bed")
    for length in bed:
        _check_length(length, 20, MAX_LENGTH, "bed")
    return float(bed[0]), float(bed[1])


def _check_bed(trays: Sequence[Size], bed: Size, cell: float, fixed: float, exact: bool = True) -> None:
    """Refuse a tray that is too large, and say what would do: its size grows with the cells, but for rims.

    Sizes that are not exact but the least are only refused if no cells would do.
    """
    for size in trays:
        if fits(size, bed):
            continue
        best = max(
            min((room - fixed) / (length - fixed) * cell for room, length in zip(way, size, strict=True))
            for way in (bed, bed[::-1])
        )
        best = math.floor(best * 10 - 1e-6) / 10
        if best >= 5 and not exact:
            continue
        hope = f": {best:g} mm would fit" if best >= 5 else ", too many for this bed"
        raise PuzzleError(
            f"expected a tray that fits on the bed of {bed[0]:g} x {bed[1]:g} mm, "
            f"got {size[0]:.1f} x {size[1]:.1f} mm - with cells of {cell:g} mm{hope}"
        )


def _outer_outlines(cut: Any, rim: float, cell: float) -> list[Any]:
    """The outlines of the tray: a rim around the well, its notches filled where a large coin can't reach."""
    from manifold3d import CrossSection, JoinType

    coin = 1.0 * cell
    grown = cut.offset(rim + coin, JoinType.Round, 2.0, ROUND).offset(-coin, JoinType.Round, 2.0, ROUND)
    filled = [row for row in grown.simplify(0.005).to_polygons() if area(row) > 0]
    found: list[Any] = CrossSection(filled).decompose()
    return sorted(found, key=lambda outline: tuple(outline.bounds()))


def _part(name: str, colours: tuple[str, ...], made: Mesh) -> Part:
    return Part(name, colours, made.vertices, made.triangles, made.sources)


def _colours(look: Look) -> tuple[str, ...]:
    """The colours of a piece: body and number of each end."""
    return tuple(colour for own in look.colours for colour in (own, ink_on(own)))


def _tray_colours(look: Theme) -> tuple[str, ...]:
    return look.tray, look.well, mix(look.well, look.ink, 0.35)


def _paint(colours: Sequence[str], part: Part) -> NDArray[np.float64]:
    """Red, green and blue from 0 to 1 for each triangle."""
    import numpy as np

    table = np.array([channels(colour) for colour in colours]) / 255
    painted: NDArray[np.float64] = table[part.sources]
    return painted
