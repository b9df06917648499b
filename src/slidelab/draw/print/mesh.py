"""From outlines to solids: bodies with soft edges, numbers on them or in them, and the tray.

A body is a stack of layers, each the same outline moved in or out a little; so edges are broken as a joiner
would do it, and the lowest layer, which a printer presses flat, does not grow beyond the piece. Numbers are
joined to the body, or cut from it, by manifold3d, which keeps every solid watertight and remembers which
triangle came from where: that tells the faces of numbers from those of the body.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.draw.print.pieces import Plan

__all__ = ["Body", "Mesh", "body", "join", "stack", "tray"]

MARK_HEIGHT = 0.6  # of raised numbers, and the depth of sunk ones
MARK_OVERLAP = 0.3  # how far raised numbers reach into the body, so that the two are one


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Corners, triangles (anticlockwise from outside), and for each triangle the number of its source."""

    vertices: NDArray[np.float64]
    triangles: NDArray[np.int64]
    sources: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A `manifold3d.Manifold`, and the numbers by which it knows its parts."""

    solid: Any
    ids: Sequence[int]


def _moved(corners: NDArray[np.float64], out: float) -> NDArray[np.float64]:
    """The outline with every side moved outwards: what is to the right of its direction."""
    import numpy as np

    ahead = np.roll(corners, -1, axis=0) - corners
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    normal = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
    before = np.roll(normal, 1, axis=0)
    along = 1 + (normal * before).sum(axis=1)
    moved: NDArray[np.float64] = corners + out * (normal + before) / np.maximum(along, 0.2)[:, None]
    return moved


def stack(
    outlines: Sequence[NDArray[np.float64]], layers: Sequence[tuple[float, float]], halved: bool = False
) -> Body:
    """The solid between layers, each a height and how far the outlines are moved outwards there.

    If it is `halved`, the first and the middle corner of its one outline are the ends of a cut: what comes
    after the middle corner is the first part of the body, what comes before it the second.
    """
    import numpy as np
    from manifold3d import Manifold, Mesh64

    rows = [[_moved(corners, out) for corners in outlines] for _, out in layers]
    heights = np.repeat([z for z, _ in layers], sum(map(len, outlines)))
    vertices = np.column_stack([np.concatenate([corners for row in rows for corners in row]), heights])
    firsts = np.cumsum([0, *map(len, outlines)])
    count = int(firsts[-1])
    cuts: list[list[Sequence[int]]] = [[range(first, last) for first, last in pairwise(firsts.tolist())]]
    if halved:
        cuts = [[[*range(count // 2, count), 0]], [range(count // 2 + 1)]]
    follows = np.arange(1, count + 1)
    follows[firsts[1:] - 1] = firsts[:-1]
    parts = []
    for corners in cuts:
        # A corner belongs to the part in which the side that begins there lies.
        begins = np.concatenate([list(row)[: len(row) - halved] for row in corners])
        parts.append(np.concatenate(
            [_cap(vertices, corners)[:, ::-1]]
            + [_wall(begins, follows, low, count) for low in range(0, count * (len(layers) - 1), count)]
            + [_cap(vertices, corners, count * (len(layers) - 1))]
        ))  # fmt: skip
    own = Manifold.reserve_ids(len(parts))
    ids = list(range(own, own + len(parts)))
    ends = np.cumsum([0, *(3 * len(part) for part in parts)]).astype(np.uint64)
    made = Mesh64(
        vertices,
        np.concatenate(parts).astype(np.uint64),
        run_index=ends,
        run_original_id=np.array(ids, np.uint32),
    )
    return Body(Manifold(made), ids)


def _cap(vertices: NDArray[np.float64], corners: Sequence[Sequence[int]], low: int = 0) -> NDArray[np.int64]:
    """The triangles that fill outlines given by the numbers of their corners."""
    import numpy as np
    from manifold3d import triangulate

    numbers = np.concatenate([np.array(row, np.int64) for row in corners]) + low
    found = triangulate([np.ascontiguousarray(vertices[np.array(row) + low, :2]) for row in corners])
    filled: NDArray[np.int64] = numbers[np.array(found)]
    return filled


def _wall(begins: NDArray[np.int64], follows: NDArray[np.int64], low: int, count: int) -> NDArray[np.int64]:
    """The triangles from one layer to the next, above the sides that begin at these corners."""
    import numpy as np

    here, there = begins + low, follows[begins] + low
    lower = np.stack([here, there, there + count], axis=1)
    return np.concatenate([lower, np.stack([here, there + count, here + count], axis=1)])


def body(shape: Plan, height: float) -> Body:
    """A piece without its number: upright sides, a rounded upper edge, a broken lower one."""
    soft = min(0.9, 0.045 * shape.cell, height / 4)
    foot = soft / 3
    quarter = [math.pi / 2 * k / 4 for k in range(5)]
    round_off = [(height - soft + soft * math.sin(t), soft * (math.cos(t) - 1)) for t in quarter]
    return stack([shape.outline], [(0.0, -foot), (foot, 0.0), *round_off], halved=shape.ends > 1)


def join(piece: Body, marks: Sequence[Any], height: float, numbers: str) -> Mesh:
    """The piece with these marks on its ends, raised or sunk.

    Sources are 0 for the first end, 1 for its mark, 2 for the second end, 3 for its mark.
    """
    source = {number: 2 * k for k, number in enumerate(piece.ids)}
    solid = piece.solid
    for k, outline in enumerate(marks if numbers != "none" else ()):
        low = height - (MARK_OVERLAP if numbers == "raised" else MARK_HEIGHT)
        stamp = outline.extrude(MARK_HEIGHT + MARK_OVERLAP).translate((0, 0, low)).as_original()
        source[stamp.original_id()] = 2 * k + 1
        solid = solid + stamp if numbers == "raised" else solid - stamp
    return mesh(solid, source)


def tray(cut: Any, outer: Any, floor: float, height: float, stamps: Sequence[Any]) -> Mesh:
    """A tray with this outer outline from which the well is cut; `stamps` are sunk into its floor.

    Sources are 0 for the tray, 1 for the well, 2 for the numbers on the floor.
    """
    from manifold3d import CrossSection, OpType

    soft = min(0.8, height / 6)
    block = stack(
        outer.to_polygons(),
        [
            (0, -soft / 2),
            (soft / 2, 0),
            (height - soft, 0),
            (height - 0.3 * soft, -0.3 * soft),
            (height, -soft),
        ],
    )
    lip = 0.5 * soft
    hollow = stack(cut.to_polygons(), [(floor, 0), (height - lip, 0), (height, lip), (height + 1, lip)])
    solid = block.solid - hollow.solid
    source = {block.ids[0]: 0, hollow.ids[0]: 1}
    if stamps:
        sunk = min(MARK_HEIGHT, floor / 2)
        outline = CrossSection.batch_boolean(list(stamps), OpType.Add)
        engraved = outline.extrude(sunk + MARK_OVERLAP).translate((0, 0, floor - sunk)).as_original()
        source[engraved.original_id()] = 2
        solid = solid - engraved
    return mesh(solid, source)


def mesh(solid: Any, source: dict[int, int]) -> Mesh:
    """The triangles of a solid, the smallest flaws left out; files keep a ten thousandth of a millimetre."""
    import numpy as np

    made = solid.simplify(0.001).to_mesh64()
    vertices = np.round(np.array(made.vert_properties)[:, :3], 4)
    triangles = np.array(made.tri_verts).astype(np.int64)
    ends = np.array(made.run_index).astype(np.int64)
    lengths = (ends[1:] - ends[:-1]) // 3
    sources = np.repeat([source[int(number)] for number in made.run_original_id], lengths)
    return Mesh(vertices, triangles, sources.astype(np.uint8))
