"""After compaction, logs loaded a few at a time take no more space than logs loaded together."""

import shutil
import threading
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from ingest.inbox import drain
from ingest.inbox.loading import Body, load_bodies
from ingest.inbox.receive import Intake
from ingest.maintenance import backup
from ingest.maintenance.backup import Compaction
from ingest.opening import open_warehouse
from ingest.pipeline import ingest
from ingest.validate.pool import ValidationPool
from ingest.warehouse import ROW_GROUP, Warehouse
from tests.ingest.alike import unlike
from tests.ingest.helping import begun, write

ONE_BY_ONE = 8


def files(folder: Path) -> list[Path]:
    folder.mkdir()
    return [write(folder / f"{number}.jsonl", begun(f"m.{number}")) for number in range(ONE_BY_ONE)]


def load_each(warehouse: Warehouse, paths: Sequence[Path]) -> None:
    """Load files one by one, and write each to the database file, as the next large load would."""
    with ValidationPool(0) as pool:
        for path in paths:
            body = Body(path, sha256(path.read_bytes()).hexdigest())
            load_bodies(warehouse, [body], pool, lambda *_: None, lambda: None)
            with warehouse.writing() as connection:
                connection.execute("CHECKPOINT")


@pytest.fixture(scope="module")
def one_by_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with two databases of the same logs: loaded together, and one by one."""
    folder = tmp_path_factory.mktemp("compaction")
    paths = files(folder / "logs")
    ingest(paths, folder / "bulk.duckdb", processes=0)
    with open_warehouse(folder / "w.duckdb") as warehouse:
        load_each(warehouse, paths)
    return folder


@pytest.fixture
def warehouse(one_by_one: Path, tmp_path: Path) -> Iterator[Warehouse]:
    copy = Path(shutil.copy(one_by_one / "w.duckdb", tmp_path / "w.duckdb"))
    with open_warehouse(copy) as opened:
        yield opened


@pytest.mark.slow("eight logs, one by one")
def test_matches_loaded_one_by_one_are_compacted_when_idle(one_by_one: Path, warehouse: Warehouse) -> None:
    bulk = (one_by_one / "bulk.duckdb").stat().st_size
    assert warehouse.database.stat().st_size > 1.5 * bulk
    Compaction(warehouse).when_quiet(lambda: None)
    assert warehouse.database.stat().st_size <= 1.3 * bulk
    warehouse.close()
    assert unlike(warehouse.database, one_by_one / "bulk.duckdb") == {}


@pytest.mark.slow("a large file")
def test_a_file_of_many_full_groups_is_left_alone(tmp_path: Path) -> None:
    def come() -> None:
        raise AssertionError("the file is written again")

    with open_warehouse(tmp_path / "w.duckdb") as warehouse:
        with warehouse.writing() as connection:
            connection.execute(f"INSERT INTO quarantine_numbers FROM range({20 * ROW_GROUP})")
        Compaction(warehouse).when_quiet(come)


@pytest.mark.slow("a large file")
def test_larger_old_groups_hide_no_free_space(one_by_one: Path, tmp_path: Path) -> None:
    def come() -> None:
        raise LookupError

    copy = Path(shutil.copy(one_by_one / "w.duckdb", tmp_path / "w.duckdb"))
    with duckdb.connect(copy) as connection:
        connection.execute(f"INSERT INTO quarantine_numbers FROM range({200 * ROW_GROUP})")
    with open_warehouse(copy) as warehouse, pytest.raises(LookupError):
        Compaction(warehouse).when_quiet(come)


@pytest.mark.slow("a file that is in use")
def test_compaction_stops_for_new_work_and_is_skipped_if_slow(
    warehouse: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    def come() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        Compaction(warehouse).when_quiet(come)
    monkeypatch.setattr(backup, "SMALL", warehouse.database.stat().st_size - (1 << 20))
    Compaction(warehouse).when_quiet(come)
    monkeypatch.undo()
    with warehouse.backpressure.reading():
        Compaction(warehouse).when_quiet(come)
    with warehouse.reading() as connection:
        assert connection.execute("SELECT count(*) FROM raw_matches").fetchall() == [(ONE_BY_ONE,)]


def test_an_intake_compacts_automatically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()
    monkeypatch.setattr(drain, "QUIET", 0.01)
    with (
        open_warehouse(tmp_path / "w.duckdb") as warehouse,
        Intake(warehouse, when_quiet=lambda _: done.set()) as intake,
    ):
        with files(tmp_path / "logs")[0].open("rb") as body:
            intake.receive(body)
        assert done.wait(60)
