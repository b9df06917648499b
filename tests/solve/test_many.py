"""Many positions: the same solutions as one by one, whatever fails, and wherever they are solved."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import count, islice
from multiprocessing import get_context

import pytest

import slidelab as sl
from slidelab.solve import solver
from slidelab.solve.patterns import heuristic, store

PUZZLES = ("square R(3,3)", "hex P(3,3) hextiles 3", "hex F(2) gourds", "square R(3,2) tiles 2")


def starts(number: int) -> list[sl.Configuration]:
    """Positions of several puzzles in turn."""
    return [sl.puzzle(PUZZLES[k % len(PUZZLES)]).shuffle(seed=k) for k in range(number)]


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("ordered", [True, False])
def test_several_puzzles(threads: int, ordered: bool) -> None:
    given = starts(40)
    reports: list[tuple[int, int]] = []
    found = list(
        sl.solve_many(
            given, threads=threads, ordered=ordered, progress=lambda _, n, m: reports.append((n, m))
        )
    )
    assert reports == [(k, 40) for k in range(1, 41)]
    if ordered:
        assert [each.index for each in found] == list(range(40))
    assert {each.index for each in found} == set(range(40))
    for each in found:
        assert each.start == given[each.index]
        assert each.result().optimal
        assert each.result().length == given[each.index].puzzle.solve(given[each.index]).length


def test_one_failure_loses_nothing() -> None:
    p = sl.puzzle("square R(3,3)")
    good = [p.shuffle(seed=k).pieces_text for k in range(8)]
    mixed = [*good[:3], "2 1 3 4 5 6 7 8 .", "nonsense", *good[3:], "1 2 3"]
    for ordered in (True, False):
        found = sorted(
            sl.solve_many(mixed, puzzle=p, ordered=ordered, threads=2), key=lambda each: each.index
        )
        assert [bool(each) for each in found] == [True] * 3 + [False] * 2 + [True] * 5 + [False]
        assert isinstance(found[3].error, sl.Unsolvable)
        assert found[3].start is not None
        assert isinstance(found[4].error, sl.NotationError)
        assert found[4].start is None
        with pytest.raises(sl.Unsolvable):
            found[3].result()
        assert "Unsolvable: the tiles" in repr(found[3])


def test_a_defect_of_one_is_its_result(monkeypatch: pytest.MonkeyPatch) -> None:
    given = starts(6)
    original = solver.solve

    def broken(puzzle: sl.Puzzle, start: sl.Configuration, *rest: object, **options: object) -> sl.Solution:
        if start == given[2]:
            raise RuntimeError("broken")
        return original(puzzle, start, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("slidelab.solve.many.solve", broken)
    found = list(sl.solve_many(given))
    assert [type(each.error) for each in found] == [type(None), type(None), RuntimeError, *[type(None)] * 3]


def test_goals_and_instances() -> None:
    easy = [i for i in sl.instances("korf100") if i.length < 45]
    assert [each.result().length for each in sl.solve_many(easy, tables="1M", threads=2)] == [
        i.length for i in easy
    ]
    p = sl.puzzle("square R(2,2)")
    goal = p.configuration("3 1 . 2")
    (one,) = sl.solve_many([[1, 2, 3, 0]], goal, puzzle=p)
    assert one.result().goal == goal
    (wrong,) = sl.solve_many(["2x2 : 1 2 3 ."], "1 2 3 4")
    assert isinstance(wrong.error, sl.NotationError)


def test_a_heuristic_is_made_once() -> None:
    """Eight positions of one goal on eight threads: one of them prepares the databases."""
    heuristic._heuristic.cache_clear()
    store._databases.cache_clear()
    p = sl.puzzle("square R(4,3)")
    given = [p.shuffle(seed=k) for k in range(8)]
    assert all(sl.solve_many(given, threads=8, method="ida", tables="100K"))
    assert heuristic._heuristic.cache_info().misses == 1
    assert store._databases.cache_info().misses == 1


def test_streams() -> None:
    """Positions are read as they are needed, and what is no longer wanted is not solved."""
    p = sl.puzzle("square R(3,3)")
    read = []

    def endless() -> Iterator[sl.Configuration]:
        for k in count():
            read.append(k)
            yield p.shuffle(seed=k)

    results = sl.solve_many(endless(), threads=2)
    assert [each.index for each in islice(results, 5)] == [0, 1, 2, 3, 4]
    assert len(read) < 30
    results.close()  # type: ignore[attr-defined]
    assert not [t for t in threading.enumerate() if t.name.startswith("solve_many") and t.is_alive()]


def test_limits() -> None:
    hard = sl.puzzle("square R(5,5)").shuffle(seed=1)
    found = list(sl.solve_many([hard, hard], method="ida", tables=0, time=0.05, threads=2))
    assert [type(each.error) for each in found] == [sl.GaveUp] * 2
    with pytest.raises(sl.NotationError, match="at threads"):
        sl.solve_many([], threads=0)
    assert list(sl.solve_many([])) == []


def test_stopping_ends_what_runs() -> None:
    """An endless search does not keep the generator from being closed."""
    easy, hard = (
        sl.position("square R(5,5) : " + " ".join(map(str, range(1, 25))) + " ."),
        sl.puzzle("square R(5,5)").shuffle(seed=2),
    )
    results = sl.solve_many([easy, hard], threads=2, method="ida", tables=0)
    assert next(results).result().length == 0
    results.close()  # type: ignore[attr-defined]


def test_executors() -> None:
    given = starts(8)
    lengths = [each.puzzle.solve(each).length for each in given]
    with ThreadPoolExecutor(2) as pool:
        assert [each.result().length for each in sl.solve_many(given, executor=pool)] == lengths
        assert isinstance(pool.submit(int), Future)  # it is not shut down
    wrong = sl.position("3x3 : 2 1 3 4 5 6 7 8 .")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = list(sl.solve_many([*given, wrong], executor=pool))
        assert [each.result().length for each in found[:-1]] == lengths
        assert isinstance(found[-1].error, sl.Unsolvable)
