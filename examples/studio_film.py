"""Film the studio: somebody plays nine gourds, asks for a hint, and lets the rest be solved.

    python examples/studio_film.py [FILE]

writes a GIF, by default docs/pictures/studio.gif, from what Chromium shows. The time of the page stands still
while a frame is taken, so the film does not depend on how fast the machine is.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote

from PIL import Image

import slidelab as sl

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
WIDTH, HEIGHT, SCALE = 1000, 640, 0.76
"""Size of the page in pixels, and of the film compared with it."""

FRAME = 60
"""Milliseconds of a frame."""

COLOURS = 96
"""Colours of the film."""

ACCENTS = ("#ee7733", "#1d7a2f", "#4477aa", "#9cb8dc")
"""Colours of arrows and pieces."""

POINTER = """() => {
  const pointer = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  pointer.id = "pointer";
  pointer.innerHTML = '<path d="M1 1v17l4.6-4 2.9 6.6 2.9-1.3-2.9-6.4 6-.5z" fill="#111" stroke="#fff"/>';
  Object.assign(pointer.style, { position: "fixed", left: 0, top: 0, width: "22px", height: "28px" });
  Object.assign(pointer.style, { zIndex: 99, pointerEvents: "none" });
  document.body.append(pointer);
}"""
MOVE_POINTER = "([x, y]) => { document.getElementById('pointer').style.translate = `${x}px ${y}px`; }"
# Animations by style sheets have a clock of their own, which is moved by hand.
ANIMATE = "(ms) => document.getAnimations().forEach((each) => { each.pause(); each.currentTime += ms; })"
PICTURES_SHOWN = """() => [...document.images]
  .filter((each) => each.getBoundingClientRect().top < innerHeight)
  .every((each) => each.src && each.complete)"""
ON_SCREEN = """(cell) => {
  const [x, y] = slidelab.session.view.point(cell);
  const at = new DOMPoint(x, y).matrixTransform(document.getElementById("stage").getScreenCTM());
  return [at.x, at.y];
}"""


class Camera:
    """A page, a pointer on it, and the frames taken so far."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[Image.Image] = []
        self.at = (WIDTH * 0.3, HEIGHT * 0.95)
        page.evaluate(POINTER)
        page.evaluate(MOVE_POINTER, self.at)

    def wait(self, frames: int) -> None:
        """Let time pass."""
        for _ in range(frames):
            self.page.clock.run_for(FRAME)
            self.page.evaluate(ANIMATE, FRAME)
            shot = Image.open(BytesIO(self.page.screenshot())).convert("RGB")
            size = (round(WIDTH * SCALE), round(HEIGHT * SCALE))
            self.frames.append(shot.resize(size, Image.Resampling.LANCZOS))

    def go(self, x: float, y: float, frames: int = 5) -> None:
        """Move the pointer."""
        (ax, ay) = self.at
        for k in range(1, frames + 1):
            share = (1 - (1 - k / frames) ** 2) if frames > 1 else 1.0
            self.at = (ax + (x - ax) * share, ay + (y - ay) * share)
            self.page.evaluate(MOVE_POINTER, self.at)
            self.wait(1)

    def click(self, target: Locator | int) -> None:
        """Move the pointer to an element or a cell, and click there."""
        if isinstance(target, int):
            x, y = self.page.evaluate(ON_SCREEN, target)
        else:
            box = target.bounding_box()
            assert box is not None
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.go(x, y)
        self.page.mouse.click(x, y)

    def until(self, script: str) -> None:
        """Wait for the server, without a frame."""
        while not self.page.evaluate(script):
            self.page.clock.run_for(20)
            self.page.wait_for_timeout(20)


def start() -> sl.Configuration:
    """Return a position ten moves from the goal, or a few less."""
    here = sl.puzzle("hex F(3) gourds").goal
    rng, seen = Random(4), {here}
    for _ in range(10):
        here = rng.choice([there for move in here.moves if (there := here.play(move)) not in seen])
        seen.add(here)
    return here


def play(camera: Camera) -> None:
    """Do what is filmed."""
    page = camera.page
    camera.wait(8)
    here = sl.position(str(page.evaluate("slidelab.text")))
    moves = here.puzzle.solve(here).moves
    for move in moves[:2]:
        page.evaluate("(text) => { window.nextMove = text; }", move.text)
        entered = next(cell for cell in move.before if cell not in move.after)
        camera.click(entered)
        if page.evaluate("Boolean(slidelab.session.playing.picked)"):
            camera.wait(3)
            number, x, y = page.evaluate(
                """() => { const { playing, puzzle, view } = slidelab.session;
                const k = playing.picked.moves.findIndex((move) => puzzle.moveText(move) === window.nextMove);
                const at = new DOMPoint(...view.handles[k]).matrixTransform(view.stage.getScreenCTM());
                return [k, at.x, at.y]; }"""
            )
            assert number >= 0
            camera.go(x, y, 3)
            page.mouse.click(x, y)
        camera.wait(5)
    camera.click(page.locator("#hint"))
    camera.until("() => Boolean(slidelab.session.playing.hinted)")
    camera.wait(9)
    page.mouse.click(*camera.at)
    camera.wait(5)
    camera.click(page.locator("#tab-solve"))
    camera.until("() => Boolean(document.getElementById('solve'))")
    camera.wait(2)
    camera.click(page.locator("#solve"))
    camera.until("() => Boolean(slidelab.session.solution)")
    camera.wait(8)
    camera.click(page.locator("#solution-play"))
    while page.get_attribute("html", "data-solved") != "true":
        camera.wait(1)
    camera.wait(22)


def save(frames: list[Image.Image], path: Path) -> None:
    """Write frames as a GIF that repeats, all with the colours of the same palette."""
    few = frames[:: max(1, len(frames) // 24)]
    sheet = Image.new("RGB", (few[0].width, few[0].height * len(few)))
    for k, frame in enumerate(few):
        sheet.paste(frame, (0, k * frame.height))
    for k, colour in enumerate(ACCENTS):  # of small things, which the palette would not have otherwise
        sheet.paste(colour, (0, 80 * k, sheet.width, 80 * k + 80))
    palette = sheet.quantize(COLOURS, method=Image.Quantize.MEDIANCUT)
    pictures = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [FRAME] * (len(pictures) - 1) + [1600]
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=True
    )


def main(words: list[str]) -> None:
    if len(words) > 1 or (words and words[0].startswith("-")):
        sys.exit(__doc__)
    path = Path(words[0]) if words else Path(__file__).parent.parent / "docs" / "pictures" / "studio.gif"
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    if program is None:
        sys.exit("the film needs chromium on the path")
    command = [sys.executable, "-m", "slidelab", "play", "--no-browser", "--port", "0"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        sync_playwright() as playwright,
    ):
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
            page.clock.install()
            page.goto(f"{address}#at={quote(start().text)}")
            page.wait_for_selector("html[data-ready]", state="attached")
            camera = Camera(page)
            camera.until(PICTURES_SHOWN)
            play(camera)
            browser.close()
        finally:
            server.terminate()
    save(camera.frames, path)
    print(f"{path.stat().st_size:>9,}  {path.name}: {len(camera.frames)} frames")


if __name__ == "__main__":
    main(sys.argv[1:])
