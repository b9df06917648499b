"""The permutation that a start needs: against the slides and Wong, Li, Chen, and replayed as moves."""

from __future__ import annotations

import pickle
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.permutations import cycles, inverse, is_even, three_cycles
from slidelab.reach.required_permutation import required_permutation

SLIDES = [
    line.split("|")
    for line in (Path(__file__).parents[1] / "golden" / "fifteen-slides.txt").read_text().splitlines()
    if not line.startswith("#")
]
FIFTEEN = sl.puzzle("square R(4,4)")
PUZZLES = [
    "square R(4,4)",
    "square R(3,3)",
    "square R(3,2) tiles 2",
    "theta(1,2,2)",
    "theta(2,2,3)",
    "cycle(6)",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-6 6-3 0-3",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3",
    "hex P(3,4)",
    "hex F(2) gourds",
    "hex F(3) gourds",
    "hex F(2) trimers",
    "king R(3,2)",
]


def multiply(factors: list[tuple[int, ...]]) -> dict[int, int]:
    """The product of cycles, read from left to right, without fixed points."""
    out = {}
    for point in {x for factor in factors for x in factor}:
        image = point
        for factor in factors:
            if image in factor:
                image = factor[(factor.index(image) + 1) % len(factor)]
        if image != point:
            out[point] = image
    return out


@pytest.mark.parametrize("case", [c for c in SLIDES if c[0].startswith("permutation")], ids=lambda c: c[0])
def test_the_permutations_of_the_slides(case: list[str]) -> None:
    name, start, theirs = (part.strip() for part in case)
    required = FIFTEEN.permutation(start)
    assert required is not None
    expected = [tuple(map(int, pair.split())) for pair in theirs.strip("()").split(")(")]
    assert multiply(expected) == multiply(required.cycles("snake")), name
    assert len(required.transpositions("snake")) == len(expected) == int(name.split()[-1])
    assert multiply([*required.transpositions("snake")]) == multiply(expected)
    assert required.sign == -1
    assert required.factor() is None
    assert required == FIFTEEN.solvable(start).permutation


def test_the_generators_are_the_nine_cycles_of_the_slides() -> None:
    required = FIFTEEN.permutation("1 2 3 4 5 6 7 8 9 10 12 11 13 15 14 .")
    assert required is not None
    found = required.factor()
    assert found is not None
    numbers = sl.cell_numbers(FIFTEEN.board, "snake")
    ours = {g.name(numbers): found.cycles_text(g, "snake") for g in found.generators}
    theirs = {}
    for head, cycle in (case for case in SLIDES if case[0].startswith("move")):
        _, i, j = head.split()
        theirs[f"S({i},{j})"] = f"({cycle.strip()})"
    assert ours == theirs
    assert found.start.play(*found.moves) == FIFTEEN.goal
    # The word multiplied out, in the numbers of the slides.
    word = [(name, power) for name, power in found.to_json("snake")["word"]]
    factors = []
    for name, power in word:
        points = tuple(map(int, theirs[name].strip("()").split()))
        factors += [points if power > 0 else points[::-1]] * abs(power)
    assert multiply(factors) == multiply(required.cycles("snake"))


def test_figure_one_of_wong_li_and_chen() -> None:
    required = FIFTEEN.permutation("3 5 7 9 11 13 2 4 6 8 10 12 1 15 14 .")
    assert required is not None
    assert str(required) == "(1 3 7 2 5 11 10 8 4 9 6 13)(14 15)"
    assert required.sign == 1
    assert required.order == 12


@pytest.mark.parametrize("text", PUZZLES)
@given(seed=st.integers(0, 10**6), other=st.integers(0, 10**6))
@settings(max_examples=6, deadline=None)
def test_factorisations_are_replayed(text: str, seed: int, other: int) -> None:
    puzzle = sl.puzzle(text)
    start, goal = puzzle.shuffle(seed=seed), puzzle.shuffle(seed=other)
    required = puzzle.permutation(start, goal)
    assert required is not None
    assert required.standard_goal == goal
    assert required.standard_start.shape == goal.shape
    found = required.factor()
    assert found is not None
    assert start.play(*found.moves) == goal
    if found.conjugates is not None:
        assert start.play(*found.replay(found.conjugates.word)) == goal
        assert [len(set(factor.cycle)) for factor in found.conjugates.factors] == [3] * len(
            found.conjugates.factors
        )
    assert required.sign == prod((-1) ** (len(cycle) - 1) for cycle in required.cycles("cells"))
    # Standardised by moves: start and standard start reach each other, and the same tiles then differ.
    assert puzzle.solvable(start, required.standard_start)


@pytest.mark.parametrize("text", ["square R(4,4)", "square R(3,2) tiles 2", "theta(2,2,3)", "square R(3,3)"])
def test_any_hole_position_gives_a_permutation_of_the_same_sign(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=4)
    for first in range(puzzle.board.size):
        holes = tuple(sorted((first + k) % puzzle.board.size for k in range(puzzle.hole_count)))
        required = puzzle.permutation(start, at=holes)
        assert required is not None
        assert required.holes == required.standard_start.holes == required.standard_goal.holes == holes
        found = required.factor()
        assert found is not None
        assert start.play(*found.moves) == puzzle.goal
        if puzzle.analyze(connection=False).weak_parity:
            assert required.sign == 1


def test_large_boards_agree_with_the_gain_graph_on_the_sign() -> None:
    puzzle = sl.puzzle("square R(7,7)")
    start = puzzle.shuffle(seed=1)
    small = required_permutation(start, puzzle.goal)
    large = required_permutation(start, puzzle.goal, budget=sl.Budget(max_shapes=5))
    assert small is not None
    assert large is not None
    assert small.sign == large.sign == 1
    assert large.standard_start.shape == puzzle.goal.shape
    assert puzzle.solvable(large.standard_start, start)
    eight = sl.puzzle("square R(3,3)")
    start = eight.shuffle(seed=5)
    assert start.holes != eight.goal.holes
    found = required_permutation(start, eight.goal, budget=sl.Budget(max_shapes=5))
    assert found is not None
    factors = found.factor()
    assert factors is not None
    assert start.play(*factors.moves) == eight.goal
    again = pickle.loads(pickle.dumps(factors))
    assert start.play(*again.moves) == eight.goal


def test_where_there_is_no_permutation() -> None:
    locked = sl.puzzle("hex T(3)")
    assert locked.permutation("1 2 . 3 4 .", ". 1 2 . 3 4") is None
    coloured = sl.puzzle("square R(2,2) : a a b .")
    needed = coloured.permutation("b a a .")
    assert needed is not None
    assert needed.factor() is not None
    apart = sl.puzzle("graph 0-1 1-2 2-0 3-4 4-5 5-3", holes=2)
    for budget in (sl.Budget(), sl.Budget(max_shapes=2)):
        one, two = apart.configuration("1 . . 2 3 4"), apart.configuration("1 2 . 3 4 .")
        assert required_permutation(one, two, budget=budget) is None
    assert sl.puzzle("cycle(7) : a b c c d d .").permutation("b a c c d d .") is None
    with pytest.raises(sl.NotationError, match="expected 1 different cell from 0 to 15"):
        FIFTEEN.permutation(FIFTEEN.goal, at=(16,))
    with pytest.raises(sl.NotationError, match="did you mean 'snake'"):
        sl.cell_numbers(FIFTEEN.board, "snaek")  # type: ignore[arg-type]


@given(st.permutations(range(9)))
def test_three_cycles_multiply_to_the_permutation(images: list[int]) -> None:
    if not is_even(images):
        images[0], images[1] = images[1], images[0]
    assert multiply([*three_cycles(images)]) == multiply(cycles(images))
    assert inverse(inverse(images)) == tuple(images)
