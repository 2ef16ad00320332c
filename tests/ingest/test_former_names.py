"""Tables are also available by their names of himalaya 0.3, in the warehouse, in exports and in the lake."""

from functools import cache
from pathlib import Path

import duckdb
import pytest

from ingest.maintenance.integrity import COLUMNS
from ingest.operations import run_operation
from ingest.people.pairing import FORMER_TABLES
from ingest.pipeline import ingest
from ingest.tables.definitions import sql_tables
from ingest.tables.dictionary import meaning_of
from tests.ingest.helping import VARIANTS, climbers_log, log, rows, summit_log, write
from tests.ingest.test_upgrade import OLDEST, of_version

FORMER = {made.name: made.same_as for made in sql_tables() if made.same_as}


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("former")
    logs = write(folder / "a.jsonl", log("a", options=VARIANTS), log("b")[:200], summit_log(), climbers_log())
    ingest([logs], folder / "w.duckdb", processes=0)
    return folder / "w.duckdb"


@cache
def columns_of(database: Path) -> dict[str, list[str]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return {table: [name for name, *_ in columns] for table, columns in connection.execute(COLUMNS).fetchall()}


def test_all_tables_of_0_3_are_there_with_their_columns(database: Path, tmp_path: Path) -> None:
    before, now = columns_of(of_version(OLDEST, tmp_path)), columns_of(database)
    of_logs = {table: columns for table, columns in before.items() if table not in FORMER_TABLES}
    gone = {table: set(columns) - set(now.get(table, ())) for table, columns in of_logs.items()}
    assert {table: columns for table, columns in gone.items() if columns} == {}
    assert {table for table in before if table in FORMER} == set(FORMER)


@pytest.mark.slow("every former name")
@pytest.mark.parametrize(("former", "table"), FORMER.items())
def test_a_former_name_shows_the_table(database: Path, former: str, table: str) -> None:
    assert rows(database, f"FROM {former} ORDER BY ALL") == rows(database, f"FROM {table} ORDER BY ALL") != []
    assert [meaning_of(former, name) for name in columns_of(database)[former]] == [
        meaning_of(table, name) for name in columns_of(database)[table]
    ]


@pytest.mark.slow("a lake")
def test_in_the_lake_they_are_the_same_files(database: Path, tmp_path: Path) -> None:
    run_operation(database, "lake", {"folder": str(tmp_path)})
    for former, table in FORMER.items():
        assert list((tmp_path / table).glob("*.parquet"))
        assert (tmp_path / former).samefile(tmp_path / table)
