"""Methods answered by `slidelab.reach` and `slidelab.gains`: what can become what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged
from slidelab.errors import NotationError
from slidelab.puzzles.verbs.solutions import goal_on_cells

if TYPE_CHECKING:
    import networkx as nx

    from slidelab.gains.arrays import ConfigurationArrays
    from slidelab.puzzles.configuration import Configuration, ConfigurationLike
    from slidelab.puzzles.definition import Puzzle
    from slidelab.reach.analysis import Analysis
    from slidelab.reach.component import Component
    from slidelab.reach.group import PermutationGroup
    from slidelab.reach.required_permutation import RequiredPermutation
    from slidelab.reach.verdict import Verdict
    from slidelab.rules import Cells
    from slidelab.solve.difficulty import Difficulty

__all__ = ["analyze", "arrays", "component", "graph", "group", "permutation", "places", "shuffle", "solvable"]


@progress_errors_unchanged
def analyze(
    self: Puzzle,
    *,
    connection: bool = True,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Analysis:
    """Find what can be reached: families of shapes, groups, components, parity, theorems.

    Parameters
    ----------
    connection
        Also find the connection number, for which other numbers of holes are analyzed.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Analysis
        Computed from the gain graph; from theorems alone if the puzzle has too many shapes.

    Raises
    ------
    TooLarge
        If the puzzle has too many shapes and no theorem covers it.

    References
    ----------
    .. [1] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Comb. Theory B 16 (1974).
    .. [2] D. Kornhauser, G. Miller, P. Spirakis, "Coordinating pebble motion on graphs, the diameter of
       permutation groups, and applications", FOCS (1984).

    Examples
    --------
    >>> import slidelab as sl
    >>> a = sl.puzzle("theta(1,2,2)").analyze()
    >>> a.components, a.families[0].group.name
    (6, 'PGL(2,5)')
    """
    from slidelab.reach.analysis import analyze

    return analyze(self, connection=connection, budget=Budget.of(time, memory, None, max_shapes, progress))


@progress_errors_unchanged
def solvable(
    self: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    cells: Sequence[str] | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Verdict:
    """Decide whether `start` can be turned into `goal`, with a reason and a certificate.

    Parameters
    ----------
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    cells
        Instead of a goal, for coloured gourds: the colour of each cell, as in `Puzzle.solve`.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Verdict
        True or false as a bool; `Verdict.check` verifies its certificate without the code that found it.

    Raises
    ------
    NotationError
        If `start` or `goal` is not a configuration of this puzzle.
    TooLarge
        If the puzzle has too many shapes and no theorem covers it.

    References
    ----------
    .. [1] R. M. Wilson, "Graph puzzles, homotopy, and the alternating group", J. Comb. Theory B 16 (1974).

    Examples
    --------
    >>> import slidelab as sl
    >>> verdict = sl.puzzle("square R(3,3)").solvable("2 1 3 4 5 6 7 8 .")
    >>> bool(verdict), verdict.check()
    (False, True)
    >>> verdict.reason
    'the tiles would need an odd permutation, and every loop here is even'
    """
    from slidelab.reach.verdict import solvable

    budget = Budget.of(time, memory, None, max_shapes, progress)
    return solvable(self, start, goal_on_cells(self, start, goal, cells, budget), budget=budget)


@progress_errors_unchanged
def permutation(
    self: Puzzle,
    start: ConfigurationLike,
    goal: ConfigurationLike | None = None,
    *,
    at: Cells | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> RequiredPermutation | None:
    """Return the permutation that takes `start` to `goal` once both have the same holes.

    Parameters
    ----------
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    at
        The cells to which the holes of both are brought first; by default those of the goal.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    RequiredPermutation or None
        With its cycles, transpositions and sign, and a factorisation into the puzzle's generators. None if
        no moves bring the holes there, or if pieces of the same colours cannot be matched.

    Raises
    ------
    TooLarge
        If the pieces have several cells and the puzzle has too many shapes.

    References
    ----------
    .. [1] A. Chapple, A. Croeze, M. Lazo, H. Merrill, "Legal configurations of the 15-puzzle" (2010).
    .. [2] Wong, Li, Chen, "Sliding graph puzzles", section 3.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("15-puzzle")
    >>> reverse = p.permutation("15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 .")
    >>> print(reverse)
    (1 15)(2 14)(3 13)(4 12)(5 11)(6 10)(7 9)
    >>> reverse.sign, reverse.factor()
    (-1, None)
    """
    from slidelab.reach.required_permutation import required_permutation

    return required_permutation(
        self.configuration(start),
        self.goal if goal is None else self.configuration(goal),
        holes=at,
        budget=Budget.of(time, memory, None, max_shapes, progress),
    )


@progress_errors_unchanged
def component(
    self: Puzzle,
    start: ConfigurationLike | None = None,
    *,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Component:
    """Return all configurations that can be reached from `start`, to iterate over or to save.

    Parameters
    ----------
    start
        A configuration, or anything that `Puzzle.configuration` reads; by default `Puzzle.goal`.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the gain graph or its group exceeds the limits; the component itself may have any size, unless the
        pieces are coloured: then its arrangements are counted.

    Examples
    --------
    >>> import slidelab as sl
    >>> c = sl.puzzle("hex F(2)").component()
    >>> c.size, len({each.text for each in c})
    (60, 60)
    """
    from slidelab.reach.component import component

    first = self.goal if start is None else self.configuration(start)
    return component(first, budget=Budget.of(time, memory, None, max_shapes, progress))


@progress_errors_unchanged
def shuffle(
    self: Puzzle,
    seed: int | None = None,
    start: ConfigurationLike | None = None,
    *,
    goal: ConfigurationLike | None = None,
    moves: int | None = None,
    difficulty: Difficulty | None = None,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Configuration:
    """Return a random configuration, uniform among all that can be reached from `start`.

    Gourds on boards too large for a gain graph are only nearly uniform: see `slidelab.reach.random_gourds`.

    With `moves` or `difficulty` its distance from `start` is exact and proved (of a difficulty, estimated if
    no proof is found), and it is uniform among all at this distance where all of them can be searched:
    see `slidelab.solve.difficulty`, which also says which of it holds.

    Parameters
    ----------
    seed
        The same seed gives the same configuration on every machine; None for a different one each time.
    start, goal
        Either name for the same: a configuration, or anything that `Puzzle.configuration` reads; by default
        `Puzzle.goal`.
    moves
        The number of moves of a shortest solution, from the configuration to `start`.
    difficulty
        Instead of a number: ``"hard"`` is the median distance of all configurations, ``"medium"`` two thirds
        of it, ``"easy"`` one third, ``"hardest"`` the largest distance.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    NotationError
        If no configuration is as far as `moves`.
    NotReached
        If none was found within the limits, and there may be one. Carries the farthest that was found.
    TooLarge
        If the puzzle has too many shapes and no theorem covers it.

    Examples
    --------
    >>> import slidelab as sl
    >>> p = sl.puzzle("square R(3,3)")
    >>> bool(p.solvable(p.shuffle(seed=1)))
    True
    >>> p.solve(p.shuffle(seed=1, moves=20)).length
    20
    >>> p.shuffle(seed=1, moves=40)
    Traceback (most recent call last):
    slidelab.errors.NotationError: expected at most 31 moves, the largest distance from the goal, got 40
    """
    from slidelab.reach.random_configurations import shuffle

    if start is not None and goal is not None:
        raise NotationError("expected a start or a goal, got both")
    start = goal if start is None else start
    budget = Budget.of(time, memory, None, max_shapes, progress)
    if moves is None and difficulty is None:
        return shuffle(self, seed, start, budget=budget)
    from slidelab.solve.difficulty import random_instances

    drawn = random_instances(self, seed, start, moves=moves, difficulty=difficulty, budget=budget)
    return next(drawn).configuration


@progress_errors_unchanged
def group(
    self: Puzzle,
    *,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> PermutationGroup:
    """Return the group of permutations of the pieces by loops of moves at the goal.

    Points are the pieces, from 0 (gourds have two points each, head and tail): a permutation
    takes each piece to the place of another.

    Parameters
    ----------
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Raises
    ------
    TooLarge
        If the puzzle has too many shapes.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("square R(4,4)").group().name
    'Alt(15)'
    """
    from slidelab.reach.loop_groups import group_at

    return group_at(self.goal, Budget.of(time, memory, None, max_shapes, progress))


def graph(self: Puzzle, limit: int = 100_000) -> nx.Graph[str]:
    """Return the puzzle graph of a small puzzle: all configurations, with an edge for each move.

    Parameters
    ----------
    limit
        Maximum number of configurations.

    Returns
    -------
    networkx.Graph
        Nodes are positions as text; edges have their move as the attribute ``move``.

    Raises
    ------
    TooLarge
        If there are more configurations than `limit`.

    Examples
    --------
    >>> import slidelab as sl
    >>> len(sl.puzzle("square R(2,2)").graph())
    24
    """
    from slidelab.reach.puzzle_graph import puzzle_graph

    return puzzle_graph(self, limit)


def arrays(self: Puzzle, memory: int | str | None = None, threads: int | None = None) -> ConfigurationArrays:
    """Return numpy functions for many configurations at a time: neighbours, moves, random walks.

    Parameters
    ----------
    memory
        Bytes that a result may take, or a text such as ``"2G"``.
    threads
        Threads to use; results do not depend on it.

    Examples
    --------
    >>> import slidelab as sl
    >>> arrays = sl.puzzle("square R(4,4)").arrays()
    >>> start = arrays.encode([arrays.puzzle.goal] * 1000)
    >>> states, _ = arrays.random_walks(start, 100, seed=1)
    >>> neighbours, parents, moves = arrays.neighbours(states)
    >>> neighbours.shape[1], len(neighbours) == len(parents)
    (16, True)
    """
    from slidelab.gains.arrays import configuration_arrays

    return configuration_arrays(self, memory, threads)


def places(self: Configuration, piece: int) -> tuple[Cells, ...]:
    """Return all placements that a piece can ever take, in its reading.

    Parameters
    ----------
    piece
        The number of the piece, from 1.

    Raises
    ------
    NotationError
        If there is no such piece.
    TooLarge
        If the puzzle has too many shapes.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.position("hex P(3,3) : 1 2 3 4 5 6 7 . .").places(1)
    ((0,), (1,), (3,))
    """
    from slidelab.reach.reachable_cells import reachable_cells

    return reachable_cells(self, piece)
