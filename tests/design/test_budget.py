"""The budget: limits of the machine, of containers and of the process, and that they are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from slidelab.budget import MEMORY_SHARE, _control_group_limits


def groups(folder: Path, membership: str, files: dict[str, str]) -> list[int]:
    """Return the limits that a process finds, given its groups and the files of all groups."""
    (folder / "self").write_text(membership)
    for name, text in files.items():
        (folder / "root" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "root" / name).write_text(text)
    return sorted(_control_group_limits(folder / "self", folder / "root"))


def test_control_groups_of_version_2(tmp_path: Path) -> None:
    files = {"memory.max": "max\n", "a/memory.max": "900\n", "a/b/memory.max": "700\n", "c/memory.max": "1"}
    assert groups(tmp_path, "0::/a/b\n", files) == [700, 900]


def test_control_groups_of_version_1(tmp_path: Path) -> None:
    files = {
        "memory/memory.limit_in_bytes": "5000",
        "memory/x/memory.limit_in_bytes": "300",
        "memory.max": "9",
    }
    assert groups(tmp_path, "3:cpu,cpuacct:/x\n2:memory:/x\n", files) == [300, 5000]


def test_a_container_sees_its_group_as_the_root(tmp_path: Path) -> None:
    assert groups(tmp_path, "0::/docker/1234\n", {"memory.max": "600"}) == [600]


@pytest.mark.parametrize("membership", ["", "nonsense", "::", "0::/../../..", "1:memory"])
def test_control_groups_that_are_not_there(tmp_path: Path, membership: str) -> None:
    assert groups(tmp_path, membership, {}) == []
    assert _control_group_limits(tmp_path / "no file", tmp_path) == []


def limited(memory: int, code: str) -> str:
    """Run Python with a limit on its address space, as `ulimit -v` sets it."""
    begin = f"import resource\nresource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))\n"
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", begin + code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_limit_of_the_process_counts() -> None:
    limit = 2_000_000_000
    code = "from slidelab.budget import available_memory\nprint(available_memory())"
    assert int(limited(limit, code)) <= limit * MEMORY_SHARE


@pytest.mark.parametrize(
    "question",
    [
        "sl.puzzle('square R(6,6) tiles 5').solve(seeded, time=3)",
        "sl.puzzle('hex P(6,6) hextiles 5').analyze()",
        "sl.puzzle('square R(4,4)').gods_number()",
        "sl.puzzle('complete(250)').analyze()",
    ],
)
def test_memory_is_refused_before_it_is_taken(question: str) -> None:
    """Within an address space of 1.2 GB an answer is found, or refused with a message; nothing breaks."""
    code = (
        "import slidelab as sl\n"
        "seeded = sl.puzzle('square R(6,6) tiles 5').shuffle(seed=1)\n"
        f"try:\n    {question}\n    print('answered')\n"
        "except (sl.TooLarge, sl.OutOfTime) as error:\n    print('refused', error)\n"
    )
    assert limited(1_200_000_000, code).split()[0] in ("answered", "refused")
