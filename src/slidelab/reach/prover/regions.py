"""Sets of hexagons as the prover sees them: triangle-connected boards, cores, and convex regions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from slidelab.boards.lattice import Cell, hexagons_around, images
from slidelab.boards.walks import DisjointSets

__all__ = ["Bounds", "Placement", "bounds_of", "canonical", "peel_corners", "triangle_classes"]

TURNS = 12
"""Symmetries of the lattice that fix a cell, numbered as in `slidelab.boards.lattice.images`."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A turn and a shift of the lattice: a cell goes to ``images(turn) + shift``."""

    turn: int
    shift: Cell

    def of(self, cells: Iterable[Cell]) -> frozenset[Cell]:
        """Return the images of cells.

        >>> sorted(Placement(3, (1, 0)).of([(0, 0), (1, 0)]))
        [(0, 0), (1, 0)]
        """
        dq, dr = self.shift
        turned = (images("hex", q, r)[self.turn] for q, r in cells)
        return frozenset((q + dq, r + dr) for q, r in turned)


@dataclass(frozen=True, slots=True, order=True)
class Bounds:
    """A convex region: all hexagons with q, r and s = q + r in given ranges.

    Parallelograms, triangles, flowers, trapezoids and their trimmed forms are such regions. The bounds of a
    region are tight if each is attained.

    Examples
    --------
    >>> len(Bounds(0, 2, 0, 2, 0, 4).cells()), Bounds(0, 2, 0, 2, 0, 4).widths
    (9, (3, 3, 5))
    """

    q0: int
    q1: int
    r0: int
    r1: int
    s0: int
    s1: int

    def cells(self) -> frozenset[Cell]:
        """Return the hexagons of the region."""
        return frozenset(self)

    def __iter__(self) -> Iterator[Cell]:
        for r in range(self.r0, self.r1 + 1):
            for q in range(max(self.q0, self.s0 - r), min(self.q1, self.s1 - r) + 1):
                yield q, r

    @property
    def size(self) -> int:
        """The number of hexagons."""
        rows = range(self.r0, self.r1 + 1)
        return sum(max(0, min(self.q1, self.s1 - r) - max(self.q0, self.s0 - r) + 1) for r in rows)

    @property
    def widths(self) -> tuple[int, int, int]:
        """The numbers of lines of hexagons in the three directions."""
        return self.q1 - self.q0 + 1, self.r1 - self.r0 + 1, self.s1 - self.s0 + 1

    @property
    def is_empty(self) -> bool:
        """Whether there is no hexagon."""
        return min(self.widths) < 1 or self.size == 0

    def tightened(self) -> Bounds:
        """Return the same region with tight bounds; it must not be empty."""
        q0, q1, r0, r1, s0, s1 = self.q0, self.q1, self.r0, self.r1, self.s0, self.s1
        for _ in range(2):
            q0, q1 = max(q0, s0 - r1), min(q1, s1 - r0)
            r0, r1 = max(r0, s0 - q1), min(r1, s1 - q0)
            s0, s1 = max(s0, q0 + r0), min(s1, q1 + r1)
        return Bounds(q0, q1, r0, r1, s0, s1)

    def cut(self, direction: int, low: int | None = None, high: int | None = None) -> Bounds:
        """Return the part whose coordinate (0: q, 1: r, 2: s) lies between two values."""
        values = [self.q0, self.q1, self.r0, self.r1, self.s0, self.s1]
        if low is not None:
            values[2 * direction] = max(values[2 * direction], low)
        if high is not None:
            values[2 * direction + 1] = min(values[2 * direction + 1], high)
        return Bounds(*values)

    def trimmed(self) -> Bounds:
        """Return the region without its tight corners: again a convex region.

        >>> Bounds(0, 2, 0, 2, 0, 4).trimmed().size
        7
        """
        b = self.tightened()
        out = [b.q0, b.q1, b.r0, b.r1, b.s0, b.s1]
        # A side of one hexagon is a tight corner: the two sides beside it meet at 60 degrees.
        sides = (
            (b.q0, max(b.r0, b.s0 - b.q0), min(b.r1, b.s1 - b.q0)),
            (b.q1, max(b.r0, b.s0 - b.q1), min(b.r1, b.s1 - b.q1)),
            (b.r0, max(b.q0, b.s0 - b.r0), min(b.q1, b.s1 - b.r0)),
            (b.r1, max(b.q0, b.s0 - b.r1), min(b.q1, b.s1 - b.r1)),
            (b.s0, max(b.q0, b.s0 - b.r1), min(b.q1, b.s0 - b.r0)),
            (b.s1, max(b.q0, b.s1 - b.r1), min(b.q1, b.s1 - b.r0)),
        )
        for number, (_, low, high) in enumerate(sides):
            if low == high:
                out[number] += 1 if number % 2 == 0 else -1
        return Bounds(*out)

    def turned(self, turn: int) -> Bounds:
        """Return the image under a symmetry, which maps each coordinate to one of them or its negative.

        >>> Bounds(0, 3, 0, 2, 0, 5).turned(6)
        Bounds(q0=0, q1=2, r0=0, r1=3, s0=0, s1=5)
        """
        ranges = {(1, 0): (self.q0, self.q1), (0, 1): (self.r0, self.r1), (1, 1): (self.s0, self.s1)}
        (a, c), (b, d) = images("hex", 1, 0)[turn], images("hex", 0, 1)[turn]
        out: list[int] = []
        for form in ((a, b), (c, d), (a + c, b + d)):
            if form in ranges:
                out.extend(ranges[form])
            else:
                low, high = ranges[-form[0], -form[1]]
                out.extend((-high, -low))
        return Bounds(*out)

    def shifted(self, dq: int, dr: int) -> Bounds:
        """Return the region shifted by a vector."""
        return Bounds(
            self.q0 + dq, self.q1 + dq, self.r0 + dr, self.r1 + dr, self.s0 + dq + dr, self.s1 + dq + dr
        )

    def canonical(self) -> tuple[Bounds, Placement]:
        """Return the first of all turned and shifted copies, and the way back to this one."""
        copies = []
        for turn in range(TURNS):
            turned = self.turned(turn)
            copies.append(turned.shifted(-turned.q0, -turned.r0))
        best = min(copies)
        for turn in range(TURNS):
            turned = best.turned(turn)
            dq, dr = self.q0 - turned.q0, self.r0 - turned.r0
            if turned.shifted(dq, dr) == self:
                return best, Placement(turn, (dq, dr))
        raise AssertionError("a symmetry has an inverse")

    @property
    def has_tight_corner(self) -> bool:
        """Whether some hexagon has just two neighbours, which touch."""
        return self.trimmed() != self.tightened()


def bounds_of(cells: Iterable[Cell]) -> Bounds:
    """Return the bounds of a set of hexagons.

    >>> bounds_of([(0, 0), (1, 0)])
    Bounds(q0=0, q1=1, r0=0, r1=0, s0=0, s1=1)
    """
    listed = list(cells)
    qs, rs, ss = [q for q, _ in listed], [r for _, r in listed], [q + r for q, r in listed]
    return Bounds(min(qs), max(qs), min(rs), max(rs), min(ss), max(ss))


def triangle_classes(cells: Collection[Cell]) -> list[set[Cell]]:
    """Return the sets of hexagons that triangles joined through common edges cover, the largest first.

    A pair of touching holes gets from one edge to another across a triangle, so it stays within a class. Two
    classes may have hexagons in common, but no edges.

    >>> [len(part) for part in triangle_classes([(0, 0), (1, 0), (0, 1), (2, 0)])]
    [3]
    """
    inside = set(cells)
    number: dict[tuple[Cell, Cell], int] = {}
    for cell in inside:
        for near in hexagons_around(cell):
            if near in inside and cell < near:
                number[cell, near] = len(number)
    sets = DisjointSets(len(number))
    joined: set[int] = set()
    for cell in inside:
        for a, b in pairwise((*hexagons_around(cell), hexagons_around(cell)[0])):
            if a in inside and b in inside:
                edges = [number[min(pair), max(pair)] for pair in ((cell, a), (cell, b), (a, b))]
                sets.union(edges[0], edges[1])
                sets.union(edges[0], edges[2])
                joined.update(edges)
    classes: dict[int, set[Cell]] = {}
    for ends, edge in number.items():
        if edge in joined:
            classes.setdefault(sets.find(edge), set()).update(ends)
    return sorted(classes.values(), key=lambda part: (-len(part), min(part)))


def peel_corners(cells: Iterable[Cell]) -> tuple[list[Cell], set[Cell]]:
    """Take off cells with a stuck tile one after the other; return them in this order, and what is left.

    With two holes a tile is stuck in a tight corner and, more generally, on every cell without three
    consecutive neighbours around it. A triangle is left if nothing else is.

    >>> corners, core = peel_corners(Bounds(0, 2, 0, 2, 0, 4))
    >>> corners, len(core)
    ([(0, 0), (2, 2)], 7)
    """
    core, corners = set(cells), []
    queue = sorted(core)
    for cell in queue:
        if cell in core and len(core) > 3 and _is_stuck(core, cell):
            core.discard(cell)
            corners.append(cell)
            queue.extend(near for near in hexagons_around(cell) if near in core)
    return corners, core


def _is_stuck(cells: Collection[Cell], cell: Cell) -> bool:
    """Return whether no edge at a cell is in two triangles: then a tile comes out, but never farther."""
    here = [near in cells for near in hexagons_around(cell)]
    return not any(here[k - 2] and here[k - 1] and here[k] for k in range(6))


def canonical(cells: Iterable[Cell]) -> tuple[tuple[Cell, ...], Placement]:
    """Return the first of all turned and shifted copies of a set of cells, and the way back to them.

    >>> form, back = canonical([(5, 5), (5, 6)])
    >>> form, back.of(form) == {(5, 5), (5, 6)}
    (((0, 0), (0, 1)), True)
    """
    listed = list(cells)
    best: tuple[Cell, ...] | None = None
    for turn in range(TURNS):
        turned = [images("hex", q, r)[turn] for q, r in listed]
        left, top = min(q for q, _ in turned), min(r for _, r in turned)
        form = tuple(sorted((q - left, r - top) for q, r in turned))
        best = form if best is None or form < best else best
    wanted = set(listed)
    for turn in range(TURNS):
        turned = [images("hex", q, r)[turn] for q, r in best or ()]
        (q0, r0), (q1, r1) = min(turned), min(wanted)
        back = Placement(turn, (q1 - q0, r1 - r0))
        if all((q + back.shift[0], r + back.shift[1]) in wanted for q, r in turned):
            return best or (), back
    raise AssertionError("a symmetry has an inverse")
