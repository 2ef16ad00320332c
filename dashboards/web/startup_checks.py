"""What a server is open to, in a sentence for its operator; and which servers are not started."""

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
    """Return why a server is not started: others can reach it, and nobody said what they may do."""
    has_way_in = policy.public_read or policy.user_header is not None or any(token.is_live for token in tokens)
    if not policy.needs_token or has_way_in:
        return None
    here = "nobody comes in without a token, as --require-token says"
    why = f"{policy.host} can be reached from other machines" if policy.is_public else here
    return (
        f"{why}: make a token for those who may come in "
        "(`himalaya token create NAME`), or let everybody read with --public-read"
    )


def what_is_open(policy: Policy, tokens: Sequence[Token], *, read_only: bool = False) -> str:
    """Return who may do what, in one sentence; of what is `read_only`, nobody may do more than read."""
    live = sum(token.is_live for token in tokens)
    one = f"{'the token' if live == 1 else f'one of {live} tokens'}, sent along or at {SIGN_IN}"
    if not policy.needs_token:
        parts = [_of_this_machine(policy, has_tokens=live > 0, read_only=read_only)]
    elif policy.public_read:
        parts = ["everybody may read"]
    else:
        parts = [f"nothing is open without {one}" if live else "nothing is open to strangers"]
    if live and (policy.public_read or not policy.needs_token):
        parts.append(f"{'all else' if policy.public_read else 'what comes through a proxy'} needs {one}")
    if policy.user_header is not None:
        may = ", ".join(verb for scope, verb in VERBS.items() if scope in policy.user_scopes)
        parts.append(f"whom a trusted proxy names in {policy.user_header} may {may}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."


def _of_this_machine(policy: Policy, *, has_tokens: bool, read_only: bool) -> str:
    here = f"whoever is on this machine may {'read and run reports' if read_only else 'do everything'}"
    if policy.public_read:
        return f"{here}, what comes through a proxy may read"
    return here if has_tokens else f"{here}, nobody else may do anything"
