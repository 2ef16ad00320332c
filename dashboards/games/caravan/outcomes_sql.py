"""Reading how caravan's matches ended: influences, eliminations, how each seat fared."""

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import Reader, column_sums, unit_sums
from dashboards.warehouse.where import LUCK, SEATS, cohorts_where, player_of, seats_where

__all__ = ["Reader"]

ENDING = "case when s.won then 'won' else coalesce(s.eliminated_by, 'outlasted') end"
POINTS = "religious, political, economic"


def ending_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, ending` with how many of the player's seats ended so: won, by what it was out, outlasted."""
    condition, values = seats_where(where)
    base = f"""select {player_of(where, "s")} as player, {ENDING} as ending, {LUCK} as unit, count(*) as x
        from {SEATS} where {condition} group by all"""
    trials = "select player, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["player", "ending"], ["player"], values, base)


def final_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence` with the points at the end, a trial is a seat."""
    condition, values = seats_where(where)
    base = f"""select {player_of(where, "s")} as player, {LUCK} as unit, count(*) as n,
            sum(s.religious) as religious, sum(s.political) as political, sum(s.economic) as economic
        from {SEATS} where {condition} group by all"""
    return column_sums(reader, base, ["player"], "influence", dict.fromkeys(POINTS.split(", "), "n"), values)


def final_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, value, seats`: how many seats ended with so many points."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""with counted as (
                select {player_of(where, "s")} as player, s.religious, s.political, s.economic, count(*) as seats
                from {SEATS} where {condition} group by all)
            select player, influence, value, sum(seats)::bigint as seats
            from (unpivot counted on {POINTS} into name influence value value) group by all""",
        values,
    )


def round_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, influence, round, value, seats`: how many seats had so many points at the end of a round."""
    condition, values = cohorts_where(where)
    return reader.frame(
        f"""select {player_of(where, "c")} as player, a.influence, a.round, a.value, sum(a.seats)::bigint as seats
            from agg_influence a join dim_cohorts c using (cohort)
            where {condition} and a.round between $first and $last group by all""",
        values | {"first": where.first, "last": where.last},
    )


def elimination_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player` with how many of the player's seats were eliminated so."""
    condition, values = seats_where(where)
    amounts = f"""select e.influence, {player_of(where, "s")} as player, {LUCK} as unit, count(*) as x
        from fct_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        where {condition} group by all"""
    return unit_sums(reader, amounts, seat_trials(where), ["influence", "player"], ["player"], values)


def elimination_margins(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, player, margin, value, tie_break, eliminations`."""
    condition, values = seats_where(where)
    return reader.frame(
        f"""select e.influence, {player_of(where, "s")} as player, e.margin, e.value,
                coalesce(e.tie_break, 'none needed') as tie_break, count(*) as eliminations
            from fct_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
            where {condition} group by all""",
        values,
    )


def tie_break_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `influence, tie_break` with how many of the eliminations by that influence it decided."""
    condition, values = seats_where(where)
    tables = "fct_eliminations e join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"
    key = "coalesce(e.tie_break, 'none needed')"
    amounts = f"""select e.influence, {key} as tie_break, {LUCK} as unit, count(*) as x from {tables}
        where {condition} group by all"""
    trials = f"select e.influence, {LUCK} as unit, count(*) as n from {tables} where {condition} group by all"
    return unit_sums(reader, amounts, trials, ["influence", "tie_break"], ["influence"], values)


def seat_trials(where: Filter) -> str:
    """Return the question for `player, unit, n`: how many seats of a player there are in each seed group."""
    condition, _ = seats_where(where)
    return f"""select {player_of(where, "s")} as player, {LUCK} as unit, count(*) as n
        from {SEATS} where {condition} group by all"""
