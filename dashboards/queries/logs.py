"""Queries on a match's log: its lines, summary, quarantined lines, and other matches of the same seed."""

from dataclasses import dataclass
from typing import Final

import polars as pl

from dashboards.queries.addresses import without_folder
from dashboards.queries.matches import with_status
from dashboards.queries.reader import Reader
from ingest.quarantine.preview import sound_part
from ingest.values import unpack

__all__ = [
    "MatchRecord",
    "MatchSummary",
    "PackedLog",
    "QuarantinedLine",
    "has_match",
    "is_live",
    "match_lines",
    "match_record",
    "match_summary",
    "matches_of_same_seed",
    "packed_log",
    "quarantined_lines",
    "sound_lines",
]

MAX_LINES_BYTES: Final = 1 << 28


@dataclass(frozen=True, slots=True)
class PackedLog:
    """The log of a match: the SHA-256 of its lines, and the lines compressed with zstd."""

    sha256: str
    packed: bytes

    def text(self) -> bytes:
        """Return the original lines, including line ends."""
        return unpack(self.packed, max_output_size=MAX_LINES_BYTES)


@dataclass(frozen=True, slots=True)
class QuarantinedLine:
    """Reason and source of quarantined lines of a match; `line` is the number of the first bad line."""

    file: str
    line: int
    match: str | None
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One-line summary of a match."""

    match: str
    game: str
    line_up: str
    rounds: int
    events: int


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """Facts about a match that are in the database but not in its log.

    `came_in` is the day of loading in UTC, such as 2026-11-23. It is `None` if unknown, for example in a lake.
    """

    tournament: str | None
    came_in: str | None
    verdict: str
    luck_verdict: str | None


def match_lines(reader: Reader, match: str) -> list[bytes] | None:
    """Return the lines of a match as in its log, including line ends; `None` for an unknown match."""
    log = packed_log(reader, match)
    return log.text().splitlines(keepends=True) if log else None


def sound_lines(reader: Reader, match: str) -> list[bytes] | None:
    """Return the lines of a quarantined match before its first bad line; `None` if no playable line exists.

    If several logs use this match name, the first one loaded is used.
    """
    sql = """select text from quarantine where match = $match and resolved_in is null and reason <> 'part_of_line'
             order by quarantine_id limit 1"""
    for (packed,) in reader.rows(sql, {"match": match}):
        text = unpack(packed, max_output_size=MAX_LINES_BYTES)
        return sound_part(text).splitlines(keepends=True) or None
    return None


def has_match(reader: Reader, match: str) -> bool:
    """Return whether a match of this name exists, without reading its log."""
    return bool(reader.rows("select 1 from raw_matches where match = $match", {"match": match}))


def packed_log(reader: Reader, match: str) -> PackedLog | None:
    """Return the stored log of a match; `None` for an unknown match."""
    rows = reader.rows("select bytes_sha256, lines from raw_matches where match = $match", {"match": match})
    return PackedLog(*rows[0]) if rows else None


def is_live(reader: Reader, match: str) -> bool:
    """Return whether a match is still being played in a log that is being followed."""
    sql = f"select 1 from {with_status()} where m.status = 'live' and m.match = $match"
    return bool(reader.rows(sql, {"match": match}))


def match_summary(reader: Reader, match: str) -> MatchSummary | None:
    """Return the summary of a match; `None` for an unknown match."""
    sql = "select match, game, line_up, rounds, events from dim_matches where match = $match"
    rows = reader.rows(sql, {"match": match})
    return MatchSummary(*rows[0]) if rows else None


def match_record(reader: Reader, match: str) -> MatchRecord | None:
    """Return facts about a match that are not in its log; `None` for an unknown match."""
    sql = """select m.tournament, strftime(r.started_at, '%Y-%m-%d'), m.verdict, m.luck_verdict
             from dim_matches m join raw_matches using (match_id) left join ingest_runs r on r.run = ingested_in
             where m.match = $match"""
    rows = reader.rows(sql, {"match": match})
    return MatchRecord(*rows[0]) if rows else None


def matches_of_same_seed(reader: Reader, match: str) -> pl.DataFrame:
    """Return the other matches on the same board with dice of the same seed, latest first.

    `options` are as in the log. `alike` is the number of seats with the same player as in the given match.
    """
    return reader.frame(
        f"""with chosen as (from dim_matches where match = $match),
            same as (
                select m.match_id from dim_matches m join chosen using (luck, game, board_sha256)
                where m.match_id <> chosen.match_id
                    and 'differs' not in (coalesce(m.luck_verdict, ''), coalesce(chosen.luck_verdict, ''))
            ),
            alike as (
                select other.match_id, count(*) as alike
                from dim_seats mine join dim_seats other using (seat, player)
                where mine.match_id in (select match_id from chosen) and other.match_id in (from same)
                group by other.match_id
            )
            select m.match, m.line_up, m.winner, m.margin, m.status, m.rounds, m.events, m.tournament,
                m.options::varchar as options, chosen.options::varchar as chosen_options, m.game,
                coalesce(alike, 0) as alike
            from {with_status()} left join alike on m.match_id = alike.match_id, chosen
            where m.match_id in (from same)
            order by alike desc, m.match_id desc""",
        {"match": match},
    )


def quarantined_lines(reader: Reader, match: str, most: int) -> list[QuarantinedLine]:
    """Return the first quarantined lines under the name of a match."""
    sql = f"""select {without_folder("file")}, line, match, reason, message from quarantine
             where match = $match and resolved_in is null order by quarantine_id limit $most"""
    return [QuarantinedLine(*row) for row in reader.rows(sql, {"match": match, "most": most})]
