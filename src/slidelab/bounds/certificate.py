"""Check the certificates of bounds: every number in them is computed again from the orders alone."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from slidelab.arguments import whole_number
from slidelab.bounds.lower import sum_of_distances
from slidelab.bounds.orders import Order
from slidelab.bounds.placing import Moves
from slidelab.bounds.upper import PairBounds, Peeling, peel, shape_images
from slidelab.budget import Budget
from slidelab.errors import NotationError, PuzzleError
from slidelab.gains import GainGraph, gain_graph
from slidelab.puzzles import Puzzle, read_document
from slidelab.reach.verdict import reason_unsolvable

__all__ = ["check_bound"]

MAX_CORE_STATES = 10**10
"""Configurations of a core; the memory of the budget is the limit that counts."""


def check_bound(certificate: Mapping[str, Any], *, budget: Budget | None = None) -> int:
    """Return the bound that a certificate proves, or raise `PuzzleError`.

    Parameters
    ----------
    certificate
        The JSON form of an `UpperBound` or a `FarPair`.
    budget
        Memory and time.

    Raises
    ------
    PuzzleError
        If the certificate is not of that form, or claims anything that is not so.

    Examples
    --------
    >>> from slidelab.bounds import upper_bound
    >>> claim = upper_bound("square R(3,3)", core_states=400).to_json()
    >>> check_bound(claim)
    42
    >>> claim["peelings"][0]["steps"][0]["moves_left"] -= 1
    >>> check_bound(claim)
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: the certificate of a bound is wrong: expected 42 moves left before ...
    """
    budget = budget or Budget()
    if not isinstance(certificate, Mapping) or certificate.get("kind") not in _CHECKS:
        raise NotationError("expected the certificate of a bound, of the kind 'upper bound' or 'far pair'")
    try:
        puzzle = read_document(certificate["puzzle"], files=False).puzzle.uncoloured
        return _CHECKS[certificate["kind"]](certificate, puzzle, budget)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise NotationError(f"the certificate of a bound has not the right form: {error!r:.80}") from None


def _wrong(expected: str, got: object) -> PuzzleError:
    return PuzzleError(f"the certificate of a bound is wrong: expected {expected}, got {got!r:.40}")


def _check_pair(certificate: Mapping[str, Any], puzzle: Puzzle, budget: Budget) -> int:
    start, goal = (puzzle.configuration(certificate[key], files=False) for key in ("start", "goal"))
    claimed = whole_number(certificate["at_least"], 0, "at_least")
    reason = reason_unsolvable(start, goal, budget=budget)
    if reason:
        raise _wrong("a goal that can be reached", reason)
    proved = sum_of_distances(start, goal, budget)
    graph = gain_graph(puzzle, budget)
    here, there = graph.place(start)[0], graph.place(goal)[0]
    far = Moves(graph).shape_distances(here)
    if claimed != proved and (claimed != proved + 1 or not _odd_only(Moves(graph), here, there, claimed)):
        raise _wrong(f"a bound of {proved}", claimed)
    if far[there] < 0:
        raise _wrong("two shapes of one family", certificate["start"])
    return claimed


def _odd_only(moves: Moves, here: int, there: int, number: int) -> bool:
    """Return whether all walks between two shapes have the parity of a number."""
    far = moves.shape_distances(here)
    joined = (moves.target >= 0) & (far[:, None] >= 0)
    mixed = (joined & ((far[:, None] + far[moves.target]) % 2 == 0)).any()
    return not mixed and (int(far[there]) - number) % 2 == 0


def _check_upper(certificate: Mapping[str, Any], puzzle: Puzzle, budget: Budget) -> int:
    graph = gain_graph(puzzle, budget)
    moves = Moves(graph)
    bounds: dict[int, tuple[PairBounds, float]] = {}
    images = list(shape_images(graph, budget))
    for claim in certificate["peelings"]:
        order = _read_order(graph, claim)
        found = peel(moves, order, MAX_CORE_STATES, budget)
        if found is None:
            raise _wrong("an order that places all pieces", claim["goal"])
        _compare(found, claim)
        root = int(graph.family_of[order.base])
        pairs, best = bounds.get(root, (PairBounds(moves, root, images), inf))
        bounds[root] = pairs, min(best, pairs.add(found)[0])
    missing = {root for root, _ in graph.families()} - set(bounds)
    if missing:
        raise _wrong("an order for each family of shapes", len(bounds))
    proved = int(max((best for _, best in bounds.values()), default=0))
    if certificate["at_most"] != proved:
        raise _wrong(f"a bound of {proved}", certificate["at_most"])
    return proved


def _compare(found: Peeling, claim: Mapping[str, Any]) -> None:
    """Raise `PuzzleError` unless all numbers of an order are as they are claimed."""
    claimed = [step["moves_left"] for step in claim["steps"]]
    for number, (here, there) in enumerate(zip(found.worst[:-1], claimed, strict=True), 1):
        if here != there:
            raise _wrong(f"{here} moves left before step {number}", there)
    for name, value in (("core", found.worst[-1]), ("travel", int(found.travel.max()))):
        if claim[name] != value:
            raise _wrong(f"{value} moves at {name!r}", claim[name])


def _read_order(graph: GainGraph, claim: Mapping[str, Any]) -> Order:
    """Return the order of a certificate."""

    def placement(cells: list[int]) -> int:
        least = min(graph.puzzle.rule.readings(tuple(cells)))
        if least not in graph.steps.number:
            raise _wrong("cells on which a piece can lie", cells)
        return graph.placement_number(least)

    base = graph.place(graph.puzzle.configuration(claim["goal"], files=False))[0]
    groups = tuple(tuple(placement(cells) for cells in step["pieces"]) for step in claim["steps"])
    named = [p for group in groups for p in group]
    covered = {graph.placement_number(min(graph.puzzle.rule.readings(cells))) for cells in graph.slots(base)}
    if len(set(named)) < len(named) or not covered.issuperset(named):
        raise _wrong("pieces of the goal, each in one step", claim["steps"])
    return Order(base, groups)


_CHECKS = {"far pair": _check_pair, "upper bound": _check_upper}
"""What checks a certificate of each kind."""
