"""Random configurations, uniform (or, gourds on large boards, nearly so) among those that can be reached."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count, repeat
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import gain_graph
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.certificate import theorem_says
from slidelab.reach.deciding import scatter
from slidelab.reach.gourds import check_countable, is_settled, scatter_gourds, why_not_settled
from slidelab.reach.group import family_group, whole_seed
from slidelab.reach.regions import is_large
from slidelab.reach.theorems import gourds_theorem

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike

__all__ = ["shuffle", "shuffles"]


def shuffle(
    puzzle: Puzzle,
    seed: int | None = None,
    start: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Configuration:
    """A configuration drawn from the component of `start` (default: the goal), all equally likely.

    A uniform shape of the family and a uniform element of the group are a uniform configuration,
    since each is reached by as many pairs as any other. Tiles on large boards need no group: see
    `slidelab.reach.deciding.scatter`. The same seed gives the same one, on every machine.

    Gourds on large boards are the exception: their order and which way round they lie are uniform, but
    how they lie comes from a random walk and is only nearly so: see
    `slidelab.reach.gourds.scatter_gourds`.

    >>> import slidelab as sl
    >>> shuffle(sl.puzzle("hex P(3,4)"), seed=7) == shuffle(sl.puzzle("hex P(3,4)"), seed=7)
    True
    """
    return next(shuffles(puzzle, seed, start, budget=budget))


def shuffles(
    puzzle: Puzzle,
    seed: int | None = None,
    start: ConfigurationLike | None = None,
    *,
    budget: Budget | None = None,
) -> Iterator[Configuration]:
    """Ever more of them, for the seeds `seed`, `seed` + 1, and so on; the group is found only once."""
    first = puzzle.goal if start is None else puzzle.configuration(start)
    seeds: Iterator[int | None] = repeat(None) if seed is None else count(whole_seed(seed))
    if is_large(puzzle) or is_settled(puzzle):
        yield from (_large(first, random.Random(one)) for one in seeds)
        return
    try:
        check_countable(puzzle, budget)
        graph = gain_graph(puzzle, budget)
        shape, arrangement = graph.place(first)
        family = graph.family(shape, budget)
        group = family_group(family, budget)
    except TooLarge:
        yield from (_large(first, random.Random(one)) for one in seeds)
        return
    for one in seeds:
        chance = random.Random(one)
        element = group.random_element(chance.getrandbits(63))
        to = int(family.members[chance.randrange(family.shapes)])
        moved = arrangement.copy()
        moved[list(element)] = arrangement
        placed = graph.configuration(to, family.from_base(to, moved))
        yield Configuration(puzzle, placed.pieces)


def _large(start: Configuration, chance: random.Random) -> Configuration:
    """Boards too big for a gain graph: where a theorem tells which arrangements can be reached."""
    puzzle = start.puzzle
    if puzzle.rule.slides_along_edges:
        return scatter(start, chance)
    if gourds_theorem(puzzle) is not None:
        return scatter_gourds(start, chance)
    if puzzle.rule.needs_companion and theorem_says(start, start) is not None:
        for _ in range(1_000_000):
            # All that can move is one component: draw until something can.
            cells = chance.sample(range(puzzle.board.size), puzzle.board.size)
            holes = cells[puzzle.piece_count :]
            if any(puzzle.board.adjacent(a, b) for a in holes for b in holes):
                drawn = Configuration(puzzle, tuple((cell,) for cell in cells[: puzzle.piece_count]))
                if len(drawn.moves):
                    return drawn
    raise TooLarge(f"{quoted(puzzle.text)} is too large to shuffle evenly; {why_not_settled(puzzle)}")
