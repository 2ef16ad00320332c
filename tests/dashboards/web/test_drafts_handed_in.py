"""A submitted recording becomes a log like any other: unfinished, continued, and submitted again after changes."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboards.web import drafts
from dashboards.web.policy import Policy
from ingest.inbox.receive import Intake, Status
from ingest.maintenance.forget import forget
from ingest.opening import open_warehouse
from ingest.people.tokens import Scope, create_token
from ingest.warehouse import Warehouse
from tests.dashboards.client import Client
from tests.dashboards.web.at_table import PATH, Recorder, entered_in, served, set_up

GAME = "climbers"


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


@pytest.fixture
def client(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    monkeypatch.setattr(drafts, "MOVES", 1_000_000)
    with Intake(warehouse) as intake:
        yield served(warehouse, intake)


def handed_in(table: Recorder) -> Any:
    """Submit a match, wait until it is loaded, and return the response."""
    told = table.post("/hand-in", {"expects": table.state["changes"]})["handed_in"]
    while table.client.get(f"/api/logs/{told['receipt']}").json["status"] != Status.TAKEN:  # type: ignore[index]
        time.sleep(0.02)
    return told


def matches(warehouse: Warehouse) -> list[tuple[str, str, int]]:
    """Return all matches with their status and number of lines."""
    with warehouse.reading() as connection:
        sql = "SELECT match, status, events FROM dim_matches ORDER BY match_id"
        return connection.execute(sql).fetchall()


def test_a_recording_submitted_unfinished_is_updated_and_finished(client: Client, warehouse: Warehouse) -> None:
    table = Recorder(client, set_up(GAME, title="Sunday club"))
    table.enter_all(GAME, 0, 9)
    unfinished = handed_in(table)
    name = f"Sunday-club-{table.number[:8]}"
    assert (unfinished["match"], unfinished["entries"]) == (name, 9)
    assert matches(warehouse) == [(name, "unfinished", len(table.state["scene"]["frames"]))]
    changes = table.state["changes"]
    assert handed_in(table) == unfinished
    assert table.state["changes"] == changes
    table.enter_all(GAME, 9, len(entered_in(GAME)))
    finished = handed_in(table)
    assert finished["match"] == table.state["match"] == name
    assert matches(warehouse) == [(finished["match"], "finished", len(table.state["scene"]["frames"]))]
    listed = client.get(PATH).json["records"][0]  # type: ignore[index]
    assert (listed["over"], listed["handed_in"]) == (True, finished)


@pytest.mark.slow("handed in again")
def test_a_recording_changed_since_is_another_match(client: Client, warehouse: Warehouse) -> None:
    table = Recorder(client, set_up(GAME))
    table.enter_all(GAME, 0, 9)
    first = handed_in(table)
    table.undo(8)
    assert table.state["match"] == f"{first['match']}-2"
    table.enter_all(GAME, 8, 10)
    second = handed_in(table)
    assert (second["match"], second["entries"]) == (f"{first['match']}-2", 10)
    table.enter_all(GAME, 10, 11)
    assert handed_in(table)["match"] == second["match"]
    table.undo(3)
    third = handed_in(table)
    assert (third["match"], third["entries"]) == (f"{first['match']}-3", 3)
    assert [match for match, _, _ in matches(warehouse)] == [first["match"], second["match"], third["match"]]


@pytest.mark.slow("forgotten, as in test_forget")
def test_a_recording_is_forgotten_with_its_submitted_match(client: Client, warehouse: Warehouse) -> None:
    table, other = Recorder(client, set_up(GAME)), Recorder(client, set_up(GAME))
    for each in (table, other):
        each.enter_all(GAME, 0, 4)
    match = handed_in(table)["match"]
    handed_in(other)
    found = forget(warehouse, {"matches": [match]}, lambda _: None)
    assert found["drafts"] == 1
    assert (table.get().status_code, other.get().status_code) == (404, 200)
    with warehouse.app.reading() as connection:
        assert connection.execute("SELECT DISTINCT draft FROM draft_changes").fetchall() == [(other.number,)]


@pytest.mark.slow("forgotten, as in test_forget")
def test_a_recording_in_use_loses_the_name_of_a_forgotten_person(client: Client, warehouse: Warehouse) -> None:
    table = Recorder(client, set_up(GAME, title="At Zoe's"))
    forget(warehouse, {"players": ["Zoe"]}, lambda _: None)
    table.enter_all(GAME, 0, 4)
    assert handed_in(table)["match"].startswith("At-forgotten-s")


def test_a_user_signed_in_with_a_sending_token_can_submit(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, Intake(warehouse) as intake:
        browsers = []
        for name, scopes in (("full", list(Scope)), ("writer", [Scope.READ, Scope.WRITE])):
            token = create_token(warehouse.app, name, scopes)
            browser = served(warehouse, intake, Policy(is_public=True))
            assert browser.post("/sign-in", data={"token": token}).status_code == 303
            browsers.append(browser)
        full, writer = browsers
        table = Recorder(full, set_up("summit"))
        table.post("/actions", {"expects": 0, "draw": True})
        other = Recorder(writer, number=table.number)
        assert "this needs the role sender; writer has" in other.post("/hand-in", {"expects": 1}, 403)["message"]
        assert table.post("/hand-in", {"expects": 1})["handed_in"]["entries"] == 1
        assert "send the token" in full.post("/api/logs", data=b"{}").json["message"]  # type: ignore[index]
