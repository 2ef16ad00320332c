"""ASGI middleware in front of the app: trusted proxies, and bodies of a fair size.

A request goes on once its body is there, in memory or on the disk, so that a slow sender holds no thread. What a
reverse proxy is for (slow clients, connections per client, TLS) is left to one: docs/operator.md has recipes.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dashboards.http.access import FROM_PROXY, GONE
from dashboards.http.access_log import write_down
from dashboards.http.rates import Refused
from dashboards.http.seen import unseen

__all__ = ["LEAST_BODY", "BodyLimit", "Most", "TrustedProxies", "client_of", "in_wsgi"]

LEAST_BODY: Final = 1 << 20
"""Bytes of a body that are read of anybody; the pages' own requests are at most so large."""
IN_MEMORY: Final = 64 << 10
LARGE_AT_ONCE: Final = 8
"""Large bodies of one client that are received at once: they lie on the disk."""
Most = Callable[[str, Headers], int | None]
"""Says by path and headers how many bytes of a large body are read, `None` for none; it must not wait."""


class TrustedProxies:
    """Takes client, scheme and host of a request from the headers of trusted proxies, and notes that it came from one.

    A header with a low line in its name is dropped, as WSGI could not tell it from one with a hyphen.
    """

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app: Any = ProxyHeadersMiddleware(app, list(trusted))  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on."""
        if scope["type"] == "http":
            scope[FROM_PROXY] = bool(scope["client"]) and scope["client"][0] in self._app.trusted_hosts
            headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
            host = next((value for name, value in headers if name == b"x-forwarded-host"), None)
            if scope[FROM_PROXY] and host is not None:
                headers = [*((name, value) for name, value in headers if name != b"host"), (b"host", host.strip())]
            scope["headers"] = headers
        await self._app(scope, receive, send)


class BodyLimit:
    """Receives the body of a request before anything else, at most as much as `most` says for a large one.

    Too large a body is refused, from its headers where they say so; one of somebody who may send none is left unread,
    and the app, which says why, gets an empty one. `GONE` in the scope is set once the client has left.
    """

    def __init__(self, app: ASGIApp, most: Most) -> None:
        self._app = app
        self._most = most
        self._large = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request on with its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope[GONE] = gone = threading.Event()
        body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        try:
            is_wanted = await self._received(scope, body, receive)
            if is_wanted is None:
                return
            left = asyncio.create_task(_left(receive if is_wanted else _forever, gone))
            try:
                await self._app(scope, _receiving(body, left), send)
            finally:
                left.cancel()
        except Refused as error:
            write_down(unseen(scope["method"], scope["path"], scope["client"][0], int(error.status)))
            said = {"message": str(error), "limit": error.limit, "found": error.found}
            content = {name: value for name, value in said.items() if value is not None}
            await JSONResponse(content, error.status, dict(error.headers))(scope, receive, send)
        finally:
            gone.set()
            with suppress(OSError):  # a full disk fails once more
                body.close()

    async def _received(self, scope: Scope, body: IO[bytes], receive: Receive) -> bool | None:
        """Receive the body; return whether it is wanted, `None` if the client left before it was whole."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) > 1:
            raise Refused(
                HTTPStatus.BAD_REQUEST, "expected one header Host, found several", headers={"Connection": "close"}
            )
        is_chunked, said = "transfer-encoding" in headers, int(headers.get("content-length", "0"))
        if is_chunked and "content-length" in headers:  # a proxy may go by the other one
            raise _ambiguous("expected one of Content-Length and Transfer-Encoding, found both")
        if not is_chunked and said <= LEAST_BODY:
            return await _kept(body, LEAST_BODY, receive)
        most = self._most(scope["path"], headers)
        if most is None:
            length = (b"content-length", b"transfer-encoding")
            scope["headers"] = [(name, value) for name, value in scope["headers"] if name not in length]
            return False
        if said > most:
            raise _too_large(most, said)
        client = client_of(scope["client"][0])
        if self._large[client] >= LARGE_AT_ONCE:
            message = f"expected at most {LARGE_AT_ONCE} large bodies at once; try again in a moment"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "2"})
        self._large[client] += 1
        try:
            return await _kept(body, most, receive)
        finally:
            self._large[client] -= 1
            self._large += Counter()  # forgets clients that send nothing any more


async def _kept(body: IO[bytes], most: int, receive: Receive) -> bool | None:
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        size += len(message["body"])
        if size > most:
            raise _too_large(most, size)
        try:
            body.write(message["body"])
        except OSError as error:
            reason = f"the server cannot keep the body on its disk: {error.strerror or error}"
            raise Refused(HTTPStatus.INSUFFICIENT_STORAGE, reason) from None
        if not message["more_body"]:
            body.seek(0)
            return True


def _ambiguous(message: str) -> Refused:
    return Refused(HTTPStatus.BAD_REQUEST, message, headers={"Connection": "close"})


def _too_large(most: int, found: int) -> Refused:
    message = f"body: expected at most {most} bytes, found more"
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, found)


def _receiving(body: IO[bytes], left: asyncio.Task[None]) -> Receive:
    """Return what hands out the body, and then says when the client leaves."""
    is_whole = False

    async def receive() -> Message:
        nonlocal is_whole
        if is_whole:
            await asyncio.shield(left)
            return {"type": "http.disconnect"}
        piece = body.read(IN_MEMORY)
        is_whole = len(piece) < IN_MEMORY
        return {"type": "http.request", "body": piece, "more_body": not is_whole}

    return receive


async def _left(receive: Receive, gone: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    gone.set()


async def _forever() -> Message:
    """Receive nothing; to receive what is not wanted would invite it."""
    await asyncio.Event().wait()
    return {"type": "http.disconnect"}


def client_of(address: str) -> str:
    """Return what counts as one client: an address, or the network of sixty-four bits that an IPv6 address is from."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def in_wsgi(app: WSGIApplication) -> WSGIApplication:
    """Return an app of WSGI that is told by a2wsgi what the middleware found, and ends once its client has left."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        scope = environ["asgi.scope"]
        environ |= {GONE: scope[GONE], FROM_PROXY: scope[FROM_PROXY], "wsgi.input_terminated": True}
        return _until(scope[GONE], app(environ, start_response))

    return answer


def _until(gone: threading.Event, pieces: Any) -> Iterator[bytes]:
    try:
        for piece in pieces:
            if gone.is_set():
                return
            yield piece
    finally:
        getattr(pieces, "close", lambda: None)()
