"""Pieces of as many cells as the core allows, compared with a plain search."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import slidelab as sl
from slidelab import _core
from slidelab.boards import Board
from slidelab.gains import gain_graph
from slidelab.puzzles.movelist import MoveList, _replayed
from slidelab.rules.rule import Cells, Rule, Step

Shape = tuple[tuple[int, int], ...]
State = tuple[Cells, ...]


class Rigid(Rule):
    """Rigid pieces of a square board that are shifted by one cell; a straight rod has two readings."""

    __slots__ = ("cells", "name", "shape", "turns")

    piece = "slab"
    rigid = True

    def __init__(self, name: str, shape: Shape, turns: int = 1) -> None:
        self.name, self.shape, self.cells, self.turns = name, shape, len(shape), turns

    def placements(self, board: Board) -> Iterator[Cells]:
        at = {cell: number for number, cell in enumerate(board.cells or ())}
        for x, y in at:
            cells = tuple(at.get((x + dx, y + dy), -1) for dx, dy in self.shape)
            if -1 not in cells:
                yield min(self.readings(cells))

    def steps(self, board: Board, cells: Cells) -> Iterator[Step]:
        at = {cell: number for number, cell in enumerate(board.cells or ())}
        where = [(board.cells or ())[cell] for cell in cells]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            after = tuple(at.get((x + dx, y + dy), -1) for x, y in where)
            if -1 not in after:
                yield Step(cells, after, tuple(c for c in after if c not in cells), "slide")


BLOCK = Rigid("blocks", ((0, 0), (1, 0), (0, 1), (1, 1)))
ROD = Rigid("rods", ((0, 0), (1, 0), (2, 0), (3, 0)), turns=2)
PLATE = Rigid("plates", tuple((x, y) for y in range(2) for x in range(4)))
COLUMN = Rigid("columns", tuple((0, y) for y in range(8)))


def plain_distances(rule: Rule, board: Board, start: State) -> dict[State, int]:
    distance = {start: 0}
    queue = [start]
    for state in queue:
        covered = {cell for cells in state for cell in cells}
        for piece, cells in enumerate(state):
            for step in rule.steps(board, cells):
                after = (*state[:piece], step.after, *state[piece + 1 :])
                if not covered & set(step.holes) and after not in distance:
                    distance[after] = distance[state] + 1
                    queue.append(after)
    return distance


@pytest.mark.parametrize(
    ("rule", "text", "pieces"),
    [
        (BLOCK, "square R(5,4)", 3),
        (ROD, "square R(5,4)", 3),
        (PLATE, "square R(6,5)", 2),
        (COLUMN, "square R(4,9)", 2),
    ],
)
def test_against_a_plain_search(rule: Rule, text: str, pieces: int) -> None:
    board = sl.board(text)
    puzzle = sl.puzzle(board, rule, board.size - pieces * rule.cells)
    start = puzzle.goal
    distance = plain_distances(rule, board, start.pieces)
    distances = puzzle.distances(start)
    assert (distances.states, distances.depth) == (len(distance), max(distance.values()))
    assert gain_graph(puzzle).degree == pieces * rule.turns
    state, depth = max(distance.items(), key=lambda item: item[1])
    far = sl.Configuration(puzzle, state)
    for method in ("auto", "ida", "bidirectional"):
        solution = puzzle.solve(far, method=method)
        assert solution.length == depth
        assert solution.optimal
        moves = MoveList.of(solution.moves)
        assert moves.end(far) == start
        assert _replayed(far, moves.rows) == (start, depth)
    arrays = puzzle.arrays()
    batch = arrays.encode(sl.Configuration(puzzle, state) for state in distance)
    assert sl.DistanceTable(start).distances(batch).tolist() == list(distance.values())
    _, parents, _ = arrays.neighbours(batch)
    assert [len(c.moves) for c in arrays.decode(batch[:99])] == arrays.count_moves(batch[:99]).tolist()
    assert len(parents) == int(arrays.legal_moves(batch).sum())


def test_the_limits_of_the_core() -> None:
    assert _core.MAX_PIECE_CELLS == _core.MAX_STEP_HOLES == 8
    board = sl.board("square R(3,9)")
    too_long = Rigid("poles", tuple((0, y) for y in range(9)))
    with pytest.raises(sl.PuzzleError, match="expected from 1 to 8 as cells"):
        sl.puzzle(board, too_long, 9)
