"""The stored tables of the atlas of gourds."""

from pathlib import Path

COUNTS = {7: (1, 0), 9: (13, 7), 11: (137, 101), 13: (1484, 1227)}
"""Numbers of boards and of solvable boards, by the number of cells."""


def table(cells: int) -> Path:
    return Path(__file__).parents[2] / "docs" / "atlas" / f"gourds-{cells}.jsonl"
