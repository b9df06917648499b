"""Between which numbers does God's number lie, where no search ends?

Builds on gain graphs, distances and the orders of `solve.huge`. Start reading with `upper` (place the pieces
in order, and add exact worst cases) and `lower` (two configurations whose pieces have far to go); `placing`
has the search of a step, `orders` the orders, `certificate` checks what they claim.
"""

from slidelab.bounds.certificate import check_bound
from slidelab.bounds.lower import FarPair, far_pair, sum_of_distances
from slidelab.bounds.orders import Limits, Order
from slidelab.bounds.report import GodsNumberBounds, gods_number_bounds
from slidelab.bounds.upper import Peeling, UpperBound, upper_bound

__all__ = [
    "FarPair",
    "GodsNumberBounds",
    "Limits",
    "Order",
    "Peeling",
    "UpperBound",
    "check_bound",
    "far_pair",
    "gods_number_bounds",
    "sum_of_distances",
    "upper_bound",
]
