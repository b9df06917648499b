"""The readable method: its words are what the paper says once corrected, and its walks solve."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import Any

import networkx as nx
import pytest

from slidelab.errors import PuzzleError, TooLarge, Unsolvable
from slidelab.puzzles import Passage
from slidelab.solve.wilson.ears import base_theta, other_thetas
from slidelab.solve.wilson.exchanges import Words
from slidelab.solve.wilson.solver import solve_block
from slidelab.solve.wilson.thetas import Theta, best_renaming, sylow_action, theta0_words, three_cycle_word

Rows = list[list[int]]
Permutation = dict[str, str]

# Permutations written independently of the program: a dictionary, products from left to right.


def cycle(*points: str) -> Permutation:
    return {a: b for a, b in pairwise((*points, points[0])) if a != b}


def cycles(text: str) -> Permutation:
    """Read disjoint cycles: "(a b)(c d)"."""
    return {a: b for part in text.strip("()").split(")(") for a, b in cycle(*part.split()).items()}


def count_words(*factors: Permutation) -> Permutation:
    found = {}
    for point in set().union(*factors):
        end = point
        for factor in factors:
            end = factor.get(end, end)
        if end != point:
            found[point] = end
    return found


def power(p: Permutation, exponent: int) -> Permutation:
    if exponent < 0:
        p = {b: a for a, b in p.items()}
    return count_words({}, *[p] * abs(exponent))


def value(word: str, letters: dict[str, Permutation]) -> Permutation:
    """The product of a word such as "p1^2 p2^-1"."""
    factors = [each.partition("^") for each in word.split()]
    return count_words({}, *(power(letters[name], int(exponent or 1)) for name, _, exponent in factors))


def right_to_left(word: str) -> str:
    return " ".join(reversed(word.split()))


def a_to(m: int) -> list[str]:
    return [f"a{k}" for k in range(1, m + 1)]


def b_down(n: int) -> list[str]:
    return [f"b{k}" for k in range(n, 0, -1)]


def generators(m: int, n: int) -> dict[str, Permutation]:
    """p1 and p2 of Lemma 4.8."""
    return {"p1": cycle(*a_to(m), "y", *b_down(n)), "p2": cycle(*b_down(n), "x", *a_to(m))}


# Graphs.


def rows(edges: Iterable[tuple[int, int]]) -> Rows:
    graph = nx.Graph(list(edges))
    return [sorted(graph[cell]) for cell in range(len(graph))]


def theta(*lengths: int) -> Rows:
    edges: list[tuple[int, int]] = []
    new = 2
    for length in lengths:
        edges += pairwise([0, *range(new, new + length), 1])
        new += length
    return rows(edges)


def thetas(max_moves: int) -> list[tuple[int, int, int]]:
    return [
        (a, b, c)
        for a, b, c in product(range(max_moves), repeat=3)
        if a <= b <= c and b > 0 and a + b + c + 2 <= max_moves
    ]


def grid(width: int, height: int) -> Rows:
    number = {(x, y): y * width + x for x in range(width) for y in range(height)}
    return rows((number[a], number[b]) for a, b in nx.grid_2d_graph(width, height).edges)


def eared(rng: random.Random, size: int, longest: int, bipartite: bool) -> Rows:
    """A random 2-connected graph with `size` vertices: a polygon, and random ears and edges."""
    length = rng.choice([4, 6]) if bipartite else rng.randint(3, 6)
    length = min(length, size - size % 2 if bipartite else size)
    edges = [(k, (k + 1) % length) for k in range(length)]
    colour = [k % 2 for k in range(length)]

    def fits(x: int, y: int, inner: int) -> bool:
        return not bipartite or (colour[x] + colour[y] + inner) % 2 == 1

    while len(colour) < size:
        x, y = rng.sample(range(len(colour)), 2)
        inner = min(rng.randint(1, longest), size - len(colour))
        if fits(x, y, inner):
            edges += pairwise([x, *range(len(colour), len(colour) + inner), y])
            colour += [(colour[x] + 1 + k) % 2 for k in range(inner)]
    for _ in range(rng.randint(0, 3)):
        x, y = rng.sample(range(size), 2)
        if fits(x, y, 0):
            edges.append((x, y))
    return rows(edges)


# Playing.


def replayed(graph: Rows, start: Sequence[int], walk: Sequence[int]) -> list[int]:
    state, hole = list(start), list(start).index(0)
    for cell in walk:
        assert cell in graph[hole]
        state[hole], state[cell] = state[cell], 0
        hole = cell
    return state


def wandered(graph: Rows, start: Sequence[int], rng: random.Random) -> list[int]:
    """Where a long walk of the hole leads that seldom turns back."""
    walk, hole, last = [], list(start).index(0), -1
    for _ in range(30 * len(graph) + rng.randrange(len(graph))):
        last, hole = hole, rng.choice([cell for cell in graph[hole] if cell != last] or graph[hole])
        walk.append(hole)
    return replayed(graph, start, walk)


def check(graph: Rows, start: Sequence[int], goal: Sequence[int]) -> tuple[list[int], list[Passage]]:
    """Solve, replay, and look at the explanation."""
    walk, text = solve_block(graph, start, goal)
    assert replayed(graph, start, walk) == list(goal)
    around = [list(start).index(0), *walk]
    assert all(a != b for a, b in zip(around, around[2:], strict=False)), "a step is taken back"
    if walk:
        assert text[-1].last == len(walk)
    now = 0
    for depth_0 in (each for each in text if each.depth == 0):
        assert depth_0.first == now
        now = depth_0.last
    assert now == len(walk)
    for one, after in pairwise(text):
        assert one.first <= after.first
        assert after.depth <= one.depth + 1
        assert after.first >= one.last or after.last <= one.last
    assert all(each.text and 0 <= each.first <= each.last for each in text)
    return walk, text


def shuffled_goal(size: int, rng: random.Random) -> list[int]:
    return rng.sample(range(size), size)


def check_random(graph: Rows, states: int, seed: int = 0) -> None:
    rng = random.Random(seed)
    assert nx.is_biconnected(nx.Graph([(a, b) for a, row in enumerate(graph) for b in row]))
    for _ in range(states):
        goal = shuffled_goal(len(graph), rng)
        check(graph, wandered(graph, goal, rng), goal)


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
        so_far = count_words(so_far, value(f"p1^{-k} p7^-1 p1^{k}", p))
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
            so_far = count_words(so_far, value(f"p1^{-k} p3 p1^{k}", p))
            assert so_far == cycle("x", "a1", z)
    long = "p2^-1 p1^-2 p2^-1 p1^-1 p2^2 p1 p2^2 p1^-3 p2^-1 p1^-1 p2^2 p1 p2 p1"
    for n, word in [(3, "p2 p1^-1 p2^-2 p1^-1 p2^-2 p1^-1 p2^-1 p1"), *((n, long) for n in range(5, 11))]:
        p = generators(2, n)
        p["p3"] = value(word, p)
        assert p["p3"] == cycle("x", "a2", "a1")
        so_far = {}
        for k, z in enumerate(["a2", "y", *b_down(n)]):
            so_far = count_words(so_far, value(f"p1^{-k} p3^-1 p1^{k}", p))
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
            for image in (count_words(power(g, -1), cycle(*five), g) for five in fives)
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
    assert count_words(cycle(a, b), cycle(c, d)) == count_words(cycle(a, b, c), cycle(a, d, c))

    def with_ab(k: str, exponent: int = 1) -> Permutation:
        return power(cycle(a, b, k), exponent)

    assert count_words(with_ab(x), with_ab(y, -1), with_ab(z)) != cycle(x, y, z)
    assert count_words(with_ab(x), with_ab(y, -1), with_ab(z), with_ab(x, -1)) == cycle(x, y, z)
    assert count_words(with_ab(y, -1), with_ab(z)) == cycle(a, y, z)
    assert count_words(with_ab(y), with_ab(z, -1)) == cycle(b, y, z)
    # 6.1: two tiles of the ear.
    assert count_words(cycle(a, d), cycle(b, d)) != cycle(a, b)
    assert count_words(cycle(a, d), cycle(b, d), cycle(a, d)) == cycle(a, b)
    # 6.2: tiles led to c and d; two or three tiles of the ear.
    assert count_words(cycle(b, c, d), cycle(b, e, d)) == count_words(cycle(b, c), cycle(d, e))
    assert count_words(cycle(a, f, e), cycle(b, e, f)) == cycle(a, b, e)
    assert count_words(cycle(a, f, g), cycle(b, g, f), cycle(e, f, g), cycle(a, g, f)) == cycle(a, b, e)
    # 6.3.
    q, r, s, t = "qrst"
    assert count_words(cycle(s, t), cycle(r, s, t), cycle(q, r, s)) == cycle(q, r)
    printed = count_words(power(cycle("x", "a1", z), -1), cycle("x", "a1", "a2"))
    assert printed == cycle("x", z, "a2")
    assert count_words(cycle("x", "a1", "a2"), power(cycle("x", "a1", z), -1)) == cycle("a1", "a2", z)


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
        words = Words(each, 10**6)
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
    words = Words(best_renaming(base_theta(dict(enumerate(graph)))), 10**6)
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


# Whole solutions.


@pytest.mark.parametrize("lengths", thetas(12))
def test_theta_graphs(lengths: tuple[int, int, int]) -> None:
    check_random(theta(*lengths), 6, seed=sum(lengths))


def test_theta0_from_all_states() -> None:
    """With the hole at home, 120 of the 720 states are solved, and the others are told to be unsolvable."""
    graph = theta(1, 2, 2)
    for hole in (0, 2, 3):
        goal = [k + 1 for k in range(7)]
        goal[hole] = 0
        tiles = [tile for tile in goal if tile]
        solved = 0
        for order in permutations(tiles):
            start = list(order)
            start.insert(hole, 0)
            try:
                check(graph, start, goal)
            except Unsolvable:
                continue
            solved += 1
        assert solved == 120


@pytest.mark.parametrize("size", range(3, 10))
def test_polygons(size: int) -> None:
    ring = rows((k, (k + 1) % size) for k in range(size))
    check_random(ring, 20, seed=size)
    goal = list(range(size))
    if size > 3:
        with pytest.raises(Unsolvable, match="order"):
            solve_block(ring, [0, 2, 1, *goal[3:]], goal)


def test_polygons_go_the_shorter_way() -> None:
    ring = rows((k, (k + 1) % 10) for k in range(10))
    goal = list(range(10))
    assert len(solve_block(ring, [0, 9, *range(1, 9)], goal)[0]) == 10
    assert len(solve_block(ring, [0, *range(2, 10), 1], goal)[0]) == 10


FAMOUS: dict[str, Callable[[], nx.Graph]] = {
    "K4": lambda: nx.complete_graph(4),
    "K5": lambda: nx.complete_graph(5),
    "K3,3": lambda: nx.complete_bipartite_graph(3, 3),
    "K2,3": lambda: nx.complete_bipartite_graph(2, 3),
    "K2,5": lambda: nx.complete_bipartite_graph(2, 5),
    "cube": nx.cubical_graph,
    "Petersen": nx.petersen_graph,
    "wheel": lambda: nx.wheel_graph(7),
    "dodecahedron": nx.dodecahedral_graph,
    "ladder": lambda: nx.ladder_graph(9),
}


@pytest.mark.parametrize("name", FAMOUS)
def test_famous_graphs(name: str) -> None:
    check_random(rows(FAMOUS[name]().edges), 10)


@pytest.mark.parametrize(
    ("width", "height", "max_moves"), [(3, 2, 80), (3, 3, 250), (4, 3, 400), (4, 4, 700)]
)
def test_grids(width: int, height: int, max_moves: int) -> None:
    graph = grid(width, height)
    rng = random.Random(width)
    goal = [*range(1, width * height), 0]
    for _ in range(12):
        assert len(check(graph, wandered(graph, goal, rng), goal)[0]) < max_moves


def test_all_small_graphs() -> None:
    """Every 2-connected graph with at most six vertices, and some with seven."""
    rng = random.Random(1)
    graphs = [g for g in nx.graph_atlas_g() if len(g) > 2 and nx.is_biconnected(g)]
    chosen = [g for g in graphs if len(g) < 7] + rng.sample([g for g in graphs if len(g) == 7], 100)
    assert len(chosen) == 70 + 100
    for seed, g in enumerate(chosen):
        check_random(rows(g.edges), 2, seed)


@pytest.mark.parametrize("bipartite", [True, False])
@pytest.mark.parametrize("longest", [1, 2, 4, 9])
def test_random_graphs(longest: int, bipartite: bool) -> None:
    rng = random.Random(longest)
    for seed in range(12):
        graph = eared(rng, rng.randint(5, 16), longest, bipartite)
        assert (
            nx.is_bipartite(nx.Graph([(a, b) for a, row in enumerate(graph) for b in row])) or not bipartite
        )
        check_random(graph, 1, seed)


def test_many_ears() -> None:
    """Two hundred ears, one upon the other: no stack overflows, and the moves do not double with each."""
    graph = rows(nx.ladder_graph(204).edges)
    goal = [*range(1, 408), 0]
    start = list(goal)
    start[0], start[203], start[204] = start[203], start[204], start[0]
    walk, _ = check(graph, start, goal)
    assert len(walk) < 20_000


def test_theta0_is_avoided() -> None:
    """Section 4.4: theta0 with an ear has another theta graph with an odd cycle, with one exception."""
    base = theta(1, 2, 2)
    edges = [(a, b) for a, row in enumerate(base) for b in row if a < b]
    begin = Theta(0, 1, (2,), (3, 4), (5, 6))
    tried, without = 0, []
    for x, y in combinations(range(7), 2):
        for inner in range(13):
            if inner == 0 and y in base[x]:
                continue
            graph = rows([*edges, *pairwise([x, *range(7, 7 + inner), y])])
            others = other_thetas(dict(enumerate(graph)), begin)
            assert others
            for other in others:
                assert not other.is_theta0
                paths = [(other.x, *path, other.y) for path in (other.a, other.b, other.c)]
                assert all(b in graph[a] for path in paths for a, b in pairwise(path))
            if any(other.is_bipartite for other in others):
                without.append((x, y, inner))
            assert not base_theta(dict(enumerate(graph))).is_theta0
            tried += 1
            if inner < 4:
                check_random(graph, 2, seed=inner)
    assert tried == 21 * 13 - 8
    assert without == [(0, 1, 2)]


@pytest.mark.parametrize("paths", [3, 4, 5])
def test_where_theta0_cannot_be_avoided(paths: int) -> None:
    """One path with one inner cell and several with two: even and odd permutations are solved."""
    graph = theta(1, *[2] * paths)
    check_random(graph, 10)
    goal = [*range(1, len(graph)), 0]
    check(graph, [2, 1, *goal[2:]], goal)
    check(graph, [2, 3, 1, *goal[3:]], goal)


def test_other_vertices_are_left_alone() -> None:
    """The graph may be a block of a larger one, with the numbers of that."""
    inside = grid(3, 2)
    graph = [[] if k < 3 else [other + 3 for other in inside[k - 3]] for k in range(9)]
    start, goal = [9, 9, 7, 2, 3, 1, 4, 0, 5], [8, 9, 0, 1, 2, 3, 4, 0, 5]
    walk, text = solve_block(graph, start, goal)
    assert set(walk) <= set(range(3, 9))
    block = [[other - 3 for other in row] for row in graph[3:]]
    assert replayed(block, start[3:], [cell - 3 for cell in walk]) == goal[3:]
    assert text[-1].last == len(walk)


# What cannot be done.


@pytest.mark.parametrize("graph", [grid(3, 3), grid(4, 4), theta(2, 2, 2), theta(0, 2, 4), theta(1, 1, 3)])
def test_odd_permutations_on_two_colours(graph: Rows) -> None:
    goal = [*range(1, len(graph)), 0]
    start = [2, 1, *goal[2:]]
    with pytest.raises(Unsolvable, match="odd"):
        solve_block(graph, start, goal)
    moved = wandered(graph, start, random.Random(0))
    with pytest.raises(Unsolvable, match="odd"):
        solve_block(graph, moved, goal)


def test_other_tiles() -> None:
    with pytest.raises(Unsolvable, match="different tiles"):
        solve_block(grid(2, 2), [1, 2, 4, 0], [1, 2, 3, 0])
    with pytest.raises(PuzzleError, match="one hole"):
        solve_block(grid(2, 2), [1, 2, 2, 0], [1, 2, 3, 0])
    with pytest.raises(PuzzleError, match="one hole"):
        solve_block(grid(2, 2), [1, 2, 3, 4], [1, 2, 3, 0])


@pytest.mark.parametrize(
    "edges",
    [
        [(0, 1), (1, 2), (2, 3)],
        [(1, 0), (0, 2), (2, 3)],
        [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)],
        [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2)],
        [*nx.grid_2d_graph(3, 2).edges, ((2, 1), (3, 1))],
    ],
)
def test_graphs_that_are_not_blocks(edges: list[tuple[Any, Any]]) -> None:
    names = {name: k for k, name in enumerate(sorted({end for edge in edges for end in edge}))}
    graph = rows((names[a], names[b]) for a, b in edges)
    goal = list(range(len(graph)))
    with pytest.raises(PuzzleError, match="2-connected"):
        solve_block(graph, [0, *goal[:0:-1]], goal)
    apart = [[1], [0], [3], [2]]
    with pytest.raises(PuzzleError, match="path from 0 to 3"):
        solve_block(apart, [0, 1, 2, 3], [1, 2, 3, 0])


def test_nothing_to_do() -> None:
    assert solve_block(grid(3, 3), range(9), range(9)) == ([], [])
    assert solve_block([[1], [0]], [1, 0], [0, 1])[0] == [0]
    walk, text = solve_block(grid(3, 3), [1, 0, *range(2, 9)], range(9))
    assert walk == [0]
    assert text == [Passage(0, 1, "the hole to cell 0")]


@pytest.mark.parametrize("graph", [grid(3, 3), theta(1, 2, 2), theta(3, 3, 4), rows(nx.cycle_graph(9).edges)])
def test_too_many_moves(graph: Rows) -> None:
    rng = random.Random(2)
    goal = list(range(len(graph)))
    start = wandered(graph, goal, rng)
    walk, text = check(graph, start, goal)
    assert solve_block(graph, start, goal, len(walk)) == (walk, text)
    for max_moves in (0, len(walk) - 1):
        with pytest.raises(TooLarge, match=f"more than {max_moves:,} moves"):
            solve_block(graph, start, goal, max_moves)


def test_too_large_without_much_work() -> None:
    """These would take millions of moves; they are not written down before that is seen."""
    ring = rows(nx.cycle_graph(20_001).edges)
    goal = list(range(20_001))
    with pytest.raises(TooLarge, match="more than 1,000,000 moves"):
        solve_block(ring, [0, *range(10_001, 20_001), *range(1, 10_001)], goal, 1_000_000)
    with pytest.raises(TooLarge, match="at most 256 cells"):
        solve_block(theta(100, 100, 100), [0, 2, 3, 1, *range(4, 302)], range(302))


def test_what_is_told() -> None:
    graph = grid(3, 3)
    start, goal = [2, 3, 1, 4, 5, 6, 7, 8, 0], [1, 2, 3, 4, 5, 6, 7, 8, 0]
    _, text = check(graph, start, goal)
    top = [each.text for each in text if each.depth == 0]
    assert top[0].startswith("the hole to cell")
    assert "theta graph from x = " in top[0]
    assert any(text.startswith("ear ") and ": tile 3 to cell 2" in text for text in top)
    assert {each.depth for each in text} == {0, 1, 2}
    for each in text:
        if each.depth == 1:
            assert each.text.startswith("3-cycle of tiles ")
            assert len(set(each.text.split()[3:])) == 3
    # With an odd cycle, by transpositions.
    _, text = check(rows([*nx.cycle_graph(6).edges, (0, 2), (1, 4)]), [2, 1, 3, 4, 5, 0], [1, 2, 3, 4, 5, 0])
    assert any(each.text in ("transposition of tiles 1 2", "transposition of tiles 2 1") for each in text)
