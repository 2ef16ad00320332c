"""What a server is open to, in a sentence for its operator; and which servers are not started."""

from collections.abc import Sequence

from dashboards.http.access import Policy
from ingest.receive.tokens import Scope, Token

__all__ = ["what_is_open", "why_closed"]

VERBS = {
    Scope.READ: "read",
    Scope.SEND: "send logs",
    Scope.WRITE: "write bookmarks",
    Scope.RUN: "run reports and playouts",
    Scope.OPERATE: "operate",
}


def why_closed(policy: Policy, tokens: Sequence[Token]) -> str | None:
    """Return why a server is not started: others can reach it, and nobody said what they may do."""
    has_way_in = policy.public_read or policy.user_header is not None or any(token.is_live for token in tokens)
    if not policy.is_public or has_way_in:
        return None
    return (
        f"{policy.host} can be reached from other machines: make a token for those who may come in "
        "(`himalaya token create NAME`), or let everybody read with --public-read"
    )


def what_is_open(policy: Policy, tokens: Sequence[Token]) -> str:
    """Return who may do what."""
    live = sum(token.is_live for token in tokens)
    one_of = f"one of {live} tokens" if live != 1 else "the token"
    sentences: list[str] = []
    if policy.is_public:
        everybody = (
            "everybody who can reach it may read" if policy.public_read else "nothing is open without signing in"
        )
        sentences.append(everybody)
    else:
        here = "may read and run reports" if tokens else "may do everything"
        others = "what comes through a proxy may read" if policy.public_read else "nobody else may do anything"
        sentences.append(f"whoever is on this machine {here}, {others}")
    if live:
        sentences.append(f"all else needs {one_of}")
    if policy.user_header is not None:
        verbs = ", ".join(verb for scope, verb in VERBS.items() if scope in policy.user_scopes)
        sentences.append(f"whom a trusted proxy names in {policy.user_header} may {verbs}")
    text = "; ".join(sentences)
    return f"{text[0].upper()}{text[1:]}."
