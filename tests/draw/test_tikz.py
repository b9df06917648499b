"""Pictures in TikZ and tables in LaTeX, compiled where there is a LaTeX."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run
from slidelab.draw.marks import Group, Item, Mark, Photo, label, text_path
from slidelab.draw.marks import Path as Outline
from slidelab.draw.scene import Picture
from slidelab.latex import escape_latex, is_plain_latex

needs_latex = pytest.mark.skipif(
    not (shutil.which("pdflatex") and shutil.which("pdftotext") and shutil.which("pdfinfo")),
    reason="there is no LaTeX (texlive-latex-recommended, texlive-pictures) or no poppler-utils",
)


def compiled(document: str, folder: Path) -> Path:
    """Compile a LaTeX document and return its PDF."""
    (folder / "page.tex").write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    return folder / "page.pdf"


def page_facts(pdf: Path) -> tuple[int, tuple[float, float], str]:
    """The number of pages, the size of the first in big points, and the text."""
    info = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True, check=True).stdout
    pages = int(re.findall(r"Pages:\s+(\d+)", info)[0])
    width, height = map(float, re.findall(r"Page size:\s+([\d.]+) x ([\d.]+)", info)[0])
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    return pages, (width, height), text


@needs_latex
@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["15-puzzle", "--seed", "1"], [str(n) for n in range(1, 16)]),
        (["hex P(3,3)", "--show", "gain-graph"], ["spanning tree", "closes a loop: a generator (9)"]),
        (["hex F(3)", "--show", "triangulation"], ["17 triangles", "17 nodes, 16 edges"]),
        (["8-puzzle", "--show", "distances"], ["square R(3,3) tiles 1", "moves of the shortest solution"]),
        (["square R(3,2) : a_b a_b c_1 d e .", "--theme", "print"], []),
    ],
    ids=["position", "gain graph", "triangulation", "chart", "special characters"],
)
def test_pictures_compile_to_one_page_of_their_size(
    run: Run, tmp_path: Path, command: list[str], words: list[str]
) -> None:
    tex, svg = tmp_path / "x.tex", tmp_path / "x.svg"
    assert run("draw", *command, "-o", str(tex)).code == 0
    assert run("draw", *command, "-o", str(svg)).code == 0
    pages, size, text = page_facts(compiled(tex.read_text(), tmp_path))
    assert pages == 1
    width, height = (float(x) for x in re.findall(r'(?:width|height)="([\d.]+)"', svg.read_text())[:2])
    assert size == pytest.approx((0.75 * width, 0.75 * height), abs=0.05)
    found = " ".join(text.split())
    for word in words:
        assert word in found


@needs_latex
def test_tables_compile(run: Run, tmp_path: Path) -> None:
    tables = [
        run("analyze", "hex P(4,4)", "--latex").out,
        run("god", "8-puzzle", "2x3", "--latex").out,
        run("permutation", "15-puzzle", "--seed", "4", "--latex").out,
        run("boards", "--latex").out,
    ]
    document = "\n".join(
        [
            r"\documentclass{article}\usepackage[paperwidth=60cm,paperheight=90cm]{geometry}",
            r"\usepackage{booktabs}\begin{document}\noindent",
            "\n\n".join(tables),
            r"\end{document}",
        ]
    )
    _, _, text = page_facts(compiled(document, tmp_path))
    assert "Alt(12), order 239,500,800, on 14 pieces (2 fixed)" in text
    assert "God's number" in text.replace("\u2019", "'")


def test_letters_are_nodes_and_everything_else_paths() -> None:
    disc = Outline.circle((5, 5), 4)
    items: list[Item] = [
        Group((Mark(disc, "#4477aa", "#000000", 2.0),), 10, 20, angle=90),
        Group((label("15", 12.0, "#ffffff"),), 30, 10, angle=-90),
        Mark(text_path("\u7ea2", 10.0), "#ffffff"),
    ]
    text = Picture(50, 40, items, title="two\nlines", paper="#FFFFFF").tikz
    assert text.startswith("% two lines\n")
    assert r"\definecolor{colour0}{HTML}{FFFFFF}" in text
    assert text.count(r"\definecolor") == 3
    # (9, 5) turned by 90 degrees is (-5, 9), and then shifted.
    assert r"\filldraw[fill=colour1, draw=colour2, line width=1.5bp] (5,29) .." in text
    (node,) = re.findall(r"\\node.*", text)  # a letter that LaTeX lacks is drawn
    assert re.sub(r"scale=[\d.]+", "scale", node) == (
        r"\node[letters, text=colour0, scale, rotate=90] at (30,10) {\textbf{15}};"
    )


def test_photographs_are_refused() -> None:
    with pytest.raises(sl.PuzzleError, match="lines and letters"):
        _ = Picture(10, 10, [Photo(b"", 1, 1, 0, 0, 1, 1)]).tikz


def test_escapes() -> None:
    assert escape_latex(r"\a") == r"\textbackslash{}a"
    assert escape_latex('"a"') == "''a''"
    assert is_plain_latex("a_1 & \u2192")
    assert not is_plain_latex("\n")
