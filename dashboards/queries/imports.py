"""Queries on ingest runs, quarantine, copies of matches, live matches, and the state of a warehouse."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2
from typing import Final

import polars as pl

from dashboards.queries.addresses import without_folder
from dashboards.queries.filters import Filter, listed
from dashboards.queries.matches import with_status
from dashboards.queries.reader import Reader
from dashboards.queries.where import with_such_a_seat
from himalaya_core.games import GAMES
from himalaya_core.players import players_of
from ingest.load import background, reviews

__all__ = [
    "Copies",
    "State",
    "answers",
    "copies_under",
    "ingest_runs",
    "intake_stamp",
    "live_matches",
    "match_count",
    "player_names",
    "quarantine_reasons",
    "quarantine_rows",
    "state_of",
]


@dataclass(frozen=True, slots=True)
class State:
    """State of a warehouse: size of the open quarantine, matches by source, and matches waiting by reason."""

    quarantined: int
    loaded: Mapping[str, int]
    waiting: Mapping[str, int]


def answers(reader: Reader) -> bool:
    """Run a minimal query. Raises `DatabaseError` if the database does not answer."""
    return bool(reader.rows("select version from schema_version", {}))


def state_of(reader: Reader) -> State:
    """Return the state of the warehouse; fast, because no events are read."""
    ((quarantined,),) = reader.rows("select count(*) from quarantine where resolved_in is null", {})
    loaded = reader.rows("select source, sum(matches) from ingest_runs where source <> 'judged' group by 1", {})
    waiting = {
        "judging": background.how_many_wait(reader.warehouse),
        "review": reviews.how_many_wait(reader.warehouse),
    }
    return State(quarantined, {source: int(matches) for source, matches in loaded}, waiting)


MOST_NAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Copies:
    """Number of counted matches with copies, and the tournaments of the copies, or the copies' own names."""

    matches: int = 0
    names: tuple[str, ...] = ()

    def in_words(self) -> str:
        """Return a phrase on the copies, for a sentence that counts matches; empty without copies."""
        return f"{self.matches:,} also loaded as {listed(self.names, MOST_NAMED)}" if self.matches else ""


def copies_under(reader: Reader, where: Filter) -> Copies:
    """Return the copies of the matches under a filter, including copies outside it."""
    condition, values = with_such_a_seat(where)
    ((matches, names),) = reader.rows(
        f"""select count(distinct m.match_id),
                coalesce(list_sort(list(distinct
                    case when other.tournament <> coalesce(m.tournament, '') then other.tournament else other.match end
                )), [])
            from dim_matches m join dim_matches other on other.contents = m.contents and other.match_id <> m.match_id
            where m.contents in (select contents from dim_matches where is_copy) and {condition}""",
        values,
    )
    return Copies(matches, tuple(names))


COLOURS: Final = 6
"""Number of players that have a colour; further players are neutral (see `charts/theme.py`)."""


def match_count(reader: Reader) -> int:
    """Return the number of matches in the warehouse."""
    return int(reader.rows("select count(*) from dim_matches", {})[0][0])


def player_names(reader: Reader, game: str) -> list[str]:
    """Return the players of a game in the order in which they are assigned colours.

    Built-in players come first, then players by number of seats, rounded to a power of two so that single matches
    rarely change the order. Ties are sorted by name. If there are more players than colours, ties are first sorted by
    share of wins, rounded to tenths.
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
    """Return a text that changes whenever anything is loaded, continued or quarantined."""
    sql = """select (select max(run) || '.' || sum(files + events) from ingest_runs),
                (select max(quarantine_id) from quarantine),
                (select count(*) from quarantine where resolved_in is null), (select count(*) from raw_matches),
                (select max(seen_at) from watched_files)"""
    return "/".join(str(value) for value in reader.rows(sql, {})[0])


def ingest_runs(reader: Reader, most: int) -> pl.DataFrame:
    """Return the columns of `ingest_runs` for the latest runs, newest first; times are in UTC."""
    sql = "select * replace (strftime(started_at, '%Y-%m-%d %H:%M:%S') as started_at) from ingest_runs"
    return reader.frame(f"{sql} order by run desc limit $most", {"most": most})


def quarantine_reasons(reader: Reader) -> pl.DataFrame:
    """Return `reason, rows` of the quarantine, most frequent reason first."""
    sql = "select reason, count(*) as rows from quarantine where resolved_in is null group by 1 order by 2 desc, 1"
    return reader.frame(sql, {})


def quarantine_rows(reader: Reader, most: int) -> pl.DataFrame:
    """Return `quarantine_id, place, match, reason, message` of quarantined rows, latest first."""
    sql = f"""select quarantine_id, {without_folder("file")} || ':' || line as place, match, reason, message
             from quarantine where resolved_in is null order by quarantine_id desc limit $most"""
    return reader.frame(sql, {"most": most})


def live_matches(reader: Reader) -> pl.DataFrame:
    """Return `match, game, line_up, rounds, events, file` of unfinished matches in logs that are being followed."""
    file = without_folder("m.file")
    sql = f"select m.match, m.game, m.line_up, m.rounds, m.events, {file} as file from {with_status()}"
    return reader.frame(f"{sql} where m.status = 'live' order by m.match", {})
