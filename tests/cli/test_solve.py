"""`slidelab solve`, `hint`, `pdb`, `bench`: answers, limits, tables on the disk; one line for all else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, one_line, refused
from slidelab.messages import byte_size
from slidelab.solve.paper_tables import PAPER
from slidelab.solve.patterns import heuristic, store

EIGHT, FIFTEEN = "square R(3,3)", "square R(4,4)"
HARD = "8 6 7 2 5 4 3 . 1"
KORF = "11 15 14 13 7 8 9 10 4 3 2 12 5 1 6 ."  # solvable, and far away


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache folder of one's own, and no tables in memory."""
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "tables"))
    store._databases.cache_clear()
    heuristic._heuristic.cache_clear()
    yield tmp_path / "tables"
    store._databases.cache_clear()
    heuristic._heuristic.cache_clear()


def replayed(text: str, start: str, moves: str) -> bool:
    puzzle = sl.puzzle(text)
    return puzzle.configuration(start).play(*moves.split()) == puzzle.goal


@pytest.mark.parametrize("method", ["table", "ida", "astar", "bidirectional", "anytime", "auto"])
def test_every_method_finds_a_shortest_solution(run: Run, method: str) -> None:
    result = run("solve", EIGHT, "--start", HARD, "--method", method)
    first, moves, *_ = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert first.startswith("31 moves")
    assert replayed(EIGHT, HARD, moves)


def test_a_weight_is_kept(run: Run) -> None:
    value = run("solve", EIGHT, "--start", HARD, "--weight", "1.4", "--json").json
    assert value["method"] == "weighted"
    assert 31 <= value["length"] <= 1.4 * 31
    assert value["at_least"] <= 31


def test_arrows(run: Run) -> None:
    moves = run("solve", EIGHT, "--start", "1 2 3 4 5 6 . 7 8", "--arrows").out.splitlines()[1]
    assert moves == "←←"
    one_line(run("solve", "theta(1,2,2)", "--seed", "1", "--arrows"), 2, "squares or hexagons")


def test_out_of_time_there_is_a_solution_and_a_bound(run: Run, folder: Path) -> None:
    result = run("solve", FIFTEEN, "--start", KORF, "--time", "1", "--tables", "0", "--json")
    assert result.code == 3
    value = result.json
    assert value["optimal"] is False
    assert value["at_least"] < value["length"] == len(value["moves"])
    assert sl.puzzle(FIFTEEN).configuration(KORF).play(*value["moves"]) == sl.puzzle(FIFTEEN).goal
    text = run("solve", FIFTEEN, "--start", KORF, "--time", "1", "--tables", "0")
    assert text.code == 3
    assert "; a shortest solution has at least " in text.out.splitlines()[0]


@pytest.mark.parametrize("method", ["astar", "bidirectional"])
def test_out_of_memory_there_is_a_bound(run: Run, method: str) -> None:
    one_line(run("solve", FIFTEEN, "--start", KORF, "--memory", "5M", "--method", method), 3, "at least")
    value = run("solve", FIFTEEN, "--start", KORF, "--memory", "5M", "--method", method, "--json")
    assert value.code == 3
    assert 1 <= value.json["at_least"] <= 80


def test_no_search_for_what_cannot_be(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("it searched")

    monkeypatch.setattr("slidelab.solve.task.heuristic_for", fail)
    monkeypatch.setattr("slidelab.solve.task.distance_table", fail)
    result = run("solve", FIFTEEN, "--start", "2 1 3 4 5 6 7 8 9 10 11 12 13 14 15 .", "--method", "ida")
    assert result.code == 1
    assert result.out.startswith("not solvable: ")


BAD = [
    (["solve", EIGHT], "--start"),
    (["solve", EIGHT, "--start", HARD, "--seed", "1"], "both"),
    (["solve", EIGHT, "--start", "1 2 3"], "9"),
    (["solve", EIGHT, "--start", HARD, "--goal", "1 2 3"], "9"),
    (["solve", EIGHT, "--start", HARD, "--metric", "crooked"], "crooked"),
    (["solve", EIGHT, "--start", HARD, "--threads", "0"], "- at --threads"),
    (["solve", EIGHT, "--start", HARD, "--memory", "x"], "- at --memory"),
    (["solve", "hex F(2)", "--seed", "1", "--metric", "straight"], "hextiles"),
    (["solve", EIGHT, "--seed", "x"], "x"),
    (["solve", "hex", "star"], "quotes"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=[" ".join(a)[:60] for a, _ in BAD])
def test_bad_input_gets_one_clear_line_and_exit_code_2(run: Run, arguments: list[str], named: str) -> None:
    refused(run(*arguments), named)


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--method", "magic"], "magic"),
        (["--weight", "0.5"], "weight"),
        (["--weight", "2", "--method", "ida"], "weight"),
        (["--time", "-1"], "time"),
        (["--time", "nan"], "time"),
        (["--tables", "lots"], "--tables"),
        (["--metric", "straight", "--method", "astar"], "single"),
    ],
)
def test_bad_options(run: Run, options: list[str], word: str) -> None:
    one_line(run("solve", EIGHT, "--start", HARD, *options), 2, word)


def test_stopped_by_the_user(folder: Path) -> None:
    """Ctrl-C while it searches: exit code 130, and what was known."""
    code = [sys.executable, "-m", "slidelab", "solve", "square R(5,5)", "--seed", "1", "--tables", "0"]
    env = {**os.environ, "SLIDELAB_CACHE": str(folder)}
    for wait in (2, 5, 10):  # it must have begun
        process = subprocess.Popen(
            [*code, "--method", "ida"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
        )
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        if "at least" in err:
            break
    assert process.returncode == 130
    assert err.startswith("slidelab: stopped; every solution has at least ")


# Answers


def test_solve_shows_the_moves(run: Run) -> None:
    result = run("solve", EIGHT, "--start", HARD)
    assert (result.code, result.err) == (0, "")
    first, moves, why = result.out.splitlines()
    assert why == "by a table of all distances: all 181,440 configurations can be listed"
    assert first.startswith("31 moves")
    assert "no solution is shorter" in first
    puzzle = sl.puzzle(EIGHT)
    assert puzzle.configuration(HARD).play(*moves.split()) == puzzle.goal


def test_one_move_is_one_move(run: Run) -> None:
    assert run("solve", EIGHT, "--start", "1 2 3 4 5 6 7 . 8").out.startswith("1 move,")


def test_solve_json_has_the_form_of_the_design(run: Run, tmp_path: Path) -> None:
    result = run("solve", EIGHT, "--start", HARD, "--json")
    value = result.json
    assert {"puzzle", "start", "goal", "moves", "length", "optimal", "method"} <= set(value)
    assert (value["length"], len(value["moves"]), value["optimal"]) == (31, 31, True)
    # "Every command that takes a board also takes a file with a puzzle or a solution in this form."
    file = tmp_path / "solution.json"
    file.write_text(result.out)
    again = run("solve", str(file), "--json")
    assert again.code == 0, again.err
    assert again.json == value
    assert run("god", str(file), "--json").json["depth"] == 31


def test_solve_in_straight_pushes(run: Run) -> None:
    value = run("solve", EIGHT, "--start", HARD, "--metric", "straight", "--json").json
    start = sl.puzzle(EIGHT).configuration(HARD)
    assert value["pushes"] == sl.puzzle(EIGHT).distance(start, metric="straight")
    assert value["pushes"] <= 24
    assert value["metric"] == "straight"
    assert value["length"] >= 31


def test_solve_with_a_seed_shows_the_start(run: Run) -> None:
    start, counted, moves, _ = run("solve", "hex F(2)", "--rule", "gourds", "--seed", "3").out.splitlines()
    begin = sl.position(start)
    assert begin.play(*moves.split()) == begin.puzzle.goal
    assert counted.startswith(f"{len(moves.split())} moves")
    assert run("solve", "hex F(2)", "--rule", "gourds", "--seed", "3").out.splitlines()[0] == start


def test_solve_a_position_to_a_goal(run: Run) -> None:
    result = run("solve", "square R(3,2) : 1 2 3 4 5 .", "--goal", "1 2 3 4 . 5")
    assert result.out.splitlines()[1] == "5:4>5"
    assert run("solve", EIGHT, "--start", "1 2 3 4 5 6 7 8 .").out == "already solved\n"


def test_unsolvable_is_exit_code_1_with_the_reason(run: Run) -> None:
    result = run("solve", EIGHT, "--start", "2 1 3 4 5 6 7 8 .")
    assert (result.code, result.err) == (1, "")
    assert (
        result.out == "not solvable: the tiles would need an odd permutation, and every loop here is even\n"
    )


def test_unsolvable_is_json_for_programs(run: Run) -> None:
    result = run("solve", EIGHT, "--start", "2 1 3 4 5 6 7 8 .", "--json")
    assert result.code == 1
    assert result.json["solvable"] is False
    assert "odd permutation" in result.json["reason"]


# Hints


HINT = """\
8:8>7
slide 8 left ←

1 2 3
4 5 6
7 ← 8
"""

STEPS = """\
2 moves, and no solution is shorter
1. slide 5 left ←

    1 2 3
    4 ← 5
    7 8 6

2. slide 6 up ↑

    1 2 3
    4 5 ↑
    7 8 6

and this is the goal

    1 2 3
    4 5 6
    7 8 .
"""


def test_steps_in_words(run: Run) -> None:
    result = run("solve", f"{EIGHT} : 1 2 3 4 . 5 7 8 6", "--steps")
    assert result.out.startswith(STEPS)
    far = run("solve", EIGHT, "--start", "8 6 7 2 5 4 3 . 1", "--steps").out.splitlines()
    assert far[1].startswith(" 1. slide ")
    assert far[31].startswith("31. slide ")
    assert "already solved" in run("solve", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--steps").out


def test_every_solution_is_explained(run: Run) -> None:
    start = "1 2 3 4 . 5 7 8 6"
    shortest = run("solve", EIGHT, "--start", start, "--explain").out
    assert "tiles 5 and 6 go in one behind the other: 5 goes left to row 2, column 2" in shortest
    wilson = run("solve", EIGHT, "--start", start, "--explain", "--method", "wilson").out
    assert "the hole" in wilson
    assert "gourds" in run("solve", "hex F(2) gourds", "--seed", "1", "--explain").out
    peeled = run("solve", "square R(5,5)", "--seed", "3", "--explain", "--method", "peel").out
    assert "the hole leads" in peeled
    value = run("solve", "square R(5,5)", "--seed", "3", "--explain", "--method", "peel", "--json").json
    assert value["passages"][-1]["to"] == value["length"]


def test_hints(run: Run) -> None:
    assert run("hint", f"{EIGHT} : 1 2 3 4 5 6 7 . 8").out == HINT
    assert run("hint", EIGHT, "--start", "1 2 3 4 5 6 7 . 8", "--json").json == {
        "piece": 8,
        "from": [8],
        "to": [7],
    }
    assert run("hint", EIGHT, "--start", "1 2 3 4 5 6 7 8 .").out == "already solved\n"
    no = run("hint", EIGHT, "--start", "2 1 3 4 5 6 7 8 .", "--json")
    assert no.code == 1
    assert "odd permutation" in no.json["reason"]
    assert run("hint", EIGHT, "--start", "2 1 3 4 5 6 7 8 .").out.startswith("not solvable")
    one_line(run("hint", EIGHT), 2, "--start")


# Tables on the disk


def test_tables_are_made_listed_used_and_removed(run: Run, folder: Path) -> None:
    assert run("pdb", "list").out.startswith("no pattern databases are stored")
    made = run("pdb", "build", FIFTEEN, "--tables", "1M")
    assert made.out.startswith("5 + 5 + 5 pieces, ")
    assert run("pdb", "build", FIFTEEN, "--tables", "1M").out.startswith("already stored")
    listed = run("pdb", "list", "--json").json
    assert [(row["puzzle"], row["groups"]) for row in listed] == [("square R(4,4) tiles 1", [5, 5, 5])]
    assert "5 + 5 + 5" in run("pdb", "list").out
    near = "5 1 3 4 2 6 7 8 9 10 11 12 13 . 14 15"
    value = run("solve", FIFTEEN, "--start", near, "--tables", "1M", "--json").json
    assert (value["length"], value["optimal"]) == (10, True)
    # Any corner for the hole will do, and any order of the tiles.
    store._databases.cache_clear()
    goal = ". 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1"
    other = run("solve", FIFTEEN, "--seed", "1", "--goal", goal, "--time", "20", "--json")
    assert "5 + 5 + 5" in other.json["because"]
    assert run("pdb", "clear", EIGHT, "--json").json["files"] == 0
    assert run("pdb", "clear", FIFTEEN, "--yes").out.startswith("1 file removed")
    assert run("pdb", "list", "--json").json == []


def test_a_damaged_table_is_said_and_made_again(run: Run, folder: Path) -> None:
    run("pdb", "build", FIFTEEN, "--tables", "1M")
    (file,) = folder.iterdir()
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 4
    file.write_bytes(whole)
    value = run("solve", FIFTEEN, "--seed", "1", "--tables", "1M", "--method", "ida", "--json").json
    assert value["optimal"]
    assert file.exists()
    assert file.read_bytes() != bytes(whole)
    assert [row["groups"] for row in run("pdb", "list", "--json").json] == [[5, 5, 5]]
    store._databases.cache_clear()
    file.write_bytes(whole[: len(whole) // 3])
    assert run("hint", FIFTEEN, "--start", KORF, "--time", "600").code == 0  # and as large as they were
    assert [row["groups"] for row in run("pdb", "list", "--json").json] == [[5, 5, 5]]
    file.write_bytes(whole[: len(whole) // 3])
    listed = run("pdb", "list")
    assert "is damaged" in listed.err
    assert run("pdb", "clear", "--json", "--yes").json["files"] == 1


def test_tables_that_do_not_fit(run: Run, folder: Path) -> None:
    folder.write_text("not a folder")
    one_line(run("pdb", "build", FIFTEEN, "--tables", "1M"), 2, "could not save")
    folder.unlink()
    one_line(run("pdb", "build", FIFTEEN, "--tables", "10"), 3, "fit")
    one_line(run("pdb", "build", "square R(4,4)", "--tables", "x"), 2, "--tables")


# Measurements


def test_the_papers_tables(run: Run) -> None:
    rows = run("bench", "papers", "--states", "3", "--json").json
    assert {row["graph"] for row in rows} == {paper.name for paper in PAPER}
    for paper in PAPER:
        own = [row for row in rows if row["graph"] == paper.name]
        astar = [row["nodes"] for row in own if row["search"] == "A*"]
        assert astar == sorted(astar, reverse=True)  # better estimates, fewer states
        assert paper.astar in [row["published"] for row in own]
        for row in own:
            if row["longer"] is not None:
                assert 0 <= row["longer"] <= 100 * ((paper.weight or 1) - 1)
    assert "theta(2,2,3)" in run("bench", "papers", "--states", "1").out
    one_line(run("bench", "papers", "--states", "0"), 2, "--states")


# Time


@pytest.mark.parametrize("method", ["table", "auto"])
def test_tables_too_are_given_up_when_time_is_up(run: Run, method: str) -> None:
    """There are 6,945,523,200 configurations: half a minute for a table."""
    options = ["--method", method, "--memory", "6G", "--tables", "0", "--time", "0.3"]
    result = run("solve", "hex Ptr(4,4)", "--seed", "1", *options)
    assert result.code == 3
    assert "at least" in result.out + result.err


def test_a_large_board_is_not_proved(run: Run) -> None:
    """No proof was to be had: exit code 0, and the bound."""
    result = run("solve", "square R(7,7)", "--seed", "1", "--json", "--no-shorten")
    assert (result.code, result.json["optimal"], result.json["method"]) == (0, False, "beam")
    assert result.json["at_least"] < result.json["length"]


def test_no_tables_means_none_however_little_time_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from slidelab.errors import OutOfTime
    from slidelab.solve import task

    asked = []

    def late(_: object, table_bytes: int, **__: object) -> None:
        asked.append(table_bytes)
        raise OutOfTime

    monkeypatch.setattr(task, "heuristic_for", late)
    with pytest.raises(sl.GaveUp):
        sl.puzzle(FIFTEEN).solve(KORF, method="ida", tables=0)
    assert set(asked) == {0}


@pytest.mark.parametrize("value", ["", "  "])
def test_a_cache_without_a_name_is_bad_input(run: Run, monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SLIDELAB_CACHE", value)
    for words in (("clear",), ("clear", "--yes"), ("list",), ("build", EIGHT, "--tables", "10K")):
        refused(run("pdb", *words), "SLIDELAB_CACHE")


def test_clear_asks_first(run: Run, folder: Path) -> None:
    assert run("pdb", "clear").code == 0  # nothing to ask about
    assert run("pdb", "build", EIGHT, "--tables", "10K").code == 0
    (file,) = folder.iterdir()
    size = byte_size(file.stat().st_size)
    refused(run("pdb", "clear"), "--yes", f"1 file ({size}) from {folder}")
    assert file.exists()
    for answer, left in (("\n", True), ("n\n", True), ("", True), ("maybe\n", True), ("y\n", False)):
        result = run("pdb", "clear", "--json", stdin=answer, terminal=True)
        assert result.code == 0
        assert result.err == f"remove 1 file ({size}) from {folder}? [y/N] "
        assert result.json["files"] == (not left)
        assert file.exists() is left
