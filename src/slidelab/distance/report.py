"""Distances and God's numbers as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.messages import big_number
from slidelab.puzzles import Configuration
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.gods_number import GodsNumber, StartSearch

__all__ = ["distances_text", "distribution_table", "gods_number_text", "gods_table", "proof_line"]

BAR = 40
MOST_SEARCHES = 24
MOST_ROWS = 150
_STEPS = [n * 10**k for k in range(9) for n in (1, 2, 5)]
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def distances_text(d: Distances) -> str:
    """Facts, the distribution with bars, and a hardest configuration."""
    facts = [
        ("from", d.start.pieces_text),
        *_metric_row(d.metric),
        ("configurations", big_number(d.states)),
        ("depth", str(d.depth)),
        ("mean distance", f"{d.mean:.2f}"),
        ("hardest", _hardest(d)),
    ]
    return f"{d.start.puzzle.uncoloured.text}\n\n{text_table(facts)}\n\n{distribution_table(d.distribution)}"


def gods_number_text(g: GodsNumber) -> str:
    """The number, its proof, the eccentricity of every kind of start, and the distribution."""
    lines = [f"{g.puzzle.text}\n"]
    facts = [("God's number", _range(g)), *_metric_row(g.metric)]
    if g.radius is not None:
        facts.insert(1, ("radius", str(g.radius)))
    if g.hardest:
        one, other = g.hardest
        words = ("farthest apart", "and") if g.exact else ("searched from", "farthest from it")
        facts += [(words[0], one.pieces_text), (words[1], other.pieces_text)]
    facts.append(("proof" if g.exact else "so far", g.proof))
    lines.append(text_table(facts))
    if len(g.searches) > 1:
        lines.append(f"\n{_searches(g.searches)}")
    if g.searches:
        lines.append(f"\nfrom {g.deepest.start.pieces_text}" if g.deepest else "")
        lines.append(distribution_table(g.distribution))
    return "\n".join(lines)


def gods_table(found: Sequence[GodsNumber]) -> str:
    """One line a puzzle."""
    rows = [("puzzle", "God's number", "radius", "configurations", "searches", "shapes")]
    for g in found:
        sizes = sorted({s.distances.states for s in g.searches}, reverse=True)
        rows.append(
            (
                g.puzzle.text,
                _range(g),
                "" if g.radius is None else str(g.radius),
                " or ".join(big_number(n) for n in sizes[:3]) or "1",
                str(len(g.searches)),
                big_number(sum(s.orbit for s in g.searches)),
            )
        )
    return text_table(rows, right=(1, 2, 3, 4, 5))


def _range(g: GodsNumber) -> str:
    if g.exact:
        return str(g.number)
    return f"at least {g.number}" if g.at_most is None else f"{g.number} to {g.at_most}"


def proof_line(g: GodsNumber) -> str:
    """How many searches it took, and why they are enough."""
    count = len(g.searches)
    covered = sum(s.orbit for s in g.searches)
    if not count:
        return "nothing can move"
    if g.puzzle.colours is not None:
        if not g.exact:
            if g.at_most is None:
                return "one search from the goal; there are other components"
            return "one search from the goal; no two configurations are farther apart than twice its depth"
        return f"a search from each of {covered:,} configurations"
    searches = "1 search" if count == 1 else f"{count} searches, one for each kind of shape,"
    shapes = "the only shape" if covered == 1 else f"all {covered:,} shapes that can move"
    turned = f" under {g.symmetries} symmetries of the board" if g.symmetries > 1 else ""
    return f"{searches} for {shapes}{turned}" if count == 1 else f"{searches} covering {shapes}{turned}"


def distribution_table(distribution: Sequence[int]) -> str:
    """Distance, how many configurations, and a bar; long ones are drawn together."""
    step = next(n for n in _STEPS if len(distribution) <= MOST_ROWS * n or n == _STEPS[-1])
    sums = [sum(distribution[d : d + step]) for d in range(0, len(distribution), step)]
    most, last = max(sums), len(distribution) - 1
    rows = [("distance", "configurations", "")]
    for k, count in enumerate(sums):
        first, end = k * step, min(k * step + step - 1, last)
        rows.append((f"{first}-{end}" if end > first else str(first), f"{count:,}", _bar(count / most)))
    return text_table(rows, right=(0, 1))


def _bar(share: float) -> str:
    """
    >>> _bar(1.0) == BAR * "█", _bar(0.5 / BAR), _bar(1e-9)
    (True, '▌', '▏')
    """
    eighths = max(1, round(share * BAR * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _searches(searches: Sequence[StartSearch]) -> str:
    shown = sorted(searches, key=lambda s: -s.depth)[:MOST_SEARCHES]
    puzzle = searches[0].start.puzzle
    rows = [("holes at" if puzzle.rule.cells == 1 else "start", "shapes", "farthest")]
    if puzzle.colours is not None:
        rows = [("start", "starts", "farthest")]
    rows += [(_where(s.start), f"{s.orbit:,}", str(s.depth)) for s in shown]
    more = len(searches) - len(shown)
    return text_table(rows, right=(1, 2)) + (f"\nand {more} more kinds of start" if more else "")


def _where(start: Configuration) -> str:
    if start.puzzle.rule.cells == 1 and start.puzzle.colours is None:
        return " ".join(map(str, start.holes))
    return start.pieces_text


def _metric_row(metric: str) -> list[tuple[str, str]]:
    return (
        [("counting", "a straight row of tiles pushed at once as one move")] if metric == "straight" else []
    )


def _hardest(d: Distances) -> str:
    number, shown = d.distribution[-1], len(d.hardest)
    if not shown:
        return f"{number:,} configuration{'s'[: number != 1]}"
    first = d.hardest[0].pieces_text
    return first if number == 1 else f"{first}   (one of {number:,})"
