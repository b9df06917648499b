"""Search for the automorphisms of a graph.

Colour refinement: vertices start with one colour, and as long as two vertices of one colour have different
numbers of neighbours of some colour, they get different colours. If colours remain shared, single out a
vertex b1, refine again, then b2 and so on, until all colours differ. An automorphism is then known by the
images of the base b1, b2, ..., and refinement shows early which images are impossible.

The group is found from the far end of the base: knowing all automorphisms that fix b1..bi, look for one more
for every image of bi that they do not already reach. If G(i) fixes b1..b(i-1), the orbit of bi under G(i) has
|G(i)| / |G(i+1)| points, so the order is the product of the sizes of these orbits (Schreier and Sims), and
the automorphisms found are strong generators: never more than the degree.
"""

from __future__ import annotations

from collections.abc import Sequence

from slidelab.boards.model import Board
from slidelab.boards.walks import DisjointSets
from slidelab.errors import TooLarge
from slidelab.messages import quoted
from slidelab.permutations import Permutation

__all__ = ["search_automorphisms"]

MAX_SEARCH_STEPS = 50_000_000
"""How many vertices and edges the search may look at, a matter of some seconds."""


def search_automorphisms(board: Board) -> tuple[list[Permutation], int]:
    """Return strong generators of the automorphism group of a graph, and its order.

    >>> from slidelab.boards import board
    >>> search_automorphisms(board("path(3)"))
    ([(2, 1, 0)], 2)
    """
    search = _Search(board)
    orbits = DisjointSets(board.size)
    generators: list[Permutation] = []
    order = 1
    for level in reversed(range(len(search.base))):
        _extend(search, level, orbits, generators)
        order *= orbits.size(search.base[level])
    return generators, order


def _extend(search: _Search, level: int, orbits: DisjointSets, generators: list[Permutation]) -> None:
    """Add generators until they give every image of base point `level` that fixes the earlier base points."""
    point = search.base[level]
    refused: list[int] = []
    for image in search.candidates(level):
        root = orbits.find(image)
        if root == orbits.find(point) or any(orbits.find(other) == root for other in refused):
            continue
        found = search.automorphism(level, image)
        if found is None:
            refused.append(image)
        else:
            generators.append(found)
            orbits.merge(found)


class _Partition:
    """An ordered partition of the vertices into classes; the colour of a class is the place where it starts.

    `order` lists the vertices class by class, `place` is where each vertex is in it, `length` the number of
    vertices of the class that starts at a place. Splitting takes time for the vertices that leave.
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
        """Move sets of vertices to the end of their class, each as a new class; return the new colours."""
        start = colour + self.length[colour] - sum(map(len, leaving))
        self.length[colour] = start - colour
        new = []
        for part in leaving:
            new.append(start)
            self.length[start] = len(part)
            for place, vertex in enumerate(part, start):
                self._put(vertex, place)
                self.colour[vertex] = start
            start += len(part)
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
        # The smallest class leaves the fewest images to try.
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
        """Return the map that takes classes to classes and moves few vertices, if it is an automorphism.

        Once all classes have one vertex this is the only possibility; before that it saves a deep search, for
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
        """Refine until vertices of one colour see equally many of each colour; return how classes were split.

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
        leaving = [parts[count] for count in sorted(parts)]
        if len(counts) == partition.length[colour]:
            leaving.pop(0)  # all vertices see the splitter: those that see least of it stay
        if leaving:
            colours = [colour, *partition.split(colour, leaving)]
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
        if self.work > MAX_SEARCH_STEPS:
            name = quoted(self.board.name, 80)
            raise TooLarge(f"expected automorphisms within {MAX_SEARCH_STEPS} steps, got more - at {name}")
