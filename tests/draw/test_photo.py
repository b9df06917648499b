"""Photographs on pieces: the goal shows the picture, pieces carry their part, bad files are refused."""

from __future__ import annotations

import contextlib
import io
import math
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageOps

import slidelab as sl
from commands import Run, one_line
from draw.test_animation import _frames, random_walk
from draw.test_scene import parsed, pixels
from rules.test_foreign_rule import Blocks
from slidelab.draw.film import moment, player_html
from slidelab.draw.film.frames import PHOTO_DENSITY, Film
from slidelab.draw.picture import draw, photo, storyboard
from slidelab.draw.picture.board import lay_out_configuration
from slidelab.draw.picture.canvas import Canvas
from slidelab.draw.picture.photo import Photograph
from slidelab.draw.theme import LIGHT
from slidelab.errors import NotationError, PuzzleError, TooLarge

PUZZLES = [
    "square R(4,3)",
    "hex P(3,4)",
    "king R(3,3)",
    "hex F(3) gourds",
    "square R(4,3) gourds",
    "theta(1,2,2)",
]
PUZZLES += [
    "hex F(2) tiles 1",
    "hex F(3) trimers-triangle",
    "hex F(3) trimers-bent 4",
    "square R(5,4) blocks 4",
]
FLEXIBLE = ["hex F(3) trimers", "cycle(7) gourds", "king R(3,3) gourds"]


def gradient(width: int = 400, height: int = 300) -> Image.Image:
    """Return an image whose colours tell the place: red grows to the right, green downwards."""
    y, x = np.mgrid[0:height, 0:width]
    rows = np.stack([255 * x / width, 255 * y / height, np.full_like(x, 90.0, float)], axis=2)
    return Image.fromarray(rows.round().astype(np.uint8))


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


PHOTO = encoded(gradient())


@pytest.fixture(autouse=True)
def registered(known_rules: None) -> None:
    sl.register_rule(Blocks())


def expected_at(canvas: Canvas, x: float, y: float) -> NDArray[np.float64]:
    """Return the colour that belongs to a point of the drawing; computed from the board's extent alone."""
    kind = canvas.board.kind
    half = {"hex": (0.5, 1 / math.sqrt(3)), "graph": (0.44, 0.44)}.get(kind, (0.5, 0.5))
    xs, ys = zip(*(canvas.centre(cell) for cell in range(canvas.board.size)), strict=True)
    left, top = min(xs) - half[0] * canvas.size, min(ys) - half[1] * canvas.size
    width, height = max(xs) + half[0] * canvas.size - left, max(ys) + half[1] * canvas.size - top
    # The picture covers the box and is cut equally on both sides.
    scale = max(width / 4, height / 3)
    share_x = 0.5 + (x - left - width / 2) / (4 * scale)
    share_y = 0.5 + (y - top - height / 2) / (3 * scale)
    return np.array([255 * share_x, 255 * share_y, 90])


def assert_carried(here: sl.Configuration, seen: NDArray[np.int64], ratio: float, size: float) -> None:
    """Assert that near each cell of each piece there is the part of the picture from its cell at the goal."""
    goal, here = lay_out_configuration(here.puzzle.goal), lay_out_configuration(here)
    canvas = Canvas(here.puzzle.board, LIGHT, size)
    for there, cells in zip(goal.pieces, here.pieces, strict=True):
        for k, cell in enumerate(cells):
            angle = 0.0
            if len(cells) > 1:
                other = k + 1 if k + 1 < len(cells) else k - 1
                angle = direction(canvas, cells[k], cells[other]) - direction(canvas, there[k], there[other])
            for dx, dy in ((0.0, 0.0), (0.2, 0.0), (0.0, 0.2), (-0.14, -0.14)):
                x, y = canvas.centre(there[k])
                wanted = expected_at(canvas, x + dx * size, y + dy * size)
                x, y = canvas.centre(cell)
                x += (dx * math.cos(angle) - dy * math.sin(angle)) * size
                y += (dx * math.sin(angle) + dy * math.cos(angle)) * size
                assert np.abs(seen[int(y * ratio), int(x * ratio)] - wanted).max() < 14


def direction(canvas: Canvas, a: int, b: int) -> float:
    (ax, ay), (bx, by) = canvas.centre(a), canvas.centre(b)
    return math.atan2(by - ay, bx - ax)


@pytest.mark.parametrize("text", [*PUZZLES, *FLEXIBLE])
def test_the_goal_shows_the_picture(text: str) -> None:
    goal = sl.puzzle(text).goal
    drawn = draw(goal, image=PHOTO, size=40)
    parsed(drawn.svg)
    assert_carried(goal, pixels(drawn.png(2 * round(drawn.width))), 2.0, 40.0)


@pytest.mark.parametrize("text", PUZZLES)
def test_pieces_carry_their_part(text: str) -> None:
    walk = random_walk(sl.puzzle(text), 5, 12) if len(sl.puzzle(text).goal.moves) else None
    here = sl.puzzle(text).shuffle(seed=3) if walk is None else walk.goal
    drawn = draw(here, image=PHOTO, size=40)
    assert_carried(here, pixels(drawn.png(2 * round(drawn.width))), 2.0, 40.0)


@pytest.mark.parametrize(
    ("text", "theme"),
    [
        ("square R(3,3)", "light"),
        ("hex F(3) gourds", "dark"),
        ("hex F(3) trimers-triangle", "print"),
        ("cycle(7) gourds", "light"),
    ],
)
def test_pdf_shows_the_picture_too(text: str, theme: str) -> None:
    picture = draw(sl.puzzle(text).goal, image=PHOTO, labels=True, theme=theme)
    drawn = pixels(picture.png(500))
    page = pypdfium2.PdfDocument(picture.pdf())[0]
    other = page.render(scale=500 / page.get_width()).to_numpy()[:, :, ::-1].astype(int)
    height = min(len(drawn), len(other))
    difference = np.abs(drawn[:height, :500] - other[:height, :500]).max(axis=2)
    assert (difference > 64).mean() < 0.015
    assert difference.mean() < 4


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex F(2)", "hex F(2) gourds", "theta(1,2,2)", "hex F(2) trimers"]
)
def test_films_end_with_the_picture(text: str) -> None:
    puzzle = sl.puzzle(text)
    there = random_walk(puzzle, 3)
    back = sl.Solution(
        there.goal, there.start, [sl.Move(m.piece, m.after, m.before) for m in reversed(there.moves)]
    )
    film = Film(back, size=40, seconds=0.1, image=PHOTO)
    *_, last = _frames(film)
    drawn = draw(puzzle.goal, image=PHOTO, size=40)
    rendered = pixels(drawn.png(round(drawn.width)))
    part = last[: len(rendered) - 4, : rendered.shape[1]].astype(int)
    assert (np.abs(part - rendered[: len(part)]).max(axis=2) > 40).mean() < 0.01
    assert PHOTO_DENSITY == 1.0


@pytest.mark.parametrize("kind", ["gif", "apng", "mp4"])
def test_film_files_show_the_picture(tmp_path: Path, kind: str) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    still = sl.Solution(puzzle.goal, puzzle.goal, ())
    still.animate(tmp_path / f"x.{kind}", image=PHOTO, size=40)
    if kind == "mp4":
        assert (tmp_path / "x.mp4").stat().st_size > 1000
        return
    with Image.open(tmp_path / f"x.{kind}") as read:
        seen = np.asarray(read.convert("RGB")).astype(int)
    assert_carried(puzzle.goal, seen, 1.0, 40.0)


def test_players_carry_the_picture(tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    solution = puzzle.solve(puzzle.shuffle(seed=1))
    page, plain = player_html(solution, image=PHOTO), player_html(solution)
    assert page.count("data:image/jpeg;base64,") == puzzle.piece_count
    assert "data:image/jpeg" not in plain
    assert page.count("<image ") == page.count('<use href="#i') == puzzle.piece_count
    assert page.count('<path d="M') < player_html(solution, image=PHOTO, labels=True).count('<path d="M')
    solution.animate(tmp_path / "x.html", image=PHOTO)
    assert (tmp_path / "x.html").read_text() == page


def test_pages_to_play_on_carry_the_picture(run: Run, tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(PHOTO)
    target = tmp_path / "x.html"
    words = ("draw", "square R(3,2)", "--play", "-o", str(target), "--image", str(tmp_path / "photo.png"))
    assert run(*words).code == 0
    assert target.read_text().count("data:image/jpeg;base64,") == 5
    sl.puzzle("square R(3,2)").page(tmp_path / "y.html", image=PHOTO)
    assert (tmp_path / "y.html").read_text() == target.read_text()


def test_stories_hold_each_part_once() -> None:
    puzzle = sl.puzzle("square R(3,2)")
    solution = puzzle.solve(puzzle.shuffle(seed=1))
    assert solution.length > 3
    story = storyboard(solution, image=PHOTO)
    parsed(story.svg)
    assert story.svg.count("data:image/jpeg") == puzzle.piece_count


def test_another_goal_shows_the_picture() -> None:
    puzzle = sl.puzzle("square R(2,2)")
    other = puzzle.configuration("2 3 1 .")
    assert draw(other, image=PHOTO, goal="2 3 1 .").png() == draw(puzzle, image=PHOTO).png()


def test_labels() -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    plain, bare = draw(puzzle), draw(puzzle, labels=False)
    assert draw(puzzle, labels=True).svg == plain.svg
    assert len(bare.svg) < len(plain.svg)
    photo_only, numbered = draw(puzzle, image=PHOTO), draw(puzzle, image=PHOTO, labels=True)
    assert draw(puzzle, image=PHOTO, labels=False).svg == photo_only.svg
    assert len(photo_only.svg) < len(numbered.svg)


def test_pictures_of_all_modes(tmp_path: Path) -> None:
    rgb = gradient()
    clear = rgb.convert("RGBA")
    clear.putalpha(Image.new("L", rgb.size, 0))
    deep = Image.fromarray(np.full((30, 40), 40_000, np.uint16))
    cases: list[tuple[bytes, tuple[int, int, int]]] = [
        (encoded(rgb.convert("P")), (128, 128, 90)),
        (encoded(rgb, "JPEG", quality=95), (128, 128, 90)),
        (encoded(rgb.convert("CMYK"), "JPEG", quality=95), (128, 128, 90)),
        (encoded(rgb.convert("L")), (123, 123, 123)),
        (encoded(clear), (255, 255, 255)),
        (encoded(rgb.convert("LA")), (123, 123, 123)),
        (encoded(deep), (156, 156, 156)),
        (encoded(Image.new("1", (5, 5), 1)), (255, 255, 255)),
        (encoded(Image.new("RGB", (1, 1), "#102030")), (16, 32, 48)),
    ]
    puzzle = sl.puzzle("square R(3,1)")
    for data, colour in cases:
        seen = pixels(draw(puzzle, image=data, size=40).png(600))
        canvas = Canvas(puzzle.board, LIGHT, 40.0)
        x, y = canvas.centre(1)
        ratio = 600 / canvas.width
        assert np.abs(seen[int(y * ratio), int(x * ratio)] - colour).max() < 16
    (tmp_path / "x.png").write_bytes(PHOTO)
    assert draw(puzzle, image=tmp_path / "x.png").svg == draw(puzzle, image=PHOTO).svg
    assert draw(puzzle, image=str(tmp_path / "x.png")).svg == draw(puzzle, image=PHOTO).svg


def test_cameras_turn_pictures() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = encoded(gradient(), "JPEG", quality=95, exif=exif.tobytes())
    with Image.open(io.BytesIO(turned)) as image:
        upright = ImageOps.exif_transpose(image)
    assert upright.size == (300, 400)
    one, two = (pixels(draw("square R(2,2)", image=data).png(200)) for data in (turned, encoded(upright)))
    assert np.abs(one - two).mean() < 2


def bomb(width: int, height: int) -> bytes:
    """Return a small PNG that claims to be huge."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(bytes(10_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", PuzzleError, "expected a PNG or JPEG image, got something else - at 0 bytes"),
        (b"\x89PNG\r\n\x1a\n", PuzzleError, "expected a PNG or JPEG image, got"),
        (PHOTO[:-500], PuzzleError, "got a damaged one"),
        (encoded(gradient(), "JPEG")[:2000], PuzzleError, "got a damaged one"),
        (encoded(gradient(), "GIF"), PuzzleError, "got something else"),
        (bomb(9_000, 9_000), TooLarge, "at most 80,000,000 pixels, got 9,000 x 9,000"),
        (bomb(60_000, 60_000), TooLarge, "at most 80,000,000 pixels, got"),
        (bomb(100, 100)[:60], PuzzleError, "expected a PNG or JPEG image, got"),
        (3, NotationError, "expected a PNG or JPEG file for the image, got int"),
        ("no/such/file.png", PuzzleError, "expected an image file, got 'no/such/file.png', which is none"),
        ("tests", PuzzleError, "expected an image file, got 'tests', which is none"),
        ("a\0b", PuzzleError, "b"),
    ],
)
def test_bad_images(data: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as refused:
        draw("square R(2,2)", image=data)
    assert "\n" not in str(refused.value)


def test_every_prefix_of_a_file_is_refused_or_read() -> None:
    data = encoded(gradient(24, 18))
    for length in range(0, len(data), 7):
        with contextlib.suppress(PuzzleError):
            Photograph.read(data[:length])


def test_large_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo, "MAX_FILE_BYTES", 1000)
    (tmp_path / "x.png").write_bytes(PHOTO)
    for source in (tmp_path / "x.png", PHOTO):
        with pytest.raises(TooLarge, match="expected an image of at most 1,000 bytes, got"):
            Photograph.read(source)


def test_images_need_pieces_that_differ() -> None:
    alike = sl.puzzle("square R(2,2)", colours=["a", "a", "b"])
    ends = sl.puzzle("hex F(2) gourds", colours=[["a", "a"], ["b", "c"], ["d", "e"]])
    for puzzle in (alike, ends):
        with pytest.raises(PuzzleError, match="expected pieces that are all different for an image"):
            draw(puzzle, image=PHOTO)
    different = sl.puzzle("square R(2,2)", colours=["a", "c", "b"])
    assert "<image" in draw(different, image=PHOTO).svg
    with pytest.raises(NotationError, match="got a board"):
        draw(sl.board("square R(2,2)"), image=PHOTO)
    with pytest.raises(NotationError, match="expected groups of pieces or an image, got both"):
        draw("square R(2,2)", image=PHOTO, groups={"x": [0]})
    with pytest.raises(TooLarge, match="expected at most 5,000 pieces for an image"):
        draw("square R(80,80)", image=PHOTO)


@pytest.mark.parametrize("kind", ["svg", "png", "pdf", "gif", "html"])
def test_the_command(run: Run, tmp_path: Path, kind: str) -> None:
    (tmp_path / "photo.png").write_bytes(PHOTO)
    target = tmp_path / f"x.{kind}"
    words = (
        "draw",
        "square R(2,2)",
        "--start",
        "3 1 / . 2",
        "--image",
        str(tmp_path / "photo.png"),
        "--size",
        "20",
    )
    assert run(*words, "-o", str(target), "--labels").code == 0
    with_labels = target.read_bytes()
    assert run(*words, "-o", str(target)).code == 0
    assert target.read_bytes() != with_labels


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "x.svg", "--image", "nothing.png"], "expected an image file"),
        (["-o", "x.svg", "--image", "x.txt"], "got something else"),
        (
            ["-o", "x.stl", "--image", "photo.png"],
            "expected --image with a film, --play, or --show position, moves or story",
        ),
        (["-o", "x.svg", "--show", "graph", "--image", "photo.png"], "expected --image with a film"),
        (["-o", "x.svg", "--show", "board", "--labels"], "expected --labels with a film"),
    ],
)
def test_refusals_of_the_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("photo.png").write_bytes(PHOTO)
    Path("x.txt").write_text("hello")
    one_line(run("draw", "square R(2,2)", *words), 2, message)
    assert not Path("x.svg").exists()


def test_moments_have_no_picture() -> None:
    assert "<image" not in moment(sl.position("square R(2,2) : 1 2 . 3"), "3:3>2", 0.5).svg
