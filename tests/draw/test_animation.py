"""Films: duration, frames and formats, read back by other programs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageSequence

import slidelab as sl
from draw.test_scene import pixels
from slidelab.draw.film import animate, moment
from slidelab.draw.film.frames import Film, timing
from slidelab.draw.picture import draw
from slidelab.draw.picture.motions import ease
from slidelab.draw.scene import Picture
from slidelab.draw.theme import LIGHT
from slidelab.errors import IllegalMove, NotationError, PuzzleError, TooLarge
from slidelab.puzzles import Solution

FAR = [[0, 0], [9, 0], [3, 0.92], [4.2, 0.92], [5.4, 0.92], [6.6, 0.92]]
PUZZLES = {
    "tiles": sl.puzzle("square R(3,3)"),
    "hextiles": sl.puzzle("hex F(2)"),
    "gourds": sl.puzzle("hex F(2) gourds"),
    "graph": sl.puzzle("theta(1,2,2)"),
    "colours": sl.puzzle("square R(3,2)", colours=["a", "a", "b", "b", "b"]),
    "trimers": sl.puzzle("hex F(2) trimers"),
}


def random_walk(puzzle: sl.Puzzle, seed: int, length: int = 6) -> Solution:
    """Return a few random moves as a solution."""
    rng, here = random.Random(seed), puzzle.goal
    moves: list[sl.Move] = []
    for _ in range(length):
        moves.append(rng.choice(list(here.moves)))
        here = here.play(moves[-1])
    return Solution(puzzle.goal, here, tuple(moves))


# Gourds whose long necks cross the box in which others move.
far = sl.board({"kind": "graph", "vertices": 6, "edges": [[0, 1], [2, 3], [3, 4], [4, 5]], "positions": FAR})
PUZZLES["long necks"] = sl.puzzle(far, "gourds", 2)


SOLUTIONS = {name: random_walk(puzzle, 7) for name, puzzle in PUZZLES.items()}


@pytest.fixture(scope="module", params=SOLUTIONS)
def solution(request: pytest.FixtureRequest) -> Solution:
    return SOLUTIONS[str(request.param)]


@given(st.integers(0, 3000), st.sampled_from([5, 10, 20, 25, 50]))
def test_films_of_long_solutions_are_short(moves: int, fps: int) -> None:
    pace = timing(moves, fps=fps)
    assert pace.frame_count(moves) == pace.first + pace.last + moves * (pace.moving + pace.rest)
    assert pace.duration(moves) <= max(60, 3 + moves / fps)
    assert pace.moving >= 1


def test_gif(solution: Solution, tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    animate(solution, path, size=24)
    film = Film(solution, size=24)
    with Image.open(path) as read:
        assert read.size == (film.width, film.height)
        assert read.info["loop"] == 0
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(read)]
    assert len(durations) == 1 + solution.length * film.timing.moving
    assert sum(durations) == round(1000 * film.timing.duration(solution.length))


def test_apng(solution: Solution, tmp_path: Path) -> None:
    path = tmp_path / "film.apng"
    animate(solution, path, size=24)
    pace = timing(solution.length)
    with Image.open(path) as read:
        assert read.format == "PNG"
        frame_count = getattr(read, "n_frames", 0)
        assert frame_count == 1 + solution.length * pace.moving
        total = 0
        for number in range(frame_count):
            read.seek(number)
            total += read.info["duration"]
    assert total == round(1000 * pace.duration(solution.length))


def test_mp4(solution: Solution, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    animate(solution, path, size=24, fps=10)
    pace = timing(solution.length, fps=10)
    with av.open(str(path)) as read:
        stream = read.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.average_rate == 10
        frames = [frame.to_ndarray(format="rgb24") for frame in read.decode(stream)]
        assert read.duration is not None
        assert read.duration / 1e6 == pytest.approx(pace.duration(solution.length), abs=0.11)
    assert len(frames) == pace.frame_count(solution.length)
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")  # browsers can start before all is loaded
    whole = list(_frames(Film(solution, size=24, fps=10)))
    for rendered, decoded in ((whole[0], frames[0]), (whole[-1], frames[-1])):
        assert np.abs(rendered.astype(int) - decoded.astype(int)).mean() < 6  # video is lossy


def _frames(film: Film) -> Iterator[NDArray[np.uint8]]:
    """Yield full frames, put together from the patches independently of the writers."""
    picture = np.zeros((film.height, film.width, 3), dtype=np.uint8)
    for patch in film.patches():
        left, top, right, bottom = patch.box
        picture[top:bottom, left:right] = np.asarray(patch.image)
        yield picture.copy()


def assert_similar(frame: NDArray[np.uint8], picture: Picture) -> None:
    """Assert that hardly a pixel of a frame, without its counter, differs from a picture."""
    drawn = pixels(picture.png(round(picture.width)))
    part = frame[: len(drawn) - 4, : drawn.shape[1]].astype(int)
    difference = np.abs(part - drawn[: len(part)]).max(axis=2)
    assert (difference > 96).sum() <= 12


def test_frames_match_drawings(solution: Solution) -> None:
    """Frames after a move match drawings of the configuration, those in between drawings of the moment."""
    film = Film(solution, size=32, seconds=0.2)
    frames = list(_frames(film))
    here, each = solution.start, film.timing.moving
    assert each > 2
    for number, move in enumerate(solution.moves):
        assert_similar(frames[number * each], draw(here, size=32))
        assert_similar(frames[number * each + 2], moment(here, move, ease(2 / each), size=32))
        assert (frames[number * each + 2] != frames[number * each]).any()
        here = here.play(move)
    assert_similar(frames[-1], draw(here, size=32))
    assert here == solution.goal


def test_long_films_are_refused() -> None:
    with pytest.raises(TooLarge, match=r"an \.html player has no such limit"):
        timing(3000, seconds=1)


@pytest.mark.parametrize("kind", ["gif", "apng"])
def test_files_show_the_film(tmp_path: Path, kind: str) -> None:
    """What Pillow reads matches the film, except for colours that were replaced by similar ones."""
    solution = SOLUTIONS["gourds"]
    animate(solution, tmp_path / f"film.{kind}", size=24, seconds=0.2)
    frames = list(_frames(Film(solution, size=24, seconds=0.2)))
    with Image.open(tmp_path / f"film.{kind}") as read:
        for frame, rendered in zip(ImageSequence.Iterator(read), frames, strict=True):
            decoded = np.asarray(frame.convert("RGB")).astype(int)
            assert np.abs(decoded - rendered).mean() < 0.5
            assert np.abs(decoded - rendered).max() < 90


def test_the_progress_bar_grows() -> None:
    solution = SOLUTIONS["tiles"]
    film = Film(solution, size=40, seconds=0.2)
    accent = np.array([int(LIGHT.accent[k : k + 2], 16) for k in (1, 3, 5)])
    lengths = []
    for frame in list(_frames(film))[:: film.timing.moving]:
        strip = frame[-20:]
        lengths.append(int((np.abs(strip.astype(int) - accent).max(axis=2) < 3).sum()))
    assert lengths[0] == 0
    assert lengths == sorted(set(lengths))


def test_empty_solutions(tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(2,2)")
    still = puzzle.solve(puzzle.goal)
    for kind in ("gif", "apng", "mp4"):
        animate(still, tmp_path / f"still.{kind}", size=20)
        assert (tmp_path / f"still.{kind}").stat().st_size > 100


def test_solutions_animate_themselves(tmp_path: Path) -> None:
    SOLUTIONS["tiles"].animate(tmp_path / "a.gif", theme="dark", size=20)
    SOLUTIONS["tiles"].animate(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text().lstrip().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        ("a.avi", {}, PuzzleError, "ends in .gif, .apng, .mp4 or .html"),
        ("nowhere/a.gif", {}, PuzzleError, "a folder that exists"),
        ("a.gif", {"fps": 0}, NotationError, "frames a second"),
        ("a.gif", {"fps": 30}, NotationError, "20, 25 or 50 frames a second, got 30"),
        ("a.gif", {"seconds": -1}, NotationError, "expected a time in seconds"),
        ("a.gif", {"seconds": float("inf")}, NotationError, "at most 60 seconds a move, got inf"),
        ("a.html", {"seconds": float("inf")}, NotationError, "at most 60 seconds a move, got inf"),
        ("a.gif", {"size": 2000}, TooLarge, "4,000,000 pixels a frame"),
        ("a.gif", {"theme": "neon"}, NotationError, "expected a theme"),
    ],
)
def test_errors_leave_no_files(
    tmp_path: Path, name: str, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        animate(SOLUTIONS["tiles"], tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_interrupts_leave_no_files(tmp_path: Path) -> None:
    def stop(phase: str, done: int, total: int) -> None:
        if done > 3:
            raise KeyboardInterrupt

    for kind in ("gif", "apng", "mp4"):
        with pytest.raises(KeyboardInterrupt):
            animate(SOLUTIONS["tiles"], tmp_path / f"a.{kind}", progress=stop)
    assert list(tmp_path.iterdir()) == []


def test_moments_need_a_legal_move() -> None:
    here = sl.position("square R(2,2) : 1 2 . 3")
    times: list[Any] = [-0.1, 1.1, float("nan"), True, "now"]
    for time in times:
        with pytest.raises(NotationError, match="a time from 0 to 1"):
            moment(here, "3:3>2", time)
    with pytest.raises(IllegalMove):
        moment(sl.puzzle("square R(2,2)").goal, sl.Move(1, (0,), (3,)), 0.5)


@pytest.mark.parametrize(
    "text", ["square R(4,4)", "hex P(3,4)", "theta(2,2,3)", "square R(20,20)", "hex F(3) gourds"]
)
def test_films_fill_a_good_part_of_a_screen(text: str) -> None:
    goal = sl.puzzle(text).goal
    still = Solution(goal, goal, ())
    for kind, side in (("mp4", 760), ("apng", 560), ("gif", 480)):
        film = Film(still, kind=kind)
        assert side - 40 <= max(film.width, film.height) <= side + 30
    given = Film(still, size=10.0, kind="mp4")
    assert max(given.width, given.height) < 300


@pytest.mark.parametrize("text", ["square R(60,60)", "square R(100,100)", "square R(3000,2)"])
def test_films_of_large_boards_are_not_too_large(text: str) -> None:
    goal = sl.puzzle(text).goal
    film = Film(Solution(goal, goal, ()), kind="mp4")
    assert 700 < max(film.width, film.height) < 1100
