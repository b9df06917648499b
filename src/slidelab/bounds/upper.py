"""An upper bound on God's number that is proved: place the pieces in order, and add up worst cases.

Let the pieces be placed group by group. For each group the worst case over all spots of its pieces and all
shapes is found exactly, and a core is searched with all its pieces. The worst cases are not just added: the
value of a shape is the most moves that are left from there, so a step may end with the holes where the next
step is cheap. No matter where all other pieces lie, a solution never takes more moves. docs/heights.md has
the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slidelab.arguments import whole_number
from slidelab.boards import symmetries
from slidelab.bounds.orders import Limits, Order, order_towards
from slidelab.bounds.placing import Moves, Region
from slidelab.budget import Budget
from slidelab.distance.starts import in_order
from slidelab.errors import OutOfTime, TooLarge
from slidelab.gains import GainGraph, gain_graph
from slidelab.puzzles import Puzzle, PuzzleLike
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.loop_groups import family_group

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PairBounds", "Peeling", "UpperBound", "peel", "shape_images", "upper_bound"]

MAX_PAIRED_SHAPES = 3000
"""Shapes of a family up to which all pairs of start and goal are compared: some ten megabytes."""

MAX_IMAGES = 12
"""Symmetric images of a peeling that are used: all of those of squares and hexagons."""

MAX_FAMILIES = 20
"""Families of shapes each of which is bounded; thin boards of hexagons have thousands of tiny ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Peeling:
    """An order with the worst case of each of its steps.

    Attributes
    ----------
    order : Order
    worst : tuple of int
        The most moves that are left before each group, and last those of the core.
    values : array
        For each shape, the most moves from there to the goal of the order; -1 in other families.
    travel : array
        For each shape, the fewest moves between it and the shape of that goal.
    """

    order: Order
    worst: tuple[int, ...]
    values: NDArray[np.int64]
    travel: NDArray[np.int64]


def peel(moves: Moves, order: Order, core_states: int, budget: Budget) -> Peeling | None:
    """Return the worst cases of an order, from the core outwards.

    None if it does not solve everything, or if the core has more than `core_states` configurations.

    Raises
    ------
    TooLarge
        If a step has too many states for the memory.
    """
    import numpy as np

    region = Region(moves, order.base, order.placed)
    core = region.depths(budget, core_states)
    if core is None:
        return None
    values, order_so_far = core
    worst = [int(values.max())]
    for group in reversed(order.groups):
        outer = Region(moves, order.base, region.frozen.difference(group))
        values, orbit = outer.worst_cases(group, region, values, budget)
        region = outer
        order_so_far *= orbit
        worst.append(int(values.max()))
    # By the orbit-stabilizer theorem the product is at most the order of the whole group. If it is the same,
    # then at each step the pieces can be placed, and what is left can do the rest.
    if order_so_far != family_group(moves.graph.family(order.base, budget), budget).order:
        return None
    everywhere = np.full(len(moves.target), -1, dtype=np.int64)
    everywhere[region.members] = values
    return Peeling(order, tuple(reversed(worst)), everywhere, moves.shape_distances(order.base))


@dataclass(frozen=True, slots=True, eq=False)
class UpperBound:
    """A number of moves that is enough between any two configurations that can reach each other.

    Attributes
    ----------
    puzzle : Puzzle
    number : int
    peelings : tuple of Peeling
        The orders whose worst cases prove it. For each pair of shapes the best of them counts, in the
        direction that is better, with its images under the symmetries of the board.

    Examples
    --------
    >>> upper_bound("square R(4,4)")
    <God's number of 'square R(4,4) tiles 1' <= 120>
    """

    puzzle: Puzzle
    number: int
    peelings: tuple[Peeling, ...]

    def __repr__(self) -> str:
        return f"<God's number of {self.puzzle.text!r} <= {self.number}>"

    def __int__(self) -> int:
        return self.number

    @property
    def reason(self) -> str:
        """How it is proved, in a few words."""
        steps = max((len(p.order.groups) for p in self.peelings), default=0)
        if not self.peelings:
            return "nothing can move"
        if not steps:
            return "by a search for each goal"
        in_steps = "one step" if steps == 1 else f"{steps} steps"
        return f"by placing the pieces in {in_steps}"

    def to_json(self) -> dict[str, Any]:
        """Return the certificate: the orders and the worst case before each step."""
        return {
            "kind": "upper bound",
            "puzzle": self.puzzle.to_json(),
            "at_most": self.number,
            "peelings": [_peeling_json(gain_graph(self.puzzle), p) for p in self.peelings],
        }


def _peeling_json(graph: GainGraph, found: Peeling) -> dict[str, Any]:
    steps = zip(found.order.groups, found.worst[:-1], strict=True)
    return {
        "goal": in_order(graph.puzzle, frozenset(graph.slots(found.order.base))).to_json(),
        "steps": [
            {"pieces": [list(graph.placements[p]) for p in group], "moves_left": worst}
            for group, worst in steps
        ],
        "core": found.worst[-1],
        "travel": int(found.travel.max()),
    }


def upper_bound(
    source: PuzzleLike,
    *,
    step_states: int = Limits().step_states,
    core_states: int = Limits().core_states,
    rounds: int = 3,
    budget: Budget | None = None,
) -> UpperBound | None:
    """Return an upper bound on God's number with its proof; None if no order is found.

    Parameters
    ----------
    source
        A puzzle, or anything that `slidelab.puzzle` reads. Its colours do not matter: fewer moves may do.
    step_states, core_states
        States that are searched for each step, and for the core. More pieces are placed at once if there are
        more, and the bound gets better.
    rounds
        Number of orders for each family of shapes, each towards the goal that is worst so far.
    budget
        Memory and time; when time is up, the best bound so far is returned.

    Returns
    -------
    UpperBound or None

    Raises
    ------
    TooLarge
        If there are too many shapes.

    Examples
    --------
    >>> bound = upper_bound("square R(3,3)", core_states=400)
    >>> bound.number, bound.reason
    (42, 'by placing the pieces in one step')
    >>> print(upper_bound("cycle(12)"))
    <God's number of 'cycle(12) tiles 1' <= 66>
    """
    puzzle = as_puzzle(source).uncoloured
    for name, value in (("step_states", step_states), ("core_states", core_states), ("rounds", rounds)):
        whole_number(value, 1, name)
    budget = budget or Budget()
    graph = gain_graph(puzzle, budget)
    moves = Moves(graph)
    families = graph.families()
    if len(families) > MAX_FAMILIES:
        return None
    limits = Limits(step_states, core_states)
    images = list(shape_images(graph, budget))
    number, peelings = 0, []
    for root, _ in families:
        bounded = _bound_family(moves, root, images, limits, rounds, budget)
        if bounded is None:
            return None
        number = max(number, bounded[0])
        peelings += bounded[1]
    return UpperBound(puzzle, number, tuple(peelings))


def _bound_family(
    moves: Moves,
    root: int,
    images: Sequence[NDArray[np.int64]],
    limits: Limits,
    rounds: int,
    budget: Budget,
) -> tuple[int, list[Peeling]] | None:
    """Return the bound of a family of shapes and the peelings that prove it."""
    best: tuple[int, list[Peeling]] | None = None
    pairs = PairBounds(moves, root, images)
    towards = _first_goal(moves, root)
    tried: set[int] = set()
    while len(tried) < rounds and towards not in tried:
        tried.add(towards)
        try:
            order = order_towards(moves, towards, limits, budget)
            found = None if order is None else peel(moves, order, limits.core_states, budget)
        except (OutOfTime, TooLarge):
            if best is None:
                raise
            break
        if found is None:
            break
        number, towards = pairs.add(found)
        if best is None or number < best[0]:
            best = (number, [*(best[1] if best else []), found])
    return best


def _first_goal(moves: Moves, root: int) -> int:
    """Return a shape that is about in the middle of its family."""
    far = moves.shape_distances(root)
    between = far == far.max() // 2
    return int(between.argmax())


class PairBounds:
    """For each pair of shapes of a family, the fewest moves that some peeling proves to be enough."""

    def __init__(self, moves: Moves, root: int, images: Sequence[NDArray[np.int64]]) -> None:
        import numpy as np

        self.members = np.flatnonzero(moves.graph.family_of == moves.graph.family_of[root])
        self.images = images
        paired = len(self.members) <= MAX_PAIRED_SHAPES
        size = (len(self.members),) * 2 if paired else (len(self.members),)
        self.best = np.full(size, np.iinfo(np.int64).max // 4)
        self.paired = paired

    def add(self, found: Peeling) -> tuple[int, int]:
        """Use a peeling, and return the bound and a shape that is worst as a goal."""
        import numpy as np

        for image in self.images:
            # A symmetry takes shape s to image[s], and the peeling to one for the images of its shapes.
            values, travel = (row[image][self.members] for row in (found.values, found.travel))
            if (values < 0).any():
                continue  # the image of another family
            if not self.paired:  # from a shape to the goal of the order, and on to any other goal
                np.minimum(self.best, values + travel.max(), out=self.best)
                continue
            both = values[:, None] + travel[None, :]
            np.minimum(self.best, np.minimum(both, both.T), out=self.best)
        worst = int(self.best.argmax())
        goal = worst % len(self.members)
        return int(self.best.max()), int(self.members[goal])


def shape_images(graph: GainGraph, budget: Budget) -> Iterator[NDArray[np.int64]]:
    """Yield what some symmetries of the board do to the shapes, the identity first."""
    import numpy as np

    identity = tuple(range(graph.puzzle.board.size))
    known = [identity]
    try:
        generators = [tuple(g) for g in symmetries(graph.puzzle.board).generators if graph.keeps_rule(g)]
    except TooLarge:
        generators = []
    for one in known:
        for generator in generators:
            product = tuple(generator[cell] for cell in one)
            if product not in known and len(known) < MAX_IMAGES:
                known.append(product)
    for symmetry in known:
        yield np.asarray(graph.image_shapes(symmetry, budget))
