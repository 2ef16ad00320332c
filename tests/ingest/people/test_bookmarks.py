"""Bookmarks survive all operations on the warehouse, until their match is forgotten."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from ingest.app_store import store_file
from ingest.errors import NoBookmark, NoMatch, TooMany, Unfit, WarehouseError
from ingest.opening import open_for_reading, open_warehouse
from ingest.operations import run_operation
from ingest.people.bookmarks import (
    MOST_LABEL,
    MOST_TAG,
    MOST_TAGS,
    Bookmark,
    add_bookmark,
    change_bookmark,
    find_bookmarks,
    remove_bookmark,
)
from ingest.people.pairing import broken_in_store
from ingest.pipeline import Request, ingest, take_in
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.ingest.helping import THREE, begun, live, noted, rows, short, write
from tests.once import once

LINES = "SELECT match, ply, label, tags FROM bookmarks ORDER BY created_at"
KEPT = [("b", "5.2", "The storm", ["weather", "Yeti"]), ("c", None, "Close", [])]


def taken(warehouse: Warehouse, path: Path, tournament: str | None = None) -> None:
    take_in(warehouse, Request((path,), tournament, jobs=0), lambda _: None)


def filled(folder: Path) -> Path:
    """Return a warehouse with two logs of a folder."""
    with open_warehouse(folder / "w.duckdb") as warehouse:
        taken(warehouse, write(folder / "b.jsonl", live("b")), tournament="spring")
        taken(warehouse, write(folder / "c.jsonl", live("c", THREE)))
    return folder / "w.duckdb"


def two_matches(factory: pytest.TempPathFactory, folder: Path) -> Path:
    """Return a warehouse with two matches in a folder; its content is created only once."""
    return copied(once(factory, "two-matches", filled) / "w.duckdb", folder)


@pytest.fixture
def database(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return two_matches(tmp_path_factory, tmp_path)


@pytest.fixture
def warehouse(database: Path) -> Iterator[Warehouse]:
    with open_warehouse(database) as opened:
        yield opened


def marked(database: Path) -> list[Bookmark]:
    with open_warehouse(database) as warehouse:
        return [
            add_bookmark(warehouse, match, {"label": label, "ply": ply, "tags": tags})
            for match, ply, label, tags in KEPT
        ]


def kept(database: Path) -> list[tuple[str, str | None, str, list[str]]]:
    return [(match, ply, label, json.loads(tags)) for match, ply, label, tags in noted(database, LINES)]


def labels(warehouse: Warehouse, **asked: Any) -> list[str]:
    return [bookmark.label for bookmark in find_bookmarks(warehouse, **asked).bookmarks]


# --- Valid bookmarks


def test_a_bookmark_is_found_as_saved_with_details_of_its_match(warehouse: Warehouse) -> None:
    said = {"label": "  The  cafe\u0301 ", "ply": "5.2", "tags": ["x", "Snow storm", "snow  storm", "X"]}
    added = add_bookmark(warehouse, "b", said)
    assert (added.label, added.ply, added.tags) == ("The café", "5.2", ["x", "Snow storm"])
    assert (added.tournament, added.line_up) == ("spring", "trader, pilgrim, greedy, random")
    assert find_bookmarks(warehouse).bookmarks == [added]


def test_a_bookmark_is_changed_in_part_and_removed(warehouse: Warehouse) -> None:
    first = add_bookmark(warehouse, "b", {"label": "one", "ply": "5", "tags": ["x"]})
    second = change_bookmark(warehouse, first.id, {"ply": None, "tags": ["y"]})
    assert (second.label, second.ply, second.tags, second.created_at) == ("one", None, ["y"], first.created_at)
    assert second.changed_at > first.changed_at
    assert remove_bookmark(warehouse, first.id) == second
    assert find_bookmarks(warehouse).total == 0
    with pytest.raises(NoBookmark, match=first.id):
        remove_bookmark(warehouse, first.id)
    with pytest.raises(NoBookmark, match=first.id):
        change_bookmark(warehouse, first.id, {})


UNFIT: dict[str, tuple[dict[str, Any], str]] = {
    "no label": ({}, "label: expected a text, found nothing"),
    "an empty label": ({"label": " "}, f"label: expected 1 to {MOST_LABEL} letters, found 0"),
    "a long label": ({"label": "x" * 201}, "found 201"),
    "two lines": ({"label": "a\nb"}, "label: expected no control characters, found U+000A"),
    "letters that turn others round": ({"label": "a\u202eb"}, "found U+202E"),
    "half a letter": ({"label": "\ud83d"}, "found U+D83D"),
    "a number": ({"label": 7}, "label: expected a text, found 7"),
    "tags as a text": ({"label": "a", "tags": "b"}, "tags: expected a list of texts, found 'b'"),
    "many tags": ({"label": "a", "tags": list("abcdefghijklm")}, f"tags: expected at most {MOST_TAGS}, found 13"),
    "a long tag": ({"label": "a", "tags": ["b", "x" * 41]}, f"tag 2: expected 1 to {MOST_TAG} letters, found 41"),
    "an empty tag": ({"label": "a", "tags": [""]}, "tag 1: expected 1 to"),
    "a tag of two": ({"label": "a", "tags": ["b,c"]}, "tag 1: no comma allowed"),
    "a tag with a bell": ({"label": "a", "tags": ["\a"]}, "tag 1: expected no control characters"),
    "a ply behind the last": ({"label": "a", "ply": "9999"}, "the last of b, found 9999"),
    "a ply as a number": ({"label": "a", "ply": 5}, 'ply: expected "57"'),
    "a ply with a zero": ({"label": "a", "ply": "05"}, "found '05'"),
    "event 0": ({"label": "a", "ply": "5.0"}, "found '5.0'"),
    "a line end behind the ply": ({"label": "a", "ply": "5\n"}, 'ply: expected "57"'),
}


@pytest.mark.parametrize("said", UNFIT)
def test_invalid_bookmark_values_are_refused_with_the_reason(said: str, warehouse: Warehouse) -> None:
    fields, reason = UNFIT[said]
    with pytest.raises(Unfit) as refused:
        add_bookmark(warehouse, "b", fields)
    assert reason in str(refused.value)
    assert find_bookmarks(warehouse).total == 0


def test_the_longest_bookmark_is_sound(warehouse: Warehouse) -> None:
    add_bookmark(warehouse, "b", {"label": "ü" * 200, "tags": [f"{n:02}" * 20 for n in range(12)], "ply": "0"})
    assert broken_in_store(warehouse.app) == []


def test_a_match_that_is_not_here_has_no_bookmarks(warehouse: Warehouse) -> None:
    with pytest.raises(NoMatch, match="no match zzz"):
        add_bookmark(warehouse, "zzz", {"label": "a"})


def test_bookmarks_per_match_are_limited(warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.people.bookmarks.MOST_OF_A_MATCH", 2)
    for label in ("one", "two"):
        add_bookmark(warehouse, "b", {"label": label})
    with pytest.raises(TooMany, match="this match has 2 bookmarks already"):
        add_bookmark(warehouse, "b", {"label": "three"})
    add_bookmark(warehouse, "c", {"label": "another match"})


# --- Finding bookmarks


@pytest.mark.slow("every way to find them")
@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["Close", "The storm"]),
        ({"match": "b"}, ["The storm"]),
        ({"match": "nobody"}, []),
        ({"find": "STORM the"}, ["The storm"]),
        ({"find": "storm close"}, []),
        ({"find": "yeti"}, ["The storm"]),
        ({"find": "spring"}, ["The storm"]),
        ({"find": "envoy"}, ["Close"]),
        ({"find": "clöse"}, ["Close"]),
        ({"find": "%"}, []),
        ({"tag": "YETI"}, ["The storm"]),
        ({"tag": "Yet"}, []),
        ({"most": 1}, ["Close"]),
    ],
)
def test_bookmarks_are_found_by_words_match_and_tag(asked: dict[str, Any], found: list[str], database: Path) -> None:
    marked(database)
    with open_warehouse(database) as warehouse:
        assert labels(warehouse, **asked) == found


def test_all_tags_in_use_are_named_the_most_used_first(warehouse: Warehouse) -> None:
    for tags in (["b"], ["c", "a"], ["c"]):
        add_bookmark(warehouse, "b", {"label": "x", "tags": tags})
    listed = find_bookmarks(warehouse, match="nobody")
    assert (listed.total, listed.tags) == (0, ["c", "a", "b"])


# --- Bookmarks survive operations


@pytest.mark.slow("another thing done to a warehouse with bookmarks")
def test_bookmarks_stay_when_logs_are_loaded_again(tmp_path: Path) -> None:
    marked(database := filled(tmp_path))
    write(tmp_path / "b.jsonl", live("b"), live("d"))
    ingest([tmp_path], database, processes=0)
    assert kept(database) == KEPT


@pytest.mark.slow("another way in which a match changes")
def test_a_growing_match_keeps_its_bookmarks(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "b.jsonl", begun("b"))], database, processes=0)
    with open_warehouse(database) as warehouse:
        add_bookmark(warehouse, "b", {"label": "then"})
    write(tmp_path / "b.jsonl", short("b"))
    ingest([tmp_path / "b.jsonl"], database, processes=0)
    assert rows(database, "SELECT status FROM dim_matches") == ["finished"]
    assert noted(database, "SELECT label FROM bookmarks") == ["then"]


@pytest.mark.slow("another thing done to a warehouse with bookmarks")
def test_vacuum_and_a_backup_keep_bookmarks(database: Path, tmp_path: Path) -> None:
    marked(database)
    run_operation(database, "vacuum", {})
    run_operation(database, "backup", {"file": str(tmp_path / "copy.duckdb")})
    with open_warehouse(database) as warehouse:
        for bookmark in find_bookmarks(warehouse).bookmarks:
            remove_bookmark(warehouse, bookmark.id)
    run_operation(database, "restore", {"file": str(tmp_path / "copy.duckdb")})
    assert kept(database) == KEPT


def test_bookmarks_can_be_set_while_logs_are_loaded(warehouse: Warehouse, tmp_path: Path) -> None:
    """Setting a bookmark does not wait for a tournament that is being loaded."""
    with ThreadPoolExecutor(1) as other, warehouse.writing() as connection:
        connection.begin()
        connection.execute("UPDATE ingest_runs SET files = files")
        other.submit(add_bookmark, warehouse, "b", {"label": "meanwhile"}).result(timeout=60)
        connection.commit()
    taken(warehouse, write(tmp_path / "d.jsonl", live("d")))
    assert labels(warehouse) == ["meanwhile"]


def test_bookmarks_are_not_written_to_a_read_only_warehouse(database: Path) -> None:
    (before,) = [bookmark.id for bookmark in marked(database) if bookmark.match == "b"]
    with open_for_reading(database) as warehouse:
        assert len(labels(warehouse)) == 2
        with pytest.raises(WarehouseError, match="cannot be written to"):
            add_bookmark(warehouse, "b", {"label": "a"})
        with pytest.raises(WarehouseError, match="cannot be written to"):
            remove_bookmark(warehouse, before)


# --- Bookmarks of forgotten matches


@pytest.mark.slow("forgotten, as in test_forget")
@pytest.mark.parametrize("what", [{"matches": ["b"]}, {"tournaments": ["spring"]}])
def test_forgetting_a_match_forgets_its_bookmarks(what: dict[str, Any], database: Path) -> None:
    marked(database)
    counted = run_operation(database, "forget", what | {"dry_run": True})
    assert (counted["bookmarks"], kept(database)) == (1, KEPT)
    assert run_operation(database, "forget", what)["bookmarks"] == 1
    assert kept(database) == KEPT[1:]
    assert b"The storm" not in database.read_bytes() + store_file(database).read_bytes()


@pytest.mark.slow("copies, forgotten")
def test_forgotten_bookmarks_do_not_come_back_with_a_copy(database: Path, tmp_path: Path) -> None:
    marked(database)
    run_operation(database, "backup", {"file": str(tmp_path / "copy.duckdb")})
    run_operation(database, "forget", {"matches": ["b"]})
    run_operation(database, "restore", {"file": str(tmp_path / "copy.duckdb")})
    assert kept(database) == KEPT[1:]


@pytest.mark.slow("forgotten, further on")
def test_bookmarks_of_a_missing_match_are_found_and_can_be_forgotten(database: Path) -> None:
    marked(database)
    with open_warehouse(database) as warehouse:
        with warehouse.app.writing() as connection:
            connection.execute("UPDATE bookmarks SET match = 'elsewhere' WHERE match = 'b'")
        assert labels(warehouse, find="elsewhere") == ["The storm"]
    assert run_operation(database, "forget", {"matches": ["elsewhere"]})["names"] == ["elsewhere"]
    assert kept(database) == KEPT[1:]
