"""Random configurations at an exact distance from a goal, or of a difficulty.

Three ways, from the best to the last resort:

1. If the bit arrays of the whole component take at most `MAX_LAYER_BYTES`, breadth-first search goes to the
   distance and draws uniformly from its layer. The largest distance is known as well.
2. Else, near the goal, the same over rows of an array (`slidelab.distance.layers`).
3. Else random walks that are solved with proof (`slidelab.solve.random_walks`): exact, but not uniform.

A difficulty is a share of the distance at which a random configuration typically is: see `LEVELS`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, Literal, get_args

from slidelab.arguments import whole_number
from slidelab.budget import Budget
from slidelab.distance.layers import BallLayers, ComponentLayers, Layers, draw_ranks
from slidelab.errors import NotationError, NotReached, OutOfTime, TooLarge
from slidelab.messages import counted
from slidelab.puzzles import Configuration, Puzzle, Solution
from slidelab.reach.group import check_seed
from slidelab.reach.random_configurations import shuffles
from slidelab.reach.route import find_route
from slidelab.solve.random_walks import WalkLimits, WalkSampler

if TYPE_CHECKING:
    from slidelab.puzzles import ConfigurationLike

__all__ = [
    "DIFFICULTIES",
    "LEVELS",
    "Difficulty",
    "Instance",
    "Instances",
    "generators",
    "level_distance",
    "parse_difficulty",
    "random_instances",
]

Difficulty = Literal["easy", "medium", "hard", "hardest"]

DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)

LEVELS: dict[Difficulty, float] = {"easy": 1 / 3, "medium": 2 / 3, "hard": 1.0}
"""Distance of each difficulty but the hardest, as a share of the median distance of all configurations."""

MAX_LAYER_BYTES = 1_000_000_000
"""Bit arrays of a component that are searched for its layers: some four billion configurations."""

MAX_INSTANCES = 1_000_000
"""Configurations drawn at once."""

MEDIAN_SAMPLES = 101
"""Random configurations whose lower bounds stand for the distances of a component that is too large."""

LEVEL_LIMITS = WalkLimits(near=60, hard=3, time_share=0.5)
"""When to give up the proof for a difficulty, of which an estimate will do."""

MAX_REPEATS = 20
"""Draws of a walk until it leads to a configuration that was not drawn before."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A random configuration, and how far it is from the goal.

    Attributes
    ----------
    configuration, goal : Configuration
    distance : int
        Moves of a shortest solution; if not `proved`, a lower bound.
    proved : bool
    among : int, optional
        The number of configurations at this distance, if it was drawn uniformly from them.
    solution : Solution, optional
        A shortest solution, if one was needed for the proof.
    """

    configuration: Configuration
    goal: Configuration
    distance: int
    proved: bool = True
    among: int | None = None
    solution: Solution | None = None

    @property
    def text(self) -> str:
        """The configuration in one line."""
        return self.configuration.text

    @property
    def description(self) -> str:
        """The distance, whether it is proved, and how the configuration was drawn, in one line.

        >>> import slidelab as sl
        >>> goal = sl.puzzle("square R(2,2)").goal
        >>> Instance(goal, goal, 0, among=1).description
        '0 moves from the goal, drawn uniformly from 1 configuration'
        """
        moves = counted(self.distance, "move")
        if not self.proved:
            return f"at least {moves} from the goal; the distance is estimated by a lower bound"
        if self.among is None:
            return f"{moves} from the goal, drawn from shortest solutions of random walks, not uniformly"
        return f"{moves} from the goal, drawn uniformly from {counted(self.among, 'configuration')}"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form: puzzle, start and goal, as every command reads them, and the distance."""
        known = {"distance": self.distance} if self.proved else {"at_least": self.distance}
        return {
            "puzzle": self.configuration.puzzle.to_json(),
            "start": self.configuration.to_json(),
            "goal": self.goal.to_json(),
            **known,
            "proved": self.proved,
            "among": self.among,
        }


class Instances:
    """Draws random configurations at given distances from one goal.

    Parameters
    ----------
    puzzle
    goal
        A configuration, or anything that `Puzzle.configuration` reads; by default `Puzzle.goal`.
    budget

    Examples
    --------
    >>> import slidelab as sl
    >>> instances = Instances(sl.puzzle("square R(3,3)"))
    >>> [instance] = instances.at(20, [random.Random(7)])
    >>> instance.distance, instance.among, sl.distance_table(instances.goal).distance(instance.configuration)
    (20, 16993, 20)
    >>> [level_distance(instances, level) for level in ("easy", "medium", "hard", "hardest")]
    [7, 15, 22, 31]
    """

    def __init__(
        self, puzzle: Puzzle, goal: ConfigurationLike | None = None, *, budget: Budget | None = None
    ) -> None:
        self.goal = puzzle.goal if goal is None else puzzle.configuration(goal)
        self.budget = budget or Budget()
        self._component: ComponentLayers | None = None
        self._refusal: TooLarge | None = None
        self._ball: BallLayers | None = None
        self._walks: WalkSampler | None = None
        self._distribution: list[int] | None = None

    # Ways to draw

    def component(self, max_bytes: int = MAX_LAYER_BYTES) -> ComponentLayers:
        """Return the layers of the whole component; raise `TooLarge` if they take more bytes."""
        if self._component is None:
            if self._refusal is not None and max_bytes <= MAX_LAYER_BYTES:
                raise self._refusal
            try:
                self._component = self._build_component(max_bytes)
            except TooLarge as error:
                self._refusal = error
                raise
        return self._component

    def _build_component(self, max_bytes: int) -> ComponentLayers:
        route = find_route(self.goal.puzzle, self.budget)
        if route.name != "gain graph":
            raise TooLarge(f"expected a puzzle small enough to be searched; {route.reason}")
        return ComponentLayers(self.goal, budget=self.budget.share(memory=max_bytes))

    def _layers(self) -> Layers:
        """Return the layers that a draw goes through first."""
        with suppress(TooLarge):
            return self.component()
        if self._ball is None:
            self._ball = BallLayers(self.goal, budget=self.budget)
        return self._ball

    @property
    def walks(self) -> WalkSampler:
        """The sampler that proves distances by search."""
        if self._walks is None:
            self._walks = WalkSampler(self.goal, budget=self.budget)
        return self._walks

    def distribution(self, max_bytes: int = MAX_LAYER_BYTES) -> list[int]:
        """Return the number of configurations at each distance from the goal.

        Raises
        ------
        TooLarge
            If the component is too large to be searched.
        """
        if self._distribution is None:
            layers = self.component(max_bytes)
            while layers.advance():
                pass
            self._distribution = layers.sizes
        return self._distribution

    # Draws

    def at(
        self, distance: int, rngs: Sequence[random.Random], limits: WalkLimits | None = None
    ) -> Iterator[Instance]:
        """Yield a configuration at exactly this distance for each generator, different ones if possible.

        Raises
        ------
        NotationError
            If there is none, and the largest distance is known.
        NotReached
            If none was found within the limits.
        TooLarge
            If there is no way to prove distances of this puzzle.
        """
        depth = 0
        try:
            layers = self._layers()
            try:
                found = layers.move_to(distance)
            except TooLarge:
                yield from self._on_walks(distance, rngs, limits)
                return
            finally:
                depth = layers.depth
        except OutOfTime:
            raise NotReached(distance, None, depth) from None
        if not found:
            largest = f"{counted(layers.depth, 'move')}, the largest distance from the goal"
            raise NotationError(f"expected at most {largest}, got {distance:,}")
        size = layers.sizes[distance]
        for configuration in layers.configurations(draw_ranks(size, rngs)):
            yield Instance(configuration, self.goal, distance, among=size)

    def _on_walks(
        self, distance: int, rngs: Sequence[random.Random], limits: WalkLimits | None
    ) -> Iterator[Instance]:
        seen: set[Configuration] = set()
        for rng in rngs:
            for _ in range(MAX_REPEATS):
                solution = self.walks.draw(distance, rng, limits)
                if solution.start not in seen:
                    break
            seen.add(solution.start)
            yield Instance(solution.start, self.goal, distance, solution=solution)

    def estimated(self, bound: int, rngs: Sequence[random.Random]) -> Iterator[Instance]:
        """Yield configurations that are at least so many moves from the goal, without proof of how far."""
        for rng in rngs:
            configuration = self.walks.draw_by_bound(bound, rng)
            bound = self.walks.lower_bound(configuration)
            yield Instance(configuration, self.goal, bound, proved=False)

    def of_level(self, level: Difficulty, rngs: Sequence[random.Random]) -> Iterator[Instance]:
        """Yield a configuration of a difficulty for each generator.

        On boards where the distance cannot be proved within `LEVEL_LIMITS`, it is estimated.
        """
        distance = level_distance(self, level)
        drawn = 0
        try:
            for instance in self.at(distance, rngs, LEVEL_LIMITS):
                drawn += 1
                yield instance
        except NotReached:
            if self._refusal is None:
                raise
            yield from self.estimated(distance, rngs[drawn:])


def parse_difficulty(name: str) -> Difficulty:
    """Return the name of a difficulty.

    >>> parse_difficulty("insane")
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected a difficulty (easy, medium, hard or hardest), got 'insane'
    """
    for known in DIFFICULTIES:
        if known == name:
            return known
    *others, last = DIFFICULTIES
    raise NotationError(f"expected a difficulty ({', '.join(others)} or {last}), got {name!r:.40}")


def level_distance(instances: Instances, level: Difficulty) -> int:
    """Return the distance of a difficulty.

    ``hard`` is the median distance of all configurations, as far as a random one typically is; ``medium`` two
    thirds of it, ``easy`` one third; ``hardest`` is the largest distance. Where the component is too large to
    be searched, the median of the lower bounds of 101 random configurations stands in for the median
    distance, and the largest distance is not known.

    Raises
    ------
    NotationError
        If there is no such difficulty.
    TooLarge
        For ``hardest``, if the component does not fit into memory.

    Examples
    --------
    >>> import slidelab as sl
    >>> level_distance(Instances(sl.puzzle("hex F(2)", holes=2)), "hardest")
    16
    """
    level = parse_difficulty(level)
    if level == "hardest":
        return len(instances.distribution(instances.budget.memory)) - 1
    try:
        distribution = instances.distribution()
    except TooLarge:
        return max(1, round(LEVELS[level] * _median_bound(instances)))
    reached = accumulate(distribution)
    median = next(d for d, count in enumerate(reached) if 2 * count >= sum(distribution))
    return min(len(distribution) - 1, max(1, round(LEVELS[level] * median)))


def _median_bound(instances: Instances) -> int:
    """Return the median lower bound of random configurations; seeds are fixed, so it is always the same."""
    goal, budget = instances.goal, instances.budget
    drawn = islice(shuffles(goal.puzzle, 0, goal, budget=budget), MEDIAN_SAMPLES)
    return sorted(instances.walks.lower_bound(configuration) for configuration in drawn)[MEDIAN_SAMPLES // 2]


def generators(seed: int | None, count: int) -> list[random.Random]:
    """Return generators for the seeds `seed`, `seed` + 1, and so on; for unknown ones if it is None."""
    first = None if seed is None else check_seed(seed)
    return [random.Random(None if first is None else first + number) for number in range(count)]


def random_instances(
    puzzle: Puzzle,
    seed: int | None = None,
    goal: ConfigurationLike | None = None,
    *,
    moves: int | None = None,
    difficulty: Difficulty | None = None,
    count: int = 1,
    budget: Budget | None = None,
) -> Iterator[Instance]:
    """Yield random configurations at an exact distance or of a difficulty; see `slidelab.Puzzle.shuffle`.

    Parameters
    ----------
    puzzle
    seed
        The first configuration has this seed, the next one the next, as `Puzzle.shuffle` draws them; but
        later ones are drawn again as long as they equal earlier ones.
    goal
        Where distances are counted to; by default `Puzzle.goal`.
    moves, difficulty
        One of them: the distance, or one of ``easy``, ``medium``, ``hard`` and ``hardest``.
    count
        How many.
    budget

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("theta(1,2,2)")
    >>> for instance in random_instances(p, seed=1, difficulty="hardest", count=2):
    ...     print(instance.configuration.pieces_text, instance.distance, instance.among)
    . 2 4 3 6 5 1 29 1
    . 2 4 3 6 5 1 29 1
    """
    if (moves is None) == (difficulty is None):
        got = "neither" if moves is None else "both"
        raise NotationError(f"expected a number of moves or a difficulty, got {got}")
    if count > MAX_INSTANCES:
        raise NotationError(f"expected at most {MAX_INSTANCES:,} configurations, got {count:,}")
    instances = Instances(puzzle, goal, budget=budget)
    rngs = generators(seed, count)
    if difficulty is not None:
        return instances.of_level(difficulty, rngs)
    return instances.at(whole_number(moves, 0, "moves"), rngs)
