"""Reading whole tables and queries of one's own, batch by batch: what would do anything else is refused first."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import duckdb
import polars as pl

from dashboards.warehouse.filters import Where
from ingest.errors import WarehouseError
from ingest.tables.dictionary import meaning_of, tables_of
from ingest.warehouse import Warehouse, sentence

__all__ = ["Column", "ExportError", "Stream", "reading_columns", "reading_query", "reading_table", "table_names"]

BATCH: Final = 50_000
PLAIN: Final = re.compile(r"(INTEGER|BIGINT|SMALLINT|TINYINT|U\w*INT\w*|BOOLEAN|DOUBLE|FLOAT|VARCHAR|TIMESTAMP|DATE)")
READS: Final = duckdb.StatementType.SELECT
WHOLE: Final = {"HUGEINT", "UHUGEINT"}
"""Types of sums of whole numbers; as decimals they are exact and files know them."""
MAKING: Final = frozenset({"range", "generate_series", "unnest", "repeat", "repeat_row"})
"""Functions that a query may read rows from: they make them; others read files, or run text as a query."""
WORD: Final = re.compile(r"\w+")
NOTHING: Final[Mapping[str, Any]] = {}


class ExportError(WarehouseError):
    """Something that cannot be exported; the message is one line and says why."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an export: its name, its type in the database, and what it means as far as that is known."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Stream:
    """Rows to export: their columns, how many there are (none: not known before), and the rows, batch by batch.

    There is at least one batch, which may be without rows.
    """

    columns: list[Column]
    rows: int | None
    batches: Iterator[pl.DataFrame]


def table_names(warehouse: Warehouse) -> list[str]:
    """Return the names of all tables and views."""
    with warehouse.reading() as cursor:
        return tables_of(cursor)


@contextmanager
def reading_table(warehouse: Warehouse, name: str, *, nested: bool) -> Iterator[Stream]:
    """Yield a table or view; `nested` keeps lists, decimals and bytes as they are, else they become plain."""
    with _reading(warehouse) as cursor:
        if name not in tables_of(cursor):
            raise ExportError(f"there is no table {name!r}")
        ((rows,),) = cursor.execute(f'select count(*) from "{name}"').fetchall()
        yield _stream(cursor, f'from "{name}"', int(rows), name, nested=nested)


@contextmanager
def reading_columns(
    warehouse: Warehouse, name: str, chosen: Mapping[str, str], where: Where, *, nested: bool
) -> Iterator[Stream]:
    """Yield columns of a table (by name, each as SQL over the table) in the rows that meet a condition.

    Names, SQL and condition come from us; values of the condition go in as parameters.
    """
    condition, values = where
    columns = ", ".join(f'{sql} as "{column}"' for column, sql in chosen.items())
    with _reading(warehouse) as cursor:
        sql = f'select {columns} from "{name}" t where {condition}'
        yield _stream(cursor, sql, None, name, values, nested=nested)


@contextmanager
def reading_query(warehouse: Warehouse, text: str, *, nested: bool, counted: bool = False) -> Iterator[Stream]:
    """Yield what one query gives; `ExportError` for what is none, is several, or would do anything but read.

    It reads the tables of this database only: no file, no address. `counted` has the rows counted beforehand.
    """
    with _reading(warehouse) as cursor:
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


def _check_sources(cursor: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Raise `ExportError` for a query that takes rows from anything but tables of this database.

    DuckDB can forbid files only for all connections at once, and the server's other work needs them.
    """
    ((text,),) = cursor.execute("select json_serialize_sql(?::varchar)", [sql]).fetchall()
    tree = json.loads(text)
    if tree["error"]:
        raise ExportError(f"the query: {tree['error_message']}")
    parts = list(_parts(tree))
    named = {each["key"].lower() for part in parts for each in part.get("cte_map", {}).get("map", [])}
    known = {name for name in named if WORD.fullmatch(name)} | {name.lower() for name in tables_of(cursor)}
    for part in parts:
        match part.get("type"):
            case "TABLE_FUNCTION":
                name = part["function"].get("function_name", "")
                if name.lower() not in MAKING:
                    raise ExportError(f"the query: {name}() reads what is no table of this database")
            case "BASE_TABLE" | "SHOW_REF" if part.get("table_name") and part["table_name"].lower() not in known:
                raise ExportError(f"the query: there is no table {part['table_name']!r} in this database")


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of a tree of JSON."""
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
            cursor.execute("begin transaction read only")  # should a query find a way to write, this stops it
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
    for batch in reader:
        is_empty = False
        yield cast(pl.DataFrame, pl.from_arrow(batch))
    if is_empty:
        yield cast(pl.DataFrame, pl.from_arrow(reader.schema.empty_table()))


def _chosen(column: Column, *, nested: bool) -> str:
    """Return what is selected for a column: a type that files of the format know."""
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
