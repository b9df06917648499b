"""Which requests are answered at all: the right host, the same origin, a token, and headers on answers.

A page on the internet can make a browser send requests to a server on the same machine. It is kept from
reading answers by the browser, and from the rest by these checks:

- The header ``Host`` must be an address of this server. A name that an attacker lets point to 127.0.0.1 (DNS
  rebinding) would make his page same-origin, but the browser still sends his name.
- A request that changes anything must not come from another origin. Browsers always say from where such a
  request comes; programs that are no browsers say nothing, and may.
- A server that others on the network can reach asks for a token.
"""

from __future__ import annotations

import hmac
import ipaddress
import socket
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slidelab.studio.protocol import Refusal, to_json

__all__ = ["Access", "Guard", "is_loopback", "refuse"]

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
"""Headers of every answer."""

SAFE_METHODS = ("GET", "HEAD")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server at this host.

    >>> is_loopback("localhost"), is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Access:
    """Who may use the server.

    Attributes
    ----------
    host, port
        Where it listens.
    token
        What a request must show; empty if it need not show anything.
    """

    host: str
    port: int
    token: str = ""

    @property
    def cookie(self) -> str:
        """The name of the cookie with the token; cookies do not tell ports apart."""
        return f"slidelab-{self.port}"

    def knows_host(self, header: str) -> bool:
        """Return whether the header ``Host`` is an address of this server.

        >>> access = Access("127.0.0.1", 8765)
        >>> access.knows_host("localhost:8765"), access.knows_host("evil.example:8765")
        (True, False)
        """
        name, port = _split_host(header)
        if port != self.port:
            return False
        if is_loopback(self.host):
            return name == "localhost" or (_is_address(name) and is_loopback(name))
        return _is_address(name) or name in ("localhost", self.host.lower(), socket.gethostname().lower())

    def has_token(self, headers: Headers, query: bytes) -> bool:
        """Return whether a request shows the token, in its cookie, its header or its address."""
        if not self.token:
            return True
        given = [value for name, value in _query(query) if name == "token"]
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            given.append(bearer.strip())
        try:
            morsel = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            morsel = None
        if morsel is not None:
            given.append(morsel.value)
        return any(hmac.compare_digest(value.encode(), self.token.encode()) for value in given)


def _split_host(header: str) -> tuple[str, int]:
    """Return name and port of a header ``Host``; port 80 if there is none, -1 if it is no number."""
    name, colon, port = header.strip().lower().rpartition(":")
    if not colon or port.endswith("]"):
        name, port = header.strip().lower(), "80"
    number = int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1
    return name.removeprefix("[").removesuffix("]"), number


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _query(query: bytes) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=50)
    except ValueError:
        return []


def refuse(error: str, status: int, exit_code: int = 2) -> Response:
    """Return an answer that says why there is none."""
    return refusal_response(Refusal(error, exit_code, status))


def refusal_response(refusal: Refusal) -> Response:
    """Return the answer for a refusal."""
    body = to_json({"error": refusal.error, "exit_code": refusal.exit_code})
    headers = {"cache-control": "no-store"}
    if refusal.status in (429, 503):
        headers["retry-after"] = "1"
    return Response(body, refusal.status, headers, "application/json")


class Guard:
    """Middleware that refuses requests from elsewhere and adds headers to all answers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # no WebSockets: the connection is closed
        answer = self._refusal(scope) or self._enter(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await (answer or self.app)(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return why a request is not answered, None if it is."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self.access.knows_host(hosts[0]):
            return refuse("expected the address of this server as host, got another", 403)
        if scope["path"] != "/" and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return refuse("expected a request from a page of this server, got one from another site", 403)
        if scope["method"] not in SAFE_METHODS:
            origins = headers.getlist("origin")
            if len(origins) > 1 or (origins and origins[0].lower() != f"http://{hosts[0].strip().lower()}"):
                return refuse("expected a request from a page of this server, got another origin", 403)
        if not self.access.has_token(headers, scope["query_string"]):
            return refuse("expected the token from the address that the server printed, got none", 403)
        return None

    def _enter(self, scope: Scope) -> Response | None:
        """Return an answer that keeps the token as a cookie and takes it out of the address of the page."""
        query = _query(scope["query_string"])
        if not self.access.token or scope["path"] != "/" or "token" not in dict(query):
            return None
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        answer = RedirectResponse("/" + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(self.access.cookie, self.access.token, httponly=True, samesite="strict", path="/")
        return answer
