"""Startup checks: who has access, in one sentence for the operator, and why a server may not start."""

from collections.abc import Sequence
from typing import Final

from dashboards.web.policy import SIGN_IN, Policy
from ingest.people.tokens import Scope, Token

__all__ = ["what_is_open", "why_closed"]

VERBS: Final = {
    Scope.READ: "read",
    Scope.SEND: "send logs",
    Scope.WRITE: "write bookmarks",
    Scope.RUN: "run reports and playouts",
    Scope.OPERATE: "operate",
}


def why_closed(policy: Policy, tokens: Sequence[Token]) -> str | None:
    """Return why a server may not start: no one could use it, since access was not decided."""
    has_way_in = policy.public_read or policy.user_header is not None or any(token.is_live for token in tokens)
    if not policy.needs_token or has_way_in:
        return None
    reached = f"{policy.host} can be reached from other machines"
    why = reached if policy.is_public else "--require-token asks for a token, and there is none"
    return f"{why}: create one with `himalaya token create NAME`, or let everyone read with --public-read"


def what_is_open(policy: Policy, tokens: Sequence[Token], *, read_only: bool = False) -> str:
    """Return who has which access, in one sentence; `read_only` servers allow reading and reports only."""
    live = sum(token.is_live for token in tokens)
    one = f"{'the token' if live == 1 else f'one of {live} tokens'}, sent with the request or at {SIGN_IN}"
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
