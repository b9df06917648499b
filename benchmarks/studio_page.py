"""The studio's page in a browser: its size, when it can be played, and how soon a click moves a piece.

python benchmarks/studio_page.py [--clicks 40]

Starts `slidelab play` as a process of its own and Chromium without a window, and prints the load of the
machine beside the times.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median, quantiles
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

README_BOARDS = (
    "15-puzzle",
    "hex P(4,4)",
    "square R(3,4)",
    "square R(4,4)",
    "hex F(3) gourds",
    "hex F(2) hextiles 3",
    "square R(3,3)",
    "hex F(2) gourds 1",
)

# When the page can be played: an attribute says so.
WATCH_READY = """new MutationObserver((_, own) => {
  if (!document.documentElement?.dataset.ready) return;
  own.disconnect();
  window.readyAt = performance.now();
}).observe(document, { subtree: true, attributes: true, childList: true });"""

# From the time of a pointer event to the end of the first frame in which a piece is elsewhere.
WATCH_CLICK = """() => {
  let began = 0;
  const stage = document.getElementById("stage");
  const note = (event) => { began = event.timeStamp; };
  stage.addEventListener("pointerdown", note, { capture: true, once: true });
  window.moved = new Promise((done) => {
    const observer = new MutationObserver((records) => {
      if (records.every(({ target, oldValue }) => target.getAttribute("transform") === oldValue)) return;
      observer.disconnect();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now() - began);
      port2.postMessage(0);
    });
    const pieces = document.getElementById("pieces");
    observer.observe(pieces, { subtree: true, attributeFilter: ["transform"], attributeOldValue: true });
  });
}"""

CELL_ON_SCREEN = """(cell) => {
  const [x, y] = slidelab.session.view.point(cell);
  const at = new DOMPoint(x, y).matrixTransform(document.getElementById("stage").getScreenCTM());
  return [at.x, at.y];
}"""

STILL = "() => document.documentElement.dataset.gliding === 'false'"


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def line(name: str, milliseconds: list[float]) -> str:
    p95 = quantiles(milliseconds, n=20, method="inclusive")[-1]
    return (
        f"{name:<44} median {median(milliseconds):6.1f} ms  p95 {p95:6.1f} ms  "
        f"worst {max(milliseconds):6.1f} ms  ({len(milliseconds)} times, {load()})"
    )


@contextmanager
def running_studio() -> Iterator[str]:
    command = [sys.executable, "-m", "slidelab", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def measure_page(browser: Browser, address: str, times: int) -> None:
    """Print size of and time to the first page, each time in a browser that has seen nothing yet."""
    ready, sizes, counts = [], [], []
    for _ in range(times):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(WATCH_READY)
        page.goto(address)
        ready.append(float(page.evaluate_handle("window.readyAt").json_value() or 0.0))
        while not ready[-1]:
            page.wait_for_timeout(20)
            ready[-1] = float(page.evaluate("window.readyAt || 0"))
        page.wait_for_selector(".card")
        found = page.evaluate(
            "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]"
            ".map((entry) => entry.transferSize)"
        )
        sizes.append(sum(found))
        counts.append(len(found))
        context.close()
    print(f"{'first page, with its gallery':<44} {max(sizes) / 1000:.0f} kB in {max(counts)} requests")
    print(line("from opening the address to playing", ready))


def measure_clicks(browser: Browser, address: str, clicks: int) -> None:
    """Print how soon a piece moves on a board of 20 x 20 cells."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}#at=square+R(20,20)")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.mouse.click(*page.evaluate(CELL_ON_SCREEN, 398))  # leave the goal
    page.wait_for_function(STILL)
    found = []
    for number in range(clicks):
        page.evaluate(WATCH_CLICK)
        page.mouse.click(*page.evaluate(CELL_ON_SCREEN, 398 if number % 2 else 378))
        found.append(float(page.evaluate("window.moved")))
        page.wait_for_function(STILL)
        page.wait_for_timeout(50)
    page.close()
    print(line("from a click to the first movement, 20 x 20", found))


def measure_facts(address: str) -> None:
    """Print how long facts about the boards of the README take when they are known already."""
    worst = {}
    for board in README_BOARDS:
        body = json.dumps({"puzzle": board}).encode()
        seconds = []
        for _ in range(6):
            began = time.perf_counter()
            asked = Request(f"{address}api/facts", body, {"content-type": "application/json"})
            with urlopen(asked, timeout=60) as answer:
                answer.read()
            seconds.append(time.perf_counter() - began)
        worst[board] = seconds[0], max(seconds[1:])
    first, cached = (max(pair[k] for pair in worst.values()) * 1000 for k in (0, 1))
    what = f"facts about {len(worst)} boards of the README"
    print(f"{what:<44} worst {cached:.1f} ms cached, {first:.0f} ms at first  ({load()})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clicks", type=int, default=40)
    given = parser.parse_args()
    program = shutil.which("chromium")
    if program is None:
        print("there is no chromium: nothing is measured")
        return
    from playwright.sync_api import sync_playwright

    with running_studio() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        measure_page(browser, address, 10)
        measure_clicks(browser, address, given.clicks)
        measure_facts(address)
        browser.close()


if __name__ == "__main__":
    main()
