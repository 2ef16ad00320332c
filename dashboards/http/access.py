"""Who asks, and what they may do: decided once for each request, before any route sees it.

Somebody is known by a token, by the cookie of a sign-in with one, by the name that a trusted proxy says, or because
they are on this machine; all others are nobody. What a caller may do is a set of scopes. A route `needs` one of some:
`read`, if it does not say so. What other sites have a browser send, and requests for another host that reach this
machine only because somebody turned a name to it, are refused however they are known.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

from flask import Flask, Response, current_app, g, has_request_context, redirect, request
from flask.typing import ResponseReturnValue

from dashboards.http.rates import Refused
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.owner import OPERATIONS_PATH
from ingest.people import audit
from ingest.people.audit import DONE, Entry
from ingest.people.sessions import token_of_session
from ingest.people.tokens import ROLES, Role, Scope, Token, all_tokens, digest, names_of, note_use, role_for
from ingest.receive.receive import LOCAL
from ingest.warehouse import Warehouse

__all__ = [
    "GONE",
    "SIGN_IN",
    "Caller",
    "Door",
    "Header",
    "Policy",
    "Refused",
    "Scope",
    "Shown",
    "caller",
    "cookie_name",
    "door_of",
    "needs",
    "note",
    "require",
    "who_is_here",
]

Header = Callable[[str], str | None]
"""Returns the header of a name, if it is there."""
Route = TypeVar("Route", bound=Callable[..., Any])

SIGN_IN: Final = "/sign-in"
OPEN: Final = ("/assets/", "/_dash-component-suites/", "/favicon.ico", OPERATIONS_PATH)
"""What nobody is asked for: scripts and styles, and what asks for another secret itself."""
DATA: Final = ("/api/", "/csv/", "/_dash-")
"""What no person looks at: who may not have it is not led to the page for signing in."""
SAFE: Final = {"GET", "HEAD", "OPTIONS"}
SAME_SITE: Final = {"same-origin", "none"}
SITE: Final = "Sec-Fetch-Site"
"""What a browser says of the page that asks, over https or to this machine; no page can say it for itself."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
GONE: Final = "himalaya.gone"
"""Key of the environment: an event that is set once who asks has gone away."""
FROM_PROXY: Final = "himalaya.from_proxy"
"""Key of the environment: whether a request came from a trusted proxy; then it says itself for whom and which host."""
CREATE: Final = "`himalaya token create NAME` on the server's machine makes one"
PROXY: Final = "a proxy must send `Host: localhost`, or the client a token"
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="himalaya"'}
USER: Final = re.compile(r"[\w.@+-]{1,64}")
CHANGING: Final = frozenset({Scope.SEND, Scope.WRITE, Scope.OPERATE})
"""What changes something that stays: of a browser on this machine only the pages of this server may ask for it."""

BY_TOKEN_ALONE: Final = frozenset({Scope.SEND})
"""What no page does: the token itself comes with it, and says before a large log is read whether it may come."""


class Shown(StrEnum):
    """How a caller is known."""

    TOKEN = "token"  # noqa: S105  a word
    COOKIE = "sign-in"
    PROXY = "proxy"
    HERE = "this machine"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, what they may do, how they are known, and from which address."""

    name: str
    scopes: frozenset[Scope]
    shown: Shown
    address: str

    @property
    def key(self) -> str:
        """A text that stands for the same caller only; without a name, for their address."""
        if self.shown in {Shown.TOKEN, Shown.COOKIE}:
            return f"token {self.name}"
        return f"user {self.name}" if self.shown is Shown.PROXY else f"address {self.address}"

    @property
    def owner(self) -> str:
        """What jobs belong to: somebody by name, or whoever is on this machine."""
        return self.key if self.has_name else self.name

    @property
    def has_name(self) -> bool:
        """Say whether this is somebody, and not whoever is on this machine or asks from elsewhere."""
        return self.shown in {Shown.TOKEN, Shown.COOKIE, Shown.PROXY}


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may what on a server: `is_public` if it can be reached from other machines, `host` where it listens.

    Whoever is on the server's machine may do everything, unless a token is required there too. With `public_read`
    everybody may read. A trusted proxy says in the header `user_header` who has signed in with it.
    """

    is_public: bool = False
    host: str = "localhost"
    public_read: bool = False
    require_token: bool = False
    user_header: str | None = None
    user_scopes: frozenset[Scope] = ROLES[Role.EDITOR]

    @property
    def needs_token(self) -> bool:
        """Whether nobody may do anything for being where they are."""
        return self.is_public or self.require_token


def needs(*scopes: Scope, by_pages: bool = False) -> Callable[[Route], Route]:
    """Have a route be for those who have one of some scopes; without any, for everybody.

    What is for tokens alone may be done `by_pages` too: of who has signed in with one that has the scope.
    """

    def marked(route: Route) -> Route:
        route.needs = frozenset(scopes)  # type: ignore[attr-defined]
        route.is_done_by_pages = by_pages  # type: ignore[attr-defined]
        return route

    return marked


def caller() -> Caller:
    """Return who sends the request at hand."""
    found: Caller = g.caller
    return found


def door_of(server: Flask) -> "Door":
    """Return what looks at who asks."""
    found: Door = server.extensions["door"]
    return found


def require(*scopes: Scope) -> None:
    """Refuse the caller without one of some scopes: where only a part of what a route does is for those who have it."""
    door_of(current_app).require(frozenset(scopes))


def note(action: str, what: str = "", outcome: str = DONE) -> None:
    """Have the audit say what the caller did."""
    who = caller()
    audit.note(door_of(current_app).store, Entry(who.name, who.shown, who.address, action, what, outcome))


def who_is_here() -> tuple[str | None, bool]:
    """Return the name of who looks at a page, if they have one, and whether signing in would let them do more."""
    if not has_request_context() or "caller" not in g:
        return None, False
    who = caller()
    return (who.name, False) if who.has_name else (None, door_of(current_app).is_for_more_with_a_token(who))


class Door:
    """Lets requests in, by the policy of a server."""

    def __init__(self, warehouse: Warehouse, policy: Policy) -> None:
        self.policy = policy
        self.sessions = AppStore() if warehouse.app.read_only else warehouse.app
        """Where sessions are: of a server that only reads, in memory."""
        self._warehouse = warehouse
        self._seen: tuple[AppStore, int] | None = None
        self._known: Mapping[str, Token] = {}

    @property
    def store(self) -> AppStore:
        """The app store that tokens and sessions are in; a newer backup of a replica has another."""
        return self._warehouse.app

    @property
    def _tokens(self) -> Mapping[str, Token]:
        """The tokens by the digests of their secrets, asked for again once anything in the app store has changed."""
        seen = self.store, self.store.changes
        if seen != self._seen:
            self._known = {token.sha256: token for token in all_tokens(self.store)}
            self._seen = seen
        return self._known

    def guard(self, server: Flask) -> None:
        """Look at every request to a server first."""
        server.extensions["door"] = self

        @server.before_request
        def decide() -> ResponseReturnValue | None:
            self._check_host()
            if request.path.startswith(OPEN):
                return None
            needed = _needed(server)
            g.caller = who = self._decided()
            if request.method not in SAFE and _is_marked(server):
                _check_site(who, needed)
            if not needed or needed & who.scopes:
                return None
            if _is_page() and who.shown is Shown.NOTHING and not _secret(request.headers.get):
                return redirect(f"{SIGN_IN}?next={quote(request.full_path.rstrip('?'), safe='')}")
            raise self._refusal(who, needed)

        @server.after_request
        def keep_to_oneself(answer: Response) -> Response:
            if "caller" in g and g.caller.has_name:
                answer.vary.update(("Authorization", "Cookie"))
                answer.headers.setdefault("Cache-Control", "private, no-cache")
            return answer

    def require(self, needed: frozenset[Scope]) -> None:
        """Refuse who sends the request at hand, if they have none of some scopes."""
        who = self._decided()
        _check_site(who, needed)
        if not needed & who.scopes:
            raise self._refusal(who, needed)

    def may_bring(self, header: Header) -> bool:
        """Say whether somebody may send a large log, before it is read."""
        secret = _secret(header)
        if secret:
            token = self._tokens.get(digest(secret))
            return token is not None and token.is_live and Scope.SEND in token.scopes
        return not (self.policy.needs_token or _is_forwarded(header))

    def token_of(self, secret: str) -> Token | None:
        """Return the token of a secret, unless it has expired."""
        return self._token(digest(secret))

    def is_for_more_with_a_token(self, who: Caller) -> bool:
        """Say whether a caller without a name could do more if they had one."""
        return not who.scopes >= CHANGING and bool(self._tokens)

    # --- Who it is

    def _decided(self) -> Caller:
        address = request.remote_addr or ""
        if secret := _secret(request.headers.get):
            token = self.token_of(secret)
            if token is not None:
                self._note_use(token)
                return Caller(token.name, token.scopes, Shown.TOKEN, address)
            return self._nobody(address)
        if token := self._signed_in():
            self._note_use(token)
            return Caller(token.name, token.scopes - _by_token_alone(), Shown.COOKIE, address)
        if user := self._user_of_proxy():
            return Caller(user, self.policy.user_scopes - _by_token_alone(), Shown.PROXY, address)
        if self.policy.needs_token or _is_from_elsewhere():
            return self._nobody(address)
        return Caller(LOCAL, frozenset(Scope), Shown.HERE, address)

    def _nobody(self, address: str) -> Caller:
        scopes = frozenset({Scope.READ}) if self.policy.public_read else frozenset[Scope]()
        return Caller("nobody", scopes, Shown.NOTHING, address)

    def _signed_in(self) -> Token | None:
        cookie = request.cookies.get(cookie_name())
        sha256 = token_of_session(self.sessions, cookie) if cookie else None
        return self._token(sha256) if sha256 else None

    def _user_of_proxy(self) -> str | None:
        if self.policy.user_header is None or not request.environ.get(FROM_PROXY):
            return None
        user = request.headers.get(self.policy.user_header, "")
        return user if USER.fullmatch(user) else None

    def _token(self, sha256: str) -> Token | None:
        """Return the token by the digest of its secret, unless it has expired."""
        token = self._tokens.get(sha256)
        return token if token is not None and token.is_live else None

    def _note_use(self, token: Token) -> None:
        with suppress(WarehouseError):  # somebody writes for long; the next use is noted
            note_use(self.store, token)

    # --- Why not

    def _refusal(self, who: Caller, needed: frozenset[Scope]) -> Refused:
        if who.has_name and who.shown is not Shown.TOKEN and needed <= _by_token_alone():
            return Refused(HTTPStatus.FORBIDDEN, "expected a token, in a header `Authorization: Bearer …`")
        if who.has_name:
            may = ", ".join(names_of(who.scopes)) or "nobody"
            return Refused(HTTPStatus.FORBIDDEN, f"expected the role {role_for(needed)}; {who.name} is {may}")
        if _secret(request.headers.get):
            return _unknown("the token is unknown to this server, has expired, or was revoked")
        with_one = f"in a header `Authorization: Bearer …`, or a sign-in at {SIGN_IN}"
        if who.shown is Shown.HERE:
            return _unknown(f"expected a token, {with_one}")
        why = "this server can be reached from other machines" if self.policy.is_public else "this server requires one"
        return _unknown(f"expected a token, {with_one}, as {why}; {CREATE}")

    def _check_host(self) -> None:
        """Refuse who asks for another machine, as a page does that made the name of its site point to this one.

        A proxy that hands on the name it was asked for is let through for a browser that came over https; a page can
        make up all other signs of a proxy.
        """
        if self.policy.is_public or self._is_for_here() or (_is_from_elsewhere() and SITE in request.headers):
            return
        secret = _secret(request.headers.get)
        if not (secret and self.token_of(secret)):
            message = f"expected this machine as the host, found {request.host}; {PROXY}"
            raise Refused(HTTPStatus.FORBIDDEN, message)

    def _is_for_here(self) -> bool:
        if request.environ.get(FROM_PROXY) and "X-Forwarded-Host" in request.headers:
            return False  # the host is what that says, as any page on the proxy's machine can
        try:
            host = urlsplit(f"//{request.host}").hostname or ""
        except ValueError:  # no address, though in brackets
            return False
        return host == self.policy.host.lower() or _is_this_machine(host)


# --- The request at hand


def _needed(server: Flask) -> frozenset[Scope]:
    """Return the scopes one of which the route at hand needs."""
    found: frozenset[Scope] = getattr(_route(server), "needs", frozenset({Scope.READ}))
    return found


def _is_marked(server: Flask) -> bool:
    return hasattr(_route(server), "needs")


def _by_token_alone() -> frozenset[Scope]:
    """Return the scopes that the route at hand takes of who sends a token itself, and of nobody else."""
    is_done_by_pages = getattr(_route(current_app), "is_done_by_pages", False)
    return frozenset() if is_done_by_pages else BY_TOKEN_ALONE


def _route(server: Flask) -> Any:
    return server.view_functions.get(request.endpoint or "")


def _is_page() -> bool:
    is_html = "text/html" in request.headers.get("Accept", "")
    return request.method == "GET" and is_html and not request.path.startswith(DATA)


def _check_site(who: Caller, needed: frozenset[Scope]) -> None:
    """Refuse what another site had a browser send; it cannot send a token.

    Where the host may be another than the page was asked for, as behind a proxy, only the browser's own word counts.
    """
    if who.shown is Shown.TOKEN:
        return
    site, origin = request.headers.get(SITE), request.headers.get("Origin")
    is_strange = site is not None and site not in SAME_SITE
    is_strict = who.shown is Shown.HERE and bool(needed & CHANGING)
    if site is None or is_strict:
        is_strange = is_strange or (origin is not None and urlsplit(origin).netloc != request.host)
    if is_strange:
        raise Refused(HTTPStatus.FORBIDDEN, f"expected no request from another site without a token; {CREATE}")


def cookie_name() -> str:
    """Return the name of the cookie of a session; over TLS a browser lets no other host set one of that name."""
    return "__Host-himalaya" if request.is_secure else "himalaya"


def _unknown(message: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, message, headers=CHALLENGE)


def _secret(header: Header) -> str | None:
    scheme, _, secret = (header("Authorization") or "").strip().partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None


def _is_from_elsewhere() -> bool:
    """Say whether a request came through a proxy, trusted or not."""
    return bool(request.environ.get(FROM_PROXY)) or _is_forwarded(request.headers.get)


def _is_forwarded(header: Header) -> bool:
    return any(header(name) is not None for name in FORWARDED)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
