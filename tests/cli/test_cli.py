"""The command line: answers, exit codes, JSON forms, and one clear line for everything that is wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from cyclopts import App

import slidelab as sl
from commands import Run, refused
from slidelab.cli.app import COMMANDS


def fifteen(*last: object) -> str:
    return " ".join(map(str, (*range(1, 14), *last)))


def test_analyze_prints_the_numbers_of_theorem_1_9(run: Run) -> None:
    result = run("analyze", "hex P(4,4)")
    assert result.code == 0
    assert "364 of 7,903,526,400 configurations each" in result.out
    assert "Alt(12)" in result.out
    assert "DISAGREES" not in result.out


def test_analyze_json_has_the_form_of_the_design(run: Run) -> None:
    value = run("analyze", "theta(1,2,2)", "--json").json
    assert {
        "puzzle", "shapes", "isolated", "families", "parity", "maximally_connected",
        "connection_number", "tight_corners", "stuck", "theorems",
    } <= set(value)  # fmt: skip
    (family,) = value["families"]
    assert (family["shapes"], family["components"], family["size"]) == (7, 6, 840)
    assert family["group"]["name"] == "PGL(2,5)"
    assert (family["group"]["order"], family["group"]["degree"]) == (120, 6)
    assert [sorted(orbit) for orbit in family["group"]["orbits"]] == [[0, 1, 2, 3, 4, 5]]
    assert value["parity"] == {"weak": False, "strong": False}
    assert all(set(check) == {"name", "predicts", "computed", "agrees"} for check in value["theorems"])
    assert sl.puzzle(value["puzzle"]) == sl.puzzle("theta(1,2,2)")


def test_integers_stay_integers_however_large(run: Run) -> None:
    value = run("analyze", "square R(8,8)", "--json", "--no-connection").json
    order = value["families"][0]["group"]["order"]
    assert isinstance(order, int)
    assert order > 10**80


def test_several_numbers_of_holes_give_a_table(run: Run) -> None:
    for text in ("2,3,4", "2-4"):
        lines = run("analyze", "hex F(2)", "--holes", text).out.splitlines()
        assert [line.split()[6:8] for line in lines[1:]] == [["24", "60"], ["6", "132"], ["1", "210"]]
    assert len(run("analyze", "hex F(2)", "--holes", "2-4", "--json").json) == 3


@pytest.mark.parametrize(
    ("start", "code"), [(fifteen(15, 14, "."), 1), (fifteen(14, 15, "."), 0), (fifteen(14, ".", 15), 0)]
)
def test_solvable_answers_by_its_exit_code(run: Run, start: str, code: int) -> None:
    result = run("solvable", "square R(4,4)", "--start", start, "--check")
    assert result.code == code
    assert result.out.startswith("solvable" if code == 0 else "not solvable")
    assert "checked without the group code" in result.out


def test_solvable_json_has_a_certificate(run: Run) -> None:
    value = run("solvable", "square R(4,4)", "--start", fifteen(15, 14, "."), "--json").json
    assert set(value) == {"solvable", "reason", "certificate", "permutation"}
    assert (value["permutation"]["cycles"], value["permutation"]["sign"]) == ([[14, 15]], -1)
    assert value["solvable"] is False
    assert "odd permutation" in value["reason"]
    assert value["certificate"]["kind"] == "parity"


def test_start_and_goal_may_come_as_text_json_file_position_or_stdin(run: Run, tmp_path: Path) -> None:
    start, goal = "1 2 3 4 5 6 7 . 8", "1 2 3 4 5 6 . 7 8"
    as_json = json.dumps(sl.puzzle("square R(3,3)").configuration(start).to_json())
    file = tmp_path / "start.txt"
    file.write_text(start + "\n")
    puzzle_file = tmp_path / "question.json"
    puzzle_file.write_text(
        json.dumps(
            {
                "puzzle": "square R(3,3)",
                "start": json.loads(as_json),
                "goal": {"tiles": [1, 2, 3, 4, 5, 6, 0, 7, 8]},
            }
        )
    )
    for arguments, stdin in (
        (("square R(3,3)", "--start", start, "--goal", goal), ""),
        (("square R(3,3)", "--start", as_json, "--goal", goal), ""),
        (("square R(3,3)", "--start", str(file), "--goal", goal), ""),
        ((f"square R(3,3) : {start}", "--goal", goal), ""),
        (("-", "--goal", goal), f"square R(3,3) : {start}"),
        ((str(puzzle_file),), ""),
    ):
        result = run("solvable", *arguments, "--json", stdin=stdin)
        assert result.code == 0, result.err
        assert json.loads(result.out)["certificate"] == {"kind": "moves", "moves": ["7:6>7"]}


def test_shuffle_is_reproducible_and_reachable(run: Run) -> None:
    first, again = (run("shuffle", "hex P(4,4)", "--seed", "5", "--count", "3").out for _ in range(2))
    assert first == again
    for line in first.splitlines():
        assert sl.puzzle("hex P(4,4)").solvable(sl.position(line))
    assert "tiles" in run("shuffle", "square R(3,3)", "--seed", "5", "--json").json


def test_seed_makes_a_start_and_shows_it(run: Run) -> None:
    result = run("solvable", "hex F(3)", "--rule", "gourds", "--seed", "3", "--check", "--moves")
    assert result.code == 0
    start, verdict, moves, permutation, _ = result.out.splitlines()
    assert permutation.startswith("permutation (")
    assert verdict.startswith("solvable")
    assert sl.position(start).play(*moves.split()) == sl.puzzle("hex F(3)", "gourds").goal


def test_many_shuffles_are_one_json_list(run: Run) -> None:
    many = run("shuffle", "square R(3,3)", "--seed", "5", "--count", "4", "--json").json
    assert many[2] == run("shuffle", "square R(3,3)", "--seed", "7", "--json").json
    assert len(many) == 4


def test_ranges_leave_out_what_the_pieces_do_not_allow(run: Run) -> None:
    lines = run("analyze", "hex F(2)", "--rule", "gourds", "--holes", "1-9").out.splitlines()
    assert [line.split()[3] for line in lines[1:]] == ["1", "3", "5"]


def test_boards_lists_families_that_all_parse(run: Run) -> None:
    for line in run("boards", "--json").json:
        if line["text"] != "FILE":
            assert sl.board(line["text"]).size > 0


def test_boards_tells_what_is_known(run: Run) -> None:
    facts = run("boards", "hex star", "--json").json["facts"]
    assert facts["cells"] == 13
    assert len(facts["tight_corners"]) == 6
    assert facts["symmetries"] == 12
    assert "two connected       yes" in run("boards", "hex star").out


def test_polyhexes_stream(run: Run) -> None:
    assert run("boards", "--polyhexes", "6", "--count").out.strip() == "82"
    lines = run("boards", "--polyhexes", "7", "--two-connected", "--hole-free").out.splitlines()
    assert len(lines) == 4
    assert all(sl.board(line).size == 7 for line in lines)


def test_colours(run: Run) -> None:
    value = run("analyze", "square R(3,3)", "--colours", "a a a a b b b b", "--json").json
    assert value["families"][0]["components"] == 1
    assert value["families"][0]["size"] == 9 * 70
    assert run("solvable", "square R(2,2) : a b b .", "--goal", "b a b .").code == 0


BAD = [
    (["analyze", "hex Q(3)"], "Q(3)"),
    (["analyze", "hex 0,0 0,0"], "0,0"),
    (["analyze", "hex P(0,3)"], "0"),
    (["analyze", '{"kind": "hex", "cells": []}'], "cell"),
    (["analyze", "square R(3,3)", "--holes", "9"], "9"),
    (["analyze", "square R(3,3)", "--holes", "0"], "0"),
    (["analyze", "hex P(3,3)", "--holes", "1"], "2"),
    (["analyze", "square R(3,3)", "--holes", "two"], "two"),
    (["analyze", "square R(3,3)", "--holes", "4-2"], "4-2"),
    (["analyze", "hex F(2)", "--rule", "gords"], "gords"),
    (["analyze", "hex F(2)", "--rule", "gourds", "--holes", "2"], "2"),
    (["analyze", "graph 0-1 1-2", "--rule", "trimers-bent"], "hex and square"),
    (["analyze", "no-such-file.json"], "no such file"),
    (["analyze", ""], "board"),
    (["analyze", "{"], "JSON"),
    (["analyze", '{"kind": "hex", "cells": [[0, "x"]]}'], "cells[0][1]"),
    (["analyze", '{"board": 3}'], "board"),
    (["analyze"], "BOARD"),
    (["analyze", "square R(3,3)", "--memory", "much"], "much"),
    (["analyze", "square R(3,3)", "--nonsense"], "nonsense"),
    (["nonsense"], "nonsense"),
    (["solvable", "square R(3,3)"], "--start"),
    (["solvable", "square R(3,3)", "--start", "1 2 3 4 5 6 7 8 .", "--seed", "1"], "both"),
    (["analyze", "hex", "star"], "quotes"),
    (["boards", "hex F(2)", "--polyhexes", "3"], "--polyhexes"),
    (["boards", "--count"], "--polyhexes"),
    (["shuffle", "square R(3,3)", "--count", "9" * 20], "999"),
    (["solvable", "square R(3,3)", "--start", "1 2 3"], "9"),
    (["solvable", "square R(3,3)", "--start", "1 1 2 3 4 5 6 7 ."], "again"),
    (["solvable", "square R(3,3)", "--start", "1 2 3 4 5 6 7 9 ."], "9"),
    (["solvable", "square R(3,3)", "--start", "1 2 3 4 5 6 7 8 9"], "9"),
    (["solvable", "square R(3,3)", "--start", '{"tiles": [1, 2]}'], "2"),
    (["solvable", "square R(3,3)", "--start", '{"gourds": [[1, 2]]}'], "tiles"),
    (["solvable", "hex F(2)", "--rule", "gourds", "--start", "0-6 1-2 3-4"], "0-6"),
    (["solvable", "hex F(2)", "--rule", "gourds", "--start", "0-1 1-2 3-4"], "1"),
    (["solvable", "square R(3,3)", "--seed", "x"], "x"),
    (["shuffle", "square R(3,3)", "--count", "0"], "0"),
    (["boards", "--polyhexes", "0"], "0"),
]


@pytest.mark.parametrize(("arguments", "named"), BAD, ids=[" ".join(a)[:50] for a, _ in BAD])
def test_bad_input_gets_one_clear_line_and_exit_code_2(run: Run, arguments: list[str], named: str) -> None:
    refused(run(*arguments), named)


@pytest.mark.parametrize(
    "arguments",
    [
        ["analyze", "king R(9,9)", "--rule", "gourds"],
        ["analyze", "square R(3,3)", "--rule", "trimers", "--holes", "3", "--max-shapes", "5"],
        ["solvable", "hex ring(9,2)", "--holes", "6", "--seed", "1"],
        ["analyze", "hex F(100000)"],
        ["boards", "--polyhexes", "99"],
    ],
)
def test_too_large_is_exit_code_3_and_says_how_large(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.code == 3
    assert result.err.count("\n") == 1
    assert any(character.isdigit() for character in result.err)


def test_what_was_found_is_shown_though_another_number_of_holes_is_too_large(run: Run) -> None:
    result = run("analyze", "hex F(2)", "--holes", "2,3", "--max-shapes", "30")
    assert result.code == 3
    assert len(result.out.splitlines()) == 2
    assert "35 shapes" in result.err


def test_a_name_that_is_not_known_is_no_disagreement(run: Run) -> None:
    triangles = " ".join(
        f"{2 * k}-{2 * k + 1} {2 * k + 1}-{2 * k + 2} {2 * k}-{2 * k + 2}" for k in range(65)
    )
    assert "DISAGREES" not in run("analyze", f"graph {triangles}", "--no-connection").out


def test_json_boards_are_boards(run: Run) -> None:
    assert run("boards", '{"kind": "hex", "cells": [[0, 0], [1, 0]]}').code == 0


def test_placements_beyond_the_core_are_too_large(run: Run) -> None:
    star = " ".join(f"0-{k}" for k in range(1, 371))
    assert run("analyze", f"graph {star} trimers 368").code == 3


def test_theorems_answer_alone_for_huge_boards(run: Run) -> None:
    value = run("analyze", "hex P(50,50)", "--holes", "3", "--json").json
    assert value["by_theorem_alone"] is True
    assert value["components"] == 1
    assert value["shapes"] == 2500 * 2499 * 2498 // 6
    seeded = run("solvable", "hex P(30,30)", "--holes", "4", "--seed", "1", "--check")
    assert seeded.code == 0
    assert "Theorem 1.3" in seeded.out


def test_version_and_help(run: Run) -> None:
    assert run("--version").out.strip() == sl.__version__
    assert "analyze" in run("--help").out


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "slidelab.cli", *arguments]


@pytest.mark.parametrize("name", COMMANDS)
def test_summaries_of_the_help_are_the_docstrings(name: str) -> None:
    module, summary = COMMANDS[name]
    command = getattr(import_module(f"slidelab.cli.{module}"), name)
    text = command.help if isinstance(command, App) else command.__doc__
    assert summary == text.partition("\n")[0]


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(option: str) -> None:
    code = (
        "import sys\nfrom slidelab.cli import main\n"
        f"try:\n    main([{option!r}])\nexcept SystemExit: pass\n"
        "heavy = [m for m in ('numpy', 'networkx', 'sympy', 'slidelab._core', 'slidelab.solve.methods') "
        "if m in sys.modules]\n"
        "print(heavy, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_ctrl_c_ends_quietly() -> None:
    child = subprocess.Popen(
        [sys.executable, "-u", "-m", "slidelab.cli", "boards", "--polyhexes", "16"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    child.stdout.readline()  # it is at work
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert err.strip() == "slidelab: stopped"


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    child = subprocess.Popen(
        command("boards", "--polyhexes", "9"), stdout=write, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    os.close(write)
    os.read(read, 10)
    os.close(read)
    _, err = child.communicate(timeout=60)
    assert "Traceback" not in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments", [("analyze", "hex F(2)"), ("--help",), ("shuffle", "hex F(2)", "--json")]
)
def test_a_full_disk_is_one_clear_line(arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            command(*arguments), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "could not write" in done.stderr


def test_closed_streams_are_no_traceback() -> None:
    for redirection, code in ((">&-", 0), ("<&-", 2)):
        line = f"{sys.executable} -m slidelab boards {'-' if code else ''} {redirection}"
        done = subprocess.run(["sh", "-c", line], stderr=subprocess.PIPE, text=True, check=False)
        assert done.returncode == code
        assert "Traceback" not in done.stderr


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    file = Path(tmp_path) / "board.bin"
    file.write_bytes(b"\xff\xfe\x00\x01")
    for source, stdin in ((str(file), b""), ("-", b"\xff\xfe")):
        done = subprocess.run(command("analyze", source), input=stdin, capture_output=True, check=False)
        assert done.returncode == 2
        assert done.stderr.count(b"\n") == 1


def test_wrong_arguments_in_python_get_one_clear_line() -> None:
    slips: list[Callable[[], object]] = [
        lambda: sl.puzzle("square R(3,3)", 2),  # type: ignore[arg-type]
        lambda: sl.puzzle("square R(3,3)", holes=2.5),  # type: ignore[arg-type]
        lambda: sl.gain_graph("square Q(3,3)"),
        lambda: sl.Puzzle(sl.board("square R(3,3)"), "tils", 1),  # type: ignore[arg-type]
        lambda: sl.Budget.of(max_shapes=-1),
        lambda: sl.Budget.of(memory="2Q"),
        lambda: sl.puzzle("square R(3,3)").group().orbit(99),
        lambda: sl.puzzle("square R(3,3)").group().random_element("s"),  # type: ignore[arg-type]
        lambda: sl.puzzle("square R(3,3)").shuffle([]),  # type: ignore[arg-type]
    ]
    for slip in slips:
        with pytest.raises(sl.PuzzleError, match="expected") as caught:
            slip()
        assert "\n" not in str(caught.value)
    by_name = sl.Puzzle(sl.board("square R(3,3)"), "tiles", 1)  # type: ignore[arg-type]
    assert by_name == sl.puzzle("square R(3,3)")
    assert sl.gain_graph("square R(3,3)").shapes == 9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("solve", "5x5", "--seed", "x"), "expected a whole number, got 'x' - at --seed"),
        (("solve", "5x5", "--seed=2.5"), "expected a whole number, got '2.5' - at --seed"),
        (("god", "3x3", "--hardest", "x"), "expected a whole number, got 'x' - at --hardest"),
        (("plan", "4x4", "--nodes", "x"), "expected a whole number, got 'x' - at --nodes"),
        (("atlas", "gourds", "x"), "expected a whole number, got 'x' - at CELLS"),
        (("atlas", "check", "--max-seconds", "x"), "expected a number, got 'x' - at --max-seconds"),
        (("god", "3x3", "--time", "soon"), "expected a number, got 'soon' - at --time"),
        (("solve", "5x5", "--seed"), "expected a value, got none - at --seed"),
        (("atlas", "lookup"), "expected a BOARD, such as 'hex P(3,4)', got none - at atlas lookup"),
        (("atlas", "gourds"), "expected CELLS (--cells), got none - at atlas gourds"),
        (("atlas", "sequences", "nosuch"), "expected only options, got also 'nosuch' - at atlas sequences"),
        (("atlas", "list", "kings", "x"), "expected one TOPIC, got also 'x' - at atlas list"),
    ],
)
def test_wrong_and_missing_words(run: Run, arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    refused(result, message)
    assert result.err == f"slidelab: {message}\n"


@pytest.mark.parametrize("command", ["solve", "atlas lookup", "atlas compute", "god", "pdb build", "atlas"])
def test_help_explains_boards(run: Run, command: str) -> None:
    assert "BOARD is a text" in run(*command.split(), "--help").out


@pytest.mark.parametrize("command", ["atlas list", "atlas check", "atlas sequences", "claims", "bench"])
def test_help_explains_no_boards_where_none_is_read(run: Run, command: str) -> None:
    out = run(*command.split(), "--help").out
    assert "Usage: slidelab " + command in out
    assert "BOARD is" not in out
