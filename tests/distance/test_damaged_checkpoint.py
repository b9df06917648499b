"""Checkpoint files that are damaged, forged, missing or of another search are refused and left alone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

import slidelab as sl
from commands import Run, refused
from distance.checkpoints import EIGHT, START, Saved, content, layer_files, resume, stop_after
from forgery import forgeries as forged_values
from slidelab.distance.checkpoint import Checkpoint, search_key
from slidelab.distance.component import Component
from slidelab.distance.search import Search
from slidelab.errors import Damaged, PuzzleError
from slidelab.puzzles import Configuration

# Layers


@pytest.fixture
def half_done(saved: Saved, tmp_path: Path) -> Path:
    """The 8-puzzle, stopped when layer 9 was safe."""
    folder = tmp_path / "half"
    stop_after(saved, 10, lambda: sl.puzzle(EIGHT).distances(START, checkpoint=folder))
    assert layer_files(folder) == ["layer-0008.bin", "layer-0009.bin"]
    return folder


def flip(path: Path, position: int, mask: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= mask
    path.write_bytes(data)


@pytest.mark.parametrize("name", ["layer-0008.bin", "layer-0009.bin"])
@pytest.mark.parametrize(
    "where", ["first", "header", "newline", "length", "long length", "words", "checksum", "last"]
)
def test_a_flipped_bit_is_refused(run: Run, half_done: Path, name: str, where: str) -> None:
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
    refused(run(*resume(half_done)), str(path))
    assert content(half_done) == before
    flip(path, position, 0x80 if where == "long length" else 1)
    assert run(*resume(half_done)).code == 0


def search_of(start: Configuration, folder: Path) -> tuple[Search, Checkpoint]:
    return Search(Component(start)), Checkpoint(folder, search_key(start, "single"))


def test_no_bit_of_a_layer_may_flip(saved: Saved, tmp_path: Path) -> None:
    puzzle = sl.puzzle("square R(3,2)")
    stop_after(saved, 8, lambda: puzzle.distances(checkpoint=tmp_path))
    search, checkpoint = search_of(puzzle.goal, tmp_path)
    for path in tmp_path.iterdir():
        for position in range(path.stat().st_size):
            flip(path, position, 1 << position % 8)
            with pytest.raises(PuzzleError, match=path.name):
                checkpoint.restore(search)
            flip(path, position, 1 << position % 8)
    assert checkpoint.restore(search)
    assert search.layers == list(puzzle.distances().distribution[:8])


@pytest.mark.parametrize("name", ["layer-0008.bin", "layer-0009.bin"])
@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 200, -33, -1, "more"])
def test_a_file_cut_short_is_refused(run: Run, half_done: Path, name: str, size: int | str) -> None:
    path = half_done / name
    data = path.read_bytes()
    path.write_bytes(data + b"\0" if isinstance(size, str) else data[:size])
    before = content(half_done)
    refused(run(*resume(half_done)), str(path))
    assert content(half_done) == before


def test_a_missing_layer_is_refused(run: Run, half_done: Path) -> None:
    (half_done / "layer-0008.bin").unlink()
    before = content(half_done)
    refused(run(*resume(half_done)), "layer-0008.bin")
    assert content(half_done) == before


def test_without_its_newest_layer_a_search_needs_the_one_before(run: Run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").unlink()
    refused(run(*resume(half_done)), "layer-0007.bin")


def test_a_layer_under_another_name_is_refused(run: Run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").rename(half_done / "layer-0010.bin")
    (half_done / "layer-0008.bin").rename(half_done / "layer-0009.bin")
    before = content(half_done)
    refused(run(*resume(half_done)), "layer-0009.bin")
    assert content(half_done) == before


def test_a_folder_in_place_of_a_layer_is_refused(run: Run, half_done: Path) -> None:
    (half_done / "layer-0009.bin").unlink()
    (half_done / "layer-0009.bin").mkdir()
    refused(run(*resume(half_done)), "layer-0009.bin")


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
def test_the_folder_of_another_search_is_refused(
    run: Run, half_done: Path, what: str, finished: bool
) -> None:
    if finished:
        assert run(*resume(half_done)).code == 0
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
def test_forged_layers_do_no_harm(run: Run, half_done: Path, name: str, what: str) -> None:
    """A checksum proves no good will. Such a file is refused, or at worst the search says it can't be."""
    path = half_done / name
    made = forgeries(path.read_bytes())
    assert list(made) == FORGERIES
    path.write_bytes(with_checksum(made[what]))
    before = content(half_done)
    result = run(*resume(half_done))
    if name == "layer-0008.bin" and what in ("wrong layers", "huge layers") and result.code == 0:
        (half_done / "result.json").unlink()
        assert result.out == run(*resume(half_done)).out  # the newest layer has the sizes, too
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


def test_a_finished_search_answers_at_once(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    checkpoint = Checkpoint(finished, search_key(sl.puzzle("square R(3,2)").goal, "single"))
    for position in range(path.stat().st_size):
        flip(path, position)
        with pytest.raises(Damaged, match=r"result\.json"):
            checkpoint.result()
        flip(path, position)
    assert checkpoint.result() is not None


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"{}", b'{"body": 1}', b'{"body": {}, "sha256": 5}', b"\xff\xfe", b"[" * 200_000],
    ids=lambda data: repr(data[:30]),
)
def test_what_is_no_result_is_refused(run: Run, finished: Path, data: bytes) -> None:
    (finished / "result.json").write_bytes(data)
    before = content(finished)
    result = run("god", "square R(3,2)", "--start", "1 2 3 4 5 .", "--checkpoint", str(finished))
    refused(result, str(finished / "result.json"))
    assert content(finished) == before


def test_a_result_cut_short_is_refused(run: Run, finished: Path) -> None:
    path = finished / "result.json"
    path.write_bytes(path.read_bytes()[:-20])
    refused(
        run("god", "square R(3,2)", "--start", "1 2 3 4 5 .", "--checkpoint", str(finished)), "result.json"
    )


def test_forged_results_are_refused(run: Run, finished: Path) -> None:
    """Every field replaced, with the right checksum: refused in one line, or it names another hardest one."""
    path = finished / "result.json"
    command = ("god", "square R(3,2)", "--start", "1 2 3 4 5 .", "--checkpoint", str(finished))
    honest, body = run(*command), json.loads(path.read_bytes())["body"]
    for forged in forged_values(body):
        text = json.dumps(forged, sort_keys=True)
        checksum = hashlib.sha256(text.encode()).hexdigest()
        path.write_text(json.dumps({"body": forged, "sha256": checksum}))
        result = run(*command)
        if result.code == 0:
            lines = zip(result.out.splitlines(), honest.out.splitlines(), strict=True)
            assert all(one == other or one.startswith("hardest") for one, other in lines), forged
        else:
            refused(result, "result.json")
