"""Positions of gourds on named and random boards."""

from __future__ import annotations

import slidelab as sl
from proper import comb
from slidelab.boards import (
    Board,
    hamiltonian_cycle,
    hex_board,
    random_hexagons,
)
from slidelab.budget import Budget
from slidelab.puzzles import Configuration, MoveList
from slidelab.solve.gourds.cycles import moves_of_path, sort_along
from slidelab.solve.gourds.peeler import peel_gourds
from solve.gourd_boards import gourds_on

THIN = (0.0, 0.5, 0.95, 1.0)


def two_positions(board: Board, seed: int) -> tuple[Configuration, Configuration]:
    puzzle = gourds_on(board)
    return puzzle.shuffle(seed=2 * seed), puzzle.shuffle(seed=2 * seed + 1)


def peeled(start: Configuration, goal: Configuration) -> MoveList:
    """Moves that lead to the goal by the rule."""
    moves = peel_gourds(start, goal, Budget())
    assert moves.end(start) == goal
    return moves


def along(start: Configuration, goal: Configuration) -> int:
    """How many moves it takes along a Hamiltonian cycle."""
    cycle = list(hamiltonian_cycle(start.puzzle.board))
    return len(moves_of_path(start, sort_along(start, goal, cycle, Budget())))


def board_named(text: str) -> Board:
    kind, _, rest = text.partition(" ")
    if kind == "comb":
        teeth, length = map(int, rest.split())
        return hex_board(comb(teeth, length))
    if kind == "random":
        cells, thin = rest.split()
        return random_hexagons(int(cells), seed=7, thin=float(thin))
    return sl.board(text)
