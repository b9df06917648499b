"""The renderer of solids, checked pixel by pixel."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import slidelab as sl
from slidelab.draw.print import render as renders
from slidelab.draw.print import solid
from slidelab.draw.print.render import render
from slidelab.draw.theme import DARK, LIGHT
from slidelab.errors import NotationError, TooLarge

Triple = tuple[float, float, float]


def pixels(data: bytes) -> NDArray[np.int64]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def rgb(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def box(low: Triple, high: Triple, colour: Triple) -> tuple[Any, Any, Any]:
    """Return a cuboid of one colour."""
    import trimesh

    mesh = trimesh.creation.box(bounds=[low, high])
    return np.array(mesh.vertices), np.array(mesh.faces), np.tile(colour, (12, 1))


def test_a_box_has_a_top_a_front_and_a_shadow() -> None:
    image = pixels(render([box((0, 0, 0), (10, 10, 6), (0.8, 0.2, 0.2))], width=200))
    assert image.shape[1] == 200
    assert image[1, 1].tolist() == [255, 255, 255]
    red = (image[..., 0] - image[..., 1]) > 40
    rows = np.flatnonzero(red.any(axis=1))
    column = image[rows[0] : rows[-1], 100, 0]
    # The top has its own colour, the front is darker.
    assert column[len(column) // 3] == pytest.approx(0.8 * 255, abs=2)
    assert column[-5] < 0.75 * 255
    # The table is darkest on the right of the box, away from the lamp.
    grey = (np.ptp(image, axis=2) < 12) & ~red
    dark = grey & (image[..., 0] < 180)
    columns = np.flatnonzero(red.any(axis=0))
    assert dark[:, columns[-1] + 2 :].sum() > 100
    assert dark[:, : columns[0] - 1].sum() == 0


def test_closer_solids_hide_others() -> None:
    low, tall = box((0, 0, 0), (10, 10, 1), (0, 0, 1)), box((3, 3, 1), (7, 7, 9), (0, 1, 0))
    first, second = (pixels(render(order, width=120)) for order in ([low, tall], [tall, low]))
    assert (first == second).all()
    middle = first[first.shape[0] // 2, 60]
    assert middle[1] > 100 > middle[2]


def test_the_picture_shows_the_configuration() -> None:
    puzzle = sl.puzzle("square R(2,2)")
    made = solid(puzzle)
    goal, other = pixels(made.render(width=240)), pixels(made.render("1 2 / . 3", width=240))
    height, width = goal.shape[:2]

    def blue(image: NDArray[np.int64], column: int) -> float:
        part = image[height // 2 :, column * width // 2 : (column + 1) * width // 2]
        return float(((part[..., 2] - part[..., 0]) > 60).mean())

    assert blue(goal, 0) > 2 * blue(goal, 1)
    assert blue(other, 1) > 2 * blue(other, 0)


def test_themes_set_paper_and_pieces() -> None:
    made = solid(sl.puzzle("hex F(2) gourds 1"))
    for theme in (LIGHT, DARK):
        image = pixels(made.render(width=300, theme=theme.name))
        assert image[2, 2].tolist() == pytest.approx(rgb(theme.paper), abs=3)
        for colour in (theme.piece, theme.other_end):
            is_similar = np.abs(image - rgb(colour)).max(axis=2) < 8
            assert is_similar.mean() > 0.01


def test_wrong_widths_are_refused() -> None:
    made = solid(sl.puzzle("square R(2,2)"))
    widths: list[Any] = [0, -5, 15, 1.5, 1200.0, float("nan"), True, None, "wide"]
    for width in widths:
        with pytest.raises(NotationError, match="expected a width in pixels, got"):
            made.render(width=width)
    with pytest.raises(TooLarge, match="expected a width of at most 6000 pixels, got 10000000"):
        made.render(width=10**7)
    with pytest.raises(TooLarge, match="expected a width of at most 6000 pixels, got 1000"):
        made.render(width=10**400)


def test_too_many_pixels_are_refused_before_rasterizing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tower = [box((0, 0, 0), (1, 60, 1), (0.5, 0.5, 0.5))]
    monkeypatch.setattr(renders, "_rasterize", None)
    for width in (2400, 6000):
        with pytest.raises(TooLarge, match=rf"expected at most 20,000,000 pixels, got {width:,} x [\d,]+$"):
            render(tower, width=width)


def test_bands_fit_together_and_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    solids = [box((0, 0, 0), (10, 10, 1), (0, 0, 1)), box((3, 3, 1), (7, 7, 9), (0, 1, 0))]
    whole = pixels(render(solids, width=90))
    assert len(whole) > 50
    visible: Any = renders._visible
    sizes: list[int] = []

    def spy(scene: Any, camera: Any) -> Any:
        sizes.append(camera.width * camera.height)
        return visible(scene, camera)

    monkeypatch.setattr(renders, "_visible", spy)
    for band, max_size in ((1, 2 * 180), (5000, 5000)):
        monkeypatch.setattr(renders, "BAND_PIXELS", band)
        sizes.clear()
        assert np.abs(pixels(render(solids, width=90)) - whole).max() <= 2
        assert max(sizes) <= max_size
        assert sum(sizes) == 4 * whole.shape[0] * whole.shape[1]
