"""The audit: who did what to this warehouse, in the table `audit`, which stays within bounds.

What is done often is counted: the same by the same within an hour is one row. So are, past `MOST_ALIKE` rows of one
kind in an hour, all others of that kind. Rows are kept for a year, and at most `MOST` of them.
"""

import logging
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import duckdb

from ingest.errors import WarehouseError
from ingest.warehouse import Report, Warehouse

__all__ = ["DONE", "REFUSED", "Count", "Entry", "list_audit", "note_operation", "write_entries"]

DONE: Final = "done"
REFUSED: Final = "refused"

MOST: Final = 200_000
KEPT: Final = timedelta(days=365)
MOST_ALIKE: Final = 50
VARIOUS: Final = "various"
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
"""The operations that are written down, and the argument that says to what; what was forgotten is not named."""
MOST_TEXT: Final = 200
SAME: Final = """
first_at >= $hour AND who = $who AND how = $how AND address = $address AND action = $action AND what = $what
AND outcome = $outcome
"""
ALIKE: Final = """
SELECT count(*) FROM audit
WHERE first_at >= $hour AND who = $who AND how = $how AND action = $action AND outcome = $outcome
"""
COUNT_ON: Final = f"UPDATE audit SET times = times + $times, last_at = $last_at WHERE {SAME} RETURNING entry"
INSERT: Final = """
INSERT INTO audit SELECT (SELECT coalesce(max(entry), 0) + 1 FROM audit), $first_at, $last_at, $times,
    $who, $how, $address, $action, $what, $outcome
"""
TOO_OLD: Final = "DELETE FROM audit WHERE last_at < $before OR entry <= (SELECT max(entry) FROM audit) - $most"
LATEST: Final = """
SELECT first_at, last_at, times, who, how, address, action, what, outcome
FROM audit ORDER BY last_at DESC, entry DESC LIMIT $most
"""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody did something; what each says stands beside the columns of the table."""

    who: str
    how: str
    address: str
    action: str
    what: str = ""
    outcome: str = DONE


@dataclass(slots=True)
class Count:
    """How often something was done, the first and the last time (UTC)."""

    first_at: datetime
    last_at: datetime
    times: int = 1


def write_entries(connection: duckdb.DuckDBPyConnection, entries: Mapping[Entry, Count]) -> None:
    """Write down what was done, within the transaction of the caller, and drop what is too old or too much."""
    for entry, count in entries.items():
        _write(connection, entry, count)
    connection.execute(TOO_OLD, {"before": _now() - KEPT, "most": MOST})


def _write(connection: duckdb.DuckDBPyConnection, entry: Entry, count: Count) -> None:
    key: dict[str, Any] = {name: value[:MOST_TEXT] for name, value in asdict(entry).items()}
    key["hour"] = count.last_at.replace(minute=0, second=0, microsecond=0)
    counted = {"times": count.times, "last_at": count.last_at}
    if connection.execute(COUNT_ON, key | counted).fetchall():
        return
    kind = {name: key[name] for name in ("hour", "who", "how", "action", "outcome")}
    ((alike,),) = connection.execute(ALIKE, kind).fetchall()
    if alike >= MOST_ALIKE:
        key |= {"address": VARIOUS, "what": VARIOUS}
        if connection.execute(COUNT_ON, key | counted).fetchall():
            return
    del key["hour"]
    connection.execute(INSERT, key | counted | {"first_at": count.first_at})


def note_operation(warehouse: Warehouse, name: str, arguments: Mapping[str, Any]) -> None:
    """Write down that a command had an operation done, if it is one of those; where it cannot be, the log says so."""
    if name not in AUDITED or warehouse.read_only or arguments.get("dry_run"):
        return
    now = _now()
    entry = Entry("operator", "command", "", name, str(arguments.get(AUDITED[name], "")))
    try:
        with warehouse.writing_at_once() as connection:
            connection.begin()
            write_entries(connection, {entry: Count(now, now)})
            connection.commit()
    except WarehouseError as error:
        log.warning("%s is not in the audit: %s", name, error)


def list_audit(warehouse: Warehouse, arguments: dict[str, Any], _: Report) -> dict[str, Any]:
    """Return the latest `entries`, at most so many as the argument `most`: the operation `list_audit`."""
    with warehouse.reading() as connection:
        connection.execute(LATEST, {"most": int(arguments.get("most", 100))})
        names = [column[0] for column in connection.description or ()]
        rows = connection.fetchall()
    return {"entries": [{name: _text(value) for name, value in zip(names, row, strict=True)} for row in rows]}


def _text(value: Any) -> Any:
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else value


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
