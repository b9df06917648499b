"""Boards of hexagons: parallelograms, triangles, trapezoids, flowers, rings, the star, any set of cells.

Cells have axial coordinates (q, r): r is the row, and (q, r) touches (q+1, r), (q, r+1), (q+1, r-1) and the
three opposite ones. The families P, T, F, their trimmed forms and the star are those of the papers on
hexagonal tiles and on gourds; trapezoids, rings and all other convex boards are ours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from slidelab.arguments import whole_number
from slidelab.boards.lattice import Cell, bounding_box, images, lattice_edges, listed_name, sorted_cells
from slidelab.boards.limits import check_size
from slidelab.boards.model import Board
from slidelab.errors import NotationError, PuzzleError

__all__ = [
    "congruent_families",
    "congruent_family",
    "convex",
    "flower",
    "hex_board",
    "hexagonal_ring",
    "parallelogram",
    "star",
    "trapezoid",
    "triangle",
    "trimmed_parallelogram",
    "trimmed_triangle",
]

Family = tuple[str, tuple[int, ...]]

ROW_HEIGHT = math.sqrt(3) / 2
"""Distance between the centres of two rows, in widths of a hexagon."""

STAR_TIPS: tuple[Cell, ...] = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))


def hex_board(cells: Iterable[Sequence[int]]) -> Board:
    """Return the board of these hexagons.

    Parameters
    ----------
    cells
        Axial coordinates (q, r), in any order.

    Examples
    --------
    >>> hex_board([(1, 0), (0, 0), (0, 1)]).cells
    ((0, 0), (1, 0), (0, 1))
    >>> hex_board([(0, 0), (1, 0)])
    board('hex P(2,1)')
    """
    ordered = sorted_cells(cells, "hex")
    return Board(
        kind="hex",
        cells=ordered,
        edges=lattice_edges("hex", ordered),
        size=len(ordered),
        name=_name(ordered),
        positions=tuple((q + r / 2, r * ROW_HEIGHT) for q, r in ordered),
    )


def parallelogram(columns: int, rows: int | None = None) -> Board:
    """Return P(columns, rows), a parallelogram that leans to the right going down; P(n) is P(n, n).

    Examples
    --------
    >>> print(parallelogram(3, 2))
    hex
    # # #
     # # #
    """
    return _family("P", columns, columns if rows is None else rows)


def triangle(side: int) -> Board:
    """Return T(side), a triangle with one cell in its top row and `side` cells in its last.

    Examples
    --------
    >>> print(triangle(2))
    hex
     #
    # #
    """
    return _family("T", side)


def flower(side: int) -> Board:
    """Return F(side), the regular hexagon with `side` cells on each side; it has 3 side (side - 1) + 1 cells.

    Examples
    --------
    >>> len(flower(3))
    19
    """
    return _family("F", side)


def star() -> Board:
    """Return the Star of David of 13 cells: F(2) and a tip on each of its six sides.

    Examples
    --------
    >>> len(star().edges)
    24
    """
    return hex_board(_cells(("star", ())))


def trapezoid(base: int, rows: int) -> Board:
    """Return trapezoid(base, rows): the last `rows` rows of the triangle T(base).

    Examples
    --------
    >>> print(trapezoid(4, 2))
    hex
     # # #
    # # # #
    """
    if isinstance(base, int) and isinstance(rows, int) and base < rows:
        raise NotationError(f"expected at most {base} rows of a trapezoid with base {base}, got {rows}")
    return _family("trapezoid", base, rows)


def hexagonal_ring(side: int, width: int) -> Board:
    """Return ring(side, width): the flower F(side) without the flower F(side - width) in its middle.

    Examples
    --------
    >>> print(hexagonal_ring(3, 1))
    hex
      # # #
     #     #
    #       #
     #     #
      # # #
    """
    if isinstance(side, int) and isinstance(width, int) and width >= side:
        raise NotationError(f"expected a ring of width less than its side {side}, got {width}")
    return _family("ring", side, width)


def convex(columns: int, rows: int, first: int, last: int) -> Board:
    """Return convex(columns, rows, first, last): P(columns, rows) with lines cut off its two tight corners.

    Every convex board of hexagons is a translate of one of these.

    Parameters
    ----------
    columns, rows
        Of the parallelogram.
    first, last
        Lines of hexagons that are cut off the first and the last hexagon, each less than rows and columns.

    Examples
    --------
    >>> print(convex(4, 3, 1, 2))
    hex
     # # #
    # # #
     # #
    """
    cut = tuple(whole_number(n, 0, "lines cut off a corner") for n in (first, last))
    if isinstance(columns, int) and isinstance(rows, int) and max(cut) >= min(columns, rows):
        raise NotationError(
            f"expected fewer than {min(columns, rows)} lines cut off each corner, got {max(cut)}"
        )
    check_size(_count(("P", (columns, rows))), 0, "hex convex board")
    return hex_board(_cells(("convex", (columns, rows, *cut))))


def trimmed_parallelogram(columns: int, rows: int | None = None) -> Board:
    """Return Ptr(columns, rows): P(columns, rows) without its tight corners.

    Examples
    --------
    >>> print(trimmed_parallelogram(3, 3))
    hex
     # #
    # # #
     # #
    """
    return _family("Ptr", columns, columns if rows is None else rows)


def trimmed_triangle(side: int) -> Board:
    """Return Ttr(side): T(side) without its tight corners. Nothing remains of T(2).

    Examples
    --------
    >>> len(trimmed_triangle(5))
    12
    """
    return _family("Ttr", side)


def congruent_family(board: Board) -> Family | None:
    """Return the first family member that `board` is a translate, rotation or reflection of, or None.

    The order of preference is P, T, F, star, Ptr, Ttr, and the numbers of P and Ptr come sorted, since
    P(3,4) and P(4,3) are mirror images. `congruent_families` gives all of them.

    Examples
    --------
    >>> congruent_family(parallelogram(4, 3))
    ('P', (3, 4))
    >>> congruent_family(hex_board([(0, 0), (7, 7)])) is None
    True
    """
    return next(_congruent(board), None)


def congruent_families(board: Board) -> tuple[Family, ...]:
    """Return all family members congruent to `board`: small ones have several names.

    Examples
    --------
    >>> congruent_families(flower(2))
    (('F', (2,)), ('Ptr', (3, 3)), ('Ttr', (4,)))
    """
    return tuple(_congruent(board))


def family_translate(cells: Sequence[Cell]) -> tuple[Cell, ...] | None:
    """Return the cells of the family member that a drawing of `cells` shows (a translate of it), or None."""
    for family in _candidates(cells, turned=False):
        member = _cells(family)
        if _is_translate(cells, member):
            return tuple(member)
    return None


def _family(letter: str, *numbers: int) -> Board:
    checked = tuple(whole_number(n, 1, f"number {i + 1} of {letter}") for i, n in enumerate(numbers))
    check_size(_count((letter, checked)), 0, f"hex {_text((letter, checked))}")
    return hex_board(_cells((letter, checked)))


def _count(family: Family) -> int:
    """Return the number of cells, before the tight corners are removed."""
    letter, numbers = family
    if letter == "trapezoid":
        return numbers[0] * numbers[1]
    if letter in ("T", "Ttr"):
        return numbers[0] * (numbers[0] + 1) // 2
    return 3 * numbers[0] * (numbers[0] - 1) + 1 if letter in ("F", "ring") else math.prod(numbers)


def _text(family: Family) -> str:
    letter, numbers = family
    return f"{letter}({','.join(map(str, numbers))})" if numbers else letter


def _cells(family: Family) -> list[Cell]:
    match family:
        case ("P", (columns, rows)):
            return [(q, r) for r in range(rows) for q in range(columns)]
        case ("T", (side,)):
            return [(q, r) for r in range(side) for q in range(-r, 1)]
        case ("F", (side,)):
            steps = range(1 - side, side)
            return [(q, r) for r in steps for q in steps if abs(q + r) < side]
        case ("trapezoid", (base, rows)):
            return [(q, r) for r in range(rows) for q in range(-r, base - rows + 1)]
        case ("ring", (side, width)):
            inner = set(_cells(("F", (side - width,))))
            return [cell for cell in _cells(("F", (side,))) if cell not in inner]
        case ("convex", (columns, rows, first, last)):
            within = range(first, columns + rows - 1 - last)
            return [(q, r) for q, r in _cells(("P", (columns, rows))) if q + r in within]
        case ("star", ()):
            return [*_cells(("F", (2,))), *STAR_TIPS]
        case ("Ptr", (columns, rows)):
            corners = {(0, 0), (columns - 1, rows - 1)} if min(columns, rows) > 1 else set()
            return _without(("P", (columns, rows)), corners)
        case ("Ttr", (side,)):
            corners = {(0, 0), (1 - side, side - 1), (0, side - 1)} if side > 1 else set()
            return _without(("T", (side,)), corners)
    raise PuzzleError(f"expected a family of hexagonal boards, got {_text(family)!r}")


def _without(family: Family, corners: set[Cell]) -> list[Cell]:
    rest = [cell for cell in _cells(family) if cell not in corners]
    if not rest:
        raise NotationError(f"expected a board with other cells than tight corners, got {_text(family)!r}")
    return rest


def _name(cells: tuple[Cell, ...]) -> str:
    present = set(cells)
    for family in (*_candidates(cells, turned=False), *_large_candidates(cells)):
        if present.issuperset(_cells(family)):
            return f"hex {_text(family)}"
    return listed_name("hex", cells)


MIN_NAMED_CELLS = 30
"""Cells from which on trapezoids, rings and convex boards have names; smaller ones list their cells."""


def _large_candidates(cells: Sequence[Cell]) -> Iterator[Family]:
    """Yield the trapezoid, ring and convex board with the number of cells and the widths of many cells."""
    size = len(cells)
    if size < MIN_NAMED_CELLS:
        return
    columns, rows, slant = _widths(cells)
    if columns == slant > rows and rows * (2 * columns - rows + 1) == 2 * size:
        yield ("trapezoid", (columns, rows))
    side = (rows + 1) // 2
    if columns == rows == slant and rows % 2 == 1:
        rest = (3 * side * (side - 1) + 1 - size - 1) // 3
        inner = (1 + math.isqrt(1 + 4 * rest)) // 2 if rest >= 0 else 0
        if 3 * inner * (inner - 1) + 1 == 3 * side * (side - 1) + 1 - size:
            yield ("ring", (side, side - inner))
    first = min(q + r for q, r in cells)
    last = columns + rows - 1 - first - slant
    if 0 <= first < min(columns, rows) and 0 <= last < min(columns, rows):
        cut = (first * (first + 1) + last * (last + 1)) // 2
        if columns * rows - cut == size:
            yield ("convex", (columns, rows, first, last))


# The widths of a set of cells in the three directions of the lattice and its number of cells leave only a
# handful of family members, and each is compared cell by cell, stopping at the first difference. So no search
# is needed, and linear time decides whether a board belongs to a family.


def _widths(cells: Sequence[Cell]) -> tuple[int, int, int]:
    _, _, columns, rows = bounding_box(cells)
    slants = [q + r for q, r in cells]
    return columns, rows, max(slants) - min(slants) + 1


def _candidates(cells: Sequence[Cell], turned: bool) -> Iterator[Family]:
    """Yield the family members with the number of cells and the widths of `cells`, turned or as they are."""
    size, widths = len(cells), _widths(cells)
    columns, rows, slant = widths
    pairs = [(columns, rows)]
    if turned:
        pairs = sorted({(min(p), max(p)) for p in ((columns, rows), (columns, slant), (rows, slant))})
    yield from (("P", pair) for pair in pairs if math.prod(pair) == size)
    regular = columns == rows == slant
    if regular and rows * (rows + 1) // 2 == size:
        yield ("T", (rows,))
    side = (rows + 1) // 2
    if regular and rows % 2 == 1 and 3 * side * (side - 1) + 1 == size:
        yield ("F", (side,))
    if size == 13 and widths == (5, 5, 5):
        yield ("star", ())
    yield from (("Ptr", pair) for pair in pairs if min(pair) > 1 and math.prod(pair) - 2 == size)
    if regular and rows > 1 and (rows + 1) * (rows + 2) // 2 - 3 == size:
        yield ("Ttr", (rows + 1,))


def _congruent(board: Board) -> Iterator[Family]:
    if board.kind != "hex":
        return
    for family in _candidates(board.cells, turned=True):
        member = _cells(family)
        if any(_is_translate(board.cells, member, turn) for turn in range(12)):
            yield family


def _is_translate(cells: Sequence[Cell], member: Sequence[Cell], turn: int = 0) -> bool:
    """Return whether `cells`, turned by one of the twelve symmetries, are a translate of `member`."""
    turned = [images("hex", q, r)[turn] for q, r in cells] if turn else cells
    left, top, _, _ = bounding_box(turned)
    member_left, member_top, _, _ = bounding_box(member)
    dq, dr = member_left - left, member_top - top
    expected = set(member)
    return all((q + dq, r + dr) in expected for q, r in turned)
