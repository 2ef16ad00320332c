"""A warehouse and its app store belong together: created, split, packed, restored and refused as one, despite kills."""

import json
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from ingest.app_store import AppStore, store_file
from ingest.errors import WarehouseError
from ingest.opening import open_for_reading, open_store, open_warehouse
from ingest.operations import run_operation
from ingest.people.drafts import Change, changes_of, list_drafts
from ingest.people.studies import list_studies
from ingest.people.tokens import Scope, all_tokens, create_token
from ingest.tables.definitions import SCHEMA_VERSION
from tests.copies import copied
from tests.forked import run
from tests.ingest.helping import contents, noted, rows
from tests.ingest.test_upgrade import LATEST, OLDEST, of_version

"""The last version whose warehouse contained the app store's tables."""
STUDY = json.dumps({"title": "Openings", "chapters": [{"title": "One", "match": "old.3"}]})
OF_PEOPLE = f"""
INSERT INTO tokens VALUES ('laptop', 'a', '2026-01-01', ['send', 'read'], '2027-01-01', NULL, NULL);
INSERT INTO tokens VALUES ('desk', 'b', '2026-01-02 09:30:00.5', ['operate'], NULL, '2026-02-01 10:00:00', NULL);
INSERT INTO audit VALUES
    (7, '2026-01-01', '2026-01-01 00:10:00', 3, 'laptop', 'token', '::1', 'send logs', '', 'done');
INSERT INTO bookmarks VALUES ('1', 'old.3', '5.2', 'Zoë’s turn', ['x', 'y z'], '2026-01-01', '2026-01-02');
INSERT INTO branches VALUES ('2', 'old.3', '{{"match":"old.3"}}', 'Try', 'local', '2026-01-03');
INSERT INTO studies VALUES ('3', 'Openings', 1, '{STUDY}', 'laptop', '2026-01-04', '2026-01-05');
INSERT INTO drafts VALUES ('4', 'summit', '{{"seats": []}}', 'Sunday', 'local', '2026-01-06');
INSERT INTO draft_changes VALUES ('4', 1, '{{"add": {{}}}}', 1, false, 'local', '2026-01-06 18:00:00');
INSERT INTO draft_changes VALUES ('4', 2, '{{"undo": 0}}', 0, true, 'chance', '2026-01-06 18:01:00');
"""
DIES = """
import os, signal, sys
from pathlib import Path
from ingest.people import pairing
from ingest.app_store import AppStore
from ingest.maintenance.restore import restore_database
from ingest.opening import open_warehouse

moment, name = sys.argv[2], sys.argv[2].removeprefix("after ")
owner = AppStore if name == "put" else pairing
work = getattr(owner, name)

def dying(*arguments, **named):
    if moment.startswith("after "):
        work(*arguments, **named)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(owner, name, dying)
if len(sys.argv) > 3:
    restore_database(Path(sys.argv[1]), Path(sys.argv[3]), lambda _: None)
else:
    open_warehouse(Path(sys.argv[1]))
"""


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A database of the previous version with users' data."""
    database = of_version(LATEST, tmp_path)
    with duckdb.connect(str(database)) as connection:
        connection.execute(OF_PEOPLE)
    return database


@pytest.fixture
def database(tmp_path: Path) -> Path:
    open_warehouse(tmp_path / "w.duckdb").close()
    return tmp_path / "w.duckdb"


def check_split(database: Path) -> None:
    """Check that all of `OF_PEOPLE` is in the app store, and nothing of it in the warehouse."""
    with open_warehouse(database) as warehouse:
        store = warehouse.app
        laptop, desk = all_tokens(store)
        assert (laptop.scopes, laptop.created_at) == ({Scope.READ, Scope.SEND}, at("2026-01-01"))
        assert laptop.expires_at == at("2027-01-01")
        assert (desk.name, desk.created_at) == ("desk", at("2026-01-02T09:30:00.500"))
        assert desk.used_at == at("2026-02-01T10:00")
        (study,) = list_studies(store)
        assert (study.title, study.match, study.changed_at) == ("Openings", "old.3", at("2026-01-05"))
        (draft,) = list_drafts(store)
        assert (draft.draft.title, draft.entries, draft.is_over) == ("Sunday", 0, True)
        last = Change({"undo": 0}, 0, is_over=True, by="chance", at=at("2026-01-06T18:01"))
        assert changes_of(store, "4", 1) == [last]
    assert noted(database, "SELECT label, tags, ply FROM bookmarks") == [("Zoë’s turn", '["x","y z"]', "5.2")]
    assert noted(database, "SELECT title, document FROM branches") == [("Try", '{"match":"old.3"}')]
    assert noted(database, "SELECT times, who, action FROM audit") == [(3, "laptop", "send logs")]
    assert rows(database, "SELECT max(version) FROM schema_version") == [SCHEMA_VERSION]
    names = rows(database, "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database()")
    assert {"bookmarks", "tokens", "audit", "studies", "drafts"} & set(names) == set()
    assert rows(database, "SELECT contents IS NULL FROM app_store") == [True]


def test_an_older_database_is_split_when_opened(older: Path) -> None:
    matches = rows(older, "SELECT match FROM raw_matches ORDER BY 1")
    check_split(older)
    assert rows(older, "SELECT match FROM raw_matches ORDER BY 1") == matches


@pytest.mark.slow("another kept version")
def test_tokens_older_than_scopes_have_the_usual_ones(tmp_path: Path) -> None:
    database = of_version(OLDEST, tmp_path)
    with duckdb.connect(str(database)) as connection:
        connection.execute("INSERT INTO tokens (name, sha256, created_at) VALUES ('laptop', 'a', '2026-01-01')")
    with open_warehouse(database) as warehouse:
        (token,) = all_tokens(warehouse.app)
    assert token.scopes == {Scope.READ, Scope.SEND, Scope.WRITE, Scope.RUN}


@pytest.mark.slow("another kept version")
def test_a_recreated_database_is_split_too(tmp_path: Path) -> None:
    database = of_version(OLDEST, tmp_path)
    with duckdb.connect(str(database)) as connection:
        made = "CREATE TABLE IF NOT EXISTS bookmarks (id VARCHAR, match VARCHAR, ply VARCHAR, label VARCHAR, "
        connection.execute(f"{made} tags VARCHAR[], created_at TIMESTAMP, changed_at TIMESTAMP)")
        connection.execute("INSERT INTO bookmarks VALUES ('1', 'b', NULL, 'then', [], '2026-01-01', '2026-01-01')")
    open_warehouse(database).close()
    moment = "2026-01-01T00:00:00.000000+00:00"
    assert noted(database, "SELECT label, tags, created_at FROM bookmarks") == [("then", "[]", moment)]


@pytest.mark.parametrize(
    "moment", ["after put", *(pytest.param(each, marks=pytest.mark.slow("another kill")) for each in ("put", "split"))]
)
def test_a_split_that_was_killed_is_finished_at_the_next_opening(older: Path, moment: str) -> None:
    killed = run([sys.executable, "-c", DIES, str(older), moment.replace("split", "_carry_over")])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    check_split(older)


@pytest.mark.slow("another kill")
def test_a_token_made_between_the_steps_of_a_split_stays(older: Path) -> None:
    assert run([sys.executable, "-c", DIES, str(older), "after put"]).returncode == -signal.SIGKILL
    with closing(open_store(older)) as store:
        create_token(store, "new")
    open_warehouse(older).close()
    assert noted(older, "SELECT name FROM tokens ORDER BY 1") == ["desk", "laptop", "new"]


def test_a_backup_is_one_file_that_is_read_as_it_is(older: Path, tmp_path: Path) -> None:
    open_warehouse(older).close()
    held, backup = contents(older), tmp_path / "b.duckdb"
    run_operation(older, "backup", {"file": str(backup)})
    assert contents(backup) == held
    with open_for_reading(backup) as warehouse:
        assert len(list_studies(warehouse.app)) == 1
        with pytest.raises(WarehouseError, match="cannot be written to"):
            create_token(warehouse.app, "new")
    assert not store_file(backup).exists()
    open_warehouse(backup).close()
    assert (store_file(backup).exists(), contents(backup)) == (True, held)


@pytest.mark.parametrize("moment", ["after _restore", pytest.param("_restore", marks=pytest.mark.slow("another kill"))])
def test_a_restore_killed_between_the_files_is_finished_at_the_next_opening(
    older: Path, tmp_path: Path, moment: str
) -> None:
    backup = tmp_path / "b.duckdb"
    run_operation(older, "backup", {"file": str(backup)})
    with closing(open_store(older)) as store, store.writing() as connection:
        connection.execute("DELETE FROM bookmarks")
        connection.execute("DELETE FROM tokens")
    killed = run([sys.executable, "-c", DIES, str(older), moment, str(backup)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    open_warehouse(older).close()
    assert (noted(older, "SELECT id FROM bookmarks"), noted(older, "SELECT name FROM tokens")) == (["1"], [])
    before = Path(f"{older}.before-restore")
    open_warehouse(before).close()
    assert noted(before, "SELECT id FROM bookmarks") == [], "as it was before"


def test_an_older_backup_is_restored_with_the_notes_of_users(older: Path, tmp_path: Path) -> None:
    backup = older.rename(tmp_path / "old-backup.duckdb")
    open_warehouse(tmp_path / "w.duckdb").close()
    with closing(open_store(tmp_path / "w.duckdb")) as store:
        create_token(store, "today")
    run_operation(tmp_path / "w.duckdb", "restore", {"file": str(backup)})
    assert noted(tmp_path / "w.duckdb", "SELECT label FROM bookmarks") == ["Zoë’s turn"]
    assert noted(tmp_path / "w.duckdb", "SELECT name FROM tokens") == ["today"]


@pytest.mark.slow("another kind of copy")
def test_a_copy_of_both_files_is_restored(older: Path, tmp_path: Path) -> None:
    open_warehouse(older).close()
    copy = copied(older, tmp_path / "copy.duckdb")
    with closing(open_store(older)) as store, store.writing() as connection:
        connection.execute("DELETE FROM studies")
    run_operation(older, "restore", {"file": str(copy)})
    assert noted(older, "SELECT title FROM studies") == ["Openings"]


def test_notes_stay_when_logs_are_ingested_again(older: Path) -> None:
    open_warehouse(older).close()
    older.unlink()
    open_warehouse(older).close()
    assert noted(older, "SELECT label FROM bookmarks") == ["Zoë’s turn"]


def missing(store: Path) -> None:
    store.unlink()


def damaged(store: Path) -> None:
    store.write_bytes(b"not any more" * 1_000)


def of_another(store: Path) -> None:
    store.unlink()
    AppStore(warehouse="another").put(store)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (missing, "missing, with its tokens, bookmarks, studies and recordings; put it back next to w.duckdb"),
        (damaged, "damaged, or not a file of himalaya; restore a backup"),
        (of_another, "belongs to another database than w.duckdb; put the right file there"),
    ],
)
def test_an_unusable_store_is_named_and_the_warehouse_keeps_working(
    database: Path, spoil: Callable[[Path], None], says: str
) -> None:
    spoil(store_file(database))
    with open_warehouse(database) as warehouse:
        assert says in str(warehouse.app.problem)
        assert all_tokens(warehouse.app) == []
        with pytest.raises(WarehouseError, match=r"w\.app\.sqlite: "):
            create_token(warehouse.app, "laptop")
    assert run_operation(database, "vacuum", {})["rows"]["app_store"] == 1
    findings = run_operation(database, "check", {})["findings"]
    assert [(finding["table"], says in finding["text"]) for finding in findings] == [("app_store", True)]
    for name, arguments in (("backup", {"file": str(database.with_name("b.duckdb"))}), ("forget", {"matches": ["a"]})):
        with pytest.raises(WarehouseError, match=r"w\.app\.sqlite: "):
            run_operation(database, name, arguments)


def test_an_empty_file_becomes_a_new_store(database: Path) -> None:
    store_file(database).write_bytes(b"")
    with open_warehouse(database) as warehouse:
        create_token(warehouse.app, "laptop")
    assert noted(database, "SELECT name FROM tokens") == ["laptop"]


def test_a_restore_moves_a_damaged_store_away(database: Path, tmp_path: Path) -> None:
    with closing(open_store(database)) as store:
        create_token(store, "laptop")
    run_operation(database, "backup", {"file": str(tmp_path / "b.duckdb")})
    damaged(store_file(database))
    run_operation(database, "restore", {"file": str(tmp_path / "b.duckdb")})
    assert noted(database, "SELECT name FROM tokens") == ["laptop"]
    assert Path(f"{store_file(database)}.damaged").exists()
