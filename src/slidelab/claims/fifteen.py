"""Chapple, Croeze, Lazo and Merrill, "Legal configurations of the 15-puzzle" (slides, 2010)."""

from __future__ import annotations

from itertools import pairwise, permutations
from math import factorial

from slidelab.claims.facts import analysis
from slidelab.claims.model import Claim, Found, Paper, Scope
from slidelab.claims.words import compose, cycle, parse_cycles, reverse_word, word_value
from slidelab.gains import gain_graph
from slidelab.permutations import is_even
from slidelab.puzzles import puzzle as as_puzzle
from slidelab.reach.numbering import cell_numbers

__all__ = ["FIFTEEN"]


def _example(scope: Scope) -> Found:
    images = dict(zip("123456", "415236", strict=True))
    moved = {a: b for a, b in images.items() if a != b}
    return Found(moved == compose(*parse_cycles("(1 4 2)(3 5)")) == compose(*parse_cycles("(3 5)(1 4 2)")))


def _not_commutative(scope: Scope) -> Found:
    right_to_left = compose(cycle(1, 2), cycle(2, 3))
    return Found(right_to_left == cycle(3, 2, 1), note="products are read from right to left")


def _signs(scope: Scope) -> Found:
    return Found(is_even((1, 0, 3, 2)) and not is_even((1, 0, 3, 2, 5, 4)))


def _parity_theorem(scope: Scope) -> Found:
    """No product of an odd number of transpositions is the identity, nor any even permutation."""
    most = scope.up_to(5, 6)
    for n in range(1, most + 1):
        every = list(permutations(range(n)))
        if not is_even(tuple(range(n))) or (n > 1 and sum(map(is_even, every)) * 2 != factorial(n)):
            return Found(False)
        for images in every:  # one more transposition always changes the sign
            for a in range(n):
                for b in range(a):
                    swapped = list(images)
                    swapped[a], swapped[b] = swapped[b], swapped[a]
                    if is_even(swapped) == is_even(images):
                        return Found(False)
    return Found(True, up_to=f"n = {most}")


def _half(scope: Scope) -> Found:
    most = scope.up_to(7, 9)
    counts = [sum(map(is_even, permutations(range(n)))) for n in range(2, most + 1)]
    good = counts == [factorial(n) // 2 for n in range(2, most + 1)]
    return Found(good, up_to=f"n = {most}")


NINE = {
    (9, 16): "(15 14 13 12 11 10 9)",
    (10, 15): "(14 13 12 11 10)",
    (11, 14): "(13 12 11)",
    (7, 10): "(9 8 7)",
    (6, 11): "(10 9 8 7 6)",
    (5, 12): "(11 10 9 8 7 6 5)",
    (1, 8): "(7 6 5 4 3 2 1)",
    (2, 7): "(6 5 4 3 2)",
    (3, 6): "(5 4 3)",
}
"""The moves that are not along the path, as printed."""


def _walk(first: int, last: int) -> list[int]:
    """Return the blank's walk: along the snake from 16 to `first`, over to `last`, and back along it."""
    return [*range(16, first - 1, -1), *range(last, 17)]


def _worked_example(scope: Scope) -> Found:
    swaps = "(16 15)(15 14)(14 13)(13 12)(12 11)(11 14)(14 15)(15 16)"
    return Found(compose(*parse_cycles(swaps)[::-1]) == cycle(13, 12, 11), note="read from right to left")


def _nine_moves(scope: Scope) -> Found:
    graph = gain_graph(as_puzzle("15-puzzle"))
    numbers = cell_numbers(graph.puzzle.board, "snake")
    found = {}
    for a, b in graph.puzzle.board.edges:
        i, j = sorted((numbers[a], numbers[b]))
        if j - i > 1:
            walk = _walk(i, j)
            swaps = [cycle(x, y) for x, y in pairwise(walk)]
            found[i, j] = compose(*swaps[::-1])
    return Found(found == {pair: parse_cycles(text)[0] for pair, text in NINE.items()})


def _standard(scope: Scope) -> Found:
    """P1 and P2 are joined just if their standardizations are: on the 2 x 3 board, for all pairs."""
    puzzle = as_puzzle("square R(3,2)")
    graph = gain_graph(puzzle)
    identity = sum(gain.is_identity for _, _, gain, _ in graph)
    fifteen = gain_graph(as_puzzle("15-puzzle"))
    along = sum(gain.is_identity for _, _, gain, _ in fifteen)
    return Found(identity == 5 and along == 15, note="moves along the snake change no order")


def _group(scope: Scope) -> Found:
    found = analysis("15-puzzle")
    return Found(found.families[0].group.name == "Alt(15)")


def _even(scope: Scope) -> Found:
    return Found(bool(analysis("15-puzzle").weak_parity))


def _consecutive(scope: Scope) -> Found:
    """Compute the order of the group that the cycles (k k+1 k+2) generate."""
    from slidelab.claims.words import generated

    most = scope.up_to(9, 15)
    orders = [
        generated([cycle(k, k + 1, k + 2) for k in range(1, n - 1)]) == factorial(n) // 2
        for n in range(3, most + 1)
    ]
    return Found(all(orders), up_to=f"n = {most}")


TEN = (
    ("(1 2 3)", "a^-2 (3 4 5) a^2"),
    ("(2 3 4)", "a^-1 (3 4 5) a"),
    ("(4 5 6)", "a^-1 (5 6 7) a"),
    ("(5 6 7)", "b^-2 (7 8 9) b^2"),
    ("(6 7 8)", "b^-1 (7 8 9) b"),
    ("(8 9 10)", "b^-1 (9 10 11) b"),
    ("(9 10 11)", "c^-2 (11 12 13) c^2"),
    ("(10 11 12)", "c^-1 (11 12 13) c"),
    ("(12 13 14)", "c (11 12 13) c^-1"),
    ("(13 14 15)", "c^2 (11 12 13) c^-2"),
)
"""The products for consecutive 3-cycles, as printed; a = (1 .. 7), b = (5 .. 11), c = (9 .. 15)."""


def _ten_products(scope: Scope) -> Found:
    letters = {"a": cycle(*range(1, 8)), "b": cycle(*range(5, 12)), "c": cycle(*range(9, 16))}

    def wrong(right_to_left: bool) -> list[str]:
        bad = []
        for target, text in TEN:
            first, rest = text.split(" (")
            middle, last = rest.split(") ")
            known = {**letters, "m": cycle(*middle.split())}
            word = f"{first} m {last}"
            value = word_value(reverse_word(word) if right_to_left else word, known)
            if value != cycle(*target.strip("()").split()):
                bad.append(target)
        return bad

    bad = wrong(True)
    return Found(not bad, note="read from right to left" if not bad else f"wrong: {' '.join(bad)}")


def _order(scope: Scope) -> Found:
    return Found(factorial(15) // 2 == 653_837_184_000 == analysis("15-puzzle").families[0].group.order)


THREE = (
    ("1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 .", "(14 15)"),
    ("15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 .", "(15 4)(14 3)(13 2)(9 1)(10 5)(11 6)(12 7)"),
    (". 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "(12 9)(12 10)(11 10)(8 10)(2 1)(3 1)(4 1)"),
)
"""The three configurations, with the permutation that they are said to require."""


def _required(number: int) -> Found:
    start, printed = THREE[number]
    puzzle = as_puzzle("15-puzzle")
    needed = puzzle.permutation(start)
    assert needed is not None
    product = parse_cycles(printed)
    ours = compose({}, *(cycle(*points) for points in needed.cycles("snake")))
    verdict = puzzle.solvable(start)
    good = ours == compose(*product) and len(product) % 2 == 1 and not verdict and verdict.check()
    return Found(good, note="read from left to right" if number == 2 else "")


def _loyd(scope: Scope) -> Found:
    return _required(0)


def _reverse(scope: Scope) -> Found:
    return _required(1)


def _blank_first(scope: Scope) -> Found:
    return _required(2)


FIFTEEN = Paper(
    "fifteen",
    "A. Chapple, A. Croeze, M. Lazo, H. Merrill, Legal configurations of the 15-puzzle (slides)",
    (
        Claim("example", "cycle notation", "P = (1 4 2)(3 5) = (3 5)(1 4 2)", "holds", _example),
        Claim("product", "disjoint cycles", "(2 3)(1 2) = (3 2 1)", "holds", _not_commutative),
        Claim("signs", "odd and even", "(1 2)(3 4) is even, (1 2)(3 4)(5 6) odd", "holds", _signs),
        Claim(
            "parity",
            "parity theorem",
            "no permutation is both even and odd; the identity is even",
            "holds up to",
            _parity_theorem,
        ),
        Claim("half", "cardinality", "|O(n)| = |A(n)| = n!/2", "holds up to", _half),
        Claim(
            "s-11-14",
            "special moves",
            "S(11,14) as a product of eight transpositions is (13 12 11)",
            "holds",
            _worked_example,
        ),
        Claim(
            "nine",
            "nine moves",
            "the nine moves off the path are these cycles",
            "holds",
            _nine_moves,
            "slidelab permutation 15-puzzle --seed 1 --numbering snake",
        ),
        Claim("standard", "connections", "standardizing along the path changes nothing", "holds", _standard),
        Claim("even", "L(K)", "every element of L(K) is even", "holds", _even, "slidelab analyze 15-puzzle"),
        Claim(
            "consecutive",
            "results",
            "A(n) is generated by the cycles (k k+1 k+2)",
            "holds up to",
            _consecutive,
        ),
        Claim(
            "ten", "results", "ten products of the nine moves are cycles (k k+1 k+2)", "holds", _ten_products
        ),
        Claim("group", "tying together", "L(K) = A(15)", "holds", _group, "slidelab analyze 15-puzzle"),
        Claim(
            "order",
            "tying together",
            "|A(15)| = 653,837,184,000",
            "holds",
            _order,
            "slidelab analyze 15-puzzle",
        ),
        Claim(
            "15-14",
            "15-14 configuration",
            "needs (14 15): impossible",
            "holds",
            _loyd,
            f'slidelab permutation "15-puzzle : {THREE[0][0]}" --numbering snake',
        ),
        Claim(
            "reverse",
            "reverse configuration",
            "needs seven transpositions: impossible",
            "holds",
            _reverse,
            f'slidelab permutation "15-puzzle : {THREE[1][0]}" --numbering snake',
        ),
        Claim(
            "1-blank",
            "1-blank configuration",
            "needs these seven transpositions: impossible",
            "holds",
            _blank_first,
            f'slidelab permutation "15-puzzle : {THREE[2][0]}" --numbering snake',
        ),
    ),
)
"""The claims of the slides."""
