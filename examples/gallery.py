"""Make every picture of the documentation.

    python examples/gallery.py [FOLDER]

writes them to FOLDER, by default docs/pictures. `--list` prints their names.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

import slidelab as sl
from slidelab.atlas import lookup, tables
from slidelab.boards import hamiltonian_cycle, tight_corners
from slidelab.draw.chart import distribution_chart, eccentricities_chart, growth_chart, save_figure
from slidelab.draw.files import write_bytes
from slidelab.draw.film import moment
from slidelab.draw.graph import gain_graph_picture, puzzle_graph_picture
from slidelab.draw.picture import (
    draw,
    ears_picture,
    orbit_cells,
    splits_picture,
    storyboard,
    triangulation_picture,
)
from slidelab.draw.print import solid
from slidelab.draw.scene import Picture, grid
from slidelab.draw.sheet import puzzle_sheet
from slidelab.place.coloured_puzzle import nine_gourds

GOURDS = "hex F(3) gourds"
ATLAS = Path(__file__).parent.parent / "docs" / "atlas"


def turned_flower() -> sl.Solution:
    """Return a solution of fourteen moves for five hexagonal tiles on a flower."""
    puzzle = sl.puzzle("hex F(2)")
    return puzzle.solve(puzzle.shuffle(seed=8))


def pivot() -> Picture:
    """Draw a pivot of a gourd at its start, middle and end."""
    start = sl.puzzle("hex F(2) gourds").configuration("0-1 4-6 2-5")
    move = next(move for move in start.moves if move.kind == "pivot")
    return grid([moment(start, move, time) for time in (0.0, 0.5, 1.0)], 3, 8.0)


def coloured() -> Picture:
    """Draw the puzzle of the gourds paper before and after solving it."""
    nine = nine_gourds()
    before = draw(nine.start, floor=nine.cells, caption="to be solved")
    goal = nine.puzzle.place(nine.cells).configuration
    return grid([before, draw(goal, floor=nine.cells, caption="solved")], 2, 16.0)


def landscape() -> bytes:
    """Paint hills before a rising sun, as JPEG, for pieces that carry a picture."""
    y, x = np.mgrid[0:600, 0:800] / 600.0
    sky = np.stack([255 - 150 * (0.75 - y), 215 - 150 * abs(y - 0.62), 120 + 170 * (0.8 - y)], axis=2)
    sun = np.hypot(x - 0.86, y - 0.44)
    sky += np.clip(0.5 - sun, 0, 1)[..., None] ** 2 * (260, 200, 60)
    sky[sun < 0.13] = (255, 240, 170)
    hills = [
        (0.60, 0.060, 4.0, 0.5, (120, 125, 170)),
        (0.68, 0.050, 6.5, 2.1, (84, 104, 140)),
        (0.77, 0.045, 5.0, 4.0, (58, 92, 96)),
        (0.88, 0.040, 9.0, 1.0, (34, 68, 60)),
    ]
    for height, swing, waves, shift, colour in hills:
        ridge = height + swing * np.sin(waves * x + shift) + 0.3 * swing * np.sin(3.1 * waves * x)
        sky[y > ridge] = colour
    buffer = BytesIO()
    Image.fromarray(np.clip(sky, 0, 255).astype(np.uint8)).save(buffer, "JPEG", quality=92)
    return buffer.getvalue()


def photo() -> Picture:
    """Draw three puzzles that carry a picture: one in disorder, two solved."""
    image = landscape()
    fifteen = sl.puzzle("square R(4,4)").shuffle(seed=3)
    pictures = [draw(fifteen, image=image, labels=True), draw("square R(4,4)", image=image)]
    return grid([*pictures, draw(GOURDS, image=image)], 3, 16.0)


def king() -> Picture:
    """Draw all moves on a board with diagonals."""
    here = sl.puzzle("king R(4,3)").shuffle(seed=6)
    return draw(here, moves=here.moves)


def themes() -> Picture:
    """Draw one position in all three themes."""
    here = sl.puzzle("hex F(2) gourds").shuffle(seed=2)
    return grid([draw(here, theme=name) for name in ("light", "dark", "print")], 3, 12.0)


def _found(picture: Picture | None) -> Picture:
    assert picture is not None
    return picture


def hardest_graphs() -> Picture:
    """Draw the hardest two-connected graphs with one hole, in a position farthest from the order."""
    drawn = []
    for cells in range(4, 9):
        found = sl.puzzle(f"theta(0,1,{cells - 3})").gods_number()
        assert found.hardest is not None
        drawn.append(draw(found.hardest[1], caption=f"{cells} cells: {found.number} moves"))
    return grid(drawn, 3, 14.0)


PICTURES: dict[str, Callable[[], Picture]] = {
    "hexagons": lambda: draw(sl.puzzle("hex P(3,4)").shuffle(seed=4)),
    "fifteen": lambda: draw("square R(4,4)"),
    "gourds": lambda: draw(sl.puzzle(GOURDS).shuffle(seed=5)),
    "theta": lambda: draw("theta(2,2,3)"),
    "sheet": lambda: puzzle_sheet("square R(3,3)", 6, seed=1).pages[0],
    "triangles": lambda: draw(sl.puzzle("hex F(3) trimers-triangle").shuffle(seed=2)),
    "king": king,
    "photo": photo,
    "moves": lambda: (lambda here: draw(here, moves=here.moves))(sl.puzzle(GOURDS).shuffle(seed=8)),
    "trimmed-orbits": lambda: draw("hex Ptr(4,4)", groups=orbit_cells(sl.puzzle("hex Ptr(4,4)"))),
    "stuck": lambda: draw("hex P(3,3)", groups=orbit_cells(sl.puzzle("hex P(3,3)"))),
    "tight-corners": lambda: draw(
        sl.board("hex T(4)"), groups={"tight corners": tight_corners(sl.board("hex T(4)"))}
    ),
    "cycle": lambda: draw(sl.board("hex F(3)"), cycle=hamiltonian_cycle(sl.board("hex F(3)")) or ()),
    "ears": lambda: ears_picture(sl.board("square R(4,4)"), size=56.0),
    "triangulation": lambda: _found(triangulation_picture(sl.board("hex F(3)"), size=56.0)),
    "splits": lambda: _found(splits_picture(sl.board("hex P(3,5)"), size=56.0)),
    "pivot": pivot,
    "coloured": coloured,
    "themes": themes,
    "story": lambda: storyboard(turned_flower(), columns=5, size=34.0),
    "graph-flower": lambda: puzzle_graph_picture("hex F(2)"),
    "graph-theta": lambda: puzzle_graph_picture("theta(1,2,2)"),
    "layers-theta": lambda: puzzle_graph_picture("theta(1,2,2)", layout="layers"),
    "graph-square": lambda: puzzle_graph_picture("square R(2,2)"),
    "heights-graphs": hardest_graphs,
    "gains-fifteen": lambda: gain_graph_picture(sl.puzzle("square R(4,4)")),
}


def make(name: str, folder: Path) -> None:
    """Write one picture; `name` is one of those that `names` lists."""
    target = folder / name
    stem, _, kind = name.partition(".")
    if kind == "svg" and stem in PICTURES:
        PICTURES[stem]().save(target)
    else:
        OTHERS[name](target)


def distances(target: Path) -> None:
    save_figure(distribution_chart(sl.puzzle("square R(4,3)").distances()), target)


def eccentricities(target: Path) -> None:
    save_figure(eccentricities_chart(sl.puzzle("hex P(3,3)", holes=3).gods_number()), target)


CURVES = {
    "theta(0,1,n-3), 1 holes": "cycle with a triangle",
    "theta(0,1,n-3), 2 holes": "the same, 2 holes",
    "theta(2,2,n)": "theta(2,2,n)",
    "R(2,n), 1 holes": "square R(2,n)",
    "R(2,n), 2 holes": "square R(2,n), 2 holes",
    "P(3,n), 2 holes": "hex P(3,n), 2 holes",
}
"""Families of docs/atlas/heights.jsonl in the chart of exact numbers, with their labels."""


def heights(target: Path) -> None:
    """Chart God's number of some families against the number of cells."""
    curves: dict[str, list[tuple[int, int]]] = {}
    for row in map(json.loads, (ATLAS / "heights.jsonl").read_text().splitlines()):
        if row["family"] in CURVES:
            point = (sl.puzzle(row["puzzle"]).board.size, row["gods_number"])
            curves.setdefault(CURVES[row["family"]], []).append(point)
    curves["hex P(3,n), 2 holes"].append((15, sl.known_results("hex P(3,5)")[0].number))
    title = "God's number against the number of cells"
    chart = growth_chart(curves, x_label="cells", y_label="God's number", title=title, fit_last=4)
    save_figure(chart, target)


def height_bounds(target: Path) -> None:
    """Chart what is proved about squares with one hole."""
    least, most = {}, {}
    for row in map(json.loads, (ATLAS / "bounds.jsonl").read_text().splitlines()):
        size = sl.puzzle(row["puzzle"]).board.size
        if row["puzzle"].startswith("square") and row["puzzle"].endswith("tiles 1"):
            least[round(size**0.5)], most[round(size**0.5)] = row["at_least"], row["at_most"]
    chart = growth_chart(
        {
            "Parberry, 5n³": [(n, 5 * n**3) for n in range(2, 11)],
            "proved here, at most": list(most.items()),
            "guess 4n³/3": [(n, 4 * n**3 / 3) for n in range(2, 11)],
            "proved here, at least": list(least.items()),
            "exact": [(2, 6), (3, 31), (4, 80)],
        },
        x_label="n",
        y_label="God's number",
        title="Squares n x n with one hole: what is proved",
        fit_last=4,
    )
    save_figure(chart, target)


def atlas_holes(target: Path) -> None:
    """Chart God's number by the number of holes, as the atlas has it."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for text in ("hex P(3,4)", "hex T(4)", "square R(3,3)", "king R(3,3)"):
        own = [row for topic in ("hexagonal-families", "rectangles", "kings") for row in tables()[topic].rows]
        points = [
            (float(row.puzzle.rsplit(" ", 1)[1]), float(row["gods_number"]))
            for row in own
            if row.puzzle.startswith(f"{text} ") and row["gods_number"]
        ]
        curves[text] = sorted(points)
    figure = growth_chart(
        curves,
        x_label="holes",
        y_label="God's number",
        title="More holes, fewer moves",
        subtitle="On hexagons, two holes may leave small components, which a third one joins",
        log_x=False,
    )
    save_figure(figure, target)


def atlas_triangle(target: Path) -> None:
    """Chart the distribution of a row of the atlas."""
    (row,) = lookup("hex P(3,4) hextiles 3", topic="hexagonal-families")
    save_figure(distribution_chart(row["distribution"], title="hex P(3,4), three holes"), target)


def flower_film(target: Path) -> None:
    turned_flower().animate(target, size=44)


def gourds_film(target: Path) -> None:
    puzzle = sl.puzzle(GOURDS)
    puzzle.solve(puzzle.shuffle(seed=5)).animate(target, size=38, fps=20)


def printed(puzzle: str, seed: int) -> Callable[[Path], None]:
    def render(target: Path) -> None:
        chosen = sl.puzzle(puzzle)
        write_bytes(target, solid(chosen).render(chosen.shuffle(seed=seed), width=900))

    return render


def printed_colours(target: Path) -> None:
    """Render the puzzle of the gourds paper, whose cells have colours."""
    nine = nine_gourds()
    write_bytes(target, solid(nine.puzzle, cells=nine.cells).render(nine.start, width=900))


OTHERS: dict[str, Callable[[Path], None]] = {
    "atlas-holes.svg": atlas_holes,
    "atlas-distribution.svg": atlas_triangle,
    "distances.svg": distances,
    "eccentricities.svg": eccentricities,
    "heights-exact.svg": heights,
    "heights-squares.svg": height_bounds,
    "flower.gif": flower_film,
    "gourds.gif": gourds_film,
    "printed-hexagons.png": printed("hex P(4,4)", 1),
    "printed-gourds.png": printed(GOURDS, 5),
    "printed-triangles.png": printed("hex F(3) trimers-triangle", 2),
    "printed-colours.png": printed_colours,
}


def names() -> list[str]:
    """Return the names of all files."""
    return [*(f"{name}.svg" for name in PICTURES), *OTHERS]


def main(words: list[str]) -> None:
    if words == ["--list"]:
        print("\n".join(names()))
        return
    if len(words) > 1 or (words[:1] and words[0].startswith("-")):
        sys.exit(__doc__)
    folder = Path(words[0]) if words else Path(__file__).parent.parent / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names():
        make(name, folder)
        print(f"{(folder / name).stat().st_size:>9,}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
