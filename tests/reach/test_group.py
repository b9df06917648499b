"""Permutation groups against SymPy, and groups that are known by heart."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from math import factorial, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sympy.combinatorics import Permutation as SympyPermutation
from sympy.combinatorics import PermutationGroup as SympyGroup

import slidelab as sl
from reach.test_against_plain import thorough
from slidelab.errors import PuzzleError, TooLarge
from slidelab.permutations import cycles, is_even
from slidelab.puzzles import Configuration
from slidelab.reach.group import PermutationGroup

Row = tuple[int, ...]
Syntheme = frozenset[tuple[int, int]]


def from_cycles(degree: int, *moved: Sequence[int]) -> Row:
    """The permutation with these cycles, of points counted from 0."""
    out = list(range(degree))
    for cycle in moved:
        for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            out[a] = b
    return tuple(out)


def then(a: Row, b: Row) -> Row:
    return tuple(b[x] for x in a)


def inverse(a: Row) -> Row:
    return tuple(sorted(range(len(a)), key=lambda x: a[x]))


def sympy_group(rows: Sequence[Row], degree: int) -> SympyGroup:
    return SympyGroup([SympyPermutation(list(row)) for row in (rows or [tuple(range(degree))])])


@st.composite
def generators(draw: st.DrawFn) -> tuple[int, list[Row]]:
    """Groups of many kinds: long cycles, orbits side by side, blocks, orbits that move together."""
    kind = draw(st.sampled_from(["any", "sparse", "parts", "blocks", "linked", "cyclic"]))
    degree = draw(st.integers(1, 12))
    count = draw(st.integers(0, 4))
    if kind == "any":
        return degree, [tuple(draw(st.permutations(range(degree)))) for _ in range(count)]
    if kind == "sparse":
        pairs = st.tuples(*[st.integers(0, degree - 1)] * 3)
        rows = []
        for _ in range(count):
            triple = sorted(set(draw(pairs)))
            rows.append(from_cycles(degree, triple))
        return degree, rows
    if kind == "cyclic":
        row = tuple(draw(st.permutations(range(degree))))
        return degree, [row, then(row, row)][: draw(st.integers(1, 2))]
    if kind == "parts":
        cut = draw(st.integers(0, degree))
        rows = []
        for _ in range(count):
            left = draw(st.permutations(range(cut)))
            rows.append((*left, *draw(st.permutations(range(cut, degree)))))
        return degree, rows
    if kind == "linked":
        half = draw(st.integers(1, 6))
        rows = []
        for _ in range(count):
            part = draw(st.permutations(range(half)))
            rows.append((*part, *(x + half for x in part)))
        return 2 * half, rows
    size = draw(st.integers(1, 4))
    blocks = draw(st.integers(1, 12 // size))
    rows = []
    for _ in range(count):
        order = draw(st.permutations(range(blocks)))
        inside = [draw(st.permutations(range(size))) for _ in range(blocks)]
        images = [0] * (size * blocks)
        for block in range(blocks):
            for x in range(size):
                images[block + blocks * x] = order[block] + blocks * inside[block][x]
        rows.append(tuple(images))
    return size * blocks, rows


@given(generators())
@thorough(100)
def test_order_orbits_and_sign_as_in_sympy(case: tuple[int, list[Row]]) -> None:
    degree, rows = case
    group, other = PermutationGroup(rows, degree), sympy_group(rows, degree)
    assert group.order == other.order()
    orbits = {tuple(sorted(orbit)) for orbit in other.orbits()}
    assert {orbit for orbit in group.orbits if len(orbit) > 1} == set(group.moved_orbits)
    assert set(group.moved_orbits) == {orbit for orbit in orbits if len(orbit) > 1}
    assert sorted(x for orbit in group.orbits for x in orbit) == list(range(degree))
    assert group.fixed_points == tuple(x for x in range(degree) if all(row[x] == x for row in rows))
    assert group.is_even == all(g.is_even for g in other.generators)
    assert group.is_transitive == (len(group.orbits) == 1)
    assert all(group.orbit(x) == orbit for orbit in group.orbits for x in orbit)


@given(generators(), st.data())
@thorough(120)
def test_membership_as_in_sympy(case: tuple[int, list[Row]], data: st.DataObject) -> None:
    degree, rows = case
    group, other = PermutationGroup(rows, degree), sympy_group(rows, degree)
    for _ in range(4):
        row = tuple(data.draw(st.permutations(range(degree))))
        assert (row in group) == other.contains(SympyPermutation(list(row)))
    element = group.random_element(data.draw(st.integers(0, 2**64 - 1)))
    assert element in group
    assert other.contains(SympyPermutation(list(element)))
    # One transposition more: in the group only if SymPy says so.
    if degree > 1:
        a, b = data.draw(st.sampled_from([(a, b) for a in range(degree) for b in range(a)]))
        near = then(element, from_cycles(degree, (a, b)))
        assert (near in group) == other.contains(SympyPermutation(list(near)))


@given(generators())
@thorough(100)
def test_blocks_as_in_sympy(case: tuple[int, list[Row]]) -> None:
    degree, rows = case
    group, other = PermutationGroup(rows, degree), sympy_group(rows, degree)
    if not group.is_transitive:
        with pytest.raises(PuzzleError, match="transitive"):
            group.blocks()
        assert group.is_primitive is False
        return
    if degree < 3:
        assert group.blocks() == []
        return
    systems = set()
    for point in range(1, degree):
        labels = other.minimal_block([0, point])
        parts = {tuple(x for x in range(degree) if labels[x] == label) for label in set(labels)}
        if len(parts) > 1:
            systems.add(tuple(sorted(parts)))
    least = {s for s in systems if not any(set(t[0]) < set(s[0]) for t in systems)}
    assert {tuple(sorted(system)) for system in group.blocks()} == least
    assert group.is_primitive == other.is_primitive(randomized=False)
    for system in group.blocks():
        for row in rows:
            assert {frozenset(row[x] for x in block) for block in system} == set(map(frozenset, system))


@given(generators(), st.data())
@thorough(100)
def test_words_multiply_to_what_they_stand_for(case: tuple[int, list[Row]], data: st.DataObject) -> None:
    degree, rows = case
    weights = [data.draw(st.integers(1, 9)) for _ in rows]
    group = PermutationGroup(rows, degree)
    element = group.random_element(data.draw(st.integers(0, 10**6)))
    word = group.factor(element, weights=weights)
    assert word is not None
    assert all(1 <= abs(letter) <= len(rows) for letter in word)
    now: Row = tuple(range(degree))
    for letter in word:  # multiplied out here, not by the group
        g = tuple(rows[abs(letter) - 1])
        now = then(now, g if letter > 0 else inverse(g))
    assert now == element == group.product(word)
    other = tuple(data.draw(st.permutations(range(degree))))
    assert (group.factor(other) is None) == (other not in group)


@given(generators())
@thorough(60)
def test_elements_are_all_there(case: tuple[int, list[Row]]) -> None:
    degree, rows = case
    group = PermutationGroup(rows, degree)
    if group.order > 3000:
        with pytest.raises(TooLarge, match="3000"):
            list(group.elements(limit=3000))
        return
    elements = list(group.elements(limit=3000))
    assert len(set(elements)) == len(elements) == group.order
    assert all(element in group for element in elements)
    assert {then(a, inverse(b)) for a in elements[:5] for b in elements[:5]} <= set(elements)


@given(generators(), st.data())
@thorough(60)
def test_the_action_on_some_orbits(case: tuple[int, list[Row]], data: st.DataObject) -> None:
    degree, rows = case
    group = PermutationGroup(rows, degree)
    chosen = [orbit for orbit in group.orbits if data.draw(st.booleans())]
    points = sorted(x for orbit in chosen for x in orbit)
    place = {x: i for i, x in enumerate(points)}
    restricted = [tuple(place[row[x]] for x in points) for row in rows]
    on = group.on(points)
    assert on.degree == len(points)
    assert on.order == (sympy_group(restricted, len(points)).order() if points else 1)


# Groups that are known

M11 = [
    from_cycles(11, tuple(range(11))),
    from_cycles(11, (2, 6, 10, 7), (3, 9, 4, 5)),
]
M12 = [
    *((*row, 11) for row in M11),
    from_cycles(12, (0, 11), (1, 10), (2, 5), (3, 7), (4, 8), (6, 9)),
]


def affine(prime: int, a: int, b: int) -> Row:
    return tuple((a * x + b) % prime for x in range(prime))


def fractional(prime: int, a: int, b: int, c: int, d: int) -> Row:
    """x -> (ax + b) / (cx + d) on the projective line; the last point is infinity."""

    def image(x: int) -> int:
        top, bottom = (a, c) if x == prime else ((a * x + b) % prime, (c * x + d) % prime)
        return prime if bottom % prime == 0 else top * pow(bottom, -1, prime) % prime

    return tuple(image(x) for x in range(prime + 1))


KNOWN = {
    "C7": ([affine(7, 1, 1)], 7, "C(7)"),
    "C6": ([from_cycles(6, (0, 1, 2, 3, 4, 5))], 6, "C(6)"),
    "C2 x C3 as a cycle type": ([from_cycles(5, (0, 1), (2, 3, 4))], 6, "C(2) x C(3)"),
    "dihedral of a square": ([from_cycles(4, (0, 1, 2, 3)), from_cycles(4, (0, 2))], 8, "C2 wr Sym(2)"),
    "dihedral of a pentagon": ([affine(5, 1, 1), affine(5, 4, 0)], 10, "group of order 10 on 5 points"),
    "dihedral of 9": (
        [from_cycles(9, tuple(range(9))), tuple(-x % 9 for x in range(9))],
        18,
        "group of order 18 on 9 points",
    ),
    "AGL(1,7)": ([affine(7, 1, 1), affine(7, 3, 0)], 42, "group of order 42 on 7 points"),
    "PSL(3,2)": (
        [from_cycles(7, tuple(range(7))), from_cycles(7, (1, 2), (3, 6))],
        168,
        "group of order 168 on 7 points",
    ),
    "PSL(2,7)": (
        [fractional(7, 1, 1, 0, 1), fractional(7, 2, 0, 0, 1), fractional(7, 0, -1, 1, 0)],
        168,
        "group of order 168 on 8 points",
    ),
    "PGL(2,7)": (
        [fractional(7, 1, 1, 0, 1), fractional(7, 3, 0, 0, 1), fractional(7, 0, -1, 1, 0)],
        336,
        "group of order 336 on 8 points",
    ),
    "PSL(2,5)": (
        [fractional(5, 1, 1, 0, 1), fractional(5, 4, 0, 0, 1), fractional(5, 0, -1, 1, 0)],
        60,
        "group of order 60 on 6 points",
    ),
    "PGL(2,5)": (
        [fractional(5, 1, 1, 0, 1), fractional(5, 2, 0, 0, 1), fractional(5, 0, 1, 1, 0)],
        120,
        "PGL(2,5)",
    ),
    "M11": (M11, 7920, "group of order 7920 on 11 points"),
    "M12": (M12, 95040, "group of order 95040 on 12 points"),
    "Alt(4)": ([from_cycles(4, (0, 1, 2)), from_cycles(4, (1, 2, 3))], 12, "Alt(4)"),
    "Sym(3)": ([from_cycles(3, (0, 1, 2)), from_cycles(3, (0, 1))], 6, "Sym(3)"),
    "Alt(7) x Sym(5)": (
        [from_cycles(12, cycle) for cycle in ((0, 1, 2, 3, 4), (4, 5, 6), (7, 8, 9, 10, 11), (7, 8))],
        2520 * 120,
        "Alt(7) x Sym(5)",
    ),
    "nothing": ([from_cycles(4)], 1, "trivial"),
}


@pytest.mark.parametrize("which", KNOWN)
def test_known_groups(which: str) -> None:
    rows, order, name = KNOWN[which]
    group = PermutationGroup(rows)
    assert (group.order, group.name) == (order, name)
    assert repr(group) == f"<{name} of order {order} on {len(rows[0])} points>"
    # Other generators of the same group: conjugates and products.
    mixed = PermutationGroup([group.random_element(seed) for seed in range(8)])
    assert order % mixed.order == 0
    assert mixed.order == order
    assert all(row in mixed for row in rows)


@pytest.mark.parametrize(("rows", "order"), [(M11, 7920), (M12, 95040)])
def test_mathieu_groups_are_multiply_transitive(rows: list[Row], order: int) -> None:
    group = PermutationGroup(rows)
    n = group.degree
    assert group.is_primitive
    assert group.is_even
    assert not group.is_giant(range(n))
    # Sharply 4 and 5 times transitive: order n (n-1) (n-2) ..., and no 3-cycle.
    assert order == prod(range(8, n + 1))
    assert from_cycles(n, (0, 1, 2)) not in group
    assert sum(tuple(row) in group for row in random_rows(n, 2000, seed=1)) < 10


def random_rows(n: int, count: int, seed: int) -> list[Row]:
    rng = random.Random(seed)
    return [tuple(rng.sample(range(n), n)) for _ in range(count)]


# Wreath products: gourds


def signed(n: int, order: Sequence[int], flips: Sequence[int]) -> Row:
    """Bundle k goes to bundle order[k], turned round if flips[k]."""
    row = [0] * (2 * n)
    for k in range(n):
        for end in (0, 1):
            row[2 * k + end] = 2 * order[k] + (end ^ flips[k])
    return tuple(row)


def all_signed(n: int, keep: Callable[[bool, bool], bool]) -> list[Row]:
    rows = []
    for order in permutations(range(n)):
        for bits in range(2**n):
            flips = [bits >> k & 1 for k in range(n)]
            if keep(is_even(order), sum(flips) % 2 == 0):
                rows.append(signed(n, order, flips))
    return rows


WREATHS = {
    "C2 wr Sym({})": (lambda even, flat: True, 1),
    "C2 wr Alt({})": (lambda even, flat: even, 2),
    "C2 wr Sym({}), even flips": (lambda even, flat: flat, 2),
    "C2 wr Sym({}), flips matching parity": (lambda even, flat: even == flat, 2),
}


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("name", WREATHS)
def test_wreath_products_and_their_halves(name: str, n: int) -> None:
    keep, index = WREATHS[name]
    rows = all_signed(n, keep)
    order = 2**n * factorial(n) // index
    assert len(rows) == order
    rng = random.Random(n)
    group = PermutationGroup(rng.sample(rows, 12), turns=2)
    assert group.order == order
    assert group.name == name.format(n)
    assert all(row in group for row in rows)
    assert sum(row in group for row in all_signed(n, lambda even, flat: True)) == order
    # The same points with nothing said about bundles, and in another order.
    new = tuple(rng.sample(range(2 * n), 2 * n))
    renamed = [then(then(inverse(new), row), new) for row in rng.sample(rows, 12)]
    bare = PermutationGroup(renamed)
    assert bare.order == order
    assert bare.name == name.format(n)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_wreath_products_of_triangles(n: int) -> None:
    turn = from_cycles(3 * n, (0, 1, 2))
    swap = from_cycles(3 * n, (0, 3), (1, 4), (2, 5))
    around = tuple((x + 3) % (3 * n) for x in range(3 * n))
    group = PermutationGroup([turn, swap, around], turns=3)
    assert (group.order, group.name) == (3**n * factorial(n), f"C3 wr Sym({n})")


@pytest.mark.parametrize("n", [12, 20, 33])
def test_large_wreath_products(n: int) -> None:
    rng = random.Random(n)
    rows = [signed(n, rng.sample(range(n), n), [rng.randrange(2) for _ in range(n)]) for _ in range(6)]
    group = PermutationGroup(rows, turns=2)
    assert (group.order, group.name) == (2**n * factorial(n), f"C2 wr Sym({n})")
    assert signed(n, range(n), [1] + [0] * (n - 1)) in group
    assert from_cycles(2 * n, (0, 2)) not in group


# Products, direct and not


def side_by_side(*rows: Row) -> Row:
    out: list[int] = []
    for row in rows:
        out += [x + len(out) for x in row]
    return tuple(out)


def test_linked_signs() -> None:
    """Sym(5) and Sym(6) on different points, odd only together."""
    five, six = tuple(range(5)), tuple(range(6))
    rows = [
        side_by_side(from_cycles(5, (0, 1, 2, 3, 4)), six),
        side_by_side(from_cycles(5, (0, 1, 2)), six),
        side_by_side(five, from_cycles(6, (0, 1, 2, 3, 4))),
        side_by_side(five, from_cycles(6, (3, 4, 5))),
        side_by_side(from_cycles(5, (0, 1)), from_cycles(6, (0, 1))),
    ]
    group = PermutationGroup(rows)
    assert group.order == 120 * 720 // 2
    assert group.is_even
    for row in random_rows(5, 20, seed=2):
        for other in random_rows(6, 5, seed=3):
            assert (side_by_side(row, other) in group) == (is_even(row) == is_even(other))
    assert group.name == "group of order 43200 with orbits of 5, 6 points"
    direct = PermutationGroup([*rows, side_by_side(from_cycles(5, (0, 1)), six)])
    assert (direct.order, direct.name) == (120 * 720, "Sym(5) x Sym(6)")


@pytest.mark.parametrize(("a", "b", "c"), [(30, 25, 40), (9, 12, 60)])
def test_linked_signs_of_large_orbits(a: int, b: int, c: int) -> None:
    """Three giants; the first two are odd together, the third is even."""
    rng = random.Random(a)
    rows: list[Row] = []
    while len(rows) < 8:
        parts = [tuple(rng.sample(range(n), n)) for n in (a, b, c)]
        if is_even(parts[0]) == is_even(parts[1]) and is_even(parts[2]):
            rows.append(side_by_side(*parts))
    group = PermutationGroup(rows)
    assert group.order == factorial(a) * factorial(b) * factorial(c) // 4
    swap = [from_cycles(n, (0, 1)) for n in (a, b, c)]
    one = [tuple(range(n)) for n in (a, b, c)]
    assert side_by_side(swap[0], swap[1], one[2]) in group
    assert side_by_side(swap[0], one[1], one[2]) not in group
    assert side_by_side(one[0], one[1], swap[2]) not in group
    assert side_by_side(swap[0], swap[1], swap[2]) not in group
    for seed in range(5):
        element = group.random_element(seed)
        second, third = [x - a for x in element[a : a + b]], [x - a - b for x in element[a + b :]]
        assert is_even(element[:a]) == is_even(second)
        assert is_even(third)
        assert element in group


@pytest.mark.parametrize("n", [4, 7, 9, 20])
def test_two_orbits_that_move_as_one(n: int) -> None:
    rows = [side_by_side(row, row) for row in (from_cycles(n, (0, 1, k)) for k in range(2, n))]
    group = PermutationGroup(rows)
    assert (group.order, group.name) == (factorial(n) // 2, f"Alt({n})")
    assert side_by_side(from_cycles(n, (0, 1, 2)), tuple(range(n))) not in group
    assert side_by_side(from_cycles(n, (0, 1, 2)), from_cycles(n, (0, 2, 1))) not in group
    assert side_by_side(from_cycles(n, (0, 1), (2, 3)), from_cycles(n, (0, 1), (2, 3))) in group
    assert not group.is_giant(range(n))


def test_the_outer_automorphism_of_sym_6() -> None:
    """Sym(6) on its points and on its six synthemic totals: all of Sym(6) on both, but not freely."""
    duads = [(a, b) for a in range(6) for b in range(a + 1, 6)]
    synthemes = [
        frozenset(s)
        for s in {frozenset((x, y, z)) for x in duads for y in duads for z in duads if len({*x, *y, *z}) == 6}
    ]
    totals = set()
    for first in synthemes:
        for second in synthemes:
            total = {first, second}
            for other in synthemes:
                if all(not other & s for s in total):
                    total.add(other)
            if len(total) == 5 and len(set().union(*total)) == 15:
                totals.add(frozenset(total))
    assert len(totals) == 6
    ordered = sorted(totals, key=lambda total: sorted(sorted(s) for s in total))

    def image(row: Row) -> Row:
        def moved(total: frozenset[Syntheme]) -> frozenset[Syntheme]:
            pairs = [[(row[a], row[b]) for a, b in syntheme] for syntheme in total]
            return frozenset(frozenset((min(pair), max(pair)) for pair in some) for some in pairs)

        return tuple(ordered.index(moved(total)) for total in ordered)

    rows = [from_cycles(6, (0, 1)), from_cycles(6, (0, 1, 2, 3, 4, 5))]
    assert len(cycles(image(rows[0]))) == 3  # a swap becomes three
    group = PermutationGroup([side_by_side(row, image(row)) for row in rows])
    assert group.order == 720
    assert group.name == "Sym(6)"
    assert not group.is_giant(range(6))
    assert side_by_side(from_cycles(6, (0, 1, 2)), tuple(range(6))) not in group
    element = from_cycles(6, (1, 3, 5), (0, 2))
    assert side_by_side(element, image(element)) in group


# Large degree


@pytest.mark.parametrize("even", [True, False])
def test_degree_one_thousand(even: bool) -> None:
    rng = random.Random(17)
    rows: list[Row] = []
    while len(rows) < 3:
        row = tuple(rng.sample(range(1000), 1000))
        if is_even(row) or not even:
            rows.append(row)
    assert even or not all(map(is_even, rows))
    group = PermutationGroup(rows)
    assert group.name == ("Alt(1000)" if even else "Sym(1000)")
    assert group.order == factorial(1000) // (2 if even else 1)
    assert group.is_giant(range(1000))
    assert group.is_primitive
    assert (from_cycles(1000, (3, 800)) in group) is not even
    assert from_cycles(1000, (3, 800, 41)) in group
    assert is_even(group.random_element(1)) or not even


def test_a_product_of_giants_and_a_small_group() -> None:
    rng = random.Random(5)
    sizes = (200, 150, 80)
    rows = []
    for which, n in enumerate(sizes):
        for _ in range(2):
            row = tuple(rng.sample(range(n), n))
            row = row if is_even(row) else then(row, from_cycles(n, (0, 1)))
            parts = [tuple(range(m)) for m in sizes]
            parts[which] = row
            rows.append(side_by_side(*parts, *[tuple(range(m)) for m in (5, 3)]))
    rows.append(from_cycles(sum(sizes) + 8, range(430, 435)))
    group = PermutationGroup(rows)
    assert group.order == prod(factorial(n) // 2 for n in sizes) * 5
    assert group.name == "Alt(150) x Alt(200) x Alt(80) x C(5)"
    assert group.fixed_points == (435, 436, 437)
    assert [(orbit[0], orbit[-1]) for orbit in group.moved_orbits] == [
        (0, 199),
        (200, 349),
        (350, 429),
        (430, 434),
    ]
    assert from_cycles(438, (0, 1, 2), (200, 201, 202)) in group
    assert from_cycles(438, (0, 1), (200, 201)) not in group


# Random elements


def chi_square(counts: Counter[Any], cases: int) -> float:
    draws = counts.total()
    expected = draws / cases
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (cases - len(counts)) * expected


@pytest.mark.parametrize(
    ("rows", "limit"),
    [
        ([from_cycles(4, (0, 1, 2, 3)), from_cycles(4, (0, 1))], 50),  # one in a thousand
        ([from_cycles(7, (0, 1, 2), (3, 4, 5, 6)), from_cycles(7, (0, 1), (3, 5))], 110),
        ([affine(5, 1, 1), affine(5, 2, 0)], 44),
        ([signed(3, (1, 2, 0), (0, 0, 1)), signed(3, (1, 0, 2), (0, 0, 0))], 85),
    ],
)
@pytest.mark.parametrize("seeded", [True, False])
def test_random_elements_are_equally_likely(rows: list[Row], limit: float, seeded: bool) -> None:
    group = PermutationGroup(rows)
    assert group.order <= 72
    group.random_element(12345)
    counts = Counter(group.random_element(seed if seeded else None) for seed in range(100 * group.order))
    assert len(counts) == group.order
    assert chi_square(counts, group.order) < limit


def test_random_elements_of_a_giant_are_equally_likely() -> None:
    group = PermutationGroup([from_cycles(12, tuple(range(11))), from_cycles(12, (9, 10, 11))])
    assert group.name == "Alt(12)"
    assert group.core.giants
    elements = [group.random_element(seed) for seed in range(13_200)]
    assert all(map(is_even, elements))
    for a, b in ((0, 1), (5, 11), (10, 11)):
        counts = Counter((element[a], element[b]) for element in elements)
        assert chi_square(counts, 132) < 186  # 131 degrees of freedom, one in a thousand


def test_the_same_seed_gives_the_same_element() -> None:
    first, second = PermutationGroup(M12), PermutationGroup(M12)
    for seed in range(20):
        assert first.random_element(seed) == second.random_element(seed)
    assert len({first.random_element(seed) for seed in range(20)}) > 15
    assert first.random_element(2**64 + 3) == first.random_element(3)


def test_the_seed_of_the_search_does_not_matter() -> None:
    for rows in (M11, [from_cycles(30, tuple(range(30))), from_cycles(30, (0, 1, 2))]):
        groups = [PermutationGroup(rows, seed=seed) for seed in range(6)]
        assert len({group.order for group in groups}) == 1
        assert len({group.name for group in groups}) == 1


# Giants


def test_is_giant() -> None:
    group = PermutationGroup(KNOWN["Alt(7) x Sym(5)"][0])
    assert group.is_giant(range(7))
    assert group.is_giant(range(7, 12))
    assert not PermutationGroup(KNOWN["PGL(2,5)"][0]).is_giant(range(6))
    assert not PermutationGroup([affine(5, 1, 1)]).is_giant(range(5))
    assert PermutationGroup([from_cycles(3, (0, 1, 2))]).is_giant(range(3))
    with pytest.raises(ValueError, match="not in tuple"):
        group.is_giant(range(3))


# Exports and bad input


@given(generators())
@thorough(40)
def test_exports(case: tuple[int, list[Row]]) -> None:
    degree, rows = case
    group = PermutationGroup(rows, degree)
    there = group.to_sympy()
    assert there.order() == group.order
    moving = [row for row in rows if row != tuple(range(degree))]
    assert {tuple(g.array_form) for g in there.generators if not g.is_Identity} == set(moving)
    text = PermutationGroup(moving, degree).to_gap()
    assert _from_gap(text, degree) == moving


def _from_gap(text: str, degree: int) -> list[Row]:
    """The generators that a GAP text lists, read by hand."""
    if text == "Group(())":
        return []
    assert text.startswith("Group([(")
    assert text.endswith(")])")
    out = []
    for part in text.removeprefix("Group([").removesuffix("])").replace("),(", ")|(").split("|"):
        moved = [tuple(int(x) - 1 for x in c.split(",")) for c in part.strip("()").split(")(")]
        out.append(from_cycles(degree, *moved))
    return out


def test_gap_text() -> None:
    assert PermutationGroup([(1, 2, 0, 4, 3)]).to_gap() == "Group([(1,2,3)(4,5)])"
    assert PermutationGroup([], 3).to_gap() == "Group(())"


def test_gap_text_of_an_identity() -> None:
    assert PermutationGroup([(0, 1, 2), (1, 0, 2)]).to_gap() in ("Group([(),(1,2)])", "Group([(1,2)])")


@pytest.mark.parametrize(
    ("rows", "degree"),
    [
        ([(0, 0)], None),
        ([(1, 2)], None),
        ([(-1, 0)], None),
        ([(0, 1), (0, 1, 2)], None),
        ([(0, 1)], 3),
        ([("a", "b")], None),
        ([(None, 0)], None),
        ([(2**70, 0)], None),
    ],
)
def test_bad_permutations(rows: list[Any], degree: int | None) -> None:
    with pytest.raises(PuzzleError, match="expected permutations"):
        PermutationGroup(rows, degree)


def test_fractions_are_no_points() -> None:
    with pytest.raises(PuzzleError, match="expected permutations"):
        PermutationGroup([(1.7, 0.2)])  # type: ignore[list-item]


def test_too_many_points() -> None:
    with pytest.raises(TooLarge, match="65535"):
        PermutationGroup([range(65536)])


@pytest.mark.parametrize("bad", [(0, 1), (0, 0, 1), (0, 1, 3), ()])
def test_queries_about_something_else(bad: Row) -> None:
    group = PermutationGroup([(1, 2, 0)])
    with pytest.raises(PuzzleError, match="0 to 2"):
        _ = bad in group
    with pytest.raises(PuzzleError, match="0 to 2"):
        group.factor(bad)


@pytest.mark.parametrize("degree", [0, 1, 2, 9])
def test_the_trivial_group(degree: int) -> None:
    group = PermutationGroup([], degree)
    assert (group.order, group.name, group.is_even) == (1, "trivial", True)
    assert group.random_element(1) == tuple(range(degree))
    assert group.factor(tuple(range(degree))) == []
    assert list(group.elements()) == [tuple(range(degree))]
    assert group.moved_orbits == ()


@given(st.permutations(range(9)))
@thorough(50)
def test_cycles_and_sign(row: Sequence[int]) -> None:
    assert from_cycles(9, *cycles(row)) == tuple(row)
    inversions = sum(row[i] > row[j] for i in range(9) for j in range(i + 1, 9))
    assert is_even(row) == (inversions % 2 == 0)
    assert all(len(cycle) > 1 for cycle in cycles(row))


@pytest.mark.parametrize(
    "text", ["square R(3,3)", "hex P(3,4)", "hex F(2) gourds", "theta(1,2,2)", "hex F(2) trimers"]
)
def test_the_group_of_a_puzzle_acts_on_the_pieces_of_its_goal(text: str) -> None:
    puzzle = sl.puzzle(text)
    goal, turns = puzzle.goal, puzzle.rule.turns
    for seed in range(20):
        element = puzzle.group().random_element(seed)
        # Piece k goes to the place of piece element[k]; with two ends, head to where that point is.
        pieces = tuple(
            puzzle.rule.readings(goal.pieces[element[k * turns] // turns])[-element[k * turns] % turns]
            for k in range(puzzle.piece_count)
        )
        assert puzzle.solvable(goal, Configuration(puzzle, pieces))
    odd = [1, 0, *range(2, puzzle.group().degree)]
    swapped = (goal.pieces[1], goal.pieces[0], *goal.pieces[2:])
    if turns == 1:
        assert (tuple(odd) in puzzle.group()) == bool(puzzle.solvable(goal, Configuration(puzzle, swapped)))
