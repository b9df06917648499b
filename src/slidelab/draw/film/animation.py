"""Solutions as films: GIF, APNG and MP4 (the page that plays in a browser is in `player`).

Only a small part of the picture changes from one frame to the next: where the moving piece is, and the
counter when a move begins. So the board is rendered once, the pieces near the way once a move, and for each
frame nothing but the moving piece. A film is a list of patches: where, what, and how long it stays.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING

from slidelab.arguments import check_seconds, whole_number
from slidelab.draw.files import ANIMATIONS, check_target, ending
from slidelab.draw.picture.board import cell_size, floor_colours, prepared
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.motions import Motion, eased, walk
from slidelab.draw.picture.pieces import Part, looks, piece_parts, placed
from slidelab.draw.png import rendered
from slidelab.draw.scene import Group, Item, Mark, Picture, text_path
from slidelab.draw.scene import Path as Outline
from slidelab.draw.theme import Theme
from slidelab.draw.theme import theme as theme_named
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.files import atomic_write
from slidelab.puzzles import Configuration, Move, MoveList, Solution

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["Film", "Patch", "Progress", "Timing", "animate", "check_packages", "moment", "timing"]

Box = tuple[int, int, int, int]
Progress = Callable[[str, int, int], None]

MAX_FRAMES = 30_000
MAX_FRAME = 4_000_000  # pixels
MAX_SIDE = 8_192
MAX_SECONDS = 60.0  # a move
LARGEST = 640.0
USUAL = 0.36  # seconds a move, if there are not too many
WHOLE = 40.0  # seconds for all of them otherwise


@dataclass(frozen=True, slots=True)
class Timing:
    """How many frames everything takes: `rest` after each move, `first` and `last` of the start and the end.

    >>> t = timing(50)
    >>> t.frames_of(50), round(t.seconds_of(50), 2)
    (500, 20.0)
    """

    fps: int
    moving: int
    rest: int
    first: int
    last: int

    def frames_of(self, moves: int) -> int:
        """The length of a film of that many moves, in frames."""
        return self.first + moves * (self.moving + self.rest) + self.last

    def seconds_of(self, moves: int) -> float:
        """The same in seconds."""
        return self.frames_of(moves) / self.fps


def timing(moves: int, seconds: float | None = None, fps: int = 25) -> Timing:
    """A good pace for that many moves: `seconds` for each, or what keeps a long solution short.

    >>> timing(1000).seconds_of(1000) < 60
    True
    """
    check_seconds(seconds, "seconds")
    if seconds is not None and seconds > MAX_SECONDS:
        raise NotationError(f"expected at most {MAX_SECONDS:.0f} seconds a move, got {seconds!r:.40}")
    if whole_number(fps, 1, "frames a second") > 50 or 100 % fps:
        raise NotationError(f"expected 1, 2, 4, 5, 10, 20, 25 or 50 frames a second, got {fps!r:.40}")
    each = seconds if seconds is not None else min(USUAL, WHOLE / max(1, moves))
    frames = max(1, round(each * fps))
    rest = frames // 6
    out = Timing(fps, frames - rest, rest, round(0.8 * fps), round(1.2 * fps))
    if out.frames_of(moves) > MAX_FRAMES:
        raise TooLarge(
            f"expected at most {MAX_FRAMES:,} frames, got {out.frames_of(moves):,} for {moves:,} moves: "
            "an .html player has no such limit"
        )
    return out


@dataclass(frozen=True, slots=True)
class Patch:
    """A part of the picture that changes, and for how many frames it then stays as it is."""

    left: int
    top: int
    image: Image
    frames: int

    @property
    def box(self) -> Box:
        """Left, top, right and bottom."""
        return self.left, self.top, self.left + self.image.width, self.top + self.image.height


class Film:
    """A solution, ready to be rendered.

    >>> import slidelab as sl
    >>> film = Film(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), size=20)
    >>> patches = list(film.patches())
    >>> sum(patch.frames for patch in patches) == film.timing.frames_of(3)
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
    ) -> None:
        if not isinstance(solution, Solution):
            raise NotationError(f"expected a solution to film, got {type(solution).__name__}")
        self.solution = solution
        self.timing = timing(solution.length, seconds, fps)
        self._start = prepared(solution.start)
        puzzle = self._start.puzzle
        board, look = puzzle.board, theme_named(theme)
        self.theme = look
        wanted = cell_size(board, size)
        if size is None:
            spread = Canvas(board, look, 1.0)
            wanted = min(wanted, 56.0, LARGEST / max(spread.width, spread.height))
        self._canvas = Canvas(board, look, wanted)
        self._strip = max(26, round(0.5 * wanted))
        # Even numbers of pixels: video wants them.
        self.width = math.ceil(self._canvas.width / 2) * 2
        self.height = math.ceil((self._canvas.height + self._strip) / 2) * 2
        if self.width * self.height > MAX_FRAME or max(self.width, self.height) > MAX_SIDE:
            raise TooLarge(
                f"expected at most {MAX_FRAME:,} pixels a frame and {MAX_SIDE:,} a side, "
                f"got {self.width:,} x {self.height:,}"
            )
        self._floor = floor_colours(self._start, floor, look)
        listed = looks(puzzle, look, words=floor or ())
        self._parts = [piece_parts(puzzle, each, look, wanted) for each in listed]

    def patches(self, progress: Progress | None = None) -> Iterator[Patch]:
        """The frames in order, each as what it changes; the first is the whole picture."""
        base = self._pixels(
            [*self._canvas.tray(), *self._canvas.wells(self._floor, {}, titled=False)], self._whole, True
        )
        picture = base.copy()
        places = list(self._start.pieces)
        everything = [self._piece(number, places) for number in range(len(places))]
        picture.alpha_composite(self._pixels(everything, self._whole))
        self._count(picture, 0)
        length, t = self.solution.length, self.timing
        yield Patch(0, 0, picture.convert("RGB"), t.first + (t.last if not length else 0))
        walked = walk(self._start, self.solution.moves)
        for number, (piece, after, motion) in enumerate(walked, 1):
            if progress is not None:
                progress("frames", (number - 1) * t.moving, length * t.moving)
            box = self._box(motion)
            under = base.crop(box)
            under.alpha_composite(self._pixels(self._near(box, places, piece), box))
            strip = self._count(picture, number)
            places[piece] = after
            for frame in range(1, t.moving + 1):
                now = under.copy()
                points = [self._canvas.at(point) for point in motion.at(eased(frame / t.moving))]
                now.alpha_composite(
                    self._pixels([placed(self._parts[piece], points, self._canvas.size)], box)
                )
                picture.paste(now, box[:2])
                changed = _around(box, strip) if frame == 1 else box
                stays = 1 + (t.rest if frame == t.moving else 0)
                stays += t.last if frame == t.moving and number == length else 0
                yield Patch(changed[0], changed[1], picture.crop(changed).convert("RGB"), stays)

    @property
    def _whole(self) -> Box:
        return 0, 0, self.width, self.height

    def _pixels(self, items: list[Item], box: Box, paper: bool = False) -> Image:
        """The items as seen through a window, on paper or on nothing."""
        from PIL import Image

        left, top, right, bottom = box
        if not items:
            return Image.new("RGBA", (right - left, bottom - top))
        colour = self._canvas.theme.paper if paper else None
        moved = Group(tuple(items), -left, -top)
        svg = Picture(right - left, bottom - top, [moved], paper=colour).svg
        return Image.open(BytesIO(rendered(svg, right - left))).convert("RGBA")

    def _piece(self, number: int, places: list[tuple[int, ...]]) -> Item:
        points = [self._canvas.cell(cell) for cell in places[number]]
        return placed(self._parts[number], points, self._canvas.size)

    def _box(self, motion: Motion) -> Box:
        """What the piece can touch on its way, in whole pixels."""
        points = [self._canvas.at(point) for k in range(9) for point in motion.at(k / 8)]
        reach = 0.72 * self._canvas.size
        xs, ys = [x for x, _ in points], [y for _, y in points]
        left, top = max(0, math.floor(min(xs) - reach)), max(0, math.floor(min(ys) - reach))
        right = min(self.width, math.ceil(max(xs) + reach))
        return left, top, right, min(self.height - self._strip, math.ceil(max(ys) + reach))

    def _near(self, box: Box, places: list[tuple[int, ...]], without: int) -> list[Item]:
        """The other pieces that show in the window."""
        reach = 0.72 * self._canvas.size
        left, top, right, bottom = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
        out = []
        for number, cells in enumerate(places):
            xs, ys = zip(*(self._canvas.cell(cell) for cell in cells), strict=True)
            shows = min(xs) < right and max(xs) > left and min(ys) < bottom and max(ys) > top
            if shows and number != without:
                out.append(self._piece(number, places))
        return out

    def _count(self, picture: Image, number: int) -> Box:
        """Write the counter and the line that grows below it; where that is."""
        theme, strip = self._canvas.theme, self._strip
        box = (0, self.height - strip, self.width, self.height)
        length = self.solution.length
        side = 0.36 * self._canvas.size
        wide, y = self.width - 2 * side, strip - 9.0
        letters = text_path(f"{number:,} / {length:,}", round(0.46 * strip, 2), anchor="end")
        items: list[Item] = [
            Group((Mark(letters, theme.ink),), self.width - side, 0.3 * strip),
            Mark(Outline.line([(side, y), (side + wide, y)]), None, theme.faint, 3.0),
        ]
        if number:
            done = side + wide * number / length
            items.append(Mark(Outline.line([(side, y), (done, y)]), None, theme.accent, 3.0))
        moved = Group(tuple(items), 0, self.height - strip)
        picture.paste(self._pixels([moved], box, paper=True), box[:2])
        return box


def _around(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def moment(
    configuration: Configuration,
    move: Move | str,
    time: float,
    *,
    theme: str | Theme = "light",
    size: float | None = None,
) -> Picture:
    """A configuration with a move half made: `time` goes from 0 to 1.

    >>> import slidelab as sl
    >>> c = sl.position("square R(2,2) : 1 2 . 3")
    >>> moment(c, "3:3>2", 0.5).width > 100
    True
    """
    from slidelab.puzzles import read_move

    move = read_move(move)
    configuration.play(move)
    if isinstance(time, bool) or not isinstance(time, int | float) or not 0 <= time <= 1:
        raise NotationError(f"expected a time from 0 to 1, got {time!r:.40}")
    here = prepared(configuration)
    puzzle, look = here.puzzle, theme_named(theme)
    canvas = Canvas(puzzle.board, look, cell_size(puzzle.board, size))
    listed: list[list[Part]] = [piece_parts(puzzle, each, look, canvas.size) for each in looks(puzzle, look)]
    ((moving, _, way),) = walk(here, MoveList.of([move]))
    order = sorted(
        range(puzzle.piece_count), key=lambda number: number == moving
    )  # that one above the others
    items = [*canvas.tray(), *canvas.wells({}, {})]
    for number in order:
        still = [puzzle.board.positions[cell] for cell in here.pieces[number]]
        points = way.at(time) if number == moving else still
        items.append(placed(listed[number], [canvas.at(point) for point in points], canvas.size))
    return Picture(canvas.width, canvas.height, items, configuration.text, look.paper)


def animate(
    solution: Solution,
    path: str | os.PathLike[str],
    *,
    theme: str | Theme = "light",
    size: float | None = None,
    seconds: float | None = None,
    fps: int = 25,
    floor: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> None:
    """Write a solution as a film; the name's ending (.gif, .apng, .mp4 or .html) says of which kind.

    Parameters
    ----------
    theme, size
        As for a picture: light, dark or print; the width of a cell in pixels.
    seconds : float, optional
        How long a move takes; a third of a second if there are not too many.
    fps : int
        Frames a second of a film; a page (.html) has as many as the browser shows.
    floor : sequence of words, optional
        The colour of every cell of the board, ``.`` for none: where coloured pieces are to go.

    Examples
    --------
    >>> import slidelab as sl
    >>> folder = getfixture("tmp_path")
    >>> animate(sl.puzzle("square R(2,2)").solve("3 1 / . 2"), folder / "three.gif", size=20)
    >>> (folder / "three.gif").read_bytes()[:6]
    b'GIF89a'
    """
    target = check_target(path, ANIMATIONS)
    kind = ending(target)
    if kind == "html":
        from slidelab.draw.film.player import save_player

        save_player(solution, target, theme=theme, size=size, seconds=seconds, floor=floor)
        return
    check_packages(kind)
    from slidelab.draw.film.files import WRITERS

    film = Film(solution, theme=theme, size=size, seconds=seconds, fps=fps, floor=floor)
    try:
        with atomic_write(target) as file:
            WRITERS[kind](film, file, progress)
    except OSError as error:
        raise PuzzleError(f"could not write {str(target)[-200:]!r}: {error.strerror or error}") from None


def check_packages(kind: str) -> None:
    """`PuzzleError` if a package is missing for this kind of film."""
    needed = {"html": [], "mp4": ["PIL", "resvg_py", "av"]}.get(kind, ["PIL", "resvg_py"])
    for name in needed:
        try:
            import_module(name)
        except ImportError:
            known = "pillow" if name == "PIL" else name
            raise PuzzleError(f"films need the package {known}: pip install 'slidelab[video]'") from None
