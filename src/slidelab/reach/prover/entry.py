"""The function `slidelab.prove`."""

from __future__ import annotations

from slidelab.budget import Budget, ProgressCallback
from slidelab.errors import NotationError
from slidelab.puzzles import PuzzleLike
from slidelab.puzzles import puzzle as read_puzzle
from slidelab.reach.prover.families import FamilyProof, prove_family
from slidelab.reach.prover.proof import Proof
from slidelab.reach.prover.search import prove_board
from slidelab.reach.prover.statements import is_statement

__all__ = ["prove"]


def prove(
    puzzle: PuzzleLike,
    rule: str | None = None,
    holes: int | None = None,
    *,
    time: float | None = None,
    progress: ProgressCallback | None = None,
) -> Proof | FamilyProof:
    """Prove what can be reached on a board of hexagons, however large it is.

    Parameters
    ----------
    puzzle
        A puzzle with hexagonal tiles, or a board.
    rule, holes
        Used instead of what `puzzle` says; a statement about a family has both itself.
    time
        Time limit in seconds.
    progress
        Called with a phase and the number of steps so far.

    Returns
    -------
    Proof
        Prints as a tree; `Proof.check` verifies it without the code that found it.

    Raises
    ------
    NotationError
        If a statement cannot be read, or has a rule or a number of holes beside it.
    Refuted
        If a statement is false.
    TooLarge
        If no proof is found. The message says what is missing.

    References
    ----------
    .. [1] R. Karpman, E. Roldan, "Parity property of hexagonal sliding puzzles", Theorems 3.1 and 4.4.

    Examples
    --------
    >>> print(prove("hex P(4,5)"))
    hex P(4,5) hextiles 2: 612 components
    [2] P(4,5), 2 holes: stuck corners; 2 tight corners keep their tiles (Lemmas 4.1 and 4.3)
    `- [1] Ptr(4,5), 2 holes: even permutations; [0] + [0], overlap 6 >= 3 (Theorem 4.4)
       `- [0] Ttr(5), 2 holes: even permutations; computed, Alt(10) on 10 tiles by 3 loops
    """
    if isinstance(puzzle, str) and is_statement(puzzle):
        if rule is not None or holes is not None:
            given = "rule" if rule is not None else "number of holes"
            raise NotationError(f"expected the {given} in the statement itself, got it also as an option")
        return prove_family(puzzle, budget=Budget.of(time, progress=progress))
    return prove_board(read_puzzle(puzzle, rule, holes), budget=Budget.of(time, progress=progress))
