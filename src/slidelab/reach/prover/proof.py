"""Proofs of one board: steps about ever larger boards, as JSON and as a tree that can be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from slidelab.boards.hexagons import congruent_family, hex_board
from slidelab.boards.lattice import Cell
from slidelab.messages import counted
from slidelab.puzzles import Puzzle
from slidelab.reach.proof_check.concrete import ALL, EVEN, Proved, check_concrete
from slidelab.reach.prover.regions import Bounds, Placement

__all__ = ["Part", "Proof", "Step"]

MAX_NAMED_CELLS = 5_000
"""Cells of a patch that is called by the name of its family."""

MAX_LISTED_PARTS = 12
"""Parts of a step that are printed; of more, only how many there are of each board."""


@dataclass(frozen=True, slots=True)
class Part:
    """A board of an earlier step, turned and shifted to its place."""

    step: int
    placement: Placement

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"step": self.step, "turn": self.placement.turn, "shift": list(self.placement.shift)}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what is claimed of a board, and why; see `slidelab.reach.proof_check.concrete`."""

    by: str
    """computed, patching, more holes or tight corners."""
    board: Bounds | tuple[Cell, ...]
    holes: int
    claim: str
    parts: tuple[Part, ...] = ()
    """The boards that are joined, or the one board that the step builds on."""
    overlaps: tuple[tuple[int, int], ...] = ()
    """Pairs of parts whose overlaps join all of them."""
    base: tuple[Cell, ...] = ()
    loops: tuple[tuple[tuple[Cell, Cell], ...], ...] = field(default=(), repr=False)
    corners: tuple[Cell, ...] = ()
    group: str = ""
    """The name of a computed group."""

    @property
    def cells(self) -> frozenset[Cell]:
        """The hexagons of the board."""
        return frozenset(self.board)

    @property
    def size(self) -> int:
        """The number of hexagons."""
        return self.board.size if isinstance(self.board, Bounds) else len(self.board)

    @property
    def name(self) -> str:
        """The family of the board and its numbers, or the number of its cells."""
        if self.size <= MAX_NAMED_CELLS:
            found = congruent_family(hex_board(self.board))
            if found is not None:
                return f"{found[0]}({','.join(map(str, found[1]))})" if found[1] else found[0]
        if isinstance(self.board, Bounds):
            rows, base, other = sorted(self.board.widths)
            if base == other and rows * (2 * base - rows + 1) == 2 * self.size:
                return f"trapezoid({base},{rows})"
            b = self.board
            columns, rows, _ = b.widths
            return f"convex({columns},{rows},{b.s0 - b.q0 - b.r0},{b.q1 + b.r1 - b.s1})"
        return f"board of {self.size:,} cells"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        form: dict[str, Any] = {"by": self.by, "claim": self.claim, "holes": self.holes}
        b = self.board
        if isinstance(b, Bounds):
            form["board"] = {"bounds": [b.q0, b.q1, b.r0, b.r1, b.s0, b.s1]}
        else:
            form["board"] = {"cells": [list(cell) for cell in b]}
        if self.by == "computed":
            form["base"] = [list(cell) for cell in self.base]
            form["loops"] = [[[list(a), list(b)] for a, b in loop] for loop in self.loops]
        elif self.by == "patching":
            form["parts"] = [part.to_json() for part in self.parts]
            form["overlaps"] = [list(pair) for pair in self.overlaps]
        else:
            form["part"] = self.parts[0].to_json()
            if self.corners:
                form["corners"] = [list(cell) for cell in self.corners]
        return form


@dataclass(frozen=True)
class Proof:
    """A proof of what can be reached on one board: prints as a tree.

    Attributes
    ----------
    puzzle
        The puzzle, with numbered tiles.
    steps
        Each builds on earlier ones only; the last is about the board of the puzzle.

    Examples
    --------
    >>> import slidelab as sl
    >>> proof = sl.prove("hex P(5,4)")
    >>> proof.components, proof.check().claim
    (612, 'stuck corners')
    """

    puzzle: Puzzle
    steps: tuple[Step, ...] = field(repr=False)
    root: Part
    """The last step, turned and shifted to the board of the puzzle."""

    @property
    def last(self) -> Step:
        """The step about the whole board."""
        return self.steps[self.root.step]

    @cached_property
    def proved(self) -> Proved:
        """What the last step claims."""
        last, core = self.last, frozenset[Cell]()
        if last.corners:
            core = last.cells.difference(last.corners)
        place = self.root.placement
        return Proved(place.of(last.board), last.holes, last.claim, place.of(core))

    @property
    def components(self) -> int:
        """The number of components in which something can move."""
        return self.proved.components

    @property
    def computed(self) -> int:
        """The number of boards that were computed."""
        return sum(step.by == "computed" for step in self.steps)

    def patches(self) -> dict[str, tuple[int, ...]]:
        """Return the cells of each patch of the last union, those in several of them, and tight corners.

        Numbers of cells by name, as `slidelab.Puzzle.draw` takes them for `groups`.

        Examples
        --------
        >>> import slidelab as sl
        >>> {name: len(cells) for name, cells in sl.prove("hex P(4,5)").patches().items()}
        {'patch 1: Ttr(5)': 6, 'patch 2: Ttr(5)': 6, 'overlap': 6, 'tight corners': 2}
        """
        number = self.puzzle.board.cell_at
        named: dict[str, frozenset[Cell]] = {}
        step = self.last
        place: Place = self.root.placement.of
        corners = place(step.corners)
        while step.by in ("more holes", "tight corners"):
            place = _composed(place, step.parts[0].placement.of)
            step = self.steps[step.parts[0].step]
        sets = [place(part.placement.of(self.steps[part.step].board)) for part in step.parts]
        if step.by != "patching":
            named[f"computed: {step.name}"] = place(step.board)
        else:
            seen = Counter(cell for cells in sets for cell in cells)
            for index, (part, cells) in enumerate(zip(step.parts, sets, strict=True), 1):
                alone = frozenset(cell for cell in cells if seen[cell] == 1)
                named[f"patch {index}: {self.steps[part.step].name}"] = alone
            named["overlap"] = frozenset(cell for cell, times in seen.items() if times > 1)
        named["tight corners"] = corners
        return {name: tuple(sorted(number[cell] for cell in cells)) for name, cells in named.items() if cells}

    def summary(self) -> str:
        """Return how the proof goes, in half a sentence.

        >>> import slidelab as sl
        >>> sl.prove("hex P(3,5)", holes=4).summary()
        'proved by patching: 3 steps, 1 of them computed'
        """
        if len(self.steps) == 1:
            return "computed"
        return f"proved by patching: {len(self.steps)} steps, {self.computed} of them computed"

    def check(self) -> Proved:
        """Check every step without the prover's code; raise `Refused` if one does not hold."""
        return check_concrete(self.to_json())

    def conclusion(self) -> str:
        """Return the statement that is proved."""
        p = self.puzzle
        what = {
            ALL: "one component",
            EVEN: "two components: every even permutation, no odd one (strong parity)",
        }
        claim = what.get(self.last.claim, f"{counted(self.components, 'component')}")
        if p.piece_count < 2:
            claim = "one component"
        return f"{p.text if p.board.size <= 200 else _short(p)}: {claim}"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, which `slidelab prove --check` verifies."""
        return {
            "kind": "proof",
            "text": self.puzzle.text,
            "puzzle": self.puzzle.to_json(),
            "components": self.components,
            "root": self.root.to_json(),
            "steps": [step.to_json() for step in self.steps],
        }

    def __str__(self) -> str:
        lines = [self.conclusion()]
        self._print(lines, self.root.step, "", "", set())
        return "\n".join(lines)

    def _print(self, lines: list[str], number: int, head: str, indent: str, shown: set[int]) -> None:
        """Add the tree below a step; what is shown already is only named."""
        step = self.steps[number]
        lines.append(f"{head}[{number}] {self._line(step, number in shown)}")
        if number in shown:
            return
        shown.add(number)
        below = list(dict.fromkeys(part.step for part in step.parts))
        for child in below:
            branch, further = ("`- ", "   ") if child == below[-1] else ("|- ", "|  ")
            self._print(lines, child, indent + branch, indent + further, shown)

    def _line(self, step: Step, shown: bool) -> str:
        """Return a step in one line: the board, what is claimed, and why."""
        claim = f"{step.name}, {counted(step.holes, 'hole')}: {step.claim}"
        if shown:
            return f"{claim}, see above"
        if step.by == "computed":
            loops = counted(len(step.loops), "loop")
            return f"{claim}; computed, {step.group} on {counted(step.size - step.holes, 'tile')} by {loops}"
        if step.by == "more holes":
            return f"{claim}; a further hole may stand for a tile"
        if step.by == "tight corners":
            corners = counted(len(step.corners), "tight corner")
            return f"{claim}; {corners} keep their tiles (Lemmas 4.1 and 4.3)"
        theorem = "Theorem 3.1" if step.claim == ALL else "Theorem 4.4"
        if len(step.parts) <= MAX_LISTED_PARTS:
            parts = " + ".join(f"[{part.step}]" for part in step.parts)
        else:
            parts = f"{len(step.parts):,} patches"
        shared = _range([self._overlap(step, pair) for pair in step.overlaps])
        return f"{claim}; {parts}, overlap {shared} >= {step.holes + 1} ({theorem})"

    def _overlap(self, step: Step, pair: tuple[int, int]) -> int:
        first, second = (
            step.parts[part].placement.of(self.steps[step.parts[part].step].board) for part in pair
        )
        return len(first & second)


Place = Callable[[Iterable[Cell]], frozenset[Cell]]


def _composed(outer: Place, inner: Place) -> Place:
    """Return the placement that applies `inner` first."""
    return lambda cells: outer(inner(cells))


def _range(sizes: Sequence[int]) -> str:
    low, high = min(sizes, default=0), max(sizes, default=0)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _short(puzzle: Puzzle) -> str:
    board = puzzle.board
    name = board.name if len(board.name) < 60 else f"{board.kind} board of {board.size:,} cells"
    return f"{name} {puzzle.rule.name} {puzzle.hole_count}"
