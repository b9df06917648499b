"""How configurations are laid out as rows of an array, and how moves are numbered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from slidelab.budget import Budget, CacheNeutral
from slidelab.errors import IllegalMove, NotationError, PuzzleError
from slidelab.gains.steps import Steps
from slidelab.messages import counted
from slidelab.puzzles import Colours, Configuration, Move, Puzzle
from slidelab.rules import Cells

if TYPE_CHECKING:
    from slidelab import _core

__all__ = ["ArrayLayout", "Batch", "array_layout"]

Batch: TypeAlias = NDArray[np.uint8 | np.uint16]
"""One configuration a row; see `slidelab.gains.arrays.ConfigurationArrays`."""

MAX_BYTE = 255
"""Largest entry of rows of bytes; others are rows of 16-bit words."""


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLayout:
    """The layout of the rows of one puzzle, and its numbered moves.

    >>> import slidelab as sl
    >>> layout = array_layout(sl.puzzle("hex F(2) gourds"))
    >>> layout.row_shape, layout.dtype, len(layout.move_kinds)
    ((3, 2), dtype('uint8'), 66)
    """

    puzzle: Puzzle
    core: _core.Batches
    steps: Steps
    colours: Colours | None
    readings: tuple[Cells, ...]
    """The cells of each placement in each of its readings, placement by placement."""
    values: Batch
    """For each piece the entry of a cell on which it lies (pieces of one cell)."""
    dtype: np.dtype[np.uint8 | np.uint16]
    row_shape: tuple[int, ...]
    move_cells: NDArray[np.int32]
    move_kinds: tuple[str, ...]
    reverse_moves: NDArray[np.int32]
    move_numbers: dict[tuple[int, int, int], int]
    """The number of the move between two placements that turns the piece by so much."""

    def rows(self, batch: Batch) -> Batch:
        """Return the rows of a batch as the core takes them, two-dimensional and contiguous."""
        array = np.asarray(batch)
        if array.dtype != self.dtype or array.shape[1:] != self.row_shape or array.ndim == 0:
            wanted = f"{self.dtype} of shape (rows, {', '.join(map(str, self.row_shape))})"
            got = f"{array.dtype} of shape {array.shape}"
            raise PuzzleError(f"expected an array of {wanted}, got {got} - for {self.puzzle.text}")
        if not (array.flags.c_contiguous and array.flags.aligned):  # `require` alone takes microseconds
            array = np.require(array, requirements=["C", "A"])
        rows: Batch = array.reshape(len(array), self.core.width)
        return rows

    def rows_of_moves(self, moves: ArrayLike, rows: int) -> NDArray[np.int32]:
        """Return one row of moves for each row of a batch."""
        array = np.asarray(moves)
        if array.size and array.dtype.kind not in "iu":
            raise PuzzleError(f"expected whole numbers as moves, got {array.dtype}")
        if array.ndim not in (1, 2) or len(array) != rows:
            raise PuzzleError(f"expected moves for {counted(rows, 'row')}, got shape {array.shape}")
        if array.dtype != np.int32:
            limit = np.iinfo(np.int32)  # what does not fit is no move either way
            array = np.clip(array, limit.min, limit.max).astype(np.int32)
        return np.ascontiguousarray(array[:, None] if array.ndim == 1 else array)

    def move_number(self, move: Move) -> int:
        """Return the number of a move."""
        try:
            before, first = self.steps.locate(move.before)
            after, last = self.steps.locate(move.after)
            return self.move_numbers[before, after, (last - first) % self.puzzle.rule.turns]
        except (KeyError, ValueError):
            raise IllegalMove(f"expected a move of {self.puzzle.text}, got {move.text}") from None

    def raise_fault(
        self, rows: Batch, fault: tuple[int, int], numbers: NDArray[np.int32] | None = None
    ) -> None:
        """Raise the error of the first row that could not be used, if there is one."""
        row, step = fault
        if row < 0:
            return
        if step >= 0 and numbers is not None:
            number = int(numbers[row, step])
            if not 0 <= number < len(self.move_kinds):
                wanted = f"a move from 0 to {len(self.move_kinds) - 1}, or -1 for none"
                raise IllegalMove(f"expected {wanted}, got {number} - at row {row}, move {step}")
            before, after = ("-".join(map(str, cells)) for cells in self.move_cells[number].tolist())
            raise IllegalMove(
                f"expected a legal move, got {number} ({before}>{after}) - at row {row}, move {step}"
            )
        raise NotationError(f"{self._why(rows[row])} - at row {row}")

    def _why(self, row: Batch) -> str:
        """Return what is wrong with a row."""
        puzzle = self.puzzle
        if puzzle.rule.cells > 1:
            try:
                Configuration(puzzle.uncoloured, tuple(map(tuple, row.reshape(self.row_shape).tolist())))
            except PuzzleError as error:
                return str(error).replace(" - at ", " at ").replace(" - on ", " on ")
            return "the batch was changed by another thread"
        expected = np.bincount(self.values)
        expected[0] = puzzle.hole_count
        found = np.bincount(row, minlength=len(expected))
        if len(found) > len(expected):
            return f"expected numbers from 0 to {len(expected) - 1}, got {int(row.max())}"
        wrong = np.flatnonzero(found != expected)
        if not len(wrong):
            return "the batch was changed by another thread"
        value = int(wrong[0])
        what = f"{puzzle.rule.piece} {value}" if value else "0 for a hole"
        return f"expected {what} {_times(expected[value])}, got it {_times(found[value])}"


def _times(count: int) -> str:
    return ("never", "once", "twice")[count] if count < 3 else f"{count} times"


@lru_cache(maxsize=16)
def array_layout(puzzle: Puzzle, neutral: CacheNeutral[Budget] | None = None) -> ArrayLayout:
    """Return the layout of a puzzle; the last few are kept."""
    from slidelab import _core

    check = neutral.value.check if neutral else None
    board, rule = puzzle.board, puzzle.rule
    steps = Steps(puzzle.uncoloured)
    tables = steps.arrays(np.arange(board.size, dtype=np.int32))
    readings = np.array([rule.readings(cells) for cells in steps.placements], dtype=np.int32)
    readings = readings.reshape(-1, rule.turns, rule.cells)
    colours = None if puzzle.colours is None else tuple(dict.fromkeys(puzzle.colours))
    names = range(puzzle.piece_count) if colours is None else map(colours.index, puzzle.colours or ())
    class_of = np.fromiter(names, dtype=np.uint32)
    largest = board.size - 1 if rule.cells > 1 else int(class_of.max()) + 1
    dtype: np.dtype[np.uint8 | np.uint16] = np.dtype(np.uint8 if largest <= MAX_BYTE else np.uint16)
    if rule.cells == 1:
        counts = np.bincount(class_of + 1).astype(np.uint32)
        counts[0] = puzzle.hole_count
        core = _core.Batches.of_tiles(*tables, counts, check)
    else:
        looks = [len(set(rule.readings(labels))) for labels in puzzle.colours or ()]
        period = np.array(looks or [rule.turns] * puzzle.piece_count, dtype=np.uint32)
        core = _core.Batches.of_pieces(*tables, readings.ravel(), class_of, period, check)
    before, after, turn, row, reverse = core.moves().T
    ends = zip(before.tolist(), after.tolist(), turn.tolist(), strict=True)
    return ArrayLayout(
        puzzle=puzzle,
        core=core,
        steps=steps,
        colours=colours,
        readings=tuple(map(tuple, readings.reshape(-1, rule.cells).tolist())),
        values=(class_of + 1).astype(dtype),
        dtype=dtype,
        row_shape=(board.size,) if rule.cells == 1 else (puzzle.piece_count, rule.cells),
        move_cells=_frozen(np.stack([readings[before, 0], readings[after, turn]], axis=1)),
        move_kinds=tuple(steps.kinds[k] for k in row.tolist()),
        reverse_moves=_frozen(np.ascontiguousarray(reverse)),
        move_numbers={key: number for number, key in enumerate(ends)},
    )


def _frozen(array: NDArray[np.int32]) -> NDArray[np.int32]:
    array.flags.writeable = False
    return array
