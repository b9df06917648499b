"""Photographs on pieces, cut so that the solved puzzle shows the picture.

A photograph covers all cells of the board. Each piece carries what lies under it at the goal, clipped to its
outline, in the coordinates of its cells: it is shifted and rotated with the piece. Every piece gets a JPEG of
its own, as small as its outline allows, so that a frame of a film need not decode the whole picture.
"""

from __future__ import annotations

import io
import math
import os
import struct
import warnings
from collections.abc import Sequence
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any, NamedTuple

from slidelab.draw.marks import Group, Path, Photo, Point
from slidelab.draw.picture.bodies import Shape, piece_shapes, rigid_form
from slidelab.draw.picture.pieces import Part
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.packages import require

if TYPE_CHECKING:
    from PIL.Image import Image

    from slidelab.draw.picture.canvas import Canvas
    from slidelab.puzzles import Configuration, Puzzle

__all__ = ["ImageSource", "Photograph", "check_pieces"]

ImageSource = str | os.PathLike[str] | bytes
"""A PNG or JPEG file, or its content."""

MAX_FILE_BYTES = 64_000_000
"""Largest file; common cameras make a quarter of that."""

MAX_PIXELS = 80_000_000
"""Largest number of pixels of a photograph: 240 MB when decoded."""

MAX_SIDE = 2_400
"""Width or height in pixels to which a photograph is reduced."""

MAX_DENSITY = 2.5
"""Pixels of the photograph for a pixel of the drawing, for screens and PNG of twice the resolution."""

MAX_PIECES = 5_000
"""Number of pieces that can carry a photograph; each has an image of its own."""

JPEG_QUALITY = 88
"""Quality of the pieces: differences are not visible, a piece of 100 x 100 pixels has about 4 kB."""

FORMATS = ("PNG", "JPEG")

DECODING_ERRORS = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, struct.error)
"""What Pillow raises at damaged files."""


class _Pose(NamedTuple):
    """Where a shape is: stretched along x, rotated clockwise by `angle` radians, and shifted to `point`."""

    point: Point
    angle: float
    stretch: float

    def to_drawing(self, local: Point) -> Point:
        cos, sin, x = math.cos(self.angle), math.sin(self.angle), local[0] * self.stretch
        return self.point[0] + x * cos - local[1] * sin, self.point[1] + x * sin + local[1] * cos


class Photograph:
    """A picture that pieces show together when they are at the goal."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._cuts: dict[Any, list[list[Part]]] = {}

    @classmethod
    def read(cls, source: ImageSource | Photograph) -> Photograph:
        """Read a PNG or JPEG; raise `PuzzleError` if it is damaged or too large, before it is decoded.

        >>> Photograph.read(b"GIF89a")
        Traceback (most recent call last):
        slidelab.errors.PuzzleError: expected a PNG or JPEG image, got something else - at 6 bytes
        """
        if isinstance(source, Photograph):
            return source
        if not isinstance(source, str | os.PathLike | bytes):
            raise NotationError(f"expected a PNG or JPEG file for the image, got {type(source).__name__}")
        require("PIL", "images need", "png")
        name = f"{len(source):,} bytes" if isinstance(source, bytes) else repr(str(source)[-200:])
        data = source if isinstance(source, bytes) else _read_file(source)
        if len(data) > MAX_FILE_BYTES:
            raise TooLarge(f"expected an image of at most {MAX_FILE_BYTES:,} bytes, got {len(data):,}")
        return cls(_decode(data, name))

    def parts(
        self, goal: Configuration, canvas: Canvas, max_density: float = MAX_DENSITY
    ) -> list[list[Part]]:
        """Return for each piece the parts that show the picture.

        `canvas` is that of the goal's board; `max_density` limits the pixels for a pixel of the canvas.
        """
        key = (goal, canvas.size, canvas.board.positions, max_density)
        if key not in self._cuts:
            self._cuts.clear()
            self._cuts[key] = self._cut(goal, canvas, max_density)
        return self._cuts[key]

    def _cut(self, goal: Configuration, canvas: Canvas, max_density: float) -> list[list[Part]]:
        check_pieces(goal.puzzle)
        left, top, width, height = canvas.cells_box
        picture, density = self._fitted(width, height, max_density)
        shapes = _photo_shapes(goal.puzzle, canvas)
        parts: list[list[Part]] = []
        for cells in goal.pieces:
            points = [canvas.centre(cell) for cell in cells]
            parts.append([])
            for shape in shapes:
                pose = _pose(shape, points, canvas.size)
                corners = [pose.to_drawing(point) for point in shape.path.points]
                pixels = [((x - left) * density, (y - top) * density) for x, y in corners]
                photo, box = _crop(picture, pixels)
                x, y = left + box[0] / density - pose.point[0], top + box[1] / density - pose.point[1]
                size = ((box[2] - box[0]) / density, (box[3] - box[1]) / density)
                mark = Photo(photo, box[2] - box[0], box[3] - box[1], x, y, *size)
                # The inverse of how `place_parts` will draw the part at the goal.
                local = Group((Group((mark,), angle=-math.degrees(pose.angle)),), scale_x=1 / pose.stretch)
                clipped = Group((local,), clip=shape.path)
                parts[-1].append(Part(clipped, shape.at, shape.toward, 0.0, shape.stretches))
        return parts

    def _fitted(self, width: float, height: float, max_density: float) -> tuple[Image, float]:
        """Return the middle of the picture that covers a box, and its pixels per unit of the drawing."""
        from PIL.Image import Resampling

        image = self._image
        scale = min(image.width / width, image.height / height)  # pixels of the file per unit
        density = min(scale, max_density, MAX_SIDE / max(width, height))
        used = width * scale, height * scale
        x, y = (image.width - used[0]) / 2, (image.height - used[1]) / 2
        size = max(1, round(width * density)), max(1, round(height * density))
        box = (max(0.0, x), max(0.0, y), min(image.width, x + used[0]), min(image.height, y + used[1]))
        return image.resize(size, Resampling.LANCZOS, box), density


def check_pieces(puzzle: Puzzle) -> None:
    """Raise `PuzzleError` unless each piece has one place at the goal, and there are not too many."""
    if puzzle.piece_count > MAX_PIECES:
        raise TooLarge(f"expected at most {MAX_PIECES:,} pieces for an image, got {puzzle.piece_count:,}")
    if puzzle.colours is not None:
        readings = [reading for labels in puzzle.colours for reading in puzzle.rule.readings(labels)]
        if len(set(readings)) < len(readings):
            raise PuzzleError(
                "expected pieces that are all different for an image, got pieces that look alike"
            )


def _read_file(source: str | os.PathLike[str]) -> bytes:
    path = FilePath(source)
    try:
        if not path.is_file():
            raise PuzzleError(f"expected an image file, got {str(source)[-200:]!r}, which is none")
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            raise TooLarge(f"expected an image of at most {MAX_FILE_BYTES:,} bytes, got {size:,}")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        if isinstance(error, PuzzleError):
            raise
        reason = getattr(error, "strerror", None) or "no such name"
        raise PuzzleError(f"could not read {str(source)[-200:]!r}: {reason}") from None


def _decode(data: bytes, name: str) -> Image:
    """Return the image upright, in colours, on white where it is transparent."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large images: their size is checked below
            image = Image.open(io.BytesIO(data), formats=FORMATS)  # reads the header only
            if image.width * image.height > MAX_PIXELS:
                raise TooLarge(
                    f"expected an image of at most {MAX_PIXELS:,} pixels, "
                    f"got {image.width:,} x {image.height:,} - at {name}"
                )
            image.draft("RGB", (2 * MAX_SIDE, 2 * MAX_SIDE))  # JPEG is decoded at a lower resolution if large
            image.load()
            upright: Image.Image = ImageOps.exif_transpose(image)
            return _flattened(upright)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        if isinstance(error, Image.DecompressionBombError):
            raise TooLarge(
                f"expected an image of at most {MAX_PIXELS:,} pixels, got more - at {name}"
            ) from None
        raise PuzzleError(f"expected a PNG or JPEG image, got something else - at {name}") from None
    except PuzzleError:
        raise
    except DECODING_ERRORS:
        raise PuzzleError(f"expected a PNG or JPEG image, got a damaged one - at {name}") from None


def _flattened(image: Image) -> Image:
    from PIL import Image

    if image.mode.startswith(("I", "F")):  # 16 bits of grey
        image = image.convert("I").point(lambda value: value * (1 / 257)).convert("L")
    layers = image.convert("RGBA")
    white = Image.new("RGBA", layers.size, "#ffffff")
    return Image.alpha_composite(white, layers).convert("RGB")


def _photo_shapes(puzzle: Puzzle, canvas: Canvas) -> list[Shape]:
    """Return the shapes of a piece that carry a picture: one if the piece keeps its form."""
    board, rule, scale = canvas.board, puzzle.rule, canvas.size
    shapes = [shape for shape in piece_shapes(board, rule, scale) if shape.clip is None]
    if len(shapes) == 1:
        return shapes
    form = rigid_form(board, rule)
    if form is None:
        neighbour = {end: other for link in rule.links for end, other in (link, link[::-1])}
        return [
            Shape(shape.path, shape.cell, shape.at, neighbour.get(shape.at), False)
            if shape.toward is None
            else shape
            for shape in shapes
        ]
    points = [(x * scale, y * scale) for x, y in form]
    outlines = []
    for shape in shapes:
        pose = _pose(shape, points, scale)
        moved = ((name, tuple(map(pose.to_drawing, row))) for name, row in shape.path.commands)
        outlines.append(Path(tuple(moved)))
    return [Shape(Path.union(outlines), 0, 0, 1, False)]


def _pose(shape: Shape, points: Sequence[Point], scale: float) -> _Pose:
    """Return the pose of a shape of a piece whose cells are at these points, as `place_parts` draws it."""
    (x, y), other = points[shape.at], None if shape.toward is None else points[shape.toward]
    if other is None:
        return _Pose((x, y), 0.0, 1.0)
    stretch = math.dist(other, (x, y)) / scale if shape.stretches else 1.0
    return _Pose((x, y), math.atan2(other[1] - y, other[0] - x), stretch or 1.0)


def _crop(picture: Image, points: Sequence[Point]) -> tuple[bytes, tuple[int, int, int, int]]:
    """Return the JPEG of the part of a picture around these points, and its box in pixels."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right = _range(min(xs), max(xs), picture.width)
    top, bottom = _range(min(ys), max(ys), picture.height)
    buffer = io.BytesIO()
    picture.crop((left, top, right, bottom)).save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0)
    return buffer.getvalue(), (left, top, right, bottom)


def _range(low: float, high: float, size: int) -> tuple[int, int]:
    """Return whole pixels around a range, at least one, with one more on each side for smooth borders."""
    first = min(max(0, math.floor(low) - 1), size - 1)
    return first, min(max(first + 1, math.ceil(high) + 1), size)
