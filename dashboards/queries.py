"""All reading of the warehouse; the files beside it called `queries_…` and this are the only place that speaks SQL.

Column names come from lists in this file, values go in as parameters. Statistics count finished matches only.
"""

import polars as pl

from dashboards.filters import NO_TOURNAMENT, Filter, OutcomeFilter, TrafficFilter
from dashboards.queries_choices import ChoiceQueries
from dashboards.queries_figures import FigureQueries
from dashboards.queries_matches import MATCH_COLUMNS, MatchQueries
from dashboards.queries_replay import LISTED, DatabaseError, PackedLog
from dashboards.queries_report import ReportQueries
from dashboards.queries_tournaments import TournamentQueries
from dashboards.queries_where import Where, filter_of, matches_where, seats_where
from ingest.bookmarks import Listed, find_bookmarks

__all__ = ["MATCH_COLUMNS", "DatabaseError", "PackedLog", "Queries"]


class Queries(FigureQueries, MatchQueries, TournamentQueries, ReportQueries, ChoiceQueries):
    """The questions that pages ask of one warehouse; safe to use from several threads."""

    # What is there

    def match_count(self) -> int:
        """Return how many matches the warehouse holds."""
        return int(self._rows("select count(*) from dim_matches", {})[0][0])

    def tournaments(self) -> list[str]:
        """Return the tournaments, `NO_TOURNAMENT` last if matches were played outside one."""
        sql = "select distinct coalesce(tournament, $none) from dim_matches order by tournament is null, 1"
        return [str(name) for (name,) in self._rows(sql, {"none": NO_TOURNAMENT})]

    def players(self) -> list[str]:
        """Return the players who sat at any table."""
        return [str(name) for (name,) in self._rows("select distinct player from dim_seats order by 1", {})]

    def table_sizes(self) -> list[int]:
        """Return the numbers of seats that matches were played with."""
        return [int(size) for (size,) in self._rows("select distinct players from dim_matches order by 1", {})]

    # Bookmarks

    def bookmarks(self, *, match: str = "", find: str = "", tag: str = "", most: int = 100) -> Listed:
        """Return bookmarks, the newest first: of a match, with words in what they say, with a tag."""
        with self._cursor():  # which turns errors into sentences
            return find_bookmarks(self._warehouse, match=match, find=find, tag=tag, most=most)

    def bookmark_tags(self) -> list[str]:
        """Return the tags of bookmarks, the most used first."""
        return self.bookmarks(most=1).tags

    # Traffic

    def boards(self, where: Filter | TrafficFilter) -> pl.DataFrame:
        """Return `board_id, board_sha256, matches, match` of the boards travelled on, the most used first."""
        condition, values = seats_where(filter_of(where))
        return self._frame(
            f"""select m.board_id, m.board_sha256, count(distinct m.match_id) as matches, min(m.match) as match
                from dim_matches m join dim_seats s using (match_id) where {condition}
                group by 1, 2 order by matches desc, board_sha256""",  # noqa: S608
            values,
        )

    def board_ids(self) -> list[str]:
        """Return the ids of the boards that finished matches were played on, the most used first."""
        return list(dict.fromkeys(self.boards(TrafficFilter())["board_id"]))

    def village_traffic(self, where: Filter | TrafficFilter, board: str) -> pl.DataFrame:
        """Return `village, arrivals, trades, deliveries` of the villages reached at least once on a board."""
        condition, values = _travels(where, board)
        return self._frame(
            f"""with arrivals as (
                    select v.village, count(*) as arrivals from fct_village_visits v
                    join dim_matches m using (match_id) join dim_seats s using (match_id, seat)
                    where {condition} group by 1),
                trades as (
                    select v.village, count(*) as trades, count(*) filter (v.result = 'delivered') as deliveries
                    from fct_trades v join dim_matches m using (match_id) join dim_seats s using (match_id, seat)
                    where v.result <> 'voided' and {condition} group by 1)
                select village, arrivals, coalesce(trades, 0) as trades, coalesce(deliveries, 0) as deliveries
                from arrivals left join trades using (village) order by village""",  # noqa: S608
            values,
        )

    def road_traffic(self, where: Filter | TrafficFilter, board: str) -> pl.DataFrame:
        """Return `village_a, village_b, road, journeys` of the roads travelled at least once on a board."""
        condition, values = _travels(where, board)
        return self._frame(
            f"""select v.village_a, v.village_b, v.road, count(*) as journeys from fct_road_visits v
                join dim_matches m using (match_id) join dim_seats s using (match_id, seat)
                where {condition} group by 1, 2, 3 order by 1, 2""",  # noqa: S608
            values,
        )

    # Outcomes

    def endings(self, where: Filter | OutcomeFilter) -> pl.DataFrame:
        """Return per player `played, won, religious, political, outlasted`: how its matches ended.

        `religious` and `political`: eliminated by that; `outlasted`: stayed in and lost. `expected` is the number of
        wins if every seat of a table were as likely to win.
        """
        condition, values = matches_where(filter_of(where))
        return self._frame(
            f"""select s.player, count(*) as played, count(*) filter (s.won) as won,
                    count(*) filter (s.eliminated_by = 'religious') as religious,
                    count(*) filter (s.eliminated_by = 'political') as political,
                    count(*) filter (not s.won and s.eliminated_by is null) as outlasted,
                    sum(1.0 / m.players) as expected
                from dim_seats s join dim_matches m using (match_id) where {condition}
                group by 1 order by avg(s.won::int) desc, s.player""",  # noqa: S608
            values,
        )

    def final_influence(self, where: Filter | OutcomeFilter) -> pl.DataFrame:
        """Return `player, influence, lower, median, upper, mean, seats` of the final influences (quartiles)."""
        condition, values = matches_where(filter_of(where))
        return self._frame(
            f"""with long as (
                    unpivot (select s.player, s.religious, s.political, s.economic
                             from dim_seats s join dim_matches m using (match_id) where {condition})
                    on religious, political, economic into name influence value points)
                select player, influence, quantile_cont(points, 0.25) as lower, median(points) as median,
                    quantile_cont(points, 0.75) as upper, avg(points) as mean, count(*) as seats
                from long group by 1, 2 order by player, influence""",  # noqa: S608
            values,
        )

    def influence_by_round(self, where: Filter | OutcomeFilter) -> pl.DataFrame:
        """Return `influence, player, round, lower, median, upper` at the end of each round (quartiles)."""
        condition, values = matches_where(filter_of(where))
        return self._frame(
            f"""with long as (
                    unpivot (select s.player, i.round, i.religious, i.political, i.economic
                             from fct_influence i join dim_seats s using (match_id, seat)
                             join dim_matches m using (match_id) where {condition})
                    on religious, political, economic into name influence value points)
                select influence, player, round, quantile_cont(points, 0.25) as lower, median(points) as median,
                    quantile_cont(points, 0.75) as upper, avg(points) as mean
                from long group by 1, 2, 3 order by 1, 2, 3""",  # noqa: S608
            values,
        )

    def eliminations(self, where: Filter | OutcomeFilter) -> pl.DataFrame:
        """Return `influence, tie_break, eliminations, value`: what decided who was out, and with how little."""
        condition, values = matches_where(filter_of(where))
        return self._frame(
            f"""select e.influence, coalesce(e.tie_break, 'none needed') as tie_break, count(*) as eliminations,
                    median(e.value) as value
                from fct_eliminations e join dim_matches m using (match_id) where {condition}
                group by 1, 2 order by 1 desc, 3 desc, 2""",  # noqa: S608
            values,
        )

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


def _travels(where: Filter | TrafficFilter, board: str) -> Where:
    condition, values = seats_where(filter_of(where))
    values |= {"first": where.first, "last": where.last, "board": board}
    return f"{condition} and v.round between $first and $last and m.board_sha256 = $board", values
