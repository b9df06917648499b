"""Output files: paths are checked before the work begins, and files are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from slidelab.errors import PuzzleError
from slidelab.files import atomic_write

__all__ = ["check_target", "file_format", "numbered_targets", "write_all", "write_bytes"]

PICTURE_FORMATS = ("svg", "png", "pdf", "tex")
ANIMATION_FORMATS = ("gif", "apng", "mp4", "html")
SOLID_FORMATS = ("stl", "3mf")

MAX_NAME_BYTES = 230
"""Longest file name: file systems allow 255 bytes, and the temporary name is longer."""


def file_format(path: str | os.PathLike[str]) -> str:
    """Return the suffix of a path in lower case, without the dot.

    >>> file_format("a/Puzzle.SVG")
    'svg'
    """
    return Path(path).suffix.lower().removeprefix(".")


def check_target(path: str | os.PathLike[str], formats: Sequence[str] = PICTURE_FORMATS) -> Path:
    """Return the path, or raise `PuzzleError` unless it has one of the formats and can be written.

    >>> check_target("x.bmp")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .svg, .png, .pdf or .tex, got 'x.bmp'
    """
    target = Path(path)
    suffixes = [f".{each}" for each in formats]
    expected = ", ".join(suffixes[:-1]) + f" or {suffixes[-1]}" if len(suffixes) > 1 else suffixes[0]
    if file_format(target) not in formats:
        raise PuzzleError(f"expected a file name that ends in {expected}, got {str(path)[-60:]!r}")
    try:
        folder_exists, is_folder = target.parent.is_dir(), target.is_dir()
    except OSError:  # the name is too long
        folder_exists = is_folder = False
    if "\0" in str(target) or len(target.name.encode()) > MAX_NAME_BYTES:
        raise PuzzleError(f"expected the name of a file, got {str(path)[:60]!r}")
    if not folder_exists:
        raise PuzzleError(f"expected a folder that exists, got {str(target.parent)[-200:]!r}")
    if is_folder:
        raise PuzzleError(f"expected the name of a file, got the folder {str(path)[-200:]!r}")
    if not os.access(target.parent, os.W_OK):
        raise PuzzleError(f"expected a folder that can be written to, got {str(target.parent)[-200:]!r}")
    return target


def numbered_targets(path: str | os.PathLike[str], count: int, formats: Sequence[str]) -> list[Path]:
    """Return the path for one file, or x-1.svg, x-2.svg and so on for several, all checked.

    >>> [name.name for name in numbered_targets("x.svg", 2, PICTURE_FORMATS)]
    ['x-1.svg', 'x-2.svg']
    """
    target = check_target(path, formats)
    if count == 1:
        return [target]
    names = [target.with_stem(f"{target.stem}-{number}") for number in range(1, count + 1)]
    return [check_target(name, formats) for name in names]


def write_all(paths: Sequence[Path], files: Sequence[bytes]) -> None:
    """Write all files or none: no file gets its name before the last one is on disk."""
    name = paths[0]
    try:
        with ExitStack() as stack:
            for name, data in zip(paths, files, strict=True):
                file = stack.enter_context(atomic_write(name))
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        raise PuzzleError(f"could not write {str(name)[-200:]!r}: {error.strerror}") from None


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; raise `PuzzleError` if it cannot be written."""
    try:
        with atomic_write(path) as file:
            file.write(data)
    except OSError as error:
        raise PuzzleError(f"could not write {str(path)[-200:]!r}: {error.strerror}") from None
