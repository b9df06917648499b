"""Callbacks for progress: what they return is ignored, and what they raise comes out unchanged."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import numpy as np
import pytest

import slidelab as sl

Verb = Callable[..., object]


def coloured() -> tuple[sl.Puzzle, list[str]]:
    rng = random.Random(3)
    puzzle = sl.puzzle("hex P(7,7)", "gourds")
    cells = [rng.choice(["red", "blue", "green"]) for _ in range(49)]
    pieces = puzzle.shuffle(1).pieces
    pairs = [[cells[a], cells[b]] for a, b in pieces]
    for cell in set(range(49)) - {cell for piece in pieces for cell in piece}:
        cells[cell] = "."
    return sl.puzzle(puzzle.board, "gourds", colours=pairs), cells


def place(**options: Any) -> object:
    puzzle, cells = coloured()
    return puzzle.place(cells, **options)


def shorten(**options: Any) -> object:
    puzzle = sl.puzzle("square R(6,6)")
    return puzzle.solve(puzzle.shuffle(1), method="peel", shorten=False).shorten(0.5, **options)


FOLDER = TemporaryDirectory()  # for files that are written on the way
FIFTEEN = "7 4 12 6 15 10 1 2 5 14 . 9 13 8 11 3"
LARGE = sl.puzzle("king R(4,5)", "gourds", holes=4)
VERBS: dict[str, Verb] = {
    "analyze": lambda **o: LARGE.analyze(connection=False, **o),
    "solvable": lambda **o: LARGE.solvable(LARGE.goal.play(next(iter(LARGE.goal.moves))), **o),
    "shuffle": lambda **o: LARGE.shuffle(1, **o),
    "group": lambda **o: LARGE.group(**o),
    "distances": lambda **o: sl.puzzle("square R(3,4)").distances(**o),
    "gods_number": lambda **o: sl.puzzle("square R(2,5)").gods_number(**o),
    "distance": lambda **o: sl.puzzle("square R(2,5)").distance(sl.puzzle("square R(2,5)").goal, **o),
    "solve": lambda **o: sl.puzzle("square R(4,4)").solve(FIFTEEN, **o),
    "hint": lambda **o: sl.puzzle("square R(4,4)").hint(FIFTEEN, **o),
    "place": place,
    "shorten": shorten,
    "page": lambda **o: sl.puzzle("square R(4,2)").page(Path(FOLDER.name, "page.html"), **o),
    "solid": lambda **o: sl.puzzle("square R(3,3)").solid(**o),
    **{
        f"solve by {method}": lambda method=method, **o: sl.puzzle("square R(4,4)").solve(
            FIFTEEN, method=method, time=3 if method == "anytime" else 600, tables=10_000, **o
        )
        for method in ("ida", "astar", "anytime", "peel", "wilson")
        if method in sl.METHODS
    },
    "solve by cycle": lambda **o: sl.puzzle("hex F(4) gourds").solve(
        sl.puzzle("hex F(4) gourds").shuffle(2), method="cycle", **o
    ),
}


class Own(BaseException):
    """An exception of a caller."""


class Unwilling:
    """An object that cannot be tested."""

    def __bool__(self) -> NoReturn:
        raise AssertionError("what a callback returns was tested")

    def __eq__(self, other: object) -> NoReturn:
        raise AssertionError("what a callback returns was compared")

    __hash__ = object.__hash__


def forget() -> None:
    """Clear all caches, so that there is something to compute."""
    for name, module in list(sys.modules.items()):
        if name.startswith("slidelab"):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def reports(verb: Verb) -> bool:
    """Whether the verb reports progress here; the core does so fifty times a second."""
    forget()
    calls: list[object] = []
    verb(progress=lambda *call: calls.append(call))
    return bool(calls)


RAISED = [
    ValueError("mine"), TypeError("mine"), KeyError("mine"), IndexError("mine"), RuntimeError("mine"),
    OSError(5, "mine"), MemoryError("mine"), RecursionError("mine"), AttributeError("mine"),
    StopIteration("mine"), StopAsyncIteration("mine"), GeneratorExit("mine"), SystemExit("mine"),
    KeyboardInterrupt("mine"), ImportError("mine"), Own("mine"),
    sl.TooLarge("mine"), sl.OutOfTime("mine"), sl.NotationError("mine"), sl.Unsolvable("mine"),
    sl.Damaged("mine"),
]  # fmt: skip


@pytest.mark.parametrize("name", VERBS)
def test_what_callbacks_raise_comes_out_unchanged(name: str) -> None:
    if not reports(VERBS[name]):
        pytest.skip("too quick to report progress")
    for error in RAISED:
        calls = 0

        def fail(phase: str, done: int, total: int, error: BaseException = error) -> NoReturn:
            nonlocal calls
            calls += 1
            raise error

        forget()
        caught: BaseException | None = None
        try:
            VERBS[name](progress=fail)
        except BaseException as found:
            caught = found
        if type(error) is KeyboardInterrupt and isinstance(caught, sl.Stopped):
            continue
        if calls:  # it may be too quick this time
            assert caught is error


@pytest.mark.parametrize("name", VERBS)
def test_what_callbacks_return_is_ignored(name: str) -> None:
    if not reports(VERBS[name]):
        pytest.skip("too quick to report progress")
    for value in (True, 1, False, np.True_, "stop", Unwilling()):
        forget()
        VERBS[name](progress=lambda *_, value=value: value)


def test_films_pass_errors_on_and_leave_no_file(tmp_path: Path) -> None:
    solution = sl.puzzle("square R(2,2)").solve("3 1 / . 2")
    for error in RAISED:

        def fail(*_: object, error: BaseException = error) -> NoReturn:
            raise error

        with pytest.raises(type(error)) as caught:
            solution.animate(tmp_path / "film.gif", progress=fail)
        assert caught.value is error
    assert list(tmp_path.iterdir()) == []
