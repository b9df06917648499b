"""The shape of the project itself: rooms know only the rooms before them, and nothing drifts apart."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import slidelab

PACKAGE = Path(slidelab.__file__).parent
ROOMS = [
    "errors",
    "messages",
    "arguments",
    "files",
    "tables",
    "budget",
    "display",
    "permutations",
    "boards",
    "rules",
    "puzzles",
]
ROOMS += ["gains", "reach", "place", "distance", "solve", "draw", "atlas", "cli", "__main__"]


def imports(path: Path) -> set[str]:
    """Rooms imported at the top of a module (what a function imports late is its own affair)."""
    found = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("slidelab."):
            found.add((node.module or "").split(".")[1])
        if isinstance(node, ast.Import):
            found.update(name.name.split(".")[1] for name in node.names if name.name.startswith("slidelab."))
    return found


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


MODULES = [p for p in sorted(PACKAGE.rglob("*.py")) if room_of(p) != "__init__"]


@pytest.mark.parametrize("path", MODULES, ids=[str(p.relative_to(PACKAGE)) for p in MODULES])
def test_a_room_knows_only_the_rooms_before_it(path):
    here = ROOMS.index(room_of(path))
    assert all(ROOMS.index(other) <= here for other in imports(path))


def test_the_checker_knows_no_groups():
    for name in ("certificate", "plain"):
        source = (PACKAGE / "reach" / f"{name}.py").read_text()
        assert "_core" not in source
        assert "reach.group" not in source
        assert "gains" not in source.replace("gain graphs", "")


def test_stubs_are_those_of_the_bindings(tmp_path):
    made = tmp_path / "_core.pyi"
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "slidelab._core", "-o", str(made)], check=True
    )
    assert made.read_text() == (PACKAGE / "_core.pyi").read_text()


HEAVY = ("numpy", "rich", "networkx", "sympy", "PIL", "av", "matplotlib", "manifold3d", "resvg_py")


@pytest.mark.parametrize(
    "room",
    [
        "slidelab",
        "slidelab.draw.film.animation",
        "slidelab.draw.film.player",
        "slidelab.draw.graph.puzzle_graph",
        "slidelab.draw.print.model",
    ],
)
def test_import_is_light(room):
    code = f"import sys, {room}; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_version_is_said_once():
    assert f'version = "{slidelab.__version__}"' in (PACKAGE.parent.parent / "pyproject.toml").read_text()
