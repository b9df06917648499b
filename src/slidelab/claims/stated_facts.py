"""The checks of facts that the hexagonal paper and the gourds paper state in passing, and of figure 11."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from slidelab.boards import board as as_board
from slidelab.boards import flower
from slidelab.boards.lattice import Cell, images
from slidelab.claims.facts import analysis
from slidelab.claims.model import Found, Scope
from slidelab.claims.triangle_trees import compact_boards, hole_free_cycles, inner_tree
from slidelab.rules import rule

__all__ = [
    "figure_11",
    "gourd_moves",
    "leaves",
    "never_isolated",
    "one_round",
    "slides_into_either",
]

Cells = frozenset[Cell]


# Hexagonal tiles


def never_isolated(scope: Scope) -> Found:
    """On rectangles of squares something can move whatever is empty."""
    most = scope.up_to(3, 4)
    good = all(
        not analysis(f"square R({width},{height}) tiles {holes}").isolated
        for width in range(1, most + 1)
        for height in range(max(width, 2), most + 1)
        for holes in range(1, width * height)
    )
    return Found(good, up_to=f"R({most},{most}), all numbers of holes")


def slides_into_either(scope: Scope) -> Found:
    """Each tile of a triangle slides into either of the two others, and nothing else moves."""
    board, chosen = flower(3), rule("hextiles")
    found = {
        (cell, step.after[0], frozenset(step.holes))
        for cell in range(board.size)
        for step in chosen.steps(board, (cell,))
    }
    expected = {
        (tile, into, frozenset(triangle) - {tile})
        for triangle in combinations(range(board.size), 3)
        if all(board.adjacent(a, b) for a, b in combinations(triangle, 2))
        for tile in triangle
        for into in triangle
        if into != tile
    }
    return Found(found == expected, note=f"all {len(expected)} slides on F(3)")


def _trimmed(columns: int, rows: int) -> Cells:
    corners = {(0, 0), (columns - 1, rows - 1)}
    return frozenset((q, r) for q in range(columns) for r in range(rows)) - corners


def _inside(patch: Cells, whole: Cells) -> Iterator[Cells]:
    """Yield all places of a patch on a board, turned and mirrored."""
    seen = set()
    for turn in range(12):
        turned = [images("hex", q, r)[turn] for q, r in patch]
        first = min(turned)
        for q, r in whole:
            placed = frozenset((a + q - first[0], b + r - first[1]) for a, b in turned)
            if placed <= whole and placed not in seen:
                seen.add(placed)
                yield placed


def _flower_of_four(m: int) -> bool:
    """Return whether F(m) is a union of two boards that are each a union of two Ptr(m+1,m+1)."""
    whole = frozenset(flower(m).cells)
    pairs = [
        a | b
        for a, b in combinations(_inside(_trimmed(m + 1, m + 1), whole), 2)
        if _patches(a, b) is not None
    ]
    return any(
        a | b == whole and _patches(a, b) is not None
        for a, b in combinations(sorted(pairs, key=len, reverse=True), 2)
    )


def _patches(a: Cells, b: Cells) -> Cells | None:
    """Return the union if the overlap is what Theorem 4.4 asks for: four cells, two of which touch."""
    shared = a & b
    touch = any({(q + 1, r), (q, r + 1), (q + 1, r - 1)} & shared for q, r in shared)
    return a | b if len(shared) >= 4 and touch else None


def _triangle_of_three(m: int) -> bool:
    """Return whether Ttr(m) is a union of three trimmed parallelograms (two for m = 5), joined in turn."""
    whole = frozenset(as_board(f"hex Ttr({m})").cells)
    sizes = (3, 4) if m == 5 else ((m + 1) // 2, m // 2 + 1)
    placed = [cells for cells in _inside(_trimmed(*sizes), whole) if _is_in_a_corner(cells, whole)]
    for count in (2, 3):
        for chosen in combinations(placed, count):
            union: Cells | None = chosen[0]
            for cells in chosen[1:]:
                union = None if union is None else _patches(union, cells)
            if union == whole:
                return True
    return False


def _is_in_a_corner(cells: Cells, whole: Cells) -> bool:
    """Return whether a patch touches two of the three sides of a triangle."""

    def sides(part: Cells) -> tuple[int, int, int]:
        return min(r for _, r in part), max(q for q, _ in part), min(q + r for q, r in part)

    low, far = (
        sides(whole),
        (max(r for _, r in whole), min(q for q, _ in whole), max(q + r for q, r in whole)),
    )
    own = sides(cells), (max(r for _, r in cells), min(q for q, _ in cells), max(q + r for q, r in cells))
    return sum(a == b for pair in zip(own, (low, far), strict=True) for a, b in zip(*pair, strict=True)) >= 2


def figure_11(scope: Scope) -> Found:
    """Cover flowers and trimmed triangles by trimmed parallelograms, as the proof of Theorem 1.8 does."""
    most = scope.up_to(4, 6)
    flowers = [m for m in range(3, most + 1) if not _flower_of_four(m)]
    triangles = [m for m in range(5, most + 5) if not _triangle_of_three(m)]
    note = "" if not (flowers or triangles) else f"not F{flowers}, Ttr{triangles}"
    return Found(not flowers and not triangles, up_to=f"F({most}), Ttr({most + 4})", note=note)


# Gourds


def gourd_moves(scope: Scope) -> Found:
    """Compare moves with their geometry: straight slides, turns of 120 degrees, pivots round a triangle."""
    board, chosen = flower(3), rule("gourds")
    kinds = set()
    for before in chosen.placements(board):
        for step in chosen.steps(board, before):
            (empty,) = set(step.after) - set(before)
            near = [cell for cell in before if board.adjacent(cell, empty)]
            if len(near) == 2:
                expected = "pivot"
            else:
                (far,) = set(before) - set(near)
                (q, r), (x, y), (u, v) = (board.cells[cell] for cell in (far, near[0], empty))
                expected = "slide" if (2 * x - q, 2 * y - r) == (u, v) else "turn"
            if step.kind != expected:
                return Found(False, note=f"{before} to {step.after} is a {expected}, not a {step.kind}")
            kinds.add(expected)
    return Found(len(kinds) == 3, note="all moves on F(3)")


def one_round(scope: Scope) -> Found:
    """Pull every gourd once along a cycle: the empty cell is one place back."""
    most = scope.up_to(10, 60)
    for n in range(1, most + 1):
        size, hole, pulled = 2 * n + 1, 0, set()
        gourds = {frozenset((2 * k + 1, 2 * k + 2)): k for k in range(n)}
        for _ in range(n):
            following = (hole + 1) % size
            pair = next(pair for pair in gourds if following in pair)
            (behind,) = pair - {following}
            pulled.add(gourd := gourds.pop(pair))
            gourds[frozenset((hole, following))] = gourd
            hole = behind
        if hole != size - 1 or len(pulled) != n:
            return Found(False, note=f"n = {n}")
    return Found(True, up_to=f"n = {most}")


def leaves(scope: Scope) -> Found:
    """Count the leaves and the nodes of degree three of the trees inside cycles."""
    most = scope.up_to(8, 10)
    for board in compact_boards(4, most):
        scope.check()
        for cycle in hole_free_cycles(board):
            degrees = [len(joined) for joined in inner_tree(board, cycle).values()]
            if degrees.count(1) != degrees.count(3) + 2:
                return Found(False, note=f"{board.name} {cycle}")
    return Found(True, up_to=f"all cycles of boards of {most} cells")
