"""Read whole tables, published tables and users' queries in batches."""

import json
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event
from typing import Any, Final, cast

import duckdb
import polars as pl

from dashboards.queries.addresses import shown_path, without_folder
from dashboards.queries.filters import LAST_ROUND, Filter, Where, conjunction
from dashboards.queries.reader import DatabaseError, Reader
from dashboards.queries.where import listed_where
from ingest.errors import WarehouseError
from ingest.tables.dictionary import PublishedTable, meaning_of, published_tables, readable_tables
from ingest.warehouse import Warehouse, sentence

__all__ = [
    "LONGEST",
    "Column",
    "ExportError",
    "OfferedTable",
    "Stream",
    "offered",
    "reading_columns",
    "reading_offered",
    "reading_query",
    "reading_table",
    "table_names",
]


BATCH: Final = 50_000
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|SMALLINT|TINYINT|U\w*INT\w*|BOOLEAN|DOUBLE|FLOAT|VARCHAR|TIMESTAMP|DATE)")
READS: Final = duckdb.StatementType.SELECT
WHOLE: Final = {"HUGEINT", "UHUGEINT"}
"""Types of integer sums; they are exported as decimals, which are exact and supported by file formats."""
INTERRUPTED: Final = "INTERRUPT"
MAKING: Final = frozenset({"range", "generate_series", "unnest", "repeat", "repeat_row"})
"""Table functions allowed in queries, because they only generate rows; others read files or run queries."""
TELLING: Final = frozenset({"current_setting", "getenv", "getvariable", "write_log"})
"""Functions forbidden in queries, because they reveal the server's state or write to its log."""
WORD: Final = re.compile(r"\w+")
LONGEST: Final = 60.0
"""Default time limit of a query, in seconds."""
LONGEST_TABLE: Final = 900.0
"""Time limit in seconds for reading one table, which may have many millions of rows."""
MOST_MEMORY: Final = 400 << 20
"""Memory limit of a query in bytes, without cached table pages: two thirds of the memory that all queries share."""
LOOK: Final = 0.1
"""Seconds between two checks of a running query."""
MEMORY: Final = "SELECT sum(memory_usage_bytes) FROM duckdb_memory() WHERE tag NOT IN ('BASE_TABLE', 'METADATA')"
NOTHING: Final[Mapping[str, Any]] = {}


class ExportError(WarehouseError):
    """Raised if an export is not possible; the message is one line with the reason."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an export: its name, its database type, and its meaning if known."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Stream:
    """Rows to export: columns, number of rows (`None` if unknown in advance), and the rows in batches.

    There is at least one batch, which may be empty.
    """

    columns: list[Column]
    rows: int | None
    batches: Iterator[pl.DataFrame]


def table_names(warehouse: Warehouse) -> list[str]:
    """Return the names of the tables and views that can be exported."""
    with warehouse.reading() as cursor:
        return readable_tables(cursor)


@contextmanager
def reading_table(warehouse: Warehouse, name: str, *, nested: bool) -> Iterator[Stream]:
    """Yield the rows of a table or view; unless `nested`, lists, decimals and bytes become plain values."""
    with _reading(warehouse) as cursor:
        if name not in readable_tables(cursor):
            raise ExportError(f"there is no table {name!r}")
        ((rows,),) = cursor.execute(f'select count(*) from "{name}"').fetchall()
        yield _stream(cursor, f'from "{name}"', int(rows), name, nested=nested)


@contextmanager
def reading_columns(
    warehouse: Warehouse,
    name: str,
    chosen: Mapping[str, str],
    where: Where,
    *,
    nested: bool,
    gone: threading.Event | None = None,
) -> Iterator[Stream]:
    """Yield the rows of a table that meet a condition; `chosen` maps column names to SQL over the table.

    Names, SQL and condition must be trusted; values of the condition are passed as parameters. Reading stops when the
    event `gone` is set, because the client has left.
    """
    condition, values = where
    columns = ", ".join(f'{sql} as "{column}"' for column, sql in chosen.items())
    with _reading(warehouse) as cursor, _bounded(cursor, LONGEST_TABLE, gone):
        sql = f'select {columns} from "{name}" t where {condition}'
        yield _stream(cursor, sql, None, name, values, nested=nested)


@contextmanager
def reading_query(
    warehouse: Warehouse, text: str, *, nested: bool, counted: bool = False, seconds: float = LONGEST
) -> Iterator[Stream]:
    """Yield the result of one query; `ExportError` if it is invalid or does more than read.

    A query may read only the published tables of this database, no files and no web addresses. If `counted` is true,
    rows are counted in advance. The query is stopped after `seconds`, including the time for reading its rows, or if it
    needs more memory than `MOST_MEMORY`.
    """
    with _reading(warehouse) as cursor, _bounded(cursor, seconds):
        try:
            statements = cursor.extract_statements(text)
        except duckdb.Error as error:
            raise ExportError(f"the query: {_first_line(error)}") from None
        if len(statements) != 1:
            raise ExportError(f"the query: expected one statement, found {len(statements)}")
        if statements[0].type != READS:
            kind = statements[0].type.name.lower().replace("_", " ")
            raise ExportError(f"the query: expected one that only reads (select …), found one that does {kind}")
        sql = statements[0].query.strip().rstrip(";")
        _check_sources(cursor, sql)
        rows = int(cursor.execute(f"select count(*) from (\n{sql}\n)").fetchall()[0][0]) if counted else None
        yield _stream(cursor, sql, rows, None, nested=nested)


@contextmanager
def _bounded(cursor: duckdb.DuckDBPyConnection, seconds: float, gone: threading.Event | None = None) -> Iterator[None]:
    """Return a context manager that interrupts the cursor after `seconds`, or if a query uses too much memory.

    The cursor is also interrupted once `gone` is set, because the client has left.
    """
    is_over, why = threading.Event(), list[str]()

    def look() -> None:
        with suppress(duckdb.Error), cursor.cursor() as beside:  # an error here needs no report: the query fails too
            until = time.monotonic() + seconds
            while not is_over.wait(LOOK):
                if gone is not None and gone.is_set():
                    why.append("the client has left")
                elif time.monotonic() > until:
                    why.append(f"it took longer than {seconds:g} seconds; give it longer with --timeout")
                elif beside.execute(MEMORY).fetchall()[0][0] > MOST_MEMORY:
                    why.append(f"it needed more than {MOST_MEMORY >> 20} MB of memory; request less data")
                if why:
                    cursor.interrupt()  # repeated, because an interrupt between two statements has no effect

    looker = threading.Thread(target=look, name="bounds of a query", daemon=True)
    looker.start()
    try:
        yield
    except duckdb.InterruptException:
        if not why:
            raise
        raise ExportError(f"the query: {why[0]}") from None
    finally:
        is_over.set()
        looker.join()


def _check_sources(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise `ExportError` for a query that reads from anything but the published tables of this database.

    DuckDB's setting against file access applies to all connections, but other connections of the server need files.
    """
    ((text,),) = cursor.execute("select json_serialize_sql(?::varchar)", [sql]).fetchall()
    tree = json.loads(text)
    if tree["error"]:
        raise ExportError(f"the query: {tree['error_message']}")
    parts = list(_parts(tree))
    tables = {name.lower() for name in readable_tables(cursor)}
    named = {each["key"].lower() for part in parts for each in part.get("cte_map", {}).get("map", [])}
    for name in sorted(named & (_everything(cursor) - tables)):
        raise ExportError(f"the query: {name!r} is the name of a table that is not published; name the part otherwise")
    allowed = tables | {name for name in named if WORD.fullmatch(name)}
    ((database,),) = cursor.execute("select current_database()").fetchall()
    for part in parts:
        name = part.get("function_name", "").lower()
        if name in TELLING:
            raise ExportError(f"the query: {name}() reads outside the tables of this database")
        match part.get("type"):
            case "TABLE_FUNCTION":
                name = part["function"].get("function_name", "")
                if name.lower() not in MAKING:
                    raise ExportError(f"the query: {name}() reads outside the tables of this database")
            case "BASE_TABLE" | "SHOW_REF" if part.get("table_name"):
                where = {part.get("catalog_name", "").lower(), part.get("schema_name", "").lower()}
                if part["table_name"].lower() not in allowed or where - {"", "main", database.lower()}:
                    raise ExportError(f"the query: there is no table {part['table_name']!r} in this database")


def _everything(cursor: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of all tables and views, including DuckDB's own.

    A common table expression (`with name as …`) may hide one of them, but only within its scope.
    """
    sql = "select lower(table_name) from duckdb_tables() union select lower(view_name) from duckdb_views()"
    return {name for (name,) in cursor.execute(sql).fetchall()}


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a JSON tree."""
    todo = [tree]
    while todo:
        each = todo.pop()
        if isinstance(each, dict):
            yield each
        todo.extend(each.values() if isinstance(each, dict) else each if isinstance(each, list) else ())


@contextmanager
def _reading(warehouse: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    try:
        with warehouse.reading() as cursor:
            cursor.execute("begin transaction read only")  # prevents writes by a query that passes the checks
            yield cursor
    except duckdb.IOException as error:
        raise ExportError(sentence(error, warehouse.database)) from None
    except duckdb.Error as error:
        raise ExportError(f"the query: {_first_line(error)}") from None


def _stream(
    cursor: duckdb.DuckDBPyConnection,
    sql: str,
    rows: int | None,
    table: str | None,
    values: Mapping[str, Any] = NOTHING,
    *,
    nested: bool,
) -> Stream:
    described = cursor.execute(f"describe select * from (\n{sql}\n)", values).fetchall()
    columns = [Column(str(name), str(kind), meaning_of(table, str(name))) for name, kind, *_ in described]
    chosen = ", ".join(_chosen(column, nested=nested) for column in columns)
    relation = cursor.sql(f"select {chosen} from (\n{sql}\n)", params=values)
    return Stream(columns, rows, _batches(relation))


def _batches(relation: Any) -> Iterator[pl.DataFrame]:
    reader, is_empty = relation.to_arrow_reader(BATCH), True
    while True:
        try:
            batch = next(reader, None)
        except OSError as error:  # pyarrow wraps DuckDB errors in OSError
            raise (duckdb.InterruptException if INTERRUPTED in str(error) else duckdb.Error)(str(error)) from None
        if batch is None:
            break
        is_empty = False
        yield cast(pl.DataFrame, pl.from_arrow(batch))
    if is_empty:
        yield cast(pl.DataFrame, pl.from_arrow(reader.schema.empty_table()))


def _chosen(column: Column, *, nested: bool) -> str:
    """Return SQL that selects a column, cast to a type that the file format supports."""
    name = '"' + column.name.replace('"', '""') + '"'
    kind = column.type
    if kind in WHOLE:
        return f"cast({name} as decimal(38, 0)) as {name}"
    if PLAIN.fullmatch(kind) or (nested and (kind == "BLOB" or kind.startswith("DECIMAL") or _plain_list(kind))):
        return name
    if kind.startswith("DECIMAL"):
        return f"cast({name} as double) as {name}"
    return f"hex({name}) as {name}" if kind == "BLOB" else f"cast({name} as varchar) as {name}"


def _plain_list(kind: str) -> bool:
    return bool(PLAIN.fullmatch(kind.removesuffix("[]"))) and kind.endswith("[]")


def _first_line(error: duckdb.Error) -> str:
    return str(error).strip().splitlines()[0]


PATH: Mapping[str, str] = {"file": without_folder('t."file"')}
"""SQL that replaces columns that would reveal folders on the server."""


@dataclass(frozen=True, slots=True)
class OfferedTable:
    """A published table: the meaning of a row, the columns that identify a row, and all columns.

    `filters` is true if rows can be filtered by match, `rounds` if also by round.
    """

    name: str
    about: str
    grain: list[str]
    game: str | None
    columns: list[Column]
    filters: bool
    rounds: bool


def offered(reader: Reader, name: str | None = None) -> list[OfferedTable]:
    """Return the published tables of this database; with a name, only that table, or an empty list."""
    sql = """select table_name, column_name, data_type from duckdb_columns()
        where not internal and database_name = current_database() and table_name = coalesce($name, table_name)
        order by table_name, column_index"""
    columns: dict[str, list[tuple[str, str]]] = {}
    for table, column, kind in reader.rows(sql, {"name": name}):
        columns.setdefault(table, []).append((column, kind))
    return [_offered(table, columns[table.name]) for table in published_tables() if table.name in columns]


def _offered(table: PublishedTable, found: Sequence[tuple[str, str]]) -> OfferedTable:
    columns = [Column(name, kind, meaning_of(table.name, name)) for name, kind in found]
    names = {name for name, _ in found}
    filters = "match_id" in names
    return OfferedTable(
        table.name, table.about, list(table.grain), table.game, columns, filters, filters and "round" in names
    )


@contextmanager
def reading_offered(
    reader: Reader,
    table: OfferedTable,
    where: Filter | None,
    columns: Sequence[str],
    *,
    nested: bool,
    gone: Event | None = None,
) -> Iterator[Stream]:
    """Yield the rows of a published table, for matches under a filter; all rows if the filter is `None`.

    Empty `columns` mean all columns. The filter's rounds apply to tables that have rounds. Reading stops once `gone` is
    set, because the client has left.
    """
    names = columns or [column.name for column in table.columns]
    chosen = {name: PATH.get(name, f't."{name}"') for name in names}
    condition = ("true", {}) if where is None else _of_matches(table, where)
    try:
        with reading_columns(reader.warehouse, table.name, chosen, condition, nested=nested, gone=gone) as stream:
            yield stream
    except ExportError as error:
        raise DatabaseError(str(error).replace(str(reader.database), shown_path(reader.database))) from None


def _of_matches(table: OfferedTable, where: Filter) -> Where:
    condition, values = listed_where(where)
    parts = [f"t.match_id in (select m.match_id from dim_matches m where {condition})"]
    if table.rounds and (where.first, where.last) != (0, LAST_ROUND):
        parts.append("t.round between $first_round and $last_round")
        values |= {"first_round": where.first, "last_round": where.last}
    return conjunction(parts), values
