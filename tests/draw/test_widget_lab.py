"""The widget in a real JupyterLab, with a real kernel, in a browser."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

import slidelab as sl

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE = 120.0
"""Seconds that JupyterLab may take to start on a machine that does much else."""

CELLS = [
    "import slidelab as sl\nw = sl.puzzle('8-puzzle').widget('1 2 3 4 . 5 7 8 6')\nw",
    "print('seen:', [move.text for move in w.moves], w.solved)",
    "w.position = '1 2 3 4 5 6 . 7 8'\nprint('set:', w.solve().length)",
]

EMPTY_CELL = {"cell_type": "code", "metadata": {}, "execution_count": 0, "outputs": []}


@contextmanager
def jupyter(folder: Path) -> Iterator[str]:
    """Start JupyterLab in a folder with no settings of the user; yield its address."""
    pytest.importorskip("jupyterlab", reason="there is no jupyterlab")
    options = ["--no-browser", "--port=0", "--ip=127.0.0.1", "--IdentityProvider.token=", "--allow-root"]
    options += ["--LabApp.expose_app_in_browser=True"]  # the page can then be told to run a cell
    places = {
        name: str(folder / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "HOME")
    }
    log = folder / "log"
    with log.open("w") as output:
        command = [sys.executable, "-m", "jupyter", "lab", *options, f"--ServerApp.root_dir={folder}"]
        server = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            cwd=folder,
            env={"PATH": str(Path(sys.executable).parent), **places},
        )
    try:
        end = time.monotonic() + PATIENCE
        while not (found := re.search(r"http://127\.0\.0\.1:\d+/", log.read_text())):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        while not _answers(f"{found[0]}api/status"):  # it prints its address before it listens
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
        yield found[0]
    finally:
        server.terminate()
        server.wait(timeout=60)


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


RUN_CELL = """(number) => {
  const { shell, commands } = window.jupyterapp, notebook = shell.currentWidget;
  async function run() {
    await notebook.sessionContext.ready;
    notebook.content.activeCellIndex = number;
    await commands.execute("notebook:run-cell");
  }
  const late = new Promise((_, failed) => setTimeout(failed, 120000, "the cell did not end"));
  return Promise.race([run(), late]);
}"""
HAS_NOTEBOOK = "() => Boolean(window.jupyterapp?.shell.currentWidget?.sessionContext?.session)"


def test_widget_in_jupyterlab(browser: Browser, tmp_path: Path) -> None:
    cells = [{"id": f"c{k}", "source": text, **EMPTY_CELL} for k, text in enumerate(CELLS)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "puzzle.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    with jupyter(tmp_path) as address:
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(f"{address}lab/tree/puzzle.ipynb?reset")
        page.wait_for_function(HAS_NOTEBOOK)
        page.evaluate(RUN_CELL, 0)
        page.wait_for_selector(".widget .piece")
        for piece in (5, 6):
            page.locator(f".widget #p{piece}").click()
        page.wait_for_selector(".widget[data-solved='true']")
        page.evaluate(RUN_CELL, 1)
        page.wait_for_selector("text=seen: ['5:5>4', '6:8>5'] True")
        page.evaluate(RUN_CELL, 2)
        page.wait_for_selector("text=set: 2")
        page.wait_for_selector(".widget #solution:not([hidden])")
        page.locator(".widget #next").click()
        page.wait_for_selector(".widget[data-moves='1']")
        page.locator(".widget").focus()
        page.keyboard.press("u")  # in JupyterLab itself this letter does nothing, but others delete cells
        page.wait_for_selector(".widget[data-moves='0']")
        page.close()
    assert sl.position("8-puzzle : 1 2 3 4 . 5 7 8 6").play("5:5>4", "6:8>5") == sl.puzzle("8-puzzle").goal
