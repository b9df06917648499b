"""The method answered by `slidelab.reach.topology`: the configuration complex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slidelab.budget import Budget, ProgressCallback, progress_errors_unchanged

if TYPE_CHECKING:
    from slidelab.puzzles.definition import Puzzle
    from slidelab.reach.topology.model import ComplexModel, Topology

__all__ = ["topology"]


@progress_errors_unchanged
def topology(
    self: Puzzle,
    *,
    model: ComplexModel = "moves",
    unlabelled: bool = False,
    time: float | None = None,
    memory: int | str | None = None,
    max_shapes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Topology:
    """Find the topology of the configuration complex: its cells, Betti numbers and torsion.

    Its vertices are the configurations, its edges the moves. Moves of different pieces that stay legal
    whatever the others of them have done are independent, and k of them fill a cube of dimension k.

    Parameters
    ----------
    model
        ``"moves"`` for that complex. ``"hard"`` also fills what one piece can do by itself when it moves
        continuously: a square tile in a block of four cells, a hexagonal tile in a triangle.
    unlabelled
        Take all pieces for the same, so that configurations are shapes.
    time, memory, max_shapes, progress
        Limits and a callback for progress, as in `slidelab.Budget.of`.

    Returns
    -------
    Topology
        Exact, over the integers. Numbers of cells and the Euler characteristic are there for any number of
        configurations; if a limit was reached before the Betti numbers were found, `Topology.reason` says
        which.

    Raises
    ------
    NotationError
        If it is not known how the pieces move continuously.
    TooLarge
        If there are too many shapes, or cells over them.

    References
    ----------
    .. [1] A. Abrams, "Configuration spaces and braid groups of graphs", PhD thesis, Berkeley (2000).
    .. [2] R. Forman, "Morse theory for cell complexes", Advances in Mathematics 134 (1998).
    .. [3] H. Alpert, U. Bauer, M. Kahle, R. MacPherson, K. Spendlove, "Homology of configuration spaces of
       hard squares in a rectangle", Algebraic & Geometric Topology 23 (2023).

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.puzzle("complete(5)", holes=3).topology().betti()      # a surface of genus 6
    (1, 12, 1)
    >>> sl.puzzle("complete(5)", holes=3).topology(unlabelled=True).torsion   # not orientable
    ((), (2,), ())
    >>> sl.puzzle("square R(3,3)", holes=7).topology(model="hard").betti()    # two points in the plane
    (1, 1, 0, 0)
    """
    from slidelab.reach.topology.compute import topology

    budget = Budget.of(time, memory, None, max_shapes, progress)
    return topology(self, model=model, unlabelled=unlabelled, budget=budget)
