"""Statements about families of boards, as the checker reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slidelab.reach.proof_check.linear import Form, add, read_form, scale
from slidelab.reach.proof_check.refusal import Refused, items, need, number, part

__all__ = ["COORDINATES", "Claim", "Region", "constant", "least_sizes", "read_claim", "regions"]

COORDINATES = ("q", "r")

Region = list[Form]
"""Forms in the sizes and q, r that are not negative on the cells."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement, read."""

    text: str
    kind: str
    name: str
    arguments: tuple[Form, ...]
    rule: str
    holes: int | str
    names: tuple[str, ...]
    conditions: tuple[Form, ...]
    claim: str

    @property
    def even(self) -> bool:
        """Whether only even permutations are to be expected."""
        return self.holes == (2 if self.rule == "hextiles" else 1)


def constant(n: int) -> Form:
    """Return a number as a form."""
    return {"": n} if n else {}


def _between(coordinate: Form, low: Form | None, high: Form | None) -> Region:
    found = []
    if low is not None:
        found.append(add(coordinate, scale(low, -1)))
    if high is not None:
        found.append(add(high, scale(coordinate, -1)))
    return found


def regions(kind: str, name: str, a: Sequence[Form]) -> list[Region]:
    """Return the convex pieces of a family member, each as conditions on q and r."""
    q, r = {"q": 1}, {"r": 1}
    s = {"q": 1, "r": 1}
    zero, one = constant(0), constant(1)

    def less(form: Form, n: int) -> Form:
        return add(form, constant(-n))

    def box(m: Form, n: Form) -> Region:
        return _between(q, zero, less(m, 1)) + _between(r, zero, less(n, 1))

    key = kind, name, len(a)
    if key in (("hex", "P", 2), ("square", "R", 2)):
        return [box(a[0], a[1])]
    if key == ("hex", "Ptr", 2):
        return [box(a[0], a[1]) + _between(s, one, less(add(a[0], a[1]), 3))]
    if key == ("hex", "convex", 4):
        return [box(a[0], a[1]) + _between(s, a[2], less(add(add(a[0], a[1]), scale(a[3], -1)), 2))]
    if key == ("hex", "T", 1):
        low = add(scale(a[0], -1), one)
        return [_between(q, low, zero) + _between(r, zero, less(a[0], 1)) + _between(s, zero, less(a[0], 1))]
    if key == ("hex", "Ttr", 1):
        low = add(scale(a[0], -1), constant(2))
        return [_between(q, low, zero) + _between(r, one, less(a[0], 1)) + _between(s, zero, less(a[0], 2))]
    if key == ("hex", "trapezoid", 2):
        low, high = add(scale(a[1], -1), one), add(a[0], scale(a[1], -1))
        return [_between(q, low, high) + _between(r, zero, less(a[1], 1)) + _between(s, zero, less(a[0], 1))]
    if key in (("hex", "F", 1), ("hex", "ring", 2)):
        low, high = add(scale(a[0], -1), one), less(a[0], 1)
        if name == "F":
            return [[form for c in (q, r, s) for form in _between(c, low, high)]]
        inner = add(a[0], scale(a[1], -1))
        pieces = []
        for place in range(6):
            piece: Region = []
            for number_, c in enumerate((q, r, s)):
                ends = [low, high]
                if place // 2 == number_:
                    ends[place % 2] = inner if place % 2 == 0 else scale(inner, -1)
                piece += _between(c, ends[0], ends[1])
            pieces.append(piece)
        return pieces
    raise Refused(f"unknown family {kind} {name[:20]} of {len(a)} sizes")


def least_sizes(name: str, a: Sequence[Form]) -> list[Form]:
    """Return forms that are not negative where the sizes of a family are those of a board of that name."""

    def least(form: Form, n: int) -> Form:
        return add(form, constant(-n))

    def more(larger: Form, smaller: Form, by: int) -> Form:
        return least(add(larger, scale(smaller, -1)), by)

    if name == "trapezoid":
        return [least(a[1], 1), more(a[0], a[1], 0)]
    if name == "ring":
        return [least(a[1], 1), more(a[0], a[1], 1)]
    if name == "convex":
        cuts = [least(cut, 0) for cut in a[2:]]
        return [least(a[0], 1), least(a[1], 1), *cuts, *(more(n, cut, 1) for n in a[:2] for cut in a[2:])]
    return [least(form, {"Ptr": 2, "Ttr": 3}.get(name, 1)) for form in a]


def read_claim(form: Any) -> Claim:
    """Return a statement; refuse what is none."""
    family = part(form, "family")
    names = items(part(form, "sizes"))
    need(len({str(n) for n in names}) == len(names), "a size is listed twice")
    need(all(isinstance(n, str) and n.isalpha() and n not in COORDINATES for n in names), "a size is no name")
    kind, name, rule = part(family, "kind"), part(family, "name"), part(form, "rule")
    need(all(isinstance(word, str) for word in (kind, name, rule)), "expected words")
    arguments = tuple(read_form(each, names) for each in items(part(family, "arguments")))
    holes = part(form, "holes")
    if isinstance(holes, str):
        need(holes in names, "the number of holes is no size")
    else:
        number(holes, 1)
    conditions = tuple(read_form(each, names) for each in items(part(form, "conditions")))
    need((kind, rule) in (("hex", "hextiles"), ("hex", "gourds"), ("square", "tiles")), "unknown rule")
    claim = part(form, "claim")
    need(isinstance(claim, str), "expected a claim")
    regions(kind, name, arguments)
    made = Claim("", kind, name, arguments, rule, holes, tuple(names), conditions, claim)
    return Claim(_text(made), kind, name, arguments, rule, holes, tuple(names), conditions, claim)


def _text(claim: Claim) -> str:
    """Return a statement in words, from what was read and not from what the file says."""

    def form_text(form: Form) -> str:
        words = []
        for name in sorted(form, key=lambda n: (n == "", n)):
            size = "" if name and abs(form[name]) == 1 else str(abs(form[name]))
            words.append(("-" if form[name] < 0 else "+") + size + name)
        return "".join(words).lstrip("+") or "0"

    def condition_text(form: Form) -> str:
        left = {n: c for n, c in form.items() if c > 0}
        right = {n: -c for n, c in form.items() if c < 0}
        return f"{form_text(left)} >= {form_text(right)}"

    sizes = ",".join(map(form_text, claim.arguments))
    where = ", ".join(map(condition_text, claim.conditions))
    return f"{claim.kind} {claim.name}({sizes}) {claim.rule} {claim.holes} for {where}: {claim.claim}"
