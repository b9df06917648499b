"""Rendering of solids on a table: a rasterizer with a depth buffer, shadows and ambient occlusion.

Triangles are cut into rows and rows into pixels, whole arrays at a time, and the closest fragment of each
pixel is kept. There are two lights: a lamp at the upper left, whose shadows come from a shadow map, and the
sky, which is occluded by whatever stands higher nearby. The picture is rendered in bands to limit memory.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slidelab.draw.theme import LIGHT, Theme, channels
from slidelab.errors import NotationError, TooLarge
from slidelab.packages import require

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating]
    Singles = NDArray[np.float32]
    Points = tuple[Singles, Singles, Singles]

__all__ = ["MAX_PIXELS", "MAX_WIDTH", "MIN_WIDTH", "render"]

MIN_WIDTH, MAX_WIDTH = 16, 6_000
"""Least and largest width of a picture in pixels."""

SUPERSAMPLING = 2
"""Samples per pixel in each direction, which are averaged."""

MAX_PIXELS = 20_000_000 * SUPERSAMPLING**2
"""Number of samples of the largest picture."""

BAND_PIXELS = 3_000_000
"""Number of samples that are shaded at a time."""

CHUNK_PIXELS = 2_000_000
"""Number of fragments that are rasterized at a time."""

ELEVATION = math.radians(52)
"""Angle of the camera above the table."""

DISTANCE = 4.5
"""Distance of the camera, in widths of the scene."""

LAMP = (-0.42, 0.38, 0.82)
"""Direction towards the lamp."""

LAMP_SHARE = 0.55
"""Share of the lamp in all light; the rest is the sky."""

SHADOW_MAP_SIZE, HEIGHT_MAP_SIZE = 1_800, 700
"""Width and height of the maps seen from the lamp and from above, in pixels."""

GAMMA = 2.2
"""Exponent between linear light and screen colours."""


@dataclass(frozen=True, slots=True, eq=False)
class _Scene:
    """All triangles: corners (n, 3, 3), normals and colours."""

    corners: Floats
    normals: Floats
    colours: Floats


def render(
    solids: Sequence[tuple[Floats, NDArray[np.int64], Floats]], *, width: int = 1200, theme: Theme = LIGHT
) -> bytes:
    r"""Render solids on a table as PNG; each has vertices, triangles, and a colour for each triangle.

    Colours are red, green and blue from 0 to 1; z grows upwards from the table at z = 0.

    >>> import numpy as np
    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    >>> render([(corners, faces, np.full((4, 3), 0.5))], width=40)[:4]
    b'\x89PNG'
    """
    import numpy as np

    _check_width(width)
    require("PIL", "PNG needs", "png")
    from PIL import Image

    scene = _scene(solids)
    camera = _Camera.facing(scene.corners.reshape(-1, 3), width * SUPERSAMPLING)
    height = camera.height // SUPERSAMPLING
    if camera.width * camera.height > MAX_PIXELS:
        raise TooLarge(
            f"expected at most {MAX_PIXELS // SUPERSAMPLING**2:,} pixels, got {width:,} x {height:,}"
        )
    lamp, sky = _Lamp.above(scene), _Sky.above(scene)
    paper = [channel / 255 for channel in channels(theme.paper)]
    linear = np.concatenate([scene.colours, [paper]]).astype(np.float32) ** GAMMA
    pixels = np.empty((height, width, 3), np.uint8)
    for band, rows in _bands(camera):
        triangle, points = _visible(scene, band)
        light = _illumination(scene, lamp, sky, points, triangle)
        for k in range(3):
            mean = _downsample(np.minimum(linear[triangle, k] * light, 1))
            pixels[rows, :, k] = np.round(255 * mean ** (1 / GAMMA))
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    return buffer.getvalue()


def _check_width(width: object) -> None:
    if isinstance(width, bool) or not isinstance(width, int) or width < 1:
        raise NotationError(f"expected a width in pixels, got {width!r:.40}")
    if width < MIN_WIDTH:
        raise NotationError(f"expected a width in pixels, got {width} - the least is {MIN_WIDTH}")
    if width > MAX_WIDTH:
        raise TooLarge(f"expected a width of at most {MAX_WIDTH} pixels, got {width!r:.40}")


def _bands(camera: _Camera) -> Iterator[tuple[_Camera, slice]]:
    """Yield, from top to bottom, a camera that sees only a band, and the rows of the picture it fills."""
    step = SUPERSAMPLING * max(1, BAND_PIXELS // (SUPERSAMPLING * camera.width))
    for first in range(0, camera.height, step):
        last = min(first + step, camera.height)
        left, top = camera.shift
        band = replace(camera, height=last - first, shift=(left, top - first / camera.scale))
        yield band, slice(first // SUPERSAMPLING, last // SUPERSAMPLING)


def _downsample(samples: Floats) -> Floats:
    """Average the samples of each pixel."""
    height, width = samples.shape
    blocks = samples.reshape(height // SUPERSAMPLING, SUPERSAMPLING, width // SUPERSAMPLING, SUPERSAMPLING)
    mean: Floats = blocks.mean(axis=(1, 3))
    return mean


def _scene(solids: Sequence[tuple[Floats, NDArray[np.int64], Floats]]) -> _Scene:
    import numpy as np

    corners = np.concatenate([vertices[triangles] for vertices, triangles, _ in solids])
    colours = np.concatenate([paint for _, _, paint in solids])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1)
    is_valid = length > 1e-9
    return _Scene(corners[is_valid], normals[is_valid] / length[is_valid, None], colours[is_valid])


@dataclass(frozen=True, slots=True, eq=False)
class _Camera:
    """A perspective view: axes (right, up, towards the camera), centre of the view, size of the picture."""

    axes: Floats
    centre: Floats
    distance: float
    scale: float
    width: int
    height: int
    shift: tuple[float, float]

    @staticmethod
    def facing(points: Floats, width: int) -> _Camera:
        """Return a camera in front of and above the points, which fill the width except for a margin."""
        import numpy as np

        sin, cos = math.sin(ELEVATION), math.cos(ELEVATION)
        axes = np.array([[1, 0, 0], [0, sin, cos], [0, -cos, sin]])
        low, high = points.min(axis=0), points.max(axis=0)
        centre = (low + high) / 2
        distance = DISTANCE * float(np.linalg.norm((high - low)[:2])) / math.sqrt(2)
        unscaled = _Camera(axes, centre, distance, 1.0, width, 1, (0.0, 0.0)).project(points)
        left, top = unscaled[:, :2].min(axis=0).tolist()
        right, bottom = unscaled[:, :2].max(axis=0).tolist()
        margin = 0.06 * max(right - left, bottom - top)
        scale = width / (right - left + 2 * margin)
        height = SUPERSAMPLING * max(1, round((bottom - top + 2 * margin) * scale / SUPERSAMPLING))
        return _Camera(axes, centre, distance, scale, width, height, (margin - left, margin - top))

    def project(self, points: Floats) -> Floats:
        """Return the position in the picture and the inverse depth, which is linear across a flat face."""
        import numpy as np

        right, up, towards = np.moveaxis((points - self.centre) @ self.axes.T, -1, 0)
        inverse_depth = self.distance / (self.distance - towards)
        across = np.stack([right, -up], axis=-1) * inverse_depth[..., None]
        return np.concatenate([(across + self.shift) * self.scale, inverse_depth[..., None]], axis=-1)

    def unproject(self, inverse_depth: Floats, on_table: NDArray[np.bool_]) -> Points:
        """Return the point that is visible in each pixel."""
        import numpy as np

        across = ((np.arange(self.width) + 0.5) / self.scale - self.shift[0])[None].astype(np.float32)
        up = (self.shift[1] - (np.arange(self.height) + 0.5) / self.scale)[:, None].astype(np.float32)
        start, back = self.centre + self.distance * self.axes[2], self.distance * self.axes[2]
        # A ray from the camera reaches the plane through the centre where the inverse depth is 1.
        right, ahead, start, back = (a.astype(np.float32) for a in (*self.axes[:2], start, back))
        rays = [across * right[k] + up * ahead[k] - back[k] for k in range(3)]
        share = np.where(on_table, -start[2] / np.minimum(rays[2], np.float32(-1e-9)), 1 / inverse_depth)
        x, y, z = (start[k] + share * rays[k] for k in range(3))
        return x, y, z


def _rasterize(projected: Floats, width: int, height: int) -> tuple[Floats, NDArray[np.int32]]:
    """Return the largest depth value of each pixel and its triangle; -inf and -1 where there is none."""
    import numpy as np

    buffer = np.full(width * height, -np.inf, np.float32)
    number = np.full(width * height, -1, np.int32)
    x, y = projected[:, :, 0], projected[:, :, 1]
    first = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, height).astype(np.int64)
    last = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, height).astype(np.int64)
    # Depth is a linear function of the position; its slopes by Cramer's rule.
    ax, ay, az = (projected[:, 1] - projected[:, 0]).T
    bx, by, bz = (projected[:, 2] - projected[:, 0]).T
    area = ax * by - ay * bx
    safe = np.where(np.abs(area) > 1e-12, area, np.inf)
    slope_x, slope_y = (az * by - bz * ay) / safe, (ax * bz - bx * az) / safe
    triangle = np.repeat(np.arange(len(projected)), last - first)
    row = _ranges(first, last)
    left, right = _spans(x[triangle], y[triangle], row + 0.5)
    begin = np.clip(np.ceil(left - 0.5), 0, width).astype(np.int64)
    end = np.maximum(begin, np.clip(np.ceil(right - 0.5), 0, width).astype(np.int64))
    total = np.cumsum(end - begin)
    start = 0
    while start < len(row):
        done = total[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(total, done + CHUNK_PIXELS)))
        part = slice(start, stop)
        count = end[part] - begin[part]
        own = np.repeat(triangle[part], count)
        column = _ranges(begin[part], end[part])
        line = np.repeat(row[part], count)
        depth = (
            projected[own, 0, 2]
            + slope_x[own] * (column + 0.5 - x[own, 0])
            + slope_y[own] * (line + 0.5 - y[own, 0])
        ).astype(np.float32)
        pixel = line * width + column
        np.maximum.at(buffer, pixel, depth)
        is_closest = buffer[pixel] == depth
        number[pixel[is_closest]] = own[is_closest]
        start = stop
    return buffer.reshape(height, width), number.reshape(height, width)


def _ranges(first: NDArray[np.int64], last: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the integers from each first up to each last, one range after the other."""
    import numpy as np

    count = last - first
    numbers: NDArray[np.int64] = np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)
    return numbers


def _spans(x: Floats, y: Floats, level: Floats) -> tuple[Floats, Floats]:
    """Return where the row at a level enters and leaves each triangle."""
    import numpy as np

    left, right = np.full(len(level), np.inf), np.full(len(level), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):
        crosses = (y[:, a] > level) != (y[:, b] > level)
        rise = np.where(crosses, y[:, b] - y[:, a], 1.0)
        crossing = x[:, a] + (level - y[:, a]) / rise * (x[:, b] - x[:, a])
        left = np.where(crosses, np.minimum(left, crossing), left)
        right = np.where(crosses, np.maximum(right, crossing), right)
    return np.where(right < left, 0.0, left), np.where(right < left, 0.0, right)


def _visible(scene: _Scene, camera: _Camera) -> tuple[NDArray[np.int32], Points]:
    """Return for each pixel the visible triangle (-1 for the table) and point."""
    import numpy as np

    start = camera.centre + camera.distance * camera.axes[2]
    faces = np.flatnonzero(((start - scene.corners[:, 0]) * scene.normals).sum(axis=1) > 0)
    inverse_depth, number = _rasterize(camera.project(scene.corners[faces]), camera.width, camera.height)
    triangle = np.concatenate([faces, [-1]]).astype(np.int32)[number]
    return triangle, camera.unproject(inverse_depth, number < 0)


def _illumination(
    scene: _Scene, lamp: _Lamp, sky: _Sky, points: Points, triangle: NDArray[np.int32]
) -> Singles:
    """Return the light at each visible point."""
    import numpy as np

    normals = np.concatenate([scene.normals, [[0.0, 0.0, 1.0]]])
    # Normalized so that a level, unobstructed point has exactly its own colour, like the paper.
    direct = (LAMP_SHARE * np.maximum(normals @ lamp.axes[2], 0) / lamp.axes[2, 2]).astype(np.float32)
    ambient = ((1 - LAMP_SHARE) * (0.6 + 0.4 * normals[:, 2])).astype(np.float32)
    light: Singles = direct[triangle] * lamp.visibility(points) + ambient[triangle] * sky.visibility(points)
    return light


@dataclass(frozen=True, slots=True, eq=False)
class _Sky:
    """Ambient occlusion: a square map of heights, averaged over three distances, each with its weight."""

    heights: Sequence[tuple[float, Singles]]
    size: int
    scale: float
    shift: tuple[float, float]

    @staticmethod
    def above(scene: _Scene) -> _Sky:
        import numpy as np

        low, high = scene.corners.min(axis=(0, 1)), scene.corners.max(axis=(0, 1))
        extent, height, size = float(max(high[:2] - low[:2])), float(high[2]), HEIGHT_MAP_SIZE
        margin = 0.15 * extent
        scale = size / (extent + 2 * margin)
        projected = (scene.corners - low + margin) * scale
        projected[..., 2] = scene.corners[..., 2]
        height_map = np.maximum(_rasterize(projected[scene.normals[:, 2] > 0], size, size)[0], 0.0)
        heights = []
        for reach, weight in ((0.25, 0.5), (0.8, 0.45), (2.5, 0.35)):
            radius = min(max(1, round(reach * height * scale / 2)), size // 45)  # the margin stays clear
            mean = _box_blur(_box_blur(height_map.astype(np.float64), radius), radius)
            heights.append((weight / height, mean.astype(np.float32).ravel()))
        return _Sky(heights, size, scale, (margin - low[0], margin - low[1]))

    def visibility(self, points: Points) -> Singles:
        """Return the visible share of the sky, from how much the surroundings are higher than each point."""
        import numpy as np

        pixel = _pixels(points[0], points[1], self.shift, self.scale, self.size)
        share = np.ones(pixel.shape, np.float32)
        for weight, height in self.heights:
            share -= np.float32(weight) * np.maximum(height[pixel] - points[2], 0)
        return np.maximum(share, np.float32(0.15))


def _pixels(x: Floats, y: Floats, shift: tuple[float, float], scale: float, size: int) -> NDArray[np.int32]:
    """Return the numbers of the pixels of a square map at given positions, clipped to its border."""
    import numpy as np

    column = np.clip((x + np.float32(shift[0])) * np.float32(scale), 0, size - 1).astype(np.int32)
    row = np.clip((y + np.float32(shift[1])) * np.float32(scale), 0, size - 1).astype(np.int32)
    pixels: NDArray[np.int32] = row * np.int32(size) + column
    return pixels


def _box_blur(image: Floats, radius: int) -> Floats:
    """Average each value with those up to the radius away, in both directions."""
    import numpy as np

    for _ in range(2):  # along the columns, then along the rows
        total = np.cumsum(np.pad(image, ((radius + 1, radius), (0, 0)), mode="edge"), axis=0)
        image = ((total[2 * radius + 1 :] - total[: len(image)]) / (2 * radius + 1)).T
    return image


@dataclass(frozen=True, slots=True, eq=False)
class _Lamp:
    """A shadow map: axes, the last towards the lamp, and a square map of the points closest to it."""

    axes: Floats
    closest: Singles
    size: int
    scale: float
    shift: tuple[float, float]

    @staticmethod
    def above(scene: _Scene) -> _Lamp:
        import numpy as np

        lamp = np.array(LAMP) / np.linalg.norm(LAMP)
        right = np.cross([0.0, 1.0, 0.0], lamp)
        right /= np.linalg.norm(right)
        axes = np.stack([right, np.cross(lamp, right), lamp])
        local = scene.corners @ axes.T
        low, high = local.min(axis=(0, 1)), local.max(axis=(0, 1))
        size, extent = SHADOW_MAP_SIZE, float(max(high[:2] - low[:2]))
        margin = 0.01 * extent
        scale = size / (extent + 2 * margin)
        projected = (local - low + margin) * scale
        projected[..., 2] = local[..., 2]
        closest = _rasterize(projected[scene.normals @ lamp > 0], size, size)[0].ravel()
        return _Lamp(axes, closest, size, scale, (margin - low[0], margin - low[1]))

    def visibility(self, points: Points) -> Singles:
        """Return the share of lamplight that reaches each point, with soft edges of shadows."""
        import numpy as np

        x, y, depth = (
            a * points[0] + b * points[1] + c * points[2] for a, b, c in self.axes.astype(np.float32)
        )
        depth = depth + np.float32(2 / self.scale)  # a face must not shade itself
        lit = np.zeros(depth.shape, np.float32)
        for dx, dy in ((-1.5, -0.5), (0.5, -1.5), (1.5, 0.5), (-0.5, 1.5)):
            shift = (self.shift[0] + dx / self.scale, self.shift[1] + dy / self.scale)
            lit += self.closest[_pixels(x, y, shift, self.scale, self.size)] <= depth
        lit /= 4
        return lit
