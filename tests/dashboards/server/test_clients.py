"""Slow or demanding clients do not delay others: idle connections, slow readers, many requests."""

import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dashboards.web.middleware import client_of
from tests.dashboards.server.web import ask, behind, connect, serving


def is_served(port: int, source: str = "127.0.0.1") -> bool:
    return ask(port, source=source).startswith(b"HTTP/1.1 200 ")


LARGE = 8 << 20


def large(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Respond with more than fits into socket buffers, or with a small body."""
    size = LARGE if environ["PATH_INFO"] == "/large" else 1
    start_response("200 OK", [("Content-Length", str(size))])
    return [bytes(size)]


def slow_reader(port: int, source: str = "127.0.0.1") -> socket.socket:
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line.bind((source, 0))
    line.settimeout(30)
    line.connect(("127.0.0.1", port))
    line.sendall(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    return line


def test_slow_readers_hold_no_thread_and_get_all_in_the_end() -> None:
    with serving(behind(large, 3)) as port:
        slow = [slow_reader(port) for _ in range(6)]
        assert is_served(port)
        head, _, body = slow[0].recv(1 << 16).partition(b"\r\n\r\n")
        found = len(body)
        while found < LARGE:
            found += len(slow[0].recv(1 << 20))
        assert head.startswith(b"HTTP/1.1 200 ")
        assert found == LARGE
        for each in slow:
            each.close()


def streaming(pieces: Callable[[], Iterator[bytes]]) -> Any:
    def app(_: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        start_response("200 OK", [])
        return pieces()

    return app


def test_an_answer_streams() -> None:
    go_on = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"first\n"
        assert go_on.wait(30)
        yield b"second\n"

    with serving(behind(streaming(pieces))) as port, connect(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n") as line:
        found = b""
        while b"first" not in found:
            found += line.recv(100)
        assert b"second" not in found
        go_on.set()
        while not found.endswith(b"0\r\n\r\n"):
            found += line.recv(100)
        assert b"second" in found


def test_an_answer_ends_when_its_client_disconnects() -> None:
    ended = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield bytes(1000)
        finally:
            ended.set()

    with serving(behind(streaming(endless))) as port:
        line = connect(port, b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        line.recv(100)
        line.close()
        assert ended.wait(30)


def test_a_failure_is_reported_and_half_an_answer_does_not_pass_for_a_whole_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        if environ["PATH_INFO"] == "/late":
            start_response("200 OK", [])
            yield b"half"
        raise RuntimeError("a detail")

    with serving(behind(fails)) as port:
        early, late = ask(port), ask(port, "GET /late HTTP/1.1")
    assert early.startswith(b"HTTP/1.1 500 ")
    assert early.endswith(b'{"message":"the server failed; its log says why"}')
    assert not late.endswith(b"0\r\n\r\n")
    assert caplog.text.count("RuntimeError: a detail") == 2


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("", ""),
    ],
)
def test_an_ipv6_client_is_a_network(address: str, client: str) -> None:
    assert client_of(address) == client
