"""From the event loop of the server to the Flask app in threads, and back.

A request comes with its whole body. What a thread writes lies in memory, or on the disk if it is much, until the client
has taken it: a slow client holds no thread. Who goes away ends the answer, at the next piece of it.
"""

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from weakref import WeakValueDictionary
from wsgiref.types import WSGIApplication

from dashboards.http.connections import CONNECTION, Connection, Phase, client_of, refusal

__all__ = ["Bridge", "GoneAway", "Receive", "Scope", "Send", "WholeRequest"]

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PIECE: Final = 64 << 10
IN_MEMORY: Final = 256 << 10
"""Bytes of an answer that are kept in memory."""
AHEAD: Final = 256 << 20
"""Bytes that a thread writes before it waits for the client to take some."""
OTHERS: Final = 2
"""Threads that one client leaves to others."""
UNSET: Final = (b"content-length", b"content-type", b"transfer-encoding")

log = logging.getLogger(__name__)


class GoneAway(ConnectionError):
    """The client is not there any more."""


@dataclass(frozen=True, slots=True)
class WholeRequest:
    """A request whose body is there; `size` is said to the app, and `is_counted` if it takes a turn of its client's."""

    scope: Scope
    body: IO[bytes]
    size: int | None
    is_counted: bool
    is_from_proxy: bool

    @property
    def connection(self) -> Connection:
        """The connection it came by."""
        found: Connection = self.scope[CONNECTION]
        return found


class _Answer:
    """What a thread writes and the event loop sends."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self.start: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self.failed = False
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._change = threading.Condition()
        self._kept: IO[bytes] = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  closed by `leave`
        self._written = self._taken = 0
        self._is_whole = False

    def leave(self) -> None:
        """Take nothing more; whoever writes is told so."""
        self.gone.set()
        with self._change:
            with suppress(OSError):  # the disk is full
                self._kept.close()
            self._change.notify_all()
        self._news.set()

    # In the thread

    def work(self, app: WSGIApplication, environ: dict[str, Any]) -> None:
        """Have the app answer."""
        try:
            pieces = app(environ, self._start_response)
            try:
                for piece in pieces:
                    self._write(piece)
            finally:
                getattr(pieces, "close", lambda: None)()
        except GoneAway:
            pass
        except Exception:
            log.exception("a request failed")
            self.failed = True
        self._is_whole = True
        self._tell()

    def _start_response(self, status: str, headers: Iterable[tuple[str, str]], _: Any = None) -> Callable[[bytes], Any]:
        sent = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        self.start = int(status.partition(" ")[0]), sent
        return self._write

    def _write(self, piece: bytes) -> None:
        for start in range(0, len(piece), IN_MEMORY) or (0,):  # the event loop waits for no more than that
            part = piece[start : start + IN_MEMORY]
            with self._change:
                self._change.wait_for(lambda: self.gone.is_set() or self._written - self._taken < AHEAD)
                if self.gone.is_set():
                    raise GoneAway
                self._kept.seek(self._written)
                self._kept.write(part)
                self._written += len(part)
            self._tell()

    def _tell(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    # In the event loop

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield what is written until it is whole or has failed."""
        while not self.gone.is_set():
            self._news.clear()
            is_whole = self._is_whole
            while piece := self._next():
                yield piece
            if is_whole:
                return
            await self._news.wait()

    def _next(self) -> bytes:
        with self._change:
            if self.gone.is_set():
                return b""
            self._kept.seek(self._taken)
            piece = self._kept.read(PIECE)
            self._taken += len(piece)
            if self._taken == self._written > IN_MEMORY:
                self._kept.truncate(0)
                self._taken = self._written = 0
            self._change.notify_all()
            return piece

    async def begun(self) -> bool:
        """Wait until something is written or all is; say whether there is an answer."""
        while not (self._written or self._is_whole or self.gone.is_set()):
            self._news.clear()
            await self._news.wait()
        return self.start is not None and not self.gone.is_set()


class Bridge:
    """Has an app answer requests in so many threads, of which a client holds all but some at once."""

    def __init__(self, app: WSGIApplication, threads: int) -> None:
        self._app = app
        self._threads = ThreadPoolExecutor(threads, "request")
        self._most = threads - OTHERS
        self._turns = WeakValueDictionary[str, asyncio.Semaphore]()
        self._answers: set[_Answer] = set()

    async def answer(self, request: WholeRequest, receive: Receive, send: Send) -> None:
        """Have a request answered."""
        answer = _Answer()
        watch = asyncio.create_task(_watch(receive, answer))
        self._answers.add(answer)
        try:
            await self._start(request, answer)
            if await answer.begun():
                await _send_all(answer, request.connection, send)
            elif answer.failed:
                headers, body = refusal({"message": "the server could not do it; its log says why"})
                await send({"type": "http.response.start", "status": 500, "headers": headers})
                await send({"type": "http.response.body", "body": body})
        finally:
            self._answers.discard(answer)
            answer.leave()
            watch.cancel()

    async def _start(self, request: WholeRequest, answer: _Answer) -> None:
        """Have a thread work on the answer, once it is the turn of its client."""
        environ = _environ(request, answer.gone)
        if not request.is_counted:
            self._threads.submit(answer.work, self._app, environ)
            return
        client, loop = client_of(environ["REMOTE_ADDR"]), asyncio.get_running_loop()
        turn = self._turns.setdefault(client, asyncio.Semaphore(self._most))

        def done(_: Future[None]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(turn.release)

        await turn.acquire()
        if answer.gone.is_set():
            turn.release()
        else:
            self._threads.submit(answer.work, self._app, environ).add_done_callback(done)

    def close(self) -> None:
        """Let every answer that is on its way end at its next piece."""
        for answer in list(self._answers):
            answer.leave()
        self._threads.shutdown(wait=False, cancel_futures=True)


async def _watch(receive: Receive, answer: _Answer) -> None:
    """Notice that the client goes away."""
    while (await receive())["type"] != "http.disconnect":
        pass
    answer.leave()


async def _send_all(answer: _Answer, connection: Connection, send: Send) -> None:
    assert answer.start is not None
    status, headers = answer.start
    await send({"type": "http.response.start", "status": status, "headers": headers})
    async for piece in answer.pieces():
        if connection.transport.is_closing():  # cut off; nobody is told before the event loop has its turn
            answer.leave()
            return
        connection.enter(Phase.ANSWER)
        await send({"type": "http.response.body", "body": piece, "more_body": True})
        connection.enter(Phase.WORK)
    if answer.failed or answer.gone.is_set():
        connection.transport.abort()  # so that no one takes it for whole
    else:
        await send({"type": "http.response.body", "body": b""})


def _environ(request: WholeRequest, gone: threading.Event) -> dict[str, Any]:
    """Return the request as WSGI has it; a name with a low line is no header, as it would pass for another."""
    scope = request.scope
    host, port = scope["server"]
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0] if scope["client"] else "",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": request.body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "himalaya.from_proxy": request.is_from_proxy,
        "himalaya.gone": gone,
    }
    for name, value in scope["headers"]:
        if name not in UNSET and b"_" not in name:
            key = f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}"
            text = value.decode("latin-1")
            environ[key] = f"{environ[key]},{text}" if key in environ else text
        elif name == b"content-type":
            environ["CONTENT_TYPE"] = value.decode("latin-1")
    if request.size is not None:
        environ["CONTENT_LENGTH"] = str(request.size)
    return environ
