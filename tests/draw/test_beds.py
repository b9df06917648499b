"""Parts on printer beds: they neither overlap nor leave the bed."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slidelab.draw.print.beds import GAP, pack_beds
from slidelab.errors import PuzzleError

lengths = st.floats(1, 100)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(lengths, lengths), min_size=1, max_size=25), st.floats(100, 250))
def test_parts_keep_apart_and_stay_on_the_bed(sizes: list[tuple[float, float]], side: float) -> None:
    beds = pack_beds(sizes, (side, 120.0))
    assert sorted(position.part for bed in beds for position in bed) == list(range(len(sizes)))
    for bed in beds:
        boxes = []
        for position in bed:
            width, depth = sizes[position.part][::-1] if position.rotated else sizes[position.part]
            assert position.x >= -1e-6
            assert position.x + width <= side + 1e-6
            assert position.y >= -1e-6
            assert position.y + depth <= 120 + 1e-6
            boxes.append((position.x, position.y, position.x + width, position.y + depth))
        for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
            assert max(e - c, a - g, f - d, b - h) >= GAP - 1e-6


def test_beds_are_filled() -> None:
    # 16 squares of 22 with gaps of 3 need exactly 97.
    assert [len(bed) for bed in pack_beds([(22.0, 22.0)] * 16, (97.0, 97.0))] == [16]
    assert [len(bed) for bed in pack_beds([(22.0, 22.0)] * 16, (96.9, 97.0))] == [12, 4]


def test_parts_that_fit_only_rotated_are_rotated() -> None:
    ((position,),) = pack_beds([(150.0, 50.0)], (60.0, 160.0))
    assert (position.rotated, position.x, position.y) == (True, 5.0, 5.0)


def test_parts_that_do_not_fit_are_refused() -> None:
    with pytest.raises(PuzzleError, match=r"got 150.0 x 170.0 mm - on a bed of 160 x 160 mm"):
        pack_beds([(170.0, 150.0)], (160.0, 160.0))
