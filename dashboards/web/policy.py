"""Access control: authentication of callers, their permissions, and the checks when a server starts."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from dashboards.queries.addresses import PREFIX
from dashboards.web.refusals import Refused
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.inbox.receive import LOCAL
from ingest.people.tokens import (
    ROLES,
    Role,
    Scope,
    Token,
    all_tokens,
    digest,
    names_of,
    note_use,
    role_for,
    token_of_session,
)
from ingest.warehouse import Warehouse

__all__ = [
    "FROM_PROXY",
    "SIGN_IN",
    "Authenticator",
    "Caller",
    "Credential",
    "Policy",
    "address_of",
    "check_site",
    "cookie_name",
    "needed_by",
    "secret_of",
    "what_is_open",
    "why_closed",
]


SIGN_IN: Final = "/sign-in"
SAFE: Final = {"GET", "HEAD", "OPTIONS"}
SAME_SITE: Final = {"same-origin", "none"}
SITE: Final = "Sec-Fetch-Site"
"""Header that tells whether another site caused a request; pages cannot set it.

Browsers send it over https and to this machine.
"""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
FROM_PROXY: Final = "himalaya.from_proxy"
"""Key in the ASGI scope. Its value is true if a trusted proxy sent the request and its headers name client and host."""
CREATE: Final = "create one with `himalaya token create NAME` on the server's machine"
PROXY: Final = "have the proxy send `Host: localhost`, or the client a token"
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="himalaya"'}
USER: Final = re.compile(r"[\w.@+-]{1,64}")
CHANGING: Final = frozenset({Scope.SEND, Scope.WRITE, Scope.OPERATE})
"""Scopes that change stored data. Browsers on this machine may use them only from this server's pages."""
BY_TOKEN_ALONE: Final = frozenset({Scope.SEND})
"""Scopes that no page uses. A request needs the token itself; a sign-in is not enough."""


class Credential(StrEnum):
    """How a caller was identified."""

    TOKEN = "token"  # noqa: S105  a word
    COOKIE = "sign-in"
    PROXY = "proxy"
    HERE = "this machine"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller: name, scopes, credential and address."""

    name: str
    scopes: frozenset[Scope]
    credential: Credential
    address: str

    @property
    def key(self) -> str:
        """Text that identifies the caller: the name, or the address of a caller without one."""
        if self.credential in {Credential.TOKEN, Credential.COOKIE}:
            return f"token {self.name}"
        return f"user {self.name}" if self.credential is Credential.PROXY else f"address {self.address}"

    @property
    def owner(self) -> str:
        """Owner of the caller's jobs; all callers on this machine without a name are one owner."""
        return self.key if self.has_name else self.name

    @property
    def has_name(self) -> bool:
        """True if the caller is a named user, not only an address."""
        return self.credential in {Credential.TOKEN, Credential.COOKIE, Credential.PROXY}


@dataclass(frozen=True, slots=True)
class Policy:
    """Access policy of a server: `is_public` is true if other machines can reach it, `host` is where it listens.

    Callers on the server's machine may do everything, unless a token is required there too. With `public_read` everyone
    may read. A trusted proxy names its signed-in user in the header `user_header`.
    """

    is_public: bool = False
    host: str = "localhost"
    public_read: bool = False
    require_token: bool = False
    user_header: str | None = None
    user_scopes: frozenset[Scope] = ROLES[Role.EDITOR]

    @property
    def needs_token(self) -> bool:
        """True if callers need a token even on the server's machine."""
        return self.is_public or self.require_token


class Authenticator:
    """Identifies the callers of requests and checks their scopes, by the policy of a server."""

    def __init__(self, warehouse: Warehouse, policy: Policy) -> None:
        self.policy = policy
        self.database = warehouse.database
        self.sessions = AppStore() if warehouse.app.read_only else warehouse.app
        """Store of sign-in sessions; in memory if the server is read-only."""
        self._warehouse = warehouse
        self._read_at: tuple[AppStore, int] | None = None
        self._by_digest: Mapping[str, Token] = {}

    @property
    def store(self) -> AppStore:
        """The app store with tokens and sessions; a replica replaces it with each newer backup."""
        return self._warehouse.app

    @property
    def _tokens(self) -> Mapping[str, Token]:
        """The tokens by the SHA-256 of their secrets, read again after any change to the app store."""
        state = self.store, self.store.changes
        if state != self._read_at:
            self._by_digest = {token.sha256: token for token in all_tokens(self.store)}
            self._read_at = state
        return self._by_digest

    def token_of(self, secret: str) -> Token | None:
        """Return the token that belongs to a secret; `None` if it is unknown or has expired."""
        return self._token(digest(secret))

    def gains_by_signing_in(self, who: Caller) -> bool:
        """Return whether a caller without a name could do more after signing in."""
        return not who.scopes >= CHANGING and bool(self._tokens)

    def note_use(self, token: Token) -> None:
        """Record the use of a token."""
        with suppress(WarehouseError):  # if the database is locked for too long, only the next use is recorded
            note_use(self.store, token)

    # --- Authentication

    def identify(self, request: HTTPConnection, endpoint: Any) -> tuple[Caller, Token | None]:
        """Return the caller of a request, and the token that identified the caller, if any."""
        address = address_of(request)
        if secret := secret_of(request):
            token = self.token_of(secret)
            if token is not None:
                return Caller(token.name, token.scopes, Credential.TOKEN, address), token
            return self.anonymous(request), None
        lacking = frozenset() if getattr(endpoint, "is_done_by_pages", False) else BY_TOKEN_ALONE
        if token := self._signed_in(request):
            return Caller(token.name, token.scopes - lacking, Credential.COOKIE, address), token
        if user := self._user_of_proxy(request):
            return Caller(user, self.policy.user_scopes - lacking, Credential.PROXY, address), None
        if self.policy.needs_token or _is_proxied(request):
            return self.anonymous(request), None
        return Caller(LOCAL, frozenset(Scope), Credential.HERE, address), None

    def anonymous(self, request: HTTPConnection) -> Caller:
        """Return an anonymous caller, known only by their address."""
        scopes = frozenset({Scope.READ}) if self.policy.public_read else frozenset[Scope]()
        return Caller("nobody", scopes, Credential.NOTHING, address_of(request))

    def _signed_in(self, request: HTTPConnection) -> Token | None:
        cookie = request.cookies.get(cookie_name(request))
        sha256 = token_of_session(self.sessions, cookie) if cookie else None
        return self._token(sha256) if sha256 else None

    def _user_of_proxy(self, request: HTTPConnection) -> str | None:
        if self.policy.user_header is None or not request.scope.get(FROM_PROXY):
            return None
        user = request.headers.get(self.policy.user_header, "")
        return user if USER.fullmatch(user) else None

    def _token(self, sha256: str) -> Token | None:
        """Find a token by the digest of its secret; `None` if it is unknown or has expired."""
        token = self._tokens.get(sha256)
        return token if token is not None and token.is_live else None

    # --- Authorisation

    def admit(self, request: HTTPConnection, who: Caller, endpoint: Any) -> None:
        """Refuse a request that its caller may not make, or that a browser sent for another site."""
        needed = needed_by(endpoint)
        if request.scope["method"] not in SAFE and hasattr(endpoint, "needs"):
            check_site(request, who, needed)
        if needed and not needed & who.scopes:
            raise self.refusal(request, who, needed, endpoint)

    def refusal(self, request: HTTPConnection, who: Caller, needed: frozenset[Scope], endpoint: Any) -> Refused:
        """Return the refusal for a caller who has none of the needed scopes."""
        by_pages = getattr(endpoint, "is_done_by_pages", False)
        if who.has_name and who.credential is not Credential.TOKEN and needed <= BY_TOKEN_ALONE and not by_pages:
            return Refused(
                HTTPStatus.FORBIDDEN, "a sign-in is not enough; send the token in a header `Authorization: Bearer …`"
            )
        if who.has_name:
            roles = ", ".join(names_of(who.scopes)) or "none"
            return Refused(HTTPStatus.FORBIDDEN, f"this needs the role {role_for(needed)}; {who.name} has {roles}")
        if secret_of(request):
            return _unknown("the token is unknown to this server, has expired, or was revoked")
        prefix = request.scope.get("root_path", "")
        how = f"send one in a header `Authorization: Bearer …`, or sign in at {prefix}{SIGN_IN}"
        if who.credential is Credential.HERE:
            return _unknown(f"this needs a token; {how}")
        why = "the server was started with --require-token"
        if self.policy.is_public:
            why = "other machines can reach this server"
        return _unknown(f"this needs a token, since {why}; {how}; {CREATE}")

    def check_host(self, request: HTTPConnection) -> None:
        """Refuse a request for another host name, against DNS rebinding: a site's name can point to this machine.

        A proxy that forwards the client's host name is accepted only for browsers over https, because a page can fake
        all other signs of a proxy.
        """
        if self.policy.is_public or self._is_for_here(request):
            return
        if _is_proxied(request) and SITE in request.headers:
            return
        secret = secret_of(request)
        if not (secret and self.token_of(secret)):
            message = f"this server answers for this machine only, not for the host {_host(request)}; {PROXY}"
            raise Refused(HTTPStatus.FORBIDDEN, message)

    def _is_for_here(self, request: HTTPConnection) -> bool:
        if request.scope.get(FROM_PROXY) and "X-Forwarded-Host" in request.headers:
            return False  # pages on the proxy's machine can set this header, so it proves nothing
        try:
            host = urlsplit(f"//{_host(request)}").hostname or ""
        except ValueError:  # brackets without an IPv6 address
            return False
        return host == self.policy.host.lower() or _is_this_machine(host)


# --- Requests


def needed_by(endpoint: Any) -> frozenset[Scope]:
    """Return the scopes that a route accepts; a caller needs one of them."""
    found: frozenset[Scope] = getattr(endpoint, "needs", frozenset({Scope.READ}))
    return found


def check_site(request: HTTPConnection, who: Caller, needed: frozenset[Scope]) -> None:
    """Refuse a request that a browser sent for another site. A request with a token is always accepted.

    `Sec-Fetch-Site` decides, because a proxy may change the host. `Origin`, if sent, must match the host as well
    if that header is missing, or if a caller on this machine changes data.
    """
    if who.credential is Credential.TOKEN:
        return
    site, origin = request.headers.get(SITE), request.headers.get("Origin")
    is_strange = site is not None and site not in SAME_SITE
    is_strict = who.credential is Credential.HERE and bool(needed & CHANGING)
    if site is None or is_strict:
        is_strange = is_strange or (origin is not None and urlsplit(origin).netloc != _host(request))
    if is_strange:
        raise Refused(HTTPStatus.FORBIDDEN, f"a request from another site needs a token; {CREATE}")


def cookie_name(request: HTTPConnection) -> str:
    """Return the name of the session cookie; over TLS, the prefix `__Host-` keeps other hosts from setting it.

    `__Host-` requires the path `/`. Below a path prefix, the cookie must not reach other apps of the host.
    """
    if not request.url.is_secure:
        return "himalaya"
    return "__Secure-himalaya" if PREFIX.get() else "__Host-himalaya"


def _unknown(message: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, message, headers=CHALLENGE)


def address_of(request: HTTPConnection) -> str:
    """Return the address that a request comes from."""
    return request.client.host if request.client else ""


def _host(request: HTTPConnection) -> str:
    return request.headers.get("Host", "")


def secret_of(request: HTTPConnection) -> str | None:
    """Return the bearer token in the headers of a request, if there is one."""
    scheme, _, secret = request.headers.get("Authorization", "").strip().partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None


def _is_proxied(request: HTTPConnection) -> bool:
    """Return whether a request came through a proxy, trusted or not."""
    return bool(request.scope.get(FROM_PROXY)) or any(name in request.headers for name in FORWARDED)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


VERBS: Final = {
    Scope.READ: "read",
    Scope.SEND: "send logs",
    Scope.WRITE: "write bookmarks",
    Scope.RUN: "run reports and playouts",
    Scope.OPERATE: "operate",
}


def why_closed(policy: Policy, tokens: Sequence[Token]) -> str | None:
    """Return why a server must not start if its policy admits no caller; `None` if it may start."""
    has_way_in = policy.public_read or policy.user_header is not None or any(token.is_live for token in tokens)
    if not policy.needs_token or has_way_in:
        return None
    reached = f"{policy.host} can be reached from other machines, and there is no token"
    why = reached if policy.is_public else "--require-token asks for a token, and there is none"
    return f"{why}: create one with `himalaya token create NAME`, or let everyone read with --public-read"


def what_is_open(policy: Policy, tokens: Sequence[Token], *, read_only: bool = False, prefix: str = "") -> str:
    """Describe in one sentence who has which access; `read_only` servers allow reading and reports only.

    `prefix` is the path prefix of the server.
    """
    live = sum(token.is_live for token in tokens)
    one = f"{'the token' if live == 1 else f'one of {live} tokens'}, sent with the request or at {prefix}{SIGN_IN}"
    here = f"this machine {'(reading and reports)' if read_only else '(full access)'}"
    parts = []
    if policy.needs_token:
        parts.append("everyone may read" if policy.public_read else f"access only with {one}" if live else "no access")
    elif policy.public_read:
        parts.append(f"open to {here}, and to requests through a proxy for reading")
    else:
        parts.append(f"open to {here}{'' if live else ' only'}")
    if live and (policy.public_read or not policy.needs_token):
        parts.append(f"{'anything else' if policy.public_read else 'a request through a proxy'} needs {one}")
    if policy.user_header is not None:
        may = ", ".join(verb for scope, verb in VERBS.items() if scope in policy.user_scopes)
        parts.append(f"users that a trusted proxy names in {policy.user_header} may {may}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
