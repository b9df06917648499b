"""The files of the page: a fixed list, read once, so that no request ever names a file."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from slidelab.draw.page.template import SHARED

__all__ = ["Asset", "LiveAssets", "find_assets"]

FOLDER = Path(__file__).parent / "page"

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What is served, by the ending of its name."""

SHARED_FOLDERS = (SHARED, SHARED.parent / "play")
"""Modules and style sheets that the pages of `draw` use, too; they are served from where they are."""


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, with a tag that changes when it does."""

    content: bytes
    media_type: str
    tag: str


@cache
def find_assets() -> dict[str, Asset]:
    """Return the files of the page by their names below ``/page/``; the page itself is ``index.html``.

    Names in the folder of the page take precedence over those of modules that it shares with other pages.

    >>> assets = find_assets()
    >>> "engine.js" in assets, "page.py" in assets
    (True, False)
    """
    return {name: _asset(path) for name, path in _paths().items()}


class LiveAssets(dict[str, Asset]):
    """The files as they are now, read again for every request: for those who work on the page."""

    def get(self, name: str, default: Asset | None = None) -> Asset | None:  # type: ignore[override]
        """Return a file of the fixed list."""
        path = _paths().get(name)
        return default if path is None else _asset(path)


def _paths() -> dict[str, Path]:
    found: dict[str, Path] = {}
    for folder in SHARED_FOLDERS:
        found |= {path.name: path for path in sorted(folder.iterdir()) if path.suffix in (".js", ".css")}
    if FOLDER.is_dir():
        inside = (path for path in sorted(FOLDER.rglob("*")) if path.suffix in MEDIA_TYPES)
        found |= {path.relative_to(FOLDER).as_posix(): path for path in inside}
    return found


def _asset(path: Path) -> Asset:
    content = path.read_bytes()
    tag = urlsafe_b64encode(sha256(content).digest()[:12]).decode()
    return Asset(content, MEDIA_TYPES[path.suffix], tag)
