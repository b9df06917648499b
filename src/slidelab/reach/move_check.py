"""Check moves in any form: whether they are legal, and whether they lead to the goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from slidelab.errors import IllegalMove, NotationError, PuzzleError
from slidelab.messages import counted
from slidelab.puzzles import Configuration, ConfigurationLike, Move, MovesLike, PuzzleLike, Solution, puzzle
from slidelab.puzzles.move_sources import Recorder, play_source
from slidelab.puzzles.movelist import MoveList
from slidelab.puzzles.player import Player

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["MovesCheck", "check"]


@dataclass(frozen=True, slots=True, repr=False)
class MovesCheck:
    """What `check` found: true if all moves are legal and lead to the goal.

    >>> import slidelab as sl
    >>> sl.check("square R(2,2)", "3 1 / . 2", "3:0>2 1:1>0 2:1>3")
    <move 3 fails: expected piece 2 on '3', where it lies, got '1' - in move '2:1>3'>
    """

    start: Configuration
    goal: Configuration
    moves: tuple[Move, ...]
    """The legal moves, up to the first that is not."""
    end: Configuration
    """Where they lead."""
    failed: int | None
    """The number of the first move that cannot be made, from 1; None if all can be made."""
    reason: str
    """What is wrong, in one line; empty if nothing is."""

    def __bool__(self) -> bool:
        return not self.reason

    @property
    def legal(self) -> bool:
        """Whether all moves are legal, wherever they lead."""
        return self.failed is None

    @property
    def solution(self) -> Solution:
        """The moves as a solution; raises `PuzzleError` with the reason if they are none.

        >>> import slidelab as sl
        >>> sl.check("square R(2,2)", "1 2 / . 3", "←").solution
        <solution in 1 move: 3:3>2>
        """
        if self.reason:
            raise PuzzleError(str(self))
        return Solution(self.start, self.goal, self.moves)

    def __str__(self) -> str:
        if self.failed is not None:
            return f"move {self.failed:,} fails: {self.reason}"
        return self.reason or f"{counted(len(self.moves), 'legal move')} to the goal"

    def __repr__(self) -> str:
        return f"<{self}>"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "solves": bool(self),
            "legal": self.legal,
            "length": len(self.moves),
            "failed": self.failed,
            "reason": self.reason,
            "end": self.end.to_json(),
        }


def check(
    puzzle: PuzzleLike,
    start: ConfigurationLike,
    moves: MovesLike | NDArray[np.integer[Any]],
    goal: ConfigurationLike | None = None,
) -> MovesCheck:
    """Check whether moves are legal and lead from a start to a goal, and say where they fail.

    Parameters
    ----------
    puzzle
        The puzzle, or anything that `slidelab.puzzle` reads.
    start, goal
        Configurations, or anything that `Puzzle.configuration` reads. `goal` defaults to `Puzzle.goal`.
    moves
        Moves in any form: all that `Configuration.play` takes (`Move` objects, texts such as ``3:2>5 4:1>2``,
        arrows, numbers of tiles, JSON of moves or of a solution, a solution, lists of these); or a numpy
        array: of one dimension, numbers of moves as in `Puzzle.arrays` (-1 for none); of two, rows of piece,
        cells before and cells after.

    Raises
    ------
    NotationError
        If the puzzle, the start or the goal cannot be read. Whatever is wrong with the moves is in the
        result.

    Examples
    --------
    >>> import slidelab as sl
    >>> sl.check("square R(3,3)", "1 2 3 4 5 6 . 7 8", "←←")
    <2 legal moves to the goal>
    >>> found = sl.check("square R(3,3)", "1 2 3 4 5 6 . 7 8", ["7:7>6", "5:4>5"])
    >>> bool(found), found.failed, found.end.pieces_text
    (False, 2, '1 2 3 4 5 6 7 . 8')
    >>> print(sl.check("square R(3,3)", "1 2 3 4 5 6 . 7 8", "←"))
    the 1 legal move leads to 1 2 3 4 5 6 7 . 8, not to the goal 1 2 3 4 5 6 7 8 .
    """
    made = _puzzle(puzzle)
    first = made.configuration(start)
    last = made.goal if goal is None else made.configuration(goal)
    recorder = Recorder(first)
    failed, reason = None, ""
    try:
        play_source(recorder, _from_array(recorder, moves) if _is_array(moves) else moves)
    except (IllegalMove, NotationError) as error:
        failed, reason = len(recorder.moves) + 1, str(error)
    end = recorder.configuration
    if failed is None and end != last:
        count = counted(len(recorder.moves), "legal move")
        leads = "leads" if len(recorder.moves) == 1 else "lead"
        reason = f"the {count} {leads} to {end.pieces_text}, not to the goal {last.pieces_text}"
    return MovesCheck(first, last, tuple(recorder.moves), end, failed, reason)


_puzzle = puzzle  # the argument of `check` has the same name


def _is_array(moves: object) -> TypeGuard[NDArray[np.integer[Any]]]:
    return hasattr(moves, "ndim")


def _from_array(player: Player, moves: NDArray[np.integer[Any]]) -> Iterable[Move]:
    """Return moves in an array as `play_source` takes them."""
    import numpy as np

    cells = player.puzzle.rule.cells
    if moves.dtype.kind not in "iu" or moves.ndim not in (1, 2):
        raise NotationError(f"expected an array of whole numbers, got {moves.dtype} of shape {moves.shape}")
    if moves.ndim == 1:
        return _numbered(player, moves[moves != -1].tolist())
    width = 1 + 2 * cells
    if moves.shape[1] not in (width, width + 1):
        raise NotationError(
            f"expected rows of {width} numbers (piece, cells before, cells after), got {moves.shape[1]}"
        )
    kinds = np.zeros((len(moves), 1), dtype=np.int32)  # of rows as `MoveList` keeps them, they do not matter
    return MoveList(np.hstack([moves[:, :1], kinds, moves[:, 1 - width :]]).astype(np.int32))


def _numbered(player: Player, numbers: Iterable[int]) -> Iterator[Move]:
    """Yield the moves with these numbers; each must be played before the next is asked for."""
    cells, readings = player.puzzle.arrays().move_cells, player.puzzle.rule.readings
    for number in numbers:
        if not 0 <= number < len(cells):
            raise IllegalMove(f"expected a move from 0 to {len(cells) - 1}, or -1 for none, got {number}")
        before, after = map(tuple, cells[number].tolist())
        pairs = zip(readings(before), readings(after), strict=True)
        move = next(
            (Move(player.piece_at(here), here, there) for here, there in pairs if player.lies(here)), None
        )
        if move is None:
            where = "-".join(map(str, before))
            raise IllegalMove(f"expected a piece on {where}, got none - at move number {number}")
        yield move
