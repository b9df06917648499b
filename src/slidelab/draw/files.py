"""Where pictures go: names are checked before the work begins, files are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from slidelab.errors import PuzzleError
from slidelab.files import atomic_write

if TYPE_CHECKING:
    from slidelab.draw.scene import Picture

__all__ = ["ANIMATIONS", "PICTURES", "SOLIDS", "check_target", "ending", "save_picture", "write_bytes"]

PICTURES = ("svg", "png", "pdf")
ANIMATIONS = ("gif", "apng", "mp4", "html")
SOLIDS = ("stl", "3mf")
MAX_NAME = 230  # bytes: a little less than file systems allow, for the name while it is written


def ending(path: str | os.PathLike[str]) -> str:
    """What the name of a file ends in, without the dot.

    >>> ending("a/Puzzle.SVG")
    'svg'
    """
    return Path(path).suffix.lower().removeprefix(".")


def check_target(path: str | os.PathLike[str], endings: Sequence[str] = PICTURES) -> Path:
    """The path, if its ending is one of these and a file can be made there.

    >>> check_target("x.bmp")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: expected a file name that ends in .svg, .png or .pdf, got 'x.bmp'
    """
    target = Path(path)
    listed = [f".{each}" for each in endings]
    shown = ", ".join(listed[:-1]) + f" or {listed[-1]}" if len(listed) > 1 else listed[0]
    if ending(target) not in endings:
        raise PuzzleError(f"expected a file name that ends in {shown}, got {str(path)[-60:]!r}")
    try:
        there, taken = target.parent.is_dir(), target.is_dir()
    except OSError:  # too long a name
        there = taken = False
    if "\0" in str(target) or len(target.name.encode()) > MAX_NAME:
        raise PuzzleError(f"expected the name of a file, got {str(path)[:60]!r}")
    if not there:
        raise PuzzleError(f"expected a folder that exists, got {str(target.parent)[-200:]!r}")
    if taken:
        raise PuzzleError(f"expected the name of a file, got the folder {str(path)[-200:]!r}")
    if not os.access(target.parent, os.W_OK):
        raise PuzzleError(f"expected a folder that can be written to, got {str(target.parent)[-200:]!r}")
    return target


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file whole or not at all; one line says why if it can't be."""
    try:
        with atomic_write(path) as file:
            file.write(data)
    except OSError as error:
        raise PuzzleError(f"could not write {str(path)[-200:]!r}: {error.strerror}") from None


def save_picture(picture: Picture, path: str | os.PathLike[str], width: int | None = None) -> None:
    """Write a picture as what the name ends in: SVG, PNG (that many pixels wide) or PDF."""
    target = check_target(path)
    kind = ending(target)
    if kind == "svg":
        write_bytes(target, picture.svg.encode())
    else:
        write_bytes(target, picture.pdf() if kind == "pdf" else picture.png(width))
