"""Searches over shards: in memory, on disk and by several processes, against the search in one array."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, refused
from slidelab.budget import Budget
from slidelab.distance.checkpoint import Checkpoint, json_checksum, search_key
from slidelab.distance.component import Component, StateIndex
from slidelab.distance.disk import DiskSearch
from slidelab.distance.distances import make_search, read_start
from slidelab.distance.search import LayeredSearch, Search
from slidelab.distance.shard_files import Manifest, ShardFolder
from slidelab.distance.sharded import ShardedSearch, choose_prefix
from slidelab.errors import Damaged, TooLarge

CASES = [
    ("square R(3,3)", None),
    ("square R(3,3) tiles 2", None),
    ("king R(3,3)", None),
    ("hex Ttr(4) hextiles 2", None),
    ("hex F(2) gourds 1", None),
    ("hex P(3,3) gourds 1", None),
    ("theta(2,2,3)", None),
    ("square R(3,3)", "aabbccdd"),
]

Found = tuple[list[int], list[StateIndex]]


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk of the machine, which others may use: no test can cause a power failure."""
    monkeypatch.setattr("slidelab.distance.shard_files.sync_folder", lambda _: None)


def component_of(text: str, colours: str | None = None) -> Component:
    puzzle = sl.puzzle(text, colours=list(colours) if colours else None)
    return Component(read_start(puzzle, None), budget=Budget(threads=2))


def found(search: LayeredSearch, folder: Path | None = None) -> Found:
    component = search.component
    start = component.known_index(component.start)
    if folder is None:
        return search.run(start), search.farthest(7)
    with search.open_folder(folder, {"start": component.start.text}) as opened:
        return search.run(start, opened), search.farthest(7)


def prefixes(component: Component) -> range:
    return range(max(1, min(3, component.main_pieces - 5)))


@pytest.mark.parametrize(("text", "colours"), CASES, ids=str)
def test_any_shards_give_the_same_layers(text: str, colours: str | None) -> None:
    component = component_of(text, colours)
    expected = found(Search(component))
    for prefix in prefixes(component):
        for two_planes in {False, not component.alternates, True}:
            search = ShardedSearch(component, Budget(threads=2), prefix=prefix, two_planes=two_planes)
            assert found(search) == expected
            assert search.core.alternates == (component.alternates and not two_planes)


@pytest.mark.parametrize(("text", "colours"), [CASES[0], CASES[2], CASES[4], CASES[7]], ids=str)
def test_a_search_on_disk_gives_the_same_layers(text: str, colours: str | None, tmp_path: Path) -> None:
    component = component_of(text, colours)
    expected = found(Search(component))
    prefix = min(1, max(prefixes(component)))
    assert found(DiskSearch(component, prefix=prefix), tmp_path / "disk") == expected
    assert found(ShardedSearch(component), tmp_path / "memory") == expected


def test_colours_of_shapes_are_those_of_a_plain_search() -> None:
    """Every move changes the colour exactly if no shape is reached by paths of both parities."""
    rng = random.Random(8)
    seen = set()
    for _ in range(40):
        text = rng.choice(
            ["square R(3,2)", "king R(3,2)", "cycle(5)", "cycle(6)", "theta(1,2,2)", "theta(1,1,3)"]
        )
        component = component_of(f"{text} tiles {rng.choice([1, 2])}")
        edges = component.edges[:, :2].tolist()
        colour = {edges[0][0]: 0}
        while len(colour) < component.family.shapes:
            for a, b in edges:
                if a in colour:
                    colour.setdefault(b, 1 - colour[a])
                elif b in colour:
                    colour[a] = 1 - colour[b]
        expected = all(colour[a] != colour[b] for a, b in edges)
        assert component.alternates == expected
        seen.add(expected)
    assert seen == {False, True}


def test_bipartite_puzzles_take_one_bit_a_state() -> None:
    component = component_of("square R(3,4)")
    one, two = make_search(component, Budget(threads=1)), Search(component, Budget(threads=1))
    assert isinstance(one, ShardedSearch)
    assert one.needed_bytes < 0.6 * two.needed_bytes
    with pytest.raises(TooLarge):
        Search(component, Budget(memory=one.needed_bytes))


# Random boards


@pytest.mark.parametrize(("text", "colours"), [case for case in CASES if case[0] != "theta(2,2,3)"], ids=str)
def test_layers_from_lists_and_from_files_are_the_same(
    text: str, colours: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many words a list may have, and however few of them are carried at a time."""
    component = component_of(text, colours)
    expected = found(Search(component))
    prefix = min(1, prefixes(component)[-1])
    full = DiskSearch._advance
    files: list[int] = []

    def advance(self: DiskSearch, folder: ShardFolder) -> None:
        files.append(len(self.layers))
        full(self, folder)

    for two_planes, thin in [(False, 0), (False, 3), (False, 40), (False, 10**6), (True, 3), (True, 40)]:
        if two_planes and not component.alternates:
            continue  # there are two planes anyway
        files.clear()
        with monkeypatch.context() as patch:
            patch.setattr("slidelab.distance.disk.CARRIED_WORDS", 3 if thin < 40 else 1000)
            patch.setattr(DiskSearch, "_advance", advance)
            search = DiskSearch(component, prefix=prefix, thin=thin, two_planes=two_planes)
            assert found(search, tmp_path / f"{two_planes} {thin}") == expected
        if thin == 0:
            assert len(files) == len(expected[0]) - 1
        elif thin < 40:
            assert 0 < len(files) < len(expected[0]) - 1
        elif thin == 10**6:
            assert not files


@pytest.mark.parametrize("two_planes", [False, True])
def test_searches_with_lists_resume_after_any_file(
    two_planes: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = component_of("square R(4,2)")
    expected = found(Search(component))
    rng = random.Random(11)
    for number in range(4):
        folder = tmp_path / str(number)
        for _ in range(4):
            thin = rng.choice([0, 3, 30])
            with stopped_after(monkeypatch, rng.randrange(60)), pytest.raises(Stop):
                found(DiskSearch(component, prefix=1, thin=thin, two_planes=two_planes), folder)
        thin = rng.choice([0, 3, 30])
        assert found(DiskSearch(component, prefix=1, thin=thin, two_planes=two_planes), folder) == expected


def test_lists_are_written_once_they_are_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle whose layers all have few configurations."""
    component = component_of("cycle(9)")
    expected = found(Search(component))
    written = []
    real = ShardFolder.commit

    def commit(self: ShardFolder, manifest: Manifest) -> None:
        written.append(len(manifest.layers))
        real(self, manifest)

    monkeypatch.setattr(ShardFolder, "commit", commit)
    assert found(DiskSearch(component, prefix=0, thin=2), tmp_path) == expected
    assert len(written) > 2
    with pytest.raises(Stop), stopped_after(monkeypatch, 3):
        found(DiskSearch(component, prefix=0, thin=2), tmp_path / "killed")
    assert found(DiskSearch(component, prefix=0, thin=2), tmp_path / "killed") == expected


def test_random_boards_on_disk_and_in_shards(tmp_path: Path) -> None:
    rng = random.Random(21)
    for number, (width, height) in enumerate([(4, 2), (3, 3)]):
        kind = rng.choice(["square", "king"])
        component = component_of(f"{kind} R({width},{height}) tiles {width * height - 7}")
        expected = found(Search(component))
        assert found(ShardedSearch(component, prefix=1)) == expected
        assert found(DiskSearch(component, prefix=1), tmp_path / str(number)) == expected


# Killed and resumed


class Stop(Exception):
    """Ends a search as if the machine had crashed."""


@contextmanager
def stopped_after(monkeypatch: pytest.MonkeyPatch, files: int) -> Iterator[None]:
    """Let a search write so many files and then stop."""
    real, written = ShardFolder.write_words, 0

    def write(self: ShardFolder, *arguments: object) -> bool:
        nonlocal written
        written += 1
        if written > files:
            raise Stop
        return real(self, *arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ShardFolder, "write_words", write)
        yield


@pytest.mark.parametrize("text", ["square R(4,2)", "king R(4,2)"])
def test_a_search_on_disk_resumes_after_any_file(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = component_of(text)
    expected = found(Search(component))
    rng = random.Random(4)
    for number in range(3):
        folder = tmp_path / str(number)
        for _ in range(3):
            with stopped_after(monkeypatch, rng.randrange(100)), pytest.raises(Stop):
                found(DiskSearch(component, prefix=1), folder)
        assert found(DiskSearch(component, prefix=1), folder) == expected


def test_shards_in_memory_resume_from_the_files_of_any_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = component_of("square R(4,2)")
    expected = found(Search(component))
    for files in (3, 12, 25, 33):
        folder = tmp_path / str(files)
        with stopped_after(monkeypatch, files), pytest.raises(Stop):
            found(ShardedSearch(component, prefix=0), folder)
        assert found(ShardedSearch(component), folder) == expected
    folder = tmp_path / "disk"
    with stopped_after(monkeypatch, 200), pytest.raises(Stop):
        found(DiskSearch(component, prefix=1), folder)
    manifest = json.loads((folder / "layers.json").read_text())["body"]["manifest"]
    search = ShardedSearch(component, prefix=manifest["prefix"])
    assert found(search, folder) == expected


# Damage


@pytest.fixture
def half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with stopped_after(monkeypatch, 180), pytest.raises(Stop):
        found(DiskSearch(component_of("square R(4,2)"), prefix=1), tmp_path)
    return tmp_path


def test_a_damaged_or_missing_file_is_one_line(half_done: Path) -> None:
    component = component_of("square R(4,2)")
    kept = {path: path.read_bytes() for path in half_done.iterdir()}
    manifest = json.loads(kept[half_done / "layers.json"])["body"]["manifest"]
    newest = len(manifest["layers"]) - 1
    needed = [path for path in kept if path.name.startswith(f"layer-{newest:04d}")]
    crossing = [path for path in kept if path.name.startswith(f"cross-{newest + 1:04d}")]
    rng = random.Random(1)

    def outcome() -> Found | str:
        try:
            return found(DiskSearch(component, prefix=1), half_done)
        except Damaged as error:
            return str(error)

    expected = found(Search(component))
    for path in [half_done / "layers.json", *rng.sample(needed, 3), *rng.sample(crossing, 3)]:
        data = bytearray(kept[path])
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(bytes(data))
        got = outcome()
        # A block that no shard has to read any more may be damaged.
        assert (isinstance(got, str) and "\n" not in got) or (path in crossing and got == expected), path
        for other in half_done.iterdir():
            other.unlink()
        for other, content in kept.items():
            other.write_bytes(content)
    needed[0].unlink()
    with pytest.raises(Damaged, match="is missing"):
        found(DiskSearch(component, prefix=1), half_done)
    needed[0].write_bytes(kept[needed[0]][:-8])
    with pytest.raises(Damaged):
        found(DiskSearch(component, prefix=1), half_done)
    needed[0].write_bytes(kept[needed[0]])
    crossing[0].unlink(missing_ok=True)  # is made again
    assert outcome() == expected


# The command line


def test_god_on_disk(run: Run, tmp_path: Path) -> None:
    alone = run("god", "square R(4,2)", "--json")
    disk = run("god", "square R(4,2)", "--disk", str(tmp_path / "d"), "--memory", "60M", "--json")
    assert disk.code == alone.code == 0
    assert json.loads(disk.out) == json.loads(alone.out)
    again = run("god", "square R(4,2)", "--disk", str(tmp_path / "d"), "--json")
    assert json.loads(again.out) == json.loads(alone.out)


@pytest.mark.parametrize(
    "words",
    [
        ["--disk", ""],
        ["--disk", "a", "--checkpoint", "b"],
        ["--disk", "a", "--metric", "straight"],
        ["--disk", __file__],
    ],
    ids=str,
)
def test_what_does_not_go_on_disk_is_refused(
    run: Run, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(run("god", "square R(3,2)", *words))


def test_too_little_memory_for_one_shard_is_refused(run: Run, tmp_path: Path) -> None:
    result = run("god", "square R(3,4)", "--disk", str(tmp_path / "d"), "--memory", "100k")
    assert result.code == 3
    assert "and the limit is" in result.err


def test_too_little_space_on_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    component = component_of("square R(4,2)")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    with pytest.raises(TooLarge, match="on the disk"):
        found(DiskSearch(component, prefix=1), tmp_path)


@pytest.mark.parametrize("text", ["square R(4,2)", "king R(4,2)"])
def test_files_torn_by_a_power_failure_are_made_again(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Small files of an unfinished layer may have their names without their content."""
    component = component_of(text)
    expected = found(Search(component))
    with stopped_after(monkeypatch, 185), pytest.raises(Stop):
        found(DiskSearch(component, prefix=1, thin=0), tmp_path)
    layers = len(json.loads((tmp_path / "layers.json").read_text())["body"]["manifest"]["layers"])
    begun = [*tmp_path.glob(f"layer-{layers:04d}-*"), *tmp_path.glob(f"cross-{layers + 1:04d}-*")]
    assert len(begun) > 1
    for number, path in enumerate(begun):
        path.write_bytes((b"", path.read_bytes()[:-8], bytes(path.stat().st_size))[number % 3])
    assert found(DiskSearch(component, prefix=1), tmp_path) == expected


def test_files_that_do_not_reach_the_disk_are_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The manifest must not name them."""

    def broken(folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("slidelab.distance.shard_files.sync_folder", broken)
    with pytest.raises(TooLarge, match=r"layer 0 could not be written .*: Input/output error"):
        found(DiskSearch(component_of("square R(4,2)"), prefix=1, thin=0), tmp_path)
    assert not (tmp_path / "layers.json").exists()


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


START = "1 2 3 4 5 6 7 ."


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a search on disk that the command line can resume."""
    component = component_of("square R(4,2)")
    search = DiskSearch(component, prefix=1)
    key = search_key(component.start, "single")
    with (
        stopped_after(monkeypatch, 150),
        pytest.raises(Stop),
        search.open_folder(tmp_path / "d", key) as folder,
    ):
        search.run(component.known_index(component.start), folder)
    return tmp_path / "d"


def test_the_folder_of_another_search_is_refused_and_stays(run: Run, stored: Path) -> None:
    before = content(stored)
    for board, start in (
        ("square R(3,3)", "1 2 3 4 5 6 7 8 ."),
        ("square R(4,2)", "1 2 3 4 5 6 . 7"),
        ("hex P(3,2) gourds 1", "0-1 3-4"),
        ("square R(2,2)", "1 2 3 ."),
    ):
        for option in ("--disk", "--checkpoint"):
            words = ["god", board, "--start", start, option, str(stored)]
            result = run(*words)
            assert result.code == 2, result.err
            if board.startswith("square"):
                refused(result, "belongs to another search")
            assert content(stored) == before


def test_a_manifest_that_says_nonsense_is_refused(run: Run, stored: Path) -> None:
    """Its checksum fits, but what it lists does not."""
    path = stored / "layers.json"
    body = json.loads(path.read_text())["body"]
    changes: list[dict[str, Any]] = [
        {"files": [[], []]},
        {"files": [[0], [0, 0]]},
        {"files": [[99], [0]]},
        {"prefix": 3},
        {"prefix": 50},
        {"prefix": -1},
        {"alternates": False},
        {"layers": []},
        {"layers": [1, 2]},
    ]
    for change in changes:
        changed = {**body, "manifest": {**body["manifest"], **change}}
        path.write_text(json.dumps({"body": changed, "sha256": json_checksum(changed)}))
        before = content(stored)
        refused(run("god", "square R(4,2)", "--start", START, "--disk", str(stored)), "damaged")
        assert content(stored) == before
    path.write_text(json.dumps({"body": {**body, "format": "other"}, "sha256": ""}))
    refused(run("god", "square R(4,2)", "--start", START, "--disk", str(stored)), "damaged")


def test_what_a_run_left_when_it_was_killed_at_its_end_goes(run: Run, stored: Path, tmp_path: Path) -> None:
    command = ["god", "square R(4,2)", "--start", START, "--json"]
    run(*command, "--disk", str(tmp_path / "whole"))
    (stored / "result.json").write_bytes((tmp_path / "whole" / "result.json").read_bytes())
    assert run(*command, "--disk", str(stored)).out == run(*command).out
    assert [path.name for path in stored.iterdir()] == ["result.json"]


def test_a_search_on_disk_within_a_layer_is_not_taken_up_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    component = component_of("square R(4,2)")
    monkeypatch.setattr("slidelab.distance.shard_files.SYNC_BYTES", 1)  # every file is safe at once
    with stopped_after(monkeypatch, 185), pytest.raises(Stop):
        found(DiskSearch(component, prefix=1, thin=0), tmp_path)
    with pytest.raises(sl.PuzzleError, match="resume it with --disk"):
        found(ShardedSearch(component), tmp_path)
    assert found(DiskSearch(component, prefix=1), tmp_path) == found(Search(component))


# Several processes

pytest.importorskip("mpi4py", reason="several processes need mpi4py")
MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpiexec = pytest.mark.skipif(not MPIEXEC.exists(), reason="there is no mpiexec beside Python")


def ranks(count: int, *words: str) -> list[str]:
    return [str(MPIEXEC), "-n", str(count), sys.executable, "-m", "slidelab.cli", *words]


def answer(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@needs_mpiexec
@pytest.mark.parametrize(
    ("count", "text"), [(2, "square R(4,2)"), (3, "king R(4,2)"), (2, "hex F(2) gourds 1")]
)
def test_processes_search_together(run: Run, count: int, text: str) -> None:
    together = answer(ranks(count, "god", text, "--json", "--threads", "1"))
    assert together.returncode == 0, together.stderr
    assert json.loads(together.stdout) == json.loads(run("god", text, "--json").out)


@needs_mpiexec
def test_processes_refuse_bad_input_once() -> None:
    result = answer(ranks(2, "god", "square R(3,x)"))
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("slidelab:") == 1
    result = answer(ranks(2, "god", "square R(3,3)", "--metric", "straight"))
    assert (result.returncode, result.stderr.count("slidelab:")) == (2, 1)


DRIVER = """
import os, signal
from slidelab.cli import processes
from slidelab.distance.shard_files import ShardFolder
from slidelab.errors import TooLarge

rank, left = int(os.environ["PMI_RANK"]), int(os.environ["FILES"])
real = ShardFolder.write_words
processes.PATIENCE = 0.5

def write(self, *arguments):
    global left
    left -= 1
    if left < 0 and rank == int(os.environ["VICTIM"]):
        if os.environ["HOW"] == "full":
            raise TooLarge("the disk is full")
        os.kill(os.getpid(), signal.SIGKILL)
    return real(self, *arguments)

ShardFolder.write_words = write
from slidelab.cli.__main__ import main
main()
"""
"""The command line in a process of MPI of which one is killed, or has a full disk, after so many files."""


def struck(count: int, victim: int, files: int, how: str, *words: str) -> subprocess.CompletedProcess[str]:
    given = {"VICTIM": str(victim), "FILES": str(files), "HOW": how}
    command = [str(MPIEXEC), "-n", str(count), sys.executable, "-c", DRIVER, *words]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, env=os.environ | given, check=False
    )


def newest(folder: Path) -> int:
    body = json.loads((folder / "layers.json").read_text())["body"]
    return len(body["manifest"]["layers"]) - 1


def wait_for_lock(folder: Path) -> None:
    """Wait for the process that had locked a folder, which ends by itself but perhaps after mpiexec."""
    handle = os.open(folder, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    os.close(handle)


@needs_mpiexec
def test_a_killed_process_and_another_number_of_processes(run: Run, tmp_path: Path) -> None:
    """One of two processes is killed in the middle, then one of three; one alone goes on to the end."""
    folder = tmp_path / "layers"
    words = ["god", "square R(4,2)", "--start", START, "--checkpoint", str(folder), "--json"]
    layers = []
    for count, victim, files in ((2, 1, 60), (3, 0, 20)):  # about four and two files a layer
        assert struck(count, victim, files, "kill", *words).returncode not in (0, 1, 2, 3)
        wait_for_lock(folder)
        layers.append(newest(folder))
    assert 3 < layers[0] < layers[0] + 3 < layers[1]
    result = run(*words)
    assert result.code == 0, result.err
    assert result.out == run(*words[:4], "--json").out


@needs_mpiexec
def test_a_process_that_fails_alone_says_so(tmp_path: Path) -> None:
    words = ["god", "square R(4,2)", "--start", START, "--checkpoint", str(tmp_path / "layers")]
    for options in ([], ["--json"]):
        result = struck(2, 1, 30, "full", *words, *options)
        assert result.returncode != 0
        assert "the disk is full" in (result.stdout if options else result.stderr)
        assert "Traceback" not in result.stderr


@needs_mpiexec
def test_processes_with_different_disks_are_refused(tmp_path: Path) -> None:
    """A relative folder in two places is like a disk of each machine."""
    words = [sys.executable, "-m", "slidelab.cli", "god", "square R(4,2)", "--checkpoint", "layers"]
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    places = [["-n", "1", "-wdir", str(tmp_path / name), *words] for name in ("a", "b")]
    result = answer([str(MPIEXEC), *places[0], ":", *places[1]])
    assert (result.returncode, result.stdout, result.stderr.count("slidelab:")) == (2, "", 1)
    assert "expected a folder on a disk that all machines share" in result.stderr


@needs_mpiexec
def test_processes_refuse_a_folder_in_use_together(tmp_path: Path) -> None:
    with Checkpoint(tmp_path, {}):
        result = answer(ranks(2, "god", "square R(4,2)", "--start", START, "--checkpoint", str(tmp_path)))
    assert (result.returncode, result.stdout, result.stderr.count("slidelab:")) == (2, "", 1)
    assert "another run is using" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_number_of_shards() -> None:
    component = component_of("square R(3,4)")
    assert [choose_prefix(component, n) for n in (1, 2, 3, 8, 30)] == [0, 1, 2, 2, 3]
