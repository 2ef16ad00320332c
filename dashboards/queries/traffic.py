"""Events by place on one board of a game: totals from aggregate tables, variances from a sample of seeds.

Aggregate tables have no rows per match, so intervals need counts from the events of sampled seeds. Seeds are sampled by
hash, which is independent of the events.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.queries.filters import Filter
from dashboards.queries.reader import Reader
from dashboards.queries.where import SEATS, SEED_GROUP, cohorts_where, renamed, seats_where, with_such_a_seat

__all__ = ["Place", "Sample", "amounts_of_selections", "boards_used", "place_amounts", "place_totals", "seed_sample"]


@dataclass(frozen=True, slots=True)
class Place:
    """How an event is counted by place: its rows (`match_id, seat, round`, keys, `x`), and the table with their sums.

    The query `events` may use `sampled` (`match_id, seat, unit`), the sampled seats. `by` are the keys of a place;
    `column` of the aggregate `table` has the sum. `noun` is the name of a place, by default its first key. If
    `is_sparse` is true, there are so many places that those without events have no row.
    """

    events: str
    table: str
    column: str
    by: tuple[str, ...]
    noun: str = ""
    is_sparse: bool = False

    @property
    def called(self) -> str:
        """Noun for one place."""
        return self.noun or self.by[0]


SEEDS: Final = 1_000


@dataclass(frozen=True)
class Sample:
    """The seeds under a filter on a board, and which of them are sampled (all if there are few).

    `seeds` has `unit, matches, seats` with the counts of each seed, sorted by `unit`. Seeds up to `bound` are sampled.
    """

    seeds: pl.DataFrame
    bound: int

    @property
    def matches(self) -> int:
        """Return the number of matches with a seat that fits the filter."""
        return int(self.seeds["matches"].sum())

    @property
    def seats(self) -> int:
        """Return the number of seats that fit the filter."""
        return int(self.seeds["seats"].sum())

    def trials(self, of: str, bound: int) -> pl.DataFrame:
        """Return `unit, n`: the number of matches or seats (`of`) of each seed up to `bound`."""
        return self.seeds.filter(pl.col("unit") <= bound).select("unit", n=of)


def boards_used(reader: Reader, where: Filter) -> pl.DataFrame:
    """Return `board_id, board_sha256, matches, match` of all boards played on, most used first."""
    condition, values = with_such_a_seat(where)
    return reader.frame(
        f"""select m.board_id, m.board_sha256, count(*) as matches, min(m.match) as match
            from dim_matches m where {condition} group by 1, 2 order by matches desc, board_sha256""",
        values,
    )


def seed_sample(reader: Reader, where: Filter, board: str) -> Sample:
    """Return the seeds under a filter on a board, and which of them are sampled."""
    condition, values = seats_where(where)
    seeds = reader.frame(
        f"""select unit, count(*) as matches, sum(seats)::bigint as seats
            from (select {SEED_GROUP} as unit, count(*) as seats from {SEATS}
                where {condition} and m.board_sha256 = $board group by m.match_id, unit)
            group by unit order by unit""",
        values | {"board": board},
    )
    return Sample(seeds, int(seeds["unit"][SEEDS - 1]) if seeds.height >= SEEDS else (1 << 64) - 1)


def place_totals(
    reader: Reader, columns: Sequence[str], table: str, by: Sequence[str], where: Filter, board: str
) -> pl.DataFrame:
    """Return `*by` with the sums of columns of an aggregate table; places without events have no row."""
    condition, values = cohorts_where(where)
    keys = ", ".join(f"a.{key}" for key in by)
    summed = ", ".join(f"sum(a.{column})::bigint as {column}" for column in columns)
    return reader.frame(
        f"""select {keys}, {summed} from {table} a join dim_cohorts c using (cohort)
            where {condition} and c.board_sha256 = $board and a.round between $first and $last
            group by all order by {keys}""",
        values | _of_board(where, board),
    )


def place_amounts(reader: Reader, place: Place, where: Filter, board: str, sample: Sample) -> pl.DataFrame:
    """Return `*by, unit, x`: the number of events by place and sampled seed.

    Events count if their seat and round fit the filter.
    """
    return amounts_of_selections(reader, place, [where], board, sample.bound).rename({"x_0": "x"})


def amounts_of_selections(
    reader: Reader, place: Place, sides: Sequence[Filter], board: str, bound: int
) -> pl.DataFrame:
    """Return `*by, unit, x_0, x_1, …`: like `place_amounts`, with one column of amounts for each filter.

    Events are read only once for all filters, because there are many. In the query, `tables` has a bit mask of the
    selected seats for each match and filter.
    """
    values: dict[str, Any] = {"board": board, "bound": bound}
    seats, sets, sums = [], [], []
    for side, where in enumerate(sides):
        condition, of_it = renamed(seats_where(where), f"_{side}")
        values |= of_it | {f"first_{side}": where.first, f"last_{side}": where.last}
        seats.append(
            f"""select {side} as side, s.match_id, s.seat, {SEED_GROUP} as unit from {SEATS}
                where {condition} and m.board_sha256 = $board and {SEED_GROUP} <= $bound"""
        )
        sets.append(f"coalesce(bit_or(1::bigint << seat) filter (side = {side}), 0) as seats_{side}")
        fits = f"(seats_{side} >> v.seat) & 1 = 1 and v.round between $first_{side} and $last_{side}"
        sums.append(f"coalesce(sum(v.x) filter ({fits}), 0)::bigint as x_{side}")
    keys = ", ".join(f"v.{key}" for key in place.by)
    return reader.frame(
        f"""with sampled as materialized ({" union all ".join(seats)}),
            tables as (
                select match_id, any_value(unit) as unit, {", ".join(sets)} from sampled group by match_id)
            select {keys}, tables.unit, {", ".join(sums)}
            from ({place.events}) v join tables using (match_id)
            group by all having {" or ".join(f"x_{side} > 0" for side in range(len(sides)))}""",
        values,
    )


def _of_board(where: Filter, board: str) -> dict[str, Any]:
    return {"first": where.first, "last": where.last, "board": board}
