"""Analyses as text: tables of facts, families and theorems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.boards import Board
from slidelab.boards.ascii import lay_out
from slidelab.messages import big_number, counted, join_words, yes_no
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab.reach.analysis import Analysis, TheoremCheck
    from slidelab.reach.families import FamilyReport

__all__ = [
    "analysis_text",
    "facts",
    "numbered_cells",
    "list_cells",
    "summary_line",
    "summary_table",
]

MAX_FAMILIES = 12
"""Families that are listed."""

MAX_DRAWN_CELLS = 120
"""Cells of a board that is drawn with its cell numbers."""

MAX_NAME_CHARACTERS = 2_000
"""Characters of the text of a puzzle that is printed; a board without a name lists all its cells."""

MAX_FACTORS = 12
"""Factors of a group's name that are printed."""


def list_cells(cells: Sequence[int], limit: int = 12) -> str:
    """Return a list of cells in words, cut short after `limit` of them.

    Examples
    --------
    >>> list_cells([0, 15]), list_cells([])
    ('cells 0 and 15', 'none')
    """
    if not cells:
        return "none"
    return f"{'cell' if len(cells) == 1 else 'cells'} {join_words(cells, limit)}"


def numbered_cells(board: Board) -> str:
    """Return the board as text with the number of every cell.

    Examples
    --------
    >>> from slidelab.boards import board
    >>> print(numbered_cells(board("hex T(3)")))
      0
     1 2
    3 4 5
    """
    if board.kind == "graph":
        called = [f" = {board.cell_text(cell)}" if board.labels else "" for cell in range(board.size)]
        rows = zip(called, board.neighbours, strict=True)
        return "\n".join(
            f"{cell}{name}: {' '.join(map(str, around))}" for cell, (name, around) in enumerate(rows)
        )
    return lay_out(board, [str(cell) for cell in range(board.size)])


def analysis_text(a: Analysis) -> str:
    """Return an analysis as text.

    Examples
    --------
    >>> import slidelab as sl
    >>> analysis_text(sl.puzzle("cycle(4)").analyze()).splitlines()[1]
    '4 cells, 3 tiles, 1 hole'
    """
    p = a.puzzle
    pieces, holes = counted(p.piece_count, p.rule.piece), counted(p.hole_count, "hole")
    name = p.text if len(p.text) <= MAX_NAME_CHARACTERS else f"{p.text[:MAX_NAME_CHARACTERS]}..."
    parts = [f"{name}\n{counted(p.board.size, 'cell')}, {pieces}, {holes}"]
    if p.board.size <= MAX_DRAWN_CELLS and p.board.kind != "graph":
        parts.append(_indented(numbered_cells(p.board)))
    parts.append(text_table(facts(a)))
    if len(a.families) > 1:
        parts.append("families (connected sets of shapes)\n" + _indented(_families(a.families)))
    if a.theorems:
        parts.append("theorems\n" + _indented(_theorems(a.theorems)))
    if a.conjecture is not None:
        title = "conjecture, not proved (docs/atlas-gourds.md)"
        parts.append(f"{title}\n" + _indented(text_table(a.conjecture.rows())))
    for check in a.disagreements:
        parts.append(
            f"!!! {check.name} PREDICTS {_value(check.predicts)} for {check.quantity}, "
            f"BUT {_value(check.computed)} WAS COMPUTED !!!"
        )
    return "\n\n".join(parts)


def facts(a: Analysis) -> list[tuple[str, str]]:
    """Return what an analysis found as pairs of a name and a value.

    Examples
    --------
    >>> import slidelab as sl
    >>> facts(sl.puzzle("cycle(4)").analyze())[:2]
    [('shapes', '4'), ('components', '2 of 12 configurations each')]
    """
    rows: list[tuple[str, str]] = []
    if a.too_large is not None:
        how = "the theorems answer alone" if a.proof is None else "a proof answers"
        how = how if a.is_proved else "and no theorem answers"
        rows.append(("shapes", f"{big_number(a.shapes)}; too large to compute, {how}"))
    else:
        isolated = f", {big_number(a.isolated)} of them isolated (nothing can move)" if a.isolated else ""
        rows.append(("shapes", big_number(a.shapes) + isolated))
    one = a.families[0] if len(a.families) == 1 else None
    none = " (nothing can ever move)" if a.components == 0 else ""
    rows.append(("components", big_number(a.components) + (_of_size(one) if one else none)))
    if one:
        rows.append(("group", f"{one.group.name}, order {big_number(one.group.order)}, on {_points(one)}"))
    elif a.too_large is not None:
        names = [check.predicts for check in a.theorems if check.quantity == "group"]
        rows.extend(("group", _value(name)) for name in names[:1])
    rows.append(("parity", f"weak {yes_no(a.weak_parity)}, strong {yes_no(a.strong_parity)}"))
    aside = ", isolated configurations aside" if a.maximally_connected and a.isolated else ""
    rows.append(("maximally connected", yes_no(a.maximally_connected) + aside))
    number = (
        a.connection_source
        if a.connection_number is None
        else f"{a.connection_number} ({a.connection_source})"
    )
    rows.append(("connection number", number))
    if a.proof is not None:
        rows.append(("proof", f"{a.proof.summary()}; 'slidelab prove' prints it"))
    if one and len(one.group.moved_orbits) > 1:
        rows.append(("change places", _exchanges(one)))
    if a.tight_corners:
        rows.append(("tight corners", list_cells(a.tight_corners)))
    if a.stuck:
        rows.append(("stuck pieces", f"those at {list_cells(a.stuck)} always come back there"))
    return rows


def _of_size(family: FamilyReport) -> str:
    if family.colours is None or len(family.colours.sizes) == 1:
        return f" of {big_number(family.size)} configurations" + (" each" if family.components > 1 else "")
    sizes = [f"{big_number(count)} of {big_number(size)}" for size, count in family.colours.sizes[:4]]
    return f": {', '.join(sizes)}{', ...' if len(family.colours.sizes) > 4 else ''} configurations"


def _points(family: FamilyReport) -> str:
    fixed = len(family.group.fixed_points)
    what = {1: "piece", 2: "end", 3: "corner"}[family.group.turns]
    return counted(family.group.degree, what) + (f" ({fixed} fixed)" if fixed else "")


def _exchanges(family: FamilyReport, limit: int = 5) -> str:
    """Return which pieces can change places: the cells of each orbit."""
    cells = family.point_cells()
    sets = [list_cells(sorted(cells[x] for x in orbit), 8) for orbit in family.group.moved_orbits]
    more = f" | and {counted(len(sets) - limit, 'more set')}" if len(sets) > limit else ""
    return "the pieces at " + " | ".join(sets[:limit]) + more


def _families(families: Sequence[FamilyReport]) -> str:
    rows = [("shapes", "components", "size of each", "group", "holes, for example")]
    rows.extend(
        (
            big_number(f.shapes),
            big_number(f.components),
            big_number(f.size),
            f.group.name,
            list_cells(f.base, 6),
        )
        for f in families
    )
    text = text_table(rows[: MAX_FAMILIES + 1], right=(0, 1, 2), header=True, data=rows)
    more = len(families) - MAX_FAMILIES
    return text + (f"\n... and {more} more" if more > 0 else "")


def _theorems(checks: Sequence[TheoremCheck]) -> str:
    rows = [("", "about", "predicts", "computed", "")]
    for check in checks:
        mark = {True: "agrees", False: "DISAGREES", None: "not computed"}[check.agrees]
        computed = "" if check.computed is None else _value(check.computed)
        rows.append((check.name, check.quantity, _value(check.predicts), computed, mark))
    return text_table(rows, header=True)


def _value(value: int | bool | str | None) -> str:
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, int) or value is None:
        return big_number(value)
    factors = value.split(" x ")
    if len(factors) <= MAX_FACTORS:
        return value
    return " x ".join(factors[:MAX_FACTORS]) + f" x ... ({len(factors)} factors)"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def summary_line(a: Analysis) -> str:
    """Return what matters most about an analysis in one line.

    Examples
    --------
    >>> import slidelab as sl
    >>> summary_line(sl.puzzle("hex P(4,4)").analyze())
    'hex P(4,4) hextiles 2: 364 components of 7,903,526,400 configurations each, Alt(12)'
    """
    if a.components is None:
        return f"{a.puzzle.text}: the number of components is not known"
    one = a.families[0] if len(a.families) == 1 else None
    about = f"{_of_size(one)}, {one.group.name}" if one else ""
    return f"{a.puzzle.text}: {counted(a.components, 'component')}{about}"


def summary_table(analyses: Sequence[Analysis]) -> str:
    """Return a table with one line for each analysis.

    Examples
    --------
    >>> import slidelab as sl
    >>> len(summary_table([sl.puzzle("cycle(4)", holes=holes).analyze() for holes in (1, 2)]).splitlines())
    3
    """
    rows = [("puzzle", "shapes", "isolated", "components", "size of each", "group", "parity", "connected")]
    for a in analyses:
        one = a.families[0] if len(a.families) == 1 else None
        known = "unknown" if a.weak_parity is None else "none"
        parity = "strong" if a.strong_parity else "weak" if a.weak_parity else known
        how = "by theorem" if a.is_proved else "unknown"
        without = ("unknown", how) if a.too_large is not None else ("0", "none")
        rows.append(
            (
                a.puzzle.text,
                big_number(a.shapes),
                big_number(a.isolated),
                big_number(a.components),
                big_number(one.size) if one else "various" if a.families else without[0],
                one.group.name if one else "several" if a.families else without[1],
                parity,
                yes_no(a.maximally_connected),
            )
        )
    return text_table(rows, right=(1, 2, 3, 4), header=True)
