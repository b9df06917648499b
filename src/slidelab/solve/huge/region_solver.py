"""Solve a board of tiles region by region: components, and in each the regions that tiles cannot leave.

The regions of a board (see `slidelab.reach.regions`) are solved from the outermost inwards. For each one
the holes of the start and of the goal are brought into it; then only its tiles have to be put in order, and
from there on the same moves are made at the start and at the goal, so that what is in order stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from slidelab.boards import Board, components, sub_board
from slidelab.boards.walks import predecessors
from slidelab.puzzles import Passage
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.regions import regions
from slidelab.solve.huge.pairs import (
    PairJoiner,
    Pairs,
    pairs_of,
    play_pairs,
    relabel_pairs,
    reverse_pairs,
)

__all__ = ["Part", "solve_by_regions"]


class Part:
    """One region with the tile on each of its cells at the start and at the goal; 0 for a hole.

    `names` are the numbers of its cells on the whole board.
    """

    def __init__(
        self,
        board: Board,
        cells: Sequence[int],
        start: Sequence[int],
        goal: Sequence[int],
        names: Sequence[int] | None = None,
    ) -> None:
        self.board = board if len(cells) == board.size else sub_board(board, cells)
        self.cells = sorted(cells)
        self.names = self.cells if names is None else [names[cell] for cell in self.cells]
        self.start = [start[cell] for cell in self.cells]
        self.goal = [goal[cell] for cell in self.cells]

    @property
    def hole_count(self) -> int:
        """Number of holes."""
        return self.start.count(0)


PartSolver = Callable[[Part], tuple[Pairs, list[Passage]]]


def solve_by_regions(
    board: Board, start: Sequence[int], goal: Sequence[int], solver: PartSolver
) -> tuple[Pairs, list[Passage]]:
    """Return moves of tiles from `start` to `goal`, each region solved by `solver`, and their explanation.

    `start` and `goal` give the tile on each cell, 0 for a hole.
    """
    joiner = PairJoiner()
    for cells in components(board):
        if all(start[cell] == goal[cell] for cell in cells):
            continue
        part = board if len(cells) == board.size else sub_board(board, cells)
        first, last = [start[cell] for cell in cells], [goal[cell] for cell in cells]
        moves, passages = _solve_component(part, first, last, cells, solver)
        joiner.add(relabel_pairs(moves, cells), passages)
    return joiner.pairs, joiner.passages


def _solve_component(
    board: Board, start: list[int], goal: list[int], names: Sequence[int], solver: PartSolver
) -> tuple[Pairs, list[Passage]]:
    holes = goal.count(0)
    found = regions(board, holes, goal.index(0))
    joiner = PairJoiner()  # moves made from the start on
    at_goal: list[Pairs] = []  # moves made from the goal on, to be undone at the end
    for region in reversed(found):
        inside = set(region.cells)
        stand = [cell for cell, tile in enumerate(goal) if not tile]
        if not inside.issuperset(stand):
            entry = region.entry if region.entry >= 0 else stand[0]
            stand = _by_distance(board, region.cells, entry)[:holes]
        if any(not tile and cell not in inside for cell, tile in enumerate(start)):
            joiner.add(_bring_holes(board, start, stand))
        at_goal.append(_bring_holes(board, goal, stand))
        part = Part(board, region.cells, start, goal, names)
        if part.start == part.goal:
            continue
        moves, passages = solver(part)
        moves = relabel_pairs(moves, part.cells)
        play_pairs(start, moves)
        joiner.add(moves, passages)
    for moves in reversed(at_goal):
        joiner.add(reverse_pairs(moves))
    if not found:
        joiner.add(_solve_without_regions(board, start, goal))
    return joiner.pairs, joiner.passages


def _solve_without_regions(board: Board, start: list[int], goal: list[int]) -> Pairs:
    """Solve a board on which no tile passes another: move the tiles of a path, or the hole of a tree."""
    if any(len(row) > 2 for row in board.neighbours):
        return _bring_holes(board, start, [cell for cell, tile in enumerate(goal) if not tile])
    end = next(cell for cell, row in enumerate(board.neighbours) if len(row) < 2)
    path = _by_distance(board, range(board.size), end)
    order = [start[cell] for cell in path if start[cell]]
    source = {start[cell]: index for index, cell in enumerate(path)}
    target = {goal[cell]: index for index, cell in enumerate(path)}
    moves = []
    # Those that go up from above, then those that go down from below: none is in the way of another.
    up = [tile for tile in reversed(order) if target[tile] > source[tile]]
    down = [tile for tile in order if target[tile] < source[tile]]
    for tile in up + down:
        step = 1 if target[tile] > source[tile] else -1
        for index in range(source[tile], target[tile], step):
            moves.append((path[index], path[index + step]))
    return pairs_of(moves)


def _bring_holes(board: Board, tiles: list[int], stand: Sequence[int]) -> Pairs:
    """Move the holes to given cells, and return the moves."""
    moves = pairs_of(hole_moves(board, [tile != 0 for tile in tiles], stand))
    play_pairs(tiles, moves)
    return moves


def _by_distance(board: Board, cells: Sequence[int], start: int) -> list[int]:
    """Return the cells of a region in the order in which a breadth-first search from a cell meets them."""
    inside = set(cells)
    return [cell for cell in predecessors(board.neighbours, [start]) if cell in inside]
