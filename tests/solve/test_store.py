"""Tables on the disk: read back as they were written, and no damage goes unnoticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slidelab as sl
from distance.oracle import thorough
from slidelab.errors import Damaged, PuzzleError
from slidelab.gains import GainGraph, gain_graph
from slidelab.solve.patterns import heuristic, store
from slidelab.solve.patterns.databases import (
    PatternDatabases,
    build_databases,
    database_entries,
    pattern_sizes,
)
from slidelab.solve.patterns.heuristic import Heuristic, heuristic_for
from slidelab.solve.patterns.store import (
    StoredDatabases,
    cache_folder,
    clear,
    databases_for,
    list_stored,
    save,
    stored_for,
)
from slidelab.solve.patterns.symmetry import canonical_shape
from slidelab.solve.search.algorithms import ida_star

PUZZLES = ["square R(3,3)", "hex F(2)", "hex F(2) gourds 1", "theta(1,2,2)", "square R(3,3) trimers 3"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget: None) -> Path:
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "own"))
    return tmp_path / "own"


def made(text: str, budget: int = 3000) -> PatternDatabases:
    graph = gain_graph(text)
    shape = canonical_shape(graph, graph.place(sl.puzzle(text).goal)[0])
    return replace(build_databases(graph, shape, budget), seconds=0.25)  # the same each time


def only(databases: PatternDatabases) -> StoredDatabases:
    (found,) = stored_for(databases.graph, databases.shape)
    return found


def same(one: PatternDatabases, other: PatternDatabases) -> bool:
    def plain(databases: PatternDatabases) -> list[object]:
        tables = [(t.data.tolist(), t.pieces, t.halves, t.step, t.cut) for t in databases.databases]
        return [databases.shape, databases.patterns, databases.alone.tolist(), databases.alone.dtype, tables]

    return plain(one) == plain(other)


def test_databases_that_know_regions_are_kept_and_take_the_place_of_others() -> None:
    text = "square R(5,4)"
    graph = gain_graph(text)
    shape = canonical_shape(graph, graph.place(sl.puzzle(text).goal)[0])
    entries = sum(database_entries(graph, size) for size in pattern_sizes(graph, 30_000))
    plain, knowing = made(text, 30_000), made(text, entries)
    assert plain.patterns == knowing.patterns
    assert (plain.size, knowing.size) == (entries // 2, entries)
    for less, more in zip(plain.databases, knowing.databases, strict=True):
        both = np.stack([more.data & 15, more.data >> 4])
        least = np.stack([less.data & 15, less.data >> 4], axis=1).reshape(-1)
        assert (less.step, more.step) == (2, 2)
        assert (both.min(axis=0) == least).all()
        assert (both[0] != both[1]).any()
    save(plain)
    assert same(databases_for(graph, shape, 30_000), plain)
    save(knowing)
    assert same(databases_for(graph, shape, entries), knowing)
    assert same(databases_for(graph, shape), knowing)
    goal = sl.puzzle(text).goal
    heuristics = [Heuristic(goal, databases) for databases in (plain, knowing)]
    nodes = [0, 0]
    for seed in range(6):
        start = goal
        rng = Random(seed)
        for _ in range(60):
            start = start.play(rng.choice(list(start.moves)))
        found = [ida_star(each, start) for each in heuristics]
        assert found[0].solution is not None
        assert found[1].solution is not None
        assert found[0].solution.length == found[1].solution.length
        assert heuristics[0].lower_bound(start) == heuristics[1].lower_bound(start)
        nodes = [count + each.nodes for count, each in zip(nodes, found, strict=True)]
    assert nodes[1] < nodes[0]


@pytest.mark.parametrize("text", PUZZLES)
@pytest.mark.parametrize("budget", [1, 300, 3000, 10**6])
def test_what_is_kept_is_read_back(text: str, budget: int) -> None:
    databases = made(text, budget)
    path = save(databases)
    found = only(databases)
    assert found.path == path
    assert found.size == databases.size
    assert found.patterns == databases.patterns
    assert found.puzzle == sl.puzzle(text).text
    loaded = found.load(databases.graph, databases.shape)
    assert same(loaded, databases)
    puzzle = sl.puzzle(text)
    goal = puzzle.goal
    before, after = Heuristic(goal, databases), Heuristic(goal, loaded)
    for seed in range(20):
        start = puzzle.shuffle(seed, goal)
        assert before.lower_bound(start) == after.lower_bound(start)
        alone = sl.Budget.of(threads=1)  # the number of nodes depends on the threads
        one, other = ida_star(before, start, alone), ida_star(after, start, alone)
        assert (one.lower_bound, one.nodes) == (other.lower_bound, other.nodes)


def test_files_are_written_whole(folder: Path) -> None:
    databases = made("square R(3,3)")
    path = save(databases)
    assert save(databases) == path  # again, in its place
    assert [file.name for file in folder.iterdir()] == [path.name]
    assert store._NAME.fullmatch(path.name)
    size = path.stat().st_size
    (at, _), *_ = places = json.loads(path.read_bytes().splitlines()[0])["places"]
    assert all(place % store.PAGE == 0 for place, _ in places)
    assert at >= store.PAGE
    assert (size - 8 * (len(places) + 1)) % store.PAGE == 0


def test_json_of_a_file() -> None:
    save(made("square R(3,3)"))
    (found,) = list_stored()
    assert isinstance(found, StoredDatabases)
    value = json.loads(json.dumps(found.to_json()))
    assert set(value) == {"puzzle", "holes", "groups", "partitions", "bytes", "seconds", "file"}
    assert (value["puzzle"], value["holes"], value["file"]) == ("square R(3,3) tiles 1", [8], found.path.name)
    assert value["groups"] == [len(pattern) for pattern in found.patterns]
    assert value["bytes"] == found.size


# Damage


def is_noticed(databases: PatternDatabases, path: Path) -> bool:
    """Left out when files are looked for, or refused when it is loaded; never anything else."""
    copy = path.read_bytes()
    found = stored_for(databases.graph, databases.shape)
    assert path.read_bytes() == copy  # looking for tables changes nothing
    if not found:
        return True
    try:
        loaded = found[0].load(databases.graph, databases.shape)
    except Damaged:
        return True
    assert same(loaded, databases)
    return False


def parts_of(path: Path) -> Iterator[tuple[int, int]]:
    """Where the header, the tables and the checksums are; between them there is only padding."""
    line = path.read_bytes().splitlines(keepends=True)[0]
    yield 0, len(line)
    places = json.loads(line)["places"]
    yield from ((at, at + size) for at, size in places)
    size = path.stat().st_size
    yield size - 8 * (len(places) + 1), size


@given(st.sampled_from(PUZZLES[:3]), st.data())
@thorough(60)
def test_any_byte_that_changes_is_noticed(text: str, data: st.DataObject) -> None:
    databases = made(text)
    path = save(databases)
    whole = path.read_bytes()
    try:
        begin, end = data.draw(st.sampled_from(list(parts_of(path))))
        if begin == 0 and data.draw(st.booleans()):
            end = len(whole[:end].rstrip())  # not only spaces
        at = data.draw(st.integers(begin, end - 1))
        changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[at]))
        path.write_bytes(whole[:at] + bytes([changed]) + whole[at + 1 :])
        assert is_noticed(databases, path)
    finally:
        path.unlink(missing_ok=True)


def test_any_character_of_the_header_that_changes_is_noticed() -> None:
    """Numbers become huge, negative, or no numbers."""
    databases = made("square R(4,4)", 10_000)
    path = save(databases)
    whole = path.read_bytes()
    line = whole.splitlines()[0].rstrip()
    for at, old in enumerate(line):
        for new in b"e-":
            if new != old:
                path.write_bytes(whole[:at] + bytes([new]) + whole[at + 1 :])
                assert is_noticed(databases, path), (at, chr(old), chr(new))


def with_places(whole: bytes, places: object) -> bytes:
    line = whole.splitlines(keepends=True)[0]
    header = json.loads(line)
    header["places"] = places
    return json.dumps(header).encode().ljust(len(line) - 1) + b"\n" + whole[len(line) :]


def test_places_that_make_no_sense_are_noticed() -> None:
    databases = made("square R(3,3)")
    path = save(databases)
    whole = path.read_bytes()
    first, *others = json.loads(whole.splitlines()[0])["places"]
    for wrong in (
        [4e96, first[1]],
        [float("inf"), 1],
        [float("nan"), 1],
        [4096.0, first[1]],
        ["4096", first[1]],
        [-4096, first[1]],
        [10**30, 10**30],
        [first[0], -1],
        [True, False],
    ):
        path.write_bytes(with_places(whole, [wrong, *others]))
        assert is_noticed(databases, path), wrong
    wrong_places: list[Any] = [None, [], {}, 7, "x", [[]], [first], [first, *others, others[-1]]]
    for places in wrong_places:
        path.write_bytes(with_places(whole, places))
        assert is_noticed(databases, path), places


def test_files_cut_off_or_gone_on_with_are_noticed() -> None:
    databases = made("hex F(2)")
    path = save(databases)
    whole = path.read_bytes()
    places = range(0, len(whole), 499)
    ends = [*places, *range(len(whole) - 40, len(whole))]
    for content in (*(whole[:end] for end in ends), whole + b"\0", whole + whole, whole + bytes(4096)):
        path.write_bytes(content)
        assert is_noticed(databases, path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n",
        b"{}",
        b"[]\n",
        b"null\n",
        b"7\n",
        b'{"format": "slidelab databases 1"}\n',
        b'{"format": "slidelab databases 2"}\n',
        b"[" * 100_000,
        b"\xff\xfe\x00" * 50,
        bytes(5000),
        b"9" * 10_000 + b"\n",
    ],
    ids=lambda content: repr(content[:12]),
)
def test_what_is_no_file_of_tables_is_left_out(content: bytes) -> None:
    databases = made("hex F(2)")
    path = save(databases)
    path.write_bytes(content)
    assert list(list_stored()) == [path]
    assert stored_for(databases.graph, databases.shape) == []
    assert clear()[0] == 1


def test_tables_of_another_puzzle_are_refused(folder: Path) -> None:
    """Even if the name of the file says they fit."""
    own, other = made("hex F(2)"), made("theta(1,2,2)")
    path = save(other)
    path.rename(folder / f"{store._key(own.graph, own.shape)}-1.patterns")
    with pytest.raises(Damaged, match="another puzzle"):
        only(own).load(own.graph, own.shape)


def test_a_file_gone_meanwhile_is_damaged() -> None:
    databases = made("hex F(2)")
    path = save(databases)
    found = only(databases)
    path.unlink()
    with pytest.raises(Damaged):
        found.load(databases.graph, databases.shape)


# Solving with what the disk holds


def forget_databases() -> None:
    store._databases.cache_clear()
    heuristic._heuristic.cache_clear()


def not_built(*_: object, **__: object) -> PatternDatabases:
    raise AssertionError("databases were built although they are on disk")


def test_tables_are_taken_from_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    databases = made("square R(3,3)", 3000)
    save(databases)
    monkeypatch.setattr(store, "build_databases", not_built)
    assert same(databases_for(databases.graph, databases.shape), databases)
    forget_databases()
    assert same(databases_for(databases.graph, databases.shape, databases.size), databases)
    for corner in (0, 2, 6):
        assert same(databases_for(databases.graph, corner), databases)  # looks like it
    with pytest.raises(AssertionError, match="built"):
        databases_for(databases.graph, databases.shape, 100 * databases.size)  # far larger ones are asked for
    with pytest.raises(AssertionError, match="built"):
        databases_for(databases.graph, databases.shape, 10)  # they are too large
    with pytest.raises(AssertionError, match="built"):
        databases_for(databases.graph, 4)  # looks different


def test_none_are_taken_if_none_are_wanted() -> None:
    databases = made("square R(3,3)", 3000)
    save(databases)
    assert databases_for(databases.graph, databases.shape, 0).databases == ()


def test_the_largest_that_fit_are_taken() -> None:
    small, large = made("square R(3,3)", 600), made("square R(3,3)", 4000)
    assert small.size < large.size
    save(small)
    save(large)
    assert [found.size for found in stored_for(large.graph, large.shape)] == [large.size, small.size]
    assert same(databases_for(large.graph, large.shape), large)
    assert same(databases_for(large.graph, large.shape, small.size), small)
    assert same(databases_for(large.graph, large.shape, budget=sl.Budget(memory=3 * small.size)), small)


def test_damaged_tables_are_made_again() -> None:
    puzzle = sl.puzzle("square R(3,3)")
    databases = made(puzzle.text)
    path = save(databases)
    whole = path.read_bytes()
    start = puzzle.configuration("8 6 7 2 5 4 3 . 1")
    ends = [end for _, end in parts_of(path)]
    for content in (
        *(whole[: end - 1] + bytes([whole[end - 1] ^ 4]) + whole[end:] for end in ends),
        whole[:-1],
        whole + b"\0",
        b"",
        b"{}\n",
    ):
        path.write_bytes(content)
        forget_databases()
        solution = ida_star(heuristic_for(puzzle.goal), start).solution
        assert solution is not None
        assert solution.length == 31
        assert path.read_bytes() != content  # made again, as large as they were
        (again,) = list_stored()
        assert isinstance(again, StoredDatabases)
        forget_databases()
        assert puzzle.solve(start, method="ida").length == 31


def test_tables_that_took_long_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = sl.puzzle("square R(3,3)")
    heuristic_for(puzzle.goal, 3000)
    assert list(list_stored()) == []
    monkeypatch.setattr(store, "MIN_SAVED_SECONDS", 0.0)
    forget_databases()
    found = heuristic_for(puzzle.goal, 3000)
    (kept,) = list_stored()
    assert isinstance(kept, StoredDatabases)
    assert same(kept.load(found.graph, found.databases.shape), found.databases)
    assert [path.suffix for path in folder.iterdir()] == [".patterns"]


def test_a_folder_that_can_not_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("SLIDELAB_CACHE", str(tmp_path / "file" / "below"))
    monkeypatch.setattr(store, "MIN_SAVED_SECONDS", 0.0)
    puzzle = sl.puzzle("square R(3,3)")
    assert puzzle.solve("8 6 7 2 5 4 3 . 1", method="ida").length == 31
    assert list(list_stored()) == []
    assert clear() == (0, 0)
    with pytest.raises(PuzzleError, match="could not save pattern databases") as caught:
        save(made("square R(3,3)"))
    assert "\n" not in str(caught.value)


# The folder


def test_where_tables_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder() == tmp_path / "own"
    monkeypatch.delenv("SLIDELAB_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "slidelab"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for value in ("", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_folder() == tmp_path / "home" / ".cache" / "slidelab"


def test_clearing(folder: Path) -> None:
    assert clear() == (0, 0)
    paths = [save(made(text)) for text in PUZZLES[:3]]
    sizes = [path.stat().st_size for path in paths]
    assert len(list(list_stored())) == 3
    assert clear("square R(9,9) tiles 1") == (0, 0)
    assert clear("square R(3,3) tiles 1") == (1, sizes[0])
    assert len(list(list_stored())) == 2
    paths[1].write_bytes(b"damaged")
    assert clear("square R(3,3) tiles 1") == (1, 7)  # and what makes no sense
    (folder / "notes.txt").write_text("not ours")
    (folder / f".{paths[2].name}.x.part").write_text("left by a killed run")
    assert clear() == (2, sizes[2] + len("left by a killed run"))
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("value", ["", " ", "\t"])
def test_a_folder_without_a_name_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """It used to mean the default, and `clear` removed files that nobody meant."""
    monkeypatch.setenv("SLIDELAB_CACHE", value)
    with pytest.raises(PuzzleError, match="SLIDELAB_CACHE"):
        cache_folder()
    with pytest.raises(PuzzleError, match="SLIDELAB_CACHE"):
        clear()


def test_links_and_folders_with_our_names_are_left_alone(folder: Path, tmp_path: Path) -> None:
    path = save(made("hex F(2)"))
    other = tmp_path / "precious"
    path.rename(other)
    path.symlink_to(other)
    (folder / f"{'0' * 24}-1.patterns").mkdir()
    assert clear() == (0, 0)
    assert other.exists()
    assert path.is_symlink()


def test_files_of_others_are_left_alone(folder: Path) -> None:
    databases = made("hex F(2)")
    path = save(databases)
    for name in ("my.patterns", f"x{path.name}", f"{path.name}.bak"):
        (folder / name).write_bytes(b"mine")
    assert len(list(list_stored())) == 1
    size = path.stat().st_size
    assert clear() == (1, size)
    assert sorted(file.name for file in folder.iterdir()) == sorted(
        ["my.patterns", f"x{path.name}", f"{path.name}.bak"]
    )


def test_graphs_that_differ_have_keys_that_differ() -> None:
    keys = set()
    graphs: list[GainGraph] = [
        gain_graph(text) for text in (*PUZZLES, "square R(3,3) tiles 2", "king R(3,3)")
    ]
    for graph in graphs:
        keys |= {store._key(graph, shape) for shape in range(min(5, graph.shapes))}
    assert len(keys) == sum(min(5, graph.shapes) for graph in graphs)


def test_tables_of_many_pages() -> None:
    databases = made("square R(4,4)", 500_000)
    save(databases)
    loaded = only(databases).load(databases.graph, databases.shape)
    assert any(len(table.data) > store.PAGE for table in loaded.databases)
    assert same(loaded, databases)


def test_several_partitions_are_kept() -> None:
    graph = gain_graph(sl.puzzle("square R(3,3)"))
    built = build_databases(graph, 8, 3000, partitions=3)
    assert len(built.partitions) == 3
    store.save(built)
    (found,) = store.stored_for(graph, 8)
    loaded = found.load(graph, 8)
    assert (loaded.patterns, loaded.partitions) == (built.patterns, built.partitions)
    for ours, theirs in zip(built.databases, loaded.databases, strict=True):
        assert (ours.data == theirs.data).all()
