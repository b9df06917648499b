"""What the conjecture on boards with holes expects of a puzzle. It is never taken for a proof."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any

from slidelab.boards import holes_in_board, is_cycle, is_two_connected
from slidelab.budget import Budget
from slidelab.puzzles import Puzzle
from slidelab.reach.criterion.conditions import MIN_CELLS, GourdConditions, gourd_conditions

__all__ = ["Conjecture", "conjecture"]

NAME = "conjecture on gourds on boards with holes"
SOURCE = "docs/atlas-gourds.md"


@dataclass(frozen=True, slots=True)
class Conjecture:
    """What the conjecture expects of gourds on a board, beside what was computed.

    Attributes
    ----------
    conditions : GourdConditions
    reason : str
        Why, in words.
    group : str, optional
        The expected group, None if the conjecture names none.
    components : int, optional
        The expected number of components.
    maximally_connected : bool, optional
        Whether one component is expected; None if a condition is undecided.
    computed : bool, optional
        Whether there is one component, if that was computed.
    """

    conditions: GourdConditions
    reason: str
    group: str | None
    components: int | None
    maximally_connected: bool | None
    computed: bool | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether the computation agrees; None if there is nothing to compare."""
        if self.computed is None or self.maximally_connected is None:
            return None
        return self.computed == self.maximally_connected

    def to_json(self) -> dict[str, Any]:
        """Return the conjecture as a JSON object."""
        return {
            "name": NAME,
            "source": SOURCE,
            "status": "conjecture",
            "conditions": self.conditions.to_json(),
            "reason": self.reason,
            "expects": {
                "group": self.group,
                "components": self.components,
                "maximally_connected": self.maximally_connected,
            },
            "computed": self.computed,
            "agrees": self.agrees,
        }

    def rows(self) -> list[tuple[str, str]]:
        """Return the conditions and what is expected, as pairs of a name and a value.

        Examples
        --------
        >>> import slidelab as sl
        >>> found = conjecture(sl.puzzle("hex 1,0 2,0 0,1 2,1 0,2 1,2 0,3", "gourds"))
        >>> for name, value in found.rows():
        ...     print(f"{name}: {value}")
        1 every cell can be empty: yes
        2 a gourd can pivot: yes, on cells 4, 5 and 6
        3 not a necklace: NO, a closed chain of edges, triangles and diamonds
        4 an even ring is free: not needed
        expected: a necklace: gourds keep their cyclic order
        expected group: C2 wr C(3)
        expected components: 2
        """
        from slidelab.messages import big_number, counted, join_words

        found = self.conditions
        never, ring = len(found.never_empty), found.even_ring
        if found.triangle is None:
            triangle = "NO, no triangle is free"
        else:
            triangle = f"yes, on cells {join_words(found.triangle.cells, 3)}"
        if ring is not None:
            even = f"yes, {len(ring.cells) // 2} gourds on {len(ring.cells)} cells"
        elif found.even_ring_certain:
            even = "NO, every free ring has 4k + 3 cells"
        else:
            even = "not needed" if found.failing else "undecided"
        rows = [
            (
                "1 every cell can be empty",
                f"NO, not {counted(never, 'cell')}" if never else "yes",
            ),
            ("2 a gourd can pivot", triangle),
            (
                "3 not a necklace",
                "yes" if found.necklace is None else "NO, a closed chain of edges, triangles and diamonds",
            ),
            ("4 an even ring is free", even),
            ("expected", self.reason),
        ]
        if self.group is not None:
            rows.append(("expected group", self.group))
        if self.components is not None:
            rows.append(("expected components", big_number(self.components)))
        if self.agrees is not None:
            rows.append(("computed", "agrees" if self.agrees else "DISAGREES"))
        return rows


def conjecture(
    puzzle: Puzzle, *, computed: bool | None = None, budget: Budget | None = None
) -> Conjecture | None:
    """Return what the conjecture expects, None if it is not about this puzzle.

    It is about numbered gourds with one empty cell on 2-connected boards of hexagons with holes, seven cells
    or more. (Without a hole in the board, Theorem 9 of the gourds paper decides.)

    Parameters
    ----------
    puzzle
    computed
        Whether there is one component, if that is known.
    budget
        Its deadline limits the time.

    Examples
    --------
    >>> import slidelab as sl
    >>> found = conjecture(sl.puzzle("hex 0,0 -1,1 0,1 1,1 -2,2 0,2 -2,3 -1,3 0,3", "gourds"))
    >>> found.reason, found.group, found.components
    ('a necklace: gourds keep their cyclic order', 'C2 wr C(4)', 6)
    """
    board = puzzle.board
    if puzzle.rule.corner != "pivot" or puzzle.hole_count != 1 or puzzle.colours is not None:
        return None
    if board.kind != "hex" or board.size < MIN_CELLS or board.size % 2 == 0:
        return None
    if not is_two_connected(board) or not holes_in_board(board):
        return None
    found = gourd_conditions(board, budget=budget)
    return Conjecture(found, *_expected(found, puzzle.piece_count), computed)


def _expected(found: GourdConditions, gourds: int) -> tuple[str, str | None, int | None, bool | None]:
    """Return the reason, the group, the number of components and whether that is one."""
    orders = factorial(gourds - 1)
    if found.never_empty:
        return f"some gourds never leave a cell: at least {gourds} components", None, None, False
    if is_cycle(found.board):
        reason = "a ring: gourds keep their cyclic order and direction"
        return reason, f"C({gourds})", orders << gourds, False
    if found.necklace is not None:
        return "a necklace: gourds keep their cyclic order", f"C2 wr C({gourds})", orders, False
    if found.triangle is None:
        return "no gourd turns round alone: at least 2 components", None, None, False
    if found.even_ring is not None:
        return "every configuration can be reached", f"C2 wr Sym({gourds})", 1, True
    if found.even_ring_certain:
        return "only even permutations of the gourds", f"C2 wr Alt({gourds})", 2, False
    reason = f"C2 wr Sym({gourds}) or, if condition 4 fails, C2 wr Alt({gourds})"
    return reason, None, None, None
