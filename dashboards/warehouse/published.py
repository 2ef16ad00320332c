"""Published tables for readers: their list, and the rows and columns of one under a filter."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event

from dashboards.warehouse.export import Column, ExportError, Stream, reading_columns
from dashboards.warehouse.filters import LAST_ROUND, Filter, Where, conjunction
from dashboards.warehouse.paths import shown_path, without_folder
from dashboards.warehouse.reader import DatabaseError, Reader
from dashboards.warehouse.where import listed_where
from ingest.tables.dictionary import meaning_of
from ingest.tables.published import PublishedTable, published_tables

__all__ = ["OfferedTable", "offered", "reading_offered"]

PATH: Mapping[str, str] = {"file": without_folder('t."file"')}
"""Columns that would reveal the server's disk to readers, and their replacements."""


@dataclass(frozen=True, slots=True)
class OfferedTable:
    """A published table: the meaning of a row, the columns that identify one, and all its columns.

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
    """Return the published tables of this database; with a name, only that one, or an empty list."""
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
    """Yield the rows of a table whose match is in the list under a filter; all rows without a filter.

    Empty `columns` mean all columns. Rounds in the filter restrict tables that have rounds. Reading ends once the
    client has `gone`.
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
