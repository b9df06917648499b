"""Read text and JSON that users give, and write files atomically."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from slidelab.errors import NotationError, PuzzleError, TooLarge
from slidelab.messages import did_you_mean, integer_text, nearest, quoted

__all__ = [
    "PARTIAL_SUFFIX",
    "atomic_write",
    "convert_json",
    "decode_json",
    "decode_list",
    "decode_utf8",
    "kept_text",
    "locked_file",
    "replace_locked",
    "read_text",
    "sync_folder",
]

MAX_FILE_BYTES = 50_000_000
"""Largest text file that is read; a solution of a million moves has about 30 MB."""

MAX_LISTED_FILES = 10_000
"""Files of a folder among which a misspelt name is looked for."""

PARTIAL_SUFFIX = ".part"
"""Ending of the names of unfinished files."""


@contextmanager
def atomic_write(path: str | os.PathLike[str], *, sync: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that gets its name only when all of it is on the disk.

    Without `sync` it may still be on its way to the disk, which only a power failure tells from being there.

    On any error the partial file is removed and an older file stays as it was. A symbolic link stays one: the
    file that it points to is written.

    >>> folder = getfixture("tmp_path")
    >>> with atomic_write(folder / "note.txt") as file:
    ...     _ = file.write(b"all of it")
    >>> (folder / "note.txt").read_text()
    'all of it'
    """
    target = Path(path)
    if target.is_symlink():
        target = target.resolve()
    # The name is known before the file exists, so that whatever interrupts this finds it and removes it.
    name = str(target.parent / f".{target.name}.{os.urandom(4).hex()}{PARTIAL_SUFFIX}")
    try:
        with Path(name).open("xb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    if sync:
        _sync_directory(target.parent)


@contextmanager
def locked_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading and appending, created if it does not exist, for one run at a time."""
    import fcntl

    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PuzzleError(f"another run is writing {path}") from None
        if not os.path.samestat(os.fstat(file.fileno()), path.stat()):  # replaced before it was locked
            raise PuzzleError(f"another run is writing {path}")
        yield file


def replace_locked(path: Path, file: BinaryIO, content: bytes) -> None:
    """Replace the content of a file of `locked_file`, which stays locked and goes on at its end.

    Whoever reads the file, or kills this run, finds all of the old content or all of the new.

    >>> path = getfixture("tmp_path") / "rows"
    >>> with locked_file(path) as file:
    ...     _ = file.write(b"one")
    ...     replace_locked(path, file, b"two")
    ...     _ = file.write(b", three")
    >>> path.read_text()
    'two, three'
    """
    import fcntl

    file.flush()
    with atomic_write(path) as other:
        other.write(content)
        fcntl.flock(other, fcntl.LOCK_EX)
        handle = os.dup(other.fileno())
    os.dup2(handle, file.fileno(), inheritable=False)  # which unlocks the old file
    os.close(handle)
    file.seek(0, os.SEEK_END)


def kept_text(path: Path) -> str:
    """Return the end of a message about a file that could not be written: that its content is kept, if any.

    >>> kept_text(getfixture("tmp_path") / "none")
    ''
    """
    return "; what it holds is kept" if path.is_file() else ""


def _sync_directory(folder: Path) -> None:
    """Make sure that a new name survives a power failure."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_folder(folder: Path) -> None:
    """Wait until everything that was written to the file system of a folder is on the disk.

    Where the system can, this raises `OSError` if something could not be written.

    >>> sync_folder(getfixture("tmp_path"))
    """
    import ctypes

    syncfs = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)  # Linux
    if syncfs is None:
        os.sync()
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        if syncfs(handle):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
    finally:
        os.close(handle)


def read_text(
    path: Path,
    expected: str = "a board such as 'hex P(3,4)'",
    suggest: Callable[[str], str | None] | None = None,
) -> str:
    """Return the text of a file that a user named, or raise `NotationError` saying why it cannot be read.

    `expected` is what else the user may have meant if there is no such file. The message names a file with
    a similar name in the same folder, or what `suggest` returns for the name.
    """
    name = quoted(str(path), 120)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        meant = _near_file(path) or (suggest and suggest(str(path)))
        raise NotationError(
            f"expected {expected} or a file, got {name} - no such file{did_you_mean(meant or None)}"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a file name"
        raise NotationError(f"expected a file that can be read, got {name} - {reason.lower()}") from None
    if len(content) > MAX_FILE_BYTES:
        raise TooLarge(f"expected at most {MAX_FILE_BYTES} bytes, got more - at file {name}")
    return decode_utf8(content, f"file {name}")


def _near_file(path: Path) -> str | None:
    """Return the file in the same folder whose name is most like that of a missing one."""
    try:
        files = {file.name for file in islice(path.parent.iterdir(), MAX_LISTED_FILES) if file.is_file()}
    except OSError:
        return None
    return next((str(path.with_name(name)) for name in nearest(path.name, files)), None)


def decode_utf8(content: bytes, what: str) -> str:
    """Decode text; `what` names its source in messages."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(
            f"expected UTF-8 text, got other bytes - at byte {error.start} of the {what}"
        ) from None


def decode_json(text: str) -> Any:
    """Decode a JSON text."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"expected JSON, got {quoted(text)} - {quoted(str(error), 100)[1:-1]}") from None


def decode_list(text: str) -> Any:
    """Decode a JSON list; a list as Python or numpy prints it, which is no JSON, is returned as text.

    >>> decode_list("[[1, 2], [3, 0]]"), decode_list("[1, 2, '.', 3]"), decode_list("[[1 2]]")
    ([[1, 2], [3, 0]], "[1, 2, '.', 3]", '[[1 2]]')
    """
    try:
        return decode_json(text)
    except NotationError:
        if text.rstrip().endswith("]") and text.count("[") == text.count("]"):
            return text
        raise


def convert_json(value: Any, form: Any, path: str = "$") -> Any:
    """Convert a decoded JSON value to a type that msgspec knows, or raise `NotationError`.

    `path` is the location of the value itself, for messages.
    """
    try:
        return msgspec.convert(value, type=form)
    except (ValueError, RecursionError) as error:  # also a lone surrogate in a text
        message, _, place = str(error).partition(" - at ")
        if message.startswith("Expected") and ", got" not in message:
            message += f", got {_value_at(value, place)}"
        message = quoted(message[:1].lower() + message[1:], 140)[1:-1]
        place = (place or "`$`").replace("`$", f"`{path}", 1)
        raise NotationError(f"{message} - at {quoted(place, 100)[1:-1]}") from None


def _value_at(value: Any, place: str) -> str:
    """Describe the value at a location such as `$.cells[0][1]`."""
    try:
        for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", place):
            value = value[name or int(index)]
    except (LookupError, TypeError):
        return "another"
    return integer_text(value) if isinstance(value, int) else f"`{type(value).__name__}`"
