"""Verdicts and random configurations on boards of any size that are proved by patching."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any

from slidelab.boards.lattice import Cell, hexagons_around
from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.permutations import is_even
from slidelab.puzzles import Configuration
from slidelab.reach.proof_check.concrete import ALL
from slidelab.reach.proof_check.verdicts import decide
from slidelab.reach.prover.proof import Proof
from slidelab.reach.prover.search import find_proof

__all__ = ["patched_sampler", "patched_verdict", "tiles_of"]

Pair = frozenset[Cell]

MAX_DRAWS = 1_000_000
"""Configurations that are drawn until one can move."""


def patched_verdict(
    start: Configuration, goal: Configuration, budget: Budget | None = None
) -> tuple[bool, str, dict[str, Any]] | None:
    """Return whether the goal can be reached, why, and a certificate; None if no proof of the board is found.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("hex P(3,4)")
    >>> patched_verdict(p.configuration("2 1 3 4 5 6 7 8 9 10 . ."), p.goal)[:2]
    (False, 'with two holes the tile of the tight corner at cell 0 leaves it only to return (Lemma 4.1)')
    """
    proof = find_proof(start.puzzle.uncoloured, budget)
    if isinstance(proof, str):
        return None
    found = decide(proof.proved, tiles_of(start), tiles_of(goal))
    certificate = {"kind": "patching", "proof": proof.to_json()}
    if found.solvable:
        reason = {ALL: "every arrangement that can move can be reached"}.get(
            proof.proved.claim, "the tiles need an even permutation, and all of them can be made"
        )
        return True, f"{reason} here ({proof.summary()})", certificate
    if found.obstacle == "corner" and found.cell is not None:
        cell = start.puzzle.board.cell_at[found.cell]
        reason = (
            f"with two holes the tile of the tight corner at cell {cell} leaves it only to return (Lemma 4.1)"
        )
    elif found.obstacle == "parity":
        reason = (
            "the tiles would need an odd permutation, and with two holes every loop is even (Corollary 1.6)"
        )
    else:
        still = "start" if not len(start.moves) else "goal"
        reason = f"nothing can move at the {still}"
    return False, reason, certificate


def tiles_of(configuration: Configuration) -> dict[Cell, Hashable]:
    """Return the tile on each cell: its number, or its colour."""
    puzzle = configuration.puzzle
    labels: list[Hashable] = list(puzzle.colours or range(1, puzzle.piece_count + 1))
    cells = puzzle.board.cells
    return {cells[at]: label for (at,), label in zip(configuration.pieces, labels, strict=True)}


def patched_sampler(
    start: Configuration, budget: Budget | None = None
) -> Callable[[random.Random], Configuration] | None:
    """Return a function that draws uniformly from what can be reached; None if no proof is found."""
    proof = find_proof(start.puzzle.uncoloured, budget)
    if isinstance(proof, str) or not len(start.moves):
        return None
    if proof.proved.claim == ALL:
        return lambda rng: draw_movable(start, rng)
    return lambda rng: _draw_even(start, proof, rng)


def draw_movable(start: Configuration, rng: random.Random) -> Configuration:
    """Draw uniform configurations until one can move.

    >>> import slidelab as sl
    >>> len(draw_movable(sl.puzzle("hex P(3,3)", holes=3).goal, random.Random(1)).moves) > 0
    True
    """
    puzzle = start.puzzle
    for _ in range(MAX_DRAWS):
        cells = rng.sample(range(puzzle.board.size), puzzle.board.size)
        holes = cells[puzzle.piece_count :]
        if any(puzzle.board.adjacent(a, b) for a in holes for b in holes):
            drawn = Configuration(puzzle, tuple((cell,) for cell in cells[: puzzle.piece_count]))
            if len(drawn.moves):
                return drawn
    raise TooLarge(f"none of {MAX_DRAWS:,} random configurations of {puzzle.text!r:.80} can move")


def _draw_even(start: Configuration, proof: Proof, rng: random.Random) -> Configuration:
    """Draw with two holes: an even permutation of the tiles of the core, then any place for the holes."""
    board = start.puzzle.board
    inside = frozenset(board.cells)
    core = proof.proved.core or proof.proved.cells
    at = {board.cells[cell]: piece for piece, (cell,) in enumerate(start.pieces)}
    home = next(edge for edge in _edges(core))
    _lead(at, inside, home)
    movable = sorted(cell for cell in core if cell in at)
    order = list(range(len(movable)))
    rng.shuffle(order)
    if len(order) > 1 and not is_even(order):
        order[0], order[1] = order[1], order[0]
    at.update(zip(movable, [at[movable[place]] for place in order], strict=True))
    edges = sorted(tuple(sorted(edge)) for edge in _edges(inside))
    _lead(at, inside, frozenset(rng.choice(edges)))
    where = {piece: board.cell_at[cell] for cell, piece in at.items()}
    return Configuration(start.puzzle, tuple((where[piece],) for piece in range(start.puzzle.piece_count)))


def _edges(cells: frozenset[Cell]) -> list[Pair]:
    """Return the pairs of touching cells that lie in a triangle, in order."""
    found = []
    for cell in sorted(cells):
        around = hexagons_around(cell)
        for place, near in enumerate(around):
            beside = around[place - 1] in cells or around[(place + 1) % 6] in cells
            if near in cells and near > cell and beside:
                found.append(frozenset((cell, near)))
    return found


def _lead(at: dict[Cell, int], cells: frozenset[Cell], target: Pair) -> None:
    """Lead the two holes of an arrangement to two touching cells, tile by tile."""
    pair = frozenset(cell for cell in cells if cell not in at)
    towards: dict[Pair, Pair] = {target: target}
    queue = [target]
    for edge in queue:
        if pair in towards:
            break
        a, b = edge
        for apex in set(hexagons_around(a)).intersection(hexagons_around(b), cells):
            for other in (frozenset((a, apex)), frozenset((b, apex))):
                if other not in towards:
                    towards[other] = edge
                    queue.append(other)
    while pair != target:
        after = towards[pair]
        (filled,), (emptied,) = pair - after, after - pair
        at[filled] = at.pop(emptied)
        pair = after
