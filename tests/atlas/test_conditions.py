"""The conjecture on graphs and boards outside the tables, and its conditions against brute force."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

import networkx as nx
import pytest

import slidelab as sl
from atlas.tables import table
from slidelab.atlas import entry, features, read_atlas
from slidelab.atlas.conditions import (
    SOLVABLE,
    cells_never_empty,
    even_ring,
    free_triangle,
    hamiltonian_cycles,
    has_station,
    is_factor_critical,
    is_necklace,
)
from slidelab.boards import (
    Board,
    Position,
    board,
    from_edges,
    is_hole_free,
    is_hole_free_cycle,
    is_two_connected,
    polyhexes,
    triangles,
)


def test_proper_boards_and_the_star() -> None:
    for cells in (7, 9):
        proper = [b for b in polyhexes(cells) if is_two_connected(b) and is_hole_free(b)]
        assert {features(b).verdict for b in proper} == {SOLVABLE}
        assert all(features(b).hole_free_cycle for b in proper)
    assert features(board("hex star")).verdict == "a cell is never empty"


def random_graph(rng: random.Random, cells: int) -> Board:
    """Return a random two-connected graph: a cycle with ears and chords."""
    graph: nx.Graph[int] = nx.cycle_graph(rng.choice([3, 5, 6, 7]))
    while len(graph) < cells:
        a, b = rng.sample(sorted(graph), 2)
        new = rng.randint(1, min(4, cells - len(graph)))
        nx.add_path(graph, [a, *range(len(graph), len(graph) + new), b])
    for _ in range(rng.randint(0, 2)):
        graph.add_edge(*rng.sample(range(cells), 2))
    return from_edges(list(graph.edges))


def test_the_conjecture_on_random_graphs() -> None:
    rng = random.Random(5)
    seen: Counter[tuple[bool, bool, bool]] = Counter()
    for _ in range(120):
        graph = random_graph(rng, rng.choice([7, 9, 11]))
        found = sl.puzzle(graph, "gourds").analyze(connection=False)
        critical, ring = is_factor_critical(graph), even_ring(graph)
        expected = critical and free_triangle(graph) and not is_necklace(graph) and ring
        assert (found.components == 1) == bool(expected), graph.name
        if critical:
            (family,) = found.families
            assert found.isolated == 0
            assert found.weak_parity == (ring is None), graph.name
            assert free_triangle(graph) or family.group.is_even
        seen[critical, bool(expected), ring is None] += 1
    assert len(seen) >= 4


def test_the_conjecture_on_all_two_connected_graphs_with_seven_cells() -> None:
    graphs = [g for g in nx.graph_atlas_g() if len(g) == 7 and nx.is_biconnected(g)]
    seen: Counter[bool] = Counter()
    for graph in (from_edges(list(g.edges)) for g in graphs):
        critical = is_factor_critical(graph)
        expected = critical and free_triangle(graph) and not is_necklace(graph) and even_ring(graph)
        found = sl.puzzle(graph, "gourds").analyze(connection=False)
        assert (found.components == 1 and not found.isolated) == bool(expected), graph.name
        seen[critical] += 1
    assert seen == {True: 401, False: 67}


@pytest.mark.parametrize("cells", [7, 9, 11, 13, 15])
def test_two_odd_rings_in_one_do_what_tiles_do(cells: int) -> None:
    """Theta graphs with one odd path: condition 1, mostly no Hamiltonian cycle (argument F)."""
    n = cells // 2
    exceptions: set[str] = set()
    for odd in range(1, cells - 2, 2):
        rest = cells - 2 - odd
        for even in range(2 if odd == 1 else 0, rest // 2 + 1, 2):
            text = f"theta({odd},{even},{rest - even})"
            graph = board(text)
            if not is_two_connected(graph) or is_necklace(graph) or free_triangle(graph):
                continue
            assert is_factor_critical(graph)
            name = sl.puzzle(text, "gourds").group().name
            if name == "PGL(2,5)":
                exceptions.add(text)
                continue
            assert name == (f"Sym({n})" if even_ring(graph) else f"Alt({n})"), text
    assert exceptions == ({"theta(3,4,4)", "theta(5,2,4)"} if cells == 13 else set())


def test_the_only_exception_among_graphs_is_that_of_wilson() -> None:
    for text in ("theta(3,4,4)", "theta(2,4,5)"):
        assert sl.puzzle(text, "gourds").group().name == "PGL(2,5)"
    with_triangle = from_edges([*board("theta(3,4,4)").edges, (1, 3)])
    assert free_triangle(with_triangle)
    assert even_ring(with_triangle)
    assert is_factor_critical(with_triangle)
    assert sl.puzzle(with_triangle, "gourds").analyze(connection=False).components == 6
    assert all(e.features.hamiltonian for e in read_atlas(table(13)).entries if not e.features.never_empty)


# Conditions against brute force


def some_boards() -> list[Board]:
    rng = random.Random(3)
    hexagonal = [b for cells in (7, 8, 9) for b in rng.sample(list(polyhexes(cells)), 20)]
    ring_like = [board(e.board) for cells in (9, 11) for e in read_atlas(table(cells)).entries][::4]
    return [*hexagonal, *ring_like, *(random_graph(rng, 9) for _ in range(30)), board("hex star")]


BOARDS = some_boards()


def can_be_filled(graph: nx.Graph[int]) -> bool:
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(graph)


def without(b: Board, cells: Iterable[int]) -> nx.Graph[int]:
    graph = b.to_networkx()
    graph.remove_nodes_from(cells)
    return graph


def test_matchings_against_networkx() -> None:
    for b in BOARDS:
        never = tuple(cell for cell in range(b.size) if not can_be_filled(without(b, [cell])))
        assert cells_never_empty(b) == never
        assert is_factor_critical(b) == (not never)
        free = [t for t in triangles(b) if can_be_filled(without(b, t))]
        assert (free_triangle(b) is not None) == bool(free)
        assert free_triangle(b) in [*free, None]


def test_rings_against_networkx() -> None:
    for b in BOARDS:
        rings = list(nx.simple_cycles(b.to_networkx()))
        assert len(triangles(b)) == sum(len(ring) == 3 for ring in rings)
        free = [len(ring) for ring in rings if len(ring) % 4 == 1 and can_be_filled(without(b, ring))]
        found = even_ring(b)
        assert (len(found) if found else None) == min(free, default=None)
        through_all = {
            frozenset(frozenset(edge) for edge in zip(r, r[1:] + r[:1], strict=True))
            for r in hamiltonian_cycles(b)
        }
        assert len(through_all) == sum(len(ring) == b.size for ring in rings)


def is_ring_of_short_chords(b: Board, cycle: tuple[int, ...]) -> bool:
    """Return whether all edges are one or two steps along the cycle, never three of two steps in a row."""
    size, place = b.size, {cell: k for k, cell in enumerate(cycle)}
    steps = [(place[y] - place[x]) % size for x, y in b.edges]
    if any(2 < step < size - 2 for step in steps):
        return False
    chords = [b.adjacent(cycle[k], cycle[(k + 2) % size]) for k in range(size)]
    return not any(chords[k] and chords[k - 1] and chords[k - 2] for k in range(size))


def test_necklaces_against_their_hamiltonian_cycles() -> None:
    found: Counter[bool] = Counter()
    for b in BOARDS:
        expected = any(is_ring_of_short_chords(b, cycle) for cycle in hamiltonian_cycles(b))
        assert is_necklace(b) == expected, b.name
        found[expected] += 1
    assert found[True] >= 5


def is_inside(point: Position, corners: Sequence[Position]) -> bool:
    """Return whether a ray from the point crosses the polygon an odd number of times."""
    (x, y), crossings = point, 0
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


def test_cycles_that_enclose_nothing() -> None:
    found: Counter[bool] = Counter()
    hexagonal = [board(e.board) for cells in (9, 11) for e in read_atlas(table(cells)).entries][::3]
    for b in [*hexagonal, board("hex F(2)"), board("hex P(3,3)")]:
        present = set(b.cells)
        near = [(q, r) for q in range(-9, 10) for r in range(-1, 12) if (q, r) not in present]
        for cycle in hamiltonian_cycles(b):
            corners = [(q + r / 2, float(r)) for q, r in (b.cells[cell] for cell in cycle)]
            empty = not any(is_inside((q + r / 2 + 1e-6, r + 1e-7), corners) for q, r in near)
            assert is_hole_free_cycle(b, cycle) == empty
            found[empty] += 1
    assert min(found[True], found[False]) >= 5


def test_a_station_is_a_trapezoid_passed_in_order() -> None:
    trapezoid = board("hex 1,0 2,0 0,1 1,1 2,1")
    passes = [cycle for cycle in hamiltonian_cycles(trapezoid) if has_station(trapezoid, cycle)]
    assert len(passes) == 1  # there is but one Hamiltonian cycle
    assert not any(has_station(board("cycle(7)"), cycle) for cycle in hamiltonian_cycles(board("cycle(7)")))


def test_the_conjecture_on_all_boards_with_fifteen_cells() -> None:
    """The stored table; a sample of it is computed again."""
    atlas = read_atlas(table(13).with_name("gourds-15.jsonl.xz"))
    assert (len(atlas.entries), sum(e.solvable for e in atlas.entries)) == (16420, 13771)
    assert all(e.agrees for e in atlas.entries)
    assert sum(not e.features.never_empty and not e.features.hamiltonian for e in atlas.entries) == 79
    for stored in random.Random(7).sample(atlas.entries, 20):
        assert entry(board(stored.board)) == stored
