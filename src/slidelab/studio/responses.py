"""Read the bodies of requests, and make answers: JSON, files, events, and one line about what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from slidelab.errors import NotationError
from slidelab.studio.assets import Asset
from slidelab.studio.guard import refusal_response, refuse
from slidelab.studio.jobs import TooManyJobs
from slidelab.studio.limits import Limits
from slidelab.studio.pool import Busy
from slidelab.studio.protocol import Refusal, Reply, one_line

__all__ = [
    "HANDLERS",
    "Refused",
    "asset_response",
    "event_response",
    "file_response",
    "json_response",
    "picture_response",
    "read_body",
    "reply_response",
]

FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Content security policy of exported files, so that none runs as a page of the server."""

FILE_NAMES = {
    "image/svg+xml": "puzzle.svg",
    "image/png": "puzzle.png",
    "application/pdf": "puzzle.pdf",
    "image/gif": "puzzle.gif",
    "image/apng": "puzzle.apng",
    "video/mp4": "puzzle.mp4",
    "text/html; charset=utf-8": "puzzle.html",
    "application/json": "puzzle.json",
    "model/stl": "puzzle.stl",
    "model/3mf": "puzzle.3mf",
}
"""Names under which files are saved, by their media type."""


PICTURE_SECONDS = 3600
"""Time for which a browser keeps a picture; another version of slidelab may draw it differently."""

DRAIN_FACTOR = 4
"""How many times too long a body may be and is still read, so that the client sees why it is refused."""

DRAIN_SECONDS = 5.0
"""Time for which the rest of a body is read that is too long."""


class Refused(Exception):
    """A request is not answered."""

    def __init__(self, error: str, status: int = 400, exit_code: int = 2) -> None:
        super().__init__(error)
        self.refusal = Refusal(error, exit_code, status)


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the body of a request, which must be JSON, not too long, and arrive in time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused("expected the content type application/json, got another", 400)
    length = request.headers.get("content-length", "0")
    declared = int(length) if length.isascii() and length.isdigit() and len(length) < 18 else 1 << 60
    parts, size = list[bytes](), 0
    # A body that is only somewhat too long is read to its end, and forgotten: a client that is still sending
    # when the connection is closed would not see the answer.
    limit = limits.body_bytes
    seconds = limits.body_seconds if declared <= limit else min(DRAIN_SECONDS, limits.body_seconds)
    too_slow = False
    try:
        async with asyncio.timeout(seconds) as timeout:
            async for part in request.stream() if declared <= limit * DRAIN_FACTOR else _nothing():
                if size <= limit < size + len(part):
                    timeout.reschedule(asyncio.get_running_loop().time() + DRAIN_SECONDS)
                size += len(part)
                if size <= limit:
                    parts.append(part)
                elif size > limit * DRAIN_FACTOR:
                    break
    except TimeoutError:
        too_slow = True
    if max(size, declared) > limit:
        raise Refused(f"expected at most {limit:,} bytes, got more", 413)
    if too_slow:
        raise Refused(f"expected the request within {seconds:g} seconds", 408)
    return b"".join(parts)


async def _nothing() -> AsyncIterator[bytes]:
    """Yield no part of a body."""
    return
    yield b""


def json_response(body: bytes | dict[str, Any], status: int = 200) -> Response:
    """Return an answer of JSON, from its text or from a value."""
    content = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return Response(content, status, {"cache-control": "no-store"}, "application/json")


def reply_response(reply: Reply) -> Response:
    """Return the answer for the last event of a call."""
    if reply.event == "error":
        return refusal_response(msgspec.json.decode(reply.data, type=Refusal))
    if reply.event == "file":
        return file_response(reply.data, reply.media_type)
    return json_response(reply.data)


def file_response(content: bytes, media_type: str) -> Response:
    """Return a file to be saved."""
    headers = {
        "cache-control": "no-store",
        "content-security-policy": FILE_POLICY,
        "content-disposition": f'attachment; filename="{FILE_NAMES.get(media_type, "puzzle.bin")}"',
    }
    return Response(content, headers=headers, media_type=media_type)


def picture_response(request: Request, answer: bytes) -> Response:
    """Return a picture to be shown, which the browser may keep: its address says all about it."""
    content = msgspec.json.decode(answer)["svg"].encode()
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {
        "etag": tag,
        "cache-control": f"private, max-age={PICTURE_SECONDS}",
        "content-security-policy": FILE_POLICY,
    }
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type="image/svg+xml")


def event_response(events: AsyncIterator[bytes]) -> Response:
    """Return a stream of events."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(events, headers=headers, media_type="text/event-stream")


def asset_response(request: Request, asset: Asset | None) -> Response:
    """Return a file of the page: with its tag as version it never changes, else it is asked for again."""
    if asset is None:
        return refuse("expected a file of the page, got another name", 404)
    headers = {"etag": f'"{asset.tag}"', "cache-control": "no-cache"}
    if request.query_params.get("v") == asset.tag:
        headers["cache-control"] = "public, max-age=31536000, immutable"
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(asset.content, headers=headers, media_type=asset.media_type)


async def _on_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    response = refusal_response(error.refusal)
    if error.refusal.status in (408, 413):
        response.headers["connection"] = "close"  # the rest of the body is not read
    return response


async def _on_notation(_: Request, error: Exception) -> Response:
    return refuse(one_line(str(error)), 400)


async def _on_busy(_: Request, __: Exception) -> Response:
    return refuse("too many requests are waiting; please try again", 503, 3)


async def _on_too_many_jobs(_: Request, error: Exception) -> Response:
    return refuse(f"{error}; please try again", 429, 3)


async def _on_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "expected an address of the studio, got another", 405: "expected another method"}
    response = refuse(words.get(error.status_code, error.detail), error.status_code)
    response.headers.update(error.headers or {})
    return response


async def _on_disconnect(_: Request, __: Exception) -> Response:
    return refuse("the client is gone", 400)


async def _on_defect(_: Request, error: Exception) -> Response:
    return refuse(f"internal error ({type(error).__name__}); please report it", 500, 4)


HANDLERS: dict[Any, Any] = {
    Refused: _on_refused,
    NotationError: _on_notation,
    Busy: _on_busy,
    TooManyJobs: _on_too_many_jobs,
    HTTPException: _on_http,
    ClientDisconnect: _on_disconnect,
    Exception: _on_defect,
}
"""What is answered when a route raises."""
