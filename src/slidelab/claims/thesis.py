"""Hamersma, "An examination of the solvability of a sliding puzzle on a hexagonal grid" (thesis, 2018)."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial

from slidelab.atlas.conditions import hamiltonian_cycles, has_station
from slidelab.boards import (
    Board,
    find_cycle,
    flower,
    hamiltonian_cycle,
    hex_board,
    holes_in_board,
    is_proper,
    is_two_connected,
)
from slidelab.claims.alignment import (
    Matching,
    aligned,
    farthest_from_aligned,
    farthest_from_one,
    hole_of,
    linear_alignment,
    matchings,
    play,
    pull,
    strip,
    thesis_alignment,
)
from slidelab.claims.facts import analysis, hex_boards
from slidelab.claims.gourds_checks import cut_vertex, gourds_on
from slidelab.claims.model import Claim, Found, Paper, Scope
from slidelab.claims.triangle_trees import compact_boards, hole_free_cycles, one_cell_splits
from slidelab.messages import counted
from slidelab.puzzles import Configuration, position
from slidelab.solve.solver import solve

__all__ = ["THESIS"]

# Section 2


def _half(scope: Scope) -> Found:
    return Found(analysis("15-puzzle").components == 2)


def _elsewhere(scope: Scope) -> Found:
    return Found(
        None, note="computed elsewhere, of puzzles that slidelab does not have or cannot search whole"
    )


# Section 4


def _proper_with_cycles(scope: Scope, most: int) -> Iterator[tuple[Board, tuple[int, ...]]]:
    """Yield proper boards with all their hole-free Hamiltonian cycles; with one from eleven cells on."""
    for board in compact_boards(3, most, 2):
        scope.check()
        cycles = hole_free_cycles(board) if board.size < 11 else iter([hamiltonian_cycle(board)])
        for cycle in cycles:
            yield board, cycle


def _theorem_1(scope: Scope) -> Found:
    most = scope.up_to(7, 11)
    worst: dict[int, int] = {}
    for board, cycle in _proper_with_cycles(scope, most):
        n = board.size // 2
        for turned in (cycle, cycle[::-1]):
            worst[n] = max(worst.get(n, 0), *(len(thesis_alignment(turned, m)) for m in matchings(board)))
    good = all(pulls <= n * (n + 1) // 2 for n, pulls in worst.items())
    exact = all(pulls == n * (n - 1) // 2 for n, pulls in worst.items())
    note = "the worst case found is n(n-1)/2" if exact else str(worst)
    return Found(good, up_to=f"all proper boards of {most} cells", note=note)


def _figure_14(scope: Scope) -> Found:
    """Gourds A to E across a strip of eleven cells, the hole at its upper left."""
    board, cycle = strip(5)
    upper, lower = cycle[:6], cycle[6:][::-1]
    partner = {upper[0]: upper[0]}
    for k in range(5):
        partner[upper[k + 1]], partner[lower[k]] = lower[k], upper[k + 1]
    start: Matching = tuple(partner[cell] for cell in range(board.size))
    names = {frozenset((upper[k + 1], lower[k])): "ABCDE"[k] for k in range(5)}
    pulled, matching = [], start
    for cell in thesis_alignment(cycle, start):
        pair = frozenset((cell, matching[cell]))
        name = names.pop(pair)
        names[frozenset((cell, hole_of(matching)))] = name
        pulled.append(name)
        matching = pull(matching, cell)
    printed = "AABABCABCDABCDE"
    shorter = play(board, start, [upper[1], lower[1], upper[3], lower[3], upper[5]])
    five = shorter in {aligned(cycle, k) for k in range(len(cycle))}
    found = "".join(pulled)
    note = f"aligned after {len(found)}: {','.join(found)}; E lies along the cycle from the start"
    return Found(
        found == printed and five, printed.startswith(found) and len(found) == 10 and five, note=note
    )


def _linear(scope: Scope) -> Found:
    """Align every matching of every board in at most 3.5 n pulls, as asked after Theorem 1."""
    most = scope.up_to(9, 11)
    worst = 0.0
    for board, cycle in _proper_with_cycles(scope, most):
        n = board.size // 2
        for matching in matchings(board):
            pulls = linear_alignment(cycle, matching)
            if play(board, matching, pulls) != aligned(cycle, list(cycle).index(hole_of(matching))):
                return Found(False, note=board.name)
            worst = max(worst, len(pulls) / n)
    longest = scope.up_to(7, 10)
    exact = all(farthest_from_one(*strip(n)) == 3 * n // 2 for n in range(1, longest + 1))
    nearest = [farthest_from_aligned(*strip(n)) for n in range(2, longest + 1)]
    note = (
        f"yes, proved: 3.5 n moves ({worst:.1f} n here); strips of up to {longest} gourds need at most "
        f"{'3n/2' if exact else 'other numbers'} to a given aligned placement, {nearest[-1]} to the nearest"
    )
    return Found(worst <= 3.5, up_to=f"all proper boards of {most} cells", note=note)


def _corollary_1(scope: Scope) -> Found:
    most = scope.up_to(9, 11)
    good = all(
        len(analysis(gourds_on(board)).families) == 1 and not analysis(gourds_on(board)).isolated
        for board in compact_boards(3, most, 2)
    )
    return Found(good, up_to=f"all proper boards of {most} cells")


def _round(scope: Scope) -> Found:
    """2n + 1 pulls bring the hole back, and every piece is one place further; the hole visits every cell."""
    most = scope.up_to(9, 30)
    for n in range(1, most + 1):
        size = 2 * n + 1
        gourds = {k: (2 * k + 1, 2 * k + 2) for k in range(n)}
        hole, visited = 0, {0}
        for _ in range(size):
            following = (hole + 1) % size
            k = next(k for k, cells in gourds.items() if following in cells)
            gourds[k], hole = (hole, following), (hole + 2) % size
            visited.add(hole)
        shifted = all(set(gourds[k]) == {2 * ((k - 1) % n) + 1, 2 * ((k - 1) % n) + 2} for k in range(n))
        if hole != 0 or len(visited) != size or not shifted:
            return Found(False, note=f"n = {n}")
    return Found(True, up_to=f"n = {most}")


# Section 5


def _unsplit(board: Board) -> bool:
    """Return whether no hole-free Hamiltonian cycle of the board splits into two that share one cell."""
    return not any(next(one_cell_splits(board, cycle), None) for cycle in hole_free_cycles(board))


def _figure_15(scope: Scope) -> Found:
    """Boards none of whose cycles splits: Theorem 2 says that there are four."""
    most = scope.up_to(9, 11)
    found = []
    for board in compact_boards(3, most):
        scope.check()
        if next(hole_free_cycles(board), None) is not None and _unsplit(board):
            found.append(board)
    sizes = [board.size for board in found]
    note = f"they have {', '.join(map(str, sizes))} cells: " + ", ".join(board.name for board in found)
    return Found(len(found) == 4, up_to=f"all boards of {most} cells", note=note)


def _odd_split(scope: Scope) -> Found:
    most = scope.up_to(9, 11)
    for board in compact_boards(5, most, 2):
        scope.check()
        lengths = (pair for cycle in hole_free_cycles(board) for pair in one_cell_splits(board, cycle))
        if not any(a % 2 and b % 2 for a, b in lengths):
            return Found(False, note=board.name)
    return Found(True, up_to=f"all boards of {most} cells")


# Section 6


def _theorem_3(scope: Scope) -> Found:
    sizes = [5, 10, 20] if not scope.full else [5, 10, 20, 40, 80]
    worst = 0.0
    for n in sizes:
        puzzle = gourds_on(strip(n)[0])
        found = solve(
            puzzle, puzzle.shuffle(seed=n), method="cycle-cubic", shorten=False, budget=scope.budget
        )
        worst = max(worst, found.length / n**3)
    connected = all(
        analysis(gourds_on(b)).maximally_connected for b in compact_boards(3, scope.up_to(7, 9), 2)
    )
    return Found(
        connected and worst <= 4, up_to=f"strips of {sizes[-1]} gourds", note=f"at most {worst:.2f} n^3 moves"
    )


# Section 7


def _figure_31(scope: Scope) -> Found:
    start = position("hex 0,0 0,1 1,1 -1,2 -1,3 gourds 1 : 0-1 3-4")
    return Found(set(start.places(2)) == {(3, 4)})


def _figure_32(scope: Scope) -> Found:
    start = position("hex 0,-1 -1,0 0,0 1,0 0,1 gourds 1 : 0-1 2-3")
    swapped = Configuration(start.puzzle, start.pieces[::-1])
    verdict = start.puzzle.solvable(start, swapped)
    return Found(not verdict and verdict.check())


def _boards_with_holes(most: int) -> Iterator[Board]:
    return (b for b in hex_boards(7, most) if b.size % 2 and is_two_connected(b) and holes_in_board(b))


def _rings(layers: int) -> Iterator[Board]:
    """Yield F(layers) without its centre and one more cell: small boards with a cycle around no hole."""
    cells = flower(layers).cells
    centre = cells[len(cells) // 2]
    for left_out in cells:
        board = hex_board([cell for cell in cells if cell not in (centre, left_out)])
        if left_out != centre and is_two_connected(board) and holes_in_board(board):
            yield board


def _hole_free_cycle(scope: Scope) -> Found:
    count = 0
    for board in _rings(3):
        found = find_cycle(board, budget=scope.budget)
        if found is not None and found.hole_free:
            count += 1
            if analysis(gourds_on(board)).components != 1:
                return Found(False, note=board.name)
    return Found(
        count > 0, up_to="17 cells", note=f"{count} rings with such a cycle; boards of 11 cells have none"
    )


def _station(scope: Scope) -> Found:
    most, count = scope.up_to(9, 11), 0
    for board in _boards_with_holes(most):
        scope.check()
        if any(has_station(board, cycle) for cycle in hamiltonian_cycles(board)):
            count += 1
            if analysis(gourds_on(board)).components != 1:
                return Found(False, note=board.name)
    note = f"{counted(count, 'board')} with a hole and a station"
    return Found(count > 0, up_to=f"all boards of {most} cells", note=note)


def _some_unsolvable(scope: Scope) -> Found:
    counts = [analysis(gourds_on(board)).components == 1 for board in _boards_with_holes(scope.up_to(9, 11))]
    note = f"{sum(counts)} of {len(counts)} boards with a hole are solvable"
    return Found(0 < sum(counts) < len(counts), note=note)


def _immovable(text: str) -> Found:
    start = position(text)
    board = start.puzzle.board
    return Found(is_two_connected(board) and not holes_in_board(board) and not len(start.moves))


def _figure_37(scope: Scope) -> Found:
    return _immovable("hex 0,0 -1,1 0,1 1,1 -1,2 0,2 -1,3 trimers 1 : 0-2-1 4-5-6")


def _figure_38(scope: Scope) -> Found:
    return _immovable("hex 0,0 -1,1 0,1 1,1 -1,2 0,2 1,2 -1,3 trimers 2 : 0-2-1 4-5-7")


def _all_but_one(scope: Scope) -> Found:
    most = scope.up_to(9, 11)
    good = all(
        analysis(gourds_on(b)).families[0].group.order == 2 ** (b.size // 2) * factorial(b.size // 2)
        for b in compact_boards(3, most, 2)
        if is_proper(b)
    )
    star = analysis("hex star gourds 1").components
    return Found(good and star != 1, up_to=f"all standard boards of {most} cells; the star")


THESIS = Paper(
    "thesis",
    "J. Hamersma, An examination of the solvability of a sliding puzzle on a hexagonal grid",
    (
        Claim(
            "half",
            "section 2.1 (Story)",
            "half of the 15-puzzle can be solved",
            "holds",
            _half,
            "slidelab analyze 15-puzzle",
        ),
        Claim(
            "related",
            "section 2",
            "80 and 43 moves; Rush Hour 93; the cube 20 and 26",
            "open",
            _elsewhere,
            "slidelab god 15-puzzle",
        ),
        Claim(
            "all-but-one",
            "section 3",
            "standard boards are solvable, the star is not",
            "holds up to",
            _all_but_one,
            'slidelab analyze "hex star gourds"',
        ),
        Claim(
            "1", "Theorem 1", "aligned with a Hamiltonian cycle in n(n+1)/2 moves", "holds up to", _theorem_1
        ),
        Claim(
            "figure-14",
            "figure 14",
            "15 moves of this method on eleven tiles, where 5 do",
            "corrected",
            _figure_14,
        ),
        Claim(
            "linear",
            "section 4, question",
            "is a linear number of moves enough on all boards?",
            "holds up to",
            _linear,
        ),
        Claim(
            "corollary-1",
            "Corollary 1",
            "identical pieces: every configuration can be reached",
            "holds up to",
            _corollary_1,
        ),
        Claim(
            "round",
            "section 4",
            "2n+1 pulls: the hole was everywhere, all pieces are one place further",
            "holds up to",
            _round,
        ),
        Claim(
            "2",
            "Theorem 2, figure 15",
            "cycles split into two that share one tile, but for four",
            "holds up to",
            _figure_15,
        ),
        Claim("odd-split", "section 5", "of an odd cycle into two odd ones", "holds up to", _odd_split),
        Claim(
            "3",
            "Theorem 3",
            "any configuration into any other in O(n^3) moves",
            "holds up to",
            _theorem_3,
            'slidelab solve "hex F(2) gourds" --seed 1 --method cycle-cubic --explain',
        ),
        Claim("figure-31", "figure 31", "an immobile piece on a 1-connected board", "holds", _figure_31),
        Claim("figure-32", "figure 32", "two pieces that can never swap", "holds", _figure_32),
        Claim("7.1", "section 7.1", "1-connected: not everything can be reached", "holds up to", cut_vertex),
        Claim(
            "7.2-cycle",
            "section 7.2",
            "holes, and a Hamiltonian cycle around none: solvable",
            "holds up to",
            _hole_free_cycle,
        ),
        Claim(
            "7.2-station",
            "section 7.2",
            "holes, and a cycle through a swapping station: solvable",
            "holds up to",
            _station,
        ),
        Claim(
            "7.2-some",
            "section 8",
            "boards with holes: some solvable, some not",
            "holds",
            _some_unsolvable,
            "slidelab atlas gourds 9",
        ),
        Claim(
            "figure-37",
            "figure 37",
            "pieces of three cells, none can move, one empty cell",
            "holds",
            _figure_37,
        ),
        Claim("figure-38", "figure 38", "the same with two empty cells", "holds", _figure_38),
    ),
)
"""The claims of the thesis."""
