"""The engine of the page that can be played, in a browser, against the rules in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from draw.browser import chromium, opened
from rules.test_foreign_rule import Blocks, Slabs
from slidelab.draw import play
from slidelab.draw.page import BoardDrawing
from slidelab.draw.play import play_html
from slidelab.draw.play.data import list_steps, puzzle_data
from slidelab.puzzles import Configuration, Puzzle

PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "tiles": lambda: sl.puzzle("square R(3,3)"),
    "king": lambda: sl.puzzle("king R(3,2)", holes=2),
    "theta": lambda: sl.puzzle("theta(1,2,2)"),
    "hex tiles": lambda: sl.puzzle("hex F(2) tiles 1"),
    "hextiles": lambda: sl.puzzle("hex P(3,3)", holes=4),
    "gourds": lambda: sl.puzzle("hex F(2) gourds"),
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
        "hex P(3,3) gourds", colours=[["a", "b"], ["a", "a"], ["a", "b"], ["b", "b"]]
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


WALK = """([length, seed, texts]) => {
  const { puzzle, table } = slidelab;
  const look = (state) => {
    const hint = table.hint(state);
    return {
      text: puzzle.text(state),
      moves: puzzle.moves(state).map((move) => puzzle.moveText(move)),
      read: puzzle.text(puzzle.read(puzzle.text(state))),
      distance: table.distance(state),
      hint: hint && puzzle.moveText(hint),
    };
  };
  let state = puzzle.goal;
  const seen = puzzle.walk(state, length, seed).moves.map((move) => {
    state = puzzle.play(state, puzzle.readMove(state, move));
    return { move, ...look(state) };
  });
  return [seen, texts.map((text) => look(puzzle.read(text)))];
}"""


def check(here: Configuration, seen: dict[str, Any]) -> None:
    """Compare what the page says about a configuration with what the package says."""
    assert seen["text"] == seen["read"] == here.text
    assert sorted(seen["moves"]) == sorted(move.text for move in here.moves)
    distance = here.puzzle.distance(here)
    assert seen["distance"] == distance
    if distance:
        assert here.puzzle.distance(here.play(seen["hint"])) == distance - 1
    else:
        assert seen["hint"] is None


@pytest.mark.parametrize("name", PUZZLES)
def test_the_page_knows_the_rules_and_the_distances(name: str, page_of: Callable[..., Any]) -> None:
    puzzle = PUZZLES[name]()
    here: Configuration = puzzle.goal
    shuffled = [puzzle.shuffle(seed=seed) for seed in range(20)]
    with page_of(puzzle) as page:
        walked, looked = page.evaluate(WALK, [30, 7, [each.text for each in shuffled]])
    assert len(walked) == 30
    for step in walked:
        assert step["move"] in {move.text for move in here.moves}
        here = here.play(step["move"])
        check(here, step)
    for each, seen in zip(shuffled, looked, strict=True):
        check(each, seen)


GAME = """() => {
  const { puzzle, game } = slidelab, { moves } = puzzle.walk(puzzle.goal, 50, 3);
  for (const move of moves) game.play(move);
  const end = puzzle.text(game.state), saved = JSON.parse(JSON.stringify(game.save()));
  while (game.made) game.undo();
  const start = puzzle.text(game.state), isLoaded = game.load(saved);
  return [moves, end, start, isLoaded, puzzle.text(game.state), game.load({ start: "?" }), game.made];
}"""


def test_games_are_undone_saved_and_loaded(page_of: Callable[..., Any]) -> None:
    puzzle = PUZZLES["coloured gourds"]()
    with page_of(puzzle, hints=False) as page:
        moves, end, start, is_loaded, loaded, is_bad_loaded, made = page.evaluate(GAME)
    assert puzzle.goal.play(*moves).text == end == loaded
    assert start == puzzle.goal.text
    assert (is_loaded, is_bad_loaded, made) == (True, False, 50)


BAD = {
    "1 2 3": "Expected 4 entries, one a cell.",
    "1 2 3 4": "The pieces are not those of this puzzle.",
    "1 1 2 .": "The pieces are not those of this puzzle.",
    "1 2 . .": "Expected 3 tiles.",
    "square R(3,3) : 1 2 3 .": "That is not a position of square R(2,2) tiles 1.",
}
GOOD = ("square R(2,2) : 1 2 3 .", "square R(2,2) tiles : 1 2 / 3 0", " square  R(2,2) tiles 1: 1 2 3 .")


def test_positions_are_read_or_refused_with_one_sentence(page_of: Callable[..., Any]) -> None:
    script = """(text) => {
      try { return slidelab.puzzle.text(slidelab.puzzle.read(text)); } catch (error) { return error.message; }
    }"""
    with page_of(sl.puzzle("square R(2,2)")) as page:
        for text, message in BAD.items():
            assert page.evaluate(script, text) == message
        for text in GOOD:
            assert page.evaluate(script, text) == "square R(2,2) tiles 1 : 1 2 3 ."


def test_the_engine_is_a_module_without_a_page(page_of: Callable[..., Any]) -> None:
    puzzle = sl.puzzle("hex F(2) gourds")
    goal = puzzle.goal
    data = puzzle_data(BoardDrawing.of(goal), list_steps(puzzle), goal, goal)
    source = Path(play.__file__).with_name("engine.js").read_text(encoding="utf-8")
    script = """async ([source, data]) => {
      const { Game, Puzzle } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
      const puzzle = new Puzzle(data), game = new Game(puzzle, puzzle.goal);
      const { moves, state } = puzzle.walk(puzzle.goal, 9, 1);
      for (const move of moves) game.play(move);
      return [moves, puzzle.text(game.state), puzzle.equal(state, game.state), game.isSolved];
    }"""
    with page_of(puzzle, hints=False) as page:
        page.goto("about:blank")
        moves, text, is_equal, is_solved = page.evaluate(script, [source, data])
    assert goal.play(*moves).text == text
    assert (is_equal, is_solved) == (True, False)
