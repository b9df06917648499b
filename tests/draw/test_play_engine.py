"""The engine of the page that can be played, in a browser, against the rules in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from draw.browser import chromium, opened
from rules.test_foreign_rule import Blocks, Slabs
from slidelab.draw.play import play_html
from slidelab.puzzles import Configuration, Puzzle

PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "tiles": lambda: sl.puzzle("square R(3,3)"),
    "king": lambda: sl.puzzle("king R(3,2)", holes=2),
    "theta": lambda: sl.puzzle("theta(1,2,2)"),
    "hex tiles": lambda: sl.puzzle("hex P(3,3) tiles 1"),
    "hextiles": lambda: sl.puzzle("hex P(3,3)", holes=3),
    "gourds": lambda: sl.puzzle("hex P(3,4) gourds"),
    "sharp gourds": lambda: sl.puzzle("hex F(2) gourds-sharp"),
    "gourds on squares": lambda: sl.puzzle("square R(3,3) gourds"),
    "trimers": lambda: sl.puzzle("hex P(3,4) trimers 3"),
    "straight": lambda: sl.puzzle("square R(4,3) trimers-straight 6"),
    "bent": lambda: sl.puzzle("hex P(4,3) trimers-bent 6"),
    "triangles": lambda: sl.puzzle("hex F(2) trimers-triangle 4"),
    "slabs": lambda: sl.puzzle("square R(4,3)", Slabs(), 4),
    "blocks": lambda: sl.puzzle("square R(5,2)", Blocks(), 2),
    "colours": lambda: sl.puzzle("square R(3,3)", colours=["red"] * 3 + ["blue"] * 4 + ["x_1"]),
    "coloured gourds": lambda: sl.puzzle(
        "hex P(3,4) gourds", colours=[["a", "b"], ["a", "a"], ["a", "b"], ["b", "b"], ["a", "a"]]
    ),
    "coloured trimers": lambda: sl.puzzle(
        "hex P(3,4) trimers 3", colours=[["a", "b"], ["a", "a"], ["a", "a"]]
    ),
    "coloured triangles": lambda: sl.puzzle(
        "hex P(3,4) trimers-triangle 6", colours=[["a", "a", "b"], ["a", "a", "a"]]
    ),
}


@pytest.fixture(scope="module")
def page_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Any]]:
    folder = tmp_path_factory.mktemp("pages")
    with chromium() as browser:

        def open_page(puzzle: Puzzle, *arguments: Any, **options: Any) -> Any:
            path = Path(folder, "puzzle.html")
            path.write_text(play_html(puzzle, *arguments, **options), encoding="utf-8")
            return opened(browser, path)

        yield open_page


WALK = """([length, seed]) => {
  const { puzzle, table } = slidelab, seen = [];
  let state = puzzle.goal;
  for (const text of puzzle.walk(state, length, seed).moves) {
    state = puzzle.play(state, puzzle.readMove(state, text));
    const hint = table && table.hint(state);
    seen.push({
      move: text,
      text: puzzle.text(state),
      moves: puzzle.moves(state).map((move) => puzzle.moveText(move)),
      read: puzzle.text(puzzle.read(puzzle.text(state))),
      distance: table ? table.distance(state) : null,
      hint: hint && puzzle.moveText(hint),
    });
  }
  return seen;
}"""


@pytest.mark.parametrize("name", PUZZLES)
def test_random_walks_are_those_of_the_rules(name: str, page_of: Callable[..., Any]) -> None:
    puzzle = PUZZLES[name]()
    here: Configuration = puzzle.goal
    with page_of(puzzle) as page:
        seen = page.evaluate(WALK, [60, 7])
    assert len(seen) == 60
    for step in seen:
        assert step["move"] in {move.text for move in here.moves}
        here = here.play(step["move"])
        assert step["text"] == step["read"] == here.text
        assert sorted(step["moves"]) == sorted(move.text for move in here.moves)
        distance = puzzle.distance(here)
        assert step["distance"] == distance
        if distance:
            assert puzzle.distance(here.play(step["hint"])) == distance - 1
        else:
            assert step["hint"] is None
