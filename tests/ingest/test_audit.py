"""The audit says who did what, counts what is done often, and stays within bounds."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ingest import audit
from ingest.audit import REFUSED, VARIOUS, Count, Entry, list_audit, write_entries
from ingest.care.restore import restore_database
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.warehouse import Warehouse
from tests.ingest.helping import begun, write

NOON = datetime.now(UTC).replace(tzinfo=None, minute=0, second=0, microsecond=0)
SENT = Entry("laptop", "token", "192.0.2.1", "send logs")


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def note(warehouse: Warehouse, entry: Entry, minute: float = 0, times: int = 1) -> None:
    at = NOON + timedelta(minutes=minute)
    with warehouse.writing() as connection:
        write_entries(connection, {entry: Count(at, at, times)})


def listed(warehouse: Warehouse, most: int = 1_000) -> list[dict[str, Any]]:
    return list_audit(warehouse, {"most": most}, lambda _: None)["entries"]


def test_the_same_within_an_hour_is_counted(warehouse: Warehouse) -> None:
    for minute, times in ((1, 1), (2, 5), (59, 1), (60, 1)):
        note(warehouse, SENT, minute, times)
    assert [(entry["times"], entry["first_at"][-5:], entry["last_at"][-5:]) for entry in listed(warehouse)] == [
        (1, "00:00", "00:00"),
        (7, "01:00", "59:00"),
    ]


def test_strangers_with_many_addresses_leave_few_rows(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MOST_ALIKE", 3)
    for number in range(9):
        note(warehouse, Entry("nobody", "nothing", f"2001:db8::{number}", "sign in", outcome=REFUSED), number)
    note(warehouse, SENT, 10)
    entries = listed(warehouse)
    assert len(entries) == 5
    assert [(entry["address"], entry["times"]) for entry in entries[:2]] == [("192.0.2.1", 1), (VARIOUS, 6)]


def test_what_is_too_old_or_too_much_goes(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    note(warehouse, SENT, -60 * 24 * 366)
    assert listed(warehouse) == []
    monkeypatch.setattr(audit, "MOST", 3)
    for number in range(5):
        note(warehouse, Entry("laptop", "token", "192.0.2.1", "add bookmark", f"{number}"), number)
    assert [entry["what"] for entry in listed(warehouse)] == ["4", "3", "2"]
    assert [entry["what"] for entry in listed(warehouse, 1)] == ["4"]


def test_a_restored_database_has_the_audit_of_today(tmp_path: Path) -> None:
    database, copy = tmp_path / "w.duckdb", tmp_path / "copy.duckdb"
    open_warehouse(database).close()
    run_operation(database, "backup", {"file": str(copy)})
    run_operation(database, "create_token", {"name": "laptop"})
    restore_database(database, copy, lambda _: None)
    with open_warehouse(database) as opened:
        found = [(entry["action"], entry["what"]) for entry in listed(opened)]
    assert found == [("create_token", "laptop"), ("backup", str(copy))]


@pytest.mark.slow("forgotten, as in test_forget")
def test_what_was_forgotten_is_not_named_in_the_audit(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", begun("friday"))], database, processes=0)
    run_operation(database, "forget", {"matches": ["friday"], "tournaments": [], "dry_run": True})
    run_operation(database, "forget", {"matches": ["friday"], "tournaments": []})
    with open_warehouse(database) as opened:
        (entry,) = listed(opened)
    assert (entry["action"], entry["what"], entry["outcome"]) == ("forget", "", "done")
