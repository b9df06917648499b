"""Pages of puzzles: answers that solve them, in every notation; everything on the page; pages in one file."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

import slidelab as sl
from commands import Run, one_line, refused
from slidelab.boards.lattice import DIRECTIONS
from slidelab.draw.marks import Group, Item, Mark
from slidelab.draw.sheet import PuzzleSheet, puzzle_sheet
from slidelab.draw.sheet.page import MARGIN, PAPERS
from slidelab.draw.sheet.selection import rising_distances, rising_solutions
from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.puzzles import Configuration

BOARDS = {
    "tiles": "square R(3,3)",
    "king": "king R(3,3)",
    "graph": "theta(1,2,2)",
    "hextiles": "hex P(3,3)",
    "several holes": "square R(3,2) tiles 2",
    "gourds": "hex F(2) gourds",
    "trimers": "hex P(3,4) trimers 3",
    "colours": "square R(3,3) : a a a b b b c c .",
    "colours, several holes": "square R(3,3) tiles 2 : a a a b b b c . .",
    "coloured graph": "theta(1,2,2) : a a a b b b .",
    "coloured gourds": "hex P(3,3) gourds : 0-1=a-b 2-5=a-a 3-6=b-b 4-7=a-b",
}

ARROWS = {"hex": "→↘↙←↖↗", "square": "→↓←↑", "king": "→↘↓↙←↖↑↗"}


def follow(start: Configuration, answer: str) -> Configuration:
    """Play a printed answer as a reader does, knowing the board, the pieces and the holes only."""
    here = start
    for word in answer.split():
        if re.fullmatch("[0-9]+", word) and here.puzzle.rule.name == "gourds":  # the cell that becomes empty
            [move] = [move for move in here.moves if int(word) in set(move.before) - set(move.after)]
            here = here.play(move)
        elif re.fullmatch("[0-9]+", word):  # the tile that slides
            [move] = [move for move in here.moves if move.piece == int(word)]
            here = here.play(move)
        elif ">" in word:
            cells, after = word.rpartition(":")[2].split(">")
            # A piece that looks alike both ways round may be read either way.
            [move] = [m for m in here.moves if (cells, after) in (ends(m, 1), ends(m, -1))]
            assert ":" not in word or move.piece == int(word.partition(":")[0])
            here = here.play(move)
        else:
            found = re.fullmatch(r"([0-9]*)([→↘↙←↖↗↓↑]+)", word)
            assert found
            for arrow in found[2]:
                here = slide(here, arrow, int(found[1] or 0))
    return here


def ends(move: sl.Move, step: int) -> tuple[str, str]:
    """Return the cells before and after a move, read forwards or backwards."""
    return "-".join(map(str, move.before[::step])), "-".join(map(str, move.after[::step]))


def slide(here: Configuration, arrow: str, piece: int) -> Configuration:
    board = here.puzzle.board
    direction = DIRECTIONS[board.kind][ARROWS[board.kind].index(arrow)]
    [move] = [
        move
        for move in here.moves
        if (not piece or move.piece == piece)
        and direction
        == tuple(b - a for a, b in zip(board.cells[move.before[0]], board.cells[move.after[0]], strict=True))
    ]
    return here.play(move)


def goal_of(text: str) -> Configuration:
    return sl.position(text) if ":" in text else sl.puzzle(text).goal


@pytest.mark.parametrize("text", BOARDS.values(), ids=BOARDS)
def test_answers_solve_the_puzzles(text: str) -> None:
    sheet = puzzle_sheet(text, 4, seed=1)
    goal = goal_of(text)
    lengths = [solution.length for solution in sheet.solutions]
    assert lengths == sorted(lengths)
    for solution, answer in zip(sheet.solutions, sheet.answers, strict=True):
        assert follow(solution.start, answer) == goal
        assert solution.length == sl.distance_table(goal).distance(solution.start, goal)


def outlines(
    items: Sequence[Item], x: float = 0.0, y: float = 0.0, turn: float = 0.0
) -> Iterator[tuple[float, float]]:
    """Yield the points of all outlines on the page, through shifts and rotations."""
    cos, sin = math.cos(turn), math.sin(turn)
    for item in items:
        if isinstance(item, Mark):
            yield from ((x + cos * px - sin * py, y + sin * px + cos * py) for px, py in item.path.points)
        elif isinstance(item, Group):
            at = x + cos * item.x - sin * item.y, y + sin * item.x + cos * item.y
            yield from outlines(item.items, *at, turn + math.radians(item.angle))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("text", "count"), [("square R(3,3)", 1), ("square R(3,3)", 31), ("hex F(2) gourds", 7)]
)
def test_everything_is_within_the_margins(text: str, count: int, paper: str) -> None:
    sheet = puzzle_sheet(text, count, seed=2, paper=paper, title="A very long title " * 9)
    width, height = PAPERS[paper]
    for page in sheet.pages:
        assert (page.width, page.height) == (width, height)
        xs, ys = zip(*outlines(page.items), strict=True)
        assert min(xs) >= MARGIN - 1
        assert max(xs) <= width - MARGIN + 1
        assert min(ys) >= MARGIN - 1
        assert max(ys) <= height - MARGIN + 1


def test_a_pdf_has_all_pages_and_pictures_are_numbered(tmp_path: Path) -> None:
    sheet = puzzle_sheet(["square R(2,2)", "hex P(2,2)"], 2, seed=1)
    assert len(sheet.pages) == 2
    assert repr(sheet) == "<sheet of 4 puzzles on 2 pages>"
    assert sheet.save(tmp_path / "x.pdf") == [tmp_path / "x.pdf"]
    document = pypdfium2.PdfDocument(tmp_path / "x.pdf")
    assert len(document) == 2
    for page, expected in zip(document, sheet.pages, strict=True):
        assert page.get_size() == pytest.approx((595.28, 841.89), abs=0.01)
        assert page.get_size() == pytest.approx((expected.width * 0.75, expected.height * 0.75), abs=0.01)
    assert [path.name for path in sheet.save(tmp_path / "x.svg")] == ["x-1.svg", "x-2.svg"]
    assert (tmp_path / "x-2.svg").read_text() == sheet.pages[1].svg
    assert sheet.save(tmp_path / "y.png", width=80)[1].read_bytes()[:4] == b"\x89PNG"


def test_a_seed_repeats_the_sheet() -> None:
    def svgs(sheet: PuzzleSheet) -> list[str]:
        return [page.svg for page in sheet.pages]

    assert svgs(puzzle_sheet("square R(3,3)", 3, seed=5)) == svgs(puzzle_sheet("square R(3,3)", 3, seed=5))
    assert svgs(puzzle_sheet("square R(3,3)", 3, seed=5)) != svgs(puzzle_sheet("square R(3,3)", 3, seed=6))


def test_distances_rise_evenly() -> None:
    for first, last, count in ((1, 1, 3), (3, 20, 7), (5, 6, 9), (2, 40, 2)):
        distances = rising_distances(first, last, count)
        assert distances == sorted(distances)
        assert (distances[0], distances[-1], len(distances)) == (first, last, count)
        steps = {b - a for a, b in pairwise(distances)}
        assert max(steps) - min(steps) <= 1


def test_moves_may_be_given_and_puzzles_differ() -> None:
    found = rising_solutions(sl.puzzle("square R(3,3)"), 5, seed=3, moves=[8, 10])
    assert [solution.length for solution in found] == [8, 9, 9, 10, 10]
    assert len({solution.start for solution in found}) == 5


def test_bad_input(tmp_path: Path) -> None:
    bad: list[dict[str, Any]] = [{"count": 0}, {"count": 501}, {"moves": [5, 3]}, {"moves": []}]
    for options in [*bad, {"moves": [40]}, {"paper": "a5"}]:
        with pytest.raises(NotationError, match="expected"):
            puzzle_sheet("square R(3,3)", **options)
    for board in ("square R(30,30)", "graph 0 1 2"):
        with pytest.raises(NotationError, match="expected"):
            puzzle_sheet(board)
    with pytest.raises(NotationError, match="expected a board"):
        puzzle_sheet([])
    with pytest.raises(TooLarge):
        puzzle_sheet("square R(4,4)", moves=[79], time=0.0)
    with pytest.raises(PuzzleError, match="ends in"):
        puzzle_sheet("square R(2,2)", 1).save(tmp_path / "x.gif")
    assert list(tmp_path.iterdir()) == []


# The commands


def test_the_command_sheet(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "sheet.pdf"
    done = run("sheet", "square R(3,3)", "--count", "2", "--seed", "1", "-o", str(target))
    assert (done.code, done.out) == (0, f"{target}: 2 puzzles of 7 to 22 moves, 1 page\n")
    assert target.read_bytes()[:5] == b"%PDF-"
    options = ("--moves", "3-4", "--count", "2", "--paper", "letter", "--json", "-o", str(tmp_path / "x.svg"))
    facts = run("sheet", "square R(2,2)", "theta(1,2,2)", *options).json
    assert facts["files"] == [str(tmp_path / "x-1.svg"), str(tmp_path / "x-2.svg")]
    assert facts["moves"] == [3, 4, 3, 4]
    for text, answer in zip(facts["positions"], facts["answers"], strict=True):
        start = sl.position(text)
        assert follow(start, answer) == start.puzzle.goal


def test_the_command_sheet_refuses(run: Run, tmp_path: Path) -> None:
    target = str(tmp_path / "x.pdf")
    refused(run("sheet", "square R(3,3)"), "expected a file to write")
    refused(run("sheet", "-o", target), "expected a board")
    refused(run("sheet", "square R(3,3)", "-o", target, "--moves", "5-x"), "--moves")
    refused(run("sheet", "square R(3,3)", "-o", target, "--moves", "32"), "expected at most 31 moves")
    refused(run("sheet", "square R(3,3)", "-o", str(tmp_path / "x.gif")), "ends in")
    one_line(run("sheet", "square R(4,4)", "-o", target, "--moves", "70", "--time", "0"), 3, "70 moves")
    assert list(tmp_path.iterdir()) == []


def test_the_command_shuffle_at_a_distance(run: Run) -> None:
    done = run("shuffle", "square R(3,3)", "--moves", "20", "--seed", "4", "--count", "3")
    assert done.code == 0
    assert done.err == "slidelab: 20 moves from the goal, drawn uniformly from 16,993 configurations\n"
    positions = [sl.position(line) for line in done.out.splitlines()]
    table = sl.distance_table(sl.puzzle("square R(3,3)").goal)
    assert [table.distance(each) for each in positions] == [20] * 3
    solved = run("solve", "-", stdin=run("shuffle", "square R(3,3)", "--moves", "20", "--seed", "4").out)
    assert solved.out.startswith("20 moves")
    listed = run("shuffle", "square R(3,3)", "--moves", "20", "--seed", "4", "--count", "3", "--json").json
    assert [each["distance"] for each in listed] == [20] * 3
    assert [sl.read_document(each).start for each in listed] == positions
    hardest = run("shuffle", "square R(3,3)", "--difficulty", "hardest", "--json").json
    assert (hardest["distance"], hardest["among"], hardest["proved"]) == (31, 2, True)


def test_the_command_shuffle_from_another_goal(run: Run) -> None:
    start = "8 6 7 2 5 4 3 . 1"
    for place in (("--start", start), ("--goal", start)):
        line = run("shuffle", "square R(3,3)", *place, "--moves", "5", "--seed", "1").out
        assert sl.puzzle("square R(3,3)").solve(line, start).length == 5


def test_the_command_shuffle_refuses(run: Run) -> None:
    refused(
        run("shuffle", "square R(3,3)", "--moves", "40"), "at most 31 moves, the largest distance", "got 40"
    )
    refused(run("shuffle", "square R(3,3)", "--difficulty", "insane"), "easy, medium, hard or hardest")
    refused(run("shuffle", "square R(3,3)", "--difficulty", "easy", "--moves", "3"), "got both")
    refused(run("shuffle", "square R(3,3)", "--moves", "-3"), "moves")
    one_line(run("shuffle", "square R(4,4)", "--difficulty", "hardest"), 3, "TB")
    late = run("shuffle", "square R(4,4)", "--moves", "70", "--time", "0", "--json")
    assert (late.code, late.json["farthest"]) == (3, None)
