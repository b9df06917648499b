"""The rules: what the pieces are and how one may move. One file a rule, one protocol for all."""

from __future__ import annotations

from slidelab.errors import NotationError
from slidelab.rules.gourds import Gourds, SharpGourds
from slidelab.rules.hextiles import HexTiles
from slidelab.rules.rule import Cells, Rule, Step
from slidelab.rules.tiles import Tiles
from slidelab.rules.trimers import BentTrimers, StraightTrimers, TriangleTrimers, Trimers

__all__ = ["RULES", "Cells", "Rule", "Step", "rule"]

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
        raise NotationError(f"expected a rule ({', '.join(RULES)}), got {name!r}")
    return RULES[name]
