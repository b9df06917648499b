"""Puzzles as tasks for planners: PDDL and SAS+, and plans read back.

`task.py` describes a puzzle as actions on spots and cells, for every rule; `pddl_text.py` and `sas_text.py`
write it down, and `plans.py` reads what a planner answers.
"""

from slidelab.bridges.planning.pddl_text import Pddl, pddl
from slidelab.bridges.planning.plans import read_plan
from slidelab.bridges.planning.sas_text import SasPlus, sas_plus

__all__ = ["Pddl", "SasPlus", "pddl", "read_plan", "sas_plus"]
