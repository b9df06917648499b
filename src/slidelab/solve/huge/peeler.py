"""Huge boards: pieces are put in place one by one on a shrinking board, and a small core is solved exactly.

For tiles with any number of holes on any graph, and for hexagonal tiles. The order comes from
`slidelab.solve.huge.ears`; each piece is carried by a search in the core. See docs/design/huge-boards.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import perm
from typing import TYPE_CHECKING

from slidelab.boards import Board, is_bipartite, is_cycle, is_two_connected, sub_board
from slidelab.budget import Budget
from slidelab.errors import OutOfTime, PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, MoveList, Passage, Puzzle, Solution
from slidelab.reach.frames import pieces_by_cell
from slidelab.reach.hole_moves import hole_moves
from slidelab.rules import Rule
from slidelab.solve.huge.ears import Order, core_for_tiles, nearness, order_for_hextiles, order_for_tiles
from slidelab.solve.huge.narrow_regions import narrow
from slidelab.solve.huge.parts import (
    Part,
    by_parts,
    joined,
    moves_of_pairs,
    pairs_of,
    play_pairs,
    reversed_pairs,
)
from slidelab.solve.wilson.solver import solve_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slidelab.solve.huge.parts import Pairs

__all__ = ["least_moves", "peel"]

CORE = 9
"""Cells of the core that is solved exactly."""

LARGE_CORE, FEW_STATES = 10, 1_000_000
"""A core with more cells and states, where ears are long, is solved by the words of the papers."""

MANY_HOLES = 60
"""With more, no list of shapes is made: the last few tiles are led one by one."""

LARGEST_HEX_CORE = 9
"""Tiles of the largest core that is tried for hexagonal tiles."""

TRIES = 60
"""Places that are tried for it."""

Exact = Callable[[Configuration, Configuration], Solution]


def peel(start: Configuration, goal: Configuration, exact: Exact, budget: Budget | None = None) -> MoveList:
    """Moves from `start` to `goal`, which is known to be reachable; `exact` solves small puzzles.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(6,6)")
    >>> start = p.shuffle(seed=1)
    >>> moves = peel(start, p.goal, lambda a, b: a.puzzle.solve(a, b))
    >>> moves.lead(start, p.goal), least_moves(start, p.goal) < len(moves)
    (True, True)
    """
    puzzle = start.puzzle
    peeling = _Peeling(puzzle.rule, exact, budget or Budget())
    lies, wants = pieces_by_cell(start), pieces_by_cell(goal)
    if puzzle.rule.slides_along_edges:
        pairs, _ = by_parts(puzzle.board, lies, wants, peeling.part)
    else:
        pairs = peeling.hextiles(puzzle.board, lies, wants)
    return moves_of_pairs(start, pairs)


def least_moves(start: Configuration, goal: Configuration) -> int | None:
    """How far all pieces are from their places: each move brings one piece one step nearer at most.

    Only for pieces of one cell, all with numbers.
    """
    from slidelab import _core

    puzzle = start.puzzle
    if puzzle.rule.cells > 1 or puzzle.colours is not None:
        return None
    ends = [(a, b) for (a,), (b,) in zip(start.pieces, goal.pieces, strict=True) if a != b]
    return int(_core.distance_sum(puzzle.board.size, _steps(puzzle.rule, puzzle.board), pairs_of(ends)))


class _Peeling:
    def __init__(self, rule: Rule, exact: Exact, budget: Budget) -> None:
        self.rule = rule
        self.exact = exact
        self.budget = budget

    # Tiles

    def part(self, part: Part) -> tuple[Pairs, list[Passage]]:
        """One region of a board of tiles."""
        if is_cycle(part.board):
            return turned(part), []
        if not is_two_connected(part.board):
            return narrow(part, self.budget), []
        board, holes = part.board, part.holes
        centre = part.wants.index(0)
        odd = holes == 1 and not is_bipartite(board)
        core = core_for_tiles(board, centre, odd, _core_size(holes), holes + 1)
        order = order_for_tiles(board.neighbours, core, nearness(board, centre))
        return self.shrunk(board, part.lies, part.wants, order), []

    def shrunk(self, board: Board, lies: Sequence[int], wants: Sequence[int], order: Order) -> Pairs:
        """Ears filled one after the other, then the core."""
        import numpy as np

        from slidelab import _core

        steps = _steps(self.rule, board)
        ears = [(cell,) for cell in order.rest] + list(order.ears)
        names = {tile: number for number, tile in enumerate(dict.fromkeys((0, *wants)))}
        start, goal = (np.array([names[tile] for tile in tiles], dtype=np.int32) for tiles in (lies, wants))
        try:
            wanted, after = self._holes_to_core(board, steps, goal, order)
            core = _core.Peeler(board.size, steps, start, wanted)
            tick = self.budget.poll(lambda _: "tiles")
            done = 0
            for ear in ears:
                if not core.place(list(ear), tick):
                    raise OutOfTime
                done += len(ear)
                self.budget.check("tiles", done, board.size)
        except _core.LimitReached as error:
            raise TooLarge(f"a board of {board.size} cells can't be peeled: {error}") from None
        inside = list(order.core)
        now = core.lies()
        last = self.core(sub_board(board, inside), now[inside].tolist(), wanted[inside].tolist())
        numbered = np.array(inside, dtype=np.int32)[last]
        return joined([core.moves(), numbered, reversed_pairs(after)])

    def _holes_to_core(
        self, board: Board, steps: NDArray[np.int32], goal: NDArray[np.int32], order: Order
    ) -> tuple[NDArray[np.int32], Pairs]:
        """The goal with its holes brought into the core, and the moves that do it."""
        import numpy as np

        from slidelab import _core

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
        filler = _core.Peeler(board.size, steps, goal, goal)
        tick = self.budget.poll(lambda _: "tiles")
        for ear in [*((cell,) for cell in order.rest), *order.ears]:
            if not filler.fill(list(ear), tick):
                raise OutOfTime
        return filler.lies(), filler.moves()

    def core(self, board: Board, lies: list[int], wants: list[int]) -> Pairs:
        """What is left at the end: as short as can be, or by the papers' words if it is large."""
        if lies == wants:
            return pairs_of([])
        if not self.rule.slides_along_edges:
            return self._exactly(board, lies, wants)
        tiles = board.size - lies.count(0)
        if lies.count(0) > MANY_HOLES:
            return narrow(Part(board, range(board.size), lies, wants), self.budget)
        if board.size > LARGE_CORE and perm(board.size, tiles) > FEW_STATES:
            return _by_words(board, lies, wants)
        return self._exactly(board, lies, wants)

    def _exactly(self, board: Board, lies: list[int], wants: list[int]) -> Pairs:
        puzzle = Puzzle(board, self.rule, lies.count(0))
        names = {tile: number for number, tile in enumerate(sorted(filter(None, wants)), 1)}

        def configuration(tiles: list[int]) -> Configuration:
            cells = {names[tile]: cell for cell, tile in enumerate(tiles) if tile}
            return Configuration(puzzle, tuple((cells[number],) for number in range(1, len(names) + 1)))

        found = self.exact(configuration(lies), configuration(wants))
        return MoveList.of(found.moves).rows[:, 2:]

    # Hexagonal tiles

    def hextiles(self, board: Board, lies: list[int], wants: list[int]) -> Pairs:
        """Hexagonal tiles: the core is the nearest place where tiles can be permuted at will."""
        holes, size = wants.count(0), board.size
        if size > holes + LARGEST_HEX_CORE:
            near = nearness(board, wants.index(0))
            # Open places first: at the rim, and in corners, tiles get stuck.
            open_first = sorted(range(size), key=lambda c: (near[c] - 2 * len(board.neighbours[c]), c))
            for centre in open_first[:TRIES]:
                around = nearness(board, centre)
                core = self._permutes(board, around, holes)
                if core:
                    return self.shrunk(board, lies, wants, order_for_hextiles(board.neighbours, core, around))
            raise TooLarge(f"found no small part of {board.name} on which tiles can be permuted at will")
        return self._exactly(board, lies, wants)

    def _permutes(self, board: Board, near: Sequence[int], holes: int) -> tuple[int, ...]:
        """The nearest cells, if their tiles can be permuted at will, or evenly at will."""
        nearest = sorted((c for c in range(board.size) if near[c] >= 0), key=lambda c: (near[c], c))
        for size in range(holes + 5, min(len(nearest), holes + LARGEST_HEX_CORE) + 1):
            cells = tuple(sorted(nearest[:size]))
            puzzle = Puzzle(sub_board(board, cells), self.rule, holes)
            try:
                families = puzzle.analyze().families
            except PuzzleError:
                return ()
            group = families[0].group if families else None
            if group is not None and group.is_transitive and group.is_giant(range(group.degree)):
                return cells
        return ()


def _core_size(holes: int) -> int:
    if holes <= 3:
        return CORE
    return holes + (3 if holes <= MANY_HOLES else 1)


def _steps(rule: Rule, board: Board) -> NDArray[np.int32]:
    """Rows of cell before, cell after and the second hole, -1 if none is needed."""
    import numpy as np

    rows = []
    for cell in range(board.size):
        for step in rule.steps(board, (cell,)):
            beside = [hole for hole in step.holes if hole != step.after[0]]
            rows.append((cell, step.after[0], beside[0] if beside else -1))
    return np.array(rows, dtype=np.int32).reshape(-1, 3)


def turned(part: Part) -> Pairs:
    """Tiles on a polygon, turned the shorter way: every tile goes straight to its place.

    >>> from slidelab.boards import board
    >>> turned(Part(board("cycle(4)"), range(4), [1, 2, 3, 0], [3, 1, 2, 0])).tolist()
    [[2, 3], [1, 2], [0, 1], [3, 0]]
    """
    around = part.board.neighbours
    circle = [0]
    while len(circle) < part.board.size:
        circle.append(
            next(cell for cell in around[circle[-1]] if cell not in circle[-2:] and cell != circle[0])
        )
    size = len(circle)
    lies = [(place, part.lies[cell]) for place, cell in enumerate(circle) if part.lies[cell]]
    goes = {part.wants[cell]: place for place, cell in enumerate(circle) if part.wants[cell]}
    first = goes[lies[0][1]]
    best: list[int] | None = None
    for turns in (-1, 0, 1):
        ends = []
        for place, tile in lies:
            # In order round the circle, each at most once round behind the first.
            ahead = (goes[tile] - first) % size
            ends.append(first + ahead + turns * size - place)
        if best is None or sum(map(abs, ends)) < sum(map(abs, best)):
            best = ends
    left, at = best or [], [place for place, _ in lies]
    full = {place % size for place in at}
    moves: list[tuple[int, int]] = []
    while any(left):
        for k, rest in enumerate(left):
            step = (rest > 0) - (rest < 0)
            while left[k] and (at[k] + step) % size not in full:
                there = (at[k] + step) % size
                moves.append((circle[at[k] % size], circle[there]))
                full.discard(at[k] % size)
                full.add(there)
                at[k], left[k] = there, left[k] - step
    return pairs_of(moves)


def _by_words(board: Board, lies: list[int], wants: list[int]) -> Pairs:
    """By the papers' words: one hole works, all others count as tiles."""
    after: list[tuple[int, int]] = []
    for here, there in _as_tiles(board, lies, list(wants), after):
        try:
            walk, _ = solve_block(board.neighbours, here, there)
        except Unsolvable:
            continue
        moves: list[tuple[int, int]] = []
        hole, most = here.index(0), max(lies)
        for cell in walk:
            if here[cell] <= most:
                moves.append((cell, hole))
            here[hole], here[cell] = here[cell], 0
            hole = cell
        return joined([pairs_of(moves), reversed_pairs(pairs_of(after))])
    raise TooLarge("found no way to solve what is left with one hole")


def _as_tiles(
    board: Board, lies: list[int], wants: list[int], after: list[tuple[int, int]]
) -> Iterator[tuple[list[int], list[int]]]:
    """All holes but one as tiles. Which is which in the goal decides whether an even permutation is needed.

    Moves that are made at the goal, to be taken back, are added to `after`.
    """
    empty, ends = ([cell for cell, tile in enumerate(tiles) if not tile] for tiles in (lies, wants))
    spare = max(lies) + 1

    def named(order: Sequence[int]) -> tuple[list[int], list[int]]:
        here, there = list(lies), list(wants)
        for number, (a, b) in enumerate(zip(empty[1:], order[1:], strict=True)):
            here[a], there[b] = spare + number, spare + number
        return here, there

    yield named(ends)
    if len(ends) > 2:
        yield named([ends[0], ends[2], ends[1], *ends[3:]])
    elif len(ends) == 2:
        yield named(ends[::-1])
        # Two holes on cells of different colours: one of them moves on.
        hole, tile = next((hole, cell) for hole in ends for cell in board.neighbours[hole] if wants[cell])
        after.append((tile, hole))
        wants[hole], wants[tile] = wants[tile], 0
        ends[ends.index(hole)] = tile
        yield named(ends)
        yield named(ends[::-1])
