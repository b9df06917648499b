"""Permutations, graphs and replays written independently of Wilson's method."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise, product

import networkx as nx

from slidelab.claims.words import Permutation, compose, cycle, parse_cycles
from slidelab.puzzles import Passage
from slidelab.solve.wilson.solver import solve_block

# Permutations are dictionaries of names, products are read from left to right.

Rows = list[list[int]]


def cycles(text: str) -> Permutation:
    """Read disjoint cycles: "(a b)(c d)"."""
    return compose({}, *parse_cycles(text))


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


def thetas(limit: int) -> list[tuple[int, int, int]]:
    return [
        (a, b, c)
        for a, b, c in product(range(limit), repeat=3)
        if a <= b <= c and b > 0 and a + b + c + 2 <= limit
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
