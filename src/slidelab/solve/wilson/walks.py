"""Walks of the hole on a graph, and the script that says what each part of a long walk is for.

A walk lists the cells after the first. It is reduced if no step takes back the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from slidelab.boards.walks import shortest_path
from slidelab.errors import PuzzleError, TooLarge
from slidelab.puzzles import Passage

__all__ = [
    "Graph",
    "Places",
    "Script",
    "Walk",
    "back",
    "carried",
    "cell_of",
    "listed",
    "path_to",
    "slide",
    "times",
]

Graph = Mapping[int, Sequence[int]]
Places = tuple[int, ...]


def cell_of(state: Mapping[int, int], tile: int) -> int:
    """Where a tile lies."""
    return next(cell for cell, there in state.items() if there == tile)


def slide(state: dict[int, int], hole: int, walk: Iterable[int]) -> None:
    """Move the tiles as the hole walks."""
    for cell in walk:
        state[hole], state[cell] = state[cell], state[hole]
        hole = cell


def carried(tiles: Places, hole: int, walk: Iterable[int]) -> Places:
    """Where the tiles that lie at these places are after the walk.

    >>> carried((1, 5), 0, [1, 2])
    (0, 5)
    """
    now = [*tiles]
    for cell in walk:
        if cell in now:
            now[now.index(cell)] = hole
        hole = cell
    return tuple(now)


def back(hole: int, walk: Sequence[int]) -> list[int]:
    """The same way back.

    >>> back(0, [1, 2])
    [1, 0]
    """
    return [hole, *walk][-2::-1]


def path_to(graph: Graph, source: int, target: int, within: Callable[[int], bool] | None = None) -> list[int]:
    """A shortest walk from source to target; both must be in one component of the cells within."""
    path = shortest_path(graph, [source], target.__eq__, within)
    if not path:
        raise PuzzleError(f"expected a 2-connected graph, got one without a way from {source} to {target}")
    return path[1:]


class Walk:
    """A walk that stays reduced as others are added to it; these are reduced themselves."""

    __slots__ = ("cells", "most")

    def __init__(self, hole: int, most: int) -> None:
        self.cells = [hole]
        self.most = most

    def add(self, walk: Sequence[int]) -> int:
        """Add a walk; return how many of the moves before are left."""
        taken_back, cells = 0, self.cells
        while taken_back < len(walk) and len(cells) > 1 and cells[-2] == walk[taken_back]:
            cells.pop()
            taken_back += 1
        left = len(cells) - 1
        # A part may be taken back by the next one, so on the way there may be more moves than at the end.
        if left + len(walk) - taken_back > 2 * self.most + 1000:
            raise _too_many(self.most)
        cells.extend(walk[taken_back:])
        return left


def _too_many(most: int) -> TooLarge:
    return TooLarge(f"the readable method needs more than {most:,} moves")


class Script:
    """The moves so far, and what they are for."""

    def __init__(self, hole: int, most_moves: int, heard: Callable[[int], None] | None = None) -> None:
        self.most = most_moves
        self._heard = heard
        self._walk = Walk(hole, most_moves)
        self._marks = [0]  # how many moves are left of those made up to each mark
        self._told: list[tuple[int, int, str, int]] = []

    @property
    def hole(self) -> int:
        return self._walk.cells[-1]

    def walk(self) -> Walk:
        """An empty walk from where the hole is."""
        return Walk(self.hole, self.most)

    def tell(self, text: str, depth: int, walk: Sequence[int]) -> None:
        """Go a walk, and say what for; whoever listens may stop it by an exception."""
        if self._heard:
            self._heard(len(self._walk.cells))
        self._go(walk)
        self._told.append((len(self._marks) - 2, len(self._marks) - 1, text, depth))

    def _go(self, walk: Sequence[int]) -> None:
        left = self._walk.add(walk)
        for mark in range(len(self._marks) - 1, -1, -1):
            if self._marks[mark] <= left:
                break
            self._marks[mark] = left
        self._marks.append(len(self._walk.cells) - 1)

    def tell_parts(self, headings: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Headings with depths 0, 1, ... that go for all the parts, and the parts below them."""
        now = len(self._marks) - 1
        self._told += [(now, now + len(parts), text, depth) for depth, text in enumerate(headings)]
        for text, walk in parts:
            self.tell(text, len(headings), walk)

    def finish(self) -> tuple[list[int], list[Passage]]:
        """The whole walk, and what was told of parts that are left."""
        walk = self._walk.cells[1:]
        if len(walk) > self.most:
            raise _too_many(self.most)
        told = [Passage(self._marks[a], self._marks[b], text, depth) for a, b, text, depth in self._told]
        return walk, [each for each in told if each.last > each.first or each is told[0]]


def times(rounds: int) -> str:
    """How often, in words.

    >>> times(1), times(-3)
    ('once', '3 times')
    """
    return {1: "once", 2: "twice"}.get(abs(rounds), f"{abs(rounds)} times")


def listed(cells: Iterable[int]) -> str:
    """Cells or tiles as text."""
    return " ".join(map(str, cells))
