"""The parts of a printable puzzle: files of them, and a rendering. All lengths are in millimetres."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.draw.files import SOLID_FORMATS, file_format, numbered_targets, write_all
from slidelab.draw.picture.pieces import PieceStyle, piece_styles
from slidelab.draw.print.beds import BedPosition, Size
from slidelab.draw.print.files import stl, three_mf
from slidelab.draw.print.pieces import Footprint
from slidelab.draw.print.render import render
from slidelab.draw.theme import LIGHT, Theme, channels, get_theme, mix, text_colour, word_colours
from slidelab.messages import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.puzzles import ConfigurationLike, Puzzle

__all__ = ["Part", "Solid", "patch_colours", "piece_colours"]

Bounds = tuple[tuple[float, float, float], tuple[float, float, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One part to print, a closed surface.

    Attributes
    ----------
    name : str
        "tray", or the piece and its number.
    colours : tuple of str
        Colours of the surface. Of a piece: body and label of each cell. Of the tray: body, well, labels, and
        then patches and their labels of each colour of its cells.
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
    cells : tuple of str
        The colour of each cell on the floor, ``.`` for none; empty if there are none.
    """

    puzzle: Puzzle
    parts: tuple[Part, ...]
    beds: tuple[tuple[BedPosition, ...], ...]
    bed: Size
    footprint: Footprint
    floor: float
    cells: tuple[str, ...] = ()

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
        >>> [path.name for path in sl.puzzle("square R(2,2)").solid().save(folder / "three.3mf")]
        ['three.3mf']
        """
        paths = numbered_targets(path, len(self.beds), SOLID_FORMATS)
        if file_format(paths[0]) == "stl":
            files = [stl(self.parts, bed) for bed in self.beds]
        else:
            files = [three_mf(self.parts, bed, self.puzzle.text) for bed in self.beds]
        write_all(paths, files)
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
        r"""Render the printed puzzle as PNG.

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
        >>> sl.puzzle("square R(2,2)").solid().render("3 1 / . 2", width=200)[:4]
        b'\x89PNG'
        """
        theme = get_theme(theme)
        puzzle = self.puzzle
        position = puzzle.goal if configuration is None else puzzle.configuration(configuration)
        patches = patch_colours(puzzle, self.cells, theme)
        tray_colours = (theme.tray, theme.well, mix(theme.well, theme.ink, 0.35), *patches)
        solids = [
            (part.vertices, part.triangles, _triangle_colours(tray_colours, part)) for part in self.trays
        ]
        styles = piece_styles(puzzle, theme, words=self.cells)
        for part, cells, style in zip(self.pieces, position.pieces, styles, strict=True):
            points = [puzzle.board.positions[cell] for cell in cells]
            colours = _triangle_colours(piece_colours(style), part)
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


def piece_colours(style: PieceStyle) -> tuple[str, ...]:
    """Return the colours of body and label of each cell."""
    return tuple(colour for own in style.colours for colour in (own, text_colour(own)))


def patch_colours(puzzle: Puzzle, cells: Sequence[str], theme: Theme) -> tuple[str, ...]:
    """Return the colours of patch and label for each word on the floor, in order: those of the pieces."""
    words = {word for labels in puzzle.colours or () for word in labels} | {*cells}
    colours = word_colours(sorted(words - {"."}), theme)
    own = [colours[word] for word in sorted({*cells} - {"."})]
    return tuple(colour for patch in own for colour in (patch, text_colour(patch)))


def _triangle_colours(colours: Sequence[str], part: Part) -> NDArray[np.float64]:
    """Return red, green and blue from 0 to 1 for each triangle."""
    import numpy as np

    table = np.array([channels(colour) for colour in colours]) / 255
    rows: NDArray[np.float64] = table[part.sources]
    return rows
