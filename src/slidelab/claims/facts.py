"""What the checks of several papers compute: facts about puzzles, each computed once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from slidelab.boards import Board, polyhexes
from slidelab.claims.model import Found
from slidelab.distance.gods_number import GodsNumber, gods_number
from slidelab.errors import TooLarge
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.analysis import Analysis, analyze
from slidelab.reach.plain_search import neighbours
from slidelab.reach.proof_check.entry import check_proof
from slidelab.reach.prover.families import prove_family
from slidelab.rules import rule

__all__ = [
    "analysis",
    "component",
    "connects",
    "god",
    "hex_boards",
    "hextiles",
    "is_connected_by",
    "proved_for_all_sizes",
]


@lru_cache(maxsize=4096)
def _analysis(puzzle: Puzzle) -> Analysis:
    found = analyze(puzzle, connection=False)
    if found.too_large is not None:  # which would be the claim itself
        raise TooLarge(f"{puzzle.text} is too large to be computed")
    return found


def analysis(puzzle: str | Puzzle) -> Analysis:
    """Return the analysis of a puzzle, computed once.

    Examples
    --------
    >>> analysis("hex F(2)").components
    24
    """
    return _analysis(as_puzzle(puzzle))


@lru_cache(maxsize=64)
def god(text: str) -> GodsNumber:
    """Return God's number of a puzzle, with its searches, computed once."""
    return gods_number(as_puzzle(text))


def hextiles(board: Board, holes: int) -> Puzzle:
    """Return the puzzle with hexagonal tiles."""
    return Puzzle(board, rule("hextiles"), holes)


@lru_cache(maxsize=16)
def _hex_boards(size: int) -> tuple[Board, ...]:
    return tuple(polyhexes(size))


def hex_boards(least: int, most: int) -> Iterator[Board]:
    """Yield all hexagonal boards with so many cells, up to symmetry."""
    for size in range(least, most + 1):
        yield from _hex_boards(size)


def connects(puzzle: Puzzle) -> bool | None:
    """Return whether all configurations that can move are one component; None if nothing can move.

    Examples
    --------
    >>> import slidelab as sl
    >>> connects(sl.puzzle("hex P(3,3) hextiles 3")), connects(sl.puzzle("hex P(3,1)"))
    (True, None)
    """
    found = _analysis(puzzle)
    return found.maximally_connected if found.components else None


def is_connected_by(puzzle: Puzzle) -> bool:
    """Return whether the shapes that can move are connected with each other."""
    return len(gain_graph(puzzle).families()) <= 1


def component(start: Configuration) -> set[tuple[tuple[int, ...], ...]]:
    """Return all configurations that can be reached, by plain search over the moves of the rule.

    Examples
    --------
    >>> import slidelab as sl
    >>> len(component(sl.puzzle("square R(2,2)").goal))
    12
    """
    seen, queue = {start.pieces}, [start.pieces]
    for pieces in queue:
        for k, after in neighbours(start.puzzle, pieces):
            reached = (*pieces[:k], after, *pieces[k + 1 :])
            if reached not in seen:
                seen.add(reached)
                queue.append(reached)
    return seen


@lru_cache(maxsize=64)
def _checked(statement: str) -> str:
    return check_proof(prove_family(statement).to_json())


def proved_for_all_sizes(found: Found, *statements: str) -> Found:
    """Return that a claim holds for all sizes if it holds up to one: by proofs, which are checked.

    Examples
    --------
    >>> found = Found(True, up_to="P(4,4)")
    >>> proved_for_all_sizes(found, "hex P(m,n) 3 for m,n >= 3: one component").note
    "proved for all sizes (slidelab prove 'hex P(m,n) 3 for m,n >= 3: one component'); computed up to P(4,4)"
    """
    if not found.printed:
        return found
    for statement in statements:
        _checked(statement)
    listed = ", ".join(f"'{statement}'" for statement in statements)
    return Found(True, note=f"proved for all sizes (slidelab prove {listed}); computed up to {found.up_to}")
