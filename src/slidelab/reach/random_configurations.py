"""Random configurations, uniform (or, gourds on large boards, nearly so) among those that can be reached."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count, repeat
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach.group import check_seed
from slidelab.reach.invariants import pieces_along, strip_order
from slidelab.reach.loop_groups import family_group
from slidelab.reach.prover.patched import draw_movable, patched_sampler
from slidelab.reach.random_gourds import random_gourds
from slidelab.reach.random_tiles import random_tiles
from slidelab.reach.route import answer
from slidelab.reach.theorems import deciding_theorem, gourds_theorem

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
    """Draw a configuration that can be reached from `start`, all with the same probability.

    A uniform shape of the family and a uniform element of the group give a uniform configuration, since each
    is obtained from as many pairs as any other. Tiles on large boards need no group: see
    `slidelab.reach.random_tiles`. Gourds on large boards are only nearly uniform: see
    `slidelab.reach.random_gourds`.

    Parameters, result and errors are those of `slidelab.Puzzle.shuffle`.

    Examples
    --------
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
    """Yield configurations for the seeds `seed`, `seed` + 1, and so on; see `shuffle`.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> drawn = shuffles(p, seed=7)
    >>> next(drawn) == p.shuffle(seed=7), next(drawn) == p.shuffle(seed=8)
    (True, True)
    """
    first = puzzle.goal if start is None else puzzle.configuration(start)
    seeds: Iterator[int | None] = repeat(None) if seed is None else count(check_seed(seed))
    draw = answer(
        puzzle,
        budget,
        by_graph=lambda: _graph_sampler(first, budget),
        by_regions=lambda _: lambda rng: random_tiles(first, rng),
        by_theorem=lambda _: _theorem_sampler(first, budget),
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


def _theorem_sampler(start: Configuration, budget: Budget | None) -> Sampler | None:
    """Draw from what can be reached, where a theorem or a proof says what that is."""
    puzzle = start.puzzle
    if gourds_theorem(puzzle) is not None:
        return lambda rng: random_gourds(start, rng)
    if puzzle.rule.needs_companion and deciding_theorem(start, start) is not None:
        order = strip_order(puzzle)
        return lambda rng: draw_movable(start, rng) if order is None else _draw_along(start, order, rng)
    return patched_sampler(start, budget) if puzzle.rule.needs_companion else None


def _draw_along(start: Configuration, order: Sequence[int], rng: random.Random) -> Configuration:
    """Draw uniform cells that are left empty on a strip, along which the tiles keep their order."""
    taken = {cell for (cell,) in draw_movable(start, rng).pieces}
    free = iter([cell for cell in order if cell in taken])
    cell_of = {piece: next(free) for piece in pieces_along(start, order)}
    return Configuration(start.puzzle, tuple((cell_of[k],) for k in range(1, start.puzzle.piece_count + 1)))
