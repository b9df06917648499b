"""Searches that are killed, interrupted or run out of disk space, and resume from their last good layer."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

import slidelab as sl
from commands import Run, one_line, refused
from distance.checkpoints import EIGHT, START, Saved, layer_files, resume, stop_after
from slidelab.distance.checkpoint import json_checksum
from slidelab.distance.metric import Metric
from slidelab.distance.shard_files import ShardFolder
from slidelab.errors import Damaged, TooLarge

# Every puzzle resumes from every layer

CASES = [
    ("square R(3,2)", None, "single"),
    ("square R(3,2)", None, "straight"),
    ("hex P(2,3) tiles 2", None, "straight"),
    ("hex F(2) hextiles 3", None, "single"),
    ("hex F(2) gourds 1", None, "single"),
    ("hex T(4) hextiles 3", None, "single"),
    ("theta(1,2,2)", None, "single"),
    ("square R(3,3)", "aabbccdd", "single"),
    ("square R(3,3)", "aaaabbbb", "straight"),
]


@pytest.mark.parametrize(("text", "colours", "metric"), CASES, ids=lambda value: str(value))
def test_a_search_continues_from_any_layer(
    text: str, colours: str | None, metric: Metric, saved: Saved, tmp_path: Path
) -> None:
    puzzle = sl.puzzle(text, colours=list(colours) if colours else None)
    expected = puzzle.distances(metric=metric)
    last = expected.depth  # the last layer is never saved: the result is
    for layer in sorted({0, 1, 2, 3, last // 3, last // 2, last - 2, last - 1}):
        folder = tmp_path / str(layer)
        task = partial(puzzle.distances, metric=metric, checkpoint=folder)
        stop_after(saved, layer + 1, task)
        assert layer_files(folder) == [f"layer-{k:04d}.bin" for k in range(max(0, layer - 1), layer + 1)]
        assert task() == expected
        assert [number for _, number in saved] == list(range(layer + 1, last))
        assert [path.name for path in folder.iterdir()] == ["result.json"]
        saved.clear()


def test_a_search_may_be_stopped_again_and_again(saved: Saved, tmp_path: Path) -> None:
    puzzle = sl.puzzle(EIGHT)
    expected = puzzle.distances()
    for layer in range(expected.depth):  # one layer a run
        stop_after(saved, 1, lambda: puzzle.distances(checkpoint=tmp_path))
        assert layer_files(tmp_path)[-1] == f"layer-{layer:04d}.bin"
    assert puzzle.distances(checkpoint=tmp_path) == expected
    assert saved == []


def test_gods_number_continues_in_the_middle(saved: Saved, tmp_path: Path) -> None:
    puzzle = sl.puzzle(EIGHT)
    expected = puzzle.gods_number()
    assert len(expected.searches) == 3
    stop_after(saved, expected.searches[0].depth + 12, lambda: puzzle.gods_number(checkpoint=tmp_path))
    assert [path.name for path in (tmp_path / "start-000").iterdir()] == ["result.json"]
    before = (tmp_path / "start-000" / "result.json").stat()
    assert layer_files(tmp_path / "start-001") == ["layer-0010.bin", "layer-0011.bin"]
    assert not (tmp_path / "start-002").exists()
    assert puzzle.gods_number(checkpoint=tmp_path) == expected
    after = (tmp_path / "start-000" / "result.json").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    second, third = (search.depth for search in expected.searches[1:])
    assert saved == [
        *((tmp_path / "start-001", k) for k in range(12, second)),
        *((tmp_path / "start-002", k) for k in range(third)),
    ]


def test_gods_number_of_gourds_continues_from_anywhere(saved: Saved, tmp_path: Path) -> None:
    puzzle = sl.puzzle("hex F(2) gourds 1")
    expected = puzzle.gods_number()
    for number, layers in enumerate((1, 5, 14, 30)):
        folder = tmp_path / str(number)
        stop_after(saved, layers, partial(puzzle.gods_number, checkpoint=folder))
        assert puzzle.gods_number(checkpoint=folder) == expected


# A process that is killed or interrupted

LONG = "square R(4,3)"
A090166 = next(
    row["terms"]
    for row in json.loads((Path(__file__).parent.parent / "golden" / "distances.json").read_text())[
        "distributions"
    ]
    if row["sequence"] == "A090166"
)
WATCHED = """
import sys
from slidelab.cli import main
from slidelab.distance.checkpoint import Checkpoint, search_key
real = Checkpoint.save
def save(self, search):
    real(self, search)
    print("saved", len(search.layers) - 1, file=sys.stderr, flush=True)
Checkpoint.save = save
main(sys.argv[1:])
"""


def long_run(folder: Path) -> list[str]:
    start = "1 2 3 4 5 6 7 8 9 10 11 ."
    return ["god", LONG, "--start", start, "--threads", "1", "--checkpoint", str(folder), "--json"]


def watched(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WATCHED, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def saved_layers(child: subprocess.Popen[str]) -> Iterator[int]:
    assert child.stderr is not None
    for line in child.stderr:
        if line.startswith("saved "):
            yield int(line.split()[1])


def test_kill_9_and_go_on(tmp_path: Path) -> None:
    """Killed three times: young, in the thick of it, and right after."""
    folder, newest = tmp_path / "layers", -1
    for layer, wait in ((8, 0.0), (28, 0.03), (30, 0.01)):
        child = watched(*long_run(folder))
        first = None
        for number in saved_layers(child):
            first = number if first is None else first
            if number >= layer:
                time.sleep(wait)  # into the next layer
                break
        child.send_signal(signal.SIGKILL)
        child.communicate()
        assert child.returncode == -signal.SIGKILL
        assert first == newest + 1  # it went on, and did not begin again
        newest = int(layer_files(folder)[-1][6:10])
        assert newest >= layer
    child = watched(*long_run(folder))
    out, err = child.communicate()
    assert child.returncode == 0
    again = [int(line.split()[1]) for line in err.splitlines() if line.startswith("saved ")]
    assert again[0] == newest + 1
    assert json.loads(out)["distribution"] == A090166
    assert [path.name for path in folder.iterdir()] == ["result.json"]


def test_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "layers"
    command = [sys.executable, "-m", "slidelab.cli", *long_run(folder)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while child.poll() is None and not any(int(name[6:10]) >= 24 for name in layer_files(folder)):
        time.sleep(0.002)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 130
    assert out == ""
    lines = [line for line in err.splitlines() if "about" not in line]  # but for the plan
    assert len(lines) == 1
    assert lines[0].startswith(f"slidelab: stopped; the finished layers are in {folder}, ")
    assert sorted(path.name for path in folder.iterdir()) == layer_files(folder)  # nothing half written
    newest = int(layer_files(folder)[-1][6:10])
    second = watched(*long_run(folder))
    assert next(saved_layers(second)) == newest + 1
    second.kill()
    second.communicate()


# A disk that is full


def on_small_disk(folder: Path, most: int) -> subprocess.CompletedProcess[str]:
    """A run that may not write files of more than so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "slidelab.cli", *resume(folder)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
    )


def test_a_full_disk_is_no_loss(saved: Saved, tmp_path: Path) -> None:
    done = on_small_disk(tmp_path, 3000)
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert str(tmp_path) in done.stderr
    assert "the disk is full" in done.stderr
    kept = layer_files(tmp_path)
    assert len(kept) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == kept
    newest = int(kept[-1][6:10])
    assert 3 < newest < 20
    again = on_small_disk(tmp_path, 3000)
    assert (again.returncode, layer_files(tmp_path)) == (3, kept)
    puzzle = sl.puzzle(EIGHT)
    assert puzzle.distances(START, checkpoint=tmp_path).distribution == puzzle.distances().distribution
    assert saved[0] == (tmp_path, newest + 1)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("calls", [0, 1, 13, 31])
def test_a_disk_that_fails_is_no_loss(
    code: int, calls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Call 31 writes the result, when all layers are done."""
    puzzle = sl.puzzle(EIGHT)
    real, left = os.fsync, [calls]

    def fsync(handle: int) -> None:
        if os.fstat(handle).st_mode & 0o040000:  # a folder
            return
        left[0] -= 1
        if left[0] < 0:
            raise OSError(code, os.strerror(code))
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(TooLarge, match="could not be written") as caught:
            puzzle.distances(checkpoint=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert ("the earlier files are intact" in str(caught.value)) == (calls > 0)
    assert ("the disk is full" in str(caught.value)) == (code != errno.EIO)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        f"layer-{k:04d}.bin" for k in range(max(0, calls - 2), calls)
    ]
    assert puzzle.distances(checkpoint=tmp_path).distribution == puzzle.distances().distribution


# The folder


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    ours = [".layer-0004.bin.a1b2c3d4.part", ".result.json.x_y_z_12.part"]
    theirs = ["notes.txt", ".hidden", "film.part", ".film.avi.part", "layer-1.bin", "layer-0001.bin.old"]
    for name in (*ours, *theirs):
        (tmp_path / name).write_text("?")
    puzzle = sl.puzzle("square R(3,2)")
    assert puzzle.distances(checkpoint=tmp_path).distribution == puzzle.distances().distribution
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["result.json", *theirs])


def test_a_folder_that_can_not_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        refused(run(*resume(folder)), str(folder))
    assert (tmp_path / "file").read_text() == ""


def test_files_of_an_obsolete_search_in_shards_go(tmp_path: Path) -> None:
    """Those of a run of several processes that was killed, and whose manifest is gone."""
    names = ["layer-0012-shard-000003.bin", "cross-0013-shard-000004.bin"]
    theirs = ["layer-0012-shard-000003.bin.old", "cross-0013.bin"]
    for name in (*names, *theirs):
        (tmp_path / name).write_text("?")
    puzzle = sl.puzzle("square R(3,2)")
    expected = puzzle.distances()
    assert puzzle.distances(checkpoint=tmp_path) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["result.json", *theirs])
    (tmp_path / names[0]).write_text("?")  # of a run that was killed as soon as it had its result
    (tmp_path / "layers.json").write_text("?")
    assert puzzle.distances(checkpoint=tmp_path) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["result.json", *theirs])


@pytest.mark.parametrize("option", ["--checkpoint", "--disk"])
def test_what_cannot_be_removed_is_named(run: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "layer-0000-shard-000099.bin").mkdir()
    words = ["god", "square R(3,2)", "--start", "1 2 3 4 5 .", option, str(tmp_path)]
    one_line(run(*words), 2, "layer-0000-shard-000099.bin cannot be removed: Is a directory")


def test_a_search_is_checked_before_it_is_announced(run: Run, tmp_path: Path) -> None:
    """A folder of another search, whatever it is in."""
    start = "1 2 3 4 5 6 7 8 9 10 11 ."
    for option, memory in (("--checkpoint", "200M"), ("--disk", "50M")):
        for name in ("result.json", "layer-0001.bin", "layers.json"):
            folder = tmp_path / f"{option}-{name}"
            folder.mkdir()
            other = {"search": {"start": "another"}, "format": "slidelab search 2"}
            if name == "layers.json":
                other["format"] = "slidelab shards 1"
            content = json.dumps({"body": other, "sha256": json_checksum(other)}).encode()
            if name == "layer-0001.bin":
                content = json.dumps(other).encode() + b"\n"
                content += hashlib.sha256(content).digest()
            (folder / name).write_bytes(content)
            result = run("god", LONG, "--start", start, option, str(folder), "--memory", memory)
            refused(result, str(folder))
            assert "another search" in result.err or (option, name) == ("--disk", "layer-0001.bin")


def test_space_on_the_disk_is_checked_before_a_search_is_announced(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1000))
    start = "1 2 3 4 5 6 7 8 9 10 11 ."
    one_line(run("god", LONG, "--start", start, "--disk", str(tmp_path / "d")), 3, "and", "has 1 kB left")


def test_a_damaged_layer_of_another_search_is_damaged(run: Run, saved: Saved, tmp_path: Path) -> None:
    stop_after(saved, 3, lambda: sl.puzzle(EIGHT).distances(START, checkpoint=tmp_path))
    path = tmp_path / layer_files(tmp_path)[-1]
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"start": "', b'"start": "?', 1))
    refused(run(*resume(tmp_path)), "is damaged: its checksum is")


def test_files_of_shards_of_another_length_are_damaged(tmp_path: Path) -> None:
    import numpy as np

    words = np.arange(100, dtype=np.uint64)
    with ShardFolder(tmp_path, {}) as folder:
        layer, cross = folder.layer_path(1, 0), folder.cross_path(2, 0)
        folder.write(1, 0, words, 100)
        folder.write_blocks(cross, words.reshape(-1, 10))

        def read(path: Path) -> None:
            if path == layer:
                folder.read(1, 0, words.copy())
            else:
                folder.forget_blocks()
                folder.read_blocks(cross, np.array([3]))

        for path in (layer, cross):
            data = path.read_bytes()
            read(path)
            for change, why in (
                (data + b"abc", "it is too long"),
                (data + bytes(8), "it is too long"),
                (data[:-3], "it ends early"),
                (data[:-8], "it ends early"),
                (b"", "it has no header"),
                (bytes([data[0] ^ 1]) + data[1:], "its header does not fit its checksum"),
            ):
                path.write_bytes(change)
                with pytest.raises(Damaged, match=f"{path.name} is damaged: {why}"):
                    read(path)


def test_a_folder_that_is_a_file_names_its_option(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for option in ("--checkpoint", "--disk"):
        for folder in (file, file / "inside"):
            result = run("god", EIGHT, "--start", START, option, str(folder))
            refused(result, f"expected a folder, got '{folder}'", f"'{file}' is a file - at {option}")
    with pytest.raises(sl.NotationError, match=r"is a file - at disk$"):
        sl.puzzle(EIGHT).distances(disk=file)


def test_a_search_that_is_refused_leaves_no_folder(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    tiles = " ".join(map(str, range(1, 16)))
    result = run(
        "god", "square R(4,4)", "--start", f"{tiles} .", "--checkpoint", str(folder), "--memory", "1G"
    )
    assert result.code == 3
    assert not folder.exists()
    assert run("god", EIGHT, "--memory", "10K", "--checkpoint", str(folder)).code == 3
    assert not folder.exists()


def test_folders_in_folders_are_made(tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(2,2)")
    assert puzzle.distances(checkpoint=tmp_path / "a" / "b").states == 12
    assert puzzle.gods_number(checkpoint=str(tmp_path / "c")).number == 6
    assert (tmp_path / "c" / "start-000" / "result.json").exists()


def test_several_puzzles_do_not_share_a_folder(run: Run, tmp_path: Path) -> None:
    refused(run("god", EIGHT, "square R(2,2)", "--checkpoint", str(tmp_path)), "--checkpoint")
    assert list(tmp_path.iterdir()) == []
