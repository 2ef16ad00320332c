"""Audit log: which user did what to a warehouse, in the table `audit`.

The same action by the same user within an hour is one row with a count. At most `MOST_ALIKE` rows per hour differ only
in client address or object; further such actions share a row. Rows are kept for a year, and at most `MOST` of them.
"""

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from ingest.app_store import AppStore, as_moment, as_text, now
from ingest.errors import WarehouseError

__all__ = ["DONE", "REFUSED", "Entry", "Row", "latest", "note", "note_command"]

DONE: Final = "done"
REFUSED: Final = "refused"

MOST: Final = 200_000
KEPT: Final = timedelta(days=365)
MOST_ALIKE: Final = 50
VARIOUS: Final = "various"
MOST_TEXT: Final = 200
AUDITED: Final[Mapping[str, str]] = {
    "create_token": "name",
    "rotate_token": "name",
    "revoke_token": "name",
    "backup": "file",
    "restore": "file",
    "lake": "folder",
    "vacuum": "",
    "forget": "",
    "allow_again": "",
    "retry_quarantine": "",
    "drop_quarantine": "",
}
"""Audited commands, each with the argument that names its object. Names of forgotten matches are not recorded."""
COUNT_ON: Final = """
UPDATE audit SET times = times + 1, last_at = :now
WHERE first_at >= :hour AND who = :who AND how = :how AND address = :address AND action = :action AND what = :what
    AND outcome = :outcome
"""
ALIKE: Final = """
SELECT count(*) FROM audit
WHERE first_at >= :hour AND who = :who AND how = :how AND action = :action AND outcome = :outcome
"""
INSERT: Final = """
INSERT INTO audit (first_at, last_at, times, who, how, address, action, what, outcome)
VALUES (:now, :now, 1, :who, :how, :address, :action, :what, :outcome)
"""
TOO_OLD: Final = "DELETE FROM audit WHERE last_at < :before"
TOO_MANY: Final = "DELETE FROM audit WHERE entry <= (SELECT max(entry) FROM audit) - :most"
LATEST: Final = """
SELECT first_at, last_at, times, who, how, address, action, what, outcome
FROM audit ORDER BY last_at DESC, entry DESC LIMIT ?
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """An audited action; the columns of the table `audit` describe the fields."""

    who: str
    how: str
    address: str
    action: str
    what: str = ""
    outcome: str = DONE


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the audit log: an action, how often it occurred, and its first and last time within an hour (UTC)."""

    first_at: datetime
    last_at: datetime
    times: int
    who: str
    how: str
    address: str
    action: str
    what: str
    outcome: str


def note(store: AppStore, entry: Entry, at: datetime | None = None) -> None:
    """Record an action, and delete old or surplus rows. If that fails, a warning is logged."""
    if store.read_only:
        return
    moment = at or now()
    key: dict[str, Any] = {name: value[:MOST_TEXT] for name, value in asdict(entry).items()}
    key |= {"now": as_text(moment), "hour": as_text(moment.replace(minute=0, second=0, microsecond=0))}
    try:
        with store.writing(durable=False) as connection:
            _write(connection, key)
            connection.execute(TOO_OLD, {"before": as_text(moment - KEPT)})
            connection.execute(TOO_MANY, {"most": MOST})
    except WarehouseError as error:
        log.warning("%s could not be written to the audit: %s", entry.action, error)


def note_command(store: AppStore, name: str, arguments: Mapping[str, Any]) -> None:
    """Record a command if it is audited and not a dry run."""
    if name in AUDITED and not arguments.get("dry_run"):
        note(store, Entry("operator", "command", "", name, str(arguments.get(AUDITED[name], ""))))


def latest(store: AppStore, most: int = 100) -> list[Row]:
    """Return the latest rows, newest first."""
    with store.reading() as connection:
        rows = connection.execute(LATEST, (most,)).fetchall()
    return [Row(as_moment(first), as_moment(last), *rest) for first, last, *rest in rows]


def _write(connection: sqlite3.Connection, key: dict[str, Any]) -> None:
    if connection.execute(COUNT_ON, key).rowcount:
        return
    ((alike,),) = connection.execute(ALIKE, key).fetchall()
    if alike >= MOST_ALIKE:
        key |= {"address": VARIOUS, "what": VARIOUS}
        if connection.execute(COUNT_ON, key).rowcount:
            return
    connection.execute(INSERT, key)
