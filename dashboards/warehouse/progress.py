"""Queries for the length of matches and short facts about some of them."""

from collections.abc import Sequence
from typing import Final

import polars as pl

from dashboards.warehouse.filters import Filter
from dashboards.warehouse.sums import Reader, column_sums
from dashboards.warehouse.where import SEATS, SEED_GROUP, player_of, with_such_a_seat

__all__ = ["Reader"]

LENGTHS: Final = ("rounds", "plies", "events")


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


def match_facts(reader: Reader, numbers: Sequence[int]) -> pl.DataFrame:
    """Return `match_id, match, tournament, line_up, winner` of matches by their numbers."""
    return reader.frame(
        """select match_id::bigint as match_id, match, tournament, line_up, winner from dim_matches
            where list_contains($numbers, match_id) order by match_id""",
        {"numbers": list(numbers)},
    )


def named_line_ups(reader: Reader, where: Filter, matches: Sequence[str]) -> list[tuple[str, str, str | None]]:
    """Return `match, line_up, winner` of matches, with the names of players that figures use under a filter."""
    player, names = player_of(reader, where, "s")
    return reader.rows(
        f"""select m.match, string_agg({player}, ', ' order by s.seat),
                string_agg({player}, ', ' order by s.seat) filter (s.won)
            from {SEATS} where list_contains($matches, m.match) group by 1""",
        {"matches": list(matches), **names},
    )
