"""Covers of hexagonal boards by two patches: Theorems 3.1 and 4.4, tried on all small boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from slidelab.boards import Board, flower, hex_board, is_connected, sub_board
from slidelab.claims.facts import analysis, connects, hex_boards, hextiles, is_connected_by
from slidelab.claims.model import Scope
from slidelab.reach.prover.regions import triangle_classes
from slidelab.reach.prover.search import prove_board

__all__ = [
    "flower_cover",
    "has_isolated_triangle",
    "patching_counterexample",
    "strong_parity_counterexample",
    "triangle_cover",
]

Cells = frozenset[tuple[int, int]]


def _covers(board: Board, least: int) -> Iterator[tuple[Board, Board, Board]]:
    """Yield two connected patches with their intersection, which has at least so many cells."""
    size, whole = board.size, (1 << board.size) - 1
    near = [sum(1 << other for other in board.neighbours[cell]) for cell in range(size)]
    connected = [mask for mask in range(1, whole) if _is_connected(mask, near)]
    for first in connected:
        for second in connected:
            shared = first & second
            if first < second and first | second == whole and shared.bit_count() >= least:
                yield _part(board, first), _part(board, second), _part(board, shared)


def _is_connected(mask: int, near: list[int]) -> bool:
    reached = mask & -mask
    while True:
        wider = reached
        for cell, around in enumerate(near):
            if reached >> cell & 1:
                wider |= around & mask
        if wider == reached:
            return reached == mask
        reached = wider


def _part(board: Board, mask: int) -> Board:
    return sub_board(board, [cell for cell in range(board.size) if mask >> cell & 1])


def patching_counterexample(
    most: int, enough: Callable[[int, int], bool], *, scope: Scope, joined: bool = False
) -> str | None:
    """Return a board on which the conclusion of Theorem 3.1 fails although its hypotheses hold, or None.

    Parameters
    ----------
    most
        Cells of the largest boards that are tried.
    enough
        Whether so many shared cells are enough for so many holes.
    scope
    joined
        Take the hypotheses as they are corrected: triangles that are joined through common edges cover the
        board, and two touching shared cells lie in a triangle of each patch. As printed, the shared cells are
        connected. In either case something can move in both patches.
    """
    for board in hex_boards(4, most):
        scope.check()
        bad = [h for h in range(2, board.size) if connects(hextiles(board, h)) is False]
        if not bad or (joined and not _is_joined(board)):
            continue
        for first, second, shared in _covers(board, 2):
            for h in bad:
                if (
                    not enough(shared.size, h)
                    or not (_share_an_edge(first, second) if joined else is_connected(shared))
                    or h >= min(first.size, second.size)
                ):
                    continue
                if connects(hextiles(first, h)) and connects(hextiles(second, h)):
                    return f"{board.name} with {h} holes from {first.size} and {second.size} cells"
    return None


def _is_joined(board: Board) -> bool:
    """Return whether triangles joined through common edges cover a board."""
    classes = triangle_classes(board.cells)
    return len(classes) == 1 and len(classes[0]) == board.size


def _share_an_edge(first: Board, second: Board) -> bool:
    """Return whether two touching cells lie in a triangle of either board."""
    edges = [
        {
            frozenset((board.cells[a], board.cells[b]))
            for a, b in board.edges
            if set(board.neighbours[a]) & set(board.neighbours[b])
        }
        for board in (first, second)
    ]
    return bool(edges[0] & edges[1])


def has_isolated_triangle() -> bool:
    """Return whether a board refutes Theorem 3.1 as printed: F(5) without three cells around a triangle.

    With three holes, either half has one component, which is proved; they share all cells but two. But the
    triangle touches no other along an edge, and two holes in it never leave it.
    """
    union = frozenset(flower(5).cells)
    q, r = sorted(union)[len(union) // 2]
    union -= {(q + 1, r - 1), (q + 1, r + 1), (q - 1, r + 1)}
    halves = [union - {(q + 1, r)}, union - {(q, r)}]
    proofs = [prove_board(hextiles(hex_board(half), 3)) for half in halves]
    shared = hex_board(halves[0] & halves[1])
    holds = all(proof.check().components == 1 for proof in proofs) and is_connected(shared)
    return holds and not is_connected_by(hextiles(hex_board(union), 3))


def strong_parity_counterexample(most: int, scope: Scope) -> str | None:
    """Return a board on which the conclusion of Theorem 4.4 fails although its hypotheses hold, or None."""
    for board in hex_boards(6, most):
        scope.check()
        found = analysis(hextiles(board, 2))
        if found.strong_parity or not found.weak_parity:
            continue
        strong = _strong_parts(board)
        for first in strong:
            for second in strong:
                shared = _part(board, first & second) if first < second else None
                if shared is None or first | second != (1 << board.size) - 1:
                    continue
                if shared.size >= 4 and shared.edges:
                    return f"{board.name} from {first.bit_count()} and {second.bit_count()} cells"
    return None


def _strong_parts(board: Board) -> list[int]:
    """Return the sub-boards with at least five cells and strong parity, as bit masks."""
    near = [sum(1 << other for other in board.neighbours[cell]) for cell in range(board.size)]
    return [
        mask
        for mask in range(1, (1 << board.size) - 1)
        if mask.bit_count() >= 5
        and _is_connected(mask, near)
        and analysis(hextiles(_part(board, mask), 2)).strong_parity
    ]


# Figure 9, in axial coordinates


def _rhombus(m: int, corner: tuple[int, int], a: tuple[int, int], b: tuple[int, int]) -> Cells:
    return frozenset(
        (corner[0] + i * a[0] + j * b[0], corner[1] + i * a[1] + j * b[1]) for i in range(m) for j in range(m)
    )


def _is_triangle(cells: Cells, m: int) -> bool:
    from slidelab.boards import congruent_families

    return ("T", (m,)) in congruent_families(hex_board(sorted(cells)))


def flower_cover(m: int) -> bool:
    """Return whether F(m) is two trapezoids along its middle row, each of two P(m) that share a T(m)."""
    upper = _rhombus(m, (0, 0), (0, -1), (1, 0)), _rhombus(m, (0, 0), (1, -1), (-1, 0))
    halves = []
    for sign in (1, -1):
        one = frozenset((sign * q, sign * r) for q, r in upper[0])
        two = frozenset((sign * q, sign * r) for q, r in upper[1])
        if not _is_triangle(one & two, m):
            return False
        halves.append(one | two)
    row = frozenset((q, 0) for q in range(1 - m, m))
    whole = frozenset(flower(m).cells)
    centre = min(
        whole,
        key=lambda c: max(
            abs(x[0] - c[0]) + abs(x[1] - c[1]) + abs(x[0] + x[1] - c[0] - c[1]) for x in whole
        ),
    )
    moved = frozenset((q + centre[0], r + centre[1]) for q, r in halves[0] | halves[1])
    return halves[0] & halves[1] == row and moved == whole


def triangle_cover(m: int, a: int, b: int) -> int:
    """Return how many cells any two of three P(a,b) in the corners of T(m) share; 0 if they do not cover it.

    A cell of T(m) is three numbers from 0 on with the sum m - 1; a corner is where two of them are 0.
    """
    cells = [(i, j, m - 1 - i - j) for i in range(m) for j in range(m - i)]
    patches = [{c for c in cells if c[k - 2] < a and c[k - 1] < b} for k in range(3)]
    if set().union(*patches) != set(cells) or any(len(patch) != a * b for patch in patches):
        return 0
    one, two, three = patches
    return min(len(one & two), len((one | two) & three))
