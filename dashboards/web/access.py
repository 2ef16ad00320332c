"""Authenticate each request once, before its route runs. A route declares the scopes that it accepts with `needs`.

A route without this decorator requires the scope `read`.
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

from dashboards.queries.addresses import url
from dashboards.web.policy import (
    SIGN_IN,
    Authenticator,
    Caller,
    Credential,
    address_of,
    check_site,
    needed_by,
    secret_of,
)
from dashboards.web.refusals import Refused, is_data, refusal, unavailable
from dashboards.web.request_log import EXCHANGE
from ingest.errors import WarehouseError
from ingest.inbox.receive import LOCAL
from ingest.owner import OPERATIONS_PATH, Owner
from ingest.people import audit
from ingest.people.audit import DONE, Entry
from ingest.people.tokens import Scope

__all__ = [
    "BODY",
    "DOCUMENTATION",
    "GONE",
    "Access",
    "Scope",
    "body",
    "caller",
    "connection",
    "gone",
    "is_on_this_machine",
    "needs",
    "note",
    "require",
    "who_is_here",
]

Route = TypeVar("Route", bound=Callable[..., Any])

DOCUMENTATION: Final = "/docs"
OPEN: Final = ("/assets/", "/_dash-component-suites/", "/favicon.ico", DOCUMENTATION)
"""Path prefixes of scripts, styles and the documentation, which need no authentication."""
BODY: Final = "himalaya.body"
"""Key in the ASGI scope under which the request body is stored as a file."""
GONE: Final = "himalaya.gone"
"""Key in the ASGI scope of an event that is set when the client disconnects."""


def needs(*scopes: Scope, by_pages: bool = False) -> Callable[[Route], Route]:
    """Declare which scopes a route accepts; a caller needs one of them. Without arguments, the route is open to all.

    `by_pages` also admits people who signed in with a token, for scopes that otherwise need the token itself.
    """

    def marked(route: Route) -> Route:
        route.needs = frozenset(scopes)  # type: ignore[attr-defined]
        route.is_done_by_pages = by_pages  # type: ignore[attr-defined]
        return route

    return marked


@dataclass(frozen=True, slots=True)
class _Request:
    """The current request: connection, route, and caller."""

    connection: HTTPConnection
    endpoint: Any
    authenticator: Authenticator
    caller: Caller


_request: ContextVar[_Request] = ContextVar("current request")


def caller() -> Caller:
    """Return the caller of the current request."""
    return _request.get().caller


def connection() -> HTTPConnection:
    """Return the connection of the current request."""
    return _request.get().connection


def gone() -> threading.Event:
    """Return the event that is set when the client of the current request disconnects."""
    event: threading.Event = connection().scope[GONE]
    return event


def body() -> IO[bytes]:
    """Return the body of the current request as a file, positioned at its start."""
    found: IO[bytes] = connection().scope[BODY]
    found.seek(0)
    return found


def require(*scopes: Scope) -> None:
    """Raise `Refused` unless the caller has one of these scopes. For checks inside a route."""
    current = _request.get()
    needed = frozenset(scopes)
    check_site(current.connection, current.caller, needed)
    if not needed & current.caller.scopes:
        raise current.authenticator.refusal(current.connection, current.caller, needed, current.endpoint)


def note(action: str, what: str = "", outcome: str = DONE) -> None:
    """Record an action of the caller in the audit log."""
    who, authenticator = caller(), _request.get().authenticator
    audit.note(authenticator.store, Entry(who.name, who.credential, who.address, action, what, outcome))


def is_on_this_machine() -> bool:
    """Return whether the visitor is on the server's machine, and so can run its commands."""
    current = _request.get(None)
    return current is None or current.caller.credential is Credential.HERE


def who_is_here() -> tuple[str | None, bool]:
    """Return the visitor's name, if known, and whether signing in would let them do more."""
    current = _request.get(None)
    if current is None:
        return None, False
    who = current.caller
    return (who.name, False) if who.has_name else (None, current.authenticator.gains_by_signing_in(who))


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
        request = HTTPConnection(scope)
        try:
            self._authenticator.check_host(request)
            endpoint, token = self._endpoint(scope), None
            if scope["path"].startswith(OPEN):
                who = self._authenticator.anonymous(request)
            elif scope["path"].startswith(OPERATIONS_PATH):
                who = self._owner_of(request)
            else:
                who, token = self._authenticator.identify(request, endpoint)
                if self._leads_to_sign_in(request, who, endpoint):
                    path = f"{scope['path']}?{request.url.query}".rstrip("?")
                    await RedirectResponse(url(SIGN_IN, [("next", path)]), 302)(scope, receive, send)
                    return
                self._authenticator.admit(request, who, endpoint)
            if who.has_name and EXCHANGE in scope:
                scope[EXCHANGE].sender = who.name
            if token is not None:
                await run_in_threadpool(self._authenticator.note_use, token)
        except Refused as error:
            await refusal(scope["path"], error)(scope, receive, send)
            return
        except WarehouseError as error:
            await refusal(scope["path"], unavailable(self._authenticator.database, error))(scope, receive, send)
            return
        before = _request.set(_Request(request, endpoint, self._authenticator, who))
        try:
            await self._app(scope, receive, _private(send) if who.has_name else send)
        finally:
            _request.reset(before)

    def _endpoint(self, scope: AsgiScope) -> Any:
        """Find the endpoint of the request, and note its route for the request log."""
        for route in self._routes:
            match, child = route.matches(scope)
            if isinstance(route, APIRoute) and match is Match.FULL:
                if exchange := scope.get(EXCHANGE):
                    exchange.set_route(route.path, child["path_params"])
                return route.endpoint
        return None

    def _owner_of(self, request: HTTPConnection) -> Caller:
        """Authenticate an operation by the server's secret, which only the user who runs the server can read."""
        if self._owner is None or not self._owner.is_shown(request.headers.get("Authorization", "")):
            raise Refused(
                HTTPStatus.FORBIDDEN, "operations are for the user who runs this server; run the command as that user"
            )
        return Caller(LOCAL, frozenset(Scope), Credential.HERE, address_of(request))

    def _leads_to_sign_in(self, request: HTTPConnection, who: Caller, endpoint: Any) -> bool:
        """Return whether to redirect an anonymous request for a page to the sign-in page."""
        is_html = "text/html" in request.headers.get("Accept", "")
        is_page = request.scope["method"] == "GET" and is_html and not is_data(request.scope["path"])
        is_unknown = who.credential is Credential.NOTHING and not secret_of(request)
        needed = needed_by(endpoint)
        return is_page and is_unknown and bool(needed) and not needed & who.scopes


def _private(send: Send) -> Send:
    """Mark an answer as private, so that shared caches do not store it."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.add_vary_header("Authorization")
            headers.add_vary_header("Cookie")
            headers.setdefault("Cache-Control", "private, no-cache")
        await send(message)

    return sending
