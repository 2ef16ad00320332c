"""A public server starts only if its permissions are set, and reports in a sentence what is open."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dashboards.server import ServeError, serve
from dashboards.web.policy import Policy, what_is_open, why_closed
from ingest.opening import open_warehouse
from ingest.people.tokens import Scope, Token, create_token
from tests.core.cli.commands import Command

NOW = datetime(2026, 1, 1, tzinfo=UTC)
LIVE = Token("laptop", "x", frozenset(Scope), NOW, None, None, None)
ENDED = Token("desk", "y", frozenset(Scope), NOW, NOW + timedelta(days=1), None, None)
PUBLIC = Policy(is_public=True, host="0.0.0.0")


@pytest.mark.parametrize(
    ("policy", "tokens", "starts"),
    [
        (Policy(), [], True),
        (PUBLIC, [], False),
        (PUBLIC, [ENDED], False),
        (PUBLIC, [LIVE], True),
        (Policy(is_public=True, public_read=True), [], True),
        (Policy(is_public=True, user_header="X-Remote-User"), [], True),
        (Policy(require_token=True), [], False),
    ],
    ids=["this machine", "nobody", "nobody any more", "a token", "everybody reads", "a proxy knows", "nobody here"],
)
def test_a_server_starts_only_if_someone_has_access(policy: Policy, tokens: list[Token], *, starts: bool) -> None:
    assert (why_closed(policy, tokens) is None) is starts


TOKEN = "the token, sent with the request or at /sign-in"
OPEN = "Open to this machine (full access)"
SAID = [
    (Policy(), [], "Open to this machine (full access) only."),
    (
        Policy(public_read=True),
        [LIVE],
        f"{OPEN}, and to requests through a proxy for reading; anything else needs {TOKEN}.",
    ),
    (Policy(), [LIVE], f"{OPEN}; a request through a proxy needs {TOKEN}."),
    (Policy(require_token=True), [LIVE], f"Access only with {TOKEN}."),
    (PUBLIC, [LIVE, ENDED], f"Access only with {TOKEN}."),
    (Policy(is_public=True, public_read=True), [], "Everyone may read."),
    (
        Policy(is_public=True, user_header="X-User", user_scopes=frozenset({Scope.READ})),
        [],
        "No access; users that a trusted proxy names in X-User may read.",
    ),
]


@pytest.mark.parametrize(("policy", "tokens", "says"), SAID)
def test_access_is_summarized_in_one_sentence(policy: Policy, tokens: list[Token], says: str) -> None:
    assert what_is_open(policy, tokens) == says


def test_the_address_of_the_sign_in_has_the_path_prefix() -> None:
    says = what_is_open(Policy(require_token=True), [LIVE], prefix="/himalaya")
    assert says == "Access only with the token, sent with the request or at /himalaya/sign-in."


def test_a_server_for_others_says_what_to_do_before_it_starts(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    with pytest.raises(
        ServeError,
        match=r"^0.0.0.0 can be reached .* no token: create one with `himalaya token create NAME`.* --public-read$",
    ):
        serve(database, "0.0.0.0", 0)
    with open_warehouse(database) as warehouse:
        create_token(warehouse.app, "laptop", expires=0.0)
    with pytest.raises(ServeError, match="can be reached from other machines"):
        serve(database, "0.0.0.0", 0)


def test_users_are_named_by_a_trusted_proxy_only(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match="--trusted-proxy"):
        serve(tmp_path / "w.duckdb", "127.0.0.1", 0, policy=Policy(user_header="X-Remote-User"))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--trusted-proxy", "proxy.example"),
        ("--trusted-proxy", "10.0.0.1/8"),
        ("--user-header", "X Remote"),
        ("--user-scopes", "root"),
    ],
)
def test_an_impossible_option_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, value: str
) -> None:
    answer = Command(capsys)("serve", "--db", str(tmp_path / "w.duckdb"), f"{option}={value}")
    assert (answer.code, f"argument {option}: {value!r} is not " in answer.err) == (2, True)
    assert not (tmp_path / "w.duckdb").exists()


def test_a_read_only_server_offers_no_full_access() -> None:
    says = "Open to this machine (reading and reports) only."
    assert what_is_open(Policy(), [], read_only=True) == says
