"""Queries on the actions of seats and the course of matches, from tables of any game.

These tables hold finished matches of one game. A row is one seat (`match_id, seat`) or one match (`match_id`).
"""

from collections.abc import Mapping
from typing import Any

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import Reader, column_sums, unit_sums
from dashboards.warehouse.where import SEED_GROUP, cohorts_where, player_of, seats_where, with_such_a_seat

__all__ = ["Reader"]


def seat_sums(
    reader: Reader, table: str, where: Filter, columns: Mapping[str, str], trials: str = "1", only: str = "true"
) -> pl.DataFrame:
    """Return `player, kind` with the sum of a column for each kind; a trial is a seat.

    If `trials` names a column, its sum is the number of trials.
    """
    base, values = action_sums(reader, table, where, {**columns, "n": trials}, only)
    return column_sums(reader, base, ["player"], "kind", dict.fromkeys(columns, "n"), values)


def seat_histogram(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `player, kind, value, seats`: the number of seats with exactly that value in a column."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    named = ", ".join(f'{column} as "{kind}"' for kind, column in columns.items())
    kinds = ", ".join(f'"{kind}"' for kind in columns)
    return reader.frame(
        f"""with counted as (
                select {player} as player, {named}, count(*) as seats
                from {_seats(table)} where {condition} group by all)
            select player, kind, value, sum(seats)::bigint as seats
            from (unpivot counted on {kinds} into name kind value value) group by all""",
        values | names,
    )


def standing_histogram(reader: Reader, table: str, where: Filter, key: str) -> pl.DataFrame:
    """Return `{key}, player, round, value, seats`: the number of seats with that amount after a round of the filter.

    The table has one row per `cohort, round, {key}, value`.
    """
    condition, values = cohorts_where(where)
    player, names = player_of(reader, where, "c")
    return reader.frame(
        f"""select a.{key}::varchar as {key}, {player} as player, a.round, a.value,
                sum(a.seats)::bigint as seats
            from {table} a join dim_cohorts c using (cohort)
            where {condition} and a.round between $first and $last group by all""",
        values | names | {"first": where.first, "last": where.last},
    )


def course_sums(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `kind, players` with the sum of a column for each kind; a trial is a match with a fitting seat."""
    condition, values = with_such_a_seat(where)
    summed = ", ".join(f'sum({column}) as "{kind}"' for kind, column in columns.items())
    base = f"""select m.players, {SEED_GROUP} as unit, count(*) as n, {summed} from {_matches(table)}
        where {condition} group by all"""
    found = column_sums(reader, base, ["players"], "kind", dict.fromkeys(columns, "n"), values)
    return found.select("kind", "players", "trials", "total", "groups", "residual")


def course_histogram(reader: Reader, table: str, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `kind, players, value, matches`: the number of matches with that value in a column."""
    condition, values = with_such_a_seat(where)
    named = ", ".join(f'{column} as "{kind}"' for kind, column in columns.items())
    kinds = ", ".join(f'"{kind}"' for kind in columns)
    return reader.frame(
        f"""select kind, players, value, count(*) as matches
            from (unpivot (select m.players, {named} from {_matches(table)} where {condition})
                on {kinds} into name kind value value)
            group by all""",
        values,
    )


def decisive_sums(reader: Reader, table: str, where: Filter) -> pl.DataFrame:
    """Return `round` and the number of matches decided for good from its end; a trial is a match.

    Round 0 counts matches that were never decided.
    """
    condition, values = with_such_a_seat(where)
    source = f"from {_matches(table)} where {condition} group by all"
    amounts = f"select coalesce(f.decisive_round, 0) as round, {SEED_GROUP} as unit, count(*) as x {source}"
    return unit_sums(reader, amounts, f"select {SEED_GROUP} as unit, count(*) as n {source}", ["round"], [], values)


def decided_sums(reader: Reader, table: str, where: Filter) -> pl.DataFrame:
    """Return `round` and the number of matches decided by its end, for each round that decided any."""
    condition, values = with_such_a_seat(where)
    base = f"""select f.decisive_round as round, {SEED_GROUP} as unit, count(*) as n from {_matches(table)}
        where {condition} group by all"""
    amounts = """select r.round, b.unit, sum(b.n) as x from base b
        join (select distinct round from base where round is not null) r on b.round <= r.round group by all"""
    trials = "select unit, sum(n) as n from base group by all"
    return unit_sums(reader, amounts, trials, ["round"], [], values, base)


def comeback_sums(reader: Reader, table: str, where: Filter) -> pl.DataFrame:
    """Return `player` with its comebacks; a trial is a winning seat."""
    condition, values = seats_where(where)
    player, names = player_of(reader, where, "s")
    source = f"""from dim_seats s join dim_matches m using (match_id) join {table} f using (match_id)
        where {condition} and s.won group by all"""
    amounts = f"select {player} as player, {SEED_GROUP} as unit, count(*) filter (f.comeback) as x {source}"
    trials = f"select {player} as player, {SEED_GROUP} as unit, count(*) as n {source}"
    return unit_sums(reader, amounts, trials, ["player"], ["player"], values | names)


def action_sums(
    reader: Reader, table: str, where: Filter, columns: Mapping[str, str], only: str
) -> tuple[str, dict[str, Any]]:
    """Return the query for `player, unit` and sums of columns, with its values."""
    condition, values = seats_where(where)
    summed = ", ".join(f'sum({column}) as "{kind}"' for kind, column in columns.items())
    player, names = player_of(reader, where, "s")
    counted = f"from {_seats(table)} where {condition} and {only} group by all"
    return f"select {player} as player, {SEED_GROUP} as unit, {summed} {counted}", values | names


def _seats(table: str) -> str:
    return f"{table} f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"


def _matches(table: str) -> str:
    return f"{table} f join dim_matches m using (match_id)"
