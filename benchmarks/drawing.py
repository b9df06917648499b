"""Time of pictures, films and printable puzzles, and of a plain program that renders every frame in full.

python benchmarks/drawing.py
"""

from __future__ import annotations

import io
import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, ParamSpec

from PIL import Image

import slidelab as sl
from slidelab.draw.film import moment
from slidelab.draw.film.frames import timing
from slidelab.draw.graph import puzzle_graph_picture
from slidelab.draw.picture import draw
from slidelab.draw.picture.motions import ease
from slidelab.draw.print import solid

P = ParamSpec("P")

GRAPHS: tuple[tuple[str, Literal["force", "layers"]], ...] = (
    ("hex F(2)", "force"),
    ("theta(1,2,2)", "force"),
    ("theta(1,2,2)", "layers"),
)


def seconds(work: Callable[P, object], *args: P.args, **options: P.kwargs) -> float:
    """Return the time of the fastest of three runs."""
    best = math.inf
    for _ in range(3):
        began = time.perf_counter()
        work(*args, **options)
        best = min(best, time.perf_counter() - began)
    return best


def fifty() -> sl.Solution:
    """Return a shortest solution of the 15-puzzle with exactly fifty moves."""
    puzzle = sl.puzzle("square R(4,4)")
    found = (puzzle.solve(puzzle.shuffle(seed=seed)) for seed in range(1, 1000))
    return next(solution for solution in found if solution.length == 50)


def plain_gif(solution: sl.Solution, path: Path) -> None:
    """Write the same film naively: draw, render and quantize every frame in full."""
    pace, frames, here = timing(solution.length), [], solution.start
    for move in solution.moves:
        for frame in range(pace.moving):
            picture = moment(here, move, ease(frame / pace.moving), size=56)
            pixels = Image.open(io.BytesIO(picture.png(round(picture.width)))).convert("RGB")
            frames.append(pixels.quantize(256))
        here = here.play(move)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // pace.fps, loop=0)


def svg(goal: sl.Configuration) -> str:
    return draw(goal).svg


def save_solid(text: str, path: Path) -> None:
    solid(sl.puzzle(text), bed=(500, 500)).save(path)


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    solution = fifty()
    ours = seconds(solution.animate, folder / "ours.gif")
    plain = seconds(plain_gif, solution, folder / "plain.gif")
    print(
        f"GIF, 50 moves of the 15-puzzle   {ours:6.2f} s   {(folder / 'ours.gif').stat().st_size:>9,} bytes"
    )
    print(
        f"  every frame in full            {plain:6.2f} s   {(folder / 'plain.gif').stat().st_size:>9,} bytes"
    )
    print(f"  {plain / ours:.1f} times as fast")
    for kind in ("apng", "mp4", "html"):
        target = folder / f"ours.{kind}"
        took = seconds(solution.animate, target)
        print(
            f"{kind.upper():5} of the same                {took:6.2f} s   {target.stat().st_size:>9,} bytes"
        )
    for text in ("hex P(25,40)", "square R(25,40)", "hex F(19) gourds", "hex P(50,80)", "hex P(100,160)"):
        goal = sl.puzzle(text).goal
        svg(goal)
        took, size = seconds(svg, goal), len(svg(goal))
        print(f"SVG of {goal.puzzle.board.size:>6,} cells, {text:17} {took:5.2f} s   {size:>9,} bytes")
    for text in ("hex P(4,4)", "square R(4,4)", "hex F(3) gourds", "hex F(6) gourds"):
        target = folder / "x.3mf"
        took = seconds(save_solid, text, target)
        print(f"3MF of {text:24} {took:6.2f} s   {target.stat().st_size:>9,} bytes")
    for text, layout in GRAPHS:
        took = seconds(puzzle_graph_picture, text, layout=layout)
        print(f"puzzle graph of {text}, layout {layout:6}   {took:6.2f} s")


if __name__ == "__main__":
    main()
