"""Solve huge boards: place pieces one by one on a shrinking board, and solve a small core exactly.

For tiles with any number of holes on any graph, and for hexagonal tiles. The order comes from
`slidelab.solve.huge.ears`; each piece is carried by a search in the core. See docs/design/huge-boards.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import perm
from typing import TYPE_CHECKING, NamedTuple

from slidelab.boards import Board, is_bipartite, is_cycle, is_two_connected, sub_board
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, MoveList, Passage, Puzzle, Solution
from slidelab.reach.analysis import analyze
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.regions import polygon_order
from slidelab.rules import Rule
from slidelab.solve.huge.ears import Order, core_for_tiles, nearness, order_for_hextiles, order_for_tiles
from slidelab.solve.huge.narrow_regions import solve_narrow_region
from slidelab.solve.huge.pairs import (
    Pairs,
    join_pairs,
    moves_of_pairs,
    pairs_of,
    pairs_of_walk,
    play_pairs,
    relabel_pairs,
    reverse_pairs,
)
from slidelab.solve.huge.region_solver import Part, solve_by_regions
from slidelab.solve.huge.walks import HoleWalks, Walks
from slidelab.solve.wilson.solver import solve_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab import _core

__all__ = ["distance_bound", "peel"]

CORE_CELLS = 9
"""Cells of the core that is solved exactly."""

MAX_EXACT_CELLS, MAX_EXACT_STATES = 10, 1_000_000
"""Cells and states of a core: one that exceeds both, where ears are long, is solved tile by tile."""

MAX_LISTED_HOLES = 60
"""Holes above which no shapes are listed: the last few tiles are led one by one."""

MAX_HEX_CORE_TILES = 9
"""Tiles of the largest core that is tried for hexagonal tiles."""

MAX_HEX_CENTRES = 60
"""Cells around which such a core is looked for."""

MAX_CORE_HOLES = 12
"""Holes of hexagonal tiles up to which all of them are brought into the core."""

MAX_WORKING_HOLES = 6
"""Holes that move if there are more, or no such core: the others count as tiles that nobody tells apart."""

MOVES_PER_CHECK, CELLS_PER_CHECK = 4096, 16
"""Moves of tiles on a cycle, and cells whose steps are listed, between two looks at the clock."""

DISTANCE_SHARE, MAX_DISTANCE_BYTES = 0.25, 2_000_000_000
"""Part of the memory that distances between cells may take, and most bytes: enough for 44,000 cells."""

Exact = Callable[[Configuration, Configuration], Solution]


def peel(
    start: Configuration,
    goal: Configuration,
    exact: Exact,
    budget: Budget | None = None,
    walks: Walks | None = None,
) -> MoveList:
    """Return moves that place the pieces one by one on a shrinking board.

    Parameters
    ----------
    start, goal
        Configurations of numbered single-cell pieces; the goal must be reachable.
    exact
        Solves small puzzles.
    budget
    walks
        For walks of the holes between the pieces, which make the solution shorter and take most of the time;
        without it there are none.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(6,6)")
    >>> start = p.shuffle(seed=1)
    >>> moves = peel(start, p.goal, lambda a, b: a.puzzle.solve(a, b))
    >>> moves.lead(start, p.goal), distance_bound(start, p.goal) < len(moves)
    (True, True)
    """
    puzzle = start.puzzle
    peeler = _Peeler(puzzle.rule, exact, budget or Budget(), walks)
    first, last = pieces_by_cell(start), pieces_by_cell(goal)
    if puzzle.rule.slides_along_edges:
        pairs, _ = solve_by_regions(puzzle.board, first, last, peeler.solve_region)
    else:
        pairs = peeler.solve_hextiles(puzzle.board, first, last)
    return moves_of_pairs(start, pairs)


def distance_bound(start: Configuration, goal: Configuration, budget: Budget | None = None) -> int | None:
    """Return the sum of the distances of all pieces: a move brings one piece one step nearer at most.

    None for pieces of several cells, and for coloured ones. If time is up, the number of pieces that are
    not at their goals: the bound comes with a solution, which must not be lost.
    """
    from slidelab import _core

    puzzle = start.puzzle
    if puzzle.rule.cells > 1 or puzzle.colours is not None:
        return None
    ends = [(a, b) for (a,), (b,) in zip(start.pieces, goal.pieces, strict=True) if a != b]
    check = (budget or Budget()).check
    steps = _step_rows(puzzle.rule, puzzle.board, check)
    try:
        return _core.distance_sum(puzzle.board.size, steps, pairs_of(ends), check)
    except OutOfTime:
        return len(ends)


class _Peeler:
    def __init__(self, rule: Rule, exact: Exact, budget: Budget, walks: Walks | None) -> None:
        self.rule = rule
        self.exact = exact
        self.budget = budget
        self.walks = walks

    # Tiles

    def solve_region(self, part: Part) -> tuple[Pairs, list[Passage]]:
        """Solve one region of a board of tiles."""
        if is_cycle(part.board):
            return rotate(part, self.budget), []
        if not is_two_connected(part.board):
            return solve_narrow_region(part, self.budget), []
        board, holes = part.board, part.hole_count
        # Holes that are in the core at the goal need not be moved there and back.
        centres = [cell for cell, tile in enumerate(part.goal) if not tile]
        odd = holes == 1 and not is_bipartite(board)
        core = core_for_tiles(board, centres, odd, _core_size(holes), holes + 1)
        order = order_for_tiles(board.neighbours, core, nearness(board, *centres))
        return self.fill(board, part.start, part.goal, order), []

    def fill(self, board: Board, start: Sequence[int], goal: Sequence[int], order: Order) -> Pairs:
        """Fill the ears one after the other, then solve the core."""
        import numpy as np

        from slidelab import _core

        steps = _step_rows(self.rule, board, self.budget.check)
        ears = [(cell,) for cell in order.rest] + list(order.ears)
        names = {tile: number for number, tile in enumerate(dict.fromkeys((0, *goal)))}
        first, last = (np.array([names[tile] for tile in tiles], dtype=np.int32) for tiles in (start, goal))
        try:
            target, at_goal = self._holes_to_core(board, steps, last, order)
            callback = self.budget.poll("tiles")
            peeler = self._core_peeler(board, steps, first, target)
            walks = self._walks(ears, target)
            done = 0
            for ear in ears:
                if walks is not None:
                    walks.before(peeler, done)
                if not peeler.place(list(ear), callback):
                    raise OutOfTime
                done += len(ear)
                self.budget.check("tiles", done, board.size)
        except _core.LimitReached as error:
            raise TooLarge(f"a board of {board.size} cells can't be peeled: {error}") from None
        cells = list(order.core)
        now = peeler.pieces()
        core = self.solve_core(sub_board(board, cells), now[cells].tolist(), target[cells].tolist())
        return join_pairs([peeler.moves(), relabel_pairs(core, cells), reverse_pairs(at_goal)])

    def _holes_to_core(
        self, board: Board, steps: NDArray[np.int32], goal: NDArray[np.int32], order: Order
    ) -> tuple[NDArray[np.int32], Pairs]:
        """Return the goal with its holes brought into the core, and the moves that do it."""
        import numpy as np

        outside = {cell for ear in (order.rest, *order.ears) for cell in ear}
        if all(goal[cell] for cell in outside):
            return goal, pairs_of([])
        if self.rule.slides_along_edges:
            inside = [cell for cell in order.core if not goal[cell]]
            inside += [cell for cell in order.core if goal[cell]]
            moves = pairs_of(hole_moves(board, (goal != 0).tolist(), inside[: int((goal == 0).sum())]))
            now = goal.tolist()
            play_pairs(now, moves)
            return np.array(now, dtype=np.int32), moves
        callback = self.budget.poll("tiles")
        filler = self._core_peeler(board, steps, goal, goal)
        for ear in [*((cell,) for cell in order.rest), *order.ears]:
            if not filler.fill(list(ear), callback):
                raise OutOfTime
        return filler.pieces(), filler.moves()

    def _core_peeler(
        self, board: Board, steps: NDArray[np.int32], start: NDArray[np.int32], goal: NDArray[np.int32]
    ) -> _core.Peeler:
        import numpy as np

        from slidelab import _core

        size = min(int(self.budget.memory * DISTANCE_SHARE), MAX_DISTANCE_BYTES)
        positions = np.array(board.cells if board.kind == "square" else [], dtype=np.int32).reshape(-1, 2)
        return _core.Peeler(board.size, steps, start, goal, size, positions, self.budget.check)

    def _walks(self, ears: Sequence[Sequence[int]], target: NDArray[np.int32]) -> HoleWalks | None:
        if self.walks is None:
            return None
        wide = not self.rule.slides_along_edges
        return HoleWalks(self.walks.style, ears, target, self.walks.budget, wide=wide)

    def solve_core(self, board: Board, start: list[int], goal: list[int]) -> Pairs:
        """Solve what is left at the end: exactly, or tile by tile if it is large."""
        if start == goal:
            return pairs_of([])
        holes, size = start.count(0), board.size
        is_large = size > MAX_EXACT_CELLS and perm(size, size - holes) > MAX_EXACT_STATES
        if self.rule.slides_along_edges and (is_large or holes > MAX_LISTED_HOLES):
            if holes == 1:
                return _solve_by_wilson(board, start, goal, self.budget)
            return solve_narrow_region(Part(board, range(size), start, goal), self.budget)
        return self._solve_exactly(board, start, goal)

    def _solve_exactly(self, board: Board, start: list[int], goal: list[int]) -> Pairs:
        puzzle = Puzzle(board, self.rule, start.count(0))
        names = {tile: number for number, tile in enumerate(sorted(filter(None, goal)), 1)}

        def configuration(tiles: list[int]) -> Configuration:
            cells = {names[tile]: cell for cell, tile in enumerate(tiles) if tile}
            return Configuration(puzzle, tuple((cells[number],) for number in range(1, len(names) + 1)))

        found = self.exact(configuration(start), configuration(goal))
        return MoveList.of(found.moves).rows[:, 2:]

    # Hexagonal tiles

    def solve_hextiles(self, board: Board, start: list[int], goal: list[int]) -> Pairs:
        """Solve hexagonal tiles; of many holes a few work, and the others count as tiles."""
        holes = goal.count(0)
        refused: TooLarge | Unsolvable | None = None
        if holes <= MAX_CORE_HOLES:
            try:
                return self._peel_hextiles(board, start, goal)
            except TooLarge as error:
                if holes == 2:
                    raise
                refused = error
        for working in range(2, min(holes, MAX_WORKING_HOLES + 1)):
            for named in _with_blanks(board, start, goal, working):
                try:
                    pairs = self._peel_hextiles(board, named.start, named.goal)
                except (TooLarge, Unsolvable) as error:
                    refused = error
                else:
                    return _without_blanks(pairs, named.start, max(start))
        raise TooLarge(f"found no way to move {holes} holes on {board.name} together") from refused

    def _peel_hextiles(self, board: Board, start: list[int], goal: list[int]) -> Pairs:
        """Peel towards a core, the nearest part on which tiles can be permuted freely."""
        holes, size = goal.count(0), board.size
        if size <= holes + MAX_HEX_CORE_TILES:
            return self._solve_exactly(board, start, goal)
        near = nearness(board, goal.index(0))
        # Open cells first: at the rim, and in corners, tiles get stuck.
        open_first = sorted(range(size), key=lambda c: (near[c] - 2 * len(board.neighbours[c]), c))
        for centre in open_first[:MAX_HEX_CENTRES]:
            self.budget.check("core")
            distances = nearness(board, centre)
            if core := self._free_core(board, distances, holes):
                order = order_for_hextiles(board.neighbours, core, distances)
                return self.fill(board, start, goal, order)
        raise TooLarge(f"found no small part of {board.name} on which tiles can be permuted freely")

    def _free_core(self, board: Board, near: Sequence[int], holes: int) -> tuple[int, ...]:
        """Return the nearest cells whose tiles have all (even) permutations; empty if there are none."""
        nearest = sorted((c for c in range(board.size) if near[c] >= 0), key=lambda c: (near[c], c))
        unlimited = Budget()
        for size in range(holes + 5, min(len(nearest), holes + MAX_HEX_CORE_TILES) + 1):
            cells = tuple(sorted(nearest[:size]))
            puzzle = Puzzle(sub_board(board, cells), self.rule, holes)
            try:
                families = analyze(puzzle, budget=unlimited, connection=False).families
            except PuzzleError:
                return ()
            group = families[0].group if families else None
            if group is not None and group.is_transitive and group.is_giant(range(group.degree)):
                return cells
        return ()


class _Named(NamedTuple):
    """A start and a goal in which some holes are tiles."""

    start: list[int]
    goal: list[int]


def _with_blanks(board: Board, start: list[int], goal: list[int], working: int) -> Iterator[_Named]:
    """Yield start and goal with all holes but the working ones as tiles, matched in one or the other parity.

    The working holes are next to each other, so that they can move.
    """
    ends = []
    for tiles in (start, goal):
        empty = [cell for cell, tile in enumerate(tiles) if not tile]
        # The holes with the most holes around them, and from there the nearest others.
        crowded = max(empty, key=lambda cell: sum(not tiles[other] for other in board.neighbours[cell]))
        near = nearness(board, crowded)
        empty.sort(key=lambda cell: (near[cell] if near[cell] >= 0 else board.size, cell))
        ends.append(sorted(empty[working:]))
    spare = max(start) + 1
    for swapped in (False, True):
        first, last = list(start), list(goal)
        order = [ends[1][1], ends[1][0], *ends[1][2:]] if swapped and len(ends[1]) > 1 else ends[1]
        for number, (a, b) in enumerate(zip(ends[0], order, strict=True)):
            first[a], last[b] = spare + number, spare + number
        yield _Named(first, last)


def _without_blanks(pairs: Pairs, start: list[int], largest: int) -> Pairs:
    """Return the moves of tiles up to a number; all others are holes that change places with holes."""
    import numpy as np

    from slidelab import _core

    tiles = np.array(start, dtype=np.int32)
    moved = _core.label_moves(tiles, np.ascontiguousarray(pairs, dtype=np.int32))
    return pairs[moved <= largest]


def _core_size(holes: int) -> int:
    if holes <= 3:
        return CORE_CELLS
    return holes + (3 if holes <= MAX_LISTED_HOLES else 1)


def _step_rows(rule: Rule, board: Board, check: Callable[[str, int, int], None]) -> NDArray[np.int32]:
    """Return rows of cell before, cell after and the second hole, -1 if none is needed."""
    import numpy as np

    rows = []
    for cell in range(board.size):
        if cell % CELLS_PER_CHECK == 0:
            check("steps", cell, board.size)
        for step in rule.steps(board, (cell,)):
            beside = [hole for hole in step.holes if hole != step.after[0]]
            rows.append((cell, step.after[0], beside[0] if beside else -1))
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def rotate(part: Part, budget: Budget | None = None) -> Pairs:
    """Return moves that rotate the tiles on a cycle the shorter way round, each directly to its cell.

    >>> from slidelab.boards import board
    >>> rotate(Part(board("cycle(4)"), range(4), [1, 2, 3, 0], [3, 1, 2, 0])).tolist()
    [[2, 3], [1, 2], [0, 1], [3, 0]]
    """
    budget = budget or Budget()
    cycle = polygon_order(part.board, range(part.board.size))
    size = len(cycle)
    tiles = [(index, part.start[cell]) for index, cell in enumerate(cycle) if part.start[cell]]
    target = {part.goal[cell]: index for index, cell in enumerate(cycle) if part.goal[cell]}
    first = target[tiles[0][1]]
    # In order round the cycle, each at most once round behind the first.
    behind = [(target[tile] - first) % size for _, tile in tiles]
    left = min(
        (
            [first + turns * size + far - index for far, (index, _) in zip(behind, tiles, strict=True)]
            for turns in (-1, 0, 1)
        ),
        key=lambda shifts: sum(map(abs, shifts)),
    )
    at, count = [index for index, _ in tiles], len(tiles)
    full = {index % size for index in at}
    moves: list[tuple[int, int]] = []
    # A tile goes as far as it can; then those that follow it on either side may have room to go on.
    waiting = list(range(count))[::-1]
    while waiting:
        k = waiting.pop()
        step = (left[k] > 0) - (left[k] < 0)
        begin = len(moves)
        while left[k] and (there := (at[k] + step) % size) not in full:
            here = at[k] % size
            moves.append((cycle[here], cycle[there]))
            full.discard(here)
            full.add(there)
            at[k], left[k] = there, left[k] - step
        if len(moves) > begin:
            waiting += [(k + 1) % count, (k - 1) % count]
            if begin // MOVES_PER_CHECK < len(moves) // MOVES_PER_CHECK:
                budget.check("moves", begin)
    return pairs_of(moves)


def _solve_by_wilson(board: Board, start: list[int], goal: list[int], budget: Budget) -> Pairs:
    """Solve a block with one hole by Wilson's method."""
    walk, _ = solve_block(board.neighbours, start, goal, budget=budget)
    return pairs_of_walk(start.index(0), walk)
