"""The gallery and the notebooks run, and the documents show their pictures."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image

from draw.test_scene import parsed

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "examples"
GALLERY = runpy.run_path(str(EXAMPLES / "gallery.py"))
FILM = ROOT / "docs" / "pictures" / "studio.gif"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", GALLERY["names"]())
def test_every_picture_of_the_gallery(name: str, tmp_path: Path) -> None:
    GALLERY["make"](name, tmp_path)
    path = tmp_path / name
    if path.suffix != ".svg":
        with Image.open(path) as image:
            assert min(image.size) > 100
        return
    text = path.read_text()
    assert "http" not in text.replace("http://www.w3.org/", "")  # namespaces
    if path.stem in GALLERY["PICTURES"]:
        parsed(text)


def test_documents_show_exactly_the_gallery() -> None:
    linked = {
        Path(name).name
        for page in PAGES
        for name in re.findall(r"pictures/([\w.-]+)", page.read_text(encoding="utf-8"))
    }
    committed = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert linked == committed == set(GALLERY["names"]()) | {FILM.name}


def test_the_film_of_the_studio() -> None:
    """`examples/studio_film.py` takes a minute, so its result is looked at."""
    assert FILM.stat().st_size < 600_000
    with Image.open(FILM) as film:
        assert getattr(film, "n_frames", 1) > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexagonal-puzzles", "gourds"])
def test_notebooks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "cache"))
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)  # outputs are not committed
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert kinds.count("image/svg+xml") >= 4
    assert kinds.count("text/html") >= 2
    assert not any(output.get("name") == "stderr" for output in outputs)
