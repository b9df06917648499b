"""Everything a user holds is exported, has a one-line repr, pickles, copies, compares and hashes."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from functools import cache
from typing import assert_type

import pytest

import slidelab as sl
from slidelab.solve.solver import Stopped

IDENTITY = {"Solid"}
"""Classes of which two objects are never equal: meshes are compared by nobody."""


@cache
def samples() -> dict[str, object]:
    puzzle = sl.puzzle("square R(3,2)")
    start = puzzle.shuffle(seed=1)
    solution = puzzle.solve(start)
    gourd = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]])
    values = [
        *(puzzle.board, puzzle, start, start.moves, start.shape, solution, solution.moves, solution.moves[0]),
        *(sl.Passage(0, 2, "two moves"), sl.read_document("square R(2,2) : 1 2 . 3"), sl.Budget.of()),
        *(puzzle.analyze(), puzzle.solvable(start), puzzle.group(), sl.gain_graph(puzzle), puzzle.arrays()),
        *(puzzle.distances(), puzzle.gods_number(), sl.distance_table(puzzle.goal)),
        *(gourd.place(["blue", "red", "red"]), start.draw(), puzzle.solid()),
        *sl.RULES.values(),
        next(puzzle.rule.steps(puzzle.board, (0,))),
    ]
    return {type(value).__name__: value for value in values}


CLASSES = sorted(
    name
    for name in sl.__all__
    if inspect.isclass(value := getattr(sl, name))
    and not issubclass(value, Exception)
    and not inspect.isabstract(value)
)


@pytest.mark.parametrize("name", CLASSES)
def test_exported_classes(name: str) -> None:
    value = samples()[name]
    assert len(repr(value).splitlines()) == 1
    assert len(repr(value)) < 300
    for other in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert type(other) is type(value)
        assert repr(other) == repr(value)
        if name not in IDENTITY:
            assert other == value
            assert hash(other) == hash(value)
            assert len({other, value}) == 1
    assert value != 3


def test_results_are_exported() -> None:
    held = {name for name, value in samples().items() if type(value).__module__.startswith("slidelab")}
    rules = {type(rule).__name__ for rule in sl.RULES.values()}
    assert held - rules <= set(sl.__all__)


def test_all_names_load() -> None:
    assert sorted(sl.__all__) == dir(sl)
    for name in sl.__all__:
        assert getattr(sl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Pzzle'"):
        _ = sl.Pzzle  # type: ignore[attr-defined]


def test_types_of_the_front_door() -> None:
    """Type checkers see types, not Any."""
    puzzle = assert_type(sl.puzzle("square R(2,2)"), sl.Puzzle)
    start = assert_type(puzzle.configuration("3 1 . 2"), sl.Configuration)
    solution = assert_type(puzzle.solve(start), sl.Solution)
    assert_type(solution.moves[0], sl.Move)
    assert_type(puzzle.solvable(start), sl.Verdict)
    assert_type(puzzle.gods_number(), sl.GodsNumber)
    assert_type(start.draw(), sl.Picture)
    assert_type(sl.read_document("square R(2,2)").start, sl.Configuration | None)


def all_exceptions() -> list[type[BaseException]]:
    """Every exception that a module of the package defines."""
    for module in pkgutil.walk_packages(sl.__path__, "slidelab."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    found: list[type[BaseException]] = []
    todo: list[type[BaseException]] = [Exception, KeyboardInterrupt]
    while todo:
        for kind in todo.pop().__subclasses__():
            todo.append(kind)
            if kind.__module__.startswith("slidelab") and kind not in found:
                found.append(kind)
    return found


def make(kind: type[BaseException]) -> BaseException:
    if kind.__name__ == "TooManyStates":
        with pytest.raises(kind) as caught:
            sl.puzzle("square R(4,4)").gods_number(memory="1M")
        return caught.value
    arguments = {
        "GaveUp": ("the puzzle", 7),
        "Stopped": (samples()["Solution"], 7),
        "Interrupted": (samples()["Solution"],),
    }
    return kind(*arguments.get(kind.__name__, ("a message",)))


@pytest.mark.parametrize("kind", all_exceptions(), ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_exceptions_pickle(kind: type[BaseException]) -> None:
    error = make(kind)
    for other in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(other) is kind
        assert str(other) == str(error)
        for name, value in vars(error).items():
            assert name.startswith("_") or getattr(other, name) == value


def test_what_exceptions_carry() -> None:
    gave_up = pickle.loads(pickle.dumps(sl.GaveUp("the puzzle", 1234)))
    assert gave_up.lower_bound == 1234
    assert str(gave_up).endswith("it needs at least 1,234 moves")
    stopped = pickle.loads(pickle.dumps(Stopped(None, 3)))
    assert (stopped.best, stopped.lower_bound) == (None, 3)
