"""Hard placements: Monotone 1-in-3SAT as coloured gourds on a board four hexagons high.

Theorem 1 of Hamersma, van Kreveld, Uno and van der Zanden, "Gourds: a sliding-block puzzle with turning".
The argument and the gourds are theirs; the gadgets are new, since the paper shows them in figures only.
Colours are x1, x2, ... for the variables, V for what variables are paired with, F for filler. Only F is
paired with F, and there is one cell F more than ends: so all other cells must be covered.

A variable is a ring of twelve cells ``x x V V x x V V x x V V`` around four F. It takes three (x,x) and
three (V,V), if true, or six (x,V), if false. Nothing else covers a ring.

A clause (X, Y, Z) has two fans, a pair and a triangle. A fan is one V that touches all cells of a path of
five; V takes the first, the third or the last of the path, because the others would be left odd. The first
path is X Y Y Y Z, the second X X Y Z Z. The pair is X Z, the triangle ten V. If both fans give V the
same colour, say X, the clause takes two (X,V), five (V,V), and one each of (Y,Y), (Z,Z), (X,Y), (X,Z),
(Y,Z), as many as in the paper.

All gourds must be used. A true variable leaves six (x,V) to its three clauses, which have room for two each:
so it has both fans of each of its clauses, and no clause has two true variables. Each fan needs some (x,V),
which only true variables leave: so each clause has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from slidelab.boards import Board, Cell, Edge, hex_board
from slidelab.errors import NotationError, Unsolvable
from slidelab.place.placement import Placement
from slidelab.place.problem import ColourPair

__all__ = ["HardInstance", "clause_gadget", "one_in_three", "variable_gadget"]

Clause = tuple[int, int, int]

# Rows of slanting columns, as in hex P(columns,4); * is filler. Each gadget ends with a column of filler, and
# each connected part of the filler has an even number of cells, so that gourds cover it.
VARIABLE = """
    x x V V *
    V * * x *
    V * * x *
    x x V V *
"""
CLAUSE = """
    * Z Y * * Z Z * V V V V *
    * V Y * * V Y * V V V * *
    X Y * * X X * * V V * X *
    * * * * * * * * V * * Z *
"""


@dataclass(frozen=True, slots=True)
class HardInstance:
    """Gourds that can be placed on a coloured board if and only if the formula is satisfiable.

    Attributes
    ----------
    clauses : tuple of (int, int, int)
        Variables, from 1 on; exactly one of each clause should be true.
    board, cells, gourds
        The placement problem.
    marks : tuple of (int, int)
        For each variable two cells that are joined if and only if it is true.

    Examples
    --------
    >>> hard = one_in_three([(1, 2, 3), (1, 2, 3), (1, 2, 3)])
    >>> hard.board.size, len(hard.gourds)
    (217, 108)
    """

    clauses: tuple[Clause, ...]
    board: Board
    cells: tuple[str, ...]
    gourds: tuple[ColourPair, ...]
    marks: tuple[Edge, ...]

    def assignment(self, placement: Placement) -> tuple[bool, ...]:
        """Return the values of all variables in a placement.

        Raises
        ------
        Unsolvable
            If there is no placement.
        """
        if not placement:
            raise Unsolvable(placement.reason)
        joined = {frozenset(cells) for cells in placement.gourds}
        return tuple(frozenset(mark) in joined for mark in self.marks)


def one_in_three(clauses: Sequence[Clause]) -> HardInstance:
    """Return the placement problem of a formula of Monotone 1-in-3SAT.

    Parameters
    ----------
    clauses
        Triples of different variables, of which exactly one should be true. Variables are numbered from 1,
        and each is in three clauses.

    Examples
    --------
    >>> from slidelab.place.placement import place
    >>> hard = one_in_three([(1, 2, 3), (1, 2, 3), (1, 2, 3)])
    >>> sum(hard.assignment(place(hard.board, hard.cells, hard.gourds)))
    1
    """
    checked = _checked(clauses)
    variables = range(1, len(checked) + 1)
    colours: dict[Cell, str] = {}
    marks: list[tuple[Cell, Cell]] = []
    for variable in variables:
        column = _next_column(colours)
        marks.append(((column, 0), (column + 1, 0)))
        colours.update(_moved(variable_gadget(variable), column))
    for clause in checked:
        colours.update(_moved(clause_gadget(clause), _next_column(colours)))
    colours[_next_column(colours), 3] = "F"  # for the empty cell
    board = hex_board(colours)
    return HardInstance(
        checked,
        board,
        tuple(colours[cell] for cell in board.cells),
        _gourds(checked, sum(colour == "F" for colour in colours.values()) // 2),
        tuple((board.cell_at[a], board.cell_at[b]) for a, b in marks),
    )


def variable_gadget(variable: int) -> dict[Cell, str]:
    """Return the colours of a variable's ring and the filler around it.

    >>> list(variable_gadget(7).values())[:5]
    ['x7', 'x7', 'V', 'V', 'F']
    """
    return _drawn(VARIABLE, {"x": f"x{variable}"})


def clause_gadget(clause: Clause) -> dict[Cell, str]:
    """Return the colours of a clause's fans, pair and triangle, and the filler around them.

    >>> len(clause_gadget((1, 2, 3)))
    52
    """
    return _drawn(CLAUSE, {letter: f"x{variable}" for letter, variable in zip("XYZ", clause, strict=True)})


def _drawn(picture: str, names: dict[str, str]) -> dict[Cell, str]:
    names = {"*": "F", "V": "V", **names}
    rows = picture.split("\n")[1:-1]
    return {(q, r): names[letter] for r, row in enumerate(rows) for q, letter in enumerate(row.split())}


def _moved(gadget: dict[Cell, str], column: int) -> dict[Cell, str]:
    return {(q + column, r): colour for (q, r), colour in gadget.items()}


def _next_column(colours: dict[Cell, str]) -> int:
    return 1 + max((q for q, _ in colours), default=-1)


def _gourds(clauses: Sequence[Clause], filler: int) -> tuple[ColourPair, ...]:
    """Return the gourds of the paper and those for the filler."""
    count = len(clauses)
    out: list[ColourPair] = []
    for variable in (f"x{number}" for number in range(1, count + 1)):
        out += [(variable, variable)] * 3 + [(variable, "V")] * 6
    for x, y, z in clauses:
        out += [(f"x{x}", f"x{y}"), (f"x{x}", f"x{z}"), (f"x{y}", f"x{z}")]
    # Three a variable, and 5m - 2n more; there are as many clauses as variables.
    return (*out, *[("V", "V")] * (3 * count + 5 * count - 2 * count), *[("F", "F")] * filler)


def _checked(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    for number, clause in enumerate(clauses, 1):
        is_valid = len(clause) == 3 and all(isinstance(v, int) and 1 <= v <= len(clauses) for v in clause)
        if not is_valid or len(set(clause)) != 3:
            raise NotationError(
                f"expected three different variables from 1 to {len(clauses)} (as many as clauses), "
                f"got {tuple(clause)!s:.60} - at clause {number}"
            )
    for variable, times in sorted(Counter(v for clause in clauses for v in clause).items()):
        if times != 3:
            raise NotationError(
                f"expected every variable in three clauses, got {times} - at variable {variable}"
            )
    if not clauses:
        raise NotationError("expected at least three clauses, got none")
    return tuple((x, y, z) for x, y, z in clauses)
