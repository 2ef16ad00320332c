"""Notable matches of all games: the closest, those with a late turning point, and the latest."""

from collections.abc import Sequence
from typing import Any, Final

import polars as pl

from dashboards.queries.reader import Reader
from dashboards.queries.where import second_copies
from ingest.validate.after_load import Verdict

__all__ = [
    "closest_matches",
    "favourites_beaten",
    "from_the_lowest",
    "latest_matches",
    "played",
    "turned_late",
    "valued_games",
    "won_matches",
]

OVER: Final = f"status = 'finished' and verdict = '{Verdict.CLEAN}' and match_id not in ({second_copies()})"
LATEST: Final = 50
"""Number of matches, those with the latest turning points, in which the winner's lead is examined."""
SHORTEST: Final = 4
"""Minimum number of rounds of a match with a late turning point."""


def closest_matches(reader: Reader, most: int) -> pl.DataFrame:
    """Return `match_id, match, game, line_up, winner, nearest, gap, gap_unit` of the closest matches.

    The closest match of each game comes first, then the second of each game. Equally close matches are sorted by
    margin, then latest first.
    """
    return reader.frame(
        f"""with ranked as (
                select *, row_number() over (
                    partition by game order by closeness, abs(margin), match_id desc) as nth
                from dim_matches where {OVER} and closeness is not null)
            select match_id, match, game, line_up, winner, nearest, gap, gap_unit from ranked
            order by nth, closeness, game limit $most""",
        {"most": most},
    )


def turned_late(reader: Reader, course: str, most: int) -> list[tuple[int, int, int, int]]:
    """Return `match_id, led, counted, since` of the matches in which the winner led for the smallest share of rounds.

    The winner was ahead after `led` of `counted` rounds, and after every round from `since` on. `course` is part of the
    names of the game's tables.
    """
    return reader.rows(
        f"""with late as (
                select match_id, decisive_round from fct_{course}_courses join dim_matches using (match_id)
                where {OVER} and decisive_round is not null and len(winner_seats) = 1 and rounds >= {SHORTEST}
                order by decisive_round / rounds desc, match_id desc limit {LATEST}),
            standings as (from fct_{course}_standings where match_id in (select match_id from late) and round > 0)
            select match_id, count(*) filter (wins)::integer as led, count(*)::integer as counted,
                any_value(decisive_round) as since
            from standings join late using (match_id) join dim_seats using (match_id, seat)
            where won group by match_id having led > 0
            order by led / counted, match_id desc limit $most""",
        {"most": most},
    )


def valued_games(reader: Reader) -> set[str]:
    """Return the games with evaluated matches that have one winning seat."""
    sql = "select distinct game from dim_reviews join dim_matches using (match_id) where lowest is not null"
    return {game for (game,) in reader.rows(sql, {})}


def from_the_lowest(reader: Reader, most: int) -> pl.DataFrame:
    """Return `match_id, game, players, chance, round, ply` of the matches in which the winner had the lowest chance.

    `chance` is the winner's lowest chance in the second half of the decisions, and `ply` the last ply with that chance.
    At most `most` matches per game are returned, sorted by chance times players, as chances are higher with fewer
    players.
    """
    columns = "lowest as chance, lowest_round as round, lowest_ply as ply"
    return _of_each_game(reader, f"{columns}, lowest * players as worth", most)


def favourites_beaten(reader: Reader, most: int) -> pl.DataFrame:
    """Return `match_id, game, players, chance, round, ply` of the matches in which a loser had the highest chance.

    The columns are as in `from_the_lowest`, but for the loser's highest chance.
    """
    return _of_each_game(reader, "rival as chance, rival_round as round, rival_ply as ply, -rival as worth", most)


def _of_each_game(reader: Reader, columns: str, most: int) -> pl.DataFrame:
    """Return the given columns of at most `most` evaluated matches per game; `worth`, an SQL alias, gives the order."""
    return reader.frame(
        f"""select * from (
                select match_id, game, players, {columns} from dim_reviews join dim_matches using (match_id)
                where {OVER} and lowest is not null)
            qualify row_number() over (partition by game order by worth, match_id desc) <= $most
            order by worth, match_id desc""",
        {"most": most},
    ).drop("worth")


def latest_matches(reader: Reader, most: int) -> list[tuple[int, str | None]]:
    """Return `match_id` and load time (UTC) of the latest finished match of each game, then of further matches.

    The time is `None` for a match from a lake.
    """
    return reader.rows(
        f"""with latest as (
                select game, match_id, row_number() over (partition by game order by match_id desc) as nth
                from dim_matches where {OVER} qualify nth <= $most)
            select match_id, strftime(started_at, '%Y-%m-%d %H:%M')
            from latest join raw_matches using (match_id) left join ingest_runs on run = ingested_in
            order by nth, match_id desc""",
        {"most": most},
    )


def won_matches(reader: Reader, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Return facts about matches by their ids.

    Keys: `match, game, line_up, winner, winner_seats, plies, rounds, players, labels`. `players` and `labels` are lists
    in seat order.
    """
    frame = reader.frame(
        """select match_id, match, game, line_up, winner, winner_seats, plies, rounds,
                list(s.player order by s.seat) as players, list(s.label order by s.seat) as labels
            from dim_matches join dim_seats s using (match_id)
            where list_contains($numbers, match_id) group by all""",
        {"numbers": list(numbers)},
    )
    return {row["match_id"]: row for row in frame.to_dicts()}


def played(reader: Reader) -> dict[str, int]:
    """Return the number of finished matches of each game, most played first."""
    sql = f"select game, count(*) from dim_matches where {OVER} group by game order by 2 desc, 1"
    return dict(reader.rows(sql, {}))
