"""The server as a process of its own: its address, Ctrl-C, and workers that never outlive it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from commands import Run, one_line, refused
from studio.serving import SECONDS

HARD = "24-puzzle : 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 ."


@contextmanager
def studio(*options: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `slidelab play` and yield the process and its address."""
    command = [sys.executable, "-m", "slidelab", "play", "--no-browser", *options]
    environment = {**os.environ, "TMPDIR": str(folder)}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task")
    return [int(child) for task in tasks.iterdir() for child in (task / "children").read_text().split()]


def wait_until_dead(pids: list[int]) -> None:
    end = time.monotonic() + SECONDS
    while any(Path(f"/proc/{pid}/exe").exists() and state(pid) != "Z" for pid in pids):
        assert time.monotonic() < end
        time.sleep(0.01)


def state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def busy_workers(process: subprocess.Popen[str], address: str) -> list[int]:
    """Let the workers of a server work hard, and return them."""
    with httpx.Client(base_url=address, timeout=SECONDS) as client:
        for _ in range(3):
            assert client.post("/api/jobs", json={"kind": "solve", "position": HARD}).status_code == 202
        end = time.monotonic() + SECONDS
        while client.get("/api/health").json()["workers"] < 3:
            assert time.monotonic() < end
            time.sleep(0.01)
    found = children(process.pid)
    assert len(found) >= 3
    return found


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_server_and_its_workers(number: int, code: int, tmp_path: Path) -> None:
    with studio("--port", "0", "--jobs", "1", folder=tmp_path) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        workers = busy_workers(process, address)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == code
        assert (out, err) == ("", "slidelab: stopped\n" if number == signal.SIGINT else "")
        wait_until_dead(workers)
    assert list(tmp_path.glob("slidelab-studio-*")) == []


def test_workers_end_when_the_server_is_killed(tmp_path: Path) -> None:
    with studio("--port", "0", "--jobs", "1", folder=tmp_path) as (process, address):
        workers = busy_workers(process, address)
        process.kill()
        process.wait(timeout=SECONDS)
        wait_until_dead(workers)


def test_the_next_free_port_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with studio("--port", str(port), folder=tmp_path) as (process, address):
            found = int(address.rstrip("/").rpartition(":")[2])
            assert port < found <= port + 100
            assert httpx.get(f"{address}api/health", timeout=SECONDS).status_code == 200
            process.send_signal(signal.SIGINT)


def test_what_is_given_is_what_the_page_begins_with(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text("square R(2,2) : 3 1 . 2")
    with studio(str(file), "--port", "0", folder=tmp_path) as (_, address):
        library = httpx.get(f"{address}api/library", timeout=SECONDS).json()
        assert library["start"] == "square R(2,2) tiles 1 : 3 1 . 2"


def test_bad_options(run: Run) -> None:
    refused(run("play", "hexx Q(3,4)", "--port", "0", "--no-browser"), "did you mean")
    refused(run("play", "--port", "70000", "--no-browser"), "65535", "--port")
    refused(run("studio", "--jobs", "0", "--no-browser"), "--jobs")
    refused(run("play", "--memory", "much", "--no-browser"), "--memory")
    refused(run("play", "--time", "-1", "--no-browser"), "--time")
    refused(run("play", "--token", "", "--no-browser"), "--token")
    refused(run("play", "--host", "no.such.host.invalid", "--no-browser"), "host")


def test_without_the_extra_one_line_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("starlette", "uvicorn"):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, package, None)
            result = run("play", "--no-browser")
            one_line(result, 2, package, "pip install 'slidelab[studio]'")


def test_a_worker_saves_no_files(tmp_path: Path) -> None:
    """The limit is that of the system, so a process of its own must show it."""
    code = """
import sys
from slidelab.studio.worker import _limit_files
import slidelab as sl
from slidelab.errors import PuzzleError
from slidelab.solve.patterns.databases import build_databases
from slidelab.solve.patterns.store import save
built = build_databases(sl.gain_graph("square R(3,3)"), 8, 10_000)
_limit_files(0)
try:
    save(built)
except PuzzleError as error:
    print("refused")
"""
    environment = {**os.environ, "SLIDELAB_CACHE": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout == "refused\n"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_worker_gets_no_more_memory_than_its_limit() -> None:
    code = """
import numpy
from slidelab.studio.worker import DATA_SLACK, _limit_memory
_limit_memory(100_000_000)
kept = numpy.ones(100_000_000, dtype=numpy.uint8)
try:
    numpy.ones(DATA_SLACK + 100_000_000, dtype=numpy.uint8)
except MemoryError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"


def test_import_of_the_command_line_needs_no_server() -> None:
    names = ("starlette", "uvicorn", "asyncio")
    code = f"import sys, slidelab.cli.studio; print([name for name in {names} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
