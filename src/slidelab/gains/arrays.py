"""Batches of configurations as numpy arrays: neighbours, moves and random walks of millions at a time.

A batch has one row for each configuration, in the layout of the JSON form: for tiles one entry a
cell, for pieces of several cells the cells of each piece. Moves are numbered once for a puzzle,
whichever piece makes them. The loops run in the core, on several threads; see docs/arrays.md.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slidelab.arguments import whole_number
from slidelab.budget import Budget, CacheNeutral, ProgressCallback
from slidelab.errors import PuzzleError
from slidelab.gains.layout import Batch, array_layout
from slidelab.messages import counted
from slidelab.puzzles import Colours, Configuration, ConfigurationLike, Move, MoveLike, Puzzle, read_move

__all__ = ["Batch", "ConfigurationArrays", "Neighbours", "Stepped", "Walks", "configuration_arrays"]


class Neighbours(NamedTuple):
    """The neighbours of a batch, those of each row together and in increasing order of the move."""

    states: Batch
    parents: NDArray[np.int64]
    """For each neighbour the row that it was made from."""
    moves: NDArray[np.int32]
    """For each neighbour the move that leads to it."""


class Walks(NamedTuple):
    """Random walks: where they end, and their moves, with -1 behind the last of a row."""

    states: Batch
    moves: NDArray[np.int32]


class Stepped(NamedTuple):
    """A batch after one move in each row where it was legal."""

    states: Batch
    made: NDArray[np.bool_]
    """For each row whether its move was legal."""
    legal: NDArray[np.bool_]
    """For each row and each move whether it is legal now."""
    solved: NDArray[np.bool_]
    """For each row whether it is the goal now."""


class ConfigurationArrays:
    """Batches of configurations of one puzzle, as numpy arrays.

    Made by `Puzzle.arrays`. A batch is an array of `dtype` whose rows have the shape `row_shape`:

    - pieces of one cell: ``(cells,)``, the number of the tile on each cell and 0 for a hole. Where
      tiles have colours, a tile is named by its colour: 1 stands for ``colours[0]``.
    - pieces of several cells: ``(pieces, cells of a piece)``, the cells of each piece in its reading.
      Where pieces have colours, the rows that come out name pieces that look alike in the least way,
      so that equal configurations are equal rows.

    Batches that go in must be C-contiguous or are copied. Every row is checked, and an error names
    the first that is wrong. Nothing that goes in is changed. The interpreter lock is released, and
    Ctrl-C stops the work.

    Moves are numbers from 0 to `move_count` - 1. Which piece makes a move does not matter: it lies on
    the cells ``move_cells[number, 0]`` and goes to ``move_cells[number, 1]``, position by position.

    Examples
    --------
    >>> import slidelab as sl
    >>> arrays = sl.puzzle("square R(2,2)").arrays()
    >>> arrays
    <arrays of square R(2,2) tiles 1: rows of 4 uint8, 8 moves>
    >>> batch = arrays.encode(["1 2 3 .", "1 2 . 3"])
    >>> batch
    array([[1, 2, 3, 0],
           [1, 2, 0, 3]], dtype=uint8)
    >>> states, parents, moves = arrays.neighbours(batch)
    >>> parents
    array([0, 0, 1, 1])
    >>> arrays.decode(states)[1].text
    'square R(2,2) tiles 1 : 1 2 . 3'
    """

    __slots__ = ("_layout", "budget", "puzzle")

    def __init__(self, puzzle: Puzzle, budget: Budget | None = None) -> None:
        self.puzzle = puzzle
        self.budget = budget or Budget()
        self._layout = array_layout(puzzle, CacheNeutral(self.budget))

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self.row_shape))
        moves = counted(self.move_count, "move")
        return f"<arrays of {self.puzzle.text}: rows of {shape} {self.dtype}, {moves}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfigurationArrays):
            return NotImplemented
        return (self.puzzle, self.budget) == (other.puzzle, other.budget)

    def __hash__(self) -> int:
        return hash((ConfigurationArrays, self.puzzle))

    def __reduce__(self) -> tuple[type[ConfigurationArrays], tuple[Puzzle, Budget]]:
        return ConfigurationArrays, (self.puzzle, self.budget)

    @property
    def dtype(self) -> np.dtype[np.uint8 | np.uint16]:
        """The type of the entries: uint8 where that is enough, otherwise uint16."""
        return self._layout.dtype

    @property
    def row_shape(self) -> tuple[int, ...]:
        """The shape of one row."""
        return self._layout.row_shape

    @property
    def colours(self) -> Colours | None:
        """The distinct labels of the pieces, None if pieces are numbered."""
        return self._layout.colours

    @property
    def move_count(self) -> int:
        """How many moves there are, legal or not."""
        return len(self._layout.move_kinds)

    @property
    def move_cells(self) -> NDArray[np.int32]:
        """The cells of each move, before and after: an array of shape (moves, 2, cells of a piece).

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").arrays().move_cells[:3, :, 0].tolist()
        [[0, 1], [0, 2], [1, 0]]
        """
        return self._layout.move_cells

    @property
    def move_kinds(self) -> tuple[str, ...]:
        """The kind of each move, such as ``"slide"`` or ``"pivot"``."""
        return self._layout.move_kinds

    @property
    def reverse_moves(self) -> NDArray[np.int32]:
        """For each move the one that takes it back.

        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").arrays().reverse_moves
        array([2, 4, 0, 6, 1, 7, 3, 5], dtype=int32)
        """
        return self._layout.reverse_moves

    # Configurations and moves, to arrays and back

    def encode(self, configurations: Iterable[ConfigurationLike]) -> Batch:
        """Return a batch from configurations, or from anything that `Puzzle.configuration` reads.

        Examples
        --------
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").arrays().encode(["1 2 3 .", [0, 1, 2, 3]])
        array([[1, 2, 3, 0],
               [0, 1, 2, 3]], dtype=uint8)
        >>> sl.puzzle("hex F(2) gourds").arrays().encode(["0-1 2-3 4-6"]).tolist()
        [[[0, 1], [2, 3], [4, 6]]]
        """
        if isinstance(configurations, str | bytes | Mapping | Configuration):
            raise PuzzleError(f"expected a list of configurations, got one {type(configurations).__name__}")
        puzzle, layout = self.puzzle, self._layout
        pieces = [
            c.pieces
            if isinstance(c, Configuration) and c.puzzle is puzzle
            else puzzle.configuration(c).pieces
            for c in configurations
        ]
        width, count = puzzle.piece_count * puzzle.rule.cells, len(pieces)
        entries = chain.from_iterable(chain.from_iterable(pieces))
        cells = np.fromiter(entries, dtype=np.int64, count=count * width).reshape(count, width)
        if puzzle.rule.cells > 1:
            return cells.astype(layout.dtype).reshape(count, *layout.row_shape)
        batch = np.zeros((count, *layout.row_shape), dtype=layout.dtype)
        np.put_along_axis(batch, cells, layout.values[None, :], axis=1)
        return batch

    def decode(self, batch: Batch) -> list[Configuration]:
        """Return the configurations of a batch.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("hex F(2) gourds").arrays()
        >>> goal = arrays.puzzle.goal
        >>> arrays.decode(arrays.encode([goal])) == [goal]
        True
        """
        puzzle, cells_of = self.puzzle, self._layout.readings.__getitem__
        return [
            Configuration.trusted(puzzle, tuple(map(cells_of, row))) for row in self.spots(batch).tolist()
        ]

    def encode_moves(self, moves: Iterable[MoveLike]) -> NDArray[np.int32]:
        """Return the numbers of moves; which piece makes them does not matter.

        Raises
        ------
        IllegalMove
            If the rule allows no such move on any configuration.

        Examples
        --------
        >>> import slidelab as sl
        >>> p = sl.puzzle("square R(3,3)")
        >>> arrays = p.arrays()
        >>> solution = p.solve("1 2 3 4 5 6 . 7 8")
        >>> numbers = arrays.encode_moves(solution.moves)
        >>> numbers
        array([20, 23], dtype=int32)
        >>> arrays.apply(arrays.encode([solution.start]), numbers[None, :]).tolist()
        [[1, 2, 3, 4, 5, 6, 7, 8, 0]]
        """
        return np.fromiter((self._layout.move_number(read_move(move)) for move in moves), dtype=np.int32)

    def decode_moves(self, start: ConfigurationLike, moves: ArrayLike) -> tuple[Move, ...]:
        """Return the moves with these numbers, as played one after the other from `start`.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(3,3)").arrays()
        >>> [move.text for move in arrays.decode_moves("1 2 3 4 5 6 . 7 8", [20, 23])]
        ['7:7>6', '8:8>7']
        """
        first = self.puzzle.configuration(start)
        numbers = self._layout.rows_of_moves(np.asarray(moves)[None], 1)
        self.apply(self.encode([first]), numbers)
        steps = self._layout.steps
        ends = list(self._layout.move_numbers)
        return tuple(steps.moves(first, (ends[number] for number in numbers[numbers >= 0].tolist())))

    # What can be done with a batch

    def check(self, batch: Batch) -> None:
        """Raise `PuzzleError` unless every row is a configuration of the puzzle.

        Examples
        --------
        >>> import numpy as np
        >>> import slidelab as sl
        >>> sl.puzzle("square R(2,2)").arrays().check(np.array([[1, 2, 3, 0], [1, 2, 2, 0]], dtype=np.uint8))
        Traceback (most recent call last):
        slidelab.errors.NotationError: expected tile 2 once, got it twice - at row 1
        """
        self._count(self._layout.rows(batch))

    def spots(self, batch: Batch) -> NDArray[np.int32]:
        """Return where each piece lies, as one number: the cell of a tile.

        For pieces of several cells it is the number of the placement times the turns of a piece, plus
        the reading. Pieces that look alike are named in the least way.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> arrays.spots(arrays.encode(["1 2 3 .", "3 1 . 2"]))
        array([[0, 1, 2],
               [1, 3, 0]], dtype=int32)
        """
        rows = self._layout.rows(batch)
        self.budget.reserve("the array of spots", 4 * len(rows) * self.puzzle.piece_count)
        spots = np.empty((len(rows), self.puzzle.piece_count), dtype=np.int32)
        self._layout.raise_fault(rows, self._layout.core.spots(_bytes(rows), spots, *self._work))
        return spots

    def count_moves(self, batch: Batch) -> NDArray[np.int64]:
        """Return the number of legal moves of each row.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(3,3)").arrays()
        >>> arrays.count_moves(arrays.encode(["1 2 3 4 5 6 7 8 .", "1 2 3 4 . 5 6 7 8"]))
        array([2, 4])
        """
        return self._count(self._layout.rows(batch))

    def legal_moves(self, batch: Batch) -> NDArray[np.bool_]:
        """Return for each row and each move whether it is legal.

        ``numpy.nonzero`` of the result is the pair of `Neighbours.parents` and `Neighbours.moves`.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> arrays.legal_moves(arrays.encode(["1 2 3 ."])).nonzero()[1]
        array([3, 5])
        """
        rows = self._layout.rows(batch)
        self.budget.reserve("the mask of legal moves", len(rows) * self.move_count)
        legal = np.empty((len(rows), self.move_count), dtype=np.bool_)
        self._layout.raise_fault(rows, self._layout.core.mask(_bytes(rows), legal, *self._work))
        return legal

    def neighbours(self, batch: Batch) -> Neighbours:
        """Return all configurations that are one move away from those of a batch.

        Returns
        -------
        Neighbours
            The configurations, for each the row that it was made from, and for each the move. The
            neighbours of a row come together, by increasing number of the move.

        Raises
        ------
        NotationError
            If a row is no configuration.
        TooLarge
            If the result takes more memory than allowed; it is counted before it is made.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> states, parents, moves = arrays.neighbours(arrays.encode(["1 2 3 .", "1 2 . 3"]))
        >>> states
        array([[1, 0, 3, 2],
               [1, 2, 0, 3],
               [0, 2, 1, 3],
               [1, 2, 3, 0]], dtype=uint8)
        >>> parents, moves
        (array([0, 0, 1, 1]), array([3, 5, 1, 7], dtype=int32))
        """
        rows = self._layout.rows(batch)
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(self._count(rows), out=offsets[1:])
        total, width = int(offsets[-1]), rows.shape[1]
        self.budget.reserve("the array of neighbours", total * (width * self.dtype.itemsize + 12))
        states = np.empty((total, width), dtype=self.dtype)
        parents, moves = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32)
        core = self._layout.core
        self._layout.raise_fault(
            rows, core.expand(_bytes(rows), offsets, _bytes(states), parents, moves, *self._work)
        )
        return Neighbours(states.reshape(-1, *self.row_shape), parents, moves)

    def apply(self, batch: Batch, moves: ArrayLike) -> Batch:
        """Return the batch after one move in each row, or after several.

        Parameters
        ----------
        batch
            The configurations.
        moves
            Numbers of moves: one for each row, or an array with a row of them for each row of the
            batch. -1 stands for no move.

        Raises
        ------
        IllegalMove
            If a move is not legal where it is made. The message names row and move.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> batch = arrays.encode(["1 2 3 .", "1 2 . 3"])
        >>> arrays.apply(batch, [5, -1]).tolist()
        [[1, 2, 0, 3], [1, 2, 0, 3]]
        >>> arrays.apply(batch, [[5, 7], [1, 0]])
        Traceback (most recent call last):
        slidelab.errors.IllegalMove: expected a legal move, got 0 (0>1) - at row 1, move 1
        """
        rows = self._layout.rows(batch)
        numbers = self._layout.rows_of_moves(moves, len(rows))
        self.budget.reserve("the batch", rows.nbytes)
        states = rows.copy()
        fault = self._layout.core.apply(_bytes(states), numbers, None, *self._work)
        self._layout.raise_fault(rows, fault, numbers)
        return states.reshape(-1, *self.row_shape)

    def step(self, batch: Batch, moves: ArrayLike, goal: Batch) -> Stepped:
        """Make one move in each row where it is legal, and say what is legal afterwards.

        For environments of learning programs: `apply`, `legal_moves` and a comparison in one pass. That tiles
        have the right numbers is not checked; the rows should come from other functions of this class.

        Parameters
        ----------
        batch
            The configurations.
        moves
            A number for each row. Where it is no legal move, the row stays as it is.
        goal
            One row, with which the results are compared.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> batch = arrays.encode(["1 2 . 3", "1 2 . 3"])
        >>> goal = arrays.encode(["1 2 3 ."])[0]
        >>> states, made, legal, solved = arrays.step(batch, [7, 0], goal)
        >>> states.tolist(), made, solved
        ([[1, 2, 3, 0], [1, 2, 0, 3]], array([ True, False]), array([ True, False]))
        >>> legal[0].nonzero()[0]
        array([3, 5])
        """
        rows, last = self._layout.rows(batch), self._layout.rows(np.asarray(goal)[None])
        numbers = np.asarray(moves)
        if numbers.shape != (len(rows),) or (numbers.size and numbers.dtype.kind not in "iu"):
            got = f"{numbers.dtype} of shape {numbers.shape}"
            raise PuzzleError(f"expected a whole number for each of {counted(len(rows), 'row')}, got {got}")
        self.budget.reserve("the mask of legal moves", rows.nbytes + len(rows) * self.move_count)
        states, made, solved = rows.copy(), np.empty(len(rows), np.bool_), np.empty(len(rows), np.bool_)
        legal = np.empty((len(rows), self.move_count), dtype=np.bool_)
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        core = self._layout.core
        self._layout.raise_fault(
            rows, core.step(_bytes(states), numbers, _bytes(last), made, legal, solved, *self._work)
        )
        return Stepped(states.reshape(-1, *self.row_shape), made, legal, solved)

    def replay(self, batch: Batch, moves: ArrayLike) -> Batch:
        """Return all configurations that `apply` goes through, the first and the last among them.

        Returns
        -------
        numpy.ndarray
            An array of shape ``(rows, moves + 1, *row_shape)``.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(2,2)").arrays()
        >>> arrays.replay(arrays.encode(["1 2 3 ."]), [[5, 1]]).tolist()
        [[[1, 2, 3, 0], [1, 2, 0, 3], [0, 2, 1, 3]]]
        """
        rows = self._layout.rows(batch)
        numbers = self._layout.rows_of_moves(moves, len(rows))
        count = numbers.shape[1] + 1
        self.budget.reserve("the replay", rows.nbytes * (count + 1))
        states, trace = rows.copy(), np.empty((len(rows), count * rows.shape[1]), dtype=self.dtype)
        fault = self._layout.core.apply(_bytes(states), numbers, _bytes(trace), *self._work)
        self._layout.raise_fault(rows, fault, numbers)
        return trace.reshape(len(rows), count, *self.row_shape)

    def random_walks(
        self,
        batch: Batch,
        lengths: ArrayLike,
        *,
        seed: int | None = None,
        backtrack: bool = False,
        record: bool = True,
    ) -> Walks:
        """Return where random walks from the configurations of a batch end, and their moves.

        Each move is uniform among those that are legal there. A walk depends on `seed` and the
        number of its row alone, not on other rows or the number of threads.

        Parameters
        ----------
        batch
            Where the walks start.
        lengths
            Moves of each walk: a number, or one for each row.
        seed
            Any whole number; None for one that nobody knows.
        backtrack
            Whether a move may take back the one before. If not, it still does where no other move
            is legal.
        record
            Whether the moves are returned; if not, their array has no columns.

        Examples
        --------
        >>> import slidelab as sl
        >>> arrays = sl.puzzle("square R(3,3)").arrays()
        >>> start = arrays.encode(["1 2 3 4 5 6 7 8 ."] * 2)
        >>> states, moves = arrays.random_walks(start, [3, 5], seed=1)
        >>> moves
        array([[16,  6,  3, -1, -1],
               [16,  6,  3, 10, 15]], dtype=int32)
        >>> bool((arrays.apply(start, moves) == states).all())
        True
        """
        rows = self._layout.rows(batch)
        steps = _walk_lengths(lengths, len(rows))
        columns = int(steps.max(initial=0)) if record else 0
        self.budget.reserve("the array of moves", rows.nbytes + 4 * columns * len(rows))
        states, moves = rows.copy(), np.empty((len(rows), columns), dtype=np.int32)
        number = secrets.randbits(64) if seed is None else whole_number(seed, 0, "seed") % 2**64
        core = self._layout.core
        self._layout.raise_fault(
            rows, core.walk(_bytes(states), steps, number, backtrack, moves, *self._work)
        )
        return Walks(states.reshape(-1, *self.row_shape), moves)

    @property
    def _work(self) -> tuple[int, ProgressCallback]:
        """The threads of a call into the core, and what it calls now and then."""
        return self.budget.threads, self.budget.check

    def _count(self, rows: Batch) -> NDArray[np.int64]:
        counts = np.empty(len(rows), dtype=np.int64)
        self._layout.raise_fault(rows, self._layout.core.count(_bytes(rows), counts, *self._work))
        return counts


def _walk_lengths(lengths: ArrayLike, rows: int) -> NDArray[np.int64]:
    array = np.asarray(lengths)
    if array.size and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() >= 2**63):
        raise PuzzleError("expected whole numbers from 0 as lengths of walks")
    if array.ndim and array.shape != (rows,):
        raise PuzzleError(f"expected one length or {rows} of them, got an array of shape {array.shape}")
    return np.ascontiguousarray(np.broadcast_to(array.astype(np.int64), (rows,)))


def _bytes(rows: Batch) -> NDArray[np.uint8]:
    """Return a view of rows as the core takes them."""
    return rows.view(np.uint8)


def configuration_arrays(
    puzzle: Puzzle, memory: int | str | None = None, threads: int | None = None
) -> ConfigurationArrays:
    """Return the arrays of a puzzle; see `ConfigurationArrays`."""
    return ConfigurationArrays(puzzle, Budget.of(memory=memory, threads=threads))
