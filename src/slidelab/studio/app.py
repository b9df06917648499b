"""The routes of the studio."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from slidelab import __version__
from slidelab.glossary import glossary
from slidelab.studio.assets import LiveAssets, find_assets
from slidelab.studio.cache import AnswerCache
from slidelab.studio.forms import (
    JOB_FORMATS,
    QUICK_FORMS,
    ExportRequest,
    Form,
    JobOptions,
    JobRequest,
    PictureRequest,
    decode,
)
from slidelab.studio.guard import Access, Guard
from slidelab.studio.jobs import Job, JobBoard
from slidelab.studio.library import read_date
from slidelab.studio.limits import Limits
from slidelab.studio.openapi import openapi_document
from slidelab.studio.pool import Busy, Pool
from slidelab.studio.protocol import Call, Refusal, Reply, to_json
from slidelab.studio.responses import (
    HANDLERS,
    Refused,
    asset_response,
    event_response,
    file_response,
    json_response,
    picture_response,
    read_body,
    reply_response,
)

__all__ = ["Studio", "build_app"]

_ANSWERED, _REFUSED = b"+", b"-"
"""What precedes an answer that is remembered."""

DRAWING_TASKS, DRAWING_FACTOR = ("puzzle", "picture", "file", "library"), 4
"""Tasks that get several times the time for a quick request: the largest boards take long to draw, and
drawing does not look at the clock."""

JOB_NICENESS = 10
"""By how much the system prefers the server and quick answers to jobs."""


@dataclass(eq=False)
class Studio:
    """The state of a server: its processes, its jobs and what was answered before.

    Attributes
    ----------
    access, limits
        Who may use the server, and how much.
    start_text
        The puzzle or position that the page shows first, if it has no other.
    """

    access: Access
    limits: Limits = field(default_factory=Limits)
    start_text: str = ""

    def __post_init__(self) -> None:
        limits = self.limits
        self.quick = Pool(limits.quick_workers, limits.quick_waiting, limits.grace_seconds, limits.idle_bytes)
        self.slow = Pool(
            limits.jobs, limits.waiting_jobs, limits.grace_seconds, limits.idle_bytes, JOB_NICENESS
        )
        self.jobs = JobBoard(self.slow, limits)
        self.answers = AnswerCache(limits.cache_bytes)
        self.streams = 0
        self._asking: dict[str, asyncio.Task[Reply]] = {}

    async def ask(
        self, task: str, body: bytes, *, about: str = "", client: str = "", keep: bool = True
    ) -> Reply:
        """Return the answer of a worker to a quick request; equal ones are answered once and remembered.

        Parameters
        ----------
        task, body
            What is asked.
        about, client
            What it is about, and who asks: see `Pool.run`.
        keep
            Whether the answer is always the same.
        """
        if not keep:
            return await self._run(task, body, about, client)
        key = f"{task} {sha256(body).hexdigest()}"
        if (known := self.answers.get(key)) is not None:
            return Reply(0, "error" if known[:1] == _REFUSED else "result", known[1:])
        asked = self._asking.get(key)
        if asked is None:
            asked = self._asking[key] = asyncio.ensure_future(self._run(task, body, about, client))
            asked.add_done_callback(lambda done: self._answered(key, done))
        return await asyncio.shield(asked)

    def _answered(self, key: str, done: asyncio.Task[Reply]) -> None:
        self._asking.pop(key, None)
        if done.cancelled() or done.exception() is not None:
            return
        reply = done.result()
        if reply.event == "result":
            self.answers.put(key, _ANSWERED + reply.data)
        elif msgspec.json.decode(reply.data, type=Refusal).status < 500:  # bad input stays bad
            self.answers.put(key, _REFUSED + reply.data)

    async def _run(self, task: str, body: bytes, about: str, client: str) -> Reply:
        limits = self.limits
        call = Call(
            0,
            task,
            body,
            limits.quick_seconds * (DRAWING_FACTOR if task in DRAWING_TASKS else 1),
            limits.quick_memory,
            cells=limits.cells,
            depth=limits.depth,
        )
        return await self.quick.run(call, key=about, client=client)

    async def stream(self, job: Job, after: int) -> AsyncIterator[bytes]:
        """Yield the events of a job, and count the stream as long as it is open."""
        self.streams += 1
        try:
            async for event in job.stream(after):
                yield event
        finally:
            self.streams -= 1

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Start the processes with the server and end them with it."""
        self.quick.start()
        self.slow.start()
        try:
            yield
        finally:
            self.kill()
            await self.wait_ended()

    def kill(self) -> None:
        """Kill all processes at once."""
        self.quick.close()
        self.slow.close()

    async def wait_ended(self) -> None:
        """Wait until all processes have ended."""
        self.jobs.close()
        await self.quick.wait_closed()
        await self.slow.wait_closed()


def about_text(*texts: str | None) -> str:
    """Return the part of the first text that says which puzzle it is about.

    >>> about_text(None, "square R(2,2) tiles 1 : 1 2 . 3")
    'square R(2,2) tiles 1'
    """
    text = next((text for text in texts if text), "")
    return text[:200].partition(":")[0].strip()


def client_of(request: Request) -> str:
    """Return the address of who asks."""
    return request.client.host if request.client else ""


def _quick_route(studio: Studio, task: str, form: type[Form]) -> Route:
    async def answer(request: Request) -> Response:
        body = await read_body(request, studio.limits)
        asked = decode(body, form)
        about = about_text(*(getattr(asked, name, None) for name in ("position", "puzzle", "text")))
        keep = task != "shuffle" or getattr(asked, "seed", None) is not None
        reply = await studio.ask(task, body, about=about, client=client_of(request), keep=keep)
        return reply_response(reply)

    return Route(f"/api/{task}", answer, methods=["POST"], name=task)


def build_app(studio: Studio) -> Guard:
    """Return the application with all routes, behind the guard."""
    # Who works on the page sees it after every reload.
    assets = LiveAssets() if os.environ.get("SLIDELAB_DEBUG") else find_assets()
    limits = studio.limits
    terms = to_json({entry.term: entry.text for entry in glossary()})

    async def page(request: Request) -> Response:
        return asset_response(request, assets.get("index.html"))

    async def asset(request: Request) -> Response:
        return asset_response(request, assets.get(request.path_params["name"]))

    async def library(request: Request) -> Response:
        day = read_date(request.query_params.get("date"))
        asked = {"date": day.isoformat(), "start": studio.start_text or None}
        return reply_response(await studio.ask("library", to_json(asked), client=client_of(request)))

    async def picture(request: Request) -> Response:
        asked = {
            name: own for name in ("text", "theme") if (own := request.query_params.get(name)) is not None
        }
        body = to_json(asked)
        about = about_text(decode(body, PictureRequest).text)
        reply = await studio.ask("picture", body, about=about, client=client_of(request))
        return reply_response(reply) if reply.event == "error" else picture_response(request, reply.data)

    async def glossary_route(_: Request) -> Response:
        return json_response(terms)

    async def openapi(_: Request) -> Response:
        return json_response(to_json(openapi_document()))

    async def health(_: Request) -> Response:
        return json_response(
            {
                "status": "ok",
                "version": __version__,
                "workers": len(studio.quick.workers) + len(studio.slow.workers),
                "jobs": studio.jobs.unfinished(),
                "limits": {
                    "cells": limits.cells,
                    "time": limits.job_seconds,
                    "memory": limits.job_memory,
                    "jobs": limits.jobs,
                },
            }
        )

    def submit(request: Request, asked: JobRequest, body: bytes) -> Response:
        if asked.kind == "export" and asked.position is None:
            raise Refused("expected a position to export, got none")
        if asked.position is None and asked.puzzle is None:
            raise Refused("expected a position or a puzzle, got neither")
        job = studio.jobs.submit(
            asked.kind,
            body,
            client=client_of(request),
            seconds=asked.options.time,
            key=about_text(asked.position, asked.puzzle),
        )
        return json_response(job.to_json(), 202)

    async def jobs(request: Request) -> Response:
        body = await read_body(request, limits)
        return submit(request, decode(body, JobRequest), body)

    async def export(request: Request) -> Response:
        body = await read_body(request, limits)
        asked = decode(body, ExportRequest)
        if asked.format not in JOB_FORMATS:
            about, client = about_text(asked.position), client_of(request)
            return reply_response(await studio.ask("file", body, about=about, client=client, keep=False))
        options = JobOptions(
            format=asked.format,
            theme=asked.theme,
            play=asked.play,
            moves=asked.moves,
            positions=asked.positions,
        )
        job = JobRequest(kind="export", position=asked.position, goal=asked.goal, options=options)
        return submit(request, job, msgspec.json.encode(job))

    def find_job(request: Request) -> Job:
        job = studio.jobs.get(request.path_params["id"])
        if job is None:
            raise Refused("expected a job of this server, got another or one that was forgotten", 404)
        return job

    async def job_state(request: Request) -> Response:
        job = find_job(request)
        if request.method == "DELETE":
            await studio.jobs.cancel(job)
        return json_response(job.to_json())

    async def job_events(request: Request) -> Response:
        job = find_job(request)
        after = request.headers.get("last-event-id") or request.query_params.get("after") or "0"
        if not (after.isascii() and after.isdigit() and len(after) < 10):
            raise Refused("expected a number as the last event, got something else")
        if studio.streams >= limits.streams:
            raise Busy
        return event_response(studio.stream(job, int(after)))

    async def job_file(request: Request) -> Response:
        job = find_job(request)
        if job.file is None:
            raise Refused("expected a job that has made a file, got another", 404)
        return file_response(*job.file)

    routes = [
        Route("/", page),
        Route("/page/{name:path}", asset),
        Route("/api/library", library),
        Route("/api/picture", picture),
        Route("/api/glossary", glossary_route),
        Route("/api/openapi.json", openapi),
        Route("/api/health", health),
        *(_quick_route(studio, task, form) for task, form in QUICK_FORMS.items()),
        Route("/api/export", export, methods=["POST"]),
        Route("/api/jobs", jobs, methods=["POST"]),
        Route("/api/jobs/{id}", job_state, methods=["GET", "DELETE"]),
        Route("/api/jobs/{id}/events", job_events),
        Route("/api/jobs/{id}/file", job_file),
    ]
    app = Starlette(routes=routes, exception_handlers=HANDLERS, lifespan=studio.lifespan)
    app.router.redirect_slashes = False
    return Guard(app, studio.access)
