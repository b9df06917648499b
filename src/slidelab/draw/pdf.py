"""A picture as PDF: one page, outlines only, so nothing but zlib is needed to write it."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable

from slidelab.draw.scene import Group, Item, Mark, Path, Picture, number_text
from slidelab.draw.theme import channels

__all__ = ["pdf"]


def pdf(picture: Picture) -> bytes:
    """The picture as a PDF of one page; one unit of the picture is three quarters of a point, as in SVG.

    >>> pdf(Picture(100, 50, [Mark(Path.circle((50, 25), 20), "#4477aa")]))[:8]
    b'%PDF-1.4'
    """
    wide, high = picture.width * 0.75, picture.height * 0.75
    # PDF's y grows upwards; round ends and joints as in the SVG.
    lines = [f"0.75 0 0 -0.75 0 {_number(high)} cm 1 J 1 j"]
    if picture.paper:
        lines.append(
            f"{_colour(picture.paper)} rg 0 0 {_number(picture.width)} {_number(picture.height)} re f"
        )
    known: dict[int, str] = {}
    for item in picture.items:
        lines += _drawn(item, known)
    stream = zlib.compress("\n".join(lines).encode(), 9)
    title = picture.title.encode("utf-16-be", "replace").hex().upper()
    return _file(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_number(wide)} {_number(high)}] "
            "/Contents 4 0 R /Resources << >> >>".encode(),
            f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream",
            f"<< /Title <FEFF{title}> /Producer (slidelab) >>".encode(),
        ]
    )


def _file(objects: list[bytes]) -> bytes:
    """The objects, numbered from 1, and the table of where each begins."""
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\n".encode()
    return bytes(out + f"startxref\n{table}\n%%EOF\n".encode())


def _drawn(item: Item, known: dict[int, str]) -> Iterable[str]:
    """What draws an item; outlines that are used again and again are written out once (`known`)."""
    if isinstance(item, Mark):
        return _mark(item, known)
    inside = [line for each in item.items for line in _drawn(each, known)]
    return ["q", _matrix(item), *inside, "Q"]


def _matrix(group: Group) -> str:
    cos, sin = math.cos(math.radians(group.turn)), math.sin(math.radians(group.turn))
    numbers = (cos * group.stretch, sin * group.stretch, -sin, cos, group.x, group.y)
    return " ".join(map(_number, numbers)) + " cm"


def _mark(mark: Mark, known: dict[int, str]) -> list[str]:
    lines = []
    stroked = mark.stroke and mark.width
    if mark.fill:
        lines.append(f"{_colour(mark.fill)} rg")
    if mark.stroke and stroked:
        lines.append(f"{_colour(mark.stroke)} RG {_number(mark.width)} w")
    path = known.get(id(mark.path))
    if path is None:
        path = known[id(mark.path)] = "\n".join(_path(mark.path))
    lines.append(path)
    lines.append("B" if mark.fill and stroked else "f" if mark.fill else "S" if stroked else "n")
    return lines


def _path(path: Path) -> Iterable[str]:
    here = (0.0, 0.0)
    for name, at in path.commands:
        if name == "Z":
            yield "h"
            continue
        if name == "Q":  # PDF knows cubic curves only
            (cx, cy), (x, y) = at
            first = (here[0] + (cx - here[0]) * 2 / 3, here[1] + (cy - here[1]) * 2 / 3)
            at = (first, (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3), (x, y))
        word = {"M": "m", "L": "l", "Q": "c", "C": "c"}[name]
        yield " ".join(f"{_number(x)} {_number(y)}" for x, y in at) + f" {word}"
        here = at[-1]


def _colour(colour: str) -> str:
    return " ".join(f"{channel / 255:.4g}" for channel in channels(colour))


def _number(value: float) -> str:
    return number_text(value, 4)
