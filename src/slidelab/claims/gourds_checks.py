"""The checks of the claims of the gourds paper (Hamersma, van Kreveld, Uno and van der Zanden)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import factorial

from slidelab.atlas.conditions import hamiltonian_cycles
from slidelab.boards import (
    Board,
    cut_cells,
    hamiltonian_cycle,
    hex_board,
    holes_in_board,
    is_proper,
    is_two_connected,
    random_hexagons,
    star,
)
from slidelab.claims.alignment import Matching, hole_of, matchings, pull, strip, thesis_alignment
from slidelab.claims.facts import analysis, hex_boards
from slidelab.claims.model import Found, Scope
from slidelab.claims.triangle_trees import compact_boards, hole_free_cycles, inner_tree, splits_at
from slidelab.errors import Unsolvable
from slidelab.place.counting import count_placements
from slidelab.place.hard_instances import one_in_three
from slidelab.place.placement import place, placements
from slidelab.puzzles import Configuration, Puzzle
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.rules import rule
from slidelab.solve.gourds.cycles import gourd_distance_bound
from slidelab.solve.gourds.splits import passing_stations
from slidelab.solve.gourds.zigzags import without_zigzags, zigzags
from slidelab.solve.method import MethodName
from slidelab.solve.solver import solve

__all__ = [
    "budget_of_gourds",
    "cut_vertex",
    "fact_1",
    "figure_1",
    "figure_13",
    "leaf",
    "lemma_4",
    "lemma_5",
    "lemma_7",
    "lemma_8",
    "observation_1",
    "observation_6",
    "photo",
    "remark_10",
    "splits",
    "squares",
    "star_colours",
    "star_positions",
    "straight_stays",
    "theorem_1",
    "theorem_2",
    "theorem_6",
    "theorem_9",
    "theorem_9_moves",
    "tree_claims",
    "triangles_pivot",
    "with_holes",
]


def gourds_on(board: Board) -> Puzzle:
    """Return the puzzle with gourds and one hole."""
    return Puzzle(board, rule("gourds"), 1)


def _places(start: Configuration, piece: int) -> set[frozenset[int]]:
    """Return the pairs of cells that a gourd can cover."""
    return {frozenset(cells) for cells in start.places(piece)}


# Sections 1 and 2


def figure_1(scope: Scope) -> Found:
    """Check figure 1."""
    puzzle = as_puzzle("square R(3,5) gourds 1")
    three = {frozenset(pair) for pair in ((0, 1), (1, 2), (1, 4))}
    blue = [_places(puzzle.goal, k) for k, cells in enumerate(puzzle.goal.pieces, 1) if 1 in cells]
    return Found(blue == [three], note="three columns and five rows; counted without head and tail")


def squares(scope: Scope) -> Found:
    """Check section 1."""
    boards = ["R(3,3)", "R(3,5)", "R(5,5)", "R(3,7)"] if scope.full else ["R(3,3)", "R(3,5)"]
    for text in boards:
        goal = as_puzzle(f"square {text} gourds 1").goal
        for k in range(1, len(goal.pieces) + 1):
            if not frozenset.intersection(*_places(goal, k)):
                return Found(False, note=text)
    return Found(True, up_to=f"square {boards[-1]}", note="every gourd keeps one cell for ever")


def observation_1(scope: Scope) -> Found:
    """Check Observation 1."""
    pivots = analysis("hex T(2) gourds 1").families[0].size
    return Found((pivots, analysis("hex T(2) gourds-sharp 1").families[0].size) == (6, 3))


def leaf(scope: Scope) -> Found:
    """Check section 2."""
    most = scope.up_to(5, 9)
    for board in (b for b in hex_boards(3, most) if b.size % 2):
        leaves = [cell for cell in range(board.size) if len(board.neighbours[cell]) == 1]
        for matching in _one_each(board) if leaves else ():
            start = _configuration(board, matching)
            for leaf in leaves:
                ends = {
                    (k, cells.index(leaf))
                    for k in range(1, len(start.pieces) + 1)
                    for cells in start.places(k)
                    if leaf in cells
                }
                if len(ends) > 1:
                    return Found(False, note=f"{board.name}, cell {leaf}")
    return Found(True, up_to=f"all hexagonal boards of {most} cells")


def _one_each(board: Board) -> list[Matching]:
    """Return one matching of each family of shapes."""
    left, out = set(matchings(board)), []
    while left:
        first = min(left)
        out.append(first)
        seen, queue = {first}, [first]
        for matching in queue:
            for cell in board.neighbours[hole_of(matching)]:
                reached = pull(matching, cell)
                if reached not in seen:
                    seen.add(reached)
                    queue.append(reached)
        left -= seen
    return out


def _configuration(board: Board, matching: Matching) -> Configuration:
    pieces = tuple((a, b) for a, b in enumerate(matching) if a < b)
    return Configuration(gourds_on(board), pieces)


def cut_vertex(scope: Scope) -> Found:
    """Check section 2."""
    most = scope.up_to(7, 9)
    for board in (b for b in hex_boards(5, most) if b.size % 2 and cut_cells(b)):
        scope.check()
        if analysis(gourds_on(board)).components == 1:
            return Found(False, note=board.name)
    return Found(True, up_to=f"all hexagonal boards of {most} cells")


def fact_1(scope: Scope) -> Found:
    """Check Fact 1."""
    most = scope.up_to(9, 11)
    without = []
    for board in compact_boards(3, most):
        scope.check()
        if next(iter(hamiltonian_cycles(board)), None) is None:
            without.append(board.size)
    missing = next(iter(hamiltonian_cycles(star())), None) is None
    return Found(not without and missing, up_to=f"all such boards of {most} cells; the star has none")


def star_positions(scope: Scope) -> Found:
    """Check figure 4."""
    goal = as_puzzle("hex star gourds 1").goal
    return Found(all(len(_places(goal, k)) == 3 for k in range(1, 7)), note="38 shapes, 1,440 components")


def star_colours(scope: Scope) -> Found:
    """Check figure 4."""
    board = star()
    colours = [(q - r) % 3 for q, r in board.cells]
    proper = all(colours[a] != colours[b] for a, b in board.edges)
    most = max(colours.count(c) for c in range(3))
    return Found(proper and most > board.size - most)


# Section 3


def _one_in_three(clauses: Sequence[tuple[int, int, int]]) -> bool:
    return any(
        all(sum(values[v - 1] for v in clause) == 1 for clause in clauses)
        for values in product((False, True), repeat=len(clauses))
    )


FORMULAS = (
    ((1, 2, 3), (1, 2, 3), (1, 2, 3)),
    ((1, 2, 3), (1, 2, 4), (1, 3, 4), (2, 3, 4)),
    ((1, 2, 3), (1, 2, 3), (1, 4, 5), (2, 4, 5), (3, 4, 5)),
    ((1, 2, 3), (1, 2, 3), (1, 2, 3), (4, 5, 6), (4, 5, 6), (4, 5, 6)),
    ((1, 2, 3), (1, 4, 5), (1, 4, 6), (2, 3, 6), (2, 4, 5), (3, 5, 6)),
)


def theorem_1(scope: Scope) -> Found:
    """Check Theorem 1."""
    count = scope.up_to(3, 5)
    for clauses in FORMULAS[:count]:
        hard = one_in_three(clauses)
        try:
            found = bool(place(hard.board, hard.cells, hard.gourds, budget=scope.budget))
        except Unsolvable:
            found = False
        if found != _one_in_three(clauses):
            return Found(False, note=str(clauses))
    note = "the reduction; that the problem is NP-complete follows"
    return Found(True, up_to=f"{count} formulas of up to {len(FORMULAS[count - 1])} clauses", note=note)


def budget_of_gourds(scope: Scope) -> Found:
    """Check Theorem 1."""
    hard = one_in_three(FORMULAS[0])
    n = m = 3
    pairs = [tuple(sorted(pair)) for pair in hard.gourds]
    good = all(
        pairs.count((f"x{v}", f"x{v}")) == 3 and pairs.count(("V", f"x{v}")) == 6 for v in range(1, n + 1)
    )
    good = good and pairs.count(("V", "V")) == 3 * n + 5 * m - 2 * n and pairs.count(("x1", "x2")) == 3
    # Rings of the n/3 true variables take three each, clauses five: as many as there are.
    return Found(good and pairs.count(("V", "V")) == 3 * (n // 3) + 5 * m)


def theorem_2(scope: Scope) -> Found:
    """Placements with few colours are counted in polynomial time: against a list of all of them."""
    board, good = as_puzzle("hex F(2)").board, True
    for cells in ("rrrbbbb", "rbrbrbr", "rrbbggr")[: scope.up_to(3, 3)]:
        ends = list(cells[1:])
        gourds = [(ends[k], ends[k + 1]) for k in range(0, 6, 2)]
        listed = sum(1 for _ in placements(board, cells, gourds, budget=scope.budget))
        good = good and count_placements(board, cells, gourds, budget=scope.budget) == listed
    return Found(
        good, up_to="three colourings of F(2)", note="deterministic: a Pfaffian instead of random numbers"
    )


# Section 4


def _trees(scope: Scope, quick: int, full: int) -> list[tuple[Board, tuple[int, ...]]]:
    most = scope.up_to(quick, full)
    found = []
    for board in compact_boards(3, most):
        scope.check()
        found += [(board, cycle) for cycle in hole_free_cycles(board)]
    return found


def tree_claims(scope: Scope) -> Found:
    """Check Observations 2, 3, Lemma 3."""
    for board, cycle in _trees(scope, 8, 10):
        tree = inner_tree(board, cycle)
        joined = sum(map(len, tree.values())) // 2
        if len(tree) != board.size - 2 or joined != len(tree) - 1 or max(map(len, tree.values())) > 3:
            return Found(False, note=f"{board.name} {cycle}")
    return Found(True, up_to=f"all cycles of boards of {scope.up_to(8, 10)} cells")


def observation_6(scope: Scope) -> Found:
    """Check Observation 6."""
    for board, cycle in _trees(scope, 8, 10):
        tree = inner_tree(board, cycle)
        for cell in range(board.size):
            edges = sum(cell in t & u for t, near in tree.items() for u in near) // 2
            if edges > 4:
                return Found(False, note=f"{board.name}, cell {cell}")
    return Found(True, up_to=f"all cycles of boards of {scope.up_to(8, 10)} cells")


def lemma_4(scope: Scope) -> Found:
    """Check Lemma 4."""
    most = scope.up_to(7, 11)
    worst = 0
    for board in compact_boards(5, most, 2):
        scope.check()
        n = board.size // 2
        cycles = list(hole_free_cycles(board)) if board.size < 11 else [hamiltonian_cycle(board)]
        for cycle in cycles:
            for turned in (cycle, cycle[::-1]):
                pulls = max(len(thesis_alignment(turned, m)) for m in matchings(board))
                if pulls > n * (n + 1) // 2:
                    return Found(False, note=board.name)
                worst = max(worst, pulls)
    note = f"at most {worst} pulls for {most // 2} gourds; a linear number does it, see thesis:linear"
    return Found(True, up_to=f"all proper boards of {most} cells", note=note)


def lemma_5(scope: Scope) -> Found:
    """Check Lemma 5."""
    for board, cycle in _trees(scope, 9, 10):
        if board.size >= 5 and next(passing_stations(board, list(cycle)), None) is None:
            return Found(False, note=f"{board.name} {cycle}")
    return Found(True, up_to=f"all cycles of boards of {scope.up_to(9, 10)} cells")


def _moves_of(
    method: MethodName, power: float, factor: float, sizes: Sequence[int], scope: Scope
) -> tuple[bool, float]:
    worst = 0.0
    for gourds in sizes:
        board = random_hexagons(2 * gourds + 1, seed=gourds)
        if not is_proper(board):
            continue
        puzzle = gourds_on(board)
        start, goal = puzzle.shuffle(seed=1), puzzle.shuffle(seed=2)
        length = solve(puzzle, start, goal, method=method, shorten=False, budget=scope.budget).length
        worst = max(worst, length / gourds**power)
    return worst <= factor, worst


def theorem_6(scope: Scope) -> Found:
    """Check Theorem 6."""
    sizes = [10, 20, 30] if not scope.full else [10, 20, 40, 80]
    good, worst = _moves_of("cycle-cubic", 3, 4.0, sizes, scope)
    return Found(good, up_to=f"random boards of {sizes[-1]} gourds", note=f"at most {worst:.2f} n^3 moves")


def theorem_9_moves(scope: Scope) -> Found:
    """Check Theorem 9."""
    sizes = [20, 40, 80] if not scope.full else [20, 40, 80, 160, 320, 640]
    good, worst = _moves_of("cycle", 2, 4.0, sizes, scope)
    return Found(good, up_to=f"random boards of {sizes[-1]} gourds", note=f"at most {worst:.2f} n^2 moves")


def lemma_7(scope: Scope) -> Found:
    """Boards with teeth, whose first cycle has long rows of triangles without a side on it."""
    most = scope.up_to(12, 60)
    for length in range(4, most + 1):
        top, bottom = [(k, 1) for k in range(length)], [(k - 1, 2) for k in range(length)]
        above, below = [(k + 1, 0) for k in range(length - 1)], [(k - 1, 3) for k in range(length - 1)]
        out = [c for pair in zip(top, above, strict=False) for c in pair] + [top[-1]]
        back = [c for pair in zip(bottom, below, strict=False) for c in pair] + [bottom[-1]]
        board = hex_board([*out, *back])
        cycle = [board.cell_at[cell] for cell in out + back[::-1]]
        smooth = without_zigzags(board, cycle)
        rows_before, rows_after = list(zigzags(board, cycle)), list(zigzags(board, smooth))
        if rows_after or sorted(smooth) != sorted(cycle) or (length > 5 and not rows_before):
            return Found(False, note=board.name)
    return Found(True, up_to=f"toothed strips of {4 * most - 2} cells")


def lemma_8(scope: Scope) -> Found:
    """Check Lemma 8."""
    most = scope.up_to(20_000, 1_000_000)
    sums = all(
        m - 7 - 2 * (m // 3) - sum(m // (6 << k) for k in range(5)) >= m / 96 - 7 for m in range(1, most, 7)
    )
    # The part that is entered at u has at least a third; the others may have more than a third each.
    slip = any(
        sorted((a, b, 30 - a - b))[1] > 31 // 3 for a in range(1, 15) for b in range(1, 15) if a + b < 30
    )
    ratios = [
        max((min(splits_at(tree, t)) for t in tree if len(tree[t]) == 2), default=0) / len(tree)
        for board, cycle in _trees(scope, 8, 9)
        if board.size >= 7
        for tree in [inner_tree(board, cycle)]
    ]
    note = "the second subtree may exceed m/3, but the third has a third of the rest, which is what is used"
    return Found(sums and slip and min(ratios) >= 0, up_to=f"m < {most:,}", note=note)


def splits(scope: Scope) -> Found:
    """At a degree-2 node of an odd cycle: two odd cycles, in one way or the other."""
    for board, cycle in _trees(scope, 9, 10):
        if board.size % 2 == 0:
            continue
        tree = inner_tree(board, cycle)
        for triangle, joined in tree.items():
            if len(joined) == 2:
                a, b = splits_at(tree, triangle)
                # One shared cell: around a and b triangles, so a + 2 and b + 2 cells; three: a + 3 and b + 3.
                if a % 2 != b % 2:
                    return Found(False, note=board.name)
    return Found(True, up_to=f"all cycles of boards of {scope.up_to(9, 10)} cells")


def theorem_9(scope: Scope) -> Found:
    """Check Theorem 9."""
    most = scope.up_to(9, 11)
    for board in compact_boards(3, most, 2):
        scope.check()
        found = analysis(gourds_on(board))
        n = board.size // 2
        if not found.maximally_connected or found.families[0].group.order != 2**n * factorial(n):
            return Found(False, note=board.name)
    return Found(True, up_to=f"all proper boards of {most} cells")


def _exchange_distance(gourds: int) -> int:
    """Return the fewest moves that exchange red gourds on the left of a strip with blue ones on the right."""
    board, _ = strip(gourds)
    order = {cell: (q + r / 2, r) for cell, (q, r) in enumerate(board.cells)}
    across = [tuple(sorted(pair, key=order.__getitem__)) for pair in _rungs(board)]
    half = gourds // 2
    red = frozenset(frozenset(pair) for pair in across[:half])
    blue = frozenset(frozenset(pair) for pair in across[half:])
    start, goal = (red, blue), (blue, red)
    seen, layer, steps = {start}, [start], 0
    while goal not in seen:
        steps += 1
        following = []
        for state in layer:
            covered = {cell: (side, pair) for side in (0, 1) for pair in state[side] for cell in pair}
            (hole,) = (cell for cell in range(board.size) if cell not in covered)
            for cell in board.neighbours[hole]:
                side, pair = covered[cell]
                moved = state[side] - {pair} | {frozenset((cell, hole))}
                reached = (moved, state[1]) if side == 0 else (state[0], moved)
                if reached not in seen:
                    seen.add(reached)
                    following.append(reached)
        layer = following
    return steps


def _rungs(board: Board) -> list[tuple[int, int]]:
    """Return the gourds that lie across a strip, from left to right, with the hole at the right end."""
    count = board.size // 2
    return [(board.cell_at[k, 0], board.cell_at[k, 1]) for k in range(count)]


def figure_13(scope: Scope) -> Found:
    """Half of the gourds have to go half of the strip, one cell a move."""
    sizes = [2, 4, 6] if not scope.full else [2, 4, 6, 8]
    exact = {n: _exchange_distance(n) for n in sizes}
    good = all(moves >= n * n // 2 for n, moves in exact.items())
    for n in (50, 200):  # the lower bound itself, on longer strips
        board, _ = strip(n)
        rungs = _rungs(board)
        puzzle = gourds_on(board)
        start = Configuration(puzzle, tuple(rungs))
        goal = Configuration(puzzle, tuple(rungs[n // 2 :] + rungs[: n // 2]))
        good = good and gourd_distance_bound(start, goal) >= n * n // 2
    note = (
        "exactly " + ", ".join(f"{moves} moves for {n}" for n, moves in exact.items()) + "; at least n^2 / 2"
    )
    return Found(good, up_to="strips of 200 gourds", note=note)


def remark_10(scope: Scope) -> Found:
    """Look for triangles with three chords: a strip has none, other boards have some."""
    only_two = True
    longest = scope.up_to(12, 40)
    for n in range(2, longest + 1):
        only_two = only_two and max(map(len, inner_tree(*strip(n)).values())) <= 2
    at_three = 0
    for board, cycle in _trees(scope, 9, 10):
        tree = inner_tree(board, cycle)
        at_three += any(len(joined) == 3 for joined in tree.values())
    note = f"strips have no degree-3 node, {at_three} cycles on small boards do"
    return Found(only_two and at_three > 0, up_to=f"strips of {longest} gourds", note=note)


# Section 5


def photo(scope: Scope) -> Found:
    """Check figure 14."""
    found = analysis("hex F(3) gourds 1")
    return Found(bool(found.maximally_connected) and found.puzzle.piece_count == 9)


WITHOUT_CYCLE = "hex 0,0 1,0 2,0 -1,1 2,1 -2,2 -1,2 0,2 1,2 2,2 -2,3 1,3 -2,4 -1,4 0,4"
"""Fifteen cells with two holes and no Hamiltonian cycle: the least with which gourds are free."""


def with_holes(scope: Scope) -> Found:
    """Look for boards with holes that are Hamiltonian and not solvable, and for one the other way round."""
    most = scope.up_to(9, 11)
    stuck = 0
    for board in (b for b in hex_boards(7, most) if b.size % 2 and is_two_connected(b) and holes_in_board(b)):
        scope.check()
        hamiltonian = next(iter(hamiltonian_cycles(board)), None) is not None
        stuck += hamiltonian and analysis(gourds_on(board)).components != 1
    free = as_puzzle(f"{WITHOUT_CYCLE} gourds 1")
    found = analysis(free).components == 1 and next(iter(hamiltonian_cycles(free.board)), None) is None
    note = f"{stuck} boards of up to {most} cells are Hamiltonian and not solvable; one of 15 is the reverse"
    return Found(stuck > 0 and found, note=note)


def _rigid_steps(name: str) -> list[tuple[Board, tuple[int, ...], tuple[int, ...], str]]:
    board, chosen = as_puzzle("hex F(4)").board, rule(name)
    return [
        (board, before, step.after, step.kind)
        for before in chosen.placements(board)
        for step in chosen.steps(board, before)
        if len(step.holes) == 1
    ]


def triangles_pivot(scope: Scope) -> Found:
    """Check section 5."""
    steps = _rigid_steps("trimers-triangle")
    return Found(len(steps) > 100 and all(kind == "pivot" for *_, kind in steps), up_to="all moves on F(4)")


def straight_stays(scope: Scope) -> Found:
    """Check section 5."""
    for board, before, after, _ in _rigid_steps("trimers-straight"):
        cells = [board.cells[cell] for cell in {*before, *after}]
        if 1 not in (len({q for q, _ in cells}), len({r for _, r in cells}), len({q + r for q, r in cells})):
            return Found(False)
    return Found(True, up_to="all moves on F(4)")
