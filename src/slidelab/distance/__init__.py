"""How far is it? Distances from a start, God's number, and tables of all distances to a goal.

Builds on gain graphs and groups (`gains`, `reach`): the states of a component get an index, and the core
searches them layer by layer. Start with `distances.py`, then `gods_number.py` and `table.py`.
"""

from slidelab.distance.distances import Distances
from slidelab.distance.gods_number import GodsNumber, StartSearch
from slidelab.distance.metric import Metric
from slidelab.distance.search import Plan, PlanCallback
from slidelab.distance.table import DistanceTable, distance_table

__all__ = [
    "DistanceTable",
    "Distances",
    "GodsNumber",
    "Metric",
    "Plan",
    "PlanCallback",
    "StartSearch",
    "distance_table",
]
