"""Further effects of a run: its record, resolved quarantine, forgotten matches, a tournament."""

from pathlib import Path

import duckdb
import pytest

from ingest.load import load
from ingest.load.load import Source
from ingest.opening import open_warehouse
from ingest.pipeline import Request, ingest, take_in
from tests.core.log.damage import at, rewrite
from tests.ingest.helping import begun, contents, rows, short, write

BAD = rewrite(begun("a"), at("block_placed", begun("a")), data__block=97)
WORSE = rewrite(begun("a"), at("block_placed", begun("a")), data__block=98)
OTHER = rewrite(begun("a"), 0, data__luck="other")
OPEN = "SELECT file, resolved_in IS NULL FROM quarantine ORDER BY quarantine_id"


def run(database: Path, *files: Path, source: Source = "command", tournament: str | None = None) -> None:
    """Load files."""
    with open_warehouse(database) as warehouse:
        take_in(warehouse, Request(files, tournament=tournament, jobs=0, source=source), lambda _: None)


def names(database: Path, sql: str) -> list[tuple[str, bool]]:
    return [(Path(file).name, is_open) for file, is_open in rows(database, sql)]


def test_each_run_that_reads_something_is_recorded(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    first = write(tmp_path / "a.jsonl", begun("a")[:40], begun("b")[5:])
    run(database, first)
    run(database, first)
    run(database, write(tmp_path / "b.jsonl", begun("a"), begun("c")), source="retry")
    run(database, write(tmp_path / "c.jsonl", begun("c")), source="watch")
    columns = "run, source, files, matches, events, skipped, quarantined"
    assert rows(database, f"SELECT {columns} FROM ingest_runs ORDER BY run") == [
        (1, "command", 1, 1, 40, 0, 1),
        (2, "retry", 1, 2, len(begun("a")) + len(begun("c")), 0, 0),
        (3, "watch", 1, 0, 0, 1, 0),
    ]
    assert rows(database, "SELECT ingested_in FROM raw_matches ORDER BY match_id") == [2, 2]
    assert rows(database, "SELECT count(*) FROM ingest_runs WHERE started_at > now()::TIMESTAMP - INTERVAL 1 DAY") == [
        3
    ]


@pytest.mark.parametrize("batch", [1, pytest.param(250_000, marks=pytest.mark.slow("one batch"))])
def test_a_quarantine_entry_is_resolved_when_its_match_is_loaded(
    batch: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "BATCH_EVENTS", batch)
    database = tmp_path / "w.duckdb"
    files = [write(tmp_path / f"{name}.jsonl", lines) for name, lines in (("1", BAD), ("2", begun("a")), ("3", WORSE))]
    summary = ingest(files, database, processes=0)
    assert names(database, OPEN) == [("1.jsonl", False), ("3.jsonl", True)]
    assert (summary.matches, summary.put_aside) == (1, 1)
    assert ingest(files, database, processes=0).known == 1
    ingest([write(tmp_path / "4.jsonl", begun("a"), begun("b"))], database, processes=0)
    assert names(database, OPEN) == [("1.jsonl", False), ("3.jsonl", False)]
    assert rows(database, "SELECT resolved_in FROM quarantine ORDER BY quarantine_id") == [1, 2]
    assert ingest(files, database, processes=0).known == 0


@pytest.mark.slow("another conflict")
def test_a_conflict_stays_open_whatever_else_is_loaded(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    run(database, write(tmp_path / "1.jsonl", begun("a")), write(tmp_path / "2.jsonl", OTHER))
    run(database, write(tmp_path / "3.jsonl", begun("a"), begun("b")))
    assert names(database, OPEN) == [("2.jsonl", True)]


def test_a_conflict_is_resolved_when_its_log_becomes_the_counted_one(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    run(database, write(tmp_path / "1.jsonl", begun("a")), write(tmp_path / "2.jsonl", OTHER))
    with duckdb.connect(str(database)) as connection:
        connection.execute("DELETE FROM raw_matches")
    run(database, write(tmp_path / "3.jsonl", OTHER, begun("b")))
    assert names(database, OPEN) == [("2.jsonl", False)]


@pytest.mark.slow("forgotten, further on")
def test_forgotten_matches_stay_out(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    run(database, write(tmp_path / "1.jsonl", begun("a"), begun("b")[3:]))
    with duckdb.connect(str(database)) as connection:
        forgotten = "SELECT bytes_sha256, NULL, 1 FROM raw_matches UNION ALL SELECT sha256, NULL, 1 FROM quarantine"
        connection.execute(f"INSERT INTO forgotten_matches {forgotten}")
        connection.execute("DELETE FROM raw_matches; DELETE FROM quarantine")
    write(tmp_path / "2.jsonl", begun("a"), begun("b")[3:], begun("c"))
    summary = ingest([tmp_path / "2.jsonl"], database, processes=0)
    assert (summary.matches, summary.skipped, summary.put_aside) == (1, 0, 0)
    assert rows(database, "SELECT match FROM raw_matches") == ["c"]
    assert rows(database, "SELECT count(*) FROM quarantine") == [0]
    assert rows(database, "SELECT matches, skipped FROM ingest_runs WHERE run = 2") == [(1, 2)]


@pytest.mark.slow("another manifest")
def test_a_tournament_is_assigned_to_matches_with_none_in_the_log(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    own = rewrite(begun("b"), 0, data__tournament="spring")
    run(database, write(tmp_path / "1.jsonl", begun("a"), own), tournament="autumn")
    run(database, write(tmp_path / "2.jsonl", begun("c")))
    shown = "SELECT match, tournament FROM {} ORDER BY 1"
    assert rows(database, shown.format("dim_matches")) == [("a", "autumn"), ("b", "spring"), ("c", None)]
    assert rows(database, shown.format("raw_matches")) == [("a", "autumn"), ("b", None), ("c", None)]


def test_a_tournament_is_assigned_to_loaded_matches_without_one(tmp_path: Path) -> None:
    database, own = tmp_path / "w.duckdb", rewrite(begun("b"), 0, data__tournament="spring")
    file = write(tmp_path / "1.jsonl", begun("a"), own)
    run(database, file)
    with open_warehouse(database) as warehouse:
        for dry_run in (True, False):
            request = Request((file,), tournament="autumn", dry_run=dry_run, jobs=0)
            summary = take_in(warehouse, request, lambda _: None)
            assert (summary.named, summary.skipped, summary.matches) == (1, 2, 0)
            assert "1 match would be given" in str(summary) or not dry_run
        later = take_in(warehouse, Request((file,), tournament="winter", jobs=0), lambda _: None)
        assert (later.named, later.skipped) == (0, 2)
    shown = "SELECT match, tournament FROM {} ORDER BY 1"
    assert rows(database, shown.format("raw_matches")) == [("a", "autumn"), ("b", None)]
    assert rows(database, shown.format("dim_matches")) == [("a", "autumn"), ("b", "spring")]
    at_once = tmp_path / "at-once.duckdb"
    run(at_once, file, tournament="autumn")
    assert contents(database, "ingest_runs") == contents(at_once, "ingest_runs")


@pytest.mark.slow("a match that goes on")
def test_a_growing_match_keeps_its_assigned_tournament(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    run(database, write(tmp_path / "1.jsonl", short("a")[:100]), tournament="autumn")
    run(database, write(tmp_path / "2.jsonl", short("a")))
    assert rows(database, "SELECT status, tournament FROM dim_matches") == [("finished", "autumn")]
