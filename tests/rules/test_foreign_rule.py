"""Rules that no file of the package mentions are full citizens: every question is answered for them."""

from __future__ import annotations

import json
import pickle
from collections import deque
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import pytest

import slidelab as sl
from slidelab.boards import Board
from slidelab.cli import main
from slidelab.rules import Cells
from slidelab.solve.method import MethodName


def shifted(board: Board, cells: Cells, dx: int, dy: int) -> Cells | None:
    """Return the cells one step further on a board of squares, None beyond its edge."""
    places = [board.cells[cell] for cell in cells]
    after = [board.cell_at.get((x + dx, y + dy)) for x, y in places]
    return None if None in after else tuple(cell for cell in after if cell is not None)


class Sliding(sl.Rule):
    """Rigid pieces that slide on squares and never turn."""

    rigid = True

    def refuses(self, board: Board) -> str | None:
        return None if board.kind == "square" else f"{self.name} can only be played on square boards"

    def steps(self, board: Board, cells: Cells) -> Iterator[sl.Step]:
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            after = shifted(board, cells, dx, dy)
            if after is not None:
                yield sl.Step(cells, after, tuple(cell for cell in after if cell not in cells), "slide")


class Slabs(Sliding):
    """Dominoes that lie along a row or along a column for ever."""

    name = "slabs"
    piece = "slab"
    cells = 2

    def placements(self, board: Board) -> Iterator[Cells]:
        for cell in range(board.size):
            for dx, dy in ((1, 0), (0, 1)):
                other = shifted(board, (cell,), dx, dy)
                if other is not None:
                    yield cell, *other


class Blocks(Sliding):
    """Squares of four cells."""

    name = "blocks"
    piece = "block"
    cells = 4
    links = ((0, 1), (1, 2), (2, 3), (0, 3), (1, 3))

    def placements(self, board: Board) -> Iterator[Cells]:
        for cell in range(board.size):
            corners = [shifted(board, (cell,), dx, dy) for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))]
            if None not in corners:
                yield tuple(corner for one in corners if one is not None for corner in one)


RULES = (Slabs(), Blocks())
PUZZLES = ("square R(3,3) slabs 3", "square R(5,2) blocks 2", "square R(4,3) slabs 4")


@pytest.fixture(autouse=True)
def registered(known_rules: None) -> None:
    for rule in RULES:
        assert sl.register_rule(rule) is sl.register_rule(rule) is rule


# A plain search that shares nothing with the package but the board.


State = tuple[frozenset[tuple[int, int]], ...]


def plain_state(configuration: sl.Configuration) -> State:
    board = configuration.puzzle.board
    return tuple(frozenset(board.cells[cell] for cell in cells) for cells in configuration.pieces)


def plain_neighbours(board: Board, state: State) -> Iterator[State]:
    on_board, covered = set(board.cells), {place for piece in state for place in piece}
    for k, piece in enumerate(state):
        for dx, dy in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            moved = frozenset((x + dx, y + dy) for x, y in piece)
            if moved <= on_board and not (moved - piece) & covered:
                yield (*state[:k], moved, *state[k + 1 :])


def plain_distances(board: Board, start: State) -> dict[State, int]:
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in plain_neighbours(board, here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def plain_components(puzzle: sl.Puzzle) -> list[set[State]]:
    """Return all configurations, by search from every placement of the pieces."""
    board, rule = puzzle.board, puzzle.rule
    laid: list[tuple[Cells, ...]] = [()]
    for _ in range(puzzle.piece_count):
        laid = [
            (*pieces, cells)
            for pieces in laid
            for cells in rule.placements(board)
            if not {c for piece in pieces for c in piece} & set(cells)
        ]
    left = {plain_state(sl.Configuration(puzzle, pieces)) for pieces in laid}
    out = []
    while left:
        component = set(plain_distances(board, next(iter(left))))
        out.append(component)
        left -= component
    return out


@pytest.mark.parametrize("text", PUZZLES)
def test_reach_and_distance_agree_with_plain_search(text: str) -> None:
    puzzle = sl.puzzle(text)
    components = plain_components(puzzle)
    analysis = puzzle.analyze()
    assert analysis.components == len(components)
    numbers = [max(max(plain_distances(puzzle.board, s).values()) for s in part) for part in components]
    assert puzzle.gods_number().number == max(numbers)
    start = plain_state(puzzle.goal)
    counts = list(plain_distances(puzzle.board, start).values())
    assert puzzle.distances().distribution == tuple(counts.count(d) for d in range(max(counts) + 1))


@pytest.mark.parametrize("text", PUZZLES)
def test_verdicts_have_certificates(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=4)
    assert puzzle.solvable(start)
    assert puzzle.solvable(start).check()
    reached = plain_distances(puzzle.board, plain_state(puzzle.goal))
    first, second, *others = puzzle.goal.pieces
    swapped = sl.Configuration(puzzle, (second, first, *others))
    verdict = puzzle.solvable(swapped)
    assert bool(verdict) == (plain_state(swapped) in reached)
    assert verdict.check()


METHODS = ("auto", "table", "ida", "astar", "bidirectional", "weighted", "anytime", "group")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", PUZZLES)
def test_solutions(text: str, method: MethodName) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=5)
    exact = plain_distances(puzzle.board, plain_state(start))[plain_state(puzzle.goal)]
    weight = 1.5 if method == "weighted" else None
    solution = puzzle.solve(start, method=method, weight=weight, time=20)
    assert start.play(*solution.moves) == puzzle.goal
    if method not in ("group", "weighted"):
        assert (solution.length, solution.optimal) == (exact, True)
    assert exact <= solution.shorten().length <= solution.length
    assert puzzle.distance(start) == exact


@pytest.mark.parametrize("text", PUZZLES)
def test_hints_lead_to_the_goal(text: str) -> None:
    puzzle = sl.puzzle(text)
    here = puzzle.shuffle(seed=6)
    for _ in range(puzzle.distance(here) or 0):
        move = puzzle.hint(here)
        assert move is not None
        assert move in here.moves
        here = here.play(move)
    assert here == puzzle.goal
    assert puzzle.hint(here) is None


@pytest.mark.parametrize("method", ["peel", "wilson", "cycle", "cycle-cubic"])
def test_methods_for_other_rules_refuse(method: MethodName) -> None:
    puzzle = sl.puzzle(PUZZLES[0])
    with pytest.raises(sl.NotationError, match="slabs 3"):
        puzzle.solve(puzzle.shuffle(seed=5), method=method)


@pytest.mark.parametrize("text", PUZZLES)
def test_text_json_and_copies(text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=7)
    assert puzzle.text == text
    for source in (puzzle.text, puzzle.to_json(), json.dumps(puzzle.to_json())):
        assert sl.puzzle(source) == puzzle
    assert eval(repr(start), {"position": sl.position}) == start
    assert puzzle.configuration(json.dumps(start.to_json())) == start
    for thing in (puzzle, start, puzzle.rule, start.moves, puzzle.solve(start)):
        assert pickle.loads(pickle.dumps(thing)) == thing == deepcopy(thing)
    assert str(start).split()


@pytest.mark.parametrize("text", PUZZLES)
def test_colours(text: str) -> None:
    plain = sl.puzzle(text)
    colours = ["red", *["blue"] * (plain.piece_count - 1)]
    puzzle = sl.puzzle(text, colours=colours)
    assert sl.puzzle(puzzle.text) == puzzle
    start = puzzle.shuffle(seed=1)
    assert sl.position(start.text) == start
    assert start.play(*puzzle.solve(start).moves) == puzzle.goal


@pytest.mark.parametrize("text", PUZZLES)
def test_pictures_and_films(text: str, tmp_path: Path) -> None:
    puzzle = sl.puzzle(text)
    solution = puzzle.solve(puzzle.shuffle(seed=5))
    svg = solution.start.draw(moves=solution.moves[:1]).svg
    assert svg.startswith("<svg")
    assert all(f">{text}<" not in svg for text in ("None", "nan"))
    for ending in ("gif", "html"):
        path = tmp_path / f"film.{ending}"
        solution.animate(path)
        assert path.stat().st_size > 500
    (model,) = puzzle.solid().save(tmp_path / "model.3mf")
    assert model.stat().st_size > 500


def test_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        assert not ended.value.code
        return capsys.readouterr().out

    puzzle = sl.puzzle(PUZZLES[0])
    start = puzzle.shuffle(seed=5)
    assert json.loads(run("solve", start.text, "--json"))["length"] == puzzle.distance(start)
    assert json.loads(run("god", puzzle.text, "--json"))["gods_number"] == puzzle.gods_number().number
    assert "slabs" in run("analyze", "square R(3,3)", "--rule", "slabs", "--holes", "3")
    assert "certificate" in run("solvable", start.text, "--check")
    assert run("hint", start.text).split()[0] in start.moves
    assert run("solve", start.text, "--steps").count("slide slab ") == puzzle.distance(start)
    assert sl.position(run("shuffle", puzzle.text, "--seed", "1").strip()).puzzle == puzzle
    run("draw", start.text, "-o", str(tmp_path / "x.svg"))


# What a rule must not do


class Wrong(Slabs):
    name = "wrong"

    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)


class Unordered(Wrong):
    def placements(self, board: Board) -> Iterator[Cells]:
        return (cells[::-1] for cells in super().placements(board))

    turns = 2


class Twice(Wrong):
    def placements(self, board: Board) -> Iterator[Cells]:
        yield from super().placements(board)
        yield from super().placements(board)


class OneWay(Wrong):
    def steps(self, board: Board, cells: Cells) -> Iterator[sl.Step]:
        return (step for step in super().steps(board, cells) if step.after > step.before)


class Ghosts(Wrong):
    def steps(self, board: Board, cells: Cells) -> Iterator[sl.Step]:
        return (sl.Step(step.before, step.after, (), "slide") for step in super().steps(board, cells))


class Jumps(Wrong):
    """Pieces that leap over a cell."""

    def steps(self, board: Board, cells: Cells) -> Iterator[sl.Step]:
        for dx, dy in ((3, 0), (-3, 0), (0, 3), (0, -3)):
            after = shifted(board, cells, dx, dy)
            if after is not None:
                yield sl.Step(cells, after, after, "jump")


class Partial(Wrong):
    def placements(self, board: Board) -> Iterator[Cells]:
        return ((cell,) for cell in range(0, board.size, 2))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Wrong(cells=9), "expected from 1 to 8 as cells, got 9 - at rule 'wrong'"),
        (Wrong(cells=0), "expected from 1 to 8 as cells, got 0 - at rule 'wrong'"),
        (Wrong(turns=99), "as turns, got 99 - at rule 'wrong'"),
        (Wrong(fewest_holes=True), "as fewest_holes, got True"),
        (Wrong(name="two words"), "expected a word such as 'tiles' as name, got 'two words'"),
        (Wrong(name="hex"), "expected a word such as 'tiles' as name, got 'hex'"),
        (Wrong(piece=""), "expected a word such as 'tiles' as piece, got ''"),
        (Wrong(cells=3), "expected placements of 3 cells, got (0, 1)"),
        (Wrong(turns=3), "expected 3 different readings"),
        (Wrong(name="tiles"), "expected a new name for a rule, got 'tiles'"),
        (Unordered(), "expected placements in their least reading"),
        (Twice(), "expected every placement once"),
        (OneWay(), "expected a step back for every step"),
        (Jumps(), "expected a hole of every step to touch the piece"),
        (Partial(cells=1), "expected one-cell pieces to fit on every cell, got 8"),
        (Wrong(corner="pivot", turns=2), "expected the steps of gourds, as the rule claims"),
        (Wrong(slides_along_edges=True), "expected the steps of tiles, as the rule claims"),
        (Ghosts(), "expected the holes of a step to be the cells that it newly covers"),
    ],
)
def test_wrong_rules_are_refused(rule: sl.Rule, message: str) -> None:
    with pytest.raises(sl.PuzzleError) as caught:
        sl.register_rule(rule)
    assert message in str(caught.value)
    assert rule.name not in sl.RULES or rule.name == "tiles"
    if rule.name == "wrong":
        with pytest.raises(sl.PuzzleError):
            sl.puzzle("square R(4,4)", rule, 4)


def test_only_rules_are_registered() -> None:
    with pytest.raises(sl.PuzzleError, match=r"instance of slidelab\.Rule, got str"):
        sl.register_rule("tiles")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        sl.RULES["x"] = Slabs()  # type: ignore[index]


def test_unregistered_rules_work_but_do_not_parse() -> None:
    class Loose(Slabs):
        name = "loose"

    puzzle = sl.puzzle("square R(3,3)", Loose(), 3)
    assert puzzle.gods_number().number == sl.puzzle(PUZZLES[0]).gods_number().number
    with pytest.raises(sl.NotationError, match="slabs, blocks"):
        sl.puzzle(puzzle.text)


def test_rules_refuse_boards() -> None:
    with pytest.raises(sl.NotationError, match="slabs can only be played on square boards"):
        sl.puzzle("hex P(3,3)", "slabs", 1)
