"""Plays out matches that users open, their last rounds or a decision: one at a time, next to all other work.

Results are stored in the warehouse; reasons for failures are kept until the server stops.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from typing import Any, Final

from himalaya_core.review.swings import Evaluation
from ingest.arrow import table_of
from ingest.jobs import JobError, Jobs, Progress, Status
from ingest.load.transactions import transaction, undisturbed
from ingest.validate.playing_out import started
from ingest.validate.reviewed import Row
from ingest.warehouse import Warehouse

__all__ = ["Playouts", "What"]

MOST_KEPT: Final = 1_000
"""Maximum kept reasons why matches cannot be played out."""
LOOK: Final = 0.2
"""Seconds between two checks whether the server stops."""
SECONDS: Final = 300.0
"""Maximum seconds for a match, in wall-clock time, on a machine with other work."""
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


@dataclass(frozen=True, slots=True)
class What:
    """Part to play out of a match (by the digest of its lines): its last rounds, or a decision by its digest."""

    match: str
    sha256: str
    digest: str = ""


class Playouts:
    """The queue of matches that a server plays out; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self.jobs = Jobs("playout", kept=MOST_KEPT, longest=SECONDS, unseen=inf)

    def ask(self, what: What, text: bytes, decision: Evaluation | None = None) -> None:
        """Queue a match or a decision, unless it is queued already or known to fail. Raises `Busy` if too many wait."""
        known = self.jobs.latest(what)
        if known is None or known.status is Status.DONE:
            self.jobs.ask(what, partial(self._play, what, text, decision), shares=False)

    def waits(self, what: What) -> bool:
        """Return whether it is queued or being played out."""
        job = self.jobs.latest(what)
        return job is not None and not job.is_over

    def reason(self, what: What) -> str | None:
        """Return why it cannot be played out, if known."""
        job = self.jobs.latest(what)
        return None if job is None else job.problem

    def _play(self, what: What, text: bytes, decision: Evaluation | None, progress: Progress) -> None:
        answer = _played({"log": text.decode(), "decision": None if decision is None else asdict(decision)}, progress)
        if "reason" in answer:
            raise JobError(answer["reason"])
        if decision is None:
            self._keep(what, KEPT, COLUMNS, _shares(answer))
        else:
            self._keep(what, CONFIRMED, COLUMNS_CONFIRMED, [_confirmed(what, decision, answer)])

    def _keep(self, what: What, into: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        with self._warehouse.writing() as connection, undisturbed(), transaction(connection):
            connection.register("played", table_of(columns, rows))
            connection.execute(into, {"match": what.match, "sha256": what.sha256})
            connection.unregister("played")


def _played(given: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Return the answer of a process, which ends with the job."""
    process = started()
    try:
        process.ask(given)
        while True:
            progress(0, 0, "playing out")
            with suppress(TimeoutError):
                said = process.line(LOOK)
                break
    finally:
        process.end()
    if said is None:
        raise JobError("the process was stopped by the system; try again")
    answer: dict[str, Any] = json.loads(said)
    return answer


def _shares(answer: Mapping[str, Any]) -> list[Row]:
    return [
        (each["seq"], seat, chance, answer["samples"])
        for each in answer["chances"]
        for seat, chance in enumerate(each["chances"])
    ]


def _confirmed(what: What, decision: Evaluation, answer: Mapping[str, Any]) -> Row:
    gain = answer["gain"] or (None, None, None)
    return (what.digest, decision.seq, decision.seat, answer["is_confirmed"], answer["pairs"], *gain, answer["text"])
