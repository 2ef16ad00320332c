"""The tables that anybody who may read is given: what is derived from logs; not who sent or noted what."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ingest.tables.definitions import event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["PublishedTable", "published_tables"]

EVENT: Final = ("match_id", "seq")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table or view for readers: what a row is, the columns that name one, and its game if it is about one only."""

    name: str
    about: str
    grain: tuple[str, ...]
    game: str | None


def published_tables() -> tuple[PublishedTable, ...]:
    """Return the tables for readers, in the order of docs/warehouse.md.

    Those of the raw layer are not among them: tokens, receipts, bookmarks, runs, and logs, which have an address each.
    Nor are former names of tables.
    """
    return _published(installed_games())


@cache
def _published(_: Any) -> tuple[PublishedTable, ...]:
    derived = [
        PublishedTable(table.name, f"{table.about[0].upper()}{table.about[1:]}.", table.grain, table.game)
        for table in sql_tables()
        if not (table.is_raw or table.same_as)
    ]
    every = PublishedTable("events", "One row per event of any game, `data` as its log has it.", EVENT, None)
    events = [
        PublishedTable(
            table.name, f"One row per event `{table.event}` of {table.game or 'any game'}.", EVENT, table.game
        )
        for table in event_tables()
    ]
    return (*derived, every, *events)
