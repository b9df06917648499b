"""The command `permutation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from slidelab.cli.arguments import GoalArguments, read_words, with_start
from slidelab.cli.batch import in_batch
from slidelab.cli.options import DEFAULT_LIMITS, Json, Limits, Seed, flag
from slidelab.cli.output import DONE, NO, print_json
from slidelab.cli.tables import prints_tables
from slidelab.errors import NotationError, TooLarge

if TYPE_CHECKING:
    from slidelab.reach.factorisation import Factorisation
    from slidelab.reach.numbering import Numbering
    from slidelab.rules import Cells

NONE = "no permutation: no moves bring the holes of the start to those of the goal"


@prints_tables
def permutation(
    question: GoalArguments,
    *,
    seed: Seed = None,
    numbering: Annotated[
        str | None,
        Parameter(
            help="numbers of places: reading (from 1 in reading order), snake (from 1 along a snake, as in "
            "the LSU slides) or cells (from 0)"
        ),
    ] = None,
    at: Annotated[
        str | None, Parameter(name="--at", help="cells to which the holes go first (default: the goal's)")
    ] = None,
    moves: Annotated[bool, flag("print the moves that carry out the factorisation")] = False,
    limits: Limits = DEFAULT_LIMITS,
    json: Json = False,
) -> int:
    """Print the permutation that the pieces need: cycles, transpositions, sign, generators.

    Exit code 1 if no moves bring the holes of the start to those of the goal.
    """
    from slidelab.reach.numbering import cell_numbers
    from slidelab.reach.permutation_report import permutation_line, permutation_text
    from slidelab.reach.required_permutation import required_permutation

    document = question.read()
    named: Numbering | None = numbering  # type: ignore[assignment]
    cell_numbers(document.puzzle.board, named)  # checks the name
    factors: Factorisation | str | None
    with limits.budget() as budget:
        document, start = with_start(document, seed, budget)
        goal = document.puzzle.goal if document.goal is None else document.goal
        required = required_permutation(start, goal, holes=_cells(at), budget=budget)
        if required is None:
            if json:
                print_json({"permutation": None, "reason": NONE})
            else:
                print(NONE)
            return NO
        try:
            factors = required.factor(budget=budget)
        except TooLarge as error:
            factors = f"not found: {error}"
    if json:
        found = factors if factors is None or isinstance(factors, str) else factors.to_json(named)
        value = {"puzzle": document.puzzle.to_json(), **required.to_json(named)}
        print_json({**value, "factorisation": found})
    elif in_batch():
        print(f"{start.text}: {permutation_line(required)}")
    else:
        print(permutation_text(required, factors, named))
        if moves and factors is not None and not isinstance(factors, str):
            print("\n" + " ".join(factors.moves.texts()))
    return DONE


def _cells(at: str | None) -> Cells | None:
    """Return the cells of the option --at."""
    if at is None:
        return None
    words = read_words(at.replace(",", " "), "--at")
    if not all(word.isdecimal() for word in words):
        raise NotationError(f"expected cells such as 15, or 8,15 for two holes, got {at!r:.60} - at --at")
    return tuple(map(int, words))
