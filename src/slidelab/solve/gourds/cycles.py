"""Gourds on boards of any size: the two methods of the gourds paper.

All gourds are laid along a closed way through all cells (phase 1), sorted along it (phase 2), and laid as
the goal wants them (phase 3, which is phase 1 of the goal backwards). `cycle-cubic` sorts them one by one
at one place of the way. `cycle` cuts the way in two, lets gourds change over until each half has those that
belong there, and goes on with the halves: n gourds take a number of moves that grows as n squared, which on
long boards no method can better (Theorem 9). See docs/design/gourds.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board, cycle_along, find_cycle, hamiltonian_cycle, why_not_proper
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, MoveList, Passage
from slidelab.solve.gourds.splits import Way, best_split, changing_paths, changing_places
from slidelab.solve.gourds.zigzags import without_zigzags

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


__all__ = [
    "coordinates_of",
    "least_gourd_moves",
    "moves_of_trail",
    "near_gourds",
    "sort_along",
    "sort_gourds",
    "train_of",
    "way_for_gourds",
]

SEARCHED = 9
"""Gourds along a part of so few cells are sorted by a search for the shortest way."""

FEWEST = 3
"""One gourd on three cells is left to the search even if all else is done one by one."""

KINDS = ("slide", "turn", "pivot")


def way_for_gourds(board: Board, budget: Budget | None = None) -> tuple[Way, bool]:
    """A closed way through all cells along which gourds can be sorted, and whether it can be cut in two.

    It can if no hole of the board is inside; otherwise the way has a place where one gourd can pass another.
    """
    reason = why_not_proper(board)
    if reason is None:
        return without_zigzags(board, list(hamiltonian_cycle(board))), True
    if board.size % 2 == 0:
        raise NotationError(f"{reason} - on {quoted(board.name)}")
    found = find_cycle(board, budget=budget)
    if found is None:
        raise NotationError(
            "expected a board with a closed way through all cells, got one without"
            f"{_because(reason)} - on {quoted(board.name)}"
        )
    if found.hole_free and board.kind == "hex":
        return without_zigzags(board, list(found.cells)), True
    if next(changing_places(board, list(found.cells)), None):
        return list(found.cells), False
    other = cycle_along(board, changing_paths(board), budget=budget)
    if other is None:
        raise NotationError(
            "expected a closed way through all cells with a place where one gourd can pass another, "
            f"got a board without - on {quoted(board.name)}"
        )
    return list(other), False


def _because(reason: str) -> str:
    """Only what can be the cause: boards with holes may well have a closed way."""
    return "" if "hole" in reason else f": {reason}"


def sort_gourds(
    start: Configuration, goal: Configuration, budget: Budget, *, cubic: bool = False
) -> tuple[MoveList, list[Passage]]:
    """Moves from `start` to `goal`, both with numbered gourds and one hole, and what they do."""
    way, can_be_cut = way_for_gourds(start.puzzle.board, budget)
    told: list[Passage] = []
    trail = sort_along(start, goal, way, budget, cubic=cubic or not can_be_cut, told=told)
    return moves_of_trail(start, trail), told


def sort_along(
    start: Configuration,
    goal: Configuration,
    way: Way,
    budget: Budget,
    *,
    cubic: bool = False,
    told: list[Passage] | None = None,
) -> NDArray[np.int32]:
    """Where the hole goes from `start` to `goal`, by way of gourds that lie along the closed way."""
    state, target = train_of(start), train_of(goal)
    state.align(way, budget.check)
    target.align(way, budget.check)
    sorting = _Sorting(start.puzzle.board, state, target, budget)
    begin = len(state)
    sorting.run(way, cubic)
    trail = _joined(goal, state, target)
    if told is not None:
        how = "one by one" if cubic else "by splitting the way, again and again"
        told.append(Passage(0, 0, f"the closed way is {_listed(way)}"))
        told.append(Passage(0, begin, "phase 1: all gourds are laid along the way"))
        told.append(Passage(begin, len(state), f"phase 2: they are sorted along the way, {how}"))
        told += sorting.told
        told.append(Passage(len(state), len(trail), "phase 3: they are laid as the goal wants them"))
    return trail


def near_gourds(
    start: Configuration, goal: Configuration, budget: Budget, most: int
) -> tuple[MoveList | None, int]:
    """The fewest moves, if that takes no more than `most` states to see; and how many there are at least."""
    import numpy as np

    trail, lower_bound = train_of(start).search_near(train_of(goal), most, budget.check)
    moves = None if trail is None else moves_of_trail(start, np.array(trail, dtype=np.int32))
    return moves, lower_bound


def least_gourd_moves(start: Configuration, goal: Configuration) -> int:
    """No solution has fewer: a move brings each end of one gourd one cell nearer to its place at most.

    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds")
    >>> least_gourd_moves(p.configuration("0-1 2-3 4-6"), p.configuration("1-0 2-5 6-4"))
    3
    """
    cells = start.puzzle.board.cells
    total = 0
    for here, there in zip(start.pieces, goal.pieces, strict=True):
        if not cells or start.puzzle.board.kind != "hex":
            total += here != there
            continue
        steps = [
            (cells[a][0] - cells[b][0], cells[a][1] - cells[b][1]) for a, b in zip(here, there, strict=True)
        ]
        total += max(max(abs(q), abs(r), abs(q + r)) for q, r in steps)
    return total


class _Sorting:
    """Gourds sorted along closed ways until they lie as in `target`."""

    def __init__(self, board: Board, state: Any, target: Any, budget: Budget) -> None:
        self.board, self.state, self.target, self.budget = board, state, target, budget
        self.told: list[Passage] = []
        self.searched = SEARCHED

    def run(self, way: Way, cubic: bool) -> None:
        if cubic:
            self.searched = FEWEST
            self.one_by_one(way, 1)
            return
        # Each entry is a way to be sorted, or, with a number, to be pulled back after its parts are sorted.
        waiting: list[tuple[Way, int, int | None]] = [(way, 1, None)]
        while waiting:
            self.budget.check("sort", len(self.state), 0)
            way, depth, pulls = waiting.pop()
            if pulls is None:
                waiting += self.parts(way, depth)
            elif pulls:
                begin = len(self.state)
                self.state.pull(way, -pulls)
                self.target.pull(way, -pulls)
                self.tell(begin, depth, f"along {_length(way)} until the hole is in its place")

    def parts(self, way: Way, depth: int) -> list[tuple[Way, int, int | None]]:
        """Split the way, let gourds change over; what is left to do then, last first."""
        split = None
        if len(way) > self.searched:
            split = best_split(self.board, way)
        if split is None:
            self.one_by_one(way, depth)
            return []
        begin = len(self.state)
        pulls = self.target.pull_to(way, split.hole)
        self.state.pull_to(way, split.hole)
        changed = self.state.exchange(split.first, split.second, self.target, self.budget.check)
        corners = " ".join(map(str, sorted((split.hole, *split.place))))
        text = (
            f"{_length(way)} is split at the triangle {corners} into {len(split.first)} and "
            f"{len(split.second)} cells, which share it; {_told_changes(changed, split.place)}"
        )
        self.tell(begin, depth, text)
        return [(way, depth, pulls), (split.second, depth + 1, None), (split.first, depth + 1, None)]

    def one_by_one(self, way: Way, depth: int) -> None:
        begin = len(self.state)
        if len(way) <= self.searched:
            trail = self.state.search(way, self.target)
            if trail is None:
                raise TooLarge(f"gourds that can't be sorted along {_listed(way)}; please report this")
            self.state.play(trail)
            how = "sorted by the fewest moves"
        else:
            found = next(changing_places(self.board, way), None)
            if found is None:
                raise NotationError(
                    f"expected a place where one gourd can pass another along {_listed(way)}, got none"
                )
            kind, turned = found
            self.state.sort(turned, self.target, self.budget.check)
            how = _told_place(kind, turned)
        self.tell(begin, depth, f"{_length(way)}: {how}")

    def tell(self, begin: int, depth: int, text: str) -> None:
        self.told.append(Passage(begin, len(self.state), text, depth))


def train_of(position: Configuration) -> Any:
    """The core's copy of a position."""
    import numpy as np

    from slidelab import _core

    rows = position.puzzle.board.neighbours
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    flat = np.array([cell for row in rows for cell in row], dtype=np.int32)
    ends = np.array(position.pieces, dtype=np.int32).reshape(-1)
    return _core.GourdTrain(offsets, flat, ends)


def _joined(goal: Configuration, state: Any, target: Any) -> NDArray[np.int32]:
    """The trail of the hole from the start, and then back on the trail that began at the goal."""
    import numpy as np

    back = np.concatenate((np.array(goal.holes, dtype=np.int32), target.trail()))[-2::-1]
    return np.ascontiguousarray(np.concatenate((state.trail(), back)))


def moves_of_trail(start: Configuration, trail: NDArray[np.int32]) -> MoveList:
    """The moves that lead the hole along a trail."""
    return MoveList(train_of(start).rows(trail, coordinates_of(start.puzzle.board)), KINDS)


def coordinates_of(board: Board) -> NDArray[np.int32]:
    """Two for each cell, in one row; none if the board has none."""
    import numpy as np

    return np.array(board.cells, dtype=np.int32).reshape(-1)


def _told_changes(changed: int, place: Sequence[int]) -> str:
    if changed == 0:
        return "all gourds are in the right part"
    gourds = "a gourd changes" if changed == 1 else f"{changed} gourds change"
    return f"{gourds} over from each, on {_pair(place)}"


def _told_place(kind: str, way: Sequence[int]) -> str:
    if kind == "aside":
        return f"each gourd in turn waits on {_pair(way[1:3])} while the others pass by"
    return f"gourds change places on cells {' '.join(map(str, way[:5]))}"


def _pair(cells: Sequence[int]) -> str:
    return "-".join(map(str, cells))


def _length(way: Way) -> str:
    return f"the way of {len(way):,} cells" if len(way) > SEARCHED else f"the way {' '.join(map(str, way))}"


def _listed(way: Way) -> str:
    shown = " ".join(map(str, way[:20])) + " ..." * (len(way) > 20)
    return f"{shown} ({len(way):,} cells)" if len(way) > 20 else shown
