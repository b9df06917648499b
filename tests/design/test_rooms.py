"""The shape of the project itself: rooms know only the rooms before them, and nothing drifts apart."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import slidelab

PACKAGE = Path(slidelab.__file__).parent

ROOMS = [
    "late_imports",
    "errors",
    "packages",
    "mpi",
    "messages",
    "arguments",
    "glossary",
    "files",
    "parallel",
    "latex",
    "tables",
    "permutations",
    "budget",
    "constraint_solver",
    "display",
    "boards",
    "rules",
    "puzzles",
    "library",
    "gains",
]
ROOMS += ["reach", "distance", "place", "solve", "bounds", "draw", "atlas", "sweeps", "claims"]
ROOMS += ["bridges", "studio", "cli"]
ROOMS += ["__main__"]

VERBS: dict[str, tuple[str, ...]] = {
    "errors.py": (),  # only the annotation of what `Stopped` carries
    "display.py": ("_repr_svg_", "_repr_html_", "chart"),
    "boards/model.py": ("draw",),
    "puzzles/verbs/complexes.py": ("topology",),
    "puzzles/verbs/metrics.py": ("distance", "distances", "goal_distances", "gods_number", "plan"),
    "puzzles/verbs/pictures.py": ("animate", "draw", "page", "solid", "widget"),
    "puzzles/verbs/reachability.py": (
        *("analyze", "arrays", "component", "graph", "group", "permutation", "places", "shuffle", "solvable"),
    ),
    "puzzles/verbs/solutions.py": ("heuristic", "hint", "place", "shorten", "solve"),
}
"""Methods whose answers come from later rooms. Nothing else imports a later room, not even in a function."""

ANNOTATIONS = "TYPE_CHECKING"


@dataclass(frozen=True)
class Import:
    """One import: the module, and the function around it ('' at the top of a file)."""

    module: str
    function: str

    @property
    def room(self) -> str:
        return self.module.split(".")[1]


def imports(node: ast.AST, function: str = "") -> Iterator[Import]:
    """Yield every import of the package in a syntax tree, also those inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module == "slidelab":
            yield from (Import(f"slidelab.{alias.name}", function) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and (child.module or "").startswith("slidelab."):
            yield from (Import(f"{child.module}.{alias.name}", function) for alias in child.names)
        elif isinstance(child, ast.Import):
            names = (alias.name for alias in child.names if alias.name.startswith("slidelab."))
            yield from (Import(name, function) for name in names)
        elif isinstance(child, ast.FunctionDef):
            yield from imports(child, function or child.name)
        elif isinstance(child, ast.If) and ast.unparse(child.test) == ANNOTATIONS:
            yield from imports(child, ANNOTATIONS)
        else:
            yield from imports(child, function)


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py")) if name_of(path) != "__init__.py"}
IMPORTS = {name: list(imports(ast.parse(path.read_text()))) for name, path in MODULES.items()}


@pytest.mark.parametrize("name", MODULES)
def test_a_room_knows_only_the_rooms_before_it(name: str) -> None:
    here = ROOMS.index(name.split("/")[0].removesuffix(".py"))
    allowed = (*VERBS[name], ANNOTATIONS) if name in VERBS else ()
    for found in IMPORTS[name]:
        if found.room not in ("_core", "__version__"):
            assert ROOMS.index(found.room) <= here or found.function in allowed, found


def test_verbs_that_are_excepted_exist() -> None:
    for name, functions in VERBS.items():
        assert set(functions) == {found.function for found in IMPORTS[name]} & set(functions)


def test_modules_do_not_import_each_other_in_circles() -> None:
    files = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in MODULES}
    graph: dict[str, set[str]] = {}
    for module, name in files.items():
        late = (*VERBS.get(name, ()), ANNOTATIONS)
        found = [i.module.removeprefix("slidelab.") for i in IMPORTS[name] if i.function not in late]
        known = {other if other in files else other.rpartition(".")[0] for other in found} & set(files)
        graph[module] = known
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_nothing_compares_the_name_of_a_rule() -> None:
    """Rules say what they are (`slides_along_edges`, `corner`, ...); a foreign one is as good as ours."""
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare):
                compared = [ast.unparse(side) for side in (node.left, *node.comparators)]
                assert not any(side.endswith("rule.name") for side in compared), f"{name}:{node.lineno}"


def test_the_checker_knows_no_groups() -> None:
    for name in ("certificate", "plain_search"):
        source = (PACKAGE / "reach" / f"{name}.py").read_text()
        assert "_core" not in source
        assert "reach.group" not in source
        assert "gains" not in source.replace("gain graphs", "")


def test_stubs_are_those_of_the_bindings(tmp_path: Path) -> None:
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "slidelab._core", "-o", str(made)], check=True
    )
    assert made.read_text() == (PACKAGE / "_core.pyi").read_text()


HEAVY = (
    "gymnasium",
    "mpi4py",
    "starlette",
    "uvicorn",
    "numpy",
    "rich",
    "networkx",
    "sympy",
    "PIL",
    "av",
    "matplotlib",
    "manifold3d",
    "resvg_py",
)


@pytest.mark.parametrize(
    "room",
    [
        "slidelab",
        "slidelab.draw.film.animation",
        "slidelab.draw.film.player",
        "slidelab.draw.play.page",
        "slidelab.draw.graph.puzzle_graph",
        "slidelab.draw.print.model",
    ],
)
def test_import_is_light(room: str) -> None:
    code = f"import sys, {room}; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version_is_said_once() -> None:
    assert f'version = "{slidelab.__version__}"' in (PACKAGE.parent.parent / "pyproject.toml").read_text()
