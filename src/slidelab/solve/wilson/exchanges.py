"""Every 3-cycle and every transposition of tiles on a theta graph, from one known 3-cycle by conjugation.

Permutations of cells are dictionaries: where the tile on each cell goes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from slidelab.budget import Budget
from slidelab.errors import PuzzleError
from slidelab.permutations import is_even
from slidelab.solve.wilson.thetas import Theta, Word, inverse, product_of, spelled, three_cycle_word
from slidelab.solve.wilson.walks import Cells, slide

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Words", "after", "arrows", "best_exchanges", "effect", "is_odd", "moved"]


class Words:
    """Words for every 3-cycle, and every transposition if any, of a theta graph that is not theta0."""

    def __init__(self, theta: Theta, max_moves: int, budget: Budget) -> None:
        self.theta = theta
        self.budget = budget
        self.hole = theta.c[0]
        self.max_moves = max_moves
        self._loops = theta.letters()
        self._number = {cell: number for number, cell in enumerate(theta.cells)}
        cells = theta.cells
        self.moves = {name: effect(cells, self.hole, walk) for name, walk in self._loops.items()}
        self._backwards = {name: _inverted(move) for name, move in self.moves.items()}
        self._tables: dict[int, NDArray[np.int8]] = {}
        found = three_cycle_word(len(theta.a), len(theta.b), len(theta.c))
        if found is None:
            raise PuzzleError(f"expected a theta graph with a known 3-cycle, got {theta.describe()}")
        word, names = found
        self.three = word, tuple(theta.place(name) for name in names)
        self._two: tuple[Word, Cells] | None = None

    @property
    def two(self) -> tuple[Word, Cells]:
        """A transposition: an odd loop, and 3-cycles that return all tiles but two (section 6.3)."""
        if self._two is None:
            odd = [name for name, move in self.moves.items() if is_odd(move)]
            name = min(odd, key=lambda name: (moved(self.moves[name]), len(self._loops[name])))
            word: Word = ((name, 1),)
            # Where each tile must go to return: the inverse of the loop.
            to = self._backwards[name]
            while moved(to) > 2:
                cells = min(best_exchanges(to, 3), key=self.cost)
                word = product_of(word, self.exchange(cells))
                to = after(to, cells)
            self._two = word, tuple(cell for cell in to if to[cell] != cell)
        return self._two

    def exchange(self, cells: Cells) -> Word:
        """Return the word of a transposition or 3-cycle: a conjugate of the known one."""
        conjugation, word, _ = self.conjugated(cells)
        return product_of(conjugation, word, inverse(conjugation))

    def cost(self, cells: Cells) -> int:
        """Return about how many moves the conjugation takes, there and back."""
        return sum(2 * abs(power) * len(self._loops[letter]) for letter, power in self.conjugated(cells)[0])

    def conjugated(self, cells: Cells) -> tuple[Word, Word, Cells]:
        """Return a word that takes the tiles to the cells of the known exchange, its word and its cells.

        The known 3-cycle is inverted if that is nearer. (With four tiles it may have to be.)
        """
        known, places = self.two if len(cells) == 2 else self.three
        if len(cells) not in self._tables:
            self._tables[len(cells)] = self._first_letters(_rotations(places) + _rotations(places[::-1]))
        table, names = self._tables[len(cells)], [*self.moves]
        word: Word = ()
        while (letter := int(table[tuple(self._number[cell] for cell in cells)])) < 8:
            name, sign = names[letter // 2], 1 - letter % 2 * 2
            word = product_of(word, ((name, sign),))
            move = self.moves[name] if sign > 0 else self._backwards[name]
            cells = tuple(move[cell] for cell in cells)
        return word, known if cells in _rotations(places) else inverse(known), cells

    def _first_letters(self, targets: Sequence[Cells]) -> NDArray[np.int8]:
        """Return, for all cells of two or three tiles, the first letter of a shortest word to the targets.

        It is 8 at the targets.
        """
        import numpy as np

        from slidelab import _core

        size, arity = len(self._number), len(targets[0])
        moves = np.empty((8, size), dtype=np.int32)
        for k, move in enumerate(self.moves.values()):
            moves[2 * k] = [self._number[move[cell]] for cell in self._number]
            moves[2 * k + 1] = np.argsort(moves[2 * k])
        ends = np.array([[self._number[cell] for cell in target] for target in targets], dtype=np.int32)
        return _core.first_letters(moves, ends, self.budget.check).reshape((size,) * arity)

    def walk(self, word: Word) -> list[int]:
        """Return the moves of a word."""
        return spelled(self._loops, self.hole, word, self.max_moves)


def _rotations(cells: Cells) -> list[Cells]:
    """Return all rotations of a cycle."""
    return [cells[k:] + cells[:k] for k in range(len(cells))]


def effect(cells: Sequence[int], hole: int, loop: Sequence[int]) -> dict[int, int]:
    """Return where a loop of the hole takes the tile of each cell."""
    state = {cell: cell for cell in cells}
    slide(state, hole, loop)
    return _inverted(state)


def _inverted(to: Mapping[int, int]) -> dict[int, int]:
    return {there: cell for cell, there in to.items()}


def moved(to: Mapping[int, int]) -> int:
    """Return how many tiles a permutation moves."""
    return sum(cell != there for cell, there in to.items())


def is_odd(to: Mapping[int, int]) -> bool:
    """Return whether a permutation is odd.

    >>> is_odd({1: 2, 2: 1, 3: 3}), is_odd({1: 2, 2: 3, 3: 1})
    (True, False)
    """
    number = {cell: number for number, cell in enumerate(to)}
    return not is_even([number[there] for there in to.values()])


def after(to: Mapping[int, int], cells: Cells) -> dict[int, int]:
    """Return where the tiles must still go after those on the cells have moved, each to the next one.

    >>> after({1: 2, 2: 3, 3: 1}, (1, 2))
    {1: 3, 2: 2, 3: 1}
    """
    return {**to, **{there: to[cell] for cell, there in arrows(cells)}}


def best_exchanges(to: Mapping[int, int], arity: int) -> list[Cells]:
    """Return transpositions, or 3-cycles, that place as many tiles as possible.

    >>> best_exchanges({1: 2, 2: 1, 3: 4, 4: 3}, 3)
    [(1, 2, 3), (1, 2, 4), (2, 1, 3), (2, 1, 4), (3, 4, 1), (3, 4, 2), (4, 3, 1), (4, 3, 2)]
    """
    wrong = [cell for cell in to if to[cell] != cell]
    if arity == 2:
        return [(cell, to[cell]) for cell in wrong]
    longer = [cell for cell in wrong if to[to[cell]] != cell]
    if longer:
        return [(cell, to[cell], to[to[cell]]) for cell in longer]
    return [(cell, to[cell], other) for cell in wrong for other in wrong if other not in (cell, to[cell])]


def arrows(cells: Cells) -> list[tuple[int, int]]:
    """Return the cells of a cycle, each with the next.

    >>> arrows((1, 2, 3))
    [(1, 2), (2, 3), (3, 1)]
    """
    return [*zip(cells, cells[1:] + cells[:1], strict=True)]
