"""A backup served as a replica: a newer backup is used once it exists, and current readers finish on the old one."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.backup import back_up
from ingest.opening import open_warehouse
from ingest.replica import Replica
from ingest.warehouse import Warehouse

COUNT = "select count(*) from ingested_files"


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return backed_up(tmp_path, 1)


def backed_up(folder: Path, rows: int) -> Path:
    """Write a backup with a number of rows in a table, replacing the previous one."""
    with open_warehouse(folder / f"{rows}.duckdb") as warehouse:
        with warehouse.writing() as connection:
            connection.execute("insert into ingested_files select 'f', 1, '', 0, 0, 0, 1 from range($n)", {"n": rows})
        return Path(back_up(warehouse, {"file": str(folder / "backup.duckdb"), "force": True}, lambda _: None)["file"])


@pytest.fixture
def replica(backup: Path) -> Iterator[Replica]:
    with Replica(backup) as opened:
        yield opened


def rows(replica: Warehouse) -> int:
    with replica.reading() as cursor:
        return int(cursor.execute(COUNT).fetchall()[0][0])


def test_a_newer_backup_is_read_once_it_is_there(replica: Replica, tmp_path: Path) -> None:
    assert rows(replica) == 1
    first = replica.written_at
    for number in (2, 3):
        backed_up(tmp_path, number)
        assert rows(replica) == number
    assert replica.written_at > first
    assert replica.database == tmp_path / "backup.duckdb"


@pytest.mark.slow("a replica in use")
def test_readers_of_the_former_backup_finish_on_it(replica: Replica, tmp_path: Path) -> None:
    with replica.reading() as cursor:
        backed_up(tmp_path, 2)
        assert cursor.execute(COUNT).fetchall() == [(1,)]
        assert rows(replica) == 1  # a nested query uses the same backup
        found: list[int] = []
        other = threading.Thread(target=lambda: found.append(rows(replica)))
        other.start()
        other.join()
        assert found == [2]
        assert cursor.execute(COUNT).fetchall() == [(1,)]
    assert rows(replica) == 2


@pytest.mark.slow("a replica in use")
def test_a_request_reads_one_backup(replica: Replica, tmp_path: Path) -> None:
    with replica.of_one_file():
        assert rows(replica) == 1
        backed_up(tmp_path, 2)
        assert rows(replica) == 1
    assert rows(replica) == 2


@pytest.mark.slow("a second newer backup")
def test_files_are_closed_after_their_last_reader(replica: Replica, tmp_path: Path) -> None:
    for number in (2, 3):
        backed_up(tmp_path, number)
        rows(replica)
    assert sum("backup.duckdb" in handle for handle in handles()) == 1


def handles() -> Iterator[str]:
    """Yield the names of the files that this process has open."""
    for handle in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the handle used for listing is already closed
            yield str(handle.readlink())


@pytest.mark.slow("a replica in use")
def test_a_file_that_is_no_backup_is_not_read(
    replica: Replica, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"no database" * 9_999)
    other.replace(tmp_path / "backup.duckdb")
    assert [rows(replica) for _ in range(3)] == [1, 1, 1]
    assert caplog.text.count("the former one is still served") == 1
    (tmp_path / "backup.duckdb").unlink()
    assert rows(replica) == 1
    backed_up(tmp_path, 2)
    assert rows(replica) == 2


def test_nothing_can_be_written(replica: Replica, backup: Path) -> None:
    before = backup.read_bytes()
    for write in (replica.writing, replica.put_away):
        with pytest.raises(WarehouseError, match="cannot be written to"), write():
            pass
    assert backup.read_bytes() == before


def test_a_missing_backup_is_reported(tmp_path: Path) -> None:
    with pytest.raises(WarehouseError, match="no such backup"):
        Replica(tmp_path / "nothing.duckdb")


@pytest.mark.slow("a replica in use")
def test_a_folder_may_be_given_by_another_name(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    with Replica(tmp_path / "link" / backup.name) as replica:
        shutil.copy(backed_up(tmp_path, 2), tmp_path / "next")
        (tmp_path / "next").replace(backup)
        assert rows(replica) == 2
