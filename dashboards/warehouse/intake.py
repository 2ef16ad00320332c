"""Queries on ingest runs, the quarantine, and live matches."""

from math import log2
from typing import Final

import polars as pl

from dashboards.warehouse.listed import listed
from dashboards.warehouse.paths import without_folder
from dashboards.warehouse.reader import Reader
from himalaya_core.games import GAMES
from himalaya_core.players import players_of

__all__ = [
    "ingest_runs",
    "intake_stamp",
    "live_matches",
    "match_count",
    "player_names",
    "quarantine_reasons",
    "quarantine_rows",
]


COLOURS: Final = 6
"""Number of players with a separate colour, see `charts/theme.py`."""


def match_count(reader: Reader) -> int:
    """Return the number of matches in the warehouse."""
    return int(reader.rows("select count(*) from dim_matches", {})[0][0])


def player_names(reader: Reader, game: str) -> list[str]:
    """Return the players of a game, in the order in which they are given colours.

    Built-in players come first, then those with more seats, to the nearest power of two. So one match more or less does
    not change the order, and players of one tournament are sorted by name from its first rounds. If there are more
    players than colours, those that win more often, in tenths, come before the name.
    """
    sql = """select s.player, count(*) as seats, avg((s.place = 1)::int) as won
            from dim_seats s join dim_matches m using (match_id) where m.game = $game group by all"""
    built_in = set(players_of(GAMES[game])) if game in GAMES else set()
    rows = reader.rows(sql, {"game": game})

    def rank(row: tuple[str, int, float | None]) -> tuple[bool, int, float, str]:
        player, seats, won = row
        often = round(won or 0.0, 1) if len(rows) > COLOURS else 0.0
        return player not in built_in, -round(log2(seats)), -often, player

    return [player for player, _, _ in sorted(rows, key=rank)]


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
