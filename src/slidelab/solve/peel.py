"""Huge boards: pieces are put in their places one by one on a shrinking board, and a small core is solved exactly.

For tiles with any number of holes on any graph, and for hexagonal tiles. The order comes from `slidelab.solve.ears`;
each piece is carried by a search in the core (`src/core/peel.hpp`). See docs/design/huge-boards.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from slidelab.boards import Board, is_bipartite, is_cycle, is_two_connected, sub_board
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.puzzles import Configuration, Puzzle
from slidelab.rules import Rule
from slidelab.solutions import MoveList, Passage, Solution
from slidelab.solve.ears import Order, core_for_tiles, nearness, order_for_hextiles, order_for_tiles
from slidelab.solve.outcome import Clock
from slidelab.solve.piecewise import Pairs, Part, by_cell, by_parts, joined, pairs_of, reversed_pairs
from slidelab.solve.wilson import solve_block

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["moves_of_pairs", "peel"]

CORE = 9
"""Cells of the core that is solved exactly."""

LARGE_CORE = 13
"""A core with more cells, where ears are long, is solved by the words of the papers."""

Exact = Callable[[Configuration, Configuration], Solution]


def peel(start: Configuration, goal: Configuration, exact: Exact, clock: Clock | None = None) -> MoveList:
    """Moves from `start` to `goal`, which is known to be reachable; `exact` solves small puzzles.

    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(6,6)")
    >>> start = p.shuffle(seed=1)
    >>> peel(start, p.goal, lambda a, b: a.puzzle.solve(a, b)).lead(start, p.goal)
    True
    """
    puzzle = start.puzzle
    peeling = _Peeling(puzzle.rule, exact, clock or Clock(None))
    lies, wants = by_cell(start), by_cell(goal)
    if puzzle.rule.name == "tiles":
        pairs, _ = by_parts(puzzle.board, lies, wants, peeling.part)
    else:
        pairs = peeling.hextiles(puzzle.board, lies, wants)
    return moves_of_pairs(start, pairs)


def moves_of_pairs(start: Configuration, pairs: Pairs) -> MoveList:
    """The moves of pieces of one cell, given by where they begin and end.

    >>> import slidelab as sl
    >>> moves_of_pairs(sl.position("square R(2,2) : 1 2 . 3"), pairs_of([(3, 2)]))
    <1 moves: 3:3>2>
    """
    import numpy as np

    lies = by_cell(start)
    tiles = np.empty(len(pairs), dtype=np.int32)
    for number, (before, after) in enumerate(pairs.tolist()):
        tile = lies[before]
        tiles[number] = lies[after] = tile
        lies[before] = 0
    return MoveList.of_tiles(np.column_stack([tiles, pairs]))


class _Peeling:
    def __init__(self, rule: Rule, exact: Exact, clock: Clock) -> None:
        self.rule = rule
        self.exact = exact
        self.clock = clock

    # Tiles

    def part(self, part: Part) -> tuple[Pairs, list[Passage]]:
        """One region of a board of tiles."""
        if is_cycle(part.board):
            return turned(part), []
        if not is_two_connected(part.board):
            from slidelab.solve.narrow import narrow

            return narrow(part, self.clock), []
        board, holes = part.board, part.holes
        centre = part.wants.index(0)
        odd = holes == 1 and not is_bipartite(board)
        core = core_for_tiles(board, centre, odd, _core_size(holes))
        order = order_for_tiles(board.neighbours, core, nearness(board, centre))
        return self.shrunk(board, part.lies, part.wants, order), []

    def shrunk(self, board: Board, lies: Sequence[int], wants: Sequence[int], order: Order) -> Pairs:
        """Ears filled one after the other, then the core."""
        import numpy as np

        from slidelab import _core

        steps = _steps(self.rule, board)
        ears = [(cell,) for cell in order.rest] + list(order.ears)
        start, goal = (np.array(tiles, dtype=np.int32) for tiles in (lies, wants))
        try:
            after = self._holes_to_core(board, steps, goal, ears)
            wanted = after.lies()
            core = _core.Peeler(board.size, steps, start, wanted)
            tick = self.clock.tick(lambda _: "tiles")
            done = 0
            for ear in ears:
                core.place(list(ear), tick)
                done += len(ear)
                self.clock.heard("tiles", done, board.size)
        except _core.LimitReached as error:
            raise TooLarge(f"a board of {board.size} cells can't be peeled: {error}") from None
        inside = list(order.core)
        now = core.lies()
        last = self.core(sub_board(board, inside), now[inside].tolist(), wanted[inside].tolist())
        numbered = np.array(inside, dtype=np.int32)[last]
        return joined([core.moves(), numbered, reversed_pairs(after.moves())])

    def _holes_to_core(
        self, board: Board, steps: NDArray[np.int32], goal: NDArray[np.int32], ears: Sequence[tuple[int, ...]]
    ) -> Any:
        """The goal with its holes brought into the core."""
        from slidelab import _core

        after = _core.Peeler(board.size, steps, goal, goal)
        tick = self.clock.tick(lambda _: "tiles")
        if any(not goal[cell] for ear in ears for cell in ear):
            for ear in ears:
                after.fill(list(ear), tick)
        return after

    def core(self, board: Board, lies: list[int], wants: list[int]) -> Pairs:
        """What is left at the end: as short as can be, or by the papers' words if it is large."""
        if lies == wants:
            return pairs_of([])
        if board.size <= LARGE_CORE or self.rule.name != "tiles" or not is_two_connected(board):
            return self._exactly(board, lies, wants)
        return _by_words(board, lies, wants)

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
        centre = wants.index(0)
        near = nearness(board, centre)
        core = self._hexagonal_core(board, near, wants.count(0))
        order = order_for_hextiles(board.neighbours, core, near)
        return self.shrunk(board, lies, wants, order)

    def _hexagonal_core(self, board: Board, near: Sequence[int], holes: int) -> tuple[int, ...]:
        """The nearest cells on which the tiles can be permuted at will, or evenly at will."""
        nearest = sorted(range(board.size), key=lambda cell: (near[cell], cell))
        for size in range(holes + 5, min(board.size, holes + 12) + 1):
            cells = nearest[:size]
            puzzle = Puzzle(sub_board(board, cells), self.rule, holes)
            try:
                family = puzzle.analyze().families[0]
            except (PuzzleError, IndexError):
                continue
            group = family.group
            if group.is_transitive and group.is_giant(range(group.degree)):
                return tuple(sorted(cells))
        if board.size <= holes + 12:
            return tuple(range(board.size))
        raise TooLarge(f"found no small part of {board.name} on which tiles can be permuted at will")


def _core_size(holes: int) -> int:
    if holes <= 3:
        return CORE
    return holes + (3 if holes <= 60 else 1)


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
    """One hole works, all others count as tiles; which hole of the goal works is chosen by parity."""
    lies, wants = list(lies), list(wants)
    before: list[tuple[int, int]] = []
    spare = max(lies) + 1
    empty, full = ([cell for cell, tile in enumerate(tiles) if not tile] for tiles in (lies, wants))
    if len(empty) > 1:
        return _with_dummies(board, lies, wants, empty, full, spare)
    walk, _ = solve_block(board.neighbours, lies, wants)
    hole = empty[0]
    for cell in walk:
        before.append((cell, hole))
        hole = cell
    return pairs_of(before)


def _with_dummies(
    board: Board, lies: list[int], wants: list[int], empty: list[int], full: list[int], spare: int
) -> Pairs:
    from slidelab.errors import Unsolvable

    ends = full
    after: list[tuple[int, int]] = []
    for attempt in range(4):
        here, there = list(lies), list(wants)
        order = ends if attempt % 2 == 0 else [ends[1], ends[0], *ends[2:]]
        for number, (a, b) in enumerate(zip(empty[1:], order[1:], strict=True)):
            here[a] = there[b] = spare + number
        try:
            walk, _ = solve_block(board.neighbours, here, there)
        except Unsolvable:
            if attempt == 1:  # two holes of different colours: move one of them on
                hole = ends[0]
                tile = next(cell for cell in board.neighbours[hole] if wants[cell])
                after.append((tile, hole))
                wants[hole], wants[tile] = wants[tile], 0
                ends = [tile, *ends[1:]]
            continue
        moves: list[tuple[int, int]] = []
        hole = empty[0]
        for cell in walk:
            if here[cell] < spare:
                moves.append((cell, hole))
            here[hole], here[cell] = here[cell], 0
            hole = cell
        return joined([pairs_of(moves), reversed_pairs(pairs_of(after))])
    raise NotationError("expected a core that can be solved with one hole")
