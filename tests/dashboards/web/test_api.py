"""The API: sending and fetching logs, refusals with reasons, and responses that match the OpenAPI document."""

import gzip
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dashboards.web.policy import Policy
from ingest.inbox.inbox import Limits
from ingest.inbox.receive import Intake
from ingest.opening import open_warehouse
from ingest.people.tokens import create_token, revoke_token
from ingest.warehouse import Warehouse
from tests.dashboards.client import Answer, Client, everything
from tests.dashboards.described import conforms

LOCAL = Policy()
PUBLIC = Policy(is_public=True, public_read=True)
LIMITS = Limits(body=400_000, lines=1_000)


@pytest.fixture
def log(logs: Path) -> bytes:
    return (logs / "other.jsonl").read_bytes()


@pytest.fixture
def sending(empty: Warehouse) -> Iterator[Callable[..., Client]]:
    """Return a function that creates clients of a server that accepts logs."""
    intakes: list[Intake] = []

    def make(limits: Limits = LIMITS, policy: Policy = LOCAL, *, takes_in: bool = True) -> Client:
        intake = Intake(empty, limits)
        client = everything(empty, intake, policy)
        if takes_in:
            intake.__enter__()
            intakes.append(intake)
        return client

    yield make
    for intake in intakes:
        intake.__exit__()


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server that stores uploads without loading them, for tests without tokens."""
    with open_warehouse(tmp_path_factory.mktemp("keeping") / "w.duckdb") as opened:
        yield everything(opened, Intake(opened, LIMITS), LOCAL)


def read(answer: Answer) -> Any:
    """Return the JSON of a response."""
    assert answer.mimetype == "application/json"
    return answer.json


def settled(client: Client, address: str) -> Any:
    """Wait until a body is loaded, and return its receipt."""
    while True:
        answer = client.get(address)
        assert answer.status_code == 200
        receipt = read(answer)
        assert receipt["problem"] is None
        if receipt["status"] == "taken":
            return receipt


def refusal(answer: Answer) -> tuple[int, str]:
    assert conforms(read(answer), "Refusal")
    return answer.status_code, read(answer)["message"]


def test_a_log_is_accepted_and_its_receipt_lists_the_matches_loaded(sending: Callable[..., Client], log: bytes) -> None:
    client = sending()
    answer = client.post("/api/logs?tournament=autumn", data=log)
    assert answer.status_code == 202
    receipt = sha256(log).hexdigest()
    assert (read(answer)["receipt"], read(answer)["status"], read(answer)["size"]) == (receipt, "accepted", len(log))
    assert answer.headers["Location"] == read(answer)["links"]["self"] == f"/api/logs/{receipt}"
    assert conforms(read(answer), "ReceivedLog")
    taken = settled(client, answer.headers["Location"])
    assert conforms(taken, "ReceivedLog")
    assert taken["summary"]["matches"] == 1
    page = read(client.get("/api/matches?stop=9&tournament=autumn"))
    assert page["rows"][0]["file"] == f"received {receipt[:12]}"


def test_the_same_log_again_gets_the_known_receipt(sending: Callable[..., Client], log: bytes) -> None:
    waiting = sending(takes_in=False)
    assert [read(waiting.post("/api/logs", data=log))["status"] for _ in range(2)] == ["accepted", "pending"]
    client = sending()
    settled(client, f"/api/logs/{sha256(log).hexdigest()}")
    answer = client.post("/api/logs", data=log)
    assert (answer.status_code, read(answer)["status"]) == (200, "taken")
    assert read(client.get("/api/matches"))["total"] == 1


def test_quarantined_matches_are_in_the_receipt(sending: Callable[..., Client]) -> None:
    client = sending()
    taken = settled(client, client.post("/api/logs", data=b"no log\n").headers["Location"])
    assert conforms(taken, "ReceivedLog")
    (problem,) = taken["summary"]["quarantined"]
    assert (problem["line"], problem["reason"], taken["summary"]["put_aside"]) == (1, "not_json", 1)
    assert problem["message"]


LARGE = b'{"n":1}\n' * 60_000
BODIES = {
    "empty": (b"", {}, 400, "body: empty; send the lines of a log"),
    "large": (LARGE, {}, 413, "body: expected at most 400000 bytes as sent, found 480000"),
    "lines": (b"{}\n" * 1_001, {}, 413, "body: expected at most 1000 lines, found more"),
    "bomb": (gzip.compress(bytes(64 << 20)), {}, 413, "body: expected at most 6400000 bytes without its compression"),
    "broken": (gzip.compress(b"{}\n")[:-3], {}, 422, "body: expected a complete gzip file, found its end missing"),
    "mislabelled": (b"{}\n", {"Content-Encoding": "gzip"}, 422, "body: not gzip data, as Content-Encoding claims"),
    "brotli": (b"{}\n", {"Content-Encoding": "br"}, 415, "Content-Encoding: expected gzip or zstd, found br"),
    "page": (b"{}\n", {"Content-Type": "text/html; charset=utf-8"}, 415, "text/html is not a log"),
    "picture": (b"{}\n", {"Content-Type": "image/png"}, 415, "image/png is not a log"),
    "form": (b"{}\n", {"Content-Type": "multipart/form-data; boundary=x"}, 415, "as the body itself"),
}


@pytest.mark.parametrize(("body", "headers", "status", "says"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_not_accepted_says_why(
    keeping: Client, body: bytes, headers: dict[str, str], status: int, says: str
) -> None:
    found, message = refusal(keeping.post("/api/logs", data=body, headers=headers))
    assert found == status
    assert says in message


def test_a_refusal_by_a_limit_names_it_and_what_was_found(keeping: Client) -> None:
    answer = keeping.post("/api/logs", data=LARGE)
    assert (read(answer)["limit"], read(answer)["found"]) == (400_000, 480_000)


@pytest.mark.parametrize(
    "type_",
    [
        *("application/jsonl", "application/x-ndjson", "application/json", "application/gzip", "application/zstd"),
        *("application/octet-stream", "text/plain", "application/x-www-form-urlencoded", ""),
    ],
)
def test_the_client_s_content_type_for_a_log_does_not_matter(keeping: Client, type_: str) -> None:
    answer = keeping.post("/api/logs", data=gzip.compress(b"{}\n"), headers={"Content-Type": type_})
    assert answer.status_code == 202


def test_a_body_of_undeclared_length_ends_at_the_limit_too(keeping: Client) -> None:
    answer = keeping.post("/api/logs", data=iter([LARGE]))
    assert refusal(answer)[0] == 413


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 58, "a%0a"])
def test_a_tournament_needs_a_valid_name(keeping: Client, name: str) -> None:
    status, message = refusal(keeping.post(f"/api/logs?tournament={name}", data=b"{}\n"))
    assert (status, message[:42]) == (400, "tournament: expected a text that matches ^")


# Permissions for sending logs


def token(warehouse: Warehouse, name: str = "laptop") -> dict[str, str]:
    return {"Authorization": f"Bearer {create_token(warehouse.app, name)}"}


def test_a_token_is_needed_if_one_is_required(sending: Callable[..., Client], empty: Warehouse) -> None:
    headers = token(empty)
    assert sending(takes_in=False).post("/api/logs", data=b"{}\n").status_code == 202
    client = sending(policy=Policy(require_token=True), takes_in=False)
    answer = client.post("/api/logs", data=b"{}\n")
    status, message = refusal(answer)
    expected = "this needs a token, since the server was started with --require-token; send one in a header"
    assert (status, message[: len(expected)]) == (401, expected)
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="himalaya"'
    assert client.post("/api/logs", data=b"{}\n", headers=headers).status_code == 202


@pytest.mark.parametrize("header", ["Bearer himalaya_no", "Bearer \xe9", "Basic aGk6aG8=", "himalaya_no", "Bearer "])
def test_an_invalid_token_opens_nothing(sending: Callable[..., Client], empty: Warehouse, header: str) -> None:
    token(empty)
    client = sending(policy=Policy(require_token=True), takes_in=False)
    answer = client.post("/api/logs", data=b"{}\n", headers={"Authorization": header})
    assert refusal(answer)[0] == 401


def test_a_revoked_token_opens_nothing(sending: Callable[..., Client], empty: Warehouse) -> None:
    client, headers = sending(takes_in=False), token(empty)
    assert client.post("/api/logs", data=b"{}\n", headers=headers).status_code == 202
    revoke_token(empty.app, "laptop")
    assert refusal(client.post("/api/logs", data=b"{}\n", headers=headers))[0] == 401


def test_a_server_for_other_machines_always_needs_a_token(sending: Callable[..., Client], empty: Warehouse) -> None:
    client = sending(policy=PUBLIC, takes_in=False)
    status, message = refusal(client.post("/api/logs", data=b"{}\n"))
    assert status == 401
    assert "himalaya token create" in message
    headers = token(empty) | {"Host": "logs.example"}
    assert client.post("/api/logs", data=b"{}\n", headers=headers).status_code == 202


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Host"])
def test_proxied_requests_need_a_token(keeping: Client, header: str) -> None:
    answer = keeping.post("/api/logs", data=b"{}\n", headers={header: "192.0.2.1"})
    assert refusal(answer)[0] == 401


STRANGERS = {
    "page of another site": {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
    "page of another port": {"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"},
    "page that hides": {"Origin": "null"},
    "a form, without Origin": {"Sec-Fetch-Site": "cross-site"},
    "a name that was turned to this machine": {"Host": "evil.example", "Origin": "http://evil.example"},
    "a name like this machine's": {"Host": "localhost.evil.example"},
    "an address of this machine for others": {"Host": "192.168.0.7:8050"},
}


@pytest.mark.parametrize("headers", STRANGERS.values(), ids=STRANGERS)
def test_no_other_site_sends_logs_through_a_browser(
    sending: Callable[..., Client], empty: Warehouse, headers: dict[str, str]
) -> None:
    client = sending(takes_in=False)
    status, message = refusal(client.post("/api/logs", data=b"{}\n", headers=headers))
    assert status == 403
    assert "token" in message
    assert client.post("/api/logs", data=b"{}\n", headers=headers | token(empty)).status_code == 202


@pytest.mark.parametrize("host", ["localhost:8050", "127.0.0.1:8050", "127.8.0.1", "[::1]:8050", "app.localhost"])
def test_a_page_of_this_server_may_send(keeping: Client, host: str) -> None:
    headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert keeping.post("/api/logs", data=b"{}\n", headers=headers).status_code == 202


READ = ("/", "/api/matches", "/csv/matches.csv", "/assets/favicon.svg", "/_dash-layout", "/api/openapi.json")
ELSEWHERE = {"Host": "evil.example"}
THROUGH_A_PROXY = {"Host": "logs.example", "X-Forwarded-For": "192.0.2.1", "Sec-Fetch-Site": "none"}


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example:8050", "192.168.0.7:8050", "[::1", "[::2]"])
def test_no_site_reads_by_having_its_name_point_to_this_machine(keeping: Client, host: str) -> None:
    forged = {"X-Forwarded-For": "192.0.2.1"}  # a page's script can also send this header
    for path, headers in product(READ, ({"Host": host}, {"Host": host} | forged)):
        answer = keeping.get(path, headers=headers)
        assert answer.status_code == 403
        assert "this server answers for this machine only" in answer.text
    assert keeping.post("/_dash-update-component", headers={"Host": host}, json={}).status_code == 403


@pytest.mark.slow("another way to sign in")
@pytest.mark.parametrize("host", ["localhost:8050", "127.0.0.1:8050", "127.0.0.1", "[::1]:8050", "LOCALHOST", "desk"])
def test_requests_addressed_to_this_machine_can_read(empty: Warehouse, host: str) -> None:
    client = everything(empty, policy=Policy(host="desk"))
    assert {client.get(path, headers={"Host": host}).status_code for path in READ} == {200}


def test_others_read_through_a_proxy_with_a_token_or_from_a_public_server(
    sending: Callable[..., Client], empty: Warehouse
) -> None:
    client = sending(takes_in=False)
    assert client.get("/", headers=THROUGH_A_PROXY).status_code == 401
    assert client.get("/", headers=THROUGH_A_PROXY | token(empty, "desk")).status_code == 200
    through = sending(policy=Policy(public_read=True), takes_in=False)
    assert through.get("/", headers=THROUGH_A_PROXY).status_code == 200
    assert client.get("/", headers=ELSEWHERE | token(empty)).status_code == 200
    assert client.get("/", headers=ELSEWHERE | {"Authorization": "Bearer himalaya_no"}).status_code == 403
    assert sending(policy=PUBLIC, takes_in=False).get("/", headers=ELSEWHERE).status_code == 200


def test_bytes_per_sender_and_minute_are_limited_over_all_bodies(
    sending: Callable[..., Client], empty: Warehouse
) -> None:
    client = sending(Limits(bytes_per_minute=300), takes_in=False)
    assert {client.post("/api/logs", data=b"%d\n" % number).status_code for number in range(70)} == {202}
    assert client.post("/api/logs", data=b"{}\n" * 200).status_code == 202, (
        "a body is let in as long as anything is left"
    )
    answer = client.post("/api/logs", data=b"{}\n")
    status, message = refusal(answer)
    assert (status, read(answer)["limit"]) == (429, 300)
    assert "at most 300 a minute are allowed to one sender" in message
    assert 1 <= int(answer.headers["Retry-After"]) <= 120
    laptop, desk = token(empty), token(empty, "desk")
    sent = [(b"{}\n" * 300, laptop), (b"{}\n", laptop), (b"{}\n", desk)]
    assert [client.post("/api/logs", data=body, headers=who).status_code for body, who in sent] == [202, 429, 202]


def test_a_sender_to_a_full_queue_gets_a_retry_time(sending: Callable[..., Client]) -> None:
    client = sending(Limits(waiting_bodies=2), takes_in=False)
    assert [client.post("/api/logs", data=body).status_code for body in (b"1\n", b"2\n")] == [202, 202]
    answer = client.post("/api/logs", data=b"3\n")
    status, message = refusal(answer)
    assert (status, read(answer)["limit"], read(answer)["found"]) == (503, 2, 2)
    assert message == "the server is busy: 2 bodies are waiting to be loaded, the limit is 2; try again in 10 s"
    assert answer.headers["Retry-After"] == "10"


# Fetching logs


def test_the_log_of_a_match_comes_as_it_was(client: Client, log: bytes) -> None:
    answer = client.get("/api/matches/other")
    assert answer.data == log
    assert answer.headers["Content-Disposition"] == 'attachment; filename="other.jsonl"'
    assert answer.mimetype == "application/jsonl"


def test_a_cached_log_is_not_sent_again(client: Client, log: bytes) -> None:
    tag = client.get("/api/matches/other").headers["ETag"]
    assert tag == f'"{sha256(log).hexdigest()}"'
    answer = client.get("/api/matches/other", headers={"If-None-Match": tag})
    assert (answer.status_code, answer.data) == (304, b"")
    assert client.get("/api/matches/other", headers={"If-None-Match": '"another"'}).status_code == 200


@pytest.mark.parametrize("name", ["nobody", "..%2f..%2fetc%2fpasswd", "a%0d%0ax: y", "%00"])
def test_a_match_that_is_not_there(client: Client, name: str) -> None:
    assert refusal(client.get(f"/api/matches/{name}"))[0] == 404


@pytest.mark.parametrize("name", ["0" * 64, "x", "..%2fw.duckdb", "A" * 64])
def test_a_receipt_that_was_never_given(keeping: Client, name: str) -> None:
    assert refusal(keeping.get(f"/api/logs/{name}"))[0] == 404


def test_an_unknown_address_of_the_api_answers_in_json(keeping: Client) -> None:
    assert refusal(keeping.get("/api/nothing"))[0] == 404
    assert refusal(keeping.delete("/api/matches"))[0] == 405
    assert keeping.get("/analysis").status_code == 200


def test_an_unreadable_database_is_reported(empty: Warehouse) -> None:
    client = everything(empty)
    empty.close()
    assert refusal(client.get("/api/matches/other"))[0] == 503


def test_answers_are_json_that_nothing_can_be_run_from(keeping: Client) -> None:
    for answer in (keeping.post("/api/logs", data=b"<script>"), keeping.get("/api/matches/<script>")):
        assert answer.mimetype == "application/json"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
