"""Every process can open the app store; one sentence reports why it can't be used."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingest import app_store as module
from ingest.app_store import AppStore, as_moment, as_text, store_file
from ingest.errors import WarehouseError
from ingest.people.pairing import broken_in_store

HOLD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""
PAGE = 4_096
SECRET = "nobody is to read this"
BRANCH = "INSERT INTO branches VALUES ('{}', 'c', '{{\"match\": \"c\"}}', 'Try', 'local', '2026')"
BOOKMARK = "INSERT INTO bookmarks VALUES ('1', 'c', {}, {}, {}, '2026', '2026')"
DRAFT = "INSERT INTO drafts VALUES ('1', 'summit', '{}', 'Sunday', 'local', '2026')"
CHANGE = "INSERT INTO draft_changes VALUES ('1', {}, '{}', {}, 0, 'local', '2026')"
DAMAGES = {
    "a bookmark says nothing": ((BOOKMARK.format("NULL", "''", "'[]'"),), "bookmarks"),
    "a bookmark has a tag that is too long": ((BOOKMARK.format("'5'", "'here'", f"'[\"{'b' * 41}\"]'"),), "bookmarks"),
    "a bookmark is on no ply": ((BOOKMARK.format("'5.0'", "'here'", "'[]'"),), "bookmarks"),
    "a branch has the id of another": ((BRANCH.format("0" * 32),), "branches"),
    "a study has a chapter more than its list says": (
        ("INSERT INTO studies VALUES ('1', 'A', 0, '{\"title\": \"A\", \"chapters\": [{}]}', 'a', '2026', '2026')",),
        "studies",
    ),
    "a recording has no title": ((DRAFT.replace("Sunday", ""),), "drafts"),
    "a change is missing": ((DRAFT, CHANGE.format(2, '{"add": {}}', 1)), "draft_changes"),
    "a change is of no recording": ((CHANGE.format(1, '{"add": {}}', 1),), "draft_changes"),
    "an undo leaves too many entries": (
        (DRAFT, CHANGE.format(1, '{"add": {}}', 1), CHANGE.format(2, '{"undo": 0}', 1)),
        "draft_changes",
    ),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    with closing(AppStore(warehouse="1")) as made:
        made.put(tmp_path / "w.app.sqlite")
    return tmp_path / "w.app.sqlite"


@pytest.fixture
def store(file: Path) -> Iterator[AppStore]:
    with closing(AppStore(file)) as opened:
        yield opened


def titled(store: AppStore, title: str) -> None:
    with store.writing() as connection:
        connection.execute("INSERT OR REPLACE INTO drafts VALUES ('1', 'summit', '{}', ?, 'local', '2026')", (title,))


def titles(store: AppStore) -> list[str]:
    with store.reading() as connection:
        return [title for (title,) in connection.execute("SELECT title FROM drafts").fetchall()]


def test_the_store_is_next_to_its_database_and_private(file: Path) -> None:
    assert store_file(file.with_name("w.duckdb")) == file
    assert store_file(file.with_name("w.duckdb.before-restore")).name == "w.duckdb.before-restore.app.sqlite"
    assert file.stat().st_mode & 0o777 == 0o600


def test_writes_of_a_process_are_visible_to_others_immediately(store: AppStore, file: Path) -> None:
    before = store.changes
    with closing(AppStore(file)) as other:
        titled(other, "Sunday")
    assert (titles(store), store.changes == before) == (["Sunday"], False)


def test_an_error_takes_all_back_that_was_written_with_it(store: AppStore) -> None:
    titled(store, "Sunday")
    with pytest.raises(sqlite3.IntegrityError), store.writing() as connection:
        connection.executemany(
            "INSERT INTO drafts VALUES (?, 'summit', '{}', 'Monday', 'local', '2026')", [["2"], ["1"]]
        )
    assert titles(store) == ["Sunday"]


def test_a_write_blocked_by_another_process_is_reported(
    store: AppStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    titled(store, "Sunday")
    holder = [sys.executable, "-c", HOLD, str(file)]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        with pytest.raises(WarehouseError, match=r"w\.app\.sqlite: another process is writing to it; try again$"):
            titled(store, "Monday")
        assert titles(store) == ["Sunday"]


def test_a_full_disk_is_reported_and_the_old_data_stay(store: AppStore) -> None:
    titled(store, "Sunday")
    full = pytest.raises(WarehouseError, match=r"w\.app\.sqlite: the disk is full; make room and try again$")
    with full, store.writing() as connection:
        connection.execute("PRAGMA max_page_count = 1")  # SQLite never sets this below the current number of pages
        connection.execute("UPDATE drafts SET title = ?", ("x" * 1_000_000,))
    assert titles(store) == ["Sunday"]


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (b"no file of SQLite, though it is long enough to be one" * 9, "damaged, or not a file of himalaya"),
        (b"", "version 0 of the app store; this himalaya reads version 1"),
    ],
)
def test_a_file_that_is_no_store_is_named(file: Path, damage: bytes, says: str) -> None:
    file.write_bytes(damage)
    with pytest.raises(WarehouseError, match=rf"w\.app\.sqlite: {says}"):
        AppStore(file)


def test_a_damaged_page_is_found(store: AppStore, file: Path) -> None:
    titled(store, "x" * 20_000)
    store.close()
    with file.open("r+b") as opened:
        opened.seek(2 * PAGE)
        opened.write(b"\xff" * PAGE)
    with closing(AppStore(file)) as damaged:
        (finding,) = broken_in_store(damaged)
    assert (finding.table, finding.expected) == ("app_store", "an undamaged file")


def test_removed_data_leave_no_trace_in_the_files(store: AppStore, file: Path) -> None:
    titled(store, SECRET)
    titled(store, "Sunday")
    store.compact()
    held = b"".join(path.read_bytes() for path in file.parent.glob("w.app.sqlite*"))
    assert (SECRET.encode() in held, b"Sunday" in held) == (False, True)


def test_contents_are_a_snapshot_and_restore_the_same_store(store: AppStore, tmp_path: Path) -> None:
    titled(store, "Sunday")
    contents = store.contents()
    titled(store, "Monday")
    with closing(AppStore(contents=contents, read_only=True)) as copy:
        assert (titles(copy), copy.warehouse) == (["Sunday"], "1")
        with pytest.raises(WarehouseError, match="cannot be written to"):
            titled(copy, "Tuesday")
        copy.put(tmp_path / "copy.app.sqlite")
    with closing(AppStore(tmp_path / "copy.app.sqlite")) as again:
        assert titles(again) == ["Sunday"]


def test_a_store_that_may_only_be_read_is_read(store: AppStore, file: Path) -> None:
    titled(store, "Sunday")
    store.close()
    with closing(AppStore(file, read_only=True)) as opened:
        assert titles(opened) == ["Sunday"]
        with pytest.raises(WarehouseError, match=r"w\.app\.sqlite: cannot be written to"):
            titled(opened, "Monday")


def test_moments_are_in_the_order_of_their_texts() -> None:
    moments = [datetime(2026, 11, 28, 9, tzinfo=UTC), datetime(2026, 11, 28, 9, 0, 0, 1, tzinfo=UTC)]
    texts = [as_text(moment) for moment in moments]
    assert (sorted(map(str, texts)), [as_moment(text) for text in texts]) == (texts, moments)


@pytest.mark.parametrize("damage", DAMAGES)
def test_broken_data_is_found(damage: str) -> None:
    statements, table = DAMAGES[damage]
    with closing(AppStore()) as store:
        assert broken_in_store(store) == []
        with store.writing() as connection:
            for statement in statements:
                connection.execute(statement)
        assert {finding.table for finding in broken_in_store(store)} == {table}


def test_a_wrong_statement_is_an_internal_error(store: AppStore) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"), store.reading() as connection:
        connection.execute("SELECT 1 FROM elsewhere")


def test_a_file_that_cannot_be_opened_is_reported_with_what_to_check(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match=r"a\.app\.sqlite: cannot be opened; check that it is there"):
        AppStore(tmp_path / "a.app.sqlite")
