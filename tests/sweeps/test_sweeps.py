"""Sweeps: the same answers as one by one, on any executor, and files that survive `kill -9`."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import slidelab as sl
from commands import Run, alive, processes_below, refused, wait_for_lines
from slidelab.boards import connected_graphs, is_theta0, is_two_connected, polyhexes
from slidelab.sweeps import QUESTIONS, count_puzzles, expand

FAMILY = "theta(0..1,1..2,2)"


def degrees(graph: Any) -> object:
    """Something that isomorphic graphs share."""
    triangles = nx.triangles(graph)
    return tuple(sorted((degree, triangles[vertex]) for vertex, degree in graph.degree()))


@pytest.mark.parametrize("n", range(1, 8))
def test_graphs_are_those_of_the_atlas_of_read_and_wilson(n: int) -> None:
    """OEIS A001349 and A002218, and every graph of networkx's atlas once."""
    ours = [nx.Graph(board.edges) if n > 1 else nx.empty_graph(1) for board in connected_graphs(n)]
    theirs = [g for g in nx.graph_atlas_g() if g.number_of_nodes() == n and nx.is_connected(g)]
    assert len(ours) == len(theirs) == (1, 1, 2, 6, 21, 112, 853)[n - 1]
    alike_by_degrees: dict[object, list[Any]] = {}
    for graph in theirs:
        alike_by_degrees.setdefault(degrees(graph), []).append(graph)
    for graph in ours:
        alike = alike_by_degrees[degrees(graph)]
        same = next(other for other in alike if nx.is_isomorphic(graph, other))
        alike.remove(same)
    blocks = list(connected_graphs(n, two_connected=True))
    assert len(blocks) == (0, 0, 1, 3, 10, 56, 468)[n - 1]
    assert all(map(is_two_connected, blocks))


def test_graphs_of_eight_vertices_and_limits() -> None:
    assert sum(1 for _ in connected_graphs(8)) == 11_117
    assert next(connected_graphs(11)).size == 11  # the first come at once
    with pytest.raises(sl.TooLarge, match="at most 11 vertices"):
        connected_graphs(12)
    with pytest.raises(sl.NotationError):
        connected_graphs(0)


def test_texts_that_stand_for_many() -> None:
    assert list(expand("hex P(3..4,2) hextiles 3")) == ["hex P(3,2) hextiles 3", "hex P(4,2) hextiles 3"]
    assert list(expand("15-puzzle : 1 2 3")) == ["15-puzzle : 1 2 3"]
    assert list(expand("polyhexes(3) tiles 1")) == [f"{b.name} tiles 1" for b in polyhexes(3)]
    for text in ("hex P(3..6,3..6)", "connected(1..6)", "polyhexes(2..6)", "two-connected(5)"):
        assert count_puzzles(text) == sum(1 for _ in expand(text))
    assert count_puzzles("two-connected polyhexes(5)") is None
    assert all(is_two_connected(sl.board(text)) for text in expand("two-connected polyhexes(5)"))
    with pytest.raises(sl.NotationError, match=r"a range such as 3\.\.6"):
        list(expand("hex P(6..3,3)"))


def test_analyze_is_what_analyze_says() -> None:
    for row in sl.sweep("analyze", FAMILY, "hex P(3,3)", processes=1):
        found = sl.puzzle(row["puzzle"]).analyze()
        assert list(row) == ["puzzle", *QUESTIONS["analyze"].columns, "error"]
        assert row["error"] is None
        assert (row["components"], row["group"]) == (found.components, found.group.name)
        assert (row["size"], row["order"]) == (found.families[0].size, found.group.order)
        assert (row["weak_parity"], row["maximally_connected"]) == (
            found.weak_parity,
            found.maximally_connected,
        )


def test_god_and_solvable() -> None:
    for row in sl.sweep("god", "theta(1,1..2,2)", processes=1):
        puzzle = sl.puzzle(row["puzzle"])
        assert row["gods_number"] == puzzle.gods_number().number
        assert puzzle.distance(row["start"], row["farthest"]) == row["gods_number"]
    rows = list(sl.sweep("solvable", "square R(3..4,3)", "3x3 : 2 1 3 4 5 6 7 8 .", processes=1))
    for row in rows:
        assert row["solvable"] == bool(sl.puzzle(row["puzzle"]).solvable(row["start"]))
        assert row["sign"] == (1 if row["solvable"] else -1)
    assert rows[-1]["permutation"] == "(1 2)"
    others = list(sl.sweep("solvable", "square R(3..4,3)", processes=1, seed=1))
    assert [row["start"] for row in others] != [row["start"] for row in rows[:2]]


def test_limits_are_errors_of_single_puzzles() -> None:
    rows = list(
        sl.sweep("analyze", "hex P(2,3)", "hex Q(3)", "square R(4,4) gourds 2", max_shapes=50, processes=1)
    )
    assert [row["error"] is None for row in rows] == [True, False, False]
    assert rows[1]["puzzle"] == "hex Q(3)"
    odd = list(sl.sweep("analyze", "hex P(2,2)", rule="gourds", holes=1, processes=1))
    assert "got" in odd[0]["error"]


class Recording(Executor):
    """An executor of somebody else, which computes at once and counts."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.calls += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_any_executor_gives_the_same_answers() -> None:
    alone = list(sl.sweep("analyze", FAMILY, processes=1))
    recording = Recording()
    assert list(sl.sweep("analyze", FAMILY, executor=recording)) == alone
    assert recording.calls > 0
    with ThreadPoolExecutor(2) as threads:
        assert list(sl.sweep("analyze", FAMILY, executor=threads)) == alone
        assert threads.submit(int, "1").result() == 1  # it stays open


def test_nothing_is_computed_far_ahead() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "cycle(4)"

    rows = sl.sweep("analyze", endless(), executor=Recording())
    assert taken == 0
    next(rows)
    assert taken < 1000


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_files_go_on_after_their_last_complete_line(tmp_path: Path, suffix: str) -> None:
    file, calls = tmp_path / f"x.{suffix}", []
    first = list(sl.sweep("god", FAMILY, output=file, processes=1))
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for kept in (0, 1, 2, len(lines)):
        file.write_bytes(b"".join(lines[:kept]) + (lines[kept][:-3] if kept < len(lines) else b""))
        again = sl.sweep("god", FAMILY, output=file, processes=1, progress=lambda *a: calls.append(a))
        assert list(again) == first
        assert file.read_bytes() == whole
    assert calls[-1] == ("puzzles", 4, 4)
    before = file.read_bytes()
    for question, text in (("analyze", FAMILY), ("god", "theta(0..1,1..2,3)"), ("god", "theta(0,1..2,2)")):
        with pytest.raises(sl.PuzzleError, match="choose another file"):
            list(sl.sweep(question, text, output=file, processes=1))
        assert file.read_bytes() == before


def started(file: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "slidelab", "sweep", "god", "two-connected(7)", "-o", str(file)]
    return subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_connected_graphs_on_seven_vertices_killed_and_resumed(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    with started(file) as process:
        wait_for_lines(file, 40, process)
        workers = list(processes_below(process.pid))
        process.kill()
        process.wait()
    done = file.read_bytes().count(b"\n") - 1
    assert done >= 39
    with started(file) as process:
        out, _ = process.communicate()
    assert (process.returncode, out) == (0, f"{file}: 468 puzzles\n")
    rows = list(csv.DictReader(file.read_text().splitlines()))
    assert [row["puzzle"] for row in rows] == [sl.puzzle(text).text for text in expand("two-connected(7)")]
    assert not any(row["error"] for row in rows)
    exceptional = [row for row in rows if is_theta0(sl.puzzle(row["puzzle"]).board)]
    assert [row["gods_number"] for row in exceptional] == ["29"]
    # The processes of a sweep that was killed end by themselves.
    for pid in workers:
        while alive(pid):
            time.sleep(0.05)


def test_a_killed_worker_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    with started(file, "--processes", "2") as process:
        wait_for_lines(file, 10, process)
        workers = list(processes_below(process.pid))
        for pid in workers:
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
                break
        _, err = process.communicate()
    done = len(file.read_text().splitlines()) - 1
    kept = f"{done} answers are in {file}, and the same sweep goes on"
    assert (process.returncode, err) == (3, f"slidelab: a worker was lost (BrokenProcessPool); {kept}\n")


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    with started(file, "--processes", "1") as process:
        wait_for_lines(file, 5, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert process.returncode == 130
    done = len(file.read_text().splitlines())
    assert f"stopped; {done:,} answers are in {file}, and the same command goes on" in err


@pytest.mark.parametrize("boards", [["two-connected(99)"], ["polyhexes(18)", "connected(3..12)"]])
def test_boards_that_are_not_enumerated_are_refused_before_the_header(run: Run, boards: list[str]) -> None:
    refused(run("sweep", "god", *boards), "expected at most 11 vertices, got", "connected(")
    with pytest.raises(sl.NotationError, match="expected at most 11 vertices"):
        sl.sweep("god", *boards)


def test_errors_name_options_of_the_command(run: Run) -> None:
    refused(run("sweep", "god", "cycle(4)", "--processes", "0"), "got 0 - at --processes")
    refused(run("sweep", "god", "cycle(4)", "--memory", "x"), "got 'x' - at --memory")
    refused(run("atlas", "gourds", "7", "--processes", "0"), "got 0 - at --processes")


def test_the_command(run: Run, tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("cycle(4)\ntheta(1,1,1)\n")
    arguments = ("analyze", str(tmp_path / "boards.txt"), "hex P(2..3,3)", "--processes", "1")
    header, *rows = csv.reader(run("sweep", *arguments).out.splitlines())
    assert [row[0] for row in rows] == [
        "cycle(4) tiles 1",
        "theta(1,1,1) tiles 1",
        "hex P(2,3) hextiles 2",
        "hex P(3,3) hextiles 2",
    ]
    lines = [json.loads(line) for line in run("sweep", *arguments, "--json").out.splitlines()]
    assert [list(line) for line in lines] == [header] * 4
    piped = run("sweep", "analyze", "-", "--processes", "1", stdin="cycle(4)\ncycle(5)\n")
    assert len(piped.out.splitlines()) == 3
    refused(run("sweep", "anlyze", "cycle(4)"), "expected a question", "did you mean 'analyze'")
    refused(run("sweep", "analyze"), "expected a BOARD")
    refused(run("sweep", "analyze", "cycle(4)", "-o", "x.txt"), "ends in .csv or .jsonl")
