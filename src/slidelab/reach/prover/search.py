"""Find the proof of one board: what can be reached there, however large it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb

from slidelab.boards.lattice import Cell
from slidelab.budget import MAX_SHAPES, Budget, CacheNeutral
from slidelab.errors import TooLarge
from slidelab.messages import quoted
from slidelab.puzzles import Puzzle, PuzzleLike
from slidelab.puzzles import puzzle as make_puzzle
from slidelab.reach.invariants import strip_order, strip_theorem
from slidelab.reach.proof_check.concrete import ALL, CORNERS
from slidelab.reach.proof_check.refusal import Refused
from slidelab.reach.prover.builder import Builder
from slidelab.reach.prover.cover import cover
from slidelab.reach.prover.proof import Part, Proof, Step
from slidelab.reach.prover.regions import Placement, bounds_of, peel_corners, triangle_classes

__all__ = ["find_proof", "prove_board"]

MAX_LEVEL = 10
"""Largest number of holes with which patches are computed; more holes follow from fewer."""

MAX_COMPUTED_CELLS = 12
"""Cells of a board that is computed as a whole, whatever its form."""

MAX_WHOLE_CELLS, MAX_WHOLE_SHAPES = 40, 200_000
"""Cells of a board that is computed as a whole if no patches cover it, and its sets of holes: a second."""

HERE = Placement(0, (0, 0))


def prove_board(puzzle: PuzzleLike, *, budget: Budget | None = None) -> Proof:
    """Return a proof of what can be reached with hexagonal tiles on a board of any size, once it is checked.

    Raises
    ------
    TooLarge
        If no proof is found; the message says what is missing.

    Examples
    --------
    >>> prove_board("hex P(3,5) hextiles 4").conclusion()
    'hex P(3,5) hextiles 4: one component'
    """
    asked = make_puzzle(puzzle)
    found = find_proof(asked.uncoloured, budget)
    if isinstance(found, str):
        raise TooLarge(f"no proof was found for {quoted(asked.text)}: {found}")
    try:
        found.check()
    except Refused as problem:
        raise TooLarge(f"no proof was found for {quoted(asked.text)}: {problem}") from None
    return found


def find_proof(puzzle: Puzzle, budget: Budget | None = None) -> Proof | str:
    """Return a proof, or why none was found; proofs are kept."""
    # The limit on shapes is for the board that is asked about; its patches are small, however large it is.
    patches = replace(budget or Budget(), max_shapes=MAX_SHAPES)
    return _find(puzzle, CacheNeutral(patches))


@lru_cache(maxsize=16)
def _find(puzzle: Puzzle, wrapped: CacheNeutral[Budget | None]) -> Proof | str:
    budget = wrapped.value
    board, holes = puzzle.board, puzzle.hole_count
    if not puzzle.rule.needs_companion or board.kind != "hex":
        return "only hexagonal tiles on boards of hexagons are patched"
    problem = _why_not_joined(board.cells)
    if problem:
        return problem
    if holes == 2:
        return _two_holes(puzzle, budget)
    if board.size <= MAX_COMPUTED_CELLS:
        alone = Builder(holes, budget)
        if (piece := alone.listed(board.cells)) is not None:
            return _pruned(puzzle, alone.steps, piece[0])
    for level in range(3, min(holes, MAX_LEVEL) + 1):
        builder = Builder(level, budget)
        last = _covered(board.cells, builder)
        if isinstance(last, Part):
            if level < holes:
                last = Part(builder.add(Step("more holes", board.cells, holes, ALL, (last,))), HERE)
            return _pruned(puzzle, builder.steps, last)
        problem = problem or last
    if strip_order(puzzle) is not None:
        problem = f"on two rows tiles never pass each other ({strip_theorem(board)})"
    return problem


def _covered(cells: Sequence[Cell], builder: Builder) -> Part | str:
    """Return the step that proves a board by patches or, if it is small, as a whole; or why there is none."""
    last = cover(frozenset(cells), builder)
    size = len(cells)
    if isinstance(last, str) and size <= MAX_WHOLE_CELLS and comb(size, builder.holes) <= MAX_WHOLE_SHAPES:
        piece = builder.listed(cells)
        return last if piece is None else piece[0]
    return last


def _why_not_joined(cells: Sequence[Cell]) -> str:
    """Return why joined triangles do not cover the board, or an empty text if they do."""
    region = bounds_of(cells)
    if region.size == len(cells) and min(region.widths) > 1:
        return ""  # a convex board
    classes = triangle_classes(cells)
    if not classes or len(classes[0]) < len(cells):
        return "the board is not covered by triangles that are joined through common edges"
    if len(classes) > 1:
        return f"the triangles of the board fall into {len(classes)} sets without a common edge"
    return ""


def _two_holes(puzzle: Puzzle, budget: Budget | None) -> Proof | str:
    builder = Builder(2, budget)
    corners, core = peel_corners(puzzle.board.cells)
    last: Part | str
    if len(core) == 3:
        piece = builder.listed(core)
        last = piece[0] if piece is not None else "the board has no tiles"
    else:
        last = _covered(sorted(core), builder)
    if isinstance(last, Part) and corners:
        step = Step("tight corners", puzzle.board.cells, 2, CORNERS, (last,), corners=tuple(corners))
        last = Part(builder.add(step), HERE)
    return last if isinstance(last, str) else _pruned(puzzle, builder.steps, last)


def _pruned(puzzle: Puzzle, steps: list[Step], root: Part) -> Proof:
    """Return the proof without steps that the last one does not need."""
    needed = {root.step}
    for number in range(len(steps) - 1, -1, -1):
        if number in needed:
            needed.update(part.step for part in steps[number].parts)
    new = {number: place for place, number in enumerate(sorted(needed))}
    kept = tuple(
        replace(
            steps[number], parts=tuple(replace(part, step=new[part.step]) for part in steps[number].parts)
        )
        for number in sorted(needed)
    )
    return Proof(puzzle, kept, replace(root, step=new[root.step]))
