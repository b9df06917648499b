"""What a search says before it begins: how long it will take, and what is wrong with its arguments."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, one_line
from slidelab.distance.cluster_plan import Machines, cluster_plan
from slidelab.distance.component import Component
from slidelab.distance.disk import DiskSearch
from slidelab.distance.distances import make_search, search_plan
from slidelab.distance.search import SEARCH_SECONDS, Plan
from slidelab.distance.world import Alone

EIGHT = "square R(3,3)"
TWELVE = "square R(3,4)"


class Several(Alone):
    """A world that only says that it has several processes."""

    size = 3


def component_of(text: str, memory: str = "8G") -> Component:
    return Component(sl.puzzle(text).goal, budget=sl.Budget.of(memory=memory, threads=2))


@pytest.mark.parametrize("text", [TWELVE, "hex P(3,4)", "hex Ptr(3,5) gourds"])
def test_announcements_agree_with_plans(text: str) -> None:
    component = component_of(text, "50M")
    one = cluster_plan(component.puzzle, Machines.of(1, 2, "50M"))
    three = cluster_plan(component.puzzle, Machines.of(3, 2, "50M")).cluster
    disk = DiskSearch(component, component.budget)
    assert search_plan(disk, 1, world=None, in_folder=True).seconds == one.disk.seconds + SEARCH_SECONDS
    search = make_search(component, component.budget)
    for world, in_folder, seconds in (
        (None, True, one.cluster.seconds + one.cluster.checkpoint_seconds),
        (Several(), False, three.seconds),
        (Several(), True, three.seconds + three.checkpoint_seconds),
    ):
        found = search_plan(search, 5, world=world, in_folder=in_folder)
        assert (found.searches, found.seconds) == (5, seconds + SEARCH_SECONDS)
        assert found.memory == search.needed_bytes
    assert search_plan(search, 2, world=None, in_folder=False) == search.plan(2)


def test_many_searches_are_foreseen_with_their_files() -> None:
    """1,102 searches of 21 layers each took a minute and a half with a checkpoint, and more in shards."""
    component = component_of("hex P(3,4) trimers")
    search = make_search(component, component.budget)
    alone, together = (search_plan(search, 1102, world=world, in_folder=True) for world in (None, Several()))
    assert 60 < alone.seconds * alone.searches < together.seconds * together.searches < 1000


def test_small_searches_are_announced_at_once() -> None:
    component = component_of(EIGHT)
    search = make_search(component, component.budget)
    begin = time.process_time()
    search_plan(search, 1, world=None, in_folder=True)
    assert time.process_time() - begin < 1.0  # a tenth, but for imports


def test_only_searches_that_are_left_are_announced(tmp_path: Path) -> None:
    plans: list[Plan] = []
    puzzle = sl.puzzle(EIGHT)
    puzzle.gods_number(checkpoint=tmp_path, plan=plans.append)
    (tmp_path / "start-001" / "result.json").unlink()
    puzzle.gods_number(checkpoint=tmp_path, plan=plans.append)
    puzzle.gods_number(checkpoint=tmp_path, plan=plans.append)
    assert [plan.searches for plan in plans] == [3, 1]
    puzzle.distances(disk=tmp_path / "d", plan=plans.append)
    puzzle.distances(disk=tmp_path / "d", plan=plans.append)
    assert len(plans) == 3


def test_a_disk_with_too_little_memory_says_what_it_would_need(run: Run, tmp_path: Path) -> None:
    result = run(
        "god", EIGHT, "--start", "1 2 3 4 5 6 7 8 .", "--disk", str(tmp_path / "d"), "--memory", "10"
    )
    one_line(result, 3, "needs ", "kB for 181,440 configurations, and the limit is 10 bytes")


# Communicators


@pytest.mark.parametrize("comm", ["x", 3, object])
def test_what_is_no_communicator_is_refused(comm: object) -> None:
    for method in (sl.puzzle(EIGHT).distances, sl.puzzle(EIGHT).gods_number):
        with pytest.raises(sl.NotationError, match=r"expected a communicator of mpi4py, got .* - at comm$"):
            method(comm=comm)  # type: ignore[arg-type]


MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpiexec = pytest.mark.skipif(not MPIEXEC.exists(), reason="there is no mpiexec beside Python")
SCRIPT = """
from mpi4py import MPI
import slidelab as sl

for comm in (MPI.COMM_NULL, MPI.COMM_WORLD.Create(MPI.GROUP_EMPTY)):
    try:
        sl.puzzle("square R(3,3)").distances(comm=comm)
    except sl.NotationError as error:
        print(error)
"""


def together(count: int, *words: str) -> subprocess.CompletedProcess[str]:
    names = ("PMI", "MPI_", "OMPI", "SLURM", "HYD")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    command = [str(MPIEXEC), "-n", str(count), sys.executable, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)


@needs_mpiexec
def test_null_communicators_are_refused() -> None:
    pytest.importorskip("mpi4py", reason="communicators need mpi4py")
    line = "expected a communicator with this process, got the null communicator - at comm"
    done = together(1, "-c", SCRIPT)
    assert (done.stdout.splitlines(), done.stderr, done.returncode) == ([line] * 2, "", 0)


# Commands that one process answers


@needs_mpiexec
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["plan", "3x3"], 0),
        (["solvable", "3x3 : 1 2 3 4 5 6 8 7 ."], 1),
        (["solve", "square R(3,x)"], 2),
        (["solve", "--help"], 0),
        (["--version"], 0),
    ],
    ids=str,
)
def test_other_commands_are_run_by_one_process(run: Run, words: list[str], code: int) -> None:
    pytest.importorskip("mpi4py", reason="several processes need mpi4py")
    alone, done = run(*words), together(2, "-m", "slidelab", *words)
    assert (done.returncode, done.stderr) == (code, alone.err)
    assert done.stdout.count("\n") == alone.out.count("\n")
