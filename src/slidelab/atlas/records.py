"""Which board of a size has the largest God's number?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from slidelab.library import Row
from slidelab.puzzles import puzzle

__all__ = ["RECORD_COLUMNS", "records"]

RECORD_COLUMNS = {
    "cells": "cells of the boards",
    "holes": "number of holes",
    "boards": "how many boards of this size there are in which something can move",
    "reach": "how many of them reach this number; the row is the first of these",
}


def records(rows: Iterable[Row], topic: str = "records") -> Iterator[Row]:
    """Iterate over the rows with the largest God's numbers, one for each rule, size and number of holes.

    Parameters
    ----------
    rows
        Rows with God's numbers, such as those of all polyhexes of a size.
    topic
        The table that the records belong to.

    Examples
    --------
    >>> from slidelab.atlas import tables
    >>> found = list(records(tables()["polyhexes"].rows))
    >>> [(row["gods_number"], row["boards"], row["reach"]) for row in found if row["cells"] == 7][:3]
    [(16, 214, 1), (13, 214, 1), (16, 214, 1)]
    """
    groups: dict[tuple[str, int, int], list[Row]] = {}
    for row in rows:
        if row["gods_number"]:
            each = puzzle(row.puzzle)
            groups.setdefault((each.rule.name, each.board.size, each.hole_count), []).append(row)
    for (_, cells, holes), group in sorted(groups.items()):
        most = max(row["gods_number"] for row in group)
        best = [row for row in group if row["gods_number"] == most]
        values = {"cells": cells, "holes": holes, "boards": len(group), "reach": len(best)}
        yield replace(best[0], topic=topic, values={**values, **best[0].values})
