"""How tiles get from the ears down to the theta graph, so that an exchange of them can be made there.

A tile on an ear is turned out of it, round a cycle of the ear and a path between its ends, while the other
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
    Graph,
    Places,
    Walk,
    back,
    carried,
    listed,
    path_to,
    times,
)

__all__ = ["Descent", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """A walk, and what it is for."""

    text: str
    """With {} for the tiles that it is about."""
    about: Places
    """The numbers of these tiles among those that are carried."""
    walk: list[int]

    def told(self, tiles: Sequence[int]) -> str:
        """What it is for, with the names of the tiles."""
        return self.text.format(listed(tiles[number] for number in self.about))


class Descent:
    """The way down from ear to ear. Cells of the theta graph have level 0, those of the n-th ear level n.

    A step depends on nothing but where the hole and the tiles are, and many exchanges meet on their way, so
    steps are remembered.
    """

    def __init__(self, graph: Graph, base: Places, home: int, ears: Sequence[Ear], most: int) -> None:
        self.graph = graph
        self.home = home
        self.ears = ears
        self.most = most
        self.level = dict.fromkeys(base, 0)
        for number, ear in enumerate(ears, 1):
            self.level.update(dict.fromkeys(ear.inner, number))
        self._known: dict[tuple[int, Places], list[Step]] = {}

    def down(self, tiles: Places) -> tuple[list[Step], Places]:
        """Steps that bring tiles to the theta graph and the hole home, and where the tiles are then."""
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

    def _next(self, hole: int, tiles: Places) -> list[Step]:
        """The hole, or else tiles, leave the last ear that has any of them."""
        top = max(self.level[cell] for cell in (hole, *tiles))
        if self.level[hole] < top:
            return self._turn_out(top, hole, tiles)
        return [Step(f"the hole leaves {self.ears[top - 1].told()}", (), self._leave(top, hole, tiles))]

    def _leave(self, number: int, hole: int, tiles: Places) -> list[int]:
        """A short way for the hole out of an ear, not over the tiles if possible."""
        ear = self.ears[number - 1]
        along = {ear.x, *ear.inner, ear.y}
        free = predecessors(self.graph, [hole], lambda cell: cell in along and cell not in tiles)
        ends = [end for end in (ear.x, ear.y) if end in free] or [ear.x, ear.y]
        taken = tiles if ends[0] in free else ()
        ways = [
            path_to(self.graph, hole, end, lambda cell: cell in along and cell not in taken) for end in ends
        ]
        return min(ways, key=len)

    def _turn_out(self, number: int, hole: int, tiles: Places) -> list[Step]:
        """Get tiles out of an ear; the hole and the other tiles are on what was there before the ear."""
        ear, level = self.ears[number - 1], self.level
        steps = []
        if clear := self._clear_way(ear, number, hole, tuple(tile for tile in tiles if level[tile] < number)):
            led = carried(tiles, hole, clear)
            about = tuple(k for k, now in enumerate(led) if now != tiles[k])
            steps.append(Step(f"conjugated by a walk that leads {_tiles(about)} off the way", about, clear))
            tiles, hole = led, clear[-1]

        def free(cell: int) -> bool:
            return level[cell] < number and cell not in tiles

        before = predecessors(self.graph, [hole], free, until=(ear.x, ear.y))
        ways = []
        for x, inner, y in ((ear.x, ear.inner, ear.y), (ear.y, ear.inner[::-1], ear.x)):
            route = trace(before, y)[1:]
            circle = [*inner[::-1], x, *path_to(self.graph, x, y, free)]
            rounds = _rounds(circle, len(inner), tiles)
            ways.append((len(route) + abs(rounds) * len(circle), y, route, circle, rounds))
        _, y, route, circle, rounds = min(ways)
        way = circle if rounds > 0 else back(y, circle)
        turn = Walk(hole, self.most)
        turn.add(route)
        for _ in range(abs(rounds)):
            turn.add(way)
        walk = turn.cells[1:]
        out = carried(tiles, hole, walk)
        about = tuple(k for k, now in enumerate(out) if level[now] < number <= level[tiles[k]])
        leave = f"{_tiles(about)} {'leave' if len(about) > 1 else 'leaves'} {ear.told()}"
        text = f"conjugated by {times(rounds)} round {listed(way)}: {leave}"
        return [*steps, Step(text, about, walk)]

    def _clear_way(self, ear: Ear, number: int, hole: int, tiles: Places) -> list[int]:
        """A short walk after which the hole gets to both ends of an ear, not over the tiles nor the ear.

        The tiles are at most two, and there is such a walk: some path between the ends leaves out two cells,
        and the tiles get to any two.

        This is Dijkstra's method. A state is where the hole and the tiles are after a tile was moved. From
        each, the hole looks for the tiles, but no step further than the walks that are looked at: a tile may
        be far away, and most often it need not move. At equal lengths the looking comes first.
        """
        ticket = count()
        heap: list[tuple[int, int, int, Places, list[int], Iterator[list[list[int]]] | None]]
        heap = [(0, 1, next(ticket), tiles, [hole], None)]
        seen: dict[tuple[int, Places], int] = {}
        while heap:
            length, rank, _, tiles, walk, looking = heappop(heap)
            hole = walk[-1]
            if looking is None:
                if (hole, tiles) in seen:
                    continue
                seen[hole, tiles] = len(seen) + 1
                if self._is_clear(ear, number, hole, tiles):
                    return walk[1:]
                looking = self._looking(number, hole, tiles)
            else:
                met = next(looking, None)
                if met is None:
                    continue
                rank = seen[hole, tiles]
                for more in met:
                    tile, beside = more[-1], [hole, *more][-2]
                    led = tuple(beside if other == tile else other for other in tiles)
                    heappush(heap, (length, rank, next(ticket), led, walk + more, None))
            heappush(heap, (length + 1, 0, next(ticket), tiles, walk, looking))
        raise PuzzleError("expected a 2-connected graph, got one with a cell that cuts it")

    def _is_clear(self, ear: Ear, number: int, hole: int, tiles: Places) -> bool:
        """Whether the hole gets to both ends of an ear, not over the tiles nor the ear."""
        if ear.x in tiles or ear.y in tiles:
            return False
        level = self.level
        ends = (ear.x, ear.y)
        free = predecessors(
            self.graph, [hole], lambda cell: level[cell] < number and cell not in tiles, until=ends
        )
        return all(end in free for end in ends)

    def _looking(self, number: int, hole: int, tiles: Places) -> Iterator[list[list[int]]]:
        """The walks of 1, 2, 3, ... steps that move one of the tiles with their last step."""
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


def _rounds(circle: Sequence[int], inner: int, tiles: Places) -> int:
    """How often to go round, the other way if negative, so that tiles leave the first `inner` cells.

    As many as possible shall leave, and then as few rounds as possible be made. The hole is at the last cell.
    Each round takes the tiles on the other cells one place back, and the first one to the last place.

    >>> _rounds([1, 2, 3, 4, 0], 3, (1, 9)), _rounds([1, 2, 3, 4, 0], 3, (3, 2))
    (1, -1)
    """
    places = [circle.index(tile) for tile in tiles if tile in circle]
    size = len(circle) - 1
    choices = sorted(range(-(size // 2), size // 2 + 1), key=abs)
    return min(choices, key=lambda rounds: sum((place - rounds) % size < inner for place in places))


def _tiles(about: Places) -> str:
    """A place for the names of one or several tiles."""
    return "tile {}" if len(about) == 1 else "tiles {}"
