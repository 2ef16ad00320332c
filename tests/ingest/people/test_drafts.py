"""Recordings: every change is stored in order, none is lost, and none is inserted."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import ChangedMeanwhile, NoDraft, TooMany, WarehouseError
from ingest.maintenance.backup import back_up
from ingest.opening import open_for_reading, open_warehouse
from ingest.people import drafts
from ingest.people.drafts import (
    Change,
    KeptDraft,
    add_changes,
    add_draft,
    changes_of,
    find_draft,
    list_drafts,
    remove_draft,
)
from ingest.warehouse import Warehouse
from tests.ingest.helping import contents

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
SUNDAY = KeptDraft("1", "summit", {"seats": [{"name": "Anna"}], "seed": "secret"}, "Sunday", "mary", NOON)


@pytest.fixture
def warehouse(tmp_path: Path) -> Iterator[Warehouse]:
    with open_warehouse(tmp_path / "w.duckdb") as opened:
        yield opened


def change(entries: int, minutes: int = 1, *, is_over: bool = False, **said: Any) -> Change:
    return Change(said or {"add": {"type": "roll"}}, entries, is_over, "mary", NOON + timedelta(minutes=minutes))


def test_a_draft_is_found_as_saved_with_its_changes_in_order(warehouse: Warehouse) -> None:
    taken = change(0, take=0, name="Anna", key_sha256="0" * 64)
    entries = [change(number, minutes=number) for number in range(1, 12)]
    add_draft(warehouse.app, SUNDAY, [taken])
    add_changes(warehouse.app, "1", 1, entries[:4])
    add_changes(warehouse.app, "1", 5, entries[4:])
    assert find_draft(warehouse.app, "1") == SUNDAY
    assert changes_of(warehouse.app, "1") == [taken, *entries]
    assert changes_of(warehouse.app, "1", 10) == entries[9:]
    assert changes_of(warehouse.app, "1", 12) == []


def test_a_list_shows_the_progress_of_drafts_latest_change_first(warehouse: Warehouse) -> None:
    add_draft(warehouse.app, SUNDAY, [])
    add_draft(warehouse.app, replace(SUNDAY, id="2", title="Final"), [change(1), change(2, 2, is_over=True)])
    handed_in = {"match": "m", "receipt": "r", "entries": 2}
    add_changes(warehouse.app, "2", 2, [change(2, 3, is_over=True, handed_in=handed_in | {"match": "old"})])
    add_changes(warehouse.app, "2", 3, [change(2, 4, is_over=True, handed_in=handed_in)])
    final, sunday = list_drafts(warehouse.app)
    assert (sunday.draft, sunday.changed_at, sunday.entries, sunday.is_over) == (SUNDAY, NOON, 0, False)
    assert (sunday.handed_in, sunday.taken) == (None, [])
    assert (final.draft.title, final.entries, final.is_over) == ("Final", 2, True)
    assert (final.handed_in, final.changed_at) == (handed_in, NOON + timedelta(minutes=4))
    add_changes(warehouse.app, "1", 0, [change(0, 5, take=0, name="Anna")])
    assert [each.draft.id for each in list_drafts(warehouse.app)] == ["1", "2"]
    assert list_drafts(warehouse.app)[0].taken == [{"take": 0, "name": "Anna"}]


@pytest.mark.parametrize("known", [0, 1, 3])
def test_a_change_that_does_not_follow_the_last_is_refused(warehouse: Warehouse, known: int) -> None:
    add_draft(warehouse.app, SUNDAY, [change(1), change(2)])
    with pytest.raises(ChangedMeanwhile, match=f"expected {known} changes, found 2"):
        add_changes(warehouse.app, "1", known, [change(3)])
    assert len(changes_of(warehouse.app, "1")) == 2


def test_removing_a_draft_removes_its_changes(warehouse: Warehouse) -> None:
    add_draft(warehouse.app, SUNDAY, [change(1)])
    add_draft(warehouse.app, replace(SUNDAY, id="2"), [change(1)])
    removed = remove_draft(warehouse.app, "1")
    assert (removed.draft, removed.entries) == (SUNDAY, 1)
    for ask in (find_draft, changes_of, remove_draft):
        with pytest.raises(NoDraft, match="No match 1 is being recorded"):
            ask(warehouse.app, "1")
    with pytest.raises(NoDraft):
        add_changes(warehouse.app, "1", 1, [change(2)])
    assert len(changes_of(warehouse.app, "2")) == 1


def test_the_number_of_drafts_and_changes_is_limited(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_DRAFTS", 1)
    monkeypatch.setattr(drafts, "MOST_CHANGES", 2)
    add_draft(warehouse.app, SUNDAY, [change(1)])
    with pytest.raises(TooMany, match="1 matches are being recorded already"):
        add_draft(warehouse.app, replace(SUNDAY, id="2"), [])
    with pytest.raises(TooMany, match="a recording has at most 2 changes"):
        add_changes(warehouse.app, "1", 1, [change(2), change(3)])
    add_changes(warehouse.app, "1", 1, [change(2)])
    assert len(changes_of(warehouse.app, "1")) == 2


def test_a_backup_holds_drafts(warehouse: Warehouse, tmp_path: Path) -> None:
    add_draft(warehouse.app, SUNDAY, [change(1), change(2)])
    back_up(warehouse, {"file": str(tmp_path / "copy.duckdb")}, lambda _: None)
    add_changes(warehouse.app, "1", 2, [change(3)])
    held = contents(tmp_path / "copy.duckdb")
    assert (len(held["drafts"]), len(held["draft_changes"])) == (1, 2)
    with open_for_reading(tmp_path / "copy.duckdb") as copy:
        assert changes_of(copy.app, "1") == [change(1), change(2)]
        assert find_draft(copy.app, "1") == SUNDAY


def test_nothing_is_recorded_in_a_warehouse_that_is_only_read(warehouse: Warehouse) -> None:
    add_draft(warehouse.app, SUNDAY, [change(1)])
    database = warehouse.database
    warehouse.close()
    with open_for_reading(database) as read:
        with pytest.raises(WarehouseError, match="cannot be written to"):
            add_changes(read.app, "1", 1, [change(2)])
        assert len(list_drafts(read.app)) == 1
