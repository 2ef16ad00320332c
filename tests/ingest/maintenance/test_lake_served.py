"""A lake served as a warehouse: the database file created from it is complete and agrees with the original."""

import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from ingest.errors import WarehouseError
from ingest.maintenance.derive.run import derive
from ingest.maintenance.integrity import check
from ingest.maintenance.lake.contents import LakeContents, kept_up_to_date, served_file
from ingest.maintenance.lake.tables import MANIFEST, is_lake
from ingest.operations import run_operation
from ingest.pipeline import ingest
from ingest.replica import Replica
from ingest.tables.definitions import event_tables, sql_tables
from tests.copies import copied
from tests.forked import run
from tests.ingest.helping import THREE, VARIANTS, begun, climbers_log, contents, log, rows, short, summit_log, write
from tests.ingest.maintenance.deriving import Here
from tests.ingest.maintenance.lakes import ODD, brought, take
from tests.once import once

pytestmark = pytest.mark.slow("a lake that is served")
PAIR = ("random", "greedy")
GIVEN = {"raw_matches", "stg_match_started"}
"""Tables that keep a match's tournament name separately."""
DIES = """
import os, signal, sys
from pathlib import Path
from ingest.maintenance import rewrite
from ingest.maintenance.lake import served

die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "while it is written":
    digest = rewrite._digest
    rewrite._digest = lambda *arguments: "copy_1" in arguments[1] and die() or digest(*arguments)
elif sys.argv[1] == "before it is on the disk":
    rewrite.sync = die
else:
    served.os.utime = die
served.served_file(Path(sys.argv[2]))
"""
LIMITED = """
import resource, signal, sys
from himalaya_core.cli.main import main

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (900_000, 900_000))
sys.exit(main(sys.argv[1:]))
"""


def make(folder: Path) -> None:
    """Create a warehouse of climbers, with and without tournaments and with unfinished matches; its lake; its file."""
    database = folder / "w.duckdb"
    take(database, write(folder / "a.jsonl", short("k.1"), begun("k.2")), "spring")
    take(database, write(folder / "b.jsonl", begun("s.1")), ODD)
    take(database, write(folder / "c.jsonl", begun("k.3"), begun("bad")[2:]))
    brought(database, folder / "lake")
    served_file(folder / "lake")


def make_of_all_games(folder: Path) -> None:
    """Create a larger warehouse of all games, with reviews, its lake, and its file."""
    database = folder / "w.duckdb"
    take(database, write(folder / "a.jsonl", log("a.1"), log("a.2", THREE), summit_log("s.1", PAIR)), "spring")
    take(database, write(folder / "b.jsonl", log("b.1", THREE, options=VARIANTS), climbers_log("k.1")), ODD)
    take(database, write(folder / "c.jsonl", log("c.1", THREE)[:90], climbers_log("k.2", PAIR), summit_log("s.2")))
    take(database, write(folder / "d.jsonl", log("d.1", THREE), log("bad")[2:]), "spring")
    run_operation(database, "review", {})
    brought(database, folder / "lake")
    served_file(folder / "lake")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the warehouse, the lake, and the file created from it."""
    folder = once(tmp_path_factory, "lake-served", make)
    return shutil.copytree(folder, tmp_path_factory.mktemp("lake-served") / "copy", symlinks=True)


@pytest.fixture(scope="module")
def of_all_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake-served")
    make_of_all_games(folder)
    return folder


@pytest.fixture(scope="module")
def made(written: Path) -> Path:
    return written / "w.duckdb"


@pytest.fixture
def lake(written: Path, tmp_path: Path) -> Path:
    """A lake from which no file was created yet."""
    return shutil.copytree(written / "lake", tmp_path / "lake", symlinks=True)


@pytest.fixture(params=["written", "of_all_games"])
def both(request: pytest.FixtureRequest) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse attached as `before`, and the file of its lake as `after`."""
    folder = request.getfixturevalue(request.param)
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{folder / 'w.duckdb'}' AS before (READ_ONLY)")
        connection.execute(f"ATTACH '{folder / 'lake.duckdb'}' AS after (READ_ONLY)")
        yield connection


def in_words(connection: duckdb.DuckDBPyConnection, database: str, table: str) -> str:
    """Return a query for the rows of a table, with cohorts written out instead of their ids."""
    names, others = (columns(connection, database, each) for each in (table, "dim_cohorts"))
    kept = [name for name in names if name != "tournament" or table not in GIVEN]
    if "cohort" not in kept:
        logged = "WHERE type <> 'match_started'" if table == "events" else ""  # the first line has the tournament
        return f"SELECT {', '.join(kept)} FROM {database}.{table} {logged}"
    said = f"to_json([{', '.join(f'{name}::VARCHAR' for name in others if name != 'cohort')}]) AS said"
    selected = ", ".join("said AS cohort" if name == "cohort" else f"it.{name}" for name in kept)
    kinds = f"(SELECT cohort, {said} FROM {database}.dim_cohorts)"
    return f"SELECT {selected} FROM {database}.{table} AS it LEFT JOIN {kinds} USING (cohort)"


def columns(connection: duckdb.DuckDBPyConnection, database: str, table: str) -> list[str]:
    return [name for name, *_ in connection.execute(f"DESCRIBE {database}.{table}").fetchall()]


def names_of(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_each_row_of_each_table_and_view_is_that_of_the_warehouse(both: duckdb.DuckDBPyConnection) -> None:
    tables = [table.name for table in sql_tables() if table.grain[0] in {"match_id", "cohort"}]
    seen = 0
    for table in (*tables, *(table.name for table in event_tables()), "events"):
        before, after = (in_words(both, database, table) for database in ("before", "after"))
        assert both.execute(f"({before}) EXCEPT ALL ({after})").fetchall() == [], table
        assert both.execute(f"({after}) EXCEPT ALL ({before})").fetchall() == [], table
        assert both.sql(before).types == both.sql(after).types, table
        seen += bool(both.execute(f"SELECT 1 FROM after.{table} LIMIT 1").fetchall())
    assert seen > 30


def test_cohorts_have_unique_numbers(both: duckdb.DuckDBPyConnection) -> None:
    found = both.execute("SELECT count(*), count(DISTINCT cohort), min(cohort), max(cohort) FROM after.dim_cohorts")
    ((number, *others),) = found.fetchall()
    assert others == [number, 1, number]
    assert number > 2


def test_a_match_has_the_tournament_that_it_counts_in(both: duckdb.DuckDBPyConnection) -> None:
    for table in GIVEN:
        sql = f"SELECT match_id, tournament FROM after.{table} ORDER BY 1"
        assert both.execute(sql).fetchall() == both.execute(sql.replace(table, "dim_matches")).fetchall()


def test_the_file_passes_the_checks_of_a_warehouse(written: Path) -> None:
    with duckdb.connect(str(written / "lake.duckdb"), read_only=True) as connection:
        assert check(connection) == []


def test_tables_that_a_lake_lacks_are_empty(both: duckdb.DuckDBPyConnection) -> None:
    raw = {table.name for table in sql_tables() if table.is_raw} - {"raw_matches", "schema_version"}
    for table in raw:
        assert both.execute(f"FROM after.{table}").fetchall() == [], table
    assert both.execute("SELECT count(*) FROM before.quarantine").fetchall() == [(1,)]


@pytest.mark.parametrize("match", ["k.1", "k.2", "s.1"])
def test_the_log_of_a_match_has_the_same_bytes(made: Path, written: Path, match: str) -> None:
    asked = {"match": match}
    assert run_operation(written / "lake", "match_log", asked) == run_operation(made, "match_log", asked)


def test_the_served_file_is_built_once_for_each_state_of_the_lake(made: Path, lake: Path, tmp_path: Path) -> None:
    reports: list[dict[str, Any]] = []
    file = served_file(lake, reports.append)
    assert (file, file.stat().st_mode & 0o777) == (tmp_path / "lake.duckdb", 0o600)
    assert {report["what"] for report in reports} == {"copying", "comparing"}
    assert max(report["done"] for report in reports) > 300
    first = file.stat()
    assert first.st_mtime_ns == (lake / MANIFEST).stat().st_mtime_ns
    served_file(lake, lambda _: pytest.fail("it was made again"))
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (first.st_ino, first.st_mtime_ns)
    database = copied(made, tmp_path)
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    brought(database, lake)
    served_file(lake)
    assert "e.1" in rows(file, "SELECT match FROM dim_matches")
    assert file.stat().st_mtime_ns > first.st_mtime_ns
    assert names_of(tmp_path) == {"w.duckdb", "w.app.sqlite", "e.jsonl", "lake", "lake.duckdb"}


def test_an_empty_lake_and_one_that_was_copied_without_its_links(lake: Path, tmp_path: Path) -> None:
    ingest([write(tmp_path / "none.jsonl")], tmp_path / "w.duckdb", processes=0)
    brought(tmp_path / "w.duckdb", tmp_path / "empty")
    assert rows(served_file(tmp_path / "empty"), "SELECT count(*) FROM dim_matches") == [0]
    shutil.copytree(lake, tmp_path / "flat")
    for left in (path for path in (tmp_path / "flat").iterdir() if path.name in {"_now", "_states"}):
        shutil.rmtree(left)
    assert rows(served_file(tmp_path / "flat"), "SELECT count(*) FROM dim_matches") == [4]


def test_a_lake_made_from_logs_is_read_as_one_from_a_warehouse(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    write(tmp_path / "logs" / "a.jsonl", log("a.1", THREE), summit_log("s.1", PAIR), log("bad")[2:])
    write(tmp_path / "logs" / "b.jsonl", climbers_log("k.1"), log("a.2", THREE)[:90])
    take(tmp_path / "w.duckdb", tmp_path / "logs")
    brought(tmp_path / "w.duckdb", tmp_path / "written")
    derive([tmp_path / "logs"], tmp_path / "derived", Here())
    assert rows(tmp_path / "w.duckdb", "SELECT count(*) FROM quarantine") == [1]
    written, derived = (contents(served_file(tmp_path / name), by_match=True) for name in ("written", "derived"))
    assert len(derived["dim_matches"]) == 4
    assert [table for table in written if written[table] != derived[table]] == []


@pytest.mark.parametrize(
    "moment",
    [
        pytest.param("while it is written", marks=pytest.mark.soak("another moment of a kill")),
        pytest.param("before it is on the disk", marks=pytest.mark.soak("every moment of a kill")),
        pytest.param("before it has its name", marks=pytest.mark.soak("another moment of a kill")),
    ],
)
def test_a_build_killed_midway_leaves_no_file_of_the_name(lake: Path, tmp_path: Path, moment: str) -> None:
    killed = run([sys.executable, "-c", DIES, moment, str(lake)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert names_of(tmp_path) >= {"lake", ".lake.duckdb.partial"}
    assert not (tmp_path / "lake.duckdb").exists()
    assert rows(served_file(lake), "SELECT count(*) FROM dim_matches") == [4]
    assert names_of(tmp_path) == {"lake", "lake.duckdb"}


def test_a_full_disk_is_reported_and_leaves_nothing(lake: Path, tmp_path: Path) -> None:
    done = run([sys.executable, "-c", LIMITED, "export", "--db", str(lake)], text=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "the disk is full" in done.stderr
    assert names_of(tmp_path) == {"lake"}


def test_a_run_that_ends_meanwhile_is_read_instead(
    made: Path, lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, as_rows = copied(made, tmp_path), LakeContents.as_rows
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")

    def first_a_run(contents: LakeContents, connection: duckdb.DuckDBPyConnection) -> Any:
        brought(database, lake)
        return as_rows(contents, connection)

    monkeypatch.setattr(LakeContents, "as_rows", first_a_run)
    assert rows(served_file(lake), "SELECT count(*) FROM dim_matches") == [5]


def test_a_server_reads_a_lake_that_has_changed(made: Path, lake: Path, tmp_path: Path) -> None:
    database = copied(made, tmp_path)
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    with Replica(served_file(lake), of_lake=True) as replica, kept_up_to_date(lake, replica, 0.02):
        assert matches(replica) == 4
        brought(database, lake)
        until = time.monotonic() + 60
        while matches(replica) == 4 and time.monotonic() < until:
            threading.Event().wait(0.005)
        assert matches(replica) == 5


def matches(replica: Replica) -> int:
    with replica.reading() as cursor:
        return int(cursor.execute("SELECT count(*) FROM dim_matches").fetchall()[0][0])


def test_a_lake_that_breaks_while_served_is_reported_once(lake: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Replica(served_file(lake), of_lake=True) as replica, kept_up_to_date(lake, replica, 0.01):
        (lake / "_now" / MANIFEST).write_text("{}")
        until = time.monotonic() + 60
        while not caplog.records and time.monotonic() < until:
            threading.Event().wait(0.005)
        assert matches(replica) == 4
    assert caplog.text.count("the former one is still served") == 1


# --- Refused lakes


def refused(lake: Path) -> str:
    """Check that no files are left behind, and return the one-line reason why a lake is refused."""
    before = names_of(lake.parent)
    with pytest.raises(WarehouseError) as error:
        served_file(lake)
    assert names_of(lake.parent) == before
    assert "\n" not in str(error.value)
    return str(error.value)


def files_of(lake: Path, table: str) -> list[Path]:
    return sorted((lake / table).iterdir())


def test_a_missing_and_a_damaged_file_are_named(lake: Path) -> None:
    cut, missing = files_of(lake, "dim_seats")[0], files_of(lake, "stg_match_started")[1]
    whole = cut.read_bytes()
    cut.write_bytes(whole[:-9])
    assert refused(lake) == f"{cut}: damaged; remove the lake and write it again"
    cut.write_bytes(whole)
    missing.unlink()
    assert refused(lake) == f"{missing}: missing; remove the lake and write it again"


def test_pages_of_a_file_that_were_changed_are_noticed(lake: Path) -> None:
    changed = files_of(lake, "raw_matches")[0]
    found = bytearray(changed.read_bytes())
    found[200:2_000] = bytes(1_800)
    changed.write_bytes(found)
    assert refused(lake) == f"{changed}: damaged; remove the lake and write it again"


def test_tables_of_another_shape_are_named(lake: Path) -> None:
    file = files_of(lake, "dim_seats")[0]
    pl.read_parquet(file).rename({"won": "has_won"}).write_parquet(file)
    assert f"{lake}: its table dim_seats has other columns than in a lake of this version" in refused(lake)
    (lake / "_now" / "fct_tea").mkdir()
    assert f"{lake}: has a table fct_tea, which is not in a lake of this version" in refused(lake)


def test_a_lake_of_another_format_is_refused(lake: Path) -> None:
    (lake / "_now" / MANIFEST).write_text('{"format": 1, "shape": "", "partitions": []}')
    assert "a lake of an earlier himalaya (format 1)" in refused(lake)
    (lake / "_now" / MANIFEST).write_text("not JSON")
    assert "not readable" in refused(lake)
    (lake / MANIFEST).unlink()
    assert not is_lake(lake)


def test_a_foreign_file_is_left_alone(made: Path, lake: Path, tmp_path: Path) -> None:
    copied(made, tmp_path / "lake.duckdb")
    before = (tmp_path / "lake.duckdb").read_bytes()
    assert "not made from this lake" in refused(lake)
    assert (tmp_path / "lake.duckdb").read_bytes() == before


def test_a_folder_that_may_not_be_written_to(lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    assert f"{lake.parent}: cannot be written to" in refused(lake)


def test_nothing_is_written_into_the_lake(lake: Path, tmp_path: Path) -> None:
    more = write(tmp_path / "e.jsonl", begun("e.1"))
    with pytest.raises(WarehouseError, match="lake: a lake can only be read; name a database"):
        run_operation(lake, "forget", {"matches": ["k.1"]})
    with pytest.raises(WarehouseError, match="lake: a lake can only be read; name a database"):
        run_operation(lake, "ingest", {"paths": [str(more)], "names": {}, "tournament": None, "dry_run": False})
    with pytest.raises(WarehouseError, match="lake: a lake has no quarantine of its own; look in its database"):
        run_operation(lake, "list_quarantine", {})


def test_brackets_in_the_name_of_a_lake_are_brackets(lake: Path) -> None:
    mine = lake.rename(lake.with_name("lake[1]"))
    shutil.copytree(mine, lake.with_name("lake1"), symlinks=True)
    files_of(lake.with_name("lake1"), "dim_matches")[0].write_bytes(b"damaged")
    assert rows(served_file(mine), "SELECT count(*) FROM dim_matches") == [4]
