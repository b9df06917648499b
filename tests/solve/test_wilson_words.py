"""The words of the papers for theta graphs, as printed and corrected, and as moves."""

from __future__ import annotations

from itertools import permutations

import pytest

import slidelab as sl
from slidelab.claims.words import Permutation, cycle, power
from slidelab.claims.words import compose as composed
from slidelab.claims.words import reverse_word as right_to_left
from slidelab.claims.words import word_value as value
from slidelab.solve.wilson.ears import base_theta
from slidelab.solve.wilson.exchanges import Words
from slidelab.solve.wilson.thetas import Theta, best_renaming, sylow_action, theta0_words, three_cycle_word
from solve.wilson_graphs import a_to, b_down, cycles, generators, replayed, theta, thetas

# The formulas of the paper, as printed where they are true, and corrected where they are not.

PAIRS = [(m, n) for m in range(3, 8) for n in range(m, 10)]


def first_three_cycle(m: int) -> str:
    return f"p2^-1 p1^{m} p2^-1 p1^{1 - m} p2^-2 p1 p2^-1 p1 p2^2 p1^{m - 1} p2^-1 p1^{2 - m}"


@pytest.mark.parametrize(("m", "n"), PAIRS)
def test_lemma_4_8(m: int, n: int) -> None:
    p = generators(m, n)
    p["p3"] = value(first_three_cycle(m), p)
    assert p["p3"] == cycle("x", f"b{m - 1}", "a1")
    p4 = f"p1 p2^{-m} p1 p2^{m - 1} p1^2 p2^-1 p1 p2^-1 p1^-2 p2^{1 - m} p1 p2^{m - 2}"
    p["p4"] = value(p4, p)
    assert p["p4"] == cycle("y", f"b{n - m + 2}", f"a{m}")
    # As printed, p5 shall be (x y a1) and p6 (y x am); so p7 is no 3-cycle.
    p["p5"] = value(f"p1^{-m} p3^-1 p1^{m}", p)
    p["p6"] = value(f"p2^{m} p4^-1 p2^{-m}", p)
    assert p["p5"] == cycle("x", "y", "a2")
    assert p["p6"] == cycle("y", "x", f"a{m - 1}")
    assert len(value("p5^-1 p6 p1 p2^-1", p)) > 3
    # With this p7 the rest is right.
    p["p7"] = value(f"p1^{m - 1} p2^{1 - m} p3 p2^{m - 1} p1^{1 - m}", p)
    assert p["p7"] == cycle("x", "a1", "b1")
    so_far: Permutation = {}
    for k, z in enumerate([*a_to(m)[1:], "y", *b_down(n)], 1):
        so_far = composed(so_far, value(f"p1^{-k} p7^-1 p1^{k}", p))
        assert so_far == cycle("x", "a1", z)


def test_lemma_4_8_with_short_paths() -> None:
    for n in range(1, 9):
        p = generators(0, n)
        for k in range(1, n + 1):
            assert value(f"p2^{k} p1^{-k}", p) == cycle("x", "y", f"b{k}")
    p = generators(1, 1)
    assert value("p1^-1 p2^-1", p) == cycle("y", "x", "b1")
    assert value("p1 p2", p) == cycle("y", "x", "a1")
    for n in range(3, 10):
        p = generators(1, n)
        p["p3"] = value("p1^2 p2^-2 p1^-1 p2^3 p1^-2 p2^-2 p1^2 p2 p1^-3 p2^2", p)
        so_far: Permutation = {}
        for k, z in enumerate(["y", *b_down(n)]):
            so_far = composed(so_far, value(f"p1^{-k} p3 p1^{k}", p))
            assert so_far == cycle("x", "a1", z)
    long = "p2^-1 p1^-2 p2^-1 p1^-1 p2^2 p1 p2^2 p1^-3 p2^-1 p1^-1 p2^2 p1 p2 p1"
    for n, word in [(3, "p2 p1^-1 p2^-2 p1^-1 p2^-2 p1^-1 p2^-1 p1"), *((n, long) for n in range(5, 11))]:
        p = generators(2, n)
        p["p3"] = value(word, p)
        assert p["p3"] == cycle("x", "a2", "a1")
        so_far = {}
        for k, z in enumerate(["a2", "y", *b_down(n)]):
            so_far = composed(so_far, value(f"p1^{-k} p3^-1 p1^{k}", p))
            assert so_far == cycle("x", "a1", z)


def test_exceptional_thetas_of_section_4_3() -> None:
    p = {"p1": cycles("(y a2 a1 x b1)"), "p2": cycles("(y c2 c1 x b1)"), "p3": cycles("(a2 a1 x c1 c2)")}
    assert value("p1^-2 p3 p1^2 p2^-1", p) == cycle("y", "c2", "c1")
    p["p1"], p["p2"] = cycles("(y a2 a1 x b1 b2 b3)"), cycles("(y c2 c1 x b1 b2 b3)")
    printed = "p1^-3 p3^-1 p2 p1^-2 p2^2"
    assert len(value(printed, p)) > 3
    assert len(value(right_to_left(printed), p)) > 3
    assert value("p1^-3 p3^-1 p2 p1^2 p2^2", p) == cycle("y", "c1", "c2")


def test_words_of_theta0() -> None:
    p = {"p1": cycles("(y a2 a1 x)"), "p2": cycles("(y c2 c1 x)"), "p3": cycles("(a2 a1 x c1 c2)")}
    p4 = cycles("(c1 c2 y a2 a1)")
    p["p5"] = cycles("(a2 c2)(a1 x)(c1 y)")
    printed = "p2^-1 p1 p2^-1 p1^2"
    assert value(printed, p) != p["p5"]
    assert value(right_to_left(printed), p) == p["p5"]
    assert value("p5 p3 p5 p3^2 p5 p3^3", p) == p["p2"]
    for printed, right, wanted in (
        ("p2^2 p5^-1 p2^-2", "p3^2 p2^-1 p3^-2", p["p1"]),
        ("p2 p5 p2^-1", "p2 p3 p2^-1", p4),
    ):
        assert wanted not in (value(printed, p), value(right_to_left(printed), p))
        assert value(right, p) == wanted


def test_sylow_subgroups() -> None:
    """Proposition 4.10, with the subgroups as sets of permutations."""
    fives = ["12345", "12354", "12453", "12534", "12435", "12543"]
    subgroups = [{frozenset(power(cycle(*five), k).items()) for k in range(1, 5)} for five in fives]
    assert len(set().union(*subgroups)) == 24
    actions = {}
    for images in permutations("12345"):
        g = dict(zip("12345", images, strict=True))
        moved = [
            next(j for j, other in enumerate(subgroups) if frozenset(image.items()) in other)
            for image in (composed(power(g, -1), cycle(*five), g) for five in fives)
        ]
        actions[images] = tuple(moved)
        assert sylow_action(g) == tuple(moved)
    assert len(set(actions.values())) == 120
    assert actions[tuple("25134")] == (1, 2, 3, 4, 0, 5)  # (1 2 5 4 3) is (1 2 3 4 5)
    assert actions[tuple("12435")] == (4, 2, 1, 5, 0, 3)  # (3 4) is (1 5)(2 3)(4 6)
    assert set(theta0_words()) == set(actions.values())


def test_small_formulas() -> None:
    """Section 2 and 6: which products of cycles are what they are said to be."""
    a, b, c, d, e, f, g, x, y, z = "abcdefgxyz"
    assert composed(cycle(a, b), cycle(c, d)) == composed(cycle(a, b, c), cycle(a, d, c))

    def with_ab(k: str, exponent: int = 1) -> Permutation:
        return power(cycle(a, b, k), exponent)

    assert composed(with_ab(x), with_ab(y, -1), with_ab(z)) != cycle(x, y, z)
    assert composed(with_ab(x), with_ab(y, -1), with_ab(z), with_ab(x, -1)) == cycle(x, y, z)
    assert composed(with_ab(y, -1), with_ab(z)) == cycle(a, y, z)
    assert composed(with_ab(y), with_ab(z, -1)) == cycle(b, y, z)
    # 6.1: two tiles of the ear.
    assert composed(cycle(a, d), cycle(b, d)) != cycle(a, b)
    assert composed(cycle(a, d), cycle(b, d), cycle(a, d)) == cycle(a, b)
    # 6.2: tiles led to c and d; two or three tiles of the ear.
    assert composed(cycle(b, c, d), cycle(b, e, d)) == composed(cycle(b, c), cycle(d, e))
    assert composed(cycle(a, f, e), cycle(b, e, f)) == cycle(a, b, e)
    assert composed(cycle(a, f, g), cycle(b, g, f), cycle(e, f, g), cycle(a, g, f)) == cycle(a, b, e)
    # 6.3.
    q, r, s, t = "qrst"
    assert composed(cycle(s, t), cycle(r, s, t), cycle(q, r, s)) == cycle(q, r)
    printed = composed(power(cycle("x", "a1", z), -1), cycle("x", "a1", "a2"))
    assert printed == cycle("x", z, "a2")
    assert composed(cycle("x", "a1", "a2"), power(cycle("x", "a1", z), -1)) == cycle("a1", "a2", z)


# The words of the program, as moves.


@pytest.mark.parametrize("lengths", thetas(13))
def test_known_three_cycles(lengths: tuple[int, int, int]) -> None:
    """In each naming of each theta graph, the word moves just the three tiles that it says."""
    graph = theta(*lengths)
    known = 0
    paths, new = [], 2
    for length in lengths:
        paths.append(tuple(range(new, new + length)))
        new += length
    for each in Theta(0, 1, *paths).renamings():
        m, n, j = len(each.a), len(each.b), len(each.c)
        found = three_cycle_word(m, n, j)
        if found is None:
            continue
        known += 1
        words = Words(each, 10**6, sl.Budget())
        places = [each.place(name) for name in found[1]]
        assert len(set(places)) == 3
        start = [cell + 1 for cell in range(len(graph))]
        start[each.c[0]] = 0
        state = replayed(graph, start, words.walk(found[0]))
        wanted = list(start)
        for here, there in zip(places, places[1:] + places[:1], strict=True):
            wanted[there] = start[here]
        assert state == wanted
    assert (known == 0) == (lengths == (1, 2, 2))


@pytest.mark.parametrize(
    "lengths", [(0, 1, 1), (0, 2, 3), (1, 1, 2), (1, 2, 3), (2, 2, 3), (1, 1, 1), (2, 2, 4)]
)
def test_every_exchange_on_a_theta(lengths: tuple[int, int, int]) -> None:
    graph = theta(*lengths)
    words = Words(best_renaming(base_theta(dict(enumerate(graph)))), 10**6, sl.Budget())
    start = [cell + 1 for cell in range(len(graph))]
    start[words.hole] = 0
    others = [cell for cell in range(len(graph)) if cell != words.hole]
    arities = (3,) if len({length % 2 for length in lengths}) == 1 else (2, 3)
    for arity in arities:
        for cells in permutations(others, arity):
            wanted = list(start)
            for here, there in zip(cells, cells[1:] + cells[:1], strict=True):
                wanted[there] = start[here]
            assert replayed(graph, start, words.walk(words.exchange(cells))) == wanted
