"""What the pieces are and how one may move: one file for each rule, behind one base class.

Builds on boards. Start with `rule.py`, then `tiles.py`; `registry.py` knows the rules by name.
"""

from slidelab.rules.registry import (
    RULES,
    check_foreign_rule,
    default_holes,
    default_rule,
    register_rule,
    rule,
)
from slidelab.rules.rule import Cells, Rule, Step

__all__ = [
    "RULES",
    "Cells",
    "Rule",
    "Step",
    "check_foreign_rule",
    "default_holes",
    "default_rule",
    "register_rule",
    "rule",
]
