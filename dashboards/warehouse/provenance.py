"""Reading what a report rests on: the logs under its filter with their digests, who played and in which version."""

from dataclasses import dataclass

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.reader import Reader
from dashboards.warehouse.versions import version_of
from dashboards.warehouse.where import SEATS, SEED_GROUP, seats_where, with_such_a_seat

__all__ = ["Reader", "Scope"]


@dataclass(frozen=True, slots=True)
class Scope:
    """What there is under a filter: counts of matches and seeds; games, rules, tournaments, boards, options, sizes."""

    matches: int
    seeds: int
    games: list[str]
    rules: list[str]
    tournaments: list[str]
    boards: list[str]
    options: list[str]
    sizes: list[int]


def logs_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `match, sha256` (of the lines of its log) of the matches that the filter leaves a seat of, by name."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select r.match, r.bytes_sha256 as sha256 from raw_matches r
            where r.match_id in (select m.match_id from {SEATS} where {condition}) order by r.match""",
        values,
    )


def scope_under(reader: Reader, where: Filter) -> Scope:
    """Return the contents of the warehouse under the filter; lists are sorted."""
    condition, values = with_such_a_seat(where)
    each = ", ".join(
        f"coalesce(list_sort(list(distinct {column}) filter ({column} is not null)), [])"
        for column in (
            "m.game",
            "m.game || ' ' || m.rules_version",
            "m.tournament",
            "m.board_id || ' (' || left(m.board_sha256, 12) || ')'",
            "m.options::varchar",
            "m.players",
        )
    )
    sql = f"select count(*), count(distinct {SEED_GROUP}), {each} from dim_matches m where {condition}"
    return Scope(*reader.rows(sql, values)[0])


def versions_under(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, version, played` (number of seats) of the seats that the filter leaves."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""with kinds as (select s.player, s.version, s.params, count(*) as played from {SEATS}
                where {condition} group by all)
            select player, {version_of("kinds")} as version, sum(played)::bigint as played from kinds
            group by all order by all""",
        values,
    )
