"""`himalaya export`: tables, figures and queries as CSV, Parquet, JSON and XLSX, with descriptions of columns."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import polars as pl
import pyarrow.parquet as pq
import pytest

from dashboards.catalog.figures import all_figures, figures_of
from dashboards.games.analytics import ANALYTICS
from dashboards.queries import export as queries
from dashboards.queries.export import reading_query, table_names
from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.report.export import export
from himalaya_core.cli.main import main
from ingest.errors import WarehouseError
from ingest.opening import open_warehouse
from ingest.warehouse import Warehouse
from tests.dashboards.conftest import copied


def nothing(_: dict[str, Any]) -> None:
    """Ignore progress."""


def exported(warehouse: Warehouse, tmp_path: Path, kind: str, **arguments: Any) -> Path:
    file = tmp_path / f"export.{kind}"
    export(warehouse, {"file": str(file), "format": kind, **arguments}, nothing)
    return file


def lines_of(file: Path) -> list[str]:
    return file.read_text("utf-8").splitlines()


def rows_of(warehouse: Warehouse, sql: str) -> list[tuple[Any, ...]]:
    with warehouse.reading() as cursor:
        return cursor.execute(sql).fetchall()


SEATS = "select match_id, seat, player, place, won from dim_seats"


def test_every_format_has_the_same_rows(warehouse: Warehouse, tmp_path: Path):
    truth = sorted(rows_of(warehouse, SEATS), key=str)
    frames = [
        pl.read_csv(exported(warehouse, tmp_path, "csv", query=SEATS)),
        pl.read_parquet(exported(warehouse, tmp_path, "parquet", query=SEATS)),
        pl.DataFrame(json.loads(exported(warehouse, tmp_path, "json", query=SEATS).read_text())),
    ]
    for frame in frames:
        assert sorted(frame.rows(), key=str) == truth
    sheet = openpyxl.load_workbook(exported(warehouse, tmp_path, "xlsx", query=SEATS))["Data"]
    assert sorted(((*row,) for row in sheet.iter_rows(min_row=2, values_only=True)), key=str) == truth


FEW_FIGURES = ("fields", "levels", "voids")
"""One figure per game."""


@pytest.mark.slow("every table in every format")
@pytest.mark.parametrize("kind", ["csv", "parquet", "json", "xlsx"])
def test_every_table_can_be_exported(warehouse: Warehouse, tmp_path: Path, kind: str):
    for table in table_names(warehouse):
        if kind in {"csv", "parquet"} or table.startswith("dim_"):
            assert exported(warehouse, tmp_path, kind, table=table).stat().st_size > 0, table


def test_a_table_of_no_rows_has_its_columns(warehouse: Warehouse, tmp_path: Path):
    none = f"{SEATS} where false"
    assert exported(warehouse, tmp_path, "csv", query=none).read_text() == "match_id,seat,player,place,won\n"
    assert json.loads(exported(warehouse, tmp_path, "json", query=none).read_text()) == []
    assert pl.read_parquet(exported(warehouse, tmp_path, "parquet", query=none)).columns[0] == "match_id"
    sheet = openpyxl.load_workbook(exported(warehouse, tmp_path, "xlsx", query=none))["Data"]
    assert [cell.value for cell in sheet[1]] == ["match_id", "seat", "player", "place", "won"]


def test_a_figure_is_the_catalog_s_under_its_filter(warehouse: Warehouse, reader: Reader, tmp_path: Path):
    file = exported(warehouse, tmp_path, "parquet", table="win-share", filter=[["tournament", "four"]])
    truth = all_figures()["win-share"].frame(reader, Filter(tournaments=("four",)))
    assert pl.read_parquet(file).equals(truth.select(*all_figures()["win-share"].columns))


@pytest.mark.parametrize(
    ("game", "name"),
    [
        pytest.param(game, name, marks=() if name in FEW_FIGURES else pytest.mark.slow("every figure"))
        for game in ANALYTICS
        for name in figures_of(game)
    ],
)
def test_every_figure_is_exported_with_its_dictionary(both: Warehouse, tmp_path: Path, game: str, name: str):
    schema = pq.read_schema(exported(both, tmp_path, "parquet", table=name, filter=[["game", game]]))
    about = json.loads(schema.metadata[b"dictionary"])
    assert list(about) == schema.names
    assert all(said["type"] and said["meaning"] for said in about.values())


def test_a_dictionary_as_csv_has_a_row_for_each_column(both: Warehouse, tmp_path: Path):
    reader: dict[str, Any] = {"table": "win-share", "filter": [["game", "caravan"]]}
    rows = list(csv.reader(lines_of(exported(both, tmp_path, "csv", **reader, dictionary=True))))
    assert rows[0] == ["column", "type", "meaning"]
    assert all(all(row) for row in rows)
    header = next(csv.reader(lines_of(exported(both, tmp_path, "csv", **reader))))
    assert header == [row[0] for row in rows[1:]]


def test_a_figure_of_another_game_is_refused(both: Warehouse, tmp_path: Path):
    with pytest.raises(WarehouseError, match="summit has no figure voids; `himalaya export --game summit` lists them"):
        exported(both, tmp_path, "csv", table="voids")
    assert exported(both, tmp_path, "csv", table="voids", filter=[["game", "caravan"]]).read_text()


@pytest.mark.parametrize(
    "sql",
    [
        "insert into receipts select * from receipts",
        "delete from quarantine",
        "update dim_seats set won = true",
        "drop table quarantine",
        "create table mine as select 1",
        "copy dim_seats to 'here.csv'",
        "attach 'other.duckdb'",
        "set memory_limit = '1GB'",
        "checkpoint",
        "vacuum",
        "call pragma_version()",
        "begin transaction",
        "load json",
    ],
)
def test_a_query_that_writes_is_refused_before_it_runs(warehouse: Warehouse, tmp_path: Path, sql: str):
    with pytest.raises(WarehouseError, match="expected one that only reads"):
        exported(warehouse, tmp_path, "csv", query=sql)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("", "expected one statement, found 0"),
        ("select 1; select 2", "expected one statement, found 2"),
        ("select 1; drop table quarantine", "expected one statement, found 2"),
        ("selec 1", "syntax error at or near"),
        ("select nope from dim_seats", "nope"),
        ("select * from nowhere", "nowhere"),
    ],
)
def test_an_invalid_query_is_refused(warehouse: Warehouse, tmp_path: Path, sql: str, message: str):
    with pytest.raises(WarehouseError, match=message) as error:
        exported(warehouse, tmp_path, "csv", query=sql)
    assert "\n" not in str(error.value)


def test_the_transaction_stops_a_query_that_manages_to_write(
    warehouse: Warehouse,
):
    with reading_query(warehouse, "select 1 as one", nested=False) as stream:
        assert [batch.rows() for batch in stream.batches] == [[(1,)]]
    with warehouse.reading() as cursor:
        cursor.execute("begin transaction read only")
        with pytest.raises(duckdb.Error, match="read-only"):
            cursor.execute("delete from quarantine")


@pytest.mark.parametrize(
    "sql",
    [
        "from dim_seats",
        "with a as (select 1 as x) from a; ",
        "select 1 as x -- one\n;",
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) from n",
        "from main.DIM_SEATS s join dim_matches m using (match_id), range(2) r(i), unnest([1, 2]) u(v)",
        "from (pivot dim_seats on seat in (0, 1) using count(*))",
        "values (1)",
        "describe dim_seats",
    ],
)
def test_every_kind_of_reading_query_is_accepted(warehouse: Warehouse, tmp_path: Path, sql: str):
    assert exported(warehouse, tmp_path, "csv", query=sql).stat().st_size > 0


TYPES = """select 1::hugeint as big, 1.5::decimal(9, 2) as exact, [1, 2] as list,
    '2026-01-02 03:04:05'::timestamp as at, 'a'::enum('a', 'b') as word, '\\x01'::blob as bytes, {'a': 1} as struct,
    uuid() is not null as truth, null as none"""


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx", "parquet"])
def test_every_type_goes_into_every_format(warehouse: Warehouse, tmp_path: Path, kind: str):
    file = exported(warehouse, tmp_path, kind, query=TYPES)
    if kind == "parquet":
        row = pl.read_parquet(file).row(0, named=True)
        assert (row["big"], row["list"], row["bytes"], float(row["exact"])) == (1, [1, 2], b"\x01", 1.5)
    elif kind == "json":
        (row,) = json.loads(file.read_text())
        assert (row["big"], row["exact"], row["bytes"], row["none"]) == (1, 1.5, "01", None)
    elif kind == "xlsx":
        values = [cell.value for cell in openpyxl.load_workbook(file)["Data"][2]]
        assert values[:2] == [1, 1.5]
        assert str(values[3]) == "2026-01-02 03:04:05"
    else:
        assert file.read_text().splitlines()[1].startswith('1,1.5,"[1, 2]",2026-01-02')


HOSTILE = "select unnest(['=cmd', '+1', '-1', '@x', 'plain']) as player, -1 as number"


def test_no_cell_is_a_formula(warehouse: Warehouse, tmp_path: Path):
    lines = exported(warehouse, tmp_path, "csv", query=HOSTILE).read_text().splitlines()
    assert lines == ["player,number", "'=cmd,-1", "'+1,-1", "'-1,-1", "'@x,-1", "plain,-1"]
    sheet = openpyxl.load_workbook(exported(warehouse, tmp_path, "xlsx", query=HOSTILE))["Data"]
    cells = [cell for row in sheet.iter_rows(min_row=2) for cell in row]
    assert {cell.data_type for cell in cells} == {"s", "n"}
    assert [cell.value for cell in cells[::2]] == ["'=cmd", "'+1", "'-1", "'@x", "plain"]
    data = json.loads(exported(warehouse, tmp_path, "json", query=HOSTILE).read_text())
    assert data[0]["player"] == "=cmd"  # spreadsheets do not execute JSON


def test_the_dictionary_is_in_the_file(warehouse: Warehouse, tmp_path: Path):
    schema = pq.read_schema(exported(warehouse, tmp_path, "parquet", table="dim_seats"))
    about = json.loads(schema.metadata[b"dictionary"])
    assert about["player"] == {"type": "VARCHAR", "meaning": "name of the player, a program or a person"}
    sheet = openpyxl.load_workbook(exported(warehouse, tmp_path, "xlsx", table="dim_seats"))["Dictionary"]
    assert ("won", "BOOLEAN", "whether it won, alone or shared") in list(sheet.iter_rows(values_only=True))


@pytest.mark.slow("every figure")
def test_the_dictionary_describes_every_column(warehouse: Warehouse, tmp_path: Path):
    tables = set(table_names(warehouse)) - {"events", *all_figures()}  # figures go before
    for table in sorted(tables):
        rows = list(csv.reader(lines_of(exported(warehouse, tmp_path, "csv", table=table, dictionary=True))))[1:]
        assert {row[0] for row in rows} == {row[0] for row in rows_of(warehouse, f"describe {table}")}
        assert all(row[2] for row in rows), table


def test_more_rows_than_a_sheet_has_are_refused(warehouse: Warehouse, tmp_path: Path):
    with pytest.raises(WarehouseError, match="a sheet has room for 1,048,575 rows"):
        exported(warehouse, tmp_path, "xlsx", query="select true as x from range(1100000)")
    assert list(tmp_path.iterdir()) == []


def test_a_sheet_is_not_begun_for_more_rows_than_it_has(warehouse: Warehouse, tmp_path: Path):
    told: list[dict[str, Any]] = []
    arguments = {"file": str(tmp_path / "x.xlsx"), "format": "xlsx", "query": "select true from range(1100000)"}
    with pytest.raises(WarehouseError, match="a sheet has room"):
        export(warehouse, arguments, told.append)
    assert told == []


SUMS = "select sum(x) as small, sum(x * 9000000000000000000::hugeint) as great from range(4) r(x)"


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx", "parquet"])
def test_a_sum_of_whole_numbers_goes_into_every_format(warehouse: Warehouse, tmp_path: Path, kind: str):
    file = exported(warehouse, tmp_path, kind, query=SUMS)
    if kind == "csv":
        assert file.read_text() == "small,great\n6,54000000000000000000\n"
    elif kind == "json":
        assert json.loads(file.read_text()) == [{"small": 6, "great": 5.4e19}]
    elif kind == "xlsx":
        assert [cell.value for cell in openpyxl.load_workbook(file)["Data"][2]] == [6, 5.4e19]
    else:
        assert pl.read_parquet(file).row(0) == (6, 54_000_000_000_000_000_000)


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_text('{file}')",
        "from '{file}'",
        "describe '{file}'",
        "select (select max(content) from read_text('{file}')) as x",
        "with a as (from read_text('{file}')) from a",
        "from dim_seats order by (select max(content) from main.read_text('{file}'))",
        'select * from "{file}" where exists (with "{file}" as (select 1) select 1)',
        "from query('from read_text(''{file}'')')",
        "from glob('{file}')",
    ],
)
def test_a_query_reads_no_file_of_the_machine(warehouse: Warehouse, tmp_path: Path, sql: str):
    secret = tmp_path / "secret.csv"
    secret.write_text("secret\n1\n")
    with pytest.raises(WarehouseError, match=r"in this database|of this database"):
        exported(warehouse, tmp_path, "csv", query=sql.format(file=secret))
    assert list(tmp_path.iterdir()) == [secret]


@pytest.fixture(scope="module")
def sly(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """A database with a view of an unpublished table."""
    with open_warehouse(tmp_path_factory.mktemp("sly") / "himalaya.duckdb") as opened:
        with opened.writing() as cursor:
            cursor.execute("create view sly as from app_store")
        yield opened


@pytest.mark.parametrize(
    "sql",
    [
        "from app_store",
        'from "APP_STORE"',
        "table main.app_store",
        "from {database}.main.app_store",
        "from {database}.app_store",
        "from receipts",
        "from watched_files",
        "from sly",
        "summarize app_store",
        "from (describe app_store)",
        "show tables",
        "show all tables",
        "show databases",
        "with app_store as (select 1) from main.app_store",
        "with a as (with app_store as (select 1) from app_store) from app_store, a",
        "with a as (with sqlite_master as (select 1) from sqlite_master) from sqlite_master",
        "select * from dim_seats union all (from app_store)",
        "select exists(from app_store)",
        "select list_transform([1], lambda x: (select count(*) from app_store))",
        "from (pivot app_store on warehouse in ('a') using count(*))",
        "from query('from app_store')",
        "from query_table('app_store')",
        "from information_schema.tables",
        "from duckdb_tables()",
        "from duckdb_secrets()",
        "from pragma_table_info('app_store')",
        "select current_setting('memory_limit')",
        "select getvariable('x')",
    ],
)
def test_a_query_sees_published_tables_only(sly: Warehouse, tmp_path: Path, sql: str):
    with pytest.raises(WarehouseError, match=r"no table|not published|outside the tables"):
        exported(sly, tmp_path, "csv", query=sql.format(database=sly.database.stem))
    assert not [*tmp_path.glob("*.csv")]


def test_tables_of_permissions_are_not_exported(warehouse: Warehouse, tmp_path: Path):
    for table in ("receipts", "watched_files", "quarantine_numbers", "app_store"):
        with pytest.raises(WarehouseError, match=f"there is no table or figure '{table}'"):
            exported(warehouse, tmp_path, "csv", table=table)


ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) as i from n"


WITHOUT_END = "select a.i from range(100000000) a(i), range(1000000) b(i)"
"""The same, but its first rows arrive immediately."""


@pytest.mark.parametrize("sql", [ENDLESS, WITHOUT_END])
def test_the_time_of_a_query_is_limited(warehouse: Warehouse, tmp_path: Path, sql: str):
    with pytest.raises(WarehouseError, match=r"the query: it took longer than 0.1 seconds; give it longer with --time"):
        exported(warehouse, tmp_path, "csv", query=sql, timeout=0.1)
    assert list(tmp_path.iterdir()) == []
    assert exported(warehouse, tmp_path, "csv", query="select 1 as x").read_text() == "x\n1\n"


def test_the_memory_of_a_query_is_limited(warehouse: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(queries, "MOST_MEMORY", 64 << 20)
    with pytest.raises(WarehouseError, match="the query: it needed more than 64 MB of memory; request less data"):
        exported(warehouse, tmp_path, "csv", query="select list(i) as i from range(1000000000) r(i)")


def test_a_large_table_is_read_in_batches_and_reports_its_progress(warehouse: Warehouse, tmp_path: Path):
    told: list[dict[str, Any]] = []
    file = tmp_path / "large.csv"
    arguments = {"file": str(file), "format": "csv", "query": "select i, i % 7 as j from range(200000) r(i) order by i"}
    assert export(warehouse, arguments, told.append)["rows"] == 200_000
    assert [each["done"] for each in told] == sorted(each["done"] for each in told)
    assert len(told) > 3
    assert pl.read_csv(file)["i"].to_list() == list(range(200_000))


def test_an_export_that_is_stopped_leaves_no_file(warehouse: Warehouse, tmp_path: Path):
    def stop(at: dict[str, Any]) -> None:
        if at["done"]:
            raise KeyboardInterrupt

    arguments = {"file": str(tmp_path / "x.csv"), "format": "csv", "query": "select * from range(200000)"}
    with pytest.raises(KeyboardInterrupt):
        export(warehouse, arguments, stop)
    assert list(tmp_path.iterdir()) == []


# The command


@pytest.fixture(scope="module")
def copy(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory, "caravan", logs)


def test_the_command_writes_files_and_standard_output(
    copy: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
):
    assert main(["export", "win-share", "--tournament", "four", "--db", str(copy)]) == 0
    out = capfdbinary.readouterr().out
    assert out.startswith(b"player,played,groups,win_share,")
    assert len(out.splitlines()) == 5
    query, file = tmp_path / "mine.sql", tmp_path / "mine.json"
    query.write_text("select count(*) as seats from dim_seats")
    assert main(["export", "--query", str(query), "--out", str(file), "--db", str(copy)]) == 0
    assert capfdbinary.readouterr().out.decode().startswith(f"{file}: 1 rows of 1 columns, ")
    assert json.loads(file.read_text())[0]["seats"] > 40


def test_without_a_name_every_possible_export_is_listed(copy: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["export", "--db", str(copy)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert (lines[0], "tables:" in lines) == ("figures:", True)
    assert {"  win-share", "  dim_seats"} <= set(lines)


def test_an_empty_result_is_reported(copy: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["export", "win-share", "--players", "9", "--db", str(copy)]) == 0
    assert capsys.readouterr().err == "note: no rows match the filter\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dim_seats", "--query", "x.sql"], "name a table or figure, or a query with --query, not both"),
        (["zzzz"], "there is no table or figure 'zzzz'; `himalaya export` alone lists all"),
        (["dim_seat"], "there is no table or figure 'dim_seat'; did you mean 'dim_seats'"),
        (["win-shar"], "did you mean 'win-share'? `himalaya export` alone lists all"),
        (["win-share", "--tournament", "fuor"], "the filter: no matches of tournament 'fuor'; did you mean 'four'?"),
        (["win-share", "--filter", "tournament=fuor"], "no matches of tournament 'fuor'; did you mean 'four'?"),
        (["win-share", "--player", "gredy"], "the filter: no matches of player 'gredy'; did you mean 'greedy'?"),
        (["win-share", "--filter", "turnament=four"], "found 'turnament'; did you mean 'tournament'?"),
        (["dim_seats", "--tournament", "four"], "a filter applies only to a figure"),
        (["win-share", "--seat", "x"], "the filter: seat cannot be 'x'"),
        (["win-share", "--result", "won", "foo"], "the filter: expected a result of won, lost"),
        (["dim_seats", "--out", "seats.doc"], "seats.doc: add --format with one of csv, parquet, json, xlsx"),
        (["--query", "nowhere.sql"], "cannot read nowhere.sql: no such file or folder"),
        (["dim_seats", "--out", "/no/such/folder/x.csv"], "cannot be written"),
    ],
)
def test_a_failed_export_is_reported_in_one_line(
    copy: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["export", *arguments, "--db", str(copy)]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.splitlines()) == 1


def test_the_help_names_the_format_for_excel(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["export", "--help"])
    assert "use xlsx for Excel" in " ".join(capsys.readouterr().out.split())
