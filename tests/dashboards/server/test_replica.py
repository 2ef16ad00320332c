"""A backup or a lake served as a replica: every page, a notice with its date, read-only, updates."""

import importlib
import json
import signal
import subprocess
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from dash import page_registry

from dashboards.catalog.notable import worth_seeing
from dashboards.queries.reader import Reader
from dashboards.server import ServeError, opened
from ingest.maintenance.backup import back_up
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.replica import Replica
from ingest.warehouse import Warehouse
from tests.core.cli.commands import Command
from tests.dashboards.client import Client, everything
from tests.dashboards.report.fewer import fewer_figures
from tests.forked import HIMALAYA, Popen


@pytest.fixture(scope="module")
def lake(database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("of-lake") / "lake"
    run_operation(database, "lake", {"folder": str(folder)})
    return folder


@pytest.fixture(
    scope="module", params=["backup", pytest.param("lake", marks=pytest.mark.slow("another kind of replica"))]
)
def replica(
    database: Path, lake: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Replica]:
    backup = tmp_path_factory.mktemp("replica") / "backup.duckdb"
    run_operation(database, "backup", {"file": str(backup)})
    with opened(lake if request.param == "lake" else backup, is_replica=True) as found:
        assert isinstance(found, Replica)
        yield found


@pytest.fixture
def client(replica: Replica) -> Client:
    return everything(replica)


@pytest.mark.slow("every page of a replica")
def test_every_page_exists_and_shows_the_date_of_its_data(client: Client, replica: Replica) -> None:
    paths = [entry["path"] for name, entry in page_registry.items() if not name.endswith("_404")]
    assert {client.get(path).status_code for path in paths} == {200}
    shell = json.dumps(client.get("/_dash-layout").json)
    what = "lake" if replica.of_lake else "backup"
    assert f"A replica, read-only: the {what} of " in shell
    assert ("Runs, quarantine, bookmarks and studies are not taken from a lake" in shell) == replica.of_lake
    assert f"{replica.written_at:%Y-%m-%d %H:%M} UTC" in shell


def test_a_server_that_is_no_replica_does_not_mention_replicas(app_of_a_warehouse: Client) -> None:
    assert "replica" not in app_of_a_warehouse.get("/_dash-layout").text


@pytest.fixture
def app_of_a_warehouse(warehouse: Warehouse) -> Client:
    return everything(warehouse)


@pytest.mark.slow("a replica in use")
@pytest.mark.usefixtures("reviews_once")
def test_matches_are_replayed_reviewed_and_counted(client: Client) -> None:
    for address in (
        "/api/replay/three.000000",
        "/api/replay/three.000000/review",
        "/api/replay/three.000000/origin",
        "/api/figures/win-share",
        "/api/tables/dim_seats.parquet",
        "/csv/matches.csv",
    ):
        assert client.get(address).status_code == 200, address


def test_nothing_can_be_sent_or_noted(client: Client) -> None:
    assert client.post("/api/logs", data=b"{}\n").status_code == HTTPStatus.FORBIDDEN
    bookmark = {"match": "four.000003", "label": "look"}
    assert client.post("/api/bookmarks", json=bookmark).status_code == HTTPStatus.SERVICE_UNAVAILABLE
    said = client.post("/api/replay/four.000003/playouts").json
    assert (said["state"], said["reason"]) == ("impossible", "the database can only be read")


def test_the_origin_of_a_match_is_shown_except_for_the_day(client: Client, replica: Replica) -> None:
    origin = client.get("/api/replay/four.000003/origin").json
    assert (origin["tournament"], origin["came_in"] is None) == ("four", replica.of_lake)
    assert "quarantine" not in origin["checked"]


def test_the_home_page_has_the_latest_matches(replica: Replica) -> None:
    reasons = [worth.told for worth in worth_seeing(Reader(replica))]
    assert any("one of the last loaded" in why for why in reasons) == replica.of_lake
    assert any("loaded on 20" in why for why in reasons) != replica.of_lake


def test_sections_without_data_in_a_lake_are_left_out(replica: Replica) -> None:
    everything(replica)
    home, intake = (importlib.import_module(f"dashboards.pages.{name}") for name in ("home", "imports"))
    reader = Reader(replica)
    said = f"{intake.lead(reader)} {intake.sections(reader)}"
    assert ("quarantined" in said, "A lake has no runs and no quarantine" in said) == (
        not replica.of_lake,
        replica.of_lake,
    )
    assert bool(home._intake(reader)) != replica.of_lake


@pytest.mark.slow("another kind of replica")
def test_a_report_and_an_export_of_a_lake_are_those_of_its_warehouse(
    himalaya: Command, database: Path, lake: Path, tmp_path: Path
) -> None:
    for number, source in enumerate((database, lake)):
        for command in (
            ["report", "--tournament", "four", "--out", str(tmp_path / f"{number}.html")],
            ["export", "dim_seats", "--out", str(tmp_path / f"{number}.csv")],
            ["export", "win-share", "--out", str(tmp_path / f"{number}.json")],
            ["replay", "four.000003", "--out", str(tmp_path / f"{number}.svg")],
        ):
            with fewer_figures("goods"):
                done = himalaya(*command, "--db", str(source))
            assert done.code == 0, done.err
    for ending in ("html", "csv", "json", "svg"):
        first, second = (tmp_path / f"{number}.{ending}" for number in range(2))
        assert first.read_bytes() == second.read_bytes(), ending


def test_a_file_that_is_no_backup_is_not_served(tmp_path: Path) -> None:
    with pytest.raises(ServeError, match="a folder, but not a lake"):
        opened(tmp_path, is_replica=True)
    with pytest.raises(ServeError, match="no such backup"):
        opened(tmp_path / "nothing.duckdb", is_replica=True)


def test_a_replica_follows_no_logs(himalaya: Command, lake: Path, tmp_path: Path) -> None:
    for said in (("--replica", str(tmp_path / "b.duckdb")), ("--db", str(lake))):
        done = himalaya("serve", *said, "--watch", str(tmp_path))
        assert done.code != 0
        assert "a replica is only read" in done.err


@pytest.fixture
def himalaya(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.mark.slow("a replica in use")
def test_a_newer_backup_is_served_without_a_restart(logs: Path, tmp_path: Path) -> None:
    ingest([logs / "other.jsonl"], tmp_path / "w.duckdb", processes=0)
    write_backup(tmp_path)
    command = [*HIMALAYA, "serve", "--replica", str(tmp_path / "backup.duckdb"), "--port", "0"]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3].rstrip("/")
            assert total(address) == 1
            before = (tmp_path / "backup.duckdb").read_bytes()
            with pytest.raises(HTTPError, match="403"):
                urlopen(Request(f"{address}/api/logs", b"{}\n", method="POST"))
            assert (tmp_path / "backup.duckdb").read_bytes() == before
            ingest([logs / "cut-off.jsonl"], tmp_path / "w.duckdb", processes=0)
            write_backup(tmp_path)
            assert total(address) == 2
            theirs = {"backup.duckdb", "w.app.sqlite", "w.duckdb", "w.duckdb.backup.json"}
            assert {file.name for file in tmp_path.iterdir()} == theirs
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=60) == 0


@pytest.mark.slow("another kind of replica")
@pytest.mark.parametrize("said", ["--replica", "--db"])
def test_a_lake_is_served(logs: Path, tmp_path: Path, said: str) -> None:
    ingest([logs / "other.jsonl"], tmp_path / "w.duckdb", processes=0)
    run_operation(tmp_path / "w.duckdb", "lake", {"folder": str(tmp_path / "lake")})
    command = [*HIMALAYA, "serve", said, str(tmp_path / "lake"), "--port", "0"]
    with Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3].rstrip("/")
            assert total(address) == 1
            with pytest.raises(HTTPError, match="403"):
                urlopen(Request(f"{address}/api/logs", b"{}\n", method="POST"))
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=60) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"w.app.sqlite", "w.duckdb", "lake", "lake.duckdb"}


def write_backup(folder: Path) -> None:
    with open_warehouse(folder / "w.duckdb") as warehouse:
        back_up(warehouse, {"file": str(folder / "backup.duckdb"), "force": True}, lambda _: None)


def total(address: str) -> int:
    with urlopen(f"{address}/api/matches") as answer:
        return int(json.load(answer)["total"])
