"""All reading of the warehouse; the files beside it called `queries_…` and this are the only place that speaks SQL.

Column names come from lists in this file, values go in as parameters. Statistics count finished matches only.
"""

import polars as pl

from dashboards.warehouse.choices import ChoiceQueries
from dashboards.warehouse.figures import FigureQueries
from dashboards.warehouse.matches import MATCH_COLUMNS, MatchQueries
from dashboards.warehouse.provenance import ReportQueries
from dashboards.warehouse.reader import LISTED, DatabaseError, PackedLog
from dashboards.warehouse.tournaments import TournamentQueries
from dashboards.warehouse.turning_points import TurnQueries
from ingest.bookmarks import Listed, find_bookmarks

__all__ = ["MATCH_COLUMNS", "DatabaseError", "PackedLog", "Queries"]


class Queries(FigureQueries, MatchQueries, TournamentQueries, TurnQueries, ReportQueries, ChoiceQueries):
    """The questions that pages ask of one warehouse; safe to use from several threads."""

    # What is there

    def match_count(self) -> int:
        """Return how many matches the warehouse holds."""
        return int(self._rows("select count(*) from dim_matches", {})[0][0])

    def players(self) -> list[str]:
        """Return the players who sat at any table."""
        return [str(name) for (name,) in self._rows("select distinct player from dim_seats order by 1", {})]

    # Bookmarks

    def bookmarks(self, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
        """Return bookmarks, the newest first: of a match, with words in what they say, with a tag."""
        with self._cursor():  # which turns errors into sentences
            return find_bookmarks(self._warehouse, match=match, find=find, tag=tag, most=most)

    def bookmark_tags(self) -> list[str]:
        """Return the tags of bookmarks, the most used first."""
        return self.bookmarks(most=1).tags

    # Intake

    def intake_stamp(self) -> str:
        """Return a text that changes when anything comes in, goes on, or is put aside."""
        sql = """select (select max(run) from ingest_runs), (select max(quarantine_id) from quarantine),
                    (select count(*) from quarantine where resolved_in is null), (select count(*) from raw_matches),
                    (select max(seen_at) from watched_files)"""
        return "/".join(str(value) for value in self._rows(sql, {})[0])

    def ingest_runs(self, most: int) -> pl.DataFrame:
        """Return the columns of `ingest_runs` for the latest runs, the last one first; times in UTC."""
        sql = "select * replace (strftime(started_at, '%Y-%m-%d %H:%M:%S') as started_at) from ingest_runs"
        return self._frame(f"{sql} order by run desc limit $most", {"most": most})

    def aside_reasons(self) -> pl.DataFrame:
        """Return `reason, rows` of what is in quarantine, the most frequent first."""
        sql = "select reason, count(*) as rows from quarantine where resolved_in is null group by 1 order by 2 desc, 1"
        return self._frame(sql, {})

    def aside(self, most: int) -> pl.DataFrame:
        """Return `quarantine_id, place, match, reason, message` of what is in quarantine, the latest first."""
        sql = """select quarantine_id, file || ':' || line as place, match, reason, message from quarantine
                 where resolved_in is null order by quarantine_id desc limit $most"""
        return self._frame(sql, {"most": most})

    def live_matches(self) -> pl.DataFrame:
        """Return `match, line_up, rounds, events, file` of unfinished matches in logs that are being followed."""
        sql = f"select m.match, m.line_up, m.rounds, m.events, m.file from {LISTED}"  # noqa: S608
        return self._frame(f"{sql} where m.status = 'live' order by m.match", {})
