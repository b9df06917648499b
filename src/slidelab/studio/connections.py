"""Connections: how many there may be, and how long a client may take to send the head of a request."""

from __future__ import annotations

import asyncio
from collections import Counter

from uvicorn.protocols.http.h11_impl import H11Protocol

from slidelab.studio.limits import Limits

__all__ = ["protocol_class"]

CLIENT_SHARE = 0.75
"""Share of all connections that one address may have."""


def protocol_class(limits: Limits) -> type[H11Protocol]:
    """Return the protocol of connections under these limits."""
    open_connections: Counter[str] = Counter()

    class TimedProtocol(H11Protocol):
        """A connection that is closed if it sends the head of a request too slowly, or nothing at all."""

        _head_timer: asyncio.TimerHandle | None = None
        _address = ""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._address = self.client[0] if self.client else ""
            open_connections[self._address] += 1
            most = limits.connections
            if open_connections.total() > most or open_connections[self._address] > most * CLIENT_SHARE:
                transport.abort()
                return
            self._arm()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            open_connections[self._address] -= 1
            if open_connections[self._address] <= 0:
                del open_connections[self._address]
            self._disarm()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._disarm()  # the head has arrived; the time for the body is counted where it is read
            elif self._head_timer is None and not self.transport.is_closing():
                self._arm()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.cycle.response_complete:
                self._disarm()  # the next request has the time for idle connections

        def _arm(self) -> None:
            self._head_timer = self.loop.call_later(limits.body_seconds, self._close)

        def _disarm(self) -> None:
            if self._head_timer is not None:
                self._head_timer.cancel()
                self._head_timer = None

        def _close(self) -> None:
            self._head_timer = None
            if self.cycle is None or self.cycle.response_complete:
                self.transport.abort()

    return TimedProtocol
