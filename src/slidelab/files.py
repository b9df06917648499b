"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["PART", "write_whole"]

PART = ".part"
"""How the names of unfinished files end."""


@contextmanager
def write_whole(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file to be written; it gets its name only when all of it is on the disk.

    If anything goes wrong on the way, nothing is left behind and an older file stays as it was. A link
    stays a link: the file that it leads to is written.

    >>> folder = getfixture("tmp_path")
    >>> with write_whole(folder / "note.txt") as file:
    ...     _ = file.write(b"all of it")
    >>> (folder / "note.txt").read_text()
    'all of it'
    """
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """The new name, too, is to survive a power cut."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
