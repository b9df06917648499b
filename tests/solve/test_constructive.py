"""Solutions that are built: in the group, by the papers' way, and what is chosen for boards of any size."""

from __future__ import annotations

import random
import re

import networkx as nx
import pytest

import slidelab as sl
from slidelab.errors import GaveUp, NotationError, Stopped, TooLarge, Unsolvable
from slidelab.puzzles import Configuration, Puzzle, Solution
from slidelab.rules import RULES
from slidelab.solve.method import MethodName
from solve.huge_boards import as_board, block_tree, peeled
from solve.huge_boards import replay as replay_tiles
from solve.test_shorten import replay

# In the group


@pytest.mark.parametrize(
    "text",
    [
        "hex F(2) gourds 1", "hex P(3,4) gourds 2", "square R(3,3) gourds 1", "square R(3,3) trimers 3",
        "hex P(3,4) trimers 3", "hex P(4,4) trimers-triangle 4", "hex F(3)", "hex P(4,3) hextiles 3",
        "hex T(5)", "square R(4,4)", "square R(4,3) tiles 3", "theta(1,2,2)", "theta(2,3,4)",
        "cycle(6) tiles 2",
    ],
)  # fmt: skip
@pytest.mark.parametrize("shorten", [False, True])
def test_by_group(text: str, shorten: bool) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(2):
        start = puzzle.shuffle(seed)
        solution = puzzle.solve(start, method="group", shorten=shorten, time=0.5)
        assert solution.method == "group"
        assert (solution.start, solution.goal) == (start, puzzle.goal)
        replay(solution)


@pytest.mark.parametrize(
    "text",
    [
        "square R(3,3) : a a b b c c d d .", "square R(4,4) : a a a a b b b b c c c c d d d .",
        "theta(1,2,2) : a a b b c c .", "hex F(2) : a a b b c . .",
    ],
)  # fmt: skip
def test_coloured_ones_by_group(text: str) -> None:
    puzzle = sl.puzzle(text)
    for seed in range(3):
        start = puzzle.shuffle(seed)
        replay_tiles(puzzle.solve(start, method="group", shorten=False))
        replay_tiles(puzzle.solve(start, method="group", time=0.5))


def test_theta0_by_group() -> None:
    """What can't be is refused; what can be is found."""
    puzzle = sl.puzzle("theta(1,2,2)")
    able = 0
    for seed in range(40):
        order = random.Random(seed).sample(range(6), 6)
        start = Configuration(puzzle, tuple((cell,) for cell in order))
        if puzzle.distance(start) is None:
            with pytest.raises(Unsolvable):
                puzzle.solve(start, method="group")
        else:
            able += 1
            replay(puzzle.solve(start, method="group", shorten=False))
    assert able > 1


def test_groups_of_too_many_shapes() -> None:
    puzzle = sl.puzzle("square R(12,12) tiles 4")
    start = puzzle.goal.play("140:139>140")
    with pytest.raises(TooLarge, match="words for a group on 140 tiles") as caught:
        puzzle.solve(start, method="group")
    assert "\n" not in str(caught.value)
    with pytest.raises(TooLarge, match="limit is 10;") as caught:
        sl.puzzle("hex F(2) gourds 1").solve(
            sl.puzzle("hex F(2) gourds 1").shuffle(3), method="group", max_shapes=10
        )
    assert "\n" not in str(caught.value)


# The papers' way


def check_passages(solution: Solution) -> None:
    assert solution.passages
    for passage in solution.passages:
        assert 0 <= passage.first <= passage.last <= solution.length
        assert passage.depth >= 0
        assert passage.text
        assert "\n" not in passage.text


def test_block_trees_are_explained_with_the_cells_of_the_board() -> None:
    reported = 0
    for seed in range(15):
        rng = random.Random(seed)
        puzzle = Puzzle(as_board(block_tree(rng, rng.randint(2, 6))), RULES["tiles"], 1)
        start, goal = puzzle.shuffle(seed), puzzle.shuffle(seed + 1000)
        solution = puzzle.solve(start, goal, method="wilson")
        replay_tiles(solution)
        if not solution.passages:
            continue
        reported += 1
        check_passages(solution)
        text = solution.explain()
        assert len(text.splitlines()) == len(solution.passages)
        graph = puzzle.board.to_networkx()
        for passage in solution.passages:
            for path in re.findall(r"through (\d+(?: \d+)+)", passage.text):
                assert nx.is_path(graph, [int(cell) for cell in path.split()])
            for cell in re.findall(r"cell (\d+)", passage.text):
                assert int(cell) < puzzle.board.size
            for x, y in re.findall(r"x = (\d+) to y = (\d+)", passage.text):
                assert any({int(x), int(y)} <= block for block in nx.biconnected_components(graph))
    assert reported >= 10


def test_the_far_block_has_its_own_numbers() -> None:
    """Cells 5 to 8 are a block behind a bridge; its explanation speaks of them, not of cells 0 to 3."""
    puzzle = sl.puzzle("graph 0-1 1-2 2-3 3-0 0-2 3-4 4-5 5-6 6-7 7-8 8-5 6-8")
    start = puzzle.configuration("1 2 3 4 5 6 8 7 .")
    solution = puzzle.solve(start, method="wilson")
    replay_tiles(solution)
    check_passages(solution)
    thetas = re.findall(r"x = (\d+) to y = (\d+)", solution.explain())
    assert thetas
    assert all({int(x), int(y)} <= {5, 6, 7, 8} for x, y in thetas)


def test_less_depth_says_less() -> None:
    puzzle = sl.puzzle("square R(4,4)")
    solution = puzzle.solve(puzzle.shuffle(1), method="wilson")
    check_passages(solution)
    whole, outline = solution.explain().splitlines(), solution.explain(depth=0).splitlines()
    assert 0 < len(outline) < len(whole)
    assert outline == [line for line, p in zip(whole, solution.passages, strict=True) if p.depth == 0]
    deepest = max(p.depth for p in solution.passages)
    assert solution.explain(depth=deepest) == solution.explain()


def test_passages_lead_where_they_say() -> None:
    """After `tile t to cell c` that tile lies there."""
    puzzle = sl.puzzle("square R(4,4)")
    seen = 0
    for seed in range(3):
        solution = puzzle.solve(puzzle.shuffle(seed), method="wilson")
        for passage in solution.passages:
            if found := re.search(r"tile (\d+) to cell (\d+)$", passage.text):
                tile, cell = map(int, found.groups())
                now = solution.start.play(*solution.moves[: passage.last])
                assert now.pieces[tile - 1] == (cell,)
                seen += 1
    assert seen > 3


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("square R(3,3) tiles 2", "wilson"), ("hex F(3)", "wilson"), ("hex F(2) gourds 1", "wilson"),
        ("square R(3,3) trimers 3", "wilson"), ("hex F(2) gourds-sharp 1", "peel"),
        ("square R(3,3) trimers 3", "peel"),
    ],
)  # fmt: skip
def test_methods_that_do_not_suit_the_rule(text: str, method: MethodName) -> None:
    puzzle = sl.puzzle(text)
    with pytest.raises(NotationError, match=f"for {method}, got") as caught:
        puzzle.solve(puzzle.shuffle(2), method=method)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


def test_coloured_ones_the_papers_way() -> None:
    puzzle = sl.puzzle("square R(4,4) : a a a a b b b b c c c c d d d .")
    for seed in range(3):
        solution = puzzle.solve(puzzle.shuffle(seed), method="wilson")
        replay_tiles(solution)
        check_passages(solution)


# What is chosen


@pytest.mark.parametrize("text", ["square R(9,9)", "hex F(6)", "king R(10,8)", "square R(9,9) tiles 7"])
def test_large_boards_are_peeled(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(1)
    solution = puzzle.solve(start, time=2.5)
    assert solution.method in ("peel", "beam")
    assert f"{puzzle.piece_count} tiles" in solution.reason
    assert solution.lower_bound is not None
    assert solution.lower_bound <= solution.length
    replay_tiles(solution)


def test_hexagons_between_small_and_large() -> None:
    """Too many tiles for a search, too few to be peeled at once: a few seconds are enough all the same."""
    puzzle = sl.puzzle("hex F(5)")
    solution = puzzle.solve(puzzle.shuffle(1), time=5)
    replay_tiles(solution)


def test_large_boards_with_colours() -> None:
    plain = sl.puzzle("square R(9,9)")
    puzzle = Puzzle(plain.board, plain.rule, 1, tuple((f"row{k // 9}",) for k in range(80)))
    solution = puzzle.solve(puzzle.shuffle(1), time=2)
    assert solution.method in ("peel", "beam")
    replay_tiles(solution)


def test_large_boards_of_other_rules_are_solved_in_the_group() -> None:
    puzzle = sl.puzzle("square R(12,11) gourds 2")
    start = puzzle.goal
    for _ in range(40):
        start = start.play(list(start.moves)[-1])
    rng = random.Random(1)
    for _ in range(60):
        start = start.play(rng.choice(list(start.moves)))
    try:
        solution = puzzle.solve(start, time=5)
    except TooLarge as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        replay(solution)


def test_near_starts_of_large_boards_are_solved_exactly() -> None:
    puzzle = sl.puzzle("square R(9,9)")
    for moves in (["80:79>80"], ["80:79>80", "71:70>79"], ["72:71>80", "71:70>71"]):
        start = puzzle.goal.play(*moves)
        solution = puzzle.solve(start)
        assert (solution.length, solution.optimal) == (len(moves), True)
        assert "near" in solution.reason


@pytest.mark.parametrize("text", ["square R(9,9)", "hex F(5)", "square R(9,9) tiles 5", "hex F(6)"])
@pytest.mark.parametrize("method", ["auto", "peel"])
def test_hardly_any_time(text: str, method: MethodName) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(1)
    for seconds in (0, 0.05):
        try:
            solution = puzzle.solve(start, method=method, time=seconds)
        except GaveUp as error:
            assert error.lower_bound >= 1  # noqa: PT017
            assert "\n" not in str(error)  # noqa: PT017
        else:
            replay_tiles(solution)


def test_other_methods_in_hardly_any_time() -> None:
    cases: list[tuple[str, MethodName]] = [
        ("square R(9,9)", "wilson"),
        ("hex F(4)", "group"),
        ("hex P(3,4) gourds 2", "group"),
    ]
    for text, method in cases:
        puzzle = sl.puzzle(text)
        start = puzzle.shuffle(1)
        for seconds in (0, 0.01):
            try:
                solution = puzzle.solve(start, method=method, time=seconds)
            except GaveUp as error:
                assert "\n" not in str(error)  # noqa: PT017
            else:
                assert solution.method == method


@pytest.mark.parametrize("text", ["square R(30,30)", "hex F(7)", "square R(12,12) tiles 9"])
@pytest.mark.parametrize("calls", [1, 20])
def test_who_stops_it_is_told_what_is_known(text: str, calls: int) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(1)
    reported: list[str] = []

    def stop(phase: str, done: int, total: int) -> None:
        if phase == "tiles":
            reported.append(phase)
            if len(reported) == calls:
                raise KeyboardInterrupt

    with pytest.raises(Stopped) as caught:
        puzzle.solve(start, method="peel", progress=stop)
    assert caught.value.best is None
    assert caught.value.lower_bound >= 1


def test_who_stops_the_shortening_has_a_solution() -> None:
    puzzle = sl.puzzle("square R(12,12)")
    start = puzzle.shuffle(1)

    def stop(phase: str, done: int, total: int) -> None:
        if phase == "shorten":
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as caught:
        puzzle.solve(start, method="peel", progress=stop)
    assert caught.value.best is not None
    replay_tiles(caught.value.best)


def test_progress_tells_how_many_tiles_lie() -> None:
    puzzle = sl.puzzle("square R(9,9)")
    seen: list[tuple[int, int]] = []
    peeled(
        puzzle.shuffle(1),
        progress=lambda phase, done, total: (
            seen.append((done, total)) if phase == "tiles" and total else None
        ),
    )
    done = [a for a, total in seen if total == 81]
    assert done == sorted(done)
    assert 60 < done[-1] <= 81


def test_no_bound_is_claimed_for_colours_that_holds_for_numbers_only() -> None:
    """Tiles of one colour may be matched in another way: the sum of distances proves nothing."""
    puzzle = sl.puzzle("square R(3,2) : a a b b a .")
    for seed in range(12):
        start = puzzle.shuffle(seed=seed)
        found = puzzle.solve(start, method="peel")
        exact = puzzle.distance(start)
        assert exact is not None
        assert (found.lower_bound or 0) <= exact <= found.length


def test_the_papers_algorithm_heeds_the_clock() -> None:
    puzzle = sl.puzzle("square R(30,30)")
    with pytest.raises(GaveUp):
        puzzle.solve(puzzle.shuffle(seed=1), method="wilson", time=0)


@pytest.mark.parametrize("seed", range(12))
def test_hexagonal_boards_of_any_form_are_solved(seed: int) -> None:
    """Thin ones have no place to peel towards: they are left to the group."""
    rng = random.Random(seed)
    cells = {(0, 0)}
    while len(cells) < 8 + 2 * seed:
        q, r = rng.choice(sorted(cells))
        dq, dr = rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)])
        cells.add((q + dq, r + dr))
    text = "hex " + " ".join(f"{q},{r}" for q, r in sorted(cells, key=lambda cell: cell[::-1]))
    for holes in (2, 3):
        puzzle = sl.puzzle(text, holes=holes)
        start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=seed + 100)
        if not puzzle.solvable(start, goal):
            continue
        found = puzzle.solve(start, goal, method="peel", shorten=False)
        assert found.method in ("peel", "group")
        replay_tiles(found)
