"""Requests that are wrong, deep, large, slow or many: each is refused, and others are answered."""

from __future__ import annotations

import json
import socket
import time
from dataclasses import replace
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slidelab.studio.forms import QUICK_FORMS
from slidelab.studio.sources import check_depth
from studio.serving import PATIENT, SECONDS, Server, check_refusal, serving, talk

# Bodies


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"7",
        b'"text"',
        b"\xff\xfe",
        b'{"position": "\\ud800"}',
        b"{}" * 2,
        b'{"text": 1e999}',
        b"NaN",
        b"{" * 10_000,
    ],
)
def test_bodies_that_are_no_json_object(server: Server, body: bytes) -> None:
    for path in ("/api/puzzle", "/api/facts", "/api/jobs", "/api/export", "/api/hint"):
        server.refused(path, body)


WRONG: list[Any] = [7, -1.5, True, [], {}, ["a"], {"a": 1}, "", "x" * 600_000, "\x00", "\u202e", "𝔘"]


@pytest.mark.parametrize("task", QUICK_FORMS)
def test_wrong_types_are_refused(server: Server, task: str) -> None:
    for field in QUICK_FORMS[task].__struct_fields__:
        for value in WRONG:
            body = {"position": "2x2 : 3 1 . 2"} if task in ("hint", "solvable") else {}
            response = server.post(f"/api/{task}", {**body, field: value})
            assert response.status_code == 400, (field, value, response.text[:200])
            check_refusal(response, 400)
    assert "unknown" in server.refused(f"/api/{task}", {"txt": "2x2"})


def test_deep_json_is_refused(server: Server) -> None:
    for deep in ("[" * 100_000, "[" * 400_000 + "]" * 400_000, '{"a":' * 100_000 + "1" + "}" * 100_000):
        server.refused("/api/puzzle", b'{"document": ' + deep.encode() + b"}")
        server.refused("/api/puzzle", json.dumps({"text": deep[:400_000]}).encode())
    nested = "[" * 40 + "]" * 40
    assert "nested" in server.refused("/api/puzzle", b'{"document": ' + nested.encode() + b"}")


@given(
    st.recursive(
        st.none() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    )
)
def test_depth_is_counted_as_json_nests(value: object) -> None:
    def depth(own: object) -> int:
        if isinstance(own, list):
            return 1 + max(map(depth, own), default=0)
        if isinstance(own, dict):
            return 1 + max(map(depth, own.values()), default=0)
        return 0

    text = json.dumps(value)
    check_depth(text, depth(value))
    if depth(value):
        with pytest.raises(ValueError, match="nested"):
            check_depth(text, depth(value) - 1)


@pytest.mark.parametrize(
    "text",
    [
        "square R(300,300)",
        "square R(99999,99999)",
        "hex F(9999999)",
        "complete(2000)",
        "theta(99999999,1,1)",
        "cycle(20000)",
        "square R(101,100)",
        "path(99999999999999999999)",
    ],
)
def test_huge_boards_are_refused_before_work(server: Server, text: str) -> None:
    for path, name in [
        ("/api/puzzle", "text"),
        ("/api/facts", "puzzle"),
        ("/api/shuffle", "puzzle"),
        ("/api/solvable", "position"),
    ]:
        response = server.post(path, {name: text})
        assert response.status_code in (400, 413), response.text[:200]
        check_refusal(response, response.status_code)
    *_, last = server.events(server.start("solve", text))
    assert last.name == "error"


def test_the_largest_board_is_played(server: Server) -> None:
    assert server.ask("/api/puzzle", text="square R(100,100)")["cells"] == 10_000


def test_large_bodies_are_refused(server: Server) -> None:
    assert "1,000,000 bytes" in server.refused("/api/puzzle", b'{"text": "' + b"x" * 1_100_000 + b'"}', 413)
    port = server.studio.access.port
    head = f"POST /api/puzzle HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
    declared = talk(port, (head + "Content-Length: 99999999999999999999\r\n\r\n").encode())
    assert declared.split()[1] in (b"400", b"413")
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    chunked = talk(port, (head + "Transfer-Encoding: chunked\r\n\r\n").encode() + chunk * 20)
    assert chunked.split()[1] == b"413"
    assert server.client.get("/api/health").status_code == 200


def test_slow_requests_are_cut_off() -> None:
    with serving(replace(PATIENT, body_seconds=0.5)) as server:
        port = server.studio.access.port
        head = f"POST /api/puzzle HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        body = talk(port, (head + "Content-Length: 100\r\n\r\n{").encode())
        assert body.split()[1] == b"408"
        assert talk(port, b"GET /api/health HT") == b""  # closed without an answer
        assert talk(port, b"") == b""
        follow_up = f"GET /api/health HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"
        second = talk(port, follow_up.encode() + b"GET /api/health HTT")
        assert second.count(b"HTTP/1.1 200") == 1
        assert server.client.get("/api/health").status_code == 200


def test_connections_are_limited() -> None:
    with serving(replace(PATIENT, connections=8)) as server:
        port = server.studio.access.port
        assert server.client.get("/api/health").status_code == 200
        held = [socket.create_connection(("127.0.0.1", port), timeout=SECONDS) for _ in range(20)]
        closed = 0
        for connection in held[8:]:
            try:
                closed += connection.recv(1) == b""
            except OSError:
                closed += 1
        assert closed == 12
        for connection in held:
            connection.close()
        end = time.monotonic() + SECONDS
        while True:
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=SECONDS).status_code == 200
                break
            except httpx.TransportError:
                assert time.monotonic() < end


# Anything at all


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    task=st.sampled_from([*QUICK_FORMS, "jobs", "export"]),
    body=st.one_of(
        st.binary(max_size=60),
        st.dictionaries(
            st.sampled_from(
                [
                    "text",
                    "puzzle",
                    "position",
                    "goal",
                    "seed",
                    "moves",
                    "document",
                    "kind",
                    "format",
                    "options",
                ]
            ),
            st.recursive(
                st.none()
                | st.booleans()
                | st.integers()
                | st.text(max_size=20)
                | st.sampled_from(["2x2", "2x2 : 3 1 . 2", "solve", "svg", "hex F(2)"]),
                lambda inner: (
                    st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
                ),
                max_leaves=6,
            ),
            max_size=4,
        ).map(lambda form: json.dumps(form).encode()),
    ),
)
def test_whatever_is_sent_gets_an_answer(server: Server, task: str, body: bytes) -> None:
    response = server.post(f"/api/{task}", body)
    if response.status_code not in (200, 202):
        assert response.status_code in (400, 409, 413, 429, 503)
        check_refusal(response, response.status_code)
    elif response.status_code == 202:
        server.client.delete(f"/api/jobs/{response.json()['id']}")
