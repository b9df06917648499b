"""Numbers of components as formulas in the sizes: polynomials, binomial coefficients and one factorial."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from slidelab.reach.proof_check.linear import Form
from slidelab.reach.proof_check.refusal import Refused, need

__all__ = ["Polynomial", "check_corner_formula", "check_factorial_formula", "parse_polynomial"]

Polynomial = dict[tuple[tuple[str, int], ...], Fraction]
"""Coefficients by monomial: sorted pairs of a size and its exponent."""

TOKEN = re.compile(r"\s*([0-9]+|[a-z]+|[-+*/(),!])")
MAX_DEGREE = 24
MAX_TOKENS = 200
MAX_TERMS = 5_000


def _sum(a: Polynomial, b: Polynomial, sign: int = 1) -> Polynomial:
    found = dict(a)
    for monomial, coefficient in b.items():
        found[monomial] = found.get(monomial, Fraction(0)) + sign * coefficient
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def _product(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for first, x in a.items():
        for second, y in b.items():
            exponents = dict(first)
            for name, power in second:
                exponents[name] = exponents.get(name, 0) + power
            need(sum(exponents.values()) <= MAX_DEGREE, "a formula has too large a degree")
            monomial = tuple(sorted(exponents.items()))
            found[monomial] = found.get(monomial, Fraction(0)) + x * y
        need(len(found) <= MAX_TERMS, "a formula has too many terms")
    return {monomial: coefficient for monomial, coefficient in found.items() if coefficient}


def _number(n: int) -> Polynomial:
    return {(): Fraction(n)} if n else {}


def _of_form(form: Form) -> Polynomial:
    return {(((name, 1),) if name else ()): Fraction(c) for name, c in form.items()}


class _Parser:
    """Reads ``4*comb(m*n-2,2)``: sums, products, whole divisors, binomial coefficients."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self.tokens: list[str] = []
        place = 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            if match is None or len(self.tokens) > MAX_TOKENS:
                raise Refused(f"expected a formula, got {text[:40]!r}")
            self.tokens.append(match[1])
            place = match.end()
        self.names, self.place = names, 0

    def whole(self) -> Polynomial:
        found = self._sum_of_terms()
        need(self.place == len(self.tokens), "a formula does not end")
        return found

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _take(self, token: str) -> bool:
        if self._next() == token:
            self.place += 1
            return True
        return False

    def _sum_of_terms(self) -> Polynomial:
        found = self._term()
        while self._next() in ("+", "-"):
            sign = 1 if self._take("+") else -1
            if sign < 0:
                self.place += 1
            found = _sum(found, self._term(), sign)
        return found

    def _term(self) -> Polynomial:
        found = self._factor()
        while True:
            if self._take("*"):
                found = _product(found, self._factor())
            elif self._take("/"):
                divisor = self._factor()
                need(set(divisor) == {()}, "a formula divides by a size")
                found = {monomial: c / divisor[()] for monomial, c in found.items()}
            elif self._next() == "(" or self._next().isalnum():
                found = _product(found, self._factor())
            else:
                return found

    def _factor(self) -> Polynomial:
        token = self._next()
        self.place += 1
        if token.isdecimal():
            need(len(token) <= 12, "a number in a formula is too long")
            return _number(int(token))
        if token in self.names:
            return {((token, 1),): Fraction(1)}
        if token in ("comb", "c"):
            need(self._take("("), "expected ( after comb")
            upper = self._sum_of_terms()
            need(self._take(","), "expected , in comb")
            lower = self._next()
            self.place += 1
            need(
                lower.isdecimal() and int(lower) <= MAX_DEGREE and self._take(")"),
                "expected a number in comb",
            )
            found = _number(1)
            for k in range(int(lower)):
                found = {m: c / (k + 1) for m, c in _product(found, _sum(upper, _number(k), -1)).items()}
            return found
        if token == "(":
            found = self._sum_of_terms()
            need(self._take(")"), "a bracket is not closed")
            return found
        raise Refused(f"expected a formula, got {token[:20]!r}")


def parse_polynomial(text: str, names: Sequence[str]) -> Polynomial:
    """Return the polynomial that a formula stands for.

    >>> parse_polynomial("2*comb(m,2) - m*m", ["m"]) == parse_polynomial("0 - m", ["m"])
    True
    """
    return _Parser(text.lower(), names).whole()


def _before_components(claim: str) -> str:
    need(
        claim.endswith((" components", " component")), f"expected a number of components, got {claim[:40]!r}"
    )
    return claim.rpartition(" ")[0]


def check_corner_formula(
    claim: str, name: str, arguments: Sequence[Form], names: Sequence[str], corners: int
) -> None:
    """Refuse unless a claim is twice the number of ways to put tiles in the tight corners (Lemma 4.3)."""
    first = _of_form(arguments[0])
    if name == "P":
        cells = _product(first, _of_form(arguments[1]))
    else:
        doubled = _product(first, _sum(first, _number(1)))
        cells = {monomial: c / 2 for monomial, c in doubled.items()}
    expected = _number(2)
    for k in range(corners):
        expected = _product(expected, _sum(cells, _number(2 + k), -1))
    claimed = parse_polynomial(_before_components(claim), names)
    need(claimed == expected, f"the formula {claim[:60]!r} is another number")


def check_factorial_formula(claim: str, tiles: Form, names: Sequence[str]) -> None:
    """Refuse unless a claim is the factorial of the number of tiles."""
    formula = _before_components(claim).strip()
    need(formula.endswith("!"), f"expected a factorial, got {claim[:40]!r}")
    claimed = parse_polynomial(formula[:-1], names)
    need(claimed == _of_form(tiles), f"the formula {claim[:60]!r} is another number")
