"""Proofs by patching: every rule on all small boards, with hypotheses weakened, and forged proofs."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from math import factorial
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, one_line
from reach.damage import damage
from reach.triangle_boards import (
    Cells,
    boards,
    components,
    copies,
    families,
    is_joined,
    normal,
    overlapping,
    puzzle,
    shares_edge,
)
from slidelab.boards import board, polyhexes, random_hexagons
from slidelab.boards.lattice import hexagons_around
from slidelab.budget import CacheNeutral
from slidelab.errors import TooLarge
from slidelab.reach.proof_check.cells import holds_its_tile, is_triangle_connected
from slidelab.reach.proof_check.entry import check_proof
from slidelab.reach.proof_check.permutations import group_order
from slidelab.reach.proof_check.refusal import Refused
from slidelab.reach.prover import cover, search
from slidelab.reach.prover.proof import Proof
from slidelab.reach.prover.regions import Bounds, bounds_of, peel_corners, triangle_classes
from slidelab.reach.prover.search import find_proof


def cells_of(text: str) -> Cells:
    return frozenset(board(text).cells)


# What is proved is true


@pytest.mark.parametrize("size", range(4, 10))
def test_proofs_agree_with_the_gain_graph(size: int) -> None:
    """On all boards, with every number of holes; and the checker accepts every proof."""
    for cells in boards(size):
        for holes in range(2, size):
            proof = find_proof(puzzle(cells, holes))
            if isinstance(proof, Proof):
                assert proof.components == components(cells, holes)
                assert proof.check() == proof.proved
            else:
                assert components(cells, holes) > 1


@pytest.mark.parametrize("size", range(8, 11))
def test_proofs_without_computing_the_whole_board(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that would be computed as a whole, covered by smaller ones instead."""
    monkeypatch.setattr(search, "MAX_COMPUTED_CELLS", 0)
    monkeypatch.setattr(search, "MAX_WHOLE_CELLS", 0)
    monkeypatch.setattr(cover, "MAX_PATCH_CELLS", size - 1)
    patched = 0
    for cells in boards(size):
        for holes in range(2, 6):
            proof = search._find.__wrapped__(puzzle(cells, holes), CacheNeutral(None))
            if isinstance(proof, Proof):
                assert proof.components == components(cells, holes)
                assert proof.check() == proof.proved
                patched += len(proof.steps) > 1
    assert patched > 5


@pytest.mark.parametrize("seed", range(12))
def test_random_boards(seed: int) -> None:
    """Larger boards than all of one size, with arms and bays; most of those with one component are proved."""
    rng = random.Random(seed)
    cells = frozenset(random_hexagons(rng.randrange(18, 40), seed=seed, thin=0.0).cells)
    for holes in (2, 3, 4):
        if len(triangle_classes(cells)) != 1:
            continue
        proof = find_proof(puzzle(cells, holes))
        if isinstance(proof, Proof):
            assert proof.components == components(cells, holes)
            proof.check()
        else:
            assert components(cells, holes) > 1


def test_larger_boards_are_proved() -> None:
    """The trapezoid of 590 cells, rings, and boards with holes in them."""
    for text, holes, count in (
        ("hex trapezoid(39,20)", 3, 1),
        ("hex ring(9,3)", 3, 1),
        ("hex ring(8,4)", 2, 2),
        ("hex convex(30,20,5,9)", 7, 1),
        ("hex P(60,50)", 2, 4 * 2998 * 2997 // 2),
    ):
        proof = sl.prove(text, holes=holes)
        assert proof.components == count  # type: ignore[union-attr]
        assert proof.check()


def test_the_boards_of_steps_have_names() -> None:
    """Every convex board of a proof has a name that reads back as a congruent board."""
    proof = sl.prove("hex F(4)", holes=3)
    assert isinstance(proof, Proof)
    seen = 0
    for step in proof.steps:
        named = cells_of(f"hex {step.name}")
        assert normal(named) == normal(step.cells)
        seen += step.name.startswith("convex")
    assert seen > 3


def test_analysis_and_verdicts_beyond_the_gain_graph() -> None:
    p = sl.puzzle("hex trapezoid(39,20)", holes=3)
    analysis = p.analyze()
    assert (analysis.components, analysis.maximally_connected, analysis.connection_number) == (1, True, 3)
    assert analysis.proof is not None
    assert "patching" in analysis.proof.summary()
    assert p.solvable(p.shuffle(seed=1)).check()
    large = sl.puzzle("hex trapezoid(39,20)")
    assert large.analyze().components == 2 * 588 * 587
    start = large.shuffle(seed=3)
    assert large.solvable(start).check()
    swapped = [*start.pieces]
    swapped[200], swapped[300] = swapped[300], swapped[200]
    odd = large.solvable(sl.Configuration(large, tuple(swapped)))
    assert not odd
    assert odd.check()
    assert "Theorem 1.5" in odd.reason
    assert not sl.Verdict(True, "", odd.certificate, odd.start, odd.goal).check()


@pytest.mark.parametrize("text", ["hex P(3,4)", "hex T(5)", "hex Ttr(5)", "hex P(2,3)"])
def test_verdicts_agree_with_the_group(text: str) -> None:
    """What a proof says of start and goal, against the membership test, coloured or not."""
    from slidelab.reach.certificate import check
    from slidelab.reach.prover.patched import patched_sampler, patched_verdict

    rng = random.Random(text)
    for colours in (None, "aabbcc"):
        p = sl.puzzle(text)
        if colours is not None:
            p = sl.puzzle(text, colours=[colours[k % 6] for k in range(p.piece_count)])
        seen = set()
        for _ in range(25):
            start = p.shuffle(seed=rng.randrange(10**9))
            pieces = list(start.pieces)
            for _ in range(rng.randrange(3)):
                i, j = rng.sample(range(len(pieces)), 2)
                pieces[i], pieces[j] = pieces[j], pieces[i]
            start = sl.Configuration(p, tuple(pieces))
            found = patched_verdict(start, p.goal)
            assert found is not None
            expected = bool(p.solvable(start))
            assert found[0] == expected
            assert check(start, p.goal, expected, found[2])
            assert not check(start, p.goal, not expected, found[2])
            seen.add(expected)
        assert seen == {True, False} or colours is not None
        draw = patched_sampler(p.goal)
        assert draw is not None
        assert all(p.solvable(draw(rng)) for _ in range(5))


# The rules, and what happens if a hypothesis is weakened


def good_boards(holes: int, most: int) -> list[Cells]:
    """Boards with one component (two, with two holes)."""
    wanted = 2 if holes == 2 else 1
    return [
        cells
        for size in range(holes + (3 if holes == 2 else 1), most + 1)
        for cells in boards(size)
        if components(cells, holes) == wanted
    ]


def unions(holes: int, most: int, least: int, largest: int) -> list[tuple[Cells, Cells]]:
    """Pairs of such boards whose overlap has at least so many cells and an edge, with a joined union."""
    good = good_boards(holes, most)
    return [
        (first, moved)
        for first in good
        for second in good
        for moved in overlapping(first, second, least)
        if len(first | moved) <= largest and shares_edge(first, moved) and is_joined(first | moved)
    ]


@pytest.mark.parametrize(("holes", "most", "largest"), [(3, 9, 11), (4, 8, 9), (5, 7, 9)])
def test_patching_with_all_permutations(holes: int, most: int, largest: int) -> None:
    """Theorem 3.1: overlaps of one cell more than there are holes suffice, whatever their form."""
    found = unions(holes, most, holes + 1, largest)
    assert len(found) > 40
    assert all(components(first | second, holes) == 1 for first, second in found)


@pytest.mark.parametrize(("holes", "most", "largest"), [(3, 5, 8), (4, 6, 8), (5, 7, 9)])
def test_patching_needs_a_tile_in_the_overlap(holes: int, most: int, largest: int) -> None:
    """With an overlap of just as many cells as holes it fails."""
    found = unions(holes, most, holes, largest)
    assert any(components(first | second, holes) > 1 for first, second in found)


def test_two_touching_cells_do_not_suffice() -> None:
    """Remark 3.2 as printed fails: two P(3,3) that share two touching cells, three holes."""
    first = cells_of("hex P(3,3)")
    second = frozenset((q + 2, r + 1) for q, r in first)
    assert len(first & second) == 2
    assert shares_edge(first, second)
    assert is_joined(first | second)
    assert components(first, 3) == 1
    assert components(first | second, 3) == 12_012


def test_patching_needs_joined_triangles() -> None:
    """Theorem 3.1 as printed fails: a triangle of the union that shares no edge with another."""
    union = cells_of("hex F(5)") - {(1, -1), (1, 1), (-1, 1)}
    first, second = union - {(1, 0)}, union - {(0, 0)}
    assert len(first & second) == 56
    assert is_joined(first)
    assert is_joined(second)
    assert not is_joined(union)
    assert components(first, 3) == components(second, 3) == 1
    assert families(union, 3) > 1
    assert "2 sets" in str(find_proof(puzzle(union, 3)))


def test_patching_with_even_permutations() -> None:
    """Theorem 4.4 needs three cells in the overlap, not four."""
    good = [cells for size in (10, 12) for cells in boards(size) if components(cells, 2) == 2]
    sizes = set()
    for first in good:
        for moved in overlapping(first, good[0], 3):
            if shares_edge(first, moved) and is_joined(first | moved):
                sizes.add(len(first & moved))
                assert components(first | moved, 2) == 2
    assert {3, 4} <= sizes


def test_even_patches_with_a_common_cell_have_joined_triangles() -> None:
    """Strong parity needs three consecutive neighbours of each cell; so Theorem 4.4 need not ask for it."""
    first = cells_of("hex Ptr(3,4)")
    assert not any(holds_its_tile(first, cell) for cell in first)
    unions = [first | moved for moved in overlapping(first, first, 1)]
    assert len(unions) > 80
    assert all(is_triangle_connected(union) for union in unions)


def test_even_permutations_need_a_tile_in_the_overlap() -> None:
    """With an overlap of two cells Theorem 4.4 fails."""
    first = cells_of("hex Ptr(3,4)")
    counts = {
        components(first | moved, 2)
        for moved in overlapping(first, first, 2)
        if len(first & moved) == 2 and shares_edge(first, moved) and is_joined(first | moved)
    }
    assert 51_480 in counts


def test_even_permutations_need_three_tiles_in_a_patch() -> None:
    """With patches of four cells Theorem 4.4 fails: two P(2,2) that share three cells."""
    first = cells_of("hex P(2,2)")
    second = frozenset({(1, 0), (0, 1), (1, 1), (0, 2)})
    assert components(first, 2) == components(second, 2) == 2
    assert len(first & second) == 3
    assert components(first | second, 2) == 6


def test_more_holes() -> None:
    """One component with h holes gives one with h + 1, never the other way round for free."""
    fewer = False
    for size in range(5, 11):
        for cells in boards(size):
            one = [holes for holes in range(3, size) if components(cells, holes) == 1]
            assert one == list(range(one[0], size))
            fewer |= one[0] > 3
    assert fewer


def test_tight_corners() -> None:
    """Lemma 4.3 on every board: for each choice of the tile in a tight corner, the components of the rest.

    More generally, on every cell without three consecutive neighbours.
    """
    winding = cells_of("hex F(4)") - {(1, -1), (1, 1), (-1, 1), (1, 0)}
    assert sum(near in winding for near in hexagons_around((0, 0))) == 3
    assert holds_its_tile(winding, (0, 0))
    for cells in [*(cells for size in range(5, 10) for cells in boards(size)), winding]:
        for cell in cells:
            if holds_its_tile(cells, cell):
                rest = cells - {cell}
                assert is_joined(rest)
                assert components(cells, 2) == (len(cells) - 2) * components(rest, 2)


def test_every_core_with_even_permutations_is_proved() -> None:
    """With two holes: the board is proved if what is left without stuck tiles has all even permutations."""
    layer, even = {cells_of("hex Ptr(3,4)")}, 0
    for _ in range(2):  # every way to add a triangle
        further = {
            cells | {near}
            for cells in layer
            for each in cells
            for near in hexagons_around(each)
            if near not in cells and is_joined(cells | {near})
        }
        layer = {min(copies(cells), key=sorted) for cells in further}
        for cells in layer:
            core = frozenset(peel_corners(cells)[1])
            proof = find_proof(puzzle(cells, 2))
            assert isinstance(proof, Proof)
            assert proof.proved.core in (core, frozenset())
            assert proof.components == components(cells, 2)
            even += core == cells
    assert even


def dumbbell(length: int) -> Cells:
    """Two P(4,4) with a passage of two rows between them."""
    blocks = {(q + far, r) for q in range(4) for r in range(4) for far in (0, 4 + length)}
    return frozenset(blocks | {(4 + q, r) for q in range(length) for r in (1, 2)})


@pytest.mark.parametrize(("length", "holes"), [(2, 5)])
def test_passages_need_holes(length: int, holes: int) -> None:
    """A passage that can be emptied lets tiles through, one that cannot does not: tiles pass in order."""
    proof = find_proof(puzzle(dumbbell(length), holes))
    assert isinstance(proof, Proof)
    assert proof.check().components == 1
    assert isinstance(find_proof(puzzle(dumbbell(length), holes - 1)), str)


def test_tight_corners_need_two_holes_and_two_neighbours() -> None:
    parallelogram = cells_of("hex P(3,3)")
    corner = frozenset({(0, 0)})
    assert holds_its_tile(parallelogram, (0, 0))
    assert components(parallelogram, 3) != 6 * components(parallelogram - corner, 3)
    flower = cells_of("hex Ptr(3,4)")
    for cell in flower:
        if sum(near in flower for near in hexagons_around(cell)) == 3:
            assert components(flower, 2) != 8 * components(flower - {cell}, 2)


def test_joined_triangles_give_one_family() -> None:
    """All shapes that can move are connected if and only if the triangles are joined."""
    for size in range(4, 8):
        for each in polyhexes(size):
            cells = frozenset(each.cells)
            assert is_triangle_connected(cells) == is_joined(cells)
            classes = triangle_classes(cells)
            assert (len(classes) == 1 and classes[0] == cells) == is_joined(cells)
            if is_joined(cells):
                assert all(families(cells, holes) == 1 for holes in range(2, size))
            elif len(classes) > 1:
                assert families(cells, 2) > 1


def test_convex_boards_are_joined() -> None:
    """A convex board with a triangle is covered by triangles that are joined; others need not be."""
    seen = 0
    for q1 in range(5):
        for r1 in range(5):
            for s0 in range(4):
                for s1 in range(s0, q1 + r1 + 1):
                    region = Bounds(0, q1, 0, r1, s0, s1)
                    cells = region.cells()
                    if cells:
                        assert region.size == len(cells)
                        assert region.tightened() == bounds_of(cells)
                        thick = any(
                            {(q + 1, r), (q, r + 1)} <= cells or {(q + 1, r), (q + 1, r - 1)} <= cells
                            for q, r in cells
                        )
                        assert is_triangle_connected(cells) == thick
                        seen += thick
    assert seen > 100
    assert not is_triangle_connected(frozenset({(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)}))


def test_convex_boards_with_three_holes() -> None:
    """The boards that are halved: all with three widths of at least 3, but for T(3) and F(2)."""
    for m in range(2, 5):
        for n in range(m, 6):
            for first in range(m):
                for last in range(m):
                    cells = frozenset(Bounds(0, m - 1, 0, n - 1, first, m + n - 2 - last))
                    if not 5 <= len(cells) <= 16 or not is_joined(cells):
                        continue
                    widths = bounds_of(cells).widths
                    wide = min(widths) >= 3 and sum(widths) >= 10
                    assert (components(cells, 3) == 1) == wide or len(cells) <= 5


# Forged proofs


def steps_of(form: dict[str, Any], by: str) -> dict[str, Any]:
    return next(step for step in form["steps"] if step["by"] == by)


def drop_overlap(form: dict[str, Any]) -> None:
    steps_of(form, "patching")["overlaps"] = []


def shift_part(form: dict[str, Any]) -> None:
    steps_of(form, "patching")["parts"][0]["shift"][0] += 1


def drop_loop(form: dict[str, Any]) -> None:
    steps_of(form, "computed")["loops"] = steps_of(form, "computed")["loops"][:1]


def wrong_move(form: dict[str, Any]) -> None:
    steps_of(form, "computed")["loops"][0][0] = [[0, 0], [5, 5]]


def wrong_count(form: dict[str, Any]) -> None:
    form["components"] += 1


def wrong_text(form: dict[str, Any]) -> None:
    form["text"] = "hex P(7,7) hextiles 2"


def other_holes(form: dict[str, Any]) -> None:
    form["puzzle"]["holes"] += 1


def later_step(form: dict[str, Any]) -> None:
    steps_of(form, "patching")["parts"][0]["step"] = len(form["steps"])


def larger_board(form: dict[str, Any]) -> None:
    form["puzzle"]["board"]["cells"].append([90, 90])


def no_corner(form: dict[str, Any]) -> None:
    steps_of(form, "tight corners")["corners"][0] = [1, 1]


def endless_bounds(form: dict[str, Any]) -> None:
    steps_of(form, "computed")["board"] = {"bounds": [0, -1, 0, 10**30, 0, 10**30]}


def huge_computed_board(form: dict[str, Any]) -> None:
    steps_of(form, "computed")["board"] = {"bounds": [0, 900, 0, 900, 0, 1800]}


def true_for_a_number(form: dict[str, Any]) -> None:
    steps_of(form, "patching")["parts"][0]["turn"] = True


FORGERIES = [
    drop_overlap,
    shift_part,
    drop_loop,
    wrong_move,
    wrong_count,
    wrong_text,
    other_holes,
    later_step,
    larger_board,
    no_corner,
    endless_bounds,
    huge_computed_board,
    true_for_a_number,
]


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forged_proofs_are_refused(forge: Callable[[dict[str, Any]], None]) -> None:
    form = json.loads(json.dumps(sl.prove("hex P(5,6)").to_json()))
    assert check_proof(deepcopy(form)) == "hex P(5,6) hextiles 2: 1,512 components"
    forge(form)
    with pytest.raises(Refused) as caught:
        check_proof(form)
    assert "\n" not in str(caught.value)


def test_coloured_tiles_are_not_proved() -> None:
    """A proof about numbered tiles says nothing of how many components there are with equal ones."""
    form = json.loads(json.dumps(sl.prove("hex Ptr(3,4)").to_json()))
    coloured = "hex Ptr(3,4) hextiles 2 : a a b b c c d d . ."
    with pytest.raises(Refused, match="another puzzle"):
        check_proof({**form, "text": coloured})
    with pytest.raises(Refused, match="numbered"):
        check_proof({**form, "puzzle": sl.puzzle(coloured).to_json()})


@pytest.mark.parametrize("seed", range(40))
def test_random_damage_is_refused_or_harmless(seed: int) -> None:
    """Whatever is changed at random in a proof, the checker never ends with another error."""
    rng = random.Random(seed)
    form = json.loads(json.dumps(sl.prove("hex P(4,5)").to_json()))
    damage(form, rng, 0.3)
    try:
        proved = check_proof(form)
    except Refused:
        return
    assert proved == "hex P(4,5) hextiles 2: 612 components"


def test_groups_of_the_checker() -> None:
    """Its own orders of groups, against enumeration."""
    rng = random.Random(5)
    for _ in range(60):
        degree = rng.randrange(1, 7)
        generators = [tuple(rng.sample(range(degree), degree)) for _ in range(rng.randrange(4))]
        elements = {tuple(range(degree))}
        queue = list(elements)
        for element in queue:
            for g in generators:
                product = tuple(g[x] for x in element)
                if product not in elements:
                    elements.add(product)
                    queue.append(product)
        assert group_order(generators, degree) == len(elements)
    assert group_order([(*range(1, 20), 0), (1, 0, *range(2, 20))], 20) == factorial(20)


def test_the_checker_imports_nothing_of_the_prover() -> None:
    folder = Path(sl.__file__).parent / "reach" / "proof_check"
    for path in folder.glob("*.py"):
        source = path.read_text()
        imported = [line for line in source.splitlines() if line.lstrip().startswith(("import ", "from "))]
        assert not any("reach.prover" in line or "_core" in line or "gains" in line for line in imported), (
            path
        )
        assert not any("reach.group" in line or "slidelab.boards" in line for line in imported), path


# The command


def test_command(run: Run, tmp_path: Path) -> None:
    done = run("prove", "hex P(4,5)")
    assert done.code == 0
    assert done.out.splitlines()[0] == "hex P(4,5) hextiles 2: 612 components"
    form = run("prove", "hex P(4,5)", "--json").out
    path = tmp_path / "proof.json"
    path.write_text(form)
    assert (
        run("prove", "--check", str(path)).out == "the proof holds: hex P(4,5) hextiles 2: 612 components\n"
    )
    path.write_text(form.replace('"components": 612', '"components": 613'))
    one_line(run("prove", "--check", str(path)), 1, "612 components are proved, not 613")
    path.write_text("{")
    one_line(run("prove", "--check", str(path)), 2, "JSON")
    one_line(run("prove", "--check", str(tmp_path / "none")), 2, "file")
    one_line(run("prove", "hex P(2,9)", "--holes", "4"), 3, "no proof was found")
    with pytest.raises(TooLarge, match="only hexagonal tiles"):
        sl.prove("square R(3,3)")
