"""One fuzz target per format: reading gives an object whose text reads back to it, or a one-line message.

Half of the inputs are random tokens, half are valid examples with a few places changed. The environment
variable SLIDELAB_FUZZ multiplies the number of inputs.
"""

import json
import os
import time
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import slidelab as sl
from slidelab.errors import PuzzleError
from slidelab.puzzles import Configuration, Move, Puzzle, read_document, read_move

T = TypeVar("T")

MAX_SECONDS = 20
"""Time from which on reading counts as hanging; a board of 100,000 cells takes some seconds."""
fuzz = settings(
    max_examples=300 * int(os.environ.get("SLIDELAB_FUZZ", "1")),
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

POSITIONS = [
    "hex P(3,4) hextiles 2 : 1 2 3 4 5 6 7 8 9 10 . .",
    "square R(2,2) : 1 2 / . 3",
    "square R(2,2) tiles 1 : a b . b",
    "square R(3,3) 2 : 7 6 5 4 0 . 3 2 1",
    "king R(2,2) tiles 1 : red red blue .",
    "theta(1,2,2) tiles 1 : 1 2 3 4 5 6 .",
    "cycle(4) : 1 2 3 .",
    "graph 0-1 1-2 2-0 3 tiles 2 : x . y .",
    "hex 0,0 1,0 -1,1 0,1 gourds 2 : 1-3",
    "hex T(3) gourds 2 : 4-5 0-1",
    "hex F(2) gourds 1 : 0-1=red-blue 3-2=blue-blue 5-6=1-red",
    "hex F(2) gourds-sharp 1 : 0-1 3-2 6-5",
    "square R(3,2) trimers 3 : 0-1-2",
    "square R(4,2) trimers 2 : 0-1-2=b-a 6-5-4=b",
    "hex F(2) trimers-straight 4 : 2-3-4",
    "square R(3,2) trimers-bent 3 : 3-0-1=a",
    "hex T(3) trimers-triangle 3 : 0-1-2=a-c-b",
    "graph 0-1 1-2 tiles 1 : ü é .",
]
KNOWN = [sl.position(text) for text in POSITIONS]
KINDS = [c.puzzle.uncoloured.text for c in KNOWN]
PUZZLES = [c.puzzle.text for c in KNOWN]
PUZZLES += ["graph 0 1 2 gourds 1 : =a-b", "hex\n # #\n# # #", "##\n#.", "path(3)", "complete(4) 2"]
PIECES = [text.partition(":")[2].strip() for text in POSITIONS]
MOVES = [move.text for c in KNOWN for move in c.moves] + ["3:2>5", "1:4-5>5-6", " 10:0>11\n"]

# fmt: off
TOKENS = [
    "hex", "square", "king", "graph", "theta", "cycle", "path", "complete", "P(", "P(3,4)", "T(2)",
    "F(2)", "Ptr(3,3)", "star", "R(", "R(2,2)", "theta(1,2,2)", "cycle(3)", "path(2)", "(", ")", ",",
    "-", "0", "1", "2", "3", "4", "00", "01", "-1", "9", "10", "37", "999999999",
    "9999999999", "0,0", "1,0", "0,1",
    "0-1", "1-2", "2-3", "3-3", "4-5=a", "=a-b", "=", "tiles", "hextiles", "gourds", "gourds-sharp",
    "trimers", "trimers-bent", "trimers-triangle", ":", ">", "/", ".", "#", "o", "a", "b", "red", "a-b",
    "a=b", "0-1=a", "0-1=a-b", "1:0>1", "2:1-2>2-3", "٣", "²", "½", "é", "é", "_", "{", "}", "[", "]",
    "\"", "\\", "null",
    "true", "board", "puzzle", "kind", "tiles", "start", "goal", "$", ";", "*", "%",
    " ", "  ", "\n", "\t", "\0", "\ud800", "\u2028", "\x1c", "\U000e0001", "", "9" * 5000, "x" * 5000,
]
KEYS = [
    "board", "puzzle", "kind", "cells", "edges", "vertices", "positions", "rule", "holes",
    "colours", "tiles", "gourds", "trimers", "start", "goal", "moves", "piece", "from", "to",
]
# fmt: on

tokens = st.sampled_from(TOKENS)
random_texts = st.one_of(
    st.lists(tokens, max_size=14).map(" ".join),
    st.lists(tokens, max_size=8).map("".join),
    st.text(alphabet="0123456789.-:>=/,()# \nab\0٣", max_size=30),
    st.text(max_size=30),
)


@st.composite
def mutated(draw: st.DrawFn, examples: list[str]) -> str:
    """A valid text with up to four cuts, insertions, exchanges or repetitions."""
    text = draw(st.sampled_from(examples))
    for _ in range(draw(st.integers(0, 4))):
        first = draw(st.integers(0, len(text)))
        last = draw(st.integers(first, min(len(text), first + 6)))
        match draw(st.integers(0, 4)):
            case 0:
                text = text[:first] + text[last:]
            case 1:
                text = text[:first] + draw(tokens) + text[last:]
            case 2:
                text = text[:first] + draw(st.characters()) + text[last:]
            case 3:
                text = text[:last] + text[first:]
            case _:
                words = text.split(" ")
                a, b = draw(st.integers(0, len(words) - 1)), draw(st.integers(0, len(words) - 1))
                words[a], words[b] = words[b], draw(st.one_of(st.just(words[a]), tokens))
                text = " ".join(words)
    return text


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.sampled_from([10**9, 10**18, 10**30, 10**4000, -(10**4000)]),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(POSITIONS + KINDS + PIECES + [*MOVES, *TOKENS, "hex", "graph"]),
)
keys = st.one_of(st.sampled_from(KEYS), st.sampled_from(KEYS), tokens)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=5), st.dictionaries(keys, inner, max_size=4)),
    max_leaves=12,
)


def changed(draw: st.DrawFn, value: Any) -> Any:
    """Return the value with one change at a random place in it."""
    deeper = draw(st.integers(0, 4)) > 0
    if isinstance(value, dict) and value and deeper:
        key = draw(st.sampled_from(sorted(value, key=repr)))
        rest = {k: v for k, v in value.items() if k != key}
        return draw(st.sampled_from([rest | {key: changed(draw, value[key])}] * 4 + [rest])) | (
            draw(st.dictionaries(keys, values, max_size=1)) if draw(st.integers(0, 9)) == 0 else {}
        )
    if isinstance(value, list) and value and deeper:
        k = draw(st.integers(0, len(value) - 1))
        new = draw(st.sampled_from([[changed(draw, value[k])]] * 4 + [[], [value[k], value[k]]]))
        return value[:k] + new + value[k + 1 :]
    return draw(st.one_of(scalars, scalars, values))


@st.composite
def mutated_json(draw: st.DrawFn, examples: list[Any]) -> Any:
    value = draw(st.sampled_from(examples))
    for _ in range(draw(st.integers(0, 3))):
        value = changed(draw, value)
    return value


def result(read: Callable[[], T]) -> T | None:
    """Return what `read` returns, or None if it raises `PuzzleError` with a proper message."""
    began = time.monotonic()
    try:
        return read()
    except PuzzleError as error:
        message = str(error)
        assert message
        assert len(message.splitlines()) == 1
        assert len(message) <= 300, message
        return None
    finally:
        assert time.monotonic() - began < MAX_SECONDS


def check_puzzle(p: Puzzle | None) -> None:
    if p is None:
        return
    assert sl.puzzle(p.text) == p
    assert sl.puzzle(p.text).text == p.text
    assert sl.puzzle(p.text, files=False) == p
    assert sl.puzzle(p.to_json()) == p
    assert sl.puzzle(json.dumps(p.to_json()).encode()) == p
    assert repr(p) == f"puzzle({p.text!r})"


def check_configuration(c: Configuration | None) -> None:
    if c is None:
        return
    p = c.puzzle
    pieces = c.text.partition(" : ")[2]
    assert sl.position(c.text) == c
    assert sl.position(c.text).text == c.text
    assert p.configuration(c.text) == p.configuration(pieces) == c
    assert p.configuration(c.to_json()) == p.configuration(json.dumps(c.to_json())) == c
    assert sl.position({"puzzle": p.text, "start": pieces}) == c
    assert sl.position(json.dumps({"puzzle": p.to_json(), "start": c.to_json(), "moves": []})) == c
    assert len(str(c)) < 3_000_000
    check_puzzle(p)


def check_move(m: Move | None) -> None:
    if m is None:
        return
    assert read_move(m.text) == read_move(m) == m
    assert read_move(m.to_json()) == read_move(json.dumps(m.to_json())) == m
    assert read_move(m.to_json()).to_json() == m.to_json()
    assert m.reversed.reversed == m
    for c in KNOWN:
        after = result(lambda c=c: c.play(m))  # type: ignore[misc]
        # Among pieces of one colour a move may change the numbers, so there is no going back by them.
        assert after is None or c.puzzle.colours is not None or after.play(m.reversed) == c


@fuzz
@given(st.one_of(random_texts, mutated(PUZZLES + POSITIONS)))
@example("hex " + "9" * 5000)
@example("square R(2,2) : 1 1 a .")
@example("hex 0,0 999999999,0 tiles 1")
def test_puzzle_text(text: str) -> None:
    check_puzzle(result(lambda: sl.puzzle(text)))
    check_puzzle(result(lambda: sl.puzzle(text, files=False)))
    check_puzzle(result(lambda: sl.puzzle("hex F(2)", text)))
    check_puzzle(result(lambda: sl.puzzle("hex F(2)", "gourds", colours=text.split(" "))))


@fuzz
@given(st.one_of(random_texts.map("square R(2,2) :".__add__), mutated(POSITIONS), mutated(POSITIONS)))
@example("hex 0,0 999999999,999999999 tiles 1 : 1 .")
@example("square R(2,2) : 01 a a .")
@example("square R(2,2) : 1 1 2 .")
def test_position_text(text: str) -> None:
    check_configuration(result(lambda: sl.position(text)))
    if result(lambda: sl.puzzle(text)) is not None:
        result(lambda: read_document(text))


@fuzz
@given(st.sampled_from(KNOWN), st.data())
def test_configuration_text(c: Configuration, data: st.DataObject) -> None:
    own = c.text.partition(" : ")[2]
    text = data.draw(st.one_of(random_texts, mutated([own, own, c.text]), mutated(PIECES)))
    found = result(lambda: c.puzzle.configuration(text))
    assert found is None or found.puzzle == c.puzzle
    check_configuration(found)


@fuzz
@given(st.one_of(random_texts, mutated(MOVES)))
@example("1:" + "1-" * 50_000 + "x")
@example("1:" + "1-" * 5_000 + "1>2")
def test_move_text(text: str) -> None:
    check_move(result(lambda: read_move(text)))


PUZZLE_VALUES: list[Any] = [
    *(sl.puzzle(text).to_json() for text in PUZZLES),
    *({"board": c.puzzle.board.name, "rule": c.puzzle.rule.name} for c in KNOWN),
    {"board": "square R(2,2)", "colours": ["a", "a", "b"]},
    {"board": "hex F(2)", "rule": "gourds", "holes": 1, "colours": [["a", "b"], "b", [1, 2]]},
    {"puzzle": "hex F(2) gourds 1"},
]


@fuzz
@given(st.one_of(values, mutated_json(PUZZLE_VALUES), mutated_json(PUZZLE_VALUES)))
@example({"board": "hex F(2)", "rule": "x" * 5000})
@example({"board": "hex F(2)", "one\ntwo": 1})
@example({"board": "hex F(2)", "holes": 10**4000})
def test_puzzle_json(value: Any) -> None:
    if isinstance(value, dict):
        check_puzzle(result(lambda: sl.puzzle(value)))
    check_puzzle(result(lambda: sl.puzzle(json.dumps(value))))


@fuzz
@given(st.sampled_from(KNOWN), st.data())
def test_configuration_json(c: Configuration, data: st.DataObject) -> None:
    forms = [c.to_json(), *c.to_json().values()]
    value = data.draw(st.one_of(values, mutated_json(forms), mutated_json(forms)))
    for source in (value, json.dumps(value)):
        found = result(lambda source=source: c.puzzle.configuration(source))  # type: ignore[misc]
        assert found is None or found.puzzle == c.puzzle
        check_configuration(found)


def solution(c: Configuration, in_text: bool) -> dict[str, Any]:
    moves = list(c.moves)[:1]
    goal = c.play(*moves)
    return {
        "puzzle": c.puzzle.text if in_text else c.puzzle.to_json(),
        "start": c.text if in_text else c.to_json(),
        "goal": goal.text.partition(" : ")[2] if in_text else goal.to_json(),
        "moves": [move.text if in_text else move.to_json() for move in moves],
        "length": len(moves),
        "optimal": True,
        "method": "A*",
    }


SOLUTIONS = [solution(c, in_text) for c in KNOWN for in_text in (False, True)]


def replayed(source: Any) -> Configuration:
    start = sl.position(source)
    assert read_document(source).start == start
    value = json.loads(source) if isinstance(source, str) else source
    moves = value.get("moves") if isinstance(value, dict) else None
    return start.play(*moves) if isinstance(moves, list) else start


@fuzz
@given(st.one_of(values, mutated_json(SOLUTIONS), mutated_json(SOLUTIONS)))
def test_solution_json(value: Any) -> None:
    if isinstance(value, dict):
        check_configuration(result(lambda: replayed(value)))
    check_configuration(result(lambda: replayed(json.dumps(value))))


MOVE_VALUES = [read_move(text).to_json() for text in MOVES]


@fuzz
@given(st.one_of(values, mutated_json(MOVE_VALUES), mutated_json(MOVE_VALUES)))
@example({"piece": 10**12, "from": [1], "to": [2]})
@example({"piece": 1, "from": [], "to": []})
@example({"piece": 1, "from": [0] * 5000, "to": [1]})
def test_move_json(value: Any) -> None:
    check_move(result(lambda: read_move(value)))
    check_move(result(lambda: read_move(json.dumps(value))))


@fuzz
@given(
    st.one_of(
        mutated([json.dumps(value) for value in PUZZLE_VALUES]),
        mutated([json.dumps(value) for value in SOLUTIONS + MOVE_VALUES]),
    )
)
def test_damaged_json_text(text: str) -> None:
    check_puzzle(result(lambda: sl.puzzle(text)))
    check_configuration(result(lambda: sl.position(text)))
    check_configuration(result(lambda: KNOWN[0].puzzle.configuration(text)))
    check_move(result(lambda: read_move(text)))
