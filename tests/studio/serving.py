"""A studio server on a free port in a thread of this process, with real workers, for tests."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn

from slidelab.studio.app import Studio, build_app
from slidelab.studio.connections import protocol_class
from slidelab.studio.limits import Limits
from slidelab.studio.server import bind, make_studio

__all__ = ["PATIENT", "SECONDS", "Event", "Server", "check_refusal", "serving", "talk"]

PATIENT = Limits(quick_seconds=120.0, job_seconds=240.0, grace_seconds=60.0, body_seconds=60.0)
"""Limits that are not reached on the slowest machine."""

SECONDS = 240.0
"""Time in which anything must have happened."""


@dataclass(frozen=True)
class Event:
    """An event as a browser reads it."""

    number: int
    name: str
    data: Any


@dataclass
class Server:
    """A running server, and how to ask it."""

    studio: Studio
    address: str
    client: httpx.Client
    loop: asyncio.AbstractEventLoop = field(repr=False)

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(
            path, content=content, headers={"content-type": "application/json", **headers}
        )

    def ask(self, path: str, **body: Any) -> Any:
        """Return the answer to a request, which must be answered."""
        response = self.post(path, body)
        assert response.status_code in (200, 202), response.text
        return response.json()

    def refused(self, path: str, body: Any, status: int = 400, **headers: str) -> str:
        """Return the line about what is wrong with a request."""
        return check_refusal(self.post(path, body, **headers), status)

    def start(self, kind: str, position: str, goal: str | None = None, **options: Any) -> str:
        """Start a job and return its number."""
        job = self.ask("/api/jobs", kind=kind, position=position, goal=goal, options=options)
        assert job["events"] == f"/api/jobs/{job['id']}/events"
        return str(job["id"])

    def events(self, job: str, after: int | None = None) -> Iterator[Event]:
        """Yield the events of a job until the stream ends."""
        headers = {} if after is None else {"last-event-id": str(after)}
        with self.client.stream("GET", f"/api/jobs/{job}/events", headers=headers) as response:
            assert response.status_code == 200
            assert response.headers["content-type"].startswith("text/event-stream")
            fields: dict[str, str] = {}
            for line in response.iter_lines():
                name, _, value = line.partition(": ")
                if line:
                    fields[name] = value
                    continue
                if "data" in fields:
                    yield Event(int(fields["id"]), fields["event"], json.loads(fields["data"]))
                fields = {}

    def result(self, job: str) -> Any:
        """Return the result of a job, which must have one."""
        *_, last = self.events(job)
        assert last.name == "result", last
        return last.data

    def run(self, kind: str, position: str, goal: str | None = None, **options: Any) -> Any:
        """Return the result of a new job."""
        return self.result(self.start(kind, position, goal, **options))


def check_refusal(response: httpx.Response, status: int) -> str:
    """Assert that a request was refused with one line, and return the line."""
    assert response.status_code == status, response.text
    form = response.json()
    assert sorted(form) == ["error", "exit_code"]
    assert "\n" not in form["error"]
    assert 0 < len(form["error"]) < 1200
    assert "Traceback" not in response.text
    return str(form["error"])


def talk(port: int, request: bytes) -> bytes:
    """Send bytes and return all that comes back until the other side closes, or for a while after."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        with suppress(OSError):
            connection.sendall(request)
        received = b""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            try:
                part = connection.recv(65536)
            except OSError:
                break
            if not part:
                break
            received += part
            if (
                b"\r\n\r\n" in received
                and b"connection: close" not in received.lower()
                and request.endswith(b"\r\n\r\n")
            ):
                break
    return received


@contextmanager
def serving(
    limits: Limits = PATIENT, *, host: str = "127.0.0.1", token: str | None = None, start_text: str = ""
) -> Iterator[Server]:
    """Run a server."""
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    listener = bind(host, 0)
    studio, address = make_studio(listener, host, token, limits, start_text)
    config = uvicorn.Config(
        build_app(studio),
        http=protocol_class(limits),
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
    )
    server = uvicorn.Server(config)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=lambda: loop.run_until_complete(server.serve([listener])), daemon=True)
    thread.start()
    port = listener.getsockname()[1]
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SECONDS) as client:
            yield Server(studio, address, client, loop)
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        loop.run_until_complete(_end(studio))
        loop.close()


async def _end(studio: Studio) -> None:
    studio.kill()
    await studio.wait_ended()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
