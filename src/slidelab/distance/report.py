"""Distances and God's numbers as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slidelab.distance.known import KnownResult
from slidelab.messages import big_number, counted, range_text
from slidelab.puzzles import Configuration
from slidelab.tables import text_table

if TYPE_CHECKING:
    from slidelab.distance.distances import Distances
    from slidelab.distance.goal_distances import GoalDistances
    from slidelab.distance.gods_number import GodsNumber, StartSearch

__all__ = [
    "distances_line",
    "distances_text",
    "distribution_table",
    "goal_distances_line",
    "goal_distances_text",
    "gods_number_line",
    "gods_number_text",
    "gods_table",
    "proof_line",
]

BAR_WIDTH = 40
"""Characters of the longest bar of a distribution."""

MAX_SEARCH_ROWS = 24
MAX_DISTANCE_ROWS = 150
"""Rows of a table; longer distributions sum several distances in a row."""

_STEPS = [n * 10**k for k in range(9) for n in (1, 2, 5)]
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def distances_text(d: Distances) -> str:
    """Format the facts, a farthest configuration, and the distribution with bars."""
    facts = [
        ("from", d.start.pieces_text),
        *_metric_row(d.metric),
        ("configurations", big_number(d.states)),
        ("depth", str(d.depth)),
        ("mean distance", f"{d.mean:.2f}"),
        ("hardest", _hardest(d)),
    ]
    return f"{d.start.puzzle.uncoloured.text}\n\n{text_table(facts)}\n\n{distribution_table(d.distribution)}"


def distances_line(d: Distances) -> str:
    """Format the largest distance and a farthest configuration in one line.

    >>> import slidelab as sl
    >>> distances_line(sl.puzzle("square R(2,2)").distances())
    'square R(2,2) tiles 1 : 1 2 3 .: at most 6 moves to 12 configurations; farthest . 3 2 1'
    """
    farthest = f"; farthest {_hardest(d)}" if d.hardest else ""
    within = f"at most {counted(d.depth, 'move')} to {counted(d.states, 'configuration')}"
    return f"{d.start.text}: {within}{farthest}"


def goal_distances_text(d: GoalDistances) -> str:
    """Format the facts, a farthest configuration, and the distribution with the unique solutions."""
    facts = [
        ("goals", big_number(d.goals)),
        ("configurations", big_number(d.states)),
        ("depth", str(d.depth)),
        ("mean distance", f"{d.mean:.2f}"),
        ("only one solution", f"{big_number(sum(d.unique))} ({sum(d.unique) / d.states:.2%})"),
        ("hardest", _hardest(d)),
    ]
    if d.states < d.configurations:
        facts.insert(2, ("without solution", big_number(d.configurations - d.states)))
    table = distribution_table(d.distribution, ("only one solution", d.unique))
    return (
        f"{d.puzzle.uncoloured.text}, to the nearest goal on coloured cells\n\n{text_table(facts)}\n\n{table}"
    )


def goal_distances_line(d: GoalDistances) -> str:
    """Format the largest distance and a farthest configuration in one line.

    >>> import slidelab as sl
    >>> d = sl.puzzle("square R(2,2) : a a b .").goal_distances(["a", "b", "a", "b"])
    >>> goal_distances_line(d)
    'square R(2,2) tiles 1: at most 5 moves from 12 configurations to 2 goals; farthest b a . a   (one of 2)'
    """
    farthest = f"; farthest {_hardest(d)}" if d.hardest else ""
    states, goals = counted(d.states, "configuration"), counted(d.goals, "goal")
    return (
        f"{d.puzzle.uncoloured.text}: at most {counted(d.depth, 'move')} from {states} to {goals}{farthest}"
    )


def _hardest(d: Distances | GoalDistances) -> str:
    count = d.distribution[-1]
    if not d.hardest:
        return counted(count, "configuration")
    first = d.hardest[0].pieces_text
    return first if count == 1 else f"{first}   (one of {count:,})"


def gods_number_text(g: GodsNumber) -> str:
    """Format the number, its proof, the eccentricity of each kind of start, and the distribution."""
    facts = [("God's number", _range(g)), *_metric_row(g.metric)]
    if g.radius is not None:
        facts.insert(1, ("radius", str(g.radius)))
    if g.hardest:
        labels = ("farthest apart", "and") if g.exact else ("searched from", "farthest from it")
        facts += [(label, c.pieces_text) for label, c in zip(labels, g.hardest, strict=True)]
    facts.append(("proof" if g.exact else "so far", g.proof))
    facts += [] if g.exact else [("not done", g.not_done)]
    parts = [g.puzzle.text, text_table(facts)]
    if len(g.searches) > 1:
        parts.append(_searches_table(g.searches))
    if g.deepest:
        parts.append(f"from {g.deepest.start.pieces_text}\n{distribution_table(g.distribution)}")
    return "\n\n".join(parts)


def gods_number_line(g: GodsNumber) -> str:
    """Format the number in one line.

    >>> import slidelab as sl
    >>> gods_number_line(sl.puzzle("hex F(2)").gods_number())
    "hex F(2) hextiles 2: God's number 16, radius 15"
    """
    radius = "" if g.radius is None else f", radius {g.radius}"
    return f"{g.puzzle.text}: God's number {_range(g)}{radius}"


def gods_table(found: Sequence[GodsNumber | KnownResult]) -> str:
    """Format one row per puzzle; numbers that are quoted have a star, and their sources follow the table.

    >>> import slidelab as sl
    >>> print(gods_table([sl.puzzle("hex F(2)").gods_number(), *sl.known_results("hex T(5)")]))
    puzzle               God's number  radius  configurations  searches  shapes
    hex F(2) hextiles 2            16      15              60         2      12
    hex T(5) hextiles 2           73*      70
    <BLANKLINE>
    * hex T(5) hextiles 2: known: 73 (computed by slidelab ...
    """
    rows = [("puzzle", "God's number", "radius", "configurations", "searches", "shapes")]
    quoted = [each for each in found if isinstance(each, KnownResult)]
    data = [(*rows[0], "source")]
    for g in found:
        if isinstance(g, KnownResult):
            radius = "" if g.radius is None else str(g.radius)
            rows.append((g.puzzle, f"{range_text(g.number, g.at_most)}*", radius, "", "", ""))
            data.append((g.puzzle, range_text(g.number, g.at_most), radius, "", "", "", "; ".join(g.sources)))
            continue
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
        data.append((*rows[-1], "computed"))
    table = text_table(rows, right=(1, 2, 3, 4, 5), header=True, data=data if quoted else None)
    notes = "\n".join(f"* {each.puzzle}: {each.text}" for each in quoted)
    return f"{table}\n\n{notes}" if quoted else table


def _range(g: GodsNumber) -> str:
    if g.exact:
        return str(g.number)
    return range_text(g.number, g.at_most)


def proof_line(g: GodsNumber) -> str:
    """Say how many searches were made, and why they are enough."""
    count = len(g.searches)
    covered = sum(s.orbit for s in g.searches)
    if not count:
        return "nothing can move"
    if g.puzzle.colours is not None and g.exact:
        return f"a search from each of {covered:,} configurations"
    if g.puzzle.colours is not None and g.at_most is None:
        return "one search from the goal; there are other components"
    if g.puzzle.colours is not None:
        return "one search from the goal; no two configurations are farther apart than twice its depth"
    shapes = "the only shape" if covered == 1 else f"all {covered:,} shapes that can move"
    under = f" under {g.symmetries} symmetries of the board" if g.symmetries > 1 else ""
    if count == 1:
        return f"1 search for {shapes}{under}"
    return f"{count} searches, one for each kind of shape, covering {shapes}{under}"


def distribution_table(distribution: Sequence[int], more: tuple[str, Sequence[int]] | None = None) -> str:
    """Format the number of configurations at each distance with a bar; long tables are condensed.

    `more` is the head of another column and its numbers.
    """
    step = next(n for n in _STEPS if len(distribution) <= MAX_DISTANCE_ROWS * n or n == _STEPS[-1])

    def sums(numbers: Sequence[int]) -> list[int]:
        return [sum(numbers[d : d + step]) for d in range(0, len(distribution), step)]

    columns = [sums(distribution)] + ([sums(more[1])] if more else [])
    heads = ("distance", "configurations", *([more[0]] if more else []))
    rows: list[tuple[str, ...]] = [(*heads, "")]
    for k, counts in enumerate(zip(*columns, strict=True)):
        first, last = k * step, min(k * step + step, len(distribution)) - 1
        span = f"{first}-{last}" if last > first else str(first)
        bar = _bar(counts[0] / max(columns[0]))
        rows.append((span, *(f"{count:,}" for count in counts), bar))
    exact = zip(distribution, *([more[1]] if more else []), strict=True)
    data = [heads, *((str(d), *map(str, counts)) for d, counts in enumerate(exact))]
    return text_table(rows, right=range(len(heads)), header=True, data=data)


def _bar(share: float) -> str:
    """Return a bar in eighths of a character, at least one.

    >>> _bar(1.0) == BAR_WIDTH * "█", _bar(0.5 / BAR_WIDTH), _bar(1e-9)
    (True, '▌', '▏')
    """
    eighths = max(1, round(share * BAR_WIDTH * 8))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _searches_table(searches: Sequence[StartSearch]) -> str:
    deepest = sorted(searches, key=lambda s: -s.depth)
    puzzle = searches[0].start.puzzle
    holes_only = puzzle.rule.cells == 1 and puzzle.colours is None
    counted_what = "shapes" if puzzle.colours is None else "starts"
    rows = [("holes at" if holes_only else "start", counted_what, "farthest")]
    rows += [(_start_text(s.start, holes_only), f"{s.orbit:,}", str(s.depth)) for s in deepest]
    more = len(searches) - MAX_SEARCH_ROWS
    text = text_table(rows[: MAX_SEARCH_ROWS + 1], right=(1, 2), header=True, data=rows)
    return text + (f"\nand {counted(more, 'more kind')} of start" if more > 0 else "")


def _start_text(start: Configuration, holes_only: bool) -> str:
    return " ".join(map(str, start.holes)) if holes_only else start.pieces_text


def _metric_row(metric: str) -> list[tuple[str, str]]:
    if metric == "single":
        return []
    return [("counting", "a straight row of tiles pushed at once as one move")]
