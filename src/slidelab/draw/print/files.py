"""STL and 3MF, written from arrays.

STL is a list of triangles and nothing more. 3MF (3MF Consortium, core specification 1.3) is a package of XML
in a zip: it has units, names and colours, and every corner once. The same parts always give the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from slidelab.draw.scene import writable, xml_text

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.draw.print.beds import Place
    from slidelab.draw.print.model import Part

__all__ = ["shift", "shifted", "stl", "three_mf"]

# XML 1.0 (fifth edition, 2.2) has no way to write control characters or half surrogates.
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the least time that a zip can tell
_CONTENT = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>'
    "</Types>\n"
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>\n"
)


def shift(part: Part, place: Place) -> tuple[float, float, float]:
    """How far a part has to be moved, after it was turned, to lie there."""
    (left, bottom, low), (_, top, _) = part.bounds
    return (place.x + top, place.y - left, -low) if place.turned else (place.x - left, place.y - bottom, -low)


def shifted(part: Part, place: Place) -> NDArray[np.float64]:
    """The corners of a part where it lies on its bed."""
    turned = part.vertices[:, [1, 0, 2]] * (-1, 1, 1) if place.turned else part.vertices
    moved: NDArray[np.float64] = turned + shift(part, place)
    return moved


def stl(parts: Sequence[Part], bed: Sequence[Place]) -> bytes:
    """All parts of a bed as one binary STL."""
    import numpy as np

    row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    blocks = []
    for place in bed:
        part = parts[place.part]
        corners = shifted(part, place)[part.triangles]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=1)[:, None]
        block = np.zeros(len(corners), row)
        block["normal"] = normal / np.where(length > 0, length, 1)
        block["corners"] = corners
        blocks.append(block)
    every = np.concatenate(blocks)
    # The header must not begin with "solid", which would announce STL as text.
    return b"sliding puzzle in millimetres".ljust(80) + np.uint32(len(every)).tobytes() + every.tobytes()


def three_mf(parts: Sequence[Part], bed: Sequence[Place], title: str) -> bytes:
    """The parts of a bed as 3MF: an object each, with name and colours."""
    colours = sorted({colour for place in bed for colour in parts[place.part].colours})
    text = [
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<model unit="millimeter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        f'<metadata name="Title">{xml_text(title)}</metadata>\n'
        "<resources>\n"
        '<basematerials id="1">'
    ]
    text += [f'<base name="{colour}" displaycolor="{colour.upper()}FF"/>' for colour in colours]
    text.append("</basematerials>\n")
    text += [_object(number, parts[place.part], colours) for number, place in enumerate(bed, 2)]
    text.append("</resources>\n<build>\n")
    for number, place in enumerate(bed, 2):
        turn = "0 1 0 -1 0 0 0 0 1" if place.turned else "1 0 0 0 1 0 0 0 1"
        x, y, z = shift(parts[place.part], place)
        text.append(f'<item objectid="{number}" transform="{turn} {x:.4f} {y:.4f} {z:.4f}"/>\n')
    text.append("</build>\n</model>\n")
    return _package("".join(text))


def _object(number: int, part: Part, colours: Sequence[str]) -> str:
    """One part. A triangle says its colour only where it differs from that of the part."""
    import numpy as np

    paint = np.array([colours.index(colour) for colour in part.colours])[part.sources]
    main = colours.index(part.colour)
    corners = "\n".join(
        f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>' for x, y, z in part.vertices.tolist()
    )
    triangles = "\n".join(
        f'<triangle v1="{a}" v2="{b}" v3="{c}"/>'
        if colour == main
        else f'<triangle v1="{a}" v2="{b}" v3="{c}" pid="1" p1="{colour}"/>'
        for (a, b, c), colour in zip(part.triangles.tolist(), paint.tolist(), strict=True)
    )
    name = quoteattr(writable(part.name))
    return (
        f'<object id="{number}" type="model" name={name} pid="1" pindex="{main}"><mesh>\n'
        f"<vertices>\n{corners}\n</vertices>\n<triangles>\n{triangles}\n</triangles>\n</mesh></object>\n"
    )


def _package(model: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name, text in (
            ("[Content_Types].xml", _CONTENT),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", model),
        ):
            about = zipfile.ZipInfo(name, _EPOCH)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.create_system = 3
            package.writestr(about, text)
    return out.getvalue()
