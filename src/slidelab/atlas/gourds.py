"""The atlas of gourds: every two-connected board of hexagons with a hole in it, and what gourds can do there.

An atlas file has one line of JSON for each board, after a line that says what it is. Every line ends with
a checksum of all bytes before it, so a file that was stopped can be trusted and goes on after its last whole
line. The last line of a finished file counts the boards and has the SHA-256 of everything before it.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from slidelab import __version__
from slidelab.arguments import whole_number
from slidelab.atlas.gourd_features import SOLVABLE, Features, features
from slidelab.boards import Board, hex_board, holes_in_board, is_two_connected
from slidelab.errors import Damaged, NotationError, PuzzleError, TooLarge

if TYPE_CHECKING:
    from concurrent.futures import Future

    from slidelab.budget import ProgressCallback

__all__ = [
    "RULES",
    "Atlas",
    "Entry",
    "FamilyEntry",
    "RuleCheck",
    "Summary",
    "boards_with_holes",
    "entries",
    "entry",
    "read_atlas",
    "summarize",
    "write_atlas",
]

FORMAT = "slidelab atlas of gourds 1"
FEWEST_CELLS, MOST_CELLS = 7, 17
ALONE = 11  # up to so many cells, starting other processes takes longer than the work
CHUNK = 32
POLYHEXES = {7: 333, 9: 6_572, 11: 143_552, 13: 3_274_826, 15: 76_581_875}


# The boards


def boards_with_holes(cells: int, progress: ProgressCallback | None = None) -> Iterator[Board]:
    """Iterate over the two-connected boards of so many hexagons with a hole in the board, up to symmetry.

    They come in the order of `slidelab.boards.polyhexes`.

    >>> sum(1 for _ in boards_with_holes(9))
    13
    """
    return _stream(_check_cells(cells), progress)


def _check_cells(cells: int) -> int:
    """Return the number of cells if there is an atlas for it, otherwise say why not."""
    cells = whole_number(cells, 1, "number of cells")
    if cells % 2 == 0:
        raise NotationError(f"expected an odd number of cells (gourds have two, one is empty), got {cells}")
    if cells < FEWEST_CELLS:
        raise NotationError(
            f"expected at least {FEWEST_CELLS} cells, since smaller boards have no hole, got {cells}"
        )
    if cells > MOST_CELLS:
        raise TooLarge(
            f"expected at most {MOST_CELLS} cells, got {cells}: the boards would take months to list"
        )
    return cells


def _stream(cells: int, progress: ProgressCallback | None) -> Iterator[Board]:
    from slidelab._core import PolyhexStream

    stream, seen = PolyhexStream(cells), 0
    may_do = _quick_look(cells)
    while batch := stream.next_batch(1000):
        for coordinates in batch:
            if may_do(coordinates):
                board = hex_board(coordinates)
                if is_two_connected(board):
                    yield board
        seen += len(batch)
        if progress is not None:
            progress("polyhexes", seen, POLYHEXES.get(cells, 0))


def _quick_look(cells: int) -> Callable[[Iterable[tuple[int, int]]], bool]:
    """A test that nearly all polyhexes fail: every cell has two neighbours, and there is a hole.

    Of millions of boards hardly one in a thousand is wanted, so a board is looked at as one number, with a
    bit for each cell and rows far enough apart, before anything is made of it.
    """
    width = 2 * cells + 1
    bit = {(q, r): 1 << ((r + 1) * width + q + cells) for r in range(cells) for q in range(-cells, cells + 1)}

    def may_do(coordinates: Iterable[tuple[int, int]]) -> bool:
        here = 0
        for cell in coordinates:
            here |= bit[cell]
        right, below, aslant = here >> 1, here >> width, here >> (width - 1)
        once, twice = right | below, right & below
        for shifted in (aslant, here << 1, here << width, here << (width - 1)):
            twice |= once & shifted
            once |= shifted
        if here & ~twice:
            return False
        across, down = here & right, here & below
        edges = across.bit_count() + down.bit_count() + (here & aslant).bit_count()
        faces = (across & below).bit_count() + (down & aslant).bit_count()
        return edges - faces >= here.bit_count()  # Euler: a connected board without holes has one edge less

    return may_do


# The entries


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """Shapes that can become each other: how many, how many components lie over them, and their group."""

    shapes: int
    components: int
    group: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One board of the atlas."""

    board: str
    holes: int  # in the board: regions of missing cells
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
        """Read an entry; `NotationError` if it is none."""
        try:
            families = tuple(FamilyEntry(*family) for family in value["families"])
            about = Features(**{field.name: value["features"][field.name] for field in fields(Features)})
            number = {name: whole_number(value[name], 0, name) for name in COUNTS}
            found = Entry(board=str(value["board"]), families=families, features=about, **number)
        except (KeyError, TypeError):
            raise NotationError(f"expected an entry of the atlas of gourds, got {value!r:.80}") from None
        return found


def _necklace_group(name: str) -> str:
    """C2 wr C(n) instead of the order and the points of that group.

    >>> _necklace_group("group of order 64 on 8 points"), _necklace_group("C(4)")
    ('C2 wr C(4)', 'C(4)')
    """
    match = re.fullmatch(r"group of order (\d+) on (\d+) points", name)
    n = int(match[2]) // 2 if match else 0
    return f"C2 wr C({n})" if match and int(match[1]) == 2**n * n else name


COUNTS = ("holes", "shapes", "isolated", "components")


def entry(board: Board) -> Entry:
    """Compute what the atlas says about a board.

    >>> from slidelab.boards import board
    >>> e = entry(board("hex 1,0 2,0 0,1 2,1 0,2 1,2 0,3"))
    >>> e.solvable, e.families[0].group, e.features.verdict
    (False, 'C2 wr Alt(3)', 'necklace: the cyclic order is kept')
    """
    from slidelab.puzzles import puzzle

    found = puzzle(board, "gourds").analyze(connection=False)
    if found.shapes is None or found.isolated is None or found.components is None:
        raise TooLarge(f"the shapes of {board.name} are too many")
    families = tuple(
        FamilyEntry(family.shapes, family.components, family.group.name) for family in found.families
    )
    return Entry(
        board.name,
        holes_in_board(board),
        found.shapes,
        found.isolated,
        families,
        found.components,
        features(board),
    )


def entries(
    cells: int, *, processes: int | None = None, skip: int = 0, progress: ProgressCallback | None = None
) -> Iterator[Entry]:
    """Iterate over the atlas: an entry for each two-connected board of so many cells with a hole in it.

    Parameters
    ----------
    cells : int
        An odd number from 7 on. Nine cells take a second, 13 a minute, 15 most of an hour.
    processes : int, optional
        How many processes share the work; all cores if not given and if that pays. More than one are started
        afresh ("spawn"), so a script must guard its main part with ``if __name__ == "__main__"``.
    skip : int
        Leave out so many entries.
    progress : callable, optional
        Called with phase, done, total.

    Examples
    --------
    >>> [e.solvable for e in entries(7)]
    [False]
    """
    cells, processes = _check_cells(cells), _check_processes(cells, processes)
    boards = islice(
        boards_with_holes(cells, progress), whole_number(skip, 0, "number of entries to skip"), None
    )
    return map(entry, boards) if processes == 1 else _shared(boards, processes)


def _check_processes(cells: int, processes: int | None) -> int:
    if processes is None:
        return 1 if cells <= ALONE else os.cpu_count() or 1
    return whole_number(processes, 1, "number of processes")


def _shared(boards: Iterator[Board], processes: int) -> Iterator[Entry]:
    """Entries made by several processes, in the order of the boards, a few chunks ahead of the reader."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    waiting: deque[Future[list[Entry]]] = deque()
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _ignore_interrupts)
    try:
        while chunk := [board.cells for board in islice(boards, CHUNK)]:
            waiting.append(pool.submit(_entries_of, chunk))
            while waiting and (waiting[0].done() or len(waiting) > 4 * processes):
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that writes; the others end when it does."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _entries_of(chunk: Sequence[tuple[tuple[int, int], ...]]) -> list[Entry]:
    return [entry(hex_board(cells)) for cells in chunk]


# Summaries: how many boards can be solved, why not, and how rules fare


@dataclass(frozen=True, slots=True)
class RuleCheck:
    """How often a rule is right, and the first board about which it is wrong."""

    rule: str
    right: int
    wrong: int
    first_wrong: str | None


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over many entries."""

    boards: int
    solvable: int
    reasons: tuple[tuple[str, str, int], ...]  # verdict of the rule, group, how many boards
    rules: tuple[RuleCheck, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return {
            "boards": self.boards,
            "solvable": self.solvable,
            "reasons": [
                {"reason": reason, "group": group, "boards": count} for reason, group, count in self.reasons
            ],
            "rules": [{field.name: getattr(r, field.name) for field in fields(r)} for r in self.rules],
        }


Rule = Callable[[Features], bool]

RULES: dict[str, Rule] = {
    "a hole-free Hamiltonian cycle, or a station": lambda f: f.hole_free_cycle or f.station,
    "a Hamiltonian cycle": lambda f: f.hamiltonian,
    "every cell can be empty": lambda f: not f.never_empty,
    "... and a gourd can pivot": lambda f: not f.never_empty and f.pivots,
    "... and not a necklace": lambda f: not f.never_empty and f.pivots and not f.necklace,
    "... and an even ring (the conjecture)": lambda f: f.verdict == SOLVABLE,
}
"""Rules for 'solvable', from the papers' to the conjecture of `docs/atlas-gourds.md`."""


def summarize(found: Iterable[Entry]) -> Summary:
    """Count boards, reasons and groups, and how the rules fare. Reads the entries once and keeps none.

    >>> s = summarize(entries(9))
    >>> s.boards, s.solvable, s.rules[-1].wrong
    (13, 7, 0)
    """
    boards = solvable = 0
    reasons: Counter[tuple[str, str]] = Counter()
    wrong: Counter[str] = Counter()
    first: dict[str, str] = {}
    for each in found:
        boards += 1
        solvable += each.solvable
        reasons[each.features.verdict, each.group] += 1
        for name, rule in RULES.items():
            if rule(each.features) != each.solvable:
                wrong[name] += 1
                first.setdefault(name, each.board)
    return Summary(
        boards,
        solvable,
        tuple((*key, count) for key, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))),
        tuple(RuleCheck(name, boards - wrong[name], wrong[name], first.get(name)) for name in RULES),
    )


# Files


@dataclass(frozen=True, slots=True)
class Atlas:
    """What an atlas file holds; `finished` if it has all boards of so many cells."""

    cells: int
    version: str  # of slidelab, when the file was begun
    entries: tuple[Entry, ...]
    finished: bool


def read_atlas(path: str | os.PathLike[str]) -> Atlas:
    """Read an atlas file, finished or not; `Damaged` if it is not what was once written.

    >>> file = getfixture("tmp_path") / "seven.jsonl"
    >>> write_atlas(file, 7).boards, len(read_atlas(file).entries), read_atlas(file).finished
    (1, 1, True)
    """
    target = Path(path)
    try:
        whole_lines, _ = _split(target, target.read_bytes())
    except OSError as error:
        raise PuzzleError(f"could not read {target}: {error.strerror}") from None
    if not whole_lines:
        raise Damaged(f"{target} is damaged: it does not say what it is")
    return _understood(target, whole_lines)


def write_atlas(
    path: str | os.PathLike[str],
    cells: int,
    *,
    processes: int | None = None,
    progress: ProgressCallback | None = None,
) -> Summary:
    """Write the atlas of boards with so many cells to a file, line by line, and return its summary.

    If the file is there and unfinished, it goes on after its last whole line; if it is finished, nothing is
    computed. So a run that was stopped loses next to nothing.

    >>> file = getfixture("tmp_path") / "nine.jsonl"
    >>> write_atlas(file, 9).solvable, file.read_text().count("\\n")
    (7, 15)
    """
    cells = _check_cells(cells)
    processes = _check_processes(cells, processes)  # before there is a file
    target = Path(path)
    try:
        with _locked(target) as file:
            return summarize(_written(target, file, cells, processes, progress))
    except OSError as error:
        kept = "; what it holds is kept" if target.is_file() else ""
        raise PuzzleError(f"could not write {target}: {error.strerror}{kept}") from None


def _written(
    target: Path, file: BinaryIO, cells: int, processes: int | None, progress: ProgressCallback | None
) -> Iterator[Entry]:
    """The entries of the file: those that were there, then those that are added to it."""
    data = file.read()
    whole_lines, size = _split(target, data)
    writer = _Writer(file, data[:size])
    count = 0
    if whole_lines:
        known = _understood(target, whole_lines)
        _check_same(target, known, cells)
        yield from known.entries
        if known.finished:
            return
        count = len(known.entries)
    else:
        writer.write({"format": FORMAT, "cells": cells, "version": __version__})
    for new in entries(cells, processes=processes, skip=count, progress=progress):
        writer.write(new.to_json())
        count += 1
        yield new
    writer.write({"boards": count, "sha256": writer.sha256})


def _check_same(target: Path, known: Atlas, cells: int) -> None:
    if known.cells != cells:
        raise PuzzleError(
            f"{target} is about boards of {known.cells} cells, not {cells}; choose another file"
        )
    if not known.finished and known.version != __version__:
        raise PuzzleError(
            f"{target} was begun by version {known.version:.20} of slidelab; choose another file"
        )


@contextmanager
def _locked(target: Path) -> Iterator[BinaryIO]:
    """The file, made if it is not there, for one run at a time."""
    with os.fdopen(os.open(target, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PuzzleError(f"another run is writing {target}") from None
        yield file


class _Writer:
    """Writes lines after what the file holds, each ending with a checksum of all bytes before."""

    def __init__(self, file: BinaryIO, held: bytes) -> None:
        self._file = file
        self._crc, self._sha = zlib.crc32(held), hashlib.sha256(held)
        file.seek(len(held))
        file.truncate()

    @property
    def sha256(self) -> str:
        return self._sha.hexdigest()

    def write(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, separators=(",", ":")).encode()[:-1]
        line += _ending(zlib.crc32(line, self._crc))
        self._crc = zlib.crc32(line, self._crc)
        self._sha.update(line)
        self._file.write(line)
        self._file.flush()  # a run that is killed loses no whole line


def _ending(crc: int) -> bytes:
    return b',"crc":"%08x"}\n' % crc


def _split(path: Path, data: bytes) -> tuple[list[dict[str, Any]], int]:
    """The whole lines, each checked against its checksum, and their size; what follows was not finished."""
    found: list[dict[str, Any]] = []
    size = crc = 0
    for line in BytesIO(data):
        if not line.endswith(b"\n"):
            break
        body = line[: -len(_ending(0))]
        if line != body + _ending(zlib.crc32(body, crc)):
            raise Damaged(f"{path} is damaged at line {len(found) + 1}: its checksum is another")
        if "sha256" in (value := _parsed(path, line)) and value["sha256"] != _sha256(data[:size]):
            raise Damaged(f"{path} is damaged: its SHA-256 is not {value['sha256']!s:.16}...")
        crc = zlib.crc32(line, crc)
        size += len(line)
        found.append(value)
    if not found and data and not FIRST_BYTES.startswith(data[: len(FIRST_BYTES)]):
        raise Damaged(f"{path} is not an atlas of gourds")  # and must not be written over
    return found, size


FIRST_BYTES = f'{{"format":"{FORMAT}"'.encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _parsed(path: Path, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Damaged(f"{path} is damaged: expected lines of JSON objects")
    return value


def _understood(path: Path, lines: list[dict[str, Any]]) -> Atlas:
    """What the lines of a file say, each of which has its checksum."""
    header, *rest = lines
    if header.get("format") != FORMAT:
        raise PuzzleError(f"{path} was written by another version ({header.get('format')!r:.40})")
    finished = bool(rest) and "sha256" in rest[-1]
    if finished and rest.pop().get("boards") != len(rest):
        raise Damaged(f"{path} is damaged: it does not have as many boards as it says")
    try:
        cells = whole_number(header["cells"], 1, "number of cells")
        return Atlas(cells, str(header["version"]), tuple(map(Entry.from_json, rest)), finished)
    except (KeyError, NotationError):
        raise Damaged(f"{path} is damaged: it has lines that are no entries") from None
