"""Facts about a puzzle as the page lists them: a value, one line of explanation, a term, cells to light."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from slidelab.boards import (
    Board,
    components,
    cut_cells,
    is_bipartite,
    is_cycle,
    is_theta0,
    is_two_connected,
    why_not_proper,
)
from slidelab.budget import Budget
from slidelab.distance.gods_number import gods_number
from slidelab.distance.known import known_results
from slidelab.errors import OutOfTime, PuzzleError, TooLarge
from slidelab.messages import counted, yes_no
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.analysis import Analysis, TheoremCheck, analyze
from slidelab.reach.report import facts, list_cells
from slidelab.reach.verdict import reason_unsolvable

__all__ = ["Fact", "facts_answer"]

ANALYSIS_SHARE, VERDICT_SHARE, GOD_SHARE = 0.5, 0.5, 0.25
"""Parts of the time left for the analysis, then for the verdict on a position, then for God's number."""

MAX_GOD_STATES = 60_000_000
"""Configurations of a component whose diameter is computed while the page waits."""

MAX_LIT_CELLS = 1_000
"""Cells that are listed with a fact."""

EXPLANATIONS: dict[str, tuple[str, str]] = {
    "shapes": ("Shape", "Where pieces lie, forgetting which is which; isolated shapes cannot move at all."),
    "components": ("Component", "Positions in different components can never become each other."),
    "group": ("Group", "All rearrangements that loops of moves bring about; it decides what can be reached."),
    "parity": (
        "Parity",
        "Weak: loops make even rearrangements only. Strong: and nothing else prevents any.",
    ),
    "maximally connected": ("Maximally connected", "Whether every position can become every other."),
    "connection number": ("Connection number", "The fewest holes with which everything can be reached."),
    "change places": ("Orbit", "Only pieces within one set can ever change places with each other."),
    "tight corners": ("Tight corner", "Cells with two neighbours that touch: hexagons get stuck there."),
    "stuck pieces": ("Stuck piece", "Pieces that no loop of moves brings anywhere else for good."),
    "God's number": ("God's number", "The number of moves that the hardest position needs."),
    "theorem": ("Theorem", "What a paper predicts for this board, beside what was computed."),
    "conjecture": ("Free ring", "What is expected on boards with holes, though nobody has proved it."),
    "connected": ("Board", "Pieces never get from one part of a board to another that it does not touch."),
    "2-connected": ("2-connected", "Whether the board stays in one piece whichever cell is taken away."),
    "bipartite": ("Bipartite", "Whether cells can be coloured as on a chessboard: then one hole has parity."),
    "special": ("Theta graph", "A board for which Wilson's theorem says something else."),
    "proper": ("Proper board", "On proper boards all gourds can be brought into any order."),
    "this position": ("Verdict", "Whether the goal can be reached from here, and why not."),
}
"""The term in the glossary and one line for each kind of fact."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: what it is about, its value, and the cells concerned."""

    kind: str
    value: str
    label: str = ""
    cells: tuple[int, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        term, explanation = EXPLANATIONS[self.kind]
        found: dict[str, Any] = {
            "key": self.kind.lower().replace("'", "").replace(" ", "_").replace("-", "_"),
            "label": self.label or self.kind,
            "value": self.value,
            "explanation": explanation,
            "term": term,
        }
        if self.cells:
            found["cells"] = list(self.cells[:MAX_LIT_CELLS])
        return found


def facts_answer(
    puzzle: Puzzle,
    budget: Budget,
    start: Configuration | None = None,
    goal: Configuration | None = None,
) -> dict[str, Any]:
    """Return all facts that are found in time, with the analysis in the form of `Analysis.to_json`.

    >>> import slidelab as sl
    >>> answer = facts_answer(sl.puzzle("hex P(3,3)"), Budget.of(time=10))
    >>> [fact["value"] for fact in answer["facts"] if fact["key"] in ("components", "tight_corners")]
    ['1,008 of 80 configurations each', 'cells 0 and 8']
    """
    found, analysis, incomplete = list(_board_facts(puzzle)), None, None
    try:
        analysis = analyze(puzzle, budget=budget.part(ANALYSIS_SHARE))
    except (TooLarge, OutOfTime) as error:
        incomplete = str(error)
    except PuzzleError as error:
        incomplete = str(error)
    if analysis is not None:
        found += _analysis_facts(analysis)
        incomplete = analysis.too_large
    if start is not None:
        found += _position_facts(start, goal or puzzle.goal, budget.part(VERDICT_SHARE))
    found += _god_facts(puzzle, analysis, budget.part(GOD_SHARE))
    if analysis is not None:
        found += [_theorem_fact(check) for check in analysis.theorems]
        if analysis.conjecture is not None:
            found.append(Fact("conjecture", f"{analysis.conjecture.reason} (not proved)"))
    return {
        "facts": [fact.to_json() for fact in found],
        "analysis": None if analysis is None else analysis.to_json(),
        "incomplete": incomplete,
    }


def _board_facts(puzzle: Puzzle) -> Iterator[Fact]:
    """Yield what the board alone says, where it is unusual or matters for the rule."""
    board, rule = puzzle.board, puzzle.rule
    parts = components(board)
    if len(parts) > 1:
        yield Fact("connected", f"no, {len(parts):,} parts")
        return
    if rule.cells == 1 and not rule.needs_companion:
        cuts = cut_cells(board)
        whole = is_two_connected(board)
        yield Fact("2-connected", yes_no(whole) if whole else f"no: {list_cells(cuts)}", cells=tuple(cuts))
        yield Fact("bipartite", yes_no(is_bipartite(board)))
        if special := _special(board):
            yield Fact("special", special)
    if rule.corner == "pivot" and board.kind == "hex":
        reason = why_not_proper(board)
        yield Fact("proper", f"no: {reason}" if reason else "yes")


def _special(board: Board) -> str:
    if is_theta0(board):
        return "theta0, the one exception in Wilson's theorem"
    return "a cycle: the cyclic order is kept" if is_cycle(board) else ""


def _analysis_facts(analysis: Analysis) -> Iterator[Fact]:
    cells = {"tight corners": analysis.tight_corners, "stuck pieces": analysis.stuck}
    for name, value in facts(analysis):
        yield Fact(name, value, cells=tuple(cells.get(name, ())))


def _position_facts(start: Configuration, goal: Configuration, budget: Budget) -> Iterator[Fact]:
    with suppress(TooLarge, OutOfTime):
        reason = reason_unsolvable(start, goal, budget=budget)
        value = "can be solved" if reason is None else f"cannot be solved: {reason}"
        yield Fact("this position", "solved" if start == goal else value)


def _god_facts(puzzle: Puzzle, analysis: Analysis | None, budget: Budget) -> Iterator[Fact]:
    """Yield God's number, computed if that is quick, else from the literature."""
    sizes = [] if analysis is None else [family.size for family in analysis.families]
    if sizes and max(sizes) <= MAX_GOD_STATES:
        with suppress(TooLarge, OutOfTime):
            found = gods_number(puzzle, budget=replace(budget, progress=None))
            least = "" if found.exact else "at least "
            yield Fact("God's number", f"{least}{counted(found.number, 'move')} (computed)")
            return
    for known in known_results(puzzle):
        if known.metric == "single":
            yield Fact("God's number", known.text)


def _theorem_fact(check: TheoremCheck) -> Fact:
    computed = {True: "as computed", False: "BUT COMPUTED OTHERWISE", None: "not computed"}[check.agrees]
    predicts = yes_no(check.predicts) if isinstance(check.predicts, bool) else str(check.predicts)
    if len(predicts) > 60:
        predicts = f"{predicts[:57]}..."
    return Fact("theorem", f"{check.quantity} {predicts}, {computed}", check.name)
