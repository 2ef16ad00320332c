"""Connections to the server: how many each client may have, and how long one may keep the server waiting.

uvicorn reads requests and knows no such limits. Where there are too many connections, the one that is missed least
makes room: one without a whole request first, and of those the one that was waited for longest.
"""

import json
import logging
import socket
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address, ip_network
from math import ceil
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["CONNECTION", "MOST", "Connection", "Crowd", "Phase", "Server", "client_of", "refusal"]

MOST: Final = 2_000
"""Connections at once; each is an open file."""
MOST_OF_ONE: Final = 250
"""Connections of one client at once; a browser has six to a server, and a household shares an address."""
MOST_HEAD: Final = 64 << 10
"""Bytes of the head of a request."""
FINISH: Final = 3
"""Seconds that answers have to end when the server stops."""
CONNECTION: Final = "himalaya.connection"
"""Under this name a request knows its connection."""


class Phase(IntEnum):
    """What a connection waits for; the first is missed least, and the last makes no room for others."""

    HEAD = 0
    BODY = 1
    ANSWER = 2
    """The client takes what is sent."""
    IDLE = 3
    """The next request."""
    WORK = 4
    """The server is to do something."""


PATIENCE: Final = {Phase.HEAD: 10.0, Phase.ANSWER: 30.0, Phase.IDLE: 75.0}
"""Seconds that a connection may wait, each piece of an answer for itself; how long a body may take says its size."""
YOUNG: Final = 10.0
"""Seconds that a connection waits before it makes room; else whoever opens many has them all served in turn."""


class Connection(HttpToolsProtocol):
    """A connection that is counted, whose head has a size, and whose errors are JSON."""

    def __init__(self, *arguments: Any, crowd: "Crowd", **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._crowd = crowd
        self._head = 0
        self._is_in_head = False
        self.phase = Phase.HEAD
        self.since = time.monotonic()
        self.peer = ""

    def enter(self, phase: Phase) -> None:
        """Note what is waited for from now on."""
        self.phase, self.since = phase, time.monotonic()

    def connection_made(self, transport: Any) -> None:
        """Let the connection in, or say that there are too many."""
        super().connection_made(transport)
        self.peer = self.client[0] if self.client else ""
        if not self._crowd.admit(self):
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again in a moment")

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self._crowd.forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless it is a head that does not end."""
        super().data_received(data)
        if self._is_in_head:
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"head: expected at most {MOST_HEAD} bytes")

    def on_message_begin(self) -> None:
        """Start the time for a head, and let the request know its connection."""
        super().on_message_begin()
        self.scope[CONNECTION] = self  # type: ignore[typeddict-unknown-key]
        self._is_in_head, self._head = True, 0
        if self.phase is Phase.IDLE:
            self.enter(Phase.HEAD)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header; what comes behind a body is none."""
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Start on the request, once those before it are answered."""
        self._is_in_head = False
        super().on_headers_complete()
        if self.phase is Phase.HEAD:
            self.enter(Phase.WORK)

    def on_response_complete(self) -> None:
        """Wait for the next request, if it is not there."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self.enter(Phase.HEAD if self._is_in_head else Phase.IDLE)
        else:
            self.enter(Phase.WORK)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn calls it
        """Answer what is no request."""
        self.refuse(HTTPStatus.BAD_REQUEST, "expected a request of HTTP/1.1, found something else")

    def refuse(self, status: HTTPStatus, message: str) -> None:
        """Answer that something is not accepted, if no other answer is on its way, and close the connection."""
        if self.transport.is_closing():
            return
        cycle: Any = self.cycle  # none before the first request
        if cycle is not None and cycle.response_started and not cycle.response_complete:
            self.transport.abort()
            return
        headers, body = refusal({"message": message})
        lines = [f"HTTP/1.1 {status} {status.phrase}".encode()]
        lines += [name + b": " + value for name, value in [*headers, (b"connection", b"close")]]
        self.transport.write(b"\r\n".join([*lines, b"", body]))
        self.transport.close()

    def is_overdue(self, now: float) -> bool:
        """Say whether the client has kept the server waiting for too long."""
        is_unread = self.phase is Phase.IDLE and self.transport.get_write_buffer_size() > 0
        most = PATIENCE.get(Phase.ANSWER if is_unread else self.phase)
        return most is not None and now - self.since > most

    def give_up(self) -> None:
        """Close the connection; who has begun a request is told why."""
        if self.phase is Phase.HEAD and self._is_in_head:
            self.refuse(HTTPStatus.REQUEST_TIMEOUT, "the head of the request took too long")
        else:
            self.transport.abort()


class Crowd:
    """The connections there are, at most so many; those of a client that `is_exempt` are not counted as of one."""

    def __init__(self, is_exempt: Callable[[str], bool], most: int = MOST) -> None:
        self._is_exempt = is_exempt
        self._most = most
        self._all: dict[Connection, str] = {}
        self._of: dict[str, dict[Connection, None]] = {}

    def admit(self, connection: Connection) -> bool:
        """Count a connection, for which another may have to go; say whether there is room."""
        client = client_of(connection.peer)
        others = self._of.get(client, {})
        if len(others) >= MOST_OF_ONE and not self._is_exempt(connection.peer):
            has_room = self._make_room(others)
        else:
            has_room = len(self._all) < self._most or self._make_room(max(self._of.values(), key=len))
        if has_room:
            self._all[connection] = client
            self._of.setdefault(client, {})[connection] = None
        return has_room

    def forget(self, connection: Connection) -> None:
        """Count a connection no more."""
        client = self._all.pop(connection, None)
        if client is not None:
            del self._of[client][connection]
            if not self._of[client]:
                del self._of[client]

    def sweep(self) -> None:
        """Give up those that keep the server waiting; whoever was told so and does not go is cut off."""
        now = time.monotonic()
        for connection in [each for each in self._all if each.is_overdue(now)]:
            if connection.transport.is_closing():
                connection.transport.abort()
            else:
                connection.give_up()

    def _make_room(self, others: dict[Connection, None]) -> bool:
        """Cut off the connection that is missed least, if there is one that has waited for a while."""
        now = time.monotonic()
        waiting = [each for each in others if each.phase is not Phase.WORK and now - each.since > YOUNG]
        if not waiting:
            return False
        least = min(waiting, key=lambda each: (each.phase, each.since))
        least.transport.abort()
        self.forget(least)
        return True


class Server(uvicorn.Server):
    """Serves `app`, an ASGI application, until it is told to end; says once that it is `ready`."""

    def __init__(self, app: Any, crowd: Crowd, ready: Callable[[], None]) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # says what clients did wrong; our own is ours
        self._crowd = crowd
        self._ready = ready
        connection: Any = partial(Connection, crowd=crowd)
        config = uvicorn.Config(
            app,
            http=connection,
            loop="asyncio",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=ceil(PATIENCE[Phase.IDLE]),
            timeout_graceful_shutdown=FINISH,
        )
        super().__init__(config)

    def end(self) -> None:
        """Accept nothing more, and return from `run` once what is under way is answered, or `FINISH` is over."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections."""
        await super().startup(sockets)
        self._ready()

    async def on_tick(self, counter: int) -> bool:
        """Look every second after those who keep the server waiting."""
        if counter % 10 == 0:
            self._crowd.sweep()
        return await super().on_tick(counter)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals to whoever runs the server."""
        yield


def client_of(address: str) -> str:
    """Return what counts as one client: an address, or the network of sixty-four bits that an IPv6 address is from."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)


def refusal(said: dict[str, Any]) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the body of an answer that refuses."""
    body = json.dumps(said).encode()
    headers = {
        b"content-type": b"application/json",
        b"content-length": str(len(body)).encode(),
        b"x-content-type-options": b"nosniff",
    }
    return list(headers.items()), body
