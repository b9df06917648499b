"""Solutions made shorter: never longer, the same end, and nothing said that is not proved."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import thorough
from plain import Plain
from reach.twins import Twin, twins
from slidelab.budget import Budget
from slidelab.distance.table import DistanceTable
from slidelab.puzzles import Configuration, Move, MoveList, Puzzle, Solution
from slidelab.solve.huge.shortener import shorten
from slidelab.solve.method import MethodName

LONG = 60.0  # seconds; what is tried here ends long before

CASES = [
    "square R(3,3)", "square R(4,4)", "square R(3,3) tiles 3", "king R(3,3)", "theta(2,3,3)", "hex F(3)",
    "hex P(4,4) hextiles 3", "hex F(2) gourds 1", "hex P(3,4) gourds 2", "square R(3,3) trimers 3",
    "hex P(3,4) trimers 3", "hex P(4,4) trimers-straight 4", "hex P(4,4) trimers-triangle 4",
]  # fmt: skip


def plain_twin(puzzle: Puzzle) -> Twin:
    """The puzzle as the plain oracle sees it."""
    board = puzzle.board
    around = [set(row) for row in board.neighbours]
    return Twin(
        puzzle, Plain(board.size, around, puzzle.rule.name, puzzle.hole_count, list(board.cells), board.kind)
    )


def replay(solution: Solution) -> None:
    """Every move is one that the plain oracle knows, and the last leads to the goal."""
    twin = plain_twin(solution.puzzle)
    pieces = list(solution.start.pieces)
    for move in solution.moves:
        before = twin.config(Configuration(twin.puzzle, tuple(pieces)))
        assert pieces[move.piece - 1] == move.before
        pieces[move.piece - 1] = move.after
        assert twin.config(Configuration(twin.puzzle, tuple(pieces))) in twin.plain.neighbours(before)
    assert tuple(pieces) == solution.goal.pieces


def wander(rng: random.Random, here: Configuration, steps: int) -> list[Move]:
    """Legal moves at random."""
    out = []
    for _ in range(steps):
        move = rng.choice(list(here.moves))
        out.append(move)
        here = here.play(move)
    return out


def with_loops(rng: random.Random, solution: Solution, loops: int) -> Solution:
    """The same with moves put in between that are taken back at once."""
    here, moves = solution.start, []
    at = sorted(rng.choices(range(solution.length + 1), k=loops))
    for number in range(solution.length + 1):
        for _ in range(at.count(number)):
            there = wander(rng, here, rng.randint(1, 12))
            moves += [*there, *(move.reversed for move in reversed(there))]
        if number < solution.length:
            moves.append(solution.moves[number])
            here = here.play(solution.moves[number])
    return Solution(
        solution.start, solution.goal, tuple(moves), method="by hand", lower_bound=solution.lower_bound
    )


@pytest.mark.parametrize("text", CASES)
def test_loops_are_cut_out(text: str) -> None:
    puzzle, rng = sl.puzzle(text), random.Random(text)
    for _ in range(3):
        way = wander(rng, puzzle.goal, 25)
        solution = Solution(puzzle.goal, puzzle.goal.play(*way), tuple(way))
        long = with_loops(rng, solution, 5)
        assert long.length > solution.length
        short = shorten(long, Budget.of(LONG))
        assert short.length <= solution.length
        assert (short.start, short.goal, short.method) == (long.start, long.goal, "by hand")
        assert short.passages == ()
        assert not short.optimal
        replay(short)


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex F(2) gourds 1", "square R(3,3) trimers 3", "hex P(3,3)"]
)
def test_detours_are_found(text: str) -> None:
    """A stretch of a shortest solution left, and come back to by another way."""
    puzzle, rng = sl.puzzle(text), random.Random(text)
    for seed in range(4):
        best = puzzle.solve(puzzle.shuffle(seed))
        half = best.length // 2
        middle = best.start.play(*best.moves[:half])
        away = wander(rng, middle, 15)
        later = middle.play(*best.moves[half : half + 4])
        back = puzzle.solve(middle.play(*away), later)
        moves = [*best.moves[:half], *away, *back.moves, *best.moves[half + 4 :]]
        detour = Solution(best.start, best.goal, tuple(moves))
        assert shorten(detour, Budget.of(LONG)).length <= best.length + 2


@pytest.mark.parametrize("text", ["square R(3,3)", "king R(3,3)", "theta(2,2,3)", "hex F(2) tiles 1"])
@pytest.mark.parametrize("method", ["peel", "wilson", "group"])
def test_near_a_shortest_on_small_boards(text: str, method: MethodName) -> None:
    puzzle = sl.puzzle(text)
    table = DistanceTable(puzzle.goal)
    for seed in range(2):
        start = puzzle.shuffle(seed)
        long = puzzle.solve(start, method=method, shorten=False)
        short = shorten(long, Budget.of(LONG))
        exact = table.distance(start)
        assert exact is not None
        assert exact <= short.length <= max(1.3 * exact, exact + 2)
        assert short.length <= long.length
        replay(short)


@pytest.mark.parametrize(
    "text", ["hex F(2) gourds 1", "hex P(3,3) gourds 1", "square R(3,3) trimers 3", "hex F(3)"]
)
def test_other_rules(text: str) -> None:
    puzzle = sl.puzzle(text)
    gained = 0
    for seed in range(3):
        long = puzzle.solve(puzzle.shuffle(seed), method="group", shorten=False)
        short = shorten(long, Budget.of(1))
        gained += long.length - short.length
        assert short.length <= long.length
        assert {move.kind for move in short.moves} <= {move.kind for move in kinds_of(puzzle)}
        replay(short)
    assert gained > 0


def kinds_of(puzzle: Puzzle) -> list[Move]:
    """Moves of all kinds that a short walk meets."""
    return wander(random.Random(1), puzzle.goal, 300)


@given(twins(most=400), st.integers(0, 10**6))
@thorough(40)
def test_any_puzzle(made: Twin, seed: int) -> None:
    """Never longer, never shorter than a shortest, whatever the rule."""
    configs = [config for config in made.plain.all_configurations() if made.plain.neighbours(config)]
    if not configs:
        return
    rng = random.Random(seed)
    first = rng.choice(configs)
    start = made.configuration(first)
    way = wander(rng, start, 40)
    long = Solution(start, start.play(*way), tuple(way), lower_bound=0)
    short = shorten(long, Budget.of(LONG))
    layers = made.plain.distance_layers(first)
    exact = next(depth for depth, layer in enumerate(layers) if made.config(long.goal) in layer)
    assert exact <= short.length <= 40
    assert short.lower_bound == (0 if short.length or not short.optimal else short.length)
    assert short.optimal == (short.length == 0)
    replay(short)


def test_no_time_gives_the_same_object() -> None:
    puzzle = sl.puzzle("square R(5,5)")
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    assert shorten(long, Budget.of(0)) is long
    assert shorten(long, Budget.of(0.0)) is long


def test_nothing_gained_gives_the_same_object() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    for pieces in ("8 6 7 2 5 4 3 . 1", "1 2 3 4 5 6 7 . 8", "1 2 3 4 5 6 7 8 ."):
        best = puzzle.solve(pieces)
        assert shorten(best, Budget.of(LONG)) is best


def test_optimal_only_if_the_bound_is_met() -> None:
    start = sl.position("square R(3,3) : 1 2 3 4 5 6 7 . 8")
    goal = start.puzzle.goal
    there_and_back = (Move(8, (8,), (7,)), Move(8, (7,), (8,)), Move(8, (8,), (7,)))
    for lower_bound, optimal in ((None, False), (0, False), (1, True)):
        short = shorten(Solution(start, goal, there_and_back, lower_bound=lower_bound), Budget.of(LONG))
        assert (short.length, short.optimal, short.lower_bound) == (1, optimal, lower_bound)


def test_what_is_known_stays() -> None:
    puzzle = sl.puzzle("square R(5,5)")
    long = puzzle.solve(puzzle.shuffle(3), method="peel", shorten=False)
    short = shorten(long, Budget.of(2))
    assert short.length < long.length
    assert (short.lower_bound, short.method, short.metric) == (long.lower_bound, "peel", "single")
    assert short.reason == long.reason
    assert isinstance(short.moves, MoveList)


def test_a_shorter_way_has_other_passages() -> None:
    """`wilson` is not made shorter unless asked: what it says would be lost."""
    puzzle = sl.puzzle("square R(4,4)")
    start = puzzle.shuffle(2)
    reported = puzzle.solve(start, method="wilson")
    assert reported.passages
    assert reported == puzzle.solve(start, method="wilson", shorten=False)
    short = puzzle.solve(start, method="wilson", shorten=True, time=60)
    assert short.length < reported.length
    assert short.passages == ()
    assert "tiles" in short.explain()  # of the moves themselves
    assert shorten(reported, Budget.of(60)).passages == ()
    replay(short)


def test_coloured_puzzles() -> None:
    """Made shorter as if all pieces had names; the end looks the same."""
    puzzle = sl.puzzle("square R(4,4) : a a a a b b b b c c c c d d d .")
    start = puzzle.shuffle(5)
    long = puzzle.solve(start, method="peel", shorten=False)
    short = shorten(long, Budget.of(2))
    assert short.length < long.length
    assert start.play(*short.moves) == puzzle.goal


def test_progress_is_told_and_can_stop_it() -> None:
    puzzle = sl.puzzle("square R(6,6)")
    long = puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False)
    reported = []

    def stop(phase: str, done: int, total: int) -> None:
        reported.append(phase)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shorten(long, Budget.of(LONG, progress=stop))
    assert reported == ["shorten"]


@pytest.mark.parametrize("seconds", ["a", -1, float("nan"), True])
def test_times_that_are_none(seconds: object) -> None:
    solution = sl.puzzle("square R(3,3)").solve("1 2 3 4 5 6 7 . 8")
    with pytest.raises(sl.NotationError, match="expected a time in seconds"):
        solution.shorten(seconds)  # type: ignore[arg-type]


def test_what_was_gained_before_ctrl_c_is_kept() -> None:
    puzzle = sl.puzzle("hex F(5) gourds")
    long = puzzle.solve(puzzle.shuffle(seed=1), method="cycle")
    reported = []

    def impatient(phase: str, done: int, total: int) -> None:
        reported.append(done)
        if len(reported) == 3:
            raise KeyboardInterrupt

    with pytest.raises(sl.Stopped) as stopped:
        shorten(long, Budget.of(60.0, progress=impatient))
    assert stopped.value.best is not None
    assert stopped.value.best.length < long.length
    assert stopped.value.best.goal == long.goal
