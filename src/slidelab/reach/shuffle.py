"""Random configurations, uniform (or, gourds on large boards, nearly so) among those that can be reached."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count, repeat
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import TooLarge
from slidelab.gains import gain_graph
from slidelab.messages import quoted
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.certificate import theorem_says
from slidelab.reach.group import family_group, whole_seed
from slidelab.reach.random_gourds import random_gourds
from slidelab.reach.random_tiles import random_tiles
from slidelab.reach.route import answer
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
    `slidelab.reach.random_tiles.random_tiles`. The same seed gives the same one, on every machine.

    Gourds on large boards are the exception: their order and which way round they lie are uniform, but
    how they lie comes from a random walk and is only nearly so: see
    `slidelab.reach.random_gourds.random_gourds`.

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
    draw = answer(
        puzzle,
        budget,
        by_graph=lambda: _graph_sampler(first, budget),
        by_regions=lambda _: lambda rng: random_tiles(first, rng),
        by_theorem=lambda _: _theorem_sampler(first),
    )
    yield from (draw(random.Random(one)) for one in seeds)


Sampler = Callable[[random.Random], Configuration]


def _graph_sampler(start: Configuration, budget: Budget | None) -> Sampler:
    """Draw a uniform element of the group, and a uniform shape to carry the pieces to."""
    graph = gain_graph(start.puzzle, budget)
    shape, arrangement = graph.place(start)
    family = graph.family(shape, budget)
    group = family_group(family, budget)

    def draw(rng: random.Random) -> Configuration:
        element = group.random_element(rng.getrandbits(63))
        to = int(family.members[rng.randrange(family.shapes)])
        moved = arrangement.copy()
        moved[list(element)] = arrangement
        placed = graph.configuration(to, family.from_base(to, moved))
        return Configuration(start.puzzle, placed.pieces)

    return draw


def _theorem_sampler(start: Configuration) -> Sampler | None:
    """Draw among all configurations that can move, where a theorem says that they are one component."""
    puzzle = start.puzzle
    if gourds_theorem(puzzle) is not None:
        return lambda rng: random_gourds(start, rng)
    if puzzle.rule.needs_companion and theorem_says(start, start) is not None:
        return lambda rng: _draw_movable(puzzle, rng)
    return None


def _draw_movable(puzzle: Puzzle, rng: random.Random) -> Configuration:
    """Draw uniform configurations until one can move."""
    for _ in range(1_000_000):
        cells = rng.sample(range(puzzle.board.size), puzzle.board.size)
        holes = cells[puzzle.piece_count :]
        if any(puzzle.board.adjacent(a, b) for a in holes for b in holes):
            drawn = Configuration(puzzle, tuple((cell,) for cell in cells[: puzzle.piece_count]))
            if len(drawn.moves):
                return drawn
    raise TooLarge(f"no configuration of {quoted(puzzle.text)} that can move was drawn in 1,000,000 attempts")
