"""The lake says what the warehouse says, whoever reads it, and is written in small, whole steps."""

import json
import re
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest
import zstandard

from ingest.care import lake_parts
from ingest.care.lake import write_lake
from ingest.care.lake_parts import FULL, Manifest, Part, Partition, planned
from ingest.errors import WarehouseError
from ingest.opening import open_warehouse
from ingest.operations import run_operation
from ingest.pipeline import Request, take_in
from ingest.tables.definitions import event_tables, sql_tables
from tests.forked import run
from tests.ingest.helping import THREE, live, log, rows, write

ODD = "50%25 of a/b = ü"
HIVE = {"game": pl.String, "tournament": pl.String}
DIES = """
import os, signal, sys
from pathlib import Path
from ingest.care import lake
from ingest.operations import run_operation

moment, database, folder = sys.argv[1:]
die = lambda: os.kill(os.getpid(), signal.SIGKILL)
calls = []
if moment == "before a file has its name":
    replace = Path.replace
    def dying(self, target):
        calls.append(self) if self.parent.name == "_writing" else None
        return die() if len(calls) == 20 else replace(self, target)
    Path.replace = dying
elif moment == "while a file is written":
    lake.sync = lambda path: die()
elif moment == "before the strays are removed":
    lake._Run._remove_strays = lambda *_: die()
else:
    write = lake._Run._write_part
    lake._Run._write_part = lambda self, key, part: (write(self, key, part), die())
run_operation(Path(database), "lake", {"folder": folder})
"""
MOMENTS = [
    "before the manifest says so",
    pytest.param("while a file is written", marks=pytest.mark.soak),
    pytest.param("before a file has its name", marks=pytest.mark.soak),
    pytest.param("before the strays are removed", marks=pytest.mark.soak),
]
FIGURES = {
    "dim_matches": ["count(*)", "sum(rounds)", "sum(margin)", "count(DISTINCT options)"],
    "dim_seats": ["count(*)", "count(ending)", "sum(won::INTEGER)", "min(player)"],
    "raw_matches": ["count(*)", "sum(octet_length(lines))", "sum(events)"],
    "stg_caravan_moved": ["count(*)", "sum(to_village)", "sum(seq)"],
    "fct_caravan_trades": ["count(*)", "sum(village)", "count(reason)"],
    "fct_caravan_influence": ["count(*)", "sum(religious)", "sum(political)"],
    "fct_seats": ["count(*)", "sum(moves)", "sum(economic)"],
    "fct_caravan_seats": ["count(*)", "sum(moves)", "sum(too_late)"],
    "fct_caravan_standings": ["count(*)", "sum(wins::INTEGER)", "min(eliminated_by)"],
}
SHARES = "SELECT player, count(*), avg(won::INTEGER) FROM {} WHERE place IS NOT NULL GROUP BY 1 ORDER BY 1"


def take(database: Path, path: Path, tournament: str | None = None) -> None:
    with open_warehouse(database) as warehouse:
        take_in(warehouse, Request((path,), tournament=tournament, jobs=0), lambda _: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    path = folder / "w.duckdb"
    take(path, write(folder / "a.jsonl", log("a.1"), log("a.2", THREE)), "spring")
    take(path, write(folder / "b.jsonl", log("b.1")), ODD)
    take(path, write(folder / "c.jsonl", log("c.1"), log("c.2")[:90]))
    take(path, write(folder / "d.jsonl", log("d.1")), "2026")
    return path


@pytest.fixture
def database(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


@pytest.fixture(scope="module")
def written(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    brought(made, folder / "lake")
    return folder / "lake"


@pytest.fixture
def lake(written: Path, tmp_path: Path) -> Path:
    """The lake of the database, as the last run has left it."""
    return shutil.copytree(written, tmp_path / "lake")


def tables_of(folder: Path) -> int:
    return len([path for path in folder.glob("*/") if path.name != "_writing"])


def brought(database: Path, folder: Path) -> dict[str, Any]:
    return run_operation(database, "lake", {"folder": str(folder)})


def times(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def in_lake(folder: Path, table: str) -> str:
    return f"read_parquet('{folder}/{table}/**/*.parquet', hive_types = {{game: VARCHAR, tournament: VARCHAR}})"


def agree(database: Path, folder: Path) -> None:
    """Compare figures of the lake, as DuckDB and Polars read it, with those of the warehouse."""
    with duckdb.connect() as lake:
        for table, figures in FIGURES.items():
            asked = f"SELECT {', '.join(figures)} FROM "
            assert lake.execute(asked + in_lake(folder, table)).fetchall() == rows(database, asked + table), table
            scan = pl.scan_parquet(f"{folder}/{table}/**/*.parquet", hive_schema=HIVE)
            assert scan.select(pl.len()).collect().item() == rows(database, f"SELECT count(*) FROM {table}")[0]
        shares = lake.execute(SHARES.format(in_lake(folder, "dim_seats"))).fetchall()
        by_tournament = "SELECT tournament, count(*) FROM {} GROUP BY 1 ORDER BY 1"
        assert lake.execute(by_tournament.format(in_lake(folder, "dim_matches"))).fetchall() == rows(
            database, by_tournament.format("dim_matches")
        )
    assert shares == rows(database, SHARES.format("dim_seats"))
    seats = pl.scan_parquet(f"{folder}/dim_seats/**/*.parquet", hive_schema=HIVE).filter(pl.col("place").is_not_null())
    found = seats.group_by("player").agg(pl.len(), pl.col("won").mean()).sort("player").collect()
    assert found.rows() == shares


def test_duckdb_and_polars_read_what_the_warehouse_holds(database: Path, tmp_path: Path) -> None:
    done = brought(database, tmp_path / "lake")
    agree(database, tmp_path / "lake")
    assert (done["matches"], done["partitions"], done["removed"]) == (6, 4, 0)


def test_tournaments_of_any_name_are_read_back(lake: Path) -> None:
    scan = pl.scan_parquet(f"{lake}/dim_matches/**/*.parquet", hive_schema=HIVE)
    assert set(scan.select("tournament").unique().collect()["tournament"]) == {ODD, "spring", "2026", None}


def test_the_log_of_a_match_is_in_the_lake_as_it_was(lake: Path) -> None:
    scan = pl.scan_parquet(f"{lake}/raw_matches/**/*.parquet", hive_schema=HIVE)
    packed = scan.filter(pl.col("match") == "a.1").select("lines").collect().item()
    assert zstandard.decompress(packed) == b"".join(log("a.1"))


def test_all_columns_are_of_types_that_spark_reads(lake: Path) -> None:
    plain = {"int32", "int64", "bool", "double", "string", "binary", "timestamp[us]"}
    seen = set()
    for file in lake.rglob("*.parquet"):
        for field in pq.ParquetFile(file).schema_arrow:  # type: ignore[no-untyped-call]
            inner = re.sub(r"list<\w+: |>", "", str(field.type))
            assert inner in plain, f"{file.name}: {field}"
            seen.add(str(field.type).partition("<")[0])
            assert field.name != "cohort", "which is nothing without the tables by cohort"
    assert {"int32", "list", "binary"} <= seen


def test_every_table_about_matches_is_there_once(database: Path, lake: Path) -> None:
    tables = {path.name for path in lake.iterdir() if path.is_dir()}
    known = set(rows(database, "SELECT DISTINCT table_name FROM duckdb_columns() WHERE column_name = 'match_id'"))
    other = {table.name for table in event_tables() if table.game != "caravan" and table.game}
    other |= {table.name for table in sql_tables() if table.game not in {"caravan", None}}
    assert tables == known - {"events"} - other  # it has matches of caravan


def test_a_second_run_writes_nothing(database: Path, lake: Path) -> None:
    before = times(lake)
    done = brought(database, lake)
    assert times(lake) == before
    assert (done["files"], done["bytes"], done["removed"], done["matches"]) == (0, 0, 0, 6)


def test_only_the_partition_of_a_new_match_and_of_a_completed_one_is_written(
    database: Path, tmp_path: Path, lake: Path
) -> None:
    before = times(lake)
    take(database, write(tmp_path / "e.jsonl", live("e.1")), "spring")
    take(database, write(tmp_path / "more.jsonl", log("c.2")))
    brought(database, lake)
    changed = {path for path, time in times(lake).items() if before.get(path) != time}
    others = {path for path in changed if "tournament=spring" not in path and "tournament=__HIVE" not in path}
    assert others == {"_manifest.json"}
    agree(database, lake)


def test_a_match_whose_players_were_asked_or_that_was_judged_is_written(database: Path, lake: Path) -> None:
    sql = "UPDATE {} SET player_verdict{} WHERE match_id = (SELECT match_id FROM raw_matches WHERE match = 'd.1')"
    with duckdb.connect(str(database)) as connection:
        connection.execute(sql.format("raw_matches", "s = ['repeats']"))
        connection.execute(sql.format("dim_seats", " = 'repeats'"))
        connection.execute("UPDATE raw_matches SET luck_verdict = 'differs' WHERE match = 'b.1'")
    brought(database, lake)
    with duckdb.connect() as reading:
        asked = "SELECT count(player_verdict) FROM "
        assert reading.execute(asked + in_lake(lake, "dim_seats")).fetchall() == [(4,)]
        judged = "SELECT match FROM " + in_lake(lake, "raw_matches") + " WHERE luck_verdict = 'differs'"
        assert reading.execute(judged).fetchall() == [("b.1",)]


def test_a_forgotten_match_is_gone_after_the_next_run(database: Path, lake: Path) -> None:
    run_operation(database, "forget", {"matches": ["a.1", "d.1"]})
    done = brought(database, lake)
    agree(database, lake)
    assert done["removed"] > 30
    assert not list(lake.rglob("tournament=2026"))
    text = b"".join(path.read_bytes() for path in lake.rglob("*") if path.is_file())
    assert (b"d.1" in text, b"c.1" in text) == (False, True)


def test_a_match_that_came_back_under_the_same_id_is_written(database: Path, tmp_path: Path, lake: Path) -> None:
    run_operation(database, "forget", {"matches": ["d.1"]})
    take(database, write(tmp_path / "e.jsonl", live("e.1")), "2026")
    assert rows(database, "SELECT match FROM raw_matches WHERE match_id = 6") == ["e.1"]
    brought(database, lake)
    agree(database, lake)


@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_at_any_moment_files_are_whole_and_the_next_run_ends_it(
    database: Path, tmp_path: Path, lake: Path, moment: str
) -> None:
    take(database, write(tmp_path / "e.jsonl", live("e.1")), "spring")
    run_operation(database, "forget", {"matches": ["d.1"]})
    command = [sys.executable, "-c", DIES, moment, str(database), str(lake)]
    killed = run(command)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    for table in FIGURES:
        pl.scan_parquet(f"{lake}/{table}/**/*.parquet", hive_schema=HIVE).collect()
    brought(database, lake)
    agree(database, lake)
    assert not list(lake.rglob("tournament=2026"))
    assert not (lake / "_writing").exists()
    before = times(lake)
    assert brought(database, lake)["files"] == 0
    assert times(lake) == before


def test_what_a_killed_run_wrote_is_undone_if_the_warehouse_has_gone_back(
    database: Path, tmp_path: Path, lake: Path
) -> None:
    take(database, write(tmp_path / "e.jsonl", live("e.1")), "spring")
    command = [sys.executable, "-c", DIES, "before the manifest says so", str(database), str(lake)]
    assert run(command).returncode == -signal.SIGKILL
    run_operation(database, "forget", {"matches": ["e.1"]})
    brought(database, lake)
    agree(database, lake)


def test_killed_in_the_first_run_the_next_begins_anew(database: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DIES, "before a file has its name", str(database), str(tmp_path / "lake")]
    assert run(command).returncode == -signal.SIGKILL
    brought(database, tmp_path / "lake")
    agree(database, tmp_path / "lake")


def test_a_run_that_is_stopped_is_finished_by_the_next(database: Path, tmp_path: Path) -> None:
    def stop(at: dict[str, Any]) -> None:
        if at["done"] >= 2:
            raise KeyboardInterrupt

    with open_warehouse(database) as warehouse:
        with pytest.raises(KeyboardInterrupt):
            write_lake(warehouse, {"folder": str(tmp_path / "lake")}, stop)
        parts = Manifest.read(tmp_path / "lake")
        assert parts
        written = [part.digest is not None for each in parts.parts.values() for part in each]
        assert (any(written), all(written)) == (True, False)
        done = write_lake(warehouse, {"folder": str(tmp_path / "lake")}, lambda _: None)
    assert done["files"] == written.count(False) * tables_of(tmp_path / "lake")
    agree(database, tmp_path / "lake")


def test_a_folder_with_something_else_in_it_is_left_alone(database: Path, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "thesis.txt").write_text("precious")
    with pytest.raises(WarehouseError, match="has files in it, but is not a lake"):
        brought(database, tmp_path / "home")
    with pytest.raises(WarehouseError, match="is not a folder"):
        brought(database, tmp_path / "home" / "thesis.txt")
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["thesis.txt"]


def test_a_folder_that_may_not_be_written_to(database: Path) -> None:
    with pytest.raises(WarehouseError, match=r"^/proc/lake: ") as error:
        brought(database, Path("/proc/lake"))
    assert "\n" not in str(error.value)


def test_a_full_disk_is_said_and_what_was_there_stays(database: Path, tmp_path: Path, lake: Path) -> None:
    before = times(lake).keys()
    take(database, write(tmp_path / "e.jsonl", live("e.1")), "spring")
    limited = (
        "import resource, signal, sys; from himalaya_core.cli.main import main; "
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000)); sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", limited, "lake", str(lake), "--db", str(database)]
    full = run(command, text=True)
    assert "the disk is full; what was written before is whole" in full.stderr
    assert full.stderr.count("\n") == 1
    assert {path for path in times(lake) if not path.startswith("_")} == {
        path for path in before if not path.startswith("_")
    }
    brought(database, lake)
    agree(database, lake)


def test_tables_of_another_shape_are_written_anew(database: Path, lake: Path) -> None:
    manifest = Manifest.read(lake)
    assert manifest
    Manifest("another", manifest.parts).write(lake)
    old = lake / "stg_of_old" / "game=caravan" / "tournament=spring"
    old.mkdir(parents=True)
    (old / "part-000000001.parquet").touch()
    done = brought(database, lake)
    assert (done["files"], done["removed"]) == (4 * tables_of(lake), 1)
    assert not (lake / "stg_of_old").exists()


@pytest.mark.parametrize("language", ["duckdb", "polars"])
def test_the_examples_of_the_readme_work(
    database: Path, lake: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = re.findall(r"```python\n(.*?)```", (lake / "README.md").read_text("utf-8"), re.DOTALL)
    (example,) = (text for text in examples if f"import {language}" in text)
    monkeypatch.chdir(lake)
    found: dict[str, Any] = {}
    exec(example, found)
    wins = found["wins"].fetchall() if language == "duckdb" else found["wins"].rows()
    sql = (
        "SELECT m.tournament, s.player, count(*), sum(s.won::INTEGER) FROM dim_seats s JOIN dim_matches m "
        "USING (match_id) WHERE m.status = 'finished' GROUP BY ALL"
    )
    assert sorted(wins, key=repr) == sorted(rows(database, sql), key=repr)
    assert len(wins) > 10


def numbered(*ids: int) -> list[tuple[int, str]]:
    return [(number, f"{number:04x}") for number in ids]


def test_parts_fill_up_and_keep_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake_parts, "FULL", 3)
    key = Partition("caravan", None)

    def plan(before: tuple[Part, ...], *ids: int) -> tuple[Part, ...]:
        return planned(Manifest("", {key: before}), {key: numbered(*ids)}).get(key, ())

    first = plan((), 1, 2, 5, 7)
    assert [(part.first, part.last, part.matches) for part in first] == [(1, 5, 3), (7, 7, 1)]
    more = plan(first, 1, 2, 5, 7, 8, 9, 10)
    assert [(part.first, part.last) for part in more] == [(1, 5), (7, 9), (10, 10)]
    assert more[0] == first[0]
    less = plan(more, 1, 5, 10)
    assert [(part.first, part.matches) for part in less] == [(1, 2), (10, 1)]
    between = plan(less, 1, 5, 8, 10)
    assert [(part.first, part.matches) for part in between] == [(1, 2), (10, 2)]
    assert plan(between) == ()


def test_the_manifest_of_100_000_matches_is_small(tmp_path: Path) -> None:
    matches = {Partition("caravan", f"t{number}"): numbered(*range(10_000)) for number in range(10)}
    Manifest("", planned(Manifest(""), matches)).write(tmp_path)
    assert (tmp_path / lake_parts.MANIFEST).stat().st_size < 8_000
    assert Manifest.read(tmp_path) == Manifest("", planned(Manifest(""), matches))
    assert FULL == 5_000


def test_a_manifest_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / lake_parts.MANIFEST).write_text("{")
    with pytest.raises(WarehouseError, match="not readable; remove the folder"):
        Manifest.read(tmp_path)
    (tmp_path / lake_parts.MANIFEST).write_text(json.dumps({"format": 9}))
    with pytest.raises(WarehouseError, match=r"of another himalaya \(format 9\)"):
        Manifest.read(tmp_path)
