"""What a hostile page or program can do: nothing but be refused, while others are answered."""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slidelab.studio.forms import QUICK_FORMS
from slidelab.studio.guard import CONTENT_SECURITY_POLICY, Access
from slidelab.studio.sources import check_depth
from studio.serving import PATIENT, SECONDS, Server, check_refusal, serving

POSITION = {"position": "2x2 : 3 1 . 2"}


# Who may ask


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "localhost:1",
        "127.0.0.1.evil.example:{port}",
        "",
        "[::1]",
        "0x7f.1:{port}",
        "10.0.0.1:{port}",
    ],
)
def test_other_hosts_are_refused(server: Server, host: str) -> None:
    port = server.studio.access.port
    for path in ("/", "/api/health", "/page/engine.js"):
        response = server.client.get(path, headers={"host": host.format(port=port)})
        assert "host" in check_refusal(response, 403)
    server.refused("/api/hint", POSITION, 403, host=host.format(port=port))


@pytest.mark.parametrize(
    "host", ["localhost:{port}", "127.0.0.1:{port}", "LOCALHOST:{port}", "[::1]:{port}", "127.0.0.2:{port}"]
)
def test_names_of_this_machine_are_known(server: Server, host: str) -> None:
    name = host.format(port=server.studio.access.port)
    assert server.client.get("/api/health", headers={"host": name}).status_code == 200
    assert server.post("/api/hint", POSITION, host=name, origin=f"http://{name}".lower()).status_code == 200


def test_two_hosts_are_refused(server: Server) -> None:
    port = server.studio.access.port
    answer = talk(
        port, f"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n".encode()
    )
    assert answer.split()[1] in (b"400", b"403")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "",
    ],
)
def test_posts_from_other_origins_are_refused(server: Server, origin: str) -> None:
    header = origin.format(port=server.studio.access.port)
    assert "origin" in server.refused("/api/hint", POSITION, 403, origin=header)
    job = server.start("analyze", "2x2")
    check_refusal(server.client.delete(f"/api/jobs/{job}", headers={"origin": header}), 403)
    assert server.result(job)["components"] == 2


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_other_sites_get_nothing_but_the_page(server: Server, site: str) -> None:
    assert server.client.get("/", headers={"sec-fetch-site": site}).status_code in (200, 404)
    for path in ("/api/glossary", "/page/engine.js"):
        check_refusal(server.client.get(path, headers={"sec-fetch-site": site}), 403)
    server.refused("/api/hint", POSITION, 403, **{"sec-fetch-site": site})


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "application/jsonp"],
)
def test_only_json_is_read(server: Server, kind: str) -> None:
    assert "application/json" in server.refused("/api/hint", POSITION, 400, **{"content-type": kind})


def test_headers_of_every_answer(server: Server) -> None:
    answers = [
        server.client.get("/page/engine.js"),
        server.client.get("/api/health"),
        server.client.get("/nothing"),
        server.client.get("/api/health", headers={"host": "evil.example"}),
        server.post("/api/hint", b"{"),
    ]
    for response in answers:
        assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in response.headers
    assert "unsafe" not in CONTENT_SECURITY_POLICY


def test_preflights_are_not_allowed(server: Server) -> None:
    response = server.client.options("/api/hint", headers={"access-control-request-method": "POST"})
    assert response.status_code == 405
    assert "access-control-allow-origin" not in response.headers


# The token


def test_a_server_for_others_asks_for_its_token() -> None:
    with serving(host="0.0.0.0") as server:
        token = server.studio.access.token
        assert len(token) >= 24
        assert f"?token={token}" in server.address
        for path in ("/", "/api/health", "/page/engine.js", "/api/health?token=wrong"):
            check_refusal(server.client.get(path), 403)
        server.refused("/api/hint", POSITION, 403)
        server.refused("/api/hint", POSITION, 403, cookie=f"{server.studio.access.cookie}=wrong")
        assert server.client.get(f"/api/health?token={token}").status_code == 200
        bearer = {"authorization": f"Bearer {token}"}
        assert server.client.get("/api/health", headers=bearer).status_code == 200
        entered = server.client.get(f"/?token={token}&x=1")
        assert entered.status_code == 303
        assert entered.headers["location"] == "/?x=1"
        cookie = entered.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert server.client.get("/api/health").status_code == 200  # by the cookie
        assert server.post("/api/hint", POSITION).status_code == 200
        server.refused("/api/hint", POSITION, 403, origin="http://evil.example")
        check_refusal(server.client.get("/api/health", headers={"host": "evil.example"}), 403)


def test_a_token_of_ones_own() -> None:
    with serving(token="a b&c=d") as server:
        check_refusal(server.client.get("/api/health"), 403)
        assert server.client.get("/api/health", params={"token": "a b&c=d"}).status_code == 200


def test_addresses_that_are_no_host() -> None:
    access = Access("127.0.0.1", 80)
    assert access.knows_host("localhost")
    assert access.knows_host("[::1]")
    assert not access.knows_host("localhost:99999999999999999999")
    assert not access.knows_host("localhost:８０")
    assert not Access("0.0.0.0", 80).knows_host("evil.example")
    assert Access("0.0.0.0", 80).knows_host("192.168.1.5")


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "/page/../app.py",
        "/page/..%2fapp.py",
        "/page/%2e%2e/app.py",
        "/page//etc/passwd",
        "/page/%2fetc%2fpasswd",
        "/page/page.py",
        "/page/",
        "/page/engine.js%00.css",
        "/page/engine.js/",
        "//evil.example/",
        "/page/..\\app.py",
        "/api",
        "/api/",
        "/api/puzzle/",
        "/openapi.json",
        "/page/__init__.py",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/jobs/../health",
    ],
)
def test_tricks_with_paths(server: Server, path: str) -> None:
    port = server.studio.access.port
    answer = talk(
        port, f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode()
    )
    assert answer.split()[1] in (b"404", b"405", b"400"), answer
    assert b"root:" not in answer
    assert b"import" not in answer


def test_files_are_those_of_the_page(server: Server) -> None:
    from slidelab.draw.page.template import SHARED

    response = server.client.get("/page/engine.js")
    assert response.content == (SHARED.parent / "play" / "engine.js").read_bytes()
    assert response.headers["content-type"].startswith("text/javascript")
    tag = response.headers["etag"]
    assert server.client.get("/page/engine.js", headers={"if-none-match": tag}).status_code == 304
    assert response.headers["cache-control"] == "no-cache"
    versioned = server.client.get(f"/page/engine.js?v={tag.strip(chr(34))}")
    assert "immutable" in versioned.headers["cache-control"]


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "-", "position.txt", "./position.txt", "~/.bashrc", "file:///etc/passwd"]
)
def test_texts_never_name_files(
    server: Server, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file exists in the folder of this process; workers have another, so names are absolute, too."""
    file = tmp_path / "position.txt"
    file.write_text("square R(2,2) : 3 1 . 2")
    monkeypatch.chdir(tmp_path)
    for text in (name, str(file)):
        for path, body in [
            ("/api/puzzle", {"text": text}),
            ("/api/puzzle", {"document": text}),
            ("/api/puzzle", {"document": {"puzzle": text}}),
            ("/api/puzzle", {"document": {"puzzle": "2x2", "start": text}}),
            ("/api/puzzle", {"text": "2x2", "goal": text}),
            ("/api/facts", {"puzzle": text}),
            ("/api/solvable", {"position": text}),
            ("/api/hint", {"position": "2x2 : 3 1 . 2", "goal": text}),
            ("/api/shuffle", {"puzzle": text}),
            ("/api/export", {"position": text, "format": "svg"}),
        ]:
            line = server.refused(path, body)
            assert "no such file" not in line
            assert "directory" not in line


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
