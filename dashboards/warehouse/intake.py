"""Queries on ingest runs, the quarantine, and live matches."""

import polars as pl

from dashboards.warehouse.listed import listed
from dashboards.warehouse.paths import without_folder
from dashboards.warehouse.reader import Reader

__all__ = [
    "ingest_runs",
    "intake_stamp",
    "live_matches",
    "match_count",
    "player_names",
    "quarantine_reasons",
    "quarantine_rows",
]


def match_count(reader: Reader) -> int:
    """Return the number of matches in the warehouse."""
    return int(reader.rows("select count(*) from dim_matches", {})[0][0])


def player_names(reader: Reader) -> list[str]:
    """Return all players, in the order in which they are given colours.

    Players are sorted by their share of the seats of their game, to the nearest power of two, largest first. So one
    match more or less does not change the order, and players of one tournament are sorted by name from its first
    rounds.
    """
    sql = """with sat as (select m.game, s.player, count(*) as seats
                from dim_seats s join dim_matches m using (match_id) group by all),
            shared as (select player, seats / sum(seats) over (partition by game) as share from sat)
        select player from shared group by player order by round(max(log2(share))) desc, player"""
    return [str(name) for (name,) in reader.rows(sql, {})]


def intake_stamp(reader: Reader) -> str:
    """Return a text that changes when anything is loaded, continues, or is quarantined."""
    sql = """select (select max(run) || '.' || sum(files + events) from ingest_runs),
                (select max(quarantine_id) from quarantine),
                (select count(*) from quarantine where resolved_in is null), (select count(*) from raw_matches),
                (select max(seen_at) from watched_files)"""
    return "/".join(str(value) for value in reader.rows(sql, {})[0])


def ingest_runs(reader: Reader, most: int) -> pl.DataFrame:
    """Return the columns of `ingest_runs` for the latest runs, newest first; times in UTC."""
    sql = "select * replace (strftime(started_at, '%Y-%m-%d %H:%M:%S') as started_at) from ingest_runs"
    return reader.frame(f"{sql} order by run desc limit $most", {"most": most})


def quarantine_reasons(reader: Reader) -> pl.DataFrame:
    """Return `reason, rows` of the quarantine, most frequent reason first."""
    sql = "select reason, count(*) as rows from quarantine where resolved_in is null group by 1 order by 2 desc, 1"
    return reader.frame(sql, {})


def quarantine_rows(reader: Reader, most: int) -> pl.DataFrame:
    """Return `quarantine_id, place, match, reason, message` of rows in quarantine, latest first."""
    sql = f"""select quarantine_id, {without_folder("file")} || ':' || line as place, match, reason, message
             from quarantine where resolved_in is null order by quarantine_id desc limit $most"""
    return reader.frame(sql, {"most": most})


def live_matches(reader: Reader) -> pl.DataFrame:
    """Return `match, game, line_up, rounds, events, file` of unfinished matches in followed logs."""
    sql = f"select m.match, m.game, m.line_up, m.rounds, m.events, {without_folder('m.file')} as file from {listed()}"
    return reader.frame(f"{sql} where m.status = 'live' order by m.match", {})
