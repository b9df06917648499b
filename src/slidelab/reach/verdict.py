"""Verdicts: whether a goal can be reached from a start, with the reason and a certificate.

The question is one membership test in the group at the start's shape. The answer comes with one sentence
that a puzzler understands and a certificate that `slidelab.reach.certificate` verifies without the group.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from slidelab.boards import is_connected
from slidelab.budget import Budget
from slidelab.display import HtmlDisplay
from slidelab.errors import TooLarge, Unsolvable
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, MoveList, Puzzle
from slidelab.reach.certificate import check
from slidelab.reach.decision import decide
from slidelab.reach.explanations import explain_decision, explain_solution, locked
from slidelab.reach.group import MAX_WORD_ENTRIES
from slidelab.reach.invariants import find_invariant, strip_order
from slidelab.reach.obstacles import find_obstacle
from slidelab.reach.proofs import proof
from slidelab.reach.prover.patched import patched_verdict
from slidelab.reach.question import Question
from slidelab.reach.regions import region_groups
from slidelab.reach.required_permutation import RequiredPermutation, required_permutation
from slidelab.reach.route import answer
from slidelab.reach.theorems import deciding_theorem
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike

__all__ = ["Verdict", "group_moves", "match_pieces", "reason_unsolvable", "solvable"]

MAX_NAMED_TILES = 8
"""Tiles that the certificate of a theorem names."""


@dataclass(frozen=True, slots=True)
class Verdict(HtmlDisplay):
    """Whether the goal can be reached: truthy or falsy, with a reason and a certificate.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(2,2)")
    >>> p.solvable("2 1 3 .")
    Verdict(solvable=False, reason='the tiles would need an odd permutation, and every loop here is even')
    """

    solvable: bool
    reason: str
    certificate: dict[str, Any] = field(repr=False, hash=False)
    start: Configuration = field(repr=False)
    goal: Configuration = field(repr=False)

    def __bool__(self) -> bool:
        return self.solvable

    def check(self) -> bool:
        """Return whether the certificate proves the verdict, without the code that made it."""
        return check(self.start, self.goal, self.solvable, self.certificate)

    @property
    def permutation(self) -> RequiredPermutation | None:
        """The permutation that takes the start to the goal; see `slidelab.Puzzle.permutation`.

        Raises
        ------
        TooLarge
            If the puzzle is too large for it.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").solvable("2 1 3 .").permutation
        <permutation (1 2), odd>
        """
        return required_permutation(self.start, self.goal)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: ``solvable``, ``reason`` and ``certificate``."""
        return {"solvable": self.solvable, "reason": self.reason, "certificate": self.certificate}

    def __str__(self) -> str:
        return f"{'solvable' if self.solvable else 'not solvable'}: {self.reason}"


def solvable(
    puzzle: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Verdict:
    """Return whether moves lead from `start` to `goal`.

    Parameters, result and errors are those of `slidelab.Puzzle.solvable`.

    Examples
    --------
    >>> import slidelab as sl
    >>> loyd = sl.puzzle("square R(4,4)").solvable("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .")
    >>> print(loyd)
    not solvable: the tiles would need an odd permutation, and every loop here is even
    >>> loyd.check()
    True
    """
    first = puzzle.configuration(start)
    last = puzzle.goal if goal is None else puzzle.configuration(goal)
    if first == last:
        return Verdict(True, "start and goal are the same", {"kind": "moves", "moves": []}, first, last)
    return _decide(
        first, last, budget, lambda: _by_graph(Question(gain_graph(puzzle, budget), first, last, budget))
    )


def reason_unsolvable(
    start: Configuration, goal: Configuration, *, budget: Budget | None = None
) -> str | None:
    """Return why no moves lead from `start` to `goal`, or None if some do; no certificate is made.

    The group is taken at the shape of the goal, where a table of distances to the goal needs it too.

    Parameters, result and errors are those of `slidelab.Puzzle.solvable`.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> reason_unsolvable(p.configuration("2 1 3 4 5 6 7 8 ."), p.goal)
    'the tiles would need an odd permutation, and every loop here is even'
    >>> reason_unsolvable(p.shuffle(seed=1), p.goal) is None
    True
    """

    def by_graph() -> Verdict:
        graph = gain_graph(start.puzzle, budget)
        if Question(graph, goal, start, budget).solution() is not None:  # moves can be taken back
            return Verdict(True, "", {}, start, goal)
        return _refuse(Question(graph, start, goal, budget))

    if start == goal:
        return None
    verdict = _decide(start, goal, budget, by_graph)
    return None if verdict else verdict.reason


def match_pieces(
    start: Configuration, goal: Configuration, *, budget: Budget | None = None
) -> tuple[Cells, ...]:
    """Return the goal placement of each piece of the start, so that numbered pieces can be brought there.

    Parameters
    ----------
    start, goal
        Configurations of one coloured puzzle.
    budget
        Shapes, memory and time that may be used.

    Raises
    ------
    Unsolvable
        If the goal cannot be reached. The message is the verdict's reason.
    TooLarge
        If the gain graph is too large, or there are too many ways to match the colours.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("cycle(6)", colours=["a", "b", "a", "b", "b"])
    >>> p.goal.pieces_text, match_pieces(p.configuration("b . a a b b"), p.goal)
    ('a a b b b .', ((0,), (1,), (4,), (2,), (3,)))
    """
    question = Question(gain_graph(start.puzzle, budget), start, goal, budget)
    element = question.solution()
    if element is None:
        raise Unsolvable(find_obstacle(question)[0])
    return question.named_goal(element)


def group_moves(start: Configuration, goal: Configuration, *, budget: Budget | None = None) -> MoveList:
    """Return moves from `start` to `goal`: loops whose product is found in the group, and a path.

    Parameters
    ----------
    start, goal
        Configurations of one puzzle.
    budget
        Shapes, memory and time that may be used.

    Raises
    ------
    Unsolvable
        If there are none. The message is the verdict's reason.
    TooLarge
        If the gain graph is too large, or the group for a table of words.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("theta(1,2,2)")
    >>> start = p.shuffle(seed=3)
    >>> start.play(*group_moves(start, p.goal)) == p.goal
    True
    """
    _check_words(start.puzzle)
    question = Question(gain_graph(start.puzzle, budget), start, goal, budget)
    element = question.solution()
    if element is None:
        raise Unsolvable(find_obstacle(question)[0])
    return question.moves(question.walk(element))


def _check_words(puzzle: Puzzle) -> None:
    """Raise `TooLarge` if the group of tiles is known to be too large for words, before it is computed."""
    if not puzzle.rule.slides_along_edges or not is_connected(puzzle.board):
        return
    groups = region_groups(puzzle.board, puzzle.hole_count)
    tiles = max((count for name, count in groups if name in ("symmetric", "alternating")), default=0)
    if tiles * (tiles + 1) // 2 - 3 > MAX_WORD_ENTRIES:
        raise TooLarge(f"words for a group on {tiles:,} tiles would need too large a table")


def _decide(
    start: Configuration, goal: Configuration, budget: Budget | None, by_graph: Callable[[], Verdict]
) -> Verdict:
    """Return what the first route that answers says; see `slidelab.reach.route`."""
    return answer(
        start.puzzle,
        budget,
        by_graph=by_graph,
        by_regions=lambda _: _by_regions(start, goal),
        by_theorem=lambda _: _by_theorem(start, goal, budget),
    )


def _by_graph(question: Question) -> Verdict:
    element = question.solution()
    if element is None:
        return _refuse(question)
    reason = explain_solution(question, element)
    return Verdict(True, reason, proof(question, element), question.start, question.goal)


def _refuse(question: Question) -> Verdict:
    return Verdict(False, *find_obstacle(question), question.start, question.goal)


def _by_regions(start: Configuration, goal: Configuration) -> Verdict:
    """Return what the regions of the board say of tiles."""
    decision = decide(start, goal)
    pieces = list(decision.pieces)
    if decision.obstacle == "place":
        pieces = [next((k for k in pieces if start.pieces[k - 1] != goal.pieces[k - 1]), pieces[0])]
    certificate = {
        "kind": "theorem",
        "name": decision.theorem,
        "because": decision.obstacle,
        "pieces": pieces[:MAX_NAMED_TILES],
    }
    reason = explain_decision(start, goal, decision, pieces)
    return Verdict(decision.solvable, reason, certificate, start, goal)


def _by_theorem(start: Configuration, goal: Configuration, budget: Budget | None) -> Verdict | None:
    """Return what a theorem, an invariant or a proof by patching says of other pieces, or None."""
    reason = locked(start, goal) if start.shape != goal.shape else None
    if reason:
        return Verdict(False, reason, {"kind": "shapes"}, start, goal)
    kept = find_invariant(start, goal)
    if kept is not None:
        return Verdict(False, *kept, start, goal)
    name, reachable = deciding_theorem(start, goal) or ("", False)
    if not reachable:  # of such pieces the papers only ever say that everything can be reached
        found = patched_verdict(start, goal, budget) if start.puzzle.rule.needs_companion else None
        return None if found is None else Verdict(*found, start, goal)
    if start.puzzle.rule.corner == "pivot":
        where = "on a proper board" if name == "Gourds, Theorem 9" else "here"
        reason = f"{where} every arrangement of gourds can be reached ({name})"
    elif strip_order(start.puzzle) is not None:
        reason = f"every arrangement with the same order of the tiles can be reached on two rows ({name})"
    else:
        reason = f"with so many holes every arrangement can be reached here ({name})"
    return Verdict(True, reason, {"kind": "theorem", "name": name}, start, goal)
