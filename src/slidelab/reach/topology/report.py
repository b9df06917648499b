"""Topologies as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.messages import big_number, counted
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab.reach.topology.model import ComponentTopology, Topology

__all__ = ["topology_line", "topology_table", "topology_text"]

MAX_PARTS = 6
"""Kinds of components that are printed."""

MODELS = {
    "moves": "independent moves fill squares and cubes",
    "hard": "independent moves, and what one piece can do alone",
}


def topology_text(t: Topology) -> str:
    """Return a topology as text.

    Examples
    --------
    >>> import slidelab as sl
    >>> topology_text(sl.puzzle("square R(2,2)").topology()).splitlines()[2]
    'complex               independent moves fill squares and cubes'
    """
    p = t.puzzle
    pieces, holes = counted(p.piece_count, p.rule.piece), counted(p.hole_count, "hole")
    alike = ", all taken for the same" if t.unlabelled else ""
    rows = [
        ("complex", MODELS[t.model]),
        ("components", _components(t)),
        *([("isolated", counted(t.isolated, "configuration"))] if t.isolated else []),
        ("dimension", f"{t.dimension}{_about_dimension(t)}"),
        ("Euler characteristic", big_number(t.euler)),
        ("Betti numbers", _all_betti(t)),
    ]
    text = f"{p.text}\n{counted(p.board.size, 'cell')}, {pieces}{alike}, {holes}\n{text_table(rows)}"
    for part in t.parts[:MAX_PARTS]:
        each = "one of" if part.count > 1 else "the"
        title = (
            f"{each} {counted(part.count, 'component')}" if part.count > 1 or len(t.parts) > 1 else "cells"
        )
        text += f"\n\n{title}\n{_part(part)}"
    more = len(t.parts) - MAX_PARTS
    return text + (f"\n\n... and {counted(more, 'more kind')} of components" if more > 0 else "")


def topology_line(t: Topology) -> str:
    """Return what matters most in one line.

    Examples
    --------
    >>> import slidelab as sl
    >>> topology_line(sl.puzzle("square R(2,2)").topology())
    'square R(2,2) tiles 1: dimension 1, Euler characteristic 0, Betti numbers 2, 2'
    """
    return (
        f"{t.puzzle.text}: dimension {t.dimension}, Euler characteristic {big_number(t.euler)}, "
        f"Betti numbers {_all_betti(t)}"
    )


def topology_table(found: Sequence[Topology]) -> str:
    """Return a table with one line for each puzzle.

    Examples
    --------
    >>> import slidelab as sl
    >>> print(topology_table([sl.puzzle("cycle(4)", holes=h).topology() for h in (1, 2)]))
    puzzle            dimension  components  Euler  b0  b1  b2  torsion  connected
    cycle(4) tiles 1          1           2      0   2   2   0  none     no
    cycle(4) tiles 2          2           1      0   1   1   0  none     yes
    """
    top = max((t.dimension for t in found), default=0)
    rows = [
        (
            *("puzzle", "dimension", "components", "Euler"),
            *(f"b{k}" for k in range(top + 1)),
            *("torsion", "connected"),
        )
    ]
    for t in found:
        known = t.reason is None
        numbers = [big_number(n) for n in t.betti()] if known else ["?"] * (t.dimension + 1)
        numbers += ["0"] * (top + 1 - len(numbers))
        connected = "yes" if t.components == 1 else "no"
        rows.append(
            (
                *(t.puzzle.text, str(t.dimension), big_number(t.components), big_number(t.euler)),
                *numbers,
                *("none" if known and not any(t.torsion) else "yes" if known else "?", connected),
            )
        )
    return text_table(rows, right=range(1, top + 5), header=True)


def _components(t: Topology) -> str:
    if not t.parts:
        return "0 (nothing can ever move)"
    if len(t.parts) == 1:
        one = t.parts[0]
        size = f" of {big_number(one.cells[0])} configurations"
        return f"{big_number(one.count)}{size}{' each, all isomorphic' if one.count > 1 else ''}"
    return f"{big_number(t.components)}, of {counted(len(t.parts), 'kind')}"


def _about_dimension(t: Topology) -> str:
    if t.dimension == 1:
        return ": the puzzle graph alone, no two moves are independent"
    collapsed = all(not any(part.critical[2:]) for part in t.parts)
    return ", but it collapses to a graph" if t.dimension > 1 and collapsed else ""


def _all_betti(t: Topology) -> str:
    if t.reason is not None:
        return f"not found: {t.reason}"
    rational, binary = t.betti(), t.betti(2)
    text = ", ".join(map(big_number, rational)) or "none"
    return text if rational == binary else f"{text} over Q; {', '.join(map(big_number, binary))} over Z/2"


def _part(part: ComponentTopology) -> str:
    rows = [("dimension", "cells", "critical", "Betti over Q", "over Z/2", "torsion")]
    rational, binary = part.betti(), part.betti(2)
    for k, (cells, critical) in enumerate(zip(part.cells, part.critical, strict=True)):
        rows.append(
            (
                *(str(k), big_number(cells), big_number(critical)),
                "?" if rational is None else big_number(rational[k]),
                "?" if binary is None else big_number(binary[k]),
                "?" if part.torsion is None else _torsion(part.torsion[k]),
            )
        )
    return text_table(rows, right=range(5), header=True)


def _torsion(orders: Sequence[int]) -> str:
    """Format a finite group.

    >>> _torsion((2, 2, 6))
    '(Z/2)^2 + Z/6'
    """
    groups = [f"Z/{n}" if times == 1 else f"(Z/{n})^{times}" for n, times in Counter(orders).items()]
    return " + ".join(groups) or "none"
