"""Reading what only The Climbers has: who hindered whom, how matches were won, which tell most."""

from typing import Final

import polars as pl

from dashboards.warehouse.actions import Reader
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import column_sums, unit_sums
from dashboards.warehouse.where import LUCK, player_of, seats_where, with_such_a_seat

__all__ = ["Reader"]

COURSES: Final = "fct_climbers_courses f join dim_matches m using (match_id)"
ENDING: Final = "case when f.highest = 0 then 'table' when f.tie_break then 'earlier' else 'highest' end"
MOST: Final = 3
"""How many matches are told for each reason."""


def hinderer_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `player, other` with how often the other hindered the player; a trial is a pair of their seats."""
    condition, values = seats_where(where)
    base = f"""select {player_of(where, "s")} as player, {player_of(where, "o")} as other, {LUCK} as unit,
            count(*) as n, sum(f.hindered_by[o.seat + 1]) as times
        from fct_climbers_seats f join dim_seats s using (match_id, seat) join dim_matches m using (match_id)
        join dim_seats o on o.match_id = s.match_id and o.seat <> s.seat
        where {condition} group by all"""
    return column_sums(reader, base, ["player", "other"], "kind", {"times": "n"}, values).drop("kind")


def way_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `players, ending` with how many matches of tables of a size were won so; a trial is a match."""
    condition, values = with_such_a_seat(where)
    base = f"""select m.players, {ENDING} as ending, {LUCK} as unit, count(*) as x
        from {COURSES} where {condition} group by all"""
    trials = "select players, unit, sum(x) as n from base group by all"
    return unit_sums(reader, "from base", trials, ["players", "ending"], ["players"], values, base)


def climbers_extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, highest, lead_changes, decisive_round`: three each.

    `what`: comeback (decided latest), lead (most changes), close (least margin, then most changes), quick (decided
    first, then the greatest margin).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, f.margin"),
        "close": ("f.highest > 0", "f.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null and f.highest > 0", "f.decisive_round, f.margin desc"),
    }
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, f.margin, f.highest,
                f.lead_changes, f.decisive_round
            from {COURSES} where {condition} and {kept} order by {order}, m.match limit {MOST})"""
        for what, (kept, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)
