"""Files of the atlas: interrupted, continued, damaged."""

from __future__ import annotations

import json
import lzma
import random
from hashlib import sha256
from itertools import combinations, count
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from atlas.tables import COUNTS, table
from forgery import forgeries
from slidelab.atlas import read_atlas, summarize, write_atlas
from slidelab.budget import Budget
from slidelab.errors import Damaged, PuzzleError


def test_files_are_those_that_are_stored(tmp_path: Path) -> None:
    for cells in (7, 9):
        write_atlas(tmp_path / "a", cells)
        assert (tmp_path / "a").read_bytes() == table(cells).read_bytes()
        (tmp_path / "a").unlink()


@pytest.mark.parametrize("kept", [0, 1, 30, 84, 85, 86, 600, 2000, 3900, -1, -2, -150, -200])
def test_a_file_cut_anywhere_is_continued_to_the_same_end(tmp_path: Path, kept: int) -> None:
    whole = table(9).read_bytes()
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:kept])
    if b"\n" in whole[:kept]:
        assert not read_atlas(path).finished
    summary = write_atlas(path, 9)
    assert path.read_bytes() == whole
    assert (summary.boards, summary.solvable) == COUNTS[9]


def test_interrupted_runs_are_resumed(tmp_path: Path) -> None:
    path = tmp_path / "stopped.jsonl"
    calls = count(1)

    def stop(phase: str, done: int, total: int) -> None:
        if next(calls) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atlas(path, 9, budget=Budget.of(progress=stop))
    assert 0 < len(read_atlas(path).entries) <= 13
    assert not read_atlas(path).finished
    write_atlas(path, 9)
    assert path.read_bytes() == table(9).read_bytes()


def test_a_finished_file_is_not_computed_again(tmp_path: Path) -> None:
    path = tmp_path / "done.jsonl"
    path.write_bytes(table(13).read_bytes())
    assert write_atlas(path, 13).solvable == 1227


def test_every_damaged_byte_is_detected(tmp_path: Path) -> None:
    whole = table(9).read_bytes()
    path = tmp_path / "damaged.jsonl"
    for place in random.Random(9).sample(range(len(whole) - 1), 150):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises((Damaged, PuzzleError)):
            read_atlas(path)
        before = path.read_bytes()
        with pytest.raises(PuzzleError):
            write_atlas(path, 9)
        assert path.read_bytes() == before
    lines = whole.splitlines(keepends=True)
    for left_out, twice in combinations(range(1, 5), 2):
        path.write_bytes(b"".join(line for k, line in enumerate(lines) if k != left_out))
        with pytest.raises(Damaged):
            read_atlas(path)
        path.write_bytes(b"".join(lines[: twice + 1] + lines[twice:]))
        with pytest.raises(Damaged):
            read_atlas(path)


def test_other_files_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("my notes", "my notes\n", "{}\n", "[1]\n", '{"format":"other"}\n'):
        path.write_text(text)
        with pytest.raises(PuzzleError):
            write_atlas(path, 9)
        assert path.read_text() == text
    path.write_bytes(table(9).read_bytes())
    with pytest.raises(PuzzleError, match="9 cells, not 7"):
        write_atlas(path, 7)
    with pytest.raises(PuzzleError, match="could not"):
        read_atlas(tmp_path / "nothing")
    with pytest.raises(PuzzleError, match="could not"):
        write_atlas(tmp_path, 9)
    path.write_bytes(b"")
    with pytest.raises(Damaged):
        read_atlas(path)


def forged_lines(values: list[Any]) -> bytes:
    """Lines with the right checksums."""
    out = b""
    for value in values:
        line = json.dumps(value, separators=(",", ":")).encode()[:-1]
        if isinstance(value, dict) and "sha256" in value:
            line = json.dumps({**value, "sha256": sha256(out).hexdigest()}, separators=(",", ":")).encode()[
                :-1
            ]
        out += line + b',"crc":"%08x"}\n' % crc32(line, crc32(out))
    return out


def plain_lines(whole: bytes) -> list[Any]:
    return [{k: v for k, v in json.loads(line).items() if k != "crc"} for line in whole.splitlines()]


def test_forged_lines_are_damage(tmp_path: Path) -> None:
    """Every field of the header, of an entry and of the end replaced, with the right checksums."""
    whole = table(7).read_bytes()
    lines = plain_lines(whole)
    assert forged_lines(lines) == whole
    path = tmp_path / "forged.jsonl"
    for number, line in enumerate(lines):
        for forged in forgeries(line):
            if not isinstance(forged, dict) or not forged:
                continue
            path.write_bytes(forged_lines([*lines[:number], forged, *lines[number + 1 :]]))
            try:
                atlas = read_atlas(path)
            except PuzzleError:
                continue
            json.dumps(summarize(iter(atlas.entries)).to_json(), allow_nan=False)
            repr(atlas)
            for entry in atlas.entries:
                assert entry.group.isprintable()


def test_compressed_files_are_read(tmp_path: Path) -> None:
    whole = lzma.compress(table(9).read_bytes())
    path = tmp_path / "nine.jsonl.xz"
    path.write_bytes(whole)
    assert read_atlas(path) == read_atlas(table(9))
    for wrong in (whole[:-20], whole[:30] + b"?" + whole[31:], b""):
        path.write_bytes(wrong)
        with pytest.raises(Damaged):
            read_atlas(path)
