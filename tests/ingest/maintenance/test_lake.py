"""The lake agrees with the warehouse for every reader; a reader sees all of a run or nothing."""

import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
import zstandard

from ingest.cli import maintenance
from ingest.maintenance.lake.write import write_lake
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.tables.definitions import event_tables, sql_tables
from tests.copies import copied
from tests.core.cli.commands import Command
from tests.forked import run
from tests.ingest.helping import begun, rows, short, write
from tests.ingest.maintenance.lakes import ODD, brought, take, warehouse_and_lake

DIES = """
import sys
from pathlib import Path
from ingest.maintenance.lake import folder as lake_folder
from ingest.operations import run_operation
from tests.ingest.maintenance.dying import die, dying

moment, database, folder = sys.argv[1:]
if moment == "while a file is written":
    lake_folder.sync = die
elif moment == "before a file has its name":
    lake_folder.LakeFolder.put = dying(lake_folder.LakeFolder.put, 20)
elif moment == "before the next state is shown":
    lake_folder.LakeFolder._turn = die
elif moment == "between the next state and its link":
    lake_folder._link = die
elif moment == "before there are links to its tables":
    lake_folder.LakeFolder._link = die
else:
    lake_folder.LakeFolder.tidy = die
run_operation(Path(database), "lake", {"folder": folder})
"""
BEFORE = [
    pytest.param("before the next state is shown", marks=pytest.mark.soak("another moment of a kill")),
    pytest.param("while a file is written", marks=pytest.mark.soak("every moment of a kill")),
    pytest.param("before a file has its name", marks=pytest.mark.soak("every moment of a kill")),
    pytest.param("between the next state and its link", marks=pytest.mark.soak("every moment of a kill")),
]
AFTER = [
    pytest.param("before the former state is removed", marks=pytest.mark.soak("another moment of a kill")),
    pytest.param("before there are links to its tables", marks=pytest.mark.soak("every moment of a kill")),
]
FIGURES = {
    "dim_matches": ["count(*)", "sum(rounds)", "sum(margin)", "count(DISTINCT options)"],
    "dim_seats": ["count(*)", "count(ending)", "sum(won::INTEGER)", "min(player)", "count(DISTINCT cohort)"],
    "dim_cohorts": ["count(*)", "count(DISTINCT cohort)", "sum(seat)", "count(tournament)"],
    "agg_climbers_cells": ["count(*)", "sum(arrivals)", "count(DISTINCT cohort)"],
    "agg_climbers_standings": ["count(*)", "sum(seats)", "count(DISTINCT cohort)"],
    "raw_matches": ["count(*)", "sum(octet_length(lines))", "sum(events)"],
    "stg_climbers_climber_stepped": ["count(*)", "sum(to_level)", "sum(seq)"],
    "fct_climbers_climbs": ["count(*)", "sum(seq)"],
    "fct_climbers_turns": ["count(*)", "sum(round)"],
    "fct_climbers_seats": ["count(*)", "sum(levels_own)", "sum(hindered)"],
}
SHARES = "SELECT player, count(*), avg(won::INTEGER) FROM {} WHERE place IS NOT NULL GROUP BY 1 ORDER BY 1"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return warehouse_and_lake(tmp_path_factory)


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return copied(made / "w.duckdb", tmp_path)


@pytest.fixture
def lake(made: Path, tmp_path: Path) -> Path:
    """The lake of the database after the last run."""
    return shutil.copytree(made / "lake", tmp_path / "lake", symlinks=True)


def tables_of(folder: Path) -> int:
    return len(list((folder / "_now").glob("*/")))


def times(folder: Path) -> dict[str, int]:
    """Return the files visible to readers, with their modification times."""
    found = [path for table in (folder / "_now").glob("*/") for path in table.iterdir()]
    return {f"{path.parent.name}/{path.name}": path.stat().st_mtime_ns for path in found}


def state_of(folder: Path) -> dict[str, frozenset[str]]:
    """Return the files that a reader of the listed tables would read."""
    tables = [path for path in folder.iterdir() if path.name[0] not in "._" and path.is_dir()]
    return {table.name: frozenset(path.name for path in table.iterdir()) for table in tables}


@contextmanager
def at_each_change(do: Callable[[], None]) -> Iterator[None]:
    """Call a function before each step that renames a file on disk, and after the last step."""
    events = {"os.rename", "os.remove", "os.rmdir", "os.symlink", "os.link", "os.mkdir"}
    listening = True

    def hear(event: str, _: object) -> None:
        if listening and event in events:
            do()

    sys.addaudithook(hear)
    try:
        yield
    finally:
        listening = False
    do()


def in_lake(folder: Path, table: str) -> str:
    return f"read_parquet('{folder}/{table}/*.parquet')"


def agree(database: Path, folder: Path) -> None:
    """Check that figures of the lake, read by DuckDB and Polars, agree with those of the warehouse."""
    with duckdb.connect() as lake:
        for table, figures in FIGURES.items():
            asked = f"SELECT {', '.join(figures)} FROM "
            assert lake.execute(asked + in_lake(folder, table)).fetchall() == rows(database, asked + table), table
            scan = pl.scan_parquet(folder / table)
            assert scan.select(pl.len()).collect().item() == rows(database, f"SELECT count(*) FROM {table}")[0]
        shares = lake.execute(SHARES.format(in_lake(folder, "dim_seats"))).fetchall()
        by_tournament = "SELECT tournament, count(*) FROM {} GROUP BY 1 ORDER BY 1"
        assert lake.execute(by_tournament.format(in_lake(folder, "dim_matches"))).fetchall() == rows(
            database, by_tournament.format("dim_matches")
        )
    assert shares == rows(database, SHARES.format("dim_seats"))
    seats = pl.scan_parquet(folder / "dim_seats").filter(pl.col("place").is_not_null())
    found = seats.group_by("player").agg(pl.len(), pl.col("won").mean()).sort("player").collect()
    assert found.rows() == shares


def test_duckdb_and_polars_read_what_the_warehouse_holds(database: Path, tmp_path: Path) -> None:
    done = brought(database, tmp_path / "lake")
    agree(database, tmp_path / "lake")
    assert (done["matches"], done["partitions"]) == (6, 4)


def test_tournaments_of_any_name_are_read_back(lake: Path) -> None:
    scan = pl.scan_parquet(lake / "dim_matches")
    assert set(scan.select("tournament").unique().collect()["tournament"]) == {ODD, "spring", "2026", None}


def test_the_log_of_a_match_is_in_the_lake_as_it_was(lake: Path) -> None:
    scan = pl.scan_parquet(lake / "raw_matches")
    packed = scan.filter(pl.col("match") == "a.1").select("lines").collect().item()
    assert zstandard.decompress(packed) == b"".join(short("a.1"))


def test_all_columns_are_of_types_that_spark_reads(lake: Path) -> None:
    plain = {"int32", "int64", "bool", "double", "string", "binary", "timestamp[us]"}
    seen = set()
    for file in lake.rglob("*.parquet"):
        for field in pq.ParquetFile(file).schema_arrow:  # type: ignore[no-untyped-call]
            inner = re.sub(r"list<\w+: |>", "", str(field.type))
            assert inner in plain, f"{file.name}: {field}"
            seen.add(str(field.type).partition("<")[0])
    assert {"int32", "list", "binary"} <= seen


def test_every_table_about_matches_or_cohorts_is_there_once(database: Path, lake: Path) -> None:
    tables = state_of(lake).keys()
    known = set(
        rows(database, "SELECT DISTINCT table_name FROM duckdb_columns() WHERE column_name IN ('match_id', 'cohort')")
    )
    other = {table.name for table in event_tables() if table.game != "climbers" and table.game}
    other |= {table.name for table in sql_tables() if table.game not in {"climbers", None}}
    assert tables == known - {"events"} - other  # the lake has only matches of climbers


def test_a_second_run_writes_nothing(database: Path, lake: Path) -> None:
    before = times(lake)
    done = brought(database, lake)
    assert times(lake) == before
    assert (done["files"], done["bytes"], done["matches"]) == (0, 0, 6)


def test_new_and_completed_matches_are_there_after_the_next_run(database: Path, tmp_path: Path, lake: Path) -> None:
    before = times(lake)
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    take(database, write(tmp_path / "more.jsonl", short("c.2")))
    done = brought(database, lake)
    assert done["files"] == len(times(lake))
    assert not before.keys() & times(lake).keys(), "a file of another state has the name of one of before"
    agree(database, lake)


@pytest.mark.slow("listed at every moment")
def test_listed_at_any_moment_a_table_is_as_before_or_as_after(database: Path, tmp_path: Path, lake: Path) -> None:
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    brought(database, lake)
    take(database, write(tmp_path / "f.jsonl", begun("f.1")))
    run_operation(database, "forget", {"matches": ["d.1"]})
    before = state_of(lake)
    seen = [before]
    with at_each_change(lambda: seen.append(state_of(lake))):
        brought(database, lake)
    after = state_of(lake)
    assert (len(seen) > 100, before != after) == (True, True)
    assert [state == after for state, _ in groupby(seen)] == [False, True]


@pytest.mark.slow("another reason to write")
def test_a_match_verified_or_with_checked_players_is_written(database: Path, lake: Path) -> None:
    sql = "UPDATE {} SET player_verdict{} WHERE match_id = (SELECT match_id FROM raw_matches WHERE match = 'd.1')"
    with duckdb.connect(str(database)) as connection:
        connection.execute(sql.format("raw_matches", "s = ['repeats']"))
        connection.execute(sql.format("dim_seats", " = 'repeats'"))
        connection.execute("UPDATE raw_matches SET luck_verdict = 'differs' WHERE match = 'b.1'")
    brought(database, lake)
    with duckdb.connect() as reading:
        asked = "SELECT count(player_verdict) FROM "
        assert reading.execute(asked + in_lake(lake, "dim_seats")).fetchall() == [(3,)]
        judged = "SELECT match FROM " + in_lake(lake, "raw_matches") + " WHERE luck_verdict = 'differs'"
        assert reading.execute(judged).fetchall() == [("b.1",)]


@pytest.mark.slow("another reason to write")
def test_a_match_that_was_played_out_since_is_written(database: Path, lake: Path) -> None:
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "INSERT INTO fct_playouts SELECT match_id, 9, 0, 0.5, 20 FROM raw_matches WHERE match = 'd.1'"
        )
    brought(database, lake)
    assert pl.read_parquet(lake / "fct_playouts").select("tournament", "samples").rows() == [("2026", 20)]
    with duckdb.connect(str(database)) as connection:
        connection.execute(
            "INSERT INTO fct_confirmations SELECT match_id, 'abc', 9, 0, false, 0, NULL, NULL, NULL, 'No.'"
            " FROM raw_matches WHERE match = 'd.1'"
        )
    brought(database, lake)
    assert pl.read_parquet(lake / "fct_confirmations").select("tournament", "digest").rows() == [("2026", "abc")]


@pytest.mark.slow("forgotten, as in test_forget")
def test_a_forgotten_match_is_gone_after_the_next_run(database: Path, lake: Path) -> None:
    run_operation(database, "forget", {"matches": ["a.1", "d.1"]})
    brought(database, lake)
    agree(database, lake)
    text = b"".join(path.read_bytes() for path in lake.rglob("*") if path.is_file())
    assert (b"d.1" in text, b"c.1" in text) == (False, True)


@pytest.mark.slow("another match under an id")
def test_a_match_that_came_back_under_the_same_id_is_written(database: Path, tmp_path: Path, lake: Path) -> None:
    run_operation(database, "forget", {"matches": ["d.1"]})
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "2026")
    assert rows(database, "SELECT match FROM raw_matches WHERE match_id = 6") == ["e.1"]
    brought(database, lake)
    agree(database, lake)


@pytest.mark.parametrize("moment", BEFORE + AFTER)
def test_killed_at_any_moment_readers_see_a_whole_state_and_the_next_run_finishes(
    database: Path, tmp_path: Path, lake: Path, moment: str
) -> None:
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    run_operation(database, "forget", {"matches": ["d.1"]})
    before = state_of(lake)
    killed = run([sys.executable, "-c", DIES, moment, str(database), str(lake)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    after = state_of(lake)
    assert (after == before) == (moment in str(BEFORE))
    for table in FIGURES:
        pl.read_parquet(lake / table)
    done = brought(database, lake)
    agree(database, lake)
    assert moment in str(BEFORE) or state_of(lake) == after
    assert moment in str(BEFORE) or done["files"] == 0
    assert [path.name for path in (lake / "_states").iterdir()] == [(lake / "_now").readlink().name]
    assert not (lake / "_writing").exists()
    before_again = times(lake)
    assert brought(database, lake)["files"] == 0
    assert times(lake) == before_again


@pytest.mark.soak("another moment of a kill")
def test_writes_of_a_killed_run_are_undone_if_the_warehouse_was_restored(
    database: Path, tmp_path: Path, lake: Path
) -> None:
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    command = [sys.executable, "-c", DIES, "before the next state is shown", str(database), str(lake)]
    assert run(command).returncode == -signal.SIGKILL
    run_operation(database, "forget", {"matches": ["e.1"]})
    brought(database, lake)
    agree(database, lake)


@pytest.mark.soak("another moment of a kill")
def test_after_a_killed_first_run_the_next_starts_over(database: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIES, "before a file has its name", str(database), str(tmp_path / "lake")]
    assert run(command).returncode == -signal.SIGKILL
    brought(database, tmp_path / "lake")
    agree(database, tmp_path / "lake")


@pytest.mark.slow("a run that is stopped, not killed")
def test_a_stopped_run_shows_nothing_and_the_next_is_complete(database: Path, tmp_path: Path) -> None:
    def stop(at: dict[str, Any]) -> None:
        if at["done"] >= 2:
            raise KeyboardInterrupt

    with open_warehouse(database) as warehouse:
        with pytest.raises(KeyboardInterrupt):
            write_lake(warehouse, {"folder": str(tmp_path / "lake")}, stop)
        assert state_of(tmp_path / "lake") == {}
        write_lake(warehouse, {"folder": str(tmp_path / "lake")}, lambda _: None)
    agree(database, tmp_path / "lake")


@pytest.mark.slow("a full disk")
def test_a_full_disk_is_reported_and_the_old_lake_stays(database: Path, tmp_path: Path, lake: Path) -> None:
    before = times(lake).keys()
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    limited = (
        "import resource, signal, sys; from himalaya_core.cli.main import main; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000)); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", limited, "lake", str(lake), "--db", str(database)]
    full = run(command, text=True)
    assert "the disk is full; the lake stays as it was" in full.stderr
    assert full.stderr.count("\n") == 1
    assert times(lake).keys() == before
    brought(database, lake)
    agree(database, lake)


@pytest.mark.slow("another state of a lake")
def test_tables_of_another_shape_are_rewritten(database: Path, lake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = times(lake)
    monkeypatch.setattr("ingest.maintenance.lake.tables.event_tables", event_tables()[1:].copy)
    done = brought(database, lake)
    assert done["files"] == len(times(lake)) == len(before) - 4
    assert not (lake / event_tables()[0].name).is_symlink()


def test_a_relative_folder_is_resolved_by_the_command_and_a_bucket_is_not(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server that does the work may have been started in another folder."""
    asked: list[str] = []

    def operate(_: object, __: str, arguments: dict[str, Any]) -> dict[str, int]:
        asked.append(arguments["folder"])
        return dict.fromkeys(("matches", "partitions", "files", "bytes"), 0)

    monkeypatch.setattr(maintenance, "_operate", operate)
    monkeypatch.chdir(tmp_path)
    for folder in ("lake", "s3://bucket/lake"):
        assert Command(capsys)("lake", folder, "--db", str(database)).code == 0
    assert asked == [str(tmp_path / "lake"), "s3://bucket/lake"]
