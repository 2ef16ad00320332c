"""What was seen of each request once its answer is through: told to those who count and write it down.

A request has an id, which the answer names in `X-Request-Id`; a trusted proxy may have given it. What is seen has no
query, no header and no body, so no secret that was sent in one of them.
"""

import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, g, has_request_context, request

__all__ = ["NO_ROUTE", "Seen", "request_id", "unseen", "watch_requests"]

REQUEST: Final = "himalaya.request"
"""Key of the environment: what is known of the request at hand."""
FROM_PROXY: Final = "himalaya.from_proxy"
"""Key of the environment: whether a request came from a trusted proxy."""
ID_HEADER: Final = "X-Request-Id"
ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
NO_ROUTE: Final = "none"
"""Stands for the route of an address that leads nowhere."""
CAPABILITIES: Final = ("report",)
"""Parts of addresses that only who asked knows, by their names in routes."""
TOKEN: Final = re.compile(r"himalaya_[\w-]+")
HIDDEN: Final = "…"


@dataclass(slots=True)
class Seen:
    """A request and its answer; `seconds` until the last byte was handed over, `sender` if they have a name."""

    id: str
    method: str
    path: str
    client: str
    route: str = NO_ROUTE
    sender: str | None = None
    status: int = 500
    size: int = 0
    seconds: float = 0.0


Told = Callable[[Seen], None]


def request_id() -> str | None:
    """Return the id of the request at hand, if there is one."""
    seen = request.environ.get(REQUEST) if has_request_context() else None
    return seen.id if isinstance(seen, Seen) else None


def unseen(method: str, path: str, client: str, status: int) -> Seen:
    """Return what is known of a request that was refused before the app saw it."""
    return Seen(secrets.token_hex(8), method, _without_tokens(path), client, status=status)


def watch_requests(server: Flask, told: Sequence[Told]) -> None:
    """Tell some of every request to a server, after its answer."""

    @server.after_request
    def complete(answer: Response) -> Response:
        seen = request.environ.get(REQUEST)
        if isinstance(seen, Seen):
            seen.route = request.url_rule.rule if request.url_rule else NO_ROUTE
            who = g.get("caller")
            seen.sender = who.name if who is not None and who.has_name else None
            seen.path = _without_secrets(seen.path)
            answer.headers[ID_HEADER] = seen.id
        return answer

    server.wsgi_app = _Watched(server.wsgi_app, told)  # type: ignore[method-assign]


class _Watched:
    """An application whose answers are seen."""

    def __init__(self, app: WSGIApplication, told: Sequence[Told]) -> None:
        self._app = app
        self._told = told

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        seen = Seen(
            _id_of(environ),
            environ["REQUEST_METHOD"],
            _without_tokens(environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")),
            environ.get("REMOTE_ADDR", ""),
        )
        environ[REQUEST] = seen
        began = time.monotonic()

        def start(status: str, headers: list[tuple[str, str]], problem: Any = None) -> Callable[[bytes], object]:
            seen.status = int(status.partition(" ")[0])
            return start_response(status, headers, problem)

        try:
            pieces = self._app(environ, start)
        except BaseException:
            self._tell(seen, began)
            raise
        return _Counted(pieces, seen, lambda: self._tell(seen, began))

    def _tell(self, seen: Seen, began: float) -> None:
        seen.seconds = time.monotonic() - began
        for told in self._told:
            told(seen)


class _Counted:
    """The pieces of an answer; their bytes are counted, and its end is noticed."""

    def __init__(self, pieces: Iterable[bytes], seen: Seen, done: Callable[[], None]) -> None:
        self._pieces = pieces
        self._seen = seen
        self._done = done

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._seen.size += len(piece)
            yield piece

    def close(self) -> None:
        """Let the answer be closed; a server calls this once, at the end or when the client has gone."""
        try:
            getattr(self._pieces, "close", lambda: None)()
        finally:
            self._done()


def _id_of(environ: WSGIEnvironment) -> str:
    given = environ.get("HTTP_X_REQUEST_ID", "") if environ.get(FROM_PROXY) else ""
    return given if ID.fullmatch(given) else secrets.token_hex(8)


def _without_secrets(path: str) -> str:
    """Return a path without the parts that let whoever knows them have something."""
    for name in CAPABILITIES:
        if part := (request.view_args or {}).get(name):
            path = path.replace(f"/{part}", f"/{HIDDEN}")
    return path


def _without_tokens(path: str) -> str:
    return TOKEN.sub(HIDDEN, path)
