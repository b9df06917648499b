"""A plain brute-force oracle for sliding puzzles, used to check slidelab.

It shares no code with the library and is written straight from the rules:
clarity over speed, every labelled configuration is enumerated.

A board is ``(n, adjacency, coords, kind)``: the number of cells, a list of sets
of neighbouring cells, the coordinates (``None`` for graphs), and one of ``hex``,
``square``, ``king``, ``graph``.

Configurations:

- ``tiles``, ``hextiles``: a tuple with one entry a cell, labels 1..t, 0 for a hole;
- all other rules: a tuple with one entry a piece, its ordered tuple of cells
  (gourds: head, tail; trimers: first end, middle, other end).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations, pairwise, permutations
from typing import Any

Config = tuple[Any, ...]
Piece = tuple[int, ...]
Coord = tuple[int, int]
Board = tuple[int, list[set[int]], list[Coord] | None, str]

HEX_DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
SQUARE_DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1)]
KING_DIRECTIONS = [*SQUARE_DIRECTIONS, (1, 1), (1, -1), (-1, 1), (-1, -1)]

TILE_RULES = ("tiles", "hextiles")
GOURD_RULES = ("gourds", "gourds-sharp")
RIGID_RULES = ("trimers-straight", "trimers-bent", "trimers-triangle")
RULES = (*TILE_RULES, *GOURD_RULES, "trimers", *RIGID_RULES)


# Boards ---------------------------------------------------------------------


def _coordinate_board(cells: Iterable[Coord], directions: list[Coord], kind: str) -> Board:
    # Reading order: by row (second coordinate), then along the row.
    coords = sorted({(x, y) for x, y in cells}, key=lambda c: (c[1], c[0]))
    number = {c: i for i, c in enumerate(coords)}
    adjacency = [
        {number[x + dx, y + dy] for dx, dy in directions if (x + dx, y + dy) in number} for x, y in coords
    ]
    return len(coords), adjacency, coords, kind


def hex_board(cells: Iterable[Coord]) -> Board:
    """Board of hexagons with axial coordinates (q, r)."""
    return _coordinate_board(cells, HEX_DIRECTIONS, "hex")


def square_board(cells: Iterable[Coord]) -> Board:
    """Board of squares (x, y), four neighbours."""
    return _coordinate_board(cells, SQUARE_DIRECTIONS, "square")


def king_board(cells: Iterable[Coord]) -> Board:
    """Board of squares (x, y), eight neighbours."""
    return _coordinate_board(cells, KING_DIRECTIONS, "king")


def graph_board(n: int, edges: Iterable[tuple[int, int]]) -> Board:
    """Board from the edges of a graph with vertices 0..n-1."""
    adjacency: list[set[int]] = [set() for _ in range(n)]
    for u, v in edges:
        if u == v:
            raise ValueError(f"loop at {u}")
        adjacency[u].add(v)
        adjacency[v].add(u)
    return n, adjacency, None, "graph"


def rectangle_cells(columns: int, rows: int) -> list[Coord]:
    """R(columns, rows); read as axial coordinates, the parallelogram P."""
    return [(x, y) for y in range(rows) for x in range(columns)]


def triangle_cells(side: int) -> list[Coord]:
    """T(side) in axial coordinates."""
    return [(q, r) for r in range(side) for q in range(side - r)]


def flower_cells(side: int) -> list[Coord]:
    """F(side) in axial coordinates: F(1) is one cell, F(2) seven."""
    reach = range(1 - side, side)
    return [(q, r) for r in reach for q in reach if abs(q + r) < side]


def theta_graph(*interiors: int) -> Board:
    """Vertices 0 and 1 joined by paths with the given numbers of interior vertices."""
    edges = []
    n = 2
    for interior in interiors:
        path = [0, *range(n, n + interior), 1]
        edges += list(pairwise(path))
        n += interior
    return graph_board(n, edges)


# Plane geometry, for the rigid trimers ---------------------------------------


def rotate_hex(x: int, y: int) -> Coord:
    """Sixty degrees: (1,0) -> (0,1) -> (-1,1) -> (-1,0) -> (0,-1) -> (1,-1)."""
    return -y, x + y


def rotate_square(x: int, y: int) -> Coord:
    """Ninety degrees: (1,0) -> (0,1) -> (-1,0) -> (0,-1)."""
    return -y, x


def turn(a: Coord, b: Coord, c: Coord) -> int:
    """Walking a, b, c: negative for a left turn, 0 straight, positive for a right turn.

    Left as seen in the drawing, where the second coordinate grows downwards.
    (Axial coordinates are drawn by a linear map with positive determinant, so the
    same sign is right for hexagons.)
    """
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


# The puzzle -------------------------------------------------------------------


class Plain:
    """One puzzle: board, rule, number of holes."""

    def __init__(
        self,
        n: int,
        adjacency: list[set[int]],
        rule: str,
        holes: int,
        coords: list[Coord] | None = None,
        kind: str | None = None,
    ) -> None:
        if rule not in RULES:
            raise ValueError(f"unknown rule {rule}")
        if rule in RIGID_RULES and (kind not in ("hex", "square") or coords is None):
            raise ValueError(f"{rule} needs a hex or square board")
        if rule == "trimers-triangle" and kind != "hex":
            raise ValueError(f"{rule} needs a hex board")
        if not all(u != v and u in adjacency[v] for u in range(n) for v in adjacency[u]):
            raise ValueError("adjacency is not symmetric or has a loop")
        self.n = n
        self.adjacency = adjacency
        self.rule = rule
        self.hole_count = holes
        self.coords: list[Coord] = list(coords) if coords is not None else []
        self.kind = kind
        self.cell_at = {c: i for i, c in enumerate(self.coords)}
        if rule in TILE_RULES:
            self.piece_size = 1
        elif rule in GOURD_RULES:
            self.piece_size = 2
        else:
            self.piece_size = 3
        if not 0 <= holes <= n or (n - holes) % self.piece_size:
            raise ValueError(f"{n} cells with {holes} holes do not fit the rule {rule}")
        self.piece_count = (n - holes) // self.piece_size

    @classmethod
    def on(cls, board: Board, rule: str, holes: int) -> Plain:
        """The puzzle on a board as the builders return it."""
        n, adjacency, coords, kind = board
        return cls(n, adjacency, rule, holes, coords, kind)

    # Which configurations there are

    def placements(self) -> list[Piece]:
        """Every legal ordered tuple of cells for one piece."""
        return [cells for cells in permutations(range(self.n), self.piece_size) if self._is_placement(cells)]

    def _is_placement(self, cells: Piece) -> bool:
        adjacent = self.adjacency
        if self.piece_size == 1:
            return True
        if self.piece_size == 2:
            a, b = cells
            return b in adjacent[a]
        a, b, c = cells
        if b not in adjacent[a] or c not in adjacent[b]:
            return False
        if self.rule == "trimers":
            return True
        direction = turn(self.coords[a], self.coords[b], self.coords[c])
        if self.rule == "trimers-straight":
            return direction == 0
        # The other two are read so that they turn left.
        if self.rule == "trimers-bent":
            return direction < 0 and c not in adjacent[a]
        assert self.rule == "trimers-triangle"
        return direction < 0 and c in adjacent[a]

    def all_configurations(self) -> Iterator[Config]:
        """Every legal labelled configuration, once each."""
        if self.rule in TILE_RULES:
            labels = range(1, self.piece_count + 1)
            for covered in combinations(range(self.n), self.piece_count):
                for order in permutations(labels):
                    config = [0] * self.n
                    for cell, label in zip(covered, order, strict=True):
                        config[cell] = label
                    yield tuple(config)
        else:
            yield from self._lay((), self.placements())

    def _lay(self, laid: Config, placements: list[Piece]) -> Iterator[Config]:
        if len(laid) == self.piece_count:
            yield laid
            return
        covered = {cell for piece in laid for cell in piece}
        for piece in placements:
            if covered.isdisjoint(piece):
                yield from self._lay((*laid, piece), placements)

    def is_legal(self, config: Config) -> bool:
        """Is this one of all_configurations()?"""
        if self.rule in TILE_RULES:
            expected = [0] * self.hole_count + list(range(1, self.piece_count + 1))
            return sorted(config) == expected
        covered = [cell for piece in config for cell in piece]
        return (
            len(config) == self.piece_count
            and all(len(piece) == self.piece_size for piece in config)
            and all(cell in range(self.n) for cell in covered)
            and len(set(covered)) == len(covered)
            and all(self._is_placement(piece) for piece in config)
        )

    def hole_cells(self, config: Config) -> frozenset[int]:
        """The cells that are not covered."""
        if self.rule in TILE_RULES:
            return frozenset(cell for cell in range(self.n) if config[cell] == 0)
        covered = {cell for piece in config for cell in piece}
        return frozenset(range(self.n)) - covered

    def shape(self, config: Config) -> Hashable:
        """The configuration without its labels."""
        if self.rule in TILE_RULES:
            return self.hole_cells(config)
        if self.rule in GOURD_RULES or self.rule == "trimers-triangle":
            return frozenset(frozenset(piece) for piece in config)
        return frozenset((frozenset(piece), piece[1]) for piece in config)

    # Moves

    def neighbours(self, config: Config) -> set[Config]:
        """The configurations one move away."""
        if self.rule in TILE_RULES:
            return self._tile_neighbours(config)
        holes = self.hole_cells(config)
        found = set()
        for k, piece in enumerate(config):
            for moved in self._piece_moves(piece, holes):
                found.add((*config[:k], moved, *config[k + 1 :]))
        return found

    def _tile_neighbours(self, config: Config) -> set[Config]:
        holes = self.hole_cells(config)
        found = set()
        for u in range(self.n):
            if u in holes:
                continue
            for v in self.adjacency[u]:
                if v not in holes:
                    continue
                if self.rule == "hextiles" and not any(
                    w in self.adjacency[u] and w in self.adjacency[v] for w in holes
                ):
                    continue
                moved = list(config)
                moved[v] = config[u]
                moved[u] = 0
                found.add(tuple(moved))
        return found

    def _piece_moves(self, piece: Piece, holes: frozenset[int]) -> set[Piece]:
        """Where this one piece can go in one move, as ordered tuples."""
        if self.rule in GOURD_RULES:
            return self._gourd_moves(piece, holes)
        if self.rule == "trimers":
            return self._chain_moves(piece, holes)
        return self._rigid_moves(piece, holes)

    def _gourd_moves(self, piece: Piece, holes: frozenset[int]) -> set[Piece]:
        adjacent = self.adjacency
        head, tail = piece
        found: set[Piece] = set()
        for c in holes:
            if c in adjacent[head] and c in adjacent[tail]:
                if self.rule == "gourds":  # pivot: one end stays
                    found.add((head, c))
                    found.add((c, tail))
                else:  # sharp turn: one end leads, the other follows
                    found.add((tail, c))
                    found.add((c, head))
            elif c in adjacent[tail]:  # along, tail first
                found.add((tail, c))
            elif c in adjacent[head]:  # along, head first
                found.add((c, head))
        return found

    def _chain_moves(self, piece: Piece, holes: frozenset[int]) -> set[Piece]:
        adjacent = self.adjacency
        a, b, c = piece
        found: set[Piece] = set()
        for h in holes:
            if h in adjacent[c]:  # the end at c leads
                found.add((b, c, h))
            if h in adjacent[a]:  # the end at a leads
                found.add((h, a, b))
            if h in adjacent[b] and h in adjacent[c]:  # the end at c swings
                found.add((a, b, h))
            if h in adjacent[b] and h in adjacent[a]:  # the end at a swings
                found.add((h, b, c))
        return found

    def _rigid_moves(self, piece: Piece, holes: frozenset[int]) -> set[Piece]:
        if self.kind == "hex":
            directions, rotate, full_turn = HEX_DIRECTIONS, rotate_hex, 6
        else:
            directions, rotate, full_turn = SQUARE_DIRECTIONS, rotate_square, 4
        points = [self.coords[cell] for cell in piece]
        candidates = []
        for dx, dy in directions:
            candidates.append([(x + dx, y + dy) for x, y in points])
        for px, py in points:  # the centre of rotation
            for steps in (1, full_turn - 1):  # one way, the other way
                offsets = [(x - px, y - py) for x, y in points]
                for _ in range(steps):
                    offsets = [rotate(x, y) for x, y in offsets]
                candidates.append([(px + x, py + y) for x, y in offsets])
        found = set()
        for candidate in candidates:
            if all(point in self.cell_at for point in candidate):
                moved = tuple(self.cell_at[point] for point in candidate)
                if all(cell in holes for cell in moved if cell not in piece):
                    found.add(moved)
        return found

    # Searching the puzzle graph

    def distance_layers(self, config: Config) -> list[set[Config]]:
        """Layer d holds the configurations at distance d."""
        layers = [{config}]
        seen = {config}
        while True:
            layer = set()
            for current in layers[-1]:
                for following in self.neighbours(current):
                    if following not in seen:
                        seen.add(following)
                        layer.add(following)
            if not layer:
                return layers
            layers.append(layer)

    def component(self, config: Config) -> set[Config]:
        """Everything that can be reached (every move can be taken back)."""
        return set().union(*self.distance_layers(config))

    def components(self) -> list[set[Config]]:
        """The components of the whole puzzle graph, isolated configurations too."""
        found = []
        seen: set[Config] = set()
        for config in self.all_configurations():
            if config not in seen:
                component = self.component(config)
                seen |= component
                found.append(component)
        return found

    def gods_number(self) -> int:
        """The largest distance within any component.

        One start for each shape: the others differ only by names of the pieces.
        """
        starts = {self.shape(config): config for config in self.all_configurations()}
        return max(len(self.distance_layers(start)) - 1 for start in starts.values())

    def summary(self) -> dict[str, Any]:
        """Counts for the whole puzzle.

        ``shapes``, ``isolated`` (shapes that have no move), ``components`` (of
        configurations that have a move), ``sizes`` (Counter: size -> how many of
        those), ``families``: sorted list of (shapes, components, size of each).
        """
        shapes: set[Hashable] = set()
        isolated: set[Hashable] = set()
        moving: list[set[Config]] = []
        for component in self.components():
            shapes_here = {self.shape(config) for config in component}
            shapes |= shapes_here
            if len(component) == 1:
                isolated |= shapes_here
            else:
                moving.append(component)

        # Shapes joined by moves. All shapes of a component are joined, so merge the
        # shape sets of components that overlap.
        shape_sets: list[set[Hashable]] = []
        for component in moving:
            merged = {self.shape(config) for config in component}
            apart = []
            for shape_set in shape_sets:
                if shape_set & merged:
                    merged |= shape_set
                else:
                    apart.append(shape_set)
            shape_sets = [*apart, merged]

        families = []
        for shape_set in shape_sets:
            assert not shape_set & isolated, "a shape that moves only under some labels"
            over = [c for c in moving if self.shape(next(iter(c))) in shape_set]
            for component in over:
                assert {self.shape(config) for config in component} == shape_set
            sizes = {len(component) for component in over}
            assert len(sizes) == 1, f"components of one family differ in size: {sizes}"
            families.append((len(shape_set), len(over), sizes.pop()))

        return {
            "shapes": len(shapes),
            "isolated": len(isolated),
            "components": len(moving),
            "sizes": Counter(len(component) for component in moving),
            "families": sorted(families),
        }
