"""Has matches played out for who opens them, their last rounds or a decision: one at a time beside everything else.

What was played out is kept in the warehouse; why another cannot be is kept as long as the server runs.
"""

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from himalaya_core.child import Child
from himalaya_core.review.swings import Judgement
from ingest.arrow import table_of
from ingest.load.transactions import transaction, undisturbed
from ingest.validate.playing_out import started
from ingest.validate.reviewed import Row
from ingest.warehouse import Warehouse

__all__ = ["Busy", "Playouts", "What"]

MOST_WAITING: Final = 8
MOST_REASONS: Final = 1_000
SECONDS: Final = 300.0
"""How long a match may take before it is given up; by the clock, on a machine with other work."""
CONFIRMED: Final = """
INSERT INTO fct_confirmations BY NAME
SELECT raw.match_id, played.* FROM played, raw_matches AS raw
WHERE raw.match = $match AND raw.bytes_sha256 = $sha256
    AND (raw.match_id, played.digest) NOT IN (SELECT (match_id, digest) FROM fct_confirmations)
"""
KEPT: Final = """
INSERT INTO fct_playouts BY NAME
SELECT raw.match_id, played.* FROM played, raw_matches AS raw
WHERE raw.match = $match AND raw.bytes_sha256 = $sha256 AND raw.match_id NOT IN (SELECT match_id FROM fct_playouts)
"""
COLUMNS: Final = {"seq": "INTEGER", "seat": "INTEGER", "chance": "DOUBLE", "samples": "INTEGER"}
COLUMNS_CONFIRMED: Final = {
    "digest": "VARCHAR",
    **dict.fromkeys(("seq", "seat"), "INTEGER"),
    "is_confirmed": "BOOLEAN",
    "pairs": "INTEGER",
    **dict.fromkeys(("gain", "low", "high"), "DOUBLE"),
    "text": "VARCHAR",
}

log = logging.getLogger(__name__)


class Busy(Exception):
    """So many matches wait to be played out that no other is accepted."""


@dataclass(frozen=True, slots=True)
class What:
    """What is played out of a match whose lines have a digest: its last rounds, or a decision, by its own digest."""

    match: str
    sha256: str
    digest: str = ""


class Playouts:
    """What is to be played out by a server; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self._changed = threading.Condition()
        self._waiting: OrderedDict[What, tuple[bytes, Judgement | None]] = OrderedDict()
        self._reasons: OrderedDict[What, str] = OrderedDict()
        self._process: Child | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="playouts", daemon=True)
        self._thread.start()

    def ask(self, what: What, text: bytes, decision: Judgement | None = None) -> None:
        """Have a match played out, or a decision, unless it waits already or cannot be; `Busy` if too many wait."""
        with self._changed:
            if what in self._reasons or what in self._waiting:
                return
            if len(self._waiting) >= MOST_WAITING:
                raise Busy(f"{MOST_WAITING} matches wait to be played out; ask again later")
            self._waiting[what] = text, decision
            self._changed.notify_all()

    def waits(self, what: What) -> bool:
        """Return whether it waits to be played out, or is."""
        return what in self._waiting

    def reason(self, what: What) -> str | None:
        """Return why it cannot be played out, if that was found."""
        return self._reasons.get(what)

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
                self._process.end()
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while (asked := self._next()) is not None:
            what, (text, decision) = asked
            try:
                self._settle(what, decision, self._played(text, decision))
            except Exception:
                log.exception("the match %s was played out and could not be kept", what.match)

    def _next(self) -> tuple[What, tuple[bytes, Judgement | None]] | None:
        """Wait for a match; it stays in the list until it is done, so that nobody has it played twice."""
        with self._changed:
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            return None if self._is_closed else next(iter(self._waiting.items()))

    def _played(self, text: bytes, decision: Judgement | None) -> dict[str, Any]:
        given = {"log": text.decode(), "decision": None if decision is None else asdict(decision)}
        with self._changed:
            if self._is_closed:
                return {"reason": "the server stops"}
            self._process = process = started()
        try:
            process.ask(given)
            said = process.line(SECONDS)
        except TimeoutError:
            return {"reason": f"it takes longer than {SECONDS:.0f} seconds"}
        finally:
            process.end()
        if said is None:
            return {"reason": "the process that played it out was ended from outside"}
        answer: dict[str, Any] = json.loads(said)
        return answer

    def _settle(self, what: What, decision: Judgement | None, answer: Mapping[str, Any]) -> None:
        try:
            if "reason" not in answer and decision is None:
                self._keep(what, KEPT, COLUMNS, _shares(answer))
            elif "reason" not in answer and decision is not None:
                self._keep(what, CONFIRMED, COLUMNS_CONFIRMED, [_confirmed(what, decision, answer)])
        finally:
            with self._changed:
                self._process = None
                self._waiting.pop(what, None)
                if "reason" in answer:
                    self._reasons[what] = answer["reason"]
                    if len(self._reasons) > MOST_REASONS:
                        self._reasons.popitem(last=False)

    def _keep(self, what: What, into: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        with self._warehouse.writing() as connection, undisturbed(), transaction(connection):
            connection.register("played", table_of(columns, rows))
            connection.execute(into, {"match": what.match, "sha256": what.sha256})
            connection.unregister("played")


def _shares(answer: Mapping[str, Any]) -> list[Row]:
    return [
        (each["seq"], seat, chance, answer["samples"])
        for each in answer["chances"]
        for seat, chance in enumerate(each["chances"])
    ]


def _confirmed(what: What, decision: Judgement, answer: Mapping[str, Any]) -> Row:
    gain = answer["gain"] or (None, None, None)
    return (what.digest, decision.seq, decision.seat, answer["is_confirmed"], answer["pairs"], *gain, answer["text"])
