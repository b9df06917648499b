"""Sequences of whole numbers in the atlas, in the form in which the OEIS takes them.

Every term is read from rows of the atlas, so a sequence is as long as its table allows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

from slidelab.files import atomic_write
from slidelab.library import Row, lookup, tables

__all__ = ["Sequence", "sequences", "write_sequences"]

MAX_DATA_CHARACTERS = 260
"""Characters of the terms in an entry of the OEIS, about three lines; the rest is in the b-file."""

MAX_SIZE = 30
"""Largest parameter of a family that is looked up."""

HEXAGONS = "hexagonal tiles; one slides into a neighboring hole only if a second hole touches both cells"


@dataclass(frozen=True, slots=True)
class Sequence:
    """A sequence with all that an entry needs.

    Attributes
    ----------
    key : str
        A short name, also of its files.
    name : str
        What the OEIS calls the name: one line that defines the sequence.
    offset : int
        The index of the first term.
    terms : tuple of int
    comments, example, program : tuple of str
        Lines.
    keywords : str

    Examples
    --------
    >>> found = {each.key: each for each in sequences()}
    >>> found["hex-records"].terms[:6]
    (1, 2, 2, 3, 4, 2)
    """

    key: str
    name: str
    offset: int
    terms: tuple[int, ...]
    comments: tuple[str, ...]
    example: tuple[str, ...]
    program: tuple[str, ...]
    keywords: str

    @property
    def data(self) -> str:
        """As many terms as an entry shows."""
        return self.first_terms(MAX_DATA_CHARACTERS)

    def first_terms(self, characters: int) -> str:
        """Return the first terms, as many as fit into so many characters."""
        shown = ""
        for term in self.terms:
            if len(shown) + len(str(term)) + 2 > characters:
                break
            shown += f", {term}" if shown else str(term)
        return shown

    @property
    def has_b_file(self) -> bool:
        """Whether not all terms are shown."""
        return self.data.count(",") + 1 < len(self.terms)

    def entry(self) -> str:
        """Return the entry: one section after another, as in the form for new sequences."""
        sections: list[tuple[str, Iterable[str]]] = [
            ("NAME", [self.name]),
            ("DATA", wrap(self.data, 79)),
            ("OFFSET", [f"{self.offset},{self._first_large()}"]),
            ("COMMENTS", self.comments),
            ("EXAMPLE", self.example),
            ("PROG", self.program),
            ("KEYWORD", [self.keywords]),
        ]
        return "\n".join(
            line for title, lines in sections for line in (title, *(f"    {x}" for x in lines), "")
        )

    def _first_large(self) -> int:
        """Return the place of the first term that is not -1, 0 or 1, which the OEIS wants to know."""
        return next((k for k, term in enumerate(self.terms, 1) if abs(term) > 1), 1)

    def b_file(self) -> str:
        """Return index and term, one pair in each line."""
        return "".join(f"{n} {term}\n" for n, term in enumerate(self.terms, self.offset))


def sequences() -> Iterator[Sequence]:
    """Iterate over all sequences that the tables of the package give."""
    yield _records()
    yield _triangle("hex-2xn", "hex P(2,{n})", "hextiles", 2, 2, "hexagonal tiles on a 2 X n parallelogram")
    yield _triangle("square-2xn", "square R({n},2)", "tiles", 1, 1, "square tiles on 2 X n squares")
    yield _triangle("king-2xn", "king R({n},2)", "tiles", 2, 1, "diagonally moving tiles on 2 X n squares")
    yield _boards_that_move()
    yield _gourds()
    for board, size in (("T(5)", "a triangle of side 5"), ("P(3,4)", "a 3 X 4 parallelogram")):
        yield from (
            _distribution(board, size, row)
            for row in lookup(f"hex {board} hextiles 2", topic="hexagonal-families")
            if row["distribution"]
        )


def _records() -> Sequence:
    rows = tables()["polyhex-records"].rows
    number = {(row["cells"], row["holes"]): row["gods_number"] for row in rows}
    terms: list[int] = []
    for cells in range(3, max(cells for cells, _ in number) + 1):
        terms += [number.get((cells, holes), 0) for holes in range(2, cells)]
    largest = max(rows, key=lambda row: (row["cells"], row["gods_number"]))
    return Sequence(
        "hex-records",
        "Irregular triangle read by rows: T(n,k) is the largest God's number of hexagonal tiles with k holes "
        "on a board of n hexagons, 2 <= k < n.",
        3,
        tuple(terms),
        (
            f"Pieces are {HEXAGONS}.",
            "God's number is the largest distance between arrangements that can be reached from each other.",
            "The boards are all connected sets of n cells (A000228).",
        ),
        (f"T({largest['cells']},{largest['holes']}) = {largest['gods_number']}.",),
        ("(Python) # with slidelab", 'records(compute(f"{b.name} hextiles {k}" for b in polyhexes(n)))'),
        "nonn,tabf,more",
    )


def _known(puzzle: str) -> int | None:
    """Return God's number of a puzzle as slidelab computed it."""
    found = (row["gods_number"] for row in lookup(puzzle) if row.computed)
    return next((number for number in found if number is not None), None)


def _triangle(key: str, family: str, rule: str, first: int, fewest: int, what: str) -> Sequence:
    """Return the triangle of all numbers of holes, up to the last board of which all are known."""
    terms: list[int] = []
    last: list[int] = []
    n = first
    while n < MAX_SIZE:
        row = [_known(f"{family.format(n=n)} {rule} {holes}") for holes in range(fewest, 2 * n)]
        if None in row:
            break
        last = [number for number in row if number is not None]
        terms += last
        n += 1
    rest = f"hexagons: {HEXAGONS}" if rule == "hextiles" else "tiles that slide into a neighboring hole"
    return Sequence(
        key,
        f"Irregular triangle read by rows: T(n,k) is God's number for {what}, k holes, {fewest} <= k < 2*n.",
        first,
        tuple(terms),
        (
            f"Pieces are {rest}.",
            "God's number is the largest distance between arrangements that can be reached from each other.",
            "T(n,2*n-1) is the diameter of the graph of places of a single tile.",
        ),
        (f"Row {n - 1} is {', '.join(map(str, last))}.",),
        (
            "(Python) # with slidelab",
            f'[puzzle(f"{family} {rule} {{k}}").gods_number().number for k in range({fewest}, 2*n)]',
        ),
        "nonn,tabf,more",
    )


def _boards_that_move() -> Sequence:
    rows = [row for row in tables()["polyhex-records"].rows if row["holes"] == 2]
    return Sequence(
        "polyhexes-with-triangle",
        "Number of n-celled polyhexes in which some three cells touch one another.",
        3,
        tuple(row["boards"] for row in sorted(rows, key=lambda row: int(row["cells"]))),
        (
            "On exactly these boards a hexagonal tile can move if there are two holes or more.",
            "A000228 minus A038142 (trees of cells), minus those that surround a hole without such a triple:",
            "0, 0, 0, 1, 1, 6, 20 for n = 3 to 9.",
        ),
        ("a(4) = 2: of the 7 tetrahexes, two do: the rhombus, and a triangle with a tail.",),
        (
            "(Python) # with slidelab",
            "sum(puzzle(b, holes=2).gods_number().number > 0 for b in polyhexes(n))",
        ),
        "nonn,more",
    )


def _gourds() -> Sequence:
    largest: dict[int, int] = {}
    for row in tables()["gourds"].rows:
        cells = len(row.puzzle.split()) - 3
        largest[cells] = max(largest.get(cells, 0), row["gods_number"] or 0)
    return Sequence(
        "gourds-records",
        "Largest God's number of the gourds puzzle with n gourds on a proper board of 2*n+1 hexagons.",
        1,
        tuple(number for _, number in sorted(largest.items())),
        (
            "A gourd covers two neighboring cells and slides, turns or pivots into the one empty cell.",
            "A proper board is 2-connected, without a hole, and not the star; then all can be reached.",
        ),
        ("On the triangle of three cells one gourd needs at most a(1) moves.",),
        (
            "(Python) # with slidelab",
            'max(puzzle(b, "gourds").gods_number().number for b in polyhexes(2*n+1) if is_proper(b))',
        ),
        "nonn,more",
    )


def _distribution(board: str, what: str, row: Row) -> Sequence:
    terms: list[int] = row["distribution"]
    return Sequence(
        f"hex-{board.replace('(', '-').replace(',', '-').replace(')', '')}-distribution",
        f"Number of arrangements of hexagonal tiles on {what} with two holes at distance n from a start that "
        "has the largest eccentricity.",
        0,
        tuple(terms),
        (
            f"Pieces are {HEXAGONS}.",
            f"The start is {row['start']}, in rows from the top; a dot is a hole.",
            f"The terms sum to {row['configurations']}. The last one has n = {len(terms) - 1}: God's number.",
        ),
        (f"From the start, {terms[1]} arrangements can be reached in one move.",),
        ("(Python) # with slidelab", f'puzzle("hex {board}").distances("{row["start"]}").distribution'),
        "nonn,fini,full",
    )


def write_sequences(folder: str | Path) -> list[Path]:
    """Write an entry for each sequence to a folder, and a b-file where it is long; return their names.

    Examples
    --------
    >>> files = write_sequences(getfixture("tmp_path"))
    >>> sum(file.name.startswith("b-") for file in files)
    2
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for each in sequences():
        files = [(f"{each.key}.txt", each.entry())]
        files += [(f"b-{each.key}.txt", each.b_file())] if each.has_b_file else []
        for name, text in files:
            with atomic_write(target / name) as file:
                file.write(text.encode())
            written.append(target / name)
    return written
