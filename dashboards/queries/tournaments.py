"""Queries on tournaments: their list, status, conditions of play and interim analyses."""

import json

import polars as pl

from dashboards.queries.filters import Filter
from dashboards.queries.matches import LIVE
from dashboards.queries.participants import version_of
from dashboards.queries.reader import Reader
from dashboards.queries.where import SEATS, SEED_GROUP, listed_where, player_of, seats_where, with_such_a_seat
from himalaya_core.tournament.sequential import Looks

__all__ = ["Reader", "looks_under"]


def looks_under(reader: Reader, where: Filter) -> tuple[Looks, ...]:
    """Return the tournaments under a filter that were analysed more than once, sorted by name."""
    condition, values = with_such_a_seat(where)
    rows = reader.rows(
        f"""select distinct m.tournament, r.looks::varchar from dim_matches m join raw_matches r using (match_id)
            where {condition} and m.tournament is not null and r.looks is not null order by all""",
        values,
    )
    found: dict[str, Looks] = {}
    for tournament, text in rows:
        record = json.loads(text)
        before = found.get(tournament, Looks(tournament))
        newest = max(before.extended, tuple(record.get("extended", ())), key=len)
        found[tournament] = Looks(tournament, newest, until_decided=before.until_decided or "until_decided" in record)
    return tuple(found.values())


def tournament_list(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return one row per tournament that has a match under a filter; counts include all matches of the tournament.

    `tournament, game, status, all_matches, finished, groups, player_count, version_count, sizes, first_in, last_in`

    The tournament loaded last comes first. `status` is live while one of its logs is being followed, unfinished or
    abandoned if one of its matches is, else finished. `sizes` are its table sizes, as in `3, 4`. `first_in, last_in`
    are the times at which its first and last match were loaded, as `2026-11-21 18:59` (UTC).
    """
    condition, values = listed_where(where)
    return reader.frame(
        f"""with found as (
                select distinct m.game, m.tournament from dim_matches m
                where m.tournament is not null and {condition}),
            seats as (
                select m.game, m.tournament, s.player, s.version, s.params from dim_seats s
                join dim_matches m using (match_id) join found using (game, tournament) group by all),
            lines as (
                select game, tournament, count(distinct player) as player_count,
                    count(distinct player || ' ' || {version_of("seats")}) as version_count
                from seats group by all)
            select m.tournament, m.game,
                case when count(*) filter (m.status = 'unfinished' and m.match in ({LIVE})) > 0 then 'live'
                    when count(*) filter (m.status = 'unfinished') > 0 then 'unfinished'
                    when count(*) filter (m.status = 'abandoned') > 0 then 'abandoned'
                    else 'finished' end as status,
                count(*) as all_matches, count(*) filter (m.status = 'finished') as finished,
                count(distinct {SEED_GROUP}) as groups, any_value(lines.player_count) as player_count,
                any_value(lines.version_count) as version_count,
                array_to_string(list_sort(list(distinct m.players)), ', ') as sizes,
                strftime(min(runs.started_at), '%Y-%m-%d %H:%M') as first_in,
                strftime(max(runs.started_at), '%Y-%m-%d %H:%M') as last_in
            from dim_matches m join found using (game, tournament) join lines using (game, tournament)
            left join raw_matches r using (match_id) left join ingest_runs runs on runs.run = r.ingested_in
            group by m.tournament, m.game order by last_in desc nulls last, m.tournament, m.game""",
        values,
    )


def latest_tournaments(reader: Reader, most: int) -> pl.DataFrame:
    """Return `tournament, game, status, finished, all_matches` of tournaments of all games.

    Tournaments in progress come first, then the most recent. `status` is as in `tournament_list`.
    """
    return reader.frame(
        f"""with live as ({LIVE})
            select tournament, game,
                case when count(*) filter (status = 'unfinished' and match in (from live)) > 0 then 'live'
                    when count(*) filter (status = 'unfinished') > 0 then 'unfinished'
                    when count(*) filter (status = 'abandoned') > 0 then 'abandoned' else 'finished' end as stands,
                count(*) filter (status = 'finished') as finished, count(*) as all_matches
            from dim_matches where tournament is not null group by tournament, game
            order by stands = 'live' desc, stands = 'unfinished' desc, max(match_id) desc limit $most""",
        {"most": most},
    ).rename({"stands": "status"})


def leader(reader: Reader, where: Filter) -> tuple[str, float, int]:
    """Return the player with the largest share of wins, that share, and the player's number of seats.

    A shared win counts in part.
    """
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    won = "sum(case when s.won then 1 / len(m.winner_seats) else 0 end) / count(*)"
    sql = f"select {player}, {won}, count(*) from {SEATS} where {condition} group by 1 order by 2 desc, 1 limit 1"
    ((name, share, seats),) = reader.rows(sql, values | names)
    return name, share, seats
