"""Backup, restore and vacuum are all or nothing, despite readers, writers, kills or a full disk."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.errors import WarehouseError, WarehouseInUse
from ingest.load import load
from ingest.maintenance import backup as copies
from ingest.maintenance.backup import back_up, vacuum
from ingest.maintenance.restore import restore, restore_database
from ingest.opening import open_store, open_warehouse
from ingest.operations import run_operation
from ingest.people.tokens import create_token, revoke_token
from ingest.pipeline import Request, ingest, take_in
from ingest.warehouse import Warehouse
from tests.copies import copied
from tests.forked import run
from tests.ingest.helping import begun, contents, noted, rows, write
from tests.ingest.meeting import Readers

DIES = """
import os, signal, sys
from pathlib import Path
from ingest.maintenance import backup as copies
from ingest.maintenance import rewrite
from ingest.operations import run_operation

def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)

moment, name, database, file = sys.argv[1:]
if moment == "copied":
    rewrite.sync = die
elif moment == "closed":
    copies.swap = die
elif moment == "kept":
    copies._keep = lambda *arguments, keep=copies._keep: die(keep(*arguments))
elif moment == "replaced":
    copies.sync = die
run_operation(Path(database), name, {"file": file})
"""
NOTE = "w.duckdb.backup.json"
BEFORE = ["w.duckdb.before-restore", "w.duckdb.before-restore.app.sqlite"]
"""The file with the time of the last backup."""
LIMITED = """
import resource, signal, sys
from himalaya_core.cli.main import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with a quarantined match and one completed late, so that rows are out of order."""
    folder = tmp_path_factory.mktemp("made")
    path, logs = folder / "w.duckdb", folder / "logs"
    logs.mkdir()
    write(logs / "a.jsonl", begun("a")[:40])
    ingest([logs], path)
    write(logs / "b.jsonl", begun("b"), begun("c"), begun("bad")[2:])
    ingest([logs], path)
    write(logs / "a.jsonl", begun("a"))
    ingest([logs], path)
    return path


@pytest.fixture(scope="module")
def held(made: Path) -> dict[str, list[Any]]:
    """The contents of the warehouse in `made`."""
    return contents(made)


@pytest.fixture(scope="module")
def backed_up(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("backed-up") / "b.duckdb"
    run_operation(made, "backup", {"file": str(file)})
    return file


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


@pytest.fixture
def warehouse(database: Path) -> Iterator[Warehouse]:
    with open_warehouse(database) as opened:
        yield opened


def leftovers(folder: Path) -> list[str]:
    """Return the names of other files in a folder, except the app store in use."""
    return sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != "w.app.sqlite")


def quiet(_: dict[str, Any]) -> None:
    pass


# --- Backups


def test_a_backup_holds_every_row_and_view(database: Path, tmp_path: Path, held: dict[str, list[Any]]) -> None:
    done = run_operation(database, "backup", {"file": str(tmp_path / "b.duckdb")})
    assert contents(tmp_path / "b.duckdb") == held
    assert rows(tmp_path / "b.duckdb", "FROM fct_climbers_ladders ORDER BY ALL") == rows(
        database, "FROM fct_climbers_ladders ORDER BY ALL"
    )
    assert done["rows"]["raw_matches"] == 3
    assert done["size"] == (tmp_path / "b.duckdb").stat().st_size
    assert leftovers(tmp_path) == ["b.duckdb", "w.duckdb", NOTE]


def test_a_backup_replaces_a_file_only_on_request(warehouse: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "b.duckdb"
    file.write_text("precious")
    with pytest.raises(WarehouseError, match=r"exists already; name another file, or overwrite it with --force"):
        back_up(warehouse, {"file": str(file)}, quiet)
    assert file.read_text() == "precious"
    back_up(warehouse, {"file": str(file), "force": True}, quiet)
    assert rows(file, "SELECT count(*) FROM raw_matches") == [3]


@pytest.mark.parametrize(
    ("name", "says"),
    [("nowhere/b.duckdb", "no such folder"), (".", ": a folder; name a file"), ("w.duckdb", ": the database itself")],
)
def test_a_backup_at_an_impossible_place_is_refused(warehouse: Warehouse, tmp_path: Path, name: str, says: str) -> None:
    with pytest.raises(WarehouseError, match=says):
        back_up(warehouse, {"file": str(tmp_path / name), "force": True}, quiet)


def test_a_folder_that_may_not_be_written_to(warehouse: Warehouse) -> None:
    with pytest.raises(WarehouseError, match=r"^/proc/b\.duckdb|/proc/\.b\.duckdb") as error:
        back_up(warehouse, {"file": "/proc/b.duckdb"}, quiet)
    assert "\n" not in str(error.value)
    with warehouse.reading() as reader:
        assert reader.execute("SELECT count(*) FROM raw_matches").fetchall() == [(3,)]


@pytest.mark.slow("beside an ingest")
def test_backups_during_an_ingest_hold_whole_batches_only(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [write(tmp_path / f"{number}.jsonl", begun(f"n.{number}")) for number in range(2)]
    backed, loaded = threading.Semaphore(0), threading.Semaphore(0)
    fill = load.fill_tables

    def fill_and_wait(connection: duckdb.DuckDBPyConnection, *_: object) -> None:
        fill(connection)
        loaded.release()  # releases the ingest in the middle of a batch
        backed.acquire(timeout=60)

    def take() -> None:
        for path in logs:
            take_in(warehouse, Request((path,), jobs=0), lambda _: None)

    monkeypatch.setattr(load, "fill_tables", fill_and_wait)
    running = threading.Thread(target=take)
    running.start()
    found: list[int] = []
    for _ in logs:
        assert loaded.acquire(timeout=60)
        back_up(warehouse, {"file": str(tmp_path / "b.duckdb"), "force": True}, quiet)
        backed.release()
        sums = "SELECT count(*), sum(events), (SELECT count(*) FROM events), (SELECT count(*) FROM dim_matches)"
        ((matches, events, seen, known),) = rows(tmp_path / "b.duckdb", f"{sums} FROM raw_matches")
        assert (events, matches) == (seen, known)
        found.append(matches)
    running.join()
    assert found == [3, 4]


@pytest.mark.slow("another kill")
def test_a_backup_that_is_stopped_leaves_nothing(warehouse: Warehouse, tmp_path: Path) -> None:
    before = leftovers(tmp_path)

    def stop(at: dict[str, Any]) -> None:
        if at["done"] > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(warehouse, {"file": str(tmp_path / "b.duckdb")}, stop)
    assert leftovers(tmp_path) == before
    assert back_up(warehouse, {"file": str(tmp_path / "b.duckdb")}, quiet)["rows"]["raw_matches"] == 3


def test_a_backup_unlike_its_source_is_refused(
    warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slices = copies.write_again.__globals__["_slices"]

    def lossy(table: str, *arguments: Any) -> Iterator[str]:
        for part in slices(table, *arguments):
            yield f"FROM ({part}) LIMIT 2" if table == "dim_matches" else part

    monkeypatch.setitem(copies.write_again.__globals__, "_slices", lossy)
    with pytest.raises(WarehouseError, match="the table dim_matches was not written correctly"):
        back_up(warehouse, {"file": str(tmp_path / "b.duckdb")}, quiet)
    assert not (tmp_path / "b.duckdb").exists()


# --- Compacting by vacuum


def test_vacuum_sorts_rows_and_frees_space(warehouse: Warehouse) -> None:
    order = "SELECT match_id FROM stg_climbers_climber_stepped"
    with warehouse.writing() as connection:
        connection.execute("CREATE TABLE ballast AS SELECT random() FROM range(1000000)")
        connection.execute("CHECKPOINT")
        connection.execute("DROP TABLE ballast")
        ids = [number for (number,) in connection.execute(order).fetchall()]
        assert ids != sorted(ids)
    done = vacuum(warehouse, {}, quiet)
    assert done["after"] == warehouse.database.stat().st_size < done["before"]
    with warehouse.reading() as connection:
        assert [number for (number,) in connection.execute(order).fetchall()] == sorted(ids)


@pytest.mark.slow("many logs")
def test_a_copy_of_many_logs_has_little_free_space(tmp_path: Path) -> None:
    columns = "match_id, match, lines, bytes_sha256, size, file, first_line, events, plies, rounds, ingested_in"
    digests = ", ".join(f"sha256('{part}' || id)" for part in range(8))  # half a kilobyte of incompressible text
    values = f"id, 'm' || id, encode(concat({digests})), sha256('' || id), 512, 'f', 1, 1, 1, 1, 1"
    with open_warehouse(tmp_path / "many.duckdb") as warehouse:
        with warehouse.writing() as connection:
            connection.execute(f"INSERT INTO raw_matches ({columns}) SELECT {values} FROM range(45_000) ids(id)")
        back_up(warehouse, {"file": str(tmp_path / "copy.duckdb")}, quiet)
    with duckdb.connect(tmp_path / "copy.duckdb", read_only=True) as connection:
        size = "SELECT free_blocks, total_blocks FROM pragma_database_size()"
        ((free, total),) = connection.execute(size).fetchall()
    assert total > 80, "blocks of a quarter of a megabyte each"
    assert free < total / 20


def test_vacuum_changes_no_row(database: Path, tmp_path: Path, held: dict[str, list[Any]]) -> None:
    mode = 0o640
    database.chmod(mode)
    run_operation(database, "vacuum", {})
    assert contents(database) == held
    assert leftovers(tmp_path) == ["w.duckdb"]
    assert database.stat().st_mode & 0o777 == mode


@pytest.mark.slow("another way to name a database")
def test_a_link_to_a_database_stays_a_link(database: Path, tmp_path: Path) -> None:
    (tmp_path / "link.duckdb").symlink_to(database)
    run_operation(tmp_path / "link.duckdb", "vacuum", {})
    assert (tmp_path / "link.duckdb").is_symlink()
    assert rows(database, "SELECT count(*) FROM raw_matches") == [3]


@pytest.mark.slow("processes and readers")
def test_readers_notice_nothing_of_a_vacuum(warehouse: Warehouse) -> None:
    def count_events(_: int) -> int:
        with warehouse.reading() as connection:
            ((events,),) = connection.execute("SELECT count(*) FROM events").fetchall()
        return int(events)

    met: list[str] = []

    def meanwhile(at: dict[str, Any]) -> None:
        if at["what"] == "comparing" and not met:
            readers.wait_for_all()
            met.append(at["what"])

    with Readers(3, count_events) as readers:
        vacuum(warehouse, {}, meanwhile)
    assert met
    assert len(set(chain.from_iterable(readers.answers()))) == 1


def test_a_file_about_to_be_replaced_is_locked(database: Path) -> None:
    look = "import duckdb, sys; duckdb.connect(sys.argv[1])"
    with copies.unlocked(database):
        other = subprocess.run([sys.executable, "-c", look, str(database)], capture_output=True, check=False)
    assert b"Could not set lock" in other.stderr


@pytest.mark.slow("processes and readers")
def test_a_file_in_use_is_not_replaced(database: Path, tmp_path: Path) -> None:
    run_operation(database, "backup", {"file": str(tmp_path / "b.duckdb")})
    hold = "import duckdb, sys; held = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(database)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(WarehouseInUse, match=f"in use by process {other.pid}"):
            restore_database(database, tmp_path / "b.duckdb", quiet)
        other.communicate()


# --- Restoring a backup


def test_a_restored_warehouse_is_that_of_the_backup(
    database: Path, tmp_path: Path, backed_up: Path, held: dict[str, list[Any]]
) -> None:
    file = copied(backed_up, tmp_path)
    ingest([write(tmp_path / "d.jsonl", begun("d"))], database)
    now = contents(database)
    done = restore_database(database, file, quiet)
    assert contents(database) == held
    assert contents(Path(done["kept"])) == now
    assert leftovers(tmp_path) == ["b.duckdb", "d.jsonl", "w.duckdb", *BEFORE]


def test_restoring_removes_no_file_of_a_database_with_a_similar_name(
    database: Path, tmp_path: Path, backed_up: Path
) -> None:
    mine, another = tmp_path / "w[1].duckdb", tmp_path / ".w1.duckdb.restore.schema-2"
    database.rename(mine)
    another.touch()
    restore_database(mine, backed_up, quiet)
    assert another.exists()


@pytest.mark.slow("processes and readers")
def test_a_warehouse_is_restored_while_it_is_read(warehouse: Warehouse, tmp_path: Path) -> None:
    back_up(warehouse, {"file": str(tmp_path / "b.duckdb")}, quiet)
    take_in(warehouse, Request((write(tmp_path / "d.jsonl", begun("d")),), jobs=1), lambda _: None)
    with warehouse.reading() as reader:
        assert reader.execute("SELECT count(*) FROM dim_matches").fetchall() == [(4,)]
    restore(warehouse, {"file": str(tmp_path / "b.duckdb")}, quiet)
    with warehouse.reading() as reader:
        assert reader.execute("SELECT count(*) FROM dim_matches").fetchall() == [(3,)]


@pytest.mark.slow("forgotten, as in test_forget")
@pytest.mark.parametrize("is_served", [True, pytest.param(False, marks=pytest.mark.soak("every moment of a kill"))])
def test_forgotten_matches_and_revoked_tokens_do_not_come_back(database: Path, tmp_path: Path, is_served: bool) -> None:
    file = tmp_path / "b.duckdb"
    with closing(open_store(database)) as store:
        for name in ("old", "lost"):
            create_token(store, name)
        run_operation(database, "backup", {"file": str(file)})
        revoke_token(store, "lost")
        create_token(store, "new")
    run_operation(database, "forget", {"matches": ["b", "bad"]})
    done = (
        run_operation(database, "restore", {"file": str(file)})
        if is_served
        else restore_database(database, file, quiet)
    )
    assert (done["rows"]["raw_matches"], done["forgotten"], done["carried"]) == (2, 1, True)
    assert rows(database, "SELECT match FROM dim_matches ORDER BY 1") == ["a", "c"]
    assert rows(database, "SELECT count(*) FROM quarantine") == [0]
    assert noted(database, "SELECT name FROM tokens ORDER BY 1") == ["new", "old"]
    assert ingest([write(tmp_path / "b.jsonl", begun("b"))], database).forgotten == 1
    assert leftovers(tmp_path) == ["b.duckdb", "b.jsonl", "w.duckdb", NOTE, *BEFORE]


@pytest.mark.slow("forgotten by its first line alone, in a copy")
def test_the_start_of_a_forgotten_match_is_forgotten_in_the_copy(tmp_path: Path) -> None:
    database, logs, file = tmp_path / "w.duckdb", tmp_path / "a.jsonl", tmp_path / "b.duckdb"
    ingest([write(logs, begun("a")[:40], begun("b"))], database)
    run_operation(database, "backup", {"file": str(file)})
    ingest([write(logs, begun("a"))], database)
    run_operation(database, "forget", {"matches": ["a"]})
    assert restore_database(database, file, quiet)["forgotten"] == 1
    assert rows(database, "SELECT match FROM raw_matches") == ["b"]


@pytest.mark.slow("a damaged file, further on")
@pytest.mark.parametrize("state", ["missing", "damaged", "with a damaged log beside it"])
def test_a_database_that_cannot_be_opened_is_restored(
    database: Path, backed_up: Path, held: dict[str, list[Any]], state: str
) -> None:
    match state:
        case "missing":
            database.unlink()
        case "damaged":
            database.write_bytes(b"\0" * 20_000)
        case _:
            Path(f"{database}.wal").write_bytes(b"nonsense" * 1000)
    done = restore_database(database, backed_up, quiet)
    assert contents(database) == held
    assert (done["kept"] is None, done["carried"]) == (state == "missing", state != "damaged")


def no_database(file: Path) -> None:
    file.write_text("hello, I am a file of text, not a database")


def of_somebody_else(file: Path) -> None:
    with duckdb.connect(file) as connection:
        connection.execute("CREATE TABLE sales (x INTEGER)")


def cut_in_half(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def with_a_bad_block(file: Path) -> None:
    """Change a byte that no query about matches reads."""
    with duckdb.connect(file) as connection:
        blocks = {
            name: {
                block
                for (block,) in connection.execute(
                    f"SELECT block_id FROM pragma_storage_info('{name}') WHERE persistent AND block_id >= 0"
                ).fetchall()
            }
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        }
    (number, *_) = blocks["stg_climbers_block_placed"] - blocks["raw_matches"] - blocks["dim_matches"]
    text = bytearray(file.read_bytes())
    text[3 * 4096 + number * 262_144 + 5_000] ^= 0xFF
    file.write_bytes(text)


def with_rows_missing(file: Path) -> None:
    with duckdb.connect(file) as connection:
        connection.execute("DELETE FROM stg_climbers_climber_stepped WHERE match_id = 2")


def of_a_newer_himalaya(file: Path) -> None:
    with duckdb.connect(file) as connection:
        connection.execute("INSERT INTO schema_version VALUES (99)")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (no_database, "not a DuckDB file"),
        (of_somebody_else, "not a backup of himalaya"),
        (cut_in_half, "damaged"),
        (with_a_bad_block, "damaged"),
        (with_rows_missing, "events; use another backup"),
        (of_a_newer_himalaya, "written by a newer himalaya"),
        (Path.unlink, "no such file"),
    ],
)
def test_a_copy_that_is_not_sound_is_refused(
    database: Path, tmp_path: Path, backed_up: Path, held: dict[str, list[Any]], spoil: Any, says: str
) -> None:
    file = tmp_path / "b.duckdb"
    if spoil is not of_somebody_else:
        copied(backed_up, file)
    spoil(file)
    with pytest.raises(WarehouseError, match=says) as error:
        restore_database(database, file, quiet)
    assert str(error.value).startswith(str(file))
    assert contents(database) == held
    assert set(leftovers(tmp_path)) <= {"b.duckdb", "w.duckdb"}


# --- Killed operations, and a full disk


@pytest.mark.slow("another kill")
@pytest.mark.parametrize(
    ("name", "moment"),
    [
        ("restore", "replaced"),
        pytest.param("backup", "copied", marks=pytest.mark.soak("another moment of a kill")),
        pytest.param("vacuum", "closed", marks=pytest.mark.soak("another moment of a kill")),
        pytest.param("backup", "replaced", marks=pytest.mark.soak("every moment of a kill")),
        pytest.param("restore", "kept", marks=pytest.mark.soak("every moment of a kill")),
        pytest.param("vacuum", "copied", marks=pytest.mark.soak("every moment of a kill")),  # a backup does this
        pytest.param("vacuum", "replaced", marks=pytest.mark.soak("every moment of a kill")),  # a restore does this
        pytest.param("restore", "closed", marks=pytest.mark.soak("every moment of a kill")),  # a vacuum does this
    ],
)
def test_killed_at_any_moment_the_name_refers_to_a_whole_warehouse(
    database: Path, tmp_path: Path, backed_up: Path, held: dict[str, list[Any]], name: str, moment: str
) -> None:
    file, before = tmp_path / "b.duckdb", held
    if name == "restore":
        copied(backed_up, file)
    command = [sys.executable, "-c", DIES, moment, name, str(database), str(file)]
    killed = run(command)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert contents(database) == before
    if file.exists():
        assert contents(file) == before
    run_operation(database, name, {"file": str(file), "force": True})
    assert contents(database) == before
    assert set(leftovers(tmp_path)) <= {"b.duckdb", "w.duckdb", *BEFORE, NOTE}


@pytest.mark.parametrize(
    "arguments",
    [
        ["restore", "C"],
        pytest.param(["vacuum"], marks=pytest.mark.slow("another full disk")),
        pytest.param(["backup", "B"], marks=pytest.mark.soak("every moment of a kill")),
    ],
)
def test_on_a_full_disk_nothing_is_changed(
    database: Path, tmp_path: Path, backed_up: Path, held: dict[str, list[Any]], arguments: list[str]
) -> None:
    copied(backed_up, tmp_path / "C")
    files = leftovers(tmp_path)
    named = [str(tmp_path / word) if word.isupper() else word for word in arguments]
    command = [sys.executable, "-c", LIMITED, str(1 << 20), *named, "--db", str(database)]
    full = run(command, text=True)
    assert "the disk is full" in full.stderr or "File too large" in full.stderr
    assert full.stderr.count("\n") == 1
    assert (contents(database), leftovers(tmp_path)) == (held, files)
