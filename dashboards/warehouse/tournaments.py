"""Reading which tournaments there are, how they stand, and what they were played with."""

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.listed import LIVE
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import version_of
from dashboards.warehouse.where import SEED_GROUP, listed_where, second_copies
from ingest.validate.judged import Verdict

__all__ = ["Reader"]


def tournament_list(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return one row for each tournament with a match that a filter leaves; counts are of all its matches.

    `tournament, game, status, all_matches, finished, groups, player_count, version_count, sizes, first_in, last_in`

    The last taken in comes first. `status`: live while a log of it is being followed, unfinished or abandoned if
    a match of it is, else finished. `sizes`: seats at its tables, as in `3, 4`. `first_in, last_in`: when its
    first and last match were taken in, as `2026-11-21 18:59` (UTC).
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


def tournaments_now(reader: Reader, most: int) -> pl.DataFrame:
    """Return `tournament, game, status, finished, all_matches, leader, share, seats` of tournaments of all games.

    Those that go on come first, then the latest. `status` is as in `tournament_list`. `leader` won the greatest share
    of its seats in finished, clean matches, a win of several in parts; none where none has ended.
    """
    return reader.frame(
        f"""with live as ({LIVE}),
            shown as (
                select tournament, game, count(*) as all_matches, count(*) filter (status = 'finished') as finished,
                    case when count(*) filter (status = 'unfinished' and match in (from live)) > 0 then 'live'
                        when count(*) filter (status = 'unfinished') > 0 then 'unfinished'
                        when count(*) filter (status = 'abandoned') > 0 then 'abandoned' else 'finished' end as stands,
                    max(match_id) as latest
                from dim_matches where tournament is not null group by all
                order by stands = 'live' desc, stands = 'unfinished' desc, latest desc limit $most),
            shares as (
                select m.tournament, m.game, s.player, count(*) as seats,
                    sum(case when s.won then 1 / len(m.winner_seats) else 0 end) / count(*) as share
                from dim_matches m join shown using (tournament, game) join dim_seats s using (match_id)
                where m.status = 'finished' and m.verdict = '{Verdict.CLEAN}'
                    and m.match_id not in ({second_copies(within="e.tournament, ")}) group by all),
            leaders as (
                select tournament, game, unnest(max({{'share': share, 'leader': player, 'seats': seats}}))
                from shares group by tournament, game)
            select tournament, game, stands as status, finished, all_matches, leader, share, seats
            from shown left join leaders using (tournament, game)
            order by stands = 'live' desc, stands = 'unfinished' desc, latest desc""",
        {"most": most},
    )
