"""Reviews matches with the built-in models, and plays out the matches that users open."""

import json
import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from math import inf
from typing import Any, Final

import duckdb

from himalaya_core.games import GAMES
from himalaya_core.winprob.key_moments import Evaluation
from himalaya_core.winprob.model import shipped
from ingest.jobs import JobError, Jobs, Progress, Status
from ingest.load.reproducibility import chunks_of
from ingest.transactions import transaction, undisturbed
from ingest.validate.after_load import FAILS, Reviewed, Row, reviewed, started
from ingest.validate.pool import answered
from ingest.values import table_of
from ingest.warehouse import Report, Warehouse

__all__ = ["Playouts", "What", "a_match_waits", "how_many_wait", "review_waiting"]


SECONDS: Final = 5.0
"""Seconds between two commits."""
MOST_NAMED: Final = 1_000
"""Maximum number of failed reviews listed in a result; the warehouse has all of them."""
TO_BE_REVIEWED: Final = f"""
SELECT match_id FROM dim_matches AS played
JOIN (SELECT unnest($games) AS game, unnest($models) AS model) AS shipped USING (game)
LEFT JOIN dim_reviews AS known USING (match_id)
WHERE played.verdict = 'clean' AND played.status = 'finished'
    AND (known.model IS DISTINCT FROM shipped.model OR ($failed AND starts_with(known.not_valued, '{FAILS}')))
"""
KNOWN: Final = """
SELECT match, bytes_sha256, match_id, dim_reviews.match_id IS NOT NULL
FROM raw_matches LEFT JOIN dim_reviews USING (match_id) WHERE list_contains($names, match)
"""
COLUMNS: Final[Mapping[str, Mapping[str, Any]]] = {
    "dim_reviews": {
        "model": "VARCHAR",
        "calibration_error": "DOUBLE",
        "not_valued": "VARCHAR",
        "decided_round": "INTEGER",
        "lowest": "DOUBLE",
        **dict.fromkeys(("lowest_round", "lowest_ply"), "INTEGER"),
        "rival": "DOUBLE",
        **dict.fromkeys(("rival_seat", "rival_round", "rival_ply"), "INTEGER"),
    },
    "fct_values": {"seq": "INTEGER", "seat": "INTEGER", "chance": "DOUBLE", "model": "VARCHAR"},
    "fct_moments": {
        **dict.fromkeys(("number", "since", "seq", "ply", "round", "seat", "by_seat"), "INTEGER"),
        "cause": "VARCHAR",
        **dict.fromkeys(("swing", "cost"), "DOUBLE"),
        "text": "VARCHAR",
    },
    "fct_causes": {"round": "INTEGER", "seat": "INTEGER", "cause": "VARCHAR", "amount": "DOUBLE"},
    "fct_seat_causes": {"seat": "INTEGER", "cause": "VARCHAR", "amount": "DOUBLE"},
}
"""Types of the columns after `match_id`, by table."""

Connection = duckdb.DuckDBPyConnection

log = logging.getLogger(__name__)


@dataclass(slots=True)
class _Found:
    """Results so far: reviewed matches, matches without a review by reason and game, and the first failed reviews."""

    valued: int = 0
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, each: Reviewed) -> None:
        if each.not_valued is None:
            self.valued += 1
            return
        failed = each.not_valued.startswith(FAILS)
        if failed and len(self.problems) < MOST_NAMED:
            self.problems.append(f"{each.match}: {each.not_valued}")
        self.reasons[each.game, FAILS if failed else each.not_valued] += 1


def a_match_waits(warehouse: Warehouse) -> bool:
    """Return whether a match waits to be reviewed."""
    with warehouse.reading() as connection:
        return bool(connection.execute(f"{TO_BE_REVIEWED} LIMIT 1", _asked(failed=False)).fetchall())


def how_many_wait(warehouse: Warehouse) -> int:
    """Return the number of matches that wait to be reviewed."""
    with warehouse.reading() as connection:
        sql = f"SELECT count(*) FROM ({TO_BE_REVIEWED})"
        ((matches,),) = connection.execute(sql, _asked(failed=False)).fetchall()
    return int(matches)


def review_waiting(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Review the matches that no built-in model has reviewed yet: the operation `review`.

    The argument `jobs` is the number of processes besides this one. With `failed`, failed reviews are tried again.
    Returns the number of `valued` (reviewed) and of `failed` matches, and `problems`, the first failures. Also returns
    `reasons`, the number of other matches without a review by reason.
    """
    asked = _asked(failed=arguments.get("failed", False))
    with warehouse.reading() as connection:
        ids = [number for (number,) in connection.execute(f"{TO_BE_REVIEWED} ORDER BY 1", asked).fetchall()]
    found = _review(warehouse, ids, min(arguments.get("jobs", 0), len(ids)), report)
    return {
        "valued": found.valued,
        "failed": sum(matches for (_, reason), matches in found.reasons.items() if reason == FAILS),
        "problems": found.problems,
        "reasons": [
            {"game": game, "reason": reason, "matches": matches}
            for (game, reason), matches in sorted(found.reasons.items())
            if reason != FAILS
        ],
    }


def _asked(*, failed: bool) -> dict[str, Any]:
    """Return the parameters of the query for waiting matches: games with a model, and digests of the models."""
    models: dict[str, str] = {}
    for name, game in GAMES.items():
        try:
            model = shipped(game)
        except ValueError:
            log.exception("the model of %s cannot be used; its matches are not reviewed", name)
            continue
        if model is not None:
            models[name] = model.sha256
    return {"games": list(models), "models": list(models.values()), "failed": failed}


def _review(warehouse: Warehouse, ids: Sequence[int], processes: int, report: Report) -> _Found:
    found, waiting = _Found(), list[Reviewed]()
    report({"done": 0, "total": len(ids)})
    with closing(answered(reviewed, chunks_of(warehouse, ids, together=False), processes)) as answers:
        written = time.monotonic()
        for done, each in enumerate(answers, 1):
            waiting.append(each)
            if time.monotonic() - written >= SECONDS:
                _write(warehouse, waiting, found)
                waiting, written = [], time.monotonic()
            report({"done": done, "total": len(ids)})
    _write(warehouse, waiting, found)
    return found


def _write(warehouse: Warehouse, waiting: Sequence[Reviewed], found: _Found) -> None:
    """Write reviews in one transaction, replacing earlier ones, unless a log has changed since it was read."""
    if not waiting:
        return
    warehouse.backpressure.yield_to_readers()
    with warehouse.writing() as connection, undisturbed(), transaction(connection):
        names = {"names": [each.match for each in waiting]}
        known = {(match, sha256): rest for match, sha256, *rest in connection.execute(KNOWN, names).fetchall()}
        there = [(known[key][0], each) for each in waiting if (key := (each.match, each.sha256)) in known]
        before = [number for number, was_there in known.values() if was_there]
        for table, columns in COLUMNS.items():
            if before:
                connection.execute(f"DELETE FROM {table} WHERE list_contains($ids, match_id)", {"ids": before})
            _insert(connection, table, columns, [(number, *row) for number, each in there for row in each.rows[table]])
    for _, each in there:
        found.add(each)


def _insert(connection: Connection, table: str, columns: Mapping[str, Any], rows: Sequence[Row]) -> None:
    if rows:
        connection.register("reviewed", table_of({"match_id": "INTEGER", **columns}, rows))
        connection.execute(f"INSERT INTO {table} BY NAME FROM reviewed")
        connection.unregister("reviewed")


MOST_KEPT: Final = 1_000
"""Maximum number of remembered matches that cannot be played out, each with the reason."""
LOOK: Final = 0.2
"""Seconds between two checks whether the server is stopping."""
PLAYOUT_SECONDS: Final = 300.0
"""Maximum seconds of wall-clock time to play out a match, on a machine with other work."""
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
PLAYOUT_COLUMNS: Final = {"seq": "INTEGER", "seat": "INTEGER", "chance": "DOUBLE", "samples": "INTEGER"}
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
    """What to play out: the last rounds of the match with this `sha256`, or its decision with this `digest`."""

    match: str
    sha256: str
    digest: str = ""


class Playouts:
    """Queue of matches that a server plays out; safe to use from several threads."""

    def __init__(self, warehouse: Warehouse) -> None:
        self._warehouse = warehouse
        self.jobs = Jobs("playout", kept=MOST_KEPT, longest=PLAYOUT_SECONDS, unseen=inf)

    def ask(self, what: What, text: bytes, decision: Evaluation | None = None) -> None:
        """Queue a match or one of its decisions, unless it is already queued or known to fail.

        Raises `Busy` if too many jobs are waiting.
        """
        known = self.jobs.latest(what)
        if known is None or known.status is Status.DONE:
            self.jobs.ask(what, partial(self._play, what, text, decision), shares=False)

    def waits(self, what: What) -> bool:
        """Return whether this job is queued or running."""
        job = self.jobs.latest(what)
        return job is not None and not job.is_over

    def reason(self, what: What) -> str | None:
        """Return why this cannot be played out; `None` if no reason is known."""
        job = self.jobs.latest(what)
        return None if job is None else job.problem

    def _play(self, what: What, text: bytes, decision: Evaluation | None, progress: Progress) -> None:
        answer = _played({"log": text.decode(), "decision": None if decision is None else asdict(decision)}, progress)
        if "reason" in answer:
            raise JobError(answer["reason"])
        if decision is None:
            self._keep(what, KEPT, PLAYOUT_COLUMNS, _shares(answer))
        else:
            self._keep(what, CONFIRMED, COLUMNS_CONFIRMED, [_confirmed(what, decision, answer)])

    def _keep(self, what: What, into: str, columns: Mapping[str, str], rows: Sequence[Row]) -> None:
        with self._warehouse.writing() as connection, undisturbed(), transaction(connection):
            connection.register("played", table_of(columns, rows))
            connection.execute(into, {"match": what.match, "sha256": what.sha256})
            connection.unregister("played")


def _played(given: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """Return the result from a new process, which ends with the job."""
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
