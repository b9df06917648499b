"""Frames of a film, each as the part of the picture that changes.

Only a small part of the picture changes from one frame to the next: where the moving piece is, and the
counter when a move begins. So the board is rendered once, the pieces near the motion once per move, and for
each frame nothing but the moving piece.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from slidelab.arguments import check_seconds, whole_number
from slidelab.boards import Board
from slidelab.budget import ProgressCallback
from slidelab.draw.marks import Group, Item, Mark, Path, text_path
from slidelab.draw.picture.board import cell_size, floor_colours, lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import Motion, ease, track_motions
from slidelab.draw.picture.photo import ImageSource, Photograph
from slidelab.draw.picture.pieces import all_parts, place_parts
from slidelab.draw.png import rasterize
from slidelab.draw.scene import Picture
from slidelab.draw.theme import LIGHT, Theme, get_theme
from slidelab.errors import NotationError, TooLarge
from slidelab.puzzles import Solution
from slidelab.rules import Cells

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Film", "Patch", "Timing", "timing"]

Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels

MAX_FRAMES = 30_000
"""Number of frames of the longest film: 20 minutes at 25 frames per second."""

MAX_FRAME_PIXELS = 4_000_000
"""Number of pixels of the largest frame, about that of a 2K screen."""

MAX_FRAME_SIDE = 8_192
"""Largest width or height of a frame in pixels, the limit of common video decoders."""

MAX_MOVE_SECONDS = 60.0
"""Longest duration of a move."""

USUAL_MOVE_SECONDS = 0.36
"""Duration of a move unless the film would get too long."""

USUAL_FILM_SECONDS = 40.0
"""Duration of all moves together up to which each has its usual duration."""

USUAL_FRAME_SIDES = {"mp4": 760.0, "apng": 560.0, "gif": 480.0}
"""Width or height of a frame in pixels, whichever is larger, if no cell size is given."""

MAX_CELL_SIZE = 200.0
"""Largest width of a cell in pixels if none is given: the smallest boards get smaller frames."""

LEGIBLE_CELL_SIZE, LEGIBLE_FRAME_SIDE = 20.0, 1000.0
"""Width of a cell in pixels for which frames of large boards may be larger, up to this width or height."""

COUNTER_HEIGHT = 0.5
"""Height of the line below the board, with the number of moves, in cells."""

PHOTO_DENSITY = 1.0
"""Pixels of a photograph for a pixel of a frame; more would be lost, and make films much slower."""

PIECE_REACH = 0.72
"""Distance in cells from the centre of a piece's cell to the farthest pixel of the piece."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations in frames: of a motion, of the rest after it, of the first and the last picture.

    >>> t = timing(50)
    >>> t.frame_count(50), round(t.duration(50), 2)
    (500, 20.0)
    """

    fps: int
    moving: int
    rest: int
    first: int
    last: int

    def frame_count(self, moves: int) -> int:
        """Return the length of a film of that many moves in frames."""
        return self.first + moves * (self.moving + self.rest) + self.last

    def duration(self, moves: int) -> float:
        """Return the length of a film of that many moves in seconds."""
        return self.frame_count(moves) / self.fps


def timing(moves: int, seconds: float | None = None, fps: int = 25) -> Timing:
    """Return the timing of a film: `seconds` per move, or a pace that keeps a long solution short.

    >>> timing(1000).duration(1000) < 60
    True
    """
    check_seconds(seconds, "seconds")
    if seconds is not None and seconds > MAX_MOVE_SECONDS:
        raise NotationError(f"expected at most {MAX_MOVE_SECONDS:.0f} seconds a move, got {seconds!r:.40}")
    if whole_number(fps, 1, "frames a second") > 50 or 100 % fps:  # GIF counts hundredths of a second
        raise NotationError(f"expected 1, 2, 4, 5, 10, 20, 25 or 50 frames a second, got {fps!r:.40}")
    if seconds is None:
        seconds = min(USUAL_MOVE_SECONDS, USUAL_FILM_SECONDS / max(1, moves))
    frames = max(1, round(seconds * fps))
    rest = frames // 6
    result = Timing(fps, frames - rest, rest, round(0.8 * fps), round(1.2 * fps))
    if result.frame_count(moves) > MAX_FRAMES:
        raise TooLarge(
            f"expected at most {MAX_FRAMES:,} frames, got {result.frame_count(moves):,} for {moves:,} moves: "
            "an .html player has no such limit"
        )
    return result


def usual_cell_size(board: Board, kind: str) -> float:
    """Return the width of a cell in pixels that suits a film of this format.

    >>> from slidelab.boards import board
    >>> [round(usual_cell_size(board("square R(4,4)"), kind)) for kind in ("mp4", "gif")]
    [146, 92]
    """
    unit = Canvas(board, LIGHT, 1.0)
    extent = max(unit.width, unit.height + COUNTER_HEIGHT)
    scale = min(MAX_CELL_SIZE, USUAL_FRAME_SIDES[kind] / extent)
    return max(scale, min(LEGIBLE_CELL_SIZE, LEGIBLE_FRAME_SIDE / extent))


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of the picture that changes, and the number of frames for which the picture then stays."""

    left: int
    top: int
    image: Image
    frames: int

    @property
    def box(self) -> Box:
        """Left, top, right and bottom."""
        return self.left, self.top, self.left + self.image.width, self.top + self.image.height


class Film:
    """The frames of a solution; the parameters are those of `slidelab.draw.film.animate`.

    `kind` is the format for which the size of a cell is chosen if none is given.

    >>> import slidelab as sl
    >>> film = Film(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), size=20)
    >>> patches = list(film.patches())
    >>> sum(patch.frames for patch in patches) == film.timing.frame_count(3)
    True
    """

    def __init__(
        self,
        solution: Solution,
        *,
        theme: str | Theme = "light",
        size: float | None = None,
        seconds: float | None = None,
        fps: int = 25,
        floor: Sequence[str] | None = None,
        labels: bool | None = None,
        image: ImageSource | Photograph | None = None,
        kind: str = "gif",
    ) -> None:
        if not isinstance(solution, Solution):
            raise NotationError(f"expected a solution to film, got {type(solution).__name__}")
        self.solution = solution
        self.timing = timing(solution.length, seconds, fps)
        self.theme = get_theme(theme)
        self._start = lay_out_configuration(solution.start)
        puzzle = self._start.puzzle
        scale = usual_cell_size(puzzle.board, kind) if size is None else cell_size(puzzle.board, size)
        self._canvas = Canvas(puzzle.board, self.theme, scale)
        self._counter_height = max(26, round(COUNTER_HEIGHT * scale))
        # Video needs even numbers of pixels.
        self.width = math.ceil(self._canvas.width / 2) * 2
        self.height = math.ceil((self._canvas.height + self._counter_height) / 2) * 2
        if self.width * self.height > MAX_FRAME_PIXELS or max(self.width, self.height) > MAX_FRAME_SIDE:
            raise TooLarge(
                f"expected at most {MAX_FRAME_PIXELS:,} pixels a frame and {MAX_FRAME_SIDE:,} a side, "
                f"got {self.width:,} x {self.height:,}"
            )
        self._floor = floor_colours(self._start, floor, self.theme)
        photos = None
        if image is not None:
            goal = lay_out_configuration(solution.goal)
            photos = Photograph.read(image).parts(goal, self._canvas, PHOTO_DENSITY)
        self._parts = all_parts(puzzle, self.theme, scale, words=floor or (), labels=labels, photos=photos)

    def patches(self, progress: ProgressCallback | None = None) -> Iterator[Patch]:
        """Yield the frames in order, each as what it changes; the first is the whole picture."""
        canvas, full = self._canvas, (0, 0, self.width, self.height)
        board = self._render([*canvas.tray(), *canvas.wells(self._floor, {}, titled=False)], full, True)
        picture = board.copy()
        placements = list(self._start.pieces)
        pieces = [self._piece(number, cells) for number, cells in enumerate(placements)]
        picture.alpha_composite(self._render(pieces, full))
        self._draw_counter(picture, 0)
        length, t = self.solution.length, self.timing
        yield Patch(0, 0, picture.convert("RGB"), t.first + (t.last if not length else 0))
        tracked = track_motions(self._start, self.solution.moves)
        for number, (piece, after, motion) in enumerate(tracked, 1):
            if progress is not None:
                progress("frames", (number - 1) * t.moving, length * t.moving)
            box = self._motion_box(motion)
            background = board.crop(box)
            background.alpha_composite(self._render(self._pieces_near(box, placements, piece), box))
            counter = self._draw_counter(picture, number)
            placements[piece] = after
            for frame in range(1, t.moving + 1):
                image = background.copy()
                points = [canvas.to_pixels(point) for point in motion.at(ease(frame / t.moving))]
                image.alpha_composite(
                    self._render([place_parts(self._parts[piece], points, canvas.size)], box)
                )
                picture.paste(image, box[:2])
                changed = _union(box, counter) if frame == 1 else box
                frames = 1 + (t.rest if frame == t.moving else 0)
                frames += t.last if frame == t.moving and number == length else 0
                yield Patch(changed[0], changed[1], picture.crop(changed).convert("RGB"), frames)

    def _render(self, items: list[Item], box: Box, paper: bool = False) -> Image:
        """Render the part of the items inside a box, on paper or transparent."""
        from PIL import Image

        left, top, right, bottom = box
        if not items:
            return Image.new("RGBA", (right - left, bottom - top))
        shifted = Group(tuple(items), -left, -top)
        colour = self.theme.paper if paper else None
        svg = Picture(right - left, bottom - top, [shifted], paper=colour).svg
        return Image.open(BytesIO(rasterize(svg, right - left))).convert("RGBA")

    def _piece(self, number: int, cells: Cells) -> Item:
        points = [self._canvas.centre(cell) for cell in cells]
        return place_parts(self._parts[number], points, self._canvas.size)

    def _motion_box(self, motion: Motion) -> Box:
        """Return the box that a moving piece stays in."""
        points = [self._canvas.to_pixels(point) for k in range(9) for point in motion.at(k / 8)]
        reach = PIECE_REACH * self._canvas.size
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top = max(0, math.floor(min(xs) - reach)), max(0, math.floor(min(ys) - reach))
        right = min(self.width, math.ceil(max(xs) + reach))
        return left, top, right, min(self.height - self._counter_height, math.ceil(max(ys) + reach))

    def _pieces_near(self, box: Box, placements: list[Cells], excluded: int) -> list[Item]:
        """Return the other pieces that are visible in a box."""
        reach = PIECE_REACH * self._canvas.size
        left, top, right, bottom = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
        items = []
        for number, cells in enumerate(placements):
            xs, ys = zip(*(self._canvas.centre(cell) for cell in cells), strict=True)
            is_visible = min(xs) < right and max(xs) > left and min(ys) < bottom and max(ys) > top
            if is_visible and number != excluded:
                items.append(self._piece(number, cells))
        return items

    def _draw_counter(self, picture: Image, number: int) -> Box:
        """Draw the number of moves and the progress bar below it; return their box."""
        theme, height = self.theme, self._counter_height
        box = (0, self.height - height, self.width, self.height)
        length = self.solution.length
        left, y = 0.36 * self._canvas.size, height - 9.0
        width = self.width - 2 * left
        letters = text_path(f"{number:,} / {length:,}", round(0.46 * height, 2), anchor="end")
        items: list[Item] = [
            Group((Mark(letters, theme.ink),), self.width - left, 0.3 * height),
            Mark(Path.line([(left, y), (left + width, y)]), None, theme.faint, 3.0),
        ]
        if number:
            done = left + width * number / length
            items.append(Mark(Path.line([(left, y), (done, y)]), None, theme.accent, 3.0))
        picture.paste(self._render([Group(tuple(items), 0, box[1])], box, paper=True), box[:2])
        return box


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
