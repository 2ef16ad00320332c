"""Has the last rounds of matches played out for who opens them: one match at a time beside everything else.

What was played out is kept in the warehouse; why another cannot be is kept as long as the server runs.
"""

import json
import logging
import subprocess
import threading
from collections import OrderedDict
from typing import Any, Final

from ingest.arrow import table_of
from ingest.load.transactions import transaction, undisturbed
from ingest.validate.playing_out import started
from ingest.warehouse import Warehouse

__all__ = ["Busy", "Playouts"]

MOST_WAITING: Final = 8
MOST_REASONS: Final = 1_000
SECONDS: Final = 300.0
"""How long a match may take before it is given up; by the clock, on a machine with other work."""
KEPT: Final = """
INSERT INTO fct_playouts BY NAME
SELECT raw.match_id, played.* FROM played, raw_matches AS raw
WHERE raw.match = $match AND raw.bytes_sha256 = $sha256 AND raw.match_id NOT IN (SELECT match_id FROM fct_playouts)
"""
COLUMNS: Final = {"seq": "INTEGER", "seat": "INTEGER", "chance": "DOUBLE", "samples": "INTEGER"}

log = logging.getLogger(__name__)


class Busy(Exception):
    """So many matches wait to be played out that no other is accepted."""


class Playouts:
    """The matches of a server that are to be played out; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._changed = threading.Condition()
        self._waiting: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._reasons: OrderedDict[tuple[str, str], str] = OrderedDict()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="playouts", daemon=True)
        self._thread.start()

    def ask(self, match: str, sha256: str, text: bytes) -> None:
        """Have a match played out, unless it waits already or cannot be; `Busy` if too many wait."""
        key = (match, sha256)
        with self._changed:
            if key in self._reasons or key in self._waiting:
                return
            if len(self._waiting) >= MOST_WAITING:
                raise Busy(f"{MOST_WAITING} matches wait to be played out; ask again later")
            self._waiting[key] = text
            self._changed.notify_all()

    def waits(self, match: str, sha256: str) -> bool:
        """Return whether a match waits to be played out, or is."""
        return (match, sha256) in self._waiting

    def reason(self, match: str, sha256: str) -> str | None:
        """Return why a match cannot be played out, if that was found."""
        return self._reasons.get((match, sha256))

    def at_work(self) -> tuple[int, int]:
        """Return how many matches wait, and how many are being played out."""
        with self._changed:
            running = int(self._process is not None)
            return len(self._waiting) - min(running, len(self._waiting)), running

    def close(self) -> None:
        """End what is under way; it is asked for again when somebody opens the match."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            if self._process is not None:
                self._process.kill()
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._next()) is not None:
            key, text = asked
            try:
                self._settle(key, self._played(text))
            except Exception:
                log.exception("the match %s was played out and could not be kept", key[0])

    def _next(self) -> tuple[tuple[str, str], bytes] | None:
        """Wait for a match; it stays in the list until it is done, so that nobody has it played twice."""
        with self._changed:
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            return None if self._is_closed else next(iter(self._waiting.items()))

    def _played(self, text: bytes) -> dict[str, Any]:
        with self._changed:
            if self._is_closed:
                return {"reason": "the server stops"}
            self._process = process = started()
        with process:
            try:
                said, _ = process.communicate(text, timeout=SECONDS)
                answer: dict[str, Any] = json.loads(said)
            except subprocess.TimeoutExpired:
                process.kill()
                return {"reason": f"it takes longer than {SECONDS:.0f} seconds"}
            except ValueError:
                return {"reason": "the process that played it out was ended from outside"}
            return answer

    def _settle(self, key: tuple[str, str], answer: dict[str, Any]) -> None:
        try:
            if "reason" not in answer:
                self._keep(key, answer)
        finally:
            with self._changed:
                self._process = None
                self._waiting.pop(key, None)
                if "reason" in answer:
                    self._reasons[key] = answer["reason"]
                    if len(self._reasons) > MOST_REASONS:
                        self._reasons.popitem(last=False)

    def _keep(self, key: tuple[str, str], answer: dict[str, Any]) -> None:
        rows = [
            (each["seq"], seat, chance, answer["samples"])
            for each in answer["chances"]
            for seat, chance in enumerate(each["chances"])
        ]
        match, sha256 = key
        with self._warehouse.writing() as connection, undisturbed(), transaction(connection):
            connection.register("played", table_of(COLUMNS, rows))
            connection.execute(KEPT, {"match": match, "sha256": sha256})
            connection.unregister("played")
