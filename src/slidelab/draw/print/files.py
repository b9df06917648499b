"""STL and 3MF files.

STL is a list of triangles without units or names. 3MF (3MF Consortium, core specification 1.3) is XML in a
zip archive, with units, names, colours and shared vertices. Equal parts give equal bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from slidelab.draw.marks import escape_xml, valid_xml

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.draw.print.beds import BedPosition
    from slidelab.draw.print.model import Part

__all__ = ["bed_offset", "stl", "three_mf", "vertices_on_bed"]

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time in a zip archive, for equal bytes
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


def bed_offset(part: Part, at: BedPosition) -> tuple[float, float, float]:
    """Return the translation of a part, after its rotation, to its position on the bed."""
    (left, bottom, low), (_, top, _) = part.bounds
    return (at.x + top, at.y - left, -low) if at.rotated else (at.x - left, at.y - bottom, -low)


def vertices_on_bed(part: Part, at: BedPosition) -> NDArray[np.float64]:
    """Return the vertices of a part at its position on the bed."""
    rotated = part.vertices[:, [1, 0, 2]] * (-1, 1, 1) if at.rotated else part.vertices
    vertices: NDArray[np.float64] = rotated + bed_offset(part, at)
    return vertices


def stl(parts: Sequence[Part], bed: Sequence[BedPosition]) -> bytes:
    """Return all parts of a bed as one binary STL file."""
    import numpy as np

    row = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
    blocks = []
    for at in bed:
        part = parts[at.part]
        corners = vertices_on_bed(part, at)[part.triangles]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=1)[:, None]
        block = np.zeros(len(corners), row)
        block["normal"] = normal / np.where(length > 0, length, 1)
        block["corners"] = corners
        blocks.append(block)
    rows = np.concatenate(blocks)
    # The header must not begin with "solid", which announces STL as text.
    return b"sliding puzzle in millimetres".ljust(80) + np.uint32(len(rows)).tobytes() + rows.tobytes()


def three_mf(parts: Sequence[Part], bed: Sequence[BedPosition], title: str) -> bytes:
    """Return the parts of a bed as a 3MF file, each an object with name and colours."""
    colours = sorted({colour for at in bed for colour in parts[at.part].colours})
    text = [
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<model unit="millimeter" xml:lang="en-US" '
        'xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        f'<metadata name="Title">{escape_xml(title)}</metadata>\n'
        "<resources>\n"
        '<basematerials id="1">'
    ]
    text += [f'<base name="{colour}" displaycolor="{colour.upper()}FF"/>' for colour in colours]
    text.append("</basematerials>\n")
    text += [_object(number, parts[at.part], colours) for number, at in enumerate(bed, 2)]
    text.append("</resources>\n<build>\n")
    for number, at in enumerate(bed, 2):
        rotation = "0 1 0 -1 0 0 0 0 1" if at.rotated else "1 0 0 0 1 0 0 0 1"
        x, y, z = bed_offset(parts[at.part], at)
        text.append(f'<item objectid="{number}" transform="{rotation} {x:.4f} {y:.4f} {z:.4f}"/>\n')
    text.append("</build>\n</model>\n")
    return _package("".join(text))


def _object(number: int, part: Part, colours: Sequence[str]) -> str:
    """Return one part; a triangle names its colour only if it differs from that of the part."""
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
    name = quoteattr(valid_xml(part.name))
    return (
        f'<object id="{number}" type="model" name={name} pid="1" pindex="{main}"><mesh>\n'
        f"<vertices>\n{corners}\n</vertices>\n<triangles>\n{triangles}\n</triangles>\n</mesh></object>\n"
    )


def _package(model: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name, text in (
            ("[Content_Types].xml", _CONTENT),
            ("_rels/.rels", _RELATIONS),
            ("3D/3dmodel.model", model),
        ):
            entry = zipfile.ZipInfo(name, _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            package.writestr(entry, text)
    return buffer.getvalue()
