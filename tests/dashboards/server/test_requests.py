"""Only complete and unambiguous requests reach the app; the server answers others in JSON."""

import json
import logging
import re
import resource
from typing import Any

import pytest

from dashboards.web import middleware
from tests.dashboards.server.web import ask, behind, connect, echo, said, serving


def split(answer: bytes) -> tuple[int, dict[str, Any]]:
    """Return the status and JSON of a response; there must be exactly one response."""
    assert answer.count(b"HTTP/1.1 ") == 1
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/json" in head
    found = json.loads(body)
    assert found["message"]
    return int(head.split()[1]), found


TWO_WAYS = {
    "length and chunks": "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": "Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
    "two lengths in one": "Content-Length: 5, 6\r\n\r\n12345",
    "length with a sign": "Content-Length: +5\r\n\r\n12345",
    "bare carriage return": "X-Bare: a\rX-Hidden: b\r\n\r\n",
    "space before the colon": "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
    "other coding": "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "two codings": "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked twice": "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunk without a size": "Transfer-Encoding: chunked\r\n\r\nx\r\n\r\n",
    "chunk with bare line feeds": "Transfer-Encoding: chunked\r\n\r\n1\na\n0\n\n",
    "chunk longer than it says": "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n",
    "two hosts": "Host: elsewhere\r\n\r\n",
}
HIDDEN = "GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def port() -> Any:
    with serving(behind(echo)) as found:
        yield found


@pytest.mark.parametrize("rest", TWO_WAYS.values(), ids=TWO_WAYS)
def test_an_ambiguous_request_has_one_answer_and_ends_the_connection(port: int, rest: str) -> None:
    answer = said(connect(port, f"POST / HTTP/1.1\r\nHost: localhost\r\n{rest}{HIDDEN}".encode()))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("text", ["\x16\x03\x01\x02\n\r\n", "GET\r\n\r\n"])
def test_an_invalid_request_is_refused(port: int, text: str) -> None:
    assert said(connect(port, text.encode("latin-1"))).startswith(b"HTTP/1.1 400 ")


def test_a_head_that_does_not_end_is_cut_off(port: int) -> None:
    assert said(connect(port, b"GET / HTTP/1.1\r\nX-Long: " + b"a" * 70_000)).startswith(b"HTTP/1.1 400 ")


def test_requests_on_one_connection_are_answered_in_order(port: int) -> None:
    one = "POST / HTTP/1.1\r\nHost: {0}\r\nContent-Length: 1\r\n\r\n{0}"
    last = "GET / HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n"
    answer = said(connect(port, (one.format("a") + one.format("b") + last).encode()))
    assert re.findall(rb"'HTTP_HOST': '(.)'", answer) == [b"a", b"b", b"c"]
    assert answer.count(b"HTTP/1.1 200 OK") == 3


def test_neither_a_trailer_nor_a_name_with_a_low_line_passes_for_a_header(port: int) -> None:
    chunks = b"1\r\na\r\n0\r\nX-Secret: trailer\r\n\r\n"
    answer = ask(port, "POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nX_Secret: low\r\n", chunks)
    assert b"'HTTP_X_SECRET': None" in answer
    assert b"b'a'" in answer


def test_a_body_of_more_than_its_path_has_is_refused_and_not_invited(port: int) -> None:
    large = ask(port, "POST /api/x HTTP/1.1", f"Content-Length: {5 << 20}\r\nExpect: 100-continue\r\n")
    assert split(large) == (
        413,
        {"message": "body: expected at most 4194304 bytes, found more", "limit": 4 << 20, "found": 5 << 20},
    )
    chunk = b"100000\r\n" + bytes(1 << 20) + b"\r\n"
    status, found = split(ask(port, "POST /api/x HTTP/1.1", "Transfer-Encoding: chunked\r\n", chunk * 5 + b"0\r\n\r\n"))
    assert (status, found["limit"]) == (413, 4 << 20)
    assert found["found"] > 4 << 20


def test_a_full_disk_is_reported(port: int, caplog: pytest.LogCaptureFixture) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
    try:
        answer = ask(port, "POST /api/x HTTP/1.1", "Content-Length: 200000\r\n", bytes(200_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    status, found = split(answer)
    assert (status, found["message"]) == (507, "the server cannot store the body on its disk: File too large")
    assert caplog.text == ""


def test_concurrent_large_bodies_of_a_client_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "LARGE_AT_ONCE", 1)
    headers = b"Host: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n\r\n"
    large = b"POST /api/x HTTP/1.1\r\n" + headers
    with serving(behind(echo)) as port, connect(port, large) as first:
        assert first.recv(100).startswith(b"HTTP/1.1 100 ")
        answer = said(connect(port, large))
        assert split(answer)[0] == 503
        assert b"retry-after: 2" in answer
        with connect(port, large, source="127.0.0.2") as other:
            assert other.recv(100).startswith(b"HTTP/1.1 100 ")
        first.sendall(bytes(2_000_000))
        assert first.recv(100).startswith(b"HTTP/1.1 200 ")
        with connect(port, large) as again:
            assert again.recv(100).startswith(b"HTTP/1.1 100 ")


FORWARDED = "X-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: logs.example\r\n"


def test_headers_of_a_proxy_count_only_if_it_is_trusted(port: int) -> None:
    plain = "{'REMOTE_ADDR': '127.0.0.1', 'wsgi.url_scheme': 'http', 'HTTP_HOST': 'localhost'"
    answer = ask(port, headers=FORWARDED).decode()
    assert plain in answer
    assert "'himalaya.from_proxy': False" in answer
    with serving(behind(echo, proxies=["127.0.0.0/30"])) as proxied:
        answer = ask(proxied, headers=FORWARDED, source="127.0.0.2").decode()
        assert "{'REMOTE_ADDR': '192.0.2.7', 'wsgi.url_scheme': 'https', 'HTTP_HOST': 'logs.example'" in answer
        assert "'himalaya.from_proxy': True" in answer
        assert plain in ask(proxied, headers=FORWARDED, source="127.0.0.9").decode().replace("0.0.9", "0.0.1")


def test_requests_refused_before_the_app_are_logged_too(port: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "himalaya.access")
    ask(port, "POST /data HTTP/1.1", f"Content-Length: {5 << 20}\r\n")
    assert [record.getMessage() for record in caplog.records] == ["POST /data 413"]
