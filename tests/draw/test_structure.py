"""Pictures of dual graphs, ears, triangulations and splits: what they count, and what they refuse."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import networkx as nx
import pytest

import slidelab as sl
from commands import Run, refused
from slidelab.boards import find_cycle, polyhexes, random_hexagons
from slidelab.boards.proper import why_not_proper
from slidelab.draw.picture import dual_picture, ears_picture, splits_picture, triangulation_picture
from slidelab.draw.picture.structure import inner_triangles
from slidelab.draw.scene import Picture


def words(picture: Picture) -> str:
    """The texts of a picture."""
    return " ".join(re.findall(r"\\node\[[^]]*\] at \S+ {(?:\\textbf{)?([^}]*)}", picture.tikz))


@pytest.mark.parametrize("seed", range(5))
def test_the_triangles_inside_a_cycle_have_a_tree_as_their_dual(seed: int) -> None:
    """Observation 3 and Lemma 3 of the gourds paper."""
    board = random_hexagons(2 * seed + 9, seed)
    found = find_cycle(board)
    assert found is not None
    triangles = inner_triangles(board, found.cells)
    assert len(triangles) == board.size - 2
    on_cycle = {frozenset(pair) for pair in pairwise((*found.cells, found.cells[0]))}
    tree = nx.Graph()
    tree.add_nodes_from(triangles)
    for a in triangles:
        for b in triangles:
            shared = set(a) & set(b)
            if a < b and len(shared) == 2 and frozenset(shared) not in on_cycle:
                tree.add_edge(a, b)
    assert nx.is_tree(tree)
    assert max(degree for _, degree in tree.degree()) <= 3
    picture = triangulation_picture(board, found.cells)
    assert picture is not None
    count = board.size - 2
    assert f"{count} nodes, {count - 1} edges" in words(picture)


def test_dual_graphs_and_ears() -> None:
    assert "16 vertices, 33 edges" in words(dual_picture(sl.board("hex P(4,4)")))
    text = words(ears_picture(sl.board("theta(2,2,3)")))
    assert "theta(2,2,3)" in text
    assert "ear 1" not in text
    square = words(ears_picture(sl.board("square R(3,3)")))
    assert {f"{n}" for n in range(9)} <= set(square.split())
    assert "ear 1: " in square
    with pytest.raises(sl.NotationError, match="two cycles that share a path"):
        ears_picture(sl.board("cycle(5)"))


def test_splits_are_odd_cycles_that_share_three_cells() -> None:
    drawn = 0
    for board in polyhexes(9):
        if why_not_proper(board) is not None:
            continue
        try:
            picture = splits_picture(board)
        except sl.NotationError as error:
            assert "can be split" in str(error)  # noqa: PT017
            continue
        assert picture is not None
        first, second = map(int, re.findall(r"cycle of (\d+) cells", words(picture)))
        assert first % 2 == second % 2 == 1
        assert first + second == board.size + 3
        drawn += 1
    assert drawn > 10


@pytest.mark.parametrize("show", ["dual", "ears", "triangulation", "splits"])
def test_the_command(run: Run, tmp_path: Path, show: str) -> None:
    for name in ("x.svg", "x.tex"):
        assert run("draw", "hex P(3,5)", "--show", show, "-o", str(tmp_path / name)).code == 0
    assert "<svg" in (tmp_path / "x.svg").read_text()


def test_refusals(run: Run, tmp_path: Path) -> None:
    file = str(tmp_path / "x.svg")
    refused(run("draw", "4x4", "--show", "triangulation", "-o", file), "board of hexagons")
    refused(run("draw", "hex P(4,4)", "--show", "splits", "-o", file), "odd number of cells")
    star = run("draw", "hex star", "--show", "triangulation", "-o", file)
    assert (star.code, star.out) == (1, "'hex star' has no Hamiltonian cycle\n")


def test_facts_of_boards(run: Run) -> None:
    facts = run("boards", "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3", "--json").json["facts"]
    assert facts["block_cells"] == [[0, 1, 2], [2, 3], [3, 4, 5]]
    assert facts["cyclomatic_number"] == len(facts["ears"]) == 2
    assert facts["closed_way"] is None
    text = run("boards", "hex F(2)").out
    assert re.search(r"^Hamiltonian cycle +0( \d){6}$", text, re.MULTILINE)
    assert "closed_way" not in run("boards", "square R(9,9)", "--json").json["facts"]
