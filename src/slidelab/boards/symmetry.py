"""Symmetries of a board, as permutations of its cells.

Boards of hexagons and squares have the symmetries of their lattice that map the board to itself, at most
twelve and eight. Graphs have all their automorphisms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from slidelab.boards.automorphisms import search_automorphisms
from slidelab.boards.lattice import bounding_box, images
from slidelab.boards.model import Board
from slidelab.boards.walks import DisjointSets, reachable
from slidelab.errors import TooLarge
from slidelab.permutations import Permutation

__all__ = ["Symmetries", "graph_automorphisms", "symmetries"]

MAX_LISTED_ELEMENTS = 100_000
"""Largest group whose elements are listed, about a second on a board of 100 cells."""


@dataclass(frozen=True, slots=True, repr=False)
class Symmetries:
    """A group of permutations of the cells of a board.

    Attributes
    ----------
    degree : int
        Number of cells.
    generators : tuple of permutations
        Each is the tuple of the images of cells 0, 1, ...; the identity is never among them.
    order : int
        Number of elements of the group.
    """

    degree: int
    generators: tuple[Permutation, ...]
    order: int

    def __repr__(self) -> str:
        return f"<{self.order} symmetries of {self.degree} cells, {len(self.generators)} generators>"

    def elements(self) -> Iterator[Permutation]:
        """Iterate over all elements, the identity first.

        Raises
        ------
        TooLarge
            If there are more than 100,000.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> list(symmetries(board("square R(2,1)")).elements())
        [(0, 1), (1, 0)]
        """
        if self.order > MAX_LISTED_ELEMENTS:
            raise TooLarge(f"expected at most {MAX_LISTED_ELEMENTS} symmetries to list, got {self.order}")
        return _closure(self.degree, self.generators)

    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """Return the orbits of cells, in the order of their first cells.

        Examples
        --------
        >>> from slidelab.boards import board
        >>> symmetries(board("square R(3,3)")).orbits()
        ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
        """
        orbits = DisjointSets(self.degree)
        for generator in self.generators:
            orbits.merge(generator)
        return tuple(map(tuple, orbits.sets()))


def symmetries(board: Board) -> Symmetries:
    """Return the symmetries of a board: geometric ones of hexagons and squares, all automorphisms of a graph.

    Symmetries of the lattice that move no cell (the reflection of a straight row in itself) are not counted.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> symmetries(board("hex F(3)"))
    <12 symmetries of 19 cells, 2 generators>
    >>> [symmetries(board(text)).order for text in ("hex P(3,4)", "square R(4,4)", "cycle(7)")]
    [2, 8, 14]
    """
    if board.kind == "graph":
        return graph_automorphisms(board)
    generators: list[Permutation] = []
    generated = {tuple(range(board.size))}
    for element in _lattice_symmetries(board):
        if element not in generated:
            generators.append(element)
            generated = set(_closure(board.size, generators))
    return Symmetries(board.size, tuple(generators), len(generated))


def graph_automorphisms(board: Board) -> Symmetries:
    """Return all permutations of the cells that map touching cells to touching cells.

    For graphs `symmetries` is the same; a board of hexagons or squares may have more automorphisms as a
    graph than geometric symmetries.

    Raises
    ------
    TooLarge
        If the search takes too long.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> graph_automorphisms(board("king R(2,2)")).order
    24
    """
    generators, order = search_automorphisms(board)
    return Symmetries(board.size, tuple(generators), order)


def _lattice_symmetries(board: Board) -> Iterator[Permutation]:
    left, top, _, _ = bounding_box(board.cells)
    for turned in zip(*(images(board.kind, x, y) for x, y in board.cells), strict=True):
        # The corner of the bounding box must come back to its place, which leaves one translation.
        new_left, new_top, _, _ = bounding_box(turned)
        dx, dy = left - new_left, top - new_top
        image = tuple(board.cell_at.get((x + dx, y + dy), -1) for x, y in turned)
        if -1 not in image:
            yield image


def _closure(degree: int, generators: Sequence[Permutation]) -> Iterator[Permutation]:
    """Yield every product of the generators once."""
    return reachable(
        lambda element: (tuple([generator[cell] for cell in element]) for generator in generators),
        [tuple(range(degree))],
    )
