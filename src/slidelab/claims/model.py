"""What a claim of a paper is, and how its verdict is found.

A claim is a row of data with a function that computes. The function says whether the statement is true as it
is printed and, if it is not, whether the corrected one is; the verdict follows from that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from slidelab.budget import Budget

__all__ = ["Claim", "Found", "Paper", "Result", "Scope", "Verdict", "verdict_of"]

Verdict = Literal["holds", "holds up to", "corrected", "refuted", "open"]
"""``holds``: computed completely, or proved for all sizes by proofs that are checked. ``holds up to``: a
statement about infinitely many boards, computed up to a size. ``corrected``: false as printed, true with the
correction that the note states. ``refuted``: false, with a counterexample. ``open``: what is computed here
does not decide it, as with lower bounds on complexity."""


@dataclass(frozen=True, slots=True)
class Scope:
    """How far a check goes, and the time and memory it may take.

    Examples
    --------
    >>> Scope().up_to(5, 9), Scope(full=True).up_to(5, 9)
    (5, 9)
    """

    full: bool = False
    budget: Budget = field(default_factory=Budget)

    def up_to(self, quick: int, full: int) -> int:
        """Return the size to go to: `quick` in the test suite, `full` with ``claims --run``."""
        return full if self.full else quick

    def check(self) -> None:
        """Raise `OutOfTime` once the deadline has passed; called between boards."""
        self.budget.check("claim")


@dataclass(frozen=True, slots=True)
class Found:
    """What a check has computed.

    Attributes
    ----------
    printed
        Whether the statement holds as printed; None if the computation does not decide it.
    corrected
        Whether the corrected statement holds; None if there is none.
    up_to
        The size up to which a general statement was checked; empty if it was checked completely.
    note
        What was found, in a few words: the correction, the counterexample, numbers.
    """

    printed: bool | None
    corrected: bool | None = None
    up_to: str = ""
    note: str = ""


def verdict_of(found: Found) -> Verdict:
    """Return the verdict that follows from what was computed.

    Examples
    --------
    >>> verdict_of(Found(True)), verdict_of(Found(True, up_to="12 cells")), verdict_of(Found(False, True))
    ('holds', 'holds up to', 'corrected')
    """
    if found.printed is None:
        return "open"
    if found.printed:
        return "holds up to" if found.up_to else "holds"
    return "corrected" if found.corrected else "refuted"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper.

    Attributes
    ----------
    name
        The name within its paper, as given to ``slidelab claims``: ``1.1``, ``table-3``.
    place
        Where the paper has it.
    says
        What it says, in one line.
    verdict
        The verdict on record, with which the computed one is compared.
    check
        Computes the verdict.
    command
        A command that shows it; empty if only ``slidelab claims --run`` does.
    quick
        Whether it can be checked in a few seconds, if only on small boards.
    """

    name: str
    place: str
    says: str
    verdict: Verdict
    check: Callable[[Scope], Found]
    command: str = ""
    quick: bool = True


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper and its claims, in the order of its pages."""

    name: str
    title: str
    claims: tuple[Claim, ...]

    def command(self, claim: Claim) -> str:
        """Return the command that checks a claim of this paper."""
        return claim.command or f"slidelab claims {self.name}:{claim.name} --run"


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one check."""

    paper: str
    claim: Claim
    found: Found
    seconds: float
    command: str

    @property
    def verdict(self) -> Verdict:
        """The computed verdict."""
        return verdict_of(self.found)

    @property
    def agrees(self) -> bool:
        """Whether the computed verdict is the one on record."""
        return self.verdict == self.claim.verdict

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: the claim, both verdicts, size, note and time."""
        return {
            "paper": self.paper,
            "claim": self.claim.name,
            "place": self.claim.place,
            "says": self.claim.says,
            "verdict": self.verdict,
            "on_record": self.claim.verdict,
            "up_to": self.found.up_to or None,
            "note": self.found.note or None,
            "command": self.command,
            "seconds": round(self.seconds, 3),
        }
