"""ASGI middleware in front of the app: trusted proxies, security headers, body limits."""

import asyncio
import base64
import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from dash import Dash
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dashboards.queries.addresses import PREFIX
from dashboards.web.access import BODY, GONE
from dashboards.web.limiter import Deadlines
from dashboards.web.policy import FROM_PROXY
from dashboards.web.refusals import Refused, refusal
from ingest.warehouse import Warehouse

__all__ = [
    "LEAST_BODY",
    "SCHEME_SCRIPT",
    "BodyLimit",
    "HeadAsGet",
    "ReadersFirst",
    "SecurityHeaders",
    "TrustedProxies",
    "client_of",
    "content_policy",
    "hashes_of_scripts",
    "in_wsgi",
]


# Script that sets the colour scheme before the page is drawn, from the key under which Mantine stores the
# user's choice. A `theme` in the page's address is stored as the user's choice too. Likewise for hidden winners.
SCHEME_SCRIPT: Final = (
    "var k='mantine-color-scheme-value',t=new URLSearchParams(location.search).get('theme'),s='auto';"
    "try{if(t==='light'||t==='dark')localStorage.setItem(k,t);s=localStorage.getItem(k)||s;"
    "document.documentElement.toggleAttribute('data-hides',localStorage.getItem('himalaya.hide-winners')==='on')}catch(e){}"
    "if(s!=='light'&&s!=='dark')s=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';"
    "document.documentElement.setAttribute('data-mantine-color-scheme',s)"
)


def hashes_of_scripts(app: Dash) -> list[str]:
    """Return the current hashes of the pages' inline scripts; Dash adds a script with the first request."""
    scheme = base64.b64encode(hashlib.sha256(SCHEME_SCRIPT.encode()).digest()).decode()
    return [f"'sha256-{scheme}'", *app.csp_hashes()]


LEAST_BODY: Final = 1 << 20
"""Maximum body size in bytes at paths without a larger limit. The pages' own requests fit into it."""
IN_MEMORY: Final = 64 << 10
LARGE_AT_ONCE: Final = 8
"""Maximum number of large bodies received from one client at the same time; they are kept on disk."""
POLICY: Final = (
    "default-src 'none'",
    "connect-src 'self'",
    "font-src 'self' data:",  # the grid's script contains an icon font
    "img-src 'self' data: blob:",  # Plotly exports pictures through a blob
    "style-src 'self' 'unsafe-inline'",  # Mantine and the grid insert style elements
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


def content_policy(scripts: Iterable[str]) -> str:
    """Return the Content-Security-Policy that allows inline scripts by their hashes alone."""
    return "; ".join((*POLICY, " ".join(("script-src 'self'", *scripts))))


class TrustedProxies:
    """Read client, scheme and host from the headers of trusted proxies.

    Drops headers with an underscore in their name, because WSGI cannot distinguish them from those with a hyphen.
    """

    def __init__(self, app: ASGIApp, trusted: Sequence[str]) -> None:
        self._app: Any = ProxyHeadersMiddleware(app, list(trusted))  # type: ignore[arg-type]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the app, with client, scheme and host from the proxy's headers."""
        if scope["type"] == "http":
            scope[FROM_PROXY] = bool(scope["client"]) and scope["client"][0] in self._app.trusted_hosts
            headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
            host = next((value for name, value in headers if name == b"x-forwarded-host"), None)
            if scope[FROM_PROXY] and host is not None:
                headers = [*((name, value) for name, value in headers if name != b"host"), (b"host", host.strip())]
            scope["headers"] = headers
        await self._app(scope, receive, send)


class PathPrefix:
    """Serve below a path prefix such as `/himalaya`, whether or not the reverse proxy strips it."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Strip the prefix from the path, and make links in the answer start with it."""
        if scope["type"] == "http":
            path = scope["path"]
            if path == self._prefix:
                await RedirectResponse(f"{path}/", HTTPStatus.PERMANENT_REDIRECT)(scope, receive, send)
                return
            if path.startswith(f"{self._prefix}/"):
                path = path[len(self._prefix) :]
            scope = {**scope, "path": path, "root_path": self._prefix}
            PREFIX.set(self._prefix)
        await self._app(scope, receive, send)


class SecurityHeaders:
    """Add the security headers: pages load nothing from other hosts and run only our scripts.

    `scripts` returns the current hashes of inline scripts; Dash adds a script with the first request. If an answer
    already has a Content-Security-Policy, it is kept.
    """

    def __init__(self, app: ASGIApp, scripts: Callable[[], Iterable[str]]) -> None:
        self._app = app
        self._scripts = scripts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the app, and add the headers to its answer."""

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", content_policy(self._scripts()))
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "same-origin"
            await send(message)

        await self._app(scope, receive, sending)


class BodyLimit:
    """Receive the whole request body before the route runs, and refuse a body that is too large.

    `most` has the limits in bytes by path; at other paths the limit is `LEAST_BODY`. If the headers give a length, a
    large body is refused before it is read. Sets `GONE` when the client disconnects.
    """

    def __init__(self, app: ASGIApp, most: Mapping[str, int]) -> None:
        self._app = app
        self._most = most
        self._large = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive the body, then pass the request to the app."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope[GONE] = gone = threading.Event()
        scope[BODY] = body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
        try:
            if not await self._received(scope, body, receive):
                return
            left = asyncio.create_task(_left(receive, gone))
            try:
                await self._app(scope, _receiving(body, left), send)
            finally:
                left.cancel()
        except Refused as error:
            await refusal(scope["path"], error)(scope, receive, send)
        finally:
            gone.set()
            with suppress(OSError):  # closing flushes the file, which fails again on a full disk
                body.close()

    async def _received(self, scope: Scope, body: IO[bytes], receive: Receive) -> bool:
        """Receive the body; return false if the client disconnects first."""
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) > 1:
            raise _ambiguous("several Host headers; send one")
        is_chunked, declared = "transfer-encoding" in headers, int(headers.get("content-length", "0"))
        if is_chunked and "content-length" in headers:  # a proxy may interpret them differently
            raise _ambiguous("both Content-Length and Transfer-Encoding; send one of them")
        if not is_chunked and declared <= LEAST_BODY:
            return await _written(body, LEAST_BODY, receive)
        most = next((size for path, size in self._most.items() if scope["path"].startswith(path)), LEAST_BODY)
        if declared > most:
            raise _too_large(most, declared)
        client = client_of(scope["client"][0])
        if self._large[client] >= LARGE_AT_ONCE:
            message = f"{LARGE_AT_ONCE} large bodies from you are being received; try again in a moment"
            raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, message, headers={"Retry-After": "2"})
        self._large[client] += 1
        try:
            return await _written(body, most, receive)
        finally:
            self._large[client] -= 1
            self._large += Counter()  # removes zero counts


async def _written(body: IO[bytes], most: int, receive: Receive) -> bool:
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        size += len(message.get("body", b""))
        if size > most:
            raise _too_large(most, size)
        try:
            body.write(message.get("body", b""))
        except OSError as error:
            reason = f"the server cannot store the body on its disk: {error.strerror or error}"
            raise Refused(HTTPStatus.INSUFFICIENT_STORAGE, reason) from None
        if not message.get("more_body"):
            body.seek(0)
            return True


def _ambiguous(message: str) -> Refused:
    return Refused(HTTPStatus.BAD_REQUEST, message, headers={"Connection": "close"})


def _too_large(most: int, found: int) -> Refused:
    message = f"body: expected at most {most} bytes, found more"
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, most, found)


def _receiving(body: IO[bytes], left: asyncio.Task[None]) -> Receive:
    """Return an ASGI `receive` that yields the body, then the disconnect of the client."""
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


class ReadersFirst:
    """Make background work yield to requests, and interrupt queries of a request at a deadline.

    Both apply until the answer starts. Requests to paths in `work` are exempt from both; paths under `long` have no
    deadline.
    """

    def __init__(self, app: ASGIApp, warehouse: Warehouse, work: tuple[str, ...], long: str) -> None:
        self._app = app
        self._warehouse = warehouse
        self._work = work
        self._long = long
        self._deadlines = Deadlines(warehouse)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the app while background work yields to it."""
        if scope["type"] != "http" or scope["path"].startswith(self._work):
            await self._app(scope, receive, send)
            return
        with ExitStack() as reading:

            async def sending(message: Message) -> None:
                reading.close()  # all queries are done, and a slow client must not delay the loading of logs
                await send(message)

            reading.enter_context(self._warehouse.backpressure.reading())
            reading.enter_context(self._warehouse.of_one_file())
            if not scope["path"].startswith(self._long):
                reading.enter_context(self._deadlines.held(scope[GONE]))
            await self._app(scope, receive, sending)


class HeadAsGet:
    """Answer HEAD as GET without the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a HEAD request to the app as GET, and drop the body of the answer."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not message.get("more_body"):
                await send({"type": "http.response.body", "body": b""})

        await self._app({**scope, "method": "GET"}, receive, sending)


def client_of(address: str) -> str:
    """Return the address by which limits identify a client: IPv4 address, or /64 network of an IPv6 address."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def in_wsgi(app: WSGIApplication) -> WSGIApplication:
    """Adapt a WSGI app to a2wsgi: request bodies are complete, and an answer ends when its client disconnects."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        environ["wsgi.input_terminated"] = True
        return _until(environ["asgi.scope"][GONE], app(environ, start_response))

    return answer


def _until(gone: threading.Event, pieces: Any) -> Iterator[bytes]:
    try:
        for piece in pieces:
            if gone.is_set():
                return
            yield piece
    finally:
        getattr(pieces, "close", lambda: None)()
