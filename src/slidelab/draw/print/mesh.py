"""Solids of pieces and trays, made from outlines.

A body is a stack of layers, each the same outline moved in or out a little. So edges are chamfered, and the
lowest layer, which a printer presses flat, does not grow beyond the piece. Labels are added to the body, or
cut from it, by manifold3d, which keeps every solid watertight and records the origin of each triangle; that
gives labels their own colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from slidelab.draw.print.regions import Division, divide_outline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.draw.print.pieces import Footprint

__all__ = ["Body", "Mesh", "add_labels", "piece_body", "stack_layers", "tray_mesh"]

LABEL_HEIGHT = 0.6
"""Height of raised labels and depth of sunk ones, in millimetres: three usual printing layers."""

PATCH_DEPTH = 0.2
"""Depth of coloured patches in the floor of a tray in millimetres: one usual printing layer."""

LABEL_OVERLAP = 0.3
"""How far raised labels reach into the body in millimetres, so that both become one solid."""


class Mesh(NamedTuple):
    """Vertices, triangles (anticlockwise from outside), and for each triangle the number of its source."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    sources: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A `manifold3d.Manifold`, and the ids that it assigned to its parts."""

    solid: Any
    ids: Sequence[int]


def _offset(corners: NDArray[np.float64], distance: float) -> NDArray[np.float64]:
    """Move every side of an anticlockwise outline outwards."""
    import numpy as np

    ahead = np.roll(corners, -1, axis=0) - corners
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    normal = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    before = np.roll(normal, 1, axis=0)
    along = 1 + (normal * before).sum(axis=1)
    offset: NDArray[np.float64] = corners + distance * (normal + before) / np.maximum(along, 0.2)[:, None]
    return offset


def stack_layers(
    outlines: Sequence[NDArray[np.float64]],
    layers: Sequence[tuple[float, float]],
    division: Division | None = None,
) -> Body:
    """Return the solid between layers, each given by a height and an offset of the outlines there.

    With a division of the only outline, the body has a part for each cell.
    """
    import numpy as np
    from manifold3d import Manifold, Mesh64

    rows = [[_offset(corners, distance) for corners in outlines] for _, distance in layers]
    heights = np.repeat([z for z, _ in layers], sum(map(len, outlines)))
    vertices = np.column_stack([np.concatenate([corners for row in rows for corners in row]), heights])
    firsts = np.cumsum([0, *map(len, outlines)])
    count, top = int(firsts[-1]), int(firsts[-1]) * (len(layers) - 1)
    regions: list[list[Sequence[int]]] = [[range(first, last) for first, last in pairwise(firsts.tolist())]]
    owners, inner = np.zeros(count, np.int64), 0
    if division is not None:
        regions, owners = [[*rows] for rows in division.regions], np.array(division.owners)
        inner = len(division.inner)
        below, above = (np.full(inner, z) for z in (layers[0][0], layers[-1][0]))
        vertices = np.concatenate([vertices, *(np.column_stack([division.inner, z]) for z in (below, above))])
    lower = np.concatenate([np.arange(count), len(vertices) - 2 * inner + np.arange(inner)])
    upper = np.concatenate([np.arange(count) + top, len(vertices) - inner + np.arange(inner)])
    successor = np.arange(1, count + 1)
    successor[firsts[1:] - 1] = firsts[:-1]
    parts = []
    for cell, corners in enumerate(regions):
        sides = np.flatnonzero(owners == cell)
        parts.append(np.concatenate(
            [_cap(vertices, [lower[list(row)] for row in corners])[:, ::-1]]
            + [_wall(sides, successor, low, count) for low in range(0, top, count)]
            + [_cap(vertices, [upper[list(row)] for row in corners])]
        ))  # fmt: skip
    first_id = Manifold.reserve_ids(len(parts))
    ids = list(range(first_id, first_id + len(parts)))
    ends = np.cumsum([0, *(3 * len(part) for part in parts)]).astype(np.uint64)
    solid = Mesh64(
        vertices,
        np.concatenate(parts).astype(np.uint64),
        run_index=ends,
        run_original_id=np.array(ids, np.uint32),
    )
    return Body(Manifold(solid), ids)


def _cap(vertices: NDArray[np.float64], corners: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the triangles that fill outlines, given by the numbers of their corners."""
    import numpy as np
    from manifold3d import triangulate

    found = triangulate([np.ascontiguousarray(vertices[row, :2]) for row in corners])
    triangles: NDArray[np.int64] = np.concatenate(corners)[np.array(found)]
    return triangles


def _wall(starts: NDArray[np.int64], successor: NDArray[np.int64], low: int, count: int) -> NDArray[np.int64]:
    """Return the triangles between two layers above the sides that start at these corners."""
    import numpy as np

    first, second = starts + low, successor[starts] + low
    lower = np.stack([first, second, second + count], axis=1)
    return np.concatenate([lower, np.stack([first, second + count, first + count], axis=1)])


def piece_body(footprint: Footprint, height: float) -> Body:
    """Return a piece without labels: vertical sides, a rounded upper edge, a chamfered lower one."""
    rounding = min(0.9, 0.045 * footprint.cell, height / 4)
    chamfer = rounding / 3
    angles = [math.pi / 2 * k / 4 for k in range(5)]
    top = [(height - rounding + rounding * math.sin(t), rounding * (math.cos(t) - 1)) for t in angles]
    layers = [(0.0, -chamfer), (chamfer, 0.0), *top]
    if footprint.cell_count == 1:
        return stack_layers([footprint.outline], layers)
    division = divide_outline(footprint.outline, footprint.centres)
    return stack_layers([division.outline], layers, division)


def add_labels(piece: Body, labels: Sequence[Any], height: float, numbers: str) -> Mesh:
    """Return the piece with labels on its cells, raised or sunk.

    Sources are 0 for the first cell, 1 for its label, 2 for the second cell, 3 for its label, and so on.
    """
    source = {number: 2 * k for k, number in enumerate(piece.ids)}
    solid = piece.solid
    for k, outline in enumerate(labels if numbers != "none" else ()):
        low = height - (LABEL_OVERLAP if numbers == "raised" else LABEL_HEIGHT)
        label = outline.extrude(LABEL_HEIGHT + LABEL_OVERLAP).translate((0, 0, low)).as_original()
        source[label.original_id()] = 2 * k + 1
        solid = solid + label if numbers == "raised" else solid - label
    return _to_mesh(solid, source)


def tray_mesh(
    well: Any,
    outer: Any,
    floor: float,
    height: float,
    labels: Sequence[Any],
    patches: Sequence[tuple[Sequence[Any], Sequence[Any]]] = (),
) -> Mesh:
    """Return a tray with an outer outline, from which the well is cut; `labels` are sunk into its floor.

    `patches` are outlines on the floor, and labels on them, of each colour; they are sunk by one layer, so
    that they are visible in one colour, too. Sources are 0 for the tray, 1 for the well, 2 for the labels,
    and then for each colour one for its patches and one for their labels.
    """
    from manifold3d import CrossSection, OpType

    edge = min(0.8, height / 6)
    lower, upper = [(0, -edge / 2), (edge / 2, 0)], [(height - 0.3 * edge, -0.3 * edge), (height, -edge)]
    block = stack_layers(outer.to_polygons(), [*lower, (height - edge, 0), *upper])
    lip = 0.5 * edge
    hollow = stack_layers(
        well.to_polygons(), [(floor, 0), (height - lip, 0), (height, lip), (height + 1, lip)]
    )
    solid = block.solid - hollow.solid
    source = {block.ids[0]: 0, hollow.ids[0]: 1}
    depth = min(LABEL_HEIGHT, floor / 2)
    rows = [(2, labels, depth)]
    for number, (outlines, letters) in enumerate(patches):
        rows += [(3 + 2 * number, outlines, PATCH_DEPTH), (4 + 2 * number, letters, depth)]
    for number, outlines, low in rows:
        if outlines:
            outline = CrossSection.batch_boolean(list(outlines), OpType.Add)
            engraving = outline.extrude(low + LABEL_OVERLAP).translate((0, 0, floor - low)).as_original()
            source[engraving.original_id()] = number
            solid = solid - engraving
    return _to_mesh(solid, source)


def _to_mesh(solid: Any, source: dict[int, int]) -> Mesh:
    """Return the triangles of a solid, simplified to a micrometre and rounded to a tenth of it."""
    import numpy as np

    result = solid.simplify(0.001).to_mesh64()
    vertices = np.round(np.array(result.vert_properties)[:, :3], 4)
    triangles = np.array(result.tri_verts).astype(np.int64)
    ends = np.array(result.run_index).astype(np.int64)
    lengths = (ends[1:] - ends[:-1]) // 3
    sources = np.repeat([source[int(number)] for number in result.run_original_id], lengths)
    return Mesh(vertices, triangles, sources.astype(np.uint8))
