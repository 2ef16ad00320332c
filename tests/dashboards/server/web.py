"""A server in a thread with a tiny app, and helpers to talk to it."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any
from wsgiref.types import WSGIApplication

import uvicorn
from a2wsgi import WSGIMiddleware
from starlette.types import ASGIApp

from dashboards.server import config_of
from dashboards.web.middleware import BodyLimit, TrustedProxies, in_wsgi
from dashboards.web.request_log import RequestLog, write_down


def behind(app: WSGIApplication, threads: int = 8, proxies: Sequence[str] = ()) -> ASGIApp:
    """Wrap a WSGI app in a server's middleware, except authentication."""
    pages: Any = WSGIMiddleware(in_wsgi(app), threads, 64)  # type: ignore[arg-type]
    return TrustedProxies(RequestLog(BodyLimit(pages, {"/": 4 << 20}), [write_down]), proxies)


@contextmanager
def serving(app: ASGIApp) -> Iterator[int]:
    """Serve an app and yield the port."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        server = uvicorn.Server(config_of(app))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started:
                thread.join(0.01)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def connect(port: int, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    """Connect, send some bytes, and return the connection."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
    line.sendall(sent)
    return line


def said(line: socket.socket) -> bytes:
    """Return all bytes received until the server closes the connection."""
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
    """Send one request; return the response with its head."""
    text = f"{head}\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n"
    return said(connect(port, text.encode() + body, source))


def echo(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """Respond with the request that the app received."""
    names = ("REMOTE_ADDR", "wsgi.url_scheme", "HTTP_HOST", "HTTP_X_SECRET", "CONTENT_LENGTH")
    found = {name: environ.get(name) for name in names}
    found["himalaya.from_proxy"] = environ["asgi.scope"]["himalaya.from_proxy"]
    body = f"{found}\n{environ['wsgi.input'].read()!r}".encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
