"""Certificates: the true ones are accepted, and nothing whatever proves what is false."""

from __future__ import annotations

import json
from collections import Counter
from copy import deepcopy
from itertools import combinations, islice, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plain
import slidelab as sl
from reach.test_against_plain import painted_components, painted_twins, thorough
from reach.twins import Case, Draw, Twin, pick, twins_with_pairs
from slidelab.gains import gain_graph
from slidelab.puzzles import Configuration
from slidelab.reach import proofs
from slidelab.reach import verdict as verdicts
from slidelab.reach.certificate import check
from slidelab.reach.theorems import deciding_theorem
from slidelab.reach.verdict import reason_unsolvable

numbers = st.one_of(st.integers(-2, 9), st.sampled_from([10**9, -(10**9), 1.5, True, "1", None]))
wild_lists = st.lists(numbers, max_size=8)
KEYS = [
    "moves",
    "loops",
    "program",
    "giants",
    "product",
    "way",
    "goal",
    "pieces",
    "on",
    "order",
    "points",
    "name",
    "cells",
    "cell",
]


def garbage() -> st.SearchStrategy[Any]:
    """JSON of any form, with the words that mean something strewn in."""
    words = st.sampled_from(
        [*KEYS, "kind", "points", "line", "prime", "ends", "both", "loop", "power", "1:0>1"]
    )
    leaves = st.one_of(numbers, words, st.text(max_size=3), st.floats())

    def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4))

    return st.recursive(leaves, around, max_leaves=12)


YES = ["moves", "loops", "theorem"]
NO = ["shapes", "pieces", "parity", "cycle", "colours", "words", "order", "corner", "augmented", "theorem"]
THEOREMS = ["Kornhauser, Miller, Spirakis", "the checkerboard argument", "Wilson (Theorem 4.7)", ""]


@st.composite
def refusals(draw: st.DrawFn, pieces: int, turns: int) -> dict[str, Any]:
    """Certificates of the right form that claim "no", for a puzzle of so many pieces."""
    names = st.lists(st.integers(1, pieces), max_size=pieces, unique=True)
    points = st.lists(st.integers(0, pieces * turns - 1), max_size=pieces * turns, unique=True)
    return draw(
        st.one_of(
            st.just({"kind": "shapes"}),
            st.just({"kind": "words"}),
            st.just({"kind": "augmented"}),
            st.builds(
                lambda c, p: {"kind": "corner", "cell": c, "pieces": [p]},
                st.integers(0, 9),
                st.integers(1, pieces),
            ),
            st.builds(
                lambda n, p: {"kind": "order", "cells": list(range(n)), "pieces": p},
                st.integers(1, 12),
                st.lists(st.integers(1, pieces), min_size=2, max_size=2),
            ),
            st.builds(lambda p: {"kind": "pieces", "pieces": p}, names),
            st.builds(
                lambda p, on: {"kind": "parity", "pieces": p, "on": on},
                names,
                st.sampled_from(["pieces", "ends", "both"]),
            ),
            st.builds(lambda o: {"kind": "cycle", "order": o}, points),
            st.builds(lambda o: {"kind": "colours", "points": o}, points),
            st.builds(lambda name: {"kind": "theorem", "name": name}, st.sampled_from(THEOREMS)),
        )
    )


def true_certificate(start: Configuration, goal: Configuration) -> tuple[bool, dict[str, Any]]:
    verdict = start.puzzle.solvable(start, goal)
    return verdict.solvable, json.loads(json.dumps(verdict.certificate))


@given(twins_with_pairs(most=1500), st.data())
@thorough(100)
def test_no_refusal_is_believed_where_there_is_a_way(case: Case, data: st.DataObject) -> None:
    made, start, _, reached = case
    goal = pick(data.draw, reached)
    first, last = made.configuration(start), made.configuration(goal)
    for _ in range(8):
        claimed = data.draw(refusals(made.puzzle.piece_count, made.puzzle.rule.turns))
        assert check(first, last, False, claimed) is False, claimed


@given(twins_with_pairs(most=1500), st.data())
@thorough(100)
def test_no_way_is_believed_where_there_is_none(case: Case, data: st.DataObject) -> None:
    """Ways to other goals, ways from other starts, changed, shortened, renamed: none leads there."""
    made, start, goal, reached = case
    everything = list(made.plain.all_configurations())
    outside = [c for c in everything if c not in reached]
    if goal in reached:
        if not outside:
            return
        goal = pick(data.draw, outside)
    first, last = made.configuration(start), made.configuration(goal)
    other = made.configuration(pick(data.draw, reached))
    _, way = true_certificate(first, other)
    assert check(first, last, True, way) is False
    _, back = true_certificate(made.configuration(pick(data.draw, made.plain.component(goal))), last)
    assert check(first, last, True, back) is False
    for _ in range(4):
        assert check(first, last, True, tampered(way, data.draw)) is False
        assert check(first, last, True, tampered(back, data.draw)) is False
    for name in THEOREMS:
        assert check(first, last, True, {"kind": "theorem", "name": name}) is False


@given(twins_with_pairs(most=1500), st.data())
@thorough(250)
def test_a_changed_certificate_proves_only_what_is_true(case: Case, data: st.DataObject) -> None:
    """Whatever is done to a true certificate: if a claim is accepted, it is true."""
    made, start, goal, reached = case
    truth, certificate = true_certificate(made.configuration(start), made.configuration(goal))
    assert truth == (goal in reached)
    assert check(made.configuration(start), made.configuration(goal), not truth, certificate) is False
    everything = list(made.plain.all_configurations())
    for _ in range(4):
        a, b = start, goal
        if data.draw(st.booleans()):
            a, b = pick(data.draw, everything), pick(data.draw, everything)
        claim = data.draw(st.booleans())
        changed = tampered(certificate, data.draw)
        if check(made.configuration(a), made.configuration(b), claim, changed):
            assert claim == (b in made.plain.component(a)), changed


@given(painted_twins(), st.data())
@thorough(80)
def test_coloured_certificates_prove_only_what_is_true(made: Twin, data: st.DataObject) -> None:
    everything = list(made.plain.all_configurations())
    if not everything:
        return
    component = painted_components(made)
    start, goal = pick(data.draw, everything), pick(data.draw, everything)
    first, last = made.configuration(start), made.configuration(goal)
    truth = component[made.painted(start)] == component[made.painted(goal)]
    _, certificate = true_certificate(first, last)
    assert check(first, last, not truth, certificate) is False
    for _ in range(6):
        claimed = data.draw(refusals(made.puzzle.piece_count, made.puzzle.rule.turns))
        assert not (truth and check(first, last, False, claimed)), claimed
        changed = tampered(certificate, data.draw)
        assert check(first, last, not truth, changed) is False, changed


def tampered(certificate: dict[str, Any], draw: Draw) -> dict[str, Any]:
    """The same with one thing changed."""
    out = deepcopy(certificate)
    lists = [key for key, value in out.items() if isinstance(value, list) and value]
    ways = ["kind", "drop key", "garbage"] + (["drop", "swap", "double", "piece", "digit"] if lists else [])
    match draw(st.sampled_from(ways)):
        case "kind":
            out["kind"] = draw(st.sampled_from([*YES, *NO, 7, None]))
        case "drop key":
            del out[draw(st.sampled_from(sorted(out)))]
        case "garbage":
            out[draw(st.sampled_from(sorted(out)))] = draw(wild_lists)
        case "drop":
            del out[key := draw(st.sampled_from(lists))][draw(st.integers(0, len(out[key]) - 1))]
        case "double":
            key = draw(st.sampled_from(lists))
            out[key].append(out[key][draw(st.integers(0, len(out[key]) - 1))])
        case "swap":
            key = draw(st.sampled_from(lists))
            i, j = (draw(st.integers(0, len(out[key]) - 1)) for _ in range(2))
            out[key][i], out[key][j] = out[key][j], out[key][i]
        case "piece":
            key = draw(st.sampled_from(lists))
            i = draw(st.integers(0, len(out[key]) - 1))
            if key == "moves":
                out[key][i] = f"{draw(st.integers(0, 9))}:{out[key][i].partition(':')[2]}"
            else:
                out[key][i] = draw(numbers)
        case "digit":
            key = draw(st.sampled_from(lists))
            text = json.dumps(out[key])
            places = [i for i, c in enumerate(text) if c.isdigit()]
            if places:
                i = draw(st.sampled_from(places))
                try:
                    out[key] = json.loads(text[:i] + str(draw(st.integers(0, 9))) + text[i + 1 :])
                except json.JSONDecodeError:  # a number that now begins with 0
                    out[key] = []
    return out


FIXED = [
    ("square R(2,2) : 1 2 3 .", "square R(2,2) : 1 2 . 3", True),
    ("square R(2,2) : 1 2 3 .", "square R(2,2) : 2 1 3 .", False),
    ("square R(2,2) : a a b .", "square R(2,2) : a b a .", True),
    ("hex T(3) : 1 2 3 4 . .", "hex T(3) : 1 3 2 4 . .", False),
    ("hex T(3) : 1 2 3 4 . .", "hex T(3) : 1 2 . 4 3 .", True),
    ("hex F(2) gourds : 0-1 2-5 3-4", "hex F(2) gourds : 1-0 2-5 3-4", True),
    ("graph 0-1 1-2 2-3 gourds 2 : 0-1", "graph 0-1 1-2 2-3 gourds 2 : 3-2", False),
]


@pytest.mark.parametrize(("start", "goal", "truth"), FIXED)
@given(data=st.data())
@settings(max_examples=30, deadline=None)
def test_garbage_proves_nothing_false(start: str, goal: str, truth: bool, data: st.DataObject) -> None:
    first, last = sl.position(start), sl.position(goal)
    assert bool(first.puzzle.solvable(first, last)) == truth
    made = data.draw(st.dictionaries(st.sampled_from(KEYS), garbage(), max_size=6))
    made["kind"] = data.draw(st.sampled_from(NO if truth else YES))
    assert check(first, last, not truth, made) is False


@pytest.mark.parametrize(
    "certificate",
    [
        *(None, [], "moves", 3),
        {},
        {"kind": None},
        {"kind": ["moves"]},
        *(
            {"on": "pieces", **form}
            for form in (
                {"kind": "parity", "pieces": [float("inf")]},
                {"kind": "pieces", "pieces": [float("inf")]},
                {"kind": "cycle", "order": [float("inf")]},
                {"kind": "colours", "points": [float("-inf")]},
            )
        ),
    ],
)
def test_a_certificate_of_the_wrong_form_proves_nothing(certificate: Any) -> None:
    first, last, _ = FIXED[0]
    for claim in (True, False):
        assert check(sl.position(first), sl.position(last), claim, certificate) is False


# Negative numbers count from the end in Python, and must not name a piece or place twice.


def test_a_place_named_from_the_end_proves_nothing() -> None:
    puzzle = sl.puzzle("graph 0-1 1-2 tiles 1", colours=["a", "b"])
    start, goal = puzzle.configuration("a b ."), puzzle.configuration("a . b")
    assert puzzle.solvable(start, goal)
    assert check(start, goal, False, {"kind": "colours", "points": [-1, 1]}) is False


@pytest.mark.parametrize("on", ["pieces", "ends"])
def test_a_piece_named_from_the_end_proves_nothing(on: str) -> None:
    locked = sl.position("hex P(2,5) : . 1 2 3 4 5 6 7 8 .")
    assert not list(locked.moves)
    assert check(locked, locked, False, {"kind": "parity", "on": on, "pieces": [0, 8]}) is False


# Programs of loops, for boards with many pieces


@pytest.fixture(scope="module")
def eight_by_eight() -> sl.Puzzle:
    return sl.puzzle("square R(8,8)")


def swapped(configuration: Configuration, a: int, b: int) -> Configuration:
    pieces = list(configuration.pieces)
    pieces[a], pieces[b] = pieces[b], pieces[a]
    return Configuration(configuration.puzzle, tuple(pieces))


def test_large_boards_are_proved_by_loops(eight_by_eight: sl.Puzzle) -> None:
    start = eight_by_eight.shuffle(seed=3)
    verdict = eight_by_eight.solvable(start)
    assert verdict.solvable
    assert verdict.certificate["kind"] == "loops"
    assert verdict.check()
    assert check(start, eight_by_eight.goal, True, json.loads(json.dumps(verdict.certificate)))
    odd = eight_by_eight.solvable(swapped(start, 0, 1))
    assert not odd.solvable
    assert odd.certificate["kind"] == "parity"
    assert odd.check()


def test_no_program_of_loops_is_believed_where_there_is_no_way(eight_by_eight: sl.Puzzle) -> None:
    start = eight_by_eight.shuffle(seed=4)
    goal = eight_by_eight.goal
    wrong = swapped(goal, 7, 30)
    true = json.loads(json.dumps(eight_by_eight.solvable(start, goal).certificate))
    assert check(start, goal, True, true)
    assert not check(start, wrong, True, true)
    named = deepcopy(true)
    named["goal"] = [list(cells) for cells in wrong.pieces]
    assert not check(start, wrong, True, named)

    changes = [{k: v for k, v in named.items() if k != key} for key in true]
    differences: tuple[dict[str, Any], ...] = (
        {"product": []},
        {"product": named["product"][:-1]},
        {"product": named["product"][::-1]},
        {"product": [[line, not inverted] for line, inverted in named["product"]]},
        {"giants": []},
        {"giants": [{**named["giants"][0], "points": named["giants"][0]["points"][1:]}]},
        {"giants": [{**named["giants"][0], "points": named["giants"][0]["points"] * 2}]},
        {"giants": [{**named["giants"][0], "points": list(range(-1, 62))}]},
        {"giants": named["giants"] * 2},
        {"loops": [[] for _ in named["loops"]]},
        {"loops": named["loops"][::-1]},
        {"way": []},
        {"way": [*named["way"], *named["way"]]},
        {"program": named["program"][:-1]},
    )
    changes.extend({**named, **change} for change in differences)
    for line in range(len(named["giants"])):
        for other in range(0, len(named["program"]), 7):
            giants = deepcopy(named["giants"])
            giants[line]["line"] = other
            changes.append({**named, "giants": giants})
    for changed in changes:
        assert check(start, wrong, True, changed) is False


@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_programs_of_loops_changed_at_random(data: st.DataObject) -> None:
    """Every corner of P(8,7) has a stuck tile: a program must not carry it away."""
    puzzle = sl.puzzle("hex P(8,7)")
    start = puzzle.goal
    goal = puzzle.shuffle(seed=9)
    truth = puzzle.solvable(start, goal)
    assert truth.certificate["kind"] == "loops"
    assert truth.check()
    wrong = swapped(
        goal, 0, data.draw(st.integers(1, puzzle.piece_count - 1))
    )  # tile 1 sits in a tight corner
    certificate = json.loads(json.dumps(truth.certificate))
    if data.draw(st.booleans()):
        certificate["goal"] = [list(cells) for cells in wrong.pieces]
    assert check(start, wrong, True, tampered(certificate, data.draw)) is False


@pytest.mark.parametrize(
    "text",
    [
        "hex F(2) hextiles 4",
        "hex T(3) hextiles 4",
        "hex F(2) gourds 1",
        "square R(3,3) tiles 1",
        "hex P(3,3) hextiles 2",
    ],
)
def test_programs_of_loops_on_small_boards(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same proofs where every truth can be looked up."""
    monkeypatch.setattr(proofs, "MAX_WORD_DEGREE", 0)
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=1)
    seen = set()
    for seed in range(2, 8):
        goal = puzzle.shuffle(seed=seed, start=start)
        verdict = puzzle.solvable(start, goal)
        assert verdict.solvable
        assert verdict.check()
        seen.add(verdict.certificate["kind"])
        other = swapped(goal, 0, 1)
        if not puzzle.solvable(start, other):
            forged = {**verdict.certificate, "goal": [list(cells) for cells in other.pieces]}
            assert check(start, other, True, forged) is False
    assert "loops" in seen


def test_few_pieces_prove_that_theta0_is_exceptional() -> None:
    """Only 120 of the 720 permutations of six tiles can be made; a few tiles prove it of the others."""
    puzzle = sl.puzzle("theta(1,2,2)")
    oracle = plain.Plain.on(plain.graph_board(7, puzzle.board.edges), "tiles", 1)
    reached = oracle.component((1, 2, 3, 4, 5, 6, 0))
    answers: Counter[bool] = Counter()
    watched = set()
    for order in islice(permutations(range(1, 7)), 0, None, 23):
        verdict = puzzle.solvable([*order, 0])
        assert verdict.solvable == ((*order, 0) in reached)
        assert verdict.check()
        answers[verdict.solvable] += 1
        if not verdict:
            assert verdict.certificate["kind"] == "pieces"
            watched.add(len(verdict.certificate["pieces"]))
            # With one tile fewer it is no proof: the others can get to their places.
            for piece in verdict.certificate["pieces"]:
                fewer = [k for k in verdict.certificate["pieces"] if k != piece]
                assert not check(verdict.start, verdict.goal, False, {"kind": "pieces", "pieces": fewer})
    assert answers[True] > 1
    assert min(watched) > 2  # the group takes any three tiles to any three places


@pytest.mark.parametrize("text", ["theta(1,2,2)", "cycle(8)", "square R(3,3)", "hex P(3,3)"])
def test_giants_that_are_none(text: str) -> None:
    """A program may not call a set of places a giant without a cycle of the right prime length on it."""
    puzzle = sl.puzzle(text)
    start = puzzle.goal
    graph = gain_graph(puzzle)
    family = graph.family(graph.place(start)[0])
    loops = [
        [move.text for move in family.moves(start, family.loop(g))] for g in range(len(family.generators))
    ]
    points = list(range(puzzle.piece_count))
    wrong = next(
        c for a, b in combinations(points, 2) if not puzzle.solvable(start, c := swapped(start, a, b))
    )
    program: list[list[Any]] = [["loop", g, 0] for g in range(len(loops))]
    program += [["power", g, e] for g in range(len(loops)) for e in (2, 3, 4)]
    program += [["product", a, b] for a in range(len(loops)) for b in range(len(loops))]
    sets = [points, points[1:], points[:-1], [*points, -1], [], [0, 1, 2], [0]]
    for line in range(len(program)):
        for inside in sets:
            forged = {
                "kind": "loops",
                "loops": loops,
                "program": program,
                "giants": [{"points": inside, "prime": 5, "line": line}],
                "product": [[line, False]],
                "way": [],
                "goal": [list(cells) for cells in wrong.pieces],
            }
            assert check(start, wrong, True, forged) is False
            assert check(start, wrong, True, {**forged, "product": []}) is False


TWO_RINGS = "graph 0-1 1-2 2-3 0-3 0-4 4-5 5-6 0-6 tiles 1"


@pytest.mark.parametrize(
    ("board", "start", "goal", "truth"),
    [
        ("square R(3,3)", "a b c d e f g h .", "b a c d e f g h .", False),
        ("square R(3,3)", "a b c d e f g h .", "b a d c e f g h .", True),
        ("square R(3,3)", "a b c d e f g g .", "b a c d e f g g .", True),
        (TWO_RINGS, ". a b c d e f", ". b c a d e f", True),
        (TWO_RINGS, ". a b c d e f", ". b a c d e f", False),
        (TWO_RINGS, ". a b c d e f", ". b a c e d f", False),
        (TWO_RINGS, ". a b c d e f", ". d b c a e f", False),
        (TWO_RINGS, ". a b b d e f", ". b a b d e f", True),
        (TWO_RINGS, ". a b b d e f", ". b a b d f e", False),
        (TWO_RINGS, ". a b c a b c", ". b a c a b c", False),
        (TWO_RINGS, ". a b c a b c", ". b c a a b c", True),
        (TWO_RINGS, ". a b c a b d", ". b a c a b d", False),
        (TWO_RINGS, ". a b c a b d", ". a b d a b c", False),
        ("hex P(3,3)", "a b c d e f g . .", "b a c d e f g . .", False),
        ("hex P(3,3)", "a a a a a a b . .", "b a a a a a a . .", False),
        ("theta(1,2,2)", "a b c d e f .", "b a c d e f .", False),
        ("cycle(5)", "a b c d .", "a c b d .", False),
        ("cycle(5)", "a a b b .", "a b a b .", False),
        ("cycle(5)", "a b a b .", "b a b a .", True),
    ],
)
def test_coloured_verdicts_are_proved(board: str, start: str, goal: str, truth: bool) -> None:
    first = sl.position(f"{board} : {start}")
    verdict = first.puzzle.solvable(first, goal)
    assert verdict.solvable == truth
    assert verdict.check()
    assert check(first, first.puzzle.configuration(goal), not truth, verdict.certificate) is False


@pytest.mark.parametrize("colours", ["a-a", "a-b"])
def test_a_gourd_with_equal_ends_has_no_head(colours: str) -> None:
    """Sharp turns never turn it round in place, but that can be seen only if its ends differ."""
    start = sl.position(f"hex T(2) gourds-sharp 1 : 0-1={colours}")
    goal = start.puzzle.configuration(f"0-2={colours}")
    verdict = start.puzzle.solvable(start, goal)
    assert verdict.solvable == (colours == "a-a")
    assert verdict.check()
    assert check(start, goal, False, {"kind": "pieces", "pieces": [1]}) == (colours == "a-b")


def test_coloured_loops(eight_by_eight: sl.Puzzle) -> None:
    colours = ["a"] * 20 + ["b"] * 20 + ["c"] * 23
    puzzle = sl.puzzle("square R(8,8)", colours=colours)
    start = puzzle.shuffle(seed=5)
    verdict = puzzle.solvable(start)
    assert verdict.solvable
    assert verdict.check()


# Theorems


@pytest.mark.parametrize(
    "text", ["square R(3,2) tiles 1", "theta(0,1,2) tiles 1", "square R(2,3) tiles 3", "king R(2,3) tiles 1"]
)
def test_theorems_say_what_is_true(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.goal
    answers = set()
    for seed in range(12):
        goal = puzzle.shuffle(seed)
        for other in (goal, swapped(goal, 0, 1)):
            said = deciding_theorem(start, other)
            assert said is not None
            name, answer = said
            assert answer == bool(puzzle.solvable(start, other))
            assert check(start, other, answer, {"kind": "theorem", "name": name})
            assert not check(start, other, not answer, {"kind": "theorem", "name": name})
            answers.add(answer)
    assert answers == ({True, False} if text == "square R(3,2) tiles 1" else {True})


def test_theorems_are_silent_where_they_do_not_apply() -> None:
    for text in ("theta(1,2,2)", "cycle(5)", "graph 0-1 1-2 2-0 2-3", "hex P(3,3)", "square R(3,1) gourds"):
        puzzle = sl.puzzle(text)
        assert deciding_theorem(puzzle.goal, puzzle.goal) is None, text
    coloured = sl.position("square R(2,2) : a a b .")
    assert deciding_theorem(coloured, coloured) is None


def test_boards_too_big_to_build_are_decided_by_theorem() -> None:
    puzzle = sl.puzzle("square R(60,60) tiles 2")
    start = puzzle.shuffle(seed=1)
    verdict = puzzle.solvable(start)
    assert verdict.solvable
    assert verdict.certificate["kind"] == "theorem"
    assert verdict.check()


def test_different_puzzles_prove_nothing() -> None:
    a, b = sl.position("square R(2,2) : 1 2 3 ."), sl.position("king R(2,2) : 1 2 3 .")
    assert not check(a, b, True, {"kind": "moves", "moves": []})
    assert not check(a, b, False, {"kind": "shapes"})


def test_a_piece_watched_twice_proves_nothing() -> None:
    """Both copies can't move with one move: the search over them would call the reachable unreachable."""
    puzzle = sl.puzzle("path(4)", holes=2)
    start, goal = puzzle.configuration(". . 1 2"), puzzle.configuration(". 1 . 2")
    assert puzzle.solvable(start, goal)
    for pieces in ([1, 1], [1, 2, 1], [2, 2]):
        assert check(start, goal, False, {"kind": "pieces", "pieces": pieces}) is False


def test_a_reason_needs_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `solve` asks first is what the verdict says, without the cost of proving it."""

    def fail(*_: object) -> None:
        raise AssertionError("a certificate was made")

    for text in (
        "square R(3,3)",
        "hex P(3,4)",
        "hex F(2) gourds",
        "theta(1,2,2)",
        "square R(2,3) : a a b b c .",
    ):
        puzzle = sl.puzzle(text)
        for seed in range(10):
            start, goal = puzzle.shuffle(seed=seed), puzzle.goal
            swapped = sl.Configuration(puzzle, (start.pieces[1], start.pieces[0], *start.pieces[2:]))
            verdict = puzzle.solvable(swapped)
            assert reason_unsolvable(swapped, goal) == (None if verdict else verdict.reason)
            with monkeypatch.context() as patched:
                patched.setattr(verdicts, "proof", fail)
                assert reason_unsolvable(start, goal) is None
