"""What the atlas computes about a puzzle: the values of a row, and a second way to find them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any

from slidelab.budget import Budget
from slidelab.distance.eccentricities import bound_gods_number
from slidelab.distance.gods_number import gods_number
from slidelab.errors import NotationError
from slidelab.messages import did_you_mean, quoted
from slidelab.puzzles import Puzzle

__all__ = ["QUESTIONS", "Question", "Values", "find_question"]

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the columns of its answers, and how they are found.

    Attributes
    ----------
    name : str
    columns : dict
        The meaning of each column.
    answer : function
        Computes the values of a row in the quickest way; long ones only if the third argument is true. What
        it returns besides columns is provenance, such as a note about the limit that was reached.
    again : function
        Computes the same values in another way, to check them; what it does not return is not compared.
    cost : function
        How many times as long the second way takes, given a row.
    """

    name: str
    columns: Mapping[str, str]
    answer: Callable[[Puzzle, Budget, bool], Values]
    again: Callable[[Puzzle, Budget], Values]
    cost: Callable[[Mapping[str, Any]], float]


GOD_COLUMNS = {
    "gods_number": "the largest distance between configurations that can reach each other",
    "radius": "the smallest eccentricity in the components that have God's number as their diameter",
    "at_least": "a proved lower bound on God's number, where that is not known",
    "at_most": "a proved upper bound on God's number, where that is not known",
    "configurations": "how many of them there are in a component that has God's number",
    "searches": "how many exhaustive searches were made",
    "kinds": "how many there are without bounds: kinds of shapes that can move, up to symmetry",
    "start": "a configuration from which the deepest search started",
    "distribution": "how many configurations there are at distances 0, 1, 2, ... from it",
}


def _god(puzzle: Puzzle, budget: Budget, distribution: bool) -> Values:
    found = bound_gods_number(puzzle, budget=budget)
    values: Values = {}
    if found.exact:
        values["gods_number"] = found.at_least
        values |= {} if found.radius is None else {"radius": found.radius}
    else:
        values["at_least"] = found.at_least
        values |= {} if found.at_most is None else {"at_most": found.at_most}
        values |= {} if found.stopped is None else {"note": found.stopped}
    values |= {"configurations": found.configurations, "searches": found.searches, "kinds": found.kinds}
    if distribution and found.deepest is not None and found.deepest.depth == found.at_least:
        values["start"] = found.deepest.start.pieces_text
        values["distribution"] = list(found.deepest.distribution)
    return values


def _god_again(puzzle: Puzzle, budget: Budget) -> Values:
    """Search from every kind of start, and leave nothing to bounds."""
    found = gods_number(puzzle, budget=budget)
    values: Values = {"gods_number": found.number, "radius": found.radius, "kinds": len(found.searches)}
    # Starts of one depth may have different distributions, and components of one diameter different sizes.
    values["start"] = [s.start.pieces_text for s in found.searches]
    values["distribution"] = [
        list(s.distances.distribution) for s in found.searches if s.depth == found.number
    ]
    values["configurations"] = [s.distances.states for s in found.searches if s.depth == found.number] or [1]
    return values


def _god_cost(values: Mapping[str, Any]) -> float:
    searches, kinds = values.get("searches"), values.get("kinds")
    if searches == 0 and kinds:
        return inf  # nothing but a bound by counting
    return max(1.0, (kinds or 0) / (searches or 1))


QUESTIONS = {
    question.name: question for question in (Question("god", GOD_COLUMNS, _god, _god_again, _god_cost),)
}
"""What can be computed; a list of the second way holds a value if it is one of its elements."""


def find_question(name: str) -> Question:
    """Return the question of that name, or raise `NotationError`.

    Examples
    --------
    >>> find_question("gods")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a question (god), got 'gods'; did you mean 'god'?
    """
    if name not in QUESTIONS:
        choices, suggestion = ", ".join(QUESTIONS), did_you_mean(name, QUESTIONS)
        raise NotationError(f"expected a question ({choices}), got {quoted(str(name))}{suggestion}")
    return QUESTIONS[name]
