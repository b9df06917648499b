"""The checks of tables 3 and 4 of Wong, Li and Chen."""

from __future__ import annotations

from slidelab.boards import board as as_board
from slidelab.boards import cyclomatic_number
from slidelab.claims.model import Found, Scope
from slidelab.claims.search_counts import PAPER_STARTS, Mean, distance_ratio, mean_counts

__all__ = [
    "figure_6_1",
    "inadmissible",
    "percentages",
    "table_3_a_star",
    "table_3_bfs",
    "table_3_theta",
    "table_4",
    "weights",
]

TABLE_3: tuple[tuple[str, int, float, float, int], ...] = (
    ("theta(2,2,3)", 1, 48152.3, 185_222, 362_880),
    ("square R(3,3)", 8, 2017.29, 84_869.2, 181_440),
    ("king R(3,3)", 8, 1492.69, 162_282, 362_880),
)
"""Board, hole of the goal, A*, breadth-first search, states."""

TABLE_4 = ((48152.3, 27540.3, 42.806), (31332.7, 9691.50, 69.069), (67138.1, 3336.26, 95.031))
"""Nodes of A* and of weighted A*, and the decrease in per cent."""

THETA_STARTS = 80
"""Starts of theta(2,2,3), each of which takes half a second."""

SIGMAS = 3.0
"""Standard errors by which a mean may differ from what it is compared with."""


def percentages(scope: Scope) -> Found:
    """Check the percentages of tables 3 and 4."""
    printed = {"theta(2,2,3)": 74.003, "square R(3,3)": 97.623, "king R(3,3)": 99.080}
    good = all(abs(100 * (1 - a / b) - printed[name]) < 0.001 for name, _, a, b, _ in TABLE_3)
    cells = {name: cyclomatic_number(as_board(name)) for name in printed}
    good = good and all(abs(100 * (1 - b / a) - percent) < 0.001 for a, b, percent in TABLE_4)
    return Found(good and list(cells.values()) == [2, 4, 12])


def table_3_bfs(scope: Scope) -> Found:
    """Compare with half of all states: a random goal is as likely to be found as any other."""
    sigma = [
        (printed - states / 2) / (states / 12**0.5 / PAPER_STARTS**0.5) for *_, printed, states in TABLE_3
    ]
    note = "half of all states would be 181,440, 90,720, 181,440: " + ", ".join(f"{s:+.1f}" for s in sigma)
    return Found(
        all(abs(s) < SIGMAS for s in sigma), note=f"{note} standard errors; no convention gives all three"
    )


def _counted(text: str, hole: int, printed: float, starts: int) -> tuple[bool, bool, str]:
    """Return whether a printed mean fits the expanded, and whether it fits the generated states."""
    low = mean_counts(text, hole, starts, nearest_first=True)
    high = mean_counts(text, hole, starts, nearest_first=False)

    def fits(least: Mean, most: Mean) -> bool:
        error = SIGMAS * most.difference_error(starts)
        return least.value - error <= printed <= most.value + error

    note = (
        f"{text}: expanded {low.expanded.value:,.0f} to {high.expanded.value:,.0f}, "
        f"generated {low.generated.value:,.0f} to {high.generated.value:,.0f}, printed {printed:,.0f}"
    )
    return fits(low.expanded, high.expanded), fits(low.generated, high.generated), note


def table_3_a_star(scope: Scope) -> Found:
    """Count what A* expands and generates on the 8-puzzle, without and with diagonals."""
    rows = [_counted(text, hole, printed, PAPER_STARTS) for text, hole, printed, *_ in TABLE_3[1:]]
    notes = "; ".join(note for *_, note in rows)
    expanded, generated = all(row[0] for row in rows), all(row[1] for row in rows)
    return Found(expanded, generated, note=f"they count different states generated. {notes}")


def table_3_theta(scope: Scope) -> Found:
    """Count the same on theta(2,2,3), where the two are too near to tell which is printed."""
    text, hole, printed, *_ = TABLE_3[0]
    expanded, generated, note = _counted(text, hole, printed, THETA_STARTS)
    return Found(expanded or generated, up_to=f"{THETA_STARTS} starts", note=note)


def weights(scope: Scope) -> Found:
    """W as the paper says it is calculated: the mean ratio of moves to distances."""
    ratios = [
        (text, distance_ratio(text, hole, 40), printed)
        for text, hole, printed in (("theta(2,2,3)", 1, 4.0), ("king R(3,4)", 11, 1.4))
    ]
    good = all(abs(ratio - printed) < 0.25 * printed for _, ratio, printed in ratios)
    return Found(good, note=", ".join(f"{t}: {r:.2f}, printed {w}" for t, r, w in ratios))


def table_4(scope: Scope) -> Found:
    """Compare weighted A* on theta(2,2,3) with A*, for the same starts: nodes and lengths."""
    text, hole, *_ = TABLE_3[0]
    starts = THETA_STARTS
    plain = mean_counts(text, hole, starts)
    found = {weight: mean_counts(text, hole, starts, weight=weight) for weight in (4.0, 5.0)}
    longer = {weight: 100 * (counts.length / plain.length - 1) for weight, counts in found.items()}
    four = found[4.0]
    error = SIGMAS * four.generated.difference_error(starts)
    nodes = four.expanded.value - error <= 27540.3 <= four.generated.value + error
    near = {weight: abs(percent - 16.82) < 2.5 for weight, percent in longer.items()}
    note = (
        f"longer by {longer[4.0]:.1f} % with W = 4, {longer[5.0]:.1f} % with W = 5, printed 16.82 %; "
        f"nodes {four.expanded.value:,.0f} to {four.generated.value:,.0f}, printed 27,540"
    )
    return Found(nodes and near[4.0], nodes and near[5.0], up_to=f"{starts} starts", note=note)


def figure_6_1(scope: Scope) -> Found:
    """Check table 4."""
    return Found(None, note="the graph of the figure is not in the text")


def inadmissible(scope: Scope) -> Found:
    """Check section 7."""
    starts = scope.up_to(10, 100)
    gains = []
    for text, hole, *_ in TABLE_3[1:]:
        counts = mean_counts(text, hole, starts)
        states = 181_440 if text.startswith("square") else 362_880
        gains.append((cyclomatic_number(as_board(text)), 1 - counts.generated.value / states * 2))
    return Found(gains == sorted(gains), up_to="3 x 3 without and with diagonals")
