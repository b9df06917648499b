"""The rules: what the pieces are and how one may move. One file a rule, one protocol for all."""

from __future__ import annotations

from slidelab.boards import Board
from slidelab.errors import NotationError
from slidelab.messages import quoted
from slidelab.rules.gourds import Gourds, SharpGourds
from slidelab.rules.hextiles import HexTiles
from slidelab.rules.rule import Cells, Rule, Step
from slidelab.rules.tiles import Tiles
from slidelab.rules.trimers import BentTrimers, StraightTrimers, TriangleTrimers, Trimers

__all__ = ["RULES", "Cells", "Rule", "Step", "default_holes", "default_rule", "rule"]

RULES: dict[str, Rule] = {
    r.name: r
    for r in (
        Tiles(),
        HexTiles(),
        Gourds(),
        SharpGourds(),
        Trimers(),
        StraightTrimers(),
        BentTrimers(),
        TriangleTrimers(),
    )
}


def rule(name: str) -> Rule:
    """The rule of that name.

    >>> rule("gourds").piece
    'gourd'
    """
    if name not in RULES:
        raise NotationError(f"expected a rule ({', '.join(RULES)}), got {quoted(name)}")
    return RULES[name]


def default_rule(board: Board) -> Rule:
    """Return the rule that is played on a board unless another is named: hexagonal tiles on hexagons."""
    return RULES["hextiles" if board.kind == "hex" else "tiles"]


def default_holes(board: Board, rule: Rule) -> int:
    """Return the smallest number of holes that the rule and the size of the board allow."""
    return rule.fewest_holes + (board.size - rule.fewest_holes) % rule.cells
