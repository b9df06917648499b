"""What can be reached: analyses, verdicts with certificates, random configurations, and their groups.

Builds on the gain graph. Start with `route.py`, which chooses how a question is answered, then `analysis.py`
and `verdict.py`; `certificate.py` checks verdicts independently.
"""

from slidelab.reach.analysis import Analysis, TheoremCheck, analyze
from slidelab.reach.certificate import check
from slidelab.reach.families import FamilyReport, count_components
from slidelab.reach.group import PermutationGroup
from slidelab.reach.loop_groups import family_group, group_at
from slidelab.reach.random_configurations import shuffle, shuffles
from slidelab.reach.route import Route, find_route
from slidelab.reach.theorems import Prediction, predictions
from slidelab.reach.verdict import Verdict, group_moves, reason_unsolvable, solvable

__all__ = [
    "Analysis",
    "FamilyReport",
    "PermutationGroup",
    "Prediction",
    "Route",
    "TheoremCheck",
    "Verdict",
    "analyze",
    "check",
    "count_components",
    "family_group",
    "find_route",
    "group_at",
    "group_moves",
    "predictions",
    "reason_unsolvable",
    "shuffle",
    "shuffles",
    "solvable",
]
