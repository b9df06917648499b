"""Summaries of the atlas of gourds: how many boards are solvable, why not, and how often rules are right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from slidelab.atlas.conditions import SOLVABLE, Features
from slidelab.atlas.results import Entry

__all__ = ["RULES", "RuleCheck", "Summary", "summarize"]

RULES: dict[str, Callable[[Features], bool]] = {
    "a hole-free Hamiltonian cycle, or a station": lambda f: f.hole_free_cycle or f.station,
    "a Hamiltonian cycle": lambda f: f.hamiltonian,
    "every cell can be empty": lambda f: not f.never_empty,
    "... and a gourd can pivot": lambda f: not f.never_empty and f.pivots,
    "... and not a necklace": lambda f: not f.never_empty and f.pivots and not f.necklace,
    "... and an even ring (the conjecture)": lambda f: f.verdict == SOLVABLE,
}
"""Rules for 'solvable', from the papers' to the conjecture of `docs/atlas-gourds.md`."""


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """How often a rule is right, and the first board about which it is wrong."""

    rule: str
    right: int
    wrong: int
    first_wrong: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over many entries.

    Attributes
    ----------
    boards, solvable : int
        Numbers of boards.
    reasons : tuple of (str, str, int)
        The verdict of the conjecture, the group, and the number of such boards, most frequent first.
    rules : tuple of RuleCheck
    """

    boards: int
    solvable: int
    reasons: tuple[tuple[str, str, int], ...]
    rules: tuple[RuleCheck, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return {
            "boards": self.boards,
            "solvable": self.solvable,
            "reasons": [
                {"reason": reason, "group": group, "boards": count} for reason, group, count in self.reasons
            ],
            "rules": [asdict(rule) for rule in self.rules],
        }


def summarize(found: Iterable[Entry]) -> Summary:
    """Count boards, reasons and groups, and how often each rule is right, reading the entries once.

    Parameters
    ----------
    found
        Entries, of which none is kept.

    Examples
    --------
    >>> from slidelab.atlas import entries
    >>> s = summarize(entries(9))
    >>> s.boards, s.solvable, s.rules[-1].wrong
    (13, 7, 0)
    """
    boards = solvable = 0
    reasons: Counter[tuple[str, str]] = Counter()
    wrong: Counter[str] = Counter()
    first: dict[str, str] = {}
    for each in found:
        boards += 1
        solvable += each.solvable
        reasons[each.features.verdict, each.group] += 1
        for name, rule in RULES.items():
            if rule(each.features) != each.solvable:
                wrong[name] += 1
                first.setdefault(name, each.board)
    return Summary(
        boards,
        solvable,
        tuple((*key, count) for key, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        tuple(RuleCheck(name, boards - wrong[name], wrong[name], first.get(name)) for name in RULES),
    )
