"""The gallery and the notebooks: they run, and the documents show what they make."""

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
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.mark.parametrize("name", GALLERY["names"]())
def test_every_picture_is_made(name, tmp_path):
    GALLERY["make"](name, tmp_path)
    made = tmp_path / name
    if made.suffix != ".svg":
        with Image.open(made) as read:
            assert min(read.size) > 100
        return
    text = made.read_text()
    assert "http" not in text.replace("http://www.w3.org/", "")  # the names of SVG's own words
    if made.stem in GALLERY["PICTURES"]:
        parsed(text)


def test_the_documents_show_what_is_made():
    shown = {
        Path(name).name
        for page in PAGES
        for name in re.findall(r"pictures/([\w.-]+)", page.read_text(encoding="utf-8"))
    }
    kept = {path.name for path in (ROOT / "docs" / "pictures").iterdir()}
    assert shown == kept == set(GALLERY["names"]())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexagonal-puzzles", "gourds"])
def test_notebooks_run(name, tmp_path, monkeypatch):
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "cache"))
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)  # kept without: they are made here
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert kinds.count("image/svg+xml") >= 4
    assert kinds.count("text/html") >= 2
    assert not any(output.get("name") == "stderr" for output in outputs)
