"""Regions: several holes on any graph, against the gain graph and plain search."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import comb, factorial, prod

import networkx as nx
import pytest

import plain
import slidelab as sl
from slidelab.boards import Board, components, from_edges, from_networkx, is_cycle
from slidelab.budget import Budget
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Puzzle
from slidelab.reach import hole_moves as module
from slidelab.reach.certificate import check
from slidelab.reach.decision import decide
from slidelab.reach.hole_moves import hole_moves
from slidelab.reach.loop_groups import group_at
from slidelab.reach.random_configurations import shuffle
from slidelab.reach.random_tiles import random_tiles
from slidelab.reach.regions import (
    Orbit,
    Region,
    orbits,
    region_groups,
    regions,
)
from slidelab.reach.route import find_route
from slidelab.reach.theorems import predictions, tile_group
from slidelab.reach.verdict import solvable
from slidelab.rules import RULES


def atlas(size: int, connected: bool | None = None) -> list[Board]:
    graphs = (g for g in nx.graph_atlas_g() if len(g) == size)
    return [from_networkx(g) for g in graphs if connected in (None, nx.is_connected(g))]


def tiles(board: Board, holes: int) -> Puzzle:
    return Puzzle(board, RULES["tiles"], holes)


def placed(puzzle: Puzzle, by_cell: plain.Config) -> Configuration:
    """The configuration with these tiles, cell by cell, 0 for a hole."""
    at = {tile: (cell,) for cell, tile in enumerate(by_cell) if tile}
    return Configuration(puzzle, tuple(at[number] for number in range(1, puzzle.piece_count + 1)))


def drawn(puzzle: Puzzle, rng: random.Random) -> plain.Config:
    out = [*range(1, puzzle.piece_count + 1), *[0] * puzzle.hole_count]
    rng.shuffle(out)
    return tuple(out)


def twin(puzzle: Puzzle) -> plain.Plain:
    board = puzzle.board
    return plain.Plain.on(plain.graph_board(board.size, board.edges), "tiles", puzzle.hole_count)


def swapped(configuration: Configuration, a: int, b: int) -> Configuration:
    pieces = list(configuration.pieces)
    pieces[a], pieces[b] = pieces[b], pieces[a]
    return Configuration(configuration.puzzle, tuple(pieces))


# Boards to try


def lollipop(ring: int, tail: int) -> Board:
    edges = [(i, i + 1) for i in range(ring + tail - 1)]
    return from_edges([*edges, (0, ring - 1)], ring + tail)


def block_tree(size: int, rng: random.Random) -> Board:
    """Cycles, cycles with a chord, theta0 and bridges, hung on each other at random."""
    edges: list[tuple[int, int]] = []
    cells = 1
    while cells < size:
        at, more = rng.randrange(cells), rng.choice([1, 1, 1, 2, 3, 4, 5, 6, 6])
        ring = [at, *range(cells, cells + more)]
        edges += pairwise(ring)
        if more > 1:
            edges.append((at, ring[-1]))
        if more == 4:
            edges.append((ring[1], ring[rng.choice([3, 4])]))
        if more == 5 and rng.random() < 0.8:
            edges.append((ring[1], ring[4]))
        if more == 6:  # a ring of six, the last cell joins two opposite ones
            edges[-2:] = [(at, ring[5]), (ring[1], ring[6]), (ring[4], ring[6])]
        cells += more
    return from_edges([(min(e), max(e)) for e in edges], cells)


def random_tree(size: int, rng: random.Random) -> Board:
    return from_edges([(rng.randrange(max(0, b - 3), b), b) for b in range(1, size)], size)


def odd_boards(seed: int) -> Iterator[Board]:
    rng = random.Random(seed)
    for _ in range(4):
        yield block_tree(rng.randrange(8, 12), rng)
        yield random_tree(rng.randrange(8, 12), rng)
        yield lollipop(rng.randrange(3, 7), rng.randrange(1, 6))


# The group in the frame of the root, against the group of the gain graph


def frame(board: Board, holes: int, rng: random.Random) -> tuple[tuple[Region, ...], list[int]]:
    """Regions from a random root, and random cells of the root for the holes."""
    found = regions(board, holes, rng.randrange(board.size))
    inside = found[0].cells if found else range(board.size)
    return found, rng.sample(inside, holes)


def respects(orbit: Orbit, image: list[int]) -> bool:
    """Is the permutation (places in the orbit) one that the orbit's group has?"""
    n = len(image)
    if orbit.group == "cyclic":
        return all((image[(i + 1) % n] - image[i]) % n == 1 % n for i in range(n))
    if orbit.group == "theta0":
        return tuple(image) in orbit.loops
    odd = sum(image[i] > image[j] for j in range(n) for i in range(j)) % 2
    return orbit.group == "symmetric" or not odd


def assert_group_is_right(board: Board, holes: int, rng: random.Random) -> None:
    found, at = frame(board, holes, rng)
    puzzle = tiles(board, holes)
    filled = [cell for cell in range(board.size) if cell not in at]
    group = group_at(Configuration(puzzle, tuple((cell,) for cell in filled)))
    expected = orbits(board, found, at)
    moved = {frozenset(filled[x] for x in orbit) for orbit in group.moved_orbits}
    assert moved == {frozenset(orbit.cells) for orbit in expected if orbit.order > 1}, (board.name, holes)
    assert group.order == prod(orbit.order for orbit in expected), (board.name, holes)
    for generator in group.generators.tolist():
        to = {filled[x]: filled[y] for x, y in enumerate(generator)}
        for orbit in expected:
            place = {cell: number for number, cell in enumerate(orbit.cells)}
            assert respects(orbit, [place[to[cell]] for cell in orbit.cells]), (board.name, holes)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_groups_of_all_small_connected_graphs(size: int) -> None:
    rng = random.Random(size)
    boards = atlas(size, connected=True)
    assert len(boards) == {2: 1, 3: 2, 4: 6, 5: 21, 6: 112, 7: 853}[size]
    for board in boards:
        for holes in range(1, size):
            assert_group_is_right(board, holes, rng)


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_larger_graphs(seed: int) -> None:
    rng = random.Random(100 + seed)
    for board in odd_boards(seed):
        for holes in (1, 2, 3, 4, board.size - 2):
            assert_group_is_right(board, holes, rng)


def test_the_larger_graphs_are_worth_the_while() -> None:
    seen: Counter[str] = Counter()
    most = 0
    for seed in range(5):
        for board in odd_boards(seed):
            for holes in (1, 2, 3, 4):
                groups = region_groups(board, holes)
                seen.update(name for name, _ in groups)
                most = max(most, len(groups))
    assert min(seen[name] for name in ("symmetric", "alternating", "theta0", "cyclic")) > 3
    assert most >= 3


@pytest.mark.parametrize("where", ["alone", "hung on a bridge", "at a shared cell"])
def test_theta0_has_its_group_wherever_it_hangs(where: str) -> None:
    theta0 = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5), (0, 6), (3, 6)]
    more = {"alone": [], "hung on a bridge": [(2, 7), (7, 8)], "at a shared cell": [(6, 7), (7, 8), (6, 8)]}
    board = from_edges([*theta0, *more[where]], 7 if where == "alone" else 9)
    assert ("theta0", 6) in region_groups(board, 1)
    assert "PGL(2,5)" in tile_group(board, 1).name
    rng = random.Random(5)
    for _ in range(20):
        assert_group_is_right(board, 1, rng)


def test_regions_form_a_tree() -> None:
    rng = random.Random(3)
    several = 0
    for _ in range(60):
        board = block_tree(rng.randrange(10, 60), rng)
        for holes in (1, 2, 3, 5):
            root_cell = rng.randrange(board.size)
            found = regions(board, holes, root_cell)
            several += len(found) > 1
            for number, region in enumerate(found):
                assert set(region.core) <= set(region.cells)
                assert len(region.cells) > holes
                if number == 0:
                    assert (region.parent, region.entry, region.home) == (-1, -1, region.cells)
                else:
                    assert 0 <= region.parent < number
                    assert region.entry in region.core
                    assert len(region.home) == len(region.cells) - holes
            homes = [cell for region in found[1:] for cell in region.home]
            assert len(homes) == len(set(homes))
            assert set(homes).isdisjoint(found[0].cells)
    assert several > 60


def test_the_root_is_the_region_asked_for_or_the_largest() -> None:
    dumbbell = sl.board("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-7 7-8 8-5")
    assert regions(dumbbell, 1)[0].core == (5, 6, 7, 8)
    assert regions(dumbbell, 1, root_cell=3)[0].core == (0, 1, 2)
    assert regions(dumbbell, 2, root_cell=4)[0].core == (5, 6, 7, 8)
    assert regions(dumbbell, 5)[0].core == tuple(range(9))


def test_paths_have_no_region_and_polygons_one() -> None:
    for holes in (1, 2, 5):
        assert regions(sl.board("path(8)"), holes) == ()
        (ring,) = regions(sl.board("cycle(8)"), holes)
        assert (ring.core, ring.cells, ring.group) == (tuple(range(8)), tuple(range(8)), "cyclic")
    assert regions(sl.board("graph 0-1 0-2 0-3"), 1) == ()


def test_regions_refuse_what_they_do_not_know() -> None:
    with pytest.raises(PuzzleError, match="connected"):
        regions(sl.board("graph 0-1 2"), 1)
    with pytest.raises(PuzzleError, match="hole"):
        regions(sl.board("path(3)"), 0)
    board = lollipop(4, 6)
    with pytest.raises(PuzzleError, match="root region"):
        orbits(board, regions(board, 2), [8, 9])
    with pytest.raises(PuzzleError, match="rule tiles"):
        decide(sl.puzzle("hex P(3,4)").goal, sl.puzzle("hex P(3,4)").goal)


# Decisions, against plain search


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_decisions_on_all_small_graphs_and_all_pairs(size: int) -> None:
    rng = random.Random(size)
    answers: Counter[bool] = Counter()
    for board in atlas(size):
        for holes in range(1, size):
            puzzle = tiles(board, holes)
            goal = drawn(puzzle, rng)
            reached = twin(puzzle).component(goal)
            for start in twin(puzzle).all_configurations():
                decision = decide(placed(puzzle, start), placed(puzzle, goal))
                assert decision.solvable == (start in reached), (board.name, holes, start, goal)
                assert decision.solvable == (decision.obstacle == "")
                answers[decision.solvable] += 1
    assert size == 2 or min(answers[True], answers[False]) > 10


@pytest.mark.parametrize("size", [6, 7])
def test_decisions_on_graphs_drawn_at_random(size: int) -> None:
    """Few configurations of many graphs; half of them can be reached."""
    rng = random.Random(size)
    obstacles: Counter[str] = Counter()
    for board in atlas(size)[:: 2 if size == 6 else 30]:
        for holes in range(1, size):
            puzzle = tiles(board, holes)
            goal = drawn(puzzle, rng)
            reached = twin(puzzle).component(goal)
            some = rng.sample(sorted(reached), min(len(reached), 8))
            for start in [*some, *(drawn(puzzle, rng) for _ in range(8))]:
                decision = decide(placed(puzzle, start), placed(puzzle, goal))
                assert decision.solvable == (start in reached), (board.name, holes, start, goal)
                obstacles[decision.obstacle] += 1
    wanted = ["", "place", "holes", *(["cycle", "parity", "order"] if size == 6 else [])]
    assert min(obstacles[why] for why in wanted) > 3


def test_decisions_on_theta0() -> None:
    puzzle = sl.puzzle("theta(1,2,2)")
    goal = (1, 2, 0, 3, 4, 5, 6)
    reached = twin(puzzle).component(goal)
    decisions = {
        start: decide(placed(puzzle, start), placed(puzzle, goal))
        for start in twin(puzzle).all_configurations()
    }
    assert len(decisions) == 5040
    assert {start for start, decision in decisions.items() if decision.solvable} == reached
    assert {decision.obstacle for decision in decisions.values()} == {"", "theta0"}


def coloured_component(board: Board, start: tuple[str, ...]) -> set[tuple[str, ...]]:
    seen, queue = {start}, [start]
    for now in queue:
        for a, b in [*board.edges, *((b, a) for a, b in board.edges)]:
            if now[a] == "." and now[b] != ".":
                after = list(now)
                after[a], after[b] = now[b], "."
                if tuple(after) not in seen:
                    seen.add(tuple(after))
                    queue.append(tuple(after))
    return seen


def test_decisions_on_colours() -> None:
    rng = random.Random(8)
    obstacles: Counter[str] = Counter()
    boards = [*atlas(5), *atlas(6)[::3], sl.board("theta(1,2,2)"), sl.board("square R(3,2)")]
    for board in boards:
        for holes in range(1, board.size):
            labels = [rng.choice("abcd"[: rng.randrange(1, 5)]) for _ in range(board.size - holes)]
            puzzle = Puzzle(board, RULES["tiles"], holes, tuple((label,) for label in labels))
            words: list[Sequence[str]] = []
            for _ in range(8):
                shuffled = [*labels, *"." * holes]
                rng.shuffle(shuffled)
                words.append(shuffled)
            reached = coloured_component(board, tuple(words[0]))
            goal = puzzle.configuration(" ".join(words[0]))
            for word in [*words[1:], *rng.sample(sorted(reached), min(4, len(reached)))]:
                decision = decide(puzzle.configuration(" ".join(word)), goal)
                assert decision.solvable == (tuple(word) in reached), (board.name, words[0], word)
                obstacles[decision.obstacle] += 1
    assert min(obstacles[why] for why in ("", "colours", "cycle", "order", "holes")) > 3


@pytest.mark.parametrize(
    ("start", "goal", "why"),
    [
        ("b c d a b .", "b d c a b .", ""),  # two alike free the parity
        ("a b c d e .", "b a c d e .", "parity"),
    ],
)
def test_alike_tiles_free_the_parity(start: str, goal: str, why: str) -> None:
    puzzle = sl.puzzle("square R(3,2)", colours=start.split()[:-1])
    assert decide(puzzle.configuration(start), puzzle.configuration(goal)).obstacle == why


# Moving holes about


def replay(board: Board, occupied: list[bool], moves: list[tuple[int, int]]) -> set[int]:
    full = list(occupied)
    for source, to in moves:
        assert board.adjacent(source, to)
        assert full[source]
        assert not full[to]
        full[source], full[to] = False, True
    return {cell for cell in range(board.size) if not full[cell]}


@pytest.mark.parametrize("looking", [0, 10**9])
def test_gathered_holes_get_where_they_are_wanted(looking: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the nearest ways, and along a spanning tree."""
    monkeypatch.setattr(module, "MAX_BFS_WORK", looking)
    rng = random.Random(looking)
    moved = 0
    for _ in range(150):
        make: Callable[[int, random.Random], Board] = rng.choice([block_tree, random_tree])
        board = make(rng.randrange(2, 40), rng)
        holes = rng.randrange(1, board.size)
        now, wanted = (rng.sample(range(board.size), holes) for _ in range(2))
        occupied = [cell not in now for cell in range(board.size)]
        moves = hole_moves(board, occupied, wanted)
        assert replay(board, occupied, moves) == set(wanted)
        moved += len(moves)
    assert moved > 1000


def test_one_hole_takes_the_shortest_way() -> None:
    board = sl.board("square R(7,5)")
    graph = board.to_networkx()
    for to in range(board.size):
        moves = hole_moves(board, [cell != 3 for cell in range(board.size)], [to])
        assert len(moves) == nx.shortest_path_length(graph, 3, to)


def test_gather_keeps_to_the_parts_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    board = sl.board("graph 0-1 1-2 3-4 4-5")
    occupied = [False, True, True, False, False, True]
    for looking in (10**6, 0):
        monkeypatch.setattr(module, "MAX_BFS_WORK", looking)
        assert replay(board, occupied, hole_moves(board, occupied, [2, 4, 5])) == {2, 4, 5}
        for wanted in ([0, 1, 4], [0, 3], [0, 0, 3], [0, 3, 6]):
            with pytest.raises(PuzzleError):
                hole_moves(board, occupied, wanted)


# Verdicts by the regions

LIMITS = Budget(max_shapes=1)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_verdicts_and_certificates_of_small_graphs(size: int) -> None:
    """With a limit that forbids the gain graph; the same answers with it."""
    rng = random.Random(size)
    boards = [board for board in atlas(size) if board.edges][:: 1 if size < 6 else 7]
    for board in boards:
        for holes in range(1, size - 1):
            puzzle = tiles(board, holes)
            start, goal = (placed(puzzle, drawn(puzzle, rng)) for _ in range(2))
            if start == goal or len(components(board)) == size:
                continue
            small, large = solvable(puzzle, start, goal), solvable(puzzle, start, goal, budget=LIMITS)
            assert bool(small) == bool(large)
            assert large.certificate["kind"] == "theorem"
            assert large.check()
            assert not check(start, goal, not large.solvable, large.certificate)
            if large:
                assert "can be" in large.reason or "keep" in large.reason
            elif large.certificate["because"] == "parity":
                assert large.reason == small.reason


def test_a_changed_certificate_is_refused() -> None:
    puzzle = sl.puzzle("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3")
    start = puzzle.goal
    goal = swapped(start, 0, 4)
    verdict = solvable(puzzle, start, goal, budget=LIMITS)
    assert verdict.reason == "tile 1 can never get from cell 0 to cell 4: every path leads through cell 2"
    true = verdict.certificate
    assert true["pieces"] == [1]
    assert check(start, goal, False, true)
    changes: tuple[dict[str, object], ...] = (
        {"name": "Wilson (Theorem 4.7)"},
        {"because": "parity"},
        {"because": ""},
        {"pieces": []},
        {"pieces": [2]},
        {"pieces": [-1]},
        {"pieces": None},
    )
    for change in changes:
        assert not check(start, goal, False, {**true, **change}), change
    assert not check(start, goal, True, {**true, "because": "", "pieces": []})
    assert not check(start, start, False, true)


REASONS = [
    (
        "graph 0-1 2-3 3-4 tiles 1",
        ". 1 2 3 4",
        "1 2 . 3 4",
        "the holes can never get where the goal has them",
    ),
    ("graph 0-1 2 tiles 2", ". . 1", "1 . .", "nothing can move at the start: every tile is locked"),
    (
        "path(4) tiles 2",
        "1 . 2 .",
        ". 2 . 1",
        "tiles 1 and 2 would have to pass each other, and there is no room for that",
    ),
    (
        "cycle(6) tiles 2",
        "1 2 3 4 . .",
        "1 3 2 4 . .",
        "tiles 1 2 3 4 always keep this cyclic order, and the goal has another",
    ),
    (
        "theta(1,2,2)",
        "1 2 3 4 5 6 .",
        "2 1 3 4 5 6 .",
        "tiles 1, 2, 3, 4, 5 and 6 cannot all get to their places together: the exceptional theta graph "
        "allows only 120 of the 720 permutations of its six tiles",
    ),
    (
        "graph 0-1 1-2 2-3 3-0 0-4 4-2 4-5 tiles 1",
        "1 2 3 4 5 .",
        "2 1 3 4 5 .",
        "tiles 1, 2, 3 and 4 would need an odd permutation, and every loop moves them evenly",
    ),
    (
        "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3 tiles 1",
        "1 2 3 4 5 .",
        "3 2 1 4 5 .",
        "tile 1 can never get from cell 0 to cell 2",
    ),
    (
        "graph 0-1 1-2 2-0 3-4 tiles 2",
        ". 1 2 . 3",
        ". 1 3 . 2",
        "tile 2 can never get from cell 2 to cell 4: no path joins them",
    ),
]


@pytest.mark.parametrize(("board", "start", "goal", "reason"), REASONS)
def test_refusals_say_why(board: str, start: str, goal: str, reason: str) -> None:
    puzzle = sl.puzzle(board)
    verdict = solvable(puzzle, start, goal, budget=LIMITS)
    assert not verdict
    assert verdict.reason == reason
    assert verdict.check()
    assert not solvable(puzzle, start, goal)


def test_refusals_of_colours_say_why() -> None:
    puzzle = sl.puzzle("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3", colours=["a", "a", "b", "b", "b"])
    verdict = solvable(puzzle, "a a b b b .", "b b a a b .", budget=LIMITS)
    assert not verdict
    assert "stay among themselves, and the goal has other colours there" in verdict.reason
    assert verdict.check()
    easy = solvable(puzzle, "a a b b b .", "a . a b b b", budget=LIMITS)
    assert easy.reason == "the coloured tiles can be brought to their places (Wilson, block by block)"
    assert easy.check()


# Boards of ten thousand cells


def test_ten_thousand_tiles_with_the_wrong_parity_are_refused() -> None:
    puzzle = sl.puzzle("square R(100,100)")
    start = puzzle.shuffle(seed=5)
    assert find_route(puzzle).name == "regions"
    yes = puzzle.solvable(start)
    assert yes
    assert yes.certificate["kind"] == "theorem"
    assert yes.check()
    no = puzzle.solvable(swapped(start, 17, 4711))
    assert not no
    assert no.reason == "the tiles would need an odd permutation, and every loop here is even"
    assert no.certificate["because"] == "parity"
    assert no.check()
    assert not check(start, puzzle.goal, False, no.certificate)


@pytest.mark.parametrize("holes", [1, 2, 3])
def test_a_large_board_of_many_blocks(holes: int) -> None:
    board = block_tree(5000, random.Random(1))
    puzzle = tiles(board, holes)
    found = regions(board, holes)
    assert len(found) > 3
    start = puzzle.shuffle(seed=holes)
    assert puzzle.solvable(start).check()
    # Two tiles deep in different regions change places.
    here, there = found[0].core[0], found[-1].home[-1]
    start = swapped(puzzle.goal, here, there)  # in the goal, tile k lies on cell k - 1
    wrong = puzzle.solvable(start)
    assert not wrong
    first = min(here, there)
    other = max(here, there)
    assert wrong.reason.startswith(f"tile {first + 1} can never get from cell {other} to cell {first}")
    assert wrong.check()


def test_a_large_cycle_keeps_its_order() -> None:
    puzzle = sl.puzzle("cycle(3000)", holes=1000)
    start = puzzle.shuffle(seed=3)
    assert puzzle.solvable(start)
    no = puzzle.solvable(swapped(start, 0, 5))
    assert no.reason.startswith("tiles 1 7 8 9 10")
    assert no.reason.endswith("... always keep this cyclic order, and the goal has another")
    assert no.check()


def test_analysis_of_many_holes_by_theorem() -> None:
    board = lollipop(200, 300)
    found = tiles(board, 100).analyze()
    assert found.too_large
    inside = 200 + 99 - 100  # the ring and the tail within 99 steps, less the holes
    assert found.components == factorial(400) // factorial(inside)
    said = {p.quantity: p.value for p in predictions(tiles(board, 100))}
    assert said["group"] == f"Sym({inside})"
    assert not is_cycle(board)


# Random configurations


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("square R(2,2) : 1 2 3 .", 12),
        ("graph 0-1 0-2 0-3 tiles 2 : 1 2 . .", 12),
        ("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3 tiles 1 : 1 2 3 4 5 .", 24),
        ("graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3 tiles 2 : 1 2 3 4 . .", 15 * 4),
        ("graph 0-1 1-2 2-3 3-0 3-4 4-5 tiles 2 : 1 2 3 4 . .", 15 * 6),
        ("graph 0-1 1-2 3-4 4-5 5-3 tiles 2 : 1 2 . 3 4 .", 3 * 6),
        ("path(5) tiles 3 : 1 2 . . .", 10),
        ("cycle(5) tiles 2 : 1 2 3 . .", 30),
        ("graph 0-1 1-2 2-3 3-0 0-4 4-2 tiles 1 : 1 2 3 4 .", 60),
        ("square R(3,2) : a a b b b .", 60),
    ],
)
def test_scattered_tiles_are_equally_likely_to_lie_anyhow(text: str, size: int) -> None:
    first = sl.position(text)
    draws = [random_tiles(first, random.Random(seed)) for seed in range(60 * size)]
    counts = Counter(drawn.text for drawn in draws)
    assert len(counts) == size
    assert all(decide(drawn, first).solvable for drawn in draws[:50])
    chi_square = sum((count - 60) ** 2 / 60 for count in counts.values())
    freedom = size - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5 + 6


def test_scattered_theta0_reaches_all_of_its_component() -> None:
    first = sl.puzzle("theta(1,2,2)").goal
    seen = {random_tiles(first, random.Random(seed)).text for seed in range(12_000)}
    assert len(seen) == 840


def test_a_large_shuffle_goes_by_the_seed() -> None:
    puzzle = tiles(block_tree(600, random.Random(2)), 3)
    assert find_route(puzzle).name == "regions"
    assert shuffle(puzzle, 4) == shuffle(puzzle, 4)
    assert shuffle(puzzle, 4) != shuffle(puzzle, 5)
    assert puzzle.solvable(shuffle(puzzle, 4))


def test_holes_of_a_large_shuffle_are_anywhere() -> None:
    """Every cell is a hole about equally often."""
    puzzle = tiles(lollipop(300, 200), 100)
    counts = Counter(cell for seed in range(100) for cell in shuffle(puzzle, seed).holes)
    assert sum(counts.values()) == 100 * 100
    assert set(counts) == set(range(500))
    chi_square = sum((count - 20) ** 2 / 16 for count in counts.values())  # variance 100 * 0.2 * 0.8
    assert chi_square < 500 + 5 * (2 * 500) ** 0.5
    assert comb(500, 100) > 10**100
