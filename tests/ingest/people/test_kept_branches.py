"""Saved branches: stored with a title, listed, removed, and deleted when their match is forgotten."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.errors import NoBranch, NoMatch, TooMany, Unfit, WarehouseError
from ingest.opening import open_for_reading, open_warehouse
from ingest.operations import run_operation
from ingest.people import branches
from ingest.people.branches import KeptBranch, branches_of, find_branch, keep_branch, remove_branch
from ingest.warehouse import Warehouse
from tests.ingest.helping import noted
from tests.ingest.people.test_bookmarks import two_matches


@pytest.fixture
def warehouse(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with open_warehouse(two_matches(tmp_path_factory, tmp_path)) as opened:
        yield opened


def kept(warehouse: Warehouse, number: str, match: str = "b", title: str = "Try") -> KeptBranch:
    return keep_branch(warehouse, number, match, '{"nodes":[]}', title=title, by="mary")


def test_a_branch_is_found_as_saved_with_its_author(warehouse: Warehouse) -> None:
    made = kept(warehouse, "1", title="  Via  the ice ")
    assert (made.id, made.match, made.title, made.by) == ("1", "b", "Via the ice", "mary")
    assert find_branch(warehouse.app, "1") == (made, '{"nodes":[]}')
    assert find_branch(warehouse.app, "2") is None
    other = kept(warehouse, "2", "c")
    assert branches_of(warehouse.app, "") == [other, made]
    assert branches_of(warehouse.app, "b") == [made]


def test_saving_a_branch_again_updates_its_title(warehouse: Warehouse) -> None:
    kept(warehouse, "1")
    kept(warehouse, "1", title="Better")
    assert [each.title for each in branches_of(warehouse.app, "b")] == ["Better"]


def test_a_removed_branch_is_gone(warehouse: Warehouse) -> None:
    made = kept(warehouse, "1")
    assert remove_branch(warehouse.app, "1") == made
    assert branches_of(warehouse.app, "b") == []
    with pytest.raises(NoBranch, match="No branch 1 is kept"):
        remove_branch(warehouse.app, "1")


def test_invalid_branches_are_refused(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoMatch, match="There is no match nobody"):
        kept(warehouse, "1", "nobody")
    with pytest.raises(Unfit, match="keep: expected 1 to 200 letters, found 0"):
        kept(warehouse, "1", title=" ")
    monkeypatch.setattr(branches, "MOST_OF_A_MATCH", 1)
    kept(warehouse, "1")
    kept(warehouse, "1", title="Again")
    with pytest.raises(TooMany, match="this match has 1 branches already"):
        kept(warehouse, "2")
    kept(warehouse, "2", "c")


@pytest.mark.slow("forgotten, as in test_forget")
def test_branches_are_forgotten_with_their_match(warehouse: Warehouse) -> None:
    kept(warehouse, "1")
    other = kept(warehouse, "2", "c")
    database = warehouse.database
    warehouse.close()
    done = run_operation(database, "forget", {"matches": ["b"]}, lambda _: None)
    assert done["branches"] == 1
    assert noted(database, "SELECT id FROM branches") == [other.id]


def test_nothing_is_kept_in_a_warehouse_that_is_only_read(warehouse: Warehouse) -> None:
    database = warehouse.database
    warehouse.close()
    with open_for_reading(database) as read, pytest.raises(WarehouseError, match="cannot be written to"):
        kept(read, "1")
