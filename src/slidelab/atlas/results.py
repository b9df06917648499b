"""Compute the atlas of gourds: all two-connected boards of hexagons with a hole, and their groups."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from slidelab.arguments import whole_number
from slidelab.atlas.conditions import SOLVABLE, Features, features
from slidelab.boards import Board, Cell, hex_board, holes_in_board, is_two_connected
from slidelab.budget import Budget
from slidelab.errors import NotationError, TooLarge
from slidelab.messages import integer_text, quoted
from slidelab.parallel import check_workers, ordered_map
from slidelab.puzzles import puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Entry", "FamilyEntry", "boards_with_holes", "check_cells", "check_processes", "entries", "entry"]

MIN_CELLS = 7
"""Cells of the smallest board with a hole and an odd number of cells."""

MAX_CELLS = 17
"""Cells of the largest boards that are listed; those of 19 would take months."""

MAX_SINGLE_PROCESS_CELLS = 11
"""Cells up to which starting other processes takes longer than the work."""

MAX_PROCESSES = 1024

CHUNK_BOARDS = 32
"""Boards that a process gets at a time, about a second of work."""

POLYHEX_COUNTS = {7: 333, 9: 6_572, 11: 143_552, 13: 3_274_826, 15: 76_581_875}
"""Numbers of polyhexes (OEIS A000228), for the progress bar."""


def boards_with_holes(cells: int, budget: Budget | None = None) -> Iterator[Board]:
    """Iterate over the two-connected boards of a number of hexagons with a hole, up to symmetry.

    They come in the order of `slidelab.boards.polyhexes`.

    Parameters
    ----------
    cells
        Number of hexagons, odd, from 7 to 17.
    budget
        Its deadline limits the enumeration.

    Examples
    --------
    >>> sum(1 for _ in boards_with_holes(9))
    13
    """
    return _stream(check_cells(cells), budget)


def check_cells(cells: int) -> int:
    """Return the number of cells if there is an atlas for it, otherwise raise an error that says why not."""
    cells = whole_number(cells, 1, "number of cells")
    if cells % 2 == 0:
        raise NotationError(f"expected an odd number of cells (gourds have two, one is empty), got {cells}")
    if cells < MIN_CELLS:
        raise NotationError(
            f"expected at least {MIN_CELLS} cells, since smaller boards have no hole, got {cells}"
        )
    if cells > MAX_CELLS:
        raise TooLarge(
            f"expected at most {MAX_CELLS} cells, got {cells}: the boards would take months to list"
        )
    return cells


def _stream(cells: int, budget: Budget | None) -> Iterator[Board]:
    from slidelab._core import PolyhexStream

    stream, seen = PolyhexStream(cells), 0
    may_have_hole = _fast_filter(cells)
    while batch := stream.next_batch(1000):
        for coordinates in batch:
            if may_have_hole(coordinates):
                board = hex_board(coordinates)
                if is_two_connected(board):
                    yield board
        seen += len(batch)
        if budget is not None:
            budget.check("polyhexes", seen, POLYHEX_COUNTS.get(cells, 0))


def _fast_filter(cells: int) -> Callable[[Iterable[Cell]], bool]:
    """Return a test that nearly all polyhexes fail: every cell has two neighbours, and there is a hole.

    Of millions of boards hardly one in a thousand passes, so a board is tested as one number, with a bit for
    each cell and rows far enough apart, before a `Board` is made of it.
    """
    width = 2 * cells + 1
    bit = {(q, r): 1 << ((r + 1) * width + q + cells) for r in range(cells) for q in range(-cells, cells + 1)}

    def may_have_hole(coordinates: Iterable[Cell]) -> bool:
        here = 0
        for cell in coordinates:
            here |= bit[cell]
        right, below, diagonal = here >> 1, here >> width, here >> (width - 1)
        once, twice = right | below, right & below
        for shifted in (diagonal, here << 1, here << width, here << (width - 1)):
            twice |= once & shifted
            once |= shifted
        if here & ~twice:
            return False
        across, down = here & right, here & below
        edges = across.bit_count() + down.bit_count() + (here & diagonal).bit_count()
        faces = (across & below).bit_count() + (down & diagonal).bit_count()
        return edges - faces >= here.bit_count()  # Euler: a connected board without holes has one edge less

    return may_have_hole


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family: the number of shapes that can become each other, of components over them, and the group."""

    shapes: int
    components: int
    group: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What the atlas has about one board.

    Attributes
    ----------
    board : str
        The name of the board.
    holes : int
        Number of holes in the board, regions of missing cells.
    shapes, isolated, components : int
        Numbers of shapes, of isolated shapes and of components of the puzzle with one empty cell.
    families : tuple of FamilyEntry
    features : Features
        What the conjecture looks at.
    """

    board: str
    holes: int
    shapes: int
    isolated: int
    families: tuple[FamilyEntry, ...]
    components: int
    features: Features

    @property
    def solvable(self) -> bool:
        """Whether every configuration can become every other."""
        return self.components == 1 and self.isolated == 0

    @property
    def agrees(self) -> bool:
        """Whether the conjecture of `docs/atlas-gourds.md` is right about this board."""
        return self.solvable == (self.features.verdict == SOLVABLE)

    @property
    def group(self) -> str:
        """The groups of the families, by a better name if the board is a necklace.

        Necklaces keep the cyclic order; so a group of order 2^n n on the 2n ends can only be C2 wr C(n).
        """
        names = (_necklace_group(f.group) if self.features.necklace else f.group for f in self.families)
        return " and ".join(names)

    def to_json(self) -> dict[str, Any]:
        """Return the entry as a JSON object of plain values; `Entry.from_json` reads it back."""
        return {
            "board": self.board,
            "holes": self.holes,
            "shapes": self.shapes,
            "isolated": self.isolated,
            "families": [[family.shapes, family.components, family.group] for family in self.families],
            "components": self.components,
            "solvable": self.solvable,
            "features": self.features.to_json(),
        }

    @staticmethod
    def from_json(value: dict[str, Any]) -> Entry:
        """Return the entry of a JSON object.

        Raises
        ------
        NotationError
            If the object is not an entry.
        """
        try:
            form = msgspec.convert(value, _EntryForm)
        except (ValueError, RecursionError):
            form = None
        if form is None or not all(map(str.isprintable, [form.board, *(name for *_, name in form.families)])):
            got = quoted(repr(value)[:200], 80)
            raise NotationError(f"expected an entry of the atlas of gourds, got {got}")
        families = tuple(FamilyEntry(*family) for family in form.families)
        return Entry(
            form.board, form.holes, form.shapes, form.isolated, families, form.components, form.features
        )


_Count = Annotated[int, msgspec.Meta(ge=0)]


class _EntryForm(msgspec.Struct, frozen=True):
    """The JSON form of an entry; a file may hold anything."""

    board: str
    holes: _Count
    shapes: _Count
    isolated: _Count
    families: list[tuple[_Count, _Count, str]]
    components: _Count
    features: Features


def _necklace_group(name: str) -> str:
    """Return C2 wr C(n) for a group that is named by its order and degree and has those of C2 wr C(n).

    >>> _necklace_group("group of order 64 on 8 points"), _necklace_group("C(4)")
    ('C2 wr C(4)', 'C(4)')
    """
    match = re.fullmatch(r"group of order (\d+) on (\d+) points", name)
    n = int(match[2]) // 2 if match else 0
    return f"C2 wr C({n})" if match and int(match[1]) == 2**n * n else name


def entry(board: Board) -> Entry:
    """Compute the entry of a board.

    Parameters
    ----------
    board
        A connected board of hexagons with an odd number of cells.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> e = entry(board("hex 1,0 2,0 0,1 2,1 0,2 1,2 0,3"))
    >>> e.solvable, e.families[0].group, e.features.verdict
    (False, 'C2 wr Alt(3)', 'necklace: the cyclic order is kept')
    """
    found = puzzle(board, "gourds").analyze(connection=False)
    if found.shapes is None or found.isolated is None or found.components is None:
        raise TooLarge(f"the shapes of {board.name} are too many")
    return Entry(
        board.name,
        holes_in_board(board),
        found.shapes,
        found.isolated,
        tuple(FamilyEntry(family.shapes, family.components, family.group.name) for family in found.families),
        found.components,
        features(board),
    )


def entries(
    cells: int,
    *,
    processes: int | None = None,
    executor: Executor | None = None,
    skip: int = 0,
    budget: Budget | None = None,
) -> Iterator[Entry]:
    """Iterate over the atlas: an entry for each two-connected board of a number of cells with a hole.

    Parameters
    ----------
    cells
        An odd number from 7 to 17. Nine cells take a second, 13 a minute, 15 most of an hour.
    processes
        How many processes share the work; default all cores, or one for few cells. Several processes are
        started afresh ("spawn"), so a script must guard its main part with ``if __name__ == "__main__"``.
    executor
        Any executor that computes the entries instead, as in `slidelab.sweep`; it stays open.
    skip
        Number of entries to leave out at the beginning.
    budget
        Its deadline limits the enumeration.

    Raises
    ------
    WorkerLost
        If a worker ended before its entries were known.

    Examples
    --------
    >>> [e.solvable for e in entries(7)]
    [False]
    """
    check_workers(executor, processes)
    cells, processes = check_cells(cells), check_processes(cells, processes)
    skip = whole_number(skip, 0, "number of entries to skip")
    boards = islice(boards_with_holes(cells, budget), skip, None)
    if executor is None and processes == 1:
        return map(entry, boards)
    coordinates = (board.cells for board in boards)
    return ordered_map(_entries_of, coordinates, executor or processes, chunk=CHUNK_BOARDS)


def check_processes(cells: int, processes: int | None) -> int:
    """Return the number of processes, checked, or the default for so many cells."""
    if processes is None:
        return 1 if cells <= MAX_SINGLE_PROCESS_CELLS else os.cpu_count() or 1
    number = whole_number(processes, 1, "processes")
    if number > MAX_PROCESSES:
        got = integer_text(number)
        raise NotationError(f"expected from 1 to {MAX_PROCESSES} processes, got {got}")
    return number


def _entries_of(chunk: Sequence[tuple[Cell, ...]]) -> list[Entry]:
    return [entry(hex_board(cells)) for cells in chunk]
