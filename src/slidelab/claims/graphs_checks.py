"""The checks of the claims of the graph paper (Wong, Li and Chen), but for its tables of nodes."""

from __future__ import annotations

from itertools import pairwise
from math import factorial

from slidelab.boards import Board, blocks, is_bipartite, is_theta0
from slidelab.boards import board as as_board
from slidelab.claims.facts import analysis
from slidelab.claims.graph_structure import (
    all_graphs,
    avoidable_vertices,
    other_subgraph,
    separable_complement,
    theta0_with_ears,
    two_connected_graphs,
)
from slidelab.claims.model import Found, Scope
from slidelab.claims.words import (
    Permutation,
    compose,
    cycle,
    generated,
    parse_cycles,
    power,
    reverse_word,
    word_value,
)
from slidelab.gains import gain_graph
from slidelab.puzzles import Puzzle
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.loop_groups import family_group
from slidelab.reach.theorems import tile_group
from slidelab.rules import rule
from slidelab.solve.solver import solve

__all__ = [
    "case_1",
    "disconnected",
    "figure_1",
    "figure_12",
    "figure_17",
    "figure_2",
    "figure_6",
    "figure_7",
    "group_15",
    "growth",
    "hundreds",
    "leaves_out_one",
    "leaves_out_two",
    "lemma_4_8",
    "long_cycle",
    "manual_method",
    "multigraphs",
    "polygons",
    "product_example",
    "proposition_2_8",
    "proposition_2_9",
    "proposition_4_10",
    "proposition_4_6",
    "proposition_4_9",
    "section_6_1",
    "section_6_2",
    "section_6_3",
    "separable",
    "table_1",
    "table_2",
    "tenth_power",
    "theorem_4_11",
    "theorem_4_7",
    "theta0_group",
    "theta0_p5",
    "theta0_words",
    "theta222",
    "theta224",
    "two_paths",
    "words_p3_p4",
    "words_p5_p7",
    "words_short",
]


def _tiles(graph: Board) -> Puzzle:
    return Puzzle(graph, rule("tiles"), 1)


# Section 2


def product_example(scope: Scope) -> Found:
    """Check section 2.2."""
    left = compose(*parse_cycles("(1,3,7,2,5,11,10,8,4,9,6,13)(14,15)"))
    swaps = "(1,3)(1,7)(1,2)(1,5)(1,11)(1,10)(1,8)(1,4)(1,9)(1,6)(1,13)(14,15)"
    return Found(left == compose(*parse_cycles(swaps)))


def proposition_2_8(scope: Scope) -> Found:
    """Check Proposition 2.8."""
    good = compose(cycle("a", "b"), cycle("a", "c")) == cycle("a", "b", "c")
    pairs = compose(cycle("a", "b"), cycle("c", "d"))
    good = good and pairs == compose(cycle("a", "b", "c"), cycle("a", "d", "c"))
    most = scope.up_to(8, 12)
    names = [str(k) for k in range(most)]
    for n in range(3, most + 1):
        every = [
            cycle(a, b, c) for a in names[:n] for b in names[:n] for c in names[:n] if len({a, b, c}) == 3
        ]
        good = good and generated(every) == factorial(n) // 2
    return Found(good, up_to=f"n = {most}")


def _abk(k: str, exponent: int = 1) -> Permutation:
    return power(cycle("a", "b", k), exponent)


def proposition_2_9(scope: Scope) -> Found:
    """Check Proposition 2.9."""
    most = scope.up_to(10, 40)
    good = all(
        generated([cycle("a", "b", k) for k in range(n - 2)]) == factorial(n) // 2 for n in range(3, most + 1)
    )
    return Found(good, up_to=f"n = {most}")


def case_1(scope: Scope) -> Found:
    """Check Proposition 2.9, case 1."""
    wanted = cycle("x", "y", "z")
    factors = [_abk("x"), _abk("y", -1), _abk("z")]
    printed = wanted in (compose(*factors), compose(*factors[::-1]))
    right = compose(*factors, _abk("x", -1)) == wanted
    return Found(printed, right, note="(x y z) = (a b x)(a b y)^-1(a b z)(a b x)^-1")


def table_1(scope: Scope) -> Found:
    """Check table 1."""
    rows = [
        ("ayz", "y", -1, "z", 1),
        ("xaz", "z", -1, "x", 1),
        ("xya", "x", -1, "y", 1),
        ("byz", "y", 1, "z", -1),
        ("xbz", "z", 1, "x", -1),
        ("xyb", "x", 1, "y", -1),
    ]
    return Found(all(compose(_abk(k, i), _abk(m, j)) == cycle(*points) for points, k, i, m, j in rows))


def table_2(scope: Scope) -> Found:
    """Check table 2."""
    rows = [
        ("abz", "z", 1),
        ("ayb", "y", -1),
        ("xab", "x", 1),
        ("baz", "z", -1),
        ("bya", "y", 1),
        ("xba", "x", -1),
    ]
    return Found(all(_abk(k, i) == cycle(*points) for points, k, i in rows))


# Section 3


FIGURE_1 = "3 5 7 9 11 13 2 4 6 8 10 12 1 15 14 ."
RHO = (1, 2, 6, 7, 3, 4, 8, 15, 10, 14, 13, 9, 5)
"""The long cycle, as printed: place k has tile rho(k) afterwards."""
FIGURE_5 = "2 6 4 8 1 7 3 15 5 14 10 . 9 13 12 11"
FIGURE_6 = "13 9 2 6 14 5 1 7 10 14 3 . 15 8 12 11"
FIGURE_7 = "1 2 11 4 5 6 7 8 9 10 12 3 13 14 15 ."


def figure_1(scope: Scope) -> Found:
    """Check figure 1."""
    needed = as_puzzle("15-puzzle").permutation(FIGURE_1)
    assert needed is not None
    ours = compose({}, *(cycle(*points) for points in needed.cycles("reading")))
    return Found(ours == compose(*parse_cycles("(1,3,7,2,5,11,10,8,4,9,6,13)(14,15)")))


def _contents(permutation: Permutation) -> str:
    """Return the 15-puzzle whose place k has the tile that the permutation takes k to."""
    return " ".join([permutation.get(str(k), str(k)) for k in range(1, 16)] + ["."])


def _reaches(text: str) -> bool:
    verdict = as_puzzle("15-puzzle").solvable(text)
    return bool(verdict) and verdict.check()


def figure_2(scope: Scope) -> Found:
    """Check figure 2."""
    return Found(_reaches(_contents(cycle(11, 12, 15))))


def _shifted(times: int) -> str:
    """Return the board with 11 and 12 set aside, and the rest moved along the long cycle so many times."""
    rho = power(cycle(*RHO), times)
    places = [*range(1, 11), 15]  # tile 15 starts at place 11
    top = [rho[str(k)] if times % 13 else str(k) for k in places]
    rest = [rho[str(k)] if times % 13 else str(k) for k in (13, 14)]
    return " ".join([*top, ".", *rest, "12", "11"])


def long_cycle(scope: Scope) -> Found:
    """Check figures 3 to 5."""
    return Found(_shifted(1) == FIGURE_5 and _reaches(FIGURE_5) and _reaches(_contents(cycle(*RHO))))


def tenth_power(scope: Scope) -> Found:
    """Check section 3."""
    return Found(power(cycle(*RHO), 10)["15"] == "3")


def figure_6(scope: Scope) -> Found:
    """Check figure 6."""
    tiles = FIGURE_6.split()
    printed = len(set(tiles)) == len(tiles)
    right = FIGURE_6.replace("10 14 3", "10 4 3")
    return Found(printed, right == _shifted(10) and _reaches(right), note="14 twice: 10 14 3 is 10 4 3")


def figure_7(scope: Scope) -> Found:
    """Check figure 7."""
    return Found(_contents(cycle(3, 11, 12)) == FIGURE_7 and _reaches(FIGURE_7))


def group_15(scope: Scope) -> Found:
    """Check section 3."""
    rho = cycle(*RHO)
    conjugates = [compose(power(rho, -k), cycle(11, 12, 15), power(rho, k)) for k in range(13)]
    good = generated(conjugates) == factorial(15) // 2
    return Found(good and analysis("15-puzzle").families[0].group.name == "Alt(15)")


# Section 4


def proposition_4_6(scope: Scope) -> Found:
    """Check Proposition 4.6."""
    most = scope.up_to(5, 7)
    for graph in all_graphs(3, most):
        gains = gain_graph(_tiles(graph))
        orders = {family_group(gains.family(shape), scope.budget).order for shape in range(gains.shapes)}
        if len(orders) > 1:
            return Found(False, note=graph.name)
    return Found(True, up_to=f"all connected graphs of {most} vertices")


def theorem_4_7(scope: Scope) -> Found:
    """Check Theorem 4.7 (Wilson)."""
    most = scope.up_to(6, 8)
    for graph in two_connected_graphs(4, most):
        tiles = graph.size - 1
        order = analysis(_tiles(graph)).families[0].group.order
        wanted = factorial(tiles) // (2 if is_bipartite(graph) else 1)
        if order != (120 if is_theta0(graph) else wanted):
            return Found(False, note=graph.name)
    return Found(True, up_to=f"all 2-connected graphs of {most} vertices")


FIGURE_12 = ("x a1 a2 y", "x b1 b2 b3 y", "x c1 c2 y")
"""The three paths of the theta graph (2,2,3)."""


def _walk_permutation(walk: str) -> Permutation:
    """Return what a walk of the hole does: the tile on each vertex goes to its image."""
    edges = {frozenset(pair) for path in FIGURE_12 for pair in pairwise(path.split())}
    tile_at = {name: name for path in FIGURE_12 for name in path.split()}
    for here, there in pairwise(walk.split()):
        assert frozenset((here, there)) in edges
        tile_at[here], tile_at[there] = tile_at[there], tile_at[here]
    return {tile: name for name, tile in tile_at.items() if tile != name}


def figure_12(scope: Scope) -> Found:
    """Check figure 12."""
    first = _walk_permutation("c1 x b1 b2 b3 y a2 a1 x c1")
    second = _walk_permutation("c1 c2 y a2 a1 x b1 b2 b3 y c2 c1")
    return Found(
        first == cycle("a1", "a2", "y", "b3", "b2", "b1")
        and second == cycle("b3", "b2", "b1", "x", "a1", "a2")
    )


def _a(m: int) -> list[str]:
    return [f"a{k}" for k in range(1, m + 1)]


def _b(n: int) -> list[str]:
    return [f"b{k}" for k in range(n, 0, -1)]


def _p(m: int, n: int) -> dict[str, Permutation]:
    return {"p1": cycle(*_a(m), "y", *_b(n)), "p2": cycle(*_b(n), "x", *_a(m))}


def lemma_4_8(scope: Scope) -> Found:
    """Check Lemma 4.8."""
    most = scope.up_to(7, 14)
    exceptions = []
    for m in range(most + 1):
        for n in range(max(m, 1), most + 1):
            order = generated(_p(m, n).values())
            whole = factorial(m + n + 2)
            if order != (whole if (m + n) % 2 else whole // 2):
                exceptions.append((m, n))
    good = exceptions == [(1, 2), (2, 2), (2, 4)]
    note = "the exceptions are {1,2}, {2,4} and m = n = 2; 'm, n not 2' means not both"
    return Found(False, good, up_to=f"m, n <= {most}", note=note)


def _pairs(scope: Scope) -> list[tuple[int, int]]:
    most = scope.up_to(6, 12)
    return [(m, n) for m in range(3, most + 1) for n in range(m, most + 1)]


def _p3(m: int) -> str:
    return f"p2^-1 p1^{m} p2^-1 p1^{1 - m} p2^-2 p1 p2^-1 p1 p2^2 p1^{m - 1} p2^-1 p1^{2 - m}"


def words_p3_p4(scope: Scope) -> Found:
    """Check Lemma 4.8."""
    good = True
    for m, n in _pairs(scope):
        p = _p(m, n)
        p4 = f"p1 p2^{-m} p1 p2^{m - 1} p1^2 p2^-1 p1 p2^-1 p1^-2 p2^{1 - m} p1 p2^{m - 2}"
        good = good and word_value(_p3(m), p) == cycle("x", f"b{m - 1}", "a1")
        good = good and word_value(p4, p) == cycle("y", f"b{n - m + 2}", f"a{m}")
    return Found(good, up_to=f"3 <= m <= n <= {scope.up_to(6, 12)}")


def words_p5_p7(scope: Scope) -> Found:
    """Check Lemma 4.8."""
    printed = right = True
    for m, n in _pairs(scope):
        p = _p(m, n)
        p["p3"] = word_value(_p3(m), p)
        printed = printed and word_value(f"p1^{-m} p3^-1 p1^{m}", p) == cycle("x", "y", "a1")
        p["p7"] = word_value(f"p1^{m - 1} p2^{1 - m} p3 p2^{m - 1} p1^{1 - m}", p)
        right = right and p["p7"] == cycle("x", "a1", "b1")
        so_far: Permutation = {}
        for k, z in enumerate([*_a(m)[1:], "y", *_b(n)], 1):
            so_far = compose(so_far, word_value(f"p1^{-k} p7^-1 p1^{k}", p))
            right = right and so_far == cycle("x", "a1", z)
    return Found(
        printed, right, note="p5 is (x y a2), p6 (y x a(m-1)); p7 = p1^(m-1) p2^(1-m) p3 p2^(m-1) p1^(1-m)"
    )


def words_short(scope: Scope) -> Found:
    """Check Lemma 4.8."""
    most = scope.up_to(8, 14)
    good = all(
        word_value(f"p2^{k} p1^{-k}", _p(0, n)) == cycle("x", "y", f"b{k}")
        for n in range(1, most)
        for k in range(1, n + 1)
    )
    p = _p(1, 1)
    good = (
        good
        and word_value("p1^-1 p2^-1", p) == cycle("y", "x", "b1")
        and word_value("p1 p2", p) == cycle("y", "x", "a1")
    )
    one = "p1^2 p2^-2 p1^-1 p2^3 p1^-2 p2^-2 p1^2 p2 p1^-3 p2^2"
    good = good and all(word_value(one, _p(1, n)) == cycle("x", "a1", "y") for n in range(3, most))
    two = "p2^-1 p1^-2 p2^-1 p1^-1 p2^2 p1 p2^2 p1^-3 p2^-1 p1^-1 p2^2 p1 p2 p1"
    good = good and all(word_value(two, _p(2, n)) == cycle("x", "a2", "a1") for n in range(5, most))
    three = "p2 p1^-1 p2^-2 p1^-1 p2^-2 p1^-1 p2^-1 p1"
    return Found(good and word_value(three, _p(2, 3)) == cycle("x", "a2", "a1"), up_to=f"n < {most}")


def two_paths(scope: Scope) -> Found:
    """Two paths to which Lemma 4.8 applies, in every theta graph but the exceptions."""
    most = scope.up_to(8, 16)
    bad = []
    for a in range(most):
        for b in range(max(a, 1), most):
            for c in range(b, most):
                odd = len({a % 2, b % 2, c % 2}) > 1
                pairs = [(m, n) for m, n in ((a, b), (a, c), (b, c)) if (m + n) % 2 == odd]
                allowed = [p for p in pairs if p not in ([(1, 2)] if odd else [(2, 2), (2, 4)])]
                if not allowed and (a, b, c) not in ((2, 2, 2), (2, 2, 4), (1, 2, 2)):
                    bad.append((a, b, c))
    note = "not in theta(1,1,2); there the word for m = n = 1 gives 3-cycles"
    repaired = bad == [(1, 1, 2)] and analysis("theta(1,1,2)").families[0].group.name == "Sym(5)"
    return Found(not bad, repaired, up_to=f"paths of {most - 1} vertices", note=note)


def proposition_4_9(scope: Scope) -> Found:
    """Check Proposition 4.9."""
    most = scope.up_to(6, 8)
    good = all(analysis(_tiles(g)).weak_parity for g in all_graphs(3, most) if is_bipartite(g))
    return Found(good, up_to=f"all connected bipartite graphs of {most} vertices")


def theta222(scope: Scope) -> Found:
    """Check section 4.3."""
    p = {"p1": cycle("y", "a2", "a1", "x", "b1"), "p2": cycle("y", "c2", "c1", "x", "b1")}
    p["p3"] = cycle("a2", "a1", "x", "c1", "c2")
    good = word_value("p1^-2 p3 p1^2 p2^-1", p) == cycle("y", "c2", "c1")
    return Found(good and analysis("theta(2,2,2)").families[0].group.name == "Alt(7)")


def theta224(scope: Scope) -> Found:
    """Check section 4.3."""
    p = {
        "p1": cycle("y", "a2", "a1", "x", "b1", "b2", "b3"),
        "p2": cycle("y", "c2", "c1", "x", "b1", "b2", "b3"),
    }
    p["p3"] = cycle("a2", "a1", "x", "c1", "c2")
    wanted, word = cycle("y", "c2", "c1"), "p1^-3 p3^-1 p2 p1^-2 p2^2"
    printed = wanted in (word_value(word, p), word_value(reverse_word(word), p))
    right = word_value("p1^-3 p3^-1 p2 p1^2 p2^2", p) == power(wanted, -1)
    group = analysis("theta(2,2,4)").families[0].group.name == "Alt(9)"
    return Found(printed, right and group, note="with p1^2 for p1^-2 it is the inverse of the 3-cycle")


def _theta0_letters() -> dict[str, Permutation]:
    p = {
        "p1": cycle("y", "a2", "a1", "x"),
        "p2": cycle("y", "c2", "c1", "x"),
        "p3": cycle("a2", "a1", "x", "c1", "c2"),
    }
    p["p4"] = cycle("c1", "c2", "y", "a2", "a1")
    p["p5"] = compose(*parse_cycles("(a2 c2)(a1 x)(c1 y)"))
    return p


def theta0_p5(scope: Scope) -> Found:
    """Check section 4.3."""
    p, word = _theta0_letters(), "p2^-1 p1 p2^-1 p1^2"
    right = word_value(reverse_word(word), p) == p["p5"]
    return Found(
        word_value(word, p) == p["p5"], right, note="true from right to left: p5 = p1^2 p2^-1 p1 p2^-1"
    )


def proposition_4_10(scope: Scope) -> Found:
    """Check Proposition 4.10."""
    order = generated([compose(*parse_cycles("(1 5)(2 3)(4 6)")), cycle(1, 2, 3, 4, 5)])
    return Found(order == 120 and analysis("theta(1,2,2)").families[0].group.name == "PGL(2,5)")


def theta0_words(scope: Scope) -> Found:
    """Check section 4.3."""
    p = _theta0_letters()
    second = word_value("p5 p3 p5 p3^2 p5 p3^3", p) == p["p2"]
    printed = word_value("p2^2 p5^-1 p2^-2", p) == p["p1"] and word_value("p2 p5 p2^-1", p) == p["p4"]
    right = word_value("p3^2 p2^-1 p3^-2", p) == p["p1"] and word_value("p2 p3 p2^-1", p) == p["p4"]
    return Found(
        second and printed, second and right, note="p1 = p3^2 p2^-1 p3^-2 and p4 = p2 p3 p2^-1; p2 is right"
    )


def theta0_group(scope: Scope) -> Found:
    """Check Theorem 4.7."""
    found = analysis("theta(1,2,2)")
    group = found.families[0].group
    return Found(group.order == 120 and group.is_transitive and found.components == 6)


def theorem_4_11(scope: Scope) -> Found:
    """Check Theorem 4.11 (Whitney)."""
    most = scope.up_to(4, 5)
    for graph in two_connected_graphs(4, most):
        scope.check()
        if separable_complement(graph) is not None:
            return Found(False, note=graph.name)
    return Found(True, up_to=f"all subgraphs of 2-connected graphs of {most} vertices")


def _leaves_out(scope: Scope, bipartite: bool, wanted: int) -> Found:
    most = scope.up_to(6, 8)
    for graph in two_connected_graphs(4, most):
        if is_bipartite(graph) != bipartite:
            continue
        for x in range(graph.size):
            for y in range(x):
                if avoidable_vertices(graph, x, y) < wanted:
                    return Found(False, note=f"{graph.name}: {y} to {x}")
    return Found(True, up_to=f"all such graphs of {most} vertices")


def leaves_out_two(scope: Scope) -> Found:
    """Check section 4.4."""
    return _leaves_out(scope, True, 2)


def leaves_out_one(scope: Scope) -> Found:
    """Check section 4.4."""
    return _leaves_out(scope, False, 1)


def figure_17(scope: Scope) -> Found:
    """Check figure 17."""
    most = scope.up_to(5, 12)
    bad = [name for name, graph in theta0_with_ears(most) if not other_subgraph(graph)]
    groups = all(
        analysis(_tiles(graph)).families[0].group.order == factorial(graph.size - 1)
        for name, graph in theta0_with_ears(2)
        if name in bad
    )
    note = "not in four paths of 1, 2, 2, 2 vertices; its group is Sym(8) all the same"
    return Found(not bad, len(bad) == 1 and groups, up_to=f"ears of {most} vertices", note=note)


# Section 5


def polygons(scope: Scope) -> Found:
    """Check Theorem 5.1."""
    most = scope.up_to(9, 30)
    groups = [analysis(f"cycle({n})").families[0].group for n in range(4, most + 1)]
    good = all(g.order == n - 1 and g.is_transitive for n, g in zip(range(4, most + 1), groups, strict=True))
    return Found(good, up_to=f"{most} vertices", note="Z(n-1), on n - 1 tiles")


def separable(scope: Scope) -> Found:
    """Check Theorem 5.1."""
    most = scope.up_to(6, 7)
    for graph in all_graphs(3, most):
        product = 1
        for block in blocks(graph):
            if len(block) > 2:
                part = Puzzle(_sub(graph, block), rule("tiles"), 1)
                product *= analysis(part).families[0].group.order
        if analysis(_tiles(graph)).families[0].group.order != product:
            return Found(False, note=graph.name)
    return Found(True, up_to=f"all connected graphs of {most} vertices")


def _sub(graph: Board, cells: tuple[int, ...]) -> Board:
    from slidelab.boards import sub_board

    return sub_board(graph, cells)


def disconnected(scope: Scope) -> Found:
    """Check Theorem 5.1."""
    found = analysis("graph 0-1 1-2 2-3 3-0 0-2 4-5 5-6 6-4")
    orders = {tuple(sorted(family.group.order for family in found.families))}
    return Found(orders == {(2, 6)}, note="a square with a diagonal beside a triangle: Sym(3), or C(2)")


def multigraphs(scope: Scope) -> Found:
    """Check section 5."""
    plain, doubled = as_board("graph 0-1 1-2 2-3 3-0 0-2"), as_board("graph 0-1 1-2 2-3 3-0 0-2 1-0 2-1")
    same = plain.edges == doubled.edges
    return Found(same and tile_group(plain, 1) == tile_group(doubled, 1))


# Section 6


def section_6_1(scope: Scope) -> Found:
    """Check section 6.1."""
    printed = compose(cycle("a", "d"), cycle("b", "d")) == cycle("a", "b")
    right = compose(cycle("a", "d"), cycle("b", "d"), cycle("a", "d")) == cycle("a", "b")
    return Found(printed, right, note="(a b) = (a d)(b d)(a d)")


def section_6_2(scope: Scope) -> Found:
    """Check section 6.2."""
    pairs = compose(cycle("b", "c", "d"), cycle("b", "e", "d")) == compose(cycle("b", "c"), cycle("d", "e"))
    two = compose(cycle("a", "f", "e"), cycle("b", "e", "f")) == cycle("a", "b", "e")

    def three(last: str) -> bool:
        factors = [cycle("a", "f", "g"), cycle("b", "g", "f"), cycle(last, "f", "g"), cycle("a", "g", "f")]
        return compose(*factors) == cycle("a", "b", "e")

    return Found(
        pairs and two and three("c"), pairs and two and three("e"), note="in the last word c means e"
    )


def section_6_3(scope: Scope) -> Found:
    """Check section 6.3."""
    xz, xa = cycle("x", "a1", "z"), cycle("x", "a1", "a2")
    swap = compose(cycle("s", "t"), cycle("r", "s", "t"), cycle("q", "r", "s")) == cycle("q", "r")
    wanted = cycle("a1", "a2", "z")
    printed = compose(power(xz, -1), xa) == wanted
    return Found(
        swap and printed,
        swap and compose(xa, power(xz, -1)) == wanted,
        note="(a1 a2 z) = (x a1 a2)(x a1 z)^-1",
    )


def manual_method(scope: Scope) -> Found:
    """Check section 6."""
    most = scope.up_to(5, 7)
    for graph in two_connected_graphs(4, most):
        puzzle = _tiles(graph)
        solution = solve(puzzle, puzzle.shuffle(seed=graph.size), method="wilson", budget=scope.budget)
        if not solution.passages and solution.length:
            return Found(False, note=graph.name)
    return Found(True, up_to=f"all 2-connected graphs of {most} vertices")


def hundreds(scope: Scope) -> Found:
    """Two or three tiles out of place on theta graphs: moves of the paper's method."""
    lengths = []
    for a, b, c in ((1, 1, 3), (1, 2, 3), (2, 2, 3), (1, 3, 3), (2, 3, 3), (2, 2, 5), (3, 3, 3), (2, 3, 5)):
        puzzle = as_puzzle(f"theta({a},{b},{c})")
        first = "2 3 1" if a % 2 == b % 2 == c % 2 else "2 1 3"
        start = " ".join([first, *map(str, range(4, puzzle.piece_count + 1)), "."])
        lengths.append(solve(puzzle, start, method="wilson", shorten=False, budget=scope.budget).length)
    often = sum(length > 100 for length in lengths)
    return Found(
        2 * often > len(lengths), note=f"{min(lengths)} to {max(lengths)} moves on eight theta graphs"
    )


def growth(scope: Scope) -> Found:
    """Divide the moves on theta(k,k,k) by the fourth power of the number of vertices."""
    ratios, sizes = [], [5, 7, 9, 11] if not scope.full else [5, 7, 9, 11, 15, 19, 23]
    for k in sizes:
        puzzle = as_puzzle(f"theta({k},{k},{k})")
        found = [
            solve(
                puzzle, puzzle.shuffle(seed=seed), method="wilson", shorten=False, budget=scope.budget
            ).length
            for seed in range(2)
        ]
        ratios.append(sum(found) / len(found) / (3 * k + 2) ** 4)
    note = f"moves / n^4 from {ratios[0]:.3f} down to {ratios[-1]:.3f}"
    return Found(max(ratios) <= 1 and ratios[-1] < ratios[0], up_to=f"theta({k},{k},{k})", note=note)
