"""Reading what happened where on one board of a game: totals from aggregates, their spread from a sample of lucks.

Aggregates know no matches, so what an interval needs is counted in the events of some lucks: those of least hash, which
has nothing to do with what happened in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from dashboards.filters import Filter
from dashboards.queries_places import Place
from dashboards.queries_places_caravan import CARAVAN_PLACES
from dashboards.queries_places_climbers import CLIMBERS_PLACES
from dashboards.queries_places_summit import SUMMIT_PLACES
from dashboards.queries_replay import ReplayQueries
from dashboards.queries_where import LUCK, SEATS, cohorts_where, renamed, seats_where, with_such_a_seat

__all__ = ["PLACES", "Place", "Sample", "TrafficQueries"]

LUCKS: Final = 1_000
"""How many lucks are sampled at most."""
PLACES: Final[Mapping[str, Place]] = {**CARAVAN_PLACES, **SUMMIT_PLACES, **CLIMBERS_PLACES}
"""What is counted by place. Events count where the seat and round fit the filter."""


@dataclass(frozen=True, slots=True)
class Sample:
    """How many lucks and matches a filter leaves on a board, and the greatest number of a luck that is sampled."""

    lucks: int
    matches: int
    bound: int


class TrafficQueries(ReplayQueries):
    """Totals and samples of what the seats that a filter leaves did, in its rounds, on the board with a digest."""

    def boards_used(self, where: Filter) -> pl.DataFrame:
        """Return `board_id, board_sha256, matches, match` of the boards travelled on, the most used first."""
        condition, values = with_such_a_seat(where)
        return self._frame(
            f"""select m.board_id, m.board_sha256, count(*) as matches, min(m.match) as match
                from dim_matches m where {condition} group by 1, 2 order by matches desc, board_sha256""",  # noqa: S608
            values,
        )

    def luck_sample(self, where: Filter, board: str) -> Sample:
        """Return which lucks are sampled: all of them if they are few."""
        condition, values = with_such_a_seat(where)
        sql = f"""with lucks as (select {LUCK} as unit, count(*) as matches from dim_matches m
                where {condition} and m.board_sha256 = $board group by 1)
            select count(*), coalesce(sum(matches), 0),
                coalesce((select unit from lucks order by unit limit 1 offset {LUCKS - 1}), {(1 << 64) - 1}::ubigint)
            from lucks"""  # noqa: S608
        lucks, matches, bound = self._rows(sql, values | {"board": board})[0]
        return Sample(int(lucks), int(matches), int(bound))

    def place_totals(
        self, columns: Sequence[str], table: str, by: Sequence[str], where: Filter, board: str
    ) -> pl.DataFrame:
        """Return `*by` with the sums of columns of an aggregate, those of places where nothing happened left out."""
        condition, values = cohorts_where(where)
        keys = ", ".join(f"a.{key}" for key in by)
        summed = ", ".join(f"sum(a.{column})::bigint as {column}" for column in columns)
        return self._frame(
            f"""select {keys}, {summed} from {table} a join dim_cohorts c using (cohort)
                where {condition} and c.board_sha256 = $board and a.round between $first and $last
                group by all order by {keys}""",  # noqa: S608
            values | _of_board(where, board),
        )

    def place_amounts(self, what: str, where: Filter, board: str, sample: Sample) -> pl.DataFrame:
        """Return `*by, unit, x`: how often it happened in each place, luck by luck of the sample."""
        return self.amounts_of_sides(what, [where], board, sample.bound).drop("side")

    def amounts_of_sides(self, what: str, sides: Sequence[Filter], board: str, bound: int) -> pl.DataFrame:
        """Return `side, *by, unit, x`, as `place_amounts` does for each of several filters; the first is side 0.

        Events are read once, as there are many: those of the sampled matches, then those of their seats on each side.
        """
        place = PLACES[what]
        values: dict[str, Any] = {"board": board, "bound": bound}
        seats = []
        for side, where in enumerate(sides):
            condition, of_it = renamed(seats_where(where), f"_{side}")
            values |= of_it | {f"first_{side}": where.first, f"last_{side}": where.last}
            seats.append(
                f"""select {side} as side, s.match_id, s.seat, {LUCK} as unit, $first_{side} as since,
                        $last_{side} as until
                    from {SEATS} where {condition} and m.board_sha256 = $board and {LUCK} <= $bound"""  # noqa: S608
            )
        keys = ", ".join(f"v.{key}" for key in place.by)
        return self._frame(
            f"""with sampled as materialized ({" union all ".join(seats)})
                select sampled.side, {keys}, sampled.unit, sum(v.x)::bigint as x
                from ({place.events}) v join sampled using (match_id, seat)
                where v.match_id in (select match_id from sampled)
                    and v.round between sampled.since and sampled.until
                group by all having sum(v.x) > 0""",  # noqa: S608
            values,
        )

    def match_trials(self, where: Filter, board: str, sample: Sample) -> pl.DataFrame:
        """Return `unit, n`: the matches of each luck of the sample."""
        condition, values = with_such_a_seat(where)
        return self._frame(
            f"""select {LUCK} as unit, count(*) as n from dim_matches m
                where {condition} and m.board_sha256 = $board and {LUCK} <= $bound group by 1""",  # noqa: S608
            values | {"board": board, "bound": sample.bound},
        )

    def seat_trials(self, where: Filter, board: str, bound: int) -> pl.DataFrame:
        """Return `unit, n`: the seats that the filter leaves of each luck up to a bound."""
        condition, values = seats_where(where)
        return self._frame(
            f"""select {LUCK} as unit, count(*) as n from {SEATS}
                where {condition} and m.board_sha256 = $board and {LUCK} <= $bound group by 1""",  # noqa: S608
            values | {"board": board, "bound": bound},
        )

    def seat_count(self, where: Filter, board: str) -> int:
        """Return how many seats the filter leaves on a board."""
        condition, values = seats_where(where)
        sql = f"select count(*) from {SEATS} where {condition} and m.board_sha256 = $board"  # noqa: S608
        return int(self._rows(sql, values | {"board": board})[0][0])


def _of_board(where: Filter, board: str) -> dict[str, Any]:
    return {"first": where.first, "last": where.last, "board": board}
