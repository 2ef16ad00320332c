"""Monitoring a server: health, readiness, metrics for Prometheus, and a log without secrets."""

import io
import json
import logging
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from dashboards.web import monitoring
from dashboards.web.access import GONE
from dashboards.web.middleware import ReadersFirst
from dashboards.web.monitoring import HEALTH, METRICS, READY, Late, SharedQuery
from dashboards.web.policy import Policy
from dashboards.web.request_log import LogKind, access, log_to
from ingest.inbox.receive import Intake
from ingest.maintenance.backup import back_up
from ingest.opening import open_for_reading
from ingest.people.tokens import create_token
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.dashboards.client import Client, everything
from tests.ingest.helping import live


def served(warehouse: Warehouse, intake: Intake, *, is_public: bool = False) -> Client:
    """Return a client of a server without pages, which take longest to create."""
    return everything(warehouse, intake, Policy(is_public=is_public), has_pages=False)


@pytest.fixture
def intake(empty: Warehouse) -> Iterator[Intake]:
    with Intake(empty) as intake:
        yield intake


@pytest.fixture
def outside(empty: Warehouse, intake: Intake) -> Client:
    return served(empty, intake)


def numbers(client: Client) -> dict[str, float]:
    """Return the metric samples by name and labels."""
    answer = client.get("/metrics")
    assert answer.status_code == 200, answer.text
    return {
        "{}{}".format(sample.name, "".join(f" {key}={value}" for key, value in sorted(sample.labels.items()))): (
            sample.value
        )
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


# --- Health and readiness


def test_health_makes_no_query(empty: Warehouse, intake: Intake) -> None:
    client = served(empty, intake, is_public=True)
    with empty.put_away():  # all readers would have to wait
        answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_server_that_can_serve_is_ready(outside: Client) -> None:
    answer = outside.get("/readyz")
    every = dict.fromkeys(("warehouse", "writable", "disk", "intake"), "ok")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "checks": every})
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_warehouse_that_keeps_waiting_is_not_ready(
    outside: Client, empty: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SharedQuery.answer, "__defaults__", (0.01,))
    with empty.put_away():
        answer = outside.get("/readyz")
    assert (answer.status_code, answer.json and answer.json["failed"]) == (503, ["warehouse"])


def test_a_full_disk_is_not_ready(outside: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring.shutil, "disk_usage", lambda _: SimpleNamespace(free=1_000))
    answer = outside.get("/readyz")
    assert answer.status_code == 503
    assert answer.json
    assert answer.json["failed"] == ["disk"]
    assert answer.json["checks"]["disk"] == "1000 bytes are free; the largest body needs 268435456"


def test_a_disk_gone_read_only_is_not_ready(outside: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitoring.os, "access", lambda *_: False)
    answer = outside.get("/readyz")
    assert (answer.status_code, answer.json and answer.json["failed"]) == (503, ["writable"])


def test_an_intake_that_has_ended_is_not_ready(outside: Client, intake: Intake) -> None:
    intake.__exit__()
    answer = outside.get("/readyz")
    assert (answer.status_code, answer.json and answer.json["failed"]) == (503, ["intake"])


def test_a_read_only_server_needs_no_write_access(database: Path, tmp_path: Path) -> None:
    with open_for_reading(copied(database, tmp_path / "copy.duckdb")) as warehouse:
        answer = served(warehouse, Intake(warehouse)).get("/readyz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "checks": {"warehouse": "ok"}})


def test_concurrent_health_requests_share_one_answer() -> None:
    may, asked = threading.Event(), list[int]()
    question = SharedQuery(lambda: (asked.append(1), may.wait(60)))
    for _ in range(3):
        with pytest.raises(Late):
            question.answer(0.001)
    may.set()
    question.answer(60)
    assert len(asked) == 1


def test_work_does_not_yield_to_watchers(empty: Warehouse) -> None:
    seen = list[bool]()

    async def look(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(empty.backpressure.has_readers)
        await Response()(scope, receive, send)

    async def from_client(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, GONE: threading.Event()}, receive, send)

    work = (HEALTH, READY, METRICS)
    app, client = ReadersFirst(look, empty, work, "/"), TestClient(from_client)
    for path in (*work, "/api/matches/a"):
        client.get(path)
    assert seen == [False, False, False, True]


def test_work_does_not_yield_to_slow_clients(empty: Warehouse) -> None:
    seen = list[int]()

    async def answer(_: Scope, __: Receive, send: Send) -> None:
        seen.append(empty.backpressure._inside)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        seen.append(empty.backpressure._inside)
        await send({"type": "http.response.body", "body": b"all of it"})

    async def from_client(scope: Scope, receive: Receive, send: Send) -> None:
        await ReadersFirst(answer, empty, (), "/")({**scope, GONE: threading.Event()}, receive, send)

    assert TestClient(from_client).get("/").content == b"all of it"
    assert seen == [1, 0]


# --- Metrics


def test_waiting_and_loaded_logs_are_counted(empty: Warehouse) -> None:
    stopped = Intake(empty)
    client = served(empty, stopped)
    body = b"".join(live("a"))
    stopped.receive(io.BytesIO(body))
    found = numbers(client)
    assert found["himalaya_inbox_bodies"] == 1
    assert found["himalaya_inbox_bytes"] == len(body)
    assert 0 <= found["himalaya_inbox_oldest_age_seconds"] < 3_600
    assert found["himalaya_inbox_bodies_loaded_total"] == 0
    assert found["himalaya_database_up"] == 1
    assert found["himalaya_quarantine_open"] == 0
    assert found["himalaya_database_bytes"] == empty.database.stat().st_size
    assert found["himalaya_disk_free_bytes"] > 0
    assert {found[f"himalaya_jobs kind=report state={state}"] for state in ("waiting", "running")} == {0}


def test_ingested_logs_are_counted(intake: Intake, outside: Client) -> None:
    receipts = [intake.receive(io.BytesIO(body)) for body in (b"".join(live("a")), b"no log\n")]
    while any((found := intake.receipt(each.receipt)) is None or found.summary is None for each in receipts):
        threading.Event().wait(0.01)
    while intake.bodies_loaded < len(receipts):  # the server counts a body once its receipt is written
        threading.Event().wait(0.01)
    found = numbers(outside)
    assert found["himalaya_matches_loaded_total source=received"] == 1
    assert found["himalaya_quarantine_open"] == 1
    assert found["himalaya_inbox_bodies_loaded_total"] == 2


def test_waiting_background_work_is_counted(warehouse: Warehouse) -> None:
    found = numbers(served(warehouse, Intake(warehouse)))
    assert (found["himalaya_matches_waiting for=judging"], found["himalaya_matches_waiting for=review"]) == (
        0,
        4,
    )


def test_a_backup_is_noted(outside: Client, empty: Warehouse, tmp_path: Path) -> None:
    assert "himalaya_last_backup_timestamp_seconds" not in numbers(outside)
    done = back_up(empty, {"file": str(tmp_path / "copy.duckdb")}, lambda _: None)
    found, note = numbers(outside), Path(f"{empty.database}.backup.json")
    noted = json.loads(note.read_text())
    assert found["himalaya_last_backup_timestamp_seconds"] == datetime.fromisoformat(noted["at"]).timestamp()
    assert found["himalaya_last_backup_bytes"] == done["size"]
    assert note.stat().st_mode & 0o777 == 0o600


def test_requests_are_counted_by_route(outside: Client) -> None:
    for name in ("a", "b"):
        outside.get(f"/api/matches/{name}")
    outside.open("/healthz", method="BREW")
    found = numbers(outside)
    assert found["himalaya_http_requests_total method=GET route=/api/matches/{match} status=404"] == 2
    assert found["himalaya_http_requests_total method=other route=none status=405"] == 1
    assert found["himalaya_http_request_duration_seconds_count method=GET route=/api/matches/{match}"] == 2


def test_an_unknown_address_has_no_route(outside: Client) -> None:
    outside.get("/api/nothing")
    assert numbers(outside)["himalaya_http_requests_total method=GET route=none status=404"] == 1


def test_a_scrape_waits_for_no_warehouse(outside: Client, empty: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedQuery.answer, "__defaults__", (0.01,))
    with empty.put_away():
        found = numbers(outside)
    assert found["himalaya_database_up"] == 0
    assert "himalaya_quarantine_open" not in found
    assert found["himalaya_inbox_bodies"] == 0


@pytest.mark.parametrize(
    "how",
    [
        {"via_proxy": True},
        {"headers": {"Host": "logs.example"}},
        {"headers": {"X-Forwarded-For": "192.0.2.7"}},
    ],
    ids=["another machine", "another host", "a proxy"],
)
def test_numbers_are_for_this_machine(empty: Warehouse, intake: Intake, how: dict[str, Any]) -> None:
    client = served(empty, intake, is_public=True)
    answer = client.get("/metrics", **how)
    assert (answer.status_code, "through a proxy counts as one from elsewhere" in answer.text) == (403, True)
    assert client.get("/healthz", **how).status_code == 200


def test_two_apps_count_apart(empty: Warehouse, intake: Intake) -> None:
    first, second = (served(empty, intake) for _ in range(2))
    first.get("/api/matches/a")
    assert not [name for name in numbers(second) if "route=/api/matches" in name]


# --- The server's log


@pytest.fixture
def written(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = log_to(getattr(request, "param", LogKind.JSON), stream)
    assert handler
    yield stream
    logging.getLogger().removeHandler(handler)
    logging.captureWarnings(capture=False)
    access.setLevel(logging.NOTSET)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_request_is_a_line_without_secrets(outside: Client, written: io.StringIO) -> None:
    secret = "himalaya_SECRET"
    headers = {"Authorization": f"Bearer {secret}", "Cookie": f"session={secret}"}
    answer = outside.get(f"/api/matches/{secret}?token={secret}", headers=headers)
    (line,) = lines(written)
    assert "SECRET" not in written.getvalue()
    assert line.pop("milliseconds") >= 0
    assert datetime.fromisoformat(line.pop("time")).utcoffset() is not None
    assert line == {
        "level": "info",
        "request_id": answer.headers["X-Request-Id"],
        "client": "127.0.0.1",
        "method": "GET",
        "route": "/api/matches/{match}",
        "path": "/api/matches/…",
        "status": 401,
        "bytes": len(answer.data),
    }


def test_the_id_of_a_report_is_not_written(outside: Client, written: io.StringIO) -> None:
    outside.get("/api/reports/known-to-who-asked/file")
    (line,) = lines(written)
    assert line["path"] == "/api/reports/…/file"


def test_the_sender_has_a_name(empty: Warehouse, intake: Intake, written: io.StringIO) -> None:
    secret = create_token(empty.app, "laptop")
    server = served(empty, intake)
    server.get("/healthz", headers={"Authorization": f"Bearer {secret}"})
    server.get("/healthz")
    assert [line.get("sender") for line in lines(written)] == ["laptop", None]
    assert secret not in written.getvalue()


@pytest.mark.parametrize(
    ("given", "from_proxy", "is_taken"),
    [
        ("from-the-proxy-1", True, True),
        ("from-anybody-1", False, False),
        ("two\\nlines", True, False),
        ("short", True, False),
        ("x" * 65, True, False),
    ],
)
def test_only_a_trusted_proxy_gives_an_id(outside: Client, given: str, from_proxy: bool, is_taken: bool) -> None:
    answer = outside.get("/healthz", headers={"X-Request-Id": given}, via_proxy=from_proxy)
    assert (answer.headers["X-Request-Id"] == given) is is_taken


def test_errors_carry_the_id_of_their_request(empty: Warehouse, intake: Intake, written: io.StringIO) -> None:
    client = served(empty, intake)

    @client.web.get("/broken")
    def broken() -> str:
        raise ValueError("broken on purpose")

    answer = client.get("/broken")
    problem, line = lines(written)
    assert answer.status_code == line["status"] == 500
    assert problem["request_id"] == line["request_id"]
    assert problem["level"] == "error"
    assert "ValueError: broken on purpose" in problem["exception"]


@pytest.mark.parametrize("written", [LogKind.TEXT], indirect=True)
def test_a_name_cannot_make_a_second_line(outside: Client, written: io.StringIO) -> None:
    outside.get("/api/matches/a%0A2026-11-25T00:00:00Z%20forged")
    (line,) = written.getvalue().splitlines()
    assert "/api/matches/a\\n2026" in line


def test_without_a_log_a_request_writes_nothing(outside: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert log_to(LogKind.NONE) is None
    outside.get("/api/matches/a")
    assert not caplog.records
