"""Short proofs that gourds cannot be placed, by counting and by matchings, each in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from slidelab.boards import Edge
from slidelab.boards.matching import Deficit, covering_deficit, edge_matching
from slidelab.messages import counted
from slidelab.place.problem import EMPTY, PlacementProblem

__all__ = ["infeasibility_proof"]

MAX_MATCHING_CELLS = 4_000
"""Largest board on which matchings are computed: on larger ones they take longer than the search."""

MAX_LISTED_CELLS = 12
"""Cells that a sentence lists."""


def infeasibility_proof(problem: PlacementProblem) -> str | None:
    """Return a sentence that proves that there is no placement, or None if none is that short.

    >>> from slidelab.boards import board
    >>> infeasibility_proof(PlacementProblem(board("path(3)"), ("red", "blue", "blue"), (("red", "red"),)))
    'there are 2 red ends, but only 1 red cell'
    """
    return next(_proofs(problem), None)


def _proofs(problem: PlacementProblem) -> Iterator[str]:
    """Yield proofs, cheap ones first; later ones may rely on earlier ones having failed."""
    yield from _too_many_gourds(problem)
    yield from _too_many_ends(problem)
    yield from _too_few_edges(problem)
    if problem.board.size <= MAX_MATCHING_CELLS:
        yield from _too_few_at_once(problem)
        yield from _cannot_be_covered(problem)


def _too_many_gourds(problem: PlacementProblem) -> Iterator[str]:
    needed, cells = 2 * len(problem.gourds), problem.board.size - problem.cells.count(EMPTY)
    if needed > cells:
        usable = "" if cells == problem.board.size else " that may be covered"
        gourds = counted(len(problem.gourds), "gourd")
        yield f"{gourds} need {needed} cells, but the board has {cells}{usable}"


def _too_many_ends(problem: PlacementProblem) -> Iterator[str]:
    present = Counter(problem.cells)
    for colour, ends in sorted(problem.ends.items()):
        if ends > present[colour]:
            are = "is" if ends == 1 else "are"
            few = (
                f"only {counted(present[colour], f'{colour} cell')}"
                if present[colour]
                else f"no {colour} cell"
            )
            yield f"there {are} {counted(ends, f'{colour} end')}, but {few}"


def _too_few_edges(problem: PlacementProblem) -> Iterator[str]:
    for pair, number in problem.counts.items():
        places = len(problem.edges[pair])
        if number > places:
            cells = f"{pair[0]} and {pair[1]} cells" if pair[0] != pair[1] else f"{pair[0]} cells"
            where = f"only in {counted(places, 'place')}" if places else "nowhere"
            yield f"{counted(number, f'{pair[0]}-{pair[1]} gourd')}, but {cells} touch {where}"


def _too_few_at_once(problem: PlacementProblem) -> Iterator[str]:
    """Prove that a maximum matching on the edges of some classes is smaller than the number of gourds."""
    for pair, number in problem.counts.items():
        yield from _short_of(f"{pair[0]}-{pair[1]} gourds", number, problem.edges[pair])
    for colour in sorted(problem.ends):
        pairs = [pair for pair in problem.counts if colour in pair]
        edges = [edge for pair in pairs for edge in problem.edges[pair]]
        gourds = sum(problem.counts[pair] for pair in pairs)
        yield from _short_of(f"gourds with an end of colour {colour}", gourds, edges)
    everywhere = [edge for edges in problem.edges.values() for edge in edges]
    yield from _short_of("gourds", len(problem.gourds), everywhere)


def _short_of(what: str, number: int, edges: list[Edge]) -> Iterator[str]:
    fit = len(edge_matching(edges))
    if fit < number:
        yield f"of the {number} {what} only {fit} fit at once"


def _cannot_be_covered(problem: PlacementProblem) -> Iterator[str]:
    rows: list[list[int]] = [[] for _ in range(problem.board.size)]
    for edges in problem.edges.values():
        for a, b in edges:
            rows[a].append(b)
            rows[b].append(a)
    if deficit := covering_deficit(rows, problem.required):
        yield _sentence(deficit)


def _sentence(deficit: Deficit) -> str:
    sets, partners = deficit.odd_sets, deficit.partners
    cells = [cell for members in sets for cell in members]
    if not partners:
        if len(cells) == 1:
            return f"cell {cells[0]} must be covered, but no gourd fits there"
        return (
            f"the {len(cells)} cells {_listed(cells)} must be covered, but gourds there join them "
            "only with each other, and their number is odd"
        )
    few = f"only {counted(len(partners), 'cell')} ({_listed(partners)}) can be joined with them"
    if len(cells) == len(sets):
        return f"the {len(cells)} cells {_listed(cells)} must be covered, but {few}"
    return f"{len(sets)} sets of cells, each odd in number ({_listed(cells)}), must be covered, but {few}"


def _listed(cells: Iterable[int]) -> str:
    ordered = sorted(cells)
    return " ".join(map(str, ordered[:MAX_LISTED_CELLS])) + (
        " ..." if len(ordered) > MAX_LISTED_CELLS else ""
    )
