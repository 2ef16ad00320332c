"""The audit log records who did what, counts repeated actions, and has a limited size."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingest.app_store import AppStore
from ingest.maintenance.restore import restore_database
from ingest.opening import open_store, open_warehouse
from ingest.operations import run_operation
from ingest.people import audit
from ingest.people.audit import REFUSED, VARIOUS, Entry, Row, latest
from ingest.pipeline import ingest
from tests.ingest.helping import begun, write

NOON = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
SENT = Entry("laptop", "token", "192.0.2.1", "send logs")


@pytest.fixture
def store() -> AppStore:
    return AppStore()


def note(store: AppStore, entry: Entry, minute: float = 0) -> None:
    audit.note(store, entry, NOON + timedelta(minutes=minute))


def test_repeated_entries_within_an_hour_are_counted(store: AppStore) -> None:
    for minute in (1, 2, 2, 2, 59, 60):
        note(store, SENT, minute)
    assert [(row.times, row.first_at.minute, row.last_at.minute) for row in latest(store)] == [(1, 0, 0), (5, 1, 59)]


def test_strangers_with_many_addresses_leave_few_rows(store: AppStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MOST_ALIKE", 3)
    for number in range(9):
        note(store, Entry("nobody", "nothing", f"2001:db8::{number}", "sign in", outcome=REFUSED), number)
    note(store, SENT, 10)
    rows = latest(store)
    assert len(rows) == 5
    assert [(row.address, row.times) for row in rows[:2]] == [("192.0.2.1", 1), (VARIOUS, 6)]


def test_old_and_excess_entries_are_removed(store: AppStore, monkeypatch: pytest.MonkeyPatch) -> None:
    note(store, SENT, -60 * 24 * 366)
    note(store, Entry("laptop", "token", "192.0.2.1", "sign in"))
    assert [row.action for row in latest(store)] == ["sign in"]
    monkeypatch.setattr(audit, "MOST", 3)
    for number in range(5):
        note(store, Entry("laptop", "token", "192.0.2.1", "add bookmark", f"{number}"), number)
    assert [row.what for row in latest(store)] == ["4", "3", "2"]
    assert [row.what for row in latest(store, 1)] == ["4"]


def listed(database: Path) -> list[Row]:
    with closing(open_store(database)) as store:
        return latest(store)


def test_a_restored_database_has_the_audit_of_today(tmp_path: Path) -> None:
    database, copy = tmp_path / "w.duckdb", tmp_path / "copy.duckdb"
    open_warehouse(database).close()
    run_operation(database, "backup", {"file": str(copy)})
    run_operation(database, "vacuum", {})
    restore_database(database, copy, lambda _: None)
    assert [(row.action, row.what) for row in listed(database)] == [("vacuum", ""), ("backup", str(copy))]


@pytest.mark.slow("forgotten, as in test_forget")
def test_forgotten_matches_are_not_named_in_the_audit(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", begun("friday"))], database, processes=0)
    run_operation(database, "forget", {"matches": ["friday"], "tournaments": [], "dry_run": True})
    run_operation(database, "forget", {"matches": ["friday"], "tournaments": []})
    (row,) = listed(database)
    assert (row.action, row.what, row.outcome) == ("forget", "", "done")
