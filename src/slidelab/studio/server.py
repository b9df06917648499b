"""Run the studio: find a port, print the address, serve until Ctrl-C, and end all workers at once."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from slidelab.errors import PuzzleError
from slidelab.studio.app import Studio, build_app
from slidelab.studio.connections import protocol_class
from slidelab.studio.guard import Access, is_loopback
from slidelab.studio.limits import Limits

__all__ = ["StudioServer", "bind", "make_studio", "serve"]

HANDLED_SIGNALS = (signal.SIGINT, signal.SIGTERM)

MAX_PORT = 65_535

PORTS_TRIED = 100
"""Ports after the one that is asked for which are tried if it is taken."""

KEEP_ALIVE_SECONDS = 30
"""Time for which a connection without requests stays open."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a port, or at the next one that is free; 0 for any.

    Raises
    ------
    PuzzleError
        If there is no such host, or none of these ports is free.
    """
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "not a host name"
        raise PuzzleError(f"expected a host of this machine, got {host!r:.80} - {reason}") from None
    last = min(port + PORTS_TRIED, MAX_PORT) if port else 0
    for number in range(port, last + 1):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address[0], number, *address[2:]))
            listener.listen(128)
        except OSError as error:
            listener.close()
            reason = (error.strerror or "cannot be used").lower()
        else:
            return listener
    raise PuzzleError(f"expected a free port from {port} to {last} of {host!r:.80}, got none - {reason}")


class StudioServer(uvicorn.Server):
    """A server that ends at the first signal, without waiting for streams, and kills its workers."""

    def __init__(self, config: uvicorn.Config, studio: Studio) -> None:
        super().__init__(config)
        self.studio = studio

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals as uvicorn does, but for those that are ignored, as under nohup."""
        handled = [number for number in HANDLED_SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        if threading.current_thread() is not threading.main_thread():
            handled = []
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        for captured in reversed(self._captured_signals):
            signal.raise_signal(captured)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the workers at once, then the server."""
        self._captured_signals.append(sig)
        self.should_exit = self.force_exit = True
        self.studio.kill()


def make_studio(
    listener: socket.socket, host: str, token: str | None, limits: Limits, start_text: str = ""
) -> tuple[Studio, str]:
    """Return the state of a server at a socket, and its address for the browser.

    A token is made up if there is none and others can reach the server.
    """
    port = listener.getsockname()[1]
    if token is None:
        token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    shown = f"[{shown}]" if ":" in shown else shown
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    return Studio(Access(host, port, token), limits, start_text), address


def serve(listener: socket.socket, studio: Studio, started: Callable[[], None] | None = None) -> StudioServer:
    """Serve at a socket until a signal comes, which is raised again when all workers have ended."""
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        build_app(studio),
        http=protocol_class(studio.limits),
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        h11_max_incomplete_event_size=32_768,
    )
    server = StudioServer(config, studio)

    async def run() -> None:
        waiting = asyncio.create_task(_when_started(server, started)) if started is not None else None
        try:
            await server.serve([listener])
        finally:
            if waiting is not None:
                waiting.cancel()
            studio.kill()
            await studio.wait_ended()

    try:
        asyncio.run(run())
    finally:
        studio.kill()  # also if a second signal came
    return server


async def _when_started(server: StudioServer, started: Callable[[], None]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    started()
