"""Problems with opening or filling a warehouse are reported in one sentence that says what to do."""

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ingest.errors import WarehouseError, WarehouseInUse
from ingest.opening import open_for_reading, open_warehouse
from ingest.pipeline import ingest
from ingest.warehouse import ROW_GROUP, remove_stub
from tests.forked import run
from tests.ingest.helping import begun, contents, log, short, write

HOLD = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
INGEST = """
import resource, signal, sys
from pathlib import Path
from ingest.pipeline import ingest

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), int(sys.argv[3])))
ingest([Path(sys.argv[1])], Path(sys.argv[2]))
"""


def refusal(tmp_path: Path, database: Path) -> str:
    write(tmp_path / "a.jsonl", begun("a"))
    with pytest.raises(WarehouseError) as error:
        ingest([tmp_path / "a.jsonl"], database)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_database_in_use_by_another_process(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    holder = [sys.executable, "-c", HOLD, str(database)]
    with subprocess.Popen(holder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        assert f"in use by process {process.pid}; stop it" in refusal(tmp_path, database)


@pytest.mark.parametrize("text", ["hello, I am a file of text, not a database", "x\n"])
def test_a_file_that_is_no_database(tmp_path: Path, text: str) -> None:
    (tmp_path / "w.duckdb").write_text(text)
    assert "not a DuckDB file; name another file" in refusal(tmp_path, tmp_path / "w.duckdb")
    assert (tmp_path / "w.duckdb").read_text() == text


def test_a_log_is_no_database_though_duckdb_would_open_it(tmp_path: Path) -> None:
    other = write(tmp_path / "b.jsonl", begun("b"))
    assert "not a DuckDB file; name another file" in refusal(tmp_path, other)
    assert other.read_bytes() == b"".join(begun("b"))


def test_a_foreign_database(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "w.duckdb")) as connection:
        connection.execute("CREATE TABLE sales (x INTEGER)")
    assert "not a database of himalaya" in refusal(tmp_path, tmp_path / "w.duckdb")


def test_a_database_of_a_newer_himalaya(tmp_path: Path) -> None:
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, warehouse.writing() as connection:
        connection.execute("INSERT INTO schema_version VALUES (99)")
    assert "written by a newer himalaya (schema 99" in refusal(tmp_path, tmp_path / "w.duckdb")


@pytest.mark.parametrize("name", ["nowhere/w.duckdb", "."])
def test_a_place_where_no_database_can_be(tmp_path: Path, name: str) -> None:
    assert str(tmp_path / name) in refusal(tmp_path, tmp_path / name)


def test_a_path_that_is_no_file_is_left_in_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    remove_stub(tmp_path / "pipe")
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.slow("a full disk")
def test_a_full_disk_stops_the_run_and_keeps_loaded_matches(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    ingest([write(tmp_path / "a.jsonl", short("a"))], database)
    before = contents(database)
    more = write(tmp_path / "b.jsonl", *(log(f"b.{number}") for number in range(12)))
    command = [sys.executable, "-c", INGEST, str(more), str(database), str(1 << 18)]
    full = run(command, text=True)
    assert "the disk is full" in full.stderr.splitlines()[-1]
    assert contents(database) == before
    assert ingest([tmp_path], database).matches == 12


def test_an_open_file_is_shared_but_not_with_read_only_users(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    with open_warehouse(database) as warehouse:
        assert ingest([write(tmp_path / "a.jsonl", begun("a"))], database).matches == 1
        with warehouse.reading() as connection:
            assert connection.execute("SELECT match FROM raw_matches").fetchall() == [("a",)]
        (tmp_path / "other.duckdb").symlink_to(database)
        for name, opens in ((database, open_for_reading), (tmp_path / "other.duckdb", open_warehouse)):
            with pytest.raises(WarehouseError) as error:
                opens(name)
            assert str(error.value) == f"{name}: open in this process already; close it first"
    with open_for_reading(database) as warehouse, warehouse.reading() as connection:
        assert connection.execute("SELECT match FROM raw_matches").fetchall() == [("a",)]


def test_rows_are_compressed_in_groups_for_both_cores_after_larger_old_ones(
    tmp_path: Path,
) -> None:
    database = tmp_path / "w.duckdb"
    open_warehouse(database).close()
    with duckdb.connect(database) as connection:
        connection.execute("INSERT INTO quarantine_numbers FROM range(100_000)")
    with open_warehouse(database) as warehouse, warehouse.writing() as connection:
        connection.execute("INSERT INTO quarantine_numbers FROM range(100_000, 200_000)")
        connection.execute("CHECKPOINT")
        groups = "SELECT DISTINCT row_group_id, count FROM pragma_storage_info('quarantine_numbers') ORDER BY ALL"
        (_, of_before), *others = connection.execute(groups).fetchall()
        assert of_before == 100_000
        assert len(others) >= 5
        assert max(rows for _, rows in others) == ROW_GROUP
        whole = "SELECT count(*), count(DISTINCT highest), max(highest) FROM quarantine_numbers"
        assert connection.execute(whole).fetchall() == [(200_000, 200_000, 199_999)]


@pytest.mark.slow("more than fits into memory")
def test_data_beyond_memory_spills_next_to_the_file(tmp_path: Path) -> None:
    sorting = "SELECT md5(range::VARCHAR) AS one, md5((range + 1)::VARCHAR) AS other FROM range(1500000) ORDER BY ALL"
    with open_warehouse(tmp_path / "w.duckdb") as warehouse, warehouse.reading() as connection:
        connection.execute("SET memory_limit = '60MB'")
        assert connection.execute(f"SELECT count(*) FROM ({sorting} OFFSET 10)").fetchall() == [(1_499_990,)]
        assert (tmp_path / "w.duckdb.tmp").is_dir()
    assert {file.name for file in tmp_path.iterdir()} == {"w.duckdb", "w.app.sqlite"}


def test_a_file_taken_by_another_process_is_reopened_once_it_is_free(tmp_path: Path) -> None:
    database = tmp_path / "w.duckdb"
    others = []
    with open_warehouse(database) as warehouse:
        with pytest.raises(WarehouseInUse), warehouse.put_away():
            others.append(holder(database))
        with pytest.raises(WarehouseInUse), warehouse.reading():
            pass
        others.pop().communicate()
        with warehouse.writing() as connection:
            assert connection.execute("SELECT count(*) FROM raw_matches").fetchall() == [(0,)]


def holder(database: Path) -> subprocess.Popen[bytes]:
    """Start a process that keeps a file open until its standard input is closed."""
    command = [sys.executable, "-c", HOLD, str(database)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout
    other.stdout.readline()
    return other
