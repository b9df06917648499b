"""Random puzzles on random boards: small ones for plain search, large ones for replay."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, permutations
from math import perm
from random import Random

import plain
import slidelab as sl
from plain import Config, Plain
from reach.twins import Twin
from torture.boards import RandomBoard, draw_board

__all__ = ["draw_colours", "draw_puzzle", "draw_small", "lay_randomly", "shuffled_walk"]

WORDS = ("a", "b", "c", "red", "blue", "x1", "blå", "Z_z", "green", "k9")
"""Colours of pieces."""

FEWEST_HOLES = {"hextiles": 2}
PIECE_CELLS = {"tiles": 1, "hextiles": 1, "gourds": 2, "gourds-sharp": 2}
LABELS = {"tiles": 1, "hextiles": 1, "trimers-bent": 1, "trimers-triangle": 3}
"""Colours that a piece has; two for pieces with two ends."""


def rules_for(board: plain.Board) -> list[str]:
    """Return the rules that can be played on a board."""
    kind = board[3]
    rigid = {"hex": plain.RIGID_RULES, "square": plain.RIGID_RULES[:2]}.get(kind, ())
    return [rule for rule in plain.RULES if rule not in plain.RIGID_RULES or rule in rigid]


def hole_counts(board: plain.Board, rule: str) -> list[int]:
    """Return the numbers of holes with which a rule can be played on a board."""
    size, cells = board[0], PIECE_CELLS.get(rule, 3)
    return [holes for holes in range(FEWEST_HOLES.get(rule, 1), size) if (size - holes) % cells == 0]


def draw_colours(rng: Random, rule: str, pieces: int) -> list[list[str]]:
    """Return random colours of the pieces: sometimes few, sometimes all different."""
    words = list(WORDS[: rng.choice([1, 2, 2, 3, 10])])
    if rng.random() < 0.1:
        words = [f"c{k}" for k in range(2 * pieces)]
    return [[rng.choice(words) for _ in range(LABELS.get(rule, 2))] for _ in range(pieces)]


def draw_small(
    rng: Random, most: int, *, rules: Iterable[str] = plain.RULES, coloured: float = 0.35, cells: int = 12
) -> Twin:
    """Return a random puzzle with at least one and at most `most` labelled configurations."""
    wanted = set(rules)
    while True:
        board = draw_board(rng, rng.randint(2, cells))
        possible = [
            rule for rule in rules_for(board.plain) if rule in wanted and hole_counts(board.plain, rule)
        ]
        if not possible:
            continue
        rule = rng.choice(possible)
        counts = [
            holes for holes in hole_counts(board.plain, rule) if _is_small(board.plain, rule, holes, most)
        ]
        if counts:
            # Few holes make the harder puzzles.
            holes = min(rng.choice(counts), rng.choice(counts))
            return make_twin(rng, board, rule, holes, coloured)


def _is_small(board: plain.Board, rule: str, holes: int, most: int) -> bool:
    size = board[0]
    if PIECE_CELLS.get(rule, 3) == 1:
        return perm(size, size - holes) <= most
    made = Plain.on(board, rule, holes)
    return 1 <= len(list(islice(made.all_configurations(), most + 1))) <= most


def draw_puzzle(
    rng: Random,
    size: int,
    *,
    rules: Iterable[str] = plain.RULES,
    coloured: float = 0.25,
    families: Iterable[str] = (),
) -> Twin:
    """Return a random puzzle on a board of about `size` cells, mostly with few holes."""
    wanted, names = set(rules), list(families)
    while True:
        board = draw_board(rng, size, names)
        possible = [
            rule for rule in rules_for(board.plain) if rule in wanted and hole_counts(board.plain, rule)
        ]
        if not possible:
            continue
        rule = rng.choice(possible)
        counts = hole_counts(board.plain, rule)
        few = counts[: rng.choice([1, 1, 2, 4, len(counts)])]
        return make_twin(rng, board, rule, rng.choice(few), coloured)


def make_twin(rng: Random, board: RandomBoard, rule: str, holes: int, coloured: float) -> Twin:
    """Return the puzzle twice: as slidelab reads it, and as the oracle does."""
    pieces = (board.plain[0] - holes) // PIECE_CELLS.get(rule, 3)
    colours = draw_colours(rng, rule, pieces) if rng.random() < coloured else None
    return Twin(sl.puzzle(board.text, rule, holes, colours), Plain.on(board.plain, rule, holes))


def lay_randomly(rng: Random, puzzle: Plain) -> Config | None:
    """Return a random legal configuration, or None if the pieces were laid so that the last did not fit."""
    if puzzle.piece_size == 1:
        labels = [*range(1, puzzle.piece_count + 1), *[0] * puzzle.hole_count]
        rng.shuffle(labels)
        return tuple(labels)
    free = set(range(puzzle.n))
    config: list[plain.Piece] = []
    for _ in range(puzzle.piece_count):
        # The cell with the fewest free neighbours first, or pieces would seldom all fit.
        for cell in sorted(free, key=lambda c: (len(puzzle.adjacency[c] & free), c)):
            options = _pieces_from(puzzle, cell, free)
            if options:
                break
        else:
            return None
        piece = rng.choice(options)
        config.append(piece)
        free -= set(piece)
    rng.shuffle(config)
    return tuple(config)


def _pieces_from(puzzle: Plain, cell: int, free: set[int]) -> list[plain.Piece]:
    """Return the placements of a piece on free cells that cover `cell`."""
    near = puzzle.adjacency[cell] & free
    around = {cell} | near | {other for step in near for other in puzzle.adjacency[step] & free}
    if puzzle.piece_size == 2:
        return [piece for other in sorted(near) for piece in ((cell, other), (other, cell))]
    return [p for p in permutations(sorted(around), 3) if cell in p and puzzle._is_placement(p)]


def shuffled_walk(rng: Random, puzzle: Plain, config: Config, steps: int) -> Config:
    """Return where a random walk of plain moves ends."""
    for _ in range(steps):
        options = sorted(puzzle.neighbours(config))
        if not options:
            break
        config = rng.choice(options)
    return config
