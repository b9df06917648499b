"""A picture of solids: how the printed puzzle will look on the table.

Every triangle is cut into rows of pixels, every row into pixels, and of all that fall on the same pixel the
nearest is kept: arrays of them at a time, no loop over triangles. There are two lights: a lamp, high on the
left, whose shadows are found by looking at the solids from there in the same way; and the sky, which sees
less of a place the more stands around it. The picture is drawn in bands, so that a large one takes time but
not much more memory than a small one.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slidelab.draw.theme import LIGHT, Theme, channels
from slidelab.errors import NotationError, PuzzleError, TooLarge

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]
    Singles = NDArray[np.float32]
    Places = tuple[Singles, Singles, Singles]

__all__ = ["MAX_PIXELS", "MAX_WIDTH", "MIN_WIDTH", "render"]

MIN_WIDTH, MAX_WIDTH = 16, 6_000
FINER = 2  # pixels are drawn so many times finer each way, and then averaged
MAX_PIXELS = 20_000_000 * FINER**2
"""How many of those finer pixels a picture may have."""
BAND = 3_000_000  # of them at a time
ELEVATION = math.radians(52)
DISTANCE = 4.5  # of the eye, in widths of what it looks at
LAMP = (-0.42, 0.38, 0.82)
LAMPLIGHT = 0.55  # its share of all light
CHUNK = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """All triangles in one: corners (n, 3, 3), normals and colours."""

    corners: Floats
    normals: Floats
    colours: Floats


def render(
    solids: Sequence[tuple[Floats, NDArray[np.int64], Floats]], *, width: int = 1200, theme: Theme = LIGHT
) -> bytes:
    """The solids on a table, as PNG: for each its corners, triangles, and a colour for each triangle.

    Colours are red, green and blue from 0 to 1; z grows upwards from the table at z = 0.

    >>> import numpy as np
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    >>> render([(corners, faces, np.full((4, 3), 0.5))], width=40)[:4]
    b'\\x89PNG'
    """
    import numpy as np

    _check_width(width)
    try:
        from PIL import Image
    except ImportError:
        raise PuzzleError("PNG needs the package pillow: pip install 'slidelab[png]'") from None
    scene = _scene(solids)
    eye = _Eye.on(scene.corners.reshape(-1, 3), width * FINER)
    if eye.wide * eye.high > MAX_PIXELS:
        raise TooLarge(
            f"expected at most {MAX_PIXELS // FINER**2:,} pixels, got {width:,} x {eye.high // FINER:,}"
        )
    lamp, sky = _Lamp.over(scene), _Sky.over(scene)
    paper = [channel / 255 for channel in channels(theme.paper)]
    # Light adds up as it is, not as screens write it down.
    linear = np.concatenate([scene.colours, [paper]]).astype(np.float32) ** 2.2
    pixels = np.empty((eye.high // FINER, width, 3), np.uint8)
    for band, rows in _bands(eye):
        seen, places = _seen(scene, band)
        light = _daylight(scene, lamp, sky, places, seen)
        for k in range(3):
            mean = _averaged(np.minimum(linear[seen, k] * light, 1))
            pixels[rows, :, k] = np.round(255 * mean ** (1 / 2.2))
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def _check_width(width: object) -> None:
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    if width < MIN_WIDTH:
        raise NotationError(f"expected a width in pixels, got {width} - the least is {MIN_WIDTH}")
    if width > MAX_WIDTH:
        raise TooLarge(f"expected a width of at most {MAX_WIDTH} pixels, got {width!r:.40}")


def _bands(eye: _Eye) -> Iterator[tuple[_Eye, slice]]:
    """The picture from the top to the bottom: an eye that sees only a band, and the rows where it belongs."""
    step = FINER * max(1, BAND // (FINER * eye.wide))
    for first in range(0, eye.high, step):
        last = min(first + step, eye.high)
        left, top = eye.shift
        band = replace(eye, high=last - first, shift=(left, top - first / eye.scale))
        yield band, slice(first // FINER, last // FINER)


def _averaged(fine: Floats) -> Floats:
    """Blocks of fine pixels made one."""
    rows = sum((fine[k::FINER] for k in range(1, FINER)), fine[::FINER])
    columns = sum((rows[:, k::FINER] for k in range(1, FINER)), rows[:, ::FINER])
    return columns / FINER**2


def _scene(solids: Sequence[tuple[Floats, NDArray[np.int64], Floats]]) -> _Scene:
    import numpy as np

    corners = np.concatenate([vertices[triangles] for vertices, triangles, _ in solids])
    colours = np.concatenate([paint for _, _, paint in solids])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    some = length > 1e-9
    return _Scene(corners[some], normals[some] / length[some, None], colours[some])


@dataclass(frozen=True, slots=True, eq=False)
class _Eye:
    """Who looks: three directions (right, up, towards the eye), the middle of the view, the picture's size.

    `far` is how far the eye is from that middle.
    """

    axes: Floats
    middle: Floats
    far: float
    scale: float
    wide: int
    high: int
    shift: tuple[float, float]

    @staticmethod
    def on(points: Floats, wide: int) -> _Eye:
        """An eye in front of and above the points, so that they fill the width but for a margin."""
        import numpy as np

        sin, cos = math.sin(ELEVATION), math.cos(ELEVATION)
        axes = np.array([[1, 0, 0], [0, sin, cos], [0, -cos, sin]])
        low, high = points.min(axis=0), points.max(axis=0)
        middle = (low + high) / 2
        far = DISTANCE * float(np.linalg.norm((high - low)[:2])) / math.sqrt(2)
        plain = _Eye(axes, middle, far, 1.0, wide, 1, (0.0, 0.0)).flat(points)
        left, top = plain[:, :2].min(axis=0).tolist()
        right, bottom = plain[:, :2].max(axis=0).tolist()
        margin = 0.06 * max(right - left, bottom - top)
        scale = wide / (right - left + 2 * margin)
        tall = FINER * round((bottom - top + 2 * margin) * scale / FINER)
        return _Eye(axes, middle, far, scale, wide, max(FINER, tall), (margin - left, margin - top))

    def flat(self, points: Floats) -> Floats:
        """Where points are in the picture, and how near: a measure that is linear across a flat face."""
        import numpy as np

        right, up, near = np.moveaxis((points - self.middle) @ self.axes.T, -1, 0)
        nearness = self.far / (self.far - near)
        across = np.stack([right, -up], axis=-1) * nearness[..., None]
        return np.concatenate([(across + self.shift) * self.scale, nearness[..., None]], axis=-1)

    def places(self, nearness: Floats, on_table: NDArray[np.bool_]) -> Places:
        """The points that are seen in each pixel; -inf stands for the table, z = 0."""
        import numpy as np

        across = ((np.arange(self.wide) + 0.5) / self.scale - self.shift[0])[None].astype(np.float32)
        up = (self.shift[1] - (np.arange(self.high) + 0.5) / self.scale)[:, None].astype(np.float32)
        start, back = self.middle + self.far * self.axes[2], self.far * self.axes[2]
        # A ray goes from the eye through a point beside the middle; it gets there where nearness is 1.
        right, ahead, start, back = (a.astype(np.float32) for a in (*self.axes[:2], start, back))
        rays = [across * right[k] + up * ahead[k] - back[k] for k in range(3)]
        share = np.where(on_table, -start[2] / np.minimum(rays[2], np.float32(-1e-9)), 1 / nearness)
        x, y, z = (start[k] + share * rays[k] for k in range(3))
        return x, y, z


def _fragments(flat: Floats, wide: int, high: int) -> tuple[Floats, NDArray[np.int32]]:
    """Of each pixel the nearest nearness and the number of its triangle; -inf and -1 where nothing is."""
    import numpy as np

    nearness = np.full(wide * high, -np.inf, np.float32)
    number = np.full(wide * high, -1, np.int32)
    x, y = flat[:, :, 0], flat[:, :, 1]
    first = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, high).astype(np.int64)
    last = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, high).astype(np.int64)
    # Nearness is a linear function of the place: its slopes by Cramer's rule.
    ax, ay, az = (flat[:, 1] - flat[:, 0]).T
    bx, by, bz = (flat[:, 2] - flat[:, 0]).T
    area = ax * by - ay * bx
    safe = np.where(np.abs(area) > 1e-12, area, np.inf)
    slope_x, slope_y = (az * by - bz * ay) / safe, (ax * bz - bx * az) / safe
    triangle = np.repeat(np.arange(len(flat)), last - first)
    row = _counted(first, last)
    left, right = _spans(x[triangle], y[triangle], row + 0.5)
    begin = np.clip(np.ceil(left - 0.5), 0, wide).astype(np.int64)
    end = np.maximum(begin, np.clip(np.ceil(right - 0.5), 0, wide).astype(np.int64))
    filled = np.cumsum(end - begin)
    start = 0
    while start < len(row):
        done = filled[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(filled, done + CHUNK)))
        part = slice(start, stop)
        count = end[part] - begin[part]
        own = np.repeat(triangle[part], count)
        column = _counted(begin[part], end[part])
        line = np.repeat(row[part], count)
        depth = (
            flat[own, 0, 2]
            + slope_x[own] * (column + 0.5 - x[own, 0])
            + slope_y[own] * (line + 0.5 - y[own, 0])
        ).astype(np.float32)
        at = line * wide + column
        np.maximum.at(nearness, at, depth)
        wins = nearness[at] == depth
        number[at[wins]] = own[wins]
        start = stop
    return nearness.reshape(high, wide), number.reshape(high, wide)


def _counted(first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """The whole numbers from each first up to each last, one range after the other."""
    import numpy as np

    count = last - first
    numbers: NDArray[np.int64] = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
    return numbers


def _spans(x: Floats, y: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Where the row at a level enters and leaves each triangle."""
    import numpy as np

    left, right = np.full(len(level), np.inf), np.full(len(level), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (y[:, a] > level) != (y[:, b] > level)
        rise = np.where(crosses, y[:, b] - y[:, a], 1.0)
        at = x[:, a] + (level - y[:, a]) / rise * (x[:, b] - x[:, a])
        left = np.where(crosses, np.minimum(left, at), left)
        right = np.where(crosses, np.maximum(right, at), right)
    return np.where(right < left, 0.0, left), np.where(right < left, 0.0, right)


def _seen(scene: _Scene, eye: _Eye) -> tuple[NDArray[np.int32], Places]:
    """For each pixel the triangle that is seen there (-1: the table) and the point."""
    import numpy as np

    start = eye.middle + eye.far * eye.axes[2]
    faces = np.flatnonzero(((start - scene.corners[:, 0]) * scene.normals).sum(axis=1) > 0)
    nearness, number = _fragments(eye.flat(scene.corners[faces]), eye.wide, eye.high)
    seen = np.concatenate([faces, [-1]]).astype(np.int32)[number]
    return seen, eye.places(nearness, number < 0)


def _daylight(scene: _Scene, lamp: _Lamp, sky: _Sky, places: Places, seen: NDArray[np.int32]) -> Singles:
    """How much light there is at each place that is seen."""
    import numpy as np

    normals = np.concatenate([scene.normals, [[0.0, 0.0, 1.0]]])
    # Chosen so that a level place in the open has exactly its own colour, as the paper must.
    direct = (LAMPLIGHT * np.maximum(normals @ lamp.axes[2], 0) / lamp.axes[2, 2]).astype(np.float32)
    upward = ((1 - LAMPLIGHT) * (0.6 + 0.4 * normals[:, 2])).astype(np.float32)
    light: Singles = direct[seen] * lamp.shines_on(places) + upward[seen] * sky.free_above(places)
    return light


@dataclass(frozen=True, slots=True, eq=False)
class _Sky:
    """The height of the land around each place, averaged over three distances, each with its weight.

    The land is what is seen from straight above, as a square map.
    """

    around: Sequence[tuple[float, Singles]]
    size: int
    scale: float
    shift: tuple[float, float]

    @staticmethod
    def over(scene: _Scene) -> _Sky:
        import numpy as np

        low, high = scene.corners.min(axis=(0, 1)), scene.corners.max(axis=(0, 1))
        across, tall, size = float(max(high[:2] - low[:2])), float(high[2]), 700
        margin = 0.15 * across
        scale = size / (across + 2 * margin)
        flat = (scene.corners - low + margin) * scale
        flat[..., 2] = scene.corners[..., 2]
        height = np.maximum(_fragments(flat[scene.normals[:, 2] > 0], size, size)[0], 0.0)
        around = []
        for reach, weight in ((0.25, 0.5), (0.8, 0.45), (2.5, 0.35)):
            radius = min(max(1, round(reach * tall * scale / 2)), size // 45)  # the margin stays clear
            mean = _blurred(_blurred(height.astype(np.float64), radius), radius)
            around.append((weight / tall, mean.astype(np.float32).ravel()))
        return _Sky(around, size, scale, (margin - low[0], margin - low[1]))

    def free_above(self, places: Places) -> Singles:
        """How much of the sky is free, from how far the land around stands above each place."""
        import numpy as np

        pixel = _pixels(places[0], places[1], self.shift, self.scale, self.size)
        free = np.ones(pixel.shape, np.float32)
        for weight, height in self.around:
            free -= np.float32(weight) * np.maximum(height[pixel] - places[2], 0)
        return np.maximum(free, np.float32(0.15))


def _pixels(x: Floats, y: Floats, shift: tuple[float, float], scale: float, size: int) -> NDArray[np.int32]:
    """The numbers of the pixels of a square picture in which places fall, the nearest for those outside."""
    import numpy as np

    column = np.clip((x + np.float32(shift[0])) * np.float32(scale), 0, size - 1).astype(np.int32)
    row = np.clip((y + np.float32(shift[1])) * np.float32(scale), 0, size - 1).astype(np.int32)
    pixels: NDArray[np.int32] = row * np.int32(size) + column
    return pixels


def _blurred(image: Floats, radius: int) -> Floats:
    """Each value averaged with those up to the radius away, in both directions."""
    import numpy as np

    for axis in (0, 1):
        wide = [(0, 0), (0, 0)]
        wide[axis] = (radius + 1, radius)
        total = np.cumsum(np.pad(image, wide, mode="edge"), axis=axis)
        span = 2 * radius + 1
        ahead, behind = np.split(total, [total.shape[axis] - image.shape[axis]], axis=axis)[1], total
        image = (ahead - np.take(behind, range(image.shape[axis]), axis=axis)) / span
    return image


@dataclass(frozen=True, slots=True, eq=False)
class _Lamp:
    """Where the lamp is, as the last of three axes, and the nearest that it sees, as a square map."""

    axes: Floats
    nearest: Singles
    size: int
    scale: float
    shift: tuple[float, float]

    @staticmethod
    def over(scene: _Scene) -> _Lamp:
        import numpy as np

        lamp = np.array(LAMP) / np.linalg.norm(LAMP)
        right = np.cross([0.0, 1.0, 0.0], lamp)
        right /= np.linalg.norm(right)
        axes = np.stack([right, np.cross(lamp, right), lamp])
        local = scene.corners @ axes.T
        low, high = local.min(axis=(0, 1)), local.max(axis=(0, 1))
        size, margin = 1800, 0.01 * float(max(high[:2] - low[:2]))
        scale = size / (float(max(high[:2] - low[:2])) + 2 * margin)
        flat = (local - low + margin) * scale
        flat[..., 2] = local[..., 2]
        nearest = _fragments(flat[scene.normals @ lamp > 0], size, size)[0].ravel()
        return _Lamp(axes, nearest, size, scale, (margin - low[0], margin - low[1]))

    def shines_on(self, places: Places) -> Singles:
        """Which places the lamp shines on, soft at the edges of shadows."""
        import numpy as np

        x, y, near = (
            a * places[0] + b * places[1] + c * places[2] for a, b, c in self.axes.astype(np.float32)
        )
        here = near + np.float32(2 / self.scale)  # a face must not shade itself
        lit = np.zeros(here.shape, np.float32)
        for dx, dy in ((-1.5, -0.5), (0.5, -1.5), (1.5, 0.5), (-0.5, 1.5)):
            shift = (self.shift[0] + dx / self.scale, self.shift[1] + dy / self.scale)
            lit += self.nearest[_pixels(x, y, shift, self.scale, self.size)] <= here
        lit /= 4
        return lit
