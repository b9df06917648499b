"""The reduction of theorem 1: gadgets proved by all their coverings, formulas by brute force."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice, product

import networkx as nx
import pytest

from slidelab.boards import Cell, hex_board, is_hole_free
from slidelab.budget import Budget
from slidelab.errors import NotationError, Unsolvable
from slidelab.place.hard_instances import clause_gadget, one_in_three, variable_gadget
from slidelab.place.placement import place

Clauses = Sequence[tuple[int, int, int]]
Pairs = tuple[tuple[str, ...], ...]


def is_one_in_three(clauses: Clauses) -> bool:
    """Return whether some values make exactly one variable of each clause true, trying all values."""
    return any(holds(clauses, values) for values in product((False, True), repeat=len(clauses)))


def holds(clauses: Clauses, values: Sequence[bool]) -> bool:
    return all(sum(values[variable - 1] for variable in clause) == 1 for clause in clauses)


def coverings(colours: dict[Cell, str]) -> Iterator[Pairs]:
    """Return all covers of the cells that are not filler by pairs of them, as sorted pairs of colours."""
    on = hex_board(colours)
    colour = [colours[cell] for cell in on.cells]
    cells = [cell for cell in range(on.size) if colour[cell] != "F"]

    def cover(left: frozenset[int]) -> Iterator[list[tuple[str, ...]]]:
        if not left:
            yield []
            return
        # The cell with the fewest partners left: then a fan or ring is followed around.
        cell = min(left, key=lambda c: (sum(other in left for other in on.neighbours[c]), c))
        for other in on.neighbours[cell]:
            if other in left:
                pair = tuple(sorted((colour[cell], colour[other])))
                yield from ([pair, *rest] for rest in cover(left - {cell, other}))

    return (tuple(sorted(pairs)) for pairs in cover(frozenset(cells)))


def multiset(text: str) -> Pairs:
    """Return XV*2 YZ as sorted pairs, X, Y, Z being x1, x2, x3."""
    out: list[tuple[str, ...]] = []
    for token in text.split():
        pair, _, times = token.partition("*")
        names = {"V": "V", "X": "x1", "Y": "x2", "Z": "x3"}
        out += [tuple(sorted(names[letter] for letter in pair))] * int(times or 1)
    return tuple(sorted(out))


def test_a_ring_is_covered_in_two_ways() -> None:
    assert sorted(coverings(variable_gadget(1))) == sorted([multiset("XX*3 VV*3"), multiset("XV*6")])


FIRST = {"X": "XV YY YZ", "Y": "YV XY YZ", "Z": "ZV XY YY"}
SECOND = {"X": "XV XY ZZ", "Y": "YV XX ZZ", "Z": "ZV XX YZ"}


def test_a_clause_is_covered_by_two_fans_a_pair_and_a_triangle() -> None:
    found = Counter(coverings(clause_gadget((1, 2, 3))))
    expected = {multiset(f"{FIRST[a]} {SECOND[b]} XZ VV*5") for a in FIRST for b in SECOND}
    assert set(found) == expected
    # Each fan in three ways, whatever the triangle does: no covering but these.
    assert len(set(found.values())) == 1


def test_a_clause_has_the_gourds_of_the_paper_if_its_fans_agree() -> None:
    found = set(coverings(clause_gadget((1, 2, 3))))
    assert multiset("XV*2 VV*5 YY ZZ XY YZ XZ") in found
    assert multiset("YV*2 VV*5 XX ZZ XY YZ XZ") in found
    assert multiset("ZV*2 VV*5 XX YY XY YZ XZ") in found


def test_a_clause_takes_at_most_two_of_a_variable_and_two_in_all() -> None:
    for pairs in set(coverings(clause_gadget((1, 2, 3)))):
        taken = Counter(pair for pair in pairs if "V" in pair and pair != ("V", "V"))
        assert sum(taken.values()) == 2


def test_gadgets_do_not_touch_and_filler_is_covered() -> None:
    hard = one_in_three([(1, 2, 3), (3, 4, 1), (1, 2, 4), (2, 3, 4)])
    graph = nx.Graph(hard.board.edges)
    filler = [cell for cell, colour in enumerate(hard.cells) if colour == "F"]
    rest = nx.Graph(graph.subgraph(set(graph) - set(filler)))
    # Four rings; four times two fans, a pair and a triangle.
    sizes = Counter(len(part) for part in nx.connected_components(rest))
    assert sizes == {12: 4, 6: 8, 2: 4, 10: 4}
    # Each gadget's filler is covered by itself: one cell is left, the one for the hole.
    for gadget in (variable_gadget(1), clause_gadget((1, 2, 3))):
        on = hex_board(gadget)
        inside = nx.Graph(on.edges).subgraph(c for c in range(on.size) if gadget[on.cells[c]] == "F")
        assert nx.is_perfect_matching(inside, nx.max_weight_matching(inside, maxcardinality=True))
    assert hard.board.size == 2 * len(hard.gourds) + 1 == 72 * 4 + 1
    assert {r for _, r in hard.board.cells} == {0, 1, 2, 3}
    assert is_hole_free(hard.board)


def test_only_a_cell_of_filler_can_stay_empty() -> None:
    hard = one_in_three([(1, 2, 3)] * 3)
    have, ends = Counter(hard.cells), Counter(end for pair in hard.gourds for end in pair)
    assert have - ends == {"F": 1}
    assert not ends - have


def all_formulas(variables: int) -> Iterator[Clauses]:
    clauses = list(combinations(range(1, variables + 1), 3))
    for formula in combinations_with_replacement(clauses, variables):
        if set(Counter(v for clause in formula for v in clause).values()) == {3}:
            yield formula


def random_formula(variables: int, rng: random.Random) -> Clauses:
    while True:
        ends = [v for v in range(1, variables + 1) for _ in range(3)]
        rng.shuffle(ends)
        clauses = list(zip(*[iter(ends)] * 3, strict=True))
        if all(len(set(clause)) == 3 for clause in clauses):
            return clauses


def answer(clauses: Clauses) -> bool:
    hard = one_in_three(clauses)
    found = place(hard.board, hard.cells, hard.gourds, budget=Budget.of(time=60))
    if found:
        assert holds(clauses, hard.assignment(found))
    else:
        with pytest.raises(Unsolvable):
            hard.assignment(found)
    return bool(found)


@pytest.mark.parametrize("variables", [3, 4, 5])
def test_all_small_formulas(variables: int) -> None:
    formulas = list(all_formulas(variables))
    assert formulas
    for clauses in formulas[:25]:
        assert answer(clauses) == is_one_in_three(clauses) == (variables == 3)


@pytest.mark.parametrize("expected", [True, False])
@pytest.mark.parametrize("variables", [6, 9])
def test_random_formulas(variables: int, expected: bool) -> None:
    rng = random.Random(variables)
    drawn = (random_formula(variables, rng) for _ in range(2000))
    formulas = list(islice((f for f in drawn if is_one_in_three(f) == expected), 8))
    assert len(formulas) == 8
    for clauses in formulas:
        assert answer(clauses) == expected


@pytest.mark.parametrize("variables", [7, 8, 12])
def test_larger_random_formulas(variables: int) -> None:
    rng = random.Random(variables)
    for _ in range(3):
        clauses = random_formula(variables, rng)
        assert answer(clauses) == is_one_in_three(clauses)


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        ([], "expected at least three clauses, got none"),
        ([(1, 2)], "expected three different variables"),
        ([(1, 2, 2), (1, 2, 3), (1, 3, 3)], "got (1, 2, 2) - at clause 1"),
        ([(1, 2, 3), (1, 2, 4), (1, 2, 3)], "from 1 to 3 (as many as clauses), got (1, 2, 4) - at clause 2"),
        ([(1, 2, 3), (1, 2, 3), (1, 2, 3), (2, 3, 4)], "expected every variable in three clauses, got 4"),
    ],
)
def test_other_formulas_are_refused(clauses: Clauses, words: str) -> None:
    with pytest.raises(NotationError) as error:
        one_in_three(clauses)
    assert words in str(error.value)
