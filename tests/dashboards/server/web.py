"""A server in a thread, with an app of a few lines, and what tests say to it."""

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any
from wsgiref.types import WSGIApplication

import uvicorn
from starlette.datastructures import Headers

from dashboards.server import asgi, config_of


@contextmanager
def serving(
    app: WSGIApplication,
    threads: int = 8,
    most: Callable[[str, Headers], int | None] = lambda _, __: 4 << 20,
    proxies: Sequence[str] = (),
) -> Iterator[int]:
    """Serve an app, and yield the port."""
    ready = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = uvicorn.Server(config_of(asgi(app, most, proxies, ready.set, threads)))
        port = listener.getsockname()[1]
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            assert ready.wait(30)
            yield port
        finally:
            server.should_exit = True
            thread.join()


def connect(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    """Return a connection over which something was sent."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
    line.sendall(sent)
    return line


def said(line: socket.socket) -> bytes:
    """Return all that comes until the server closes the connection."""
    found = b""
    try:
        while piece := line.recv(1 << 16):
            found += piece
    except ConnectionResetError:
        pass
    line.close()
    return found


def ask(
    port: int, head: str = "GET / HTTP/1.1", headers: str = "", body: bytes = b"", source: str = "127.0.0.1"
) -> bytes:
    """Return the answer to one request, head and all."""
    text = f"{head}\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
    return said(connect(port, text.encode() + body, source))


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Answer with what the app sees of a request."""
    names = ("REMOTE_ADDR", "wsgi.url_scheme", "HTTP_HOST", "HTTP_X_SECRET", "CONTENT_LENGTH", "himalaya.from_proxy")
    found = {name: environ.get(name) for name in names}
    body = f"{found}\n{environ['wsgi.input'].read()!r}".encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
