"""Lists, shows and drops quarantine entries; `ingest.quarantine.retry` tries to load them again."""

import base64
from dataclasses import dataclass, field
from typing import Any, Final

import duckdb
from pydantic import TypeAdapter

from ingest.errors import WarehouseError
from ingest.values import unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["Choice", "Row", "choose", "drop_rows", "list_rows", "require", "show_row"]

MOST_LISTED: Final = 10_000
COLUMNS: Final = "quarantine_id, file, line, match, reason, message, size, ingested_in, resolved_in"


@dataclass(frozen=True, slots=True)
class Choice:
    """A selection of entries by id, by reason, and by file or folder; without ids, all open entries.

    Only entries with an id above `after` are selected. `resolved` includes entries of matches that were loaded later.
    """

    ids: tuple[int, ...] = ()
    reason: str | None = None
    files: tuple[str, ...] = ()
    after: int = 0
    resolved: bool = False

    def where(self) -> tuple[str, dict[str, Any]]:
        """Return the SQL condition of the selection, and the values of its parameters."""
        conditions, values = ["quarantine_id > $after"], dict[str, Any](after=self.after)
        if self.ids:
            conditions.append("quarantine_id IN (SELECT unnest($ids))")
            values["ids"] = list(self.ids)
        if self.reason:
            conditions.append("reason = $reason")
            values["reason"] = self.reason
        if self.files:
            conditions.append("list_bool_or([file = name OR starts_with(file, name || '/') FOR name IN $files])")
            values["files"] = list(self.files)
        if not self.resolved:
            conditions.append("resolved_in IS NULL")
        return " AND ".join(conditions), values


@dataclass(frozen=True, slots=True)
class Row:
    """A quarantine entry without its text."""

    id: int
    file: str
    line: int
    match: str | None
    reason: str
    message: str
    size: int
    ingested_in: int
    resolved_in: int | None


@dataclass(frozen=True, slots=True)
class _Listing:
    choice: Choice = field(default_factory=Choice)
    limit: int = 100


_choices = TypeAdapter(Choice)
_listings = TypeAdapter(_Listing)
_rows = TypeAdapter(list[Row])


def list_rows(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """List quarantine entries: the operation `list_quarantine`.

    Returns the first matching entries, the number of all matching entries, and their number by reason.
    """
    listing = _listings.validate_python(arguments)
    where, values = listing.choice.where()
    with warehouse.reading() as connection:
        rows = choose(connection, listing.choice, min(listing.limit, MOST_LISTED))
        sql = f"SELECT reason, count(*) FROM quarantine WHERE {where} GROUP BY 1 ORDER BY 2 DESC, 1"
        reasons = dict(connection.execute(sql, values).fetchall())
    return {"rows": _rows.dump_python(rows), "total": sum(reasons.values()), "reasons": reasons}


def choose(connection: duckdb.DuckDBPyConnection, choice: Choice, limit: int) -> list[Row]:
    """Return matching entries, ordered by id, up to the limit."""
    where, values = choice.where()
    sql = f"SELECT {COLUMNS} FROM quarantine WHERE {where} ORDER BY quarantine_id LIMIT $limit"
    return [Row(*row) for row in connection.execute(sql, values | {"limit": limit}).fetchall()]


def show_row(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Return an entry and its text in base 64: the operation `show_quarantine`. The argument `id` is the entry's id."""
    with warehouse.reading() as connection:
        rows = choose(connection, Choice((arguments["id"],), resolved=True), 1)
        sql = "SELECT text FROM quarantine WHERE quarantine_id = $id"
        texts = connection.execute(sql, {"id": arguments["id"]}).fetchall()
    if not rows:
        raise WarehouseError(f"quarantine has no entry {arguments['id']}; `himalaya quarantine list` shows all")
    (written,) = _rows.dump_python(rows)
    return {"row": written, "text": base64.b64encode(unpack(texts[0][0])).decode()}


def drop_rows(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Delete entries with their texts: the operation `drop_quarantine`; returns the number of `dropped` entries."""
    choice = _choices.validate_python(arguments["choice"])
    where, values = choice.where()
    with warehouse.writing() as connection:
        require(connection, choice)
        ((dropped,),) = connection.execute(f"DELETE FROM quarantine WHERE {where}", values).fetchall()
    return {"dropped": dropped}


def require(connection: duckdb.DuckDBPyConnection, choice: Choice) -> None:
    """Raise `WarehouseError` for the first chosen id that does not exist, or is resolved while `resolved` is false."""
    there = {row.id: row for row in choose(connection, Choice(choice.ids, resolved=True), len(choice.ids))}
    for number in choice.ids:
        if number not in there:
            raise WarehouseError(f"quarantine has no entry {number}; `himalaya quarantine list` shows all")
        run = there[number].resolved_in
        if run is not None and not choice.resolved:
            raise WarehouseError(f"entry {number} is resolved: its match was loaded later, in run {run}")
