"""Sweeps and the atlas on executors of others: same answers in the same order, and lost workers."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.atlas import entries, read_atlas, write_atlas
from slidelab.parallel import ordered_map
from slidelab.sweeps import expand
from slidelab.sweeps.questions import Question, Record, answer

FAMILY = "two-connected(4..5)"


class KilledWorker(Exception):
    """An error that only the executor knows, as Dask has one."""


class Cluster(Executor):
    """Futures that are done in random order, and lost from one call on: what Dask and MPI may do."""

    def __init__(self, calls: int | None = None, seed: int = 0) -> None:
        self._calls, self._rng = calls, random.Random(seed)
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._lock = threading.Lock()
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        with self._lock:
            self.submitted += 1
            lost = self._calls is not None and self.submitted > self._calls
            self._waiting.append((future, partial(_lose) if lost else partial(fn, *args, **kwargs)))
        threading.Timer(0.001 * self._rng.random(), self._run_one).start()
        return future

    def _run_one(self) -> None:
        with self._lock:
            future, call = self._waiting.pop(self._rng.randrange(len(self._waiting)))
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(call())
            except Exception as error:
                future.set_exception(error)


def _lose() -> None:
    raise KilledWorker("tried on three machines")


def process_pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(2, get_context("spawn"))


@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_completion_gives_the_same_lines(seed: int, tmp_path: Path) -> None:
    alone, far = tmp_path / "alone.csv", tmp_path / "far.csv"
    list(sl.sweep("god", FAMILY, output=alone, processes=1))
    list(sl.sweep("god", FAMILY, output=far, executor=Cluster(seed=seed)))
    assert far.read_bytes() == alone.read_bytes()


def test_process_pools_of_the_caller_stay_open(tmp_path: Path) -> None:
    alone = list(sl.sweep("analyze", FAMILY, processes=1))
    with process_pool() as pool:
        assert list(sl.sweep("analyze", FAMILY, executor=pool)) == alone
        write_atlas(tmp_path / "pool.jsonl", 9, executor=pool)
        assert pool.submit(int, "1").result() == 1
    write_atlas(tmp_path / "alone.jsonl", 9)
    assert (tmp_path / "pool.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()


def test_the_atlas_takes_any_executor() -> None:
    alone = list(entries(9))
    with ThreadPoolExecutor(2) as threads:
        assert list(entries(9, executor=threads)) == alone
    assert list(entries(9, executor=Cluster(), skip=5)) == alone[5:]


def test_few_puzzles_are_spread_over_all_workers() -> None:
    cluster = Cluster()
    list(sl.sweep("analyze", "cycle(3..12)", executor=cluster))
    assert cluster.submitted == 10


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
@pytest.mark.parametrize("calls", [0, 1, 7])
def test_a_lost_worker_is_one_line_and_the_sweep_goes_on(tmp_path: Path, suffix: str, calls: int) -> None:
    whole, file = tmp_path / f"whole.{suffix}", tmp_path / f"x.{suffix}"
    answers = list(sl.sweep("analyze", FAMILY, output=whole, processes=1))
    with pytest.raises(sl.WorkerLost) as lost:
        list(sl.sweep("analyze", FAMILY, output=file, executor=Cluster(calls)))
    assert f"a worker was lost (KilledWorker); {calls} answers" in str(lost.value)
    assert "\n" not in str(lost.value)
    assert whole.read_bytes().startswith(file.read_bytes())
    assert list(sl.sweep("analyze", FAMILY, output=file, executor=Cluster())) == answers
    assert file.read_bytes() == whole.read_bytes()


def test_the_atlas_goes_on_after_a_lost_worker(tmp_path: Path) -> None:
    file, whole = tmp_path / "x.jsonl", tmp_path / "whole.jsonl"
    write_atlas(whole, 9)
    with pytest.raises(sl.WorkerLost, match="the same command resumes there"):
        write_atlas(file, 9, executor=Cluster(calls=0))
    assert not read_atlas(file).finished
    write_atlas(file, 9, executor=Cluster())
    assert file.read_bytes() == whole.read_bytes()


def test_a_process_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    with process_pool() as pool:
        rows = sl.sweep("analyze", "two-connected(6..7)", output=file, executor=pool)
        first = [next(rows) for _ in range(3)]
        pool.submit(os._exit, 9)
        with pytest.raises(sl.WorkerLost, match=r"BrokenProcessPool.*the same sweep goes on"):
            list(rows)
        with pytest.raises(sl.WorkerLost):  # which takes nothing more
            list(sl.sweep("analyze", FAMILY, executor=pool))
    again = list(sl.sweep("analyze", "two-connected(6..7)", output=file, processes=1))
    assert again[:3] == first
    assert [row["puzzle"] for row in again] == [f"{text} tiles 1" for text in expand("two-connected(6..7)")]


def test_an_executor_that_is_shut_down_is_no_lost_worker() -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(sl.WorkerLost) as failed:
        list(sl.sweep("analyze", FAMILY, executor=executor))
    reason = "RuntimeError: cannot schedule new futures after shutdown"
    assert str(failed.value) == f"the executor failed ({reason})"


def test_a_script_without_a_guard_is_told(tmp_path: Path) -> None:
    script, guarded = tmp_path / "script.py", tmp_path / "guarded.py"
    sweep = 'sum(1 for _ in sl.sweep("analyze", "cycle(3..6)", processes=2))'
    script.write_text(f"import slidelab as sl\n{sweep}\n")
    guarded.write_text(f'import slidelab as sl\nif __name__ == "__main__":\n    assert {sweep} == 4\n')
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("slidelab.errors.WorkerLost: a worker was lost (BrokenProcessPool)")
    assert last.endswith("""needs 'if __name__ == "__main__":' before its main part""")
    subprocess.run([sys.executable, str(guarded)], check=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"executor": 5}, "expected an executor of concurrent.futures, got 5 - at executor"),
        (
            {"executor": Cluster(), "processes": 2},
            "expected processes or an executor, got both - at processes",
        ),
        ({"processes": 0}, "expected a whole number of at least 1, got 0 - at processes"),
    ],
    ids=["executor", "both", "processes"],
)
def test_bad_workers_are_refused(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    for call in (
        partial(sl.sweep, "analyze", FAMILY),
        partial(entries, 9),
        partial(write_atlas, tmp_path / "x.jsonl", 9),
    ):
        with pytest.raises(sl.NotationError) as refused:
            call(**options)
        assert str(refused.value) == message
    assert list(tmp_path.iterdir()) == []


def fail(items: list[int]) -> list[int]:
    raise KeyError(items[0])


def test_errors_of_the_function_are_not_those_of_the_executor() -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(KeyError, match="5"):
        list(ordered_map(fail, [5], threads))


def test_workers_of_one_machine_share_its_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle that fits the memory of the machine need not fit the share of one of its workers."""
    monkeypatch.setattr("slidelab.sweeps.run.available_memory", lambda: 4_000_000_000)
    monkeypatch.setattr("slidelab.sweeps.run.available_cores", lambda: 16)
    given: list[int] = []

    def recorded(
        question: Question, text: str, rule: None, holes: None, budget: sl.Budget, seed: int
    ) -> Record:
        given.append(budget.memory)
        return answer(question, text, rule, holes, budget, seed)

    monkeypatch.setattr("slidelab.sweeps.run.answer", recorded)
    with ThreadPoolExecutor(2) as threads:
        list(sl.sweep("analyze", "cycle(4)", executor=threads))
    list(sl.sweep("analyze", "cycle(4)", executor=Cluster()))
    monkeypatch.setenv("MPI_LOCALNRANKS", "8")
    list(sl.sweep("analyze", "cycle(4)", executor=Cluster()))
    list(sl.sweep("analyze", "cycle(4)", processes=1))
    list(sl.sweep("analyze", "cycle(4)", executor=Cluster(), memory="3G"))
    assert given == [2_000_000_000, 250_000_000, 500_000_000, 4_000_000_000, 3_000_000_000]


def test_a_puzzle_without_memory_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("slidelab.sweeps.questions.analyze", exhausted)
    assert [row["error"] for row in sl.sweep("analyze", "cycle(4..5)", processes=1)] == ["out of memory"] * 2
