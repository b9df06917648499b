"""Conditions on a board by which gourds can be rearranged freely, if a conjecture is right.

The conjecture, what is proved of it and why the methods are right is in `docs/atlas-gourds.md`. Answers come
with certificates, which `certificates` checks with code of its own. Start reading with `conditions`.
"""

from slidelab.reach.criterion.certificates import check_conditions
from slidelab.reach.criterion.conditions import GourdConditions, gourd_conditions
from slidelab.reach.criterion.conjecture import Conjecture, conjecture

__all__ = ["Conjecture", "GourdConditions", "check_conditions", "conjecture", "gourd_conditions"]
