"""Files are written whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from slidelab.files import PARTIAL_SUFFIX, atomic_write


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_gets_its_name_when_all_is_there(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    with atomic_write(target) as file:
        file.write(b"all ")
        file.flush()
        (unfinished,) = names(tmp_path)
        assert unfinished.startswith(".note.txt.")
        assert unfinished.endswith(PARTIAL_SUFFIX)
        file.write(b"of it")
    assert names(tmp_path) == ["note.txt"]
    assert target.read_bytes() == b"all of it"


def test_a_name_may_be_a_text(tmp_path: Path) -> None:
    with atomic_write(str(tmp_path / "note.txt")) as file:
        file.write(b"x")
    assert (tmp_path / "note.txt").read_bytes() == b"x"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "note.txt")
    for text in (b"first", b"second"):  # there is nothing yet; there is something
        with atomic_write(tmp_path / "link.txt") as file:
            file.write(text)
        assert (tmp_path / "link.txt").is_symlink()
        assert (tmp_path / "note.txt").read_bytes() == text
    assert names(tmp_path) == ["link.txt", "note.txt"]


def test_a_name_in_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with atomic_write("note.txt") as file:
        file.write(b"x")
    assert names(tmp_path) == ["note.txt"]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, OSError, SystemExit])
@pytest.mark.parametrize("old", [None, b"old"])
def test_an_error_leaves_everything_as_it_was(
    tmp_path: Path, error: type[BaseException], old: bytes | None
) -> None:
    target = tmp_path / "note.txt"
    if old is not None:
        target.write_bytes(old)
    before = names(tmp_path)

    def write() -> None:
        with atomic_write(target) as file:
            file.write(b"half of")
            raise error

    with pytest.raises(error):
        write()
    assert names(tmp_path) == before
    assert old is None or target.read_bytes() == old


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_disk_that_fails_late_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    target = tmp_path / "note.txt"
    target.write_bytes(b"old")

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os if step == "fsync" else Path, step, full)
        with pytest.raises(OSError, match="No space"), atomic_write(target) as file:
            file.write(b"new")
    assert names(tmp_path) == ["note.txt"]
    assert target.read_bytes() == b"old"


def test_an_old_file_is_replaced_and_not_written_over(tmp_path: Path) -> None:
    target, other = tmp_path / "note.txt", tmp_path / "other.txt"
    target.write_bytes(b"the old one is longer")
    os.link(target, other)
    with atomic_write(target) as file:
        file.write(b"new")
    assert target.read_bytes() == b"new"
    assert other.read_bytes() == b"the old one is longer"


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o002, 0o000])
def test_permissions_follow_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with atomic_write(tmp_path / "note.txt") as file:
            file.write(b"x")
        assert os.umask(umask) == umask  # left as it was
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "note.txt").stat().st_mode) == 0o666 & ~umask


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "none" / "note.txt") as file:
        file.write(b"x")
    assert names(tmp_path) == []


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "note.txt").mkdir()
    with pytest.raises(OSError, match="directory"), atomic_write(tmp_path / "note.txt") as file:
        file.write(b"x")
    assert names(tmp_path) == ["note.txt"]
    assert names(tmp_path / "note.txt") == []


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    target = tmp_path / "note.txt"
    with atomic_write(target) as one, atomic_write(target) as two:
        one.write(b"one")
        two.write(b"two")
        assert len(names(tmp_path)) == 2
    assert target.read_bytes() == b"one"  # the last to finish
    assert names(tmp_path) == ["note.txt"]
