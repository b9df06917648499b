"""Distributions in docs/atlas: their sums, and their first layers by plain search."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.distance.component import Component

FILE = Path(__file__).resolve().parents[2] / "docs" / "atlas" / "distances.jsonl"
RECORDS = [json.loads(line) for line in FILE.read_text().splitlines()]

MAX_STATES = 20_000
"""States of the layers that are computed again."""


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["puzzle"])
def test_the_first_layers_and_the_sum(record: dict[str, Any]) -> None:
    puzzle = sl.puzzle(record["puzzle"])
    start = puzzle.configuration(record["start"])
    distribution = record["distribution"]
    assert sum(distribution) == record["states"] == Component(start).states
    assert len(distribution) - 1 == record["depth"]
    # The tiles of each cell, 0 for a hole; a tile beside a hole may take its place.
    neighbours = [
        [other for other in range(len(puzzle.board)) if puzzle.board.adjacent(cell, other)]
        for cell in range(len(puzzle.board))
    ]
    layer = {tuple(start.to_json()["tiles"])}
    seen, sizes = set(layer), []
    while len(seen) < MAX_STATES:
        sizes.append(len(layer))
        found = set()
        for tiles in layer:
            for hole in (cell for cell, tile in enumerate(tiles) if tile == 0):
                for cell in neighbours[hole]:
                    if tiles[cell]:
                        moved = list(tiles)
                        moved[hole], moved[cell] = tiles[cell], 0
                        found.add(tuple(moved))
        layer = found - seen
        seen |= layer
    assert distribution[: len(sizes)] == sizes
