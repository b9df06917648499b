"""Searches that are killed, stopped, short of disk or lied to, and go on from their last good layer."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from slidelab.cli import main
from slidelab.distance.checkpoint import Checkpoint, search_key
from slidelab.distance.component import Component
from slidelab.distance.search import Search
from slidelab.errors import Damaged, PuzzleError, TooLarge
from slidelab.puzzles import Configuration, Puzzle

EIGHT = "square R(3,3)"
START = "1 2 3 4 5 6 7 8 ."


class Stop(Exception):
    """As if the machine had gone."""


class Saved(list[tuple[Path, int]]):
    """The layers that were written, in order; after `stop_at` of them the run ends."""

    stop_at: int | None = None


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Saved:
    """Watch every layer that is saved."""
    watched = Saved()
    real = Checkpoint.save

    def save(self: Checkpoint, search: Any) -> None:
        real(self, search)
        watched.append((self.folder, len(search.layers) - 1))
        if watched.stop_at is not None and len(watched) >= watched.stop_at:
            raise Stop

    monkeypatch.setattr(Checkpoint, "save", save)
    return watched


def stop_after(saved: Saved, layers: int, task: Callable[[], Any]) -> None:
    """Run a task until so many layers are saved."""
    saved.stop_at = layers
    with pytest.raises(Stop):
        task()
    saved.stop_at = None
    saved.clear()


def layer_files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("layer-*.bin"))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(capsys, monkeypatch):
    def call(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capsys.readouterr()
        return Result(int(ended.value.code or 0), captured.out, captured.err)

    return call


def refused(result: Result, named: str, code: int = 2) -> None:
    """One line that names the file."""
    assert result.code == code
    assert result.out == ""
    assert result.err.startswith("slidelab: ")
    assert result.err.count("\n") == 1
    assert named in result.err
    assert len(result.err) < 600


# Every puzzle goes on from every layer

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
    text: str, colours: str | None, metric: str, saved: Saved, tmp_path: Path
) -> None:
    puzzle = sl.puzzle(text, colours=list(colours) if colours else None)
    expected = puzzle.distances(metric=metric)
    last = expected.depth  # the last layer is never saved: the result is
    for layer in sorted({0, 1, 2, 3, last // 3, last // 2, last - 2, last - 1}):
        folder = tmp_path / str(layer)

        def task(folder: Path = folder) -> sl.Distances:
            return puzzle.distances(metric=metric, checkpoint=folder)

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
        stop_after(saved, layers, lambda folder=folder: puzzle.gods_number(checkpoint=folder))
        assert puzzle.gods_number(checkpoint=folder) == expected


# A process that is killed, or told to stop

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
    while child.poll() is None and not any(int(name[6:10]) >= 24 for name in layer_files_of(folder)):
        time.sleep(0.002)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 130
    assert out == ""
    said = [line for line in err.splitlines() if "about" not in line]  # but for the plan
    assert 1 <= len(said) <= 2
    assert str(folder) in said[0]
    assert said[-1] == "slidelab: stopped"
    assert "Traceback" not in err
    assert sorted(path.name for path in folder.iterdir()) == layer_files(folder)  # nothing half written
    newest = int(layer_files(folder)[-1][6:10])
    second = watched(*long_run(folder))
    assert next(saved_layers(second)) == newest + 1
    second.kill()
    second.communicate()


def layer_files_of(folder: Path) -> list[str]:
    return layer_files(folder) if folder.exists() else []


# A disk that is full


def on_small_disk(folder: Path, most: int) -> subprocess.CompletedProcess[str]:
    """A run that may not write files of more than so many bytes."""
    return subprocess.run(
        [sys.executable, "-m", "slidelab.cli", "god", EIGHT, "--start", START, "--checkpoint", str(folder)],
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
def test_a_disk_that_fails_is_no_loss(code: int, calls: int, tmp_path: Path, monkeypatch) -> None:
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
        with pytest.raises(TooLarge, match="intact") as caught:
            puzzle.distances(checkpoint=tmp_path)
    assert str(tmp_path) in str(caught.value)
    assert ("the disk is full" in str(caught.value)) == (code != errno.EIO)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        f"layer-{k:04d}.bin" for k in range(max(0, calls - 2), calls)
    ]
    assert puzzle.distances(checkpoint=tmp_path).distribution == puzzle.distances().distribution


# Files that are not what they should be


@pytest.fixture
def half_done(saved: Saved, tmp_path: Path) -> Path:
    """The 8-puzzle, stopped when layer 9 was safe."""
    folder = tmp_path / "half"
    stop_after(saved, 10, lambda: sl.puzzle(EIGHT).distances(START, checkpoint=folder))
    assert layer_files(folder) == ["layer-0008.bin", "layer-0009.bin"]
    return folder


def again(folder: Path) -> list[str]:
    return ["god", EIGHT, "--start", START, "--checkpoint", str(folder)]


def flip(path: Path, position: int, mask: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= mask
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["layer-0008.bin", "layer-0009.bin"])
@pytest.mark.parametrize(
    "where", ["first", "header", "newline", "length", "long length", "words", "checksum", "last"]
)
def test_a_flipped_bit_is_refused(run, half_done: Path, name: str, where: str) -> None:
    path = half_done / name
    data = path.read_bytes()
    body = data.index(b"\n") + 1
    position = {
        "first": 0,
        "header": body // 2,
        "newline": body - 1,
        "length": body,
        "long length": body + 7,
        "words": (body + 8 + len(data) - 32) // 2,
        "checksum": len(data) - 32,
        "last": len(data) - 1,
    }[where]
    flip(path, position, 0x80 if where == "long length" else 1)
    before = content(half_done)
    refused(run(*again(half_done)), str(path))
    assert content(half_done) == before
    flip(path, position, 0x80 if where == "long length" else 1)
    assert run(*again(half_done)).code == 0


def search_of(start: Configuration, folder: Path) -> tuple[Search, Checkpoint]:
    return Search(Component(start)), Checkpoint(folder, search_key(start, "single"))


def test_no_bit_of_a_layer_may_flip(saved: Saved, tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    stop_after(saved, 8, lambda: puzzle.distances(checkpoint=tmp_path))
    search, kept = search_of(puzzle.goal, tmp_path)
    for path in tmp_path.iterdir():
        for position in range(path.stat().st_size):
            flip(path, position, 1 << position % 8)
            with pytest.raises(PuzzleError, match=path.name):
                kept.restore(search)
            flip(path, position, 1 << position % 8)
    assert kept.restore(search)
    assert search.layers == list(puzzle.distances().distribution[:8])


@pytest.mark.parametrize("name", ["layer-0008.bin", "layer-0009.bin"])
@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 200, -33, -1, "more"])
def test_a_file_cut_short_is_refused(run, half_done: Path, name: str, size: int | str) -> None:
    path = half_done / name
    data = path.read_bytes()
    path.write_bytes(data + b"\0" if isinstance(size, str) else data[:size])
    before = content(half_done)
    refused(run(*again(half_done)), str(path))
    assert content(half_done) == before


def test_a_missing_layer_is_refused(run, half_done: Path) -> None:
    (half_done / "layer-0008.bin").unlink()
    before = content(half_done)
    refused(run(*again(half_done)), "layer-0008.bin")
    assert content(half_done) == before


def test_without_its_newest_layer_a_search_needs_the_one_before(run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").unlink()
    refused(run(*again(half_done)), "layer-0007.bin")


def test_a_layer_under_another_name_is_refused(run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").rename(half_done / "layer-0010.bin")
    (half_done / "layer-0008.bin").rename(half_done / "layer-0009.bin")
    before = content(half_done)
    refused(run(*again(half_done)), "layer-0009.bin")
    assert content(half_done) == before


def test_a_folder_in_place_of_a_layer_is_refused(run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").unlink()
    (half_done / "layer-0009.bin").mkdir()
    refused(run(*again(half_done)), "layer-0009.bin")


OTHERS = {
    "puzzle": ["god", "square R(2,4)", "--start", "1 2 3 4 5 6 7 ."],
    "rule": ["god", "king R(3,3)", "--start", START],
    "start": ["god", EIGHT, "--start", "1 2 3 4 . 5 6 7 8"],
    "arrangement": ["god", EIGHT, "--start", "2 1 3 4 5 6 7 8 ."],
    "colours": ["god", f"{EIGHT} : a b c d e f g h .", "--start", "a b c d e f g h ."],
    "metric": ["god", EIGHT, "--start", START, "--metric", "straight"],
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("finished", [False, True])
def test_the_folder_of_another_search_is_refused(run, half_done: Path, what: str, finished: bool) -> None:
    if finished:
        assert run(*again(half_done)).code == 0
    before = content(half_done)
    result = run(*OTHERS[what], "--checkpoint", str(half_done))
    refused(result, str(half_done))
    assert "another search" in result.err
    assert ("result.json" if finished else "layer-000") in result.err
    assert content(half_done) == before


def with_checksum(data: bytes) -> bytes:
    return data + hashlib.sha256(data).digest()


def forgeries(data: bytes) -> dict[str, bytes]:
    """Files that are well kept, but were never written by a search."""
    line, _, rest = data[:-32].partition(b"\n")
    header = json.loads(line)

    def with_header(**changes: Any) -> bytes:
        return json.dumps({**header, **changes}).encode() + b"\n" + rest

    layers = header["layers"]
    size = int.from_bytes(rest[:8], "little")
    return {
        "nothing": b"",
        "no header": b"\n" + rest,
        "a list": b"[1, 2]\n" + rest,
        "deep": b"[" * 200_000 + b"\n" + rest,
        "other format": with_header(format="slidelab search 0"),
        "other words": with_header(words=header["words"] + 1),
        "words of a text": with_header(words="many"),
        "fewer layers": with_header(layers=layers[:-1]),
        "wrong layers": with_header(layers=[*layers[:-1], layers[-1] + 1]),
        "negative layers": with_header(layers=[*layers[:-1], -1]),
        "huge layers": with_header(layers=[*layers[:-1], 2**64 - 1]),
        "true layers": with_header(layers=[True, *layers[1:]]),
        "layers missing": with_header(layers=None),
        "no blocks": line + b"\n",
        "block too long": line + b"\n" + (size + 1).to_bytes(8, "little") + rest[8:],
        "block far too long": line + b"\n" + (2**63 + 1).to_bytes(8, "little") + rest[8:],
        "empty block": line + b"\n" + bytes(8),
        "all ones": line + b"\n" + rest[:8] + b"\xff" * (len(rest) - 8),
        "all zeros": line + b"\n" + rest[:8] + bytes(len(rest) - 8),
        "one bit": line + b"\n" + rest[:-1] + bytes([rest[-1] ^ 0x10]),
    }


FORGERIES = [
    "nothing", "no header", "a list", "deep", "other format", "other words", "words of a text",
    "fewer layers", "wrong layers", "negative layers", "huge layers", "true layers", "layers missing",
    "no blocks", "block too long", "block far too long", "empty block", "all ones", "all zeros", "one bit",
]  # fmt: skip


@pytest.mark.parametrize("name", ["layer-0008.bin", "layer-0009.bin"])
@pytest.mark.parametrize("what", FORGERIES)
def test_forged_layers_do_no_harm(run, half_done: Path, name: str, what: str) -> None:
    """A checksum proves no good will. Such a file is refused, or at worst the search says it can't be."""
    path = half_done / name
    made = forgeries(path.read_bytes())
    assert list(made) == FORGERIES
    path.write_bytes(with_checksum(made[what]))
    before = content(half_done)
    result = run(*again(half_done))
    if name == "layer-0008.bin" and what in ("wrong layers", "huge layers") and result.code == 0:
        (half_done / "result.json").unlink()
        assert result.out == run(*again(half_done)).out  # the newest layer has the sizes, too
        return
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    if what not in ("all zeros", "all ones", "one bit"):  # those it may notice later
        assert path.name in result.err
        assert content(half_done) == before


# Results


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    sl.puzzle("square R(3,2)").distances(checkpoint=tmp_path / "done", hardest=1)
    return tmp_path / "done"


def test_a_finished_search_answers_at_once(finished: Path, monkeypatch) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    expected = puzzle.distances()

    def fail(*_: object) -> None:
        raise AssertionError("it searched again")

    before = content(finished)
    monkeypatch.setattr(Search, "run", fail)
    found = puzzle.distances(checkpoint=finished)
    assert (found.distribution, found.hardest, found.start) == (
        expected.distribution,
        expected.hardest,
        expected.start,
    )
    assert content(finished) == before


def test_a_result_with_too_few_hardest_is_searched_again(tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(4,2) : 1 2 3 . 4 5 6 7")
    start = "1 2 3 . 4 5 6 7"
    expected = {n: puzzle.distances(start, hardest=n).hardest for n in (0, 1, 2, 1000)}
    assert len(expected[1000]) >= 1
    for number in (1, 1000, 2, 0, 1):
        found = puzzle.distances(start, hardest=number, checkpoint=tmp_path)
        assert found.hardest == expected[number]


def test_no_bit_of_a_result_may_flip(finished: Path) -> None:
    path = finished / "result.json"
    kept = Checkpoint(finished, search_key(sl.puzzle("square R(3,2)").goal, "single"))
    for position in range(path.stat().st_size):
        flip(path, position)
        with pytest.raises(Damaged, match=r"result\.json"):
            kept.result()
        flip(path, position)
    assert kept.result() is not None


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"{}", b'{"body": 1}', b'{"body": {}, "sha256": 5}', b"\xff\xfe", b"[" * 200_000],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_result_is_refused(run, finished: Path, data: bytes) -> None:
    (finished / "result.json").write_bytes(data)
    before = content(finished)
    result = run("god", "square R(3,2)", "--start", "1 2 3 4 5 .", "--checkpoint", str(finished))
    refused(result, str(finished / "result.json"))
    assert content(finished) == before


def test_a_result_cut_short_is_refused(run, finished: Path) -> None:
    path = finished / "result.json"
    path.write_bytes(path.read_bytes()[:-20])
    refused(
        run("god", "square R(3,2)", "--start", "1 2 3 4 5 .", "--checkpoint", str(finished)), "result.json"
    )


# The folder


def test_what_a_killed_run_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    ours = [".layer-0004.bin.a1b2c3d4.part", ".result.json.x_y_z_12.part"]
    theirs = ["notes.txt", ".hidden", "film.part", ".film.avi.part", "layer-1.bin", "layer-0001.bin.old"]
    for name in (*ours, *theirs):
        (tmp_path / name).write_text("?")
    puzzle = sl.puzzle("square R(3,2)")
    assert puzzle.distances(checkpoint=tmp_path).distribution == puzzle.distances().distribution
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["result.json", *theirs])


def test_a_folder_that_can_not_be_made(run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "inside"):
        refused(run(*again(folder)), str(folder))
    assert (tmp_path / "file").read_text() == ""


def test_a_search_that_is_refused_leaves_no_folder(run, tmp_path: Path) -> None:
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
    puzzle: Puzzle = sl.puzzle("square R(2,2)")
    assert puzzle.distances(checkpoint=tmp_path / "a" / "b").states == 12
    assert puzzle.gods_number(checkpoint=str(tmp_path / "c")).number == 6
    assert (tmp_path / "c" / "start-000" / "result.json").exists()


def test_several_puzzles_do_not_share_a_folder(run, tmp_path: Path) -> None:
    refused(run("god", EIGHT, "square R(2,2)", "--checkpoint", str(tmp_path)), "--checkpoint")
    assert list(tmp_path.iterdir()) == []
