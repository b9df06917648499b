"""The routes of the studio."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from slidelab import __version__
from slidelab.errors import NotationError
from slidelab.studio.assets import Asset, LiveAssets, find_assets
from slidelab.studio.cache import AnswerCache
from slidelab.studio.forms import Form, PuzzleRequest, decode
from slidelab.studio.guard import Access, Guard, refusal_response, refuse
from slidelab.studio.library import read_date
from slidelab.studio.limits import Limits
from slidelab.studio.pool import Busy, Pool
from slidelab.studio.protocol import Call, Refusal, Reply, to_json

__all__ = ["Studio", "build_app"]

Endpoint = Callable[[Request], Awaitable[Response]]


class Refused(Exception):
    """A request is not answered."""

    def __init__(self, error: str, status: int = 400, exit_code: int = 2) -> None:
        super().__init__(error)
        self.refusal = Refusal(error, exit_code, status)


@dataclass(eq=False)
class Studio:
    """The state of a server: its processes and what they answered.

    Attributes
    ----------
    access, limits
        Who may use the server, and how much.
    start_text
        The puzzle or position that the page shows first.
    """

    access: Access
    limits: Limits = field(default_factory=Limits)
    start_text: str = ""

    def __post_init__(self) -> None:
        limits = self.limits
        self.quick = Pool(limits.quick_workers, limits.quick_waiting, limits.grace_seconds, limits.idle_bytes)
        self.answers = AnswerCache(limits.cache_bytes)
        self._asking: dict[str, asyncio.Future[Reply]] = {}

    # Quick answers

    async def ask(self, task: str, body: bytes) -> Reply:
        """Return the answer of a worker to a quick request; equal requests are answered once."""
        key = f"{task} {sha256(body).hexdigest()}"
        if (known := self.answers.get(key)) is not None:
            return Reply(0, "result", known)
        if (asked := self._asking.get(key)) is not None:
            return await asyncio.shield(asked)
        future = self._asking[key] = asyncio.ensure_future(self._run(task, body))
        future.add_done_callback(lambda _: self._asking.pop(key, None))
        reply = await asyncio.shield(future)
        if reply.event == "result":
            self.answers.put(key, reply.data)
        return reply

    async def _run(self, task: str, body: bytes) -> Reply:
        limits = self.limits
        call = Call(
            0,
            task,
            body,
            limits.quick_seconds,
            limits.quick_memory,
            cells=limits.cells,
            depth=limits.depth,
        )
        return await self.quick.run(call, key=task)

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start the processes with the server and end them with it."""
        self.quick.start()
        try:
            yield
        finally:
            self.kill()
            await self.wait_ended()

    def kill(self) -> None:
        """Kill all processes at once."""
        self.quick.close()

    async def wait_ended(self) -> None:
        """Wait until all processes have ended."""
        await self.quick.wait_closed()


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the body of a request, which must be JSON, not too long, and arrive in time."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused("expected the content type application/json, got another", 400)
    length = request.headers.get("content-length", "")
    too_long = Refused(f"expected at most {limits.body_bytes:,} bytes, got more", 413)
    if length.isascii() and length.isdigit() and int(length[:20]) > limits.body_bytes:
        raise too_long
    parts, size = [], 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            async for part in request.stream():
                size += len(part)
                if size > limits.body_bytes:
                    raise too_long
                parts.append(part)
    except TimeoutError:
        raise Refused(f"expected the request within {limits.body_seconds:g} seconds", 408) from None
    return b"".join(parts)


def json_response(body: bytes, status: int = 200) -> Response:
    """Return an answer of JSON."""
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def reply_response(reply: Reply) -> Response:
    """Return the answer for the last event of a call."""
    if reply.event == "error":
        return refusal_response(msgspec.json.decode(reply.data, type=Refusal))
    return json_response(reply.data)


def _asset_response(request: Request, asset: Asset) -> Response:
    headers = {"etag": f'"{asset.tag}"', "cache-control": "no-cache"}
    if request.query_params.get("v") == asset.tag:
        headers["cache-control"] = "public, max-age=31536000, immutable"
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(asset.content, headers=headers, media_type=asset.media_type)


def _quick_route(studio: Studio, path: str, task: str, form: type[Form]) -> Route:
    async def answer(request: Request) -> Response:
        body = await read_body(request, studio.limits)
        decode(body, form)
        return reply_response(await studio.ask(task, body))

    return Route(path, answer, methods=["POST"], name=task)


def build_app(studio: Studio) -> Guard:
    """Return the application with all routes, behind the guard."""
    assets = find_assets()
    if os.environ.get("SLIDELAB_DEBUG"):  # who works on the page sees it after every reload
        assets = LiveAssets()

    async def page(request: Request) -> Response:
        index = assets.get("index.html")
        if index is None:
            return refuse("expected the page to be installed", 404)
        return _asset_response(request, index)

    async def asset(request: Request) -> Response:
        found = assets.get(request.path_params["name"])
        if found is None:
            return refuse("expected a file of the page, got another name", 404)
        return _asset_response(request, found)

    async def library(request: Request) -> Response:
        day = read_date(request.query_params.get("date"))
        return reply_response(await studio.ask("library", to_json({"date": day.isoformat()})))

    async def glossary(_: Request) -> Response:
        from slidelab.glossary import glossary as entries

        return json_response(to_json({entry.term: entry.text for entry in entries()}))

    async def health(_: Request) -> Response:
        return json_response(
            to_json({"status": "ok", "version": __version__, "workers": len(studio.quick.workers)})
        )

    routes = [
        Route("/", page),
        Route("/page/{name:path}", asset),
        Route("/api/library", library),
        Route("/api/glossary", glossary),
        Route("/api/health", health),
        _quick_route(studio, "/api/puzzle", "puzzle", PuzzleRequest),
    ]
    app = Starlette(routes=routes, exception_handlers=_HANDLERS, lifespan=studio.lifespan)
    app.router.redirect_slashes = False
    return Guard(app, studio.access)


async def _on_refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal_response(error.refusal)


async def _on_notation(_: Request, error: Exception) -> Response:
    return refuse(str(error), 400)


async def _on_busy(_: Request, __: Exception) -> Response:
    return refuse("too many requests are waiting; please try again", 503, 3)


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


_HANDLERS = {
    Refused: _on_refused,
    NotationError: _on_notation,
    Busy: _on_busy,
    HTTPException: _on_http,
    ClientDisconnect: _on_disconnect,
    Exception: _on_defect,
}
