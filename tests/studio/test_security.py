"""What a hostile page or program can do: nothing but be refused, while others are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from slidelab.studio.guard import CONTENT_SECURITY_POLICY, Access
from studio.serving import Server, check_refusal, serving, talk

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
