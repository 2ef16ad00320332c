"""Reading where caravans went on one board, and what they traded there."""

import polars as pl

from dashboards.filters import Filter
from dashboards.queries_sums import SumQueries
from dashboards.queries_where import LUCK, Where, seats_where

__all__ = ["TrafficQueries"]

OF_SEATS = "join dim_seats s using (match_id, seat) join dim_matches m using (match_id)"


class TrafficQueries(SumQueries):
    """Sums over the travels of the seats that a filter leaves, in its rounds, on the board with a digest."""

    def boards_used(self, where: Filter) -> pl.DataFrame:
        """Return `board_id, board_sha256, matches, match` of the boards travelled on, the most used first."""
        condition, values = seats_where(where)
        return self._frame(
            f"""select m.board_id, m.board_sha256, count(distinct m.match_id) as matches, min(m.match) as match
                from dim_matches m join dim_seats s using (match_id) where {condition}
                group by 1, 2 order by matches desc, board_sha256""",  # noqa: S608
            values,
        )

    def arrival_sums(self, where: Filter, board: str) -> pl.DataFrame:
        """Return `village` with its arrivals; a trial is an arrival anywhere."""
        return self._parts("fct_village_visits", ["village"], where, board)

    def journey_sums(self, where: Filter, board: str) -> pl.DataFrame:
        """Return `village_a, village_b` with the journeys between them; a trial is a journey anywhere."""
        return self._parts("fct_road_visits", ["village_a", "village_b"], where, board)

    def village_trades(self, where: Filter, board: str) -> pl.DataFrame:
        """Return `village, collected, delivered, voided`: what programmed trades came to there."""
        condition, values = _travels(where, board)
        return self._frame(
            f"""select v.village, count(*) filter (v.result = 'collected') as collected,
                    count(*) filter (v.result = 'delivered') as delivered,
                    count(*) filter (v.result = 'voided') as voided
                from fct_trades v {OF_SEATS} where {condition} group by 1 order by 1""",  # noqa: S608
            values,
        )

    def _parts(self, table: str, by: list[str], where: Filter, board: str) -> pl.DataFrame:
        condition, values = _travels(where, board)
        keys = ", ".join(f"v.{key}" for key in by)
        counted = f"from {table} v {OF_SEATS} where {condition} group by all"
        amounts = f"select {keys}, {LUCK} as unit, count(*) as x {counted}"
        trials = f"select {LUCK} as unit, count(*) as n {counted}"
        return self.sums(amounts, trials, by, [], values)


def _travels(where: Filter, board: str) -> Where:
    condition, values = seats_where(where)
    values |= {"first": where.first, "last": where.last, "board": board}
    return f"{condition} and v.round between $first and $last and m.board_sha256 = $board", values
