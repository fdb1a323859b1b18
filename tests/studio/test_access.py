"""Who may talk to the studio: its own page, in the right browser, in time and in size."""

from __future__ import annotations

import http.client
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from pathveil.studio import access as rules
from pathveil.studio import server


def asked(studio: Any, method: str, path: str, **headers: str) -> http.client.HTTPResponse:
    """Return the answer to a request with just these headers."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.access.port, timeout=600)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    with closing(connection), connection.getresponse() as answer:
        answer.read()
        return answer


@pytest.fixture
def host(studio: Any) -> str:
    return f"127.0.0.1:{studio.access.port}"


@pytest.fixture
def cookie(studio: Any) -> str:
    return f"{studio.access.cookie}={studio.access.token}"


def test_the_token_becomes_a_cookie_and_leaves_the_address(studio: Any, host: str) -> None:
    answer = asked(studio, "GET", f"/?token={studio.access.token}", Host=host)
    assert (answer.status, answer.headers["Location"]) == (303, "/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert answer.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/api/health", "/assets/main.js", "/openapi.json"])
def test_nothing_is_shown_without_the_token_or_with_a_wrong_one(
    studio: Any, host: str, path: str
) -> None:
    wrong = f"{studio.access.cookie}=wrong"
    assert asked(studio, "GET", path, Host=host).status == 403
    assert asked(studio, "GET", f"{path}?token=wrong", Host=host).status == 403
    assert asked(studio, "GET", path, Host=host, Cookie=wrong).status == 403


def test_another_host_is_refused_even_with_the_cookie(studio: Any, cookie: str, host: str) -> None:
    port = studio.access.port
    assert asked(studio, "GET", "/api/health", Host=host, Cookie=cookie).status == 200
    assert (
        asked(studio, "GET", "/api/health", Host=f"localhost:{port}", Cookie=cookie).status == 200
    )
    for other in (f"evil.example:{port}", "127.0.0.1", "evil.example", ""):
        assert asked(studio, "GET", "/api/health", Host=other, Cookie=cookie).status == 403
        token = f"/?token={studio.access.token}"
        assert asked(studio, "GET", token, Host=other).status == 403


def test_requests_of_other_pages_are_refused(studio: Any, cookie: str, host: str) -> None:
    for header in (
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{studio.access.port + 1}"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ):
        answer = asked(studio, "GET", "/api/health", Host=host, Cookie=cookie, **header)
        assert answer.status == 403, header
        assert "Access-Control-Allow-Origin" not in answer.headers


def test_every_answer_forbids_the_page_to_load_or_send_elsewhere(
    studio: Any, host: str, cookie: str
) -> None:
    for path in ("/", "/api/health", "/assets/main.js", "/nowhere"):
        answer = asked(studio, "GET", path, Host=host, Cookie=cookie)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_gigabyte_is_refused_before_it_is_read(studio: Any, host: str, cookie: str) -> None:
    large = {"Host": host, "Cookie": cookie, "Content_Length": str(1 << 30)}
    assert asked(studio, "POST", "/api/network", **large).status == 413
    large["Content_Length"] = str(1 << 60)
    assert asked(studio, "POST", "/api/network", **large).status == 413


def test_a_body_of_no_stated_length_is_refused(studio: Any, host: str, cookie: str) -> None:
    chunked = {"Host": host, "Cookie": cookie, "Transfer_Encoding": "chunked"}
    assert asked(studio, "POST", "/api/network", **chunked).status == 411


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"", 422),
        (b"\xff\xfe", 422),
        (b"[" * 100_000, 400),
        (b'{"links": []}', 422),
        (b'{"links": [["a", "b"]], "surplus": 1}', 422),
        (b'{"links": [["a", "a"]]}', 400),
        (b'{"links": [["a", "b"], ["c", "d"]]}', 400),
        (b'{"links": [["a", "b"]], "places": {"a": [1e999, 0]}}', 422),
    ],
)
def test_malformed_json_is_refused_in_words(studio: Any, body: bytes, status: int) -> None:
    header = {"content-type": "application/json"}
    answer = studio.client.post("/api/layout", content=body, headers=header)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


def test_a_slow_client_is_sent_away(studio: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    head = (
        f"POST /api/layout HTTP/1.1\r\nHost: 127.0.0.1:{studio.access.port}\r\n"
        f"Cookie: {studio.access.cookie}={studio.access.token}\r\n"
    )
    place = ("127.0.0.1", studio.access.port)
    monkeypatch.setattr(rules, "SLOWEST_BODY", 0.2)
    with socket.create_connection(place, timeout=600) as slow_body:
        slow_body.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
        assert slow_body.recv(64).startswith(b"HTTP/1.1 408")
    monkeypatch.setattr(server, "SLOWEST_HEADER", 0.2)
    with socket.create_connection(place, timeout=600) as slow_header:
        slow_header.sendall(head.encode())
        assert slow_header.recv(64) == b""


def test_the_studio_listens_on_loopback_only() -> None:
    with server.listen(0) as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_many_at_once_lose_nothing(studio: Any, host: str, cookie: str) -> None:
    def ask(_: int) -> int:
        # Beyond the limit of connections the server says: later.
        while (
            status := asked(studio, "GET", "/api/health", Host=host, Cookie=cookie).status
        ) == 503:
            time.sleep(0.05)
        return status

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(ask, range(100))) == {200}
