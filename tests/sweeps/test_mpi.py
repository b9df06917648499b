"""Sweeps and the atlas with several processes of MPI, started by the mpiexec beside this Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

import slidelab as sl
from commands import alive, processes_below, wait_for_lines
from slidelab.atlas import write_atlas
from slidelab.mpi import Launch, launch, local_processes, world

BIN = Path(sys.executable).parent
MPIEXEC = BIN / "mpiexec"

needs_mpi = pytest.mark.skipif(
    not (BIN / "mpichversion").exists() or find_spec("mpi4py") is None,
    reason="the packages mpi4py and mpich are not beside Python",
)

FAMILY = "two-connected(4..5)"


def environment() -> dict[str, str]:
    """Return the environment of tests without that of an MPI or Slurm around them."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("PMI", "MPI", "OMPI", "SLURM", "HYD"))}


def started(ranks: int, *words: str) -> subprocess.Popen[str]:
    command = [str(MPIEXEC), "-n", str(ranks), sys.executable, *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )


def run(ranks: int, *words: str) -> tuple[int, str, str]:
    with started(ranks, "-m", "slidelab", *words) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def rank_of(pid: int) -> str | None:
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((v.partition(b"=")[2].decode() for v in variables if v.startswith(b"PMI_RANK=")), None)


def wait_for_the_end(pids: list[int]) -> None:
    """Wait for processes, which end by themselves but perhaps a moment after mpiexec."""
    while any(map(alive, pids)):
        time.sleep(0.01)


@needs_mpi
def test_sweep_and_atlas_write_the_same_files(tmp_path: Path) -> None:
    alone, together = tmp_path / "alone.csv", tmp_path / "together.csv"
    list(sl.sweep("god", FAMILY, output=alone, processes=1))
    count = len(alone.read_text().splitlines()) - 1
    assert run(3, "sweep", "god", FAMILY, "-o", str(together)) == (0, f"{together}: {count} puzzles\n", "")
    assert together.read_bytes() == alone.read_bytes()
    write_atlas(tmp_path / "alone.jsonl", 9)
    code, out, err = run(2, "atlas", "gourds", "9", "-o", str(tmp_path / "together.jsonl"))
    assert (code, err) == (0, "")
    assert out.count("gourds on two-connected boards") == 1
    assert (tmp_path / "together.jsonl").read_bytes() == (tmp_path / "alone.jsonl").read_bytes()


@needs_mpi
def test_bad_input_is_one_line_from_all_processes_together() -> None:
    for words in (("gd", "cycle(4)"), ("god", "cycle(4)", "--processes", "2"), ("god", "cycle(4)", "--hm")):
        code, out, err = run(2, "sweep", *words)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert err.startswith("slidelab: expected")


@needs_mpi
def test_pools_of_mpi4py_are_executors(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from mpi4py.futures import MPIPoolExecutor\n"
        "import slidelab as sl\n"
        "if __name__ == '__main__':\n"
        "    with MPIPoolExecutor() as executor:\n"
        f"        for row in sl.sweep('god', '{FAMILY}', executor=executor):\n"
        "            print(row['puzzle'], row['gods_number'], flush=True)\n"
    )
    with started(2, "-m", "mpi4py.futures", str(script)) as process:
        out, _ = process.communicate()
    rows = sl.sweep("god", FAMILY, processes=1)
    assert out.splitlines() == [f"{row['puzzle']} {row['gods_number']}" for row in rows]


@needs_mpi
def test_a_sweep_goes_on_after_processes_were_killed(tmp_path: Path) -> None:
    """First the one that writes, then one that computes; then on another number of processes."""
    file, whole = tmp_path / "x.csv", tmp_path / "whole.csv"
    boards = ("two-connected(6)", "two-connected(5)") * 6
    list(sl.sweep("god", *boards, output=whole, processes=1))
    for lines, victim in ((20, "0"), (60, "1")):
        with started(3, "-m", "slidelab", "sweep", "god", *boards, "-o", str(file)) as process:
            wait_for_lines(file, lines, process)
            ranks = list(processes_below(process.pid))
            for pid in ranks:
                if rank_of(pid) == victim:
                    os.kill(pid, signal.SIGKILL)
            process.communicate()
        assert process.returncode == 9
        wait_for_the_end(ranks)
        found = file.read_bytes()
        assert lines <= found.count(b"\n") < whole.read_bytes().count(b"\n")
        assert whole.read_bytes().startswith(found[: found.rfind(b"\n") + 1])
    assert run(2, "sweep", "god", *boards, "-o", str(file))[0] == 0
    assert file.read_bytes() == whole.read_bytes()


@needs_mpi
def test_ctrl_c_ends_all_processes_and_says_how_to_go_on(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    boards = ("square R(2,2)", *("square R(2,6)",) * 40)
    with started(3, "-m", "slidelab", "sweep", "god", *boards, "-o", str(file)) as process:
        wait_for_lines(file, 2, process)
        ranks = list(processes_below(process.pid))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    done = len(file.read_text().splitlines()) - 1
    assert f"stopped; {done} answers are in {file}, and the same command goes on\n" in err
    assert process.returncode == 130
    wait_for_the_end(ranks)


@needs_mpi
def test_processes_that_mpi_does_not_connect_are_refused() -> None:
    """As `srun` starts them for an MPI that does not know it: each would do everything."""
    for rank in ("0", "1"):
        done = subprocess.run(
            [sys.executable, "-m", "slidelab", "sweep", "god", "cycle(4)"],
            env=environment() | {"SLURM_PROCID": rank, "SLURM_STEP_NUM_TASKS": "2"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (2, "")
        lines = done.stderr.splitlines()
        assert len(lines) == (1 if rank == "0" else 0)
        assert all("expected 2 connected processes, got 1 - at MPI" in line for line in lines)


def test_what_launchers_say() -> None:
    assert launch({}) is None
    assert launch({"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "3"}) == Launch(2, 3)
    assert launch({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "4"}) == Launch(0, 4)
    assert launch({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}) is None  # the job script itself
    assert launch({"PMI_RANK": "x", "PMI_SIZE": "2"}) is None
    assert launch({"PMI_RANK": "3", "PMI_SIZE": "2"}) is None
    assert local_processes({}) is None
    assert local_processes({"OMPI_COMM_WORLD_LOCAL_SIZE": "2"}) == 2
    assert local_processes({"SLURM_STEP_TASKS_PER_NODE": "x"}) is None


def test_without_mpi4py_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(sl.PuzzleError, match=r"the package mpi4py: pip install 'slidelab\[mpi\]'"):
        world(Launch(0, 2))
