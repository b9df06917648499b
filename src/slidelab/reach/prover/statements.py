"""Statements about families of boards: ``hex P(m,n) 3 for m,n >= 3: one component``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from slidelab.boards.lattice import Cell
from slidelab.errors import NotationError
from slidelab.messages import did_you_mean, quoted
from slidelab.reach.proof_check.formulas import parse_polynomial
from slidelab.reach.proof_check.refusal import Refused
from slidelab.reach.prover.linear import Linear, satisfied, variable

__all__ = ["Family", "Region", "Statement", "is_statement", "parse_statement", "smallest_sizes"]

STATEMENT = re.compile(
    r"\s*(?P<kind>hex|square)\s+(?P<name>[A-Za-z]+)\s*\((?P<arguments>[^()]*)\)"
    r"\s*(?P<rule>hextiles|tiles|gourds)?\s*(?P<holes>[0-9]+|[a-z])?"
    r"\s+for\s+(?P<conditions>[^:]*):\s*(?P<claim>.+?)\s*"
)
CLAIM_WORDS = re.compile(r":.*\b(components?|parity|connection number \d+)\s*$")
"""How a claim ends, after a colon; no position ends so."""

TERM = re.compile(r"\s*([+-]?)\s*([0-9]*)\s*\*?\s*([a-z]?)\s*")
COMPARISON = re.compile(r"(.+?)(>=|<=|=|>|<)(.+)")
CLAIMS = ("one component", "two components", "strong parity", "weak parity", "connection number 3")
"""Claims in words; the others are a formula and ``components``."""

MAX_STATEMENT_CHARACTERS = 1000
"""Length of a statement; longer ones are refused before they are parsed."""


@dataclass(frozen=True, slots=True)
class Region:
    """A convex set of cells with symbolic bounds: q, r and s = q + r (squares: x and y only)."""

    bounds: tuple[Linear | None, ...]
    """Lower and upper bounds of q, r and s in turn; None where there is none."""

    def conditions(self) -> list[Linear]:
        """Return the forms in the sizes and q, r that must not be negative.

        >>> [str(form) for form in Region((Linear(), variable("m"), None, None, None, None)).conditions()]
        ['q', 'm - q']
        """
        q, r = variable("q"), variable("r")
        found = []
        for place, bound in enumerate(self.bounds):
            if bound is not None:
                coordinate = (q, r, q + r)[place // 2]
                found.append(coordinate - bound if place % 2 == 0 else bound - coordinate)
        return found

    def shifted(self, dq: Linear, dr: Linear) -> Region:
        """Return the region shifted by a vector."""
        moves = dq, dr, dq + dr
        moved = [None if b is None else b + moves[place // 2] for place, b in enumerate(self.bounds)]
        return Region(tuple(moved))

    def put(self, values: Mapping[str, Linear]) -> Region:
        """Return the region with other forms put for its sizes."""
        return Region(tuple(None if bound is None else bound.put(values) for bound in self.bounds))

    def cells(self, values: Mapping[str, int]) -> frozenset[Cell]:
        """Return the cells for given sizes."""
        q0, q1, r0, r1, s0, s1 = (None if b is None else b.at(values) for b in self.bounds)
        assert q0 is not None
        assert q1 is not None
        assert r0 is not None
        assert r1 is not None
        return frozenset(
            (q, r)
            for r in range(r0, r1 + 1)
            for q in range(q0, q1 + 1)
            if (s0 is None or s0 <= q + r) and (s1 is None or q + r <= s1)
        )


def _regions(name: str, a: tuple[Linear, ...]) -> tuple[Region, ...]:
    """Return the convex pieces of a family member."""
    zero = Linear()
    match name, a:
        case "P", (m, n):
            return (Region((zero, m - 1, zero, n - 1, None, None)),)
        case "Ptr", (m, n):
            return (Region((zero, m - 1, zero, n - 1, zero + 1, m + n - 3)),)
        case "convex", (m, n, first, last):
            return (Region((zero, m - 1, zero, n - 1, first, m + n - 2 - last)),)
        case "T", (m,):
            return (Region((-m + 1, zero, zero, m - 1, zero, m - 1)),)
        case "Ttr", (m,):
            return (Region((-m + 2, zero, zero + 1, m - 1, zero, m - 2)),)
        case "F", (m,):
            return (Region((-m + 1, m - 1, -m + 1, m - 1, -m + 1, m - 1)),)
        case "trapezoid", (m, n):
            return (Region((-n + 1, m - n, zero, n - 1, zero, m - 1)),)
        case "ring", (m, k):
            pieces = []
            for place in range(6):
                bounds: list[Linear | None] = [-m + 1, m - 1, -m + 1, m - 1, -m + 1, m - 1]
                bounds[place] = m - k if place % 2 == 0 else k - m
                pieces.append(Region(tuple(bounds)))
            return tuple(pieces)
        case "R", (m, n):
            return (Region((zero, m - 1, zero, n - 1, None, None)),)
    raise NotationError(f"expected a family such as P(m,n), T(m), F(m) or ring(m,k), got {name!r:.40}")


FAMILIES = {"hex": ("P", "T", "F", "Ptr", "Ttr", "trapezoid", "convex", "ring"), "square": ("R",)}


@dataclass(frozen=True, slots=True)
class Family:
    """Boards with symbolic sizes: ``hex P(m,n)``."""

    kind: str
    name: str
    arguments: tuple[Linear, ...]

    @property
    def regions(self) -> tuple[Region, ...]:
        """The convex pieces, whose union the board is."""
        return _regions(self.name, self.arguments)

    @property
    def least_sizes(self) -> list[Linear]:
        """Forms that are not negative where the sizes are those of a board of this name."""
        a = self.arguments
        match self.name, a:
            case "trapezoid", (base, rows):
                return [rows - 1, base - rows]
            case "ring", (side, width):
                return [width - 1, side - width - 1]
            case "convex", (m, n, first, last):
                rest = [size - cut - 1 for size in (m, n) for cut in (first, last)]
                return [m - 1, n - 1, first, last, *rest]
        return [form - {"Ptr": 2, "Ttr": 3}.get(self.name, 1) for form in a]

    def put(self, values: Mapping[str, Linear]) -> Family:
        """Return the family with other forms put for its sizes."""
        return Family(self.kind, self.name, tuple(form.put(values) for form in self.arguments))

    def cells(self, values: Mapping[str, int]) -> frozenset[Cell]:
        """Return the cells for given sizes."""
        return frozenset().union(*(region.cells(values) for region in self.regions))

    def __str__(self) -> str:
        return f"{self.name}({','.join(str(form).replace(' ', '') for form in self.arguments)})"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "kind": self.kind,
            "name": self.name,
            "arguments": [form.to_json() for form in self.arguments],
        }


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim about all boards of a family whose sizes satisfy linear conditions."""

    family: Family
    rule: str
    holes: int | str
    """A number, or the name of the size that stands for it."""
    names: tuple[str, ...]
    conditions: tuple[Linear, ...]
    """Forms that must not be negative."""
    claim: str

    def __str__(self) -> str:
        where = ", ".join(f"{_sides(form)}" for form in self.conditions)
        return f"{self.family.kind} {self.family} {self.rule} {self.holes} for {where}: {self.claim}"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "text": str(self),
            "family": self.family.to_json(),
            "rule": self.rule,
            "holes": self.holes,
            "sizes": list(self.names),
            "conditions": [form.to_json() for form in self.conditions],
            "claim": self.claim,
        }


def _sides(form: Linear) -> str:
    """Return a condition as ``left >= right`` with positive coefficients.

    >>> _sides(variable("m") - variable("n") - 2), _sides(-variable("m") + 5)
    ('m >= n + 2', '5 >= m')
    """
    left = Linear(tuple((n, v) for n, v in form.terms if v > 0))
    right = Linear(tuple((n, -v) for n, v in form.terms if v < 0))
    return f"{left} >= {right}"


def is_statement(text: str) -> bool:
    """Return whether a text is a statement about a family rather than a puzzle.

    >>> is_statement("hex P(m,n) 3 for m,n >= 3: one component"), is_statement("hex P(3,4)")
    (True, False)
    >>> is_statement("hex P(m,n) 3: one component")  # without the conditions, which `parse_statement` says
    True
    """
    if not text.lstrip().startswith(("hex", "square")):
        return False
    return " for " in text or CLAIM_WORDS.search(text) is not None


def parse_statement(text: str) -> Statement:
    """Read a statement.

    Raises
    ------
    NotationError
        If a part cannot be read; the message says which.

    Examples
    --------
    >>> str(parse_statement("hex P(m,n) 3 for m, n >= 3: one component"))
    'hex P(m,n) hextiles 3 for m >= 3, n >= 3: one component'
    """
    if len(text) > MAX_STATEMENT_CHARACTERS:
        raise NotationError(f"expected a statement of at most {MAX_STATEMENT_CHARACTERS} characters")
    capital = re.search(r"[A-Z]", text.partition("(")[2].rpartition(":")[0])
    if capital is not None:
        raise NotationError(f"expected small letters for sizes, got {capital[0]!r} in {quoted(text)}")
    match = STATEMENT.fullmatch(text)
    if match is None:
        example = "hex P(m,n) 3 for m,n >= 3: one component"
        if " for " not in text:
            reason = "expected 'for' and conditions on the sizes before the colon"
            raise NotationError(f"{reason}, such as '{example}', got {quoted(text)}")
        raise NotationError(f"expected a statement such as '{example}', got {quoted(text)}")
    kind, name = match["kind"], match["name"]
    if name not in FAMILIES[kind]:
        raise NotationError(f"expected one of {', '.join(FAMILIES[kind])} after {kind}, got {name!r:.40}")
    family = Family(kind, name, tuple(_linear(part, text) for part in match["arguments"].split(",")))
    _ = family.regions  # the number of sizes
    rule = match["rule"] or ("hextiles" if kind == "hex" else "tiles")
    if kind == "square" and rule == "hextiles":
        raise NotationError(f"expected tiles on squares, where hextiles never move, in {quoted(text)}")
    held = match["holes"]
    holes: int | str = {"hextiles": 2, "tiles": 1, "gourds": 1}[rule] if held is None else held
    if isinstance(holes, str) and holes.isdecimal():
        holes = int(holes)
    conditions = _conditions(match["conditions"], text)
    forms = (*family.arguments, *conditions)
    names = sorted({each for form in forms for each, _ in form.terms} - {""})
    if {"q", "r", "s"} & set(names) & {"q", "r"}:
        raise NotationError(f"expected sizes other than q and r, which are coordinates, in {quoted(text)}")
    if isinstance(holes, str) and holes not in names:
        raise NotationError(f"expected a condition such as {holes} >= 3 in {quoted(text)}")
    claim = " ".join(match["claim"].split())
    _check_claim(claim, names)
    return Statement(family, rule, holes, tuple(names), conditions, claim)


def _check_claim(claim: str, names: Sequence[str]) -> None:
    """Refuse a claim that is neither one in words nor a formula that can be read.

    >>> _check_claim("(2m-1-h)! components", ["h", "m"])
    >>> _check_claim("one componnet", ["m"])
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a claim ..., got 'one componnet'; did you mean 'one component'?
    """
    if claim in CLAIMS or re.fullmatch(r"connection number [0-9]+", claim):
        return
    formula, _, noun = claim.rpartition(" ")
    problem = ""
    if noun in ("component", "components"):
        try:
            parse_polynomial(formula.removesuffix("!"), names)
        except Refused as error:
            problem = f": {error}"
        else:
            return
    known = f"{', '.join(CLAIMS)}, or a formula and components"
    end = did_you_mean(claim, CLAIMS) if formula.replace(" ", "").isalpha() else problem
    raise NotationError(f"expected a claim ({known}), got {quoted(claim)}{end}")


def _linear(part: str, text: str) -> Linear:
    """Read a linear form such as ``2m+n-1``."""
    found: dict[str, int] = {}
    place, source = 0, part.strip()
    while place < len(source):
        match = TERM.match(source, place)
        if match is None or match.end() == place or not (match[2] or match[3]) or (place and not match[1]):
            raise NotationError(f"expected a form such as 2m+n-1, got {part!r:.40} in {quoted(text)}")
        if len(match[2]) > 9:
            raise NotationError(f"expected numbers of at most 9 digits in {quoted(text)}")
        value = int(match[2] or 1) * (-1 if match[1] == "-" else 1)
        found[match[3]] = found.get(match[3], 0) + value
        place = match.end()
    if not source:
        raise NotationError(f"expected a form such as 2m+n-1, got nothing in {quoted(text)}")
    return Linear.of(found)


def _conditions(listed: str, text: str) -> tuple[Linear, ...]:
    """Read conditions: ``m,n >= 3, m+n >= 7``. Names without a comparison share the next one."""
    found: list[Linear] = []
    waiting: list[Linear] = []
    for part in re.split(r",|\band\b", listed):
        match = COMPARISON.fullmatch(part.strip())
        if match is None:
            waiting.append(_linear(part, text))
            continue
        left, sign, right = _linear(match[1], text), match[2], _linear(match[3], text)
        for form in (*waiting, left):
            difference = form - right
            if sign in (">=", "=", ">"):
                found.append(difference - (1 if sign == ">" else 0))
            if sign in ("<=", "=", "<"):
                found.append(-difference - (1 if sign == "<" else 0))
        waiting = []
    if waiting or not found:
        raise NotationError(f"expected conditions such as m,n >= 3, got {listed!r:.60} in {quoted(text)}")
    return tuple(found)


def smallest_sizes(statement: Statement, count: int = 25) -> list[dict[str, int]]:
    """Return the smallest sizes that satisfy the conditions of a statement, at most `count`.

    >>> smallest_sizes(parse_statement("hex P(m,n) 3 for m,n >= 3: one component"), 2)
    [{'m': 3, 'n': 3}, {'m': 3, 'n': 4}]
    """
    points = (
        dict(zip(statement.names, values, strict=True))
        for values in product(range(9), repeat=len(statement.names))
    )
    found = [point for point in points if satisfied(statement.conditions, point)]
    return sorted(found, key=lambda point: sum(point.values()))[:count]
