"""Reading what only caravan has: what tokens did, and what came to villages."""

from collections.abc import Mapping
from typing import Final

import polars as pl

from dashboards.warehouse.actions import Reader, action_sums, seat_sums
from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import column_sums
from dashboards.warehouse.where import cohorts_where, of_any_seat

__all__ = ["Reader"]

TOKENS: Final = "coalesce(json_extract_string(m.options, '$.tokens'), 'false') = 'true'"


def token_sums(reader: Reader, where: Filter, columns: Mapping[str, str]) -> pl.DataFrame:
    """Return `player, kind` with the sum of a column for each kind, of matches with tokens in play."""
    return seat_sums(reader, "fct_seats", where, columns, only=TOKENS)


def effect_sums(reader: Reader, where: Filter, effects: Mapping[str, tuple[str, str]]) -> pl.DataFrame:
    """Return `player, kind` of matches with tokens in play: what a token did, given with how many were placed."""
    done = {effect: column for effect, (column, _) in effects.items()}
    placed = {f"placed {effect}": column for effect, (_, column) in effects.items()}
    base, values = action_sums("fct_seats", where, done | placed, TOKENS)
    trials = {effect: f"placed {effect}" for effect in effects}
    return column_sums(reader, base, ["player"], "kind", trials, values)


def supply_totals(reader: Reader, where: Filter, board: str) -> pl.DataFrame:
    """Return `village, resource, supplied, demanded`: what refills brought, as goods and on orders.

    It belongs to matches, not to seats: what the filter says of seats is left aside.
    """
    condition, values = cohorts_where(of_any_seat(where))
    return reader.frame(
        f"""select a.village, a.resource::varchar as resource, sum(a.supplied)::bigint as supplied,
                sum(a.demanded)::bigint as demanded
            from agg_supply a join dim_cohorts c using (cohort)
            where {condition} and c.board_sha256 = $board and a.round between $first and $last
            group by all order by 1, 2""",
        values | {"first": where.first, "last": where.last, "board": board},
    )
