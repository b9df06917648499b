"""Everything a user holds is exported, has a one-line repr, pickles, copies, compares and hashes."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Hashable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.machinery import PathFinder
from multiprocessing import get_context
from typing import assert_type

import pytest

import slidelab as sl
from atlas.tables import table
from slidelab.atlas import entries, read_atlas, summarize
from slidelab.boards import find_cycle, graph_automorphisms, symmetries
from slidelab.boards.matching import covering_deficit
from slidelab.place.coloured_puzzle import nine_gourds
from slidelab.place.hard_instances import one_in_three
from slidelab.reach.decision import decide
from slidelab.reach.regions import regions
from slidelab.reach.route import find_route
from slidelab.reach.theorems import predictions

IDENTITY = {"Solid"}
"""Classes of which no two objects are equal: nobody compares meshes."""


@cache
def exported() -> dict[str, Hashable]:
    """An object of every class that the package exports, by the name of the class."""
    puzzle = sl.puzzle("square R(3,2)")
    start = puzzle.shuffle(seed=1)
    solution = puzzle.solve(start)
    analysis, graph = puzzle.analyze(), sl.gain_graph(puzzle)
    required = puzzle.permutation(start)
    assert required is not None
    factors = required.factor()
    assert factors is not None
    placement = sl.puzzle("hex T(2)", "gourds", colours=[["red", "blue"]]).place(["blue", "red", "red"])
    values: list[Hashable] = [
        *(puzzle.board, puzzle, start, start.moves, solution, solution.moves, solution.moves[0]),
        *(sl.Passage(0, 2, "two moves"), sl.read_document("square R(2,2) : 1 2 . 3"), sl.Budget.of()),
        *(analysis, analysis.families[0], analysis.theorems[0], puzzle.solvable(start), puzzle.group()),
        *(graph, graph.family(0), next(iter(graph))[2], puzzle.arrays()),
        *(puzzle.distances(), puzzle.gods_number(), sl.distance_table(puzzle.goal)),
        *(puzzle.topology(), puzzle.topology().parts[0]),
        *(puzzle.component(start), required, factors, factors.generators[0]),
        sl.known_results("15-puzzle")[0],
        sl.heuristic_for(puzzle.goal),
        *(sl.pddl(start), sl.sas_plus(start)),
        *(sl.instances("korf24"), sl.instances("korf24")[0]),
        *(sl.check(puzzle, start, solution), next(sl.solve_many([start]))),
        *(placement, placement.problem, start.draw(), puzzle.solid()),
        *(find_cycle(puzzle.board), symmetries(puzzle.board)),
        *(next(puzzle.rule.steps(puzzle.board, (0,))), sl.METHODS["wilson"]),
        *(sl.prove("hex P(3,3)", holes=3), sl.prove("hex P(2,m) 2 for m >= 2: (2m-2)! components")),
    ]
    return {type(value).__name__: value for value in values}


@cache
def others() -> dict[str, Hashable]:
    """Objects of other kinds, and of classes that the package does not export by name."""
    entry = next(entries(7))
    return {
        **{rule.name: rule for rule in sl.RULES.values()},
        "large board": sl.board("hex P(300,300)"),
        "graph": sl.board("graph 0-1 1-2 3"),
        "coloured puzzle": sl.puzzle("square R(2,2) : a a b ."),
        "gourds": sl.puzzle("hex F(2) gourds").goal,
        "coloured analysis": sl.puzzle("square R(2,2) : a a b .").analyze(),
        "route": find_route(sl.puzzle("square R(9,9)")),
        "decision": decide(sl.puzzle("cycle(5)").goal, sl.puzzle("cycle(5)").shuffle(seed=1)),
        "prediction": next(predictions(sl.puzzle("cycle(5)"))),
        "region": regions(sl.board("square R(3,3)"), 1)[0],
        "automorphisms": graph_automorphisms(sl.board("complete(6)")),
        "deficit": covering_deficit([(1,), (0, 2), (1,)], [0, 2]),
        "nine gourds": nine_gourds(),
        "hard instance": one_in_three([(1, 2, 3)] * 3),
        "entry": entry,
        "features": entry.features,
        "family": entry.families[0],
        "atlas": read_atlas(table(9)),
        "summary": summarize([entry]),
    }


CLASSES = sorted(
    name
    for name in sl.__all__
    if inspect.isclass(value := getattr(sl, name))
    and not issubclass(value, BaseException)
    and not inspect.isabstract(value)
)


@pytest.mark.parametrize("name", [*CLASSES, *others()])
def test_objects(name: str) -> None:
    value = exported()[name] if name in CLASSES else others()[name]
    assert len(repr(value).splitlines()) == 1
    assert value != object()
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert type(twin) is type(value)
        assert repr(twin) == repr(value)
        if name not in IDENTITY:
            assert twin == value
            assert hash(twin) == hash(value)
            assert len({twin, value}) == 1
    every = [*exported().values(), *others().values()]
    assert sum(value == other for other in every) == 1


def test_all_names_load() -> None:
    assert sorted(sl.__all__) == dir(sl)
    for name in sl.__all__:
        assert getattr(sl, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Pzzle'"):
        _ = sl.Pzzle  # type: ignore[attr-defined]


def test_editors_find_the_package() -> None:
    """Also in an editable installation, whose import hook only Python itself asks."""
    spec = PathFinder.find_spec("slidelab")
    assert spec is not None
    assert spec.origin == sl.__file__


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
        "NotReached": (40, exported()["Solution"], 7),
        "Stopped": (exported()["Solution"], 7),
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
    not_reached = pickle.loads(pickle.dumps(sl.NotReached(40, None, 7)))
    assert (not_reached.distance, not_reached.farthest, not_reached.lower_bound) == (40, None, 7)
    assert str(not_reached).endswith("there are some at every distance up to 7")
    stopped = pickle.loads(pickle.dumps(sl.Stopped(None, 3)))
    assert (stopped.best, stopped.lower_bound) == (None, 3)


def test_everything_goes_through_a_pool() -> None:
    """Objects travel to another process and back, and exceptions raised there arrive here."""
    values = [*exported().values(), *others().values()]
    errors = [make(kind) for kind in all_exceptions()]
    puzzle = sl.puzzle("square R(5,5)")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        for value, twin in zip(values, pool.map(copy.copy, values), strict=True):
            assert type(twin) is type(value)
            assert repr(twin) == repr(value)
        for error, other in zip(errors, pool.map(copy.copy, errors), strict=True):
            assert (type(other), str(other)) == (type(error), str(error))
        late = pool.submit(puzzle.solve, puzzle.shuffle(1), method="ida", time=0)
        with pytest.raises(sl.GaveUp, match="it needs at least"):
            late.result()
        with pytest.raises(sl.TooLarge, match="and the limit is 1 MB"):
            pool.submit(puzzle.gods_number, memory="1M").result()
        assert pool.submit(len, "it still works").result() == 14
