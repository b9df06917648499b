"""The rules that texts and JSON know by name, and how another one is added."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from slidelab.boards import Board
from slidelab.errors import NotationError, PuzzleError
from slidelab.messages import did_you_mean, quoted
from slidelab.rules.checks import check_rule
from slidelab.rules.gourds import Gourds, SharpGourds
from slidelab.rules.hextiles import HexTiles
from slidelab.rules.rule import Rule
from slidelab.rules.tiles import Tiles
from slidelab.rules.trimers import BentTrimers, StraightTrimers, TriangleTrimers, Trimers

__all__ = ["RULES", "check_foreign_rule", "default_holes", "default_rule", "register_rule", "rule"]

_BUILT_IN: tuple[Rule, ...] = (
    Tiles(),
    HexTiles(),
    Gourds(),
    SharpGourds(),
    Trimers(),
    StraightTrimers(),
    BentTrimers(),
    TriangleTrimers(),
)
_rules = {rule.name: rule for rule in _BUILT_IN}

RULES: Mapping[str, Rule] = MappingProxyType(_rules)
"""The known rules by name, a read-only view; `register_rule` adds one."""


def register_rule(rule: Rule) -> Rule:
    """Make a rule known to texts and JSON, and return it.

    Parameters
    ----------
    rule
        An instance of a subclass of `Rule`. Registering an equal rule again changes nothing.

    Raises
    ------
    PuzzleError
        If another rule has that name, or if the rule breaks a limit of the core or its own promises
        (placements in least reading, reversible steps) on small boards.
    """
    check_rule(rule)
    if _rules.setdefault(rule.name, rule) != rule:
        raise PuzzleError(f"expected a new name for a rule, got {quoted(rule.name)}, which another rule has")
    return rule


def check_foreign_rule(rule: Rule, board: Board) -> None:
    """Check a rule on a board, unless it is one of our own."""
    if rule not in _BUILT_IN:
        check_rule(rule, board)


def rule(name: str) -> Rule:
    """Return the rule of that name.

    >>> rule("gourds").piece
    'gourd'
    """
    if name not in RULES:
        raise NotationError(
            f"expected a rule ({', '.join(RULES)}), got {quoted(name)}{did_you_mean(name, RULES)}"
        )
    return RULES[name]


def default_rule(board: Board) -> Rule:
    """Return the rule that is played on a board unless another is named: hexagonal tiles on hexagons."""
    return RULES["hextiles" if board.kind == "hex" else "tiles"]


def default_holes(board: Board, rule: Rule) -> int:
    """Return the smallest number of holes that the rule and the size of the board allow."""
    return rule.fewest_holes + (board.size - rule.fewest_holes) % rule.cells
