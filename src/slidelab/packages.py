"""Optional packages."""

from __future__ import annotations

from importlib import import_module

from slidelab.errors import PuzzleError

__all__ = ["require"]


def require(module: str, purpose: str, extra: str) -> None:
    """Raise `PuzzleError` with advice unless a module of an optional package can be imported.

    >>> require("zlib", "PDF needs", "draw")
    >>> require("no_such_module", "PDF needs", "draw")
    Traceback (most recent call last):
    slidelab.errors.PuzzleError: PDF needs the package no_such_module: pip install 'slidelab[draw]'
    """
    try:
        import_module(module)
    except ImportError:
        package = {"PIL": "pillow"}.get(module, module)
        raise PuzzleError(f"{purpose} the package {package}: pip install 'slidelab[{extra}]'") from None
