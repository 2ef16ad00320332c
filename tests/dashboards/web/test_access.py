"""Permissions: every route needs a scope; known users may do what their scopes allow, others nothing."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dashboards.web.policy import Policy
from docs.generators.roles import COLUMNS, page, roles_by_route
from ingest.app_store import store_file
from ingest.opening import open_for_reading, open_warehouse
from ingest.people.audit import latest
from ingest.people.tokens import (
    ROLES,
    USUAL_SCOPES,
    Role,
    Scope,
    all_tokens,
    create_token,
    names_of,
    revoke_token,
    rotate_token,
)
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.web.test_callbacks import routed

CLOSED = Policy(is_public=True)
PUBLIC = Policy(is_public=True, public_read=True)
LOCAL = Policy()
SINGLE_SIGN_ON = Policy(is_public=True, user_header="X-Remote-User")
THROUGH = {"X-Forwarded-For": "192.0.2.1", "Sec-Fetch-Site": "same-origin"}
PAST = "2026-01-01T00:00:00.000000+00:00"
BROWSER = {"Accept": "text/html,application/xhtml+xml"}
ELSEWHERE = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}
NAMES = {
    "match": "other",
    "report": "x" * 16,
    "bookmark": "x",
    "branch": "0" * 32,
    "receipt": "0" * 64,
    "table": "matches",
    "seq": "1",
}
Served = Callable[..., Client]


@pytest.fixture(scope="module")
def opened(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    database = tmp_path_factory.mktemp("access") / "w.duckdb"
    ingest([logs / "other.jsonl"], database, processes=0)
    with open_warehouse(database) as warehouse:
        yield warehouse


@pytest.fixture
def warehouse(opened: Warehouse) -> Warehouse:
    """A warehouse with a match, and no users with permissions."""
    with opened.app.writing() as connection:
        for table in ("tokens", "sessions", "audit", "bookmarks"):
            connection.execute(f"DELETE FROM {table}")
    return opened


@pytest.fixture
def served(warehouse: Warehouse) -> Iterator[Served]:
    made: list[Client] = []

    def serve(policy: Policy) -> Client:
        made.append(everything(warehouse, policy=policy))
        return made[-1]

    yield serve
    for client in made:
        client.services.close()


def secret(warehouse: Warehouse, name: str = "laptop", *scopes: Scope) -> str:
    return create_token(warehouse.app, name, scopes or USUAL_SCOPES)


def bearer(warehouse: Warehouse, name: str = "laptop", *scopes: Scope) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret(warehouse, name, *scopes)}"}


def audit(warehouse: Warehouse) -> list[tuple[str, ...]]:
    """Return the audit log, latest entry first."""
    return [(row.who, row.how, row.action, row.outcome) for row in latest(warehouse.app)]


# --- Public routes


ROW = re.compile(r"^\| `(\w+) (\S+)` \|.* \| (\w*) \| (\w*) \| (\w*) \| (\w*) \|$", re.MULTILINE)
WATCHED = ("/healthz", "/readyz", "/metrics")
STATIC = ("/assets/", "/_dash-component-suites/", "/favicon.ico", "/docs")
OPEN = (*STATIC, "/sign-in", "/sign-out", "/api/operations/", *WATCHED)


def addresses(client: Client) -> Iterator[tuple[str, str]]:
    """Yield every method and path of a server, with existing names filled in."""
    for route in client.web.routes:
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda found: NAMES.get(found[1], "x"), getattr(route, "path", ""))
        for method in sorted(set(getattr(route, "methods", None) or ()) - {"HEAD"}):
            yield method, path
    yield from (("GET", "/"), ("GET", "/matches"), ("GET", "/_dash-layout"), ("POST", "/_dash-update-component"))


def test_only_scripts_and_sign_in_are_open_on_a_server_closed_to_readers(served: Served) -> None:
    client = served(CLOSED)
    found = {path: client.open(path, method=method).status_code for method, path in addresses(client)}
    closed = {path: status for path, status in found.items() if not path.startswith(OPEN)}
    assert len(closed) > 25
    assert set(closed.values()) == {401}
    assert {client.get(path).status_code for path in ("/sign-in", "/assets/favicon.svg")} == {200}


def test_readers_may_only_read(served: Served, warehouse: Warehouse) -> None:
    """Every request that does more than read needs another scope, except Dash's own requests and dry runs."""
    client, headers = served(CLOSED), bearer(warehouse, "reader", Scope.READ)
    strange = {(method, path) for method, path in addresses(client) if method != "GET" and not path.startswith(OPEN)}
    looks = ("/_dash-update-component", "/api/replay", "/api/branches", "/api/branches/check", "/api/records/x/check")
    only_read = {("POST", path) for path in looks} | {
        (method, path)
        for method, path in strange
        if path in {"/api/", "/api/x"}  # these paths do not exist
    }
    for method, path in sorted(strange - only_read):
        assert client.open(path, method=method, headers=headers, json={}).status_code == 403, (method, path)
    assert len(strange - only_read) >= 7


WHAT: dict[str, tuple[str, str, dict[str, Any]]] = {
    "read": ("GET", "/api/matches", {}),
    "send": ("POST", "/api/logs", {"data": b"{}\n"}),
    "write": ("POST", "/api/bookmarks", {"json": {"match": "other", "label": "a"}}),
    "run": ("POST", "/api/reports", {"json": {"format": "docx"}}),  # refused for its format, not its permissions
}


def statuses(client: Client, headers: dict[str, str], **more: Any) -> dict[str, int]:
    return {
        scope: client.open(path, method=method, headers=headers, **sent, **more).status_code
        for scope, (method, path, sent) in WHAT.items()
    }


ALLOWED = {"read": 200, "send": 202, "write": 201, "run": 422}


@pytest.mark.parametrize("scope", [*WHAT, Scope.OPERATE])
def test_a_token_allows_what_its_scopes_say(served: Served, warehouse: Warehouse, scope: str) -> None:
    client, headers = served(CLOSED), bearer(warehouse, "laptop", Scope(scope))
    assert statuses(client, headers) == dict.fromkeys(WHAT, 403) | {
        name: status for name, status in ALLOWED.items() if name == scope
    }


def test_a_server_open_for_reading_runs_nothing_without_a_token(served: Served, warehouse: Warehouse) -> None:
    client = served(PUBLIC)
    assert statuses(client, {}) == {"read": 200, "send": 401, "write": 401, "run": 401}
    assert statuses(client, bearer(warehouse)) == ALLOWED


def test_this_machine_has_full_access_unless_a_token_is_required(served: Served, warehouse: Warehouse) -> None:
    headers = bearer(warehouse)
    assert statuses(served(LOCAL), {}) == ALLOWED
    strict = served(Policy(require_token=True))
    assert statuses(strict, {}) == dict.fromkeys(WHAT, 401)
    assert statuses(strict, headers) == ALLOWED


@pytest.mark.parametrize("role", Role)
def test_each_route_is_for_the_roles_that_the_page_names(served: Served, warehouse: Warehouse, role: Role) -> None:
    client, headers = served(CLOSED), bearer(warehouse, "laptop", *ROLES[role])
    refused = set[tuple[str, str]]()
    for method, path, _, _ in roles_by_route(client.web):
        address = path.replace("{seq}", "1").replace("{format}", "csv")
        if client.open(address, method=method, headers=headers, json={"x": 1}).status_code == 403:
            refused.add((method, path))
    rows = ROW.findall(page())
    named = {(method, path): dict(zip(COLUMNS, may, strict=True)) for method, path, *may in rows}
    assert len(named) > 50
    assert refused == {route for route, may in named.items() if not may[role]}


@pytest.mark.parametrize(
    ("scopes", "names"),
    [
        (set(), []),
        ({Scope.READ}, ["viewer"]),
        ({Scope.SEND}, ["sender"]),
        ({Scope.READ, Scope.SEND, Scope.WRITE, Scope.RUN}, ["editor", "sender"]),
        (set(Scope), ["operator", "sender"]),
        ({Scope.OPERATE}, ["operate"]),
        ({Scope.READ, Scope.RUN}, ["read", "run"]),
    ],
)
def test_the_rights_of_a_token_are_described_by_roles_if_there_are_any(scopes: set[Scope], names: list[str]) -> None:
    assert names_of(frozenset(scopes)) == names


def test_proxied_requests_do_not_count_as_this_machine(served: Served) -> None:
    closed = dict.fromkeys(WHAT, 401)
    assert statuses(served(LOCAL), THROUGH) == closed
    assert statuses(served(LOCAL), {}, via_proxy=True) == closed
    assert statuses(served(Policy(public_read=True)), THROUGH) == closed | {"read": 200}


def test_an_expired_token_is_refused_and_its_successor_accepted(served: Served, warehouse: Warehouse) -> None:
    client, former = served(CLOSED), bearer(warehouse)
    successor = {"Authorization": f"Bearer {rotate_token(warehouse.app, 'laptop')}"}
    assert [client.get("/", headers=each).status_code for each in (former, successor)] == [200, 200]
    with warehouse.app.writing() as connection:
        connection.execute("UPDATE tokens SET expires_at = ? WHERE replaced_at IS NOT NULL", (PAST,))
    assert [client.get("/", headers=each).status_code for each in (former, successor)] == [401, 200]


def test_logs_are_read_only_from_clients_that_may_send(served: Served, warehouse: Warehouse) -> None:
    sender, reader = (bearer(warehouse, str(scope), scope) for scope in (Scope.SEND, Scope.READ))
    ended = bearer(warehouse, "ended", Scope.SEND)
    with warehouse.app.writing() as connection:
        connection.execute("UPDATE tokens SET expires_at = ? WHERE name = 'ended'", (PAST,))
    client, read = served(CLOSED), list[bytes]()

    def pieces() -> Iterator[bytes]:
        for piece in (b"{", b"}"):
            read.append(piece)
            yield piece

    asks = [client.post("/api/logs", data=pieces(), headers=each).status_code for each in (reader, ended, {})]
    assert asks == [403, 401, 401]
    assert client.post("/api/logs", data=pieces(), headers=sender).status_code == 202


def test_head_needs_the_same_role_as_get(served: Served, warehouse: Warehouse) -> None:
    client, viewer = served(CLOSED), bearer(warehouse, "viewer", Scope.READ)
    assert client.head("/healthz").status_code == 200
    assert client.head("/api/matches").status_code == 401
    assert client.head("/api/matches", headers=viewer).status_code == 200
    assert client.get("/api/reports/x", headers=viewer).status_code == 403
    assert client.head("/api/reports/x", headers=viewer).status_code == 403


def test_when_a_token_was_used_is_kept_to_the_hour(
    served: Served, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, headers = served(CLOSED), bearer(warehouse)
    written = []
    for an_hour in (timedelta(hours=1), timedelta(hours=1), timedelta(0)):
        monkeypatch.setattr("ingest.people.tokens.AN_HOUR", an_hour)
        client.get("/api/matches", headers=headers)
        written.append(all_tokens(warehouse.app)[0].used_at)
    first, again, after_an_hour = written
    assert first is not None
    assert after_an_hour is not None
    assert first == again < after_an_hour


# --- Single sign-on through a proxy


def test_a_trusted_proxy_names_the_user(served: Served, warehouse: Warehouse) -> None:
    client, named = served(SINGLE_SIGN_ON), {"X-Remote-User": "mary@example.org"}
    assert statuses(client, named, via_proxy=True) == ALLOWED | {"send": 403}
    assert ("mary@example.org", "proxy", "add bookmark", "done") in audit(warehouse)


@pytest.mark.parametrize(
    ("policy", "headers", "from_proxy"),
    [
        (SINGLE_SIGN_ON, {"X-Remote-User": "mary"}, False),
        (SINGLE_SIGN_ON, {"X-Remote-User": "mary,admin"}, True),
        (SINGLE_SIGN_ON, {"X-Remote-User": ""}, True),
        (CLOSED, {"X-Remote-User": "mary"}, True),
    ],
    ids=["from elsewhere", "two names", "no name", "not asked for"],
)
def test_only_a_trusted_proxy_names_users(
    served: Served, policy: Policy, headers: dict[str, str], *, from_proxy: bool
) -> None:
    assert served(policy).get("/api/matches", headers=headers, via_proxy=from_proxy).status_code == 401


def test_a_page_on_the_machine_of_the_proxy_cannot_pass_for_it(served: Served) -> None:
    """A site whose name resolves to this machine sends from the same address as the proxy."""
    client = served(Policy(user_header="X-Remote-User"))
    forged = {"Host": "evil.example", "X-Remote-User": "mary", "X-Forwarded-For": "192.0.2.1"}
    with_host = forged | {"Host": "localhost", "X-Forwarded-Host": "localhost"}  # a server rewrites the header so
    for headers in (forged, with_host):
        assert client.get("/api/matches", headers=headers, via_proxy=True).status_code == 403


# --- Signing in


def sign_in(client: Client, token: str, goes_on: str = "/matches?game=caravan", **more: Any) -> Answer:
    return client.post("/sign-in", data={"token": token, "next": goes_on}, **more)


def test_page_visitors_are_redirected_to_sign_in_and_back(served: Served, warehouse: Warehouse) -> None:
    client, token = served(CLOSED), secret(warehouse)
    led = client.get("/matches?game=caravan", headers=BROWSER)
    assert (led.status_code, led.headers["Location"]) == (302, "/sign-in?next=%2Fmatches%3Fgame%3Dcaravan")
    page = client.get(led.headers["Location"])
    assert 'name="next" value="/matches?game=caravan"' in page.text
    answer = sign_in(client, f" {token}\n")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/matches?game=caravan")
    answer = client.get("/matches?game=caravan", headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "laptop" in client.get("/_dash-layout").text
    assert "signed in as <strong>laptop</strong>" in client.get("/sign-in").text
    assert statuses(client, {}) == ALLOWED | {"send": 403}


@pytest.mark.parametrize("path", ["/api/matches", "/csv/matches.csv", "/_dash-layout"])
def test_a_program_gets_the_missing_scope_in_the_answer(served: Served, path: str) -> None:
    answer = served(CLOSED).get(path, headers=BROWSER)
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, 'Bearer realm="himalaya"')
    assert "this needs a token" in answer.text


@pytest.mark.parametrize(("scheme", "name"), [("https", "__Host-himalaya"), ("http", "himalaya")])
def test_the_cookie_is_for_this_server_alone_and_holds_no_secret(
    served: Served, warehouse: Warehouse, scheme: str, name: str
) -> None:
    client, token = served(CLOSED), secret(warehouse)
    said = sign_in(client, token, scheme=scheme).headers["Set-Cookie"]
    value, *attributes = said.split("; ")
    assert re.fullmatch(rf"{name}=[\w-]{{43}}", value)
    expected = {"HttpOnly", "SameSite=lax", "Path=/", "Max-Age=604800", *(["Secure"] if scheme == "https" else [])}
    assert {each for each in attributes if not each.startswith("Expires")} == expected
    assert token not in said
    assert all(found.sha256 not in said for found in all_tokens(warehouse.app))


def test_a_session_ends_with_its_token(served: Served, warehouse: Warehouse) -> None:
    client = served(CLOSED)
    sign_in(client, secret(warehouse))
    assert client.get("/api/matches").status_code == 200
    revoke_token(warehouse.app, "laptop")
    assert client.get("/api/matches").status_code == 401


def test_a_session_ends_when_its_time_is_over(
    served: Served, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.people.tokens.LASTS", timedelta(0))
    client = served(CLOSED)
    assert sign_in(client, secret(warehouse)).status_code == 303
    assert client.get("/api/matches").status_code == 401


def test_a_session_survives_a_restart_of_the_server(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as first:
        cookie = sign_in(at_server(first), secret(first)).headers["Set-Cookie"].partition(";")[0]
    with open_warehouse(tmp_path / "w.duckdb") as again:
        client = at_server(again)
        assert client.get("/api/matches").status_code == 401
        assert client.get("/api/matches", headers={"Cookie": cookie}).status_code == 200


def test_people_sign_in_and_out_of_a_read_only_server(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        token = secret(warehouse)
    with open_for_reading(tmp_path / "w.duckdb") as read:
        client = at_server(read)
        assert sign_in(client, token).status_code == 303
        assert client.get("/api/matches").status_code == 200
        assert client.post("/sign-out").status_code == 303
        assert client.get("/api/matches").status_code == 401


def at_server(warehouse: Warehouse) -> Client:
    """Return a browser of a server that requires a token for reading."""
    return everything(warehouse, policy=CLOSED)


def test_signing_out_ends_the_session(served: Served, warehouse: Warehouse) -> None:
    client = served(CLOSED)
    cookie = {"Cookie": sign_in(client, secret(warehouse)).headers["Set-Cookie"].partition(";")[0]}
    copy = client.another()
    assert copy.get("/api/matches", headers=cookie).status_code == 200
    answer = client.post("/sign-out")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")
    again = copy.get("/api/matches", headers=cookie)
    assert again.status_code == 401, "whoever has a copy of the cookie is out too"
    assert audit(warehouse) == [
        ("laptop", "sign-in", "sign out", "done"),
        ("laptop", "token", "sign in", "done"),
    ]


@pytest.mark.parametrize("scopes", [None, (Scope.SEND,)], ids=["unknown", "not for reading"])
def test_failed_sign_ins_are_reported_and_audited(
    served: Served, warehouse: Warehouse, scopes: tuple[Scope, ...] | None
) -> None:
    token = secret(warehouse, "laptop", *scopes) if scopes else "himalaya_<script>"
    client = served(CLOSED)
    answer = sign_in(client, token)
    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers
    assert 'role="alert"' in answer.text
    assert token not in answer.text
    assert audit(warehouse) == [("nobody", "nothing", "sign in", "refused")]


def test_token_guesses_are_limited(served: Served) -> None:
    client = served(CLOSED)
    found = [sign_in(client, f"himalaya_{number}").status_code for number in range(22)]
    assert found == [401] * 20 + [429] * 2


@pytest.mark.slow("another way to sign in")
@pytest.mark.parametrize(
    "goes_on",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", "/a\r\nSet-Cookie: a=b"],
)
def test_signing_in_leads_to_no_other_site(served: Served, warehouse: Warehouse, goes_on: str) -> None:
    assert sign_in(served(CLOSED), secret(warehouse), goes_on).headers["Location"] == "/"


@pytest.mark.parametrize(
    "path", ["/sign-in", "/sign-out", "/api/bookmarks", "/api/reports", "/api/logs", "/api/replay"]
)
def test_other_sites_cannot_use_the_cookie_of_a_browser(served: Served, warehouse: Warehouse, path: str) -> None:
    client = served(CLOSED)
    sign_in(client, secret(warehouse))
    for headers in (ELSEWHERE, {"Origin": "https://elsewhere.example"}, {"Sec-Fetch-Site": "same-site"}):
        assert client.post(path, headers=headers, json={}).status_code == 403
    assert client.get("/api/matches").status_code == 200


def test_a_page_offers_sign_in_if_that_gives_more_access(served: Served, warehouse: Warehouse) -> None:
    found = {}
    for policy, has_token in product((LOCAL, PUBLIC), (False, True)):
        if has_token:
            secret(warehouse, f"laptop-{policy.is_public}")
        found[policy.is_public, has_token] = "Sign in" in served(policy).get("/_dash-layout").text
    assert found == {(False, False): False, (False, True): False, (True, False): True, (True, True): True}


# --- Permissions for jobs


def test_a_report_is_for_the_user_who_requested_it(served: Served, warehouse: Warehouse) -> None:
    client = served(CLOSED)
    mary, john = (bearer(warehouse, name) for name in ("mary", "john"))
    operator = bearer(warehouse, "desk", Scope.OPERATE)
    asked = client.post("/api/reports", json={"format": "html", "filter": "players=9"}, headers=mary)
    assert asked.status_code == 202
    place = asked.headers["Location"]
    for method, path in (("GET", place), ("GET", f"{place}/file"), ("DELETE", place)):
        assert client.open(path, method=method, headers=john).status_code == 404
    assert client.get(place, headers=mary).status_code == client.get(place, headers=operator).status_code == 200
    jobs = client.services.reports.jobs
    job = jobs.find(place.rpartition("/")[2])
    assert job is not None
    assert client.delete(place, headers=operator).status_code == 200
    assert not any(job.owners.values())
    done = audit(warehouse)
    assert ("mary", "token", "make report", "done") in done
    assert ("desk", "token", "cancel report", "done") in done


def test_pages_are_shown_on_this_machine_though_the_app_store_cannot_be_read(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        client = everything(opened)
        store_file(opened.database).write_bytes(b"no database" * 999)
        assert client.get("/_dash-layout").status_code == 200


def test_imports_say_how_this_visitor_loads_logs(served: Served) -> None:
    here, elsewhere = (
        served(policy).post("/_dash-update-component", json=routed("/intake")).text for policy in (LOCAL, PUBLIC)
    )
    assert "himalaya ingest logs --db w.duckdb" in here
    assert "himalaya push logs --to http:" in elsewhere
    assert ["--role sender" in said for said in (here, elsewhere)] == [False, True]
    assert "Open a log" in here
