"""What stands before the app: a request goes on to a thread once its body is there, whole and of a fair size.

A body lies in memory or on the disk, and no more is read of it than its path has, or than its sender may bring: who
brings too much is answered here, in JSON; a large body of somebody who may send none is left unread, and the app, which
says why, gets none. Either is not invited by `100 Continue`.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from dashboards.http.access import Header
from dashboards.http.access_log import write_down
from dashboards.http.bridge import Bridge, Receive, Scope, Send, WholeRequest
from dashboards.http.connections import CONNECTION, Connection, Phase, client_of, refusal
from dashboards.http.seen import unseen

__all__ = ["LEAST_BODY", "Gate", "Most"]

LEAST_BODY: Final = 1 << 20
"""Bytes of a body that are read of anybody; the pages' own requests are at most so large."""
IN_MEMORY: Final = 64 << 10
LARGE_AT_ONCE: Final = 8
"""Large bodies of one client that are received at once: they lie on the disk."""
PATIENCE: Final = 20.0
"""Seconds that any body may take, and more by its size."""
LEAST_RATE: Final = 16 << 10
"""Bytes of a body that must come in a second, on average."""
LINGER: Final = 5.0
"""Seconds in which a client may still send what is not wanted: one that is cut off while it sends reads no answer."""
Most = Callable[[str, Header], int | None]
"""Says by path and headers how many bytes of a larger body are read, `None` for not any; it must not wait."""

log = logging.getLogger(__name__)


class _Refused(Exception):
    """A request that the app does not see: the status, and what the answer says."""

    def __init__(self, status: HTTPStatus, message: str, **more: int) -> None:
        super().__init__(message)
        self.status = status
        self.said = {"message": message, **more}


class _GoneAway(Exception):
    """The client went away before its request was whole."""


class Gate:
    """Hands requests on to the app; a request takes a turn of its client's if it `is_counted`.

    What comes from trusted `proxies` is of the client, the scheme and the host that they name.
    """

    def __init__(
        self, bridge: Bridge, most: Most, is_counted: Callable[[str, Header], bool], proxies: Sequence[str]
    ) -> None:
        self._bridge = bridge
        self._most = most
        self._is_counted = is_counted
        self._proxied: Any = ProxyHeadersMiddleware(self._receive_whole, list(proxies))  # type: ignore[arg-type]
        self._large = Counter[str]()

    def is_proxy(self, address: str) -> bool:
        """Say whether an address is that of a trusted proxy."""
        return address in self._proxied.trusted_hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whatever happens."""
        try:
            await self._proxied(scope, receive, send)
        except asyncio.CancelledError:
            scope[CONNECTION].transport.abort()  # the server stops
        except Exception:
            log.exception("a request failed")
            scope[CONNECTION].transport.abort()

    async def _receive_whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection: Connection = scope[CONNECTION]
        from_proxy = self.is_proxy(connection.peer)
        with _kept_meanwhile() as body, suppress(_GoneAway):
            try:
                if from_proxy:
                    _take_host(scope)
                size = await self._received(scope, body, receive)
            except _Refused as error:
                write_down(unseen(scope["method"], scope["path"], scope["client"][0], int(error.status)))
                await _refuse(error, receive, send)
                return
            counted = self._is_counted(scope["path"], _header(scope))
            request = WholeRequest(scope, body, size, counted, from_proxy)
            if size is None:
                send = _closing(send, receive)
                receive = _forever
            await self._bridge.answer(request, receive, send)

    async def _received(self, scope: Scope, body: IO[bytes], receive: Receive) -> int | None:
        """Receive the body; return its size, `None` if it is left unread."""
        said = _size(scope)
        if said == 0:
            return 0
        most, is_large = LEAST_BODY, said is None or said > LEAST_BODY
        if is_large:
            allowed = self._most(scope["path"], _header(scope))
            if allowed is None:
                return None
            most = allowed
        if said is not None and said > most:
            raise _too_large(most, said)
        connection, client = scope[CONNECTION], client_of(scope["client"][0]) if is_large else ""
        if is_large and self._large[client] >= LARGE_AT_ONCE:
            message = f"expected at most {LARGE_AT_ONCE} large bodies at once; try again in a moment"
            raise _Refused(HTTPStatus.SERVICE_UNAVAILABLE, message)
        self._large[client] += is_large
        connection.enter(Phase.BODY)
        try:
            return await _kept(body, most, receive)
        finally:
            connection.enter(Phase.WORK)
            self._large[client] -= is_large
            if not self._large[client]:
                del self._large[client]


@contextmanager
def _kept_meanwhile() -> Iterator[IO[bytes]]:
    """Yield a file that is gone behind the block; on a full disk, closing it fails once more."""
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
    try:
        yield body
    finally:
        with suppress(OSError):
            body.close()


async def _kept(body: IO[bytes], most: int, receive: Receive) -> int:
    """Keep what comes of a body, and return its size."""
    size, start = 0, asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(PATIENCE) as time:
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _GoneAway
                size += len(message["body"])
                if size > most:
                    raise _too_large(most, size)
                body.write(message["body"])
                time.reschedule(start + PATIENCE + size / LEAST_RATE)
                if not message["more_body"]:
                    body.seek(0)
                    return size
    except TimeoutError:
        reason = f"body: expected {LEAST_RATE} bytes a second or more, found fewer"
        raise _Refused(HTTPStatus.REQUEST_TIMEOUT, reason) from None
    except OSError as error:
        reason = f"the server cannot keep the body on its disk: {error.strerror or error}"
        raise _Refused(HTTPStatus.INSUFFICIENT_STORAGE, reason) from None


def _size(scope: Scope) -> int | None:
    """Return how large a body is said to be, `None` if it comes in chunks."""
    found: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        found.setdefault(name, []).append(value.strip())
    if len(found.get(b"host", [])) > 1:
        raise _Refused(HTTPStatus.BAD_REQUEST, "expected one header Host, found several")
    if coding := found.get(b"transfer-encoding"):
        if [value.lower() for value in coding] != [b"chunked"] or scope["http_version"] != "1.1":
            raise _Refused(HTTPStatus.BAD_REQUEST, "Transfer-Encoding: expected chunked, found something else")
        return None
    return int(found.get(b"content-length", [b"0"])[0])


def _header(scope: Scope) -> Header:
    def header(name: str) -> str | None:
        wanted = name.lower().encode("latin-1")
        values = [value.decode("latin-1") for key, value in scope["headers"] if key == wanted]
        return ",".join(values) if values else None

    return header


def _take_host(scope: Scope) -> None:
    """Let the host that a trusted proxy was asked for be the one of the request."""
    host = next((value for name, value in scope["headers"] if name == b"x-forwarded-host"), None)
    if host is not None:
        others = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [*others, (b"host", host.strip())]


def _too_large(most: int, found: int) -> _Refused:
    message = f"body: expected at most {most} bytes, found more"
    return _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message, limit=most, found=found)


async def _refuse(refused: _Refused, receive: Receive, send: Send) -> None:
    headers, body = refusal(refused.said)
    if refused.status is HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append((b"retry-after", b"2"))
    last = _closing(send, receive)
    await last({"type": "http.response.start", "status": int(refused.status), "headers": headers})
    await last({"type": "http.response.body", "body": body})


def _closing(send: Send, receive: Receive) -> Send:
    """Return what sends an answer, takes what still comes of a body that is not wanted, and closes the connection."""

    async def closing(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            await send({**message, "headers": [*message["headers"], (b"connection", b"close")]})
        elif message.get("more_body"):
            await send(message)
        else:
            await send({**message, "more_body": True})
            with suppress(TimeoutError):
                async with asyncio.timeout(LINGER):
                    while (await receive()).get("more_body"):
                        pass
            await send({"type": "http.response.body", "body": b""})

    return closing


async def _forever() -> dict[str, Any]:
    """Receive nothing: what comes belongs to nobody."""
    await asyncio.Event().wait()
    return {"type": "http.disconnect"}
