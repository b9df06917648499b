"""Walks that bring tiles from the ears down to the theta graph, where an exchange of them is made.

A tile on an ear is rotated out of it, round a cycle of the ear and a path between its ends, while the other
tiles lie off that path. If they lie on every such path, they are led off first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count

from slidelab.boards.walks import predecessors, trace
from slidelab.errors import PuzzleError
from slidelab.solve.wilson.ears import Ear
from slidelab.solve.wilson.walks import (
    Cells,
    Graph,
    Walk,
    carried,
    count_words,
    join_numbers,
    path_to,
    reverse,
)

__all__ = ["Descent", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """A walk and its explanation."""

    template: str
    """The explanation, with {} for the tiles that it names."""
    named: Cells
    """The indices of these tiles among those that are carried."""
    walk: list[int]

    def describe(self, tiles: Sequence[int]) -> str:
        """Return the explanation with the names of the tiles."""
        return self.template.format(join_numbers(tiles[index] for index in self.named))


class Descent:
    """The descent from ear to ear. Cells of the theta graph have level 0, those of the n-th ear level n.

    Steps depend only on where the hole and the tiles are, and many exchanges share them: they are cached.
    """

    def __init__(self, graph: Graph, base: Cells, home: int, ears: Sequence[Ear], max_moves: int) -> None:
        self.graph = graph
        self.home = home
        self.ears = ears
        self.max_moves = max_moves
        self.level = dict.fromkeys(base, 0)
        for number, ear in enumerate(ears, 1):
            self.level.update(dict.fromkeys(ear.inner, number))
        self._known: dict[tuple[int, Cells], list[Step]] = {}

    def down(self, tiles: Cells) -> tuple[list[Step], Cells]:
        """Return steps that bring tiles to the theta graph and the hole home, and their cells then."""
        hole, level = self.home, self.level
        steps: list[Step] = []
        while any(map(level.__getitem__, (hole, *tiles))):
            found = self._known.get((hole, tiles))
            if found is None:
                found = self._known[hole, tiles] = self._next(hole, tiles)
            for step in found:
                tiles = carried(tiles, hole, step.walk)
                hole = step.walk[-1]
            steps += found
        if hole != self.home:
            walk = path_to(self.graph, hole, self.home, lambda cell: level[cell] == 0)
            tiles = carried(tiles, hole, walk)
            steps.append(Step(f"the hole back to {self.home}", (), walk))
        return steps, tiles

    def _next(self, hole: int, tiles: Cells) -> list[Step]:
        """Return steps by which the hole, or else tiles, leave the last ear that has any of them."""
        top = max(self.level[cell] for cell in (hole, *tiles))
        if self.level[hole] < top:
            return self._turn_out(top, hole, tiles)
        return [Step(f"the hole leaves {self.ears[top - 1].describe()}", (), self._leave(top, hole, tiles))]

    def _leave(self, number: int, hole: int, tiles: Cells) -> list[int]:
        """Return a short walk of the hole out of an ear, avoiding the tiles if possible."""
        ear = self.ears[number - 1]
        along = {ear.x, *ear.inner, ear.y}
        free = predecessors(self.graph, [hole], lambda cell: cell in along and cell not in tiles)
        ends = [end for end in (ear.x, ear.y) if end in free] or [ear.x, ear.y]
        taken = tiles if ends[0] in free else ()
        walks = [
            path_to(self.graph, hole, end, lambda cell: cell in along and cell not in taken) for end in ends
        ]
        return min(walks, key=len)

    def _turn_out(self, number: int, hole: int, tiles: Cells) -> list[Step]:
        """Return steps that bring tiles out of an ear; the hole and the other tiles are on lower levels."""
        ear, level = self.ears[number - 1], self.level
        steps = []
        below = tuple(tile for tile in tiles if level[tile] < number)
        if clear := self._clear_path(ear, number, hole, below):
            led = carried(tiles, hole, clear)
            named = tuple(k for k, now in enumerate(led) if now != tiles[k])
            steps.append(Step(f"conjugated by a walk that leads {_tiles(named)} off the path", named, clear))
            tiles, hole = led, clear[-1]

        def free(cell: int) -> bool:
            return level[cell] < number and cell not in tiles

        before = predecessors(self.graph, [hole], free, until=(ear.x, ear.y))
        options = []
        for x, inner, y in ((ear.x, ear.inner, ear.y), (ear.y, ear.inner[::-1], ear.x)):
            route = trace(before, y)[1:]
            cycle = [*inner[::-1], x, *path_to(self.graph, x, y, free)]
            rounds = _rounds(cycle, len(inner), tiles)
            options.append((len(route) + abs(rounds) * len(cycle), y, route, cycle, rounds))
        _, y, route, cycle, rounds = min(options)
        directed = cycle if rounds > 0 else reverse(y, cycle)
        turn = Walk(hole, self.max_moves)
        turn.add(route)
        for _ in range(abs(rounds)):
            turn.add(directed)
        walk = turn.cells[1:]
        out = carried(tiles, hole, walk)
        named = tuple(k for k, now in enumerate(out) if level[now] < number <= level[tiles[k]])
        leave = f"{_tiles(named)} {'leave' if len(named) > 1 else 'leaves'} {ear.describe()}"
        text = f"conjugated by {count_words(rounds)} round {join_numbers(directed)}: {leave}"
        return [*steps, Step(text, named, walk)]

    def _clear_path(self, ear: Ear, number: int, hole: int, tiles: Cells) -> list[int]:
        """Return a short walk after which the hole reaches both ends of an ear over neither tiles nor ear.

        There are at most two tiles, and there is such a walk: some path between the ends avoids two cells,
        and the tiles can be brought to any two.

        This is Dijkstra's algorithm. A state is where the hole and the tiles are after a tile was moved. From
        each, the hole searches for the tiles, but no step further than the current length: a tile may be far
        away, and usually it need not move. At equal lengths searching comes first.
        """
        ticket = count()
        heap: list[tuple[int, int, int, Cells, list[int], Iterator[list[list[int]]] | None]]
        heap = [(0, 1, next(ticket), tiles, [hole], None)]
        seen: dict[tuple[int, Cells], int] = {}
        while heap:
            length, rank, _, tiles, walk, search = heappop(heap)
            hole = walk[-1]
            if search is None:
                if (hole, tiles) in seen:
                    continue
                seen[hole, tiles] = len(seen) + 1
                if self._is_clear(ear, number, hole, tiles):
                    return walk[1:]
                search = self._tile_walks(number, hole, tiles)
            else:
                met = next(search, None)
                if met is None:
                    continue
                rank = seen[hole, tiles]
                for more in met:
                    tile, beside = more[-1], [hole, *more][-2]
                    led = tuple(beside if other == tile else other for other in tiles)
                    heappush(heap, (length, rank, next(ticket), led, walk + more, None))
            heappush(heap, (length + 1, 0, next(ticket), tiles, walk, search))
        raise PuzzleError("expected a 2-connected graph, got one with a cut vertex")

    def _is_clear(self, ear: Ear, number: int, hole: int, tiles: Cells) -> bool:
        """Return whether the hole reaches both ends of an ear, avoiding the tiles and the ear."""
        if ear.x in tiles or ear.y in tiles:
            return False
        level = self.level
        ends = (ear.x, ear.y)
        free = predecessors(
            self.graph, [hole], lambda cell: level[cell] < number and cell not in tiles, until=ends
        )
        return all(end in free for end in ends)

    def _tile_walks(self, number: int, hole: int, tiles: Cells) -> Iterator[list[list[int]]]:
        """Yield the walks of 1, 2, 3, ... steps that move one of the tiles with their last step."""
        graph, level = self.graph, self.level
        beside = [
            (other, tile)
            for tile in tiles
            for other in graph[tile]
            if level[other] < number and other not in tiles
        ]
        missing = {cell for cell, _ in beside}
        before = {hole: hole}
        edge = [hole]
        while edge and missing:
            near = missing.intersection(edge)
            yield [[*trace(before, cell)[1:], tile] for cell, tile in beside if cell in near] if near else []
            missing -= near
            following = []
            for cell in edge:
                for other in graph[cell]:
                    if other not in before and level[other] < number and other not in tiles:
                        before[other] = cell
                        following.append(other)
            edge = following


def _rounds(cycle: Sequence[int], inner: int, tiles: Cells) -> int:
    """Return how many rounds, negative for the other direction, make tiles leave the first `inner` cells.

    As many tiles as possible leave, in as few rounds as possible. The hole is at the last cell. Each round
    takes the tiles on the other cells one cell back, and the first one to the last cell.

    >>> _rounds([1, 2, 3, 4, 0], 3, (1, 9)), _rounds([1, 2, 3, 4, 0], 3, (3, 2))
    (1, -1)
    """
    indices = [cycle.index(tile) for tile in tiles if tile in cycle]
    size = len(cycle) - 1
    choices = sorted(range(-(size // 2), size // 2 + 1), key=abs)
    return min(choices, key=lambda rounds: sum((index - rounds) % size < inner for index in indices))


def _tiles(named: Cells) -> str:
    """Return a template for the names of one or several tiles."""
    return "tile {}" if len(named) == 1 else "tiles {}"
