"""What a server has to write down beside its answers: the audit, and when tokens were used; nobody waits for it.

It lies in memory for some seconds, counted where it is the same, and is written by a thread of its own. A killed server
loses no more than that.
"""

import logging
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, Self

import duckdb

from ingest.audit import VARIOUS, Count, Entry, write_entries
from ingest.errors import WarehouseError
from ingest.receive.tokens import Token, write_uses
from ingest.warehouse import Warehouse

__all__ = ["Ledger"]

PAUSE: Final = 5.0
"""Seconds between two writes."""
AN_HOUR: Final = timedelta(hours=1)
MOST: Final = 1_000
"""Different entries that are kept in memory."""

log = logging.getLogger(__name__)


class Ledger:
    """Takes notes at once and writes them soon; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._lock = threading.Lock()
        self._entries: dict[Entry, Count] = {}
        self._uses: dict[str, datetime] = {}
        self._used: dict[str, datetime] = {}
        """The last uses that were noted."""
        self._something = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ledger", daemon=True)

    def __enter__(self) -> Self:
        """Start to write."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is left, and stop."""
        self._stopping.set()
        self._something.set()
        self._thread.join()
        self.write()

    def note(self, entry: Entry) -> None:
        """Take note of what somebody did."""
        now = _now()
        with self._lock:
            if len(self._entries) >= MOST and entry not in self._entries:
                entry = replace(entry, address=VARIOUS, what=VARIOUS)
            count = self._entries.setdefault(entry, Count(now, now, 0))
            count.last_at, count.times = now, count.times + 1
        self._something.set()

    def note_use(self, token: Token) -> None:
        """Take note that a token was used, to the hour."""
        now = _now()
        with self._lock:
            before = self._used.get(token.sha256, token.used_at)
            if before is not None and now - before < AN_HOUR:
                return
            self._uses[token.sha256] = self._used[token.sha256] = now
        self._something.set()

    def write(self) -> None:
        """Write what was noted; where nothing can be written now it stays, to be tried again."""
        with self._lock:
            entries, self._entries = self._entries, {}
            uses, self._uses = self._uses, {}
        if self._warehouse.read_only or not (entries or uses):
            return
        try:
            with self._warehouse.writing_at_once() as connection:
                connection.begin()
                write_entries(connection, entries)
                write_uses(connection, uses)
                connection.commit()
        except (WarehouseError, duckdb.Error) as error:
            log.warning("the audit cannot be written now: %s", error)
            with self._lock:
                self._entries = entries | self._entries
                self._uses = uses | self._uses

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._something.wait()
            self._something.clear()
            self.write()
            self._stopping.wait(PAUSE)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
