"""Symmetries of a board, as permutations of its cells.

Boards of hexagons and squares have the symmetries of their lattice that map the board to itself, at most
twelve and eight. Graphs have all their automorphisms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards.board import Board
from slidelab.boards.lattice import images
from slidelab.boards.walks import DisjointSets, reachable
from slidelab.errors import TooLarge
from slidelab.permutations import Permutation

__all__ = ["Permutation", "Symmetries", "graph_automorphisms", "symmetries"]

MAX_ELEMENTS = 100_000
WORK_LIMIT = 50_000_000
"""How many cells and edges the search for automorphisms may look at, a matter of some seconds."""


@dataclass(frozen=True, slots=True)
class Symmetries:
    """A group of permutations of the cells of a board.

    Attributes
    ----------
    degree : int
        Number of cells.
    generators : tuple of permutations
        Each is the tuple of the images of cells 0, 1, ...; the identity is never among them.
    order : int
        Number of elements of the group.
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int

    def elements(self) -> Iterator[Permutation]:
        """Iterate over all elements, the identity first; `TooLarge` if there are more than 100,000.

        >>> from slidelab.boards import board
        >>> list(symmetries(board("square R(2,1)")).elements())
        [(0, 1), (1, 0)]
        """
        if self.order > MAX_ELEMENTS:
            raise TooLarge(f"expected at most {MAX_ELEMENTS} symmetries to list, got {self.order}")
        return _closure(self.degree, self.generators)

    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Return the classes of cells that symmetries carry into one another, in the order of first cells.

        >>> from slidelab.boards import board
        >>> symmetries(board("square R(3,3)")).orbits()
        ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
        """
        classes = DisjointSets(self.degree)
        for generator in self.generators:
            classes.merge(generator)
        return tuple(map(tuple, classes.sets()))


def symmetries(board: Board) -> Symmetries:
    """Return the symmetries of a board: geometric ones of hexagons and squares, all automorphisms of a graph.

    Symmetries of the lattice that move no cell (the reflection of a straight row in itself) are not counted.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> [symmetries(board(text)).order for text in ("hex F(3)", "hex P(3,4)", "square R(4,4)", "cycle(7)")]
    [12, 2, 8, 14]
    """
    if board.kind == "graph":
        return graph_automorphisms(board)
    elements = _lattice_symmetries(board)
    generators: list[Permutation] = []
    generated = {tuple(range(board.size))}
    for element in elements:
        if element not in generated:
            generators.append(element)
            generated = set(_closure(board.size, generators))
    return Symmetries(board.size, tuple(generators), len(generated))


def _lattice_symmetries(board: Board) -> list[Permutation]:
    number = {cell: index for index, cell in enumerate(board.cells)}
    corner = min(x for x, _ in board.cells), min(y for _, y in board.cells)
    turned_cells = [images(board.kind, x, y) for x, y in board.cells]
    found = []
    for turn in range(len(turned_cells[0])):
        turned = [row[turn] for row in turned_cells]
        # The corner of the bounding box must come back to its place, which leaves one translation.
        dx = corner[0] - min(x for x, _ in turned)
        dy = corner[1] - min(y for _, y in turned)
        image = _numbers(number, [(x + dx, y + dy) for x, y in turned])
        if image is not None:
            found.append(image)
    return found


def _numbers(number: dict[tuple[int, int], int], cells: list[tuple[int, int]]) -> Permutation | None:
    image = []
    for cell in cells:
        if cell not in number:
            return None
        image.append(number[cell])
    return tuple(image)


def _closure(degree: int, generators: Sequence[Permutation]) -> Iterator[Permutation]:
    """Yield every product of the generators once."""
    return reachable(
        lambda element: (tuple([generator[cell] for cell in element]) for generator in generators),
        [tuple(range(degree))],
    )


# Automorphisms of a graph
#
# Colour refinement: vertices start with one colour, and as long as two vertices of one colour see different
# numbers of neighbours of some colour, they get different colours. If colours remain shared, single out a
# vertex b1, refine again, then b2 and so on, until all colours differ. An automorphism is then known by the
# images of the base b1, b2, ..., and refinement tells early which images are impossible.
#
# The group is found from the far end of the base: knowing all automorphisms that fix b1..bi, look for one
# more for every image of bi that they do not already reach. If G(i) fixes b1..b(i-1), the orbit of bi under
# G(i) has |G(i)| / |G(i+1)| points, so the order is the product of the sizes of these orbits (Schreier and
# Sims), and the automorphisms found are strong generators: never more than the degree.


def graph_automorphisms(board: Board) -> Symmetries:
    """Return all permutations of the cells that map touching cells to touching cells.

    For graphs `symmetries` is the same; a board of hexagons or squares may have more automorphisms as a
    graph than geometric symmetries. `TooLarge` if the search takes too long.

    >>> from slidelab.boards import board
    >>> graph_automorphisms(board("king R(2,2)")).order
    24
    """
    search = _Search(board)
    classes = DisjointSets(board.size)
    generators: list[Permutation] = []
    order = 1
    for level in reversed(range(len(search.base))):
        _extend(search, level, classes, generators)
        order *= classes.size(search.base[level])
    return Symmetries(board.size, tuple(generators), order)


def _extend(search: _Search, level: int, classes: DisjointSets, generators: list[Permutation]) -> None:
    """Add generators until they give every image of base point `level` that fixes the earlier base points."""
    point = search.base[level]
    refused: list[int] = []
    for image in search.candidates(level):
        root = classes.find(image)
        if root == classes.find(point) or any(classes.find(other) == root for other in refused):
            continue
        found = search.automorphism(level, image)
        if found is None:
            refused.append(image)
        else:
            generators.append(found)
            classes.merge(found)


class _Partition:
    """An ordered partition of the vertices into cells; the colour of a cell is the place where it starts.

    `order` lists the vertices cell by cell, `place` says where each vertex is in it, `length` gives the
    number of vertices of the cell that starts at a place. Splitting takes time for the vertices that leave.
    """

    __slots__ = ("colour", "count", "length", "order", "place")

    def __init__(self, size: int) -> None:
        self.order = list(range(size))
        self.place = list(range(size))
        self.colour = [0] * size
        self.length = [size] + [0] * (size - 1)
        self.count = 1

    def copy(self) -> _Partition:
        twin = object.__new__(_Partition)
        twin.order, twin.place = self.order.copy(), self.place.copy()
        twin.colour, twin.length = self.colour.copy(), self.length.copy()
        twin.count = self.count
        return twin

    def members(self, colour: int) -> list[int]:
        return self.order[colour : colour + self.length[colour]]

    def split(self, colour: int, leaving: Sequence[Sequence[int]]) -> list[int]:
        """Move groups of vertices to the end of their cell, each as a new cell; return the new colours."""
        start = colour + self.length[colour] - sum(map(len, leaving))
        self.length[colour] = start - colour
        new = []
        for group in leaving:
            new.append(start)
            self.length[start] = len(group)
            for place, vertex in enumerate(group, start):
                self._put(vertex, place)
                self.colour[vertex] = start
            start += len(group)
        self.count += len(new)
        return new

    def _put(self, vertex: int, place: int) -> None:
        other, old = self.order[place], self.place[vertex]
        self.order[place], self.order[old] = vertex, other
        self.place[vertex], self.place[other] = place, old


Trace = list[tuple[int, ...]]


class _Search:
    """The base of a graph, the refined partition at each level of it, and the search for automorphisms."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.neighbour_sets = [frozenset(row) for row in board.neighbours]
        self.work = 0
        start = _Partition(board.size)
        self._refine(start, [0])
        self.base: list[int] = []
        self.partitions = [start]
        self.traces: list[Trace] = []
        while self.partitions[-1].count < board.size:
            self._single_out_next()

    def _single_out_next(self) -> None:
        partition = self.partitions[-1]
        # The smallest cell leaves the fewest images to try.
        colours = [colour for colour, length in enumerate(partition.length) if length > 1]
        point = partition.order[min(colours, key=partition.length.__getitem__)]
        following, trace = self._single_out(partition, point)
        self._spend(8 * self.board.size)  # these partitions stay in memory
        self.base.append(point)
        self.partitions.append(following)
        self.traces.append(trace)

    def candidates(self, level: int) -> list[int]:
        """Return the vertices with the colour of base point `level` when the earlier ones are singled out."""
        partition = self.partitions[level]
        return partition.members(partition.colour[self.base[level]])

    def automorphism(self, level: int, image: int) -> Permutation | None:
        """Return an automorphism that fixes base points before `level` and takes this one to `image`."""
        stack = [(level, self.partitions[level], iter([image]))]
        while stack:
            depth, partition, images = stack[-1]
            choice = next(images, None)
            if choice is None:
                stack.pop()
                continue
            following, trace = self._single_out(partition, choice, self.traces[depth])
            if trace != self.traces[depth]:
                continue
            guess = self._guess(self.partitions[depth + 1], following)
            if guess is not None:
                return guess
            if depth + 1 < len(self.base):
                colour = self.partitions[depth + 1].colour[self.base[depth + 1]]
                stack.append((depth + 1, following, iter(following.members(colour))))
        return None

    def _guess(self, here: _Partition, there: _Partition) -> Permutation | None:
        """Return the map that takes cells to cells and moves few vertices, if it is an automorphism.

        Once all cells have one vertex this is the only possibility; before that it saves a deep search, for
        instance for vertices with the same neighbours.
        """
        image = list(range(self.board.size))
        self._spend(self.board.size)
        leaving: dict[int, list[int]] = {}
        arriving: dict[int, list[int]] = {}
        for vertex, (old, new) in enumerate(zip(here.colour, there.colour, strict=True)):
            if old != new:
                leaving.setdefault(old, []).append(vertex)
                arriving.setdefault(new, []).append(vertex)
        for colour, vertices in leaving.items():
            for vertex, target in zip(vertices, arriving[colour], strict=True):
                image[vertex] = target
        return tuple(image) if self._is_automorphism(image) else None

    def _is_automorphism(self, image: list[int]) -> bool:
        for vertex, target in enumerate(image):
            if vertex == target:
                continue
            row, wanted = self.board.neighbours[vertex], self.neighbour_sets[target]
            self._spend(len(row))
            if len(row) != len(wanted) or any(image[other] not in wanted for other in row):
                return False
        return True

    def _single_out(
        self, partition: _Partition, vertex: int, expected: Trace | None = None
    ) -> tuple[_Partition, Trace]:
        self._spend(self.board.size)
        following = partition.copy()
        alone = following.split(following.colour[vertex], [[vertex]])
        return following, self._refine(following, alone, expected)

    def _refine(self, partition: _Partition, queue: list[int], expected: Trace | None = None) -> Trace:
        """Refine until vertices of one colour see equally many of each colour; return how cells were split.

        Everything depends on colours and counts only, never on the numbers of vertices, so an automorphism
        that respects the partition before respects the one after, and the traces are equal. Refinement
        stops at the first difference from the `expected` trace.
        """
        trace: Trace = []
        queued = set(queue)
        while queue:
            splitter = queue.pop()
            queued.discard(splitter)
            done = len(trace)
            for colour, counts in self._touched(partition, splitter):
                sizes = self._split_by_count(partition, colour, counts, queue, queued)
                trace.append((splitter, colour, *sizes))
            if expected is not None and trace[done:] != expected[done : len(trace)]:
                break
        return trace

    def _touched(self, partition: _Partition, splitter: int) -> list[tuple[int, dict[int, int]]]:
        """Return, for each colour that sees the splitter, how many of its vertices each vertex sees."""
        counts: dict[int, dict[int, int]] = {}
        for vertex in partition.members(splitter):
            self._spend(4 * len(self.board.neighbours[vertex]) + 4)
            for other in self.board.neighbours[vertex]:
                row = counts.setdefault(partition.colour[other], {})
                row[other] = row.get(other, 0) + 1
        return sorted(counts.items())

    def _split_by_count(
        self, partition: _Partition, colour: int, counts: dict[int, int], queue: list[int], queued: set[int]
    ) -> list[int]:
        parts: dict[int, list[int]] = {}
        for vertex, count in counts.items():
            parts.setdefault(count, []).append(vertex)
        shape = [number for count in sorted(parts) for number in (count, len(parts[count]))]
        groups = [parts[count] for count in sorted(parts)]
        if len(counts) == partition.length[colour]:
            groups.pop(0)  # all vertices see the splitter: those that see least of it stay
        if groups:
            colours = [colour, *partition.split(colour, groups)]
            # One part need not split others again: what it sees follows from the whole and the other parts.
            if colour not in queued:
                colours.remove(max(colours, key=partition.length.__getitem__))
            for new in colours:
                if new not in queued:
                    queued.add(new)
                    queue.append(new)
        return shape

    def _spend(self, amount: int) -> None:
        self.work += amount
        if self.work > WORK_LIMIT:
            name = self.board.name if len(self.board.name) <= 80 else self.board.name[:77] + "..."
            raise TooLarge(f"expected automorphisms within {WORK_LIMIT} steps, got more - at {name!r}")
