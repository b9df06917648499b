"""Linear forms in named sizes, and certificates that linear conditions contradict each other (Farkas)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

__all__ = ["Linear", "contradiction", "variable"]


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear form with whole coefficients: ``terms`` are sorted pairs, the constant has the name ''.

    Examples
    --------
    >>> m = variable("m")
    >>> str(m + m - 3), (m - 1).at({"m": 5})
    ('2m - 3', 4)
    """

    terms: tuple[tuple[str, int], ...] = ()

    @staticmethod
    def of(coefficients: Mapping[str, int]) -> Linear:
        """Return the form with these coefficients."""
        return Linear(tuple(sorted((name, value) for name, value in coefficients.items() if value)))

    @property
    def coefficients(self) -> dict[str, int]:
        """The coefficient of each name."""
        return dict(self.terms)

    def __add__(self, other: Linear | int) -> Linear:
        found = self.coefficients
        for name, value in (other if isinstance(other, Linear) else Linear.of({"": other})).terms:
            found[name] = found.get(name, 0) + value
        return Linear.of(found)

    def __neg__(self) -> Linear:
        return Linear(tuple((name, -value) for name, value in self.terms))

    def __sub__(self, other: Linear | int) -> Linear:
        return self + (-other)

    def at(self, values: Mapping[str, int]) -> int:
        """Return the value for given sizes."""
        return sum(value * (values[name] if name else 1) for name, value in self.terms)

    def put(self, values: Mapping[str, Linear]) -> Linear:
        """Return the form with other forms put for its names.

        >>> str(variable("m").put({"m": variable("n") - 1}))
        'n - 1'
        """
        found = Linear()
        for name, value in self.terms:
            form = values.get(name, Linear(((name, 1),)))
            found = found + Linear(tuple((n, v * value) for n, v in form.terms))
        return found

    def __str__(self) -> str:
        words: list[str] = []
        for name, value in sorted(self.terms, key=lambda term: (term[0] == "", term[0])):
            size = str(abs(value)) if not name or abs(value) != 1 else ""
            words.append(("- " if value < 0 else "+ ") + size + name)
        text = " ".join(words) or "0"
        return text[2:] if text.startswith("+ ") else text.replace("- ", "-", 1) if text[0] == "-" else text

    def to_json(self) -> dict[str, int]:
        """Return the JSON form."""
        return dict(self.terms)


def variable(name: str) -> Linear:
    """Return the form of one size."""
    return Linear(((name, 1),))


def contradiction(conditions: Sequence[Linear]) -> list[int] | None:
    """Return multipliers, none negative, with which conditions (each form >= 0) add up to a negative number.

    By Farkas' lemma they exist if and only if no real sizes satisfy all conditions; otherwise None.

    Examples
    --------
    >>> m = variable("m")
    >>> contradiction([m - 3, -m + 2]), contradiction([m - 3, -m + 3])
    ([1, 1], None)
    """
    names = sorted({name for form in conditions for name, _ in form.terms} - {""})
    rows = [*names, ""]
    columns = [[form.coefficients.get(name, 0) for name in rows] for form in conditions]
    target = [0] * len(names) + [-1]
    found = _non_negative_solution(columns, target)
    if found is None:
        return None
    scale = lcm(*(value.denominator for value in found))
    return [int(value * scale) for value in found]


def _non_negative_solution(columns: Sequence[Sequence[int]], target: Sequence[int]) -> list[Fraction] | None:
    """Solve sum of x[i] * columns[i] = target with x >= 0, by the simplex method with Bland's rule."""
    height, width = len(target), len(columns)
    table: list[list[Fraction]] = []
    for row in range(height):
        sign = -1 if target[row] < 0 else 1
        entries = [Fraction(sign * column[row]) for column in columns]
        entries += [Fraction(int(row == other)) for other in range(height)]
        table.append([*entries, Fraction(sign * target[row])])
    basis = [width + row for row in range(height)]
    cost = [-sum((line[column] for line in table), Fraction(0)) for column in range(width + height + 1)]
    for column in range(width, width + height):
        cost[column] = Fraction(0)
    while True:
        entering = next((column for column in range(width) if cost[column] < 0), None)
        if entering is None:
            break
        ratios = [
            (line[-1] / line[entering], basis[row], row)
            for row, line in enumerate(table)
            if line[entering] > 0
        ]
        if not ratios:
            return None
        _, _, leaving = min(ratios)
        _pivot(table, cost, leaving, entering)
        basis[leaving] = entering
    if cost[-1] != 0:
        return None
    found = [Fraction(0)] * width
    for row, column in enumerate(basis):
        if column < width:
            found[column] = table[row][-1]
    return found


def _pivot(table: list[list[Fraction]], cost: list[Fraction], row: int, column: int) -> None:
    pivot = table[row][column]
    table[row] = [value / pivot if value else value for value in table[row]]
    support = [(place, value) for place, value in enumerate(table[row]) if value]
    for line in (*(other for number, other in enumerate(table) if number != row), cost):
        factor = line[column]
        if factor:
            for place, value in support:
                line[place] -= factor * value


def satisfied(conditions: Iterable[Linear], values: Mapping[str, int]) -> bool:
    """Return whether sizes satisfy all conditions.

    >>> satisfied([variable("m") - 3], {"m": 2})
    False
    """
    return all(form.at(values) >= 0 for form in conditions)
