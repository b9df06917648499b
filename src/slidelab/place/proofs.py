"""Short proofs that gourds cannot be placed, by counting and by matchings, each told in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from slidelab.boards import Edge
from slidelab.boards.matching import Deficit, covering_deficit, edge_matching
from slidelab.place.question import EMPTY, Question

__all__ = ["why_not"]

# Matchings by plain Python: on larger boards they would take longer than the search that follows.
MOST_CELLS = 4_000


def why_not(question: Question) -> str | None:
    """A sentence that proves that there is no placement, or None if none is that short.

    >>> from slidelab.boards import board
    >>> why_not(Question(board("path(3)"), ("red", "blue", "blue"), (("red", "red"),)))
    'there are 2 red ends, but only 1 red cell'
    """
    return next(_proofs(question), None)


def _proofs(question: Question) -> Iterator[str]:
    """Cheap ones first; later ones may rely on earlier ones having failed."""
    yield from _too_many_gourds(question)
    yield from _too_many_ends(question)
    yield from _too_few_places(question)
    if question.board.size <= MOST_CELLS:
        yield from _too_few_at_once(question)
        yield from _cannot_be_covered(question)


def _too_many_gourds(question: Question) -> Iterator[str]:
    needed, cells = 2 * len(question.gourds), question.board.size - question.cells.count(EMPTY)
    if needed > cells:
        may = "" if cells == question.board.size else " that may be covered"
        yield f"{_many(len(question.gourds), 'gourd')} need {needed} cells, but the board has {cells}{may}"


def _too_many_ends(question: Question) -> Iterator[str]:
    have = Counter(question.cells)
    for colour, ends in sorted(question.ends.items()):
        if ends > have[colour]:
            are = "is" if ends == 1 else "are"
            few = f"only {_many(have[colour], f'{colour} cell')}" if have[colour] else f"no {colour} cell"
            yield f"there {are} {_many(ends, f'{colour} end')}, but {few}"


def _too_few_places(question: Question) -> Iterator[str]:
    for pair, budget in question.budget.items():
        places = len(question.edges[pair])
        if budget > places:
            cells = f"{pair[0]} and {pair[1]} cells" if pair[0] != pair[1] else f"{pair[0]} cells"
            where = f"only in {_many(places, 'place')}" if places else "nowhere"
            yield f"{_many(budget, f'{pair[0]}-{pair[1]} gourd')}, but {cells} touch {where}"


def _too_few_at_once(question: Question) -> Iterator[str]:
    """A largest matching on the edges of some classes is smaller than their gourds are many."""
    for pair, budget in question.budget.items():
        yield from _short_of(f"{pair[0]}-{pair[1]} gourds", budget, question.edges[pair])
    for colour in sorted(question.ends):
        pairs = [pair for pair in question.budget if colour in pair]
        edges = [edge for pair in pairs for edge in question.edges[pair]]
        gourds = sum(question.budget[pair] for pair in pairs)
        yield from _short_of(f"gourds with an end of colour {colour}", gourds, edges)
    everywhere = [edge for edges in question.edges.values() for edge in edges]
    yield from _short_of("gourds", len(question.gourds), everywhere)


def _short_of(what: str, budget: int, edges: list[Edge]) -> Iterator[str]:
    fit = len(edge_matching(edges))
    if fit < budget:
        yield f"of the {budget} {what} only {fit} fit at once"


def _cannot_be_covered(question: Question) -> Iterator[str]:
    rows: list[list[int]] = [[] for _ in range(question.board.size)]
    for edges in question.edges.values():
        for a, b in edges:
            rows[a].append(b)
            rows[b].append(a)
    if deficit := covering_deficit(rows, question.required):
        yield _told(deficit)


def _told(deficit: Deficit) -> str:
    groups, partners = deficit.odd_sets, deficit.partners
    cells = [cell for group in groups for cell in group]
    if not partners:
        if len(cells) == 1:
            return f"cell {cells[0]} must be covered, but no gourd fits there"
        return (
            f"the {len(cells)} cells {_listed(cells)} must be covered, but gourds there join them "
            "only with each other, and their number is odd"
        )
    few = f"only {_many(len(partners), 'cell')} ({_listed(partners)}) can be joined with them"
    if len(cells) == len(groups):
        return f"the {len(cells)} cells {_listed(cells)} must be covered, but {few}"
    return f"{len(groups)} groups of cells, each odd in number ({_listed(cells)}), must be covered, but {few}"


def _listed(cells: Iterable[int], most: int = 12) -> str:
    ordered = sorted(cells)
    return " ".join(map(str, ordered[:most])) + (" ..." if len(ordered) > most else "")


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s'[: number != 1]}"
