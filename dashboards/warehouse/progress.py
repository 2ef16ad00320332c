"""Reading how long matches are, and which matches of caravan tell most."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import Reader, column_sums
from dashboards.warehouse.where import SEED_GROUP, with_such_a_seat

__all__ = ["Reader"]

LENGTHS: Final = ("rounds", "plies", "events")
MOST: Final = 3
"""How many matches are listed for each reason."""


def length_sums(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players` with the rounds, plies and events of matches; a trial is a match."""
    condition, values = with_such_a_seat(where)
    summed = ", ".join(f"sum(m.{column}) as {column}" for column in LENGTHS)
    base = f"""select m.players, {SEED_GROUP} as unit, count(*) as n, {summed} from dim_matches m
        where {condition} group by all"""
    found = column_sums(reader, base, ["players"], "kind", dict.fromkeys(LENGTHS, "n"), values)
    return found.select("kind", "players", "trials", "total", "groups", "residual")


def length_histogram(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `kind, players, value, matches`."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select kind, players, value, count(*) as matches
            from (unpivot (select m.players, m.rounds, m.plies, m.events from dim_matches m where {condition})
                on {", ".join(LENGTHS)} into name kind value value)
            group by all""",
        values,
    )


def course_extremes(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `what, match, tournament, line_up, winner, margin, lead_changes, decisive_round`, three of each.

    `what`: comeback (decided latest, then most changes of the lead), lead (most changes), close (least margin, then
    most changes), quick (decided first, then the greatest margin).
    """
    condition, values = with_such_a_seat(where)
    orders = {
        "comeback": ("f.comeback", "f.decisive_round desc nulls last, f.lead_changes desc"),
        "lead": ("f.lead_changes > 0", "f.lead_changes desc, m.margin"),
        "close": ("m.margin >= 0", "m.margin, f.lead_changes desc"),
        "quick": ("f.decisive_round is not null", "f.decisive_round, m.margin desc nulls last"),
    }
    parts = [
        f"""(select '{what}' as what, m.match, m.tournament, m.line_up, m.winner, m.margin, f.lead_changes,
                f.decisive_round
            from fct_caravan_courses f join dim_matches m using (match_id) where {condition} and {kept}
            order by {order}, m.match limit {MOST})"""
        for what, (kept, order) in orders.items()
    ]
    return reader.frame(" union all ".join(parts), values)


def match_facts(reader: Reader, numbers: Sequence[int]) -> pl.DataFrame:
    """Return `match_id, match, tournament, line_up, winner` of matches by their numbers."""
    return reader.frame(
        """select match_id::bigint as match_id, match, tournament, line_up, winner from dim_matches
            where list_contains($numbers, match_id) order by match_id""",
        {"numbers": list(numbers)},
    )
