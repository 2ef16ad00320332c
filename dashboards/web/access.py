"""Authenticate each request once, before its route, and let the route name the scope that it needs.

A route that names none needs `read`.
"""

import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from http import HTTPStatus
from typing import IO, Any, Final, TypeVar

from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope

from dashboards.warehouse.addresses import url
from dashboards.web.policy import SIGN_IN, Authenticator, Caller, Shown, address_of, check_site, needed_by, secret_of
from dashboards.web.refusals import Refused, is_data, refusal, unavailable
from dashboards.web.request_log import SEEN
from ingest.errors import WarehouseError
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.people import audit
from ingest.people.audit import DONE, Entry
from ingest.people.tokens import Scope
from ingest.receive.receive import LOCAL

__all__ = [
    "BODY",
    "GONE",
    "Access",
    "Scope",
    "body",
    "caller",
    "connection",
    "gone",
    "needs",
    "note",
    "require",
    "who_is_here",
]

Route = TypeVar("Route", bound=Callable[..., Any])

OPEN: Final = ("/assets/", "/_dash-component-suites/", "/favicon.ico")
"""Scripts and styles, open to everybody."""
BODY: Final = "himalaya.body"
"""Key of the ASGI scope: the body as a file."""
GONE: Final = "himalaya.gone"
"""Key of the ASGI scope: an event that is set when the client disconnects."""


def needs(*scopes: Scope, by_pages: bool = False) -> Callable[[Route], Route]:
    """Mark a route with the scopes of which a caller needs one; with none it is open to everybody.

    `by_pages` also admits people who signed in with a token, for scopes that otherwise need the token itself.
    """

    def marked(route: Route) -> Route:
        route.needs = frozenset(scopes)  # type: ignore[attr-defined]
        route.is_done_by_pages = by_pages  # type: ignore[attr-defined]
        return route

    return marked


@dataclass(frozen=True, slots=True)
class _Asked:
    """The current request: connection, route, and caller."""

    connection: HTTPConnection
    endpoint: Any
    authenticator: Authenticator
    caller: Caller


_asked: ContextVar[_Asked] = ContextVar("request at hand")


def caller() -> Caller:
    """Return the caller of the current request."""
    return _asked.get().caller


def connection() -> HTTPConnection:
    """Return the connection of the current request."""
    return _asked.get().connection


def gone() -> threading.Event:
    """Return the event that is set when the client of the current request disconnects."""
    event: threading.Event = connection().scope[GONE]
    return event


def body() -> IO[bytes]:
    """Return the body of the current request as a file, from its start."""
    found: IO[bytes] = connection().scope[BODY]
    found.seek(0)
    return found


def require(*scopes: Scope) -> None:
    """Refuse the caller unless they have one of these scopes; for a part of what a route does."""
    asked = _asked.get()
    needed = frozenset(scopes)
    check_site(asked.connection, asked.caller, needed)
    if not needed & asked.caller.scopes:
        raise asked.authenticator.refusal(asked.connection, asked.caller, needed, asked.endpoint)


def note(action: str, what: str = "", outcome: str = DONE) -> None:
    """Have the audit say what the caller did."""
    who, authenticator = caller(), _asked.get().authenticator
    audit.note(authenticator.store, Entry(who.name, who.shown, who.address, action, what, outcome))


def who_is_here() -> tuple[str | None, bool]:
    """Return the name of who looks at a page, if they have one, and whether signing in would let them do more."""
    asked = _asked.get(None)
    if asked is None:
        return None, False
    who = asked.caller
    return (who.name, False) if who.has_name else (None, asked.authenticator.is_for_more_with_a_token(who))


class Access:
    """ASGI middleware: authenticate a request and check the scope that its route needs."""

    def __init__(
        self, app: ASGIApp, authenticator: Authenticator, owner: Owner | None, routes: Sequence[BaseRoute]
    ) -> None:
        self._app = app
        self._authenticator = authenticator
        self._owner = owner
        self._routes = routes

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        """Call the app, or answer with a refusal."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asking = HTTPConnection(scope)
        try:
            self._authenticator.check_host(asking)
            endpoint, token = self._endpoint(scope), None
            if scope["path"].startswith(OPEN):
                who = self._authenticator.nobody(asking)
            elif scope["path"].startswith(OPERATIONS_PATH):
                who = self._owner_of(asking)
            else:
                who, token = self._authenticator.identified(asking, endpoint)
                if self._leads_to_sign_in(asking, who, endpoint):
                    path = f"{scope['path']}?{asking.url.query}".rstrip("?")
                    await RedirectResponse(url(SIGN_IN, [("next", path)]), 302)(scope, receive, send)
                    return
                self._authenticator.admit(asking, who, endpoint)
            if who.has_name and SEEN in scope:
                scope[SEEN].sender = who.name
            if token is not None:
                await run_in_threadpool(self._authenticator.note_use, token)
        except Refused as error:
            await refusal(scope["path"], error)(scope, receive, send)
            return
        except WarehouseError as error:
            await refusal(scope["path"], unavailable(self._authenticator.database, error))(scope, receive, send)
            return
        before = _asked.set(_Asked(asking, endpoint, self._authenticator, who))
        try:
            await self._app(scope, receive, _kept_to_oneself(send) if who.has_name else send)
        finally:
            _asked.reset(before)

    def _endpoint(self, scope: AsgiScope) -> Any:
        """Find the endpoint of the request, and note its route for the request log."""
        for route in self._routes:
            match, child = route.matches(scope)
            if isinstance(route, APIRoute) and match is Match.FULL:
                if seen := scope.get(SEEN):
                    seen.found(route.path, child["path_params"])
                return route.endpoint
        return None

    def _owner_of(self, asking: HTTPConnection) -> Caller:
        """Return the caller of an operation: the user who runs the server, known by the secret in its note."""
        if self._owner is None or not self._owner.is_shown(asking.headers.get("Authorization", "")):
            raise Refused(HTTPStatus.FORBIDDEN, "expected the secret of this server's note")
        return Caller(LOCAL, frozenset(Scope), Shown.HERE, address_of(asking))

    def _leads_to_sign_in(self, asking: HTTPConnection, who: Caller, endpoint: Any) -> bool:
        """Decide whether an anonymous person is redirected from a page to the sign-in."""
        is_html = "text/html" in asking.headers.get("Accept", "")
        is_page = asking.scope["method"] == "GET" and is_html and not is_data(asking.scope["path"])
        is_unknown = who.shown is Shown.NOTHING and not secret_of(asking)
        needed = needed_by(endpoint)
        return is_page and is_unknown and bool(needed) and not needed & who.scopes


def _kept_to_oneself(send: Send) -> Send:
    """Keep shared caches from storing an answer to an identified caller."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.add_vary_header("Authorization")
            headers.add_vary_header("Cookie")
            headers.setdefault("Cache-Control", "private, no-cache")
        await send(message)

    return sending
