"""PDF files of pictures: pages of filled and stroked paths and photos, which need nothing but zlib."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from slidelab.draw.marks import Group, Item, Mark, Path, Photo, format_number
from slidelab.draw.theme import channels

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture

__all__ = ["pdf"]

POINTS_PER_PIXEL = 0.75
"""A CSS pixel is 1/96 inch, a point 1/72 inch."""


def pdf(*pages: Picture, title: str | None = None) -> bytes:
    """Return pictures as the pages of a PDF; a pixel is three quarters of a point, as in SVG.

    The title of the document is by default that of the first picture.

    >>> from slidelab.draw.scene import Picture
    >>> disc = Picture(100, 50, [Mark(Path.circle((50, 25), 20), "#4477aa")])
    >>> pdf(disc)[:8], pdf(disc, disc).count(b"/Type /Page ")
    (b'%PDF-1.4', 2)
    """
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
    ]
    content = _Content()
    drawn = [_page(picture, content) for picture in pages]
    resources = content.resources(len(objects) + 2 * len(pages) + 1)
    for picture, lines in zip(pages, drawn, strict=True):
        width, height = picture.width * POINTS_PER_PIXEL, picture.height * POINTS_PER_PIXEL
        stream = zlib.compress("\n".join(lines).encode(), 9)
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_number(width)} {_number(height)}] "
            f"/Contents {len(objects) + 2} 0 R /Resources << {resources} >> >>".encode(),
            f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream",
        ]
    objects += map(_image, content.photos.values())
    name = (pages[0].title if title is None else title).encode("utf-16-be", "replace").hex().upper()
    return _file([*objects, f"<< /Title <FEFF{name}> /Producer (slidelab) >>".encode()])


def _page(picture: Picture, content: _Content) -> list[str]:
    """Return the operators that draw a picture on a page."""
    height = picture.height * POINTS_PER_PIXEL
    # In PDF y grows upwards; 1 J and 1 j are round caps and joins, as in the SVG.
    lines = [f"{POINTS_PER_PIXEL} 0 0 -{POINTS_PER_PIXEL} 0 {_number(height)} cm 1 J 1 j"]
    if picture.paper:
        lines.append(
            f"{_colour(picture.paper)} rg 0 0 {_number(picture.width)} {_number(picture.height)} re f"
        )
    for item in picture.items:
        lines += content.operators(item)
    return lines


def _file(objects: list[bytes]) -> bytes:
    """Return a file of the objects, numbered from 1, with the table of their offsets."""
    content = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(content))
        content += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(content)
    content += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    content += b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    content += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    return bytes(content + f"startxref\n{table}\n%%EOF\n".encode())


class _Content:
    """The operators of a page, and the photos that they refer to."""

    def __init__(self) -> None:
        self.photos: dict[str, Photo] = {}
        self._paths: dict[int, str] = {}  # operators by the identity of the path

    def resources(self, first: int) -> str:
        """Return the dictionary entry that names the photos, which are objects from number `first` on."""
        if not self.photos:
            return ""
        names = " ".join(f"/{name} {number} 0 R" for number, name in enumerate(self.photos, first))
        return f"/XObject << {names} >>"

    def operators(self, item: Item) -> list[str]:
        """Return the operators that draw an item."""
        if isinstance(item, Mark):
            return self._mark(item)
        if isinstance(item, Photo):
            self.photos.setdefault(item.name, item)
            # Photos fill the unit square, with y upwards.
            numbers = (item.width, 0.0, 0.0, -item.height, item.x, item.y + item.height)
            return ["q", " ".join(map(_number, numbers)) + " cm", f"/{item.name} Do", "Q"]
        clip = [] if item.clip is None else [self._path(item.clip), "W n"]
        inside = [line for each in item.items for line in self.operators(each)]
        return ["q", _matrix(item), *clip, *inside, "Q"]

    def _mark(self, mark: Mark) -> list[str]:
        lines = []
        is_stroked = mark.stroke and mark.width
        if mark.fill:
            lines.append(f"{_colour(mark.fill)} rg")
        if mark.stroke and is_stroked:
            lines.append(f"{_colour(mark.stroke)} RG {_number(mark.width)} w")
        lines.append(self._path(mark.path))
        lines.append("B" if mark.fill and is_stroked else "f" if mark.fill else "S" if is_stroked else "n")
        return lines

    def _path(self, path: Path) -> str:
        if id(path) not in self._paths:
            self._paths[id(path)] = "\n".join(_path(path))
        return self._paths[id(path)]


def _image(photo: Photo) -> bytes:
    """Return a photo as an object; PDF readers decode JPEG themselves."""
    entries = (
        f"/Type /XObject /Subtype /Image /Width {photo.columns} /Height {photo.rows} /ColorSpace /DeviceRGB "
        f"/BitsPerComponent 8 /Filter /DCTDecode /Length {len(photo.jpeg)}"
    )
    return f"<< {entries} >>\nstream\n".encode() + photo.jpeg + b"\nendstream"


def _matrix(group: Group) -> str:
    cos, sin = math.cos(math.radians(group.angle)), math.sin(math.radians(group.angle))
    numbers = (cos * group.scale_x, sin * group.scale_x, -sin, cos, group.x, group.y)
    return " ".join(map(_number, numbers)) + " cm"


def _path(path: Path) -> Iterable[str]:
    for name, points in path.cubic_commands():
        operator = {"M": "m", "L": "l", "C": "c", "Z": "h"}[name]
        yield " ".join([*(f"{_number(x)} {_number(y)}" for x, y in points), operator])


def _colour(colour: str) -> str:
    return " ".join(f"{channel / 255:.4g}" for channel in channels(colour))


def _number(value: float) -> str:
    return format_number(value, 4)
