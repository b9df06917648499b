"""Walks of the hole on a graph, and a long walk whose parts are explained.

A walk lists the cells after the first. It is reduced if no step undoes the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from slidelab.boards.walks import shortest_path
from slidelab.budget import Budget
from slidelab.errors import PuzzleError, TooLarge
from slidelab.puzzles import Passage

__all__ = [
    "Graph",
    "Cells",
    "ExplainedWalk",
    "Walk",
    "carried",
    "cell_of",
    "count_words",
    "join_numbers",
    "path_to",
    "reverse",
    "slide",
]

Graph = Mapping[int, Sequence[int]]
Cells = tuple[int, ...]


def cell_of(state: Mapping[int, int], tile: int) -> int:
    """Return the cell of a tile."""
    return next(cell for cell, there in state.items() if there == tile)


def slide(state: dict[int, int], hole: int, walk: Iterable[int]) -> None:
    """Move the tiles as the hole walks."""
    for cell in walk:
        state[hole], state[cell] = state[cell], state[hole]
        hole = cell


def carried(tiles: Cells, hole: int, walk: Iterable[int]) -> Cells:
    """Return where the tiles on these cells are after a walk.

    >>> carried((1, 5), 0, [1, 2])
    (0, 5)
    """
    now = [*tiles]
    for cell in walk:
        if cell in now:
            now[now.index(cell)] = hole
        hole = cell
    return tuple(now)


def reverse(hole: int, walk: Sequence[int]) -> list[int]:
    """Return the reversed walk.

    >>> reverse(0, [1, 2])
    [1, 0]
    """
    return [hole, *walk][-2::-1]


def path_to(graph: Graph, source: int, target: int, within: Callable[[int], bool] | None = None) -> list[int]:
    """Return a shortest walk from source to target; both must be in one component of the cells within."""
    path = shortest_path(graph, [source], target.__eq__, within)
    if not path:
        raise PuzzleError(f"expected a 2-connected graph, got one without a path from {source} to {target}")
    return path[1:]


class Walk:
    """A walk that stays reduced as others are added to it; these are reduced themselves."""

    __slots__ = ("cells", "max_moves")

    def __init__(self, hole: int, max_moves: int) -> None:
        self.cells = [hole]
        self.max_moves = max_moves

    def add(self, walk: Sequence[int]) -> int:
        """Append a walk; return how many of the earlier moves are left."""
        taken_back, cells = 0, self.cells
        while taken_back < len(walk) and len(cells) > 1 and cells[-2] == walk[taken_back]:
            cells.pop()
            taken_back += 1
        left = len(cells) - 1
        # A part may be undone by the next one, so there may be more moves meanwhile than at the end.
        if left + len(walk) - taken_back > 2 * self.max_moves + 1000:
            raise _too_many(self.max_moves)
        cells.extend(walk[taken_back:])
        return left


def _too_many(max_moves: int) -> TooLarge:
    return TooLarge(f"the method wilson needs more than {max_moves:,} moves")


class ExplainedWalk:
    """The moves so far, and their explanation."""

    def __init__(self, hole: int, max_moves: int, budget: Budget) -> None:
        self.max_moves = max_moves
        self.budget = budget
        self._walk = Walk(hole, max_moves)
        self._marks = [0]  # how many moves are left of those made up to each mark
        self._entries: list[tuple[int, int, str, int]] = []

    @property
    def hole(self) -> int:
        """The cell of the hole."""
        return self._walk.cells[-1]

    def walk(self) -> Walk:
        """Return an empty walk from the hole."""
        return Walk(self.hole, self.max_moves)

    def append(self, text: str, depth: int, walk: Sequence[int]) -> None:
        """Append a walk and its explanation; raise `OutOfTime` once the deadline has passed."""
        self.budget.check("moves", len(self._walk.cells))
        self._go(walk)
        self._entries.append((len(self._marks) - 2, len(self._marks) - 1, text, depth))

    def _go(self, walk: Sequence[int]) -> None:
        left = self._walk.add(walk)
        for mark in range(len(self._marks) - 1, -1, -1):
            if self._marks[mark] <= left:
                break
            self._marks[mark] = left
        self._marks.append(len(self._walk.cells) - 1)

    def append_parts(self, headings: Sequence[str], parts: Sequence[tuple[str, Sequence[int]]]) -> None:
        """Append parts below headings of depths 0, 1, ... that explain all of them."""
        now = len(self._marks) - 1
        self._entries += [(now, now + len(parts), text, depth) for depth, text in enumerate(headings)]
        for text, walk in parts:
            self.append(text, len(headings), walk)

    def finish(self) -> tuple[list[int], list[Passage]]:
        """Return the whole walk, and the explanations of parts that are left."""
        walk = self._walk.cells[1:]
        if len(walk) > self.max_moves:
            raise _too_many(self.max_moves)
        passages = [
            Passage(self._marks[a], self._marks[b], text, depth) for a, b, text, depth in self._entries
        ]
        return walk, [each for each in passages if each.last > each.first or each is passages[0]]


def count_words(rounds: int) -> str:
    """Return how often, in words.

    >>> count_words(1), count_words(-3)
    ('once', '3 times')
    """
    return {1: "once", 2: "twice"}.get(abs(rounds), f"{abs(rounds)} times")


def join_numbers(cells: Iterable[int]) -> str:
    """Return cells or tiles as text."""
    return " ".join(map(str, cells))
