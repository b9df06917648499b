"""Which puzzles a method accepts: each function returns None, or why it does not take a puzzle."""

from __future__ import annotations

from slidelab.messages import quoted
from slidelab.puzzles import Puzzle

__all__ = ["any_puzzle", "for_cubic", "for_cycle", "for_peel", "for_wilson"]


def any_puzzle(_: Puzzle) -> str | None:
    """Accept everything."""
    return None


def for_peel(puzzle: Puzzle) -> str | None:
    """Accept tiles, hextiles, and gourds with one hole."""
    rule = puzzle.rule
    if rule.slides_along_edges or rule.needs_companion or for_cycle(puzzle) is None:
        return None
    return (
        f"expected tiles, hextiles or gourds with one hole for peel, got {quoted(puzzle.text)}; "
        "group takes every rule"
    )


def for_wilson(puzzle: Puzzle) -> str | None:
    """Accept tiles with one hole.

    >>> import slidelab as sl
    >>> for_wilson(sl.puzzle("hex F(2)"))
    "expected tiles with one hole for wilson, got 'hex F(2) hextiles 2'"
    """
    if puzzle.rule.slides_along_edges and puzzle.hole_count == 1:
        return None
    return f"expected tiles with one hole for wilson, got {quoted(puzzle.text)}"


def for_cycle(puzzle: Puzzle) -> str | None:
    """Accept gourds that pivot, with one hole."""
    return _for_gourds(puzzle, "cycle")


def for_cubic(puzzle: Puzzle) -> str | None:
    """Accept the same."""
    return _for_gourds(puzzle, "cycle-cubic")


def _for_gourds(puzzle: Puzzle, name: str) -> str | None:
    if puzzle.rule.corner == "pivot" and puzzle.hole_count == 1:
        return None
    return f"expected gourds with one hole for {name}, got {quoted(puzzle.text)}"
