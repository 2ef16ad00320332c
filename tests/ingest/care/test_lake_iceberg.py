"""Tables that are registered with Iceberg are the lake's own files, and change with them at once."""

import signal
import sys
import warnings
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyiceberg.table import StaticTable

from himalaya_core.cli.main import main
from ingest.care.lake.folder import LakeFolder
from ingest.care.lake.iceberg import Registry
from ingest.errors import WarehouseError
from tests.copies import copied
from tests.forked import run
from tests.ingest.care.lakes import brought, take, warehouse_and_lake
from tests.ingest.helping import begun, rows, write

MATCHES = "SELECT match, tournament FROM dim_matches"
DIES = """
import os, signal, sys
from pathlib import Path
from ingest.care.lake import folder as lake_folder
from ingest.operations import run_operation

register = lake_folder.LakeFolder.register
few = lambda self, files: files | dict(register(self, {"dim_matches": files["dim_matches"]}))
lake_folder.LakeFolder.register = few
lake_folder.LakeFolder._turn = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
run_operation(Path(sys.argv[1]), "lake", {"folder": sys.argv[2], "format": "iceberg"})
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse, and beside it a lake whose tables are registered."""
    path = warehouse_and_lake(tmp_path_factory) / "w.duckdb"
    brought(path, path.parent / "lake", format="iceberg")
    return path


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return warehouse_and_lake(tmp_path_factory) / "w.duckdb"


@pytest.fixture
def database(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the warehouse that writes the lake of the test, with one table to register."""
    tables = LakeFolder.register

    def few(self: LakeFolder, expected: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        return expected | dict(tables(self, {"dim_matches": expected["dim_matches"]}))

    monkeypatch.setattr(LakeFolder, "register", few)
    return copied(filled, tmp_path)


def opened(lake: Path, table: str) -> StaticTable:
    return StaticTable.from_metadata(str(lake / "iceberg" / f"{table}.metadata.json"))


def matches_of(lake: Path) -> list[tuple[str, str | None]]:
    found = opened(lake, "dim_matches").scan(selected_fields=("match", "tournament")).to_arrow()
    return sorted(zip(found["match"].to_pylist(), found["tournament"].to_pylist(), strict=True))


@pytest.mark.slow("Iceberg")
@pytest.mark.parametrize("table", ["dim_seats", "agg_climbers_cells", "raw_matches", "stg_climbers_climber_stepped"])
def test_pyiceberg_and_polars_read_what_is_registered(made: Path, table: str) -> None:
    lake = made.parent / "lake"
    expected = pl.read_parquet(lake / table)
    theirs = pl.DataFrame(pl.from_arrow(opened(lake, table).scan().to_arrow()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a faster plan that another package would make
        ours = pl.scan_iceberg(str(lake / "iceberg" / f"{table}.metadata.json")).collect()
    for found in (theirs, ours):
        assert found.columns == expected.columns
        assert found.sort(found.columns[:4]).equals(expected.sort(expected.columns[:4]))
    assert len(expected) == rows(made, f"SELECT count(*) FROM {table}")[0] > 0


@pytest.mark.slow("Iceberg")
def test_every_table_is_registered_with_the_files_of_the_lake(made: Path) -> None:
    lake = made.parent / "lake"
    tables = {path.name for path in (lake / "_now").glob("*/")} - {"iceberg"}
    assert {path.name.removesuffix(".metadata.json") for path in (lake / "iceberg").iterdir()} == tables
    named = {task.file.file_path for task in opened(lake, "dim_seats").scan().plan_files()}
    assert named == {f"file://{lake}/dim_seats/{file.name}" for file in (lake / "dim_seats").iterdir()}
    assert {path.name for path in (lake / "_iceberg").rglob("*.parquet")} == set()


@pytest.mark.slow("Iceberg")
def test_what_is_registered_changes_with_the_files(database: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    brought(database, lake, format="iceberg")
    before = (lake / "iceberg" / "dim_matches.metadata.json").read_bytes()
    brought(database, lake, format="iceberg")
    assert (lake / "iceberg" / "dim_matches.metadata.json").read_bytes() == before
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    brought(database, lake, format="iceberg", compact=True)
    assert matches_of(lake) == sorted(rows(database, MATCHES))
    assert ("e.1", "spring") in matches_of(lake)
    assert len(list((lake / "_iceberg").iterdir())) == 1
    brought(database, lake)
    assert not (lake / "iceberg").exists()
    assert not (lake / "_iceberg").exists()


@pytest.mark.slow("Iceberg")
def test_killed_before_the_state_is_shown_the_former_tables_are_read(database: Path, tmp_path: Path) -> None:
    lake = tmp_path / "lake"
    brought(database, lake, format="iceberg")
    before = sorted(rows(database, MATCHES))
    take(database, write(tmp_path / "e.jsonl", begun("e.1")), "spring")
    killed = run([sys.executable, "-c", DIES, str(database), str(lake)])
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert matches_of(lake) == before
    brought(database, lake, format="iceberg")
    assert matches_of(lake) == sorted(rows(database, MATCHES)) != before
    assert len(list((lake / "_iceberg").iterdir())) == 1


def test_files_of_which_only_some_lack_a_value_are_one_table(tmp_path: Path) -> None:
    (tmp_path / "next" / "fct").mkdir(parents=True)
    for name, values, is_nullable in (("a", [[1]], False), ("b", [None], True)):
        lists = pa.list_(pa.field("element", pa.int32(), nullable=is_nullable))
        schema = pa.schema([pa.field("places", lists, nullable=is_nullable)])
        pq.write_table(pa.table({"places": values}, schema), tmp_path / "next" / "fct" / name)  # type: ignore[no-untyped-call]
    registry = Registry(tmp_path, tmp_path / "next")
    registry.add("fct", frozenset({"a", "b"}), tmp_path / "_iceberg" / "fct-1", tmp_path / "fct.metadata.json")
    (tmp_path / "next" / "fct").rename(tmp_path / "fct")
    found = StaticTable.from_metadata(str(tmp_path / "fct.metadata.json")).scan().to_arrow()["places"].to_pylist()
    assert sorted(found, key=str) == [None, [1]]


@pytest.mark.slow("Iceberg")
def test_in_a_lake_that_was_moved_tables_are_registered_where_it_is(database: Path, tmp_path: Path) -> None:
    brought(database, tmp_path / "lake", format="iceberg")
    moved = (tmp_path / "lake").rename(tmp_path / "moved")
    assert brought(database, moved, format="iceberg")["files"] == 0
    assert matches_of(moved) == sorted(rows(database, MATCHES))


@pytest.mark.slow("Iceberg")
def test_what_is_registered_is_for_others_too(made: Path) -> None:
    lake = made.parent / "lake"
    modes = {path.stat().st_mode & 0o044 for path in (lake / "iceberg").iterdir()}
    modes |= {path.stat().st_mode & 0o044 for path in (lake / "_iceberg").rglob("*")}
    assert modes == {0o044}


def test_tables_of_a_bucket_are_not_registered(database: Path) -> None:
    with pytest.raises(WarehouseError, match="only tables of a folder can be registered"):
        brought(database, "s3://bucket/lake", format="iceberg")


def test_without_pyiceberg_the_extra_is_named(database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.care.lake.write.find_spec", lambda _: None)
    with pytest.raises(WarehouseError, match=r"pip install 'himalaya\[iceberg\]'"):
        brought(database, tmp_path / "lake", format="iceberg")
    assert not (tmp_path / "lake").exists()


@pytest.mark.slow("Iceberg")
def test_the_command_says_what_was_registered(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["lake", str(tmp_path / "lake"), "--db", str(database)]

    def told(*more: str) -> str:
        assert main([*command, *more]) == 0
        return capsys.readouterr().out.splitlines()[-1]

    told()
    assert told("--format", "iceberg") == "1 table registered with Iceberg"
    assert told("--format", "iceberg") == "nothing has changed since the last time"
