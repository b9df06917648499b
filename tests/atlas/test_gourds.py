"""The atlas of gourds: tables recomputed, features against brute force, files that survive."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

import slidelab as sl
from plain import Plain
from plain import hex_board as plain_hex_board
from slidelab.atlas.gourd_features import (
    SOLVABLE,
    cells_never_empty,
    even_ring,
    features,
    free_triangle,
    hamiltonian_cycles,
    has_station,
    is_factor_critical,
    is_necklace,
    triangles,
)
from slidelab.atlas.gourds import (
    Entry,
    boards_with_holes,
    entries,
    entry,
    read_atlas,
    summarize,
    write_atlas,
)
from slidelab.boards import (
    Board,
    board,
    from_edges,
    holes_in_board,
    is_hole_free,
    is_hole_free_cycle,
    is_two_connected,
    polyhexes,
)
from slidelab.errors import Damaged, NotationError, PuzzleError, TooLarge
from slidelab.reach.group import PermutationGroup

TABLES = Path(__file__).parents[2] / "docs" / "atlas"
COUNTS = {7: (1, 0), 9: (13, 7), 11: (137, 101), 13: (1484, 1227)}


def table(cells: int) -> Path:
    return TABLES / f"gourds-{cells}.jsonl"


# The stored tables


@pytest.mark.parametrize("cells", COUNTS)
def test_stored_tables_are_whole(cells):
    atlas = read_atlas(table(cells))
    assert (atlas.cells, atlas.finished) == (cells, True)
    assert (len(atlas.entries), sum(e.solvable for e in atlas.entries)) == COUNTS[cells]
    assert len({e.board for e in atlas.entries}) == len(atlas.entries)


@pytest.mark.parametrize("cells", COUNTS)
def test_the_conjecture_is_right_about_every_stored_board(cells):
    assert all(e.agrees for e in read_atlas(table(cells)).entries)


@pytest.mark.parametrize("cells", COUNTS)
def test_groups_are_those_that_the_document_names(cells):
    n = cells // 2
    for e in read_atlas(table(cells)).entries:
        (family,) = e.families
        if e.solvable:
            assert family.group == f"C2 wr Sym({n})"
        elif e.features.necklace:
            turned = "C2 wr Alt(3)" if n == 3 else f"C2 wr C({n})"
            assert e.group == (turned if e.features.pivots else f"C({n})")
        elif not e.features.never_empty and e.features.pivots:
            assert family.group == f"C2 wr Alt({n})"


@pytest.mark.parametrize("cells", [7, 9])
def test_small_tables_recomputed(cells):
    assert tuple(entries(cells)) == read_atlas(table(cells)).entries


@pytest.mark.parametrize(("cells", "sample"), [(11, 30), (13, 20)])
def test_samples_of_large_tables_recomputed(cells, sample):
    stored = read_atlas(table(cells)).entries
    for e in random.Random(cells).sample(stored, sample):
        assert entry(board(e.board)) == e


def test_boards_are_all_polyhexes_that_qualify():
    for cells in (7, 9):
        expected = [b for b in polyhexes(cells) if is_two_connected(b) and not is_hole_free(b)]
        assert list(boards_with_holes(cells)) == expected
    assert [b.name for b in boards_with_holes(11)] == [e.board for e in read_atlas(table(11)).entries]


def test_small_boards_of_the_table_against_plain_search():
    for e in read_atlas(table(7)).entries:
        summary = Plain.on(plain_hex_board(board(e.board).cells), "gourds", 1).summary()
        assert (summary["shapes"], summary["isolated"]) == (e.shapes, e.isolated)
        assert summary["components"] == e.components == 2
        assert holes_in_board(board(e.board)) == e.holes == 1
    ring_of_nine = next(e for e in read_atlas(table(9)).entries if e.solvable)
    summary = Plain.on(plain_hex_board(board(ring_of_nine.board).cells), "gourds", 1).summary()
    assert (summary["shapes"], summary["components"], summary["isolated"]) == (ring_of_nine.shapes, 1, 0)


def test_only_necklaces_get_a_better_name():
    e = next(e for e in read_atlas(table(9)).entries if e.group == "C2 wr C(4)")
    assert e.families[0].group == "group of order 64 on 8 points"
    assert replace(e, features=replace(e.features, necklace=False)).group == "group of order 64 on 8 points"
    other = replace(e.families[0], group="group of order 32 on 8 points")
    assert replace(e, families=(other, other)).group == f"{other.group} and {other.group}"
    cyclic = PermutationGroup([[2, 3, 4, 5, 6, 7, 0, 1], [1, 0, 2, 3, 4, 5, 6, 7]])
    assert cyclic.name == e.families[0].group


def test_summary_counts_the_first_board_that_breaks_a_rule():
    rules = {r.rule: r for r in summarize(read_atlas(table(11)).entries).rules}
    assert rules["... and an even ring (the conjecture)"].wrong == 0
    assert rules["... and not a necklace"].wrong == 4
    assert rules["a Hamiltonian cycle"].wrong == 36
    broken = rules["... and not a necklace"].first_wrong
    assert entry(board(broken)).families[0].group == "C2 wr Alt(5)"


def test_what_the_thesis_proves_is_solvable():
    for cells in COUNTS:
        for e in read_atlas(table(cells)).entries:
            assert e.solvable or not (e.features.hole_free_cycle or e.features.station)


# The conjecture away from the tables


def test_proper_boards_and_the_star():
    for cells in (7, 9):
        proper = [b for b in polyhexes(cells) if is_two_connected(b) and is_hole_free(b)]
        assert {features(b).verdict for b in proper} == {SOLVABLE}
        assert all(features(b).hole_free_cycle for b in proper)
    assert features(board("hex star")).verdict == "a cell is never empty"


def ears(random_numbers: random.Random, cells: int) -> Board:
    """A random two-connected graph: a ring, and paths from cell to cell."""
    graph = nx.cycle_graph(random_numbers.choice([3, 5, 6, 7]))
    while len(graph) < cells:
        a, b = random_numbers.sample(sorted(graph), 2)
        new = random_numbers.randint(1, min(4, cells - len(graph)))
        nx.add_path(graph, [a, *range(len(graph), len(graph) + new), b])
    for _ in range(random_numbers.randint(0, 2)):
        graph.add_edge(*random_numbers.sample(range(cells), 2))
    return from_edges(list(graph.edges))


def test_the_conjecture_on_random_graphs():
    numbers = random.Random(5)
    seen = Counter()
    for _ in range(120):
        graph = ears(numbers, numbers.choice([7, 9, 11]))
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


def test_the_conjecture_on_all_two_connected_graphs_with_seven_cells():
    graphs = [g for g in nx.graph_atlas_g() if len(g) == 7 and nx.is_biconnected(g)]
    seen = Counter()
    for graph in (from_edges(list(g.edges)) for g in graphs):
        critical = is_factor_critical(graph)
        expected = critical and free_triangle(graph) and not is_necklace(graph) and even_ring(graph)
        found = sl.puzzle(graph, "gourds").analyze(connection=False)
        assert (found.components == 1 and not found.isolated) == bool(expected), graph.name
        seen[critical] += 1
    assert seen == {True: 401, False: 67}


@pytest.mark.parametrize("cells", [7, 9, 11, 13, 15])
def test_two_odd_rings_in_one_do_what_tiles_do(cells):
    """Theta graphs with one odd path: condition 1, mostly no Hamiltonian cycle (argument F)."""
    n, exceptions = cells // 2, set()
    for odd in range(1, cells - 2, 2):
        rest = cells - 2 - odd
        for even in range(2 if odd == 1 else 0, rest // 2 + 1, 2):
            text = f"theta({odd},{even},{rest - even})"
            graph = board(text)
            if not is_two_connected(graph) or is_necklace(graph) or free_triangle(graph):
                continue
            assert is_factor_critical(graph)
            name = sl.puzzle(text, "gourds").group.name
            if name == "PGL(2,5)":
                exceptions.add(text)
                continue
            assert name == (f"Sym({n})" if even_ring(graph) else f"Alt({n})"), text
    assert exceptions == ({"theta(3,4,4)", "theta(5,2,4)"} if cells == 13 else set())


def test_the_only_exception_among_graphs_is_that_of_wilson():
    for text in ("theta(3,4,4)", "theta(2,4,5)"):
        assert sl.puzzle(text, "gourds").group.name == "PGL(2,5)"
    with_triangle = from_edges([*board("theta(3,4,4)").edges, (1, 3)])
    assert free_triangle(with_triangle)
    assert even_ring(with_triangle)
    assert is_factor_critical(with_triangle)
    assert sl.puzzle(with_triangle, "gourds").analyze(connection=False).components == 6
    assert all(e.features.hamiltonian for e in read_atlas(table(13)).entries if not e.features.never_empty)


# Features against brute force


def some_boards() -> list[Board]:
    numbers = random.Random(3)
    hexagonal = [b for cells in (7, 8, 9) for b in numbers.sample(list(polyhexes(cells)), 20)]
    ring_like = [board(e.board) for cells in (9, 11) for e in read_atlas(table(cells)).entries][::4]
    return [*hexagonal, *ring_like, *(ears(numbers, 9) for _ in range(30)), board("hex star")]


BOARDS = some_boards()


def can_be_filled(graph: nx.Graph) -> bool:
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) == len(graph)


def without(b: Board, cells) -> nx.Graph:
    graph = b.to_networkx()
    graph.remove_nodes_from(cells)
    return graph


def test_matchings_against_networkx():
    for b in BOARDS:
        never = tuple(cell for cell in range(b.size) if not can_be_filled(without(b, [cell])))
        assert cells_never_empty(b) == never
        assert is_factor_critical(b) == (not never)
        free = [t for t in triangles(b) if can_be_filled(without(b, t))]
        assert (free_triangle(b) is not None) == bool(free)
        assert free_triangle(b) in [*free, None]


def test_rings_against_networkx():
    for b in BOARDS:
        rings = list(nx.simple_cycles(b.to_networkx()))
        assert len(triangles(b)) == sum(len(ring) == 3 for ring in rings)
        free = [len(ring) for ring in rings if len(ring) % 4 == 1 and can_be_filled(without(b, ring))]
        found = even_ring(b)
        assert (len(found) if found else None) == min(free, default=None)
        through_all = {
            frozenset(zip(r, r[1:] + r[:1], strict=True)) for r in map(tuple, hamiltonian_cycles(b))
        }
        assert len(through_all) == sum(len(ring) == b.size for ring in rings)


def is_ring_of_short_chords(b: Board, cycle: tuple[int, ...]) -> bool:
    """All edges go one or two steps along the cycle, and no three that go two steps follow each other."""
    size, place = b.size, {cell: k for k, cell in enumerate(cycle)}
    steps = [(place[y] - place[x]) % size for x, y in b.edges]
    if any(2 < step < size - 2 for step in steps):
        return False
    chords = [b.adjacent(cycle[k], cycle[(k + 2) % size]) for k in range(size)]
    return not any(chords[k] and chords[k - 1] and chords[k - 2] for k in range(size))


def test_necklaces_against_their_hamiltonian_cycles():
    found = Counter()
    for b in BOARDS:
        expected = any(is_ring_of_short_chords(b, cycle) for cycle in hamiltonian_cycles(b))
        assert is_necklace(b) == expected, b.name
        found[expected] += 1
    assert found[True] >= 5


def is_inside(point, corners) -> bool:
    """Does a ray from the point cross the polygon an odd number of times?"""
    (x, y), crossings = point, 0
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


def test_cycles_that_enclose_nothing():
    found = Counter()
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


def test_a_station_is_a_trapezoid_passed_in_order():
    trapezoid = board("hex 1,0 2,0 0,1 1,1 2,1")
    passes = [cycle for cycle in hamiltonian_cycles(trapezoid) if has_station(trapezoid, cycle)]
    assert len(passes) == 1  # there is but one Hamiltonian cycle
    assert not any(has_station(board("cycle(7)"), cycle) for cycle in hamiltonian_cycles(board("cycle(7)")))


# Computing


@pytest.mark.parametrize(
    ("cells", "said"), [(8, "odd"), (5, "hole"), (3, "hole"), (0, "at least 1"), (2.5, "expected")]
)
def test_wrong_numbers_of_cells(cells, said):
    with pytest.raises(NotationError, match=said):
        entries(cells)


def test_too_many_cells():
    with pytest.raises(TooLarge, match="at most 17"):
        entries(19)


def test_several_processes_give_the_same_in_the_same_order():
    assert tuple(entries(9, processes=2)) == read_atlas(table(9)).entries


def test_skipping():
    assert tuple(entries(9, skip=10)) == read_atlas(table(9)).entries[10:]


def test_entries_are_json_and_back():
    for e in read_atlas(table(11)).entries:
        assert Entry.from_json(e.to_json()) == e
    for wrong in (
        {},
        {"board": "hex F(2)"},
        {**e.to_json(), "shapes": "many"},
        {**e.to_json(), "families": 3},
    ):
        with pytest.raises(NotationError):
            Entry.from_json(wrong)


# Files


def test_files_are_those_that_are_stored(tmp_path):
    for cells in (7, 9):
        write_atlas(tmp_path / "a", cells)
        assert (tmp_path / "a").read_bytes() == table(cells).read_bytes()
        (tmp_path / "a").unlink()


@pytest.mark.parametrize("kept", [0, 1, 30, 84, 85, 86, 600, 2000, 3900, -1, -2, -150, -200])
def test_a_file_cut_anywhere_goes_on_to_the_same_end(tmp_path, kept):
    whole = table(9).read_bytes()
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:kept])
    if b"\n" in whole[:kept]:
        assert not read_atlas(path).finished
    summary = write_atlas(path, 9)
    assert path.read_bytes() == whole
    assert (summary.boards, summary.solvable) == COUNTS[9]


def test_interrupted_runs_go_on(tmp_path):
    path = tmp_path / "stopped.jsonl"
    reached = Counter()

    def stop(phase: str, done: int, total: int) -> None:
        reached["calls"] += 1
        if reached["calls"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atlas(path, 9, progress=stop)
    assert 0 < len(read_atlas(path).entries) <= 13
    assert not read_atlas(path).finished
    write_atlas(path, 9)
    assert path.read_bytes() == table(9).read_bytes()


def test_a_finished_file_is_not_computed_again(tmp_path):
    path = tmp_path / "done.jsonl"
    path.write_bytes(table(13).read_bytes())
    assert write_atlas(path, 13).solvable == 1227


def test_every_damaged_byte_is_noticed(tmp_path):
    whole = table(9).read_bytes()
    path = tmp_path / "damaged.jsonl"
    for place in random.Random(9).sample(range(len(whole) - 1), 150):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises((Damaged, PuzzleError)):
            read_atlas(path)
        before = path.read_bytes()
        with pytest.raises(PuzzleError):
            write_atlas(path, 9)
        assert path.read_bytes() == before
    lines = whole.splitlines(keepends=True)
    for left_out, twice in combinations(range(1, 5), 2):
        path.write_bytes(b"".join(line for k, line in enumerate(lines) if k != left_out))
        with pytest.raises(Damaged):
            read_atlas(path)
        path.write_bytes(b"".join(lines[: twice + 1] + lines[twice:]))
        with pytest.raises(Damaged):
            read_atlas(path)


def test_other_files_are_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    for text in ("my notes", "my notes\n", "{}\n", "[1]\n", '{"format":"other"}\n'):
        path.write_text(text)
        with pytest.raises(PuzzleError):
            write_atlas(path, 9)
        assert path.read_text() == text
    path.write_bytes(table(9).read_bytes())
    with pytest.raises(PuzzleError, match="9 cells, not 7"):
        write_atlas(path, 7)
    with pytest.raises(PuzzleError, match="could not"):
        read_atlas(tmp_path / "nothing")
    with pytest.raises(PuzzleError, match="could not"):
        write_atlas(tmp_path, 9)
    path.write_bytes(b"")
    with pytest.raises(Damaged):
        read_atlas(path)
