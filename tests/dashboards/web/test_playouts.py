"""Playouts over HTTP, of the last rounds or a decision: requested, stored and shown; reasons for refusal."""

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from himalaya_core.child import Child
from himalaya_core.tournament.runner import Plan, run_tournament
from ingest.jobs import MOST_WAITING, Busy
from ingest.load.reviews import Playouts, What
from ingest.opening import open_for_reading, open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.dashboards.client import Client, everything
from tests.dashboards.described import conforms
from tests.toy.installing import TOY, installed

MATCH = "toy.000001"
ADDRESS = f"/api/replay/{MATCH}/playouts"
PATIENCE = 120.0


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    folder = tmp_path_factory.mktemp("played-out")
    with installed(TOY):
        run_tournament(Plan("toy", "nim2", ("random", "random", "random"), 3), folder / "logs", 1)
        ingest([folder / "logs"], folder / "himalaya.duckdb", processes=0)
        with open_warehouse(folder / "himalaya.duckdb") as opened:
            yield opened


@pytest.fixture
def client(warehouse: Warehouse) -> Iterator[Client]:
    client = everything(warehouse, has_pages=False)
    yield client
    client.services.close()


def said(answer: Any) -> dict[str, Any]:
    """Return the JSON of a response, after checking that it conforms to the OpenAPI document."""
    kind = "ConfirmationOfDecision" if "confirmations" in answer.path else "PlayoutsOfMatch"
    assert conforms(answer.json, kind)
    found: dict[str, Any] = answer.json
    return found


def settled(client: Client, address: str) -> dict[str, Any]:
    """Wait until nothing is pending, and return the result."""
    end = time.monotonic() + PATIENCE
    while (found := said(client.get(address)))["state"] == "waiting":
        assert time.monotonic() < end
    return found


def test_playouts_run_on_request_are_kept_and_end_in_the_outcome(client: Client, warehouse: Warehouse) -> None:
    assert said(client.get(ADDRESS))["state"] == "not asked"
    asked = client.post(ADDRESS)
    assert (asked.status_code, said(asked)["state"]) == (202, "waiting")
    found = settled(client, ADDRESS)
    assert found["state"] == "done"
    assert found["samples"] >= 20
    assert 0 < found["error"] < 0.2
    assert sorted(found["chances"][-1]["chances"]) == [0, 0, 1]
    assert all(abs(sum(each["chances"]) - 1) < 1e-9 for each in found["chances"])
    with warehouse.reading() as connection:
        kept = "SELECT count(*), count(DISTINCT match_id) FROM fct_playouts"
        assert connection.execute(kept).fetchall() == [(3 * len(found["chances"]), 1)]
    again = client.post(ADDRESS)
    assert (again.status_code, said(again)) == (200, found)


@pytest.mark.slow("plays out")
def test_a_better_decision_is_played_out_on_request_and_kept(
    client: Client, warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last move may itself be the alternative of taking one, so the test makes no claim about the result."""
    with warehouse.reading() as connection:
        of_match = "match_id = (SELECT match_id FROM raw_matches WHERE match = $match)"
        last = f"SELECT seq, seat FROM stg_nim2_taken WHERE {of_match} ORDER BY seq DESC"
        seq, seat = connection.execute(last, {"match": MATCH}).fetchall()[0]
    decision = {"seq": seq, "shown": seq, "round": 0, "seat": seat, "cost": 0.5, "low": 0.4, "high": 0.6}
    decision |= {"action": {"type": "take", "count": 1}, "words": "taking 1", "values": {}, "decisions": 1, "then": []}
    review = gzip.compress(json.dumps({"model": {"sha256": "0" * 64}, "judgements": [decision]}).encode())
    monkeypatch.setattr("dashboards.web.playouts.packed_review", lambda *_: ("", review))
    address = f"/api/replay/{MATCH}/confirmations/{seq}"
    assert said(client.get(address))["state"] == "not asked"
    assert client.post(address).status_code == 202
    found = settled(client, address)
    assert (found["state"], found["is_confirmed"], found["gain"]) == ("done", False, None)
    assert found["text"] == "No better decision was confirmed."
    again = client.post(address)
    assert (again.status_code, said(again)) == (200, found)
    assert client.get(f"/api/replay/{MATCH}/confirmations/1").status_code == 404


def test_a_failed_playout_says_why_and_is_not_retried(warehouse: Warehouse, client: Client) -> None:
    with warehouse.writing() as connection:
        lines = "UPDATE raw_matches SET bytes_sha256 = repeat('0', 64) WHERE match = 'toy.000002'"
        connection.execute(lines)
    playouts, what = Playouts(warehouse), What("toy.000002", "0" * 64)
    try:
        playouts.ask(what, b"no log\n")
        end = time.monotonic() + PATIENCE
        while playouts.waits(what):
            assert time.monotonic() < end
        assert "line 1" in (playouts.reason(what) or "")
    finally:
        playouts.jobs.close()
    assert client.get("/api/replay/nobody/playouts").status_code == 404


def test_the_queue_is_limited_and_closing_it_ends_current_playouts(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingest.load.reviews.started", lambda: Child("tests.core.test_child:idle"))
    playouts = Playouts(warehouse)
    for number in range(MOST_WAITING + 1):
        playouts.ask(What(f"match-{number}", "0" * 64), b"")
        playouts.ask(What(f"match-{number}", "0" * 64), b"")
        while playouts.jobs.at_work()[1] == 0:
            time.sleep(0.01)
    assert playouts.jobs.at_work() == (MOST_WAITING, 1)
    with pytest.raises(Busy, match="try again later"):
        playouts.ask(What("one more", "0" * 64), b"")
    playouts.jobs.close()
    assert not playouts.waits(What("match-0", "0" * 64))


def test_a_read_only_database_shows_its_kept_playouts(warehouse: Warehouse, tmp_path: Path) -> None:
    database = Path(warehouse.database)
    with warehouse.writing() as connection:
        connection.execute("CHECKPOINT")
    with open_for_reading(copied(database, tmp_path / "copy.duckdb")) as opened:
        found = said(everything(opened, has_pages=False).post("/api/replay/toy.000000/playouts"))
    assert (found["state"], found["reason"]) == ("impossible", "the database can only be read")
