"""Reading what only summit has: how matches ended, after how many throws, and which tell most."""

from typing import Final

import polars as pl

from dashboards.warehouse.actions import Reader
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import column_sums, unit_sums
from dashboards.warehouse.where import LUCK, player_of, seats_where, with_such_a_seat

__all__ = ["Reader"]

COURSES: Final = "fct_summit_courses c using (match_id)"
OUTCOME: Final = "case when s.won then 'won_' else 'lost_' end || c.ending::varchar"
MOST: Final = 3
"""How many matches are told for each reason."""


def outcome_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, outcome` with how many of the player's seats ended so, as in `won_summit`."""
    condition, values = seats_where(where)
    base = f"""select {player_of(where, "s")} as player, {OUTCOME} as outcome, {LUCK} as unit, count(*) as x
        from dim_seats s join dim_matches m using (match_id) join {COURSES} where {condition} group by all"""
    trials = "select player, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["player", "outcome"], ["player"], values, base)


def weather_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending` with how many matches of tables of a size ended so; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, c.ending::varchar as ending, {LUCK} as unit, count(*) as x
        from dim_matches m join {COURSES} where {condition} group by all"""
    trials = "select players, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["players", "ending"], ["players"], values, base)


def throw_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending` with the throws that matches took; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, c.ending::varchar as ending, {LUCK} as unit, count(*) as n,
            sum(c.throws) as throws
        from dim_matches m join {COURSES} where {condition} group by all"""
    return column_sums(reader, base, ["players", "ending"], "kind", {"throws": "n"}, values).drop("kind")


def throw_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending, value, matches`: how many matches took so many throws."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select m.players, c.ending::varchar as ending, c.throws as value, count(*) as matches
            from dim_matches m join {COURSES} where {condition} group by all""",
        values,
    )


def summit_extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round, luck`, three of each.

    `what`: comeback (decided latest), lead (most changes), close (least margin, then most changes), quick (decided
    first, then the greatest margin), luckless (the sole winner whose dice were the worst).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
        "close": ("f.margin >= 0", "f.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null", "f.decisive_round, f.margin desc"),
        "luckless": ("w.luck < 0", "w.luck"),
    }
    whole = "fct_summit_courses f join dim_matches m using (match_id)"
    of_winner = f"""{whole} join (
        select match_id, min(d.dice_luck) as luck from fct_summit_seats d join dim_seats using (match_id, seat)
        where won group by match_id having count(*) = 1) w using (match_id)"""
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.lead_changes,
                f.decisive_round, {"w.luck" if what == "luckless" else "null::double"} as luck
            from {of_winner if what == "luckless" else whole} where {condition} and {kept}
            order by {order}, m.match limit {MOST})"""
        for what, (kept, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)
