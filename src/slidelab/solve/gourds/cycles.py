"""Sort gourds along a Hamiltonian cycle: the two methods of the gourds paper, for boards of any size.

All gourds are aligned with a Hamiltonian cycle (phase 1), sorted along it (phase 2), and moved to the goal
(phase 3, which is phase 1 of the goal in reverse). `cycle-cubic` sorts them one by one at one station of the
cycle. `cycle` splits the cycle in two, exchanges gourds until each half has those that belong there, and
continues with the halves: the number of moves is quadratic in the number of gourds, which on long boards is
optimal (Theorem 9). See docs/design/gourds.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.boards import Board, cycle_along, find_cycle, hamiltonian_cycle, why_not_proper
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, MoveList, Passage
from slidelab.solve.gourds.splits import Cycle, best_split, passing_paths, passing_stations
from slidelab.solve.gourds.zigzags import without_zigzags

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = [
    "coordinates_of",
    "gourd_cycle",
    "gourd_distance_bound",
    "moves_of_path",
    "near_gourds",
    "path_back",
    "sort_along",
    "sort_gourds",
    "train_of",
]

MAX_SEARCHED_CELLS = 9
"""Cells of a cycle up to which its gourds are sorted by a search for a shortest solution."""

MIN_SEARCHED = 3
"""The same if all gourds are sorted one by one: a single gourd on three cells."""

KINDS = ("slide", "turn", "pivot")


def gourd_cycle(board: Board, budget: Budget | None = None) -> tuple[Cycle, bool]:
    """Return a Hamiltonian cycle along which gourds can be sorted, and whether it can be split.

    It can if no hole of the board is inside; otherwise the cycle has a station where one gourd can pass
    another.

    Raises
    ------
    NotationError
        If there is no such cycle.
    OutOfTime
        If the deadline passes before one is found.
    """
    reason = why_not_proper(board)
    if reason is None:
        return without_zigzags(board, list(hamiltonian_cycle(board))), True
    if board.size % 2 == 0:
        raise NotationError(f"{reason} - on {quoted(board.name)}")
    found = find_cycle(board, budget=budget)
    if found is None:
        raise NotationError(
            "expected a board with a Hamiltonian cycle, got one without"
            f"{_cause(reason)} - on {quoted(board.name)}"
        )
    if found.hole_free and board.kind == "hex":
        return without_zigzags(board, list(found.cells)), True
    if next(passing_stations(board, list(found.cells)), None):
        return list(found.cells), False
    other = cycle_along(board, passing_paths(board), budget=budget)
    if other is None:
        raise NotationError(
            "expected a Hamiltonian cycle with a station where one gourd can pass another, "
            f"got a board without - on {quoted(board.name)}"
        )
    return list(other), False


def _cause(reason: str) -> str:
    """Return why there is no Hamiltonian cycle; holes are not a reason."""
    return "" if "hole" in reason else f": {reason}"


def sort_gourds(
    start: Configuration, goal: Configuration, budget: Budget, *, cubic: bool = False
) -> tuple[MoveList, list[Passage]]:
    """Sort gourds along a Hamiltonian cycle of the board.

    Parameters
    ----------
    start, goal
        Configurations of numbered gourds with one hole.
    budget
    cubic
        Sort them one by one.

    Returns
    -------
    moves, passages
        The moves and their explanation.

    References
    ----------
    .. [1] J. Hamersma, M. van Kreveld, Y. Uno, T. van der Zanden, "Gourds: a sliding-block puzzle with
       turning", ISAAC 2020.
    """
    cycle, can_be_cut = gourd_cycle(start.puzzle.board, budget)
    passages: list[Passage] = []
    path = sort_along(start, goal, cycle, budget, cubic=cubic or not can_be_cut, passages=passages)
    return moves_of_path(start, path), passages


def sort_along(
    start: Configuration,
    goal: Configuration,
    cycle: Cycle,
    budget: Budget,
    *,
    cubic: bool = False,
    passages: list[Passage] | None = None,
) -> NDArray[np.int32]:
    """Return the hole path from `start` to `goal`, over configurations aligned with the cycle."""
    import numpy as np

    state, target = train_of(start), train_of(goal)
    state.align(cycle, budget.check)
    target.align(cycle, budget.check)
    sorting = _Sorting(start.puzzle.board, state, target, budget)
    begin = len(state)
    sorting.run(cycle, cubic)
    path = np.ascontiguousarray(np.concatenate((state.path(), path_back(goal, target))))
    if passages is not None:
        how = "one by one" if cubic else "by splitting the cycle recursively"
        passages.append(Passage(0, 0, f"the Hamiltonian cycle is {_listed(cycle)}"))
        passages.append(Passage(0, begin, "phase 1: all gourds are aligned with the cycle"))
        passages.append(Passage(begin, len(state), f"phase 2: they are sorted along the cycle, {how}"))
        passages += sorting.passages
        passages.append(Passage(len(state), len(path), "phase 3: they are moved to the goal"))
    return path


def near_gourds(
    start: Configuration, goal: Configuration, budget: Budget, max_states: int
) -> tuple[MoveList | None, int]:
    """Return a shortest solution if a search of at most `max_states` states finds one, and a lower bound."""
    import numpy as np

    path, lower_bound = train_of(start).shortest_path(train_of(goal), max_states, budget.check)
    moves = None if path is None else moves_of_path(start, np.array(path, dtype=np.int32))
    return moves, lower_bound


def gourd_distance_bound(start: Configuration, goal: Configuration) -> int:
    """Return a lower bound on the moves: a move brings each end of one gourd one cell nearer at most.

    >>> import slidelab as sl
    >>> p = sl.puzzle("hex F(2) gourds")
    >>> gourd_distance_bound(p.configuration("0-1 2-3 4-6"), p.configuration("1-0 2-5 6-4"))
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
    """Gourds that are sorted along cycles until they lie as in `target`."""

    def __init__(
        self, board: Board, state: _core.GourdTrain, target: _core.GourdTrain, budget: Budget
    ) -> None:
        self.board, self.state, self.target, self.budget = board, state, target, budget
        self.passages: list[Passage] = []
        self.max_searched = MAX_SEARCHED_CELLS

    def run(self, cycle: Cycle, cubic: bool) -> None:
        if cubic:
            self.max_searched = MIN_SEARCHED
            self.one_by_one(cycle, 1)
            return
        # Each entry is a cycle to sort, or, with a number, to be pulled back after its parts are sorted.
        waiting: list[tuple[Cycle, int, int | None]] = [(cycle, 1, None)]
        while waiting:
            self.budget.check("sort", len(self.state), 0)
            cycle, depth, pulls = waiting.pop()
            if pulls is None:
                waiting += self.parts(cycle, depth)
            elif pulls:
                begin = len(self.state)
                self.state.pull(cycle, -pulls, self.budget.check)
                self.target.pull(cycle, -pulls, self.budget.check)
                self.explain(begin, depth, f"along {_length(cycle)} until the hole is home")

    def parts(self, cycle: Cycle, depth: int) -> list[tuple[Cycle, int, int | None]]:
        """Split the cycle and exchange gourds; return what is left to do then, last first."""
        split = None
        if len(cycle) > self.max_searched:
            split = best_split(self.board, cycle)
        if split is None:
            self.one_by_one(cycle, depth)
            return []
        begin = len(self.state)
        pulls = self.target.pull_to(cycle, split.hole, self.budget.check)
        self.state.pull_to(cycle, split.hole, self.budget.check)
        changed = self.state.exchange(split.first, split.second, self.target, self.budget.check)
        corners = " ".join(map(str, sorted((split.hole, *split.place))))
        text = (
            f"{_length(cycle)} is split at the triangle {corners} into {len(split.first)} and "
            f"{len(split.second)} cells that share it; {_describe_changes(changed, split.place)}"
        )
        self.explain(begin, depth, text)
        return [(cycle, depth, pulls), (split.second, depth + 1, None), (split.first, depth + 1, None)]

    def one_by_one(self, cycle: Cycle, depth: int) -> None:
        begin = len(self.state)
        if len(cycle) <= self.max_searched:
            path = self.state.search(cycle, self.target, self.budget.check)
            if path is None:
                raise TooLarge(f"gourds that cannot be sorted along {_listed(cycle)}; please report this")
            self.state.play(path, self.budget.check)
            how = "sorted by the fewest moves"
        else:
            found = next(passing_stations(self.board, cycle), None)
            if found is None:
                raise NotationError(
                    f"expected a station where one gourd can pass another along {_listed(cycle)}, got none"
                )
            kind, turned = found
            self.state.sort(turned, self.target, self.budget.check)
            how = _describe_station(kind, turned)
        self.explain(begin, depth, f"{_length(cycle)}: {how}")

    def explain(self, begin: int, depth: int, text: str) -> None:
        self.passages.append(Passage(begin, len(self.state), text, depth))


def train_of(position: Configuration) -> _core.GourdTrain:
    """Return the core's copy of a position."""
    import numpy as np

    from slidelab import _core

    rows = position.puzzle.board.neighbours
    offsets = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    flat = np.array([cell for row in rows for cell in row], dtype=np.int32)
    ends = np.array(position.pieces, dtype=np.int32).reshape(-1)
    return _core.GourdTrain(offsets, flat, ends)


def path_back(goal: Configuration, target: _core.GourdTrain) -> NDArray[np.int32]:
    """Return the hole path from a position that was reached from the goal, back to the goal."""
    import numpy as np

    return np.concatenate((np.array(goal.holes, dtype=np.int32), target.path()))[-2::-1]


def moves_of_path(start: Configuration, path: NDArray[np.int32]) -> MoveList:
    """Return the moves that lead the hole along a path."""
    return MoveList(train_of(start).rows(path, coordinates_of(start.puzzle.board)), KINDS)


def coordinates_of(board: Board) -> NDArray[np.int32]:
    """Return the coordinates of all cells in one row; empty if the board has none."""
    import numpy as np

    return np.array(board.cells, dtype=np.int32).reshape(-1)


def _describe_changes(changed: int, place: Sequence[int]) -> str:
    if changed == 0:
        return "all gourds are in the right part"
    gourds = "a gourd changes" if changed == 1 else f"{changed} gourds change"
    return f"{gourds} over from each part, on {_pair(place)}"


def _describe_station(kind: str, cycle: Sequence[int]) -> str:
    if kind == "aside":
        return f"each gourd in turn waits on {_pair(cycle[1:3])} while the others pass by"
    return f"gourds change places on cells {' '.join(map(str, cycle[:5]))}"


def _pair(cells: Sequence[int]) -> str:
    return "-".join(map(str, cells))


def _length(cycle: Cycle) -> str:
    few = len(cycle) <= MAX_SEARCHED_CELLS
    return f"the cycle {' '.join(map(str, cycle))}" if few else f"the cycle of {len(cycle):,} cells"


def _listed(cycle: Cycle) -> str:
    cells = " ".join(map(str, cycle[:20])) + " ..." * (len(cycle) > 20)
    return f"{cells} ({len(cycle):,} cells)" if len(cycle) > 20 else cells
