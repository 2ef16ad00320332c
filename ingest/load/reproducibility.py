"""Replays the players of loaded matches, and stores for each seat whether its player chooses the logged actions again.

If a player now chooses differently, the match still counts as before; only its seats show the difference. Results are
committed every few seconds, so they stay if the work is stopped.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import duckdb
import pyarrow as pa
import zstandard

from himalaya_core.tournament.reproducibility import PlayersVerdict, SeatAnswer
from ingest.errors import WarehouseError
from ingest.read.chunk import Chunk, FileSpan
from ingest.transactions import transaction, undisturbed
from ingest.validate.after_load import Asked, asked, shortened
from ingest.validate.pool import answered
from ingest.values import table_of, unpack
from ingest.warehouse import Report, Warehouse

__all__ = ["SLICE", "ask_players", "chunks_of", "stored_chunks"]


CHUNK_BYTES: Final = 4 << 20
SLICE: Final = 100
"""Number of logs read from the database in one query."""
LOGS: Final = """
SELECT game, match, file, first_line, lines
FROM {schema}raw_matches JOIN {schema}stg_match_started USING (match_id)
WHERE match_id BETWEEN $first AND $last AND list_contains($ids, match_id) ORDER BY match_id
"""


def chunks_of(warehouse: Warehouse, ids: Sequence[int], *, together: bool = True) -> Iterator[Chunk]:
    """Yield the logs of matches like `stored_chunks`. The warehouse file may be replaced between two slices."""
    for start in range(0, len(ids), SLICE):
        with warehouse.reading() as reader:
            some = list(stored_chunks(reader, ids[start : start + SLICE], together=together))
        yield from some


def stored_chunks(
    reader: duckdb.DuckDBPyConnection, ids: Sequence[int], schema: str = "", *, together: bool = True
) -> Iterator[Chunk]:
    """Yield the stored logs of matches as chunks, with the file and line that each log came from.

    `ids` are in ascending order. `schema` is the prefix of an attached database, with a dot. If `together`, a chunk
    holds several matches of one game; otherwise, each match is a chunk. Raises `WarehouseError` if a log is damaged.
    """
    most = CHUNK_BYTES if together else 0
    spans: list[FileSpan] = []
    texts: list[bytes] = []
    game, size = "", 0
    for match_game, span, text in _logs(reader, ids, schema):
        if spans and (match_game != game or size + len(text) > most):
            yield Chunk(tuple(spans), b"".join(texts))
            spans, texts, size = [], [], 0
        game = match_game
        spans.append(span)
        texts.append(text)
        size += len(text)
    if spans:
        yield Chunk(tuple(spans), b"".join(texts))


def _logs(reader: duckdb.DuckDBPyConnection, ids: Sequence[int], schema: str) -> Iterator[tuple[str, FileSpan, bytes]]:
    """Yield the game, origin and lines of each match."""
    for start in range(0, len(ids), SLICE):
        wanted = ids[start : start + SLICE]
        values = {"first": wanted[0], "last": wanted[-1], "ids": wanted}
        for game, match, file, first_line, packed in reader.execute(LOGS.format(schema=schema), values).fetchall():
            try:
                text = unpack(packed)
            except zstandard.ZstdError:
                raise WarehouseError(f"the log of match {match} in the database is damaged; restore a backup") from None
            lines = text.count(b"\n")
            yield game, FileSpan(Path(file), first_line, lines, len(text), sizes=(lines,)), text


SECONDS: Final = 5.0
"""Seconds between two commits."""
MOST_NAMED: Final = 1_000
"""Maximum number of differing seats listed in a result; the warehouse has all of them."""
TO_BE_ASKED: Final = """
SELECT match_id FROM raw_matches
WHERE verdict = 'clean' AND (player_verdicts IS NULL OR contains(player_verdicts, 'not asked'))
    AND ($matches IS NULL OR list_contains($matches, match))
ORDER BY match_id
"""
OF_MATCHES: Final = """
UPDATE raw_matches SET player_verdicts = asked.verdicts FROM asked
WHERE raw_matches.match = asked.match AND raw_matches.bytes_sha256 = asked.sha256
RETURNING match_id, match
"""
OF_SEATS: Final = """
UPDATE dim_seats SET player_verdict = string_split(raw.player_verdicts, ',')[dim_seats.seat + 1] FROM raw_matches AS raw
WHERE raw.match_id = dim_seats.match_id AND list_contains($ids, raw.match_id)
"""
DIFFERING: Final = "SELECT count(*) FROM dim_seats WHERE player_verdict = 'differs'"
COLUMNS: Final[dict[str, str]] = dict.fromkeys(("match", "sha256", "verdicts"), "VARCHAR")
"""Column types of the results. All verdicts on a match are one text: updating a list column would rewrite the whole
row, including its log.
"""


@dataclass(frozen=True, slots=True)
class OtherChoice:
    """The first decision that a seat's player makes differently, and its place in the log."""

    file: Path
    line: int
    match: str
    seat: int
    player: str
    version: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: expected {self.expected}, found {self.found}"


@dataclass(slots=True)
class _Found:
    """Results so far: matches, seats by verdict, the first differing seats, and reasons for skipped seats."""

    matches: int = 0
    seats: Counter[PlayersVerdict] = field(default_factory=Counter)
    other_choices: list[OtherChoice] = field(default_factory=list)
    reasons: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, asked: Asked) -> None:
        self.matches += 1
        for answer in asked.seats:
            self.seats[answer.verdict] += 1
            if answer.reason is not None:
                self.reasons[answer.player, answer.version, answer.reason] += 1
            if answer.departure is not None and len(self.other_choices) < MOST_NAMED:
                self.other_choices.append(_other_choice(asked.span, asked.match, answer))


def ask_players(warehouse: Warehouse, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Replay the players of clean matches with seats that were not replayed yet: the operation `ask`.

    Arguments: `jobs`, the number of processes besides this one, and `matches`, the names of matches (all if missing).
    Returns the number of `matches`, and the number of seats by verdict: the player `repeats` its choices, `differs`, or
    was `not_asked`. Also returns `problems` (the first seats that differ), `reasons` (the number of skipped seats by
    reason), and `known` (the number of seats that differed in an earlier replay).
    """
    with warehouse.reading() as connection:
        asked_about = {"matches": arguments.get("matches")}
        ids = [number for (number,) in connection.execute(TO_BE_ASKED, asked_about).fetchall()]
    found = _ask(warehouse, ids, min(arguments.get("jobs", 0), len(ids)), report)
    with warehouse.reading() as connection:
        ((differing,),) = connection.execute(DIFFERING).fetchall()
    differs = found.seats[PlayersVerdict.DIFFERS]
    return {
        "matches": found.matches,
        "repeats": found.seats[PlayersVerdict.REPEATS],
        "differs": differs,
        "not_asked": found.seats[PlayersVerdict.NOT_ASKED],
        "problems": [asdict(each) | {"file": str(each.file), "text": str(each)} for each in found.other_choices],
        "reasons": [
            {"player": player, "version": version, "reason": reason, "seats": seats}
            for (player, version, reason), seats in sorted(found.reasons.items())
        ],
        "known": max(differing - differs, 0),
    }


def _ask(warehouse: Warehouse, ids: Sequence[int], processes: int, report: Report) -> _Found:
    found = _Found()
    waiting: list[Asked] = []
    report({"done": 0, "total": len(ids)})
    with closing(answered(asked, chunks_of(warehouse, ids, together=False), processes)) as answers:
        written = time.monotonic()
        for done, each in enumerate(answers, 1):
            waiting.append(each)
            if time.monotonic() - written >= SECONDS:
                _write(warehouse, waiting, found)
                report({"done": done, "total": len(ids)})
                waiting, written = [], time.monotonic()
    _write(warehouse, waiting, found)
    report({"done": len(ids), "total": len(ids)})
    return found


def _write(warehouse: Warehouse, waiting: Sequence[Asked], found: _Found) -> None:
    """Write verdicts in one transaction, unless a log has changed since it was read."""
    if not waiting:
        return
    warehouse.backpressure.yield_to_readers()
    rows = [(each.match, each.sha256, ",".join(answer.verdict for answer in each.seats)) for each in waiting]
    with warehouse.writing() as connection, undisturbed(), transaction(connection):
        there = _written(connection, table_of(COLUMNS, rows))
    for each in waiting:
        if each.match in there:
            found.add(each)


def _written(connection: duckdb.DuckDBPyConnection, rows: pa.Table) -> set[str]:
    """Write verdicts, and return the matches with logs that still exist."""
    connection.register("asked", rows)
    there = connection.execute(OF_MATCHES).fetchall()
    connection.unregister("asked")
    connection.execute(OF_SEATS, {"ids": [number for number, _ in there]})
    return {match for _, match in there}


def _other_choice(span: FileSpan, match: str, answer: SeatAnswer) -> OtherChoice:
    departure = answer.departure
    assert departure is not None, "expected a seat with a different choice"
    expected, found = shortened(departure.expected), shortened(departure.found)
    line = span.first_line + departure.line - 1
    return OtherChoice(span.path, line, match, answer.seat, answer.player, answer.version, expected, found)
