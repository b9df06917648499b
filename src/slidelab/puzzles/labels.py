"""Labels of pieces: the numbers and words that stand for them in texts, and their colours."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.rules import Rule

if TYPE_CHECKING:
    from slidelab.puzzles.definition import Puzzle

__all__ = [
    "Colours",
    "Labels",
    "expand_labels",
    "is_number",
    "is_word",
    "least_reading",
    "natural_order",
    "piece_labels",
]

Labels = tuple[str, ...]
"""The labels of one piece: one for a tile, head and tail for a gourd."""

Colours = tuple[Labels, ...]
"""The labels of each piece of a coloured puzzle."""

_WORD = re.compile(r"\w{1,60}")


def is_number(label: str) -> bool:
    """Return whether a label is a number as texts use them: at most nine ASCII digits."""
    return label.isascii() and label.isdigit() and len(label) < 10


def is_word(label: str) -> bool:
    """Return whether a label is a word, which stands for a colour: letters and digits, not digits alone.

    >>> is_word("red"), is_word("x1"), is_word("12"), is_word("a-b")
    (True, True, False, False)
    """
    return bool(_WORD.fullmatch(label)) and any(c.isalpha() or c == "_" for c in label)


def expand_labels(rule: Rule, entry: str | int | Sequence[str | int]) -> Labels:
    """Return the labels of one piece; a single one is repeated for all its ends."""
    labels = [str(label) for label in ([entry] if isinstance(entry, str | int) else entry)]
    return tuple(labels * rule.turns if len(labels) == 1 else labels)


def piece_labels(puzzle: Puzzle) -> list[str]:
    """Return the label of each piece of a puzzle: its number, or its colours.

    >>> import slidelab as sl
    >>> piece_labels(sl.puzzle("square R(2,2)")), piece_labels(sl.puzzle("square R(2,2) : a b b ."))
    (['1', '2', '3'], ['a', 'b', 'b'])
    """
    if puzzle.colours is None:
        return [str(number) for number in range(1, puzzle.piece_count + 1)]
    return ["-".join(labels) for labels in puzzle.colours]


def least_reading(rule: Rule, labels: Labels) -> Labels:
    """Return the reading of the labels that stands for all of them, numbers before words."""
    return min(rule.readings(labels), key=natural_order)


def natural_order(labels: Labels) -> list[tuple[bool, int, str]]:
    """Return a sort key that orders numbers by value, before words."""
    return [(not is_number(label), int(label) if is_number(label) else 0, label) for label in labels]
