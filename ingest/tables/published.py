"""Tables published to all readers: those derived from logs, without data about senders and users."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from ingest.tables.definitions import event_tables, sql_tables
from ingest.tables.marts import installed_games

__all__ = ["PublishedTable", "published_tables"]

EVENT: Final = ("match_id", "seq")


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A published table or view: its description, its grain, and its game if it covers only one."""

    name: str
    about: str
    grain: tuple[str, ...]
    game: str | None


def published_tables() -> tuple[PublishedTable, ...]:
    """Return the published tables, in the order of docs/warehouse.md.

    The raw layer is not included: tokens, receipts, bookmarks, runs, and logs, which have their own addresses. Former
    names of tables are not included either.
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
