"""The one entry of the checker: a proof of one board, or of a family."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slidelab.messages import counted
from slidelab.puzzles import puzzle
from slidelab.reach.proof_check.concrete import check_concrete
from slidelab.reach.proof_check.families import check_family
from slidelab.reach.proof_check.refusal import Refused, need, part

__all__ = ["check_proof"]


def check_proof(form: Any) -> str:
    """Return what a proof proves, as a sentence.

    Parameters
    ----------
    form
        The JSON form of a proof, as `slidelab prove --json` prints it.

    Raises
    ------
    Refused
        If a step does not hold, or `form` is no proof. The message is one line.

    Examples
    --------
    >>> import slidelab as sl
    >>> form = sl.prove("hex Ptr(3,4)").to_json()
    >>> check_proof(form)
    'hex Ptr(3,4) hextiles 2: 2 components'
    >>> check_proof({**form, "components": 1})
    Traceback (most recent call last):
    slidelab.reach.proof_check.refusal.Refused: 2 components are proved, not 1
    """
    try:
        if not isinstance(form, Mapping):
            raise Refused(f"expected a proof, got {type(form).__name__}")
        if "puzzle" in form:
            proved = check_concrete(form)
            named = puzzle(part(form, "text"), files=False)
            same = named.rule.needs_companion and named.board.kind == "hex"
            same = same and named.colours is None
            same = same and (frozenset(named.board.cells), named.hole_count) == (proved.cells, proved.holes)
            need(same, "the text names another puzzle")
            return f"{named.text}: {counted(proved.components, 'component')}"
        if "statement" in form:
            return check_family(form).text
        raise Refused("expected a proof with 'puzzle' or 'statement'")
    except (LookupError, TypeError, ValueError, ArithmeticError, RecursionError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused(f"the proof has the wrong form: {str(error)[:100]}") from None
