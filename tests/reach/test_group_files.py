"""GAP and Sage read the group files and agree on orders and orbits."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sympy.combinatorics import Permutation
from sympy.combinatorics import PermutationGroup as SympyGroup

import slidelab as sl
from commands import Run, refused

PUZZLES = [
    "15-puzzle",
    "theta(1,2,2)",
    "hex P(4,4)",
    "hex F(2) gourds",
    "graph 0-1 1-2 2-0 2-3 3-4 4-5 5-3",
    "path(3)",
    "hex T(4) hextiles 2",
    "graph 0-1 1-2 2-0 3-4 4-5 5-3",
    "hex P(3,3) trimers-straight 3",
]


def answers(puzzles: Sequence[str]) -> list[str]:
    """What GAP and Sage should print for each file, in lower case."""
    lines = []
    for text in puzzles:
        families = sl.puzzle(text).analyze(connection=False).families
        names = ["g"] if len(families) == 1 else [f"g{k}" for k in range(1, len(families) + 1)]
        lines += [f"{name} true {f.group.order}" for name, f in zip(names, families, strict=True)]
    return lines


def files(folder: Path, suffix: str) -> list[Path]:
    paths = []
    for number, text in enumerate(PUZZLES):
        path = folder / f"{number}{suffix}"
        sl.puzzle(text).analyze(connection=False).save_groups(path)
        paths.append(path)
    return paths


def test_some_puzzles_have_several_families() -> None:
    assert any(len(sl.puzzle(text).analyze(connection=False).families) > 1 for text in PUZZLES)


@pytest.mark.skipif(not shutil.which("gap"), reason="there is no GAP (gap-core)")
def test_gap_agrees(tmp_path: Path) -> None:
    command = ["gap", "-q", *map(str, files(tmp_path, ".g"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL)
    assert done.stdout.lower().splitlines() == answers(PUZZLES)


@pytest.mark.skipif(not shutil.which("sage"), reason="there is no Sage (sagemath)")
def test_sage_agrees(tmp_path: Path) -> None:
    everything = tmp_path / "all.sage"
    everything.write_text("\n".join(path.read_text() for path in files(tmp_path, ".sage")))
    done = subprocess.run(["sage", everything], capture_output=True, text=True, check=True)
    assert done.stdout.lower().splitlines() == answers(PUZZLES)


def stand_in(generators: list[list[tuple[int, ...]]], domain: list[int]) -> Any:
    """The part of Sage's PermutationGroup that the files use, with SymPy."""
    size = len(domain)
    rows = [Permutation([[x - 1 for x in c] for c in g], size=size) for g in generators]
    group = SympyGroup(rows or [Permutation(size - 1)])

    class Group:
        def order(self) -> int:
            return int(group.order())

        def orbits(self) -> list[tuple[int, ...]]:
            found = [tuple(x + 1 for x in orbit) for orbit in group.orbits()]
            moved = {x for orbit in found for x in orbit}
            return found + [(x,) for x in domain if x not in moved]

    return Group()


def test_files_for_sage_are_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in files(tmp_path, ".sage"):
        exec(path.read_text(), {"PermutationGroup": stand_in})
    assert capsys.readouterr().out.lower().splitlines() == answers(PUZZLES)


def test_the_option(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.g"
    assert run("analyze", "8-puzzle", "-o", str(file)).code == 0
    assert "Size(G) = 20160" in file.read_text()
    refused(run("analyze", "8-puzzle", "-o", str(tmp_path / "x.txt")), "ends in .g or .sage")
    refused(run("analyze", "8-puzzle", "--holes", "1-2", "-o", str(file)), "expected one puzzle with")


def test_generators_in_json_generate_the_group(run: Run) -> None:
    for text in ("15-puzzle", "hex F(3) gourds"):
        (family,) = run("analyze", text, "--json").json["families"]
        cells = sorted({cell for orbit in family["group"]["orbits"] for cell in orbit})
        index = {cell: number for number, cell in enumerate(cells)}
        rows = []
        for cycles in family["group"]["generators"]:
            row = list(range(len(cells)))
            for cycle in cycles:
                for here, there in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
                    row[index[here]] = index[there]
            rows.append(row)
        assert sl.PermutationGroup(rows).order == family["group"]["order"]


def test_a_gain_graph_for_networkx() -> None:
    graph = sl.gain_graph("hex P(3,4)")
    found = graph.to_networkx()
    assert found.number_of_nodes() == graph.shapes
    assert sorted((u, v) for u, v in found.edges()) == sorted((u, v) for u, v, _, _ in graph)
    for source, target, data in found.edges(data=True):
        # A move empties one cell and fills another.
        assert len(set(found.nodes[source]["holes"]) ^ set(found.nodes[target]["holes"])) == 2
        assert data["cycle"] == data["gain"].cycle()
