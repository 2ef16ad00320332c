"""The import page: runs, quarantined matches that are still there, and matches in progress."""

import csv
import io
from pathlib import Path

import pytest

from dashboards.app import create_app
from dashboards.queries.addresses import Sort
from dashboards.queries.imports import ingest_runs, intake_stamp, live_matches, quarantine_reasons, quarantine_rows
from dashboards.queries.logs import is_live
from dashboards.queries.matches import MatchFilter, matches_page
from dashboards.queries.reader import Reader
from himalaya_core.files import read_lines
from ingest.pipeline import Request, take_in
from ingest.warehouse import Warehouse
from tests.dashboards.client import everything


@pytest.fixture
def bad(empty: Warehouse, logs: Path, tmp_path: Path) -> Warehouse:
    """A warehouse with a complete match, a cut-off match, and a match with an invalid line."""
    lines = list(read_lines(logs / "other.jsonl"))
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:7], b"{\n", *lines[7:]]))
    request = Request((tmp_path / "bad.jsonl", logs / "cut-off.jsonl"))
    take_in(empty, request, lambda _: None)
    return empty


def test_quarantined_matches_are_listed_until_they_are_loaded(bad: Warehouse, logs: Path) -> None:
    reader = Reader(bad)
    before = intake_stamp(reader)
    assert quarantine_reasons(reader).rows() == [("not_json", 1)]
    assert quarantine_rows(reader, 9)["place"].item().endswith("bad.jsonl:8")
    take_in(bad, Request((logs / "other.jsonl",)), lambda _: None)
    assert quarantine_reasons(reader).is_empty()
    assert intake_stamp(reader) != before


@pytest.mark.slow("another state of what came in")
def test_runs_are_listed_the_latest_first(bad: Warehouse, logs: Path) -> None:
    take_in(bad, Request((logs / "other.jsonl",), source="watch"), lambda _: None)
    runs = ingest_runs(Reader(bad), 9)
    assert runs.select("run", "source", "matches", "quarantined").rows() == [(2, "watch", 1, 0), (1, "command", 1, 1)]


def test_a_match_is_live_while_its_log_is_followed(bad: Warehouse) -> None:
    reader = Reader(bad)
    assert live_matches(reader).is_empty()
    with bad.writing() as connection:
        connection.execute(
            "INSERT INTO watched_files VALUES ('x.jsonl', 1, 1, 0, 1, '', 9, 'cut-off', TIMESTAMP '2026-01-01')"
        )
    assert live_matches(reader)["match"].to_list() == ["cut-off"]
    for statuses, expected in ((("live",), [("cut-off", "live")]), (("unfinished",), [])):
        listed, total = matches_page(reader, MatchFilter(statuses=statuses), Sort(), 0, 9)
        assert (listed.select("match", "status").rows(), total) == (expected, len(expected))
    assert is_live(reader, "cut-off")
    assert not is_live(reader, "other")


@pytest.mark.slow("another state of what came in")
@pytest.mark.parametrize(
    ("game", "rounds", "told"),
    [("caravan", 2, "round 2, 90 events"), ("summit", 3, "throw 3, 90 events"), ("summit", 0, "greedy · 90 events")],
)
def test_the_progress_of_a_live_match_is_shown_in_the_terms_of_its_game(
    bad: Warehouse, game: str, rounds: int, told: str
) -> None:
    create_app(bad)
    from dashboards.pages.imports import sections  # a page can be imported only after an app is created

    with bad.writing() as connection:
        connection.execute(
            "INSERT INTO watched_files VALUES ('x.jsonl', 1, 1, 0, 1, '', 9, 'cut-off', TIMESTAMP '2026-01-01')"
        )
        connection.execute(f"UPDATE dim_matches SET game = '{game}', rounds = {rounds} WHERE match = 'cut-off'")
    assert told in str(sections(Reader(bad)))


def test_the_intake_as_csv(bad: Warehouse) -> None:
    client = everything(bad)
    quarantined = list(csv.DictReader(io.StringIO(client.get("/csv/quarantine.csv").text)))
    runs = list(csv.DictReader(io.StringIO(client.get("/csv/runs.csv").text)))
    assert [row["match"] for row in quarantined] == ["other"]
    assert [row["quarantined"] for row in runs] == ["1"]


def test_the_navigation_counts_logs_in_quarantine(bad: Warehouse, logs: Path) -> None:
    client = everything(bad)
    assert '"children":["1",{"props":{"children":" quarantined"' in client.get("/_dash-layout").text
    take_in(bad, Request((logs / "other.jsonl",)), lambda _: None)
    assert " quarantined" not in client.get("/_dash-layout").text
