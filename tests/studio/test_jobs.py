"""Jobs: what they find, their events, cancelling, limits, and workers that die."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest

import slidelab as sl
from studio.serving import PATIENT, SECONDS, Server, check_refusal, serving

HARD = "24-puzzle : 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 ."
"""No search ends soon with a proof for this position."""


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# What they find


@pytest.mark.parametrize(
    "text",
    [
        "3x3 : 8 6 7 2 5 4 3 . 1",
        "4x4 : 5 1 2 4 10 9 7 8 13 6 . 3 15 11 14 12",
        "hex F(2) gourds : 2-3 0-1 6-4",
    ],
)
def test_solutions_replay_to_the_goal(server: Server, text: str) -> None:
    start = sl.position(text)
    job = server.start("solve", text)
    *before, last = server.events(job)
    assert last.name == "result"
    assert start.play(*last.data["texts"]) == start.puzzle.goal
    assert last.data["length"] == len(last.data["moves"]) == len(last.data["words"])
    assert last.data["optimal"] is True
    assert last.data["length"] == start.puzzle.solve(start).length
    assert sl.read_document(last.data).solution() is not None
    assert last.data["distances_left"] == list(range(last.data["length"], -1, -1))
    best = [event.data for event in before if event.name == "best"]
    lengths = [event["length"] for event in best]
    assert lengths == sorted(set(lengths), reverse=True)
    for event in best:
        assert event["bound"] <= last.data["length"] <= event["length"]
        assert start.play(*event["moves"]) == start.puzzle.goal


def test_a_hard_puzzle_gets_better_solutions_until_the_time_is_up(server: Server) -> None:
    start = sl.position(HARD)
    job = server.start("solve", HARD, time=8.0)
    *before, last = server.events(job)
    assert last.name == "result"
    best = [event.data["length"] for event in before if event.name == "best"]
    assert best
    assert last.data["length"] <= min(best)
    assert last.data["at_least"] <= last.data["length"]
    assert start.play(*last.data["texts"]) == start.puzzle.goal


@pytest.mark.parametrize(
    "text", ["3x3 : 8 6 7 2 5 4 3 . 1", "hex F(2) : 5 4 3 2 1 . .", "theta(1,2,2) : . 2 4 3 6 5 1"]
)
def test_the_engine_knows_all_best_moves(server: Server, text: str) -> None:
    start = sl.position(text)
    goal = start.puzzle.goal
    if not start.puzzle.solvable(start):
        start = start.puzzle.shuffle(seed=2)
    found = server.run("engine", start.text)
    table = sl.distance_table(goal)
    distance = table.distance(start, goal)
    assert found["distance"] == found["bound"] == found["known"] == distance
    nearer = {
        move.text for move in start.moves if table.distance(start.play(move), goal) == (distance or 0) - 1
    }
    assert set(found["best"]) == nearer
    assert start.play(*found["moves"]) == goal


def test_the_engine_improves_where_no_table_fits(server: Server) -> None:
    start = sl.position(HARD)
    *before, last = server.events(server.start("engine", HARD, time=6.0))
    assert last.name == "result"
    assert last.data["distance"] is None
    assert last.data["bound"] <= last.data["known"]
    for event in [*(event for event in before if event.name == "best"), last]:
        assert start.play(*event.data["moves"]) == start.puzzle.goal
        assert event.data["best"] == event.data["moves"][:1]


def test_distances_and_gods_number(server: Server) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    start = puzzle.shuffle(seed=3)
    found = server.run("distances", start.text)
    graph = puzzle.graph()
    lengths = nx.single_source_shortest_path_length(graph, puzzle.goal.text)
    counts = [list(lengths.values()).count(d) for d in range(max(lengths.values()) + 1)]
    assert found["distribution"] == counts
    assert found["here"] == lengths[start.text]
    assert found["depth"] == len(counts) - 1
    god = server.run("god", start.text)
    assert god == json.loads(json.dumps(puzzle.gods_number().to_json()))
    assert server.run("analyze", start.text) == json.loads(json.dumps(puzzle.analyze().to_json()))


@pytest.mark.parametrize("text", ["square R(3,2)", "hex F(2)", "theta(1,2,2)"])
def test_the_puzzle_graph_is_that_of_networkx(server: Server, text: str) -> None:
    puzzle = sl.puzzle(text)
    start = puzzle.shuffle(seed=4)
    found = server.run("graph", start.text)
    texts = [f"{found['puzzle']} : {node['text']}" for node in found["nodes"]]
    assert texts[found["here"]] == start.text
    assert texts[found["goal"]] == puzzle.goal.text
    whole = puzzle.graph()
    part = whole.subgraph(nx.node_connected_component(whole, start.text))
    assert set(texts) == set(part)
    made = {frozenset((texts[a], texts[b])) for a, b in found["edges"]}
    assert made == {frozenset(edge) for edge in part.edges}
    lengths = nx.single_source_shortest_path_length(part, puzzle.goal.text)
    assert [node["distance"] for node in found["nodes"]] == [lengths[own] for own in texts]
    assert len({(node["x"], node["y"]) for node in found["nodes"]}) == len(texts)


def test_the_gain_graph_of_the_15_puzzle(server: Server) -> None:
    start = sl.puzzle("15").goal
    found = server.run("graph", start.text, which="gain")
    assert len(found["nodes"]) == 16
    assert len(found["edges"]) == 24
    assert sum(edge["tree"] for edge in found["edges"]) == 15
    assert found["nodes"][found["here"]]["holes"] == [15]


def test_what_cannot_be_solved_fails_with_the_reason(server: Server) -> None:
    for kind in ("solve", "engine"):
        *_, last = server.events(server.start(kind, "3x3 : 2 1 3 4 5 6 7 8 ."))
        assert (last.name, last.data["exit_code"]) == ("error", 1)
        assert "odd permutation" in last.data["error"]


def test_bad_input_fails_before_work(server: Server) -> None:
    *_, last = server.events(server.start("solve", "3x3 : 1 2 3"))
    assert (last.name, last.data["exit_code"]) == ("error", 2)
    *_, last = server.events(server.start("solve", "3x3 : 8 6 7 2 5 4 3 . 1", method="magic"))
    assert last.data["exit_code"] == 2
    assert "'magic'" in last.data["error"]
    *_, last = server.events(server.start("graph", "15"))
    assert last.data["exit_code"] == 3


# Files

SIGNATURES = {
    "svg": b"<svg",
    "png": b"\x89PNG",
    "pdf": b"%PDF",
    "html": b"<!doctype html>",
    "gif": b"GIF89a",
    "apng": b"\x89PNG",
    "3mf": b"PK",
}


@pytest.mark.parametrize("kind", SIGNATURES)
def test_exports(server: Server, kind: str) -> None:
    response = server.post("/api/export", {"position": "2x2 : 3 1 . 2", "format": kind, "theme": "dark"})
    if response.status_code == 202:
        about = server.result(response.json()["id"])
        response = server.client.get(about["file"])
        assert len(response.content) == about["bytes"]
    assert response.status_code == 200
    assert response.content.lower().startswith(SIGNATURES[kind].lower())
    assert f'filename="puzzle.{kind}"' in response.headers["content-disposition"]
    assert "sandbox" in response.headers["content-security-policy"]


def test_mp4_is_a_film_of_the_moves(server: Server) -> None:
    import io

    import av

    body = {"position": "2x2 : 1 2 . 3", "format": "mp4", "moves": ["1:0>2", "2:1>0"]}
    about = server.result(server.post("/api/export", body).json()["id"])
    content = server.client.get(about["file"]).content
    with av.open(io.BytesIO(content), "r") as film:
        assert len(list(film.decode(video=0))) > 10


def test_an_exported_document_is_read_again(server: Server) -> None:
    body = {"position": "2x2 : 3 1 . 2", "format": "json", "moves": ["3:0>2", "1:1>0", "2:3>1"]}
    document = sl.read_document(server.post("/api/export", body).json())
    solution = document.solution()
    assert solution is not None
    assert solution.goal == solution.puzzle.goal
    other = server.post("/api/export", {**body, "moves": ["3:0>2"]}).json()
    assert sl.read_document(other).solution() is not None


def test_illegal_moves_are_refused(server: Server) -> None:
    body = {"position": "2x2 : 3 1 . 2", "format": "json", "moves": ["3:0>3"]}
    assert "3:0>3" in server.refused("/api/export", body)


# Events


def test_events_are_read_again_from_any_number(server: Server) -> None:
    job = server.start("solve", "4x4 : 5 1 2 4 10 9 7 8 13 6 . 3 15 11 14 12")
    server.result(job)
    whole = list(server.events(job))
    numbers = [event.number for event in whole]
    assert numbers == sorted(set(numbers))
    for after in [0, *numbers]:
        assert list(server.events(job, after)) == [event for event in whole if event.number > after]
    state = server.client.get(f"/api/jobs/{job}").json()
    assert state["state"] == "done"
    assert state["result"] == whole[-1].data
    assert state["error"] is None


def test_two_readers_see_the_same_events(server: Server) -> None:
    job = server.start("engine", HARD)
    first, second = server.events(job), server.events(job)
    seen = next(first)
    assert next(second).number >= 1
    server.client.delete(f"/api/jobs/{job}")
    *_, last = first
    *_, other = second
    assert last == other
    assert last.number > seen.number


def test_unknown_jobs_and_numbers(server: Server) -> None:
    for path in ("/api/jobs/none", "/api/jobs/none/events", "/api/jobs/none/file"):
        check_refusal(server.client.get(path), 404)
    check_refusal(server.client.delete("/api/jobs/none"), 404)
    job = server.start("analyze", "2x2")
    server.result(job)
    check_refusal(server.client.get(f"/api/jobs/{job}/file"), 404)
    check_refusal(server.client.get(f"/api/jobs/{job}/events", headers={"last-event-id": "-1"}), 400)


# Cancelling and limits


def test_a_cancelled_job_ends_and_its_worker_goes_on(server: Server) -> None:
    job = server.start("solve", HARD)
    events = server.events(job)
    assert next(events).name in ("progress", "best")
    state = server.client.delete(f"/api/jobs/{job}").json()
    assert state["state"] == "cancelled"
    *_, last = events
    assert (last.name, last.data) == ("error", {"error": "cancelled", "exit_code": 130})
    assert server.client.delete(f"/api/jobs/{job}").json()["state"] == "cancelled"
    assert server.run("solve", "2x2 : 3 1 . 2")["length"] == 3


def test_a_waiting_job_can_be_cancelled() -> None:
    with serving(replace(PATIENT, jobs=1, waiting_jobs=4)) as server:
        first = server.start("solve", HARD)
        wait_for(lambda: server.client.get(f"/api/jobs/{first}").json()["state"] == "running")
        second = server.start("solve", "2x2 : 3 1 . 2")
        assert server.client.get(f"/api/jobs/{second}").json()["state"] == "waiting"
        assert server.client.delete(f"/api/jobs/{second}").json()["state"] == "cancelled"
        third = server.start("solve", "2x2 : 3 1 . 2")
        server.client.delete(f"/api/jobs/{first}")
        assert server.result(third)["length"] == 3


def test_too_many_jobs_are_refused() -> None:
    with serving(replace(PATIENT, jobs=1, waiting_jobs=8, jobs_per_client=3)) as server:
        jobs = [server.start("solve", HARD) for _ in range(3)]
        body = {"kind": "solve", "position": HARD}
        for _ in range(100):
            assert "3 unfinished jobs" in server.refused("/api/jobs", body, 429)
        for job in jobs:
            server.client.delete(f"/api/jobs/{job}")
        assert server.run("solve", "2x2 : 3 1 . 2")["length"] == 3


def test_a_job_gets_no_more_time_than_the_server_allows() -> None:
    with serving(replace(PATIENT, job_seconds=1.0)) as server:
        *_, last = server.events(server.start("god", "4x4 tiles 1", time=3600.0))
        assert (last.name, last.data["exit_code"]) == ("error", 3)
        *_, last = server.events(server.start("solve", HARD, time=3600.0))
        assert last.name == "result" or last.data["exit_code"] == 3


def test_a_job_gets_no_more_memory_than_the_server_allows() -> None:
    with serving(replace(PATIENT, job_memory=2_000_000)) as server:
        *_, last = server.events(server.start("distances", "square R(4,3)"))
        assert (last.name, last.data["exit_code"]) == ("error", 3)
        assert "2 MB" in last.data["error"]


def test_finished_jobs_are_forgotten_in_order() -> None:
    with serving(replace(PATIENT, kept_jobs=3)) as server:
        jobs = []
        for _ in range(6):
            jobs.append(server.start("analyze", "2x2"))
            server.result(jobs[-1])
        states = [server.client.get(f"/api/jobs/{job}").status_code for job in jobs]
        assert states == [404] * 3 + [200] * 3
    with serving(replace(PATIENT, kept_seconds=0.0)) as server:
        job = server.start("analyze", "2x2")
        wait_for(lambda: server.client.get(f"/api/jobs/{job}").status_code == 404)


# Workers that die or hang


def test_a_killed_worker_fails_its_job_and_is_replaced(server: Server) -> None:
    job = server.start("solve", HARD)
    events = server.events(job)
    assert next(events).name in ("progress", "best")
    busy = set(server.studio.slow.workers) - set(server.studio.slow.idle)
    for worker in busy:
        os.kill(worker.process.pid, signal.SIGKILL)
    *_, last = events
    assert (last.name, last.data["exit_code"]) == ("error", 3)
    assert server.run("solve", "2x2 : 3 1 . 2")["length"] == 3


def test_a_worker_that_hangs_is_killed() -> None:
    with serving(replace(PATIENT, quick_workers=1, quick_seconds=0.5, grace_seconds=0.5)) as server:
        wait_for(lambda: len(server.studio.quick.idle) == 1)
        (worker,) = server.studio.quick.workers
        os.kill(worker.process.pid, signal.SIGSTOP)
        assert "time limit" in server.refused("/api/hint", {"position": "2x2 : 3 1 . 2"}, 503)
        wait_for(lambda: not alive(worker.process.pid))
        wait_for(lambda: len(server.studio.quick.idle) == 1)
        assert worker not in server.studio.quick.workers


def alive(pid: int) -> bool:
    """Return whether a process exists that has not ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_idle_workers_that_are_killed_are_replaced(server: Server) -> None:
    for _ in range(3):
        for worker in list(server.studio.quick.workers):
            os.kill(worker.process.pid, signal.SIGKILL)
            wait_for(lambda worker=worker: not worker.is_alive)  # type: ignore[misc]
        assert server.ask("/api/solvable", position="2x2 : 3 1 . 2", goal="1 2 3 .")["solvable"] is True
        server.studio.answers._answers.clear()


def test_a_worker_that_grew_too_large_is_replaced() -> None:
    with serving(replace(PATIENT, quick_workers=1, idle_bytes=1)) as server:
        first = set(server.studio.quick.pids)
        for seed in range(2):
            answer: Any = server.ask("/api/shuffle", puzzle="2x2", seed=seed)
            assert answer["exact"] is True
        assert not first & set(server.studio.quick.pids) or not first
