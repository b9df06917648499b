"""The widget of a notebook: its traits in Python, and its front end in a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import slidelab as sl
from draw.browser import opened
from slidelab.draw.widget import PuzzleWidget
from slidelab.errors import IllegalMove, NotationError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

START = "1 2 3 4 . 5 7 8 6"
EIGHT = sl.puzzle("8-puzzle")


def played(widget: PuzzleWidget, *texts: str, made: int | None = None) -> None:
    """Do what the front end does when somebody has played these moves."""
    game = {**widget._game, "moves": list(texts), "made": len(texts) if made is None else made}
    widget.set_state({"_game": game})


def test_what_is_played_is_seen() -> None:
    widget = EIGHT.widget(START)
    seen: list[tuple[str, Any]] = []
    widget.observe(lambda change: seen.append((change.name, change.new)), ["position", "moves", "solved"])
    played(widget, "5:5>4")
    played(widget, "5:5>4", "6:8>5")
    end = EIGHT.configuration(START).play("5:5>4", "6:8>5")
    assert widget.position == end == EIGHT.goal
    assert [move.text for move in widget.moves] == ["5:5>4", "6:8>5"]
    assert ("solved", True) in seen
    assert [new for name, new in seen if name == "position"] == [
        EIGHT.configuration(START).play("5:5>4"),
        EIGHT.goal,
    ]
    played(widget, "5:5>4", "6:8>5", made=1)  # undo
    assert [move.text for move in widget.moves] == ["5:5>4"]
    assert not widget.solved


def test_what_is_set_becomes_the_game() -> None:
    widget = EIGHT.widget(START)
    widget.moves = ["5:5>4", "6:8>5"]
    assert widget.get_state("_game")["_game"] == {"start": START, "moves": ["5:5>4", "6:8>5"], "made": 2}
    assert widget.solved
    widget.position = "1 2 3 4 5 6 . 7 8"
    assert widget._game == {"start": "1 2 3 4 5 6 . 7 8", "moves": [], "made": 0}
    assert widget.moves == ()


def test_bad_values_change_nothing() -> None:
    widget = EIGHT.widget(START)
    before = widget._game
    with pytest.raises(NotationError, match="expected"):
        widget.position = "1 2 3"
    with pytest.raises(IllegalMove, match="expected"):
        widget.moves = "1:0>8"
    with pytest.raises(NotationError, match="expected a solution"):
        widget.set_trait("solution", "5:5>4")
    with pytest.raises(NotationError, match="begins at"):
        widget.solution = EIGHT.solve("1 2 3 4 5 6 7 . 8")
    for nonsense in (
        {},
        {"start": 7, "moves": [], "made": 0},
        {"start": START, "moves": ["9:9>9"], "made": 1},
    ):
        widget.set_state({"_game": nonsense})
        assert widget.position == EIGHT.configuration(START)
    widget._game = before
    assert (widget.position, widget.moves, widget.solution) == (EIGHT.configuration(START), (), None)


def test_a_solution_is_followed_and_left() -> None:
    widget = EIGHT.widget(START)
    played(widget, "2:1>4")
    solution = widget.solve()
    assert solution.optimal
    assert solution.start == widget.position
    texts = [move.text for move in solution.moves]
    assert widget._solution == {"from": 1, "moves": texts}
    assert widget._game == {"start": START, "moves": ["2:1>4", *texts], "made": 1}
    played(widget, "2:1>4", *texts, made=2)
    assert widget.solution is solution
    other = next(move.text for move in widget.position.moves if move.text not in texts)
    played(widget, "2:1>4", texts[0], other)
    assert widget.solution is None
    assert widget._solution == {}


def test_solving_is_asked_in_the_notebook() -> None:
    widget = sl.puzzle("square R(2,2)").widget("2 1 3 .")
    said: list[Any] = []
    widget.send = lambda content, buffers=None: said.append(content)
    widget._answer(widget, {"ask": "solve"}, [])
    assert "odd permutation" in said.pop()["say"]
    widget.position = "3 1 . 2"
    widget._answer(widget, {"ask": "solve"}, [])
    assert said == [{"say": "3 moves, and no solution is shorter."}]
    assert widget.solution is not None
    assert widget.solution.length == 3


def test_coloured_gourds_must_match_the_floor() -> None:
    puzzle = sl.puzzle("hex F(2) gourds", colours=[["a", "b"], ["a", "a"], ["b", "b"]])
    start = puzzle.goal
    floor = ["."] * 7
    for own, cells in zip(puzzle.colours or (), start.pieces, strict=True):
        for colour, cell in zip(own, cells, strict=True):
            floor[cell] = colour
    widget = puzzle.widget(start.play(next(iter(start.moves))), floor=floor)
    assert widget.goal is None
    assert not widget.solved
    widget.moves = [next(iter(start.moves)).reversed]
    assert widget.solved


HOST = """<!doctype html><meta charset="utf-8"><title>widgets</title><link rel="icon" href="data:,">
<body data-jp-theme-light="true"><div id="one"></div><div id="two"></div><script type="module">
const models = JSON.parse(%s);
const url = URL.createObjectURL(new Blob([models[0]._esm], { type: "text/javascript" }));
const { render } = (await import(url)).default;
class Model {
  constructor(state) { this.state = state; this.listeners = []; this.sent = []; this.saved = 0; }
  get(name) { return this.state[name]; }
  set(name, value) {
    if (JSON.stringify(this.state[name]) === JSON.stringify(value)) return;
    this.state[name] = value;
    this.emit(`change:${name}`);
  }
  emit(name, value) {
    for (const each of this.listeners.slice()) if (each.name === name) each.listener(value);
  }
  save_changes() { this.saved += 1; }
  send(content) { this.sent.push(content); }
  on(name, listener) { this.listeners.push({ name, listener }); }
  off(name, listener) { this.listeners = this.listeners.filter((each) => each.listener !== listener); }
}
window.models = models.map((state) => new Model(state));
const places = document.querySelectorAll("body > div");
const ends = window.models.map((model, k) => render({ model, el: places[k] }));
window.end = (k) => ends[k]();
window.isReady = true;
</script>"""


def show_widgets(browser: Browser, folder: Path, *widgets: PuzzleWidget) -> Any:
    states = [
        {name: getattr(widget, name) for name in ("_esm", "_page", "_theme", "_game", "_solution")}
        for widget in widgets
    ]
    text = json.dumps(json.dumps(states)).replace("<", "\\u003c")
    (folder / "host.html").write_text(HOST % text, encoding="utf-8")
    return opened(browser, folder / "host.html")


def game(page: Page, number: int = 0) -> Any:
    return page.evaluate(f"models[{number}].get('_game')")


def test_two_widgets_in_one_page(browser: Browser, tmp_path: Path) -> None:
    gourds = sl.puzzle("hex F(2) gourds").widget(theme="dark")
    with show_widgets(browser, tmp_path, EIGHT.widget(START), gourds) as page:
        page.wait_for_function("window.isReady")
        page.locator("#one #p5").click()
        page.locator("#one .widget").press("ArrowUp")
        assert game(page) == {"start": START, "moves": ["5:5>4", "6:8>5"], "made": 2}
        page.wait_for_selector("#one .widget[data-won='true']")
        assert "fewest possible" in page.inner_text("#one #words")
        page.locator("#one .widget").press("u")
        assert game(page)["made"] == 1
        assert game(page, 1)["moves"] == []
        text = next(iter(gourds.position.moves)).text
        page.evaluate(
            "(text) => models[1].set('_game', {...models[1].get('_game'), moves: [text], made: 1})", text
        )
        page.wait_for_selector("#two .widget[data-moves='1'][data-theme='dark']")
        assert page.get_attribute("#one .widget", "data-theme") == "light"
        page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        page.wait_for_selector("#one .widget[data-theme='dark']")
        page.evaluate("end(0)")
        assert page.evaluate("models[0].listeners.length") == 0
        assert page.evaluate("models[1].listeners.length") == 3


def test_the_front_end_steps_through_a_solution(browser: Browser, tmp_path: Path) -> None:
    widget = EIGHT.widget("1 2 3 4 5 6 . 7 8")
    widget.solve()
    with show_widgets(browser, tmp_path, widget) as page:
        page.wait_for_selector("#one #solution:not([hidden])")
        assert page.inner_text("#one #step") == "0 / 2"
        page.locator("#one #next").click()
        assert game(page)["made"] == 1
        page.locator("#one #scrub").focus()
        page.keyboard.press("End")
        assert game(page)["made"] == 2
        page.locator("#one #back").click()
        page.locator("#one #run").click()
        page.wait_for_selector("#one .widget[data-solved='true'][data-running='false']")
        page.locator("#one #solve").dispatch_event("click")
        assert page.evaluate("models[0].sent") == []  # there is nothing to solve
        page.locator("#one #restart").click()
        other = next(m.text for m in widget.start.moves if m.text != game(page)["moves"][0])
        page.locator(f"#one #p{other.partition(':')[0]}").click()
        assert page.is_hidden("#one #solution")
        page.locator("#one #solve").click()
        assert page.evaluate("models[0].sent") == [{"ask": "solve"}]
        page.evaluate("models[0].emit('msg:custom', { say: 'Heard.' })")
        assert page.inner_text("#one #words") == "Heard."
