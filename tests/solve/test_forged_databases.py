"""Files of pattern databases that were never written by slidelab, but have the right checksums."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import slidelab as sl
from commands import Run
from forgery import forgeries
from slidelab import _core
from slidelab.errors import Damaged
from slidelab.solve.patterns import heuristic, store
from slidelab.solve.patterns.databases import DEFAULT_DATABASE_BYTES
from slidelab.solve.patterns.heuristic import Heuristic
from solve.test_store import made, only

known = cache(made)
TEXTS = ["square R(3,3)", "hex F(2) gourds 1"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None) -> Path:
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "own"))
    return tmp_path / "own"


def forged(header: Any, parts: list[bytes], *, honest_places: bool = True) -> bytes:
    """A file with this header and these parts, and checksums as the reader expects them."""
    line = json.dumps(header).encode()
    line = line.ljust(-(-(len(line) + 1) // store.PAGE) * store.PAGE - 1) + b"\n"
    out, places = line, []
    for part in parts:
        places.append([len(out), len(part)])
        out += part + bytes(-len(part) % store.PAGE)
    if honest_places and isinstance(header, dict) and header.get("places") != places:
        return forged({**header, "places": places}, parts)
    covered = [line, *parts]
    if isinstance(header, dict) and not honest_places:
        with suppress(TypeError, ValueError, KeyError):
            covered = [line, *(out[at : at + size] for at, size in header["places"])]
    sums = [_core.checksum(np.frombuffer(part, dtype=np.uint8)) for part in covered]
    return out + np.array(sums, dtype="<u8").tobytes()


def parts_of(whole: bytes) -> tuple[dict[str, Any], list[bytes]]:
    header = json.loads(whole.splitlines()[0])
    return header, [whole[at : at + size] for at, size in header["places"]]


def piece_count(text: str) -> int:
    return sl.puzzle(text).piece_count


def check(path: Path, content: bytes, text: str) -> bool:
    """Whether a file is taken for databases; whatever it is, it must not do more harm than that."""
    path.write_bytes(content)
    databases = known(text)
    list(store.list_stored())
    for found in store.stored_for(databases.graph, databases.shape):
        json.dumps(found.to_json(), allow_nan=False)
        try:
            loaded = found.load(databases.graph, databases.shape)
        except Damaged:
            continue
        puzzle = sl.puzzle(text)
        Heuristic(puzzle.goal, loaded).lower_bound(puzzle.shuffle(1))
        return True
    return False


@pytest.mark.parametrize("text", TEXTS)
def test_the_forger_can_write_a_true_file(text: str) -> None:
    databases = made(text)
    path = store.save(databases)
    whole = path.read_bytes()
    assert check(path, forged(*parts_of(whole)), text)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("honest_places", [True, False])
def test_forged_headers_are_damage(text: str, honest_places: bool) -> None:
    path = store.save(made(text))
    header, parts = parts_of(path.read_bytes())
    accepted = []
    for other in forgeries(header):
        content = forged(other, parts, honest_places=honest_places)
        if check(path, content, text):
            accepted.append(other)
    for other in accepted:  # what says nothing about the arrays, or says it as well
        free = {"seconds", "holes", "puzzle", "tables", "places", "groups", "partitions", "x"}
        changed = {key for key in {**header, **other} if other.get(key) != header.get(key)}
        assert changed <= free, changed
        assert {number for partition in other["partitions"] for number in partition} == set(
            range(len(other["groups"]))
        )
        for partition in other["partitions"]:
            together = [slot for number in partition for slot in other["groups"][number]]
            assert len(set(together)) == len(together)
        slots = [slot for pattern in other["groups"] for slot in pattern]
        assert list(map(len, other["groups"])) == list(map(len, header["groups"]))
        assert all(slot < piece_count(text) for slot in slots)
        if "tables" in changed:
            same = [[pieces, halves] for pieces, halves, *_ in header["tables"]]
            assert [[pieces, halves] for pieces, halves, *_ in other["tables"]] == same


@pytest.mark.parametrize("text", TEXTS)
def test_arrays_of_other_sizes_are_damage(text: str) -> None:
    path = store.save(made(text))
    header, parts = parts_of(path.read_bytes())
    for number in range(len(parts)):
        for size in (0, 1, len(parts[number]) - 1, len(parts[number]) + 1, 2 * len(parts[number])):
            others = [*parts[:number], bytes(size), *parts[number + 1 :]]
            assert not check(path, forged(header, others), text), (number, size)
    assert not check(path, forged(header, parts[:-1]), text)
    assert not check(path, forged(header, [*parts, parts[-1]]), text)
    assert not check(path, forged(header, [b"\xff" * len(parts[0]), *parts[1:]]), text)  # no goal


def test_forged_files_are_made_again(run: Run, folder: Path) -> None:
    text, start = "square R(3,3)", "8 6 7 2 5 4 3 . 1"
    databases = made(text)
    path = store.save(databases)
    header, parts = parts_of(path.read_bytes())
    for changes in (
        {"alone": [2**62, 2]},
        {"groups": [[0, 1, 2, 99], [4, 5, 6, 7]]},
        {"groups": [[0, 1, 2, 3], [3, 5, 6, 7]]},
        {"tables": [[60, True, 1, 0], [4, True, 1, 0]]},
        {"tables": [[4, True, 0, 0], [4, True, 1, 0]]},
        {"seconds": float("nan")},
        {"seconds": "x"},
        {"puzzle": "\x1b[2J\nsquare"},
    ):
        path.write_bytes(forged({**header, **changes}, parts))
        store._databases.cache_clear()
        heuristic._heuristic.cache_clear()
        result = run("solve", text, "--start", start, "--method", "ida", "--json")
        assert (result.code, result.err) == (0, ""), changes
        assert result.json["length"] == 31
        assert only(databases).load(databases.graph, databases.shape)
        assert run("pdb", "list").code == 0


def test_a_damaged_file_whose_name_claims_terabytes_is_made_of_usual_size(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    databases = made("square R(3,3)")
    path = store.save(databases)
    path.rename(path.with_name(f"{path.stem.partition('-')[0]}-{10**15}.patterns"))
    sizes = store.stored_sizes(databases.graph, databases.shape)
    assert list(sizes.values()) == [DEFAULT_DATABASE_BYTES]
