"""How long pictures take, beside a plain program that renders every frame whole.

python benchmarks/drawing.py
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image

import slidelab as sl
from slidelab.draw.film import moment
from slidelab.draw.film.frames import timing
from slidelab.draw.graph import puzzle_graph_picture
from slidelab.draw.picture import draw
from slidelab.draw.picture.motions import ease
from slidelab.draw.print import solid


def seconds(work: Callable[[], object]) -> float:
    """The fastest of three runs."""
    best = 1e9
    for _ in range(3):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best


def fifty() -> sl.Solution:
    """A shortest solution of the 15-puzzle with exactly fifty moves."""
    puzzle = sl.puzzle("square R(4,4)")
    found = (puzzle.solve(puzzle.shuffle(seed=seed)) for seed in range(1, 1000))
    return next(solution for solution in found if solution.length == 50)


def plain_gif(solution: sl.Solution, path: Path) -> None:
    """The same film made simply: each frame is drawn, rendered and reduced to 256 colours as a whole."""
    pace, frames, here = timing(solution.length), [], solution.start
    for move in solution.moves:
        for frame in range(pace.moving):
            picture = moment(here, move, ease(frame / pace.moving), size=56)
            pixels = Image.open(io.BytesIO(picture.png(round(picture.width)))).convert("RGB")
            frames.append(pixels.quantize(256))
        here = here.play(move)
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 // pace.fps, loop=0)


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    solution = fifty()
    ours = seconds(lambda: solution.animate(folder / "ours.gif"))
    plain = seconds(lambda: plain_gif(solution, folder / "plain.gif"))
    print(
        f"GIF, 50 moves of the 15-puzzle   {ours:6.2f} s   {(folder / 'ours.gif').stat().st_size:>9,} bytes"
    )
    print(
        f"  made simply                    {plain:6.2f} s   {(folder / 'plain.gif').stat().st_size:>9,} bytes"
    )
    print(f"  {plain / ours:.1f} times as fast")
    for kind in ("apng", "mp4", "html"):
        target = folder / f"ours.{kind}"
        took = seconds(lambda target=target: solution.animate(target))
        print(
            f"{kind.upper():5} of the same                {took:6.2f} s   {target.stat().st_size:>9,} bytes"
        )
    for text in ("hex P(25,40)", "square R(25,40)", "hex F(19) gourds", "hex P(50,80)", "hex P(100,160)"):
        goal = sl.puzzle(text).goal
        draw(goal)
        took, size = seconds(lambda goal=goal: draw(goal).svg), len(draw(goal).svg)
        print(f"SVG of {goal.puzzle.board.size:>6,} cells, {text:17} {took:5.2f} s   {size:>9,} bytes")
    for text in ("hex P(4,4)", "square R(4,4)", "hex F(3) gourds", "hex F(6) gourds"):
        target = folder / "x.3mf"
        took = seconds(lambda text=text: solid(sl.puzzle(text), bed=(500, 500)).save(folder / "x.3mf"))
        print(f"3MF of {text:24} {took:6.2f} s   {target.stat().st_size:>9,} bytes")
    for text, layout in (("hex F(2)", "force"), ("theta(1,2,2)", "force"), ("theta(1,2,2)", "layers")):
        took = seconds(lambda t=text, how=layout: puzzle_graph_picture(t, layout=how))
        print(f"puzzle graph of {text} by {layout:6}   {took:6.2f} s")


if __name__ == "__main__":
    main()
