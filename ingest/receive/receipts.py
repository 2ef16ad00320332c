"""Receipts: the result of each received body, by the SHA-256 of its bytes.

A receipt is written in the transaction that loads the last part of its body. Receipts of the last `DAYS` days are kept,
up to the last `MOST`. Without its receipt a body that is sent again is accepted again. It adds nothing, since its
matches are known by their names and bytes.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

import duckdb

from ingest.arrow import table_of
from ingest.load.summary import Summary
from ingest.receive.inbox import Arrival

__all__ = ["DAYS", "MOST", "Receipt", "Status", "drop_old", "receipt_of", "recorded", "write_down"]

DAYS: Final = 30
MOST: Final = 100_000
MORE: Final = 1_000
"""Receipts allowed beyond the limit, so that not each body costs a deletion."""
FIND: Final = "SELECT size, received_at, result FROM receipts WHERE receipt = $receipt"
FOUND: Final = "SELECT receipt FROM receipts WHERE list_contains($receipts, receipt)"
WRITE_DOWN: Final = "INSERT INTO receipts BY NAME FROM written"
LAST_KEPT: Final = """
SELECT received_at FROM receipts
WHERE (SELECT count(*) FROM receipts) > $most + $more ORDER BY received_at DESC LIMIT 1 OFFSET $most
"""
DROP: Final = "DELETE FROM receipts WHERE received_at <= $since"
COLUMNS: Final = {
    **dict.fromkeys(("receipt", "source", "status", "result"), "VARCHAR"),
    "size": "BIGINT",
    "received_at": "TIMESTAMP",
}

Connection = duckdb.DuckDBPyConnection


class Status(StrEnum):
    """The state of a body: just accepted, waiting on the disk, or loaded."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    TAKEN = "taken"


@dataclass(frozen=True, slots=True)
class Receipt:
    """An accepted body: `summary` is the result of loading, `problem` the reason why it has to wait. Times are UTC."""

    receipt: str
    status: Status
    size: int
    received_at: datetime
    summary: Summary | None = None
    problem: str | None = None


def receipt_of(connection: Connection, receipt: str) -> Receipt | None:
    """Return the receipt of a body that was loaded."""
    for size, received_at, result in connection.execute(FIND, {"receipt": receipt}).fetchall():
        return Receipt(receipt, Status.TAKEN, size, received_at, Summary.read(json.loads(result)))
    return None


def recorded(connection: Connection, receipts: Iterable[str]) -> set[str]:
    """Return the receipts of those bodies that were loaded."""
    return {receipt for (receipt,) in connection.execute(FOUND, {"receipts": list(receipts)}).fetchall()}


def write_down(connection: Connection, arrivals: Mapping[str, Arrival], summaries: Mapping[str, Summary]) -> None:
    """Write receipts, by SHA-256, within the transaction of the caller."""
    rows = [
        (
            receipt,
            arrivals[receipt].source,
            Status.TAKEN,
            json.dumps(summary.as_json()),
            arrivals[receipt].size,
            arrivals[receipt].received_at,
        )
        for receipt, summary in summaries.items()
    ]
    if rows:
        connection.register("written", table_of(COLUMNS, rows))
        connection.execute(WRITE_DOWN)
        connection.unregister("written")


def drop_old(connection: Connection, now: datetime | None = None) -> None:
    """Remove receipts that are older than promised, or beyond the maximum number."""
    today = now or datetime.now(UTC).replace(tzinfo=None)
    connection.execute(DROP, {"since": today - timedelta(days=DAYS)})
    for (since,) in connection.execute(LAST_KEPT, {"most": MOST, "more": MORE}).fetchall():
        connection.execute(DROP, {"since": since})
