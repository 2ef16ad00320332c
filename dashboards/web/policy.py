"""Who somebody is who asks, and whether they may have what they ask for: by the policy of a server.

Somebody is known by a token, by the cookie of a sign-in with one, by the name that a trusted proxy says, or because
they are on this machine; all others are nobody. What a caller may do is a set of scopes. What other sites have a
browser send, and requests for another host that reach this machine only because somebody turned a name to it, are
refused however they are known.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from dashboards.web.refusals import Refused
from ingest.app_store import AppStore
from ingest.errors import WarehouseError
from ingest.people.sessions import token_of_session
from ingest.people.tokens import ROLES, Role, Scope, Token, all_tokens, digest, names_of, note_use, role_for
from ingest.receive.receive import LOCAL
from ingest.warehouse import Warehouse

__all__ = [
    "FROM_PROXY",
    "SIGN_IN",
    "Authenticator",
    "Caller",
    "Policy",
    "Shown",
    "address_of",
    "check_site",
    "cookie_name",
    "needed_by",
    "secret_of",
]

SIGN_IN: Final = "/sign-in"
SAFE: Final = {"GET", "HEAD", "OPTIONS"}
SAME_SITE: Final = {"same-origin", "none"}
SITE: Final = "Sec-Fetch-Site"
"""What a browser says of the page that asks, over https or to this machine; no page can say it for itself."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
FROM_PROXY: Final = "himalaya.from_proxy"
"""Key of the scope: whether a request came from a trusted proxy; then it says itself for whom and which host."""
CREATE: Final = "`himalaya token create NAME` on the server's machine makes one"
PROXY: Final = "a proxy must send `Host: localhost`, or the client a token"
CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="himalaya"'}
USER: Final = re.compile(r"[\w.@+-]{1,64}")
CHANGING: Final = frozenset({Scope.SEND, Scope.WRITE, Scope.OPERATE})
"""What changes something that stays: of a browser on this machine only the pages of this server may ask for it."""
BY_TOKEN_ALONE: Final = frozenset({Scope.SEND})
"""What no page does: the token itself comes with it."""


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


class Authenticator:
    """Says who sends a request and whether they may, by the policy of a server."""

    def __init__(self, warehouse: Warehouse, policy: Policy) -> None:
        self.policy = policy
        self.database = warehouse.database
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

    def token_of(self, secret: str) -> Token | None:
        """Return the token of a secret, unless it has expired."""
        return self._token(digest(secret))

    def is_for_more_with_a_token(self, who: Caller) -> bool:
        """Say whether a caller without a name could do more if they had one."""
        return not who.scopes >= CHANGING and bool(self._tokens)

    def note_use(self, token: Token) -> None:
        """Write down that a token is used."""
        with suppress(WarehouseError):  # somebody writes for long; the next use is noted
            note_use(self.store, token)

    # --- Who it is

    def identified(self, asking: HTTPConnection, endpoint: Any) -> tuple[Caller, Token | None]:
        """Return who asks, and the token by which they are known."""
        address = address_of(asking)
        if secret := secret_of(asking):
            token = self.token_of(secret)
            if token is not None:
                return Caller(token.name, token.scopes, Shown.TOKEN, address), token
            return self.nobody(asking), None
        lacking = frozenset() if getattr(endpoint, "is_done_by_pages", False) else BY_TOKEN_ALONE
        if token := self._signed_in(asking):
            return Caller(token.name, token.scopes - lacking, Shown.COOKIE, address), token
        if user := self._user_of_proxy(asking):
            return Caller(user, self.policy.user_scopes - lacking, Shown.PROXY, address), None
        if self.policy.needs_token or _is_from_elsewhere(asking):
            return self.nobody(asking), None
        return Caller(LOCAL, frozenset(Scope), Shown.HERE, address), None

    def nobody(self, asking: HTTPConnection) -> Caller:
        """Return a caller of whom nothing is known but the address."""
        scopes = frozenset({Scope.READ}) if self.policy.public_read else frozenset[Scope]()
        return Caller("nobody", scopes, Shown.NOTHING, address_of(asking))

    def _signed_in(self, asking: HTTPConnection) -> Token | None:
        cookie = asking.cookies.get(cookie_name(asking))
        sha256 = token_of_session(self.sessions, cookie) if cookie else None
        return self._token(sha256) if sha256 else None

    def _user_of_proxy(self, asking: HTTPConnection) -> str | None:
        if self.policy.user_header is None or not asking.scope.get(FROM_PROXY):
            return None
        user = asking.headers.get(self.policy.user_header, "")
        return user if USER.fullmatch(user) else None

    def _token(self, sha256: str) -> Token | None:
        """Return the token by the digest of its secret, unless it has expired."""
        token = self._tokens.get(sha256)
        return token if token is not None and token.is_live else None

    # --- Whether they may

    def admit(self, asking: HTTPConnection, who: Caller, endpoint: Any) -> None:
        """Refuse a request that is not for its caller, or that another site had a browser send."""
        needed = needed_by(endpoint)
        if asking.scope["method"] not in SAFE and hasattr(endpoint, "needs"):
            check_site(asking, who, needed)
        if needed and not needed & who.scopes:
            raise self.refusal(asking, who, needed, endpoint)

    def refusal(self, asking: HTTPConnection, who: Caller, needed: frozenset[Scope], endpoint: Any) -> Refused:
        """Return why a caller may not have what is for some scopes."""
        by_pages = getattr(endpoint, "is_done_by_pages", False)
        if who.has_name and who.shown is not Shown.TOKEN and needed <= BY_TOKEN_ALONE and not by_pages:
            return Refused(HTTPStatus.FORBIDDEN, "expected a token, in a header `Authorization: Bearer …`")
        if who.has_name:
            may = ", ".join(names_of(who.scopes)) or "nobody"
            return Refused(HTTPStatus.FORBIDDEN, f"expected the role {role_for(needed)}; {who.name} is {may}")
        if secret_of(asking):
            return _unknown("the token is unknown to this server, has expired, or was revoked")
        with_one = f"in a header `Authorization: Bearer …`, or a sign-in at {SIGN_IN}"
        if who.shown is Shown.HERE:
            return _unknown(f"expected a token, {with_one}")
        why = "this server can be reached from other machines" if self.policy.is_public else "this server requires one"
        return _unknown(f"expected a token, {with_one}, as {why}; {CREATE}")

    def check_host(self, asking: HTTPConnection) -> None:
        """Refuse who asks for another machine, as a page does that made the name of its site point to this one.

        A proxy that hands on the name it was asked for is let through for a browser that came over https; a page can
        make up all other signs of a proxy.
        """
        if self.policy.is_public or self._is_for_here(asking):
            return
        if _is_from_elsewhere(asking) and SITE in asking.headers:
            return
        secret = secret_of(asking)
        if not (secret and self.token_of(secret)):
            message = f"expected this machine as the host, found {_host(asking)}; {PROXY}"
            raise Refused(HTTPStatus.FORBIDDEN, message)

    def _is_for_here(self, asking: HTTPConnection) -> bool:
        if asking.scope.get(FROM_PROXY) and "X-Forwarded-Host" in asking.headers:
            return False  # the host is what that says, as any page on the proxy's machine can
        try:
            host = urlsplit(f"//{_host(asking)}").hostname or ""
        except ValueError:  # no address, though in brackets
            return False
        return host == self.policy.host.lower() or _is_this_machine(host)


# --- The request at hand


def needed_by(endpoint: Any) -> frozenset[Scope]:
    """Return the scopes one of which a route needs."""
    found: frozenset[Scope] = getattr(endpoint, "needs", frozenset({Scope.READ}))
    return found


def check_site(asking: HTTPConnection, who: Caller, needed: frozenset[Scope]) -> None:
    """Refuse what another site had a browser send; it cannot send a token.

    Where the host may be another than the page was asked for, as behind a proxy, only the browser's own word counts.
    """
    if who.shown is Shown.TOKEN:
        return
    site, origin = asking.headers.get(SITE), asking.headers.get("Origin")
    is_strange = site is not None and site not in SAME_SITE
    is_strict = who.shown is Shown.HERE and bool(needed & CHANGING)
    if site is None or is_strict:
        is_strange = is_strange or (origin is not None and urlsplit(origin).netloc != _host(asking))
    if is_strange:
        raise Refused(HTTPStatus.FORBIDDEN, f"expected no request from another site without a token; {CREATE}")


def cookie_name(asking: HTTPConnection) -> str:
    """Return the name of the cookie of a session; over TLS a browser lets no other host set one of that name."""
    return "__Host-himalaya" if asking.url.is_secure else "himalaya"


def _unknown(message: str) -> Refused:
    return Refused(HTTPStatus.UNAUTHORIZED, message, headers=CHALLENGE)


def address_of(asking: HTTPConnection) -> str:
    """Return the address that a request comes from."""
    return asking.client.host if asking.client else ""


def _host(asking: HTTPConnection) -> str:
    return asking.headers.get("Host", "")


def secret_of(asking: HTTPConnection) -> str | None:
    """Return the secret that a request has in a header, if it has one."""
    scheme, _, secret = asking.headers.get("Authorization", "").strip().partition(" ")
    return secret.strip() or None if scheme.lower() == "bearer" else None


def _is_from_elsewhere(asking: HTTPConnection) -> bool:
    """Say whether a request came through a proxy, trusted or not."""
    return bool(asking.scope.get(FROM_PROXY)) or any(name in asking.headers for name in FORWARDED)


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
