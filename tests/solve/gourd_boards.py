"""Boards and positions of gourds for tests."""

from __future__ import annotations

import random

from hypothesis import assume

import slidelab as sl
from slidelab.boards import (
    Board,
    hamiltonian_cycle,
    is_proper,
    polyhexes,
    random_hexagons,
)
from slidelab.puzzles import Configuration, Player, Puzzle


def gourds_on(board: Board) -> Puzzle:
    return sl.puzzle(board, "gourds", 1)


def laid_along(puzzle: Puzzle, cycle: list[int], rng: random.Random) -> Configuration:
    """Gourds in random order along a cycle, with the hole anywhere."""
    first = rng.randrange(len(cycle))
    turned = cycle[first:] + cycle[:first]
    pairs = [(turned[k], turned[k + 1]) for k in range(1, len(cycle), 2)]
    rng.shuffle(pairs)
    return Configuration(puzzle, tuple(p if rng.random() < 0.5 else p[::-1] for p in pairs))


def walked(start: Configuration, steps: int, rng: random.Random) -> Configuration:
    """After so many random moves."""
    player = Player(start)
    for _ in range(steps):
        move = rng.choice(list(player.configuration.moves))
        player.play(move.piece, move.before, move.after)
    return player.configuration


def anywhere(puzzle: Puzzle, seed: int, steps: int = 60) -> Configuration:
    rng = random.Random(seed)
    return walked(laid_along(puzzle, list(hamiltonian_cycle(puzzle.board)), rng), steps, rng)


def is_cycle_on(board: Board, cycle: list[int]) -> bool:
    ends = zip(cycle, cycle[1:] + cycle[:1], strict=True)
    return len(set(cycle)) == len(cycle) and all(b in board.neighbours[a] for a, b in ends)


def random_proper(gourds: int, seed: int, thin: float) -> Board:
    board = random_hexagons(2 * gourds + 1, seed, thin=thin)
    assume(is_proper(board))  # once in a while it is the star
    return board


def proper_boards(cells: int) -> list[Board]:
    return [board for board in polyhexes(cells) if is_proper(board)]
