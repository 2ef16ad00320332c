"""An unfinished match is loaded, and completed when the rest of it arrives."""

from pathlib import Path

import pytest

from ingest.pipeline import ingest
from tests.ingest.helping import begun, contents, rows, short, write

WHOLE = short("a")


def test_a_match_without_an_end_is_unfinished(tmp_path: Path) -> None:
    ingest([write(tmp_path / "a.jsonl", WHOLE[:100])], tmp_path / "w.duckdb")
    shown = rows(tmp_path / "w.duckdb", "SELECT status, events, winner, winner_seats, margin FROM dim_matches")
    assert shown == [("unfinished", 100, None, None, None)]
    assert rows(tmp_path / "w.duckdb", "SELECT DISTINCT won, place FROM dim_seats") == [(False, None)]


@pytest.mark.parametrize("more", [pytest.param(150, marks=pytest.mark.soak("a log that grows 300 times")), len(WHOLE)])
def test_more_lines_of_a_match_replace_it_under_the_same_id(tmp_path: Path, more: int) -> None:
    grown, fresh = tmp_path / "grown.duckdb", tmp_path / "fresh.duckdb"
    ingest([write(tmp_path / "a.jsonl", WHOLE[:100]), write(tmp_path / "b.jsonl", begun("b"))], grown)
    summary = ingest([write(tmp_path / "a.jsonl", WHOLE[:more])], grown)
    ingest([tmp_path], fresh)
    assert (summary.matches, summary.completed, summary.events) == (0, 1, more)
    assert contents(grown, "ingested_files", "ingest_runs") == contents(fresh, "ingested_files", "ingest_runs")


@pytest.mark.slow("a match that goes on")
def test_a_match_is_completed_within_one_run_too(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", WHOLE[:100])
    write(tmp_path / "b.jsonl", WHOLE[:150], short("b"))
    write(tmp_path / "c.jsonl", WHOLE)
    summary = ingest([tmp_path], tmp_path / "w.duckdb")
    assert (summary.matches, summary.events) == (2, len(WHOLE) + len(short("b")))
    assert rows(tmp_path / "w.duckdb", "SELECT match, status FROM dim_matches ORDER BY 1") == [
        ("a", "finished"),
        ("b", "finished"),
    ]


@pytest.mark.slow("a match that goes on")
def test_fewer_lines_of_a_known_match_add_nothing(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", WHOLE)], database)
    summary = ingest([write(tmp_path / "b.jsonl", WHOLE[:100])], database)
    assert (summary.matches, summary.skipped, summary.quarantined) == (0, 1, ())
    assert rows(database, "SELECT status FROM dim_matches") == ["finished"]


def test_another_course_is_a_conflict(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", WHOLE[:100])], database)
    summary = ingest([write(tmp_path / "b.jsonl", short("a", luck="other"))], database)
    assert [problem.reason for problem in summary.quarantined] == ["conflict"]
    assert rows(database, "SELECT events FROM dim_matches") == [100]


@pytest.mark.slow("quarantined in part")
def test_less_of_a_match_than_was_quarantined_resolves_nothing(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    bad = (*WHOLE[:150], b"{\n", *WHOLE[151:])
    ingest([write(tmp_path / "a.jsonl", bad, WHOLE[:100]), write(tmp_path / "b.jsonl", WHOLE[:100])], database)
    again = ingest([write(tmp_path / "c.jsonl", WHOLE[:100])], database)
    assert rows(database, "SELECT reason, resolved_in FROM quarantine") == [("not_json", None)]
    more = ingest([write(tmp_path / "c.jsonl", WHOLE)], database)
    assert (again.resolved, more.completed, more.resolved) == (0, 1, 1)


def test_a_truncated_line_is_resolved_by_the_lines_before_it(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", WHOLE[:100], [WHOLE[100][:-9]])], database)
    assert ingest([write(tmp_path / "b.jsonl", WHOLE[:100])], database).resolved == 1
