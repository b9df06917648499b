"""What users hold: one-line repr, pickles, compares, hashes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from atlas.tables import table
from slidelab.atlas import entries, read_atlas, summarize
from slidelab.boards import board, find_cycle, graph_automorphisms, symmetries
from slidelab.boards.matching import covering_deficit
from slidelab.errors import GaveUp, OutOfTime, TooLarge
from slidelab.place import PlacementProblem, nine_gourds, one_in_three, place

ENTRY = next(entries(7))
OBJECTS = {
    "hex board": board("hex F(3)"),
    "square board": board("square R(3,2)"),
    "graph": board("graph 0-1 1-2 3"),
    "large board": board("hex P(300,300)"),
    "symmetries": symmetries(board("hex F(3)")),
    "automorphisms": graph_automorphisms(board("complete(6)")),
    "cycle": find_cycle(board("square R(4,3)")),
    "deficit": covering_deficit([(1,), (0, 2), (1,)], [0, 2]),
    "problem": PlacementProblem(board("path(3)"), ("red", "blue", "."), (("red", "blue"),)),
    "placement": place(board("path(3)"), ["red", "blue", "."], [("blue", "red")]),
    "no placement": place(board("path(3)"), ["red", "red", "."], [("blue", "red")]),
    "coloured puzzle": nine_gourds(),
    "hard instance": one_in_three([(1, 2, 3)] * 3),
    "entry": ENTRY,
    "features": ENTRY.features,
    "family": ENTRY.families[0],
    "atlas": read_atlas(table(9)),
    "summary": summarize([ENTRY]),
}


@pytest.mark.parametrize("value", OBJECTS.values(), ids=OBJECTS.keys())
def test_objects(value: Any) -> None:
    assert value is not None
    assert "\n" not in repr(value)
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)
    assert len({value, copy.copy(value)}) == 1
    assert value != object()
    assert sum(value == other for other in OBJECTS.values()) == 1


@pytest.mark.parametrize("error", [GaveUp("the puzzle", 7), OutOfTime(), TooLarge("too large")], ids=repr)
def test_errors_pickle(error: Exception) -> None:
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), twin.__dict__) == (type(error), str(error), error.__dict__)
