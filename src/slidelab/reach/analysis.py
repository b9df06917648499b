"""Analyses: families of shapes, their groups, components, parity, and what theorems predict.

No labelled configuration is ever enumerated: components and their sizes follow from the group at one shape
of each family. Where even the shapes are too many, the theorems answer alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from slidelab.boards import tight_corners
from slidelab.budget import Budget
from slidelab.display import HtmlDisplay
from slidelab.errors import OutOfTime, PuzzleError, TooLarge
from slidelab.gains import Family, GainGraph, count_shapes, gain_graph
from slidelab.messages import counted
from slidelab.permutations import is_even
from slidelab.puzzles import Puzzle
from slidelab.reach.criterion import Conjecture, conjecture
from slidelab.reach.families import FamilyReport, base_shape, count_components, family_report
from slidelab.reach.group import PermutationGroup
from slidelab.reach.group_files import save_groups
from slidelab.reach.prover.proof import Proof
from slidelab.reach.prover.search import find_proof
from slidelab.reach.route import answer
from slidelab.reach.theorems import (
    Prediction,
    Value,
    connection_prediction,
    cycle_predictions,
    predictions,
)
from slidelab.rules import Cells, default_holes

__all__ = ["Analysis", "TheoremCheck", "analyze"]


@dataclass(frozen=True, slots=True)
class TheoremCheck:
    """A theorem's prediction beside the computed value (None if it was not computed)."""

    name: str
    quantity: str
    predicts: Value
    computed: Value | None

    @property
    def agrees(self) -> bool | None:
        """Whether they agree; None if there is nothing to compare."""
        return None if self.computed is None else self.predicts == self.computed

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form of a theorem in an analysis."""
        return {
            "name": f"{self.name}: {self.quantity}",
            "predicts": self.predicts,
            "computed": self.computed,
            "agrees": self.agrees,
        }


@dataclass(frozen=True, slots=True)
class Analysis(HtmlDisplay):
    """What can be reached in a puzzle; prints as a table.

    Quantities are None where neither a computation nor a theorem gives them.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(4,4)").analyze()
    <analysis of 'square R(4,4) tiles 1': 2 components>
    """

    puzzle: Puzzle
    shapes: int | None
    isolated: int | None
    """Shapes in which nothing can move."""
    families: tuple[FamilyReport, ...]
    """The families that can move, the largest first; none if the theorems answered alone."""
    components: int | None
    """Components of the puzzle graph that can move."""
    weak_parity: bool | None
    """Whether every loop permutes the pieces evenly."""
    strong_parity: bool | None
    """Whether there is weak parity and there are two components."""
    maximally_connected: bool | None
    """Whether there is one component."""
    connection_number: int | None
    """The smallest number of holes with which the puzzle is maximally connected."""
    connection_source: str
    """Where that number comes from: ``computed``, ``theorem``, ``proof`` or why it is not known."""
    tight_corners: Cells
    stuck: Cells
    """Cells of pieces that no loop moves and that cannot go everywhere."""
    theorems: tuple[TheoremCheck, ...]
    too_large: str | None = None
    """Why nothing was computed, if the theorems answered alone."""
    proof: Proof | None = None
    """The proof by patching, if nothing was computed and it answers."""
    conjecture: Conjecture | None = None
    """What is expected of gourds on a board with holes. No other field depends on it."""

    @property
    def group(self) -> PermutationGroup:
        """The group of the only family; `PuzzleError` if there are several or none."""
        if len(self.families) != 1:
            raise PuzzleError(
                f"expected one family of shapes, got {len(self.families)}: use families[i].group"
            )
        return self.families[0].group

    @property
    def is_proved(self) -> bool:
        """Whether a computation, a theorem or a proof answers, not only a conjecture."""
        return self.too_large is None or bool(self.theorems) or self.proof is not None

    @property
    def disagreements(self) -> tuple[TheoremCheck, ...]:
        """Theorems that the computation contradicts."""
        return tuple(check for check in self.theorems if check.agrees is False)

    def save_groups(self, path: str | os.PathLike[str]) -> None:
        """Write the groups with their orbits as input of GAP (``.g``) or Sage (``.sage``).

        Examples
        --------
        >>> import slidelab as sl
        >>> file = getfixture("tmp_path") / "x.sage"
        >>> sl.puzzle("square R(2,2)").analyze().save_groups(file)
        >>> "PermutationGroup" in file.read_text()
        True
        """
        if self.too_large is not None:
            raise TooLarge(f"the group is not computed: {self.too_large}")
        save_groups(path, self.puzzle.text, self.families)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form of an analysis."""
        return {
            "puzzle": self.puzzle.to_json(),
            "shapes": self.shapes,
            "isolated": self.isolated,
            "components": self.components,
            "families": [family.to_json() for family in self.families],
            "parity": {"weak": self.weak_parity, "strong": self.strong_parity},
            "maximally_connected": self.maximally_connected,
            "connection_number": self.connection_number,
            "connection_source": self.connection_source,
            "tight_corners": list(self.tight_corners),
            "stuck": list(self.stuck),
            "theorems": [check.to_json() for check in self.theorems],
            "by_theorem_alone": self.is_proved and self.too_large is not None,
            "proof": None if self.proof is None else self.proof.summary(),
            "conjecture": None if self.conjecture is None else self.conjecture.to_json(),
        }

    def __str__(self) -> str:
        from slidelab.reach.report import analysis_text

        return analysis_text(self)

    def __repr__(self) -> str:
        components = "unknown" if self.components is None else counted(self.components, "component")
        return f"<analysis of {self.puzzle.text!r}: {components}>"


def analyze(
    puzzle: Puzzle,
    *,
    budget: Budget | None = None,
    connection: bool = True,
) -> Analysis:
    """Analyze a puzzle.

    Parameters, result and errors are those of `slidelab.Puzzle.analyze`.

    Examples
    --------
    >>> import slidelab as sl
    >>> a = sl.puzzle("hex P(4,4)").analyze()
    >>> a.components, a.weak_parity, a.strong_parity, a.connection_number
    (364, True, False, 3)
    """
    budget = budget or Budget()
    return answer(
        puzzle,
        budget,
        by_graph=lambda: _by_graph(puzzle, budget, connection),
        by_regions=lambda reason: _by_theorem(puzzle, reason, connection, budget),
        by_theorem=lambda reason: _by_theorem(puzzle, reason, connection, budget),
        whole_group=True,
    )


def _by_graph(puzzle: Puzzle, budget: Budget, connection: bool) -> Analysis:
    graph = gain_graph(puzzle, budget)
    reports = tuple(family_report(graph, puzzle, root, budget) for root, _ in graph.families())
    facts = _facts(puzzle, reports)
    number, source = _connection(puzzle, facts, budget) if connection else (None, "not asked for")
    checks = _checked(puzzle, {**facts, "connection number": number if source == "computed" else None})
    return Analysis(
        puzzle,
        graph.shapes,
        graph.isolated,
        reports,
        _integer(facts["components"]),
        _boolean(facts["weak parity"]),
        _boolean(facts["strong parity"]),
        _boolean(facts["maximally connected"]),
        number,
        source,
        tight_corners(puzzle.board),
        _stuck(graph, reports),
        checks,
        conjecture=conjecture(puzzle, computed=facts["maximally connected"] is True and not graph.isolated),
    )


def _facts(puzzle: Puzzle, reports: tuple[FamilyReport, ...]) -> dict[str, Value | None]:
    """Return the computed quantities under the names that predictions use."""
    total = sum(report.components for report in reports)
    weak = all(_even_on_pieces(report.group) for report in reports)
    return {
        "components": total,
        "weak parity": weak,
        "strong parity": weak and total == 2 if puzzle.colours is None else None,
        "maximally connected": total == 1,
        "group": _comparable_name(reports[0].group) if len(reports) == 1 else None,
    }


def _comparable_name(group: PermutationGroup) -> str | None:
    """Return a name that can be compared with a theorem's; None where only the order is known."""
    return None if group.name.startswith("group of") else group.name


def _even_on_pieces(group: PermutationGroup) -> bool:
    """Return whether every element permutes the pieces (not their ends) evenly."""
    turns = group.turns
    if turns == 1:
        return group.is_even
    return all(is_even([x // turns for x in row[::turns]]) for row in group.generators.tolist())


def _checked(puzzle: Puzzle, facts: dict[str, Value | None]) -> tuple[TheoremCheck, ...]:
    if puzzle.colours is not None:
        return ()  # the theorems are about numbered pieces
    return tuple(
        TheoremCheck(p.name, p.quantity, p.value, facts.get(p.quantity)) for p in predictions(puzzle)
    )


def _by_theorem(puzzle: Puzzle, reason: str, connection: bool, budget: Budget) -> Analysis:
    known: dict[str, Value] = {}
    found: list[Prediction] = list(predictions(puzzle)) if puzzle.colours is None else []
    if puzzle.colours is None:
        found += cycle_predictions(puzzle)
    for prediction in found:
        known.setdefault(prediction.quantity, prediction.value)
    proof: Proof | str = ""
    if puzzle.rule.needs_companion and puzzle.colours is None and _is_open(known):
        proof = find_proof(puzzle, budget)
        if isinstance(proof, Proof):
            known.update(_proved_facts(proof, budget))
    expected = conjecture(puzzle, budget=budget)
    if not known and expected is None:
        why = f"; patching finds no proof: {proof}" if isinstance(proof, str) and proof else ""
        raise TooLarge(f"{reason}{why}")
    _add_consequences(known, puzzle.piece_count)
    if known.get("maximally connected") is True and puzzle.hole_count == default_holes(
        puzzle.board, puzzle.rule
    ):
        known.setdefault("connection number", puzzle.hole_count)  # there is no smaller number
    number = _integer(known.get("connection number")) if connection else None
    return Analysis(
        puzzle,
        count_shapes(puzzle),
        None,
        (),
        _integer(known.get("components")),
        _boolean(known.get("weak parity")),
        _boolean(known.get("strong parity")),
        _boolean(known.get("maximally connected")),
        number,
        "unknown" if number is None else "proof" if isinstance(proof, Proof) else "theorem",
        tight_corners(puzzle.board),
        (),
        tuple(TheoremCheck(p.name, p.quantity, p.value, None) for p in found),
        reason,
        proof if isinstance(proof, Proof) else None,
        expected,
    )


def _is_open(known: dict[str, Value]) -> bool:
    """Return whether the theorems leave the number of components open."""
    return known.keys().isdisjoint(("components", "strong parity")) and not known.get("maximally connected")


def _proved_facts(proof: Proof, budget: Budget) -> dict[str, Value]:
    """Return what a proof by patching says, under the names that predictions use."""
    known: dict[str, Value] = {"components": proof.components, "maximally connected": proof.components == 1}
    if proof.puzzle.hole_count == 2:
        known["weak parity"] = True
    else:
        three = find_proof(Puzzle(proof.puzzle.board, proof.puzzle.rule, 3), budget)
        if isinstance(three, Proof) and proof.puzzle.board.size > 3:  # with two holes there is weak parity
            known["connection number"] = 3
    return known


def _add_consequences(known: dict[str, Value], pieces: int) -> None:
    """Add what follows from what the theorems say."""
    if known.get("strong parity") is True:
        known.setdefault("components", 2)
        known.setdefault("weak parity", True)
    if known.get("maximally connected") is True:
        known.setdefault("components", 1)
        if pieces > 1:
            known.setdefault("weak parity", False)  # two pieces can be swapped
    if "components" in known:
        known.setdefault("maximally connected", known["components"] == 1)
        if "weak parity" in known:
            known.setdefault("strong parity", known["weak parity"] is True and known["components"] == 2)


MAX_CONNECTION_WORK = 60_000
"""Shapes, times their pieces by forties, over all numbers of holes that the connection number may take."""

MAX_CONNECTION_COUNT_WORK = 400_000
"""Steps of `count_shapes` for each number of holes."""


def _connection(puzzle: Puzzle, facts: dict[str, Value | None], budget: Budget) -> tuple[int | None, str]:
    """Return the smallest number of holes with one component that can move, and how it is known.

    It is computed while that is cheap and there is time; otherwise a theorem may tell.
    """
    if puzzle.colours is not None:
        return None, "not defined for colours"
    try:
        found = _computed_connection(puzzle, facts, budget)
    except OutOfTime:  # the rest of the analysis is in hand
        found = None
    if found is not None:
        return found
    prediction = connection_prediction(puzzle)
    return (int(prediction.value), "theorem") if prediction else (None, "unknown")


def _computed_connection(
    puzzle: Puzzle, facts: dict[str, Value | None], budget: Budget
) -> tuple[int | None, str] | None:
    """Return the computed connection number and the word for that; None if it takes too long."""
    board, rule = puzzle.board, puzzle.rule
    work = 0
    for holes in range(rule.fewest_holes, board.size):
        if (board.size - holes) % rule.cells:
            continue
        if holes == puzzle.hole_count:
            if facts["maximally connected"]:
                return holes, "computed"
            continue
        other = Puzzle(board, rule, holes)
        shapes = count_shapes(other, MAX_CONNECTION_COUNT_WORK, budget=budget)
        work += 0 if shapes is None else shapes * max(1, other.piece_count // 40)
        if shapes is None or work > MAX_CONNECTION_WORK:
            return None
        if count_components(other, budget) == 1:
            return holes, "computed"
    return None, "no number of holes"


MAX_STUCK_WORK = 3_000_000
"""Shapes times pieces up to which the cells that fixed pieces visit are listed."""


def _stuck(graph: GainGraph, reports: tuple[FamilyReport, ...]) -> Cells:
    """Return the cells (at the first family's base) of pieces that are fixed and cannot go everywhere."""
    if not reports:
        return ()
    group, slots = reports[0].group, reports[0].slots
    turns, fixed = group.turns, set(group.fixed_points)
    pieces = [k for k in range(len(slots)) if all(k * turns + mark in fixed for mark in range(turns))]
    if pieces and reports[0].shapes * len(slots) <= MAX_STUCK_WORK:
        visited = _visited_cells(graph.family(base_shape(graph, graph.families()[0][0])), pieces)
        pieces = [k for k in pieces if len(visited[k]) < graph.puzzle.board.size]
    return tuple(sorted(min(slots[k]) for k in pieces))


def _visited_cells(family: Family, pieces: list[int]) -> dict[int, set[int]]:
    """Return the cells that fixed pieces visit over all shapes of the family."""
    turns = family.graph.puzzle.rule.turns
    visited: dict[int, set[int]] = {k: set() for k in pieces}
    for index, shape in enumerate(family.members.tolist()):
        slots = family.graph.core.slots(shape)
        for k in pieces:
            number = slots[int(family.potentials[index, k * turns]) // turns]
            visited[k].update(family.graph.placements[number])
    return visited


def _integer(value: Value | None) -> int | None:
    return None if value is None else int(value)


def _boolean(value: Value | None) -> bool | None:
    return None if value is None else bool(value)
